/*
 * Products of 64 bits that the machine has less to do for than their text says.
 *
 * A product of 64 bits whose factors were extended from 32 is one of 32 bits with a
 * wide result, as mul.wide says: one instruction (IMAD.WIDE) instead of four or so. The
 * front end writes it so itself where it sees both extensions; ptxas does where they
 * are in other blocks too, as the machine code of nvcc 13.0 for sm_90 shows.
 *
 * Of a wide product that is only shifted by 32 or more and then cut to 32 bits, as
 * compilers divide by constants, the machine reads the upper register: the shift is one
 * of 32 bits, and nothing is cut.
 */
#include "ptx/opt_priv.h"

/* The instruction that makes operand v a value, if it is of that kind and has its own
 * way with no lane; PTX_NONE: it is not. */
static uint32_t made_by(const struct ptx_opt *o, const struct ptx_opnd *v,
                        enum isa_op op)
{
    uint32_t at;

    if (v->kind != OK_REG || v->neg || !ptx_opt_is_value(o, v->id)) {
        return PTX_NONE;
    }
    at = o->def[v->id];
    return o->f->insn[at].form.op == op && o->f->insn[at].guard == PTX_NONE &&
                   o->f->insn[at].form.flags == 0
               ? at
               : PTX_NONE;
}

/* The number that factor v of instruction i was extended from, with its sign or not. */
static const struct ptx_opnd *narrow(struct ptx_opt *o, const struct ptx_opnd *v,
                                     uint32_t i, enum isa_type from)
{
    const struct ptx_insn *cvt;
    const struct ptx_opnd *s;
    uint32_t at;

    if (v->kind == OK_IMM) {
        const bool fits = from == ISA_T_U32 ? v->value <= UINT32_MAX
                                            : (int64_t)v->value == (int32_t)v->value;

        return v->sub == IMM_INT && fits ? v : NULL;
    }
    at = made_by(o, v, ISA_OP_CVT);
    if (at == PTX_NONE) {
        return NULL;
    }
    cvt = &o->f->insn[at];
    s = &o->f->opnd[cvt->opnd + 1];
    return cvt->form.type2 == from &&
                   isa_type_bits((enum isa_type)cvt->form.type) == 64 &&
                   s->kind == OK_REG && !s->neg && ptx_reg_bits(o->f, s->id) == 32 &&
                   ptx_opt_holds(o, s, at, i)
               ? s
               : NULL;
}

static bool is_long_product(const struct ptx_insn *in)
{
    return (in->form.op == ISA_OP_MUL || in->form.op == ISA_OP_MAD) &&
           in->form.sub == ISA_S_LO && in->form.flags == 0 &&
           (in->form.type == ISA_T_U64 || in->form.type == ISA_T_S64);
}

static bool make_wide(struct ptx_opt *o, uint32_t i, enum isa_type from)
{
    struct ptx_insn *const in = &o->f->insn[i];
    const struct ptx_opnd *v = &o->f->opnd[in->opnd], *factor[2];
    struct ptx_opnd made[4];
    uint32_t first;

    factor[0] = narrow(o, &v[1], i, from);
    factor[1] = narrow(o, &v[2], i, from);
    if (factor[0] == NULL || factor[1] == NULL ||
        (factor[0]->kind == OK_IMM && factor[1]->kind == OK_IMM)) {
        return false;
    }
    made[0] = v[0];
    made[1] = *factor[0];
    made[2] = *factor[1];
    made[3] = v[in->n_opnds - 1u];
    for (uint32_t k = 1; k <= 2; k++) {
        if (v[k].kind == OK_REG) {
            o->n_use[v[k].id]--;
        }
    }
    first = ptx_opt_operands(o, in->n_opnds);
    for (uint32_t k = 0; k < in->n_opnds; k++) {
        o->f->opnd[first + k] = made[k];
    }
    in->opnd = first;
    in->form.sub = ISA_S_WIDE;
    in->form.type = from;
    in->row = ptx_opt_row((enum isa_op)in->form.op,
                          in->form.op == ISA_OP_MUL ? "waa" : "waaW");
    return true;
}

/* ---- the upper word of a wide product ---- */

enum { WORD_BITS = 32 };

/* The product of whose upper word conversion i is what a shift by a constant leaves:
 * the 32 bits that a compiler divides by a constant with. *shift: the shift. */
static uint32_t product_above(const struct ptx_opt *o, uint32_t i, uint32_t *shift)
{
    const struct ptx_insn *const cvt = &o->f->insn[i];
    const struct ptx_opnd *const v = &o->f->opnd[cvt->opnd], *s;
    uint32_t at;

    if (cvt->form.op != ISA_OP_CVT || cvt->form.flags != 0 ||
        isa_type_bits((enum isa_type)cvt->form.type) != WORD_BITS ||
        isa_type_is_float((enum isa_type)cvt->form.type) ||
        isa_type_bits((enum isa_type)cvt->form.type2) != 2 * WORD_BITS ||
        isa_type_is_float((enum isa_type)cvt->form.type2)) {
        return PTX_NONE;
    }
    *shift = made_by(o, &v[1], ISA_OP_SHR);
    if (*shift == PTX_NONE || o->n_use[v[1].id] != 1) {
        return PTX_NONE;
    }
    s = &o->f->opnd[o->f->insn[*shift].opnd];
    if (s[2].kind != OK_IMM || s[2].value < WORD_BITS || s[2].value >= 2 * WORD_BITS) {
        return PTX_NONE;
    }
    at = made_by(o, &s[1], ISA_OP_MUL);
    return at != PTX_NONE && o->f->insn[at].form.sub == ISA_S_WIDE &&
                   isa_type_bits((enum isa_type)o->f->insn[at].form.type) == WORD_BITS
               ? at
               : PTX_NONE;
}

/* Conversion i reads the upper word, which is in a register of its own: it is the shift
 * by what is left. That of 64 bits has no reader then. */
static void take_upper(struct ptx_opt *o, uint32_t i, uint32_t shift, uint32_t upper)
{
    const uint32_t first = ptx_opt_operands(o, 3);
    const struct ptx_insn *const shr = &o->f->insn[shift];
    struct ptx_insn *const in = &o->f->insn[i];
    struct ptx_opnd *const to = &o->f->opnd[first];

    to[0] = o->f->opnd[in->opnd];
    to[1] = (struct ptx_opnd){.kind = OK_REG, .id = upper};
    to[2] = o->f->opnd[shr->opnd + 2];
    to[2].value -= WORD_BITS;
    in->form =
        (struct isa_form){.op = ISA_OP_SHR,
                          .type = shr->form.type == ISA_T_S64 ? ISA_T_S32 : ISA_T_U32};
    in->row = ptx_opt_row(ISA_OP_SHR, "daU");
    in->opnd = first;
    in->n_opnds = 3;
}

static void upper_words(struct ptx_opt *o)
{
    const uint32_t n_reg = o->f->n_vreg;
    uint32_t *const reads = arena_alloc(o->a, (n_reg + 1) * sizeof(reads[0]));
    uint32_t *const upper = arena_alloc(o->a, (n_reg + 1) * sizeof(upper[0]));
    uint32_t shift, at;

    for (uint32_t i = 0; i < o->f->n_insn; i++) {
        at = product_above(o, i, &shift);
        if (at != PTX_NONE) {
            reads[o->f->opnd[o->f->insn[at].opnd].id]++;
        }
    }
    for (uint32_t i = 0; i < o->f->n_insn; i++) {
        uint32_t whole;

        at = product_above(o, i, &shift);
        if (at == PTX_NONE) {
            continue;
        }
        whole = o->f->opnd[o->f->insn[at].opnd].id;
        if (reads[whole] != o->n_use[whole]) {
            continue; /* somebody reads the lower word */
        }
        if (upper[whole] == 0) {
            upper[whole] = 1 + ptx_opt_register(o, ISA_T_U32);
        }
        take_upper(o, i, shift, upper[whole] - 1);
    }
    for (uint32_t i = 0; i < o->f->n_insn; i++) {
        struct ptx_insn *const in = &o->f->insn[i];
        struct ptx_opnd *const d = &o->f->opnd[in->opnd];

        if (in->form.op == ISA_OP_MUL && in->form.sub == ISA_S_WIDE &&
            d->kind == OK_REG && d->id < n_reg && upper[d->id] != 0) {
            d->id = upper[d->id] - 1;
            in->form.sub = ISA_S_HI;
            in->row = ptx_opt_row(ISA_OP_MUL, "daa");
        }
    }
    ptx_opt_room(o);
}

void ptx_opt_products(struct ptx_opt *o)
{
    for (uint32_t i = 0; i < o->f->n_insn; i++) {
        if (is_long_product(&o->f->insn[i]) && !make_wide(o, i, ISA_T_U32)) {
            (void)make_wide(o, i, ISA_T_S32);
        }
    }
    upper_words(o);
}
