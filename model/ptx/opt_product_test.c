/* Products of 64 bits that are of 32 bits with a wide result. */
#include "ptx/opt_test.h"

#define START                                                                          \
    "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; cvt.u64.u32 %rd1, %r1;\n"             \
    "cvt.u64.u32 %rd2, %r2; cvt.s64.s32 %rd3, %r1; cvt.s64.s32 %rd4, %r2;\n"
#define END           "st.shared.u64 [%r1], %rd5;"

#define BODY(product) KERNEL(START product END)

/* Of the product in a kernel: is it wide, and of that type? */
static void expect_product(const char *text, bool is_wide, enum isa_type type)
{
    struct ptx_module *const m = pass(text, 90, ptx_opt_products);
    const struct ptx_ir *const f = m->priv->fn[0];
    const struct ptx_insn *in = NULL;

    for (uint32_t i = 0; i < f->n_insn; i++) {
        const enum isa_op op = (enum isa_op)f->insn[i].form.op;

        in = op == ISA_OP_MUL || op == ISA_OP_MAD ? &f->insn[i] : in;
    }
    assert_non_null(in);
    assert_true((in->form.sub == ISA_S_WIDE) == is_wide);
    assert_int_equal(in->form.type, type);
    if (is_wide) {
        assert_int_equal(ptx_reg_bits(f, f->opnd[in->opnd + 1].id), 32);
    }
    ptx_free(m);
}

static void products_and_dead(struct ptx_opt *o)
{
    ptx_opt_products(o);
    ptx_opt_sweep(o);
    ptx_opt_look(o);
    ptx_opt_dead(o);
}

static void test_wide(void **state)
{
    (void)state;
    expect_product(BODY("mul.lo.s64 %rd5, %rd1, %rd2;"), true, ISA_T_U32);
    expect_product(BODY("mul.lo.u64 %rd5, %rd1, %rd1;"), true, ISA_T_U32);
    expect_product(BODY("mul.lo.s64 %rd5, %rd3, %rd4;"), true, ISA_T_S32);
    expect_product(BODY("mul.lo.s64 %rd5, %rd1, 4294967295;"), true, ISA_T_U32);
    expect_product(BODY("mul.lo.s64 %rd5, %rd3, -7;"), true, ISA_T_S32);
    expect_product(BODY("mad.lo.s64 %rd5, %rd1, %rd2, %rd6;"), true, ISA_T_U32);
}

static void test_not(void **state)
{
    (void)state;
    /* one with its sign, the other without; a number that does not fit */
    expect_product(BODY("mul.lo.s64 %rd5, %rd1, %rd3;"), false, ISA_T_S64);
    expect_product(BODY("mul.lo.s64 %rd5, %rd1, 4294967296;"), false, ISA_T_S64);
    expect_product(BODY("mul.lo.s64 %rd5, %rd1, -1;"), false, ISA_T_S64);
    expect_product(BODY("mul.lo.s64 %rd5, %rd1, %rd6;"), false, ISA_T_S64);
    expect_product(BODY("mul.hi.u64 %rd5, %rd1, %rd2;"), false, ISA_T_U64);
    /* what was extended is another number by now */
    expect_product(BODY("add.u32 %r2, %r2, 1; mul.lo.s64 %rd5, %rd1, %rd2;"), false,
                   ISA_T_S64);
}

/* What a compiler divides by 10 with, and by 7; the quotient twice; the lower word is
 * read as well, the shift is short, or a sum comes between. */
static void test_upper(void **state)
{
    (void)state;
    expect_ops(KERNEL("mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, -858993459;\n"
                      "shr.u64 %rd2, %rd1, 35; cvt.u32.u64 %r2, %rd2;\n"
                      "st.shared.u32 [%r1], %r2;"),
               90, products_and_dead, "mov mul shr st ret");
    expect_ops(KERNEL("mov.u32 %r1, %tid.x; mul.wide.s32 %rd1, %r1, 1717986919;\n"
                      "shr.u64 %rd2, %rd1, 63; cvt.u32.u64 %r2, %rd2;\n"
                      "shr.s64 %rd3, %rd1, 34; cvt.u32.u64 %r3, %rd3;\n"
                      "add.s32 %r4, %r3, %r2; st.shared.u32 [%r1], %r4;"),
               90, products_and_dead, "mov mul shr shr add st ret");
    expect_ops(KERNEL("mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, -858993459;\n"
                      "shr.u64 %rd2, %rd1, 35; cvt.u32.u64 %r2, %rd2;\n"
                      "cvt.u32.u64 %r3, %rd1; st.shared.v2.u32 [%r1], {%r2, %r3};"),
               90, products_and_dead, "mov mul shr cvt cvt st ret");
    expect_ops(KERNEL("mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, -858993459;\n"
                      "shr.u64 %rd2, %rd1, 31; cvt.u32.u64 %r2, %rd2;\n"
                      "st.shared.u32 [%r1], %r2;"),
               90, products_and_dead, "mov mul shr cvt st ret");
    expect_ops(KERNEL("mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, -858993459;\n"
                      "add.s64 %rd3, %rd1, 1; shr.u64 %rd2, %rd3, 35;\n"
                      "cvt.u32.u64 %r2, %rd2; st.shared.u32 [%r1], %r2;"),
               90, products_and_dead, "mov mul add shr cvt st ret");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wide),
        cmocka_unit_test(test_not),
        cmocka_unit_test(test_upper),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
