#include "gpu/turns.h"

#include <stdlib.h>
#include <string.h>

/* ---- streams ---- */

/* The stream's place in a table of n, or the free one where it belongs. */
static struct turns_stream *place(struct turns_stream *table, uint32_t n, uint32_t id)
{
    uint32_t at = id * 2654435761u >> 7;

    while (table[at & (n - 1)].last != TURNS_NONE && table[at & (n - 1)].id != id) {
        at++;
    }
    return &table[at & (n - 1)];
}

/* Of each stream at most one item may begin. */
static bool grow_heaps(struct turns *o, uint32_t n)
{
    for (uint32_t i = 0; i < TURNS_LANES; i++) {
        uint32_t *at = realloc(o->heap[i].at, n * sizeof(at[0]));

        if (at == NULL) {
            return false;
        }
        o->heap[i].at = at;
    }
    return true;
}

/* Room for one more stream, at most half of the places being used. */
static bool room_for_stream(struct turns *o)
{
    uint32_t n = o->max_streams == 0 ? 16 : 2 * o->max_streams;
    struct turns_stream *table = NULL;

    if (2 * (o->n_streams + 1) <= o->max_streams) {
        return true;
    }
    table = malloc(n * sizeof(table[0]));
    if (table == NULL || !grow_heaps(o, n)) {
        free(table);
        return false;
    }
    memset(table, 0xff, n * sizeof(table[0])); /* TURNS_NONE */
    for (uint32_t i = 0; i < o->max_streams; i++) {
        if (o->stream[i].last != TURNS_NONE) {
            *place(table, n, o->stream[i].id) = o->stream[i];
        }
    }
    free(o->stream);
    o->stream = table;
    o->max_streams = n;
    return true;
}

static bool room_for_item(struct turns *o)
{
    uint32_t n = o->max == 0 ? 16 : 2 * o->max;
    struct turns_item *item = NULL;

    if (o->n < o->max) {
        return true;
    }
    item = realloc(o->item, n * sizeof(item[0]));
    if (item == NULL) {
        return false;
    }
    o->item = item;
    o->max = n;
    return true;
}

/* ---- those that may begin: a heap, no item is before the one above it ---- */

static void push(struct turns *o, uint32_t item)
{
    struct turns_heap *h = &o->heap[o->item[item].lane];
    uint32_t at = h->n++;

    while (at > 0 && h->at[(at - 1) / 2] > item) {
        h->at[at] = h->at[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    h->at[at] = item;
}

void turns_begin(struct turns *o, uint32_t lane)
{
    struct turns_heap *h = &o->heap[lane];
    uint32_t at = 0, item = h->at[--h->n];

    for (;;) {
        uint32_t below = 2 * at + 1;

        if (below + 1 < h->n && h->at[below + 1] < h->at[below]) {
            below++;
        }
        if (below >= h->n || h->at[below] >= item) {
            break;
        }
        h->at[at] = h->at[below];
        at = below;
    }
    h->at[at] = item;
}

/* ---- items ---- */

bool turns_add(struct turns *o, uint32_t stream, uint32_t lane)
{
    struct turns_stream *s = NULL;
    uint32_t item = o->n;

    if (!room_for_stream(o) || !room_for_item(o)) {
        return false;
    }
    o->item[item] = (struct turns_item){.next = TURNS_NONE,
                                        .parked = TURNS_NONE,
                                        .sibling = TURNS_NONE,
                                        .lane = (uint8_t)lane};
    s = place(o->stream, o->max_streams, stream);
    if (s->last == TURNS_NONE) {
        s->id = stream;
        o->n_streams++;
        push(o, item);
    } else if (o->item[s->last].finished) {
        push(o, item);
    } else {
        o->item[s->last].next = item;
    }
    s->last = item;
    o->n++;
    return true;
}

uint32_t turns_first(const struct turns *o, uint32_t lane)
{
    return o->heap[lane].n == 0 ? TURNS_NONE : o->heap[lane].at[0];
}

static void finish_one(struct turns *o, uint32_t item)
{
    o->item[item].finished = true;
    o->n_finished++;
    if (o->item[item].next != TURNS_NONE) {
        push(o, o->item[item].next);
    }
}

void turns_finish(struct turns *o, uint32_t item)
{
    uint32_t parked = o->item[item].parked;

    finish_one(o, item);
    while (parked != TURNS_NONE) {
        uint32_t done = parked;

        parked = o->item[done].sibling;
        finish_one(o, done);
    }
}

void turns_park(struct turns *o, uint32_t item, uint32_t on)
{
    if (o->item[on].finished) {
        turns_finish(o, item);
        return;
    }
    o->item[item].sibling = o->item[on].parked;
    o->item[on].parked = item;
}

bool turns_idle(const struct turns *o, uint32_t stream)
{
    const struct turns_stream *s;

    if (o->max_streams == 0) {
        return true;
    }
    s = place(o->stream, o->max_streams, stream);
    return s->last == TURNS_NONE || o->item[s->last].finished;
}

void turns_free(struct turns *o)
{
    for (uint32_t i = 0; i < TURNS_LANES; i++) {
        free(o->heap[i].at);
    }
    free(o->item);
    free(o->stream);
}
