/* What a user's word for a CUDA program finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "io/file.h"
#include "run/target.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(target_program("programs/reverse.cu"), "reverse.cu");
    assert_null(target_program("kernels/reverse.cu"));
    assert_null(target_program("programs/reverse.txt"));
}

static void test_sources(void **state)
{
    char folder[] = "/tmp/target_test.XXXXXX";
    const struct file_builtin *builtin = file_find_builtin("programs/reduction.cu");
    struct smw_err e = {0};
    char *path = NULL, *again = NULL, *text;
    size_t size;

    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_true(target_source("reduction.cu", folder, &path, &e));
    assert_true(file_ends(path, "/reduction.cu"));
    text = file_read(path, 1 << 20, &size, SMW_ERR_INPUT, &e);
    assert_non_null(text);
    assert_int_equal(size, builtin->size);
    assert_memory_equal(text, builtin->data, size);
    /* A file that is there is taken where it is. */
    assert_true(target_source(path, "/nowhere", &again, &e));
    assert_string_equal(again, path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    free(text);
    free(path);
    free(again);
}

/* A file of a target's name is meant instead of it, a folder is not. */
static void test_launches(void **state)
{
    char folder[] = "/tmp/target_test.XXXXXX", here[4096];
    struct smw_err e = {0};
    char *path = NULL, *name = NULL;
    FILE *f;

    (void)state;
    assert_non_null(getcwd(here, sizeof(here)));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(mkdir("reverse", 0777), 0);
    assert_true(target_find("reverse", &path, &name, &e));
    assert_string_equal(path, "builtin:launches/reverse.yml");
    assert_string_equal(name, "reverse");
    free(path);
    free(name);
    assert_int_equal(rmdir("reverse"), 0);
    f = fopen("reverse", "w");
    assert_non_null(f);
    assert_int_equal(fclose(f), 0);
    assert_true(target_find("reverse", &path, &name, &e));
    assert_string_equal(path, "reverse");
    free(path);
    free(name);
    assert_int_equal(unlink("reverse"), 0);
    assert_int_equal(mkdir("of_mine", 0777), 0);
    assert_true(target_find("of_mine", &path, &name, &e)); /* what reads it refuses */
    assert_string_equal(path, "of_mine");
    free(path);
    free(name);
    assert_int_equal(rmdir("of_mine"), 0);
    assert_int_equal(chdir(here), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void test_mistakes(void **state)
{
    struct smw_err e = {0};
    char *path = NULL;

    (void)state;
    assert_false(target_source("reductoin.cu", "/tmp", &path, &e));
    assert_int_equal(e.kind, SMW_ERR_INPUT);
    assert_string_equal(e.message,
                        "there is no source 'reductoin.cu' and no built-in one");
    assert_string_equal(e.hint, "did you mean 'reduction.cu'?");
    memset(&e, 0, sizeof(e));
    assert_false(target_source("reverse.cu", "/nowhere", &path, &e));
    assert_int_equal(e.kind, SMW_ERR_IO);
    assert_null(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_mistakes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
