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
    __host__ __device__ SMWAVE_T(const SMWAVE_SMALL_RAW &r) : __x(r.x) {}
    __host__ __device__ SMWAVE_T(float v) : __x(SMWAVE_FROM_FLOAT(v)) {}
    __host__ __device__ SMWAVE_T(double v);
    __host__ __device__ SMWAVE_T(short v);
    __host__ __device__ SMWAVE_T(unsigned short v);
    __host__ __device__ SMWAVE_T(int v);
    __host__ __device__ SMWAVE_T(unsigned v);
    __host__ __device__ SMWAVE_T(long v);
    __host__ __device__ SMWAVE_T(unsigned long v);
    __host__ __device__ SMWAVE_T(long long v);
    __host__ __device__ SMWAVE_T(unsigned long long v);
    __host__ __device__ operator float() const { return SMWAVE_TO_FLOAT(__x); }
    __host__ __device__ operator SMWAVE_SMALL_RAW() const { return {__x}; }
    __host__ __device__ explicit operator bool() const { return (__x & 0x7fff) != 0; }
    __host__ __device__ explicit operator short() const { return (short)(float)*this; }
    __host__ __device__ explicit operator unsigned short() const { return (unsigned short)(float)*this; }
    __host__ __device__ explicit operator int() const { return (int)(float)*this; }
    __host__ __device__ explicit operator unsigned() const { return (unsigned)(float)*this; }
    __host__ __device__ explicit operator long() const { return (long)(float)*this; }
    __host__ __device__ explicit operator unsigned long() const { return (unsigned long)(float)*this; }
    __host__ __device__ explicit operator long long() const { return (long long)(float)*this; }
    __host__ __device__ explicit operator unsigned long long() const { return (unsigned long long)(float)*this; }
    __host__ __device__ explicit operator char() const { return (char)(float)*this; }
    __host__ __device__ explicit operator signed char() const { return (signed char)(float)*this; }
    __host__ __device__ explicit operator unsigned char() const { return (unsigned char)(float)*this; }
    __host__ __device__ SMWAVE_T &operator=(float v) { return *this = SMWAVE_T(v); }
    __host__ __device__ SMWAVE_T &operator=(double v) { return *this = SMWAVE_T(v); }
    __host__ __device__ SMWAVE_T &operator=(short v) { return *this = SMWAVE_T(v); }
    __host__ __device__ SMWAVE_T &operator=(unsigned short v) { return *this = SMWAVE_T(v); }
    __host__ __device__ SMWAVE_T &operator=(int v) { return *this = SMWAVE_T(v); }
    __host__ __device__ SMWAVE_T &operator=(unsigned v) { return *this = SMWAVE_T(v); }
    __host__ __device__ SMWAVE_T &operator=(long v) { return *this = SMWAVE_T(v); }
    __host__ __device__ SMWAVE_T &operator=(unsigned long v) { return *this = SMWAVE_T(v); }
    __host__ __device__ SMWAVE_T &operator=(long long v) { return *this = SMWAVE_T(v); }
    __host__ __device__ SMWAVE_T &operator=(unsigned long long v) { return *this = SMWAVE_T(v); }
};

struct __attribute__((aligned(4))) SMWAVE_T2 {
    SMWAVE_T x, y;

    SMWAVE_T2() = default;
    __host__ __device__ SMWAVE_T2(const SMWAVE_T &a, const SMWAVE_T &b) : x(a), y(b) {}
    __host__ __device__ SMWAVE_T2(const SMWAVE_SMALL2_RAW &r)
        : x(SMWAVE_SMALL_RAW{r.x}), y(SMWAVE_SMALL_RAW{r.y})
    {
    }
    __host__ __device__ operator SMWAVE_SMALL2_RAW() const { return {x.__x, y.__x}; }
};

/* ---- conversions ---- */

/*
 * A double or a large integer on its way to fewer digits passes float, cut off with the
 * last bit set where anything is lost (round to odd): the second rounding then sees
 * which side of a half it is on.
 */
#ifndef SMWAVE_ROUND_TO_ODD
#define SMWAVE_ROUND_TO_ODD
namespace smwave_math {
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

    return x < 0x10000000000000ull ? to_odd((double)x)
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

    return f != f ? (T)0 : f >= limit ? top : f < ((T)-1 < (T)0 ? -limit : 0.0f) ? bottom : (T)f;
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

SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__float2, )(float x) { return SMWAVE_T(x); }
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__double2, )(double x) { return SMWAVE_T(x); }
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
SMWAVE_BOTH float SMWAVE_SMALL_NAME(__, 2float)(SMWAVE_T h) { return (float)h; }
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__int2, _rn)(int v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v), smwave_math::NEAREST)});
}
SMWAVE_BOTH int SMWAVE_SMALL_NAME(__, 2int_rn)(SMWAVE_T h)
{
    return smwave_math::saturated<int>(__builtin_rintf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__int2, _rz)(int v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v), smwave_math::TO_ZERO)});
}
SMWAVE_BOTH int SMWAVE_SMALL_NAME(__, 2int_rz)(SMWAVE_T h)
{
    return smwave_math::saturated<int>(__builtin_truncf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__int2, _ru)(int v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v), smwave_math::UP)});
}
SMWAVE_BOTH int SMWAVE_SMALL_NAME(__, 2int_ru)(SMWAVE_T h)
{
    return smwave_math::saturated<int>(__builtin_ceilf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__int2, _rd)(int v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v), smwave_math::DOWN)});
}
SMWAVE_BOTH int SMWAVE_SMALL_NAME(__, 2int_rd)(SMWAVE_T h)
{
    return smwave_math::saturated<int>(__builtin_floorf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__uint2, _rn)(unsigned v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v), smwave_math::NEAREST)});
}
SMWAVE_BOTH unsigned SMWAVE_SMALL_NAME(__, 2uint_rn)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned>(__builtin_rintf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__uint2, _rz)(unsigned v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v), smwave_math::TO_ZERO)});
}
SMWAVE_BOTH unsigned SMWAVE_SMALL_NAME(__, 2uint_rz)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned>(__builtin_truncf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__uint2, _ru)(unsigned v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v), smwave_math::UP)});
}
SMWAVE_BOTH unsigned SMWAVE_SMALL_NAME(__, 2uint_ru)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned>(__builtin_ceilf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__uint2, _rd)(unsigned v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v), smwave_math::DOWN)});
}
SMWAVE_BOTH unsigned SMWAVE_SMALL_NAME(__, 2uint_rd)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned>(__builtin_floorf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__short2, _rn)(short v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v), smwave_math::NEAREST)});
}
SMWAVE_BOTH short SMWAVE_SMALL_NAME(__, 2short_rn)(SMWAVE_T h)
{
    return smwave_math::saturated<short>(__builtin_rintf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__short2, _rz)(short v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v), smwave_math::TO_ZERO)});
}
SMWAVE_BOTH short SMWAVE_SMALL_NAME(__, 2short_rz)(SMWAVE_T h)
{
    return smwave_math::saturated<short>(__builtin_truncf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__short2, _ru)(short v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v), smwave_math::UP)});
}
SMWAVE_BOTH short SMWAVE_SMALL_NAME(__, 2short_ru)(SMWAVE_T h)
{
    return smwave_math::saturated<short>(__builtin_ceilf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__short2, _rd)(short v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v), smwave_math::DOWN)});
}
SMWAVE_BOTH short SMWAVE_SMALL_NAME(__, 2short_rd)(SMWAVE_T h)
{
    return smwave_math::saturated<short>(__builtin_floorf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ushort2, _rn)(unsigned short v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v), smwave_math::NEAREST)});
}
SMWAVE_BOTH unsigned short SMWAVE_SMALL_NAME(__, 2ushort_rn)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned short>(__builtin_rintf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ushort2, _rz)(unsigned short v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v), smwave_math::TO_ZERO)});
}
SMWAVE_BOTH unsigned short SMWAVE_SMALL_NAME(__, 2ushort_rz)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned short>(__builtin_truncf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ushort2, _ru)(unsigned short v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v), smwave_math::UP)});
}
SMWAVE_BOTH unsigned short SMWAVE_SMALL_NAME(__, 2ushort_ru)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned short>(__builtin_ceilf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ushort2, _rd)(unsigned short v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v), smwave_math::DOWN)});
}
SMWAVE_BOTH unsigned short SMWAVE_SMALL_NAME(__, 2ushort_rd)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned short>(__builtin_floorf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ll2, _rn)(long long v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v), smwave_math::NEAREST)});
}
SMWAVE_BOTH long long SMWAVE_SMALL_NAME(__, 2ll_rn)(SMWAVE_T h)
{
    return smwave_math::saturated<long long>(__builtin_rintf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ll2, _rz)(long long v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v), smwave_math::TO_ZERO)});
}
SMWAVE_BOTH long long SMWAVE_SMALL_NAME(__, 2ll_rz)(SMWAVE_T h)
{
    return smwave_math::saturated<long long>(__builtin_truncf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ll2, _ru)(long long v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v), smwave_math::UP)});
}
SMWAVE_BOTH long long SMWAVE_SMALL_NAME(__, 2ll_ru)(SMWAVE_T h)
{
    return smwave_math::saturated<long long>(__builtin_ceilf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ll2, _rd)(long long v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::s64)v), smwave_math::DOWN)});
}
SMWAVE_BOTH long long SMWAVE_SMALL_NAME(__, 2ll_rd)(SMWAVE_T h)
{
    return smwave_math::saturated<long long>(__builtin_floorf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ull2, _rn)(unsigned long long v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v), smwave_math::NEAREST)});
}
SMWAVE_BOTH unsigned long long SMWAVE_SMALL_NAME(__, 2ull_rn)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned long long>(__builtin_rintf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ull2, _rz)(unsigned long long v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v), smwave_math::TO_ZERO)});
}
SMWAVE_BOTH unsigned long long SMWAVE_SMALL_NAME(__, 2ull_rz)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned long long>(__builtin_truncf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ull2, _ru)(unsigned long long v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v), smwave_math::UP)});
}
SMWAVE_BOTH unsigned long long SMWAVE_SMALL_NAME(__, 2ull_ru)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned long long>(__builtin_ceilf((float)h));
}
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__ull2, _rd)(unsigned long long v)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_FROM_FLOAT(smwave_math::to_odd((smwave_math::u64)v), smwave_math::DOWN)});
}
SMWAVE_BOTH unsigned long long SMWAVE_SMALL_NAME(__, 2ull_rd)(SMWAVE_T h)
{
    return smwave_math::saturated<unsigned long long>(__builtin_floorf((float)h));
}

/* ---- pairs ---- */

SMWAVE_BOTH SMWAVE_T2 SMWAVE_SMALL2_NAME(__float2, _rn)(float a) { return SMWAVE_T2(SMWAVE_T(a), SMWAVE_T(a)); }
SMWAVE_BOTH SMWAVE_T2 SMWAVE_SMALL2_NAME(__floats2, _rn)(float a, float b) { return SMWAVE_T2(SMWAVE_T(a), SMWAVE_T(b)); }
SMWAVE_BOTH SMWAVE_T2 SMWAVE_SMALL2_NAME(__float22, _rn)(float2 a) { return SMWAVE_T2(SMWAVE_T(a.x), SMWAVE_T(a.y)); }
SMWAVE_BOTH float2 SMWAVE_SMALL2_NAME(__, 2float2)(SMWAVE_T2 a)
{
    float2 r;

    r.x = (float)a.x;
    r.y = (float)a.y;
    return r;
}
SMWAVE_BOTH float __low2float(SMWAVE_T2 a) { return (float)a.x; }
SMWAVE_BOTH float __high2float(SMWAVE_T2 a) { return (float)a.y; }
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__low2, )(SMWAVE_T2 a) { return a.x; }
SMWAVE_BOTH SMWAVE_T2 SMWAVE_SMALL2_NAME(__low2, )(SMWAVE_T2 a) { return SMWAVE_T2(a.x, a.x); }
SMWAVE_BOTH SMWAVE_T2 SMWAVE_SMALL2_NAME(__lows2, )(SMWAVE_T2 a, SMWAVE_T2 b) { return SMWAVE_T2(a.x, b.x); }
SMWAVE_BOTH SMWAVE_T SMWAVE_SMALL_NAME(__high2, )(SMWAVE_T2 a) { return a.y; }
SMWAVE_BOTH SMWAVE_T2 SMWAVE_SMALL2_NAME(__high2, )(SMWAVE_T2 a) { return SMWAVE_T2(a.y, a.y); }
SMWAVE_BOTH SMWAVE_T2 SMWAVE_SMALL2_NAME(__highs2, )(SMWAVE_T2 a, SMWAVE_T2 b) { return SMWAVE_T2(a.y, b.y); }
SMWAVE_BOTH SMWAVE_T2 SMWAVE_SMALL_PAIR_OF_ONE(SMWAVE_T a) { return SMWAVE_T2(a, a); }
SMWAVE_BOTH SMWAVE_T2 SMWAVE_SMALL_PAIR_OF_TWO(SMWAVE_T a, SMWAVE_T b) { return SMWAVE_T2(a, b); }
SMWAVE_BOTH SMWAVE_T2 __lowhigh2highlow(SMWAVE_T2 a) { return SMWAVE_T2(a.y, a.x); }
SMWAVE_BOTH SMWAVE_T2 SMWAVE_SMALL_MAKE(SMWAVE_T a, SMWAVE_T b) { return SMWAVE_T2(a, b); }

/* ---- arithmetic ---- */

SMWAVE_BOTH SMWAVE_T __hadd(SMWAVE_T a, SMWAVE_T b) { return SMWAVE_T((float)a + (float)b); }
SMWAVE_BOTH SMWAVE_T __hadd_rn(SMWAVE_T a, SMWAVE_T b) { return __hadd(a, b); }
SMWAVE_BOTH SMWAVE_T __hsub(SMWAVE_T a, SMWAVE_T b) { return SMWAVE_T((float)a - (float)b); }
SMWAVE_BOTH SMWAVE_T __hsub_rn(SMWAVE_T a, SMWAVE_T b) { return __hsub(a, b); }
SMWAVE_BOTH SMWAVE_T __hmul(SMWAVE_T a, SMWAVE_T b) { return SMWAVE_T(smwave_math::mul((float)a, (float)b)); }
SMWAVE_BOTH SMWAVE_T __hmul_rn(SMWAVE_T a, SMWAVE_T b) { return __hmul(a, b); }
SMWAVE_BOTH SMWAVE_T __hdiv(SMWAVE_T a, SMWAVE_T b)
{
    return SMWAVE_T(smwave_math::quotient((float)a, (float)b));
}
SMWAVE_BOTH SMWAVE_T __hfma(SMWAVE_T a, SMWAVE_T b, SMWAVE_T c)
{
    return SMWAVE_T(smwave_math::fma_to_odd((float)a, (float)b, (float)c));
}
SMWAVE_BOTH SMWAVE_T __hneg(SMWAVE_T a)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{(unsigned short)(a.__x ^ 0x8000)});
}
SMWAVE_BOTH SMWAVE_T __habs(SMWAVE_T a)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{(unsigned short)(a.__x & 0x7fff)});
}
/* Into [0, 1]; NaN gives 0. */
SMWAVE_BOTH SMWAVE_T smwave_saturated(SMWAVE_T a)
{
    float f = smwave_math::least(smwave_math::most((float)a, 0.0f), 1.0f);

    return f > 0.0f ? SMWAVE_T(f) : SMWAVE_T(0.0f);
}
SMWAVE_BOTH SMWAVE_T smwave_not_negative(SMWAVE_T a)
{
    return (float)a <= 0.0f ? SMWAVE_T(0.0f) : a;
}
SMWAVE_BOTH SMWAVE_T __hadd_sat(SMWAVE_T a, SMWAVE_T b) { return smwave_saturated(__hadd(a, b)); }
SMWAVE_BOTH SMWAVE_T __hsub_sat(SMWAVE_T a, SMWAVE_T b) { return smwave_saturated(__hsub(a, b)); }
SMWAVE_BOTH SMWAVE_T __hmul_sat(SMWAVE_T a, SMWAVE_T b) { return smwave_saturated(__hmul(a, b)); }
SMWAVE_BOTH SMWAVE_T __hfma_sat(SMWAVE_T a, SMWAVE_T b, SMWAVE_T c) { return smwave_saturated(__hfma(a, b, c)); }
SMWAVE_BOTH SMWAVE_T __hfma_relu(SMWAVE_T a, SMWAVE_T b, SMWAVE_T c) { return smwave_not_negative(__hfma(a, b, c)); }
SMWAVE_BOTH bool __hisnan(SMWAVE_T a) { return (a.__x & 0x7fff) > SMWAVE_SMALL_INF; }
SMWAVE_BOTH int __hisinf(SMWAVE_T a)
{
    return (a.__x & 0x7fff) != SMWAVE_SMALL_INF ? 0 : (a.__x & 0x8000) != 0 ? -1 : 1;
}
/* A NaN operand gives the other one, or (_nan) NaN; -0 is less than 0. */
SMWAVE_BOTH SMWAVE_T __hmax(SMWAVE_T a, SMWAVE_T b)
{
    if ((float)a == (float)b) {
        return (a.__x & 0x8000) == 0 ? a : b;
    }
    return __hisnan(a) && __hisnan(b) ? SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_SMALL_NAN})
                                      : SMWAVE_T(smwave_math::most((float)a, (float)b));
}
SMWAVE_BOTH SMWAVE_T __hmax_nan(SMWAVE_T a, SMWAVE_T b)
{
    return __hisnan(a) || __hisnan(b) ? SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_SMALL_NAN}) : __hmax(a, b);
}
SMWAVE_BOTH SMWAVE_T __hmin(SMWAVE_T a, SMWAVE_T b)
{
    if ((float)a == (float)b) {
        return (a.__x & 0x8000) == 0x8000 ? a : b;
    }
    return __hisnan(a) && __hisnan(b) ? SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_SMALL_NAN})
                                      : SMWAVE_T(smwave_math::least((float)a, (float)b));
}
SMWAVE_BOTH SMWAVE_T __hmin_nan(SMWAVE_T a, SMWAVE_T b)
{
    return __hisnan(a) || __hisnan(b) ? SMWAVE_T(SMWAVE_SMALL_RAW{SMWAVE_SMALL_NAN}) : __hmin(a, b);
}
SMWAVE_BOTH SMWAVE_T2 __hadd2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hadd(a.x, b.x), __hadd(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hadd2_rn(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hadd_rn(a.x, b.x), __hadd_rn(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hadd2_sat(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hadd_sat(a.x, b.x), __hadd_sat(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hsub2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hsub(a.x, b.x), __hsub(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hsub2_rn(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hsub_rn(a.x, b.x), __hsub_rn(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hsub2_sat(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hsub_sat(a.x, b.x), __hsub_sat(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hmul2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hmul(a.x, b.x), __hmul(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hmul2_rn(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hmul_rn(a.x, b.x), __hmul_rn(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hmul2_sat(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hmul_sat(a.x, b.x), __hmul_sat(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __h2div(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hmax2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hmin2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hmin(a.x, b.x), __hmin(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hmax2_nan(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hmin2_nan(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y));
}
SMWAVE_BOTH SMWAVE_T2 __hfma2(SMWAVE_T2 a, SMWAVE_T2 b, SMWAVE_T2 c)
{
    return SMWAVE_T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
SMWAVE_BOTH SMWAVE_T2 __hfma2_sat(SMWAVE_T2 a, SMWAVE_T2 b, SMWAVE_T2 c)
{
    return SMWAVE_T2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}
SMWAVE_BOTH SMWAVE_T2 __hfma2_relu(SMWAVE_T2 a, SMWAVE_T2 b, SMWAVE_T2 c)
{
    return SMWAVE_T2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));
}
/* The complex product a b, plus c. */
SMWAVE_BOTH SMWAVE_T2 __hcmadd(SMWAVE_T2 a, SMWAVE_T2 b, SMWAVE_T2 c)
{
    SMWAVE_T re = __hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x));

    return SMWAVE_T2(re, __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}
SMWAVE_BOTH SMWAVE_T2 __hneg2(SMWAVE_T2 a) { return SMWAVE_T2(__hneg(a.x), __hneg(a.y)); }
SMWAVE_BOTH SMWAVE_T2 __habs2(SMWAVE_T2 a) { return SMWAVE_T2(__habs(a.x), __habs(a.y)); }

/* ---- comparisons; the second form is true also where an operand is NaN ---- */

SMWAVE_BOTH bool __heq(SMWAVE_T a, SMWAVE_T b) { return (float)a == (float)b; }
SMWAVE_BOTH bool __hequ(SMWAVE_T a, SMWAVE_T b) { return !((float)a < (float)b || (float)a > (float)b); }
SMWAVE_BOTH bool __hbeq2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __heq(a.x, b.x) && __heq(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __heq2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__heq(a.x, b.x) ? 1.0f : 0.0f), SMWAVE_T(__heq(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __heq2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__heq(a.x, b.x) ? 0xffffu : 0u) | (__heq(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH bool __hbequ2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hequ(a.x, b.x) && __hequ(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __hequ2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__hequ(a.x, b.x) ? 1.0f : 0.0f), SMWAVE_T(__hequ(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __hequ2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__hequ(a.x, b.x) ? 0xffffu : 0u) | (__hequ(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH bool __hne(SMWAVE_T a, SMWAVE_T b) { return (float)a < (float)b || (float)a > (float)b; }
SMWAVE_BOTH bool __hneu(SMWAVE_T a, SMWAVE_T b) { return !((float)a == (float)b); }
SMWAVE_BOTH bool __hbne2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hne(a.x, b.x) && __hne(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __hne2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__hne(a.x, b.x) ? 1.0f : 0.0f), SMWAVE_T(__hne(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __hne2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__hne(a.x, b.x) ? 0xffffu : 0u) | (__hne(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH bool __hbneu2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hneu(a.x, b.x) && __hneu(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __hneu2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__hneu(a.x, b.x) ? 1.0f : 0.0f), SMWAVE_T(__hneu(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __hneu2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__hneu(a.x, b.x) ? 0xffffu : 0u) | (__hneu(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH bool __hlt(SMWAVE_T a, SMWAVE_T b) { return (float)a < (float)b; }
SMWAVE_BOTH bool __hltu(SMWAVE_T a, SMWAVE_T b) { return !((float)a >= (float)b); }
SMWAVE_BOTH bool __hblt2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hlt(a.x, b.x) && __hlt(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __hlt2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__hlt(a.x, b.x) ? 1.0f : 0.0f), SMWAVE_T(__hlt(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __hlt2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__hlt(a.x, b.x) ? 0xffffu : 0u) | (__hlt(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH bool __hbltu2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hltu(a.x, b.x) && __hltu(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __hltu2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__hltu(a.x, b.x) ? 1.0f : 0.0f), SMWAVE_T(__hltu(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __hltu2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__hltu(a.x, b.x) ? 0xffffu : 0u) | (__hltu(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH bool __hle(SMWAVE_T a, SMWAVE_T b) { return (float)a <= (float)b; }
SMWAVE_BOTH bool __hleu(SMWAVE_T a, SMWAVE_T b) { return !((float)a > (float)b); }
SMWAVE_BOTH bool __hble2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hle(a.x, b.x) && __hle(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __hle2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__hle(a.x, b.x) ? 1.0f : 0.0f), SMWAVE_T(__hle(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __hle2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__hle(a.x, b.x) ? 0xffffu : 0u) | (__hle(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH bool __hbleu2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hleu(a.x, b.x) && __hleu(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __hleu2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__hleu(a.x, b.x) ? 1.0f : 0.0f), SMWAVE_T(__hleu(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __hleu2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__hleu(a.x, b.x) ? 0xffffu : 0u) | (__hleu(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH bool __hgt(SMWAVE_T a, SMWAVE_T b) { return (float)a > (float)b; }
SMWAVE_BOTH bool __hgtu(SMWAVE_T a, SMWAVE_T b) { return !((float)a <= (float)b); }
SMWAVE_BOTH bool __hbgt2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hgt(a.x, b.x) && __hgt(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __hgt2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__hgt(a.x, b.x) ? 1.0f : 0.0f), SMWAVE_T(__hgt(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __hgt2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__hgt(a.x, b.x) ? 0xffffu : 0u) | (__hgt(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH bool __hbgtu2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hgtu(a.x, b.x) && __hgtu(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __hgtu2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__hgtu(a.x, b.x) ? 1.0f : 0.0f), SMWAVE_T(__hgtu(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __hgtu2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__hgtu(a.x, b.x) ? 0xffffu : 0u) | (__hgtu(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH bool __hge(SMWAVE_T a, SMWAVE_T b) { return (float)a >= (float)b; }
SMWAVE_BOTH bool __hgeu(SMWAVE_T a, SMWAVE_T b) { return !((float)a < (float)b); }
SMWAVE_BOTH bool __hbge2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hge(a.x, b.x) && __hge(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __hge2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__hge(a.x, b.x) ? 1.0f : 0.0f), SMWAVE_T(__hge(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __hge2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__hge(a.x, b.x) ? 0xffffu : 0u) | (__hge(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH bool __hbgeu2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return __hgeu(a.x, b.x) && __hgeu(a.y, b.y);
}
SMWAVE_BOTH SMWAVE_T2 __hgeu2(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return SMWAVE_T2(SMWAVE_T(__hgeu(a.x, b.x) ? 1.0f : 0.0f), SMWAVE_T(__hgeu(a.y, b.y) ? 1.0f : 0.0f));
}
SMWAVE_BOTH unsigned __hgeu2_mask(SMWAVE_T2 a, SMWAVE_T2 b)
{
    return (__hgeu(a.x, b.x) ? 0xffffu : 0u) | (__hgeu(a.y, b.y) ? 0xffff0000u : 0u);
}
SMWAVE_BOTH SMWAVE_T2 __hisnan2(SMWAVE_T2 a)
{
    return SMWAVE_T2(SMWAVE_T(__hisnan(a.x) ? 1.0f : 0.0f), SMWAVE_T(__hisnan(a.y) ? 1.0f : 0.0f));
}

/* ---- functions: float's, rounded ---- */

#if defined(__CUDACC__) || defined(SMWAVE_MATH_OPERATIONS)
SMWAVE_DEVICE SMWAVE_T hsqrt(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(smwave_math::root(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2sqrt(SMWAVE_T2 a) { return SMWAVE_T2(hsqrt(a.x), hsqrt(a.y)); }
SMWAVE_DEVICE SMWAVE_T hrsqrt(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(smwave_math::reciprocal_root(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2rsqrt(SMWAVE_T2 a) { return SMWAVE_T2(hrsqrt(a.x), hrsqrt(a.y)); }
SMWAVE_DEVICE SMWAVE_T hrcp(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(smwave_math::quotient(1.0f, f));
}
SMWAVE_DEVICE SMWAVE_T2 h2rcp(SMWAVE_T2 a) { return SMWAVE_T2(hrcp(a.x), hrcp(a.y)); }
SMWAVE_DEVICE SMWAVE_T hexp(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(expf(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2exp(SMWAVE_T2 a) { return SMWAVE_T2(hexp(a.x), hexp(a.y)); }
SMWAVE_DEVICE SMWAVE_T hexp2(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(exp2f(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2exp2(SMWAVE_T2 a) { return SMWAVE_T2(hexp2(a.x), hexp2(a.y)); }
SMWAVE_DEVICE SMWAVE_T hexp10(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(exp10f(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2exp10(SMWAVE_T2 a) { return SMWAVE_T2(hexp10(a.x), hexp10(a.y)); }
SMWAVE_DEVICE SMWAVE_T hlog(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(logf(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2log(SMWAVE_T2 a) { return SMWAVE_T2(hlog(a.x), hlog(a.y)); }
SMWAVE_DEVICE SMWAVE_T hlog2(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(log2f(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2log2(SMWAVE_T2 a) { return SMWAVE_T2(hlog2(a.x), hlog2(a.y)); }
SMWAVE_DEVICE SMWAVE_T hlog10(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(log10f(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2log10(SMWAVE_T2 a) { return SMWAVE_T2(hlog10(a.x), hlog10(a.y)); }
SMWAVE_DEVICE SMWAVE_T hsin(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(sinf(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2sin(SMWAVE_T2 a) { return SMWAVE_T2(hsin(a.x), hsin(a.y)); }
SMWAVE_DEVICE SMWAVE_T hcos(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(cosf(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2cos(SMWAVE_T2 a) { return SMWAVE_T2(hcos(a.x), hcos(a.y)); }
SMWAVE_DEVICE SMWAVE_T htanh(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(tanhf(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2tanh(SMWAVE_T2 a) { return SMWAVE_T2(htanh(a.x), htanh(a.y)); }
SMWAVE_DEVICE SMWAVE_T hfloor(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(floorf(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2floor(SMWAVE_T2 a) { return SMWAVE_T2(hfloor(a.x), hfloor(a.y)); }
SMWAVE_DEVICE SMWAVE_T hceil(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(ceilf(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2ceil(SMWAVE_T2 a) { return SMWAVE_T2(hceil(a.x), hceil(a.y)); }
SMWAVE_DEVICE SMWAVE_T htrunc(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(truncf(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2trunc(SMWAVE_T2 a) { return SMWAVE_T2(htrunc(a.x), htrunc(a.y)); }
SMWAVE_DEVICE SMWAVE_T hrint(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(rintf(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2rint(SMWAVE_T2 a) { return SMWAVE_T2(hrint(a.x), hrint(a.y)); }
#endif

/* ---- operators ---- */

SMWAVE_BOTH SMWAVE_T operator+(const SMWAVE_T &a, const SMWAVE_T &b) { return __hadd(a, b); }
SMWAVE_BOTH SMWAVE_T &operator+=(SMWAVE_T &a, const SMWAVE_T &b) { return a = __hadd(a, b); }
SMWAVE_BOTH SMWAVE_T2 operator+(const SMWAVE_T2 &a, const SMWAVE_T2 &b) { return __hadd2(a, b); }
SMWAVE_BOTH SMWAVE_T2 &operator+=(SMWAVE_T2 &a, const SMWAVE_T2 &b) { return a = __hadd2(a, b); }
SMWAVE_BOTH SMWAVE_T operator-(const SMWAVE_T &a, const SMWAVE_T &b) { return __hsub(a, b); }
SMWAVE_BOTH SMWAVE_T &operator-=(SMWAVE_T &a, const SMWAVE_T &b) { return a = __hsub(a, b); }
SMWAVE_BOTH SMWAVE_T2 operator-(const SMWAVE_T2 &a, const SMWAVE_T2 &b) { return __hsub2(a, b); }
SMWAVE_BOTH SMWAVE_T2 &operator-=(SMWAVE_T2 &a, const SMWAVE_T2 &b) { return a = __hsub2(a, b); }
SMWAVE_BOTH SMWAVE_T operator*(const SMWAVE_T &a, const SMWAVE_T &b) { return __hmul(a, b); }
SMWAVE_BOTH SMWAVE_T &operator*=(SMWAVE_T &a, const SMWAVE_T &b) { return a = __hmul(a, b); }
SMWAVE_BOTH SMWAVE_T2 operator*(const SMWAVE_T2 &a, const SMWAVE_T2 &b) { return __hmul2(a, b); }
SMWAVE_BOTH SMWAVE_T2 &operator*=(SMWAVE_T2 &a, const SMWAVE_T2 &b) { return a = __hmul2(a, b); }
SMWAVE_BOTH SMWAVE_T operator/(const SMWAVE_T &a, const SMWAVE_T &b) { return __hdiv(a, b); }
SMWAVE_BOTH SMWAVE_T &operator/=(SMWAVE_T &a, const SMWAVE_T &b) { return a = __hdiv(a, b); }
SMWAVE_BOTH SMWAVE_T2 operator/(const SMWAVE_T2 &a, const SMWAVE_T2 &b) { return __h2div(a, b); }
SMWAVE_BOTH SMWAVE_T2 &operator/=(SMWAVE_T2 &a, const SMWAVE_T2 &b) { return a = __h2div(a, b); }
SMWAVE_BOTH SMWAVE_T operator+(const SMWAVE_T &a) { return a; }
SMWAVE_BOTH SMWAVE_T operator-(const SMWAVE_T &a) { return __hneg(a); }
SMWAVE_BOTH SMWAVE_T &operator++(SMWAVE_T &a) { return a += SMWAVE_T(1.0f); }
SMWAVE_BOTH SMWAVE_T operator++(SMWAVE_T &a, int)
{
    SMWAVE_T before = a;

    a += SMWAVE_T(1.0f);
    return before;
}
SMWAVE_BOTH SMWAVE_T &operator--(SMWAVE_T &a) { return a -= SMWAVE_T(1.0f); }
SMWAVE_BOTH SMWAVE_T operator--(SMWAVE_T &a, int)
{
    SMWAVE_T before = a;

    a -= SMWAVE_T(1.0f);
    return before;
}
SMWAVE_BOTH SMWAVE_T2 operator+(const SMWAVE_T2 &a) { return a; }
SMWAVE_BOTH SMWAVE_T2 operator-(const SMWAVE_T2 &a) { return __hneg2(a); }
SMWAVE_BOTH SMWAVE_T2 &operator++(SMWAVE_T2 &a) { return a += SMWAVE_T2(SMWAVE_T(1.0f), SMWAVE_T(1.0f)); }
SMWAVE_BOTH SMWAVE_T2 operator++(SMWAVE_T2 &a, int)
{
    SMWAVE_T2 before = a;

    a += SMWAVE_T2(SMWAVE_T(1.0f), SMWAVE_T(1.0f));
    return before;
}
SMWAVE_BOTH SMWAVE_T2 &operator--(SMWAVE_T2 &a) { return a -= SMWAVE_T2(SMWAVE_T(1.0f), SMWAVE_T(1.0f)); }
SMWAVE_BOTH SMWAVE_T2 operator--(SMWAVE_T2 &a, int)
{
    SMWAVE_T2 before = a;

    a -= SMWAVE_T2(SMWAVE_T(1.0f), SMWAVE_T(1.0f));
    return before;
}
SMWAVE_BOTH bool operator==(const SMWAVE_T &a, const SMWAVE_T &b) { return __heq(a, b); }
SMWAVE_BOTH bool operator==(const SMWAVE_T2 &a, const SMWAVE_T2 &b) { return __hbeq2(a, b); }
SMWAVE_BOTH bool operator!=(const SMWAVE_T &a, const SMWAVE_T &b) { return __hneu(a, b); }
SMWAVE_BOTH bool operator!=(const SMWAVE_T2 &a, const SMWAVE_T2 &b) { return __hbneu2(a, b); }
SMWAVE_BOTH bool operator<(const SMWAVE_T &a, const SMWAVE_T &b) { return __hlt(a, b); }
SMWAVE_BOTH bool operator<(const SMWAVE_T2 &a, const SMWAVE_T2 &b) { return __hblt2(a, b); }
SMWAVE_BOTH bool operator<=(const SMWAVE_T &a, const SMWAVE_T &b) { return __hle(a, b); }
SMWAVE_BOTH bool operator<=(const SMWAVE_T2 &a, const SMWAVE_T2 &b) { return __hble2(a, b); }
SMWAVE_BOTH bool operator>(const SMWAVE_T &a, const SMWAVE_T &b) { return __hgt(a, b); }
SMWAVE_BOTH bool operator>(const SMWAVE_T2 &a, const SMWAVE_T2 &b) { return __hbgt2(a, b); }
SMWAVE_BOTH bool operator>=(const SMWAVE_T &a, const SMWAVE_T &b) { return __hge(a, b); }
SMWAVE_BOTH bool operator>=(const SMWAVE_T2 &a, const SMWAVE_T2 &b) { return __hbge2(a, b); }

/* ---- with the functions of kernels: shuffles, loads, atomic addition ---- */

#ifdef SMWAVE_DEVICE_SYNC_H
#define SMWAVE_SMALL_SHUFFLE(op, Lane)                                                   \
    SMWAVE_DEVICE SMWAVE_T op(unsigned mask, SMWAVE_T v, Lane lane, int width = 32)      \
    {                                                                                    \
        unsigned r = op(mask, (unsigned)v.__x, lane, width);                             \
        return SMWAVE_T(SMWAVE_SMALL_RAW{(unsigned short)r});                            \
    }                                                                                    \
    SMWAVE_DEVICE SMWAVE_T2 op(unsigned mask, SMWAVE_T2 v, Lane lane, int width = 32)    \
    {                                                                                    \
        unsigned r = op(mask, __builtin_bit_cast(unsigned, v), lane, width);             \
        return __builtin_bit_cast(SMWAVE_T2, r);                                         \
    }
SMWAVE_SMALL_SHUFFLE(__shfl_sync, int)
SMWAVE_SMALL_SHUFFLE(__shfl_up_sync, unsigned)
SMWAVE_SMALL_SHUFFLE(__shfl_down_sync, unsigned)
SMWAVE_SMALL_SHUFFLE(__shfl_xor_sync, int)
#undef SMWAVE_SMALL_SHUFFLE
#endif
#ifdef SMWAVE_DEVICE_MEMORY_H
SMWAVE_DEVICE SMWAVE_T __ldg(const SMWAVE_T *p)
{
    return SMWAVE_T(SMWAVE_SMALL_RAW{__ldg((const unsigned short *)p)});
}
SMWAVE_DEVICE SMWAVE_T2 __ldg(const SMWAVE_T2 *p)
{
    return __builtin_bit_cast(SMWAVE_T2, __ldg((const unsigned *)p));
}
#endif
#ifdef SMWAVE_DEVICE_ATOMICS_H
SMWAVE_DEVICE SMWAVE_T2 atomicAdd(SMWAVE_T2 *p, SMWAVE_T2 v)
{
    unsigned *word = (unsigned *)p, old = *(volatile unsigned *)word, seen;

    do {
        seen = old;
        SMWAVE_T2 sum = __hadd2(__builtin_bit_cast(SMWAVE_T2, seen), v);
        old = atomicCAS(word, seen, __builtin_bit_cast(unsigned, sum));
    } while (old != seen);
    return __builtin_bit_cast(SMWAVE_T2, old);
}
SMWAVE_DEVICE SMWAVE_T atomicAdd(SMWAVE_T *p, SMWAVE_T v)
{
    unsigned long long at = (unsigned long long)p;
    unsigned *word = (unsigned *)(at & ~3ull), shift = (unsigned)(at & 2) * 8;
    unsigned old = *(volatile unsigned *)word, seen;

    do {
        seen = old;
        SMWAVE_T sum = SMWAVE_T(SMWAVE_SMALL_RAW{(unsigned short)(seen >> shift)}) + v;
        old = atomicCAS(word, seen,
                        (seen & ~(0xffffu << shift)) | (unsigned)sum.__x << shift);
    } while (old != seen);
    return SMWAVE_T(SMWAVE_SMALL_RAW{(unsigned short)(old >> shift)});
}
#endif

#undef SMWAVE_T
#undef SMWAVE_T2
#undef SMWAVE_SMALL
#undef SMWAVE_SMALL2
#undef SMWAVE_SMALL_RAW
#undef SMWAVE_SMALL2_RAW
#undef SMWAVE_SMALL_NAME
#undef SMWAVE_SMALL2_NAME
#undef SMWAVE_FROM_FLOAT
#undef SMWAVE_TO_FLOAT
#undef SMWAVE_SMALL_INF
#undef SMWAVE_SMALL_NAN
#undef SMWAVE_SMALL_ONE
#undef SMWAVE_SMALL_PAIR_OF_ONE
#undef SMWAVE_SMALL_PAIR_OF_TWO
#undef SMWAVE_SMALL_MAKE
#undef SMWAVE_SMALL_FROM_PAIR
