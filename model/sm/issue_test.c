/* How much issues at once: pairs of one warp, intervals between memory instructions,
 * double precision, and delays of any length. The clock is read at issue. */
#include "sm/sm_test.h"

#define ADD(d) "add.u32 %r" d ", %r1, %r1;\n"
#define MUL(d) "mul.lo.u32 %r" d ", %r1, %r1;\n"
#define TEN(x)                                                                         \
    x("20") x("21") x("22") x("23") x("24") x("25") x("26") x("27") x("28") x("29")
#define SUM(r) "xor.b32 %r13, %r13, %r" r ";\n"
#define ACC(d) "add.u32 %r" d ", %r" d ", %r1;\n"
#define CHAIN  ADD("20") ACC("20") ACC("20") ACC("20")

/* text between two readings of the clock, for every thread at once; out[2 t] and
 * out[2 t + 1] are the two readings. */
#define TIMED(text)                                                                    \
    PTX_HEAD ".shared .align 16 .b8 s[4096];\n" BODY(                                  \
        "k", "mul.wide.u32 %rd3, %r0, 8; add.u64 %rd3, %rd0, %rd3; mov.u32 %r13, 0;\n" \
             "shl.b32 %r4, %r1, 2; cvt.rn.f64.u32 %fd1, %r1; mov.u32 %r3, %r1;\n"      \
             "and.b32 %r4, %r4, 127; mov.f64 %fd2, %fd1; mov.u32 %r5, s; add.u32 "     \
             "%r4, %r4, %r5;\n"                                                        \
             "bar.sync 0; bar.sync 0;\n"                                               \
             "mov.u32 %r10, %clock;\n" text "mov.u32 %r11, %clock;\n"                  \
             "bar.sync 0; st.global.v2.u32 [%rd3], {%r10, %r11};\n" TEN(               \
                 SUM) "st.global.u32 [%rd0 + 32768], %r13;\n")

static struct smw_counters timed(const char *settings, const char *ptx,
                                 uint32_t threads, uint32_t *readings)
{
    return st_once(settings, ptx, threads, readings, 2 * threads);
}

/* Cycles between the readings of warp w. */
static uint32_t cycles_of(const char *settings, const char *ptx, uint32_t threads,
                          uint32_t w)
{
    uint32_t v[2048];

    (void)timed(settings, ptx, threads, v);
    return v[64 * w + 1] - v[64 * w];
}

/* From the first reading of all warps to the last. */
static uint32_t span(const char *settings, const char *ptx, uint32_t threads)
{
    uint32_t v[2048], first = UINT32_MAX, last = 0;

    (void)timed(settings, ptx, threads, v);
    for (uint32_t t = 0; t < threads; t++) {
        first = v[2 * t] < first ? v[2 * t] : first;
        last = v[2 * t + 1] > last ? v[2 * t + 1] : last;
    }
    return last - first;
}

#define WIDE "sm.issue_width=2 "

static void test_pairs(void **state)
{
    uint32_t v[64];
    struct smw_counters one, two;

    (void)state;
    /* the reading and ten sums: six slots; the second reading goes with the last sum */
    assert_int_equal(cycles_of("", TIMED(TEN(ADD)), 32, 0), 11 * 2);
    assert_int_equal(cycles_of(WIDE, TIMED(TEN(ADD)), 32, 0), 11 / 2 * 2);
    assert_int_equal(cycles_of("sm.issue_interval=1 sm.pipe.iadd.throughput=64 " WIDE,
                               TIMED(TEN(ADD)), 32, 0),
                     11 / 2);
    one = timed("", TIMED(TEN(ADD)), 32, v);
    two = timed(WIDE, TIMED(TEN(ADD)), 32, v);
    assert_int_equal(one.pairs, 0);
    assert_true(two.pairs >= 6);
    assert_int_equal(one.warp_insts, two.warp_insts);
    assert_int_equal(one.issue_cycles, two.issue_cycles + two.pairs);
}

static void test_dependence_stops_pairing(void **state)
{
    (void)state;
    for (uint32_t lat = 2; lat <= 10; lat += 4) {
        char set[96];

        (void)snprintf(set, sizeof(set), WIDE "sm.pipe.iadd.latency=%u", lat);
        /* first reading with the first sum, second reading with the last */
        assert_int_equal(cycles_of(set, TIMED(CHAIN), 32, 0), 3 * lat);
    }
    /* one place written twice */
    assert_int_equal(cycles_of(WIDE "sm.pipe.iadd.latency=9",
                               TIMED(ADD("20") "add.u32 %r20, %r1, 7;\n"), 32, 0),
                     9);
}

static void test_pairs_need_a_free_pipe(void **state)
{
    static const char fast[] = WIDE "sm.pipe.imul.throughput=32";

    (void)state;
    /* 16 lanes take a product every second cycle, alone; the readings go with one */
    assert_int_equal(cycles_of(WIDE, TIMED(TEN(MUL)), 32, 0), 9 * 2);
    assert_int_equal(cycles_of(fast, TIMED(TEN(MUL)), 32, 0), 5 * 2);
    /* product and sum go together */
    assert_int_equal(cycles_of(WIDE,
                               TIMED(MUL("20") ADD("21") MUL("22") ADD("23") MUL("24")
                                         ADD("25")),
                               32, 0),
                     6);
}

static void test_nothing_goes_with_a_branch_or_barrier(void **state)
{
    static const char set[] = WIDE "sm.branch_latency=7 sm.barrier_latency=11";

    (void)state;
    /* the branch goes with the reading; what it leads to waits */
    assert_int_equal(cycles_of(set, TIMED("bra L;\nL:\n"), 32, 0), 7);
    assert_int_equal(cycles_of(set, TIMED("bar.sync 1;\n"), 32, 0), 11);
    assert_int_equal(cycles_of(set, TIMED("bar.arrive 2, 64;\n"), 32, 0), 2);
}

/* 48 lanes and two schedulers of two: three instructions in two cycles. 192 lanes and
 * four schedulers of two: six in a cycle, four without pairs. */
static void test_peak_of_many_lanes(void **state)
{
    static const char gf104[] = "sm.schedulers=2 sm.issue_width=2 "
                                "sm.pipe.iadd.throughput=48 sm.pipe.iadd.latency=18";
    static const char kepler[] = "sm.schedulers=4 sm.issue_width=2 sm.issue_interval=1 "
                                 "sm.pipe.iadd.throughput=192 sm.pipe.iadd.latency=9";
    static const char single[] = "sm.schedulers=4 sm.issue_interval=1 "
                                 "sm.pipe.iadd.throughput=192 sm.pipe.iadd.latency=9";
    static const char ptx[] = TIMED(TEN(ADD) TEN(ACC) TEN(ACC) TEN(ACC));
    const uint32_t sums = 16 * 40, readings = 16 * 2;

    (void)state;
    assert_in_range(span(gf104, ptx, 512), sums * 2 / 3,
                    (sums + readings) * 2 / 3 + 18);
    assert_in_range(span(kepler, ptx, 512), sums / 6, (sums + readings) / 6 + 12);
    assert_in_range(span(single, ptx, 512), (sums + readings) / 4 - 1,
                    (sums + readings) / 4 + 12);
}

/* A scheduler's memory instructions keep their distance, whatever comes between; others
 * do not wait. */
static void test_memory_interval(void **state)
{
    static const char four[] =
        TIMED("ld.shared.u32 %r20, [%r4];\nld.shared.u32 %r21, [%r4 + 128];\n"
              "ld.shared.u32 %r22, [%r4 + 256];\nld.shared.u32 %r23, [%r4 + 384];\n");
    static const char mixed[] = TIMED("ld.shared.u32 %r20, [%r4];\n" ADD("24") ADD(
        "25") ADD("26") "ld.shared.u32 %r21, [%r4 + 128];\n" ADD("27"));
    static const char base[] = "sm.issue_interval=1 sm.pipe.mem.throughput=32 "
                               "sm.lsu.lanes=32 sm.smem.interval=1 sm.mem_interval=";

    (void)state;
    for (uint32_t m = 1; m <= 9; m++) {
        char set[160];
        uint32_t second = m < 4 ? 4 : m; /* three sums lie between */

        (void)snprintf(set, sizeof(set), "%s%u", base, m);
        assert_int_equal(cycles_of(set, four, 32, 0), 1 + 3 * m + 1);
        assert_int_equal(cycles_of(set, mixed, 32, 0), 1 + second + 2);
        /* another scheduler feeds the unit meanwhile */
        (void)snprintf(set, sizeof(set), "sm.schedulers=2 %s%u", base, m);
        assert_in_range(span(set, four, 64), 1 + 3 * m + 1, 1 + 3 * m + 5);
    }
}

#define LOAD(space, d, at) "ld." space ".u32 %r" d ", [" at "];\n"
#define FOUR(space, at)                                                                \
    TIMED(LOAD(space, "20", at) LOAD(space, "21", at " + 128")                         \
              LOAD(space, "22", at " + 256") LOAD(space, "23", at " + 384"))

/* SPEC SCHED-2: two warps of a scheduler with four loads each. Greedy, the second,
 * whose reading of the clock issued last, has its four before the first has its second;
 * in the order in which they became ready, they take turns, once the second of the
 * first, which was ready before, is through. That is so of global memory alone. */
static void test_memory_in_order(void **state)
{
    static const char *const four[2] = {FOUR("shared", "%r4"), FOUR("global", "%rd0")};
    static const char base[] = "sm.issue_interval=1 sm.pipe.mem.throughput=32 "
                               "sm.lsu.lanes=32 sm.smem.interval=1 sm.schedulers=1 "
                               "sm.scheduler.policy=gto sm.mem_interval=%u "
                               "sm.scheduler.memory_fifo=%s";

    (void)state;
    for (uint32_t m = 5; m <= 9; m++) {
        for (uint32_t global = 0; global < 2; global++) {
            for (uint32_t in_order = 0; in_order < 2; in_order++) {
                const bool turns = global != 0 && in_order != 0;
                char set[256];

                (void)snprintf(set, sizeof(set), base, m,
                               in_order != 0 ? "true" : "false");
                assert_int_equal(cycles_of(set, four[global], 64, 0),
                                 (turns ? 5 : 7) * m + 2);
                assert_int_equal(cycles_of(set, four[global], 64, 1),
                                 (turns ? 7 : 4) * m);
            }
        }
    }
}

/* SPEC BANK-11: a scheduler's link takes feed_interval cycles for a wavefront where the
 * banks take one; two schedulers keep the banks busy between them. */
static void test_links_to_the_banks(void **state)
{
#define WAYS                                                                           \
    "mul.lo.u32 %r4, %r4, 32; and.b32 %r4, %r4, 4095;\n" /* 32 lanes, one bank */
#define LD(d) "ld.shared.u32 %r" d ", [%r4];\n"
#define USE   "xor.b32 %r14, %r20, %r21;\nxor.b32 %r15, %r22, %r23;\n"
    static const char two[] =
        TIMED(WAYS LD("20") LD("21") "xor.b32 %r14, %r20, %r21;\n");
    static const char four[] = TIMED(WAYS LD("20") LD("21") LD("22") LD("23") USE
                                     "xor.b32 %r14, %r14, %r15;\n");
    static const char base[] = "sm.schedulers=2 sm.issue_interval=1 sm.lsu.lanes=32 "
                               "sm.pipe.mem.throughput=32 sm.smem.interval=1 "
                               "sm.smem.feed_interval=";

    (void)state;
    for (uint32_t feed = 0; feed <= 4; feed++) {
        char set[192];
        uint32_t per_load = 32 * (feed < 2 ? 1 : feed);
        uint32_t alone, both;

        (void)snprintf(set, sizeof(set), "%s%u", base, feed);
        alone = cycles_of(set, four, 32, 0);
        assert_in_range(alone - cycles_of(set, two, 32, 0), 2 * per_load,
                        2 * per_load + 4); /* one more level of sums */
        both = span(set, four, 64);
        assert_in_range(both, 8 * 32, 8 * 32 + 2 * per_load);
    }
}

#define DADD "add.f64 %fd3, %fd1, %fd2; add.f64 %fd4, %fd1, %fd2;\n"

/* SPEC ISSUE-2: with fp64_blocks a double-precision instruction takes a turn of the
 * other scheduler: warp 1's sums take as long as all its and warp 0's turns. */
static void test_doubles_block_the_other_scheduler(void **state)
{
    static const char ptx[] = TIMED("setp.lt.u32 %p1, %r1, 32;\n@%p1 bra D;\n" TEN(
        ADD) TEN(ADD) TEN(ADD) "bra.uni E;\nD:\n" DADD DADD DADD DADD DADD "E:\n");
    static const char set[] = "sm.schedulers=2 sm.pipe.fp64.throughput=32 "
                              "sm.pipe.iadd.latency=2 sm.pipe.fp64.latency=2 "
                              "sm.fp64_blocks=%s";
    char on[160], off[160];
    uint32_t alone, both;

    (void)state;
    (void)snprintf(off, sizeof(off), set, "false");
    (void)snprintf(on, sizeof(on), set, "true");
    alone = cycles_of(off, ptx, 64, 1);
    both = cycles_of(on, ptx, 64, 1);
    assert_int_equal(both - alone, 10 * 2);
    assert_int_equal(cycles_of(on, ptx, 32, 0), cycles_of(off, ptx, 32, 0));
}

/* A delay longer than any ring: linear in the pipe's interval. */
static void test_long_delays_are_exact(void **state)
{
    static const char ptx[] =
        TIMED("sqrt.rn.f64 %fd3, %fd1;\ncvt.rzi.u32.f64 %r20, %fd3;\n");
    uint32_t at[4];

    (void)state;
    for (uint32_t k = 0; k < 4; k++) {
        char set[96];

        (void)snprintf(set, sizeof(set),
                       "sm.pipe.fp64.latency=499 sm.pipe.fp64.throughput=%u", 1u << k);
        at[k] = cycles_of(set, ptx, 32, 0);
    }
    assert_true(at[0] > 499 + 300);
    assert_int_equal(at[0] - at[1], 2 * (at[1] - at[2]));
    assert_int_equal(at[1] - at[2], 2 * (at[2] - at[3]));
}

/* A bit of everything: answers do not depend on how many issue at once. */
static void test_same_answers(void **state)
{
    static const char ptx[] = PTX_HEAD ".shared .align 16 .b8 s[4096];\n" BODY(
        "k", "shl.b32 %r4, %r1, 2; mov.u32 %r5, s; add.u32 %r5, %r5, %r4;\n"
             "mov.u32 %r6, 0; mov.u32 %r7, %r1;\n"
             "L: st.shared.u32 [%r5], %r7; bar.sync 0;\n"
             "add.u32 %r8, %r1, %r6; add.u32 %r8, %r8, 1; and.b32 %r8, %r8, 255;\n"
             "shl.b32 %r8, %r8, 2; mov.u32 %r9, s; add.u32 %r9, %r9, %r8;\n"
             "ld.shared.u32 %r10, [%r9]; mad.lo.u32 %r7, %r7, 5, %r10; bar.sync 0;\n"
             "and.b32 %r11, %r7, 1; setp.eq.u32 %p1, %r11, 0; @%p1 bra M;\n"
             "xor.b32 %r7, %r7, 0x5a5a; popc.b32 %r12, %r7; add.u32 %r7, %r7, %r12;\n"
             "M: add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, 12; @%p2 bra L;\n"
             "cvt.rn.f64.u32 %fd1, %r7; add.f64 %fd1, %fd1, %fd1;\n"
             "cvt.rzi.u32.f64 %r8, %fd1; xor.b32 %r7, %r7, %r8;\n"
             "st.global.u32 [%rd1], %r7;");
    static const char *const sets[] = {
        "",
        "sm.schedulers=1 sm.issue_width=2 sm.issue_interval=4",
        "sm.schedulers=2 sm.issue_width=2 sm.fp64_blocks=true",
        "sm.schedulers=4 sm.issue_width=2 sm.issue_interval=1 sm.mem_interval=2",
        "sm.schedulers=4 sm.issue_interval=1 sm.mem_interval=7 sm.scheduler.policy=gto",
        "sm.schedulers=3 sm.issue_width=2 sm.scheduler.policy=two_level",
    };
    uint32_t want[256], v[256];

    (void)state;
    (void)st_once(sets[0], ptx, 256, want, 256);
    for (uint32_t i = 1; i < sizeof(sets) / sizeof(sets[0]); i++) {
        (void)st_once(sets[i], ptx, 256, v, 256);
        assert_memory_equal(v, want, sizeof(v));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_dependence_stops_pairing),
        cmocka_unit_test(test_pairs_need_a_free_pipe),
        cmocka_unit_test(test_nothing_goes_with_a_branch_or_barrier),
        cmocka_unit_test(test_peak_of_many_lanes),
        cmocka_unit_test(test_memory_interval),
        cmocka_unit_test(test_memory_in_order),
        cmocka_unit_test(test_links_to_the_banks),
        cmocka_unit_test(test_doubles_block_the_other_scheduler),
        cmocka_unit_test(test_long_delays_are_exact),
        cmocka_unit_test(test_same_answers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
