/* Two instructions that the machine has one for: multiply-add, and addresses with a
 * constant beside the register. */
#include "ptx/opt_priv.h"

/* ---- multiply-add ---- */

/* Whether in is a plain integer operation of so many bits that always happens and makes
 * a value; *d: the register. */
static bool makes_value(const struct ptx_opt *o, const struct ptx_insn *in, uint32_t *d)
{
    const struct ptx_opnd *const dst = &o->f->opnd[in->opnd];

    if (in->guard != PTX_NONE || in->form.flags != 0 ||
        isa_type_is_float((enum isa_type)in->form.type) || dst->kind != OK_REG ||
        !ptx_opt_is_value(o, dst->id)) {
        return false;
    }
    *d = dst->id;
    return true;
}

/* A product that a multiply-add can take in: of 32 bits, or of the whole 64. A shift by
 * a constant is one since 2.0, whose machine code scales and adds in one instruction.
 */
static bool is_product(const struct ptx_opt *o, const struct ptx_insn *in, uint32_t *d)
{
    const struct ptx_opnd *const s = &o->f->opnd[in->opnd + 1];
    const uint32_t bits = isa_type_bits((enum isa_type)in->form.type);

    if (!makes_value(o, in, d) || bits != 32) {
        return false;
    }
    if (in->form.op == ISA_OP_SHL) {
        return o->cc >= 20 && s[1].kind == OK_IMM && s[1].value < 32;
    }
    return in->form.op == ISA_OP_MUL &&
           (in->form.sub == ISA_S_LO || in->form.sub == ISA_S_WIDE);
}

static bool is_wide(const struct ptx_insn *in)
{
    return in->form.op == ISA_OP_MUL && in->form.sub == ISA_S_WIDE;
}

/* A product by a constant can be taken from a number as well, by the constant with the
 * other sign. */
static bool is_taken_off(const struct ptx_opt *o, const struct ptx_insn *in, uint32_t k,
                         const struct ptx_insn *mul)
{
    const struct ptx_opnd *const by = &o->f->opnd[mul->opnd + 2];

    return in->form.op == ISA_OP_SUB && k == 1 && mul->form.op == ISA_OP_MUL &&
           mul->form.sub == ISA_S_LO && by->kind == OK_IMM && by->sub == IMM_INT;
}

static bool may_take_product(const struct ptx_insn *in)
{
    return in->form.op == ISA_OP_ADD || in->form.op == ISA_OP_SUB;
}

/* The product that addend k of an addition is, or the second number of a subtraction;
 * PTX_NONE: it is none that fits. */
static uint32_t product_of(struct ptx_opt *o, uint32_t add, uint32_t k)
{
    const struct ptx_insn *const in = &o->f->insn[add];
    const struct ptx_opnd *const s = &o->f->opnd[in->opnd + 1];
    uint32_t at, d;

    if (!may_take_product(in) || in->form.flags != 0 || s[k].kind != OK_REG ||
        isa_type_is_float((enum isa_type)in->form.type) || s[1 - k].kind == OK_SREG ||
        (s[1 - k].kind == OK_REG && s[1 - k].id == s[k].id)) {
        return PTX_NONE;
    }
    at = o->def[s[k].id];
    if (at == PTX_NONE || o->gone[at] || !is_product(o, &o->f->insn[at], &d) ||
        (in->form.op == ISA_OP_SUB && !is_taken_off(o, in, k, &o->f->insn[at]))) {
        return PTX_NONE;
    }
    const struct ptx_insn *const mul = &o->f->insn[at];
    const struct ptx_opnd *const m = &o->f->opnd[mul->opnd + 1];
    const bool fits =
        isa_type_bits((enum isa_type)in->form.type) == (is_wide(mul) ? 64u : 32u);

    return fits && ptx_opt_holds(o, &m[0], at, add) && ptx_opt_holds(o, &m[1], at, add)
               ? at
               : PTX_NONE;
}

static void fuse(struct ptx_opt *o, uint32_t add, uint32_t k, uint32_t at)
{
    const uint32_t first = ptx_opt_operands(o, 4);
    struct ptx_insn *const in = &o->f->insn[add];
    const struct ptx_insn *const mul = &o->f->insn[at];
    struct ptx_opnd *const to = &o->f->opnd[first];
    const struct ptx_opnd *const m = &o->f->opnd[mul->opnd];
    const bool wide = is_wide(mul);

    to[0] = o->f->opnd[in->opnd];
    to[1] = m[1];
    to[2] = m[2];
    to[3] = o->f->opnd[in->opnd + 2 - k];
    if (mul->form.op == ISA_OP_SHL) {
        to[2].value = UINT64_C(1) << m[2].value;
        to[2].sub = IMM_INT;
        in->acts_as = 1 + ISA_CL_IADD;
    }
    if (in->form.op == ISA_OP_SUB) {
        to[2].value = (uint32_t)(0u - to[2].value);
    }
    in->form.op = ISA_OP_MAD;
    in->form.sub = wide ? ISA_S_WIDE : ISA_S_LO;
    in->form.type = wide ? mul->form.type : in->form.type;
    in->row = ptx_opt_row(ISA_OP_MAD, wide ? "waaW" : "daaa");
    in->opnd = first;
    in->n_opnds = 4;
    o->n_use[m[0].id]--;
}

/* A product that only additions read goes into each; a wide one goes into those it can
 * go into, as an addition of 64 bits alone would cost the machine two instructions. */
void ptx_opt_multiply_add(struct ptx_opt *o)
{
    uint32_t *const fits = arena_alloc(o->a, (o->f->n_vreg + 1) * sizeof(fits[0]));

    for (uint32_t i = 0; i < o->f->n_insn; i++) {
        for (uint32_t k = 0; k < 2 && may_take_product(&o->f->insn[i]); k++) {
            if (product_of(o, i, k) != PTX_NONE) {
                fits[o->f->opnd[o->f->insn[i].opnd + 1 + k].id]++;
            }
        }
    }
    for (uint32_t r = 0; r < o->f->n_vreg; r++) {
        fits[r] = fits[r] == o->n_use[r];
    }
    for (uint32_t i = 0; i < o->f->n_insn; i++) {
        for (uint32_t k = 0; k < 2 && may_take_product(&o->f->insn[i]); k++) {
            const uint32_t at = product_of(o, i, k);

            if (at != PTX_NONE &&
                (is_wide(&o->f->insn[at]) ||
                 fits[o->f->opnd[o->f->insn[i].opnd + 1 + k].id] != 0)) {
                fuse(o, i, k, at);
            }
        }
    }
}

/* ---- addresses ---- */

/* Accesses hold a constant of 24 bits and a sign. */
enum { MAX_OFFSET = (1 << 23) - 1 };

static bool is_access(const struct ptx_insn *in)
{
    const enum isa_op op = (enum isa_op)in->form.op;

    return (op == ISA_OP_LD || op == ISA_OP_ST || op == ISA_OP_ATOM ||
            op == ISA_OP_RED) &&
           in->form.space != ISA_SP_PARAM;
}

/* The address of an access; NULL: it has none in a register. */
static struct ptx_opnd *address_of(const struct ptx_opt *o, const struct ptx_insn *in)
{
    struct ptx_opnd *at = NULL;

    for (uint32_t i = 0; is_access(in) && i < in->n_opnds; i++) {
        struct ptx_opnd *const v = &o->f->opnd[in->opnd + i];

        at = v->kind == OK_ADDR && v->sub == OK_REG ? v : at;
    }
    return at;
}

/* The variable of that space whose address an operand is, PTX_NONE: none is known. */
static uint32_t symbol_of(const struct ptx_opt *o, const struct ptx_opnd *v,
                          enum isa_space space)
{
    const struct ptx_opnd *s = v;

    if (v->kind == OK_REG && ptx_opt_is_value(o, v->id)) {
        const struct ptx_insn *const mov = &o->f->insn[o->def[v->id]];

        s = mov->form.op == ISA_OP_MOV && mov->guard == PTX_NONE
                ? &o->f->opnd[mov->opnd + 1]
                : v;
    }
    return s->kind == OK_SYM && s->sub != 1 && s->value == 0 &&
                   o->pr->sym[s->id].space == space
               ? s->id
               : PTX_NONE;
}

/* The sum that an address is: a register, and a constant or a variable in shared or
 * constant memory. */
struct sum {
    uint32_t reg, symbol; /* symbol PTX_NONE: a constant */
    uint64_t by;
};

static bool split(struct ptx_opt *o, const struct ptx_insn *access,
                  const struct ptx_opnd *v, const struct ptx_insn *add, struct sum *sum)
{
    const struct ptx_opnd *const s = &o->f->opnd[add->opnd + 1];

    for (uint32_t k = 0; k < 2; k++) {
        const int64_t by = (int64_t)s[k].value + (int64_t)v->value;

        if (s[1 - k].kind != OK_REG) {
            continue;
        }
        sum->reg = s[1 - k].id;
        sum->by = s[k].kind == OK_IMM ? s[k].value : 0;
        sum->symbol = PTX_NONE;
        if (s[k].kind == OK_IMM && by >= -MAX_OFFSET - 1 && by <= MAX_OFFSET) {
            return true;
        }
        if (access->form.space != ISA_SP_SHARED && access->form.space != ISA_SP_CONST) {
            continue;
        }
        sum->symbol = symbol_of(o, &s[k], (enum isa_space)access->form.space);
        if (sum->symbol != PTX_NONE && v->base == 0) {
            return true;
        }
    }
    return false;
}

/* Whether the address of an access is such a sum, which still holds there. */
static bool sum_of(struct ptx_opt *o, uint32_t i, struct sum *sum)
{
    const struct ptx_opnd *const v = address_of(o, &o->f->insn[i]);
    const uint32_t at = v == NULL ? PTX_NONE : o->def[v->id];
    struct ptx_opnd reg = {.kind = OK_REG};
    uint32_t d;

    if (at == PTX_NONE || o->f->insn[at].form.op != ISA_OP_ADD ||
        !makes_value(o, &o->f->insn[at], &d) ||
        !split(o, &o->f->insn[i], v, &o->f->insn[at], sum)) {
        return false;
    }
    reg.id = sum->reg;
    return ptx_opt_holds(o, &reg, at, i);
}

void ptx_opt_addresses(struct ptx_opt *o)
{
    uint32_t *const fits = arena_alloc(o->a, (o->f->n_vreg + 1) * sizeof(fits[0]));
    struct sum sum;

    for (uint32_t i = 0; i < o->f->n_insn; i++) {
        if (sum_of(o, i, &sum)) {
            fits[address_of(o, &o->f->insn[i])->id]++;
        }
    }
    for (uint32_t i = 0; i < o->f->n_insn; i++) {
        struct ptx_opnd *const v = address_of(o, &o->f->insn[i]);

        if (v != NULL && fits[v->id] == o->n_use[v->id] && sum_of(o, i, &sum)) {
            v->value += sum.by;
            v->base = sum.symbol == PTX_NONE ? v->base : sum.symbol + 1;
            v->id = sum.reg;
        }
    }
}
