/*
 * worker_pool.h - runs many points, some at a time: each in a process of its own, or
 * all in threads of this one. With loop.h the only part that names libev.
 *
 * A crash, a limit or a kill costs the point it happens to. In threads there is no
 * limit of memory, and a crash ends them all.
 *
 * The first SIGINT, SIGTERM or SIGUSR1 lets the points that run finish and begins no
 * further ones; a second SIGINT or SIGTERM stops them, and nothing is left of them.
 */
#ifndef SWEEP_WORKER_POOL_H
#define SWEEP_WORKER_POOL_H

#include "sweep/job.h"

enum { POOL_MAX_WORKERS = 1024 };

struct pool_options {
    uint32_t workers; /* at most so many at a time */
    bool in_process;  /* threads */
    bool progress;    /* a line on stderr, redrawn */
};

struct pool_result {
    uint64_t n_ok, n_failed;
    uint64_t n_unwritten;     /* failed ones that could not even be written down */
    struct smw_err unwritten; /* why, of the first of those */
    int signal;               /* the first one heard; 0: none */
};

/* Run the points todo[0..n). False and *e if that could not begin. When this returns,
 * signals have their default effect again. */
bool pool_run(const struct job *j, const uint64_t *todo, uint64_t n,
              const struct pool_options *o, struct pool_result *r, struct smw_err *e);

#endif /* SWEEP_WORKER_POOL_H */
