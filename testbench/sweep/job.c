#include "sweep/job.h"

#include <stdlib.h>

enum job_ending job_run(const struct job *j, uint64_t index, struct store_done *done,
                        struct smw_err *e)
{
    enum job_ending how = JOB_UNWRITTEN;
    struct sweep_point p;
    char *part;

    if (!plan_point(j->plan, index, &p, e)) {
        return JOB_UNWRITTEN;
    }
    part = store_begin(j->dir, index, e);
    if (part != NULL && !point_run(&p, part, &j->limits, done)) {
        store_discard(part);
        how = JOB_STOPPED;
    } else if (part != NULL && store_commit(j->dir, part, done, e)) {
        how = JOB_DONE;
    }
    free(part);
    sweep_point_free(&p);
    return how;
}
