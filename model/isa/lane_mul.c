/* Integer products, dot products. */
#include "base/attr.h"
#include "isa/lane.h"

static inline uint64_t wide_u32(uint32_t x, uint32_t y)
{
    return (uint64_t)x * y;
}

static inline int64_t wide_s32(int32_t x, int32_t y)
{
    return (int64_t)x * y;
}

static inline uint32_t hi_u32(uint32_t x, uint32_t y)
{
    return (uint32_t)(wide_u32(x, y) >> 32);
}

static inline uint32_t hi_s32(int32_t x, int32_t y)
{
    return (uint32_t)((uint64_t)wide_s32(x, y) >> 32);
}

static inline uint64_t hi_s64(uint64_t x, uint64_t y)
{
    /* As unsigned, a negative x is x + 2^64: take y off the upper half, and so on. */
    return attr_mulhi64(x, y) - (x >> 63 ? y : 0) - (y >> 63 ? x : 0);
}

/* The low 24 bits, and the 48-bit product of two such. */
static inline int64_t mul24_s(uint32_t x, uint32_t y)
{
    return (int64_t)((int32_t)(x << 8) >> 8) * ((int32_t)(y << 8) >> 8);
}

static inline uint64_t mul24_u(uint32_t x, uint32_t y)
{
    return (uint64_t)(x & 0xffffffu) * (y & 0xffffffu);
}

LANE_OP2(mul_lo16, u16, u16, u16, (x * y));
LANE_OP2(mul_lo32, u32, u32, u32, (x * y));
LANE_OP2(mul_lo64, u64, u64, u64, (x * y));
LANE_OP2(mul_hi_u16, u16, u16, u16, (x * y) >> 16);
LANE_OP2(mul_hi_s16, u16, s16, s16, (x * y) >> 16);
LANE_OP2(mul_hi_u32, u32, u32, u32, hi_u32(x, y));
LANE_OP2(mul_hi_s32, u32, s32, s32, hi_s32(x, y));
LANE_OP2(mul_hi_u64, u64, u64, u64, attr_mulhi64(x, y));
LANE_OP2(mul_hi_s64, u64, u64, u64, hi_s64(x, y));
LANE_OP2(mul_wide_u16, u32, u16, u16, (x * y));
LANE_OP2(mul_wide_s16, u32, s16, s16, (x * y));
LANE_OP2W(mul_wide_u32, u64, u32, u32, wide_u32(x, y));
LANE_OP2W(mul_wide_s32, u64, s32, s32, wide_s32(x, y));
LANE_OP3(mad_lo16, u16, u16, u16, u16, (x * y) + z);
LANE_OP3(mad_lo32, u32, u32, u32, u32, (x * y) + z);
LANE_OP3(mad_lo64, u64, u64, u64, u64, (x * y) + z);
LANE_OP3(mad_hi_u16, u16, u16, u16, u16, ((x * y) >> 16) + z);
LANE_OP3(mad_hi_s16, u16, s16, s16, s16, ((x * y) >> 16) + z);
LANE_OP3(mad_hi_u32, u32, u32, u32, u32, hi_u32(x, y) + z);
LANE_OP3(mad_hi_s32, u32, s32, s32, u32, hi_s32(x, y) + z);
LANE_OP3(mad_hi_sat32, u32, s32, s32, u32, lane_add_sat(hi_s32(x, y), z));
LANE_OP3(mad_hi_u64, u64, u64, u64, u64, attr_mulhi64(x, y) + z);
LANE_OP3(mad_hi_s64, u64, u64, u64, u64, hi_s64(x, y) + z);
LANE_OP3(mad_wide_u16, u32, u16, u16, u32, (x * y) + z);
LANE_OP3(mad_wide_s16, u32, s16, s16, u32, (uint32_t)(x *y) + z);
LANE_OP3W(mad_wide_u32, u64, u32, u32, u64, wide_u32(x, y) + z);
LANE_OP3W(mad_wide_s32, u64, s32, s32, u64, (uint64_t)wide_s32(x, y) + z);
LANE_OP2(mul24_lo_u, u32, u32, u32, mul24_u(x, y));
LANE_OP2(mul24_lo_s, u32, u32, u32, mul24_s(x, y));
LANE_OP2(mul24_hi_u, u32, u32, u32, mul24_u(x, y) >> 16);
LANE_OP2(mul24_hi_s, u32, u32, u32, (uint64_t)mul24_s(x, y) >> 16);
LANE_OP3(mad24_lo_u, u32, u32, u32, u32, (uint32_t)mul24_u(x, y) + z);
LANE_OP3(mad24_lo_s, u32, u32, u32, u32, (uint32_t)mul24_s(x, y) + z);
LANE_OP3(mad24_hi_u, u32, u32, u32, u32, (uint32_t)(mul24_u(x, y) >> 16) + z);
LANE_OP3(mad24_hi_s, u32, u32, u32, u32, (uint32_t)((uint64_t)mul24_s(x, y) >> 16) + z);
LANE_OP3(mad24_hi_sat, u32, u32, u32, u32,
         lane_add_sat((uint32_t)((uint64_t)mul24_s(x, y) >> 16), z));

/* Field i of width bits of v, sign-extended if s. */
static inline uint32_t field(uint32_t v, uint32_t i, uint32_t width, bool s)
{
    const uint32_t up = v << (32 - width - i * width);

    return s ? (uint32_t)((int32_t)up >> (32 - width)) : up >> (32 - width);
}

static inline bool a_signed(const struct isa_form *f)
{
    return f->type == ISA_T_S32 || (f->flags & ISA_F_ATYPE_S) != 0;
}

static inline bool b_signed(const struct isa_form *f)
{
    return f->type2 == ISA_T_S32 || (f->flags & ISA_F_BTYPE_S) != 0;
}

static inline uint32_t dot4(uint32_t x, uint32_t y, uint32_t z, bool sa, bool sb)
{
    for (uint32_t i = 0; i < 4; i++) {
        z += field(x, i, 8, sa) * field(y, i, 8, sb);
    }
    return z;
}

/* The 16-bit fields of x times two of the four bytes of y. */
static inline uint32_t dot2(uint32_t x, uint32_t y, uint32_t z, bool sa, bool sb)
{
    for (uint32_t i = 0; i < 2; i++) {
        z += field(x, i, 16, sa) * field(y, i, 8, sb);
    }
    return z;
}

LANE_FN(dp4a)
{
    const bool sa = a_signed(&u->form), sb = b_signed(&u->form);
    LANE_PTRS3;
    LANE_MIXED(u32, LANE_X(u32); LANE_Y(u32); LANE_Z(u32), dot4(x, y, z, sa, sb));
}

LANE_FN(dp2a)
{
    const bool sa = a_signed(&u->form), sb = b_signed(&u->form);
    const uint32_t first = u->form.sub == ISA_S_HI ? 16 : 0;
    LANE_PTRS3;
    LANE_MIXED(u32, LANE_X(u32); LANE_Y(u32);
               LANE_Z(u32), dot2(x, y >> first, z, sa, sb));
}

#define LO   .sub = ISA_S_LO
#define HI   .sub = ISA_S_HI
#define WIDE .sub = ISA_S_WIDE

/*
 * Weights. A 32-bit product of which one half is kept is one multiply; both halves are
 * two. The low half of a 64-bit product takes three multiplies and an add with carry;
 * the high half all four partial products, each wide. 24-bit products are 32-bit ones
 * with the operands cut first.
 */
static const struct lane_row rows[] = {
    ROWX(MUL, T(U16) | T(S16), IMUL, 1, mul_lo16, LO),
    ROWX(MUL, T(U32) | T(S32), IMUL, 1, mul_lo32, LO),
    ROWX(MUL, T(U64) | T(S64), IMUL, 4, mul_lo64, LO),
    ROWX(MUL, T(U16), IMUL, 1, mul_hi_u16, HI),
    ROWX(MUL, T(S16), IMUL, 1, mul_hi_s16, HI),
    ROWX(MUL, T(U32), IMUL, 1, mul_hi_u32, HI),
    ROWX(MUL, T(S32), IMUL, 1, mul_hi_s32, HI),
    ROWX(MUL, T(U64), IMUL, 8, mul_hi_u64, HI),
    ROWX(MUL, T(S64), IMUL, 8, mul_hi_s64, HI),
    ROWX(MUL, T(U16), IMUL, 1, mul_wide_u16, WIDE),
    ROWX(MUL, T(S16), IMUL, 1, mul_wide_s16, WIDE),
    ROWX(MUL, T(U32), IMUL, 2, mul_wide_u32, WIDE),
    ROWX(MUL, T(S32), IMUL, 2, mul_wide_s32, WIDE),
    ROWX(MAD, T(U16) | T(S16), IMUL, 1, mad_lo16, LO),
    ROWX(MAD, T(U32) | T(S32), IMUL, 1, mad_lo32, LO),
    ROWX(MAD, T(U64) | T(S64), IMUL, 4, mad_lo64, LO),
    ROWX(MAD, T(U16), IMUL, 1, mad_hi_u16, HI),
    ROWX(MAD, T(S16), IMUL, 1, mad_hi_s16, HI),
    ROWX(MAD, T(U32), IMUL, 1, mad_hi_u32, HI),
    ROWX(MAD, T(S32), IMUL, 1, mad_hi_s32, HI),
    ROWX(MAD, T(S32), IMUL, 1, mad_hi_sat32, HI, .flags = ISA_F_SAT),
    ROWX(MAD, T(U64), IMUL, 8, mad_hi_u64, HI),
    ROWX(MAD, T(S64), IMUL, 8, mad_hi_s64, HI),
    ROWX(MAD, T(U16), IMUL, 1, mad_wide_u16, WIDE),
    ROWX(MAD, T(S16), IMUL, 1, mad_wide_s16, WIDE),
    ROWX(MAD, T(U32), IMUL, 2, mad_wide_u32, WIDE),
    ROWX(MAD, T(S32), IMUL, 2, mad_wide_s32, WIDE),
    ROWX(MUL24, T(U32), IMUL, 2, mul24_lo_u, LO),
    ROWX(MUL24, T(S32), IMUL, 2, mul24_lo_s, LO),
    ROWX(MUL24, T(U32), IMUL, 2, mul24_hi_u, HI),
    ROWX(MUL24, T(S32), IMUL, 2, mul24_hi_s, HI),
    ROWX(MAD24, T(U32), IMUL, 2, mad24_lo_u, LO),
    ROWX(MAD24, T(S32), IMUL, 2, mad24_lo_s, LO),
    ROWX(MAD24, T(U32), IMUL, 2, mad24_hi_u, HI),
    ROWX(MAD24, T(S32), IMUL, 2, mad24_hi_s, HI),
    ROWX(MAD24, T(S32), IMUL, 2, mad24_hi_sat, HI, .flags = ISA_F_SAT),
    ROWX(DP4A, T(U32) | T(S32), IMUL, 1, dp4a, .types2 = T(NONE) | T(U32) | T(S32),
         .any = ISA_F_ATYPE_S | ISA_F_BTYPE_S),
    ROWX(DP2A, T(U32) | T(S32), IMUL, 1, dp2a, .types2 = T(NONE) | T(U32) | T(S32),
         .any = ISA_F_ATYPE_S | ISA_F_BTYPE_S, LO),
    ROWX(DP2A, T(U32) | T(S32), IMUL, 1, dp2a, .types2 = T(NONE) | T(U32) | T(S32),
         .any = ISA_F_ATYPE_S | ISA_F_BTYPE_S, HI),
};

LANE_TABLE(lane_mul_table, rows);
