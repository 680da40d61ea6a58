/*
 * l1_mshr.h - the fills of an L1 that are under way, and the loads that wait for them.
 * No time and no ports. Found by line: most lines have none.
 */
#ifndef MEM_L1_MSHR_H
#define MEM_L1_MSHR_H

#include "mem/mem.h"

enum { L1_N_CHAINS = 32, L1_NO_MSHR = UINT16_MAX };

struct l1_mshr {
    uint64_t addr;
    uint8_t sectors; /* asked for; 0: free */
    bool stale;      /* a store came after: no joining, do not keep */
    uint16_t next;   /* of its chain, or of those given back */
    uint16_t n_waiting, n_served;
    struct mem_line *waiting[]; /* merges places: loads to serve, in order */
};

struct l1_mshrs {
    uint8_t *mshr; /* of size bytes each */
    size_t size;
    uint32_t n, n_busy;
    uint32_t n_made;             /* ever taken: the others are untouched memory */
    uint16_t free;               /* the first given back, L1_NO_MSHR: none is */
    uint16_t chain[L1_N_CHAINS]; /* busy ones, by line */
};

/* n <= 256; merges: loads that may wait for one. */
void l1_mshrs_init(struct l1_mshrs *s, struct sim *sim, uint32_t n, uint32_t merges);

static inline bool l1_mshrs_full(const struct l1_mshrs *s)
{
    return s->n_busy == s->n;
}

static inline struct l1_mshr *l1_mshr(const struct l1_mshrs *s, uint32_t i)
{
    return (struct l1_mshr *)(void *)(s->mshr + i * s->size);
}

/* Those of one line in turn, in no particular order; NULL: there are no more. */
struct l1_mshr *l1_mshr_first(const struct l1_mshrs *s, uint64_t addr);
struct l1_mshr *l1_mshr_next(const struct l1_mshrs *s, const struct l1_mshr *m);

/* Not when full. Returns its index. Nobody waits for it yet. */
uint16_t l1_mshr_take(struct l1_mshrs *s, uint64_t addr, uint8_t sectors);
void l1_mshr_give(struct l1_mshrs *s, uint16_t i);

#endif /* MEM_L1_MSHR_H */
