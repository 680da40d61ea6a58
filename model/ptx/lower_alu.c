/* Instructions that compute: micro-ops of kind ALU. */
#include "ptx/lower_priv.h"

#include <string.h>

/* ---- cvt: registers may be wider than the types ---- */

static bool cvt_step(struct ptx_lower *w, struct isa_form form, isa_ref dst,
                     enum ptx_width dw, isa_ref src, enum ptx_width sw)
{
    struct isa_uop u;

    ptx_uop_init(w, &u);
    if (!ptx_set_form(w, &u, &form)) {
        return false;
    }
    u.dst[0] = dst;
    u.src[0] = src;
    u.n_src = 1;
    u.dst_bits = dw == PTX_W64 ? 64 : 32;
    ptx_writes(&u, dst, dw);
    ptx_reads(&u, src, sw);
    return ptx_uop_add(w, &u);
}

static enum ptx_width type_width(enum isa_type t)
{
    return isa_type_bits(t) == 64 ? PTX_W64 : PTX_W32;
}

/* Extended from type to the width of register reg: what cvt into a wider register does.
 */
static bool extend(struct ptx_lower *w, enum isa_type type, isa_ref from, uint32_t reg)
{
    const bool is_signed = isa_type_is_signed(type);
    const enum ptx_width width = ptx_width_of(w, reg);
    const struct isa_form form = {
        .op = ISA_OP_CVT,
        .type = (uint8_t)(width == PTX_W64 ? (is_signed ? ISA_T_S64 : ISA_T_U64)
                                           : (is_signed ? ISA_T_S32 : ISA_T_U32)),
        .type2 = (uint8_t)type,
        .vec = 1};

    return cvt_step(w, form, ptx_reg_ref(w, reg), width, from, type_width(type));
}

/* Nobody reads the result: it only takes its turn. */
static bool unused(struct ptx_lower *w, const struct ptx_insn *in)
{
    struct isa_uop u;

    ptx_uop_init(w, &u);
    u.form = in->form;
    u.kind = ISA_K_NOP;
    return ptx_uop_add(w, &u);
}

static bool lower_cvt(struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];
    const enum isa_type to = (enum isa_type)in->form.type;
    const enum isa_type from = (enum isa_type)in->form.type2;
    const struct isa_form low = {.op = ISA_OP_CVT,
                                 .type = ISA_T_U32,
                                 .type2 = ISA_T_U64,
                                 .vec = 1};
    enum ptx_width width;
    isa_ref src, dst;
    uint32_t reg_bits;

    if (o[0].kind == OK_SINK || ptx_reg_ref(w, o[0].id) == ISA_NO_REF) {
        return unused(w, in);
    }
    if (!ptx_source(w, &o[1], from, &src, &width)) {
        return false;
    }
    if (width == PTX_W64 && isa_type_bits(from) < 64) {
        const isa_ref temp = ptx_temp(w, PTX_W32);

        if (!cvt_step(w, low, temp, PTX_W32, src, PTX_W64)) {
            return false;
        }
        src = temp;
        width = PTX_W32;
    }
    reg_bits = ptx_reg_bits(w->f, o[0].id);
    dst = ptx_reg_ref(w, o[0].id);
    if (reg_bits == isa_type_bits(to) || (reg_bits <= 32 && !isa_type_is_signed(to)) ||
        (reg_bits == 16 && isa_type_is_float(to))) {
        return cvt_step(w, in->form, dst, type_width(to), src, width);
    }
    const isa_ref temp = ptx_temp(w, type_width(to));
    if (!cvt_step(w, in->form, temp, type_width(to), src, width)) {
        return false;
    }
    if (reg_bits == 16) { /* s8 in a 16-bit register */
        const struct isa_form form = {.op = ISA_OP_CVT,
                                      .type = ISA_T_S16,
                                      .type2 = (uint8_t)to,
                                      .vec = 1};

        return cvt_step(w, form, dst, PTX_W32, temp, PTX_W32);
    }
    return extend(w, to, temp, o[0].id);
}

/* ---- everything else of kind ALU ---- */

void ptx_write_operand(struct ptx_lower *w, struct isa_uop *u, isa_ref *place,
                       const struct ptx_opnd *o)
{
    if (o->kind != OK_REG) {
        return;
    }
    *place = ptx_reg_ref(w, o->id);
    ptx_writes(u, *place, ptx_width_of(w, o->id));
}

static void write_pair(struct ptx_lower *w, struct isa_uop *u, const struct ptx_opnd *o)
{
    if (o->kind != OK_PAIR) {
        ptx_write_operand(w, u, &u->dst[0], o);
        return;
    }
    ptx_write_operand(w, u, &u->dst[0], &w->f->opnd[o->id]);
    ptx_write_operand(w, u, &u->dst2, &w->f->opnd[o->id + 1]);
}

static bool read_operand(struct ptx_lower *w, struct isa_uop *u,
                         const struct ptx_opnd *o, enum isa_type type)
{
    enum ptx_width width;

    if (u->n_src == 4) {
        return ptx_refuse_insn(w, "too many operands");
    }
    if (type == ISA_T_PRED) {
        return ptx_pred_source(w, u, u->n_src++, o);
    }
    if (!ptx_source(w, o, type, &u->src[u->n_src], &width)) {
        return false;
    }
    ptx_reads(u, u->src[u->n_src++], width);
    return true;
}

/* mov {a, b}, c and mov c, {a, b} */
static bool vector_operand(struct ptx_lower *w, struct isa_uop *u,
                           const struct ptx_opnd *o, bool is_dst)
{
    const uint32_t bits = isa_type_bits((enum isa_type)u->form.type) / o->n;
    const enum isa_type part = bits == 32   ? ISA_T_B32
                               : bits == 16 ? ISA_T_B16
                                            : ISA_T_B8;

    for (uint32_t i = 0; i < o->n; i++) {
        const struct ptx_opnd *const e = &w->f->opnd[o->id + i];

        if (is_dst) {
            ptx_write_operand(w, u, &u->dst[i], e);
        } else if (!read_operand(w, u, e, part)) {
            return false;
        }
    }
    return true;
}

static bool one_operand(struct ptx_lower *w, struct isa_uop *u,
                        const struct ptx_insn *in, const struct ptx_opnd *o,
                        char letter)
{
    const enum isa_type type = ptx_letter_type(in, letter);

    if (letter == 'h') {
        return true;
    }
    if (strchr("xX", letter) != NULL && o->kind == OK_VEC) {
        return vector_operand(w, u, o, letter == 'x');
    }
    if (strchr("qe", letter) != NULL) {
        write_pair(w, u, o);
        return true;
    }
    if (strchr("dDwupx", letter) != NULL) {
        ptx_write_operand(w, u, &u->dst[0], o);
        return true;
    }
    return read_operand(w, u, o, type);
}

/* What of the form depends on the operands. */
static struct isa_form full_form(const struct ptx_lower *w, const struct ptx_insn *in)
{
    struct isa_form form = in->form;
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];

    if (form.op == ISA_OP_MOV) {
        for (uint32_t i = 0; i < 2; i++) {
            form.vec = o[i].kind == OK_VEC ? o[i].n : form.vec;
        }
        if (form.vec > 1) {
            const uint32_t bits = isa_type_bits((enum isa_type)form.type);

            form.type = (uint8_t)(bits == 64   ? ISA_T_B64
                                  : bits == 32 ? ISA_T_B32
                                               : ISA_T_B16);
        }
    }
    if (in->n_opnds > 0 && o[0].kind == OK_PAIR) {
        form.flags |= ISA_F_DST2;
    }
    if (form.op == ISA_OP_ISSPACEP) {
        const bool wide = o[1].kind == OK_REG && ptx_reg_bits(w->f, o[1].id) == 64;

        form.type = wide ? ISA_T_U64 : ISA_T_U32;
    }
    if (form.op == ISA_OP_DP4A || form.op == ISA_OP_DP2A) {
        form.flags |= form.type == ISA_T_S32 ? ISA_F_ATYPE_S : 0;
        form.flags |= form.type2 == ISA_T_S32 ? ISA_F_BTYPE_S : 0;
    }
    return form;
}

static bool result_unused(const struct ptx_lower *w, const struct isa_uop *u)
{
    bool any = u->dst2 != ISA_NO_REF || u->cc != ISA_NO_REF;

    (void)w;
    for (uint32_t i = 0; i < 4; i++) {
        any |= u->dst[i] != ISA_NO_REF;
    }
    return !any;
}

/* A micro-op that writes nothing at all takes its time as a NOP does. */
static bool compute(struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct isa_form form = full_form(w, in);
    char letters[PTX_MAX_OPNDS + 1];
    uint32_t least, most;
    struct isa_uop u;

    ptx_uop_init(w, &u);
    if (!ptx_set_form(w, &u, &form) ||
        ptx_letters(in, letters, &least, &most) == NULL) {
        return false;
    }
    u.imm = form.op == ISA_OP_ISSPACEP && ptx_of_cluster(w);
    if (in->acts_as != 0) {
        u.kind = ISA_K_ALU;
        u.seq = NULL;
        u.class = (uint8_t)(in->acts_as - 1);
        u.weight = 1;
    }
    for (uint32_t i = 0; i < in->n_opnds; i++) {
        if (!one_operand(w, &u, in, &w->f->opnd[in->opnd + i], letters[i])) {
            return false;
        }
    }
    if (form.flags & (ISA_F_CC_IN | ISA_F_CC_OUT)) {
        u.cc = (isa_ref)w->fi->slots.cc;
        ptx_reads(&u, u.cc, PTX_WPRED);
        if (form.flags & ISA_F_CC_OUT) {
            ptx_writes(&u, u.cc, PTX_WPRED);
        }
    }
    if ((form.flags & ISA_F_SYNC) != 0) {
        ptx_has_members(&u, &w->f->opnd[in->opnd + in->n_opnds - 1]);
    } else if (form.op == ISA_OP_MOVMATRIX) {
        u.aside |= ISA_ASIDE_ALL;
    }
    if (form.op == ISA_OP_LOP3) {
        u.imm = (int64_t)(w->f->opnd[in->opnd + 4].value & 0xff);
    }
    if (result_unused(w, &u)) {
        u.exec = NULL;
        u.kind = ISA_K_NOP;
    } else if (u.dst[0] == ISA_NO_REF && strchr("pqx", letters[0]) == NULL) {
        u.dst[0] = ptx_temp(w, PTX_W64); /* "_" beside a result that counts */
    }
    return ptx_uop_add(w, &u);
}

/* mov d, %tid.x: straight from the environment. */
static bool lower_sreg(struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];
    struct isa_uop u;

    ptx_uop_init(w, &u);
    if (!ptx_set_form(w, &u, &in->form)) {
        return false;
    }
    ptx_set_sreg(w, &u, (enum isa_sreg)o[1].id);
    ptx_write_operand(w, &u, &u.dst[0], &o[0]);
    if (result_unused(w, &u)) {
        u.exec = NULL;
        u.kind = ISA_K_NOP;
    }
    return ptx_uop_add(w, &u);
}

/* createpolicy: a number that hints name, and that nothing here depends on. */
static bool lower_policy(struct ptx_lower *w, const struct ptx_insn *in)
{
    /* as a policy of an H100 for all of the lines, evicted as any other */
    static const uint64_t evict_normal = 0x16f0000000000000;
    static const struct isa_form mov = {.op = ISA_OP_MOV, .type = ISA_T_B64, .vec = 1};
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];
    const bool is_given = ptx_has_word(in, ".cvt");
    struct isa_uop u;

    if (o[0].kind != OK_REG || ptx_reg_ref(w, o[0].id) == ISA_NO_REF) {
        return unused(w, in);
    }
    ptx_uop_init(w, &u);
    if (!ptx_set_form(w, &u, &mov)) {
        return false;
    }
    ptx_write_operand(w, &u, &u.dst[0], &o[0]);
    if (is_given ? !read_operand(w, &u, &o[1], ISA_T_B64)
                 : !ptx_constant(w, evict_normal, true, &u.src[u.n_src++])) {
        return false;
    }
    return ptx_uop_add(w, &u);
}

bool ptx_lower_alu(struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];

    if (in->form.op == ISA_OP_CVT && in->n_opnds == 2) {
        return lower_cvt(w, in);
    }
    if (ptx_is_video(in)) {
        return ptx_lower_video(w, in);
    }
    if (in->form.op == ISA_OP_CREATEPOLICY) {
        return lower_policy(w, in);
    }
    if (in->form.op == ISA_OP_MOV && o[1].kind == OK_SREG && o[0].kind != OK_VEC) {
        return lower_sreg(w, in);
    }
    return compute(w, in);
}
