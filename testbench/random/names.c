#include "names.h"

#include <string.h>

static const char *const ops[N_OPS] = {
    "abs",       "activemask", "add",          "addc",      "and",       "atom",
    "bar",       "barrier",    "bfe",          "bfi",       "bfind",     "bmsk",
    "bra",       "brev",       "brx",          "call",      "clz",       "cnot",
    "copysign",  "cp",         "createpolicy", "cvt",       "cvta",      "div",
    "dp2a",      "dp4a",       "elect",        "exit",      "fence",     "fma",
    "fns",       "getctarank", "isspacep",     "ld",        "ldmatrix",  "ldu",
    "lop3",      "mad",        "mad24",        "madc",      "mapa",      "match",
    "max",       "mbarrier",   "membar",       "min",       "mma",       "mov",
    "movmatrix", "mul",        "mul24",        "nanosleep", "neg",       "not",
    "or",        "pmevent",    "popc",         "prefetch",  "prefetchu", "prmt",
    "rcp",       "red",        "redux",        "rem",       "ret",       "sad",
    "selp",      "set",        "setp",         "shf",       "shfl",      "shl",
    "shr",       "slct",       "sqrt",         "st",        "stmatrix",  "sub",
    "subc",      "suld",       "suq",          "sured",     "sust",      "szext",
    "testp",     "tex",        "tld4",         "txq",       "vabsdiff",  "vabsdiff2",
    "vabsdiff4", "vadd",       "vadd2",        "vadd4",     "vavrg2",    "vavrg4",
    "vmad",      "vmax",       "vmax2",        "vmax4",     "vmin",      "vmin2",
    "vmin4",     "vote",       "vset",         "vset2",     "vset4",     "vshl",
    "vshr",      "vsub",       "vsub2",        "vsub4",     "xor"};

static const char *const mods[N_MODS] = {"1d",
                                         "2d",
                                         "3d",
                                         "4d",
                                         "5d",
                                         "NaN",
                                         "a",
                                         "a1d",
                                         "a2d",
                                         "abs",
                                         "acq_rel",
                                         "acquire",
                                         "acube",
                                         "add",
                                         "addr_mode_0",
                                         "aligned",
                                         "all",
                                         "and",
                                         "any",
                                         "array_size",
                                         "arrive",
                                         "arrive_drop",
                                         "async",
                                         "b",
                                         "b4e",
                                         "ballot",
                                         "bfly",
                                         "bulk",
                                         "bulk_group",
                                         "ca",
                                         "cas",
                                         "cc",
                                         "cg",
                                         "channel_data_type",
                                         "channel_order",
                                         "clamp",
                                         "cluster",
                                         "col",
                                         "commit_group",
                                         "complete_tx",
                                         "const",
                                         "cs",
                                         "cta",
                                         "cube",
                                         "cv",
                                         "cvt",
                                         "dec",
                                         "depth",
                                         "down",
                                         "ecl",
                                         "ecr",
                                         "eq",
                                         "equ",
                                         "exch",
                                         "expect_tx",
                                         "f4e",
                                         "filter_mode",
                                         "finite",
                                         "fractional",
                                         "ftz",
                                         "g",
                                         "ge",
                                         "geu",
                                         "gl",
                                         "global",
                                         "gpu",
                                         "gt",
                                         "gtu",
                                         "height",
                                         "hi",
                                         "hs",
                                         "idx",
                                         "inc",
                                         "infinite",
                                         "init",
                                         "inval",
                                         "l",
                                         "le",
                                         "leu",
                                         "lo",
                                         "local",
                                         "ls",
                                         "lt",
                                         "ltu",
                                         "lu",
                                         "m16n8k128",
                                         "m16n8k16",
                                         "m16n8k256",
                                         "m16n8k32",
                                         "m16n8k4",
                                         "m16n8k64",
                                         "m16n8k8",
                                         "m8n8",
                                         "m8n8k128",
                                         "m8n8k16",
                                         "m8n8k32",
                                         "m8n8k4",
                                         "mask",
                                         "max",
                                         "mbarrier",
                                         "mbarrier_init",
                                         "min",
                                         "mmio",
                                         "multicast",
                                         "nan",
                                         "nc",
                                         "ne",
                                         "neu",
                                         "noComplete",
                                         "noftz",
                                         "noinc",
                                         "normal",
                                         "normalized_coords",
                                         "notanumber",
                                         "num",
                                         "number",
                                         "oob",
                                         "or",
                                         "param",
                                         "parity",
                                         "pending_count",
                                         "po",
                                         "popc",
                                         "prefetch",
                                         "proxy",
                                         "r",
                                         "range",
                                         "rc16",
                                         "rc8",
                                         "read",
                                         "red",
                                         "reduce",
                                         "relaxed",
                                         "release",
                                         "relu",
                                         "rm",
                                         "rmi",
                                         "rn",
                                         "rna",
                                         "rni",
                                         "row",
                                         "rp",
                                         "rpi",
                                         "rz",
                                         "rzi",
                                         "sat",
                                         "satfinite",
                                         "sc",
                                         "shared",
                                         "shiftamt",
                                         "shr15",
                                         "shr7",
                                         "subnormal",
                                         "sync",
                                         "sys",
                                         "tensor",
                                         "tensormap",
                                         "test_wait",
                                         "to",
                                         "trans",
                                         "trap",
                                         "try_wait",
                                         "uni",
                                         "up",
                                         "v2",
                                         "v4",
                                         "volatile",
                                         "wait",
                                         "wait_all",
                                         "wait_group",
                                         "warp",
                                         "wb",
                                         "weak",
                                         "wide",
                                         "width",
                                         "wrap",
                                         "wt",
                                         "x1",
                                         "x2",
                                         "x4",
                                         "xor",
                                         "xorsign",
                                         "zero"};

static const char *const types[] = {"",      "b8",     "b16",    "b32",  "b64",
                                    "u8",    "u16",    "u32",    "u64",  "s8",
                                    "s16",   "s32",    "s64",    "f32",  "f64",
                                    "pred",  "b1",     "s4",     "u4",   "u16x2",
                                    "s16x2", "f16",    "f16x2",  "bf16", "bf16x2",
                                    "tf32",  "e4m3x2", "e5m2x2", "e4m3", "e5m2"};

static const char *const sregs[N_SREGS] = {"cluster_ctaid.x",
                                           "cluster_ctaid.y",
                                           "cluster_ctaid.z",
                                           "cluster_ctarank",
                                           "cluster_nctaid.x",
                                           "cluster_nctaid.y",
                                           "cluster_nctaid.z",
                                           "cluster_nctarank",
                                           "clusterid.x",
                                           "clusterid.y",
                                           "clusterid.z",
                                           "ctaid.x",
                                           "ctaid.y",
                                           "ctaid.z",
                                           "is_explicit_cluster",
                                           "laneid",
                                           "lanemask_eq",
                                           "lanemask_ge",
                                           "lanemask_gt",
                                           "lanemask_le",
                                           "lanemask_lt",
                                           "nclusterid.x",
                                           "nclusterid.y",
                                           "nclusterid.z",
                                           "nctaid.x",
                                           "nctaid.y",
                                           "nctaid.z",
                                           "ntid.x",
                                           "ntid.y",
                                           "ntid.z",
                                           "tid.x",
                                           "tid.y",
                                           "tid.z"};

/* <0, 0, >0 as the n bytes at s are before, equal to, behind name. */
static int compare(const char *s, size_t n, const char *name)
{
    int c = strncmp(s, name, n);

    return c != 0 ? c : (name[n] == '\0' ? 0 : -1);
}

static uint32_t find(const char *const *names, uint32_t n_names, const char *s,
                     size_t n)
{
    uint32_t low = 0, high = n_names;

    while (low < high) {
        uint32_t middle = (low + high) / 2;
        int c = compare(s, n, names[middle]);

        if (c == 0) {
            return middle;
        }
        if (c < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return UINT32_MAX;
}

uint32_t name_op(const char *s, size_t n)
{
    return find(ops, N_OPS, s, n);
}

uint32_t name_mod(const char *s, size_t n)
{
    return find(mods, N_MODS, s, n);
}

uint32_t name_sreg(const char *s, size_t n)
{
    return find(sregs, N_SREGS, s, n);
}

enum ty name_type(const char *s, size_t n)
{
    for (uint32_t t = TY_B8; t < N_TYS; t++) {
        if (compare(s, n, types[t]) == 0) {
            return t;
        }
    }
    return TY_NONE;
}
