#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sweep/slurm.h"
#include <string.h>

static void test_time(void **state)
{
    static const char *const good[] = {"5",       "30",    "05:00",     "00:05:00",
                                       "0-1",     "1-0",   "1-12",      "0-1:30",
                                       "0-00:05", "90:00", "999:59:59", "0-00:05:00"};
    static const char *const bad[] = {"",         "x",       "-1",        "1:",
                                      "1:2:3:4",  "1-",      "1-2:3:4:5", " 5",
                                      "5 ",       "5m",      "1:-2:3",    "0",
                                      "00:00:00", "12345678"};
    static const char *const brief[] = {"4", "04:59", "00:04:59", "0-00:04:59", "1"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        struct smw_err e = {0};

        if (!slurm_check_time(good[i], &e)) {
            fail_msg("%s: %s", good[i], e.message);
        }
    }
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct smw_err e = {0};

        assert_false(slurm_check_time(bad[i], &e));
        assert_non_null(strstr(e.message, "is no time"));
    }
    for (size_t i = 0; i < ARRAY_LEN(brief); i++) {
        struct smw_err e = {0};

        assert_false(slurm_check_time(brief[i], &e));
        assert_non_null(strstr(e.message, "too short"));
    }
}

static void test_memory(void **state)
{
    static const char *const good[] = {"1G", "500M", "4096", "123456K", "1T"};
    static const char *const bad[] = {"",    "G",   "0",   "0G",  "1g",
                                      "1GB", "-1G", "1 G", "1.5G"};
    struct smw_err e = {0};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        assert_true(slurm_check_memory(good[i], &e));
    }
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct smw_err why = {0};

        assert_false(slurm_check_memory(bad[i], &why));
        assert_int_equal(why.kind, SMW_ERR_USAGE);
    }
}

static void quoted(const char *word, const char *want)
{
    struct text out = {0};

    jobs_quote(&out, word);
    assert_string_equal(out.s, want);
    text_free(&out);
}

static void test_quote(void **state)
{
    (void)state;
    quoted("/a/b-c_d.yml", "/a/b-c_d.yml");
    quoted("", "''");
    quoted("two words", "'two words'");
    quoted("$HOME", "'$HOME'");
    quoted("it's", "'it'\\''s'");
    quoted("~", "'~'");
    quoted("a\"b", "'a\"b'");
    quoted("100%", "100%");
}

/* Of this many points, these chunks still to be run. */
static void submitted(uint64_t *todo, uint64_t n_todo, uint32_t max_array,
                      const char *want)
{
    char name[] = "a", program[] = "/bin/smwave", file[] = "/s.yml", dir[] = "/out put";
    struct jobs j = {.sweep = {.name = name},
                     .program = program,
                     .file = file,
                     .dir = dir,
                     .chunk = 10,
                     .n_points = 95,
                     .todo = todo,
                     .n_todo = n_todo};
    struct slurm_options o = {.time = "00:30:00",
                              .memory = "1G",
                              .cpus = 4,
                              .max_running = 32,
                              .max_array = max_array};
    struct text out = {0};

    slurm_submit_script(&j, &o, &out);
    assert_string_equal(strstr(out.s, "cd "), want);
    text_free(&out);
}

#define MERGE_AFTER                                                                    \
    "job=$(sbatch --parsable --dependency=afterany:\"$job\" merge.sh)\n"               \
    "echo \"merge ${job%%;*}\"\n"
#define JOB "job=${job%%;*}\necho \"array $job\"\n"

static void test_submit(void **state)
{
    uint64_t all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, some[] = {0, 2, 3, 6, 9},
             last[] = {9};

    (void)state;
    submitted(all, 10, 1001,
              "cd '/out put/slurm'\n"
              "job=$(sbatch --parsable --array=0-9%32 array.sh 0)\n" JOB MERGE_AFTER);
    submitted(all, 10, 10,
              "cd '/out put/slurm'\n"
              "job=$(sbatch --parsable --array=0-9%32 array.sh 0)\n" JOB MERGE_AFTER);
    submitted(all, 10, 9,
              "cd '/out put/slurm'\n"
              "job=$(sbatch --parsable --array=0-8%32 array.sh 0)\n" JOB
              "job=$(sbatch --parsable --dependency=afterany:\"$job\" --array=0%32 "
              "array.sh 9)\n" JOB MERGE_AFTER);
    submitted(some, 5, 4,
              "cd '/out put/slurm'\n"
              "job=$(sbatch --parsable --array=0,2-3%32 array.sh 0)\n" JOB
              "job=$(sbatch --parsable --dependency=afterany:\"$job\" --array=2%32 "
              "array.sh 4)\n" JOB
              "job=$(sbatch --parsable --dependency=afterany:\"$job\" --array=1%32 "
              "array.sh 8)\n" JOB MERGE_AFTER);
    submitted(last, 1, 1001,
              "cd '/out put/slurm'\n"
              "job=$(sbatch --parsable --array=9%32 array.sh 0)\n" JOB MERGE_AFTER);
    submitted(last, 0, 1001,
              "cd '/out put/slurm'\n"
              "job=$(sbatch --parsable merge.sh)\necho \"merge ${job%%;*}\"\n");
}

static void test_array(void **state)
{
    char name[] = "a b/c", program[] = "/my bin/smwave", file[] = "/s.yml",
         dir[] = "/out";
    char partition[] = "fast";
    struct jobs j = {.sweep = {.name = name},
                     .program = program,
                     .file = file,
                     .dir = dir,
                     .chunk = 10,
                     .n_points = 95};
    struct slurm_options o = {.time = "00:30:00",
                              .memory = "1G",
                              .cpus = 4,
                              .partition = partition};
    struct text out = {0};

    (void)state;
    slurm_array_script(&j, &o, &out);
    assert_non_null(strstr(out.s, "\n#SBATCH --job-name=a_b_c\n"));
    assert_non_null(strstr(out.s, "--cpus-per-task=4\n"));
    assert_non_null(strstr(out.s, "\n#SBATCH --time=00:30:00 --mem=1G\n"));
    assert_non_null(strstr(out.s, "\n#SBATCH --partition=fast\n"));
    assert_non_null(strstr(out.s, "--requeue --open-mode=append"));
    assert_non_null(strstr(out.s, "\n#SBATCH --signal=B:USR1@120\n"));
    assert_non_null(strstr(out.s, "first=$((task * 10))\nlast=$((first + 9))\n"
                                  "[ \"$last\" -le 94 ] || last=94\n"));
    assert_non_null(strstr(out.s, "\n'/my bin/smwave' sweep run /s.yml -o /out "
                                  "-j \"$SLURM_CPUS_PER_TASK\" "
                                  "--only \"$first-$last\" &\n"));
    text_free(&out);
    slurm_merge_script(&j, &o, &out);
    assert_non_null(strstr(out.s, "\n#SBATCH --job-name=a_b_c-merge\n"));
    assert_non_null(strstr(out.s, "--cpus-per-task=1\n"));
    assert_non_null(strstr(out.s, "\nexec '/my bin/smwave' sweep merge /out\n"));
    assert_null(strstr(out.s, "USR1"));
    text_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time),  cmocka_unit_test(test_memory),
        cmocka_unit_test(test_quote), cmocka_unit_test(test_submit),
        cmocka_unit_test(test_array),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
