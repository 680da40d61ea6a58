/* What several SMs and kernels see of memory: local memory of the next kernel, an L1
 * that is not coherent. */
#include "gpu/device_test.h"

/* ---- local memory ---- */

/* Local memory of a kernel that has ended is dead: what its L1 still holds is never
 * written back over the next kernel's, whose threads have less and lie elsewhere. The
 * SM that ran the first one evicts late, after the other SM wrote back and before it
 * reads. */
static void test_local_memory_of_the_next_kernel(void **state)
{
    static const char ptx[] =
        PTX_HEAD BODY("big",
                      ".local .align 4 .b8 l[2048];\nmov.u64 %rd4, l; mov.u32 %r4, 0;\n"
                      "L: mul.wide.u32 %rd5, %r4, 4; add.u64 %rd5, %rd4, %rd5;\n"
                      "st.local.u32 [%rd5], 0xdead; add.u32 %r4, %r4, 1;\n"
                      "setp.lt.u32 %p1, %r4, 60; @%p1 bra L;\n"
                      "mov.u32 %r5, %smid; st.global.u32 [%rd0], %r5;")
            BODY("k",
                 ".local .align 4 .b8 l[64];\nmov.u64 %rd4, l; mov.u32 %r6, %smid;\n"
                 "ld.global.u32 %r7, [%rd0]; setp.eq.u32 %p2, %r6, %r7;\n"
                 "selp.u32 %r8, 4000, 20000, %p2; @!%p2 bra S;\nW:\n"
                 "setp.ge.u32 %p3, %r1, 32; @%p3 bra B;\nmov.u32 %r4, 0;\n"
                 "D: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, %r8; @%p1 bra D;\n"
                 "B: bar.sync 0; @!%p2 bra R;\n"
                 "S: mov.u32 %r4, 0;\n"
                 "L: mul.wide.u32 %rd5, %r4, 4; add.u64 %rd5, %rd4, %rd5;\n"
                 "mad.lo.u32 %r9, %r0, 16, %r4; st.local.u32 [%rd5], %r9;\n"
                 "add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 16; @%p1 bra L;\n"
                 "bar.sync 0; @!%p2 bra W;\n"
                 "R: mov.u32 %r4, 0; mov.u32 %r10, 0;\n"
                 "M: mul.wide.u32 %rd5, %r4, 4; add.u64 %rd5, %rd4, %rd5;\n"
                 "ld.local.u32 %r9, [%rd5]; mad.lo.u32 %r11, %r0, 16, %r4;\n"
                 "setp.ne.u32 %p1, %r9, %r11; @%p1 add.u32 %r10, %r10, 1;\n"
                 "add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 16; @%p1 bra M;\n"
                 "st.global.u32 [%rd1 + 256], %r10;");
    struct dt *t = dt_open("gpu.sms=2", ptx);

    (void)state;
    dt_run(t, "big", 1, 64);
    dt_run(t, "k", 2, 1024);
    for (uint32_t i = 0; i < 2048; i++) {
        assert_int_equal(t->words[64 + i], 0);
    }
    dt_close(t);
}

/* ---- coherence ---- */

/* Two SMs. Block 0 reads a word into its L1, tells block 1 by an atomic, waits until
 * block 1 has changed the word and said so, and reads it again in three ways. */
static void test_l1_is_not_coherent(void **state)
{
    static const char ptx[] = PTX_HEAD BODY(
        "k",
        "setp.eq.u32 %p1, %r2, 1; @%p1 bra W;\n"
        "ld.global.ca.u32 %r4, [%rd2 + 400];\nadd.u32 %r20, %r4, 0; membar.gl;\n"
        "atom.global.add.u32 %r5, [%rd0 + 4096], 1;\n"
        "A: atom.global.add.u32 %r6, [%rd0 + 4224], 0; setp.eq.u32 %p2, %r6, 0;\n"
        "@%p2 bra A;\n"
        "ld.global.ca.u32 %r7, [%rd2 + 400];\nld.global.cg.u32 %r8, [%rd2 + 400];\n"
        "ld.volatile.global.u32 %r9, [%rd2 + 400];\n"
        "st.global.u32 [%rd0], %r20; st.global.u32 [%rd0 + 4], %r7;\n"
        "st.global.u32 [%rd0 + 8], %r8; st.global.u32 [%rd0 + 12], %r9; exit;\n"
        "W: atom.global.add.u32 %r6, [%rd0 + 4096], 0; setp.eq.u32 %p2, %r6, 0;\n"
        "@%p2 bra W;\nst.global.u32 [%rd2 + 400], 777; membar.gl;\n"
        "atom.global.add.u32 %r5, [%rd0 + 4224], 1;")
        BODY("later", "ld.global.ca.u32 %r4, [%rd2 + 400]; st.global.u32 [%rd1], %r4;");
    struct dt *t = dt_open("gpu.sms=2", ptx);

    (void)state;
    dt_run(t, "k", 2, 1);
    assert_int_equal(t->words[0], 100);
    assert_int_equal(t->words[1], 100); /* stale: the L1 still has it */
    assert_int_equal(t->words[2], 777); /* .cg asks the L2 */
    assert_int_equal(t->words[3], 777);
    dt_run(t, "later", 2, 1); /* a kernel starts with an empty L1 */
    assert_int_equal(t->words[0], 777);
    assert_int_equal(t->words[1], 777);
    dt_close(t);
}

/* Block 0 has the word in its L1 when block 1 changes it; what it reads behind a fence.
 * first: what precedes the fence, an access under way or nothing. */
static uint32_t behind_fence(const char *preset, const char *head, const char *first,
                             const char *fence)
{
    static const char body[] =
        BODY("k",
             "setp.eq.u32 %p1, %r2, 1; @%p1 bra W;\n"
             "ld.global.ca.u32 %r4, [%rd2 + 400]; add.u32 %r20, %r4, 0;\n"
             "atom.global.add.u32 %r5, [%rd0 + 4096], 1;\n"
             "A: atom.global.add.u32 %r6, [%rd0 + 4224], 0; setp.eq.u32 %p2, %r6, 0;\n"
             "@%p2 bra A;\n"
             "// here\n"
             "ld.global.ca.u32 %r7, [%rd2 + 400]; st.global.u32 [%rd0], %r7; exit;\n"
             "W: atom.global.add.u32 %r6, [%rd0 + 4096], 0; setp.eq.u32 %p2, %r6, 0;\n"
             "@%p2 bra W;\nst.global.u32 [%rd2 + 400], 777; membar.gl;\n"
             "atom.global.add.u32 %r5, [%rd0 + 4224], 1;");
    const char *here = strstr(body, "// here");
    char ptx[4096];
    uint32_t seen;
    struct dt *t;

    (void)snprintf(ptx, sizeof(ptx), "%s%.*s%s %s\n%s", head, (int)(here - body), body,
                   first, fence, here);
    t = dt_open_with(preset, "gpu.sms=2", NULL, ptx);
    dt_run(t, "k", 2, 1);
    seen = t->words[0];
    dt_close(t);
    return seen;
}

/* SPEC L1-5: from 7.0 on a fence that reaches beyond the block empties the L1 when it
 * ends, at once or with the last access under way. */
static void test_fences(void **state)
{
    static const char *const firsts[] = {"",
                                         "ld.volatile.global.u32 %r9, [%rd0 + 4096];"};
    static const struct {
        const char *fence;
        uint32_t seen;
    } want[] = {{"", 100},
                {"membar.cta;", 100},
                {"fence.acq_rel.cta;", 100},
                {"membar.gl;", 777},
                {"fence.acq_rel.gpu;", 777},
                {"fence.sc.gpu;", 777},
                {"membar.sys;", 777},
                {"ld.acquire.cta.global.u32 %r9, [%rd0 + 4096];", 100},
                {"ld.acquire.gpu.global.u32 %r9, [%rd0 + 4096];", 777},
                {"ld.acquire.sys.global.u32 %r9, [%rd0 + 4096];", 777},
                {"atom.global.add.u32 %r9, [%rd0 + 4100], 1;", 100},
                {"atom.acq_rel.gpu.global.add.u32 %r9, [%rd0 + 4100], 1;", 777},
                {"atom.acquire.gpu.global.add.u32 %r9, [%rd0 + 4100], 1;", 777}};
    static const char head_70[] = ".version 6.0\n.target sm_70\n.address_size 64\n";
    static const char head_20[] = ".version 3.1\n.target sm_20\n.address_size 64\n";

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(want) * ARRAY_LEN(firsts); i++) {
        const char *first = firsts[i / ARRAY_LEN(want)];
        uint32_t k = i % ARRAY_LEN(want);

        assert_int_equal(behind_fence("v100", head_70, first, want[k].fence),
                         want[k].seen);
    }
    assert_int_equal(behind_fence("gtx480", head_20, "", "membar.gl;"), 100);
}

/* Cycles that an instruction holds a warp which has just stored. */
static uint32_t behind_store(const char *inst)
{
    static const char body[] =
        BODY("k", "st.global.u32 [%rd0 + 8192], 1;\nmov.u32 %r5, %clock;\n"
                  "// here\n"
                  "mov.u32 %r6, %clock;\nsub.u32 %r6, %r6, %r5;\n"
                  "st.global.u32 [%rd0], %r6;");
    const char *here = strstr(body, "// here");
    char ptx[4096];
    uint32_t cycles;
    struct dt *t;

    (void)snprintf(ptx, sizeof(ptx), "%s%.*s%s\n%s",
                   ".version 6.0\n.target sm_70\n.address_size 64\n",
                   (int)(here - body), body, inst, here);
    t = dt_open_with("v100", "gpu.sms=1", NULL, ptx);
    dt_run(t, "k", 1, 1);
    cycles = t->words[0];
    dt_close(t);
    return cycles;
}

/* What is released waits until what was stored before is there, what is relaxed does
 * not. SPEC FENCE-1. */
static void test_release(void **state)
{
    (void)state;
    assert_in_range(behind_store("st.relaxed.gpu.global.u32 [%rd0 + 64], 1;"), 1, 40);
    assert_in_range(behind_store("red.relaxed.gpu.global.add.u32 [%rd0 + 64], 1;"), 1,
                    40);
    assert_in_range(behind_store("st.release.gpu.global.u32 [%rd0 + 64], 1;"), 150,
                    1000);
    assert_in_range(behind_store("red.release.gpu.global.add.u32 [%rd0 + 64], 1;"), 150,
                    1000);
    assert_in_range(behind_store("setp.ne.u32 %p1, %r2, %r2; @%p1 "
                                 "st.release.gpu.global.u32 [%rd0 + 64], 1;"),
                    1, 80);
    /* a branch that becomes a guard */
    assert_in_range(behind_store("setp.ne.u32 %p1, %r2, %r2; @%p1 bra Q;\n"
                                 "st.release.gpu.global.u32 [%rd0 + 64], 1;\nQ:"),
                    150, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_release),
        cmocka_unit_test(test_local_memory_of_the_next_kernel),
        cmocka_unit_test(test_l1_is_not_coherent),
        cmocka_unit_test(test_fences),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
