/*
 * worker.h - a process that runs one point.
 *
 * It may add so many bytes to its address space and take so much processor time as the
 * job's limits say, and dies with the process that forked it. What it prints goes into
 * a pipe. It exits with 0 once the point is in the folder.
 */
#ifndef SWEEP_WORKER_H
#define SWEEP_WORKER_H

#include "sweep/job.h"
#include <sys/types.h>

/* Fork one; *say becomes the end of the pipe to read from, non-blocking. -1 and *e. */
pid_t worker_start(const struct job *j, uint64_t index, int *say, struct smw_err *e);

/* How a worker that put nothing into the folder ended: its status as wait() has it,
 * what it printed, and whether it was killed for the time it took. */
struct worker_end {
    int status;
    const char *said;
    bool overdue;
};

/* Note in *done, whose index and digest are set, that the point failed so. */
void worker_judge(const struct worker_end *w, const struct job *j,
                  struct store_done *done);

#endif /* SWEEP_WORKER_H */
