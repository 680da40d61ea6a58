/*
 * cluster.h - a block among those of its cluster: shared memory of the others, and the
 * barrier of them all (SPEC CLUSTER-1..4).
 *
 * A request to another block leaves by the LSU and the network, and is served by the
 * shared memory of the SM that the block is on; there it is given to the LSU when the
 * block has been found. Its answer comes back here. If there is no such block, the
 * request comes back lost, and its lane is at fault.
 */
#ifndef SM_CLUSTER_H
#define SM_CLUSTER_H

#include "sm/sm_priv.h"

/* From other SMs: requests for blocks here, answers, releases. */
void cluster_take(struct sm *s);
/* A request of another SM has been served here. */
void cluster_served(struct sm *s, struct mem_req *r);

/* barrier.cluster of the lanes in mask. False: it is to be issued again, when the
 * accesses of the warp are done. */
bool cluster_meet(struct sm *s, uint32_t i, uint32_t mask);
/* Threads of the block have exited. */
void cluster_exit(struct sm *s, uint32_t slot);
/* The block's part of the barrier, without time: all its threads have come; they go
 * on. */
bool cluster_has_come(const struct sm *s, const struct block *k);
void cluster_go_on(struct sm *s, struct block *k);

#endif /* SM_CLUSTER_H */
