/* Byte masks of a line: what is set, which sectors are full, what is copied. */
#include "mem/mem.h"

#include "mem/rand_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void byte_masks(void **state)
{
    uint8_t from[MEM_LINE], to[MEM_LINE];
    uint64_t seed = 5;

    (void)state;
    for (uint32_t at = 0; at < MEM_LINE; at++) {
        for (uint32_t n = 1; n <= 64 && at + n <= MEM_LINE; n++) {
            uint64_t bytes[2] = {0, 0};
            uint32_t full = 0;

            mem_byte_set(bytes, at, n);
            for (uint32_t i = 0; i < MEM_LINE; i++) {
                assert_int_equal(mem_byte_is_set(bytes, i), i >= at && i < at + n);
                from[i] = (uint8_t)(i + 1);
                to[i] = 0;
            }
            for (uint32_t s = 0; s < MEM_SECTORS; s++) {
                full |= (at <= s * 32 && at + n >= s * 32 + 32 ? 1u : 0u) << s;
            }
            assert_int_equal(mem_full_sectors(bytes), full);
            mem_copy_bytes(to, from, bytes);
            for (uint32_t i = 0; i < MEM_LINE; i++) {
                assert_int_equal(to[i], i >= at && i < at + n ? i + 1 : 0);
            }
        }
    }
    for (uint32_t k = 0; k < 1000; k++) { /* any mask */
        uint64_t bytes[2] = {(uint64_t)rand_next(&seed) << 32 | rand_next(&seed),
                             (uint64_t)rand_next(&seed) << 32 | rand_next(&seed)};

        memset(to, 0, sizeof(to));
        mem_copy_bytes(to, from, bytes);
        for (uint32_t i = 0; i < MEM_LINE; i++) {
            assert_int_equal(to[i], mem_byte_is_set(bytes, i) ? from[i] : 0);
        }
    }
}

static void sector_counts(void **state)
{
    (void)state;
    for (uint32_t s = 0; s < 16; s++) {
        assert_int_equal(mem_sector_count(s), __builtin_popcount(s));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(byte_masks),
        cmocka_unit_test(sector_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
