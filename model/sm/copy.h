/*
 * copy.h - asynchronous copies from global to shared memory (SPEC ASYNC-1..3): they
 * take no register and no place in the scoreboard; a warp waits for groups of them.
 */
#ifndef SM_COPY_H
#define SM_COPY_H

#include "sm/sm_priv.h"

/* cp.async of the lanes in mask (not empty); false: a fault. */
bool copy_issue(struct sm *s, uint32_t i, uint32_t mask);
/* cp.async.commit_group, .wait_group and .wait_all. */
void copy_group(struct sm *s, uint32_t i, uint32_t mask);
/* A copy, or an operation on an mbarrier, is over. */
void async_done(struct sm *s, struct mem_req *r);

/* A copy as request r, a load of global memory of the lanes that read something, and
 * what else there is of it; false: a fault. For copies that take no time too. */
bool copy_prepare(struct sm *s, uint32_t i, uint32_t mask, struct mem_req *r,
                  struct mem_copy *c);

#endif /* SM_COPY_H */
