/* Copies and small constants: the reader takes what was copied. */
#include "ptx/opt_priv.h"

#include <string.h>

enum { MAX_CHAIN = 16 }; /* copies of copies */

static bool is_int(enum isa_type t)
{
    return t != ISA_T_NONE && t != ISA_T_PRED && !isa_type_is_float(t);
}

/* cvt between integers of one size, in registers of that size; smaller than 32 bits it
 * extends. */
static bool keeps_bits(const struct ptx_insn *in)
{
    const enum isa_type to = (enum isa_type)in->form.type,
                        from = (enum isa_type)in->form.type2;

    return in->form.flags == 0 && is_int(to) && is_int(from) &&
           isa_type_bits(to) == isa_type_bits(from) && isa_type_bits(to) >= 32;
}

static bool copies(const struct ptx_insn *in)
{
    switch ((enum isa_op)in->form.op) {
    case ISA_OP_MOV: return true;
    case ISA_OP_CVTA: return in->form.space == ISA_SP_GLOBAL; /* its own generic one */
    case ISA_OP_CVT: return keeps_bits(in);
    default: return false;
    }
}

/* What the result of in is a copy of: a value or a constant that an instruction can
 * hold. */
static const struct ptx_opnd *copied(const struct ptx_opt *o, const struct ptx_insn *in)
{
    const struct ptx_opnd *const d = &o->f->opnd[in->opnd], *const s = d + 1;
    uint32_t bits;

    if (!copies(in) || in->guard != PTX_NONE || in->n_opnds != 2 || d->kind != OK_REG ||
        !ptx_opt_is_value(o, d->id)) {
        return NULL;
    }
    bits = ptx_reg_bits(o->f, d->id);
    if (bits != isa_type_bits((enum isa_type)in->form.type)) {
        return NULL;
    }
    if (s->kind == OK_REG) {
        return !s->neg && ptx_opt_is_value(o, s->id) &&
                       ptx_reg_bits(o->f, s->id) == bits
                   ? s
                   : NULL;
    }
    if (s->kind != OK_IMM || in->form.op != ISA_OP_MOV || bits < 32) {
        return NULL;
    }
    if (bits == 64 && (in->form.type == ISA_T_F64 || s->sub != IMM_INT ||
                       (int64_t)s->value != (int32_t)s->value)) {
        return NULL;
    }
    return bits == 32 && s->sub == IMM_F64 ? NULL : s;
}

/* Whether v, which the instruction reads, may be a constant of 32 bits: one operand of
 * most; of a shuffle the lane, limits and members; of other exchanges the members, for
 * which machine code has no operand then. */
static bool takes_constant(const struct ptx_ir *f, const struct ptx_insn *in,
                           const struct ptx_opnd *v)
{
    switch ((enum isa_op)in->form.op) {
    case ISA_OP_ADD:
    case ISA_OP_SUB:
    case ISA_OP_MUL:
    case ISA_OP_MAD:
    case ISA_OP_MIN:
    case ISA_OP_MAX:
    case ISA_OP_AND:
    case ISA_OP_OR:
    case ISA_OP_XOR:
    case ISA_OP_SHL:
    case ISA_OP_SHR:
    case ISA_OP_SHF:
    case ISA_OP_PRMT:
    case ISA_OP_FMA:
    case ISA_OP_SETP:
    case ISA_OP_SELP: break;
    case ISA_OP_SHFL: return true;
    case ISA_OP_VOTE:
    case ISA_OP_MATCH:
    case ISA_OP_REDUX:
        return (in->form.flags & ISA_F_SYNC) != 0 &&
               v == &f->opnd[in->opnd + in->n_opnds - 1u];
    default: return false;
    }
    if (in->form.type == ISA_T_F64 || in->form.type == ISA_T_PRED) {
        return false;
    }
    for (uint32_t i = 0; i < in->n_opnds; i++) {
        if (f->opnd[in->opnd + i].kind != OK_REG) {
            return false;
        }
    }
    return true;
}

/* Of copies of copies the first; NULL: reg is no copy. */
static const struct ptx_opnd *original(const struct ptx_opnd *const *from, uint32_t reg)
{
    const struct ptx_opnd *s = from[reg];

    for (uint32_t i = 0;
         i < MAX_CHAIN && s != NULL && s->kind == OK_REG && from[s->id] != NULL; i++) {
        s = from[s->id];
    }
    return s;
}

static void read_instead(struct ptx_opt *o, const struct ptx_insn *in,
                         struct ptx_opnd *v, char letter,
                         const struct ptx_opnd *const *from)
{
    const bool reads = v->kind == OK_REG || (v->kind == OK_ADDR && v->sub == OK_REG);
    const struct ptx_opnd *const s = reads ? original(from, v->id) : NULL;

    if (s == NULL) {
        return;
    }
    if (s->kind == OK_REG) {
        v->id = s->id;
    } else if (v->kind == OK_REG && strchr("abU", letter) != NULL &&
               takes_constant(o->f, in, v)) {
        v->kind = OK_IMM;
        v->sub = s->sub;
        v->value = s->value;
    }
}

static void rewrite(struct ptx_opt *o, struct ptx_insn *in,
                    const struct ptx_opnd *const *from)
{
    char letters[PTX_MAX_OPNDS + 1];
    uint32_t least, most;

    if (in->guard != PTX_NONE && from[in->guard] != NULL) {
        in->guard = original(from, in->guard)->id;
    }
    if (in->form.op == ISA_OP_CALL || ptx_letters(in, letters, &least, &most) == NULL) {
        return;
    }
    for (uint32_t i = 0; i < in->n_opnds; i++) {
        struct ptx_opnd *const v = &o->f->opnd[in->opnd + i];

        if (strchr("dDwupqevxG", letters[i]) != NULL) {
            continue; /* a result */
        }
        if (v->kind == OK_VEC || v->kind == OK_PAIR) {
            for (uint32_t k = 0; k < v->n; k++) {
                read_instead(o, in, &o->f->opnd[v->id + k], 'V', from);
            }
        } else {
            read_instead(o, in, v, letters[i], from);
        }
    }
}

void ptx_opt_copies(struct ptx_opt *o)
{
    const struct ptx_opnd **const from =
        arena_alloc(o->a, (o->f->n_vreg + 1) * sizeof(from[0]));
    struct ptx_opnd *const kept =
        arena_alloc(o->a, (o->f->n_opnd + 1) * sizeof(kept[0]));

    if (o->f->n_opnd > 0) { /* rewriting must not change what was copied */
        memcpy(kept, o->f->opnd, o->f->n_opnd * sizeof(kept[0]));
    }
    for (uint32_t i = 0; i < o->f->n_insn; i++) {
        const struct ptx_opnd *const s = copied(o, &o->f->insn[i]);

        if (s != NULL) {
            from[o->f->opnd[o->f->insn[i].opnd].id] = &kept[s - o->f->opnd];
        }
    }
    for (uint32_t i = 0; i < o->f->n_insn; i++) {
        rewrite(o, &o->f->insn[i], from);
    }
}
