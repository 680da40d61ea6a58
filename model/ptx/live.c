/* Liveness, one register at a time: memory stays linear whatever the program. */
#include "ptx/flow_priv.h"

#include <string.h>

static void add_def(struct ptx_access *x, const struct ptx_opnd *o)
{
    if (o->kind == OK_REG) {
        x->def[x->n_def++] = o->id;
    }
}

static void add_use(struct ptx_access *x, const struct ptx_opnd *o)
{
    if (o->kind == OK_REG || (o->kind == OK_ADDR && o->sub == OK_REG)) {
        x->use[x->n_use++] = o->id;
    }
}

static bool is_result(char letter)
{
    return strchr("dDwupqevxG", letter) != NULL;
}

static void call_accesses(const struct ptx_ir *f, const struct ptx_insn *in,
                          struct ptx_access *x)
{
    for (uint32_t i = 0; i < in->n_call; i++) {
        const struct ptx_opnd *const o = &f->opnd[in->opnd + i];

        if (i < in->n_rets) {
            add_def(x, o);
        } else {
            add_use(x, o);
        }
    }
}

/* Results in registers are read where the function returns. */
static void ret_accesses(const struct ptx_ir *f, struct ptx_access *x)
{
    for (uint32_t i = 0; i < f->n_rets && !f->is_kernel; i++) {
        if (f->pvar[i].reg != PTX_NONE && x->n_use < ARRAY_LEN(x->use)) {
            x->use[x->n_use++] = f->pvar[i].reg;
        }
    }
}

void ptx_accesses(const struct ptx_ir *f, const struct ptx_insn *in,
                  struct ptx_access *out)
{
    char letters[PTX_MAX_OPNDS + 1];
    uint32_t least, most;

    out->n_def = 0;
    out->n_use = 0;
    if (in->guard != PTX_NONE) {
        out->use[out->n_use++] = in->guard;
    }
    if (in->form.op == ISA_OP_CALL) {
        call_accesses(f, in, out);
        return;
    }
    if (in->form.op == ISA_OP_RET) {
        ret_accesses(f, out);
    }
    if (ptx_letters(in, letters, &least, &most) == NULL) {
        return;
    }
    for (uint32_t i = 0; i < in->n_opnds; i++) {
        const struct ptx_opnd *const o = &f->opnd[in->opnd + i];
        const bool list = o->kind == OK_VEC || o->kind == OK_PAIR;

        for (uint32_t k = 0; k < (list ? o->n : 1u); k++) {
            const struct ptx_opnd *const e = list ? &f->opnd[o->id + k] : o;

            if (is_result(letters[i])) {
                add_def(out, e);
                if (in->form.op == ISA_OP_WGMMA) { /* D is added */
                    add_use(out, e);
                }
            } else if (letters[i] != 'h') {
                add_use(out, e);
            }
        }
    }
}

/* What a block does with a register. */
struct touch {
    uint32_t block, next; /* next: of the same register, PTX_NONE: last */
    uint32_t first, last; /* places, last exclusive */
    bool exposed;         /* read before it is surely written */
    bool killed;          /* surely written */
    bool out;             /* live at the end */
};

struct work {
    struct arena *a;
    const struct ptx_ir *f;
    const struct ptx_flow *flow;
    struct touch *touch;
    uint32_t n_touch, cap_touch;
    uint32_t *head;   /* of each register */
    uint32_t *of;     /* touch of each block, for the register being done */
    uint32_t *mark;   /* last register (+ 1) for which of is valid */
    uint32_t *passed; /* last register (+ 1) found live out of the block */
    uint32_t *stack;
    int32_t *diff; /* change of live words at each place */
    uint64_t steps;
};

enum { MAX_STEPS = 50 * 1000 * 1000 };

static struct touch *touch_at(struct work *w, uint32_t reg, uint32_t block,
                              uint32_t place)
{
    struct touch *t;

    if (w->head[reg] == PTX_NONE || w->touch[w->head[reg]].block != block) {
        t = PTX_PUSH(w->a, w->touch, w->n_touch, w->cap_touch);
        *t = (struct touch){.block = block, .next = w->head[reg], .first = place};
        w->head[reg] = w->n_touch - 1;
    }
    t = &w->touch[w->head[reg]];
    t->last = place + 1 > t->last ? place + 1 : t->last;
    return t;
}

static void use(struct work *w, uint32_t reg, uint32_t block, uint32_t place)
{
    struct touch *const t = touch_at(w, reg, block, place);

    t->exposed |= !t->killed;
}

static void scan_block(struct work *w, uint32_t block)
{
    const struct ptx_block *const b = &w->flow->block[block];
    struct ptx_access x;

    for (uint32_t i = b->first; i < b->end; i++) {
        const struct ptx_insn *const in = &w->f->insn[i];

        const bool keeps = in->guard != PTX_NONE && !in->is_fresh;

        ptx_accesses(w->f, in, &x);
        /* With several results, sources must outlive the first one written. */
        for (uint32_t k = 0; k < x.n_use; k++) {
            use(w, x.use[k], block, 2 * i);
            touch_at(w, x.use[k], block, 2 * i + (x.n_def > 1));
        }
        for (uint32_t k = 0; k < x.n_def; k++) {
            if (keeps) {
                use(w, x.def[k], block, 2 * i);
            }
            touch_at(w, x.def[k], block, 2 * i + 1)->killed |= !keeps;
        }
    }
}

bool ptx_branches_within(const struct ptx_insn *in, uint32_t cc)
{
    const struct isa_seq *seq = in->acts_as != 0 ? NULL : isa_machine(&in->form, cc);

    return seq != NULL && seq->holds;
}

bool ptx_is_of_all(const struct ptx_ir *f, const struct ptx_insn *in)
{
    const struct ptx_opnd *members;

    if ((in->form.flags & ISA_F_SYNC) == 0 || in->n_opnds == 0) {
        return false;
    }
    members = &f->opnd[in->opnd + in->n_opnds - 1];
    return members->kind == OK_IMM && (uint32_t)members->value == UINT32_MAX;
}

uint32_t ptx_reg_words(const struct ptx_ir *f, uint32_t reg)
{
    if (f->vreg[reg].type == ISA_T_PRED) {
        return 0;
    }
    return ptx_reg_bits(f, reg) == 64 ? 2 : 1;
}

/* Blocks that reg is live out of, from those where it is exposed. True: some path leads
 * from the entry to a read. */
static bool spread(struct work *w, uint32_t reg, struct ptx_live *live)
{
    uint32_t depth = 0;
    bool from_entry = false;

    for (uint32_t t = w->head[reg]; t != PTX_NONE; t = w->touch[t].next) {
        w->of[w->touch[t].block] = t;
        w->mark[w->touch[t].block] = reg + 1;
        if (w->touch[t].exposed) {
            w->stack[depth++] = w->touch[t].block;
        }
    }
    while (depth > 0) {
        const struct ptx_block *const b = &w->flow->block[w->stack[--depth]];

        from_entry |= b->first == 0;
        for (uint32_t i = 0; i < b->n_pred; i++) {
            const uint32_t p = w->flow->pred[b->pred + i];
            const struct ptx_block *const pb = &w->flow->block[p];

            w->steps++;
            if (w->passed[p] == reg + 1) {
                continue;
            }
            w->passed[p] = reg + 1;
            if (w->mark[p] == reg + 1) {
                w->touch[w->of[p]].out = true;
                continue; /* if exposed, it is on the stack or was */
            }
            live->start[reg] =
                live->start[reg] < 2 * pb->first ? live->start[reg] : 2 * pb->first;
            live->end[reg] =
                live->end[reg] > 2 * pb->end ? live->end[reg] : 2 * pb->end;
            w->diff[2 * pb->first] += (int32_t)ptx_reg_words(w->f, reg);
            w->diff[2 * pb->end] -= (int32_t)ptx_reg_words(w->f, reg);
            w->stack[depth++] = p;
        }
    }
    return from_entry;
}

static void finish(struct work *w, uint32_t reg, struct ptx_live *live)
{
    const int32_t words = (int32_t)ptx_reg_words(w->f, reg);

    for (uint32_t i = w->head[reg]; i != PTX_NONE; i = w->touch[i].next) {
        const struct touch *const t = &w->touch[i];
        const struct ptx_block *const b = &w->flow->block[t->block];
        const uint32_t from = t->exposed ? 2 * b->first : t->first;
        const uint32_t to = t->out ? 2 * b->end : t->last;

        live->start[reg] = live->start[reg] < from ? live->start[reg] : from;
        live->end[reg] = live->end[reg] > to ? live->end[reg] : to;
        w->diff[from] += words;
        w->diff[to] -= words;
    }
}

static void one_register(struct work *w, uint32_t reg, struct ptx_live *live)
{
    const uint32_t places = 2 * w->f->n_insn;

    if (w->head[reg] == PTX_NONE) {
        return;
    }
    live->start[reg] = UINT32_MAX;
    live->end[reg] = 0;
    if (w->steps > MAX_STEPS) { /* a giant: everywhere is right, if wasteful */
        live->start[reg] = 0;
        live->end[reg] = places;
        live->zero_first = true;
        return;
    }
    live->zero_first |= spread(w, reg, live);
    finish(w, reg, live);
}

/* The touches that are not live at the end of their block, by block. */
static void list_dying(struct work *w, struct ptx_live *live)
{
    const uint32_t n = w->flow->n_blocks;
    uint32_t *const fill = arena_alloc(w->a, (n + 1) * sizeof(fill[0]));

    live->dying_at = arena_alloc(w->a, (n + 1) * sizeof(live->dying_at[0]));
    live->dying = arena_alloc(w->a, (w->n_touch + 1) * sizeof(live->dying[0]));
    for (uint32_t r = 0; r < w->f->n_vreg && w->steps <= MAX_STEPS; r++) {
        for (uint32_t t = w->head[r]; t != PTX_NONE; t = w->touch[t].next) {
            live->dying_at[w->touch[t].block + 1] += !w->touch[t].out;
        }
    }
    for (uint32_t b = 0; b < n; b++) {
        live->dying_at[b + 1] += live->dying_at[b];
        fill[b] = live->dying_at[b];
    }
    for (uint32_t r = 0; r < w->f->n_vreg && w->steps <= MAX_STEPS; r++) {
        for (uint32_t t = w->head[r]; t != PTX_NONE; t = w->touch[t].next) {
            if (!w->touch[t].out) {
                live->dying[fill[w->touch[t].block]++] = r;
            }
        }
    }
}

/* Parameters in registers are written before the first instruction. */
static void parameters(const struct ptx_ir *f, struct ptx_live *live)
{
    for (uint32_t i = 0; i < f->n_rets + f->n_params; i++) {
        const uint32_t reg = f->pvar[i].reg;

        if (reg != PTX_NONE) {
            live->start[reg] = 0;
            live->end[reg] = live->end[reg] > 1 ? live->end[reg] : 1;
        }
    }
}

void ptx_live_build(struct arena *a, const struct ptx_ir *f,
                    const struct ptx_flow *flow, struct ptx_live *live)
{
    const size_t blocks = (flow->n_blocks + 1) * sizeof(uint32_t);
    const size_t regs = (f->n_vreg + 1) * sizeof(uint32_t);
    struct work w = {.a = a, .f = f, .flow = flow};
    int32_t words = 0;

    memset(live, 0, sizeof(*live));
    live->start = arena_alloc(a, regs);
    live->end = arena_alloc(a, regs);
    w.head = arena_alloc(a, regs);
    memset(w.head, 0xff, regs);
    w.of = arena_alloc(a, blocks);
    w.mark = arena_alloc(a, blocks);
    w.passed = arena_alloc(a, blocks);
    w.stack = arena_alloc(a, 2 * blocks);
    w.diff = arena_alloc(a, (2 * f->n_insn + 2) * sizeof(w.diff[0]));
    for (uint32_t b = 0; b < flow->n_blocks; b++) {
        scan_block(&w, b);
    }
    for (uint32_t r = 0; r < f->n_vreg; r++) {
        one_register(&w, r, live);
    }
    parameters(f, live);
    list_dying(&w, live);
    live->words = arena_alloc(a, (2 * f->n_insn + 1) * sizeof(live->words[0]));
    for (uint32_t i = 0; i <= 2 * f->n_insn; i++) {
        words += w.diff[i];
        live->words[i] = (uint32_t)words;
        live->max_words =
            (uint32_t)words > live->max_words ? (uint32_t)words : live->max_words;
    }
}
