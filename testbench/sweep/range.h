/*
 * range.h - points by their numbers: "3,7-9".
 */
#ifndef SWEEP_RANGE_H
#define SWEEP_RANGE_H

#include "base/err.h"

enum { RANGE_MAX = 1024 };

struct range { /* n 0: all */
    uint64_t first[RANGE_MAX], last[RANGE_MAX];
    uint32_t n;
};

/* Add what text says. SMW_ERR_USAGE. */
bool range_parse(struct range *r, const char *text, struct smw_err *e);
bool range_has(const struct range *r, uint64_t index);
/* Every number is below n, the number of points. SMW_ERR_USAGE. */
bool range_check(const struct range *r, uint64_t n, struct smw_err *e);

#endif /* SWEEP_RANGE_H */
