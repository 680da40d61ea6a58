/* What the passes share: values, dead code, and all of them in a row. */
#include "ptx/opt_test.h"

static void test_values(void **state)
{
    struct ptx_module *const m =
        pass(KERNEL("mov.u32 %r1, %tid.x; add.u32 %r2, %r1, %r3; add.u32 %r2, %r2, 1;\n"
                    "setp.eq.u32 %p1, %r1, 0; @%p1 mov.u32 %r4, 1;\n"
                    "st.shared.v2.u32 [%r2], {%r1, %r4};"),
             90, ptx_opt_look);
    struct ptx_ir *const f = m->priv->fn[0];
    struct ptx_opt *const o = ptx_opt_new(&m->priv->arena, m->priv, 90, f);
    const struct ptx_opnd r1 = f->opnd[f->insn[0].opnd], r2 = f->opnd[f->insn[1].opnd];

    (void)state;
    ptx_opt_look(o);
    assert_true(ptx_opt_is_value(o, r1.id));
    assert_false(ptx_opt_is_value(o, r2.id)); /* written twice */
    assert_false(ptx_opt_is_value(o, f->opnd[f->insn[1].opnd + 2].id)); /* never */
    assert_false(ptx_opt_is_value(o, f->opnd[f->insn[4].opnd].id)); /* by some lanes */
    assert_true(ptx_opt_holds(o, &r1, 1, 5));
    assert_true(ptx_opt_holds(o, &r2, 3, 5));
    assert_false(ptx_opt_holds(o, &r2, 2, 5));
    assert_int_equal(o->n_use[r1.id], 3);
    ptx_free(m);
}

static void test_dead(void **state)
{
    (void)state;
    expect_ops(KERNEL(
                   "mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 1; mul.lo.u32 %r3, %r2, 5;"
                   "ld.param.u32 %r4, [n]; st.shared.u32 [%r1], %r1;"),
               90, ptx_opt_dead, "mov st ret");
    /* what lanes do together, a clock, and what is more than one instruction */
    expect_ops(KERNEL(
                   "mov.u32 %r1, %tid.x; shfl.sync.bfly.b32 %r2|%p1, %r1, 1, 31, -1;\n"
                   "shfl.sync.bfly.b32 %r3, %r2, 2, 31, 255;\n"
                   "vote.sync.ballot.b32 %r4, %p1, -1; mov.u32 %r5, %clock;\n"
                   "popc.b32 %r6, %r1; div.u32 %r7, %r1, %r6;\n"
                   "div.approx.f32 %f2, %f1, %f1; st.shared.u32 [%r1], %r1;"),
               90, ptx_opt_dead, "mov st ret");
    /* what others see, lanes that are not known, and what calls a routine */
    expect_ops(KERNEL("mov.u32 %r1, %tid.x; ld.shared.u32 %r2, [%r1];\n"
                      "atom.shared.add.u32 %r3, [%r1], 1; add.cc.u32 %r6, %r1, 1;\n"
                      "vote.sync.ballot.b32 %r5, %p1, %r1; bar.warp.sync -1;\n"
                      "div.rn.f32 %f2, %f1, %f1; div.u64 %rd1, %rd2, %rd2;"),
               90, ptx_opt_dead, "mov ld atom add vote bar div div ret");
}

/* All passes, twice lowered: as written and for a device. */
static void test_all(void **state)
{
    static const struct ptx_target target = {.cc = 90,
                                             .shared = 20,
                                             .global = 300,
                                             .regs = 32};
    const char *const text =
        KERNEL("ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n];\n"
               "mov.u32 %r2, %tid.x; setp.ge.u32 %p1, %r2, %r1; @%p1 bra L;\n"
               "cvta.to.global.u64 %rd2, %rd1; mul.wide.u32 %rd3, %r2, 4;\n"
               "add.s64 %rd4, %rd2, %rd3; ld.global.f32 %f1, [%rd4];\n"
               "add.f32 %f2, %f1, 0f3F800000; st.global.f32 [%rd4], %f2;\nL:");
    struct smw_err e;
    uint32_t n[2], regs[2];

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct ptx_module *m;

        err_clear(&e);
        m = ptx_parse(text, strlen(text), "test.ptx", &e);
        assert_non_null(m);
        assert_true(ptx_lower(m, i == 0 ? NULL : &target, &e));
        n[i] = m->n_uops;
        regs[i] = m->kernels[0].regs;
        ptx_free(m);
    }
    assert_int_equal(n[0], 12);
    /* less cvta and mul; two at the start */
    assert_int_equal(n[1], 12 - 2 + 2);
    assert_int_equal(regs[0], regs[1]);
}

/* The predicate beside a result goes if nobody reads it; the other stays. */
static void test_beside(void **state)
{
    struct ptx_module *const m =
        pass(KERNEL("shfl.sync.bfly.b32 %r1|%p1, %r3, 1, 31, -1;\n"
                    "shfl.sync.bfly.b32 %r2|%p2, %r3, 2, 31, -1;\n"
                    "selp.u32 %r4, %r1, %r2, %p2; st.shared.u32 [%r4], %r1;"),
             90, ptx_opt_dead);
    const struct ptx_ir *const f = m->priv->fn[0];

    (void)state;
    assert_int_equal(f->opnd[f->opnd[f->insn[0].opnd].id + 1].kind, OK_SINK);
    assert_int_equal(f->opnd[f->opnd[f->insn[1].opnd].id + 1].kind, OK_REG);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_dead),
        cmocka_unit_test(test_beside),
        cmocka_unit_test(test_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
