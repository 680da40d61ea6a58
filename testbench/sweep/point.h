/*
 * point.h - one point of a sweep, run and written down.
 *
 * Running a point writes nothing that it shares with other points, hears no signals,
 * and prints nothing. (One exception: if the model finds itself broken, it says so and
 * ends the process.) So forked workers and threads can use it alike and get the same
 * bytes.
 */
#ifndef SWEEP_POINT_H
#define SWEEP_POINT_H

#include "sweep/store.h"
#include <stdatomic.h>

struct point_limits {
    uint64_t cycles;         /* SM cycles; 0: none */
    bool stalls;             /* no limit: they are counted too, stall.* */
    double seconds;          /* of wall time, of the simulation alone; 0: none */
    const atomic_bool *stop; /* give up when it becomes true; NULL: never */
};

/* Run p, whose paths are resolved, and write stats.json, report.json and, if its
 * kernels printed, output.txt into the folder dir, as far as there are results. *done
 * is what it came to, in any case but one: false if it was stopped. Without memory for
 * it, it is freed and who is to be told of that is (nomem.h). */
bool point_run(const struct sweep_point *p, const char *dir,
               const struct point_limits *l, struct store_done *done);

/* Note that the host has no memory for it: where point_run() did not return. */
void point_out_of_memory(struct store_done *d);

/* Note that the point took more wall time than it may. */
void point_out_of_time(struct store_done *d, double seconds);

#endif /* SWEEP_POINT_H */
