/*
 * l1_test.h - for tests: an L1 between a scripted LSU and what is below it.
 */
#ifndef MEM_L1_TEST_H
#define MEM_L1_TEST_H

#include "mem/l1.h"

#include "mem/port_test.h"

/* Four sets of two ways: lines LINES / WAYS apart share a set. */
enum { WAYS = 2, LINES = 8, SETS = LINES / WAYS, INTERVAL = 2, N_MEM = 32 };

#define GLOBAL(i) (ISA_GLOBAL_BASE + (i) * (uint64_t)MEM_LINE)
#define LOCAL(i)  (MEM_LOCAL_BIT + (i) * (uint64_t)MEM_LINE)

struct rig {
    struct bench b;
    struct l1 *l1;
    struct rules_cc rules;
    struct sender *lsu, *up;
    struct receiver *back, *below;
    struct smw_counters stats[2];
    /* what is below the cache: bytes of the first lines of both spaces, served in order
     * of arrival, answered delay cycles later; delay 0: nothing is answered by itself
     */
    uint8_t mem[2][N_MEM][MEM_LINE];
    uint32_t delay;
    bool last_from_l1; /* of the last request that came down */
    uint8_t last_sectors;
};

static inline uint8_t *below_at(struct rig *g, uint64_t addr)
{
    uint64_t base = (addr & MEM_LOCAL_BIT) != 0 ? MEM_LOCAL_BIT : ISA_GLOBAL_BASE;

    assert_in_range((addr - base) / MEM_LINE, 0, N_MEM - 1);
    return g->mem[base == MEM_LOCAL_BIT][(addr - base) / MEM_LINE];
}

/* Do to the bytes below what the request says. */
static inline void serve(struct rig *g, struct mem_line *t)
{
    if (t->op == MEM_LOAD) {
        memcpy(t->data, below_at(g, t->addr), MEM_LINE);
    } else {
        mem_copy_bytes(below_at(g, t->addr), t->data, t->bytes);
    }
}

static inline void serve_by_itself(void *ctx, void *txn, sim_cycle_t now)
{
    struct rig *g = ctx;
    const struct mem_line *t = txn;

    g->last_from_l1 = t->from_l1;
    g->last_sectors = t->sectors;
    if (g->delay != 0) {
        serve(g, txn);
        sender_add(g->up, now + g->delay, txn);
    }
}

static inline void rig_init_as(struct rig *g, struct l1_config cfg, bool drops,
                               uint32_t capacity)
{
    memset(g, 0, sizeof(*g));
    for (uint32_t i = 0; i < 2 * N_MEM; i++) {
        memset(g->mem[i / N_MEM][i % N_MEM], (int)(100 + i), MEM_LINE);
    }
    g->rules = *rules_find(20);
    g->rules.store_drops_line = drops;
    g->rules.l1_fills_lines = drops;
    g->rules.l1_global = cfg.global ? RULES_L1_DEFAULT : RULES_L1_NEVER;
    bench_init(&g->b);
    g->l1 = l1_new(&g->b.root, &cfg, &g->rules, LINES * MEM_LINE, 3, g->stats);
    l1_resize(g->l1, LINES * MEM_LINE);
    g->lsu = sender_new(&g->b, NULL, "lsu", &mem_line_proto, l1_req(g->l1), 1);
    g->up = sender_new(&g->b, NULL, "up", &mem_line_proto, l1_up(g->l1), 1);
    g->back = receiver_new(&g->b, NULL, "back", &mem_line_proto, l1_rsp(g->l1), 1, 8);
    g->below = receiver_new(&g->b, NULL, "below", &mem_line_proto, l1_down(g->l1), 1,
                            capacity);
    g->below->got = serve_by_itself;
    g->below->ctx = g;
}

static inline struct l1_config small(void)
{
    struct l1_config cfg = {.line = MEM_LINE,
                            .ways = WAYS,
                            .latency = 8,
                            .interval = INTERVAL,
                            .tags = 1,
                            .mshrs = 2,
                            .merges = 2,
                            .queue = 8,
                            .answers = 8,
                            .global = true};

    return cfg;
}

static inline void rig_init(struct rig *g)
{
    rig_init_as(g, small(), true, 8);
}

static inline void rig_free(struct rig *g)
{
    bench_finish(&g->b);
    receiver_drain(g->back);
    bench_free(&g->b);
}

static inline struct mem_line *below(struct rig *g, uint32_t i)
{
    assert_true(i < g->below->n);
    return g->below->v[i].txn;
}

/* Answer the i-th request that came down, by hand. */
static inline void answer(struct rig *g, uint32_t i, sim_cycle_t at)
{
    serve(g, below(g, i));
    sender_add(g->up, at, below(g, i));
}

static inline struct mem_line *load(struct rig *g, sim_cycle_t at, uint64_t addr,
                                    uint32_t first, uint32_t n)
{
    struct mem_line *t = line_fill(line_new(&g->b, MEM_LOAD, addr, first, n), 0);

    t->sm = 3;
    sender_add(g->lsu, at, t);
    return t;
}

static inline struct mem_line *store(struct rig *g, sim_cycle_t at, uint64_t addr,
                                     uint32_t first, uint32_t n, uint8_t v)
{
    struct mem_line *t = line_fill(line_new(&g->b, MEM_STORE, addr, first, n), v);

    t->sm = 3;
    sender_add(g->lsu, at, t);
    return t;
}

static inline void check_data(const struct mem_line *t, uint32_t first, uint32_t n,
                              uint8_t v)
{
    for (uint32_t i = first; i < first + n; i++) {
        assert_int_equal(t->data[i], v);
    }
}

/* Load and wait for it; true if nothing went down for it. */
static inline bool hits(struct rig *g, uint64_t addr, uint32_t first, uint32_t n,
                        uint8_t v)
{
    uint32_t down = g->below->n;
    struct mem_line *t = load(g, bench_now(&g->b) + 1, addr, first, n);

    bench_finish(&g->b);
    assert_int_equal(g->back->n, 1);
    assert_ptr_equal(g->back->v[0].txn, t);
    check_data(t, first, n, v);
    receiver_drain(g->back);
    return g->below->n == down;
}

static inline void do_store(struct rig *g, uint64_t addr, uint32_t first, uint32_t n,
                            uint8_t v)
{
    (void)store(g, bench_now(&g->b) + 1, addr, first, n, v);
    bench_finish(&g->b);
    assert_int_equal(g->back->n, 1);
    receiver_drain(g->back);
}

#endif /* MEM_L1_TEST_H */
