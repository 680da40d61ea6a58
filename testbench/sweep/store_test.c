/* The folder of a sweep: a point is there as a whole or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "io/file.h"
#include "io/scratch_test.h"
#include "sweep/store.h"
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int set_up(void **state)
{
    return scratch_set_up_with(state, "points");
}

/* What stands in points, ours and what is being written. */
static uint32_t entries(const char *dir)
{
    char *points = file_join(dir, "points");
    DIR *d = opendir(points);
    uint32_t n = 0;

    assert_non_null(d);
    for (struct dirent *f = readdir(d); f != NULL; f = readdir(d)) {
        n += strcmp(f->d_name, ".") != 0 && strcmp(f->d_name, "..") != 0;
    }
    closedir(d);
    free(points);
    return n;
}

static void commit(const char *dir, const struct store_done *d)
{
    struct smw_err e = {0};
    char *part = store_begin(dir, d->index, &e);

    assert_non_null(part);
    assert_true(store_commit(dir, part, d, &e));
    free(part);
}

static void test_point(void **state)
{
    const char *dir = *state;
    struct store_done ok = {.index = 7, .digest = 0xf00d, .status = STORE_OK};
    struct store_done bad = {.index = 7,
                             .digest = 0xbeef,
                             .status = STORE_FAILED,
                             .exit = 137,
                             .cause = CAUSE_SIGNAL,
                             .error = "killed by \"signal\" 9",
                             .host = true};
    struct store_done got;
    struct smw_err e = {0};

    assert_true(store_read(dir, 7, 0xf00d, &got, &e));
    assert_int_equal(got.status, STORE_MISSING);
    commit(dir, &ok);
    assert_true(store_read(dir, 7, 0xf00d, &got, &e));
    assert_int_equal(got.status, STORE_OK);
    assert_int_equal(got.index, 7);
    assert_true(store_read(dir, 7, 0xf00e, &got,
                           &e)); /* what was run is not what is asked for */
    assert_int_equal(got.status, STORE_MISSING);
    assert_true(store_read(dir, 8, 0xf00d, &got, &e));
    assert_int_equal(got.status, STORE_MISSING);

    commit(dir, &bad); /* takes its place */
    assert_true(store_read(dir, 7, 0xbeef, &got, &e));
    assert_int_equal(got.status, STORE_FAILED);
    assert_int_equal(got.exit, 137);
    assert_int_equal(got.cause, CAUSE_SIGNAL);
    assert_true(got.host);
    assert_string_equal(got.error, bad.error);
    assert_int_equal(entries(dir), 1);
}

/* What a failing disk leaves behind is no result. */
static void test_torn(void **state)
{
    static const char *const torn[] = {"", "{", "null", "[]", "{\"digest\": 5}"};
    const char *dir = *state;
    struct store_done d = {.index = 0, .digest = 1, .status = STORE_OK}, got;
    char *point = store_point(dir, 0), *path = file_join(point, "done.json");
    struct smw_err e = {0};

    commit(dir, &d);
    for (uint32_t i = 0; i < sizeof(torn) / sizeof(torn[0]); i++) {
        assert_true(file_write(path, torn[i], strlen(torn[i]), &e));
        assert_true(store_read(dir, 0, 1, &got, &e));
        assert_int_equal(got.status, STORE_MISSING);
    }
    free(path);
    free(point);
}

static bool is_even(void *ctx, uint64_t index)
{
    (void)ctx;
    return index % 2 == 0;
}

/* A process that begins a point and dies, or, with a pipe to wait at, lives. */
static pid_t begin_elsewhere(const char *dir, uint64_t index, const int *wait_at)
{
    int told[2];
    pid_t pid;
    char c;

    assert_int_equal(pipe(told), 0);
    pid = fork();
    if (pid == 0) {
        struct smw_err e = {0};
        char *part = store_begin(dir, index, &e), *file;

        file = part == NULL ? NULL : file_join(part, "stats.json");
        if (file == NULL || !file_write(file, "x", 1, &e)) {
            _exit(1);
        }
        if (write(told[1], "x", 1) != 1 ||
            (wait_at != NULL && read(*wait_at, &c, 1) < 0)) {
            _exit(1);
        }
        _exit(0);
    }
    assert_int_equal(read(told[0], &c, 1), 1);
    (void)close(told[0]);
    (void)close(told[1]);
    return pid;
}

static void test_clean(void **state)
{
    const char *dir = *state;
    int hold[2];
    pid_t dead, other, alive;

    assert_int_equal(pipe(hold), 0);
    dead = begin_elsewhere(dir, 2, NULL);
    other = begin_elsewhere(dir, 3, NULL);
    alive = begin_elsewhere(dir, 4, &hold[0]);
    assert_int_equal(waitpid(other, NULL, 0), other);
    assert_int_equal(entries(dir), 3);
    /* point 2's is dead, though nobody has asked for it yet; 3 is not ours; 4 is
     * alive */
    while (kill(dead, 0) == 0 && entries(dir) == 3) {
        store_clean(dir, is_even, NULL);
    }
    assert_int_equal(entries(dir), 2);
    assert_int_equal(waitpid(dead, NULL, 0), dead);
    assert_int_equal(write(hold[1], "x", 1), 1);
    assert_int_equal(waitpid(alive, NULL, 0), alive);
    store_clean(dir, is_even, NULL);
    assert_int_equal(entries(dir), 1);
    store_discard_of(dir, 3, (long)other);
    assert_int_equal(entries(dir), 0);
}

static void test_files(void **state)
{
    const char *dir = *state;
    char *path = file_join(dir, STORE_CSV), *beside = store_beside(dir, STORE_CSV),
         *text;
    struct smw_err e = {0};
    size_t size = 0;

    assert_true(store_write(dir, STORE_CSV, "old", 3, &e));
    assert_true(file_write(beside, "cut", 3, &e)); /* of one who was killed */
    store_clean(dir, is_even, NULL);
    assert_int_not_equal(access(beside, F_OK), 0);
    assert_true(store_write(dir, STORE_CSV, "new", 3, &e));
    text = file_read(path, 100, &size, SMW_ERR_IO, &e);
    assert_string_equal(text, "new");
    assert_int_not_equal(access(beside, F_OK), 0);
    free(text);
    free(beside);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_point, set_up, scratch_tear_down),
        cmocka_unit_test_setup_teardown(test_torn, set_up, scratch_tear_down),
        cmocka_unit_test_setup_teardown(test_clean, set_up, scratch_tear_down),
        cmocka_unit_test_setup_teardown(test_files, set_up, scratch_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
