/*
 * room.h - which parts of an address range are free: a list of holes, ascending, never
 * two that touch. The lowest hole that is large enough is taken, so that the same calls
 * give the same places.
 */
#ifndef BASE_ROOM_H
#define BASE_ROOM_H

#include "base/attr.h"

#include <stdbool.h>
#include <stdint.h>

struct room_hole {
    uint64_t at, bytes; /* bytes > 0 */
};

struct room {
    struct room_hole *hole; /* ascending */
    uint32_t n, max;
};

/* All of [at, at + bytes) is free. False: the host has no memory. */
bool room_init(struct room *r, uint64_t at, uint64_t bytes);
void room_free(struct room *r);

/* room_give() will not need memory as long as at most n parts are taken. False: the
 * host has no memory. */
bool room_reserve(struct room *r, uint32_t n);

/* Take the first `bytes` of the lowest hole that has so many, or the whole hole if it
 * has fewer than `rounded`, which is the larger number. False: no hole is large enough.
 */
bool room_take(struct room *r, uint64_t bytes, uint64_t rounded, uint64_t *at);

/* Give back what was taken, all of it. */
void room_give(struct room *r, uint64_t at, uint64_t bytes);

/* Bytes that are free, and of the largest hole. */
uint64_t room_left(const struct room *r, uint64_t *largest);

#endif /* BASE_ROOM_H */
