/*
 * Pending notifications.
 *
 * A clock keeps those of its next cycle in an array (one store to add, no list to
 * thread), nearer ones in a wheel of one list per cycle, the rest in a radix queue.
 * Nothing migrates between them: the notifications of a cycle were made far ahead, then
 * within the wheel's horizon, then in the cycle before, and time only grows, so going
 * through far queue, wheel and array in this order is going through them by sequence.
 *
 * c->due and s->due_time[] are where a source is due at the earliest. Adding lowers
 * them, triggering and cancelling look them up again; times of cycles are computed when
 * the next instant is looked for. A source may be vague (radix.h): it is made better
 * only when nothing else comes before it.
 */
#include "engine/queue.h"
#include "engine/clock.h"
#include "engine/radix.h"
#include "engine/wheel.h"

#include <string.h>

#define LOOK_UP 0 /* a due time that is not known; no notification is for time 0 */

/* ---- sources ---- */

/* A new home for an array of n items of size bytes that has got too small: room for
 * one more at least. The arena cannot move, so the old one is left behind. */
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
        s->gather = sim_alloc(s, 2 * capacity * sizeof(s->gather[0]));
    }
    if (c != s->no_clock && c->n_events++ == c->capacity) {
        c->next = grow(s, c->next, c->n_next, sizeof(c->next[0]), &c->capacity);
    }
}

/* Look up where c is due. */
static void find_due(struct sim_clock *c)
{
    sim_cycle_t due = SIM_CYCLE_NONE;

    c->vague = false;
    if (!sim_radix_is_empty(&c->far)) {
        due = sim_radix_bound(&c->far, &c->vague);
    }
    if (c->n_wheel > 0) {
        sim_cycle_t k = wheel_first(c);

        c->vague = c->vague && due < k;
        due = k < due ? k : due;
    }
    if (c->n_next > 0) {
        c->vague = false;
        due = c->cycle + 1;
    }
    c->due = due;
    c->sim->due_time[c->index] = due == SIM_CYCLE_NONE ? SIM_TIME_MAX : LOOK_UP;
}

static void find_timed_due(struct sim *s)
{
    sim_time_t t = sim_radix_bound(&s->timed, &s->timed_vague);

    s->due_time[0] = t;
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

/* A notification that lies beyond all time. */
static void overflow(struct sim *s)
{
    s->overflow = true;
    s->stop = true;
}

/* e->when is beyond the next cycle of c, and earlier than c->due. */
static inline void lower_cycle(struct sim_clock *c, sim_cycle_t k)
{
    c->due = k;
    c->vague = false;
    sim_lower_due(c, LOOK_UP);
}

/* Every case but that of the wheel. */
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

void sim_notify_slow(struct sim_event *e, sim_cycle_t k)
{
    struct sim_clock *c = e->clock;

    if (UNLIKELY(k - c->cycle - 2 >= SIM_WHEEL - 2 || e->queue != SIM_Q_NONE ||
                 k > c->last)) {
        notify_otherwise(e, k);
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

/* Source 0 is due at t now, earlier than before. */
static inline void lower_timed(struct sim *s, sim_time_t t)
{
    s->due_time[0] = t;
    s->timed_vague = false;
    if (s->first != 0 && t < s->rest) {
        s->rest = t;
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
    e->when = t;
    e->seq = ++s->counters.notifications;
    e->queue = SIM_Q_TIMED;
    sim_radix_insert(&s->timed, e, s->now);
    if (t < s->due_time[0]) {
        lower_timed(s, t);
    }
}

void sim_notify_ps(struct sim_event *e, sim_time_t ps)
{
    struct sim *s = e->clock->sim;
    sim_time_t t = s->now + ps;

    if (UNLIKELY(t <= s->now || t == SIM_TIME_MAX || e->queue != SIM_Q_NONE ||
                 !sim_radix_has_room(&s->timed, t))) {
        notify_ps_otherwise(e, ps);
        return;
    }
    e->when = t;
    e->seq = ++s->counters.notifications;
    e->queue = SIM_Q_TIMED;
    sim_radix_insert_few(&s->timed, e, t);
    t = s->timed.when[s->timed.head]; /* not a branch on whether it is e's */
    s->due_time[0] = t;
    s->timed_vague = false;
    if (UNLIKELY(s->first != 0) && t < s->rest) {
        s->rest = t;
    }
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

/* Trigger what the clock has due now, in full. */
static ATTR_NOINLINE void trigger_places(struct sim *s, struct sim_clock *c)
{
    if (!sim_radix_is_empty(&c->far)) {
        trigger_array(s, s->gather, sim_radix_take(&c->far, c->cycle, s->gather));
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

/* Trigger what the clock has due at t, when nothing else is. Two cases are most of
 * all: nothing but a few events of the next cycle, and nothing but one in the wheel. */
static inline void trigger_clock(struct sim *s, struct sim_clock *c, sim_time_t t)
{
    sim_chain l;

    sim_clock_reach_due(c, t);
    if (!sim_radix_is_empty(&c->far) || c->n_next >= SIM_AHEAD) {
        trigger_places(s, c);
        return;
    }
    if (c->n_wheel == 0) {
        for (uint32_t i = 0; i < c->n_next; i++) {
            if (LIKELY(c->next[i] != NULL)) {
                trigger(s, c->next[i]);
            }
        }
        c->n_next = 0;
        c->due = SIM_CYCLE_NONE;
        s->due_time[c->index] = SIM_TIME_MAX;
        return;
    }
    l = c->bucket[wheel_bucket(c->cycle)];
    if (!chain_is_single(l)) {
        trigger_places(s, c);
        return;
    }
    if (l != 0) {
        c->bucket[wheel_bucket(c->cycle)] = 0;
        wheel_mark_empty(c, wheel_bucket(c->cycle));
        trigger(s, chain_single(l));
    }
    for (uint32_t i = 0; i < c->n_next; i++) {
        if (LIKELY(c->next[i] != NULL)) {
            trigger(s, c->next[i]);
        }
    }
    c->n_next = 0;
    if (c->n_wheel > 0) {
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
            if (LIKELY(r->n_lists == 0)) {
                r->head = SIM_RADIX_START;
                r->tail = SIM_RADIX_START;
                s->due_time[0] = SIM_TIME_MAX;
                return;
            }
            sim_radix_refill(r);
            find_timed_due(s);
            return;
        }
    } while (r->when[head] == t);
    r->head = head;
    s->due_time[0] = r->when[head];
}

/* Write what source i has due at t to out, by sequence; returns how many. */
static uint32_t gather(struct sim *s, uint32_t i, sim_time_t t, struct sim_event **out)
{
    struct sim_clock *c = s->clock[i];
    uint32_t n;

    if (c == NULL) {
        n = sim_radix_take(&s->timed, t, out);
        find_timed_due(s);
        return n;
    }
    sim_clock_reach_due(c, t);
    n = !sim_radix_is_empty(&c->far) ? sim_radix_take(&c->far, c->cycle, out) : 0;
    if (c->n_wheel > 0) {
        sim_chain l = wheel_take(c, c->cycle);

        n += l != 0 ? chain_take(s, l, out + n) : 0;
    }
    for (uint32_t j = 0; j < c->n_next; j++) {
        if (c->next[j] != NULL) {
            out[n++] = c->next[j];
        }
    }
    c->n_next = 0;
    find_due(c);
    return n;
}

/* Merge the runs v[0..a) and v[a..n), each sorted by sequence; tmp has room for the
 * first. */
static void merge(struct sim_event **v, uint32_t a, uint32_t n, struct sim_event **tmp)
{
    uint32_t i = 0, j = a, k = 0;

    if (a == 0 || a == n || v[a - 1]->seq < v[a]->seq) {
        return; /* it is one run already */
    }
    memcpy(tmp, v, a * sizeof(*v));
    while (i < a && j < n) {
        v[k++] = tmp[i]->seq < v[j]->seq ? tmp[i++] : v[j++];
    }
    while (i < a) {
        v[k++] = tmp[i++];
    }
}

/* Trigger what is due at t from whatever source. */
static void trigger_merged(struct sim *s, sim_time_t t)
{
    struct sim_event **v = s->gather;
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->n_sources; i++) {
        if (s->due_time[i] == t) {
            uint32_t a = n;

            n += gather(s, i, t, v + n);
            merge(v, a, n, v + n);
        }
    }
    trigger_array(s, v, n);
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

/* Trigger what the source due first has at t, when no other has anything. */
static inline void trigger_source(struct sim *s, struct sim_clock *c, sim_time_t t)
{
    s->now = t;
    if (c != NULL) {
        trigger_clock(s, c, t);
    } else {
        trigger_timed(s, t);
    }
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
            s->now = t;
            trigger_merged(s, t);
        } else {
            trigger_source(s, c, t);
        }
        return t;
    }
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

void sim_queue_trigger_deltas(struct sim *s)
{
    trigger_array(s, s->delta, s->n_delta);
    s->n_delta = 0;
}
