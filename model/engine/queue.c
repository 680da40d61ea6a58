/*
 * Pending notifications.
 *
 * A clock keeps those of its next cycle in an array (one store to add, no list to
 * thread), nearer ones in a wheel of one list per cycle, the rest in a heap. Nothing
 * migrates: a cycle's notifications were made far ahead, then within the wheel's
 * horizon, then in the cycle before, and time only grows, so going through heap, list
 * and array in this order is going through them by sequence.
 *
 * A bucket belongs to one cycle at a time: what is pending lies after the clock's
 * current cycle and was fewer than SIM_WHEEL cycles ahead when it was added.
 *
 * c->due is the earliest pending cycle. Adding lowers it, triggering and cancelling
 * look it up again; its time is computed only when the next instant is looked for.
 */
#include "engine/queue.h"
#include "engine/clock.h"
#include "engine/heap.h"

#include <string.h>

#define WHEEL_MASK  (SIM_WHEEL - 1)
#define WHEEL_WORDS (SIM_WHEEL / 64)

/* An array of pointers for one more than n, as the arena cannot shrink or move. */
static void *reserve(struct sim *s, void *old, uint32_t used, uint32_t n,
                     uint32_t *capacity)
{
    void **fresh = NULL;

    if (n <= *capacity) {
        return old;
    }
    *capacity = *capacity == 0 ? 16 : *capacity * 2;
    fresh = sim_alloc(s, *capacity * sizeof(*fresh));
    if (used > 0) {
        memcpy(fresh, old, used * sizeof(*fresh));
    }
    return fresh;
}

void sim_queue_reserve(struct sim *s, struct sim_clock *c)
{
    s->n_events++;
    s->gather = reserve(s, s->gather, 0, s->n_events, &s->gather_capacity);
    s->delta = reserve(s, s->delta, s->n_delta, s->n_events, &s->delta_capacity);
    sim_heap_reserve(&s->timed, s, s->n_events);
    if (c != s->no_clock) {
        c->n_events++;
        c->next = reserve(s, c->next, c->n_next, c->n_events, &c->capacity);
        sim_heap_reserve(&c->far, s, c->n_events);
    }
}

/* ---- the wheel ---- */

static void wheel_insert(struct sim_clock *c, struct sim_event *e)
{
    uint32_t b = (uint32_t)e->when & WHEEL_MASK;
    struct sim_event *head = c->bucket[b];

    e->next = NULL;
    if (head == NULL) {
        e->prev = e;
        c->bucket[b] = e;
        c->map[b / 64] |= (uint64_t)1 << (b % 64);
    } else {
        e->prev = head->prev;
        head->prev->next = e;
        head->prev = e;
    }
    c->n_wheel++;
}

static void wheel_remove(struct sim_clock *c, struct sim_event *e)
{
    uint32_t b = (uint32_t)e->when & WHEEL_MASK;
    struct sim_event *head = c->bucket[b];

    c->n_wheel--;
    if (e != head) {
        e->prev->next = e->next;
        (e->next != NULL ? e->next : head)->prev = e->prev;
        return;
    }
    c->bucket[b] = e->next;
    if (e->next != NULL) {
        e->next->prev = e->prev;
    } else {
        c->map[b / 64] &= ~((uint64_t)1 << (b % 64));
    }
}

/* The earliest cycle after the current one that the wheel holds; it holds one. */
static sim_cycle_t wheel_first(const struct sim_clock *c)
{
    sim_cycle_t from = c->cycle + 1;
    uint32_t b = (uint32_t)from & WHEEL_MASK;
    uint32_t w = b / 64;
    uint64_t bits = c->map[w] & (UINT64_MAX << (b % 64));

    while (bits == 0) {
        w = (w + 1) % WHEEL_WORDS;
        bits = c->map[w];
    }
    return from + ((w * 64 + attr_lowest_bit(bits) - b) & WHEEL_MASK);
}

/* Look up c->due; the array of the next cycle is empty, c->cycle is up to date. */
static void find_due(struct sim_clock *c)
{
    sim_cycle_t due = sim_heap_first(&c->far);

    if (c->n_wheel > 0) {
        sim_cycle_t k = wheel_first(c);

        due = k < due ? k : due;
    }
    c->due = due;
    c->due_time = 0;
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

static uint64_t next_seq(struct sim *s)
{
    return ++s->counters.notifications;
}

/* Whether the pending notification of e is no later than t, at cycle k of its clock if
 * k is not SIM_CYCLE_NONE. */
static bool already(const struct sim_event *e, sim_cycle_t k, sim_time_t t)
{
    switch (e->queue) {
    case SIM_Q_NONE: return false;
    case SIM_Q_DELTA: return true;
    case SIM_Q_NEXT:
    case SIM_Q_WHEEL:
    case SIM_Q_FAR:
        return k != SIM_CYCLE_NONE ? e->when <= k : sim_edge(e->clock, e->when) <= t;
    case SIM_Q_TIMED:
        return e->when <= (k != SIM_CYCLE_NONE ? sim_edge(e->clock, k) : t);
    }
    return false; /* not reached: the switch is total */
}

void sim_notify_slow(struct sim_event *e, sim_cycle_t k)
{
    struct sim_clock *c = e->clock;

    if (k > c->last) {
        e->sim->overflow = true;
        return;
    }
    if (already(e, k, 0)) {
        return;
    }
    sim_cancel(e);
    if (k - c->cycle == 1) {
        if (c->n_next == c->capacity) {
            array_compact(c->next, &c->n_next);
        }
        sim_push_next(c, e, k);
        return;
    }
    e->when = k;
    e->seq = next_seq(e->sim);
    if (k - c->cycle < SIM_WHEEL) {
        e->queue = SIM_Q_WHEEL;
        wheel_insert(c, e);
    } else {
        e->queue = SIM_Q_FAR;
        sim_heap_push(&c->far, e);
    }
    if (k < c->due) {
        c->due = k;
        c->due_time = 0;
    }
}

void sim_notify_ps(struct sim_event *e, sim_time_t ps)
{
    struct sim *s = e->sim;
    sim_time_t t;

    SIM_REQUIRE(s, ps >= 1, e->name);
    if (attr_add_overflows(s->now, ps, &t) || t == SIM_TIME_MAX) {
        s->overflow = true;
        return;
    }
    if (already(e, SIM_CYCLE_NONE, t)) {
        return;
    }
    sim_cancel(e);
    e->when = t;
    e->seq = next_seq(s);
    e->queue = SIM_Q_TIMED;
    sim_heap_push(&s->timed, e);
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
    struct sim_clock *c = e->clock;

    switch (e->queue) {
    case SIM_Q_NONE: return;
    case SIM_Q_NEXT: array_remove(c->next, &c->n_next, e->at); break;
    case SIM_Q_WHEEL: wheel_remove(c, e); break;
    case SIM_Q_FAR: sim_heap_remove(&c->far, e); break;
    case SIM_Q_TIMED: sim_heap_remove(&e->sim->timed, e); break;
    case SIM_Q_DELTA: array_remove(e->sim->delta, &e->sim->n_delta, e->at); break;
    }
    e->queue = SIM_Q_NONE;
    if (c->due == e->when && c->n_next == 0) {
        sim_cycle(c);
        find_due(c); /* perhaps it was the only one of that cycle */
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

/* Write what is due at c's due cycle to out, by sequence; returns how many. */
static uint32_t gather_clock(struct sim_clock *c, struct sim_event **out)
{
    sim_cycle_t k = c->due;
    uint32_t b = (uint32_t)k & WHEEL_MASK;
    uint32_t n = 0;

    while (sim_heap_first(&c->far) == k) {
        out[n] = c->far.slot[0].event;
        sim_heap_remove(&c->far, out[n]);
        n++;
    }
    if (c->n_wheel > 0 && c->bucket[b] != NULL && c->bucket[b]->when == k) {
        for (struct sim_event *e = c->bucket[b]; e != NULL; e = e->next) {
            out[n++] = e;
            c->n_wheel--;
        }
        c->bucket[b] = NULL;
        c->map[b / 64] &= ~((uint64_t)1 << (b % 64));
    }
    for (uint32_t i = 0; i < c->n_next; i++) {
        if (c->next[i] != NULL) {
            out[n++] = c->next[i];
        }
    }
    c->n_next = 0;
    sim_clock_reach_due(c);
    find_due(c);
    return n;
}

static uint32_t gather_timed(struct sim *s, sim_time_t t, struct sim_event **out)
{
    uint32_t n = 0;

    while (sim_heap_first(&s->timed) == t) {
        out[n] = s->timed.slot[0].event;
        sim_heap_remove(&s->timed, out[n]);
        n++;
    }
    return n;
}

/* Merge the sorted runs v[0..a) and v[a..n) by sequence. The second is moved up from
 * behind, so the merge needs room for the first only: tmp. */
static void merge(struct sim_event **v, uint32_t a, uint32_t n, struct sim_event **tmp)
{
    uint32_t i = 0, j = a, k = 0;

    if (a == 0 || a == n || v[a - 1]->seq < v[a]->seq) {
        return;
    }
    memcpy(tmp, v, a * sizeof(*v));
    while (i < a && j < n) {
        v[k++] = tmp[i]->seq < v[j]->seq ? tmp[i++] : v[j++];
    }
    while (i < a) {
        v[k++] = tmp[i++];
    }
}

sim_time_t sim_queue_next(struct sim *s)
{
    sim_time_t best = sim_heap_first(&s->timed);

    for (struct sim_clock *c = s->clocks; c != NULL; c = c->next_clock) {
        if (c->due == SIM_CYCLE_NONE) {
            continue;
        }
        if (c->due_time == 0) {
            sim_clock_find_due(c);
        }
        if (c->due_time < best) {
            best = c->due_time;
        }
    }
    return best;
}

void sim_queue_trigger(struct sim *s, sim_time_t t)
{
    struct sim_event **v = s->gather;
    uint32_t n = gather_timed(s, t, v);

    for (struct sim_clock *c = s->clocks; c != NULL; c = c->next_clock) {
        if (c->due != SIM_CYCLE_NONE && c->due_time == t) {
            uint32_t a = n;

            n += gather_clock(c, v + n);
            merge(v, a, n, v + n);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        trigger(s, v[i]);
    }
}

void sim_queue_trigger_deltas(struct sim *s)
{
    for (uint32_t i = 0; i < s->n_delta; i++) {
        if (s->delta[i] != NULL) {
            trigger(s, s->delta[i]);
        }
    }
    s->n_delta = 0;
}
