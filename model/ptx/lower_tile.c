/* Matrix instructions. */
#include "isa/tile.h"
#include "ptx/lower_priv.h"

static enum ptx_width width_of(const struct isa_tile *t)
{
    return t->wide ? PTX_W64 : PTX_W32;
}

/* Registers of fragment which from operand o into list. */
static bool fragment(struct ptx_lower *w, struct isa_uop *u, const struct isa_tile *t,
                     enum isa_frag which, const struct ptx_opnd *o, isa_ref *list)
{
    const struct ptx_opnd *const e = o->kind == OK_VEC ? &w->f->opnd[o->id] : o;

    for (uint32_t i = 0; i < t->regs[which]; i++) {
        enum ptx_width width = width_of(t);

        if (which != ISA_FRAG_D) {
            if (!ptx_source(w, &e[i], t->wide ? ISA_T_B64 : ISA_T_B32, &list[i],
                            &width)) {
                return false;
            }
            ptx_reads(u, list[i], width);
        } else if (e[i].kind == OK_REG) {
            list[i] = ptx_reg_ref(w, e[i].id);
            ptx_writes(u, list[i], width);
        } else {
            list[i] = ISA_NO_REF;
        }
    }
    return true;
}

bool ptx_lower_mma(struct ptx_lower *w, const struct ptx_insn *in)
{
    isa_ref *const list = arena_alloc(w->a, ISA_TILE_REGS * sizeof(list[0]));
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];
    struct isa_tile t;
    struct isa_uop u;
    uint32_t n = 0;

    ptx_uop_init(w, &u);
    if (!ptx_set_form(w, &u, &in->form)) {
        return false;
    }
    u.aside |= ISA_ASIDE_ALL;
    isa_tile_of(&in->form, &t);
    for (uint32_t i = 0; i < ISA_N_FRAGS; i++) {
        if (!fragment(w, &u, &t, (enum isa_frag)i, &o[i], list + n)) {
            return false;
        }
        n += t.regs[i];
    }
    if (in->form.sub == ISA_S_SPARSE) { /* metadata, and whose */
        enum ptx_width width;

        if (!ptx_source(w, &o[4], ISA_T_B32, &list[n], &width)) {
            return false;
        }
        ptx_reads(&u, list[n], width);
        u.imm = (int64_t)o[5].value;
    }
    u.tile = list;
    u.dst[0] = list[0]; /* what observers ask for */
    return ptx_uop_add(w, &u);
}

/* ldmatrix and stmatrix: accesses of 16 bytes by the lanes whose addresses are rows. */
bool ptx_lower_rows(struct ptx_lower *w, const struct ptx_insn *in)
{
    const bool is_load = in->form.op == ISA_OP_LDMATRIX;
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];
    const struct ptx_opnd *const value = is_load ? &o[0] : &o[1];
    const struct ptx_opnd *const e =
        value->kind == OK_VEC ? &w->f->opnd[value->id] : value;
    struct isa_uop u;

    ptx_uop_init(w, &u);
    u.form = in->form;
    u.kind = is_load ? ISA_K_LOAD_ROWS : ISA_K_STORE_ROWS;
    u.class = ISA_CL_MEM;
    u.size = 4;
    u.dst_bits = 32;
    u.n_tiles = in->form.vec;
    u.aside = ISA_ASIDE_ALL;
    ptx_lower_address(w, &u, is_load ? &o[1] : &o[0]);
    if (in->form.space == ISA_SP_GENERIC) { /* it is of the shared window or a fault */
        u.imm -= (int64_t)ISA_SHARED_WINDOW;
    }
    u.form.space = ISA_SP_SHARED;
    u.form.vec = 4; /* words of a row */
    for (uint32_t i = 0; i < u.n_tiles; i++) {
        enum ptx_width width;

        if (is_load) {
            if (e[i].kind == OK_REG) {
                u.dst[i] = ptx_reg_ref(w, e[i].id);
                ptx_writes(&u, u.dst[i], PTX_W32);
            }
            continue;
        }
        if (!ptx_source(w, &e[i], ISA_T_B32, &u.src[i], &width)) {
            return false;
        }
        ptx_reads(&u, u.src[i], width);
        u.n_src++;
    }
    return ptx_uop_add(w, &u);
}
