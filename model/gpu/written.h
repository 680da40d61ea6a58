/*
 * written.h - what of its memory the host has written since a copy last saw it, and so
 * has in its caches. SPEC LINK-4.
 *
 * Nobody tells when the host writes, so it is told by the bytes: a piece of a page is
 * remembered by a hash. A piece that was never seen was written unless it is all zeros.
 */
#ifndef GPU_WRITTEN_H
#define GPU_WRITTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct written_piece {
    uint64_t at, hash; /* at 0: none */
};

/* Zeroed memory remembers nothing. */
struct written {
    struct written_piece *piece; /* an open hash table */
    uint64_t n, max;             /* max: a power of two, or 0 */
};

/* Bytes of those at from that are not as they were when they were last seen. */
uint64_t written_bytes(const struct written *w, const uint8_t *from, uint64_t bytes);
/* They are seen as they are now. Without memory some are forgotten. */
void written_see(struct written *w, const uint8_t *from, uint64_t bytes);
void written_free(struct written *w);

#endif /* GPU_WRITTEN_H */
