/*
 * Calls. The arguments of a call are words beyond the caller's frame, which are the
 * first slots of the callee's: results first, then parameters. A function whose local
 * variables move (recursion) gets their base in a word more, the last of its area.
 */
#include "ptx/lower_priv.h"

static const struct isa_form mov32 = {.op = ISA_OP_MOV, .type = ISA_T_B32, .vec = 1};

static enum isa_type formal_type(const struct ptx_pvar *v)
{
    const enum isa_type t = v->p.type;

    return isa_type_bits(t) == 8 * v->p.size ? t : ISA_T_B32;
}

/* The words of the area from byte at on as registers of the scoreboard. */
static void area_words(struct isa_uop *u, uint32_t bytes, bool is_store)
{
    for (uint32_t b = (uint32_t)u->imm / 4; b <= ((uint32_t)u->imm + bytes - 1) / 4;
         b++) {
        const isa_ref slot = (isa_ref)(u->frame + (isa_ref)b);

        if (is_store) {
            ptx_writes(u, slot, PTX_W32);
        } else {
            ptx_reads(u, slot, PTX_W32);
        }
    }
}

static bool area_uop(struct ptx_lower *w, struct isa_uop *u, enum isa_type type,
                     uint32_t vec, bool is_store, uint32_t frame, uint32_t offset)
{
    const uint32_t bits = isa_type_bits(type);
    const uint32_t unit = bits > 32 ? 4 : bits / 8;

    ptx_uop_init(w, u);
    if (!ptx_set_form(w, u, &mov32)) {
        return false;
    }
    if (offset % unit != 0) {
        return ptx_refuse_insn(w, "the offset of a parameter is not a multiple of %u",
                               unit);
    }
    u->form = (struct isa_form){.op = (uint8_t)(is_store ? ISA_OP_ST : ISA_OP_LD),
                                .type = (uint8_t)type,
                                .space = ISA_SP_PARAM,
                                .vec = (uint8_t)vec};
    u->exec = isa_exec_param(is_store, bits);
    u->size = (uint8_t)(bits / 8);
    u->weight = (uint8_t)((vec * bits + 31) / 32);
    u->frame = (isa_ref)frame;
    u->imm = offset;
    area_words(u, vec * bits / 8, is_store);
    return true;
}

bool ptx_lower_area(struct ptx_lower *w, const struct ptx_insn *in, uint32_t pvar,
                    uint32_t offset)
{
    const struct ptx_pvar *v = &w->f->pvar[pvar];
    const bool is_store = in->form.op == ISA_OP_ST;
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd + (is_store ? 1 : 0)];
    uint32_t frame = 0;
    struct isa_uop u;

    if (!v->is_own) {
        const struct ptx_arg arg = w->arg[w->insn];
        const struct ptx_insn *const call = &w->f->insn[arg.call];

        v = &w->pr->fn[call->callee]->pvar[arg.formal];
        frame = w->fi->slots.n_slots;
    }
    return area_uop(w, &u, (enum isa_type)in->form.type, in->form.vec, is_store, frame,
                    v->p.offset + offset) &&
           ptx_lower_values(w, &u, o, !is_store) && ptx_uop_add(w, &u);
}

/* ---- which call an argument belongs to ---- */

static bool is_argument(const struct ptx_lower *w, const struct ptx_insn *in,
                        enum isa_op op, uint32_t *pvar)
{
    const struct ptx_opnd *o;

    if (in->form.op != op || in->form.space != ISA_SP_PARAM) {
        return false;
    }
    o = &w->f->opnd[in->opnd + (op == ISA_OP_ST ? 0 : 1)];
    *pvar = o->id;
    return o->kind == OK_ADDR && o->sub == OK_PARAM && !w->f->pvar[o->id].is_own;
}

static void note_call(const struct ptx_lower *w, struct ptx_arg *last, uint32_t call,
                      uint32_t from, uint32_t to)
{
    const struct ptx_insn *const in = &w->f->insn[call];

    for (uint32_t k = from; k < to; k++) {
        const struct ptx_opnd *const o = &w->f->opnd[in->opnd + k];

        if (o->kind == OK_PARAM) {
            last[o->id] = (struct ptx_arg){call, k};
        }
    }
}

static bool bind(struct ptx_lower *w, uint32_t i, const struct ptx_arg *to,
                 uint32_t nearest, const char *message)
{
    w->insn = i;
    if (to->call == PTX_NONE || to->call != nearest) {
        return ptx_refuse_insn(w, "%s", message);
    }
    w->arg[i] = *to;
    return true;
}

bool ptx_bind_arguments(struct ptx_lower *w)
{
    const struct ptx_ir *const f = w->f;
    struct ptx_arg *const last = arena_alloc(w->a, (f->n_pvar + 1) * sizeof(last[0]));
    uint32_t call = PTX_NONE, pvar;

    w->arg = arena_alloc(w->a, (f->n_insn + 1) * sizeof(w->arg[0]));
    for (uint32_t i = 0; i < f->n_pvar; i++) {
        last[i].call = PTX_NONE;
    }
    for (uint32_t i = 0; i < f->n_insn; i++) {
        if (f->insn[i].form.op == ISA_OP_CALL) {
            note_call(w, last, i, 0, f->insn[i].n_rets);
            call = i;
        } else if (is_argument(w, &f->insn[i], ISA_OP_LD, &pvar) &&
                   !bind(w, i, &last[pvar], call,
                         "a result is read right after its call only")) {
            return false;
        }
    }
    call = PTX_NONE;
    for (uint32_t i = f->n_insn; i > 0; i--) {
        if (f->insn[i - 1].form.op == ISA_OP_CALL) {
            note_call(w, last, i - 1, f->insn[i - 1].n_rets, f->insn[i - 1].n_call);
            call = i - 1;
        } else if (is_argument(w, &f->insn[i - 1], ISA_OP_ST, &pvar) &&
                   !bind(w, i - 1, &last[pvar], call,
                         "an argument is set right before its call only")) {
            return false;
        }
    }
    return true;
}

/* ---- call, entry, return ---- */

/* A predicate to or from a word of an area, where it is 1 or 0. */
static bool predicate_word(struct ptx_lower *w, const struct ptx_opnd *o, uint32_t slot,
                           bool is_store)
{
    static const struct isa_form forms[] = {
        {.op = ISA_OP_SETP, .type = ISA_T_B32, .cmp = ISA_C_NE, .vec = 1},
        {.op = ISA_OP_SELP, .type = ISA_T_B32, .vec = 1}};
    isa_ref one, zero;
    struct isa_uop u;

    ptx_uop_init(w, &u);
    if (!ptx_set_form(w, &u, &forms[is_store]) || !ptx_constant(w, 1, false, &one) ||
        !ptx_constant(w, 0, false, &zero)) {
        return false;
    }
    if (!is_store) {
        u.src[0] = (isa_ref)slot;
        u.src[1] = zero;
        u.n_src = 2;
        ptx_reads(&u, u.src[0], PTX_W32);
        ptx_write_operand(w, &u, &u.dst[0], o);
        return ptx_uop_add(w, &u);
    }
    u.dst[0] = (isa_ref)slot;
    u.src[0] = one;
    u.src[1] = zero;
    u.n_src = 3;
    ptx_writes(&u, u.dst[0], PTX_W32);
    return ptx_pred_source(w, &u, 2, o) && ptx_uop_add(w, &u);
}

static bool register_argument(struct ptx_lower *w, const struct ptx_pvar *formal,
                              const struct ptx_opnd *o, bool is_store)
{
    const enum isa_type type = formal_type(formal);
    struct isa_uop u;

    if (o->kind == OK_PARAM || o->kind == OK_SINK) {
        return true;
    }
    if (formal->p.type == ISA_T_PRED) {
        return predicate_word(w, o, w->fi->slots.n_slots + formal->p.offset / 4,
                              is_store);
    }
    if (!area_uop(w, &u, type, 1, is_store, w->fi->slots.n_slots, formal->p.offset) ||
        !ptx_lower_values(w, &u, o, !is_store)) {
        return false;
    }
    return ptx_uop_add(w, &u);
}

/* The base of the callee's local variables, beyond the caller's. */
static bool local_base(struct ptx_lower *w, uint32_t callee)
{
    const uint32_t at = w->fi->slots.n_slots + ptx_info(w, callee)->area - 1;
    const uint32_t mine = (w->f->local_bytes + 15) & ~15u;
    isa_ref k;
    struct isa_uop u;

    if (!w->graph.dynamic[callee]) {
        return true;
    }
    if (w->graph.dynamic[w->fn]) {
        return ptx_add_base(w, (isa_ref)at, mine);
    }
    ptx_uop_init(w, &u);
    if (!ptx_set_form(w, &u, &mov32) ||
        !ptx_constant(w, w->graph.local_at[w->fn] + mine, false, &k)) {
        return false;
    }
    u.dst[0] = (isa_ref)at;
    u.src[0] = k;
    u.n_src = 1;
    ptx_writes(&u, u.dst[0], PTX_W32);
    return ptx_uop_add(w, &u);
}

bool ptx_lower_call(struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct ptx_ir *const g = w->pr->fn[in->callee];
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];
    const enum ptx_builtin builtin = ptx_builtin_of(g);
    struct isa_uop u;

    for (uint32_t i = in->n_rets; i < in->n_call; i++) {
        if (!register_argument(w, &g->pvar[i], &o[i], true)) {
            return false;
        }
    }
    if (builtin == PTX_BUILTIN_NONE && !local_base(w, in->callee)) {
        return false;
    }
    ptx_uop_init(w, &u);
    u.form = in->form;
    u.frame = (isa_ref)w->fi->slots.n_slots;
    u.imm = (int64_t)w->fi->slots.n_preds; /* predicates of the callee begin there */
    u.needs = UINT64_MAX;                  /* the callee counts its slots anew */
    u.needs_p = UINT32_MAX;
    u.kind = builtin == PTX_BUILTIN_VPRINTF  ? ISA_K_PRINTF
             : builtin == PTX_BUILTIN_ASSERT ? ISA_K_TRAP
                                             : ISA_K_CALL;
    u.class = builtin == PTX_BUILTIN_VPRINTF ? ISA_CL_MEM : u.class; /* it loads */
    if (builtin == PTX_BUILTIN_NONE) {
        const uint32_t inst = ptx_instance_of(w, in->callee);

        *PTX_PUSH(w->a, w->fix, w->n_fix, w->cap_fix) =
            (struct ptx_fix){w->m->n_uops, inst};
    }
    if (!ptx_uop_add(w, &u)) {
        return false;
    }
    for (uint32_t i = 0; i < in->n_rets; i++) {
        if (!register_argument(w, &g->pvar[i], &o[i], false)) {
            return false;
        }
    }
    return true;
}

static bool own_register(struct ptx_lower *w, const struct ptx_pvar *v, bool is_store)
{
    const struct ptx_opnd o = {.kind = OK_REG, .id = v->reg};
    struct isa_uop u;

    if (v->reg == PTX_NONE || ptx_reg_ref(w, v->reg) == ISA_NO_REF) {
        return true;
    }
    if (v->p.type == ISA_T_PRED) {
        return predicate_word(w, &o, v->p.offset / 4, is_store);
    }
    return area_uop(w, &u, formal_type(v), 1, is_store, 0, v->p.offset) &&
           ptx_lower_values(w, &u, &o, !is_store) && ptx_uop_add(w, &u);
}

/* Word by word to the local variable that holds v. */
static bool copy_to_local(struct ptx_lower *w, const struct ptx_pvar *v)
{
    isa_ref temp;

    w->next_temp = 0;
    temp = ptx_temp(w, PTX_W32);
    for (uint32_t at = 0; at < v->p.size; at += 4) {
        struct isa_uop u;

        if (!area_uop(w, &u, ISA_T_B32, 1, false, 0, v->p.offset + at)) {
            return false;
        }
        u.dst[0] = temp;
        u.dst_bits = 32;
        ptx_writes(&u, temp, PTX_W32);
        if (!ptx_uop_add(w, &u) || !ptx_lower_to_local(w, v->local, at, temp)) {
            return false;
        }
    }
    return true;
}

bool ptx_lower_entry(struct ptx_lower *w)
{
    const struct ptx_ir *const f = w->f;

    w->insn = f->n_insn; /* belongs to no instruction */
    for (uint32_t i = f->n_rets; i < f->n_rets + f->n_params; i++) {
        if (!own_register(w, &f->pvar[i], false) ||
            (f->pvar[i].local != PTX_NONE && !copy_to_local(w, &f->pvar[i]))) {
            return false;
        }
    }
    return true;
}

bool ptx_lower_ret(struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct ptx_ir *const f = w->f;
    struct isa_uop u;

    for (uint32_t i = 0; i < f->n_rets; i++) {
        if (!own_register(w, &f->pvar[i], true)) {
            return false;
        }
    }
    ptx_uop_init(w, &u);
    u.form = in->form;
    u.kind = f->is_kernel || in->form.op == ISA_OP_EXIT ? ISA_K_EXIT : ISA_K_RET;
    if (u.kind == ISA_K_RET) {
        u.needs = UINT64_MAX;
        u.needs_p = UINT32_MAX;
    }
    return ptx_uop_add(w, &u);
}
