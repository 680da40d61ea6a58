/*
 * From instant to instant: which source is due next, and triggering what it has, by
 * sequence. A source alone, with a few events, is nearly every instant, and gets there
 * without calls.
 */
#include "engine/clock.h"
#include "engine/due.h"
#include "engine/queue.h"

/* ---- trigger ---- */

static inline void wake(struct sim *s, struct sim_process *p)
{
    if (!p->queued) {
        p->queued = true;
        s->run[s->n_run++] = p;
    }
}

static inline void trigger(struct sim *s, struct sim_event *e)
{
    e->queue = SIM_Q_NONE;
    if (LIKELY(e->process != NULL)) {
        wake(s, e->process);
    }
    if (UNLIKELY(e->more != NULL)) {
        struct sim_wake *w = e->more;

        do {
            w = w->next;
            wake(s, w->process);
        } while (w != e->more);
    }
}

/* Trigger an array with holes. A long one is beyond the caches as often as not: events
 * and their processes are asked for before their turn comes. */
static inline void trigger_array(struct sim *s, struct sim_event *const *v, uint32_t n)
{
    uint32_t i = 0;

    for (; i + SIM_AHEAD < n; i++) {
        const struct sim_event *soon = v[i + SIM_AHEAD / 2];

        ATTR_PREFETCH(v[i + SIM_AHEAD]);
        if (LIKELY(soon != NULL)) {
            ATTR_PREFETCH(soon->process);
        }
        if (LIKELY(v[i] != NULL)) {
            trigger(s, v[i]);
        }
    }
    for (; i < n; i++) {
        if (LIKELY(v[i] != NULL)) {
            trigger(s, v[i]);
        }
    }
}

/* Trigger what the clock's far queue, which is not empty, has due now. */
static inline void trigger_far(struct sim *s, struct sim_clock *c)
{
    struct sim_radix *r = &c->far;
    uint32_t head = r->head, tail = r->tail;

    if (head == tail) {
        trigger_array(s, s->gather, sim_radix_take(r, c->cycle, s->gather));
        return;
    }
    while (head < tail && r->when[head] == c->cycle) {
        trigger(s, r->event[head++]);
    }
    r->head = head;
    if (head < tail) {
        return;
    }
    if (r->n_lists > 0) {
        sim_radix_refill(r);
    } else {
        r->head = SIM_RADIX_START;
        r->tail = SIM_RADIX_START;
    }
}

/* Trigger what the clock has due now, in full. */
static ATTR_NOINLINE void trigger_places(struct sim *s, struct sim_clock *c)
{
    if (!sim_radix_is_empty(&c->far)) {
        trigger_far(s, c);
    }
    if (c->n_wheel > 0) {
        sim_chain l = wheel_take(c, c->cycle);

        if (l != 0) {
            trigger_array(s, s->gather, chain_take(s, l, s->gather));
        }
    }
    trigger_array(s, c->next, c->n_next);
    c->n_next = 0;
    find_due(c);
}

static inline void trigger_next(struct sim *s, struct sim_clock *c)
{
    for (uint32_t i = 0; i < c->n_next; i++) {
        if (LIKELY(c->next[i] != NULL)) {
            trigger(s, c->next[i]);
        }
    }
    c->n_next = 0;
}

/* Trigger a list that is not 0 and not longer than a chunk. */
static inline void trigger_short(struct sim *s, sim_chain l)
{
    if (chain_is_single(l)) {
        trigger(s, chain_single(l));
    } else {
        struct sim_chunk *k = chain_chunk(l);

        for (uint32_t i = 0; i < k->n; i++) {
            if (LIKELY(k->event[i] != NULL)) {
                trigger(s, k->event[i]);
            }
        }
        chain_give(s, k);
    }
}

/* Trigger what the clock has due at t, when nothing else is: mostly a few events of
 * the next cycle, a short list of the wheel, or both. */
static inline void trigger_clock(struct sim *s, struct sim_clock *c, sim_time_t t)
{
    sim_clock_reach_due(c, t);
    if (UNLIKELY(sim_radix_may_be_due(&c->far, c->cycle) || c->n_next >= SIM_AHEAD)) {
        trigger_places(s, c);
        return;
    }
    if (c->n_wheel > 0) {
        uint32_t b = wheel_bucket(c->cycle);
        sim_chain l = c->bucket[b];

        if (UNLIKELY(chain_is_long(l))) {
            trigger_places(s, c);
            return;
        }
        if (l != 0) {
            c->bucket[b] = 0;
            wheel_mark_empty(c, b);
            trigger_short(s, l);
        }
    }
    trigger_next(s, c);
    if (UNLIKELY(!sim_radix_is_empty(&c->far))) {
        find_due(c);
    } else if (c->n_wheel > 0) {
        c->due = wheel_first(c);
        s->due_time[c->index] = LOOK_UP;
    } else {
        c->due = SIM_CYCLE_NONE;
        s->due_time[c->index] = SIM_TIME_MAX;
    }
}

/* The same when lists have a part in it. */
static ATTR_NOINLINE void trigger_timed_far(struct sim *s, sim_time_t t)
{
    trigger_array(s, s->gather, sim_radix_take(&s->timed, t, s->gather));
    find_timed_due(s);
}

/* The array has run empty, and there are lists. */
static ATTR_NOINLINE void trigger_timed_on(struct sim *s)
{
    sim_radix_refill(&s->timed);
    find_timed_due(s);
}

/* Trigger what was notified in picoseconds for t, when nothing else is due. */
static inline void trigger_timed(struct sim *s, sim_time_t t)
{
    struct sim_radix *r = &s->timed;
    uint32_t head = r->head, tail = r->tail;

    if (UNLIKELY(head == tail)) {
        trigger_timed_far(s, t);
        return;
    }
    do {
        trigger(s, r->event[head++]);
        if (head == tail) {
            r->head = SIM_RADIX_START;
            r->tail = SIM_RADIX_START;
            if (LIKELY(r->horizon == UINT64_MAX)) {
                s->due_time[0] = SIM_TIME_MAX;
                return;
            }
            trigger_timed_on(s);
            return;
        }
    } while (r->when[head] == t);
    r->head = head;
    s->due_time[0] = r->when[head];
}

/* Trigger what a source has due at t. */
static inline void trigger_source(struct sim *s, struct sim_clock *c, sim_time_t t)
{
    s->now = t;
    if (c != NULL) {
        trigger_clock(s, c, t);
    } else {
        trigger_timed(s, t);
    }
}

/* Trigger what is due at t from whatever source, one after the other. To merge them by
 * sequence costs as much as all of their triggers. */
static ATTR_NOINLINE void trigger_all(struct sim *s, sim_time_t t)
{
    for (uint32_t i = 0; i < s->n_sources; i++) {
        if (s->due_time[i] == t) {
            trigger_source(s, s->clock[i], t);
        }
    }
}

/* ---- the next instant ---- */

/* Make the bound of source i, which comes first of all, better. */
static ATTR_NOINLINE void refine(struct sim *s, uint32_t i)
{
    struct sim_clock *c = s->clock[i];

    if (c == NULL) {
        sim_radix_refine(&s->timed);
        find_timed_due(s);
    } else {
        sim_radix_refine(&c->far);
        find_due(c);
    }
}

/* Find the source that is due first, and when the next one is: s->first, s->rest.
 * Without a branch that depends on which one it is, for that is hard to predict. */
static void find_first(struct sim *s)
{
    const sim_time_t *due = s->due_time;
    sim_time_t best = due[0], rest = SIM_TIME_MAX;
    uint32_t at = 0;

    for (uint32_t i = 1; i < s->n_sources; i++) {
        sim_time_t t = due[i];
        sim_time_t later;

        if (t == LOOK_UP) {
            t = sim_clock_find_due(s->clock[i]);
            s->due_time[i] = t;
        }
        later = t < best ? best : t;
        rest = later < rest ? later : rest;
        at = t < best ? i : at;
        best = t < best ? t : best;
    }
    s->first = at;
    s->rest = rest;
}

/* The same as sim_queue_advance() when another source may come first. */
static ATTR_NOINLINE sim_time_t advance_any(struct sim *s, sim_time_t until)
{
    for (;;) {
        struct sim_clock *c;
        sim_time_t t;

        find_first(s);
        t = s->due_time[s->first];
        c = s->clock[s->first];
        if (UNLIKELY(t > until || t == SIM_TIME_MAX)) {
            return t;
        }
        if (UNLIKELY(c == NULL ? s->timed_vague : c->vague)) {
            refine(s, s->first);
            continue;
        }
        if (UNLIKELY(t == s->rest)) {
            trigger_all(s, t);
        } else {
            trigger_source(s, c, t);
        }
        return t;
    }
}

sim_time_t sim_next(struct sim *s)
{
    sim_time_t t = s->due_time[s->first];

    if (s->n_delta > 0 || s->updates != NULL) { /* between runs */
        return s->now;
    }
    if (t == LOOK_UP) {
        t = sim_clock_find_due(s->clock[s->first]);
        s->due_time[s->first] = t;
    }
    if (t >= s->rest) {
        find_first(s);
        t = s->due_time[s->first];
    }
    return t;
}

sim_time_t sim_queue_advance(struct sim *s, sim_time_t until)
{
    uint32_t at = s->first;
    struct sim_clock *c = s->clock[at];
    sim_time_t t = s->due_time[at];

    if (t == LOOK_UP) {
        t = sim_clock_find_due(c);
        s->due_time[at] = t;
    }
    if (t >= s->rest || (c == NULL ? s->timed_vague : c->vague)) {
        return advance_any(s, until);
    }
    if (LIKELY(t <= until)) {
        trigger_source(s, c, t);
    }
    return t;
}

/* Is the process under way alone in its instant, and nothing in it left to do or to
 * tell, nor anything of c pending up to cycle k? */
static inline bool is_last(const struct sim *s, const struct sim_clock *c,
                           sim_cycle_t k)
{
    return k < c->due && k <= c->last && s->first == c->index && s->n_run == 0 &&
           s->n_delta == 0 && s->updates == NULL && !s->in_deltas && !sim_stops(s) &&
           s->counters.instants + 1 < s->last_instant && !*s->telling;
}

bool sim_go_on(struct sim_event *e, sim_cycle_t k)
{
    struct sim_clock *c = e->clock;
    struct sim *s = c->sim;

    if (c->now == s->now && !sim_pending(e) && is_last(s, c, k)) {
        uint64_t rem = c->next_rem;
        sim_time_t t = c->next_time;

        if (k != c->cycle + 1) {
            t = sim_clock_ahead(c, k - c->cycle, &rem);
        }
        if (t < s->rest && t <= s->until) {
            s->now = t;
            s->counters.notifications++;
            s->counters.instants++;
            s->counters.deltas++;
            s->counters.activations++;
            sim_clock_reach(c, k, t, rem);
            return true;
        }
    }
    sim_notify_at(e, k);
    return false;
}

void sim_queue_trigger_deltas(struct sim *s)
{
    trigger_array(s, s->delta, s->n_delta);
    s->n_delta = 0;
}
