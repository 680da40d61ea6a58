/*
 * half_lane.h - what a half of a register computes; private to lane_half*.c and to
 * atomics.
 *
 * A half is an fp16 or bf16 pattern in the low 16 bits of a uint32_t, zeros above it.
 * All of it is total and without choices, so that loops over lanes become vectors, and
 * exact: sums and products of halves are those of binary32 rounded again, which is
 * harmless, as 24 >= 2 * 11 + 2; where that is not enough binary64 is.
 */
#ifndef ISA_HALF_LANE_H
#define ISA_HALF_LANE_H

#include "isa/half.h"
#include "isa/lane.h"

#define HALF_SIGN 0x8000u
#define HALF_MAG  0x7fffu
#define FP16_INF  0x7c00u
#define FP16_ONE  0x3c00u
#define BF16_INF  0x7f80u
#define HALF_OOB  0x7ff7u /* the NaN that .oob looks for, of either sign */

/* All ones where the instruction says so. */
struct half_mods {
    uint32_t ftz, sat, relu, oob, nan, xorsign;
};

LANE_INLINE struct half_mods half_mods(const struct isa_uop *u)
{
    const uint32_t f = u->form.flags;

    return (struct half_mods){.ftz = 0u - (uint32_t)((f & ISA_F_FTZ) != 0),
                              .sat = 0u - (uint32_t)((f & ISA_F_SAT) != 0),
                              .relu = 0u - (uint32_t)((f & ISA_F_RELU) != 0),
                              .oob = 0u - (uint32_t)((f & ISA_F_OOB) != 0),
                              .nan = 0u - (uint32_t)((f & ISA_F_NAN) != 0),
                              .xorsign = 0u - (uint32_t)((f & ISA_F_XORSIGN) != 0)};
}

/* ---- modifiers, on patterns ---- */

/* A subnormal becomes the zero of its sign. */
LANE_INLINE uint32_t fp16_flush(uint32_t h, uint32_t ftz)
{
    const uint32_t tiny = 0u - (uint32_t)((h & FP16_INF) == 0);

    return h & ~(tiny & ftz & HALF_MAG);
}

/* [0, 1]; NaN and -0 become +0. */
LANE_INLINE uint32_t fp16_sat(uint32_t h, uint32_t sat)
{
    const uint32_t low = h > FP16_ONE ? FP16_ONE : h;
    const uint32_t in = half_choose(h > FP16_INF, 0, low); /* NaN, negative */

    return (in & sat) | (h & ~sat);
}

/* Negative numbers, -0 included, become +0; NaNs have no sign here. */
LANE_INLINE uint32_t half_relu(uint32_t h, uint32_t relu)
{
    return h & ~(relu & (0u - (h >> 15)));
}

/* ---- rounding of a value computed wider ---- */

/* binary32 to eleven bits of significand, however small, and below 2^-14 to zero: what
 * .ftz does, which looks at the result as if its exponent had no limit. */
LANE_INLINE uint32_t fp16_flush_value(uint32_t a)
{
    const uint32_t e = a & 0x7f800000u;
    const float up = bits_f32((e + (13u << 23)) | 0x00400000u);
    const uint32_t r = bits_of_f32(bits_f32(a) + up - up) | (a & 0x80000000u);
    const uint32_t tiny = 0u - (uint32_t)((r & 0x7fffffffu) < 0x38800000u);
    const uint32_t large = 0u - (uint32_t)(e > 0x47800000u); /* up overflows */

    return (large & a) | (~large & r & ~(tiny >> 1));
}

/* binary64, whose last bit may be sticky, to a significand of frac + 1 bits and a last
 * place of 2^(e_min - frac) at least, as binary32: exact unless it overflows. */
LANE_INLINE uint32_t half_round64(double x, uint64_t e_min, uint32_t frac)
{
    const uint64_t raw = bits_of_f64(x), own = raw & 0x7ff0000000000000u;
    const uint64_t e = own < e_min << 52 ? e_min << 52 : own;
    const double up = bits_f64((e + ((uint64_t)(52 - frac) << 52)) | 1ull << 51);
    const double r = x + up - up;
    const uint64_t huge = 0u - (uint64_t)(own > (uint64_t)(1023 + 512) << 52);
    const uint64_t zero = 0u - (uint64_t)(r == 0.0); /* of the sign of x */

    return bits_of_f32((float)bits_f64((huge & raw) | (zero & raw & 1ull << 63) |
                                       (~huge & ~zero & bits_of_f64(r))));
}

/* A binary32 in which at most a rounding to 24 bits has been done. */
LANE_INLINE uint32_t fp16_result(float x, const struct half_mods *m)
{
    const uint32_t raw = bits_of_f32(x);
    const uint32_t a = (fp16_flush_value(raw) & m->ftz) | (raw & ~m->ftz);
    const uint32_t nan = 0u - (uint32_t)(x != x);
    const uint32_t h = (fp32_to_fp16_near(a) | nan) & (FP16_NAN | ~nan);

    return half_relu(fp16_sat(h, m->sat), m->relu);
}

/* ---- fp16 ---- */

LANE_INLINE float fp16_value(uint32_t h, const struct half_mods *m)
{
    return bits_f32(fp16_to_fp32(fp16_flush(h, m->ftz)));
}

LANE_INLINE uint32_t fp16_add(uint32_t x, uint32_t y, const struct half_mods *m)
{
    return fp16_result(fp16_value(x, m) + fp16_value(y, m), m);
}

LANE_INLINE uint32_t fp16_sub(uint32_t x, uint32_t y, const struct half_mods *m)
{
    return fp16_result(fp16_value(x, m) - fp16_value(y, m), m);
}

LANE_INLINE uint32_t fp16_mul(uint32_t x, uint32_t y, const struct half_mods *m)
{
    return fp16_result(fp16_value(x, m) * fp16_value(y, m), m);
}

/* 0 where a factor is the NaN of .oob, whatever is added. */
LANE_INLINE uint32_t half_oob(uint32_t h, uint32_t x, uint32_t y,
                              const struct half_mods *m)
{
    const uint32_t out =
        (uint32_t)((x & HALF_MAG) == HALF_OOB) | (uint32_t)((y & HALF_MAG) == HALF_OOB);

    return h & ~(m->oob & (0u - out));
}

/*
 * The product is exact in binary64. The sum is not always, but where it is not its
 * smaller operand is far below half a last place of the larger one, which is a half
 * itself: the rounding to binary64 cannot change the result.
 */
LANE_INLINE uint32_t fp16_fma(uint32_t x, uint32_t y, uint32_t z,
                              const struct half_mods *m)
{
    const double p = (double)fp16_value(x, m) * (double)fp16_value(y, m);
    const double s = p + (double)fp16_value(z, m);
    const uint64_t e_min = m->ftz != 0 ? 1 : 1023 - 14;
    const uint32_t r = half_round64(s, e_min, 10);

    return half_oob(fp16_result(bits_f32(r), m), x, y, m);
}

/* ---- bf16 ---- */

LANE_INLINE float bf16_value(uint32_t b)
{
    return bits_f32(b << 16);
}

LANE_INLINE uint32_t bf16_result(float x, const struct half_mods *m)
{
    return half_relu(fp32_to_bf16_near(bits_of_f32(x)), m->relu);
}

LANE_INLINE uint32_t bf16_add(uint32_t x, uint32_t y, const struct half_mods *m)
{
    return bf16_result(bf16_value(x) + bf16_value(y), m);
}

LANE_INLINE uint32_t bf16_sub(uint32_t x, uint32_t y, const struct half_mods *m)
{
    return bf16_result(bf16_value(x) - bf16_value(y), m);
}

LANE_INLINE uint32_t bf16_mul(uint32_t x, uint32_t y, const struct half_mods *m)
{
    return bf16_result(bf16_value(x) * bf16_value(y), m);
}

/* p + c in binary64, its last bit made 1 if anything was lost ("to odd"). */
LANE_INLINE double half_sum_odd(double p, double c)
{
    const double s = p + c;
    const double t = s - p;
    const double lost = (p - (s - t)) + (c - t);
    const uint64_t bits = bits_of_f64(s);
    /* NaNs, from infinities, compare false. */
    const uint64_t inexact = (uint64_t)(lost < 0.0) | (uint64_t)(lost > 0.0);
    const uint64_t even = (bits & 1) ^ 1;
    const uint64_t away = (bits ^ bits_of_f64(lost)) >> 63; /* the sum is too large */

    return bits_f64(bits + (inexact & even) * (1 - 2 * away));
}

LANE_INLINE uint32_t bf16_fma(uint32_t x, uint32_t y, uint32_t z,
                              const struct half_mods *m)
{
    const double p = (double)bf16_value(x) * (double)bf16_value(y);
    const double s = half_sum_odd(p, (double)bf16_value(z));
    const uint32_t r = half_round64(s, 1023 - 126, 7);

    return half_oob(bf16_result(bits_f32(r), m), x, y, m);
}

/* ---- signs, minimum, maximum ---- */

LANE_INLINE uint32_t fp16_unless_nan(uint32_t x, uint32_t v)
{
    return half_choose((x & HALF_MAG) > FP16_INF, FP16_NAN, v);
}

LANE_INLINE uint32_t bf16_unless_nan(uint32_t x, uint32_t v)
{
    return half_choose((x & HALF_MAG) > BF16_INF, BF16_NAN, v);
}

/* Numbers in the order of these, -0 below +0. */
LANE_INLINE int32_t half_order(uint32_t h)
{
    const uint32_t mag = h & HALF_MAG, neg = 0u - (h >> 15);

    return (int32_t)(mag ^ neg);
}

/* A NaN loses against a number, or wins (.NaN). xorsign: magnitudes, and the sign is
 * the product's. */
LANE_INLINE uint32_t half_pick(uint32_t x, uint32_t y, bool max, uint32_t inf,
                               const struct half_mods *m)
{
    const uint32_t sign = (x ^ y) & HALF_SIGN & m->xorsign;
    const uint32_t a = x & ~(m->xorsign & HALF_SIGN), b = y & ~(m->xorsign & HALF_SIGN);
    const bool less = half_order(a) < half_order(b);
    const uint32_t best = half_choose(less != max, a, b);
    const uint32_t no_a = 0u - (uint32_t)((a & HALF_MAG) > inf);
    const uint32_t no_b = 0u - (uint32_t)((b & HALF_MAG) > inf);
    const uint32_t one = (no_a & b) | (~no_a & ((no_b & a) | (~no_b & best)));
    const uint32_t nan = (no_a & no_b) | (m->nan & (no_a | no_b));

    return (nan & FP16_NAN) | (~nan & (one | sign));
}

LANE_INLINE uint32_t fp16_min(uint32_t x, uint32_t y, const struct half_mods *m)
{
    return half_pick(fp16_flush(x, m->ftz), fp16_flush(y, m->ftz), false, FP16_INF, m);
}

LANE_INLINE uint32_t fp16_max(uint32_t x, uint32_t y, const struct half_mods *m)
{
    return half_pick(fp16_flush(x, m->ftz), fp16_flush(y, m->ftz), true, FP16_INF, m);
}

LANE_INLINE uint32_t bf16_min(uint32_t x, uint32_t y, const struct half_mods *m)
{
    return half_pick(x, y, false, BF16_INF, m);
}

LANE_INLINE uint32_t bf16_max(uint32_t x, uint32_t y, const struct half_mods *m)
{
    return half_pick(x, y, true, BF16_INF, m);
}

#endif /* ISA_HALF_LANE_H */
