#include "mem/net.h"

#include "mem/port_test.h"

enum { SMS = 3, WAY = 10, INTERVAL = 2 };

struct rig {
    struct bench b;
    struct net *net;
    struct sender *req[SMS], *back[SMS], *arrive[SMS];
    struct receiver *serve[SMS], *answer[SMS], *release[SMS];
};

static void rig_init(struct rig *g)
{
    static const char *const names[6][SMS] = {{"a0", "a1", "a2"}, {"b0", "b1", "b2"},
                                              {"c0", "c1", "c2"}, {"d0", "d1", "d2"},
                                              {"e0", "e1", "e2"}, {"f0", "f1", "f2"}};
    const struct net_config cfg = {.latency = WAY, .interval = INTERVAL, .barrier = 5};

    memset(g, 0, sizeof(*g));
    bench_init(&g->b);
    g->net = net_new(&g->b.root, &cfg, SMS, 2);
    for (uint32_t i = 0; i < SMS; i++) {
        g->req[i] =
            sender_new(&g->b, NULL, names[0][i], &mem_req_proto, net_req(g->net, i), 1);
        g->back[i] = sender_new(&g->b, NULL, names[1][i], &mem_req_proto,
                                net_back(g->net, i), 1);
        g->arrive[i] = sender_new(&g->b, NULL, names[2][i], &mem_req_proto,
                                  net_arrive(g->net, i), 1);
        g->serve[i] = receiver_new(&g->b, NULL, names[3][i], &mem_req_proto,
                                   net_serve(g->net, i), WAY, 8);
        g->answer[i] = receiver_new(&g->b, NULL, names[4][i], &mem_req_proto,
                                    net_answer(g->net, i), WAY, 8);
        g->release[i] = receiver_new(&g->b, NULL, names[5][i], &mem_req_proto,
                                     net_release(g->net, i), 5, 4);
    }
}

static void rig_free(struct rig *g)
{
    for (uint32_t i = 0; i < SMS; i++) {
        receiver_drain(g->serve[i]);
        receiver_drain(g->answer[i]);
        receiver_drain(g->release[i]);
    }
    bench_free(&g->b);
}

/* Of 32 lanes, each stride bytes behind the one before. */
static struct mem_req *request(struct rig *g, enum mem_op op, uint32_t to,
                               uint32_t stride)
{
    struct mem_req *r = sim_pool_take(&g->b.reqs);

    memset((char *)r + sizeof(r->txn), 0, sizeof(*r) - sizeof(r->txn));
    r->op = (uint8_t)op;
    r->space = ISA_SP_CLUSTER;
    r->mask = UINT32_MAX;
    r->size = 4;
    r->vec = 1;
    r->away.to = (uint8_t)to;
    for (uint32_t i = 0; i < ISA_LANES; i++) {
        r->addr[i] = (uint64_t)stride * i;
    }
    return r;
}

static void test_packets(void **state)
{
    static const struct {
        enum mem_op op;
        uint32_t stride, want;
    } cases[] = {
        {MEM_LOAD, 4, 4},  {MEM_LOAD, 0, 1},  {MEM_LOAD, 8, 8},   {MEM_LOAD, 128, 32},
        {MEM_STORE, 4, 4}, {MEM_STORE, 0, 1}, {MEM_ATOM, 4, 4},   {MEM_RED, 32, 32},
        {MEM_RED, 0, 32},  {MEM_ATOM, 0, 32}, {MEM_LOAD, 16, 16},
    };
    struct rig g;

    (void)state;
    rig_init(&g);
    for (uint32_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct mem_req *r = request(&g, cases[i].op, 0, cases[i].stride);

        assert_int_equal(net_packets(r), cases[i].want);
        sim_pool_give(r);
    }
    rig_free(&g);
}

/* SPEC CLUSTER-3: two stores of 4 packets from one SM to another, and a load behind. */
static void test_way(void **state)
{
    struct rig g;

    (void)state;
    rig_init(&g);
    sender_add(g.req[0], 0, request(&g, MEM_STORE, 2, 4));
    sender_add(g.req[0], 0, request(&g, MEM_STORE, 2, 4));
    sender_add(g.req[1], 2, request(&g, MEM_LOAD, 2, 4));
    bench_finish(&g.b);
    assert_int_equal(g.serve[2]->n, 3);
    assert_int_equal(g.serve[2]->v[1].at - g.serve[2]->v[0].at, 4 * INTERVAL);
    assert_int_equal(g.serve[0]->n + g.serve[1]->n, 0);
    rig_free(&g);
}

static void arrive(struct rig *g, uint32_t sm, bool gone, sim_cycle_t at)
{
    struct mem_req *r = request(g, MEM_DRAIN, 0, 0);

    r->mask = 2; /* blocks of the cluster */
    r->vec = gone;
    r->block = 7;
    r->away.from = (uint8_t)sm;
    sender_add(g->arrive[sm], at, r);
}

/* SPEC CLUSTER-4: nobody is released before the last one has come; one that has left
 * has come for ever. */
static void test_barrier(void **state)
{
    struct rig g;

    (void)state;
    rig_init(&g);
    arrive(&g, 0, false, 1);
    arrive(&g, 1, false, 20);
    arrive(&g, 1, true, 60);
    arrive(&g, 0, false, 80);
    (void)bench_run(&g.b, 19);
    assert_int_equal(g.release[0]->n, 0);
    (void)bench_run(&g.b, 59);
    assert_int_equal(g.release[0]->n, 1);
    assert_int_equal(g.release[1]->n, 1);
    assert_int_equal(g.release[0]->v[0].at, g.release[1]->v[0].at);
    bench_finish(&g.b);
    assert_int_equal(g.release[0]->n, 2);
    assert_int_equal(g.release[1]->n, 1);
    rig_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packets),
        cmocka_unit_test(test_way),
        cmocka_unit_test(test_barrier),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
