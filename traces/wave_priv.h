/*
 * wave_priv.h - what the files of the trace client share.
 *
 *   wave.c       opening, changes, closing
 *   select.c     which probes
 *   scope.c      patterns over their paths
 *   window.c     how a dump begins and ends
 *   trigger.c    the points that say when
 *   ring_file.c       the last cycles, in memory
 *   dump*.c      the dump: one interface, its formats
 *   declare.c    scopes and variables of the dump, the clocks found on the way
 *   clocks.c     clk and cycle, drawn afterwards
 *   moments.c    states shown as another word for a cycle
 *   rates.c      counts, shown as what they grow by in a window of time
 *   event_log.c  events.log and the markers
 *   states.c     translate files
 *   wave_tree.c  what the save files (view.h) have to show
 */
#ifndef WAVE_PRIV_H
#define WAVE_PRIV_H

#include "dump.h"
#include "view.h"
#include "wave.h"
#include <stdio.h>

enum {
    WAVE_TEXT_MAX = 256,        /* bytes of a text probe's value */
    WAVE_PATH_MAX = 512,        /* of a dotted path */
    WAVE_FILE_MAX = 4096,       /* of a file's path */
    WAVE_REST_CYCLES = 1000,    /* a longer gap is not drawn */
    WAVE_LINES_PER_EVENT = 1000 /* of the log, per probe */
};

/* A named marker of the save file. */
enum wave_mark {
    MARK_KERNEL_START,
    MARK_CONFLICT,
    MARK_RELEASE,
    MARK_FAULT,
    MARK_KERNEL_END,
    MARK_TRIGGER,
    MARK_END,
    N_MARKS,
    MARK_NONE = N_MARKS
};

/* A probe that this wave looks at. */
struct wave_var {
    struct sim_probe *probe;
    dump_id id;          /* DUMP_NONE: heard, not traced */
    uint64_t value;      /* when the window began; heard: at the last change */
    uint64_t replayed;   /* while a ring is written: at the time of what is written */
    bool active;         /* changed inside the window */
    bool heard;          /* the log wants to know: events, blocks, waits for memory */
    uint32_t table;      /* STATE: index of its translate file */
    uint8_t feeds;       /* EVENT: bit r, its firing may be the point of role r */
    enum wave_mark mark; /* EVENT: what its first firing is called */
    uint64_t count, counted; /* RATE: now, and when its window began */
    sim_time_t rate_at;      /* RATE: to be shown then; SIM_TIME_MAX: it is 0 */
    uint64_t n_fired;        /* heard: what is worth a line, inside the window */
    const char *path;        /* heard */
    sim_time_t since;        /* STATE, heard: the wait for memory began */
    uint32_t moment;         /* STATE: the one it may have; EVENT: the one it is;
                            UINT32_MAX: none */
};

/* A clock that is drawn. */
struct wave_domain {
    struct sim_clock *clock;
    dump_id clk, cycle; /* DUMP_NONE: the module has a probe of that name */
    sim_cycle_t at;     /* the cycle drawn last */
    bool high, resting;
    sim_time_t next; /* of the next thing to draw */
};

/* The module in whose scope a clock is drawn. */
struct wave_head {
    const struct sim_module *module;
    dump_id clk, cycle; /* aliases of the domain's, or the domain's own */
};

/* What a state is shown as for a cycle. */
struct wave_moment {
    const struct wave_var *state;
    uint64_t word, lasting; /* shown now; and behind it */
    sim_time_t until;       /* 0: it is over */
};

/* A table of state names, and the file that translates to them. */
struct wave_table {
    const struct sim_probe_desc *desc; /* one of those that share the table */
    const char *file;                  /* bare name */
    const char *stages; /* bare name of the one with letters; NULL: none */
};

/* See window.c. */
enum wave_phase {
    WAVE_WAITING,
    WAVE_KEEPING,
    WAVE_OPEN,
    WAVE_STOPPED,
    WAVE_MISSED,
    WAVE_CLOSED
};

struct wave_ring;
struct wave_scope;

struct wave {
    struct sim *sim;
    struct sim_module *root;
    struct sim_watcher watcher;
    struct sim_alarm alarm;  /* the window begins: all that is looked at is watched */
    struct wave_config cfg;  /* its texts are copies */
    struct sim_clock *clock; /* of the cycles of points; NULL: there are none */
    enum wave_phase phase;
    uint8_t awaits;         /* bit r: the point of role r may still come ... */
    uint8_t looks;          /* ... and some probe's firing may be it */
    bool blank;             /* the dump has only the last instant */
    sim_time_t start, stop; /* of the window; SIM_TIME_MAX: not known, none */
    sim_time_t fired;       /* when the ring is written; SIM_TIME_MAX: not known */
    sim_time_t wanted;      /* of a ring that was written: the first time asked for */
    sim_time_t end;         /* of the dump, once closed */
    struct wave_ring *ring; /* NULL: not begun */
    bool replaying;         /* the ring is being written */

    struct dump *dump;
    uint64_t bytes; /* of the dump, once closed */
    struct wave_var *var;
    uint32_t n_vars, n_traced;
    uint32_t *var_of; /* by probe id: index in var, or UINT32_MAX */
    struct wave_domain *domain;
    struct wave_head *head;
    uint32_t n_domains, n_heads;
    sim_time_t rates_at;    /* the earliest of all rate_at */
    sim_time_t drawn, rest; /* clocks are drawn up to; a gap above is not drawn */
    struct wave_moment *moment;
    uint32_t *open; /* moments that are not over, in order of beginning */
    uint32_t n_moments, n_open;
    struct wave_table *table;
    uint32_t n_tables;

    FILE *log;
    int log_error; /* the first errno */
    bool marked[N_MARKS];
    sim_time_t mark_at[N_MARKS];
    struct view_marks marks; /* conflicts and barrier releases */
    const char *totals;      /* NULL: none */
};

static inline struct wave_var *wave_var_of(const struct wave *w,
                                           const struct sim_probe *p)
{
    uint32_t i = w->var_of[p->id];

    return i == UINT32_MAX ? NULL : &w->var[i];
}

/* The value of p: now, or at the time of what is replayed. */
static inline uint64_t wave_value(const struct wave *w, const struct sim_probe *p)
{
    const struct wave_var *v = w->replaying ? wave_var_of(w, p) : NULL;

    return v != NULL ? v->replayed : p->value;
}

/* The probe is a variable of the dump. */
static inline bool wave_traces(const struct wave *w, const struct sim_probe *p)
{
    const struct wave_var *v = wave_var_of(w, p);

    return v != NULL && v->id != DUMP_NONE;
}

/* ---- wave.c ---- */

/* Time as the files have it. */
static inline uint64_t wave_unit(const struct wave *w, sim_time_t t)
{
    return w->cfg.cycles ? sim_cycle_of(w->clock, t) : t;
}

/* A variable has a new value, or its event happened. */
void wave_change(struct wave *w, struct wave_var *v, uint64_t value, sim_time_t now);

/* ---- window.c ---- */

bool wave_set_window(struct wave *w, struct sim_clock *clock, struct smw_err *e);
void wave_show(struct wave *w, const struct wave_var *v, uint64_t value);
/* The dump begins at w->start with all variables at their value. */
void wave_begin(struct wave *w);
/* Go to time now, when the n probes p changed, as far as the window is concerned;
 * false: changes are of no use there. */
bool wave_reach(struct wave *w, sim_time_t now, struct sim_probe *const *p, size_t n);
/* The probes need not tell any more. */
/* From now on the probes are watched, or no more. */
void wave_watch(struct wave *w);
void wave_silence(struct wave *w);
/* The time at which the window begins is known, and later than now. */
static inline bool wave_is_later(const struct wave *w)
{
    return w->cfg.point[WAVE_START].at == WAVE_AT_CYCLE && w->start > 0;
}
/* Bring the dump to the present, which is its end. */
void wave_finish(struct wave *w, sim_time_t now);

/* ---- trigger.c ---- */

/* Bit r: p may be what the point of role r waits for. */
uint8_t wave_feeds(const struct wave *w, const struct sim_probe *p);
/* All points can come; else false and *e. */
bool wave_check_points(struct wave *w, struct smw_err *e);
/* Of the n probes p that changed, is any a point? Only while w->looks is not 0. */
void wave_look(struct wave *w, sim_time_t now, struct sim_probe *const *p, size_t n);

/* ---- ring_file.c ---- */

/* Changes are kept from w->start on. */
void wave_ring_begin(struct wave *w);
void wave_ring_keep(struct wave *w, sim_time_t now, struct sim_probe *const *p,
                    size_t n);
/* The point came at w->fired: the dump is open from now on. */
void wave_ring_write(struct wave *w);

/* ---- scope.c ---- */

bool wave_glob(const char *pattern, const char *text);
/* The patterns of the configuration; NULL: there are none, or *e is set. */
struct wave_scope *wave_scope_open(struct wave *w, struct smw_err *e);
void wave_scope_close(struct wave_scope *list);
bool wave_scope_has(struct wave_scope *list, const char *path);
/* The first pattern that has had nothing so far, NULL if there is none. */
const char *wave_scope_unused(const struct wave_scope *list);

/* ---- select.c ---- */

/* Fill w->var, w->var_of and watch; false and *e if nothing is selected. */
bool wave_select(struct wave *w, struct smw_err *e);
/* Some variable of the dump lies in m or below. */
bool wave_has_below(const struct wave *w, const struct sim_module *m);
/* Dotted path of a probe into buf. */
char *wave_probe_path(const struct sim_probe *p, char *buf, size_t size);

/* ---- declare.c ---- */

void wave_declare(struct wave *w);
/* m and all below. */
uint32_t wave_count_modules(const struct sim_module *m);
/* NULL: m heads no clock. */
const struct wave_head *wave_head_of(const struct wave *w, const struct sim_module *m);

/* ---- clocks.c ---- */

/* The clocks as they stand at time t, where drawing begins. */
void wave_clocks_begin(struct wave *w, sim_time_t t);
/* Draw all edges up to and at t, and the ends of moments before it. */
void wave_clocks_draw(struct wave *w, sim_time_t t);

/* ---- moments.c ---- */

/* p is no variable, but the moment of one. */
bool wave_is_moment(const struct sim_probe *p);
/* Watch the moments of the states that are traced. */
void wave_moments_select(struct wave *w);
/* The moment v happens now. */
void wave_moment(struct wave *w, const struct wave_var *v, sim_time_t now);
/* The state v has a new value; true: it is seen later. */
bool wave_moment_hides(struct wave *w, const struct wave_var *v, uint64_t value);
/* When the next one is over; SIM_TIME_MAX: there is none. */
sim_time_t wave_moments_due(const struct wave *w);
/* End what is over at time now, which is the dump's. */
void wave_moments_end(struct wave *w, sim_time_t now);

/* ---- rates.c ---- */

/* The dump begins; var[].value is what was counted before. */
void wave_rates_begin(struct wave *w);
/* A RATE probe has counted so far. */
void wave_rate_change(struct wave *w, struct wave_var *v, uint64_t count,
                      sim_time_t now);
/* Show what is due at time t, which the dump has reached. */
void wave_rates_show(struct wave *w, sim_time_t t);
/* The dump ends at time t: show what the windows under way have come to. */
void wave_rates_end(struct wave *w, sim_time_t t);

/* ---- event_log.c ---- */

bool wave_log_open(struct wave *w, struct smw_err *e);
enum wave_mark wave_mark_of(const struct sim_probe_desc *d);
/* Wanted even outside the scope. */
bool wave_mark_always(enum wave_mark m);
/* The name of a kernel, which its mark says. */
bool wave_mark_names(const struct sim_probe *p);
/* Besides events: what is p to the log? */
bool wave_log_wants(const struct wave *w, const struct sim_probe *p);
/* A variable that is heard has changed, or its event happened. */
void wave_log_change(struct wave *w, struct wave_var *v, sim_time_t now);
/* The ring is written: a marker and a line. */
void wave_log_trigger(struct wave *w);
/* Let readers have what there is. */
void wave_log_flush(struct wave *w);
/* Returns 0 or the first errno. */
int wave_log_close(struct wave *w);

/* ---- states.c ---- */

/* Index of the table of a STATE probe, a new one if need be. */
uint32_t wave_table_of(struct wave *w, const struct sim_probe *p);
/* Bare name of the table of instructions. */
const char *wave_code_file(const struct wave *w);
/* Returns 0 or an errno. */
int wave_tables_write(const struct wave *w);

/* ---- wave_tree.c ---- */

/* Write the save files of all views for what is known now. 0 or an errno. */
int wave_gtkw_write(const struct wave *w);

/* The part of a path behind its last slash. */
const char *wave_base_name(const char *path);

#endif /* WAVE_PRIV_H */
