#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "io/diag.h"
#include <stdio.h>
#include <string.h>

/* A file without a buffer, as standard error is: what came, and in how many writes. */
struct sink {
    char text[256];
    size_t n;
    uint32_t writes;
};

static ssize_t take(void *cookie, const char *bytes, size_t n)
{
    struct sink *s = cookie;

    assert_true(s->n + n < sizeof s->text);
    memcpy(s->text + s->n, bytes, n);
    s->n += n;
    s->writes++;
    return (ssize_t)n;
}

static FILE *sink_open(struct sink *s)
{
    FILE *f = fopencookie(s, "w", (cookie_io_functions_t){.write = take});

    assert_non_null(f);
    setvbuf(f, NULL, _IONBF, 0);
    return f;
}

static void expect_text(const char *text, const char *printed, uint32_t most_writes)
{
    struct sink s = {0};
    FILE *f = sink_open(&s);

    diag_text(f, text);
    fclose(f);
    assert_string_equal(s.text, printed);
    assert_in_range(s.writes, 0, most_writes);
}

static void test_plain_text_is_one_write(void **state)
{
    (void)state;
    expect_text("", "", 0);
    expect_text("cycles\t12\nwarps   4\n", "cycles\t12\nwarps   4\n", 1);
    expect_text("\xc3\xa9\xe2\x86\x92", "\xc3\xa9\xe2\x86\x92", 1);
}

/* Neither an escape sequence nor a control character of C1 reaches a terminal. */
static void test_control_characters_are_named(void **state)
{
    (void)state;
    expect_text("a\x1b[31mb", "a\\x1b[31mb", 8);
    expect_text("\r\x7f", "\\x0d\\x7f", 8);
    expect_text("a\xc2\x9bz\xc2\xa0", "a\\x9bz\xc2\xa0", 8);
    expect_text("end\x01", "end\\x01", 8);
    expect_text("cut \xc2", "cut \xc2", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_text_is_one_write),
        cmocka_unit_test(test_control_characters_are_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
