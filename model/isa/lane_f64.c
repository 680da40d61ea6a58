/*
 * f64 arithmetic.
 *
 * The host computes the rounded results; which NaN comes out of one depends on the
 * operands and is fp.h's to say, so lanes with a NaN result, which are rare, are done
 * again there. Directed roundings are fp.h's altogether.
 */
#include "isa/lane.h"

/* host: a double of x, y, z. exact: the same by fp.h, of the bits p, q, s. */
#define F64_OP(fn, name, ptrs, load, host, reload, exact)                              \
    fn(name)                                                                           \
    {                                                                                  \
        ptrs;                                                                          \
        uint32_t v[2 * ISA_LANES];                                                     \
        uint64_t nan = 0;                                                              \
        LANE_LOOP                                                                      \
        {                                                                              \
            load;                                                                      \
            const double r = (host);                                                   \
            nan |= 0u - (uint64_t)(r != r);                                            \
            lane_st64(v, l, bits_of_f64(r));                                           \
        }                                                                              \
        for (uint32_t l = 0; nan != 0 && l < ISA_LANES; l++) {                         \
            const double r = bits_f64(lane_ld64(v, l));                                \
            if (r != r) {                                                              \
                reload;                                                                \
                lane_st64(v, l, exact);                                                \
            }                                                                          \
        }                                                                              \
        lane_commit64(d, v, mask);                                                     \
    }

#define LOAD1 LANE_X(f64)
#define LOAD2                                                                          \
    LOAD1;                                                                             \
    LANE_Y(f64)
#define LOAD3                                                                          \
    LOAD2;                                                                             \
    LANE_Z(f64)
#define RELOAD1 const uint64_t p = lane_ld64(a, l)
#define RELOAD2                                                                        \
    RELOAD1;                                                                           \
    const uint64_t q = lane_ld64(b, l)
#define RELOAD3                                                                        \
    RELOAD2;                                                                           \
    const uint64_t s = lane_ld64(c, l)

#define SIGN      0x8000000000000000ull
#define QUIET     0x0008000000000000ull
#define IS_NAN(v) (((v) & ~SIGN) > 0x7ff0000000000000ull)
#define RN        ISA_R_RN

/* p - q; a NaN q keeps its sign. */
static inline uint64_t sub64(uint64_t p, uint64_t q, enum isa_round rm)
{
    return fp64_add(p, IS_NAN(q) ? q : q ^ SIGN, rm);
}

F64_OP(LANE_FN, add, LANE_PTRS2, LOAD2, x + y, RELOAD2, fp64_add(p, q, RN))
F64_OP(LANE_FN, sub, LANE_PTRS2, LOAD2, x - y, RELOAD2, sub64(p, q, RN))
F64_OP(LANE_FN, mul, LANE_PTRS2, LOAD2, (x * y), RELOAD2, fp64_mul(p, q, RN))
F64_OP(LANE_FN, div_rn, LANE_PTRS2, LOAD2, x / y, RELOAD2, fp64_div(p, q, RN))
F64_OP(LANE_FN, rcp_rn, LANE_PTRS1, LOAD1, 1.0 / x, RELOAD1, fp64_rcp(p, RN))
F64_OP(LANE_FN, sqrt_rn, LANE_PTRS1, LOAD1, __builtin_sqrt(x), RELOAD1,
       fp64_sqrt(p, RN))
LANE_PLAIN_FN(fma_rn)
{
    LANE_PTRS3;
    LANE_SLOW(u64, LANE_X(u64); LANE_Y(u64); LANE_Z(u64), fp64_fma(x, y, z, RN));
}
#if LANE_HAS_WIDE
F64_OP(LANE_WIDE_FN, fma_rn, LANE_PTRS3, LOAD3, __builtin_fma(x, y, z), RELOAD3,
       fp64_fma(p, q, s, RN))
#else
LANE_WIDE_FN(fma_rn)
{
    fma_rn(u, w, mask);
}
#endif

/* With the sign of the product, the addend or both turned; a NaN keeps its own. */
static inline uint64_t turned(uint64_t v, bool turn)
{
    return turn && !IS_NAN(v) ? v ^ SIGN : v;
}

#define TURN_AB (u->form.sub != ISA_S_NEG_C)
#define TURN_C  (u->form.sub != ISA_S_NEG_AB)
#define SIGNS                                                                          \
    const uint64_t turn_ab = TURN_AB ? SIGN : 0;                                       \
    const uint64_t turn_c = TURN_C ? SIGN : 0
LANE_PLAIN_FN(fma_signed)
{
    LANE_PTRS3;
    LANE_SLOW(u64, LANE_X(u64); LANE_Y(u64);
              LANE_Z(u64), fp64_fma(turned(x, TURN_AB), y, turned(z, TURN_C), RN));
}
#if LANE_HAS_WIDE
F64_OP(LANE_WIDE_FN, fma_signed, LANE_PTRS3;
       SIGNS, LOAD3,
       __builtin_fma(bits_f64(bits_of_f64(x) ^ turn_ab), y,
                     bits_f64(bits_of_f64(z) ^ turn_c)),
       RELOAD3, fp64_fma(turned(p, TURN_AB), q, turned(s, TURN_C), RN))
#else
LANE_WIDE_FN(fma_signed)
{
    fma_signed(u, w, mask);
}
#endif

#define RM ((enum isa_round)u->form.round)
LANE_OP2S(add_rm, u64, u64, u64, fp64_add(x, y, RM));
LANE_OP2S(sub_rm, u64, u64, u64, sub64(x, y, RM));
LANE_OP2S(mul_rm, u64, u64, u64, fp64_mul(x, y, RM));
LANE_OP3S(fma_rm, u64, u64, u64, u64, fp64_fma(x, y, z, RM));
LANE_OP2S(div_rm, u64, u64, u64, fp64_div(x, y, RM));
LANE_OP1S(rcp_rm, u64, u64, fp64_rcp(x, RM));
LANE_OP1S(sqrt_rm, u64, u64, fp64_sqrt(x, RM));
LANE_OP1S(rcp_approx, u64, u64, fp64_rcp_approx_ftz(x));
LANE_OP1S(rsqrt_approx, u64, u64,
          fp64_rsqrt_approx(x, (u->form.flags & ISA_F_FTZ) != 0));

/* The machine adds -0: a NaN is made quiet and keeps its sign (seen on an H100). */
LANE_OP1(abs_f, u64, u64, IS_NAN(x) ? x | QUIET : x & ~SIGN);
LANE_OP1(neg_f, u64, u64, IS_NAN(x) ? x | QUIET : x ^ SIGN);
LANE_OP2(copysign_f, u64, u64, u64, (x & SIGN) | (y & ~SIGN));

/* As for f32: a NaN loses against a number, -0 < +0. Of two the machine takes the
 * second, made quiet. */
static inline uint64_t min_bits(double x, double y)
{
    const uint64_t less = y < x ? bits_of_f64(y) : bits_of_f64(x);
    const uint64_t best = x == y ? bits_of_f64(x) | bits_of_f64(y) : less;
    const uint64_t last = y == y ? bits_of_f64(y) : bits_of_f64(y) | QUIET;

    return x != x ? last : y != y ? bits_of_f64(x) : best;
}

static inline uint64_t max_bits(double x, double y)
{
    const uint64_t more = y > x ? bits_of_f64(y) : bits_of_f64(x);
    const uint64_t best = x == y ? bits_of_f64(x) & bits_of_f64(y) : more;
    const uint64_t last = y == y ? bits_of_f64(y) : bits_of_f64(y) | QUIET;

    return x != x ? last : y != y ? bits_of_f64(x) : best;
}
LANE_OP2(min_f, u64, f64, f64, min_bits(x, y));
LANE_OP2(max_f, u64, f64, f64, max_bits(x, y));
#define F64     T(F64)
#define NEAR    .rounds = R(NONE) | R(RN)
#define TOWARDS .rounds = R(RZ) | R(RM) | R(RP)
#define APPROX  .sub = ISA_S_APPROX

/* Weights: a rounded quotient is a starting value from the SFU and about ten f64
 * operations, a root about twelve, a reciprocal eight. The approximations yield the
 * upper word only and are one SFU operation. Signs are one logic operation on the upper
 * word and a move of the lower. */
static const struct lane_row rows[] = {
    ROWX(ADD, F64, FP64, 1, add, NEAR),
    ROWX(ADD, F64, FP64, 1, add_rm, TOWARDS),
    ROWX(SUB, F64, FP64, 1, sub, NEAR),
    ROWX(SUB, F64, FP64, 1, sub_rm, TOWARDS),
    ROWX(MUL, F64, FP64, 1, mul, NEAR),
    ROWX(MUL, F64, FP64, 1, mul_rm, TOWARDS),
    ROWX(FMA, F64, FP64, 1, fma_rn, NEAR),
    ROWX(FMA, F64, FP64, 1, fma_signed, NEAR, .sub = ISA_S_NEG_AB),
    ROWX(FMA, F64, FP64, 1, fma_signed, NEAR, .sub = ISA_S_NEG_C),
    ROWX(FMA, F64, FP64, 1, fma_signed, NEAR, .sub = ISA_S_NEG_ABC),
    ROWX(FMA, F64, FP64, 1, fma_rm, TOWARDS),
    ROWX(MAD, F64, FP64, 1, fma_rn, NEAR),
    ROWX(MAD, F64, FP64, 1, fma_rm, TOWARDS),
    ROWX(DIV, F64, FP64, 10, div_rn, .rounds = R(RN)),
    ROWX(DIV, F64, FP64, 10, div_rm, TOWARDS),
    ROWX(RCP, F64, FP64, 8, rcp_rn, .rounds = R(RN)),
    ROWX(RCP, F64, FP64, 8, rcp_rm, TOWARDS),
    ROWX(RCP, F64, SFU, 1, rcp_approx, APPROX, .flags = ISA_F_FTZ),
    ROWX(SQRT, F64, FP64, 12, sqrt_rn, .rounds = R(RN)),
    ROWX(SQRT, F64, FP64, 12, sqrt_rm, TOWARDS),
    ROWX(RSQRT, F64, SFU, 1, rsqrt_approx, APPROX, .any = ISA_F_FTZ),
    ROW(ABS, F64, LOGIC, 2, abs_f),
    ROW(NEG, F64, LOGIC, 2, neg_f),
    ROW(COPYSIGN, F64, LOGIC, 2, copysign_f),
    ROW(MIN, F64, FP64, 1, min_f),
    ROW(MAX, F64, FP64, 1, max_f),
};

LANE_TABLE(lane_f64_table, rows);
