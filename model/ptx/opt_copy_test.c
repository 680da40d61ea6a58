/* Copies and constants that their readers take in. */
#include "ptx/opt_test.h"

static void copies_and_dead(struct ptx_opt *o)
{
    ptx_opt_copies(o);
    ptx_opt_sweep(o);
    ptx_opt_look(o);
    ptx_opt_dead(o);
}

static void test_registers(void **state)
{
    (void)state;
    expect_ops(KERNEL("mov.u32 %r1, %tid.x; mov.u32 %r2, %r1; mov.b32 %r3, %r2;\n"
                      "ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1;\n"
                      "cvt.u32.s32 %r4, %r3; st.global.u32 [%rd2], %r4;"),
               90, copies_and_dead, "mov ld st ret");
    /* a register that is written twice is no value, nor one only some threads write */
    expect_ops(KERNEL("mov.u32 %r1, %tid.x; mov.u32 %r2, %r1; add.u32 %r1, %r1, 1;\n"
                      "st.shared.u32 [%r1], %r2;"),
               90, copies_and_dead, "mov mov add st ret");
    expect_ops(KERNEL("mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0;\n"
                      "@%p1 mov.u32 %r2, %r1; st.shared.u32 [%r1], %r2;"),
               90, copies_and_dead, "mov setp @mov st ret");
    /* an address in shared memory is another one as a generic address */
    expect_ops(KERNEL("mov.u64 %rd1, s; cvta.shared.u64 %rd2, %rd1;\n"
                      "st.u32 [%rd2], 1;"),
               90, copies_and_dead, "mov cvta st ret");
}

/* An instruction holds one constant; accesses hold none as a value. */
static void test_constants(void **state)
{
    (void)state;
    expect_ops(KERNEL("mov.u32 %r1, %tid.x; mov.u32 %r2, 5; add.u32 %r3, %r1, %r2;\n"
                      "st.shared.u32 [%r1], %r3;"),
               90, copies_and_dead, "mov add st ret");
    /* by how much a word is turned, and which bytes are chosen */
    expect_ops(KERNEL("mov.u32 %r1, %tid.x; mov.u32 %r2, 5;\n"
                      "shf.l.wrap.b32 %r3, %r1, %r1, %r2; st.shared.u32 [%r1], %r3;\n"
                      "prmt.b32 %r4, %r1, %r3, %r2; st.shared.u32 [%r1], %r4;"),
               90, copies_and_dead, "mov shf st prmt st ret");
    /* but a shuffle all of its own */
    expect_ops(KERNEL("mov.u32 %r1, %tid.x; mov.u32 %r2, 5; mov.u32 %r3, 31;\n"
                      "mov.u32 %r4, -1;\n"
                      "shfl.sync.idx.b32 %r5, %r1, %r2, %r3, %r4;\n"
                      "st.shared.u32 [%r1], %r5;"),
               90, copies_and_dead, "mov shfl st ret");
    /* and other exchanges who takes part */
    expect_ops(KERNEL("mov.u32 %r1, %tid.x; mov.u32 %r4, -1;\n"
                      "redux.sync.add.s32 %r2, %r1, %r4; st.shared.u32 [%r1], %r2;\n"
                      "match.any.sync.b32 %r3, %r1, %r4; st.shared.u32 [%r1], %r3;\n"
                      "setp.ne.u32 %p1, %r1, 0;\n"
                      "vote.sync.ballot.b32 %r5, %p1, %r4; st.shared.u32 [%r1], %r5;"),
               90, copies_and_dead, "mov redux st match st setp vote st ret");
    expect_ops(KERNEL("mov.u32 %r1, %tid.x; mov.u32 %r2, 5; st.shared.u32 [%r1], %r2;"),
               90, copies_and_dead, "mov mov st ret");
    expect_ops(KERNEL(
                   "mov.u32 %r1, %tid.x; mov.u32 %r2, 5; mad.lo.u32 %r3, %r1, %r2, 7;"
                   "st.shared.u32 [%r1], %r3;"),
               90, copies_and_dead, "mov mov mad st ret");
    expect_ops(KERNEL("mov.u32 %r1, %tid.x; mov.f64 %fd1, 0d4000000000000000;\n"
                      "add.f64 %fd2, %fd1, %fd1; st.shared.f64 [%r1], %fd2;"),
               90, copies_and_dead, "mov mov add st ret");
}

static void test_constant_value(void **state)
{
    struct ptx_module *const m =
        pass(KERNEL("mov.u32 %r1, %tid.x; mov.f32 %f1, 0f40400000;\n"
                    "fma.rn.f32 %f3, %f2, %f1, %f2; add.u32 %r2, %r1, %r1;"),
             90, ptx_opt_copies);
    const struct ptx_ir *const f = m->priv->fn[0];
    const struct ptx_opnd *const o = &f->opnd[f->insn[2].opnd];

    (void)state;
    assert_int_equal(o[2].kind, OK_IMM);
    assert_int_equal(o[2].value, 0x40400000);
    assert_int_equal(o[1].kind, OK_REG);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registers),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_constant_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
