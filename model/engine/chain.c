#include "engine/chain.h"

enum { BATCH = 15 }; /* chunks made at a time */

/* The same, when there is no free chunk. */
static ATTR_NOINLINE void append_more_grown(struct sim *s, sim_chain *l,
                                            struct sim_event *e)
{
    uintptr_t at = (uintptr_t)sim_alloc(s, (BATCH + 1) * sizeof(struct sim_chunk));
    /* aligned to their size, so that a place in one tells which */
    struct sim_chunk *c =
        (struct sim_chunk *)((at + sizeof(*c) - 1) & ~(uintptr_t)(sizeof(*c) - 1));

    for (uint32_t i = BATCH; i-- > 0;) {
        chain_give(s, &c[i]);
    }
    sim_chain_append_more(s, l, e);
}

static inline void put(struct sim_chunk *c, uint32_t at, struct sim_event *e)
{
    e->slot = &c->event[at];
    c->event[at] = e;
}

void sim_chain_append_more(struct sim *s, sim_chain *l, struct sim_event *e)
{
    struct sim_chunk *c = s->free_chunks;
    struct sim_chunk *first, *last;

    if (UNLIKELY(c == NULL)) {
        append_more_grown(s, l, e);
        return;
    }
    if (chain_is_single(*l)) {
        s->free_chunks = c->next;
        c->next = NULL;
        c->prev = c;
        c->n = 2;
        c->live = 2;
        put(c, 0, chain_single(*l));
        put(c, 1, e);
        *l = (sim_chain)c + 1;
        return;
    }
    first = chain_chunk(*l);
    last = first->prev;
    if (LIKELY(last->n < CHAIN_CHUNK)) {
        put(last, last->n, e);
        last->n++;
        last->live++;
        return;
    }
    s->free_chunks = c->next;
    c->next = NULL;
    c->prev = last;
    c->n = 1;
    c->live = 1;
    put(c, 0, e);
    last->next = c;
    first->prev = c;
}

bool sim_chain_remove_more(struct sim *s, sim_chain *l, struct sim_event *e)
{
    struct sim_chunk *first = chain_chunk(*l);
    struct sim_chunk *c =
        (struct sim_chunk *)((uintptr_t)e->slot & ~(uintptr_t)(sizeof(*c) - 1));

    *e->slot = NULL;
    if (--c->live > 0) {
        return false;
    }
    if (c != first) {
        c->prev->next = c->next;
        (c->next != NULL ? c->next : first)->prev = c->prev;
    } else if (c->next != NULL) {
        c->next->prev = c->prev;
        *l = (sim_chain)c->next + 1;
    } else {
        *l = 0;
    }
    chain_give(s, c);
    return *l == 0;
}
