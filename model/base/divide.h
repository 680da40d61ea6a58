/*
 * divide.h - division by a number that stays the same: a multiplication and at most one
 * correction in place of the host's slowest instruction. Exact for every dividend.
 */
#ifndef BASE_DIVIDE_H
#define BASE_DIVIDE_H

#include "base/attr.h"

struct divisor {
    uint64_t d;       /* > 0 */
    uint64_t inverse; /* UINT64_MAX / d */
};

/* d > 0 */
static inline struct divisor divisor_of(uint64_t d)
{
    return (struct divisor){d, UINT64_MAX / d};
}

/* n / d, and n % d into rest. The estimate is never too large and at most 1 too small,
 * for the inverse is at most 1 below 2^64 / d. */
static inline uint64_t divide(const struct divisor *v, uint64_t n, uint64_t *rest)
{
    uint64_t q = attr_mulhi64(n, v->inverse);
    uint64_t r = n - q * v->d;

    if (r >= v->d) {
        r -= v->d;
        q++;
    }
    *rest = r;
    return q;
}

static inline uint64_t quotient(const struct divisor *v, uint64_t n)
{
    uint64_t rest;

    return divide(v, n, &rest);
}

static inline uint64_t remainder_of(const struct divisor *v, uint64_t n)
{
    uint64_t rest;

    (void)divide(v, n, &rest);
    return rest;
}

#endif /* BASE_DIVIDE_H */
