/*
 * sweep_answer.h - how far a sweep has come, as JSON: of "sweep status", "run" and
 * "merge".
 */
#ifndef CMD_SWEEP_ANSWER_H
#define CMD_SWEEP_ANSWER_H

#include "sweep/table.h"

/* The counts and each point that failed. dir: where the results of it were written;
 * NULL: none were. drawn: a page and plots too. */
void sweep_answer(const struct sweep_table *t, const char *dir, bool drawn);

#endif /* CMD_SWEEP_ANSWER_H */
