/*
 * async.h - asynchronous copies of a warp that are under way, and the groups that its
 * threads put them into (SPEC ASYNC-3). Nothing here knows time or an SM.
 *
 * Groups are a thread's own: lanes of a warp may have committed different numbers of
 * them. A copy is one instruction of the warp, and is in a group of each of its lanes.
 * Groups of a lane have numbers from 0 on; copies not yet committed are in the one that
 * the next commit ends.
 *
 * Here is too what a warp waits for that its copies or an mbarrier will end.
 */
#ifndef SM_ASYNC_H
#define SM_ASYNC_H

#include "mem/mem.h"

enum { ASYNC_PRODUCTS = 32 };

/* cp.async.bulk.wait_group: lanes, groups that may be left, is reading enough? */
struct bulk_wait {
    uint32_t lanes, groups;
    bool read;
};

struct async {
    struct mem_copy *first, *last; /* under way, in the order in which they began */
    uint32_t begun;                /* copies so far */
    uint32_t commits[ISA_LANES];   /* groups of each lane so far */
    /* HOLD_ASYNC: these lanes wait until so many groups are left */
    uint32_t wait_lanes, wait_groups;
    /* arrivals at mbarriers that wait for copies, oldest first: owned. Their `pending`
     * is the number of the first copy that they do not wait for. */
    struct mem_reqs late;
    /* wgmma: when the latest product ends, and the latest groups of products, by their
     * number modulo ASYNC_PRODUCTS */
    sim_cycle_t product_at, products[ASYNC_PRODUCTS];
    uint32_t n_products;
    uint32_t bulk_commits[ISA_LANES]; /* bulk groups of each lane so far */
    struct bulk_wait bulk_wait;       /* HOLD_BULK */
    /* mbarrier.try_wait asleep: lanes whose phase is not over; 0: nobody sleeps */
    uint32_t asleep;
    /* id of each lane's latest mbarrier instruction since the first mbarrier.try_wait:
     * only that one may let it sleep */
    uint32_t latest[ISA_LANES];
    sim_cycle_t asleep_until;
    const struct isa_uop *asleep_uop;
    uint32_t asleep_pred;              /* frame of its predicate */
    uint32_t asleep_at[ISA_LANES];     /* address of the mbarrier in the array */
    uint32_t asleep_parity[ISA_LANES]; /* operands */
    uint64_t asleep_state[ISA_LANES];
};

/* The one at *at, made when it is asked for first. */
struct async *async_of(struct async **at);

/* Of a block that begins: nothing is under way. */
void async_begin(struct async *a);

/* Copy c, whose mask is set, begins; it is over. */
void async_add(struct async *a, struct mem_copy *c);
void async_remove(struct async *a, struct mem_copy *c);

/* The lanes end a group. */
void async_commit(struct async *a, uint32_t lanes);

/* Is more than the n latest groups of one of the lanes under way? */
bool async_must_wait(const struct async *a, uint32_t lanes, uint32_t n);

/* Is a copy of one of the lanes under way that began before copy number n? */
bool async_has_older(const struct async *a, uint32_t lanes, uint32_t n);

/* Groups with copies under way, also the one that is not committed, of the lane that
 * has most. */
uint32_t async_groups(const struct async *a);

#endif /* SM_ASYNC_H */
