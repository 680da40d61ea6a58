/*
 * wave_priv.h - what the files of the trace client share.
 *
 *   wave.c       opening, changes, closing
 *   select.c     which probes
 *   scope.c      patterns over their paths
 *   window.c     how a dump begins and ends
 *   trigger.c    the points that say when
 *   ring_file.c       the last cycles, in memory
 *   replay.c     changes that were kept, shown later
 *   writer.c     a second thread that shows them
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

/* A probe that this wave looks at. What is asked with every change is here: a writer
 * that looked at the probe would wait for lines that the simulation writes, and the
 * other way round. */
struct wave_var {
    struct sim_probe *probe;
    const struct sim_probe_desc *desc; /* the probe's */
    dump_id id;          /* DUMP_NONE: it is not in the dump, only the log has it */
    uint64_t value;      /* when the window began; if heard, at the last change */
    uint64_t replayed;   /* while kept changes are shown: at the time of what is
                            shown ... */
    char *text;          /* ... and how a TEXT reads then, of WAVE_TEXT_MAX bytes; NULL:
                            it is asked when it is shown */
    bool active;         /* it has changed inside the window */
    bool heard;          /* the log wants it: events, blocks, waits for memory */
    uint32_t table;      /* STATE: index of its translate file */
    uint8_t feeds;       /* EVENT: bit r, its firing may be the point of role r */
    enum wave_mark mark; /* EVENT: what its first firing is called */
    uint64_t count, counted; /* RATE: now, and when its window began */
    sim_time_t rate_at;      /* RATE: when to show it next; SIM_TIME_MAX: it is 0 */
    uint64_t n_fired;        /* if heard: its lines in the log so far */
    const char *path;        /* if heard */
    sim_time_t since;        /* STATE, if heard: when the wait for memory began */
    uint32_t moment;         /* index in wave.moment: STATE: of the moment that it may
                                have; EVENT: of the moment that it is; UINT32_MAX:
                                none */
};

/* A clock that is drawn. */
struct wave_domain {
    struct sim_clock *clock;
    dump_id clk, cycle; /* DUMP_NONE: the module has a probe of that name */
    sim_cycle_t at;     /* the cycle drawn last */
    bool high, resting;
    sim_time_t next; /* of the next thing to draw */
    sim_time_t rise; /* of the cycle after that */
};

/* The module in whose scope a clock is drawn. */
struct wave_head {
    const struct sim_module *module;
    dump_id clk, cycle; /* aliases of the domain's, or the domain's own */
};

/* A moment: another value as which a state is shown for one cycle. */
struct wave_moment {
    const struct wave_var *state;
    const struct sim_clock *clock; /* of its cycle; NULL: it has none */
    uint64_t word, lasting; /* the value for the cycle; the state's own, behind it */
    sim_time_t until;       /* 0: it is over */
};

/* A table of state names, and the file that translates to them. */
struct wave_table {
    const struct sim_probe_desc *desc; /* one of those that share the table */
    const char *file;                  /* bare name */
    const char *stages; /* bare name of the one with letters; NULL: none */
};

/* Where the wave is with regard to its window; window.c explains them. */
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
struct wave_writer;

struct wave {
    struct sim *sim;
    struct sim_module *root;
    struct sim_watcher watcher;
    struct sim_alarm alarm;  /* when the window begins: all probes become watched */
    struct wave_config cfg;  /* its texts are copies */
    struct sim_clock *clock; /* of the cycles of points; NULL: there are none */
    enum wave_phase phase;
    uint8_t awaits;         /* bit r: the point of role r has not come yet */
    uint8_t looks;          /* bit r: and an event probe that fires may be that point */
    bool blank;             /* the dump has the last instant only */
    sim_time_t start, stop; /* of the window; SIM_TIME_MAX: not known yet, or never */
    sim_time_t fired;       /* when the ring is written; SIM_TIME_MAX: not known yet */
    sim_time_t wanted;      /* once the ring is written: the time it was to begin at */
    sim_time_t end;         /* of the dump, once it is closed */
    struct wave_ring *ring; /* NULL: it has not begun */
    bool replaying;         /* what is shown was kept: values are var[].replayed */
    struct wave_writer *writer; /* NULL: changes are shown at once. Else dump, log,
                                   marks and what var[] has of them are its own, but
                                   for who has settled */

    struct dump *dump;
    uint64_t bytes; /* of the dump, once closed */
    struct wave_var *var;
    uint32_t n_vars, n_traced;
    uint32_t *var_of; /* by probe id: index in var, or UINT32_MAX */
    struct wave_domain *domain;
    struct wave_head *head;
    uint32_t n_domains, n_heads;
    struct wave_var **rate; /* the variables that are RATEs, once the dump has begun */
    uint32_t n_rates;
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

/* A change that is shown later. In front of those of an instant stands one record with
 * its time; behind one of a text stands the text, as a string, if it is kept. */
struct wave_record {
    uint64_t value; /* or the time */
    uint32_t var;   /* index, or WAVE_TIME */
    uint32_t text;  /* records behind this one that hold its text; 0: it is not kept */
};

#define WAVE_TIME UINT32_MAX

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

/* Variable v has a new value, or its event happened: the dump and the log get it. */
void wave_change(struct wave *w, struct wave_var *v, uint64_t value, sim_time_t now);

/* ---- replay.c ---- */

/* Show the instants that begin in record from of n and end before n. */
void wave_replay(struct wave *w, const struct wave_record *record, uint32_t from,
                 uint32_t n);
/* How the value of p, a TEXT, reads: buf, or what was kept of it, which is v; NULL: it
 * is none of w's. */
const char *wave_text(const struct wave *w, const struct wave_var *v,
                      const struct sim_probe *p, uint64_t value,
                      char buf[WAVE_TEXT_MAX]);

/* ---- writer.c ---- */

/* Keep the changes of an instant for the writer, which begins with the first. */
void wave_writer_keep(struct wave *w, sim_time_t now, struct sim_probe *const *p,
                      size_t n);
/* Wait until all is shown. Without a writer all is. */
void wave_writer_settle(struct wave *w);
/* Flush the log and the dump once all is shown, without waiting for it. False: nobody
 * reads the dump any more, as far as is known. */
bool wave_writer_flush(struct wave *w);
/* No thread of the writer's goes on. */
void wave_writer_stop(struct wave *w);
/* Settle; no writer is needed any more. 0 or an errno: not all could be shown. */
int wave_writer_end(struct wave *w);

/* ---- window.c ---- */

bool wave_set_window(struct wave *w, struct sim_clock *clock, struct smw_err *e);
/* Write a value of v into the dump, in the form of v's kind, at the dump's time. */
void wave_show(struct wave *w, const struct wave_var *v, uint64_t value);
/* The dump begins at w->start with all variables at their value. */
void wave_begin(struct wave *w);
/* It is time now, and the n probes p have changed: open or close the window if it
 * begins or ends by now. True: changes belong into the dump or the ring. */
bool wave_reach(struct wave *w, sim_time_t now, struct sim_probe *const *p, size_t n);
/* Begin to watch all probes of this wave; stop watching them. */
void wave_watch(struct wave *w);
void wave_silence(struct wave *w);
/* Does the window begin at a given cycle, later than the run itself? */
static inline bool wave_is_later(const struct wave *w)
{
    return w->cfg.point[WAVE_START].at == WAVE_AT_CYCLE && w->start > 0;
}
/* The run is over at time now: close the window, so that the dump ends there. */
void wave_finish(struct wave *w, sim_time_t now);

/* ---- trigger.c ---- */

/* A set of roles, bit r for role r: for which of them may p be the point that is waited
 * for? (A point is where a window begins or ends, or what writes the ring: wave.h.) */
uint8_t wave_feeds(const struct wave *w, const struct sim_probe *p);
/* False and *e: a point waits for a probe that the wave does not have. */
bool wave_check_points(struct wave *w, struct smw_err *e);
/* The n probes p have changed: was that a point? Call it only while w->looks is not
 * 0. */
void wave_look(struct wave *w, sim_time_t now, struct sim_probe *const *p, size_t n);

/* ---- ring_file.c ---- */

/* From w->start on changes are kept in memory. */
void wave_ring_begin(struct wave *w);
/* Keep the changes of the n probes p at time now. */
void wave_ring_keep(struct wave *w, sim_time_t now, struct sim_probe *const *p,
                    size_t n);
/* The point that writes the ring came at w->fired: write what is kept, and open the
 * dump. */
void wave_ring_write(struct wave *w);

/* ---- scope.c ---- */

bool wave_glob(const char *pattern, const char *text);
/* The patterns of w->cfg, made ready for matching. NULL: there are none, or *e is
 * set. */
struct wave_scope *wave_scope_open(struct wave *w, struct smw_err *e);
void wave_scope_close(struct wave_scope *list);
bool wave_scope_has(struct wave_scope *list, const char *path);
/* The first pattern that has matched no path so far; NULL: all have. */
const char *wave_scope_unused(const struct wave_scope *list);

/* ---- select.c ---- */

/* Fill w->var, w->var_of and watch; false and *e if nothing is selected. */
bool wave_select(struct wave *w, struct smw_err *e);
/* Does the dump have a variable of m or of a module below it? */
bool wave_has_below(const struct wave *w, const struct sim_module *m);
/* Dotted path of a probe into buf. */
char *wave_probe_path(const struct sim_probe *p, char *buf, size_t size);

/* ---- declare.c ---- */

/* Declare scopes and variables in the dump, and clk and cycle of the clocks found. */
void wave_declare(struct wave *w);
/* How many modules are m and all below it? */
uint32_t wave_count_modules(const struct sim_module *m);
/* The clock that is drawn in m's scope; NULL: none is. */
const struct wave_head *wave_head_of(const struct wave *w, const struct sim_module *m);

/* ---- clocks.c ---- */

/* Drawing begins at time t: clk and cycle have the values of that time. */
void wave_clocks_begin(struct wave *w, sim_time_t t);
/* Draw all edges up to and at time t, and end the moments that are over before t. */
void wave_clocks_draw(struct wave *w, sim_time_t t);

/* ---- moments.c ---- */

/* Is p a moment (comp.h), which is shown as a value of the state behind it, and no
 * variable of its own? */
bool wave_is_moment(const struct sim_probe *p);
/* Find the moments of the states that are traced, and watch them. */
void wave_moments_select(struct wave *w);
/* The moment v happens now. */
void wave_moment(struct wave *w, const struct wave_var *v, sim_time_t now);
/* The state v has a new value. True: a moment hides it, and it is shown when that is
 * over. */
bool wave_moment_hides(struct wave *w, const struct wave_var *v, uint64_t value);
/* The time at which the next moment is over; SIM_TIME_MAX: none is under way. */
sim_time_t wave_moments_due(const struct wave *w);
/* The dump has come to time now: end the moments that are over. */
void wave_moments_end(struct wave *w, sim_time_t now);

/* ---- rates.c ---- */

/* The dump begins. var[].value is what each RATE probe had counted by then. */
void wave_rates_begin(struct wave *w);
/* The RATE probe of v has counted up to count. */
void wave_rate_change(struct wave *w, struct wave_var *v, uint64_t count,
                      sim_time_t now);
/* The dump has reached time t: show the rates of the windows that end there. */
void wave_rates_show(struct wave *w, sim_time_t t);
/* The dump ends at time t: show the rates of the windows that are not full. */
void wave_rates_end(struct wave *w, sim_time_t t);

/* ---- event_log.c ---- */

bool wave_log_open(struct wave *w, struct smw_err *e);
enum wave_mark wave_mark_of(const struct sim_probe_desc *d);
/* Is the marker set even if its probe is outside the scope that is traced? */
bool wave_mark_always(enum wave_mark m);
/* Is p the name of a kernel, which a marker at its start or end shows? */
bool wave_mark_names(const struct sim_probe *p);
/* Does the log want p, though it is no event? */
bool wave_log_wants(const struct wave *w, const struct sim_probe *p);
/* Variable v, which the log wants, has changed, or its event happened. */
void wave_log_change(struct wave *w, struct wave_var *v, sim_time_t now);
/* The ring is being written: set a marker and write a line. */
void wave_log_trigger(struct wave *w);
/* Flush, so that who reads the file while it grows has all lines. */
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
