/*
 * model_tables.h - what was measured, for people, for the README and for the history.
 */
#ifndef BENCH_MODEL_TABLES_H
#define BENCH_MODEL_TABLES_H

#include "model_measure.h"

#include <stdio.h>

void table_head(bool markdown);
void table_row(const struct row *r, const struct measured *m, bool markdown);

/* A line of a history; the file gets its header when it is empty. */
bool history_add(FILE *f, const char *label, const struct row *r,
                 const struct measured *m);

#endif /* BENCH_MODEL_TABLES_H */
