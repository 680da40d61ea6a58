/*
 * arena.h - memory that lives as long as its owner: allocate, never free singly.
 *
 * Every allocation is zeroed and aligned to 64 bytes (one cache line) when it is 64
 * bytes or more, to 16 otherwise. Out of memory goes to the guard (base/nomem.h).
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena_chunk;

struct arena {
    struct arena_chunk *chunks;
    char *at, *end;
    size_t bytes; /* handed out so far */
};

void arena_init(struct arena *a);
void arena_free(struct arena *a);

/* size bytes, zeroed; size 0 gives a valid unique pointer. */
void *arena_alloc(struct arena *a, size_t size);

/* A copy of the string s. */
char *arena_strdup(struct arena *a, const char *s);

/* A string made as by printf; for names, at elaboration only. */
char *arena_printf(struct arena *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif /* BASE_ARENA_H */
