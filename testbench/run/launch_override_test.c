#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "run/launch_file.h"
#include "run/launch_override.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "module: a.ptx\n"
                           "buffers:\n"
                           "  d: {type: s32, count: 64}\n"
                           "launches:\n"
                           "  - {kernel: one, grid: [1], block: [64], args: [d, 64]}\n"
                           "  - {kernel: two, grid: [2], block: [32], args: [d, 8]}\n";

/* launch_read_changed() reads files. */
static char *write_file(void)
{
    static const char form[] = "/tmp/launch_override.XXXXXX";
    char *path = calloc(1, sizeof(form));
    FILE *f;
    int fd;

    assert_non_null(path);
    fd = mkstemp(strcpy(path, form));
    assert_true(fd >= 0);
    f = fdopen(fd, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    return path;
}

static void test_values(void **state)
{
    static const char *const options[] = {
        "launches.0.block=[8, 4]", "launches.*.regs=24", "buffers.d.count=128",
        "launches.1.args.1=9",     "kernel=three",       "kernel.1=four",
        "config=gtx480",           "launches.0.block=16"};
    char *path = write_file();
    struct launch_file l;
    struct smw_err e = {0};

    (void)state;
    assert_true(launch_read_changed(&l, path, options, ARRAY_LEN(options), &e));
    assert_int_equal(l.runs[0].launch.block[0], 16); /* the last one wins */
    assert_int_equal(l.runs[0].launch.block[1], 1);
    assert_int_equal(l.runs[1].launch.block[0], 32);
    assert_int_equal(l.runs[0].launch.regs, 24);
    assert_int_equal(l.runs[1].launch.regs, 24);
    assert_int_equal(l.buffers[0].count, 128);
    assert_string_equal(l.runs[1].args->first->next->text, "9");
    assert_string_equal(l.runs[0].kernel->text, "three");
    assert_string_equal(l.runs[1].kernel->text, "four");
    assert_string_equal(l.config->text, "gtx480");
    launch_free(&l);
    remove(path);
    free(path);
}

struct mistake {
    const char *option, *message, *hint;
    uint32_t column; /* of the line "--launch OPTION" */
};

static const struct mistake mistakes[] = {
    {"launches.0.blok=[2]", "unknown key 'blok' in a launch", "did you mean 'block'?",
     21},
    {"lunches.0.block=1", "there is no 'lunches' in the launch file",
     "did you mean 'launches'?", 10},
    {"buffers.e.count=1", "there is no 'e' in the launch file's buffers", "", 18},
    {"launches.2.block=1", "the list has 2 items, counted from 0", "", 19},
    {"launches.-1.block=1", "a position of a list is a number from 0, or *", "", 19},
    {"launches..block=1", "a part of the path is empty", "", 19},
    {"module.x=1", "the path goes on below a single value", "", 17},
    {"kernel.2=x", "there is no such launch; there are 2, counted from 0", "", 17},
    {"buffers.d.count=many", "count: 'many' is not a whole number", "", 26},
    {"buffers.d.count=", "the value is empty", "", 26},
    {"buffers.d.type=[1", "flow sequence without a closing bracket", "", 25},
    {"launches.0.args.1={f33: 1}",
     "type: 'f33' is not one of u8, s8, u16, s16, u32, s32, u64, s64, f32, f64, "
     "f16, bf16, e4m3, e5m2",
     "did you mean 'f32'?", 29},
};

static void test_mistakes(void **state)
{
    char *path = write_file();

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(mistakes); i++) {
        const struct mistake *m = &mistakes[i];
        struct launch_file l;
        struct smw_err e = {0};
        char line[128];

        snprintf(line, sizeof(line), "--launch %s", m->option);
        assert_false(launch_read_changed(&l, path, &m->option, 1, &e));
        assert_int_equal(e.kind, SMW_ERR_INPUT);
        assert_string_equal(e.message, m->message);
        assert_string_equal(e.hint, m->hint);
        assert_string_equal(e.file, "command line");
        assert_string_equal(e.source, line);
        assert_int_equal(e.line, 0);
        assert_int_equal(e.column, m->column);
    }
    remove(path);
    free(path);
}

static void test_usage(void **state)
{
    static const char *const wrong[] = {"block", "=3"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct yaml y;
        struct smw_err e = {0};

        assert_true(yaml_parse(&y, "x", "a: 1", 4, SMW_ERR_INPUT, &e));
        assert_false(launch_override(&y, wrong[i], &e));
        assert_int_equal(e.kind, SMW_ERR_USAGE);
        yaml_free(&y);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_usage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
