/*
 * functional.h - a launch that takes no modelled time (SPEC FUNC-1..3): its blocks on
 * the SMs of an idle device, until the last one has ended.
 *
 * Block after block runs to its end, in the order of the grid, as long as none waits
 * for another. Blocks that do not end soon take turns, and the more rounds they need
 * the more blocks join them, up to as many as the device holds at once: so blocks may
 * wait for each other whenever they may with time.
 */
#ifndef GPU_FUNCTIONAL_H
#define GPU_FUNCTIONAL_H

#include "gpu/device_priv.h"

/* Launch number i begins; nothing is resident. */
void functional_begin(struct smw_device *d, uint32_t i);
/* Up to so many turns of blocks (0: to its end). SMW_DONE: it is over, and its counters
 * are filled; the caller finishes it. SMW_RUNNING: the turns are used up. */
enum smw_status functional_step(struct smw_device *d, uint64_t turns);
/* Of the one under way, so far; and how many of its blocks have ended. */
void functional_counters(const struct smw_device *d, struct smw_counters *out);
uint64_t functional_done(const struct smw_device *d);
/* The SMs are idle again. */
void functional_end(struct smw_device *d);

#endif /* GPU_FUNCTIONAL_H */
