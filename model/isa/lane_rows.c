/* Lanes of movmatrix, of the rows of ldmatrix and stmatrix, of what wmma moves. */
#include "isa/lane.h"
#include "isa/tile.h"

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

/* The element's place times the stride, in elements, from the base; turned: of the
 * first that lane l holds before the matrix is turned about its diagonal. */
LANE_INLINE void address(const struct isa_uop *u, const struct isa_lanes *w,
                         uint32_t mask, bool turned)
{
    const uint32_t *const base = lane_src(w, u->src[0]);
    const uint32_t *const stride = lane_src(w, u->src[1]);
    const uint32_t reg = (uint32_t)u->imm >> 8 & 255, s = (uint32_t)u->imm & 255;
    const uint32_t bits = isa_type_bits((enum isa_type)u->form.type);
    const bool by_rows = u->form.layout[0] == ISA_LAYOUT_ROW;
    uint32_t v[2 * ISA_LANES];

    for (uint32_t l = 0; l < ISA_LANES; l++) {
        const struct isa_at at =
            isa_wmma_at(&u->form, (enum isa_frag)u->form.frag,
                        turned ? l % 4 * 8 + l / 8 : l, reg, turned ? l / 4 % 2 : s);
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

LANE_FN(wmma_address)
{
    address(u, w, mask, false);
}

LANE_FN(wmma_turned)
{
    address(u, w, mask, true);
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
    case ISA_WMMA_TURNED: return lane_is_wide() ? wmma_turned_wide : wmma_turned;
    case ISA_WMMA_PART: return lane_is_wide() ? wmma_part_wide : wmma_part;
    case ISA_WMMA_PACK: return lane_is_wide() ? wmma_pack_wide : wmma_pack;
    }
    return NULL;
}

static const struct lane_row rows[] = {
    ROWX(MOVMATRIX, T(B16), SHUFFLE, 1, movmatrix, .sub = ISA_S_TRANS),
};

LANE_TABLE(lane_rows_table, rows);
