/* The ring of results under way: a bucket per cycle, modulo its length. What is further
 * away than the ring is long goes round more than once. */
#include "sm/core.h"

/* Into the bucket of a cycle less than RING from now. */
static void put(struct sm *s, uint16_t i, uint32_t delay)
{
    uint32_t at = (uint32_t)(sim_here(&s->scope) + delay) & (RING - 1);

    s->node[i].next =
        (s->ring_used[at / 64] >> (at % 64) & 1u) != 0 ? s->ring[at] : NO_NODE;
    s->ring[at] = i;
    s->ring_used[at / 64] |= 1ull << (at % 64);
}

/* The node freed last, or one that was never used. */
static uint16_t take_node(struct sm *s)
{
    uint16_t i = s->free_node;

    if (LIKELY(i != NO_NODE)) {
        s->free_node = s->node[i].next;
        return i;
    }
    SIM_REQUIRE(s->scope.sim, s->n_nodes < s->max_nodes, "take_node");
    return (uint16_t)s->n_nodes++;
}

void ring_add(struct sm *s, uint32_t delay, uint32_t warp, uint64_t regs,
              uint32_t preds, uint32_t hold)
{
    uint16_t i = take_node(s);
    struct node *n = &s->node[i];
    uint32_t first = LIKELY(delay < RING) ? delay : RING - 1;

    SIM_REQUIRE(s->scope.sim, delay > 0, "ring_add");
    n->regs = regs;
    n->preds = preds;
    n->hold = hold;
    n->later = delay - first;
    n->warp = (uint8_t)warp;
    put(s, i, first);
}

static void free_node(struct sm *s, uint16_t i)
{
    s->node[i].next = s->free_node;
    s->free_node = i;
}

static void release(struct sm *s, uint16_t i)
{
    struct node *n = &s->node[i];
    struct warp *w = &s->warp[n->warp];

    w->pend &= ~n->regs;
    w->pend_p &= ~n->preds;
    w->hold &= ~n->hold;
    warp_changed(s, n->warp);
    free_node(s, i);
}

void ring_drain(struct sm *s, sim_cycle_t now)
{
    uint32_t at = (uint32_t)now & (RING - 1);
    uint16_t i = s->ring[at];

    if ((s->ring_used[at / 64] >> (at % 64) & 1u) == 0) {
        return;
    }
    s->ring_used[at / 64] &= ~(1ull << (at % 64));
    while (i != NO_NODE) {
        uint32_t later = s->node[i].later;
        uint16_t next = s->node[i].next;

        if (LIKELY(later == 0)) {
            release(s, i);
        } else {
            uint32_t first = later < RING ? later : RING - 1;

            s->node[i].later = later - first;
            put(s, i, first);
        }
        i = next;
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

sim_cycle_t ring_next(const struct sm *s, sim_cycle_t now)
{
    uint32_t from = (uint32_t)(now + 1) & (RING - 1);
    uint32_t word = from / 64;
    uint64_t bits = s->ring_used[word] & UINT64_MAX << (from % 64);

    for (uint32_t k = 0; k <= RING_WORDS; k++) {
        if (bits != 0) {
            uint32_t at = word * 64 + (uint32_t)__builtin_ctzll(bits);

            return now + 1 + ((at - from) & (RING - 1));
        }
        word = (word + 1) % RING_WORDS;
        bits = s->ring_used[word];
    }
    return 0;
}

void ring_init(struct sm *s)
{
    /* a node releases a bit of its warp's scoreboard or a hold, which no other does */
    s->max_nodes = s->n_warps * (64 + 32 + 8);
    s->node = sim_alloc(s->scope.sim, s->max_nodes * sizeof(s->node[0]));
    s->free_node = NO_NODE;
}
