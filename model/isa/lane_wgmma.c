/*
 * Lanes of wgmma.mma_async (SPEC WGMMA-1..3): the product of a warp's 16 rows, 8
 * columns after 8. Operands in shared memory are read out of env.shared, which the SM
 * sets before.
 */
#include "isa/half.h"
#include "isa/lane.h"
#include "isa/tile.h"
#include "isa/tile_sum.h"
#include "isa/wgmma.h"

#include "base/attr.h"
#include "base/bits.h"

enum { ROWS = 16, WORDS = ISA_WGMMA_ROW / 4 };

/* Of a warp: what does not change from column to column. */
struct product {
    const struct isa_uop *u;
    const struct isa_lanes *w;
    struct isa_wgmma g;
    uint64_t b;               /* descriptor */
    bool adds;                /* D is added */
    uint32_t a[ROWS * WORDS]; /* words of the rows of A */
};

static uint64_t descriptor_of(const struct isa_lanes *w, isa_ref ref)
{
    return lane_ld64(lane_src(w, ref), 0);
}

/* Words of n rows of A, or columns of B, from row `first` on. */
static void read_rows(const struct product *p, uint64_t descriptor, bool turned,
                      uint32_t first, uint32_t n, uint32_t *out)
{
    const uint8_t *const shared = p->w->env->shared;
    const uint32_t bits = p->g.bits;

    for (uint32_t row = 0; !turned && row < n; row++) {
        for (uint32_t i = 0; i < 2; i++) {
            memcpy(out + row * WORDS + i * 4,
                   shared + isa_wgmma_at(descriptor, false, bits, first + row,
                                         i * 128 / bits),
                   16);
        }
    }
    for (uint32_t row = 0; turned && row < n; row += 8) {
        for (uint32_t k = 0; k < 16; k++) { /* elements of 16 bits only */
            uint16_t e[8];

            memcpy(e, shared + isa_wgmma_at(descriptor, true, bits, first + row, k),
                   16);
            for (uint32_t i = 0; i < 8; i++) {
                memcpy((uint8_t *)(out + (row + i) * WORDS) + 2 * (size_t)k, &e[i], 2);
            }
        }
    }
}

/* The sign of every element turns. */
static void negate(uint32_t *words, uint32_t n, uint32_t bits)
{
    const uint32_t signs = bits == 32   ? 0x80000000u
                           : bits == 16 ? 0x80008000u
                                        : 0x80808080u;

    for (uint32_t i = 0; i < n; i++) {
        words[i] ^= signs;
    }
}

static void take_a(struct product *p, const isa_ref *list)
{
    const struct isa_lanes *const w = p->w;

    if ((p->u->imm & ISA_WGMMA_A_REGS) != 0) {
        for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
            for (uint32_t i = 0; i < 4; i++) {
                p->a[(lane / 4 + i % 2 * 8) * WORDS + i / 2 * 4 + lane % 4] =
                    lane_src(w, list[i])[lane];
            }
        }
    } else {
        read_rows(p, descriptor_of(w, list[0]), (p->u->imm & ISA_WGMMA_TURN_A) != 0,
                  isa_wgmma_row(w->env), ROWS, p->a);
    }
    if ((p->u->imm & ISA_WGMMA_MINUS_A) != 0) {
        negate(p->a, ARRAY_LEN(p->a), p->g.bits);
    }
}

/* Element i of a row of words. */
static uint32_t element(const uint32_t *row, uint32_t bits, uint32_t i)
{
    const uint32_t per = 32 / bits;

    return bits == 32 ? row[i] : row[i / per] >> bits * (i % per) & ((1u << bits) - 1);
}

/* ---- sums ---- */

LANE_INLINE uint32_t extend(uint32_t v, enum isa_type t)
{
    return isa_type_is_signed(t) ? (uint32_t)(int32_t)(int8_t)v : v;
}

static void integer_sums(const struct product *p, const uint32_t *b, uint32_t *d)
{
    const struct isa_form *const f = &p->u->form;

    for (uint32_t i = 0; i < ROWS * COLUMNS; i++) {
        const uint32_t *const x = p->a + i / COLUMNS * WORDS;
        const uint32_t *const y = b + i % COLUMNS * WORDS;
        uint32_t sum = 0;

        for (uint32_t k = 0; k < WORDS && p->g.bits == 1; k++) {
            sum += bits_count(x[k] & y[k]);
        }
        for (uint32_t k = 0; k < p->g.k && p->g.bits == 8; k++) {
            sum += extend(element(x, 8, k), (enum isa_type)f->type2) *
                   extend(element(y, 8, k), (enum isa_type)f->type3);
        }
        d[i] = (f->flags & ISA_F_SATFINITE) != 0 ? lane_add_sat(d[i], sum) : d[i] + sum;
    }
}

/* d: C of the type of D, as bits; becomes the sums. a: decoded. */
LANE_INLINE void float_sums(const struct product *p, const struct numbers *a,
                            uint32_t *rb, uint32_t *d)
{
    const struct isa_form *const f = &p->u->form;
    const struct isa_sum rule =
        isa_async_sum_of((enum isa_type)f->type2, p->w->env->cc);
    const bool half = f->type == ISA_T_F16;
    const bool short_sums = !half && p->g.bits == 8;
    uint32_t rc[ROWS * COLUMNS];
    struct numbers b, c;

    memcpy(rc, d, sizeof(rc));
    decode(&b, (enum isa_type)f->type3, rb, p->g.k * COLUMNS);
    decode(&c, (enum isa_type)f->type, rc, ROWS * COLUMNS);
    for (uint32_t row = 0; row < ROWS; row++) {
        struct sum s = {.a = a,
                        .b = &b,
                        .row = row,
                        .k = p->g.k,
                        .special = a->special || b.special || c.special};

        memcpy(s.c, c.v + row * COLUMNS, sizeof(s.c));
        memcpy(s.e, c.e + row * COLUMNS, sizeof(s.e));
        row_of_sums(&s, &rule, half, rc + row * COLUMNS, d + row * COLUMNS);
        for (uint32_t j = 0; short_sums && j < COLUMNS; j++) {
            const uint32_t v = d[row * COLUMNS + j];

            d[row * COLUMNS + j] = is_special(v) ? v : v & ~0x3ffu;
        }
    }
}

/* ---- D ---- */

/* The registers of D that hold columns from 8 * block on. */
static const isa_ref *d_regs(const struct product *p, uint32_t block)
{
    return p->u->tile + (size_t)block * (p->u->form.type == ISA_T_F16 ? 2 : 4);
}

static void take_d(const struct product *p, uint32_t block, uint32_t *d)
{
    const isa_ref *const regs = d_regs(p, block);
    const bool half = p->u->form.type == ISA_T_F16;

    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t word = lane_src(p->w, regs[half ? i / 2 : i])[lane];
            const uint32_t v = half ? word >> 16 * (i % 2) & 0xffff : word;

            d[(lane / 4 + i / 2 * 8) * COLUMNS + lane % 4 * 2 + i % 2] =
                p->adds ? v : 0;
        }
    }
}

static void give_d(const struct product *p, uint32_t block, uint32_t mask,
                   const uint32_t *d)
{
    const isa_ref *const regs = d_regs(p, block);
    const bool half = p->u->form.type == ISA_T_F16;

    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        const uint32_t *const at = d + lane / 4 * COLUMNS + lane % 4 * 2;

        for (uint32_t i = 0; i < 4 && (mask & lane_bit[lane]) != 0; i++) {
            const uint32_t *const from = at + i / 2 * 8 * COLUMNS;

            if (!half) {
                lane_dst(p->w, regs[i])[lane] = from[i % 2];
            } else if (i % 2 == 0) {
                lane_dst(p->w, regs[i / 2])[lane] = from[0] | from[1] << 16;
            }
        }
    }
}

/* ---- wgmma ---- */

/* Row words of 8 columns of B as elements, [k][column]. */
static void spread(const struct product *p, const uint32_t *words, uint32_t *out)
{
    for (uint32_t k = 0; k < p->g.k; k++) {
        for (uint32_t j = 0; j < COLUMNS; j++) {
            out[k * COLUMNS + j] = element(words + j * WORDS, p->g.bits, k);
        }
    }
}

LANE_FN(wgmma)
{
    const bool is_int = u->form.type == ISA_T_S32;
    struct product p = {.u = u, .w = w};
    uint32_t ra[ROWS * 32];
    struct numbers a;
    const isa_ref *list = u->tile;
    uint32_t adds;

    isa_wgmma_of(&u->form, &p.g);
    list += p.g.d_regs;
    take_a(&p, list);
    list += (u->imm & ISA_WGMMA_A_REGS) != 0 ? p.g.a_regs : 1;
    p.b = descriptor_of(w, list[0]);
    adds = u->dst2 == ISA_P_TRUE    ? UINT32_MAX
           : u->dst2 == ISA_P_FALSE ? 0
                                    : w->p[u->dst2];
    p.adds = (((u->neg_src & 1u) != 0 ? ~adds : adds) & mask) != 0;
    for (uint32_t i = 0; !is_int && i < ROWS * p.g.k; i++) {
        ra[i] = element(p.a + i / p.g.k * WORDS, p.g.bits, i % p.g.k);
    }
    if (!is_int) {
        decode(&a, (enum isa_type)u->form.type2, ra, ROWS * p.g.k);
    }
    for (uint32_t block = 0; block < p.g.n / COLUMNS; block++) {
        uint32_t b[COLUMNS * WORDS], rb[32 * COLUMNS], d[ROWS * COLUMNS];

        read_rows(&p, p.b, (u->imm & ISA_WGMMA_TURN_B) != 0, block * COLUMNS, COLUMNS,
                  b);
        if ((u->imm & ISA_WGMMA_MINUS_B) != 0) {
            negate(b, ARRAY_LEN(b), p.g.bits);
        }
        take_d(&p, block, d);
        if (is_int) {
            integer_sums(&p, b, d);
        } else {
            spread(&p, b, rb);
            float_sums(&p, &a, rb, d);
        }
        give_d(&p, block, mask, d);
    }
}

static const struct lane_row rows[] = {
    ROWX(WGMMA, T(F32), TENSOR, 1, wgmma, .sub = ISA_S_MMA,
         .types2 = T(F16) | T(BF16) | T(TF32) | T(E4M3) | T(E5M2)),
    ROWX(WGMMA, T(F16), TENSOR, 1, wgmma, .sub = ISA_S_MMA,
         .types2 = T(F16) | T(E4M3) | T(E5M2)),
    ROWX(WGMMA, T(S32), TENSOR, 1, wgmma, .sub = ISA_S_MMA, .types2 = T(S8) | T(U8),
         .any = ISA_F_SATFINITE),
    ROWX(WGMMA, T(S32), TENSOR, 1, wgmma, .sub = ISA_S_MMA, .types2 = T(B1),
         .bools = B(AND)),
};

LANE_TABLE(lane_wgmma_table, rows);
