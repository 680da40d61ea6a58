#include "mem/l1_mshr.h"

static uint32_t chain_of(uint64_t addr)
{
    return (uint32_t)(addr / MEM_LINE % L1_N_CHAINS);
}

void l1_mshrs_init(struct l1_mshrs *s, struct sim *sim, uint32_t n, uint32_t merges)
{
    s->size = sizeof(struct l1_mshr) + merges * sizeof(struct mem_line *);
    s->mshr = sim_alloc(sim, n * s->size);
    s->n_busy = 0;
    s->n = n;
    s->n_made = 0;
    s->free = L1_NO_MSHR;
    for (uint32_t i = 0; i < L1_N_CHAINS; i++) {
        s->chain[i] = L1_NO_MSHR;
    }
}

/* From index i of a chain on. */
static struct l1_mshr *search(const struct l1_mshrs *s, uint16_t i, uint64_t addr)
{
    for (; i != L1_NO_MSHR; i = l1_mshr(s, i)->next) {
        if (l1_mshr(s, i)->addr == addr) {
            return l1_mshr(s, i);
        }
    }
    return NULL;
}

struct l1_mshr *l1_mshr_first(const struct l1_mshrs *s, uint64_t addr)
{
    return search(s, s->chain[chain_of(addr)], addr);
}

struct l1_mshr *l1_mshr_next(const struct l1_mshrs *s, const struct l1_mshr *m)
{
    return search(s, m->next, m->addr);
}

uint16_t l1_mshr_take(struct l1_mshrs *s, uint64_t addr, uint8_t sectors)
{
    uint16_t i = s->free;
    struct l1_mshr *m;

    if (i == L1_NO_MSHR) {
        i = (uint16_t)s->n_made++;
        m = l1_mshr(s, i);
    } else {
        m = l1_mshr(s, i);
        s->free = m->next;
    }
    s->n_busy++;
    m->addr = addr;
    m->sectors = sectors;
    m->stale = false;
    m->n_waiting = 0;
    m->n_served = 0;
    m->next = s->chain[chain_of(addr)];
    s->chain[chain_of(addr)] = i;
    return i;
}

void l1_mshr_give(struct l1_mshrs *s, uint16_t i)
{
    struct l1_mshr *m = l1_mshr(s, i);
    uint16_t *at = &s->chain[chain_of(m->addr)];

    while (*at != i) {
        at = &l1_mshr(s, *at)->next;
    }
    *at = m->next;
    m->sectors = 0;
    m->next = s->free;
    s->free = i;
    s->n_busy--;
}
