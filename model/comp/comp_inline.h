/*
 * comp_inline.h - those functions of comp.h that run so often that they must be inline:
 * pools, sending and taking, setting probes. comp.h includes this file and has the
 * contracts.
 */
#ifndef COMP_COMP_INLINE_H
#define COMP_COMP_INLINE_H

/* ---- transactions ---- */

/* The pool is empty: put another transaction into it, and return it. */
struct sim_txn *sim_pool_grow(struct sim_pool *p);

static inline void *sim_pool_take(struct sim_pool *p)
{
    struct sim_txn *t = p->free;

    if (UNLIKELY(t == NULL)) {
        t = sim_pool_grow(p);
    }
    ATTR_UNPOISON(t, p->size);
    p->free = t->next;
    p->live++;
    return t;
}

static inline void sim_pool_give(void *txn)
{
    struct sim_txn *t = txn;
    struct sim_pool *p = t->pool;

    SIM_REQUIRE(p->sim, p->live > 0, p->name);
    p->live--;
    t->next = p->free;
    p->free = t;
    ATTR_POISON(t, p->size);
}

/* ---- ports ---- */

void sim_port_panic(const struct sim_module *m, const char *port,
                    const char *condition) ATTR_NORETURN ATTR_COLD;

/* The same steps for a port between two domains (border.c): the rest of a send, after
 * its credit is taken; returning the credit of a take; making the credits that have
 * come back usable. */
void sim_far_send(struct sim_out *o, struct sim_txn *t, uint32_t extra);
void sim_far_return(struct sim_in *i);
void sim_far_settle(struct sim_out *o);

/*
 * A credit comes back one cycle of the sender after the take. Until then it is
 * `returning`, and is usable from cycle `returning_at` on.
 *
 * One batch of such credits is enough. A take while the sender is in cycle c returns
 * its credit for cycle c + 1. If there is a batch already, an earlier take made it, for
 * a cycle R <= c + 1, because cycles never decrease. If R is c + 1, the credit joins
 * the batch. If R <= c, the batch is usable by now: it is added to the usable credits,
 * and the new credit begins a batch of its own. The sender would have added the batch
 * itself when it looked; which of the two does it makes no difference.
 *
 * Credits of what was handed over have their cycles one by one, in order: the receiver
 * takes some of it later than it comes.
 */
static inline void sim_out_settle(struct sim_out *o, sim_cycle_t cycle)
{
    if (o->returning > 0 && o->returning_at <= cycle) {
        if (UNLIKELY(o->far)) {
            sim_far_settle(o);
            return;
        }
        o->credits += o->returning;
        o->returning = 0;
    }
    while (o->n_handed != 0 && o->handed_at[o->handed] <= cycle) {
        o->handed = (o->handed + 1) % SIM_HANDED;
        o->n_handed--;
        o->credits++;
    }
}

static inline uint32_t sim_out_credits(struct sim_out *o)
{
    sim_out_settle(o, sim_cycle(o->clock));
    return o->credits;
}

static inline bool sim_out_ready(struct sim_out *o)
{
    return LIKELY(o->credits > 0) || sim_out_credits(o) > 0;
}

static inline bool sim_out_ready_at(struct sim_out *o, sim_cycle_t cycle)
{
    if (UNLIKELY(o->credits == 0)) {
        sim_out_settle(o, cycle);
    }
    return o->credits > 0;
}

/* None is usable: the cycle of the next one that is on its way back. */
static inline sim_cycle_t sim_out_comes_at(const struct sim_out *o)
{
    sim_cycle_t at = o->returning > 0 ? o->returning_at : SIM_CYCLE_NONE;

    return o->n_handed != 0 && o->handed_at[o->handed] < at ? o->handed_at[o->handed]
                                                            : at;
}

static inline sim_cycle_t sim_out_credit_at(struct sim_out *o, sim_cycle_t cycle)
{
    return LIKELY(sim_out_ready_at(o, cycle)) ? cycle : sim_out_comes_at(o);
}

static inline void sim_out_wait(struct sim_out *o)
{
    sim_cycle_t at;

    sim_out_settle(o, sim_cycle(o->clock));
    at = sim_out_comes_at(o);
    if (at != SIM_CYCLE_NONE) {
        sim_notify_at(&o->space, at);
    } else {
        o->waiting = true; /* the next take notifies */
    }
}

/* The head of i can be taken from cycle ready on: tell the receiver, if it asked for
 * that (sim_in_tell()). */
static inline void sim_in_lower(const struct sim_in *i, sim_cycle_t ready)
{
    if (i->earliest != NULL && ready < *i->earliest) {
        *i->earliest = ready;
    }
}

/* Append t to the queue of i; it can be taken from cycle ready on. True: the queue was
 * empty, and t is its head. */
static inline bool sim_in_append(struct sim_in *i, struct sim_txn *t, sim_cycle_t ready)
{
    if (UNLIKELY(ready < i->last_ready)) {
        sim_port_panic(i->peer->module, i->peer->name, "arrival before an earlier one");
    }
    i->last_ready = ready;
    t->ready = ready;
    t->next = NULL;
    if (i->held++ == 0) {
        i->head = t;
        i->tail = t;
        return true;
    }
    i->tail->next = t;
    i->tail = t;
    return false;
}

static ATTR_INLINE void sim_send_later(struct sim_out *o, void *txn, uint32_t extra)
{
    struct sim_txn *t = txn;
    struct sim_in *i = o->peer;
    sim_cycle_t cycle, ready;
    sim_time_t now;

    if (UNLIKELY(!sim_out_ready(o))) {
        sim_port_panic(o->module, o->name, "send without a credit");
    }
    o->credits--;
    if (UNLIKELY(o->far)) {
        sim_far_send(o, t, extra);
        return;
    }
    /* cycle + 1 is the receiver's first edge strictly later than now */
    cycle = sim_cycle(i->clock);
    ready = cycle + o->latency + extra;
    now = i->clock->sim->now;
    if (i->fresh_at != now) {
        i->fresh_at = now;
        i->fresh = 0;
    }
    i->fresh++;
    if (sim_in_append(i, t, ready)) {
        sim_in_lower(i, ready);
        if (UNLIKELY(i->marks)) {
            *i->mark |= i->mark_bit;
        }
        sim_notify_from(&i->arrived, cycle, ready);
    }
}

static inline void sim_answer(struct sim_out *o, void *txn, sim_cycle_t ready)
{
    if (UNLIKELY(!sim_out_ready(o) || !o->peer->polls)) {
        sim_port_panic(o->module, o->name, "an answer without a credit, or not polled");
    }
    o->credits--;
    if (sim_in_append(o->peer, txn, ready)) {
        sim_in_lower(o->peer, ready);
    }
}

static inline sim_cycle_t sim_open(struct sim_out *o, const void *txn,
                                   sim_cycle_t cycle)
{
    const struct sim_in *i = o->peer;

    if (i->open == NULL || i->held != 0) {
        return SIM_CYCLE_NONE;
    }
    sim_out_settle(o, cycle);
    if (o->credits == 0 || o->n_handed == SIM_HANDED) {
        return SIM_CYCLE_NONE;
    }
    o->open_at = i->open(i->server, txn, cycle + o->latency);
    return o->open_at;
}

static inline void sim_hand(struct sim_out *o, void *txn)
{
    const struct sim_in *i = o->peer;

    o->credits--;
    o->handed_at[(o->handed + o->n_handed++) % SIM_HANDED] = o->open_at + 1;
    i->serve(i->server, txn, o->open_at);
}

static inline void sim_send_wide(struct sim_out *o, void *txn, uint32_t extra,
                                 uint32_t places)
{
    if (UNLIKELY(o->far || sim_out_credits(o) < places || places == 0)) {
        sim_port_panic(o->module, o->name, "wide send without the credits");
    }
    o->credits -= places - 1;
    sim_send_later(o, txn, extra);
}

static inline void sim_send(struct sim_out *o, void *txn)
{
    sim_send_later(o, txn, 0);
}

static inline void *sim_peek(const struct sim_in *i)
{
    struct sim_txn *t = i->head;

    return t != NULL && t->ready <= sim_cycle(i->clock) ? t : NULL;
}

static ATTR_INLINE void *sim_take_head(struct sim_in *i, sim_cycle_t cycle)
{
    struct sim_txn *t = i->head;
    struct sim_out *o = i->peer;
    sim_cycle_t usable;

    i->head = t->next;
    i->held--;
    if (i->head != NULL && i->head->ready > cycle) {
        sim_in_lower(i, i->head->ready);
        if (!i->polls) {
            sim_notify_from(&i->arrived, cycle, i->head->ready);
        }
    }
    if (UNLIKELY(i->far)) {
        sim_far_return(i);
        return t;
    }
    usable = (o->clock == i->clock ? cycle : sim_cycle(o->clock)) + 1;
    if (o->returning_at != usable) {
        o->credits += o->returning;
        o->returning = 0;
        o->returning_at = usable;
    }
    o->returning++;
    if (o->waiting) {
        o->waiting = false;
        sim_notify_at(&o->space, o->returning_at);
    }
    return t;
}

static inline void *sim_take(struct sim_in *i)
{
    struct sim_txn *t = sim_peek(i);

    return t != NULL ? sim_take_head(i, sim_cycle(i->clock)) : NULL;
}

static inline void sim_in_free(struct sim_in *i, uint32_t places)
{
    if (UNLIKELY(i->far || i->peer->returning == 0)) {
        sim_port_panic(i->module, i->name, "places freed without a take");
    }
    i->peer->returning += places; /* of the batch that the take made or joined */
}

/* ---- probes ---- */

void sim_probe_changed(struct sim_probe *p, uint64_t v);

static inline void sim_probe_set(struct sim_probe *p, uint64_t v)
{
    if (SIM_WATCHED(*p)) {
        sim_probe_changed(p, v);
    } else if (SIM_PROBES) {
        p->value = v;
    }
}

static inline void sim_probe_fire(struct sim_probe *p)
{
    if (SIM_WATCHED(*p)) {
        sim_probe_changed(p, p->value);
    }
}

#endif /* COMP_COMP_INLINE_H */
