/* What may begin, against the rule itself: of no stream an earlier item is open. */
#include "gpu/turns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { LAUNCHES = 60, QUEUED = 0, BEGUN, FINISHED };

struct twin { /* the rule, by looking at all */
    uint32_t n, stream[LAUNCHES];
    uint8_t state[LAUNCHES];
};

static uint32_t twin_first(const struct twin *t)
{
    for (uint32_t i = 0; i < t->n; i++) {
        bool open = false;

        for (uint32_t k = 0; k < i; k++) {
            open |= t->stream[k] == t->stream[i] && t->state[k] != FINISHED;
        }
        if (t->state[i] == QUEUED && !open) {
            return i;
        }
    }
    return TURNS_NONE;
}

static uint32_t draw(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Add, begin and finish at random, in so many streams. */
static void play(uint32_t streams, uint32_t seed)
{
    struct twin t = {0};
    struct turns o = {0};
    uint32_t n_finished = 0;

    while (n_finished < LAUNCHES) {
        uint32_t what = draw(&seed) % 3, first = turns_first(&o, 0);

        assert_int_equal(first, twin_first(&t));
        if (what == 0 && t.n < LAUNCHES) {
            t.stream[t.n] = draw(&seed) % streams * 0x10000u;
            assert_true(turns_add(&o, t.stream[t.n++], 0));
        } else if (what == 1 && first != TURNS_NONE) {
            t.state[first] = BEGUN;
            turns_begin(&o, 0);
        } else if (what == 2 && t.n > 0) {
            uint32_t i = draw(&seed) % t.n;

            if (t.state[i] == BEGUN) {
                t.state[i] = FINISHED;
                turns_finish(&o, i);
                n_finished++;
            }
        }
    }
    assert_int_equal(turns_first(&o, 0), TURNS_NONE);
    turns_free(&o);
}

static void test_rule(void **state)
{
    (void)state;
    play(1, 1);
    play(2, 2);
    play(7, 3);
    play(100, 4);
}

static void test_all_queued_first(void **state)
{
    struct turns o = {0};

    (void)state;
    for (uint32_t i = 0; i < 1000; i++) {
        assert_true(turns_add(&o, i % 10, 0));
    }
    for (uint32_t i = 0; i < 1000; i++) {
        assert_int_equal(turns_first(&o, 0), i);
        turns_begin(&o, 0);
        turns_finish(&o, i);
    }
    assert_int_equal(turns_first(&o, 0), TURNS_NONE);
    turns_free(&o);
}

/* A lane does not wait for another, and has its items in order. */
static void test_lanes(void **state)
{
    struct turns o = {0};

    (void)state;
    assert_true(turns_idle(&o, 7));
    assert_true(turns_add(&o, 7, 1)); /* 0 */
    assert_true(turns_add(&o, 8, 2)); /* 1 */
    assert_true(turns_add(&o, 7, 2)); /* 2, behind 0 */
    assert_true(turns_add(&o, 9, 2)); /* 3 */
    assert_int_equal(turns_first(&o, 0), TURNS_NONE);
    assert_int_equal(turns_first(&o, 1), 0);
    assert_int_equal(turns_first(&o, 2), 1);
    turns_begin(&o, 1);
    assert_int_equal(turns_first(&o, 1), TURNS_NONE);
    turns_finish(&o, 0);
    assert_false(turns_idle(&o, 7));
    turns_begin(&o, 2);
    assert_int_equal(turns_first(&o, 2), 2); /* may begin now, and is before 3 */
    turns_begin(&o, 2);
    assert_int_equal(turns_first(&o, 2), 3);
    turns_finish(&o, 2);
    assert_true(turns_idle(&o, 7));
    assert_false(turns_idle(&o, 8)); /* has begun */
    turns_finish(&o, 1);
    assert_true(turns_idle(&o, 8));
    turns_free(&o);
}

/* Parked items are finished with the one they wait for, and what is behind them may
 * begin then; on one that is finished, at once. */
static void test_parked(void **state)
{
    struct turns o = {0};

    (void)state;
    assert_true(turns_add(&o, 0, 0)); /* 0: waited for */
    for (uint32_t s = 1; s < 4; s++) {
        assert_true(turns_add(&o, s, 0)); /* 1, 3, 5: wait */
        assert_true(turns_add(&o, s, 1)); /* 2, 4, 6 */
    }
    turns_begin(&o, 0);
    for (uint32_t i = 1; i < 6; i += 2) {
        assert_int_equal(turns_first(&o, 0), i);
        turns_begin(&o, 0);
        turns_park(&o, i, 0);
    }
    assert_int_equal(turns_first(&o, 0), TURNS_NONE);
    assert_int_equal(turns_first(&o, 1), TURNS_NONE);
    assert_false(turns_idle(&o, 1));
    assert_int_equal(o.n_finished, 0);
    turns_finish(&o, 0);
    assert_int_equal(o.n_finished, 4);
    for (uint32_t i = 2; i < 7; i += 2) {
        assert_int_equal(turns_first(&o, 1), i);
        turns_begin(&o, 1);
        turns_finish(&o, i);
    }
    assert_true(turns_add(&o, 5, 0)); /* 7 */
    turns_begin(&o, 0);
    turns_park(&o, 7, 0);
    assert_true(turns_idle(&o, 5));
    turns_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rule),
        cmocka_unit_test(test_all_queued_first),
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_parked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
