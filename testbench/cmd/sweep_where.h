/*
 * sweep_where.h - the command line of commands that read the folder of a sweep: a
 * folder or a sweep file, and -o.
 */
#ifndef CMD_SWEEP_WHERE_H
#define CMD_SWEEP_WHERE_H

struct sweep_where {
    const char *word, *out; /* for store_find() */
};

/* doc: as argp takes it. Usage errors end the program, as argp does. */
void sweep_where_parse(struct sweep_where *w, const char *doc, int argc, char **argv);

#endif /* CMD_SWEEP_WHERE_H */
