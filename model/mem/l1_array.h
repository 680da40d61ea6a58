/*
 * l1_array.h - the lines of an L1: tags, bytes and which of them are valid or dirty. No
 * time and no ports. The least recently used line of a set is replaced (SPEC L1-3).
 */
#ifndef MEM_L1_ARRAY_H
#define MEM_L1_ARRAY_H

#include "mem/mem.h"

#define L1_NO_LINE UINT32_MAX

#define L1_EMPTY   0 /* no line's address: global memory begins later */

struct l1_line {
    uint64_t valid[2], dirty[2]; /* byte masks; dirty is part of valid */
    uint64_t used;               /* when last touched, for replacement */
};

struct l1_array {
    uint64_t *addr; /* of each line, set after set; L1_EMPTY: nothing in it is valid. By
                       themselves, so that looking for a line touches one place */
    /* Where a line's state and bytes are: places are given in the order in which lines
     * are first used, so that those of a cache that is mostly empty lie together. Place
     * 0 is of all that have not been, and stays empty. */
    uint32_t *place;
    struct l1_line *state;     /* by place */
    uint8_t (*data)[MEM_LINE]; /* by place */
    uint32_t n_places;         /* given */
    struct divisor sets;
    uint32_t n_sets, ways, max_lines; /* n_sets 0: no cache */
    uint64_t clock;                   /* counts touches */
    uint32_t held_words;
    uint64_t *held; /* set of lines that may hold something: spares walks over a large
                       array that is mostly empty */
};

void l1_array_init(struct l1_array *a, struct sim *sim, uint32_t max_bytes,
                   uint32_t ways);
/* Of this size from now on, empty; bytes <= max_bytes. */
void l1_array_resize(struct l1_array *a, uint32_t bytes);
/* Forget every line that is not dirty. */
void l1_array_forget(struct l1_array *a);

/* Index of the line that holds something of addr, L1_NO_LINE if none does. */
uint32_t l1_array_find(const struct l1_array *a, uint64_t addr);
/* The way that a new line of this address takes: an empty one, else the oldest. */
uint32_t l1_array_victim(const struct l1_array *a, uint64_t addr);

static inline const struct l1_line *l1_array_line(const struct l1_array *a, uint32_t i)
{
    return &a->state[a->place[i]];
}

/* Its MEM_LINE bytes. */
static inline const uint8_t *l1_array_data(const struct l1_array *a, uint32_t i)
{
    return a->data[a->place[i]];
}

static inline bool l1_line_dirty(const struct l1_line *l)
{
    return (l->dirty[0] | l->dirty[1]) != 0;
}

void l1_array_drop(struct l1_array *a, uint32_t i);

/* Sectors of a load whose wanted bytes are not all valid in line i, or L1_NO_LINE. */
uint8_t l1_array_missing(const struct l1_array *a, uint32_t i,
                         const struct mem_line *t);
/* Copy the wanted bytes that are valid into a load that has none yet; what stays in
 * t->bytes is still wanted. */
void l1_array_read(struct l1_array *a, uint32_t i, struct mem_line *t);
/* The bytes of a store, into a line that is its own or empty; one that is not written
 * through (dirty) counts as a use, and so does one into an empty line. */
void l1_array_write(struct l1_array *a, uint32_t i, const struct mem_line *t,
                    bool dirty);
/* The sectors of a fill, where no byte is valid yet. */
void l1_array_fill(struct l1_array *a, uint32_t i, const struct mem_line *f);

#endif /* MEM_L1_ARRAY_H */
