/*
 * side.h - one side of a comparison of two sweeps: the results of a sweep as texts,
 * read from its folder, or from a results.csv alone.
 */
#ifndef SWEEP_SIDE_H
#define SWEEP_SIDE_H

#include "sweep/table.h"

struct side {
    char *name;     /* as given */
    bool has_roles; /* of a folder: which columns are parameters */
    uint32_t n_columns;
    uint64_t n_rows;
    char **column;
    enum table_role *role; /* STATE or, without has_roles, VALUE; PARAM by side_by() */
    char **cell;           /* n_rows * n_columns; "": empty */
    uint32_t *by;          /* the columns that points are matched by, n_by of them */
    uint32_t n_by;
    char **key; /* [row]: the values of those columns, joined */
};

/* what: the folder of a sweep, a sweep file (its folder is meant), or FILE.csv. */
bool side_read(struct side *s, const char *what, struct smw_err *e);
void side_free(struct side *s);

/* The index of the column; -1: there is none of that name. */
int32_t side_find(const struct side *s, const char *name);

/* The text of a cell; "" if it is empty or there is no such column. */
const char *side_cell(const struct side *s, uint64_t row, const char *column);

/* Say which rows of a and b are the same point: those that agree in the columns of list
 * ("n,config"). list NULL: in their parameters, which must be the same on both sides;
 * if one side does not know its parameters, those of the other count. SMW_ERR_USAGE. */
bool side_match(struct side *a, struct side *b, const char *list, struct smw_err *e);

#endif /* SWEEP_SIDE_H */
