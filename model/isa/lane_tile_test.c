/*
 * Products of matrices against a second meaning: the layouts as the PTX ISA writes
 * them, case by case, and sums of floating-point products in integers (SPEC MMA-1..3).
 */
#include "isa/fp.h"
#include "isa/half.h"
#include "isa/mma_shapes_test.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* ---- where elements are: PTX ISA 9.0, 9.7.15.5 ---- */

struct place {
    uint32_t row, col;
};

/* m8n8k4 of f16: lane % 16 / 4 is the product. */
static struct place place_884(const struct isa_form *f, enum isa_frag which,
                              uint32_t lane, uint32_t i)
{
    const bool low = lane < 16;
    const enum isa_type t =
        which == ISA_FRAG_D ? (enum isa_type)f->type : (enum isa_type)f->type4;

    if (which == ISA_FRAG_A && f->layout[0] == ISA_LAYOUT_ROW) {
        return (struct place){low ? lane % 4 : lane % 4 + 4, i};
    }
    if (which == ISA_FRAG_A) {
        return (struct place){low ? i % 4 : i % 4 + 4, lane % 4};
    }
    if (which == ISA_FRAG_B && f->layout[1] == ISA_LAYOUT_ROW) {
        return (struct place){lane % 4, low ? i : i + 4};
    }
    if (which == ISA_FRAG_B) {
        return (struct place){i, low ? lane % 4 : lane % 4 + 4};
    }
    if (t == ISA_T_F16) {
        return (struct place){low ? lane % 4 : lane % 4 + 4, i};
    }
    const uint32_t x = (lane & 1) + (i & 2);
    return (struct place){low ? x : x + 4, (i & 4) + (lane & 2) + (i & 1)};
}

static struct place place_a(const struct isa_form *f, uint32_t lane, uint32_t i)
{
    const uint32_t group = lane >> 2, in = lane % 4;
    const uint32_t bits = isa_type_bits((enum isa_type)f->type2);

    switch ((enum isa_shape)f->shape) {
    case ISA_SHAPE_M8N8K4: return (struct place){group, in};
    case ISA_SHAPE_M8N8K16: return (struct place){group, in * 4 + i};
    case ISA_SHAPE_M8N8K32: return (struct place){group, in * 8 + i};
    case ISA_SHAPE_M8N8K128: return (struct place){group, in * 32 + i};
    case ISA_SHAPE_M16N8K4: return (struct place){i == 0 ? group : group + 8, in};
    case ISA_SHAPE_M16N8K8:
        if (bits == 16) {
            return (struct place){i < 2 ? group : group + 8, in * 2 + (i & 1)};
        }
        return (struct place){i % 2 == 0 ? group : group + 8, i < 2 ? in : in + 4};
    case ISA_SHAPE_M16N8K16:
        if (bits == 8) {
            return (struct place){i < 4 ? group : group + 8, in * 4 + (i & 3)};
        }
        if (bits == 64) {
            return (struct place){i % 2 == 0 ? group : group + 8,
                                  i % 2 == 0 ? in + i * 2 : in + i * 2 - 2};
        }
        return (struct place){i < 2 || (i >= 4 && i < 6) ? group : group + 8,
                              in * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
    case ISA_SHAPE_M16N8K32:
        if (bits == 4) {
            return (struct place){i < 8 ? group : group + 8, in * 8 + (i & 7)};
        }
        return (struct place){i < 4 || (i >= 8 && i < 12) ? group : group + 8,
                              in * 4 + (i & 3) + (i >= 8 ? 16 : 0)};
    case ISA_SHAPE_M16N8K64:
        return (struct place){i < 8 || (i >= 16 && i < 24) ? group : group + 8,
                              in * 8 + (i & 7) + (i >= 16 ? 32 : 0)};
    case ISA_SHAPE_M16N8K128:
        return (struct place){i < 32 ? group : group + 8, in * 32 + (i & 31)};
    case ISA_SHAPE_M16N8K256:
        return (struct place){i < 32 || (i >= 64 && i < 96) ? group : group + 8,
                              in * 32 + (i & 31) + (i >= 64 ? 128 : 0)};
    default: fail(); return (struct place){0, 0};
    }
}

static struct place place_b(const struct isa_form *f, uint32_t lane, uint32_t i)
{
    const uint32_t group = lane >> 2, in = lane % 4;

    switch (isa_type_bits((enum isa_type)f->type2)) {
    case 64:
    case 32: return (struct place){in + 4 * i, group};
    case 16: return (struct place){i < 2 ? in * 2 + i : in * 2 + (i & 1) + 8, group};
    case 8: return (struct place){in * 4 + (i & 3) + (i >= 4 ? 16 : 0), group};
    case 4: return (struct place){in * 8 + (i & 7) + (i >= 8 ? 32 : 0), group};
    default: return (struct place){in * 32 + (i & 31) + (i >= 32 ? 128 : 0), group};
    }
}

static struct place place_of(const struct mma_run *m, enum isa_frag which,
                             uint32_t lane, uint32_t i)
{
    if (m->form.shape == ISA_SHAPE_M8N8K4 && m->form.type != ISA_T_F64) {
        return place_884(&m->form, which, lane, i);
    }
    if (which == ISA_FRAG_A) {
        return place_a(&m->form, lane, i);
    }
    if (which == ISA_FRAG_B) {
        return place_b(&m->form, lane, i);
    }
    return (struct place){i < 2 ? lane >> 2 : (lane >> 2) + 8, lane % 4 * 2 + (i & 1)};
}

/* ---- a matrix out of the lanes ---- */

struct matrix {
    uint64_t v[256][256];
};

static uint64_t element_of(struct mma_run *m, enum isa_frag which, uint32_t lane,
                           uint32_t i)
{
    const uint32_t bits = m->tile.bits[which];

    if (bits == 64) {
        return *mma_word(m, which, lane, 2 * i) |
               (uint64_t)*mma_word(m, which, lane, 2 * i + 1) << 32;
    }
    return *mma_word(m, which, lane, i * bits / 32) >> i * bits % 32 &
           UINT32_MAX >> (32 - bits);
}

static void matrix_of(struct mma_run *m, enum isa_frag which, uint32_t part,
                      struct matrix *out)
{
    const uint32_t n = m->words[which] * 32 / m->tile.bits[which];

    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        if (m->form.shape == ISA_SHAPE_M8N8K4 && m->form.type != ISA_T_F64 &&
            lane % 16 / 4 != part) {
            continue;
        }
        for (uint32_t i = 0; i < n; i++) {
            const struct place p = place_of(m, which, lane, i);

            out->v[p.row][p.col] = element_of(m, which, lane, i);
        }
    }
}

/* ---- sums in integers ---- */

struct term { /* (-1)^neg * s * 2^e, s < 2^64; or what is not finite */
    bool neg, nan, inf;
    uint64_t s;
    int e, top; /* top: the exponent that the adder compares */
};

/* e and m: bits of exponent and fraction. */
static struct term number(uint64_t v, int e, int m)
{
    const int bias = (1 << (e - 1)) - 1;
    const int x = (int)(v >> m & ((1u << e) - 1));
    const uint64_t f = v & ((1ull << m) - 1);
    struct term t = {.neg = (v >> (e + m) & 1) != 0};

    t.nan = x == (1 << e) - 1 && f != 0;
    t.inf = x == (1 << e) - 1 && f == 0;
    t.s = x == 0 ? f : f | 1ull << m;
    t.top = (x == 0 ? 1 : x) - bias;
    t.e = t.top - m;
    t.top = t.s == 0 ? -2000 : t.top; /* zero is no largest term */
    return t;
}

static struct term number_of(enum isa_type t, uint64_t v)
{
    switch (t) {
    case ISA_T_F16: return number(v, 5, 10);
    case ISA_T_BF16: return number(v, 8, 7);
    case ISA_T_TF32: return number(v >> 13, 8, 10);
    default: return number(v, 8, 23);
    }
}

static struct term product_of(struct term a, struct term b)
{
    return (struct term){.neg = a.neg != b.neg,
                         .nan = a.nan || b.nan || (a.inf && b.s == 0 && !b.inf) ||
                                (b.inf && a.s == 0 && !a.inf),
                         .inf = a.inf || b.inf,
                         .s = a.s * b.s,
                         .e = a.e + b.e,
                         .top = a.top + b.top};
}

/* A sum of 2^e: of f32 cut, of f16 to nearest even. */
static uint32_t packed(int64_t sum, int e, bool half)
{
    const int fraction = half ? 10 : 23, least = half ? -24 : -149;
    const uint32_t sign = sum < 0 ? (half ? 0x8000u : 0x80000000u) : 0;
    uint64_t s = (uint64_t)(sum < 0 ? -sum : sum);
    uint64_t rest = 0, one = 1;
    int up = 0;

    if (s == 0) {
        return 0;
    }
    while (s >> (fraction + 1 + up) != 0 || e + up < least) {
        if (++up > 62) {
            return 0;
        }
    }
    while (s >> fraction == 0 && e > least) {
        s <<= 1;
        e--;
    }
    one = 1ull << up;
    rest = s & (one - 1);
    s >>= up;
    e += up;
    if (half && (rest * 2 > one || (rest * 2 == one && (s & 1) != 0))) {
        s++;
        if (s >> (fraction + 1) != 0) {
            s >>= 1;
            e++;
        }
    }
    const uint32_t exponent = s >> fraction == 0 ? 0 : (uint32_t)(e - least + 1);

    if (exponent >= (half ? 31u : 255u)) {
        return sign | (half ? 0x7c00u : 0x7f800000u);
    }
    return s == 0
               ? 0 /* without a sign */
               : sign | exponent << fraction | ((uint32_t)s & ((1u << fraction) - 1));
}

static uint32_t sum_of(const struct term *t, uint32_t n, uint32_t fraction, bool half)
{
    int top = t[0].top;
    int64_t sum = 0;
    bool nan = false, plus = false, minus = false;

    for (uint32_t i = 0; i < n; i++) {
        nan |= t[i].nan;
        plus |= t[i].inf && !t[i].neg;
        minus |= t[i].inf && t[i].neg;
        top = t[i].top > top ? t[i].top : top;
    }
    if (nan || (plus && minus)) {
        return half ? 0x7fff : 0x7fffffff;
    }
    if (plus || minus) {
        return half ? (plus ? 0x7c00 : 0xfc00) : (plus ? 0x7f800000 : 0xff800000);
    }
    for (uint32_t i = 0; i < n; i++) {
        const int up = t[i].e - (top - (int)fraction);
        const uint64_t s = t[i].s == 0 ? 0
                           : up >= 0   ? t[i].s << up
                           : up > -64  ? t[i].s >> -up
                                       : 0;

        sum += t[i].neg ? -(int64_t)s : (int64_t)s;
    }
    return packed(sum, top - (int)fraction, half);
}

/* The host's own arithmetic; its NaN become those of the device. */
static float as_float(uint64_t v, enum isa_type t)
{
    return bits_f32(t == ISA_T_F16 ? fp16_to_fp32((uint32_t)v) : (uint32_t)v);
}

static uint32_t chain_of(const struct mma_run *m, const struct matrix *a,
                         const struct matrix *b, uint64_t c, uint32_t row, uint32_t col)
{
    const float add = as_float(c, (enum isa_type)m->form.type4);
    const bool half = m->form.type == ISA_T_F16;
    float x[4], y[4], s = 0;

    for (uint32_t k = 0; k < 4; k++) {
        x[k] = as_float(a->v[row][k], ISA_T_F16);
        y[k] = as_float(b->v[k][col], ISA_T_F16);
    }
    if (half) {
        const float low = fmaf(x[1], y[1], x[0] * y[0]);
        const float high = fmaf(x[3], y[3], x[2] * y[2]);

        s = low + add;
        s += high;
        return s != s ? 0x7fff : fp32_to_fp16_near(bits_of_f32(s));
    }
    for (uint32_t k = 0; k < 4; k++) {
        s = fmaf(x[k], y[k], s);
    }
    s += add;
    return s != s ? LANE_NAN32 : bits_of_f32(s);
}

static uint64_t expected(struct mma_run *m, const struct matrix *a,
                         const struct matrix *b, const struct matrix *c, uint32_t row,
                         uint32_t col)
{
    const enum isa_type ta = (enum isa_type)m->form.type2;
    const enum isa_type tb = (enum isa_type)m->form.type3;
    const uint32_t k = m->tile.k;
    uint64_t v = c->v[row][col];

    if (m->form.type == ISA_T_F64) {
        for (uint32_t i = 0; i < k; i++) {
            v = fp64_fma(a->v[row][i], b->v[i][col], v, ISA_R_RN);
        }
        return v;
    }
    if (m->form.type == ISA_T_S32) {
        int64_t sum = (int32_t)v;

        for (uint32_t i = 0; i < k; i++) {
            const int64_t x = (int64_t)a->v[row][i], y = (int64_t)b->v[i][col];
            const int64_t over_a = 1ll << isa_type_bits(ta);
            const int64_t over_b = 1ll << isa_type_bits(tb);

            if (ta == ISA_T_B1) {
                sum += m->form.boolop == ISA_B_XOR ? (x ^ y) : (x & y);
            } else {
                sum += (isa_type_is_signed(ta) && x >= over_a / 2 ? x - over_a : x) *
                       (isa_type_is_signed(tb) && y >= over_b / 2 ? y - over_b : y);
            }
        }
        if ((m->form.flags & ISA_F_SATFINITE) != 0) {
            sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
        }
        return (uint32_t)sum;
    }
    if (m->env.cc >= 80 && m->form.shape == ISA_SHAPE_M8N8K4) {
        return chain_of(m, a, b, v, row, col);
    }
    const struct isa_sum rule = isa_sum_of(ta, m->env.cc);
    const bool half = m->form.type == ISA_T_F16;

    for (uint32_t i = 0; i < k; i += rule.group) {
        const bool first = i == 0;
        struct term t[33];
        uint32_t n = 1;

        t[0] = number_of(first ? (enum isa_type)m->form.type4
                               : (enum isa_type)m->form.type,
                         v);
        for (uint32_t j = i; j < i + rule.group && j < k; j++) {
            t[n++] =
                product_of(number_of(ta, a->v[row][j]), number_of(tb, b->v[j][col]));
        }
        v = sum_of(t, n, rule.fraction, half);
    }
    return v;
}

/* ---- all forms ---- */

static const char *const names[] = {
    "m8n8k4_row_row_f32_f16_f32",
    "m8n8k4_row_col_f32_f16_f32",
    "m8n8k4_col_row_f32_f16_f32",
    "m8n8k4_col_col_f32_f16_f32",
    "m8n8k4_row_col_f16_f16_f16",
    "m8n8k4_row_col_f32_f16_f16",
    "m16n8k8_f32_f16",
    "m16n8k8_f16_f16",
    "m16n8k8_f32_bf16",
    "m16n8k16_f32_f16",
    "m16n8k16_f16_f16",
    "m16n8k16_f32_bf16",
    "m16n8k4_f32_tf32",
    "m16n8k8_f32_tf32",
    "m8n8k4_f64",
    "m16n8k4_f64",
    "m16n8k8_f64",
    "m16n8k16_f64",
    "m8n8k16_s8_s8",
    "m8n8k16_u8_s8_sat",
    "m16n8k16_s8_u8",
    "m16n8k32_u8_u8_sat",
    "m16n8k32_s8_s8_sat",
    "m8n8k32_s4_u4",
    "m16n8k32_u4_s4_sat",
    "m16n8k64_s4_s4",
    "m8n8k128_xor",
    "m8n8k128_and",
    "m16n8k128_xor",
    "m16n8k256_and",
    "m16n8k256_xor",
};

static void check_product(struct mma_run *m, const char *name, uint64_t index)
{
    static struct matrix a, b, c, d;
    const uint32_t parts = m->tile.parts;

    mma_product(m, index);
    for (uint32_t p = 0; p < parts; p++) {
        matrix_of(m, ISA_FRAG_A, p, &a);
        matrix_of(m, ISA_FRAG_B, p, &b);
        matrix_of(m, ISA_FRAG_C, p, &c);
        matrix_of(m, ISA_FRAG_D, p, &d);
        for (uint32_t row = 0; row < m->tile.m; row++) {
            for (uint32_t col = 0; col < m->tile.n; col++) {
                const uint64_t want = expected(m, &a, &b, &c, row, col);

                if (d.v[row][col] != want) {
                    fail_msg(
                        "%s on %u: product %llu, row %u, column %u: %llx, not %llx",
                        name, m->env.cc, (unsigned long long)index, row, col,
                        (unsigned long long)d.v[row][col], (unsigned long long)want);
                }
            }
        }
    }
}

static void test_every_form(void **state)
{
    static const uint32_t capabilities[] = {70, 75, 80, 90};
    static struct mma_run m;

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        for (size_t k = 0; k < 4; k++) {
            assert_true(mma_begin(&m, names[i], capabilities[k]));
            for (uint64_t index = 0; index < 24; index++) {
                check_product(&m, names[i], index);
            }
        }
    }
}

/* Lanes outside the mask keep what they have, and so do all the other registers. */
static void test_masked(void **state)
{
    static const uint32_t masks[] = {0, 1, 0xffff0000, 0x80000001, 0x55555555};
    static struct mma_run whole, m;

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        for (size_t k = 0; k < sizeof(masks) / sizeof(masks[0]); k++) {
            struct isa_lanes lanes = {.r = m.r, .env = &m.env};

            assert_true(mma_begin(&whole, names[i], 90));
            mma_product(&whole, 3);
            m = whole;
            m.u.tile = m.list;
            memset(m.r, 0x5a, m.words[ISA_FRAG_D] * ISA_LANES * sizeof(m.r[0]));
            m.selected.exec(&m.u, &lanes, masks[k]);
            for (uint32_t f = 0; f < ISA_N_FRAGS; f++) {
                for (uint32_t l = 0; l < ISA_LANES; l++) {
                    const bool kept = f == ISA_FRAG_D && (masks[k] >> l & 1) == 0;

                    for (uint32_t r = 0; r < m.words[f]; r++) {
                        assert_int_equal(*mma_word(&m, (enum isa_frag)f, l, r),
                                         kept ? 0x5a5a5a5a
                                              : *mma_word(&whole, (enum isa_frag)f, l,
                                                          r));
                    }
                }
            }
        }
    }
}

/* The result may take the place of an operand. */
static void test_in_place(void **state)
{
    static struct mma_run apart, m;

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct isa_lanes lanes = {.r = m.r, .env = &m.env};

        assert_true(mma_begin(&apart, names[i], 90));
        mma_product(&apart, 9);
        m = apart;
        m.u.tile = m.list;
        if (m.tile.regs[ISA_FRAG_D] != m.tile.regs[ISA_FRAG_C]) {
            continue;
        }
        const uint32_t n = m.tile.regs[ISA_FRAG_D];

        memcpy(m.list, m.list + n + m.tile.regs[ISA_FRAG_A] + m.tile.regs[ISA_FRAG_B],
               n * sizeof(m.list[0]));
        m.selected.exec(&m.u, &lanes, LANE_ALL);
        for (uint32_t l = 0; l < ISA_LANES; l++) {
            for (uint32_t r = 0; r < m.words[ISA_FRAG_C]; r++) {
                assert_int_equal(*mma_word(&m, ISA_FRAG_C, l, r),
                                 *mma_word(&apart, ISA_FRAG_D, l, r));
            }
        }
    }
}

/* ---- rows ---- */

/* ldmatrix, stmatrix, movmatrix: element (row, column) of matrix i in lane 4 * row +
 * column / 2, of a transposed one with row and column exchanged. */
static void test_rows(void **state)
{
    static uint32_t r[8 * ISA_LANES], d[4][ISA_LANES], back[4][ISA_LANES];
    const struct isa_lanes lanes = {.r = r};

    (void)state;
    for (uint32_t n = 1; n <= 4; n *= 2) {
        for (uint32_t turned = 0; turned < 2; turned++) {
            struct isa_uop u = {.n_tiles = (uint8_t)n,
                                .dst = {0, 1, 2, 3},
                                .src = {0, 1, 2, 3}};

            u.form.sub = turned ? ISA_S_TRANS : ISA_S_NONE;
            memset(r, 0xee, sizeof(r));
            for (uint32_t l = 0; l < ISA_LANES; l++) {
                for (uint32_t w = 0; w < 4; w++) { /* lane l has row l % 8 of l / 8 */
                    d[w][l] = (l * 8 + 2 * w) | (l * 8 + 2 * w + 1) << 16;
                }
            }
            isa_take_rows(&u, &lanes, (const uint32_t(*)[ISA_LANES])d);
            for (uint32_t i = 0; i < 4; i++) {
                for (uint32_t row = 0; row < 8 && i < n; row++) {
                    for (uint32_t col = 0; col < 8; col++) {
                        const uint32_t v =
                            r[i * ISA_LANES + 4 * row + col / 2] >> 16 * (col % 2) &
                            0xffff;

                        assert_int_equal(v, turned ? (8 * i + col) * 8 + row
                                                   : (8 * i + row) * 8 + col);
                    }
                }
                assert_true(i < n || r[i * ISA_LANES] == 0xeeeeeeee);
            }
            memset(back, 0, sizeof(back));
            isa_give_rows(&u, &lanes, back);
            for (uint32_t w = 0; w < 4; w++) {
                for (uint32_t l = 0; l < 8 * n; l++) {
                    assert_int_equal(back[w][l], d[w][l]);
                }
            }
        }
    }
}

static void test_movmatrix(void **state)
{
    const struct isa_form form = {.op = ISA_OP_MOVMATRIX,
                                  .type = ISA_T_B16,
                                  .sub = ISA_S_TRANS,
                                  .vec = 1};
    static uint32_t r[2 * ISA_LANES];
    const struct isa_lanes lanes = {.r = r};
    const struct isa_uop u = {.dst = {1}, .src = {0}};
    struct isa_selected s;

    (void)state;
    assert_true(isa_select(&form, &s));
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        r[l] = 2 * l | (2 * l + 1) << 16;
    }
    s.exec(&u, &lanes, LANE_ALL);
    for (uint32_t row = 0; row < 8; row++) {
        for (uint32_t col = 0; col < 8; col++) {
            assert_int_equal(r[ISA_LANES + 4 * row + col / 2] >> 16 * (col % 2) &
                                 0xffff,
                             8 * col + row);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_form), cmocka_unit_test(test_masked),
        cmocka_unit_test(test_in_place),   cmocka_unit_test(test_rows),
        cmocka_unit_test(test_movmatrix),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
