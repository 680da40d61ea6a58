/*
 * Loads rise over branches around code: from where the lanes that went around meet the
 * others to before the branch.
 *
 * As the machine code of nvcc 13.0 for sm_75, 80 and 90 shows: of an unrolled loop in
 * which each pass may skip something, the loads of all passes stand before the first
 * branch, with what their addresses are made of. What else computes behind such a
 * branch goes up one. Nothing does where lanes go either of two ways, over what calls
 * (roots, rounded division) or orders memory, no load over a store that may be to its
 * memory, and nothing for which there are no registers.
 */
#include "ptx/opt_priv.h"

enum {
    SINCE_CC = 70,
    LEVELS = 8,       /* branches that loads rise over */
    MAX_AROUND = 256, /* instructions that a branch goes around */
    MAX_JOIN = 256    /* ... and from where its ways meet to the next branch */
};

struct rise {
    struct ptx_opt *o;
    uint32_t branch;            /* instruction */
    uint32_t around, join, end; /* instructions: those around which it goes, those
                                   behind which lanes have met, to the next branch */
    uint32_t words;             /* live around it, at most */
    bool *rises;                /* of each instruction of the join */
    /* What those that stay before the one looked at do: */
    uint32_t *written, *read; /* of each register: stamp, if they do */
    uint32_t stamp;
    uint32_t stored; /* bit s: they store in space s */
    bool ordered;    /* they do what loads do not pass */
    struct ptx_access x;
};

static bool computes(const struct ptx_opt *o, const struct ptx_insn *in)
{
    return !in->stops &&
           (ptx_opt_is_simple(in) || (in->form.op == ISA_OP_MOV && in->n_opnds == 2 &&
                                      o->f->opnd[in->opnd + 1].kind != OK_SREG));
}

/* Not of what calls pass, which are no instructions of their own. */
static bool loads(const struct ptx_insn *in)
{
    return in->form.op == ISA_OP_LD && !in->stops && in->form.space != ISA_SP_PARAM &&
           !ptx_is_volatile(in);
}

static bool stores(const struct ptx_insn *in)
{
    return in->form.op == ISA_OP_ST && in->form.space != ISA_SP_PARAM &&
           !ptx_is_volatile(in);
}

/* ---- branches around code ---- */

/* Whether control comes into blocks b to join only from the block before b or from one
 * of them before, and nothing in those before join does more than compute, load and
 * store. */
static bool are_skipped(const struct ptx_opt *o, uint32_t b, uint32_t join)
{
    const struct ptx_flow *const flow = &o->flow;

    for (uint32_t k = b; k <= join; k++) {
        const struct ptx_block *const block = &flow->block[k];

        for (uint32_t i = 0; i < block->n_pred; i++) {
            const uint32_t from = flow->pred[block->pred + i];

            if (from + 1 < b || from >= k) {
                return false;
            }
        }
    }
    for (uint32_t i = flow->block[b].first; i < flow->block[join].first; i++) {
        const struct ptx_insn *const in = &o->f->insn[i];

        if (in->form.op != ISA_OP_BRA && !computes(o, in) && !loads(in) &&
            !stores(in)) {
            return false;
        }
    }
    return true;
}

/* Whether block b ends in a branch around some code. */
static bool find(struct rise *r, uint32_t b)
{
    const struct ptx_opt *const o = r->o;
    const struct ptx_flow *const flow = &o->flow;
    const struct ptx_block *const top = &flow->block[b], *join;
    const struct ptx_insn *const bra = &o->f->insn[top->end - 1];

    if (top->n_succ != 2 || top->end - top->first < 2 || bra->form.op != ISA_OP_BRA ||
        top->ipdom >= flow->n_blocks || top->ipdom < b + 2) {
        return false;
    }
    join = &flow->block[top->ipdom];
    if (ptx_opt_target(o->f, bra) != join->first ||
        join->first - top->end > MAX_AROUND || join->end - join->first > MAX_JOIN ||
        !are_skipped(o, b + 1, top->ipdom)) {
        return false;
    }
    r->branch = top->end - 1;
    r->around = top->end;
    r->join = join->first;
    r->end = join->end;
    r->words = 0;
    for (uint32_t k = 2 * r->around; k < 2 * r->join; k++) {
        r->words = o->live.words[k] > r->words ? o->live.words[k] : r->words;
    }
    return true;
}

/* ---- what can rise ---- */

/* Instruction `in` stays; r->x are its accesses. */
static void stay(struct rise *r, const struct ptx_insn *in)
{
    for (uint32_t k = 0; k < r->x.n_def; k++) {
        r->written[r->x.def[k]] = r->stamp;
    }
    for (uint32_t k = 0; k < r->x.n_use; k++) {
        r->read[r->x.use[k]] = r->stamp;
    }
    if (stores(in)) {
        r->stored |= 1u << in->form.space;
    } else if (in->form.op != ISA_OP_BRA && !computes(r->o, in) && !loads(in)) {
        r->ordered = true;
    }
}

/* Whether a load passes what stays before it. */
static bool passes(const struct rise *r, const struct ptx_insn *ld)
{
    const uint32_t own = ld->form.space == ISA_SP_GENERIC
                             ? UINT32_MAX
                             : 1u << ld->form.space | 1u << ISA_SP_GENERIC;

    return !r->ordered && (ld->form.cache == ISA_CACHE_NC ||
                           ld->form.space == ISA_SP_CONST || (r->stored & own) == 0);
}

/* Whether `in`, whose accesses are r->x, can go before the branch. */
static bool can_rise(const struct rise *r, const struct ptx_insn *in)
{
    if (in->guard != PTX_NONE ||
        !(computes(r->o, in) || (loads(in) && passes(r, in)))) {
        return false;
    }
    for (uint32_t k = 0; k < r->x.n_def; k++) {
        const uint32_t reg = r->x.def[k];

        if (!ptx_opt_is_value(r->o, reg) || r->written[reg] == r->stamp ||
            r->read[reg] == r->stamp) {
            return false;
        }
    }
    for (uint32_t k = 0; k < r->x.n_use; k++) {
        if (r->written[r->x.use[k]] == r->stamp) {
            return false;
        }
    }
    return true;
}

static void look(struct rise *r)
{
    const struct ptx_ir *const f = r->o->f;

    r->stamp++;
    r->stored = 0;
    r->ordered = false;
    for (uint32_t i = r->branch; i < r->end; i++) {
        const struct ptx_insn *const in = &f->insn[i];
        bool rises;

        ptx_accesses(f, in, &r->x);
        rises = i >= r->join && can_rise(r, in);
        if (i >= r->join) {
            r->rises[i - r->join] = rises;
        }
        if (!rises) {
            stay(r, in);
        }
    }
}

/* Of those that rise, only loads do, and what their addresses are made of. */
static void keep_loads(struct rise *r)
{
    const struct ptx_ir *const f = r->o->f;

    r->stamp++;
    for (uint32_t i = r->end; i > r->join; i--) {
        bool *const rises = &r->rises[i - 1 - r->join];
        bool is_read = loads(&f->insn[i - 1]);

        if (!*rises) {
            continue;
        }
        ptx_accesses(f, &f->insn[i - 1], &r->x);
        for (uint32_t k = 0; k < r->x.n_def; k++) {
            is_read |= r->read[r->x.def[k]] == r->stamp;
        }
        for (uint32_t k = 0; k < r->x.n_use && is_read; k++) {
            r->read[r->x.use[k]] = r->stamp;
        }
        *rises = is_read;
    }
}

/* As far as there are registers for what lives on around the branch; whether any is
 * moved. */
static bool move(struct rise *r)
{
    struct ptx_opt *const o = r->o;
    bool any = false;

    for (uint32_t i = r->join; i < r->end; i++) {
        if (!r->rises[i - r->join]) {
            continue;
        }
        ptx_accesses(o->f, &o->f->insn[i], &r->x);
        for (uint32_t k = 0; k < r->x.n_def; k++) {
            r->words += ptx_reg_words(o->f, r->x.def[k]);
        }
        if (r->words > o->max_words) {
            break;
        }
        o->to[i] = r->branch;
        any = true;
    }
    return any;
}

/* Up one branch, over each there is; whether any is moved. */
static bool round_of(struct rise *r, bool loads_only)
{
    bool any = false;

    for (uint32_t b = 0; b < r->o->flow.n_blocks; b++) {
        if (!find(r, b)) {
            continue;
        }
        look(r);
        if (loads_only) {
            keep_loads(r);
        }
        any |= move(r);
    }
    if (any) {
        ptx_opt_sweep(r->o);
        ptx_opt_look(r->o);
    }
    return any;
}

void ptx_opt_rise(struct ptx_opt *o)
{
    struct rise *const r = arena_alloc(o->a, sizeof(*r));

    if (o->cc < SINCE_CC) {
        return;
    }
    r->o = o;
    r->rises = arena_alloc(o->a, MAX_JOIN);
    r->written = arena_alloc(o->a, (o->f->n_vreg + 1) * sizeof(r->written[0]));
    r->read = arena_alloc(o->a, (o->f->n_vreg + 1) * sizeof(r->read[0]));
    for (uint32_t level = 0; level < LEVELS && round_of(r, true); level++) {
    }
    (void)round_of(r, false);
}
