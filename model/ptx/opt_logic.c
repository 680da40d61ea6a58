/*
 * Logic operations of up to three different operands become one (LOP3), since 5.0.
 *
 * An operation takes in as many as it can of those that it alone reads, the first of
 * its operands before the others, so that no more than three operands are left, of
 * which one may be a constant. Seen in the machine code that nvcc 13.0 writes for sm_75
 * to sm_90.
 */
#include "ptx/opt_priv.h"

enum { SINCE_CC = 50, MAX_LEAVES = 3, ALL_TRUE = 0xff };

/* What lop3's table has for each of its operands alone. */
static const uint32_t leaf_table[MAX_LEAVES] = {0xf0, 0xcc, 0xaa};

/* A function of up to three operands. */
struct logic {
    struct ptx_opnd leaf[MAX_LEAVES];
    uint32_t n, table;
};

static bool is_logic(const struct ptx_insn *in)
{
    switch ((enum isa_op)in->form.op) {
    case ISA_OP_AND:
    case ISA_OP_OR:
    case ISA_OP_XOR:
    case ISA_OP_NOT: return in->form.type == ISA_T_B32;
    case ISA_OP_LOP3: return true;
    default: return false;
    }
}

static uint32_t n_operands(const struct ptx_insn *in)
{
    return in->form.op == ISA_OP_NOT ? 1 : in->form.op == ISA_OP_LOP3 ? 3 : 2;
}

/* The table of an instruction whose operands have these. */
static uint32_t apply(const struct ptx_opt *o, const struct ptx_insn *in,
                      const uint32_t v[MAX_LEAVES])
{
    uint32_t lut, table = 0;

    switch ((enum isa_op)in->form.op) {
    case ISA_OP_AND: return v[0] & v[1];
    case ISA_OP_OR: return v[0] | v[1];
    case ISA_OP_XOR: return v[0] ^ v[1];
    case ISA_OP_NOT: return ~v[0] & ALL_TRUE;
    default: break;
    }
    lut = (uint32_t)o->f->opnd[in->opnd + 4].value;
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t at =
            (v[0] >> i & 1) << 2 | (v[1] >> i & 1) << 1 | (v[2] >> i & 1);

        table |= (lut >> at & 1) << i;
    }
    return table;
}

static bool is_same(const struct ptx_opnd *a, const struct ptx_opnd *b)
{
    return a->kind == b->kind && a->neg == b->neg &&
           (a->kind == OK_REG ? a->id == b->id
                              : a->kind == OK_IMM && a->value == b->value);
}

/* The place of an operand among the leaves; false: there is no room for it. */
static bool add_leaf(struct logic *g, const struct ptx_opnd *v, uint32_t *table)
{
    for (uint32_t k = 0; k < g->n; k++) {
        if (is_same(&g->leaf[k], v)) {
            *table = leaf_table[k];
            return true;
        }
    }
    if (g->n == MAX_LEAVES || (v->kind != OK_REG && v->kind != OK_IMM) || v->neg) {
        return false;
    }
    *table = leaf_table[g->n];
    g->leaf[g->n++] = *v;
    return true;
}

/* The operation that operand v of instruction i is the only reader of. */
static uint32_t inner(struct ptx_opt *o, const struct ptx_opnd *v, uint32_t i)
{
    const uint32_t at = ptx_opt_made_for(o, v);

    if (at == PTX_NONE) {
        return PTX_NONE;
    }
    const struct ptx_insn *const in = &o->f->insn[at];

    if (!is_logic(in) || in->guard != PTX_NONE) {
        return PTX_NONE;
    }
    for (uint32_t k = 0; k < n_operands(in); k++) {
        if (!ptx_opt_holds(o, &o->f->opnd[in->opnd + 1 + k], at, i)) {
            return PTX_NONE;
        }
    }
    return at;
}

/* The function of an instruction, into whose operand k the operation at from[k] goes
 * (PTX_NONE: the operand stays). False: it has too many operands. */
static bool function_of(struct ptx_opt *o, const struct ptx_insn *in,
                        const uint32_t from[MAX_LEAVES], struct logic *g)
{
    const struct ptx_opnd *const v = &o->f->opnd[in->opnd + 1];
    uint32_t outer[MAX_LEAVES] = {0}, constants = 0;

    g->n = 0;
    for (uint32_t k = 0; k < n_operands(in); k++) {
        const struct ptx_insn *const m =
            from[k] == PTX_NONE ? NULL : &o->f->insn[from[k]];
        uint32_t its[MAX_LEAVES] = {0};

        for (uint32_t j = 0; m != NULL && j < n_operands(m); j++) {
            if (!add_leaf(g, &o->f->opnd[m->opnd + 1 + j], &its[j])) {
                return false;
            }
        }
        if (m != NULL) {
            outer[k] = apply(o, m, its);
        } else if (!add_leaf(g, &v[k], &outer[k])) {
            return false;
        }
    }
    for (uint32_t k = 0; k < g->n; k++) {
        constants += g->leaf[k].kind == OK_IMM;
    }
    g->table = apply(o, in, outer);
    return constants <= 1;
}

/* Instruction i computes the function. */
static void become(struct ptx_opt *o, uint32_t i, const struct logic *g)
{
    const uint32_t first = ptx_opt_operands(o, 5);
    struct ptx_insn *const in = &o->f->insn[i];
    struct ptx_opnd *const to = &o->f->opnd[first];

    to[0] = o->f->opnd[in->opnd];
    for (uint32_t k = 0; k < MAX_LEAVES; k++) {
        to[1 + k] = g->leaf[k < g->n ? k : 0];
    }
    to[4] = to[0];
    to[4].kind = OK_IMM;
    to[4].sub = IMM_INT;
    to[4].value = g->table;
    in->form.op = ISA_OP_LOP3;
    in->row = ptx_opt_row(ISA_OP_LOP3, "daaai");
    in->opnd = first;
    in->n_opnds = 5;
}

/* Which operands of instruction i go into it, from[k] PTX_NONE: not that one; false:
 * none does. */
static bool choose(struct ptx_opt *o, uint32_t i, uint32_t from[MAX_LEAVES],
                   struct logic *g)
{
    /* sets of operands, the largest first */
    static const uint8_t sets[] = {7, 3, 5, 6, 1, 2, 4};
    const struct ptx_insn *const in = &o->f->insn[i];
    uint32_t all[MAX_LEAVES];
    uint32_t there = 0;

    for (uint32_t k = 0; k < n_operands(in); k++) {
        all[k] = inner(o, &o->f->opnd[in->opnd + 1 + k], i);
        there |= (uint32_t)(all[k] != PTX_NONE) << k;
    }
    for (uint32_t s = 0; s < ARRAY_LEN(sets); s++) {
        if ((sets[s] & ~there) != 0) {
            continue;
        }
        for (uint32_t k = 0; k < MAX_LEAVES; k++) {
            from[k] = (sets[s] >> k & 1u) != 0 ? all[k] : PTX_NONE;
        }
        if (function_of(o, in, from, g)) {
            return true;
        }
    }
    return false;
}

void ptx_opt_logic(struct ptx_opt *o)
{
    for (uint32_t i = 0; i < o->f->n_insn && o->cc >= SINCE_CC; i++) {
        uint32_t from[MAX_LEAVES];
        struct logic g;

        if (!is_logic(&o->f->insn[i]) || !choose(o, i, from, &g)) {
            continue;
        }
        for (uint32_t k = 0; k < MAX_LEAVES; k++) {
            if (from[k] != PTX_NONE) {
                ptx_opt_take_in(o, from[k]);
            }
        }
        become(o, i, &g);
    }
}
