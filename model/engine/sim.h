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
 * timed one. Events due at one instant trigger clock by clock, what was notified in
 * picoseconds first, then by clock in order of construction, and for each in the order
 * of their notification; the processes they wake run in the order of the triggers, or,
 * with a shuffle seed, in a random one, which must not change any result.
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
#include <stdatomic.h>
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

/* End the run after the current instant. Callable from processes and observers, and
 * from other threads and handlers of signals; between runs, the next one returns
 * SIM_STOPPED without starting. */
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

/* An observer is called at the end of an instant in which something ran, before time
 * advances; several are called in order of registration. With pending, it is called
 * only if *pending is true by then. It must not notify events. */
struct sim_observer {
    void (*end_of_instant)(void *ctx, sim_time_t now);
    void *ctx;
    struct sim_observer *next;
    const bool *pending;
};
void sim_observe(struct sim *s, struct sim_observer *o);

/* An alarm is called once, before the first instant at or after time `at`, and outside
 * of any instant, so that it may notify events, as between runs. If nothing happens
 * from `at` on, it is not called. */
struct sim_alarm {
    sim_time_t at;
    void (*ring)(void *ctx);
    void *ctx;
    struct sim_alarm *next;
};
void sim_set_alarm(struct sim *s, struct sim_alarm *a);

/* ---- domains ---- */

/* A domain is a simulation with a time, clocks, events and processes of its own, which
 * belongs to another simulation, the whole. It shares the component layer and the panic
 * handler with the whole and is freed with it. Its modules may stand below modules of
 * the whole, and its ports may be bound to ports of other domains (sim_bind_domains()).
 * Only sim_run_domain() runs it. The domains, and the whole as one of them, run in
 * turns. Who calls sim_run_domain() makes sure that no domain runs beyond the time at
 * which another one sends it something. Elaboration only. */
struct sim *sim_new_domain(struct sim *whole);

/* Is s a domain of another simulation, or does it have domains? */
bool sim_has_domains(const struct sim *s);

/* A time before which s has no instant; SIM_TIME_MAX: nothing is pending. */
sim_time_t sim_next(struct sim *s);

/* As sim_run(), without a limit of instants. Afterwards the time of s is that of the
 * last instant that ran, not until. */
enum sim_status sim_run_domain(struct sim *s, sim_time_t until);

/* Set the time of s to t, for a caller who knows that nothing happens in s before. */
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

/* The last edge of the run under way. It lasts to sim_run()'s until, that of domains to
 * the time their turns lead to, which whoever runs them says. */
static inline sim_cycle_t sim_run_end(struct sim_clock *c);
/* That of a domain's turn, or else of the run. */
sim_cycle_t sim_turn_end(const struct sim_clock *c);

/* Does the run under way come to edge k? */
bool sim_comes_to(const struct sim_clock *c, sim_cycle_t k);
void sim_turns_lead_to(struct sim *s, sim_time_t until);

/* ---- events ---- */

/* Make an event. c is the clock in whose cycles it is notified; NULL: it is notified in
 * picoseconds only. */
void sim_event_init(struct sim_event *e, struct sim *s, struct sim_clock *c,
                    const char *name);

/* Notify e n cycles of its clock from now, n >= 1: at the edge (current cycle + n). If
 * time does not reach that far, nothing is notified and the run ends with
 * SIM_OVERFLOW. */
static inline void sim_notify_cycles(struct sim_event *e, uint64_t n);

/* Notify e at edge k of its clock; k must be later than the clock's current cycle. */
static inline void sim_notify_at(struct sim_event *e, sim_cycle_t k);

/* Notify e for edge k, or go there at once. Only the running process may call this; it
 * alone waits on e, and it has done all that it has to do in this instant. False: e is
 * notified, and the process returns as usual. True: nothing else happens before edge k,
 * so that time has advanced to it already; the process does what it would do if e had
 * woken it there. */
bool sim_go_on(struct sim_event *e, sim_cycle_t k);

/* Notify e ps >= 1 picoseconds from now. */
void sim_notify_ps(struct sim_event *e, sim_time_t ps);

/* Notify e in the next delta of this instant. */
static inline void sim_notify_delta(struct sim_event *e);

/* Forget the pending notification, if there is one. */
void sim_cancel(struct sim_event *e);

static inline bool sim_pending(const struct sim_event *e);

/* ---- processes ---- */

/* Make a process: run(self) is called when an event that wakes it triggers, at most
 * once per delta. */
void sim_process_init(struct sim_process *p, struct sim *s, const char *name,
                      void (*run)(void *self), void *self);

/* Whenever e triggers, p is woken. An event may wake several processes, and a process
 * may be woken by several events. Elaboration only. */
void sim_wake_on(struct sim_process *p, struct sim_event *e);

/* ---- signals ---- */

struct sim_signal; /* up to 64 bits, changes in the update phase */

void sim_signal_init(struct sim_signal *g, struct sim *s, const char *name,
                     uint32_t width);
static inline void sim_write(struct sim_signal *g, uint64_t v);
static inline uint64_t sim_read(const struct sim_signal *g);
/* The event that triggers in the delta after the value has changed. */
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

#include "engine/sim_inline.h" /* structures and inline functions; not part of the
                                  contract */

#endif /* ENGINE_SIM_H */
