/* The ring of results under way: a bucket per cycle, modulo its length. What is further
 * away than the ring is long goes round more than once. */
#include "sm/core.h"

#include <string.h>

void ring_put_later(struct sm *s, uint16_t i, uint32_t delay)
{
    SIM_REQUIRE(s->scope.sim, delay > 0, "ring_add");
    s->node[i].hold |= NODE_LATER;
    s->later[i] = delay - (RING - 1);
    ring_put(s, i, RING - 1);
}

static void free_node(struct sm *s, uint16_t i)
{
    s->node[i].next = s->free_node;
    s->free_node = i;
}

/* What nodes release can only make a warp ready. */
static inline uint64_t release(struct sm *s, const struct node *n)
{
    struct warp *w = &s->warp[n->warp];

    w->pend &= ~n->regs;
    w->pend_p &= ~n->preds;
    w->hold &= ~(uint32_t)n->hold;
    return warp_blocked(w) == 0 ? 1ull << n->warp : 0;
}

/* Its time is more than the ring's length away: go round once more. */
ATTR_COLD static void go_on(struct sm *s, uint16_t i)
{
    uint32_t delay = s->later[i] < RING ? s->later[i] : RING - 1;

    s->later[i] -= delay;
    if (s->later[i] == 0) {
        s->node[i].hold &= (uint8_t)~NODE_LATER;
    }
    ring_put(s, i, delay);
}

/* Observers want to see what became of the warps of the list. */
ATTR_COLD static void show_all(struct sm *s, uint16_t i)
{
    for (; i != NO_NODE; i = s->node[i].next) {
        warp_show(s, s->node[i].warp);
    }
}

void ring_drain(struct sm *s)
{
    uint32_t at = (uint32_t)s->now & (RING - 1);
    uint16_t first = s->ring[at];
    uint16_t *link = &first; /* to the node looked at */
    uint64_t ready = 0;

    if (first == NO_NODE) {
        return;
    }
    s->ring_used[at / 64] &= ~(1ull << (at % 64));
    s->ring[at] = NO_NODE;
    while (*link != NO_NODE) {
        struct node *n = &s->node[*link];

        if (UNLIKELY((n->hold & NODE_LATER) != 0)) {
            uint16_t i = *link;

            *link = n->next;
            go_on(s, i);
            continue;
        }
        ready |= release(s, n);
        link = &n->next;
    }
    s->ready |= ready;
    if (SIM_PROBES && UNLIKELY(s->shown)) {
        show_all(s, first);
    }
    if (LIKELY(first != NO_NODE)) { /* they are free, all at once */
        *link = s->free_node;
        s->free_node = first;
    }
}

/* Take the warp's nodes out of the bucket; is anything left in it? */
static bool forget_in(struct sm *s, uint32_t at, uint32_t warp)
{
    uint16_t *link = &s->ring[at];

    while (*link != NO_NODE) {
        uint16_t i = *link;

        if (s->node[i].warp == warp) {
            *link = s->node[i].next;
            free_node(s, i);
        } else {
            link = &s->node[i].next;
        }
    }
    return s->ring[at] != NO_NODE;
}

void ring_forget(struct sm *s, uint32_t warp)
{
    for (uint32_t word = 0; word < RING_WORDS; word++) {
        for (uint64_t m = s->ring_used[word]; m != 0; m &= m - 1) {
            uint32_t bit = (uint32_t)__builtin_ctzll(m);

            if (!forget_in(s, word * 64 + bit, warp)) {
                s->ring_used[word] &= ~(1ull << bit);
            }
        }
    }
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

uint16_t ring_more(struct sm *s)
{
    uint32_t i = s->n_nodes_made++;

    SIM_REQUIRE(s->scope.sim, i < s->n_nodes, "ring_more");
    s->node[i].next = NO_NODE;
    return (uint16_t)i;
}

void ring_init(struct sm *s)
{
    /* a node releases a bit of its warp's scoreboard or a hold, which no other does */
    uint32_t n = s->n_warps * (64 + 32 + 8);

    s->node = sim_alloc(s->scope.sim, n * sizeof(s->node[0]));
    s->later = sim_alloc(s->scope.sim, n * sizeof(s->later[0]));
    s->n_nodes = n;
    s->free_node = NO_NODE;
    memset(s->ring, 0xff, sizeof(s->ring)); /* NO_NODE */
}
