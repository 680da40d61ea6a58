/*
 * Narrow floating point: f16, bf16, pairs of them, tf32 and the 8-bit formats.
 *
 * A value is taken apart into a double, the operation done there, and the result put
 * together again by one rounding. Where a double is not exact (of a multiply-add), the
 * host rounds towards zero and its last bit is made odd if anything was lost.
 */
#include "eval.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

/* A format: its fields, and the patterns of NaN and of the largest value. */
struct format {
    int ebits, frac;
    uint32_t nan, largest;
    bool saturates; /* infinity too */
};

static const struct format F16 = {5, 10, 0x7fff, 0x7bff, false};
static const struct format BF16 = {8, 7, 0x7fff, 0x7f7f, false};
static const struct format TF32 = {8, 10, 0x3ffff, 0x3fbff, false};
static const struct format E4M3 = {4, 3, 0x7f, 0x7e, true};
static const struct format E5M2 = {5, 2, 0x7f, 0x7b, true};

static uint32_t sign_of(const struct format *f)
{
    return UINT32_C(1) << (f->ebits + f->frac);
}

static double value(const struct format *f, uint32_t h)
{
    const uint32_t mag = h & (sign_of(f) - 1);
    const int e = (int)(mag >> f->frac), bias = (1 << (f->ebits - 1)) - 1;
    const double m = (double)(mag & ((1u << f->frac) - 1));
    double v;

    if (mag == f->nan || (!f->saturates && mag > f->largest + 1) ||
        (f == &E5M2 && mag > 0x7c)) {
        return NAN;
    }
    if (f != &E4M3 && e == (1 << f->ebits) - 1) {
        v = INFINITY;
    } else {
        v = e == 0 ? ldexp(m, 1 - bias - f->frac)
                   : ldexp(m + ldexp(1.0, f->frac), e - bias - f->frac);
    }
    return (h & sign_of(f)) != 0 ? -v : v;
}

static double whole(double v, uint32_t round)
{
    switch (round) {
    case MOD_RZ:
    case MOD_RZI: return trunc(v);
    case MOD_RM:
    case MOD_RMI: return floor(v);
    case MOD_RP:
    case MOD_RPI: return ceil(v);
    case MOD_RNA: return v < 0 ? -floor(-v + 0.5) : floor(v + 0.5);
    default: return rint(v);
    }
}

/* v in format f; with tiny, results below the smallest normal number become zero,
 * whatever they would round to. */
static uint32_t pattern(const struct format *f, double v, uint32_t round, bool tiny)
{
    const int bias = (1 << (f->ebits - 1)) - 1;
    const uint32_t sign = signbit(v) ? sign_of(f) : 0;
    const uint32_t past = f->saturates ? f->largest : f->largest + 1;
    int e = 0;
    double r, mag;

    if (isnan(v)) {
        return f->nan;
    }
    if (isinf(v)) {
        return sign | past;
    }
    if (v == 0) {
        return sign;
    }
    (void)frexp(v, &e);
    e -= 1;
    e = e < 1 - bias && !tiny ? 1 - bias : e;
    r = whole(ldexp(v, f->frac - e), round);
    mag = fabs(ldexp(r, e - f->frac));
    if (tiny && mag < ldexp(1.0, 1 - bias)) {
        return sign;
    }
    if (mag > value(f, f->largest)) { /* to the largest value, or beyond */
        const bool stays = round == MOD_RZ || (round == MOD_RM && sign == 0) ||
                           (round == MOD_RP && sign != 0);

        return sign | (stays ? f->largest : past);
    }
    if (mag < ldexp(1.0, 1 - bias)) {
        return sign | (uint32_t)ldexp(mag, bias - 1 + f->frac);
    }
    (void)frexp(mag, &e);
    e -= 1;
    mag = ldexp(mag, f->frac - e) - ldexp(1.0, f->frac); /* without its top bit */
    return sign | (uint32_t)(e + bias) << f->frac | (uint32_t)mag;
}

/* a * b + c, the last bit odd if it is not exact: rounded again, as if it were. */
static double sticky(double a, double b, double c)
{
    volatile double x = a, y = b, z = c, nearest = fma(x, y, z), r;
    uint64_t bits;
    bool inexact;

    if (isnan(nearest) || isinf(nearest) || nearest == 0) {
        return nearest;
    }
    (void)fesetround(FE_TOWARDZERO);
    (void)feclearexcept(FE_ALL_EXCEPT);
    r = fma(x, y, z);
    inexact = fetestexcept(FE_INEXACT) != 0;
    (void)fesetround(FE_TONEAREST);
    memcpy(&bits, (const void *)&r, sizeof(bits));
    bits |= inexact;
    memcpy((void *)&r, &bits, sizeof(bits));
    return r;
}

/* ---- one half ---- */

static bool is_b(uint32_t t)
{
    return t == TY_BF16 || t == TY_BF16X2;
}

static const struct format *half_format(uint32_t t)
{
    return is_b(t) ? &BF16 : &F16;
}

static uint32_t flush(const struct insn *in, uint32_t h)
{
    return in->ftz && !is_b(in->ty) && (h & 0x7c00) == 0 ? h & 0x8000 : h;
}

/* .sat and .relu, .satfinite: what becomes of a result. */
static uint32_t modified(const struct insn *in, const struct format *f, uint32_t h)
{
    const double v = value(f, h);

    if (in->sat) {
        h = isnan(v) || v <= 0 ? 0 : v > 1 ? pattern(f, 1.0, MOD_RN, false) : h;
    }
    if (has(in, MOD_SATFINITE) && isinf(v)) {
        h = f->largest | (v < 0 ? sign_of(f) : 0);
    }
    if (has(in, MOD_RELU) && (h & sign_of(f)) != 0) {
        h = 0;
    }
    return h;
}

static uint32_t extreme(const struct insn *in, const struct format *f, uint32_t a,
                        uint32_t b)
{
    const bool xorsign = has(in, MOD_XORSIGN);
    const uint32_t sign = xorsign ? (a ^ b) & 0x8000 : 0;
    const double x = value(f, xorsign ? a & 0x7fff : a);
    const double y = value(f, xorsign ? b & 0x7fff : b);
    const bool lower = x < y || (x == y && signbit(x) && !signbit(y));
    uint32_t h;

    if ((isnan(x) && isnan(y)) || (has(in, MOD_NAN_WINS) && (isnan(x) || isnan(y)))) {
        return f->nan;
    }
    if (isnan(x) || isnan(y)) {
        h = isnan(x) ? b : a;
    } else {
        h = lower == (in->op == OP_MIN) ? a : b;
    }
    return xorsign ? (h & 0x7fff) | sign : h;
}

static bool one(const struct insn *in, const uint32_t *raw, uint32_t *d)
{
    const struct format *const f = half_format(in->ty);
    const uint32_t h[3] = {flush(in, raw[0]), flush(in, raw[1]), flush(in, raw[2])};
    const double x = value(f, h[0]), y = value(f, h[1]), z = value(f, h[2]);
    const bool tiny = in->ftz && f == &F16;

    switch (in->op) {
    case OP_ADD: *d = pattern(f, sticky(x, 1.0, y), MOD_RN, tiny); break;
    case OP_SUB: *d = pattern(f, sticky(x, 1.0, -y), MOD_RN, tiny); break;
    case OP_MUL: *d = pattern(f, x * y, MOD_RN, tiny); break;
    case OP_FMA: *d = pattern(f, sticky(x, y, z), MOD_RN, tiny); break;
    case OP_NEG: *d = isnan(x) ? f->nan : h[0] ^ 0x8000; return true;
    case OP_ABS: *d = isnan(x) ? f->nan : h[0] & 0x7fff; return true;
    case OP_MIN:
    case OP_MAX: *d = extreme(in, f, h[0], h[1]); return true;
    default: return false;
    }
    *d = modified(in, f, *d);
    if (has(in, MOD_OOB) &&
        ((raw[0] & 0x7fff) == 0x7ff7 || (raw[1] & 0x7fff) == 0x7ff7)) {
        *d = 0;
    }
    return true;
}

static bool is_pair(uint32_t t)
{
    return t == TY_F16X2 || t == TY_BF16X2;
}

bool eval_half(const struct insn *in, const uint64_t *s, uint64_t *d)
{
    *d = 0;
    for (uint32_t at = 0; at < (is_pair(in->ty) ? 32u : 16u); at += 16) {
        uint32_t h[3], r = 0;

        for (uint32_t i = 0; i < 3; i++) {
            h[i] = (uint32_t)(s[i] >> at) & 0xffff;
        }
        if (!one(in, h, &r)) {
            return false;
        }
        *d |= (uint64_t)r << at;
    }
    return true;
}

uint64_t half_add(enum ty t, uint64_t a, uint64_t b)
{
    const struct insn in = {.op = OP_ADD, .ty = (uint8_t)t};
    const uint64_t s[3] = {a, b, 0};
    uint64_t d;

    (void)eval_half(&in, s, &d);
    return d;
}

uint64_t half_extreme(enum ty t, uint64_t a, uint64_t b, bool lower)
{
    const struct insn in = {.op = lower ? OP_MIN : OP_MAX, .ty = (uint8_t)t};
    const uint64_t s[3] = {a, b, 0};
    uint64_t d;

    (void)eval_half(&in, s, &d);
    return d;
}

double half_value(const struct insn *in, uint32_t t, uint64_t raw)
{
    uint32_t h = (uint32_t)raw & 0xffff;

    if (in->ftz && !is_b(t) && (h & 0x7c00) == 0) {
        h &= 0x8000;
    }
    return value(half_format(t), h);
}

/* ---- conversions ---- */

static double host_value(const struct insn *in, uint64_t raw)
{
    uint32_t word = (uint32_t)raw;
    float f;
    double d;

    switch (in->ty2) {
    case TY_F64: memcpy(&d, &raw, sizeof(d)); return d;
    case TY_F32:
        if (in->ftz && (word & 0x7f800000) == 0) {
            word &= 0x80000000;
        }
        memcpy(&f, &word, sizeof(f));
        return (double)f;
    default: return value(half_format(in->ty2), word & 0xffff);
    }
}

static uint64_t float_bits(const struct insn *in, double v)
{
    float f = (float)v;
    uint32_t word;
    uint64_t bits;

    if (in->sat) {
        v = isnan(v) || v <= 0 ? 0 : v > 1 ? 1 : v;
        f = (float)v;
    }
    if (in->ty == TY_F64) {
        memcpy(&bits, &v, sizeof(bits));
        return bits;
    }
    memcpy(&word, &f, sizeof(word));
    if (in->ftz && (word & 0x7f800000) == 0) {
        word &= 0x80000000;
    }
    return isnan(v) ? 0x7fffffff : word;
}

/* An integer rounded to so many bits of significand, exactly. */
static double integer_value(const struct insn *in, uint64_t raw)
{
    const uint64_t v = extend(in->ty2, raw);
    const bool minus = ty_signed(in->ty2) && (int64_t)v < 0;
    uint64_t mag = minus ? 0 - v : v;
    double d;

    if (mag >> 32 != 0) { /* 32 bits and what is lost below them */
        uint32_t up = 0;

        while (mag >> up >> 32 != 0) {
            up++;
        }
        mag = (mag >> up << up) | (uint64_t)((mag & ((UINT64_C(1) << up) - 1)) != 0)
                                      << (up - 1);
        d = ldexp((double)(mag >> (up - 1)), (int)up - 1);
    } else {
        d = (double)mag;
    }
    return minus ? -d : d;
}

static uint64_t to_integer(const struct insn *in, double v)
{
    const uint32_t n = ty_bits(in->ty);
    const double end = ldexp(1.0, (int)n - (ty_signed(in->ty) ? 1 : 0));

    if (isnan(v)) {
        return n < 64 ? 0 : UINT64_C(1) << 63;
    }
    v = whole(v, in->round);
    if (v >= end) {
        return ty_signed(in->ty) ? (UINT64_C(1) << (n - 1)) - 1
                                 : extend(in->ty, UINT64_MAX);
    }
    if (ty_signed(in->ty)) {
        return v < -end ? extend(in->ty, UINT64_C(1) << (n - 1)) : (uint64_t)(int64_t)v;
    }
    return v <= 0 ? 0 : (uint64_t)v;
}

/* Two values from or to one register, the first operand above the second. */
static bool packed(const struct insn *in, const uint64_t *s, uint64_t *d)
{
    const struct format *const byte =
        in->ty == TY_E4M3X2 || in->ty2 == TY_E4M3X2 ? &E4M3 : &E5M2;
    const bool from_byte = in->ty2 == TY_E4M3X2 || in->ty2 == TY_E5M2X2;
    const struct format *const to =
        in->ty == TY_E4M3X2 || in->ty == TY_E5M2X2 ? byte : half_format(in->ty);
    const uint32_t bits = to == byte ? 8 : 16;
    double v[2]; /* low, high */

    if (in->ty2 == TY_F32) {
        v[1] = host_value(in, s[0]);
        v[0] = host_value(in, s[1]);
    } else if (from_byte) {
        v[0] = value(byte, s[0] & 0xff);
        v[1] = value(byte, s[0] >> 8 & 0xff);
    } else {
        v[0] = value(&F16, s[0] & 0xffff);
        v[1] = value(&F16, s[0] >> 16 & 0xffff);
    }
    *d = 0;
    for (uint32_t i = 0; i < 2; i++) {
        *d |= (uint64_t)modified(in, to, pattern(to, v[i], in->round, false))
              << i * bits;
    }
    return true;
}

/* The sign and as much of the payload as there is room for, quiet. */
static uint64_t narrow_nan(const struct format *f, uint64_t raw)
{
    const uint32_t top = (1u << f->frac) - 1;

    return (raw >> 63 << (f->ebits + f->frac)) | ((1u << f->ebits) - 1) << f->frac |
           (raw >> (52 - f->frac) & top) | 1u << (f->frac - 1);
}

static uint64_t wide_nan(const struct insn *in, uint64_t raw)
{
    const struct format *const f = half_format(in->ty2);
    const uint64_t payload = raw & ((1u << f->frac) - 1);

    return (raw >> 15 & 1) << 63 | UINT64_C(0x7ff8000000000000) |
           payload << (52 - f->frac);
}

/* .rna is arithmetic of integers; NaNs are cut off like numbers. */
static uint64_t tf32(const struct insn *in, uint64_t raw)
{
    const uint32_t cut = ~UINT32_C(0x1fff);
    uint32_t word = (uint32_t)raw;
    double v;

    if (in->round == MOD_RNA) {
        word = (word & 0x7f800000) == 0x7f800000 ? word & cut : (word + 0x1000) & cut;
        return has(in, MOD_SATFINITE) && (word & 0x7f800000) == 0x7f800000
                   ? word - 0x2000
                   : word;
    }
    v = host_value(in, raw);
    return (uint64_t)modified(in, &TF32, pattern(&TF32, v, in->round, false)) << 13;
}

bool eval_half_convert(const struct insn *in, const uint64_t *s, uint64_t *d)
{
    const struct format *const f = half_format(in->ty);
    double v;

    if (is_pair(in->ty) || in->ty == TY_E4M3X2 || in->ty == TY_E5M2X2) {
        return packed(in, s, d);
    }
    if (in->ty == TY_TF32) {
        *d = tf32(in, s[0]);
        return true;
    }
    if (in->ty2 == TY_F64 && isnan(host_value(in, s[0]))) {
        *d = in->sat ? 0 : narrow_nan(f, s[0]);
        return true;
    }
    if (in->ty == TY_F64 && isnan(host_value(in, s[0]))) {
        *d = in->sat ? 0 : wide_nan(in, s[0]);
        return true;
    }
    if (in->ty == TY_F32 && in->ty2 == TY_BF16 && !in->ftz) {
        *d = s[0] << 16 & UINT32_MAX; /* NaNs too */
        return true;
    }
    if (!ty_half(in->ty) && !ty_float(in->ty)) {
        *d = to_integer(in, host_value(in, s[0]));
        return true;
    }
    v = ty_half(in->ty2) || ty_float(in->ty2) ? host_value(in, s[0])
                                              : integer_value(in, s[0]);
    if (ty_float(in->ty)) {
        *d = float_bits(in, v);
        return true;
    }
    if (in->ty == in->ty2) {
        *d = in->round == MOD_NONE && !isnan(v)
                 ? s[0] & 0xffff
                 : pattern(f, whole(v, in->round), MOD_RN, false);
    } else {
        *d = pattern(f, v, in->round, false);
    }
    *d = modified(in, f, (uint32_t)*d);
    return true;
}
