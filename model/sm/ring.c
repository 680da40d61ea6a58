#include "sm/ring.h"

#include <string.h>

/* Registers, predicates and holds, each in one due at most, the first not among
 * them. */
enum { MAX_DUE = 64 + 32 + 8 };

/* Due k of w, warp i. The second ones lie side by side, and so on: few warps have
 * many. */
static struct due *due_of(struct sm *s, struct warp *w, uint32_t i, uint32_t k)
{
    return k == 0 ? &w->due : &s->more_due[(size_t)(k - 1) * s->n_warps + i];
}

void ring_init(struct sm *s)
{
    s->more_due =
        sim_alloc(s->scope.sim, (size_t)s->n_warps * MAX_DUE * sizeof(s->more_due[0]));
}

void ring_add_more(struct sm *s, struct warp *w, uint32_t i, const struct due *d)
{
    SIM_REQUIRE(s->scope.sim, w->n_due <= MAX_DUE, "ring_add");
    *due_of(s, w, i, w->n_due++) = *d;
}

void warp_settle_more(struct sm *s, struct warp *w, uint32_t i)
{
    uint32_t kept = 0;

    for (uint32_t k = 0; k < w->n_due; k++) {
        const struct due *d = due_of(s, w, i, k);

        if (d->at <= s->now) {
            warp_release(w, d);
        } else {
            *due_of(s, w, i, kept++) = *d;
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

void warp_wait_more(struct sm *s, struct warp *w, uint32_t i)
{
    struct due rest = {.regs = w->pend & w->need,
                       .preds = w->pend_p & w->need_p,
                       .hold = w->hold};

    for (uint32_t k = 0; k < w->n_due; k++) {
        const struct due *d = due_of(s, w, i, k);

        if (takes_part(d, &rest) && d->at > rest.at) {
            rest.at = d->at;
        }
        if (UNLIKELY(s->exact)) {
            ring_look(s, i, d->at);
        }
    }
    if ((rest.regs | rest.preds | rest.hold) == 0) {
        ring_look(s, i, rest.at);
    }
}

void ring_look_far(struct sm *s, uint32_t i, sim_cycle_t at)
{
    uint64_t bit = 1ull << i;

    SIM_REQUIRE(s->scope.sim, at > s->now, "ring_look");
    if (s->exact || (s->again & bit) == 0) { /* else there is one on its way */
        s->again |= bit;
        ring_look(s, i, s->now + RING - 1);
    }
}

uint64_t ring_look_closely(struct sm *s, uint64_t warps)
{
    uint64_t again = warps & s->again;

    s->again &= s->exact ? UINT64_MAX : ~again;
    for (uint64_t m = again; m != 0; m &= m - 1) {
        uint32_t i = attr_lowest_bit(m);
        struct warp *w = &s->warp[i];

        warp_look(s, w, i);
    }
    return warps & ~again;
}

void ring_renew(struct sm *s)
{
    s->now = sim_cycle(s->clock);
    memset(s->ring, 0, sizeof(s->ring));
    s->again = s->exact ? UINT64_MAX : 0;
    for (uint32_t i = 0; i < s->n_warps; i++) {
        struct warp *w = &s->warp[i];

        if ((w->hold & HOLD_FREE) == 0) {
            warp_look(s, w, i);
        }
    }
}

void ring_settle(struct sm *s)
{
    s->now = sim_cycle(s->clock);
    for (uint32_t i = 0; i < s->n_warps; i++) {
        warp_settle(s, &s->warp[i], i);
    }
}

void ring_forget(struct sm *s, uint32_t i)
{
    uint64_t bit = 1ull << i;

    for (uint32_t word = 0; word < RING_WORDS; word++) {
        for (uint64_t m = s->ring_used[word]; m != 0; m &= m - 1) {
            uint32_t at = attr_lowest_bit(m);

            s->ring[word * 64 + at] &= ~bit;
        }
    }
    s->again &= s->exact ? UINT64_MAX : ~bit;
    s->warp[i].n_due = 0;
}

/* In a word after the first one; the last is the first again, below from. */
static sim_cycle_t find_later(const struct sm *s, uint32_t from)
{
    for (uint32_t k = 1; k <= RING_WORDS; k++) {
        uint32_t word = (from / 64 + k) % RING_WORDS;
        uint64_t bits = s->ring_used[word];

        if (bits != 0) {
            return s->now + 1 +
                   ((word * 64 + attr_lowest_bit(bits) - from) & (RING - 1));
        }
    }
    return SIM_CYCLE_NONE;
}

sim_cycle_t ring_next(const struct sm *s)
{
    uint32_t from = (uint32_t)(s->now + 1) & (RING - 1);
    uint64_t bits = s->ring_used[from / 64] >> (from % 64);

    return LIKELY(bits != 0) ? s->now + 1 + attr_lowest_bit(bits) : find_later(s, from);
}
