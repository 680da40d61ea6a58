/*
 * results.h - what a run came to, as files and as text for people.
 *
 * Files depend on the launch file, the configuration and the program alone: no path, no
 * date, no wall-clock time, no option that must not matter.
 */
#ifndef RUN_RESULTS_H
#define RUN_RESULTS_H

#include "io/file.h"
#include "run/expect.h"
#include "run/findings.h"

struct results {
    struct host *host;
    enum smw_status status;
    const struct smw_fault *fault;   /* NULL: none */
    const struct findings *findings; /* the fault among them; NULL: none */
    const struct expect_result *expects;
    uint32_t n_expects; /* 0 as well if the run did not get that far */
    /* A kernel's name for people, to be freed; NULL, or if it gives that: the PTX's. */
    char *(*readable)(const char *kernel);
};

/* "complete", "interrupted", "fault", "deadlock", "limit". */
const char *results_status(enum smw_status status);

enum results_format { RESULTS_JSON, RESULTS_CSV, RESULTS_TXT };

/* From the ending of a file's name; SMW_ERR_USAGE on another. */
bool results_format(const char *path, enum results_format *out, struct smw_err *e);

/* Every counter of every launch. */
void results_stats(const struct results *r, enum results_format format,
                   struct text *out);

/* Faults, what checks found and expectations, as JSON. */
void results_report(const struct results *r, struct text *out);

/* The summary on a terminal. */
void results_summary(const struct results *r, bool color, struct text *out);

#endif /* RUN_RESULTS_H */
