/*
 * cuda_fp16.h - half precision: types, conversions, arithmetic (CUDA Math API, "Half
 * Precision Intrinsics").
 *
 * Code for devices of capability 5.3 and later has the instructions of half precision,
 * for min, max and .relu those from 8.0 on; conversions are instructions everywhere.
 * Elsewhere, and on the host, arithmetic is float's, rounded once more: 24 digits are
 * more than twice 11, so that sums, products, quotients and roots are those of half
 * precision to the last bit. Only fma needs care (smwave/small_float.h).
 */
#ifndef SMWAVE_CUDA_FP16_H
#define SMWAVE_CUDA_FP16_H
#define __CUDA_FP16_H__
#define __CUDA_FP16_HPP__

#include "smwave/math_base.h"
#if defined(__CUDA__) || defined(SMWAVE_MATH_OPERATIONS)
#include "smwave/math_basic.h"
#include "smwave/math_float.h"
#endif
#include "vector_types.h" /* float2 */

struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};

namespace smwave_math
{

/* How float is rounded to fewer digits. */
enum Rounding { NEAREST, TO_ZERO, UP, DOWN };

/* Whether the digits of a positive size, cut off, leave the next larger one. */
SMWAVE_INSIDE bool rounds_away(u32 rest, u32 half, bool odd, bool negative, Rounding r)
{
    return r == NEAREST   ? rest > half || (rest == half && odd)
           : r == TO_ZERO ? false
                          : rest != 0 && negative == (r == DOWN);
}

#if defined(__CUDA_ARCH__)

SMWAVE_INSIDE unsigned short half_from_float(float x)
{
    unsigned short h;

    __asm__("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
    return h;
}

SMWAVE_INSIDE unsigned short half_from_float(float x, Rounding r)
{
    unsigned short h;

    switch (r) {
    case TO_ZERO: __asm__("cvt.rz.f16.f32 %0, %1;" : "=h"(h) : "f"(x)); return h;
    case UP: __asm__("cvt.rp.f16.f32 %0, %1;" : "=h"(h) : "f"(x)); return h;
    case DOWN: __asm__("cvt.rm.f16.f32 %0, %1;" : "=h"(h) : "f"(x)); return h;
    default: return half_from_float(x);
    }
}

SMWAVE_INSIDE float half_to_float(unsigned short h)
{
    float x;

    __asm__("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h));
    return x;
}

#else

SMWAVE_INSIDE unsigned short half_from_float(float x)
{
    u32 i = (u32)bits(x), sign = i >> 16 & 0x8000u, a = i & 0x7fffffffu, h;

    if (a >= 0x47800000u) { /* 2^16 and more, or NaN */
        return (unsigned short)(a > 0x7f800000u ? 0x7fffu : sign | 0x7c00u);
    }
    if (a < 0x38800000u) { /* subnormal: the sum has the last digit where half has */
        h = (u32)bits(from_bits((int)a) + 0.5f) - 0x3f000000u;
    } else {
        h = (a - 0x38000000u + 0xfffu + (a >> 13 & 1u)) >> 13;
    }
    return (unsigned short)(sign | h);
}

SMWAVE_INSIDE unsigned short half_from_float(float x, Rounding r)
{
    u32 i = (u32)bits(x), sign = i >> 16 & 0x8000u, a = i & 0x7fffffffu, h, rest,
        half = 0x1000;
    bool negative = sign != 0;

    if (a > 0x7f800000u || a == 0x7f800000u) {
        return (unsigned short)(a > 0x7f800000u ? 0x7fffu : sign | 0x7c00u);
    }
    if (a >= 0x47800000u) {
        h = 0x7bff;
        rest = 0x1fff;
    } else if (a >= 0x38800000u) {
        h = (a - 0x38000000u) >> 13;
        rest = a & 0x1fff;
    } else {
        u32 shift = 126 - (a >> 23), m = (a & 0x7fffff) | 0x800000;

        if (shift > 25) { /* less than half of the smallest */
            h = 0;
            rest = a != 0 ? 1 : 0;
            half = 2;
        } else {
            h = m >> shift;
            rest = m & ((1u << shift) - 1);
            half = 1u << (shift - 1);
        }
    }
    h += rounds_away(rest, half, (h & 1) != 0, negative, r) ? 1 : 0;
    return (unsigned short)(sign | h);
}

SMWAVE_INSIDE float half_to_float(unsigned short h)
{
    u32 sign = (u32)(h & 0x8000u) << 16, a = (u32)(h & 0x7fffu) << 13;
    float r = mul(from_bits((int)a), 0x1p112f);

    return from_bits((int)((a >= 0x0f800000u ? a | 0x7f800000u : (u32)bits(r)) | sign));
}

#endif

} /* namespace smwave_math */

#define SMWAVE_SMALL             __half
#define SMWAVE_SMALL2            __half2
#define SMWAVE_SMALL_RAW         __half_raw
#define SMWAVE_SMALL2_RAW        __half2_raw
#define SMWAVE_SMALL_NAME(a, b)  a##half##b
#define SMWAVE_SMALL2_NAME(a, b) a##half2##b
#define SMWAVE_FROM_FLOAT        smwave_math::half_from_float
#define SMWAVE_TO_FLOAT          smwave_math::half_to_float
#define SMWAVE_SMALL_INF         0x7c00
#define SMWAVE_SMALL_NAN         0x7fff
#define SMWAVE_SMALL_PAIR_OF_ONE __half2half2
#define SMWAVE_SMALL_PAIR_OF_TWO __halves2half2
#define SMWAVE_SMALL_MAKE        make_half2
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 530
#define SMWAVE_SMALL_NATIVE 0
#else
#define SMWAVE_SMALL_NATIVE 3
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define SMWAVE_SMALL_EXTREMES 1
#else
#define SMWAVE_SMALL_EXTREMES 0
#endif
#define SMWAVE_SMALL_ONE 0x3c00
#define SMWAVE_INSN(op)  op ".f16"
#define SMWAVE_INSN2(op) op ".f16x2"
#include "smwave/small_float.h"

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

SMWAVE_BOTH short __half_as_short(__half h)
{
    return (short)h.__x;
}
SMWAVE_BOTH unsigned short __half_as_ushort(__half h)
{
    return h.__x;
}
SMWAVE_BOTH __half __short_as_half(short i)
{
    return __half(__half_raw{(unsigned short)i});
}
SMWAVE_BOTH __half __ushort_as_half(unsigned short i)
{
    return __half(__half_raw{i});
}

#endif
