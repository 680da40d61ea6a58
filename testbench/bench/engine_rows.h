/*
 * engine_rows.h - the rows of the engine's benchmark, for both programs that run them:
 * engine_bench.c on this engine, engine_systemc.cpp on SystemC. C and C++.
 *
 * A program is called with the name of a row, a K and how many events are wanted; it
 * builds the row, runs it over its warm-up and then over the measured stretch, both
 * given as simulated time so that the two must execute exactly the same events, and
 * prints
 *
 *   ROW,K,EVENTS,NANOSECONDS
 *
 * of the measured stretch, in processor time. Both ends are exclusive: SystemC does not
 * run what is woken at the very end. Called without arguments it prints ROW,LARGEST_K
 * of all its rows. What is one event, and what differs:
 *
 *   hold_ps_N   K processes, each notifies itself uniformly 1..N picoseconds ahead: a
 *               wake
 *   hold_cy_N   the same in cycles
 *   own         K processes, each notifies itself for the next cycle: a wake
 *   shared      K processes on one event, notified every cycle by one more: a wake
 *   clocked     the same; in SystemC the K wait for the rising edge of an sc_clock
 *   mixed       K processes on three clocks whose edges seldom coincide, each its own
 *               event for its next cycle: a wake
 *   delta       K processes in pairs that notify each other's delta, BENCH_DELTAS times
 *               a cycle: a wake
 *   ripple      a value runs round a ring of K signals, a process each, BENCH_DELTAS
 *               steps a cycle: a change
 *   wave        all K signals of the ring change at each such step: a change
 *   port_1, _8  K pairs of modules, a message per cycle over a link of latency 1, 8: a
 *               message (from the pool, send, wake, take, back to the pool, credit).
 *               SystemC: tlm_utils::peq_with_get for the way there, an sc_event and a
 *               counter for the credits, a list of free messages
 *   port_burst  8 messages every 8th cycle
 *   port_credit one credit only, so that the sender waits for each
 *   port_cross  port_1 from a clock of 714 ps to one of 1082
 *   port_line   one pair, a message per cycle, K of them under way
 *   probe_off   port_1 with the number of messages published at every take, which
 *               nobody watches. SystemC: an sc_signal
 *   probe_on    the same, watched. SystemC: a process sensitive to the signal
 *   txn_cb_ps   one queue, K transactions in it, each put back for a time uniformly
 *               1..65536 ps ahead when its time has come: a transaction. Here: an event
 *               and a process in each, no credits; SystemC: peq_with_cb_and_phase
 *   txn_get_ps  the same with SystemC's peq_with_get
 *   txn_cb_cy, txn_get_cy  the same, 1..64 cycles ahead
 *
 * SystemC is favoured where there is a choice: signals without a check of who writes,
 * methods, no tracing, the lazy return of credits that the ports here use.
 */
#ifndef BENCH_ENGINE_ROWS_H
#define BENCH_ENGINE_ROWS_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    BENCH_DELTAS = 8, /* per cycle */
    BENCH_PS_1 = 714,
    BENCH_PS_2 = 1082,
    BENCH_PS_3 = 1428, /* of a cycle */
    BENCH_ANY_K = 65536
};

struct bench_row {
    const char *name;
    uint32_t largest; /* K beyond this is left out */
    uint64_t param;   /* the row's own */
    double ps;        /* simulated per event if K is 1; about */
    double per_k;     /* 1: K times as many events with K, 0: as many */
};

static const struct bench_row bench_rows[] = {
    {"hold_ps_64", BENCH_ANY_K, 64, 32.5, 1},
    {"hold_ps_65536", BENCH_ANY_K, 65536, 32768.5, 1},
    {"hold_cy_64", BENCH_ANY_K, 64, 32.5 * BENCH_PS_1, 1},
    {"hold_cy_65536", BENCH_ANY_K, 65536, 32768.5 * BENCH_PS_1, 1},
    {"own", BENCH_ANY_K, 0, BENCH_PS_1, 1},
    {"shared", BENCH_ANY_K, 0, BENCH_PS_1, 1},
    {"clocked", BENCH_ANY_K, 0, BENCH_PS_1, 1},
    {"mixed", BENCH_ANY_K, 0, BENCH_PS_2, 1},
    {"delta", BENCH_ANY_K, 0, 2.0 * BENCH_PS_1 / BENCH_DELTAS, 1},
    {"ripple", BENCH_ANY_K, 0, 1.0 * BENCH_PS_1 / BENCH_DELTAS, 0},
    {"wave", BENCH_ANY_K, 0, 1.0 * BENCH_PS_1 / BENCH_DELTAS, 1},
    {"port_1", 4096, 0, BENCH_PS_1, 1},
    {"port_8", 4096, 0, BENCH_PS_1, 1},
    {"port_burst", 4096, 0, BENCH_PS_1, 1},
    {"port_credit", 4096, 0, 2.0 * BENCH_PS_1, 1},
    {"port_cross", 4096, 0, BENCH_PS_2, 1},
    {"port_line", 4096, 0, BENCH_PS_1, 0},
    {"probe_off", 4096, 0, BENCH_PS_1, 1},
    {"probe_on", 4096, 0, BENCH_PS_1, 1},
    {"txn_cb_ps", 4096, 65536, 32768.5, 1},
    {"txn_get_ps", BENCH_ANY_K, 65536, 32768.5, 1},
    {"txn_cb_cy", 4096, 64, 32.5 * BENCH_PS_1, 1},
    {"txn_get_cy", BENCH_ANY_K, 64, 32.5 * BENCH_PS_1, 1},
};

enum { BENCH_ROWS = sizeof(bench_rows) / sizeof(bench_rows[0]) };

/* Simulated picoseconds in which a row with K executes about so many events. */
static inline uint64_t bench_ps(const struct bench_row *r, uint32_t k, double events)
{
    return (uint64_t)(events * r->ps / (r->per_k > 0 ? k : 1)) + 1;
}

static inline double bench_warm_events(uint32_t k)
{
    return k < 4096 ? 16384 : 4.0 * k;
}

static inline uint64_t bench_host_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Uniform in 1..n, n a power of two. */
static inline uint64_t bench_draw(uint64_t *state, uint64_t n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return 1 + ((*state >> 33) & (n - 1));
}

static inline uint64_t bench_seed(uint32_t i)
{
    return i * (uint64_t)0x9e3779b97f4a7c15u;
}

/* What was asked for; does not return unless a row is to be run. */
static inline const struct bench_row *bench_args(int argc, char **argv, uint32_t *k,
                                                 double *events)
{
    if (argc == 1) {
        for (int i = 0; i < BENCH_ROWS; i++) {
            printf("%s,%" PRIu32 "\n", bench_rows[i].name, bench_rows[i].largest);
        }
        exit(0);
    }
    for (int i = 0; argc == 4 && i < BENCH_ROWS; i++) {
        *k = (uint32_t)strtoul(argv[2], NULL, 10);
        *events = strtod(argv[3], NULL);
        if (strcmp(argv[1], bench_rows[i].name) == 0 && *k >= 1 && *events >= 1) {
            return &bench_rows[i];
        }
    }
    fprintf(stderr, "usage: %s [ROW K EVENTS]\n", argv[0]);
    exit(2);
}

static inline void bench_report(const struct bench_row *r, uint32_t k, uint64_t events,
                                uint64_t ns)
{
    printf("%s,%" PRIu32 ",%" PRIu64 ",%" PRIu64 "\n", r->name, k, events, ns);
}

#endif /* BENCH_ENGINE_ROWS_H */
