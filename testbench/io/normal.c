/*
 * The rational approximation of P. J. Acklam ("An algorithm for computing the inverse
 * normal cumulative distribution function", 2003), of relative error 1.15e-9.
 */
#include "io/normal.h"

#include <math.h>

static double polynomial(const double *c, int n, double x)
{
    double v = c[0];

    for (int i = 1; i < n; i++) {
        v = v * x + c[i];
    }
    return v;
}

/* The natural logarithm of x, above 0: of its power of two, and of what is left by the
 * series of the area tangent. */
static double logarithm(double x)
{
    int e;
    double m = frexp(x, &e), s, square, sum = 0;

    if (m < 0.70710678118654752) {
        m = 2 * m;
        e--;
    }
    s = (m - 1) / (m + 1);
    square = s * s;
    for (int k = 23; k > 0; k -= 2) {
        sum = sum * square + 1.0 / k;
    }
    return 2 * s * sum + e * 0.69314718055994531;
}

/* Below the middle part: p is small. */
static double tail(double p)
{
    static const double c[] = {-7.784894002430293e-03, -3.223964580411365e-01,
                               -2.400758277161838e+00, -2.549732539343734e+00,
                               4.374664141464968e+00,  2.938163982698783e+00};
    static const double d[] = {7.784695709041462e-03, 3.224671290700398e-01,
                               2.445134137142996e+00, 3.754408661907416e+00, 1};
    const double q = sqrt(-2 * logarithm(p));

    return polynomial(c, 6, q) / polynomial(d, 5, q);
}

double normal_quantile(double p)
{
    static const double a[] = {-3.969683028665376e+01, 2.209460984245205e+02,
                               -2.759285104469687e+02, 1.383577518672690e+02,
                               -3.066479806614716e+01, 2.506628277459239e+00};
    static const double b[] = {-5.447609879822406e+01, 1.615858368580409e+02,
                               -1.556989798598866e+02, 6.680131188771972e+01,
                               -1.328068155288572e+01, 1};
    static const double low = 0.02425;
    const double q = p - 0.5, r = q * q;

    if (p < low) {
        return tail(p);
    }
    if (p > 1 - low) {
        return -tail(1 - p);
    }
    return polynomial(a, 6, r) * q / polynomial(b, 6, r);
}
