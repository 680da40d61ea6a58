/*
 * turns.h - what the host queued in streams: what may begin next.
 *
 * Items of one stream come one after the other: the next one may begin when the one
 * before it is finished. So of each stream the first item that is not finished may
 * begin. Items are of kinds that different parts serve (a lane each: kernels, copies to
 * the device ...); in a lane, the one that was added first goes first. Lanes do not
 * wait for each other. Adding or finishing an item takes no longer when many others
 * wait.
 *
 * An item that has begun may be parked on an earlier one of any stream: it is finished
 * together with that one. Since it is an earlier one, no circle of items can wait for
 * itself. SPEC STREAM-1.
 */
#ifndef GPU_TURNS_H
#define GPU_TURNS_H

#include <stdbool.h>
#include <stdint.h>

#define TURNS_NONE UINT32_MAX

enum { TURNS_LANES = 5 };

struct turns_stream {
    uint32_t id;
    uint32_t last; /* its latest item; TURNS_NONE: this place is free */
};

struct turns_item {
    uint32_t next;    /* the one behind it in its stream, or NONE */
    uint32_t parked;  /* the latest item parked on it, or NONE */
    uint32_t sibling; /* if parked: one that was so before, on the same, or NONE */
    uint8_t lane;
    bool finished;
};

struct turns_heap { /* items that may begin; at[0] is the first */
    uint32_t *at;
    uint32_t n;
};

/* Zeroed memory holds no item. */
struct turns {
    uint32_t n; /* items, numbered from 0 */
    uint32_t n_finished;
    uint32_t max; /* items there is room for */
    struct turns_item *item;
    struct turns_heap heap[TURNS_LANES]; /* each with room for max_streams */
    struct turns_stream *stream;         /* a hash table, open addressing */
    uint32_t n_streams, max_streams;     /* max: a power of two, or 0 */
};

/* Add an item to the stream; its number is o->n. False: there is no memory, and
 * nothing has changed. */
bool turns_add(struct turns *o, uint32_t stream, uint32_t lane);
/* The item of the lane that may begin next; TURNS_NONE: none may. */
uint32_t turns_first(const struct turns *o, uint32_t lane);
/* The item that turns_first() names begins. */
void turns_begin(struct turns *o, uint32_t lane);
/* An item that has begun is finished, and so are those parked on it. */
void turns_finish(struct turns *o, uint32_t item);
/* An item that has begun is finished when an earlier one is: now, if that one is. An
 * item on which others are parked is not parked itself. */
void turns_park(struct turns *o, uint32_t item, uint32_t on);
/* Nothing of the stream is left to do; true of a stream never used. */
bool turns_idle(const struct turns *o, uint32_t stream);
void turns_free(struct turns *o);

#endif /* GPU_TURNS_H */
