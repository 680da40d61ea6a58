/*
 * Comparisons of f16, f16x2, bf16 and bf16x2: set and setp.
 *
 * Two halves are less, equal, greater, or neither when one is a NaN. Whether an
 * operator holds is a set of these four, so that one function serves all of them.
 */
#include "isa/half_lane.h"

/* Lanes of which one of the four is true. */
struct relation {
    uint32_t less, equal, greater;
};

/* The sets, by enum isa_cmp. */
enum { L = 1, E = 2, G = 4, U = 8 };
static const uint8_t holds_for[] = {
    [ISA_C_EQ] = E,          [ISA_C_NE] = L | G,      [ISA_C_LT] = L,
    [ISA_C_LE] = L | E,      [ISA_C_GT] = G,          [ISA_C_GE] = G | E,
    [ISA_C_EQU] = E | U,     [ISA_C_NEU] = L | G | U, [ISA_C_LTU] = L | U,
    [ISA_C_LEU] = L | E | U, [ISA_C_GTU] = G | U,     [ISA_C_GEU] = G | E | U,
    [ISA_C_NUM] = L | E | G, [ISA_C_NAN] = U,
};

static uint32_t holds(const struct relation *r, uint32_t cmp)
{
    const uint32_t set = holds_for[cmp];

    return ((set & L) != 0 ? r->less : 0) | ((set & E) != 0 ? r->equal : 0) |
           ((set & G) != 0 ? r->greater : 0) |
           ((set & U) != 0 ? ~(r->less | r->equal | r->greater) : 0);
}

/* Of the halves that begin at bit shift. */
LANE_INLINE struct relation relate(const uint32_t *a, const uint32_t *b, uint32_t shift,
                                   uint32_t inf, uint32_t ftz)
{
    uint32_t less = 0, equal = 0, greater = 0;

    LANE_LOOP
    {
        const uint32_t x = fp16_flush(a[l] >> shift & 0xffffu, ftz);
        const uint32_t y = fp16_flush(b[l] >> shift & 0xffffu, ftz);
        const uint32_t zeros = (uint32_t)(((x | y) & HALF_MAG) == 0);
        const uint32_t ok =
            (uint32_t)((x & HALF_MAG) <= inf) & (uint32_t)((y & HALF_MAG) <= inf);
        const int32_t p = half_order(x), q = half_order(y);
        const uint32_t bit = lane_bit[l];

        less |= bit & (0u - ((uint32_t)(p < q) & ok & (zeros ^ 1)));
        greater |= bit & (0u - ((uint32_t)(p > q) & ok & (zeros ^ 1)));
        equal |= bit & (0u - (((uint32_t)(p == q) | zeros) & ok));
    }
    return (struct relation){less, equal, greater};
}

static uint32_t combine(uint32_t op, uint32_t t, uint32_t c)
{
    return op == ISA_B_AND   ? t & c
           : op == ISA_B_OR  ? t | c
           : op == ISA_B_XOR ? t ^ c
                             : t;
}

/* What set and setp share: the truth in each lane, of both halves. */
struct truth {
    uint32_t low, high;
};

LANE_INLINE struct truth compare(const struct isa_uop *u, const struct isa_lanes *w,
                                 uint32_t inf, uint32_t ftz)
{
    const uint32_t *a = lane_src(w, u->src[0]), *b = lane_src(w, u->src[1]);
    const struct relation low = relate(a, b, 0, inf, ftz);
    const struct relation high = relate(a, b, 16, inf, ftz);

    return (struct truth){holds(&low, u->form.cmp), holds(&high, u->form.cmp)};
}

static uint32_t third(const struct isa_uop *u, const struct isa_lanes *w)
{
    return u->form.boolop == ISA_B_NONE ? 0 : lane_pred(u, w, 2);
}

/* setp p, or p|q: of a half p is the result and q its complement, combined the same
 * way; of a pair p is the result of the low half and q that of the high one. */
LANE_INLINE void set_predicates(LANE_ARGS, uint32_t inf, bool pair)
{
    const uint32_t ftz = 0u - (uint32_t)((u->form.flags & ISA_F_FTZ) != 0);
    const struct truth t = compare(u, w, inf, ftz);
    const uint32_t op = u->form.boolop, c = third(u, w);

    if ((u->form.flags & ISA_F_DST2) != 0) {
        lane_set_pred(w, u->dst2, mask, combine(op, pair ? t.high : ~t.low, c));
    }
    lane_set_pred(w, u->dst[0], mask, combine(op, t.low, c));
}

/* set: true is 1.0 of a floating result, all ones of an integer one; of a pair in each
 * half. */
LANE_INLINE void set_register(LANE_ARGS, uint32_t inf, bool pair)
{
    const uint32_t ftz = 0u - (uint32_t)((u->form.flags & ISA_F_FTZ) != 0);
    const struct truth t = compare(u, w, inf, ftz);
    const uint32_t op = u->form.boolop, c = third(u, w), to = u->form.type;
    const uint32_t p = combine(op, t.low, c), q = combine(op, t.high, c);
    const uint32_t one = to == ISA_T_F16 || to == ISA_T_F16X2         ? FP16_ONE
                         : to == ISA_T_BF16 || to == ISA_T_BF16X2     ? 0x3f80u
                         : to == ISA_T_U16 || to == ISA_T_S16 || pair ? 0xffffu
                                                                      : UINT32_MAX;
    uint32_t v[ISA_LANES];

    LANE_LOOP
    {
        const uint32_t low = (p & lane_bit[l]) != 0 ? one : 0;
        const uint32_t high = (q & lane_bit[l]) != 0 ? one : 0;

        v[l] = pair ? low | high << 16 : low;
    }
    lane_commit32(lane_dst(w, u->dst[0]), v, mask);
}

#define CMP(name, inf, pair)                                                           \
    LANE_FN(name##_p)                                                                  \
    {                                                                                  \
        set_predicates(u, w, mask, inf, pair);                                         \
    }                                                                                  \
    LANE_FN(name##_s)                                                                  \
    {                                                                                  \
        set_register(u, w, mask, inf, pair);                                           \
    }
CMP(half, FP16_INF, false)
CMP(half_2, FP16_INF, true)
CMP(bhalf, BF16_INF, false)
CMP(bhalf_2, BF16_INF, true)

#define BOOLS .bools = B(NONE) | B(AND) | B(OR) | B(XOR)
#define ONE(c, fn, t, to, z)                                                           \
    ROWX(SETP, t, ICMP, 1, fn##_p, .cmp = ISA_C_##c, .any = (z) | ISA_F_DST2, BOOLS),  \
        ROWX(SET, to, ICMP, 1, fn##_s, .cmp = ISA_C_##c, .any = (z), .types2 = (t),    \
             BOOLS)
#define ALL(fn, t, to, z)                                                              \
    ONE(EQ, fn, t, to, z), ONE(NE, fn, t, to, z), ONE(LT, fn, t, to, z),               \
        ONE(LE, fn, t, to, z), ONE(GT, fn, t, to, z), ONE(GE, fn, t, to, z),           \
        ONE(EQU, fn, t, to, z), ONE(NEU, fn, t, to, z), ONE(LTU, fn, t, to, z),        \
        ONE(LEU, fn, t, to, z), ONE(GTU, fn, t, to, z), ONE(GEU, fn, t, to, z),        \
        ONE(NUM, fn, t, to, z), ONE(NAN, fn, t, to, z)
#define INTS (T(U16) | T(S16) | T(U32) | T(S32))

static const struct lane_row rows[] = {
    ALL(half, T(F16), INTS | T(F16) | T(BF16), ISA_F_FTZ),
    ALL(half_2, T(F16X2), T(U32) | T(S32) | T(F16X2), ISA_F_FTZ),
    ALL(bhalf, T(BF16), INTS | T(BF16), 0),
    ALL(bhalf_2, T(BF16X2), T(U32) | T(S32) | T(BF16X2), 0),
};

LANE_TABLE(lane_half_cmp_table, rows);
