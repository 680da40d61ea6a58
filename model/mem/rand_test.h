/*
 * rand_test.h - for tests: a small generator of repeatable pseudo-random numbers.
 */
#ifndef MEM_RAND_TEST_H
#define MEM_RAND_TEST_H

#include <stdint.h>

/* xorshift64*; *state is any number but 0. */
static inline uint32_t rand_next(uint64_t *state)
{
    uint64_t x = *state;

    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return (uint32_t)(x * 0x2545f4914f6cdd1dull >> 32);
}

/* 0 to n - 1, n >= 1. */
static inline uint32_t rand_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)((uint64_t)rand_next(state) * n >> 32);
}

/* A warp's mask: full, a run, sparse, one lane or anything; never 0. */
static inline uint32_t rand_mask(uint64_t *state)
{
    uint32_t m;

    switch (rand_below(state, 6)) {
    case 0: return UINT32_MAX;
    case 1: return UINT32_MAX >> rand_below(state, 32);
    case 2: return 1u << rand_below(state, 32);
    case 3: m = rand_next(state) & rand_next(state) & rand_next(state); break;
    case 4: m = UINT32_MAX << rand_below(state, 32); break;
    default: m = rand_next(state); break;
    }
    return m == 0 ? 1u : m;
}

#endif /* MEM_RAND_TEST_H */
