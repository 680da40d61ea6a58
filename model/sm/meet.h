/*
 * meet.h - warps meet at the barriers of their block: barrier.h put to use in an SM.
 *
 * What a barrier refuses is a fault of the kernel. A barrier that is complete lets its
 * warps go on barrier_latency cycles later. From compute capability 7.0 on lanes of one
 * warp may come one after another: those that are there wait, and the others run (SPEC
 * BAR-1).
 */
#ifndef SM_MEET_H
#define SM_MEET_H

#include "sm/sm_priv.h"

/* The top of the SIMT stack is where warp i goes on; if lanes that came to a barrier
 * alone are all that is left to run, they have come now. */
void meet_fetch(struct sm *s, uint32_t i);

/* Warp i issues a barrier for the lanes in mask, which is not empty. False: it has gone
 * on elsewhere. */
bool meet_arrive(struct sm *s, uint32_t i, uint32_t mask);

/* Would meet_arrive(), with all live lanes, do nothing but arrive? */
bool meet_is_sound(const struct sm *s, uint32_t i, uint32_t mask);

/* A warp of the block slot has exited: barriers that waited for all live ones may be
 * complete. */
void meet_exit(struct sm *s, uint32_t slot);

#endif /* SM_MEET_H */
