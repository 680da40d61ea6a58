#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "io/diag.h"
#include "sweep/diff.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct diff_value none = {.kind = DIFF_NONE};

static struct diff_value integer(int64_t i)
{
    return (struct diff_value){.kind = DIFF_INT, .i = i};
}

static struct diff_value real(double d)
{
    return (struct diff_value){.kind = DIFF_REAL, .d = d};
}

static struct diff_value text(const char *s)
{
    return (struct diff_value){.kind = DIFF_TEXT, .text = s};
}

/* The exit code of comparing a and b of this name under thresholds up to a NULL. */
static int judge(const char *name, struct diff_value a, struct diff_value b,
                 const char *const *thresholds)
{
    struct diff_options o = {.csv = true};
    struct smw_err e = {0};
    FILE *f = tmpfile();
    struct diff d;
    int code;

    for (; *thresholds != NULL; thresholds++) {
        if (!diff_threshold_add(&o, *thresholds, &e)) {
            fail_msg("%s", e.message);
        }
    }
    diff_begin(&d, &o, f, "values", "group");
    diff_group(&d, "the group", "g");
    diff_value(&d, name, &a, &b);
    code = diff_end(&d, &e);
    diff_options_free(&o);
    fclose(f);
    return code;
}

#define JUDGE(a, b, ...) judge("cycles", a, b, (const char *const[]){__VA_ARGS__, NULL})

static void test_equality(void **state)
{
    (void)state;
    assert_int_equal(JUDGE(integer(3), integer(3), NULL), TB_OK);
    assert_int_equal(JUDGE(integer(3), integer(4), NULL), TB_KERNEL);
    assert_int_equal(JUDGE(integer(3), real(3), NULL), TB_OK);
    assert_int_equal(JUDGE(real(0.1), real(0.1 + 1e-18), NULL), TB_OK);
    assert_int_equal(JUDGE(real(0.1), real(0.1 + 1e-16), NULL), TB_KERNEL);
    assert_int_equal(JUDGE(real(NAN), real(NAN), NULL), TB_OK);
    assert_int_equal(JUDGE(real(NAN), real(1), NULL), TB_KERNEL);
    assert_int_equal(JUDGE(text("x"), text("x"), NULL), TB_OK);
    assert_int_equal(JUDGE(text("x"), text("y"), NULL), TB_KERNEL);
    assert_int_equal(JUDGE(text("3"), integer(3), NULL), TB_KERNEL);
    assert_int_equal(JUDGE(none, integer(0), NULL), TB_KERNEL);
    assert_int_equal(JUDGE(none, none, NULL), TB_OK);
    /* what doubles do not tell apart */
    assert_int_equal(JUDGE(integer(INT64_MAX), integer(INT64_MAX - 1), NULL),
                     TB_KERNEL);
}

static void test_absolute(void **state)
{
    (void)state;
    assert_int_equal(JUDGE(integer(10), integer(15), "cycles=5"), TB_OK);
    assert_int_equal(JUDGE(integer(10), integer(16), "cycles=5"), TB_KERNEL);
    assert_int_equal(JUDGE(integer(10), integer(5), "cycles=5"), TB_OK);
    assert_int_equal(JUDGE(integer(10), integer(4), "cycles=5"), TB_KERNEL);
    assert_int_equal(JUDGE(real(1), real(1.25), "cycles=.25"), TB_OK);
    assert_int_equal(JUDGE(real(1), real(1.26), "cycles=0.25"), TB_KERNEL);
    assert_int_equal(JUDGE(integer(10), integer(11), "cycles=0"), TB_KERNEL);
    assert_int_equal(JUDGE(integer(INT64_MIN), integer(INT64_MAX), "cycles=1e19"),
                     TB_KERNEL);
}

static void test_percent(void **state)
{
    (void)state;
    assert_int_equal(JUDGE(integer(700), integer(749), "cycles=7%"), TB_OK);
    assert_int_equal(JUDGE(integer(700), integer(750), "cycles=7%"), TB_KERNEL);
    assert_int_equal(JUDGE(integer(-700), integer(-651), "cycles=7%"), TB_OK);
    assert_int_equal(JUDGE(integer(-700), integer(-650), "cycles=7%"), TB_KERNEL);
    assert_int_equal(JUDGE(integer(0), integer(1), "cycles=1000%"), TB_KERNEL);
    assert_int_equal(JUDGE(integer(0), integer(0), "cycles=0%"), TB_OK);
}

static void test_sides(void **state)
{
    (void)state;
    assert_int_equal(JUDGE(integer(100), integer(101), "cycles=+1%"), TB_OK);
    assert_int_equal(JUDGE(integer(100), integer(102), "cycles=+1%"), TB_KERNEL);
    assert_int_equal(JUDGE(integer(100), integer(1), "cycles=+1%"), TB_OK);
    assert_int_equal(JUDGE(integer(100), integer(99), "cycles=-1"), TB_OK);
    assert_int_equal(JUDGE(integer(100), integer(98), "cycles=-1"), TB_KERNEL);
    assert_int_equal(JUDGE(integer(100), integer(900), "cycles=-1"), TB_OK);
}

static void test_any(void **state)
{
    (void)state;
    assert_int_equal(JUDGE(text("x"), text("y"), "cycles=5"), TB_KERNEL);
    assert_int_equal(JUDGE(text("x"), text("y"), "cycles=any"), TB_OK);
    assert_int_equal(JUDGE(none, integer(1), "cycles=5"), TB_KERNEL);
    assert_int_equal(JUDGE(none, integer(1), "cycles=any"), TB_OK);
    assert_int_equal(JUDGE(integer(1), none, "cycles=any"), TB_OK);
}

static void test_patterns(void **state)
{
    static const char *const dots[] = {"shared.*=1", NULL};
    static const char *const last[] = {"*=any", "*.st.*=0", NULL};
    static const char *const equals[] = {"a=b=1", NULL};

    (void)state;
    assert_int_equal(judge("shared.ld.insts", integer(1), integer(2), dots), TB_OK);
    assert_int_equal(judge("x.shared.ld", integer(1), integer(2), dots), TB_USAGE);
    assert_int_equal(judge("shared.st.insts", integer(1), integer(2), last), TB_KERNEL);
    assert_int_equal(judge("a=b", integer(1), integer(2), equals), TB_OK);
}

static void test_refused(void **state)
{
    static const char *const words[] = {"cycles",    "=1",         "cycles=",
                                        "cycles=%",  "cycles=1x",  "cycles=+-1",
                                        "cycles=-",  "cycles=nan", "cycles=inf%",
                                        "cycles=1 %"};

    (void)state;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        struct diff_options o = {0};
        struct smw_err e = {0};

        assert_false(diff_threshold_add(&o, words[i], &e));
        assert_int_equal(e.kind, SMW_ERR_USAGE);
        assert_int_equal(o.n_thresholds, 0);
    }
}

/* What is printed for a name with a and b. */
static void printed(bool csv, bool all, struct diff_value a, struct diff_value b,
                    const char *want)
{
    struct diff_options o = {.csv = csv, .all = all};
    struct smw_err e = {0};
    char got[1024];
    FILE *f = tmpfile();
    struct diff d;
    size_t n;

    diff_begin(&d, &o, f, "values", "group");
    diff_group(&d, "the group", "g");
    diff_value(&d, "n,\"x\"", &a, &b);
    diff_end(&d, &e);
    rewind(f);
    n = fread(got, 1, sizeof(got) - 1, f);
    got[n] = '\0';
    assert_string_equal(got, want);
    fclose(f);
}

#define HEAD "group,name,a,b,difference,percent,verdict\n"

static void test_csv(void **state)
{
    (void)state;
    printed(true, false, integer(1), integer(1), HEAD);
    printed(true, true, integer(1), integer(1),
            HEAD "g,\"n,\"\"x\"\"\",1,1,0,0,equal\n");
    printed(true, false, integer(8), integer(6),
            HEAD "g,\"n,\"\"x\"\"\",8,6,-2,-25,different\n");
    printed(true, false, integer(INT64_MIN), integer(INT64_MAX),
            HEAD "g,\"n,\"\"x\"\"\",-9223372036854775808,9223372036854775807,"
                 "+18446744073709551615,200,different\n");
    printed(true, false, real(0.5), real(0.75),
            HEAD "g,\"n,\"\"x\"\"\",0.5,0.75,+0.25,50,different\n");
    printed(true, false, integer(0), integer(6),
            HEAD "g,\"n,\"\"x\"\"\",0,6,+6,,different\n");
    printed(true, false, text("a b"), none,
            HEAD "g,\"n,\"\"x\"\"\",a b,,,,different\n");
}

static void test_table(void **state)
{
    (void)state;
    printed(false, false, integer(1), integer(1), "1 values compared, 0 differ\n");
    printed(false, false, integer(400), integer(401),
            "the group\n"
            "                                          A              B        B - A\n"
            "  n,\"x\"                                 400            401           +1 "
            "   +0.25%\n"
            "1 values compared, 1 differ\n");
    printed(false, false, none, integer(401),
            "the group\n"
            "                                          A              B        B - A\n"
            "  n,\"x\"                                   -            401\n"
            "1 values compared, 1 differ\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equality), cmocka_unit_test(test_absolute),
        cmocka_unit_test(test_percent),  cmocka_unit_test(test_sides),
        cmocka_unit_test(test_any),      cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_refused),  cmocka_unit_test(test_csv),
        cmocka_unit_test(test_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
