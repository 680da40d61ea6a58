/* Micro-ops one by one: references, constants, scoreboard masks. */
#include "base/bits.h"
#include "ptx/lower_priv.h"

#include <stdio.h>
#include <string.h>

/* A .loc may name a file of which no .file tells the name: then it tells nothing. */
static bool is_named(const struct ptx_private *pr, uint32_t file)
{
    return file < pr->n_file && pr->file[file] != NULL;
}

void ptx_set_place(const struct ptx_lower *w, struct isa_uop *u,
                   const struct ptx_insn *in)
{
    u->line = in->line;
    u->column = in->column;
    if (is_named(w->pr, in->src_file)) {
        u->src_file = in->src_file;
        u->src_line = in->src_line;
        u->inlined = in->inlined;
    }
}

void ptx_uop_init(const struct ptx_lower *w, struct isa_uop *u)
{
    memset(u, 0, sizeof(*u));
    u->guard = ISA_P_TRUE;
    u->weight = 1;
    u->class = ISA_CL_CTRL;
    for (uint32_t i = 0; i < 4; i++) {
        u->dst[i] = ISA_NO_REF;
        u->src[i] = ISA_NO_REF;
    }
    u->dst2 = ISA_NO_REF;
    u->cc = ISA_NO_REF;
    u->addr = ISA_NO_REF;
    u->reconv = ISA_NO_PC;
    u->form.vec = 1;
    if (w->insn < w->f->n_insn) {
        const struct ptx_insn *const in = &w->f->insn[w->insn];

        ptx_set_place(w, u, in);
        if (in->guard != PTX_NONE) {
            u->guard = ptx_reg_ref(w, in->guard);
            u->guard_neg = in->guard_neg;
            ptx_reads(u, u->guard, PTX_WPRED);
        }
    } else {
        u->line = w->f->line;
        u->column = w->f->column;
    }
}

void ptx_reads(struct isa_uop *u, isa_ref ref, enum ptx_width width)
{
    if (ref < 0) {
        return;
    }
    if (width == PTX_WPRED) {
        u->needs_p |= 1u << (ref % 32);
        return;
    }
    u->needs |= 1ull << (ref % 64);
    if (width == PTX_W64) {
        u->needs |= 1ull << ((ref + 1) % 64);
    }
}

void ptx_writes(struct isa_uop *u, isa_ref ref, enum ptx_width width)
{
    if (ref < 0) {
        return;
    }
    ptx_reads(u, ref, width);
    if (width == PTX_WPRED) {
        u->sets_p |= 1u << (ref % 32);
        return;
    }
    u->sets |= 1ull << (ref % 64);
    if (width == PTX_W64) {
        u->sets |= 1ull << ((ref + 1) % 64);
    }
}

bool ptx_uop_add(struct ptx_lower *w, const struct isa_uop *u)
{
    struct ptx_module *const m = w->m;

    if (m->n_uops == UINT32_MAX - 1) {
        return ptx_refuse_insn(w, "too many instructions");
    }
    const uint32_t insn = w->insn < w->f->n_insn ? w->insn : PTX_NONE;
    struct isa_uop *const added = PTX_PUSH(w->a, m->uops, m->n_uops, w->cap_uops);

    *added = *u;
    added->part = insn == PTX_NONE || w->pc_of[insn] != m->n_uops - 1;
    *PTX_PUSH(w->a, w->pr->where, w->n_where, w->cap_where) =
        (struct ptx_where){.fn = w->fn, .insn = insn};
    return true;
}

/* ---- the constant pool ---- */

static bool pool(struct ptx_lower *w, uint64_t value, bool is64, isa_ref *ref)
{
    struct ptx_module *const m = w->m;
    const uint32_t slots = is64 ? 2 : 1;
    uint32_t *words;

    if (m->n_k + slots > PTX_MAX_REFS) {
        return ptx_refuse_insn(w, "more than %d different constants in one module",
                               PTX_MAX_REFS);
    }
    while (m->n_k + slots > w->cap_k) {
        uint32_t *bigger;

        w->cap_k = w->cap_k == 0 ? 64 : 2 * w->cap_k;
        bigger = arena_alloc(w->a, (size_t)w->cap_k * ISA_LANES * sizeof(m->k[0]));
        if (m->n_k > 0) {
            memcpy(bigger, m->k, (size_t)m->n_k * ISA_LANES * sizeof(m->k[0]));
        }
        m->k = bigger;
    }
    words = m->k + (size_t)m->n_k * ISA_LANES;
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        if (is64) {
            memcpy(words + 2 * l, &value, sizeof(value));
        } else {
            words[l] = (uint32_t)value;
        }
    }
    *ref = (isa_ref)(-1 - (int32_t)m->n_k);
    m->n_k += slots;
    return true;
}

bool ptx_constant(struct ptx_lower *w, uint64_t value, bool is64, isa_ref *ref)
{
    uint32_t *at;
    bool found;

    if (value == UINT64_MAX && is64) { /* the one value that cannot be a key */
        if (w->ones == ISA_NO_REF && !pool(w, value, true, &w->ones)) {
            return false;
        }
        *ref = w->ones;
        return true;
    }
    at = ptx_map_at(is64 ? w->k64 : w->k32, is64 ? value : (uint32_t)value, &found);
    if (found) {
        *ref = (isa_ref)(-1 - (int32_t)*at);
        return true;
    }
    *at = w->m->n_k;
    return pool(w, value, is64, ref);
}

/* ---- operands ---- */

enum ptx_width ptx_width_of(const struct ptx_lower *w, uint32_t reg)
{
    if (w->f->vreg[reg].type == ISA_T_PRED) {
        return PTX_WPRED;
    }
    return ptx_reg_bits(w->f, reg) == 64 ? PTX_W64 : PTX_W32;
}

isa_ref ptx_reg_ref(const struct ptx_lower *w, uint32_t reg)
{
    const uint32_t s = w->fi->slots.of[reg];

    return s == PTX_NONE ? ISA_NO_REF : (isa_ref)s;
}

isa_ref ptx_temp(struct ptx_lower *w, enum ptx_width width)
{
    const struct ptx_slots *const s = &w->fi->slots;
    const uint32_t at = w->next_temp;

    w->next_temp += width == PTX_W64 ? 2 : 1;
    if (width == PTX_W64 && s->temp_pair != s->temp) {
        return (isa_ref)(s->temp_pair + (at + 1) / 2 * 2); /* two pairs never cross */
    }
    return (isa_ref)(s->temp + at);
}

/* One machine instruction of one pipe needs no list. */
static void set_machine(struct isa_uop *u, const struct isa_seq *seq)
{
    if (seq == NULL) {
        return;
    }
    u->class = seq->part[0].class;
    if (seq->insts == 1 && seq->wait == 0 && seq->part[0].chain == 1 &&
        seq->part[1].n == 0) {
        u->weight = seq->part[0].n;
    } else {
        u->kind = ISA_K_SEQ;
        u->seq = seq;
        u->weight = 0; /* its pipes are taken by the list */
    }
}

bool ptx_set_form(struct ptx_lower *w, struct isa_uop *u, const struct isa_form *form)
{
    struct isa_selected s;

    u->form = *form;
    if (!isa_select(form, &s)) {
        ptx_refuse_insn(w, "this form of %s is not supported",
                        isa_op_name((enum isa_op)form->op));
        return err_code(w->e, SMW_CODE_UNSUPPORTED_PTX);
    }
    u->kind = ISA_K_ALU;
    u->exec = s.exec;
    u->class = s.class;
    u->weight = s.weight;
    if (w->target != NULL) {
        set_machine(u, isa_machine(form, w->target->cc));
    }
    return true;
}

void ptx_has_members(struct isa_uop *u, const struct ptx_opnd *o)
{
    u->aside |= o->kind != OK_IMM || (uint32_t)o->value != UINT32_MAX
                    ? ISA_ASIDE_MEMBERS
                    : ISA_ASIDE_ALL;
}

static uint64_t imm_bits(const struct ptx_opnd *o, enum isa_type type)
{
    const uint32_t bits = isa_type_bits(type);
    const uint64_t v = o->value;

    if (o->sub == IMM_F64 && bits == 32) {
        return bits_of_f32((float)bits_f64(v));
    }
    if (o->sub == IMM_F32 && bits == 64 && type == ISA_T_F64) {
        return bits_of_f64((double)bits_f32((uint32_t)v));
    }
    return bits < 64 ? v & ((1ull << bits) - 1) : v;
}

static uint32_t shared_offset(const struct ptx_lower *w, const struct ptx_symbol *s)
{
    for (uint32_t i = 0; w->kernel != NULL && i < w->kernel->n_shared; i++) {
        if (w->kernel->shared[i].name == s->name) {
            return w->kernel->shared[i].offset;
        }
    }
    return 0;
}

uint64_t ptx_symbol_address(const struct ptx_lower *w, uint32_t sym, bool generic)
{
    const struct ptx_symbol *const s = &w->m->symbols[sym];

    if (s->space == ISA_SP_SHARED) {
        return shared_offset(w, s) + (generic ? ISA_SHARED_WINDOW : 0);
    }
    return s->addr + (generic && s->space == ISA_SP_CONST ? ISA_CONST_WINDOW : 0);
}

void ptx_set_sreg(struct ptx_lower *w, struct isa_uop *u, enum isa_sreg sreg)
{
    u->exec = isa_exec_sreg(sreg);
    u->class = isa_sreg_class(sreg, u->class);
    u->imm = sreg;
    if (sreg >= ISA_SR_CLOCK && sreg <= ISA_SR_GLOBALTIMER_HI) {
        u->aside = ISA_ASIDE_CLOCK;
    }
    w->m->wants_grid_sync |= sreg == ISA_SR_ENVREG1 || sreg == ISA_SR_ENVREG2;
    w->m->wants_reserved |= sreg >= ISA_SR_RESERVED_BEGIN && sreg <= ISA_SR_RESERVED_1;
}

static bool special_register(struct ptx_lower *w, const struct ptx_opnd *o,
                             enum isa_type type, isa_ref *ref)
{
    const struct isa_form form = {.op = ISA_OP_MOV,
                                  .type =
                                      isa_type_bits(type) == 64 ? ISA_T_B64 : ISA_T_B32,
                                  .vec = 1};
    const enum ptx_width width = form.type == ISA_T_B64 ? PTX_W64 : PTX_W32;
    struct isa_uop u;

    ptx_uop_init(w, &u);
    if (!ptx_set_form(w, &u, &form)) {
        return false;
    }
    *ref = ptx_temp(w, width);
    ptx_set_sreg(w, &u, (enum isa_sreg)o->id);
    u.dst[0] = *ref;
    ptx_writes(&u, *ref, width);
    return ptx_uop_add(w, &u);
}

static bool step(struct ptx_lower *w, const struct isa_form *form, isa_ref dst,
                 enum ptx_width width, isa_ref a, isa_ref b)
{
    struct isa_uop u;

    ptx_uop_init(w, &u);
    if (!ptx_set_form(w, &u, form)) {
        return false;
    }
    u.dst[0] = dst;
    u.src[0] = a;
    u.src[1] = b;
    u.n_src = b == ISA_NO_REF ? 1 : 2;
    ptx_writes(&u, dst, width);
    ptx_reads(&u, a, PTX_W32);
    ptx_reads(&u, b, PTX_W32);
    return ptx_uop_add(w, &u);
}

bool ptx_add_base(struct ptx_lower *w, isa_ref dst, uint64_t offset)
{
    const struct isa_form add = {.op = ISA_OP_ADD, .type = ISA_T_U32, .vec = 1};
    isa_ref k;

    return ptx_constant(w, offset, false, &k) &&
           step(w, &add, dst, PTX_W32, (isa_ref)(w->fi->area - 1), k);
}

/* The address of a local variable of a recursive function: its base is a value. */
static bool moving_local(struct ptx_lower *w, uint64_t offset, bool is64, isa_ref *ref)
{
    const struct isa_form cvt = {.op = ISA_OP_CVT,
                                 .type = ISA_T_U64,
                                 .type2 = ISA_T_U32,
                                 .vec = 1};
    const isa_ref low = ptx_temp(w, PTX_W32);

    *ref = low;
    if (!ptx_add_base(w, low, offset)) {
        return false;
    }
    if (!is64) {
        return true;
    }
    *ref = ptx_temp(w, PTX_W64);
    return step(w, &cvt, *ref, PTX_W64, low, ISA_NO_REF);
}

bool ptx_source(struct ptx_lower *w, const struct ptx_opnd *o, enum isa_type type,
                isa_ref *ref, enum ptx_width *width)
{
    const bool is64 = isa_type_bits(type) == 64;

    *width = is64 ? PTX_W64 : PTX_W32;
    if (o->kind == OK_REG) {
        *ref = ptx_reg_ref(w, o->id);
        *width = ptx_width_of(w, o->id);
        return true;
    }
    if (o->kind == OK_SREG) {
        return special_register(w, o, type, ref);
    }
    if (o->kind == OK_SYM) {
        return ptx_constant(w, ptx_symbol_address(w, o->id, o->sub == 1) + o->value,
                            is64, ref);
    }
    if (o->kind == OK_LOCAL) {
        const uint64_t at = w->f->local[o->id].offset + o->value;

        return w->graph.dynamic[w->fn]
                   ? moving_local(w, at, is64, ref)
                   : ptx_constant(w, w->graph.local_at[w->fn] + at, is64, ref);
    }
    if (o->kind == OK_PARAM) {
        return ptx_constant(w, w->f->pvar[o->id].p.offset + o->value, is64, ref);
    }
    return ptx_constant(w, imm_bits(o, type), is64, ref);
}

bool ptx_pred_source(struct ptx_lower *w, struct isa_uop *u, uint32_t i,
                     const struct ptx_opnd *o)
{
    if (o->kind == OK_IMM) {
        u->src[i] = o->value != 0 ? ISA_P_TRUE : ISA_P_FALSE;
    } else {
        u->src[i] = ptx_reg_ref(w, o->id);
        ptx_reads(u, u->src[i], PTX_WPRED);
    }
    u->neg_src |= (uint8_t)(o->neg << i);
    return true;
}
