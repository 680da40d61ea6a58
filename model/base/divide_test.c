/*
 * Division by a stored inverse against the host's.
 */
#include "base/divide.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void check(uint64_t d, uint64_t n)
{
    struct divisor v = divisor_of(d);
    uint64_t rest;

    assert_true(divide(&v, n, &rest) == n / d);
    assert_true(rest == n % d);
    assert_true(quotient(&v, n) == n / d);
    assert_true(remainder_of(&v, n) == n % d);
}

/* Dividends around the multiples of d, where an estimate is wrong first. */
static void around_multiples(uint64_t d)
{
    uint64_t last = UINT64_MAX / d * d;

    for (uint64_t i = 0; i < 3; i++) {
        check(d, i);
        check(d, UINT64_MAX - i);
        check(d, d - i % d);
        check(d, last - i);
        check(d, last > UINT64_MAX - i ? UINT64_MAX : last + i);
    }
}

static void small_divisors(void **state)
{
    (void)state;
    for (uint64_t d = 1; d < 3000; d++) {
        around_multiples(d);
        for (uint64_t n = 0; n < 500; n++) {
            check(d, n * 0x123456789abcdef);
        }
    }
}

static void large_divisors(void **state)
{
    (void)state;
    for (uint32_t b = 1; b < 64; b++) {
        around_multiples((1ull << b) - 1);
        around_multiples(1ull << b);
        around_multiples((1ull << b) + 1);
    }
    around_multiples(UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_divisors),
        cmocka_unit_test(large_divisors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
