/*
 * Which operands are the same in all lanes of a warp, as far as an assembler can tell:
 * what is computed or loaded of constants, parameters, the launch's sizes and the
 * block's index alone, by instructions that each write a register once.
 */
#include "ptx/opt_priv.h"

enum { MAX_DEPTH = 16, MAX_SOURCES = 8, SHUFFLES_SINCE = 80 };

static bool reg_is_uniform(struct ptx_opt *o, uint32_t reg, uint32_t depth);

/* Special registers that all threads of a block share. */
static bool sreg_is_uniform(uint32_t id)
{
    return (id >= ISA_SR_NTID_X && id <= ISA_SR_NCTAID_Z) || id == ISA_SR_GRIDID;
}

static bool load_is_uniform(const struct ptx_opt *o, const struct ptx_insn *in)
{
    const struct ptx_opnd *const from = &o->f->opnd[in->opnd + 1];

    if (from->kind != OK_ADDR || from->sub == OK_LOCAL ||
        in->form.space == ISA_SP_LOCAL) {
        return false;
    }
    return from->sub != OK_PARAM || o->f->is_kernel;
}

/* Whether an instruction makes one value of operands that are each one value. */
static bool keeps_uniform(const struct ptx_opt *o, const struct ptx_insn *in)
{
    const struct ptx_opnd *const v = &o->f->opnd[in->opnd];

    switch ((enum isa_op)in->form.op) {
    case ISA_OP_MOV: return v[1].kind != OK_SREG || sreg_is_uniform(v[1].id);
    case ISA_OP_LD: return load_is_uniform(o, in);
    case ISA_OP_DIV:
    case ISA_OP_REM:
    case ISA_OP_POPC:
    case ISA_OP_CLZ: return true;
    default: return ptx_opt_is_simple(in);
    }
}

static bool uses_are_uniform(struct ptx_opt *o, const struct ptx_insn *in,
                             uint32_t depth)
{
    uint32_t use[MAX_SOURCES], n;

    ptx_accesses(o->f, in, &o->x);
    n = o->x.n_use;
    if (n > MAX_SOURCES) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        use[i] = o->x.use[i]; /* looking at one fills o->x anew */
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!reg_is_uniform(o, use[i], depth)) {
            return false;
        }
    }
    return true;
}

static bool reg_is_uniform(struct ptx_opt *o, uint32_t reg, uint32_t depth)
{
    const struct ptx_insn *in;

    if (depth == MAX_DEPTH || !ptx_opt_is_value(o, reg)) {
        return false;
    }
    in = &o->f->insn[o->def[reg]];
    if (in->form.op == ISA_OP_VOTE) {
        return o->cc >= SHUFFLES_SINCE;
    }
    return keeps_uniform(o, in) && uses_are_uniform(o, in, depth + 1);
}

bool ptx_opt_is_uniform(struct ptx_opt *o, const struct ptx_opnd *v)
{
    switch ((enum ptx_opnd_kind)v->kind) {
    case OK_IMM:
    case OK_SYM: return true;
    case OK_REG: return reg_is_uniform(o, v->id, 0);
    case OK_ADDR:
        return v->sub == OK_SYM || v->sub == OK_IMM ||
               (v->sub == OK_REG && reg_is_uniform(o, v->id, 0));
    case OK_SREG: return sreg_is_uniform(v->id);
    case OK_LOCAL:
    case OK_PARAM:
    case OK_LABEL:
    case OK_TARGETS:
    case OK_SINK:
    case OK_VEC:
    case OK_PAIR:
    case OK_ABSENT: return false;
    }
    return false;
}
