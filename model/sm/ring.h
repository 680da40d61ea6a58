/*
 * ring.h - in which cycle a blocked warp can issue again.
 *
 * The idea. When an instruction issues, the cycle of its result is mostly known: now
 * plus the latency of its pipe. Most results do not let their warp issue, because the
 * warp still waits for another one. So a result causes no work in its cycle. Instead,
 * when a warp becomes blocked, the SM computes the cycle in which the last thing that
 * blocks it ends, and puts the warp into the set of that cycle. The ring is the array
 * of these sets: one word per cycle, for the next RING cycles, one bit per warp.
 *
 * The words used here:
 *
 *   due      a result, or a hold, that ends at a known cycle (struct due, in the warp)
 *   release  take the registers, predicates and holds of a due off the scoreboard
 *   settle   release those dues of a warp whose cycle has come. It is done late: before
 *            the warp issues, and before anything else changes what the warp waits for
 *   update   decide whether the warp, which is settled, is ready or blocked; and if it
 *            is blocked, put it into the set of the cycle that ends that
 *   look at  settle and update the warp, in a cycle that was chosen before
 *
 * In each step the SM takes the set of the present cycle and adds it to the warps that
 * are ready, without touching any of them (ring_drain()). That is right because a
 * blocked warp executes nothing, so that what it waits for cannot change. Two kinds of
 * warps are looked at one by one instead (warps.again): those whose cycle was further
 * away than the ring is long, and, while somebody watches the warps (warps.exact), all
 * of them, in the cycle of each of their dues. A warp that also waits for an event of
 * unknown time, such as memory, is in no set; whoever handles the event updates it.
 *
 * What the user of this unit must do: set `now` before each step, and run a step in
 * every cycle that ring_next() names. The word of a cycle is used again RING cycles
 * later, so a set that is not taken in time would be taken for a later one.
 */
#ifndef SM_RING_H
#define SM_RING_H

#include "sm/warp.h"

/* Ask for a step in cycle `at`, which is later than now, although perhaps no warp can
 * issue in it: somebody who begins to watch before then must see the result appear in
 * its cycle. False: the ring does not reach so far, and nothing was noted. */
static inline bool ring_visit(struct warps *ws, sim_cycle_t at)
{
    uint32_t k = (uint32_t)at & (RING - 1);

    if (UNLIKELY(at - ws->now - 1 >= RING - 1)) {
        return false;
    }
    ws->ring_used[k / 64] |= 1ull << (k % 64);
    return true;
}

/* ring_look() of a cycle that the ring does not reach. */
void ring_look_far(struct warps *ws, uint32_t i, sim_cycle_t at);

/* Put warp i into the set of cycle `at`, which is later than now. */
static inline void ring_look(struct warps *ws, uint32_t i, sim_cycle_t at)
{
    if (LIKELY(ring_visit(ws, at))) {
        ws->ring[(uint32_t)at & (RING - 1)] |= 1ull << i;
    } else {
        ring_look_far(ws, i, at);
    }
}

/* A new block gets the slot of warp i: drop the dues and sets of the one before. */
void ring_forget(struct warps *ws, uint32_t i);
/* Settle and update each warp of the set. */
void ring_look_closely(struct warps *ws, uint64_t warps);

/* Add the set of the present cycle to the warps that are ready. Returns those that were
 * looked at one by one, so that the caller can show what they do now. */
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

/* Make all sets anew for cycle `now`, and settle all warps. Call it between steps, when
 * warps.exact has changed. */
void ring_renew(struct warps *ws, sim_cycle_t now);
/* Settle all warps for cycle `now`, before somebody reads their state between steps. */
void ring_settle(struct warps *ws, sim_cycle_t now);
/* The last cycle in which a due of warp i ends that has one of these registers,
 * predicates or holds; 0: none has. */
sim_cycle_t ring_last(const struct warps *ws, uint32_t i, const struct due *any);
/* The next cycle that needs a step because of a due; SIM_CYCLE_NONE: there is none. */
sim_cycle_t ring_next(const struct warps *ws);
/* warp_settle() and the waiting part of warp_update(), of a warp with several dues. */
void warp_settle_more(struct warps *ws, struct warp *w, uint32_t i);
void warp_wait_more(struct warps *ws, struct warp *w, uint32_t i);

/* w is blocked, and not by its only due alone: count what it waits for as far as that
 * is known, and note what to count when an event ends the rest. SPEC STALL-2 says what
 * comes first. */
void warp_wait_long(struct warps *ws, struct warp *w, uint32_t i);

/* What a hold is called. */
static inline enum stall warp_stall_of(uint32_t hold)
{
    return LIKELY(hold == 0)                             ? STALL_WAIT
           : (hold & (HOLD_BARRIER | HOLD_CLUSTER)) != 0 ? STALL_BARRIER
           : (hold & HOLD_CONTROL) != 0                  ? STALL_BRANCH
           : (hold & HOLD_FETCH) != 0                    ? STALL_NO_INSTRUCTION
           : (hold & (HOLD_ATOMIC | DUE_SHORT)) != 0     ? STALL_SHORT
           : (hold & (HOLD_SYSCALL | HOLD_ASYNC | HOLD_BULK)) != 0 ? STALL_LONG
           : (hold & (HOLD_FENCE | HOLD_FENCE_TIME)) != 0          ? STALL_MEMBAR
           : (hold & HOLD_PRODUCT) != 0                            ? STALL_MATH_PIPE
                                                                   : STALL_WAIT;
}

/* Release the dues of w, warp i, whose cycle has come. */
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

/* ring_add() to a warp that has a due already. */
void ring_add_more(struct warps *ws, struct warp *w, uint32_t i, const struct due *d);

/* Note a due of warp i: in delay >= 1 cycles its registers, predicates and holds (at
 * least one of them) are released. The caller updates the warp once all that the
 * instruction changes is done (warp_update()). */
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

/* The due of these predicates is no more: something has ended them before its cycle.
 * The caller updates the warp. */
void ring_cancel(struct warps *ws, uint32_t i, uint32_t preds);

/* The scoreboard, the holds or the next instruction of w, warp i, changed; w is
 * settled. Decide whether it is ready, and if not, in which cycle it will be. If it
 * also waits for an event of unknown time, it is put into no set. */
static inline void warp_update(struct warps *ws, struct warp *w, uint32_t i)
{
    uint64_t bit = 1ull << i;

    if (warp_blocked(w) == 0) {
        ws->ready |= bit;
        return;
    }
    ws->ready &= ~bit;
    if (LIKELY(w->n_due == 1)) {
        if (LIKELY(warp_waits_for(w, &w->due))) {
            ring_look(ws, i, w->due.at);
            if (UNLIKELY(ws->stalls)) {
                warp_count_until(w, warp_stall_of(w->due.hold), w->due.at);
            }
            return;
        }
        if (ws->exact) {
            ring_look(ws, i, w->due.at);
        }
    } else if (w->n_due != 0) {
        warp_wait_more(ws, w, i);
    }
    if (UNLIKELY(ws->stalls)) {
        warp_wait_long(ws, w, i);
    }
}

#endif /* SM_RING_H */
