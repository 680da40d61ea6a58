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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
