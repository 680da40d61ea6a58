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

static void radix_init(struct sim *s, struct sim_radix *r)
{
    r->list = sim_alloc(s, SIM_RADIX_LEVELS * SIM_RADIX_SLOTS * sizeof(r->list[0]));
}

void sim_queue_init(struct sim *s)
{
    add_source(s, NULL);
    radix_init(s, &s->timed);
}

void sim_queue_add_clock(struct sim *s, struct sim_clock *c)
{
    c->index = add_source(s, c);
    c->due = SIM_CYCLE_NONE;
    c->bucket = sim_alloc(s, SIM_WHEEL * sizeof(c->bucket[0]));
    radix_init(s, &c->far);
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
    if (c->far.n > 0) {
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

void sim_notify_slow(struct sim_event *e, sim_cycle_t k)
{
    struct sim_clock *c = e->clock;

    if (k > c->last) {
        overflow(e->sim);
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
        c->n_beyond++;
    }
    if (k < c->due) {
        c->due = k;
        c->vague = false;
        c->sim->due_time[c->index] = LOOK_UP;
    }
}

void sim_notify_ps(struct sim_event *e, sim_time_t ps)
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
        s->due_time[0] = t;
        s->timed_vague = false;
    }
}

void sim_notify_delta_slow(struct sim_event *e)
{
    struct sim *s = e->sim;

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
    struct sim *s = e->sim;
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
            c->n_beyond--;
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
        for (struct sim_wake *w = e->more; w != NULL; w = w->next) {
            wake(s, w->process);
        }
    }
}

/* Trigger an array with holes. */
static inline void trigger_array(struct sim *s, struct sim_event *const *v, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (LIKELY(v[i] != NULL)) {
            trigger(s, v[i]);
        }
    }
}

/* Write what the clock has due now, beyond its next-cycle array, to out by sequence;
 * returns how many. */
static uint32_t gather_beyond(struct sim_clock *c, struct sim_event **out)
{
    uint32_t far = c->far.n > 0 ? sim_radix_take(&c->far, c->cycle, out) : 0;
    uint32_t n = far;
    struct sim_event *e = c->n_wheel > 0 ? wheel_take(c, c->cycle) : NULL;

    for (; e != NULL; e = e->next) {
        out[n++] = e;
    }
    c->n_wheel -= n - far;
    c->n_beyond -= n;
    return n;
}

/* Trigger what the clock has due at t, when nothing else is. */
static inline void trigger_clock(struct sim *s, struct sim_clock *c, sim_time_t t)
{
    sim_clock_reach_due(c, t);
    if (LIKELY(c->n_beyond == 0)) {
        trigger_array(s, c->next, c->n_next);
        c->n_next = 0;
        c->due = SIM_CYCLE_NONE;
        s->due_time[c->index] = SIM_TIME_MAX;
    } else {
        trigger_array(s, s->gather, gather_beyond(c, s->gather));
        trigger_array(s, c->next, c->n_next);
        c->n_next = 0;
        find_due(c);
    }
}

/* Trigger what was notified in picoseconds for t, when nothing else is due. */
static inline void trigger_timed(struct sim *s, sim_time_t t)
{
    struct sim_radix *r = &s->timed;

    if (r->spread) {
        trigger_array(s, s->gather, sim_radix_take(r, t, s->gather));
        find_timed_due(s);
        return;
    }
    do {
        trigger(s, r->few[--r->n].event);
    } while (r->n > 0 && r->few[r->n - 1].when == t);
    s->due_time[0] = r->n > 0 ? r->few[r->n - 1].when : SIM_TIME_MAX;
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
    n = gather_beyond(c, out);
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
static void refine(struct sim *s, uint32_t i)
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

/* The source that is due first, and whether another is due at the same time. */
static inline uint32_t first_source(struct sim *s, bool *tie)
{
    sim_time_t best = s->due_time[0];
    uint32_t at = 0;

    *tie = false;
    for (uint32_t i = 1; i < s->n_sources; i++) {
        sim_time_t t = s->due_time[i];

        if (t > best) {
            continue;
        }
        if (t == LOOK_UP) {
            t = sim_clock_find_due(s->clock[i]);
            s->due_time[i] = t;
            if (t > best) {
                continue;
            }
        }
        *tie = t == best;
        best = t;
        at = i;
    }
    return at;
}

sim_time_t sim_queue_advance(struct sim *s, sim_time_t until)
{
    for (;;) {
        bool tie;
        uint32_t at = first_source(s, &tie);
        sim_time_t t = s->due_time[at];
        struct sim_clock *c = s->clock[at];

        if (UNLIKELY(t > until || t == SIM_TIME_MAX)) {
            return t;
        }
        if (UNLIKELY(c == NULL ? s->timed_vague : c->vague)) {
            refine(s, at);
            continue;
        }
        s->now = t;
        if (tie) {
            trigger_merged(s, t);
        } else if (c != NULL) {
            trigger_clock(s, c, t);
        } else {
            trigger_timed(s, t);
        }
        return t;
    }
}

void sim_queue_trigger_deltas(struct sim *s)
{
    trigger_array(s, s->delta, s->n_delta);
    s->n_delta = 0;
}
