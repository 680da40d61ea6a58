#include "ptx/lex.h"

#include "ptx/front_test.h"

static void one(const char *text, enum ptx_tk kind, uint64_t u)
{
    struct ptx_lex x;
    struct smw_err e;

    err_clear(&e);
    ptx_lex_init(&x, text, strlen(text), "t", &e);
    if (x.t.kind != kind || x.t.u != u) {
        print_error("%s: kind %d value %llx\n", text, (int)x.t.kind,
                    (unsigned long long)x.t.u);
    }
    assert_int_equal(x.t.kind, kind);
    assert_true(x.t.u == u);
    assert_int_equal(e.kind, SMW_ERR_NONE);
    assert_int_equal(x.next.kind, TK_END);
}

static void test_integers(void **state)
{
    (void)state;
    one("0", TK_INT, 0);
    one("42", TK_INT, 42);
    one("0x2A", TK_INT, 42);
    one("0Xff", TK_INT, 255);
    one("052", TK_INT, 42);
    one("0b101010", TK_INT, 42);
    one("42U", TK_INT, 42);
    one("0x2AU", TK_INT, 42);
    one("18446744073709551615", TK_INT, UINT64_MAX);
    one("0xffffffffffffffff", TK_INT, UINT64_MAX);
}

static void test_floats(void **state)
{
    (void)state;
    one("0f3F800000", TK_F32, 0x3f800000);
    one("0Fbf800000", TK_F32, 0xbf800000);
    one("0d3FF0000000000000", TK_F64, 0x3ff0000000000000ull);
    one("1.0", TK_F64, 0x3ff0000000000000ull);
    one("1e0", TK_F64, 0x3ff0000000000000ull);
    one("2.5e-1", TK_F64, 0x3fd0000000000000ull);
    one("0.5", TK_F64, 0x3fe0000000000000ull);
}

static void test_words(void **state)
{
    static const char text[] =
        ".L2::128B .shared::cta a:b %r1 $L__BB0_1 _ p|q @!p a<<b";
    static const struct {
        enum ptx_tk kind;
        const char *s;
    } want[] = {{TK_DOT, "L2::128B"}, {TK_DOT, "shared::cta"},
                {TK_ID, "a"},         {TK_PUNCT, ":"},
                {TK_ID, "b"},         {TK_ID, "%r1"},
                {TK_ID, "$L__BB0_1"}, {TK_ID, "_"},
                {TK_ID, "p"},         {TK_PUNCT, "|"},
                {TK_ID, "q"},         {TK_PUNCT, "@"},
                {TK_PUNCT, "!"},      {TK_ID, "p"},
                {TK_ID, "a"},         {TK_SHL, "<<"},
                {TK_ID, "b"}};
    struct ptx_lex x;
    struct smw_err e;

    (void)state;
    err_clear(&e);
    ptx_lex_init(&x, text, strlen(text), "t", &e);
    for (size_t i = 0; i < ARRAY_LEN(want); i++) {
        assert_true(ptx_tok_is(&x.t, want[i].kind, want[i].s));
        ptx_lex_advance(&x);
    }
    assert_int_equal(x.t.kind, TK_END);
    ptx_lex_advance(&x);
    assert_int_equal(x.t.kind, TK_END);
}

static void test_places(void **state)
{
    static const char text[] = "a // comment\r\n  bb /* two\nlines */ c\n\t\"s\\\"t\" ";
    struct ptx_lex x;
    struct smw_err e;

    (void)state;
    err_clear(&e);
    ptx_lex_init(&x, text, strlen(text), "t", &e);
    assert_int_equal(x.t.line, 1);
    assert_int_equal(x.t.column, 1);
    ptx_lex_advance(&x);
    assert_int_equal(x.t.line, 2);
    assert_int_equal(x.t.column, 3);
    assert_int_equal(x.t.width, 2);
    ptx_lex_advance(&x);
    assert_int_equal(x.t.line, 3);
    assert_int_equal(x.t.column, 10);
    ptx_lex_advance(&x);
    assert_true(ptx_tok_is(&x.t, TK_STRING, "s\\\"t"));
    assert_int_equal(x.t.line, 4);
    assert_int_equal(x.t.column, 2);
}

static void refuse(const char *text, size_t size, uint32_t line, uint32_t column,
                   const char *message)
{
    struct ptx_lex x;
    struct smw_err e;

    err_clear(&e);
    ptx_lex_init(&x, text, size, "t", &e);
    for (uint32_t i = 0; i < 100 && x.t.kind != TK_END && x.t.kind != TK_BAD; i++) {
        ptx_lex_advance(&x);
    }
    assert_int_equal(x.t.kind, TK_BAD);
    assert_int_equal(e.kind, SMW_ERR_INPUT);
    assert_string_equal(e.message, message);
    assert_int_equal(e.line, line);
    assert_int_equal(e.column, column);
    ptx_lex_advance(&x);
    assert_int_equal(x.t.kind, TK_BAD);
}
#define REFUSE(text, line, column, message)                                            \
    refuse(text, sizeof(text) - 1, line, column, message)

static void test_refusals(void **state)
{
    (void)state;
    REFUSE("a /* b", 1, 3, "comment has no end");
    REFUSE("a\n \"b\nc\"", 2, 2, "string has no end");
    REFUSE("a \"b", 1, 3, "string has no end");
    REFUSE("0x", 1, 1, "malformed number");
    REFUSE("0b2", 1, 1, "malformed number");
    REFUSE("089", 1, 1, "malformed number");
    REFUSE("12ab", 1, 1, "malformed number");
    REFUSE("1.5.5", 1, 1, "malformed number");
    REFUSE("1e", 1, 1, "malformed number");
    REFUSE("18446744073709551616", 1, 1, "number does not fit 64 bits");
    REFUSE("0f3F80", 1, 1, "a 0f constant has exactly 8 hexadecimal digits");
    REFUSE("0f3F80000G", 1, 1, "a 0f constant has exactly 8 hexadecimal digits");
    REFUSE("0d3FF000000000000", 1, 1,
           "a 0d constant has exactly 16 hexadecimal digits");
    REFUSE("a .", 1, 3, "a point without a word");
    REFUSE("a #", 1, 3, "unexpected character '#'");
    REFUSE("a \0 b", 1, 3, "unexpected byte 0x00");
    REFUSE("a\n\n  \x80", 3, 3, "unexpected byte 0x80");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers), cmocka_unit_test(test_floats),
        cmocka_unit_test(test_words),    cmocka_unit_test(test_places),
        cmocka_unit_test(test_refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
