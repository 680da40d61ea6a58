#include "sm/ring.h"

#include <string.h>

/* Registers, predicates and holds, each in one due at most; the first is apart. */
enum { MAX_DUE = 64 + 32 + 8 };

/* Due k of w, warp i. The second ones lie side by side, and so on: few warps have more
 * than one. */
static struct due *due_of(struct warps *ws, struct warp *w, uint32_t i, uint32_t k)
{
    return k == 0 ? &w->due : &ws->more_due[(size_t)(k - 1) * ws->n + i];
}

void warps_init(struct warps *ws, struct sim *sim, uint32_t n)
{
    struct stalls *none = sim_alloc(sim, sizeof(*none)); /* before any launch */

    SIM_REQUIRE(sim, n <= WARP_MAX, "warps_init");
    ws->sim = sim;
    ws->n = (uint8_t)n;
    ws->used = 1u << ws->class_of[0]; /* with which all warps begin */
    ws->warp = sim_alloc(sim, n * sizeof(ws->warp[0]));
    ws->more_due = sim_alloc(sim, (size_t)n * MAX_DUE * sizeof(ws->more_due[0]));
    for (uint32_t i = 0; i < n; i++) {
        ws->warp[i].hold = HOLD_FREE;
        ws->warp[i].stalls = none->n;
        ws->warp[i].why = STALL_NONE;
    }
}

sim_cycle_t ring_last(const struct warps *ws, uint32_t i, const struct due *any)
{
    const struct warp *w = &ws->warp[i];
    sim_cycle_t last = 0;

    for (uint32_t k = 0; k < w->n_due; k++) {
        const struct due *d =
            k == 0 ? &w->due : &ws->more_due[(size_t)(k - 1) * ws->n + i];
        bool has = (d->regs & any->regs) != 0 || (d->preds & any->preds) != 0 ||
                   (d->hold & any->hold) != 0;

        last = has && d->at > last ? d->at : last;
    }
    return last;
}

void ring_add_more(struct warps *ws, struct warp *w, uint32_t i, const struct due *d)
{
    SIM_REQUIRE(ws->sim, w->n_due <= MAX_DUE, "ring_add");
    *due_of(ws, w, i, w->n_due++) = *d;
}

/* Warp i leaves the sets of all cycles. */
static void leave_sets(struct warps *ws, uint32_t i)
{
    uint64_t bit = 1ull << i;

    for (uint32_t word = 0; word < RING_WORDS; word++) {
        for (uint64_t m = ws->ring_used[word]; m != 0; m &= m - 1) {
            uint32_t at = attr_lowest_bit(m);

            ws->ring[word * 64 + at] &= ~bit;
        }
    }
    ws->again &= ws->exact ? UINT64_MAX : ~bit;
}

void ring_cancel(struct warps *ws, uint32_t i, uint32_t preds)
{
    struct warp *w = &ws->warp[i];
    uint32_t kept = 0;

    leave_sets(ws, i); /* one of them is of a cycle that does not end its wait */

    for (uint32_t k = 0; k < w->n_due; k++) {
        const struct due *d = due_of(ws, w, i, k);

        if (d->preds != preds) {
            *due_of(ws, w, i, kept++) = *d;
        }
    }
    w->n_due = (uint8_t)kept;
    for (uint32_t k = 0; k < kept && ws->exact; k++) {
        ring_look(ws, i, due_of(ws, w, i, k)->at);
    }
}

void warp_settle_more(struct warps *ws, struct warp *w, uint32_t i)
{
    uint32_t kept = 0;

    for (uint32_t k = 0; k < w->n_due; k++) {
        const struct due *d = due_of(ws, w, i, k);

        if (d->at <= ws->now) {
            warp_release(w, d);
        } else {
            *due_of(ws, w, i, kept++) = *d;
        }
    }
    w->n_due = (uint8_t)kept;
}

/* Its part in what keeps w from issuing is taken off *rest; true if there was any. */
static bool takes_part(const struct due *d, struct due *rest)
{
    bool part = ((d->regs & rest->regs) | (d->preds & rest->preds) |
                 (d->hold & rest->hold)) != 0;

    rest->regs &= ~d->regs;
    rest->preds &= ~d->preds;
    rest->hold &= ~d->hold;
    return part;
}

void warp_wait_more(struct warps *ws, struct warp *w, uint32_t i)
{
    struct due rest = {.regs = w->pend & w->need,
                       .preds = w->pend_p & w->need_p,
                       .hold = w->hold};

    for (uint32_t k = 0; k < w->n_due; k++) {
        const struct due *d = due_of(ws, w, i, k);

        if (takes_part(d, &rest) && d->at > rest.at) {
            rest.at = d->at;
        }
        if (UNLIKELY(ws->exact)) {
            ring_look(ws, i, d->at);
        }
    }
    if ((rest.regs | rest.preds | rest.hold) == 0) {
        ring_look(ws, i, rest.at);
    }
}

void warp_wait_long(struct warps *ws, struct warp *w, uint32_t i)
{
    uint64_t regs = w->pend & w->need;
    uint32_t preds = w->pend_p & w->need_p, hold = w->hold;
    sim_cycle_t held = 0, until = 0, until_short = 0;
    enum stall why = STALL_WAIT;

    if ((hold & (HOLD_FREE | HOLD_FAULT)) != 0) {
        return;
    }
    for (uint32_t k = 0; k < w->n_due; k++) {
        const struct due *d = due_of(ws, w, i, k);

        if ((d->hold & hold) != 0) {
            hold &= ~d->hold;
            held = d->at;
            why = warp_stall_of(d->hold);
        } else if (((d->regs & regs) | (d->preds & preds)) != 0) {
            sim_cycle_t *end = (d->hold & DUE_SHORT) != 0 ? &until_short : &until;

            *end = d->at > *end ? d->at : *end;
        }
    }
    if (hold != 0) {
        w->why = (uint8_t)warp_stall_of(hold);
        return;
    }
    warp_count_until(w, why, held);
    warp_count_until(w, STALL_WAIT, until);
    warp_count_until(w, STALL_SHORT, until_short);
    w->why = (uint8_t)warp_memory_stall(w);
}

void ring_look_far(struct warps *ws, uint32_t i, sim_cycle_t at)
{
    uint64_t bit = 1ull << i;

    SIM_REQUIRE(ws->sim, at > ws->now, "ring_look");
    if (ws->exact || (ws->again & bit) == 0) { /* else there is one on its way */
        ws->again |= bit;
        ring_look(ws, i, ws->now + RING - 1);
    }
}

/* Warp i is settled and asked anew. */
static void look(struct warps *ws, uint32_t i)
{
    struct warp *w = &ws->warp[i];

    warp_settle(ws, w, i);
    warp_count_wait(ws, w);
    warp_update(ws, w, i);
}

void ring_look_closely(struct warps *ws, uint64_t warps)
{
    for (uint64_t m = warps; m != 0; m &= m - 1) {
        const uint32_t i = attr_lowest_bit(m);

        if (!ws->exact) {
            leave_sets(ws, i); /* a wait that ended early has left it in another one */
        }
        look(ws, i);
    }
}

void ring_renew(struct warps *ws, sim_cycle_t now)
{
    ws->now = now;
    memset(ws->ring, 0, sizeof(ws->ring));
    ws->again = ws->exact ? UINT64_MAX : 0;
    for (uint32_t i = 0; i < ws->n; i++) {
        if ((ws->warp[i].hold & HOLD_FREE) == 0) {
            look(ws, i);
        }
    }
}

void ring_settle(struct warps *ws, sim_cycle_t now)
{
    ws->now = now;
    for (uint32_t i = 0; i < ws->n; i++) {
        warp_settle(ws, &ws->warp[i], i);
    }
}

void ring_forget(struct warps *ws, uint32_t i)
{
    leave_sets(ws, i);
    ws->warp[i].n_due = 0;
}

/* In a word after the first one; the last is the first again, below from. */
static sim_cycle_t find_later(const struct warps *ws, uint32_t from)
{
    for (uint32_t k = 1; k <= RING_WORDS; k++) {
        uint32_t word = (from / 64 + k) % RING_WORDS;
        uint64_t bits = ws->ring_used[word];

        if (bits != 0) {
            return ws->now + 1 +
                   ((word * 64 + attr_lowest_bit(bits) - from) & (RING - 1));
        }
    }
    return SIM_CYCLE_NONE;
}

sim_cycle_t ring_next(const struct warps *ws)
{
    uint32_t from = (uint32_t)(ws->now + 1) & (RING - 1);
    uint64_t bits = ws->ring_used[from / 64] >> (from % 64);

    return LIKELY(bits != 0) ? ws->now + 1 + attr_lowest_bit(bits)
                             : find_later(ws, from);
}
