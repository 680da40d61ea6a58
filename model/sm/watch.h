/*
 * watch.h - what the checks (check/check.h, check/instant.h) hear from an SM. Only
 * called if sm.check is set.
 */
#ifndef SM_WATCH_H
#define SM_WATCH_H

#include "sm/sm_priv.h"

void watch_block(struct sm *s, uint32_t slot); /* begins */
void watch_access(struct sm *s, uint32_t i, const struct mem_req *r);
/* Warp i is about to issue an instruction of the lanes in mask, perhaps a .sync one. */
void watch_sync(struct sm *s, uint32_t i, uint32_t mask);
/* Lanes of it that waited at u for the others in members go on, all of them. */
void watch_met(struct sm *s, uint32_t i, const struct isa_uop *u, uint32_t members);
/* Warp i issues a fence, before it is held for what it has under way. */
void watch_fence(struct sm *s, uint32_t i);
/* r comes back; all that warp i had under way has. */
void watch_answer(struct sm *s, const struct mem_req *r);
void watch_own_over(struct sm *s, uint32_t i);
/* cp.async: its stores, as request r; its loads; a group of the lanes ends, or they
 * wait for some (warp i stands there). */
void watch_copy(struct sm *s, uint32_t i, const struct mem_req *r);
void watch_source(struct sm *s, uint32_t i, const struct mem_req *r);
void watch_group(struct sm *s, uint32_t i, uint32_t mask);
void watch_mbarrier(struct sm *s, uint32_t i, const struct mem_req *r);
/* The barrier of the cluster: warp i has come, a phase is over, it goes on. */
void watch_cluster_come(struct sm *s, uint32_t i);
void watch_cluster_over(struct sm *s, uint32_t slot);
void watch_cluster_leave(struct sm *s, uint32_t i);
void watch_exit(struct sm *s, uint32_t i);
void watch_arrive(struct sm *s, uint32_t i, uint32_t barrier);
void watch_release(struct sm *s, uint32_t slot, uint32_t barrier);

#endif /* SM_WATCH_H */
