/*
 * cuda_bf16.h - bfloat16, the upper half of a float: types, conversions, arithmetic
 * (CUDA Math API, "Bfloat16 Precision Intrinsics"). Devices of capability 8.0 and later
 * have fma, min and max, from 9.0 on sums and products; elsewhere arithmetic is
 * float's, rounded once more, as in cuda_fp16.h.
 */
#ifndef SMWAVE_CUDA_BF16_H
#define SMWAVE_CUDA_BF16_H
#define __CUDA_BF16_H__
#define __CUDA_BF16_HPP__

#include "cuda_fp16.h"

struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __nv_bfloat162_raw {
    unsigned short x, y;
};

namespace smwave_math
{

SMWAVE_INSIDE unsigned short bfloat_from_float(float x)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    unsigned short h;

    __asm__("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "f"(x));
    return h;
#else
    u32 i = (u32)bits(x);

    return (unsigned short)(x != x ? 0x7fffu : (i + 0x7fffu + (i >> 16 & 1u)) >> 16);
#endif
}

SMWAVE_INSIDE unsigned short bfloat_from_float(float x, Rounding r)
{
    u32 i = (u32)bits(x), h = i >> 16;

    if (x != x || size(x) == infinity_f()) {
        return (unsigned short)(x != x ? 0x7fffu : h);
    }
    return (unsigned short)(h + (rounds_away(i & 0xffffu, 0x8000u, (h & 1) != 0,
                                             x < 0.0f, r)
                                     ? 1u
                                     : 0u));
}

SMWAVE_INSIDE float bfloat_to_float(unsigned short h)
{
    return from_bits((int)((u32)h << 16));
}

} /* namespace smwave_math */

#define SMWAVE_SMALL             __nv_bfloat16
#define SMWAVE_SMALL2            __nv_bfloat162
#define SMWAVE_SMALL_RAW         __nv_bfloat16_raw
#define SMWAVE_SMALL2_RAW        __nv_bfloat162_raw
#define SMWAVE_SMALL_NAME(a, b)  a##bfloat16##b
#define SMWAVE_SMALL2_NAME(a, b) a##bfloat162##b
#define SMWAVE_FROM_FLOAT        smwave_math::bfloat_from_float
#define SMWAVE_TO_FLOAT          smwave_math::bfloat_to_float
#define SMWAVE_SMALL_INF         0x7f80
#define SMWAVE_SMALL_NAN         0x7fff
#define SMWAVE_SMALL_PAIR_OF_ONE __bfloat162bfloat162
#define SMWAVE_SMALL_PAIR_OF_TWO __halves2bfloat162
#define SMWAVE_SMALL_MAKE        make_bfloat162
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 800
#define SMWAVE_SMALL_NATIVE   0
#define SMWAVE_SMALL_EXTREMES 0
#else
#define SMWAVE_SMALL_NATIVE   (__CUDA_ARCH__ < 900 ? 1 : 2)
#define SMWAVE_SMALL_EXTREMES 1
#endif
#define SMWAVE_SMALL_ONE 0x3f80
#define SMWAVE_INSN(op)  op ".bf16"
#define SMWAVE_INSN2(op) op ".bf16x2"
#include "smwave/small_float.h"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

SMWAVE_BOTH short __bfloat16_as_short(__nv_bfloat16 h)
{
    return (short)h.__x;
}
SMWAVE_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 h)
{
    return h.__x;
}
SMWAVE_BOTH __nv_bfloat16 __short_as_bfloat16(short i)
{
    return __nv_bfloat16(__nv_bfloat16_raw{(unsigned short)i});
}
SMWAVE_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short i)
{
    return __nv_bfloat16(__nv_bfloat16_raw{i});
}

#endif
