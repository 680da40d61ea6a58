/*
 * rows.h - the tables of published figures: published.csv, a launch and its figure on a
 * device in each row, and wrong.csv, the pairs that the model is known to have in
 * another order.
 */
#ifndef FIDELITY_ROWS_H
#define FIDELITY_ROWS_H

#include "base/err.h"
#include "pairs.h"

enum { ROWS_MAX = 256, ROWS_MAX_KNOWN = 64, ROWS_NAME = 48 };

/* What a kernel makes of its input; answers.h checks it. */
enum row_does {
    ROW_SUM,       /* parts of the sum of all words */
    ROW_COPY,      /* the same */
    ROW_TRANSPOSE, /* the matrix, transposed; the argument is its width */
    ROW_INSIDE,    /* each tile of 32 by 32 words transposed where it is */
    ROW_MOVED,     /* each tile as it is at its transposed place */
    ROW_ADD,       /* 1 added in place, from the argument on or at multiples of it */
    ROW_N_DOES
};

struct row {
    char group[ROWS_NAME];  /* rows of one group are compared, and are neighbours */
    char preset[ROWS_NAME]; /* configuration */
    char key[ROWS_NAME];    /* KEY=VALUE, set over the preset; "" */
    char ptx[ROWS_NAME];    /* file in the folder of the table */
    char kernel[ROWS_NAME];
    enum row_does does;
    uint32_t words; /* of the input */
    int32_t argument;
    uint32_t grid[2], block[2];
    uint32_t shared;        /* dynamic, bytes */
    struct pairs_side side; /* GB/s; the model's is not in the table */
};

struct rows {
    struct row row[ROWS_MAX];
    uint32_t n;
    struct {
        char group[ROWS_NAME], above[ROWS_NAME], below[ROWS_NAME];
    } known[ROWS_MAX_KNOWN];
    uint32_t n_known;
};

/* Read both tables in dir. False and *e. */
bool rows_read(struct rows *t, const char *dir, struct smw_err *e);

/* Does wrong.csv name the pair: above is faster on the device? */
bool rows_is_known(const struct rows *t, const struct row *above,
                   const struct row *below);

#endif /* FIDELITY_ROWS_H */
