/* Bitwise logic on registers and predicates, lop3, selection by a predicate or a sign.
 */
#include "isa/lane.h"

/* A 16-bit register is zero above bit 15, which and, or and xor keep. 64-bit registers
 * are taken by words, of which the machine does one at a time too. */
#define WORDS(name, ptrs, expr)                                                        \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        ptrs;                                                                          \
        if (mask == LANE_ALL) {                                                        \
            LANE_WORDS_LOOP                                                            \
            {                                                                          \
                d[l] = (expr);                                                         \
            }                                                                          \
        } else {                                                                       \
            LANE_WORDS_LOOP                                                            \
            {                                                                          \
                d[l] = lane_choose(mask & lane_bit_of_word[l], expr, d[l]);            \
            }                                                                          \
        }                                                                              \
    }                                                                                  \
    static isa_exec_fn name

LANE_OP2(and32, u32, u32, u32, (x & y));
LANE_OP2(or32, u32, u32, u32, x | y);
LANE_OP2(xor32, u32, u32, u32, x ^ y);
LANE_OP1(not16, u16, u16, ~x);
LANE_OP1(not32, u32, u32, ~x);
LANE_OP1(cnot32, u32, u32, x == 0);
LANE_OP1(cnot64, u64, u64, x == 0);
WORDS(and64, LANE_PTRS2, a[l] & b[l]);
WORDS(or64, LANE_PTRS2, a[l] | b[l]);
WORDS(xor64, LANE_PTRS2, a[l] ^ b[l]);
WORDS(not64, LANE_PTRS1, ~a[l]);
#define PRED(name, expr)                                                               \
    LANE_FN(name)                                                                      \
    {                                                                                  \
        const uint32_t a = lane_pred(u, w, 0);                                         \
        lane_set_pred(w, u->dst[0], mask, expr);                                       \
    }                                                                                  \
    static isa_exec_fn name
PRED(and_pred, (lane_pred(u, w, 1) & a));
PRED(or_pred, a | lane_pred(u, w, 1));
PRED(xor_pred, a ^ lane_pred(u, w, 1));
PRED(not_pred, ~a);

/* Bit i of lut is the result for the operand bits (x, y, z) = i, x on top. Two levels
 * of selection turn the eight cases into one; m[i] is case i over a whole word. */
struct cases {
    uint32_t m[8];
};

static inline struct cases lut_cases(uint32_t lut)
{
    struct cases c;

    for (uint32_t i = 0; i < 8; i++) {
        c.m[i] = 0u - (lut >> i & 1u);
    }
    return c;
}

static inline uint32_t choose(uint32_t s, uint32_t one, uint32_t zero)
{
    return zero ^ ((one ^ zero) & s);
}

static inline uint32_t lop3(const struct cases *c, uint32_t x, uint32_t y, uint32_t z)
{
    return choose(x,
                  choose(y, choose(z, c->m[7], c->m[6]), choose(z, c->m[5], c->m[4])),
                  choose(y, choose(z, c->m[3], c->m[2]), choose(z, c->m[1], c->m[0])));
}

LANE_FN(lop3_32)
{
    const struct cases cases = lut_cases(lane_src(w, u->src[3])[0]);
    LANE_PTRS3;
    LANE_SAME(u32, LANE_X(u32); LANE_Y(u32); LANE_Z(u32), lop3(&cases, x, y, z));
}

/* ---- selection ---- */

LANE_FN(selp32)
{
    const uint32_t p = lane_pred(u, w, 2);
    LANE_PTRS2;
    LANE_SAME(u32, LANE_X(u32); LANE_Y(u32), p & lane_bit[l] ? x : y);
}

#define SELP64                                                                         \
    const uint32_t p = lane_pred(u, w, 2);                                             \
    LANE_PTRS2
WORDS(selp64, SELP64, lane_choose(lane_bit_of_word[l] & p, a[l], b[l]));

/* z >= 0 chooses x; a NaN does not, -0 does. */
LANE_OP3(slct32_s32, u32, u32, u32, s32, z >= 0 ? x : y);
LANE_OP3(slct32_f32, u32, u32, u32, f32, z >= 0.0f ? x : y);
LANE_OP3(slct32_f32z, u32, u32, u32, f32z, z >= 0.0f ? x : y);
LANE_OP3W(slct64_s32, u64, u64, u64, s32, z >= 0 ? x : y);
LANE_OP3W(slct64_f32, u64, u64, u64, f32, z >= 0.0f ? x : y);
LANE_OP3W(slct64_f32z, u64, u64, u64, f32z, z >= 0.0f ? x : y);
#define L16 (T(B16) | T(U16) | T(S16))
#define L32 (L16 | T(B32) | T(U32) | T(S32) | T(F32))
#define L64 (T(B64) | T(U64) | T(S64) | T(F64))

/* 64 bits weigh two words; so does a comparison and what it chooses (slct). */
static const struct lane_row rows[] = {
    ROW(AND, T(B16) | T(B32), LOGIC, 1, and32),
    ROW(AND, T(B64), LOGIC, 2, and64),
    ROW(AND, T(PRED), LOGIC, 1, and_pred),
    ROW(OR, T(B16) | T(B32), LOGIC, 1, or32),
    ROW(OR, T(B64), LOGIC, 2, or64),
    ROW(OR, T(PRED), LOGIC, 1, or_pred),
    ROW(XOR, T(B16) | T(B32), LOGIC, 1, xor32),
    ROW(XOR, T(B64), LOGIC, 2, xor64),
    ROW(XOR, T(PRED), LOGIC, 1, xor_pred),
    ROW(NOT, T(B16), LOGIC, 1, not16),
    ROW(NOT, T(B32), LOGIC, 1, not32),
    ROW(NOT, T(B64), LOGIC, 2, not64),
    ROW(NOT, T(PRED), LOGIC, 1, not_pred),
    ROW(CNOT, T(B16) | T(B32), ICMP, 2, cnot32),
    ROW(CNOT, T(B64), ICMP, 4, cnot64),
    ROW(LOP3, T(B32), LOGIC, 1, lop3_32),
    ROW(SELP, L32, ICMP, 1, selp32),
    ROW(SELP, L64, ICMP, 2, selp64),
    ROWX(SLCT, L32, ICMP, 1, slct32_s32, .types2 = T(S32)),
    ROWX(SLCT, L32, ICMP, 1, slct32_f32, .types2 = T(F32)),
    ROWX(SLCT, L32, ICMP, 1, slct32_f32z, .types2 = T(F32), .flags = ISA_F_FTZ),
    ROWX(SLCT, L64, ICMP, 2, slct64_s32, .types2 = T(S32)),
    ROWX(SLCT, L64, ICMP, 2, slct64_f32, .types2 = T(F32)),
    ROWX(SLCT, L64, ICMP, 2, slct64_f32z, .types2 = T(F32), .flags = ISA_F_FTZ),
};

LANE_TABLE(lane_logic_table, rows);
