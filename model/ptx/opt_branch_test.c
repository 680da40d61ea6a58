/* Branches that become guards, and those that do not. */
#include "ptx/opt_test.h"

#define START "mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 8;\n"
#define TWO   "add.u32 %r2, %r1, 1; add.u32 %r3, %r2, 1;"

static void test_skip(void **state)
{
    (void)state;
    expect_ops(KERNEL(START "@%p1 bra L; ld.shared.u32 %r2, [%r1];\n"
                            "st.shared.u32 [%r1], %r2;\nL: bar.sync 0;"),
               90, ptx_opt_branches, "mov setp @!ld @!st bar ret");
    expect_ops(KERNEL(START "@!%p1 bra L; st.shared.u32 [%r1], 1;\nL: bar.sync 0;"), 90,
               ptx_opt_branches, "mov setp @st bar ret");
}

static void test_both(void **state)
{
    (void)state;
    expect_ops(KERNEL(START "@%p1 bra E; st.shared.u32 [%r1], 1; bra L;\n"
                            "E: st.shared.u32 [%r1], 2;\nL: bar.sync 0;"),
               90, ptx_opt_branches, "mov setp @!st @st bar ret");
}

/* As nvcc writes if and else; what leads elsewhere, or may not, stays. */
static void test_jumps(void **state)
{
    (void)state;
    expect_ops(KERNEL(START
                      "@%p1 bra E; bra.uni T;\nT: bra L;\nE: add.u32 %r2, %r1, 1;\n"
                      "L: @%p1 bra M;\nM: bar.sync 0;"),
               90, ptx_opt_jumps, "mov setp @bra bra add @bra bar ret");
    expect_ops(KERNEL(START "@%p1 bra E; bra.uni T;\nE: bra.uni L;\n"
                            "T: add.u32 %r2, %r1, 1;\nL: bar.sync 0;"),
               90, ptx_opt_jumps, "mov setp @!bra bra add bar ret");
    expect_ops(KERNEL(START "@%p1 bra E;\nI: bra.uni T;\nE: add.u32 %r2, %r1, 1;\n"
                            "@%p1 bra I;\nT: bar.sync 0;"),
               90, ptx_opt_jumps, "mov setp @bra bra add @bra bar ret");
}

static void test_kept(void **state)
{
    (void)state;
    /* ten, and eleven */
    expect_ops(
        KERNEL(START "@%p1 bra L;" TWO TWO TWO TWO TWO "\nL: bar.sync 0;"), 90,
        ptx_opt_branches,
        "mov setp @!add @!add @!add @!add @!add @!add @!add @!add @!add @!add bar "
        "ret");
    expect_ops(KERNEL(START "@%p1 bra L;" TWO TWO TWO TWO TWO
                            "add.u32 %r4, %r1, 1;\nL: bar.sync 0;"),
               90, ptx_opt_branches,
               "mov setp @bra add add add add add add add add add add add bar ret");
    /* three stores, an atomic, what lanes do together, the guard itself, a division */
    expect_ops(KERNEL(START
                      "@%p1 bra L; st.shared.u32 [%r1], 1; st.shared.u32 [%r1], 2;"
                      "st.shared.u32 [%r1], 3;\nL: bar.sync 0;"),
               90, ptx_opt_branches, "mov setp @bra st st st bar ret");
    expect_ops(KERNEL(START "@%p1 bra L; red.shared.add.u32 [%r1], 1;\nL: bar.sync 0;"),
               90, ptx_opt_branches, "mov setp @bra red bar ret");
    expect_ops(KERNEL(START "@%p1 bra L; activemask.b32 %r2;\nL: bar.sync 0;"), 90,
               ptx_opt_branches, "mov setp @bra activemask bar ret");
    expect_ops(KERNEL(START "@%p1 bra L; setp.eq.u32 %p1, %r1, 0;\nL: bar.sync 0;"), 90,
               ptx_opt_branches, "mov setp @bra setp bar ret");
    expect_ops(KERNEL(START "@%p1 bra L; div.u32 %r2, %r1, %r1;\nL: bar.sync 0;"), 90,
               ptx_opt_branches, "mov setp @bra div bar ret");
    /* somebody else comes into the body */
    expect_ops(KERNEL(START "M: @%p1 bra L;\nI: add.u32 %r2, %r1, 1;\nL: bar.sync 0;\n"
                            "setp.eq.u32 %p2, %r1, 0; @%p2 bra I;"),
               90, ptx_opt_branches, "mov setp @bra add bar setp @bra ret");
}

#define LOAD(what) "ld.global" what ".u32 %r2, [%rd1];"

/* Memory that others may write is loaded behind a branch, if the body then stores or
 * keeps what it has loaded; not if it only adds to something. */
static void test_global_loads(void **state)
{
    static const char stores[] = KERNEL(
        START "@%p1 bra L;" LOAD("") "st.shared.u32 [%r1], %r2;\nL: bar.sync 0;");

    (void)state;
    expect_ops(stores, 90, ptx_opt_branches, "mov setp @bra ld st bar ret");
    expect_ops(stores, 62, ptx_opt_branches, "mov setp @!ld @!st bar ret");
    expect_ops(KERNEL(START
                      "@%p1 bra L; ld.u32 %r2, [%rd1]; st.shared.u32 [%r1], %r2;\n"
                      "L: bar.sync 0;"),
               90, ptx_opt_branches, "mov setp @bra ld st bar ret");
    expect_ops(KERNEL(START "@%p1 bra L;" LOAD("") "\n"
                                                   "L: st.shared.u32 [%r1], %r2;"),
               90, ptx_opt_branches, "mov setp @bra ld st ret");
    expect_ops(KERNEL(START "@%p1 bra L;" LOAD("") "add.u32 %r3, %r3, %r2;\n"
                                                   "L: st.shared.u32 [%r1], %r3;"),
               90, ptx_opt_branches, "mov setp @!ld @!add st ret");
    expect_ops(KERNEL(START "@%p1 bra L;" LOAD(".nc") "st.shared.u32 [%r1], %r2;\n"
                                                      "L: bar.sync 0;"),
               90, ptx_opt_branches, "mov setp @!ld @!st bar ret");
}

/* A branch to the end is an end, unless those that stay meet at a barrier. */
static void test_end(void **state)
{
    (void)state;
    expect_ops(KERNEL(START "@%p1 bra L;" TWO TWO TWO TWO TWO TWO "\nL:"), 90,
               ptx_opt_branches,
               "mov setp @ret add add add add add add add add add add add add ret");
    expect_ops(KERNEL(START "@%p1 bra L; bar.sync 0;\nL:"), 90, ptx_opt_branches,
               "mov setp @bra bar ret");
}

/* What only the body reads is not live before it: a guarded write keeps nothing. */
static void test_live(void **state)
{
    struct ptx_module *const m = pass(KERNEL(START "@%p1 bra L; add.u32 %r2, %r1, 1;\n"
                                                   "st.shared.u32 [%r1], %r2;\n"
                                                   "add.u32 %r3, %r1, 1;\nL:\n"
                                                   "st.shared.u32 [%r1], %r3;"),
                                      90, ptx_opt_branches);
    const struct ptx_ir *const f = m->priv->fn[0];
    struct ptx_flow flow;
    struct ptx_live live;

    (void)state;
    assert_true(f->insn[2].is_fresh);
    assert_false(f->insn[4].is_fresh);
    ptx_flow_build(&m->priv->arena, f, &flow);
    ptx_live_build(&m->priv->arena, f, &flow, &live);
    assert_int_equal(live.start[f->opnd[f->insn[2].opnd].id], 2 * 2 + 1);
    assert_int_equal(live.start[f->opnd[f->insn[4].opnd].id], 0);
    ptx_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_skip),         cmocka_unit_test(test_both),
        cmocka_unit_test(test_jumps),        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_end),          cmocka_unit_test(test_live),
        cmocka_unit_test(test_global_loads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
