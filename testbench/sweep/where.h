/*
 * where.h - the command line of commands that read the folder of a sweep: a folder or a
 * sweep file, and -o.
 */
#ifndef SWEEP_WHERE_H
#define SWEEP_WHERE_H

struct sweep_where {
    const char *word, *out; /* for store_find() */
};

/* doc: as argp takes it. Usage errors end the program, as argp does. */
void sweep_where_parse(struct sweep_where *w, const char *doc, int argc, char **argv);

#endif /* SWEEP_WHERE_H */
