/* Which launches may begin, against the rule itself: of no stream an earlier one is
 * open. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rule),
        cmocka_unit_test(test_all_queued_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
