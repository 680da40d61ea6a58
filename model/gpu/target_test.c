/* What an assembler is told of a device, against figures worked out by hand. */
#include "gpu/target.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct gpu_config defaults(void)
{
    struct gpu_config c;

    cfg_defaults(&gpu_schema, &c);
    return c;
}

static void set(struct gpu_config *c, const char *key, const char *value)
{
    struct smw_err e;

    err_clear(&e);
    assert_true(cfg_set(&gpu_schema, c, key, value, &e));
}

/* The default device has 32768 registers for 48 warps: 21 for each of 1536 threads. */
static void test_registers(void **state)
{
    struct gpu_config c = defaults();
    struct ptx_target t;

    (void)state;
    assert_ptr_equal(gpu_target(&c, rules_find(20), &t), &t);
    assert_int_equal(t.regs, 21);
    set(&c, "sm.max_warps", "32");
    assert_ptr_equal(gpu_target(&c, rules_find(20), &t), &t);
    assert_int_equal(t.regs, 32);
}

/* A global load passes the interconnect twice, in cycles of its own clock. */
static void test_latencies(void **state)
{
    struct gpu_config c = defaults();
    struct ptx_target t;

    (void)state;
    set(&c, "gpu.clock", "1000 MHz");
    set(&c, "icnt.clock", "500 MHz");
    set(&c, "l2.clock", "250 MHz");
    set(&c, "sm.l1.latency", "30");
    set(&c, "icnt.latency", "10");
    set(&c, "l2.latency", "5");
    set(&c, "sm.smem.latency", "23");
    set(&c, "sm.cbank.latency", "7");
    set(&c, "sm.pipe.sfu.latency", "19");
    set(&c, "sm.issue_interval", "4");
    assert_ptr_equal(gpu_target(&c, rules_find(20), &t), &t);
    assert_int_equal(t.global, 30 + 2 * 10 * 2 + 5 * 4);
    assert_int_equal(t.local, 30);
    assert_int_equal(t.issue, 4);
    assert_int_equal(t.shared, 23);
    assert_int_equal(t.constant, 7);
    assert_int_equal(t.latency[ISA_CL_SFU], 19);
    assert_true(t.latency[ISA_CL_MEM] >= 1); /* has no key */
}

static void test_as_written(void **state)
{
    struct gpu_config c = defaults();
    struct ptx_target t;

    (void)state;
    set(&c, "ptx.schedule", "as_written");
    assert_null(gpu_target(&c, rules_find(20), &t));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registers),
        cmocka_unit_test(test_latencies),
        cmocka_unit_test(test_as_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
