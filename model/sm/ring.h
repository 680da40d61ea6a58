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
 * (warps.exact): then each of their dues has its look.
 *
 * Who uses it sets `now` before each step, and has a step in every cycle that
 * ring_next() names: a set that is not drained in its cycle is taken for one of RING
 * cycles later.
 */
#ifndef SM_RING_H
#define SM_RING_H

#include "sm/warp.h"

/* The SM has a step in the cycle, which is later than now, if the ring reaches so far:
 * an observer who comes before finds its place then. */
static inline bool ring_visit(struct warps *ws, sim_cycle_t at)
{
    uint32_t k = (uint32_t)at & (RING - 1);

    if (UNLIKELY(at - ws->now - 1 >= RING - 1)) {
        return false;
    }
    ws->ring_used[k / 64] |= 1ull << (k % 64);
    return true;
}

/* ring_look() beyond the ring. */
void ring_look_far(struct warps *ws, uint32_t i, sim_cycle_t at);

/* Warp i is looked at in the cycle, which is later than now. */
static inline void ring_look(struct warps *ws, uint32_t i, sim_cycle_t at)
{
    if (LIKELY(ring_visit(ws, at))) {
        ws->ring[(uint32_t)at & (RING - 1)] |= 1ull << i;
    } else {
        ring_look_far(ws, i, at);
    }
}

/* What an earlier block left under way in the warp's slot releases nothing. */
void ring_forget(struct warps *ws, uint32_t i);
/* All of the set are settled and updated. */
void ring_look_closely(struct warps *ws, uint64_t warps);

/* Warps whose cycle this is are ready. Returns those that were looked at closely
 * instead: whoever shows their state does so now. */
static inline uint64_t ring_drain(struct warps *ws)
{
    uint32_t k = (uint32_t)ws->now & (RING - 1);
    uint64_t warps = ws->ring[k], closely = warps & ws->again;

    ws->ring[k] = 0;
    ws->ring_used[k / 64] &= ~(1ull << (k % 64));
    if (UNLIKELY(closely != 0)) {
        ring_look_closely(ws, closely);
        warps &= ~closely;
    }
    ws->ready |= warps;
    return closely;
}

/* warps.exact or the cycle has changed between steps: all looks are made anew, and what
 * is due by now is released. */
void ring_renew(struct warps *ws, sim_cycle_t now);
/* All warps are settled as of the present, for who asks between steps. */
void ring_settle(struct warps *ws, sim_cycle_t now);
/* The next cycle that has a step for what is due, SIM_CYCLE_NONE if none has. */
sim_cycle_t ring_next(const struct warps *ws);
/* Of a warp that has more than one due: those of now are released; and when the others
 * let it go on. */
void warp_settle_more(struct warps *ws, struct warp *w, uint32_t i);
void warp_wait_more(struct warps *ws, struct warp *w, uint32_t i);

/* What is due by now is released. */
static inline void warp_settle(struct warps *ws, struct warp *w, uint32_t i)
{
    if (LIKELY(w->n_due == 1)) {
        if (LIKELY(w->due.at <= ws->now)) {
            warp_release(w, &w->due);
            w->n_due = 0;
        }
    } else if (UNLIKELY(w->n_due != 0)) {
        warp_settle_more(ws, w, i);
    }
}

/* One more, of a warp that has some. */
void ring_add_more(struct warps *ws, struct warp *w, uint32_t i, const struct due *d);

/* In delay >= 1 cycles: registers, predicates and holds of warp i are released. At
 * least one of them. Whoever calls it has the warp looked at when all is done:
 * warp_update(). */
static inline void ring_add(struct warps *ws, uint32_t delay, uint32_t i, uint64_t regs,
                            uint32_t preds, uint32_t hold)
{
    struct warp *w = &ws->warp[i];
    struct due d = {.at = ws->now + delay, .regs = regs, .preds = preds, .hold = hold};

    (void)ring_visit(ws, d.at);
    if (LIKELY(w->n_due == 0)) {
        w->due = d;
        w->n_due = 1;
    } else {
        ring_add_more(ws, w, i, &d);
    }
}

/* The scoreboard, holds or head of w, warp i, which is settled, changed: is it ready,
 * or when will it be? What only an event ends is not waited for here. */
static inline void warp_update(struct warps *ws, struct warp *w, uint32_t i)
{
    uint64_t bit = 1ull << i;

    if (warp_blocked(w) == 0) {
        ws->ready |= bit;
        return;
    }
    ws->ready &= ~bit;
    if (LIKELY(w->n_due == 1)) {
        if (ws->exact || warp_waits_for(w, &w->due)) {
            ring_look(ws, i, w->due.at);
        }
    } else if (w->n_due != 0) {
        warp_wait_more(ws, w, i);
    }
}

#endif /* SM_RING_H */
