/* Loads, stores, atomics. */
#include "ptx/lower_priv.h"

static enum ptx_width width_of_type(enum isa_type t)
{
    return isa_type_bits(t) == 64 ? PTX_W64 : PTX_W32;
}

static uint32_t reg_width(const struct ptx_lower *w, const struct ptx_opnd *o,
                          enum isa_type type)
{
    const uint32_t bits =
        o->kind == OK_REG ? ptx_reg_bits(w->f, o->id) : isa_type_bits(type);

    return bits < 16 ? 16 : bits;
}

/* Values of ld and st: form.vec of them, all as wide as the widest. */
bool ptx_lower_values(struct ptx_lower *w, struct isa_uop *u, const struct ptx_opnd *o,
                      bool is_load)
{
    const enum isa_type type = (enum isa_type)u->form.type;
    const struct ptx_opnd *const e = o->kind == OK_VEC ? &w->f->opnd[o->id] : o;
    const uint32_t n = u->form.vec;

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t bits = reg_width(w, &e[i], type);
        enum ptx_width width;

        if (e[i].kind == OK_REG && u->dst_bits != 0 && u->dst_bits != bits) {
            return ptx_refuse_insn(w, "elements of a vector with registers of "
                                      "different width");
        }
        u->dst_bits = e[i].kind == OK_REG ? (uint8_t)bits : u->dst_bits;
        if (is_load) {
            if (e[i].kind == OK_REG) {
                u->dst[i] = ptx_reg_ref(w, e[i].id);
                ptx_writes(u, u->dst[i], ptx_width_of(w, e[i].id));
            }
            continue;
        }
        if (!ptx_source(w, &e[i], type, &u->src[i], &width)) {
            return false;
        }
        ptx_reads(u, u->src[i], width);
        u->n_src++;
    }
    for (uint32_t i = 0; i < n && !is_load && u->dst_bits > 32 && u->size < 8; i++) {
        enum ptx_width width; /* constants beside 64-bit registers are pairs too */

        if (e[i].kind != OK_REG &&
            !ptx_source(w, &e[i], ISA_T_B64, &u->src[i], &width)) {
            return false;
        }
    }
    if (u->dst_bits == 0) {
        u->dst_bits = (uint8_t)reg_width(w, &e[0], type);
    }
    return true;
}

/* Local variables of recursive functions lie at a base held in the last word of the
 * area; see lower_call.c. */
static void local_address(struct ptx_lower *w, struct isa_uop *u,
                          const struct ptx_opnd *o)
{
    u->imm += w->f->local[o->id].offset;
    if (w->graph.dynamic[w->fn]) {
        u->addr = (isa_ref)(w->fi->area - 1);
        ptx_reads(u, u->addr, PTX_W32);
    } else {
        u->imm += w->graph.local_at[w->fn];
    }
}

bool ptx_of_cluster(const struct ptx_lower *w)
{
    return w->insn < w->f->n_insn &&
           ptx_has_word(&w->f->insn[w->insn], ".shared::cluster");
}

void ptx_lower_address(struct ptx_lower *w, struct isa_uop *u, const struct ptx_opnd *o)
{
    static const uint64_t windows[] = {[ISA_SP_SHARED] = ISA_SHARED_WINDOW,
                                       [ISA_SP_LOCAL] = ISA_LOCAL_WINDOW,
                                       [ISA_SP_CONST] = ISA_CONST_WINDOW,
                                       [ISA_SP_REG] = 0};
    const bool in_cluster = u->form.space == ISA_SP_SHARED && ptx_of_cluster(w);

    u->form.space = in_cluster ? ISA_SP_GENERIC : u->form.space;
    const bool generic = u->form.space == ISA_SP_GENERIC;

    u->target = ptx_origin(w, o);
    u->imm = (int64_t)o->value;
    if (in_cluster && o->sub == OK_REG && o->base == 0) { /* SPEC CLUSTER-2 */
        u->imm += (int64_t)ISA_SHARED_WINDOW;
    }
    if (o->sub == OK_REG) {
        u->addr = ptx_reg_ref(w, o->id);
        u->addr64 = ptx_reg_bits(w->f, o->id) == 64;
        ptx_reads(u, u->addr, u->addr64 ? PTX_W64 : PTX_W32);
        u->imm +=
            o->base == 0 ? 0 : (int64_t)ptx_symbol_address(w, o->base - 1, generic);
    } else if (o->sub == OK_SYM) {
        u->imm += (int64_t)ptx_symbol_address(w, o->id, generic);
    } else if (o->sub == OK_LOCAL) {
        local_address(w, u, o);
        u->imm += generic ? (int64_t)windows[ISA_SP_LOCAL] : 0;
    } else if (o->sub == OK_PARAM) {
        u->imm += w->f->pvar[o->id].p.offset;
    }
}

bool ptx_lower_to_local(struct ptx_lower *w, uint32_t local, uint32_t offset,
                        isa_ref ref)
{
    const struct ptx_opnd o = {.sub = OK_LOCAL, .id = local, .value = offset};
    struct isa_uop u;

    ptx_uop_init(w, &u);
    u.form = (struct isa_form){.op = ISA_OP_ST,
                               .type = ISA_T_B32,
                               .space = ISA_SP_LOCAL,
                               .vec = 1};
    u.kind = ISA_K_STORE;
    u.class = ISA_CL_MEM;
    u.size = 4;
    u.dst_bits = 32;
    ptx_lower_address(w, &u, &o);
    u.src[0] = ref;
    u.n_src = 1;
    ptx_reads(&u, ref, PTX_W32);
    return ptx_uop_add(w, &u);
}

/* Machine code of such a capability and later loads pointers among the parameters into
 * registers, at the pace of special registers (SPEC CONST-1). */
enum { LOADED_PARAMS_CC = 90 };

static bool load_or_store(struct ptx_lower *w, const struct ptx_insn *in,
                          const struct ptx_opnd *value, const struct ptx_opnd *where)
{
    const bool is_load = in->form.op != ISA_OP_ST;
    struct isa_uop u;

    ptx_uop_init(w, &u);
    u.form = in->form;
    u.kind = is_load ? ISA_K_LOAD : ISA_K_STORE;
    u.class = ISA_CL_MEM;
    u.size = (uint8_t)(isa_type_bits((enum isa_type)in->form.type) / 8);
    if (in->form.space == ISA_SP_PARAM) { /* of the kernel: a constant operand */
        const struct isa_form mov = {.op = ISA_OP_MOV, .type = ISA_T_B32, .vec = 1};

        if (!ptx_set_form(w, &u, &mov)) {
            return false;
        }
        u.form = in->form;
        u.exec = isa_exec_kernel_param();
        if (u.size == 8 && ptx_lowers_for(w, LOADED_PARAMS_CC)) {
            u.class = ISA_CL_SREG;
        }
        w->m->kernels[w->kernel_index].reads_params = true;
    }
    ptx_lower_address(w, &u, where);
    return ptx_lower_values(w, &u, value, is_load) && ptx_uop_add(w, &u);
}

static bool atomic(struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct ptx_opnd *o = &w->f->opnd[in->opnd];
    const enum isa_type type = (enum isa_type)in->form.type;
    const uint32_t n = in->form.sub == ISA_S_CAS ? 2 : 1;
    struct isa_uop u;
    enum ptx_width width;

    ptx_uop_init(w, &u);
    u.form = in->form;
    u.kind = ISA_K_RED;
    u.counts = in->counts;
    u.class = ISA_CL_MEM;
    u.size = (uint8_t)(isa_type_bits(type) / 8);
    u.dst_bits = (uint8_t)(u.size < 2 ? 16 : 8 * u.size);
    if (in->form.op == ISA_OP_ATOM) {
        if (o->kind == OK_REG && ptx_reg_ref(w, o->id) != ISA_NO_REF) {
            u.kind = ISA_K_ATOM;
            u.dst[0] = ptx_reg_ref(w, o->id);
            ptx_writes(&u, u.dst[0], width_of_type(type));
        } else if (in->form.sub == ISA_S_EXCH || in->form.sub == ISA_S_CAS) {
            u.kind = ISA_K_ATOM;
        }
        o++;
    }
    ptx_lower_address(w, &u, o++);
    for (uint32_t i = 0; i < n; i++, o++) {
        if (!ptx_source(w, o, type, &u.src[i], &width)) {
            return false;
        }
        ptx_reads(&u, u.src[i], width);
        u.n_src++;
    }
    return ptx_uop_add(w, &u);
}

/* Part of an instruction that orders what lies before or behind it (SPEC FENCE-1). */
static bool add_fence(struct ptx_lower *w, enum isa_level level)
{
    struct isa_uop u;

    ptx_uop_init(w, &u);
    u.form = (struct isa_form){.op = ISA_OP_FENCE, .vec = 1};
    u.kind = ISA_K_FENCE;
    u.class = ISA_CL_MEM;
    u.imm = level;
    return ptx_uop_add(w, &u);
}

static bool access_memory(struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];

    if (in->form.op == ISA_OP_ATOM || in->form.op == ISA_OP_RED) {
        return atomic(w, in);
    }
    const bool is_load = in->form.op != ISA_OP_ST;
    const struct ptx_opnd *const where = is_load ? &o[1] : &o[0];
    const struct ptx_opnd *const value = is_load ? &o[0] : &o[1];

    if (where->sub == OK_PARAM && !(w->f->is_kernel && w->f->pvar[where->id].is_own)) {
        return ptx_lower_area(w, in, where->id, (uint32_t)where->value);
    }
    return load_or_store(w, in, value, where);
}

bool ptx_lower_memory(struct ptx_lower *w, const struct ptx_insn *in)
{
    const bool both = ptx_has_word(in, ".acq_rel");
    const enum isa_level level = ptx_has_word(in, ".cta")   ? ISA_LEVEL_CTA
                                 : ptx_has_word(in, ".sys") ? ISA_LEVEL_SYS
                                                            : ISA_LEVEL_GPU;

    if ((both || ptx_has_word(in, ".release")) && !add_fence(w, level)) {
        return false;
    }
    return access_memory(w, in) &&
           (!(both || ptx_has_word(in, ".acquire")) || add_fence(w, level));
}
