/* The normal distribution against its integral. */
#include "io/normal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The probability of what is found is the one asked for. */
static void test_inverse(void **state)
{
    (void)state;
    for (int i = 1; i < 2000; i++) {
        const double p = i / 2000.0, x = normal_quantile(p);

        assert_true(fabs(0.5 * erfc(-x / sqrt(2)) - p) < 3e-9);
        assert_true(fabs(normal_quantile(1 - p) + x) < 1e-8 * (1 + fabs(x)));
    }
    for (double p = 0.01; p > 1e-16; p /= 3) {
        assert_true(fabs(0.5 * erfc(-normal_quantile(p) / sqrt(2)) / p - 1) < 1e-7);
    }
}

static void test_known(void **state)
{
    (void)state;
    assert_true(normal_quantile(0.5) == 0);
    assert_true(fabs(normal_quantile(0.975) - 1.959963984540054) < 4e-9);
    assert_true(normal_quantile(0x1p-54) < -8 && normal_quantile(0x1p-54) > -9);
    assert_true(isfinite(normal_quantile(1 - 0x1p-53)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inverse),
        cmocka_unit_test(test_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
