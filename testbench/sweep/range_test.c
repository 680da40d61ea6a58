/* Points by their numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sweep/range.h"
#include <string.h>

static void test_has(void **state)
{
    struct range r = {0};
    struct smw_err e = {0};

    (void)state;
    assert_true(range_has(&r, 12345)); /* nothing said: all */
    assert_true(range_parse(&r, "3,7-9", &e));
    assert_true(range_parse(&r, "20", &e));
    for (uint64_t i = 0; i < 30; i++) {
        assert_int_equal(range_has(&r, i), i == 3 || (i >= 7 && i <= 9) || i == 20);
    }
    assert_true(range_check(&r, 21, &e));
    assert_false(range_check(&r, 20, &e));
    assert_string_equal(e.message, "--only: there is no point 20, the last one is 19");
}

static void test_refusals(void **state)
{
    static const char *const wrong[] = {"",
                                        ",",
                                        "3,",
                                        "3-",
                                        "-3",
                                        "a",
                                        "3-a",
                                        "9-7",
                                        "1--2",
                                        "0x3",
                                        "3 ",
                                        "3,,4",
                                        "+3",
                                        "1-2-3",
                                        "18446744073709551616",
                                        "99999999999999999999999999999999"};

    (void)state;
    for (uint32_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct range r = {0};
        struct smw_err e = {0};

        assert_false(range_parse(&r, wrong[i], &e));
        assert_int_equal(e.kind, SMW_ERR_USAGE);
    }
}

static void test_many(void **state)
{
    struct range r = {0};
    struct smw_err e = {0};

    (void)state;
    for (uint32_t i = 0; i < RANGE_MAX; i++) {
        assert_true(range_parse(&r, "5-5", &e));
    }
    assert_false(range_parse(&r, "5", &e));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_has),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
