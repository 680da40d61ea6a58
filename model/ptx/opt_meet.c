/*
 * Where lanes part and meet again: since 7.0 an instruction before a branch that lanes
 * may take differently says where they meet (BSSY), and there one waits for the others
 * (BSYNC). Around a loop that lanes leave one by one the first stands before the loop.
 *
 * An exchange of all lanes where some may have gone another way since the last barrier
 * of the block stands behind a test whether all have come, at which a basic block ends:
 * a shuffle or reduction behind a branch (BRA.DIV, and a move of the mask), a vote or
 * match behind an instruction that waits (WARPSYNC.ALL). Those that follow in the block
 * are behind the same test. Lanes that a guarded exit ends have gone no other way.
 *
 * Lanes differ in what is made from the number of the thread, from memory, and from
 * what other lanes give; what is made from parameters and sizes is the same in all, and
 * what a vote or a reduction of all lanes gives. Seen in the machine code that nvcc
 * 13.0 writes for sm_75 to sm_100, the tests in that for sm_90.
 */
#include "ptx/opt_priv.h"

#include <string.h>

static bool is_of_thread(const struct ptx_opnd *v)
{
    return v->kind == OK_SREG &&
           (v->id <= ISA_SR_TID_Z || v->id == ISA_SR_LANEID ||
            (v->id >= ISA_SR_LANEMASK_EQ && v->id <= ISA_SR_GLOBALTIMER_HI));
}

/* Whether the results are equal however the operands differ. */
static bool is_equal_itself(const struct ptx_ir *f, const struct ptx_insn *in)
{
    return (in->form.op == ISA_OP_VOTE || in->form.op == ISA_OP_REDUX) &&
           ptx_is_of_all(f, in);
}

/* Whether the results may differ however equal the operands are. */
static bool differs_itself(const struct ptx_ir *f, const struct ptx_insn *in)
{
    switch ((enum isa_op)in->form.op) {
    case ISA_OP_LD:
    case ISA_OP_LDU: return in->form.space != ISA_SP_PARAM || !f->is_kernel;
    case ISA_OP_ATOM:
    case ISA_OP_TEX:
    case ISA_OP_TLD4:
    case ISA_OP_SULD:
    case ISA_OP_MBARRIER:
    case ISA_OP_SHFL:
    case ISA_OP_MATCH:
    case ISA_OP_ELECT:
    case ISA_OP_CALL: return true;
    default: break;
    }
    for (uint32_t i = 0; i < in->n_opnds; i++) {
        if (is_of_thread(&f->opnd[in->opnd + i])) {
            return true;
        }
    }
    return false;
}

/* Of each register: lanes may hold different values in it. */
static bool *find_varying(struct ptx_opt *o)
{
    bool *const varies = arena_alloc(o->a, o->f->n_vreg + 1);
    bool more = true;

    for (uint32_t r = 0; r < o->f->n_vreg && !o->f->is_kernel; r++) {
        varies[r] = o->live.start[r] == 0; /* arguments */
    }
    while (more) {
        more = false;
        for (uint32_t i = 0; i < o->f->n_insn; i++) {
            bool any = differs_itself(o->f, &o->f->insn[i]);

            ptx_accesses(o->f, &o->f->insn[i], &o->x);
            for (uint32_t k = 0; k < o->x.n_use; k++) {
                any |= varies[o->x.use[k]];
            }
            any &= !is_equal_itself(o->f, &o->f->insn[i]);
            for (uint32_t k = 0; k < o->x.n_def && any; k++) {
                more |= !varies[o->x.def[k]];
                varies[o->x.def[k]] = true;
            }
        }
    }
    return varies;
}

/* The first instruction of the outermost loop that holds i and ends before end; i: of
 * none. */
static uint32_t loop_of(const struct ptx_opt *o, uint32_t i, uint32_t end)
{
    uint32_t first = i;

    for (uint32_t k = end; k > first; k--) {
        const struct ptx_insn *const in = &o->f->insn[k - 1];

        if (in->form.op == ISA_OP_BRA && ptx_opt_target(o->f, in) <= first) {
            first = ptx_opt_target(o->f, in);
        }
    }
    return first;
}

/* Lanes that come to the kernel's end are done, and wait for none. */
static bool ends_kernel(const struct ptx_ir *f, const struct ptx_insn *in)
{
    return in->form.op == ISA_OP_EXIT || (in->form.op == ISA_OP_RET && f->is_kernel);
}

/* A branch that lanes of a warp may take differently. */
static bool parts(const struct ptx_insn *in, const bool *varies)
{
    return in->form.op == ISA_OP_BRA && in->guard != PTX_NONE && varies[in->guard] &&
           (in->form.flags & ISA_F_UNI) == 0;
}

/* Where lanes wait for each other: those of a block, or of a warp. */
static bool is_barrier(const struct ptx_insn *in)
{
    return in->form.op == ISA_OP_BAR || in->form.op == ISA_OP_BARRIER;
}

/* Of each block, whether a lane may come to it before another of its warp. */
struct apart {
    const struct ptx_flow *flow;
    bool *is, *waits;         /* waits: a barrier is in the block */
    uint32_t *reached, *todo; /* reached: 1 + the last block that parts before it */
};

/* Lanes part at the end of a block: until they meet, or wait for each other. */
static void spread(struct apart *p, uint32_t from)
{
    const struct ptx_flow *const flow = p->flow;
    uint32_t n = 0;

    p->todo[n++] = from;
    while (n > 0) {
        const struct ptx_block *const b = &flow->block[p->todo[--n]];

        for (uint32_t k = 0; k < b->n_succ; k++) {
            const uint32_t to = flow->succ[b->succ + k];

            if (to == flow->block[from].join || to >= flow->n_blocks ||
                p->reached[to] == from + 1) {
                continue;
            }
            p->reached[to] = from + 1;
            p->is[to] = true;
            if (!p->waits[to]) {
                p->todo[n++] = to;
            }
        }
    }
}

static const bool *find_apart(struct ptx_opt *o, const bool *varies)
{
    const uint32_t n = o->flow.n_blocks;
    struct apart p = {&o->flow, arena_alloc(o->a, n + 1), arena_alloc(o->a, n + 1),
                      arena_alloc(o->a, (n + 1) * sizeof(uint32_t)),
                      arena_alloc(o->a, (n + 1) * sizeof(uint32_t))};

    for (uint32_t i = 0; i < o->f->n_insn; i++) {
        p.waits[o->flow.block_of[i]] |= is_barrier(&o->f->insn[i]);
    }
    for (uint32_t b = 0; b < n; b++) {
        if (parts(&o->f->insn[o->flow.block[b].end - 1], varies)) {
            spread(&p, b);
        }
    }
    return p.is;
}

/* Instructions before an exchange of all lanes of a warp, if they may be apart. */
static uint8_t tests_of(const struct ptx_ir *f, const struct ptx_insn *in)
{
    enum { WAIT = 1, MOVE_AND_BRANCH = 2 };

    switch (ptx_is_of_all(f, in) ? (enum isa_op)in->form.op : ISA_N_OPS) {
    case ISA_OP_VOTE:
    case ISA_OP_MATCH: return WAIT;
    case ISA_OP_SHFL:
    case ISA_OP_REDUX: return MOVE_AND_BRANCH;
    default: return 0;
    }
}

static void find_tests(struct ptx_opt *o, const bool *varies, uint8_t *tests)
{
    const bool *apart;
    bool any = false;

    for (uint32_t i = 0; i < o->f->n_insn; i++) {
        any |= tests_of(o->f, &o->f->insn[i]) != 0;
    }
    if (!any) {
        return;
    }
    apart = find_apart(o, varies);
    for (uint32_t b = 0; b < o->flow.n_blocks; b++) {
        bool asks = apart[b];

        for (uint32_t i = o->flow.block[b].first; i < o->flow.block[b].end; i++) {
            tests[i] = asks ? tests_of(o->f, &o->f->insn[i]) : 0;
            asks &= tests[i] == 0 && !is_barrier(&o->f->insn[i]);
        }
    }
}

void ptx_opt_meets(struct ptx_opt *o, uint8_t *n, uint8_t *before, uint8_t *tests)
{
    const bool *const varies = find_varying(o);
    bool *const done = arena_alloc(o->a, o->flow.n_blocks + 1);

    ptx_flow_join(o->a, o->f, &o->flow);
    find_tests(o, varies, tests);
    for (uint32_t i = 0; i < o->f->n_insn; i++) {
        const struct ptx_insn *const in = &o->f->insn[i];
        const uint32_t meet = o->flow.block[o->flow.block_of[i]].join;

        if (!parts(in, varies) || meet >= o->flow.n_blocks || done[meet] ||
            ends_kernel(o->f, &o->f->insn[o->flow.block[meet].first])) {
            continue;
        }
        const uint32_t end = o->flow.block[meet].first;
        const uint32_t loop = end > i ? loop_of(o, i, end) : i;

        done[meet] = true;
        n[end] += n[end] < UINT8_MAX;
        if (loop < i) {
            before[loop] += before[loop] < UINT8_MAX;
        } else {
            n[i] += n[i] < UINT8_MAX;
        }
    }
}
