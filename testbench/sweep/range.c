#include "sweep/range.h"

#include "io/num.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool refuse(const char *part, size_t n, struct smw_err *e)
{
    return err_set(e, SMW_ERR_USAGE,
                   "--only takes numbers of points, as 3 or 3,7-9, not '%.*s'", (int)n,
                   part);
}

static bool number(const char *text, size_t n, uint64_t *out)
{
    char copy[24];

    if (n >= sizeof(copy)) {
        return false;
    }
    memcpy(copy, text, n);
    copy[n] = '\0';
    return strspn(copy, "0123456789") == n && num_u64(copy, out) == NUM_OK;
}

bool range_parse(struct range *r, const char *text, struct smw_err *e)
{
    for (const char *part = text;; part++) {
        size_t n = strcspn(part, ","), dash = strcspn(part, "-,");
        uint64_t first = 0, last = 0;

        if (!number(part, dash, &first)) {
            return refuse(part, n, e);
        }
        last = first;
        if (dash < n &&
            (!number(part + dash + 1, n - dash - 1, &last) || last < first)) {
            return refuse(part, n, e);
        }
        if (r->n == RANGE_MAX) {
            return err_set(e, SMW_ERR_USAGE, "--only takes at most %d ranges",
                           RANGE_MAX);
        }
        r->first[r->n] = first;
        r->last[r->n++] = last;
        part += n;
        if (*part == '\0') {
            return true;
        }
    }
}

bool range_has(const struct range *r, uint64_t index)
{
    for (uint32_t i = 0; i < r->n; i++) {
        if (index >= r->first[i] && index <= r->last[i]) {
            return true;
        }
    }
    return r->n == 0;
}

bool range_check(const struct range *r, uint64_t n, struct smw_err *e)
{
    for (uint32_t i = 0; i < r->n; i++) {
        if (r->last[i] >= n) {
            return err_set(e, SMW_ERR_USAGE,
                           "--only: there is no point %" PRIu64
                           ", the last one is %" PRIu64,
                           r->last[i], n - 1);
        }
    }
    return true;
}
