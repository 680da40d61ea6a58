/*
 * Lanes of mma.sp (SPEC MMA-5): of A only half of the elements of a row are there, and
 * metadata say which. Their products are summed as those of a product half as long, of
 * the elements of B that they meet.
 */
#include "isa/half.h"
#include "isa/lane.h"
#include "isa/tile.h"
#include "isa/tile_frag.h"
#include "isa/tile_sum.h"

enum { MOST_SPARSE_K = 128 };

/* A row: where in k each of its elements stands. */
static void places_of(const struct isa_uop *u, const struct isa_tile *t,
                      const uint32_t *meta, uint32_t row, uint8_t *k)
{
    for (uint32_t i = 0; i < t->k / 2; i++) {
        k[i] = (uint8_t)isa_sparse_at(t, (uint32_t)u->imm, meta, row, i);
    }
}

static void integer_row(const struct isa_uop *u, const struct isa_tile *t,
                        const uint32_t *a, const uint32_t *b, const uint8_t *k,
                        const uint32_t *c, uint32_t *d)
{
    const bool sat = (u->form.flags & ISA_F_SATFINITE) != 0;

    for (uint32_t j = 0; j < COLUMNS; j++) {
        uint32_t sum = 0;

        for (uint32_t i = 0; i < t->k / 2; i++) {
            sum += extend(a[i], (enum isa_type)u->form.type2) *
                   extend(b[k[i] * COLUMNS + j], (enum isa_type)u->form.type3);
        }
        d[j] = sat ? lane_add_sat(c[j], sum) : c[j] + sum;
    }
}

/* A row of floating-point numbers is a product of one row. */
LANE_INLINE void float_row(const struct isa_uop *u, const struct isa_tile *t,
                           uint32_t cc, const uint32_t *a, const uint32_t *b,
                           const uint8_t *k, const uint32_t *c, uint32_t *d)
{
    const struct isa_tile one = {.m = 1, .n = COLUMNS, .k = t->k / 2, .parts = 1};
    uint32_t ra[MOST_SPARSE_K / 2], rb[MOST_SPARSE_K / 2 * COLUMNS], rc[COLUMNS];

    memcpy(ra, a, one.k * sizeof(ra[0]));
    memcpy(rc, c, sizeof(rc));
    for (uint32_t i = 0; i < one.k; i++) {
        memcpy(rb + i * COLUMNS, b + k[i] * COLUMNS, COLUMNS * sizeof(rb[0]));
    }
    float_product(u, &one, cc, ra, rb, rc, d);
}

LANE_FN(mma_sparse)
{
    uint32_t a[MOST_ROWS * MOST_SPARSE_K / 2], b[MOST_SPARSE_K * COLUMNS];
    uint32_t c[MOST_ROWS * COLUMNS], d[MOST_ROWS * COLUMNS];
    const uint32_t *meta;
    struct isa_tile t;

    isa_tile_of(&u->form, &t);
    meta = lane_src(w, frag_regs(u, &t, ISA_N_FRAGS)[0]);
    gather(u, w, &t, ISA_FRAG_A, 0, a, t.k / 2);
    gather(u, w, &t, ISA_FRAG_B, 0, b, COLUMNS);
    gather(u, w, &t, ISA_FRAG_C, 0, c, COLUMNS);
    for (uint32_t row = 0; row < t.m; row++) {
        const uint32_t *const of = a + row * (t.k / 2);
        uint8_t k[MOST_SPARSE_K / 2];

        places_of(u, &t, meta, row, k);
        if (u->form.type == ISA_T_S32) {
            integer_row(u, &t, of, b, k, c + row * COLUMNS, d + row * COLUMNS);
        } else {
            float_row(u, &t, w->env->cc, of, b, k, c + row * COLUMNS,
                      d + row * COLUMNS);
        }
    }
    scatter(u, w, &t, 0, mask, d);
}

static const struct lane_row rows[] = {
    ROWX(MMA, T(F32), TENSOR, 1, mma_sparse, .sub = ISA_S_SPARSE,
         .types2 = T(F16) | T(BF16) | T(TF32) | T(E4M3) | T(E5M2)),
    ROWX(MMA, T(F16), TENSOR, 1, mma_sparse, .sub = ISA_S_SPARSE, .types2 = T(F16)),
    ROWX(MMA, T(S32), TENSOR, 1, mma_sparse, .sub = ISA_S_SPARSE,
         .types2 = T(S8) | T(U8) | T(S4) | T(U4), .any = ISA_F_SATFINITE),
};

LANE_TABLE(lane_sparse_table, rows);
