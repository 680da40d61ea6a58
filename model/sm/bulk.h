/*
 * bulk.h - the engine of an SM that makes bulk copies (SPEC BULK-1..4), from 9.0 on.
 *
 *   out lsu  mem_req  to the LSU, which passes requests of warps and these in turn
 *
 * Copies are made one after the other, in the order in which threads asked for them:
 * start cycles after it was asked for, and interval cycles after the one before, the
 * first request of a copy leaves, the others request_interval cycles apart, as long as
 * no more than `requests` of all copies are under way. Data that has been read goes on
 * before more is asked for. When the last byte of a copy has come, its mbarriers are
 * told.
 */
#ifndef SM_BULK_H
#define SM_BULK_H

#include "sm/sm_priv.h"

struct bulk;

struct bulk *bulk_new(struct sm *s);
struct sim_out *bulk_out(struct bulk *b);

/* An instruction of bulk copies of the lanes in mask (not empty); false: a fault. */
bool bulk_issue(struct sm *s, uint32_t i, uint32_t mask);
/* A request of a copy (mem_is_bulk()) is over. */
void bulk_answer(struct sm *s, struct mem_req *r);

/* The same at once, for memory that takes no time: serve serves a request. */
bool bulk_run(struct sm *s, uint32_t i, uint32_t mask,
              void (*serve)(struct sm *s, uint32_t i, struct mem_req *r));

#endif /* SM_BULK_H */
