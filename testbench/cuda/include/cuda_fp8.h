/*
 * cuda_fp8.h - floating-point numbers of 8 bits: types and conversions (CUDA Math API,
 * "FP8 Intrinsics"). e4m3 has 4 bits of exponent, 3 of fraction and no infinities, e5m2
 * is the upper half of half precision.
 *
 * Devices of capability 8.9 and later convert by instructions, which saturate;
 * elsewhere the digits are cut and rounded here.
 */
#ifndef SMWAVE_CUDA_FP8_H
#define SMWAVE_CUDA_FP8_H
#define __CUDA_FP8_H__
#define __CUDA_FP8_HPP__

#include "cuda_bf16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;

enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace smwave_math
{

/* x, rounded to nearest even. Too large: the largest number, or NaN (e5m2: infinity).
 */
SMWAVE_INSIDE unsigned char fp8_from_float(float x, bool saturates, bool wide)
{
    const u32 fraction = wide ? 2 : 3, bias = wide ? 15 : 7;
    const u32 i = (u32)bits(x), sign = i >> 24 & 0x80u, a = i & 0x7fffffffu;
    const u32 largest = wide ? 0x7bu : 0x7eu, shift = 23 - fraction;
    u32 h;

    if (a > 0x7f800000u) {
        return (unsigned char)(sign | (wide ? 0x7eu : 0x7fu));
    }
    if (a >> 23 < 128 - bias) { /* subnormal: the sum has the last digit where it has */
        const float one = from_bits((int)((151 - bias - fraction) << 23));

        h = (u32)bits(from_bits((int)a) + one) - (u32)bits(one);
    } else {
        h = a - ((127 - bias) << 23);
        h = (h + (1u << (shift - 1)) - 1 + (h >> shift & 1u)) >> shift;
    }
    if (h > largest) {
        h = saturates ? largest : wide ? 0x7cu : 0x7fu;
    }
    return (unsigned char)(sign | h);
}

SMWAVE_INSIDE unsigned short half_from_fp8(unsigned char x, bool wide)
{
    const u32 sign = (x & 0x80u) << 8, a = x & 0x7fu;

    if (wide) {
        return (unsigned short)(a > 0x7cu ? 0x7fffu : sign | a << 8);
    }
    if (a == 0x7fu) {
        return 0x7fff;
    }
    if (a < 8) { /* subnormal there, not here: a times 2^-9 */
        return (unsigned short)(sign | half_from_float((float)a * 0x1p-9f));
    }
    return (unsigned short)(sign | ((a << 7) + 0x2000u));
}

/* Two at once: the second one's bits are the upper ones. */
SMWAVE_INSIDE unsigned short fp8x2_from_floats(float low, float high, bool saturates,
                                               bool wide)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
    if (saturates) {
        unsigned short d;

        if (wide) {
            __asm__("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;"
                    : "=h"(d)
                    : "f"(high), "f"(low));
        } else {
            __asm__("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;"
                    : "=h"(d)
                    : "f"(high), "f"(low));
        }
        return d;
    }
#endif
    return (unsigned short)(fp8_from_float(low, saturates, wide) |
                            (u32)fp8_from_float(high, saturates, wide) << 8);
}

SMWAVE_INSIDE u32 halves_from_fp8x2(unsigned short x, bool wide)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
    u32 d;

    if (wide) {
        __asm__("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(d) : "h"(x));
    } else {
        __asm__("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(d) : "h"(x));
    }
    return d;
#else
    return half_from_fp8((unsigned char)x, wide) |
           (u32)half_from_fp8((unsigned char)(x >> 8), wide) << 16;
#endif
}

} /* namespace smwave_math */

SMWAVE_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t s,
                                                     __nv_fp8_interpretation_t k)
{
    return (__nv_fp8_storage_t)smwave_math::fp8x2_from_floats(x, 0.0f,
                                                              s == __NV_SATFINITE,
                                                              k == __NV_E5M2);
}
SMWAVE_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t s,
                                                          __nv_fp8_interpretation_t k)
{
    return smwave_math::fp8x2_from_floats(x.x, x.y, s == __NV_SATFINITE,
                                          k == __NV_E5M2);
}
SMWAVE_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t s,
                                                      __nv_fp8_interpretation_t k)
{
    return __nv_cvt_float_to_fp8(smwave_math::to_odd(x), s, k);
}
SMWAVE_BOTH __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x,
                                                           __nv_saturation_t s,
                                                           __nv_fp8_interpretation_t k)
{
    return __nv_cvt_float2_to_fp8x2(float2{smwave_math::to_odd(x.x),
                                           smwave_math::to_odd(x.y)},
                                    s, k);
}
SMWAVE_BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x,
                                                       __nv_saturation_t s,
                                                       __nv_fp8_interpretation_t k)
{
    return __nv_cvt_float_to_fp8((float)__half(x), s, k);
}
SMWAVE_BOTH __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x,
                                                            __nv_saturation_t s,
                                                            __nv_fp8_interpretation_t k)
{
    return __nv_cvt_float2_to_fp8x2(float2{(float)__half(__half_raw{x.x}),
                                           (float)__half(__half_raw{x.y})},
                                    s, k);
}
SMWAVE_BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                           __nv_saturation_t s,
                                                           __nv_fp8_interpretation_t k)
{
    return __nv_cvt_float_to_fp8((float)__nv_bfloat16(x), s, k);
}
SMWAVE_BOTH __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(
    __nv_bfloat162_raw x, __nv_saturation_t s, __nv_fp8_interpretation_t k)
{
    return __nv_cvt_float2_to_fp8x2(float2{(float)__nv_bfloat16(__nv_bfloat16_raw{x.x}),
                                           (float)__nv_bfloat16(
                                               __nv_bfloat16_raw{x.y})},
                                    s, k);
}
SMWAVE_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x,
                                               __nv_fp8_interpretation_t k)
{
    return {(unsigned short)smwave_math::halves_from_fp8x2(x, k == __NV_E5M2)};
}
SMWAVE_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                   __nv_fp8_interpretation_t k)
{
    smwave_math::u32 d = smwave_math::halves_from_fp8x2(x, k == __NV_E5M2);

    return {(unsigned short)d, (unsigned short)(d >> 16)};
}

#define SMWAVE_FP8    __nv_fp8_e4m3
#define SMWAVE_FP8X2  __nv_fp8x2_e4m3
#define SMWAVE_FP8X4  __nv_fp8x4_e4m3
#define SMWAVE_FP8_IS __NV_E4M3
#include "smwave/fp8_types.h"
#define SMWAVE_FP8    __nv_fp8_e5m2
#define SMWAVE_FP8X2  __nv_fp8x2_e5m2
#define SMWAVE_FP8X4  __nv_fp8x4_e5m2
#define SMWAVE_FP8_IS __NV_E5M2
#include "smwave/fp8_types.h"

#endif
