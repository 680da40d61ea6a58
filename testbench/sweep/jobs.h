/*
 * jobs.h - a sweep for somebody else's queue: chunks of its plan, each a command that
 * may run anywhere the folder of the sweep is seen, at once with others, and again.
 *
 * Chunk i holds the points i * chunk to i * chunk + chunk - 1. It is to be run if one
 * of them has not ended, or was stopped by the machine it ran on.
 */
#ifndef SWEEP_JOBS_H
#define SWEEP_JOBS_H

#include "io/file.h"
#include "sweep/store.h"

struct jobs_options {
    const char *what;    /* sweep file, or the name of a shipped one */
    const char *out;     /* NULL: smwave-out/NAME */
    const char *program; /* NULL: this one, by its path */
    uint64_t chunk;      /* points, at least 1 */
    bool force, yes;     /* yes: also more than PLAN_MANY points */
};

struct jobs {
    struct sweep sweep;
    char *program, *file, *dir; /* absolute paths, but of a shipped sweep */
    uint64_t chunk;
    uint64_t n_points, n_ended; /* ended: not to be run again */
    uint64_t *todo, n_todo;     /* the chunks to be run, ascending */
};

/* Make the folder of the sweep, with its plan, and find what is to be run. */
bool jobs_open(struct jobs *j, const struct jobs_options *opt, struct smw_err *e);
void jobs_close(struct jobs *j);

/* text as one word of the shell. */
void jobs_quote(struct text *out, const char *text);

/* The command for the points of what only says ("20-39"), both for the shell. */
void jobs_command(const struct jobs *j, const char *workers, const char *only,
                  struct text *out);

#endif /* SWEEP_JOBS_H */
