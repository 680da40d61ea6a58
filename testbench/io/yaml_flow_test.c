#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "io/yaml_flow.h"
#include <string.h>

static void parse(struct yaml *y, const char *text)
{
    struct smw_err e = {0};

    if (!yaml_parse(y, "x", text, strlen(text), SMW_ERR_INPUT, &e)) {
        fail_msg("%s: %s", text, e.message);
    }
}

static void check_same(const struct yaml_node *a, const struct yaml_node *b)
{
    const struct yaml_node *c = a->first, *d = b->first;

    assert_int_equal(a->kind, b->kind);
    assert_string_equal(a->text, b->text);
    assert_int_equal(a->n, b->n);
    for (; c != NULL && d != NULL; c = c->next, d = d->next) {
        assert_int_equal(c->key == NULL, d->key == NULL);
        if (c->key != NULL) {
            assert_string_equal(c->key->text, d->key->text);
        }
        check_same(c, d);
    }
    assert_true(c == NULL && d == NULL);
}

/* The text that text becomes reads back as the same tree. */
static void check(const char *text, const char *want)
{
    struct text flow = {0};
    struct yaml a, b;

    parse(&a, text);
    yaml_flow(a.root, &flow);
    assert_string_equal(flow.s, want);
    parse(&b, flow.s);
    check_same(a.root, b.root);
    yaml_free(&a);
    yaml_free(&b);
    text_free(&flow);
}

static void test_flow(void **state)
{
    (void)state;
    check("a: 1\nb:\n  - x y\n  - {c: [1, -2], d: 0.5}\n",
          "{a: 1, b: [x y, {c: [1, -2], d: 0.5}]}");
    check("[48/16, 2^8..2^10, a-b, 'q', \"1\"]",
          "[48/16, 2^8..2^10, a-b, \"q\", \"1\"]");
    check("- 'a, b'\n- 'say \"x\" \\ y'\n- ''\n- |\n  two\n  lines\n",
          "[\"a, b\", \"say \\\"x\\\" \\\\ y\", \"\", \"two\\x0alines\\x0a\"]");
    check("- a [b]\n- it's\n- a:b\n", "[\"a [b]\", \"it's\", a:b]");
    check("{}", "{}");
    check("[]", "[]");
    check("plain", "plain");
    check("a:\n", "{a: \"\"}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
