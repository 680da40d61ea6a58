#include "mem/cbank.h"

#include "mem/port_test.h"

/* One link in, one out. */
enum { HOPS = 2, LATENCY = 20, INTERVAL = 3, QUEUE = 3, BYTES = 1024 };

struct rig {
    struct bench b;
    struct cbank *cbank;
    struct sender *sm;
    struct receiver *back;
    struct stat_counters stats[3];
    uint8_t image[2][BYTES];
};

static void rig_init(struct rig *g, uint32_t capacity)
{
    struct cbank_config cfg = {.latency = LATENCY,
                               .interval = INTERVAL,
                               .queue = QUEUE};
    uint64_t seed = 4;

    memset(g, 0, sizeof(*g));
    for (uint32_t i = 0; i < 2 * BYTES; i++) {
        g->image[i / BYTES][i % BYTES] = (uint8_t)rand_next(&seed);
    }
    bench_init(&g->b);
    g->cbank = cbank_new(&g->b.root, &cfg, HOPS, g->stats);
    cbank_image(g->cbank, 1, g->image[0], BYTES);
    cbank_image(g->cbank, 2, g->image[1], BYTES);
    g->sm = sender_new(&g->b, NULL, "sm", &mem_req_proto, cbank_req(g->cbank), 1);
    g->back = receiver_new(&g->b, NULL, "back", &mem_req_proto, cbank_rsp(g->cbank), 1,
                           capacity);
}

static void rig_free(struct rig *g)
{
    bench_finish(&g->b);
    receiver_drain(g->back);
    bench_free(&g->b);
}

/* Lane i reads address i % distinct * stride of launch 1. */
static struct mem_req *req(struct rig *g, uint32_t distinct, uint32_t stride)
{
    struct mem_req *r = sim_pool_take(&g->b.reqs);

    *r = (struct mem_req){.txn = r->txn,
                          .mask = UINT32_MAX,
                          .op = MEM_LOAD,
                          .space = PTX_SP_CONST,
                          .size = 4,
                          .vec = 1,
                          .words = 1,
                          .launch = 1};
    for (uint32_t i = 0; i < PTX_LANES; i++) {
        r->addr[i] = (uint64_t)(i % distinct) * stride;
    }
    return r;
}

static void data(void **state)
{
    static const uint8_t shape[][2] = {{1, 1}, {2, 1}, {4, 1}, {8, 1}, {1, 2}, {1, 4},
                                       {2, 2}, {2, 4}, {4, 2}, {4, 4}, {8, 2}};
    struct rig g;
    uint64_t seed = 8;

    (void)state;
    rig_init(&g, 64);
    for (uint32_t k = 0; k < 1000; k++) {
        uint32_t s = rand_below(&seed, ARRAY_LEN(shape));
        uint32_t size = shape[s][0], vec = shape[s][1];
        struct mem_req *r = req(&g, 1, 0);

        r->size = (uint8_t)size;
        r->vec = (uint8_t)vec;
        r->words = (uint8_t)(vec * (size < 4 ? 1 : size / 4));
        r->mask = rand_mask(&seed);
        r->launch = (uint8_t)(1 + rand_below(&seed, 2));
        for (uint32_t i = 0; i < PTX_LANES; i++) {
            r->addr[i] = rand_below(&seed, BYTES / (size * vec)) * size * vec;
        }
        sender_add(g.sm, 1, r);
        bench_finish(&g.b);
        assert_int_equal(g.back->n, 1);
        for (uint32_t i = 0; i < PTX_LANES; i++) {
            for (uint32_t v = 0; v < vec && (r->mask >> i & 1u) != 0; v++) {
                uint64_t want = 0, got = r->d[v][i];

                if (size == 8) {
                    got = r->d[2 * v][i] | (uint64_t)r->d[2 * v + 1][i] << 32;
                }
                memcpy(&want, g.image[r->launch - 1] + r->addr[i] + v * size, size);
                assert_true(got == want);
            }
        }
        receiver_drain(g.back);
    }
    rig_free(&g);
}

/* One pass per distinct address of the active lanes. */
static void timing(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 32; n = n == 3 ? 32 : n + 1) {
        sim_cycle_t due = 5 + LATENCY + INTERVAL * (n - 1);
        struct rig g;

        rig_init(&g, 64);
        sender_add(g.sm, 5, req(&g, n, 4));
        (void)bench_run(&g.b, due - 1);
        assert_int_equal(g.back->n, 0);
        (void)bench_run(&g.b, due);
        assert_int_equal(g.back->n, 1);
        assert_int_equal(g.stats[1].const_requests, n);
        assert_int_equal(g.stats[0].const_requests, 0);
        rig_free(&g);
    }
}

static void inactive_lanes(void **state)
{
    struct rig g;
    struct mem_req *r;

    (void)state;
    rig_init(&g, 64);
    r = req(&g, 32, 4);
    r->mask = 0x00010100;
    r->d[0][5] = 77;
    sender_add(g.sm, 5, r);
    bench_finish(&g.b);
    assert_int_equal(g.back->v[0].at, 5 + LATENCY + INTERVAL);
    assert_int_equal(g.stats[1].const_requests, 2);
    assert_int_equal(r->d[0][5], 77); /* not touched */
    rig_free(&g);
}

/* Behind a request of n addresses the next waits n intervals. */
static void throughput(void **state)
{
    static const uint32_t n[] = {1, 1, 4, 1, 2, 7, 1, 1};
    sim_cycle_t due = 5 + LATENCY - INTERVAL;
    struct rig g;
    struct mem_req *r[ARRAY_LEN(n)];

    (void)state;
    rig_init(&g, 64);
    for (uint32_t k = 0; k < ARRAY_LEN(n); k++) {
        r[k] = req(&g, n[k], 8);
        sender_add(g.sm, 5, r[k]);
    }
    bench_finish(&g.b);
    for (uint32_t k = 0; k < ARRAY_LEN(n); k++) {
        due += (sim_cycle_t)n[k] * INTERVAL;
        assert_ptr_equal(g.back->v[k].txn, r[k]);
        assert_int_equal(g.back->v[k].at, due);
    }
    rig_free(&g);
}

static void back_pressure(void **state)
{
    enum { N = 12 };
    struct rig g;
    struct mem_req *r[N];

    (void)state;
    rig_init(&g, 2);
    g.back->hold = 500;
    for (uint32_t k = 0; k < N; k++) {
        r[k] = req(&g, 1, 4);
        sender_add(g.sm, 1, r[k]);
    }
    (void)bench_run(&g.b, 499);
    assert_int_equal(g.back->n, 0);
    assert_int_equal(g.sm->next, 2 + 1 + QUEUE); /* sent, in work, in the queue */
    bench_finish(&g.b);
    assert_int_equal(g.back->n, N);
    for (uint32_t k = 0; k < N; k++) {
        assert_ptr_equal(g.back->v[k].txn, r[k]);
    }
    rig_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data),           cmocka_unit_test(timing),
        cmocka_unit_test(inactive_lanes), cmocka_unit_test(throughput),
        cmocka_unit_test(back_pressure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
