/*
 * chain.h - a list of events in order of arrival, held by one word.
 *
 * Most lists hold one event; the word is the address of that event. Longer lists are
 * made of chunks, which are linked both ways; the word is then the address of the first
 * chunk, with bit 0 set. A chunk has two cache lines, with the addresses of 13 events.
 * So going through a long list shows the addresses of the next events long before they
 * are touched, and they can be prefetched. The first chunk's prev is the last chunk;
 * the last chunk's next is NULL.
 *
 * An event that is taken out leaves a hole. A chunk that has only holes is given back
 * at once. So a list whose word is not 0 holds an event.
 */
#ifndef ENGINE_CHAIN_H
#define ENGINE_CHAIN_H

#include "engine/sim.h"

enum { CHAIN_CHUNK = 13 }; /* events in a chunk */

struct sim_chunk {
    struct sim_chunk *next, *prev;
    uint32_t n;    /* places in use, from the front, holes among them */
    uint32_t live; /* places that hold an event; at least 1 */
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

/* Does the list have more than one chunk? */
static inline bool chain_is_long(sim_chain l)
{
    return !chain_is_single(l) && chain_chunk(l)->next != NULL;
}

/* Append e to the list *l, which is not empty. */
void sim_chain_append_more(struct sim *s, sim_chain *l, struct sim_event *e);

/* Take e out of a chunk of *l. True: the list is empty now. */
bool sim_chain_remove_more(struct sim *s, sim_chain *l, struct sim_event *e);

/* Append e to *l. True: the list was empty. */
static inline bool chain_append(struct sim *s, sim_chain *l, struct sim_event *e)
{
    if (*l == 0) {
        *l = (sim_chain)e;
        return true;
    }
    sim_chain_append_more(s, l, e);
    return false;
}

/* Take e out of *l, which holds it. True: the list is empty now. */
static inline bool chain_remove(struct sim *s, sim_chain *l, struct sim_event *e)
{
    if (*l == (sim_chain)e) {
        *l = 0;
        return true;
    }
    return sim_chain_remove_more(s, l, e);
}

/* Give chunk c back; it is in no list any more. */
static inline void chain_give(struct sim *s, struct sim_chunk *c)
{
    c->next = s->free_chunks;
    s->free_chunks = c;
}

/* Prefetch the events of chunk c, and the chunk behind it. c may be NULL. */
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
