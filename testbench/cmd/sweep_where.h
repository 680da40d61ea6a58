/*
 * sweep_where.h - the command line of commands that read the folder of a sweep: a
 * folder or a sweep file, -o, and --json.
 */
#ifndef CMD_SWEEP_WHERE_H
#define CMD_SWEEP_WHERE_H

#include <argp.h>
#include <stdbool.h>

struct sweep_where {
    const char *word, *out; /* for store_find() */
    bool json;              /* print JSON */
};

/* The lines of -o and of --json, which prints what doc says, in a command's table. */
#define SWEEP_WHERE_OPTION                                                             \
    {                                                                                  \
        "output", 'o', "DIR", 0,                                                       \
            "the folder of the sweep, if SWEEP is a file (default: "                   \
            "smwave-out/NAME.sweep)",                                                  \
            0                                                                          \
    }
#define SWEEP_JSON_OPTION(doc)                                                         \
    {                                                                                  \
        "json", 'j', NULL, 0, doc, 0                                                   \
    }

/* For the command's argp, whose input is a struct sweep_where. */
error_t sweep_where_parse(int key, char *arg, struct argp_state *state);

#endif /* CMD_SWEEP_WHERE_H */
