/* A comparison and the and, or, xor of its predicate with another are one instruction.
 */
#include "ptx/opt_priv.h"

static enum isa_bool combined(const struct ptx_insn *in)
{
    if (in->form.type != ISA_T_PRED || in->n_opnds != 3) {
        return ISA_B_NONE;
    }
    switch ((enum isa_op)in->form.op) {
    case ISA_OP_AND: return ISA_B_AND;
    case ISA_OP_OR: return ISA_B_OR;
    case ISA_OP_XOR: return ISA_B_XOR;
    default: return ISA_B_NONE;
    }
}

/* The comparison that operand k of a combination is; PTX_NONE: none that fits. */
static uint32_t comparison_of(struct ptx_opt *o, uint32_t i, uint32_t k)
{
    const struct ptx_opnd *const s = &o->f->opnd[o->f->insn[i].opnd + 1];
    uint32_t at;

    if (combined(&o->f->insn[i]) == ISA_B_NONE || s[0].kind != OK_REG ||
        s[1].kind != OK_REG || s[0].id == s[1].id || s[k].neg ||
        !ptx_opt_is_value(o, s[k].id)) {
        return PTX_NONE;
    }
    at = o->def[s[k].id];
    const struct ptx_insn *const set = &o->f->insn[at];
    const struct ptx_opnd *const a = &o->f->opnd[set->opnd];

    return set->form.op == ISA_OP_SETP && set->form.boolop == ISA_B_NONE &&
                   set->guard == PTX_NONE && set->n_opnds == 3 && a->kind == OK_REG &&
                   ptx_opt_holds(o, &a[1], at, i) && ptx_opt_holds(o, &a[2], at, i)
               ? at
               : PTX_NONE;
}

static void take_in(struct ptx_opt *o, uint32_t i, uint32_t k, uint32_t at)
{
    const uint32_t first = ptx_opt_operands(o, 4);
    struct ptx_insn *const in = &o->f->insn[i];
    const struct ptx_insn *const set = &o->f->insn[at];
    struct ptx_opnd *const to = &o->f->opnd[first];
    const enum isa_bool with = combined(in);

    to[0] = o->f->opnd[in->opnd];
    to[1] = o->f->opnd[set->opnd + 1];
    to[2] = o->f->opnd[set->opnd + 2];
    to[3] = o->f->opnd[in->opnd + 2 - k];
    in->form = set->form;
    in->form.boolop = (uint8_t)with;
    in->row = set->row;
    in->opnd = first;
    in->n_opnds = 4;
}

/* If every reader of its predicate can do it, a comparison goes into all of them. */
void ptx_opt_compare(struct ptx_opt *o)
{
    uint32_t *const fits = arena_alloc(o->a, (o->f->n_vreg + 1) * sizeof(fits[0]));

    for (uint32_t i = 0; i < o->f->n_insn; i++) {
        for (uint32_t k = 0; k < 2; k++) {
            if (comparison_of(o, i, k) != PTX_NONE) {
                fits[o->f->opnd[o->f->insn[i].opnd + 1 + k].id]++;
                break; /* the other one stays a predicate */
            }
        }
    }
    for (uint32_t i = 0; i < o->f->n_insn; i++) {
        for (uint32_t k = 0; k < 2; k++) {
            const uint32_t at = comparison_of(o, i, k);

            if (at == PTX_NONE) {
                continue;
            }
            const uint32_t reg = o->f->opnd[o->f->insn[i].opnd + 1 + k].id;
            if (fits[reg] == o->n_use[reg]) {
                take_in(o, i, k, at);
            }
            break;
        }
    }
}
