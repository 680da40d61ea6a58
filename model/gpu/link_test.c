/* The link's arithmetic: how long transfers take, and on which edge they end. */
#include "gpu/link.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct bench {
    struct sim *sim;
    struct sim_clock clock;
    struct sim_module root;
    struct link *link;
};

static const struct link_config config = {
    .latency = 1000,
    .up = 3000000000,
    .down = 1000000000000000,
    .unpinned_up = 1000000,
    .engines = 2,
    .device_latency = 5,
    .device_efficiency = 50,
};

/* A clock of 7 ps. */
static void open(struct bench *b, const struct link_config *cfg)
{
    b->sim = sim_new();
    sim_clock_init(&b->clock, b->sim, "sm", 7, 1);
    sim_module_init(&b->root, b->sim, NULL, &b->clock, "gpu");
    b->link = link_new(&b->root, &b->clock, cfg, 4000000000, false);
}

static struct link_job job(enum link_way way, uint64_t bytes)
{
    return (struct link_job){.way = way, .bytes = bytes, .pinned = true};
}

static sim_time_t lasts(struct bench *b, enum link_way way, uint64_t bytes, bool pinned)
{
    struct link_job j = job(way, bytes);

    j.pinned = pinned;
    return link_duration(b->link, &j);
}

static void test_durations(void **state)
{
    struct bench b;

    (void)state;
    open(&b, &config);
    assert_int_equal(lasts(&b, LINK_UP, 0, true), 1000);
    assert_int_equal(lasts(&b, LINK_UP, 3, true), 2000);
    assert_int_equal(lasts(&b, LINK_UP, 1, true), 1334); /* rounded up */
    assert_int_equal(lasts(&b, LINK_UP, 2, true), 1667);
    assert_int_equal(lasts(&b, LINK_UP, 3000000000001, true),
                     UINT64_C(1000000000001334));
    assert_int_equal(lasts(&b, LINK_UP, 1, false), 1001000);
    assert_int_equal(lasts(&b, LINK_DOWN, 1, true), 1001);    /* a thousandth of a ps */
    assert_int_equal(lasts(&b, LINK_DOWN, 999, false), 1001); /* as pinned */
    assert_int_equal(lasts(&b, LINK_DOWN, 1001, false), 1002);
    assert_int_equal(lasts(&b, LINK_DEVICE, 2, true), 1005); /* 50 % of 4 GB/s */
    sim_free(b.sim);
}

/* Latencies of a way of their own, and times that no bytes change. */
static void test_latencies(void **state)
{
    struct link_config c = config;
    struct link_job fixed = {.way = LINK_DEVICE, .bytes = 1000, .fixed = 17};
    struct bench b;

    (void)state;
    c.down_latency = 300;
    c.unpinned_latency = 40;
    open(&b, &c);
    assert_int_equal(lasts(&b, LINK_UP, 3, true), 2000);
    assert_int_equal(lasts(&b, LINK_UP, 0, false), 40);
    assert_int_equal(lasts(&b, LINK_DOWN, 0, true), 300);
    assert_int_equal(lasts(&b, LINK_DOWN, 0, false), 300);
    assert_int_equal(link_duration(b.link, &fixed), 17);
    sim_free(b.sim);
    c.unpinned_down_latency = 60;
    open(&b, &c);
    assert_int_equal(lasts(&b, LINK_DOWN, 0, true), 300);
    assert_int_equal(lasts(&b, LINK_DOWN, 0, false), 60);
    sim_free(b.sim);
}

/* Up to the next edge; at the edge itself if it falls there; never at once. */
static void test_ends_at_edges(void **state)
{
    static const struct {
        uint64_t latency;
        sim_time_t end;
    } cases[] = {{0, 7}, {1, 7}, {6, 7}, {7, 7}, {8, 14}, {14, 14}};

    (void)state;
    for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct link_config c = config;
        struct bench b;
        struct link_job j = job(LINK_UP, 0);

        c.latency = cases[i].latency;
        open(&b, &c);
        assert_true(link_next(b.link) == SIM_TIME_MAX);
        assert_false(link_done(b.link, LINK_UP));
        assert_true(link_ready(b.link, LINK_UP));
        link_begin(b.link, &j);
        assert_false(link_ready(b.link, LINK_UP));
        assert_true(link_ready(b.link, LINK_DOWN));
        assert_int_equal(link_next(b.link), cases[i].end);
        assert_int_equal(sim_run(b.sim, cases[i].end - 1, 0), SIM_REACHED);
        assert_false(link_done(b.link, LINK_UP));
        (void)sim_run(b.sim, cases[i].end, 0);
        assert_int_equal(sim_now(b.sim), cases[i].end);
        assert_false(link_done(b.link, LINK_DOWN));
        assert_true(link_done(b.link, LINK_UP));
        assert_false(link_done(b.link, LINK_UP)); /* once */
        assert_true(link_ready(b.link, LINK_UP));
        sim_free(b.sim);
    }
}

/* Ways do not wait for each other; the first end is the next one. */
static void test_side_by_side(void **state)
{
    struct bench b;
    struct link_job up = job(LINK_UP, 3), down = job(LINK_DOWN, 1),
                    device = job(LINK_DEVICE, 200);

    (void)state;
    open(&b, &config);
    link_begin(b.link, &device); /* 100,005 ps, edge 14,287 */
    assert_int_equal(link_next(b.link), 100009);
    link_begin(b.link, &up); /* 2,000 ps */
    assert_int_equal(link_next(b.link), 2002);
    link_begin(b.link, &down); /* 1,001 ps, an edge */
    assert_int_equal(link_next(b.link), 1001);
    (void)sim_run(b.sim, 1001, 0);
    assert_true(link_done(b.link, LINK_DOWN));
    assert_false(link_done(b.link, LINK_UP));
    assert_int_equal(link_next(b.link), 2002);
    sim_free(b.sim);
}

static void test_one_engine(void **state)
{
    struct link_config c = config;
    struct link_job up = job(LINK_UP, 3);
    struct bench b;

    (void)state;
    c.engines = 1;
    open(&b, &c);
    link_begin(b.link, &up);
    assert_false(link_ready(b.link, LINK_DOWN));
    assert_true(link_ready(b.link, LINK_DEVICE));
    sim_free(b.sim);
}

/* What the L2 holds has a rate of its own; what is said to take more does. */
static void test_cached(void **state)
{
    struct link_config cfg = config;
    struct link_job j = job(LINK_DEVICE, 3000);
    struct bench b;
    sim_time_t dram;

    (void)state;
    cfg.device_cached = 1000000000000;
    open(&b, &cfg);
    dram = link_duration(b.link, &j);
    j.cached = true;
    assert_int_equal(link_duration(b.link, &j), 5 + 3000);
    assert_true(dram > 5 + 3000);
    j.more = 77;
    assert_int_equal(link_duration(b.link, &j), 5 + 3000 + 77);
    j.fixed = 9;
    assert_int_equal(link_duration(b.link, &j), 9);
    sim_free(b.sim);
    open(&b, &config); /* none is said */
    j.fixed = j.more = 0;
    assert_int_equal(link_duration(b.link, &j), dram);
    sim_free(b.sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cached),       cmocka_unit_test(test_durations),
        cmocka_unit_test(test_latencies),    cmocka_unit_test(test_ends_at_edges),
        cmocka_unit_test(test_side_by_side), cmocka_unit_test(test_one_engine),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
