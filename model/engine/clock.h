/*
 * clock.h - what the queue asks of a clock's arithmetic.
 */
#ifndef ENGINE_CLOCK_H
#define ENGINE_CLOCK_H

#include "engine/sim.h"

/* The time of c->due; some time at or before now if that is no later than c->cycle. */
sim_time_t sim_clock_find_due(struct sim_clock *c);

/* Time of the edge n >= 1 cycles after the current one, and its remainder. */
sim_time_t sim_clock_ahead(const struct sim_clock *c, uint64_t n, uint64_t *rem);

/* Make edge cycle + 1 known. Beyond c->last it wraps; nothing is notified there. */
static inline void sim_clock_look_ahead(struct sim_clock *c)
{
    uint64_t r = c->rem + c->frac;
    bool carry = r >= c->den;

    c->next_rem = carry ? r - c->den : r;
    c->next_time = c->edge_time + c->whole + carry;
}

/* Time has come to cycle k, which lies at t. */
static inline void sim_clock_reach(struct sim_clock *c, sim_cycle_t k, sim_time_t t,
                                   uint64_t rem)
{
    c->rem = rem;
    c->cycle = k;
    c->edge_time = t;
    c->now = t;
    sim_clock_look_ahead(c);
}

/* The same with c->due, which lies at t. */
static inline void sim_clock_reach_due(struct sim_clock *c, sim_time_t t)
{
    sim_clock_reach(c, c->due, t, c->due == c->cycle + 1 ? c->next_rem : c->due_rem);
}

#endif /* ENGINE_CLOCK_H */
