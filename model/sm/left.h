/*
 * left.h - the ready warps that a step leaves: what keeps them from issuing is counted
 * for all of a scheduler at once (SPEC STALL-3).
 */
#ifndef SM_LEFT_H
#define SM_LEFT_H

#include "sm/sm_priv.h"

/* After all schedulers have issued in a cycle: count it for those left. */
void left_count(struct sm *s, uint64_t left);
/* The same warps were left since the last step: count the cycles from s->left_from up
 * to, and not with, now. */
void left_count_gap(struct sm *s, sim_cycle_t now);

/* The first thing in a step, before anything becomes ready. */
static inline void left_begin(struct sm *s, sim_cycle_t now)
{
    if (UNLIKELY(s->left != 0) && now > s->left_from) {
        left_count_gap(s, now);
    }
    s->chosen = 0;
    s->taken = 0;
}

/* The last thing in it. */
static inline void left_end(struct sm *s)
{
    uint64_t left = s->warps.ready | s->parked;

    s->left = left;
    s->left_from = s->warps.now + 1;
    left &= ~s->chosen;
    if (left != 0) {
        left_count(s, left);
    }
}

#endif /* SM_LEFT_H */
