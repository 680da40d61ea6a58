/*
 * expect.h - does the data say what the launch file expects?
 */
#ifndef RUN_EXPECT_H
#define RUN_EXPECT_H

#include "run/host.h"

struct expect_result {
    const struct launch_expect *expect;
    bool ok;
    uint64_t count, wrong; /* elements compared; that differ (EQUALS) */
    char what[160];        /* "d: 64 elements equal", of a check that holds */
    char wrong_what[256];  /* "d: 3 of 64 elements differ" */
    char detail[256];      /* "first at [5]: got 7, want 58" */
};

/* Check every expectation, in file order; results: one per expectation. False and *e if
 * one could not be checked at all. */
bool expect_check(struct host *h, struct expect_result *results, struct smw_err *e);

/* "hash, f32": what is checked, for reports. */
const char *expect_form(const struct launch_expect *x);

#endif /* RUN_EXPECT_H */
