/*
 * Two shifts by constants whose results lie side by side in a word, x << k | y >> 32-k,
 * become one of both registers (SHF), since 7.0. Seen in the machine code that nvcc
 * 13.0 writes for sm_75, 80, 86, 89 and 90; of one register the text mostly says so
 * (shf).
 */
#include "ptx/opt_priv.h"

enum { SINCE_CC = 70, WORD = 32 };

/* Shifts a word by a constant to that side, and nothing else. */
static bool is_shift(const struct ptx_opt *o, const struct ptx_insn *in, enum isa_op op)
{
    const struct ptx_opnd *const v = &o->f->opnd[in->opnd + 1];
    const bool is_signed = op == ISA_OP_SHR && in->form.type == ISA_T_S32;

    return in->form.op == op && in->form.sub == ISA_S_NONE && in->acts_as == 0 &&
           in->guard == PTX_NONE && in->n_opnds == 3 && !is_signed &&
           isa_type_bits((enum isa_type)in->form.type) == WORD && v[0].kind == OK_REG &&
           !v[0].neg && v[1].kind == OK_IMM && v[1].value - 1 < WORD - 1;
}

/* The shift that operand v of instruction i is the only reader of; PTX_NONE: another
 * instruction, or its own operand has changed since. */
static uint32_t shift_of(struct ptx_opt *o, const struct ptx_opnd *v, uint32_t i,
                         enum isa_op op)
{
    const uint32_t at = ptx_opt_made_for(o, v);

    return at != PTX_NONE && is_shift(o, &o->f->insn[at], op) &&
                   ptx_opt_holds(o, &o->f->opnd[o->f->insn[at].opnd + 1], at, i)
               ? at
               : PTX_NONE;
}

/* Instruction i is of what the shifts to the left and to the right take. */
static void become(struct ptx_opt *o, uint32_t i, uint32_t left, uint32_t right)
{
    const uint32_t first = ptx_opt_operands(o, 4);
    struct ptx_insn *const in = &o->f->insn[i];
    struct ptx_opnd *const to = &o->f->opnd[first];

    to[0] = o->f->opnd[in->opnd];
    to[1] = o->f->opnd[o->f->insn[right].opnd + 1];
    to[2] = o->f->opnd[o->f->insn[left].opnd + 1];
    to[3] = o->f->opnd[o->f->insn[left].opnd + 2];
    in->form.op = ISA_OP_SHF;
    in->form.sub = ISA_S_L;
    in->row = ptx_opt_row(ISA_OP_SHF, "daaU");
    in->opnd = first;
    in->n_opnds = 4;
}

void ptx_opt_funnel(struct ptx_opt *o)
{
    for (uint32_t i = 0; i < o->f->n_insn && o->cc >= SINCE_CC; i++) {
        const struct ptx_insn *const in = &o->f->insn[i];

        if (in->form.op != ISA_OP_OR || in->form.type != ISA_T_B32) {
            continue;
        }
        for (uint32_t k = 0; k < 2; k++) {
            const struct ptx_opnd *const v = &o->f->opnd[in->opnd + 1];
            const uint32_t left = shift_of(o, &v[k], i, ISA_OP_SHL);
            const uint32_t right = shift_of(o, &v[1 - k], i, ISA_OP_SHR);

            if (left != PTX_NONE && right != PTX_NONE &&
                o->f->opnd[o->f->insn[left].opnd + 2].value +
                        o->f->opnd[o->f->insn[right].opnd + 2].value ==
                    WORD) {
                become(o, i, left, right);
                ptx_opt_take_in(o, left);
                ptx_opt_take_in(o, right);
                break;
            }
        }
    }
}
