/*
 * bits.h - bits and bytes at once, without relying on an instruction older processors lack.
 */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include "base/attr.h"
#include <stdint.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

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

/* Bit i: v[i] is x. v: at the begin of a cache line. */
static inline uint64_t bits_where(const uint8_t v[64], uint8_t x)
{
    uint64_t where = 0;

#if defined(__SSE2__)
    const __m128i want = _mm_set1_epi8((char)x);

    for (uint32_t i = 0; i < 64; i += 16) {
        __m128i have = _mm_load_si128((const __m128i *)(const void *)(v + i));

        where |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(have, want)) << i;
    }
#else
    for (uint32_t i = 0; i < 64; i++) {
        where |= (uint64_t)(v[i] == x) << i;
    }
#endif
    return where;
}

#endif /* BASE_BITS_H */
