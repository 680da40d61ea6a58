/*
 * bits.h - bits and bytes at once, without relying on an instruction older processors
 * lack.
 */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include "base/attr.h"
#include <stdint.h>
#include <string.h>

/* Ones in a lane mask; nearly always all of them. */
static inline uint32_t bits_count(uint32_t m)
{
    if (LIKELY(m == UINT32_MAX)) {
        return 32;
    }
    m -= m >> 1 & 0x55555555u;
    m = (m & 0x33333333u) + (m >> 2 & 0x33333333u);
    m = (m + (m >> 4)) & 0x0f0f0f0fu;
    return m * 0x01010101u >> 24;
}

/* Floating-point numbers and the bits they are made of. */
static inline float bits_f32(uint32_t bits)
{
    float f;

    memcpy(&f, &bits, sizeof(f));
    return f;
}

static inline double bits_f64(uint64_t bits)
{
    double d;

    memcpy(&d, &bits, sizeof(d));
    return d;
}

static inline uint32_t bits_of_f32(float f)
{
    uint32_t bits;

    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

static inline uint64_t bits_of_f64(double d)
{
    uint64_t bits;

    memcpy(&bits, &d, sizeof(bits));
    return bits;
}

/* A function that is to become part of its caller, and compiled as that is. */
#define BITS_INLINE __attribute__((always_inline)) inline

/* Before a function: compiled for processors with an instruction that counts ones, for
 * __builtin_popcountll(). Call it where bits_have_popcnt() only. */
#if defined(__x86_64__)
#define BITS_POPCNT __attribute__((target("popcnt")))

static inline bool bits_have_popcnt(void)
{
    return __builtin_cpu_supports("popcnt") != 0;
}
#else
#define BITS_POPCNT

static inline bool bits_have_popcnt(void)
{
    return false;
}
#endif

#if defined(__SSE2__)
/* All of x86-64 has it, and its mask of bytes, which no plain C is compiled to. */
typedef char bits_16_bytes __attribute__((vector_size(16)));
#endif

/* Bit i: v[i] is x. */
static inline uint64_t bits_where(const uint8_t v[64], uint8_t x)
{
    uint64_t where = 0;

#if defined(__SSE2__)
    const bits_16_bytes want = (bits_16_bytes){0} + (char)x;

    for (uint32_t i = 0; i < 64; i += 16) {
        bits_16_bytes have;

        memcpy(&have, v + i, sizeof(have));
        where |= (uint64_t)(uint32_t)__builtin_ia32_pmovmskb128(
                     (bits_16_bytes)(have == want))
                 << i;
    }
#else
    for (uint32_t i = 0; i < 64; i++) {
        where |= (uint64_t)(v[i] == x) << i;
    }
#endif
    return where;
}

#endif /* BASE_BITS_H */
