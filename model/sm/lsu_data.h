/*
 * lsu_data.h - how data moves between the lanes of a request and the lines that carry
 * it. No time and no ports.
 */
#ifndef SM_LSU_DATA_H
#define SM_LSU_DATA_H

#include "mem/rules.h"
#include "mem/tex.h"
#include <string.h>

/* A lane's access in pieces of up to 32 bits, one for each word in d: bytes of a
 * piece. */
static inline uint32_t lsu_piece_bytes(const struct mem_req *r)
{
    return r->size < 4 ? r->size : 4;
}

/* Bytes from a lane's address to its piece i. */
static inline uint32_t lsu_piece_offset(const struct mem_req *r, uint32_t i)
{
    return i * lsu_piece_bytes(r);
}

/* SPEC LOCAL-1: where byte offset of a thread's local memory lies: consecutive 32-bit
 * words of one offset over the 32 lanes fill a line. base: the warp's first line. */
static inline uint64_t lsu_local_addr(uint64_t base, uint64_t offset, uint32_t lane)
{
    return base + offset / 4 * MEM_LINE + lane * 4 + offset % 4;
}

/* A piece of n bytes, 1, 2 or 4, to p and from there; little-endian as on the device.
 */
static inline void lsu_put(uint8_t *p, uint32_t d, uint32_t n)
{
    switch (n) {
    case 1: *p = (uint8_t)d; break;
    case 2: memcpy(p, &d, 2); break;
    default: memcpy(p, &d, 4); break;
    }
}

static inline uint32_t lsu_get(const uint8_t *p, uint32_t n)
{
    uint32_t d = 0;

    switch (n) {
    case 1: return *p;
    case 2: memcpy(&d, p, 2); return d;
    default: memcpy(&d, p, 4); return d;
    }
}

/* A store: what the line's lanes bring, into its data. */
void lsu_fill_line(const struct mem_req *r, struct mem_line *t);

enum { LSU_TEXEL_PIECES = 4, LSU_PIECE_LINES = 64 };

/* SPEC TEX-5: the lines of a texture request, up to LSU_PIECE_LINES in each piece of
 * plan; how many pieces, at least 1. Of plan only n and the lines mean something. */
struct lsu_texels {
    uint32_t
        requests; /* quads of lanes, of linear memory pairs of quads, with a texel */
    uint32_t sectors;  /* distinct ones of each of these, summed */
    uint32_t distinct; /* in all */
};
uint32_t lsu_plan_texels(const struct tex_work *w,
                         struct rules_lines plan[LSU_TEXEL_PIECES],
                         struct lsu_texels *out);
/* The texels that line t brings. */
void lsu_take_texels(const struct mem_line *t, struct tex_work *w);
/* A copy whose bytes are here: the load becomes a store to shared memory. */
void lsu_land(struct mem_req *r);

/* A load: what the line's lanes get, out of its data. */
void lsu_empty_line(const struct mem_line *t, struct mem_req *r);

#endif /* SM_LSU_DATA_H */
