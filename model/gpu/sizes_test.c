/* Devices with the smallest and the largest SMs: presets, as many blocks as the
 * dispatcher gives one SM, the largest block, the most launches at once. */
#include "gpu/device_test.h"

#define COUNT                                                                          \
    PTX_HEAD ".extern .shared .align 16 .b8 dyn[];\n" BODY(                            \
        "k", "mov.u32 %r4, 0;\nL: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 200;\n"   \
             "@%p1 bra L;\nadd.u32 %r4, %r4, %r0; st.global.u32 [%rd1], %r4;")         \
        BODY("far", "mov.u32 %r4, dyn; add.u32 %r5, %r1, 7;\n"                         \
                    "st.shared.u32 [%r4 + 232444], %r5; bar.sync 0;\n"                 \
                    "ld.shared.u32 %r6, [%r4 + 232444]; st.global.u32 [%rd1], %r6;")

static struct smw_result full(const char *preset, uint32_t grid, uint32_t block)
{
    struct dt *t = dt_open_with(preset, "gpu.sms=1", NULL, COUNT);
    struct smw_result r;

    dt_run(t, "k", grid, block);
    r = dt_result(t, 0);
    for (uint32_t i = 0; i < grid * block; i++) {
        assert_int_equal(t->words[i], 200 + i);
    }
    dt_close(t);
    return r;
}

static void test_every_size_of_sm(void **state)
{
    struct smw_result r;

    (void)state;
    r = full("8800gtx", 20, 256); /* 24 warps, one scheduler */
    assert_int_equal(r.counters.blocks_per_sm, 3);
    assert_int_equal(r.warps_per_sm, 24);
    assert_int_equal(r.counters.onchip_shared_kb, 16);
    assert_int_equal(r.counters.onchip_l1_kb, 0);
    r = full("h100", 70, 64); /* 64 warps, 32 blocks, four schedulers */
    assert_int_equal(r.counters.blocks_per_sm, 32);
    assert_int_equal(r.warps_per_sm, 64);
    r = full("gtx480", 20, 192);
    assert_int_equal(r.counters.blocks_per_sm, 8);
    assert_int_equal(r.counters.onchip_shared_kb, 48);
    assert_int_equal(r.counters.onchip_l1_kb, 16);
}

/* 227 KB in one block, to the last byte. */
static void test_the_largest_block(void **state)
{
    struct dt *t = dt_open_with("h100", "gpu.sms=1", NULL, COUNT);
    struct smw_launch l = dt_shape(1, 1);
    struct smw_err e;

    (void)state;
    err_clear(&e);
    l.shared = 232448;
    l.opt_in_shared = true;
    dt_ok(dt_queue(t, "far", l, &e), &e);
    dt_ok(smw_synchronize(t->d, &e), &e);
    dt_fetch(t);
    assert_int_equal(t->words[0], 7);
    assert_int_equal(dt_result(t, 0).counters.onchip_shared_kb, 228);
    dt_close(t);
}

/* 128 launches are resident together on 9.0, the next one waits for a place. */
static void test_128_launches(void **state)
{
    struct dt *t =
        dt_open_with("h100", "gpu.sms=8 gpu.dispatch_interval=1", NULL, COUNT);
    uint64_t first_end = UINT64_MAX;
    struct smw_err e;

    (void)state;
    err_clear(&e);
    for (uint32_t i = 0; i < 130; i++) {
        struct smw_launch l = dt_shape(1, 32);

        l.stream = i;
        dt_ok(dt_queue(t, "k", l, &e), &e);
    }
    dt_ok(smw_synchronize(t->d, &e), &e);
    for (uint32_t i = 0; i < 130; i++) {
        struct smw_result r = dt_result(t, i);

        assert_int_equal(r.counters.blocks, 1);
        assert_int_equal(r.counters.warps, 1);
        assert_int_equal(r.counters.gl_st_insts, 1);
        first_end = r.end_ps < first_end ? r.end_ps : first_end;
        assert_true(i < 128 ? r.start_ps < first_end : r.start_ps >= first_end);
    }
    dt_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_size_of_sm),
        cmocka_unit_test(test_the_largest_block),
        cmocka_unit_test(test_128_launches),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
