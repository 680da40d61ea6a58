#include "check/pages.h"

#include "base/nomem.h"
#include "check/check_priv.h"

#include <stdlib.h>
#include <string.h>

/* The page's slot, or the free one it would have; max > 0. */
static uint64_t slot_of(const struct pages *p, uint64_t number)
{
    uint64_t i = number * 0x9e3779b97f4a7c15ull >> 20 & (p->max - 1);

    while (p->slot[i].bytes != NULL && p->slot[i].number != number) {
        i = (i + 1) & (p->max - 1);
    }
    return i;
}

/* Twice as many slots; never more than half of them are in use. */
static void grow(struct pages *p)
{
    const struct pages old = *p;
    const uint64_t max = old.max == 0 ? 64 : 2 * old.max;

    p->slot = nomem_calloc(max, sizeof(p->slot[0]));
    p->max = max;
    for (uint64_t i = 0; i < old.max; i++) {
        if (old.slot[i].bytes != NULL) {
            p->slot[slot_of(p, old.slot[i].number)] = old.slot[i];
        }
    }
    free(old.slot);
}

void *pages_find(struct pages *p, uint64_t number)
{
    if (p->max == 0) {
        return NULL;
    }
    if (p->slot[p->last].number != number || p->slot[p->last].bytes == NULL) {
        p->last = slot_of(p, number);
    }
    return p->slot[p->last].bytes;
}

void *pages_get(struct pages *p, uint64_t number, size_t bytes)
{
    void *found = pages_find(p, number);

    if (found == NULL) {
        if (2 * (p->n + 1) > p->max) {
            grow(p);
        }
        found = nomem_calloc(1, bytes);
        p->last = slot_of(p, number);
        p->slot[p->last] = (struct page){number, found};
        p->n++;
    }
    return found;
}

void pages_free(struct pages *p)
{
    for (uint64_t i = 0; i < p->max; i++) {
        free(p->slot[i].bytes);
    }
    free(p->slot);
    memset(p, 0, sizeof(*p));
}
