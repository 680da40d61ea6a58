/* wgmma: products of four warps, and groups of them. */
#include "isa/wgmma.h"
#include "ptx/lower_priv.h"

/* Registers of D, which is read too; none is pending while the product is under way:
 * who reads them waits for its group before. */
static void sums(struct ptx_lower *w, struct isa_uop *u, const struct ptx_opnd *o,
                 uint32_t n, isa_ref *list)
{
    for (uint32_t i = 0; i < n; i++) {
        list[i] = ptx_reg_ref(w, w->f->opnd[o->id + i].id);
        ptx_reads(u, list[i], PTX_W32);
    }
}

static bool descriptor(struct ptx_lower *w, struct isa_uop *u, const struct ptx_opnd *o,
                       isa_ref *ref)
{
    enum ptx_width width;

    if (!ptx_source(w, o, ISA_T_B64, ref, &width)) {
        return false;
    }
    ptx_reads(u, *ref, width);
    return true;
}

static bool factor(struct ptx_lower *w, struct isa_uop *u, const struct ptx_opnd *o,
                   isa_ref *list)
{
    if (o->kind != OK_VEC) {
        return descriptor(w, u, o, list);
    }
    for (uint32_t i = 0; i < o->n; i++) {
        enum ptx_width width;

        if (!ptx_source(w, &w->f->opnd[o->id + i], ISA_T_B32, &list[i], &width)) {
            return false;
        }
        ptx_reads(u, list[i], width);
    }
    return true;
}

/* Scales and turns: constants behind the predicate. */
static int64_t how(const struct ptx_insn *in, const struct ptx_opnd *o)
{
    const bool in_regs = o[1].kind == OK_VEC;
    int64_t set = in_regs ? ISA_WGMMA_A_REGS : 0;

    if (in->n_opnds > 4) {
        set |= (int64_t)o[4].value < 0 ? ISA_WGMMA_MINUS_A : 0;
        set |= (int64_t)o[5].value < 0 ? ISA_WGMMA_MINUS_B : 0;
    }
    if (in->n_opnds > 6) {
        const struct ptx_opnd *const b = in_regs ? &o[6] : &o[7];

        set |= !in_regs && o[6].value != 0 ? ISA_WGMMA_TURN_A : 0;
        set |= b->value != 0 ? ISA_WGMMA_TURN_B : 0;
    }
    return set;
}

static bool product(struct ptx_lower *w, const struct ptx_insn *in)
{
    isa_ref *const list = arena_alloc(w->a, ISA_WGMMA_REGS * sizeof(list[0]));
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];
    const uint32_t n_a = o[1].kind == OK_VEC ? 4 : 1;
    struct isa_wgmma g;
    struct isa_uop u;

    ptx_uop_init(w, &u);
    if (!ptx_set_form(w, &u, &in->form)) {
        return false;
    }
    isa_wgmma_of(&in->form, &g);
    u.kind = ISA_K_GMMA;
    u.aside |= ISA_ASIDE_ALL;
    u.imm = how(in, o);
    u.tile = list;
    sums(w, &u, &o[0], g.d_regs, list);
    if (!factor(w, &u, &o[1], list + g.d_regs) ||
        !factor(w, &u, &o[2], list + g.d_regs + n_a)) {
        return false;
    }
    if (o[3].kind == OK_REG) {
        u.dst2 = ptx_reg_ref(w, o[3].id);
        u.neg_src = o[3].neg;
        ptx_reads(&u, u.dst2, PTX_WPRED);
    } else {
        u.dst2 = o[3].value != 0 ? ISA_P_TRUE : ISA_P_FALSE;
    }
    return ptx_uop_add(w, &u);
}

bool ptx_lower_wgmma(struct ptx_lower *w, const struct ptx_insn *in)
{
    struct isa_uop u;

    if (in->form.sub == ISA_S_MMA) {
        return product(w, in);
    }
    ptx_uop_init(w, &u);
    u.form = in->form;
    u.kind = ISA_K_GMMA;
    u.aside = ISA_ASIDE_ALL;
    u.class = ISA_CL_CTRL;
    if (in->form.sub == ISA_S_WAIT) {
        u.imm = (int64_t)w->f->opnd[in->opnd].value;
    }
    return ptx_uop_add(w, &u);
}
