/*
 * queue.h - pending notifications: when is the next instant, what triggers at it.
 */
#ifndef ENGINE_QUEUE_H
#define ENGINE_QUEUE_H

#include "engine/sim.h"

/* Make room for one more event of clock c. */
void sim_queue_reserve(struct sim *s, struct sim_clock *c);

/* The next time at which something is due, SIM_TIME_MAX if nothing is pending. */
sim_time_t sim_queue_next(struct sim *s);

/* Trigger everything due at t, the time sim_queue_next() gave and now: what it wakes
 * is appended to s->run. */
void sim_queue_trigger(struct sim *s, sim_time_t t);

/* Trigger the delta notifications. */
void sim_queue_trigger_deltas(struct sim *s);

#endif /* ENGINE_QUEUE_H */
