/* What compute capabilities do differently, through the public API: bank modes of a
 * device and of a kernel, arguments in shared memory, carveouts that are hints. */
#include "gpu/device_test.h"

/* 64-bit words 3 apart: two ways with 4-byte banks, one with 8-byte banks. */
static const char kernels[] = PTX_HEAD ".shared .align 16 .b8 buffer[1024];\n" BODY(
    "stride3", "mov.u32 %r4, buffer; mul.lo.u32 %r5, %r1, 24; add.u32 %r4, %r4, %r5;\n"
               "ld.shared.u64 %rd5, [%r4]; st.global.u32 [%rd1], %r1;")
    BODY("slow", "mov.u32 %r4, 0;\nL: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 300;\n"
                 "@%p1 bra L;\nst.global.u32 [%rd1], %r4;")
        BODY("keeps", "mov.u32 %r4, buffer; shl.b32 %r5, %r1, 2;\n"
                      "add.u32 %r4, %r4, %r5; st.shared.u32 [%r4], %r0;\n"
                      "bar.sync 0;\n"
                      "ld.shared.u32 %r6, [%r4]; st.global.u32 [%rd1], %r6;");

static const char kepler[] = "gpu.compute_capability=3.5 sm.l1.global=false";
static const char volta[] =
    "gpu.compute_capability=7.0 sm.onchip.size=128KiB sm.onchip.partition=96/32";
static const char tesla[] =
    "gpu.compute_capability=1.3 sm.onchip.size=16KiB sm.onchip.partition=16/0 "
    "sm.smem.banks=16 sm.l1.global=false l2.size=0";

static struct smw_result run(struct dt *t, const char *kernel, struct smw_launch l)
{
    struct smw_err e;

    err_clear(&e);
    dt_ok(dt_queue(t, kernel, l, &e), &e);
    dt_ok(smw_synchronize(t->d, &e), &e);
    return dt_result(t, smw_results(t->d) - 1);
}

static void test_bank_modes(void **state)
{
    char settings[128];
    struct dt *t = dt_open(kepler, kernels);
    struct smw_launch l = dt_shape(1, 32);
    struct smw_err e;

    (void)state;
    err_clear(&e);
    assert_int_equal(run(t, "stride3", l).counters.sh_ld_wavefronts, 2);
    l.bank_mode = 8; /* the kernel's word */
    assert_int_equal(run(t, "stride3", l).counters.sh_ld_wavefronts, 1);
    dt_ok(smw_device_bank_mode(t->d, 8, &e), &e);
    l.bank_mode = 0; /* the device's */
    assert_int_equal(run(t, "stride3", l).counters.sh_ld_wavefronts, 1);
    l.bank_mode = 4; /* the kernel's comes first */
    assert_int_equal(run(t, "stride3", l).counters.sh_ld_wavefronts, 2);
    dt_close(t);
    (void)snprintf(settings, sizeof(settings), "%s sm.smem.bank_mode=8", kepler);
    t = dt_open(settings, kernels);
    l.bank_mode = 0;
    assert_int_equal(run(t, "stride3", l).counters.sh_ld_wavefronts, 1);
    dt_close(t);
    t = dt_open("", kernels); /* 2.0 */
    assert_false(smw_device_bank_mode(t->d, 8, &e));
    assert_non_null(strstr(e.hint, "3.0 to 3.7"));
    dt_close(t);
    t = dt_open("gpu.what_if=true", kernels);
    l.bank_mode = 8;
    (void)run(t, "stride3", l);
    dt_close(t);
}

/* Two launches of different modes are not resident together, of one mode they are. */
static void test_bank_mode_waits(void **state)
{
    (void)state;
    for (uint32_t mode = 4; mode <= 8; mode += 4) {
        struct dt *t = dt_open(kepler, kernels);
        struct smw_launch l = dt_shape(1, 32);
        struct smw_err e;

        err_clear(&e);
        dt_ok(dt_queue(t, "slow", l, &e), &e);
        l.stream = 1;
        l.bank_mode = mode;
        dt_ok(dt_queue(t, "stride3", l, &e), &e);
        dt_ok(smw_synchronize(t->d, &e), &e);
        assert_int_equal(dt_result(t, 1).start_ps >= dt_result(t, 0).end_ps, mode == 8);
        dt_close(t);
    }
}

/* 16 bytes of launch data and 16 of arguments before the kernel's 1024. */
static void test_arguments_in_shared_memory(void **state)
{
    struct dt *t = dt_open(tesla, kernels);
    struct smw_launch l = dt_shape(1, 64);
    struct smw_result r;
    struct smw_err e;

    (void)state;
    r = run(t, "keeps", l);
    assert_int_equal(r.shared_bytes, 1024 + 32);
    dt_fetch(t);
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(t->words[i], i);
    }
    l.shared = 16384 - 1024 - 32;
    r = run(t, "keeps", l);
    assert_int_equal(r.counters.blocks_per_sm, 1);
    l.shared++;
    err_clear(&e);
    assert_false(dt_queue(t, "keeps", l, &e));
    assert_non_null(strstr(e.message, "shared"));
    dt_close(t);
}

/* A carveout is taken when the device is idle and waits for nobody when it is not. */
static void test_carveout_is_a_hint(void **state)
{
    struct dt *t = dt_open(volta, kernels);
    struct smw_launch l = dt_shape(1, 32);
    struct smw_err e;

    (void)state;
    err_clear(&e);
    dt_ok(dt_queue(t, "slow", l, &e), &e);
    l.stream = 1;
    l.has_carveout = true;
    l.carveout = 50;
    dt_ok(dt_queue(t, "slow", l, &e), &e);
    dt_ok(smw_synchronize(t->d, &e), &e);
    assert_int_equal(dt_result(t, 0).split_shared_kb, 96);
    assert_int_equal(dt_result(t, 1).split_shared_kb, 96);
    assert_true(dt_result(t, 1).start_ps < dt_result(t, 0).end_ps);
    assert_int_equal(run(t, "slow", l).split_shared_kb, 64); /* idle now */
    assert_int_equal(dt_result(t, 2).split_l1_kb, 64);
    l.carveout = 0;
    assert_int_equal(run(t, "slow", l).split_shared_kb, 0);
    assert_int_equal(run(t, "stride3", l).split_shared_kb, 8); /* it needs 1 KB */
    l.carveout = 101;
    err_clear(&e);
    assert_false(dt_queue(t, "slow", l, &e));
    assert_non_null(strstr(e.hint, "cudaErrorInvalidValue (1)"));
    dt_close(t);
}

/* A need that the split in use does not meet is no hint: it waits. */
static void test_need_waits_for_idle(void **state)
{
    struct dt *t = dt_open(volta, kernels);
    struct smw_launch l = dt_shape(1, 32);
    struct smw_err e;

    (void)state;
    err_clear(&e);
    l.has_carveout = true;
    l.carveout = 8; /* 8 KB */
    dt_ok(dt_queue(t, "slow", l, &e), &e);
    l.stream = 1;
    l.shared = 40000;
    dt_ok(dt_queue(t, "slow", l, &e), &e);
    dt_ok(smw_synchronize(t->d, &e), &e);
    assert_int_equal(dt_result(t, 0).split_shared_kb, 8);
    assert_int_equal(dt_result(t, 1).split_shared_kb, 64);
    assert_true(dt_result(t, 1).start_ps >= dt_result(t, 0).end_ps);
    dt_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bank_modes),
        cmocka_unit_test(test_bank_mode_waits),
        cmocka_unit_test(test_arguments_in_shared_memory),
        cmocka_unit_test(test_carveout_is_a_hint),
        cmocka_unit_test(test_need_waits_for_idle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
