/* The host's clock (SPEC HOST-1, HOST-2): when what the host calls begins and ends. A
 * cycle is 1,000 ps; calls take prime numbers of nanoseconds. */
#include "gpu/queue_test.h"

#define HOST                                                                           \
    "host.call.launch=101ns host.call.copy=211ns host.call.fill=307ns "                \
    "host.call.record=401ns host.call.wait=503ns host.call.graph=601ns "               \
    "host.call.graph_node=701ns host.call.inside=719ns host.call.sync=809ns "          \
    "host.submit=907ns "                                                               \
    "host.wake=1009ns host.stream.kernel=1103ns host.stream.node=1201ns "              \
    "host.stream.record=1301ns host.call.module=11us host.call.first=13us "            \
    "host.stream.graph=1409ns host.stream.copy=1511ns host.small=100 "                 \
    "host.small_fill=1601ns"

enum { NS = 1000 };

/* When the host's side sees launch i over: an edge of the clock later. */
static uint64_t over(const struct dt *t, uint32_t i)
{
    return dt_result(t, i).end_ps + 1000;
}

static uint64_t call_and_mark(struct dt *t, enum smw_host_call what)
{
    smw_host_call(t->d, what);
    return mark(t, what); /* a stream of its own */
}

/* The host's calls follow each other; each begins one submission after its call. */
static void test_calls(void **state)
{
    static const struct {
        enum smw_host_call what;
        uint32_t ns; /* all up to then */
    } calls[] = {
        {SMW_HOST_LAUNCH, 101},  {SMW_HOST_COPY, 312},  {SMW_HOST_FILL, 619},
        {SMW_HOST_RECORD, 1020}, {SMW_HOST_WAIT, 1523}, {SMW_HOST_GRAPH, 2124},
        {SMW_HOST_NODE, 2825},   {SMW_HOST_SYNC, 3634}, {SMW_HOST_INSIDE, 4353},
    };
    uint64_t m[ARRAY_LEN(calls)];
    struct dt *t = open(HOST);

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(calls); i++) {
        m[i] = call_and_mark(t, calls[i].what);
    }
    all(t);
    for (uint32_t i = 0; i < ARRAY_LEN(calls); i++) {
        assert_int_equal(reached(t, m[i]), (calls[i].ns + 907) * NS);
    }
    dt_close(t);
}

/* A host without a clock takes no time, whatever the configuration says. */
static void test_no_clock(void **state)
{
    struct dt *t = open(HOST);
    uint64_t a = mark(t, 0), b;

    (void)state;
    dt_start(t, "add", 1, 32);
    b = mark(t, 0);
    all(t);
    assert_int_equal(reached(t, a), 0);
    assert_int_equal(dt_result(t, 0).start_ps, 0);
    assert_int_equal(reached(t, b), over(t, 0));
    dt_close(t);
}

/* What follows in the stream of a kernel, a node of a graph, a mark. */
static void test_ends(void **state)
{
    struct dt *t = open(HOST);
    uint64_t m[4];

    (void)state;
    smw_host_call(t->d, SMW_HOST_LAUNCH);
    dt_start(t, "slow", 1, 32);
    m[0] = mark(t, 0);
    m[1] = mark(t, 0);
    dt_start(t, "slow", 1, 32);
    smw_host_call(t->d, SMW_HOST_GRAPH);
    dt_start(t, "slow", 1, 32);
    m[2] = mark(t, 0);
    smw_host_call(t->d, SMW_HOST_LAUNCH);
    dt_start(t, "slow", 1, 32);
    m[3] = mark(t, 1); /* beside it, at once */
    all(t);
    assert_int_equal(dt_result(t, 0).start_ps, (101 + 907) * NS);
    assert_int_equal(reached(t, m[0]), over(t, 0) + 1103 * NS);
    assert_int_equal(reached(t, m[1]), reached(t, m[0]) + 1301 * NS);
    assert_int_equal(dt_result(t, 1).start_ps, reached(t, m[1]) + 1301 * NS);
    assert_int_equal(dt_result(t, 2).start_ps, over(t, 1) + 1103 * NS);
    assert_int_equal(reached(t, m[2]), over(t, 2) + 1201 * NS);
    assert_int_equal(dt_result(t, 3).start_ps, reached(t, m[2]) + 1409 * NS); /* its */
    assert_int_equal(reached(t, m[3]), (101 + 601 + 101 + 907) * NS);
    dt_close(t);
}

/* A graph's begin; a kernel behind copies and fills, small and not. */
static void test_graphs_and_copies(void **state)
{
    struct dt *t = open(HOST);
    uint64_t begin;

    (void)state;
    smw_host_call(t->d, SMW_HOST_GRAPH);
    begin = mark(t, 0);
    dt_start(t, "slow", 1, 32);
    smw_host_call(t->d, SMW_HOST_LAUNCH);
    copy(t, up(t, 1, bytes, 2000, 101));
    dt_ok(smw_queue_fill(t->d, 2, t->out + 4000, 0, 1, 100, 1, 0, &err), &err);
    all(t);
    assert_int_equal(dt_result(t, 0).start_ps, reached(t, begin) + 1409 * NS);
    assert_int_equal(transferred(t, 1).end_ps, transferred(t, 1).start_ps + 1601 * NS);
    for (uint32_t n = 100; n <= 101; n++) {
        uint32_t i = smw_transfers(t->d), k = smw_results(t->d);

        smw_host_call(t->d, SMW_HOST_LAUNCH);
        copy(t, up(t, 0, bytes, 0, n));
        dt_start(t, "slow", 1, 32);
        all(t);
        assert_int_equal(dt_result(t, k).start_ps,
                         transferred(t, i).end_ps + (n > 100 ? 1511 * NS : 0));
    }
    dt_close(t);
}

/* Code that is new costs more than the launch alone. */
static void test_first(void **state)
{
    struct dt *t = open(HOST);
    uint64_t m[2];

    (void)state;
    m[0] = call_and_mark(t, SMW_HOST_MODULE);
    m[1] = call_and_mark(t, SMW_HOST_FIRST);
    all(t);
    assert_int_equal(reached(t, m[0]), (11000 + 907) * NS);
    assert_int_equal(reached(t, m[1]), (24000 + 907) * NS);
    dt_close(t);
}

/* The first event's record takes longer behind what it queues: its mark is in time, and
 * what is called next is late, unless the host waits meanwhile. */
static void test_first_record(void **state)
{
    static const char more[] = HOST " host.call.first_record=100us";
    uint64_t m[3];
    struct dt *t = open(more);

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(m); i++) {
        m[i] = call_and_mark(t, SMW_HOST_RECORD);
    }
    all(t);
    assert_int_equal(reached(t, m[0]), (401 + 907) * NS);
    assert_int_equal(reached(t, m[1]), (401 + 100000 + 401 + 907) * NS);
    assert_int_equal(reached(t, m[2]) - reached(t, m[1]), 1301 * NS); /* a stream's */
    dt_close(t);

    t = open(more);
    m[0] = call_and_mark(t, SMW_HOST_RECORD);
    copy(t, up(t, 0, bytes, 0, 8000));
    all(t);
    m[1] = smw_now_ps(t->d);
    smw_host_call(t->d, SMW_HOST_SYNC);
    m[2] = call_and_mark(t, SMW_HOST_RECORD);
    all(t);
    assert_int_equal(reached(t, m[2]), m[1] > (401 + 100000) * NS
                                           ? m[1] + (1009 + 401 + 907) * NS
                                           : (401 + 100000 + 809 + 401 + 907) * NS);
    dt_close(t);
}

static uint64_t copy_time(struct dt *t, struct smw_transfer x)
{
    uint32_t i = smw_transfers(t->d);

    smw_host_call(t->d, SMW_HOST_COPY);
    copy(t, x);
    all(t);
    return transferred(t, i).end_ps - transferred(t, i).start_ps;
}

/* SPEC LINK-4: pinned memory that the host wrote takes longer, once, up to a limit. */
static void test_written(void **state)
{
    static _Alignas(4096) uint8_t mine[8192];
    struct dt *t = open(HOST " host.link.written=1GB/s host.link.written_most=5000");
    struct smw_transfer x = up(t, 0, mine, 0, 4096), y = up(t, 0, mine, 0, 8192);
    uint64_t plain;

    (void)state;
    memset(mine, 5, sizeof(mine));
    memset(back, 0, sizeof(back));
    x.src = (uintptr_t)back; /* zeros */
    plain = copy_time(t, x);
    x.src = (uintptr_t)mine;
    assert_int_equal(copy_time(t, x), plain + 4096 * NS);
    assert_int_equal(copy_time(t, x), plain);
    mine[100]++;
    assert_int_equal(copy_time(t, x), plain + 4096 * NS);
    x = (struct smw_transfer){.direction = SMW_DOWN,
                              .dst = (uintptr_t)mine,
                              .src = t->out,
                              .width = 4096,
                              .height = 1,
                              .pinned = true};
    plain = copy_time(t, x);
    mine[100]++;
    assert_int_equal(copy_time(t, x), plain + 4096 * NS); /* to the host as well */
    assert_int_equal(copy_time(t, x), plain);
    plain = copy_time(t, y);
    memset(mine, 1, sizeof(mine));
    assert_int_equal(copy_time(t, y), plain - 4096 * NS + 5000 * NS); /* half was new */
    dt_close(t);
}

/* A host that waits goes on some time after; one that comes late goes on at once. */
static void test_waiting(void **state)
{
    struct dt *t = open(HOST);
    uint64_t m, end;

    (void)state;
    smw_host_call(t->d, SMW_HOST_LAUNCH);
    dt_start(t, "slow", 1, 32);
    all(t);
    end = smw_now_ps(t->d);
    assert_int_equal(end, over(t, 0) + 1103 * NS);
    smw_host_call(t->d, SMW_HOST_SYNC); /* it has waited */
    m = call_and_mark(t, SMW_HOST_RECORD);
    all(t);
    assert_int_equal(reached(t, m), end + (1009 + 401 + 907) * NS);
    smw_host_call(t->d, SMW_HOST_SYNC);
    smw_host_call(t->d, SMW_HOST_SYNC); /* there is nothing to wait for */
    end = smw_now_ps(t->d);
    m = call_and_mark(t, SMW_HOST_RECORD);
    all(t);
    assert_int_equal(reached(t, m), end + (1009 + 809 + 401 + 907) * NS);
    dt_close(t);
}

/* Lanes do not hold each other up, and a kernel counts what it counts anyway. */
static void test_side_by_side(void **state)
{
    struct dt *t = open(HOST), *alone = open("");
    struct smw_launch l = dt_shape(2, 64);

    (void)state;
    dt_run(alone, "slow", 2, 64);
    smw_host_call(t->d, SMW_HOST_COPY);
    copy(t, up(t, 1, bytes, 2000, 1000));
    l.stream = 2;
    smw_host_call(t->d, SMW_HOST_LAUNCH);
    dt_ok(dt_queue(t, "slow", l, &err), &err);
    smw_host_call(t->d, SMW_HOST_FILL);
    dt_ok(smw_queue_fill(t->d, 3, t->out + 4000, 0, 1, 100, 1, 0, &err), &err);
    all(t);
    assert_int_equal(transferred(t, 0).start_ps, (211 + 907) * NS);
    assert_int_equal(dt_result(t, 0).start_ps, (211 + 101 + 907) * NS);
    assert_int_equal(transferred(t, 1).start_ps, (211 + 101 + 307 + 907) * NS);
    assert_int_equal(dt_result(t, 0).counters.warp_insts,
                     dt_result(alone, 0).counters.warp_insts);
    dt_close(t);
    dt_close(alone);
}

/* Kernels that begin at other times come to the same end. */
static void test_many_streams(void **state)
{
    enum { STREAMS = 40 };
    struct dt *t = open(HOST " gpu.sms=2");
    struct smw_launch l = dt_shape(1, 32);
    uint64_t m[STREAMS];

    (void)state;
    for (uint32_t i = 0; i < STREAMS; i++) {
        l.stream = i;
        smw_host_call(t->d, SMW_HOST_LAUNCH);
        dt_ok(dt_queue(t, "slow", l, &err), &err);
        m[i] = mark(t, i);
    }
    while (smw_step(t->d, 3) == SMW_RUNNING) {
    }
    for (uint32_t i = 0; i < STREAMS; i++) {
        assert_true(dt_result(t, i).start_ps >= (uint64_t)((i + 1) * 101 + 907) * NS);
        assert_int_equal(reached(t, m[i]), over(t, i) + 1103 * NS);
    }
    dt_close(t);
}

/* Staging memory that is new costs more, of small copies alone that are not pinned. */
static void test_fresh(void **state)
{
    static uint8_t mine[68 << 10];
    struct dt *t = open(HOST " host.link.fresh=1GB/s host.link.fresh_most=10000");
    struct smw_transfer little = up(t, 0, mine, 0, 4096), large = little;
    struct smw_transfer pinned = little;
    uint64_t first, second, third, plain, plain_large, plain_pinned, at;

    (void)state;
    assert_true(smw_alloc(t->d, sizeof(mine), &at, &err));
    little.dst = large.dst = at;
    little.pinned = large.pinned = false;
    large.width = 65537; /* by pinned buffers */
    plain_pinned = copy_time(t, pinned);
    plain_large = copy_time(t, large);
    first = copy_time(t, little);
    second = copy_time(t, little);
    third = copy_time(t, little);
    plain = copy_time(t, little); /* it has been round */
    assert_int_equal(first, plain + 4096 * NS);
    assert_int_equal(second, plain + 4096 * NS);
    assert_int_equal(third, plain + (10000 - 2 * 4096) * NS);
    assert_int_equal(copy_time(t, little), plain);
    assert_int_equal(copy_time(t, large), plain_large);
    assert_int_equal(copy_time(t, pinned), plain_pinned);
    dt_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls),        cmocka_unit_test(test_no_clock),
        cmocka_unit_test(test_ends),         cmocka_unit_test(test_graphs_and_copies),
        cmocka_unit_test(test_first),        cmocka_unit_test(test_first_record),
        cmocka_unit_test(test_written),      cmocka_unit_test(test_fresh),
        cmocka_unit_test(test_waiting),      cmocka_unit_test(test_side_by_side),
        cmocka_unit_test(test_many_streams),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
