/*
 * Lanes of matrix instructions: mma, movmatrix, the rows of ldmatrix and stmatrix.
 *
 * A product reads the fragments of all 32 lanes, whatever the mask: PTX leaves a
 * product open in which lanes are missing. Results go to the lanes of the mask. Inner
 * loops run over the 8 columns of D.
 */
#include "isa/half.h"
#include "isa/lane.h"
#include "isa/tile.h"

#include "base/bits.h"

enum { COLUMNS = 8, MOST_ROWS = 16, MOST_K = 64 };

/* ---- fragments ---- */

/* The registers of fragment which of tile t begin there in the micro-op's list. */
LANE_INLINE const isa_ref *frag_regs(const struct isa_uop *u, const struct isa_tile *t,
                                     enum isa_frag which)
{
    const isa_ref *r = u->tile;

    for (uint32_t i = 0; i < which; i++) {
        r += t->regs[i];
    }
    return r;
}

LANE_INLINE uint32_t element(const struct isa_lanes *w, const isa_ref *regs,
                             uint32_t bits, uint32_t lane, uint32_t i)
{
    const uint32_t per = 32 / bits;
    const uint32_t word = lane_src(w, regs[i / per])[lane];

    return bits == 32 ? word : word >> bits * (i % per) & ((1u << bits) - 1);
}

/* Elements of part p, of at most 32 bits, as [row * pitch + column]. */
LANE_INLINE void gather(const struct isa_uop *u, const struct isa_lanes *w,
                        const struct isa_tile *t, enum isa_frag which, uint32_t p,
                        uint32_t *out, uint32_t pitch)
{
    const isa_ref *const regs = frag_regs(u, t, which);

    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        if (isa_tile_part(t, lane) != p) {
            continue;
        }
        for (uint32_t i = 0; i < t->elems[which]; i++) {
            const struct isa_at at = isa_tile_at(&u->form, t, which, lane, i);

            out[at.row * pitch + at.col] = element(w, regs, t->bits[which], lane, i);
        }
    }
}

/* The results of part p into the lanes of the mask. */
LANE_INLINE void scatter(const struct isa_uop *u, const struct isa_lanes *w,
                         const struct isa_tile *t, uint32_t p, uint32_t mask,
                         const uint32_t *d)
{
    const isa_ref *const regs = frag_regs(u, t, ISA_FRAG_D);
    const uint32_t bits = t->bits[ISA_FRAG_D], per = 32 / bits;

    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        if (isa_tile_part(t, lane) != p || (mask & lane_bit[lane]) == 0) {
            continue;
        }
        for (uint32_t r = 0; r < t->regs[ISA_FRAG_D]; r++) {
            uint32_t word = 0;

            for (uint32_t s = 0; s < per; s++) {
                const struct isa_at at =
                    isa_tile_at(&u->form, t, ISA_FRAG_D, lane, r * per + s);

                word |= d[at.row * COLUMNS + at.col] << (bits * s % 32);
            }
            if (regs[r] != ISA_NO_REF) {
                lane_dst(w, regs[r])[lane] = word;
            }
        }
    }
}

/* ---- sums of floating-point products: SPEC MMA-2 ---- */

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
        x->v[i] = (double)lane_f32(v & ~odd);
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
    return lane_f64((uint64_t)(uint32_t)(e + 1023) << 52);
}

/* Without what is behind the point; |x| < 2^31. */
LANE_INLINE double whole(double x)
{
    return (double)(int32_t)x;
}

/* Towards zero; zeros are positive. */
LANE_INLINE uint32_t cut_fp32(double d)
{
    const uint64_t bits = lane_raw64(d);
    const uint32_t sign = (uint32_t)(bits >> 32) & 0x80000000u;
    const double size = lane_f64(bits & INT64_MAX);

    if (size >= 0x1p128) {
        return sign | 0x7f800000u;
    }
    if (size < 0x1p-126) {
        const uint32_t tiny = (uint32_t)(int32_t)(size * 0x1p149);

        return tiny == 0 ? 0 : sign | tiny;
    }
    return lane_raw32((float)lane_f64(bits & ~0x1fffffffull));
}

/* To nearest; zeros are positive. By way of the binary32 whose last bit is set if anything is behind it. */
LANE_INLINE uint32_t near_fp16(double d)
{
    const uint64_t bits = lane_raw64(d);
    const double size = lane_f64(bits & INT64_MAX);

    if (size <= 0x1p-25) {
        return 0; /* half of the smallest number is rounded to an even one */
    }
    if (size >= 0x1p100) {
        return ((uint32_t)(bits >> 48) & 0x8000u) | 0x7c00u;
    }
    const uint64_t odd = (uint64_t)((bits & 0x1fffffffull) != 0) << 29;

    return fp32_to_fp16_near(
        lane_raw32((float)lane_f64((bits & ~0x1fffffffull) | odd)));
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
    float sum = is_special(c) ? lane_f32(c) : 0;

    for (uint32_t i = first; i < first + n; i++) {
        const uint32_t x = s->a->bits[s->row * s->k + i],
                       y = s->b->bits[i * COLUMNS + j];

        sum += is_special(x) || is_special(y) ? lane_f32(x) * lane_f32(y) : 0;
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
        s->c[j] = (double)lane_f32(v & ~odd);
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
        memcpy(kept, rc, sizeof(kept));
        memset(rc, 0, sizeof(kept));
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

/* SPEC MMA-3: m8n8k4 where it is no instruction of the machine. */
LANE_INLINE void chain_product(const struct isa_uop *u, const uint32_t *a,
                               const uint32_t *b, const uint32_t *c, uint32_t *d)
{
    const bool half = u->form.type == ISA_T_F16;
    const bool half_c = u->form.type4 == ISA_T_F16;

    for (uint32_t i = 0; i < 8 * COLUMNS; i++) {
        const uint32_t add = half_c ? fp16_to_fp32(c[i]) : c[i];
        uint32_t x[4], y[4], s;

        for (uint32_t k = 0; k < 4; k++) {
            x[k] = fp16_to_fp32(a[i / COLUMNS * 4 + k]);
            y[k] = fp16_to_fp32(b[k * COLUMNS + i % COLUMNS]);
        }
        if (half) {
            const uint32_t low =
                fp32_fma(x[1], y[1], fp32_mul(x[0], y[0], ISA_R_RN, false), ISA_R_RN,
                         false);
            const uint32_t high =
                fp32_fma(x[3], y[3], fp32_mul(x[2], y[2], ISA_R_RN, false), ISA_R_RN,
                         false);

            s = fp32_add(fp32_add(low, add, ISA_R_RN, false), high, ISA_R_RN, false);
            d[i] = fp32_to_fp16_near(s);
            continue;
        }
        s = 0;
        for (uint32_t k = 0; k < 4; k++) {
            s = fp32_fma(x[k], y[k], s, ISA_R_RN, false);
        }
        d[i] = fp32_add(s, add, ISA_R_RN, false);
    }
}

/* ---- sums of integers ---- */

LANE_INLINE uint32_t extend(uint32_t v, enum isa_type t)
{
    const uint32_t up = 32 - isa_type_bits(t);

    return isa_type_is_signed(t) ? (uint32_t)((int32_t)(v << up) >> up) : v;
}

/* The sum wraps, or, saturating, is that of C and the exact sum of the products. */
LANE_INLINE void integer_product(const struct isa_uop *u, const struct isa_tile *t,
                                 uint32_t *a, uint32_t *b, const uint32_t *c,
                                 uint32_t *d)
{
    const bool sat = (u->form.flags & ISA_F_SAT) != 0;

    for (uint32_t i = 0; i < t->m * t->k; i++) {
        a[i] = extend(a[i], (enum isa_type)u->form.type2);
    }
    for (uint32_t i = 0; i < t->k * COLUMNS; i++) {
        b[i] = extend(b[i], (enum isa_type)u->form.type3);
    }
    for (uint32_t row = 0; row < t->m; row++) {
        uint32_t sum[COLUMNS] = {0};

        for (uint32_t i = 0; i < t->k; i++) {
            const uint32_t x = a[row * t->k + i];

            for (uint32_t j = 0; j < COLUMNS; j++) {
                sum[j] += x * b[i * COLUMNS + j];
            }
        }
        for (uint32_t j = 0; j < COLUMNS; j++) {
            const uint32_t v = c[row * COLUMNS + j];

            d[row * COLUMNS + j] = sat ? lane_add_sat(v, sum[j]) : v + sum[j];
        }
    }
}

/* Matrices of bits: a row of A and a column of B are words. */
LANE_INLINE void bit_product(const struct isa_uop *u, const struct isa_lanes *w,
                             const struct isa_tile *t, const uint32_t *c, uint32_t *d)
{
    const isa_ref *const ra = frag_regs(u, t, ISA_FRAG_A);
    const isa_ref *const rb = frag_regs(u, t, ISA_FRAG_B);
    const uint32_t halves = t->m / 8;
    const bool is_xor = u->form.boolop == ISA_B_XOR;

    for (uint32_t row = 0; row < t->m; row++) {
        for (uint32_t col = 0; col < COLUMNS; col++) {
            uint32_t sum = c[row * COLUMNS + col];

            for (uint32_t i = 0; i < t->k / 32; i++) {
                const uint32_t x =
                    lane_src(w, ra[i / 4 * halves + row / 8])[row % 8 * 4 + i % 4];
                const uint32_t y = lane_src(w, rb[i / 4])[col * 4 + i % 4];

                sum += bits_count(is_xor ? x ^ y : x & y);
            }
            d[row * COLUMNS + col] = sum;
        }
    }
}

/* ---- sums of f64 ---- */

LANE_INLINE void gather64(const struct isa_uop *u, const struct isa_lanes *w,
                          const struct isa_tile *t, enum isa_frag which, uint64_t *out,
                          uint32_t pitch)
{
    const isa_ref *const regs = frag_regs(u, t, which);

    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        for (uint32_t i = 0; i < t->elems[which]; i++) {
            const struct isa_at at = isa_tile_at(&u->form, t, which, lane, i);

            out[at.row * pitch + at.col] = lane_ld64(lane_src(w, regs[i]), lane);
        }
    }
}

/* One fused multiply-add after the other. */
static void wide_product(const struct isa_uop *u, const struct isa_lanes *w,
                         const struct isa_tile *t, uint32_t mask)
{
    const isa_ref *const regs = frag_regs(u, t, ISA_FRAG_D);
    const enum isa_round rm =
        u->form.round == ISA_R_NONE ? ISA_R_RN : (enum isa_round)u->form.round;
    uint64_t a[MOST_ROWS * 16], b[16 * COLUMNS], c[MOST_ROWS * COLUMNS];

    gather64(u, w, t, ISA_FRAG_A, a, t->k);
    gather64(u, w, t, ISA_FRAG_B, b, COLUMNS);
    gather64(u, w, t, ISA_FRAG_C, c, COLUMNS);
    for (uint32_t row = 0; row < t->m; row++) {
        for (uint32_t i = 0; i < t->k; i++) {
            for (uint32_t j = 0; j < COLUMNS; j++) {
                uint64_t *const sum = &c[row * COLUMNS + j];

                *sum = fp64_fma(a[row * t->k + i], b[i * COLUMNS + j], *sum, rm);
            }
        }
    }
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        for (uint32_t i = 0; i < t->elems[ISA_FRAG_D]; i++) {
            const struct isa_at at = isa_tile_at(&u->form, t, ISA_FRAG_D, lane, i);

            if (regs[i] != ISA_NO_REF && (mask & lane_bit[lane]) != 0) {
                lane_st64(lane_dst(w, regs[i]), lane, c[at.row * COLUMNS + at.col]);
            }
        }
    }
}

/* ---- mma ---- */

LANE_FN(mma)
{
    uint32_t a[MOST_ROWS * MOST_K], b[MOST_K * COLUMNS], c[MOST_ROWS * COLUMNS];
    uint32_t d[4][MOST_ROWS * COLUMNS];
    struct isa_tile t;

    isa_tile_of(&u->form, &t);
    if (t.wide) {
        wide_product(u, w, &t, mask);
        return;
    }
    for (uint32_t p = 0; p < t.parts; p++) {
        gather(u, w, &t, ISA_FRAG_C, p, c, COLUMNS);
        if (u->form.type2 == ISA_T_B1) {
            bit_product(u, w, &t, c, d[p]);
            continue;
        }
        gather(u, w, &t, ISA_FRAG_A, p, a, t.k);
        gather(u, w, &t, ISA_FRAG_B, p, b, COLUMNS);
        if (u->form.type == ISA_T_S32) {
            integer_product(u, &t, a, b, c, d[p]);
        } else if (isa_tile_is_chain(&t, w->env->cc)) {
            chain_product(u, a, b, c, d[p]);
        } else {
            float_product(u, &t, w->env->cc, a, b, c, d[p]);
        }
    }
    for (uint32_t p = 0; p < t.parts; p++) {
        scatter(u, w, &t, p, mask, d[p]);
    }
}

/* ---- 8 by 8 matrices of 16 bits: a row is 4 lanes of 2 ---- */

/* Turned about its diagonal. */
LANE_INLINE void transpose(uint32_t out[ISA_LANES], const uint32_t in[ISA_LANES])
{
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        const uint32_t from = l % 4 * 8 + l / 8, up = l / 4 % 2 * 16;

        out[l] = (in[from] >> up & 0xffffu) | (in[from + 4] >> up) << 16;
    }
}

LANE_FN(movmatrix)
{
    uint32_t v[ISA_LANES];

    transpose(v, lane_src(w, u->src[0]));
    lane_commit32(lane_dst(w, u->dst[0]), v, mask);
}

void isa_take_rows(const struct isa_uop *u, const struct isa_lanes *w,
                   const uint32_t d[][ISA_LANES])
{
    for (uint32_t i = 0; i < u->n_tiles; i++) {
        uint32_t v[ISA_LANES], turned[ISA_LANES];

        for (uint32_t l = 0; l < ISA_LANES; l++) {
            v[l] = d[l % 4][8 * i + l / 4];
        }
        transpose(turned, v);
        if (u->dst[i] != ISA_NO_REF) {
            memcpy(lane_dst(w, u->dst[i]), u->form.sub == ISA_S_TRANS ? turned : v,
                   sizeof(v));
        }
    }
}

void isa_give_rows(const struct isa_uop *u, const struct isa_lanes *w,
                   uint32_t d[][ISA_LANES])
{
    for (uint32_t i = 0; i < u->n_tiles; i++) {
        const uint32_t *v = lane_src(w, u->src[i]);
        uint32_t turned[ISA_LANES];

        if (u->form.sub == ISA_S_TRANS) {
            transpose(turned, v);
            v = turned;
        }
        for (uint32_t l = 0; l < ISA_LANES; l++) {
            d[l % 4][8 * i + l / 4] = v[l];
        }
    }
}

/* ---- loads and stores of wmma ---- */

/* The element's place times the stride, in elements, from the base. */
LANE_FN(wmma_address)
{
    const uint32_t *const base = lane_src(w, u->src[0]);
    const uint32_t *const stride = lane_src(w, u->src[1]);
    const uint32_t reg = (uint32_t)u->imm >> 8 & 255, s = (uint32_t)u->imm & 255;
    const uint32_t bits = isa_type_bits((enum isa_type)u->form.type);
    const bool by_rows = u->form.layout[0] == ISA_LAYOUT_ROW;
    uint32_t v[2 * ISA_LANES];

    for (uint32_t l = 0; l < ISA_LANES; l++) {
        const struct isa_at at =
            isa_wmma_at(&u->form, (enum isa_frag)u->form.frag, l, reg, s);
        const uint64_t n = by_rows ? (uint64_t)at.row * stride[l] + at.col
                                   : (uint64_t)at.col * stride[l] + at.row;
        const uint64_t by = n * bits / 8 + (uint64_t)(u->imm >> 16);

        if (u->addr64) {
            lane_st64(v, l, lane_ld64(base, l) + by);
        } else {
            v[l] = base[l] + (uint32_t)by;
        }
    }
    if (u->addr64) {
        lane_commit64(lane_dst(w, u->dst[0]), v, mask);
    } else {
        lane_commit32(lane_dst(w, u->dst[0]), v, mask);
    }
}

LANE_FN(wmma_part)
{
    const uint32_t *const a = lane_src(w, u->src[0]);
    uint32_t v[ISA_LANES];

    LANE_LOOP
    {
        v[l] = a[l] >> (u->imm & 31);
    }
    lane_commit32(lane_dst(w, u->dst[0]), v, mask);
}

LANE_FN(wmma_pack)
{
    uint32_t v[ISA_LANES] = {0};

    for (uint32_t i = 0; i < u->n_src; i++) {
        const uint32_t *const a = lane_src(w, u->src[i]);

        LANE_LOOP
        {
            v[l] |= a[l] << (u->imm * i & 31);
        }
    }
    lane_commit32(lane_dst(w, u->dst[0]), v, mask);
}

isa_exec_fn *isa_exec_wmma(enum isa_wmma_step step)
{
    switch (step) {
    case ISA_WMMA_ADDRESS: return lane_is_wide() ? wmma_address_wide : wmma_address;
    case ISA_WMMA_PART: return lane_is_wide() ? wmma_part_wide : wmma_part;
    case ISA_WMMA_PACK: return lane_is_wide() ? wmma_pack_wide : wmma_pack;
    }
    return NULL;
}

#define SUB(s) .sub = ISA_S_##s

static const struct lane_row rows[] = {
    ROWX(MMA, T(F32), TENSOR, 1, mma,
         .types2 = T(F16) | T(BF16) | T(TF32) | T(E4M3) | T(E5M2)),
    ROWX(MMA, T(F16), TENSOR, 1, mma, .types2 = T(F16) | T(E4M3) | T(E5M2)),
    ROWX(MMA, T(F64), TENSOR, 1, mma, .types2 = T(F64),
         .rounds = R(NONE) | R(RN) | R(RZ) | R(RM) | R(RP)),
    ROWX(MMA, T(S32), TENSOR, 1, mma, .types2 = T(S8) | T(U8) | T(S4) | T(U4),
         .any = ISA_F_SAT),
    ROWX(MMA, T(S32), TENSOR, 1, mma, .types2 = T(B1), .bools = B(XOR) | B(AND)),
    ROWX(MOVMATRIX, T(B16), SHUFFLE, 1, movmatrix, SUB(TRANS)),
};

LANE_TABLE(lane_tile_table, rows);
