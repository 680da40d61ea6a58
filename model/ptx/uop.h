/*
 * uop.h - the micro-op: one PTX instruction, decoded once, and how lanes execute it.
 *
 * Registers. A warp's registers are slots of 32 lanes x 32 bits: r[slot * 32 + lane].
 * Values of up to 32 bits take one slot, zero-extended to 32 bits (8- and 16-bit values
 * included, signed ones too); 64-bit values take two consecutive slots, seen as
 * uint64_t[32]. Predicates are lane masks: p[i]. The carry flag is a predicate.
 * Immediates and addresses of symbols are slots of the module's constant pool k, each
 * already broadcast to all lanes, so that a lane function never asks what an operand
 * is.
 *
 * Operand references (ptx_ref): >= 0 a register slot; < 0 the constant slot -1 - ref.
 * Predicate references: >= 0 p[i]; PTX_P_TRUE, PTX_P_FALSE constants.
 *
 * Writes touch the lanes of the mask only. Lane functions never trap (division by zero
 * and INT_MIN / -1 included) and never read time.
 */
#ifndef PTX_UOP_H
#define PTX_UOP_H

#include "ptx/isa.h"
#include <stddef.h>

#define PTX_LANES 32u

typedef int16_t ptx_ref;

#define PTX_P_TRUE  ((ptx_ref)-1)
#define PTX_P_FALSE ((ptx_ref)-2)
#define PTX_NO_REF  INT16_MIN /* operand absent; a result thrown away ("_") */
#define PTX_NO_PC   UINT32_MAX

/* Generic address windows, 16 MiB each; global memory starts at PTX_GLOBAL_BASE and is
 * its own generic address. Address 0 belongs to nothing. */
#define PTX_WINDOW_SIZE   0x01000000ull
#define PTX_SHARED_WINDOW 0x01000000ull
#define PTX_LOCAL_WINDOW  0x02000000ull
#define PTX_CONST_WINDOW  0x03000000ull
#define PTX_PARAM_WINDOW  0x04000000ull
#define PTX_GLOBAL_BASE   0x10000000ull

/* What the SM does with a micro-op. */
enum ptx_kind {
    PTX_K_ALU,  /* exec() at issue; the result is usable after the class's latency */
    PTX_K_LOAD, /* ld.global .shared .local .const and generic */
    PTX_K_STORE,
    PTX_K_ATOM,   /* with result */
    PTX_K_RED,    /* without */
    PTX_K_FENCE,  /* membar, fence: imm = enum ptx_level */
    PTX_K_BAR,    /* bar.sync .arrive .red: form.sub */
    PTX_K_BRANCH, /* bra: target, reconv */
    PTX_K_BRX,    /* brx.idx: src[0] indexes targets[] */
    PTX_K_CALL,   /* target: entry of a .func; its registers begin at slot frame, its
                     predicates at index imm of the caller's */
    PTX_K_RET,    /* of a .func; in a kernel lowered to EXIT */
    PTX_K_EXIT,
    PTX_K_TRAP,   /* trap, brkpt, and __assertfail (form.op CALL) */
    PTX_K_PRINTF, /* vprintf: in the area at frame, int result at byte 0, generic
                     addresses of format at 8 and of arguments at 16 */
    PTX_K_NOP     /* prefetch, pmevent, nanosleep, bar.warp.sync */
};

/* Rows of the throughput table (results per clock per SM) and of the latency table. */
enum ptx_class {
    PTX_CL_FP32,
    PTX_CL_FP64,
    PTX_CL_SFU,
    PTX_CL_IADD,
    PTX_CL_ICMP,
    PTX_CL_IMUL,
    PTX_CL_SHIFT,
    PTX_CL_LOGIC,
    PTX_CL_CVT8,
    PTX_CL_CVT64,
    PTX_CL_CVT,
    PTX_CL_SHUFFLE,
    PTX_CL_VOTE,
    PTX_CL_MEM,
    PTX_CL_CTRL,
    PTX_CL_BAR,
    PTX_N_CLASSES
};

/* Values a warp's lanes can ask for; filled by the SM. */
struct ptx_env {
    uint32_t tid[3][PTX_LANES];
    uint32_t ntid[3], ctaid[3], nctaid[3];
    uint32_t warpid, nwarpid, smid, nsmid, gridid;
    uint32_t dynamic_smem, total_smem; /* bytes per block */
    uint64_t clock;       /* SM cycles; set before a micro-op with reads_clock */
    uint64_t globaltimer; /* ns; likewise */
    const uint8_t *param; /* the kernel's parameter block */
    uint32_t param_bytes;
};

/* What a lane function sees of its warp. */
struct ptx_lanes {
    uint32_t *r;       /* registers of the current frame */
    uint32_t *p;       /* predicates of the current frame */
    const uint32_t *k; /* constant pool of the module */
    const struct ptx_env *env;
};

struct ptx_uop;
typedef void ptx_exec_fn(const struct ptx_uop *u, const struct ptx_lanes *w,
                         uint32_t mask);

/*
 * dst[]: results (registers; a predicate for setp, isspacep, testp, vote.pred ...).
 * dst2: the second predicate result (setp p|q, shfl d|p, match d|p), else PTX_NO_REF.
 * src[]: operands in the order of the instruction text. Predicate operands (selp c,
 * setp c, logic on predicates, vote) are predicate references; neg_src bit i inverts
 * src[i]. cc: predicate reference of the carry flag where CC_IN or CC_OUT is set.
 * Memory: the address is register addr (64 bits wide if addr64, else 32; PTX_NO_REF:
 * none) plus imm; values are dst[0..vec-1] or src[0..vec-1]; atom: src[0] = b, src[1] =
 * c. bar: src[0] barrier, src[1] thread count (PTX_NO_REF: all), src[2] predicate of
 * .red. Special registers: mov with imm = enum ptx_sreg; exec reads env. Parameters of
 * calls (st.param, ld.param of call and .func parameters): ALU micro-ops that move
 * words of the parameter area, imm = byte offset from slot frame (outgoing) or slot 0
 * (incoming); byte b of lane l is byte b % 4 of r[(base + b / 4) * 32 + l].
 */
struct ptx_uop {
    ptx_exec_fn *exec;
    uint64_t needs;   /* scoreboard: register slots read or written, bit slot % 64 */
    uint64_t sets;    /* register slots written */
    uint32_t needs_p; /* the same for predicates, bit index % 32, guard included */
    uint32_t sets_p;
    uint8_t kind;      /* enum ptx_kind */
    uint8_t class;     /* enum ptx_class */
    uint8_t weight;    /* times the class's issue interval (64-bit integers: 2 ...) */
    uint8_t guard_neg; /* @!p */
    ptx_ref guard;     /* predicate reference; PTX_P_TRUE: unconditional */
    uint8_t neg_src;
    uint8_t size;     /* memory: bytes of one element, 1 2 4 8 */
    uint8_t dst_bits; /* memory: width of the destination registers, 16 32 64 */
    bool addr64;
    bool reads_clock;
    bool part; /* not the first micro-op of its PTX instruction: counted with it */
    uint8_t n_src;
    ptx_ref dst[4];
    ptx_ref src[4];
    ptx_ref dst2, cc, addr, frame;
    int64_t imm;
    uint32_t
        target; /* BRANCH, CALL: micro-op index; BRX: index into targets; memory: 1 +
                        index of the shared array of the kernel that the address is of,
                        0: not known */
    uint32_t reconv; /* BRANCH, BRX: immediate post-dominator, PTX_NO_PC: exit */
    struct ptx_form form;
    uint32_t n_targets; /* BRX */
    uint32_t line;      /* of the PTX text, 1-based */
    uint32_t column;
    uint32_t src_file; /* index into the module's files, from .loc; 0: none */
    uint32_t src_line; /* 0: none */
};

/* The special registers. */
enum ptx_sreg {
    PTX_SR_TID_X,
    PTX_SR_TID_Y,
    PTX_SR_TID_Z,
    PTX_SR_NTID_X,
    PTX_SR_NTID_Y,
    PTX_SR_NTID_Z,
    PTX_SR_CTAID_X,
    PTX_SR_CTAID_Y,
    PTX_SR_CTAID_Z,
    PTX_SR_NCTAID_X,
    PTX_SR_NCTAID_Y,
    PTX_SR_NCTAID_Z,
    PTX_SR_LANEID,
    PTX_SR_WARPID,
    PTX_SR_NWARPID,
    PTX_SR_SMID,
    PTX_SR_NSMID,
    PTX_SR_GRIDID,
    PTX_SR_LANEMASK_EQ,
    PTX_SR_LANEMASK_LE,
    PTX_SR_LANEMASK_LT,
    PTX_SR_LANEMASK_GE,
    PTX_SR_LANEMASK_GT,
    PTX_SR_CLOCK,
    PTX_SR_CLOCK_HI,
    PTX_SR_CLOCK64,
    PTX_SR_GLOBALTIMER,
    PTX_SR_GLOBALTIMER_LO,
    PTX_SR_GLOBALTIMER_HI,
    PTX_SR_DYNAMIC_SMEM,
    PTX_SR_TOTAL_SMEM,
    PTX_N_SREGS
};

/* ---- selection (lane.c): which function, class and weight a form has ---- */

struct ptx_selected {
    ptx_exec_fn *exec;
    uint8_t class, weight;
};

/* For every form whose micro-op is of kind ALU. src_pred bit i: source i is a predicate
 * (logic and mov on predicates are known by type PRED). False: no such instruction; the
 * caller says so with its line. */
bool ptx_select(const struct ptx_form *f, struct ptx_selected *out);

/* The exec functions that have no form: special registers, parameters of calls. */
ptx_exec_fn *ptx_exec_sreg(enum ptx_sreg s);
/* bits 8, 16, 32, 64; store: src[0] to the area, else dst[0] from it, extended as
 * form.type says. Base slot: u->frame. */
ptx_exec_fn *ptx_exec_param(bool store, uint32_t bits);
/* ld.param of a kernel parameter, address uniform or per lane; uses size, vec, imm. */
ptx_exec_fn *ptx_exec_kernel_param(void);

/* ---- lanes of memory micro-ops ---- */

/* Byte addresses of the lanes in mask (others are left alone). */
void ptx_addresses(const struct ptx_uop *u, const struct ptx_lanes *w, uint32_t mask,
                   uint64_t addr[PTX_LANES]);

/*
 * Data of a memory access is kept by 32-bit word and lane: d[word][lane]. An element of
 * 8 bytes takes two words, low first; smaller ones one word each, zero-extended;
 * element i of a vector begins at word i * max(1, size / 4).
 */
void ptx_store_data(const struct ptx_uop *u, const struct ptx_lanes *w, uint32_t mask,
                    uint32_t d[][PTX_LANES]);
/* Into the destination registers, sign- or zero-extended as the type says. Also the old
 * values of atomics. */
void ptx_load_data(const struct ptx_uop *u, const struct ptx_lanes *w, uint32_t mask,
                   const uint32_t d[][PTX_LANES]);

/* One atomic on one element: the new value of memory. sub: ADD .. CAS; type as in the
 * instruction; b, c operands (c: cas only, where b is compared and c stored). */
uint64_t ptx_atom(enum ptx_sub sub, enum ptx_type type, uint64_t old, uint64_t b,
                  uint64_t c);

/* Lanes of p[guard] that execute among active. */
static inline uint32_t ptx_guarded(const struct ptx_uop *u, const struct ptx_lanes *w,
                                   uint32_t active)
{
    uint32_t g;

    if (u->guard == PTX_P_TRUE) {
        return active;
    }
    g = w->p[u->guard];
    return active & (u->guard_neg ? ~g : g);
}

#endif /* PTX_UOP_H */
