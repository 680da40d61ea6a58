/*
 * left.h - the ready warps that a step leaves: what keeps them from issuing is counted
 * for all of a scheduler at once (SPEC STALL-3). Nothing of it is called unless
 * warps.stalls is set.
 */
#ifndef SM_LEFT_H
#define SM_LEFT_H

#include "sm/sm_priv.h"

/* Before anything else: which way to count this processor has. */
void left_init(struct sm *s);
/* Where to count from now on: each warp by itself, in the places where it belongs, or
 * all of a scheduler in one of the launch s->only. */
void left_place(struct sm *s, bool alone);
/* Of the warps left after all schedulers have issued in a cycle, those that could not
 * have issued in it, whoever came first: their pipes were full before. (What was full
 * before has not been issued to since; what is full now and was issued to was not.)
 * There may be others in the set. */
uint64_t left_kept(struct sm *s, uint64_t left);

/* The first thing in a step, before anything becomes ready: since the last one the same
 * warps were left. Counting them here, with the cycle of that step, takes one turn
 * through the schedulers instead of two. */
static inline void left_begin(struct sm *s, sim_cycle_t now)
{
    if (s->left != 0 && now > s->left_at) {
        s->count_left(s, now);
    }
    s->busy |= s->taken;
    s->chosen = 0;
    s->taken = 0;
    for (uint32_t j = 0; j < s->n_scheds; j++) {
        s->slot[j].busy |= s->slot[j].taken;
        s->slot[j].taken = 0;
    }
}

/* w, warp i of d, issues. */
static inline void left_issue(struct sm *s, struct slot *d, struct warp *w, uint32_t i)
{
    s->chosen |= 1ull << i;
    s->taken |= 1u << s->warps.class_of[i];
    d->taken |= 1u << s->warps.class_of[i];
    warp_count(w, STALL_SELECTED, 1);
    w->since = s->warps.now + 1;
}

/* The last thing in it. */
static inline void left_end(struct sm *s)
{
    uint64_t left = s->warps.ready | s->parked;

    s->left = left;
    s->left_at = s->warps.now;
    s->kept = (left & ~s->chosen) != 0 && s->chosen != 0
                  ? left_kept(s, left & ~s->chosen)
                  : 0;
}

#endif /* SM_LEFT_H */
