/* Loops that count do four passes at a time, then two, then one. */
#include "ptx/opt_test.h"

#define LOOP(body, step, compare)                                                      \
    KERNEL("mov.u32 %r1, %tid.x; mov.u32 %r2, %ntid.x;\n"                              \
           "L: " body " add.s32 %r1, %r1, " step "; setp." compare "; @%p1 bra L;")
#define ONCE "st.shared.u32 [%r2], %r1;"

/* As in the comment of the pass: what decides, four passes, two, one. */
static void test_down(void **state)
{
    (void)state;
    expect_ops(LOOP(ONCE, "-4", "ne.s32 %p1, %r1, 0"), 90, ptx_opt_unroll,
               "mov mov "
               "mov setp @!bra mov st add st add st add st add setp @bra "
               "setp @!bra mov st add st add "
               "setp @!bra st add setp @bra ret");
}

/* The bound is a register: three steps less of it must be a number. */
static void test_up(void **state)
{
    (void)state;
    expect_ops(LOOP(ONCE, "16", "lt.s32 %p1, %r1, %r2"), 90, ptx_opt_unroll,
               "mov mov "
               "mov add setp setp @!bra mov st add st add st add st add setp @bra "
               "add setp setp @!bra mov st add st add "
               "setp @!bra st add setp @bra ret");
}

static void expect_kept(const char *text, uint32_t cc)
{
    struct ptx_module *const m = pass(text, cc, ptx_opt_unroll);
    const struct ptx_ir *const f = m->priv->fn[0];

    for (uint32_t i = 0; i < f->n_insn; i++) {
        assert_int_not_equal(f->insn[i].text[0], '(');
    }
    ptx_free(m);
}

#define TEN(x) x x x x x x x x x x

static void test_kept(void **state)
{
    (void)state;
    expect_kept(LOOP(ONCE, "-4", "ne.s32 %p1, %r1, 0"), 35);
    expect_kept(LOOP(".pragma \"nounroll\";" ONCE, "-4", "ne.s32 %p1, %r1, 0"), 90);
    /* the bound is written in it, or is no constant and to be met */
    expect_kept(LOOP("add.s32 %r2, %r2, 1;", "4", "lt.s32 %p1, %r1, %r2"), 90);
    expect_kept(LOOP(ONCE, "-4", "ne.s32 %p1, %r1, %r2"), 90);
    /* the wrong way, and numbers without a sign */
    expect_kept(LOOP(ONCE, "-4", "lt.s32 %p1, %r1, %r2"), 90);
    expect_kept(LOOP(ONCE, "4", "lt.u32 %p1, %r1, %r2"), 90);
    /* what is compared is not what counts */
    expect_kept(LOOP("add.s32 %r3, %r1, %r2;", "4", "ne.s32 %p1, %r3, 0"), 90);
    /* too long; an atomic; a division that is called; another way out */
    expect_kept(
        LOOP(TEN("add.s32 %r3, %r3, 1;") TEN(
                 "add.s32 %r3, %r3, 1;") "add.s32 %r3, %r3, 1; add.s32 %r3, %r3, 1;",
             "-4", "ne.s32 %p1, %r1, 0"),
        90);
    expect_kept(LOOP("red.shared.add.u32 [%r2], 1;", "-4", "ne.s32 %p1, %r1, 0"), 90);
    expect_kept(LOOP("div.rn.f32 %f1, %f1, %f2;", "-4", "ne.s32 %p1, %r1, 0"), 90);
    expect_kept(LOOP("@%p2 exit;", "-4", "ne.s32 %p1, %r1, 0"), 90);
}

/* The register that operand k of an instruction is. */
static uint32_t named(const struct ptx_ir *f, uint32_t i, uint32_t k)
{
    return f->opnd[f->insn[i].opnd + k].id;
}

/* Each pass has registers of its own, but for the last, which writes those of the text
 * that are read behind the loop. */
static void test_registers(void **state)
{
    struct ptx_module *m;
    const struct ptx_ir *f;

    (void)state;
    m = pass(LOOP("shl.b32 %r3, %r1, 2; add.s32 %r4, %r4, %r3;", "-1",
                  "ne.s32 %p1, %r1, 0"),
             90, ptx_opt_unroll);
    f = m->priv->fn[0];
    /* mov mov, mov setp bra mov, then passes of shl add add */
    const uint32_t first = 6;
    uint32_t counter = named(f, 0, 0), sum = named(f, first + 1, 1);

    for (uint32_t pass_no = 0; pass_no < 4; pass_no++) {
        const uint32_t i = first + 3 * pass_no;

        assert_int_equal(f->insn[i].form.op, ISA_OP_SHL);
        assert_int_equal(named(f, i, 1), counter);
        assert_int_equal(named(f, i + 1, 1), sum);
        assert_int_equal(named(f, i + 1, 2), named(f, i, 0));
        sum = named(f, i + 1, 0);
        assert_int_equal(named(f, i + 2, 1), counter);
        counter = named(f, i + 2, 0);
    }
    assert_int_equal(counter, named(f, 0, 0));
    assert_int_equal(sum, named(f, first + 1, 1));
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_down),
        cmocka_unit_test(test_up),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_registers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
