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
                 "L: mov.u32 %r3, %clock; mov.u32 %r3, 0;\n"
                 "ld.volatile.global.u32 %r4, [%rd1 + 4]; setp.ne.u32 %p1, %r4, 0;\n"
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
        cmocka_unit_test(found),           cmocka_unit_test(not_found),
        cmocka_unit_test(only_who_waits),  cmocka_unit_test(host_pages),
        cmocka_unit_test(changes_nothing), cmocka_unit_test(causes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
