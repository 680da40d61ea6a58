/*
 * Bits and bytes at once against one at a time.
 */
#include "base/bits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void count(void **state)
{
    uint32_t m = 1;

    (void)state;
    assert_int_equal(bits_count(0), 0);
    assert_int_equal(bits_count(UINT32_MAX), 32);
    for (uint32_t i = 0; i < 10000; i++) {
        uint32_t n = 0;

        m = m * 1664525u + 1013904223u;
        for (uint32_t b = 0; b < 32; b++) {
            n += m >> b & 1u;
        }
        assert_int_equal(bits_count(m), n);
    }
}

static void where(void **state)
{
    uint8_t v[64];
    uint32_t seed = 1;

    (void)state;
    for (uint32_t k = 0; k < 1000; k++) {
        uint8_t x = (uint8_t)(k % 5 == 4 ? 0x80 + k % 16 : k % 16);
        uint64_t want = 0;

        for (uint32_t i = 0; i < 64; i++) {
            seed = seed * 1664525u + 1013904223u;
            v[i] = (uint8_t)((seed >> 24 & 0xfu) + (k % 5 == 4 ? 0x80u : 0));
            want |= (uint64_t)(v[i] == x) << i;
        }
        assert_true(bits_where(v, x) == want);
        assert_true(bits_where(v, 0x40) == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(count),
        cmocka_unit_test(where),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
