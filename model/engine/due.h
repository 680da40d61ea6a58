/*
 * due.h - when a source has its next event: for queue.c, which adds notifications, and
 * advance.c, which triggers them.
 *
 * A source is a place from which events come: a clock, or all that is notified in
 * picoseconds. It is due at the time of its earliest event. c->due (a cycle) and
 * s->due_time[] (a time) are lower bounds of that. Adding a notification lowers them;
 * after triggering and cancelling they are looked up again. The time of a cycle is
 * computed only when the next instant is looked for. A bound may be vague, which means
 * that perhaps nothing is pending there (radix.h). It is made exact only when no other
 * source comes before it.
 */
#ifndef ENGINE_DUE_H
#define ENGINE_DUE_H

#include "engine/radix.h"
#include "engine/sim.h"
#include "engine/wheel.h"

#define LOOK_UP 0 /* as a due time: it has to be looked up; nothing is due at time 0 */

/* Look up at which cycle clock c is due. */
static inline void find_due(struct sim_clock *c)
{
    sim_cycle_t due = SIM_CYCLE_NONE;

    c->vague = false;
    if (c->far.head < c->far.tail) {
        due = c->far.when[c->far.head];
    } else if (c->far.n_lists > 0) {
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

/* Look up at which time something that was notified in picoseconds is due. */
static inline void find_timed_due(struct sim *s)
{
    const struct sim_radix *r = &s->timed;

    if (LIKELY(r->head < r->tail)) {
        s->due_time[0] = r->when[r->head];
        s->timed_vague = false;
    } else {
        s->due_time[0] = sim_radix_bound(r, &s->timed_vague);
    }
}

#endif /* ENGINE_DUE_H */
