/* Logic operations of up to three operands are one. */
#include "ptx/opt_test.h"

#define START "mov.u32 %r1, %tid.x; ld.param.u32 %r2, [n]; mov.u32 %r3, %ctaid.x;\n"
#define END   "st.shared.u32 [%r1], %r9;"

/* The table of the one operation that is left behind the start. */
static void expect_table(const char *body, uint32_t table)
{
    char text[2048];
    struct ptx_module *m;
    const struct ptx_ir *f;

    snprintf(text, sizeof(text), "%s%s%s", KERNEL_HEAD START, body, END "\nret;\n}\n");
    m = pass(text, 90, ptx_opt_logic);
    f = m->priv->fn[0];
    assert_int_equal(f->n_insn, 6);
    assert_int_equal(f->insn[3].form.op, ISA_OP_LOP3);
    assert_int_equal(f->opnd[f->insn[3].opnd + 4].value, table);
    ptx_free(m);
}

static void test_tables(void **state)
{
    (void)state;
    /* operands as they are met: r2, r1, r3 are a, b, c */
    expect_table("and.b32 %r4, %r1, %r2; xor.b32 %r9, %r2, %r4;", 0xf0 ^ (0xcc & 0xf0));
    expect_table("and.b32 %r4, %r2, %r1; or.b32 %r9, %r4, %r3;", (0xf0 & 0xcc) | 0xaa);
    /* both sides, and a complement: r2 chooses between r1 and r3 */
    expect_table("and.b32 %r4, %r2, %r1; not.b32 %r5, %r2; and.b32 %r6, %r5, %r3;\n"
                 "or.b32 %r9, %r4, %r6;",
                 (0xf0 & 0xcc) | (~0xf0 & 0xaa & 0xff));
    /* a constant is one of three */
    expect_table("xor.b32 %r4, %r2, %r1; and.b32 %r9, %r4, 255;", (0xf0 ^ 0xcc) & 0xaa);
    /* both sides, where either alone would have a fourth operand */
    expect_table("and.b32 %r4, %r1, %r2; and.b32 %r5, %r4, %r3; or.b32 %r6, %r3, %r2;\n"
                 "xor.b32 %r9, %r5, %r6;",
                 ((0xf0 & 0xcc) & 0xaa) ^ (0xaa | 0xcc));
    /* into one of the text */
    expect_table("not.b32 %r4, %r2; lop3.b32 %r9, %r4, %r1, %r3, 0x80;",
                 ~0xf0 & 0xcc & 0xaa & 0xff);
}

static void test_kept(void **state)
{
    (void)state;
    /* two constants, four operands, a value that others read, an older device */
    expect_ops(KERNEL(START "and.b32 %r4, %r1, 7; xor.b32 %r9, %r4, 9;" END), 90,
               ptx_opt_logic, "mov ld mov and xor st ret");
    expect_ops(KERNEL(START "ld.shared.u32 %r5, [s]; and.b32 %r4, %r1, %r2;\n"
                            "or.b32 %r6, %r4, %r3; xor.b32 %r9, %r6, %r5;" END),
               90, ptx_opt_logic, "mov ld mov ld lop3 xor st ret");
    expect_ops(KERNEL(START "and.b32 %r4, %r1, %r2; xor.b32 %r9, %r4, %r3;\n"
                            "st.shared.u32 [%r4], %r9;"),
               90, ptx_opt_logic, "mov ld mov and xor st ret");
    expect_ops(KERNEL(START "and.b32 %r4, %r1, %r2; xor.b32 %r9, %r4, %r3;" END), 35,
               ptx_opt_logic, "mov ld mov and xor st ret");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
