/*
 * fp_priv.h - what fp_arith.c, fp_cvt.c and fp_approx.c share: bit patterns taken apart
 * and put together again. Internal to ptx.
 *
 * The host computes in round-to-nearest with IEEE binary32 and binary64 (no excess
 * precision, no contraction). Host arithmetic is used where its result is exact or is
 * the correctly rounded result asked for; all else is integer arithmetic.
 */
#ifndef ISA_FP_PRIV_H
#define ISA_FP_PRIV_H

#include "base/bits.h"
#include "isa/fp.h"
#include <string.h>

/* Two words of significand; __int128 is the one extension the model leans on. */
__extension__ typedef unsigned __int128 fp_u128;

#define FP32_SIGN       0x80000000u
#define FP32_INF        0x7f800000u
#define FP32_ONE        0x3f800000u
#define FP32_MIN_NORMAL 0x00800000u
#define FP32_NAN        0x7fffffffu /* the only NaN f32 instructions make */
#define FP64_SIGN       0x8000000000000000ull
#define FP64_INF        0x7ff0000000000000ull
#define FP64_ONE        0x3ff0000000000000ull
#define FP64_NAN        0xfff8000000000000ull /* of an invalid f64 operation */
#define FP64_QUIET      0x0008000000000000ull

/* A binary interchange format: width of the fraction and of the exponent. */
struct fp_format {
    int32_t frac, ebits;
};

#define FP_F32 ((struct fp_format){23, 8})
#define FP_F64 ((struct fp_format){52, 11})

/* A finite non-zero value: (-1)^sign * sig * 2^e, sig normalised to frac + 1 bits. */
struct fp_parts {
    uint64_t sig;
    int32_t e;
    bool sign;
};

static inline bool fp32_is_nan(uint32_t a)
{
    return (a & ~FP32_SIGN) > FP32_INF;
}

static inline bool fp64_is_nan(uint64_t a)
{
    return (a & ~FP64_SIGN) > FP64_INF;
}

/* f32 subnormals to zero of the same sign, if ftz. */
static inline uint32_t fp32_flush(uint32_t a, bool ftz)
{
    return ftz && (a & FP32_INF) == 0 ? a & FP32_SIGN : a;
}

static inline int32_t fp_top_bit(uint64_t v)
{
    return 63 - __builtin_clzll(v);
}

/* a is finite and not zero. */
static inline struct fp_parts fp_unpack(uint64_t a, struct fp_format f)
{
    struct fp_parts p;
    int32_t biased = (int32_t)(a >> f.frac) & ((1 << f.ebits) - 1);
    int32_t shift;

    p.sign = (a >> (f.frac + f.ebits) & 1) != 0;
    p.sig = a & ((1ull << f.frac) - 1);
    if (biased != 0) {
        p.sig |= 1ull << f.frac;
    } else {
        biased = 1;
    }
    shift = f.frac - fp_top_bit(p.sig);
    p.sig <<= shift;
    p.e = biased - ((1 << (f.ebits - 1)) - 1) - f.frac - shift;
    return p;
}

/* How a positive magnitude's dropped part rounds: rest is that part, its weight scaled
 * so that one half is 1 << 63. Modes to an integral value act like their namesakes. */
static inline bool fp_rounds_up(uint64_t rest, bool odd, bool sign, enum isa_round rm)
{
    switch (rm) {
    case ISA_R_NONE:
    case ISA_R_RN:
    case ISA_R_RNI: return rest > 1ull << 63 || (rest == 1ull << 63 && odd);
    case ISA_R_RZ:
    case ISA_R_RZI: return false;
    case ISA_R_RM:
    case ISA_R_RMI: return sign && rest != 0;
    case ISA_R_RP:
    case ISA_R_RPI: return !sign && rest != 0;
    case ISA_R_RNA: return rest >= 1ull << 63;
    }
    return false;
}

/* The magnitude to which an overflow rounds: infinity or the largest finite value. */
static inline uint64_t fp_overflow(bool sign, struct fp_format f, enum isa_round rm)
{
    uint64_t inf = (uint64_t)((1 << f.ebits) - 1) << f.frac;
    bool nearest =
        rm == ISA_R_RN || rm == ISA_R_NONE || rm == ISA_R_RNI || rm == ISA_R_RNA;

    return nearest || fp_rounds_up(1, false, sign, rm) ? inf : inf - 1;
}

/*
 * The pattern of (-1)^sign * sig * 2^e rounded once. sig is not 0. Its lowest bit may
 * stand for any non-zero remainder below it ("sticky") if sig has frac + 3 bits or
 * more.
 */
static inline uint64_t fp_round(bool sign, int32_t e, uint64_t sig, struct fp_format f,
                                enum isa_round rm)
{
    uint64_t sign_bit = (uint64_t)sign << (f.frac + f.ebits);
    int32_t e_min = 2 - (1 << (f.ebits - 1)) - f.frac; /* last place of subnormals */
    int32_t lsb = e + fp_top_bit(sig) - f.frac;
    int32_t drop;
    uint64_t kept, rest = 0, r;

    lsb = lsb < e_min ? e_min : lsb;
    drop = lsb - e;
    if (drop <= 0) {
        kept = sig << -drop; /* at most frac + 1 bits: lsb follows the top bit */
    } else if (drop < 64) {
        kept = sig >> drop;
        rest = sig << (64 - drop);
    } else {
        kept = 0;
        rest = drop == 64 ? sig : 1; /* below one half when further down */
    }
    if (lsb - e_min >= (1 << f.ebits) - 2) {
        return sign_bit | fp_overflow(sign, f, rm);
    }
    kept += fp_rounds_up(rest, kept & 1, sign, rm);
    /* A normal kept carries its hidden bit into the exponent field, and so does a carry
     * out of rounding, from subnormal to normal and up to infinity. */
    r = ((uint64_t)(lsb - e_min) << f.frac) + kept;
    if (r >> f.frac == (1ull << f.ebits) - 1) {
        r = fp_overflow(sign, f, rm);
    }
    return sign_bit | r;
}

/* The same for a significand of two words. */
static inline uint64_t fp_round128(bool sign, int32_t e, fp_u128 sig,
                                   struct fp_format f, enum isa_round rm)
{
    uint64_t high = (uint64_t)(sig >> 64);
    int32_t shift;
    uint64_t s;

    if (high == 0) {
        return fp_round(sign, e, (uint64_t)sig, f, rm);
    }
    shift = fp_top_bit(high) + 1;
    s = (uint64_t)(sig >> shift);
    s |= (sig & (((fp_u128)1 << shift) - 1)) != 0;
    return fp_round(sign, e + shift, s, f, rm);
}

/* A double that is no NaN to f32. */
static inline uint32_t fp32_round_double(double d, enum isa_round rm)
{
    uint64_t a = bits_of_f64(d);
    struct fp_parts p;

    if (rm == ISA_R_RN || rm == ISA_R_NONE) {
        return bits_of_f32((float)d);
    }
    if ((a & ~FP64_SIGN) == 0 || (a & FP64_INF) == FP64_INF) {
        return (uint32_t)(a >> 32 & FP32_SIGN) | ((a & FP64_INF) != 0 ? FP32_INF : 0);
    }
    p = fp_unpack(a, FP_F64);
    return (uint32_t)fp_round(p.sign, p.e, p.sig, FP_F32, rm);
}

/*
 * Any double to f32, NaN to the canonical one. ftz flushes what is below 2^-126 when
 * rounded to 24 bits whatever the exponent, as the hardware does: (1 - 2^-24) * 2^-126
 * is flushed although it would round to 2^-126 among subnormals.
 */
static inline uint32_t fp32_from_double(double d, enum isa_round rm, bool ftz)
{
    uint32_t r;

    if (d != d) {
        return FP32_NAN;
    }
    r = fp32_round_double(d, rm);
    if (!ftz || (r & ~FP32_SIGN) > FP32_MIN_NORMAL) {
        return r;
    }
    d *= 0x1p64;
    return (fp32_round_double(d, rm) & ~FP32_SIGN) < FP32_MIN_NORMAL + (64u << 23)
               ? (uint32_t)(bits_of_f64(d) >> 32) & FP32_SIGN
               : r;
}

/* 1 / sqrt(x) to about 50 bits, x in [1, 4): a linear guess on the bit pattern, then
 * Newton steps, each of which doubles the number of good bits. */
static inline double fp_rsqrt_estimate(double x)
{
    double y = bits_f64(0x5fe6eb50c7b537a9ull - (bits_of_f64(x) >> 1));

    for (int i = 0; i < 4; i++) {
        y = y * (1.5 - 0.5 * x * y * y);
    }
    return y;
}

/* The square root of a positive finite a, rounded; fp_arith.c. */
uint64_t fp64_sqrt_positive(uint64_t a, enum isa_round rm);

#endif /* ISA_FP_PRIV_H */
