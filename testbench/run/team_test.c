/* A team does each part of each call once, in whatever thread, also where helpers do
 * not come to it; and calls are over when they return. */
#define _GNU_SOURCE /* sched_setaffinity() */

#include "run/team.h"

#include "base/err.h"
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { CALLS = 20000, MOST = 8 };

struct call {
    uint32_t number;
    uint32_t times[MOST]; /* each part was done in all calls so far */
    uint32_t seen[MOST];  /* the number of the call it was done in last */
};

static void part(void *arg, uint32_t i)
{
    struct call *c = arg;

    c->times[i]++;
    c->seen[i] = c->number;
}

static void each_part_once(uint32_t n)
{
    struct smw_err e = {0};
    struct team *t = team_open(n, &e);
    const struct smw_team *team = team_of(t);
    struct call c = {0};

    assert_non_null(t);
    assert_int_equal(team->n, n);
    for (c.number = 1; c.number <= CALLS; c.number++) {
        team->run(team->ctx, part, &c);
        for (uint32_t i = 0; i < n; i++) {
            assert_int_equal(c.seen[i], c.number);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(c.times[i], CALLS);
    }
    team_close(t);
}

static void sizes(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= MOST; n++) {
        each_part_once(n);
    }
}

/* On one processor helpers begin when the caller lets them, mostly not at all. */
static void one_processor(void **state)
{
    cpu_set_t all, one;
    int first = 0;

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
    while (!CPU_ISSET(first, &all)) {
        first++;
    }
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
    each_part_once(4);
    assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
}

static void unused(void **state)
{
    struct smw_err e = {0};

    (void)state;
    team_close(team_open(3, &e));
    team_close(NULL);
    assert_null(team_of(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),
        cmocka_unit_test(one_processor),
        cmocka_unit_test(unused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
