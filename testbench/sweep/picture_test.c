/* What plots show, from tables made by hand: order, means, fronts, names; and the files
 * for gnuplot. */
#include "sweep/gnuplot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 40, COLUMNS = 5 }; /* n, g, f; v, w */

struct fixture {
    struct sweep_table t;
    struct table_column columns[COLUMNS];
    struct table_row rows[ROWS];
    struct table_cell cells[ROWS][COLUMNS];
    struct smw_err e;
};

static void setup(struct fixture *f)
{
    static const char *const names[COLUMNS] = {"n", "g", "f", "v", "w"};

    memset(f, 0, sizeof(*f));
    for (uint32_t i = 0; i < COLUMNS; i++) {
        f->columns[i] = (struct table_column){names[i], i == 3 ? "cycles" : "",
                                              i < 3 ? TABLE_PARAM : TABLE_VALUE};
    }
    f->t = (struct sweep_table){.columns = f->columns,
                                .rows = f->rows,
                                .n_columns = COLUMNS};
}

static void row(struct fixture *f, const char *const text[COLUMNS], bool ok)
{
    uint64_t r = f->t.n_rows++;

    f->rows[r].cells = f->cells[r];
    f->rows[r].done.index = r;
    f->rows[r].done.status = ok ? STORE_OK : STORE_FAILED;
    f->t.n_ok += ok;
    for (uint32_t i = 0; i < COLUMNS; i++) {
        char *end;
        double v = strtod(text[i], &end);
        bool number = text[i][0] != '\0' && *end == '\0';

        f->cells[r][i] = (struct table_cell){number, number ? v : 0, text[i]};
    }
}

#define ROW(f, ok, ...) row(f, (const char *const[COLUMNS]){__VA_ARGS__}, ok)

static void expect_csv(struct fixture *f, const struct sweep_plot *plot,
                       const char *want)
{
    struct picture p;
    struct text csv = {0};

    assert_true(picture_make(&p, &f->t, plot, &f->e));
    gnuplot_csv(&p, &csv);
    assert_string_equal(csv.s, want);
    text_free(&csv);
    picture_free(&p);
}

static void expect_refused(struct fixture *f, const struct sweep_plot *plot,
                           const char *words)
{
    struct picture p;

    err_clear(&f->e);
    assert_false(picture_make(&p, &f->t, plot, &f->e));
    assert_int_equal(f->e.kind, SMW_ERR_USAGE);
    assert_non_null(strstr(f->e.message, words));
}

static void lines(void **state)
{
    struct fixture f;

    (void)state;
    setup(&f);
    ROW(&f, true, "16", "b", "y", "3", "");
    ROW(&f, true, "4", "b", "y", "2", "");
    ROW(&f, true, "4", "a", "y", "1.5", "");
    ROW(&f, false, "8", "b", "y", "", "");
    ROW(&f, true, "4", "a", "x", "7", "");
    expect_csv(&f, &(struct sweep_plot){.x = "n", .y = "v", .group = "g", .facet = "f"},
               "n,y: b,y: a,x: b,x: a\n4,2,1.5,,7\n16,3,,,\n");
    /* without the facet two points have one place */
    expect_csv(&f, &(struct sweep_plot){.x = "n", .y = "v", .group = "g"},
               "n,b,a\n4,2,4.25\n16,3,\n");
    /* words keep the order of the plan */
    expect_csv(&f,
               &(struct sweep_plot){.kind = PLOT_BAR, .x = "g", .y = "v", .facet = "f"},
               "g,y,x\nb,2.5,\na,1.5,7\n");
    expect_csv(&f, &(struct sweep_plot){.x = "g", .y = "v"}, "g,v\nb,2.5\na,4.25\n");
    /* and numbers ascend, also as words */
    expect_csv(&f, &(struct sweep_plot){.kind = PLOT_BAR, .x = "n", .y = "v"},
               "n,v\n4,3.5\n8,\n16,3\n");
}

static void means(void **state)
{
    struct fixture f;
    struct picture p;
    struct text note = {0};

    (void)state;
    setup(&f);
    ROW(&f, true, "1", "a", "x", "1", "");
    ROW(&f, true, "1", "b", "x", "2", "");
    ROW(&f, true, "1", "b", "y", "6", "");
    ROW(&f, true, "2", "a", "x", "5", "");
    assert_true(picture_make(&p, &f.t, &(struct sweep_plot){.x = "n", .y = "v"}, &f.e));
    assert_int_equal(p.points, 4);
    assert_int_equal(p.facets[0].series[0].n, 2);
    assert_true(p.facets[0].series[0].at[0].y == 3);
    assert_int_equal(p.facets[0].series[0].at[0].merged, 3);
    picture_note(&p, &note);
    assert_string_equal(note.s, "mean of up to 3 points that differ in g, f");
    text_free(&note);
    picture_free(&p);
}

static void heat(void **state)
{
    struct fixture f;

    (void)state;
    setup(&f);
    ROW(&f, true, "8", "b", "x", "30", "1");
    ROW(&f, true, "4", "a", "x", "10", "1");
    ROW(&f, true, "8", "a", "x", "20", "1");
    ROW(&f, true, "8", "a", "x", "40", "1");
    expect_csv(&f,
               &(struct sweep_plot){.kind = PLOT_HEAT, .x = "n", .y = "g", .z = "v"},
               "n,g,column,row,v\n4,a,0,1,10\n8,b,1,0,30\n8,a,1,1,30\n");
    expect_refused(&f, &(struct sweep_plot){.kind = PLOT_HEAT, .x = "n", .y = "g"},
                   "needs a third column");
}

/* Failed points have places on the axes, also where none else is, and are counted. */
static void failed(void **state)
{
    static const struct sweep_plot line = {.x = "n", .y = "v", .group = "g"};
    static const struct sweep_plot bar = {.kind = PLOT_BAR,
                                          .x = "n",
                                          .y = "v",
                                          .group = "g"};
    struct fixture f;
    struct picture p;
    struct text note = {0}, script = {0};
    double lo = 0, hi = 0;

    (void)state;
    setup(&f);
    ROW(&f, true, "1", "a", "x", "10", "");
    ROW(&f, true, "2", "a", "x", "20", "");
    ROW(&f, false, "4", "b", "x", "", "");
    assert_true(picture_make(&p, &f.t, &line, &f.e));
    assert_int_equal(p.points, 2);
    assert_int_equal(p.n_failed, 1);
    assert_int_equal(p.facets[0].n, 2); /* b is in the legend */
    assert_int_equal(p.facets[0].n_failed, 1);
    assert_int_equal(p.facets[0].failed[0].series, 1);
    assert_true(p.facets[0].failed[0].x == 4);
    assert_true(picture_range(&p, &p.x, &lo, &hi) && lo == 1 && hi == 4);
    assert_true(picture_range(&p, &p.y, &lo, &hi) && lo == 10 && hi == 20);
    picture_note(&p, &note);
    assert_string_equal(note.s, "1 point failed, crossed out");
    gnuplot_script(&p, "x", &script);
    assert_non_null(strstr(script.s, "$failed0 << EOD\n4,1.2,2\nEOD\n"));
    assert_non_null(strstr(script.s, "set offsets graph 0.03, graph 0.03, 0, 0\n"));
    text_free(&script);
    text_free(&note);
    picture_free(&p);
    assert_true(picture_make(&p, &f.t, &bar, &f.e));
    assert_int_equal(p.x.n_words, 3);
    assert_string_equal(p.x.words[2], "4");
    script = (struct text){0};
    gnuplot_script(&p, "x", &script); /* beside its word, where its bar would be */
    assert_non_null(strstr(script.s, "using ($0-0.2):2 with boxes lt 1 title 'a'"));
    assert_non_null(strstr(script.s, "$failed0 << EOD\n2.2,0.4,2\nEOD\n"));
    text_free(&script);
    picture_free(&p);
}

/* gnuplot counts the rows of a table whose axis has words: none is left out, also where
 * all points of a word failed. */
static void failed_words(void **state)
{
    struct fixture f;

    (void)state;
    setup(&f);
    ROW(&f, false, "1", "p", "x", "", "");
    ROW(&f, true, "1", "q", "x", "10", "");
    expect_csv(&f, &(struct sweep_plot){.kind = PLOT_BAR, .x = "g", .y = "v"},
               "g,v\np,\nq,10\n");
    expect_csv(&f, &(struct sweep_plot){.x = "g", .y = "v"}, "g,v\np,\nq,10\n");
}

/* One word in a cell, however many points failed there; below a number. */
static void failed_cells(void **state)
{
    static const struct sweep_plot heat = {.kind = PLOT_HEAT,
                                           .x = "n",
                                           .y = "g",
                                           .z = "v"};
    struct fixture f;
    struct picture p;
    struct text script = {0};

    (void)state;
    setup(&f);
    ROW(&f, true, "1", "a", "x", "10", "");
    ROW(&f, false, "1", "a", "y", "", "");
    ROW(&f, false, "2", "a", "x", "", "");
    ROW(&f, false, "2", "a", "y", "", "");
    assert_true(picture_make(&p, &f.t, &heat, &f.e));
    gnuplot_script(&p, "x", &script);
    assert_non_null(strstr(script.s, "$failed0 << EOD\n0,-0.3,1\n1,0,1\nEOD\n"));
    text_free(&script);
    picture_free(&p);
}

/* A logarithmic axis of less than a decade has ticks, and ends near its points. */
static void narrow(void **state)
{
    struct fixture f;
    struct picture p;
    struct text script = {0};

    (void)state;
    setup(&f);
    ROW(&f, true, "1", "a", "x", "11", "");
    ROW(&f, true, "2", "a", "x", "22", "");
    assert_true(picture_make(&p, &f.t,
                             &(struct sweep_plot){.x = "n", .y = "v", .log_y = true},
                             &f.e));
    gnuplot_script(&p, "x", &script);
    assert_non_null(strstr(script.s, "set logscale y 10\nset yrange [10:24.2]\n"
                                     "set ytics (15, 20)\n"));
    text_free(&script);
    picture_free(&p);
}

/* A line knows how many lie on a piece of it; points that meet alone do not count. */
static void covered(void **state)
{
    static const char *const v[4][3] = {{"1", "2", "3"},
                                        {"1", "2", "4"},
                                        {"9", "2", "8"},
                                        {"1", "2", "3"}};
    static const char *const g[] = {"a", "b", "c", "d"}, *const n[] = {"1", "2", "3"};
    struct fixture f;
    struct picture p;

    (void)state;
    setup(&f);
    for (uint32_t i = 0; i < 12; i++) {
        ROW(&f, true, n[i % 3], g[i / 3], "x", v[i / 3][i % 3], "");
    }
    assert_true(picture_make(&p, &f.t,
                             &(struct sweep_plot){.x = "n", .y = "v", .group = "g"},
                             &f.e));
    assert_int_equal(p.facets[0].series[0].covered, 2);
    assert_int_equal(p.facets[0].series[1].covered, 1);
    assert_int_equal(p.facets[0].series[2].covered, 0);
    assert_int_equal(p.facets[0].series[3].covered, 0);
    picture_free(&p);
}

static void pareto(void **state)
{
    struct fixture f;

    (void)state;
    setup(&f);
    ROW(&f, true, "1", "a", "x", "10", "5");
    ROW(&f, true, "2", "a", "x", "10", "6"); /* as good in one, worse in the other */
    ROW(&f, true, "3", "b", "x", "20", "4");
    ROW(&f, true, "4", "b", "x", "30", "4");
    ROW(&f, true, "5", "b", "x", "40", "1");
    ROW(&f, true, "6", "a", "x", "10", "5"); /* equal: neither beats the other */
    expect_csv(
        &f, &(struct sweep_plot){.kind = PLOT_PARETO, .x = "v", .y = "w", .group = "g"},
        "v,index,a,b,front\n10,0,5,,5\n10,5,5,,5\n10,1,6,,\n20,2,,4,4\n"
        "30,3,,4,\n40,4,,1,1\n");
}

static void mistakes(void **state)
{
    struct fixture f;
    char text[ROWS][16];

    (void)state;
    setup(&f);
    ROW(&f, true, "0", "a", "x", "word", "0");
    expect_refused(&f, &(struct sweep_plot){.x = "nn", .y = "v"}, "no column 'nn'");
    assert_non_null(strstr(f.e.hint, "did you mean 'n'"));
    expect_refused(&f, &(struct sweep_plot){.x = "n", .y = "v"}, "not a number");
    expect_refused(&f, &(struct sweep_plot){.x = "n", .y = "w", .log_x = true},
                   "no logarithm");
    expect_refused(&f, &(struct sweep_plot){.x = "n", .y = "w", .log_y = true},
                   "no logarithm");
    expect_refused(&f, &(struct sweep_plot){.x = "n", .y = "w", .group = "h"},
                   "no column 'h'");
    for (uint32_t i = 1; i < ROWS; i++) {
        snprintf(text[i], sizeof(text[i]), "g%u", i);
        ROW(&f, true, "1", text[i], text[i], "1", "1");
    }
    expect_refused(&f, &(struct sweep_plot){.x = "n", .y = "w", .group = "g"},
                   "more than 32");
    expect_refused(&f, &(struct sweep_plot){.x = "n", .y = "w", .facet = "f"},
                   "more than 24");
}

/* Without a plot in the file: the parameter with most numbers, the first column. */
static void fallback(void **state)
{
    struct fixture f;
    struct sweep_plot plot;
    const struct sweep_plot *plots;

    (void)state;
    setup(&f);
    assert_int_equal(picture_plots(&f.t, &plot, &plots), 0); /* no points */
    ROW(&f, true, "1", "a", "x", "1", "1");
    ROW(&f, true, "2", "b", "x", "1", "1");
    ROW(&f, true, "2", "c", "x", "1", "1");
    assert_int_equal(picture_plots(&f.t, &plot, &plots), 1);
    assert_string_equal(plots[0].x, "n");
    assert_string_equal(plots[0].y, "v");
    assert_string_equal(plots[0].group, "g");
    assert_null(plots[0].facet); /* f has one value */
}

/* Names from users end no string of the script and begin no command. */
static void script(void **state)
{
    struct fixture f;
    struct picture p;
    struct text t = {0};
    char *name;

    (void)state;
    setup(&f);
    f.columns[3].name = "it's `date`\n; system 'x'";
    ROW(&f, true, "1", "a'b\nc", "x", "1", "1");
    ROW(&f, true, "2", "\"d\"", "x", "1", "1");
    assert_true(picture_make(
        &p, &f.t, &(struct sweep_plot){.x = "n", .y = f.columns[3].name, .group = "g"},
        &f.e));
    name = gnuplot_name(&p);
    assert_string_equal(name, "it-s--date----system--x--by-n-g");
    gnuplot_script(&p, name, &t);
    assert_non_null(strstr(t.s, "set ylabel 'it''s `date` ; system ''x'' [cycles]' "));
    assert_non_null(strstr(t.s, "title 'a''b c'"));
    assert_non_null(strstr(t.s, "title '\"d\"'"));
    assert_null(strstr(t.s, "\n; system"));
    free(name);
    text_free(&t);
    picture_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines),    cmocka_unit_test(means),
        cmocka_unit_test(heat),     cmocka_unit_test(failed),
        cmocka_unit_test(covered),  cmocka_unit_test(pareto),
        cmocka_unit_test(mistakes), cmocka_unit_test(fallback),
        cmocka_unit_test(script),   cmocka_unit_test(failed_words),
        cmocka_unit_test(narrow),   cmocka_unit_test(failed_cells)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
