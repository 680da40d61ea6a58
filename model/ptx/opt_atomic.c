/*
 * Atomics: results that nobody reads are not returned, and where all lanes of a warp
 * are known to mean one address, one of them acts for all (SPEC PTX-3). What that takes
 * runs as instructions before the atomic; the atomic itself still does what its lanes
 * ask for, in their order, but is one lane to the memory.
 */
#include "ptx/opt_priv.h"

enum { COUNTS_SINCE = 50, JOINS_SINCE = 70, REDUCES_SINCE = 80 };

/* Machine instructions of an atomic whose lanes are joined: the lowest lane is elected
 * (SR_LANEID, VOTEU, UFLO, ISETP), once in a block of code for all its atomics. */
enum {
    ELECT = 4,
    COUNT = 1,   /* POPC: so many times the constant 1 */
    TIMES = 2,   /* POPC and a multiplication */
    REDUCE = 2,  /* REDUX and a move */
    RESULTS = 5, /* SR_LTMASK, LOP3, POPC, SHFL, IADD: what each lane would have read */
};

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

static bool is_one(const struct ptx_opt *o, const struct ptx_opnd *v)
{
    const struct ptx_opnd *const c = constant(o, v);

    return c != NULL && c->sub == IMM_INT && c->value == 1;
}

/* ---- one address ---- */

/* Whether register reg is threadIdx.x. */
static bool is_thread(const struct ptx_opt *o, const struct ptx_opnd *v)
{
    const struct ptx_insn *mov;

    if (v->kind != OK_REG || !ptx_opt_is_value(o, v->id)) {
        return false;
    }
    mov = &o->f->insn[o->def[v->id]];
    return mov->form.op == ISA_OP_MOV && o->f->opnd[mov->opnd + 1].kind == OK_SREG &&
           o->f->opnd[mov->opnd + 1].id == ISA_SR_TID_X;
}

/* Whether the predicate that guards `in` says, when it is as `neg`, that threadIdx.x is
 * one number. */
static bool guard_is_thread(struct ptx_opt *o, const struct ptx_insn *in, bool neg)
{
    const struct ptx_insn *set;
    const struct ptx_opnd *v;

    if (in->guard == PTX_NONE || !ptx_opt_is_value(o, in->guard)) {
        return false;
    }
    set = &o->f->insn[o->def[in->guard]];
    v = &o->f->opnd[set->opnd];
    return set->form.op == ISA_OP_SETP && set->n_opnds == 3 &&
           set->form.cmp == (neg ? ISA_C_NE : ISA_C_EQ) &&
           ((is_thread(o, &v[1]) && ptx_opt_is_uniform(o, &v[2])) ||
            (is_thread(o, &v[2]) && ptx_opt_is_uniform(o, &v[1])));
}

/* Whether instruction i is for one thread, as assemblers see it: it stands behind a
 * branch that all others take, or is guarded like that. */
static bool is_for_one_thread(struct ptx_opt *o, uint32_t i)
{
    const struct ptx_ir *const f = o->f;

    if (guard_is_thread(o, &f->insn[i], f->insn[i].guard_neg)) {
        return true;
    }
    for (uint32_t b = 0; b < i; b++) {
        const struct ptx_insn *const in = &f->insn[b];

        if (in->form.op == ISA_OP_BRA && f->opnd[in->opnd].kind == OK_LABEL &&
            f->label[f->opnd[in->opnd].id].at > i &&
            guard_is_thread(o, in, !in->guard_neg)) {
            return true;
        }
    }
    return false;
}

/* Machine instructions that join the lanes of an atomic with this value, besides those
 * that elect one; 0: they are not joined. */
static uint32_t cost_of_joining(struct ptx_opt *o, const struct ptx_insn *in,
                                const struct ptx_opnd *v, bool returns)
{
    const enum isa_type type = (enum isa_type)in->form.type;
    const bool word = type == ISA_T_U32 || type == ISA_T_S32 || type == ISA_T_B32;
    const bool adds = in->form.sub == ISA_S_ADD;

    if (o->cc < JOINS_SINCE || (!word && (!adds || type != ISA_T_U64))) {
        return 0;
    }
    if (adds && ptx_opt_is_uniform(o, v)) {
        return (is_one(o, v) ? COUNT : TIMES) + (returns ? RESULTS : 0);
    }
    switch ((enum isa_sub)in->form.sub) {
    case ISA_S_ADD:
    case ISA_S_MIN:
    case ISA_S_MAX:
    case ISA_S_AND:
    case ISA_S_OR:
    case ISA_S_XOR: return word && !returns && o->cc >= REDUCES_SINCE ? REDUCE : 0;
    default: return 0;
    }
}

/* ---- the pass ---- */

static void drop_result(struct ptx_opt *o, const struct ptx_insn *in)
{
    struct ptx_opnd *const d = &o->f->opnd[in->opnd];

    if (d->kind == OK_REG && o->n_use[d->id] == 0) {
        d->kind = OK_SINK;
    }
}

/* ATOMS.POPC.INC.32 of machine code since 5.0: a 1 that is added to shared memory
 * without a result is counted, for all lanes of a word at once (SPEC BANK-5). */
static bool is_counted(const struct ptx_opt *o, const struct ptx_insn *in,
                       struct ptx_opnd *v, bool returns)
{
    if (in->form.space != ISA_SP_SHARED || in->form.sub != ISA_S_ADD || returns ||
        o->cc < COUNTS_SINCE || !is_one(o, v) ||
        (in->form.type != ISA_T_U32 && in->form.type != ISA_T_S32)) {
        return false;
    }
    v->kind = OK_IMM;
    v->sub = IMM_INT;
    v->value = 1;
    return true;
}

void ptx_opt_atomics(struct ptx_opt *o)
{
    uint32_t elected = PTX_NONE; /* block whose lanes have elected one */

    for (uint32_t i = 0; i < o->f->n_insn; i++) {
        struct ptx_insn *const in = &o->f->insn[i];
        const bool atom = in->form.op == ISA_OP_ATOM;
        struct ptx_opnd *const d = &o->f->opnd[in->opnd];

        if (!atom && in->form.op != ISA_OP_RED) {
            continue;
        }
        if (atom && in->form.sub != ISA_S_EXCH && in->form.sub != ISA_S_CAS) {
            drop_result(o, in);
        }
        struct ptx_opnd *const v = &d[atom ? 2 : 1];
        const bool returns = atom && d->kind == OK_REG;
        uint32_t cost;

        if (is_counted(o, in, v, returns)) {
            in->counts = true;
            continue;
        }
        cost = cost_of_joining(o, in, v, returns);
        if (cost == 0 || !ptx_opt_is_uniform(o, &d[atom ? 1 : 0]) ||
            is_for_one_thread(o, i)) {
            continue;
        }
        in->counts = true;
        in->before = (uint8_t)(cost + (elected == o->flow.block_of[i] ? 0 : ELECT));
        elected = o->flow.block_of[i];
    }
}
