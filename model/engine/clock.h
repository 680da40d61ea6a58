/*
 * clock.h - what the queue asks of a clock's arithmetic.
 */
#ifndef ENGINE_CLOCK_H
#define ENGINE_CLOCK_H

#include "engine/sim.h"

/* The time of c->due; some time at or before now if that is no later than c->cycle. */
sim_time_t sim_clock_find_due(struct sim_clock *c);

/* Time has come to c->due, which lies at t: it is the current cycle. */
void sim_clock_reach_due(struct sim_clock *c, sim_time_t t);

#endif /* ENGINE_CLOCK_H */
