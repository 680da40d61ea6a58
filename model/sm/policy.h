/*
 * policy.h - warp scheduling policies: which of the warps that can issue does.
 *
 * A policy is a named function in a const table, chosen by configuration (SPEC
 * SCHED-1).
 */
#ifndef SM_POLICY_H
#define SM_POLICY_H

#include "base/attr.h"
#include <stdbool.h>
#include <stdint.h>

struct sched {           /* one warp scheduler of an SM */
    uint64_t active;     /* two_level: the warps of the inner level */
    uint32_t last;       /* warp slot that issued last */
    uint32_t n_active;   /* two_level: size of the inner level */
    const uint64_t *age; /* of each warp slot: smaller is older */
};

/* ready: not empty, of the warps it serves. waiting: warps that wait for memory or a
 * barrier. */
typedef uint32_t policy_fn(struct sched *s, uint64_t ready, uint64_t waiting);

/* lrr: the next one after the last that issued, in slot order. */
static inline uint32_t policy_round_robin(const struct sched *s, uint64_t ready)
{
    uint64_t above = ready & ~1ull << s->last;

    return attr_lowest_bit(above != 0 ? above : ready);
}

struct policy {
    const char *name;
    policy_fn *pick;
    const char *doc;
    bool round_robin; /* pick is policy_round_robin() */
    bool asks_once;   /* it remembers: to be asked once per slot, with who can issue */
};

extern const struct policy policy_table[];
extern const uint32_t policy_count;

/* Names in table order, for the configuration. */
extern const char *const policy_names[4];

#endif /* SM_POLICY_H */
