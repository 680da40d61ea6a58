/*
 * turns.h - which launches may begin: of every stream the first one that is not
 * finished, in the order of the launches. Adding one and finishing one cost no more the
 * more wait.
 */
#ifndef GPU_TURNS_H
#define GPU_TURNS_H

#include <stdbool.h>
#include <stdint.h>

#define TURNS_NONE UINT32_MAX

struct turns_stream {
    uint32_t id;
    uint32_t last; /* launch of the stream; TURNS_NONE: the place is free */
};

/* Zeroed memory holds no launch. */
struct turns {
    uint32_t n;                      /* launches, numbered from 0 */
    uint32_t *next;                  /* of each: of its stream, TURNS_NONE: none */
    bool *finished;                  /* of each */
    uint32_t *heap;                  /* those that may begin: the first is heap[0] */
    uint32_t n_heap, max;            /* max: room for as many launches */
    struct turns_stream *stream;     /* by hash, every place after it is looked at */
    uint32_t n_streams, max_streams; /* max: a power of two, or 0 */
};

/* Launch o->n follows, of the stream. False: no memory, and nothing has changed. */
bool turns_add(struct turns *o, uint32_t stream);
/* The first that may begin, TURNS_NONE if none may. */
uint32_t turns_first(const struct turns *o);
/* It begins. */
void turns_begin(struct turns *o);
/* A launch that has begun is finished. */
void turns_finish(struct turns *o, uint32_t launch);
void turns_free(struct turns *o);

#endif /* GPU_TURNS_H */
