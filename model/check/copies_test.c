/* Asynchronous copies and who may read what they write: SPEC CHECK-6. */
#include "check/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS = 64 };

static struct check *begin(void)
{
    static int kernel;
    const struct check_block b = {.kernel = &kernel,
                                  .warps = 2,
                                  .bytes = 4 * WORDS,
                                  .blocks = 1};
    struct check *c = check_new(1, false);

    check_begin(c, 0, &b);
    return c;
}

/* Every lane of the mask, 4 bytes at word first + lane, by instruction pc. */
static bool go(struct check *c, uint32_t pc, uint8_t warp, uint8_t flags, uint32_t mask,
               uint32_t first)
{
    static const uint32_t data[4][CHECK_LANES];
    uint64_t addr[CHECK_LANES];
    struct check_access a = {.mask = mask,
                             .pc = pc,
                             .warp = warp,
                             .flags = flags,
                             .size = 4,
                             .vec = 1,
                             .cycle = pc,
                             .addr = addr,
                             .data = data};

    for (uint32_t lane = 0; lane < CHECK_LANES; lane++) {
        addr[lane] = 4 * (first + lane);
    }
    return (flags & CHECK_ASYNC) != 0 ? check_copy(c, 0, &a) : check_access(c, 0, &a);
}

enum { COPY = CHECK_WRITE | CHECK_ASYNC };

static void barrier(struct check *c)
{
    check_arrive(c, 0, 0, 0);
    check_arrive(c, 0, 0, 1);
    check_leave(c, 0, 0, 0, true);
    check_leave(c, 0, 0, 1, true);
    check_complete(c, 0, 0);
}

/* The thread itself must wait: before that its own read is a race, an error. */
static void test_own_wait(void **state)
{
    struct check *c = begin();

    (void)state;
    assert_false(go(c, 1, 0, COPY, 1, 0));
    assert_true(go(c, 2, 0, 0, 1, 0));
    assert_int_equal(check_n_findings(c), 1);
    assert_true(check_finding(c, 0)->error);
    assert_int_equal(check_finding(c, 0)->side[0].pc, 1);
    assert_true((check_finding(c, 0)->side[0].flags & CHECK_ASYNC) != 0);
    check_commit(c, 0, 0, UINT32_MAX);
    check_copies_over(c, 0, 0, UINT32_MAX, 0);
    assert_false(go(c, 3, 0, 0, 1, 0));
    check_free(c);
}

/* Others need the barrier as well: it alone does not do, nor does the wait alone. */
static void test_wait_and_barrier(void **state)
{
    struct check *c = begin();

    (void)state;
    assert_false(go(c, 1, 0, COPY, UINT32_MAX, 0));
    check_commit(c, 0, 0, UINT32_MAX);
    barrier(c);
    assert_true(go(c, 2, 1, 0, UINT32_MAX, 0));
    check_copies_over(c, 0, 0, UINT32_MAX, 0);
    assert_true(go(c, 3, 1, 0, UINT32_MAX, 0));
    barrier(c);
    assert_false(go(c, 4, 1, 0, UINT32_MAX, 0));
    assert_int_equal(check_n_findings(c), 2);
    check_free(c);
}

/* Of three groups the oldest are over: the latest is not. */
static void test_groups(void **state)
{
    struct check *c = begin();

    (void)state;
    for (uint32_t g = 0; g < 3; g++) {
        assert_false(go(c, g, 0, COPY, 1, g));
        check_commit(c, 0, 0, UINT32_MAX);
    }
    check_copies_over(c, 0, 0, UINT32_MAX, 1);
    assert_false(go(c, 10, 0, 0, 1, 0));
    assert_false(go(c, 11, 0, 0, 1, 1));
    assert_true(go(c, 12, 0, 0, 1, 2));
    check_free(c);
}

/* Groups are a thread's: what lane 1 waits for is not over for lane 0. */
static void test_lanes(void **state)
{
    struct check *c = begin();

    (void)state;
    assert_false(go(c, 1, 0, COPY, 3, 0));
    check_commit(c, 0, 0, 3);
    check_copies_over(c, 0, 0, 2, 0);
    assert_false(go(c, 2, 0, 0, 2, 0));
    assert_true(go(c, 3, 0, 0, 1, 0));
    check_free(c);
}

/* What is not committed is not waited for; a second copy to the same place before the
 * wait is a race of writes, and the wait for the first does not settle the second. */
static void test_twice(void **state)
{
    struct check *c = begin();

    (void)state;
    assert_false(go(c, 1, 0, COPY, 1, 0));
    check_commit(c, 0, 0, 1);
    assert_true(go(c, 2, 0, COPY, 1, 0));
    check_copies_over(c, 0, 0, 1, 0);
    assert_true(go(c, 3, 0, 0, 1, 0));
    check_free(c);
}

/* Bytes of a word that was accessed byte by byte. */
static void test_bytes(void **state)
{
    static const uint32_t data[4][CHECK_LANES];
    struct check *c = begin();
    uint64_t addr[CHECK_LANES] = {2};
    struct check_access a = {.mask = 1,
                             .pc = 1,
                             .flags = CHECK_WRITE,
                             .size = 1,
                             .vec = 1,
                             .addr = addr,
                             .data = data};

    (void)state;
    assert_false(check_access(c, 0, &a));
    assert_false(go(c, 2, 0, COPY, 1, 0));
    assert_true(go(c, 3, 0, 0, 1, 0));
    check_commit(c, 0, 0, 1);
    check_copies_over(c, 0, 0, 1, 0);
    assert_false(go(c, 4, 0, 0, 1, 0));
    check_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_wait), cmocka_unit_test(test_wait_and_barrier),
        cmocka_unit_test(test_groups),   cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_twice),    cmocka_unit_test(test_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
