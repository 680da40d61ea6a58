/*
 * block.h - blocks come and go: where they are placed, how their warps begin, when they
 * are sent back.
 */
#ifndef SM_BLOCK_H
#define SM_BLOCK_H

#include "sm/sm_priv.h"

/* Place the block if there is room; false: wait. */
bool block_start(struct sm *s, struct sm_block *b);
/* The block has slot, which is free, and its shared memory begins at base: zeros, and
 * on 1.x the launch's arguments. Its warps take free places and stand at the kernel's
 * begin. No time, and nobody hears of it. */
void block_fill(struct sm *s, struct sm_block *b, uint32_t slot, uint32_t base);
/* Warp i has no live lanes and no accesses under way. */
void block_warp_done(struct sm *s, uint32_t i);
/* Send blocks that are complete; callable at any time. */
void block_finish(struct sm *s, uint32_t slot);
/* The stores of the block, whose warps have exited, have left the SM. */
void block_drained(struct sm *s, uint32_t slot);
/* End those of which that is long enough ago. */
void block_end_drained(struct sm *s);
/* A transaction without data that says where the block in slot has got to. */
struct mem_req *block_drain(struct sm *s, uint32_t slot, enum isa_space space);
/* Try again what had to wait for the LSU. */
void block_send_drains(struct sm *s);

#endif /* SM_BLOCK_H */
