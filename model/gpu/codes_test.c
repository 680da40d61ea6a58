/* Numbers of errors: of calls, of PTX, of kernels at fault. */
#include "gpu/device_test.h"

/* ---- PTX ---- */

static void test_ptx(void **state)
{
    static const struct {
        const char *text;
        enum smw_code load, run; /* NONE: it succeeds */
    } rows[] = {
        {PTX_HEAD ".visible .entry k() { ret; }", SMW_CODE_NONE, SMW_CODE_NONE},
        {"", SMW_CODE_INVALID_PTX, SMW_CODE_NONE},
        {"hello", SMW_CODE_INVALID_PTX, SMW_CODE_NONE},
        {PTX_HEAD ".visible .entry k() { ret; ", SMW_CODE_INVALID_PTX, SMW_CODE_NONE},
        {PTX_HEAD ".visible .entry k() { frob.u32 a; }", SMW_CODE_NONE,
         SMW_CODE_INVALID_PTX},
        {PTX_HEAD ".visible .entry k() { add.u32 %r1, 1, 2; }", SMW_CODE_NONE,
         SMW_CODE_INVALID_PTX},
        {PTX_HEAD ".global .samplerref t;\n.visible .entry k() { ret; }",
         SMW_CODE_UNSUPPORTED_PTX, SMW_CODE_NONE},
        {PTX_HEAD ".visible .entry k() { .reg .u64 %rd<3>; stacksave.u64 %rd1; ret; }",
         SMW_CODE_NONE, SMW_CODE_UNSUPPORTED_PTX},
        {PTX_HEAD ".visible .entry k() { .reg .u64 %rd<3>; call %rd1, (); ret; }",
         SMW_CODE_NONE, SMW_CODE_INVALID_PTX},
        {PTX_HEAD ".extern .global .u32 x;\n.visible .entry k() { ret; }",
         SMW_CODE_INVALID_PTX, SMW_CODE_NONE},
    };
    struct smw_device *d = dt_open_device("tiny", "", NULL);

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct smw_err e = {0};
        struct smw_module *m =
            smw_load(d, rows[i].text, strlen(rows[i].text), "a.ptx", &e);

        if (e.code != rows[i].load) {
            print_error("row %u: %u: %s\n", i, e.code, e.message);
        }
        assert_int_equal(e.code, rows[i].load);
        assert_int_equal(m != NULL, rows[i].load == SMW_CODE_NONE);
        if (m != NULL) {
            assert_int_equal(smw_can_run(smw_kernel(m, "k", &e), &e),
                             rows[i].run == SMW_CODE_NONE);
            if (e.code != rows[i].run) {
                print_error("row %u: %u: %s\n", i, e.code, e.message);
            }
            assert_int_equal(e.code, rows[i].run);
        }
    }
    smw_close(d);
}

/* ---- calls ---- */

static const char kernels[] = PTX_HEAD BODY("nothing", "")
    BODY("null", "mov.u64 %rd3, 0; st.global.u32 [%rd3], %r1;")
        BODY("far", "st.global.u32 [%rd0 + 1048576], %r1;")
            BODY("odd", "add.u64 %rd1, %rd1, 1; st.global.u32 [%rd1], %r1;") BODY(
                "shared_far",
                ".shared .u32 s[4]; mov.u32 %r4, s; st.shared.u32 [%r4 + 65536], %r1;")
                BODY("trap", "trap;") BODY("barrier", "mov.u32 %r4, 16; bar.sync %r4;")
                    BODY("locals_only",
                         ".local .u32 l[2]; mov.u32 %r4, l; cvta.local.u32 %r4, %r4; "
                         "cvt.u64.u32 %rd3, %r4; atom.add.u32 %r5, [%rd3], 1;")
                        BODY("forever", "L: bra L;") BODY(
                            "no_map",
                            ".shared .align 128 .b8 s[128]; mov.u32 %r4, s;\n"
                            "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group "
                            "[%rd0, {0}], [%r4];");

static void test_launches(void **state)
{
    static const struct {
        const char *what;
        struct smw_launch l;
        enum smw_code code;
    } rows[] = {
        {"well", {.grid = {1, 1, 1}, .block = {32, 1, 1}}, SMW_CODE_NONE},
        {"grid 0",
         {.grid = {0, 1, 1}, .block = {32, 1, 1}},
         SMW_CODE_INVALID_CONFIGURATION},
        {"threads",
         {.grid = {1, 1, 1}, .block = {1024, 2, 1}},
         SMW_CODE_INVALID_CONFIGURATION},
        {"z", {.grid = {1, 1, 1}, .block = {1, 1, 65}}, SMW_CODE_INVALID_CONFIGURATION},
        {"shared",
         {.grid = {1, 1, 1}, .block = {32, 1, 1}, .shared = 49153},
         SMW_CODE_INVALID_CONFIGURATION},
        {"registers",
         {.grid = {1, 1, 1}, .block = {32, 1, 1}, .regs = 256},
         SMW_CODE_OUT_OF_RESOURCES},
        {"all registers",
         {.grid = {1, 1, 1}, .block = {1024, 1, 1}, .regs = 200},
         SMW_CODE_OUT_OF_RESOURCES},
        {"carveout",
         {.grid = {1, 1, 1},
          .block = {32, 1, 1},
          .has_carveout = true,
          .carveout = 101},
         SMW_CODE_INVALID_VALUE},
        {"cache",
         {.grid = {1, 1, 1},
          .block = {32, 1, 1},
          .cache_config = (enum smw_cache_config)77},
         SMW_CODE_INVALID_VALUE},
        {"banks",
         {.grid = {1, 1, 1}, .block = {32, 1, 1}, .bank_mode = 8},
         SMW_CODE_NOT_SUPPORTED},
        {"bank words",
         {.grid = {1, 1, 1}, .block = {32, 1, 1}, .bank_mode = 5},
         SMW_CODE_INVALID_VALUE},
    };
    struct dt *t = dt_open_with("v100", "gpu.sms=1", NULL, kernels);

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct smw_err e = {0};
        bool ok = dt_queue(t, "nothing", rows[i].l, &e);

        if (e.code != rows[i].code) {
            print_error("%s: %u: %s\n", rows[i].what, e.code, e.message);
        }
        assert_int_equal(e.code, rows[i].code);
        assert_int_equal(ok, rows[i].code == SMW_CODE_NONE);
    }
    dt_close(t);
}

/* What a device of 2.0 lacks. */
static void test_lacking(void **state)
{
    static const char ptx[] = PTX_HEAD BODY(
        "k", "shfl.sync.bfly.b32 %r4, %r1, 1, 31, -1; st.global.u32 [%rd1], %r4;");
    struct dt *t = dt_open_with("gtx480", "gpu.sms=1", NULL, ptx);
    struct smw_launch l = dt_shape(1, 32);
    struct smw_err e = {0};

    (void)state;
    assert_false(dt_queue(t, "k", l, &e));
    assert_int_equal(e.code, SMW_CODE_NO_KERNEL_IMAGE);
    dt_close(t);
    t = dt_open_with("gtx480", "gpu.sms=1", NULL, kernels);
    err_clear(&e);
    l.has_carveout = true;
    assert_false(dt_queue(t, "nothing", l, &e));
    assert_int_equal(e.code, SMW_CODE_NOT_SUPPORTED);
    err_clear(&e);
    l.has_carveout = false;
    l.opt_in_shared = true;
    assert_false(dt_queue(t, "nothing", l, &e));
    assert_int_equal(e.code, SMW_CODE_NOT_SUPPORTED);
    err_clear(&e);
    assert_null(smw_kernel(t->m, "nothin", &e));
    assert_int_equal(e.code, SMW_CODE_NOT_FOUND);
    dt_close(t);
}

static void test_configuration(void **state)
{
    struct smw_config *c = smw_config_new();
    struct smw_err e = {0};

    (void)state;
    assert_false(smw_config_preset(c, "gtx4800", &e));
    assert_int_equal(e.code, SMW_CODE_NOT_FOUND);
    err_clear(&e);
    assert_false(smw_config_set(c, "gpu.smss", "1", &e));
    assert_int_equal(e.code, SMW_CODE_NOT_FOUND);
    err_clear(&e);
    assert_false(smw_config_set(c, "gpu.sms", "many", &e));
    assert_int_equal(e.code, SMW_CODE_INVALID_VALUE);
    smw_config_free(c);
}

/* ---- kernels ---- */

static void test_faults(void **state)
{
    static const struct {
        const char *kernel, *rule;
        enum smw_code code;
    } rows[] = {
        {"null", "null-pointer", SMW_CODE_ILLEGAL_ADDRESS},
        {"far", "out-of-bounds", SMW_CODE_ILLEGAL_ADDRESS},
        {"odd", "misaligned", SMW_CODE_MISALIGNED},
        {"shared_far", "out-of-bounds", SMW_CODE_ILLEGAL_ADDRESS},
        {"locals_only", "invalid-access", SMW_CODE_ILLEGAL_ADDRESS},
        {"trap", "trap", SMW_CODE_TRAP},
        {"barrier", "invalid-barrier", SMW_CODE_ILLEGAL_INSTRUCTION},
        {"no_map", "invalid-tensor-map", SMW_CODE_ILLEGAL_INSTRUCTION},
        {"forever", NULL, SMW_CODE_TIMEOUT},
    };

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
        const struct smw_options opt = {.max_cycles = 20000, .check = SMW_CHECK_FAST};
        struct dt *t = dt_open_with("h100", "gpu.sms=1", &opt, kernels);
        struct smw_err e = {0}, later = {0};

        dt_ok(dt_queue(t, rows[i].kernel, dt_shape(1, 64), &e), &e);
        if (smw_synchronize(t->d, &e) || e.code != rows[i].code) {
            print_error("%s: %u: %s\n", rows[i].kernel, e.code, e.message);
        }
        assert_int_equal(e.code, rows[i].code);
        assert_int_equal(smw_fault(t->d)->code, rows[i].code);
        if (rows[i].rule != NULL) {
            assert_string_equal(smw_fault(t->d)->rule, rows[i].rule);
        }
        assert_false(dt_queue(t, "nothing", dt_shape(1, 64), &later)); /* it stays */
        assert_int_equal(later.code, rows[i].code);
        err_clear(&later);
        assert_false(smw_write(t->d, t->out, &later, 4, &later));
        assert_int_equal(later.code, rows[i].code);
        err_clear(&later);
        dt_ok(smw_read(t->d, t->out, t->words, 4, &later), &later);
        dt_close(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ptx),     cmocka_unit_test(test_launches),
        cmocka_unit_test(test_lacking), cmocka_unit_test(test_configuration),
        cmocka_unit_test(test_faults),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
