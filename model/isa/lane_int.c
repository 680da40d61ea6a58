/* Integer add, subtract, compare-and-choose, and the rest that is not a product. */
#include "isa/lane.h"

#define T16 (T(U16) | T(S16))
#define T32 (T(U32) | T(S32))
#define T64 (T(U64) | T(S64))

static inline uint32_t sub_sat(uint32_t x, uint32_t y)
{
    const uint32_t r = x - y;

    return ((x ^ y) & (x ^ r)) >> 31 ? 0x7fffffffu + (x >> 31) : r;
}

LANE_OP2(add16, u16, u16, u16, x + y);
LANE_OP2(add32, u32, u32, u32, x + y);
LANE_OP2(add64, u64, u64, u64, x + y);
LANE_OP2(add_sat32, u32, u32, u32, lane_add_sat(x, y));
LANE_OP2(sub16, u16, u16, u16, x - y);
LANE_OP2(sub32, u32, u32, u32, x - y);
LANE_OP2(sub64, u64, u64, u64, x - y);
LANE_OP2(sub_sat32, u32, u32, u32, sub_sat(x, y));
LANE_OP1(abs16, u16, s16, x < 0 ? -x : x);
LANE_OP1(abs32, u32, s32, x < 0 ? 0u - (uint32_t)x : (uint32_t)x);
LANE_OP1(abs64, u64, s64, x < 0 ? 0u - (uint64_t)x : (uint64_t)x);
LANE_OP1(neg16, u16, u16, 0u - x);
LANE_OP1(neg32, u32, u32, 0u - x);
LANE_OP1(neg64, u64, u64, 0u - x);
LANE_OP2(min_s16, u16, s16, s16, x < y ? x : y);
LANE_OP2(max_s16, u16, s16, s16, x > y ? x : y);
LANE_OP2(min_u32, u32, u32, u32, x < y ? x : y);
LANE_OP2(max_u32, u32, u32, u32, x > y ? x : y);
LANE_OP2(min_s32, u32, s32, s32, x < y ? x : y);
LANE_OP2(max_s32, u32, s32, s32, x > y ? x : y);
LANE_OP2(min_u64, u64, u64, u64, x < y ? x : y);
LANE_OP2(max_u64, u64, u64, u64, x > y ? x : y);
LANE_OP2(min_s64, u64, s64, s64, x < y ? x : y);
LANE_OP2(max_s64, u64, s64, s64, x > y ? x : y);

/* |x - y| + z; the difference is taken modulo, as its sign is known. */
#define DISTANCE(C) ((x < y ? (C)y - (C)x : (C)x - (C)y) + z)
#define SUM_S32     ((int32_t)((uint32_t)x + (uint32_t)y))
LANE_OP3(sum, u32, u32, u32, u32, x + y + z);
LANE_OP3(sum_less_c, u32, u32, u32, u32, x + y - z);
LANE_OP3(sum_less_bc, u32, u32, u32, u32, x - y - z);
LANE_OP3(min_sum_u32, u32, u32, u32, u32, x + y < z ? x + y : z);
LANE_OP3(max_sum_u32, u32, u32, u32, u32, x + y > z ? x + y : z);
LANE_OP3(min_sum_s32, u32, s32, s32, s32, SUM_S32 < z ? SUM_S32 : z);
LANE_OP3(max_sum_s32, u32, s32, s32, s32, SUM_S32 > z ? SUM_S32 : z);

LANE_OP3(sad_u16, u16, u16, u16, u16, DISTANCE(uint32_t));
LANE_OP3(sad_s16, u16, s16, s16, u16, DISTANCE(uint32_t));
LANE_OP3(sad_u32, u32, u32, u32, u32, DISTANCE(uint32_t));
LANE_OP3(sad_s32, u32, s32, s32, u32, DISTANCE(uint32_t));
LANE_OP3(sad_u64, u64, u64, u64, u64, DISTANCE(uint64_t));
LANE_OP3(sad_s64, u64, s64, s64, u64, DISTANCE(uint64_t));

/*
 * ---- division ----
 *
 * PTX leaves x / 0 and x % 0 open: all ones here. The most negative value divided by -1
 * wraps to itself, remainder 0.
 *
 * 32 bits go through doubles, which SIMD can divide. (x + 1/2) / y - 1/2 lies within
 * 1/2 - 1/2y of the quotient, and what two roundings do to it is below 2^-19 / y; so
 * the nearest integer is the quotient. Adding 3 * 2^51 rounds to it and leaves it in
 * the low bits. The divisor is mostly one for all lanes: its reciprocal is computed
 * once.
 */
static inline double exact(uint32_t x)
{
    return bits_f64(0x4330000000000000ull | x) - 0x1p52;
}

/* by: 1.0 / y */
static inline uint32_t quotient(uint32_t x, double by)
{
    const double half_more = bits_f64(0x4330000000000000ull | x) - 0x1.fffffffffffffp51;

    return (uint32_t)bits_of_f64(half_more * by - 0.5 + 0x1.8p52);
}

/* All ones if y is 0. */
#define IF_ZERO(y) (0u - (uint32_t)((y) == 0))
/* v with the sign of s: all ones or 0. */
#define SIGNED(v, s) (((v) ^ (s)) - (s))

/* Quotient or remainder of x and y; is_signed: they are signed numbers. */
LANE_INLINE uint32_t divided(uint32_t x, uint32_t y, double by, bool is_signed,
                             bool rem)
{
    const uint32_t sx = is_signed ? 0u - (x >> 31) : 0;
    const uint32_t sy = is_signed ? 0u - (y >> 31) : 0;
    const uint32_t mx = SIGNED(x, sx), my = SIGNED(y, sy);
    const uint32_t q = quotient(mx, by);

    return IF_ZERO(y) | (rem ? SIGNED(mx - q * my, sx) : SIGNED(q, sx ^ sy));
}

/* 1 / |y| */
LANE_INLINE double inverse(uint32_t y, bool is_signed)
{
    return 1.0 / exact(is_signed && y >> 31 ? 0u - y : y);
}

/* By one divisor; a power of two is the usual one. */
LANE_INLINE void divide_by(uint32_t v[ISA_LANES], const uint32_t *a, uint32_t y,
                           bool is_signed, bool rem)
{
    const double by = inverse(y, is_signed);

    if (!is_signed && y != 0 && (y & (y - 1)) == 0) {
        const uint32_t n = (uint32_t)__builtin_ctz(y);

        LANE_LOOP
        {
            v[l] = rem ? a[l] & (y - 1) : a[l] >> n;
        }
        return;
    }
    LANE_LOOP
    {
        v[l] = divided(a[l], y, by, is_signed, rem);
    }
}

/* 32-bit registers; 16-bit signed values extended first. */
LANE_INLINE void divide(const struct isa_uop *u, const struct isa_lanes *w,
                        uint32_t mask, bool is_signed, bool rem)
{
    LANE_PTRS2;
    uint32_t v[ISA_LANES];

    if (lane_all_equal(b)) {
        divide_by(v, a, b[0], is_signed, rem);
    } else {
        LANE_LOOP
        {
            v[l] = divided(a[l], b[l], inverse(b[l], is_signed), is_signed, rem);
        }
    }
    lane_commit32(d, v, mask);
}

#define DIVIDE32(name, is_signed, rem)                                                 \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        divide(u, w, mask, is_signed, rem);                                            \
    }                                                                                  \
    static isa_exec_fn name
DIVIDE32(div_u32, false, false);
DIVIDE32(div_s32, true, false);
DIVIDE32(rem_u32, false, true);
DIVIDE32(rem_s32, true, true);

#define SHORT(is_signed, rem)                                                          \
    divided((uint32_t)x, (uint32_t)y, inverse((uint32_t)y, is_signed), is_signed, rem)
LANE_OP2(div_u16, u16, u16, u16, SHORT(false, false));
LANE_OP2(div_s16, u16, s16, s16, SHORT(true, false));
LANE_OP2(rem_u16, u16, u16, u16, SHORT(false, true));
LANE_OP2(rem_s16, u16, s16, s16, SHORT(true, true));

static inline uint64_t div_s64(int64_t x, int64_t y)
{
    if (y == 0) {
        return UINT64_MAX;
    }
    return y == -1 ? 0u - (uint64_t)x : (uint64_t)(x / y);
}

static inline uint64_t rem_s64(int64_t x, int64_t y)
{
    if (y == 0) {
        return UINT64_MAX;
    }
    return y == -1 ? 0 : (uint64_t)(x % y);
}

/* No bit of the upper words is set: 32-bit operands in all but name. */
LANE_INLINE bool are_short(const uint32_t *a, const uint32_t *b)
{
    uint64_t any = 0;

    LANE_LOOP
    {
        any |= lane_ld64(a, l) | lane_ld64(b, l);
    }
    return any >> 32 == 0;
}

/* The result of lane operands of 32 bits in 64. */
static inline uint64_t divided64(uint32_t x, uint32_t y, bool rem)
{
    const uint64_t r = divided(x, y, inverse(y, false), false, rem);

    return r | (0u - (uint64_t)(y == 0));
}

#define DIVIDE64(name, T, rem, expr)                                                   \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        LANE_PTRS2;                                                                    \
        if (are_short(a, b)) {                                                         \
            LANE_MIXED(u64, LANE_X(u64);                                               \
                       LANE_Y(u64), divided64((uint32_t)x, (uint32_t)y, rem));         \
        } else {                                                                       \
            LANE_SLOW(u64, LANE_X(T); LANE_Y(T), expr);                                \
        }                                                                              \
    }                                                                                  \
    static isa_exec_fn name
DIVIDE64(div_u64, u64, false, y == 0 ? UINT64_MAX : x / y);
DIVIDE64(div_s64_, s64, false, div_s64(x, y));
DIVIDE64(rem_u64, u64, true, y == 0 ? UINT64_MAX : x % y);
DIVIDE64(rem_s64_, s64, true, rem_s64(x, y));

/*
 * Weights. 64-bit values are pairs to the machine: add and subtract are two adds with a
 * carry between them; minimum, maximum and absolute value are two compares (or adds)
 * and two selections. Division is a subroutine: about 20 instructions for 32 bits (a
 * reciprocal, four products, corrections), 10 multiply slots; signs add two; 16 bits go
 * through an f32 quotient; 64 bits take about 70 instructions. The counts of the
 * subroutines are those of the compiled code of recent machines, the rest follows.
 */
static const struct lane_row rows[] = {
    ROW(ADD, T16, IADD, 1, add16),
    ROW(ADD, T32, IADD, 1, add32),
    ROW(ADD, T64, IADD, 2, add64),
    ROWX(ADD, T(S32), IADD, 1, add_sat32, .flags = ISA_F_SAT),
    ROW(SUB, T16, IADD, 1, sub16),
    ROW(SUB, T32, IADD, 1, sub32),
    ROW(SUB, T64, IADD, 2, sub64),
    ROWX(SUB, T(S32), IADD, 1, sub_sat32, .flags = ISA_F_SAT),
    ROW(ABS, T(S16), ICMP, 1, abs16),
    ROW(ABS, T(S32), ICMP, 1, abs32),
    ROW(ABS, T(S64), ICMP, 4, abs64),
    ROW(NEG, T(S16), IADD, 1, neg16),
    ROW(NEG, T(S32), IADD, 1, neg32),
    ROW(NEG, T(S64), IADD, 2, neg64),
    ROW(MIN, T(U16) | T(U32), ICMP, 1, min_u32),
    ROW(MIN, T(S16), ICMP, 1, min_s16),
    ROW(MIN, T(S32), ICMP, 1, min_s32),
    ROW(MIN, T(U64), ICMP, 4, min_u64),
    ROW(MIN, T(S64), ICMP, 4, min_s64),
    ROW(MAX, T(U16) | T(U32), ICMP, 1, max_u32),
    ROW(MAX, T(S16), ICMP, 1, max_s16),
    ROW(MAX, T(S32), ICMP, 1, max_s32),
    ROW(MAX, T(U64), ICMP, 4, max_u64),
    ROW(MAX, T(S64), ICMP, 4, max_s64),
    ROWX(MAD, T32, IADD, 1, sum, .sub = ISA_S_SUM),
    ROWX(MAD, T32, IADD, 1, sum_less_c, .sub = ISA_S_SUM_LESS_C),
    ROWX(MAD, T32, IADD, 1, sum_less_bc, .sub = ISA_S_SUM_LESS_BC),
    ROWX(MIN, T(U32), ICMP, 1, min_sum_u32, .sub = ISA_S_SUM),
    ROWX(MIN, T(S32), ICMP, 1, min_sum_s32, .sub = ISA_S_SUM),
    ROWX(MAX, T(U32), ICMP, 1, max_sum_u32, .sub = ISA_S_SUM),
    ROWX(MAX, T(S32), ICMP, 1, max_sum_s32, .sub = ISA_S_SUM),
    ROW(SAD, T(U16), IMUL, 1, sad_u16),
    ROW(SAD, T(S16), IMUL, 1, sad_s16),
    ROW(SAD, T(U32), IMUL, 1, sad_u32),
    ROW(SAD, T(S32), IMUL, 1, sad_s32),
    ROW(SAD, T(U64), IMUL, 4, sad_u64),
    ROW(SAD, T(S64), IMUL, 4, sad_s64),
    ROW(DIV, T(U16), IDIV, 6, div_u16),
    ROW(DIV, T(S16), IDIV, 8, div_s16),
    ROW(DIV, T(U32), IDIV, 10, div_u32),
    ROW(DIV, T(S32), IDIV, 12, div_s32),
    ROW(DIV, T(U64), IDIV, 35, div_u64),
    ROW(DIV, T(S64), IDIV, 40, div_s64_),
    ROW(REM, T(U16), IDIV, 6, rem_u16),
    ROW(REM, T(S16), IDIV, 8, rem_s16),
    ROW(REM, T(U32), IDIV, 10, rem_u32),
    ROW(REM, T(S32), IDIV, 12, rem_s32),
    ROW(REM, T(U64), IDIV, 35, rem_u64),
    ROW(REM, T(S64), IDIV, 40, rem_s64_),
};

LANE_TABLE(lane_int_table, rows);
