#include "base/arena.h"

#include "base/nomem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE          64u          /* one cache line */
#define FIRST_CHUNK   (64u * 1024) /* bytes; later chunks double up to LARGEST_CHUNK */
#define LARGEST_CHUNK ((size_t)16 * 1024 * 1024)

struct arena_chunk {
    struct arena_chunk *next;
    size_t size; /* bytes asked of the host, this header included */
};

void arena_init(struct arena *a)
{
    memset(a, 0, sizeof(*a));
}

void arena_free(struct arena *a)
{
    struct arena_chunk *c = a->chunks;

    while (c != NULL) {
        struct arena_chunk *next = c->next;

        free(c);
        c = next;
    }
    a->chunks = NULL;
    a->at = NULL;
    a->end = NULL;
    a->bytes = 0;
}

/* Open a chunk with room for size bytes at the alignment align. */
static void grow(struct arena *a, size_t size, size_t align)
{
    size_t want = a->chunks == NULL ? FIRST_CHUNK : a->chunks->size * 2;
    size_t extra = sizeof(struct arena_chunk) + align;
    struct arena_chunk *c = NULL;

    if (want > LARGEST_CHUNK) {
        want = LARGEST_CHUNK;
    }
    if (size > SIZE_MAX - extra) {
        nomem();
    }
    if (want < size + extra) {
        want = size + extra;
    }
    /* calloc: large chunks come zeroed from the host without being touched */
    c = nomem_calloc(1, want);
    c->next = a->chunks;
    c->size = want;
    a->chunks = c;
    a->at = (char *)(c + 1);
    a->end = (char *)c + want;
}

/* The bytes between the arena's mark and the next multiple of align. */
static size_t padding(const struct arena *a, size_t align)
{
    return (size_t)(-(uintptr_t)a->at & (align - 1));
}

void *arena_alloc(struct arena *a, size_t size)
{
    size_t align = size >= LINE ? LINE : 16;
    size_t room = (size_t)(a->end - a->at);
    size_t pad = padding(a, align);
    char *p = NULL;

    if (size == 0) {
        size = 1;
    }
    if (room < pad || room - pad < size) {
        grow(a, size, align);
        pad = padding(a, align);
    }
    p = a->at + pad;
    a->at = p + size;
    a->bytes += size;
    return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
    size_t size = strlen(s) + 1;

    return memcpy(arena_alloc(a, size), s, size);
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap;
    char small[64]; /* most names fit; the first pass finds out */
    char *s = NULL;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(small, sizeof(small), fmt, ap);
    va_end(ap);
    s = arena_alloc(a, (size_t)n + 1);
    if ((size_t)n < sizeof(small)) {
        return memcpy(s, small, (size_t)n + 1);
    }
    va_start(ap, fmt);
    vsnprintf(s, (size_t)n + 1, fmt, ap);
    va_end(ap);
    return s;
}
