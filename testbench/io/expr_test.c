#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "io/expr.h"
#include <stdio.h>
#include <string.h>

static void resolve(void *ctx, const char *name, struct expr_value *out)
{
    (void)ctx;
    if (strcmp(name, "n") == 0) {
        *out = expr_value_of("4096");
    } else if (strcmp(name, "sm.onchip.partition") == 0) {
        *out = expr_value_of("48/16");
    } else if (strcmp(name, "cycles@_Z3addPi") == 0) {
        *out = expr_value_of("12.5");
    }
}

/* The result as text: "none", 'text' or a number. */
static void check(const char *text, const char *want)
{
    struct smw_err e = {0};
    struct expr *x = expr_parse(text, NULL, NULL, SMW_ERR_INPUT, &e);
    struct expr_value v;
    char got[64] = "none";

    assert_non_null(x);
    assert_true(expr_eval(x, resolve, NULL, &v, &e));
    if (v.kind == EXPR_NUMBER) {
        expr_print(v.number, got);
    } else if (v.kind == EXPR_TEXT) {
        snprintf(got, sizeof(got), "'%s'", v.text);
    }
    assert_string_equal(got, want);
    expr_free(x);
}

static void test_values(void **state)
{
    (void)state;
    check("1 + 2 * 3", "7");
    check("(1 + 2) * 3", "9");
    check("10 - 3 - 2", "5");
    check("2 ** 3 ** 2", "512");
    check("-2 ** 2", "-4");
    check("2 ** -1", "0.5");
    check("7 % 4 + -7 % 4", "0");
    check("7 / 2", "3.5");
    check("0x10 + 1e2 + .5", "116.5");
    check("1e-2", "0.01");
    check("1 / 3", "0.3333333333333333");
    check("2 ** 53 - 1", "9007199254740991");
    check("10 ** 20", "1e+20");
    check("min(3, 1, 2) + max(4, 9, 5)", "10");
    check("log2(n) + ceil(1.2) + floor(-1.2)", "12");
    check("min(7)", "7");
    check("'a b'", "'a b'");
    check("cycles@_Z3addPi * 2", "25");
}

static void test_truth(void **state)
{
    (void)state;
    check("1 < 2 && 2 <= 2 && 3 > 2 && 2 >= 2", "1");
    check("1 != 1 || !(2 == 2)", "0");
    check("!0 + !5", "1");
    check("1 || 0 && 0", "1");
    check("n <= 4096 || sm.onchip.partition == \"48/16\"", "1");
    check("sm.onchip.partition == '16/48'", "0");
    check("sm.onchip.partition != 48", "1");
    check("n==4096", "1");
}

static void test_none(void **state)
{
    (void)state;
    check("m", "none");
    check("m + 1", "none");
    check("m == m", "none");
    check("1 / 0", "none");
    check("1 % 0", "none");
    check("log2(0)", "none");
    check("10 ** 400", "none");
    check("0 && m", "0");
    check("m && 0", "0");
    check("1 || m", "1");
    check("m || 1", "1");
    check("m || 0", "none");
}

struct mistake {
    const char *text, *message, *hint;
    uint32_t column;
};

static void test_mistakes(void **state)
{
    static const struct mistake mistakes[] = {
        {"", "the expression ends where a value is expected", "", 1},
        {"n +", "the expression ends where a value is expected", "", 4},
        {"n n", "here an operator is expected", "", 3},
        {"n = 3", "here an operator is expected", "did you mean '=='?", 3},
        {"n & 3", "here an operator is expected", "did you mean '&&'?", 3},
        {"2 ^ 3", "here an operator is expected", "a power is written **", 3},
        {"(n", "the parenthesis is not closed", "", 1},
        {"(n 1)", "here an operator or ')' is expected", "", 4},
        {"mim(1, 2)", "there is no function 'mim'", "did you mean 'min'?", 1},
        {"sinus(1)", "there is no function 'sinus'",
         "functions are min, max, log2, ceil, floor", 1},
        {"log2(1, 2)", "log2 takes one number", "", 7},
        {"'abc", "the text has no end, '", "", 1},
        {"12x", "'12x' is not a number", "", 1},
        {"1.2.3 + 1", "'1.2.3' is not a number", "", 1},
        {"1 < 2 < 3", "comparisons do not follow one another; join them with &&", "",
         7},
        {"n + ]", "here a number, a text, a name or '(' is expected", "", 5},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(mistakes); i++) {
        struct smw_err e = {0};

        assert_null(expr_parse(mistakes[i].text, NULL, NULL, SMW_ERR_INPUT, &e));
        assert_int_equal(e.kind, SMW_ERR_INPUT);
        assert_string_equal(e.message, mistakes[i].message);
        assert_string_equal(e.hint, mistakes[i].hint);
        assert_int_equal(e.column, mistakes[i].column);
    }
}

static void test_texts_are_no_numbers(void **state)
{
    static const struct mistake mistakes[] = {
        {"sm.onchip.partition < 3", "'<' takes numbers, not the text '48/16'", "", 1},
        {"1 + max(2, 'b')", "'max' takes numbers, not the text 'b'", "", 12},
        {"!'a'", "'!' takes numbers, not the text 'a'", "", 2},
        {"1 && 'a'", "'&&' takes numbers, not the text 'a'", "", 6},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(mistakes); i++) {
        struct smw_err e = {0};
        struct expr *x = expr_parse(mistakes[i].text, NULL, NULL, SMW_ERR_INPUT, &e);
        struct expr_value v;

        assert_non_null(x);
        assert_false(expr_eval(x, resolve, NULL, &v, &e));
        assert_string_equal(e.message, mistakes[i].message);
        assert_int_equal(e.column, mistakes[i].column);
        expr_free(x);
    }
}

/* Deep nesting is refused, before the parser's own stack ends. */
static void test_depth(void **state)
{
    static const char *const ways[] = {"(", "-", "2**", "min("};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        char text[60000];
        size_t n = strlen(ways[i]);
        struct smw_err e = {0};

        memset(text, 0, sizeof(text));
        for (size_t at = 0; at + n < sizeof(text); at += n) {
            memcpy(text + at, ways[i], n);
        }
        assert_null(expr_parse(text, NULL, NULL, SMW_ERR_INPUT, &e));
        assert_non_null(strstr(e.message, "nests more than 64 levels"));
    }
}

static void test_places(void **state)
{
    static const char file[] = "where: [\"n <= nn\", 'a'' + ]']\n";
    struct yaml y;
    struct smw_err e = {0};
    const struct yaml_node *list, *second;
    struct expr *x;

    (void)state;
    assert_true(yaml_parse(&y, "s.yml", file, strlen(file), SMW_ERR_INPUT, &e));
    list = yaml_get(y.root, "where");
    second = list->first->next;
    x = expr_parse(list->first->text, &y, list->first, SMW_ERR_INPUT, &e);
    assert_non_null(x);
    expr_refuse(x, 5, 2, &e, "no");
    assert_int_equal(e.line, 1);
    assert_int_equal(e.column, 15);
    assert_int_equal(e.width, 2);
    expr_free(x);
    err_clear(&e); /* with an escape the text is not the file's: all of it is shown */
    assert_null(expr_parse(second->text, &y, second, SMW_ERR_INPUT, &e));
    assert_int_equal(e.column, second->column);
    yaml_free(&y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_truth),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_texts_are_no_numbers),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_places),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
