/* What the counter `cycles` of a launch spans, and what of it is spent before the first
 * instruction (SPEC TIME-1, TIME-3). */
#include "gpu/device_test.h"

#define EMPTY PTX_HEAD ".visible .entry k(.param .u64 out, .param .u64 in)\n{ exit; }\n"
#define STORE                                                                          \
    PTX_HEAD ".visible .entry k(.param .u64 out, .param .u64 in)\n"                    \
             "{ .reg .u64 %rd<2>; ld.param.u64 %rd0, [out];\n"                         \
             "st.global.u64 [%rd0], %rd0; exit; }\n"

static uint64_t cycles(const char *ptx, uint32_t grid, const char *format, uint32_t a,
                       uint32_t b)
{
    char settings[128];
    struct dt *t;
    uint64_t n;

    (void)snprintf(settings, sizeof(settings), format, a, b);
    t = dt_open(settings, ptx);
    dt_run(t, "k", grid, 32);
    n = dt_result(t, 0).counters.cycles;
    dt_close(t);
    return n;
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
        cmocka_unit_test(test_dispatch_interval),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
