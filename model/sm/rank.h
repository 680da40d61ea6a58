/*
 * rank.h - where a block is in its cluster, and where the others are (SPEC CLUSTER-1,
 * CLUSTER-2).
 */
#ifndef SM_RANK_H
#define SM_RANK_H

#include "sm/sm_priv.h"

/* What the warps of block b see of its cluster. */
void rank_describe(const struct sm_launch *l, const struct sm_block *b,
                   struct isa_cluster *out);

/* Lanes of mask that, at offsets into the shared window, mean the block that the first
 * of them means: their addresses become places in its shared memory. *space: SHARED, or
 * CLUSTER, if it is another block: then r knows where to go. */
uint32_t rank_resolve(const struct sm *s, uint32_t i, uint32_t mask, struct mem_req *r,
                      enum isa_space *space);
/* r is aimed at the block of that rank, another one. */
void rank_aim(const struct sm *s, uint32_t i, uint32_t rank, struct mem_req *r);

/* The block here that r is aimed at; NULL: it has ended, or has not begun. */
struct block *rank_find(struct sm *s, const struct mem_req *r);

#endif /* SM_RANK_H */
