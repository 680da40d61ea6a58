/*
 * tile_frag.h - fragments of matrices out of the registers of a warp and back; private
 * to lane_tile.c and lane_sparse.c.
 */
#ifndef ISA_TILE_FRAG_H
#define ISA_TILE_FRAG_H

#include "isa/lane.h"
#include "isa/tile.h"
#include "isa/tile_sum.h"

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

LANE_INLINE uint32_t extend(uint32_t v, enum isa_type t)
{
    const uint32_t up = 32 - isa_type_bits(t);

    return isa_type_is_signed(t) ? (uint32_t)((int32_t)(v << up) >> up) : v;
}

#endif /* ISA_TILE_FRAG_H */
