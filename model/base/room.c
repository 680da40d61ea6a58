#include "base/room.h"

#include <stdlib.h>
#include <string.h>

bool room_reserve(struct room *r, uint32_t n)
{
    uint32_t max = r->max == 0 ? 16 : r->max;
    struct room_hole *grown;

    if (n + 1 <= r->max) { /* n parts leave at most n + 1 holes */
        return true;
    }
    while (max < n + 1) {
        max *= 2;
    }
    grown = realloc(r->hole, max * sizeof(grown[0]));
    if (grown == NULL) {
        return false;
    }
    r->hole = grown;
    r->max = max;
    return true;
}

bool room_init(struct room *r, uint64_t at, uint64_t bytes)
{
    memset(r, 0, sizeof(*r));
    if (!room_reserve(r, 0)) {
        return false;
    }
    if (bytes != 0) {
        r->hole[r->n++] = (struct room_hole){at, bytes};
    }
    return true;
}

void room_free(struct room *r)
{
    free(r->hole);
    memset(r, 0, sizeof(*r));
}

static void remove_hole(struct room *r, uint32_t i)
{
    r->n--;
    memmove(&r->hole[i], &r->hole[i + 1], (r->n - i) * sizeof(r->hole[0]));
}

bool room_take(struct room *r, uint64_t bytes, uint64_t rounded, uint64_t *at)
{
    for (uint32_t i = 0; i < r->n; i++) {
        struct room_hole *h = &r->hole[i];

        if (h->bytes < bytes) {
            continue;
        }
        *at = h->at;
        if (h->bytes <= rounded) {
            remove_hole(r, i);
        } else {
            h->at += rounded;
            h->bytes -= rounded;
        }
        return true;
    }
    return false;
}

void room_give(struct room *r, uint64_t at, uint64_t bytes)
{
    uint32_t i = 0;
    bool below, above;

    while (i < r->n && r->hole[i].at < at) {
        i++;
    }
    below = i > 0 && r->hole[i - 1].at + r->hole[i - 1].bytes == at;
    above = i < r->n && at + bytes == r->hole[i].at;
    if (below) {
        r->hole[i - 1].bytes += bytes;
        if (above) {
            r->hole[i - 1].bytes += r->hole[i].bytes;
            remove_hole(r, i);
        }
    } else if (above) {
        r->hole[i].at = at;
        r->hole[i].bytes += bytes;
    } else {
        memmove(&r->hole[i + 1], &r->hole[i], (r->n - i) * sizeof(r->hole[0]));
        r->hole[i] = (struct room_hole){at, bytes};
        r->n++;
    }
}

uint64_t room_left(const struct room *r, uint64_t *largest)
{
    uint64_t sum = 0, most = 0;

    for (uint32_t i = 0; i < r->n; i++) {
        sum += r->hole[i].bytes;
        most = r->hole[i].bytes > most ? r->hole[i].bytes : most;
    }
    *largest = most;
    return sum;
}
