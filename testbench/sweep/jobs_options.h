/*
 * jobs_options.h - what the command lines of commands that make jobs share: the sweep,
 * its folder, the program.
 */
#ifndef SWEEP_JOBS_OPTIONS_H
#define SWEEP_JOBS_OPTIONS_H

#include "sweep/jobs.h"
#include <argp.h>

enum {
    JOBS_FORCE = 256,
    JOBS_PROGRAM,
    JOBS_YES,
    JOBS_OWN /* of the command: from here */
};

/* An option of -o, JOBS_... or the sweep itself, as argp's parsers take it. */
error_t jobs_parse_option(int key, char *arg, struct jobs_options *o,
                          struct argp_state *state);

#endif /* SWEEP_JOBS_OPTIONS_H */
