/* Launches without time: what they do is what the same ones with time do (SPEC FUNC-1
 * to FUNC-3). The program's tests run every kernel of the project so. */
#include "gpu/device_test.h"

#include "sm/fault_rows_test.h"

static void queue(struct dt *t, const char *kernel, uint32_t grid, uint32_t block,
                  bool functional)
{
    struct smw_launch l = dt_shape(grid, block);
    struct smw_err e;

    err_clear(&e);
    l.functional = functional;
    dt_ok(dt_queue(t, kernel, l, &e), &e);
}

static void run(struct dt *t, const char *kernel, uint32_t grid, uint32_t block,
                bool functional)
{
    queue(t, kernel, grid, block, functional);
    if (smw_step(t->d, 0) != SMW_DONE) {
        print_error("%s: %s\n%s\n", kernel, smw_fault(t->d)->message,
                    smw_fault(t->d)->detail);
        fail();
    }
    assert_int_equal(smw_live_transactions(t->d), 0);
    dt_fetch(t);
}

/* ---- the same answer, and no time ---- */

/* Each thread sums what others of its block brought, by way of shared memory, adds in
 * a loop as often as its number says, and counts itself in a word of the grid. */
static const char work[] =
    PTX_HEAD BODY("k",
                  ".shared .u32 s[64];\n"
                  "mov.u32 %r3, s; shl.b32 %r4, %r1, 2; add.u32 %r4, %r3, %r4;\n"
                  "mul.wide.u32 %rd3, %r0, 4; add.u64 %rd3, %rd2, %rd3;\n"
                  "ld.global.u32 %r5, [%rd3]; st.shared.u32 [%r4], %r5; bar.sync 0;\n"
                  "xor.b32 %r6, %r1, 63; shl.b32 %r6, %r6, 2; add.u32 %r6, %r3, %r6;\n"
                  "ld.shared.u32 %r7, [%r6]; mov.u32 %r8, 0;\n"
                  "L: setp.ge.u32 %p1, %r8, %r1; @%p1 bra E;\n"
                  "add.u32 %r7, %r7, 3; add.u32 %r8, %r8, 1; bra L;\n"
                  "E: st.global.u32 [%rd1], %r7; bar.sync 0;\n"
                  "atom.global.add.u32 %r9, [%rd0 + 65532], 1;");

static void same_answer(void **state)
{
    struct dt *t = dt_open("gpu.sms=2", work);
    struct smw_progress before, after;

    (void)state;
    smw_progress(t->d, &before);
    run(t, "k", 40, 64, true);
    smw_progress(t->d, &after);
    assert_int_equal(before.cycles, after.cycles);
    assert_int_equal(after.blocks_done, 40);
    for (uint32_t i = 0; i < 40 * 64; i++) {
        assert_int_equal(t->words[i], (i ^ 63) + 3 * (i % 64));
    }
    assert_int_equal(t->words[DT_OUT_WORDS - 1], 40 * 64);
    assert_int_equal(dt_result(t, 0).start_ps, dt_result(t, 0).end_ps);
    dt_close(t);
}

static void counts_as_timed(void **state)
{
    struct dt *t = dt_open("gpu.sms=2", work);
    struct smw_counters timed, now, rest;

    (void)state;
    run(t, "k", 40, 64, false);
    run(t, "k", 40, 64, true);
    timed = dt_result(t, 0).counters;
    now = dt_result(t, 1).counters;
    assert_true(timed.warp_insts > 40 * 2 * 20 && timed.divergent > 0);
    rest = now;
#define SAME(field)                                                                    \
    assert_int_equal(now.field, timed.field);                                          \
    assert_int_not_equal(now.field, 0);                                                \
    rest.field = 0
    SAME(blocks);
    SAME(warps);
    SAME(warp_insts);
    SAME(thread_insts);
    SAME(branches);
    SAME(divergent);
    SAME(barriers);
    SAME(sh_ld_insts);
    SAME(sh_st_insts);
    SAME(gl_ld_insts);
    SAME(gl_st_insts);
    SAME(gl_at_insts);
    SAME(blocks_per_sm);
    SAME(onchip_shared_kb);
    SAME(onchip_l1_kb);
#undef SAME
#define X(field, name, unit, meaning, rule) assert_int_equal(rest.field, 0);
    SMW_COUNTERS(X)
#undef X
    dt_close(t);
}

/* ---- what came before and what comes after ---- */

static const char relay[] =
    PTX_HEAD BODY("more", "ld.global.u32 %r4, [%rd1]; mad.lo.u32 %r4, %r4, 3, 1;\n"
                          "st.global.u32 [%rd1], %r4;")
        BODY("slow",
             "mov.u32 %r4, 0;\nL: add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 300;\n"
             "@%p1 bra L;\nld.global.u32 %r5, [%rd1]; mad.lo.u32 %r5, %r5, 3, 1;\n"
             "st.global.u32 [%rd1], %r5;");

/* With time and without in turns: each reads what the one before wrote, whatever L1s
 * held. */
static void caches_are_not_stale(void **state)
{
    struct dt *t = dt_open("gpu.sms=2", relay);
    uint32_t want = 0;

    (void)state;
    for (uint32_t i = 0; i < 7; i++) {
        queue(t, "more", 8, 64, i % 3 == 1);
        want = want * 3 + 1;
    }
    run(t, "more", 8, 64, true);
    want = want * 3 + 1;
    for (uint32_t i = 0; i < 8 * 64; i++) {
        assert_int_equal(t->words[i], want);
    }
    dt_close(t);
}

/* It runs alone: after those before it, of whatever stream, and before those behind. */
static void alone_at_its_turn(void **state)
{
    struct dt *t = dt_open("gpu.sms=2", relay);
    struct smw_err e;

    (void)state;
    err_clear(&e);
    for (uint32_t i = 0; i < 3; i++) {
        struct smw_launch l = dt_shape(1, 32);

        l.stream = i;
        l.functional = i == 1;
        dt_ok(dt_queue(t, "slow", l, &e), &e);
    }
    assert_int_equal(smw_step(t->d, 0), SMW_DONE);
    dt_fetch(t);
    assert_int_equal(t->words[0], 13);
    assert_true(dt_result(t, 0).end_ps > 0);
    assert_true(dt_result(t, 1).start_ps >= dt_result(t, 0).end_ps);
    assert_true(dt_result(t, 2).start_ps >= dt_result(t, 1).end_ps);
    dt_close(t);
}

/* What it stores has been written, as far as later checks go; and they go on. */
static void checks_know_its_stores(void **state)
{
    static const char ptx[] = PTX_HEAD BODY("give", "st.global.u32 [%rd1], %r1;")
        BODY("take", "ld.global.u32 %r4, [%rd1]; add.u32 %r4, %r4, 1;\n"
                     "st.global.u32 [%rd1], %r4;");
    struct smw_options opt = {.check = SMW_CHECK_FULL};

    (void)state;
    for (uint32_t gives = 0; gives < 2; gives++) {
        struct dt *t = dt_open_with("tiny", "", &opt, ptx);
        struct smw_err e;
        struct smw_finding f;

        err_clear(&e);
        dt_ok(smw_alloc(t->d, 4096, &t->out, &e), &e);
        queue(t, gives ? "give" : "take", 1, 64, true);
        queue(t, "take", 1, 32, false);
        t->out += 128;
        queue(t, gives ? "take" : "give", 2, 64, false);
        assert_int_equal(smw_step(t->d, 0), SMW_DONE);
        assert_int_equal(smw_findings(t->d), gives);
        if (gives) { /* the words behind those given */
            assert_true(smw_finding(t->d, 0, &f));
            assert_int_equal(f.kind, SMW_UNINITIALISED);
            assert_int_equal(f.count, 4 * (128 - 32));
        }
        dt_close(t);
    }
}

/* Among copies it has its turn in its stream: the bytes that came up, and those that go
 * down. The copies take their time. */
static void between_copies(void **state)
{
    struct dt *t = dt_open("gpu.sms=2", relay);
    uint32_t up[64], down[64] = {0};
    struct smw_transfer x = {.stream = 1, .direction = SMW_UP, .width = sizeof(up)};
    struct smw_launch l = dt_shape(1, 64);
    struct smw_err e;

    (void)state;
    err_clear(&e);
    for (uint32_t i = 0; i < 64; i++) {
        up[i] = 100 * i;
    }
    x.height = 1;
    x.dst = t->out;
    x.src = (uintptr_t)up;
    dt_ok(smw_queue_copy(t->d, &x, &e), &e);
    l.stream = 1;
    for (uint32_t i = 0; i < 3; i++) {
        l.functional = i != 1;
        dt_ok(dt_queue(t, "more", l, &e), &e);
    }
    x.direction = SMW_DOWN;
    x.src = t->out;
    x.dst = (uintptr_t)down;
    dt_ok(smw_queue_copy(t->d, &x, &e), &e);
    dt_ok(smw_synchronize_stream(t->d, 1, &e), &e);
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(down[i], 27 * 100 * i + 13);
    }
    assert_true(dt_result(t, 0).start_ps > 0);
    assert_int_equal(dt_result(t, 0).start_ps, dt_result(t, 0).end_ps);
    assert_true(dt_result(t, 1).end_ps > dt_result(t, 1).start_ps);
    dt_close(t);
}

static void *place(void *ctx, uint64_t addr, uint64_t bytes)
{
    (void)addr;
    (void)bytes;
    return ctx;
}

/* Pages of the host, on both sides of a page's end. */
static void host_memory(void **state)
{
    enum { PAGE = 65536 };
    uint32_t *word = calloc(2, PAGE);
    struct dt *t = dt_open("", relay);
    uint64_t at;
    struct smw_err e;

    (void)state;
    err_clear(&e);
    assert_non_null(word);
    dt_ok(smw_alloc_host(t->d, 2 * PAGE, place, word, &at, &e), &e);
    for (uint32_t i = 0; i < 2 * PAGE / 4; i++) {
        word[i] = i;
    }
    t->out = at + PAGE - 64;
    queue(t, "more", 1, 32, true);
    assert_int_equal(smw_step(t->d, 0), SMW_DONE);
    for (uint32_t i = 0; i < 2 * PAGE / 4; i++) {
        bool in = i >= PAGE / 4 - 16 && i < PAGE / 4 + 16;

        assert_int_equal(word[i], in ? 3 * i + 1 : i);
    }
    dt_ok(smw_free(t->d, at, &e), &e);
    queue(t, "more", 1, 32, true);
    assert_int_equal(smw_step(t->d, 0), SMW_FAULT);
    assert_string_equal(smw_fault(t->d)->rule, "use-after-free");
    dt_close(t);
    free(word);
}

/* ---- progress ---- */

/* All blocks take a lock in turn; thread 0 of each. */
static void locks(void **state)
{
    static const char ptx[] =
        PTX_HEAD BODY("k",
                      "setp.ne.u32 %p1, %r1, 0; @%p1 bra E; mov.u32 %r8, 0;\n"
                      "T: atom.global.cas.b32 %r4, [%rd0], 0, 1;\n"
                      "setp.ne.u32 %p2, %r4, 0; @%p2 bra T;\n"
                      "ld.volatile.global.u32 %r5, [%rd0 + 4]; add.u32 %r5, %r5, 1;\n"
                      "st.volatile.global.u32 [%rd0 + 4], %r5; membar.gl;\n"
                      "atom.global.exch.b32 %r6, [%rd0], 0;\n"
                      "add.u32 %r8, %r8, 1; setp.lt.u32 %p3, %r8, 500; @%p3 bra T;\n"
                      "E: bar.sync 0;");
    struct dt *t = dt_open("gpu.sms=2", ptx);

    (void)state;
    run(t, "k", 20, 64, true);
    assert_int_equal(t->words[0], 0);
    assert_int_equal(t->words[1], 20 * 500);
    dt_close(t);
}

/* Ten times all blocks wait for all: as many as are resident together, no more. */
static const char barrier[] =
    PTX_HEAD BODY("k", "mov.u32 %r3, %nctaid.x; mov.u32 %r4, 0; mov.u32 %r9, %r3;\n"
                       "R: bar.sync 0; setp.ne.u32 %p1, %r1, 0; @%p1 bra J;\n"
                       "membar.gl; atom.global.add.u32 %r5, [%rd0], 1;\n"
                       "W: ld.volatile.global.u32 %r6, [%rd0];\n"
                       "setp.lt.u32 %p2, %r6, %r9; @%p2 bra W;\n"
                       "J: bar.sync 0; add.u32 %r9, %r9, %r3; add.u32 %r4, %r4, 1;\n"
                       "setp.lt.u32 %p3, %r4, 10; @%p3 bra R;\n"
                       "setp.eq.u32 %p4, %r1, 0; @%p4 st.global.u32 [%rd1 + 4], %r6;");

static void grid_barrier(void **state)
{
    struct smw_options opt = {.max_cycles = 30000000};
    struct dt *t = dt_open_with("tiny", "gpu.sms=2", &opt, barrier);
    uint32_t blocks;

    (void)state;
    run(t, "k", 1, 64, true);
    blocks = 2 * (uint32_t)dt_result(t, 0).counters.blocks_per_sm;
    assert_true(blocks > 2);
    dt_close(t);
    t = dt_open_with("tiny", "gpu.sms=2", &opt, barrier);
    run(t, "k", blocks, 64, true);
    assert_int_equal(t->words[0], 10 * blocks);
    for (uint32_t i = 0; i < blocks; i++) {
        assert_int_equal(t->words[64 * i + 1], 10 * blocks);
    }
    dt_close(t);
    /* one more never comes to run, here as with time */
    t = dt_open_with("tiny", "gpu.sms=2", &opt, barrier);
    queue(t, "k", blocks + 1, 64, true);
    assert_int_equal(smw_step(t->d, 0), SMW_LIMIT);
    dt_close(t);
}

/* The first block waits for the last one that is resident with it; a warp for a later
 * one of its block. */
static void waits_for_later_block(void **state)
{
    static const char ptx[] = PTX_HEAD BODY(
        "k", "mov.u32 %r3, %nctaid.x; sub.u32 %r3, %r3, 1; setp.ne.u32 %p1, %r2, %r3;\n"
             "@!%p1 st.volatile.global.u32 [%rd0], 7; setp.ne.u32 %p2, %r2, 0;\n"
             "W: ld.volatile.global.u32 %r4, [%rd0]; setp.eq.u32 %p3, %r4, 0;\n"
             "@%p3 bra W; @!%p2 st.global.u32 [%rd1 + 4], %r4;")
        BODY("warps",
             "setp.lt.u32 %p1, %r1, 32; @!%p1 st.volatile.global.u32 [%rd0], 9;\n"
             "W: ld.volatile.global.u32 %r4, [%rd0]; setp.eq.u32 %p3, %r4, 0;\n"
             "@%p3 bra W; st.global.u32 [%rd1 + 4], %r4;");
    struct dt *t = dt_open("gpu.sms=2", ptx);

    (void)state;
    run(t, "k", 4, 32, true);
    assert_int_equal(t->words[32], 7);
    dt_close(t);
    t = dt_open("gpu.sms=1", ptx);
    run(t, "warps", 1, 64, true);
    assert_int_equal(t->words[64], 9);
    dt_close(t);
}

static void clocks_go_on(void **state)
{
    static const char ptx[] =
        PTX_HEAD BODY("k", "mov.u64 %rd4, %clock64; mov.u64 %rd6, %globaltimer;\n"
                           "L: mov.u64 %rd5, %clock64; sub.u64 %rd5, %rd5, %rd4;\n"
                           "setp.lt.u64 %p1, %rd5, 5000; @%p1 bra L;\n"
                           "M: mov.u64 %rd7, %globaltimer; sub.u64 %rd7, %rd7, %rd6;\n"
                           "setp.lt.u64 %p1, %rd7, 20000; @%p1 bra M;\n"
                           "cvt.u32.u64 %r4, %rd5; st.global.u32 [%rd1], %r4;");
    struct dt *t = dt_open("gpu.what_if=true", ptx);

    (void)state;
    run(t, "k", 1, 32, true);
    assert_in_range(t->words[0], 5000, 5020); /* a turn of the loop more */
    assert_true(dt_result(t, 0).counters.warp_insts > 5000);
    dt_close(t);
}

/* ---- ends that are none ---- */

static void expect_same_fault(const char *kernel, uint32_t block, enum smw_check check)
{
    struct smw_options opt = {.check = check};
    struct smw_fault fault[2];

    for (uint32_t functional = 0; functional < 2; functional++) {
        struct dt *t = dt_open_with("tiny", "sm.call_depth=8", &opt, faults);
        struct smw_err e;

        err_clear(&e);
        queue(t, kernel, 1, block, functional != 0);
        assert_int_equal(smw_step(t->d, 0), SMW_FAULT);
        assert_int_equal(smw_step(t->d, 0), SMW_FAULT);
        fault[functional] = *smw_fault(t->d);
        dt_fetch(t);
        assert_false(dt_queue(t, "good", dt_shape(1, 32), &e));
        assert_true(dt_result(t, 0).started && !dt_result(t, 0).finished);
        assert_string_equal(fault[functional].kernel, kernel);
        fault[functional].kernel = NULL;
        if (functional) {
            assert_string_equal(fault[0].message, fault[1].message);
            assert_string_equal(fault[0].detail, fault[1].detail);
            assert_string_equal(fault[0].inst, fault[1].inst);
            assert_string_equal(fault[0].rule, fault[1].rule);
            assert_string_equal(fault[0].array, fault[1].array);
            assert_int_equal(fault[0].ptx_line, fault[1].ptx_line);
            assert_int_equal(fault[0].addr, fault[1].addr);
            assert_int_equal(fault[0].offset, fault[1].offset);
            assert_int_equal(fault[0].pc, fault[1].pc);
            assert_memory_equal(fault[0].thread, fault[1].thread, 12);
        }
        dt_close(t);
    }
}

static void faults_as_timed(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint32_t block = rows[i].thread == 0 ? 32 : 64;

        expect_same_fault(rows[i].kernel, block, SMW_CHECK_FAST);
        expect_same_fault(rows[i].kernel, block, SMW_CHECK_NONE);
    }
}

/* The one warp that can goes on; the others wait for ever. */
static void deadlock(void **state)
{
    static const char ptx[] =
        PTX_HEAD BODY("k", "setp.lt.u32 %p1, %r1, 32; @%p1 bra A;\n"
                           "bar.sync 2, 64;\nbra B;\nA:\nbar.sync 1, 64;\nB:\n"
                           "add.u32 %r4, %r1, 1; st.global.u32 [%rd1], %r4;");
    char detail[2][2048];

    (void)state;
    for (uint32_t functional = 0; functional < 2; functional++) {
        struct dt *t = dt_open("", ptx);

        queue(t, "k", 1, 64, functional != 0);
        assert_int_equal(smw_step(t->d, 0), SMW_DEADLOCK);
        assert_int_equal(smw_step(t->d, 0), SMW_DEADLOCK);
        memcpy(detail[functional], smw_fault(t->d)->detail, sizeof(detail[0]));
        assert_non_null(strstr(detail[functional], "warp 1 waits at barrier 2"));
        dt_close(t);
    }
    assert_string_equal(detail[0], detail[1]);
}

static const char spin[] = PTX_HEAD BODY("k", "L: bra L;")
    BODY("good", "st.global.u32 [%rd1], 5;") BODY("together", "L: bar.sync 0; bra L;");

static void limit(void **state)
{
    struct smw_options opt = {.max_cycles = 5000};
    struct dt *t = dt_open_with("tiny", "", &opt, spin);

    (void)state;
    run(t, "good", 1, 32, true);
    queue(t, "k", 1, 32, true);
    assert_int_equal(smw_step(t->d, 0), SMW_LIMIT);
    assert_int_equal(smw_step(t->d, 0), SMW_LIMIT);
    assert_int_equal(smw_fault(t->d)->kind, SMW_ERR_LIMIT);
    assert_non_null(strstr(smw_fault(t->d)->detail, "warp 0 stands at PTX line "));
    /* the limit, and at most one turn of a warp more */
    assert_in_range(dt_result(t, 1).counters.warp_insts, 5000, 5000 + 1024);
    dt_fetch(t);
    assert_int_equal(t->words[0], 5);
    dt_close(t);
    /* warps that always come to a barrier */
    opt.max_cycles = 100000;
    t = dt_open_with("tiny", "", &opt, spin);
    queue(t, "together", 1, 64, true);
    assert_int_equal(smw_step(t->d, 0), SMW_LIMIT);
    assert_in_range(dt_result(t, 0).counters.warp_insts, 100000,
                    100000 + 64 * 1024 + 1024);
    dt_close(t);
}

/* A slice at a time, and a host that has enough of it. */
static void slices(void **state)
{
    struct dt *t = dt_open("", spin);
    struct smw_progress a, b;
    char where[512];

    (void)state;
    queue(t, "k", 1, 32, true);
    assert_int_equal(smw_step(t->d, 3), SMW_RUNNING);
    smw_progress(t->d, &a);
    assert_int_equal(smw_step(t->d, 3), SMW_RUNNING);
    smw_progress(t->d, &b);
    assert_int_equal(a.cycles, b.cycles);
    assert_true(b.warp_insts > a.warp_insts);
    assert_int_equal(b.blocks_done, 0);
    smw_stop(t->d);
    assert_int_equal(smw_step(t->d, 0), SMW_STOPPED);
    smw_where(t->d, where, sizeof(where));
    assert_non_null(strstr(where, "stands at PTX line"));
    dt_close(t); /* with the launch under way */
    t = dt_open("", work);
    queue(t, "k", 8, 64, true);
    while (smw_step(t->d, 1) == SMW_RUNNING) {
    }
    dt_fetch(t);
    assert_int_equal(t->words[DT_OUT_WORDS - 1], 8 * 64);
    dt_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_answer),
        cmocka_unit_test(counts_as_timed),
        cmocka_unit_test(caches_are_not_stale),
        cmocka_unit_test(alone_at_its_turn),
        cmocka_unit_test(checks_know_its_stores),
        cmocka_unit_test(between_copies),
        cmocka_unit_test(host_memory),
        cmocka_unit_test(locks),
        cmocka_unit_test(grid_barrier),
        cmocka_unit_test(waits_for_later_block),
        cmocka_unit_test(clocks_go_on),
        cmocka_unit_test(faults_as_timed),
        cmocka_unit_test(deadlock),
        cmocka_unit_test(limit),
        cmocka_unit_test(slices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
