/*
 * mma_draw_test.h - operands of products of matrices: words from a counter, the same
 * on a device (testbench/fidelity/mma.cu) and on a host.
 *
 * A word is drawn from (role, kind, mode, index); a mode is one sort of operands, so
 * that alignment, cancellation, subnormals, NaN and infinities all have their share.
 */
#ifndef ISA_MMA_DRAW_TEST_H
#define ISA_MMA_DRAW_TEST_H

#include <stdint.h>

#ifndef DRAW_FN
#define DRAW_FN static inline
#endif

enum draw_kind {
    DRAW_BITS,
    DRAW_F16,
    DRAW_BF16,
    DRAW_TF32,
    DRAW_F32,
    DRAW_F64,
    DRAW_SUM,
    DRAW_BYTES
};
enum { DRAW_A, DRAW_B, DRAW_C, DRAW_MODES = 8 };

DRAW_FN uint64_t draw_hash(uint64_t x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/* A number of e exponent and m fraction bits. */
DRAW_FN uint64_t draw_float(uint64_t h, int mode, int role, int e, int m, int in_e)
{
    const uint64_t bias = (1ull << (e - 1)) - 1, top = (1ull << e) - 1;
    const uint64_t one = 1ull << m, span = in_e == 5 ? 12 : 24;
    const uint64_t fraction = (h >> 1) & (one - 1);
    const uint64_t r = draw_hash(h) >> 20;
    const uint64_t wide = role == DRAW_C && e > 5 ? 2 * span : span;
    uint64_t v = 0;

    switch (mode) {
    case 0: return draw_hash(h) & ((top << (m + 1)) | (2 * one - 1) | (one << e));
    case 2: v = ((bias - wide + r % (2 * wide + 1)) << m) | fraction; break;
    case 3: {
        uint64_t k = r % 9, at = 0;
        if (k != 0) {
            while ((k >> (at + 1)) != 0) {
                at++;
            }
            v = ((bias + at) << m) | ((k << m >> at) & (one - 1));
        }
        break;
    }
    case 4:
        if (role == DRAW_A || (role == DRAW_C && e == in_e)) {
            v = ((r % 4) << m) | fraction;
        } else if (role == DRAW_B) {
            v = ((bias - 2 + r % 9) << m) | fraction;
        } else if (in_e == 5) {
            v = ((bias - 34 + r % 40) << m) | fraction;
        } else {
            v = ((r % 6) << m) | fraction;
        }
        break;
    case 5: v = (r & 1) != 0 ? 0 : (bias - 12 + (r >> 1) % 25) << m; break;
    case 6:
        if ((r & 3) == 0) {
            const uint64_t inf = top << m;
            const uint64_t special[8] = {0,       inf,     inf, inf | one >> 1,
                                         inf | 1, inf - 1, 1,   0};
            v = special[(r >> 2) & 7];
            break;
        }
        v = ((bias - 2 + r % 5) << m) | fraction;
        break;
    case 7:
        v = ((role == DRAW_B ? bias - 1 + r % 4 : top - 1 - r % 4) << m) | fraction;
        break;
    default: v = ((bias - 2 + r % 5) << m) | fraction; break;
    }
    return v | (h & 1) << (e + m);
}

/* One 32-bit word of a fragment; in_e: exponent bits of A and B. */
DRAW_FN uint32_t draw_word(int role, int kind, int mode, int in_e, uint64_t index)
{
    const uint64_t h =
        draw_hash(((uint64_t)role << 60) ^ ((uint64_t)kind << 56) ^ index);

    switch (kind) {
    case DRAW_F16:
        return (uint32_t)draw_float(h, mode, role, 5, 10, in_e) |
               (uint32_t)draw_float(draw_hash(h), mode, role, 5, 10, in_e) << 16;
    case DRAW_BF16:
        return (uint32_t)draw_float(h, mode, role, 8, 7, in_e) |
               (uint32_t)draw_float(draw_hash(h), mode, role, 8, 7, in_e) << 16;
    case DRAW_TF32: /* the low 13 bits are noise, which the device must ignore or not */
        return (uint32_t)draw_float(h, mode, role, 8, 10, in_e) << 13 |
               ((index & 64) != 0 ? (uint32_t)(h >> 40) & 0x1fff : 0);
    case DRAW_F32: return (uint32_t)draw_float(h, mode, role, 8, 23, in_e);
    case DRAW_F64: { /* of two words the low one has the even index */
        const uint64_t g = draw_hash(((uint64_t)role << 60) ^ ((uint64_t)kind << 56) ^
                                     (index & ~1ull));
        return (uint32_t)(draw_float(g, mode, role, 11, 52, in_e) >> 32 * (index & 1));
    }
    case DRAW_SUM: /* integers near the ends, so that sums saturate */
        return (mode & 1) != 0 ? (uint32_t)h
                               : (((h & 1) != 0 ? 0x7fffffffu : 0x80000000u) ^
                                  ((uint32_t)(h >> 20) & 0x7ffff));
    case DRAW_BYTES: /* of odd modes none is NaN or infinite */
        return (uint32_t)(h >> 8) & ((mode & 1) != 0 ? 0xbfbfbfbfu : UINT32_MAX);
    default: return (uint32_t)h;
    }
}

#endif /* ISA_MMA_DRAW_TEST_H */
