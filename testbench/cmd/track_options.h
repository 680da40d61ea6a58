/*
 * track_options.h - options of "smwave run" and "smwave exec" about pipelines,
 * timelines and tables of blocks.
 */
#ifndef CMD_TRACK_OPTIONS_H
#define CMD_TRACK_OPTIONS_H

#include "track/track.h"

#include <argp.h>

struct track_options {
    struct track_plan plan;
    const char *record_said; /* an option that needs a record; NULL: none */
};

extern const struct argp track_argp; /* input: a struct track_options */

/* Children of both commands: trace_options.h's first, then this. */
extern const struct argp_child options_of_runs[];

#endif /* CMD_TRACK_OPTIONS_H */
