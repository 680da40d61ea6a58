/*
 * gmma.h - wgmma: products under way in the tensor core of a warp's scheduler, one
 * after the other, while the warp goes on; it waits for groups of them (SPEC WGMMA-4).
 * Lanes compute when the instruction issues.
 */
#ifndef SM_GMMA_H
#define SM_GMMA_H

#include "sm/sm_priv.h"

/* Any wgmma instruction of warp i, the lanes in mask; the warp goes on, unless it
 * faults. */
void gmma_issue(struct sm *s, uint32_t i, uint32_t mask);
/* What it computes, without time; false: a fault. */
bool gmma_compute(struct sm *s, uint32_t i, uint32_t mask);

#endif /* SM_GMMA_H */
