/*
 * tracing.h - which waveforms a run writes, and their opening and closing.
 *
 *   vcd, fst        OUTDIR/run.vcd, OUTDIR/run.fst
 *   FILE.vcd, FILE.fst   that file
 *   none            nothing
 *
 * Save files lie beside the dump and are called after it (run.gtkw; that of
 * a second one of the name, run.fst.gtkw); events.log lies in OUTDIR.
 */
#ifndef TB_TRACING_H
#define TB_TRACING_H

#include "code.h"
#include "trace_select.h"

enum { TRACING_MAX = 4 };

struct tracing_plan {
    char *path[TRACING_MAX];
    enum wave_format format[TRACING_MAX];
    uint32_t n;
    struct view views[VIEW_MAX]; /* besides the overview */
    uint32_t n_views;
    uint64_t log_degree, log_wait; /* of struct wave_config */
    struct code code;              /* of the module, for the rows of pcs */
    struct trace_select select;
};

/* Parse a list. ERR_USAGE on a name that is none of these, and on an FST where
 * that is not built in. */
bool tracing_parse(struct tracing_plan *p, const char *list, const char *outdir,
                   struct err *e);
void tracing_plan_free(struct tracing_plan *p);

struct tracing;

/* Would tracing_open() refuse the selection? Creates nothing. */
bool tracing_check(struct smw_device *d, const struct tracing_plan *p,
                   struct smw_module *m, struct err *e);

/* Attach to the device, before its first step; its launches, of m, are queued. p must
 * stay. NULL if there is nothing to write (and *e is empty) or on failure. */
struct tracing *tracing_open(struct smw_device *d, const struct tracing_plan *p,
                             struct smw_module *m, const struct smw_config *config,
                             const char *name, const char *outdir, struct err *e);

/* The run ends with a fault. t may be NULL. */
void tracing_fault(struct tracing *t, enum err_kind kind, const char *text);

/* Lines for the head of the save files. t may be NULL. */
void tracing_totals(struct tracing *t, const char *text);

/* The save file of the plan's waveform i and of view v, NULL: the overview; the caller
 * frees. */
char *tracing_save_file(const struct tracing_plan *p, uint32_t i, const struct view *v);

struct tracing_outcome {
    bool begun; /* else the window was not reached, or the ring not written */
    struct wave_extent extent;
};

/* Close and free; false and *e if something could not be written. status: how the run
 * ended, NULL: not said. t may be NULL, as may be out. */
bool tracing_close(struct tracing *t, const char *status, struct tracing_outcome *out,
                   struct err *e);

/* After a broken contract: leave what was written so that it opens. t may be NULL. */
void tracing_abort(struct tracing *t);

#endif /* TB_TRACING_H */
