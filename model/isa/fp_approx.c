#include "isa/fp.h"
#include "isa/fp_priv.h"

/*
 * The approximations are computed in double to far more than the accuracy PTX asks for
 * and rounded once, so that they are the nearest float in nearly all cases. Only IEEE
 * + - * / and conversions are used: the same bits with every compiler.
 */

/* c[0] + c[1] x + ... + c[n - 1] x^(n - 1) */
static double poly(const double *c, uint32_t n, double x)
{
    double r = c[n - 1];

    for (uint32_t i = n - 1; i > 0; i--) {
        r = r * x + c[i - 1];
    }
    return r;
}

/* 2^n for a normal double: -1022 <= n <= 1023. */
static double pow2(int32_t n)
{
    return bits_f64((uint64_t)(n + 1023) << 52);
}

static uint32_t nearest(double d, bool ftz)
{
    return fp32_from_double(d, ISA_R_RN, ftz);
}

/* a = m * 4^k with m in [1, 4); a positive and finite. */
static double split4(uint32_t a, int32_t *k)
{
    struct fp_parts p = fp_unpack(a, FP_F32);
    int32_t e = p.e + 23;

    *k = (e - (e & 1)) / 2;
    return (double)p.sig * ((e & 1) != 0 ? 0x1p-22 : 0x1p-23);
}

uint32_t fp32_rcp_approx(uint32_t a, bool ftz)
{
    return fp32_rcp(a, ISA_R_RN, ftz);
}

uint32_t fp32_sqrt_approx(uint32_t a, bool ftz)
{
    int32_t k;
    double m;

    a = fp32_flush(a, ftz);
    if ((a & ~FP32_SIGN) == 0 || a == FP32_INF) {
        return a;
    }
    if (a > FP32_INF) {
        return FP32_NAN;
    }
    m = split4(a, &k);
    return nearest(m * fp_rsqrt_estimate(m) * pow2(k), ftz);
}

uint32_t fp32_rsqrt_approx(uint32_t a, bool ftz)
{
    int32_t k;
    double m;

    a = fp32_flush(a, ftz);
    if ((a & ~FP32_SIGN) == 0) {
        return a | FP32_INF;
    }
    if (a >= FP32_INF) {
        return a == FP32_INF ? 0 : FP32_NAN;
    }
    m = split4(a, &k);
    return nearest(fp_rsqrt_estimate(m) * pow2(-k), ftz);
}

/* 2/pi, most significant word first: the bits that arguments up to 2^128 can reach. */
static const uint32_t two_over_pi[] = {0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
                                       0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561};

#define PI_HALF   0x1.921fb54442d18p+0
#define PI_FOURTH 0x1.921fb54442d18p-1

/*
 * |x| = q * pi/2 + r, |r| <= pi/4; gives r and q mod 4. x = sig * 2^e; with the bits of
 * 2/pi that only add multiples of 4 left away, 96 bits from there on leave an error
 * below 2^-64 quarter turns, where no float comes nearer to a multiple of pi/2 than
 * 2^-30.
 */
static double reduce(uint32_t a, uint32_t *q)
{
    struct fp_parts p = fp_unpack(a, FP_F32);
    uint32_t skip, w, s;
    int32_t point;
    fp_u128 t;
    uint64_t frac;

    if (bits_f32(a & ~FP32_SIGN) < (float)PI_FOURTH) {
        *q = 0;
        return (double)bits_f32(a & ~FP32_SIGN);
    }
    skip = p.e > 2 ? (uint32_t)p.e - 2 : 0;
    point = 96 + (int32_t)skip - p.e; /* of t, in bits; p.e >= -24 here */
    w = skip / 32;
    s = skip % 32;
    t = (fp_u128)two_over_pi[w] << 96 | (fp_u128)two_over_pi[w + 1] << 64 |
        (fp_u128)two_over_pi[w + 2] << 32 | two_over_pi[w + 3];
    t = (t << s >> 32) * p.sig;
    frac = (uint64_t)(t << (128 - point) >> 64);
    *q = (uint32_t)(t >> point) + (uint32_t)(frac >> 63); /* to the nearest multiple */
    return (double)(int64_t)frac * 0x1p-64 * PI_HALF;
}

/* Taylor coefficients in r^2; the first term left out is below 2^-50 at pi/4. */
static const double sin_coef[] = {
    1.0,          -1.0 / 6,        1.0 / 120,         -1.0 / 5040,
    1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800.0};
static const double cos_coef[] = {
    1.0,         -1.0 / 2,       1.0 / 24,        -1.0 / 720,
    1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600, -1.0 / 87178291200.0};

/* sin(|a| + turn * pi/2) */
static double sine(uint32_t a, uint32_t turn)
{
    uint32_t q;
    double r = reduce(a, &q);
    double v;

    q += turn;
    v = (q & 1) != 0 ? poly(cos_coef, 8, r * r) : r * poly(sin_coef, 7, r * r);
    return (q & 2) != 0 ? -v : v;
}

uint32_t fp32_sin_approx(uint32_t a, bool ftz)
{
    double v;

    a = fp32_flush(a, ftz);
    if ((a & FP32_INF) == FP32_INF) {
        return FP32_NAN;
    }
    if ((a & ~FP32_SIGN) == 0) {
        return a;
    }
    v = sine(a, 0);
    return nearest((a & FP32_SIGN) != 0 ? -v : v, ftz);
}

uint32_t fp32_cos_approx(uint32_t a, bool ftz)
{
    a = fp32_flush(a, ftz);
    if ((a & FP32_INF) == FP32_INF) {
        return FP32_NAN;
    }
    return (a & ~FP32_SIGN) == 0 ? FP32_ONE : nearest(sine(a, 1), ftz);
}

#define LN2 0x1.62e42fefa39efp-1

static const double exp_coef[] = {1.0,
                                  1.0,
                                  1.0 / 2,
                                  1.0 / 6,
                                  1.0 / 24,
                                  1.0 / 120,
                                  1.0 / 720,
                                  1.0 / 5040,
                                  1.0 / 40320,
                                  1.0 / 362880,
                                  1.0 / 3628800,
                                  1.0 / 39916800,
                                  1.0 / 479001600};

/* 2^x, |x| <= 1000 */
static double exp2_double(double x)
{
    int32_t n = (int32_t)(x < 0 ? x - 0.5 : x + 0.5);

    return poly(exp_coef, 13, (x - n) * LN2) * pow2(n);
}

uint32_t fp32_ex2_approx(uint32_t a, bool ftz)
{
    float x;

    a = fp32_flush(a, ftz);
    x = bits_f32(a);
    if (fp32_is_nan(a)) {
        return FP32_NAN;
    }
    if (x >= 128) {
        return FP32_INF;
    }
    return x <= -150 ? 0 : nearest(exp2_double((double)x), ftz);
}

/* 1 / (2k + 1): ln(m) = 2 (s + s^3/3 + s^5/5 ...), s = (m - 1) / (m + 1) */
static const double log_coef[] = {1.0,      1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,
                                  1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19};

uint32_t fp32_lg2_approx(uint32_t a, bool ftz)
{
    struct fp_parts p;
    int32_t e;
    double m, s;

    a = fp32_flush(a, ftz);
    if ((a & ~FP32_SIGN) == 0) {
        return FP32_SIGN | FP32_INF;
    }
    if (a >= FP32_INF) {
        return a == FP32_INF ? a : FP32_NAN;
    }
    p = fp_unpack(a, FP_F32);
    e = p.e + 23;
    m = (double)p.sig * 0x1p-23;
    if (m > 0x1.6a09e6p+0) { /* about sqrt(2): |s| stays below 0.172 */
        m *= 0.5;
        e++;
    }
    s = (m - 1) / (m + 1);
    return nearest(e + s * poly(log_coef, 10, s * s) * (2 / LN2), ftz);
}

uint32_t fp32_tanh_approx(uint32_t a)
{
    double x = (double)bits_f32(a & ~FP32_SIGN);
    double t;

    if (fp32_is_nan(a)) {
        return FP32_NAN;
    }
    if (x > 16) { /* 1 - 2^-45 and up */
        return FP32_ONE | (a & FP32_SIGN);
    }
    if (x < 0x1p-10) {
        t = x - x * x * x / 3;
    } else {
        t = exp2_double(x * (2 / LN2));
        t = (t - 1) / (t + 1);
    }
    return bits_of_f32((float)t) | (a & FP32_SIGN);
}

uint32_t fp32_div_approx(uint32_t a, uint32_t b, bool ftz)
{
    uint32_t mag = b & ~FP32_SIGN;

    /* The reciprocal of |b| above 2^126 counts as zero: 0 * a. */
    if (mag > 0x7e800000u && mag < FP32_INF) {
        return fp32_mul(a, b & FP32_SIGN, ISA_R_RN, ftz);
    }
    return fp32_div(a, b, ISA_R_RN, ftz);
}

uint32_t fp32_div_full(uint32_t a, uint32_t b, bool ftz)
{
    return fp32_div(a, b, ISA_R_RN, ftz);
}

/* The NaN of the f64 approximations that flush. */
#define APPROX64_NAN 0x7fffffff00000000ull

/* The upper word alone counts (1.11.20 bits), subnormals as zeros of the same sign. */
static uint64_t upper_word(uint64_t a)
{
    return (a & FP64_INF) == 0 ? a & FP64_SIGN : a & 0xffffffff00000000ull;
}

static uint64_t round_to_upper_word(double d)
{
    return upper_word(bits_of_f64(d) + 0x80000000u);
}

uint64_t fp64_rcp_approx_ftz(uint64_t a)
{
    a = upper_word(a);
    if (fp64_is_nan(a)) {
        return APPROX64_NAN;
    }
    if ((a & ~FP64_SIGN) == 0) {
        return a | FP64_INF;
    }
    return round_to_upper_word(1 / bits_f64(a));
}

uint64_t fp64_rsqrt_approx(uint64_t a, bool ftz)
{
    double r;

    a = ftz ? upper_word(a) : a;
    if (fp64_is_nan(a)) {
        return ftz ? APPROX64_NAN : a | FP64_QUIET;
    }
    if ((a & ~FP64_SIGN) == 0) {
        return a | FP64_INF;
    }
    if (a == FP64_INF) {
        return 0;
    }
    if (a > FP64_INF) {
        return ftz ? APPROX64_NAN : FP64_NAN;
    }
    r = 1 / bits_f64(fp64_sqrt_positive(a, ISA_R_RN));
    return ftz ? round_to_upper_word(r) : bits_of_f64(r);
}
