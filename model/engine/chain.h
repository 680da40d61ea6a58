/*
 * chain.h - a list of events in order of arrival, held by one word.
 *
 * Most lists hold one event: the word is its address. More lie in chunks of two cache
 * lines, 13 in each, linked both ways: who goes through a long list sees the addresses
 * of the next events long before it touches them, and can fetch them ahead. Then bit 0
 * of the word is set. The first chunk's prev is the last; the last's next is NULL.
 *
 * An event taken out leaves a hole; a chunk of holes only is given back at once. So a
 * list that is not 0 holds an event.
 */
#ifndef ENGINE_CHAIN_H
#define ENGINE_CHAIN_H

#include "engine/sim.h"

enum { CHAIN_CHUNK = 13 }; /* events in a chunk */

struct sim_chunk {
    struct sim_chunk *next, *prev;
    uint32_t n;    /* places used, from the front, holes included */
    uint32_t live; /* of them, not holes; at least 1 */
    struct sim_event *event[CHAIN_CHUNK];
};

_Static_assert(sizeof(struct sim_chunk) == 128, "a chunk is two cache lines");

static inline bool chain_is_single(sim_chain l)
{
    return (l & 1) == 0;
}

static inline struct sim_event *chain_single(sim_chain l)
{
    return (struct sim_event *)l;
}

static inline struct sim_chunk *chain_chunk(sim_chain l)
{
    return (struct sim_chunk *)(l - 1);
}

/* More than a chunk. */
static inline bool chain_is_long(sim_chain l)
{
    return !chain_is_single(l) && chain_chunk(l)->next != NULL;
}

/* The list *l holds something: append e. */
void sim_chain_append_more(struct sim *s, sim_chain *l, struct sim_event *e);

/* *l holds e in a chunk: take it out; true if the list is empty now. */
bool sim_chain_remove_more(struct sim *s, sim_chain *l, struct sim_event *e);

/* Append e; true if the list was empty. */
static inline bool chain_append(struct sim *s, sim_chain *l, struct sim_event *e)
{
    if (*l == 0) {
        *l = (sim_chain)e;
        return true;
    }
    sim_chain_append_more(s, l, e);
    return false;
}

/* Take e out, which the list holds; true if it is empty now. */
static inline bool chain_remove(struct sim *s, sim_chain *l, struct sim_event *e)
{
    if (*l == (sim_chain)e) {
        *l = 0;
        return true;
    }
    return sim_chain_remove_more(s, l, e);
}

/* Give chunk c, which is in no list any more, back. */
static inline void chain_give(struct sim *s, struct sim_chunk *c)
{
    c->next = s->free_chunks;
    s->free_chunks = c;
}

/* Fetch what chunk c, which may be NULL, holds, and the next one. */
static inline void chain_prefetch(const struct sim_chunk *c)
{
    if (c != NULL) {
        ATTR_PREFETCH(c->next);
        for (uint32_t i = 0; i < CHAIN_CHUNK; i++) {
            ATTR_PREFETCH(c->event[i]);
        }
    }
}

/* Write the events of l, which is not 0, to out in order, and take the list apart;
 * returns how many. */
static inline uint32_t chain_take(struct sim *s, sim_chain l, struct sim_event **out)
{
    uint32_t n = 0;

    if (chain_is_single(l)) {
        out[0] = chain_single(l);
        return 1;
    }
    for (struct sim_chunk *c = chain_chunk(l), *next; c != NULL; c = next) {
        next = c->next;
        for (uint32_t i = 0; i < c->n; i++) {
            out[n] = c->event[i];
            n += c->event[i] != NULL;
        }
        chain_give(s, c);
    }
    return n;
}

#endif /* ENGINE_CHAIN_H */
