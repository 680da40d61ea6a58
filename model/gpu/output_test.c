/* What kernels print, in the order in which a device gives it out: by block and thread,
 * whenever it was printed, each launch apart. */
#include "gpu/device_test.h"

static const char printing[] = PTX_HEAD
    ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
    ".global .align 1 .b8 hello[] = {98, 0x25, 100, 32, 116, 0x25, 100, 32, 0x25, "
    "108,\n"
    "108, 100, 32, 0x25, 46, 49, 102, 10, 0};\n"
    ".global .align 1 .b8 bye[] = {98, 121, 101, 10, 0};\n" BODY(
        "k",
        ".local .align 8 .b8 args[32];\n.param .b64 f; .param .b64 a; .param .b32 q;\n"
        "mov.u64 %rd4, args; cvta.local.u64 %rd5, %rd4;\n"
        "st.local.v2.u32 [%rd4], {%r2, %r1};\n"
        "mul.wide.u32 %rd6, %r0, -5; cvt.s64.s32 %rd6, %r0; neg.s64 %rd6, %rd6;\n"
        "st.local.u64 [%rd4 + 8], %rd6; cvt.rn.f64.u32 %fd1, %r1;\n"
        "mul.f64 %fd1, %fd1, 0d3FE0000000000000; st.local.f64 [%rd4 + 16], %fd1;\n"
        "mov.u64 %rd7, hello; cvta.global.u64 %rd7, %rd7;\n"
        "setp.lt.u32 %p1, %r1, 34; and.b32 %r4, %r1, 1; setp.eq.and.u32 %p1, %r4, 1, "
        "%p1;\n"
        "@!%p1 bra N;\n"
        "st.param.b64 [f], %rd7; st.param.b64 [a], %rd5;\n"
        "call.uni (q), vprintf, (f, a);\nld.param.b32 %r5, [q];\n"
        "N: setp.ne.u32 %p2, %r1, 40; @%p2 bra E;\n"
        "mov.u64 %rd8, bye; cvta.global.u64 %rd8, %rd8; mov.u64 %rd9, 0;\n"
        "st.param.b64 [f], %rd8; st.param.b64 [a], %rd9;\n"
        "call.uni (q), vprintf, (f, a);\nE:\n");

static void test_printf_order(void **state)
{
    struct dt *t = dt_open("sm.max_blocks=2 sm.schedulers=2", printing);
    char want[8192] = "";
    size_t n = 0;

    (void)state;
    dt_run(t, "k", 5, 64);
    for (int b = 0; b < 5; b++) {
        for (int i = 0; i < 64; i++) {
            if (i < 34 && i % 2 == 1) {
                n += (size_t)snprintf(want + n, sizeof(want) - n, "b%d t%d %d %.1f\n",
                                      b, i, -(b * 64 + i), i * 0.5);
            }
            if (i == 40) {
                n += (size_t)snprintf(want + n, sizeof(want) - n, "bye\n");
            }
        }
    }
    assert_string_equal(dt_result(t, 0).output, want);
    dt_run(t, "k", 1, 1); /* thread 0 prints nothing */
    assert_string_equal(dt_result(t, 1).output, "");
    assert_string_equal(dt_result(t, 0).output, want);
    dt_close(t);
}

static const char failing[] = PTX_HEAD
    ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
    ".global .align 1 .b8 bye[] = {98, 121, 101, 10, 0};\n" BODY(
        "k", ".param .b64 f; .param .b64 a; .param .b32 q;\n"
             "mov.u64 %rd8, bye; cvta.global.u64 %rd8, %rd8; mov.u64 %rd9, 0;\n"
             "st.param.b64 [f], %rd8; st.param.b64 [a], %rd9;\n"
             "call.uni (q), vprintf, (f, a);\ntrap;\n");

/* What a launch printed before its fault is there. */
static void test_printf_of_fault(void **state)
{
    struct dt *t = dt_open("", failing);

    (void)state;
    dt_start(t, "k", 1, 3);
    assert_int_equal(smw_step(t->d, 0), SMW_FAULT);
    assert_string_equal(dt_result(t, 0).output, "bye\nbye\nbye\n");
    assert_int_equal(dt_result(t, 0).output_bytes, 12);
    assert_int_equal(dt_result(t, 0).output_lost, 0);
    dt_close(t);
}

static const char endless[] = PTX_HEAD
    ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
    ".global .align 1 .b8 bye[] = {98, 10, 0};\n" BODY(
        "k", ".param .b64 f; .param .b64 a; .param .b32 q;\n"
             "mov.u64 %rd8, bye; cvta.global.u64 %rd8, %rd8; mov.u64 %rd9, 0;\n"
             "mov.u32 %r4, 0;\n"
             "L: st.param.b64 [f], %rd8; st.param.b64 [a], %rd9;\n"
             "call.uni (q), vprintf, (f, a);\n"
             "add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 8193; @%p1 bra L;\n");

/* The first 2^18 lines are kept, and the others are counted. */
static void test_printf_is_bounded(void **state)
{
    struct dt *t = dt_open("", endless);

    (void)state;
    dt_run(t, "k", 1, 32);
    assert_int_equal(dt_result(t, 0).output_bytes, 2 * (1 << 18));
    assert_int_equal(dt_result(t, 0).output_lost, 32);
    dt_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_printf_order),
        cmocka_unit_test(test_printf_of_fault),
        cmocka_unit_test(test_printf_is_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
