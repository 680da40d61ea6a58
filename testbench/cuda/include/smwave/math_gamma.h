/*
 * math_gamma.h - the gamma function and the logarithm of its size, for double; float's
 * are these, rounded.
 */
#ifndef SMWAVE_MATH_GAMMA_H
#define SMWAVE_MATH_GAMMA_H

#include "smwave/math_double.h"

namespace smwave_math
{

/* x (log(Gamma(x)) - (x - 1/2) log(x) + x - log(2 pi)/2), z = 1/x^2, x >= 8 */
SMWAVE_INSIDE double stirling(double z)
{
    return poly(z, 0x1.5555555555555p-4, -0x1.6c16c16c16c17p-9, 0x1.a01a01a01a01ap-11,
                -0x1.38138138137fdp-11, 0x1.b951e2b17dc3dp-11, -0x1.f6ab0d56bf204p-10,
                0x1.a419fc3ab7be6p-8, -0x1.e40219b2ffa5ep-6, 0x1.6ac54378a4d32p-3,
                -0x1.17a3e18849323p+0);
}

/* log(Gamma(1 + t)), -0.3 <= t <= 1/2 */
SMWAVE_INSIDE double log_gamma_1(double t)
{
    return mad(t,
               poly(t, -0x1.2788cfc6fb619p-1, 0x1.a51a6625307d4p-1,
                    -0x1.9a4d55beab2f3p-2, 0x1.151322ac7d48fp-2, -0x1.a8b9c17aa17d8p-3,
                    0x1.5b40cb1056d37p-3, -0x1.2703a1df59437p-3, 0x1.010b369b6a5dbp-3,
                    -0x1.c8066f194c91ep-4, 0x1.9a01e8bba60adp-4, -0x1.748c67f993d8cp-4,
                    0x1.556a900e30c9cp-4, -0x1.3b18b8cc98975p-4, 0x1.24950136878d2p-4,
                    -0x1.1155b25575f50p-4, 0x1.0072b306844a6p-4, -0x1.de4664a0848bcp-5,
                    0x1.bb517f0298dbcp-5, -0x1.b43503888ed95p-5, 0x1.d98099d95d78cp-5,
                    -0x1.d1624d2f1687ep-5, 0x1.30750a6046e80p-5, -0x1.6be12696c9dffp-7),
               0.0);
}

/* log(Gamma(2 + t)), -1/2 <= t <= 1 */
SMWAVE_INSIDE double log_gamma_2(double t)
{
    return mad(t,
               poly(t, 0x1.b0ee6072093cep-2, 0x1.4a34cc4a60fa6p-2,
                    -0x1.13e001a5575fdp-4, 0x1.51322ac7d87d7p-6, -0x1.e404fc219310ep-8,
                    0x1.7add6ead6e2f2p-9, -0x1.38ac5c29a5e4bp-10, 0x1.0b36af9ac4c20p-11,
                    -0x1.d3fd4deee3f66p-13, 0x1.a127abf1a07a3p-14,
                    -0x1.78de1b10391f5p-15, 0x1.580de5056dfc0p-16,
                    -0x1.3cc2b2cb64d9ep-17, 0x1.25a2096292673p-18,
                    -0x1.116ae50b2c13bp-19, 0x1.feab843b817d5p-21,
                    -0x1.e3a27fc880d0ap-22, 0x1.daa516a1337e9p-23,
                    -0x1.cf31e04c8a545p-24, 0x1.7ec8d45bd1d10p-25,
                    -0x1.a9df52df1ce4bp-27, 0x1.c03347a0459cap-30),
               0.0);
}

SMWAVE_SLOW double log_gamma_positive(double x)
{
    double p, z;

    if (x < 0.5) {
        return log_gamma_1(x) - log(x);
    }
    if (x < 0.7) { /* Gamma(x) = Gamma(x + 2) / (x (x + 1)) */
        double y = x + 1.0;

        p = mul(x, y);
        z = mad(x, x - (y - 1.0), mad(x, y, -p)); /* p + z is x (x + 1) */
        return log_gamma_2(x) - mul(z, 2.0 - p) - log(p);
    }
    if (x < 1.5) {
        return log_gamma_1(x - 1.0);
    }
    if (x < 3.0) {
        return log_gamma_2(x - 2.0);
    }
    if (x < 8.0) {
        for (p = 1.0; x >= 3.0; p = mul(p, x)) {
            x = x - 1.0;
        }
        return log_gamma_2(x - 2.0) + log(p);
    }
    if (x > 0x1p60) {
        return mul(x, log(x) - 1.0);
    }
    z = quotient(1.0, x);
    p = mad(stirling(mul(z, z)), z, 0x1.d67f1c864beb5p-1); /* log(2 pi) / 2 */
    z = log(x);
    return mad(x - 0.5, z, p - x);
}

/* Gamma(x) = e^(the result + low), x >= 8 */
SMWAVE_INSIDE double log_gamma_twofold(double x, double &low)
{
    double l_low, l = log_twofold(x, l_low), y = x - 0.5, p = mul(y, l), r, z;

    z = quotient(1.0, x);
    low = mad(y, l_low, mad(y, l, -p));
    r = p - x;
    low = low + ((p - r) - x);
    z = mad(stirling(mul(z, z)), z, 0x1.d67f1c864beb5p-1);
    p = r + z;
    low = low + ((r - p) + z);
    return p;
}

/* Gamma(x), or 2^200 / Gamma(x), which may be too small for a double without; x > 0 */
SMWAVE_SLOW double gamma_positive(double x, bool inverted)
{
    double p = 1.0, r, low;
    int n;

    if (x >= 10.0) {
        x = least(x, 300.0);
        r = log_gamma_twofold(x, low);
        r = inverted ? -r : r;
        low = inverted ? -low : low;
        p = exp_reduce(r, n) + low;
        return scaled(exp_near(p), inverted ? n + 200 : n);
    }
    for (; x >= 2.0; p = mul(p, x)) {
        x = x - 1.0;
    }
    low = 1.0;
    if (x < 1.0) { /* Gamma(x) = Gamma(x + 1) / x */
        low = x;
        x = x + 1.0;
    }
    r = x - 1.5;
    r = poly(r, 0x1.c5bf891b4ef6bp-1, 0x1.08ea88ee5619cp-5, 0x1.a8c4dba620d58p-2,
             -0x1.b77ac1ca2dcabp-4, 0x1.283bd374eadabp-3, -0x1.3d88cfe56716ep-4,
             0x1.e022b743d0702p-5, -0x1.374fd5a85a843p-5, 0x1.a752c67eb605dp-6,
             -0x1.1a2c30f8def74p-6, 0x1.7991e760184a3p-7, -0x1.f7fa735e7333ep-8,
             0x1.504d6f0e1fffep-8, -0x1.c0c9137946e79p-9, 0x1.2b48ecb68cfadp-9,
             -0x1.8cf2aff0a8622p-10, 0x1.08a9773a0b118p-10, -0x1.74558a9281aefp-11,
             0x1.f076f989ef310p-12, -0x1.bbd59618e79efp-13, 0x1.27e540fa0105ep-13,
             -0x1.1123e91f561a5p-12, 0x1.6c3032e6c6f69p-13);
    r = mul(r, p);
    return inverted ? mul(quotient(low, r), 0x1p200) : quotient(r, low);
}

} /* namespace smwave_math */

SMWAVE_DEVICE double lgamma(double x)
{
    using namespace smwave_math;
    double a = size(x), r, s, p, low;

    if (!(a < infinity_d())) {
        return x != x ? x : infinity_d();
    }
    if (x > 0.0) {
        return log_gamma_positive(x);
    }
    if (x == whole(x)) {
        return infinity_d();
    }
    if (a < 0x1p-60) {
        return -log(a);
    }
    /* Gamma(x) Gamma(1 - x) = pi / sin(pi x); log(s + low) = log(s) + low / s */
    r = size(sinpi(a));
    p = mul(r, a);
    low = mad(r, a, -p);
    s = quotient(0x1.921fb54442d18p+1, p);
    low = mad(-s, p, 0x1.921fb54442d18p+1) + mad(-s, low, 0x1.1a62633145c07p-53);
    r = log_gamma_positive(a);
    return log(s) + (mul(low, 0x1.45f306dc9c883p-2) - r);
}

SMWAVE_DEVICE double tgamma(double x)
{
    using namespace smwave_math;
    double a = size(x), s;

    if (x > 0.0) {
        return x > 171.7 ? infinity_d() : gamma_positive(x, false);
    }
    if (x == 0.0) {
        return with_sign(infinity_d(), x);
    }
    if (x != x || x == whole(x)) {
        return nan_d();
    }
    if (a < 0x1p-60) {
        return quotient(1.0, x);
    }
    /* -pi / (a sin(pi a)) / Gamma(a) */
    s = quotient(-0x1.921fb54442d18p+1, mul(sinpi(a), a));
    return a > 190.0 ? with_sign(0.0, s)
                     : mul(mul(s, gamma_positive(a, true)), 0x1p-200);
}

SMWAVE_DEVICE float lgammaf(float x)
{
    return (float)lgamma((double)x);
}
SMWAVE_DEVICE float tgammaf(float x)
{
    return (float)tgamma((double)x);
}

#endif
