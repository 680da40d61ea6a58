/*
 * Atomics on shared memory: results that nobody reads are not returned, and a 1 that is
 * added without a result is counted. Machine code since 5.0 has an instruction for that
 * (ATOMS.POPC.INC.32 of sm_90), which serves all lanes of a word at once: SPEC BANK-5.
 */
#include "ptx/opt_priv.h"

enum { COUNTS_SINCE = 50 };

/* The constant that an operand is; NULL: it is none. */
static const struct ptx_opnd *constant(const struct ptx_opt *o,
                                       const struct ptx_opnd *v)
{
    const struct ptx_insn *mov;

    if (v->kind != OK_REG || !ptx_opt_is_value(o, v->id)) {
        return v->kind == OK_IMM ? v : NULL;
    }
    mov = &o->f->insn[o->def[v->id]];
    v = &o->f->opnd[mov->opnd + 1];
    return mov->form.op == ISA_OP_MOV && mov->n_opnds == 2 && v->kind == OK_IMM ? v
                                                                                : NULL;
}

static void drop_result(struct ptx_opt *o, const struct ptx_insn *in)
{
    struct ptx_opnd *const d = &o->f->opnd[in->opnd];

    if (d->kind == OK_REG && o->n_use[d->id] == 0) {
        d->kind = OK_SINK;
    }
}

void ptx_opt_atomics(struct ptx_opt *o)
{
    for (uint32_t i = 0; i < o->f->n_insn; i++) {
        struct ptx_insn *const in = &o->f->insn[i];
        const bool atom = in->form.op == ISA_OP_ATOM;

        if ((!atom && in->form.op != ISA_OP_RED) || in->form.space != ISA_SP_SHARED ||
            in->form.sub != ISA_S_ADD) {
            continue;
        }
        if (atom) {
            drop_result(o, in);
        }
        struct ptx_opnd *const v = &o->f->opnd[in->opnd + (atom ? 2 : 1)];
        const struct ptx_opnd *const one = constant(o, v);

        if ((atom && o->f->opnd[in->opnd].kind == OK_REG) || one == NULL ||
            o->cc < COUNTS_SINCE || one->sub != IMM_INT || one->value != 1 ||
            (in->form.type != ISA_T_U32 && in->form.type != ISA_T_S32)) {
            continue;
        }
        v->kind = OK_IMM;
        v->sub = IMM_INT;
        v->value = 1;
        in->counts = true;
    }
}
