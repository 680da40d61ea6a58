/* Several texts run as one module (SPEC PTX-6). */
#include "gpu/device_test.h"

#define HEAD ".version 7.0\n.target sm_20\n.address_size 64\n"

/* out[i] = twice(i) + mine; both texts have a variable of their own called mine. */
static const char kernel[] =
    HEAD ".extern .func (.param .b32 r) twice(.param .b32 x);\n"
         ".extern .global .u32 counter;\n"
         ".global .u32 mine = 100;\n"
         ".visible .entry k(.param .u64 out, .param .u64 in) {\n"
         ".reg .b32 %r<5>; .reg .b64 %d<3>;\n"
         "ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4;\n"
         "add.u64 %d0, %d0, %d1;\n"
         "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r0;\n"
         "call.uni (b), twice, (a); ld.param.b32 %r1, [b]; }\n"
         "ld.global.u32 %r2, [mine]; add.u32 %r1, %r1, %r2; st.global.u32 [%d0], %r1;\n"
         "atom.global.add.u32 %r3, [counter], 1; ret; }\n";
static const char function[] =
    HEAD ".visible .global .u32 counter = 5;\n.global .u32 mine = 3;\n"
         ".visible .func (.param .b32 r) twice(.param .b32 x) {\n"
         ".reg .b32 %r<3>; ld.param.b32 %r0, [x]; ld.global.u32 %r1, [mine];\n"
         "mad.lo.u32 %r2, %r0, 2, %r1; st.param.b32 [r], %r2; ret; }\n";
static const char fault[] = HEAD ".visible .entry bad(.param .u64 a, .param .u64 b) {\n"
                                 ".reg .b32 %r; .reg .b64 %d;\n"
                                 "mov.u64 %d, 4;\n"
                                 "ld.global.u32 %r, [%d]; st.global.u32 [%d], %r; }\n";

static struct dt *open_linked(void)
{
    const struct smw_text t[] = {{kernel, sizeof(kernel) - 1, "kernel.ptx"},
                                 {function, sizeof(function) - 1, "function.ptx"},
                                 {fault, sizeof(fault) - 1, "fault.ptx"}};
    struct dt *const d = dt_open("", HEAD ".entry none() { ret; }\n");
    struct smw_err e;

    err_clear(&e);
    d->m = smw_load_linked(d->d, t, 3, &e);
    dt_ok(d->m != NULL, &e);
    return d;
}

static void answers(void **state)
{
    struct dt *const t = open_linked();
    struct smw_err e;
    uint32_t counter = 0;

    (void)state;
    err_clear(&e);
    dt_start(t, "k", 1, 32);
    dt_fetch(t);
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(t->words[i], 2 * i + 103);
    }
    dt_ok(smw_read_symbol(t->m, "counter", 0, &counter, sizeof(counter), &e), &e);
    assert_int_equal(counter, 37);
    dt_close(t);
}

/* Lines are those of the text. */
static void places(void **state)
{
    struct dt *const t = open_linked();
    struct smw_err e;

    (void)state;
    err_clear(&e);
    dt_start(t, "bad", 1, 1);
    assert_false(smw_synchronize(t->d, &e));
    assert_string_equal(smw_fault(t->d)->ptx_file, "fault.ptx");
    assert_int_equal(smw_fault(t->d)->ptx_line, 7);
    dt_close(t);
}

static void refused(void **state)
{
    const struct smw_text t[] = {{kernel, sizeof(kernel) - 1, "kernel.ptx"},
                                 {fault, sizeof(fault) - 1, "fault.ptx"}};
    struct dt *const d = dt_open("", HEAD ".entry none() { ret; }\n");
    struct smw_err e;

    (void)state;
    err_clear(&e);
    assert_null(smw_load_linked(d->d, t, 2, &e));
    assert_string_equal(e.message,
                        "'counter' is extern and defined in none of the texts linked");
    assert_string_equal(e.file, "kernel.ptx");
    assert_int_equal(e.line, 5);
    err_clear(&e);
    assert_null(smw_load_linked(d->d, t, 0, &e));
    assert_string_equal(e.message, "no text to link");
    dt_close(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers),
        cmocka_unit_test(places),
        cmocka_unit_test(refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
