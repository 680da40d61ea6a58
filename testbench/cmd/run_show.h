/*
 * run_show.h - what went wrong in a run, on stderr, with its lines of the PTX and of
 * the launch file.
 */
#ifndef CMD_RUN_SHOW_H
#define CMD_RUN_SHOW_H

#include "run/run.h"

/* The fault that ended it; nothing if none did. */
void run_show_fault(const struct run *r);

/* Expectations that do not hold, and what else could be checked. */
void run_show_wrong(const struct run *r, enum smw_check checked);

/* Of a run that was stopped: where its warps stand. */
void run_show_standing(const struct run *r);

#endif /* CMD_RUN_SHOW_H */
