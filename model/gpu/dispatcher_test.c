/* The block dispatcher against SMs that only hold blocks: order, turns, limits,
 * launches side by side, and when blocks leave. */
#include "gpu/dispatcher.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_SMS = 4, MAX_LOG = 256 };

struct entry { /* a block that arrived at an SM */
    sim_cycle_t at;
    uint32_t sm;
    uint8_t launch;
    uint64_t index;
    uint32_t ctaid[3];
};

struct fake_sm { /* holds each block for a time, gives back in order */
    struct sim_module scope;
    struct sim_in blocks;
    struct sim_out done;
    struct sim_event due;
    struct sim_process step;
    struct sm_block *held[64];
    sim_cycle_t until[64];
    uint32_t n, most, index;
    struct bench *bench;
};

struct bench {
    struct sim *sim;
    struct sim_clock clock;
    struct sim_module root;
    struct dispatcher *d;
    struct fake_sm sm[MAX_SMS];
    uint32_t n_sms;
    sim_cycle_t hold;
    struct entry log[MAX_LOG];
    uint32_t n_log;
};

static void sm_step(void *self)
{
    struct fake_sm *s = self;
    struct bench *b = s->bench;
    sim_cycle_t now = sim_here(&s->scope);
    struct sm_block *k;

    while ((k = sim_take(&s->blocks)) != NULL) {
        struct entry *e = &b->log[b->n_log++];

        assert_true(b->n_log <= MAX_LOG && s->n < 64);
        *e = (struct entry){now, s->index, k->launch, k->index, {0}};
        memcpy(e->ctaid, k->ctaid, sizeof(e->ctaid));
        assert_int_equal(k->sm, s->index);
        s->held[s->n] = k;
        s->until[s->n++] = now + b->hold;
        s->most = s->n > s->most ? s->n : s->most;
    }
    while (s->n > 0 && s->until[0] <= now) {
        s->held[0]->done_at = now;
        sim_send(&s->done, s->held[0]);
        s->n--;
        memmove(s->held, s->held + 1, s->n * sizeof(s->held[0]));
        memmove(s->until, s->until + 1, s->n * sizeof(s->until[0]));
    }
    if (s->n > 0) {
        sim_notify_at(&s->due, s->until[0]);
    }
}

static void set_up_paced(struct bench *b, uint32_t n_sms, struct dispatcher_pace pace,
                         struct dispatcher_limits limits)
{
    static const char *const names[] = {"sm0", "sm1", "sm2", "sm3"};

    memset(b, 0, sizeof(*b));
    b->sim = sim_new();
    b->n_sms = n_sms;
    b->hold = 50;
    sim_clock_init(&b->clock, b->sim, "sm", 1000, 1);
    sim_module_init(&b->root, b->sim, NULL, &b->clock, "gpu");
    b->d = dispatcher_new(&b->root, n_sms, &pace, &limits);
    for (uint32_t i = 0; i < n_sms; i++) {
        struct fake_sm *s = &b->sm[i];

        s->bench = b;
        s->index = i;
        sim_module_init(&s->scope, b->sim, &b->root, NULL, names[i]);
        sim_in_init(&s->blocks, &s->scope, "blocks", &sm_block_proto, 2);
        sim_out_init(&s->done, &s->scope, "done", &sm_block_proto);
        sim_event_init(&s->due, b->sim, &b->clock, "due");
        sim_process_init(&s->step, b->sim, "sm", sm_step, s);
        sim_wake_on(&s->step, &s->blocks.arrived);
        sim_wake_on(&s->step, &s->due);
        sim_bind(dispatcher_to_sm(b->d, i), &s->blocks, 1);
        sim_bind(&s->done, dispatcher_from_sm(b->d, i), 1);
    }
}

static void set_up(struct bench *b, uint32_t n_sms, uint32_t interval,
                   struct dispatcher_limits limits)
{
    set_up_paced(b, n_sms, (struct dispatcher_pace){interval, 1, 0, 0, 0}, limits);
}

static void tear_down(struct bench *b)
{
    assert_int_equal(sim_live_transactions(b->sim), 0);
    sim_free(b->sim);
}

static struct dispatch launch(uint32_t x, uint32_t y, uint32_t z)
{
    return (struct dispatch){.n_blocks = (uint64_t)x * y * z,
                             .grid = {x, y, z},
                             .warps = 1,
                             .max_per_sm = 100};
}

static const struct dispatcher_limits wide = {100, 1000, 100000, 100000};

/* Until launch i has finished. */
static void run_until(struct bench *b, uint32_t i)
{
    while (!dispatcher_launch(b->d, i)->finished) {
        assert_int_equal(sim_run(b->sim, SIM_TIME_MAX, 0), SIM_STOPPED);
    }
}

/* x, then y, then z; SMs in turn; the first block leaves latency cycles after the
 * launch, then one per interval; each arrives a cycle later. */
static void test_order_and_timing(void **state)
{
    struct dispatch l = launch(3, 2, 2);
    struct bench b;

    (void)state;
    set_up(&b, 3, 4, wide);
    dispatcher_add(b.d, 2, &l, 20);
    run_until(&b, 2);
    assert_int_equal(b.n_log, 12);
    for (uint32_t i = 0; i < 12; i++) {
        assert_int_equal(b.log[i].at, 20 + 4 * i + 1);
        assert_int_equal(b.log[i].sm, i % 3);
        assert_int_equal(b.log[i].index, i);
        assert_int_equal(b.log[i].launch, 2);
        assert_int_equal(b.log[i].ctaid[0], i % 3);
        assert_int_equal(b.log[i].ctaid[1], i / 3 % 2);
        assert_int_equal(b.log[i].ctaid[2], i / 6);
    }
    assert_int_equal(dispatcher_launch(b.d, 2)->start, 20);
    assert_int_equal(dispatcher_launch(b.d, 2)->end, 20 + 4 * 11 + 1 + 50);
    assert_int_equal(dispatcher_launch(b.d, 2)->done, 12);
    dispatcher_remove(b.d, 2);
    assert_false(dispatcher_launch(b.d, 2)->resident);
    tear_down(&b);
}

/* Not one block more than the limit, and the next as soon as one is back. */
static void expect_most(struct dispatcher_limits limits, struct dispatch l,
                        uint32_t most)
{
    struct bench b;

    set_up(&b, 2, 1, limits);
    dispatcher_add(b.d, 0, &l, 1);
    run_until(&b, 0);
    assert_int_equal(b.n_log, l.n_blocks);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(b.sm[i].most, most);
    }
    tear_down(&b);
}

static void test_limits(void **state)
{
    struct dispatch l = launch(40, 1, 1);

    (void)state;
    l.warps = 4;
    l.regs = 1000;
    l.shared_bytes = 512;
    expect_most((struct dispatcher_limits){3, 48, 32768, 49152}, l, 3);
    expect_most((struct dispatcher_limits){8, 23, 32768, 49152}, l, 5);
    expect_most((struct dispatcher_limits){8, 24, 32768, 49152}, l, 6);
    expect_most((struct dispatcher_limits){8, 48, 3999, 49152}, l, 3);
    expect_most((struct dispatcher_limits){8, 48, 4000, 49152}, l, 4);
    expect_most((struct dispatcher_limits){8, 48, 32768, 1023}, l, 1);
    expect_most((struct dispatcher_limits){8, 48, 32768, 1024}, l, 2);
    l.max_per_sm = 2;
    expect_most((struct dispatcher_limits){8, 48, 32768, 49152}, l, 2);
}

/* One block per SM: the second leaves two hops after the first has ended. */
static void test_refill(void **state)
{
    struct dispatch l = launch(3, 1, 1);
    struct bench b;

    (void)state;
    set_up(&b, 1, 1, (struct dispatcher_limits){1, 48, 32768, 49152});
    dispatcher_add(b.d, 0, &l, 10);
    run_until(&b, 0);
    assert_int_equal(b.log[0].at, 11);
    assert_int_equal(b.log[1].at, 11 + 50 + 1 + 1);
    assert_int_equal(b.log[2].at, 11 + 2 * (50 + 1 + 1));
    tear_down(&b);
}

/* A full SM is skipped; the turn goes on after the one that was served. */
static void test_skips_full_sms(void **state)
{
    struct dispatch l = launch(6, 1, 1), more = launch(4, 1, 1);
    struct bench b;

    (void)state;
    set_up(&b, 4, 1, (struct dispatcher_limits){2, 48, 32768, 49152});
    b.hold = 200;
    dispatcher_add(b.d, 0, &l, 1); /* sm0 and sm1 are full then */
    dispatcher_add(b.d, 1, &more, 50);
    run_until(&b, 0);
    run_until(&b, 1);
    assert_int_equal(b.log[6].sm, 2);
    assert_int_equal(b.log[6].at, 51);
    assert_int_equal(b.log[7].sm, 3);
    assert_int_equal(b.log[8].at, 2 + 200 + 2); /* when sm0's first is back */
    assert_int_equal(b.log[8].sm, 0);
    assert_int_equal(b.log[9].sm, 1);
    tear_down(&b);
}

/* The older launch first; what it cannot use is the other's. */
static void test_two_launches(void **state)
{
    struct dispatch a = launch(10, 1, 1), c = launch(3, 1, 1);
    uint32_t of_c = 0;
    struct bench b;

    (void)state;
    a.max_per_sm = 2; /* its own limit, of registers for example */
    set_up(&b, 1, 1, (struct dispatcher_limits){3, 48, 32768, 49152});
    dispatcher_add(b.d, 5, &a, 1);
    dispatcher_add(b.d, 1, &c, 1);
    run_until(&b, 5);
    run_until(&b, 1);
    assert_int_equal(b.n_log, 13);
    assert_int_equal(b.log[0].launch, 5);
    assert_int_equal(b.log[1].launch, 5);
    assert_int_equal(b.log[2].launch, 1); /* the third place */
    for (uint32_t i = 0; i < 13; i++) {
        of_c += b.log[i].launch == 1;
    }
    assert_int_equal(of_c, 3);
    assert_int_equal(b.sm[0].most, 3);
    assert_int_equal(dispatcher_launch(b.d, 5)->done, 10);
    assert_int_equal(dispatcher_launch(b.d, 1)->done, 3);
    dispatcher_remove(b.d, 5);
    dispatcher_add(b.d, 5, &c, 7); /* the index again */
    run_until(&b, 5);
    assert_int_equal(b.n_log, 16);
    assert_int_equal(b.log[13].index, 0);
    tear_down(&b);
}

static void test_shared_limit_changes(void **state)
{
    struct dispatch l = launch(4, 1, 1);
    struct bench b;

    (void)state;
    l.shared_bytes = 16384;
    set_up(&b, 1, 1, (struct dispatcher_limits){8, 48, 32768, 49152});
    dispatcher_add(b.d, 0, &l, 1);
    run_until(&b, 0);
    assert_int_equal(b.sm[0].most, 3);
    dispatcher_remove(b.d, 0);
    b.sm[0].most = 0;
    dispatcher_shared(b.d, 16384);
    dispatcher_add(b.d, 0, &l, 1);
    run_until(&b, 0);
    assert_int_equal(b.sm[0].most, 1);
    tear_down(&b);
}

/* SPEC TIME-3: on two SMs with room for two blocks each, the first four end together.
 * Places become free a latency after an end, one each interval of the device. */
static void test_refill_takes_time(void **state)
{
    const struct dispatcher_limits two = {2, 48, 32768, 49152};
    struct dispatch l = launch(8, 1, 1), late = launch(2, 1, 1);
    sim_cycle_t ended;
    struct bench b;

    (void)state;
    set_up_paced(&b, 2, (struct dispatcher_pace){1, 4, 0, 30, 7}, two);
    dispatcher_add(b.d, 0, &l, 1);
    run_until(&b, 0);
    assert_int_equal(b.n_log, 8);
    assert_int_equal(b.log[3].at, b.log[0].at);
    ended = b.log[0].at + b.hold + 1; /* the dispatcher hears of it */
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(b.log[4 + i].at, ended + 30 + i * 7 + 1);
    }
    assert_int_equal(b.log[4].sm, 0); /* places in the order in which they ended */
    assert_int_equal(b.log[5].sm, 0);
    assert_int_equal(b.log[6].sm, 1);
    assert_int_equal(b.log[7].sm, 1);
    assert_int_equal(dispatcher_launch(b.d, 0)->end, b.log[7].at + b.hold);
    dispatcher_remove(b.d, 0);
    dispatcher_add(b.d, 0, &late, 1); /* no block has waited for those places */
    run_until(&b, 0);
    assert_int_equal(b.n_log, 10);
    assert_int_equal(b.log[8].sm, 0);
    assert_int_equal(b.log[9].sm, 1);
    assert_int_equal(b.log[8].at, b.log[9].at);
    tear_down(&b);
}

/* When a block may come next: at once while there is room, then when a place will be
 * free, then never. */
static void test_quiet_until(void **state)
{
    struct dispatch l = launch(2, 1, 1);
    sim_cycle_t ended;
    struct bench b;

    (void)state;
    set_up_paced(&b, 1, (struct dispatcher_pace){1, 1, 0, 30, 7},
                 (struct dispatcher_limits){1, 48, 32768, 49152});
    dispatcher_add(b.d, 0, &l, 1);
    assert_int_equal(dispatcher_quiet_until(b.d, 0), 0);
    sim_run(b.sim, sim_edge(&b.clock, 10), 0);
    assert_true(dispatcher_quiet_until(b.d, 0) == UINT64_MAX); /* it has to end first */
    ended = b.log[0].at + b.hold + 1;
    sim_run(b.sim, sim_edge(&b.clock, ended), 0);
    assert_int_equal(dispatcher_quiet_until(b.d, 0), ended + 30);
    run_until(&b, 0);
    assert_int_equal(b.log[1].at, ended + 30 + 1);
    assert_true(dispatcher_quiet_until(b.d, 0) == UINT64_MAX);
    tear_down(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refill_takes_time),
        cmocka_unit_test(test_quiet_until),
        cmocka_unit_test(test_order_and_timing),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_refill),
        cmocka_unit_test(test_skips_full_sms),
        cmocka_unit_test(test_two_launches),
        cmocka_unit_test(test_shared_limit_changes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
