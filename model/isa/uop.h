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
 * Operand references (isa_ref): >= 0 a register slot; < 0 the constant slot -1 - ref.
 * Predicate references: >= 0 p[i]; ISA_P_TRUE, ISA_P_FALSE constants.
 *
 * Writes touch the lanes of the mask only. Lane functions never trap (division by zero
 * and INT_MIN / -1 included) and never read time.
 */
#ifndef ISA_UOP_H
#define ISA_UOP_H

#include "isa/isa.h"
#include <stddef.h>

#define ISA_LANES 32u

typedef int16_t isa_ref;

#define ISA_P_TRUE  ((isa_ref)-1)
#define ISA_P_FALSE ((isa_ref)-2)
#define ISA_NO_REF  INT16_MIN /* operand absent; a result thrown away ("_") */
#define ISA_NO_PC   UINT32_MAX

/* Generic address windows, 16 MiB each; global memory starts at ISA_GLOBAL_BASE and is
 * its own generic address. Address 0 belongs to nothing. */
#define ISA_WINDOW_SIZE   0x01000000ull
#define ISA_SHARED_WINDOW 0x01000000ull
#define ISA_LOCAL_WINDOW  0x02000000ull
#define ISA_CONST_WINDOW  0x03000000ull
#define ISA_PARAM_WINDOW  0x04000000ull
#define ISA_GLOBAL_BASE   0x10000000ull

/* What the SM does with a micro-op. */
enum isa_kind {
    ISA_K_ALU,  /* exec() at issue; the result is usable after the class's latency */
    ISA_K_SEQ,  /* as ALU, but several machine instructions: seq */
    ISA_K_LOAD, /* ld.global .shared .local .const and generic */
    ISA_K_STORE,
    ISA_K_LOAD_ROWS,  /* ldmatrix: rows of 16 bytes, shared out to the lanes (tile.h) */
    ISA_K_STORE_ROWS, /* stmatrix */
    ISA_K_ATOM,       /* with result */
    ISA_K_RED,        /* without */
    ISA_K_FENCE,      /* membar, fence: imm = enum isa_level */
    ISA_K_BAR,        /* bar.sync .arrive .red: form.sub */
    ISA_K_BRANCH,     /* bra: target, reconv */
    ISA_K_BRX,        /* brx.idx: src[0] indexes targets[] */
    ISA_K_CALL, /* target: entry of a .func; its registers begin at slot frame, its
                     predicates at index imm of the caller's */
    ISA_K_RET,  /* of a .func; in a kernel lowered to EXIT */
    ISA_K_EXIT,
    ISA_K_TRAP,    /* trap, brkpt, and __assertfail (form.op CALL) */
    ISA_K_PRINTF,  /* vprintf: in the area at frame, int result at byte 0, generic
                     addresses of format at 8 and of arguments at 16 */
    ISA_K_TEXTURE, /* tex tld4 txq suld sust sured suq: see below */
    ISA_K_COPY,    /* cp.async: see struct isa_uop */
    ISA_K_GROUP,   /* cp.async.commit_group, .wait_group (imm: groups), .wait_all */
    ISA_K_LATE,    /* cp.async.mbarrier.arrive: as MBAR, when the copies are done */
    ISA_K_MBAR,    /* mbarrier: an atomic on 8 bytes of shared memory */
    ISA_K_GMMA,    /* wgmma: form.sub MMA, COMMIT, WAIT (imm: groups), NONE a fence */
    ISA_K_BULK,    /* cp.async.bulk, cp.reduce.async.bulk: see isa/bulk.h */
    ISA_K_TX,      /* of requests only: the engine of bulk copies tells an mbarrier */
    ISA_K_CLUSTER, /* barrier.cluster: form.sub ARRIVE (imm: it is a release) or WAIT */
    ISA_K_NOP      /* prefetch, pmevent, nanosleep, bar.warp.sync */
};

/* Rows of the throughput table (results per clock per SM) and of the latency table. */
enum isa_class {
    ISA_CL_FP32,
    ISA_CL_FP64,
    ISA_CL_SFU,
    ISA_CL_IADD,
    ISA_CL_ICMP,
    ISA_CL_IMUL,
    ISA_CL_SHIFT,
    ISA_CL_LOGIC,
    ISA_CL_CVT8,
    ISA_CL_CVT64,
    ISA_CL_CVT,
    ISA_CL_SHUFFLE,
    ISA_CL_VOTE,
    ISA_CL_IDIV,   /* integer division and remainder: sequences of many instructions */
    ISA_CL_HALF,   /* arithmetic of halves, one or two in a register */
    ISA_CL_TENSOR, /* products of matrices: of mma.m16n8k8 of f16 two turns */
    ISA_CL_SREG,   /* special registers: %tid, %laneid ...; on 9.0 pointer arguments */
    ISA_CL_MEM,
    ISA_CL_CTRL,
    ISA_CL_BAR,
    ISA_N_CLASSES
};

/*
 * The machine instructions that one PTX instruction is made of, as they are executed:
 * SPEC PTX-4. Those of the lists take their pipes; insts may be more, of moves and the
 * like that wait for nothing.
 */
struct isa_seq {
    uint8_t insts; /* all of them: turns of the scheduler, at least 1 */
    uint8_t wait;  /* cycles of the result's latency besides the chain's */
    bool holds;    /* branches or a call: nothing else of the warp issues meanwhile */
    uint8_t odd;   /* enum isa_odd: numbers for which there is more to do */
    uint8_t odd_insts, odd_wait; /* then: so many instructions and cycles more */
    struct {
        uint8_t class; /* enum isa_class */
        uint8_t n;     /* turns of its pipe; 0: end of the list */
        uint8_t chain; /* of them one after the other on the way to the result */
    } part[5];
};

struct isa_uop;
struct isa_lanes;

/* Which operands a list of machine instructions does not do for. */
enum isa_odd { ISA_ODD_NONE, ISA_ODD_DIV_F32, ISA_ODD_SQRT_F32 };

/* Whether a lane in mask has such operands (SPEC PTX-4); of ISA_K_SEQ. */
bool isa_is_odd(const struct isa_uop *u, const struct isa_lanes *w, uint32_t mask);

/* The result's latency in cycles, if one of class c takes latency[c]. */
uint32_t isa_seq_latency(const struct isa_seq *seq,
                         const uint32_t latency[ISA_N_CLASSES]);

/* Besides what a micro-op does by its kind; rare. */
enum isa_aside {
    ISA_ASIDE_CLOCK = 1u << 0, /* env.clock and env.globaltimer are to be set before */
    ISA_ASIDE_MEMBERS = 1u << 1, /* lanes that their own member mask, the last source,
                                    lacks are a fault (SPEC FAULT-4); the others wait
                                    for its lanes (SPEC SIMT-4) */
    ISA_ASIDE_ALL = 1u << 2,     /* the same, and all lanes are members */
    ISA_ASIDE_POLLS = 1u << 3 /* LOAD, ATOM, MBAR: reads what ends the loop around it;
                                    NOP: nanosleep (SPEC SIMT-3) */
};

/* Addresses of shared memory in a cluster (SPEC CLUSTER-2): the block's own memory is
 * at 0, that of the block of rank r at (r + 1) << ISA_RANK_SHIFT as well. */
enum { ISA_RANK_SHIFT = 18, ISA_MAX_CLUSTER = 16 };

/* Where a block is in its cluster. A launch without clusters has clusters of one. */
struct isa_cluster {
    uint32_t id[3], n_ids[3]; /* the cluster's place in the grid of clusters */
    uint32_t at[3], n_at[3];  /* the block's place in the cluster, and its shape */
    uint32_t rank, size;      /* at as one number, x first; blocks */
    bool is_explicit;         /* the launch or the kernel says a shape */
};

/* The cluster's linear index in the grid of clusters. */
static inline uint64_t isa_cluster_number(const struct isa_cluster *c)
{
    return c->id[0] + c->n_ids[0] * (c->id[1] + (uint64_t)c->n_ids[1] * c->id[2]);
}

/* The rank that an offset into the shared window names; rank of the block itself: own.
 */
static inline uint32_t isa_rank_of(uint64_t offset, uint32_t own)
{
    const uint32_t r = (uint32_t)(offset >> ISA_RANK_SHIFT);

    return r == 0 ? own : r - 1;
}

/* Values a warp's lanes can ask for; filled by the SM. */
struct isa_env {
    uint16_t tid[3][ISA_LANES]; /* a block has 1024 threads at most */
    uint32_t ntid[3], ctaid[3], nctaid[3];
    uint32_t cc; /* 10 * major + minor: sums of matrix products differ */
    uint32_t warpid, nwarpid, smid, nsmid, gridid;
    uint32_t dynamic_smem, total_smem;     /* bytes per block */
    uint32_t reserved_begin, reserved_end; /* shared memory that libraries may use */
    struct isa_cluster cluster;
    uint64_t grid_sync;   /* where a cooperative grid meets; 0: the launch is another */
    uint64_t clock;       /* SM cycles; set before a micro-op that reads it */
    uint64_t globaltimer; /* ns; likewise */
    const uint8_t *param; /* the kernel's parameter block */
    uint32_t param_bytes;
    const uint8_t *shared; /* of the block; set before a micro-op of kind GMMA */
};

/* What a lane function sees of its warp. */
struct isa_lanes {
    uint32_t *r;       /* registers of the current frame */
    uint32_t *p;       /* predicates of the current frame */
    const uint32_t *k; /* constant pool of the module */
    const struct isa_env *env;
};

struct isa_uop;
typedef void isa_exec_fn(const struct isa_uop *u, const struct isa_lanes *w,
                         uint32_t mask);

/* Who reads the result of an instruction that only computes first: it can be read
 * later than by another of its own pipe (SPEC PIPE-1). */
enum isa_late {
    ISA_LATE_NOT,   /* the same pipe, or somebody far away */
    ISA_LATE_OTHER, /* another pipe, or a memory unit */
    ISA_LATE_GUARD, /* a predicate: a guard */
    ISA_N_LATE
};

/*
 * dst[]: results (registers; a predicate for setp, isspacep, testp, vote.pred ...).
 * dst2: the second predicate result (setp p|q, shfl d|p, match d|p), else ISA_NO_REF.
 * src[]: operands in the order of the instruction text. Predicate operands (selp c,
 * setp c, logic on predicates, vote) are predicate references; neg_src bit i inverts
 * src[i]. cc: predicate reference of the carry flag where CC_IN or CC_OUT is set.
 * Memory: the address is register addr (64 bits wide if addr64, else 32; ISA_NO_REF:
 * none) plus imm; values are dst[0..vec-1] or src[0..vec-1]; atom: src[0] = b, src[1] =
 * c. Textures and surfaces: addr plus imm is the object, or the address of a
 * .texref or .surfref; form.geom coordinates are src, of sust and sured dst, which then
 * is read; values are dst or src as in ld and st. cp.async: the address is the one in
 * shared memory; src[0] is the one in global memory, a pair if dst_bits is 64, plus the
 * constant pair src[1]; src[2] is the size to read or ISA_NO_REF, dst2 the predicate by
 * which a lane reads nothing (inverted if neg_src bit 0) or ISA_NO_REF. mbarrier:
 * src[0] a state, a pair; src[1] count, bytes or parity; dst[0] the state that results,
 * or dst2 the predicate. bar: src[0] barrier, src[1] thread count (ISA_NO_REF: all),
 * src[2] predicate of .red. Special registers: mov with imm = enum isa_sreg; exec reads
 * env. Parameters of calls (st.param, ld.param of call and .func parameters): ALU
 * micro-ops that move words of the parameter area, imm = byte offset from slot frame
 * (outgoing) or slot 0 (incoming); byte b of lane l is byte b % 4 of r[(base + b / 4) *
 * 32 + l].
 */
struct isa_uop {
    isa_exec_fn *exec;
    const struct isa_seq *seq; /* SEQ */
    uint64_t needs;   /* scoreboard: register slots read or written, bit slot % 64 */
    uint64_t sets;    /* register slots written */
    uint32_t needs_p; /* the same for predicates, bit index % 32, guard included */
    uint32_t sets_p;
    uint8_t kind;      /* enum isa_kind */
    uint8_t class;     /* enum isa_class */
    uint8_t weight;    /* times the class's issue interval (64-bit integers: 2 ...) */
    uint8_t guard_neg; /* @!p */
    isa_ref guard;     /* predicate reference; ISA_P_TRUE: unconditional */
    uint8_t neg_src;
    uint8_t size;     /* memory: bytes of one element, 1 2 4 8 */
    uint8_t dst_bits; /* memory: width of the destination registers, 16 32 64 */
    bool addr64;
    uint8_t aside;  /* enum isa_aside: what is to be done besides */
    bool inserts;   /* LOAD: of what only bits are put into (SPEC CHECK-4) */
    bool counts;    /* RED on shared memory: adds 1, by an instruction for just that */
    bool part;      /* not the first micro-op of its PTX instruction: counted with it */
    uint8_t late;   /* enum isa_late, of ALU and SEQ: who reads the result first */
    uint8_t leaves; /* BRANCH: bit 0: lanes that take it are not waited for any more
                       before last, bit 1: those that do not */
    uint8_t n_src;
    uint8_t ideal;   /* enum ideal_cost of mem/rules_ideal.h: costs it is spared */
    uint8_t n_tiles; /* ldmatrix, stmatrix: 1 2 4 */
    isa_ref dst[4];
    isa_ref src[4];
    isa_ref dst2, cc, addr, frame;
    int64_t imm;
    /* BRANCH, CALL: micro-op index; BRX: index into targets; memory: 1 + index of the
     * kernel's shared array that the address is of, 0: not known. */
    uint32_t target;
    uint32_t reconv; /* BRANCH, BRX: where its lanes meet again, ISA_NO_PC: exit */
    uint32_t last;   /* BRANCH: immediate post-dominator, where they meet that leave */
    /* Memory: 1 + the micro-op that findings name in its place; 0: itself. */
    uint32_t named;
    /* LOAD: its elements were loads of their own, and these micro-ops are named in
     * place of each; NULL: they were not. */
    const uint32_t *parts;
    const struct isa_bulk *bulk; /* BULK */
    const isa_ref *tile; /* matrix instructions: registers of D, A, B, C in turn */
    struct isa_form form;
    uint32_t n_targets; /* BRX */
    uint32_t line;      /* of the PTX text, 1-based */
    uint32_t column;
    uint32_t src_file; /* index into the module's files, from .loc; 0: none */
    uint32_t src_line; /* 0: none */
    uint32_t inlined; /* 1 + index into the module's sites, of .loc's inlined_at; 0: not
                       */
};

/* The special registers. */
enum isa_sreg {
    ISA_SR_TID_X,
    ISA_SR_TID_Y,
    ISA_SR_TID_Z,
    ISA_SR_NTID_X,
    ISA_SR_NTID_Y,
    ISA_SR_NTID_Z,
    ISA_SR_CTAID_X,
    ISA_SR_CTAID_Y,
    ISA_SR_CTAID_Z,
    ISA_SR_NCTAID_X,
    ISA_SR_NCTAID_Y,
    ISA_SR_NCTAID_Z,
    ISA_SR_LANEID,
    ISA_SR_WARPID,
    ISA_SR_NWARPID,
    ISA_SR_SMID,
    ISA_SR_NSMID,
    ISA_SR_GRIDID,
    ISA_SR_LANEMASK_EQ,
    ISA_SR_LANEMASK_LE,
    ISA_SR_LANEMASK_LT,
    ISA_SR_LANEMASK_GE,
    ISA_SR_LANEMASK_GT,
    ISA_SR_CLOCK,
    ISA_SR_CLOCK_HI,
    ISA_SR_CLOCK64,
    ISA_SR_GLOBALTIMER,
    ISA_SR_GLOBALTIMER_LO,
    ISA_SR_GLOBALTIMER_HI,
    ISA_SR_DYNAMIC_SMEM,
    ISA_SR_TOTAL_SMEM,
    ISA_SR_ENVREG1, /* env.grid_sync, its high and its low word */
    ISA_SR_ENVREG2,
    ISA_SR_ENVREG, /* any other: 0 */
    ISA_SR_RESERVED_BEGIN,
    ISA_SR_RESERVED_END,
    ISA_SR_RESERVED_CAP,
    ISA_SR_RESERVED_0,
    ISA_SR_RESERVED_1,
    ISA_SR_CLUSTERID_X,
    ISA_SR_CLUSTERID_Y,
    ISA_SR_CLUSTERID_Z,
    ISA_SR_NCLUSTERID_X,
    ISA_SR_NCLUSTERID_Y,
    ISA_SR_NCLUSTERID_Z,
    ISA_SR_CLUSTER_CTAID_X,
    ISA_SR_CLUSTER_CTAID_Y,
    ISA_SR_CLUSTER_CTAID_Z,
    ISA_SR_CLUSTER_NCTAID_X,
    ISA_SR_CLUSTER_NCTAID_Y,
    ISA_SR_CLUSTER_NCTAID_Z,
    ISA_SR_CLUSTER_RANK,
    ISA_SR_CLUSTER_SIZE,
    ISA_SR_EXPLICIT_CLUSTER, /* a predicate: 1 or 0 */
    ISA_N_SREGS
};

/* ---- selection (lane.c): which function, class and weight a form has ---- */

struct isa_selected {
    isa_exec_fn *exec;
    uint8_t class, weight;
};

/* For every form whose micro-op is of kind ALU. src_pred bit i: source i is a predicate
 * (logic and mov on predicates are known by type PRED). False: no such instruction; the
 * caller says so with its line. */
bool isa_select(const struct isa_form *f, struct isa_selected *out);

/* The machine instructions of a form on capability cc (10 * major + minor); NULL: one,
 * of the class and weight that isa_select() says. */
const struct isa_seq *isa_machine(const struct isa_form *f, uint32_t cc);

/* The exec functions that have no form: special registers, parameters of calls. */
isa_exec_fn *isa_exec_sreg(enum isa_sreg s);
/* The class of a move from s: sreg for what belongs to the thread or warp, else that of
 * other moves: what is the same for the launch is a constant to real code. */
uint8_t isa_sreg_class(enum isa_sreg s, uint8_t else_class);
/* bits 8, 16, 32, 64; store: src[0] to the area, else dst[0] from it, extended as
 * form.type says. Base slot: u->frame. */
isa_exec_fn *isa_exec_param(bool store, uint32_t bits);
/* ld.param of a kernel parameter, address uniform or per lane; uses size, vec, imm. */
isa_exec_fn *isa_exec_kernel_param(void);

/* ---- lanes of memory micro-ops ---- */

/* Byte addresses of the lanes in mask (others are left alone). */
void isa_addresses(const struct isa_uop *u, const struct isa_lanes *w, uint32_t mask,
                   uint64_t addr[ISA_LANES]);

/*
 * Data of a memory access is kept by 32-bit word and lane: d[word][lane]. An element of
 * 8 bytes takes two words, low first; smaller ones one word each, zero-extended;
 * element i of a vector begins at word i * max(1, size / 4).
 */
void isa_store_data(const struct isa_uop *u, const struct isa_lanes *w, uint32_t mask,
                    uint32_t d[][ISA_LANES]);
/* Into the destination registers, sign- or zero-extended as the type says. Also the old
 * values of atomics. */
void isa_load_data(const struct isa_uop *u, const struct isa_lanes *w, uint32_t mask,
                   const uint32_t d[][ISA_LANES]);

/* One atomic on one element: the new value of memory. sub: ADD .. CAS; type as in the
 * instruction; b, c operands (c: cas only, where b is compared and c stored). */
uint64_t isa_atom(enum isa_sub sub, enum isa_type type, uint64_t old, uint64_t b,
                  uint64_t c);

/*
 * One operation on the 64 bits of an mbarrier object (SPEC ASYNC-4): f says which,
 * state and operand are the instruction's. Returns the new bits; *result is the state
 * before (INIT: what is returned means nothing), and of TEST and TRY 1 if the phase is
 * over, else 0. *completed: a phase has ended by it.
 */
uint64_t isa_mbarrier(const struct isa_form *f, uint64_t old, uint64_t state,
                      uint32_t operand, uint64_t *result, bool *completed);

/* Whether all that u does is to compute. */
static inline bool isa_computes(const struct isa_uop *u)
{
    return u->kind == ISA_K_ALU || u->kind == ISA_K_SEQ;
}

/* Lanes of p[guard] that execute among active. */
static inline uint32_t isa_guarded(const struct isa_uop *u, const struct isa_lanes *w,
                                   uint32_t active)
{
    uint32_t g;

    if (u->guard == ISA_P_TRUE) {
        return active;
    }
    g = w->p[u->guard];
    return active & (u->guard_neg ? ~g : g);
}

#endif /* ISA_UOP_H */
