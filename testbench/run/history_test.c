/* Launch files that run before another one: what they leave, what is refused. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "io/file.h"
#include "run/history.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char code[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry bump(.param .u64 p) {\n.reg .u64 %a;\n.reg .u32 %v;\n"
    "ld.param.u64 %a, [p];\nld.global.u32 %v, [%a];\nadd.u32 %v, %v, 1;\n"
    "st.global.u32 [%a], %v;\nret;\n}\n";

static char dir[] = "/tmp/smwave-history-XXXXXX";

static char *place(const char *name)
{
    return file_join(dir, name);
}

static void put(const char *name, const char *text)
{
    char *path = place(name);
    struct smw_err e = {0};

    assert_true(file_write(path, text, strlen(text), &e));
    free(path);
}

static int make(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(dir));
    put("bump.ptx", code);
    return 0;
}

/* A file that bumps a word of a value, behind another file or none. */
static void put_launch(const char *name, const char *after, int value)
{
    char text[512];

    snprintf(text, sizeof(text),
             "module: bump.ptx\n%s%s\nbuffers:\n  d: {type: u32, count: 64, address: "
             "0x10000000, init: {fill: %d}}\nlaunches:\n  - {kernel: bump, grid: 1, "
             "block: 1, args: [d]}\n",
             after != NULL ? "after: " : "", after != NULL ? after : "", value);
    put(name, text);
}

struct opened {
    struct launch_file file;
    struct smw_config *config;
    struct host host;
    struct smw_err e;
    bool ok;
};

static void open_file(struct opened *o, const char *name, enum smw_check check)
{
    struct smw_options options = {.check = check};
    char *path = place(name);

    *o = (struct opened){.config = smw_config_new()};
    assert_true(smw_config_preset(o->config, "h100", &o->e));
    assert_true(smw_config_set(o->config, "gpu.sms", "1", &o->e));
    assert_true(launch_read(&o->file, path, &o->e));
    o->ok = host_open(&o->host, &o->file, o->config, &options, &o->e);
    free(path);
}

/* The word in the end, and its launch's cycles. */
static uint64_t finish(struct opened *o, uint32_t *word)
{
    struct smw_result r = {0};

    if (o->ok) {
        assert_true(host_launch(&o->host, &o->e));
        assert_true(smw_synchronize(o->host.device, &o->e));
        assert_int_equal(smw_results(o->host.device), 1);
        assert_true(smw_result(o->host.device, 0, &r));
        assert_true(smw_read(o->host.device, o->host.address[0], word, 4, &o->e));
        host_close(&o->host);
    }
    launch_free(&o->file);
    smw_config_free(o->config);
    return r.counters.cycles;
}

static void warms_caches_and_nothing_else(void **state)
{
    uint64_t cold, warm, checked;
    uint32_t word = 0;
    struct opened o;

    (void)state;
    put_launch("1.yml", NULL, 10);
    put_launch("2.yml", "1.yml", 20);
    put_launch("3.yml", "2.yml", 30);
    open_file(&o, "1.yml", SMW_CHECK_FAST);
    cold = finish(&o, &word);
    assert_int_equal(word, 11);
    open_file(&o, "3.yml", SMW_CHECK_FAST);
    warm = finish(&o, &word);
    assert_int_equal(word, 31); /* its own data, whatever was there before */
    assert_true(warm < cold);
    open_file(&o, "3.yml", SMW_CHECK_FULL); /* buffers elsewhere: nothing before */
    checked = finish(&o, &word);
    assert_int_equal(word, 31);
    assert_true(checked > warm);
}

static void says_what_is_wrong(void **state)
{
    static const char *const wrong[][2] = {
        {"self.yml", "comes before itself"},
        {"gone.yml", "gone.yml"},
        {"bump.ptx", "bump.ptx"},
    };
    uint32_t word = 0;
    struct opened o;

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        char where[1200];

        put_launch("self.yml", wrong[i][0], 1);
        open_file(&o, "self.yml", SMW_CHECK_FAST);
        assert_false(o.ok);
        snprintf(where, sizeof(where), "%s %s", o.e.file, o.e.message);
        if (strstr(where, wrong[i][1]) == NULL) {
            fail_msg("after: %s: %s", wrong[i][0], where);
        }
        (void)finish(&o, &word);
    }
}

static int clean(void **state)
{
    static const char *const names[] = {"bump.ptx", "1.yml", "2.yml", "3.yml",
                                        "self.yml"};

    (void)state;
    for (uint32_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char *path = place(names[i]);

        (void)unlink(path);
        free(path);
    }
    return rmdir(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warms_caches_and_nothing_else),
        cmocka_unit_test(says_what_is_wrong),
    };

    return cmocka_run_group_tests(tests, make, clean);
}
