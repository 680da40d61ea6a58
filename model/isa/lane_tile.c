/*
 * Lanes of mma.
 *
 * A product reads the fragments of all 32 lanes, whatever the mask: PTX leaves a
 * product open in which lanes are missing. Results go to the lanes of the mask. Inner
 * loops run over the 8 columns of D.
 */
#include "isa/half.h"
#include "isa/lane.h"
#include "isa/tile.h"
#include "isa/tile_frag.h"
#include "isa/tile_sum.h"

#include "base/bits.h"

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

/* The sum wraps, or, saturating, is that of C and the exact sum of the products. */
LANE_INLINE void integer_product(const struct isa_uop *u, const struct isa_tile *t,
                                 uint32_t *a, uint32_t *b, const uint32_t *c,
                                 uint32_t *d)
{
    const bool sat = (u->form.flags & ISA_F_SATFINITE) != 0;

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

static const struct lane_row rows[] = {
    ROWX(MMA, T(F32), TENSOR, 1, mma,
         .types2 = T(F16) | T(BF16) | T(TF32) | T(E4M3) | T(E5M2)),
    ROWX(MMA, T(F16), TENSOR, 1, mma, .types2 = T(F16) | T(E4M3) | T(E5M2)),
    ROWX(MMA, T(F64), TENSOR, 1, mma, .types2 = T(F64),
         .rounds = R(NONE) | R(RN) | R(RZ) | R(RM) | R(RP)),
    ROWX(MMA, T(S32), TENSOR, 1, mma, .types2 = T(S8) | T(U8) | T(S4) | T(U4),
         .any = ISA_F_SATFINITE),
    ROWX(MMA, T(S32), TENSOR, 1, mma, .types2 = T(B1), .bools = B(XOR) | B(AND)),
};

LANE_TABLE(lane_tile_table, rows);
