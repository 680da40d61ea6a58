/*
 * trace_values.h - the waveform that three writers are timed with: libvcd and fprintf by
 * trace_values.c, SystemC's sc_trace by trace_systemc.cpp. 64 signals of 32 bits, all of
 * which change at every step, a nanosecond apart. C and C++.
 *
 *   random      every value is drawn anew
 *   counters    every signal counts up by one, from a start of its own below 65536
 *
 * A program runs "PROG WRITER PATTERN STEPS FILE" and prints
 * "WRITER,PATTERN,CHANGES,NANOSECONDS,BYTES": processor time, user and system, from the
 * first step until the file is closed, what makes the values included.
 */
#ifndef BENCH_TRACE_VALUES_H
#define BENCH_TRACE_VALUES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { TRACE_SIGNALS = 64, TRACE_USAGE = 2 };

struct trace_values {
    uint64_t rand;
    bool counters;
    uint32_t value[TRACE_SIGNALS];
};

/* xorshift64*: a few instructions per value. */
static inline uint32_t trace_draw(struct trace_values *v)
{
    v->rand ^= v->rand >> 12;
    v->rand ^= v->rand << 25;
    v->rand ^= v->rand >> 27;
    return (uint32_t)(v->rand * 0x2545f4914f6cdd1du >> 32);
}

static inline void trace_values_step(struct trace_values *v)
{
    for (int i = 0; i < TRACE_SIGNALS; i++) {
        v->value[i] = v->counters ? v->value[i] + 1 : trace_draw(v);
    }
}

/* False: there is no such pattern. */
static inline bool trace_values_init(struct trace_values *v, const char *pattern)
{
    v->rand = 0x9e3779b97f4a7c15u;
    v->counters = strcmp(pattern, "counters") == 0;
    for (int i = 0; i < TRACE_SIGNALS; i++) {
        v->value[i] = trace_draw(v) & 0xffff;
    }
    return v->counters || strcmp(pattern, "random") == 0;
}

static inline double trace_now_ns(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline void trace_report(char **argv, uint64_t steps, double ns)
{
    struct stat s;

    if (stat(argv[4], &s) != 0) {
        perror(argv[4]);
        exit(7);
    }
    printf("%s,%s,%llu,%.0f,%llu\n", argv[1], argv[2],
           (unsigned long long)steps * TRACE_SIGNALS, ns,
           (unsigned long long)s.st_size);
}

#endif /* BENCH_TRACE_VALUES_H */
