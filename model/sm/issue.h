/*
 * issue.h - an instruction issues: the common way, in line with the step of an SM. It
 * computes, goes through its pipe and is followed by the next one of its warp.
 */
#ifndef SM_ISSUE_H
#define SM_ISSUE_H

#include "sm/fault.h"
#include "sm/flow.h"
#include "sm/show.h"
#include "sm/spin.h"
#include "sm/yield.h"

static inline void count_issue(const struct warp *w, const struct isa_uop *u,
                               uint32_t mask)
{
    w->stats->issue_cycles++;
    flow_count(w, u, mask);
}

/* The pipe is taken for n turns. */
static inline void take_pipe(const struct sm *s, struct pipe *p, uint64_t n)
{
    p->free = (p->free > s->units ? p->free : s->units) + n * p->cost;
}

/* The pipe of u is taken for as long as u needs it. */
static inline void occupy_pipe(const struct sm *s, const struct slot *d,
                               const struct isa_uop *u)
{
    take_pipe(s, d->pipe[u->class], u->weight);
}

/* An instruction that only computes: its lanes are computed at once. What it writes
 * may be read when the latency of its pipe is over. */
static inline void issue_alu(struct sm *s, const struct slot *d, struct warp *w,
                             uint32_t i, const struct isa_uop *u, uint32_t mask)
{
    if (UNLIKELY(u->aside != 0)) {
        if (yield_holds(s, i, u, mask)) {
            return;
        }
        if ((u->aside & ISA_ASIDE_CLOCK) != 0) {
            w->env.clock = s->warps.now;
            spin_change(s);
            w->env.globaltimer = sim_now(s->scope.sim) / 1000;
        }
    }
    if (mask != 0) {
        u->exec(u, &w->lanes, mask);
    }
    if (LIKELY((u->sets | u->sets_p) != 0)) {
        const struct pipe *p = d->pipe[u->class];
        uint32_t longer = u->weight == 1 ? 0 : (u->weight - 1u) * p->cost / PIPE_UNIT;

        longer += s->late[u->late];
        w->pend |= u->sets;
        w->pend_p |= u->sets_p;
        ring_add(&s->warps, p->latency + longer, i, u->sets, u->sets_p, p->mark);
    }
    flow_next(s, w, i, u);
}

/* Issue the next instruction of warp i. */
void issue(struct sm *s, uint32_t i);

/* The same, and those who listen to sm_shared.executed are told of it. */
void issue_and_tell(struct sm *s, uint32_t i);

/* Everything else: of the lanes in mask, or those of a warp's replay. */
void issue_other(struct sm *s, uint32_t i, uint32_t mask);

/* The next instruction of w, warp i of scheduler d, which is u. */
static inline void issue_now(struct sm *s, const struct slot *d, struct warp *w,
                             uint32_t i, const struct isa_uop *u)
{
    uint32_t mask = isa_guarded(u, &w->lanes, w->active);

    warp_settle(&s->warps, w, i);
    occupy_pipe(s, d, u);
    s->issued++;
    if (LIKELY(u->kind == ISA_K_ALU)) {
        count_issue(w, u, mask);
        issue_alu(s, d, w, i, u, mask);
    } else {
        issue_other(s, i, mask);
    }
    warp_changed(s, w, i);
}

#endif /* SM_ISSUE_H */
