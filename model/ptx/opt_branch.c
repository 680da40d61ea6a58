/* Branches that the machine does without: guards in their place. */
#include "ptx/opt_priv.h"

#include <string.h>

/* What ptxas 13.0 still guards for sm_90 and what it branches around, by the machine
 * code of branches over bodies of 1 to 20 instructions. */
enum { MAX_BODY = 10, MAX_STORES = 2 };

/* Since when it branches around loads of global memory: the first it was seen for. */
enum { LOADS_SINCE = 70 };

/* Whether a guard can do what a branch around in would. Lanes that meet in it must not
 * become others; what takes many machine instructions is branched around. */
static bool can_be_guarded(const struct ptx_insn *in)
{
    if (in->guard != PTX_NONE || (in->form.flags & (ISA_F_CC_IN | ISA_F_CC_OUT)) != 0) {
        return false;
    }
    switch ((enum isa_op)in->form.op) {
    case ISA_OP_LD:
    case ISA_OP_ST:
    case ISA_OP_MOV: return true;
    default: return ptx_opt_is_simple(in);
    }
}

/* Accesses to what calls pass are no instructions of their own. */
static bool is_of_call(const struct ptx_ir *f, const struct ptx_insn *in)
{
    return (in->form.op == ISA_OP_LD || in->form.op == ISA_OP_ST) &&
           in->form.space == ISA_SP_PARAM && !f->is_kernel;
}

/* How often the instructions of a body mention a register, and what the first does. */
struct mention {
    uint32_t reg, n_def, n_use;
};

static struct mention mentions(struct ptx_opt *o, uint32_t reg, uint32_t first,
                               uint32_t end)
{
    struct mention m = {.reg = reg};

    for (uint32_t i = first; i < end; i++) {
        ptx_accesses(o->f, &o->f->insn[i], &o->x);
        for (uint32_t k = 0; k < o->x.n_def; k++) {
            m.n_def += o->x.def[k] == reg;
        }
        for (uint32_t k = 0; k < o->x.n_use; k++) {
            m.n_use += o->x.use[k] == reg;
        }
    }
    return m;
}

/* Whether all that instruction i of a body writes is a value of the body alone. */
static bool is_local(struct ptx_opt *o, uint32_t i, uint32_t end)
{
    struct ptx_access *const x = arena_alloc(o->a, sizeof(*x));

    ptx_accesses(o->f, &o->f->insn[i], x);
    for (uint32_t k = 0; k < x->n_def; k++) {
        const uint32_t r = x->def[k];
        const struct mention m = mentions(o, r, i, end);

        if (!ptx_opt_is_value(o, r) || m.n_use != o->n_use[r]) {
            return false;
        }
    }
    return x->n_def > 0;
}

/* A load of memory that others may write. */
static bool is_shared_load(const struct ptx_insn *in)
{
    return in->form.op == ISA_OP_LD && in->form.cache != ISA_CACHE_NC &&
           (in->form.space == ISA_SP_GLOBAL || in->form.space == ISA_SP_GENERIC);
}

/* Whether ptxas branches around a body of so many stores for its loads of global
 * memory: all but those that only add to what is kept outside. */
static bool is_worth_a_branch(struct ptx_opt *o, uint32_t first, uint32_t end,
                              uint32_t stores)
{
    for (uint32_t i = first; i < end && o->cc >= LOADS_SINCE; i++) {
        if (is_shared_load(&o->f->insn[i]) && (stores > 0 || !is_local(o, i, end))) {
            return true;
        }
    }
    return false;
}

/* Whether the instructions from first to end can all get the guard: one block that only
 * the branch leads to. */
static bool is_body(struct ptx_opt *o, uint32_t first, uint32_t end, uint32_t guard)
{
    const struct ptx_block *const b = &o->flow.block[o->flow.block_of[first]];
    uint32_t n = 0, stores = 0;

    if (end - first > MAX_BODY || b->first != first || b->n_pred != 1) {
        return false;
    }
    for (uint32_t i = first; i < end; i++) {
        const struct ptx_insn *const in = &o->f->insn[i];

        if (o->flow.block_of[i] != o->flow.block_of[first] || !can_be_guarded(in) ||
            is_of_call(o->f, in) || ptx_opt_is_written(o, guard, i, i + 1)) {
            return false;
        }
        n++;
        stores += in->form.op == ISA_OP_ST;
    }
    return n > 0 && stores <= MAX_STORES && !is_worth_a_branch(o, first, end, stores);
}

static void guard_body(struct ptx_opt *o, uint32_t first, uint32_t end, uint32_t guard,
                       bool neg)
{
    for (uint32_t i = first; i < end; i++) {
        o->f->insn[i].is_fresh = is_local(o, i, end);
    }
    for (uint32_t i = first; i < end; i++) {
        o->f->insn[i].guard = guard;
        o->f->insn[i].guard_neg = neg;
        o->n_use[guard]++;
    }
}

/* @p bra Else; body; bra End; Else: body; End: */
static bool guard_both(struct ptx_opt *o, uint32_t i, uint32_t otherwise)
{
    const struct ptx_ir *const f = o->f;
    const struct ptx_insn *const bra = &f->insn[i];
    const uint32_t guard = bra->guard;
    const bool neg = bra->guard_neg != 0;

    if (otherwise < i + 3) {
        return false;
    }
    const struct ptx_insn *const over = &f->insn[otherwise - 1];
    if (over->form.op != ISA_OP_BRA || over->guard != PTX_NONE) {
        return false;
    }
    const uint32_t end = ptx_opt_target(f, over);
    if (end <= otherwise || end > f->n_insn ||
        o->flow.block_of[otherwise - 1] != o->flow.block_of[i + 1] ||
        !is_body(o, i + 1, otherwise - 1, guard) ||
        !is_body(o, otherwise, end, guard) || end - i > MAX_BODY + 3) {
        return false;
    }
    guard_body(o, i + 1, otherwise - 1, guard, !neg);
    guard_body(o, otherwise, end, guard, neg);
    o->gone[i] = true;
    o->gone[otherwise - 1] = true;
    return true;
}

/* Whether some path from block b comes to a barrier or a call. */
static bool meets_others(struct ptx_opt *o, uint32_t b)
{
    uint32_t *const stack =
        arena_alloc(o->a, (o->flow.n_blocks + 1) * sizeof(stack[0]));
    bool *const seen = arena_alloc(o->a, o->flow.n_blocks + 1);
    uint32_t depth = 0;

    stack[depth++] = b;
    seen[b] = true;
    while (depth > 0) {
        const struct ptx_block *const at = &o->flow.block[stack[--depth]];

        for (uint32_t i = at->first; i < at->end; i++) {
            const enum isa_op op = (enum isa_op)o->f->insn[i].form.op;

            if (op == ISA_OP_BAR || op == ISA_OP_BARRIER || op == ISA_OP_CALL) {
                return true;
            }
        }
        for (uint32_t k = 0; k < at->n_succ; k++) {
            const uint32_t s = o->flow.succ[at->succ + k];

            if (s < o->flow.n_blocks && !seen[s]) {
                seen[s] = true;
                stack[depth++] = s;
            }
        }
    }
    return false;
}

/* A branch to where the kernel ends is that end. */
static void leave(struct ptx_opt *o, uint32_t i, uint32_t to)
{
    struct ptx_insn *const bra = &o->f->insn[i];
    const struct ptx_insn *const end = &o->f->insn[to];

    if ((end->form.op != ISA_OP_RET && end->form.op != ISA_OP_EXIT) ||
        end->guard != PTX_NONE || !o->f->is_kernel ||
        meets_others(o, o->flow.block_of[i + 1])) {
        return;
    }
    bra->form = end->form;
    bra->row = end->row;
    bra->n_opnds = 0;
}

static bool is_jump(const struct ptx_insn *in)
{
    return in->form.op == ISA_OP_BRA && in->guard == PTX_NONE;
}

/* @p bra X; bra Y; X: which is how nvcc begins if and else. */
static bool is_around_jump(const struct ptx_opt *o, uint32_t i)
{
    const struct ptx_insn *const in = &o->f->insn[i];

    return in->form.op == ISA_OP_BRA && in->guard != PTX_NONE && i + 1 < o->f->n_insn &&
           is_jump(in + 1) && ptx_opt_target(o->f, in) == i + 2 &&
           o->flow.block[o->flow.block_of[i + 1]].n_pred == 1;
}

void ptx_opt_jumps(struct ptx_opt *o)
{
    for (uint32_t i = 0; i < o->f->n_insn; i++) {
        struct ptx_insn *const in = &o->f->insn[i];

        if (is_around_jump(o, i)) {
            in->guard_neg = !in->guard_neg;
            in->opnd = in[1].opnd;
            o->gone[i + 1] = true;
        } else if (is_jump(in) && ptx_opt_target(o->f, in) == i + 1) {
            o->gone[i] = true;
        }
    }
}

void ptx_opt_branches(struct ptx_opt *o)
{
    for (uint32_t n = o->f->n_insn; n > 0; n--) {
        const uint32_t i = n - 1;
        const struct ptx_insn *const bra = &o->f->insn[i];

        if (bra->form.op != ISA_OP_BRA || bra->guard == PTX_NONE ||
            i + 1 == o->f->n_insn) {
            continue;
        }
        const uint32_t to = ptx_opt_target(o->f, bra);
        if (to <= i + 1 || to >= o->f->n_insn) {
            continue;
        }
        if (is_body(o, i + 1, to, bra->guard)) {
            guard_body(o, i + 1, to, bra->guard, bra->guard_neg == 0);
            o->gone[i] = true;
        } else if (!guard_both(o, i, to)) {
            leave(o, i, to);
        }
    }
}
