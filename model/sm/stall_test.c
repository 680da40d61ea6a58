/* Why warps do not issue, in warp-cycles worked out by hand: each reason at least once,
 * and none left over. A kernel is run with and without the instructions in question;
 * what they add to each reason is compared. */
#include "sm/sm_test.h"

/* A scheduler issues in every cycle, and pipes take what comes, but for those that a
 * test names. */
#define QUICK                                                                          \
    "sm.issue_interval=1 sm.pipe.iadd.throughput=1024 sm.pipe.logic.throughput=1024 "  \
    "sm.pipe.mem.throughput=1024 sm.pipe.ctrl.throughput=1024 "                        \
    "sm.pipe.bar.throughput=1024 sm.lsu.queue=64 sm.lsu.lanes=32 "

/* The prelude's results have arrived before the text, and nothing waits for those of
 * the text: the barrier behind it takes longer. All registers are wanted at the end:
 * one that is not shares its place with others, and two writes of one place wait for
 * one another. */
#define KERNEL(text)                                                                   \
    PTX_HEAD BODY("k", ".shared .align 4 .b8 a[256];\n"                                \
                       ".reg .u32 %s<3>; mov.u32 %s0, a;\n"                            \
                       "mov.u32 %r3, 0; mov.u32 %r4, 0; bar.sync 1; bar.sync 1;\n"     \
                       "bar.sync 1;\n" text "bar.sync 1;\n"                            \
                       "st.shared.u32 [%s0], %r3; st.shared.u32 [%s0 + 4], %r4;\n")

static struct st *open(const char *settings, const char *ptx)
{
    struct st *t = st_open(settings, ptx);

    t->shared.stalls = true;
    return t;
}

/* The counts of one launch; their sum is that of the cycles of its warps. */
static struct stalls run(const char *settings, const char *ptx, uint32_t threads)
{
    struct st *t = open(settings, ptx);
    struct smw_counters c;
    struct stalls all;
    uint64_t sum = 0;

    st_run(t, "k", 1, threads);
    c = st_counters(t, 0);
#define X(name, field) all.n[STALL_##name] = c.stall_##field;
    STALL_REASONS(X)
#undef X
    for (uint32_t k = 0; k < STALL_N; k++) {
        sum += all.n[k];
    }
    assert_int_equal(sum, c.warp_cycles);
    st_close(t);
    return all;
}

static struct stalls added(const char *settings, const char *without, const char *with,
                           uint32_t threads)
{
    struct stalls a = run(settings, without, threads), b = run(settings, with, threads);

    for (uint32_t k = 0; k < STALL_N; k++) {
        b.n[k] -= a.n[k];
    }
    return b;
}

#define SAME(a, ...)                                                                   \
    do {                                                                               \
        const struct stalls same_got = (a), same_want = {{__VA_ARGS__}};               \
                                                                                       \
        for (uint32_t same_k = 0; same_k < STALL_N; same_k++) {                        \
            if (same_got.n[same_k] != same_want.n[same_k]) {                           \
                fail_msg("reason %u: %lld, not %lld", same_k,                          \
                         (long long)same_got.n[same_k],                                \
                         (long long)same_want.n[same_k]);                              \
            }                                                                          \
        }                                                                              \
    } while (0)

#define ADDS(settings, text, threads, ...)                                             \
    SAME(added(QUICK settings, KERNEL(""), KERNEL(text), threads), __VA_ARGS__)

#define ADD "add.u32 %r3, %r3, 1;\n"

/* A latency of 4 cycles is 3 that are waited. */
static void test_wait(void **state)
{
    (void)state;
    ADDS("", ADD ADD ADD, 32, [STALL_SELECTED] = 3, [STALL_WAIT] = 2 * 3);
    /* a turn in every fourth cycle, nothing else: 3 instructions, 3 cycles each */
    SAME(added(QUICK "sm.issue_interval=4 sm.pipe.iadd.latency=1", KERNEL(""),
               KERNEL(ADD ADD ADD), 32),
         [STALL_SELECTED] = 3, [STALL_WAIT] = 3 * 3);
}

static void test_first_instruction(void **state)
{
    struct stalls a = run(QUICK "sm.block_start=20", KERNEL(""), 64);

    (void)state;
    assert_int_equal(a.n[STALL_NO_INSTRUCTION], 2 * 19);
}

/* 12 cycles from issue to use, or as many more as a conflict adds. */
static void test_short_scoreboard(void **state)
{
    (void)state;
    ADDS("sm.smem.latency=12", "ld.shared.u32 %r3, [%s0];\n" ADD,
         32, [STALL_SELECTED] = 2, [STALL_SHORT] = 11);
    /* the first 3 of them wait for the sum too, and that is what they are called */
    ADDS("sm.smem.latency=12",
         "ld.shared.u32 %r3, [%s0];\nadd.u32 %r4, %r4, 1;\nadd.u32 %r3, %r3, %r4;\n",
         32, [STALL_SELECTED] = 3, [STALL_WAIT] = 3, [STALL_SHORT] = 11 - 1 - 3);
    ADDS("sm.pipe.shuffle.latency=24 sm.pipe.shuffle.throughput=1024",
         "shfl.sync.bfly.b32 %r3, %r3, 1, 31, -1;\n" ADD,
         32, [STALL_SELECTED] = 2, [STALL_SHORT] = 23);
}

static void test_long_scoreboard(void **state)
{
    const char *with = KERNEL("ld.global.u32 %r3, [%rd2];\n" ADD);
    struct stalls more;

    (void)state;
    /* what memory takes longer is waited for longer, and nothing else is */
    more = run(QUICK "test.latency=160", with, 32);
    {
        struct stalls less = run(QUICK "test.latency=100", with, 32);

        for (uint32_t k = 0; k < STALL_N; k++) {
            assert_int_equal(more.n[k] - less.n[k], k == STALL_LONG ? 60 : 0);
        }
        assert_true(less.n[STALL_LONG] > 100);
    }
}

static void test_constant(void **state)
{
    const char *text = PTX_HEAD
        ".const .align 4 .u32 c[4];\n" BODY("k",
                                            "mov.u32 %r3, 0;\nld.const.u32 %r4, [c];\n"
                                            "bar.sync 1; add.u32 %r4, %r4, 1;\n"
                                            "bar.sync 1;\n"
                                            "ld.const.u32 %r4, [c + 4];\n"
                                            "add.u32 %r4, %r4, 1;\n");
    struct stalls a, b;

    (void)state;
    a = run(QUICK "sm.cbank.latency=12", text, 32);
    b = run(QUICK "sm.cbank.latency=20", text, 32);
    /* the first one misses, whose latency is another key; the second finds its line */
    assert_true(a.n[STALL_IMC_MISS] > 11);
    assert_int_equal(b.n[STALL_IMC_MISS] - a.n[STALL_IMC_MISS], 8);
}

/* 4 cycles from the last arrival to the next issue. */
static void test_barrier(void **state)
{
    (void)state;
    ADDS("", "bar.sync 1;\n", 32, [STALL_SELECTED] = 1, [STALL_BARRIER] = 3);
    /* two schedulers: nobody is in another's way, and both wait */
    ADDS("sm.schedulers=2", "bar.sync 1;\n",
         64, [STALL_SELECTED] = 2, [STALL_BARRIER] = 2 * 3);
}

static void test_branch(void **state)
{
    (void)state;
    ADDS("", "bra L1;\nL1:\n", 32, [STALL_SELECTED] = 1, [STALL_BRANCH] = 3);
}

/* The fence issues a cycle behind the store and waits for it. */
static void test_fence(void **state)
{
    struct stalls a, b;

    (void)state;
    a = added(QUICK "test.latency=100", KERNEL(""),
              KERNEL("st.global.u32 [%rd1], %r4;\nmembar.gl;\n"), 32);
    b = added(QUICK "test.latency=130", KERNEL(""),
              KERNEL("st.global.u32 [%rd1], %r4;\nmembar.gl;\n"), 32);
    assert_int_equal(a.n[STALL_SELECTED], 2);
    assert_int_equal(b.n[STALL_MEMBAR] - a.n[STALL_MEMBAR], 30);
    assert_true(a.n[STALL_MEMBAR] > 100);
    assert_int_equal(a.n[STALL_LONG] + a.n[STALL_WAIT], 0);
}

/* Two warps and one scheduler. They come from the barrier in one cycle and issue in
 * turn, for nothing they issue has a latency. Without the text the second one waits
 * once, for the first to issue the next barrier; with it each waits 3 times more. */
static void test_not_selected(void **state)
{
    (void)state;
    ADDS("sm.pipe.iadd.latency=1", ADD ADD ADD,
         64, [STALL_SELECTED] = 6, [STALL_NOT_SELECTED] = 6);
}

/* 8 results a cycle: a warp takes 4 cycles of the pipe. Five instructions that do not
 * depend on each other: four of them find it taken, for 3 cycles. */
static void test_math_pipe(void **state)
{
    (void)state;
    ADDS("sm.pipe.shift.throughput=8 sm.pipe.shift.latency=1",
         "shl.b32 %r3, %r1, 1;\nshl.b32 %r4, %r1, 1;\nshl.b32 %r7, %r1, 1;\n"
         "shl.b32 %r8, %r1, 1;\nshl.b32 %r9, %r1, 1;\n",
         32, [STALL_SELECTED] = 5, [STALL_MATH_PIPE] = 4 * 3);
    /* Of two warps the second could have been chosen in the first cycle, as without the
     * text; then it finds the pipe taken for 3. So long the first waits at the
     * barrier. */
    ADDS("sm.pipe.shift.throughput=8 sm.pipe.shift.latency=1", "shl.b32 %r3, %r1, 1;\n",
         64, [STALL_SELECTED] = 2, [STALL_MATH_PIPE] = 3, [STALL_BARRIER] = 3);
}

#define FENCE    "membar.gl;\n"
#define NEAR     "st.shared.u32 [%s0], %r4;\n"
#define FAR      "st.global.u32 [%rd1], %r4;\n"
#define FULL     "sm.lsu.queue=1 sm.lsu.lanes=4 sm.lsu.interval=8"
#define FOUR(x)  KERNEL(x x x x FENCE)
#define SEVEN(x) KERNEL(x x x x x x x FENCE)

/* The queue is full after the second access, and one access in 8 cycles leaves it. The
 * same for both kinds of memory, by name. */
static void test_throttles(void **state)
{
    (void)state;
    SAME(added(QUICK FULL, FOUR(NEAR), SEVEN(NEAR), 32), [STALL_SELECTED] = 3,
         [STALL_MIO] = 3 * 7);
    SAME(added(QUICK FULL, FOUR(FAR), SEVEN(FAR), 32), [STALL_SELECTED] = 3,
         [STALL_LG] = 3 * 7);
}

/* SPEC ISSUE-2: warp 1 issues double-precision instructions; warp 0, of the other
 * scheduler, gives a turn of 1 cycle to each while it has something to issue. */
static void test_dispatch(void **state)
{
    static const char set[] =
        QUICK "sm.schedulers=2 sm.pipe.fp64.throughput=1024 sm.pipe.fp64.latency=1 "
              "sm.pipe.iadd.latency=1 sm.fp64_blocks=";
    static const char text[] = KERNEL("setp.lt.u32 %p1, %r1, 32;\n@%p1 bra L1;\n"
                                      "add.f64 %fd1, %fd1, %fd1;\nbra L2;\n"
                                      "L1:\n" ADD ADD ADD ADD ADD ADD ADD ADD "L2:\n");
    char off[512], on[512];
    struct stalls a;

    (void)state;
    (void)snprintf(off, sizeof(off), "%sfalse", set);
    (void)snprintf(on, sizeof(on), "%strue", set);
    a = run(off, text, 64);
    assert_int_equal(a.n[STALL_DISPATCH], 0);
    a = run(on, text, 64);
    assert_int_equal(a.n[STALL_DISPATCH], 1);
}

/* Each scheduler has the cycles of its own warps: what the two differ by is what the
 * clocks read last by their only warps differ by. */
static void test_schedulers(void **state)
{
    struct st *t =
        open(QUICK "sm.schedulers=2",
             PTX_HEAD BODY(
                 "k",
                 "mov.u32 %r3, 0;\nsetp.lt.u32 %p1, %r1, 32;\n@%p1 bra L1;\n" ADD ADD
                     ADD ADD ADD ADD ADD "L1:\nbra L2;\nL2:\nmov.u32 %r10, %clock;\n"
                 "st.global.u32 [%rd1], %r10;\n"));
    uint64_t sum[2] = {0};

    (void)state;
    st_run(t, "k", 1, 64);
    for (uint32_t j = 0; j < 2; j++) {
        for (uint32_t k = 0; k < STALL_N; k++) {
            sum[j] += sm_stalls(t->sm, 0, j)->n[k];
        }
    }
    assert_true(t->words[32] > t->words[0]);
    assert_int_equal(sum[1] - sum[0], t->words[32] - t->words[0]);
    st_close(t);
}

/* Two launches share the SM: each has its own, as its warps' cycles say. */
static void test_launches(void **state)
{
    struct st *t = open(QUICK, KERNEL(ADD ADD "bar.sync 1;\n" ADD));

    (void)state;
    st_start(t, "k", st_line(1, 64));
    st_start(t, "k", st_line(3, 96));
    assert_int_equal(st_finish(t), ST_DONE);
    for (uint32_t i = 0; i < 2; i++) {
        struct smw_counters c = st_counters(t, i);
        uint64_t sum = 0;

        for (uint32_t k = 0; k < STALL_N; k++) {
            sum += sm_stalls(t->sm, i, 0)->n[k];
        }
        assert_int_equal(c.warps, i == 0 ? 2 : 9);
        assert_int_equal(sum, c.warp_cycles);
        assert_int_equal(c.stall_selected, c.issue_cycles);
    }
    st_close(t);
}

/* By instruction: what is waited for stands at the one that waits, the counts are those
 * of nobody asking, and none is left over. */
static void test_places(void **state)
{
    static const char text[] =
        KERNEL("ld.global.u32 %r3, [%rd2];\n" ADD "bar.sync 1;\n");
    struct stalls plain = run(QUICK, text, 64), all;
    struct st *t = open(QUICK, text);
    const struct stalls *at;
    bool seen = false;

    (void)state;
    memset(&all, 0, sizeof(all));
    t->shared.places = true;
    st_run(t, "k", 1, 64);
    at = sm_places(t->sm, 0);
    assert_non_null(at);
    for (uint32_t pc = 0; pc < t->m->n_uops; pc++) {
        const struct isa_uop *u = &t->m->uops[pc];

        for (uint32_t k = 0; k < STALL_N; k++) {
            all.n[k] += at[pc].n[k];
        }
        if (at[pc].n[STALL_LONG] != 0) { /* the sum behind the load */
            assert_int_equal(u->form.op, ISA_OP_ADD);
            assert_int_equal(u[-1].kind, ISA_K_LOAD);
            assert_int_equal(at[pc].n[STALL_LONG], plain.n[STALL_LONG]);
            seen = true;
        }
        assert_true(at[pc].n[STALL_BARRIER] == 0 || u->kind == ISA_K_BAR ||
                    u[-1].kind == ISA_K_BAR);
        assert_int_equal(at[pc].n[STALL_SELECTED], 2); /* also behind the barrier */
    }
    assert_true(seen);
    for (uint32_t k = 0; k < STALL_N; k++) {
        assert_int_equal(all.n[k], plain.n[k]);
    }
    st_close(t);
}

/* Nobody asks: nothing is counted, and nothing else changes. */
static void test_nobody(void **state)
{
    static const char text[] =
        KERNEL("ld.global.u32 %r3, [%rd2];\n" ADD "bar.sync 1;\n");
    struct st *t = st_open(QUICK, text), *on = open(QUICK, text);
    struct smw_counters off, c;

    (void)state;
    st_run(t, "k", 1, 64);
    st_run(on, "k", 1, 64);
    off = st_counters(t, 0);
    c = st_counters(on, 0);
    assert_true(c.stall_selected != 0 && c.stall_long_scoreboard != 0);
#define X(name, field)                                                                 \
    assert_int_equal(off.stall_##field, 0);                                            \
    c.stall_##field = 0;
    STALL_REASONS(X)
#undef X
    assert_memory_equal(&off, &c, sizeof(c));
    st_close(t);
    st_close(on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wait),
        cmocka_unit_test(test_first_instruction),
        cmocka_unit_test(test_short_scoreboard),
        cmocka_unit_test(test_long_scoreboard),
        cmocka_unit_test(test_constant),
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_branch),
        cmocka_unit_test(test_fence),
        cmocka_unit_test(test_not_selected),
        cmocka_unit_test(test_math_pipe),
        cmocka_unit_test(test_throttles),
        cmocka_unit_test(test_dispatch),
        cmocka_unit_test(test_schedulers),
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_nobody),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
