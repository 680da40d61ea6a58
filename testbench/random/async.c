/*
 * Copies beside a thread, and mbarriers.
 *
 * A copy's bytes count as never written until the thread has waited for them: a program
 * that reads them before is not valid. Its data is of the moment when it is waited for,
 * which may be any, since nothing writes what copies read.
 *
 * An mbarrier is kept beside memory, by its address: its bits are nobody's business. A
 * wait that fails leaves it to other threads to go on, if they can; only when none can
 * is the answer no.
 */
#include "machine.h"

#include <string.h>

/* ---- copies ---- */

static bool finish(struct interp *x, struct thread *t, uint32_t keep)
{
    struct block *b = &x->block[t->block];
    uint32_t left = 0;

    for (uint32_t i = 0; i < t->n_copies; i++) {
        const struct copy *c = &t->copy[i];

        if (c->group + keep >= t->group) {
            t->copy[left++] = *c;
            continue;
        }
        memset(b->shared + c->to, 0, c->bytes);
        memcpy(b->shared + c->to, c->data, c->reads);
        memset(b->shared_written + c->to, true, c->bytes);
    }
    t->n_copies = left;
    return true;
}

static bool copy_async(struct interp *x, struct thread *t, const struct insn *in)
{
    const uint32_t bytes = (uint32_t)in->o[2].value;
    struct copy *c = &t->copy[t->n_copies];
    uint64_t n = bytes;
    struct place from, to;

    if (in->n == 4) {
        const bool ignores =
            in->o[3].kind == OPND_REG &&
            x->c->func[t->frame[t->depth].func].reg_ty[in->o[3].reg] == TY_PRED;
        const uint64_t v = machine_read(x, t, &in->o[3]);

        n = ignores ? (v != 0 ? 0 : bytes) : v;
    }
    if (t->n_copies == MAX_COPIES ||
        !machine_place(x, t, in, &in->o[0], SPACE_SHARED, bytes, &to) ||
        (n != 0 && !machine_place(x, t, in, &in->o[1], SPACE_GLOBAL, bytes, &from))) {
        return machine_fail(x, in, "copy");
    }
    for (uint32_t i = 0; i < t->n_copies; i++) {
        const uint32_t at = (uint32_t)(to.data - x->block[t->block].shared);

        if (at < t->copy[i].to + t->copy[i].bytes && t->copy[i].to < at + bytes) {
            return machine_fail(x, in, "two copies to one place");
        }
    }
    *c = (struct copy){(uint32_t)(to.data - x->block[t->block].shared),
                       bytes,
                       (uint32_t)n,
                       t->group,
                       {0}};
    memcpy(c->data, n == 0 ? c->data : from.data, n);
    c->data[0] ^= in->op == x->l->plant && n > 0;
    memset(to.written, false, bytes);
    t->n_copies++;
    return true;
}

/* ---- mbarriers ---- */

static struct mbarrier *find(struct interp *x, struct thread *t, const struct insn *in,
                             const struct opnd *o, bool fresh)
{
    struct place p;

    if (!machine_place(x, t, in, o, SPACE_SHARED, 8, &p)) {
        return NULL;
    }
    for (uint32_t i = 0; i < x->n_mbarriers; i++) {
        if (x->mbarrier[i].at == p.data) {
            return &x->mbarrier[i];
        }
    }
    if (!fresh || x->n_mbarriers == MAX_MBARRIERS) {
        (void)machine_fail(x, in, "no mbarrier");
        return NULL;
    }
    x->mbarrier[x->n_mbarriers] = (struct mbarrier){.at = p.data};
    return &x->mbarrier[x->n_mbarriers++];
}

struct mbarrier *machine_find_mbarrier(struct interp *x, struct thread *t,
                                       const struct insn *in, const struct opnd *o)
{
    return find(x, t, in, o, false);
}

static void settle(struct mbarrier *b)
{
    if (b->pending == 0 && b->bytes == 0) {
        b->phase++;
        b->pending = b->expected;
    }
}

void machine_complete(struct mbarrier *b, uint32_t bytes)
{
    b->bytes -= bytes;
    settle(b);
}

/* The state: the phase, and what was pending before. .expect_tx comes first. */
static bool arrive(struct interp *x, struct thread *t, const struct insn *in,
                   struct mbarrier *b, bool drops)
{
    const bool expects = has(in, MOD_EXPECT_TX);
    const uint64_t n = in->n > 2 && !expects ? machine_read(x, t, &in->o[2]) : 1;
    const uint64_t state = (uint64_t)b->phase << 32 | b->pending;

    if (n > b->pending || n == 0 || (has(in, MOD_NO_COMPLETE) && n == b->pending)) {
        return machine_fail(x, in, "more arrivals than are expected");
    }
    b->bytes += expects ? (uint32_t)machine_read(x, t, &in->o[2]) : 0;
    b->pending -= (uint32_t)n;
    b->expected -= drops ? (uint32_t)n : 0;
    settle(b);
    if (in->o[0].kind == OPND_REG) {
        machine_write(x, t, in->o[0].reg, state ^ (in->op == x->l->plant));
    }
    return true;
}

/* Whether the phase of a state or of a parity is over. */
static bool over(struct interp *x, struct thread *t, const struct insn *in,
                 const struct mbarrier *b, bool *fits)
{
    const uint64_t v = machine_read(x, t, &in->o[2]);

    *fits = true;
    if (has(in, MOD_PARITY)) {
        return (b->phase & 1) != (v & 1);
    }
    *fits = b->phase - (uint32_t)(v >> 32) <= 1;
    return b->phase != v >> 32;
}

static bool wait(struct interp *x, struct thread *t, const struct insn *in,
                 const struct mbarrier *b)
{
    bool fits, yes = over(x, t, in, b, &fits);
    const struct insn *next = in + 1;

    if (!fits) {
        return machine_fail(x, in, "the state of an older phase");
    }
    /* A loop around it: the thread sleeps instead of turning around. */
    if (!yes && next->op == OP_BRA && next->guard == in->o[0].reg &&
        next->guard_negated && &x->c->insn[next->o[0].value] == in) {
        t->pc--;
        t->state = THREAD_SLEEPS;
        return true;
    }
    machine_write(x, t, in->o[0].reg, yes ^ (in->op == x->l->plant));
    return true;
}

/* An arrival when the copies so far are done: they are done now. */
static bool copies_arrive(struct interp *x, struct thread *t, const struct insn *in)
{
    struct mbarrier *b = find(x, t, in, &in->o[0], false);

    if (b == NULL || (has(in, MOD_NOINC) && b->pending == 0)) {
        return machine_fail(x, in, "no arrival is expected");
    }
    t->group++;
    (void)finish(x, t, 0);
    if (has(in, MOD_NOINC)) {
        b->pending--;
        settle(b);
    }
    return true;
}

bool machine_cp(struct interp *x, struct thread *t, const struct insn *in)
{
    if (has(in, MOD_BULK)) {
        return machine_bulk(x, t, in);
    }
    if (has(in, MOD_ARRIVE)) {
        return copies_arrive(x, t, in);
    }
    if (has(in, MOD_COMMIT_GROUP)) {
        t->group++;
        return true;
    }
    if (has(in, MOD_WAIT_ALL)) {
        t->group++;
        return finish(x, t, 0);
    }
    return has(in, MOD_WAIT_GROUP) ? finish(x, t, (uint32_t)in->o[0].value)
                                   : copy_async(x, t, in);
}

bool machine_mbarrier(struct interp *x, struct thread *t, const struct insn *in)
{
    const bool arrives = has(in, MOD_ARRIVE) || has(in, MOD_ARRIVE_DROP);
    const bool counts = has(in, MOD_EXPECT_TX) || has(in, MOD_COMPLETE_TX);
    const bool first = has(in, MOD_INIT) || has(in, MOD_INVAL) || (counts && !arrives);
    struct mbarrier *b;

    if (has(in, MOD_PENDING_COUNT)) {
        machine_write(x, t, in->o[0].reg, machine_read(x, t, &in->o[1]) & UINT32_MAX);
        return true;
    }
    b = find(x, t, in, &in->o[first ? 0 : 1], has(in, MOD_INIT));
    if (b == NULL) {
        return false;
    }
    if (has(in, MOD_INIT)) {
        b->expected = b->pending = (uint32_t)machine_read(x, t, &in->o[1]);
        b->phase = b->bytes = 0;
        return true;
    }
    if (has(in, MOD_INVAL)) {
        return true;
    }
    if (counts && !arrives) {
        const uint32_t n = (uint32_t)machine_read(x, t, &in->o[1]);

        b->bytes += has(in, MOD_EXPECT_TX) ? n : 0 - n;
        settle(b);
        return true;
    }
    if (!arrives) { /* a wait ends when the copies have: they end now */
        machine_bulk_finish(x, b);
    }
    return arrives ? arrive(x, t, in, b, has(in, MOD_ARRIVE_DROP)) : wait(x, t, in, b);
}
