/*
 * wave.h - the trace client: turns the probes of a simulation into files for a viewer.
 *
 *   run.vcd, run.fst   the dump: a scope per module, a variable per selected probe, and
 *                      the names of states; run.vcd.gz is a compressed VCD
 *   run.gtkw           its GTKWave save file, with the translate files state_*.txt
 *   run.VIEW.gtkw      one of another view (view.h)
 *   events.log         a line per event, block start and end, long wait for memory
 *                      and fault, for "gtkwave -l": times first, to click on
 *
 * Selection. scope is a list of patterns with commas between. A pattern is a glob over
 * dotted paths ("gpu.sm0.lsu.queue"): '*' matches any characters, dots included, '?'
 * one; a number matches with or without leading zeros ("bank7" is bank07). One in
 * slashes ("/bank0[0-3]/") is an extended regular expression of POSIX, which matches
 * anywhere in the path. A probe is selected when its path or that of a module above it
 * matches, and it lies at most depth levels of modules below the root. Scopes without a
 * selected probe below do not appear. The events of a kernel's start and end and of
 * faults are heard, for log and markers, even outside, as is what a point (below) waits
 * for.
 *
 * Window. The dump begins at the point start and ends at the point stop. A point that
 * is a cycle begins or ends the dump at that edge of the SM clock. Any other point
 * begins it at the instant in which the point happens, and ends it with the SM cycle in
 * which it happens. The dump begins with the values from before its first instant. At
 * its end all values become unknown, the probes are not watched any more, and a short
 * shaded stretch follows. The point stop counts only after the window has begun. If the
 * window is never reached, the dump shows the last instant of the run. Waves of one
 * simulation should have the same stop: the first one to stop ends the watching of the
 * probes that they share. Before a start that is a cycle, modules that can show their
 * state at any time are not watched; any other start is found by watching.
 *
 * Ring. With ring > 0 the changes of the window are kept in memory only, those of the
 * last ring cycles, until the point `on` comes. Then the dump is written: it begins
 * ring cycles before the cycle of that point and ends `after` cycles behind it, or
 * where the window ends. If the point never comes, the dump shows the last instant of
 * the run. The ring takes 16 bytes per change and 16 per instant, at most
 * WAVE_RING_BYTES; when they are full, the oldest changes are dropped, and fewer cycles
 * are kept.
 *
 * Time is in picoseconds, or in cycles of the SM clock, which are called nanoseconds
 * then. In cycles, everything is drawn at the cycle in which it happens. What does not
 * last to the end of a cycle is not seen: of several values the last one is drawn, an
 * event that happens several times is drawn once, and variables stand in the order in
 * which they changed first. The log, markers and windows follow. clk is left out,
 * because there are no halves of a cycle.
 *
 * clk and cycle are no probes. This client draws them, in the scope of each module
 * whose clock is not its parent's. It draws them when it writes an instant, for all the
 * time since the instant before. If two instants are more than 1000 cycles of the
 * fastest clock apart, the clocks rest between them: clk is z and cycle is x.
 *
 * Files hold no date, host or directory: gtkw_path and events_path belong in the folder
 * of path, where the save file looks for the dump by its bare name.
 *
 * An error while writing is reported once, by wave_close(); after a full disk the files
 * hold what fitted. If the process is killed, a dump that has its name can be opened.
 * It has its name once its first values are in it; until then it is FILE.part. A VCD
 * then has all up to the last wave_flush(), a compressed one what gzip finds before it
 * complains. An FST has its name, and FILE.hier beside it, when 1,000 changes are in
 * it, and is written on at 5,000, 20,000, 85,000, 350,000 and then every 260,000.
 *
 * The memory is the simulation's: a wave may be closed at any time, only before
 * sim_free().
 */
#ifndef WAVE_H
#define WAVE_H

#include "base/err.h"
#include "comp/comp.h"
#include "view.h"
#include <stdbool.h>
#include <stdint.h>

struct wave;

enum wave_format { WAVE_VCD, WAVE_FST };

/* When something happens. */
enum wave_at {
    WAVE_NEVER,    /* nobody asked */
    WAVE_AT_CYCLE, /* of the SM clock: n */
    WAVE_AT_EVENT, /* an event probe of that name fires; if n > 0, only one whose module
                         has a probe "degree" of at least n */
    WAVE_AT_ISSUE, /* a scheduler issues an instruction that is() knows */
    WAVE_AT_FAULT, /* wave_fault() */
    WAVE_AT_DEADLOCK, /* wave_fault() of a deadlock */
    WAVE_AT_END,      /* wave_close() */
    WAVE_AT_TELL      /* wave_tell() */
};

struct wave_point {
    enum wave_at at;
    uint64_t n;
    const char *event;
    bool (*is)(void *ctx,
               uint64_t inst); /* inst: as the probes of a scheduler have it */
    void *ctx;
    const char *text; /* as the user wrote it; NULL: a cycle */
};

static inline struct wave_point wave_cycle(uint64_t cycle)
{
    return (struct wave_point){.at = WAVE_AT_CYCLE, .n = cycle};
}

enum wave_role { WAVE_START, WAVE_STOP, WAVE_ON, N_WAVE_ROLES };

enum { WAVE_RING_BYTES = 256 << 20 };

struct wave_config {
    const char *path;        /* of the dump */
    int stream;              /* of a VCD: the open file it goes to, which stays open;
                                the path is only a name then. 0: the path is opened */
    enum wave_format format; /* an FST may be written if dump_has_fst() */
    bool cycles;             /* time is in cycles of the SM clock; else picoseconds */
    const char *gtkw_path;   /* NULL: no save file, no translate files */
    const char *events_path; /* NULL: no log */
    const char *log_heading; /* its first line; NULL: none */
    uint64_t log_degree;     /* conflicts below are not logged; 0: all are */
    uint64_t log_wait;       /* cycles of a warp's wait for memory that are logged;
                                 0: none are */
    const char *scope;       /* patterns, NULL: everything */
    uint32_t depth;          /* levels of modules below the root; 0: all */
    struct wave_point point[N_WAVE_ROLES]; /* START, STOP: of the window; never: of the
                                              run. ON: what writes the ring */
    uint64_t ring, after;     /* SM clock cycles before and behind it; ring 0: none */
    uint64_t ring_bytes;      /* of its memory; 0: WAVE_RING_BYTES */
    bool second_thread;       /* dump and log are written by a thread of the wave's own,
                                 beside the simulation. The process must not fork while
                                 the wave is open, or the wave is lost in the child */
    const char *heading;      /* one line on what ran; NULL: none */
    const struct view *views; /* save files beside gtkw_path, which is the overview;
                                 kept by the caller until the end */
    uint32_t n_views;
    const char *const *code; /* the instruction at each pc, plain text; NULL: none.
                                Used by wave_open() only. n_code 0: the rows of pcs are
                                numbers, and stay so */
    uint32_t n_code;
    const char *version;     /* of the program; NULL: not said */
    uint64_t digest;         /* of the configuration */
    const char *config_name; /* NULL: not said, nor the digest */
};

/* Attach to the tree below root, which is complete, before the first sim_run().
 * sm_clock: of the cycles of points; NULL: root's. All texts are copied. NULL and *e: a
 * window that ends before it begins, a pattern that selects nothing or is none, an
 * event that no probe has (SMW_ERR_INPUT), files that cannot be created (SMW_ERR_IO),
 * SMW_ERR_NOMEM. */
struct wave *wave_open(struct sim *sim, struct sim_module *root,
                       struct sim_clock *sm_clock, const struct wave_config *cfg,
                       struct smw_err *e);

/* Would wave_open() refuse the window or the selection? Creates nothing. */
bool wave_check(struct sim *sim, struct sim_module *root, struct sim_clock *sm_clock,
                const struct wave_config *cfg, struct smw_err *e);

/* Each view has something to show, or false and *e (SMW_ERR_USAGE). */
bool wave_check_views(const struct wave *w, struct smw_err *e);

/* Lines for the head of the save files, that wave_close() writes; NULL: none.
 * Copied. */
void wave_totals(struct wave *w, const char *text);

/* The table of instructions anew, of a wave that was opened with one: code that is
 * loaded later. False: it could not be written, and stays as it was. */
bool wave_code(struct wave *w, const char *const *code, uint32_t n);

/* A point of kind WAVE_AT_TELL comes now: from a hook's listener, or between
 * instants. */
void wave_tell(struct wave *w, enum wave_role role, sim_time_t now);

/* The run ends now because of a fault: a marker, and a line of the log with the text.
 * kind: SMW_ERR_DEADLOCK or another. */
void wave_fault(struct wave *w, enum smw_err_kind kind, const char *text);

/* Let readers have the dump and the log up to now: a VCD can be watched while it grows.
 * It also hands on what it has collected when that is much, always whole lines. The
 * others are not for watching. False: nobody reads it any more. */
bool wave_flush(struct wave *w);

/* End all files at the time it is now; status ("complete", "interrupted") becomes the
 * dump's last comment, NULL: none. False and *e if anything could not be written. w may
 * be NULL; closing twice is harmless. */
bool wave_close(struct wave *w, const char *status, struct smw_err *e);

/* No thread of w's goes on: what it was handed is written, what comes is written by who
 * simulates. For who leaves w open and ends the process. Asks for no memory. */
void wave_stop_thread(struct wave *w);

/* As wave_close() in a hurry, for the handler of a broken contract: callable in the
 * middle of an instant, reports nothing. What was written opens. */
void wave_abort(struct wave *w);

/* What the dump holds, once closed: SM clock cycles first to last. False: only the last
 * instant, for the window was never reached, or its ring never written. */
struct wave_extent {
    sim_cycle_t first, last;
    sim_cycle_t wanted; /* of a ring: where it should have begun, had it all fitted */
};
bool wave_extent(const struct wave *w, struct wave_extent *out);

/* Bytes of the dump so far; the line with the final time does not count. */
uint64_t wave_bytes(struct wave *w);

#endif /* WAVE_H */
