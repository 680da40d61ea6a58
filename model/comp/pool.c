#include "comp/comp.h"
#include "comp/comp_priv.h"

#include <string.h>

#define CHUNK_BYTES (16u * 1024)

/* Bytes from one transaction to the next: whole cache lines unless it is small. */
static size_t stride(size_t size)
{
    size_t align = size >= 64 ? 64 : 16;

    return (size + align - 1) & ~(align - 1);
}

void sim_pool_init(struct sim_pool *p, struct sim *s, const char *name, size_t size)
{
    struct sim_comp *c = sim_comp(s);

    SIM_REQUIRE(s, size >= sizeof(struct sim_txn), name);
    memset(p, 0, sizeof(*p));
    p->sim = s;
    p->name = arena_strdup(&s->arena, name);
    p->size = size;
    p->next = c->pools;
    c->pools = p;
}

struct sim_txn *sim_pool_grow(struct sim_pool *p)
{
    size_t step = stride(p->size);
    struct sim_txn *t;

    if (p->fresh == p->end) {
        size_t n = CHUNK_BYTES / step > 8 ? CHUNK_BYTES / step : 8;

        p->fresh = sim_alloc(p->sim, n * step);
        p->end = p->fresh + n * step;
        ATTR_POISON(p->fresh, n * step);
    }
    t = (struct sim_txn *)(void *)p->fresh; /* one at a time: the others are no memory
                                               before they are wanted */
    ATTR_UNPOISON(t, step);
    t->pool = p;
    t->next = NULL;
    p->free = t;
    p->fresh += step;
    p->made++;
    return t;
}

uint64_t sim_live_transactions(const struct sim *s)
{
    const struct sim_comp *c = s->whole->comp;
    uint64_t live = 0;

    for (const struct sim_pool *p = c != NULL ? c->pools : NULL; p != NULL;
         p = p->next) {
        live += p->live;
    }
    return live;
}
