/*
 * view.h - save files for GTKWave: what a viewer shows of a dump, and how.
 *
 * A view shows a part of the dump's tree of scopes: a group per scope, in declaration
 * order. Views: overview (everything), banks, scheduler, pipeline, coalescer, memory,
 * warp=N, bank=N. Each is written for the very variables that the dump has, so that
 * every name resolves.
 *
 * The tree comes from a run (wave.h) or is read from a dump that a run wrote.
 */
#ifndef VIEW_H
#define VIEW_H

#include "base/arena.h"
#include "base/err.h"
#include "comp/comp.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* ---- which views ---- */

enum view_name {
    VIEW_OVERVIEW,
    VIEW_BANKS,
    VIEW_SCHEDULER,
    VIEW_PIPELINE,
    VIEW_COALESCER,
    VIEW_MEMORY,
    VIEW_WARP,
    VIEW_BANK,
    N_VIEWS
};

struct view {
    enum view_name name;
    uint32_t number; /* of VIEW_WARP and VIEW_BANK */
};

enum { VIEW_MAX = 16 /* in one run */ };

/* Add the views of "banks,warp=3" to the n in list that there are already; one that is
 * there is not added again. SMW_ERR_USAGE: an unknown name, too many. */
bool view_parse(struct view list[VIEW_MAX], uint32_t *n, const char *words,
                struct smw_err *e);

/* The save file beside a dump: of run.vcd, run.gtkw for the overview, run.banks.gtkw
 * and run.warp3.gtkw for others. dump may also be the overview's save file. Returns the
 * length, as snprintf does. */
size_t view_path(const char *dump, const struct view *v, char *buf, size_t size);

/* The translate file beside it that has the instructions by pc: of run.vcd,
 * run.pcs.txt. */
size_t view_code_path(const char *dump, char *buf, size_t size);

/* ---- what there is to see ---- */

enum view_kind {
    VIEW_BITS,   /* hex; of one bit: a wire */
    VIEW_NUMBER, /* decimal */
    VIEW_CURVE,  /* a number drawn as a curve */
    VIEW_STATE,  /* words, by a translate file */
    VIEW_TEXT,
    VIEW_EVENT
};

struct view_var {
    const char *name;
    const struct sim_probe_desc *desc; /* what else is known of it; never NULL */
    const char *path;                  /* as GTKWave's loader names it */
    const char *states; /* translate file, bare name, of VIEW_STATE and of pcs; NULL:
                           none */
    const char *stages; /* the same, as letters; NULL: none */
    enum view_kind kind;
    uint32_t width;
    bool clock;  /* clk or cycle, drawn by the trace client */
    bool active; /* changed or fired while it was watched */
    bool zero;   /* it is 0, and was never anything else */
    bool hidden; /* never a row */
    bool shown;  /* scratch: the view in work has it */
    struct view_var *next;
};

struct view_scope {
    const char *name, *path; /* path: with dots */
    struct view_scope *parent, *first, *last, *next;
    struct view_var *vars, *last_var;
    bool absent; /* scratch: its size is 0 and stays so */
};

enum view_mark {
    VIEW_MARK_KERNEL_START,
    VIEW_MARK_CONFLICT,
    VIEW_MARK_WORST_CONFLICT,
    VIEW_MARK_FAULT,
    VIEW_MARK_TRIGGER,
    VIEW_MARK_KERNEL_END,
    VIEW_MARK_END,
    N_VIEW_MARKS
};

/* The comment of a dump of that kind. */
#define VIEW_TIME_IN_CYCLES "time in cycles of the SM clock: 1 ns is 1 cycle"

enum {
    VIEW_LETTERS = 26, /* markers that GTKWave has */
    VIEW_KEPT = 128,   /* kernels, and barriers, of which some may have no room */
    VIEW_LABEL = 32
};

struct view_marks {
    bool set[N_VIEW_MARKS];
    uint64_t at[N_VIEW_MARKS];
    uint64_t degree;      /* of the worst conflict */
    uint64_t worst_cycle; /* in which it began; 0: not known */
    uint64_t start_cycle; /* of the first kernel; 0: not known */
    uint32_t n_kernels;   /* kept: the first ones */
    struct {
        uint64_t at;           /* start */
        char name[VIEW_LABEL]; /* its beginning; empty: not known */
    } kernel[VIEW_KEPT];
    uint32_t n_releases;         /* kept */
    uint64_t release[VIEW_KEPT]; /* times of barrier releases, the first ones */
};

struct view_tree {
    struct arena *arena;
    struct view_scope *root; /* the first of the scopes that have no parent */
    uint64_t start, end;     /* of what is to be seen; end <= start: not known yet */
    bool cycles;             /* a unit of time is a cycle of the SM clock */
    bool complete;           /* the run is over: what is quiet is known */
    struct view_marks marks;
    const char *version;     /* of the program that wrote the dump; NULL: not said */
    const char *heading;     /* lines on what ran; NULL: none */
    const char *config_name; /* NULL: not said */
    const char *totals;      /* lines; NULL: none */
    bool named; /* the dump itself has names of states: GTKWave shows those, without
                   colours, in place of what a translate file says, except of vectors of
                   bits */
    uint32_t missing_states; /* state variables without a translate file */
    bool scoped;      /* the trace had a scope or a depth: parts may be missing */
    bool described;   /* it is known what the variables are; else their types */
    const char *code; /* translate file of pcs, bare name; NULL: none */
};

/* Begin a tree. All its parts live in the arena, which outlives it. */
void view_tree_init(struct view_tree *t, struct arena *a);

/* Append a scope; parent NULL: at the top. */
struct view_scope *view_add_scope(struct view_tree *t, struct view_scope *parent,
                                  const char *name);
/* Append a variable. desc NULL: nothing is known of it but its type. text or event or
 * integer: the loader's name has no range. */
struct view_var *view_add_var(struct view_tree *t, struct view_scope *s,
                              const char *name, enum view_kind kind, uint32_t width,
                              bool ranged, const struct sim_probe_desc *desc);

/* How a probe of that kind is drawn. */
enum view_kind view_kind_of(enum sim_probe_kind kind);

/* Does it hold pcs? */
bool view_is_pc(const struct view_var *v);

/* A kernel began at time t; name NULL: not known. */
void view_mark_kernel(struct view_marks *m, uint64_t t, const char *name);
/* Barrier released at time t. */
void view_mark_release(struct view_marks *m, uint64_t t);
/* Conflict of that degree. cycle: of the SM's clock, 0: not known. */
void view_mark_conflict(struct view_marks *m, uint64_t t, uint64_t degree,
                        uint64_t cycle);

/* ---- from a dump ---- */

struct reader;

/* Fill the tree from a dump that smwave wrote, reading all of it. has_states: is there
 * a translate file of that bare name? False and *e: it is not one of ours
 * (SMW_ERR_INPUT), or cannot be read. */
bool view_read(struct view_tree *t, struct reader *r,
               bool (*has_states)(void *ctx, const char *file), void *ctx,
               struct smw_err *e);

/* The same of what is declared alone: nothing is known of what happens. */
bool view_read_names(struct view_tree *t, struct reader *r, struct smw_err *e);

/* Is the glob, as in the scope of a trace, one of the variable or of a scope around it?
 */
bool view_is_in(const struct view_scope *s, const struct view_var *v, const char *glob);

/* Take from an events.log what the dump does not say because its scope left it out: the
 * start and the end of kernels, and faults. */
void view_read_log(struct view_tree *t, FILE *log);

/* ---- writing ---- */

/* The view has something to show; else false and *e (SMW_ERR_USAGE), which names what
 * there is. */
bool view_check(struct view_tree *t, const struct view *v, struct smw_err *e);

/* Write the save file of the view of dump (only its bare name is said in it). 0 or an
 * errno. */
int view_write(struct view_tree *t, const struct view *v, const char *dump,
               const char *path);

#endif /* VIEW_H */
