/*
 * heap.h - a binary heap of events, ordered by (when, sequence).
 *
 * Events know their place (sim_event.at), so that any of them can be removed. Nothing
 * allocates here: sim_heap_reserve() is told beforehand how many there can be.
 */
#ifndef ENGINE_HEAP_H
#define ENGINE_HEAP_H

#include "engine/sim.h"

/* Make room for n events in all. */
void sim_heap_reserve(struct sim_heap *h, struct sim *s, uint32_t n);

/* Insert e by its when and sequence. */
void sim_heap_push(struct sim_heap *h, struct sim_event *e);

/* Take e, which is in the heap, out of it. */
void sim_heap_remove(struct sim_heap *h, struct sim_event *e);

/* when of the first event, or SIM_CYCLE_NONE. */
static inline uint64_t sim_heap_first(const struct sim_heap *h)
{
    return h->n == 0 ? SIM_CYCLE_NONE : h->slot[0].when;
}

#endif /* ENGINE_HEAP_H */
