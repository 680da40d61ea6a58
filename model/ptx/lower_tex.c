/* Textures and surfaces: objects, coordinates, values. */
#include "ptx/lower_priv.h"

static bool object(struct ptx_lower *w, struct isa_uop *u, const struct ptx_opnd *o)
{
    u->imm = (int64_t)o->value;
    if (o->sub == OK_REG) {
        u->addr = ptx_reg_ref(w, o->id);
        u->addr64 = true;
        ptx_reads(u, u->addr, PTX_W64);
        return true;
    }
    u->imm += (int64_t)ptx_symbol_address(w, o->id, false);
    return true;
}

/* The coordinates that choose a texel, into place: a fourth that stands there for
 * company is not read. */
static bool coordinates(struct ptx_lower *w, struct isa_uop *u,
                        const struct ptx_opnd *o, isa_ref place[4])
{
    static const uint8_t read[] = {
        [ISA_G_1D] = 1,  [ISA_G_2D] = 2,   [ISA_G_3D] = 3,   [ISA_G_A1D] = 2,
        [ISA_G_A2D] = 3, [ISA_G_CUBE] = 3, [ISA_G_ACUBE] = 4};
    const struct ptx_opnd *const e = o->kind == OK_VEC ? &w->f->opnd[o->id] : o;
    const uint32_t have = o->kind == OK_VEC ? o->n : 1;
    const bool layered = u->form.geom == ISA_G_A1D || u->form.geom == ISA_G_A2D ||
                         u->form.geom == ISA_G_ACUBE;

    if (have < read[u->form.geom]) {
        return ptx_refuse_insn(w, "there are %u coordinates, of %u", have,
                               read[u->form.geom]);
    }
    for (uint32_t i = 0; i < read[u->form.geom]; i++) {
        const enum isa_type type =
            u->form.type2 == ISA_T_F32 && !(i == 0 && layered) ? ISA_T_F32 : ISA_T_B32;
        enum ptx_width width;

        if (!ptx_source(w, &e[i], type, &place[i], &width)) {
            return false;
        }
        ptx_reads(u, place[i], width);
    }
    return true;
}

bool ptx_lower_texture(struct ptx_lower *w, const struct ptx_insn *in)
{
    const enum isa_op op = (enum isa_op)in->form.op;
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];
    const bool stores = op == ISA_OP_SUST || op == ISA_OP_SURED;
    struct isa_uop u;

    ptx_uop_init(w, &u);
    u.form = in->form;
    u.kind = ISA_K_TEXTURE;
    u.class = ISA_CL_MEM;
    u.size = (uint8_t)(isa_type_bits((enum isa_type)in->form.type) / 8);
    if (stores) {
        return object(w, &u, &o[0]) && coordinates(w, &u, &o[1], u.dst) &&
               ptx_lower_values(w, &u, &o[2], false) && ptx_uop_add(w, &u);
    }
    if (!object(w, &u, &o[1]) || !ptx_lower_values(w, &u, &o[0], true)) {
        return false;
    }
    return (in->form.geom == ISA_G_NONE || coordinates(w, &u, &o[2], u.src)) &&
           ptx_uop_add(w, &u);
}
