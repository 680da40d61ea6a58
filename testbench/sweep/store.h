/*
 * store.h - the folder of a sweep.
 *
 *   OUT/.smwave              smwave wrote it
 *   OUT/sweep.yml            the sweep file, with its name
 *   OUT/plan.jsonl           the points (plan.h)
 *   OUT/points/000123/       one point that has ended: stats.json, report.json,
 *                            output.txt (what its kernels printed), done.json
 *   OUT/points/.000123.HOST-PID.part   one that is being written, by that process
 *   OUT/results.csv, OUT/results.sqlite, OUT/plots/, OUT/report.html
 *
 * A point is there as a whole or not at all. It is written into a folder .part, with
 * done.json as the last file, and then that folder is renamed. A process that is killed
 * leaves its .part, and whoever runs the point next removes it. A file that is replaced
 * is first written under a name of its own and then renamed. So several processes may
 * work in the folder at the same time, also on several hosts that share it.
 *
 * done.json has "schema", "index", "digest", "status" ("ok" or "failed"), "exit" (as
 * "smwave run" would), "cause" (only of failed ones), "error" (one line) and "host":
 * true if the machine was the cause and not what was run, so that it is worth trying
 * again.
 */
#ifndef SWEEP_STORE_H
#define SWEEP_STORE_H

#include "sweep/plan.h"

#define STORE_SWEEP  "sweep.yml"
#define STORE_CSV    "results.csv"
#define STORE_SQLITE "results.sqlite"
#define STORE_PAGE   "report.html"

enum store_status { STORE_MISSING, STORE_OK, STORE_FAILED };

enum store_cause {
    CAUSE_KERNEL, /* a fault, a race, a wrong result */
    CAUSE_CONFIG,
    CAUSE_INPUT,
    CAUSE_DEADLOCK,
    CAUSE_LIMIT,  /* of cycles */
    CAUSE_IO,     /* a file; the disk is full */
    CAUSE_MEMORY, /* more than it may have */
    CAUSE_TIME,   /* wall time */
    CAUSE_SIGNAL, /* somebody killed it, or it crashed */
    CAUSE_INTERNAL,
    STORE_CAUSES
};

const char *store_cause_name(enum store_cause c);   /* "kernel" */
const char *store_status_name(enum store_status s); /* "missing", "ok", "failed" */

struct store_done {
    uint64_t index, digest;
    enum store_status status;
    int exit;               /* 0 if ok */
    enum store_cause cause; /* of FAILED */
    char error[512];        /* "" if ok */
    bool host;              /* the machine was the cause */
};

/* Where the results of the sweep go: out, or smwave-out/NAME.sweep if it is NULL. The
 * caller frees. */
char *store_dir(const struct sweep *s, const char *out);

/* The folder, with its plan, that a command is given: as a folder, or as a sweep file,
 * whose folder out is, or smwave-out/NAME.sweep if it is NULL. The caller frees; NULL
 * and *e.
 */
char *store_find(const char *word, const char *out, struct smw_err *e);

/* Is dir the folder of a sweep? It is if it holds a plan. */
bool store_is(const char *dir);

/* Make the folder ready for the sweep, as outdir.h says, and copy the sweep file;
 * points that are there stay. *lock is for outdir_release(); it may be NULL, as there.
 */
bool store_create(const char *dir, const struct sweep *s, bool force, int *lock,
                  struct smw_err *e);

/* "OUT/points/000123"; the caller frees. */
char *store_point(const char *dir, uint64_t index);

/* What point index of that digest came to; STORE_MISSING if it has not ended, or if
 * what is there is of another digest. False and *e: it has ended, and nobody can read
 * how; *out is missing then. */
bool store_read(const char *dir, uint64_t index, uint64_t digest,
                struct store_done *out, struct smw_err *e);
/* Its results cannot be read: it failed, because of the machine. */
void store_unread(struct store_done *d, const struct smw_err *why);

/* A new folder to write the point into; the caller frees. NULL and *e. */
char *store_begin(const char *dir, uint64_t index, struct smw_err *e);
/* Write done.json into part and let it take the place of the point. On failure part is
 * removed. */
bool store_commit(const char *dir, const char *part, const struct store_done *done,
                  struct smw_err *e);
void store_discard(const char *part);
/* Remove what process pid of this host has left of the point. */
void store_discard_of(const char *dir, uint64_t index, long pid);

/* Remove what processes that are dead have left of those points for which wanted() is
 * true. */
void store_clean(const char *dir, bool (*wanted)(void *ctx, uint64_t index), void *ctx);

/* Replace OUT/name by size bytes. */
bool store_write(const char *dir, const char *name, const void *data, size_t size,
                 struct smw_err *e);
/* A path beside OUT/name to write it to, then to be renamed; the caller frees. */
char *store_beside(const char *dir, const char *name);
/* If it was written well (ok), let it take the place of OUT/name; else, or if that
 * fails, it is removed. */
bool store_replace(const char *dir, const char *name, const char *part, bool ok,
                   struct smw_err *e);

#endif /* SWEEP_STORE_H */
