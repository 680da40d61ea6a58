/*
 * tracing.h - which waveforms a run writes, and their opening and closing.
 *
 *   vcd, fst        OUTDIR/run.vcd, OUTDIR/run.fst
 *   FILE.vcd, FILE.fst   that file
 *   none            nothing
 */
#ifndef TB_TRACING_H
#define TB_TRACING_H

#include "launch.h"

enum { TRACING_MAX = 4 };

struct tracing_plan {
    char *path[TRACING_MAX];
    uint32_t n;
};

/* Parse a list. ERR_USAGE on a name that is none of these. */
bool tracing_parse(struct tracing_plan *p, const char *list, const char *outdir,
                   struct err *e);
void tracing_plan_free(struct tracing_plan *p);

struct tracing;

/* Attach to the device, before its first step. trace: scope and window; NULL if there
 * is nothing to write (and *e is empty) or on failure. */
struct tracing *tracing_open(struct smw_device *d, const struct tracing_plan *p,
                             const struct launch_trace *trace,
                             const struct smw_config *config, const char *name,
                             const char *outdir, struct err *e);

/* Close and free; false and *e if something could not be written. status: how the run
 * ended, NULL: not said. t may be NULL. */
bool tracing_close(struct tracing *t, const char *status, struct err *e);

/* After a broken contract: leave what was written so that it opens. t may be NULL. */
void tracing_abort(struct tracing *t);

#endif /* TB_TRACING_H */
