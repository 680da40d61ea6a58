/*
 * Short loops that count are made to do four passes at a time, then two, then one.
 *
 *         mov.pred first, true                ; not one pass is done yet
 *         setp.gt p, i, 3 steps               ; of "i = i - step; if (i != 0) again"
 *         @!p bra Two
 *         mov.pred first, false
 *   Four: four passes
 *         setp.gt p, i, 3 steps
 *         @p bra Four
 *   Two:  setp.gt p, i, 1 step
 *         @!p bra One
 *         mov.pred first, false
 *         two passes
 *   One:  setp.ne.or p, i, 0, first
 *         @!p bra End
 *   Body: the loop as it was
 *   End:
 *
 * That is what ptxas 13.0 makes of such a loop for sm_75 to sm_100. A loop that goes on
 * while i < n compares i with n - 3 steps, after a look whether that difference is a
 * number of 32 bits; so passes are the same whatever i and n are.
 *
 * Each pass writes registers of its own, that the next may begin before it is done;
 * only the last of a group writes those of the text.
 */
#include "ptx/opt_priv.h"

#include <string.h>

/* What it still unrolls: machine code of loops of 1 to 40 instructions of one kind, and
 * of the kernels in testbench/fidelity. Loads and barriers are not among the others. */
enum { SINCE_CC = 50, MAX_OTHERS = 24, MAX_STORES = 8, PASSES = 4 };

struct loop {
    uint32_t first, bra; /* instructions; the last is the branch */
    uint32_t set;        /* the comparison */
    uint32_t counter;    /* register */
    int32_t step;
    struct ptx_opnd bound; /* a constant, or a register that the loop leaves alone */
    bool until_equal;      /* goes on while they differ; else while counter < bound */
};

struct unroll {
    struct ptx_opt *o;
    struct ptx_insn *old;
    uint32_t *now;   /* of each old instruction: where it went */
    uint32_t *name;  /* of each old register: its name at this place of this pass */
    uint32_t *n_def; /* of each old register: writes in the loop */
    uint32_t *n_use; /* ... and mentions as an operand */
    bool *renamed;   /* ... each pass has its own */
    bool *inner;     /* ... and nobody reads it but the pass */
    uint32_t n_old_regs;
};

/* ---- which loops ---- */

static bool is_kept(const struct ptx_opt *o, const struct ptx_insn *in)
{
    switch ((enum isa_op)in->form.op) {
    case ISA_OP_BRA:
    case ISA_OP_BRX:
    case ISA_OP_CALL:
    case ISA_OP_RET:
    case ISA_OP_EXIT:
    case ISA_OP_TRAP:
    case ISA_OP_BRKPT:
    case ISA_OP_ATOM:
    case ISA_OP_RED:
    case ISA_OP_CP:
    case ISA_OP_WGMMA:
    case ISA_OP_MBARRIER: return false;
    default: return !ptx_branches_within(in, o->cc);
    }
}

static bool is_short(const struct ptx_opt *o, const struct loop *l)
{
    uint32_t others = 0, stores = 0;

    for (uint32_t i = l->first; i <= l->bra; i++) {
        const struct ptx_insn *const in = &o->f->insn[i];
        const enum isa_op op = (enum isa_op)in->form.op;

        if (i < l->bra && !is_kept(o, in)) {
            return false;
        }
        stores += op == ISA_OP_ST;
        others += op != ISA_OP_LD && op != ISA_OP_ST && op != ISA_OP_BAR;
    }
    return others <= MAX_OTHERS && stores <= MAX_STORES;
}

static bool must_stay(const struct ptx_ir *f, uint32_t at)
{
    for (uint32_t i = 0; i < f->n_label; i++) {
        if (f->label[i].at == at && f->label[i].nounroll) {
            return true;
        }
    }
    return false;
}

/* The one unguarded write of reg in the loop; PTX_NONE: there are others, or none. */
static uint32_t write_of(struct ptx_opt *o, const struct loop *l, uint32_t reg)
{
    uint32_t at = PTX_NONE, n = 0;

    for (uint32_t i = l->first; i <= l->bra; i++) {
        ptx_accesses(o->f, &o->f->insn[i], &o->x);
        for (uint32_t k = 0; k < o->x.n_def; k++) {
            if (o->x.def[k] == reg) {
                at = i;
                n++;
            }
        }
    }
    return n == 1 && o->f->insn[at].guard == PTX_NONE ? at : PTX_NONE;
}

/* i = i + step, before the comparison. */
static bool counts(struct ptx_opt *o, struct loop *l)
{
    const uint32_t at = write_of(o, l, l->counter);
    const struct ptx_insn *const in = &o->f->insn[at == PTX_NONE ? l->set : at];
    const struct ptx_opnd *const v = &o->f->opnd[in->opnd];

    if (at == PTX_NONE || at > l->set || in->form.op != ISA_OP_ADD ||
        in->form.flags != 0 || isa_type_is_float((enum isa_type)in->form.type) ||
        isa_type_bits((enum isa_type)in->form.type) != 32 || v[1].kind != OK_REG ||
        v[1].id != l->counter || v[2].kind != OK_IMM) {
        return false;
    }
    l->step = (int32_t)(uint32_t)v[2].value;
    return l->step != 0 && l->step > -(1 << 24) && l->step < 1 << 24;
}

static bool compares(struct ptx_opt *o, struct loop *l)
{
    const struct ptx_insn *const in = &o->f->insn[l->set];
    const struct ptx_opnd *const v = &o->f->opnd[in->opnd];
    const enum isa_cmp cmp = (enum isa_cmp)in->form.cmp;

    if (in->form.op != ISA_OP_SETP || in->form.boolop != ISA_B_NONE ||
        in->n_opnds != 3 || v[0].kind != OK_REG || v[1].kind != OK_REG ||
        isa_type_is_float((enum isa_type)in->form.type) ||
        isa_type_bits((enum isa_type)in->form.type) != 32) {
        return false;
    }
    l->counter = v[1].id;
    l->bound = v[2];
    if (!counts(o, l)) {
        return false;
    }
    l->until_equal = cmp == ISA_C_NE;
    if (l->until_equal) {
        const int64_t bound = (int32_t)(uint32_t)v[2].value;

        /* the bound and three steps beside it are numbers */
        return v[2].kind == OK_IMM && bound > -(1 << 30) && bound < 1 << 30;
    }
    if (cmp != ISA_C_LT || in->form.type != ISA_T_S32 || l->step < 0) {
        return false;
    }
    return v[2].kind == OK_IMM
               ? (int32_t)(uint32_t)v[2].value > -(1 << 30)
               : v[2].kind == OK_REG && ptx_reg_bits(o->f, v[2].id) == 32;
}

/* Whether the block is such a loop. */
static bool find(struct ptx_opt *o, const struct ptx_block *b, struct loop *l)
{
    const struct ptx_insn *const bra = &o->f->insn[b->end - 1];

    if (bra->form.op != ISA_OP_BRA || bra->guard == PTX_NONE || bra->guard_neg != 0 ||
        ptx_opt_target(o->f, bra) != b->first || b->end >= o->f->n_insn ||
        must_stay(o->f, b->first) || o->n_use[bra->guard] != 1) {
        return false;
    }
    l->first = b->first;
    l->bra = b->end - 1;
    l->set = write_of(o, l, bra->guard);
    return l->set != PTX_NONE && compares(o, l) && is_short(o, l);
}

/* A bound in a register must not be written in the loop at all. */
static bool is_steady(struct ptx_opt *o, const struct loop *l)
{
    return l->bound.kind != OK_REG ||
           !ptx_opt_is_written(o, l->bound.id, l->first, l->bra + 1);
}

/* ---- registers of a pass ---- */

/* What is written once in a pass, whatever the lanes, gets names. */
static void look_at_registers(struct unroll *u, const struct loop *l)
{
    struct ptx_opt *const o = u->o;
    const size_t n = u->n_old_regs;

    memset(u->n_def, 0, n * sizeof(u->n_def[0]));
    memset(u->n_use, 0, n * sizeof(u->n_use[0]));
    memset(u->renamed, true, n);
    memset(u->inner, true, n);
    for (uint32_t i = l->first; i <= l->bra; i++) {
        ptx_accesses(o->f, &u->old[i], &o->x);
        for (uint32_t k = 0; k < o->x.n_use; k++) {
            const uint32_t r = o->x.use[k];

            u->n_use[r]++;
            u->inner[r] &= u->n_def[r] > 0;
        }
        for (uint32_t k = 0; k < o->x.n_def; k++) {
            const uint32_t r = o->x.def[k];

            u->n_def[r]++;
            u->renamed[r] &= u->old[i].guard == PTX_NONE;
        }
    }
    for (uint32_t r = 0; r < n; r++) {
        u->renamed[r] &= u->n_def[r] == 1;
        /* ptx_opt_is_value() of what is written without a guard; the instructions that
         * it would look at are no longer in their places. */
        u->inner[r] &= u->renamed[r] && o->n_def[r] == 1 && o->live.start[r] > 0 &&
                       u->n_use[r] == o->n_use[r];
    }
}

static void rename_one(const struct unroll *u, struct ptx_opnd *v)
{
    if (v->kind == OK_REG || (v->kind == OK_ADDR && v->sub == OK_REG)) {
        v->id = u->name[v->id];
    }
}

/* ---- what is written in place of the loop ---- */

static struct ptx_insn *emit(struct unroll *u, const struct ptx_insn *in)
{
    struct ptx_ir *const f = u->o->f;
    struct ptx_insn *const to = PTX_PUSH(u->o->a, f->insn, f->n_insn, f->cap_insn);

    *to = *in;
    return to;
}

/* Operands of an instruction, and those that they name, at places of their own. */
static void copy_operands(struct ptx_opt *o, struct ptx_insn *in)
{
    const uint32_t first = ptx_opt_operands(o, in->n_opnds);

    for (uint32_t i = 0; i < in->n_opnds; i++) {
        struct ptx_opnd v = o->f->opnd[in->opnd + i];

        if (v.kind == OK_VEC || v.kind == OK_PAIR) {
            const uint32_t list = ptx_opt_operands(o, v.n);

            memcpy(&o->f->opnd[list], &o->f->opnd[v.id], v.n * sizeof(v));
            v.id = list;
        }
        o->f->opnd[first + i] = v;
    }
    in->opnd = first;
}

/* The results of an instruction get their names behind it, as it may read them. */
static void name_results(struct unroll *u, const struct ptx_insn *was, bool is_last)
{
    struct ptx_opt *const o = u->o;

    ptx_accesses(o->f, was, &o->x);
    for (uint32_t k = 0; k < o->x.n_def; k++) {
        const uint32_t r = o->x.def[k];

        if (u->renamed[r]) {
            u->name[r] =
                is_last && !u->inner[r] ? r : ptx_opt_register(o, o->f->vreg[r].type);
        }
    }
}

static void emit_renamed(struct unroll *u, uint32_t i, bool is_last)
{
    static const char results[] = "dDwupqevx";
    struct ptx_opt *const o = u->o;
    struct ptx_insn in = u->old[i];
    char letters[PTX_MAX_OPNDS + 1];
    uint32_t least, most;

    copy_operands(o, &in);
    in.guard = in.guard == PTX_NONE ? PTX_NONE : u->name[in.guard];
    if (ptx_letters(&in, letters, &least, &most) == NULL) {
        emit(u, &in);
        return;
    }
    for (uint32_t pass = 0; pass < 2; pass++) { /* sources, then results */
        for (uint32_t k = 0; k < in.n_opnds; k++) {
            struct ptx_opnd *const v = &o->f->opnd[in.opnd + k];
            const bool list = v->kind == OK_VEC || v->kind == OK_PAIR;

            if ((strchr(results, letters[k]) != NULL) != (pass == 1)) {
                continue;
            }
            for (uint32_t e = 0; e < (list ? v->n : 1u); e++) {
                rename_one(u, list ? &o->f->opnd[v->id + e] : v);
            }
        }
        if (pass == 0) {
            name_results(u, &u->old[i], is_last);
        }
    }
    emit(u, &in);
}

static void emit_passes(struct unroll *u, const struct loop *l, uint32_t n)
{
    for (uint32_t r = 0; r < u->n_old_regs; r++) {
        u->name[r] = r;
    }
    for (uint32_t pass = 0; pass < n; pass++) {
        for (uint32_t i = l->first; i < l->bra; i++) {
            if (i != l->set) {
                emit_renamed(u, i, pass + 1 == n);
            }
        }
    }
}

/* An instruction that belongs to the comparison of the text. */
static struct ptx_insn *emit_own(struct unroll *u, const struct loop *l,
                                 const struct isa_form *form, const char *row,
                                 const struct ptx_opnd *v, uint32_t n)
{
    static const char text[] = "(passes of the loop)";
    const uint32_t first = ptx_opt_operands(u->o, n);
    struct ptx_insn in = u->old[l->set];

    in.form = *form;
    in.row = ptx_opt_row((enum isa_op)form->op, row);
    in.guard = PTX_NONE;
    in.guard_neg = 0;
    in.acts_as = 0;
    in.is_fresh = false;
    in.opnd = first;
    in.n_opnds = (uint8_t)n;
    in.text = text;
    in.text_len = sizeof(text) - 1;
    memcpy(&u->o->f->opnd[first], v, n * sizeof(v[0]));
    return emit(u, &in);
}

static struct ptx_opnd reg(uint32_t id)
{
    return (struct ptx_opnd){.kind = OK_REG, .id = id};
}

static struct ptx_opnd constant(int64_t value)
{
    return (struct ptx_opnd){.kind = OK_IMM, .sub = IMM_INT, .value = (uint64_t)value};
}

static void emit_first(struct unroll *u, const struct loop *l, uint32_t p, bool is)
{
    const struct isa_form form = {.op = ISA_OP_MOV, .type = ISA_T_PRED, .vec = 1};
    const struct ptx_opnd v[] = {reg(p), constant(is ? -1 : 0)};

    emit_own(u, l, &form, "pP", v, 2);
}

static uint32_t emit_compare(struct unroll *u, const struct loop *l, enum isa_cmp cmp,
                             enum isa_bool with, struct ptx_opnd bound, uint32_t other)
{
    const uint32_t p = ptx_opt_register(u->o, ISA_T_PRED);
    const struct isa_form form = {.op = ISA_OP_SETP,
                                  .type = ISA_T_S32,
                                  .cmp = (uint8_t)cmp,
                                  .boolop = (uint8_t)with,
                                  .vec = 1};
    const struct ptx_opnd v[] = {reg(p), reg(l->counter), bound, reg(other)};

    emit_own(u, l, &form, "qaaC", v, with == ISA_B_NONE ? 3 : 4);
    return p;
}

static uint32_t new_label(struct ptx_opt *o, const struct ptx_label *like,
                          const char *name)
{
    struct ptx_ir *const f = o->f;
    struct ptx_label l = *like;

    l.s = name;
    l.len = (uint32_t)strlen(name);
    l.nounroll = true;
    *PTX_PUSH(o->a, f->label, f->n_label, f->cap_label) = l;
    return f->n_label - 1;
}

static void emit_branch(struct unroll *u, const struct loop *l, uint32_t guard,
                        bool neg, uint32_t label)
{
    static const struct isa_form form = {.op = ISA_OP_BRA, .vec = 1};
    const struct ptx_opnd v = {.kind = OK_LABEL, .id = label};
    struct ptx_insn *const in = emit_own(u, l, &form, "l", &v, 1);

    in->guard = guard;
    in->guard_neg = neg;
}

/* The predicate: n passes more are certain. */
static uint32_t emit_enough(struct unroll *u, const struct loop *l, int32_t n,
                            struct ptx_opnd *bound)
{
    static const struct isa_form add = {.op = ISA_OP_ADD, .type = ISA_T_S32, .vec = 1},
                                 setp = {.op = ISA_OP_SETP,
                                         .type = ISA_T_S32,
                                         .cmp = ISA_C_GE,
                                         .vec = 1};
    const int64_t before = -(int64_t)l->step * (n - 1);

    if (l->bound.kind == OK_IMM) {
        *bound = constant((int32_t)(uint32_t)l->bound.value + before);
        return emit_compare(u, l, l->step < 0 ? ISA_C_GT : ISA_C_LT, ISA_B_NONE, *bound,
                            0);
    }
    *bound = reg(ptx_opt_register(u->o, ISA_T_S32));
    const struct ptx_opnd sum[] = {*bound, l->bound, constant(before)};
    const uint32_t is_number = ptx_opt_register(u->o, ISA_T_PRED);
    const struct ptx_opnd set[] = {reg(is_number), l->bound,
                                   constant(INT32_MIN - before)};

    emit_own(u, l, &add, "daa", sum, 3);
    emit_own(u, l, &setp, "qaaC", set, 3);
    return emit_compare(u, l, ISA_C_LT, ISA_B_AND, *bound, is_number);
}

static void unroll(struct unroll *u, const struct loop *l)
{
    struct ptx_opt *const o = u->o;
    struct ptx_ir *const f = o->f;
    const struct ptx_label *const at = &f->label[f->opnd[u->old[l->bra].opnd].id];
    const uint32_t four = new_label(o, at, "(four passes)"),
                   two = new_label(o, at, "(two passes)"),
                   one = new_label(o, at, "(one pass)"),
                   body = new_label(o, at, "(each pass)"),
                   end = new_label(o, at, "(after the passes)");
    const uint32_t first = ptx_opt_register(o, ISA_T_PRED);
    const enum isa_cmp less = l->step < 0 ? ISA_C_GT : ISA_C_LT;
    struct ptx_opnd bound;

    look_at_registers(u, l);
    u->now[l->first] = f->n_insn;
    emit_first(u, l, first, true);
    emit_branch(u, l, emit_enough(u, l, PASSES, &bound), true, two);
    emit_first(u, l, first, false);
    f->label[four].at = f->n_insn;
    emit_passes(u, l, PASSES);
    emit_branch(u, l, emit_compare(u, l, less, ISA_B_NONE, bound, 0), false, four);
    f->label[two].at = f->n_insn;
    emit_branch(u, l, emit_enough(u, l, 2, &bound), true, one);
    emit_first(u, l, first, false);
    emit_passes(u, l, 2);
    f->label[one].at = f->n_insn;
    emit_branch(u, l,
                emit_compare(u, l, l->until_equal ? ISA_C_NE : ISA_C_LT, ISA_B_OR,
                             l->bound, first),
                true, end);
    f->label[body].at = f->n_insn;
    for (uint32_t i = l->first; i <= l->bra; i++) {
        u->now[i] = i == l->first ? u->now[i] : f->n_insn;
        emit(u, &u->old[i]);
    }
    f->insn[f->n_insn - 1].opnd = ptx_opt_operands(o, 1);
    f->opnd[f->insn[f->n_insn - 1].opnd] =
        (struct ptx_opnd){.kind = OK_LABEL, .id = body};
    f->label[end].at = f->n_insn;
}

void ptx_opt_unroll(struct ptx_opt *o)
{
    struct ptx_ir *const f = o->f;
    const uint32_t n_old = f->n_insn, n_labels = f->n_label, n = f->n_vreg;
    struct loop *const loops =
        arena_alloc(o->a, (o->flow.n_blocks + 1) * sizeof(*loops));
    struct unroll u = {.o = o, .old = f->insn, .n_old_regs = n};
    uint32_t n_loops = 0;

    for (uint32_t b = 0; b < o->flow.n_blocks && o->cc >= SINCE_CC; b++) {
        if (find(o, &o->flow.block[b], &loops[n_loops]) &&
            is_steady(o, &loops[n_loops])) {
            n_loops++;
        }
    }
    if (n_loops == 0) {
        return;
    }
    u.now = arena_alloc(o->a, (n_old + 1) * sizeof(u.now[0]));
    u.name = arena_alloc(o->a, (n + 1) * sizeof(u.name[0]));
    u.n_def = arena_alloc(o->a, (n + 1) * sizeof(u.n_def[0]));
    u.n_use = arena_alloc(o->a, (n + 1) * sizeof(u.n_use[0]));
    u.renamed = arena_alloc(o->a, n + 1);
    u.inner = arena_alloc(o->a, n + 1);
    f->insn = NULL;
    f->n_insn = f->cap_insn = 0;
    for (uint32_t i = 0, k = 0; i < n_old; i++) {
        if (k < n_loops && loops[k].first == i) {
            unroll(&u, &loops[k]);
            i = loops[k++].bra;
        } else {
            u.now[i] = f->n_insn;
            emit(&u, &u.old[i]);
        }
    }
    u.now[n_old] = f->n_insn;
    f->has_copies = true;
    for (uint32_t i = 0; i < n_labels; i++) {
        f->label[i].at = u.now[f->label[i].at];
    }
    ptx_opt_room(o);
}
