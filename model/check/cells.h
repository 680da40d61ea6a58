/*
 * cells.h - what is kept of one word or byte under check, and what the next access
 * finds there. shadow.c has cells of shared memory, global.c of global memory; what a
 * hazard is and which readers are kept is said here for both.
 */
#ifndef CHECK_CELLS_H
#define CHECK_CELLS_H

#include "check/check_priv.h"

struct touch {        /* one lane's access to one cell */
    struct check *c;  /* gets what is found */
    struct shadow *s; /* of the lane's block */
    const struct check_access *a;
    uint32_t lane, value;
    uint64_t addr;
    uint32_t bytes; /* of the cell: 1 or 4 */
    uint32_t epoch; /* of the block, in global memory */
    enum check_space space;
    bool is_flag; /* shared memory: fences are published through the word */
    bool hazard;  /* result: something was found */
    struct read_pool *reads;
    /* Does the lane's block know of p, an access of another block? Asked for global
     * memory only. */
    bool (*knows)(void *ctx, const struct seen *p);
    void *ctx;
};

void cell_touch(struct touch *t, struct cell *c);
/* A word's record becomes those of its four bytes. */
void cell_split(struct read_pool *reads, struct cell *word, struct cell byte[4]);
/* No cell has more reads. */
void cell_forget_reads(struct read_pool *reads);

/* Who wrote a byte last, by its word's cell and its own (NULL: it has none). False:
 * nobody. */
bool cell_writer(const struct cell *word, const struct cell *byte,
                 struct check_writer *out);

#endif /* CHECK_CELLS_H */
