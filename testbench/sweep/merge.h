/*
 * merge.h - results.csv and results.sqlite of a sweep's folder, from its points.
 *
 * Rows are in the order of the plan and hold nothing of the machine, so their bytes do
 * not depend on how many workers ran, where, or in which order they ended.
 */
#ifndef SWEEP_MERGE_H
#define SWEEP_MERGE_H

#include "sweep/table.h"

/* Replace both files, each at once. */
bool merge_write(const struct sweep_table *t, const char *dir, struct smw_err *e);

#endif /* SWEEP_MERGE_H */
