#include "engine/heap.h"

#include <string.h>

void sim_heap_reserve(struct sim_heap *h, struct sim *s, uint32_t n)
{
    if (n > h->capacity) {
        uint32_t capacity = h->capacity == 0 ? 16 : h->capacity * 2;
        struct sim_heap_slot *slot = NULL;

        if (capacity < n) {
            capacity = n;
        }
        slot = sim_alloc(s, capacity * sizeof(*slot));
        if (h->n > 0) {
            memcpy(slot, h->slot, h->n * sizeof(*slot));
        }
        h->slot = slot;
        h->capacity = capacity;
    }
}

static bool before(const struct sim_heap_slot *a, const struct sim_heap_slot *b)
{
    return a->when < b->when || (a->when == b->when && a->seq < b->seq);
}

static void put(struct sim_heap *h, uint32_t at, struct sim_heap_slot x)
{
    h->slot[at] = x;
    x.event->at = at;
}

/* Let x, whose place would be at, rise; then put it. */
static void rise(struct sim_heap *h, uint32_t at, struct sim_heap_slot x)
{
    while (at > 0) {
        uint32_t parent = (at - 1) / 2;

        if (!before(&x, &h->slot[parent])) {
            break;
        }
        put(h, at, h->slot[parent]);
        at = parent;
    }
    put(h, at, x);
}

/* Let x, whose place would be at, sink; then put it. */
static void sink(struct sim_heap *h, uint32_t at, struct sim_heap_slot x)
{
    for (;;) {
        uint32_t child = 2 * at + 1;

        if (child >= h->n) {
            break;
        }
        if (child + 1 < h->n && before(&h->slot[child + 1], &h->slot[child])) {
            child++;
        }
        if (!before(&h->slot[child], &x)) {
            break;
        }
        put(h, at, h->slot[child]);
        at = child;
    }
    put(h, at, x);
}

void sim_heap_push(struct sim_heap *h, struct sim_event *e)
{
    struct sim_heap_slot x = {e->when, e->seq, e};

    rise(h, h->n++, x);
}

void sim_heap_remove(struct sim_heap *h, struct sim_event *e)
{
    uint32_t at = e->at;
    struct sim_heap_slot last = h->slot[--h->n];

    if (at == h->n) {
        return; /* e was the last one */
    }
    if (at > 0 && before(&last, &h->slot[(at - 1) / 2])) {
        rise(h, at, last);
    } else {
        sink(h, at, last);
    }
}
