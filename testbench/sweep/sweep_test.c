#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "io/file.h"
#include "sweep/estimate.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A sweep beside a launch file, in a folder of its own. */
struct place {
    char dir[64], sweep[96], launch[96], plan[96];
};

static const char launch_text[] =
    "module: k.ptx\n"
    "buffers:\n"
    "  d: {type: s32, count: 64}\n"
    "launches:\n"
    "  - {kernel: one, grid: [1], block: [64], args: [d, 64]}\n";

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void make_place(struct place *p, const char *text)
{
    char module[96];

    snprintf(p->dir, sizeof(p->dir), "/tmp/sweep_test.XXXXXX");
    assert_non_null(mkdtemp(p->dir));
    snprintf(p->sweep, sizeof(p->sweep), "%s/some.yml", p->dir);
    snprintf(p->launch, sizeof(p->launch), "%s/run.yml", p->dir);
    snprintf(p->plan, sizeof(p->plan), "%s/plan.jsonl", p->dir);
    snprintf(module, sizeof(module), "%s/k.ptx", p->dir);
    put(p->sweep, text);
    put(p->launch, launch_text);
    put(module, "no matter");
}

static void remove_place(const struct place *p)
{
    char module[96];

    snprintf(module, sizeof(module), "%s/k.ptx", p->dir);
    unlink(p->sweep);
    unlink(p->launch);
    unlink(p->plan);
    unlink(module);
    assert_int_equal(rmdir(p->dir), 0);
}

/* "key=value ..." of the pairs. */
static void join(const struct sweep_pair *p, uint32_t n, struct text *out)
{
    for (uint32_t i = 0; i < n; i++) {
        text_add(out, " %s=%s", p[i].key, p[i].value);
    }
}

/* The points as lines "target config; set; launch; params". */
static char *points_of(const struct sweep *s)
{
    struct text t = {0};
    struct sweep_point p;
    struct smw_err e = {0};
    struct plan plan;

    plan_start(&plan, s);
    while (plan_next(&plan, &p, &e)) {
        text_add(&t, "%d %s %s;", (int)p.index, p.target,
                 p.config == NULL ? "-" : p.config);
        join(p.set, p.n_set, &t);
        text_add(&t, ";");
        join(p.launch, p.n_launch, &t);
        text_add(&t, ";");
        for (uint32_t i = 0; i < p.n_params; i++) {
            text_add(&t, " %s%s%s", p.params[i].name, p.params[i].is_number ? "=" : ":",
                     p.params[i].text);
        }
        text_add(&t, "\n");
        sweep_point_free(&p);
    }
    assert_int_equal(e.kind, SMW_ERR_NONE);
    return t.s;
}

static void check_points(const char *text, const char *want)
{
    struct place p;
    struct sweep s;
    struct smw_err e = {0};
    char *got;

    make_place(&p, text);
    if (!sweep_read(&s, p.sweep, &e)) {
        fail_msg("%s: line %u: %s", p.sweep, e.line, e.message);
    }
    got = points_of(&s);
    assert_string_equal(got, want);
    free(got);
    sweep_free(&s);
    remove_place(&p);
}

static void test_order(void **state)
{
    (void)state;
    check_points("base: {target: run.yml, config: gtx480}\n"
                 "grid: {sm.max_warps: [8, 16], sm.onchip.partition: [48/16, 16/48]}\n"
                 "list: [{config: k20x}, {sm.max_blocks: 4}]\n",
                 "0 run.yml k20x; sm.max_warps=8 sm.onchip.partition=48/16;; "
                 "sm.max_warps=8 sm.onchip.partition:48/16 config:k20x\n"
                 "1 run.yml gtx480; sm.max_warps=8 sm.onchip.partition=48/16 "
                 "sm.max_blocks=4;; sm.max_warps=8 sm.onchip.partition:48/16 "
                 "config:gtx480 sm.max_blocks=4\n"
                 "2 run.yml k20x; sm.max_warps=8 sm.onchip.partition=16/48;; "
                 "sm.max_warps=8 sm.onchip.partition:16/48 config:k20x\n"
                 "3 run.yml gtx480; sm.max_warps=8 sm.onchip.partition=16/48 "
                 "sm.max_blocks=4;; sm.max_warps=8 sm.onchip.partition:16/48 "
                 "config:gtx480 sm.max_blocks=4\n"
                 "4 run.yml k20x; sm.max_warps=16 sm.onchip.partition=48/16;; "
                 "sm.max_warps=16 sm.onchip.partition:48/16 config:k20x\n"
                 "5 run.yml gtx480; sm.max_warps=16 sm.onchip.partition=48/16 "
                 "sm.max_blocks=4;; sm.max_warps=16 sm.onchip.partition:48/16 "
                 "config:gtx480 sm.max_blocks=4\n"
                 "6 run.yml k20x; sm.max_warps=16 sm.onchip.partition=16/48;; "
                 "sm.max_warps=16 sm.onchip.partition:16/48 config:k20x\n"
                 "7 run.yml gtx480; sm.max_warps=16 sm.onchip.partition=16/48 "
                 "sm.max_blocks=4;; sm.max_warps=16 sm.onchip.partition:16/48 "
                 "config:gtx480 sm.max_blocks=4\n");
}

static void test_later_wins(void **state)
{
    (void)state;
    check_points("base: {target: run.yml, set: {sm.max_warps: 8, kernel: a,\n"
                 "       launch.launches.0.block: [8, 8]}}\n"
                 "zip: {sm.max_warps: [16, 24], launch.launches.0.block: [[4, 2], 7]}\n"
                 "derive: {kernel.0: '\"k\"', half: sm.max_warps / 2,\n"
                 "         sm.max_blocks: half - 4}\n"
                 "where: half > 1\n",
                 "0 run.yml -; sm.max_warps=16 sm.max_blocks=4; kernel=a "
                 "launches.0.block=[4, 2] kernel.0=k; sm.max_warps=16 "
                 "launch.launches.0.block:[4, 2] half=8\n"
                 "1 run.yml -; sm.max_warps=24 sm.max_blocks=8; kernel=a "
                 "launches.0.block=7 kernel.0=k; sm.max_warps=24 "
                 "launch.launches.0.block=7 half=12\n");
}

static void test_quotes(void **state)
{
    (void)state;
    check_points("base: {target: run.yml, set: {launch.a: '[1]', launch.b: 'x y'}}\n"
                 "grid: {launch.c: [[1, '2: 3'], {d: 'e, f'}]}\n",
                 "0 run.yml -;; a=\"[1]\" b=x y c=[1, \"2: 3\"]; "
                 "launch.c:[1, \"2: 3\"]\n"
                 "1 run.yml -;; a=\"[1]\" b=x y c={d: \"e, f\"}; "
                 "launch.c:{d: \"e, f\"}\n");
}

static void test_where(void **state)
{
    (void)state;
    check_points("base: {target: run.yml}\n"
                 "grid: {a: 1..3, b: [x, y]}\n"
                 "where: ['a != 2', 'b == \"x\" || a == 3']\n",
                 "0 run.yml -;;; a=1 b:x\n"
                 "1 run.yml -;;; a=3 b:x\n"
                 "2 run.yml -;;; a=3 b:y\n");
}

/* The values of n, as the range says them. */
static void check_range(const char *range, const char *want)
{
    char *text =
        tb_printf("base: {target: run.yml}\ngrid: {n: %s}\nwhere: n == n\n", range);
    struct text got = {0};
    struct place p;
    struct sweep s;
    struct smw_err e = {0};
    struct plan plan;
    struct sweep_point point;

    make_place(&p, text);
    assert_true(sweep_read(&s, p.sweep, &e));
    plan_start(&plan, &s);
    while (plan_next(&plan, &point, &e)) {
        text_add(&got, "%s%s", got.n == 0 ? "" : " ", point.params[0].text);
        sweep_point_free(&point);
    }
    assert_string_equal(got.s, want);
    text_free(&got);
    sweep_free(&s);
    remove_place(&p);
    free(text);
}

static void test_ranges(void **state)
{
    (void)state;
    check_range("1..4", "1 2 3 4");
    check_range("1..8 step 3", "1 4 7");
    check_range("1..7 step 3", "1 4 7");
    check_range("2^0..2^6", "1 2 4 8 16 32 64");
    check_range("2^6..2^0 step -2", "64 16 4 1");
    check_range("10^-1..10^1", "0.1 1 10");
    check_range("5..5", "5");
    check_range("-2..1", "-2 -1 0 1");
    check_range("4..1 step -1", "4 3 2 1");
    check_range("0.1..0.5 step 0.1", "0.1 0.2 0.3 0.4 0.5");
    check_range("0..1 step 0.25", "0 0.25 0.5 0.75 1");
    check_range("[1..3, 8, 2^4..2^5, 100]", "1 2 3 8 16 32 100");
    check_range("['1..3', a..b, ../x]", "1..3 a..b ../x");
    check_range("7", "7");
}

static void test_count(void **state)
{
    static const struct {
        const char *grid;
        uint64_t n;
        bool meant;
    } cases[] = {
        {"{a: 1..1000, b: 1..1000}", 1000000, true},
        {"{a: 1..1000, b: 1..1000, c: 1..2}", 2000000, false},
        {"{a: 1..4000000000, b: 1..4000000000, c: 1..1}",
         UINT64_C(16000000000000000000), false},
        {"{a: 1..4000000000, b: 1..4000000000, c: 1..2}", UINT64_MAX, false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char *text =
            tb_printf("base: {target: run.yml}\ngrid: %s\nwhere: a + b%s > 0\n",
                      cases[i].grid, strchr(cases[i].grid, 'c') == NULL ? "" : " + c");
        struct place p;
        struct sweep s;
        struct smw_err e = {0};

        make_place(&p, text);
        assert_true(sweep_read(&s, p.sweep, &e));
        assert_true(sweep_combinations(&s) == cases[i].n);
        assert_true(plan_check_size(&s, true, &e));
        assert_int_equal(plan_check_size(&s, false, &e), cases[i].meant);
        assert_int_equal(e.kind, cases[i].meant ? SMW_ERR_NONE : SMW_ERR_USAGE);
        sweep_free(&s);
        remove_place(&p);
        free(text);
    }
}

static void test_sections(void **state)
{
    struct place p;
    struct sweep s;
    struct smw_err e = {0};

    (void)state;
    make_place(&p,
               "doc: why\n"
               "base: {target: run.yml}\n"
               "grid: {n: 1..2}\n"
               "collect: [cycles@one, {name: x, value: n / cycles, unit: 1/cycle}]\n"
               "limits: {cycles: 10, seconds: 0.5, memory: 3 MiB}\n"
               "plots: [{x: n, y: x, kind: bar, log: y, title: T},\n"
               "        {x: n, y: x, z: cycles@one, kind: heat}]\n");
    assert_true(sweep_read(&s, p.sweep, &e));
    assert_string_equal(s.name, "some");
    assert_string_equal(s.doc, "why");
    assert_string_equal(s.target, "run.yml");
    assert_null(s.config);
    assert_int_equal(s.n_collect, 2);
    assert_string_equal(s.collect[0].name, "cycles@one");
    assert_null(s.collect[0].unit);
    assert_string_equal(s.collect[1].unit, "1/cycle");
    assert_int_equal(s.limits.cycles, 10);
    assert_true(s.limits.seconds == 0.5);
    assert_int_equal(s.limits.memory, 3 << 20);
    assert_false(sweep_has_stalls(&s));
    assert_int_equal(s.n_plots, 2);
    assert_int_equal(s.plots[0].kind, PLOT_BAR);
    assert_true(s.plots[0].log_y && !s.plots[0].log_x);
    assert_null(s.plots[0].group);
    assert_int_equal(s.plots[1].kind, PLOT_HEAT);
    sweep_free(&s);
    remove_place(&p);
}

/* Digests of the points of a sweep of this text, and of this launch file and module. */
static void digests(const char *text, const char *launch, const char *module,
                    uint64_t *out, uint32_t n)
{
    struct plan_made made;
    struct plan_file f;
    struct place p;
    struct sweep s;
    struct smw_err e = {0};
    char path[96];

    make_place(&p, text);
    put(p.launch, launch);
    snprintf(path, sizeof(path), "%s/k.ptx", p.dir);
    put(path, module);
    assert_true(sweep_read(&s, p.sweep, &e));
    assert_true(plan_make(&s, p.plan, &made, &e));
    assert_int_equal(made.points, n);
    assert_true(plan_read(&f, p.plan, p.sweep, &e));
    assert_int_equal(f.n, n);
    for (uint32_t i = 0; i < n; i++) {
        struct sweep_point point;

        assert_true(plan_point(&f, i, &point, &e));
        assert_int_equal(point.index, i);
        assert_string_equal(point.target_path, p.launch);
        out[i] = point.digest;
        sweep_point_free(&point);
    }
    plan_close(&f);
    sweep_free(&s);
    remove_place(&p);
}

static void test_digest(void **state)
{
    static const char text[] = "base: {target: run.yml}\n"
                               "grid: {sm.max_warps: [48, 32, 48.0]}\n";
    static const char with_default[] = "base: {target: run.yml}\n"
                                       "grid: {sm.max_blocks: [8], n: [1, 2, 3]}\n"
                                       "where: n > 0\n";
    static const char limited[] = "base: {target: run.yml}\n"
                                  "grid: {sm.max_warps: 48}\n"
                                  "limits: {cycles: 5}\n";
    static const char stalls[] =
        "base: {target: run.yml}\n"
        "grid: {sm.max_warps: 48}\n"
        "collect: [cycles, {name: w, value: stall.wait * 2}]\n";
    uint64_t a[3], b[3], c[3];

    (void)state;
    digests(text, launch_text, "x", a, 3);
    assert_true(a[0] != a[1]);
    assert_true(a[0] == a[2]); /* the same, said otherwise */
    digests(text, launch_text, "x", b, 3);
    assert_memory_equal(a, b, sizeof(a)); /* wherever it lies */
    digests(text, launch_text, "y", b, 3);
    assert_true(a[0] != b[0]); /* another module */
    digests(with_default, launch_text, "x", c, 3);
    assert_true(c[0] == c[1] && c[1] == c[2]); /* a variable of no effect */
    digests(limited, launch_text, "x", c, 1);
    assert_true(c[0] != a[0]);
    digests(stalls, launch_text, "x", c, 1);
    assert_true(c[0] != a[0]); /* its stats.json has more */
}

static void test_refused_points(void **state)
{
    struct plan_made made;
    struct place p;
    struct sweep s;
    struct smw_err e = {0};

    (void)state;
    make_place(&p, "base: {target: run.yml, config: gtx480}\n"
                   "grid: {launch.launches.0.block: [8, many, 9]}\n");
    assert_true(sweep_read(&s, p.sweep, &e));
    assert_true(plan_check(&s, &e));
    assert_true(plan_make(&s, p.plan, &made, &e));
    assert_int_equal(made.points, 3);
    assert_int_equal(made.refused, 1);
    assert_int_equal(made.first_index, 1);
    assert_string_equal(made.first.message, "block: 'many' is not a whole number");
    assert_int_equal(made.first.line, 2);
    assert_int_equal(made.first.column, 37);
    sweep_free(&s);
    remove_place(&p);
    make_place(&p, "base: {target: run.yml, config: gtx481}\n"
                   "grid: {sm.max_warps: [8, 16]}\n");
    assert_true(sweep_read(&s, p.sweep, &e));
    assert_false(plan_check(&s, &e));
    assert_string_equal(e.message, "there is no preset 'gtx481'");
    sweep_free(&s);
    remove_place(&p);
}

static void test_round_trip(void **state)
{
    struct plan_made made;
    struct plan_file f;
    struct place p;
    struct sweep s;
    struct sweep_point point;
    struct smw_err e = {0};

    (void)state;
    make_place(&p,
               "base: {target: run.yml, set: {sm.max_warps: 8}}\n"
               "grid: {a: ['say \"\\\\\"', 0.1], launch.launches.0.grid: [[2, 3]]}\n"
               "where: a != 1\n");
    assert_true(sweep_read(&s, p.sweep, &e));
    assert_true(plan_make(&s, p.plan, &made, &e));
    assert_true(plan_read(&f, p.plan, NULL, &e));
    assert_int_equal(f.n, 2);
    assert_true(plan_point(&f, 0, &point, &e));
    assert_string_equal(point.params[0].text, "say \"\\\\\"");
    assert_false(point.params[0].is_number);
    assert_string_equal(point.launch[0].key, "launches.0.grid");
    assert_string_equal(point.launch[0].value, "[2, 3]");
    assert_string_equal(point.set[0].key, "sm.max_warps");
    assert_null(point.target_path);
    sweep_point_free(&point);
    assert_true(plan_point(&f, 1, &point, &e));
    assert_true(point.params[0].is_number && point.params[0].number == 0.1);
    assert_string_equal(point.params[0].text, "0.1");
    sweep_point_free(&point);
    plan_close(&f);
    put(p.plan, "{\"index\":0}\n");
    assert_true(plan_read(&f, p.plan, NULL, &e));
    assert_false(plan_point(&f, 0, &point, &e));
    assert_string_equal(e.message, "this is not a line of a plan");
    plan_close(&f);
    err_clear(&e);
    put(p.plan, "{\"index\":0}");
    assert_false(plan_read(&f, p.plan, NULL, &e));
    sweep_free(&s);
    remove_place(&p);
}

static void test_duration(void **state)
{
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {{0.0123, "12 ms"}, {1.25, "1.2 s"}, {59.6, "60 s"},
                 {300, "5.0 min"},  {36000, "10 h"}, {172800, "2.0 days"},
                 {1e7, "116 days"}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct text t = {0};

        estimate_duration(cases[i].seconds, &t);
        assert_string_equal(t.s, cases[i].text);
        text_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),          cmocka_unit_test(test_later_wins),
        cmocka_unit_test(test_where),          cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_ranges),         cmocka_unit_test(test_count),
        cmocka_unit_test(test_sections),       cmocka_unit_test(test_digest),
        cmocka_unit_test(test_refused_points), cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_duration),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
