#include "gpu/written.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 4096, FEWEST = 1024 };

/* To the end of the piece that holds it, or of the bytes. */
static uint64_t part_of(const uint8_t *from, uint64_t bytes)
{
    uint64_t left = PIECE - (uintptr_t)from % PIECE;

    return left < bytes ? left : bytes;
}

static uint64_t mixed(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t hash_of(const uint8_t *from, uint64_t bytes)
{
    uint64_t hash = bytes, word = 0;

    for (; bytes >= sizeof(word); bytes -= sizeof(word), from += sizeof(word)) {
        memcpy(&word, from, sizeof(word));
        hash = mixed(hash, word);
    }
    word = 0;
    memcpy(&word, from, bytes);
    return mixed(hash, word);
}

static bool is_zero(const uint8_t *from, uint64_t bytes)
{
    return bytes == 0 || (from[0] == 0 && memcmp(from, from + 1, bytes - 1) == 0);
}

/* Where it is, or would be; there is room. */
static uint64_t place(const struct written *w, uint64_t at)
{
    uint64_t i = mixed(0, at) & (w->max - 1);

    while (w->piece[i].at != 0 && w->piece[i].at != at) {
        i = (i + 1) & (w->max - 1);
    }
    return i;
}

static bool grow(struct written *w)
{
    struct written old = *w;
    uint64_t max = w->max == 0 ? FEWEST : 2 * w->max;
    struct written_piece *grown = calloc(max, sizeof(grown[0]));

    if (grown == NULL) {
        return false;
    }
    w->piece = grown;
    w->max = max;
    for (uint64_t i = 0; i < old.max; i++) {
        if (old.piece[i].at != 0) {
            w->piece[place(w, old.piece[i].at)] = old.piece[i];
        }
    }
    free(old.piece);
    return true;
}

uint64_t written_bytes(const struct written *w, const uint8_t *from, uint64_t bytes)
{
    uint64_t part, sum = 0;

    for (; bytes > 0; bytes -= part, from += part) {
        const struct written_piece *p =
            w->max == 0 ? NULL : &w->piece[place(w, (uintptr_t)from)];

        part = part_of(from, bytes);
        if (p == NULL || p->at == 0 ? !is_zero(from, part)
                                    : p->hash != hash_of(from, part)) {
            sum += part;
        }
    }
    return sum;
}

void written_see(struct written *w, const uint8_t *from, uint64_t bytes)
{
    uint64_t part;

    for (; bytes > 0; bytes -= part, from += part) {
        struct written_piece *p;

        if (2 * w->n >= w->max && !grow(w) && w->n + 1 >= w->max) {
            return;
        }
        part = part_of(from, bytes);
        p = &w->piece[place(w, (uintptr_t)from)];
        w->n += p->at == 0;
        *p = (struct written_piece){.at = (uintptr_t)from, .hash = hash_of(from, part)};
    }
}

void written_free(struct written *w)
{
    free(w->piece);
}
