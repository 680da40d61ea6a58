/*
 * sim.h - the discrete-event engine: time, clocks, events, processes, signals.
 *
 * An instant runs in SystemC's phases: evaluate (every runnable process, once, to
 * completion), update (signals that were written), notify (delta notifications make
 * processes runnable again), and when nothing is runnable, end of instant (observers),
 * then the next timed instant. There is no immediate notification and no thread.
 *
 * Time is in picoseconds. A clock has the rational period num/den ps; its edge k is at
 * floor(k * num / den), edge 0 at time 0. Inside a clock the unit is the cycle; cycles
 * become time only here.
 *
 * An event holds at most one pending notification: the earliest wins, a delta beats a
 * timed one. Events due at one instant trigger clock by clock, what was notified in picoseconds
 * first, then by clock in order of construction, and for each in the order of their
 * notification; the processes they wake run in the order of the triggers, or, with a
 * shuffle seed, in a random one, which must not change any result.
 *
 * Idle costs nothing: a clock has no event of its own, its cycle is computed when
 * looked at.
 *
 * Errors: a broken contract ends in sim_panic(). A delta loop (default 10,000 deltas at
 * one instant) and an overflow of time end the run with their status; sim_culprits()
 * names the processes that still spin.
 */
#ifndef ENGINE_SIM_H
#define ENGINE_SIM_H

#include "base/arena.h"
#include "base/attr.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t sim_time_t;  /* picoseconds since the start of the simulation */
typedef uint64_t sim_cycle_t; /* edges of one clock since time 0 */

#define SIM_TIME_MAX UINT64_MAX

struct sim;
struct sim_clock;
struct sim_event;
struct sim_process;

enum sim_status {
    SIM_IDLE,       /* nothing is left to happen */
    SIM_REACHED,    /* the time asked for was reached; events at that time have run */
    SIM_SLICE,      /* the number of instants asked for has run */
    SIM_STOPPED,    /* sim_stop() was called; the instant was completed */
    SIM_DELTA_LOOP, /* too many deltas at one instant */
    SIM_OVERFLOW    /* a notification lay at or beyond SIM_TIME_MAX */
};

/* ---- the simulation ---- */

struct sim *sim_new(void);
void sim_free(struct sim *s);
struct arena *sim_arena(struct sim *s);

/* Zeroed memory that lives until sim_free(). */
void *sim_alloc(struct sim *s, size_t size);

sim_time_t sim_now(const struct sim *s);

/* Run until nothing is left, the time until has been executed, max_instants instants
 * have run (0: no limit), or somebody stops. Not re-entrant. Afterwards now is until if
 * that was reached, else the time of the last instant. Between runs events may be
 * notified and signals written: a delta then makes another instant at the same time.
 * A delta loop and an overflow are for good: every later run returns them at once. */
enum sim_status sim_run(struct sim *s, sim_time_t until, uint64_t max_instants);

/* End the run after the current instant. Callable from processes and observers; between
 * runs, the next one returns SIM_STOPPED without starting. */
void sim_stop(struct sim *s);

/* Randomise the order of runnable processes; 0 restores order. Before sim_run(). */
void sim_shuffle(struct sim *s, uint64_t seed);

/* Evaluation phases allowed at one instant, at least 1. */
void sim_delta_limit(struct sim *s, uint32_t n);

/* Names of processes runnable when a delta loop was found, comma separated; "" else. */
const char *sim_culprits(const struct sim *s);

struct sim_counters {
    uint64_t instants, deltas, activations, notifications; /* since sim_new() */
};
const struct sim_counters *sim_counters(const struct sim *s);

/* Called at the end of every instant in which something ran, in order of registration,
 * before time advances; of those only at whose end *pending is set, unless pending is
 * NULL. Must not notify events. */
struct sim_observer {
    void (*end_of_instant)(void *ctx, sim_time_t now);
    void *ctx;
    struct sim_observer *next;
    const bool *pending;
};
void sim_observe(struct sim *s, struct sim_observer *o);

/* Called once, before the first instant at or after time at, outside of any instant: it may
 * notify events, as between runs. If nothing happens from at on, it is not. */
struct sim_alarm {
    sim_time_t at;
    void (*ring)(void *ctx);
    void *ctx;
    struct sim_alarm *next;
};
void sim_set_alarm(struct sim *s, struct sim_alarm *a);

/* ---- domains ---- */

/* A simulation with a time, clocks, events and processes of its own that shares the layer
 * above and the panic handler with whole and is freed with it. Its modules may stand below
 * modules of the whole, its ports be bound to others' (sim_bind_domains()). Nothing runs
 * it but sim_run_domain(): domains, the whole among them, take turns, and who gives them
 * their turns sees to it that none has run beyond what another sends it. Elaboration only. */
struct sim *sim_new_domain(struct sim *whole);

/* Whether s is a domain of another simulation, or has some. */
bool sim_has_domains(const struct sim *s);

/* No instant of s comes earlier; SIM_TIME_MAX: none is pending. */
sim_time_t sim_next(struct sim *s);

/* sim_run() without a limit of instants, by whose end the time of s is that of the last
 * instant that ran. */
enum sim_status sim_run_domain(struct sim *s, sim_time_t until);

/* Nothing of s happens up to t: it is t. */
void sim_pass(struct sim *s, sim_time_t t);

/* ---- clocks ---- */

/* A clock of period num/den ps, 2^63 > num >= den >= 1 (at most 1 THz). Elaboration
 * only. */
void sim_clock_init(struct sim_clock *c, struct sim *s, const char *name, uint64_t num,
                    uint64_t den);

/* The latest edge at or before now. */
static inline sim_cycle_t sim_cycle(struct sim_clock *c);

/* Time of edge k; SIM_TIME_MAX if it lies beyond. */
sim_time_t sim_edge(const struct sim_clock *c, sim_cycle_t k);

/* The latest edge at or before time t. */
sim_cycle_t sim_cycle_of(const struct sim_clock *c, sim_time_t t);

/* ---- events ---- */

/* c: the clock in whose cycles the event is notified; NULL: picoseconds only. */
void sim_event_init(struct sim_event *e, struct sim *s, struct sim_clock *c,
                    const char *name);

/* At edge(cycle now + n) of the event's clock, n >= 1: strictly later than now. Beyond
 * all time nothing is notified and the run ends with SIM_OVERFLOW. */
static inline void sim_notify_cycles(struct sim_event *e, uint64_t n);

/* At edge k of the event's clock; k must be later than its current cycle. */
static inline void sim_notify_at(struct sim_event *e, sim_cycle_t k);

/* For the process under way, which alone waits on e, and which has done all that it has to
 * do in this instant: notify e for edge k. True: nothing else happens before, and it is
 * that edge now, as if e had woken the process; it goes on there, and runs in place what
 * the engine would have come back with. */
bool sim_go_on(struct sim_event *e, sim_cycle_t k);

/* ps >= 1 picoseconds from now. */
void sim_notify_ps(struct sim_event *e, sim_time_t ps);

/* In the next delta of this instant. */
static inline void sim_notify_delta(struct sim_event *e);

/* Forget the pending notification, if there is one. */
void sim_cancel(struct sim_event *e);

static inline bool sim_pending(const struct sim_event *e);

/* ---- processes ---- */

/* run(self) is called when an event it waits on triggers; once per delta at most. */
void sim_process_init(struct sim_process *p, struct sim *s, const char *name,
                      void (*run)(void *self), void *self);

/* Wake p whenever e triggers; any number of either. Elaboration only. */
void sim_wake_on(struct sim_process *p, struct sim_event *e);

/* ---- signals ---- */

struct sim_signal; /* up to 64 bits, changes in the update phase */

void sim_signal_init(struct sim_signal *g, struct sim *s, const char *name,
                     uint32_t width);
static inline void sim_write(struct sim_signal *g, uint64_t v);
static inline uint64_t sim_read(const struct sim_signal *g);
/* Triggered in the delta after the value changed. */
struct sim_event *sim_changed(struct sim_signal *g);

/* ---- broken contracts ---- */

/* Every build: condition, time and place are told to the handler, then abort(). */
#define SIM_REQUIRE(s, cond, where)                                                    \
    do {                                                                               \
        if (UNLIKELY(!(cond))) {                                                       \
            sim_panic((s), #cond, (where));                                            \
        }                                                                              \
    } while (0)

void sim_panic(const struct sim *s, const char *condition,
               const char *where) ATTR_NORETURN ATTR_COLD;

/* The handler closes waves and prints; it may longjmp away in tests. */
void sim_on_panic(struct sim *s, void (*fn)(void *ctx, const char *text), void *ctx);

#include "engine/sim_inline.h" /* structures and inline functions; not part of the contract */

#endif /* ENGINE_SIM_H */
