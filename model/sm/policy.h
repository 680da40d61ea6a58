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

enum { POLICY_MAX_WARPS = 64 };

struct sched {             /* one warp scheduler of an SM */
    uint64_t active;       /* two_level: the warps of the inner level */
    uint32_t last;         /* warp slot that issued last */
    uint32_t n_active;     /* two_level: size of the inner level */
    const uint64_t *older; /* of each warp slot: those whose warp is older */
};

/* A warp begins in slot i of n, the youngest of all. */
static inline void policy_begin(uint64_t *older, uint32_t n, uint32_t i)
{
    for (uint32_t k = 0; k < n; k++) {
        older[k] &= ~(1ull << i);
    }
    older[i] = ~(1ull << i);
}

/* ready: not empty, of the warps it serves. waiting: warps that wait for memory or a
 * barrier. */
typedef uint32_t policy_fn(struct sched *s, uint64_t ready, uint64_t waiting);

/* lrr: the next one after the last that issued, in slot order. */
static inline uint32_t policy_round_robin(const struct sched *s, uint64_t ready)
{
    uint64_t above = ready & ~1ull << s->last;

    return attr_lowest_bit(above != 0 ? above : ready);
}

/* The oldest of the set. */
static inline uint32_t policy_oldest(const struct sched *s, uint64_t ready)
{
    uint32_t best = attr_lowest_bit(ready);
    uint64_t older = ready & s->older[best];

    while (older != 0) {
        best = attr_lowest_bit(older);
        older = ready & s->older[best];
    }
    return best;
}

/* gto: the last one that issued, or the oldest. */
static inline uint32_t policy_greedy(const struct sched *s, uint64_t ready)
{
    return (ready >> s->last & 1u) != 0 ? s->last : policy_oldest(s, ready);
}

/* Instructions to global or local memory that can issue, in the order in which that
 * became so: warps of all schedulers of an SM. */
struct policy_fifo {
    uint64_t in;                     /* warps that are in it */
    uint64_t n;                      /* that have ever come */
    uint64_t turn[POLICY_MAX_WARPS]; /* of a warp in it: those behind it have more */
};

/* These warps of s, none of which is in it, have become ready with such an instruction:
 * of several the older are first. */
void policy_fifo_come(struct policy_fifo *f, const struct sched *s, uint64_t come);

/* Warp i has issued it. */
static inline void policy_fifo_leave(struct policy_fifo *f, uint32_t i)
{
    f->in &= ~(1ull << i);
}

/* The first of the set, which are in it. */
uint32_t policy_fifo_first(const struct policy_fifo *f, uint64_t set);

/* What is asked in line with the step of an SM: these two, or pick. */
enum policy_way { POLICY_ROUND_ROBIN, POLICY_GREEDY, POLICY_PICKS };

struct policy {
    const char *name;
    policy_fn *pick;
    const char *doc;
    enum policy_way way;
    bool asks_once; /* it remembers: to be asked once per slot, with who can issue */
};

extern const struct policy policy_table[];
extern const uint32_t policy_count;

/* Names in table order, for the configuration. */
extern const char *const policy_names[4];

#endif /* SM_POLICY_H */
