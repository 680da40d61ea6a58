/*
 * math_overloads.h - what C++ adds: the functions for float under the names of those
 * for double, for integers, and all of them in namespace std; min, max and abs.
 */
#ifndef SMWAVE_MATH_OVERLOADS_H
#define SMWAVE_MATH_OVERLOADS_H

#include "smwave/math_basic.h"
#include "smwave/math_bessel.h"
#include "smwave/math_double.h"
#include "smwave/math_error.h"
#include "smwave/math_float.h"
#include "smwave/math_gamma.h"

namespace smwave_math
{
/* double where T is a type of integers; else there is no such overload. */
template <class T> struct Integer {
};
template <> struct Integer<bool> {
    typedef double type;
};
template <> struct Integer<char> {
    typedef double type;
};
template <> struct Integer<signed char> {
    typedef double type;
};
template <> struct Integer<unsigned char> {
    typedef double type;
};
template <> struct Integer<short> {
    typedef double type;
};
template <> struct Integer<unsigned short> {
    typedef double type;
};
template <> struct Integer<int> {
    typedef double type;
};
template <> struct Integer<unsigned> {
    typedef double type;
};
template <> struct Integer<long> {
    typedef double type;
};
template <> struct Integer<unsigned long> {
    typedef double type;
};
template <> struct Integer<long long> {
    typedef double type;
};
template <> struct Integer<unsigned long long> {
    typedef double type;
};
/* The type in which two numbers of different types are computed. */
template <class T> struct Number : Integer<T> {
};
template <> struct Number<float> {
    typedef float type;
};
template <> struct Number<double> {
    typedef double type;
};
template <class A, class B, class P = typename Number<A>::type,
          class Q = typename Number<B>::type>
struct Common {
    typedef decltype((P)0 + (Q)0) type;
};
/* These two are functions, not templates. */
template <> struct Common<float, float> {
};
template <> struct Common<double, double> {
};
} /* namespace smwave_math */

#define SMWAVE_OVERLOAD1(how, name)                                                    \
    how float name(float x)                                                            \
    {                                                                                  \
        return name##f(x);                                                             \
    }                                                                                  \
    template <class T> SMWAVE_DEVICE typename smwave_math::Integer<T>::type name(T x)  \
    {                                                                                  \
        return name((double)x);                                                        \
    }
#define SMWAVE_OVERLOAD2(how, name)                                                    \
    how float name(float x, float y)                                                   \
    {                                                                                  \
        return name##f(x, y);                                                          \
    }                                                                                  \
    template <class A, class B>                                                        \
    SMWAVE_DEVICE typename smwave_math::Common<A, B>::type name(A x, B y)              \
    {                                                                                  \
        typedef typename smwave_math::Common<A, B>::type C;                            \
        return name((C)x, (C)y);                                                       \
    }
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, acos)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, acosh)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, asin)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, asinh)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, atan)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, atanh)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, cbrt)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, ceil)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, cos)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, cosh)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, erf)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, erfc)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, exp)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, exp2)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, expm1)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, fabs)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, floor)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, lgamma)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, log)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, log10)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, log1p)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, log2)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, logb)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, nearbyint)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, rint)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, round)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, sin)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, sinh)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, sqrt)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, tan)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, tanh)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, tgamma)
SMWAVE_OVERLOAD1(SMWAVE_DEVICE, trunc)
SMWAVE_OVERLOAD2(SMWAVE_DEVICE, atan2)
SMWAVE_OVERLOAD2(SMWAVE_DEVICE, copysign)
SMWAVE_OVERLOAD2(SMWAVE_DEVICE, fdim)
SMWAVE_OVERLOAD2(SMWAVE_DEVICE, fmax)
SMWAVE_OVERLOAD2(SMWAVE_DEVICE, fmin)
SMWAVE_OVERLOAD2(SMWAVE_DEVICE, fmod)
SMWAVE_OVERLOAD2(SMWAVE_DEVICE, hypot)
SMWAVE_OVERLOAD2(SMWAVE_DEVICE, nextafter)
SMWAVE_OVERLOAD2(SMWAVE_DEVICE, pow)
SMWAVE_OVERLOAD2(SMWAVE_DEVICE, remainder)
SMWAVE_SINCE_242 float rsqrt(float x)
{
    return rsqrtf(x);
}
SMWAVE_BOTH float rcbrt(float x)
{
    return rcbrtf(x);
}
SMWAVE_SINCE_241 float sinpi(float x)
{
    return sinpif(x);
}
SMWAVE_SINCE_241 float cospi(float x)
{
    return cospif(x);
}
SMWAVE_DEVICE float exp10(float x)
{
    return exp10f(x);
}
SMWAVE_BOTH float erfinv(float x)
{
    return erfinvf(x);
}
SMWAVE_BOTH float erfcinv(float x)
{
    return erfcinvf(x);
}
SMWAVE_BOTH float erfcx(float x)
{
    return erfcxf(x);
}
SMWAVE_BOTH float normcdf(float x)
{
    return normcdff(x);
}
SMWAVE_BOTH float normcdfinv(float x)
{
    return normcdfinvf(x);
}
SMWAVE_DEVICE float j0(float x)
{
    return j0f(x);
}
SMWAVE_DEVICE float j1(float x)
{
    return j1f(x);
}
SMWAVE_DEVICE float y0(float x)
{
    return y0f(x);
}
SMWAVE_DEVICE float y1(float x)
{
    return y1f(x);
}
SMWAVE_BOTH float cyl_bessel_i0(float x)
{
    return cyl_bessel_i0f(x);
}
SMWAVE_BOTH float cyl_bessel_i1(float x)
{
    return cyl_bessel_i1f(x);
}
SMWAVE_BOTH float rhypot(float x, float y)
{
    return rhypotf(x, y);
}

SMWAVE_DEVICE float fma(float a, float b, float c)
{
    return fmaf(a, b, c);
}
SMWAVE_DEVICE float frexp(float x, int *e)
{
    return frexpf(x, e);
}
SMWAVE_DEVICE float ldexp(float x, int n)
{
    return ldexpf(x, n);
}
SMWAVE_DEVICE float scalbn(float x, int n)
{
    return scalbnf(x, n);
}
SMWAVE_DEVICE float scalbln(float x, long n)
{
    return scalblnf(x, n);
}
SMWAVE_DEVICE float modf(float x, float *whole)
{
    return modff(x, whole);
}
SMWAVE_DEVICE float remquo(float x, float y, int *q)
{
    return remquof(x, y, q);
}
SMWAVE_DEVICE int ilogb(float x)
{
    return ilogbf(x);
}
SMWAVE_DEVICE long lrint(float x)
{
    return lrintf(x);
}
SMWAVE_DEVICE long lround(float x)
{
    return lroundf(x);
}
SMWAVE_DEVICE long long llrint(float x)
{
    return llrintf(x);
}
SMWAVE_DEVICE long long llround(float x)
{
    return llroundf(x);
}
SMWAVE_DEVICE void sincos(float x, float *s, float *c)
{
    sincosf(x, s, c);
}
SMWAVE_DEVICE void sincospi(float x, float *s, float *c)
{
    sincospif(x, s, c);
}
SMWAVE_DEVICE float jn(int n, float x)
{
    return jnf(n, x);
}
SMWAVE_DEVICE float yn(int n, float x)
{
    return ynf(n, x);
}

SMWAVE_DEVICE int abs(int x)
{
    return x < 0 ? -x : x;
}
SMWAVE_DEVICE long labs(long x)
{
    return x < 0 ? -x : x;
}
SMWAVE_DEVICE long long llabs(long long x)
{
    return x < 0 ? -x : x;
}
SMWAVE_DEVICE long abs(long x)
{
    return labs(x);
}
SMWAVE_DEVICE long long abs(long long x)
{
    return llabs(x);
}
SMWAVE_DEVICE float abs(float x)
{
    return fabsf(x);
}
SMWAVE_DEVICE double abs(double x)
{
    return fabs(x);
}

SMWAVE_BOTH int min(int a, int b)
{
    return b < a ? b : a;
}
SMWAVE_BOTH unsigned min(unsigned a, unsigned b)
{
    return b < a ? b : a;
}
SMWAVE_BOTH long min(long a, long b)
{
    return b < a ? b : a;
}
SMWAVE_BOTH unsigned long min(unsigned long a, unsigned long b)
{
    return b < a ? b : a;
}
SMWAVE_BOTH long long min(long long a, long long b)
{
    return b < a ? b : a;
}
SMWAVE_BOTH unsigned long long min(unsigned long long a, unsigned long long b)
{
    return b < a ? b : a;
}
SMWAVE_BOTH unsigned min(int a, unsigned b)
{
    return min((unsigned)a, b);
}
SMWAVE_BOTH unsigned min(unsigned a, int b)
{
    return min(a, (unsigned)b);
}
SMWAVE_BOTH unsigned long min(long a, unsigned long b)
{
    return min((unsigned long)a, b);
}
SMWAVE_BOTH unsigned long min(unsigned long a, long b)
{
    return min(a, (unsigned long)b);
}
SMWAVE_BOTH unsigned long long min(long long a, unsigned long long b)
{
    return min((unsigned long long)a, b);
}
SMWAVE_BOTH unsigned long long min(unsigned long long a, long long b)
{
    return min(a, (unsigned long long)b);
}
SMWAVE_BOTH float min(float a, float b)
{
    return __builtin_fminf(a, b);
}
SMWAVE_BOTH double min(double a, double b)
{
    return __builtin_fmin(a, b);
}
SMWAVE_BOTH double min(float a, double b)
{
    return min((double)a, b);
}
SMWAVE_BOTH double min(double a, float b)
{
    return min(a, (double)b);
}
SMWAVE_BOTH unsigned umin(unsigned a, unsigned b)
{
    return min(a, b);
}
SMWAVE_BOTH long long llmin(long long a, long long b)
{
    return min(a, b);
}
SMWAVE_BOTH unsigned long long ullmin(unsigned long long a, unsigned long long b)
{
    return min(a, b);
}
SMWAVE_BOTH int max(int a, int b)
{
    return a < b ? b : a;
}
SMWAVE_BOTH unsigned max(unsigned a, unsigned b)
{
    return a < b ? b : a;
}
SMWAVE_BOTH long max(long a, long b)
{
    return a < b ? b : a;
}
SMWAVE_BOTH unsigned long max(unsigned long a, unsigned long b)
{
    return a < b ? b : a;
}
SMWAVE_BOTH long long max(long long a, long long b)
{
    return a < b ? b : a;
}
SMWAVE_BOTH unsigned long long max(unsigned long long a, unsigned long long b)
{
    return a < b ? b : a;
}
SMWAVE_BOTH unsigned max(int a, unsigned b)
{
    return max((unsigned)a, b);
}
SMWAVE_BOTH unsigned max(unsigned a, int b)
{
    return max(a, (unsigned)b);
}
SMWAVE_BOTH unsigned long max(long a, unsigned long b)
{
    return max((unsigned long)a, b);
}
SMWAVE_BOTH unsigned long max(unsigned long a, long b)
{
    return max(a, (unsigned long)b);
}
SMWAVE_BOTH unsigned long long max(long long a, unsigned long long b)
{
    return max((unsigned long long)a, b);
}
SMWAVE_BOTH unsigned long long max(unsigned long long a, long long b)
{
    return max(a, (unsigned long long)b);
}
SMWAVE_BOTH float max(float a, float b)
{
    return __builtin_fmaxf(a, b);
}
SMWAVE_BOTH double max(double a, double b)
{
    return __builtin_fmax(a, b);
}
SMWAVE_BOTH double max(float a, double b)
{
    return max((double)a, b);
}
SMWAVE_BOTH double max(double a, float b)
{
    return max(a, (double)b);
}
SMWAVE_BOTH unsigned umax(unsigned a, unsigned b)
{
    return max(a, b);
}
SMWAVE_BOTH long long llmax(long long a, long long b)
{
    return max(a, b);
}
SMWAVE_BOTH unsigned long long ullmax(unsigned long long a, unsigned long long b)
{
    return max(a, b);
}

namespace std
{
using ::abs;
using ::acos;
using ::acosf;
using ::acosh;
using ::acoshf;
using ::asin;
using ::asinf;
using ::asinh;
using ::asinhf;
using ::atan;
using ::atan2;
using ::atan2f;
using ::atanf;
using ::atanh;
using ::atanhf;
using ::cbrt;
using ::cbrtf;
using ::ceil;
using ::ceilf;
using ::copysign;
using ::copysignf;
using ::cos;
using ::cosf;
using ::cosh;
using ::coshf;
using ::erf;
using ::erfc;
using ::erfcf;
using ::erff;
using ::exp;
using ::exp2;
using ::exp2f;
using ::expf;
using ::expm1;
using ::expm1f;
using ::fabs;
using ::fabsf;
using ::fdim;
using ::fdimf;
using ::floor;
using ::floorf;
using ::fma;
using ::fmaf;
using ::fmax;
using ::fmaxf;
using ::fmin;
using ::fminf;
using ::fmod;
using ::fmodf;
using ::frexp;
using ::frexpf;
using ::hypot;
using ::hypotf;
using ::ilogb;
using ::ilogbf;
using ::labs;
using ::ldexp;
using ::ldexpf;
using ::lgamma;
using ::lgammaf;
using ::llabs;
using ::llrint;
using ::llrintf;
using ::llround;
using ::llroundf;
using ::log;
using ::log10;
using ::log10f;
using ::log1p;
using ::log1pf;
using ::log2;
using ::log2f;
using ::logb;
using ::logbf;
using ::logf;
using ::lrint;
using ::lrintf;
using ::lround;
using ::lroundf;
using ::modf;
using ::modff;
using ::nan;
using ::nanf;
using ::nearbyint;
using ::nearbyintf;
using ::nextafter;
using ::nextafterf;
using ::pow;
using ::powf;
using ::remainder;
using ::remainderf;
using ::remquo;
using ::remquof;
using ::rint;
using ::rintf;
using ::round;
using ::roundf;
using ::scalbln;
using ::scalblnf;
using ::scalbn;
using ::scalbnf;
using ::sin;
using ::sinf;
using ::sinh;
using ::sinhf;
using ::sqrt;
using ::sqrtf;
using ::tan;
using ::tanf;
using ::tanh;
using ::tanhf;
using ::tgamma;
using ::tgammaf;
using ::trunc;
using ::truncf;
} /* namespace std */

#endif
