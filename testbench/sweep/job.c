#include "sweep/job.h"

#include "base/nomem.h"
#include <stdlib.h>

struct trial {
    const struct job *j;
    uint64_t index;
    struct store_done *done;
    struct smw_err *e;
    struct sweep_point p;
    char *part;
    enum job_ending how;
};

static void try_job(void *arg)
{
    struct trial *const t = arg;
    const struct job *const j = t->j;

    if (!plan_point(j->plan, t->index, &t->p, t->e)) {
        return;
    }
    t->part = store_begin(j->dir, t->index, t->e);
    if (t->part != NULL && !point_run(&t->p, t->part, &j->limits, t->done)) {
        store_discard(t->part);
        t->how = JOB_STOPPED;
    } else if (t->part != NULL && store_commit(j->dir, t->part, t->done, t->e)) {
        t->how = JOB_DONE;
    }
}

enum job_ending job_run(const struct job *j, uint64_t index, struct store_done *done,
                        struct smw_err *e)
{
    struct trial t = {
        .j = j, .index = index, .done = done, .e = e, .how = JOB_UNWRITTEN};
    bool enough = nomem_try(try_job, &t);

    if (!enough && t.part != NULL) {
        store_discard(t.part);
    }
    free(t.part);
    sweep_point_free(&t.p);
    if (!enough) {
        nomem();
    }
    return t.how;
}

/* The digest of a point is in the plan alone. */
enum job_ending job_fail(const struct job *j, uint64_t index, struct store_done *done,
                         struct smw_err *e)
{
    struct sweep_point p;
    char *part;
    bool ok;

    if (!plan_point(j->plan, index, &p, e)) {
        return JOB_UNWRITTEN;
    }
    *done = (struct store_done){.index = index, .digest = p.digest};
    sweep_point_free(&p);
    point_out_of_memory(done);
    part = store_begin(j->dir, index, e);
    ok = part != NULL && store_commit(j->dir, part, done, e);
    free(part);
    return ok ? JOB_DONE : JOB_UNWRITTEN;
}
