/* The operands of wgmma. */
#include "ptx/ptx_priv.h"

bool ptx_check_descriptor(const struct ptx_check *c)
{
    struct ptx_check e = *c;

    e.type = ISA_T_B64;
    return ptx_check_src(&e, false);
}

/* Constants: scales are 1 or -1, turns 0 or 1. A in registers cannot be turned. */
bool ptx_check_wgmma(struct ptx_check *c)
{
    const struct ptx_insn *const in = c->in;
    const struct ptx_opnd *const o = &c->p->fn->opnd[in->opnd];
    const bool in_regs = in->n_opnds > 1 && o[1].kind == OK_VEC;

    if (in->form.sub != ISA_S_MMA || in->n_opnds == 4) {
        return true;
    }
    for (uint32_t i = 4; i < in->n_opnds; i++) {
        const int64_t v = (int64_t)o[i].value;

        c->o = &o[i];
        if (i < 6 ? v != 1 && v != -1 : v != 0 && v != 1) {
            return ptx_refuse_opnd(c, "wgmma wants %s here, not %lld",
                                   i < 6 ? "1 or -1" : "0 or 1", (long long)v);
        }
    }
    if (in->n_opnds > 6 && in->n_opnds != (in_regs ? 7 : 8)) {
        c->o = &o[in->n_opnds - 1];
        return ptx_refuse_opnd(c, in_regs ? "A in registers is not turned: wgmma takes "
                                            "7 operands here"
                                          : "wgmma takes 8 operands here");
    }
    return true;
}
