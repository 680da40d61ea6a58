/* Text from users in pages, numbers for people, and the ticks of axes. */
#include "report/chart.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define UNKNOWN "\xef\xbf\xbd"

static void expect_text(const char *s, const char *want)
{
    struct text t = {0};

    html_text(&t, s);
    assert_string_equal(t.s == NULL ? "" : t.s, want);
    text_free(&t);
}

static void escaping(void **state)
{
    (void)state;
    expect_text(NULL, "");
    expect_text("", "");
    expect_text("plain", "plain");
    expect_text("<script>alert('x')</script>",
                "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
    expect_text("a&b \"c\"", "a&amp;b &quot;c&quot;");
    expect_text("line\n\ttab", "line\n\ttab");
    expect_text("\x1b[31m\x01\x7f", UNKNOWN "[31m" UNKNOWN UNKNOWN);
}

static void utf8(void **state)
{
    (void)state;
    expect_text("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
                "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
    expect_text("\xff", UNKNOWN);
    expect_text("\xc3", UNKNOWN);                         /* cut off */
    expect_text("\xc0\xbc", UNKNOWN UNKNOWN);             /* an overlong '<' */
    expect_text("\xe0\x80\xbc", UNKNOWN UNKNOWN UNKNOWN); /* another */
    expect_text("\xed\xa0\x80", UNKNOWN UNKNOWN UNKNOWN); /* half a surrogate pair */
    expect_text("\xf4\x90\x80\x80", UNKNOWN UNKNOWN UNKNOWN UNKNOWN);
    expect_text("\xe2\x82<", UNKNOWN UNKNOWN "&lt;");
    expect_text("\x80x", UNKNOWN "x");
}

static void json(void **state)
{
    struct text t = {0};

    (void)state;
    html_json_text(&t, "</script>\"\\\n&'\xc3\xa9\xff");
    assert_string_equal(t.s, "\\u003c/script\\u003e\\u0022\\u005c\\u000a\\u0026\\u0027"
                             "\xc3\xa9\\ufffd");
    text_free(&t);
}

static void expect_number(double v, int digits, const char *want)
{
    struct text t = {0};

    html_number(&t, v, digits);
    assert_string_equal(t.s, want);
    text_free(&t);
}

static void numbers(void **state)
{
    struct text t = {0};

    (void)state;
    expect_number(0, 3, "0");
    expect_number(999, 3, "999");
    expect_number(1000, 3, "1,000");
    expect_number(-1234567, 3, "-1,234,567");
    expect_number(0.12345, 3, "0.123");
    expect_number(1234.5678, 3, "1,235");
    expect_number(2.0 / 3, 4, "0.6667");
    expect_number(1e20, 4, "1e+20");
    html_grouped(&t, UINT64_MAX);
    text_add(&t, " ");
    html_percent(&t, 1, 3);
    text_add(&t, " ");
    html_percent(&t, 1, 0);
    assert_string_equal(t.s, "18,446,744,073,709,551,615 33.3&nbsp;% &ndash;");
    text_free(&t);
}

static void tables(void **state)
{
    static const struct html_column c[] = {{"<a>", "x\"y", false},
                                           {"sm.l1_n", NULL, true}};
    struct text t = {0};

    (void)state;
    html_table(&t, "t", "a & b", c, 2, HTML_SORTED); /* long names may be broken */
    html_row(&t);
    html_cell(&t, "<td>");
    html_cell_count(&t, 1000);
    html_table_end(&t);
    assert_non_null(strstr(t.s, "<caption>a &amp; b</caption>"));
    assert_non_null(strstr(t.s, "<th scope=\"col\" title=\"x&quot;y\"><button "
                                "type=\"button\">&lt;a&gt;</button></th>"));
    assert_non_null(strstr(t.s, ">sm.<wbr>l1_<wbr>n</button></th>"));
    assert_non_null(
        strstr(t.s, "<tr><td>&lt;td&gt;<td class=\"num\">1,000\n</tbody></table>"));
    text_free(&t);
}

static void expect_axis(double lo, double hi, double want_lo, double want_hi)
{
    struct chart_axis a = chart_axis(lo, hi, false);

    assert_true(fabs(a.lo - want_lo) < 1e-9);
    assert_true(fabs(a.hi - want_hi) < 1e-9);
}

static void axes(void **state)
{
    struct chart_axis a = {0, 10, false}, powers = {256, 16384, true},
                      far = {1, 1e6, true}, near = {15, 95, true};
    double at[CHART_TICKS];

    (void)state;
    expect_axis(0, 0, 0, 1);
    expect_axis(3, 7, 0, 8);
    expect_axis(0, 0.034, 0, 0.04);
    expect_axis(-3, 7, -5, 10);
    assert_int_equal(chart_ticks(&a, 5, at), 6);
    assert_true(at[0] == 0 && at[1] == 2 && at[5] == 10);
    assert_int_equal(chart_ticks(&powers, 5, at), 7);
    assert_true(at[0] == 256 && at[6] == 16384);
    assert_int_equal(chart_ticks(&far, 5, at), 7);
    assert_true(at[0] == 1 && at[6] == 1e6);
    assert_int_equal(chart_ticks(&near, 5, at), 4); /* less than a decade */
    assert_true(at[0] == 20 && at[1] == 40 && at[3] == 80);
}

/* Whatever the ends, ticks lie between them, ascend and are not too many. */
static void ticks(void **state)
{
    uint64_t seed = 1;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        double v[2], at[CHART_TICKS];
        struct chart_axis a;
        uint32_t n;

        for (int k = 0; k < 2; k++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            v[k] = pow(10, (double)(seed >> 40) / (1 << 24) * 18 - 6);
        }
        a = chart_axis(v[0] < v[1] ? v[0] : v[1], v[0] < v[1] ? v[1] : v[0],
                       i % 2 == 0);
        n = chart_ticks(&a, 5, at);
        assert_in_range(n, a.log ? 0 : 2, CHART_TICKS);
        for (uint32_t k = 0; k < n; k++) {
            assert_true(at[k] >= a.lo - 1e-6 * fabs(a.hi));
            assert_true(at[k] <= a.hi + 1e-6 * fabs(a.hi));
            assert_true(k == 0 || at[k] > at[k - 1]);
        }
    }
}

static void heat(void **state)
{
    static const double v[] = {0, 1, 1, 8, 0, 4};
    struct chart c = {.left = 0,
                      .top = 0,
                      .width = 30,
                      .height = 20,
                      .x = {0, 1, false},
                      .y = {0, 1, false}};
    struct text t = {0};

    (void)state;
    chart_heat(&t, &c, v, 2, 3, 8);
    assert_non_null(strstr(t.s, "class=\"q1\" d=\"M10.0 0.0h20.0")); /* two in one */
    assert_non_null(strstr(t.s, "class=\"q8\" d=\"M0.0 10.0h10.0"));
    assert_non_null(strstr(t.s, "class=\"q4\" d=\"M20.0 10.0h10.0"));
    assert_null(strstr(t.s, "class=\"q2\""));
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escaping), cmocka_unit_test(utf8),   cmocka_unit_test(json),
        cmocka_unit_test(numbers),  cmocka_unit_test(tables), cmocka_unit_test(axes),
        cmocka_unit_test(ticks),    cmocka_unit_test(heat),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
