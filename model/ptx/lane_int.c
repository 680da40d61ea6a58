/* Integer add, subtract, compare-and-choose, and the rest that is not a product. */
#include "ptx/lane.h"

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
LANE_OP3(sad_u16, u16, u16, u16, u16, DISTANCE(uint32_t));
LANE_OP3(sad_s16, u16, s16, s16, u16, DISTANCE(uint32_t));
LANE_OP3(sad_u32, u32, u32, u32, u32, DISTANCE(uint32_t));
LANE_OP3(sad_s32, u32, s32, s32, u32, DISTANCE(uint32_t));
LANE_OP3(sad_u64, u64, u64, u64, u64, DISTANCE(uint64_t));
LANE_OP3(sad_s64, u64, s64, s64, u64, DISTANCE(uint64_t));

/* Division. PTX leaves x / 0 and x % 0 open: all ones here. The most negative value
 * divided by -1 wraps to itself, remainder 0. */
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

/* A divisor that cannot trap, in place of 0 (and of -1). */
static inline int32_t tame(int32_t y)
{
    return y == 0 || y == -1 ? 1 : y;
}

static inline uint32_t div_s32(int32_t x, int32_t y)
{
    const uint32_t q = (uint32_t)(x / tame(y));

    return y == 0 ? UINT32_MAX : y == -1 ? 0u - q : q;
}

static inline uint32_t rem_s32(int32_t x, int32_t y)
{
    const uint32_t r = (uint32_t)(x % tame(y));

    return y == 0 ? UINT32_MAX : r; /* x % 1 is x % -1 */
}

LANE_OP2S(div_u32, u32, u32, u32, y == 0 ? UINT32_MAX : x / y);
LANE_OP2S(div_u16, u16, u16, u16, y == 0 ? UINT32_MAX : x / y);
LANE_OP2S(div_s16, u16, s16, s16, div_s32(x, y));
LANE_OP2S(div_s32_, u32, s32, s32, div_s32(x, y));
LANE_OP2S(div_u64, u64, u64, u64, y == 0 ? UINT64_MAX : x / y);
LANE_OP2S(div_s64_, u64, s64, s64, div_s64(x, y));
LANE_OP2S(rem_u16, u16, u16, u16, y == 0 ? UINT32_MAX : x % y);
LANE_OP2S(rem_u32, u32, u32, u32, y == 0 ? UINT32_MAX : x % y);
LANE_OP2S(rem_s16, u16, s16, s16, rem_s32(x, y));
LANE_OP2S(rem_s32_, u32, s32, s32, rem_s32(x, y));
LANE_OP2S(rem_u64, u64, u64, u64, y == 0 ? UINT64_MAX : x % y);
LANE_OP2S(rem_s64_, u64, s64, s64, rem_s64(x, y));

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
    ROWX(ADD, T(S32), IADD, 1, add_sat32, .flags = PTX_F_SAT),
    ROW(SUB, T16, IADD, 1, sub16),
    ROW(SUB, T32, IADD, 1, sub32),
    ROW(SUB, T64, IADD, 2, sub64),
    ROWX(SUB, T(S32), IADD, 1, sub_sat32, .flags = PTX_F_SAT),
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
    ROW(SAD, T(U16), IMUL, 1, sad_u16),
    ROW(SAD, T(S16), IMUL, 1, sad_s16),
    ROW(SAD, T(U32), IMUL, 1, sad_u32),
    ROW(SAD, T(S32), IMUL, 1, sad_s32),
    ROW(SAD, T(U64), IMUL, 4, sad_u64),
    ROW(SAD, T(S64), IMUL, 4, sad_s64),
    ROW(DIV, T(U16), IMUL, 6, div_u16),
    ROW(DIV, T(S16), IMUL, 8, div_s16),
    ROW(DIV, T(U32), IMUL, 10, div_u32),
    ROW(DIV, T(S32), IMUL, 12, div_s32_),
    ROW(DIV, T(U64), IMUL, 35, div_u64),
    ROW(DIV, T(S64), IMUL, 40, div_s64_),
    ROW(REM, T(U16), IMUL, 6, rem_u16),
    ROW(REM, T(S16), IMUL, 8, rem_s16),
    ROW(REM, T(U32), IMUL, 10, rem_u32),
    ROW(REM, T(S32), IMUL, 12, rem_s32_),
    ROW(REM, T(U64), IMUL, 35, rem_u64),
    ROW(REM, T(S64), IMUL, 40, rem_s64_),
};

LANE_TABLE(lane_int_table, rows);
