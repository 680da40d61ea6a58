#include "runtime/handles.h"
#include <stdlib.h>

enum { FIRST = 256 }; /* slots, a power of two */

static uint32_t start_of(const void *key, enum rt_handle kind, uint32_t cap)
{
    uint64_t x = ((uint64_t)(uintptr_t)key >> 3) + (uint64_t)kind;

    x *= 0x9e3779b97f4a7c15u; /* Fibonacci hashing: Knuth, volume 3, 6.4 */
    return (uint32_t)(x >> 32) & (cap - 1);
}

static struct rt_handle_slot *find_slot(const struct rt_handles *h, enum rt_handle kind,
                                        const void *key)
{
    if (h->cap == 0) {
        return NULL;
    }
    for (uint32_t i = start_of(key, kind, h->cap);; i = (i + 1) & (h->cap - 1)) {
        struct rt_handle_slot *s = &h->slot[i];

        if (s->kind == RT_FREE && !s->gone) {
            return NULL;
        }
        if (s->kind == kind && s->key == key) {
            return s;
        }
    }
}

static void put(struct rt_handles *h, const struct rt_handle_slot *x)
{
    uint32_t i = start_of(x->key, x->kind, h->cap);

    while (h->slot[i].kind != RT_FREE || h->slot[i].gone) {
        i = (i + 1) & (h->cap - 1);
    }
    h->slot[i] = *x;
    h->n++;
    h->n_used++;
}

/* Twice as many slots as are needed, without those gone. */
static bool grow(struct rt_handles *h)
{
    struct rt_handles wider = {.cap = FIRST};

    while (wider.cap < 4 * h->n) {
        wider.cap *= 2;
    }
    wider.slot = calloc(wider.cap, sizeof(*wider.slot));
    if (wider.slot == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < h->cap; i++) {
        if (h->slot[i].kind != RT_FREE) {
            put(&wider, &h->slot[i]);
        }
    }
    free(h->slot);
    *h = wider;
    return true;
}

bool rt_handle_add(struct rt_handles *h, enum rt_handle kind, const void *key,
                   void *value)
{
    struct rt_handle_slot x = {.key = key, .value = value, .kind = kind};
    struct rt_handle_slot *old = find_slot(h, kind, key);

    if (old != NULL) {
        old->value = value;
        return true;
    }
    if (2 * (h->n_used + 1) > h->cap && !grow(h)) {
        return false;
    }
    put(h, &x);
    return true;
}

void *rt_handle_find(const struct rt_handles *h, enum rt_handle kind, const void *key)
{
    const struct rt_handle_slot *s = find_slot(h, kind, key);

    return s != NULL ? s->value : NULL;
}

void rt_handle_remove(struct rt_handles *h, enum rt_handle kind, const void *key)
{
    struct rt_handle_slot *s = find_slot(h, kind, key);

    if (s == NULL) {
        return;
    }
    s->kind = RT_FREE;
    s->gone = true;
    h->n--;
}

void rt_handles_free(struct rt_handles *h)
{
    free(h->slot);
    *h = (struct rt_handles){0};
}
