/* The L1: global loads and stores, and what happens between kernels. */
#include "mem/l1_test.h"

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
        t[i] = load(&g, 10, GLOBAL(2), 32 * i, 8); /* handled at 11, 12; 13: full */
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
    /* at 13 it could not, at 101 and 103 the waiters were answered, at 105 it could */
    assert_int_equal(g.stats[0].l1_stalls, 105 - 13);
    rig_free(&g);
}

/* Of the two MSHRs one is taken at 11 and one at 13; the fills come back at 101 and
 * 201. */
static void free_entries(void **state)
{
    struct sim_probe *entries;
    struct rig g;

    (void)state;
    rig_init(&g);
    entries = probe_at(&g.b, "l1", "mshr_free");
    assert_int_equal(entries->value, 2);
    (void)load(&g, 10, GLOBAL(2), 0, 4);
    (void)load(&g, 10, GLOBAL(3), 0, 4);
    (void)bench_run(&g.b, 10);
    assert_int_equal(entries->value, 2);
    (void)bench_run(&g.b, 11);
    assert_int_equal(entries->value, 1);
    (void)bench_run(&g.b, 13);
    assert_int_equal(entries->value, 0);
    answer(&g, 0, 100);
    (void)bench_run(&g.b, 100);
    assert_int_equal(entries->value, 0);
    (void)bench_run(&g.b, 101);
    assert_int_equal(entries->value, 1);
    answer(&g, 1, 200);
    bench_finish(&g.b);
    assert_int_equal(entries->value, 2);
    rig_free(&g);
}

/* Of a load some sectors are under way: only the others are fetched, and the answer
 * waits for both fills, in whatever order they come. */
static void join_in_part(void **state)
{
    (void)state;
    for (uint32_t first = 0; first < 2; first++) {
        struct rig g;
        struct mem_line *a, *b;

        rig_init_as(&g, small(), false, 8);
        a = load(&g, 10, GLOBAL(2), 0, 64);
        b = load(&g, 10, GLOBAL(2), 32, 96);
        (void)bench_run(&g.b, 100);
        assert_int_equal(g.below->n, 2);
        assert_int_equal(below(&g, 0)->sectors, 0x3);
        assert_int_equal(below(&g, 1)->sectors, 0xc);
        answer(&g, first, 100);
        (void)bench_run(&g.b, 200);
        assert_int_equal(g.back->n, first == 0); /* a needs the first fill only */
        answer(&g, 1 - first, 200);
        bench_finish(&g.b);
        assert_int_equal(g.back->n, 2);
        check_data(a, 0, 64, 102);
        check_data(b, 32, 96, 102);
        assert_int_equal(g.stats[0].l1_ld_miss_sectors, 4);
        assert_int_equal(g.stats[0].l1_ld_hit_sectors, 1);
        rig_free(&g);
    }
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
    /* could not at 103; the fill came at 202, one interval later it could */
    assert_int_equal(g.stats[0].l1_stalls, 204 - 103);
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

/* Sectors that are stored take the way down 5 cycles each, and 5 more if one of the
 * line's is stored in part: what goes down waits behind them, what hits does not. */
static void way_down(void **state)
{
    enum { DOWN = 5 };
    struct l1_config cfg = small();
    struct rig g;

    (void)state;
    cfg.down_interval = DOWN;
    rig_init_as(&g, cfg, false, 8);
    g.delay = 50;
    assert_false(hits(&g, GLOBAL(1), 0, 128, 101));
    (void)store(&g, 100, GLOBAL(2), 0, 128, 9); /* handled at 101 */
    (void)load(&g, 100, GLOBAL(1), 0, 4);       /* an interval later */
    (void)store(&g, 100, GLOBAL(3), 0, 4, 9);   /* at 101 + 4 * DOWN */
    (void)load(&g, 100, GLOBAL(4), 0, 4);       /* two DOWN later, one for the mask */
    (void)bench_run(&g.b, 140);
    assert_int_equal(g.back->v[0].at, 102 + INTERVAL);
    assert_int_equal(g.below->n, 4); /* the first is what line 1 came by */
    assert_int_equal(g.below->v[1].at, 102);
    assert_int_equal(g.below->v[2].at, 102 + 4 * DOWN);
    assert_int_equal(g.below->v[3].at, 102 + 6 * DOWN);
    rig_free(&g);
}

/* One mask for all sectors of a line; and a turn for each quarter of a warp that stores
 * 16 bytes a lane, a half that stores 8. */
static void way_down_of_lines(void **state)
{
    static const struct {
        uint32_t first, n, lanes, sectors;
    } c[] = {
        {0, 4, 0x1, 2},      {0, 36, 0x1ff, 3},      {16, 96, 0xffffff, 5},
        {0, 32, 0x3, 1},     {0, 32, 0x101, 2},      {0, 128, 0xff, 4},
        {0, 16, 0x1, 2},     {0, 64, 0x01010101, 4}, {0, 32, 0xf, 1},
        {0, 32, 0x10007, 2}, {0, 128, 0xffff, 4},    {32, 32, 0xff, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
        struct l1_config cfg = small();
        struct rig g;

        cfg.down_interval = 5;
        rig_init_as(&g, cfg, false, 8);
        g.delay = 50;
        store(&g, 100, GLOBAL(2), c[i].first, c[i].n, 9)->lanes = c[i].lanes;
        (void)load(&g, 100, GLOBAL(4), 0, 4);
        (void)bench_run(&g.b, 140);
        assert_int_equal(g.below->v[1].at - g.below->v[0].at, 5 * c[i].sectors);
        rig_free(&g);
    }
}

/* Local stores that go through take it as well. */
static void local_way_down(void **state)
{
    enum { DOWN = 5 };
    struct l1_config cfg = small();
    struct rig g;

    (void)state;
    cfg.down_interval = DOWN;
    rig_init_as(&g, cfg, false, 8);
    g.rules.local_through = true;
    (void)store(&g, 100, LOCAL(1), 0, 128, 9); /* handled at 101 */
    (void)store(&g, 100, LOCAL(2), 0, 32, 9);  /* at 101 + 4 * DOWN */
    (void)load(&g, 100, GLOBAL(1), 0, 4);      /* another DOWN later */
    (void)bench_run(&g.b, 140);
    assert_int_equal(g.below->n, 3);
    assert_int_equal(g.below->v[0].at, 102);
    assert_int_equal(g.below->v[1].at, 102 + 4 * DOWN);
    assert_int_equal(g.below->v[2].at, 102 + 5 * DOWN);
    answer(&g, 0, 150);
    answer(&g, 1, 150);
    answer(&g, 2, 150);
    rig_free(&g);
}

/* While an answer moves data, a load that misses passes beside it, if the two are
 * apart; one that hits waits for the next turn. */
static void passes_beside(void **state)
{
    for (int apart = 0; apart < 2; apart++) {
        struct l1_config cfg = small();
        struct mem_line *up;
        struct rig g;

        cfg.apart = apart == 1;
        rig_init_as(&g, cfg, false, 8);
        g.delay = 9;
        assert_false(hits(&g, GLOBAL(1), 0, 128, 101));
        g.delay = 0;
        (void)load(&g, 100, GLOBAL(2), 0, 4); /* asks below at 101 */
        (void)bench_run(&g.b, 110);
        up = below(&g, 1);
        serve(&g, up);
        sender_add(g.up, 200, up);            /* is there at 201 */
        (void)load(&g, 200, GLOBAL(3), 0, 4); /* so is this one */
        (void)load(&g, 201, GLOBAL(1), 0, 4); /* a hit */
        (void)bench_run(&g.b, 210);
        assert_int_equal(g.below->n, 3);
        assert_int_equal(g.below->v[2].at, apart == 1 ? 202 : 202 + INTERVAL);
        assert_int_equal(g.back->n, 2);
        assert_int_equal(g.back->v[0].at, 202);
        assert_int_equal(g.back->v[1].at,
                         apart == 1 ? 202 + INTERVAL : 202 + INTERVAL + 1);
        serve(&g, below(&g, 2));
        sender_add(g.up, 300, below(&g, 2));
        rig_free(&g);
    }
    (void)state;
}

/* Lines of one load that are there are answered together, up to so many as there are
 * tags; one that is not goes down and ends the turn, and so does one of another load.
 */
static void several_at_once(void **state)
{
    static const sim_cycle_t turn[] = {0, 1, 1, 1, 2, 2, 3};
    struct l1_config cfg = small();
    sim_cycle_t first;
    struct rig g;

    (void)state;
    cfg.tags = 3;
    cfg.interval = 8;
    rig_init_as(&g, cfg, false, 8);
    g.delay = 50;
    for (uint32_t i = 0; i < 6; i++) {
        assert_false(hits(&g, GLOBAL(i), 0, 4, (uint8_t)(100 + i)));
    }
    (void)load(&g, 1000, GLOBAL(0), 0, 4); /* the others come meanwhile */
    for (uint32_t i = 0; i < 6; i++) {     /* the last one is not there */
        load(&g, 1001, GLOBAL(i == 5 ? 7 : i), 0, 4)->entry = 9;
    }
    load(&g, 1001, GLOBAL(5), 0, 4)->entry = 8;
    (void)bench_run(&g.b, 1040);
    assert_int_equal(g.below->n, 7);
    assert_int_equal(g.back->n, 7);
    first = g.back->v[0].at;
    for (uint32_t i = 0; i < 7; i++) {
        assert_int_equal(g.back->v[i].at, first + turn[i] * cfg.interval);
    }
    assert_int_equal(g.below->v[6].at, first + 2 * cfg.interval);
    rig_free(&g);
}

/* Atomics of one lane take the way down for their sector, of more for one sector more.
 */
static void atomics_down(void **state)
{
    enum { DOWN = 5 };
    static const uint32_t lanes[] = {1, 3, 0xffff, 4};
    static const uint32_t bytes[] = {4, 8, 64, 4}; /* 1, 1, 2 and 1 sectors */
    static const sim_cycle_t at[] = {102, 102 + DOWN, 102 + 3 * DOWN, 102 + 6 * DOWN};
    struct l1_config cfg = small();
    struct rig g;

    (void)state;
    cfg.down_interval = DOWN;
    rig_init_as(&g, cfg, false, 8);
    g.delay = 50;
    for (uint32_t i = 0; i < 4; i++) {
        struct mem_line *t =
            line_fill(line_new(&g.b, MEM_RED, GLOBAL(i), 0, bytes[i]), 0);

        t->lanes = lanes[i];
        sender_add(g.lsu, 100, t);
    }
    (void)bench_run(&g.b, 145);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(g.below->v[i].at, at[i]);
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(miss_then_hit),
        cmocka_unit_test(one_line_per_interval),
        cmocka_unit_test(merge),
        cmocka_unit_test(free_entries),
        cmocka_unit_test(join_in_part),
        cmocka_unit_test(no_mshr),
        cmocka_unit_test(replacement),
        cmocka_unit_test(stale_fill),
        cmocka_unit_test(store_drops),
        cmocka_unit_test(store_updates),
        cmocka_unit_test(way_down),
        cmocka_unit_test(way_down_of_lines),
        cmocka_unit_test(local_way_down),
        cmocka_unit_test(atomics_down),
        cmocka_unit_test(stale_twice),
        cmocka_unit_test(passes_beside),
        cmocka_unit_test(several_at_once),
        cmocka_unit_test(bypass),
        cmocka_unit_test(bypass_ages_fill),
        cmocka_unit_test(global_uncached),
        cmocka_unit_test(no_cache),
        cmocka_unit_test(invalidate),
        cmocka_unit_test(resize),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
