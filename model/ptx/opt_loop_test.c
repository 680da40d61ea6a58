/* Constants go before loops. */
#include "ptx/opt_test.h"

static void test_loop(void **state)
{
    (void)state;
    expect_ops(KERNEL("mov.u32 %r1, %tid.x;\n"
                      "L: mov.u32 %r2, s; add.u32 %r1, %r1, %r2; mov.u32 %r3, 7;\n"
                      "st.shared.u32 [%r1], %r3; setp.lt.u32 %p1, %r1, 9; @%p1 bra L;"),
               90, ptx_opt_hoist, "mov mov mov add st setp @bra ret");
    /* of two loops, before the outer one */
    expect_ops(KERNEL("mov.u32 %r1, %tid.x;\n"
                      "M: add.u32 %r1, %r1, 1;\n"
                      "L: add.u32 %r1, %r1, 2; mov.u32 %r3, 7;\n"
                      "st.shared.u32 [%r1], %r3; setp.lt.u32 %p1, %r1, 9; @%p1 bra L;\n"
                      "@%p1 bra M;"),
               90, ptx_opt_hoist, "mov mov add add st setp @bra @bra ret");
}

static void test_kept(void **state)
{
    (void)state;
    /* another way in */
    expect_ops(KERNEL("mov.u32 %r1, %tid.x; setp.eq.u32 %p2, %r1, 0; @%p2 bra I;\n"
                      "L: add.u32 %r1, %r1, 1;\nI: mov.u32 %r3, 7;\n"
                      "st.shared.u32 [%r1], %r3; setp.lt.u32 %p1, %r1, 9; @%p1 bra L;"),
               90, ptx_opt_hoist, "mov setp @bra add mov st setp @bra ret");
    /* it starts anew each time */
    expect_ops(KERNEL("mov.u32 %r1, %tid.x;\n"
                      "L: mov.u32 %r3, 7; add.u32 %r3, %r3, %r1;\n"
                      "st.shared.u32 [%r1], %r3; setp.lt.u32 %p1, %r1, 9; @%p1 bra L;"),
               90, ptx_opt_hoist, "mov mov add st setp @bra ret");
}

/* Which of the divisions know the reciprocal, and where it is made: "rem div" and so
 * on, with "!" behind those that do, "1/" for the reciprocal. */
static void expect_divisions(const char *text, uint32_t cc, const char *want)
{
    struct ptx_module *const m = pass(text, cc, ptx_opt_divisors);
    const struct ptx_ir *const f = m->priv->fn[0];
    char got[200] = "";

    for (uint32_t i = 0; i < f->n_insn; i++) {
        const struct ptx_insn *const in = &f->insn[i];
        const size_t n = strlen(got);

        snprintf(got + n, sizeof(got) - n, "%s%s%s", i == 0 ? "" : " ",
                 in->form.sub == ISA_S_RECIPROCAL
                     ? "1/"
                     : isa_op_name((enum isa_op)in->form.op),
                 in->form.sub == ISA_S_KNOWN ? "!" : "");
    }
    assert_string_equal(got, want);
    ptx_free(m);
}

#define DIVISOR "ld.param.u32 %r2, [n]; mov.u32 %r1, %tid.x;\n"
#define LOOP(body)                                                                     \
    KERNEL(DIVISOR "L: " body                                                          \
                   "st.shared.u32 [%r1], %r3; setp.lt.u32 %p1, %r1, 9; @%p1 bra L;")

static void test_divisors(void **state)
{
    (void)state;
    /* before the loop, once */
    expect_divisions(LOOP("rem.u32 %r3, %r1, %r2; div.u32 %r1, %r1, %r2;"), 90,
                     "ld mov 1/ rem! div! st setp bra ret");
    expect_divisions(LOOP("rem.s32 %r3, %r1, %r2;"), 90,
                     "ld mov 1/ rem! st setp bra ret");
    /* signed ones make it again if they are several */
    expect_divisions(LOOP("rem.s32 %r3, %r1, %r2; div.s32 %r1, %r1, %r2;"), 90,
                     "ld mov rem div! st setp bra ret");
    /* in one block */
    expect_divisions(KERNEL(DIVISOR "div.u32 %r3, %r1, %r2; rem.u32 %r4, %r1, %r2;\n"
                                    "st.shared.u32 [%r3], %r4;"),
                     90, "ld mov div rem! st ret");
}

static void test_divisors_that_change(void **state)
{
    (void)state;
    expect_divisions(LOOP("rem.u32 %r3, %r1, %r2; add.u32 %r2, %r2, 1;"), 90,
                     "ld mov rem add st setp bra ret");
    expect_divisions(KERNEL(DIVISOR "div.u32 %r3, %r1, %r2; add.u32 %r2, %r2, 1;\n"
                                    "rem.u32 %r4, %r1, %r2; st.shared.u32 [%r3], %r4;"),
                     90, "ld mov div add rem st ret");
    /* another type, a constant, an older device */
    expect_divisions(KERNEL(DIVISOR "div.u32 %r3, %r1, %r2; rem.s32 %r4, %r1, %r2;\n"
                                    "st.shared.u32 [%r3], %r4;"),
                     90, "ld mov div rem st ret");
    expect_divisions(LOOP("rem.u32 %r3, %r1, 7;"), 90, "ld mov rem st setp bra ret");
    expect_divisions(LOOP("rem.u32 %r3, %r1, %r2;"), 60, "ld mov rem st setp bra ret");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_divisors),
        cmocka_unit_test(test_divisors_that_change),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
