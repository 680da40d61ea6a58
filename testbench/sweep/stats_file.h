/*
 * stats_file.h - the counters in the stats.json of a point. Only this file and store.c
 * read a point's files.
 */
#ifndef SWEEP_STATS_FILE_H
#define SWEEP_STATS_FILE_H

#include "io/expr.h"
#include "sweep/store.h"
#include <jansson.h>

struct stats_file {
    json_t *root, *kernels; /* an array, in the order of the launches */
};

/* Read the stats.json of the point in the folder dir. SMW_ERR_IO: there is none, or not
 * a whole one; f has no counters then. */
bool stats_open(struct stats_file *f, const char *dir, struct smw_err *e);
void stats_close(struct stats_file *f);

/* What the point came to, as store_read() says, for who asks whether it is to be run:
 * one whose results cannot be read failed because of the machine. */
void store_find_out(const char *dir, const struct sweep_point *p,
                    struct store_done *out);

/* NAME or NAME@KERNEL as table.h says; none if there is no such counter. A text is
 * borrowed from f. */
void stats_value(const struct stats_file *f, const char *name, struct expr_value *out);

/* fn for each counter of each kernel, launches of one name taken together, in the order
 * of their first launch. */
typedef bool stats_each_fn(void *ctx, const char *kernel, const char *name,
                           const struct expr_value *value);
bool stats_each(const struct stats_file *f, stats_each_fn *fn, void *ctx);

/* "cycles" for cycles; "" if it is no counter. */
const char *stats_unit(const char *name);

#endif /* SWEEP_STATS_FILE_H */
