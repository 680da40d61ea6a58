#define _GNU_SOURCE /* mkdtemp, symlink */
/* Whose results may be replaced, and by whom at the same time. */
#include "io/outdir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/file.h"
#include "io/scratch_test.h"

static void put(const char *dir, const char *name)
{
    char *path = file_join(dir, name);
    struct smw_err e = {0};

    assert_true(file_write(path, "x", 1, &e));
    free(path);
}

static bool has(const char *dir, const char *name)
{
    char *path = file_join(dir, name);
    bool there = access(path, F_OK) == 0;

    free(path);
    return there;
}

static void assert_refused(const char *dir, enum outdir_kind kind, const char *why)
{
    struct smw_err e = {0};
    int lock = OUTDIR_UNLOCKED;

    assert_false(outdir_prepare(dir, kind, false, &lock, &e));
    assert_int_equal(lock, OUTDIR_UNLOCKED);
    assert_int_equal(e.kind, SMW_ERR_IO);
    assert_non_null(strstr(e.message, why));
}

static void prepare(const char *dir, enum outdir_kind kind, bool force)
{
    struct smw_err e = {0};
    int lock = OUTDIR_UNLOCKED;

    assert_true(outdir_prepare(dir, kind, force, &lock, &e));
    outdir_release(lock);
}

/* Its own results are replaced, and what it did not write stays. */
static void test_same(void **state)
{
    const char *dir = *state;

    prepare(dir, OUTDIR_RUN, false);
    put(dir, "stats.json");
    put(dir, "thesis.txt");
    prepare(dir, OUTDIR_RUN, false);
    assert_false(has(dir, "stats.json"));
    assert_true(has(dir, "thesis.txt") && has(dir, OUTDIR_MARKER));
}

static void test_foreign(void **state)
{
    const char *dir = *state;

    put(dir, "stats.json");
    assert_refused(dir, OUTDIR_RUN, "was not written by smwave");
    prepare(dir, OUTDIR_RUN, true);
    assert_true(has(dir, "stats.json"));
}

/* Each kind by each other: refused with both names, and nothing is lost. */
static void test_other_kind(void **state)
{
    static const char *const names[OUTDIR_KINDS] = {"a run", "a program",
                                                    "a program's recording", "a sweep"};
    const char *dir = *state;

    for (int was = 0; was < OUTDIR_KINDS; was++) {
        prepare(dir, (enum outdir_kind)was, true);
        put(dir, "report.html");
        for (int is = 0; is < OUTDIR_KINDS; is++) {
            char *why = tb_printf("holds the results of %s, and this is %s", names[was],
                                  names[is]);

            if (is != was) {
                assert_refused(dir, (enum outdir_kind)is, why);
                assert_true(has(dir, "report.html"));
            }
            free(why);
        }
        prepare(dir, (enum outdir_kind)was, false);
        assert_false(has(dir, "report.html"));
    }
}

/* In another process, as locks are taken. */
static bool other_process(const char *dir, enum outdir_kind kind)
{
    pid_t pid = fork();
    int status = 0;

    if (pid == 0) {
        struct smw_err e = {0};
        int lock = OUTDIR_UNLOCKED;

        _exit(outdir_prepare(dir, kind, true, &lock, &e)    ? 0
              : strstr(e.message, "another smwave") != NULL ? 1
                                                            : 2);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
    return WEXITSTATUS(status) == 0;
}

static void test_at_once(void **state)
{
    const char *dir = *state;
    struct smw_err e = {0};
    int lock = OUTDIR_UNLOCKED;

    assert_true(outdir_prepare(dir, OUTDIR_RUN, false, &lock, &e));
    put(dir, "stats.json");
    assert_false(other_process(dir, OUTDIR_RUN));
    assert_true(has(dir, "stats.json"));
    outdir_release(lock);
    assert_true(other_process(dir, OUTDIR_RUN));
}

/* Sweeps share, among themselves. */
static void test_sweeps_at_once(void **state)
{
    const char *dir = *state;
    struct smw_err e = {0};
    int lock = OUTDIR_UNLOCKED;

    assert_true(outdir_prepare(dir, OUTDIR_SWEEP, false, &lock, &e));
    assert_true(other_process(dir, OUTDIR_SWEEP));
    assert_false(other_process(dir, OUTDIR_RUN));
    outdir_release(lock);
    assert_true(other_process(dir, OUTDIR_RUN));
}

/* A marker that leads elsewhere is replaced, and what it led to is not written. */
static void test_link(void **state)
{
    const char *dir = *state;
    char *target = file_join(dir, "target"), *marker = file_join(dir, OUTDIR_MARKER);
    size_t size = 0;
    struct smw_err e = {0};
    char *text;

    put(dir, "target");
    assert_int_equal(symlink(target, marker), 0);
    prepare(dir, OUTDIR_RUN, false);
    text = file_read(target, 64, &size, SMW_ERR_IO, &e);
    assert_non_null(text);
    assert_int_equal(size, 1);
    free(text);
    free(marker);
    free(target);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_same, scratch_set_up, scratch_tear_down),
        cmocka_unit_test_setup_teardown(test_foreign, scratch_set_up,
                                        scratch_tear_down),
        cmocka_unit_test_setup_teardown(test_other_kind, scratch_set_up,
                                        scratch_tear_down),
        cmocka_unit_test_setup_teardown(test_at_once, scratch_set_up,
                                        scratch_tear_down),
        cmocka_unit_test_setup_teardown(test_sweeps_at_once, scratch_set_up,
                                        scratch_tear_down),
        cmocka_unit_test_setup_teardown(test_link, scratch_set_up, scratch_tear_down),
    };

    return cmocka_run_group_tests_name("tb_outdir", tests, NULL, NULL);
}
