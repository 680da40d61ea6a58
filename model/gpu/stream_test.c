/* Launches through the public API: streams, splits, refusals, stopping, steps. */
#include "gpu/small_test.h"

#include "engine/sim.h"
#include "gpu/observe.h"

static void test_stream_order(void **state)
{
    struct dt *t = dt_open("gpu.sms=3", small);

    (void)state;
    for (uint32_t i = 0; i < 20; i++) { /* ((0 + 1) * 2 + 1) * 2 ... */
        dt_start(t, i % 2 == 0 ? "add" : "twice", 4, 64);
    }
    dt_fetch(t);
    for (uint32_t i = 0; i < 256; i++) {
        assert_int_equal(t->words[i], 2046);
    }
    for (uint32_t i = 1; i < 20; i++) {
        struct smw_result before = dt_result(t, i - 1), r = dt_result(t, i);

        assert_true(r.finished && r.start_ps >= before.end_ps);
        assert_int_equal(r.counters.blocks, 4);
    }
    dt_close(t);
}

/* Launches that are forgotten have left what they did; the others count from 0. */
static void test_forgotten(void **state)
{
    struct dt *t = dt_open("gpu.sms=2", small), *fresh = dt_open("gpu.sms=2", small);
    struct smw_inst inst;
    struct smw_progress p;
    struct smw_result r;

    (void)state;
    dt_run(t, "add", 2, 64);
    smw_forget_results(t->d);
    assert_int_equal(smw_results(t->d), 0);
    assert_false(smw_result(t->d, 0, &r) || smw_inst(t->d, 0, 0, &inst));
    dt_run(t, "twice", 3, 32);
    assert_int_equal(t->words[0], 2);
    assert_int_equal(smw_results(t->d), 1);
    assert_string_equal(dt_result(t, 0).kernel, "twice");
    assert_int_equal(dt_result(t, 0).counters.blocks, 3);
    assert_true(smw_inst(t->d, 0, 0, &inst));
    smw_progress(t->d, &p);
    assert_int_equal(p.blocks_total, 3);
    assert_int_equal(p.blocks_done, 3);
    dt_run(fresh, "twice", 3, 32); /* its lines are not in the L2 */
    assert_true(dt_result(fresh, 0).counters.cycles > dt_result(t, 0).counters.cycles);
    dt_close(t);
    dt_close(fresh);
}

/* Launches of two streams are resident together, and each counts its own. */
static void test_streams(void **state)
{
    struct dt *t = dt_open("gpu.sms=2", small), *alone = dt_open("gpu.sms=2", small);
    struct smw_launch l = dt_shape(2, 64);
    struct smw_result a, b, ref;
    struct smw_err e;

    (void)state;
    err_clear(&e);
    dt_run(alone, "slow", 2, 64);
    ref = dt_result(alone, 0);
    dt_ok(dt_queue(t, "slow", l, &e), &e);
    l.stream = 1;
    t->out += 4096;
    dt_ok(dt_queue(t, "slow", l, &e), &e);
    t->out -= 4096;
    dt_fetch(t);
    for (uint32_t i = 0; i < 128; i++) {
        assert_int_equal(t->words[i], 300);
        assert_int_equal(t->words[1024 + i], 300);
    }
    a = dt_result(t, 0);
    b = dt_result(t, 1);
    assert_true(b.start_ps < a.end_ps); /* together */
    assert_true(b.end_ps < 2 * ref.end_ps);
    assert_int_equal(a.counters.thread_insts, ref.counters.thread_insts);
    assert_int_equal(b.counters.thread_insts, ref.counters.thread_insts);
    assert_int_equal(a.counters.warps, 4);
    assert_int_equal(b.counters.gl_ld_requests, ref.counters.gl_ld_requests);
    assert_int_equal(a.counters.l2_rd_requests + b.counters.l2_rd_requests,
                     2 * ref.counters.l2_rd_requests);
    assert_int_equal(smw_live_transactions(t->d), 0);
    dt_close(alone);
    dt_close(t);
}

/* More streams than launches that may be resident. */
static void test_many_streams(void **state)
{
    struct dt *t = dt_open("gpu.sms=2", small);
    struct smw_err e;

    (void)state;
    err_clear(&e);
    for (uint32_t i = 0; i < 50; i++) {
        struct smw_launch l = dt_shape(1, 32);

        l.stream = i;
        t->out += 128;
        dt_ok(dt_queue(t, "slow", l, &e), &e);
    }
    t->out -= 50 * 128;
    dt_fetch(t);
    for (uint32_t i = 0; i < 50; i++) {
        assert_int_equal(t->words[(i + 1) * 32 + 31], 300);
        assert_int_equal(dt_result(t, i).counters.blocks, 1);
    }
    dt_close(t);
}

/* A change of the split waits until the device is idle. */
static void test_split_changes(void **state)
{
    struct dt *t = dt_open("", small);
    struct smw_launch l = dt_shape(2, 32);
    struct smw_err e;

    (void)state;
    err_clear(&e);
    dt_ok(dt_queue(t, "slow", l, &e), &e);
    l.stream = 1;
    l.cache_config = SMW_CACHE_L1;
    dt_ok(dt_queue(t, "slow", l, &e), &e);
    l.stream = 2;
    l.cache_config = SMW_CACHE_NONE;
    l.shared = 20000;
    dt_ok(dt_queue(t, "uses_shared", l, &e), &e);
    dt_ok(smw_synchronize(t->d, &e), &e);
    assert_int_equal(dt_result(t, 0).split_shared_kb, 48);
    assert_int_equal(dt_result(t, 1).split_shared_kb, 16);
    assert_int_equal(dt_result(t, 1).split_l1_kb, 48);
    assert_int_equal(dt_result(t, 2).split_shared_kb, 48);
    assert_true(dt_result(t, 1).start_ps >= dt_result(t, 0).end_ps);
    assert_true(dt_result(t, 2).start_ps >= dt_result(t, 1).end_ps);
    assert_int_equal(dt_result(t, 2).shared_bytes, 20016);
    dt_ok(smw_device_cache_config(t->d, SMW_CACHE_L1, &e), &e);
    dt_run(t, "slow", 1, 32);
    assert_int_equal(dt_result(t, 3).split_shared_kb, 16);
    dt_close(t);
}

static void test_refused_launches(void **state)
{
    struct dt *t = dt_open("sm.max_warps=8", small);
    struct smw_launch l = dt_shape(1, 32);
    struct smw_err e;

    (void)state;
    err_clear(&e);
    l.has_carveout = true;
    l.carveout = 50;
    assert_false(dt_queue(t, "add", l, &e));
    assert_non_null(strstr(e.message, "carveout"));
    l = dt_shape(1, 32);
    l.opt_in_shared = true;
    err_clear(&e);
    assert_false(dt_queue(t, "add", l, &e));
    assert_non_null(strstr(e.message, "opt_in_shared"));
    l = dt_shape(1, 32);
    l.bank_mode = 8;
    err_clear(&e);
    assert_false(dt_queue(t, "add", l, &e));
    assert_non_null(strstr(e.message, "bank_mode"));
    err_clear(&e);
    assert_false(dt_queue(t, "add", dt_shape(1, 257), &e)); /* nine warps of eight */
    assert_non_null(strstr(e.message, "not even one block fits on an SM: warps"));
    assert_non_null(strstr(e.hint, "cudaErrorLaunchOutOfResources"));
    err_clear(&e);
    assert_false(dt_queue(t, "add", dt_shape(0, 32), &e));
    assert_int_equal(smw_results(t->d), 0);
    dt_run(t, "add", 1, 256);
    assert_int_equal(t->words[255], 1);
    assert_int_equal(smw_results(t->d), 1);
    {
        struct smw_result r;

        assert_false(smw_result(t->d, 1, &r));
    }
    dt_close(t);
}

static void test_stop(void **state)
{
    struct dt *t = dt_open("", small);
    struct smw_err e;

    (void)state;
    err_clear(&e);
    dt_start(t, "slow", 1, 64);
    smw_stop(t->d);
    assert_int_equal(smw_step(t->d, 0), SMW_STOPPED);
    assert_false(dt_result(t, 0).finished);
    assert_int_equal(smw_step(t->d, 50), SMW_RUNNING); /* one stop, once */
    smw_stop(t->d);
    assert_false(smw_synchronize(t->d, &e));
    assert_string_equal(e.message, "interrupted");
    err_clear(&e);
    dt_ok(smw_synchronize(t->d, &e), &e); /* and it goes on where it was */
    dt_fetch(t);
    assert_int_equal(t->words[63], 300);
    dt_close(t);
}

/* A stop that comes while the last write-backs settle: all has been done, the stop
 * finds nothing to stop. */
struct stopper {
    struct smw_device *d;
    uint32_t stops;
};

static void stop_when_finished(void *ctx, sim_time_t now)
{
    struct stopper *s = ctx;
    struct smw_result r;

    (void)now;
    if (smw_result(s->d, 0, &r) && r.finished) {
        smw_stop(s->d);
        s->stops++;
    }
}

static void test_stop_at_the_end(void **state)
{
    static const char spill[] = PTX_HEAD BODY(
        "k",
        ".local .align 4 .b8 l[256];\nmov.u64 %rd4, l; mov.u32 %r4, 0;\n"
        "L: mul.wide.u32 %rd5, %r4, 4; add.u64 %rd5, %rd4, %rd5;\n"
        "st.local.u32 [%rd5], %r1; add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 64;\n"
        "@%p1 bra L;");
    struct dt *t = dt_open("icnt.latency=200", spill);
    struct stopper s = {t->d, 0};
    struct sim_observer o = {.end_of_instant = stop_when_finished, .ctx = &s};

    (void)state;
    sim_observe(smw_sim(t->d), &o);
    dt_start(t, "k", 2, 512);
    assert_int_equal(smw_step(t->d, 0), SMW_DONE);
    assert_true(s.stops > 0);
    assert_int_equal(smw_live_transactions(t->d), 0);
    dt_close(t);
}

/* A device that is closed in the middle of a run gives everything back (LeakSanitizer).
 */
static void test_close_in_the_middle(void **state)
{
    struct dt *t = dt_open("", small);

    (void)state;
    dt_start(t, "slow", 4, 64);
    dt_start(t, "add", 4, 64);
    assert_int_equal(smw_step(t->d, 200), SMW_RUNNING);
    dt_close(t);
}

/* Steps of any size make the same run. */
static void test_steps_do_not_matter(void **state)
{
    struct smw_counters ref;

    (void)state;
    for (uint32_t size = 0; size < 4; size++) {
        struct dt *t = dt_open("gpu.sms=2", small);
        static const uint64_t steps[] = {0, 1, 7, 1000};

        dt_start(t, "slow", 3, 64);
        dt_start(t, "add", 3, 64);
        while (smw_step(t->d, steps[size]) == SMW_RUNNING) {
        }
        dt_fetch(t);
        assert_int_equal(t->words[191], 301);
        if (size == 0) {
            ref = dt_result(t, 1).counters;
        } else {
            struct smw_counters c = dt_result(t, 1).counters;

            assert_memory_equal(&ref, &c, sizeof(ref));
        }
        dt_close(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stream_order),
        cmocka_unit_test(test_forgotten),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_many_streams),
        cmocka_unit_test(test_split_changes),
        cmocka_unit_test(test_refused_launches),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_stop_at_the_end),
        cmocka_unit_test(test_close_in_the_middle),
        cmocka_unit_test(test_steps_do_not_matter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
