/*
 * math_error.h - the error functions and the normal distribution, and their inverses,
 * for float and double. Accuracy: testbench/cuda/math/ulp.csv.
 */
#ifndef SMWAVE_MATH_ERROR_H
#define SMWAVE_MATH_ERROR_H

#include "smwave/math_double.h"
#include "smwave/math_float.h"

namespace smwave_math
{

/* e^(x x) erfc(x) for x >= 0: with t = (x - 4) / (x + 4) a polynomial over 1 + 2 x */
SMWAVE_INSIDE double erfcx_positive(double x)
{
    double r = inverse(x + 4.0), t = mad(r, -8.0, 1.0), d, p, z;

    /* The last step of a division; x + 4 and x - 4 would round away what it is for. */
    t = mad(mad(t + 1.0, -4.0, mad(-t, x, x)), r, t);
    p = poly(t, 0x1.3ba5916e9fd7fp0, -0x1.1df1ad154a29ep-3, 0x1.f7f5df66fc9fcp-7,
             0x1.16ecefcfa618fp-4, -0x1.9ddb23c3e4c8p-4, 0x1.7fee004df4fd2p-4,
             -0x1.0fb06dfe9b835p-4, 0x1.3079edfa0a708p-5, -0x1.096238768df03p-6,
             0x1.49c67197a4bd5p-8, -0x1.8d4aa70213d8p-11, -0x1.a1de8f242c6ecp-13,
             0x1.3be1377175ab4p-13, -0x1.9967d9414d1f3p-16, -0x1.78b6476c03989p-17,
             0x1.7f966ae54c9ddp-18, 0x1.466fd6a65b2adp-22, -0x1.be995ee4b41acp-21,
             0x1.06a73e2cb0f44p-24, 0x1.e2acd284fd8cbp-24, -0x1.0c4fb7d1f85bfp-27,
             -0x1.af7607d177d8ep-27, -0x1.8afd11c24be07p-30);
    d = mad(2.0, x, 1.0);
    r = inverse(d);
    t = mul(p, r);
    t = mad(mad(-t, d, p), r, t);
    if (x > 28.0) { /* 1 / (x sqrt(pi)) (1 - 1/2 z + 3/4 z^2 ...), z = 1 / x^2 */
        r = quotient(1.0, x);
        z = mul(r, r);
        z = mul(z, poly(z, -0.5, 0.75, -1.875, 6.5625, -29.53125, 162.421875));
        t = mul(r, 0x1.20dd750429b6dp-1);
        t = mad(t, z, t);
    }
    return t;
}

/* e^(-x x) 2^n, x >= 0 */
SMWAVE_INSIDE double exp_of_square(double x, int n)
{
    double c = least(x, 28.0), z = mul(c, c), low = mad(c, c, -z), r;
    int k;

    r = exp_reduce(-z, k);
    return scaled(exp_near(r - low), k + n);
}

SMWAVE_INSIDE double erf_near(double z) /* erf(x) / x, z = x x <= 1 */
{
    return poly(z, 0x1.20dd750429b6dp0, -0x1.812746b0379b2p-2, 0x1.ce2f21a0408d1p-4,
                -0x1.b82ce311ee09bp-6, 0x1.565bccf7e2856p-8, -0x1.c02db0149d904p-11,
                0x1.f9a2b75531772p-14, -0x1.f4ca204c771c5p-17, 0x1.b97e44280cfb9p-20,
                -0x1.5bfe76384472p-23, 0x1.d6e3ddfeb1f49p-27, -0x1.ab15c51d2ebebp-31);
}

SMWAVE_INSIDE double erfc_positive(double x)
{
    double c = least(x, 28.0);

    return mul(exp_of_square(x, 0), erfcx_positive(c));
}

/* The same for float; t = (x - 2) / (x + 2) */
SMWAVE_INSIDE float erfcx_positive(float x)
{
    float r = reciprocal(x + 2.0f), t = mad(r, -4.0f, 1.0f), d, p;

    t = mad(mad(-t, x + 2.0f, x - 2.0f), r, t);
    p = poly(t, 0x1.46e80ep0f, -0x1.7bf5fap-4f, -0x1.54082p-3f, 0x1.4ffad4p-3f,
             -0x1.bc0d0ap-5f, -0x1.07723cp-7f, 0x1.1b067cp-7f, 0x1.493b5p-10f,
             -0x1.496a4cp-10f, -0x1.6899c8p-12f, 0x1.43e016p-15f);
    d = mad(2.0f, x, 1.0f);
    r = reciprocal(d);
    t = mul(p, r);
    t = mad(mad(-t, d, p), r, t);
    if (x > 10.5f) {
        r = reciprocal(mul(x, 0.25f)); /* 4 / x: 1 / x may be too small */
        d = mul(mul(r, r), 0.0625f);
        t = mul(mul(r, 0.25f), 0x1.20dd76p-1f);
        t = mad(mul(t, d), poly(d, -0.5f, 0.75f, -1.875f, 6.5625f), t);
    }
    return t;
}
SMWAVE_INSIDE float exp_of_square(float x)
{
    float c = least(x, 12.0f), z = mul(c, c), low = mad(c, c, -z), e;

    /* 2^64 times too large, so that nothing is lost below 2^-126 before the end */
    e = power_of(-z, 0x1.715476p+0f, 0x1.4ae0cp-26f, -131.0f, 88.0f, 64);
    return mul(mad(e, -low, e), 0x1p-64f);
}
SMWAVE_INSIDE float erf_near(float x) /* |x| <= 1 */
{
    float z = mul(x, x), p;

    p = poly(z, -0x1.8126d2p-2f, 0x1.ce1fcep-4f, -0x1.b7480ep-6f, 0x1.4f7c3cp-8f,
             -0x1.874dbp-11f, 0x1.03a052p-14f);
    p = mad(p, z, 0x1.06eba8p-3f); /* 2 / sqrt(pi) = 1 + that */
    return mad(p, x, x);
}
SMWAVE_INSIDE float erfc_positive(float x)
{
    return mul(exp_of_square(x), erfcx_positive(least(x, 12.0f)));
}

/* ---- inverses ---- */

/* erf(y) = x, |x| <= 1/2 */
SMWAVE_INSIDE double inverse_erf_near(double x)
{
    double p = poly(mul(x, x), 0x1.c5bf891b4ef6bp-1, 0x1.db29fb2fee5e4p-3,
                    0x1.053c2c0ab91c5p-3, 0x1.62847c47dda4bp-4, 0x1.0a13189c6ea87p-4,
                    0x1.a7c85c8a2a97cp-5, 0x1.5eeb1d219b0c6p-5, 0x1.2abaa05a48fe2p-5,
                    0x1.0397c0525da37p-5, 0x1.ca92dfd8e7c2bp-6, 0x1.982910d1cfd7dp-6,
                    0x1.8232d7523765ep-6, 0x1.eaa4092e8d68dp-7, 0x1.4b7c49c1a0076p-5,
                    -0x1.0c5b58c5a18dbp-5, 0x1.37280319893e4p-4);

    return mul(x, p);
}

/*
 * erfc(y) = q, 0 < q <= 1/2: an estimate by s = sqrt(-log(q)) to six digits, then one
 * step of Halley's method on log(erfc(y)), whose second derivative changes little.
 */
SMWAVE_INSIDE double inverse_erfc_tail(double q)
{
    bool tiny = q < 0x1p-900;
    double n, f = split(q, n), log = -log_near(f, n), y, u, d, r;
    float s = root((float)log), v = reciprocal(s), g;

    if (s < 2.5f) {
        g = poly(s, 0.0228799726f, -0.183849239f, 1.49828297f, -1.06196435f,
                 0.473695597f, -0.13183267f, 0.0209586302f, -0.00145504735f);
    } else {
        g = mul(s, poly(v, 1.00022544f, -0.0243430449f, -1.61133685f, 5.07663744f,
                        -14.5719254f, 30.8191968f, -38.2602769f, 20.5117372f));
    }
    y = (double)g;
    r = erfcx_positive(y);
    q = tiny ? mul(q, 0x1p200) : q;
    u = mad(exp_of_square(y, tiny ? 200 : 0), r, -q);
    u = quotient(u, q);
    u = mul(u, poly(u, 1.0, -0.5, 0x1.5555555555555p-2, -0.25, 0.2)); /* log(1 + u) */
    d = quotient(0x1.20dd750429b6dp0, r);
    u = quotient(u, d);
    return y + mul(u, mad(mul(-0.5, u), mad(-2.0, y, d), 1.0));
}

/* erfc(y) = q */
SMWAVE_INSIDE double inverse_erfc(double q)
{
    double r;

    if (q >= 0.5 && q <= 1.5) {
        return inverse_erf_near(1.0 - q);
    }
    r = inverse_erfc_tail(q > 1.0 ? 2.0 - q : q);
    r = q == 0.0 || q == 2.0 ? infinity_d() : r;
    r = q > 1.0 ? -r : r;
    return q >= 0.0 && q <= 2.0 ? r : nan_d();
}

} /* namespace smwave_math */

SMWAVE_DEVICE double erf(double x)
{
    using namespace smwave_math;
    double a = size(x);

    if (a < 1.0) {
        return mul(x, erf_near(mul(x, x)));
    }
    return x != x ? x : with_sign(1.0 - erfc_positive(least(a, 10.0)), x);
}
SMWAVE_DEVICE double erfc(double x)
{
    using namespace smwave_math;
    double a = size(x), r;

    if (a < 0.5) {
        return 1.0 - mul(x, erf_near(mul(x, x)));
    }
    r = erfc_positive(a);
    return x != x ? x : x < 0.0 ? 2.0 - r : r;
}
SMWAVE_BOTH double erfcx(double x)
{
    using namespace smwave_math;
    double a = size(x), r = erfcx_positive(a), z, low;
    int k;

    r = a == infinity_d() ? 0.0 : r;
    if (x < 0.0) {
        a = least(a, 30.0);
        z = mul(a, a);
        low = mad(a, a, -z);
        z = exp_reduce(z, k) + low;
        r = a > 27.0 ? infinity_d() : scaled(exp_near(z), k + 1) - r;
    }
    return x != x ? x : r;
}
SMWAVE_BOTH double normcdf(double x)
{
    using namespace smwave_math;
    double c = least(most(x, -39.0), 39.0), y = mul(c, -0x1.6a09e667f3bcdp-1);
    double low = mad(c, -0x1.6a09e667f3bcdp-1, -y), a = size(y), r;

    low = mad(c, 0x1.bdd3413b26456p-55, low); /* -x / sqrt(2) = y + low */
    if (a < 0.5) {
        r = mad(mul(y, erf_near(mul(y, y))), -0.5, 0.5);
        return x != x ? x : r;
    }
    r = mul(0.5, erfcx_positive(a));
    if (y > 0.0) {
        r = mad(mul(r, -2.0), mul(y, low), r);
    }
    r = mul(exp_of_square(a, 0), r);
    return x != x ? x : y < 0.0 ? 1.0 - r : r;
}
SMWAVE_BOTH double erfinv(double x)
{
    using namespace smwave_math;
    double a = size(x), r;

    if (a <= 0.5) {
        return inverse_erf_near(x);
    }
    r = a == 1.0 ? infinity_d() : inverse_erfc_tail(1.0 - a);
    return a <= 1.0 ? with_sign(r, x) : nan_d();
}
SMWAVE_BOTH double erfcinv(double x)
{
    return smwave_math::inverse_erfc(x);
}
SMWAVE_BOTH double normcdfinv(double x)
{
    return smwave_math::mul(-0x1.6a09e667f3bcdp+0, smwave_math::inverse_erfc(x + x));
}

SMWAVE_DEVICE float erff(float x)
{
    using namespace smwave_math;
    float a = size(x), c = least(a, 4.0f), p;

    p = poly(c, -0x1.0b8c9cp-11f, -0x1.a03fe6p0f, -0x1.d76e84p-1f, -0x1.307032p-3f,
             0x1.01b518p-5f, -0x1.15ef72p-8f, 0x1.18bb54p-12f); /* log2(erfc(c)) */
    p = with_sign(1.0f - ex2_ftz(p), x);
    return a > 1.0f ? p : erf_near(x); /* NaN, too */
}
SMWAVE_DEVICE float erfcf(float x)
{
    using namespace smwave_math;
    float a = size(x), r = erfc_positive(a);

    r = a < 0.5f ? 1.0f - erf_near(a) : r;
    return x != x ? x : x < 0.0f ? 2.0f - r : r;
}
SMWAVE_BOTH float erfcxf(float x)
{
    using namespace smwave_math;
    float a = size(x), r = erfcx_positive(a);

    if (x < 0.0f) {
        float z = mul(a, a), low = mad(a, a, -z), e = exp_scaled(z, 0);

        e = mad(e, low, e);
        r = a < 9.4f ? (e - r) + e : infinity_f();
    }
    return x == infinity_f() ? 0.0f : x != x ? x : r;
}
SMWAVE_BOTH float normcdff(float x)
{
    using namespace smwave_math;
    float c = least(most(x, -15.0f), 15.0f), y = mul(c, -0x1.6a09e6p-1f);
    float low = mad(c, -0x1.6a09e6p-1f, -y), a = size(y), r, s;

    low = mad(c, -0x1.9fcef4p-27f, low);
    s = mul(0.5f, erfcx_positive(a));
    s = y > 0.0f ? mad(mul(s, -2.0f), mul(y, low), s) : s;
    s = mul(exp_of_square(a), s);
    r = mad(erf_near(a), -0.5f, 0.5f);
    r = a < 0.5f ? r : s;
    return x != x ? x : y < 0.0f ? 1.0f - r : r;
}
SMWAVE_BOTH float erfinvf(float x)
{
    return (float)erfinv((double)x);
}
SMWAVE_BOTH float erfcinvf(float x)
{
    return (float)erfcinv((double)x);
}
SMWAVE_BOTH float normcdfinvf(float x)
{
    return (float)normcdfinv((double)x);
}

#endif
