/* Sums of three, of what was shifted, and the smaller or larger of a sum and a
 * third. */
#include "ptx/opt_test.h"

/* The digit behind %r of the register id: registers are numbered as they are mentioned.
 */
static int name_of(const char *body, uint32_t id)
{
    bool seen[10] = {false};
    uint32_t n = 0;

    for (const char *at = body; (at = strchr(at, '%')) != NULL; at++) {
        const bool reg = at[1] == 'r' && at[2] >= '0' && at[2] <= '9';

        if (reg && seen[at[2] - '0']) {
            continue;
        }
        if (reg || (at[1] == 'p' && at[2] >= '0' && at[2] <= '9')) {
            if (reg) {
                seen[at[2] - '0'] = true;
            }
            if (n++ == id) {
                return at[2] - '0';
            }
        }
    }
    return -1;
}

#define START "mov.u32 %r1, %tid.x; ld.param.u32 %r2, [n];\n"
#define END   "st.shared.u32 [%r1], %r9;"

/* Kind, sub and operands of the instruction that is left of a kernel's sums: "sum 1 2
 * 3", "less_bc 3 1 2". */
static void expect_sum(const char *body, uint32_t cc, const char *want)
{
    static const char *const subs[] = {"sum", "less_c", "less_bc"};
    char text[2048], got[200] = "";
    struct ptx_module *m;
    const struct ptx_ir *f;

    snprintf(text, sizeof(text), "%s%s%s", KERNEL_HEAD START, body, END "\nret;\n}\n");
    body = strstr(text, START);
    m = pass(text, cc, ptx_opt_sums);
    f = m->priv->fn[0];
    for (uint32_t i = 2; i + 2 < f->n_insn; i++) {
        const struct ptx_insn *const in = &f->insn[i];
        size_t n = strlen(got);

        snprintf(got + n, sizeof(got) - n, "%s%s", i == 2 ? "" : "; ",
                 isa_op_name((enum isa_op)in->form.op));
        n = strlen(got);
        if (in->form.sub >= ISA_S_SUM) {
            snprintf(got + n, sizeof(got) - n, " %s", subs[in->form.sub - ISA_S_SUM]);
        }
        for (uint32_t k = 1; k < in->n_opnds; k++) {
            const struct ptx_opnd *const v = &f->opnd[in->opnd + k];

            n = strlen(got);
            snprintf(got + n, sizeof(got) - n, v->kind == OK_REG ? " %d" : " #%d",
                     v->kind == OK_REG ? name_of(body, v->id) : (int)v->value);
        }
    }
    assert_string_equal(got, want);
    ptx_free(m);
}

/* Each pair of signs, the inner result on either side. */
static void test_three(void **state)
{
    (void)state;
    expect_sum("add.s32 %r3, %r1, %r2; add.s32 %r9, %r3, %r4;", 90, "mad sum 1 2 4");
    expect_sum("add.s32 %r3, %r1, %r2; add.s32 %r9, %r4, %r3;", 50, "mad sum 1 2 4");
    expect_sum("add.s32 %r3, %r1, %r2; sub.s32 %r9, %r3, %r4;", 90, "mad less_c 1 2 4");
    expect_sum("sub.s32 %r3, %r1, %r2; add.s32 %r9, %r3, %r4;", 90, "mad less_c 1 4 2");
    expect_sum("sub.s32 %r3, %r1, %r2; sub.s32 %r9, %r3, %r4;", 90,
               "mad less_bc 1 2 4");
    expect_sum("add.s32 %r3, %r1, %r2; sub.s32 %r9, %r4, %r3;", 90,
               "mad less_bc 4 1 2");
    expect_sum("sub.s32 %r3, %r1, %r2; sub.s32 %r9, %r4, %r3;", 90, "mad less_c 2 4 1");
    expect_sum("add.u32 %r3, %r1, 7; sub.u32 %r9, %r3, %r4;", 90, "mad less_c 1 #7 4");
    /* in pairs */
    expect_sum("add.s32 %r3, %r1, %r2; add.s32 %r4, %r3, %r5; add.s32 %r6, %r4, %r7;"
               "add.s32 %r9, %r6, %r8;",
               90, "mad sum 1 2 5; mad sum 4 7 8");
}

static void test_choice(void **state)
{
    (void)state;
    expect_sum("add.s32 %r3, %r1, %r2; min.s32 %r9, %r4, %r3;", 90, "min sum 1 2 4");
    expect_sum("add.u32 %r3, %r1, %r2; max.u32 %r9, %r3, %r4;", 90, "max sum 1 2 4");
    expect_sum("add.s32 %r3, %r1, %r2; min.s32 %r9, %r4, %r3;", 89, "add 1 2; min 4 3");
    expect_sum("sub.s32 %r3, %r1, %r2; min.s32 %r9, %r4, %r3;", 90, "sub 1 2; min 4 3");
}

/* A turn to the left is one to the right. */
static void test_shifted(void **state)
{
    (void)state;
    expect_sum("shr.u32 %r3, %r1, 31; add.s32 %r9, %r2, %r3;", 90, "shr sum 1 #31 2");
    expect_sum("shf.l.wrap.b32 %r3, %r1, %r1, 5; add.s32 %r9, %r3, %r2;", 70,
               "shf sum 1 #27 2");
    expect_sum("shf.r.wrap.b32 %r3, %r1, %r1, 5; add.s32 %r9, %r3, %r2;", 90,
               "shf sum 1 #5 2");
}

static void test_shifted_kept(void **state)
{
    (void)state;
    expect_sum("shr.u32 %r3, %r1, 4; add.s32 %r9, %r3, %r2;", 60, "shr 1 #4; add 3 2");
    expect_sum("shr.s32 %r3, %r1, 4; add.s32 %r9, %r3, %r2;", 90, "shr 1 #4; add 3 2");
    expect_sum("shr.u32 %r3, %r1, %r2; add.s32 %r9, %r3, %r2;", 90, "shr 1 2; add 3 2");
    expect_sum("shr.u32 %r3, %r1, 4; sub.s32 %r9, %r2, %r3;", 90, "shr 1 #4; sub 2 3");
    expect_sum("shf.l.wrap.b32 %r3, %r1, %r2, 5; add.s32 %r9, %r3, %r2;", 90,
               "shf 1 2 #5; add 3 2");
}

/* What two words have in common, compared with 0: not with 1, nor if it is read again,
 * nor combined, nor before 7.0. */
static void test_common(void **state)
{
    (void)state;
    expect_sum("and.b32 %r3, %r1, 7; setp.eq.s32 %p1, %r3, 0;", 90, "setp 1 #7");
    expect_sum("and.b32 %r3, %r1, %r2; setp.ne.u32 %p1, %r3, 0;", 70, "setp 1 2");
    expect_sum("and.b32 %r3, %r1, 7; setp.eq.s32 %p1, %r3, 0;", 61,
               "and 1 #7; setp 3 #0");
    expect_sum("and.b32 %r3, %r1, 7; setp.eq.s32 %p1, %r3, 1;", 90,
               "and 1 #7; setp 3 #1");
    expect_sum("and.b32 %r3, %r1, 7; setp.lt.s32 %p1, %r3, 0;", 90,
               "and 1 #7; setp 3 #0");
    expect_sum("and.b32 %r3, %r1, 7; setp.eq.s32 %p1, %r3, 0; add.s32 %r9, %r3, 1;", 90,
               "and 1 #7; setp 3 #0; add 3 #1");
}

static void test_kept(void **state)
{
    (void)state;
    expect_sum("add.s32 %r3, %r1, %r2; add.s32 %r9, %r3, %r4;", 30, "add 1 2; add 3 4");
    expect_sum("add.s32 %r3, %r1, %r2; add.s32 %r9, %r3, %r3;", 90, "add 1 2; add 3 3");
    expect_sum("add.s32 %r3, %r1, 5; add.s32 %r9, %r3, 6;", 90, "add 1 #5; add 3 #6");
    expect_sum("add.s32 %r3, %r1, %r2; add.s32 %r4, %r3, %r5; add.s32 %r9, %r3, %r4;",
               90, "add 1 2; mad sum 3 5 3");
    expect_sum("add.s32 %r3, %r1, %r2; mov.u32 %r2, 1; add.s32 %r9, %r3, %r4;", 90,
               "add 1 2; mov #1; add 3 4");
    expect_sum("add.sat.s32 %r3, %r1, %r2; add.s32 %r9, %r3, %r4;", 90,
               "add 1 2; add 3 4");
    expect_sum("@%p1 add.s32 %r3, %r1, %r2; add.s32 %r9, %r3, %r4;", 90,
               "add 1 2; add 3 4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three),   cmocka_unit_test(test_choice),
        cmocka_unit_test(test_shifted), cmocka_unit_test(test_shifted_kept),
        cmocka_unit_test(test_common),  cmocka_unit_test(test_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
