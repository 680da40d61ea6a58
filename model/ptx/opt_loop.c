/*
 * Constants, addresses and reciprocals of divisors that a loop makes anew each time are
 * made before it; divisions by one divisor share its reciprocal.
 *
 * A loop is what lies between a label and a branch back to it, if control comes in only
 * by falling into the label. What is moved to before the label is done at least as soon
 * as the loop is entered, and nothing it makes is read before.
 */
#include "ptx/opt_priv.h"

enum {
    MAX_STEPS = 10 * 1000 * 1000, /* over all loops of a function */
    DIVISORS_CC = 70              /* SPEC PTX-4: what a division is made of */
};

struct loop {
    uint32_t first, last; /* instructions: behind the label, the branch back */
};

struct loops {
    struct loop *loop; /* in the order of their branches */
    uint32_t n;
    uint64_t steps;
};

/* Whether all ways into blocks first to last, but from among them, fall into first. */
static bool has_one_entry(const struct ptx_opt *o, uint32_t first, uint32_t last,
                          struct loops *l)
{
    const struct ptx_flow *const flow = &o->flow;
    bool falls = false;

    for (uint32_t b = first; b <= last; b++) {
        for (uint32_t k = 0; k < flow->block[b].n_pred; k++) {
            const uint32_t p = flow->pred[flow->block[b].pred + k];

            l->steps++;
            if (p >= first && p <= last) {
                continue;
            }
            const struct ptx_insn *const in = &o->f->insn[flow->block[p].end - 1];
            if (b != first || p + 1 != first || in->form.op == ISA_OP_BRX ||
                (in->form.op == ISA_OP_BRA &&
                 o->f->label[o->f->opnd[in->opnd].id].at == flow->block[first].first)) {
                return false;
            }
            falls = true;
        }
    }
    return falls;
}

static void find_loops(const struct ptx_opt *o, struct loops *l)
{
    *l = (struct loops){.loop = arena_alloc(o->a, (o->f->n_label + o->f->n_insn + 1) *
                                                      sizeof(l->loop[0]))};
    for (uint32_t i = 0; i < o->f->n_insn && l->steps < MAX_STEPS; i++) {
        const struct ptx_insn *const in = &o->f->insn[i];
        uint32_t at;

        if (in->form.op != ISA_OP_BRA) {
            continue;
        }
        at = ptx_opt_target(o->f, in);
        if (at > i || !has_one_entry(o, o->flow.block_of[at], o->flow.block_of[i], l)) {
            continue;
        }
        l->loop[l->n++] = (struct loop){at, i};
        l->steps += i - at;
    }
}

/* mov of a constant, or of the address of a variable, to a register that is a value. */
static bool makes_constant(const struct ptx_opt *o, const struct ptx_insn *in)
{
    const struct ptx_opnd *const v = &o->f->opnd[in->opnd];

    return in->form.op == ISA_OP_MOV && in->guard == PTX_NONE && v[0].kind == OK_REG &&
           (v[1].kind == OK_IMM || v[1].kind == OK_SYM) &&
           o->f->vreg[v[0].id].type != ISA_T_PRED && ptx_opt_is_value(o, v[0].id);
}

void ptx_opt_hoist(struct ptx_opt *o)
{
    struct loops l;

    find_loops(o, &l);
    for (uint32_t k = 0; k < l.n; k++) {
        for (uint32_t i = l.loop[k].first; i <= l.loop[k].last; i++) {
            if (makes_constant(o, &o->f->insn[i])) {
                o->to[i] = o->to[i] < l.loop[k].first ? o->to[i] : l.loop[k].first;
            }
        }
    }
}

/* ---- divisors ---- */

/* A division of 32 bits by a register. */
static bool divides(const struct ptx_opt *o, const struct ptx_insn *in)
{
    const struct ptx_opnd *const v = &o->f->opnd[in->opnd];

    return (in->form.op == ISA_OP_DIV || in->form.op == ISA_OP_REM) &&
           (in->form.type == ISA_T_U32 || in->form.type == ISA_T_S32) &&
           v[2].kind == OK_REG && !v[2].neg;
}

static uint32_t divisor_of(const struct ptx_opt *o, const struct ptx_insn *in)
{
    return o->f->opnd[in->opnd + 2].id;
}

/* The first instruction of the outermost loop around i in which its divisor stays the
 * same; PTX_NONE: there is none. */
static uint32_t stays_in(struct ptx_opt *o, const struct loops *l, uint32_t i)
{
    const uint32_t by = divisor_of(o, &o->f->insn[i]);
    uint32_t first = PTX_NONE;

    for (uint32_t k = 0; k < l->n; k++) {
        const struct loop *const x = &l->loop[k];

        if (x->first <= i && i <= x->last && x->first < first &&
            !ptx_opt_is_written(o, by, x->first, x->last)) {
            first = x->first;
        }
    }
    return first;
}

/* Whether the block divides more than once by the same. */
static bool divides_again(const struct ptx_opt *o, uint32_t i)
{
    const struct ptx_block *const block = &o->flow.block[o->flow.block_of[i]];
    uint32_t n = 0;

    for (uint32_t k = block->first; k < block->end; k++) {
        const struct ptx_insn *const other = &o->f->insn[k];

        n += divides(o, other) && other->form.type == o->f->insn[i].form.type &&
             divisor_of(o, other) == divisor_of(o, &o->f->insn[i]);
    }
    return n > 1;
}

/* Whether the block has divided by the same before. */
static bool has_divided(struct ptx_opt *o, uint32_t i)
{
    const struct ptx_insn *const in = &o->f->insn[i];
    const uint32_t start = o->flow.block[o->flow.block_of[i]].first;

    for (uint32_t k = i; k > start; k--) {
        const struct ptx_insn *const other = &o->f->insn[k - 1];

        if (divides(o, other) && other->guard == PTX_NONE &&
            other->form.type == in->form.type &&
            divisor_of(o, other) == divisor_of(o, in)) {
            return !ptx_opt_is_written(o, divisor_of(o, in), k - 1, i);
        }
    }
    return false;
}

/* A division that makes the reciprocal alone: a result that nobody reads. */
static struct ptx_insn reciprocal(struct ptx_opt *o, uint32_t of)
{
    static const char text[] = "(reciprocal of a divisor)";
    const uint32_t first = ptx_opt_operands(o, 3);
    struct ptx_insn in = o->f->insn[of];

    o->f->opnd[first] =
        (struct ptx_opnd){.kind = OK_REG,
                          .id = ptx_opt_register(o, (enum isa_type)in.form.type)};
    o->f->opnd[first + 1] = o->f->opnd[first + 2] = o->f->opnd[in.opnd + 2];
    in.form.op = ISA_OP_DIV;
    in.form.sub = ISA_S_RECIPROCAL;
    in.row = ptx_opt_row(ISA_OP_DIV, "daa");
    in.opnd = first;
    in.guard = PTX_NONE;
    in.guard_neg = 0;
    in.is_fresh = false;
    in.text = text;
    in.text_len = sizeof(text) - 1;
    return in;
}

/* A reciprocal that is made before a loop. */
struct made {
    uint32_t first, by, type; /* of the loop; the divisor and its type */
};

static bool is_made(const struct made *made, uint32_t n, const struct made *m)
{
    for (uint32_t k = 0; k < n; k++) {
        if (made[k].first == m->first && made[k].by == m->by &&
            made[k].type == m->type) {
            return true;
        }
    }
    return false;
}

void ptx_opt_divisors(struct ptx_opt *o)
{
    const uint32_t n_old = o->f->n_insn;
    struct made *const made = arena_alloc(o->a, (n_old + 1) * sizeof(made[0]));
    uint32_t n_made = 0;
    struct loops l;

    find_loops(o, &l);
    for (uint32_t i = 0; i < n_old && o->cc >= DIVISORS_CC; i++) {
        struct made m = {.type = o->f->insn[i].form.type};

        if (!divides(o, &o->f->insn[i])) {
            continue;
        }
        m.first =
            m.type == ISA_T_S32 && divides_again(o, i) ? PTX_NONE : stays_in(o, &l, i);
        m.by = divisor_of(o, &o->f->insn[i]);
        if (m.first != PTX_NONE && !is_made(made, n_made, &m)) {
            made[n_made++] = m;
            *PTX_PUSH(o->a, o->f->insn, o->f->n_insn, o->f->cap_insn) =
                reciprocal(o, i);
        }
        if (m.first != PTX_NONE || has_divided(o, i)) {
            o->f->insn[i].form.sub = ISA_S_KNOWN;
        }
    }
    ptx_opt_room(o);
    for (uint32_t k = 0; k < n_made; k++) {
        o->to[n_old + k] = made[k].first;
    }
}
