/* Points of a run as people write them, and what of two selections counts. */
#include "trace/trace_select.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct trace_said option = {.what = "--trace-on"};

struct good {
    const char *text;
    enum trace_point_kind kind;
    uint64_t n;
    const char *name;
};

static void reads_points(void **state)
{
    static const struct good cases[] = {
        {"1200", TRACE_CYCLE, 1200, ""},
        {"0x10", TRACE_CYCLE, 16, ""},
        {"1200 cycles", TRACE_CYCLE, 1200, ""},
        {"1 cycle", TRACE_CYCLE, 1, ""},
        {"cycle=7", TRACE_CYCLE, 7, ""},
        {"block=3", TRACE_BLOCK, 3, ""},
        {"kernel=2", TRACE_KERNEL_NTH, 2, "2"},
        {"kernel=reverse", TRACE_KERNEL, 0, "reverse"},
        {"kernel=sum<float, 2>", TRACE_KERNEL, 0, "sum<float, 2>"},
        {"pc=reverse.cu:17", TRACE_LINE, 17, "reverse.cu"},
        {"pc=a/b+c.ptx:40", TRACE_LINE, 40, "a/b+c.ptx"},
        {"pc=reverse+0x18", TRACE_OFFSET, 24, "reverse"},
        {"pc=reverse+24", TRACE_OFFSET, 24, "reverse"},
        {"conflict>=8", TRACE_CONFLICT, 8, ""},
        {"conflict", TRACE_CONFLICT, 2, ""},
        {"barrier", TRACE_BARRIER, 2, ""},
        {"race", TRACE_RACE, 2, ""},
        {"deadlock", TRACE_DEADLOCK, 2, ""},
        {"fault", TRACE_FAULT, 2, ""},
        {"end", TRACE_END, 2, ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct good *g = &cases[i];
        struct trace_select s = {0};
        const struct trace_point *p = &s.point[WAVE_ON];
        struct smw_err e = {0};

        if (!trace_select_set(&s, TRACE_ON, &option, g->text, &e)) {
            fail_msg("%s: %s", g->text, e.message);
        }
        if (p->kind != g->kind || p->n != g->n || p->name_length != strlen(g->name) ||
            strncmp(p->name != NULL ? p->name : "", g->name, p->name_length) != 0) {
            fail_msg("%s: read as %d %u %.*s", g->text, (int)p->kind, (unsigned)p->n,
                     (int)p->name_length, p->name);
        }
        assert_string_equal(p->text, g->text);
    }
}

static void reads_places(void **state)
{
    static const struct {
        const char *text;
        uint32_t at[3];
    } cases[] = {
        {"block=(1,2,3)", {1, 2, 3}},
        {"block=(1,2)", {1, 2, 0}},
        {"block=(4)", {4, 0, 0}},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct trace_select s = {0};
        struct smw_err e = {0};

        assert_true(trace_select_set(&s, TRACE_START, &option, cases[i].text, &e));
        assert_int_equal(s.point[WAVE_START].kind, TRACE_BLOCK_AT);
        assert_memory_equal(s.point[WAVE_START].at, cases[i].at, sizeof(cases[i].at));
    }
}

static void refuses_points(void **state)
{
    static const char *const cases[] = {
        "",
        "x",
        "12x",
        "-1",
        "1 second",
        "block=",
        "block=x",
        "block=(1,2",
        "block=(1,2)x",
        "block=(1,2,3,4)",
        "block=()",
        "kernel=",
        "kernel=0",
        "pc=17",
        "pc=:17",
        "pc=a:",
        "pc=a:x",
        "pc=+3",
        "pc=a+",
        "conflict>8",
        "conflict=",
        "cycle=",
        "ends",
        "block=(4294967296)",
        "cycle=99999999999999999999",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct trace_select s = {0};
        struct smw_err e = {0};
        char want[128];

        if (trace_select_set(&s, TRACE_ON, &option, cases[i], &e)) {
            fail_msg("'%s' is taken", cases[i]);
        }
        snprintf(want, sizeof(want), "--trace-on: '%s' is no point of a run", cases[i]);
        assert_string_equal(e.message, want);
        assert_int_equal(e.kind, SMW_ERR_USAGE);
        assert_true(e.hint[0] != '\0');
    }
}

static void set(struct trace_select *s, enum trace_item item, const char *text)
{
    struct smw_err e = {0};

    if (!trace_select_set(s, item, &option, text, &e)) {
        fail_msg("%s: %s", text, e.message);
    }
}

static void overrides(void **state)
{
    struct trace_select file = {0}, options = {0}, all = {0};
    struct smw_err e = {0};

    (void)state;
    set(&file, TRACE_SCOPE, "gpu.sm0.*");
    set(&file, TRACE_SCOPE, "*.hit");
    set(&file, TRACE_START, "block=1");
    set(&file, TRACE_RING_CYCLES, "100 cycles");
    set(&file, TRACE_DEPTH, "3");
    set(&options, TRACE_SCOPE, "*.busy");
    set(&options, TRACE_START, "0"); /* from the beginning */
    set(&options, TRACE_AFTER, "7");
    trace_select_override(&all, &file);
    assert_string_equal(all.scope, "gpu.sm0.*,*.hit");
    trace_select_override(&all, &options);
    assert_string_equal(all.scope, "*.busy");
    assert_int_equal(all.point[WAVE_START].kind, TRACE_NOT_SAID);
    assert_int_equal(all.depth, 3);
    assert_true(trace_select_check(&all, &e));
    assert_int_equal(all.ring, 100);
    assert_int_equal(all.after, 7);
    assert_int_equal(all.point[WAVE_ON].kind, TRACE_END); /* a ring is of the end */
    trace_select_free(&file);
    trace_select_free(&options);
    trace_select_free(&all);
}

static void completes(void **state)
{
    struct trace_select s = {0};
    struct smw_err e = {0};

    (void)state;
    assert_true(trace_select_check(&s, &e));
    assert_false(trace_select_given(&s));
    assert_int_equal(s.ring, 0);
    set(&s, TRACE_ON, "barrier");
    assert_true(trace_select_check(&s, &e));
    assert_true(trace_select_given(&s));
    assert_int_equal(s.ring, TRACE_RING);
    assert_int_equal(s.after, TRACE_RING / 2);
    set(&s, TRACE_AFTER, "1999");
    assert_true(trace_select_check(&s, &e));
    set(&s, TRACE_AFTER, "2000");
    assert_false(trace_select_check(&s, &e));
    assert_string_equal(e.message,
                        "--trace-on: 2000 cycles behind the point, of a ring of 2000");
    s = (struct trace_select){0};
    set(&s, TRACE_ON, "fault");
    assert_true(trace_select_check(&s, &e));
    assert_int_equal(s.after, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_points),   cmocka_unit_test(reads_places),
        cmocka_unit_test(refuses_points), cmocka_unit_test(overrides),
        cmocka_unit_test(completes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
