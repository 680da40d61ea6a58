/* Instructions that no PTX instruction says, by capability. */
#include "ptx/opt_test.h"

static uint32_t added(const char *text, uint32_t cc)
{
    struct ptx_module *const plain = pass(text, cc, ptx_opt_dead);
    struct ptx_module *const m = pass(text, cc, ptx_opt_look);
    const uint32_t n = plain->priv->fn[0]->n_insn;
    struct ptx_ir *const f = m->priv->fn[0];
    struct ptx_opt *const o = ptx_opt_new(&m->priv->arena, m->priv, cc, f);
    uint32_t by;

    ptx_opt_look(o);
    ptx_opt_overhead(o);
    by = f->n_insn - n;
    for (uint32_t i = 0; i < f->n_label; i++) {
        assert_true(f->label[i].at <= f->n_insn);
    }
    ptx_free(plain);
    ptx_free(m);
    return by;
}

static void test_start(void **state)
{
    const char *const empty = KERNEL("");
    const char *const global =
        KERNEL("ld.param.u64 %rd1, [p]; st.global.u32 [%rd1], 1;");

    (void)state;
    assert_int_equal(added(empty, 13), 0);
    assert_int_equal(added(empty, 75), 1);
    assert_int_equal(added(empty, 90), 1);
    assert_int_equal(added(global, 75), 1);
    assert_int_equal(added(global, 80), 2);
    assert_int_equal(added(global, 90), 2);
}

static void test_shared(void **state)
{
    const char *const made = KERNEL("mov.u32 %r1, s; st.shared.u32 [%r1], 1;");
    const char *const direct = KERNEL("st.shared.u32 [s], 1; st.shared.u32 [s+4], 1;");
    const char *const again =
        KERNEL("st.shared.u32 [s], 1; bra L;\nL: st.shared.u32 [s], 2;");
    const char *const twice =
        KERNEL("mov.u32 %r1, s; mov.u32 %r2, s; st.shared.u32 [%r1], %r2;");
    const char *const some =
        KERNEL("@%p1 bra L;\nst.shared.u32 [s], 1;\nL: st.shared.u32 [s], 2;");

    (void)state;
    assert_int_equal(added(made, 80), 1);
    assert_int_equal(added(made, 90), 1 + 2);
    assert_int_equal(added(direct, 90), 1 + 3);
    assert_int_equal(added(again, 90), 1 + 3);
    assert_int_equal(added(twice, 90), 1 + 2 + 1);
    assert_int_equal(added(some, 80), added(some, 90) - 3 - 3); /* not on every way */
}

/* A loop to the first instruction does not start the kernel again. */
static void test_label(void **state)
{
    struct ptx_module *const m =
        pass(HEAD
             ".visible .entry k()\n{\n.reg .pred %p1; .reg .b32 %r1;\n"
             "L: mov.u32 %r1, %ntid.x; setp.lt.u32 %p1, %r1, 9; @%p1 bra L;\nret;\n}\n",
             90, ptx_opt_overhead);
    const struct ptx_ir *const f = m->priv->fn[0];

    (void)state;
    assert_int_equal(f->n_insn, 5);
    assert_int_equal(f->label[0].at, 1);
    assert_memory_equal(f->insn[0].text, "(start", 6);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_label),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
