/*
 * side.h - the results of a sweep as texts, from its folder or from a results.csv
 * alone, for who compares them.
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
    char **key; /* of a row: the values of those */
};

/* what: the folder of a sweep, a sweep file (its folder is meant), or FILE.csv. */
bool side_read(struct side *s, const char *what, struct smw_err *e);
void side_free(struct side *s);

/* -1: there is none. */
int32_t side_find(const struct side *s, const char *name);

/* "" too if there is no such column. */
const char *side_cell(const struct side *s, uint64_t row, const char *column);

/* Match the points of both by the columns of list ("n,config"); NULL: by the
 * parameters, which must be the same, of one of them where the other has no roles.
 * SMW_ERR_USAGE. */
bool side_match(struct side *a, struct side *b, const char *list, struct smw_err *e);

#endif /* SWEEP_SIDE_H */
