/*
 * clock.h - what the queue asks of a clock's arithmetic.
 */
#ifndef ENGINE_CLOCK_H
#define ENGINE_CLOCK_H

#include "engine/sim.h"

/* Compute the time of c->due, a cycle later than the clock's current one. */
void sim_clock_find_due(struct sim_clock *c);

/* Time has come to c->due_time: the current cycle is c->due. */
void sim_clock_reach_due(struct sim_clock *c);

#endif /* ENGINE_CLOCK_H */
