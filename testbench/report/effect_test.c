/* What each parameter of a sweep does, from tables made by hand. */
#include "report/effect.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 32, COLUMNS = 5 }; /* a, b, c; v, w */

/* A table of columns a, b, c (parameters) and v, w (values); "": empty. */
struct fixture {
    struct sweep_table t;
    struct table_column columns[COLUMNS];
    struct table_row rows[ROWS];
    struct table_cell cells[ROWS][COLUMNS];
    struct sweep_axis axes[3];
    struct sweep_dim dims[3];
};

static void setup(struct fixture *f, uint32_t n_dims, uint32_t axes_of_last)
{
    static const char *const names[COLUMNS] = {"a", "b", "c", "v", "w"};

    memset(f, 0, sizeof(*f));
    for (uint32_t i = 0; i < COLUMNS; i++) {
        f->columns[i] =
            (struct table_column){names[i], "", i < 3 ? TABLE_PARAM : TABLE_VALUE};
    }
    for (uint32_t i = 0; i < 3; i++) {
        f->axes[i].key.name = names[i];
        f->dims[i] = (struct sweep_dim){&f->axes[i], 1, 1};
    }
    f->dims[n_dims - 1].n_axes = axes_of_last;
    f->t = (struct sweep_table){.columns = f->columns,
                                .rows = f->rows,
                                .n_columns = COLUMNS,
                                .sweep = {.dims = f->dims, .n_dims = n_dims}};
}

static void row(struct fixture *f, const char *const text[COLUMNS], bool ok)
{
    uint64_t r = f->t.n_rows++;

    f->rows[r].cells = f->cells[r];
    f->rows[r].done.index = r;
    f->rows[r].done.status = ok ? STORE_OK : STORE_FAILED;
    for (uint32_t i = 0; i < COLUMNS; i++) {
        char *end;
        double v = strtod(text[i], &end);
        bool number = text[i][0] != '\0' && *end == '\0';

        f->cells[r][i] = (struct table_cell){number, number ? v : 0, text[i]};
    }
}

#define ROW(f, ok, ...) row(f, (const char *const[COLUMNS]){__VA_ARGS__}, ok)

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

static void median(void **state)
{
    double three[] = {9, 1, 4}, four[] = {8, 2, 4, 1};

    (void)state;
    assert_true(effect_median(NULL, 0) == 0);
    assert_true(effect_median(three, 1) == 9);
    assert_true(effect_median(three, 3) == 4);
    assert_true(effect_median(four, 4) == 3);
}

/* Steps go from a value to the next larger one, not to the next in the plan. */
static void neighbours(void **state)
{
    struct fixture f;
    struct effects e;

    (void)state;
    setup(&f, 2, 1);
    ROW(&f, true, "10", "x", "", "100", "1");
    ROW(&f, true, "10", "y", "", "200", "0");
    ROW(&f, true, "9", "x", "", "50", "0");
    ROW(&f, true, "9", "y", "", "400", "0");
    ROW(&f, true, "11", "x", "", "110", "4");
    ROW(&f, false, "11", "y", "", "", "");
    effects_make(&e, &f.t);
    assert_int_equal(e.n_values, 2);
    assert_int_equal(e.n, 2);
    assert_string_equal(e.at[0].name, "a");
    assert_int_equal(e.at[0].n_steps, 2);
    assert_string_equal(e.at[0].steps[0].from, "9");
    assert_string_equal(e.at[0].steps[0].to, "10");
    assert_int_equal(e.at[0].steps[0].pairs, 2);
    assert_true(near(e.at[0].steps[0].of[0].median, 0.25)); /* +100 %, -50 % */
    assert_true(near(e.at[0].steps[0].of[0].least, -0.5));
    assert_true(near(e.at[0].steps[0].of[0].most, 1));
    assert_int_equal(e.at[0].steps[0].of[1].pairs, 1); /* 0 to 1 is no change of w */
    assert_true(near(e.at[0].steps[0].of[1].median, 0));
    assert_string_equal(e.at[0].steps[1].to, "11");
    assert_int_equal(e.at[0].steps[1].pairs, 1); /* the other failed */
    assert_true(near(e.at[0].steps[1].of[0].median, 0.1));
    assert_true(near(e.at[0].steps[1].of[1].median, 3));
    assert_true(near(e.at[0].spread, 2.1)); /* of 110 / 50 and 400 / 200 */
    assert_string_equal(e.at[1].name, "b");
    assert_string_equal(e.at[1].steps[0].from, "x");
    assert_int_equal(e.at[1].steps[0].pairs, 2);
    assert_true(near(e.at[1].steps[0].of[0].median, 4)); /* of +100 % and +700 % */
    effects_free(&e);
}

/* Axes that advance together are one parameter. */
static void together(void **state)
{
    struct fixture f;
    struct effects e;

    (void)state;
    setup(&f, 2, 2);
    f.dims[1].axes = &f.axes[1];
    ROW(&f, true, "1", "p", "q", "8", "");
    ROW(&f, true, "1", "r", "s", "4", "");
    effects_make(&e, &f.t);
    assert_int_equal(e.n_values, 1); /* w has none */
    assert_int_equal(e.n, 1);        /* a has one value */
    assert_string_equal(e.at[0].name, "b, c");
    assert_string_equal(e.at[0].steps[0].from, "p, q");
    assert_string_equal(e.at[0].steps[0].to, "r, s");
    assert_true(near(e.at[0].steps[0].of[0].median, -0.5));
    assert_true(near(e.at[0].spread, 2));
    effects_free(&e);
}

/* Values that would run together if nothing stood between them do not. */
static void apart(void **state)
{
    struct fixture f;
    struct effects e;

    (void)state;
    setup(&f, 3, 1);
    ROW(&f, true, "1", "x", "yz", "5", "");
    ROW(&f, true, "2", "xy", "z", "6", "");
    effects_make(&e, &f.t);
    assert_int_equal(e.n, 0);
    effects_free(&e);
}

static void nothing(void **state)
{
    struct fixture f;
    struct effects e;

    (void)state;
    setup(&f, 1, 1);
    effects_make(&e, &f.t);
    assert_int_equal(e.n, 0);
    effects_free(&e);
    ROW(&f, true, "1", "", "", "word", "");
    ROW(&f, true, "2", "", "", "5", "");
    effects_make(&e, &f.t);
    assert_int_equal(e.n_values, 0); /* v has a word */
    effects_free(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(median),
                                       cmocka_unit_test(neighbours),
                                       cmocka_unit_test(together),
                                       cmocka_unit_test(apart),
                                       cmocka_unit_test(nothing)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
