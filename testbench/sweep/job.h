/*
 * job.h - what runs the points of a sweep: forked workers (worker.h) and threads, both
 * driven by a pool (worker_pool.h).
 */
#ifndef SWEEP_JOB_H
#define SWEEP_JOB_H

#include "sweep/point.h"

struct job {
    const char *dir; /* the folder of the sweep */
    const struct plan_file *plan;
    struct point_limits limits;
    uint64_t memory; /* bytes a worker may add to what it starts with; 0: any */
};

enum job_ending {
    JOB_DONE,     /* *done is in the folder */
    JOB_STOPPED,  /* nothing is */
    JOB_UNWRITTEN /* *e says why */
};

/* Run point index and put it into the folder. Where memory runs out, nothing is put,
 * and who is to be told of that is (nomem.h). */
enum job_ending job_run(const struct job *j, uint64_t index, struct store_done *done,
                        struct smw_err *e);

/* Write down that it found no memory. */
enum job_ending job_fail(const struct job *j, uint64_t index, struct store_done *done,
                         struct smw_err *e);

#endif /* SWEEP_JOB_H */
