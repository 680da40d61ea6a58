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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_local_memory_of_the_next_kernel),
        cmocka_unit_test(test_l1_is_not_coherent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
