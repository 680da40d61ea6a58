/*
 * Asynchronous copies and mbarriers of one SM: what arrives where, in which cycle, and
 * who waits for it (SPEC ASYNC-1..5).
 */
#include "sm/sm_test.h"

#define AMPERE "test.compute_capability=8.0 "
#define HOPPER "test.compute_capability=9.0 "

/* %r4: tid * 16; %r5: buf + that; %rd4: in + that. */
#define TILE                                                                           \
    ".shared .align 16 .b8 buf[2048]; .shared .align 8 .b64 bar[4];\n"                 \
    "shl.b32 %r4, %r1, 4; mov.u32 %r5, buf; add.u32 %r5, %r5, %r4;\n"                  \
    "cvt.u64.u32 %rd4, %r4; add.u64 %rd4, %rd4, %rd2; mov.u32 %r6, bar;\n"

/* All sizes, with what is read less than what is written. */
static void test_sizes(void **state)
{
    static const struct {
        const char *copy;
        uint32_t words, read; /* words written, bytes read */
    } rows[] = {
        {"cp.async.ca.shared.global [%r5], [%rd4], 4;", 1, 4},
        {"cp.async.ca.shared.global [%r5], [%rd4], 8;", 2, 8},
        {"cp.async.ca.shared.global [%r5], [%rd4], 16;", 4, 16},
        {"cp.async.cg.shared.global [%r5], [%rd4], 16;", 4, 16},
        {"cp.async.cg.shared.global.L2::128B [%r5], [%rd4], 16;", 4, 16},
        {"cp.async.ca.shared.global [%r5], [%rd4], 4, 3;", 1, 3},
        {"cp.async.ca.shared.global [%r5], [%rd4], 8, 5;", 2, 5},
        {"cp.async.cg.shared.global [%r5], [%rd4], 16, 0;", 4, 0},
        {"cp.async.cg.shared.global [%r5], [%rd4], 16, %r8;", 4, 6},
        {"cp.async.cg.shared.global [%r5], [%rd4], 16, %p1;", 4, 0},
        {"cp.async.cg.shared.global [%r5], [%rd4], 16, !%p1;", 4, 16},
    };

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
        char ptx[2048];
        uint32_t v[128];

        (void)snprintf(
            ptx, sizeof(ptx), "%s%s%s%s", PTX_HEAD,
            BODY("k", TILE "mov.u32 %r8, 6; setp.eq.u32 %p1, %r8, 6;\n"
                           "mov.u32 %r9, -1; st.shared.v4.u32 [%r5], {%r9,%r9,%r9,%r9};"
                           "#"),
            "", "");
        {
            char *at = strchr(ptx, '#'), tail[1024];

            (void)
                snprintf(tail, sizeof(tail), "%s",
                         "\ncp.async.wait_all;\n"
                         "ld.shared.v4.u32 {%r10,%r11,%r12,%r13}, [%r5];\n"
                         "cvt.u64.u32 %rd5, %r4; add.u64 %rd5, %rd5, %rd0;\n"
                         "st.global.v4.u32 [%rd5], {%r10,%r11,%r12,%r13};\nexit;\n}\n");
            (void)snprintf(at, sizeof(ptx) - (size_t)(at - ptx), "%s%s", rows[i].copy,
                           tail);
        }
        (void)st_once(AMPERE, ptx, 32, v, 128);
        for (uint32_t k = 0; k < 128; k++) {
            uint32_t at = k % 4 * 4, left = rows[i].read > at ? rows[i].read - at : 0;
            uint32_t want = left >= 4 ? k : k & ((1u << 8 * left) - 1);

            assert_int_equal(v[k], k % 4 < rows[i].words ? want : UINT32_MAX);
        }
    }
}

/* In which cycle the warp goes on: that of the copy's store, and one for the wait. */
static uint32_t cycles_of(const char *settings, const char *copies)
{
    char ptx[2048];
    uint32_t v[32];

    (void)snprintf(ptx, sizeof(ptx), "%s", PTX_HEAD BODY("k", TILE "#"));
    (void)
        snprintf(strchr(ptx, '#'), 1024,
                 "mov.u32 %%r10, %%clock; %s cp.async.wait_all; mov.u32 %%r11, "
                 "%%clock;\nsub.u32 %%r11, %%r11, %%r10; st.global.u32 [%%rd1], %%r11;"
                 "\nexit;\n}\n",
                 copies);
    (void)st_once(settings, ptx, 32, v, 32);
    return v[0];
}

#define COPY "cp.async.cg.shared.global [%r5], [%rd4], 16;\n"

/* A copy takes as long as its load and, behind that, its store: each cycle that memory
 * takes longer, and each that shared memory does, it takes longer. */
static void test_time(void **state)
{
    const uint32_t base = cycles_of(AMPERE "test.latency=60", COPY);
    const uint32_t none = cycles_of(AMPERE "test.latency=60", "");

    (void)state;
    assert_true(none < 12);
    assert_true(base > 60 + 12 / 2);
    assert_int_equal(cycles_of(AMPERE "test.latency=61", COPY), base + 1);
    assert_int_equal(cycles_of(AMPERE "test.latency=160", COPY), base + 100);
    assert_int_equal(cycles_of(AMPERE "test.latency=60 sm.smem.latency=22", COPY),
                     base + 10);
    /* nothing is read: no way to memory */
    assert_true(cycles_of(AMPERE "test.latency=1000",
                          "cp.async.cg.shared.global [%r5], [%rd4], 16, 0;\n") < 60);
}

/* No register waits: what follows the copy issues at once. */
static void test_is_asynchronous(void **state)
{
    static const char ptx[] =
        PTX_HEAD BODY("k", TILE "mov.u32 %r10, %clock;\n" COPY COPY
                                "mov.u32 %r11, %clock; sub.u32 %r11, %r11, %r10;\n"
                                "st.global.u32 [%rd1], %r11;");
    uint32_t v[32];

    (void)state;
    (void)st_once(AMPERE "test.latency=5000", ptx, 32, v, 32);
    assert_true(v[0] < 60);
}

/* The second wait ends 1000 cycles after the first: the group of the slow copy (its
 * lines are many) is not waited for. Two groups, wait_group 1 then 0. */
static void test_groups(void **state)
{
    static const char ptx[] = PTX_HEAD BODY(
        "k", TILE "mov.u32 %r12, 0;\n" COPY "cp.async.commit_group; nanosleep.u32 1;\n"
                  "L: add.u32 %r12, %r12, 1; setp.lt.u32 %p1, %r12, 100; @%p1 bra L;\n"
                  "add.u32 %r5, %r5, 512; add.u64 %rd4, %rd4, 4096;\n" COPY
                  "cp.async.commit_group; mov.u32 %r10, %clock;\n"
                  "cp.async.wait_group 1; mov.u32 %r11, %clock;\n"
                  "cp.async.wait_group 0; mov.u32 %r13, %clock;\n"
                  "sub.u32 %r11, %r11, %r10; sub.u32 %r13, %r13, %r10;\n"
                  "ld.shared.u32 %r14, [%r5]; and.b32 %r15, %r1, 1;\n"
                  "setp.eq.u32 %p2, %r15, 0; selp.u32 %r11, %r11, %r13, %p2;\n"
                  "setp.eq.u32 %p2, %r1, 31; selp.u32 %r11, %r14, %r11, %p2;\n"
                  "st.global.u32 [%rd1], %r11;");
    uint32_t v[32];

    (void)state;
    (void)st_once(AMPERE "test.latency=2000", ptx, 32, v, 32);
    assert_true(v[0] > 200 && v[0] < 1700); /* the first group began so much earlier */
    assert_true(v[1] > 1990);
    assert_int_equal(v[31], 1024 + 31 * 4);
}

/* Lanes that went different ways have groups of their own. */
static void test_divergent_groups(void **state)
{
    static const char ptx[] =
        PTX_HEAD BODY("k", TILE
                      "and.b32 %r7, %r1, 1; setp.eq.u32 %p1, %r7, 0;\n"
                      "@%p1 bra EVEN;\n" COPY "cp.async.commit_group; bra J;\n"
                      "EVEN: cp.async.commit_group; cp.async.commit_group;\n"
                      "J: bar.warp.sync -1; mov.u32 %r10, %clock;\n"
                      "@%p1 cp.async.wait_group 0; mov.u32 %r11, %clock;\n"
                      "@!%p1 cp.async.wait_group 0; mov.u32 %r12, %clock;\n"
                      "sub.u32 %r11, %r11, %r10; sub.u32 %r12, %r12, %r10;\n"
                      "selp.u32 %r11, %r11, %r12, %p1; st.global.u32 [%rd1], %r11;");
    uint32_t v[32];

    (void)state;
    (void)st_once(AMPERE "test.latency=3000", ptx, 32, v, 32);
    assert_true(v[0] < 200); /* an even lane has copied nothing */
    assert_true(v[1] > 2000);
}

/* A block with copies under way does not end. */
static void test_block_waits(void **state)
{
    static const char ptx[] = PTX_HEAD BODY("k", TILE COPY);
    struct st *t = st_open(AMPERE "test.latency=3000", ptx);

    (void)state;
    st_run(t, "k", 2, 32); /* st_run asks that nothing is left */
    assert_true(t->back[0].done_at - t->back[0].started_at > 3000);
    assert_int_equal(st_counters(t, 0).cp_insts, 2);
    assert_int_equal(st_counters(t, 0).cp_sectors, 2 * 16);
    assert_int_equal(st_counters(t, 0).cp_wavefronts, 0); /* past the L1 */
    assert_int_equal(st_counters(t, 0).sh_st_insts, 0);
    st_close(t);
}

/* ---- mbarriers ---- */

#define INIT "@%p3 mbarrier.init.shared.b64 [%r6], 64;\nbar.sync 0;\n"
#define P3   "setp.eq.u32 %p3, %r1, 0;\n"

/* Two warps: each thread writes, arrives, waits, and reads what another one wrote. */
static void test_arrive_and_wait(void **state)
{
    static const char *const waits[] = {
        "W: mbarrier.test_wait.shared.b64 %p4, [%r6], %rd7; @!%p4 bra W;\n",
        "W: mbarrier.try_wait.shared.b64 %p4, [%r6], %rd7; @!%p4 bra W;\n",
        "W: mbarrier.test_wait.parity.shared.b64 %p4, [%r6], 0; @!%p4 bra W;\n",
        "W: mbarrier.try_wait.parity.shared.b64 %p4, [%r6], 0, 500; @!%p4 bra W;\n",
    };

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(waits); i++) {
        char ptx[4096];
        uint32_t v[64];

        (void)snprintf(ptx, sizeof(ptx), "%s",
                       PTX_HEAD BODY("k", TILE P3 INIT
                                     "st.shared.u32 [%r5], %r1;\n"
                                     "mbarrier.arrive.shared.b64 %rd7, [%r6];\n#"));
        (void)snprintf(strchr(ptx, '#'), 1024,
                       "%sxor.b32 %%r7, %%r1, 63; shl.b32 %%r7, %%r7, 4; mov.u32 %%r8, "
                       "buf;\nadd.u32 %%r7, %%r7, %%r8; ld.shared.u32 %%r9, [%%r7];\n"
                       "st.global.u32 [%%rd1], %%r9;\nexit;\n}\n",
                       waits[i]);
        (void)st_once(HOPPER, ptx, 64, v, 64);
        for (uint32_t k = 0; k < 64; k++) {
            assert_int_equal(v[k], k ^ 63);
        }
    }
}

/* try_wait sleeps until its limit, and no longer; an arrival wakes it before. */
static void test_sleep(void **state)
{
    static const char never[] =
        PTX_HEAD BODY("k", TILE P3 INIT
                      "mov.u32 %r10, %clock;\n"
                      "mbarrier.try_wait.parity.shared.b64 %p4, [%r6], 0;\n"
                      "selp.u32 %r12, 1, 0, %p4; mov.u32 %r11, %clock;\n"
                      "sub.u32 %r11, %r11, %r10; shl.b32 %r12, %r12, 20;\n"
                      "add.u32 %r11, %r11, %r12; st.global.u32 [%rd1], %r11;");
    static const char woken[] = PTX_HEAD BODY(
        "k", TILE P3 INIT
        "setp.ge.u32 %p5, %r1, 32; @%p5 bra LATE;\n"
        "mbarrier.arrive.shared.b64 _, [%r6]; mov.u32 %r10, %clock;\n"
        "mbarrier.try_wait.parity.shared.b64 %p4, [%r6], 0;\n"
        "selp.u32 %r12, 1, 0, %p4; mov.u32 %r11, %clock; sub.u32 %r11, %r11, %r10;\n"
        "shl.b32 %r12, %r12, 20; add.u32 %r11, %r11, %r12;\n"
        "st.global.u32 [%rd1], %r11; exit;\n"
        "LATE: mov.u32 %r12, 0;\n"
        "L: add.u32 %r12, %r12, 1; setp.lt.u32 %p1, %r12, 50; @%p1 bra L;\n"
        "mbarrier.arrive.shared.b64 _, [%r6];");
    /* What the lanes do behind a wait is not what they waited for. */
    static const char later[] = PTX_HEAD BODY(
        "k", TILE "mad.lo.u32 %r6, %r1, 8, %r5; mbarrier.init.shared.b64 [%r6], 1;\n"
                  "mbarrier.try_wait.parity.shared.b64 %p4, [%r6], 0;\n"
                  "mbarrier.arrive.shared.b64 _, [%r6];\n"
                  "selp.u32 %r11, 1, 0, %p4; st.global.u32 [%rd1], %r11;");
    /* Neither is it behind two waits, of which the second one's answer comes last. */
    static const char twice[] = PTX_HEAD BODY(
        "k", TILE "mad.lo.u32 %r6, %r1, 8, %r5; mbarrier.init.shared.b64 [%r6], 2;\n"
                  "mbarrier.arrive.shared.b64 %rd4, [%r6];\n"
                  "mbarrier.try_wait.shared.b64 %p5, [%r6], %rd4;\n"
                  "mbarrier.try_wait.shared.b64 %p4, [%r6], %rd4;\n"
                  "mbarrier.arrive.shared.b64 _, [%r6];\n"
                  "selp.u32 %r11, 1, 0, %p4; selp.u32 %r12, 2, 0, %p5;\n"
                  "add.u32 %r11, %r11, %r12; st.global.u32 [%rd1], %r11;");
    uint32_t a[64], b[64];

    (void)state;
    (void)st_once(HOPPER "sm.try_wait=5000", twice, 64, a, 64);
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(a[i], 0);
    }
    (void)st_once(HOPPER "sm.try_wait=5000", later, 64, a, 64);
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(a[i], 0);
    }
    (void)st_once(HOPPER "sm.try_wait=5000", never, 64, a, 64);
    (void)st_once(HOPPER "sm.try_wait=5001", never, 64, b, 64);
    assert_true(a[0] > 5000 && a[0] < 5200);
    assert_int_equal(b[0], a[0] + 1);
    (void)st_once(HOPPER "sm.try_wait=5000", woken, 64, a, 64);
    assert_true(a[0] > (1u << 20) + 300 && a[0] < (1u << 20) + 2000);
}

/* cp.async.mbarrier.arrive comes when the copies have, with and without .noinc. */
static void test_late_arrival(void **state)
{
    static const char *const arrive[] = {
        "cp.async.mbarrier.arrive.noinc.shared.b64 [%r6];\n",
        "cp.async.mbarrier.arrive.shared.b64 [%r6];\n"
        "mbarrier.arrive.shared.b64 _, [%r6];\n"};

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        char ptx[4096];
        uint32_t v[64];

        (void)snprintf(ptx, sizeof(ptx), "%s",
                       PTX_HEAD BODY("k",
                                     TILE P3 INIT "mov.u32 %r10, %clock;\n" COPY "#"));
        (void)snprintf(
            strchr(ptx, '#'), 1024,
            "%sW: mbarrier.test_wait.parity.shared.b64 %%p4, [%%r6], 0; @!%%p4 bra W;\n"
            "mov.u32 %%r11, %%clock; xor.b32 %%r7, %%r1, 63; shl.b32 %%r7, %%r7, 4;\n"
            "mov.u32 %%r8, buf; add.u32 %%r7, %%r7, %%r8;\n"
            "ld.shared.u32 %%r9, [%%r7]; sub.u32 %%r11, %%r11, %%r10;\n"
            "setp.eq.u32 %%p5, %%r1, 5; selp.u32 %%r9, %%r11, %%r9, %%p5;\n"
            "st.global.u32 [%%rd1], %%r9;\nexit;\n}\n",
            arrive[i]);
        (void)st_once(AMPERE "test.latency=1500", ptx, 64, v, 64);
        assert_true(v[5] > 1500 && v[5] < 2500);
        for (uint32_t k = 6; k < 64; k++) {
            assert_int_equal(v[k], (k ^ 63) * 4);
        }
    }
}

/* ---- faults ---- */

static void test_faults(void **state)
{
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"add.u32 %r5, %r5, 8;\n" COPY, "misaligned"},
        {"add.u64 %rd4, %rd4, 8;\n" COPY, "misaligned"},
        {"add.u32 %r5, %r5, 4096;\n" COPY, "shared store of 16 bytes"},
        {"add.u64 %rd4, %rd4, 131072;\n" COPY, "out of bounds"},
        {"add.u32 %r6, %r6, 4; mbarrier.init.shared.b64 [%r6], 1;\n", "misaligned"},
        {"mbarrier.init.b64 [%rd4], 1;\n", "an mbarrier lies in shared memory"},
    };

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
        char ptx[2048];
        struct st *t;

        (void)snprintf(ptx, sizeof(ptx), "%s", PTX_HEAD BODY("k", TILE "#"));
        (void)snprintf(strchr(ptx, '#'), 512, "%sexit;\n}\n", rows[i].text);
        t = st_open(AMPERE, ptx);
        st_start(t, "k", st_line(1, 32));
        assert_int_equal(st_finish(t), ST_FAULT);
        if (strstr(t->fault.text, rows[i].says) == NULL) {
            fail_msg("%s: \"%s\"", rows[i].text, t->fault.text);
        }
        st_close(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_is_asynchronous),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_divergent_groups),
        cmocka_unit_test(test_block_waits),
        cmocka_unit_test(test_arrive_and_wait),
        cmocka_unit_test(test_sleep),
        cmocka_unit_test(test_late_arrival),
        cmocka_unit_test(test_faults),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
