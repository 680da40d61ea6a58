#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "run/config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Files of the test lie in the directory it runs in. */
static void write_file(const char *name, const char *text)
{
    struct smw_err e = {0};

    assert_true(file_write(name, text, strlen(text), &e));
}

static void is(const struct smw_config *c, const char *key, const char *value)
{
    char buf[128];

    assert_true(smw_config_show(c, key, buf, sizeof(buf)));
    assert_string_equal(buf, value);
}

static struct smw_config *load(const char *what)
{
    struct smw_config *c = smw_config_new();
    struct smw_err e = {0};

    if (!config_load(c, what, NULL, &e)) {
        fail_msg("%s:%u:%u: %s", e.file, e.line, e.column, e.message);
    }
    return c;
}

static void refused(const char *text, uint32_t line, uint32_t column,
                    const char *message, const char *hint)
{
    struct smw_config *c = smw_config_new();
    struct smw_err e = {0};

    write_file("config_bad.yml", text);
    assert_false(config_load(c, "./config_bad.yml", NULL, &e));
    assert_string_equal(e.message, message);
    assert_string_equal(e.hint, hint);
    assert_string_equal(e.file, "./config_bad.yml");
    assert_int_equal(e.line, line);
    assert_int_equal(e.column, column);
    assert_int_equal(e.kind, SMW_ERR_CONFIG);
    smw_config_free(c);
    unlink("config_bad.yml");
}

static void test_preset(void **state)
{
    struct smw_config *c = load("tiny");
    struct smw_err e = {0};

    (void)state;
    is(c, "gpu.sms", "1");
    assert_string_equal(smw_config_name(c), "tiny");
    assert_false(config_load(c, "tiy", NULL, &e));
    assert_string_equal(e.message, "there is no preset 'tiy'");
    assert_string_equal(e.hint, "did you mean 'tiny'?");
    err_clear(&e);
    assert_false(config_load(c, "voodoo", NULL, &e));
    assert_string_equal(e.hint, "presets are gtx480, tiny; a file's name ends in .yml");
    smw_config_free(c);
}

static void test_file(void **state)
{
    struct smw_config *c;

    (void)state;
    write_file("config_a.yml", "doc: nested and dotted\n"
                               "extends: tiny\n"
                               "sm: {smem: {latency: 30 cycles}, policy: gto}\n"
                               "sm.onchip.size: 32 KiB\n");
    write_file("config_b.yml", "name: bee\nextends: config_a.yml\nsm.policy: lrr\n");
    c = load("config_a.yml");
    assert_string_equal(smw_config_name(c), "config_a");
    is(c, "gpu.sms", "1");
    is(c, "sm.smem.latency", "30 cycles");
    is(c, "sm.policy", "gto");
    is(c, "sm.onchip.size", "32 KiB");
    smw_config_free(c);
    c = load("./config_b.yml");
    assert_string_equal(smw_config_name(c), "bee");
    is(c, "sm.smem.latency", "30 cycles");
    is(c, "sm.policy", "lrr");
    smw_config_free(c);
    unlink("config_a.yml");
    unlink("config_b.yml");
}

static void test_refused(void **state)
{
    (void)state;
    refused("gpu: {smz: 1}\n", 1, 7, "unknown configuration key 'gpu.smz'",
            "did you mean 'gpu.sms'?");
    refused("gpu: {sms: 0}\n", 1, 12, "gpu.sms: 0 is out of range, it may be 1 to 64",
            "");
    refused("sm:\n  smem:\n    latency: 20 ns\n", 3, 14,
            "unknown unit 'ns' of sm.smem.latency", "it may be cycles, cycle");
    refused("gpu: {sms: [1, 2]}\n", 1, 12, "gpu.sms takes one value, not a list", "");
    refused("- gpu\n", 1, 1, "a configuration must be a map, not a list", "");
    refused("extends: [a]\n", 1, 10,
            "extends must be the name of a preset or of a file", "");
    refused("extends: tinny\n", 1, 10, "there is no preset 'tinny'",
            "did you mean 'tiny'?");
    refused("extends: missing.yml\n", 1, 10, "./missing.yml: No such file or directory",
            "");
    refused("extends: config_bad.yml\n", 1, 10,
            "extends goes deeper than 8 files, perhaps in a circle", "");
    refused("name: [a]\n", 1, 7, "name must be a word", "");
    refused("gpu.sms: 1\ngpu.sms: 2\n", 2, 1,
            "the key 'gpu.sms' is given twice, first in line 1", "");
    refused("gpu: 3\n", 1, 1, "unknown configuration key 'gpu'", "");
}

static void override_refused(const char *option, uint32_t column, uint32_t width,
                             const char *message)
{
    struct smw_config *c = smw_config_new();
    struct smw_err e = {0};

    assert_false(config_override(c, option, &e));
    assert_string_equal(e.message, message);
    assert_int_equal(e.column, column);
    assert_int_equal(e.width, width);
    smw_config_free(c);
}

static void test_override(void **state)
{
    struct smw_config *c = smw_config_new();
    struct smw_err e = {0};

    (void)state;
    assert_true(config_override(c, "sm.onchip.size=16 KiB", &e));
    is(c, "sm.onchip.size", "16 KiB");
    smw_config_free(c);
    override_refused("gpu.sms=100", 12, 3,
                     "gpu.sms: 100 is out of range, it may be 1 to 64");
    override_refused("gpu.sm=1", 4, 6, "unknown configuration key 'gpu.sm'");
    override_refused("gpu.sms", 0, 0, "-s takes key=value, not 'gpu.sms'");
    override_refused("=3", 0, 0, "-s takes key=value, not '=3'");
    override_refused("gpu.sms=", 12, 0, "gpu.sms: '' is not a number");
}

/* What is printed loads back to the same configuration and prints the same. */
static void test_print(void **state)
{
    struct smw_config *a = load("tiny"), *b;
    struct smw_err e = {0};
    struct text t = {0}, again = {0};

    (void)state;
    assert_true(config_override(a, "sm.onchip.split=a: b #\"\\", &e));
    assert_true(config_override(a, "sm.clock=700.5 MHz", &e));
    smw_config_rename(a, "on: two");
    config_print(a, &t);
    write_file("config_out.yml", t.s);
    b = load("config_out.yml");
    assert_int_equal(smw_config_digest(a), smw_config_digest(b));
    assert_string_equal(smw_config_name(b), "on: two");
    config_print(b, &again);
    assert_string_equal(t.s, again.s);
    text_free(&t);
    text_free(&again);
    smw_config_free(a);
    smw_config_free(b);
    unlink("config_out.yml");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_preset),  cmocka_unit_test(test_file),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_override),
        cmocka_unit_test(test_print),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
