/*
 * Extended precision: add.cc addc sub.cc subc mad.cc madc, 32 and 64 bits.
 *
 * The carry flag is one bit per lane. After a subtraction it is set where nothing was
 * borrowed, and subc computes a - b - 1 + flag. Only code that mixes the two kinds can
 * tell, and nvcc's 128-bit division does (SUBC.CC, then ADDC); so says an H100.
 */
#include "base/attr.h"
#include "isa/lane.h"

static inline uint32_t carry_in(const struct isa_uop *u, const struct isa_lanes *w)
{
    return (u->form.flags & ISA_F_CC_IN) != 0 || u->form.op == ISA_OP_ADDC ||
                   u->form.op == ISA_OP_SUBC || u->form.op == ISA_OP_MADC
               ? w->p[u->cc]
               : 0;
}

/* A borrow of the operation before: where the flag is not set. */
static inline uint32_t borrow_in(const struct isa_uop *u, const struct isa_lanes *w)
{
    return u->form.op == ISA_OP_SUBC ? ~carry_in(u, w) : 0;
}

static inline void carry_out(const struct isa_uop *u, const struct isa_lanes *w,
                             uint32_t mask, uint32_t cc)
{
    if ((u->form.flags & ISA_F_CC_OUT) != 0) {
        lane_set_pred(w, u->cc, mask, cc);
    }
}

/* In: lane operands as load says, cin of the lanes that in gives. The statements give r
 * and the carry cout. */
#define CHAIN(name, ptrs, TD, C, in, load, statements)                                 \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        const uint32_t cc = in(u, w);                                                  \
        C out = 0;                                                                     \
        ptrs;                                                                          \
        uint32_t v[LANE_N_##TD * ISA_LANES];                                           \
        LANE_LOOP                                                                      \
        {                                                                              \
            const C cin = (C)((cc & lane_bit[l]) != 0);                                \
            load;                                                                      \
            statements;                                                                \
            LANE_PUT_##TD(v, l, r);                                                    \
            out |= (0 - (C)(cout)) & lane_bit[l];                                      \
        }                                                                              \
        LANE_COMMIT_##TD(d, v, mask);                                                  \
        carry_out(u, w, mask, (uint32_t)out);                                          \
    }                                                                                  \
    static isa_exec_fn name

/* x + y + cin carries if the first or the second addition wraps (never both). */
#define SUM(C, first, second)                                                          \
    const C s = (first) + (second), r = s + cin;                                       \
    const C cout = (C)(s < (second)) | (C)(r < s)

#define XY(t)                                                                          \
    LANE_X(t);                                                                         \
    LANE_Y(t)
#define XYZ(t)                                                                         \
    LANE_X(t);                                                                         \
    LANE_Y(t);                                                                         \
    LANE_Z(t)

CHAIN(add_cc32, LANE_PTRS2, u32, uint32_t, carry_in, XY(u32), SUM(uint32_t, x, y));
CHAIN(add_cc64, LANE_PTRS2, u64, uint64_t, carry_in, XY(u64), SUM(uint64_t, x, y));
/* cin: what to borrow. */
#define DIFFERENCE(C)                                                                  \
    const C s = x - y, r = s - cin;                                                    \
    const C cout = (C)(x >= y) & (C)(s >= cin)
CHAIN(sub_cc32, LANE_PTRS2, u32, uint32_t, borrow_in, XY(u32), DIFFERENCE(uint32_t));
CHAIN(sub_cc64, LANE_PTRS2, u64, uint64_t, borrow_in, XY(u64), DIFFERENCE(uint64_t));
#define MUL_HI_U32(x, y) ((uint32_t)(((uint64_t)(x) * (uint64_t)(y)) >> 32))
#define MUL_HI_S32(x, y)                                                               \
    ((uint32_t)((uint64_t)((int64_t)(int32_t)(x) * (int32_t)(y)) >> 32))
#define MUL_HI_S64(x, y) (attr_mulhi64(x, y) - (x >> 63 ? y : 0) - (y >> 63 ? x : 0))

CHAIN(mad_lo_cc32, LANE_PTRS3, u32, uint32_t, carry_in, XYZ(u32),
      SUM(uint32_t, (x * y), z));
CHAIN(mad_hi_cc_u32, LANE_PTRS3, u32, uint32_t, carry_in, XYZ(u32),
      SUM(uint32_t, MUL_HI_U32(x, y), z));
CHAIN(mad_hi_cc_s32, LANE_PTRS3, u32, uint32_t, carry_in, XYZ(u32),
      SUM(uint32_t, MUL_HI_S32(x, y), z));
CHAIN(mad_lo_cc64, LANE_PTRS3, u64, uint64_t, carry_in, XYZ(u64),
      SUM(uint64_t, (x * y), z));
CHAIN(mad_hi_cc_u64, LANE_PTRS3, u64, uint64_t, carry_in, XYZ(u64),
      SUM(uint64_t, attr_mulhi64(x, y), z));
CHAIN(mad_hi_cc_s64, LANE_PTRS3, u64, uint64_t, carry_in, XYZ(u64),
      SUM(uint64_t, MUL_HI_S64(x, y), z));
#define T32 (T(U32) | T(S32))
#define T64 (T(U64) | T(S64))
#define OUT .flags = ISA_F_CC_OUT
#define IN  .any = ISA_F_CC_IN | ISA_F_CC_OUT
#define LO  .sub = ISA_S_LO
#define HI  .sub = ISA_S_HI

/* Weights as of the same operations without carry. */
static const struct lane_row rows[] = {
    ROWX(ADD, T32, IADD, 1, add_cc32, OUT),
    ROWX(ADD, T64, IADD, 2, add_cc64, OUT),
    ROWX(ADDC, T32, IADD, 1, add_cc32, IN),
    ROWX(ADDC, T64, IADD, 2, add_cc64, IN),
    ROWX(SUB, T32, IADD, 1, sub_cc32, OUT),
    ROWX(SUB, T64, IADD, 2, sub_cc64, OUT),
    ROWX(SUBC, T32, IADD, 1, sub_cc32, IN),
    ROWX(SUBC, T64, IADD, 2, sub_cc64, IN),
    ROWX(MAD, T32, IMUL, 1, mad_lo_cc32, LO, OUT),
    ROWX(MAD, T(U32), IMUL, 1, mad_hi_cc_u32, HI, OUT),
    ROWX(MAD, T(S32), IMUL, 1, mad_hi_cc_s32, HI, OUT),
    ROWX(MAD, T64, IMUL, 4, mad_lo_cc64, LO, OUT),
    ROWX(MAD, T(U64), IMUL, 8, mad_hi_cc_u64, HI, OUT),
    ROWX(MAD, T(S64), IMUL, 8, mad_hi_cc_s64, HI, OUT),
    ROWX(MADC, T32, IMUL, 1, mad_lo_cc32, LO, IN),
    ROWX(MADC, T(U32), IMUL, 1, mad_hi_cc_u32, HI, IN),
    ROWX(MADC, T(S32), IMUL, 1, mad_hi_cc_s32, HI, IN),
    ROWX(MADC, T64, IMUL, 4, mad_lo_cc64, LO, IN),
    ROWX(MADC, T(U64), IMUL, 8, mad_hi_cc_u64, HI, IN),
    ROWX(MADC, T(S64), IMUL, 8, mad_hi_cc_s64, HI, IN),
};

LANE_TABLE(lane_carry_table, rows);
