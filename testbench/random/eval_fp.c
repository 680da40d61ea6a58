/*
 * Floating point by the host's IEEE operations in the rounding mode asked for.
 *
 * What the ISA leaves open follows what the model says of itself (model/isa/fp.h): the
 * NaN of f32 is 0x7fffffff; f64 keeps the payload of an operand, made quiet, b before c
 * before a (division: a before b), and makes 0xfff8000000000000 of invalid operations.
 */
#include "eval.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <string.h>

#define NAN32   UINT32_C(0x7fffffff)
#define NAN64   UINT64_C(0xfff8000000000000)
#define QUIET64 UINT64_C(0x0008000000000000)
#define SIGN32  UINT32_C(0x80000000)

static float to_f(uint64_t bits)
{
    uint32_t v = (uint32_t)bits;
    float f;

    memcpy(&f, &v, sizeof(f));
    return f;
}

static uint32_t of_f(float f)
{
    uint32_t v;

    memcpy(&v, &f, sizeof(v));
    return v;
}

static double to_d(uint64_t bits)
{
    double d;

    memcpy(&d, &bits, sizeof(d));
    return d;
}

static uint64_t of_d(double d)
{
    uint64_t v;

    memcpy(&v, &d, sizeof(v));
    return v;
}

static bool is_nan32(uint32_t v)
{
    return (v & 0x7fffffff) > 0x7f800000;
}

static bool is_nan64(uint64_t v)
{
    return (v & INT64_MAX) > UINT64_C(0x7ff0000000000000);
}

static uint32_t flush(uint32_t v, bool ftz)
{
    return ftz && (v & 0x7f800000) == 0 ? v & SIGN32 : v;
}

static int host_mode(uint32_t round)
{
    switch (round) {
    case MOD_RZ:
    case MOD_RZI: return FE_TOWARDZERO;
    case MOD_RM:
    case MOD_RMI: return FE_DOWNWARD;
    case MOD_RP:
    case MOD_RPI: return FE_UPWARD;
    default: return FE_TONEAREST;
    }
}

static void enter(uint32_t round)
{
    if (host_mode(round) != FE_TONEAREST) {
        (void)fesetround(host_mode(round));
    }
}

static void leave(uint32_t round)
{
    if (host_mode(round) != FE_TONEAREST) {
        (void)fesetround(FE_TONEAREST);
    }
}

/* ---- f32 ---- */

static float f32_host(uint32_t op, float fa, float fb, float fc)
{
    volatile float a = fa, b = fb, c = fc, r; /* not before the mode is set */

    switch (op) {
    case OP_ADD: r = a + b; break;
    case OP_MUL: r = a * b; break;
    case OP_FMA: r = fmaf(a, b, c); break;
    case OP_DIV: r = a / b; break;
    default: /* OP_SQRT */ r = sqrtf(a); break;
    }
    return r;
}

/* With ftz a result is flushed if it is below the normal numbers once it is rounded to
 * 24 bits as if the exponent had no end. Only a result rounded up to the least normal
 * number leaves that open: the operation is done again 2^64 times as large. */
static bool is_tiny(uint32_t op, float a, float b, float c)
{
    const float big = 0x1p64f;

    if (op == OP_MUL || op == OP_FMA) {
        if (fabsf(a) < fabsf(b)) {
            a *= big;
        } else {
            b *= big;
        }
        c *= big;
    } else {
        a *= big;
    }
    return fabsf(f32_host(op, a, b, c)) < FLT_MIN * big;
}

static uint32_t saturate(uint32_t v)
{
    return is_nan32(v) || (v & SIGN32) != 0 ? 0 : v > 0x3f800000 ? 0x3f800000 : v;
}

static uint32_t f32(uint32_t op, const uint32_t *s, uint32_t round, bool ftz)
{
    float a = to_f(flush(s[0], ftz)), b = to_f(flush(s[1], ftz));
    float c = to_f(flush(s[2], ftz)), r;
    uint32_t v;

    enter(round);
    r = f32_host(op, a, b, c);
    v = of_f(r);
    if (ftz && fabsf(r) == FLT_MIN && op != OP_ADD && op != OP_SQRT &&
        is_tiny(op, a, b, c)) {
        v &= SIGN32;
    }
    leave(round);
    return is_nan32(v) ? NAN32 : flush(v, ftz);
}

uint32_t float_add(uint32_t a, uint32_t b, bool ftz)
{
    const uint32_t s[3] = {a, b, 0};

    return f32(OP_ADD, s, MOD_RN, ftz);
}

/* Of two, +0 above -0, a number above NaN. */
static uint32_t f32_extreme(bool max, uint32_t a, uint32_t b)
{
    if (is_nan32(a)) {
        return is_nan32(b) ? NAN32 : b;
    }
    if (is_nan32(b)) {
        return a;
    }
    if (to_f(a) == to_f(b)) {
        return max ? a & b : a | b; /* only the sign of zeros can differ */
    }
    return (to_f(a) < to_f(b)) == max ? b : a;
}

/* With .NaN a NaN wins; with .xorsign.abs magnitudes count, and the sign is that of the
 * product. */
static uint32_t f32_chosen(const struct insn *in, uint32_t a, uint32_t b)
{
    const bool max = in->op == OP_MAX;
    uint32_t v;

    if (has(in, MOD_NAN_WINS) && (is_nan32(a) || is_nan32(b))) {
        return NAN32;
    }
    if (!has(in, MOD_XORSIGN)) {
        return f32_extreme(max, a, b);
    }
    v = f32_extreme(max, a & ~SIGN32, b & ~SIGN32);
    return is_nan32(v) ? v : v | ((a ^ b) & SIGN32);
}

static uint64_t f64_extreme(bool max, uint64_t a, uint64_t b)
{
    if (is_nan64(a)) {
        return is_nan64(b) ? b | QUIET64 : b;
    }
    if (is_nan64(b)) {
        return a;
    }
    if (to_d(a) == to_d(b)) {
        return max ? a & b : a | b;
    }
    return (to_d(a) < to_d(b)) == max ? b : a;
}

static bool eval_f32(const struct insn *in, const uint64_t *raw, uint64_t *d)
{
    uint32_t s[3] = {(uint32_t)raw[0], (uint32_t)raw[1], (uint32_t)raw[2]};
    uint32_t op = in->op, v;

    switch (op) {
    case OP_SUB:
        s[1] ^= SIGN32;
        op = OP_ADD;
        break;
    case OP_MAD: op = OP_FMA; break;
    case OP_RCP:
        s[1] = s[0];
        s[0] = 0x3f800000;
        op = OP_DIV;
        break;
    default: break;
    }
    switch (op) {
    case OP_ADD:
    case OP_MUL:
    case OP_FMA:
    case OP_DIV:
    case OP_SQRT: v = f32(op, s, in->round, in->ftz); break;
    case OP_MIN:
    case OP_MAX: v = f32_chosen(in, flush(s[0], in->ftz), flush(s[1], in->ftz)); break;
    case OP_ABS:
        v = flush(s[0], in->ftz) & ~SIGN32;
        v = is_nan32(v) ? NAN32 : v;
        break;
    case OP_NEG:
        v = flush(s[0], in->ftz) ^ SIGN32;
        v = is_nan32(v) ? NAN32 : v;
        break;
    case OP_COPYSIGN: v = (s[0] & SIGN32) | (s[1] & ~SIGN32); break;
    default: return false;
    }
    *d = in->sat ? saturate(v) : v;
    return true;
}

/* ---- f64 ---- */

static double f64_host(uint32_t op, double da, double db, double dc)
{
    volatile double a = da, b = db, c = dc, r;

    switch (op) {
    case OP_ADD: r = a + b; break;
    case OP_MUL: r = a * b; break;
    case OP_FMA: r = fma(a, b, c); break;
    case OP_DIV: r = a / b; break;
    default: /* OP_SQRT */ r = sqrt(a); break;
    }
    return r;
}

static uint64_t f64(uint32_t op, const uint64_t *s, uint32_t n, uint32_t round)
{
    static const uint8_t order[3] = {1, 2, 0}, of_division[3] = {0, 1, 2};
    uint64_t v;

    for (uint32_t i = 0; i < 3; i++) {
        uint32_t k = op == OP_DIV ? of_division[i] : order[i];

        if (k < n && is_nan64(s[k])) {
            return s[k] | QUIET64;
        }
    }
    enter(round);
    v = of_d(f64_host(op, to_d(s[0]), to_d(s[1]), to_d(s[2])));
    leave(round);
    return is_nan64(v) ? NAN64 : v;
}

uint64_t double_add(uint64_t a, uint64_t b)
{
    const uint64_t s[3] = {a, b, 0};

    return f64(OP_ADD, s, 2, MOD_RN);
}

static bool eval_f64(const struct insn *in, const uint64_t *raw, uint64_t *d)
{
    uint64_t s[3] = {raw[0], raw[1], raw[2]};
    const uint64_t sign = UINT64_C(1) << 63;

    switch (in->op) {
    case OP_SUB:
        s[1] ^= is_nan64(s[1]) ? 0 : sign;
        *d = f64(OP_ADD, s, 2, in->round);
        return true;
    case OP_ADD:
    case OP_MUL:
    case OP_DIV: *d = f64(in->op, s, 2, in->round); return true;
    case OP_MAD:
    case OP_FMA: *d = f64(OP_FMA, s, 3, in->round); return true;
    case OP_RCP:
        s[1] = s[0];
        s[0] = of_d(1.0);
        *d = f64(OP_DIV, s, 2, in->round);
        return true;
    case OP_SQRT: *d = f64(OP_SQRT, s, 1, in->round); return true;
    case OP_MIN:
    case OP_MAX: *d = f64_extreme(in->op == OP_MAX, s[0], s[1]); return true;
    case OP_ABS: /* of NaN any: the model leaves its sign */
        *d = is_nan64(s[0]) ? s[0] | QUIET64 : s[0] & ~sign;
        return true;
    case OP_NEG: *d = is_nan64(s[0]) ? s[0] | QUIET64 : s[0] ^ sign; return true;
    case OP_COPYSIGN: *d = (s[0] & sign) | (s[1] & ~sign); return true;
    default: return false;
    }
}

bool eval_float(const struct insn *in, const uint64_t *s, uint64_t *d)
{
    return in->ty == TY_F64 ? eval_f64(in, s, d) : eval_f32(in, s, d);
}

/* ---- conversions ---- */

static double integral(double v, uint32_t round)
{
    switch (host_mode(round)) {
    case FE_TOWARDZERO: return trunc(v);
    case FE_DOWNWARD: return floor(v);
    case FE_UPWARD: return ceil(v);
    default: return rint(v);
    }
}

static uint64_t to_integer(enum ty t, double v)
{
    uint32_t n = ty_bits(t);
    double end = ldexp(1.0, (int)n - (ty_signed(t) ? 1 : 0));

    if (v >= end) {
        return extend(t, ty_signed(t) ? (UINT64_C(1) << (n - 1)) - 1 : UINT64_MAX);
    }
    if (ty_signed(t)) {
        return v < -end ? extend(t, UINT64_C(1) << (n - 1)) : (uint64_t)(int64_t)v;
    }
    return v <= 0 ? 0 : (uint64_t)v;
}

static uint64_t float_to_integer(const struct insn *in, uint64_t raw)
{
    enum ty t = in->ty;
    bool is_double = in->ty2 == TY_F64;
    double v = is_double ? to_d(raw) : (double)to_f(flush((uint32_t)raw, in->ftz));

    if (isnan(v)) {
        return !is_double && ty_bits(t) < 64
                   ? 0
                   : extend(t, UINT64_C(1) << (ty_bits(t) - 1));
    }
    return to_integer(t, integral(v, in->round));
}

static uint64_t integer_to_float(const struct insn *in, uint64_t raw)
{
    volatile uint64_t u = extend(in->ty2, raw);
    volatile int64_t i = (int64_t)u;
    bool is_signed = ty_signed(in->ty2);
    uint64_t v;

    enter(in->round);
    if (in->ty == TY_F32) {
        volatile float f = is_signed ? (float)i : (float)u;

        v = of_f(f);
        v = in->sat ? saturate((uint32_t)v) : v;
    } else {
        volatile double f = is_signed ? (double)i : (double)u;

        v = of_d(f);
        if (in->sat) {
            v = of_d(f < 0 ? 0 : f > 1 ? 1 : f);
        }
    }
    leave(in->round);
    return v;
}

static uint64_t saturate64(uint64_t v)
{
    double d = to_d(v);

    return isnan(d) || (v >> 63) != 0 ? 0 : d > 1 ? of_d(1.0) : v;
}

/* Sign and as much of the payload as there is room for, quiet. */
static uint32_t narrow_nan(uint64_t v)
{
    return (uint32_t)(v >> 63) << 31 | 0x7fc00000 | ((uint32_t)(v >> 29) & 0x3fffff);
}

static uint32_t narrow(const struct insn *in, uint64_t raw)
{
    volatile double d = to_d(raw);
    volatile float f;
    uint32_t v;

    if (isnan(d)) {
        return narrow_nan(raw);
    }
    enter(in->round);
    f = (float)d;
    v = of_f(f);
    if (in->ftz && fabsf(f) == FLT_MIN) {
        volatile double big = d * 0x1p64;

        f = (float)big;
        v = fabsf(f) < FLT_MIN * 0x1p64f ? v & SIGN32 : v;
    }
    leave(in->round);
    return flush(v, in->ftz);
}

static uint64_t widen(const struct insn *in, uint32_t raw)
{
    if (is_nan32(raw)) {
        uint32_t v = in->ftz ? NAN32 : raw | 0x400000;

        return (uint64_t)(v >> 31) << 63 | UINT64_C(0x7ff8000000000000) |
               (uint64_t)(v & 0x3fffff) << 29;
    }
    return of_d((double)to_f(flush(raw, in->ftz)));
}

static uint64_t float_to_float(const struct insn *in, uint64_t raw)
{
    uint64_t v;

    if (in->ty == TY_F64) {
        v = in->ty2 == TY_F32 ? widen(in, (uint32_t)raw) : raw;
        if (in->ty2 == TY_F64 && is_nan64(v)) {
            v |= in->round != MOD_NONE ? QUIET64 : 0;
        } else if (in->ty2 == TY_F64 && in->round != MOD_NONE) {
            v = of_d(integral(to_d(v), in->round));
        }
        return in->sat ? saturate64(v) : v;
    }
    if (in->ty2 == TY_F64) {
        v = narrow(in, raw);
    } else {
        v = flush((uint32_t)raw, in->ftz);
        if (is_nan32((uint32_t)v)) {
            v = in->round != MOD_NONE || in->ftz ? NAN32 : v; /* else a move */
        } else if (in->round != MOD_NONE) {
            v = of_f((float)integral((double)to_f(v), in->round));
        }
    }
    return in->sat ? saturate((uint32_t)v) : v;
}

static uint64_t integer_to_integer(const struct insn *in, uint64_t raw)
{
    uint64_t v = extend(in->ty2, raw);
    uint32_t n = ty_bits(in->ty);

    if (in->sat) {
        bool negative = ty_signed(in->ty2) && (int64_t)v < 0;
        uint64_t top = ty_signed(in->ty) ? (UINT64_C(1) << (n - 1)) - 1
                                         : extend(in->ty, UINT64_MAX);

        if (negative) {
            int64_t low = ty_signed(in->ty) ? -(int64_t)top - 1 : 0;

            v = (int64_t)v < low ? (uint64_t)low : v;
        } else {
            v = v > top ? top : v;
        }
    }
    return extend(in->ty, v);
}

bool eval_convert(const struct insn *in, uint64_t raw, uint64_t *d)
{
    if (ty_float(in->ty)) {
        *d = ty_float(in->ty2) ? float_to_float(in, raw) : integer_to_float(in, raw);
    } else {
        *d =
            ty_float(in->ty2) ? float_to_integer(in, raw) : integer_to_integer(in, raw);
    }
    return true;
}
