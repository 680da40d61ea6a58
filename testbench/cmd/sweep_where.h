/*
 * sweep_where.h - the command line of commands that read the folder of a sweep: a folder or a
 * sweep file, and -o.
 */
#ifndef CMD_SWEEP_WHERE_H
#define CMD_SWEEP_WHERE_H

#include <argp.h>

struct sweep_where {
    const char *word, *out; /* for store_find() */
};

/* Both for the command's argp, whose input is a struct sweep_where. */
extern const struct argp_option sweep_where_options[];
error_t sweep_where_parse(int key, char *arg, struct argp_state *state);

#endif /* CMD_SWEEP_WHERE_H */
