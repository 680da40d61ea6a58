/*
 * left.h - the ready warps that a step leaves: what keeps them from issuing is counted
 * for all of a scheduler at once (SPEC STALL-3), when another warp of it issues, or its
 * set of ready warps has changed. Nothing of it is called unless warps.stalls is set.
 */
#ifndef SM_LEFT_H
#define SM_LEFT_H

#include "sm/sm_priv.h"

/* Where to count from now on: each warp by itself, in the places where it belongs, or
 * all of a scheduler in one of the launch s->only. */
void left_place(struct sm *s, bool alone);
/* Count what has not been counted before the present cycle: of all schedulers. */
void left_settle_all(struct sm *s);

/* The same of scheduler d. Its next turn must still be the one that those left have
 * waited for. */
static inline void left_settle(struct sm *s, struct slot *d)
{
    if (d->left_at < s->warps.now) {
        if (d->left != 0) {
            s->count_left(s, d);
        }
        d->left_at = s->warps.now;
    }
}

/* d, which has not issued in this step, leaves these. */
static inline void left_change(struct sm *s, struct slot *d, uint64_t left)
{
    if (left != d->left) {
        left_settle(s, d);
        d->left = left;
    }
}

/* w, warp i of d, issues: before anything of that. */
static inline void left_issue(struct sm *s, struct slot *d, struct warp *w, uint32_t i)
{
    left_settle(s, d);
    s->chosen |= 1ull << i;
    s->taken |= 1u << s->warps.class_of[i];
    d->taken |= 1u << s->warps.class_of[i];
    warp_count_ready(w, STALL_SELECTED, 1);
    w->since = s->warps.now + 1;
}

/* The last thing in a step, in which schedulers may have issued. */
static inline void left_end(struct sm *s)
{
    const uint64_t ready = s->warps.ready | s->parked;

    if (s->chosen != 0) {
        s->end_chosen(s);
        return;
    }
    for (uint32_t j = 0; j < s->n_scheds; j++) {
        left_change(s, &s->slot[j], ready & s->slot[j].own);
    }
}

#endif /* SM_LEFT_H */
