/*
 * untimed.h - an SM that runs blocks without time (SPEC FUNC-1): what its instructions
 * do, by the same functions that issue them in a cycle, and nothing of when.
 *
 *   untimed_begin()  the SM is idle; from now on its warps are these
 *   untimed_place()  a block has a place
 *   untimed_run()    warp after warp runs up to a barrier, its end, or so many
 *                    instructions that others of the block come first
 *   untimed_end()    the SM is as idle as before
 *
 * Bytes are read and written where they lie. Results are there at once, so that no warp
 * waits for anything but barriers. Neither probes nor the checks of races hear of it;
 * faults and printf are raised as ever. %clock counts the instructions that the SM has
 * run, from the present cycle on.
 */
#ifndef SM_UNTIMED_H
#define SM_UNTIMED_H

#include "sm/sm.h"

enum { UNTIMED_NO_SLOT = UINT32_MAX };

enum untimed_state {
    UNTIMED_ENDED,   /* its place is free again */
    UNTIMED_GOES_ON, /* others may come first */
    UNTIMED_WAITS,   /* all warps that are left wait at barriers, for ever */
    UNTIMED_MEETS,   /* all its threads have come to the barrier of its cluster */
    UNTIMED_FAULT    /* the kernel is at fault */
};

/* Blocks of launch, a resident one, with up to max_blocks of them here; they count
 * into *count. */
void untimed_begin(struct sm *s, uint32_t launch, uint32_t max_blocks,
                   struct smw_counters *count);
/* The slot of the block that lies at ctaid, the index-th of the grid; UNTIMED_NO_SLOT:
 * there is no room. */
uint32_t untimed_place(struct sm *s, const uint32_t ctaid[3], uint64_t index);
/* The block in the slot is in a cluster whose blocks are on these SMs, by rank. */
void untimed_peers(struct sm *s, uint32_t slot, const uint8_t peer[ISA_MAX_CLUSTER]);
enum untimed_state untimed_run(struct sm *s, uint32_t slot);
/* So have those of the other blocks: the block goes on. */
void untimed_go_on(struct sm *s, uint32_t slot);
/* Micro-ops that its warps have run since untimed_begin(). */
uint64_t untimed_insts(const struct sm *s);
/* Blocks that are left are gone; nothing if it did not begin. */
void untimed_end(struct sm *s);

#endif /* SM_UNTIMED_H */
