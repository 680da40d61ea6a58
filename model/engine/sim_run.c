/*
 * The run: instants and their phases.
 */
#include "engine/queue.h"
#include "engine/sim.h"

#include <stdio.h>

/* A module's activation is long: owners are asked for shortly before, or they are gone
 * from the first-level cache again when their turn comes. */
enum { OWNERS_AHEAD = 2, OWNER_LINES = 7 };

/* splitmix64 */
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Every order of the runnable processes, with equal chances as near as a remainder is.
 */
ATTR_COLD static void permute(struct sim *s)
{
    for (uint32_t i = s->n_run; i > 1; i--) {
        uint32_t j = (uint32_t)(draw(&s->shuffle) % i);
        struct sim_process *p = s->run[j];

        s->run[j] = s->run[i - 1];
        s->run[i - 1] = p;
    }
}

/* What the process will touch first, of its owner: the lines that begin it. */
static inline void prefetch_owner(const struct sim_process *p)
{
    uintptr_t owner = (uintptr_t)p->self;

    for (uint32_t line = 0; line < OWNER_LINES; line++) {
        ATTR_PREFETCH((const void *)(owner + (uintptr_t)64 * line));
    }
}

/* Nothing is left to do in this round but p, which may find that it can go on in place:
 * nothing is woken before it has returned. */
static inline void evaluate_last(struct sim *s, struct sim_process *p)
{
    s->n_run = 0;
    p->queued = false;
    p->run(p->self);
}

static ATTR_NOINLINE void evaluate(struct sim *s)
{
    uint32_t n = s->n_run;
    uint32_t i = 0;

    s->counters.deltas++;
    s->counters.activations += n;
    if (UNLIKELY(s->shuffled)) {
        permute(s);
    }
    for (; i + OWNERS_AHEAD < n; i++) {
        struct sim_process *p = s->run[i];

        prefetch_owner(s->run[i + OWNERS_AHEAD]);
        p->queued = false;
        p->run(p->self);
    }
    for (; i + 1 < n; i++) {
        struct sim_process *p = s->run[i];

        p->queued = false;
        p->run(p->self);
    }
    evaluate_last(s, s->run[i]);
}

static inline void update(struct sim *s)
{
    struct sim_signal *g = s->updates;

    s->updates = NULL;
    s->updates_tail = &s->updates;
    for (; g != NULL; g = g->next_update) {
        g->updating = false;
        if (g->value != g->written) {
            g->value = g->written;
            sim_notify_delta(&g->changed);
        }
    }
}

/* More runnable processes after the last delta allowed: who are they? */
ATTR_COLD static void found_loop(struct sim *s)
{
    size_t used = 0;

    s->looping = true;
    sim_set_stop(s, true);
    for (uint32_t i = 0; i < s->n_run && used < SIM_CULPRITS; i++) {
        used += (size_t)snprintf(s->culprits + used, SIM_CULPRITS - used, "%s%s",
                                 i == 0 ? "" : ", ", s->run[i]->name);
    }
}

static ATTR_NOINLINE void tell_observers(struct sim *s)
{
    uint64_t seq = s->counters.notifications;

    for (struct sim_observer *o = s->observers; o != NULL; o = o->next) {
        if (o->pending == NULL || *o->pending) {
            o->end_of_instant(o->ctx, s->now);
        }
    }
    SIM_REQUIRE(s, seq == s->counters.notifications, "an observer that notified");
}

static inline void evaluate_one(struct sim *s)
{
    s->counters.deltas++;
    s->counters.activations++;
    evaluate_last(s, s->run[0]);
}

/* Update and notify, and evaluate what that wakes, until nothing is left. Returns
 * whether anything ran. */
static ATTR_NOINLINE bool deltas(struct sim *s, uint32_t rounds)
{
    bool ran = false;

    s->in_deltas = true;
    do {
        update(s);
        sim_queue_trigger_deltas(s);
        if (s->n_run == 0) {
            break;
        }
        ran = true;
        if (UNLIKELY(rounds == s->delta_limit)) {
            found_loop(s);
            break;
        }
        rounds++;
        if (s->n_run == 1) {
            evaluate_one(s);
        } else {
            evaluate(s);
        }
    } while (s->updates != NULL || s->n_delta > 0);
    s->in_deltas = false;
    return ran;
}

/* Evaluate, update, notify until nothing is runnable; then tell the observers. */
static inline void instant(struct sim *s)
{
    uint32_t n = s->n_run;
    bool ran = n > 0;

    if (LIKELY(n == 1)) {
        evaluate_one(s);
    } else if (n > 0) {
        evaluate(s);
    }
    if (s->updates != NULL || s->n_delta > 0) {
        ran |= deltas(s, ran);
    }
    s->counters.instants++;
    if (UNLIKELY(*s->telling) && ran) {
        tell_observers(s);
    }
#if SIM_VERIFY
    if (s->counters.instants % 64 == 1) {
        sim_queue_verify(s);
    }
#endif
}

/* Why the instant that has just run is the last one. */
static enum sim_status reason(struct sim *s)
{
    if (s->looping || s->overflow) {
        return s->looping ? SIM_DELTA_LOOP : SIM_OVERFLOW; /* for good */
    }
    sim_set_stop(s, false);
    return SIM_STOPPED;
}

static enum sim_status run(struct sim *s, sim_time_t until)
{
    bool between = s->n_delta > 0 || s->updates != NULL; /* notified between runs */

    for (;; between = false) {
        if (LIKELY(!between)) {
            sim_time_t t = sim_queue_advance(s, until);

            if (UNLIKELY(t == SIM_TIME_MAX)) {
                return SIM_IDLE;
            }
            if (UNLIKELY(t > until)) {
                return SIM_REACHED;
            }
        }
        instant(s);
        if (UNLIKELY(sim_stops(s))) {
            return reason(s);
        }
        if (UNLIKELY(s->counters.instants == s->last_instant)) {
            return SIM_SLICE;
        }
    }
}

static enum sim_status go(struct sim *s, sim_time_t until)
{
    enum sim_status status;

    s->running = true;
    s->until = until;
    status = run(s, until);
    s->running = false;
    return status;
}

void sim_turns_lead_to(struct sim *s, sim_time_t until)
{
    s->whole->goal = until;
}

/* The same; then it is until. */
static enum sim_status go_to(struct sim *s, sim_time_t until)
{
    enum sim_status status;

    sim_turns_lead_to(s, until);
    status = go(s, until);
    if (status == SIM_REACHED) {
        s->now = until;
    }
    return status;
}

void sim_set_alarm(struct sim *s, struct sim_alarm *a)
{
    struct sim_alarm **at = &s->alarms;

    while (*at != NULL && (*at)->at <= a->at) {
        at = &(*at)->next;
    }
    a->next = *at;
    *at = a;
}

/* Run up to each alarm that is due by then. SIM_REACHED: they have rung. */
static enum sim_status run_to_alarms(struct sim *s, sim_time_t until)
{
    while (s->alarms != NULL && s->alarms->at <= until) {
        struct sim_alarm *a = s->alarms;

        if (a->at > s->now) {
            enum sim_status status = go_to(s, a->at - 1);

            if (status != SIM_REACHED) {
                return status;
            }
        }
        s->alarms = a->next;
        a->ring(a->ctx);
    }
    return SIM_REACHED;
}

static void begin(struct sim *s)
{
    SIM_REQUIRE(s, !s->running, "sim_run inside sim_run");
    if (!s->started) {
        s->started = true;
        if (s->on_start != NULL) {
            s->on_start(s);
        }
    }
}

enum sim_status sim_run(struct sim *s, sim_time_t until, uint64_t max_instants)
{
    enum sim_status status;

    SIM_REQUIRE(s, !sim_has_domains(s), "sim_run of a domain");
    begin(s);
    if (sim_stops(s)) {
        return reason(s);
    }
    if (until < s->now) {
        return SIM_REACHED;
    }
    s->last_instant =
        max_instants == 0 ? UINT64_MAX : s->counters.instants + max_instants;
    status = run_to_alarms(s, until);
    if (status == SIM_REACHED) {
        status = go_to(s, until);
    }
    return status;
}

enum sim_status sim_run_domain(struct sim *s, sim_time_t until)
{
    begin(s);
    if (sim_stops(s)) {
        return reason(s);
    }
    s->last_instant = UINT64_MAX;
    return go(s, until);
}
