/*
 * plan.h - the points of a sweep, in their order, and the file that lists them.
 *
 * plan.jsonl has one line per point, in the order of the points, which are numbered
 * from 0 after where has left some out:
 *
 *   {"index":0,"digest":"0123456789abcdef","target":"reduction-small",
 *    "config":"gtx480","set":{"sm.onchip.partition":"48/16"},
 *    "launch":{"launches.0.block":"[256]"},
 *    "params":{"n":256,"sm.onchip.partition":"48/16"}}
 *
 * (one line there). config is null if the launch file says it. set and launch are texts
 * in the order they are applied; params are the axes in their order, then derived
 * variables.
 *
 * The digest stands for everything the results follow from: the resolved configuration,
 * the launch file with its overrides, the module and data files, the version of the
 * program, the limit of cycles and whether stall.* are counted. Of a point that cannot
 * be resolved it stands for the settings and the reason.
 */
#ifndef SWEEP_PLAN_H
#define SWEEP_PLAN_H

#include "sweep/sweep.h"

#define PLAN_FILE "plan.jsonl"

enum { PLAN_MANY = 1000000 /* a sweep of more points must be confirmed */ };

/* ---- making points ---- */

struct plan { /* an iterator */
    const struct sweep *sweep;
    uint64_t combination; /* the next one */
    uint64_t index;       /* of the next point */
};

void plan_start(struct plan *p, const struct sweep *s);
/* The next point, without digest and paths; the caller frees it. False at the end, or
 * with *e filled: an expression that has no value. */
bool plan_next(struct plan *p, struct sweep_point *point, struct smw_err *e);

struct plan_made {
    uint64_t points, left_out; /* by where */
    uint64_t refused;     /* points whose configuration or launch file is refused */
    struct smw_err first; /* why, of the first of those, pointing into the sweep */
    uint64_t first_index;
};

/* False and *e (SMW_ERR_USAGE): the sweep has more than PLAN_MANY combinations. yes:
 * the user has confirmed any number. */
bool plan_check_size(const struct sweep *s, bool yes, struct smw_err *e);

/* Does the sweep have a point that can run? Ask before making its folder. */
bool plan_check(const struct sweep *s, struct smw_err *e);

/* Enumerate all points and write them to path, at once. Fails if every point is
 * refused, for the reason of the first. */
bool plan_make(const struct sweep *s, const char *path, struct plan_made *made,
               struct smw_err *e);

/* ---- reading them back ---- */

/* An open plan. Points are read when asked for, by any thread or forked process. */
struct plan_file {
    char *path, *from; /* from: the sweep file, NULL: not known */
    int fd;
    uint64_t n;
    uint64_t *line; /* offset of point i; of the end at n */
};

/* from: the sweep file whose directory relative names start at; NULL: points are not to
 * be run, target_path and config_path stay NULL. */
bool plan_read(struct plan_file *f, const char *path, const char *from,
               struct smw_err *e);
/* Point i; the caller frees it. */
bool plan_point(const struct plan_file *f, uint64_t i, struct sweep_point *point,
                struct smw_err *e);
void plan_close(struct plan_file *f);

typedef bool plan_wanted(void *ctx, uint64_t index);

/* Does the plan still hold for the sweep? *holds is true if the sweep has as many
 * points as the plan, and each point that wanted() asks for would be planned as it
 * stands there. This is much less work than planning all points anew. */
bool plan_holds(const struct plan_file *f, const struct sweep *s, plan_wanted *wanted,
                void *ctx, bool *holds, struct smw_err *e);

#endif /* SWEEP_PLAN_H */
