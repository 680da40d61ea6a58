/* What the counter `cycles` of a launch spans, and what of it is spent before the first
 * instruction (SPEC TIME-1, TIME-3). */
#include "gpu/device_test.h"

#define EMPTY PTX_HEAD ".visible .entry k(.param .u64 out, .param .u64 in)\n{ exit; }\n"
#define STORE                                                                          \
    PTX_HEAD ".visible .entry k(.param .u64 out, .param .u64 in)\n"                    \
             "{ .reg .u64 %rd<2>; ld.param.u64 %rd0, [out];\n"                         \
             "st.global.u64 [%rd0], %rd0; exit; }\n"

static uint64_t wide_cycles(const char *ptx, uint32_t grid, uint32_t warps,
                            const char *settings)
{
    struct dt *t = dt_open(settings, ptx);
    uint64_t n;

    dt_run(t, "k", grid, 32 * warps);
    n = dt_result(t, 0).counters.cycles;
    dt_close(t);
    return n;
}

/* The same of blocks of a warp, with two numbers in the settings. */
static uint64_t cycles(const char *ptx, uint32_t grid, const char *format, uint32_t a,
                       uint32_t b)
{
    char settings[128];

    (void)snprintf(settings, sizeof(settings), format, a, b);
    return wide_cycles(ptx, grid, 1, settings);
}

/* The block is dispatched with the latency, arrives a cycle later, and issues its only
 * instruction block_start cycles after that; machine code would begin with another one.
 * Its exit is the end. */
static void test_empty_kernel(void **state)
{
    static const char settings[] =
        "gpu.launch_latency=%u sm.block_start=%u ptx.schedule=as_written";

    (void)state;
    for (uint32_t latency = 1; latency < 400; latency += 133) {
        for (uint32_t start = 1; start < 60; start += 29) {
            assert_int_equal(cycles(EMPTY, 1, settings, latency, start),
                             latency + 1 + start);
        }
    }
}

/* A store that is not answered when the last warp exits belongs to the launch. A cycle
 * of the L2 is two of the SM. */
static void test_stores_are_waited_for(void **state)
{
    static const char settings[] = "l2.latency=%u l2.clock=%uMHz";
    uint64_t near = cycles(STORE, 1, settings, 8, 700);

    (void)state;
    assert_int_equal(cycles(STORE, 1, settings, 9, 700), near + 2);
    assert_int_equal(cycles(STORE, 1, settings, 508, 700), near + 1000);
}

/* Where exits do not wait, cycles end when the last store has left the LSU: however far
 * the L2 is. A block that waits for the place waits for the answer, and the launch ends
 * behind the store, whose value the host then reads. */
static void test_stores_are_left_behind(void **state)
{
    static const char settings[] = "l2.latency=%u sm.max_blocks=%u sm.exit_waits=false";
    static const char drains[] =
        "sm.drain_latency=%u sm.max_blocks=%u sm.exit_waits=false";
    struct dt *t = dt_open("l2.latency=900 sm.exit_waits=false", STORE);

    (void)state;
    assert_int_equal(cycles(STORE, 1, settings, 8, 1),
                     cycles(STORE, 1, settings, 908, 1));
    assert_int_equal(cycles(STORE, 20, settings, 8, 1) + 19 * 400,
                     cycles(STORE, 20, settings, 208, 1));
    assert_int_equal(cycles(STORE, 1, drains, 57, 1),
                     cycles(STORE, 1, drains, 0, 1) + 57);
    assert_int_equal(cycles(EMPTY, 1, drains, 57, 1), cycles(EMPTY, 1, drains, 0, 1));
    dt_run(t, "k", 1, 32);
    assert_int_equal(t->words[0], (uint32_t)t->out);
    assert_int_equal(t->words[1], t->out >> 32);
    dt_close(t);
}

/* SPEC TIME-3: two blocks one after the other in one place. What the second waits for
 * begins with the end of the first, later if that has stored. */
static void test_refill(void **state)
{
    static const char refill[] = "sm.max_blocks=1 sm.exit_waits=false "
                                 "gpu.refill_latency=%u gpu.flush_latency=%u";
    static const char ends[] = "sm.max_blocks=%u sm.block_end_interval=%u";

    (void)state;
    assert_int_equal(cycles(EMPTY, 2, refill, 900, 0),
                     cycles(EMPTY, 2, refill, 0, 0) + 900);
    assert_int_equal(cycles(EMPTY, 2, refill, 900, 5000),
                     cycles(EMPTY, 2, refill, 900, 0));
    assert_int_equal(cycles(STORE, 2, refill, 900, 6000),
                     cycles(STORE, 2, refill, 900, 5000) + 1000);
    assert_int_equal(cycles(STORE, 2, refill, 900, 1),
                     cycles(STORE, 2, refill, 900, 0)); /* its answer takes longer */
    assert_int_equal(cycles(EMPTY, 2, ends, 1, 300),
                     cycles(EMPTY, 2, ends, 1, 200) + 100);
}

/* So many go out at once, on a device with more SMs. */
static void test_dispatch_width(void **state)
{
    static const char settings[] =
        "gpu.dispatch_interval=50 gpu.dispatch_width=%u gpu.sms=%u";
    uint64_t one = cycles(EMPTY, 1, settings, 1, 12);

    (void)state;
    assert_int_equal(cycles(EMPTY, 12, settings, 4, 12), one + 2 * 50);
    assert_int_equal(cycles(EMPTY, 12, settings, 12, 12), one);
}

/* On one SM: blocks begin one after the other, so do the warps of a block, which issue
 * side by side here. */
static void test_begin_intervals(void **state)
{
#define ONE_SM "gpu.sms=1 gpu.dispatch_interval=1 sm.issue_interval=1 "
    uint64_t block = wide_cycles(EMPTY, 1, 1, ONE_SM);

    (void)state;
    assert_int_equal(wide_cycles(EMPTY, 5, 1, ONE_SM "sm.block_interval=70"),
                     block + 4 * 70);
    assert_int_equal(wide_cycles(EMPTY, 1, 8, ONE_SM "sm.warp_interval=30"),
                     block + 7 * 30);
    assert_int_equal(wide_cycles(EMPTY, 3, 4,
                                 ONE_SM
                                 "sm.block_interval=70 sm.block_warp_interval=20"),
                     wide_cycles(EMPTY, 1, 4, ONE_SM) + 2 * 80);
    assert_int_equal(wide_cycles(EMPTY, 3, 2,
                                 ONE_SM
                                 "sm.block_interval=70 sm.block_warp_interval=20"),
                     wide_cycles(EMPTY, 1, 2, ONE_SM) + 2 * 70);
}

/* A kernel's first launch waits for its code and its parameters, further ones for their
 * parameters, and a kernel that reads none for nothing. */
static void test_code_and_parameters(void **state)
{
    static const char *const settings[] = {
        "gpu.sms=1", "gpu.sms=1 sm.code_latency=700 sm.param_latency=90"};
    uint64_t n[2][2][2]; /* without and with; reads them, does not; launch */

    (void)state;
    for (uint32_t with = 0; with < 2; with++) {
        for (uint32_t no = 0; no < 2; no++) {
            struct dt *t = dt_open(settings[with], no != 0 ? EMPTY : STORE);

            for (uint32_t i = 0; i < 2; i++) {
                dt_run(t, "k", 1, 32);
                n[with][no][i] = dt_result(t, i).counters.cycles;
            }
            dt_close(t);
        }
    }
    assert_int_equal(n[1][0][0], n[0][0][0] + 790);
    assert_int_equal(n[1][0][1], n[0][0][1] + 90);
    assert_int_equal(n[1][1][0], n[0][1][0] + 700);
    assert_int_equal(n[1][1][1], n[0][1][1]);
}

/* The last of nine SMs is the fifth of its GPC where there are two, the third where
 * there are four. Who reads no parameters waits for nobody. */
static void test_parameters_one_by_one(void **state)
{
    static const char settings[] = "gpu.sms=9 gpu.dispatch_width=9 gpu.gpcs=%u "
                                   "sm.param_interval=%u";
    const uint64_t empty = cycles(EMPTY, 9, settings, 2, 0);
    const uint64_t one = cycles(STORE, 1, settings, 2, 0);

    (void)state;
    assert_int_equal(cycles(EMPTY, 9, settings, 2, 500), empty);
    assert_int_equal(cycles(STORE, 1, settings, 2, 500), one);
    assert_int_equal(cycles(STORE, 9, settings, 2, 700) -
                         cycles(STORE, 9, settings, 2, 600),
                     4 * 100);
    assert_int_equal(cycles(STORE, 9, settings, 4, 700) -
                         cycles(STORE, 9, settings, 4, 600),
                     2 * 100);
}

/* The fourth warp of a block is the last that adds to what others wait for: the last of
 * nine SMs, for four others. */
static void test_parameters_by_warps(void **state)
{
#define NINE "gpu.sms=9 gpu.dispatch_width=9 gpu.gpcs=2 sm.param_interval=600"

    (void)state;
    for (uint32_t warps = 1; warps <= 8; warps++) {
        assert_int_equal(wide_cycles(STORE, 9, warps,
                                     NINE " sm.param_warp_interval=100") -
                             wide_cycles(STORE, 9, warps, NINE),
                         4 * 100 * ((warps < 4 ? warps : 4) - 1));
    }
}

/* A pointer among the parameters is an operand before 9.0, and then takes the pipe of
 * special registers. */
static void test_loaded_parameters(void **state)
{
    static const char settings[] =
        "gpu.what_if=true gpu.compute_capability=%u.0 sm.pipe.sreg.latency=%u";

    (void)state;
    assert_int_equal(cycles(STORE, 1, settings, 8, 400),
                     cycles(STORE, 1, settings, 8, 100));
    assert_int_equal(cycles(STORE, 1, settings, 9, 400),
                     cycles(STORE, 1, settings, 9, 100) + 300);
}

/* Blocks go out one per interval, however many fit. */
static void test_dispatch_interval(void **state)
{
    static const char settings[] = "gpu.dispatch_interval=%u sm.max_blocks=%u";
    uint64_t one = cycles(EMPTY, 1, settings, 1, 8);

    (void)state;
    for (uint32_t interval = 20; interval < 100; interval += 33) {
        assert_int_equal(cycles(EMPTY, 5, settings, interval, 8), one + 4 * interval);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty_kernel),
        cmocka_unit_test(test_stores_are_waited_for),
        cmocka_unit_test(test_stores_are_left_behind),
        cmocka_unit_test(test_refill),
        cmocka_unit_test(test_dispatch_interval),
        cmocka_unit_test(test_dispatch_width),
        cmocka_unit_test(test_begin_intervals),
        cmocka_unit_test(test_code_and_parameters),
        cmocka_unit_test(test_parameters_one_by_one),
        cmocka_unit_test(test_parameters_by_warps),
        cmocka_unit_test(test_loaded_parameters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
