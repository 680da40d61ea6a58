/*
 * model_measure.h - what a row costs, measured in a process of its own.
 */
#ifndef BENCH_MODEL_MEASURE_H
#define BENCH_MODEL_MEASURE_H

#include "model_rows.h"

enum { MEASURE_RUNS = 101 }; /* at most */

struct measured {
    double best, median; /* seconds of the simulation loop */
    double startup;   /* seconds from the first call to the first simulated instant, of
                            the first run: nothing is warm yet */
    uint64_t peak;    /* bytes the process ever held; 0: unknown */
    uint64_t buffers; /* bytes of those, the kernel's buffers */
    uint64_t elements;
    uint64_t warp_insts, thread_insts, cycles, activations;
    uint64_t host_insts; /* instructions of the loop; 0: not counted */
};

/* Run the row runs times in this process, with the kernels of dir. Ends the program
 * with a message when something fails, a wrong answer above all: speed is never bought
 * with one. */
void measure_here(const struct row *r, const char *dir, uint32_t runs,
                  struct measured *m);

/* The same in a child, whose memory is the row's alone. False: it failed, and said
 * why. */
bool measure_row(const struct row *r, const char *dir, uint32_t runs,
                 struct measured *m);

/* The instructions of the simulation loop, counted by callgrind in a run of program
 * (this one) that has the option -1. 0: failed, and said why. */
uint64_t measure_insts(const struct row *r, const char *dir, const char *program);

#endif /* BENCH_MODEL_MEASURE_H */
