/*
 * intrinsics.h - the functions of the CUDA Math API that are one instruction or two:
 * fast approximations (__sinf ...), arithmetic and conversions with a rounding of their
 * own (__fadd_rd, __float2int_rz ...), casts of bits, integer functions.
 */
#ifndef SMWAVE_INTRINSICS_H
#define SMWAVE_INTRINSICS_H

#include "../vector_types.h"
#include "smwave/math_base.h"

#define SMWAVE_INSTRUCTION static inline __attribute__((always_inline)) __device__
/* name(operands) = one instruction; r, a ... are the letters of the registers. */
#define SMWAVE_1(R, r, name, A, a, text)                                               \
    SMWAVE_INSTRUCTION R name(A x)                                                     \
    {                                                                                  \
        R y;                                                                           \
        __asm__(text " %0, %1;" : "=" r(y) : a(x));                                    \
        return y;                                                                      \
    }
#define SMWAVE_2(R, r, name, A, a, B, b, text)                                         \
    SMWAVE_INSTRUCTION R name(A x, B y)                                                \
    {                                                                                  \
        R z;                                                                           \
        __asm__(text " %0, %1, %2;" : "=" r(z) : a(x), b(y));                          \
        return z;                                                                      \
    }
#define SMWAVE_3(R, r, name, A, a, B, b, C, c, text)                                   \
    SMWAVE_INSTRUCTION R name(A x, B y, C z)                                           \
    {                                                                                  \
        R w;                                                                           \
        __asm__(text " %0, %1, %2, %3;" : "=" r(w) : a(x), b(y), c(z));                \
        return w;                                                                      \
    }

/* ---- approximations ---- */

SMWAVE_1(float, "f", __sinf, float, "f", "sin.approx.f32")
SMWAVE_1(float, "f", __cosf, float, "f", "cos.approx.f32")
SMWAVE_1(float, "f", __log2f, float, "f", "lg2.approx.f32")
SMWAVE_1(float, "f", __saturatef, float, "f", "cvt.sat.f32.f32")
SMWAVE_1(float, "f", __frsqrt_rn, float, "f", "rsqrt.approx.f32")
SMWAVE_2(float, "f", __fdividef, float, "f", float, "f", "div.approx.f32")
SMWAVE_INSTRUCTION float smwave_ex2(float x)
{
    float y;

    __asm__("ex2.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
SMWAVE_INSTRUCTION float __tanf(float x)
{
    return __fdividef(__sinf(x), __cosf(x));
}
SMWAVE_INSTRUCTION float __tanhf(float x)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750
    float y;

    __asm__("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return 1.0f - __fdividef(2.0f, smwave_ex2(x * 0x1.715476p+1f) + 1.0f);
#endif
}
SMWAVE_INSTRUCTION float __expf(float x)
{
    return smwave_ex2(x * 0x1.715476p+0f);
}
SMWAVE_INSTRUCTION float __exp10f(float x)
{
    return smwave_ex2(x * 0x1.a934fp+1f);
}
SMWAVE_INSTRUCTION float __logf(float x)
{
    return __log2f(x) * 0x1.62e43p-1f;
}
SMWAVE_INSTRUCTION float __log10f(float x)
{
    return __log2f(x) * 0x1.344136p-2f;
}
SMWAVE_INSTRUCTION float __powf(float x, float y)
{
    return smwave_ex2(y * __log2f(x));
}
SMWAVE_INSTRUCTION void __sincosf(float x, float *s, float *c)
{
    *s = __sinf(x);
    *c = __cosf(x);
}
SMWAVE_INSTRUCTION float fdividef(float x, float y)
{
#ifdef __USE_FAST_MATH__
    return __fdividef(x, y);
#else
    return x / y;
#endif
}
#ifdef __USE_FAST_MATH__ /* -use_fast_math: these, and no others */
SMWAVE_INSTRUCTION float sinf(float x)
{
    return __sinf(x);
}
SMWAVE_INSTRUCTION float cosf(float x)
{
    return __cosf(x);
}
SMWAVE_INSTRUCTION float tanf(float x)
{
    return __tanf(x);
}
SMWAVE_INSTRUCTION void sincosf(float x, float *s, float *c)
{
    __sincosf(x, s, c);
}
SMWAVE_INSTRUCTION float expf(float x)
{
    return __expf(x);
}
SMWAVE_INSTRUCTION float exp10f(float x)
{
    return __exp10f(x);
}
SMWAVE_INSTRUCTION float logf(float x)
{
    return __logf(x);
}
SMWAVE_INSTRUCTION float log2f(float x)
{
    return __log2f(x);
}
SMWAVE_INSTRUCTION float log10f(float x)
{
    return __log10f(x);
}
SMWAVE_INSTRUCTION float powf(float x, float y)
{
    return __powf(x, y);
}
#endif
SMWAVE_INSTRUCTION float saturate(float x)
{
    return __saturatef(x);
}

/* ---- arithmetic with a rounding of its own ---- */

SMWAVE_2(float, "f", __fadd_rn, float, "f", float, "f", "add.rn.f32")
SMWAVE_2(float, "f", __fsub_rn, float, "f", float, "f", "sub.rn.f32")
SMWAVE_2(float, "f", __fmul_rn, float, "f", float, "f", "mul.rn.f32")
SMWAVE_2(float, "f", __fdiv_rn, float, "f", float, "f", "div.rn.f32")
SMWAVE_1(float, "f", __frcp_rn, float, "f", "rcp.rn.f32")
SMWAVE_1(float, "f", __fsqrt_rn, float, "f", "sqrt.rn.f32")
SMWAVE_3(float, "f", __fmaf_rn, float, "f", float, "f", float, "f", "fma.rn.f32")
SMWAVE_3(float, "f", __fmaf_ieee_rn, float, "f", float, "f", float, "f", "fma.rn.f32")
SMWAVE_2(float, "f", __fadd_rz, float, "f", float, "f", "add.rz.f32")
SMWAVE_2(float, "f", __fsub_rz, float, "f", float, "f", "sub.rz.f32")
SMWAVE_2(float, "f", __fmul_rz, float, "f", float, "f", "mul.rz.f32")
SMWAVE_2(float, "f", __fdiv_rz, float, "f", float, "f", "div.rz.f32")
SMWAVE_1(float, "f", __frcp_rz, float, "f", "rcp.rz.f32")
SMWAVE_1(float, "f", __fsqrt_rz, float, "f", "sqrt.rz.f32")
SMWAVE_3(float, "f", __fmaf_rz, float, "f", float, "f", float, "f", "fma.rz.f32")
SMWAVE_3(float, "f", __fmaf_ieee_rz, float, "f", float, "f", float, "f", "fma.rz.f32")
SMWAVE_2(float, "f", __fadd_ru, float, "f", float, "f", "add.rp.f32")
SMWAVE_2(float, "f", __fsub_ru, float, "f", float, "f", "sub.rp.f32")
SMWAVE_2(float, "f", __fmul_ru, float, "f", float, "f", "mul.rp.f32")
SMWAVE_2(float, "f", __fdiv_ru, float, "f", float, "f", "div.rp.f32")
SMWAVE_1(float, "f", __frcp_ru, float, "f", "rcp.rp.f32")
SMWAVE_1(float, "f", __fsqrt_ru, float, "f", "sqrt.rp.f32")
SMWAVE_3(float, "f", __fmaf_ru, float, "f", float, "f", float, "f", "fma.rp.f32")
SMWAVE_3(float, "f", __fmaf_ieee_ru, float, "f", float, "f", float, "f", "fma.rp.f32")
SMWAVE_2(float, "f", __fadd_rd, float, "f", float, "f", "add.rm.f32")
SMWAVE_2(float, "f", __fsub_rd, float, "f", float, "f", "sub.rm.f32")
SMWAVE_2(float, "f", __fmul_rd, float, "f", float, "f", "mul.rm.f32")
SMWAVE_2(float, "f", __fdiv_rd, float, "f", float, "f", "div.rm.f32")
SMWAVE_1(float, "f", __frcp_rd, float, "f", "rcp.rm.f32")
SMWAVE_1(float, "f", __fsqrt_rd, float, "f", "sqrt.rm.f32")
SMWAVE_3(float, "f", __fmaf_rd, float, "f", float, "f", float, "f", "fma.rm.f32")
SMWAVE_3(float, "f", __fmaf_ieee_rd, float, "f", float, "f", float, "f", "fma.rm.f32")
SMWAVE_2(double, "d", __dadd_rn, double, "d", double, "d", "add.rn.f64")
SMWAVE_2(double, "d", __dsub_rn, double, "d", double, "d", "sub.rn.f64")
SMWAVE_2(double, "d", __dmul_rn, double, "d", double, "d", "mul.rn.f64")
SMWAVE_2(double, "d", __ddiv_rn, double, "d", double, "d", "div.rn.f64")
SMWAVE_1(double, "d", __drcp_rn, double, "d", "rcp.rn.f64")
SMWAVE_1(double, "d", __dsqrt_rn, double, "d", "sqrt.rn.f64")
SMWAVE_3(double, "d", __fma_rn, double, "d", double, "d", double, "d", "fma.rn.f64")
SMWAVE_2(double, "d", __dadd_rz, double, "d", double, "d", "add.rz.f64")
SMWAVE_2(double, "d", __dsub_rz, double, "d", double, "d", "sub.rz.f64")
SMWAVE_2(double, "d", __dmul_rz, double, "d", double, "d", "mul.rz.f64")
SMWAVE_2(double, "d", __ddiv_rz, double, "d", double, "d", "div.rz.f64")
SMWAVE_1(double, "d", __drcp_rz, double, "d", "rcp.rz.f64")
SMWAVE_1(double, "d", __dsqrt_rz, double, "d", "sqrt.rz.f64")
SMWAVE_3(double, "d", __fma_rz, double, "d", double, "d", double, "d", "fma.rz.f64")
SMWAVE_2(double, "d", __dadd_ru, double, "d", double, "d", "add.rp.f64")
SMWAVE_2(double, "d", __dsub_ru, double, "d", double, "d", "sub.rp.f64")
SMWAVE_2(double, "d", __dmul_ru, double, "d", double, "d", "mul.rp.f64")
SMWAVE_2(double, "d", __ddiv_ru, double, "d", double, "d", "div.rp.f64")
SMWAVE_1(double, "d", __drcp_ru, double, "d", "rcp.rp.f64")
SMWAVE_1(double, "d", __dsqrt_ru, double, "d", "sqrt.rp.f64")
SMWAVE_3(double, "d", __fma_ru, double, "d", double, "d", double, "d", "fma.rp.f64")
SMWAVE_2(double, "d", __dadd_rd, double, "d", double, "d", "add.rm.f64")
SMWAVE_2(double, "d", __dsub_rd, double, "d", double, "d", "sub.rm.f64")
SMWAVE_2(double, "d", __dmul_rd, double, "d", double, "d", "mul.rm.f64")
SMWAVE_2(double, "d", __ddiv_rd, double, "d", double, "d", "div.rm.f64")
SMWAVE_1(double, "d", __drcp_rd, double, "d", "rcp.rm.f64")
SMWAVE_1(double, "d", __dsqrt_rd, double, "d", "sqrt.rm.f64")
SMWAVE_3(double, "d", __fma_rd, double, "d", double, "d", double, "d", "fma.rm.f64")

/* ---- conversions ---- */

SMWAVE_1(int, "r", __float2int_rn, float, "f", "cvt.rni.s32.f32")
SMWAVE_1(float, "f", __int2float_rn, int, "r", "cvt.rn.f32.s32")
SMWAVE_1(unsigned, "r", __float2uint_rn, float, "f", "cvt.rni.u32.f32")
SMWAVE_1(float, "f", __uint2float_rn, unsigned, "r", "cvt.rn.f32.u32")
SMWAVE_1(long long, "l", __float2ll_rn, float, "f", "cvt.rni.s64.f32")
SMWAVE_1(float, "f", __ll2float_rn, long long, "l", "cvt.rn.f32.s64")
SMWAVE_1(unsigned long long, "l", __float2ull_rn, float, "f", "cvt.rni.u64.f32")
SMWAVE_1(float, "f", __ull2float_rn, unsigned long long, "l", "cvt.rn.f32.u64")
SMWAVE_1(int, "r", __double2int_rn, double, "d", "cvt.rni.s32.f64")
SMWAVE_INSTRUCTION double __int2double_rn(int x)
{
    return (double)x;
}
SMWAVE_1(unsigned, "r", __double2uint_rn, double, "d", "cvt.rni.u32.f64")
SMWAVE_INSTRUCTION double __uint2double_rn(unsigned x)
{
    return (double)x;
}
SMWAVE_1(long long, "l", __double2ll_rn, double, "d", "cvt.rni.s64.f64")
SMWAVE_1(double, "d", __ll2double_rn, long long, "l", "cvt.rn.f64.s64")
SMWAVE_1(unsigned long long, "l", __double2ull_rn, double, "d", "cvt.rni.u64.f64")
SMWAVE_1(double, "d", __ull2double_rn, unsigned long long, "l", "cvt.rn.f64.u64")
SMWAVE_1(float, "f", __double2float_rn, double, "d", "cvt.rn.f32.f64")
SMWAVE_1(int, "r", __float2int_rz, float, "f", "cvt.rzi.s32.f32")
SMWAVE_1(float, "f", __int2float_rz, int, "r", "cvt.rz.f32.s32")
SMWAVE_1(unsigned, "r", __float2uint_rz, float, "f", "cvt.rzi.u32.f32")
SMWAVE_1(float, "f", __uint2float_rz, unsigned, "r", "cvt.rz.f32.u32")
SMWAVE_1(long long, "l", __float2ll_rz, float, "f", "cvt.rzi.s64.f32")
SMWAVE_1(float, "f", __ll2float_rz, long long, "l", "cvt.rz.f32.s64")
SMWAVE_1(unsigned long long, "l", __float2ull_rz, float, "f", "cvt.rzi.u64.f32")
SMWAVE_1(float, "f", __ull2float_rz, unsigned long long, "l", "cvt.rz.f32.u64")
SMWAVE_1(int, "r", __double2int_rz, double, "d", "cvt.rzi.s32.f64")
SMWAVE_1(unsigned, "r", __double2uint_rz, double, "d", "cvt.rzi.u32.f64")
SMWAVE_1(long long, "l", __double2ll_rz, double, "d", "cvt.rzi.s64.f64")
SMWAVE_1(double, "d", __ll2double_rz, long long, "l", "cvt.rz.f64.s64")
SMWAVE_1(unsigned long long, "l", __double2ull_rz, double, "d", "cvt.rzi.u64.f64")
SMWAVE_1(double, "d", __ull2double_rz, unsigned long long, "l", "cvt.rz.f64.u64")
SMWAVE_1(float, "f", __double2float_rz, double, "d", "cvt.rz.f32.f64")
SMWAVE_1(int, "r", __float2int_ru, float, "f", "cvt.rpi.s32.f32")
SMWAVE_1(float, "f", __int2float_ru, int, "r", "cvt.rp.f32.s32")
SMWAVE_1(unsigned, "r", __float2uint_ru, float, "f", "cvt.rpi.u32.f32")
SMWAVE_1(float, "f", __uint2float_ru, unsigned, "r", "cvt.rp.f32.u32")
SMWAVE_1(long long, "l", __float2ll_ru, float, "f", "cvt.rpi.s64.f32")
SMWAVE_1(float, "f", __ll2float_ru, long long, "l", "cvt.rp.f32.s64")
SMWAVE_1(unsigned long long, "l", __float2ull_ru, float, "f", "cvt.rpi.u64.f32")
SMWAVE_1(float, "f", __ull2float_ru, unsigned long long, "l", "cvt.rp.f32.u64")
SMWAVE_1(int, "r", __double2int_ru, double, "d", "cvt.rpi.s32.f64")
SMWAVE_1(unsigned, "r", __double2uint_ru, double, "d", "cvt.rpi.u32.f64")
SMWAVE_1(long long, "l", __double2ll_ru, double, "d", "cvt.rpi.s64.f64")
SMWAVE_1(double, "d", __ll2double_ru, long long, "l", "cvt.rp.f64.s64")
SMWAVE_1(unsigned long long, "l", __double2ull_ru, double, "d", "cvt.rpi.u64.f64")
SMWAVE_1(double, "d", __ull2double_ru, unsigned long long, "l", "cvt.rp.f64.u64")
SMWAVE_1(float, "f", __double2float_ru, double, "d", "cvt.rp.f32.f64")
SMWAVE_1(int, "r", __float2int_rd, float, "f", "cvt.rmi.s32.f32")
SMWAVE_1(float, "f", __int2float_rd, int, "r", "cvt.rm.f32.s32")
SMWAVE_1(unsigned, "r", __float2uint_rd, float, "f", "cvt.rmi.u32.f32")
SMWAVE_1(float, "f", __uint2float_rd, unsigned, "r", "cvt.rm.f32.u32")
SMWAVE_1(long long, "l", __float2ll_rd, float, "f", "cvt.rmi.s64.f32")
SMWAVE_1(float, "f", __ll2float_rd, long long, "l", "cvt.rm.f32.s64")
SMWAVE_1(unsigned long long, "l", __float2ull_rd, float, "f", "cvt.rmi.u64.f32")
SMWAVE_1(float, "f", __ull2float_rd, unsigned long long, "l", "cvt.rm.f32.u64")
SMWAVE_1(int, "r", __double2int_rd, double, "d", "cvt.rmi.s32.f64")
SMWAVE_1(unsigned, "r", __double2uint_rd, double, "d", "cvt.rmi.u32.f64")
SMWAVE_1(long long, "l", __double2ll_rd, double, "d", "cvt.rmi.s64.f64")
SMWAVE_1(double, "d", __ll2double_rd, long long, "l", "cvt.rm.f64.s64")
SMWAVE_1(unsigned long long, "l", __double2ull_rd, double, "d", "cvt.rmi.u64.f64")
SMWAVE_1(double, "d", __ull2double_rd, unsigned long long, "l", "cvt.rm.f64.u64")
SMWAVE_1(float, "f", __double2float_rd, double, "d", "cvt.rm.f32.f64")
SMWAVE_INSTRUCTION int __float_as_int(float x)
{
    return __builtin_bit_cast(int, x);
}
SMWAVE_INSTRUCTION int float_as_int(float x)
{
    return __float_as_int(x);
}
SMWAVE_INSTRUCTION unsigned __float_as_uint(float x)
{
    return __builtin_bit_cast(unsigned, x);
}
SMWAVE_INSTRUCTION unsigned float_as_uint(float x)
{
    return __float_as_uint(x);
}
SMWAVE_INSTRUCTION float __int_as_float(int x)
{
    return __builtin_bit_cast(float, x);
}
SMWAVE_INSTRUCTION float int_as_float(int x)
{
    return __int_as_float(x);
}
SMWAVE_INSTRUCTION float __uint_as_float(unsigned x)
{
    return __builtin_bit_cast(float, x);
}
SMWAVE_INSTRUCTION float uint_as_float(unsigned x)
{
    return __uint_as_float(x);
}
SMWAVE_INSTRUCTION long long __double_as_longlong(double x)
{
    return __builtin_bit_cast(long long, x);
}
SMWAVE_INSTRUCTION unsigned long long __double_as_ulonglong(double x)
{
    return __builtin_bit_cast(unsigned long long, x);
}
SMWAVE_INSTRUCTION double __longlong_as_double(long long x)
{
    return __builtin_bit_cast(double, x);
}
SMWAVE_INSTRUCTION double __ulonglong_as_double(unsigned long long x)
{
    return __builtin_bit_cast(double, x);
}
SMWAVE_INSTRUCTION int __double2hiint(double x)
{
    return (int)(__builtin_bit_cast(long long, x) >> 32);
}
SMWAVE_INSTRUCTION int __double2loint(double x)
{
    return (int)__builtin_bit_cast(long long, x);
}
SMWAVE_INSTRUCTION double __hiloint2double(int high, int low)
{
    return __builtin_bit_cast(double,
                              (unsigned long long)(unsigned)high << 32 | (unsigned)low);
}

/* ---- integers ---- */

SMWAVE_1(unsigned, "r", __brev, unsigned, "r", "brev.b32")
SMWAVE_1(unsigned long long, "l", __brevll, unsigned long long, "l", "brev.b64")
SMWAVE_1(int, "r", __clz, int, "r", "clz.b32")
SMWAVE_1(int, "r", __clzll, long long, "l", "clz.b64")
SMWAVE_1(int, "r", __popc, unsigned, "r", "popc.b32")
SMWAVE_1(int, "r", __popcll, unsigned long long, "l", "popc.b64")
SMWAVE_INSTRUCTION int __ffs(int x)
{
    return x == 0 ? 0 : 32 - __clz(x & -x);
}
SMWAVE_INSTRUCTION int __ffsll(long long x)
{
    return x == 0 ? 0 : 64 - __clzll(x & -x);
}
SMWAVE_2(int, "r", __mulhi, int, "r", int, "r", "mul.hi.s32")
SMWAVE_2(unsigned, "r", __umulhi, unsigned, "r", unsigned, "r", "mul.hi.u32")
SMWAVE_2(long long, "l", __mul64hi, long long, "l", long long, "l", "mul.hi.s64")
SMWAVE_2(unsigned long long, "l", __umul64hi, unsigned long long, "l",
         unsigned long long, "l", "mul.hi.u64")
SMWAVE_2(int, "r", __mul24, int, "r", int, "r", "mul24.lo.s32")
SMWAVE_2(unsigned, "r", __umul24, unsigned, "r", unsigned, "r", "mul24.lo.u32")
SMWAVE_3(unsigned, "r", __sad, int, "r", int, "r", unsigned, "r", "sad.s32")
SMWAVE_3(unsigned, "r", __usad, unsigned, "r", unsigned, "r", unsigned, "r", "sad.u32")
SMWAVE_3(unsigned, "r", __byte_perm, unsigned, "r", unsigned, "r", unsigned, "r",
         "prmt.b32")
SMWAVE_INSTRUCTION int __hadd(int x, int y)
{
    return (x & y) + ((x ^ y) >> 1);
}
SMWAVE_INSTRUCTION int __rhadd(int x, int y)
{
    return (x | y) - ((x ^ y) >> 1);
}
SMWAVE_INSTRUCTION unsigned __uhadd(unsigned x, unsigned y)
{
    return (x & y) + ((x ^ y) >> 1);
}
SMWAVE_INSTRUCTION unsigned __urhadd(unsigned x, unsigned y)
{
    return (x | y) - ((x ^ y) >> 1);
}

/* The upper word of high:low << n, and the lower one of high:low >> n: n modulo 32, or
 * (c) at most 32. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 320
SMWAVE_3(unsigned, "r", __funnelshift_l, unsigned, "r", unsigned, "r", unsigned, "r",
         "shf.l.wrap.b32")
SMWAVE_3(unsigned, "r", __funnelshift_lc, unsigned, "r", unsigned, "r", unsigned, "r",
         "shf.l.clamp.b32")
SMWAVE_3(unsigned, "r", __funnelshift_r, unsigned, "r", unsigned, "r", unsigned, "r",
         "shf.r.wrap.b32")
SMWAVE_3(unsigned, "r", __funnelshift_rc, unsigned, "r", unsigned, "r", unsigned, "r",
         "shf.r.clamp.b32")
#endif

/* c + the sum of the products of four bytes, or of two halves and two bytes */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 610
SMWAVE_3(int, "r", __dp4a, int, "r", int, "r", int, "r", "dp4a.s32.s32")
SMWAVE_3(int, "r", __dp2a_lo, int, "r", int, "r", int, "r", "dp2a.lo.s32.s32")
SMWAVE_3(int, "r", __dp2a_hi, int, "r", int, "r", int, "r", "dp2a.hi.s32.s32")
SMWAVE_3(unsigned, "r", __dp4a, unsigned, "r", unsigned, "r", unsigned, "r",
         "dp4a.u32.u32")
SMWAVE_3(unsigned, "r", __dp2a_lo, unsigned, "r", unsigned, "r", unsigned, "r",
         "dp2a.lo.u32.u32")
SMWAVE_3(unsigned, "r", __dp2a_hi, unsigned, "r", unsigned, "r", unsigned, "r",
         "dp2a.hi.u32.u32")
SMWAVE_INSTRUCTION int __dp4a(char4 x, char4 y, int z)
{
    return __dp4a(__builtin_bit_cast(int, x), __builtin_bit_cast(int, y), z);
}
SMWAVE_INSTRUCTION unsigned __dp4a(uchar4 x, uchar4 y, unsigned z)
{
    return __dp4a(__builtin_bit_cast(unsigned, x), __builtin_bit_cast(unsigned, y), z);
}
#endif

SMWAVE_INSTRUCTION int mulhi(int x, int y)
{
    return __mulhi(x, y);
}
SMWAVE_INSTRUCTION unsigned mulhi(unsigned x, unsigned y)
{
    return __umulhi(x, y);
}
SMWAVE_INSTRUCTION unsigned umulhi(unsigned x, unsigned y)
{
    return __umulhi(x, y);
}
SMWAVE_INSTRUCTION long long mul64hi(long long x, long long y)
{
    return __mul64hi(x, y);
}
SMWAVE_INSTRUCTION int mul24(int x, int y)
{
    return __mul24(x, y);
}
SMWAVE_INSTRUCTION unsigned umul24(unsigned x, unsigned y)
{
    return __umul24(x, y);
}

#endif
