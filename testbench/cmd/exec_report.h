/*
 * exec_report.h - after a program has run: what came of it, for people and in
 * report.json.
 */
#ifndef CMD_EXEC_REPORT_H
#define CMD_EXEC_REPORT_H

#include "cmd/exec_program.h"

struct exec_story {
    const char *dir, *record; /* folders; record NULL: none */
    const char *path;         /* of the program */
    char *const *argv;
    struct exec_end end;
    bool quiet, json; /* json: stats.json instead of the summary */
    bool checked;     /* for races */
};

/* On stderr: the summary, and why there is none. report.json gets "program": its words,
 * how it ended, and the exit code that "smwave run" would have for what was found. */
void exec_tell(const struct exec_story *s);

#endif /* CMD_EXEC_REPORT_H */
