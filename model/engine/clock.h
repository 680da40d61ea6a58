/*
 * clock.h - the arithmetic of a clock, as the queue needs it.
 */
#ifndef ENGINE_CLOCK_H
#define ENGINE_CLOCK_H

#include "engine/sim.h"

/* The time of cycle c->due. If c->due is c->cycle or earlier: some time that is not
 * later than now. */
sim_time_t sim_clock_find_due(struct sim_clock *c);

/* Time of the edge n >= 1 cycles after the current one, and its remainder. */
sim_time_t sim_clock_ahead(const struct sim_clock *c, uint64_t n, uint64_t *rem);

/* Compute the time of edge c->cycle + 1. Beyond c->last the value wraps around; nothing
 * is ever notified there. */
static inline void sim_clock_look_ahead(struct sim_clock *c)
{
    uint64_t r = c->rem + c->frac;
    bool carry = r >= c->den;

    c->next_rem = carry ? r - c->den : r;
    c->next_time = c->edge_time + c->whole + carry;
}

/* Time has advanced to t, the time of cycle k. */
static inline void sim_clock_reach(struct sim_clock *c, sim_cycle_t k, sim_time_t t,
                                   uint64_t rem)
{
    c->rem = rem;
    c->cycle = k;
    c->edge_time = t;
    c->now = t;
    sim_clock_look_ahead(c);
}

/* Time has advanced to t, the time of cycle c->due. */
static inline void sim_clock_reach_due(struct sim_clock *c, sim_time_t t)
{
    sim_clock_reach(c, c->due, t, c->due == c->cycle + 1 ? c->next_rem : c->due_rem);
}

#endif /* ENGINE_CLOCK_H */
