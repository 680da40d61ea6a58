/*
 * bulk_ask.h - what a thread asks a bulk copy for, and what of that is a fault (SPEC
 * BULK-1, TENSOR-1).
 */
#ifndef SM_BULK_ASK_H
#define SM_BULK_ASK_H

#include "sm/bulk_job.h"
#include "sm/sm_priv.h"

/* The copy that a lane of warp i asks for by its next instruction, into *j; false: a
 * fault. */
bool bulk_ask(struct sm *s, uint32_t i, uint32_t lane, struct bulk_job *j);

#endif /* SM_BULK_ASK_H */
