/*
 * tracing.h - which waveforms a run writes, and their opening and closing.
 *
 *   vcd, fst        OUTDIR/run.vcd, OUTDIR/run.fst
 *   vcd.gz          OUTDIR/run.vcd.gz, compressed
 *   FILE.vcd, FILE.fst, FILE.vcd.gz   that file
 *   -               a VCD to standard output, to be watched while it grows; all else
 *                   that the program prints goes to standard error
 *   none            nothing
 *
 * Save files lie beside the dump and are called after it (run.gtkw; that of
 * a second one of the name, run.fst.gtkw); events.log and the save file of the waveform
 * on standard output, run.gtkw, lie in OUTDIR.
 *
 * While waveforms are open, a pipe whose reader is gone and a file that has reached its
 * size limit are errors of the waveform; the process is not killed by a signal.
 */
#ifndef TRACE_TRACING_H
#define TRACE_TRACING_H

#include "trace/pc_text.h"
#include "trace/trace_select.h"

enum { TRACING_MAX = 4 };

struct tracing_plan {
    char *path[TRACING_MAX];
    enum wave_format format[TRACING_MAX];
    bool streamed[TRACING_MAX]; /* to standard output: one at most */
    int stream;                 /* what that was; 0: not taken yet */
    uint32_t n;
    struct view views[VIEW_MAX]; /* besides the overview */
    uint32_t n_views;
    bool cycles;                   /* of struct wave_config */
    uint64_t log_degree, log_wait; /* the same */
    struct code code;              /* of the module, for the rows of pcs */
    bool second_thread;            /* the same: if there is a processor for it */
    bool
        guest; /* the process is a program's, which loads modules later: its signals are
                   left alone */
    struct trace_select select;
};

/* Parse a list. SMW_ERR_USAGE on a name that is none of these, and on an FST where
 * that is not built in. */
bool tracing_parse(struct tracing_plan *p, const char *list, const char *outdir,
                   struct smw_err *e);
void tracing_plan_free(struct tracing_plan *p);

/* If one goes to standard output: take that, and let what else is printed there go to
 * standard error. SMW_ERR_USAGE: it is a terminal; SMW_ERR_IO: it is closed. */
bool tracing_take_stdout(struct tracing_plan *p, struct smw_err *e);

struct tracing;

/* Would tracing_open() refuse the selection? Creates nothing. */
bool tracing_check(struct smw_device *d, const struct tracing_plan *p,
                   struct smw_module *m, struct smw_err *e);

/* Attach to the device, before its first step; its launches, of m, are queued, but for
 * those of a guest, where m is NULL. p must stay. NULL if there is nothing to write
 * (and *e is empty) or on failure. */
struct tracing *tracing_open(struct smw_device *d, const struct tracing_plan *p,
                             struct smw_module *m, const struct smw_config *config,
                             const char *name, const char *outdir, struct smw_err *e);

/* Of a guest: m was loaded. Its instructions appear in the rows of pcs, unless a module
 * before it has one of that number. t may be NULL. */
void tracing_module(struct tracing *t, struct smw_module *m);

/* The run ends with a fault. t may be NULL. */
void tracing_fault(struct tracing *t, enum smw_err_kind kind, const char *text);

/* Let readers have what there is. False: one is gone, there is no use in going on. t
 * may be NULL. */
bool tracing_flush(struct tracing *t);

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
                   struct smw_err *e);

/* Out of memory: t cannot be closed, and the process will end. What was written is how
 * the files begin, as long as nobody goes on writing. t may be NULL. */
void tracing_leave(struct tracing *t);

/* After a broken contract: leave what was written so that it opens. t may be NULL. */
void tracing_abort(struct tracing *t);

#endif /* TRACE_TRACING_H */
