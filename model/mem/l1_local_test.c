/* The L1: local memory, and all at once under pressure. */
#include "mem/l1_test.h"

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
        cmocka_unit_test(local_partial),
        cmocka_unit_test(local_store_during_fill),
        cmocka_unit_test(local_write_back),
        cmocka_unit_test(write_back_request),
        cmocka_unit_test(write_back_overtakes_fill),
        cmocka_unit_test(up_needs_no_down),
        cmocka_unit_test(no_credit),
        cmocka_unit_test(random_programs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
