/*
 * access.h - memory instructions: from the lanes of a warp to a request that has passed
 * its bounds, and from its answer back into their registers.
 */
#ifndef SM_ACCESS_H
#define SM_ACCESS_H

#include "sm/sm_priv.h"

/* What becomes of a memory instruction. */
enum access_way {
    ACCESS_MEMORY, /* the request is to be served by the memory of its space */
    ACCESS_SERVED, /* it was: a parameter of the kernel */
    ACCESS_FAULT   /* the kernel is at fault */
};

/* The next instruction of warp i, for the lanes in mask (not empty), as request r:
 * space and addresses, within their bounds, and the data of stores and atomics. *rest:
 * lanes whose addresses are in another space; they are a request of their own. */
enum access_way access_prepare(struct sm *s, uint32_t i, uint32_t mask,
                               struct mem_req *r, uint32_t *rest);

void access_close_all(const struct sm *s, struct mem_req *r);

/* Addresses of global memory become those of the bytes (mem/memory.h). */
static inline void access_close_gaps(const struct sm *s, struct mem_req *r)
{
    if (UNLIKELY(s->shared->memory->shifted) && r->space == ISA_SP_GLOBAL) {
        access_close_all(s, r);
    }
}

/* What other files make requests with: everything but mask, space and addresses; are
 * its lanes inside what they may access (false: it faults on the first that is not); w
 * waits for the registers that it sets; it goes. */
void access_describe(struct sm *s, uint32_t i, struct mem_req *r);
bool access_is_inside(struct sm *s, uint32_t i, const struct mem_req *r);
/* The next instruction of warp i, an access of shared memory by the lanes in mask, is
 * issued now, ahead of the engine, and what it asks for is in sm.prepared; false: it
 * would be at fault, or not be served at once. */
bool access_prepare_ahead(struct sm *s, uint32_t i, uint32_t mask);
void access_expect(struct warp *w, struct mem_req *r);
void access_send(struct sm *s, uint32_t i, struct mem_req *r);
/* The same for textures: do so many bytes from addr on lie in one allocation (it is
 * sm.near then); r is looked at by checks, and goes. */
bool access_is_global(struct sm *s, uint64_t addr, uint64_t bytes);
/* One more load, store or atomic in the counters of r's warp. */
void access_count(struct sm *s, const struct mem_req *r);
void access_send_expected(struct sm *s, uint32_t i, struct mem_req *r);

/* A memory instruction of the lanes in mask (not empty); false: it must be issued again
 * for the lanes left in w->replay. */
bool access_issue(struct sm *s, uint32_t i, uint32_t mask);
/* An access came back. */
void access_done(struct sm *s, struct mem_req *r);

#endif /* SM_ACCESS_H */
