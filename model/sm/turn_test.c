/* Lanes of one warp that wait for each other (SPEC SIMT-3, SIMT-4), at an SM's own
 * ports. %r1 is the lane, %rd0 the out buffer, %rd1 the lane's word of it. */
#include "sm/sm_test.h"

#define CELL(n) "[%rd0+" n "]" /* behind the 32 words of the lanes */

/* behind it the lanes of a warp stand apart */
#define LOCK                                                                           \
    "mov.u32 %r3, 0; mov.u32 %r9, 1;\n"                                                \
    "L: atom.global.cas.b32 %r5, " CELL(                                               \
        "512") ", %r3, %r9;\n"                                                         \
               "setp.ne.u32 %p1, %r5, 0; @%p1 bra L;\n"                                \
               "atom.global.exch.b32 %r5, " CELL("512") ", 0;\n"

/* clang-format off */
static const char kernels[] = PTX_HEAD
    /* lanes in different functions at once: pairs of one, words of the other */
    ".func (.reg .b32 y) wide(.reg .b32 x)\n{\n.reg .b64 %d<3>; .reg .b32 %w;\n"
    "mul.wide.u32 %d0, x, 0x50000003; nanosleep.u32 20; nanosleep.u32 20;\n"
    "cvt.u32.u64 y, %d0; shr.u64 %d1, %d0, 32; cvt.u32.u64 %w, %d1;\n"
    "xor.b32 y, y, %w; ret;\n}\n"
    ".func (.reg .b32 y) narrow(.reg .b32 x)\n{\n.reg .b32 %w<6>;\n"
    "mul.lo.u32 %w0, x, 3; mul.lo.u32 %w1, x, 5; mul.lo.u32 %w2, x, 7;\n"
    "mul.lo.u32 %w3, x, 11; mul.lo.u32 %w4, x, 13; mul.lo.u32 %w5, x, 17;\n"
    "xor.b32 y, %w0, %w1; xor.b32 y, y, %w2; xor.b32 y, y, %w3;\n"
    "xor.b32 y, y, %w4; xor.b32 y, y, %w5; ret;\n}\n"
    BODY("calls", "add.u32 %r3, %r1, 1000; and.b32 %r4, %r1, 1;\n"
         "setp.eq.u32 %p1, %r4, 0; @%p1 bra W; call (%r5), narrow, (%r3); bra E;\n"
         "W: call (%r5), wide, (%r3);\nE: st.global.u32 [%rd1], %r5;")
    /* a lock: each lane notes how many held it before */
    BODY("lock", "mov.u32 %r3, 0; mov.u32 %r4, 1;\n"
         "L: atom.global.cas.b32 %r5, " CELL("128") ", %r3, %r4;\n"
         "setp.ne.u32 %p1, %r5, 0; @%p1 bra L;\n"
         "ld.volatile.global.u32 %r6, " CELL("132") "; add.u32 %r7, %r6, 1;\n"
         "st.volatile.global.u32 " CELL("132") ", %r7; membar.gl;\n"
         "st.global.u32 [%rd1], %r6;\n"
         "atom.global.exch.b32 %r8, " CELL("128") ", 0;")
    /* lane i hands on to lane i - 1 */
    BODY("chain", "sub.u32 %r3, 31, %r1;\n"
         "L: ld.volatile.global.u32 %r5, " CELL("128") ";\n"
         "setp.ne.u32 %p1, %r5, %r3; @%p1 bra L;\n"
         "activemask.b32 %r7; st.global.u32 [%rd1], %r7;\n"
         "add.u32 %r6, %r5, 1; st.volatile.global.u32 " CELL("128") ", %r6;")
    /* lanes that count are not disturbed: they meet behind the loop */
    BODY("counts", "and.b32 %r3, %r1, 7; mov.u32 %r4, 0; mov.u32 %r5, 0;\n"
         "L: ld.volatile.global.u32 %r6, " CELL("128") "; add.u32 %r5, %r5, %r6;\n"
         "add.u32 %r4, %r4, 1; setp.le.u32 %p1, %r4, %r3; @%p1 bra L;\n"
         "activemask.b32 %r7; add.u32 %r7, %r7, %r5; st.global.u32 [%rd1], %r7;")
    /* one half sleeps until the other has stored */
    BODY("sleep", "setp.lt.u32 %p1, %r1, 16; @%p1 bra S;\n"
         "st.volatile.global.u32 " CELL("128") ", 7; bra E;\n"
         "S: nanosleep.u32 100; ld.volatile.global.u32 %r5, " CELL("128") ";\n"
         "setp.eq.u32 %p2, %r5, 0; @%p2 bra S;\n"
         "E: ld.volatile.global.u32 %r5, " CELL("128") "; st.global.u32 [%rd1], %r5;")
    /* sides meet where all are named, at one place or two */
    BODY("meet", "setp.lt.u32 %p1, %r1, 16; mov.u32 %r5, %r1; @%p1 bra S;\n"
         "add.u32 %r5, %r5, 100; bra E;\nS: add.u32 %r5, %r5, 200; bra E;\n"
         "E: shfl.sync.bfly.b32 %r6, %r5, 16, 31, -1; st.global.u32 [%rd1], %r6;")
    BODY("sides", "setp.lt.u32 %p1, %r1, 16; @%p1 bra S;\n"
         "bar.warp.sync -1; activemask.b32 %r6; bra E;\n"
         "S: bar.warp.sync -1; activemask.b32 %r6;\n"
         "E: st.global.u32 [%rd1], %r6;")
    /* a lane polls what another stores only behind a meeting of the others */
    BODY("part", "setp.eq.u32 %p1, %r1, 5; @%p1 bra P; mov.u32 %r9, 0xffffffdf;\n"
         "bar.warp.sync %r9; setp.eq.u32 %p2, %r1, 31;\n"
         "@%p2 st.volatile.global.u32 " CELL("128") ", 3; bra E;\n"
         "P: ld.volatile.global.u32 %r5, " CELL("128") ";\n"
         "setp.eq.u32 %p2, %r5, 0; @%p2 bra P;\n"
         "E: vote.sync.ballot.b32 %r6, 1, -1; st.global.u32 [%rd1], %r6;")
    /* lanes that have left are not waited for */
    BODY("left", "setp.lt.u32 %p1, %r1, 4; @%p1 exit; setp.lt.u32 %p2, %r1, 8;\n"
         "@%p2 bra S; vote.sync.ballot.b32 %r6, 1, -1; bra E;\n"
         "S: exit;\nE: st.global.u32 [%rd1], %r6;")
    /* nobody comes */
    BODY("apart", "setp.lt.u32 %p1, %r1, 16; @%p1 bra S;\n"
         "L: ld.volatile.global.u32 %r5, " CELL("128") ";\n"
         "setp.eq.u32 %p2, %r5, 0; @%p2 bra L; bra E;\n"
         "S: bar.warp.sync 0xffff; mov.u32 %r9, 0x1ffff; bar.warp.sync %r9;\nE:\n")
    BODY("each", "setp.lt.u32 %p1, %r1, 16; @%p1 bra S;\n"
         "mov.u32 %r9, 0xffff0001; bar.warp.sync %r9; bra E;\n"
         "S: setp.eq.u32 %p2, %r1, 0; @%p2 bra T; mov.u32 %r9, 0xffff;\n"
         "bar.warp.sync %r9; bra E;\n"
         "T: barrier.sync 1, 64;\nE:\n")
    /* behind a lock the lanes gather for the block's barrier */
    BODY("gather", "mov.u32 %r3, 0; mov.u32 %r4, 1;\n"
         "L: atom.global.cas.b32 %r5, " CELL("512") ", %r3, %r4;\n"
         "setp.ne.u32 %p1, %r5, 0; @%p1 bra L;\n"
         "ld.volatile.global.u32 %r6, " CELL("516") "; add.u32 %r7, %r6, 1;\n"
         "st.volatile.global.u32 " CELL("516") ", %r7; membar.gl;\n"
         "atom.global.exch.b32 %r8, " CELL("512") ", 0;\n"
         "bar.sync 0; ld.volatile.global.u32 %r6, " CELL("516") ";\n"
         "st.global.u32 [%rd1], %r6;")
    /* ... and for a barrier's votes, round after round; */
    BODY("votes", "mov.u32 %r4, 0; mov.u32 %r8, 0; setp.ge.u32 %p2, %r1, 8;\n" LOCK
         "R: barrier.red.popc.u32 %r6, 3, %p2; add.u32 %r8, %r8, %r6;\n"
         "add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 3; @%p1 bra R;\n"
         "st.global.u32 [%rd1], %r8;")
    /* and for what a warp does as a whole */
    BODY("turned", "mov.u32 %r4, %r1;\n" LOCK
         "movmatrix.sync.aligned.m8n8.trans.b16 %r6, %r4; st.global.u32 [%rd1], %r6;")
    BODY("rows", ".shared .align 16 .b32 s[32]; mov.u32 %r8, s;\n"
         "mad.lo.u32 %r7, %r1, 4, %r8;\n" LOCK "st.shared.u32 [%r7], %r1;\n"
         "and.b32 %r4, %r1, 7; mad.lo.u32 %r7, %r4, 16, %r8;\n"
         "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r6}, [%r7];\n"
         "st.global.u32 [%rd1], %r6;");
/* clang-format on */

enum { LANES = 32 };

static const char later[] = "test.compute_capability=7.0";

static void run_kernel(const char *kernel, uint32_t block, uint32_t *words)
{
    struct st *t = st_open(later, kernels);

    st_run(t, kernel, 1, block);
    memcpy(words, t->words, 2 * LANES * sizeof(words[0]));
    st_close(t);
}

static void test_lock(void **state)
{
    uint32_t words[2 * LANES];
    uint32_t seen = 0;

    (void)state;
    run_kernel("lock", LANES, words);
    for (uint32_t l = 0; l < LANES; l++) {
        assert_true(words[l] < LANES);
        seen |= 1u << words[l];
    }
    assert_int_equal(seen, UINT32_MAX);
    assert_int_equal(words[32], 0);
    assert_int_equal(words[33], LANES);
}

static void test_chain(void **state)
{
    uint32_t words[2 * LANES];

    (void)state;
    run_kernel("chain", LANES, words);
    assert_int_equal(words[32], LANES);
    for (uint32_t l = 0; l < LANES; l++) {
        assert_int_equal(words[l], 1u << l); /* alone when it had its turn */
    }
}

/* Every lane ends with the same word, but for those that end with none. */
static void expect_all(const char *kernel, uint32_t word, uint32_t first)
{
    uint32_t words[2 * LANES];

    run_kernel(kernel, LANES, words);
    for (uint32_t l = first; l < LANES; l++) {
        assert_int_equal(words[l], word);
    }
}

static void test_others_are_not_disturbed(void **state)
{
    (void)state;
    expect_all("counts", UINT32_MAX, 0);
}

static void test_sleep(void **state)
{
    (void)state;
    expect_all("sleep", 7, 0);
}

static void test_functions_at_once(void **state)
{
    uint32_t words[2 * LANES];

    (void)state;
    run_kernel("calls", LANES, words);
    for (uint32_t l = 0; l < LANES; l++) {
        const uint32_t x = 1000 + l;
        const uint64_t d = (uint64_t)x * 0x50000003;
        const uint32_t w = (x * 3) ^ (x * 5) ^ (x * 7) ^ (x * 11) ^ (x * 13) ^ (x * 17);

        assert_int_equal(words[l], l % 2 == 0 ? (uint32_t)d ^ (uint32_t)(d >> 32) : w);
    }
}

static void test_members(void **state)
{
    uint32_t words[2 * LANES];

    (void)state;
    run_kernel("meet", LANES, words);
    run_kernel("sides", LANES, words);
    for (uint32_t l = 0; l < LANES; l++) {
        assert_int_equal(words[l], l < 16 ? 0x0000ffff : 0xffff0000);
    }
    expect_all("part", UINT32_MAX, 0);
    expect_all("left", 0xffffff00, 8);
}

static void test_gather(void **state)
{
    uint32_t words[2 * LANES];

    (void)state;
    run_kernel("gather", 2 * LANES, words);
    for (uint32_t t = 0; t < 2 * LANES; t++) {
        assert_int_equal(words[t], 2 * LANES);
    }
}

/* Lanes that have gone on without others meet again where results are of all. */
static void test_whole_warps(void **state)
{
    uint32_t words[2 * LANES];

    (void)state;
    run_kernel("votes", 2 * LANES, words);
    for (uint32_t t = 0; t < 2 * LANES; t++) {
        assert_int_equal(words[t], 3 * (2 * LANES - 8));
    }
    run_kernel("turned", LANES, words);
    for (uint32_t l = 0; l < LANES;
         l++) { /* element (l / 4, 2 * (l % 4)) and the next */
        const uint32_t row = l / 4, column = 2 * (l % 4);
        const uint32_t from = 4 * column + row / 2;

        assert_int_equal(words[l], row % 2 == 0 ? from | (from + 4) << 16 : 0);
    }
    run_kernel("rows", LANES, words);
    for (uint32_t l = 0; l < LANES; l++) {
        assert_int_equal(words[l], l);
    }
}

/* Never ends, and says who stands where. */
static void expect_hang(const char *settings, const char *kernel, const char *words)
{
    struct st *t = st_open(settings, kernels);

    st_start(t, kernel, st_line(1, LANES));
    assert_int_equal(sim_run(t->sim, sim_edge(&t->clock, 20000), 0), SIM_REACHED);
    t->waiting[0] = '\0';
    sm_report_waiting(t->sm, st_add_waiting, t);
    if (strstr(t->waiting, words) == NULL) {
        print_error("%s: \"%s\"\n", kernel, t->waiting);
        fail();
    }
    st_close(t);
}

static void test_hangs_are_named(void **state)
{
    (void)state;
    expect_hang("test.compute_capability=6.1", "lock", "lanes 1-31 at PTX line ");
    expect_hang("test.compute_capability=6.1", "lock", "lane 0 waits at PTX line ");
    expect_hang(later, "apart", "lanes 16-31 at PTX line ");
    expect_hang(later, "apart", "lanes 0-15 wait at PTX line ");
}

static void test_who_never_comes(void **state)
{
    struct st *t = st_open(later, kernels);

    (void)state;
    st_start(t, "each", st_line(1, LANES));
    assert_int_equal(st_finish(t), ST_DEADLOCK);
    assert_non_null(strstr(t->waiting, "at barrier 1"));
    st_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lock),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_others_are_not_disturbed),
        cmocka_unit_test(test_sleep),
        cmocka_unit_test(test_functions_at_once),
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_gather),
        cmocka_unit_test(test_whole_warps),
        cmocka_unit_test(test_hangs_are_named),
        cmocka_unit_test(test_who_never_comes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
