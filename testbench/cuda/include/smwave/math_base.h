/*
 * math_base.h - the few operations that device math is made of, for float and double.
 *
 * Every product says whether it is rounded by itself, mul(), or fused, mad(): clang
 * contracts a * b + c in CUDA mode whatever pragmas say, and a product that is meant to
 * be rounded, or whose rounding error is wanted, would be lost.
 *
 * The same functions exist on the host, where the math headers are compiled a second
 * time: for the functions that no C library has (sinpi, rsqrt, normcdf ...), and for
 * the accuracy campaign in testbench/cuda/math, which gives its own operations by
 * defining SMWAVE_MATH_OPERATIONS to the name of a header.
 */
#ifndef SMWAVE_MATH_BASE_H
#define SMWAVE_MATH_BASE_H

#ifndef __device__
#include "host_defines.h"
#endif

/* Inside: what the math headers use themselves. Device: a function of the program.
 * Both: one that the host's C library lacks. Slow: rare, called rather than repeated.
 */
#define SMWAVE_INSIDE static inline __attribute__((always_inline)) __host__ __device__
#define SMWAVE_DEVICE static inline __device__
#define SMWAVE_BOTH   static inline __host__ __device__
/* glibc has these, too, since 2.41 and 2.42: where it has, the host's are glibc's. */
#if __has_include(<features.h>)
#include <features.h>
#endif
#if defined(__GLIBC__) && __GLIBC__ * 100 + __GLIBC_MINOR__ >= 241
#define SMWAVE_SINCE_241 SMWAVE_DEVICE
#else
#define SMWAVE_SINCE_241 SMWAVE_BOTH
#endif
#if defined(__GLIBC__) && __GLIBC__ * 100 + __GLIBC_MINOR__ >= 242
#define SMWAVE_SINCE_242 SMWAVE_DEVICE
#else
#define SMWAVE_SINCE_242 SMWAVE_BOTH
#endif
#define SMWAVE_SLOW static __attribute__((noinline, unused)) __host__ __device__

#if defined(__CUDA_ARCH__)
#define SMWAVE_ASM1(name, text, R, r, A, a)                                            \
    SMWAVE_INSIDE R name(A x)                                                          \
    {                                                                                  \
        R y;                                                                           \
        __asm__(text " %0, %1;" : "=" r(y) : a(x));                                    \
        return y;                                                                      \
    }
#define SMWAVE_ASM2(name, text, T, t)                                                  \
    SMWAVE_INSIDE T name(T a, T b)                                                     \
    {                                                                                  \
        T y;                                                                           \
        __asm__(text " %0, %1, %2;" : "=" t(y) : t(a), t(b));                          \
        return y;                                                                      \
    }
#endif

namespace smwave_math
{

typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long s64;

SMWAVE_INSIDE int bits(float x)
{
    return __builtin_bit_cast(int, x);
}
SMWAVE_INSIDE s64 bits(double x)
{
    return __builtin_bit_cast(s64, x);
}
SMWAVE_INSIDE float from_bits(int i)
{
    return __builtin_bit_cast(float, i);
}
SMWAVE_INSIDE double from_bits(s64 i)
{
    return __builtin_bit_cast(double, i);
}
SMWAVE_INSIDE int upper(double x)
{
    return (int)(bits(x) >> 32);
}

#if defined(SMWAVE_MATH_OPERATIONS)
#include SMWAVE_MATH_OPERATIONS
#elif defined(__CUDA_ARCH__)
/* As text: LLVM takes its own intrinsic for mul.rn as any other product and fuses it.
 */
SMWAVE_ASM2(mul, "mul.rn.f32", float, "f")
SMWAVE_ASM2(mul, "mul.rn.f64", double, "d")
SMWAVE_ASM2(quotient, "div.rn.f32", float, "f")
SMWAVE_ASM2(quotient, "div.rn.f64", double, "d")
SMWAVE_ASM1(ex2, "ex2.approx.f32", float, "f", float, "f")
SMWAVE_ASM1(lg2, "lg2.approx.f32", float, "f", float, "f")
SMWAVE_ASM1(ex2_ftz, "ex2.approx.ftz.f32", float, "f", float, "f")
SMWAVE_ASM1(reciprocal, "rcp.approx.ftz.f32", float, "f", float, "f")
SMWAVE_ASM1(reciprocal_root, "rsqrt.approx.f32", float, "f", float, "f")
SMWAVE_ASM1(reciprocal_root_ftz, "rsqrt.approx.ftz.f32", float, "f", float, "f")
SMWAVE_ASM1(reciprocal, "rcp.approx.ftz.f64", double, "d", double, "d")
SMWAVE_ASM1(reciprocal_root, "rsqrt.approx.f64", double, "d", double, "d")
SMWAVE_ASM1(root, "sqrt.rn.f32", float, "f", float, "f")
SMWAVE_ASM1(root, "sqrt.rn.f64", double, "d", double, "d")
SMWAVE_ASM1(nearest, "cvt.rni.f32.f32", float, "f", float, "f")
SMWAVE_ASM1(nearest, "cvt.rni.f64.f64", double, "d", double, "d")
SMWAVE_ASM1(to_int, "cvt.rni.s32.f32", int, "r", float, "f")
SMWAVE_ASM1(to_int, "cvt.rni.s32.f64", int, "r", double, "d")
SMWAVE_ASM1(to_long, "cvt.rni.s64.f32", s64, "l", float, "f")
SMWAVE_ASM1(to_long, "cvt.rni.s64.f64", s64, "l", double, "d")
#else
SMWAVE_INSIDE float mul(float a, float b)
{
    return a * b;
}
SMWAVE_INSIDE double mul(double a, double b)
{
    return a * b;
}
SMWAVE_INSIDE float ex2(float x)
{
    return __builtin_exp2f(x);
}
SMWAVE_INSIDE float ex2_ftz(float x)
{
    return __builtin_exp2f(x);
}
SMWAVE_INSIDE float lg2(float x)
{
    return __builtin_log2f(x);
}
SMWAVE_INSIDE float reciprocal(float x)
{
    return 1.0f / x;
}
SMWAVE_INSIDE float reciprocal_root(float x)
{
    return 1.0f / __builtin_sqrtf(x);
}
SMWAVE_INSIDE float reciprocal_root_ftz(float x)
{
    return 1.0f / __builtin_sqrtf(x);
}
SMWAVE_INSIDE double reciprocal(double x)
{
    return 1.0 / x;
}
SMWAVE_INSIDE double reciprocal_root(double x)
{
    return 1.0 / __builtin_sqrt(x);
}
SMWAVE_INSIDE float root(float x)
{
    return __builtin_sqrtf(x);
}
SMWAVE_INSIDE double root(double x)
{
    return __builtin_sqrt(x);
}
SMWAVE_INSIDE float nearest(float x)
{
    return __builtin_rintf(x);
}
SMWAVE_INSIDE double nearest(double x)
{
    return __builtin_rint(x);
}
SMWAVE_INSIDE int to_int(float x)
{
    return x >= 0x1p31f   ? 0x7fffffff
           : x > -0x1p31f ? (int)nearest(x)
           : x == x       ? -0x7fffffff - 1
                          : 0;
}
SMWAVE_INSIDE int to_int(double x)
{
    return x >= 0x1p31   ? 0x7fffffff
           : x > -0x1p31 ? (int)nearest(x)
           : x == x      ? -0x7fffffff - 1
                         : 0;
}
/* To the nearest integer, at most the type's limits. */
SMWAVE_INSIDE s64 to_long(double x)
{
    return x >= 0x1p63   ? 0x7fffffffffffffff
           : x > -0x1p63 ? (s64)nearest(x)
           : x == x      ? -0x7fffffffffffffff - 1
                         : (s64)0x8000000000000000;
}
SMWAVE_INSIDE s64 to_long(float x)
{
    return to_long((double)x);
}
SMWAVE_INSIDE float quotient(float a, float b)
{
    return a / b;
}
SMWAVE_INSIDE double quotient(double a, double b)
{
    return a / b;
}
#endif

SMWAVE_INSIDE float mad(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}
SMWAVE_INSIDE double mad(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}
SMWAVE_INSIDE float size(float x)
{
    return __builtin_fabsf(x);
}
SMWAVE_INSIDE double size(double x)
{
    return __builtin_fabs(x);
}
SMWAVE_INSIDE float whole(float x)
{
    return __builtin_truncf(x);
}
SMWAVE_INSIDE double whole(double x)
{
    return __builtin_trunc(x);
}
SMWAVE_INSIDE float below(float x)
{
    return __builtin_floorf(x);
}
SMWAVE_INSIDE double below(double x)
{
    return __builtin_floor(x);
}
/* A NaN operand gives the other one. */
SMWAVE_INSIDE float least(float a, float b)
{
    return __builtin_fminf(a, b);
}
SMWAVE_INSIDE double least(double a, double b)
{
    return __builtin_fmin(a, b);
}
SMWAVE_INSIDE float most(float a, float b)
{
    return __builtin_fmaxf(a, b);
}
SMWAVE_INSIDE double most(double a, double b)
{
    return __builtin_fmax(a, b);
}
/* x, which is not negative, with the sign of s */
SMWAVE_INSIDE float with_sign(float x, float s)
{
    return from_bits(bits(x) | (bits(s) & (int)0x80000000));
}
SMWAVE_INSIDE double with_sign(double x, double s)
{
    return from_bits(bits(x) | (bits(s) & (s64)0x8000000000000000));
}
SMWAVE_INSIDE float infinity_f()
{
    return __builtin_inff();
}
SMWAVE_INSIDE double infinity_d()
{
    return __builtin_inf();
}
SMWAVE_INSIDE float nan_f()
{
    return from_bits(0x7fffffff);
}
SMWAVE_INSIDE double nan_d()
{
    return from_bits((s64)0xfff8000000000000ull);
}
SMWAVE_INSIDE u64 high_product(u64 a, u64 b)
{
    return (u64)((unsigned __int128)a * b >> 64);
}

/* poly(x, a, b, c ...) = a + b x + c x^2 ... by Horner's rule, all steps fused. */
#define SMWAVE_POLY(T)                                                                 \
    SMWAVE_INSIDE T poly(T x, T a, T b)                                                \
    {                                                                                  \
        return mad(b, x, a);                                                           \
    }                                                                                  \
    template <class... R> SMWAVE_INSIDE T poly(T x, T a, T b, R... r)                  \
    {                                                                                  \
        return mad(poly(x, b, r...), x, a);                                            \
    }
SMWAVE_POLY(float)
SMWAVE_POLY(double)
#undef SMWAVE_POLY

} /* namespace smwave_math */
#endif
