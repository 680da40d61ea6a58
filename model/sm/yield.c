#include "sm/yield.h"

#include "sm/fault.h"
#include "sm/flow.h"

/* The top of the stack runs. As after a branch nothing issues until that is settled. */
static void go(struct sm *s, uint32_t i)
{
    struct warp *w = &s->warps.warp[i];

    meet_fetch(s, i);
    if (s->untimed == NULL && (w->hold & HOLD_CONTROL) == 0) {
        w->hold |= HOLD_CONTROL;
        ring_add(&s->warps, s->branch_latency, i, 0, 0, HOLD_CONTROL);
    }
}

bool yield_poll(struct sm *s, uint32_t i, uint32_t mask)
{
    if (mask == 0 || !turn_give(s, i, s->warps.warp[i].pc)) {
        return false;
    }
    go(s, i);
    return true;
}

void yield_next(struct sm *s, uint32_t i, const struct isa_uop *u)
{
    struct warp *w = &s->warps.warp[i];

    if (LIKELY((u->aside & ISA_ASIDE_POLLS) == 0) || w->pc + 1 == w->reconv ||
        !turn_give(s, i, w->pc + 1)) {
        flow_next(s, w, i, u);
        return;
    }
    go(s, i);
}

bool yield_may_hold(const struct sm *s, const struct warp *w, const struct isa_uop *u,
                    uint32_t mask)
{
    const uint32_t members = u->aside & (ISA_ASIDE_ALL | ISA_ASIDE_MEMBERS);

    if (members == 0 || !turn_is_free(s) ||
        (members == ISA_ASIDE_ALL && mask == w->live)) {
        return false;
    }
    return fault_outside(s, w, u, mask) != 0 || turn_lacking(w, u, mask) != 0;
}

bool yield_sync(struct sm *s, uint32_t i, uint32_t mask)
{
    if (fault_members(s, i, mask)) {
        return true;
    }
    if (!turn_is_free(s) || !turn_wait(s, i, mask)) {
        return false;
    }
    go(s, i);
    return true;
}
