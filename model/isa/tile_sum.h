/*
 * tile_sum.h - products of matrices of narrow floating-point numbers (SPEC MMA-2 and
 * MMA-3): a part of lane_tile.c, which compiles it twice.
 */
#ifndef ISA_TILE_SUM_H
#define ISA_TILE_SUM_H

#include "isa/half.h"
#include "isa/lane.h"
#include "isa/tile.h"

enum { COLUMNS = 8, MOST_ROWS = 16, MOST_K = 64 };

struct numbers { /* of a matrix: values, and exponents as the adder sees them */
    double v[MOST_ROWS * MOST_K];
    int32_t e[MOST_ROWS * MOST_K];
    const uint32_t *bits; /* as binary32 */
    bool special;         /* some are infinite or NaN, and 0 in v */
};

/* That of zero, and of a product with it: less than any other. */
enum { NO_EXPONENT = -400 };

/* Of v, a binary32, in a type whose subnormals have the exponent least. */
LANE_INLINE int32_t exponent_of(uint32_t v, int32_t least)
{
    const int32_t e = (int32_t)(v >> 23 & 255) - 127, x = e > least ? e : least;
    const int32_t zero = -(int32_t)((v & 0x7fffffffu) == 0);

    return (x & ~zero) | (NO_EXPONENT & zero);
}

/* The exponent of the subnormals of a type. */
static int32_t least_exponent(enum isa_type t)
{
    return t == ISA_T_F16 || t == ISA_T_E5M2 ? -14 : t == ISA_T_E4M3 ? -6 : -126;
}

LANE_INLINE uint32_t to_fp32(enum isa_type t, uint32_t v)
{
    if (t == ISA_T_F16) {
        return fp16_to_fp32(v);
    }
    if (t == ISA_T_BF16) {
        return v << 16;
    }
    return t == ISA_T_TF32 ? v & 0xffffe000u : v;
}

/* raw becomes binary32. */
LANE_INLINE void decode_as(struct numbers *x, enum isa_type t, uint32_t *raw,
                           uint32_t n)
{
    const int32_t least = least_exponent(t);
    uint32_t special = 0;

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t v = to_fp32(t, raw[i]);
        const uint32_t odd = 0u - (uint32_t)((v & 0x7f800000u) == 0x7f800000u);

        special |= odd;
        raw[i] = v;
        x->v[i] = (double)bits_f32(v & ~odd);
        x->e[i] = exponent_of(v, least);
    }
    x->special = special != 0;
    x->bits = raw;
}

LANE_INLINE void decode(struct numbers *x, enum isa_type t, uint32_t *raw, uint32_t n)
{
    if (t == ISA_T_E4M3 || t == ISA_T_E5M2) {
        for (uint32_t i = 0; i < n; i++) {
            raw[i] = t == ISA_T_E4M3 ? e4m3_to_fp32(raw[i]) : e5m2_to_fp32(raw[i]);
        }
        decode_as(x, ISA_T_F32, raw, n);
        for (uint32_t i = 0; i < n; i++) {
            x->e[i] = exponent_of(raw[i], least_exponent(t));
        }
    } else if (t == ISA_T_F16) {
        decode_as(x, ISA_T_F16, raw, n);
    } else if (t == ISA_T_BF16) {
        decode_as(x, ISA_T_BF16, raw, n);
    } else if (t == ISA_T_TF32) {
        decode_as(x, ISA_T_TF32, raw, n);
    } else {
        decode_as(x, ISA_T_F32, raw, n);
    }
}

LANE_INLINE double power_of_2(int32_t e)
{
    return bits_f64((uint64_t)(uint32_t)(e + 1023) << 52);
}

/* Without what is behind the point; |x| < 2^31. */
LANE_INLINE double whole(double x)
{
    return (double)(int32_t)x;
}

/* Towards zero; zeros are positive. */
LANE_INLINE uint32_t cut_fp32(double d)
{
    const uint64_t bits = bits_of_f64(d);
    const uint32_t sign = (uint32_t)(bits >> 32) & 0x80000000u;
    const double size = bits_f64(bits & INT64_MAX);

    if (size >= 0x1p128) {
        return sign | 0x7f800000u;
    }
    if (size < 0x1p-126) {
        const uint32_t tiny = (uint32_t)(int32_t)(size * 0x1p149);

        return tiny == 0 ? 0 : sign | tiny;
    }
    return bits_of_f32((float)bits_f64(bits & ~0x1fffffffull));
}

/* To nearest; zeros are positive. By way of the binary32 whose last bit is set if
 * anything is behind it. */
LANE_INLINE uint32_t near_fp16(double d)
{
    const uint64_t bits = bits_of_f64(d);
    const double size = bits_f64(bits & INT64_MAX);

    if (size <= 0x1p-25) {
        return 0; /* half of the smallest number is rounded to an even one */
    }
    if (size >= 0x1p100) {
        return ((uint32_t)(bits >> 48) & 0x8000u) | 0x7c00u;
    }
    const uint64_t odd = (uint64_t)((bits & 0x1fffffffull) != 0) << 29;

    return fp32_to_fp16_near(
        bits_of_f32((float)bits_f64((bits & ~0x1fffffffull) | odd)));
}

struct sum { /* what a row of D is made of */
    const struct numbers *a, *b;
    double c[COLUMNS];
    int32_t e[COLUMNS];
    uint32_t row, k;
    bool special; /* look for infinities and NaN */
};

/* Products first to first + n - 1 of a row: c becomes the exact sum of what is left of
 * them and of c. */
LANE_INLINE void add_group(struct sum *s, uint32_t first, uint32_t n, int32_t fraction)
{
    const double *const av = s->a->v + s->row * s->k;
    const int32_t *const ae = s->a->e + s->row * s->k;
    int32_t top[COLUMNS];
    double unit[COLUMNS], scale[COLUMNS], acc[COLUMNS];

    for (uint32_t j = 0; j < COLUMNS; j++) {
        top[j] = s->e[j];
    }
    for (uint32_t i = first; i < first + n; i++) {
        const int32_t *const be = s->b->e + i * COLUMNS;

        for (uint32_t j = 0; j < COLUMNS; j++) {
            const int32_t e = ae[i] + be[j];

            top[j] = e > top[j] ? e : top[j];
        }
    }
    for (uint32_t j = 0; j < COLUMNS; j++) {
        scale[j] = power_of_2(fraction - top[j]);
        unit[j] = power_of_2(top[j] - fraction);
        acc[j] = whole(s->c[j] * scale[j]);
    }
    for (uint32_t i = first; i < first + n; i++) {
        const double *const bv = s->b->v + i * COLUMNS;

        for (uint32_t j = 0; j < COLUMNS; j++) {
            acc[j] += whole(av[i] * bv[j] * scale[j]);
        }
    }
    for (uint32_t j = 0; j < COLUMNS; j++) {
        s->c[j] = acc[j] * unit[j];
    }
}

static bool is_special(uint32_t v)
{
    return (v & 0x7f800000u) == 0x7f800000u;
}

/* What infinities and NaN among the products first to first + n - 1 and c make of a
 * sum; 0: there are none. */
static uint32_t special_sum(const struct sum *s, uint32_t first, uint32_t n, uint32_t c,
                            uint32_t j, bool half)
{
    float sum = is_special(c) ? bits_f32(c) : 0;

    for (uint32_t i = first; i < first + n; i++) {
        const uint32_t x = s->a->bits[s->row * s->k + i],
                       y = s->b->bits[i * COLUMNS + j];

        sum += is_special(x) || is_special(y) ? bits_f32(x) * bits_f32(y) : 0;
    }
    if (sum == 0) {
        return 0;
    }
    if (sum != sum) {
        return half ? FP16_NAN : LANE_NAN32;
    }
    return half ? (sum < 0 ? 0xfc00u : 0x7c00u) : (sum < 0 ? 0xff800000u : 0x7f800000u);
}

/* The sum so far, c, becomes the C of the next group. */
LANE_INLINE void go_on(struct sum *s, const uint32_t *d, uint32_t *c, bool half)
{
    const int32_t least = half ? -14 : -126;
    uint32_t special = 0;

    for (uint32_t j = 0; j < COLUMNS; j++) {
        const uint32_t v = half ? fp16_to_fp32(d[j]) : d[j];
        const uint32_t odd = 0u - (uint32_t)((v & 0x7f800000u) == 0x7f800000u);

        special |= odd;
        c[j] = v;
        s->c[j] = (double)bits_f32(v & ~odd);
        s->e[j] = exponent_of(v, least);
    }
    s->special |= special != 0;
}

/* c: binary32. */
LANE_INLINE void row_of_sums(struct sum *s, const struct isa_sum *rule, bool half,
                             uint32_t *c, uint32_t *d)
{
    for (uint32_t i = 0; i < s->k; i += rule->group) {
        const uint32_t n = s->k - i < rule->group ? s->k - i : rule->group;

        add_group(s, i, n, (int32_t)rule->fraction);
        for (uint32_t j = 0; j < COLUMNS; j++) {
            d[j] = half ? near_fp16(s->c[j]) : cut_fp32(s->c[j]);
        }
        for (uint32_t j = 0; s->special && j < COLUMNS; j++) {
            const uint32_t v = special_sum(s, i, n, c[j], j, half);

            d[j] = v != 0 ? v : d[j];
        }
        if (i + n < s->k) {
            go_on(s, d, c, half);
        }
    }
}

/* The k of which k % 4 is 0 or 1 come before the others. */
static void sort_halves(uint32_t *a, uint32_t *b, uint32_t rows)
{
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t was[32];

        memcpy(was, a + row * 32, sizeof(was));
        for (uint32_t i = 0; i < 32; i++) {
            a[row * 32 + i % 4 / 2 * 16 + i / 4 * 2 + i % 2] = was[i];
        }
    }
    for (uint32_t col = 0; col < COLUMNS; col++) {
        uint32_t was[32];

        for (uint32_t i = 0; i < 32; i++) {
            was[i] = b[i * COLUMNS + col];
        }
        for (uint32_t i = 0; i < 32; i++) {
            b[(i % 4 / 2 * 16 + i / 4 * 2 + i % 2) * COLUMNS + col] = was[i];
        }
    }
}

/* C is added to a sum that began with zero. */
static void add_late(uint32_t *d, const uint32_t *c, bool half, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t sum = half ? fp16_to_fp32(d[i]) : d[i];
        const uint32_t v =
            fp32_add(sum, half ? fp16_to_fp32(c[i]) : c[i], ISA_R_RN, false);

        d[i] = half ? fp32_to_fp16_near(v) : v;
    }
}

LANE_INLINE void float_product(const struct isa_uop *u, const struct isa_tile *t,
                               uint32_t cc, uint32_t *ra, uint32_t *rb, uint32_t *rc,
                               uint32_t *d)
{
    const struct isa_sum rule = isa_sum_of((enum isa_type)u->form.type2, cc);
    const bool half = u->form.type == ISA_T_F16;
    const bool late = isa_tile_is_halves((enum isa_type)u->form.type2, cc);
    uint32_t kept[MOST_ROWS * COLUMNS];
    struct numbers a, b, c;

    if (late) {
        memcpy(kept, rc, t->m * COLUMNS * sizeof(kept[0]));
        memset(rc, 0, t->m * COLUMNS * sizeof(kept[0]));
        sort_halves(ra, rb, t->m);
    }
    decode(&a, (enum isa_type)u->form.type2, ra, t->m * t->k);
    decode(&b, (enum isa_type)u->form.type3, rb, t->k * COLUMNS);
    decode(&c, (enum isa_type)u->form.type4, rc, t->m * COLUMNS);
    for (uint32_t row = 0; row < t->m; row++) {
        struct sum s = {.a = &a,
                        .b = &b,
                        .row = row,
                        .k = t->k,
                        .special = a.special || b.special || c.special};

        memcpy(s.c, c.v + row * COLUMNS, sizeof(s.c));
        memcpy(s.e, c.e + row * COLUMNS, sizeof(s.e));
        row_of_sums(&s, &rule, half, rc + row * COLUMNS, d + row * COLUMNS);
    }
    if (late) {
        add_late(d, kept, half, t->m * COLUMNS);
    }
}

#endif /* ISA_TILE_SUM_H */
