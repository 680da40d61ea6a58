/* Multiply-add, three-operand logic, addresses. */
#include "ptx/opt_test.h"

#define START "mov.u32 %r1, %tid.x; ld.param.u32 %r2, [n];\n"

static void fuse_and_dead(struct ptx_opt *o)
{
    ptx_opt_multiply_add(o);
    ptx_opt_sweep(o);
    ptx_opt_look(o);
    ptx_opt_logic(o);
    ptx_opt_sweep(o);
    ptx_opt_look(o);
    ptx_opt_addresses(o);
    ptx_opt_dead(o);
}

static void test_multiply_add(void **state)
{
    (void)state;
    expect_ops(KERNEL(START "ld.param.u64 %rd1, [p];\n"
                            "mul.wide.s32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"
                            "st.global.u32 [%rd3], %r1;"),
               90, fuse_and_dead, "mov ld mad st ret");
    expect_ops(KERNEL(START "mul.lo.u32 %r3, %r1, %r2; add.u32 %r4, %r3, %r1;\n"
                            "st.shared.u32 [%r4], %r1;"),
               90, fuse_and_dead, "mov ld mad st ret");
    /* a product by a constant that is taken off, as of a remainder */
    expect_ops(KERNEL(START "mul.lo.s32 %r3, %r1, 10; sub.s32 %r4, %r2, %r3;\n"
                            "st.shared.u32 [%r4], %r1;"),
               90, fuse_and_dead, "mov ld mad st ret");
    /* a scaled sum, where the machine has one */
    expect_ops(KERNEL(START "shl.b32 %r3, %r1, 2; add.u32 %r4, %r2, %r3;\n"
                            "st.shared.u32 [%r4], %r1;"),
               20, fuse_and_dead, "mov ld mad st ret");
    expect_ops(KERNEL(START "shl.b32 %r3, %r1, 2; add.u32 %r4, %r2, %r3;\n"
                            "st.shared.u32 [%r4], %r1;"),
               13, fuse_and_dead, "mov ld shl add st ret");
}

static void test_not_fused(void **state)
{
    (void)state;
    /* what is taken off is no product by a constant, or the product is what it is taken
     * off */
    expect_ops(KERNEL(START "mul.lo.s32 %r3, %r1, %r2; sub.s32 %r4, %r2, %r3;\n"
                            "st.shared.u32 [%r4], %r1;"),
               90, fuse_and_dead, "mov ld mul sub st ret");
    expect_ops(KERNEL(START "mul.lo.s32 %r3, %r1, 10; sub.s32 %r4, %r3, %r2;\n"
                            "st.shared.u32 [%r4], %r1;"),
               90, fuse_and_dead, "mov ld mul sub st ret");
    /* the product is needed all the same */
    expect_ops(KERNEL(START "mul.lo.u32 %r3, %r1, %r2; add.u32 %r4, %r3, %r1;\n"
                            "st.shared.u32 [%r4], %r3;"),
               90, fuse_and_dead, "mov ld mul add st ret");
    /* a factor is another value by then */
    expect_ops(KERNEL(START "mul.lo.u32 %r3, %r1, %r2; mov.u32 %r2, 1;\n"
                            "add.u32 %r4, %r3, %r1; st.shared.u32 [%r4], %r2;"),
               90, fuse_and_dead, "mov ld mul mov add st ret");
    /* both addends, a carry, floating point: rounded twice */
    expect_ops(KERNEL(START "mul.lo.u32 %r3, %r1, %r2; add.u32 %r4, %r3, %r3;\n"
                            "st.shared.u32 [%r4], %r1;"),
               90, fuse_and_dead, "mov ld mul add st ret");
    expect_ops(KERNEL(START "mul.lo.u32 %r3, %r1, %r2; add.cc.u32 %r4, %r3, %r1;\n"
                            "addc.u32 %r5, 0, 0; st.shared.u32 [%r4], %r5;"),
               90, fuse_and_dead, "mov ld mul add addc st ret");
    expect_ops(KERNEL(START "mul.f32 %f2, %f1, %f1; add.f32 %f3, %f2, %f1;\n"
                            "st.shared.f32 [%r1], %f3;"),
               90, fuse_and_dead, "mov mul add st ret");
}

static void test_shift_factor(void **state)
{
    struct ptx_module *const m =
        pass(KERNEL(START "shl.b32 %r3, %r1, 5; add.u32 %r4, %r2, %r3;"), 90,
             ptx_opt_multiply_add);
    const struct ptx_ir *const f = m->priv->fn[0];
    const struct ptx_insn *const in = &f->insn[3];

    (void)state;
    assert_int_equal(in->form.op, ISA_OP_MAD);
    assert_int_equal(f->opnd[in->opnd + 2].value, 32);
    assert_int_equal(in->acts_as, 1 + ISA_CL_IADD);
    assert_memory_equal(in->text, "add.u32", 7); /* the name of its result */
    ptx_free(m);
}

static void test_addresses(void **state)
{
    struct ptx_module *const m =
        pass(KERNEL(START
                    "mov.u32 %r3, s; add.u32 %r4, %r1, 8; add.u32 %r5, %r3, %r1;\n"
                    "st.shared.u32 [%r4+4], %r2; st.shared.u32 [%r5+12], %r2;"),
             90, ptx_opt_addresses);
    const struct ptx_ir *const f = m->priv->fn[0];
    const struct ptx_opnd *const a = &f->opnd[f->insn[5].opnd];
    const struct ptx_opnd *const b = &f->opnd[f->insn[6].opnd];

    (void)state;
    assert_int_equal(a->id, f->opnd[f->insn[0].opnd].id);
    assert_int_equal(a->value, 12);
    assert_int_equal(a->base, 0);
    assert_int_equal(b->id, f->opnd[f->insn[0].opnd].id);
    assert_int_equal(b->value, 12);
    assert_int_equal(b->base, 1);
    ptx_free(m);
    /* too far; needed itself; another value by then */
    expect_ops(KERNEL(START "add.u32 %r4, %r1, 8388608; st.shared.u32 [%r4], %r2;"), 90,
               fuse_and_dead, "mov ld add st ret");
    expect_ops(KERNEL(START "add.u32 %r4, %r1, 8; st.shared.u32 [%r4], %r4;"), 90,
               fuse_and_dead, "mov add st ret");
    expect_ops(KERNEL(START "add.u32 %r4, %r2, 8; mov.u32 %r2, 1;\n"
                            "st.shared.u32 [%r4], %r2;"),
               90, fuse_and_dead, "ld add mov st ret");
}

/* A table in constant memory; but none in global memory. */
static void test_tables(void **state)
{
    struct ptx_module *const m =
        pass(HEAD ".const .align 4 .b32 t[64]; .global .align 4 .b32 g[64];\n"
                  ".visible .entry k(.param .u64 p)\n{\n"
                  ".reg .b32 %r<9>; .reg .b64 %rd<9>; ld.param.u64 %rd1, [p];\n"
                  "mov.u64 %rd2, t; add.s64 %rd3, %rd2, %rd1;\n"
                  "mov.u64 %rd4, g; add.s64 %rd5, %rd4, %rd1;\n"
                  "ld.const.u32 %r1, [%rd3+8]; st.global.u32 [%rd5], %r1; ret;\n}\n",
             90, ptx_opt_addresses);
    const struct ptx_ir *const f = m->priv->fn[0];
    const struct ptx_opnd *const load = &f->opnd[f->insn[5].opnd + 1];
    const struct ptx_opnd *const store = &f->opnd[f->insn[6].opnd];

    (void)state;
    assert_int_equal(load->id, f->opnd[f->insn[0].opnd].id);
    assert_int_equal(load->base, 1);
    assert_int_equal(load->value, 8);
    assert_int_equal(store->id, f->opnd[f->insn[4].opnd].id);
    assert_int_equal(store->base, 0);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_multiply_add), cmocka_unit_test(test_not_fused),
        cmocka_unit_test(test_shift_factor), cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
