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

/* Room for one more stream, at most half of the places being used. */
static bool room_for_stream(struct turns *o)
{
    uint32_t n = o->max_streams == 0 ? 16 : 2 * o->max_streams;
    struct turns_stream *table = NULL;

    if (2 * (o->n_streams + 1) <= o->max_streams) {
        return true;
    }
    table = malloc(n * sizeof(table[0]));
    if (table == NULL) {
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

static bool room_for_launch(struct turns *o)
{
    uint32_t n = o->max == 0 ? 16 : 2 * o->max;
    uint32_t *next = NULL, *heap = NULL;
    bool *finished = NULL;

    if (o->n < o->max) {
        return true;
    }
    next = realloc(o->next, n * sizeof(next[0]));
    o->next = next != NULL ? next : o->next;
    heap = realloc(o->heap, n * sizeof(heap[0]));
    o->heap = heap != NULL ? heap : o->heap;
    finished = realloc(o->finished, n * sizeof(finished[0]));
    o->finished = finished != NULL ? finished : o->finished;
    if (next == NULL || heap == NULL || finished == NULL) {
        return false;
    }
    o->max = n;
    return true;
}

/* ---- those that may begin: a heap, no launch is before the one above it ---- */

static void push(struct turns *o, uint32_t launch)
{
    uint32_t at = o->n_heap++;

    while (at > 0 && o->heap[(at - 1) / 2] > launch) {
        o->heap[at] = o->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    o->heap[at] = launch;
}

void turns_begin(struct turns *o)
{
    uint32_t at = 0, launch = o->heap[--o->n_heap];

    for (;;) {
        uint32_t below = 2 * at + 1;

        if (below + 1 < o->n_heap && o->heap[below + 1] < o->heap[below]) {
            below++;
        }
        if (below >= o->n_heap || o->heap[below] >= launch) {
            break;
        }
        o->heap[at] = o->heap[below];
        at = below;
    }
    o->heap[at] = launch;
}

/* ---- launches ---- */

bool turns_add(struct turns *o, uint32_t stream)
{
    struct turns_stream *s = NULL;
    uint32_t launch = o->n;

    if (!room_for_stream(o) || !room_for_launch(o)) {
        return false;
    }
    s = place(o->stream, o->max_streams, stream);
    if (s->last == TURNS_NONE) {
        s->id = stream;
        o->n_streams++;
        push(o, launch);
    } else if (o->finished[s->last]) {
        push(o, launch);
    } else {
        o->next[s->last] = launch;
    }
    s->last = launch;
    o->next[launch] = TURNS_NONE;
    o->finished[launch] = false;
    o->n++;
    return true;
}

uint32_t turns_first(const struct turns *o)
{
    return o->n_heap == 0 ? TURNS_NONE : o->heap[0];
}

void turns_finish(struct turns *o, uint32_t launch)
{
    o->finished[launch] = true;
    if (o->next[launch] != TURNS_NONE) {
        push(o, o->next[launch]);
    }
}

void turns_free(struct turns *o)
{
    free(o->next);
    free(o->heap);
    free(o->finished);
    free(o->stream);
}
