/*
 * cmd_wave.h - commands of "smwave wave" that have a file of their own. They print what
 * they found for people or as JSON, and return the exit code.
 */
#ifndef CMD_WAVE_H
#define CMD_WAVE_H

#include "trace/dumpfile.h"

/* The signals of a dump, or of the directory of a run, as a table or as JSON: path,
 * kind, width, unit, doc. pattern: a glob of their paths or of a scope around them;
 * NULL: all. */
int cmd_wave_list(const char *dump, const char *pattern, bool json);

/* n dumps read to their ends, and the save files beside each. Errors of a dump are in
 * the JSON, unless one cannot be read: then there is none. */
int cmd_wave_check(const char *const *dumps, uint32_t n, bool quiet, bool json);

/* Where two dumps first differ, and what of them was not compared. Both are open. */
int cmd_wave_diff(struct dumpfile *d, bool json, struct smw_err *e);

#endif /* CMD_WAVE_H */
