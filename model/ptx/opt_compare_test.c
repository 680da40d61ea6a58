/* Comparisons that take in another predicate. */
#include "ptx/opt_test.h"

#define START "mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0; setp.lt.s32 %p2, %r1, 7;\n"
#define END   "@%p3 st.shared.u32 [%r1], 1;"

static void compare_and_dead(struct ptx_opt *o)
{
    ptx_opt_compare(o);
    ptx_opt_sweep(o);
    ptx_opt_look(o);
    ptx_opt_dead(o);
}

static void test_taken_in(void **state)
{
    struct ptx_module *const m =
        pass(KERNEL(START "or.pred %p3, %p1, %p2;" END), 90, ptx_opt_compare);
    const struct ptx_ir *const f = m->priv->fn[0];

    (void)state;
    assert_int_equal(f->insn[3].form.op, ISA_OP_SETP);
    assert_int_equal(f->insn[3].form.cmp, ISA_C_EQ);
    assert_int_equal(f->insn[3].form.boolop, ISA_B_OR);
    assert_int_equal(f->opnd[f->insn[3].opnd + 3].id, f->opnd[f->insn[2].opnd].id);
    ptx_free(m);
    expect_ops(KERNEL(START "and.pred %p3, %p1, %p2;" END), 90, compare_and_dead,
               "mov setp setp @st ret");
}

static void test_kept(void **state)
{
    (void)state;
    /* the predicate itself is read */
    expect_ops(KERNEL(START "and.pred %p3, %p1, %p2; @%p1 st.shared.u32 [%r1], 2;" END),
               90, compare_and_dead, "mov setp setp and @st @st ret");
    /* what was compared is another value by then */
    expect_ops(KERNEL(START "mov.u32 %r1, 3; and.pred %p3, %p1, %p2;" END), 90,
               compare_and_dead, "mov setp setp mov and @st ret");
    /* it is inverted */
    expect_ops(KERNEL(START "not.pred %p4, %p1; and.pred %p3, %p4, %p4;" END), 90,
               compare_and_dead, "mov setp not and @st ret");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_taken_in),
        cmocka_unit_test(test_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
