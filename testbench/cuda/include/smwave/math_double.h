/*
 * math_double.h - the usual functions for double: roots, exponentials, logarithms,
 * trigonometric and hyperbolic functions, pow, lengths. No tables; the coefficients are
 * those of testbench/cuda/math/coefficients.py. Accuracy: testbench/cuda/math/ulp.csv.
 */
#ifndef SMWAVE_MATH_DOUBLE_H
#define SMWAVE_MATH_DOUBLE_H

#include "smwave/math_base.h"

namespace smwave_math
{

/* 1/x for normal numbers between 2^-1000 and 2^1000: the approximation's 20 bits made
 * 60 by e + e^2, e being its relative error. */
SMWAVE_INSIDE double inverse(double x)
{
    double r = reciprocal(x), e = mad(-x, r, 1.0);

    return mad(r, mad(e, e, e), r);
}

/* 2^n for -1022 <= n <= 1023 */
SMWAVE_INSIDE double two_to(int n)
{
    return from_bits((s64)(n + 1023) << 52);
}

/* ---- sine and cosine ---- */

/* 64 bits of 2/pi from bit 64 (i - 1) after the point on. */
SMWAVE_INSIDE u64 two_over_pi_part(int i)
{
    return i == 1    ? 0xa2f9836e4e441529ull
           : i == 2  ? 0xfc2757d1f534ddc0ull
           : i == 3  ? 0xdb6295993c439041ull
           : i == 4  ? 0xfe5163abdebbc561ull
           : i == 5  ? 0xb7246e3a424dd2e0ull
           : i == 6  ? 0x06492eea09d1921cull
           : i == 7  ? 0xfe1deb1cb129a73eull
           : i == 8  ? 0xe88235f52ebb4484ull
           : i == 9  ? 0xe99c7026b45f7e41ull
           : i == 10 ? 0x3991d639835339f4ull
           : i == 11 ? 0x9c845f8bbdf9283bull
           : i == 12 ? 0x1ff897ffde05980full
           : i == 13 ? 0xef2f118b5a0a6d1full
           : i == 14 ? 0x6d367ecf27cb09b7ull
           : i == 15 ? 0x4f463f669e5fea2dull
           : i == 16 ? 0x7527bac7ebe5f17bull
           : i == 17 ? 0x3d0739f78a5292eaull
           : i == 18 ? 0x6bfb5fb11f8d5d08ull
                     : 0;
}

struct Reduced {
    double rest, low; /* low: what rest is too small by */
    int multiple;
};

/*
 * x = m 2^e, |x| > 2^20, less the nearest multiple of pi/2. Those bits of 2/pi that
 * only add multiples of 4 are left out; of the others 192 are enough, as no double is
 * nearer than 2^-61 to a multiple (Payne and Hanek's method).
 */
SMWAVE_SLOW Reduced reduce_large(double x)
{
    s64 i = bits(x);
    int e = (int)(i >> 52 & 0x7ff) - 1075, first = e - 2 + 64, w = first >> 6;
    int s = first & 63, q;
    u64 m = (u64)(i & 0xfffffffffffff) | 0x10000000000000;
    u64 t0 = two_over_pi_part(w), t1 = two_over_pi_part(w + 1),
        t2 = two_over_pi_part(w + 2), t3 = two_over_pi_part(w + 3);
    u64 p0, p1, p2, carry, part, low;
    int zeros;
    double r;

    if (e == 972) { /* infinite or NaN */
        return {x - x, 0.0, 0};
    }
    if (s != 0) {
        t0 = t0 << s | t1 >> (64 - s);
        t1 = t1 << s | t2 >> (64 - s);
        t2 = t2 << s | t3 >> (64 - s);
    }
    p0 = m * t2;
    carry = high_product(m, t2);
    p1 = m * t1 + carry;
    carry = high_product(m, t1) + (p1 < carry ? 1 : 0);
    p2 = m * t0 + carry;
    q = (int)(p2 >> 62);
    part = p2 << 2 | p1 >> 62;
    low = p1 << 2 | p0 >> 62;
    if ((part >> 63) != 0) { /* the next multiple is nearer */
        q++;
        part = ~part;
        low = ~low;
        i = ~i;
    }
    zeros = __builtin_clzll(part);
    if (zeros != 0) {
        part = part << zeros | low >> (64 - zeros);
    }
    part = high_product(part, 0xc90fdaa22168c235ull);
    r = two_to(-63 - zeros);
    r = i < 0 ? -r : r;
    return {mul((double)part, r), mul((double)(s64)(part - (u64)(double)part), r),
            bits(x) < 0 ? -q : q};
}

/* x - q pi/2, |.| <= pi/4; low is what the result is too small by */
SMWAVE_INSIDE double reduce(double x, int &q, double &low)
{
    double t = mad(x, 0x1.45f306dc9c883p-1, 0x1.8p52), r, first;

    q = (int)bits(t);
    t = t - 0x1.8p52;
    first =
        mad(t, -0x1.921fb54442d18p+0, x); /* parts of one sign, so that -0.0 stays */
    r = mad(t, -0x1.c1cd129024e09p-107, mad(t, -0x1.1a62633145c06p-54, first));
    low = mad(t, -0x1.c1cd129024e09p-107, mad(t, -0x1.1a62633145c06p-54, first - r));
    if (size(x) > 0x1p30 || x != x) {
        Reduced v = reduce_large(x);

        q = v.multiple;
        r = v.rest;
        low = v.low;
    }
    return r;
}

SMWAVE_INSIDE double sine_near(double r, double z)
{
    double p =
        poly(z, -0x1.5555555555548p-3, 0x1.111111110f75dp-7, -0x1.a01a019bf222ep-13,
             0x1.71de355f05599p-19, -0x1.ae5e5471f54e4p-26, 0x1.5d8e3511cc1aap-33);

    return mad(p, mad(z, r, 0.0), r); /* + 0.0: else sin(-0.0) were 0.0 */
}
SMWAVE_INSIDE double cosine_near(double z)
{
    double p = poly(z, -0.5, 0x1.555555555554bp-5, -0x1.6c16c16c15016p-10,
                    0x1.a01a019c8f3eep-16, -0x1.27e4f7f19d4b2p-22,
                    0x1.1ee9dbd0d86a6p-29, -0x1.8fa681e38524p-37);

    return mad(p, z, 1.0);
}
/* sin(r + q pi/2), |r| <= pi/4 */
SMWAVE_INSIDE double sine(double r, int q)
{
    double z = mul(r, r), p = (q & 1) != 0 ? cosine_near(z) : sine_near(r, z);

    return (q & 2) != 0 ? -p : p;
}

SMWAVE_INSIDE double reduce_pi(double x, int &q)
{
    double h = mad(nearest(mul(x, 0.5)), -2.0, x), t = mad(h, 2.0, 0x1.8p52);

    q = (int)bits(t);
    h = mad(t - 0x1.8p52, -0.5, h);
    return mad(h, 0x1.921fb54442d18p+1, mul(h, 0x1.1a62633145c07p-53));
}

/* ---- exponentials ---- */

/* e^r, |r| <= log(2)/2 */
SMWAVE_INSIDE double exp_near(double r)
{
    return poly(r, 1.0, 1.0, 0x1.000000000000ap-1, 0x1.55555555554fep-3,
                0x1.55555555506bfp-5, 0x1.1111111126b36p-7, 0x1.6c16c18475fabp-10,
                0x1.a01a012fed2dfp-13, 0x1.a019996298f49p-16, 0x1.71df18f7a852cp-19,
                0x1.28adf8e801f4ap-22, 0x1.ad92d1d696276p-26);
}

/* p 2^n, p near 1, n within +-2000; the result may be infinite, subnormal or zero. */
SMWAVE_INSIDE double scaled(double p, int n)
{
    int half = n >> 1;

    if ((u32)(n + 1021) < 2044u) {
        return from_bits(bits(p) + ((s64)n << 52));
    }
    return mul(from_bits(bits(p) + ((s64)half << 52)), two_to(n - half));
}

/* x = n log(2) + the result */
SMWAVE_INSIDE double exp_reduce(double x, int &n)
{
    double t = mad(x, 0x1.71547652b82fep+0, 0x1.8p52);

    n = (int)bits(t);
    t = t - 0x1.8p52;
    return mad(t, -0x1.abc9e3b39803fp-56, mad(t, -0x1.62e42fefa39efp-1, x));
}

SMWAVE_INSIDE double exp_limit(double x, double result, double bound)
{
    return size(x) < bound ? result : x < 0.0 ? 0.0 : x + infinity_d();
}

/* e^x / 2, x >= 0 */
SMWAVE_INSIDE double half_exp(double x)
{
    int n;
    double r = exp_near(exp_reduce(x, n));

    return exp_limit(x, scaled(r, n - 1), 720.0);
}

/* ---- logarithms ---- */

/* x = m 2^n with m in [sqrt(1/2), sqrt(2)); gives n and m - 1 */
SMWAVE_INSIDE double split(double x, double &n)
{
    bool tiny = upper(x) < 0x00100000;
    s64 i = bits(tiny ? mul(x, 0x1p54) : x);
    int e = (int)(i >> 32) - 0x3fe6a09e;

    n = (double)((e >> 20) - (tiny ? 54 : 0));
    return from_bits(i - ((s64)(e & (int)0xfff00000) << 32)) - 1.0;
}

/* log(1 + f) = f - half_square + what this gives, |f| < 0.42; s = f / (2 + f) */
SMWAVE_INSIDE double log_rest(double f, double half_square)
{
    double s = mul(f, inverse(f + 2.0)), z = mul(s, s);
    double r = poly(z, 0x1.5555555555592p-1, 0x1.999999997ff2bp-2, 0x1.24924941e082ap-2,
                    0x1.c71c52148103dp-3, 0x1.74663d045e55p-3, 0x1.39a1e2da1a237p-3,
                    0x1.2f041b9804a66p-3);

    return mul(s, mad(z, r, half_square));
}

SMWAVE_INSIDE double log_near(double f, double n)
{
    double h = mul(mul(0.5, f), f), r = log_rest(f, h);

    r = mad(n, 0x1.a39ef35793c76p-33, r);
    return mad(n, 0x1.62e42fee00000p-1, f - (h - r));
}

SMWAVE_INSIDE double log_of(double x, double result)
{
    if ((u64)bits(x) - 1u >= 0x7fefffffffffffffull) {
        result = mad(x, infinity_d(), infinity_d());
        result = x == 0.0 ? -infinity_d() : result;
    }
    return result;
}

/* log(x) scale + n unit, all of them in two parts */
SMWAVE_INSIDE double log_scaled(double x, double scale, double scale_low, double unit,
                                double unit_low)
{
    double n, f = split(x, n), h = mul(mul(0.5, f), f), r = log_rest(f, h), high, low,
              p, w;

    high = f - h;
    low = ((f - high) - h) + r;
    p = mul(high, scale);
    low = mad(high, scale, -p) + mad(low, scale, mul(high, scale_low));
    h = mul(n, unit);
    w = h + p;
    low = mad(n, unit_low, low + ((h - w) + p));
    return log_of(x, w + low);
}

SMWAVE_INSIDE double log1p_finite(double x, double more)
{
    int e = (upper(x + 1.0) - 0x3fe6a09e) & (int)0xfff00000;
    double m = mad(0.25, from_bits((s64)(0x40100000 - e) << 32), -1.0); /* 2^-n - 1 */

    m = m + from_bits(bits(x) - ((s64)e << 32));
    return log_near(m, (double)(e >> 20) + more);
}

/* log1p(x) + more log(2), x > -1 or none */
SMWAVE_INSIDE double log1p_plus(double x, double more)
{
    double r = log1p_finite(x, more);

    if ((u64)bits(x) >= 0x7ff0000000000000ull) { /* negative, too */
        r = x > -1.0 && x < 0.0 ? r : mad(x, infinity_d(), infinity_d());
        r = x == -1.0 ? -infinity_d() : x == 0.0 ? x : r;
    }
    return r;
}

/* ---- arcs ---- */

SMWAVE_INSIDE double from_right_angle(double a)
{
    return 0x1.921fb54442d18p+0 - (a - 0x1.1a62633145c07p-54);
}
SMWAVE_INSIDE double from_straight_angle(double a)
{
    return 0x1.921fb54442d18p+1 - (a - 0x1.1a62633145c07p-53);
}
SMWAVE_INSIDE double atan_near(double a) /* a in [0, 1] */
{
    double z = mul(a, a);
    double p = poly(z, -0x1.555555555544cp-2, 0x1.999999998411p-3,
                    -0x1.2492491fa2135p-3, 0x1.c71c709e19f6ap-4, -0x1.745d02310537bp-4,
                    0x1.3b12b2e8e2d27p-4, -0x1.11089d02ddf01p-4, 0x1.e1781735b68dep-5,
                    -0x1.ad32ba4e017dbp-5, 0x1.7ee3f62d4d82ep-5, -0x1.4f4521c9da317p-5,
                    0x1.1715db009b2bap-5, -0x1.a726a9184d759p-6, 0x1.162c3d9481203p-6,
                    -0x1.2cf76bec5bd48p-7, 0x1.f96cc72693d7ap-9, -0x1.312a3f031e478p-10,
                    0x1.d3bb112b624b5p-13, -0x1.53e5c930b22f2p-16);

    return mad(mul(p, z), a, a);
}
/* (asin(a) - a) / a, z = a a <= 1/4 */
SMWAVE_INSIDE double asin_rest(double z)
{
    double p = poly(z, 0x1.5555555555577p-3, 0x1.333333332e133p-4, 0x1.6db6db721247bp-5,
                    0x1.f1c71a95002fbp-6, 0x1.6e8bdedebf9dfp-6, 0x1.1c49f077d5bc7p-6,
                    0x1.ca1f8af1f0a39p-7, 0x1.75859dad05d9ap-7, 0x1.613c1e6ed7236p-7,
                    0x1.e5fbe88dfeb2cp-9, 0x1.639a894e21126p-6, -0x1.57fad0dea93ccp-6,
                    0x1.0b45e9f72d94bp-5);

    return mul(p, z);
}

/* ---- roots and lengths ---- */

/* m^(-1/3) for m about 1 to 8: 22 bits from float, three times as many by one step */
SMWAVE_INSIDE double inverse_cube_root(double m)
{
    double y = (double)ex2_ftz(mul(lg2((float)m), -0x1.555556p-2f));
    double e = mad(-mul(m, y), mul(y, y), 1.0);

    return mad(y, mad(e, mul(e, 0x1.c71c71c71c71cp-3), mul(e, 0x1.5555555555555p-2)),
               y);
}

/* x = m 8^k, a normal number; a zero or subnormal one is made normal first */
SMWAVE_INSIDE double split_cube(double a, int &k)
{
    bool tiny = upper(a) < 0x00100000;
    int e;

    a = tiny ? mul(a, 0x1p54) : a;
    e = (upper(a) >> 20) - 1023;
    k = to_int(mul((float)e, 0x1.555556p-2f));
    a = from_bits(bits(a) - ((s64)(3 * k) << 52));
    k = k - (tiny ? 18 : 0);
    return a;
}

/* As for float. */
SMWAVE_INSIDE double length_of(double m, double a, double b, double c, double d,
                               int parts, bool inverse)
{
    int e = upper(m) & 0x7fe00000;
    double s, sum;

    e = e > 0x7fc00000 ? 0x7fc00000 : e;
    s = from_bits((s64)(0x7fd00000 - e) << 32);
    a = mul(a, s);
    b = mul(b, s);
    sum = mad(a, a, mul(b, b));
    if (parts > 2) {
        c = mul(c, s);
        sum = mad(c, c, sum);
    }
    if (parts > 3) {
        d = mul(d, s);
        sum = mad(d, d, sum);
    }
    a = reciprocal_root(sum);
    b = mul(mul(0.5, a), mad(-mul(sum, a), a, 1.0));
    a = m == 0.0 ? a : a + b;
    sum = inverse ? mul(a, s) : mul(root(sum), from_bits((s64)(e | 0x00100000) << 32));
    return m == infinity_d() ? (inverse ? 0.0 : m) : sum;
}

SMWAVE_INSIDE double largest(double a, double b, double c, double d)
{
    return most(most(size(a), size(b)), most(size(c), size(d)));
}

/* ---- pow ---- */

/* log(a) = the result + low to 65 bits, a positive and finite */
SMWAVE_INSIDE double log_twofold(double a, double &low)
{
    double n, u = split(a, n), r = inverse(u + 2.0), s, s_low, z, z_low, c, c_low, q, w;
    double w_low, t, t_low, h, sum;

    s = mul(u, r); /* log(1 + u) = 2 s + 2/3 s^3 + ... */
    s_low = mul(mad(-s, u, mad(-2.0, s, u)), r);
    z = mul(s, s);
    z_low = mad(s + s, s_low, mad(s, s, -z));
    c = mul(z, s);
    c_low = mad(z_low, s, mad(z, s_low, mad(z, s, -c)));
    q = mul(z, poly(z, 0x1.9999999999996p-2, 0x1.2492492492f4cp-2, 0x1.c71c71c597639p-3,
                    0x1.745d1828e749ep-3, 0x1.3b1364e71b3e7p-3, 0x1.11206ad848242p-3,
                    0x1.de3e174738e5dp-4, 0x1.eac0abbd80e8p-4));
    w = 0x1.5555555555555p-1 + q;
    w_low = ((0x1.5555555555555p-1 - w) + q) + 0x1.5555555555555p-55;
    t = mul(c, w);
    t_low = mad(c_low, w, mad(c, w_low, mad(c, w, -t)));
    h = mad(2.0, s, t);
    low = (mad(2.0, s, -h) + t) + mad(2.0, s_low, t_low);
    z = mul(n, 0x1.62e42fee00000p-1);
    sum = z + h;
    low = mad(n, 0x1.a39ef35793c76p-33, low + ((z - sum) + h));
    h = sum + low;
    low = low - (h - sum);
    return h;
}

/* a^y, a positive and finite */
SMWAVE_INSIDE double pow_of_size(double a, double y)
{
    double low, high = log_twofold(a, low), p = mul(y, high), p_low, r;
    int n;

    p_low = mad(y, low, mad(y, high, -p));
    r = exp_reduce(p, n) + p_low;
    return exp_limit(p, scaled(exp_near(r), n), 750.0);
}

} /* namespace smwave_math */

/* ---- the functions themselves ---- */

SMWAVE_DEVICE double sin(double x)
{
    int q;
    double low, r = smwave_math::reduce(x, q, low);

    return smwave_math::sine(r, q);
}
SMWAVE_DEVICE double cos(double x)
{
    int q;
    double low, r = smwave_math::reduce(x, q, low);

    return smwave_math::sine(r, q + 1);
}
SMWAVE_DEVICE void sincos(double x, double *s, double *c)
{
    using namespace smwave_math;
    int q;
    double low, r = reduce(x, q, low), z = mul(r, r), u = sine_near(r, z),
                v = cosine_near(z);
    double a = (q & 1) != 0 ? v : u, b = (q & 1) != 0 ? u : v;

    *s = (q & 2) != 0 ? -a : a;
    *c = ((q + 1) & 2) != 0 ? -b : b;
}
SMWAVE_DEVICE double tan(double x)
{
    using namespace smwave_math;
    int q;
    double low, r = reduce(x, q, low), z = mul(r, r), p, t, e;

    p = poly(z, 0x1.555555555555dp-2, 0x1.11111111106dep-3, 0x1.ba1ba1bab2331p-5,
             0x1.664f485fc4558p-6, 0x1.226e3a2ffaf04p-7, 0x1.d6d2f4961d1d1p-9,
             0x1.7db0db73cb49cp-10, 0x1.34c2fe3fb31f5p-11, 0x1.fecd718d27559p-13,
             0x1.606572d069ec4p-14, 0x1.167a0b06a0c54p-14, -0x1.9ca0db021c166p-16,
             0x1.90c1516206b63p-15, -0x1.901ed1c0c76ddp-16, 0x1.45a4584cd276cp-17);
    t = mad(p, mul(z, r), r);
    p = mad(p, mul(z, r), mad(mul(t, t), low, low)); /* tan(r + low) - r */
    t = p + r;
    if ((q & 1) != 0) { /* -1 / (t + e) */
        e = p - (t - r);
        p = -inverse(t);
        t = mad(mad(p, t, mad(p, e, 1.0)), p, p);
    }
    return x == 0.0 ? x : t;
}
SMWAVE_SINCE_241 double sinpi(double x)
{
    using namespace smwave_math;
    int q;
    double r = reduce_pi(x, q);

    r = sine(r, q);
    return x == whole(x) ? mul(x, 0.0) : r;
}
SMWAVE_SINCE_241 double cospi(double x)
{
    using namespace smwave_math;
    int q;
    double r = reduce_pi(x, q);

    return sine(r, q + 1) + 0.0;
}
SMWAVE_BOTH void sincospi(double x, double *s, double *c)
{
    using namespace smwave_math;
    int q;
    double r = reduce_pi(x, q);

    *s = x == whole(x) ? mul(x, 0.0) : sine(r, q);
    *c = sine(r, q + 1) + 0.0;
}

SMWAVE_DEVICE double exp(double x)
{
    using namespace smwave_math;
    int n;
    double r = exp_near(exp_reduce(x, n));

    return exp_limit(x, scaled(r, n), 750.0);
}
SMWAVE_DEVICE double exp2(double x)
{
    using namespace smwave_math;
    double t = x + 0x1.8p52, f = x - (t - 0x1.8p52), p;

    p = poly(f, 1.0, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c5a6p-3, 0x1.c6b08d704a12cp-5,
             0x1.3b2ab6fb9fd9dp-7, 0x1.5d87fe789e99p-10, 0x1.4309130f6fc37p-13,
             0x1.ffcbfc667755dp-17, 0x1.62bfc64f789ep-20, 0x1.b52522db16df5p-24,
             0x1.e61d57b429e97p-28, 0x1.e972f14e79761p-32);
    return exp_limit(x, scaled(p, (int)bits(t)), 1080.0);
}
SMWAVE_DEVICE double exp10(double x)
{
    using namespace smwave_math;
    double t = mad(x, 0x1.a934f0979a371p+1, 0x1.8p52), n = t - 0x1.8p52, r;

    r = mad(n, 0x1.9dc1da994fd21p-59, mad(n, -0x1.34413509f79ffp-2, x));
    r = mad(r, 0x1.26bb1bbb55516p+1, mul(r, -0x1.f48ad494ea3e9p-53));
    return exp_limit(x, scaled(exp_near(r), (int)bits(t)), 330.0);
}
SMWAVE_DEVICE double expm1(double x)
{
    using namespace smwave_math;
    int n;
    double c = most(x, -50.0), f = exp_reduce(c, n), p, s;

    p = poly(f, 0.5, 0x1.5555555555559p-3, 0x1.555555555554ap-5, 0x1.111111110f657p-7,
             0x1.6c16c16c1c0d3p-10, 0x1.a01a01b0019dep-13, 0x1.a01a01872b11p-16,
             0x1.71ddf816b414p-19, 0x1.27e521d14f01fp-22, 0x1.af5f1b5d5761dp-26,
             0x1.1f040f9025bdbp-29);
    p = mad(mul(f, f), p, f);
    s = two_to(n - 1); /* 2^1024 is no double */
    p = mad(p, s, s - 0.5);
    p = p + p;
    return size(x) < 0x1p-54 || x != x ? x : x > 710.0 ? infinity_d() : p;
}

SMWAVE_DEVICE double log(double x)
{
    using namespace smwave_math;
    double n, f = split(x, n);

    return log_of(x, log_near(f, n));
}
SMWAVE_DEVICE double log2(double x)
{
    return smwave_math::log_scaled(x, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56, 1.0,
                                   0.0);
}
SMWAVE_DEVICE double log10(double x)
{
    return smwave_math::log_scaled(x, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57,
                                   0x1.3441350800000p-2, 0x1.f79fef311f12bp-34);
}
SMWAVE_DEVICE double log1p(double x)
{
    return smwave_math::log1p_plus(x, 0.0);
}

SMWAVE_DEVICE double cosh(double x)
{
    using namespace smwave_math;
    double e = half_exp(size(x));

    return e < 0x1p60 ? mad(inverse(e), 0.25, e) : e;
}
SMWAVE_DEVICE double sinh(double x)
{
    using namespace smwave_math;
    double a = size(x), z, p;

    if (a >= 1.0) {
        double e = half_exp(a);

        return with_sign(e < 0x1p60 ? mad(inverse(e), -0.25, e) : e, x);
    }
    z = mul(x, x);
    p = poly(z, 0x1.5555555555556p-3, 0x1.111111111104p-7, 0x1.a01a01a0318d8p-13,
             0x1.71de3a40565e2p-19, 0x1.ae646b4d5f193p-26, 0x1.6118df717748fp-33,
             0x1.b52ebddfaa69cp-41);
    return mad(mul(p, z), x, x);
}
SMWAVE_DEVICE double tanh(double x)
{
    using namespace smwave_math;
    double a = size(x), z, p;

    if (a >= 0.55) {
        double e = half_exp(least(a + a, 50.0));

        return with_sign(1.0 - inverse(e + 0.5), x);
    }
    z = mul(x, x);
    p = poly(z, -0x1.5555555555555p-2, 0x1.11111111110a3p-3, -0x1.ba1ba1ba14d7ap-5,
             0x1.664f4880fa7d4p-6, -0x1.226e35160cff1p-7, 0x1.d6d3c1c4629dap-9,
             -0x1.7da24fcba708ap-10, 0x1.354a4b5d398a8p-11, -0x1.f4827c11513d2p-13,
             0x1.903d3c6b4d325p-14, -0x1.2dea13967e8f9p-15, 0x1.739976c0be29cp-17,
             -0x1.005c98972ac07p-19);
    return mad(p, mad(z, x, 0.0), x);
}
SMWAVE_DEVICE double asinh(double x)
{
    using namespace smwave_math;
    double a = size(x), b = least(a, 0x1p60), z = mul(b, b), r;
    bool large = a > 0x1p60;

    r = mul(z, inverse(1.0 + root(z + 1.0)));
    r = log1p_finite(large ? a : a + r, large ? 1.0 : 0.0);
    return a < infinity_d() ? with_sign(r, x) : x;
}
SMWAVE_DEVICE double acosh(double x)
{
    using namespace smwave_math;
    double t = x - 1.0, r = t + root(mad(t, t, t + t));
    bool large = t > 0x1p60;

    r = log1p_plus(large ? t : r, large ? 1.0 : 0.0);
    return t < 0.0 ? nan_d() : r;
}
SMWAVE_DEVICE double atanh(double x)
{
    using namespace smwave_math;
    double a = size(x), t = mad(mul(a + a, a), inverse(1.0 - a), a + a);

    t = a < 1.0 ? t : a == 1.0 ? infinity_d() : nan_d();
    return with_sign(mul(0.5, log1p_plus(t, 0.0)), x);
}

SMWAVE_DEVICE double atan(double x)
{
    using namespace smwave_math;
    double a = size(x), t = inverse(a), r;

    t = a > 0x1p60 ? 0.0 : t;
    r = atan_near(a > 1.0 ? t : a);
    return x != x ? x + x : with_sign(a > 1.0 ? from_right_angle(r) : r, x);
}
SMWAVE_DEVICE double atan2(double y, double x)
{
    using namespace smwave_math;
    double a = size(x), b = size(y), t = quotient(least(a, b), most(a, b)), r;

    t = a == b ? 1.0 : t;
    r = atan_near(b == 0.0 ? 0.0 : t);
    r = b > a ? from_right_angle(r) : r;
    r = bits(x) < 0 ? from_straight_angle(r) : r;
    return x != x || y != y ? x + y : with_sign(r, y);
}
SMWAVE_DEVICE double asin(double x)
{
    using namespace smwave_math;
    double a = size(x), z = mad(a, -0.5, 0.5), s, t;

    if (a > 0.5) {
        s = root(z);
        s = s + s;
        z = mad(s, asin_rest(z), -0x1.1a62633145c07p-54);
        t = 0x1.921fb54442d18p+0 - s;
        return with_sign(t - (z - ((0x1.921fb54442d18p+0 - t) - s)), x);
    }
    return mad(asin_rest(mul(a, a)), x, x);
}
SMWAVE_DEVICE double acos(double x)
{
    using namespace smwave_math;
    double a = size(x), z = mad(a, -0.5, 0.5), s;

    if (a > 0.5) {
        s = root(z);
        s = s + s;
        s = mad(s, asin_rest(z), s);
        return x > 0.0 ? s : from_straight_angle(s);
    }
    return from_right_angle(mad(asin_rest(mul(a, a)), x, x));
}

SMWAVE_DEVICE double sqrt(double x)
{
    return smwave_math::root(x);
}
SMWAVE_SINCE_242 double rsqrt(double x)
{
    return smwave_math::reciprocal_root(x);
}
SMWAVE_DEVICE double cbrt(double x)
{
    using namespace smwave_math;
    int k;
    double m = split_cube(size(x), k), y = inverse_cube_root(m), t = mul(m, mul(y, y));

    t = mad(mad(-mul(t, t), t, m), mul(mul(y, y), 0x1.5555555555555p-2), t);
    t = from_bits(bits(t) + ((s64)k << 52));
    return x + x == x || x != x ? x : with_sign(t, x); /* 0, infinity, NaN */
}
SMWAVE_BOTH double rcbrt(double x)
{
    using namespace smwave_math;
    int k;
    double m = split_cube(size(x), k), y = inverse_cube_root(m), e;

    e = mad(-mul(m, y), mul(y, y), 1.0);
    y = mad(mul(y, 0x1.5555555555555p-2), e, y);
    y = from_bits(bits(y) - ((s64)k << 52));
    y = x == 0.0 ? infinity_d() : size(x) == infinity_d() ? 0.0 : y;
    return x != x ? x : with_sign(y, x);
}
SMWAVE_DEVICE double hypot(double x, double y)
{
    using namespace smwave_math;
    return length_of(most(size(x), size(y)), x, y, 0.0, 0.0, 2, false);
}
SMWAVE_BOTH double rhypot(double x, double y)
{
    using namespace smwave_math;
    return length_of(most(size(x), size(y)), x, y, 0.0, 0.0, 2, true);
}
SMWAVE_BOTH double norm3d(double a, double b, double c)
{
    using namespace smwave_math;
    return length_of(largest(a, b, c, c), a, b, c, 0.0, 3, false);
}
SMWAVE_BOTH double rnorm3d(double a, double b, double c)
{
    using namespace smwave_math;
    return length_of(largest(a, b, c, c), a, b, c, 0.0, 3, true);
}
SMWAVE_BOTH double norm4d(double a, double b, double c, double d)
{
    using namespace smwave_math;
    return length_of(largest(a, b, c, d), a, b, c, d, 4, false);
}
SMWAVE_BOTH double rnorm4d(double a, double b, double c, double d)
{
    using namespace smwave_math;
    return length_of(largest(a, b, c, d), a, b, c, d, 4, true);
}

SMWAVE_DEVICE double pow(double x, double y)
{
    using namespace smwave_math;
    double a = size(x), r = pow_of_size(a, y);
    bool odd = size(mad(whole(mul(y, 0.5)), -2.0, y)) == 1.0;

    if (x == 1.0 || y == 0.0) {
        return 1.0;
    }
    if (x != x || y != y) {
        return x + y;
    }
    if (a == 0.0 || a == infinity_d()) {
        r = (a == 0.0) == (y < 0.0) ? infinity_d() : 0.0;
    } else if (x < 0.0 && y != whole(y)) {
        return nan_d();
    } else if (a == 1.0) {
        r = 1.0;
    }
    return bits(x) < 0 && odd ? -r : r;
}
#endif
