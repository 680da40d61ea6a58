/*
 * jobs.h - a sweep cut into jobs for a queue such as Slurm. Its plan is divided into
 * chunks, each of which is a command. A chunk may run on any host that has the folder
 * of the sweep, at the same time as others, and more than once.
 *
 * Chunk i holds the points i * chunk to i * chunk + chunk - 1. It has to be run if one
 * of its points has not ended, or failed because of the machine on which it ran.
 */
#ifndef SWEEP_JOBS_H
#define SWEEP_JOBS_H

#include "io/file.h"
#include "sweep/store.h"

struct jobs_options {
    const char *what;    /* sweep file, or the name of a shipped one */
    const char *out;     /* NULL: smwave-out/NAME.sweep */
    const char *program; /* NULL: this one, by its path */
    uint64_t chunk;      /* points, at least 1 */
    bool force, yes;     /* yes: also more than PLAN_MANY points */
};

struct jobs {
    struct sweep sweep;
    char *program, *file, *dir; /* absolute paths, but file may be a shipped sweep's
                                   name */
    uint64_t chunk;
    uint64_t n_points, n_ended; /* ended: those that need not be run again */
    uint64_t *todo, n_todo;     /* the chunks that have to be run, ascending */
};

/* Make the folder of the sweep, with its plan, and find what is to be run. */
bool jobs_open(struct jobs *j, const struct jobs_options *opt, struct smw_err *e);
void jobs_close(struct jobs *j);

/* Append text, quoted so that the shell takes it as one word. */
void jobs_quote(struct text *out, const char *text);

/* Append the commands of all chunks that have to be run, one a line. */
void jobs_commands(const struct jobs *j, uint32_t workers, struct text *out);

/* Write a script into a folder, which is made if need be; the text is freed. */
bool jobs_write(const char *dir, const char *name, struct text *script,
                struct smw_err *e);

/* Run a program of the PATH and wait for it. SMW_ERR_IO: it could not be started. */
bool jobs_spawn(char *const *argv, int *status, struct smw_err *e);

/* Append the command that runs some points with so many workers; only says which
 * points, as in "20-39". workers and only are pieces of shell text. */
void jobs_command(const struct jobs *j, const char *workers, const char *only,
                  struct text *out);

#endif /* SWEEP_JOBS_H */
