#include "mem/cbank.h"

#include "mem/port_test.h"

/* One link in, one out. */
enum { HOPS = 2, LATENCY = 20, INTERVAL = 3, QUEUE = 3, BYTES = 4096 };

/* Two sets of two lines in level 1, eight of two in level 1.5. */
enum { LINE = 64, WAYS = 2, L1 = 4 * LINE, L15 = 16 * LINE, FAR = 50, MISS = 130 };

struct rig {
    struct bench b;
    struct cbank *cbank;
    struct sender *sm;
    struct receiver *back;
    struct smw_counters stats[3];
    struct sim_hook planned;
    struct mem_planned told; /* the last */
    uint32_t n_told;
    uint8_t image[2][BYTES];
};

static void on_planned(void *ctx, sim_time_t when, const struct sim_module *from,
                       const void *record)
{
    struct rig *g = ctx;

    (void)when;
    (void)from;
    memcpy(&g->told, record, sizeof(g->told));
    g->n_told++;
}

static void rig_init_as(struct rig *g, uint32_t l1, uint32_t l15, uint32_t cc,
                        uint32_t capacity)
{
    struct cbank_config cfg = {.latency = LATENCY,
                               .interval = INTERVAL,
                               .queue = QUEUE,
                               .size = l1,
                               .line = LINE,
                               .ways = WAYS,
                               .l15_size = l15,
                               .l15_latency = FAR,
                               .miss_latency = MISS};
    struct cbank_env env = {rules_find(cc), HOPS, 6, g->stats, &g->planned};
    uint64_t seed = 4;

    memset(g, 0, sizeof(*g));
    for (uint32_t i = 0; i < 2 * BYTES; i++) {
        g->image[i / BYTES][i % BYTES] = (uint8_t)rand_next(&seed);
    }
    bench_init(&g->b);
    sim_hook_init(&g->planned, g->b.sim, "planned");
    g->cbank = cbank_new(&g->b.root, &cfg, &env);
    cbank_image(g->cbank, 1, g->image[0]);
    cbank_image(g->cbank, 2, g->image[1]);
    g->sm = sender_new(&g->b, NULL, "sm", &mem_req_proto, cbank_req(g->cbank), 1);
    g->back = receiver_new(&g->b, NULL, "back", &mem_req_proto, cbank_rsp(g->cbank), 1,
                           capacity);
}

static void rig_init(struct rig *g, uint32_t capacity)
{
    rig_init_as(g, 0, 0, 20, capacity);
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
                          .space = ISA_SP_CONST,
                          .size = 4,
                          .vec = 1,
                          .words = 1,
                          .launch = 1};
    for (uint32_t i = 0; i < ISA_LANES; i++) {
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
        for (uint32_t i = 0; i < ISA_LANES; i++) {
            r->addr[i] = rand_below(&seed, BYTES / (size * vec)) * size * vec;
        }
        sender_add(g.sm, 1, r);
        bench_finish(&g.b);
        assert_int_equal(g.back->n, 1);
        for (uint32_t i = 0; i < ISA_LANES; i++) {
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

/* Before 2.0 half-warps are requests of their own: an address of both counts twice. */
static void half_warps(void **state)
{
    static const struct {
        uint32_t distinct, mask, tesla, fermi;
    } shape[] = {{1, UINT32_MAX, 2, 1},    {16, UINT32_MAX, 32, 16},
                 {32, UINT32_MAX, 32, 32}, {2, UINT32_MAX, 4, 2},
                 {1, 0xffff, 1, 1},        {1, 0x10000, 1, 1}};

    (void)state;
    for (uint32_t k = 0; k < 2 * ARRAY_LEN(shape); k++) {
        uint32_t n = k % 2 == 0 ? shape[k / 2].tesla : shape[k / 2].fermi;
        struct mem_req *r;
        struct rig g;

        rig_init_as(&g, 0, 0, k % 2 == 0 ? 13 : 20, 64);
        r = req(&g, shape[k / 2].distinct, 4);
        r->mask = shape[k / 2].mask;
        sender_add(g.sm, 5, r);
        bench_finish(&g.b);
        assert_int_equal(g.back->v[0].at, 5 + LATENCY + INTERVAL * (n - 1));
        assert_int_equal(g.stats[1].const_requests, n);
        assert_int_equal(g.stats[1].const_hits, n);
        assert_int_equal(g.stats[1].const_misses, 0);
        rig_free(&g);
    }
}

/* ---- caches ---- */

/* Read n distinct lines from the first on; cycles from issue to the answer. */
static sim_cycle_t reads(struct rig *g, uint32_t launch, uint32_t first, uint32_t n)
{
    sim_cycle_t at = bench_now(&g->b) + 1;
    struct mem_req *r = req(g, n, LINE);
    sim_cycle_t took;

    r->launch = (uint8_t)launch;
    for (uint32_t i = 0; i < ISA_LANES; i++) {
        r->addr[i] += (uint64_t)first * LINE;
    }
    sender_add(g->sm, at, r);
    bench_finish(&g->b);
    assert_int_equal(g->back->n, 1);
    took = g->back->v[0].at - at;
    receiver_drain(g->back);
    return took;
}

/* Latency is that of the farthest level, and an interval for every further address. */
static void levels(void **state)
{
    struct rig g;

    (void)state;
    rig_init_as(&g, L1, L15, 70, 64);
    assert_int_equal(reads(&g, 1, 0, 1), MISS);
    assert_int_equal(reads(&g, 1, 0, 1), LATENCY);
    assert_int_equal(reads(&g, 1, 1, 4), MISS + 3 * INTERVAL); /* line 0 goes */
    assert_int_equal(reads(&g, 1, 0, 1), FAR);
    assert_int_equal(reads(&g, 1, 0, 1), LATENCY);
    assert_int_equal(reads(&g, 1, 0, 4), FAR + 3 * INTERVAL);
    assert_int_equal(reads(&g, 1, 0, 4), LATENCY + 3 * INTERVAL); /* both sets, full */
    assert_int_equal(g.stats[1].const_requests, 1 + 1 + 4 + 1 + 1 + 4 + 4);
    assert_int_equal(g.stats[1].const_misses + g.stats[1].const_hits,
                     g.stats[1].const_requests);
    assert_int_equal(reads(&g, 1, 0, 16), MISS + 15 * INTERVAL);
    assert_int_equal(reads(&g, 1, 0, 16), FAR + 15 * INTERVAL); /* level 1 thrashes */
    assert_int_equal(reads(&g, 2, 0, 1), MISS); /* another module's constants */
    rig_free(&g);
}

static void no_level_15(void **state)
{
    struct rig g;

    (void)state;
    rig_init_as(&g, L1, 0, 70, 64);
    assert_int_equal(reads(&g, 1, 0, 4), MISS + 3 * INTERVAL);
    assert_int_equal(reads(&g, 1, 0, 4), LATENCY + 3 * INTERVAL);
    assert_int_equal(reads(&g, 1, 4, 1), MISS);
    assert_int_equal(reads(&g, 1, 2, 1), LATENCY); /* not the least recently used */
    assert_int_equal(reads(&g, 1, 0, 1), MISS);    /* it was */
    assert_int_equal(g.stats[1].const_misses, 6);
    assert_int_equal(g.stats[1].const_hits, 5);
    rig_free(&g);
}

/* Two addresses of one line: the second finds it. */
static void one_line(void **state)
{
    struct rig g;

    (void)state;
    rig_init_as(&g, L1, L15, 70, 64);
    sender_add(g.sm, 5, req(&g, 16, 4));
    bench_finish(&g.b);
    assert_int_equal(g.back->v[0].at, 5 + MISS + 15 * INTERVAL);
    assert_int_equal(g.stats[1].const_misses, 1);
    assert_int_equal(g.stats[1].const_hits, 15);
    rig_free(&g);
}

static void forget(void **state)
{
    struct rig g;

    (void)state;
    rig_init_as(&g, L1, L15, 70, 64);
    assert_int_equal(reads(&g, 1, 0, 1), MISS);
    assert_int_equal(reads(&g, 1, 0, 1), LATENCY);
    cbank_forget(g.cbank);
    assert_int_equal(reads(&g, 1, 0, 1), MISS);
    rig_free(&g);
}

/* A hit behind a miss comes with it, not before; misses behind each other overlap. */
static void in_order(void **state)
{
    struct rig g;
    struct mem_req *r[4];

    (void)state;
    rig_init_as(&g, L1, L15, 70, 64);
    (void)reads(&g, 1, 0, 1);
    for (uint32_t k = 0; k < 4; k++) { /* lines 1, 0, 2, 0 */
        r[k] = req(&g, 1, 0);
        for (uint32_t i = 0; i < ISA_LANES; i++) {
            r[k]->addr[i] = (uint64_t)(k % 2 == 0 ? 1 + k / 2 : 0) * LINE;
        }
        sender_add(g.sm, 1000, r[k]);
    }
    bench_finish(&g.b);
    for (uint32_t k = 0; k < 4; k++) {
        assert_ptr_equal(g.back->v[k].txn, r[k]);
        assert_int_equal(g.back->v[k].at, 1000 + MISS + k / 2 * 2 * INTERVAL);
    }
    rig_free(&g);
}

/* The table of a V100: 27, 89 and 245 cycles and 11 per further address. */
static void volta(void **state)
{
    static const uint32_t base[] = {27, 89, 245};
    static const uint32_t lines[] = {1, 2, 4, 8, 16, 32};
    struct cbank_config cfg = {.latency = 27,
                               .interval = 11,
                               .queue = 4,
                               .size = 2048,
                               .line = 64,
                               .ways = 4,
                               .l15_size = 65536,
                               .l15_latency = 89,
                               .miss_latency = 245};

    (void)state;
    assert_int_equal(cbank_longest(&cfg), 245);
    for (uint32_t k = 0; k < ARRAY_LEN(lines); k++) {
        struct cbank_env env = {rules_find(70), HOPS, 0, NULL, NULL};
        uint32_t n = lines[k];
        struct rig g;

        rig_init(&g, 64);
        env.stats = g.stats;
        g.cbank = cbank_new(&g.b.root, &cfg, &env);
        cbank_image(g.cbank, 1, g.image[0]);
        g.sm = sender_new(&g.b, NULL, "sm2", &mem_req_proto, cbank_req(g.cbank), 1);
        g.back = receiver_new(&g.b, NULL, "back2", &mem_req_proto, cbank_rsp(g.cbank),
                              1, 64);
        assert_int_equal(reads(&g, 1, 0, n), base[2] + 11 * (n - 1));
        assert_int_equal(reads(&g, 1, 0, n), base[0] + 11 * (n - 1));
        (void)reads(&g, 1, 32, 32); /* 2 KiB more: level 1 has only those now */
        assert_int_equal(reads(&g, 1, 0, n), base[1] + 11 * (n - 1));
        rig_free(&g);
    }
}

/* Who reports by instruction is told what the rule made of a request. */
static void told(void **state)
{
    struct rig g;
    struct sim_listener l = {.heard = on_planned, .ctx = &g};
    struct mem_req *r;

    (void)state;
    rig_init(&g, 64);
    sim_listen(&g.planned, &l);
    r = req(&g, 5, 8);
    r->pc = 77;
    r->warp = 3;
    sender_add(g.sm, 5, r);
    bench_finish(&g.b);
    assert_int_equal(g.n_told, 1);
    assert_int_equal(g.told.requests, 5);
    assert_int_equal(g.told.wavefronts, 0);
    assert_int_equal(g.told.space, ISA_SP_CONST);
    assert_int_equal(g.told.pc, 77);
    assert_int_equal(g.told.warp, 3);
    assert_int_equal(g.told.sm, 6);
    assert_int_equal(g.told.bytes, 4);
    assert_true(g.told.addr[4] == 32);
    rig_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data),           cmocka_unit_test(timing),
        cmocka_unit_test(inactive_lanes), cmocka_unit_test(throughput),
        cmocka_unit_test(back_pressure),  cmocka_unit_test(half_warps),
        cmocka_unit_test(levels),         cmocka_unit_test(no_level_15),
        cmocka_unit_test(one_line),       cmocka_unit_test(forget),
        cmocka_unit_test(in_order),       cmocka_unit_test(volta),
        cmocka_unit_test(told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
