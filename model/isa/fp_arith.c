#include "isa/fp.h"
#include "isa/fp_priv.h"

/*
 * f32. A double holds any product of two floats exactly, and 53 >= 2 * 24 + 2 bits make
 * a second rounding of a quotient harmless in every mode: no quotient of 24-bit
 * operands comes within 2^-49 (relative) of a 24-bit value or of the middle between two
 * without being one. Sums are rounded to odd first, which keeps all that the second
 * rounding needs to know.
 */

/* x + y, the error of the sum folded into its last bit. x, y and x + y are finite. */
static double sum_to_odd(double x, double y)
{
    double s = x + y;
    double t = s - x;
    double err = (x - (s - t)) + (y - t);
    uint64_t bits = bits_of_f64(s);

    if (err == 0 || (bits & 1) != 0) {
        return s;
    }
    return bits_f64((err > 0) == (s > 0) ? bits + 1 : bits - 1);
}

/* x + y to f32, x and y exact; the sign of a zero sum obeys rm. */
static uint32_t sum_to_f32(double x, double y, enum isa_round rm, bool ftz)
{
    double s = x + y;

    if (s == 0) {
        uint64_t any = bits_of_f64(x) | bits_of_f64(y);

        return rm == ISA_R_RM ? (uint32_t)(any >> 32) & FP32_SIGN
                              : (uint32_t)(bits_of_f64(s) >> 32);
    }
    if ((bits_of_f64(s) & FP64_INF) == FP64_INF) {
        return s != s ? FP32_NAN : bits_of_f32((float)s);
    }
    return fp32_from_double(sum_to_odd(x, y), rm, ftz);
}

uint32_t fp32_add(uint32_t a, uint32_t b, enum isa_round rm, bool ftz)
{
    a = fp32_flush(a, ftz);
    b = fp32_flush(b, ftz);
    if (rm == ISA_R_RN || rm == ISA_R_NONE) {
        uint32_t r = bits_of_f32(bits_f32(a) + bits_f32(b));

        /* A sum in the subnormal range is exact: it is flushed by what it is. */
        return fp32_is_nan(r) ? FP32_NAN : fp32_flush(r, ftz);
    }
    return sum_to_f32((double)bits_f32(a), (double)bits_f32(b), rm, ftz);
}

uint32_t fp32_mul(uint32_t a, uint32_t b, enum isa_round rm, bool ftz)
{
    a = fp32_flush(a, ftz);
    b = fp32_flush(b, ftz);
    return fp32_from_double((double)bits_f32(a) * (double)bits_f32(b), rm, ftz);
}

uint32_t fp32_fma(uint32_t a, uint32_t b, uint32_t c, enum isa_round rm, bool ftz)
{
    a = fp32_flush(a, ftz);
    b = fp32_flush(b, ftz);
    c = fp32_flush(c, ftz);
    return sum_to_f32((double)bits_f32(a) * (double)bits_f32(b), (double)bits_f32(c),
                      rm, ftz);
}

uint32_t fp32_div(uint32_t a, uint32_t b, enum isa_round rm, bool ftz)
{
    a = fp32_flush(a, ftz);
    b = fp32_flush(b, ftz);
    return fp32_from_double((double)bits_f32(a) / (double)bits_f32(b), rm, ftz);
}

uint32_t fp32_rcp(uint32_t a, enum isa_round rm, bool ftz)
{
    return fp32_div(FP32_ONE, a, rm, ftz);
}

uint32_t fp32_sqrt(uint32_t a, enum isa_round rm, bool ftz)
{
    struct fp_parts x;
    uint64_t n, r;
    int32_t odd;
    double m;

    a = fp32_flush(a, ftz);
    if ((a & ~FP32_SIGN) == 0 || a == FP32_INF) {
        return a;
    }
    if (a > FP32_INF) {
        return FP32_NAN;
    }
    x = fp_unpack(a, FP_F32);
    odd = x.e & 1;
    n = x.sig << (26 + odd); /* the root of n has 25 or 26 bits; no result is tiny */
    m = (double)(x.sig << odd) * 0x1p-23;
    r = (uint64_t)(m * fp_rsqrt_estimate(m) * 0x1.6a09e667f3bcdp+24);
    while (r * r > n) {
        r--;
    }
    while ((r + 1) * (r + 1) <= n) {
        r++;
    }
    return (uint32_t)fp_round(false, (x.e - odd - 26) / 2 - 1, r << 1 | (r * r != n),
                              FP_F32, rm);
}

uint32_t fp32_saturate(uint32_t a)
{
    if (fp32_is_nan(a) || (a & FP32_SIGN) != 0) {
        return 0;
    }
    return a > FP32_ONE ? FP32_ONE : a;
}

/*
 * f64. A NaN operand, made quiet, is the result. Of several the hardware takes b, then
 * c, then a; division takes its first.
 */

/* The first NaN of the two. */
static bool nan2(uint64_t a, uint64_t b, uint64_t *r)
{
    if (fp64_is_nan(a)) {
        *r = a | FP64_QUIET;
        return true;
    }
    if (fp64_is_nan(b)) {
        *r = b | FP64_QUIET;
        return true;
    }
    return false;
}

static bool is_inf(uint64_t a)
{
    return (a & ~FP64_SIGN) == FP64_INF;
}

static bool is_zero(uint64_t a)
{
    return (a & ~FP64_SIGN) == 0;
}

/* A host result that no NaN operand went into. */
static uint64_t finish(double d)
{
    return d != d ? FP64_NAN : bits_of_f64(d);
}

/* v >> n, what is lost kept as the lowest bit. */
static fp_u128 shift_right_jam(fp_u128 v, int32_t n)
{
    if (n >= 128) {
        return v != 0;
    }
    return n == 0 ? v : v >> n | (v << (128 - n) != 0);
}

/* x + y for finite non-zero significands of 126 bits or fewer, the larger one in bits
 * 124 or 125, x scaled by 2^ex and y by 2^ey. */
static uint64_t add_rounded(bool sx, int32_t ex, fp_u128 x, bool sy, int32_t ey,
                            fp_u128 y, enum isa_round rm)
{
    int32_t e = ex > ey ? ex : ey;

    x = shift_right_jam(x, e - ex);
    y = shift_right_jam(y, e - ey);
    if (sx == sy) {
        return fp_round128(sx, e, x + y, FP_F64, rm);
    }
    if (x == y) {
        return rm == ISA_R_RM ? FP64_SIGN : 0;
    }
    return x > y ? fp_round128(sx, e, x - y, FP_F64, rm)
                 : fp_round128(sy, e, y - x, FP_F64, rm);
}

/* a * b + c, all finite, a and b not zero. The product takes bits 0 to 105; 20 more to
 * the left, and c 73 to the left, put both tops at bit 124 or 125, so that bits are
 * lost only where the exponents are too far apart for cancellation. */
static uint64_t fma_finite(uint64_t a, uint64_t b, uint64_t c, enum isa_round rm)
{
    struct fp_parts x = fp_unpack(a, FP_F64), y = fp_unpack(b, FP_F64), z;
    fp_u128 p = (fp_u128)x.sig * y.sig;
    bool sp = x.sign != y.sign;

    if (is_zero(c)) {
        return fp_round128(sp, x.e + y.e, p, FP_F64, rm);
    }
    z = fp_unpack(c, FP_F64);
    return add_rounded(sp, x.e + y.e - 20, p << 20, z.sign, z.e - 73,
                       (fp_u128)z.sig << 73, rm);
}

uint64_t fp64_fma(uint64_t a, uint64_t b, uint64_t c, enum isa_round rm)
{
    uint64_t sp = (a ^ b) & FP64_SIGN;
    uint64_t r;

    if (nan2(b, c, &r) || nan2(a, a, &r)) {
        return r;
    }
    if (is_inf(a) || is_inf(b)) {
        bool invalid = is_zero(a) || is_zero(b);

        invalid = invalid || (is_inf(c) && (c & FP64_SIGN) != sp);
        return invalid ? FP64_NAN : sp | FP64_INF;
    }
    if (is_inf(c)) {
        return c;
    }
    if (is_zero(a) || is_zero(b)) {
        if (!is_zero(c) || sp == (c & FP64_SIGN)) {
            return c;
        }
        return rm == ISA_R_RM ? FP64_SIGN : 0;
    }
    return fma_finite(a, b, c, rm);
}

uint64_t fp64_add(uint64_t a, uint64_t b, enum isa_round rm)
{
    uint64_t r;

    if (nan2(b, a, &r)) {
        return r;
    }
    if (rm == ISA_R_RN || rm == ISA_R_NONE) {
        return finish(bits_f64(a) + bits_f64(b));
    }
    return fp64_fma(a, FP64_ONE, b, rm);
}

uint64_t fp64_mul(uint64_t a, uint64_t b, enum isa_round rm)
{
    struct fp_parts x, y;
    uint64_t r;

    if (nan2(b, a, &r)) {
        return r;
    }
    if (rm == ISA_R_RN || rm == ISA_R_NONE || is_zero(a) || is_zero(b) || is_inf(a) ||
        is_inf(b)) {
        return finish(bits_f64(a) * bits_f64(b));
    }
    x = fp_unpack(a, FP_F64);
    y = fp_unpack(b, FP_F64);
    return fp_round128(x.sign != y.sign, x.e + y.e, (fp_u128)x.sig * y.sig, FP_F64, rm);
}

uint64_t fp64_div(uint64_t a, uint64_t b, enum isa_round rm)
{
    struct fp_parts x, y;
    fp_u128 n;
    uint64_t r, q;

    if (nan2(a, b, &r)) {
        return r;
    }
    if (rm == ISA_R_RN || rm == ISA_R_NONE || is_zero(a) || is_zero(b) || is_inf(a) ||
        is_inf(b)) {
        return finish(bits_f64(a) / bits_f64(b));
    }
    x = fp_unpack(a, FP_F64);
    y = fp_unpack(b, FP_F64);
    n = (fp_u128)x.sig << 62; /* the quotient has 62 or 63 bits */
    q = (uint64_t)(n / y.sig);
    q |= n % y.sig != 0;
    return fp_round(x.sign != y.sign, x.e - y.e - 62, q, FP_F64, rm);
}

uint64_t fp64_rcp(uint64_t a, enum isa_round rm)
{
    return fp64_div(FP64_ONE, a, rm);
}

uint64_t fp64_sqrt_positive(uint64_t a, enum isa_round rm)
{
    struct fp_parts x = fp_unpack(a, FP_F64);
    int32_t odd = x.e & 1;
    double m = (double)x.sig * (odd ? 0x1p-51 : 0x1p-52); /* exact, in [1, 4) */
    fp_u128 n = (fp_u128)x.sig << (58 + odd);             /* m * 2^110 */
    uint64_t r = (uint64_t)(m * fp_rsqrt_estimate(m) * 0x1p55);

    /* One exact Newton step, then the last unit: r = floor(sqrt(n)), 56 bits. */
    r += (uint64_t)((int64_t)(n - (fp_u128)r * r) / (int64_t)(2 * r));
    while ((fp_u128)r * r > n) {
        r--;
    }
    while ((fp_u128)(r + 1) * (r + 1) <= n) {
        r++;
    }
    r = r << 1 | ((fp_u128)r * r != n);
    return fp_round(false, (x.e - odd - 58) / 2 - 1, r, FP_F64, rm);
}

uint64_t fp64_sqrt(uint64_t a, enum isa_round rm)
{
    if (fp64_is_nan(a)) {
        return a | FP64_QUIET;
    }
    if (is_zero(a) || a == FP64_INF) {
        return a;
    }
    return (a & FP64_SIGN) != 0 ? FP64_NAN : fp64_sqrt_positive(a, rm);
}
