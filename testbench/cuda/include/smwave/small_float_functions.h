/*
 * small_float_functions.h - functions, operators (a part of small_float.h, read once
 * for each type).
 */
/* ---- functions: float's, rounded ---- */

#if defined(__CUDA__) || defined(SMWAVE_MATH_OPERATIONS)
SMWAVE_DEVICE SMWAVE_T hsqrt(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(smwave_math::root(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2sqrt(SMWAVE_T2 a)
{
    return SMWAVE_T2(hsqrt(a.x), hsqrt(a.y));
}
SMWAVE_DEVICE SMWAVE_T hrsqrt(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(smwave_math::reciprocal_root(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2rsqrt(SMWAVE_T2 a)
{
    return SMWAVE_T2(hrsqrt(a.x), hrsqrt(a.y));
}
SMWAVE_DEVICE SMWAVE_T hrcp(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(smwave_math::quotient(1.0f, f));
}
SMWAVE_DEVICE SMWAVE_T2 h2rcp(SMWAVE_T2 a)
{
    return SMWAVE_T2(hrcp(a.x), hrcp(a.y));
}
SMWAVE_DEVICE SMWAVE_T hexp(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(expf(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2exp(SMWAVE_T2 a)
{
    return SMWAVE_T2(hexp(a.x), hexp(a.y));
}
SMWAVE_DEVICE SMWAVE_T hexp2(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(exp2f(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2exp2(SMWAVE_T2 a)
{
    return SMWAVE_T2(hexp2(a.x), hexp2(a.y));
}
SMWAVE_DEVICE SMWAVE_T hexp10(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(exp10f(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2exp10(SMWAVE_T2 a)
{
    return SMWAVE_T2(hexp10(a.x), hexp10(a.y));
}
SMWAVE_DEVICE SMWAVE_T hlog(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(logf(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2log(SMWAVE_T2 a)
{
    return SMWAVE_T2(hlog(a.x), hlog(a.y));
}
SMWAVE_DEVICE SMWAVE_T hlog2(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(log2f(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2log2(SMWAVE_T2 a)
{
    return SMWAVE_T2(hlog2(a.x), hlog2(a.y));
}
SMWAVE_DEVICE SMWAVE_T hlog10(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(log10f(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2log10(SMWAVE_T2 a)
{
    return SMWAVE_T2(hlog10(a.x), hlog10(a.y));
}
SMWAVE_DEVICE SMWAVE_T hsin(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(sinf(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2sin(SMWAVE_T2 a)
{
    return SMWAVE_T2(hsin(a.x), hsin(a.y));
}
SMWAVE_DEVICE SMWAVE_T hcos(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(cosf(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2cos(SMWAVE_T2 a)
{
    return SMWAVE_T2(hcos(a.x), hcos(a.y));
}
SMWAVE_DEVICE SMWAVE_T htanh(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(tanhf(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2tanh(SMWAVE_T2 a)
{
    return SMWAVE_T2(htanh(a.x), htanh(a.y));
}
SMWAVE_DEVICE SMWAVE_T hfloor(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(floorf(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2floor(SMWAVE_T2 a)
{
    return SMWAVE_T2(hfloor(a.x), hfloor(a.y));
}
SMWAVE_DEVICE SMWAVE_T hceil(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(ceilf(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2ceil(SMWAVE_T2 a)
{
    return SMWAVE_T2(hceil(a.x), hceil(a.y));
}
SMWAVE_DEVICE SMWAVE_T htrunc(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(truncf(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2trunc(SMWAVE_T2 a)
{
    return SMWAVE_T2(htrunc(a.x), htrunc(a.y));
}
SMWAVE_DEVICE SMWAVE_T hrint(SMWAVE_T a)
{
    float f = (float)a;

    return SMWAVE_T(rintf(f));
}
SMWAVE_DEVICE SMWAVE_T2 h2rint(SMWAVE_T2 a)
{
    return SMWAVE_T2(hrint(a.x), hrint(a.y));
}
#endif

/* ---- operators ---- */

SMWAVE_BOTH SMWAVE_T operator+(const SMWAVE_T &a, const SMWAVE_T &b)
{
    return __hadd(a, b);
}
SMWAVE_BOTH SMWAVE_T &operator+=(SMWAVE_T &a, const SMWAVE_T &b)
{
    return a = __hadd(a, b);
}
SMWAVE_BOTH SMWAVE_T2 operator+(const SMWAVE_T2 &a, const SMWAVE_T2 &b)
{
    return __hadd2(a, b);
}
SMWAVE_BOTH SMWAVE_T2 &operator+=(SMWAVE_T2 &a, const SMWAVE_T2 &b)
{
    return a = __hadd2(a, b);
}
SMWAVE_BOTH SMWAVE_T operator-(const SMWAVE_T &a, const SMWAVE_T &b)
{
    return __hsub(a, b);
}
SMWAVE_BOTH SMWAVE_T &operator-=(SMWAVE_T &a, const SMWAVE_T &b)
{
    return a = __hsub(a, b);
}
SMWAVE_BOTH SMWAVE_T2 operator-(const SMWAVE_T2 &a, const SMWAVE_T2 &b)
{
    return __hsub2(a, b);
}
SMWAVE_BOTH SMWAVE_T2 &operator-=(SMWAVE_T2 &a, const SMWAVE_T2 &b)
{
    return a = __hsub2(a, b);
}
SMWAVE_BOTH SMWAVE_T operator*(const SMWAVE_T &a, const SMWAVE_T &b)
{
    return __hmul(a, b);
}
SMWAVE_BOTH SMWAVE_T &operator*=(SMWAVE_T &a, const SMWAVE_T &b)
{
    return a = __hmul(a, b);
}
SMWAVE_BOTH SMWAVE_T2 operator*(const SMWAVE_T2 &a, const SMWAVE_T2 &b)
{
    return __hmul2(a, b);
}
SMWAVE_BOTH SMWAVE_T2 &operator*=(SMWAVE_T2 &a, const SMWAVE_T2 &b)
{
    return a = __hmul2(a, b);
}
SMWAVE_BOTH SMWAVE_T operator/(const SMWAVE_T &a, const SMWAVE_T &b)
{
    return __hdiv(a, b);
}
SMWAVE_BOTH SMWAVE_T &operator/=(SMWAVE_T &a, const SMWAVE_T &b)
{
    return a = __hdiv(a, b);
}
SMWAVE_BOTH SMWAVE_T2 operator/(const SMWAVE_T2 &a, const SMWAVE_T2 &b)
{
    return __h2div(a, b);
}
SMWAVE_BOTH SMWAVE_T2 &operator/=(SMWAVE_T2 &a, const SMWAVE_T2 &b)
{
    return a = __h2div(a, b);
}
SMWAVE_BOTH SMWAVE_T operator+(const SMWAVE_T &a)
{
    return a;
}
SMWAVE_BOTH SMWAVE_T operator-(const SMWAVE_T &a)
{
    return __hneg(a);
}
SMWAVE_BOTH SMWAVE_T &operator++(SMWAVE_T &a)
{
    return a += SMWAVE_T(1.0f);
}
SMWAVE_BOTH SMWAVE_T operator++(SMWAVE_T &a, int)
{
    SMWAVE_T before = a;

    a += SMWAVE_T(1.0f);
    return before;
}
SMWAVE_BOTH SMWAVE_T &operator--(SMWAVE_T &a)
{
    return a -= SMWAVE_T(1.0f);
}
SMWAVE_BOTH SMWAVE_T operator--(SMWAVE_T &a, int)
{
    SMWAVE_T before = a;

    a -= SMWAVE_T(1.0f);
    return before;
}
SMWAVE_BOTH SMWAVE_T2 operator+(const SMWAVE_T2 &a)
{
    return a;
}
SMWAVE_BOTH SMWAVE_T2 operator-(const SMWAVE_T2 &a)
{
    return __hneg2(a);
}
SMWAVE_BOTH SMWAVE_T2 &operator++(SMWAVE_T2 &a)
{
    return a += SMWAVE_T2(SMWAVE_T(1.0f), SMWAVE_T(1.0f));
}
SMWAVE_BOTH SMWAVE_T2 operator++(SMWAVE_T2 &a, int)
{
    SMWAVE_T2 before = a;

    a += SMWAVE_T2(SMWAVE_T(1.0f), SMWAVE_T(1.0f));
    return before;
}
SMWAVE_BOTH SMWAVE_T2 &operator--(SMWAVE_T2 &a)
{
    return a -= SMWAVE_T2(SMWAVE_T(1.0f), SMWAVE_T(1.0f));
}
SMWAVE_BOTH SMWAVE_T2 operator--(SMWAVE_T2 &a, int)
{
    SMWAVE_T2 before = a;

    a -= SMWAVE_T2(SMWAVE_T(1.0f), SMWAVE_T(1.0f));
    return before;
}
SMWAVE_BOTH bool operator==(const SMWAVE_T &a, const SMWAVE_T &b)
{
    return __heq(a, b);
}
SMWAVE_BOTH bool operator==(const SMWAVE_T2 &a, const SMWAVE_T2 &b)
{
    return __hbeq2(a, b);
}
SMWAVE_BOTH bool operator!=(const SMWAVE_T &a, const SMWAVE_T &b)
{
    return __hneu(a, b);
}
SMWAVE_BOTH bool operator!=(const SMWAVE_T2 &a, const SMWAVE_T2 &b)
{
    return __hbneu2(a, b);
}
SMWAVE_BOTH bool operator<(const SMWAVE_T &a, const SMWAVE_T &b)
{
    return __hlt(a, b);
}
SMWAVE_BOTH bool operator<(const SMWAVE_T2 &a, const SMWAVE_T2 &b)
{
    return __hblt2(a, b);
}
SMWAVE_BOTH bool operator<=(const SMWAVE_T &a, const SMWAVE_T &b)
{
    return __hle(a, b);
}
SMWAVE_BOTH bool operator<=(const SMWAVE_T2 &a, const SMWAVE_T2 &b)
{
    return __hble2(a, b);
}
SMWAVE_BOTH bool operator>(const SMWAVE_T &a, const SMWAVE_T &b)
{
    return __hgt(a, b);
}
SMWAVE_BOTH bool operator>(const SMWAVE_T2 &a, const SMWAVE_T2 &b)
{
    return __hbgt2(a, b);
}
SMWAVE_BOTH bool operator>=(const SMWAVE_T &a, const SMWAVE_T &b)
{
    return __hge(a, b);
}
SMWAVE_BOTH bool operator>=(const SMWAVE_T2 &a, const SMWAVE_T2 &b)
{
    return __hbge2(a, b);
}

/* ---- with the functions of kernels: shuffles, loads, atomic addition ---- */

#ifdef SMWAVE_DEVICE_SYNC_H
#define SMWAVE_SMALL_SHUFFLE(op, Lane)                                                 \
    SMWAVE_DEVICE SMWAVE_T op(unsigned mask, SMWAVE_T v, Lane lane, int width = 32)    \
    {                                                                                  \
        unsigned r = op(mask, (unsigned)v.__x, lane, width);                           \
        return SMWAVE_T(SMWAVE_SMALL_RAW{(unsigned short)r});                          \
    }                                                                                  \
    SMWAVE_DEVICE SMWAVE_T2 op(unsigned mask, SMWAVE_T2 v, Lane lane, int width = 32)  \
    {                                                                                  \
        unsigned r = op(mask, __builtin_bit_cast(unsigned, v), lane, width);           \
        return __builtin_bit_cast(SMWAVE_T2, r);                                       \
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
