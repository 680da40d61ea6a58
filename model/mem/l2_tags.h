/*
 * l2_tags.h - the tags of one L2 slice: which lines it holds and in what state. No time
 * and no bytes. The least recently used line without a fill under way is replaced
 * (SPEC L2-2).
 */
#ifndef MEM_L2_TAGS_H
#define MEM_L2_TAGS_H

#include "mem/mem.h"

#define L2_NO_LINE UINT32_MAX

#define L2_EMPTY   0 /* no line's address: global memory begins later */

struct l2_tag {
    uint64_t used;        /* when last touched */
    uint8_t valid, dirty; /* sectors */
    uint8_t fetching;     /* fills under way into it */
    uint8_t copies;       /* bit i: half i of the L2 has a copy ... */
    uint32_t era;         /* ... if this is the slice's */
};

struct l2_tags {
    uint64_t
        *addr; /* of each line, set after set; L2_EMPTY: there is none. By themselves,
                       so that looking for a line touches one place */
    /* Which tag is a line's: they are given in the order in which lines are first used,
     * so that those of a slice that is mostly empty lie together. Tag 0 is of all that
     * have not been, and stays empty. */
    uint32_t *tag_of;
    struct l2_tag *tag;
    uint32_t n_tags; /* given */
    uint64_t clock;  /* counts touches */
    uint32_t ways;
    struct divisor n_sets;
    struct mem_parts slices;
};

/* bytes of this slice > 0; at least one set. */
void l2_tags_init(struct l2_tags *t, struct sim *sim, uint64_t bytes, uint32_t ways,
                  const struct mem_parts *slices);

/* Index of the line, L2_NO_LINE if it is not there. */
uint32_t l2_tags_find(const struct l2_tags *t, uint64_t addr);

/* The same of the line at an address inside the slice (mem_part_addr()). */
uint32_t l2_tags_find_inside(const struct l2_tags *t, uint64_t inside);

/* The way that a new line of this address takes, L2_NO_LINE if all are being filled. */
uint32_t l2_tags_victim(const struct l2_tags *t, uint64_t addr);

/* Line i is of addr from now on, with nothing valid. */
void l2_tags_take(struct l2_tags *t, uint32_t i, uint64_t addr);

/* The tag of a line that is of some address. */
static inline struct l2_tag *l2_tags_at(const struct l2_tags *t, uint32_t i)
{
    return &t->tag[t->tag_of[i]];
}

static inline void l2_tags_touch(struct l2_tags *t, uint32_t i)
{
    l2_tags_at(t, i)->used = ++t->clock;
}

#endif /* MEM_L2_TAGS_H */
