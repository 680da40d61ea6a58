/* Copies of a warp under way and the groups of its threads: SPEC ASYNC-3. */
#include "sm/async.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void add(struct async *a, struct mem_copy *c, uint32_t mask)
{
    c->mask = mask;
    async_add(a, c);
}

/* Of three groups the latest n may be under way. */
static void test_counts(void **state)
{
    struct async a;
    struct mem_copy c[3];

    (void)state;
    async_begin(&a);
    for (uint32_t i = 0; i < 3; i++) {
        add(&a, &c[i], UINT32_MAX);
        async_commit(&a, UINT32_MAX);
    }
    assert_int_equal(async_groups(&a), 3);
    assert_true(async_must_wait(&a, UINT32_MAX, 2));
    assert_false(async_must_wait(&a, UINT32_MAX, 3));
    async_remove(&a, &c[0]);
    assert_false(async_must_wait(&a, UINT32_MAX, 2));
    assert_true(async_must_wait(&a, UINT32_MAX, 1));
    async_remove(&a, &c[2]); /* the latest is over first: the one before still counts */
    assert_true(async_must_wait(&a, UINT32_MAX, 1));
    async_remove(&a, &c[1]);
    assert_false(async_must_wait(&a, UINT32_MAX, 0));
    assert_int_equal(async_groups(&a), 0);
}

/* What is not committed is waited for by nobody; an empty group counts. */
static void test_commits(void **state)
{
    struct async a;
    struct mem_copy c;

    (void)state;
    async_begin(&a);
    add(&a, &c, UINT32_MAX);
    assert_false(async_must_wait(&a, UINT32_MAX, 0));
    assert_int_equal(async_groups(&a), 1);
    async_commit(&a, UINT32_MAX);
    assert_true(async_must_wait(&a, UINT32_MAX, 0));
    async_commit(&a, UINT32_MAX);
    assert_true(async_must_wait(&a, UINT32_MAX, 1));
    assert_false(async_must_wait(&a, UINT32_MAX, 2));
}

/* Lanes have groups of their own. */
static void test_lanes(void **state)
{
    struct async a;
    struct mem_copy c[2];

    (void)state;
    async_begin(&a);
    add(&a, &c[0], 3);
    async_commit(&a, 2); /* lane 1 alone */
    assert_false(async_must_wait(&a, 1, 0));
    assert_true(async_must_wait(&a, 2, 0));
    assert_true(async_must_wait(&a, 3, 0));
    add(&a, &c[1], 1); /* lane 0: still in its first group */
    async_commit(&a, 1);
    assert_int_equal(async_groups(&a), 1);
    assert_true(async_must_wait(&a, 1, 0));
    assert_false(async_must_wait(&a, 1, 1));
    async_remove(&a, &c[1]);
    assert_true(async_must_wait(&a, 1, 0));
    async_remove(&a, &c[0]);
    assert_false(async_must_wait(&a, 3, 0));
}

/* An arrival waits for the copies before it, of its own lanes. */
static void test_older(void **state)
{
    struct async a;
    struct mem_copy c[3];

    (void)state;
    async_begin(&a);
    add(&a, &c[0], 1);
    add(&a, &c[1], 2);
    assert_true(async_has_older(&a, 1, 2));
    assert_true(async_has_older(&a, 2, 2));
    assert_false(async_has_older(&a, 4, 2));
    add(&a, &c[2], 4);
    assert_false(async_has_older(&a, 4, 2));
    async_remove(&a, &c[0]);
    assert_false(async_has_older(&a, 1, 2));
    async_remove(&a, &c[2]);
    async_remove(&a, &c[1]);
    add(&a, &c[0], 1); /* the list begins anew */
    assert_true(a.first == &c[0] && a.last == &c[0] && c[0].number == 3);
}

static void test_made_once(void **state)
{
    struct async *a = NULL;

    (void)state;
    async_of(&a)->begun = 3;
    assert_non_null(a);
    assert_int_equal(async_of(&a)->begun, 3);
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),    cmocka_unit_test(test_commits),
        cmocka_unit_test(test_lanes),     cmocka_unit_test(test_older),
        cmocka_unit_test(test_made_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
