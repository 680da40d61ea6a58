/*
 * wgmma_draw_test.h - drawn descriptors of wgmma, the same on a device
 * (testbench/fidelity/wgmma.cu) and on a host.
 */
#ifndef ISA_WGMMA_DRAW_TEST_H
#define ISA_WGMMA_DRAW_TEST_H

#include "isa/mma_draw_test.h"

/* Addresses and offsets in bytes; swizzle: 0 none, 1 128, 2 64, 3 32 bytes. */
DRAW_FN uint64_t wgmma_descriptor(uint32_t at, uint32_t lead, uint32_t stride,
                                  uint32_t base, uint32_t swizzle)
{
    return (uint64_t)(at >> 4 & 0x3fff) | (uint64_t)(lead >> 4 & 0x3fff) << 16 |
           (uint64_t)(stride >> 4 & 0x3fff) << 32 | (uint64_t)base << 49 |
           (uint64_t)swizzle << 62;
}

/* Where an operand, A or B, is said to lie. */
struct wgmma_place {
    uint32_t of_a, turned, swizzle, at, lead, stride, base;
};

enum { WGMMA_PLACES = 512 };

/* Of each 16 that follow each other 16 kinds: A or B, turned or not, four swizzles. Of
 * four such sixteens one lies as it is documented, one is moved, two lie anyhow. */
DRAW_FN struct wgmma_place wgmma_draw_place(uint32_t i)
{
    const uint32_t rows[4] = {16, 128, 64, 32}, tidy = i >> 4 & 3;
    uint64_t h = draw_hash(i + 1000);
    struct wgmma_place p;

    p.of_a = i & 1;
    p.turned = i >> 1 & 1;
    p.swizzle = i >> 2 & 3;
    p.at = tidy == 0 ? (uint32_t)(h % 32) * 1024 : (uint32_t)(h % 2048) * 16;
    h = draw_hash(h);
    if (tidy <= 1) {
        p.lead = (uint32_t)(1 + h % 4) * rows[p.swizzle] * 8;
        p.stride = (uint32_t)(1 + (h >> 8) % 4) * rows[p.swizzle] * 8;
    } else {
        p.lead = (uint32_t)(h % 512) * 16;
        p.stride = (uint32_t)((h >> 16) % 512) * 16;
    }
    p.base = tidy == 3 ? (uint32_t)(h >> 40) & 7 : 0;
    return p;
}

#endif /* ISA_WGMMA_DRAW_TEST_H */
