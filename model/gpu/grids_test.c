/* Kernels of different streams are resident together, as many as the capability lets
 * and no more: one before 2.0 (SPEC LAUNCH-5). */
#include "gpu/device_test.h"

#include "base/attr.h"

static const char slow[] = PTX_HEAD BODY(
    "slow", "mov.u32 %r4, 0;\nL: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 300;\n"
            "@%p1 bra L;\nst.global.u32 [%rd1], %r4;")
    BODY("doubles", "ld.global.f64 %fd1, [%rd2];")
        BODY("generic", "cvta.global.u64 %rd4, %rd1;\nst.u32 [%rd4], %r1;");

/* The most launches resident at one time; all have the same kernel of one block. */
static uint32_t together(const char *preset, const char *settings, uint32_t launches)
{
    struct dt *t = dt_open_with(preset, settings, NULL, slow);
    uint32_t most = 0;
    struct smw_err e;

    err_clear(&e);
    for (uint32_t i = 0; i < launches; i++) {
        struct smw_launch l = dt_shape(1, 32);

        l.stream = i;
        dt_ok(dt_queue(t, "slow", l, &e), &e);
        t->out += 128;
    }
    t->out -= (uint64_t)launches * 128;
    dt_ok(smw_synchronize(t->d, &e), &e);
    dt_fetch(t);
    for (uint32_t i = 0; i < launches; i++) {
        const struct smw_result r = dt_result(t, i);
        uint32_t n = 0;

        assert_int_equal(t->words[i * 32 + 31], 300);
        for (uint32_t k = 0; k < launches; k++) { /* resident when launch i began */
            const struct smw_result other = dt_result(t, k);

            n += other.start_ps <= r.start_ps && other.end_ps > r.start_ps;
        }
        most = n > most ? n : most;
    }
    dt_close(t);
    return most;
}

static void test_one_at_a_time(void **state)
{
    (void)state;
    assert_int_equal(together("8800gtx", "", 5), 1);
    assert_int_equal(together("8800gt", "", 5), 1);
    assert_int_equal(together("gtx280", "", 5), 1);
}

static void test_as_many_as_the_capability(void **state)
{
    static const struct {
        const char *preset;
        uint32_t grids;
    } rows[] = {
        {"gtx480", 16}, {"gtx460", 16}, {"gtx680", 16}, {"k20x", 32},  {"k80", 32},
        {"gtx980", 32}, {"p100", 128},  {"v100", 128},  {"h100", 128},
    };

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
        assert_int_equal(together(rows[i].preset, "gpu.sms=9", rows[i].grids),
                         rows[i].grids);
        assert_int_equal(together(rows[i].preset, "gpu.sms=9", rows[i].grids + 5),
                         rows[i].grids);
    }
}

/* What the capability lacks is refused at launch, with its place; gpu.what_if lets it
 * run. */
static void test_code(void **state)
{
    struct dt *t = dt_open_with("8800gt", "", NULL, slow);
    struct smw_err e;

    (void)state;
    err_clear(&e);
    assert_false(dt_queue(t, "doubles", dt_shape(1, 32), &e));
    assert_string_equal(e.message, "ld.global.f64 needs compute capability 1.3 (double "
                                   "precision), the device has 1.1");
    assert_string_equal(e.hint,
                        "the CUDA runtime reports cudaErrorInvalidDeviceFunction (8)");
    assert_string_equal(e.file, "test.ptx");
    assert_true(e.line > 0);
    err_clear(&e);
    assert_false(dt_queue(t, "generic", dt_shape(1, 32), &e));
    assert_non_null(strstr(e.message, "st.u32 needs compute capability 2.0 (generic"));
    assert_int_equal(smw_results(t->d), 0);
    dt_run(t, "slow", 1, 32); /* the others of the module run */
    dt_close(t);
    t = dt_open_with("8800gt", "gpu.what_if=true", NULL, slow);
    dt_run(t, "doubles", 1, 32);
    dt_run(t, "generic", 1, 32);
    assert_int_equal(t->words[31], 31);
    dt_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_at_a_time),
        cmocka_unit_test(test_as_many_as_the_capability),
        cmocka_unit_test(test_code),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
