/* Every number of the small types, and what lies between two of them. */
#include "io/small_float.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const enum value_type types[] = {VALUE_F16, VALUE_BF16, VALUE_E4M3, VALUE_E5M2};

/* There and back, of all bits; neighbours in order, the half between them to even. */
static void test_all(void **state)
{
    (void)state;
    for (int t = 0; t < 4; t++) {
        const uint32_t n = 1u << (8 * value_type_size(types[t]) - 1);

        for (uint32_t i = 0; i < n; i++) {
            const double v = small_float_value(types[t], i);
            const double next = small_float_value(types[t], i + 1);

            if (isnan(v)) {
                assert_int_equal(small_float_bits(types[t], v), n - 1);
                continue;
            }
            assert_int_equal(small_float_bits(types[t], v), i);
            assert_int_equal(small_float_bits(types[t], -v), i | n);
            assert_true(small_float_value(types[t], i | n) == -v);
            if (i + 1 < n && isfinite(next)) {
                const double middle = (v + next) / 2;

                assert_true(v < next);
                assert_int_equal(small_float_bits(types[t], middle), i + (i & 1));
                assert_int_equal(small_float_bits(types[t], nextafter(middle, 0)), i);
                assert_int_equal(small_float_bits(types[t], nextafter(middle, next)),
                                 i + 1);
            }
        }
    }
}

/* From the PTX ISA and IEEE 754. */
static void test_known(void **state)
{
    (void)state;
    assert_int_equal(small_float_bits(VALUE_F16, 1), 0x3c00);
    assert_int_equal(small_float_bits(VALUE_F16, 65504), 0x7bff);
    assert_int_equal(small_float_bits(VALUE_F16, 65519.99), 0x7bff);
    assert_int_equal(small_float_bits(VALUE_F16, 65520), 0x7c00);
    assert_int_equal(small_float_bits(VALUE_F16, -1e300), 0xfc00);
    assert_int_equal(small_float_bits(VALUE_F16, 0x1p-24), 1);
    assert_int_equal(small_float_bits(VALUE_F16, 0x1p-25), 0);
    assert_int_equal(small_float_bits(VALUE_F16, NAN), 0x7fff);
    assert_int_equal(small_float_bits(VALUE_BF16, 1), 0x3f80);
    assert_int_equal(small_float_bits(VALUE_BF16, INFINITY), 0x7f80);
    assert_int_equal(small_float_bits(VALUE_BF16, 0x1p-133), 1);
    assert_int_equal(small_float_bits(VALUE_E4M3, 1), 0x38);
    assert_int_equal(small_float_bits(VALUE_E4M3, 448), 0x7e);
    assert_int_equal(small_float_bits(VALUE_E4M3, 464), 0x7e);
    assert_int_equal(small_float_bits(VALUE_E4M3, 465), 0x7f);
    assert_int_equal(small_float_bits(VALUE_E4M3, INFINITY), 0x7f);
    assert_int_equal(small_float_bits(VALUE_E4M3, 0x1p-9), 1);
    assert_int_equal(small_float_bits(VALUE_E5M2, 1), 0x3c);
    assert_int_equal(small_float_bits(VALUE_E5M2, 57344), 0x7b);
    assert_int_equal(small_float_bits(VALUE_E5M2, 61440), 0x7c);
    assert_int_equal(small_float_bits(VALUE_E5M2, -0.0), 0x80);
    assert_true(isnan(small_float_value(VALUE_E4M3, 0xff)));
    assert_true(isinf(small_float_value(VALUE_E5M2, 0xfc)));
    assert_true(small_float_is(VALUE_BF16) && !small_float_is(VALUE_F32));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
