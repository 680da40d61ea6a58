/* From the parsed module to micro-ops. */
#include "ptx/lower.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool ptx_refuse_insn(struct ptx_lower *w, const char *fmt, ...)
{
    char message[256];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(message, sizeof(message), fmt, ap);
    va_end(ap);
    err_set(w->e, ERR_INPUT, "%s", message);
    if (w->f != NULL && w->insn < w->f->n_insn) {
        const struct ptx_insn *const in = &w->f->insn[w->insn];

        err_at(w->e, w->pr->name, w->pr->text, in->line, in->column,
               (uint32_t)strlen(ptx_op_name((enum ptx_op)in->form.op)));
    } else if (w->f != NULL) {
        err_at(w->e, w->pr->name, w->pr->text, w->f->line, w->f->column,
               (uint32_t)strlen(w->f->name));
    }
    return false;
}

/* ---- cvt: registers may be wider than the types ---- */

static bool cvt_step(struct ptx_lower *w, struct ptx_form form, ptx_ref dst,
                     enum ptx_width dw, ptx_ref src, enum ptx_width sw)
{
    struct ptx_uop u;

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

static enum ptx_width type_width(enum ptx_type t)
{
    return ptx_type_bits(t) == 64 ? PTX_W64 : PTX_W32;
}

/* Extended from type to the width of register reg: what cvt into a wider register does.
 */
static bool extend(struct ptx_lower *w, enum ptx_type type, ptx_ref from, uint32_t reg)
{
    const bool is_signed = ptx_type_is_signed(type);
    const enum ptx_width width = ptx_width_of(w, reg);
    const struct ptx_form form = {
        .op = PTX_OP_CVT,
        .type = (uint8_t)(width == PTX_W64 ? (is_signed ? PTX_T_S64 : PTX_T_U64)
                                           : (is_signed ? PTX_T_S32 : PTX_T_U32)),
        .type2 = (uint8_t)type,
        .vec = 1};

    return cvt_step(w, form, ptx_reg_ref(w, reg), width, from, type_width(type));
}

static bool lower_cvt(struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];
    const enum ptx_type to = (enum ptx_type)in->form.type;
    const enum ptx_type from = (enum ptx_type)in->form.type2;
    const struct ptx_form low = {.op = PTX_OP_CVT,
                                 .type = PTX_T_U32,
                                 .type2 = PTX_T_U64,
                                 .vec = 1};
    enum ptx_width width;
    ptx_ref src, dst;
    uint32_t reg_bits;

    if (o[0].kind == OK_SINK || ptx_reg_ref(w, o[0].id) == PTX_NO_REF) {
        return true;
    }
    if (!ptx_source(w, &o[1], from, &src, &width)) {
        return false;
    }
    if (width == PTX_W64 && ptx_type_bits(from) < 64) {
        const ptx_ref temp = ptx_temp(w, PTX_W32);

        if (!cvt_step(w, low, temp, PTX_W32, src, PTX_W64)) {
            return false;
        }
        src = temp;
        width = PTX_W32;
    }
    reg_bits = ptx_reg_bits(w->f, o[0].id);
    dst = ptx_reg_ref(w, o[0].id);
    if (reg_bits == ptx_type_bits(to) || (reg_bits <= 32 && !ptx_type_is_signed(to)) ||
        (reg_bits == 16 && ptx_type_is_float(to))) {
        return cvt_step(w, in->form, dst, type_width(to), src, width);
    }
    const ptx_ref temp = ptx_temp(w, type_width(to));
    if (!cvt_step(w, in->form, temp, type_width(to), src, width)) {
        return false;
    }
    if (reg_bits == 16) { /* s8 in a 16-bit register */
        const struct ptx_form form = {.op = PTX_OP_CVT,
                                      .type = PTX_T_S16,
                                      .type2 = (uint8_t)to,
                                      .vec = 1};

        return cvt_step(w, form, dst, PTX_W32, temp, PTX_W32);
    }
    return extend(w, to, temp, o[0].id);
}

/* ---- everything else of kind ALU ---- */

static void write_operand(struct ptx_lower *w, struct ptx_uop *u, ptx_ref *place,
                          const struct ptx_opnd *o)
{
    if (o->kind != OK_REG) {
        return;
    }
    *place = ptx_reg_ref(w, o->id);
    ptx_writes(u, *place, ptx_width_of(w, o->id));
}

static void write_pair(struct ptx_lower *w, struct ptx_uop *u, const struct ptx_opnd *o)
{
    if (o->kind != OK_PAIR) {
        write_operand(w, u, &u->dst[0], o);
        return;
    }
    write_operand(w, u, &u->dst[0], &w->f->opnd[o->id]);
    write_operand(w, u, &u->dst2, &w->f->opnd[o->id + 1]);
}

static bool read_operand(struct ptx_lower *w, struct ptx_uop *u,
                         const struct ptx_opnd *o, enum ptx_type type)
{
    enum ptx_width width;

    if (u->n_src == 4) {
        return ptx_refuse_insn(w, "too many operands");
    }
    if (type == PTX_T_PRED) {
        return ptx_pred_source(w, u, u->n_src++, o);
    }
    if (!ptx_source(w, o, type, &u->src[u->n_src], &width)) {
        return false;
    }
    ptx_reads(u, u->src[u->n_src++], width);
    return true;
}

/* mov {a, b}, c and mov c, {a, b} */
static bool vector_operand(struct ptx_lower *w, struct ptx_uop *u,
                           const struct ptx_opnd *o, bool is_dst)
{
    const uint32_t bits = ptx_type_bits((enum ptx_type)u->form.type) / o->n;
    const enum ptx_type part = bits == 32   ? PTX_T_B32
                               : bits == 16 ? PTX_T_B16
                                            : PTX_T_B8;

    for (uint32_t i = 0; i < o->n; i++) {
        const struct ptx_opnd *const e = &w->f->opnd[o->id + i];

        if (is_dst) {
            write_operand(w, u, &u->dst[i], e);
        } else if (!read_operand(w, u, e, part)) {
            return false;
        }
    }
    return true;
}

static bool one_operand(struct ptx_lower *w, struct ptx_uop *u,
                        const struct ptx_insn *in, const struct ptx_opnd *o,
                        char letter)
{
    const enum ptx_type type = ptx_letter_type(in, letter);

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
        write_operand(w, u, &u->dst[0], o);
        return true;
    }
    return read_operand(w, u, o, type);
}

/* What of the form depends on the operands. */
static struct ptx_form full_form(const struct ptx_lower *w, const struct ptx_insn *in)
{
    struct ptx_form form = in->form;
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];

    if (form.op == PTX_OP_MOV) {
        for (uint32_t i = 0; i < 2; i++) {
            form.vec = o[i].kind == OK_VEC ? o[i].n : form.vec;
        }
        if (form.vec > 1) {
            const uint32_t bits = ptx_type_bits((enum ptx_type)form.type);

            form.type = (uint8_t)(bits == 64   ? PTX_T_B64
                                  : bits == 32 ? PTX_T_B32
                                               : PTX_T_B16);
        }
    }
    if (in->n_opnds > 0 && o[0].kind == OK_PAIR) {
        form.flags |= PTX_F_DST2;
    }
    if (form.op == PTX_OP_ISSPACEP) {
        const bool wide = o[1].kind == OK_REG && ptx_reg_bits(w->f, o[1].id) == 64;

        form.type = wide ? PTX_T_U64 : PTX_T_U32;
    }
    if (form.op == PTX_OP_DP4A || form.op == PTX_OP_DP2A) {
        form.flags |= form.type == PTX_T_S32 ? PTX_F_ATYPE_S : 0;
        form.flags |= form.type2 == PTX_T_S32 ? PTX_F_BTYPE_S : 0;
    }
    return form;
}

static bool result_unused(const struct ptx_lower *w, const struct ptx_uop *u)
{
    bool any = u->dst2 != PTX_NO_REF || u->cc != PTX_NO_REF;

    (void)w;
    for (uint32_t i = 0; i < 4; i++) {
        any |= u->dst[i] != PTX_NO_REF;
    }
    return !any;
}

/* A micro-op that writes nothing at all takes its time as a NOP does. */
static bool lower_alu(struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct ptx_form form = full_form(w, in);
    char letters[PTX_MAX_OPNDS + 1];
    uint32_t least, most;
    struct ptx_uop u;

    ptx_uop_init(w, &u);
    if (!ptx_set_form(w, &u, &form) ||
        ptx_letters(in, letters, &least, &most) == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < in->n_opnds; i++) {
        if (!one_operand(w, &u, in, &w->f->opnd[in->opnd + i], letters[i])) {
            return false;
        }
    }
    if (form.flags & (PTX_F_CC_IN | PTX_F_CC_OUT)) {
        u.cc = (ptx_ref)w->fi->slots.cc;
        ptx_reads(&u, u.cc, PTX_WPRED);
        if (form.flags & PTX_F_CC_OUT) {
            ptx_writes(&u, u.cc, PTX_WPRED);
        }
    }
    if (form.op == PTX_OP_LOP3) {
        u.imm = (int64_t)(w->f->opnd[in->opnd + 4].value & 0xff);
    }
    if (result_unused(w, &u)) {
        u.exec = NULL;
        u.kind = PTX_K_NOP;
    }
    return ptx_uop_add(w, &u);
}

/* mov d, %tid.x: straight from the environment. */
static bool lower_sreg(struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];
    struct ptx_uop u;

    ptx_uop_init(w, &u);
    if (!ptx_set_form(w, &u, &in->form)) {
        return false;
    }
    u.exec = ptx_exec_sreg((enum ptx_sreg)o[1].id);
    u.imm = o[1].id;
    u.reads_clock = o[1].id >= PTX_SR_CLOCK && o[1].id <= PTX_SR_GLOBALTIMER_HI;
    write_operand(w, &u, &u.dst[0], &o[0]);
    if (result_unused(w, &u)) {
        u.exec = NULL;
        u.kind = PTX_K_NOP;
    }
    return ptx_uop_add(w, &u);
}

/* ---- control ---- */

static uint32_t reconvergence(const struct ptx_lower *w)
{
    const uint32_t b = w->fi->flow.block[w->fi->flow.block_of[w->insn]].ipdom;

    return b >= w->fi->flow.n_blocks ? PTX_NONE : w->fi->flow.block[b].first;
}

/* Targets are instructions until the function is complete. */
static bool lower_branch(struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];
    struct ptx_uop u;
    enum ptx_width width;

    ptx_uop_init(w, &u);
    u.form = in->form;
    u.reconv = reconvergence(w);
    if (in->form.op == PTX_OP_BRA) {
        u.kind = PTX_K_BRANCH;
        u.target = w->f->label[o->id].at;
        return ptx_uop_add(w, &u);
    }
    const struct ptx_targets *const t = &w->f->targets[o[1].id];
    u.kind = PTX_K_BRX;
    u.target = w->n_targets;
    u.n_targets = t->n;
    for (uint32_t i = 0; i < t->n; i++) {
        *PTX_PUSH(w->a, w->m->targets, w->n_targets, w->cap_targets) =
            w->f->label[w->f->target_list[t->first + i]].at;
    }
    if (!ptx_source(w, &o[0], PTX_T_U32, &u.src[0], &width)) {
        return false;
    }
    u.n_src = 1;
    ptx_reads(&u, u.src[0], width);
    return ptx_uop_add(w, &u);
}

static bool lower_barrier(struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct ptx_opnd *o = &w->f->opnd[in->opnd];
    const bool is_red = in->form.sub == PTX_S_RED_POPC ||
                        in->form.sub == PTX_S_RED_AND || in->form.sub == PTX_S_RED_OR;
    uint32_t n = in->n_opnds;
    struct ptx_uop u;

    ptx_uop_init(w, &u);
    u.form = in->form;
    u.kind = in->form.sub == PTX_S_WARP ? PTX_K_NOP : PTX_K_BAR;
    u.class = in->form.sub == PTX_S_WARP ? PTX_CL_CTRL : PTX_CL_BAR;
    if (is_red) {
        write_operand(w, &u, &u.dst[0], o++);
        n -= 2;
    }
    for (uint32_t i = 0; i < n; i++) {
        enum ptx_width width;

        if (!ptx_source(w, o++, PTX_T_U32, &u.src[i], &width)) {
            return false;
        }
        ptx_reads(&u, u.src[i], width);
    }
    u.n_src = is_red ? 3 : (uint8_t)n;
    return (!is_red || ptx_pred_source(w, &u, 2, o)) && ptx_uop_add(w, &u);
}

static bool lower_plain(struct ptx_lower *w, const struct ptx_insn *in,
                        enum ptx_kind kind)
{
    struct ptx_uop u;

    ptx_uop_init(w, &u);
    u.form = in->form;
    u.kind = (uint8_t)kind;
    u.imm = kind == PTX_K_FENCE ? (int64_t)in->level : 0;
    u.class = kind == PTX_K_FENCE ? PTX_CL_MEM : PTX_CL_CTRL;
    return ptx_uop_add(w, &u);
}

static bool lower_insn(struct ptx_lower *w, const struct ptx_insn *in)
{
    w->next_temp = 0;
    switch ((enum ptx_op)in->form.op) {
    case PTX_OP_LD:
    case PTX_OP_LDU:
    case PTX_OP_ST:
    case PTX_OP_ATOM:
    case PTX_OP_RED: return ptx_lower_memory(w, in);
    case PTX_OP_BRA:
    case PTX_OP_BRX: return lower_branch(w, in);
    case PTX_OP_CALL: return ptx_lower_call(w, in);
    case PTX_OP_RET:
    case PTX_OP_EXIT: return ptx_lower_ret(w, in);
    case PTX_OP_BAR:
    case PTX_OP_BARRIER: return lower_barrier(w, in);
    case PTX_OP_MEMBAR:
    case PTX_OP_FENCE: return lower_plain(w, in, PTX_K_FENCE);
    case PTX_OP_TRAP:
    case PTX_OP_BRKPT: return lower_plain(w, in, PTX_K_TRAP);
    case PTX_OP_NANOSLEEP:
    case PTX_OP_PMEVENT:
    case PTX_OP_PREFETCH:
    case PTX_OP_PREFETCHU: return lower_plain(w, in, PTX_K_NOP);
    case PTX_OP_CVT: return lower_cvt(w, in);
    default: break; /* the rest computes */
    }
    if (in->form.op == PTX_OP_MOV && w->f->opnd[in->opnd + 1].kind == OK_SREG &&
        w->f->opnd[in->opnd].kind != OK_VEC) {
        return lower_sreg(w, in);
    }
    return lower_alu(w, in);
}

/* ---- functions ---- */

/* A special register that is not moved straight into another register. */
static bool has_special(const struct ptx_ir *f, const struct ptx_opnd *o, bool is_mov)
{
    if (o->kind != OK_VEC) {
        return o->kind == OK_SREG && !is_mov;
    }
    for (uint32_t i = 0; i < o->n; i++) {
        if (f->opnd[o->id + i].kind == OK_SREG) {
            return true;
        }
    }
    return false;
}

/* Whether lowering f makes values the text does not name. */
static bool wants_temps(const struct ptx_lower *w, uint32_t fn, const struct ptx_ir *f)
{
    if (w->graph.dynamic[fn]) {
        return true;
    }
    for (uint32_t i = 0; i < f->n_insn; i++) {
        const bool mov = f->insn[i].form.op == PTX_OP_MOV;

        for (uint32_t k = 0; k < f->insn[i].n_opnds; k++) {
            if (has_special(f, &f->opnd[f->insn[i].opnd + k], mov)) {
                return true;
            }
        }
        if (f->insn[i].form.op == PTX_OP_CVT) {
            const struct ptx_opnd *const o = &f->opnd[f->insn[i].opnd];
            const struct ptx_form *const form = &f->insn[i].form;

            if ((o[0].kind == OK_REG && ptx_reg_bits(f, o[0].id) !=
                                            ptx_type_bits((enum ptx_type)form->type)) ||
                (o[1].kind == OK_REG &&
                 ptx_reg_bits(f, o[1].id) !=
                     ptx_type_bits((enum ptx_type)form->type2))) {
                return true;
            }
        }
    }
    return false;
}

struct ptx_fn_info *ptx_info(struct ptx_lower *w, uint32_t fn)
{
    struct ptx_fn_info *const fi = &w->info[fn];
    const struct ptx_ir *const f = w->pr->fn[fn];

    if (fi->done) {
        return fi;
    }
    fi->done = true;
    fi->area = f->area_words + w->graph.dynamic[fn];
    if (f->is_defined) {
        ptx_flow_build(w->a, f, &fi->flow);
        ptx_live_build(w->a, f, &fi->flow, &fi->live);
        ptx_slots_build(w->a, f, &fi->live, fi->area,
                        wants_temps(w, fn, f) ? PTX_TEMPS : 0, &fi->slots);
    }
    return fi;
}

uint32_t ptx_instance_of(struct ptx_lower *w, uint32_t fn)
{
    const uint32_t kernel = w->graph.shared[fn] ? w->kernel_index : PTX_NONE;
    bool found;
    uint32_t *const at =
        ptx_map_at(w->inst_map, (uint64_t)(kernel + 1) << 32 | fn, &found);

    if (!found) {
        *PTX_PUSH(w->a, w->inst, w->n_inst, w->cap_inst) =
            (struct ptx_instance){fn, kernel, PTX_NONE, PTX_NO_PC};
        *at = w->n_inst - 1;
    }
    return *at;
}

static uint32_t pc_of(const struct ptx_lower *w, uint32_t insn)
{
    return insn == PTX_NONE ? PTX_NO_PC : w->pc_of[insn];
}

/* Instructions become micro-op indices. */
static void patch_branches(struct ptx_lower *w, uint32_t first)
{
    for (uint32_t i = first; i < w->m->n_uops; i++) {
        struct ptx_uop *const u = &w->m->uops[i];

        if (u->kind == PTX_K_BRANCH) {
            u->target = pc_of(w, u->target);
            u->reconv = pc_of(w, u->reconv);
        } else if (u->kind == PTX_K_BRX) {
            u->reconv = pc_of(w, u->reconv);
            for (uint32_t k = 0; k < u->n_targets; k++) {
                w->m->targets[u->target + k] = pc_of(w, w->m->targets[u->target + k]);
            }
        }
    }
}

static bool lower_function(struct ptx_lower *w, uint32_t inst)
{
    const struct ptx_instance at = w->inst[inst];
    const uint32_t first = w->m->n_uops;

    w->fn = at.fn;
    w->f = w->pr->fn[at.fn];
    w->fi = ptx_info(w, at.fn);
    w->insn = w->f->n_insn;
    if (w->fi->slots.n_slots + w->fi->area > PTX_MAX_REFS ||
        w->fi->slots.n_preds > PTX_MAX_REFS) {
        return ptx_refuse_insn(w,
                               "'%.128s' needs %u registers at a time, at most %d are "
                               "possible",
                               w->f->name, w->fi->slots.n_slots, PTX_MAX_REFS);
    }
    w->inst[inst].entry = first;
    w->pc_of = arena_alloc(w->a, (w->f->n_insn + 1) * sizeof(w->pc_of[0]));
    if (!ptx_bind_arguments(w) || !ptx_lower_entry(w)) {
        return false;
    }
    for (w->insn = 0; w->insn < w->f->n_insn; w->insn++) {
        w->pc_of[w->insn] = w->m->n_uops;
        if (!lower_insn(w, &w->f->insn[w->insn])) {
            return false;
        }
    }
    patch_branches(w, first);
    return true;
}

/* The kernel and the functions it is the first to reach. */
static bool lower_kernel(struct ptx_lower *w, uint32_t k)
{
    uint32_t i;

    w->kernel_index = k;
    w->kernel = &w->m->kernels[k];
    i = w->n_inst;
    *PTX_PUSH(w->a, w->inst, w->n_inst, w->cap_inst) =
        (struct ptx_instance){w->pr->kernel_fn[k], k, PTX_NONE, PTX_NO_PC};
    w->m->kernels[k].entry = w->m->n_uops;
    for (; i < w->n_inst; i++) {
        if (!lower_function(w, i)) {
            return false;
        }
        if (!w->f->is_kernel) {
            w->inst[i].func = w->m->n_funcs;
            *PTX_PUSH(w->a, w->m->funcs, w->m->n_funcs, w->cap_funcs) =
                (struct ptx_func){w->f->name, w->inst[i].entry, w->fi->slots.n_slots,
                                  w->fi->slots.n_preds, w->f->local_bytes};
        }
    }
    return true;
}

/* ---- sums over the call graph ---- */

struct sums {
    uint32_t *slots, *preds, *local, *regs; /* of each component, callees included */
    bool *zero, *recursive;
};

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t capped(uint64_t v)
{
    return v > PTX_MAX_VAR ? PTX_MAX_VAR : (uint32_t)v;
}

/* What the real machine code of one function may take: see ptx.h on regs. */
static uint32_t estimate(const struct ptx_fn_info *fi)
{
    return fi->live.max_words + PTX_REGS_EXTRA;
}

static void add_component(struct ptx_lower *w, struct sums *s, uint32_t first,
                          uint32_t end)
{
    const struct ptx_graph *const g = &w->graph;
    const uint32_t c = g->scc[g->order[first]];
    uint64_t slots = 0, preds = 0, local = 0;

    for (uint32_t i = first; i < end; i++) {
        const uint32_t fn = g->order[i];
        const struct ptx_ir *const f = w->pr->fn[fn];
        const struct ptx_fn_info *const fi = ptx_info(w, fn);

        for (uint32_t k = 0; k < f->n_callee; k++) {
            const uint32_t d = g->scc[f->callee[k]];

            if (d != c) {
                s->slots[c] = larger(s->slots[c], s->slots[d]);
                s->preds[c] = larger(s->preds[c], s->preds[d]);
                s->local[c] = larger(s->local[c], s->local[d]);
                s->regs[c] = larger(s->regs[c], s->regs[d]);
                s->zero[c] |= s->zero[d];
                s->recursive[c] |= s->recursive[d];
            }
        }
        s->recursive[c] |= g->recursive[fn];
        s->zero[c] |= fi->live.zero_first;
        s->regs[c] = larger(s->regs[c], f->is_defined ? estimate(fi) : 0);
        slots += f->is_defined ? fi->slots.n_slots : fi->area;
        preds += fi->slots.n_preds;
        local += (f->local_bytes + 15) & ~15u;
    }
    local *= g->recursive[g->order[first]] ? PTX_RECURSION_DEPTH : 1;
    s->slots[c] = capped(s->slots[c] + slots);
    s->preds[c] = capped(s->preds[c] + preds);
    s->local[c] = capped(s->local[c] + local);
}

static void finish_kernels(struct ptx_lower *w, const struct sums *s)
{
    for (uint32_t i = 0; i < w->m->n_kernels; i++) {
        struct ptx_kernel *const k = &w->m->kernels[i];
        const uint32_t fn = w->pr->kernel_fn[i], c = w->graph.scc[fn];
        const uint32_t max = w->pr->fn[fn]->maxnreg;

        k->n_slots = w->info[fn].slots.n_slots;
        k->n_preds = w->info[fn].slots.n_preds;
        k->frame_slots = s->slots[c];
        k->frame_preds = s->preds[c];
        k->local_bytes = s->local[c];
        k->recursive = s->recursive[c];
        k->zero_first = s->zero[c];
        k->regs = max != 0 && s->regs[c] > max ? max : s->regs[c];
    }
}

static void sum_up(struct ptx_lower *w)
{
    const uint32_t n = w->pr->n_fn;
    const size_t bytes = (n + 1) * sizeof(uint32_t);
    struct sums s;

    s.slots = arena_alloc(w->a, bytes);
    s.preds = arena_alloc(w->a, bytes);
    s.local = arena_alloc(w->a, bytes);
    s.regs = arena_alloc(w->a, bytes);
    s.zero = arena_alloc(w->a, n + 1);
    s.recursive = arena_alloc(w->a, n + 1);
    for (uint32_t i = 0; i < n;) {
        uint32_t end = i + 1;

        while (end < n &&
               w->graph.scc[w->graph.order[end]] == w->graph.scc[w->graph.order[i]]) {
            end++;
        }
        if (w->graph.reached[w->graph.order[i]]) {
            add_component(w, &s, i, end);
        }
        i = end;
    }
    finish_kernels(w, &s);
}

/* ---- addresses in initialisers ---- */

static void write_le(uint8_t *at, uint64_t v, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) {
        at[i] = (uint8_t)(v >> (8 * i));
    }
}

/* Symbols have their addresses now: fill them in where initialisers name them. */
static void relocate(struct ptx_lower *w)
{
    for (uint32_t i = 0; i < w->m->n_relocs; i++) {
        const struct ptx_reloc *const r = &w->m->relocs[i];
        const struct ptx_symbol *const s = &w->m->symbols[r->symbol];
        const uint64_t v =
            ptx_symbol_address(w, r->target, r->generic) + (uint64_t)r->addend;

        /* init and const_image are arrays of the module's own arena */
        write_le((uint8_t *)(uintptr_t)s->init + r->offset, v, r->bytes);
        if (s->space == PTX_SP_CONST) {
            write_le((uint8_t *)(uintptr_t)w->m->const_image + s->addr + r->offset, v,
                     r->bytes);
        }
    }
}

bool ptx_lower(struct ptx_module *m, struct err *e)
{
    struct ptx_lower *const w = arena_alloc(&m->priv->arena, sizeof(*w));

    w->m = m;
    w->pr = m->priv;
    w->a = &m->priv->arena;
    w->e = e;
    w->ones = PTX_NO_REF;
    w->k32 = ptx_map_new(w->a);
    w->k64 = ptx_map_new(w->a);
    w->inst_map = ptx_map_new(w->a);
    w->info = arena_alloc(w->a, (w->pr->n_fn + 1) * sizeof(w->info[0]));
    ptx_graph_build(w->a, w->pr, &w->graph);
    relocate(w);
    for (uint32_t k = 0; k < m->n_kernels; k++) {
        if (!lower_kernel(w, k)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < w->n_fix; i++) {
        m->uops[w->fix[i].uop].target = w->inst[w->fix[i].inst].entry;
    }
    sum_up(w);
    return true;
}
