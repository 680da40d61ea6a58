/*
 * f32 arithmetic.
 *
 * Round to nearest is the host's IEEE arithmetic, 32 lanes at a time; the directed
 * roundings and most approximations are fp.h's, lane by lane. Operands and results of
 * .ftz forms are flushed; .sat clamps to [0, 1] last.
 */
#include "isa/lane.h"

/* ---- round to nearest ---- */

/*
 * Flushing looks at the result rounded to 24 bits whatever its exponent, so that a host
 * result of 2^-126, the smallest normal, may stand for one that was less. Such results
 * are rare: when there is one, fp.h computes the lanes of the warp again. A sum that
 * small is exact and needs no second look.
 */
#define SMALLEST 0x00800000u
#define KEEP(v)  (v)
#define SAT(v)   lane_sat32(bits_f32(v))

/* host: a float of x, y, z. exact: the same by fp.h, of the bits p, q, s. */
#define FTZ_OP(fn, name, fin, ptrs, load, host, reload, exact)                         \
    fn(name)                                                                           \
    {                                                                                  \
        ptrs;                                                                          \
        uint32_t v[ISA_LANES];                                                         \
        uint32_t doubtful = 0;                                                         \
        LANE_LOOP                                                                      \
        {                                                                              \
            load;                                                                      \
            const uint32_t r = lane_bits32(host);                                      \
            doubtful |= (r & 0x7fffffffu) == SMALLEST ? 1u : 0u;                       \
            v[l] = fin(lane_ftz(r));                                                   \
        }                                                                              \
        for (uint32_t l = 0; doubtful != 0 && l < ISA_LANES; l++) {                    \
            reload;                                                                    \
            v[l] = fin(exact);                                                         \
        }                                                                              \
        lane_commit32(d, v, mask);                                                     \
    }
#define LOAD1 LANE_X(f32z)
#define LOAD2                                                                          \
    LOAD1;                                                                             \
    LANE_Y(f32z)
#define LOAD3                                                                          \
    LOAD2;                                                                             \
    LANE_Z(f32z)
#define BITS1 const uint32_t p = a[l]
#define BITS2 BITS1, q = b[l]
#define BITS3 BITS2, s = c[l]
#define RN    ISA_R_RN

#define SUM(name, expr)                                                                \
    LANE_OP2(name, f32, f32, f32, expr);                                               \
    LANE_OP2(name##_z, u32, f32z, f32z, lane_ftz(lane_bits32(expr)));                  \
    LANE_OP2(name##_s, u32, f32, f32, lane_sat32(expr));                               \
    LANE_OP2(name##_zs, u32, f32z, f32z, SAT(lane_ftz(bits_of_f32(expr))))
SUM(add, x + y);
SUM(sub, x - y);
LANE_OP2(mul, f32, f32, f32, (x * y));
LANE_OP2(mul_s, u32, f32, f32, lane_sat32((x * y)));
FTZ_OP(LANE_FN, mul_z, KEEP, LANE_PTRS2, LOAD2, (x * y), BITS2,
       fp32_mul(p, q, RN, true))
FTZ_OP(LANE_FN, mul_zs, SAT, LANE_PTRS2, LOAD2, (x * y), BITS2,
       fp32_mul(p, q, RN, true))
LANE_OP2(div_rn, f32, f32, f32, x / y);
FTZ_OP(LANE_FN, div_rn_z, KEEP, LANE_PTRS2, LOAD2, x / y, BITS2,
       fp32_div(p, q, RN, true))
LANE_OP1(rcp_rn, f32, f32, 1.0f / x);
FTZ_OP(LANE_FN, rcp_rn_z, KEEP, LANE_PTRS1, LOAD1, 1.0f / x, BITS1,
       fp32_rcp(p, RN, true))
/* A root is never subnormal. */
LANE_OP1(sqrt_rn, f32, f32, __builtin_sqrtf(x));
LANE_OP1(sqrt_rn_z, f32, f32z, __builtin_sqrtf(x));

/*
 * p + c rounded once to f32. The sum is rounded to odd (its last bit made 1 if anything
 * was lost), which leaves the rounding to f32 as it would be of the exact sum, as 53 >=
 * 24 + 2.
 */
static inline float sum_rounded_once(double p, double c)
{
    const double s = p + c;
    const double t = s - p;
    const double lost = (p - (s - t)) + (c - t);
    const uint64_t bits = bits_of_f64(s);
    /* A NaN (from infinities) compares false both times. Towards or away from zero as
     * the sign bits of sum and loss differ or agree. */
    const bool adjust = (lost < 0.0 || lost > 0.0) && (bits & 1) == 0;
    const uint64_t step = (bits ^ bits_of_f64(lost)) >> 63 ? UINT64_MAX : 1;

    return (float)bits_f64(adjust ? bits + step : bits);
}

/* x * y + z rounded once, without a fused instruction: a double holds the product. */
static inline float fma_by_double(float x, float y, float z)
{
    return sum_rounded_once((double)x * (double)y, (double)z);
}

/* mad.f32 without a rounding, of 1.x: the product keeps 24 bits, cut off, and an
 * exponent without limits; if nothing is added it is rounded. No subnormals. */
static inline uint32_t cut_product(uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t c = lane_ftz(z);
    const double p = (double)bits_f32(lane_ftz(x)) * (double)bits_f32(lane_ftz(y));

    if ((c & 0x7fffffffu) == 0) {
        return fp32_add(fp32_mul(x, y, ISA_R_RN, true), c, ISA_R_RN, true);
    }
    return lane_ftz(
        lane_bits32(sum_rounded_once(bits_f64(bits_of_f64(p) & ~0x1fffffffull),
                                     (double)bits_f32(c))));
}

#define FMA_OP(fn, name, TD, TS, expr)                                                 \
    fn(name)                                                                           \
    {                                                                                  \
        LANE_PTRS3;                                                                    \
        LANE_SAME(TD, LANE_X(TS); LANE_Y(TS); LANE_Z(TS), expr);                       \
    }
#define FMA_FTZ_OP(fn, name, fin, fma)                                                 \
    FTZ_OP(fn, name, fin, LANE_PTRS3, LOAD3, fma(x, y, z), BITS3,                      \
           fp32_fma(p, q, s, RN, true))
#define FMA_OPS(fn, fma)                                                               \
    FMA_OP(fn, fma_rn, f32, f32, fma(x, y, z))                                         \
    FMA_OP(fn, fma_rn_s, u32, f32, lane_sat32(fma(x, y, z)))                           \
    FMA_FTZ_OP(fn, fma_rn_z, KEEP, fma)                                                \
    FMA_FTZ_OP(fn, fma_rn_zs, SAT, fma)
FMA_OPS(LANE_PLAIN_FN, fma_by_double)
#if LANE_HAS_WIDE
FMA_OPS(LANE_WIDE_FN, __builtin_fmaf)
#else
FMA_OPS(LANE_WIDE_FN, fma_by_double)
#endif

/* Multiply-add with the sign of the product, of the addend or of both turned: what an
 * assembler makes of a multiplication and a subtraction. */
#define SIGNS                                                                          \
    const uint32_t turn_ab = u->form.sub == ISA_S_NEG_C ? 0 : 0x80000000u;             \
    const uint32_t turn_c = u->form.sub == ISA_S_NEG_AB ? 0 : 0x80000000u
#define TURNED(v, by) bits_f32(bits_of_f32(v) ^ (by))
#define SIGNED_OP(fn, name, TD, fma, fin)                                              \
    fn(name)                                                                           \
    {                                                                                  \
        LANE_PTRS3;                                                                    \
        SIGNS;                                                                         \
        LANE_SAME(TD, LANE_X(f32); LANE_Y(f32);                                        \
                  LANE_Z(f32), fin(fma(TURNED(x, turn_ab), y, TURNED(z, turn_c))));    \
    }
#define SIGNED_FTZ_OP(fn, name, fin, fma)                                              \
    FTZ_OP(fn, name, fin, LANE_PTRS3;                                                  \
           SIGNS, LOAD3, fma(TURNED(x, turn_ab), y, TURNED(z, turn_c)), BITS3,         \
           fp32_fma(p ^ turn_ab, q, s ^ turn_c, RN, true))
#define SIGNED_OPS(fn, fma)                                                            \
    SIGNED_OP(fn, fma_signed, f32, fma, KEEP)                                          \
    SIGNED_OP(fn, fma_signed_s, u32, fma, lane_sat32)                                  \
    SIGNED_FTZ_OP(fn, fma_signed_z, KEEP, fma)                                         \
    SIGNED_FTZ_OP(fn, fma_signed_zs, SAT, fma)
SIGNED_OPS(LANE_PLAIN_FN, fma_by_double)
#if LANE_HAS_WIDE
SIGNED_OPS(LANE_WIDE_FN, __builtin_fmaf)
#else
SIGNED_OPS(LANE_WIDE_FN, fma_by_double)
#endif

/* ---- the other roundings ---- */

static inline uint32_t sat_if(bool sat, uint32_t v)
{
    return sat ? fp32_saturate(v) : v;
}

#define RM   ((enum isa_round)u->form.round)
#define Z    ((u->form.flags & ISA_F_FTZ) != 0)
#define S(v) sat_if((u->form.flags & ISA_F_SAT) != 0, v)
LANE_OP2S(add_rm, u32, u32, u32, S(fp32_add(x, y, RM, Z)));
LANE_OP2S(sub_rm, u32, u32, u32, S(fp32_add(x, y ^ 0x80000000u, RM, Z)));
LANE_OP2S(mul_rm, u32, u32, u32, S(fp32_mul(x, y, RM, Z)));
LANE_OP3S(fma_rm, u32, u32, u32, u32, S(fp32_fma(x, y, z, RM, Z)));
LANE_OP3S(mad_cut, u32, u32, u32, u32, S(cut_product(x, y, z)));
LANE_OP2S(div_rm, u32, u32, u32, fp32_div(x, y, RM, Z));
LANE_OP1S(rcp_rm, u32, u32, fp32_rcp(x, RM, Z));
LANE_OP1S(sqrt_rm, u32, u32, fp32_sqrt(x, RM, Z));

/* ---- approximations ---- */

/* fp.h's quotients, reciprocals and roots are the nearest floats, which the host gives.
 * Only the quotient by approximation differs: a divisor above 2^126 has 0 for its
 * reciprocal. */
static inline float quotient(float x, float y)
{
    const uint32_t raw = bits_of_f32(y), mag = raw & 0x7fffffffu;
    const uint32_t large =
        (uint32_t)(mag > 0x7e800000u) & (uint32_t)(mag < 0x7f800000u);
    const float none = x * bits_f32(raw & 0x80000000u);

    return bits_f32(lane_choose(large, bits_of_f32(none), bits_of_f32(x / y)));
}
LANE_OP2(div_approx, f32, f32, f32, quotient(x, y));
FTZ_OP(LANE_FN, div_approx_z, KEEP, LANE_PTRS2, LOAD2, quotient(x, y), BITS2,
       fp32_div_approx(p, q, true))
LANE_OP1(rsqrt_approx, f32, f32, (float)(1.0 / __builtin_sqrt((double)x)));
LANE_OP1(rsqrt_approx_z, f32, f32z, (float)(1.0 / __builtin_sqrt((double)x)));
LANE_OP1S(sin_approx, u32, u32, fp32_sin_approx(x, Z));
LANE_OP1S(cos_approx, u32, u32, fp32_cos_approx(x, Z));
LANE_OP1S(ex2_approx, u32, u32, fp32_ex2_approx(x, Z));
LANE_OP1S(lg2_approx, u32, u32, fp32_lg2_approx(x, Z));
LANE_OP1S(tanh_approx, u32, u32, fp32_tanh_approx(x));

/* ---- signs, minimum, maximum: on the bits ---- */

static inline uint32_t unless_nan(uint32_t x, uint32_t v)
{
    return (x & 0x7fffffffu) > 0x7f800000u ? LANE_NAN32 : v;
}

LANE_OP1(abs_f, u32, u32, unless_nan(x, x & 0x7fffffffu));
LANE_OP1(abs_fz, u32, u32, unless_nan(x, lane_ftz(x) & 0x7fffffffu));
LANE_OP1(neg_f, u32, u32, unless_nan(x, x ^ 0x80000000u));
LANE_OP1(neg_fz, u32, u32, unless_nan(x, lane_ftz(x) ^ 0x80000000u));
LANE_OP2(copysign_f, u32, u32, u32, (x & 0x80000000u) | (y & 0x7fffffffu));

/* A NaN loses against a number, two of them give the canonical one. Of equal operands,
 * which differ in the sign of zero at most, one bit operation picks: -0 < +0. */
static inline uint32_t min_bits(float x, float y)
{
    const uint32_t less = y < x ? bits_of_f32(y) : bits_of_f32(x);
    const uint32_t best = x == y ? bits_of_f32(x) | bits_of_f32(y) : less;
    const uint32_t no_y = y == y ? best : lane_bits32(x);

    return x == x ? no_y : lane_bits32(y);
}

static inline uint32_t max_bits(float x, float y)
{
    const uint32_t more = y > x ? bits_of_f32(y) : bits_of_f32(x);
    const uint32_t best = x == y ? bits_of_f32(x) & bits_of_f32(y) : more;
    const uint32_t no_y = y == y ? best : lane_bits32(x);

    return x == x ? no_y : lane_bits32(y);
}
LANE_OP2(min_f, u32, f32, f32, min_bits(x, y));
LANE_OP2(min_fz, u32, f32z, f32z, min_bits(x, y));
LANE_OP2(max_f, u32, f32, f32, max_bits(x, y));
LANE_OP2(max_fz, u32, f32z, f32z, max_bits(x, y));
#define F32     T(F32)
#define NEAR    .rounds = R(NONE) | R(RN)
#define TOWARDS .rounds = R(RZ) | R(RM) | R(RP)
#define FZ      .flags = ISA_F_FTZ
#define FS      .flags = ISA_F_SAT
#define FZS     .flags = ISA_F_FTZ | ISA_F_SAT
#define ANYZ    .any = ISA_F_FTZ
#define ANYZS   .any = ISA_F_FTZ | ISA_F_SAT
#define APPROX  .sub = ISA_S_APPROX

#define RN2_ROWS(op, fn, slow)                                                         \
    ROWX(op, F32, FP32, 1, fn, NEAR), ROWX(op, F32, FP32, 1, fn##_z, NEAR, FZ),        \
        ROWX(op, F32, FP32, 1, fn##_s, NEAR, FS),                                      \
        ROWX(op, F32, FP32, 1, fn##_zs, NEAR, FZS),                                    \
        ROWX(op, F32, FP32, 1, slow, TOWARDS, ANYZS)
#define FMA_ROWS(op)                                                                   \
    ROWX(op, F32, FP32, 1, fma_rn, NEAR), ROWX(op, F32, FP32, 1, fma_rn_z, NEAR, FZ),  \
        ROWX(op, F32, FP32, 1, fma_rn_s, NEAR, FS),                                    \
        ROWX(op, F32, FP32, 1, fma_rn_zs, NEAR, FZS),                                  \
        ROWX(op, F32, FP32, 1, fma_rm, TOWARDS, ANYZS)

#define SIGNED_ROWS(turn)                                                              \
    ROWX(FMA, F32, FP32, 1, fma_signed, NEAR, .sub = (turn)),                          \
        ROWX(FMA, F32, FP32, 1, fma_signed_z, NEAR, .sub = (turn), FZ),                \
        ROWX(FMA, F32, FP32, 1, fma_signed_s, NEAR, .sub = (turn), FS),                \
        ROWX(FMA, F32, FP32, 1, fma_signed_zs, NEAR, .sub = (turn), FZS)

/*
 * Weights, in SFU slots, of what is a sequence on the machine. One SFU slot is the time
 * of eight f32 ones on 2.0 (4 against 32 results per clock). Division by approximation
 * is a reciprocal and a product; .full adds a range reduction. Rounded division is a
 * reciprocal and about eight f32 operations with a test for the slow path; the rounded
 * reciprocal and root are a little shorter. sin, cos and sqrt by approximation take a
 * second operation on the way in or out (range reduction, reciprocal of rsqrt).
 */
static const struct lane_row rows[] = {
    RN2_ROWS(ADD, add, add_rm),
    RN2_ROWS(SUB, sub, sub_rm),
    RN2_ROWS(MUL, mul, mul_rm),
    FMA_ROWS(FMA),
    SIGNED_ROWS(ISA_S_NEG_AB),
    SIGNED_ROWS(ISA_S_NEG_C),
    SIGNED_ROWS(ISA_S_NEG_ABC),
    ROWX(MAD, F32, FP32, 1, mad_cut, .rounds = R(NONE), ANYZS),
    FMA_ROWS(MAD),
    ROWX(DIV, F32, SFU, 3, div_rn, .rounds = R(RN)),
    ROWX(DIV, F32, SFU, 3, div_rn_z, .rounds = R(RN), FZ),
    ROWX(DIV, F32, SFU, 3, div_rm, TOWARDS, ANYZ),
    ROWX(DIV, F32, SFU, 2, div_approx, APPROX),
    ROWX(DIV, F32, SFU, 2, div_approx_z, APPROX, FZ),
    ROWX(DIV, F32, SFU, 2, div_rn, .sub = ISA_S_FULL),
    ROWX(DIV, F32, SFU, 2, div_rn_z, .sub = ISA_S_FULL, FZ),
    ROWX(RCP, F32, SFU, 2, rcp_rn, .rounds = R(RN)),
    ROWX(RCP, F32, SFU, 2, rcp_rn_z, .rounds = R(RN), FZ),
    ROWX(RCP, F32, SFU, 2, rcp_rm, TOWARDS, ANYZ),
    ROWX(RCP, F32, SFU, 1, rcp_rn, APPROX),
    ROWX(RCP, F32, SFU, 1, rcp_rn_z, APPROX, FZ),
    ROWX(SQRT, F32, SFU, 2, sqrt_rn, .rounds = R(RN)),
    ROWX(SQRT, F32, SFU, 2, sqrt_rn_z, .rounds = R(RN), FZ),
    ROWX(SQRT, F32, SFU, 2, sqrt_rm, TOWARDS, ANYZ),
    ROWX(SQRT, F32, SFU, 2, sqrt_rn, APPROX),
    ROWX(SQRT, F32, SFU, 2, sqrt_rn_z, APPROX, FZ),
    ROWX(RSQRT, F32, SFU, 1, rsqrt_approx, APPROX),
    ROWX(RSQRT, F32, SFU, 1, rsqrt_approx_z, APPROX, FZ),
    ROWX(SIN, F32, SFU, 2, sin_approx, APPROX, ANYZ),
    ROWX(COS, F32, SFU, 2, cos_approx, APPROX, ANYZ),
    ROWX(EX2, F32, SFU, 1, ex2_approx, APPROX, ANYZ),
    ROWX(LG2, F32, SFU, 1, lg2_approx, APPROX, ANYZ),
    ROWX(TANH, F32, SFU, 1, tanh_approx, APPROX),
    ROW(ABS, F32, FP32, 1, abs_f),
    ROWX(ABS, F32, FP32, 1, abs_fz, FZ),
    ROW(NEG, F32, FP32, 1, neg_f),
    ROWX(NEG, F32, FP32, 1, neg_fz, FZ),
    ROW(COPYSIGN, F32, LOGIC, 1, copysign_f),
    ROW(MIN, F32, ICMP, 1, min_f),
    ROWX(MIN, F32, ICMP, 1, min_fz, FZ),
    ROW(MAX, F32, ICMP, 1, max_f),
    ROWX(MAX, F32, ICMP, 1, max_fz, FZ),
};

LANE_TABLE(lane_f32_table, rows);
