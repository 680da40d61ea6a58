/* Loads that rise over branches around code. */
#include "ptx/opt_test.h"

#define START  "mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0; ld.param.u64 %rd1, [p];\n"
#define AROUND "@%p1 bra L; mul.lo.u32 %r2, %r1, %r1;\n"
#define LOAD   "add.u32 %r4, %r1, 8; ld.shared.u32 %r5, [%r4];\n"
#define END    "st.shared.u32 [%r1], %r5;"

static void expect(const char *body, const char *ops)
{
    expect_ops(body, 90, ptx_opt_rise, ops);
}

static void test_loads(void **state)
{
    (void)state;
    /* with what the address is made of */
    expect(KERNEL(START AROUND "L: " LOAD END), "mov setp ld add ld @bra mul st ret");
    expect_ops(KERNEL(START AROUND "L: " LOAD END), 62, ptx_opt_rise,
               "mov setp ld @bra mul add ld st ret");
    /* another branch is in what is gone around */
    expect(KERNEL(START AROUND "setp.eq.u32 %p2, %r2, 0; @%p2 bra L;\n"
                               "mul.lo.u32 %r3, %r2, %r2;\nL: " LOAD END),
           "mov setp ld add ld @bra mul setp @bra mul st ret");
    /* over two branches */
    expect(KERNEL(START AROUND "L: setp.lt.u32 %p2, %r1, 9;\n@%p2 bra M;\n"
                               "mul.lo.u32 %r3, %r1, %r1;\nM: " LOAD END),
           "mov setp ld add ld setp @bra mul @bra mul st ret");
}

/* What else computes goes up one. */
static void test_arithmetic(void **state)
{
    (void)state;
    expect(KERNEL(START AROUND "L: sub.u32 %r5, %r1, 3;\n" END),
           "mov setp ld sub @bra mul st ret");
    expect(KERNEL(START AROUND "L: setp.lt.u32 %p2, %r1, 9;\n@%p2 bra M;\n"
                               "mul.lo.u32 %r3, %r1, %r1;\n"
                               "M: sub.u32 %r5, %r1, 3;\n" END),
           "mov setp ld setp @bra mul sub @bra mul st ret");
}

static void test_order(void **state)
{
    (void)state;
    /* of values: what is gone around makes the address, or reads what is loaded */
    expect(KERNEL(START AROUND "L: ld.shared.u32 %r5, [%r2];\n" END),
           "mov setp ld @bra mul ld st ret");
    expect(KERNEL(START "mov.u32 %r5, 7;\n" AROUND "L: " LOAD END),
           "mov setp ld mov add @bra mul ld st ret");
    /* of memory */
    expect(KERNEL(START AROUND "st.shared.u32 [%r2], %r1;\nL: " LOAD END),
           "mov setp ld add @bra mul st ld st ret");
    expect(KERNEL(START AROUND "st.global.u32 [%rd1], %r1;\nL: " LOAD END),
           "mov setp ld add ld @bra mul st st ret");
    expect(KERNEL(START AROUND "st.u32 [%rd1], %r1;\nL: " LOAD END),
           "mov setp ld add @bra mul st ld st ret");
    expect(KERNEL(START AROUND "st.global.u32 [%rd1], %r1;\n"
                               "L: ld.global.nc.u32 %r5, [%rd1+4];\n" END),
           "mov setp ld ld @bra mul st st ret");
    expect(KERNEL(START AROUND "L: st.shared.u32 [%r1], 1;\n" LOAD END),
           "mov setp ld add @bra mul st ld st ret");
    expect(KERNEL(START AROUND "L: bar.sync 0;\n" LOAD END),
           "mov setp ld add @bra mul bar ld st ret");
    expect(KERNEL(START AROUND "L: ld.volatile.shared.u32 %r5, [%r1];\n" END),
           "mov setp ld @bra mul ld st ret");
    expect(KERNEL(START AROUND "L: @%p1 ld.shared.u32 %r5, [%r1];\n" END),
           "mov setp ld @bra mul @ld st ret");
}

/* Over neither of two ways, over nothing that calls or waits, out of no loop. */
static void test_ways(void **state)
{
    (void)state;
    expect(KERNEL(START AROUND "bra.uni M;\nL: mul.lo.u32 %r2, %r1, 3;\nM: " LOAD END),
           "mov setp ld @bra mul bra mul add ld st ret");
    expect(KERNEL(START AROUND "sqrt.rn.f32 %f1, 0f40000000;\nL: " LOAD END),
           "mov setp ld @bra mul sqrt add ld st ret");
    expect(KERNEL(START AROUND "bar.sync 0;\nL: " LOAD END),
           "mov setp ld @bra mul bar add ld st ret");
    expect(KERNEL(START
                  "@%p1 bra L; M: setp.eq.u32 %p2, %r1, 3; @%p2 bra M;\nL: " LOAD END),
           "mov setp ld @bra setp @bra add ld st ret");
}

/* As long as there are registers. */
static void test_registers(void **state)
{
    (void)state;
    expect(KERNEL(START AROUND "L: ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r1];\n"
                               "ld.shared.v4.u32 {%r8, %r9, %r10, %r11}, [%r1+16];\n"
                               "ld.shared.v4.u32 {%r12, %r13, %r14, %r15}, [%r1+32];\n"
                               "ld.shared.v4.u32 {%r16, %r17, %r18, %r19}, [%r1+48];\n"
                               "ld.shared.v4.u32 {%r20, %r21, %r22, %r23}, [%r1+64];\n"
                               "ld.shared.v4.u32 {%r24, %r25, %r26, %r27}, [%r1+80];\n"
                               "ld.shared.v4.u32 {%r28, %r29, %r30, %r31}, [%r1+96];\n"
                               "st.shared.v4.u32 [%r1], {%r4, %r5, %r6, %r7};\n"
                               "st.shared.v4.u32 [%r1], {%r8, %r9, %r10, %r11};\n"
                               "st.shared.v4.u32 [%r1], {%r12, %r13, %r14, %r15};\n"
                               "st.shared.v4.u32 [%r1], {%r16, %r17, %r18, %r19};\n"
                               "st.shared.v4.u32 [%r1], {%r20, %r21, %r22, %r23};\n"
                               "st.shared.v4.u32 [%r1], {%r24, %r25, %r26, %r27};\n"
                               "st.shared.v4.u32 [%r1], {%r28, %r29, %r30, %r31};\n"),
           "mov setp ld ld ld ld ld ld ld @bra mul ld st st st st st st st ret");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads),     cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_order),     cmocka_unit_test(test_ways),
        cmocka_unit_test(test_registers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
