/*
 * exec_options.h - what the command lines of "smwave exec" and of "smwave run FILE.cu"
 * ask for.
 */
#ifndef CMD_EXEC_OPTIONS_H
#define CMD_EXEC_OPTIONS_H

#include "cmd/trace_options.h"
#include "cmd/track_options.h"
#include "runtime/settings.h"

enum { EXEC_MAX_LIST = 256 };

/* What a program's devices may take if nobody says, as RUN_MAX_CYCLES. */
#define EXEC_MAX_CYCLES "1000000000"

struct exec_options {
    const char *config; /* devices, divided by commas; NULL: not said */
    const char *overrides[EXEC_MAX_LIST]; /* "key=value" */
    const char *stats[EXEC_MAX_LIST];     /* files */
    uint32_t n_overrides, n_stats;
    const char *outdir, *record, *launches;   /* NULL: not said */
    const char *check, *max_cycles, *threads; /* the same */
    const char *said[RT_SAID_N];              /* the same; but for waves */
    struct trace_options waves;
    struct track_options track;
    char track_text[TRACK_TEXT]; /* the same in words, for the session */
    bool force, json, quiet;
    bool divided;         /* "--" stands before the program */
    char *const *program; /* and its arguments, as argv has them; ends with NULL */
};

/* Usage errors end the process, as argp does. */
void exec_options_parse(struct exec_options *o, int argc, char **argv);

/* The first word that is neither an option nor what an option takes; argc: there is
 * none. */
int exec_first_word(int argc, char *const *argv);

/* The first of the program's own words that is the name of an option of ours, where
 * nothing says that it is meant for the program; NULL: there is none. */
const char *exec_misplaced(const struct exec_options *o);

#endif /* CMD_EXEC_OPTIONS_H */
