#include "interp.h"

#include "eval.h"
#include "machine.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct interp *interp_new(void)
{
    return calloc(1, sizeof(struct interp));
}

void interp_free(struct interp *x)
{
    free(x);
}

bool machine_fail(struct interp *x, const struct insn *in, const char *what)
{
    if (!x->failed) {
        (void)snprintf(x->c->error, sizeof(x->c->error), "line %u: %s", in->line, what);
    }
    x->failed = true;
    return false;
}

/* ---- registers ---- */

static uint32_t mask_of(uint32_t op, uint32_t lane)
{
    uint32_t bit = UINT32_C(1) << lane;

    switch (op) {
    case SREG_LANEMASK_EQ: return bit;
    case SREG_LANEMASK_LT: return bit - 1;
    case SREG_LANEMASK_LE: return bit | (bit - 1);
    case SREG_LANEMASK_GT: return ~(bit | (bit - 1));
    default: return ~(bit - 1);
    }
}

static uint32_t in_cluster(const struct interp *x, const struct thread *t, uint32_t s)
{
    const uint32_t *ctaid = x->block[t->block].ctaid;

    if (s < SREG_CLUSTER_CTARANK) {
        return ctaid[s - SREG_CLUSTER_CTAID] % x->cluster[s - SREG_CLUSTER_CTAID];
    }
    if (s == SREG_CLUSTER_CTARANK) {
        return t->block;
    }
    if (s < SREG_CLUSTER_NCTARANK) {
        return x->cluster[s - SREG_CLUSTER_NCTAID];
    }
    return s == SREG_CLUSTER_NCTARANK
               ? x->n_blocks
               : ctaid[s - SREG_CLUSTERID] / x->cluster[s - SREG_CLUSTERID];
}

static uint32_t special(const struct interp *x, const struct thread *t, uint32_t s)
{
    if (s < SREG_CTAID) {
        return in_cluster(x, t, s);
    }
    if (s < SREG_IS_EXPLICIT_CLUSTER) {
        return x->block[t->block].ctaid[s - SREG_CTAID];
    }
    if (s == SREG_IS_EXPLICIT_CLUSTER) {
        return (x->c->cluster[0] | x->l->cluster[0]) != 0;
    }
    if (s == SREG_LANEID) {
        return t->lane;
    }
    if (s < SREG_NCLUSTERID) {
        return mask_of(s, t->lane);
    }
    if (s < SREG_NCTAID) {
        return x->l->grid[s - SREG_NCLUSTERID] / x->cluster[s - SREG_NCLUSTERID];
    }
    if (s < SREG_NTID) {
        return x->l->grid[s - SREG_NCTAID];
    }
    if (s < SREG_TID) {
        return x->l->block[s - SREG_NTID];
    }
    return t->tid[s - SREG_TID];
}

uint64_t machine_reg(struct interp *x, const struct thread *t, uint16_t reg)
{
    const struct frame *f = &t->frame[t->depth];

    if (!f->written[reg]) {
        (void)machine_fail(x, &x->c->insn[t->pc > 0 ? t->pc - 1 : 0],
                           "a register is read that was never written");
    }
    return f->r[reg];
}

uint64_t machine_read(struct interp *x, const struct thread *t, const struct opnd *o)
{
    switch (o->kind) {
    case OPND_REG: return machine_reg(x, t, o->reg) ^ o->negated;
    case OPND_SREG: return special(x, t, (uint32_t)o->value);
    default: return o->value;
    }
}

void machine_write(struct interp *x, struct thread *t, uint16_t reg, uint64_t v)
{
    struct frame *f = &t->frame[t->depth];
    uint32_t n = ty_bits(x->c->func[f->func].reg_ty[reg]);

    f->written[reg] = true;
    f->r[reg] = n == 64 ? v : v & ((UINT64_C(1) << n) - 1);
}

bool machine_guard(struct interp *x, const struct thread *t, const struct insn *in)
{
    return in->guard == NO_REG ||
           (machine_reg(x, t, in->guard) != 0) != in->guard_negated;
}

/* ---- calls ---- */

static void enter(struct interp *x, struct thread *t, uint32_t func, uint32_t back)
{
    struct frame *f = &t->frame[t->depth];

    f->func = func;
    f->back = back;
    memset(f->written, 0, x->c->func[func].n_regs);
}

/* One argument or result from one frame to another. */
static void pass(struct frame *to, const struct arg *a, const struct frame *from,
                 const struct arg *b)
{
    uint64_t v = 0;

    if (b->in_reg) {
        v = from->written[b->where] ? from->r[b->where] : 0;
    } else if (b->bytes <= sizeof(v)) {
        memcpy(&v, from->param + b->where, b->bytes);
    }
    if (a->in_reg) {
        to->r[a->where] = v;
        to->written[a->where] = true;
    } else if (a->bytes <= sizeof(v)) {
        memcpy(to->param + a->where, &v, a->bytes);
    } else {
        memcpy(to->param + a->where, from->param + b->where, a->bytes);
    }
}

static bool call(struct interp *x, struct thread *t, const struct insn *in)
{
    const struct call *k = &x->c->call[in->o[0].value];
    const uint64_t func = k->by_value ? machine_reg(x, t, k->reg) - 1 : k->func;
    const struct func *f;

    if (t->depth + 1 == MAX_DEPTH) {
        return machine_fail(x, in, "calls too deep");
    }
    if (func >= x->c->n_funcs || x->c->func[func].n_args != k->n_args ||
        x->c->func[func].n_results != k->n_results) {
        return machine_fail(x, in, "no such function");
    }
    f = &x->c->func[func];
    t->depth++;
    enter(x, t, (uint32_t)func, t->pc);
    for (uint32_t i = 0; i < k->n_args; i++) {
        pass(&t->frame[t->depth], &f->arg[i], &t->frame[t->depth - 1], &k->arg[i]);
    }
    t->pc = f->entry;
    return true;
}

static void ret(struct interp *x, struct thread *t)
{
    struct frame *f = &t->frame[t->depth];

    if (t->depth == 0) {
        t->state = THREAD_EXITED;
        return;
    }
    t->pc = f->back;
    {
        const struct call *k = &x->c->call[x->c->insn[t->pc - 1].o[0].value];

        for (uint32_t i = 0; i < k->n_results; i++) {
            pass(f - 1, &k->result[i], f, &x->c->func[f->func].result[i]);
        }
    }
    t->depth--;
}

/* ---- a thread ---- */

static bool needs_others(const struct insn *in)
{
    switch (in->op) {
    case OP_BARRIER: return !has(in, MOD_CLUSTER);
    case OP_BAR:
    case OP_SHFL:
    case OP_VOTE:
    case OP_MATCH:
    case OP_REDUX:
    case OP_ACTIVEMASK:
    case OP_MMA:
    case OP_LDMATRIX:
    case OP_STMATRIX:
    case OP_MOVMATRIX:
    case OP_ELECT: return true;
    default: return false;
    }
}

static bool compute(struct interp *x, struct thread *t, const struct insn *in)
{
    uint64_t s[MAX_SOURCES] = {0};
    struct result d;

    for (uint32_t i = 1; i < in->n && i <= MAX_SOURCES; i++) {
        s[i - 1] = machine_read(x, t, &in->o[i]);
    }
    if (in->n < 4 && (in->op == OP_SETP || in->op == OP_SET)) {
        s[2] = 0; /* nothing to combine with */
    }
    if (!eval(in, s, &t->cc, &d)) {
        return machine_fail(x, in, "no such instruction, or a division by zero");
    }
    if (in->op == x->l->plant) {
        d.value ^= 1;
    }
    machine_write(x, t, in->o[0].reg, d.value);
    if (in->pair != NO_REG) {
        machine_write(x, t, in->pair, d.second);
    }
    return true;
}

/* Of elements to elements, the first the lowest. */
static bool move_parts(struct interp *x, struct thread *t, const struct insn *in)
{
    uint32_t bits = ty_bits(in->ty), n_from = in->n - in->n_to;
    uint32_t from = bits / n_from, to = bits / in->n_to;
    uint64_t v = 0;

    for (uint32_t i = 0; i < n_from; i++) {
        v |= machine_read(x, t, &in->o[in->n_to + i]) << (from * i);
    }
    v ^= in->op == x->l->plant;
    for (uint32_t i = 0; i < in->n_to; i++) {
        machine_write(x, t, in->o[i].reg, v >> (to * i));
    }
    return true;
}

/* Generic addresses: windows; those of global memory are their own. */
static const struct {
    uint8_t space;
    uint64_t base;
} windows[] = {{SPACE_SHARED, GENERIC_SHARED},
               {SPACE_LOCAL, GENERIC_LOCAL},
               {SPACE_CONST, GENERIC_CONST},
               {SPACE_PARAM, GENERIC_PARAM}};

enum { N_WINDOWS = sizeof(windows) / sizeof(windows[0]) };

static bool cvta(struct interp *x, struct thread *t, const struct insn *in)
{
    uint64_t v = machine_read(x, t, &in->o[1]), base = 0;

    for (uint32_t i = 0; i < N_WINDOWS; i++) {
        base = windows[i].space == in->space ? windows[i].base : base;
    }
    machine_write(x, t, in->o[0].reg, has(in, MOD_TO) ? v - base : v + base);
    return true;
}

static bool isspacep(struct interp *x, struct thread *t, const struct insn *in)
{
    uint64_t v = machine_read(x, t, &in->o[1]);
    uint32_t space = SPACE_GLOBAL;

    for (uint32_t i = 0; i < N_WINDOWS; i++) {
        space = v - windows[i].base < GENERIC_WINDOW ? windows[i].space : space;
    }
    /* Without ::cluster it is the block's own shared memory that is asked for. */
    machine_write(x, t, in->o[0].reg,
                  space == in->space && (space != SPACE_SHARED || in->cluster ||
                                         v - GENERIC_SHARED < CLUSTER_STEP));
    return true;
}

static bool brx(struct interp *x, struct thread *t, const struct insn *in)
{
    uint32_t i = (uint32_t)machine_read(x, t, &in->o[0]);
    uint32_t table = (uint32_t)in->o[1].value;

    if (i >= x->c->n_targets[table]) {
        return machine_fail(x, in, "index outside the table");
    }
    t->pc = x->c->target[table][i];
    return true;
}

static bool execute(struct interp *x, struct thread *t, const struct insn *in)
{
    switch (in->op) {
    case OP_BRA: t->pc = (uint32_t)in->o[0].value; return true;
    case OP_BRX: return brx(x, t, in);
    case OP_CALL: return call(x, t, in);
    case OP_RET: ret(x, t); return true;
    case OP_EXIT: t->state = THREAD_EXITED; return true;
    case OP_MEMBAR:
    case OP_FENCE:
    case OP_NANOSLEEP:
    case OP_PMEVENT:
    case OP_PREFETCH:
    case OP_PREFETCHU: return true;
    case OP_LD:
    case OP_LDU:
    case OP_ST:
    case OP_ATOM:
    case OP_RED: return machine_memory(x, t, in);
    case OP_CP: return machine_cp(x, t, in);
    case OP_MBARRIER: return machine_mbarrier(x, t, in);
    case OP_BARRIER:
    case OP_MAPA:
    case OP_GETCTARANK: return machine_cluster(x, t, in);
    case OP_TEX:
    case OP_TLD4:
    case OP_TXQ:
    case OP_SULD:
    case OP_SUST:
    case OP_SURED:
    case OP_SUQ: return machine_texture(x, t, in);
    case OP_CREATEPOLICY: /* any number will do */
        machine_write(x, t, in->o[0].reg, UINT64_C(0x0123456789abcdef));
        return true;
    case OP_CVTA: return cvta(x, t, in);
    case OP_ISSPACEP: return isspacep(x, t, in);
    case OP_MOV: return in->n > 2 ? move_parts(x, t, in) : compute(x, t, in);
    default: return compute(x, t, in);
    }
}

/* What loops read that wait for another thread. */
static bool polls(const struct insn *in)
{
    return (in->op == OP_LD && has(in, MOD_VOLATILE)) || in->op == OP_ATOM;
}

/* Until it exits, waits or has polled. */
static bool run_thread(struct interp *x, struct thread *t)
{
    while (t->state == THREAD_RUNS) {
        struct insn *in = &x->c->insn[t->pc];

        if (t->pc >= x->c->n_insns || ++t->steps > MAX_STEPS) {
            return machine_fail(x, in, "too many steps");
        }
        in->runs++;
        if (needs_others(in)) {
            t->state = THREAD_WAITS;
            return true;
        }
        t->pc++;
        if (machine_guard(x, t, in) && !execute(x, t, in)) {
            return false;
        }
        if (x->failed) {
            return false;
        }
        if (polls(in)) { /* others may have to store first what it waits for */
            return true;
        }
    }
    return true;
}

/* ---- warps and blocks ---- */

/* Each runs as far as it can; who sleeps looks again as long as anyone gets on. */
static bool run_threads(struct interp *x, bool *sleeps)
{
    bool moved = true;

    for (*sleeps = true; moved && *sleeps;) {
        moved = *sleeps = false;
        for (uint32_t i = 0; i < x->n_blocks * x->n_threads; i++) {
            struct thread *t = &x->thread[i];
            const uint32_t before = t->steps;

            t->state = t->state == THREAD_SLEEPS ? THREAD_RUNS : t->state;
            if (!run_thread(x, t)) {
                return false;
            }
            *sleeps = *sleeps || t->state == THREAD_SLEEPS;
            moved = moved || t->steps > before + (t->state == THREAD_SLEEPS);
        }
    }
    return true;
}

/* Has one of the threads from first to end more to do before it waits? */
static bool running(const struct interp *x, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        if (x->thread[i].state == THREAD_RUNS) {
            return true;
        }
    }
    return false;
}

/* The threads from first to end that live; none, while one of them sleeps. agree: they
 * wait at the same place. */
static bool living(struct interp *x, uint32_t first, uint32_t end, struct thread **t,
                   uint32_t *n, bool *agree)
{
    *n = 0;
    *agree = true;
    for (uint32_t i = first; i < end; i++) {
        struct thread *k = &x->thread[i];

        if (k->state == THREAD_SLEEPS) {
            return false;
        }
        if (k->state == THREAD_WAITS) {
            *agree = *agree && (*n == 0 || k->pc == t[0]->pc);
            t[(*n)++] = k;
        }
    }
    return *n > 0;
}

static bool meet(struct interp *x, struct thread **t, uint32_t n, const struct insn *in)
{
    for (uint32_t i = 0; i < n; i++) {
        t[i]->pc++;
    }
    if (!machine_meet(x, t, n, in) || x->failed) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        t[i]->state = THREAD_RUNS;
    }
    return true;
}

/* Every exchange of a block that can take place does; *more: threads run again. */
static bool meetings_of(struct interp *x, uint32_t block, bool *more)
{
    const uint32_t first = block * x->n_threads, all = first + x->n_threads;
    struct thread *t[MAX_THREADS];
    uint32_t n;
    bool agree;

    *more = false;
    for (uint32_t w = first; w < all; w += WARP) {
        uint32_t end = w + WARP < all ? w + WARP : all;
        const struct insn *in;

        if (running(x, w, end)) {
            *more = true;
            continue;
        }
        if (!living(x, w, end, t, &n, &agree)) {
            continue;
        }
        in = &x->c->insn[t[0]->pc];
        if (!agree) {
            return machine_fail(x, in, "threads of a warp meet at different places");
        }
        if ((in->op != OP_BAR && in->op != OP_BARRIER) || has(in, MOD_WARP)) {
            if (!meet(x, t, n, in)) {
                return false;
            }
            *more = true;
        }
    }
    if (*more || !living(x, first, all, t, &n, &agree)) {
        return true;
    }
    *more = true;
    return agree
               ? meet(x, t, n, &x->c->insn[t[0]->pc])
               : machine_fail(x, &x->c->insn[t[0]->pc], "a barrier that not all meet");
}

static bool meetings(struct interp *x, bool *more)
{
    *more = false;
    for (uint32_t i = 0; i < x->n_blocks; i++) {
        bool again;

        if (!meetings_of(x, i, &again)) {
            return false;
        }
        *more = *more || again;
    }
    return true;
}

static void start_thread(struct interp *x, uint32_t block, uint32_t i)
{
    struct thread *t = &x->thread[block * x->n_threads + i];
    const uint32_t *b = x->l->block;

    t->state = THREAD_RUNS;
    t->cc = false;
    t->depth = t->steps = t->n_copies = t->group = 0;
    t->arrivals = t->passages = t->bulk_group = 0;
    t->block = block;
    t->tid[0] = i % b[0];
    t->tid[1] = i / b[0] % b[1];
    t->tid[2] = i / b[0] / b[1];
    t->lane = i % WARP;
    t->pc = x->c->func[x->c->kernel].entry;
    enter(x, t, x->c->kernel, 0);
    memcpy(t->frame[0].param, x->l->params, x->l->param_bytes);
    memset(t->local_written, 0, sizeof(t->local_written));
}

static void start_block(struct interp *x, uint32_t i)
{
    memset(x->block[i].shared_written, 0, sizeof(x->block[i].shared_written));
    for (uint32_t k = 0; k < x->n_threads; k++) {
        start_thread(x, i, k);
    }
}

static bool run_cluster(struct interp *x)
{
    bool more = true;

    x->n_mbarriers = x->n_bulks = 0;
    for (uint32_t i = 0; i < x->n_blocks; i++) {
        start_block(x, i);
    }
    while (more) {
        bool sleeps;

        if (!run_threads(x, &sleeps) || !meetings(x, &more)) {
            return false;
        }
        if (sleeps && !more) {
            return machine_fail(x, &x->c->insn[x->thread[0].pc],
                                "threads wait for ever");
        }
    }
    machine_bulk_finish(x, NULL);
    return true;
}

bool interp_run(struct interp *x, struct code *c, const struct interp_launch *l)
{
    const struct func *k = &c->func[c->kernel];
    uint32_t n[3];

    x->c = c;
    x->l = l;
    x->failed = false;
    x->n_threads = l->block[0] * l->block[1] * l->block[2];
    if (c->n_funcs == 0 || !machine_cluster_shape(x) || x->n_threads == 0 ||
        x->n_threads * x->n_blocks > MAX_THREADS || l->param_bytes != k->param_bytes ||
        c->local_bytes > MAX_LOCAL ||
        c->shared_bytes + l->dynamic_shared > MAX_SHARED) {
        (void)snprintf(c->error, sizeof(c->error), "launch");
        return false;
    }
    for (uint32_t i = 0; i < 3; i++) {
        n[i] = l->grid[i] / x->cluster[i];
    }
    for (uint32_t i = 0; i < n[0] * n[1] * n[2]; i++) {
        const uint32_t at[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};

        machine_cluster_place(x, at);
        if (!run_cluster(x)) {
            return false;
        }
    }
    return true;
}
