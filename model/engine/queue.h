/*
 * queue.h - pending notifications: when is the next instant, what triggers at it.
 */
#ifndef ENGINE_QUEUE_H
#define ENGINE_QUEUE_H

#include "engine/sim.h"

/* Source 0, once per simulation; a source per clock. */
void sim_queue_init(struct sim *s);
void sim_queue_add_clock(struct sim *s, struct sim_clock *c);

/* Make room for one more event of clock c. */
void sim_queue_add_event(struct sim *s, struct sim_clock *c);

/* Let time go on to where something is due next, if that is no later than until, and
 * trigger everything due there, by sequence: what it wakes is appended to s->run.
 * Returns that time; any later than until if there is nothing before, SIM_TIME_MAX if
 * nothing is pending. */
sim_time_t sim_queue_advance(struct sim *s, sim_time_t until);

/* Trigger the delta notifications. */
void sim_queue_trigger_deltas(struct sim *s);

/* Check every structure against every other; panics. Slow: for SIM_VERIFY builds. */
void sim_queue_verify(struct sim *s);

#endif /* ENGINE_QUEUE_H */
