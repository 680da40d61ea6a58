#include "run/launch_keys.h"

const char *const launch_cache_names[LAUNCH_CACHE_NAMES] = {"none", "shared", "l1",
                                                            "equal"};

static const struct value_key file_keys[] = {
    {"module", "code",
     "the PTX file, relative to the launch file; a list: files that are linked", true},
    {"launches", "launches", "what runs, in this order", true},
    {"config", "text",
     "the device: a preset (smwave devices lists them) or a configuration file "
     "relative "
     "to the launch file; -c wins",
     false},
    {"buffers", "buffers",
     "arrays in global memory by name; args and expect refer to the names", false},
    {"textures", "textures",
     "textures and surfaces over buffers by name; args refers to the names", false},
    {"symbols", "symbols",
     "what .global and .const variables of the module hold before the first launch",
     false},
    {"expect", "expects",
     "what must come out; an expectation that is not met makes the run end with exit "
     "code 1",
     false},
    {"trace", "trace", "what of the run goes into a waveform; options win", false},
    {"cache_config", "cache_config",
     "split of on-chip memory for kernels that have no preference of their own", false},
    {"bank_mode", "bank_mode",
     "width of the banks in bytes for kernels that have no preference of their own; 8 "
     "on capability 3.x only",
     false},
    {"modules", "codes",
     "loaded before module, in this order, so that variables lie where they did",
     false},
    {"after", "text",
     "the launch file that runs before on the same device: caches and DRAM are as it "
     "left them; nothing is told of its launches",
     false},
    {"address_base", "whole",
     "where addresses of device memory begin, a multiple of 64 KiB from 0x10000000 on, "
     "which is what it is unless said",
     false},
};

static const struct value_key buffer_keys[] = {
    {"type", "type", "of an element", true},
    {"count", "count", "elements; a buffer has at most 4 GiB", true},
    {"init", "form",
     "what it holds at first (zeros, unless said; --check full then warns of reading "
     "it)",
     false},
    {"address", "whole",
     "where it lies, a multiple of 256 from address_base on (the lowest free place, "
     "unless said)",
     false},
    {"dump", "text",
     "a file its elements go to at the end, as a NumPy array (.npy) or raw bytes; "
     "relative to the directory of results",
     false},
};

static const struct value_key texture_keys[] = {
    {"buffer", "buffer_name",
     "whose elements are its channels: u8, s8, u16, s16, u32, s32, f16 or f32", true},
    {"kind", "texture_kind", "texture or surface (texture)", false},
    {"dims", "texture_dims", "its shape (2d)", false},
    {"size", "extent",
     "texels: [width], [width, height], [width, height, depth or layers], [width, "
     "layers] of 1d_layered; 6 layers are a cube (1d: all of the buffer)",
     false},
    {"channels", "texture_channels", "numbers of a texel: 1, 2 or 4 (1)", false},
    {"layout", "texture_layout",
     "linear: 1d, fetched by number; pitch: rows where the buffer has them; array: "
     "copied to tiles of its own, and back at the end if it is a surface (linear of "
     "1d, pitch of 2d, else array)",
     false},
    {"pitch", "positive",
     "bytes from row to row in the buffer (those of a row); of layout pitch a "
     "multiple of 32",
     false},
    {"filter", "texture_filter", "point or linear (point)", false},
    {"address", "texture_address",
     "beyond the edges: wrap, clamp, mirror or border, or one each for x, y and z "
     "(clamp)",
     false},
    {"normalised", "boolean", "coordinates are 0 to 1 (false)", false},
    {"as_float", "boolean", "integers of 8 and 16 bits are read as 0 to 1, or -1 to 1",
     false},
    {"border", "texture_border", "the colour beyond the edges (zeros)", false},
    {"symbol", "text", "the .texref or .surfref of the module that is bound to it",
     false},
};

static const struct value_key repeat_keys[] = {
    {"repeat", "repeat", "how often, and the name of the number of the round", true},
    {"launches", "repeated_launches", "what is repeated", true},
};

static const struct value_key times_keys[] = {
    {"times", "positive", "how many rounds", true},
    {"var", "buffer_name", "0, 1 ... in expressions of the launches", false},
};

static const struct value_key run_keys[] = {
    {"kernel", "text", "its name in the PTX, or in the source if only one is called so",
     true},
    {"grid", "extent", "blocks, [x], [x, y] or [x, y, z]", true},
    {"block", "extent", "threads of a block, [x], [x, y] or [x, y, z]", true},
    {"args", "arguments", "one for each parameter, in their order", false},
    {"shared", "whole", "bytes of dynamic shared memory of a block", false},
    {"cache_config", "cache_config",
     "split of on-chip memory this kernel prefers, where the capability lets it",
     false},
    {"regs", "positive", "registers of a thread (estimated from the PTX, unless said)",
     false},
    {"stream", "whole",
     "launches of one stream run one after the other; those of two may overlap", false},
    {"begin_ps", "whole",
     "it begins no earlier, in picoseconds of modelled time; those behind it wait too",
     false},
    {"opt_in_shared", "boolean",
     "more than 48 KB of dynamic shared memory, from capability 7.0 on", false},
    {"carveout", "whole",
     "shared memory in percent of the most there can be, from capability 7.0 on",
     false},
    {"bank_mode", "bank_mode", "width of the banks in bytes for this kernel", false},
    {"functional", "boolean",
     "its results alone: in no modelled time, much faster, no counters of time", false},
    {"cooperative", "boolean",
     "all its blocks are on the device at once and may wait for each other", false},
    {"cluster", "extent",
     "blocks of a cluster, [x, y, z]; from capability 9.0 on (as the kernel says)",
     false},
};

static const struct value_key expect_keys[] = {
    {"buffer", "text", "the buffer looked at", false},
    {"symbol", "text", "or the variable of the module looked at", false},
    {"count", "count", "elements compared, from the first on (all, unless said)",
     false},
    {"equals", "equals", "what they must be", false},
    {"tolerance", "tolerance",
     "the largest difference of an element, or of the sum, that is let pass (0)",
     false},
    {"relative", "tolerance",
     "or a difference of so much of what is expected, 1e-5 (0)", false},
    {"ulp", "whole", "or so many numbers of the float type in between (0)", false},
    {"type", "type", "of a symbol's elements, if not the one the PTX declares", false},
    {"fnv1a", "hash", "64-bit FNV-1a hash of their bytes", false},
    {"sum", "number", "their sum, as a double", false},
};

static const struct value_key equals_keys[] = {
    {"fill", "number", "every element has this value", false},
    {"iota", "iota", "[START, STEP]: element i is START + i * STEP", false},
    {"file", "text", "a NumPy array or raw bytes; relative to the launch file", false},
    {"random", "random", "the numbers that init: {random: ...} makes", false},
    {"fnv1a", "hash", "64-bit FNV-1a hash of their bytes", false},
    {"sum", "number", "their sum, as a double", false},
};

static const struct value_key trace_keys[] = {
    {"format", "formats", "vcd, fst, vcd.gz, several with commas, or none", false},
    {"scope", "scope",
     "signals, by globs (gpu.sm0.*) and regular expressions in slashes over dotted "
     "paths",
     false},
    {"start", "point", "where the waveform begins (0: at the beginning)", false},
    {"stop", "point", "where it ends (0: at the end)", false},
    {"depth", "whole", "only so many levels of modules", false},
    {"ring", "cycles", "keep only so many cycles around the point on", false},
    {"on", "point", "what writes the ring (end)", false},
    {"after", "cycles", "so many cycles of the ring lie behind it (half)", false},
    {"timescale", "timescale", "a unit of time is a picosecond or an SM cycle (ps)",
     false},
};

#define MAP(name, what, doc, keys)                                                     \
    {                                                                                  \
        name, what, doc, keys, ARRAY_LEN(keys)                                         \
    }

const struct launch_map_keys launch_maps[LAUNCH_MAPS] = {
    [LAUNCH_FILE] =
        MAP("file", "a launch file",
            "What to run, on what data, and what must come out.", file_keys),
    [LAUNCH_BUFFER] =
        MAP("buffer", "a buffer", "An array in global memory.", buffer_keys),
    [LAUNCH_TEXTURE] = MAP("texture", "a texture",
                           "A texture or surface over a buffer.", texture_keys),
    [LAUNCH_RUN] = MAP("launch", "a launch", "One launch of a kernel.", run_keys),
    [LAUNCH_REPEAT] = MAP("repeated", "repeated launches",
                          "Launches several times over.", repeat_keys),
    [LAUNCH_TIMES] = MAP("repeat", "repeat", "How often.", times_keys),
    [LAUNCH_EXPECT] =
        MAP("expectation", "an expectation",
            "What a buffer or a variable must hold at the end.", expect_keys),
    [LAUNCH_EQUALS] =
        MAP("equals_map", "equals", "What the elements must be.", equals_keys),
    [LAUNCH_TRACE] =
        MAP("trace", "trace", "What of the run goes into a waveform.", trace_keys),
};

bool launch_check_map(const struct yaml *y, const struct yaml_node *n,
                      enum launch_map map, struct smw_err *e)
{
    const struct launch_map_keys *m = &launch_maps[map];

    return value_check_map(y, n, m->what, m->keys, m->n, e);
}
