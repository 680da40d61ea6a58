/*
 * half_operands_test.h - the operands with which narrow formats were measured, the same
 * on the device and in the test: plain C that both compile.
 *
 * One 16-bit operand takes all values, and so does each half of one 32-bit operand.
 * f32: every upper half with 16 lower ones, ties of all narrow formats and their
 * neighbours. Several operands: pseudo-random, a quarter of them special values, a
 * quarter near each other in magnitude.
 */
#ifndef HALF_OPERANDS_TEST_H
#define HALF_OPERANDS_TEST_H

#include <stdint.h>
#include <string.h>

#ifndef HALF_HD
#define HALF_HD static inline
#endif

enum { HALF_ALL = 1 << 16, HALF_MANY = 1 << 20, HALF_CHUNK = 4096 };

HALF_HD uint64_t half_mix(uint64_t z)
{
    z = (z + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Operand k of case i where there are several of 16 bits. Special values are few bits
 * of fraction at the ends of fp16's and bf16's exponents. */
HALF_HD uint32_t half_special(uint64_t r)
{
    const uint32_t fraction[8] = {0, 1, 0x7f, 0x80, 0x200, 0x3fe, 0x3ff, 0x155};
    const uint32_t exponent[8] = {0, 0, 0x7c00, 0x7800, 0x3c00, 0x0400, 0x7f80, 0x3f80};

    return (exponent[r & 7] | fraction[r >> 3 & 7]) ^ (uint32_t)(r >> 6 & 1) << 15;
}

HALF_HD uint32_t half_one_of(uint64_t i, uint32_t k)
{
    const uint64_t all = half_mix(i), own = half_mix(all + k);

    switch ((all >> 40) & 3) {
    case 0: return half_special(own);
    case 1: return (uint32_t)own & 0xffff;
    case 2: /* magnitudes near to each other */
        return ((uint32_t)(all & 0x7fff) + ((uint32_t)own & 0x1fff) - 0x1000 +
                ((uint32_t)(own >> 20) & 0x8000)) &
               0xffff;
    default: return (own >> 32 & 1) != 0 ? half_special(own) : (uint32_t)own & 0xffff;
    }
}

HALF_HD uint32_t half_two_of(uint64_t i, uint32_t k)
{
    return half_one_of(2 * i, k) | half_one_of(2 * i + 1, k) << 16;
}

/* Case i of one 32-bit operand that holds two. */
HALF_HD uint32_t half_pair(uint64_t i)
{
    return (uint32_t)i | (uint32_t)(i * 40503u + 12345u) << 16;
}

HALF_HD uint32_t half_f32(uint64_t i)
{
    const uint32_t low[16] = {0x0000, 0x0001, 0x0fff, 0x1000, 0x1001, 0x2000,
                              0x2fff, 0x3000, 0x3001, 0x7000, 0x7fff, 0x8000,
                              0x8001, 0x9000, 0xb000, 0xffff};

    return (uint32_t)(i >> 4 & 0xffff) << 16 | low[i & 15];
}

/* Where there are two: a permutation of the first. */
HALF_HD uint32_t half_f32_of(uint64_t i, uint32_t k)
{
    return half_f32(k == 0 ? i : (i * 0x9e375u + 0x12345u) & (HALF_MANY - 1));
}

/* An f32, or what is just beside it among f64; the exponents a little spread. */
HALF_HD uint64_t half_f64(uint64_t i)
{
    const uint32_t a = half_f32(i), mag = a & 0x7fffffffu;
    uint64_t r = (uint64_t)(a & 0x80000000u) << 32;

    if (mag >= 0x7f800000u) {
        return r | 0x7ff0000000000000u | (uint64_t)(mag & 0x7fffffu) << 29;
    }
    r |= ((uint64_t)mag << 29) + ((uint64_t)(1023 - 127) << 52);
    return r + (half_mix(i) % 3) - 1;
}

HALF_HD uint64_t half_integer(uint64_t i)
{
    const uint64_t r = half_mix(i), v = half_mix(r) >> (r & 63);

    /* short significands: ties */
    return (r >> 8 & 1) != 0 ? v & ~((uint64_t)0x7f << (r >> 10 & 31)) : v;
}

#define HALF_HASH_START 0xcbf29ce484222325u
HALF_HD uint64_t half_hash(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 32;
}

#endif /* HALF_OPERANDS_TEST_H */
