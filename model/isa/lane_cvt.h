/*
 * lane_cvt.h - what the conversions share: their operands and results as 64-bit lanes;
 * private to lane_*cvt.c.
 */
#ifndef ISA_LANE_CVT_H
#define ISA_LANE_CVT_H

#include "isa/lane.h"

#define SRC ((enum isa_type)u->form.type2)
#define DST ((enum isa_type)u->form.type)
#define RM  ((enum isa_round)u->form.round)
#define Z   ((u->form.flags & ISA_F_FTZ) != 0)
#define SAT ((u->form.flags & ISA_F_SAT) != 0)

/* The source as 64-bit lanes: integers extended by their sign, floats as bits. */
static inline void cvt_load(const struct isa_uop *u, const struct isa_lanes *w,
                            uint64_t x[ISA_LANES])
{
    const uint32_t bits = isa_type_bits(SRC);
    const uint32_t up = 64 - bits;
    const uint32_t *a = lane_src(w, u->src[0]);

    for (uint32_t l = 0; l < ISA_LANES; l++) {
        x[l] = bits == 64 ? lane_ld64(a, l) : a[l];
    }
    if (isa_type_is_signed(SRC)) {
        for (uint32_t l = 0; l < ISA_LANES; l++) {
            x[l] = (uint64_t)((int64_t)(x[l] << up) >> up);
        }
    } else {
        for (uint32_t l = 0; l < ISA_LANES; l++) {
            x[l] = x[l] << up >> up;
        }
    }
}

/* The low bits of x that the result type has; 8-bit ones extended to 16 by the sign. */
static inline void cvt_store(const struct isa_uop *u, const struct isa_lanes *w,
                             uint32_t mask, const uint64_t x[ISA_LANES])
{
    const uint32_t bits = isa_type_bits(DST);
    uint32_t *d = lane_dst(w, u->dst[0]);
    uint32_t v[2 * ISA_LANES];

    if (bits == 64) {
        memcpy(v, x, sizeof(v));
        lane_commit64(d, v, mask);
        return;
    }
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        const uint32_t y = (uint32_t)x[l];

        v[l] = bits == 32        ? y
               : bits == 16      ? y & 0xffffu
               : DST == ISA_T_S8 ? (uint32_t)(uint16_t)(int8_t)y
                                 : y & 0xffu;
    }
    lane_commit32(d, v, mask);
}

#endif /* ISA_LANE_CVT_H */
