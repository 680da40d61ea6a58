/*
 * ptx.h - PTX text to executable kernels.
 *
 *   ptx_parse()   text -> module: everything checked, nothing placed
 *   (the owner gives each .global symbol its address)
 *   ptx_lower()   module -> micro-ops: slots, branch targets, reconvergence points
 *
 * The module keeps what it needs of the text. Nothing here knows time; of a device's
 * latencies an assembler's order of instructions is made, struct ptx_target.
 *
 * Errors: line and column of the offending token, SMW_ERR_INPUT; what is not supported
 * is refused by name at parse, with the nearest known name or the list to look at. What
 * is wrong inside one function refuses that function, and the launch of the kernels
 * that reach it, not the module: ptx_can_run() says why.
 */
#ifndef PTX_PTX_H
#define PTX_PTX_H

#include "base/err.h"
#include "isa/uop.h"

enum {
    /* Added to the most words live, for addresses and scratch registers that PTX does
     * not name. Fitted to what ptxas 13.0 says for sm_90:
     * within 4 registers for 17 of 23 kernels without calls, up to 13 too few for
     * others (unrolled address arithmetic, loads moved up). */
    PTX_REGS_EXTRA = 4,
    PTX_REGS_CALLS = 6,      /* more for kernels that call functions; fitted likewise */
    PTX_RECURSION_DEPTH = 64 /* local memory is for so many frames of a recursion */
};

/* Who else may mean a name, in the order in which definitions go before others. */
enum ptx_linkage {
    PTX_OWN,    /* its text alone */
    PTX_COMMON, /* of several the largest stands for all */
    PTX_WEAK,   /* of several the first */
    PTX_VISIBLE /* there is only one */
};

/* Variables that name a texture or surface: 8 bytes that hold an object. */
enum ptx_opaque { PTX_PLAIN, PTX_TEXREF, PTX_SURFREF, PTX_SAMPLERREF };

struct ptx_symbol { /* a module-scope variable */
    const char *name;
    enum isa_space space; /* GLOBAL, CONST or SHARED */
    enum isa_type type;   /* of an element */
    uint64_t size;        /* bytes; 0 for extern arrays */
    uint32_t align;       /* bytes */
    bool is_extern;
    uint8_t opaque;           /* enum ptx_opaque */
    enum ptx_linkage linkage; /* of a definition */
    const uint8_t *init;      /* size bytes, NULL: zeros */
    uint64_t addr; /* CONST: offset in the module's constant bank, set by parse;
                            GLOBAL: set by the owner before ptx_lower();
                            SHARED: see ptx_shared_var */
    uint32_t line;
};

/* init of symbol holds, at offset, the (generic) address of another symbol, or the
 * value of a function, + addend;
 * ptx_lower() writes it there and, for CONST, into const_image. */
struct ptx_reloc {
    uint32_t symbol, offset, target;
    int64_t addend;
    uint8_t bytes; /* 4 or 8 */
    bool generic;
    bool is_fn; /* target is a function: its value, SPEC PTX-7 */
};

struct ptx_param {
    const char *name;
    enum isa_type type;           /* B8 with size for aggregates */
    uint32_t size, align, offset; /* bytes */
    bool is_pointer;              /* said by .ptr */
    enum isa_space pointee;       /* if is_pointer */
};

struct ptx_shared_var { /* a shared array as a kernel sees it */
    const char *name;
    uint32_t offset, size; /* bytes from the start of the block's shared memory;
                              size 0: extern, dynamic */
    uint32_t align;
    enum isa_type type;
};

struct ptx_kernel {
    const char *name; /* as in the PTX text */
    const char
        *base_name; /* unmangled, without parameter list: "reduce<float>" -> "reduce" */
    struct ptx_param *params;
    uint32_t n_params, param_bytes;
    struct ptx_shared_var *shared;
    uint32_t n_shared;
    uint32_t shared_bytes; /* static, all arrays the kernel or its callees use */
    uint32_t dynamic_base; /* offset at which extern arrays start */
    uint32_t local_bytes;  /* per thread, callees included */
    uint32_t maxntid[3], reqntid[3]; /* 0: not said */
    uint32_t minnctapersm;
    uint32_t cluster[3];       /* .reqnctapercluster; 0: not said */
    uint32_t max_cluster;      /* .maxclusterrank: blocks of a cluster; 0: not said */
    bool explicit_cluster;     /* .explicitcluster */
    uint32_t entry;            /* micro-op index */
    uint32_t n_slots, n_preds; /* of the kernel's own frame */
    uint32_t frame_slots,
        frame_preds; /* deepest sum over non-recursive calls, with args */
    bool recursive;
    bool reads_params;
    bool zero_first; /* some register may be read before it is written */
    uint32_t regs;   /* estimated 32-bit registers per thread of the real machine code:
                        most 32-bit words live at one place (64-bit values count two),
                        over the kernel and its callees, + PTX_REGS_EXTRA
                        (+ PTX_REGS_CALLS); at most .maxnreg */
    uint32_t line;
};

struct ptx_func { /* a .func that is called */
    const char *name;
    uint32_t entry, n_slots, n_preds, local_bytes;
};

/* The file without its folders. */
const char *ptx_base_name(const char *path);

enum { PTX_MAX_INLINED = 8 }; /* calls of each other that are told of */

struct ptx_site { /* a call that the compiler inlined */
    uint32_t file, line, column;
    uint32_t caller; /* 1 + index of the one that it was inlined at; 0: none */
};

struct ptx_module {
    struct ptx_symbol *symbols;
    uint32_t n_symbols;
    struct ptx_reloc *relocs;
    uint32_t n_relocs;
    struct ptx_kernel *kernels;
    uint32_t n_kernels;
    struct ptx_func *funcs;
    uint32_t n_funcs;
    struct isa_uop *uops; /* after ptx_lower() */
    uint32_t n_uops;
    uint32_t *targets; /* of brx.idx */
    uint32_t *k;       /* constant pool: n_k slots of 32 words */
    uint32_t n_k;
    const uint8_t *const_image; /* the constant bank: const_bytes bytes */
    uint32_t const_bytes;       /* at most 65536 */
    const char *const *files;   /* of .file, index 0 unused */
    uint32_t n_files;
    const struct ptx_site *sites; /* calls that were inlined: ptx_inlined() */
    uint32_t n_sites;
    uint32_t version;      /* 10 * major + minor of .version */
    uint32_t target_sm;    /* 20, 75, 90 ... */
    uint32_t address_size; /* 32 or 64 */
    bool wants_grid_sync;  /* after ptx_lower(): reads %envreg1 or %envreg2 */
    bool wants_reserved;   /* reads an offset of reserved shared memory */
    struct ptx_private *priv;
};

/* What an assembler knows of the device it writes machine code for. All latencies are
 * in SM cycles from the issue of an instruction to its result's use, at least 1. They
 * decide which order is the better one, never what an instruction does. */
struct ptx_target {
    uint32_t cc; /* 10 * major + minor; 0: instructions are only put in order */
    uint32_t latency[ISA_N_CLASSES];          /* of what computes */
    uint32_t shared, constant, local, global; /* of loads and atomics; those that a
                                                 cache may hold as if it held them */
    uint32_t predicate;                       /* more of what computes a predicate */
    uint32_t issue; /* cycles from one instruction of a warp to its next, at least 1 */
    uint32_t regs;  /* registers a thread can have without a warp less on an SM */
    bool fmad;      /* products and sums may become multiply-adds (SPEC PTX-5) */
};

/* name: for messages. text need not be terminated and may go after the call. */
struct ptx_text {
    const char *text;
    size_t size;
    const char *name;
};
#define PTX_HEAP (UINT64_C(8) << 20) /* bytes, if nobody says another number */

struct ptx_module *ptx_parse(const char *text, size_t size, const char *name,
                             struct smw_err *e);
/* The module that n texts (at least 1) make when they are linked, SPEC PTX-6. Its line
 * numbers count on from text to text: ptx_text_at(). heap: bytes for malloc() of its
 * kernels, SPEC PTX-8. */
struct ptx_module *ptx_parse_linked(const struct ptx_text *t, uint32_t n, uint64_t heap,
                                    struct smw_err *e);
/* The name of the text that has this line of the module, and which of its own it is. */

/* The i-th call, inwards out, by which the micro-op's source line came to where it is;
 * NULL: no more. */
const struct ptx_site *ptx_inlined(const struct ptx_module *m, uint32_t pc, uint32_t i);
const char *ptx_text_at(const struct ptx_module *m, uint32_t line, uint32_t *own);
/* target NULL: micro-ops run in the order in which the text has them; else what an
 * assembler would make of it for the target runs (SPEC PTX-1). */
bool ptx_lower(struct ptx_module *m, const struct ptx_target *target,
               struct smw_err *e);
void ptx_free(struct ptx_module *m);

/* After ptx_lower(): false if the kernel or a function it calls is refused, *e says the
 * first reason. */
bool ptx_can_run(const struct ptx_module *m, const struct ptx_kernel *k,
                 struct smw_err *e);
/* How many reasons there are in the whole module, and reason i of them. */
uint32_t ptx_refusals(const struct ptx_module *m);
void ptx_refusal(const struct ptx_module *m, uint32_t i, struct smw_err *e);

/* By PTX name, else by base name if only one kernel has it; else NULL and *e says the
 * nearest name or the candidates. */
const struct ptx_kernel *ptx_find_kernel(const struct ptx_module *m, const char *name,
                                         struct smw_err *e);
const struct ptx_symbol *ptx_find_symbol(const struct ptx_module *m, const char *name);

/* What a kernel or a function that it can call uses: bits of enum ptx_use. */
enum ptx_use {
    PTX_USE_F64,
    PTX_USE_ATOMICS,
    PTX_USE_WARPS, /* lanes exchange values */
    PTX_USE_BARRIERS,
    PTX_USE_FENCES,
    PTX_USE_CALLS,
    PTX_USE_PRINTF,
    PTX_USE_ASSERT,
    PTX_N_USES
};
uint32_t ptx_uses(const struct ptx_module *m, const struct ptx_kernel *k);

/* The instruction as a person would write it, guard included, into buf (terminated). */
void ptx_disasm(const struct ptx_module *m, uint32_t pc, char *buf, size_t size);
/* The same for room of PTX_KEPT_MAX bytes, for who asks again and again: it stays with
 * the module, whose memory it takes. */
enum { PTX_KEPT_MAX = 256 };
const char *ptx_disasm_kept(const struct ptx_module *m, uint32_t pc);

/* What is written of a kernel and of the functions it can call beside what runs, each
 * instruction behind the number of its line; those that run before one that is written
 * before them are marked. Calls line(ctx, text) for each row. */
void ptx_show_order(const struct ptx_module *m, const struct ptx_kernel *k,
                    void (*line)(void *ctx, const char *text), void *ctx);

/* Lines of "ptx list": every instruction accepted, with its types and modifiers. Calls
 * line(ctx, text) once each, in table order. */
void ptx_list(void (*line)(void *ctx, const char *text), void *ctx);

/* The lowest compute capability (10 * major + minor) that has everything the kernel
 * uses, and the first line that needs it with the reason ("shared atomics"). */
uint32_t ptx_requires(const struct ptx_module *m, const struct ptx_kernel *k,
                      uint32_t *line, const char **what);

/* Does capability cc have all that? *e names the first instruction it lacks, its place
 * and the first capability that has it. The module's .target and address size do not
 * matter. */
bool ptx_check_cc(const struct ptx_module *m, const struct ptx_kernel *k, uint32_t cc,
                  struct smw_err *e);

#endif /* PTX_PTX_H */
