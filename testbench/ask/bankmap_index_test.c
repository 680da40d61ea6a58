#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ask/bankmap_index.h"
#include <string.h>

static int64_t eval(const char *text, uint32_t tid)
{
    struct smw_err e = {0};
    int64_t v = INT64_MIN;

    if (!index_eval(text, tid, &v, &e)) {
        print_error("%s: %s\n", text, e.message);
        fail();
    }
    return v;
}

/* With tid 5, as a compiler has it. */
#define SAME(expression)                                                               \
    do {                                                                               \
        const int64_t tid = 5;                                                         \
        (void)tid;                                                                     \
        assert_true(eval(#expression, 5) == (int64_t)(expression));                    \
    } while (0)

static void as_in_c(void **state)
{
    (void)state;
    SAME(tid);
    SAME(1 + 2 * 3);
    SAME((1 + 2) * 3);
    SAME(10 - 4 - 3);
    SAME(100 / 7 / 2);
    SAME(-7 / 2);
    SAME(-7 % 3);
    SAME(7 % -3);
    assert_int_equal(eval("1 << 2 + 3", 5), 1 << (2 + 3));
    SAME((256 >> 1) >> 2);
    SAME(256 >> 1 >> 2);
    SAME(-9 >> 1);
    assert_int_equal(eval("tid & 3 | 8 ^ 12", 5), (5 & 3) | (8 ^ 12));
    assert_int_equal(eval("6 & 3 == 3", 5), 6 & (3 == 3));
    assert_int_equal(eval("tid > 4 == 1", 5), (5 > 4) == 1);
    assert_int_equal(eval("3 > 2 > 1", 5), 0);
    assert_int_equal(eval("tid != 5 || tid >= 5 && !0", 5), 1);
    assert_int_equal(eval("1 || 0 && 0", 5), 1);
    SAME(~tid);
    SAME(- -tid);
    SAME(!tid);
    SAME(!!tid);
    SAME(tid < 5 ? 1 : tid > 5 ? 2 : 3);
    SAME(1 ? 2 ? 3 : 4 : 5);
    assert_int_equal(eval("(tid ^ tid >> 1) + 0x1f", 5), (5 ^ 2) + 31);
    SAME(tid == 5 ? tid * 33 : tid / 0x10u);
    SAME(2 + 3 > 4 - 1 ? 10 : 20);
}

static void names_and_lanes(void **state)
{
    (void)state;
    for (uint32_t tid = 0; tid < 32; tid++) {
        assert_int_equal(eval("  threadIdx.x\t*2 ", tid), 2 * tid);
        assert_int_equal(eval("lane+tid", tid), 2 * tid);
    }
}

/* What is passed over may be wrong in value, not in form. */
static void passed_over(void **state)
{
    (void)state;
    assert_int_equal(eval("tid ? 64 / tid : 7", 0), 7);
    assert_int_equal(eval("tid == 0 || 1 / tid > 5", 0), 1);
    assert_int_equal(eval("tid && 1 % tid", 0), 0);
    assert_int_equal(eval("1 ? 2 : 1 << 99", 0), 2);
    assert_int_equal(eval("0 ? tid * 0x7fffffffffffffff * 9 : 3", 3), 3);
}

static void refuses(const char *text, uint32_t tid, uint32_t column,
                    const char *message)
{
    struct smw_err e = {0};
    int64_t v = 42;

    assert_false(index_eval(text, tid, &v, &e));
    assert_int_equal(e.kind, SMW_ERR_USAGE);
    assert_string_equal(e.message, message);
    assert_int_equal(e.column, column);
    assert_int_equal(v, 42);
}

static void refused(void **state)
{
    char deep[400];

    (void)state;
    refuses("", 0, 1, "the expression ends where a value must follow");
    refuses("tid +", 0, 6, "the expression ends where a value must follow");
    refuses("tid * * 2", 0, 7, "a value must stand here, not '*'");
    refuses("tid 2", 0, 5, "an operator must stand here");
    refuses("(tid", 0, 1, "this parenthesis is never closed");
    refuses("tid)", 0, 4, "an operator must stand here");
    refuses("tid = 2", 0, 5, "'=' assigns; '==' compares");
    refuses("tid ? 2", 0, 5, "this '?' has no ':'");
    refuses("2 * row", 0, 5, "unknown name 'row'");
    refuses("12ab", 0, 1, "'12ab' is no whole number");
    refuses("1.5", 0, 1, "'1.5' is no whole number");
    refuses("0x", 0, 1, "'0x' is no whole number");
    refuses("99999999999999999999", 0, 1, "99999999999999999999 does not fit 64 bits");
    refuses("1 / tid", 0, 3, "for tid 0 this divides by zero");
    refuses("1 % tid", 0, 3, "for tid 0 this divides by zero");
    refuses("1 << 64", 3, 3, "for tid 3 this shifts by 64, not by 0 to 63");
    refuses("1 >> -1", 3, 3, "for tid 3 this shifts by -1, not by 0 to 63");
    refuses("1 << 63", 3, 3, "for tid 3 the result does not fit 64 bits");
    refuses("0x7fffffffffffffff + 1", 9, 20,
            "for tid 9 the result does not fit 64 bits");
    refuses("0 ? row : 1", 0, 5, "unknown name 'row'");
    memset(deep, '(', sizeof(deep) - 1);
    deep[sizeof(deep) - 1] = '\0';
    refuses(deep, 0, 101, "the expression is nested too deeply");
    memset(deep, '-', sizeof(deep) - 1);
    refuses(deep, 0, 100, "the expression is nested too deeply");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_in_c),
        cmocka_unit_test(names_and_lanes),
        cmocka_unit_test(passed_over),
        cmocka_unit_test(refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
