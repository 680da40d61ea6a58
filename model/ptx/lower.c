/* From the parsed module to micro-ops. */
#include "ptx/lower_priv.h"

#include "base/nomem.h"

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
    err_set(w->e, SMW_ERR_INPUT, "%s", message);
    err_code(w->e, SMW_CODE_INVALID_PTX);
    if (w->f != NULL && w->insn < w->f->n_insn) {
        const struct ptx_insn *const in = &w->f->insn[w->insn];

        err_at(w->e, w->pr->name, NULL, in->line, in->column,
               (uint32_t)strlen(isa_op_name((enum isa_op)in->form.op)));
    } else if (w->f != NULL) {
        err_at(w->e, w->pr->name, NULL, w->f->line, w->f->column,
               (uint32_t)strlen(w->f->name));
    }
    return false;
}

/* ---- control ---- */

/* The first instruction of a block; PTX_NONE: of the virtual exit. */
static uint32_t first_of(const struct ptx_flow *flow, uint32_t b)
{
    return b >= flow->n_blocks ? PTX_NONE : flow->block[b].first;
}

/* Targets are instructions until the function is complete. */
static bool lower_branch(struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct ptx_opnd *const o = &w->f->opnd[in->opnd];
    const struct ptx_flow *const flow = &w->fi->flow;
    const struct ptx_block *const b = &flow->block[flow->block_of[w->insn]];
    struct isa_uop u;
    enum ptx_width width;

    ptx_uop_init(w, &u);
    u.form = in->form;
    u.reconv = first_of(flow, b->join);
    u.last = first_of(flow, b->ipdom);
    u.leaves = b->leaves;
    if (in->form.op == ISA_OP_BRA) {
        u.kind = ISA_K_BRANCH;
        u.target = w->f->label[o->id].at;
        return ptx_uop_add(w, &u);
    }
    const struct ptx_targets *const t = &w->f->targets[o[1].id];
    u.kind = ISA_K_BRX;
    u.target = w->n_targets;
    u.n_targets = t->n;
    for (uint32_t i = 0; i < t->n; i++) {
        *PTX_PUSH(w->a, w->m->targets, w->n_targets, w->cap_targets) =
            w->f->label[w->f->target_list[t->first + i]].at;
    }
    if (!ptx_source(w, &o[0], ISA_T_U32, &u.src[0], &width)) {
        return false;
    }
    u.n_src = 1;
    ptx_reads(&u, u.src[0], width);
    return ptx_uop_add(w, &u);
}

static bool lower_barrier(struct ptx_lower *w, const struct ptx_insn *in)
{
    const struct ptx_opnd *o = &w->f->opnd[in->opnd];
    const bool is_red = in->form.sub == ISA_S_RED_POPC ||
                        in->form.sub == ISA_S_RED_AND || in->form.sub == ISA_S_RED_OR;
    uint32_t n = in->n_opnds;
    struct isa_uop u;

    ptx_uop_init(w, &u);
    u.form = in->form;
    if (ptx_has_word(in, ".cluster")) {
        u.kind = ISA_K_CLUSTER;
        u.class = ISA_CL_BAR;
        u.imm = in->form.sub == ISA_S_ARRIVE && !ptx_has_word(in, ".relaxed");
        return ptx_uop_add(w, &u);
    }
    u.kind = in->form.sub == ISA_S_WARP ? ISA_K_NOP : ISA_K_BAR;
    u.class = in->form.sub == ISA_S_WARP ? ISA_CL_CTRL : ISA_CL_BAR;
    if (is_red) {
        ptx_write_operand(w, &u, &u.dst[0], o++);
        n -= 2;
    }
    for (uint32_t i = 0; i < n; i++) {
        enum ptx_width width;

        if (!ptx_source(w, o++, ISA_T_U32, &u.src[i], &width)) {
            return false;
        }
        ptx_reads(&u, u.src[i], width);
    }
    u.n_src = is_red ? 3 : (uint8_t)n;
    if (in->form.sub == ISA_S_WARP) {
        ptx_has_members(&u, &w->f->opnd[in->opnd]);
    }
    return (!is_red || ptx_pred_source(w, &u, 2, o)) && ptx_uop_add(w, &u);
}

static bool lower_plain(struct ptx_lower *w, const struct ptx_insn *in,
                        enum isa_kind kind)
{
    struct isa_uop u;

    ptx_uop_init(w, &u);
    u.form = in->form;
    u.kind = (uint8_t)kind;
    u.imm = kind == ISA_K_FENCE ? (int64_t)in->level : 0;
    u.class = kind == ISA_K_FENCE ? ISA_CL_MEM : ISA_CL_CTRL;
    return ptx_uop_add(w, &u);
}

static bool lower_fence(struct ptx_lower *w, const struct ptx_insn *in)
{
    return lower_plain(w, in, ISA_K_FENCE);
}

static bool lower_trap(struct ptx_lower *w, const struct ptx_insn *in)
{
    return lower_plain(w, in, ISA_K_TRAP);
}

static bool lower_nop(struct ptx_lower *w, const struct ptx_insn *in)
{
    return lower_plain(w, in, ISA_K_NOP);
}

static bool lower_sleep(struct ptx_lower *w, const struct ptx_insn *in)
{
    struct isa_uop u;
    enum ptx_width width;

    ptx_uop_init(w, &u);
    u.form = in->form;
    u.kind = ISA_K_NOP;
    u.class = ISA_CL_CTRL;
    u.aside = ISA_ASIDE_POLLS;
    if (!ptx_source(w, &w->f->opnd[in->opnd], ISA_T_U32, &u.src[0], &width)) {
        return false;
    }
    u.n_src = 1;
    ptx_reads(&u, u.src[0], width);
    return ptx_uop_add(w, &u);
}

/* NULL: it computes. */
static bool (*const lowerings[ISA_N_OPS])(struct ptx_lower *,
                                          const struct ptx_insn *) = {
    [ISA_OP_LD] = ptx_lower_memory,      [ISA_OP_LDU] = ptx_lower_memory,
    [ISA_OP_ST] = ptx_lower_memory,      [ISA_OP_ATOM] = ptx_lower_memory,
    [ISA_OP_RED] = ptx_lower_memory,     [ISA_OP_BRA] = lower_branch,
    [ISA_OP_BRX] = lower_branch,         [ISA_OP_CALL] = ptx_lower_call,
    [ISA_OP_RET] = ptx_lower_ret,        [ISA_OP_EXIT] = ptx_lower_ret,
    [ISA_OP_BAR] = lower_barrier,        [ISA_OP_BARRIER] = lower_barrier,
    [ISA_OP_MEMBAR] = lower_fence,       [ISA_OP_FENCE] = lower_fence,
    [ISA_OP_TRAP] = lower_trap,          [ISA_OP_BRKPT] = lower_trap,
    [ISA_OP_NANOSLEEP] = lower_sleep,    [ISA_OP_PMEVENT] = lower_nop,
    [ISA_OP_PREFETCH] = lower_nop,       [ISA_OP_PREFETCHU] = lower_nop,
    [ISA_OP_DISCARD] = lower_nop,        [ISA_OP_APPLYPRIORITY] = lower_nop,
    [ISA_OP_GRIDDEPCONTROL] = lower_nop, [ISA_OP_MMA] = ptx_lower_mma,
    [ISA_OP_LDMATRIX] = ptx_lower_rows,  [ISA_OP_STMATRIX] = ptx_lower_rows,
    [ISA_OP_WMMA] = ptx_lower_wmma,      [ISA_OP_TEX] = ptx_lower_texture,
    [ISA_OP_TLD4] = ptx_lower_texture,   [ISA_OP_TXQ] = ptx_lower_texture,
    [ISA_OP_SULD] = ptx_lower_texture,   [ISA_OP_SUST] = ptx_lower_texture,
    [ISA_OP_SURED] = ptx_lower_texture,  [ISA_OP_SUQ] = ptx_lower_texture,
    [ISA_OP_CP] = ptx_lower_cp,          [ISA_OP_MBARRIER] = ptx_lower_mbarrier,
    [ISA_OP_WGMMA] = ptx_lower_wgmma,
};

static bool lower_insn(struct ptx_lower *w, const struct ptx_insn *in)
{
    w->next_temp = 0;
    return lowerings[in->form.op] != NULL ? lowerings[in->form.op](w, in)
                                          : ptx_lower_alu(w, in);
}

/* ---- functions ---- */

/* A special register that is not moved straight into another register, or a "_". */
static bool needs_temp(const struct ptx_ir *f, const struct ptx_opnd *o, bool is_mov)
{
    if (o->kind != OK_VEC && o->kind != OK_PAIR) {
        return o->kind == OK_SINK || (o->kind == OK_SREG && !is_mov);
    }
    for (uint32_t i = 0; i < o->n; i++) {
        if (f->opnd[o->id + i].kind == OK_SREG || f->opnd[o->id + i].kind == OK_SINK) {
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
    for (uint32_t i = 0; i < f->n_pvar; i++) {
        if (f->pvar[i].local != PTX_NONE) {
            return true;
        }
    }
    for (uint32_t i = 0; i < f->n_insn; i++) {
        const bool mov = f->insn[i].form.op == ISA_OP_MOV;

        for (uint32_t k = 0; k < f->insn[i].n_opnds; k++) {
            if (needs_temp(f, &f->opnd[f->insn[i].opnd + k], mov)) {
                return true;
            }
        }
        if (f->insn[i].form.op == ISA_OP_CVT) {
            const struct ptx_opnd *const o = &f->opnd[f->insn[i].opnd];
            const struct isa_form *const form = &f->insn[i].form;

            if ((o[0].kind == OK_REG && ptx_reg_bits(f, o[0].id) !=
                                            isa_type_bits((enum isa_type)form->type)) ||
                (o[1].kind == OK_REG &&
                 ptx_reg_bits(f, o[1].id) !=
                     isa_type_bits((enum isa_type)form->type2))) {
                return true;
            }
        }
    }
    return false;
}

static uint32_t n_temps(const struct ptx_lower *w, uint32_t fn, const struct ptx_ir *f)
{
    for (uint32_t i = 0; i < f->n_insn; i++) {
        if (f->insn[i].form.op == ISA_OP_WMMA) {
            return PTX_WMMA_TEMPS;
        }
    }
    return wants_temps(w, fn, f) ? PTX_TEMPS : 0;
}

struct ptx_fn_info *ptx_info(struct ptx_lower *w, uint32_t fn)
{
    struct ptx_fn_info *const fi = &w->info[fn];
    struct ptx_ir *f = w->pr->fn[fn];

    if (fi->done) {
        return fi;
    }
    fi->done = true;
    fi->area = f->area_words + w->graph.dynamic[fn];
    if (f->is_defined) {
        ptx_flow_build(w->a, f, &fi->flow);
        ptx_live_build(w->a, f, &fi->flow, &fi->live);
        fi->max_words = fi->live.max_words; /* SPEC PTX-1: as the text is */
        ptx_flow_inserts(w->a, f);
        if (w->target != NULL) {
            f = ptx_assemble(w->a, w->pr, w->target, f->is_kernel ? w->kernel : NULL, f,
                             &fi->flow, &fi->live);
        }
        w->pr->run[fn] = f;
        ptx_flow_join(w->a, f, &fi->flow);
        fi->polls = ptx_flow_polls(w->a, f, &fi->flow);
        ptx_slots_build(w->a, f, &fi->live, fi->area, n_temps(w, fn, f), &fi->slots);
        ptx_origins_build(w->a, w->pr, f, &fi->origin);
        if (w->frame.words != 0 && !f->is_kernel) { /* again, of what was refused */
            ptx_frame_fit(&w->frame, f, &fi->slots);
        }
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
            (struct ptx_instance){fn, kernel, PTX_NONE, ISA_NO_PC};
        *at = w->n_inst - 1;
    }
    return *at;
}

static uint32_t pc_of(const struct ptx_lower *w, uint32_t insn)
{
    return insn == PTX_NONE ? ISA_NO_PC : w->pc_of[insn];
}

/* Instructions become micro-op indices. */
static void patch_branches(struct ptx_lower *w, uint32_t first)
{
    for (uint32_t i = first; i < w->m->n_uops; i++) {
        struct isa_uop *const u = &w->m->uops[i];

        if (u->kind == ISA_K_BRANCH) {
            u->target = pc_of(w, u->target);
            u->reconv = pc_of(w, u->reconv);
            u->last = pc_of(w, u->last);
        } else if (u->kind == ISA_K_BRX) {
            u->reconv = pc_of(w, u->reconv);
            for (uint32_t k = 0; k < u->n_targets; k++) {
                w->m->targets[u->target + k] = pc_of(w, w->m->targets[u->target + k]);
            }
        }
    }
}

static bool is_access(const struct isa_uop *u)
{
    return u->kind == ISA_K_LOAD || u->kind == ISA_K_STORE || u->kind == ISA_K_ATOM ||
           u->kind == ISA_K_RED || u->kind == ISA_K_LOAD_ROWS ||
           u->kind == ISA_K_STORE_ROWS || u->kind == ISA_K_COPY;
}

/* A micro-op behind the function, which only stands for an instruction of the text. */
static bool add_name(struct ptx_lower *w, const struct ptx_insn *in)
{
    struct isa_uop u;

    w->insn = w->f->n_insn;
    ptx_uop_init(w, &u);
    u.form = in->form;
    u.kind = ISA_K_NOP;
    ptx_set_place(w, &u, in);
    if (!ptx_uop_add(w, &u)) {
        return false;
    }
    w->pr->where[w->n_where - 1].in = in;
    return true;
}

static bool name_parts(struct ptx_lower *w, struct ptx_names_map *map, uint32_t pc)
{
    const struct ptx_insn *const in = &w->f->insn[w->pr->where[pc].insn];
    const struct ptx_insn *const part = &w->f->joined[in->joined - 1];
    uint32_t *const names = arena_alloc(w->a, in->form.vec * sizeof(names[0]));

    for (uint32_t i = 0; i < in->form.vec; i++) {
        bool found;
        uint32_t *const at =
            ptx_map_at(map, (uint64_t)part[i].line << 32 | part[i].column, &found);

        if (!found) {
            *at = w->m->n_uops;
            if (!add_name(w, &part[i])) {
                return false;
            }
        }
        names[i] = *at;
    }
    w->m->uops[pc].parts = names;
    return true;
}

/* Of accesses that are copies of one instruction of the text, findings name the first,
 * and of joined ones each part: what is found is the same whatever an assembler does.
 */
static bool name_copies(struct ptx_lower *w, uint32_t first)
{
    struct ptx_names_map *const map = ptx_map_new(w->a);
    const uint32_t end = w->m->n_uops;

    for (uint32_t i = first; i < end; i++) {
        struct isa_uop *const u = &w->m->uops[i];
        const uint32_t insn = w->pr->where[i].insn;
        bool found;
        uint32_t *at;

        if (!is_access(u) || insn == PTX_NONE || w->f->insn[insn].joined != 0) {
            continue;
        }
        at = ptx_map_at(map, (uint64_t)u->line << 32 | u->column, &found);
        *at = found ? *at : i;
        u->named = *at + 1;
    }
    for (uint32_t i = first; i < end; i++) {
        const uint32_t insn = w->pr->where[i].insn;

        if (insn != PTX_NONE && w->f->insn[insn].joined != 0 &&
            !name_parts(w, map, i)) {
            return false;
        }
    }
    return true;
}

/* What the instruction being lowered has become, from micro-op `from` on. */
static void mark(struct ptx_lower *w, uint32_t from)
{
    const bool polls = w->fi->polls != NULL && w->fi->polls[w->insn];
    const bool inserts = w->f->insn[w->insn].inserts;

    for (uint32_t i = from; (polls || inserts) && i < w->m->n_uops; i++) {
        struct isa_uop *const u = &w->m->uops[i];

        if (polls &&
            (u->kind == ISA_K_LOAD || u->kind == ISA_K_ATOM || u->kind == ISA_K_MBAR)) {
            u->aside |= ISA_ASIDE_POLLS;
        }
        u->inserts = inserts && u->kind == ISA_K_LOAD;
    }
}

static bool lower_body(struct ptx_lower *w, uint32_t inst)
{
    const struct ptx_instance at = w->inst[inst];
    const uint32_t first = w->m->n_uops;

    w->fn = at.fn;
    w->fi = ptx_info(w, at.fn);
    w->f = w->pr->run[at.fn];
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
        mark(w, w->pc_of[w->insn]);
    }
    patch_branches(w, first);
    ptx_find_late(w->m->uops + first, w->m->n_uops - first);
    return !w->f->has_copies || name_copies(w, first);
}

/* One that cannot be lowered is refused and stands as a ret. */
static bool lower_function(struct ptx_lower *w, uint32_t inst)
{
    const struct ptx_lower before = *w;
    const uint32_t n_uops = w->m->n_uops, fn = w->inst[inst].fn;

    if (lower_body(w, inst)) {
        return true;
    }
    ptx_refuse_fn(w->pr, fn, w->e);
    ptx_empty_body(w->pr, w->pr->fn[fn]);
    w->m->n_uops = n_uops;
    w->n_where = before.n_where;
    w->n_targets = before.n_targets;
    w->n_fix = before.n_fix;
    memset(&w->info[fn], 0, sizeof(w->info[fn]));
    return lower_body(w, inst);
}

/* The kernel and the functions it is the first to reach. */
static bool lower_kernel(struct ptx_lower *w, uint32_t k)
{
    uint32_t i;

    w->kernel_index = k;
    w->kernel = &w->m->kernels[k];
    i = w->n_inst;
    *PTX_PUSH(w->a, w->inst, w->n_inst, w->cap_inst) =
        (struct ptx_instance){w->pr->kernel_fn[k], k, PTX_NONE, ISA_NO_PC};
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
        const uint64_t v = (r->is_fn ? ptx_fn_value(w->pr, r->target)
                                     : ptx_symbol_address(w, r->target, r->generic)) +
                           (uint64_t)r->addend;

        /* init and const_image are arrays of the module's own arena */
        write_le((uint8_t *)(uintptr_t)s->init + r->offset, v, r->bytes);
        if (s->space == ISA_SP_CONST) {
            write_le((uint8_t *)(uintptr_t)w->m->const_image + s->addr + r->offset, v,
                     r->bytes);
        }
    }
}

static bool lower(struct ptx_module *m, const struct ptx_target *target,
                  struct smw_err *e)
{
    struct ptx_lower *const w = arena_alloc(&m->priv->arena, sizeof(*w));

    w->m = m;
    w->pr = m->priv;
    w->a = &m->priv->arena;
    w->e = e;
    w->target = target;
    w->ones = ISA_NO_REF;
    w->k32 = ptx_map_new(w->a);
    w->k64 = ptx_map_new(w->a);
    w->inst_map = ptx_map_new(w->a);
    w->info = arena_alloc(w->a, (w->pr->n_fn + 1) * sizeof(w->info[0]));
    w->pr->run = arena_alloc(w->a, (w->pr->n_fn + 1) * sizeof(w->pr->run[0]));
    for (uint32_t fn = 0; fn < w->pr->n_fn; fn++) {
        w->pr->run[fn] = w->pr->fn[fn];
    }
    ptx_graph_build(w->a, w->pr, &w->graph);
    relocate(w);
    ptx_fit_frames(w);
    for (uint32_t k = 0; k < m->n_kernels; k++) {
        if (!lower_kernel(w, k)) {
            ptx_show_line(w->pr, e);
            return false;
        }
    }
    for (uint32_t i = 0; i < w->n_fix; i++) {
        m->uops[w->fix[i].uop].target = w->inst[w->fix[i].inst].entry;
    }
    ptx_sum_up(w);
    ptx_find_refused(m);
    return true;
}

struct lowering {
    struct ptx_module *m;
    const struct ptx_target *target;
    struct smw_err *e;
    bool whole;
};

static void try_lower(void *arg)
{
    struct lowering *const x = arg;

    x->whole = lower(x->m, x->target, x->e);
}

bool ptx_lower(struct ptx_module *m, const struct ptx_target *target, struct smw_err *e)
{
    struct lowering x = {m, target, e, false};

    return nomem_try(try_lower, &x) ? x.whole
                                    : err_set(e, SMW_ERR_NOMEM, "out of memory");
}
