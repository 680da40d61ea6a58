/*
 * run.h - one run, from the name of its target to what it came to: launch file,
 * configuration, device, launches, findings, expectations, files.
 *
 * It speaks to nobody: no signals, no standard output, no globals. Whoever holds one
 * steps its device (smw_step) between run_open() and run_conclude(), listens to it and
 * prints; runs in different threads do not know of each other.
 *
 *   run_read() - run_open() - step ... - run_conclude() - run_write() - run_close()
 */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "run/races.h"
#include "run/results.h"

struct run_request {
    const char *target; /* a launch file, else the name of a built-in one */
    const char *config; /* preset or file; NULL: the launch file's, else the defaults */
    const char *const *sets; /* "key=value" of the configuration, the last one wins */
    const char *const *launches; /* "PATH=VALUE" of the launch file, in this order */
    uint32_t n_sets, n_launches;
};

struct run {
    char *path, *name; /* of the launch file: as opened; its stem */
    struct launch_file file;
    struct smw_config *config;
    struct host host;
    struct findings findings;
    struct races races; /* among them */
    struct expect_result *expects;
    struct results results;
    uint32_t wrong; /* expectations that do not hold */
};

/* What is asked for, checked without a device. r: all zero. */
bool run_read(struct run *r, const struct run_request *q, struct smw_err *e);

/* The launch file and the configuration alone, not whether it is a device. r: all
 * zero. */
bool run_configure(struct run *r, const struct run_request *q, struct smw_err *e);

/* The device with its data in place and every launch queued. */
bool run_open(struct run *r, const struct smw_options *o, struct smw_err *e);

/* The same once more with other options, as if it had not been opened. */
bool run_open_again(struct run *r, const struct smw_options *o, struct smw_err *e);

/* The run has ended so: collect what it came to. False and *e: an expectation could not
 * be checked; there are no results then. */
bool run_conclude(struct run *r, enum smw_status status, struct smw_err *e);

/* stats.json and report.json into dir; both, or as many of them as can be written. */
bool run_write(const struct run *r, const char *dir, struct smw_err *e);
/* config.yml, from which it can be run again. */
bool run_write_config(const struct run *r, const char *dir, struct smw_err *e);

/* SMW_ERR_NONE, or what the results say is wrong: a fault, a limit, wrong data, a race;
 * with strict, a warning. SMW_ERR_INTERNAL: it was not run to its end. */
enum smw_err_kind run_verdict(const struct run *r, bool strict);

/* Of any run, begun or not. */
void run_close(struct run *r);

#endif /* RUN_RUN_H */
