/* Fields by the names of their columns, and what is refused. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#include "io/sheet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[] = "/tmp/sheet_test.XXXXXX";
static struct sheet s;
static struct smw_err e;

static bool opens(const char *text)
{
    FILE *const f = fopen(path, "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
    err_clear(&e);
    return sheet_open(&s, path, &e);
}

static void fields(void **state)
{
    (void)state;
    assert_true(opens("name,cycles,hash\n\"a, b\",1.5,ff\nc,2,10\n"));
    assert_true(sheet_next(&s));
    assert_string_equal(sheet_text(&s, "name"), "a, b");
    assert_true(sheet_number(&s, "cycles") == 1.5);
    assert_int_equal(sheet_hex(&s, "hash"), 255);
    assert_true(sheet_next(&s));
    assert_true(sheet_number(&s, "cycles") == 2);
    assert_false(sheet_next(&s));
    assert_true(sheet_good(&s));
    sheet_close(&s);
}

static void no_head(void **state)
{
    (void)state;
    assert_false(opens(""));
    assert_non_null(strstr(e.message, "has no head"));
    err_clear(&e);
    assert_false(sheet_open(&s, "/nowhere/at.csv", &e));
    assert_int_not_equal(e.kind, SMW_ERR_NONE);
}

/* The rest is not read, and the first error stays. */
static void narrow(void **state)
{
    (void)state;
    assert_true(opens("a,b\n1\n1,2\n"));
    assert_false(sheet_next(&s));
    assert_string_equal(e.message, "1 fields, the head has 2");
    assert_int_equal(e.line, 2);
    assert_false(sheet_next(&s));
    assert_string_equal(sheet_text(&s, "a"), "");
    assert_string_equal(e.message, "1 fields, the head has 2");
    sheet_close(&s);
}

static void unknown_column(void **state)
{
    (void)state;
    assert_true(opens("a,b\n1,2\n"));
    assert_true(sheet_next(&s));
    assert_true(sheet_number(&s, "c") == 0);
    assert_non_null(strstr(e.message, "has no column 'c'"));
    assert_false(sheet_good(&s));
    sheet_close(&s);
}

static void no_number(void **state)
{
    static const char *const text[] = {"x", "1x", ""};

    (void)state;
    for (uint32_t i = 0; i < sizeof(text) / sizeof(text[0]); i++) {
        char file[64];

        (void)snprintf(file, sizeof(file), "a,bc\n1,2\n1,%s\n", text[i]);
        assert_true(opens(file));
        assert_true(sheet_next(&s));
        assert_true(sheet_next(&s));
        (void)sheet_number(&s, "bc");
        assert_non_null(strstr(e.message, "in column 'bc' is no number"));
        assert_int_equal(e.line, 3);
        assert_int_equal(e.column, 3);
        sheet_close(&s);
    }
    assert_true(opens("a\nfg\n"));
    assert_true(sheet_next(&s));
    (void)sheet_hex(&s, "a");
    assert_string_equal(e.message, "'fg' in column 'a' is no number");
    sheet_close(&s);
}

static void names(void **state)
{
    char name[4];

    (void)state;
    assert_true(opens("a,b\nabc,abcd\n"));
    assert_true(sheet_next(&s));
    assert_true(sheet_name(&s, "a", name, sizeof(name)));
    assert_string_equal(name, "abc");
    assert_false(sheet_name(&s, "b", name, sizeof(name)));
    assert_string_equal(e.message, "a name that is too long");
    assert_int_equal(e.column, 5);
    assert_string_equal(name, "abc");
    sheet_close(&s);
}

static int make_file(void **state)
{
    const int fd = mkstemp(path);

    (void)state;
    return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields),    cmocka_unit_test(no_head),
        cmocka_unit_test(narrow),    cmocka_unit_test(unknown_column),
        cmocka_unit_test(no_number), cmocka_unit_test(names),
    };

    return cmocka_run_group_tests(tests, make_file, remove_file);
}
