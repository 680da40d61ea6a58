/*
 * slurm.h - the scripts that give a sweep to Slurm.
 *
 *   array.sh   a task of a job array runs a chunk of the plan. Task t of a submission
 *              with the offset o runs chunk o + t, so that sweeps of more chunks than
 *              an array may have tasks are several arrays of the same script. A task
 *              that is told that its time is nearly up lets running points finish and
 *              is queued again if it came forward. So is one whose node failed.
 *   merge.sh   merges what there is, once all arrays have ended.
 *   submit.sh  submits them: one array after the other, so that no more tasks than
 *              allowed run at once, then the merge.
 *
 * They stand in OUT/slurm, where their logs are written too.
 */
#ifndef SWEEP_SLURM_H
#define SWEEP_SLURM_H

#include "sweep/jobs.h"

enum {
    SLURM_NOTICE = 120,    /* seconds before its end at which a task is told of it */
    SLURM_MIN_TIME = 300,  /* seconds of a task; Slurm tells up to a minute early */
    SLURM_STOPPED = 138,   /* the exit code of a sweep that SIGUSR1 stopped */
    SLURM_MAX_ARRAY = 1001 /* the MaxArraySize of a Slurm that nobody configured */
};

struct slurm_options {
    const char *time, *memory; /* as Slurm writes them */
    const char *partition;     /* NULL: the default one */
    uint32_t cpus;             /* of a task */
    uint32_t max_running;      /* tasks at once */
    uint32_t max_array;        /* tasks of an array */
};

/* "30", "30:00", "00:30:00", "1-12", "1-12:30", "1-12:30:00". SMW_ERR_USAGE; also if it
 * is less than SLURM_MIN_TIME. */
bool slurm_check_time(const char *text, struct smw_err *e);
/* "500M", "1G". SMW_ERR_USAGE. */
bool slurm_check_memory(const char *text, struct smw_err *e);

void slurm_array_script(const struct jobs *j, const struct slurm_options *o,
                        struct text *out);
void slurm_merge_script(const struct jobs *j, const struct slurm_options *o,
                        struct text *out);
void slurm_submit_script(const struct jobs *j, const struct slurm_options *o,
                         struct text *out);

#endif /* SWEEP_SLURM_H */
