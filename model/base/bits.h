/*
 * bits.h - counting bits without relying on an instruction older processors lack.
 */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include "base/attr.h"
#include <stdint.h>

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

#endif /* BASE_BITS_H */
