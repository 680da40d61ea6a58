/*
 * dask.h - a sweep worked by a Dask cluster, by a thin client in Python.
 *
 * The client and the commands, one for each chunk, stand in OUT/dask. Workers see the
 * folder of the sweep and the program under the same paths; they run chunks as tasks of
 * Slurm do, and nothing goes through Dask but commands and exit codes. What a worker
 * that is lost had begun is run by another one.
 */
#ifndef SWEEP_DASK_H
#define SWEEP_DASK_H

#include "sweep/jobs.h"

/* Run every chunk that has to be run, with so many processes each, and wait. */
bool dask_run(const struct jobs *j, const char *address, uint32_t workers,
              struct smw_err *e);

#endif /* SWEEP_DASK_H */
