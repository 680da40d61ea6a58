#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "io/yaml.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct yaml parse(const char *text)
{
    struct yaml y;
    struct smw_err e = {0};

    if (!yaml_parse(&y, "t.yml", text, strlen(text), SMW_ERR_INPUT, &e)) {
        fail_msg("refused: %u:%u: %s", e.line, e.column, e.message);
    }
    return y;
}

static void refused_bytes(const char *text, size_t size, uint32_t line, uint32_t column,
                          const char *message)
{
    struct yaml y;
    struct smw_err e = {0};

    assert_false(yaml_parse(&y, "t.yml", text, size, SMW_ERR_CONFIG, &e));
    if (strstr(e.message, message) == NULL || e.line != line || e.column != column) {
        fail_msg("%u:%u: %s; wanted %u:%u: %s", e.line, e.column, e.message, line,
                 column, message);
    }
    assert_int_equal(e.kind, SMW_ERR_CONFIG);
    assert_string_equal(e.file, "t.yml");
    assert_null(y.text); /* left empty */
}

static void refused(const char *text, uint32_t line, uint32_t column,
                    const char *message)
{
    refused_bytes(text, strlen(text), line, column, message);
}

static void test_tree(void **state)
{
    struct yaml y = parse("a: 1\n"
                          "b: [x, 'y y', {z: 3}]\n"
                          "c:\n"
                          "  d: \"q\\n\"\n"
                          "e:\n");
    const struct yaml_node *n;

    (void)state;
    assert_int_equal(y.root->kind, YAML_MAP);
    assert_int_equal(y.root->n, 4);
    n = yaml_get(y.root, "a");
    assert_string_equal(n->text, "1");
    assert_false(n->quoted);
    assert_int_equal(n->line, 1);
    assert_int_equal(n->column, 4);
    assert_int_equal(n->key->column, 1);
    n = yaml_get(y.root, "b");
    assert_int_equal(n->kind, YAML_LIST);
    assert_int_equal(n->n, 3);
    assert_string_equal(n->first->text, "x");
    assert_true(n->first->next->quoted);
    assert_string_equal(n->first->next->text, "y y");
    assert_int_equal(n->first->next->line, 2);
    assert_int_equal(n->first->next->column, 8);
    assert_int_equal(n->first->next->width, 5);
    assert_string_equal(yaml_get(n->first->next->next, "z")->text, "3");
    assert_string_equal(yaml_get(yaml_get(y.root, "c"), "d")->text, "q\n");
    assert_string_equal(yaml_get(y.root, "e")->text, "");
    assert_null(yaml_get(y.root, "f"));
    yaml_free(&y);
    assert_null(y.root);
}

static void test_refused(void **state)
{
    (void)state;
    refused("", 1, 1, "empty");
    refused("# only a comment\n", 1, 1, "empty");
    refused("a: 1\nb: 2\na: 3\n", 3, 1, "the key 'a' is given twice, first in line 1");
    refused("a: &x 1\nb: *x\n", 1, 4, "anchors and aliases");
    refused("b: *x\n", 1, 4, "aliases");
    refused("<<: {a: 1}\n", 1, 1, "merge keys");
    refused("a: !!int 3\n", 1, 4, "tags");
    refused("a: 1\n---\nb: 2\n", 2, 1, "more than one document");
    refused("{[1]: 2}\n", 1, 2, "a key must be a plain word");
    refused_bytes("a: 1\0b", 6, 0, 0, "zero byte");
    refused("a:\n\tb: 1\n", 2, 1, "");
    refused("a: [1, 2\n", 2, 1, "");
    refused("a: 'x\n", 1, 5, "without closing quote");
    refused("a: b: c\n", 1, 5, "");
}

static void test_tab_hint(void **state)
{
    struct yaml y;
    struct smw_err e = {0};
    const char *text = "a:\n\tb: 1\n";

    (void)state;
    assert_false(yaml_parse(&y, "t.yml", text, strlen(text), SMW_ERR_INPUT, &e));
    assert_int_equal(e.line, 2);
    assert_int_equal(e.column, 1);
    assert_string_equal(e.hint, "indent with spaces, YAML allows no tabs");
}

static char *repeat(const char *unit, size_t n, const char *end)
{
    char *s = calloc(1, strlen(unit) * n + strlen(end) + 1), *p = s;

    for (size_t i = 0; i < n; i++) {
        p += sprintf(p, "%s", unit);
    }
    strcpy(p, end);
    return s;
}

static void test_limits(void **state)
{
    char *deep = repeat("[", 40, ""), *wide = repeat("- x\n", 200001, "");
    char *large = repeat("# 0123456789abc\n", (4 << 20) / 16 + 1, "a: 1\n");
    char *deepest = repeat("{a: ", 100000, "");
    struct yaml y;
    struct smw_err e = {0};

    (void)state;
    refused(deep, 1, 34, "more than 32 levels");
    refused(wide, 200000, 3, "more than 200000 values");
    refused(large, 0, 0, "larger than 4 MiB");
    assert_false(yaml_parse(&y, "t.yml", deepest, strlen(deepest), SMW_ERR_INPUT, &e));
    assert_string_equal(e.message, "the file nests more than 32 levels");
    free(deep);
    free(wide);
    free(large);
    free(deepest);
}

static void test_many_keys(void **state)
{
    char *text = calloc(1, 10100 * 16), *p = text;

    (void)state;
    for (int i = 0; i < 10001; i++) {
        p += sprintf(p, "k%d: 1\n", i);
    }
    refused(text, 10001, 1, "more than 10000 keys");
    free(text);
}

static void test_refuse(void **state)
{
    struct yaml y = parse("a: 1\nb: {c: wrong}\n");
    const struct yaml_node *n = yaml_get(yaml_get(y.root, "b"), "c");
    struct smw_err e = {0};

    (void)state;
    assert_false(yaml_refuse(&y, n, SMW_ERR_INPUT, &e, "no %s", "good"));
    assert_string_equal(e.message, "no good");
    assert_string_equal(e.source, "b: {c: wrong}");
    assert_int_equal(e.line, 2);
    assert_int_equal(e.column, 8);
    assert_int_equal(e.width, 5);
    assert_string_equal(yaml_kind_name(n), "a single value");
    assert_string_equal(yaml_kind_name(y.root), "a map");
    yaml_free(&y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree),      cmocka_unit_test(test_refused),
        cmocka_unit_test(test_tab_hint),  cmocka_unit_test(test_limits),
        cmocka_unit_test(test_many_keys), cmocka_unit_test(test_refuse),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
