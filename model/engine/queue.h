/*
 * queue.h - pending notifications: at which time the next instant is, and which events
 * trigger in it.
 */
#ifndef ENGINE_QUEUE_H
#define ENGINE_QUEUE_H

#include "engine/sim.h"

/* Source 0, once per simulation; a source per clock. */
void sim_queue_init(struct sim *s);
void sim_queue_add_clock(struct sim *s, struct sim_clock *c);

/* Make room for one more event of clock c. */
void sim_queue_add_event(struct sim *s, struct sim_clock *c);

/* Find the next time at which something is pending. If it is no later than until,
 * advance time to it and trigger all events that are pending there, by sequence number;
 * the processes that they wake are appended to s->run. Returns that time. If nothing is
 * pending up to until, returns some later time; SIM_TIME_MAX if nothing is pending at
 * all. */
sim_time_t sim_queue_advance(struct sim *s, sim_time_t until);

/* Trigger the delta notifications. */
void sim_queue_trigger_deltas(struct sim *s);

/* Check every structure against every other; panics. Slow: for SIM_VERIFY builds. */
void sim_queue_verify(struct sim *s);

#endif /* ENGINE_QUEUE_H */
