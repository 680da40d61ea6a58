/*
 * mbar.h - mbarriers: operations on 64 bits of shared memory that count arrivals and
 * bytes (SPEC ASYNC-4). They travel as atomics. A try_wait whose phase is not over
 * sleeps, for as long as its limit says, until an arrival of the block ends the phase.
 */
#ifndef SM_MBAR_H
#define SM_MBAR_H

#include "sm/sm_priv.h"

/* An mbarrier instruction, or cp.async.mbarrier.arrive, of the lanes in mask (not
 * empty); false: a fault. */
bool mbar_issue(struct sm *s, uint32_t i, uint32_t mask);
/* An mbarrier of block k was changed by r, of another SM. */
void mbar_changed(struct sm *s, const struct block *k, const struct mem_req *r);
/* It is back. */
void mbar_done(struct sm *s, struct mem_req *r);
/* The next instruction as request r, for memory that takes no time: false: a fault. */
bool mbar_prepare(struct sm *s, uint32_t i, uint32_t mask, struct mem_req *r);
/* The predicate of a wait that has its answer; lanes whose phase is not over. */
uint32_t mbar_answer(struct sm *s, const struct mem_req *r);

/* A copy of warp i is over: arrivals that waited for it go. */
void mbar_copy_done(struct sm *s, uint32_t i);
/* Those that had no credit of the LSU. */
void mbar_send_late(struct sm *s);

#endif /* SM_MBAR_H */
