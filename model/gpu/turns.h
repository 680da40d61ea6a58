/*
 * turns.h - which launch may begin next.
 *
 * Launches of one stream run one after the other. So of each stream the first launch
 * that is not finished may begin, and among those of several streams the one that was
 * added first goes first. Adding or finishing a launch takes no longer when many others
 * wait.
 */
#ifndef GPU_TURNS_H
#define GPU_TURNS_H

#include <stdbool.h>
#include <stdint.h>

#define TURNS_NONE UINT32_MAX

struct turns_stream {
    uint32_t id;
    uint32_t last; /* its latest launch; TURNS_NONE: this place is free */
};

/* Zeroed memory holds no launch. */
struct turns {
    uint32_t n;           /* launches, numbered from 0 */
    uint32_t *next;       /* [launch]: the one behind it in its stream, or NONE */
    bool *finished;       /* [launch] */
    uint32_t *heap;       /* launches that may begin; heap[0] is the first */
    uint32_t n_heap, max; /* max: launches that next and finished have room for */
    struct turns_stream *stream;     /* a hash table, open addressing */
    uint32_t n_streams, max_streams; /* max: a power of two, or 0 */
};

/* Add a launch of the stream; its number is o->n. False: there is no memory, and
 * nothing has changed. */
bool turns_add(struct turns *o, uint32_t stream);
/* The launch that may begin next; TURNS_NONE: none may. */
uint32_t turns_first(const struct turns *o);
/* The launch that turns_first() names begins. */
void turns_begin(struct turns *o);
/* A launch that has begun is finished. */
void turns_finish(struct turns *o, uint32_t launch);
void turns_free(struct turns *o);

#endif /* GPU_TURNS_H */
