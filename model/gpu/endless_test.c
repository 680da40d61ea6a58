/* Loops that nothing can end (SPEC HANG-1), by the public API: what ends a run and what
 * does not. What is said of them is in testbench/golden/endless. */
#include "gpu/device_test.h"

enum { FIRST = 1 << 20, LAST = FIRST + 256 * 509, LIMIT = 1600000, SLICE = 20000 };

/* in is 0, 1, 2 ...; only what is said of a kernel changes anything. */
static const char code[] = PTX_HEAD BODY(
    "polls",
    "L: ld.volatile.global.u32 %r3, [%rd1 + 4]; setp.ne.u32 %p1, %r3, 0;\n"
    "@!%p1 bra L;\n") BODY("keeps", "L: atom.global.cas.b32 %r3, [%rd1], 7, 9;\n"
                                    "st.volatile.global.u32 [%rd1 + 128], 0;\n"
                                    "setp.ne.u32 %p1, %r3, 7; @%p1 bra L;\n")
    BODY("counts", "L: ld.volatile.global.u32 %r3, [%rd1 + 4]; add.u32 %r4, %r4, 1;\n"
                   "setp.ne.u32 %p1, %r3, 0; @!%p1 bra L;\n"
                   "st.global.u32 [%rd1], %r4;\n")
        BODY("writes",
             "L: atom.global.add.u32 %r3, [%rd1], 1; mov.u32 %r3, 0;\n"
             "ld.volatile.global.u32 %r4, [%rd1 + 4]; setp.ne.u32 %p1, %r4, 0;\n"
             "mov.u32 %r4, 0; @!%p1 bra L;\n")
            BODY("clock",
                 "L: mov.u32 %r3, %clock; and.b32 %r3, %r3, 0;\n"
                 "ld.volatile.global.u32 %r4, [%rd1 + 4]; or.b32 %r4, %r4, %r3;\n"
                 "setp.ne.u32 %p1, %r4, 0;\n"
                 "@!%p1 bra L;\n")
                BODY("meets", "L: bar.sync 0; ld.volatile.global.u32 %r3, [%rd1 + 4];\n"
                              "setp.ne.u32 %p1, %r3, 0; @!%p1 bra L;\n")
                    BODY("late", "setp.ge.u32 %p1, %r1, 32; @%p1 bra L;\n"
                                 "nanosleep.u32 1000000;\n"
                                 "st.volatile.global.u32 [%rd0 + 4], 1; bra E;\n"
                                 "L: ld.volatile.global.u32 %r3, [%rd0 + 4]; "
                                 "setp.ne.u32 %p1, %r3, 0;\n"
                                 "@!%p1 bra L;\n"
                                 "E:");

static struct dt *open_device(bool patient)
{
    const struct smw_options opt = {.max_cycles = LIMIT, .patient = patient};

    return dt_open_with("v100", "gpu.sms=2", &opt, code);
}

static void ends(const char *kernel, enum smw_status as, uint64_t lo, uint64_t hi)
{
    struct dt *t = open_device(false);

    dt_start(t, kernel, 1, 64);
    if (smw_step(t->d, 0) != as) {
        print_error("%s: %s\n%s\n", kernel, smw_fault(t->d)->message,
                    smw_fault(t->d)->detail);
        fail();
    }
    if (as != SMW_DONE) {
        assert_in_range(smw_fault(t->d)->cycle, lo, hi);
    }
    dt_close(t);
}

static void found(void **state)
{
    (void)state;
    ends("polls", SMW_DEADLOCK, FIRST, LAST);
    ends("keeps", SMW_DEADLOCK, FIRST, LAST);
    ends("meets", SMW_DEADLOCK, FIRST, LAST);
}

static void not_found(void **state)
{
    (void)state;
    ends("counts", SMW_LIMIT, LIMIT, LIMIT);
    ends("writes", SMW_LIMIT, LIMIT, LIMIT);
    ends("clock", SMW_LIMIT, LIMIT, LIMIT);
    ends("late", SMW_DONE, 0, 0);
}

static enum smw_status by_slices(struct dt *t)
{
    enum smw_status s = SMW_RUNNING;

    while (s == SMW_RUNNING) {
        s = smw_step(t->d, SLICE);
    }
    return s;
}

/* A host that steps may give memory a value between two steps, unless it says it does
 * not. */
static void only_who_waits(void **state)
{
    struct dt *t = open_device(false);

    (void)state;
    dt_start(t, "polls", 1, 64);
    assert_int_equal(by_slices(t), SMW_LIMIT);
    dt_close(t);
    t = open_device(true);
    dt_start(t, "polls", 1, 64);
    assert_int_equal(by_slices(t), SMW_DEADLOCK);
    assert_in_range(smw_fault(t->d)->cycle, FIRST, LAST);
    dt_close(t);
}

static const char cluster_code[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry phases(.param .u64 out, .param .u64 in)\n"
    "{ .reg .b32 %r<4>; .reg .pred %p<2>; mov.u32 %r1, 0;\n"
    "L: barrier.cluster.arrive; barrier.cluster.wait; add.u32 %r1, %r1, 1;\n"
    "setp.lt.u32 %p1, %r1, 220; @%p1 bra L; ret; }\n"
    ".visible .entry releases(.param .u64 out, .param .u64 in)\n"
    "{ .reg .b32 %r<4>; .reg .b64 %d<2>; .reg .pred %p<2>; mov.u32 %r1, 0;\n"
    "ld.param.u64 %d0, [in];\n"
    "L: st.volatile.global.u32 [%d0], 0;\n"
    "barrier.cluster.arrive; barrier.cluster.wait; add.u32 %r1, %r1, 1;\n"
    "setp.lt.u32 %p1, %r1, 700; @%p1 bra L; ret; }\n"
    ".visible .entry alone(.param .u64 out, .param .u64 in)\n"
    "{ .reg .b32 %r<4>; .reg .b64 %d<2>; .reg .pred %p<2>;\n"
    "ld.param.u64 %d0, [in]; barrier.cluster.arrive; mov.u32 %r1, %cluster_ctarank;\n"
    "barrier.cluster.wait; setp.eq.u32 %p1, %r1, 0; @%p1 bra W;\n"
    "L: ld.volatile.global.u32 %r2, [%d0]; setp.eq.u32 %p1, %r2, 0; @%p1 bra L;\n"
    "W: barrier.cluster.arrive; barrier.cluster.wait; ret; }\n";

/* Blocks of a cluster wait for most of the time, in phases of more cycles than two
 * looks are apart: that ends, but where one polls what nobody writes it does not. */
static void barriers_of_clusters(void **state)
{
    static const struct {
        const char *kernel;
        enum smw_status as;
        const char *settings;
    } cases[] = {
        {"phases", SMW_DONE, "sm.net.barrier=5000"},
        {"releases", SMW_DONE, "l2.latency=1000 sm.net.release=1000"},
        {"alone", SMW_DEADLOCK, "sm.net.barrier=5000"},
    };

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct smw_options opt = {.max_cycles = LIMIT};
        char settings[96];
        struct dt *t;
        struct smw_launch l = dt_shape(2, 32);
        struct smw_err e;

        (void)snprintf(settings, sizeof(settings), "gpu.sms=4 gpu.gpcs=2 %s",
                       cases[i].settings);
        t = dt_open_with("h100", settings, &opt, cluster_code);
        err_clear(&e);
        l.cluster[0] = 2;
        l.cluster[1] = l.cluster[2] = 1;
        dt_ok(dt_queue(t, cases[i].kernel, l, &e), &e);
        assert_int_equal(smw_step(t->d, 0), cases[i].as);
        if (cases[i].as == SMW_DONE) {
            struct smw_result r;

            assert_true(smw_result(t->d, 0, &r));
            assert_true(r.counters.cycles > FIRST + 4 * 509);
        } else {
            assert_in_range(smw_fault(t->d)->cycle, FIRST, LAST);
        }
        dt_close(t);
    }
}

static uint32_t pages[1 << 15];

static void *place(void *ctx, uint64_t addr, uint64_t bytes)
{
    (void)ctx;
    (void)addr;
    return bytes <= sizeof(pages) ? pages : NULL;
}

/* Of a page of the host's another thread of it may write what is waited for. */
static void host_pages(void **state)
{
    struct dt *t = open_device(true);
    struct smw_err e;

    (void)state;
    err_clear(&e);
    dt_ok(smw_alloc_host(t->d, 4096, place, NULL, &t->out, &e), &e);
    dt_start(t, "polls", 1, 64);
    assert_int_equal(by_slices(t), SMW_LIMIT);
    dt_close(t);
}

/* A watch that finds something else leaves every cycle as it was. */
static void changes_nothing(void **state)
{
    struct dt *t[2] = {open_device(false), open_device(true)};
    struct smw_result r[2];

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        dt_start(t[i], "late", 1, 64);
        assert_int_equal(by_slices(t[i]), SMW_DONE);
        assert_true(smw_result(t[i]->d, 0, &r[i]));
    }
    assert_true(r[0].counters.cycles > FIRST);
    assert_memory_equal(&r[0].counters, &r[1].counters, sizeof(r[0].counters));
    dt_close(t[0]);
    dt_close(t[1]);
}

static void causes(void **state)
{
    struct dt *t = open_device(true);
    const char *said = smw_fault(t->d)->detail;

    (void)state;
    dt_start(t, "polls", 100, 64);
    assert_int_equal(by_slices(t), SMW_DEADLOCK);
    assert_non_null(strstr(said, "read 4 bytes of global memory at 0x"));
    assert_non_null(strstr(said, "the kernel writes global memory nowhere"));
    assert_non_null(strstr(said, "of 100 blocks have not begun"));
    assert_null(strstr(said, "before compute capability 7.0"));
    dt_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found),
        cmocka_unit_test(not_found),
        cmocka_unit_test(only_who_waits),
        cmocka_unit_test(host_pages),
        cmocka_unit_test(changes_nothing),
        cmocka_unit_test(causes),
        cmocka_unit_test(barriers_of_clusters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
