#include "names.h"

#include <string.h>

static const char *const ops[N_OPS] = {
    "abs",     "activemask", "add",       "addc",  "and",      "atom", "bar",
    "barrier", "bfe",        "bfi",       "bfind", "bmsk",     "bra",  "brev",
    "brx",     "call",       "clz",       "cnot",  "copysign", "cp",   "cvt",
    "cvta",    "div",        "dp2a",      "dp4a",  "elect",    "exit", "fence",
    "fma",     "fns",        "isspacep",  "ld",    "ldu",      "lop3", "mad",
    "mad24",   "madc",       "match",     "max",   "membar",   "min",  "mov",
    "mul",     "mul24",      "nanosleep", "neg",   "not",      "or",   "pmevent",
    "popc",    "prefetch",   "prefetchu", "prmt",  "rcp",      "red",  "redux",
    "rem",     "ret",        "sad",       "selp",  "set",      "setp", "shf",
    "shfl",    "shl",        "shr",       "slct",  "sqrt",     "st",   "sub",
    "subc",    "szext",      "testp",     "vote",  "xor"};

static const char *const mods[N_MODS] = {
    "NaN",      "abs",          "acq_rel",  "acquire",   "add",     "aligned",
    "all",      "and",          "any",      "async",     "b4e",     "ballot",
    "bfly",     "ca",           "cas",      "cc",        "cg",      "clamp",
    "cluster",  "commit_group", "const",    "cs",        "cta",     "cv",
    "dec",      "down",         "ecl",      "ecr",       "eq",      "equ",
    "exch",     "f4e",          "finite",   "ftz",       "ge",      "geu",
    "gl",       "global",       "gpu",      "gt",        "gtu",     "hi",
    "hs",       "idx",          "inc",      "infinite",  "l",       "le",
    "leu",      "lo",           "local",    "ls",        "lt",      "ltu",
    "lu",       "mask",         "max",      "min",       "mmio",    "nan",
    "nc",       "ne",           "neu",      "noftz",     "normal",  "notanumber",
    "num",      "number",       "oob",      "or",        "param",   "popc",
    "r",        "rc16",         "rc8",      "red",       "relaxed", "release",
    "relu",     "rm",           "rmi",      "rn",        "rna",     "rni",
    "rp",       "rpi",          "rz",       "rzi",       "sat",     "satfinite",
    "sc",       "shared",       "shiftamt", "subnormal", "sync",    "sys",
    "to",       "uni",          "up",       "v2",        "v4",      "volatile",
    "wait_all", "wait_group",   "warp",     "wb",        "weak",    "wide",
    "wrap",     "wt",           "xor",      "xorsign"};

static const char *const types[] = {"",     "b8",     "b16",   "b32",  "b64",
                                    "u8",   "u16",    "u32",   "u64",  "s8",
                                    "s16",  "s32",    "s64",   "f32",  "f64",
                                    "pred", "f16",    "f16x2", "bf16", "bf16x2",
                                    "tf32", "e4m3x2", "e5m2x2"};

static const char *const sregs[N_SREGS] = {"ctaid.x",     "ctaid.y",     "ctaid.z",
                                           "laneid",      "lanemask_eq", "lanemask_ge",
                                           "lanemask_gt", "lanemask_le", "lanemask_lt",
                                           "nctaid.x",    "nctaid.y",    "nctaid.z",
                                           "ntid.x",      "ntid.y",      "ntid.z",
                                           "tid.x",       "tid.y",       "tid.z"};

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
