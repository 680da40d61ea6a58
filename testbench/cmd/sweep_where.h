/*
 * sweep_where.h - the command line of commands that read the folder of a sweep: a
 * folder or a sweep file, and -o.
 */
#ifndef CMD_SWEEP_WHERE_H
#define CMD_SWEEP_WHERE_H

#include <argp.h>

struct sweep_where {
    const char *word, *out; /* for store_find() */
};

/* The line of -o in the option table of a command that has others too. */
#define SWEEP_WHERE_OPTION                                                             \
    {                                                                                  \
        "output", 'o', "DIR", 0,                                                       \
            "the folder of the sweep, if SWEEP is a file (default: "                   \
            "smwave-out/NAME.sweep)",                                                  \
            0                                                                          \
    }

/* Both for the command's argp, whose input is a struct sweep_where. */
extern const struct argp_option sweep_where_options[];
error_t sweep_where_parse(int key, char *arg, struct argp_state *state);

#endif /* CMD_SWEEP_WHERE_H */
