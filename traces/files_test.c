/* What lies beside the dump: translate files, events.log; and what becomes of all files
 * when the disk does not take them. */
#define _POSIX_C_SOURCE 200809L /* rlimit, mkdir, rmdir */

#include "wave_testlib.h"

#include "part.h"
#include "wave_priv.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void expect_file(const char *path, const char *want)
{
    char *got = tiny_slurp(path);

    assert_string_equal(got, want);
    free(got);
}

/* ---- events.log ---- */

static void log_lines(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "log");

    (void)state;
    tiny_run(&c, 0);
    expect_file(
        c.events_path,
        "1428 cycle 2 gpu.dispatcher.kernel_start blocks_left=1\n"
        "2142 cycle 3 gpu.sm0.sched0.issue warp=1 inst=\"ld.shared.u32 %r1, "
        "[%r2+4]\"\n"
        "3571 cycle 5 gpu.sm0.smem.xbar.conflict degree=4 lane_mask=0xffffffff\n"
        "4285 cycle 6 gpu.sm0.sched0.issue warp=1 inst=\"bar.sync 0\"\n"
        "4285 cycle 6 local 3 gpu.part0.l2.hit\n"
        "5714 cycle 8 gpu.sm0.barrier.release\n"
        "6428 cycle 9 gpu.sm0.sched0.issue warp=1 inst=\"ret\"\n"
        "7142 cycle 10 gpu.dispatcher.kernel_end blocks_left=0\n");
    tiny_remove(&c);
}

/* Only the selected events, and only inside the window; but a kernel's start and end
 * always. */
static void log_scope_and_window(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "log");

    (void)state;
    c.scope = "*.xbar";
    tiny_run(&c, 0);
    expect_file(c.events_path,
                "1428 cycle 2 gpu.dispatcher.kernel_start blocks_left=1\n"
                "3571 cycle 5 gpu.sm0.smem.xbar.conflict degree=4 "
                "lane_mask=0xffffffff\n"
                "7142 cycle 10 gpu.dispatcher.kernel_end blocks_left=0\n");
    tiny_window(&c, 3, 10);
    tiny_run(&c, 0);
    expect_file(c.events_path, "3571 cycle 5 gpu.sm0.smem.xbar.conflict degree=4 "
                               "lane_mask=0xffffffff\n");
    tiny_remove(&c);
}

/* Values of every kind beside an event, and no clock. */
static void log_values(void **state)
{
    static const char *const names[] = {"off", "on"};
    static const struct sim_probe_desc desc[] = {
        {.name = "bit", .kind = SIM_PROBE_BITS, .width = 1},
        {.name = "mode",
         .kind = SIM_PROBE_STATE,
         .width = 2,
         .names = names,
         .n_names = 2},
        {.name = "level", .kind = SIM_PROBE_LEVEL, .width = 64},
        {.name = "happens", .kind = SIM_PROBE_EVENT},
    };
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "values");
    struct sim_module m;
    struct sim_probe p[4];
    struct smw_err e = {0};
    struct wave *w;
    struct tiny t;

    (void)state;
    tiny_init(&t, 0);
    sim_module_init(&m, t.sim, NULL, NULL, "solo");
    for (int i = 0; i < 4; i++) {
        sim_probe_init(&p[i], &m, &desc[i], NULL, 0);
    }
    w = wave_open(t.sim, &m, NULL, &c, &e);
    assert_non_null(w);
    tiny_script(&t); /* for instants */
    assert_int_equal(sim_run(t.sim, 2000, 0), SIM_REACHED);
    sim_probe_set(&p[0], 1);
    sim_probe_set(&p[1], 1);
    sim_probe_set(&p[2], UINT64_MAX);
    sim_probe_fire(&p[3]); /* between runs: delivered with the next instant */
    assert_int_equal(sim_run(t.sim, 2143, 0), SIM_REACHED);
    sim_probe_set(&p[1], 3); /* a state without a name */
    sim_probe_fire(&p[3]);
    tiny_finish(&t, w);
    expect_file(c.events_path, "2142 solo.happens bit=1 mode=on "
                               "level=18446744073709551615\n"
                               "3571 solo.happens bit=1 "
                               "level=18446744073709551615\n");
    tiny_remove(&c);
    (void)remove("state_solo.txt");
    tiny_free(&t);
}

static void log_is_bounded(void **state)
{
    static struct tiny_step steps[WAVE_LINES_PER_EVENT + 5];
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "many");
    struct tiny t;
    char *text, *last;
    size_t n = 0;

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(steps); i++) {
        steps[i] = (struct tiny_step){1 + i, TINY_ISSUE, 0};
    }
    tiny_init(&t, 0);
    tiny_play(&t, &t.sm, steps, ARRAY_LEN(steps));
    tiny_finish(&t, tiny_open(&t, &c));
    tiny_free(&t);
    text = tiny_slurp(c.events_path);
    for (last = text; strchr(last, '\n')[1] != '\0'; last = strchr(last, '\n') + 1) {
        n++;
    }
    assert_int_equal(n, WAVE_LINES_PER_EVENT);
    assert_string_equal(last,
                        "# gpu.sm0.sched0.issue: the first 1000 of 1005 are listed\n");
    free(text);
    tiny_remove(&c);
}

/* ---- translate files ---- */

static void state_files(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "states");

    (void)state;
    tiny_run(&c, 0);
    expect_file("state_warp.txt", "# state: what the warp does\n"
                                  "000 ?gray25?idle\n"
                                  "001 ?dark green?ready\n"
                                  "010 ?goldenrod4?operand\n"
                                  "011 ?blue3?global\n"
                                  "100 ?dark orange?barrier\n"
                                  "101 ?purple3?fence\n"
                                  "110 ?turquoise4?control\n"
                                  "111 ?red3?fault\n"
                                  "xxx not traced\n");
    expect_file("state_bank.txt", "# op: what it does\n"
                                  "000 ?RoyalBlue3?load\n"
                                  "001 ?DarkOrange3?store\n"
                                  "010 ?magenta4?atom\n"
                                  "011 ?maroon4?red\n"
                                  "100 ?gray25?idle\n"
                                  "xxx not traced\n");
    tiny_remove(&c);
}

/* Tables that differ have files that differ, also in scopes of one name; a word without
 * a meaning has no colour. */
static void state_file_names(void **state)
{
    static const char *const n1[] = {"left", "right"};
    static const char *const n2[] = {"idle", "up", "down"};
    static const struct sim_probe_desc d1 = {
        .name = "side",
        .kind = SIM_PROBE_STATE,
        .width = 1,
        .names = n1,
        .n_names = 2,
        .doc = "side",
    };
    static const struct sim_probe_desc d2 = {
        .name = "way",
        .kind = SIM_PROBE_STATE,
        .width = 2,
        .names = n2,
        .n_names = 3,
        .doc = "way",
    };
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "names");
    struct sim_module m[2];
    struct sim_probe p[4];
    struct tiny t;
    char *text;

    (void)state;
    tiny_init(&t, 0);
    for (int i = 0; i < 2; i++) {
        sim_module_init(&m[i], t.sim, &t.gpu, NULL, i == 0 ? "unit0" : "unit1");
        sim_probe_init(&p[2 * i], &m[i], &d1, NULL, 0);
        sim_probe_init(&p[2 * i + 1], &m[i], &d2, NULL, 0);
    }
    c.scope = "*.unit*";
    tiny_finish(&t, tiny_open(&t, &c));
    tiny_free(&t);
    expect_file("state_unit.txt", "# side: side\n0 left\n1 right\nx not traced\n");
    expect_file("state_unit_way_1.txt",
                "# way: way\n00 ?gray25?idle\n01 up\n10 down\nxx not traced\n");
    text = tiny_slurp(c.gtkw_path);
    assert_non_null(strstr(text, "^1 state_unit.txt\n+{unit1} gpu.unit1.side\n"));
    assert_non_null(strstr(text, "^1 state_unit_way_1.txt\n+{way} gpu.unit1.way[1:0]"));
    free(text);
    tiny_remove(&c);
    assert_int_equal(remove("state_unit.txt"), 0);
    assert_int_equal(remove("state_unit_way_1.txt"), 0);
    expect_file(".surfer/mappings/state_unit_way_1.map",
                "Name = smwave state_unit_way_1\nBits = 2\n0[#404040] idle\n1 up\n"
                "2 down\n0bxx[undef] not traced\n");
    assert_int_equal(remove(".surfer/mappings/state_unit_way_1.map"), 0);
    assert_int_equal(remove(".surfer/mappings/state_unit.map"), 0);
}

/* Names in a folder: nothing in any file tells where it lies. */
static void files_are_relocatable(void **state)
{
    static const char *const file[] = {"moved/run.vcd",
                                       "moved/run.gtkw",
                                       "moved/events.log",
                                       "moved/state_warp.txt",
                                       "moved/state_bank.txt",
                                       "moved/stage_warp.txt",
                                       "moved/run.sucl",
                                       "moved/.surfer/mappings/state_warp.map",
                                       "moved/.surfer/mappings/state_bank.map",
                                       "moved/.surfer/mappings/stage_warp.map"};
    struct wave_config c = {.path = file[0],
                            .gtkw_path = file[1],
                            .events_path = file[2],
                            .config_name = "x"};

    (void)state;
    assert_true(mkdir("moved", 0777) == 0 || errno == EEXIST);
    tiny_run(&c, 0);
    for (size_t i = 0; i < ARRAY_LEN(file); i++) {
        char *text = tiny_slurp(file[i]);

        assert_null(strstr(text, "moved"));
        free(text);
        assert_int_equal(remove(file[i]), 0);
    }
    assert_int_equal(rmdir("moved/.surfer/mappings"), 0);
    assert_int_equal(rmdir("moved/.surfer"), 0);
    assert_int_equal(rmdir("moved"), 0);
}

/* Texts that would break a line or a comment. */
static void hostile_texts(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "hostile");
    char *text;

    (void)state;
    c.heading = "a\nb $end\tc";
    c.config_name = "\x7f$end$end";
    tiny_run(&c, 0);
    text = tiny_slurp(c.path);
    assert_non_null(strstr(text, "$comment a b _end c $end\n"));
    assert_non_null(strstr(text, "$comment config  _end_end, digest"));
    free(text);
    text = tiny_slurp(c.gtkw_path);
    assert_non_null(strstr(text, "-a b _end c on  _end_end\n"));
    free(text);
    tiny_remove(&c);
}

/* ---- a disk that does not take it ---- */

static void cannot_create(void **state)
{
    struct tiny_paths paths;

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct wave_config c = tiny_config(&paths, "cannot");
        const char **bad[] = {&c.path, &c.gtkw_path, &c.events_path};
        struct smw_err e = {0};
        struct tiny t;

        *bad[i] = "nowhere/file";
        tiny_init(&t, 0);
        assert_null(wave_open(t.sim, &t.gpu, NULL, &c, &e));
        assert_int_equal(e.kind, SMW_ERR_IO);
        assert_string_equal(e.message, "nowhere/file: No such file or directory");
        assert_false(t.probe[TINY_DEGREE].watched);
        c = tiny_config(&paths, "cannot");
        tiny_remove(&c);
        tiny_free(&t);
    }
}

/* A full device is told once, by the close, with its reason; the rest is written. */
static void full_device(void **state)
{
    struct tiny_paths paths;

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct wave_config c = tiny_config(&paths, "full");
        struct smw_err e = {0};
        struct wave *w;
        struct tiny t;
        char *text;

        if (i == 0) {
            c.path = "/dev/full";
        } else {
            c.events_path = "/dev/full";
        }
        tiny_init(&t, 0);
        tiny_script(&t);
        w = tiny_open(&t, &c);
        assert_int_equal(sim_run(t.sim, SIM_TIME_MAX, 0), SIM_IDLE);
        assert_false(wave_close(w, "complete", &e));
        assert_int_equal(e.kind, SMW_ERR_IO);
        assert_string_equal(e.message, "/dev/full: No space left on device");
        text = tiny_slurp(c.gtkw_path);
        assert_non_null(strstr(text, "[pattern_trace] 0\n"));
        free(text);
        text = tiny_slurp(i == 0 ? c.events_path : c.path);
        assert_non_null(strstr(text, "7142"));
        free(text);
        c = tiny_config(&paths, "full");
        tiny_remove(&c);
        tiny_free(&t);
    }
}

/* A disk that fills in the middle of the dump: what fitted is there, whole from its
 * first byte. */
static void disk_fills(void **state)
{
    enum { LIMIT = 200000 };
    static struct tiny_step steps[20000];
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "fills");
    struct rlimit old, small;
    struct smw_err e = {0};
    struct wave *w;
    struct tiny t;
    char *text;
    bool ok;

    (void)state;
    c.events_path = NULL;
    for (uint32_t i = 0; i < ARRAY_LEN(steps); i++) {
        steps[i] = (struct tiny_step){1 + i, TINY_LANES, i};
    }
    tiny_init(&t, 0);
    tiny_play(&t, &t.sm, steps, ARRAY_LEN(steps));
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = LIMIT;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    w = tiny_open(&t, &c);
    assert_int_equal(sim_run(t.sim, SIM_TIME_MAX, 0), SIM_IDLE);
    ok = wave_close(w, "complete", &e);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_false(ok);
    assert_int_equal(e.kind, SMW_ERR_IO);
    assert_string_equal(e.message, "fills.vcd: File too large");
    text = tiny_slurp(c.path);
    assert_true(strlen(text) <= LIMIT && strlen(text) > LIMIT - 100);
    assert_int_equal(text[strlen(text) - 1], '\n'); /* of the last line that fitted */
    assert_non_null(strstr(text, "$enddefinitions $end\n#0\n$dumpvars\n"));
    free(text);
    tiny_remove(&c);
    tiny_free(&t);
}

/* A log, some of whose writes in its middle are refused. */
static char *log_of(bool refuse)
{
    enum { LIMIT = 10000 };
    static struct tiny_step steps[900];
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "refused");
    struct rlimit old, small;
    struct smw_err e = {0};
    struct wave *w;
    struct tiny t;
    char *text;

    for (uint32_t i = 0; i < ARRAY_LEN(steps); i++) {
        steps[i] = (struct tiny_step){1 + i, TINY_RELEASE, i};
    }
    tiny_init(&t, 0);
    tiny_play(&t, &t.sm, steps, ARRAY_LEN(steps));
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = LIMIT;
    signal(SIGXFSZ, SIG_IGN);
    w = tiny_open(&t, &c);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, refuse ? &small : &old), 0);
    assert_int_equal(sim_run(t.sim, 500 * 714, 0), SIM_REACHED);
    (void)wave_bytes(w); /* which waits for a writer */
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(sim_run(t.sim, SIM_TIME_MAX, 0), SIM_IDLE);
    assert_int_equal(wave_close(w, "complete", &e), !refuse);
    text = tiny_slurp(c.events_path);
    tiny_remove(&c);
    tiny_free(&t);
    return text;
}

/* Writes to the log that are refused for a while: what is there has no hole. */
static void log_refused(void **state)
{
    char *const whole = log_of(false), *const part = log_of(true);

    (void)state;
    assert_in_range(strlen(part), 1, 10000);
    assert_true(strlen(whole) > 20000);
    assert_memory_equal(whole, part, strlen(part));
    free(whole);
    free(part);
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

/* While it is written there is a dump that opens, or none; of an earlier run, none.
 * What is a link stays one. */
static void named_when_it_opens(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "named");
    struct stat st;
    struct wave *w;
    struct tiny t;
    char *text;

    (void)state;
    tiny_window(&c, 3, 0);
    tiny_run(&c, 0);
    tiny_init(&t, 0);
    tiny_script(&t);
    w = tiny_open(&t, &c);
    assert_true(!is_there("named.vcd") && is_there("named.vcd" PART_ENDING));
    assert_int_equal(sim_run(t.sim, 2141, 0), SIM_REACHED);
    assert_false(is_there("named.vcd"));
    assert_int_equal(sim_run(t.sim, 2142, 0), SIM_REACHED);
    assert_true(is_there("named.vcd") && !is_there("named.vcd" PART_ENDING));
    text = tiny_slurp(c.path);
    assert_non_null(strstr(tiny_body(text), "$dumpvars\n"));
    assert_string_equal(text + strlen(text) - 5, "$end\n");
    free(text);
    tiny_finish(&t, w);
    tiny_free(&t);

    assert_int_equal(rename(c.path, "aim"), 0);
    assert_int_equal(symlink("aim", c.path), 0);
    tiny_run(&c, 0);
    assert_true(lstat(c.path, &st) == 0 && S_ISLNK(st.st_mode));
    text = tiny_slurp("aim");
    assert_non_null(strstr(text, "$comment status complete $end\n"));
    free(text);
    tiny_remove(&c);
    assert_int_equal(remove("aim"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_lines),
        cmocka_unit_test(log_scope_and_window),
        cmocka_unit_test(log_values),
        cmocka_unit_test(log_is_bounded),
        cmocka_unit_test(state_files),
        cmocka_unit_test(state_file_names),
        cmocka_unit_test(files_are_relocatable),
        cmocka_unit_test(hostile_texts),
        cmocka_unit_test(cannot_create),
        cmocka_unit_test(full_device),
        cmocka_unit_test(log_refused),
        cmocka_unit_test(disk_fills),
        cmocka_unit_test(named_when_it_opens),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
