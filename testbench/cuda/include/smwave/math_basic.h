/*
 * math_basic.h - rounding to whole numbers, remainders, parts of a number and the like
 * for float and double: exact results, no approximation.
 */
#ifndef SMWAVE_MATH_BASIC_H
#define SMWAVE_MATH_BASIC_H

#include "smwave/math_base.h"

namespace smwave_math
{

struct Division {
    double rest;
    u32 whole; /* the lowest bits */
};

/* a >= 0 divided by b > 0, both finite, bit by bit of the quotient, eleven at once */
SMWAVE_SLOW Division divide_exactly(double a, double b)
{
    int ea = upper(a) >> 20, eb = upper(b) >> 20;
    u64 m = (u64)bits(a) & 0xfffffffffffff, d = (u64)bits(b) & 0xfffffffffffff, q;
    double rest;
    int n;

    m = ea != 0 ? m | 0x10000000000000 : m;
    d = eb != 0 ? d | 0x10000000000000 : d;
    ea = ea != 0 ? ea : 1;
    eb = eb != 0 ? eb : 1;
    if (m == 0 || ea < eb) {
        return {a, 0};
    }
    q = m / d;
    m = m - q * d;
    for (n = ea - eb; n > 0; n -= 11) {
        int s = n < 11 ? n : 11;

        m = m << s;
        q = q << s | m / d;
        m = m % d;
    }
    n = eb - 1075;
    rest =
        mul((double)m, from_bits((s64)(n < -1000 ? n + 100 + 1023 : n + 1023) << 52));
    return {n < -1000 ? mul(rest, 0x1p-100) : rest, (u32)q};
}

/* The same for all operands: what is left, and the quotient's lowest bits. */
SMWAVE_INSIDE double divide_whole(double a, double b, u32 &q)
{
    double t = quotient(a, b), n = whole(t), r = mad(-n, b, a);
    bool less = r < 0.0;

    q = (u32)(s64)n - (less ? 1u : 0u);
    r = less ? r + b : r;
    if (!(t < 0x1p52)) {
        Division d = {nan_d(), 0};

        if (b > 0.0 && a < infinity_d()) {
            d = divide_exactly(a, b);
        }
        q = d.whole;
        r = d.rest;
    }
    return a < b ? a : r; /* b may be infinite */
}
SMWAVE_INSIDE float divide_whole(float a, float b, u32 &q)
{
    /* The quotient, at most 2^-20 too large: rounded down it is right or one too large,
     * and a - n b in either case no more than b, so that no digit is lost. */
    float t = mul(a, reciprocal(b)), n = whole(mad(t, 0x1p-21f, t)), r = mad(-n, b, a);
    bool less = r < 0.0f;

    q = (u32)(int)n - (less ? 1u : 0u);
    r = less ? r + b : r;
    if (!(t < 0x1p19f && t > 0.5f) && !(a < b)) {
        Division d = {nan_d(), 0};

        if (b > 0.0f && a < infinity_f()) {
            d = divide_exactly((double)a, (double)b);
        }
        q = d.whole;
        r = (float)d.rest;
    }
    return a < b ? a : r;
}

/* 2^n for any n that a number can be multiplied by at once */
SMWAVE_INSIDE double power_of_two(int n, double)
{
    return from_bits((s64)(n + 1023) << 52);
}
SMWAVE_INSIDE float power_of_two(int n, float)
{
    return from_bits((n + 127) << 23);
}

} /* namespace smwave_math */

/* ---- float ---- */

SMWAVE_DEVICE float fabsf(float x)
{
    return __builtin_fabsf(x);
}
SMWAVE_DEVICE float floorf(float x)
{
    return __builtin_floorf(x);
}
SMWAVE_DEVICE float ceilf(float x)
{
    return __builtin_ceilf(x);
}
SMWAVE_DEVICE float truncf(float x)
{
    return __builtin_truncf(x);
}
SMWAVE_DEVICE float rintf(float x)
{
    return smwave_math::nearest(x);
}
SMWAVE_DEVICE float nearbyintf(float x)
{
    return smwave_math::nearest(x);
}
SMWAVE_DEVICE float fmaf(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}
SMWAVE_DEVICE float fminf(float a, float b)
{
    return __builtin_fminf(a, b);
}
SMWAVE_DEVICE float fmaxf(float a, float b)
{
    return __builtin_fmaxf(a, b);
}
SMWAVE_DEVICE float copysignf(float x, float s)
{
    return smwave_math::with_sign(smwave_math::size(x), s);
}
SMWAVE_DEVICE float roundf(float x) /* halves away from zero */
{
    using namespace smwave_math;
    float a = size(x), t = whole(a);

    return with_sign(a - t >= (float)0.5 ? t + (float)1 : t, x);
}
SMWAVE_DEVICE long long llrintf(float x)
{
    return smwave_math::to_long(x);
}
SMWAVE_DEVICE long lrintf(float x)
{
    return (long)llrintf(x);
}
SMWAVE_DEVICE long long llroundf(float x)
{
    return smwave_math::to_long(roundf(x));
}
SMWAVE_DEVICE long lroundf(float x)
{
    return (long)llroundf(x);
}
SMWAVE_DEVICE float fdimf(float a, float b)
{
    return a <= b ? (float)0 : a - b; /* NaN where one is */
}
SMWAVE_DEVICE float modff(float x, float *whole)
{
    float t = smwave_math::whole(x);

    *whole = t;
    return smwave_math::with_sign(smwave_math::size(x) < smwave_math::infinity_f() ||
                                          x != x
                                      ? smwave_math::size(x - t)
                                      : (float)0,
                                  x);
}
SMWAVE_DEVICE float fmodf(float x, float y)
{
    using namespace smwave_math;
    u32 q;
    float r = divide_whole(size(x), size(y), q);

    return x != x || y != y ? x + y : with_sign(size(r), x);
}
SMWAVE_DEVICE float remquof(float x, float y, int *quo)
{
    using namespace smwave_math;
    u32 q = 0;
    float b = size(y), r = divide_whole(size(x), b, q);

    if (size(x) < b) {
        q = 0;
    }
    if (r > b - r || (r == b - r && (q & 1) != 0)) {
        r = r - b;
        q = q + 1;
    }
    q = q & 0x7fffffff;
    *quo = bits(x) < 0   ? (bits(y) < 0 ? (int)q : -(int)q)
           : bits(y) < 0 ? -(int)q
                         : (int)q;
    r = bits(x) < 0 ? -r : r;
    return x != x || y != y ? x + y : r;
}
SMWAVE_DEVICE float remainderf(float x, float y)
{
    int q;

    return remquof(x, y, &q);
}
SMWAVE_DEVICE float frexpf(float x, int *exponent)
{
    using namespace smwave_math;
    bool tiny = size(x) < 0x1p-126f;
    int i = bits(tiny ? mul(x, 0x1p24f) : x);
    int e = (int)(i >> 23) & 0xff;

    if (x == (float)0 || e == 0xff) {
        *exponent = 0;
        return x + x;
    }
    *exponent = e - 126 - (tiny ? 24 : 0);
    return from_bits((i & (int)0x807fffff) | (int)0x3f000000);
}
/* Steps that leave an intermediate result normal, so that only the last one rounds. */
SMWAVE_DEVICE float ldexpf(float x, int n)
{
    using namespace smwave_math;

    if (n > 127) {
        x = mul(x, power_of_two(127, x));
        n = n > 400 ? 400 - 127 : n - 127;
        if (n > 127) {
            x = mul(x, power_of_two(127, x));
            n = n - 127 > 127 ? 127 : n - 127;
        }
    } else if (n < -126) {
        x = mul(x, power_of_two(-102, x));
        n = n < -400 ? -400 - -102 : n - -102;
        if (n < -126) {
            x = mul(x, power_of_two(-102, x));
            n = n - -102 < -126 ? -126 : n - -102;
        }
    }
    return mul(x, power_of_two(n, x));
}
SMWAVE_DEVICE float scalbnf(float x, int n)
{
    return ldexpf(x, n);
}
SMWAVE_DEVICE float scalblnf(float x, long n)
{
    return ldexpf(x, n > 100000 ? 100000 : n < -100000 ? -100000 : (int)n);
}
SMWAVE_DEVICE int ilogbf(float x)
{
    int e;

    if (!(smwave_math::size(x) < smwave_math::infinity_f())) {
        return x != x ? -0x7fffffff - 1 : 0x7fffffff;
    }
    frexpf(x, &e);
    return x == (float)0 ? -0x7fffffff - 1 : e - 1;
}
SMWAVE_DEVICE float logbf(float x)
{
    if (x == (float)0 || !(smwave_math::size(x) < smwave_math::infinity_f())) {
        return x == (float)0 ? -smwave_math::infinity_f() : x * x;
    }
    return (float)ilogbf(x);
}
SMWAVE_DEVICE float nextafterf(float x, float y)
{
    using namespace smwave_math;
    int i = bits(x);

    if (x != x || y != y) {
        return x + y;
    }
    if (x == y) {
        return y;
    }
    if (x == (float)0) {
        return from_bits((bits(y) & (int)0x80000000) | (int)1);
    }
    return from_bits((x < y) == (i >= 0) ? i + 1 : i - 1);
}
SMWAVE_DEVICE float nanf(const char *)
{
    return smwave_math::nan_f();
}
SMWAVE_DEVICE int __isnanf(float x)
{
    return x != x;
}
SMWAVE_DEVICE int __isinff(float x)
{
    return smwave_math::size(x) == smwave_math::infinity_f();
}
SMWAVE_DEVICE int __finitef(float x)
{
    return smwave_math::size(x) < smwave_math::infinity_f();
}
SMWAVE_DEVICE int __signbitf(float x)
{
    return smwave_math::bits(x) < 0;
}

/* ---- double ---- */

SMWAVE_DEVICE double fabs(double x)
{
    return __builtin_fabs(x);
}
SMWAVE_DEVICE double floor(double x)
{
    return __builtin_floor(x);
}
SMWAVE_DEVICE double ceil(double x)
{
    return __builtin_ceil(x);
}
SMWAVE_DEVICE double trunc(double x)
{
    return __builtin_trunc(x);
}
SMWAVE_DEVICE double rint(double x)
{
    return smwave_math::nearest(x);
}
SMWAVE_DEVICE double nearbyint(double x)
{
    return smwave_math::nearest(x);
}
SMWAVE_DEVICE double fma(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}
SMWAVE_DEVICE double fmin(double a, double b)
{
    return __builtin_fmin(a, b);
}
SMWAVE_DEVICE double fmax(double a, double b)
{
    return __builtin_fmax(a, b);
}
SMWAVE_DEVICE double copysign(double x, double s)
{
    return smwave_math::with_sign(smwave_math::size(x), s);
}
SMWAVE_DEVICE double round(double x) /* halves away from zero */
{
    using namespace smwave_math;
    double a = size(x), t = whole(a);

    return with_sign(a - t >= (double)0.5 ? t + (double)1 : t, x);
}
SMWAVE_DEVICE long long llrint(double x)
{
    return smwave_math::to_long(x);
}
SMWAVE_DEVICE long lrint(double x)
{
    return (long)llrint(x);
}
SMWAVE_DEVICE long long llround(double x)
{
    return smwave_math::to_long(round(x));
}
SMWAVE_DEVICE long lround(double x)
{
    return (long)llround(x);
}
SMWAVE_DEVICE double fdim(double a, double b)
{
    return a <= b ? (double)0 : a - b; /* NaN where one is */
}
SMWAVE_DEVICE double modf(double x, double *whole)
{
    double t = smwave_math::whole(x);

    *whole = t;
    return smwave_math::with_sign(smwave_math::size(x) < smwave_math::infinity_d() ||
                                          x != x
                                      ? smwave_math::size(x - t)
                                      : (double)0,
                                  x);
}
SMWAVE_DEVICE double fmod(double x, double y)
{
    using namespace smwave_math;
    u32 q;
    double r = divide_whole(size(x), size(y), q);

    return x != x || y != y ? x + y : with_sign(size(r), x);
}
SMWAVE_DEVICE double remquo(double x, double y, int *quo)
{
    using namespace smwave_math;
    u32 q = 0;
    double b = size(y), r = divide_whole(size(x), b, q);

    if (size(x) < b) {
        q = 0;
    }
    if (r > b - r || (r == b - r && (q & 1) != 0)) {
        r = r - b;
        q = q + 1;
    }
    q = q & 0x7fffffff;
    *quo = bits(x) < 0   ? (bits(y) < 0 ? (int)q : -(int)q)
           : bits(y) < 0 ? -(int)q
                         : (int)q;
    r = bits(x) < 0 ? -r : r;
    return x != x || y != y ? x + y : r;
}
SMWAVE_DEVICE double remainder(double x, double y)
{
    int q;

    return remquo(x, y, &q);
}
SMWAVE_DEVICE double frexp(double x, int *exponent)
{
    using namespace smwave_math;
    bool tiny = size(x) < 0x1p-1022;
    s64 i = bits(tiny ? mul(x, 0x1p54) : x);
    int e = (int)(i >> 52) & 0x7ff;

    if (x == (double)0 || e == 0x7ff) {
        *exponent = 0;
        return x + x;
    }
    *exponent = e - 1022 - (tiny ? 54 : 0);
    return from_bits((i & (s64)0x800fffffffffffffull) | (s64)0x3fe0000000000000);
}
/* Steps that leave an intermediate result normal, so that only the last one rounds. */
SMWAVE_DEVICE double ldexp(double x, int n)
{
    using namespace smwave_math;

    if (n > 1023) {
        x = mul(x, power_of_two(1023, x));
        n = n > 2400 ? 2400 - 1023 : n - 1023;
        if (n > 1023) {
            x = mul(x, power_of_two(1023, x));
            n = n - 1023 > 1023 ? 1023 : n - 1023;
        }
    } else if (n < -1022) {
        x = mul(x, power_of_two(-969, x));
        n = n < -2400 ? -2400 - -969 : n - -969;
        if (n < -1022) {
            x = mul(x, power_of_two(-969, x));
            n = n - -969 < -1022 ? -1022 : n - -969;
        }
    }
    return mul(x, power_of_two(n, x));
}
SMWAVE_DEVICE double scalbn(double x, int n)
{
    return ldexp(x, n);
}
SMWAVE_DEVICE double scalbln(double x, long n)
{
    return ldexp(x, n > 100000 ? 100000 : n < -100000 ? -100000 : (int)n);
}
SMWAVE_DEVICE int ilogb(double x)
{
    int e;

    if (!(smwave_math::size(x) < smwave_math::infinity_d())) {
        return x != x ? -0x7fffffff - 1 : 0x7fffffff;
    }
    frexp(x, &e);
    return x == (double)0 ? -0x7fffffff - 1 : e - 1;
}
SMWAVE_DEVICE double logb(double x)
{
    if (x == (double)0 || !(smwave_math::size(x) < smwave_math::infinity_d())) {
        return x == (double)0 ? -smwave_math::infinity_d() : x * x;
    }
    return (double)ilogb(x);
}
SMWAVE_DEVICE double nextafter(double x, double y)
{
    using namespace smwave_math;
    s64 i = bits(x);

    if (x != x || y != y) {
        return x + y;
    }
    if (x == y) {
        return y;
    }
    if (x == (double)0) {
        return from_bits((bits(y) & (s64)0x8000000000000000ull) | (s64)1);
    }
    return from_bits((x < y) == (i >= 0) ? i + 1 : i - 1);
}
SMWAVE_DEVICE double nan(const char *)
{
    return smwave_math::nan_d();
}
SMWAVE_DEVICE int __isnan(double x)
{
    return x != x;
}
SMWAVE_DEVICE int __isinf(double x)
{
    return smwave_math::size(x) == smwave_math::infinity_d();
}
SMWAVE_DEVICE int __finite(double x)
{
    return smwave_math::size(x) < smwave_math::infinity_d();
}
SMWAVE_DEVICE int __signbit(double x)
{
    return smwave_math::bits(x) < 0;
}
#endif
