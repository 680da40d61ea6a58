/*
 * setp, set, testp: comparisons.
 *
 * A 16-bit unsigned register compares like a 32-bit one. With a boolean operator the
 * result is t op c, and the second predicate !t op c; without one they are t and !t.
 */
#include "isa/lane.h"

static inline uint32_t combine(enum isa_bool op, uint32_t t, uint32_t c)
{
    switch (op) {
    case ISA_B_NONE: return t;
    case ISA_B_AND: return t & c;
    case ISA_B_OR: return t | c;
    case ISA_B_XOR: return t ^ c;
    }
    return t;
}

static void setp_both(const struct isa_uop *u, const struct isa_lanes *w, uint32_t mask,
                      uint32_t t)
{
    const enum isa_bool op = (enum isa_bool)u->form.boolop;
    const uint32_t c = op == ISA_B_NONE ? 0 : lane_pred(u, w, 2);

    lane_set_pred(w, u->dst[0], mask, combine(op, t, c));
    lane_set_pred(w, u->dst2, mask, combine(op, ~t, c));
}

/* All ones or 1.0 where true. */
static void set_result(const struct isa_uop *u, const struct isa_lanes *w,
                       uint32_t mask, uint32_t t)
{
    const enum isa_bool op = (enum isa_bool)u->form.boolop;
    const uint32_t c = op == ISA_B_NONE ? 0 : lane_pred(u, w, 2);
    const uint32_t to = u->form.type;
    const uint32_t yes = to == ISA_T_F32    ? 0x3f800000u
                         : to == ISA_T_F16  ? 0x3c00u
                         : to == ISA_T_BF16 ? 0x3f80u
                                            : UINT32_MAX;
    const uint32_t p = combine(op, t, c);
    uint32_t v[ISA_LANES];

    LANE_LOOP
    {
        v[l] = p & lane_bit[l] ? yes : 0;
    }
    lane_commit32(lane_dst(w, u->dst[0]), v, mask);
}

/* As wide as what is compared, which keeps the loop in one width of lane. */
#define MASK_s16  uint32_t
#define MASK_u32  uint32_t
#define MASK_s32  uint32_t
#define MASK_f32  uint32_t
#define MASK_f32z uint32_t
#define MASK_u64  uint64_t
#define MASK_s64  uint64_t
#define MASK_f64  uint64_t

/* name: lanes where cond; name_p: setp p; name_q: setp p|q and boolean; name_s: set. */
#define CMP(name, TA, cond)                                                            \
    LANE_INLINE uint32_t name(const struct isa_uop *u, const struct isa_lanes *w)      \
    {                                                                                  \
        const uint32_t *a = lane_src(w, u->src[0]);                                    \
        const uint32_t *b = lane_src(w, u->src[1]);                                    \
        MASK_##TA t = 0;                                                               \
        LANE_LOOP                                                                      \
        {                                                                              \
            LANE_X(TA);                                                                \
            LANE_Y(TA);                                                                \
            t |= (cond) ? (MASK_##TA)lane_bit[l] : 0;                                  \
        }                                                                              \
        return (uint32_t)t;                                                            \
    }                                                                                  \
    LANE_FN(name##_p)                                                                  \
    {                                                                                  \
        lane_set_pred(w, u->dst[0], mask, name(u, w));                                 \
    }                                                                                  \
    LANE_FN(name##_q)                                                                  \
    {                                                                                  \
        setp_both(u, w, mask, name(u, w));                                             \
    }                                                                                  \
    LANE_FN(name##_s)                                                                  \
    {                                                                                  \
        set_result(u, w, mask, name(u, w));                                            \
    }                                                                                  \
    static isa_exec_fn name##_s

#define CMP_ORDER(t)                                                                   \
    CMP(lt_##t, t, x < y);                                                             \
    CMP(le_##t, t, x <= y);                                                            \
    CMP(gt_##t, t, x > y);                                                             \
    CMP(ge_##t, t, x >= y)
#define CMP_EQUAL(t)                                                                   \
    CMP(eq_##t, t, x == y);                                                            \
    CMP(ne_##t, t, x != y)
/* C's comparisons are false for a NaN, != true. */
#define CMP_FLOAT(t)                                                                   \
    CMP_ORDER(t);                                                                      \
    CMP(eq_##t, t, x == y);                                                            \
    CMP(ne_##t, t, (x < y) | (x > y));                                                 \
    CMP(equ_##t, t, !((x < y) | (x > y)));                                             \
    CMP(neu_##t, t, x != y);                                                           \
    CMP(ltu_##t, t, !(x >= y));                                                        \
    CMP(leu_##t, t, !(x > y));                                                         \
    CMP(gtu_##t, t, !(x <= y));                                                        \
    CMP(geu_##t, t, !(x < y));                                                         \
    CMP(num_##t, t, (x == x) & (y == y));                                              \
    CMP(nan_##t, t, (x != x) | (y != y))

CMP_EQUAL(u32);
CMP_EQUAL(u64);
CMP_ORDER(s16);
CMP_ORDER(u32);
CMP_ORDER(s32);
CMP_ORDER(u64);
CMP_ORDER(s64);
CMP_FLOAT(f32);
CMP_FLOAT(f32z);
CMP_FLOAT(f64);

/* ---- setp of an assembler: has a bit that the other has, or none ---- */

LANE_INLINE uint32_t shares_bit(const struct isa_uop *u, const struct isa_lanes *w)
{
    const uint32_t *a = lane_src(w, u->src[0]);
    const uint32_t *b = lane_src(w, u->src[1]);
    uint32_t t = 0;

    LANE_LOOP
    {
        t |= (a[l] & b[l]) != 0 ? lane_bit[l] : 0;
    }
    return t;
}

LANE_FN(and_ne)
{
    lane_set_pred(w, u->dst[0], mask, shares_bit(u, w));
}

LANE_FN(and_eq)
{
    lane_set_pred(w, u->dst[0], mask, ~shares_bit(u, w));
}

/* ---- testp: on the bits; zeros count as normal (PTX) ---- */

#define TESTP(name, TA, cond)                                                          \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        const uint32_t *a = lane_src(w, u->src[0]);                                    \
        MASK_##TA t = 0;                                                               \
        LANE_LOOP                                                                      \
        {                                                                              \
            LANE_X(TA);                                                                \
            t |= (cond) ? (MASK_##TA)lane_bit[l] : 0;                                  \
        }                                                                              \
        lane_set_pred(w, u->dst[0], mask, (uint32_t)t);                                \
    }                                                                                  \
    static isa_exec_fn name
#define MAG32 (x & 0x7fffffffu)
#define MAG64 (x & 0x7fffffffffffffffull)
#define INF32 0x7f800000u
#define INF64 0x7ff0000000000000ull
#define MIN32 0x00800000u /* smallest normal */
#define MIN64 0x0010000000000000ull
TESTP(finite32, u32, MAG32 < INF32);
TESTP(infinite32, u32, MAG32 == INF32);
TESTP(number32, u32, MAG32 <= INF32);
TESTP(notanumber32, u32, MAG32 > INF32);
TESTP(normal32, u32, (MAG32 == 0) | ((MAG32 >= MIN32) & (MAG32 < INF32)));
TESTP(subnormal32, u32, (MAG32 != 0) & (MAG32 < MIN32));
TESTP(finite64, u64, MAG64 < INF64);
TESTP(infinite64, u64, MAG64 == INF64);
TESTP(number64, u64, MAG64 <= INF64);
TESTP(notanumber64, u64, MAG64 > INF64);
TESTP(normal64, u64, (MAG64 == 0) | ((MAG64 >= MIN64) & (MAG64 < INF64)));
TESTP(subnormal64, u64, (MAG64 != 0) & (MAG64 < MIN64));
#define DST  (T(U32) | T(S32) | T(F32) | T(F16) | T(BF16))
#define BOOL (B(AND) | B(OR) | B(XOR))

/* setp p; setp p|q or with a boolean; set. A plain setp is the first row's, as the
 * first that matches wins. */
#define CMP_ROWS(c, fn, t, cl, wt, fl)                                                 \
    ROWX(SETP, t, cl, wt, fn##_p, .cmp = ISA_C_##c, .flags = (fl)),                    \
        ROWX(SETP, t, cl, wt, fn##_q, .cmp = ISA_C_##c, .flags = (fl),                 \
             .any = ISA_F_DST2, .bools = B(NONE) | BOOL),                              \
        ROWX(SET, DST, cl, wt, fn##_s, .cmp = ISA_C_##c, .flags = (fl), .types2 = (t), \
             .bools = B(NONE) | BOOL)

#define EQUAL_ROWS(t, set, wt)                                                         \
    CMP_ROWS(EQ, eq_##t, set, ICMP, wt, 0), CMP_ROWS(NE, ne_##t, set, ICMP, wt, 0)
#define ORDER_ROWS(t, set, cl, wt, fl)                                                 \
    CMP_ROWS(LT, lt_##t, set, cl, wt, fl), CMP_ROWS(LE, le_##t, set, cl, wt, fl),      \
        CMP_ROWS(GT, gt_##t, set, cl, wt, fl), CMP_ROWS(GE, ge_##t, set, cl, wt, fl)
#define UNSIGNED_ROWS(t, set, wt)                                                      \
    CMP_ROWS(LO, lt_##t, set, ICMP, wt, 0), CMP_ROWS(LS, le_##t, set, ICMP, wt, 0),    \
        CMP_ROWS(HI, gt_##t, set, ICMP, wt, 0), CMP_ROWS(HS, ge_##t, set, ICMP, wt, 0)
#define FLOAT_ROWS(t, set, cl, fl)                                                     \
    ORDER_ROWS(t, set, cl, 1, fl), CMP_ROWS(EQ, eq_##t, set, cl, 1, fl),               \
        CMP_ROWS(NE, ne_##t, set, cl, 1, fl), CMP_ROWS(EQU, equ_##t, set, cl, 1, fl),  \
        CMP_ROWS(NEU, neu_##t, set, cl, 1, fl),                                        \
        CMP_ROWS(LTU, ltu_##t, set, cl, 1, fl),                                        \
        CMP_ROWS(LEU, leu_##t, set, cl, 1, fl),                                        \
        CMP_ROWS(GTU, gtu_##t, set, cl, 1, fl),                                        \
        CMP_ROWS(GEU, geu_##t, set, cl, 1, fl),                                        \
        CMP_ROWS(NUM, num_##t, set, cl, 1, fl), CMP_ROWS(NAN, nan_##t, set, cl, 1, fl)
#define TESTP_ROW(s, fn, cl)                                                           \
    ROWX(TESTP, T(F32), ICMP, 1, fn##32, .sub = ISA_S_##s),                            \
        ROWX(TESTP, T(F64), ICMP, 2, fn##64, .sub = ISA_S_##s)

#define BU32 (T(B16) | T(U16) | T(B32) | T(U32))
#define BU64 (T(B64) | T(U64))

/* 64-bit integers are compared by halves: weight 2. f64 comparisons go down the f64
 * pipe, f32 ones share the unit of integer compare, minimum and maximum. */
static const struct lane_row rows[] = {
    EQUAL_ROWS(u32, BU32 | T(S16) | T(S32), 1),
    EQUAL_ROWS(u64, BU64 | T(S64), 2),
    ORDER_ROWS(u32, BU32, ICMP, 1, 0),
    UNSIGNED_ROWS(u32, BU32, 1),
    ORDER_ROWS(u64, BU64, ICMP, 2, 0),
    UNSIGNED_ROWS(u64, BU64, 2),
    ORDER_ROWS(s16, T(S16), ICMP, 1, 0),
    ORDER_ROWS(s32, T(S32), ICMP, 1, 0),
    ORDER_ROWS(s64, T(S64), ICMP, 2, 0),
    FLOAT_ROWS(f32, T(F32), ICMP, 0),
    FLOAT_ROWS(f32z, T(F32), ICMP, ISA_F_FTZ),
    FLOAT_ROWS(f64, T(F64), FP64, 0),
    ROWX(SETP, T(B32), LOGIC, 1, and_eq, .cmp = ISA_C_EQ, .sub = ISA_S_AND),
    ROWX(SETP, T(B32), LOGIC, 1, and_ne, .cmp = ISA_C_NE, .sub = ISA_S_AND),
    TESTP_ROW(FINITE, finite, ICMP),
    TESTP_ROW(INFINITE, infinite, ICMP),
    TESTP_ROW(NUMBER, number, ICMP),
    TESTP_ROW(NOTANUMBER, notanumber, ICMP),
    TESTP_ROW(NORMAL, normal, ICMP),
    TESTP_ROW(SUBNORMAL, subnormal, ICMP),
};

LANE_TABLE(lane_cmp_table, rows);
