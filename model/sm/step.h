/*
 * step.h - the step of an SM: in one cycle it takes what has arrived, and lets each of
 * its schedulers issue.
 */
#ifndef SM_STEP_H
#define SM_STEP_H

#include "sm/sm_priv.h"

/* The process: woken by answers, blocks, wake and to_lsu.space. */
void sm_step(void *self);

#endif /* SM_STEP_H */
