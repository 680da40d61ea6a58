#include "base/room.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* xorshift64 */
static uint64_t random_number(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

static void make(struct room *r, uint64_t at, uint64_t bytes)
{
    assert_true(room_init(r, at, bytes));
    assert_true(room_reserve(r, 100));
}

static uint64_t take(struct room *r, uint64_t bytes)
{
    uint64_t at = 0;

    assert_true(room_take(r, bytes, bytes, &at));
    return at;
}

static void lowest_first(void **state)
{
    struct room r;
    uint64_t a, b, c, at = 77, largest;

    (void)state;
    make(&r, 1000, 300);
    a = take(&r, 100);
    b = take(&r, 100);
    c = take(&r, 100);
    assert_int_equal(a, 1000);
    assert_int_equal(b, 1100);
    assert_int_equal(c, 1200);
    assert_false(room_take(&r, 1, 1, &at));
    assert_int_equal(at, 77);
    assert_int_equal(room_left(&r, &largest), 0);
    room_give(&r, c, 100);
    room_give(&r, a, 100);
    assert_int_equal(room_left(&r, &largest), 200);
    assert_int_equal(largest, 100);
    assert_false(room_take(&r, 101, 101, &at)); /* in two pieces */
    assert_int_equal(take(&r, 60), 1000);
    assert_int_equal(take(&r, 60), 1200); /* 40 are left of the first */
    assert_int_equal(take(&r, 40), 1060);
    room_free(&r);
}

/* Holes that touch become one, whichever is given back last. */
static void merging(void **state)
{
    static const uint8_t order[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                       {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    struct room r;

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(order); i++) {
        make(&r, 0, 30);
        for (uint32_t k = 0; k < 3; k++) {
            (void)take(&r, 10);
        }
        for (uint32_t k = 0; k < 3; k++) {
            room_give(&r, order[i][k] * 10u, 10);
        }
        assert_int_equal(r.n, 1);
        assert_int_equal(take(&r, 30), 0);
        room_free(&r);
    }
}

/* A tail shorter than a unit can be had by what fits in it. */
static void tail(void **state)
{
    struct room r;
    uint64_t at = 0, largest;

    (void)state;
    make(&r, 0, 300);
    assert_true(room_take(&r, 200, 256, &at));
    assert_false(room_take(&r, 45, 256, &at));
    assert_true(room_take(&r, 44, 256, &at));
    assert_int_equal(at, 256);
    assert_int_equal(room_left(&r, &largest), 0);
    room_free(&r);
}

/* Against a map with a cell for each byte. */
static void against_a_map(void **state)
{
    enum { SIZE = 512, STEPS = 20000, MAX = 64 };
    static bool used[SIZE];
    struct {
        uint64_t at, bytes;
    } part[MAX];
    struct room r;
    uint64_t seed = 1;
    uint32_t n = 0;

    (void)state;
    memset(used, 0, sizeof(used));
    make(&r, 0, SIZE);
    for (uint32_t step = 0; step < STEPS; step++) {
        uint64_t bytes = 1 + random_number(&seed) % 40, at = SIZE, want = 0;
        uint64_t run = 0, largest, left = 0;

        if (n == MAX || (n > 0 && random_number(&seed) % 2 == 0)) {
            uint32_t k = (uint32_t)(random_number(&seed) % n);

            room_give(&r, part[k].at, part[k].bytes);
            memset(used + part[k].at, 0, part[k].bytes);
            part[k] = part[--n];
        } else {
            for (want = 0; want < SIZE && run < bytes; want++) {
                run = used[want] ? 0 : run + 1;
            }
            assert_int_equal(room_take(&r, bytes, bytes, &at), run == bytes);
            if (run == bytes) {
                assert_int_equal(at, want - bytes);
                memset(used + at, 1, bytes);
                part[n].at = at;
                part[n++].bytes = bytes;
            }
        }
        for (uint32_t k = 0; k < SIZE; k++) {
            left += !used[k];
        }
        assert_int_equal(room_left(&r, &largest), left);
    }
    room_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lowest_first),
        cmocka_unit_test(merging),
        cmocka_unit_test(tail),
        cmocka_unit_test(against_a_map),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
