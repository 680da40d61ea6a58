/* What a session makes of settings, of memory and of a device, without a program. */
#include "run/run.h"
#include "session/life.h"
#include "session/reach.h"
#include "session/record.h"
#include "session/story.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h> /* behind run.h, which has a function of a name that it defines */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char ptx[] =
    ".version 7.0\n.target sm_52\n.address_size 64\n"
    ".visible .global .align 4 .u32 calls = 7;\n"
    ".visible .entry first(.param .u64 p, .param .u32 n)\n{\n"
    "    .reg .b32 %r<3>;\n    .reg .b64 %rd<4>;\n"
    "    ld.param.u64 %rd1, [p];\n    ld.param.u32 %r1, [n];\n"
    "    cvta.to.global.u64 %rd2, %rd1;\n    st.global.u32 [%rd2+4], %r1;\n"
    "    ret;\n}\n";

struct bench {
    struct smw_config *config;
    struct smw_device *d;
    struct smw_module *m;
    char dir[64];
};

static void open_bench(struct bench *b)
{
    struct smw_options o = {.address_base = RT_ADDRESS_FIRST, .stalls = true};
    struct smw_err e = {0};

    snprintf(b->dir, sizeof(b->dir), "session_test.XXXXXX");
    assert_non_null(mkdtemp(b->dir));
    b->config = smw_config_new();
    assert_true(session_load(b->config, "p100", &e));
    assert_true(smw_config_set(b->config, "gpu.sms", "1", &e));
    b->d = smw_open(b->config, &o, &e);
    assert_non_null(b->d);
    b->m = smw_load(b->d, ptx, strlen(ptx), "first.ptx", &e);
    assert_non_null(b->m);
}

static void close_bench(struct bench *b)
{
    char command[128];

    smw_close(b->d);
    smw_config_free(b->config);
    snprintf(command, sizeof(command), "rm -rf %s", b->dir);
    assert_int_equal(system(command), 0);
}

static void remove_file(const struct bench *b, const char *name)
{
    char path[128];

    snprintf(path, sizeof(path), "%s/%s", b->dir, name);
    assert_int_equal(unlink(path), 0);
}

static bool is_file(const struct bench *b, const char *name)
{
    char path[128];

    snprintf(path, sizeof(path), "%s/%s", b->dir, name);
    return access(path, R_OK) == 0;
}

/* ---- settings ---- */

static void test_plan(void **state)
{
    struct rt_settings s = {.n_timed = 0};
    struct tracing_plan p = {0};
    struct smw_err e = {0};

    (void)state;
    assert_true(session_plan(&p, &s, "out", &e)); /* nothing is said: no waveform */
    assert_int_equal(p.n, 0);
    assert_true(p.guest);
    tracing_plan_free(&p);

    s.said[RT_SAID_TRACE] = "vcd";
    s.said[RT_SAID_VIEW] = "banks;warp=1,warp=2";
    s.said[RT_SAID_TIMESCALE] = "cycle";
    s.said[RT_SAID_TRACE_START] = "kernel=first";
    assert_true(session_plan(&p, &s, "out", &e));
    assert_int_equal(p.n, 1);
    assert_string_equal(p.path[0], "out/run.vcd");
    assert_int_equal(p.n_views, 3);
    assert_true(p.cycles);
    assert_int_equal(p.select.point[WAVE_START].kind, TRACE_KERNEL);
    tracing_plan_free(&p);
}

static void refused(struct rt_settings s, const char *words)
{
    struct tracing_plan p = {0};
    struct smw_err e = {0};

    assert_false(session_plan(&p, &s, "out", &e));
    assert_int_equal(e.kind, SMW_ERR_USAGE);
    assert_non_null(strstr(e.message, words));
}

static void test_plan_refused(void **state)
{
    (void)state;
    refused((struct rt_settings){.said[RT_SAID_TRACE] = "-"}, "the program's");
    refused((struct rt_settings){.said[RT_SAID_TRACE] = "vdc"}, "'vdc'");
    refused((struct rt_settings){.said[RT_SAID_VIEW] = "banks"}, "no waveform");
    refused((struct rt_settings){.said[RT_SAID_TRACE_STOP] = "3"}, "no waveform");
    refused((struct rt_settings){.said[RT_SAID_TRACE] = "vcd",
                                 .said[RT_SAID_TRACE_START] = "kernal"},
            "--trace-start");
}

/* ---- memory ---- */

static void test_reach(void **state)
{
    struct bench b = {.d = NULL};
    uint64_t list = 0, inner = 0, alone = 0, self = 0, words[4] = {0};
    const struct reach_piece *p;
    struct smw_err e = {0};
    struct reach r;

    (void)state;
    open_bench(&b);
    assert_true(smw_alloc(b.d, 32, &list, &e) && smw_alloc(b.d, 500, &inner, &e) &&
                smw_alloc(b.d, 64, &alone, &e) && smw_alloc(b.d, 16, &self, &e));
    words[1] = inner + 100; /* into the middle of it */
    words[3] = self;
    assert_true(smw_write(b.d, list, words, sizeof(words), &e));
    words[0] = list; /* a circle */
    assert_true(smw_write(b.d, self, words, 16, &e));

    words[0] = list;
    assert_true(reach_find(&r, b.d, b.m, words, 8, &e));
    assert_int_equal(r.n, 4); /* the variable, list, inner, self */
    assert_string_equal(r.at[0].symbol, "calls");
    p = reach_at(&r, list);
    assert_true(p != NULL && p->is_argument && p->offset == 0 && p->bytes == 32);
    p = reach_at(&r, inner);
    assert_true(p != NULL && !p->is_argument && p->offset == 8 && p->bytes == 500);
    assert_non_null(reach_at(&r, self));
    assert_null(reach_at(&r, alone));
    reach_free(&r);
    close_bench(&b);
}

/* ---- a device's life ---- */

static void launch(struct bench *b, struct record *record, uint64_t number)
{
    const struct smw_kernel *k;
    struct smw_err e = {0};
    struct {
        uint64_t p;
        uint32_t n, rest;
    } params = {0, 9, 0};
    struct smw_launch l = {.grid = {1, 1, 1},
                           .block = {1, 1, 1},
                           .params = &params,
                           .param_bytes = 12};
    struct rt_launch_seen seen;

    k = smw_kernel(b->m, "first", &e);
    assert_true(k != NULL && smw_alloc(b->d, 16, &params.p, &e));
    seen = (struct rt_launch_seen){.number = number,
                                   .result = smw_results(b->d),
                                   .timed = true,
                                   .on = b->d,
                                   .module = b->m,
                                   .kernel = k,
                                   .launch = &l};
    record_before(record, &seen);
    assert_true(smw_launch(b->d, k, &l, &e));
    record_after(record, &seen);
    assert_true(smw_synchronize(b->d, &e));
}

static void test_life(void **state)
{
    static const char *const files[] = {"stats.json",   "report.json", "config.yml",
                                        "explain.json", "module.ptx",  "summary.txt",
                                        "run.vcd",      "run.gtkw",    "run.pcs.txt"};
    struct rt_settings s = {.said[RT_SAID_TRACE] = "vcd", .said[RT_SAID_EXPLAIN] = "1"};
    struct bench b = {.d = NULL};
    struct life l;

    (void)state;
    open_bench(&b);
    life_open(&l, tb_strdup(b.dir), b.d, b.config, &s);
    life_module(&l, b.m, ptx, strlen(ptx));
    assert_false(is_file(&b, "stats.json"));
    launch(&b, NULL, 1);
    life_launched(&l);
    assert_true(is_file(&b, "stats.json")); /* if the program were killed now */
    remove_file(&b, "stats.json");
    launch(&b, NULL, 1);
    l.write_at = tb_seconds() + 100;
    life_launched(&l);
    assert_false(is_file(&b, "stats.json")); /* not after each of them */
    l.write_at = tb_seconds() - 1;
    life_launched(&l);
    assert_true(is_file(&b, "stats.json"));
    assert_true(l.write_at > tb_seconds() - 1);
    life_close(&l);
    assert_null(l.dir);
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        assert_true(is_file(&b, files[i]));
    }
    life_close(&l); /* of none: nothing */
    close_bench(&b);
}

static void test_story(void **state)
{
    struct bench b = {.d = NULL};
    struct launch_file none = {.n_runs = 0};
    struct host host = {.file = &none};
    struct results r = {.host = &host, .status = SMW_DONE};
    struct text t = {0};

    (void)state;
    open_bench(&b);
    host.device = b.d;
    host.config = b.config;
    story_tell(&r, &t);
    assert_non_null(strstr(t.s, "launched no kernel"));
    text_free(&t);
    launch(&b, NULL, 1);
    launch(&b, NULL, 2);
    story_tell(&r, &t);
    assert_non_null(strstr(t.s, "first #2"));
    text_free(&t);
    for (uint32_t i = 3; i <= STORY_LAUNCHES + 1; i++) {
        launch(&b, NULL, i);
    }
    story_tell(&r, &t);
    assert_null(strstr(t.s, "first #2"));
    assert_non_null(strstr(t.s, "first                                  17"));
    text_free(&t);
    close_bench(&b);
}

/* ---- records ---- */

/* The file runs alone, on a device of its own, and finds what it expects. */
static void test_record(void **state)
{
    struct smw_text text = {ptx, sizeof(ptx) - 1, "first.ptx"};
    struct bench b = {.d = NULL};
    struct smw_err e = {0};
    struct record *r;
    struct run run = {0};
    char path[128];

    (void)state;
    open_bench(&b);
    r = record_new(b.dir);
    record_device(r, 0, b.d, b.config);
    record_module(r, 0, b.m, &text, 1);
    launch(&b, r, 1);
    launch(&b, r, 2);
    record_free(r);
    snprintf(path, sizeof(path), "%s/2-first.yml", b.dir);
    assert_true(run_read(&run, &(struct run_request){.target = path}, &e));
    assert_true(run_open(&run, NULL, &e));
    assert_true(smw_synchronize(run.host.device, &e));
    assert_true(run_conclude(&run, SMW_DONE, &e));
    assert_int_equal(run.results.n_expects, 2); /* the buffer and the variable */
    assert_int_equal(run.wrong, 0);
    assert_int_equal(run.host.address[0], RT_ADDRESS_FIRST + 512); /* as it was */
    run_close(&run);
    close_bench(&b);
}

/* Nothing is done without a folder; code of several texts is a list of them, and what
 * was loaded before is named. */
static void test_record_linked(void **state)
{
    struct smw_text text[2] = {{ptx, sizeof(ptx) - 1, "first.ptx"}};
    struct bench b = {.d = NULL};
    struct smw_err e = {0};
    struct record *r;
    char *path, *written;
    size_t size = 0;

    (void)state;
    open_bench(&b);
    assert_null(record_new(NULL));
    launch(&b, NULL, 1);
    r = record_new(b.dir);
    record_device(r, 0, b.d, b.config);
    record_module(r, 0, NULL, text, 1);
    record_module(r, 0, b.m, text, 2);
    launch(&b, r, 1);
    record_free(r);
    path = file_join(b.dir, "1-first.yml");
    written = file_read(path, 1 << 20, &size, SMW_ERR_IO, &e);
    assert_non_null(written);
    assert_non_null(strstr(written, "modules:\n  - module.ptx\n"
                                    "module: [module-2.ptx, module-3.ptx]\n"));
    assert_true(is_file(&b, "module-3.ptx"));
    free(written);
    free(path);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plan),          cmocka_unit_test(test_plan_refused),
        cmocka_unit_test(test_reach),         cmocka_unit_test(test_life),
        cmocka_unit_test(test_story),         cmocka_unit_test(test_record),
        cmocka_unit_test(test_record_linked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
