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

/* The next time at which something is due; any time later than until if that lies
 * after until, SIM_TIME_MAX if nothing is pending. */
sim_time_t sim_queue_next(struct sim *s, sim_time_t until);

/* Trigger everything due at t, the time sim_queue_next() gave and now: what it wakes
 * is appended to s->run. */
void sim_queue_trigger(struct sim *s, sim_time_t t);

/* Trigger the delta notifications. */
void sim_queue_trigger_deltas(struct sim *s);

/* Check every structure against every other; panics. Slow: for SIM_VERIFY builds. */
void sim_queue_verify(struct sim *s);

#endif /* ENGINE_QUEUE_H */
