/*
 * sweep_run.h - a sweep from its file to its results: planned, run as far as it has not
 * been, merged.
 */
#ifndef SWEEP_SWEEP_RUN_H
#define SWEEP_SWEEP_RUN_H

#include "sweep/range.h"
#include "sweep/table.h"
#include "sweep/worker_pool.h"

struct sweep_run_options {
    const char *word, *out; /* the sweep; where to, NULL: smwave-out/NAME.sweep */
    struct range only;      /* of the plan; nothing is merged then */
    bool failed;            /* run failed points again, whatever the cause */
    bool force, yes;
    bool quiet;      /* say no more than what failed */
    double seconds;  /* 0: as the sweep file says */
    uint64_t memory; /* bytes; the same */
    struct pool_options pool;
    /* Makes of the merged results what people look at, in the folder; NULL: nothing. */
    bool (*publish)(const struct sweep_table *t, const char *dir, struct smw_err *e);
    /* In place of what is said on standard output, once all is written, if something
     * was merged; drawn: publish() was called. NULL: that is said. */
    void (*answer)(const struct sweep_table *t, const char *dir, bool drawn);
};

/* The exit code; on TB_USAGE to TB_IO *e may be filled. */
int sweep_run(const struct sweep_run_options *o, struct smw_err *e);

#endif /* SWEEP_SWEEP_RUN_H */
