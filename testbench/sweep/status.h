/*
 * status.h - how far a sweep has come, for people.
 */
#ifndef SWEEP_STATUS_H
#define SWEEP_STATUS_H

#include "sweep/table.h"

/* "500 points: 498 ok, 2 failed"; then, for each cause, how many failed of it and the
 * first of each message, at most max of them (0: all). Where the machine was the cause,
 * "to be run again" says what the next "sweep run" does. */
void status_print(const struct sweep_table *t, uint32_t max, struct text *out);

#endif /* SWEEP_STATUS_H */
