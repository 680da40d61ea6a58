/* What the checks find in shared memory, through the public API. */
#include "gpu/device_test.h"

static const char kernels[] =
    PTX_HEAD ".shared .align 4 .u32 s[64];\n.shared .align 4 .u32 word;\n"
    /* s[tid] = tid; barrier or none; out = s[ntid - 1 - tid] */
    BODY("bad",
         "mov.u32 %r3, s; mad.lo.u32 %r4, %r1, 4, %r3; st.shared.u32 [%r4], %r1;\n"
         "mov.u32 %r5, %ntid.x; sub.u32 %r5, %r5, %r1; mad.lo.u32 %r5, %r5, 4, %r3;\n"
         "ld.shared.u32 %r6, [%r5 + -4]; st.global.u32 [%rd1], %r6;")
        BODY("good",
             "mov.u32 %r3, s; mad.lo.u32 %r4, %r1, 4, %r3; st.shared.u32 [%r4], %r1;\n"
             "bar.sync 0;\n"
             "mov.u32 %r5, %ntid.x; sub.u32 %r5, %r5, %r1; mad.lo.u32 %r5, %r5, 4, "
             "%r3;\n"
             "ld.shared.u32 %r6, [%r5 + -4]; st.global.u32 [%rd1], %r6;")
            BODY("early", "ld.shared.u32 %r6, [word]; st.global.u32 [%rd1], %r6;")
    /* between store and load, an instruction whose members are all lanes */
    BODY("synced", "mov.u32 %r3, s; mad.lo.u32 %r4, %r1, 4, %r3;\n"
                   "st.shared.u32 [%r4], %r1; bar.warp.sync 0xffffffff;\n"
                   "xor.b32 %r5, %r4, 4; ld.shared.u32 %r6, [%r5];\n"
                   "st.global.u32 [%rd1], %r6;")
    /* two halves of the warp come to it one after the other */
    BODY("apart", "mov.u32 %r3, s; mad.lo.u32 %r4, %r1, 4, %r3;\n"
                  "st.shared.u32 [%r4], %r1; setp.lt.u32 %p1, %r1, 16;\n"
                  "@%p1 bra LOW;\nbar.warp.sync 0xffffffff; bra BOTH;\n"
                  "LOW: bar.warp.sync 0xffffffff;\n"
                  "BOTH: xor.b32 %r5, %r4, 64; ld.shared.u32 %r6, [%r5];\n"
                  "st.global.u32 [%rd1], %r6;")
        BODY("shuffled", "mov.u32 %r3, s; mad.lo.u32 %r4, %r1, 4, %r3;\n"
                         "st.shared.u32 [%r4], %r1;\n"
                         "shfl.sync.idx.b32 %r7, %r1, 0, 31, 0xffffffff;\n"
                         "xor.b32 %r5, %r4, 4; ld.shared.u32 %r6, [%r5];\n"
                         "st.global.u32 [%rd1], %r6;")
    /* warp 0 produces, arrives and goes on; warp 1 waits for it at a barrier of its
     * own */
    BODY("handed",
         "mov.u32 %r3, s; and.b32 %r4, %r1, 31; mad.lo.u32 %r4, %r4, 4, %r3;\n"
         "setp.ge.u32 %p1, %r1, 32;\n@%p1 bra TAKE;\n"
         "st.shared.u32 [%r4], %r1; bar.arrive 5, 64;\nexit;\n"
         "TAKE: bar.sync 5, 64;\nld.shared.u32 %r6, [%r4];\n"
         "st.global.u32 [%rd1], %r6;");

static struct dt *run(const char *preset, enum smw_check check, const char *kernel,
                      uint32_t threads)
{
    const struct smw_options opt = {.check = check};
    struct dt *t = dt_open_with(preset, "", &opt, kernels);

    dt_run(t, kernel, 3, threads);
    return t;
}

static void test_race(void **state)
{
    struct dt *t = run("h100", SMW_CHECK_FULL, "bad", 64);
    struct smw_finding f;

    (void)state;
    assert_int_equal(smw_findings(t->d), 1);
    assert_false(smw_finding(t->d, 1, &f));
    assert_true(smw_finding(t->d, 0, &f));
    assert_int_equal(f.kind, SMW_RACE);
    assert_true(f.error);
    assert_string_equal(f.kernel, "bad");
    assert_string_equal(f.array, "s");
    assert_int_equal(f.offset, 4 * f.index);
    assert_int_equal(f.addr, f.offset); /* s is the first */
    assert_int_equal(f.count, 3 * 256); /* of three blocks */
    assert_int_equal(f.raw + f.war, f.count);
    assert_int_equal(f.in_warp, 0);
    assert_int_equal(f.first.write + f.second.write, 1);
    assert_int_equal(f.first.thread[0] + f.second.thread[0], 63);
    assert_true(f.first.cycle <= f.second.cycle && f.first.cycle != 0);
    assert_non_null(strstr(f.first.at.text, f.first.write ? "st.shared" : "ld.shared"));
    assert_int_not_equal(f.first.at.ptx_line, f.second.at.ptx_line);
    assert_non_null(strstr(f.message, "768 hazards"));
    assert_non_null(strstr(f.missing, "a barrier between test.ptx:"));
    dt_close(t);
}

static void test_levels(void **state)
{
    struct dt *t = run("h100", SMW_CHECK_FAST, "bad", 64);
    struct smw_finding f;

    (void)state;
    assert_int_equal(smw_findings(t->d), 0);
    assert_false(smw_finding(t->d, 0, &f));
    dt_close(t);
    t = run("h100", SMW_CHECK_FULL, "bad", 32);
    assert_int_equal(smw_findings(t->d), 1);
    assert_true(smw_finding(t->d, 0, &f));
    assert_false(f.error);
    assert_int_equal(f.count, 3 * 128);
    assert_int_equal(f.in_warp, f.count);
    assert_non_null(strstr(f.missing, "a warp-level barrier"));
    dt_close(t);
}

/* Nobody has to count them first; who has does not see those of forgotten launches. */
static void test_uncounted(void **state)
{
    struct dt *t = run("gtx480", SMW_CHECK_FULL, "early", 32);
    struct smw_finding f;

    (void)state;
    assert_true(smw_finding(t->d, 0, &f));
    assert_int_equal(f.launch, 0);
    assert_false(smw_finding(t->d, 1, &f));
    assert_int_equal(smw_findings(t->d), 1);
    smw_forget_results(t->d);
    assert_false(smw_finding(t->d, 0, &f));
    dt_close(t);
}

static void test_early(void **state)
{
    struct dt *t = run("gtx480", SMW_CHECK_FULL, "early", 32);
    struct smw_finding f;

    (void)state;
    assert_int_equal(smw_findings(t->d), 1);
    assert_true(smw_finding(t->d, 0, &f));
    assert_int_equal(f.kind, SMW_UNINITIALISED);
    assert_false(f.error);
    assert_string_equal(f.array, "word");
    assert_int_equal(f.count, 3 * 32 * 4);
    dt_close(t);
}

/* A shuffle is no barrier for memory. */
static void test_shuffled(void **state)
{
    struct dt *t = run("h100", SMW_CHECK_FULL, "shuffled", 64);
    struct smw_finding f;

    (void)state;
    assert_int_equal(smw_findings(t->d), 1);
    assert_true(smw_finding(t->d, 0, &f));
    assert_false(f.error);
    assert_int_equal(f.in_warp, 3 * 64 * 4);
    assert_int_equal(f.raw, f.in_warp);
    dt_close(t);
}

static void test_ordered(void **state)
{
    static const struct {
        const char *kernel;
        uint32_t threads;
    } good[] = {{"good", 64}, {"synced", 64}, {"apart", 32}, {"handed", 64}};

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(good); i++) {
        struct dt *t = run("h100", SMW_CHECK_FULL, good[i].kernel, good[i].threads);

        assert_int_equal(smw_findings(t->d), 0);
        dt_close(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_race),     cmocka_unit_test(test_levels),
        cmocka_unit_test(test_early),    cmocka_unit_test(test_uncounted),
        cmocka_unit_test(test_shuffled), cmocka_unit_test(test_ordered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
