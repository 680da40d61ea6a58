/*
 * smwave.h - the public interface of libsmwave: a modelled GPU to embed. It includes
 * smwave/err.h and smwave/counters.h, which stand beside it; C and C++ read them.
 *
 *   struct smw_config *c = smw_config_new();
 *   smw_config_preset(c, "gtx480", &e); smw_config_set(c, "gpu.sms", "1", &e);
 *   struct smw_device *d = smw_open(c, NULL, &e);
 *   struct smw_module *m = smw_load(d, text, size, "reverse.ptx", &e);
 *   smw_alloc(d, 256, &addr, &e); smw_write(d, addr, data, 256, &e);
 *   smw_launch(d, smw_kernel(m, "staticReverse", &e), &launch, &e);
 *   smw_synchronize(d, &e); smw_read(d, addr, data, 256, &e); smw_close(d);
 *
 * Launches are asynchronous: they are queued and run, in the order of their stream,
 * when the host steps or synchronises; so are copies that take modelled time, marks and
 * the rest of smw_queue_...(). smw_read(), smw_write() and smw_copy() synchronise first
 * and take no modelled time. Nothing is global: many devices may live in one
 * process, each used by one thread at a time.
 *
 * Functions that can fail return false or NULL and fill *e (first error wins), whose
 * code a program can act on; e may be NULL. An argument that must not be NULL and is
 * fails so; where nothing can fail, NULL does nothing and gives 0, false or NULL. After
 * a kernel fault the device keeps its memory readable but refuses further launches, and
 * what settles first fails with the fault's code.
 *
 * Versions are MAJOR.MINOR.PATCH. SMW_VERSION_* is what a program was compiled with,
 * smw_version() what it runs with. While MAJOR is 0, a new MINOR may change the
 * interface; from 1 on only a new MAJOR does. A new PATCH neither changes the interface
 * nor what the model counts. The shared library is libsmwave.so.SMW_ABI: the number
 * goes up, and never down, with every release that a program must be compiled anew for,
 * one that adds a counter among them, since it makes struct smw_counters longer.
 */
#ifndef SMWAVE_H
#define SMWAVE_H

#include "smwave/counters.h"
#include "smwave/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The shared library shows what stands from here on, and nothing else. */
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* The release of this header; CMake reads it here too. */
#define SMW_VERSION_MAJOR 0
#define SMW_VERSION_MINOR 2
#define SMW_VERSION_PATCH 0
/* The number in libsmwave.so.N, see above. */
#define SMW_ABI 1

struct smw_config;
struct smw_device;
struct smw_module; /* a loaded PTX text; lives until smw_unload() or smw_close() */
struct smw_kernel;

/* The release of the library that is linked: "0.2.0". */
const char *smw_version(void);

/* ---- configuration ---- */

struct smw_config *smw_config_new(void); /* every key at its default; name "default" */
struct smw_config *smw_config_copy(const struct smw_config *c);
void smw_config_free(struct smw_config *c);
/* Built-in presets, in order; NULL past the last. */
const char *smw_preset_name(uint32_t i);
const char *smw_preset_doc(uint32_t i);
/* Reset to defaults and apply the preset and those it extends; also its name. */
bool smw_config_preset(struct smw_config *c, const char *preset, struct smw_err *e);
bool smw_config_set(struct smw_config *c, const char *key, const char *value,
                    struct smw_err *e);
/* Rules across keys (the split the capability lacks ...). smw_open() checks too. */
bool smw_config_check(const struct smw_config *c, struct smw_err *e);
bool smw_config_show(const struct smw_config *c, const char *key, char *buf,
                     size_t size);
void smw_config_rename(struct smw_config *c, const char *name);
const char *smw_config_name(const struct smw_config *c);
uint64_t smw_config_digest(const struct smw_config *c);

struct smw_key { /* texts are valid during the call */
    const char *key, *type, *unit, *range, *def, *doc;
    const char *rule; /* of SPEC.md, which says what it does: "BANK-1" */
    bool display;     /* changes no result, only what is printed about the device */
};
void smw_config_each(void (*fn)(void *ctx, const struct smw_key *k), void *ctx);

/* ---- device ---- */

/* Each has what those before it have. FULL: shared memory, and reads of what nobody
 * wrote; GLOBAL: races between blocks in global memory. */
enum smw_check { SMW_CHECK_NONE, SMW_CHECK_FAST, SMW_CHECK_FULL, SMW_CHECK_GLOBAL };

/* Helpers of whoever steps a device: run() calls job(arg, i) once for each i < n,
 * several at a time in different threads, and returns when all have returned. */
struct smw_team {
    void (*run)(void *ctx, void (*job)(void *arg, uint32_t i), void *arg);
    void *ctx;
    uint32_t n;
};

struct smw_options {
    uint64_t shuffle;    /* seed that randomises process order; 0: off */
    uint64_t max_cycles; /* SM cycles per device life after which a run ends; 0: none */
    enum smw_check check; /* which checks of the kernel run */
    /* Whoever calls smw_step() does nothing else to the device before it is done: a run
     * ends in which nothing can change any more (SPEC HANG-1). What waits without steps
     * (smw_synchronize() ...) does so in any case. */
    bool patient;
    /* Count why warps do not issue: stall.*, which are 0 else. It costs 10 to 40 % more
     * instructions of the host, and changes nothing else. */
    bool stalls;
    /* Compute SMs in several threads. The results are the same; only what other SMs did
     * until a fault was heard of is some cycles more. Nothing can be observed on the
     * way (no probes, no hooks but the device's own). Without effect if NULL or n < 2,
     * with a shuffle, with the check full, and on one SM. Lives as long as the
     * device. */
    const struct smw_team *team;
    /* SMs that nothing can reach are computed ahead of the others, which changes
     * nothing but that some may have done up to 1000 cycles more when another one is
     * at fault. Set: they are not, which is slower. */
    bool in_step;
    /* The waveform shows transfers, in the scope gpu.host. What smw_queue_copy() does
     * is the same without. */
    bool host;
    void (*panic)(void *ctx, const char *text); /* a broken contract; NULL: stderr */
    void *panic_ctx;
    /* The first address of device memory: 0 for the default, 0x10000000, else a
     * multiple of 64 KiB from there on. The device's own memory and the host's pages
     * that it uses lie between there and SMW_ADDRESS_SPAN bytes further, which must be
     * inside the 47 bits of a process on Linux. Without effect on cycles and counters.
     */
    uint64_t address_base;
};

/* Bytes of addresses that each device takes. */
#define SMW_ADDRESS_SPAN (1ull << 40)
/* Bytes that malloc() of kernels has in each module, at first, at least and at most */
#define SMW_HEAP     (8ull << 20)
#define SMW_MIN_HEAP (1ull << 10)
#define SMW_MAX_HEAP (2ull << 30)

/* opt NULL: all zero. The configuration is copied. */
struct smw_device *smw_open(const struct smw_config *c, const struct smw_options *opt,
                            struct smw_err *e);
void smw_close(struct smw_device *d);

/* What a device-query program prints; by the capability's limits, where a device has
 * what its capability allows. */
struct smw_device_facts {
    char name[64]; /* "GeForce GTX 480"; of no preset: the configuration's name */
    uint32_t cc_major, cc_minor; /* compute capability */
    uint32_t sms, warp_size;
    uint32_t max_threads_per_block, max_threads_per_sm, max_blocks_per_sm;
    uint32_t max_block[3];
    uint64_t max_grid[3];
    uint32_t regs_per_thread, regs_per_block, regs_per_sm; /* of 32 bits */
    uint32_t shared_per_block, shared_per_block_optin;     /* bytes */
    uint32_t shared_per_sm;             /* bytes, with the largest split */
    uint32_t reserved_shared_per_block; /* bytes of it that the system takes */
    uint32_t shared_banks, shared_bank_bytes;
    uint32_t concurrent_kernels;
    uint64_t const_bytes, local_bytes_per_thread, param_bytes;
    uint64_t memory_bytes, l2_bytes;     /* l2_bytes 0: no cache for data */
    uint32_t bus_bits, memory_data_rate; /* transfers per clock */
    uint64_t sm_hz, memory_hz;           /* clocks */
    uint64_t memory_bytes_per_s;         /* smw_dram_peak() */
};
/* d NULL: all zero. */
void smw_device_facts(const struct smw_device *d, struct smw_device_facts *f);
/* The same of a device that is not open. False: no device can be so. */
bool smw_config_facts(const struct smw_config *c, struct smw_device_facts *f,
                      struct smw_err *e);

/* ---- memory ---- */

bool smw_alloc(struct smw_device *d, uint64_t bytes, uint64_t *addr, struct smw_err *e);
/* addr as smw_alloc() or smw_alloc_host() gave it. Settles first: what is queued runs
 * to its end before. The room is used again, lowest addresses first, and is zero then;
 * with SMW_CHECK_FULL addresses are not used again while there are others. A kernel
 * that goes on using a freed address is at fault ("use-after-free"). */
bool smw_free(struct smw_device *d, uint64_t addr, struct smw_err *e);
/* Memory whose bytes are the host's: kernels and the functions below read and write
 * them where they are, nothing is copied and no room of the device is taken.
 * place(ctx, at, size) is told the device address, a multiple of 64 KiB, and gives
 * back size bytes, which is bytes rounded up to whole 64 KiB; NULL: it cannot. If it
 * maps host memory at that very address, one pointer serves both. Those bytes stay
 * until after smw_free(). The host may touch them whenever nothing runs. Kernels reach
 * them as they reach device memory, also in time. */
bool smw_alloc_host(struct smw_device *d, uint64_t bytes,
                    void *(*place)(void *ctx, uint64_t addr, uint64_t bytes), void *ctx,
                    uint64_t *addr, struct smw_err *e);
struct smw_allocation {
    uint64_t addr, bytes; /* as asked for */
    void *host;           /* its bytes, of smw_alloc_host(); NULL: the device's */
    const char *name;     /* smw_name(), or the variable's; "": none */
};
/* The allocation or .global variable of this device that holds addr; false: none does.
 * out may be NULL. */
bool smw_find(const struct smw_device *d, uint64_t addr, struct smw_allocation *out);
/* Bytes of device memory: free, perhaps in pieces, and all. Each may be NULL. */
void smw_memory_info(const struct smw_device *d, uint64_t *free_bytes, uint64_t *total);
/* Kernels of d, and reads, writes and copies asked of d, may use the allocations of
 * peer too; on false: no more. The devices need an options.address_base of their own,
 * at least SMW_ADDRESS_SPAN apart. d settles first, peer does not: what it still does
 * is in no order with d. smw_free() and smw_close() of peer settle d too. While it is
 * on, one thread at a time may use both. Time is as if the memory were the device's
 * own. */
bool smw_peer(struct smw_device *d, struct smw_device *peer, bool on,
              struct smw_err *e);
/* The same for what peer has from smw_alloc_host() only: host memory that all devices
 * use. The last call says which of the two holds. */
bool smw_peer_host(struct smw_device *d, struct smw_device *peer, bool on,
                   struct smw_err *e);
/* What faults call the allocation at addr; name is borrowed until smw_close(). */
void smw_name(struct smw_device *d, uint64_t addr, const char *name);
bool smw_write(struct smw_device *d, uint64_t addr, const void *src, uint64_t n,
               struct smw_err *e);
bool smw_read(struct smw_device *d, uint64_t addr, void *dst, uint64_t n,
              struct smw_err *e);
bool smw_copy(struct smw_device *d, uint64_t dst, uint64_t src, uint64_t n,
              struct smw_err *e);

/* ---- textures and surfaces ---- */

enum smw_shape {
    SMW_1D = 1,
    SMW_2D,
    SMW_3D,
    SMW_1D_LAYERED,
    SMW_2D_LAYERED,
    SMW_CUBE,        /* width and height are equal, depth is 6 */
    SMW_CUBE_LAYERED /* depth is 6 for each layer */
};

enum smw_layout {
    SMW_LINEAR, /* SMW_1D only: fetched by number, never filtered */
    SMW_PITCH,  /* rows, pitch bytes apart; layers one after the other */
    SMW_ARRAY   /* in tiles: memory of smw_array() only */
};

enum smw_channel { SMW_UNSIGNED, SMW_SIGNED, SMW_FLOAT };

/* Beyond the edges: begin again, the nearest texel, the picture turned round, the
 * border's colour. The first and the third need normalised coordinates, and are the
 * second without. */
enum smw_beyond { SMW_WRAP, SMW_CLAMP, SMW_MIRROR, SMW_BORDER };

struct smw_texture {
    enum smw_shape shape;
    enum smw_layout layout;
    uint64_t addr;          /* of the first texel; a multiple of 16 */
    uint32_t width;         /* texels, at least 1 */
    uint32_t height, depth; /* rows; slices, layers or faces; 0 is 1 */
    uint64_t pitch;         /* SMW_PITCH: bytes, 0: rows in steps of 32 bytes */
    enum smw_channel kind;
    uint32_t bits, channels; /* of a channel: 8, 16 or 32; 1, 2 or 4 of them */
    bool surface;    /* for surface instructions; what follows is for textures */
    bool linear;     /* filtered; needs floats, or as_float */
    bool normalised; /* coordinates are 0 to 1 */
    bool as_float;   /* integers of 8 and 16 bits become 0 to 1, or -1 to 1 */
    enum smw_beyond beyond[3]; /* along x, y and z */
    float border[4];
};

/* Make a texture or surface of what lies at t->addr; *object is what kernels are given,
 * as a .u64, or what is written into a .texref or .surfref (smw_write_symbol()). It
 * must be inside one allocation, which must not be freed before a kernel that uses it
 * ends.
 */
bool smw_texture_new(struct smw_device *d, const struct smw_texture *t,
                     uint64_t *object, struct smw_err *e);
/* Settles first. A kernel that uses it later is at fault ("invalid-texture"). */
bool smw_texture_free(struct smw_device *d, uint64_t object, struct smw_err *e);
/* Memory for an array of t's shape, size and channels, whose texels lie in tiles so
 * that those near each other in two dimensions are near in memory (SPEC TEX-4). *addr
 * is what smw_free() takes. smw_read(), smw_write(), smw_copy() and smw_queue_copy()
 * see rows of texels there, *pitch bytes apart, layer after layer; kernels reach it by
 * textures and surfaces of SMW_ARRAY alone. */
bool smw_array(struct smw_device *d, const struct smw_texture *t, uint64_t *addr,
               uint64_t *pitch, struct smw_err *e);

/* ---- code ---- */

/* Parse, place the module's variables, lower. name appears in messages. A kernel that
 * is wrong inside its braces or uses what is not supported, itself or in a function it
 * calls, is refused by smw_launch(), not here. */
struct smw_module *smw_load(struct smw_device *d, const char *text, size_t size,
                            const char *name, struct smw_err *e);
/* Several texts as one module, as code compiled apart with -rdc=true is linked (SPEC
 * PTX-6): what one declares .extern another defines .visible or .weak; a name without
 * such a word is its text's alone. Refused with both places: a name defined twice, or
 * declared in different ways; with its place: a variable that no text defines. Lines of
 * faults and of smw_inst() are those of the text they name. n: at least 1. */
struct smw_text {
    const char *text; /* size bytes; may go after the call */
    size_t size;
    const char *name; /* for messages */
};
struct smw_module *smw_load_linked(struct smw_device *d, const struct smw_text *t,
                                   uint32_t n, struct smw_err *e);

/* A tensor in device memory and a box of it, for tensor maps of capability 9.0 (SPEC
 * TENSOR-1): what cuTensorMapEncodeTiled() takes, in its numbers. stride[i]: bytes of
 * dimension i + 1. */
struct smw_tensor {
    unsigned type, rank, interleave, swizzle, promotion, fill;
    uint64_t address, dim[5], stride[4];
    unsigned box[5], step[5];
};
/* The 128 bytes of the map; false: a driver refuses it, e says why. */
bool smw_tensor_map(const struct smw_tensor *t, void *map, struct smw_err *e);
/* The map becomes one of a tensor at another address. */
bool smw_tensor_move(void *map, uint64_t address, struct smw_err *e);

/* Bytes of the heap from which malloc() of kernels takes, of modules that are loaded
 * from now on: SMW_MIN_HEAP to SMW_MAX_HEAP (SPEC PTX-8). */
bool smw_device_heap(struct smw_device *d, uint64_t bytes, struct smw_err *e);
bool smw_symbol_size(const struct smw_module *m, const char *symbol, uint64_t *size,
                     struct smw_err *e);
/* The type the PTX gives its elements, "f32", "b8"; NULL if there is no such
 * variable. */
const char *smw_symbol_type(const struct smw_module *m, const char *symbol);
/* n bytes at offset of a .global or .const variable. */
bool smw_write_symbol(struct smw_module *m, const char *symbol, uint64_t offset,
                      const void *src, uint64_t n, struct smw_err *e);
bool smw_read_symbol(struct smw_module *m, const char *symbol, uint64_t offset,
                     void *dst, uint64_t n, struct smw_err *e);

/* Where a variable is, for kernels and for smw_read() and its like, and how long; addr
 * and bytes may each be NULL. Constants have such an address too: kernels that write
 * there break the promise that they are constant. */
bool smw_symbol_address(const struct smw_module *m, const char *symbol, uint64_t *addr,
                        uint64_t *bytes, struct smw_err *e);
/* The .global and .const variables: how many, and the name of number i. */
uint32_t smw_symbols(const struct smw_module *m);
bool smw_symbol_at(const struct smw_module *m, uint32_t i, const char **name);
/* Settles first; what is stopped half way stays loaded. Its variables are freed and its
 * kernels can no longer be launched. What results say of its launches stays valid, so
 * memory of the host is given back only if there were none. */
void smw_unload(struct smw_module *m);

uint32_t smw_kernels(const struct smw_module *m); /* how many */
const struct smw_kernel *smw_kernel_at(const struct smw_module *m, uint32_t i);
/* By PTX name, or by unmangled base name if only one kernel has it. */
const struct smw_kernel *smw_kernel(struct smw_module *m, const char *name,
                                    struct smw_err *e);
const char *smw_kernel_name(const struct smw_kernel *k);
/* False: no launch of it can be, *e says what is wrong and where. */
bool smw_can_run(const struct smw_kernel *k, struct smw_err *e);
uint32_t smw_kernel_params(const struct smw_kernel *k);
struct smw_param {
    const char *name;
    const char *type;             /* "u64", "f32"; "b8" with size for aggregates */
    uint32_t size, align, offset; /* bytes; offset in the parameter block */
};
/* Of a pointer: 4 or 8, what the module's .address_size says. */
uint32_t smw_kernel_address_bytes(const struct smw_kernel *k);
bool smw_kernel_param(const struct smw_kernel *k, uint32_t i, struct smw_param *p);

/* ---- launches ---- */

enum smw_cache_config {
    SMW_CACHE_NONE,
    SMW_CACHE_SHARED,
    SMW_CACHE_L1,
    SMW_CACHE_EQUAL
};

struct smw_launch {
    uint32_t grid[3], block[3];
    uint64_t shared;      /* dynamic bytes */
    const void *params;   /* the parameter block, laid out by smw_kernel_param() */
    uint32_t param_bytes; /* must equal the kernel's */
    enum smw_cache_config cache_config;
    bool opt_in_shared; /* more than 48 KB dynamic */
    bool has_carveout;
    uint32_t carveout;  /* shared memory, percent of the maximum; from 7.0 on */
    uint32_t bank_mode; /* 0: the device's; 4 or 8 bytes */
    uint32_t regs;      /* per thread; 0: estimated from the PTX */
    uint32_t stream;
    /* Its results alone (SPEC FUNC-1): it begins when no other launch runs, takes no
     * modelled time and is much faster on the host. Memory, printf and faults are as
     * ever; counters are 0 but those of blocks, warps and instructions. Races are not
     * looked for in it. */
    bool functional;
    /* It waits for this modelled time, as if the host had launched it then; 0: it does
     * not. Launches queued behind it, of whatever stream, wait too. */
    uint64_t begin_ps;
    /* All its blocks are on the device at once, so that they may wait for each other
     * (SPEC LAUNCH-6); refused with SMW_CODE_COOPERATIVE_TOO_LARGE if they do not fit.
     */
    bool cooperative;
    /* Blocks of a cluster along x, y and z (SPEC CLUSTER-1), from 9.0 on; all 0: as the
     * kernel says, else the launch has none. Each divides the grid's. Refused with
     * SMW_CODE_INVALID_CLUSTER. */
    uint32_t cluster[3];
};

/* Preferences for kernels that have none. */
bool smw_device_cache_config(struct smw_device *d, enum smw_cache_config c,
                             struct smw_err *e);
bool smw_device_bank_mode(struct smw_device *d, uint32_t bytes, struct smw_err *e);

struct smw_kernel_facts {
    uint32_t regs;             /* per thread, estimated from the PTX */
    uint32_t max_threads;      /* of a block, by the device, registers and directives */
    uint64_t static_shared;    /* bytes per block */
    uint64_t local_per_thread; /* bytes */
    uint64_t const_bytes;      /* of its module */
    uint64_t param_bytes;
    uint32_t max_dynamic_shared; /* bytes, without opt_in_shared */
    uint32_t ptx_version;        /* of its module: 70 is 7.0 */
    uint32_t target;             /* 75 of sm_75 */
    uint32_t cluster[3];   /* blocks of its clusters along x, y and z; 0: not said */
    bool explicit_cluster; /* it is launched in clusters only */
    uint32_t max_cluster;  /* blocks of a cluster at most; 0: not said */
};
/* k NULL: all zero. */
void smw_kernel_facts(const struct smw_kernel *k, struct smw_kernel_facts *f);
/* Blocks of such a launch that one SM holds at once, at the split of the on-chip memory
 * that it would get now. False: there can be no such launch. params is not looked at.
 */
bool smw_occupancy(const struct smw_kernel *k, const struct smw_launch *l,
                   uint32_t *blocks, struct smw_err *e);

/* How many of its clusters the idle device holds at once; as smw_occupancy(). */
bool smw_active_clusters(const struct smw_kernel *k, const struct smw_launch *l,
                         uint32_t *clusters, struct smw_err *e);

/* Check against the device's limits and queue. Parameters are copied. */
bool smw_launch(struct smw_device *d, const struct smw_kernel *k,
                const struct smw_launch *l, struct smw_err *e);

/* ---- streams: what else the host queues ----
 *
 * A stream is a number, and exists by being used. What is queued in one, launches among
 * it, happens in the order of queueing, each when the one before it has ended;
 * different streams go on side by side. All smw_queue_...() return at once. Things
 * happen when the host steps or synchronises, and take modelled time: transfers as the
 * configuration's host.link and host.device say (SPEC LINK-1 to LINK-3), calls, marks
 * and waits none. What the host does between two calls takes no modelled time.
 *
 * They return false, and nothing is queued, if an argument is wrong or a kernel has
 * been at fault. Then what is still queued never happens. */

enum smw_direction {
    SMW_UP,        /* from the host to the device */
    SMW_DOWN,      /* from the device to the host */
    SMW_ON_DEVICE, /* inside the device; rows must not overlap with other rows */
    SMW_TO_PEER,   /* src is of the device, dst of another one, the peer */
    SMW_FROM_PEER  /* src is of the peer */
};

struct smw_transfer {
    uint32_t stream;
    enum smw_direction direction;
    uint64_t dst, src;             /* a device address, or a pointer of the host */
    uint64_t width;                /* bytes of a row; 0: nothing is copied */
    uint64_t height;               /* rows; 1: linear; 0: nothing is copied */
    uint64_t dst_pitch, src_pitch; /* bytes from row to row, if there are several */
    uint64_t depth;                /* layers of such rows; 0 is 1 */
    uint64_t dst_layer, src_layer; /* bytes from layer to layer, if there are several */
    bool pinned; /* the host's memory is page-locked; else the copy is slower */
    struct smw_device *peer; /* open until the copy has ended; no other thread uses it
                                then, and what is queued there has no order with this */
};

/* Queue a copy. The device's side must lie inside one buffer. All bytes are read and
 * written when the copy's time is over, inside smw_step() or whatever synchronises:
 * until then the host leaves both sides alone. */
bool smw_queue_copy(struct smw_device *d, const struct smw_transfer *t,
                    struct smw_err *e);
/* Queue a fill: height rows of width bytes, pitch apart, get copies of the lowest
 * value_bytes (1, 2 or 4) of value. addr, width and pitch are multiples of those. */
bool smw_queue_fill(struct smw_device *d, uint32_t stream, uint64_t addr,
                    uint32_t value, uint32_t value_bytes, uint64_t width,
                    uint64_t height, uint64_t pitch, struct smw_err *e);
/* Queue a call of fn(arg), in the thread that steps. It must not call the device. */
bool smw_queue_call(struct smw_device *d, uint32_t stream, void (*fn)(void *arg),
                    void *arg, struct smw_err *e);
/* Queue a mark: a number above 0 that is reached when all that was queued before it in
 * the stream has ended. 0: an error. */
uint64_t smw_queue_mark(struct smw_device *d, uint32_t stream, struct smw_err *e);
/* What is queued in the stream from now on waits until the mark, of whatever stream of
 * d, is reached. A mark is queued before all that waits for it, so that no circle of
 * waiting can be. */
bool smw_queue_wait(struct smw_device *d, uint32_t stream, uint64_t mark,
                    struct smw_err *e);

/* What the host calls, for its clock (SPEC HOST-1). A host that never says so takes no
 * time. From the first such call on each costs what the configuration's host.call says,
 * and what is queued after it begins no earlier than host.submit after it: smw_queue_
 * functions and smw_launch() cost nothing themselves. */
enum smw_host_call {
    SMW_HOST_MODULE, /* more for the first launch of a module */
    SMW_HOST_FIRST,  /* more for the first launch of a kernel */
    SMW_HOST_LAUNCH,
    SMW_HOST_GRAPH, /* a graph; what is queued up to the next other call belongs to it
                     */
    SMW_HOST_NODE,  /* one more of its nodes */
    SMW_HOST_COPY,
    SMW_HOST_INSIDE, /* a copy inside the device */
    SMW_HOST_FILL,   /* of few bytes; one of more is a launch to the host */
    SMW_HOST_RECORD,
    SMW_HOST_WAIT, /* of a stream, for a mark */
    SMW_HOST_SYNC  /* said after a synchronisation, whether there was something to wait
                      for or not */
};
void smw_host_call(struct smw_device *d, enum smw_host_call what);

/* Has the mark been reached? If so *ps, unless ps is NULL, is the modelled time when it
 * was. */
bool smw_mark_reached(const struct smw_device *d, uint64_t mark, uint64_t *ps);
/* All that was queued in the stream has ended; true of a stream never used. */
bool smw_stream_idle(const struct smw_device *d, uint32_t stream);
/* Run until the stream is idle, or the mark is reached. Other streams get on meanwhile,
 * and may be in the middle of something afterwards. */
bool smw_synchronize_stream(struct smw_device *d, uint32_t stream, struct smw_err *e);
bool smw_synchronize_mark(struct smw_device *d, uint64_t mark, struct smw_err *e);
/* Modelled time since the device was opened, picoseconds. */
uint64_t smw_now_ps(const struct smw_device *d);

struct smw_transferred { /* copy or fill i, in the order of queueing */
    uint32_t stream;
    enum smw_direction direction; /* of a fill: SMW_ON_DEVICE */
    bool fill, pinned;
    uint64_t bytes, dst, src;
    bool started, finished;
    uint64_t start_ps, end_ps; /* if so */
};
uint32_t smw_transfers(const struct smw_device *d);
/* False: there is no such transfer. */
bool smw_transferred(const struct smw_device *d, uint32_t i, struct smw_transferred *r);

enum smw_status {
    SMW_DONE,     /* everything queued has ended */
    SMW_RUNNING,  /* the slice ended */
    SMW_STOPPED,  /* smw_stop() */
    SMW_FAULT,    /* the kernel is at fault: smw_fault() */
    SMW_DEADLOCK, /* live warps and nothing left to happen: smw_fault() */
    SMW_LIMIT     /* max_cycles or the end of time */
};

/* Simulate up to max_instants instants (0: to the end). */
enum smw_status smw_step(struct smw_device *d, uint64_t max_instants);
/* Run to the end; anything but SMW_DONE is an error. */
bool smw_synchronize(struct smw_device *d, struct smw_err *e);
/* Async-signal-safe: end smw_step() after the current instant. */
void smw_stop(struct smw_device *d);

/* Calls that the compiler inlined, from the inner one on: where each stands. */
enum { SMW_MAX_INLINED = 8 }; /* of more the inner ones */
struct smw_inlined {
    uint32_t n;
    struct {
        const char *file;
        uint32_t line;
    } at[SMW_MAX_INLINED];
};

/* ", inlined at main.cu:40", and so on; "" if there is none. Files without their
 * folders. */
void smw_inlined_text(const struct smw_inlined *i, char *buf, size_t size);

struct smw_fault {
    enum smw_err_kind
        kind; /* SMW_ERR_NONE: none; SMW_ERR_KERNEL, SMW_ERR_DEADLOCK, SMW_ERR_LIMIT */
    char message[512]; /* "shared store of 4 bytes at 0x1000: ... of 256 bytes" */
    char detail[2048]; /* further lines: who waits where for whom; "" */
    const char *kernel;
    uint32_t block[3], thread[3];
    char inst[128];       /* the PTX instruction */
    const char *ptx_file; /* and its place */
    uint32_t ptx_line;
    const char *file; /* of the source, NULL without .loc */
    uint32_t line;
    struct smw_inlined inlined;
    uint64_t cycle;
    const char *rule;  /* of SMW_ERR_KERNEL: "out-of-bounds", "divergent-barrier" ... */
    const char *space; /* "shared", "global" ...; NULL: it is not about memory */
    uint64_t addr;     /* in the space */
    char array[96];    /* the array or buffer addr belongs to or is nearest to; "" */
    int64_t offset;    /* of addr, bytes from the begin of array */
    uint32_t pc;       /* micro-op, see smw_inst() */
    enum smw_code code;
};
/* Lines to where, ended by '\n': what live warps do now, hottest places first. */
void smw_where(struct smw_device *d, char *where, size_t size);
const struct smw_fault *smw_fault(const struct smw_device *d);

/* ---- results ---- */

struct smw_result { /* of launch i, in the order of smw_launch() */
    const char *kernel;
    uint32_t grid[3], block[3];
    bool started, finished;
    bool functional;              /* without time: see struct smw_launch */
    struct smw_counters counters; /* complete once finished; so far otherwise */
    const char *limiter;          /* of the occupancy: "blocks", "warps", "registers",
                                      "shared memory" */
    uint32_t warps_per_sm, max_warps; /* resident by occupancy; the SM's limit */
    uint32_t regs;                    /* per thread */
    uint32_t shared_bytes;            /* per block, static and dynamic */
    uint32_t split_shared_kb, split_l1_kb;
    uint64_t start_ps, end_ps;
    const char *output;    /* of the kernel's printf, in block and thread order; "" */
    uint64_t output_bytes; /* of it: %c may have printed zeros */
    uint64_t output_lost;  /* calls of printf beyond the first 262,144 of the launch */
};
uint32_t smw_results(const struct smw_device *d);
/* Launches so far, which have ended, are told of no more: results, findings and
 * progress begin with the next one, which is 0. What they left in memory and caches
 * stays. */
void smw_forget_results(struct smw_device *d);
bool smw_result(const struct smw_device *d, uint32_t i, struct smw_result *r);

struct smw_progress {
    uint64_t cycles;                    /* of the SM clock, now */
    uint64_t warp_insts, thread_insts;  /* so far, over all launches */
    uint64_t blocks_done, blocks_total; /* over all launches queued */
    uint64_t activations; /* processes run by the engine; with a team, others */
};
void smw_progress(const struct smw_device *d, struct smw_progress *p);
uint64_t smw_sm_hz(const struct smw_device *d); /* shader clock */
/* Bytes per second that all data buses of the DRAM can move. */
uint64_t smw_dram_peak(const struct smw_device *d);
/* The same that all slices of the L2 can serve; 0: it caches nothing. */
uint64_t smw_l2_peak(const struct smw_device *d);

/* Transactions still alive; 0 after a clean run. */
uint64_t smw_live_transactions(const struct smw_device *d);

struct smw_inst {         /* a micro-op of a module, or of the one a launch runs */
    char text[128];       /* as a person would write it */
    const char *ptx_file; /* and its place */
    uint32_t ptx_line;
    const char *file; /* of the source, NULL without .loc */
    uint32_t line;
    struct smw_inlined inlined;
    const char *function; /* the kernel, or the function it calls, by its PTX name */
    uint32_t offset;      /* in it, in micro-ops */
};
/* False: there is no such launch or micro-op. */
bool smw_module_inst(const struct smw_module *m, uint32_t pc, struct smw_inst *out);
bool smw_inst(const struct smw_device *d, uint32_t launch, uint32_t pc,
              struct smw_inst *out);

/* ---- what the checks found: SMW_CHECK_FULL and SMW_CHECK_GLOBAL ---- */

enum smw_finding_kind {
    SMW_RACE,         /* two accesses to a byte that nothing orders */
    SMW_UNINITIALISED /* a read of what nobody has written */
};

struct smw_party { /* one of the two accesses */
    uint32_t block[3], thread[3];
    bool write, atomic, is_volatile;
    bool copying;   /* by an asynchronous copy that was not waited for */
    uint64_t cycle; /* of the SM clock, at issue */
    uint32_t pc;
    struct smw_inst at;
};

struct smw_finding { /* of two instructions, or of one that reads too early */
    enum smw_finding_kind kind;
    /* Between warps or blocks, or two writes; else, inside one warp, a warning. */
    bool error;
    uint32_t launch; /* of the example, as are all that follow but the counts */
    const char *kernel;
    uint32_t block[3];      /* of the second access */
    const char *space;      /* "shared", "global" or "local" */
    uint64_t addr;          /* of the byte in it; shared: in the memory of the block */
    uint32_t bytes;         /* of an element accessed */
    char array[64];         /* the variable or the buffer, "": none is there */
    uint64_t offset;        /* of the byte in it */
    uint64_t index;         /* the same in such elements */
    uint64_t count;         /* bytes, one hazard each */
    uint64_t raw, war, waw; /* of count: reads after writes, writes after reads ... */
    uint64_t in_warp;       /* of count: inside one warp */
    struct smw_party first, second; /* in time; of a read too early, twice that read */
    char message[400];              /* a sentence */
    char missing[768];              /* what would order them, and where; "" */
};

/* How many there are so far; errors come first. The order and the examples are the same
 * in every run. */
uint32_t smw_findings(struct smw_device *d);
/* Finding i of those that smw_findings() counted last, or, if they were fewer, of all
 * so far; false: there are not so many. */
bool smw_finding(struct smw_device *d, uint32_t i, struct smw_finding *out);
/* Launches whose races in global memory were not looked for to the end: SPEC CHECK-5
 * says how much is kept. */
uint64_t smw_findings_lost(const struct smw_device *d);
/* Writes that could race with a read which is no longer kept: SPEC CHECK-1 says how
 * many are. Such a race is not among the findings. */
uint64_t smw_findings_doubtful(const struct smw_device *d);

/* ---- device facts and PTX, for the program's commands ---- */

/* Lines of "smwave ptx list". */
void smw_ptx_list(void (*line)(void *ctx, const char *text), void *ctx);
/* Of each kernel of a text: its name before and after mangling, parameters with their
 * offsets, registers, shared and local memory, what it uses, the first capability. */
bool smw_ptx_kernels(const char *text, size_t size, const char *name,
                     void (*line)(void *ctx, const char *text), void *ctx,
                     struct smw_err *e);
/* Parse and lower only; calls report(ctx, e) for each thing that refuses a kernel or
 * the whole module. True: there is none. */
bool smw_ptx_check(const char *text, size_t size, const char *name,
                   void (*report)(void *ctx, const struct smw_err *e), void *ctx);
/* What is written of a kernel, and of what it calls, beside what runs, a line for each
 * row. kernel NULL: of all kernels. False: there is no such kernel. */
bool smw_show_order(const struct smw_module *m, const char *kernel,
                    void (*line)(void *ctx, const char *text), void *ctx,
                    struct smw_err *e);
/* Micro-ops of a loaded module, one line each. */
void smw_disasm(const struct smw_module *m, void (*line)(void *ctx, const char *text),
                void *ctx);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif /* SMWAVE_H */
