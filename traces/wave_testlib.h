/*
 * wave_testlib.h - for the tests of the trace client: a tiny model whose processes set
 * probes of every kind from a script, in three clocks.
 *
 *   gpu              1400 MHz; edge k at floor(k * 5000 / 7) ps
 *     dispatcher     blocks_left kernel_start kernel_end
 *     sm0
 *       sched0       warp inst issue
 *       warp00..03   state pc                    (03 does nothing); the moment of
 *                    state 1: TINY_ISSUES, which the usual script has not
 *       smem
 *         xbar       degree lane_mask conflict
 *         bank00..03 busy op
 *       barrier      release
 *     part0          700 MHz
 *       l2           hit
 *       dram         queue                       924 MHz
 */
#ifndef WAVE_TESTLIB_H
#define WAVE_TESTLIB_H

#include "wave.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* The tests are built a second time with it: waves that have a writer. */
#ifndef TINY_SECOND_THREAD
#define TINY_SECOND_THREAD 0
#endif

enum { TINY_WARPS = 4, TINY_BANKS = 4, TINY_ACTORS = 9 };

enum tiny_probe {
    TINY_BLOCKS_LEFT,
    TINY_KERNEL_START,
    TINY_KERNEL_END,
    TINY_WARP,
    TINY_INST,
    TINY_ISSUE,
    TINY_STATE,
    TINY_PC = TINY_STATE + TINY_WARPS,
    TINY_DEGREE = TINY_PC + TINY_WARPS,
    TINY_LANES,
    TINY_CONFLICT,
    TINY_BUSY,
    TINY_OP = TINY_BUSY + TINY_BANKS,
    TINY_RELEASE = TINY_OP + TINY_BANKS,
    TINY_HIT,
    TINY_QUEUE,
    TINY_ISSUES,
    N_TINY_PROBES = TINY_ISSUES + TINY_WARPS,
    TINY_KERNEL = N_TINY_PROBES, /* these by tiny_more() */
    TINY_COUNT,
    TINY_ALL
};

/* At an edge of the actor's clock, at least 1, set or fire the probe. */
struct tiny_step {
    uint32_t cycle;
    enum tiny_probe probe;
    uint64_t value;
};

struct tiny;

struct tiny_actor { /* plays the steps of one clock, in order of their cycles */
    struct tiny *tiny;
    const struct tiny_step *step, *end;
    struct sim_event wake;
    struct sim_process process;
};

struct tiny {
    struct sim *sim;
    struct sim_clock sm, l2, dram;
    struct sim_module gpu, dispatcher, sm0, sched0, warp[TINY_WARPS], smem, xbar,
        bank[TINY_BANKS], barrier, part0, l2_scope, dram_scope;
    struct sim_probe probe[TINY_ALL];
    struct tiny_actor actor[TINY_ACTORS];
    uint32_t n_actors;
};

/* Without a script. shuffle 0: none. */
void tiny_init(struct tiny *t, uint64_t shuffle);
void tiny_play(struct tiny *t, struct sim_clock *clock, const struct tiny_step *step,
               uint32_t n);
/* Also the dispatcher's kernel, a text, and sm0's insts_per_64, a count. */
void tiny_more(struct tiny *t);
/* The usual script: a kernel of 9 cycles with a conflict and a barrier. */
void tiny_script(struct tiny *t);
void tiny_free(struct tiny *t);

/* A configuration that writes NAME.vcd, .gtkw and .log in the current directory; the
 * texts live in a static buffer of the caller's choice. */
struct tiny_paths {
    char vcd[64], gtkw[64], log[64];
};
struct wave_config tiny_config(struct tiny_paths *p, const char *name);

/* SM cycles start to stop - 1; stop 0: to the end. */
void tiny_window(struct wave_config *c, uint64_t start, uint64_t stop);

/* Open (must succeed). */
struct wave *tiny_open(struct tiny *t, const struct wave_config *c);
/* Run to the end and close, which must succeed. */
void tiny_finish(struct tiny *t, struct wave *w);
/* The usual script from its beginning to its end; the files stay. */
void tiny_run(const struct wave_config *c, uint64_t shuffle);

/* The file, NUL-terminated, to be freed; fails the test if there is none. */
char *tiny_slurp(const char *path);
/* Delete what a configuration wrote. */
void tiny_remove(const struct wave_config *c);
/* The text ends up in *body: what follows $enddefinitions. */
const char *tiny_body(const char *vcd);

#endif /* WAVE_TESTLIB_H */
