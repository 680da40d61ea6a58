#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "io/num.h"
#include <math.h>
#include <string.h>

static void test_u64(void **state)
{
    uint64_t v = 7;

    (void)state;
    assert_int_equal(num_u64("0", &v), NUM_OK);
    assert_int_equal(v, 0);
    assert_int_equal(num_u64("18446744073709551615", &v), NUM_OK);
    assert_true(v == UINT64_MAX);
    assert_int_equal(num_u64("0xFFFFffffFFFFffff", &v), NUM_OK);
    assert_true(v == UINT64_MAX);
    assert_int_equal(num_u64("+12", &v), NUM_OK);
    assert_int_equal(v, 12);
    assert_int_equal(num_u64("-0", &v), NUM_OK);
    assert_int_equal(v, 0);
    v = 7;
    assert_int_equal(num_u64("18446744073709551616", &v), NUM_OVERFLOW);
    assert_int_equal(num_u64("0x10000000000000000", &v), NUM_OVERFLOW);
    assert_int_equal(num_u64("-1", &v), NUM_OVERFLOW);
    assert_int_equal(v, 7); /* written only on success */
}

static void test_bad(void **state)
{
    static const char *const words[] = {"",     " ",   "+",   "-",   "0x",
                                        "1 ",   " 1",  "1.0", "1e3", "12a",
                                        "0xg1", "--1", "0b1", "ten"};
    uint64_t u;
    int64_t s;

    (void)state;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        assert_int_equal(num_u64(words[i], &u), NUM_BAD);
        assert_int_equal(num_s64(words[i], &s), NUM_BAD);
    }
}

static void test_s64(void **state)
{
    int64_t v = 0;
    uint32_t u = 0;

    (void)state;
    assert_int_equal(num_s64("-9223372036854775808", &v), NUM_OK);
    assert_true(v == INT64_MIN);
    assert_int_equal(num_s64("9223372036854775807", &v), NUM_OK);
    assert_true(v == INT64_MAX);
    assert_int_equal(num_s64("-0x10", &v), NUM_OK);
    assert_int_equal(v, -16);
    assert_int_equal(num_s64("9223372036854775808", &v), NUM_OVERFLOW);
    assert_int_equal(num_s64("-9223372036854775809", &v), NUM_OVERFLOW);
    assert_int_equal(num_u32("4294967295", &u), NUM_OK);
    assert_true(u == UINT32_MAX);
    assert_int_equal(num_u32("4294967296", &u), NUM_OVERFLOW);
}

static void test_bits(void **state)
{
    struct num_int v;

    (void)state;
    assert_int_equal(num_int("-1", &v), NUM_OK);
    assert_true(num_bits(v) == UINT64_MAX);
    assert_int_equal(num_int("-18446744073709551615", &v), NUM_OK);
    assert_true(num_bits(v) == 1);
}

static void test_f64(void **state)
{
    double v = 0;

    (void)state;
    assert_int_equal(num_f64("0.5", &v), NUM_OK);
    assert_true(v == 0.5);
    assert_int_equal(num_f64("-1e3", &v), NUM_OK);
    assert_true(v == -1000);
    assert_int_equal(num_f64(".25", &v), NUM_OK);
    assert_true(v == 0.25);
    assert_int_equal(num_f64("0x1.8p1", &v), NUM_OK);
    assert_true(v == 3);
    assert_int_equal(num_f64("1.7976931348623157e308", &v), NUM_OK);
    assert_int_equal(num_f64("4.9e-324", &v), NUM_OK);
    assert_true(v > 0);
    assert_int_equal(num_f64("-.inf", &v), NUM_OK);
    assert_true(isinf(v) && v < 0);
    assert_int_equal(num_f64("nan", &v), NUM_OK);
    assert_true(isnan(v));
    assert_int_equal(num_f64("1e309", &v), NUM_OVERFLOW);
    assert_int_equal(num_f64("", &v), NUM_BAD);
    assert_int_equal(num_f64("1.2.3", &v), NUM_BAD);
    assert_int_equal(num_f64("infinity", &v), NUM_BAD);
    assert_int_equal(num_f64("1f", &v), NUM_BAD);
    assert_int_equal(num_f64(" 1", &v), NUM_BAD);
}

static void test_f32(void **state)
{
    float v = 0;

    (void)state;
    assert_int_equal(num_f32("0.1", &v), NUM_OK);
    assert_true(v == 0.1f);
    /* Halfway between two floats plus a little: through double it would round down. */
    assert_int_equal(num_f32("1.00000005960464477540", &v), NUM_OK);
    assert_true(v == 1.00000011920928955078125f);
    assert_int_equal(num_f32("3.5e38", &v), NUM_OVERFLOW);
    assert_int_equal(num_f32("nan", &v), NUM_OK);
    assert_true(isnan(v));
    assert_int_equal(num_f32("x", &v), NUM_BAD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_u64), cmocka_unit_test(test_bad),
        cmocka_unit_test(test_s64), cmocka_unit_test(test_bits),
        cmocka_unit_test(test_f64), cmocka_unit_test(test_f32),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
