/*
 * cmd_wave_list.h - "smwave wave list".
 */
#ifndef CMD_WAVE_LIST_H
#define CMD_WAVE_LIST_H

#include <stdbool.h>

/* Print the signals of a dump, or of the directory of a run, as a table or as JSON: path,
 * kind, width, unit, doc. pattern: a glob of their paths or of a scope around them; NULL:
 * all. The exit code. */
int cmd_wave_list(const char *dump, const char *pattern, bool json);

#endif /* CMD_WAVE_LIST_H */
