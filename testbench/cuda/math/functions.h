/*
 * functions.h - what is measured: X(name, type, arguments, reference), reference an
 * expression that sets r from x (and y, z, w) in MPFR numbers.
 */
#define BOTH_TYPES(X, name, n, ref) X(name##f, float, n, ref) X(name, double, n, ref)
#define MATH_FUNCTIONS(X)                                                              \
    BOTH_TYPES(X, sin, 1, mpfr_sin(r, x, RN))                                          \
    BOTH_TYPES(X, cos, 1, mpfr_cos(r, x, RN))                                          \
    BOTH_TYPES(X, tan, 1, mpfr_tan(r, x, RN))                                          \
    BOTH_TYPES(X, sinpi, 1, mpfr_sinpi(r, x, RN))                                      \
    BOTH_TYPES(X, cospi, 1, mpfr_cospi(r, x, RN))                                      \
    BOTH_TYPES(X, asin, 1, mpfr_asin(r, x, RN))                                        \
    BOTH_TYPES(X, acos, 1, mpfr_acos(r, x, RN))                                        \
    BOTH_TYPES(X, atan, 1, mpfr_atan(r, x, RN))                                        \
    BOTH_TYPES(X, atan2, 2, mpfr_atan2(r, x, y, RN))                                   \
    BOTH_TYPES(X, sinh, 1, mpfr_sinh(r, x, RN))                                        \
    BOTH_TYPES(X, cosh, 1, mpfr_cosh(r, x, RN))                                        \
    BOTH_TYPES(X, tanh, 1, mpfr_tanh(r, x, RN))                                        \
    BOTH_TYPES(X, asinh, 1, mpfr_asinh(r, x, RN))                                      \
    BOTH_TYPES(X, acosh, 1, mpfr_acosh(r, x, RN))                                      \
    BOTH_TYPES(X, atanh, 1, mpfr_atanh(r, x, RN))                                      \
    BOTH_TYPES(X, exp, 1, mpfr_exp(r, x, RN))                                          \
    BOTH_TYPES(X, exp2, 1, mpfr_exp2(r, x, RN))                                        \
    BOTH_TYPES(X, exp10, 1, mpfr_exp10(r, x, RN))                                      \
    BOTH_TYPES(X, expm1, 1, mpfr_expm1(r, x, RN))                                      \
    BOTH_TYPES(X, log, 1, mpfr_log(r, x, RN))                                          \
    BOTH_TYPES(X, log2, 1, mpfr_log2(r, x, RN))                                        \
    BOTH_TYPES(X, log10, 1, mpfr_log10(r, x, RN))                                      \
    BOTH_TYPES(X, log1p, 1, mpfr_log1p(r, x, RN))                                      \
    BOTH_TYPES(X, pow, 2, mpfr_pow(r, x, y, RN))                                       \
    BOTH_TYPES(X, sqrt, 1, mpfr_sqrt(r, x, RN))                                        \
    BOTH_TYPES(X, rsqrt, 1, rec_sqrt(r, x))                                            \
    BOTH_TYPES(X, cbrt, 1, mpfr_cbrt(r, x, RN))                                        \
    BOTH_TYPES(X, rcbrt, 1, (mpfr_cbrt(r, x, RN), mpfr_ui_div(r, 1, r, RN)))           \
    BOTH_TYPES(X, hypot, 2, mpfr_hypot(r, x, y, RN))                                   \
    BOTH_TYPES(X, rhypot, 2, (mpfr_hypot(r, x, y, RN), mpfr_ui_div(r, 1, r, RN)))      \
    BOTH_TYPES(X, erf, 1, mpfr_erf(r, x, RN))                                          \
    BOTH_TYPES(X, erfc, 1, mpfr_erfc(r, x, RN))                                        \
    BOTH_TYPES(X, erfcx, 1, erfcx(r, x, t))                                            \
    BOTH_TYPES(X, normcdf, 1, normcdf(r, x, t))                                        \
    BOTH_TYPES(X, erfinv, 1, erfinv(r, x))                                             \
    BOTH_TYPES(X, erfcinv, 1, erfcinv(r, x))                                           \
    BOTH_TYPES(X, normcdfinv, 1, normcdfinv(r, x))                                     \
    BOTH_TYPES(X, lgamma, 1, mpfr_lgamma(r, &sign, x, RN))                             \
    BOTH_TYPES(X, tgamma, 1, mpfr_gamma(r, x, RN))                                     \
    BOTH_TYPES(X, j0, 1, mpfr_j0(r, x, RN))                                            \
    BOTH_TYPES(X, j1, 1, odd_order(r, 1, x))                                           \
    BOTH_TYPES(X, y0, 1, mpfr_y0(r, x, RN))                                            \
    BOTH_TYPES(X, y1, 1, mpfr_y1(r, x, RN))                                            \
    BOTH_TYPES(X, jn3, 1, odd_order(r, 3, x))                                          \
    X(jn20, double, 1, mpfr_jn(r, 20, x, RN))                                          \
    BOTH_TYPES(X, yn3, 1, mpfr_yn(r, 3, x, RN))                                        \
    BOTH_TYPES(X, cyl_bessel_i0, 1, bessel_i(r, x, 0))                                 \
    BOTH_TYPES(X, cyl_bessel_i1, 1, bessel_i(r, x, 1))                                 \
    BOTH_TYPES(X, fmod, 2, mpfr_fmod(r, x, y, RN))                                     \
    BOTH_TYPES(X, remainder, 2, mpfr_remainder(r, x, y, RN))                           \
    X(norm3df, float, 3, norm(r, t, x, y, z, w, 3, false))                             \
    X(norm3d, double, 3, norm(r, t, x, y, z, w, 3, false))                             \
    X(rnorm3df, float, 3, norm(r, t, x, y, z, w, 3, true))                             \
    X(rnorm3d, double, 3, norm(r, t, x, y, z, w, 3, true))                             \
    X(norm4df, float, 4, norm(r, t, x, y, z, w, 4, false))                             \
    X(norm4d, double, 4, norm(r, t, x, y, z, w, 4, false))                             \
    X(rnorm4df, float, 4, norm(r, t, x, y, z, w, 4, true))                             \
    X(rnorm4d, double, 4, norm(r, t, x, y, z, w, 4, true))                             \
    X(half_sum, float, 2, (digits(x, 11), digits(y, 11), mpfr_add(r, x, y, RN)))       \
    X(half_product, float, 2, (digits(x, 11), digits(y, 11), mpfr_mul(r, x, y, RN)))   \
    X(half_fma, float, 3,                                                              \
      (digits(x, 11), digits(y, 11), digits(z, 11), mpfr_fma(r, x, y, z, RN)))         \
    X(bfloat16_fma, float, 3,                                                          \
      (digits(x, 8), digits(y, 8), digits(z, 8), mpfr_fma(r, x, y, z, RN)))
