/*
 * trace_options.h - the options about waveforms, which "smwave run" and "smwave exec"
 * both have.
 */
#ifndef CMD_TRACE_OPTIONS_H
#define CMD_TRACE_OPTIONS_H

#include "trace/trace_select.h"
#include <argp.h>

enum { TRACE_MAX_LIST = 256 };

struct trace_options {
    const char *trace, *timescale; /* NULL: not said; of time, ps or cycle */
    const char *views[TRACE_MAX_LIST];
    struct trace_asked { /* of what is traced, in the order given */
        enum trace_item item;
        const char *name, *text; /* of the option */
    } asked[TRACE_MAX_LIST];
    uint32_t n_views, n_asked;
};

/* The children of a command's argp; at ARGP_KEY_INIT the command sets child_inputs[0]
 * to its struct trace_options. */
extern const struct argp trace_argp;

#endif /* CMD_TRACE_OPTIONS_H */
