/*
 * lsu_data.h - how data moves between the lanes of a request and the lines that carry
 * it. No time and no ports.
 */
#ifndef SM_LSU_DATA_H
#define SM_LSU_DATA_H

#include "mem/mem.h"

/* A lane's access in pieces of up to 32 bits, one for each word in d: bytes of a piece. */
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

/* A store: what the line's lanes bring, into its data. */
void lsu_fill_line(const struct mem_req *r, struct mem_line *t);

/* A load: what the line's lanes get, out of its data. */
void lsu_empty_line(const struct mem_line *t, struct mem_req *r);

#endif /* SM_LSU_DATA_H */
