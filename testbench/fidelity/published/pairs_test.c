/* Which pairs count, and which are wrong. */
#include "pairs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* 105.1 of 100 is more than 5 % above, 104.9 is not. */
static void margin(void **state)
{
    const struct pairs_side above[] = {{105.1, 2}, {100, 1}};
    const struct pairs_side near[] = {{104.9, 1}, {100, 2}};

    (void)state;
    assert_int_equal(pairs_count(above, 2).n, 1);
    assert_int_equal(pairs_count(above, 2).wrong, 0);
    assert_int_equal(pairs_count(near, 2).n, 0);
    assert_int_equal(pairs_count(near, 2).wrong, 0);
}

/* Equal on the model is not in order; which of the two comes first in the table is all
 * the same. */
static void wrong(void **state)
{
    const struct pairs_side swapped = {30, 1}, slow = {10, 2}, equal = {20, 2};
    const struct pairs_side all[] = {slow, equal, swapped};
    const struct pairs_sum sum = pairs_count(all, 3);

    (void)state;
    assert_true(pairs_is_wrong(&swapped, &slow));
    assert_false(pairs_is_wrong(&slow, &swapped));
    assert_true(pairs_is_wrong(&equal, &slow));
    assert_int_equal(sum.n, 3);
    assert_int_equal(sum.wrong, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(margin),
                                       cmocka_unit_test(wrong)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
