#include "base/err.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void first_refusal_wins(void **state)
{
    struct smw_err e;

    (void)state;
    err_clear(&e);
    assert_int_equal(e.kind, SMW_ERR_NONE);
    assert_false(err_set(&e, SMW_ERR_CONFIG, "%s must be %d", "sm.count", 1));
    assert_false(err_set(&e, SMW_ERR_IO, "later"));
    assert_int_equal(e.kind, SMW_ERR_CONFIG);
    assert_string_equal(e.message, "sm.count must be 1");
    err_clear(&e);
    assert_int_equal(e.kind, SMW_ERR_NONE);
    assert_string_equal(e.message, "");
}

static void set_forgets_an_old_place(void **state)
{
    struct smw_err e;

    (void)state;
    err_clear(&e);
    err_at(&e, "old.yml", NULL, 3, 4, 5);
    err_set(&e, SMW_ERR_INPUT, "new");
    assert_int_equal(e.line, 0);
    assert_string_equal(e.file, "");
}

static void place_and_source_line(void **state)
{
    static const char text[] = "first\nsecond line\r\nthird";
    struct smw_err e;

    (void)state;
    err_clear(&e);
    err_set(&e, SMW_ERR_INPUT, "bad");
    err_at(&e, "a.ptx", text, 2, 8, 4);
    assert_string_equal(e.file, "a.ptx");
    assert_int_equal(e.line, 2);
    assert_int_equal(e.column, 8);
    assert_int_equal(e.width, 4);
    assert_string_equal(e.source, "second line");
    err_at(&e, NULL, text, 1, 1, 0);
    assert_string_equal(e.file, "a.ptx"); /* kept */
    assert_string_equal(e.source, "first");
    err_at(&e, NULL, text, 3, 1, 0);
    assert_string_equal(e.source, "third");
    e.source[0] = '\0';
    err_at(&e, NULL, text, 4, 1, 0); /* there is no such line */
    assert_string_equal(e.source, "");
    err_at(&e, NULL, text, 0, 0, 0);
    assert_string_equal(e.source, "");
    err_at(&e, NULL, NULL, 1, 0, 0);
    assert_string_equal(e.source, "");
    err_at(&e, NULL, "a\tb\033[2J\177", 1, 1, 0); /* what a terminal would obey */
    assert_string_equal(e.source, "a\tb?[2J?");
}

static void long_texts_are_cut(void **state)
{
    char text[2000];
    struct smw_err e;

    (void)state;
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    err_clear(&e);
    err_set(&e, SMW_ERR_INPUT, "%s", text);
    err_at(&e, text, text, 1, 1, 1);
    err_hint(&e, "%s", text);
    assert_int_equal(strlen(e.message), sizeof(e.message) - 1);
    assert_int_equal(strlen(e.file), sizeof(e.file) - 1);
    assert_int_equal(strlen(e.source), sizeof(e.source) - 1);
    assert_int_equal(strlen(e.hint), sizeof(e.hint) - 1);
}

static void far_places_are_shown(void **state)
{
    char text[2000];
    struct smw_err e;

    (void)state;
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    memcpy(text + 1000, "HERE", 4);
    err_clear(&e);
    err_set(&e, SMW_ERR_INPUT, "bad");
    err_at(&e, "f", text, 1, 1001, 4);
    assert_int_equal(e.column, 1001);
    assert_int_equal(strlen(e.source), sizeof(e.source) - 1);
    assert_memory_equal(e.source, "...xx", 5);
    assert_memory_equal(e.source + e.caret - 1, "HERExx", 6);
    err_at(&e, "f", text, 1, 5, 1990); /* wide, but it begins in front */
    assert_int_equal(e.caret, 0);
    assert_memory_equal(e.source, "xxx", 3);
    memset(text + 900, 0x80, 50); /* no character is cut in two */
    err_at(&e, "f", text, 1, 1001, 4);
    assert_memory_equal(e.source, "...x", 4);
    assert_memory_equal(e.source + e.caret - 1, "HERExx", 6);
}

static const char *near(const char *word)
{
    static const char *const names[] = {
        "latency",
        "banks",
        "bank_mode",
        "size",
        "ways",
        "a",
        "a_name_that_is_so_long_that_it_is_beyond_what_can_be_meant_by_anyone"};

    return err_nearest(word, names, ARRAY_LEN(names));
}

static void nearest_name(void **state)
{
    char lengthy[100];

    (void)state;
    assert_string_equal(near("latency"), "latency");
    assert_string_equal(near("latncy"), "latency");   /* one missing */
    assert_string_equal(near("latenccy"), "latency"); /* one too many */
    assert_string_equal(near("latemcy"), "latency");  /* one wrong */
    assert_string_equal(near("lateny"), "latency");
    assert_string_equal(near("latecny"), "latency"); /* two swapped: one edit */
    assert_string_equal(near("latcny"), "latency");  /* two edits of six */
    assert_null(near("ltcny"));                      /* two edits of five */
    assert_string_equal(near("bank"), "banks");
    assert_string_equal(near("sise"), "size");
    assert_string_equal(near("isze"), "size");
    assert_null(near("isez"));
    assert_null(near("frequency"));
    assert_null(near(""));
    assert_null(near("b")); /* nothing in common with "a" */
    assert_string_equal(near("a"), "a");
    memset(lengthy, 'l', sizeof(lengthy) - 1);
    lengthy[sizeof(lengthy) - 1] = '\0';
    assert_null(near(lengthy));
    assert_null(err_nearest("x", NULL, 0));
}

static void nearest_prefers_the_closest_then_the_first(void **state)
{
    static const char *const names[] = {"read_bytes", "read_byte", "reads_byte"};

    (void)state;
    assert_string_equal(err_nearest("read_byte", names, 3), "read_byte");
    assert_string_equal(err_nearest("readbyte", names, 3), "read_byte");
    assert_string_equal(err_nearest("reads_bytes", names, 3), "read_bytes");
}

static void codes(void **state)
{
    struct smw_err e = {0}, own = {.kind = SMW_ERR_IO};

    (void)state;
    assert_false(err_set(&e, SMW_ERR_NOMEM, "none left"));
    assert_int_equal(e.code, SMW_CODE_OUT_OF_MEMORY);
    assert_false(err_code(&e, SMW_CODE_NOT_FOUND));
    assert_int_equal(e.code, SMW_CODE_NOT_FOUND);
    err_clear(&e);
    assert_int_equal(e.code, SMW_CODE_NONE);
    for (int kind = SMW_ERR_USAGE; kind <= SMW_ERR_INTERNAL; kind++) {
        err_clear(&e);
        (void)err_set(&e, (enum smw_err_kind)kind, "x");
        assert_int_not_equal(e.code, SMW_CODE_NONE);
    }
    err_clear(&e);
    assert_true(err_given(&e, "the thing", &e));
    assert_int_equal(e.kind, SMW_ERR_NONE);
    assert_false(err_given(NULL, "the thing", &e));
    assert_string_equal(e.message, "the thing: NULL");
    assert_ptr_equal(err_or(&e, &own), &e);
    assert_int_equal(e.kind, SMW_ERR_INPUT);
    assert_ptr_equal(err_or(NULL, &own), &own);
    assert_int_equal(own.kind, SMW_ERR_NONE);
}

static void nobody_wants_to_know(void **state)
{
    (void)state;
    err_clear(NULL);
    assert_false(err_set(NULL, SMW_ERR_INPUT, "%d", 1));
    assert_false(err_code(NULL, SMW_CODE_TRAP));
    assert_false(err_given(NULL, "it", NULL));
    err_at(NULL, "f", "text", 1, 1, 1);
    err_hint(NULL, "%d", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_refusal_wins),
        cmocka_unit_test(set_forgets_an_old_place),
        cmocka_unit_test(place_and_source_line),
        cmocka_unit_test(long_texts_are_cut),
        cmocka_unit_test(far_places_are_shown),
        cmocka_unit_test(codes),
        cmocka_unit_test(nobody_wants_to_know),
        cmocka_unit_test(nearest_name),
        cmocka_unit_test(nearest_prefers_the_closest_then_the_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
