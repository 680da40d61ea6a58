/*
 * worker_pool_priv.h - what the files of the pool share: worker_pool.c keeps count and
 * hears signals, pool_fork.c and worker_threads.c run the points.
 */
#ifndef SWEEP_WORKER_POOL_PRIV_H
#define SWEEP_WORKER_POOL_PRIV_H

#include "sweep/worker_pool.h"

struct pool_crew; /* of threads */

/* What the threads tell; called by any of them, one at a time. */
typedef void pool_wake(void *ctx);

struct pool_ended { /* a point that a thread ran */
    uint64_t index;
    enum job_ending how;
    struct store_done done; /* of JOB_DONE */
    struct smw_err e;       /* of JOB_UNWRITTEN */
};

/* workers threads that take the points in their order. wake is called when one has
 * ended and when a thread ends. NULL and *e: no thread could be made. */
struct pool_crew *crew_start(const struct job *j, const uint64_t *todo, uint64_t n,
                             uint32_t workers, pool_wake *wake, void *ctx,
                             struct smw_err *e);
/* The next one that ended; false: there is none now. */
bool crew_take(struct pool_crew *c, struct pool_ended *out);
/* Threads that have not ended, and points that they run. */
uint32_t crew_alive(struct pool_crew *c);
uint32_t crew_busy(struct pool_crew *c);
/* Begin no further points; with now, stop those that run. */
void crew_stop(struct pool_crew *c, bool now);
/* Wait for all threads and free. */
void crew_join(struct pool_crew *c);

#endif /* SWEEP_WORKER_POOL_PRIV_H */
