/*
 * table.h - the results of a sweep in memory: what is merged, plotted and compared.
 *
 * A row is a point of the plan, in the order of the plan, whether it has ended or not.
 * A column is what a point is and came to (TABLE_STATE: index, digest, status, exit,
 * error), a parameter (TABLE_PARAM), or what the sweep file collects (TABLE_VALUE,
 * empty unless the point is ok). results.csv has the same columns.
 *
 * With a baseline each such column NAME has a column NAME/baseline behind all of them:
 * the value by that of the baseline of the row, empty if one of them is, or that is 0.
 *
 * A counter is summed over the launches of a point, those of occupancy.* are the
 * largest; NAME@KERNEL is of the launches of that kernel. Names that are no counter are
 * parameters.
 */
#ifndef SWEEP_TABLE_H
#define SWEEP_TABLE_H

#include "base/arena.h"
#include "io/file.h"
#include "sweep/store.h"

enum table_role { TABLE_STATE, TABLE_PARAM, TABLE_VALUE };

struct table_column {
    const char *name;
    const char *unit; /* "": not known */
    enum table_role role;
};

struct table_cell {
    bool is_number;
    double number;
    const char *text; /* of a number too, exactly; "": empty */
};

struct table_row {
    struct store_done done; /* status MISSING: index and digest only */
    struct table_cell *cells;
    uint64_t base; /* the row it is compared with; TABLE_NO_ROW: there is none */
};

#define TABLE_NO_ROW UINT64_MAX

struct sweep_table {
    struct sweep sweep; /* as the folder's copy says it: plots, columns, doc */
    struct table_column *columns;
    struct table_row *rows;
    uint32_t n_columns;
    uint32_t n_ratios; /* the last ones of the columns */
    uint64_t n_rows;
    uint64_t n_ok, n_failed; /* of the rows; the others have not ended */
    uint64_t n_unread;       /* of those that failed: ended well, but cannot be read */
    struct arena arena;      /* of all of it */
};

/* Read the folder of a sweep. SMW_ERR_INPUT, SMW_ERR_IO. */
bool table_load(struct sweep_table *t, const char *dir, struct smw_err *e);
void table_free(struct sweep_table *t);

/* baseline.c: the rows' bases, and what the columns of ratios come to. */
void table_compare(struct sweep_table *t);
/* Does the baseline say what dimension dim is? */
bool table_names_dim(const struct sweep_table *t, uint32_t dim);
/* Does the row have what the baseline says of that dimension? */
bool table_is_base(const struct sweep_table *t, uint64_t row, uint32_t dim);

/* The column of that name; -1: there is none. */
int32_t table_find(const struct sweep_table *t, const char *name);

/* The same, SMW_ERR_USAGE with the nearest name if there is none. what: "x", for the
 * message. */
bool table_need(const struct sweep_table *t, const char *what, const char *name,
                uint32_t *column, struct smw_err *e);

/* The cell has this number. */
void table_set_number(struct sweep_table *t, struct table_cell *c, double v);

/* results.csv: RFC 4180, a line end is \n. */
void table_csv(const struct sweep_table *t, struct text *out);

/* A text as a field of such a file. */
void table_csv_field(const char *s, struct text *out);

/* Write results.sqlite of the folder's table to path, which does not exist: tables
 * runs, params, counters (every counter of every kernel), collected; view results. */
bool table_sqlite(const struct sweep_table *t, const char *dir, const char *path,
                  struct smw_err *e);

#endif /* SWEEP_TABLE_H */
