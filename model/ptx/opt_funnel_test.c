/* Two shifts that fill a word are one. */
#include "ptx/opt_test.h"

#define START "mov.u32 %r1, %tid.x; ld.param.u32 %r2, [n]; mov.u32 %r3, %ctaid.x;\n"
#define END   "st.shared.u32 [%r1], %r9;"

static void expect_after(const char *body, uint32_t cc, const char *ops)
{
    char text[2048];

    snprintf(text, sizeof(text), "%s%s%s", KERNEL_HEAD START, body, END "\nret;\n}\n");
    expect_ops(text, cc, ptx_opt_funnel, ops);
}

/* The operands: the lower register, the upper one, by how much. */
static void test_operands(void **state)
{
    static const char *const orders[] = {"or.b32 %r9, %r4, %r5;",
                                         "or.b32 %r9, %r5, %r4;"};

    (void)state;
    for (uint32_t k = 0; k < ARRAY_LEN(orders); k++) {
        char text[2048];
        struct ptx_module *m;
        const struct ptx_ir *f;
        const struct ptx_opnd *v;

        snprintf(text, sizeof(text), "%s%s%s",
                 KERNEL_HEAD START "shl.b32 %r4, %r2, 5; shr.u32 %r5, %r3, 27;\n",
                 orders[k], END "\nret;\n}\n");
        m = pass(text, 90, ptx_opt_funnel);
        f = m->priv->fn[0];
        v = &f->opnd[f->insn[3].opnd];
        assert_int_equal(f->insn[3].form.op, ISA_OP_SHF);
        assert_int_equal(f->insn[3].form.sub, ISA_S_L);
        assert_int_equal(v[1].id, f->opnd[f->insn[2].opnd].id); /* r3, read last */
        assert_int_equal(v[2].id, f->opnd[f->insn[1].opnd].id);
        assert_int_equal(v[3].value, 5);
        ptx_free(m);
    }
}

static void test_when(void **state)
{
    (void)state;
    expect_after("shl.b32 %r4, %r2, 31; shr.u32 %r5, %r3, 1; or.b32 %r9, %r4, %r5;", 90,
                 "mov ld mov shf st ret");
    expect_after("shr.b32 %r4, %r2, 8; shl.b32 %r5, %r2, 24; or.b32 %r9, %r4, %r5;", 70,
                 "mov ld mov shf st ret");
    /* an older device, not a whole word, a sign, another operation */
    expect_after("shl.b32 %r4, %r2, 31; shr.u32 %r5, %r3, 1; or.b32 %r9, %r4, %r5;", 60,
                 "mov ld mov shl shr or st ret");
    expect_after("shl.b32 %r4, %r2, 8; shr.u32 %r5, %r3, 23; or.b32 %r9, %r4, %r5;", 90,
                 "mov ld mov shl shr or st ret");
    expect_after("shl.b32 %r4, %r2, 8; shr.s32 %r5, %r3, 24; or.b32 %r9, %r4, %r5;", 90,
                 "mov ld mov shl shr or st ret");
    expect_after("shl.b32 %r4, %r2, 8; shr.u32 %r5, %r3, 24; xor.b32 %r9, %r4, %r5;",
                 90, "mov ld mov shl shr xor st ret");
    /* by a register; and one that another instruction reads too */
    expect_after("shl.b32 %r4, %r2, %r1; shr.u32 %r5, %r3, 24; or.b32 %r9, %r4, %r5;",
                 90, "mov ld mov shl shr or st ret");
    expect_after("shl.b32 %r4, %r2, 8; shr.u32 %r5, %r3, 24; or.b32 %r6, %r4, %r5;\n"
                 "add.u32 %r9, %r6, %r4;",
                 90, "mov ld mov shl shr or add st ret");
    /* what was shifted is another number by then */
    expect_after("shl.b32 %r4, %r2, 8; shr.u32 %r5, %r3, 24; ld.param.u32 %r2, [n];\n"
                 "or.b32 %r9, %r4, %r5;",
                 90, "mov ld mov shl shr ld or st ret");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_when),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
