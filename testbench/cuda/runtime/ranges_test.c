#include "runtime/ranges.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void add(struct rt_ranges *s, uint64_t addr, uint64_t bytes)
{
    struct rt_range r = {.addr = addr, .bytes = bytes};

    assert_true(rt_range_add(s, &r));
}

static void the_last_byte_is_inside(void **state)
{
    struct rt_ranges s = {0};

    (void)state;
    assert_null(rt_range_find(&s, 5));
    add(&s, 300, 100);
    add(&s, 100, 100);
    add(&s, 200, 50);
    assert_null(rt_range_find(&s, 99));
    assert_int_equal(rt_range_find(&s, 100)->addr, 100);
    assert_int_equal(rt_range_find(&s, 199)->addr, 100);
    assert_int_equal(rt_range_find(&s, 200)->addr, 200);
    assert_null(rt_range_find(&s, 250));
    assert_int_equal(rt_range_after(&s, 250)->addr, 300);
    assert_int_equal(rt_range_find(&s, 399)->addr, 300);
    assert_null(rt_range_after(&s, 400));
    rt_range_remove(&s, rt_range_find(&s, 210));
    assert_null(rt_range_find(&s, 210));
    assert_int_equal(rt_range_after(&s, 210)->addr, 300);
    rt_ranges_free(&s);
}

static void order_of_adding_does_not_matter(void **state)
{
    struct rt_ranges s = {0};

    (void)state;
    for (uint64_t i = 0; i < 1000; i++) {
        add(&s, i * 7919 % 1000 * 16, 16);
    }
    for (uint64_t i = 0; i < 1000; i++) {
        assert_int_equal(s.range[i].addr, i * 16);
        assert_int_equal(rt_range_find(&s, i * 16 + 15)->addr, i * 16);
    }
    rt_ranges_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_byte_is_inside),
        cmocka_unit_test(order_of_adding_does_not_matter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
