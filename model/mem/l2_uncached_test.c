/* A memory partition without an L2: SPEC L2-4. */
#include "mem/l2_test.h"

static struct l2_config none(void)
{
    struct l2_config cfg = small();

    cfg.size = 0;
    return cfg;
}

/* Every load reads its own sectors, a burst at least; nothing is kept or joined. */
static void uncached_loads(void **state)
{
    static const uint32_t bursts[][4] = {{32, 1, 2, 4},
                                         {64, 1, 1, 2},
                                         {128, 1, 1, 1}}; /* of 32, 64 and 128 bytes */

    (void)state;
    for (uint32_t k = 0; k < ARRAY_LEN(bursts); k++) {
        uint32_t reads = 0;
        struct rig g;

        rig_init_as(&g, none(), bursts[k][0], 8);
        g.delay = 9;
        for (uint32_t i = 0; i < 3; i++) {
            reads += 2 * bursts[k][1 + i];
            assert_false(hits(&g, 1, 0, 32u << i));
            assert_false(hits(&g, 1, 0, 32u << i));
            assert_int_equal(g.n_reads, reads);
        }
        (void)load(&g, 200, 1, 0, 4); /* both at once */
        (void)load(&g, 200, 1, 0, 4);
        bench_finish(&g.b);
        assert_int_equal(g.n_reads, reads + 2);
        assert_int_equal(g.n_writes, 0);
        assert_int_equal(g.stats[0].l2_rd_requests, 8);
        assert_int_equal(g.stats[0].l2_rd_sectors, 2 * (1 + 2 + 4 + 1));
        assert_int_equal(g.stats[0].l2_rd_hits, 0);
        rig_free(&g);
    }
}

/* Stores go to DRAM at once and are acknowledged when they are served; a load behind
 * one brings its bytes, one before it the old ones. */
static void uncached_stores(void **state)
{
    struct rig g;
    struct mem_line *a, *b, *s;

    (void)state;
    rig_init_as(&g, none(), 32, 8);
    a = load(&g, 10, 1, 0, 32);
    s = store(&g, 11, 1, 4, 4, 7);
    b = load(&g, 12, 1, 0, 32);
    (void)bench_run(&g.b, 50);
    assert_int_equal(g.out->n, 1);
    assert_ptr_equal(g.out->v[0].txn, s);
    assert_int_equal(g.out->v[0].at, 14); /* served at 13 */
    assert_int_equal(g.n_writes, 1);
    assert_int_equal(g.written, LINE(1));
    assert_int_equal(g.n_reads, 2);
    sender_add(g.fill, 51, burst(&g, 0));
    sender_add(g.fill, 52, burst(&g, 2));
    bench_finish(&g.b);
    assert_int_equal(g.out->n, 3);
    assert_int_equal(a->data[4], 101);
    assert_int_equal(b->data[4], 7);
    drain(&g);
    (void)store(&g, 100, 1, 30, 70, 8); /* four sectors: no merging with the first */
    (void)store(&g, 100, 1, 30, 70, 9);
    bench_finish(&g.b);
    assert_int_equal(g.n_writes, 1 + 4 + 4);
    assert_int_equal(g.stats[0].l2_wr_requests, 3);
    assert_int_equal(g.stats[0].l2_wr_sectors, 9);
    rig_free(&g);
}

/* An atomic writes when what it reads has come, then it is answered. */
static void uncached_atomic(void **state)
{
    struct rig g;
    struct mem_line *t;
    uint32_t word;

    (void)state;
    rig_init_as(&g, none(), 32, 8);
    memset(memory_line_rw(&g.memory, LINE(1)), 0, MEM_LINE);
    t = atom(&g, 10, 1, 0xff, 1);
    (void)bench_run(&g.b, 59);
    assert_int_equal(g.n_reads, 1);
    assert_int_equal(g.n_writes, 0);
    sender_add(g.fill, 60, burst(&g, 0));
    (void)bench_run(&g.b, 61);
    assert_int_equal(g.n_writes, 0);
    assert_int_equal(g.out->n, 0);
    (void)bench_run(&g.b, 62); /* there at 61 */
    assert_int_equal(g.n_writes, 1);
    assert_int_equal(g.out->n, 1);
    assert_int_equal(t->atom->old[7], 7);
    memcpy(&word, memory_line(&g.memory, LINE(1)), 4);
    assert_int_equal(word, 8);
    assert_int_equal(g.stats[0].l2_atoms, 1);
    rig_free(&g);
}

/* Reads under way are limited; the one too many waits, a store behind it too. */
static void uncached_limit(void **state)
{
    struct rig g;

    (void)state;
    rig_init_as(&g, none(), 128, 8);
    for (uint32_t i = 0; i < 3; i++) {
        (void)load(&g, 10, i, 0, 4);
    }
    (void)store(&g, 10, 4, 0, 4, 1);
    (void)bench_run(&g.b, 100);
    assert_int_equal(g.n_reads, 2);
    assert_int_equal(g.n_writes, 0);
    sender_add(g.fill, 101, burst(&g, 1));
    (void)bench_run(&g.b, 200);
    assert_int_equal(g.n_reads, 3);
    assert_int_equal(g.n_writes, 1);
    sender_add(g.fill, 201, burst(&g, 0));
    sender_add(g.fill, 201, burst(&g, 2));
    bench_finish(&g.b);
    assert_int_equal(g.out->n, 4);
    rig_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uncached_loads),
        cmocka_unit_test(uncached_stores),
        cmocka_unit_test(uncached_atomic),
        cmocka_unit_test(uncached_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
