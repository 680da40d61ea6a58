/*
 * Two operations that the machine has one instruction for: three numbers are added at
 * once since 5.0 (IADD3), since 7.0 a number that was shifted to the right or turned by
 * a constant and another (LEA.HI), and since 9.0 a sum is compared with a third and the
 * smaller or larger kept (VIADDMNMX). Since 7.0 what two words have in common is
 * compared with 0 where it is made (LOP3 with a predicate). Seen in the machine code
 * that nvcc 13.0 writes for sm_75 to sm_90.
 */
#include "ptx/opt_priv.h"

enum { SUM_CC = 50, SUM_SHIFTED_CC = 70, SUM_MIN_CC = 90 };

static bool is_32(const struct ptx_insn *in)
{
    return in->form.flags == 0 && in->acts_as == 0 && in->n_opnds == 3 &&
           isa_type_bits((enum isa_type)in->form.type) == 32 &&
           !isa_type_is_float((enum isa_type)in->form.type);
}

static bool is_sum(const struct ptx_opt *o, const struct ptx_insn *in)
{
    (void)o;
    return (in->form.op == ISA_OP_ADD || in->form.op == ISA_OP_SUB) &&
           in->form.sub == ISA_S_NONE && is_32(in);
}

static bool is_choice(const struct ptx_insn *in)
{
    return (in->form.op == ISA_OP_MIN || in->form.op == ISA_OP_MAX) &&
           in->form.sub == ISA_S_NONE && is_32(in);
}

/* A shift to the right or a turn, by a constant. */
static bool is_shifted(const struct ptx_opt *o, const struct ptx_insn *in)
{
    const struct ptx_opnd *const v = &o->f->opnd[in->opnd + 1];
    const bool turns = in->form.op == ISA_OP_SHF && in->n_opnds == 4 &&
                       in->form.flags == 0 && v[0].kind == OK_REG &&
                       v[1].kind == OK_REG && v[0].id == v[1].id && v[2].kind == OK_IMM;
    const bool shifts = in->form.op == ISA_OP_SHR && in->form.type != ISA_T_S32 &&
                        is_32(in) && v[0].kind == OK_REG && v[1].kind == OK_IMM &&
                        v[1].value < 32;

    return in->form.sub != ISA_S_SUM && in->acts_as == 0 && (turns || shifts);
}

/* The sum that operand k of instruction i is the only reader of, and whose operands
 * still hold there; PTX_NONE: there is none that fits. */
static uint32_t inner(struct ptx_opt *o, uint32_t i, uint32_t k,
                      bool (*fits)(const struct ptx_opt *, const struct ptx_insn *))
{
    const struct ptx_opnd *const s = &o->f->opnd[o->f->insn[i].opnd + 1];
    const bool is_zero = s[1 - k].kind == OK_IMM && s[1 - k].value == 0; /* RZ */
    const uint32_t at = ptx_opt_made_for(o, &s[k]);
    uint32_t constants = s[1 - k].kind != OK_REG && !is_zero;

    if (at == PTX_NONE || !fits(o, &o->f->insn[at]) ||
        o->f->insn[at].guard != PTX_NONE) {
        return PTX_NONE;
    }
    const struct ptx_opnd *const m = &o->f->opnd[o->f->insn[at].opnd + 1];

    for (uint32_t n = 0; n < 2; n++) {
        constants += m[n].kind != OK_REG;
        if (m[n].kind == OK_SREG || s[1 - k].kind == OK_SREG ||
            !ptx_opt_holds(o, &m[n], at, i)) {
            return PTX_NONE;
        }
    }
    return constants <= 1 ? at : PTX_NONE;
}

/* Instruction i takes the operands from, whose results it makes by op and sub. */
static void become(struct ptx_opt *o, uint32_t i, uint32_t at, enum isa_op op,
                   enum isa_sub sub, const struct ptx_opnd from[3])
{
    const uint32_t first = ptx_opt_operands(o, 4);
    struct ptx_insn *const in = &o->f->insn[i];

    ptx_opt_take_in(o, at);
    o->f->opnd[first] = o->f->opnd[in->opnd];
    for (uint32_t n = 0; n < 3; n++) {
        o->f->opnd[first + 1 + n] = from[n];
    }
    in->form.op = op;
    in->form.sub = sub;
    in->row = ptx_opt_row(ISA_OP_MAD, "daaa");
    in->opnd = first;
    in->n_opnds = 4;
}

/* What is subtracted stands behind what is not. */
static void add_three(struct ptx_opt *o, uint32_t i, uint32_t k, uint32_t at)
{
    static const enum isa_sub subs[] = {ISA_S_SUM, ISA_S_SUM_LESS_C, ISA_S_SUM_LESS_BC};
    const struct ptx_insn *const in = &o->f->insn[i], *const sum = &o->f->insn[at];
    const struct ptx_opnd *const m = &o->f->opnd[sum->opnd + 1];
    const bool turned = in->form.op == ISA_OP_SUB && k == 1;
    const struct ptx_opnd all[3] = {m[0], m[1], o->f->opnd[in->opnd + 2 - k]};
    const bool less[3] = {turned, (sum->form.op == ISA_OP_SUB) != turned,
                          in->form.op == ISA_OP_SUB && k == 0};
    struct ptx_opnd from[3];
    uint32_t n = 0, n_less = 0;

    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t v = 0; v < 3; v++) {
            if (less[v] == (pass == 1)) {
                from[n++] = all[v];
                n_less += pass;
            }
        }
    }
    become(o, i, at, ISA_OP_MAD, subs[n_less], from);
}

static void choose_of_sum(struct ptx_opt *o, uint32_t i, uint32_t k, uint32_t at)
{
    const struct ptx_opnd *const m = &o->f->opnd[o->f->insn[at].opnd + 1];
    const struct ptx_opnd from[3] = {m[0], m[1],
                                     o->f->opnd[o->f->insn[i].opnd + 2 - k]};

    become(o, i, at, (enum isa_op)o->f->insn[i].form.op, ISA_S_SUM, from);
}

/* A shift or turn to the right and what is added to it. */
static bool add_shifted(struct ptx_opt *o, uint32_t i, uint32_t k)
{
    const struct ptx_insn *const in = &o->f->insn[i];
    const uint32_t at = in->form.op == ISA_OP_ADD && in->guard == PTX_NONE
                            ? inner(o, i, k, is_shifted)
                            : PTX_NONE;

    if (at == PTX_NONE || o->f->opnd[in->opnd + 2 - k].kind != OK_REG) {
        return false;
    }
    const struct ptx_insn *const shift = &o->f->insn[at];
    const struct ptx_opnd *const m = &o->f->opnd[shift->opnd + 1];
    const bool turns = shift->form.op == ISA_OP_SHF;
    struct ptx_opnd from[3] = {m[0], m[turns ? 2 : 1], o->f->opnd[in->opnd + 2 - k]};

    if (turns && shift->form.sub == ISA_S_L) {
        from[1].value = (32 - (from[1].value & 31)) & 31;
    }
    become(o, i, at, (enum isa_op)shift->form.op, ISA_S_SUM, from);
    o->f->insn[i].form.type = turns ? ISA_T_B32 : ISA_T_U32;
    return true;
}

static void three(struct ptx_opt *o, uint32_t i, uint32_t k)
{
    const struct ptx_insn *const in = &o->f->insn[i];
    const bool choice = o->cc >= SUM_MIN_CC && is_choice(in);
    const uint32_t at = choice || is_sum(o, in) ? inner(o, i, k, is_sum) : PTX_NONE;

    if (at == PTX_NONE) {
        return;
    }
    if (!choice) {
        add_three(o, i, k, at);
    } else if (o->f->insn[at].form.op == ISA_OP_ADD) {
        choose_of_sum(o, i, k, at);
    }
}

/* ---- what two words have in common ---- */

static bool is_common(const struct ptx_opt *o, const struct ptx_insn *in)
{
    (void)o;
    return in->form.op == ISA_OP_AND && in->form.sub == ISA_S_NONE && is_32(in);
}

/* A comparison with 0 of what two words have in common, which nobody else reads. */
static void test_common(struct ptx_opt *o, uint32_t i)
{
    const struct ptx_insn *const in = &o->f->insn[i];
    const struct ptx_opnd *const s = &o->f->opnd[in->opnd + 1];
    const bool fits = in->form.op == ISA_OP_SETP && is_32(in) &&
                      in->form.boolop == ISA_B_NONE && in->form.sub == ISA_S_NONE &&
                      (in->form.cmp == ISA_C_EQ || in->form.cmp == ISA_C_NE) &&
                      s[1].kind == OK_IMM && s[1].value == 0;
    const uint32_t at = fits ? inner(o, i, 0, is_common) : PTX_NONE;
    uint32_t first;

    if (at == PTX_NONE) {
        return;
    }
    first = ptx_opt_operands(o, 3);
    o->f->opnd[first] = o->f->opnd[o->f->insn[i].opnd];
    o->f->opnd[first + 1] = o->f->opnd[o->f->insn[at].opnd + 1];
    o->f->opnd[first + 2] = o->f->opnd[o->f->insn[at].opnd + 2];
    o->f->insn[i].opnd = first;
    o->f->insn[i].form.sub = ISA_S_AND;
    o->f->insn[i].form.type = ISA_T_B32;
    ptx_opt_take_in(o, at);
}

void ptx_opt_sums(struct ptx_opt *o)
{
    for (uint32_t i = 0; i < o->f->n_insn && o->cc >= SUM_SHIFTED_CC; i++) {
        test_common(o, i);
    }
    for (uint32_t i = 0; i < o->f->n_insn && o->cc >= SUM_CC; i++) {
        for (uint32_t k = 0; k < 2; k++) {
            if (o->cc < SUM_SHIFTED_CC || !is_sum(o, &o->f->insn[i]) ||
                !add_shifted(o, i, k)) {
                three(o, i, k);
            }
        }
    }
}
