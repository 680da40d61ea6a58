/*
 * radix.h - a queue of events far ahead, ordered by when, then by insertion.
 *
 * A few events lie in a sorted array. More are spread over levels of 64 lists by the
 * highest group of six bits in which their time differs from base: level 0 has one list
 * per time, level 1 one per 64, and so on. The first list of the lowest level is spread
 * over the levels below it when its turn comes, in order, so that equal times stay in
 * order of insertion; an event moves at most once per level.
 *
 * base never passes the present: what is inserted lies after base. That is why the
 * first time is known only roughly until sim_radix_refine(), which may be called only
 * when the bound is the next thing to happen anywhere.
 */
#ifndef ENGINE_RADIX_H
#define ENGINE_RADIX_H

#include "engine/sim.h"

/* Insert e by e->when, which is later than now. */
void sim_radix_insert(struct sim_radix *r, struct sim_event *e, uint64_t now);

/* Take e, which is held, out. */
void sim_radix_remove(struct sim_radix *r, struct sim_event *e);

/* A time no event is earlier than, UINT64_MAX if there is none; *vague is set if no
 * event may be that early, cleared if there is one. */
uint64_t sim_radix_bound(const struct sim_radix *r, bool *vague);

/* Make a vague bound better. Time has come to the bound, or nothing is before it. */
void sim_radix_refine(struct sim_radix *r);

/* Take all events at when, the present, which is at or before every event; they are
 * written to out in order of insertion. Returns how many. */
uint32_t sim_radix_take(struct sim_radix *r, uint64_t when, struct sim_event **out);

#endif /* ENGINE_RADIX_H */
