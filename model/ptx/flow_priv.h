/*
 * flow_priv.h - control flow, liveness and slots of one function; private to the front
 * end.
 *
 * Guarded ret and exit do not end a block: the lanes that leave are gone, the others go
 * on. Unguarded ones lead to the virtual exit. Blocks that cannot reach the exit
 * (endless loops) are given an edge to it, from the last of them in the text. For
 * post-dominators a way that can only end in an exit is none, if there is one that ends
 * otherwise: who exits is not waited for.
 */
#ifndef PTX_FLOW_PRIV_H
#define PTX_FLOW_PRIV_H

#include "ptx/ptx_priv.h"

struct ptx_block {
    uint32_t first, end;   /* instructions first .. end - 1 */
    uint32_t succ, n_succ; /* in ptx_flow.succ */
    uint32_t pred, n_pred; /* in ptx_flow.pred */
    uint32_t ipdom;        /* block; n_blocks: the virtual exit */
    /* ptx_flow_join(): */
    uint32_t join;  /* where lanes that part at the block's end meet: as ipdom */
    uint8_t leaves; /* bit k: who takes the k-th edge is not waited for at joins */
};

struct ptx_flow {
    struct ptx_block *block;
    uint32_t n_blocks;
    uint32_t *succ, *pred; /* blocks; successor n_blocks is the virtual exit */
    uint32_t n_succ, cap_succ;
    uint32_t *block_of; /* of each instruction */
};

/*
 * Immediate post-dominators of a graph of n nodes plus a virtual exit, node n: node i
 * has the successors succ[off[i]] .. succ[off[i + 1] - 1]. Cooper, Harvey and Kennedy's
 * iteration on the reversed graph. ipdom: n entries.
 */
void ptx_post_dominators(struct arena *a, uint32_t n, const uint32_t *off,
                         const uint32_t *succ, uint32_t *ipdom);

void ptx_flow_build(struct arena *a, const struct ptx_ir *f, struct ptx_flow *flow);

/*
 * flow_join.c: where lanes meet before the post-dominator, and the edges by which some
 * leave before that (SPEC SIMT-1). Of a branch whose join is not its ipdom, no edge
 * leaves; between it and its join every branch has its join there or at it, or one edge
 * that leaves and the same ipdom.
 */
void ptx_flow_join(struct arena *a, const struct ptx_ir *f, struct ptx_flow *flow);

/* flow_poll.c: of each instruction, whether a loop around it ends by what it reads and
 * others may change. NULL: of none. */
bool *ptx_flow_polls(struct arena *a, const struct ptx_ir *f,
                     const struct ptx_flow *flow);
/* Are there any, or a nanosleep: may lanes go on without others (SPEC SIMT-3)? */
bool ptx_flow_has_turns(struct arena *a, const struct ptx_ir *f,
                        const struct ptx_flow *flow);

/* flow_insert.c: which instructions load what only bits are put into; of a function as
 * it is written, for an assembler's are more than their names say. */
void ptx_flow_inserts(struct arena *a, struct ptx_ir *f);

/* Registers an instruction writes and reads, the guard included; predicates too. The
 * carry flag is not among them. */
struct ptx_access {
    uint32_t def[PTX_MAX_ELEMS + 256], n_def;
    uint32_t use[2 * PTX_MAX_OPNDS + 256], n_use;
};
void ptx_accesses(const struct ptx_ir *f, const struct ptx_insn *in,
                  struct ptx_access *out);

/* Whether an access keeps its place among others, for others may see it or change what
 * it reads: volatile, relaxed, acquiring, releasing, or by .cv. */
static inline bool ptx_is_volatile(const struct ptx_insn *in)
{
    return (in->form.flags & ISA_F_VOLATILE) != 0 || in->form.cache == ISA_CACHE_CV;
}

/* Whether the text says that all lanes of a warp take part in an exchange. Two of these
 * in a block may change places: the lanes that come to one come to the other. */
bool ptx_is_of_all(const struct ptx_ir *f, const struct ptx_insn *in);

/* Whether machine code for a device of capability cc has a branch in the middle of it,
 * to what is done for numbers that are not ordinary: the basic block ends there, for an
 * assembler too (SPEC PTX-4). */
bool ptx_branches_within(const struct ptx_insn *in, uint32_t cc);

/* 32-bit registers that reg takes. */
uint32_t ptx_reg_words(const struct ptx_ir *f, uint32_t reg);

/*
 * Live ranges. Instruction i reads at 2i and writes at 2i + 1; a register holds its
 * slot from start to end (exclusive), at all places where it is live and at each
 * access. start == end: never used. A guarded write does not end what was live before
 * it.
 */
struct ptx_live {
    uint32_t *start, *end;
    uint32_t max_words; /* most 32-bit words of registers live at one place */
    bool zero_first;    /* some register is live into the first instruction */
    uint32_t *words;    /* 32-bit words live at each place, 2 * n_insn + 1 of them */
    uint32_t *dying;    /* registers that a block touches and leaves dead; those of */
    uint32_t *dying_at; /* block b are dying[dying_at[b]] .. dying[dying_at[b + 1] - 1]
                         */
};
void ptx_live_build(struct arena *a, const struct ptx_ir *f,
                    const struct ptx_flow *flow, struct ptx_live *live);

/*
 * Slots. Slots 0 .. area - 1 are the incoming parameter area, then come the registers
 * of up to 32 bits, then the pairs, then temps. Predicates count apart.
 */
struct ptx_slots {
    uint32_t *of; /* slot or predicate index of each register, PTX_NONE: unused */
    uint32_t n_slots, n_preds;
    uint32_t pairs;     /* first slot of pairs */
    uint32_t temp;      /* first of the temporary slots ... */
    uint32_t temp_pair; /* ... and of those for pairs: the same, if not apart */
    uint32_t cc;        /* predicate of the carry flag, PTX_NONE: none */
};
void ptx_slots_build(struct arena *a, const struct ptx_ir *f,
                     const struct ptx_live *live, uint32_t area, uint32_t temps,
                     struct ptx_slots *slots);

/* The frames of functions: words first, then pairs, each as many slots as the function
 * that has most, so that a slot is of words in all of them or of pairs. A pair has lane
 * l's value in words 2l and 2l + 1 of its two slots, which are other lanes' words of
 * other registers: lanes of a warp may be in different functions at once. */
struct ptx_frame {
    uint32_t words, pairs; /* slots */
};
void ptx_frame_add(struct ptx_frame *frame, const struct ptx_slots *slots);
void ptx_frame_fit(const struct ptx_frame *frame, const struct ptx_ir *f,
                   struct ptx_slots *slots);

/* ---- assemble.c ---- */
/* 32-bit words that may be live at one place: what an SM full of warps has for each
 * thread, but for those that the text does not name. */
uint32_t ptx_free_words(const struct ptx_target *target);

/* ---- schedule.c ---- */
/* Permutes the instructions of each block of f: SPEC PTX-1, PTX-2. live: of f as it is;
 * no place will have more 32-bit words live than max_words or, if that is more, the
 * most that f has now. */
void ptx_schedule(struct arena *a, const struct ptx_private *pr, struct ptx_ir *f,
                  const struct ptx_flow *flow, const struct ptx_live *live,
                  uint32_t max_words, const struct ptx_target *target);

#endif /* PTX_FLOW_PRIV_H */
