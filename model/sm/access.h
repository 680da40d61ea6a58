/*
 * access.h - memory instructions: from the lanes of a warp to a request that has passed
 * its bounds, and from its answer back into their registers.
 */
#ifndef SM_ACCESS_H
#define SM_ACCESS_H

#include "sm/sm_priv.h"

/* A memory instruction of the lanes in mask (not empty); false: it must be issued again
 * for the lanes left in w->replay. */
bool access_issue(struct sm *s, uint32_t i, uint32_t mask);
bool access_printf(struct sm *s, uint32_t i, uint32_t mask);
/* An access came back. */
void access_done(struct sm *s, struct mem_req *r);

#endif /* SM_ACCESS_H */
