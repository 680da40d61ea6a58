/* Asynchronous copies and mbarriers. */
#include "ptx/lower_priv.h"

#include <string.h>

static bool zero_pair(struct ptx_lower *w, isa_ref *ref)
{
    return ptx_constant(w, 0, true, ref);
}

/* A source of 32 bits in place i. */
static bool word(struct ptx_lower *w, struct isa_uop *u, uint32_t i,
                 const struct ptx_opnd *o)
{
    enum ptx_width width;

    if (!ptx_source(w, o, ISA_T_B32, &u->src[i], &width)) {
        return false;
    }
    ptx_reads(u, u->src[i], width);
    return true;
}

/* ---- cp.async ---- */

/* The address in global memory: a register and a constant. */
static bool from_global(struct ptx_lower *w, struct isa_uop *u,
                        const struct ptx_opnd *where)
{
    struct isa_uop from;

    ptx_uop_init(w, &from);
    from.form.space = ISA_SP_GLOBAL;
    ptx_lower_address(w, &from, where);
    u->dst_bits = from.addr == ISA_NO_REF || from.addr64 ? 64 : 32;
    u->src[0] = from.addr;
    if (from.addr == ISA_NO_REF && !zero_pair(w, &u->src[0])) {
        return false;
    }
    if (from.addr != ISA_NO_REF) {
        ptx_reads(u, from.addr, from.addr64 ? PTX_W64 : PTX_W32);
    }
    return ptx_constant(w, (uint64_t)from.imm, true, &u->src[1]);
}

/* The size that is read, or whether anything is. */
static bool how_much(struct ptx_lower *w, struct isa_uop *u, const struct ptx_opnd *o)
{
    if (o->kind != OK_REG || ptx_width_of(w, o->id) != PTX_WPRED) {
        return word(w, u, 2, o);
    }
    u->dst2 = ptx_reg_ref(w, o->id);
    u->neg_src = o->neg;
    ptx_reads(u, u->dst2, PTX_WPRED);
    return true;
}

static bool copy(struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];
    const uint32_t policy = ptx_has_word(in, ".L2::cache_hint") ? 1 : 0;
    struct isa_uop u;

    ptx_uop_init(w, &u);
    u.form = in->form;
    u.kind = ISA_K_COPY;
    u.class = ISA_CL_MEM;
    u.size = 4;
    u.form.vec = (uint8_t)(o[2].value / 4);
    ptx_lower_address(w, &u, &o[0]);
    return from_global(w, &u, &o[1]) &&
           (in->n_opnds - policy < 4u || how_much(w, &u, &o[3])) && ptx_uop_add(w, &u);
}

static bool group(struct ptx_lower *w, const struct ptx_insn *in)
{
    struct isa_uop u;

    ptx_uop_init(w, &u);
    u.form = in->form;
    u.kind = ISA_K_GROUP;
    u.class = ISA_CL_CTRL;
    if (in->form.sub == ISA_S_WAIT) {
        u.imm = (int64_t)w->f->opnd[in->opnd].value;
    }
    return ptx_uop_add(w, &u);
}

/* An operation on the mbarrier at an address: what all of them have. */
static bool object(struct ptx_lower *w, const struct ptx_insn *in, struct isa_uop *u,
                   const struct ptx_opnd *where)
{
    ptx_uop_init(w, u);
    u->form = in->form;
    u->kind = ISA_K_MBAR;
    u->class = ISA_CL_MEM;
    u->size = 8;
    u->dst_bits = 64;
    ptx_lower_address(w, u, where);
    return zero_pair(w, &u->src[0]);
}

static bool late_arrival(struct ptx_lower *w, const struct ptx_insn *in)
{
    struct isa_uop u;

    if (!object(w, in, &u, &w->f->opnd[in->opnd]) ||
        !ptx_constant(w, 1, false, &u.src[1])) {
        return false;
    }
    u.kind = ISA_K_LATE;
    return ptx_uop_add(w, &u);
}

bool ptx_lower_cp(struct ptx_lower *w, const struct ptx_insn *in)
{
    if (ptx_has_word(in, ".bulk")) {
        return ptx_lower_bulk(w, in);
    }
    switch ((enum isa_sub)in->form.sub) {
    case ISA_S_NONE: return copy(w, in);
    case ISA_S_ARRIVE: return late_arrival(w, in);
    default: return group(w, in);
    }
}

/* ---- mbarrier ---- */

static bool state_operand(struct ptx_lower *w, struct isa_uop *u,
                          const struct ptx_opnd *o)
{
    enum ptx_width width;

    if (!ptx_source(w, o, ISA_T_B64, &u->src[0], &width)) {
        return false;
    }
    ptx_reads(u, u->src[0], width);
    return true;
}

/* [addr], count */
static bool plain(struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];
    struct isa_uop u;

    return object(w, in, &u, &o[0]) &&
           (in->n_opnds == 1 ? ptx_constant(w, 1, false, &u.src[1])
                             : word(w, &u, 1, &o[1])) &&
           ptx_uop_add(w, &u);
}

/* state, [addr], count */
static bool arrive(struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];
    struct isa_uop u;

    if (!object(w, in, &u, &o[1])) {
        return false;
    }
    if (o[0].kind == OK_REG && ptx_reg_ref(w, o[0].id) != ISA_NO_REF) {
        u.dst[0] = ptx_reg_ref(w, o[0].id);
        ptx_writes(&u, u.dst[0], PTX_W64);
    }
    return (in->n_opnds == 2 ? ptx_constant(w, 1, false, &u.src[1])
                             : word(w, &u, 1, &o[2])) &&
           ptx_uop_add(w, &u);
}

/* p, [addr], state or parity, hint */
static bool wait(struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];
    const bool parity = (in->form.flags & ISA_F_PARITY) != 0;
    struct isa_uop u;

    if (!object(w, in, &u, &o[1]) ||
        !(parity
              ? word(w, &u, 1, &o[2])
              : state_operand(w, &u, &o[2]) && ptx_constant(w, 0, false, &u.src[1]))) {
        return false;
    }
    if (in->n_opnds == 4 && !word(w, &u, 2, &o[3])) {
        return false;
    }
    if (o[0].kind == OK_REG) {
        u.dst2 = ptx_reg_ref(w, o[0].id);
    }
    if (u.dst2 != ISA_NO_REF) {
        ptx_writes(&u, u.dst2, PTX_WPRED);
    }
    return ptx_uop_add(w, &u);
}

bool ptx_lower_mbarrier(struct ptx_lower *w, const struct ptx_insn *in)
{
    switch ((enum isa_sub)in->form.sub) {
    case ISA_S_PENDING: return ptx_lower_alu(w, in);
    case ISA_S_TEST:
    case ISA_S_TRY: return wait(w, in);
    case ISA_S_ARRIVE:
    case ISA_S_DROP: return arrive(w, in);
    default: return plain(w, in);
    }
}
