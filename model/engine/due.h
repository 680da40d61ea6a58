/*
 * due.h - when a source is due: shared by who adds (queue.c) and who triggers
 * (advance.c).
 *
 * c->due and s->due_time[] are where a source is due at the earliest. Adding lowers
 * them, triggering and cancelling look them up again; times of cycles are computed when
 * the next instant is looked for. A source may be vague (radix.h): it is made better
 * only when nothing else comes before it.
 */
#ifndef ENGINE_DUE_H
#define ENGINE_DUE_H

#include "engine/radix.h"
#include "engine/sim.h"
#include "engine/wheel.h"

#define LOOK_UP 0 /* a due time that is not known; no notification is for time 0 */

/* Look up where c is due. */
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

/* The same for what was notified in picoseconds. */
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
