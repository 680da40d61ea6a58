/*
 * estimate.h - how long a sweep will take, from a few of its points.
 *
 * It runs the first, the middle and the last point, each for ESTIMATE_SECONDS at most,
 * and keeps nothing of them. It knows nothing about points that are unlike these three.
 */
#ifndef SWEEP_ESTIMATE_H
#define SWEEP_ESTIMATE_H

#include "io/file.h"
#include "sweep/plan.h"

enum { ESTIMATE_POINTS = 3, ESTIMATE_SECONDS = 2 };

/* Lines for people: "estimate: 42 points take about 6 s of one processor ...", and why
 * the first of those that failed did. dir: the folder of the sweep. */
void estimate(const struct plan_file *plan, const char *dir, const struct sweep *sweep,
              struct text *out);

/* "850 ms", "12 s", "3.5 min", "2.1 h", "4 days". */
void estimate_duration(double seconds, struct text *out);

#endif /* SWEEP_ESTIMATE_H */
