/*
 * Arithmetic of f16, f16x2, bf16 and bf16x2. An instruction on a pair is two on halves.
 *
 * Modifiers are masks that are the same for all lanes: one function for all forms of an
 * operation.
 */
#include "isa/half_lane.h"

#define X LANE_X(u32)
#define XY                                                                             \
    X;                                                                                 \
    LANE_Y(u32)
#define XYZ                                                                            \
    XY;                                                                                \
    LANE_Z(u32)
#define LOW(v)  ((v)&0xffffu)
#define HIGH(v) ((v) >> 16)

/* name: of halves; name_2: of pairs. */
#define HALF1(name, fn)                                                                \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        const struct half_mods m = half_mods(u);                                       \
        LANE_PTRS1;                                                                    \
        LANE_SAME(u32, X, fn(LOW(x), &m));                                             \
    }                                                                                  \
    LANE_FN(name##_2)                                                                  \
    {                                                                                  \
        const struct half_mods m = half_mods(u);                                       \
        LANE_PTRS1;                                                                    \
        LANE_SAME(u32, X, fn(LOW(x), &m) | fn(HIGH(x), &m) << 16);                     \
    }
#define HALF2(name, fn)                                                                \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        const struct half_mods m = half_mods(u);                                       \
        LANE_PTRS2;                                                                    \
        LANE_SAME(u32, XY, fn(LOW(x), LOW(y), &m));                                    \
    }                                                                                  \
    LANE_FN(name##_2)                                                                  \
    {                                                                                  \
        const struct half_mods m = half_mods(u);                                       \
        LANE_PTRS2;                                                                    \
        LANE_SAME(u32, XY, fn(LOW(x), LOW(y), &m) | fn(HIGH(x), HIGH(y), &m) << 16);   \
    }
#define HALF3(name, fn)                                                                \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        const struct half_mods m = half_mods(u);                                       \
        LANE_PTRS3;                                                                    \
        LANE_SAME(u32, XYZ, fn(LOW(x), LOW(y), LOW(z), &m));                           \
    }                                                                                  \
    LANE_FN(name##_2)                                                                  \
    {                                                                                  \
        const struct half_mods m = half_mods(u);                                       \
        LANE_PTRS3;                                                                    \
        LANE_SAME(u32, XYZ,                                                            \
                  fn(LOW(x), LOW(y), LOW(z), &m) | fn(HIGH(x), HIGH(y), HIGH(z), &m)   \
                                                       << 16);                         \
    }

HALF2(add_h, fp16_add)
HALF2(sub_h, fp16_sub)
HALF2(mul_h, fp16_mul)
HALF3(fma_h, fp16_fma)
HALF2(add_b, bf16_add)
HALF2(sub_b, bf16_sub)
HALF2(mul_b, bf16_mul)
HALF3(fma_b, bf16_fma)
HALF2(min_h, fp16_min)
HALF2(max_h, fp16_max)
HALF2(min_b, bf16_min)
HALF2(max_b, bf16_max)

/* Multiply-add with the sign of the product, of the addend or of both turned: what an
 * assembler makes of a multiplication and a subtraction. */
LANE_INLINE uint32_t turned(uint32_t h, bool turn)
{
    return h ^ (turn ? HALF_SIGN : 0u);
}
#define SIGNED3(name, fn)                                                              \
    LANE_INLINE uint32_t name##_one(uint32_t x, uint32_t y, uint32_t z, uint32_t sub,  \
                                    const struct half_mods *m)                         \
    {                                                                                  \
        return fn(turned(x, sub != ISA_S_NEG_C), y, turned(z, sub != ISA_S_NEG_AB),    \
                  m);                                                                  \
    }                                                                                  \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        const struct half_mods m = half_mods(u);                                       \
        const uint32_t sub = u->form.sub;                                              \
        LANE_PTRS3;                                                                    \
        LANE_SAME(u32, XYZ, name##_one(LOW(x), LOW(y), LOW(z), sub, &m));              \
    }                                                                                  \
    LANE_FN(name##_2)                                                                  \
    {                                                                                  \
        const struct half_mods m = half_mods(u);                                       \
        const uint32_t sub = u->form.sub;                                              \
        LANE_PTRS3;                                                                    \
        LANE_SAME(u32, XYZ,                                                            \
                  name##_one(LOW(x), LOW(y), LOW(z), sub, &m) |                        \
                      name##_one(HIGH(x), HIGH(y), HIGH(z), sub, &m) << 16);           \
    }
SIGNED3(fms_h, fp16_fma)
SIGNED3(fms_b, bf16_fma)

/* ---- signs ---- */

LANE_INLINE uint32_t fp16_neg(uint32_t h, const struct half_mods *m)
{
    return fp16_unless_nan(h, fp16_flush(h, m->ftz) ^ HALF_SIGN);
}

LANE_INLINE uint32_t fp16_abs(uint32_t h, const struct half_mods *m)
{
    return fp16_unless_nan(h, fp16_flush(h, m->ftz) & HALF_MAG);
}

LANE_INLINE uint32_t bf16_neg(uint32_t b, const struct half_mods *m)
{
    (void)m;
    return bf16_unless_nan(b, b ^ HALF_SIGN);
}

LANE_INLINE uint32_t bf16_abs(uint32_t b, const struct half_mods *m)
{
    (void)m;
    return bf16_unless_nan(b, b & HALF_MAG);
}
HALF1(neg_h, fp16_neg)
HALF1(abs_h, fp16_abs)
HALF1(neg_b, bf16_neg)
HALF1(abs_b, bf16_abs)

/* ---- minimum and maximum of f32 with the words that came with halves ---- */

LANE_INLINE uint32_t pick32(uint32_t x, uint32_t y, bool max, const struct half_mods *m)
{
    const uint32_t p = (lane_ftz(x) & m->ftz) | (x & ~m->ftz);
    const uint32_t q = (lane_ftz(y) & m->ftz) | (y & ~m->ftz);
    const uint32_t sign = (p ^ q) & 0x80000000u & m->xorsign;
    const uint32_t a = p & ~(m->xorsign & 0x80000000u);
    const uint32_t b = q & ~(m->xorsign & 0x80000000u);
    const int32_t i = (int32_t)(a ^ ((0u - (a >> 31)) >> 1));
    const int32_t k = (int32_t)(b ^ ((0u - (b >> 31)) >> 1));
    const uint32_t best = half_choose((i < k) != max, a, b);
    const uint32_t no_a = 0u - (uint32_t)((a & 0x7fffffffu) > 0x7f800000u);
    const uint32_t no_b = 0u - (uint32_t)((b & 0x7fffffffu) > 0x7f800000u);
    const uint32_t one = (no_a & b) | (~no_a & ((no_b & a) | (~no_b & best)));
    const uint32_t nan = (no_a & no_b) | (m->nan & (no_a | no_b));

    return (nan & LANE_NAN32) | (~nan & (one | sign));
}
#define PICK32(name, max)                                                              \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        const struct half_mods m = half_mods(u);                                       \
        LANE_PTRS2;                                                                    \
        LANE_SAME(u32, XY, pick32(x, y, max, &m));                                     \
    }
PICK32(min_f, false)
PICK32(max_f, true)

#define ROUNDS .rounds = R(NONE) | R(RN)
#define Z      ISA_F_FTZ
#define ZS     ISA_F_FTZ | ISA_F_SAT
#define FMAS   ISA_F_FTZ | ISA_F_SAT | ISA_F_RELU | ISA_F_OOB
#define PICKS  ISA_F_FTZ | ISA_F_NAN | ISA_F_XORSIGN | ISA_F_ABS

#define BOTH_ON(cl, op, fn, flags, ...)                                                \
    ROWX(op, T(F16), cl, 1, fn##_h, .any = flags, __VA_ARGS__),                        \
        ROWX(op, T(F16X2), cl, 1, fn##_h_2, .any = flags, __VA_ARGS__),                \
        ROWX(op, T(BF16), cl, 1, fn##_b, .any = flags, __VA_ARGS__),                   \
        ROWX(op, T(BF16X2), cl, 1, fn##_b_2, .any = flags, __VA_ARGS__)
#define BOTH(op, fn, flags, ...) BOTH_ON(HALF, op, fn, flags, __VA_ARGS__)

/* Choices are made where comparisons are. */
static const struct lane_row rows[] = {
    BOTH(ADD, add, ZS, ROUNDS),
    BOTH(SUB, sub, ZS, ROUNDS),
    BOTH(MUL, mul, ZS, ROUNDS),
    BOTH(FMA, fma, FMAS, ROUNDS),
    BOTH(FMA, fms, ZS, ROUNDS, .sub = ISA_S_NEG_AB),
    BOTH(FMA, fms, ZS, ROUNDS, .sub = ISA_S_NEG_C),
    BOTH(FMA, fms, ZS, ROUNDS, .sub = ISA_S_NEG_ABC),
    BOTH_ON(ICMP, MIN, min, PICKS, .vec = 0),
    BOTH_ON(ICMP, MAX, max, PICKS, .vec = 0),
    ROWX(MIN, T(F32), ICMP, 1, min_f, .flags = ISA_F_NAN, .any = ISA_F_FTZ),
    ROWX(MAX, T(F32), ICMP, 1, max_f, .flags = ISA_F_NAN, .any = ISA_F_FTZ),
    ROWX(MIN, T(F32), ICMP, 1, min_f, .flags = ISA_F_XORSIGN | ISA_F_ABS,
         .any = ISA_F_FTZ | ISA_F_NAN),
    ROWX(MAX, T(F32), ICMP, 1, max_f, .flags = ISA_F_XORSIGN | ISA_F_ABS,
         .any = ISA_F_FTZ | ISA_F_NAN),
    BOTH(NEG, neg, Z, .vec = 0),
    BOTH(ABS, abs, Z, .vec = 0),
};

LANE_TABLE(lane_half_table, rows);
