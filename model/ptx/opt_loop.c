/*
 * Constants and addresses that a loop makes anew each time are made before it.
 *
 * A loop is what lies between a label and a branch back to it, if control comes in only
 * by falling into the label. What is moved to before the label is done at least as soon
 * as the loop is entered, and nothing it makes is read before.
 */
#include "ptx/opt_priv.h"

#include <string.h>

enum { MAX_STEPS = 10 * 1000 * 1000 }; /* over all loops of a function */

struct loops {
    uint32_t *start; /* of each instruction: first of its outermost loop, PTX_NONE */
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
    for (uint32_t i = 0; i < o->f->n_insn && l->steps < MAX_STEPS; i++) {
        const struct ptx_insn *const in = &o->f->insn[i];
        uint32_t at;

        if (in->form.op != ISA_OP_BRA) {
            continue;
        }
        at = o->f->label[o->f->opnd[in->opnd].id].at;
        if (at > i || !has_one_entry(o, o->flow.block_of[at], o->flow.block_of[i], l)) {
            continue;
        }
        for (uint32_t k = at; k <= i; k++) {
            l->start[k] = at < l->start[k] ? at : l->start[k];
        }
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
    struct loops l = {0};

    l.start = arena_alloc(o->a, (o->f->n_insn + 1) * sizeof(l.start[0]));
    memset(l.start, 0xff, (o->f->n_insn + 1) * sizeof(l.start[0]));
    find_loops(o, &l);
    for (uint32_t i = 0; i < o->f->n_insn; i++) {
        if (l.start[i] != PTX_NONE && makes_constant(o, &o->f->insn[i])) {
            o->to[i] = l.start[i];
        }
    }
}
