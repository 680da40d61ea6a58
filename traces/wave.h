/*
 * wave.h - the trace client: turns the probes of a simulation into files for a viewer.
 *
 *   run.vcd, run.fst   the dump: a scope per module, a variable per selected probe; in
 *                      an FST the names of states too
 *   run.gtkw           its GTKWave save file, with the translate files state_*.txt
 *   run.VIEW.gtkw      one of another view (view.h)
 *   events.log         a line per event, block start and end, long wait for memory
 *                      and fault, for "gtkwave -l": times first, to click on
 *
 * Selection. scope is a glob over dotted paths ("gpu.sm0.lsu.queue"): '*' matches any
 * characters, dots included, '?' one; a number matches with or without leading zeros
 * ("bank7" is bank07). A probe is selected when its path or that of a module above it
 * matches. Scopes without a selected probe below do not appear. The events of a
 * kernel's start and end and of faults are heard, for log and markers, even outside.
 *
 * Window. The dump covers the SM clock's cycles start to stop - 1: it begins with all
 * values at the time of cycle start; at the time of cycle stop it is switched off,
 * the probes go silent, and a short shaded stretch follows. Waves of one simulation
 * should have the same stop, for the first to stop silences the probes that they share.
 *
 * Time is in picoseconds. clk and cycle are not clocked by anything: this client draws
 * them, in the scope of each module whose clock is not its parent's, when it writes an
 * instant, back to the last one. Between two instants more than 1000 cycles apart (of
 * the fastest clock drawn) nothing happens anywhere; there the clocks rest: clk is z
 * and cycle is x until the second of them.
 *
 * Files hold no date, host or directory: gtkw_path and events_path belong in the folder
 * of path, where the save file looks for the dump by its bare name.
 *
 * Errors while writing come once, from wave_close(). After a full disk the files hold
 * what fitted, and open; but an FST opens only if it could be closed, which a process
 * that is killed cannot do. The memory is the simulation's: a wave may be closed at any
 * time, only before sim_free().
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

struct wave_config {
    const char *path;         /* of the dump */
    enum wave_format format;  /* an FST may be written if dump_has_fst() */
    const char *gtkw_path;    /* NULL: no save file, no translate files */
    const char *events_path;  /* NULL: no log */
    uint64_t log_degree;      /* conflicts below are not logged; 0: all are */
    uint64_t log_wait;        /* cycles of a warp's wait for memory that are logged;
                                 0: none are */
    const char *scope;        /* glob, NULL: everything */
    uint64_t start, stop;     /* SM clock cycles; stop 0: to the end */
    const char *heading;      /* one line on what ran; NULL: none */
    const struct view *views; /* save files beside gtkw_path, which is the overview;
                                 kept by the caller until the end */
    uint32_t n_views;
    const char *const *code; /* the instruction at each pc, plain text; NULL: none.
                                Used by wave_open() only */
    uint32_t n_code;
    const char *version;     /* of the program; NULL: not said */
    uint64_t digest;         /* of the configuration */
    const char *config_name; /* NULL: not said, nor the digest */
};

/* Attach to the tree below root, which is complete, before the first sim_run().
 * sm_clock: of start and stop; NULL: root's. All texts are copied. NULL and *e: a
 * window that ends before it begins or a scope that selects nothing (ERR_INPUT), files
 * that cannot be created (ERR_IO), ERR_NOMEM. */
struct wave *wave_open(struct sim *sim, struct sim_module *root,
                       struct sim_clock *sm_clock, const struct wave_config *cfg,
                       struct err *e);

/* Each view has something to show, or false and *e (ERR_USAGE). */
bool wave_check_views(const struct wave *w, struct err *e);

/* Lines for the head of the save files, that wave_close() writes; NULL: none. Copied. */
void wave_totals(struct wave *w, const char *text);

/* The run ends now because of a fault: a marker, and a line of the log with the text. */
void wave_fault(struct wave *w, const char *text);

/* End all files at the time it is now; status ("complete", "interrupted") becomes the
 * dump's last comment, NULL: none. False and *e if anything could not be written. w may
 * be NULL; closing twice is harmless. */
bool wave_close(struct wave *w, const char *status, struct err *e);

/* The same in a hurry, for the handler of a broken contract: callable in the middle of
 * an instant, reports nothing. What was written opens. */
void wave_abort(struct wave *w);

/* Bytes of the dump so far; the line with the final time does not count. */
uint64_t wave_bytes(const struct wave *w);

#endif /* WAVE_H */
