/* Sums that differ by a constant: what is left to add, and to what. */
#include "ptx/opt_test.h"

#define START "mov.u32 %r1, %tid.x; mov.u32 %r2, %ntid.x;\n"
#define WIDE                                                                           \
    START "ld.param.u64 %rd1, [p]; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"                 \
          "st.global.u32 [%rd2], %r2;\n"

/* The instruction that writes a register adds a constant to another. */
static void expect_add(const char *text, const char *to, const char *base, int64_t by)
{
    struct ptx_module *const m = pass(text, 90, ptx_opt_offsets);
    const struct ptx_ir *const f = m->priv->fn[0];
    bool found = false;

    for (uint32_t i = 0; i < f->n_insn; i++) {
        const struct ptx_opnd *const v = &f->opnd[f->insn[i].opnd];
        char name[2][32] = {"", ""};

        for (uint32_t k = 0; k < 2 && k < f->insn[i].n_opnds; k++) {
            if (v[k].kind == OK_REG) {
                (void)snprintf(name[k], sizeof(name[k]), "%.*s%u",
                               (int)f->vreg[v[k].id].len, f->vreg[v[k].id].s,
                               f->vreg[v[k].id].number);
            }
        }
        if (strcmp(name[0], to) != 0) {
            continue;
        }
        found = true;
        assert_string_equal(name[1], base);
        assert_int_equal(f->insn[i].form.op, by == 0 ? ISA_OP_MOV : ISA_OP_ADD);
        assert_int_equal(by == 0 ? 0 : (int64_t)v[2].value, by);
    }
    assert_true(found);
    ptx_free(m);
}

static void test_steps(void **state)
{
    (void)state;
    expect_add(KERNEL(START "add.s32 %r3, %r1, 4; add.s32 %r4, %r3, 4;"), "%r4", "%r1",
               8);
    expect_add(KERNEL(START "sub.s32 %r3, %r1, 4; add.s32 %r4, %r3, -4;"), "%r4", "%r1",
               -8);
    /* 2 (tid + 3) + ntid after 2 tid + ntid */
    expect_add(KERNEL(START "mad.lo.s32 %r3, %r1, 2, %r2; add.s32 %r4, %r1, 3;\n"
                            "shl.b32 %r5, %r4, 1; add.s32 %r6, %r2, %r5;"),
               "%r6", "%r3", 6);
    expect_add(KERNEL(START "add.s32 %r3, %r1, %r2; add.s32 %r4, %r2, %r1;"), "%r4",
               "%r3", 0);
}

/* A whole product is followed, and what is added to it, where it is an address. */
static void test_wide(void **state)
{
    (void)state;
    expect_add(KERNEL(WIDE "add.s64 %rd3, %rd1, 16; mad.wide.u32 %rd4, %r1, 4, %rd3;\n"
                           "st.global.u32 [%rd4], %r2;"),
               "%rd4", "%rd2", 16);
}

static void expect_kept(const char *text, const char *ops)
{
    expect_ops(text, 90, ptx_opt_offsets, ops);
}

static void test_kept(void **state)
{
    (void)state;
    /* the sum before is gone */
    expect_kept(KERNEL(START "add.s32 %r3, %r1, %r2; mov.u32 %r3, 7;\n"
                             "add.s32 %r4, %r2, %r1; st.shared.u32 [%r4], %r3;"),
                "mov mov add mov add st ret");
    expect_add(KERNEL(START "add.s32 %r3, %r1, 4; mov.u32 %r1, 7;\n"
                            "add.s32 %r4, %r3, 4;"),
               "%r4", "%r3", 4);
    /* tid + 4 may wrap around, and the product is that of what remains */
    expect_kept(KERNEL(WIDE "add.s32 %r3, %r1, 4; mad.wide.u32 %rd4, %r3, 4, %rd1;\n"
                            "st.global.u32 [%rd4], %r2;"),
                "mov mov ld mad st add mad st ret");
    /* an addition of 64 bits costs more than the product */
    expect_kept(KERNEL(WIDE "add.s64 %rd3, %rd1, 16; mad.wide.u32 %rd4, %r1, 4, %rd3;\n"
                            "st.global.u64 [%rd1], %rd4;"),
                "mov mov ld mad st add mad st ret");
    /* not in every lane */
    expect_kept(KERNEL(START "mul.lo.s32 %r3, %r1, 4; @%p1 mul.lo.s32 %r4, %r1, 4;\n"
                             "st.shared.u32 [%r3], %r4;"),
                "mov mov mul @mul st ret");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_wide),
        cmocka_unit_test(test_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
