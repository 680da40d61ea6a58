#include "mem/l1.h"

#include "mem/port_test.h"

/* Four sets of two ways: lines LINES / WAYS apart share a set. */
enum { WAYS = 2, LINES = 8, SETS = LINES / WAYS, INTERVAL = 2, N_MEM = 32 };

#define GLOBAL(i) (PTX_GLOBAL_BASE + (i) * (uint64_t)MEM_LINE)
#define LOCAL(i)  (MEM_LOCAL_BIT + (i) * (uint64_t)MEM_LINE)

struct rig {
    struct bench b;
    struct l1 *l1;
    struct rules_cc rules;
    struct sender *lsu, *up;
    struct receiver *back, *below;
    struct stat_counters stats[2];
    /* what is below the cache: bytes of the first lines of both spaces, served in order
     * of arrival, answered delay cycles later; delay 0: nothing is answered by itself
     */
    uint8_t mem[2][N_MEM][MEM_LINE];
    uint32_t delay;
};

static uint8_t *below_at(struct rig *g, uint64_t addr)
{
    uint64_t base = (addr & MEM_LOCAL_BIT) != 0 ? MEM_LOCAL_BIT : PTX_GLOBAL_BASE;

    assert_in_range((addr - base) / MEM_LINE, 0, N_MEM - 1);
    return g->mem[base == MEM_LOCAL_BIT][(addr - base) / MEM_LINE];
}

/* Do to the bytes below what the request says. */
static void serve(struct rig *g, struct mem_line *t)
{
    if (t->op == MEM_LOAD) {
        memcpy(t->data, below_at(g, t->addr), MEM_LINE);
    } else {
        mem_copy_bytes(below_at(g, t->addr), t->data, t->bytes);
    }
}

static void serve_by_itself(void *ctx, void *txn, sim_cycle_t now)
{
    struct rig *g = ctx;

    if (g->delay != 0) {
        serve(g, txn);
        sender_add(g->up, now + g->delay, txn);
    }
}

static void rig_init_as(struct rig *g, struct l1_config cfg, bool drops,
                        uint32_t capacity)
{
    memset(g, 0, sizeof(*g));
    for (uint32_t i = 0; i < 2 * N_MEM; i++) {
        memset(g->mem[i / N_MEM][i % N_MEM], (int)(100 + i), MEM_LINE);
    }
    g->rules = *rules_find(20);
    g->rules.store_drops_line = drops;
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

static struct l1_config small(void)
{
    struct l1_config cfg = {.line = MEM_LINE,
                            .ways = WAYS,
                            .latency = 8,
                            .interval = INTERVAL,
                            .mshrs = 2,
                            .merges = 2,
                            .queue = 8,
                            .answers = 8,
                            .global = true};

    return cfg;
}

static void rig_init(struct rig *g)
{
    rig_init_as(g, small(), true, 8);
}

static void rig_free(struct rig *g)
{
    bench_finish(&g->b);
    receiver_drain(g->back);
    bench_free(&g->b);
}

static struct mem_line *below(struct rig *g, uint32_t i)
{
    assert_true(i < g->below->n);
    return g->below->v[i].txn;
}

/* Answer the i-th request that came down, by hand. */
static void answer(struct rig *g, uint32_t i, sim_cycle_t at)
{
    serve(g, below(g, i));
    sender_add(g->up, at, below(g, i));
}

static struct mem_line *load(struct rig *g, sim_cycle_t at, uint64_t addr,
                             uint32_t first, uint32_t n)
{
    struct mem_line *t = line_fill(line_new(&g->b, MEM_LOAD, addr, first, n), 0);

    t->sm = 3;
    sender_add(g->lsu, at, t);
    return t;
}

static struct mem_line *store(struct rig *g, sim_cycle_t at, uint64_t addr,
                              uint32_t first, uint32_t n, uint8_t v)
{
    struct mem_line *t = line_fill(line_new(&g->b, MEM_STORE, addr, first, n), v);

    t->sm = 3;
    sender_add(g->lsu, at, t);
    return t;
}

static void check_data(const struct mem_line *t, uint32_t first, uint32_t n, uint8_t v)
{
    for (uint32_t i = first; i < first + n; i++) {
        assert_int_equal(t->data[i], v);
    }
}

/* Load and wait for it; true if nothing went down for it. */
static bool hits(struct rig *g, uint64_t addr, uint32_t first, uint32_t n, uint8_t v)
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

static void do_store(struct rig *g, uint64_t addr, uint32_t first, uint32_t n,
                     uint8_t v)
{
    (void)store(g, bench_now(&g->b) + 1, addr, first, n, v);
    bench_finish(&g->b);
    assert_int_equal(g->back->n, 1);
    receiver_drain(g->back);
}

/* ---- loads ---- */

static void miss_then_hit(void **state)
{
    struct rig g;
    struct mem_line *t;

    (void)state;
    rig_init(&g);
    t = load(&g, 10, GLOBAL(1), 4, 40);
    (void)bench_run(&g.b, 11);
    assert_int_equal(g.below->n, 0);
    (void)bench_run(&g.b, 12); /* handled at 11, one link down */
    assert_int_equal(g.below->n, 1);
    assert_int_equal(below(&g, 0)->addr, GLOBAL(1));
    assert_int_equal(below(&g, 0)->op, MEM_LOAD);
    assert_int_equal(below(&g, 0)->sectors, 0xf); /* the line: 128-byte transactions */
    assert_int_equal(below(&g, 0)->sm, 3);
    assert_true(below(&g, 0)->from_l1);
    answer(&g, 0, 50); /* at the cache at 51, at the LSU at 52 */
    (void)bench_run(&g.b, 51);
    assert_int_equal(g.back->n, 0);
    (void)bench_run(&g.b, 52);
    assert_int_equal(g.back->n, 1);
    check_data(t, 4, 40, 101);
    assert_int_equal(g.stats[0].l1_lookups, 1);
    assert_int_equal(g.stats[0].l1_ld_miss_sectors, 2);
    assert_int_equal(g.stats[0].l1_ld_hit_sectors, 0);
    receiver_drain(g.back);

    t = load(&g, 99, GLOBAL(1), 0, 128);
    (void)bench_run(&g.b, 100);
    assert_int_equal(g.back->n, 0);
    (void)bench_run(&g.b, 101);
    assert_int_equal(g.back->n, 1);
    assert_int_equal(g.below->n, 1);
    check_data(t, 0, 128, 101);
    assert_int_equal(g.stats[0].l1_ld_hit_sectors, 4);
    rig_free(&g);
}

static void one_line_per_interval(void **state)
{
    struct rig g;

    (void)state;
    rig_init(&g);
    g.delay = 5;
    assert_false(hits(&g, GLOBAL(1), 0, 4, 101));
    for (uint32_t i = 0; i < 6; i++) {
        (void)load(&g, 100, GLOBAL(1), 4 * i, 4);
    }
    bench_finish(&g.b);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(g.back->v[i].at, 102 + INTERVAL * i);
    }
    rig_free(&g);
}

/* Loads of one line share a fill, up to merges; the next waits in the queue. */
static void merge(void **state)
{
    struct rig g;
    struct mem_line *t[3];

    (void)state;
    rig_init(&g);
    for (uint32_t i = 0; i < 3; i++) {
        t[i] = load(&g, 10, GLOBAL(2), 32 * i, 8); /* handled at 11, 13; 15: full */
    }
    (void)bench_run(&g.b, 100);
    assert_int_equal(g.below->n, 1);
    assert_int_equal(g.back->n, 0);
    answer(&g, 0, 100);
    bench_finish(&g.b);
    assert_int_equal(g.below->n, 1); /* the third found the line */
    assert_int_equal(g.back->n, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_ptr_equal(g.back->v[i].txn, t[i]);
        assert_int_equal(g.back->v[i].at, 102 + INTERVAL * i);
        check_data(t[i], 32 * i, 8, 102);
    }
    assert_int_equal(g.stats[0].l1_ld_miss_sectors, 1);
    assert_int_equal(g.stats[0].l1_ld_hit_sectors, 2);
    /* at 15 it could not, at 101 and 103 the waiters were answered, at 105 it could */
    assert_int_equal(g.stats[0].l1_stalls, 105 - 15);
    rig_free(&g);
}

/* Two fills under way are all there may be: the third waits, and a hit behind it. */
static void no_mshr(void **state)
{
    struct rig g;
    struct mem_line *hit, *third;

    (void)state;
    rig_init(&g);
    g.delay = 5;
    assert_false(hits(&g, GLOBAL(0), 0, 4, 100));
    g.delay = 0;
    receiver_drain(g.back);
    (void)load(&g, 100, GLOBAL(1), 0, 4);
    (void)load(&g, 100, GLOBAL(2), 0, 4);
    third = load(&g, 100, GLOBAL(3), 0, 4);
    hit = load(&g, 100, GLOBAL(0), 0, 4);
    (void)bench_run(&g.b, 200);
    assert_int_equal(g.below->n, 3);
    assert_int_equal(g.back->n, 0);
    answer(&g, 2, 201); /* any order */
    (void)bench_run(&g.b, 300);
    assert_int_equal(g.below->n, 4);
    assert_int_equal(below(&g, 3)->addr, GLOBAL(3));
    assert_int_equal(g.back->n, 2);
    assert_ptr_equal(g.back->v[1].txn, hit);
    /* could not at 105; the fill came at 202, one interval later it could */
    assert_int_equal(g.stats[0].l1_stalls, 204 - 105);
    answer(&g, 3, 301);
    answer(&g, 1, 302);
    bench_finish(&g.b);
    assert_int_equal(g.back->n, 4);
    assert_ptr_equal(g.back->v[2].txn, third);
    check_data(third, 0, 4, 103);
    rig_free(&g);
}

/* Least recently used goes; only when the set is full. */
static void replacement(void **state)
{
    struct rig g;

    (void)state;
    rig_init(&g);
    g.delay = 5;
    assert_false(hits(&g, GLOBAL(0), 0, 4, 100));
    assert_false(hits(&g, GLOBAL(SETS), 0, 4, 100 + SETS));
    assert_int_equal(g.stats[0].l1_evictions, 0);
    assert_true(hits(&g, GLOBAL(0), 0, 4, 100));
    assert_false(hits(&g, GLOBAL(2 * SETS), 0, 4, 100 + 2 * SETS));
    assert_int_equal(g.stats[0].l1_evictions, 1);
    assert_true(hits(&g, GLOBAL(0), 0, 4, 100));
    assert_false(hits(&g, GLOBAL(SETS), 0, 4, 100 + SETS));
    rig_free(&g);
}

/* ---- stores and coherence ---- */

/* Load, store, load of one line: the first load's fill is too old to be kept or joined.
 */
static void stale_fill(void **state)
{
    struct rig g;
    struct mem_line *before, *after;

    (void)state;
    rig_init(&g);
    before = load(&g, 10, GLOBAL(1), 0, 4);
    (void)store(&g, 10, GLOBAL(1), 0, 4, 7);
    after = load(&g, 10, GLOBAL(1), 0, 4);
    (void)bench_run(&g.b, 50);
    assert_int_equal(g.below->n, 3);
    assert_int_equal(below(&g, 0)->op, MEM_LOAD);
    assert_int_equal(below(&g, 1)->op, MEM_STORE);
    assert_int_equal(below(&g, 2)->op, MEM_LOAD);
    for (uint32_t i = 0; i < 3; i++) { /* in order at the slice */
        serve(&g, below(&g, i));
    }
    sender_add(g.up, 60, below(&g, 2)); /* but back in another */
    sender_add(g.up, 80, below(&g, 0));
    sender_add(g.up, 100, below(&g, 1));
    bench_finish(&g.b);
    assert_int_equal(g.back->n, 3);
    assert_ptr_equal(g.back->v[0].txn, after);
    assert_ptr_equal(g.back->v[1].txn, before);
    check_data(before, 0, 4, 101);
    check_data(after, 0, 4, 7);
    receiver_drain(g.back);
    assert_true(hits(&g, GLOBAL(1), 0, 4, 7)); /* the younger fill was kept */
    rig_free(&g);
}

static void store_drops(void **state)
{
    struct rig g;

    (void)state;
    rig_init(&g);
    g.delay = 5;
    do_store(&g, GLOBAL(1), 0, 4, 9); /* does not allocate */
    assert_false(hits(&g, GLOBAL(1), 0, 4, 9));
    do_store(&g, GLOBAL(1), 8, 4, 10);
    assert_false(hits(&g, GLOBAL(1), 8, 4, 10)); /* gone */
    assert_true(hits(&g, GLOBAL(1), 0, 4, 9));
    assert_int_equal(g.stats[0].l1_evictions, 0);
    rig_free(&g);
}

static void store_updates(void **state)
{
    struct rig g;

    (void)state;
    rig_init_as(&g, small(), false, 8);
    g.delay = 5;
    do_store(&g, GLOBAL(1), 0, 4, 9);
    assert_false(hits(&g, GLOBAL(1), 0, 4, 9)); /* absent: not allocated */
    do_store(&g, GLOBAL(1), 0, 4, 10);
    assert_true(hits(&g, GLOBAL(1), 0, 4, 10));
    assert_int_equal(below_at(&g, GLOBAL(1))[0], 10); /* written through */
    rig_free(&g);
}

/* With sectored fills two may be under way for one line: a store makes both too old. */
static void stale_twice(void **state)
{
    struct rig g;

    (void)state;
    rig_init_as(&g, small(), false, 8);
    (void)load(&g, 10, GLOBAL(1), 0, 4);
    (void)load(&g, 10, GLOBAL(1), 64, 4);
    (void)bench_run(&g.b, 20);
    assert_int_equal(g.below->n, 2);
    assert_int_equal(below(&g, 0)->sectors, 1);
    assert_int_equal(below(&g, 1)->sectors, 4);
    serve(&g, below(&g, 0));
    serve(&g, below(&g, 1));
    (void)store(&g, 21, GLOBAL(1), 0, 128, 7);
    (void)bench_run(&g.b, 40);
    serve(&g, below(&g, 2));
    for (uint32_t i = 0; i < 3; i++) {
        sender_add(g.up, 50, below(&g, i));
    }
    bench_finish(&g.b);
    receiver_drain(g.back);
    g.delay = 5;
    (void)hits(&g, GLOBAL(1), 0, 4, 7);
    (void)hits(&g, GLOBAL(1), 64, 4, 7);
    rig_free(&g);
}

/* Loads that bypass, and atomics, pass through and drop the line. */
static void bypass(void **state)
{
    struct rig g;
    struct mem_line *t;

    (void)state;
    rig_init(&g);
    g.delay = 5;
    assert_false(hits(&g, GLOBAL(1), 0, 4, 101));
    t = line_fill(line_new(&g.b, MEM_LOAD, GLOBAL(1), 0, 4), 0);
    t->bypass_l1 = true;
    sender_add(g.lsu, bench_now(&g.b) + 1, t);
    bench_finish(&g.b);
    assert_ptr_equal(g.back->v[0].txn, t);
    assert_ptr_equal(below(&g, 1), t); /* itself */
    check_data(t, 0, 4, 101);
    receiver_drain(g.back);
    assert_false(hits(&g, GLOBAL(1), 0, 4, 101));

    t = line_fill(line_new(&g.b, MEM_ATOM, GLOBAL(1), 0, 4), 55);
    sender_add(g.lsu, bench_now(&g.b) + 1, t);
    bench_finish(&g.b);
    receiver_drain(g.back);
    assert_false(hits(&g, GLOBAL(1), 0, 4, 55));
    rig_free(&g);
}

/* A fill under way when a bypassing load passes is not kept. */
static void bypass_ages_fill(void **state)
{
    struct rig g;
    struct mem_line *t;

    (void)state;
    rig_init(&g);
    (void)load(&g, 10, GLOBAL(1), 0, 4);
    t = line_fill(line_new(&g.b, MEM_LOAD, GLOBAL(1), 0, 4), 0);
    t->bypass_l1 = true;
    sender_add(g.lsu, 10, t);
    (void)bench_run(&g.b, 20);
    answer(&g, 0, 21);
    answer(&g, 1, 22);
    bench_finish(&g.b);
    assert_int_equal(g.back->n, 2);
    receiver_drain(g.back);
    g.delay = 5;
    assert_false(hits(&g, GLOBAL(1), 0, 4, 101));
    rig_free(&g);
}

static void global_uncached(void **state)
{
    struct l1_config cfg = small();
    struct rig g;

    (void)state;
    cfg.global = false;
    rig_init_as(&g, cfg, true, 8);
    g.delay = 5;
    assert_false(hits(&g, GLOBAL(1), 0, 4, 101));
    assert_false(hits(&g, GLOBAL(1), 0, 4, 101));
    assert_false(hits(&g, LOCAL(1), 0, 4, 100 + N_MEM + 1));
    assert_true(hits(&g, LOCAL(1), 0, 4, 100 + N_MEM + 1)); /* local is */
    rig_free(&g);
}

/* ---- local memory ---- */

/* A local store allocates without a fetch and is acknowledged at once; bytes it did not
 * write are fetched when wanted, and those it wrote win. */
static void local_partial(void **state)
{
    struct rig g;
    struct mem_line *t;
    uint8_t old = 100 + N_MEM + 1;

    (void)state;
    rig_init(&g);
    (void)store(&g, 10, LOCAL(1), 10, 20, 7);
    (void)bench_run(&g.b, 11);
    assert_int_equal(g.back->n, 0);
    (void)bench_run(&g.b, 12);
    assert_int_equal(g.back->n, 1);
    bench_finish(&g.b);
    receiver_drain(g.back);
    assert_int_equal(g.below->n, 0);
    assert_true(hits(&g, LOCAL(1), 10, 20, 7));

    t = load(&g, 100, LOCAL(1), 0, 64);
    (void)bench_run(&g.b, 110);
    assert_int_equal(g.below->n, 1);
    answer(&g, 0, 111);
    bench_finish(&g.b);
    check_data(t, 0, 10, old);
    check_data(t, 10, 20, 7);
    check_data(t, 30, 34, old);
    receiver_drain(g.back);
    assert_true(hits(&g, LOCAL(1), 64, 64, old)); /* the rest of the fill */
    assert_true(hits(&g, LOCAL(1), 10, 20, 7));
    rig_free(&g);
}

/* A store while the fill is under way: later loads see the store, the earlier does not.
 */
static void local_store_during_fill(void **state)
{
    struct rig g;
    struct mem_line *t;
    uint8_t old = 100 + N_MEM + 1;

    (void)state;
    rig_init(&g);
    t = load(&g, 10, LOCAL(1), 0, 8);
    (void)store(&g, 10, LOCAL(1), 0, 4, 7);
    (void)bench_run(&g.b, 50);
    answer(&g, 0, 51);
    bench_finish(&g.b);
    check_data(t, 0, 8, old);
    receiver_drain(g.back);
    assert_true(hits(&g, LOCAL(1), 0, 4, 7));
    assert_true(hits(&g, LOCAL(1), 4, 4, old));
    rig_free(&g);
}

/* Eviction writes back exactly the bytes that were stored. */
static void local_write_back(void **state)
{
    struct rig g;

    (void)state;
    rig_init(&g);
    g.delay = 5;
    do_store(&g, LOCAL(0), 30, 4, 7); /* two sectors */
    do_store(&g, LOCAL(SETS), 0, 4, 8);
    assert_int_equal(g.below->n, 0);
    do_store(&g, LOCAL(2 * SETS), 0, 4, 9);
    assert_int_equal(g.below->n, 1);
    for (uint32_t i = 0; i < MEM_LINE; i++) {
        assert_int_equal(g.mem[1][0][i], i >= 30 && i < 34 ? 7 : 100 + N_MEM);
    }
    assert_int_equal(g.stats[0].l1_evictions, 1);
    assert_false(hits(&g, LOCAL(0), 30, 4, 7));
    rig_free(&g);
}

static void write_back_request(void **state)
{
    struct rig g;

    (void)state;
    rig_init(&g);
    (void)store(&g, 10, LOCAL(0), 30, 4, 7);
    (void)store(&g, 20, LOCAL(SETS), 0, 4, 8);
    (void)store(&g, 30, LOCAL(2 * SETS), 0, 4, 9);
    (void)bench_run(&g.b, 50);
    assert_int_equal(g.back->n, 3);
    assert_int_equal(g.below->n, 1);
    assert_int_equal(below(&g, 0)->addr, LOCAL(0));
    assert_int_equal(below(&g, 0)->op, MEM_STORE);
    assert_int_equal(below(&g, 0)->sectors, 3);
    assert_int_equal(below(&g, 0)->sm, 3);
    assert_true(below(&g, 0)->from_l1);
    for (uint32_t i = 0; i < MEM_LINE; i++) {
        assert_int_equal(mem_byte_is_set(below(&g, 0)->bytes, i), i >= 30 && i < 34);
    }
    answer(&g, 0, 60); /* its acknowledgement ends in the cache */
    bench_finish(&g.b);
    assert_int_equal(g.back->n, 3);
    rig_free(&g);
}

/* A line is loaded, stored to and evicted before its fill comes: the fill is older than
 * the write-back, so that it must be neither joined nor kept. */
static void write_back_overtakes_fill(void **state)
{
    struct rig g;
    struct mem_line *t;

    (void)state;
    rig_init(&g);
    (void)load(&g, 10, LOCAL(0), 0, 4);
    (void)store(&g, 20, LOCAL(0), 0, 4, 7);
    (void)store(&g, 30, LOCAL(SETS), 0, 4, 8);
    (void)store(&g, 40, LOCAL(2 * SETS), 0, 4, 9); /* evicts the first */
    t = load(&g, 50, LOCAL(0), 0, 4);
    (void)bench_run(&g.b, 60);
    assert_int_equal(below(&g, 1)->op, MEM_STORE);
    assert_int_equal(below(&g, 1)->addr, LOCAL(0));
    assert_int_equal(g.below->n, 3); /* a fill of its own */
    for (uint32_t i = 0; i < 3; i++) {
        answer(&g, i, 70 + 10 * i);
    }
    g.delay = 5;
    bench_finish(&g.b);
    check_data(t, 0, 4, 7);
    receiver_drain(g.back);
    (void)hits(&g, LOCAL(0), 0, 4, 7);
    rig_free(&g);
}

/* ---- under pressure ---- */

/* Answers from below never wait for the way down, or the two ways hold each other up.
 */
static void up_needs_no_down(void **state)
{
    struct rig g;
    struct mem_line *t;

    (void)state;
    rig_init_as(&g, small(), true, 1);
    (void)store(&g, 10, LOCAL(0), 0, 4, 7);
    (void)store(&g, 20, LOCAL(SETS), 0, 4, 8);
    t = load(&g, 30, GLOBAL(0), 0, 4); /* its fill would evict a dirty line */
    (void)bench_run(&g.b, 40);
    assert_int_equal(g.below->n, 1);
    g.below->hold = 1000;
    (void)store(&g, 41, GLOBAL(1), 0, 4, 9); /* takes the only credit down */
    (void)store(&g, 42, GLOBAL(1), 0, 4, 9);
    answer(&g, 0, 50);
    (void)bench_run(&g.b, 999);
    assert_int_equal(g.below->n, 1);
    assert_int_equal(g.back->n, 3);
    assert_ptr_equal(g.back->v[2].txn, t);
    check_data(t, 0, 4, 100);
    g.delay = 5;
    bench_finish(&g.b);
    receiver_drain(g.back);
    assert_true(hits(&g, LOCAL(0), 0, 4, 7)); /* nothing was lost */
    assert_true(hits(&g, LOCAL(SETS), 0, 4, 8));
    rig_free(&g);
}

/* No way down: the head of the queue waits, and the cycles are counted. */
static void no_credit(void **state)
{
    struct rig g;

    (void)state;
    rig_init_as(&g, small(), true, 1);
    g.delay = 5;
    g.below->hold = 200;
    (void)store(&g, 10, GLOBAL(0), 0, 4, 1); /* at 11, down */
    (void)store(&g, 10, GLOBAL(1), 0, 4, 2); /* could not at 13 */
    bench_finish(&g.b);
    assert_int_equal(g.back->n, 2);
    /* taken at 200, the credit can be used at 201 */
    assert_int_equal(g.stats[0].l1_stalls, 201 - 13);
    rig_free(&g);
}

/* ---- between kernels ---- */

static void no_cache(void **state)
{
    struct rig g;

    (void)state;
    rig_init(&g);
    g.delay = 5;
    l1_resize(g.l1, 0);
    assert_false(hits(&g, GLOBAL(1), 0, 4, 101));
    assert_false(hits(&g, GLOBAL(1), 0, 4, 101));
    assert_false(hits(&g, LOCAL(1), 0, 4, 100 + N_MEM + 1));
    do_store(&g, LOCAL(1), 0, 4, 3);
    assert_false(hits(&g, LOCAL(1), 0, 4, 3));
    assert_int_equal(g.stats[0].l1_lookups, 0);
    rig_free(&g);
}

static void invalidate(void **state)
{
    struct rig g;

    (void)state;
    rig_init(&g);
    g.delay = 5;
    assert_false(hits(&g, GLOBAL(1), 0, 4, 101));
    do_store(&g, LOCAL(2), 0, 4, 7);
    g.delay = 0;
    (void)load(&g, 200, GLOBAL(3), 0, 4);
    (void)bench_run(&g.b, 220);
    l1_invalidate(g.l1);
    answer(&g, 1, 230);
    bench_finish(&g.b);
    receiver_drain(g.back);
    g.delay = 5;
    assert_false(hits(&g, GLOBAL(1), 0, 4, 101));
    assert_false(hits(&g, GLOBAL(3), 0, 4, 103)); /* its fill was not kept */
    assert_true(hits(&g, LOCAL(2), 0, 4, 7));     /* dirty stays */
    rig_free(&g);
}

static void resize(void **state)
{
    struct rig g;

    (void)state;
    rig_init(&g);
    g.delay = 5;
    assert_false(hits(&g, GLOBAL(0), 0, 4, 100));
    l1_resize(g.l1, 2 * MEM_LINE); /* one set */
    assert_false(hits(&g, GLOBAL(0), 0, 4, 100));
    assert_false(hits(&g, GLOBAL(1), 0, 4, 101));
    assert_true(hits(&g, GLOBAL(0), 0, 4, 100));
    assert_false(hits(&g, GLOBAL(2), 0, 4, 102));
    assert_false(hits(&g, GLOBAL(1), 0, 4, 101));
    rig_free(&g);
}

/* ---- everything at once ---- */

struct shot { /* a load under way and what it must bring */
    struct mem_line *t;
    uint8_t want[MEM_LINE];
    uint64_t bytes[2];
};

/* A load sees every earlier access of its SM and no later one, whatever is cached,
 * merged, evicted or held up: what is below serves in order. */
static void random_program(struct rig *g, uint64_t seed)
{
    enum { N = 4000, PLACES = 12 };
    static struct shot shot[N];
    static uint8_t model[2][PLACES][MEM_LINE];
    sim_cycle_t at = 1;

    memcpy(model[0], g->mem[0], sizeof(model[0]));
    memcpy(model[1], g->mem[1], sizeof(model[1]));
    for (uint32_t k = 0; k < N; k++) {
        uint32_t local = rand_below(&seed, 2), i = rand_below(&seed, PLACES);
        uint32_t first = rand_below(&seed, 124), n = 1 + rand_below(&seed, 128 - first);
        uint32_t kind = rand_below(&seed, 8);
        enum mem_op op = kind < 5 ? MEM_LOAD : MEM_STORE;
        struct mem_line *t =
            line_new(&g->b, op, local != 0 ? LOCAL(i) : GLOBAL(i), first, n);

        (void)line_fill(t, (uint8_t)rand_next(&seed));
        t->lanes = k;
        t->bypass_l1 = kind == 0 && local == 0;
        shot[k].t = t;
        memcpy(shot[k].bytes, t->bytes, sizeof(t->bytes));
        if (op == MEM_STORE) {
            mem_copy_bytes(model[local][i], t->data, t->bytes);
        }
        memcpy(shot[k].want, model[local][i], MEM_LINE);
        at += rand_below(&seed, 20) == 0 ? rand_below(&seed, 100) : 0;
        sender_add(g->lsu, at, t);
    }
    bench_finish(&g->b);
    assert_int_equal(g->back->n, N);
    for (uint32_t k = 0; k < N; k++) {
        const struct mem_line *t = g->back->v[k].txn;
        const struct shot *s = &shot[t->lanes];

        assert_ptr_equal(s->t, t);
        for (uint32_t i = 0; i < MEM_LINE && t->op == MEM_LOAD; i++) {
            if (mem_byte_is_set(s->bytes, i) && t->data[i] != s->want[i]) {
                fail_msg("access %u, line %llx, byte %u: %u, not %u", t->lanes,
                         (unsigned long long)t->addr, i, t->data[i], s->want[i]);
            }
        }
    }
}

static void random_programs(void **state)
{
    uint64_t seed = 3;

    (void)state;
    for (uint32_t k = 0; k < 24; k++) {
        struct l1_config cfg = small();
        struct rig g;

        cfg.ways = 1 + rand_below(&seed, 2);
        cfg.interval = 1 + rand_below(&seed, 3);
        cfg.mshrs = 1 + rand_below(&seed, 4);
        cfg.merges = 1 + rand_below(&seed, 3);
        cfg.queue = 1 + rand_below(&seed, 4);
        cfg.answers = 1 + rand_below(&seed, 4);
        rig_init_as(&g, cfg, k % 2 == 0, 1 + rand_below(&seed, 3));
        g.delay = 1 + rand_below(&seed, 60);
        g.back->gap = rand_below(&seed, 3);
        g.below->gap = rand_below(&seed, 6);
        sim_shuffle(g.b.sim, k);
        random_program(&g, k + 1);
        rig_free(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(miss_then_hit),
        cmocka_unit_test(one_line_per_interval),
        cmocka_unit_test(merge),
        cmocka_unit_test(no_mshr),
        cmocka_unit_test(replacement),
        cmocka_unit_test(stale_fill),
        cmocka_unit_test(store_drops),
        cmocka_unit_test(store_updates),
        cmocka_unit_test(stale_twice),
        cmocka_unit_test(bypass),
        cmocka_unit_test(bypass_ages_fill),
        cmocka_unit_test(global_uncached),
        cmocka_unit_test(local_partial),
        cmocka_unit_test(local_store_during_fill),
        cmocka_unit_test(local_write_back),
        cmocka_unit_test(write_back_request),
        cmocka_unit_test(write_back_overtakes_fill),
        cmocka_unit_test(up_needs_no_down),
        cmocka_unit_test(no_credit),
        cmocka_unit_test(no_cache),
        cmocka_unit_test(invalidate),
        cmocka_unit_test(resize),
        cmocka_unit_test(random_programs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
