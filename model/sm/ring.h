/*
 * ring.h - what is under way in a warp, and when to look at it again.
 *
 * Results and holds that end at a known cycle are noted with their warp (struct due)
 * and are released when it is settled: before it issues, and when something else
 * changes for it. Who cannot issue before some of them end is looked at in that cycle:
 * the ring has a set of warps per cycle. So an SM touches no warp that has something
 * released and does not go on for it. It has a step in every such cycle all the same:
 * see ring_visit().
 *
 * A warp that is blocked is in one set at most, and in none if it waits for an event
 * too; what would let it go on does not change any more. Therefore the sets of most
 * cycles can be taken as ready unseen. Looked at closely are warps whose cycle was
 * further away than the ring is long, and all of them when every change matters
 * (sm.exact): then each of their dues has its look.
 */
#ifndef SM_RING_H
#define SM_RING_H

#include "sm/sm_priv.h"

/* What keeps a warp that is settled from issuing, but for its pipe; 0: nothing. */
static inline uint64_t warp_blocked(const struct warp *w)
{
    return (w->pend & w->need) | (w->pend_p & w->need_p) | w->hold;
}

void ring_init(struct sm *s);

/* The SM has a step in the cycle, which is later than now, if the ring reaches so far:
 * an observer who comes before finds its place then. */
static inline bool ring_visit(struct sm *s, sim_cycle_t at)
{
    uint32_t k = (uint32_t)at & (RING - 1);

    if (UNLIKELY(at - s->now - 1 >= RING - 1)) {
        return false;
    }
    s->ring_used[k / 64] |= 1ull << (k % 64);
    return true;
}

/* ring_look() beyond the ring. */
void ring_look_far(struct sm *s, uint32_t i, sim_cycle_t at);

/* Warp i is looked at in the cycle, which is later than now. */
static inline void ring_look(struct sm *s, uint32_t i, sim_cycle_t at)
{
    if (LIKELY(ring_visit(s, at))) {
        s->ring[(uint32_t)at & (RING - 1)] |= 1ull << i;
    } else {
        ring_look_far(s, i, at);
    }
}

/* What an earlier block left under way in the warp's slot releases nothing. */
void ring_forget(struct sm *s, uint32_t i);
/* Those of the warps that want it are looked at; returns the others. */
uint64_t ring_look_closely(struct sm *s, uint64_t warps);

/* Warps whose cycle this is. */
static inline void ring_drain(struct sm *s)
{
    uint32_t k = (uint32_t)s->now & (RING - 1);
    uint64_t warps = s->ring[k];

    s->ring[k] = 0;
    s->ring_used[k / 64] &= ~(1ull << (k % 64));
    if (UNLIKELY((warps & s->again) != 0)) {
        warps = ring_look_closely(s, warps);
    }
    s->ready |= warps;
}

/* sm.exact has changed: all looks are made anew, and what is due by now is released. */
void ring_renew(struct sm *s);
/* All warps are settled as of the present, for who asks between steps. */
void ring_settle(struct sm *s);
/* The next cycle that has a step for what is due, SIM_CYCLE_NONE if none has. */
sim_cycle_t ring_next(const struct sm *s);
/* Of a warp that has more than one due: those of now are released; and when the others
 * let it go on. */
void warp_settle_more(struct sm *s, struct warp *w, uint32_t i);
void warp_wait_more(struct sm *s, struct warp *w, uint32_t i);

static inline void warp_release(struct warp *w, const struct due *d)
{
    w->pend &= ~d->regs;
    w->pend_p &= ~d->preds;
    w->hold &= ~d->hold;
}

/* What is due by now is released. */
static inline void warp_settle(struct sm *s, struct warp *w, uint32_t i)
{
    if (LIKELY(w->n_due == 1)) {
        if (LIKELY(w->due.at <= s->now)) {
            warp_release(w, &w->due);
            w->n_due = 0;
        }
    } else if (UNLIKELY(w->n_due != 0)) {
        warp_settle_more(s, w, i);
    }
}

/* One more, of a warp that has some. */
void ring_add_more(struct sm *s, struct warp *w, uint32_t i, const struct due *d);

/* In delay >= 1 cycles: registers, predicates and holds of warp i are released. At
 * least one of them. Whoever calls it has the warp looked at when all is done:
 * warp_update(). */
static inline void ring_add(struct sm *s, uint32_t delay, uint32_t i, uint64_t regs,
                            uint32_t preds, uint32_t hold)
{
    struct warp *w = &s->warp[i];
    struct due d = {.at = s->now + delay, .regs = regs, .preds = preds, .hold = hold};

    (void)ring_visit(s, d.at);
    if (LIKELY(w->n_due == 0)) {
        w->due = d;
        w->n_due = 1;
    } else {
        ring_add_more(s, w, i, &d);
    }
}

/* Does all that keeps w from issuing end with d? */
static inline bool warp_waits_for(const struct warp *w, const struct due *d)
{
    return ((w->pend & w->need & ~d->regs) | (w->pend_p & w->need_p & ~d->preds) |
            (w->hold & ~d->hold)) == 0;
}

/* The scoreboard, holds or head of w, warp i, which is settled, changed: is it ready,
 * or when will it be? What only an event ends is not waited for here. */
static inline void warp_update(struct sm *s, struct warp *w, uint32_t i)
{
    uint64_t bit = 1ull << i;

    if (warp_blocked(w) == 0) {
        s->ready |= bit;
        return;
    }
    s->ready &= ~bit;
    if (LIKELY(w->n_due == 1)) {
        if (s->exact || warp_waits_for(w, &w->due)) {
            ring_look(s, i, w->due.at);
        }
    } else if (w->n_due != 0) {
        warp_wait_more(s, w, i);
    }
}

/* Observers want to see the state of the warp, which is settled. */
static inline void warp_changed(struct sm *s, struct warp *w, uint32_t i)
{
    warp_update(s, w, i);
    if (SIM_PROBES && UNLIKELY(s->shown)) {
        warp_show(s, i);
    }
}

/* The same of a warp that may have something due by now. */
static inline void warp_look(struct sm *s, struct warp *w, uint32_t i)
{
    warp_settle(s, w, i);
    warp_changed(s, w, i);
}

#endif /* SM_RING_H */
