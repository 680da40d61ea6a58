/*
 * fp_test.h - operands and host rounding modes for the tests of fp.h.
 *
 * Each test program takes an optional count of random operands per operation and mode;
 * the default keeps a run of all tests short.
 */
#ifndef ISA_FP_TEST_H
#define ISA_FP_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <fenv.h>
#include <math.h>

#include "isa/fp_priv.h"

static const enum isa_round modes[4] = {ISA_R_RN, ISA_R_RZ, ISA_R_RM, ISA_R_RP};
static const int host_modes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

static inline uint64_t test_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static const uint32_t edges32[] = {
    0x00000000, 0x00000001, 0x00000002, 0x003fffff, 0x00400000, 0x007ffffe, 0x007fffff,
    0x00800000, 0x00800001, 0x00ffffff, 0x01000000, 0x33000000, 0x33800000, 0x34000000,
    0x3effffff, 0x3f000000, 0x3f000001, 0x3f7ffffe, 0x3f7fffff, 0x3f800000, 0x3f800001,
    0x3fc00000, 0x40000000, 0x40200000, 0x42fe0000, 0x437f8000, 0x46fffe00, 0x477fff80,
    0x4affffff, 0x4b000000, 0x4b7fffff, 0x4b800000, 0x4effffff, 0x4f000000, 0x4f7fffff,
    0x4f800000, 0x5effffff, 0x5f000000, 0x5f7fffff, 0x5f800000, 0x7e800000, 0x7f000000,
    0x7f7ffffe, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff};
static const uint64_t edges64[] = {
    0x0000000000000000, 0x0000000000000001, 0x0007ffffffffffff, 0x0008000000000000,
    0x000ffffffffffffe, 0x000fffffffffffff, 0x0010000000000000, 0x0010000000000001,
    0x001fffffffffffff, 0x0020000000000000, 0x369fffffffffffff, 0x36a0000000000000,
    0x36a0000000000001, 0x380fffffdfffffff, 0x380fffffe0000000, 0x380ffffff0000000,
    0x3810000000000000, 0x3ca0000000000000, 0x3cb0000000000000, 0x3fdfffffffffffff,
    0x3fe0000000000000, 0x3fe0000000000001, 0x3fefffffffffffff, 0x3ff0000000000000,
    0x3ff0000000000001, 0x3ff8000000000000, 0x4000000000000000, 0x405fc00000000000,
    0x41dfffffffc00000, 0x41dfffffffe00000, 0x41e0000000000000, 0x41efffffffe00000,
    0x41f0000000000000, 0x433fffffffffffff, 0x4340000000000000, 0x43dfffffffffffff,
    0x43e0000000000000, 0x43efffffffffffff, 0x43f0000000000000, 0x47efffffe0000000,
    0x47efffffefffffff, 0x47effffff0000000, 0x47f0000000000000, 0x7fd0000000000000,
    0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff0000000000001, 0x7ff8000000000000,
    0x7fffffffffffffff, 0x7ff8000000abcdef};

#define N_EDGES32 (sizeof(edges32) / sizeof(edges32[0]))
#define N_EDGES64 (sizeof(edges64) / sizeof(edges64[0]))

/* One operand in four an edge, one near 1, the others any pattern. */
static inline uint32_t operand32(uint64_t *state)
{
    uint64_t r = test_random(state);
    uint32_t v = (uint32_t)(r >> 32);

    switch (r & 3) {
    case 0: return edges32[(r >> 8) % N_EDGES32] | (v & FP32_SIGN);
    case 1: return (v & 0x83ffffffu) + 0x3e000000u;
    case 2: return v & ~(0xffffu << (r >> 4 & 7)); /* short significands: ties */
    default: return v;
    }
}

static inline uint64_t operand64(uint64_t *state)
{
    uint64_t r = test_random(state);
    uint64_t v = test_random(state);

    switch (r & 3) {
    case 0: return edges64[(r >> 8) % N_EDGES64] | (v & FP64_SIGN);
    case 1: return (v & 0x807fffffffffffffu) + 0x3fc0000000000000u;
    case 2: return v & ~0ull << (r >> 4) % 52;
    default: return v;
    }
}

/* Host results under another rounding mode: operands and result pass through volatile
 * objects, which keeps the operation between the two calls. */
#define HOST(type, mode, result, expression)                                           \
    do {                                                                               \
        volatile type host_result;                                                     \
        fesetround(mode);                                                              \
        host_result = (expression);                                                    \
        fesetround(FE_TONEAREST);                                                      \
        (result) = host_result;                                                        \
    } while (0)

/* Random operands per operation and mode. */
static inline uint32_t test_count(int argc, char **argv, uint32_t normal)
{
    uint32_t n = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : normal;

    return n > 0 ? n : 1;
}

#endif /* ISA_FP_TEST_H */
