/*
 * Pending notifications.
 *
 * Each clock keeps its pending notifications in three places. Those for the next cycle
 * are in an array, to which adding one is a single store. Those less than SIM_WHEEL
 * cycles ahead are in a wheel, which has a list for each cycle. All others are in a
 * radix queue.
 *
 * A notification stays where it was put. For one cycle the radix queue was filled
 * first, while the cycle was far away, then the wheel, and the array last, for time
 * only grows. So going through the three in this order is going through the
 * notifications of a cycle by their sequence numbers.
 *
 * due.h says at which time a source has something to do next, advance.c does it.
 */
#include "engine/queue.h"
#include "engine/clock.h"
#include "engine/due.h"

#include <string.h>

/* ---- sources ---- */

/* An array of n items of size bytes is full: return a larger copy, with room for one
 * more at least. An arena frees nothing, so the old array is left behind. */
static void *grow(struct sim *s, const void *old, uint32_t n, size_t size,
                  uint32_t *capacity)
{
    void *fresh = NULL;

    *capacity = *capacity == 0 ? 16 : *capacity * 2;
    fresh = sim_alloc(s, *capacity * size);
    if (n > 0) {
        memcpy(fresh, old, n * size);
    }
    return fresh;
}

static uint32_t add_source(struct sim *s, struct sim_clock *c)
{
    uint32_t i = s->n_sources;

    if (i == s->source_capacity) {
        uint32_t capacity = s->source_capacity;

        s->due_time = grow(s, s->due_time, i, sizeof(s->due_time[0]), &capacity);
        s->clock = grow(s, s->clock, i, sizeof(s->clock[0]), &s->source_capacity);
    }
    s->due_time[i] = SIM_TIME_MAX;
    s->clock[i] = c;
    s->n_sources++;
    return i;
}

void sim_queue_init(struct sim *s)
{
    add_source(s, NULL);
    sim_radix_init(&s->timed, s);
}

void sim_queue_add_clock(struct sim *s, struct sim_clock *c)
{
    c->index = add_source(s, c);
    c->due = SIM_CYCLE_NONE;
    c->bucket = sim_alloc(s, SIM_WHEEL * sizeof(c->bucket[0]));
    sim_radix_init(&c->far, s);
}

void sim_queue_add_event(struct sim *s, struct sim_clock *c)
{
    if (s->n_events++ == s->delta_capacity) {
        uint32_t capacity = s->delta_capacity;

        s->delta = grow(s, s->delta, s->n_delta, sizeof(s->delta[0]), &capacity);
        s->delta_capacity = capacity;
        s->gather = sim_alloc(s, capacity * sizeof(s->gather[0]));
    }
    if (c != s->no_clock && c->n_events++ == c->capacity) {
        c->next = grow(s, c->next, c->n_next, sizeof(c->next[0]), &c->capacity);
    }
}

/* ---- arrays with holes: the next cycle, the next delta ---- */

static void array_remove(struct sim_event **v, uint32_t *n, uint32_t at)
{
    v[at] = NULL;
    while (*n > 0 && v[*n - 1] == NULL) {
        --*n; /* so that n is 0 when nothing is left */
    }
}

/* Close the holes that cancelling left. */
static void array_compact(struct sim_event **v, uint32_t *n)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < *n; i++) {
        if (v[i] != NULL) {
            v[i]->at = kept;
            v[kept++] = v[i];
        }
    }
    *n = kept;
}

/* ---- notify, cancel ---- */

/* Whether the notification pending for e is no later than cycle k of its clock. */
static bool pending_by_cycle(const struct sim_event *e, sim_cycle_t k)
{
    if (e->queue == SIM_Q_TIMED) {
        return e->when <= sim_edge(e->clock, k);
    }
    return e->queue == SIM_Q_DELTA || e->when <= k;
}

/* The same for time t. */
static bool pending_by_time(const struct sim_event *e, sim_time_t t)
{
    if (e->queue == SIM_Q_TIMED) {
        return e->when <= t;
    }
    return e->queue == SIM_Q_DELTA || sim_edge(e->clock, e->when) <= t;
}

/* A notification is so far ahead that time cannot express it. */
static void overflow(struct sim *s)
{
    s->overflow = true;
    sim_set_stop(s, true);
}

/* e->when is beyond the next cycle of c, and earlier than c->due. */
static inline void lower_cycle(struct sim_clock *c, sim_cycle_t k)
{
    c->due = k;
    c->vague = false;
    sim_lower_due(c, LOOK_UP);
}

/* Notify at cycle k, in every case in which the wheel is not the place. */
static ATTR_NOINLINE void notify_otherwise(struct sim_event *e, sim_cycle_t k)
{
    struct sim_clock *c = e->clock;
    sim_cycle_t cycle = c->cycle;

    SIM_REQUIRE(c->sim, k > cycle, e->name);
    if (k > c->last) {
        overflow(c->sim);
        return;
    }
    if (e->queue != SIM_Q_NONE) {
        if (pending_by_cycle(e, k)) {
            return;
        }
        sim_cancel(e);
    }
    if (k - c->cycle == 1) {
        if (c->n_next == c->capacity) {
            array_compact(c->next, &c->n_next);
        }
        sim_push_next(c, e, k);
        return;
    }
    e->when = k;
    e->seq = ++c->sim->counters.notifications;
    if (k - c->cycle < SIM_WHEEL) {
        e->queue = SIM_Q_WHEEL;
        wheel_insert(c, e);
    } else {
        e->queue = SIM_Q_FAR;
        sim_radix_insert(&c->far, e, c->cycle);
    }
    if (k < c->due) {
        lower_cycle(c, k);
    }
}

/* Notify at cycle k. The usual case here is a cycle beyond the wheel for which the
 * sorted array of the radix queue has room; all others are notify_otherwise()'s. */
static ATTR_NOINLINE void notify_far(struct sim_event *e, sim_cycle_t k)
{
    struct sim_clock *c = e->clock;

    if (k <= c->cycle || k - c->cycle < SIM_WHEEL || k > c->last ||
        e->queue != SIM_Q_NONE || !sim_radix_has_room(&c->far, k)) {
        notify_otherwise(e, k);
        return;
    }
    e->when = k;
    e->seq = ++c->sim->counters.notifications;
    e->queue = SIM_Q_FAR;
    sim_radix_insert_few(&c->far, e, k);
    if (k < c->due) {
        lower_cycle(c, k);
    }
}

void sim_notify_slow(struct sim_event *e, sim_cycle_t k)
{
    struct sim_clock *c = e->clock;

    if (UNLIKELY(k - c->cycle - 2 >= SIM_WHEEL - 2 || e->queue != SIM_Q_NONE ||
                 k > c->last)) {
        notify_far(e, k);
        return;
    }
    e->when = k;
    e->seq = ++c->sim->counters.notifications;
    e->queue = SIM_Q_WHEEL;
    wheel_insert(c, e);
    if (k < c->due) {
        lower_cycle(c, k);
    }
}

void sim_notify_slow_cycles(struct sim_event *e, uint64_t n)
{
    sim_cycle_t cycle = e->clock->cycle;

    SIM_REQUIRE(e->clock->sim, n >= 1, e->name);
    sim_notify_slow(e, n > SIM_CYCLE_NONE - cycle ? SIM_CYCLE_NONE : cycle + n);
}

/* What was notified in picoseconds is due at t, earlier than before. */
static inline void lower_timed(struct sim *s, sim_time_t t)
{
    s->due_time[0] = t;
    s->timed_vague = false;
    if (UNLIKELY(s->first != 0) && t < s->rest) {
        s->rest = t;
    }
}

/* e, not pending, for t, which is later than now: to the lists, or wherever else. */
static ATTR_NOINLINE void notify_ps_far(struct sim_event *e, sim_time_t t)
{
    struct sim *s = e->clock->sim;

    e->when = t;
    e->seq = ++s->counters.notifications;
    e->queue = SIM_Q_TIMED;
    sim_radix_insert(&s->timed, e, s->now);
    if (t < s->due_time[0]) {
        lower_timed(s, t);
    }
}

/* Every case. */
static ATTR_NOINLINE void notify_ps_otherwise(struct sim_event *e, sim_time_t ps)
{
    struct sim *s = e->clock->sim;
    sim_time_t t;

    SIM_REQUIRE(s, ps >= 1, e->name);
    if (attr_add_overflows(s->now, ps, &t) || t == SIM_TIME_MAX) {
        overflow(s);
        return;
    }
    if (e->queue != SIM_Q_NONE) {
        if (pending_by_time(e, t)) {
            return;
        }
        sim_cancel(e);
    }
    notify_ps_far(e, t);
}

void sim_notify_ps(struct sim_event *e, sim_time_t ps)
{
    struct sim *s = e->clock->sim;
    sim_time_t t = s->now + ps;

    if (UNLIKELY(t <= s->now || t == SIM_TIME_MAX || e->queue != SIM_Q_NONE)) {
        notify_ps_otherwise(e, ps);
        return;
    }
    if (!sim_radix_has_room(&s->timed, t)) {
        notify_ps_far(e, t);
        return;
    }
    e->when = t;
    e->seq = ++s->counters.notifications;
    e->queue = SIM_Q_TIMED;
    sim_radix_insert_few(&s->timed, e, t);
    lower_timed(s, s->timed.when[s->timed.head]); /* no branch on whether it is e's */
}

void sim_notify_delta_slow(struct sim_event *e)
{
    struct sim *s = e->clock->sim;

    if (e->queue == SIM_Q_DELTA) {
        return;
    }
    sim_cancel(e);
    if (s->n_delta == s->delta_capacity) {
        array_compact(s->delta, &s->n_delta);
    }
    sim_notify_delta(e);
}

void sim_cancel(struct sim_event *e)
{
    struct sim *s = e->clock->sim;
    struct sim_clock *c = e->clock;
    uint32_t queue = e->queue;

    e->queue = SIM_Q_NONE;
    if (queue == SIM_Q_DELTA) {
        array_remove(s->delta, &s->n_delta, e->at);
    } else if (queue == SIM_Q_TIMED) {
        sim_radix_remove(&s->timed, e);
        find_timed_due(s);
    } else if (queue != SIM_Q_NONE) {
        if (queue == SIM_Q_NEXT) {
            array_remove(c->next, &c->n_next, e->at);
        } else if (queue == SIM_Q_WHEEL) {
            wheel_remove(c, e);
        } else {
            sim_radix_remove(&c->far, e);
        }
        find_due(c);
    }
}
