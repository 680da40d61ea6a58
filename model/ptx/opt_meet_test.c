/* Where lanes part and meet. */
#include "ptx/opt_test.h"

#define START "mov.u32 %r1, %tid.x; mov.u32 %r2, %ntid.x;\n"

/* The instructions, those that are no text by a letter: m where lanes part or meet, t
 * of a test whether all come, T the last of it, which nothing passes, k at the start of
 * the kernel; @ a branch, . all others. */
static void expect_meets(const char *text, uint32_t cc, const char *shape)
{
    struct ptx_module *const m = pass(text, cc, ptx_opt_overhead);
    const struct ptx_ir *const f = m->priv->fn[0];
    char got[64] = "";

    assert_true(f->n_insn < sizeof(got));
    for (uint32_t i = 0; i < f->n_insn; i++) {
        const struct ptx_insn *const in = &f->insn[i];

        got[i] = strncmp(in->text, "(lanes", 6) == 0    ? 'm'
                 : strncmp(in->text, "(start", 6) == 0  ? 'k'
                 : strncmp(in->text, "(do all", 7) == 0 ? (in->stops ? 'T' : 't')
                 : in->form.op == ISA_OP_BRA            ? '@'
                                                        : '.';
    }
    assert_string_equal(got, shape);
    ptx_free(m);
}

static void test_branch(void **state)
{
    static const char part[] = KERNEL(START "setp.gt.u32 %p1, %r1, 4; @%p1 bra L;\n"
                                            "bar.sync 0;\nL: mov.u32 %r3, 1;");

    (void)state;
    expect_meets(part, 90, "k...m@.m..");
    expect_meets(part, 70, "k...m@.m..");
    expect_meets(part, 61, "k...@...");
    /* all lanes go the same way */
    expect_meets(KERNEL(START "setp.gt.u32 %p1, %r2, 4; @%p1 bra L;\n"
                              "bar.sync 0;\nL: mov.u32 %r3, 1;"),
                 90, "k...@...");
    /* to the kernel's end */
    expect_meets(KERNEL(START "setp.gt.u32 %p1, %r1, 4; @%p1 bra L;\n"
                              "bar.sync 0;\nL: ret;"),
                 90, "k...@...");
    /* two branches to one place */
    expect_meets(KERNEL(START "setp.gt.u32 %p1, %r1, 4; @%p1 bra L; bar.sync 0;\n"
                              "setp.gt.u32 %p2, %r1, 5; @%p2 bra L; bar.sync 0;\n"
                              "L: mov.u32 %r3, 1;"),
                 90, "k...m@..@.m..");
}

static void test_loop(void **state)
{
    struct ptx_module *const m = pass(KERNEL(START "L: add.u32 %r1, %r1, 1;\n"
                                                   "setp.lt.u32 %p1, %r1, 40;\n"
                                                   "@%p1 bra L; mov.u32 %r3, 1;"),
                                      90, ptx_opt_overhead);

    (void)state;
    /* k mov mov, once before the label; add setp bra; once behind */
    assert_int_equal(m->priv->fn[0]->label[0].at, 4);
    ptx_free(m);
    expect_meets(KERNEL(START "L: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 40;\n"
                              "@%p1 bra L; mov.u32 %r3, 1;"),
                 90, "k..m..@m..");
}

#define SHUFFLE "shfl.sync.bfly.b32 %r4, %r1, 1, 31, -1;\n"
#define VOTE    "vote.sync.any.pred %p2, %p1, -1;\n"
#define BY_LANE START "setp.gt.u32 %p1, %r1, 4; @%p1 bra L;\n"

/* Shuffles where lanes may have gone apart stand behind a test, one in each block. */
static void test_exchange(void **state)
{
    (void)state;
    expect_meets(KERNEL(BY_LANE SHUFFLE SHUFFLE "L: mov.u32 %r3, %r4;"), 90,
                 "k...m@tT..m..");
    expect_meets(KERNEL(BY_LANE SHUFFLE "L: mov.u32 %r3, %r4;"), 61, "k...@...");
    /* a vote waits */
    expect_meets(KERNEL(BY_LANE VOTE SHUFFLE "L: mov.u32 %r3, %r4;"), 90,
                 "k...m@T..m..");
    /* where they have met; after a barrier; all lanes on one way; not of all lanes */
    expect_meets(KERNEL(BY_LANE "mov.u32 %r3, 1; L:\n" SHUFFLE), 90, "k...m@.m..");
    expect_meets(KERNEL(BY_LANE "bar.sync 0;\n" SHUFFLE "L: mov.u32 %r3, %r4;"), 90,
                 "k...m@..m..");
    expect_meets(KERNEL(START "setp.gt.u32 %p1, %r2, 4; @%p1 bra L;\n" SHUFFLE
                              "L: mov.u32 %r3, %r4;"),
                 90, "k...@...");
    expect_meets(KERNEL(BY_LANE "shfl.sync.bfly.b32 %r4, %r1, 1, 31, 15;\n"
                                "L: mov.u32 %r3, %r4;"),
                 90, "k...m@.m..");
    /* a lane may be another pass of the loop ahead, to the kernel's end too; none is
     * ahead where others have left */
    expect_meets(KERNEL(START "L: add.u32 %r1, %r1, 1;\n" SHUFFLE
                              "setp.lt.u32 %p1, %r1, 40;\n@%p1 bra L;"),
                 90, "k...tT..@.");
    expect_meets(KERNEL(START "setp.gt.u32 %p1, %r1, 4; @%p1 ret;\n" SHUFFLE), 90,
                 "k......");
    /* nor where they left by a vote */
    expect_meets(KERNEL(START "setp.gt.u32 %p1, %r1, 4;\nL: add.u32 %r1, %r1, 1;\n" VOTE
                              "@%p2 bra L; mov.u32 %r3, 1;"),
                 90, "k.....@..");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_branch),
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_exchange),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
