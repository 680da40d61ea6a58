/* Programs are found, looked at and run, and told from the options before them. */
#include "cmd/exec_options.h"
#include "cmd/exec_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

static void write_file(const char *path, const char *text, mode_t mode)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(chmod(path, mode), 0);
}

static void refused(const char *name, const char *message, const char *hint)
{
    struct smw_err e = {0};

    assert_null(exec_find(name, &e));
    assert_int_equal(e.kind, SMW_ERR_INPUT);
    assert_non_null(strstr(e.message, message));
    assert_non_null(strstr(e.hint, hint));
}

static void test_find(void **state)
{
    struct smw_err e = {0};
    char *path;

    (void)state;
    path = exec_find("sh", &e);
    assert_true(path != NULL && path[0] == '/');
    free(path);
    write_file("exec_test.plain", "x", 0644);
    write_file("exec_test.cu", "x", 0644);
    refused("./exec_test.none", "there is no program './exec_test.none'", "");
    refused("exec_test.plain", "in PATH", "'./exec_test.plain'");
    refused("exec_test.cu", "in PATH", "smwave run exec_test.cu");
    refused("./exec_test.cu", "is CUDA C", "smwave run ./exec_test.cu");
    refused("./exec_test.plain", "cannot be run", "");
    assert_int_equal(unlink("exec_test.plain"), 0);
    assert_int_equal(unlink("exec_test.cu"), 0);
}

static struct exec_end end_of(const char *script)
{
    char *argv[] = {(char *)"sh", (char *)"-c", (char *)(uintptr_t)script, NULL};
    struct exec_end end = {.code = -1};
    struct smw_err e = {0};

    assert_true(exec_run("/bin/sh", argv, &end, &e));
    return end;
}

static void test_run(void **state)
{
    char *argv[] = {(char *)"text", NULL};
    struct exec_end end;
    struct smw_err e = {0};
    sigset_t before, after;

    (void)state;
    assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &before), 0);
    assert_int_equal(end_of("exit 0").code, 0);
    assert_int_equal(end_of("exit 42").code, 42);
    assert_int_equal(end_of("exit 42").signal, 0);
    assert_int_equal(end_of("kill -SEGV $$").signal, SIGSEGV);
    /* who asks us to end asks the program */
    assert_int_equal(end_of("kill -TERM $PPID; sleep 20").signal, SIGTERM);
    /* Ctrl-C is not ours */
    assert_int_equal(end_of("kill -INT $PPID; exit 3").code, 3);
    assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &after), 0);
    assert_int_equal(sigismember(&after, SIGTERM), sigismember(&before, SIGTERM));

    write_file("exec_test.text", "no program\n", 0755);
    assert_false(exec_run("./exec_test.text", argv, &end, &e));
    assert_non_null(strstr(e.hint, "no program of this machine"));
    assert_int_equal(unlink("exec_test.text"), 0);
}

static void test_look(void **state)
{
    (void)state;
    assert_int_equal(exec_look("/bin/sh"), EXEC_NO_CODE);
    assert_int_equal(exec_look("./exec_test.none"), EXEC_NO_CODE);
}

/* The words of a line, cut at blanks in copy. */
static int split(char *copy, size_t size, const char *line, char **argv, int most)
{
    int n = 0;

    snprintf(copy, size, "%s", line);
    for (char *w = strtok(copy, " "); w != NULL && n < most - 1;
         w = strtok(NULL, " ")) {
        argv[n++] = w;
    }
    argv[n] = NULL;
    return n;
}

static int first(const char *line)
{
    char copy[256], *argv[32];
    int argc = split(copy, sizeof(copy), line, argv, 32);

    return exec_first_word(argc, argv);
}

static void test_first_word(void **state)
{
    (void)state;
    assert_int_equal(first("exec prog -c x"), 1);
    assert_int_equal(first("exec -c k20x prog"), 3);
    assert_int_equal(first("exec -ck20x prog"), 2);
    assert_int_equal(first("exec --config k20x --force prog --force"), 4);
    assert_int_equal(first("exec --config=k20x -q prog"), 3);
    assert_int_equal(first("exec --profile -- -prog"), 2);
    assert_int_equal(first("exec --profile"), 2); /* none */
    assert_int_equal(first("exec --trace vcd prog"), 3);
    assert_int_equal(first("exec --trace-depth=2 prog"), 2);
}

static void test_options(void **state)
{
    char copy[256], *argv[32];
    int argc = split(
        copy, sizeof(copy),
        "exec -c k20x --trace vcd --trace-stop 9 --view banks -s a=1 -s b=2 --launches "
        "3,5- --check full -- prog -c",
        argv, 32);
    struct exec_options o = {.n_stats = 0};

    (void)state;
    exec_options_parse(&o, argc, argv);
    assert_string_equal(o.config, "k20x");
    assert_string_equal(o.waves.trace, "vcd");
    assert_null(o.waves.timescale);
    assert_int_equal(o.waves.n_asked, 1);
    assert_int_equal(o.waves.asked[0].item, TRACE_STOP);
    assert_string_equal(o.waves.asked[0].text, "9");
    assert_int_equal(o.waves.n_views, 1);
    assert_int_equal(o.n_overrides, 2);
    assert_string_equal(o.launches, "3,5-");
    assert_string_equal(o.check, "full");
    assert_string_equal(o.program[0], "prog");
    assert_string_equal(o.program[1], "-c");
    assert_null(o.program[2]);
    assert_string_equal(o.max_cycles, EXEC_MAX_CYCLES); /* nobody said another */
    argc = split(copy, sizeof(copy), "exec --max-cycles 0 prog", argv, 32);
    o = (struct exec_options){.max_cycles = NULL};
    exec_options_parse(&o, argc, argv);
    assert_string_equal(o.max_cycles, "0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find),    cmocka_unit_test(test_run),
        cmocka_unit_test(test_look),    cmocka_unit_test(test_first_word),
        cmocka_unit_test(test_options),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
