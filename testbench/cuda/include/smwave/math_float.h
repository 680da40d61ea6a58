/*
 * math_float.h - the usual functions for float: roots, exponentials, logarithms,
 * trigonometric and hyperbolic functions, pow, lengths. No tables; the coefficients are
 * those of testbench/cuda/math/coefficients.py. Accuracy: testbench/cuda/math/ulp.csv.
 */
#ifndef SMWAVE_MATH_FLOAT_H
#define SMWAVE_MATH_FLOAT_H

#include "smwave/math_base.h"

namespace smwave_math
{

/* ---- sine and cosine ---- */

/* 32 bits of 2/pi from bit 32 i after the point on. */
SMWAVE_INSIDE u32 two_over_pi_word(int i)
{
    return i == 0   ? 0xa2f9836eu
           : i == 1 ? 0x4e441529u
           : i == 2 ? 0xfc2757d1u
           : i == 3 ? 0xf534ddc0u
           : i == 4 ? 0xdb629599u
           : i == 5 ? 0x3c439041u
           : i == 6 ? 0xfe5163abu
                    : 0xdebbc561u;
}

/*
 * A finite x = m 2^e, e > 0 - 8, less the nearest multiple of pi/2: upper word the
 * multiple, lower word the rest as a float. Those bits of 2/pi that only add multiples
 * of 4 are left out; of the others 96 are enough (Payne and Hanek's method).
 */
SMWAVE_SLOW u64 reduce_large(float x)
{
    int i = bits(x), e = (i >> 23 & 0xff) - 150;
    u64 m = (u64)(u32)(i & 0x7fffff) + 0x800000;
    int skip = e > 2 ? e - 2 : 0, w = skip >> 5, s = skip & 31;
    u32 t0 = two_over_pi_word(w), t1 = two_over_pi_word(w + 1),
        t2 = two_over_pi_word(w + 2), t3 = two_over_pi_word(w + 3);
    u64 low, mid, high, part;
    int point = 96 + skip - e, q; /* bits of the product after the point, less skip */
    float r;

    if (e == 105) { /* infinite or NaN */
        return (u32)bits(x - x);
    }
    if (s != 0) {
        t0 = t0 << s | t1 >> (32 - s);
        t1 = t1 << s | t2 >> (32 - s);
        t2 = t2 << s | t3 >> (32 - s);
    }
    low = t2 * m;
    mid = t1 * m + (low >> 32);
    high = t0 * m + (mid >> 32);
    part = high << (128 - point) | (mid << 32 | (u32)low) >> (point - 64);
    q = (int)(high >> (point - 64)) + (int)(part >> 63);
    r = (float)((double)(s64)part * 0x1.921fb54442d18p-64);
    if (i < 0) {
        r = -r;
        q = -q;
    }
    return (u64)(u32)q << 32 | (u32)bits(r);
}

/* x - q pi/2, |.| <= pi/4 */
SMWAVE_INSIDE float reduce(float x, int &q)
{
    float t = mad(x, 0x1.45f306p-1f, 0x1.8p23f), r;

    q = bits(t);
    t = t - 0x1.8p23f;
    r = mad(t, -0x1.921fb4p+0f,
            x); /* all three parts of one sign, so that -0.0f stays */
    r = mad(t, -0x1.4442d0p-24f, r);
    r = mad(t, -0x1.84698ap-48f, r);
    if (size(x) > 105615.0f) {
        u64 v = reduce_large(x);

        q = (int)(v >> 32);
        r = from_bits((int)v);
    }
    return r;
}

/* sin(r + q pi/2), |r| <= pi/4 */
SMWAVE_INSIDE float sine(float r, int q)
{
    bool even = (q & 1) == 0;
    float z = mul(r, r), s = even ? r : 1.0f, p;

    p = even ? -0x1.992462p-13f : mad(0x1.99e334p-16f, z, -0x1.6c0c1ep-10f);
    p = mad(p, z, even ? 0x1.1106d6p-7f : 0x1.55554ap-5f);
    p = mad(p, z, even ? -0x1.555544p-3f : -0.5f);
    p = mad(p, mad(z, s, 0.0f), s); /* + 0.0f: else sin(-0.0f) were 0.0f */
    return (q & 2) != 0 ? -p : p;
}

/* x - q/2, times pi; |x - q/2| <= 1/4 */
SMWAVE_INSIDE float reduce_pi(float x, int &q)
{
    float h = mad(nearest(mul(x, 0.5f)), -2.0f, x), t = mad(h, 2.0f, 0x1.8p23f);

    q = bits(t);
    return mul(mad(t - 0x1.8p23f, -0.5f, h), 0x1.921fb6p+1f);
}

/* ---- exponentials and logarithms ---- */

/*
 * k^x, with lg = log2(k) in two parts, times 2^bias. 2^n with n within -126..127 is put
 * together as a float; what is left to the instruction may be large at either end.
 */
SMWAVE_INSIDE float power_of(float x, float lg, float lg_low, float lowest,
                             float highest, int bias)
{
    float t = mad(least(most(x, lowest), highest), lg, (float)(0xc00000 + 127 + bias));
    float n = (float)(0xc00000 + 127 + bias) - t; /* minus the whole part */
    float f = mad(x, lg_low, mad(x, lg, n));

    return mul(ex2(f), from_bits(bits(t) << 23));
}

SMWAVE_INSIDE float exp_scaled(float x, int bias)
{
    return power_of(x, 0x1.715476p+0f, 0x1.4ae0cp-26f, -87.0f, 88.0f, bias);
}

/* x = m 2^n, m in [2/3, 4/3); gives n and m - 1 */
SMWAVE_INSIDE float split(float x, float &n)
{
    bool tiny = x < 0x1p-126f;
    int i = bits(tiny ? mul(x, 0x1p23f) : x), e = (i - 0x3f2aaaab) & (int)0xff800000;

    n = mad((float)e, 0x1p-23f, tiny ? -23.0f : 0.0f);
    return from_bits(i - e) - 1.0f;
}

/* The result of a logarithm: what x is outside (0, inf) decides. */
SMWAVE_INSIDE float log_of(float x, float result)
{
    if ((u32)bits(x) - 1u >= 0x7f7fffffu) {
        result = mad(x, infinity_f(), infinity_f());
        result = x == 0.0f ? -infinity_f() : result;
    }
    return result;
}

SMWAVE_INSIDE float log1p_near(float m)
{
    return poly(m, 0x1.555506p-2f, -0x1.fffefp-3f, 0x1.99d064p-3f, -0x1.559de8p-3f,
                0x1.1ed37ep-3f, -0x1.f30d5ep-4f, 0x1.1e77d6p-3f, -0x1.080f4ep-3f);
}

SMWAVE_INSIDE float log1p_finite(float x, float more)
{
    int e = (bits(x + 1.0f) - 0x3f2aaaab) & (int)0xff800000;
    float scale = from_bits(0x40800000 - e); /* 4 / 2^n */
    float m = mad(0.25f, scale, -1.0f) + from_bits(bits(x) - e);
    float p = mad(mul(m, m), mad(m, log1p_near(m), -0.5f), m);

    return mad(mad((float)e, 0x1p-23f, more), 0x1.62e43p-1f, p);
}

/* log1p(x) + more log(2), x > -1 or none */
SMWAVE_INSIDE float log1p_plus(float x, float more)
{
    float r = log1p_finite(x, more);

    if ((u32)bits(x) >= 0x7f800000u) { /* negative, too */
        r = x > -1.0f && x < 0.0f ? r : mad(x, infinity_f(), infinity_f());
        r = x == -1.0f ? -infinity_f() : x == 0.0f ? x : r;
    }
    return r;
}

/* ---- arcs ---- */

/* 0x1.691178p+0f * 0x1.1d1bd6p+0f is pi/2 to 41 bits, more than a float holds. */
SMWAVE_INSIDE float from_right_angle(float a)
{
    return mad(0x1.691178p+0f, 0x1.1d1bd6p+0f, -a);
}
SMWAVE_INSIDE float from_straight_angle(float a)
{
    return mad(0x1.691178p+0f, 0x1.1d1bd6p+1f, -a);
}
SMWAVE_INSIDE float atan_near(float a) /* a in [0, 1] */
{
    float z = mul(a, a);
    float p = poly(z, -0x1.5554dcp-2f, 0x1.9978eep-3f, -0x1.230abp-3f, 0x1.b4dfdcp-4f,
                   -0x1.3553f4p-4f, 0x1.61f756p-5f, -0x1.0c23fep-6f, 0x1.7ec1c4p-9f);

    return mad(mul(p, z), a, a);
}
SMWAVE_INSIDE float asin_near(float a, float z) /* z = a a <= 1/4 */
{
    float p = poly(z, 0x1.555728p-3f, 0x1.3296fcp-4f, 0x1.7e75b6p-5f, 0x1.2f5412p-6f,
                   0x1.a36f12p-5f);

    return mad(mul(p, z), a, a);
}

/* ---- lengths ---- */

/*
 * The length of a vector whose largest part is of size m, or its inverse: scaled by a
 * power of 4 so that squares neither overflow nor vanish. All steps but one are exact.
 */
SMWAVE_INSIDE float length_of(float m, float a, float b, float c, float d, int parts,
                              bool inverse)
{
    int e = bits(m) & 0x7e000000;
    float s = from_bits(0x7e800000 - e), sum;

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
    sum = inverse ? mul(reciprocal_root_ftz(sum), s)
                  : mul(root(sum), from_bits(e | 0x00800000));
    return m == infinity_f() ? (inverse ? 0.0f : m) : sum;
}

SMWAVE_INSIDE float largest(float a, float b, float c, float d)
{
    return most(most(size(a), size(b)), most(size(c), size(d)));
}

/* ---- pow ---- */

/* log2(a) = high + low, a positive and finite */
SMWAVE_INSIDE float log2_twofold(float a, float &low)
{
    float n, u = split(a, n), r = reciprocal(u + 2.0f), v, v_low, z, p, h, l, sum;

    v = mul(mul(u, 2.0f), r); /* log(1 + u) = v + v^3/12 + ... */
    v_low = mul(mad(v, -u, mul(2.0f, u - v)), r);
    z = mul(v, v);
    p = poly(z, 0x1.ec709ep-4f, 0x1.277694p-6f, 0x1.a632fep-9f, 0x1.44d8e2p-11f,
             0x1.3d56cap-13f);
    h = mul(v, 0x1.715476p+0f);
    l = mad(v, 0x1.715476p+0f, -h);
    l = mad(v, 0x1.4ae0cp-26f, l);
    l = mad(v_low, 0x1.715476p+0f, l);
    l = mad(mul(v, z), p, l);
    sum = n + h;
    l = l + ((n - sum) + h);
    h = sum + l;
    low = l - (h - sum);
    return h;
}

/* a^y, a positive and finite */
SMWAVE_INSIDE float pow_of_size(float a, float y)
{
    float low, high = log2_twofold(a, low), p = mul(y, high), p_low, t, r;

    p_low = mad(y, low, mad(y, high, -p));
    t = least(most(p, -126.0f), 127.0f) + (float)(0xc00000 + 127);
    r = mul(ex2((p - (t - (float)(0xc00000 + 127))) + p_low), from_bits(bits(t) << 23));
    return size(p) < 160.0f ? r : p < 0.0f ? 0.0f : infinity_f();
}

} /* namespace smwave_math */

/* ---- the functions themselves ---- */

#ifndef __USE_FAST_MATH__ /* else intrinsics.h has it */
SMWAVE_DEVICE float sinf(float x)
{
    int q;
    float r = smwave_math::reduce(x, q);

    return smwave_math::sine(r, q);
}
SMWAVE_DEVICE float cosf(float x)
{
    int q;
    float r = smwave_math::reduce(x, q);

    return smwave_math::sine(r, q + 1);
}
SMWAVE_DEVICE void sincosf(float x, float *s, float *c)
{
    int q;
    float r = smwave_math::reduce(x, q);

    *s = smwave_math::sine(r, q);
    *c = smwave_math::sine(r, q + 1);
}
SMWAVE_DEVICE float tanf(float x)
{
    using namespace smwave_math;
    int q;
    float r = reduce(x, q), z = mul(r, r), t;

    t = poly(z, 0x1.5554d4p-2f, 0x1.112feep-3f, 0x1.b5421cp-5f, 0x1.92541p-6f,
             0x1.7e3342p-9f, 0x1.37884ap-7f);
    t = mad(t, mul(z, r), r);
    return (q & 1) != 0 ? -reciprocal(t) : t;
}
#endif

SMWAVE_SINCE_241 float sinpif(float x)
{
    using namespace smwave_math;
    int q;
    float r = reduce_pi(x, q);

    r = sine(r, q);
    return x == whole(x) ? mul(x, 0.0f) : r;
}
SMWAVE_SINCE_241 float cospif(float x)
{
    using namespace smwave_math;
    int q;
    float r = reduce_pi(x, q);

    return sine(r, q + 1) + 0.0f;
}
SMWAVE_BOTH void sincospif(float x, float *s, float *c)
{
    using namespace smwave_math;
    int q;
    float r = reduce_pi(x, q);

    *s = x == whole(x) ? mul(x, 0.0f) : sine(r, q);
    *c = sine(r, q + 1) + 0.0f;
}

#ifndef __USE_FAST_MATH__ /* else intrinsics.h has it */
SMWAVE_DEVICE float expf(float x)
{
    return smwave_math::exp_scaled(x, 0);
}
#endif
SMWAVE_DEVICE float exp2f(float x)
{
    return smwave_math::ex2(x);
}
#ifndef __USE_FAST_MATH__ /* else intrinsics.h has it */
SMWAVE_DEVICE float exp10f(float x)
{
    return smwave_math::power_of(x, 0x1.a934fp+1f, 0x1.2f346ep-24f, -37.8f, 38.2f, 0);
}
#endif
SMWAVE_DEVICE float expm1f(float x)
{
    using namespace smwave_math;
    float c = least(most(x, -30.0f), 90.0f), t = mad(c, 0x1.715476p+0f, 0x1.8p23f);
    float n = t - 0x1.8p23f, f = mad(n, 0x1.05c61p-29f, mad(n, -0x1.62e43p-1f, c)), p,
          s;

    p = poly(f, 0x1p-1f, 0x1.555554p-3f, 0x1.5554fp-5f, 0x1.111306p-7f, 0x1.6d4372p-10f,
             0x1.9e0c28p-13f);
    p = mad(mul(f, f), p, f);
    s = from_bits((bits(t) << 23) + 0x3f000000); /* 2^(n - 1): 2^128 is no float */
    p = mad(p, s, s - 0.5f);
    p = p + p;
    return size(x) < 0x1p-25f || x != x ? x : x > 89.0f ? infinity_f() : p;
}

#ifndef __USE_FAST_MATH__ /* else intrinsics.h has it */
SMWAVE_DEVICE float logf(float x)
{
    using namespace smwave_math;
    float n, m = split(x, n), p = mad(m, log1p_near(m), -0.5f);

    return log_of(x, mad(n, 0x1.62e43p-1f, mad(mul(m, m), p, m)));
}
SMWAVE_DEVICE float log2f(float x)
{
    using namespace smwave_math;
    float n, m = split(x, n), p;

    p = poly(m, -0x1.715476p-1f, 0x1.ec7024p-2f, -0x1.715402p-2f, 0x1.279f94p-2f,
             -0x1.ecc5b8p-3f, 0x1.9daa26p-3f, -0x1.68e0d6p-3f, 0x1.9de168p-3f,
             -0x1.7981ecp-3f);
    p = mad(m, 0x1.4ae0cp-26f, mul(mul(m, m), p));
    return log_of(x, n + mad(m, 0x1.715476p+0f, p));
}
SMWAVE_DEVICE float log10f(float x)
{
    using namespace smwave_math;
    float n, m = split(x, n), p;

    p = poly(m, -0x1.bcb7b2p-3f, 0x1.287a2ep-3f, -0x1.bcb66ep-4f, 0x1.63f6e6p-4f,
             -0x1.28c0fp-4f, 0x1.f2251p-5f, -0x1.b0f176p-5f, 0x1.f22cd2p-5f,
             -0x1.cc6de2p-5f);
    p = mad(m, -0x1.5b235ep-27f, mad(n, -0x1.ec10cp-27f, mul(mul(m, m), p)));
    return log_of(x, mad(n, 0x1.344136p-2f, mad(m, 0x1.bcb7b2p-2f, p)));
}
#endif
SMWAVE_DEVICE float log1pf(float x)
{
    return smwave_math::log1p_plus(x, 0.0f);
}

SMWAVE_DEVICE float coshf(float x)
{
    using namespace smwave_math;
    float e = exp_scaled(size(x), -1);

    return mad(reciprocal(e), 0.25f, e);
}
SMWAVE_DEVICE float sinhf(float x)
{
    using namespace smwave_math;
    float a = size(x);

    if (a >= 1.0f) {
        float e = exp_scaled(a, -1);

        return with_sign(mad(reciprocal(e), -0.25f, e), x);
    }
    float z = mul(x, x);
    float p = poly(z, 0x1.555556p-3f, 0x1.1110eap-7f, 0x1.a01c22p-13f, 0x1.76771ep-19f);
    return mad(mul(p, z), x, x);
}
SMWAVE_DEVICE float tanhf(float x)
{
    using namespace smwave_math;
    float a = size(x);

    if (a >= 0.55f) {
        float e = ex2_ftz(mul(a, 0x1.715476p+1f));

        return with_sign(mad(reciprocal(e + 1.0f), -2.0f, 1.0f), x);
    }
    float z = mul(x, x);
    float p = poly(z, -0x1.555548p-2f, 0x1.110c7p-3f, -0x1.b90a76p-5f, 0x1.584238p-6f,
                   -0x1.958c74p-8f);
    return mad(p, mad(z, x, 0.0f), x);
}
SMWAVE_DEVICE float asinhf(float x)
{
    using namespace smwave_math;
    float a = size(x), r = mul(mul(a, a), reciprocal(1.0f + root(mad(a, a, 1.0f))));
    bool large = a > 0x1p30f;

    r = log1p_finite(large ? a : a + r, large ? 1.0f : 0.0f);
    return a < infinity_f() ? with_sign(r, x) : x;
}
SMWAVE_DEVICE float acoshf(float x)
{
    using namespace smwave_math;
    float t = x - 1.0f, r = t + root(mad(t, t, t + t));
    bool large = t > 0x1p30f;

    r = log1p_plus(large ? t : r, large ? 1.0f : 0.0f);
    return t < 0.0f ? nan_f() : r;
}
SMWAVE_DEVICE float atanhf(float x)
{
    using namespace smwave_math;
    float a = size(x), t = mad(mul(a + a, a), reciprocal(1.0f - a), a + a);

    t = log1p_plus(a > 1.0f ? nan_f() : t, 0.0f);
    return with_sign(mul(0.5f, t), x);
}

SMWAVE_DEVICE float atanf(float x)
{
    using namespace smwave_math;
    float a = size(x), inverse = reciprocal(a), r = atan_near(a > 1.0f ? inverse : a);

    return with_sign(a > 1.0f ? from_right_angle(r) : r, x);
}
SMWAVE_DEVICE float atan2f(float y, float x)
{
    using namespace smwave_math;
    float a = size(x), b = size(y), t = quotient(least(a, b), most(a, b)), r;

    t = a == b ? 1.0f : t;
    r = atan_near(b == 0.0f ? 0.0f : t);
    r = b > a ? from_right_angle(r) : r;
    r = bits(x) < 0 ? from_straight_angle(r) : r;
    return x != x || y != y ? x + y : with_sign(r, y);
}
SMWAVE_DEVICE float asinf(float x)
{
    using namespace smwave_math;
    float a = size(x), z = mad(a, -0.5f, 0.5f), r;

    r = a > 0.5f ? asin_near(root(z), z) : asin_near(a, mul(a, a));
    return with_sign(a > 0.5f ? from_right_angle(r + r) : r, x);
}
SMWAVE_DEVICE float acosf(float x)
{
    using namespace smwave_math;
    float a = size(x), z = mad(a, -0.5f, 0.5f), r;

    r = a > 0.5f ? asin_near(root(z), z) : asin_near(a, mul(a, a));
    if (a > 0.5f) {
        return x > 0.0f ? r + r : from_straight_angle(r + r);
    }
    return from_right_angle(with_sign(r, x));
}

SMWAVE_DEVICE float sqrtf(float x)
{
    return smwave_math::root(x);
}
SMWAVE_SINCE_242 float rsqrtf(float x)
{
    return smwave_math::reciprocal_root(x);
}
SMWAVE_DEVICE float cbrtf(float x)
{
    using namespace smwave_math;
    float a = size(x), t = ex2_ftz(mul(lg2(a), 0x1.555556p-2f)), r;

    r = mad(mad(-reciprocal(mul(t, t)), a, t), -0x1.555556p-2f, t);
    return x + x == x ? x : with_sign(r, x); /* 0 and infinity */
}
SMWAVE_BOTH float rcbrtf(float x)
{
    using namespace smwave_math;
    float a = size(x), t = ex2_ftz(mul(lg2(a), -0x1.555556p-2f)), r;

    r = mad(mad(mul(t, t), -mul(t, a), 1.0f), mul(t, 0x1.555556p-2f), t);
    return with_sign(a == 0.0f || a == infinity_f() ? t : r, x);
}
SMWAVE_DEVICE float hypotf(float x, float y)
{
    using namespace smwave_math;
    return length_of(most(size(x), size(y)), x, y, 0.0f, 0.0f, 2, false);
}
SMWAVE_BOTH float rhypotf(float x, float y)
{
    using namespace smwave_math;
    return length_of(most(size(x), size(y)), x, y, 0.0f, 0.0f, 2, true);
}
SMWAVE_BOTH float norm3df(float a, float b, float c)
{
    using namespace smwave_math;
    return length_of(largest(a, b, c, c), a, b, c, 0.0f, 3, false);
}
SMWAVE_BOTH float rnorm3df(float a, float b, float c)
{
    using namespace smwave_math;
    return length_of(largest(a, b, c, c), a, b, c, 0.0f, 3, true);
}
SMWAVE_BOTH float norm4df(float a, float b, float c, float d)
{
    using namespace smwave_math;
    return length_of(largest(a, b, c, d), a, b, c, d, 4, false);
}
SMWAVE_BOTH float rnorm4df(float a, float b, float c, float d)
{
    using namespace smwave_math;
    return length_of(largest(a, b, c, d), a, b, c, d, 4, true);
}

#ifndef __USE_FAST_MATH__ /* else intrinsics.h has it */
SMWAVE_DEVICE float powf(float x, float y)
{
    using namespace smwave_math;
    float a = size(x), r = pow_of_size(a, y);
    bool odd = size(mad(whole(mul(y, 0.5f)), -2.0f, y)) == 1.0f;

    if (x == 1.0f || y == 0.0f) {
        return 1.0f;
    }
    if (x != x || y != y) {
        return x + y;
    }
    if (a == 0.0f || a == infinity_f()) {
        r = (a == 0.0f) == (y < 0.0f) ? infinity_f() : 0.0f;
    } else if (x < 0.0f && y != whole(y)) {
        return nan_f();
    } else if (a == 1.0f) {
        r = 1.0f;
    }
    return bits(x) < 0 && odd ? -r : r;
}
#endif
#endif
