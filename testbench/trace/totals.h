/*
 * totals.h - a run in few lines, for the head of a save file: from stats.json, so that
 * one made later says the same as the run's own.
 */
#ifndef TRACE_TOTALS_H
#define TRACE_TOTALS_H

#include "io/file.h"

/* Add the lines for the text of a stats.json; none if it is not one. */
void totals_lines(const char *json, size_t size, struct text *out);

#endif /* TRACE_TOTALS_H */
