/* What warps do, by their answers first and their counters second: barriers, generic
 * addresses, divergence, calls, printf. */
#include "sm/sm_test.h"

/* ---- barriers ---- */

static void test_barrier_reductions(void **state)
{
    static const char ptx[] = PTX_HEAD BODY(
        "k",
        "and.b32 %r4, %r1, 1; setp.eq.u32 %p1, %r4, 0; setp.lt.u32 %p2, %r1, 200;\n"
        "setp.eq.u32 %p3, %r1, 95; setp.eq.u32 %p6, %r1, 300;\n"
        "bar.red.popc.u32 %r5, 0, %p1;\nbar.red.and.pred %p4, 0, %p2;\n"
        "bar.red.or.pred %p5, 0, %p3;\nbar.red.popc.u32 %r6, 3, !%p3;\n"
        "bar.red.and.pred %p7, 0, !%p3;\nbar.red.or.pred %p8, 0, %p6;\n"
        "selp.u32 %r7, 1, 0, %p4; selp.u32 %r8, 2, 0, %p5; selp.u32 %r9, 4, 0, %p7;\n"
        "selp.u32 %r10, 8, 0, %p8; or.b32 %r7, %r7, %r8; or.b32 %r7, %r7, %r9;\n"
        "or.b32 %r7, %r7, %r10; mad.lo.u32 %r7, %r6, 1000, %r7;\n"
        "mad.lo.u32 %r7, %r5, 1000000, %r7; st.global.u32 [%rd1], %r7;");
    uint32_t v[100];
    struct smw_counters c = st_once("", ptx, 100, v, 100);

    (void)state;
    for (uint32_t i = 0; i < 100;
         i++) { /* 50 even, 99 others, and: all, not; or: one, none */
        assert_int_equal(v[i], 50 * 1000000 + 99 * 1000 + 1 + 2);
    }
    assert_int_equal(c.barriers, 6 * 4);
    assert_int_equal(c.warps, 4);
}

/* Warps 0 and 1 at barrier 1, warps 2 and 3 at barrier 2: no pair waits for the other.
 */
static void test_named_barriers(void **state)
{
    static const char ptx[] = PTX_HEAD ".shared .u32 s[128];\n" BODY(
        "k", "mov.u32 %r4, s; mad.lo.u32 %r4, %r1, 4, %r4; st.shared.u32 [%r4], %r1;\n"
             "shr.u32 %r5, %r1, 6; add.u32 %r5, %r5, 1;\n"
             "setp.eq.u32 %p1, %r5, 2; @%p1 bra W;\n"
             "bar.sync %r5, 64;\nbra J;\nW: bar.sync %r5, 64;\nJ:\n"
             "xor.b32 %r6, %r1, 63; mov.u32 %r7, s; mad.lo.u32 %r7, %r6, 4, %r7;\n"
             "ld.shared.u32 %r8, [%r7]; st.global.u32 [%rd1], %r8;");
    uint32_t v[128];

    (void)state;
    (void)st_once("", ptx, 128, v, 128);
    for (uint32_t i = 0; i < 128; i++) {
        assert_int_equal(v[i], i ^ 63);
    }
}

/* The producer does not wait for the consumer; the consumer sees what was produced. */
static void test_arrive(void **state)
{
    static const char ptx[] = PTX_HEAD ".shared .u32 s[32];\n" BODY(
        "k",
        "and.b32 %r4, %r1, 31; mov.u32 %r5, s; mad.lo.u32 %r5, %r4, 4, %r5;\n"
        "setp.ge.u32 %p1, %r1, 32; @%p1 bra C;\n"
        "add.u32 %r6, %r1, 1000; st.shared.u32 [%r5], %r6; bar.arrive 1, 64;\n"
        "mov.u32 %r9, %clock; st.global.u32 [%rd1], %r9; exit;\n"
        "C: mov.u32 %r7, 0;\nL: add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, 20;\n"
        "@%p2 bra L;\nmov.u32 %r9, %clock; bar.sync 1, 64; ld.shared.u32 %r8, [%r5];\n"
        "st.global.u32 [%rd1], %r8; st.global.u32 [%rd1 + 512], %r9;");
    uint32_t v[256];

    (void)state;
    (void)st_once("", ptx, 64, v, 256);
    for (uint32_t i = 32; i < 64; i++) {
        assert_int_equal(v[i], 1000 + i - 32);
    }
    assert_true(v[0] < v[32 + 128]); /* gone before the consumer came */
}

/* Threads that have left are not waited for. */
static void test_barrier_after_exit(void **state)
{
    static const char ptx[] = PTX_HEAD BODY(
        "k",
        "setp.ge.u32 %p1, %r1, 40; @%p1 exit; bar.sync 0; bar.sync 0;\n"
        "setp.ge.u32 %p1, %r1, 32; @%p1 bra E; bar.sync 0; st.global.u32 [%rd1], 9;\n"
        "E:\n");
    uint32_t v[128];

    (void)state;
    (void)st_once("", ptx, 128, v, 128);
    for (uint32_t i = 0; i < 128; i++) {
        assert_int_equal(v[i], i < 32 ? 9 : 0);
    }
}

/* ---- generic addresses ---- */

/* Lanes 0..9 shared, 10..19 global, 20..25 local, 26..31 constant, in one instruction.
 */
static void test_generic_mix(void **state)
{
    static const char ptx[] = PTX_HEAD
        ".shared .u32 s[32];\n.const .u32 c[32] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, "
        "11, 12, "
        "13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, "
        "31};\n" BODY(
            "k",
            ".local .u32 l[4];\nmov.u64 %rd4, s; cvta.shared.u64 %rd4, %rd4;\n"
            "mov.u64 %rd5, l; add.u32 %r4, %r1, 3000; st.local.u32 [%rd5 + 8], %r4;\n"
            "cvta.local.u64 %rd5, %rd5; add.u64 %rd5, %rd5, 8;\n"
            "mov.u64 %rd6, c; cvta.const.u64 %rd6, %rd6;\n"
            "mul.wide.u32 %rd7, %r1, 4; add.u64 %rd4, %rd4, %rd7; add.u64 %rd6, %rd6, "
            "%rd7;\n"
            "add.u32 %r4, %r1, 1000; st.u32 [%rd4], %r4;\n"
            "add.u64 %rd8, %rd2, %rd7;\n"
            "setp.lt.u32 %p1, %r1, 10; setp.lt.u32 %p2, %r1, 20; setp.lt.u32 %p3, %r1, "
            "26;\n"
            "selp.u64 %rd9, %rd5, %rd6, %p3; selp.u64 %rd9, %rd8, %rd9, %p2;\n"
            "selp.u64 %rd9, %rd4, %rd9, %p1;\n"
            "ld.u32 %r5, [%rd9]; st.global.u32 [%rd1], %r5;");
    uint32_t v[32];
    struct smw_counters c = st_once("", ptx, 32, v, 32);

    (void)state;
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(v[i], i < 10 ? 1000 + i : i >= 20 && i < 26 ? 3000 + i : i);
    }
    /* one PTX instruction, but a load of each kind */
    assert_int_equal(c.sh_ld_insts, 1);
    assert_int_equal(c.gl_ld_insts, 1);
    assert_int_equal(c.lo_ld_insts, 1);
    assert_int_equal(c.const_insts, 1);
    assert_int_equal(c.sh_st_insts, 1);
    assert_int_equal(c.lo_st_insts, 1);
    assert_int_equal(c.gl_st_insts, 1);
    assert_int_equal(c.sh_ld_wavefronts, 1);
    assert_int_equal(c.gl_ld_requests, 1);
}

/* One instruction counts once however it is replayed. */
static void test_instruction_counts(void **state)
{
    static const char mix[] = PTX_HEAD ".shared .u32 s[32];\n" BODY(
        "k", "mov.u64 %rd4, s; cvta.shared.u64 %rd4, %rd4;\n"
             "setp.lt.u32 %p1, %r1, 10; selp.u64 %rd9, %rd4, %rd2, %p1;\n"
             "ld.u32 %r5, [%rd9]; st.global.u32 [%rd1], %r5;");
    static const char plain[] = PTX_HEAD ".shared .u32 s[32];\n" BODY(
        "k", "mov.u64 %rd4, s; cvta.shared.u64 %rd4, %rd4;\n"
             "setp.lt.u32 %p1, %r1, 10; selp.u64 %rd9, %rd2, %rd2, %p1;\n"
             "ld.u32 %r5, [%rd9]; st.global.u32 [%rd1], %r5;");
    uint32_t v[32];
    struct smw_counters a = st_once("", mix, 32, v, 32);
    struct smw_counters b = st_once("", plain, 32, v, 32);

    (void)state;
    assert_int_equal(a.warp_insts, b.warp_insts);
    assert_int_equal(a.thread_insts, b.thread_insts);
    assert_int_equal(a.thread_insts, 32 * a.warp_insts);
}

/* Predicated-off instructions issue, but no lane executes them. */
static void test_predicated_off(void **state)
{
    static const char ptx[] = PTX_HEAD BODY(
        "k", "setp.lt.u32 %p1, %r1, 5; setp.gt.u32 %p2, %r1, 99;\n"
             "@%p1 st.global.u32 [%rd1], 1;\n@%p2 st.global.u32 [%rd1], 2;\n"
             "@%p2 ld.global.u32 %r5, [%rd1];\n@%p2 bar.sync 0;\n@%p2 trap;\n");
    static const char none[] = PTX_HEAD BODY("k", "setp.lt.u32 %p1, %r1, 5;\n"
                                                  "setp.gt.u32 %p2, %r1, 99;\n");
    uint32_t v[32];
    struct smw_counters b = st_once("", none, 32, v, 32);
    struct smw_counters a = st_once("", ptx, 32, v, 32);

    (void)state;
    assert_int_equal(v[4], 1);
    assert_int_equal(v[5], 0);
    assert_int_equal(a.gl_st_insts, 1); /* without a lane it counts nowhere */
    assert_int_equal(a.gl_ld_insts, 0);
    assert_int_equal(a.barriers, 0);
    assert_int_equal(a.warp_insts - b.warp_insts, 5);
    assert_int_equal(a.thread_insts - b.thread_insts, 5);
    assert_int_equal(a.gl_st_wanted, 20);
}

/* ---- divergence ---- */

static void test_divergent_counts(void **state)
{
    static const char ptx[] = PTX_HEAD BODY(
        "k", "setp.lt.u32 %p1, %r1, 12; @%p1 bra A;\nadd.u32 %r4, %r1, 100;\nbra J;\n"
             "A: add.u32 %r4, %r1, 200;\nJ: st.global.u32 [%rd1], %r4;");
    uint32_t v[64];
    struct smw_counters c = st_once("", ptx, 64, v, 64);

    (void)state;
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(v[i], i < 12 ? 200 + i : 100 + i);
    }
    /* warp 0 splits, warp 1 jumps over; two ways for warp 0 */
    assert_int_equal(c.divergent, 1);
    assert_int_equal(c.branches, 2 + 2); /* @p1 bra in each, bra J in each */
}

/* A switch: a warp of k groups executes every lane once, whatever it issues again. */
static void test_switch(void **state)
{
    static const char ptx[] = PTX_HEAD BODY(
        "k", "and.b32 %r4, %r1, 3;\nT: .branchtargets A, B, C, A;\nbrx.idx %r4, T;\n"
             "A: mov.u32 %r5, 10;\nbra J;\nB: mov.u32 %r5, 20;\nbra J;\n"
             "C: mov.u32 %r5, 30;\nJ: st.global.u32 [%rd1], %r5;");
    static const char same[] = PTX_HEAD BODY(
        "k", "and.b32 %r4, %r1, 0;\nT: .branchtargets A, B, C, A;\nbrx.idx %r4, T;\n"
             "A: mov.u32 %r5, 10;\nbra J;\nB: mov.u32 %r5, 20;\nbra J;\n"
             "C: mov.u32 %r5, 30;\nJ: st.global.u32 [%rd1], %r5;");
    static const uint32_t want[] = {10, 20, 30, 10};
    uint32_t v[32];
    struct smw_counters b = st_once("", same, 32, v, 32);
    struct smw_counters c = st_once("", ptx, 32, v, 32);

    (void)state;
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(v[i], want[i & 3]);
    }
    /* the eight lanes of C do not execute "bra J" */
    assert_int_equal(c.thread_insts, b.thread_insts - 8);
}

/* ---- calls ---- */

/* Each thread recurses to a depth of its own; some do not call at all. */
static void test_recursion(void **state)
{
    static const char ptx[] = PTX_HEAD
        ".extern .func (.param .b32 r) sum (.param .b32 a);\n"
        ".func (.param .b32 r) sum (.param .b32 a)\n"
        "{ .reg .b32 %x, %y; .reg .pred %p; .param .b32 q; .param .b32 b;\n"
        "  ld.param.b32 %x, [a]; setp.eq.u32 %p, %x, 0; @%p bra Z;\n"
        "  sub.u32 %y, %x, 1; st.param.b32 [b], %y; call (q), sum, (b);\n"
        "  ld.param.b32 %y, [q]; add.u32 %y, %y, %x; st.param.b32 [r], %y; ret;\n"
        "Z: st.param.b32 [r], %x; ret; }\n" BODY(
            "k",
            ".param .b32 q; .param .b32 b; mov.u32 %r5, 99; and.b32 %r4, %r1, 15;\n"
            "setp.gt.u32 %p1, %r1, 49; @%p1 bra E;\nst.param.b32 [b], %r4;\n"
            "call (q), sum, (b);\nld.param.b32 %r5, [q];\n"
            "E: st.global.u32 [%rd1], %r5;");
    uint32_t v[64];

    (void)state;
    (void)st_once("", ptx, 64, v, 64);
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(v[i], i > 49 ? 99 : (i & 15) * ((i & 15) + 1) / 2);
    }
}

/* A generic load waits for its first space before the next: the register it takes its
 * address from may be the one it writes. */
static void test_generic_load_over_its_address(void **state)
{
    static const char ptx[] = PTX_HEAD ".shared .align 8 .u64 s[2];\n" BODY(
        "k", "mov.u64 %rd4, s; cvta.shared.u64 %rd4, %rd4; mov.u64 %rd6, 555;\n"
             "st.shared.u64 [s], %rd6; setp.lt.u32 %p1, %r1, 7;\n"
             "selp.u64 %rd5, %rd4, %rd2, %p1;\nld.u64 %rd5, [%rd5];\n"
             "cvt.u32.u64 %r4, %rd5; st.global.u32 [%rd1], %r4;");
    uint32_t v[32];

    (void)state;
    (void)st_once("", ptx, 32, v, 32);
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(v[i], i < 7 ? 555 : 0);
    }
}

/* ---- printf ---- */

/* Lanes that print different formats through one call. */
static void test_printf_of_two_formats(void **state)
{
    static const char ptx[] = PTX_HEAD
        ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
        ".global .align 1 .b8 one[] = {0x25, 100, 10, 0};\n"
        ".global .align 1 .b8 two[] = {0x25, 100, 32, 0x25, 100, 10, 0};\n" BODY(
            "k",
            ".local .align 8 .b8 args[8];\n.param .b64 f; .param .b64 a; .param .b32 "
            "q;\n"
            "mov.u64 %rd4, args; cvta.local.u64 %rd5, %rd4; add.u32 %r4, %r1, 70;\n"
            "st.local.v2.u32 [%rd4], {%r1, %r4};\n"
            "mov.u64 %rd7, one; mov.u64 %rd8, two; setp.eq.u32 %p1, %r1, 0;\n"
            "selp.u64 %rd7, %rd7, %rd8, %p1;\n"
            "cvta.global.u64 %rd7, %rd7;\n"
            "st.param.b64 [f], %rd7; st.param.b64 [a], %rd5;\n"
            "call.uni (q), vprintf, (f, a);\n"
            "ld.param.b32 %r5, [q]; st.global.u32 [%rd1], %r5;");
    struct st *t = st_open("", ptx);

    (void)state;
    st_run(t, "k", 1, 3);
    assert_string_equal(t->output, "0\n1 71\n2 72\n");
    assert_int_equal(t->words[0], 1); /* how many arguments there were */
    assert_int_equal(t->words[2], 2);
    st_close(t);
}

/* ---- special registers ---- */

static void test_special_registers(void **state)
{
    static const char ptx[] = PTX_HEAD BODY(
        "k",
        "mov.u32 %r4, %tid.y; mov.u32 %r5, %tid.z; mov.u32 %r6, %ntid.x;\n"
        "mov.u32 %r7, %ntid.y; mad.lo.u32 %r8, %r5, %r7, %r4; mad.lo.u32 %r8, %r8, "
        "%r6, %r1;\n"
        "mov.u32 %r9, %ctaid.y; mov.u32 %r10, %ctaid.z; mov.u32 %r11, %nctaid.x;\n"
        "mov.u32 %r12, %nctaid.y; mad.lo.u32 %r13, %r10, %r12, %r9;\n"
        "mad.lo.u32 %r13, %r13, %r11, %r2; mad.lo.u32 %r14, %r13, 60, %r8;\n"
        "mul.wide.u32 %rd4, %r14, 16; add.u64 %rd4, %rd0, %rd4;\n"
        "mov.u32 %r15, %laneid; mov.u32 %r16, %lanemask_lt; mov.u32 %r17, %nctaid.z;\n"
        "mov.u32 %r18, %ntid.z; shl.b32 %r18, %r18, 8; or.b32 %r18, %r18, %r17;\n"
        "st.global.v4.u32 [%rd4], {%r14, %r15, %r16, %r18};");
    struct st *t = st_open("", ptx);
    const struct st_shape shape = {.grid = {3, 2, 2}, .block = {5, 4, 3}};

    (void)state;
    st_run_shape(t, "k", shape);
    for (uint32_t i = 0; i < 12 * 60; i++) {
        uint32_t lane = i % 60 % 32;

        assert_int_equal(t->words[4 * i], i);
        assert_int_equal(t->words[4 * i + 1], lane);
        assert_int_equal(t->words[4 * i + 2], (1u << lane) - 1);
        assert_int_equal(t->words[4 * i + 3], 3u << 8 | 2);
    }
    assert_int_equal(st_counters(t, 0).blocks, 12);
    assert_int_equal(st_counters(t, 0).warps, 24);
    st_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_barrier_reductions),
        cmocka_unit_test(test_named_barriers),
        cmocka_unit_test(test_arrive),
        cmocka_unit_test(test_barrier_after_exit),
        cmocka_unit_test(test_generic_mix),
        cmocka_unit_test(test_instruction_counts),
        cmocka_unit_test(test_predicated_off),
        cmocka_unit_test(test_divergent_counts),
        cmocka_unit_test(test_switch),
        cmocka_unit_test(test_recursion),
        cmocka_unit_test(test_generic_load_over_its_address),
        cmocka_unit_test(test_printf_of_two_formats),
        cmocka_unit_test(test_special_registers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
