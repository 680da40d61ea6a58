#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "io/csv.h"
#include "io/file.h"
#include <stdlib.h>
#include <string.h>

static FILE *file_of(const char *text, size_t n)
{
    FILE *f = tmpfile();

    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    rewind(f);
    return f;
}

/* Fields joined by '|', records by '/'. */
static void reads(const char *text, const char *want)
{
    FILE *f = file_of(text, strlen(text));
    struct csv *c = csv_open(f, "t.csv");
    struct smw_err e = {0};
    struct text got = {0};
    const struct csv_field *field;
    uint32_t n;

    text_add(&got, "%s", "");
    while ((field = csv_next(c, &n, &e)) != NULL) {
        for (uint32_t i = 0; i < n; i++) {
            assert_int_equal(strlen(field[i].s), field[i].n);
            text_add(&got, "%s%s", i > 0 ? "|" : got.n > 0 ? "/" : "", field[i].s);
        }
    }
    assert_int_equal(e.kind, SMW_ERR_NONE);
    assert_string_equal(got.s, want);
    text_free(&got);
    csv_close(c);
    fclose(f);
}

static void records(void **state)
{
    (void)state;
    reads("", "");
    reads("\n\r\n\n", "");
    reads("a", "a");
    reads("a,b\nc,d\n", "a|b/c|d");
    reads("a,b\r\nc,d", "a|b/c|d");
    reads("a,,\n,,b", "a||/||b");
    reads("\"a,b\",c\n", "a,b|c");
    reads("\"say \"\"hi\"\"\",\"\"", "say \"hi\"|");
    reads("\"two\nlines\",x\r\ny,z\n", "two\nlines|x/y|z");
    reads("\xef\xbb\xbfname,b\n", "name|b");
    reads("# note\n# more\na\n#b\n", "a/#b");
    reads("a\n\n\nb\n", "a/b");
}

static void refuses(const char *text, uint32_t line, uint32_t column,
                    const char *message)
{
    FILE *f = file_of(text, strlen(text));
    struct csv *c = csv_open(f, "t.csv");
    struct smw_err e = {0};
    uint32_t n;

    while (csv_next(c, &n, &e) != NULL) {
    }
    assert_int_equal(e.kind, SMW_ERR_INPUT);
    assert_string_equal(e.message, message);
    assert_string_equal(e.file, "t.csv");
    assert_int_equal(e.line, line);
    assert_int_equal(e.column, column);
    csv_close(c);
    fclose(f);
}

static void refused(void **state)
{
    (void)state;
    refuses("a,\"b\n", 1, 3, "a quote is never closed");
    refuses("a\nb,\"c\"d\n", 2, 3,
            "a closing quote ends its field: a comma must follow");
    refuses("\"x\ny\",b\"\",c\n", 2, 4, "a quote inside a field that is not quoted");
}

static void blames_the_right_line(void **state)
{
    const char text[] = "h\n\"a\nb\",\"c\nd\",e\n";
    FILE *f = file_of(text, strlen(text));
    struct csv *c = csv_open(f, "t.csv");
    struct smw_err e = {0};
    const struct csv_field *field;
    uint32_t n;

    (void)state;
    (void)csv_next(c, &n, &e);
    field = csv_next(c, &n, &e);
    assert_int_equal(n, 3);
    err_set(&e, SMW_ERR_INPUT, "bad");
    csv_blame(c, &field[2], &e);
    assert_int_equal(e.line, 4);
    assert_int_equal(e.column, 4);
    assert_string_equal(e.source, "d\",e");
    csv_close(c);
    fclose(f);
}

/* Records across the ends of what is read at once, quoted ones too. */
static void long_files(void **state)
{
    struct text t = {0};
    FILE *f;
    struct csv *c;
    struct smw_err e = {0};
    const struct csv_field *field;
    uint32_t n, i = 0;

    (void)state;
    for (i = 0; i < 60000; i++) {
        text_add(&t, i % 7 == 0 ? "\"%u\n\"\"\",x\n" : "%u,abc\r\n", i);
    }
    f = file_of(t.s, t.n);
    c = csv_open(f, "t.csv");
    for (i = 0; (field = csv_next(c, &n, &e)) != NULL; i++) {
        char want[32];

        snprintf(want, sizeof(want), i % 7 == 0 ? "%u\n\"" : "%u", i);
        assert_int_equal(n, 2);
        assert_string_equal(field[0].s, want);
        assert_string_equal(field[1].s, i % 7 == 0 ? "x" : "abc");
    }
    assert_int_equal(e.kind, SMW_ERR_NONE);
    assert_int_equal(i, 60000);
    csv_close(c);
    fclose(f);
    text_free(&t);
}

static void endless_quotes(void **state)
{
    size_t size = 3 << 20;
    char *text = tb_alloc(size + 1);

    (void)state;
    memset(text, 'x', size);
    text[0] = '"';
    refuses(text, 1, 0, "a quote is never closed");
    text[0] = 'x';
    refuses(text, 1, 0, "the line is longer than a pattern can be");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records),        cmocka_unit_test(refused),
        cmocka_unit_test(long_files),     cmocka_unit_test(blames_the_right_line),
        cmocka_unit_test(endless_quotes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
