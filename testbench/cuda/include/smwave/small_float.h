/*
 * small_float.h - the functions of cuda_fp16.h and cuda_bf16.h, which include it with
 * their types and conversions in macros: SMWAVE_SMALL is the type of one number,
 * SMWAVE_SMALL2 that of two. It is read once for each.
 */
#define SMWAVE_T  SMWAVE_SMALL
#define SMWAVE_T2 SMWAVE_SMALL2

struct SMWAVE_T {
    unsigned short __x;

    SMWAVE_T() = default;
    __host__ __device__ SMWAVE_T(const SMWAVE_SMALL_RAW &r) : __x(r.x)
    {
    }
    __host__ __device__ SMWAVE_T(float v) : __x(SMWAVE_FROM_FLOAT(v))
    {
    }
    __host__ __device__ SMWAVE_T(double v);
    __host__ __device__ SMWAVE_T(short v);
    __host__ __device__ SMWAVE_T(unsigned short v);
    __host__ __device__ SMWAVE_T(int v);
    __host__ __device__ SMWAVE_T(unsigned v);
    __host__ __device__ SMWAVE_T(long v);
    __host__ __device__ SMWAVE_T(unsigned long v);
    __host__ __device__ SMWAVE_T(long long v);
    __host__ __device__ SMWAVE_T(unsigned long long v);
    __host__ __device__ operator float() const
    {
        return SMWAVE_TO_FLOAT(__x);
    }
    __host__ __device__ operator SMWAVE_SMALL_RAW() const
    {
        return {__x};
    }
    __host__ __device__ explicit operator bool() const
    {
        return (__x & 0x7fff) != 0;
    }
    __host__ __device__ explicit operator short() const
    {
        return (short)(float)*this;
    }
    __host__ __device__ explicit operator unsigned short() const
    {
        return (unsigned short)(float)*this;
    }
    __host__ __device__ explicit operator int() const
    {
        return (int)(float)*this;
    }
    __host__ __device__ explicit operator unsigned() const
    {
        return (unsigned)(float)*this;
    }
    __host__ __device__ explicit operator long() const
    {
        return (long)(float)*this;
    }
    __host__ __device__ explicit operator unsigned long() const
    {
        return (unsigned long)(float)*this;
    }
    __host__ __device__ explicit operator long long() const
    {
        return (long long)(float)*this;
    }
    __host__ __device__ explicit operator unsigned long long() const
    {
        return (unsigned long long)(float)*this;
    }
    __host__ __device__ explicit operator char() const
    {
        return (char)(float)*this;
    }
    __host__ __device__ explicit operator signed char() const
    {
        return (signed char)(float)*this;
    }
    __host__ __device__ explicit operator unsigned char() const
    {
        return (unsigned char)(float)*this;
    }
    __host__ __device__ SMWAVE_T &operator=(float v)
    {
        return *this = SMWAVE_T(v);
    }
    __host__ __device__ SMWAVE_T &operator=(double v)
    {
        return *this = SMWAVE_T(v);
    }
    __host__ __device__ SMWAVE_T &operator=(short v)
    {
        return *this = SMWAVE_T(v);
    }
    __host__ __device__ SMWAVE_T &operator=(unsigned short v)
    {
        return *this = SMWAVE_T(v);
    }
    __host__ __device__ SMWAVE_T &operator=(int v)
    {
        return *this = SMWAVE_T(v);
    }
    __host__ __device__ SMWAVE_T &operator=(unsigned v)
    {
        return *this = SMWAVE_T(v);
    }
    __host__ __device__ SMWAVE_T &operator=(long v)
    {
        return *this = SMWAVE_T(v);
    }
    __host__ __device__ SMWAVE_T &operator=(unsigned long v)
    {
        return *this = SMWAVE_T(v);
    }
    __host__ __device__ SMWAVE_T &operator=(long long v)
    {
        return *this = SMWAVE_T(v);
    }
    __host__ __device__ SMWAVE_T &operator=(unsigned long long v)
    {
        return *this = SMWAVE_T(v);
    }
};

struct __attribute__((aligned(4))) SMWAVE_T2 {
    SMWAVE_T x, y;

    SMWAVE_T2() = default;
    __host__ __device__ SMWAVE_T2(const SMWAVE_T &a, const SMWAVE_T &b) : x(a), y(b)
    {
    }
    __host__ __device__ SMWAVE_T2(const SMWAVE_SMALL2_RAW &r)
        : x(SMWAVE_SMALL_RAW{r.x}), y(SMWAVE_SMALL_RAW{r.y})
    {
    }
    __host__ __device__ operator SMWAVE_SMALL2_RAW() const
    {
        return {x.__x, y.__x};
    }
};

/* ---- conversions ---- */

/*
 * A double or a large integer on its way to fewer digits passes float, cut off with the
 * last bit set where anything is lost (round to odd): the second rounding then sees
 * which side of a half it is on.
 */
#ifndef SMWAVE_ROUND_TO_ODD
#define SMWAVE_ROUND_TO_ODD
namespace smwave_math
{
SMWAVE_INSIDE float to_odd(double x)
{
    float f = (float)x;
    double d = (double)f;

    if (d == x || x != x) {
        return f;
    }
    if (size(d) > size(x)) { /* rounded away: one back */
        f = from_bits(bits(f) - 1);
    }
    return from_bits(bits(f) | 1);
}
SMWAVE_INSIDE float to_odd(u64 x) /* 53 bits are enough to begin with */
{
    u64 rest = x & 0xfff;

    return x < 0x10000000000000ull
               ? to_odd((double)x)
               : to_odd((double)(x - rest + (rest != 0 ? 0x800 : 0)));
}
SMWAVE_INSIDE float to_odd(s64 x)
{
    return x < 0 ? -to_odd(0 - (u64)x) : to_odd((u64)x);
}
/* The whole number f as a T, at most T's limits; NaN gives 0. */
template <class T> SMWAVE_INSIDE T saturated(float f)
{
    const int digits = (int)sizeof(T) * 8 - ((T)-1 < (T)0 ? 1 : 0);
    const T top = (T)(((u64)1 << (digits - 1)) - 1 + ((u64)1 << (digits - 1)));
    const T bottom = (T)-1 < (T)0 ? (T)(-top - 1) : (T)0;
    float limit = from_bits((digits + 127) << 23); /* top + 1 */

    return f != f                               ? (T)0
           : f >= limit                         ? top
           : f < ((T)-1 < (T)0 ? -limit : 0.0f) ? bottom
                                                : (T)f;
}
/* a b + c to odd: as the instructions that round down and up say */
SMWAVE_INSIDE float fma_to_odd(float a, float b, float c)
{
#if defined(__CUDA_ARCH__)
    float low, high, cut;

    __asm__("fma.rm.f32 %0, %1, %2, %3;" : "=f"(low) : "f"(a), "f"(b), "f"(c));
    __asm__("fma.rp.f32 %0, %1, %2, %3;" : "=f"(high) : "f"(a), "f"(b), "f"(c));
    __asm__("fma.rz.f32 %0, %1, %2, %3;" : "=f"(cut) : "f"(a), "f"(b), "f"(c));
    return low < high ? from_bits(bits(cut) | 1) : __builtin_fmaf(a, b, c);
#else
    /* The product is exact in double; the sum's error by a twofold sum. */
    double p = (double)a * (double)b, s = p + (double)c, t = s - p;
    double e = (p - (s - t)) + ((double)c - t);

    if ((e < 0.0 || e > 0.0) && (bits(s) & 1) == 0) {
        s = from_bits(bits(s) + ((e > 0.0) == (s > 0.0) ? 1 : -1));
    }
    return to_odd(s);
#endif
}
} /* namespace smwave_math */
#endif

inline __host__ __device__ SMWAVE_T::SMWAVE_T(double v)
    : __x(SMWAVE_FROM_FLOAT(smwave_math::to_odd(v)))
{
}
inline __host__ __device__ SMWAVE_T::SMWAVE_T(short v)
    : __x(SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v)))
{
}
inline __host__ __device__ SMWAVE_T::SMWAVE_T(unsigned short v)
    : __x(SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v)))
{
}
inline __host__ __device__ SMWAVE_T::SMWAVE_T(int v)
    : __x(SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v)))
{
}
inline __host__ __device__ SMWAVE_T::SMWAVE_T(unsigned v)
    : __x(SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v)))
{
}
inline __host__ __device__ SMWAVE_T::SMWAVE_T(long v)
    : __x(SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v)))
{
}
inline __host__ __device__ SMWAVE_T::SMWAVE_T(unsigned long v)
    : __x(SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v)))
{
}
inline __host__ __device__ SMWAVE_T::SMWAVE_T(long long v)
    : __x(SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v)))
{
}
inline __host__ __device__ SMWAVE_T::SMWAVE_T(unsigned long long v)
    : __x(SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v)))
{
}

SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__float2, )(float x)
{
    return SMWAVE_T(x);
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__double2, )(double x)
{
    return SMWAVE_T(x);
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__float2, _rn)(float x)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(x, smwave_math::NEAREST)});
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__float2, _rz)(float x)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(x, smwave_math::TO_ZERO)});
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__float2, _ru)(float x)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(x, smwave_math::UP)});
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__float2, _rd)(float x)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(x, smwave_math::DOWN)});
}
SMWAVE_BOTH float SMWAVE_SMALL_NAME(__, 2float)(SMWAVE_T h)
{
    return (float)h;
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__int2, _rn)(int v)
{
    return SMWAVE_T(
        SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v),
                                           smwave_math::NEAREST)});
}
SMWAVE_BOTH int SMWAVE_SMALL_NAME(__, 2int_rn)(SMWAVE_T h)
{
    return smwave_math::saturated<int>(__builtin_rintf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__int2, _rz)(int v)
{
    return SMWAVE_T(
        SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v),
                                           smwave_math::TO_ZERO)});
}
SMWAVE_BOTH int SMWAVE_SMALL_NAME(__, 2int_rz)(SMWAVE_T h)
{
    return smwave_math::saturated<int>(__builtin_truncf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__int2, _ru)(int v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{
        SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v), smwave_math::UP)});
}
SMWAVE_BOTH int SMWAVE_SMALL_NAME(__, 2int_ru)(SMWAVE_T h)
{
    return smwave_math::saturated<int>(__builtin_ceilf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__int2, _rd)(int v)
{
    return SMWAVE_T(
        SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v),
                                           smwave_math::DOWN)});
}
SMWAVE_BOTH int SMWAVE_SMALL_NAME(__, 2int_rd)(SMWAVE_T h)
{
    return smwave_math::saturated<int>(__builtin_floorf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__uint2, _rn)(unsigned v)
{
    return SMWAVE_T(
        SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v),
                                           smwave_math::NEAREST)});
}
SMWAVE_BOTH unsigned SMWAVE_SMALL_NAME(__, 2uint_rn)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned>(__builtin_rintf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__uint2, _rz)(unsigned v)
{
    return SMWAVE_T(
        SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v),
                                           smwave_math::TO_ZERO)});
}
SMWAVE_BOTH unsigned SMWAVE_SMALL_NAME(__, 2uint_rz)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned>(__builtin_truncf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__uint2, _ru)(unsigned v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{
        SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v), smwave_math::UP)});
}
SMWAVE_BOTH unsigned SMWAVE_SMALL_NAME(__, 2uint_ru)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned>(__builtin_ceilf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__uint2, _rd)(unsigned v)
{
    return SMWAVE_T(
        SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v),
                                           smwave_math::DOWN)});
}
SMWAVE_BOTH unsigned SMWAVE_SMALL_NAME(__, 2uint_rd)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned>(__builtin_floorf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__short2, _rn)(short v)
{
    return SMWAVE_T(
        SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v),
                                           smwave_math::NEAREST)});
}
SMWAVE_BOTH short SMWAVE_SMALL_NAME(__, 2short_rn)(SMWAVE_T h)
{
    return smwave_math::saturated<short>(__builtin_rintf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__short2, _rz)(short v)
{
    return SMWAVE_T(
        SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v),
                                           smwave_math::TO_ZERO)});
}
SMWAVE_BOTH short SMWAVE_SMALL_NAME(__, 2short_rz)(SMWAVE_T h)
{
    return smwave_math::saturated<short>(__builtin_truncf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__short2, _ru)(short v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{
        SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v), smwave_math::UP)});
}
SMWAVE_BOTH short SMWAVE_SMALL_NAME(__, 2short_ru)(SMWAVE_T h)
{
    return smwave_math::saturated<short>(__builtin_ceilf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__short2, _rd)(short v)
{
    return SMWAVE_T(
        SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v),
                                           smwave_math::DOWN)});
}
SMWAVE_BOTH short SMWAVE_SMALL_NAME(__, 2short_rd)(SMWAVE_T h)
{
    return smwave_math::saturated<short>(__builtin_floorf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ushort2, _rn)(unsigned short v)
{
    return SMWAVE_T(
        SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v),
                                           smwave_math::NEAREST)});
}
SMWAVE_BOTH unsigned short SMWAVE_SMALL_NAME(__, 2ushort_rn)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned short>(__builtin_rintf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ushort2, _rz)(unsigned short v)
{
    return SMWAVE_T(
        SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v),
                                           smwave_math::TO_ZERO)});
}
SMWAVE_BOTH unsigned short SMWAVE_SMALL_NAME(__, 2ushort_rz)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned short>(__builtin_truncf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ushort2, _ru)(unsigned short v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{
        SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v), smwave_math::UP)});
}
SMWAVE_BOTH unsigned short SMWAVE_SMALL_NAME(__, 2ushort_ru)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned short>(__builtin_ceilf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ushort2, _rd)(unsigned short v)
{
    return SMWAVE_T(
        SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v),
                                           smwave_math::DOWN)});
}
SMWAVE_BOTH unsigned short SMWAVE_SMALL_NAME(__, 2ushort_rd)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned short>(__builtin_floorf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ll2, _rn)(long long v)
{
    return SMWAVE_T(
        SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v),
                                           smwave_math::NEAREST)});
}
SMWAVE_BOTH long long SMWAVE_SMALL_NAME(__, 2ll_rn)(SMWAVE_T h)
{
    return smwave_math::saturated<long long>(__builtin_rintf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ll2, _rz)(long long v)
{
    return SMWAVE_T(
        SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v),
                                           smwave_math::TO_ZERO)});
}
SMWAVE_BOTH long long SMWAVE_SMALL_NAME(__, 2ll_rz)(SMWAVE_T h)
{
    return smwave_math::saturated<long long>(__builtin_truncf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ll2, _ru)(long long v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{
        SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v), smwave_math::UP)});
}
SMWAVE_BOTH long long SMWAVE_SMALL_NAME(__, 2ll_ru)(SMWAVE_T h)
{
    return smwave_math::saturated<long long>(__builtin_ceilf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ll2, _rd)(long long v)
{
    return SMWAVE_T(
        SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v),
                                           smwave_math::DOWN)});
}
SMWAVE_BOTH long long SMWAVE_SMALL_NAME(__, 2ll_rd)(SMWAVE_T h)
{
    return smwave_math::saturated<long long>(__builtin_floorf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ull2, _rn)(unsigned long long v)
{
    return SMWAVE_T(
        SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v),
                                           smwave_math::NEAREST)});
}
SMWAVE_BOTH unsigned long long SMWAVE_SMALL_NAME(__, 2ull_rn)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned long long>(__builtin_rintf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ull2, _rz)(unsigned long long v)
{
    return SMWAVE_T(
        SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v),
                                           smwave_math::TO_ZERO)});
}
SMWAVE_BOTH unsigned long long SMWAVE_SMALL_NAME(__, 2ull_rz)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned long long>(__builtin_truncf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ull2, _ru)(unsigned long long v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{
        SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v), smwave_math::UP)});
}
SMWAVE_BOTH unsigned long long SMWAVE_SMALL_NAME(__, 2ull_ru)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned long long>(__builtin_ceilf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ull2, _rd)(unsigned long long v)
{
    return SMWAVE_T(
        SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v),
                                           smwave_math::DOWN)});
}
SMWAVE_BOTH unsigned long long SMWAVE_SMALL_NAME(__, 2ull_rd)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned long long>(__builtin_floorf((float)h));
}

/* ---- pairs ---- */

SMWAVE_BOTH SMWAVE_T2 SMWAVE_SMALL2_NAME(__float2, _rn)(float a)
{
    return SMWAVE_T2(SMWAVE_T(a), SMWAVE_T(a));
}
SMWAVE_BOTH SMWAVE_T2 SMWAVE_SMALL2_NAME(__floats2, _rn)(float a, float b)
{
    return SMWAVE_T2(SMWAVE_T(a), SMWAVE_T(b));
}
SMWAVE_BOTH SMWAVE_T2 SMWAVE_SMALL2_NAME(__float22, _rn)(float2 a)
{
    return SMWAVE_T2(SMWAVE_T(a.x), SMWAVE_T(a.y));
}
SMWAVE_BOTH float2 SMWAVE_SMALL2_NAME(__, 2float2)(SMWAVE_T2 a)
{
    float2 r;

    r.x = (float)a.x;
    r.y = (float)a.y;
    return r;
}
SMWAVE_BOTH float __low2float(SMWAVE_T2 a)
{
    return (float)a.x;
}
SMWAVE_BOTH float __high2float(SMWAVE_T2 a)
{
    return (float)a.y;
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__low2, )(SMWAVE_T2 a)
{
    return a.x;
}
SMWAVE_BOTH SMWAVE_T2 SMWAVE_SMALL2_NAME(__low2, )(SMWAVE_T2 a)
{
    return SMWAVE_T2(a.x, a.x);
}
SMWAVE_BOTH SMWAVE_T2 SMWAVE_SMALL2_NAME(__lows2, )(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(a.x, b.x);
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__high2, )(SMWAVE_T2 a)
{
    return a.y;
}
SMWAVE_BOTH SMWAVE_T2 SMWAVE_SMALL2_NAME(__high2, )(SMWAVE_T2 a)
{
    return SMWAVE_T2(a.y, a.y);
}
SMWAVE_BOTH SMWAVE_T2 SMWAVE_SMALL2_NAME(__highs2, )(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 SMWAVE_SMALL_PAIR_OF_ONE(SMWAVE_T a)
{
    return SMWAVE_T2(a, a);
}
SMWAVE_BOTH SMWAVE_T2 SMWAVE_SMALL_PAIR_OF_TWO(SMWAVE_T a, SMWAVE_T b)
{
    return SMWAVE_T2(a, b);
}
SMWAVE_BOTH SMWAVE_T2 __lowhigh2highlow(SMWAVE_T2 a)
{
    return SMWAVE_T2(a.y, a.x);
}
SMWAVE_BOTH SMWAVE_T2 SMWAVE_SMALL_MAKE(SMWAVE_T a, SMWAVE_T b)
{
    return SMWAVE_T2(a, b);
}

#include "smwave/small_float_arithmetic.h"
#include "smwave/small_float_compare.h"
#include "smwave/small_float_functions.h"

#undef SMWAVE_T
#undef SMWAVE_T2
#undef SMWAVE_SMALL
#undef SMWAVE_SMALL2
#undef SMWAVE_SMALL_RAW
#undef SMWAVE_SMALL2_RAW
#undef SMWAVE_SMALL_NAME
#undef SMWAVE_SMALL2_NAME
#undef SMWAVE_FROM_FLOAT
#undef SMWAVE_INSN2
#undef SMWAVE_INSN
#undef SMWAVE_SMALL_ONE
#undef SMWAVE_SMALL_EXTREMES
#undef SMWAVE_SMALL_NATIVE
#undef SMWAVE_TO_FLOAT
#undef SMWAVE_SMALL_INF
#undef SMWAVE_SMALL_NAN
#undef SMWAVE_SMALL_ONE
#undef SMWAVE_SMALL_PAIR_OF_ONE
#undef SMWAVE_SMALL_PAIR_OF_TWO
#undef SMWAVE_SMALL_MAKE
#undef SMWAVE_SMALL_FROM_PAIR
