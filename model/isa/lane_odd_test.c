/* Numbers that take the long way, against the table that an H100 filled. */
#include "isa/uop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { EXPONENTS = 256 };

static bool is_odd(enum isa_odd which, uint32_t x, uint32_t y, uint32_t mask)
{
    const struct isa_seq seq = {.odd = (uint8_t)which};
    const struct isa_uop u = {.seq = &seq, .src = {0, 1}, .n_src = 2};
    uint32_t r[2 * ISA_LANES];
    const struct isa_lanes w = {.r = r};

    for (uint32_t l = 0; l < ISA_LANES; l++) {
        r[l] = 0x3f800000;
        r[ISA_LANES + l] = 0x40000000;
    }
    r[5] = x;
    r[ISA_LANES + 5] = y;
    return isa_is_odd(&u, &w, mask);
}

/* As the device's program has them: 0 is zero. */
static uint32_t number(uint32_t exponent)
{
    return exponent << 23 | (exponent == 0 ? 0 : 0x2aaaaa);
}

static void test_table(void **state)
{
    static bool way[2][EXPONENTS][EXPONENTS];
    FILE *const f = fopen(SMW_ODD_NUMBERS, "r");
    char line[200];
    uint32_t n = 0;

    (void)state;
    assert_non_null(f);
    while (fgets(line, sizeof(line), f) != NULL) {
        uint32_t by, from, to;
        const bool root = strstr(line, "sqrt.rn.f32") != NULL;

        if (sscanf(line, root ? "way,sqrt.rn.f32,%u,%u,%u" : "way,div.rn.f32,%u,%u,%u",
                   &by, &from, &to) != 3) {
            continue;
        }
        assert_true(by < EXPONENTS && to < EXPONENTS);
        for (uint32_t a = from; a <= to; a++) {
            way[root][by][a] = true;
        }
        n++;
    }
    (void)fclose(f);
    assert_true(n > EXPONENTS);
    for (uint32_t b = 0; b < EXPONENTS; b++) {
        for (uint32_t a = 0; a < EXPONENTS; a++) {
            assert_int_equal(is_odd(ISA_ODD_DIV_F32, number(a), number(b), UINT32_MAX),
                             way[0][b][a]);
        }
    }
    for (uint32_t a = 0; a < EXPONENTS; a++) {
        assert_int_equal(is_odd(ISA_ODD_SQRT_F32, number(a), 0, UINT32_MAX),
                         way[1][0][a]);
    }
}

static void test_lanes(void **state)
{
    (void)state;
    assert_true(is_odd(ISA_ODD_DIV_F32, 0, 0x3f800000, 1u << 5));
    assert_false(is_odd(ISA_ODD_DIV_F32, 0, 0x3f800000, ~(1u << 5)));
    assert_true(is_odd(ISA_ODD_SQRT_F32, 0xbf800000, 0, UINT32_MAX));
    assert_false(is_odd(ISA_ODD_NONE, 0, 0, UINT32_MAX));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_lanes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
