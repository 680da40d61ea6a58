/*
 * run_options.h - what the command line of "smwave run" asks for.
 */
#ifndef CMD_RUN_OPTIONS_H
#define CMD_RUN_OPTIONS_H

#include "cmd/trace_options.h"
#include "cmd/track_options.h"
#include "smwave.h"

enum { RUN_MAX_LIST = 256, RUN_MAX_THREADS = 256, RUN_GAINS = 4, RUN_MAX_GAINS = 1000 };

/* What a run may take if nobody says: an endless loop ends within minutes. */
#define RUN_MAX_CYCLES UINT64_C(1000000000)

struct run_options {
    const char *target, *config, *outdir, *timing; /* NULL: not said */
    const char *report;                            /* SARIF; NULL: none */
    const char *overrides[RUN_MAX_LIST], *stats[RUN_MAX_LIST];
    const char *launches[RUN_MAX_LIST]; /* PATH=VALUE */
    uint32_t n_overrides, n_stats, n_launches;
    bool force, strict, json, explain, profile, quiet, functional;
    uint32_t worst; /* of --explain */
    uint32_t gains; /* further runs, at most */
    bool gains_said;
    uint64_t log_degree, log_wait; /* 0: not said */
    struct trace_options waves;
    struct track_options track;
    uint32_t threads; /* that compute SMs; 0: as many as pay */
    struct smw_options device;
};

/* Usage errors end the program, as argp does. */
void run_options_parse(struct run_options *o, int argc, char **argv);

#endif /* CMD_RUN_OPTIONS_H */
