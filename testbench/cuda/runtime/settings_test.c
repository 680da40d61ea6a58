#include "runtime/settings.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char *variable[16]; /* name, value, name, value ..., NULL */

static const char *value_of(const char *name)
{
    for (int i = 0; variable[i] != NULL; i += 2) {
        if (strcmp(variable[i], name) == 0) {
            return variable[i + 1];
        }
    }
    return NULL;
}

static void nothing_is_set(void **state)
{
    struct rt_settings s;
    struct smw_err e = {0};

    (void)state;
    variable[0] = NULL;
    assert_true(rt_settings_read(&s, value_of, &e));
    assert_int_equal(s.n_devices, 1);
    assert_string_equal(s.device[0], RT_DEFAULT_DEVICE);
    assert_int_equal(s.check, SMW_CHECK_FAST);
    assert_int_equal(s.threads, 1);
    assert_true(rt_settings_timed(&s, 1) && rt_settings_timed(&s, 1000000));
    assert_false(s.quiet);
}

/* A device that is not a preset, for observers that know others. */
static bool load(struct smw_config *c, const char *name, struct smw_err *e)
{
    assert_string_equal(name, "mine.yml");
    return smw_config_preset(c, "k20x", e);
}

static void observers_are_told(void **state)
{
    struct rt_settings s;
    struct smw_err e = {0};
    struct smw_config *c;

    (void)state;
    variable[0] = "SMWAVE_TRACE";
    variable[1] = "vcd";
    variable[2] = "SMWAVE_TRACE_AFTER";
    variable[3] = "7";
    variable[4] = "SMWAVE_DEVICE";
    variable[5] = "mine.yml";
    variable[6] = NULL;
    assert_true(rt_settings_read(&s, value_of, &e));
    assert_string_equal(s.said[RT_SAID_TRACE], "vcd");
    assert_string_equal(s.said[RT_SAID_TRACE_AFTER], "7");
    assert_null(s.said[RT_SAID_RECORD]);
    assert_string_equal(rt_said_variable(RT_SAID_RECORD), "SMWAVE_RECORD");
    assert_null(rt_settings_config(&s, 0, &e)); /* presets alone */
    s.load = load;
    e = (struct smw_err){0};
    c = rt_settings_config(&s, 0, &e);
    assert_non_null(c);
    assert_string_equal(smw_config_name(c), "k20x");
    smw_config_free(c);
}

static void launches_are_ranges(void **state)
{
    struct rt_settings s;
    struct smw_err e = {0};

    (void)state;
    variable[0] = "SMWAVE_LAUNCHES";
    variable[1] = "3,7-9,20-";
    variable[2] = NULL;
    assert_true(rt_settings_read(&s, value_of, &e));
    for (uint64_t i = 1; i < 30; i++) {
        assert_int_equal(rt_settings_timed(&s, i),
                         i == 3 || (i >= 7 && i <= 9) || i >= 20);
    }
}

static void all_are_read(void **state)
{
    static const char *const set[] = {
        "SMWAVE_DEVICE",
        "gtx480,k20x",
        "SMWAVE_CHECK",
        "full",
        "SMWAVE_MAX_CYCLES",
        "1000",
        "SMWAVE_THREADS",
        "4",
        "SMWAVE_QUIET",
        "1",
        "SMWAVE_SET",
        "gpu.sms=1;;l2.slices=2",
        NULL,
    };
    struct rt_settings s;
    struct smw_config *c;
    struct smw_err e = {0};
    char text[32];

    (void)state;
    memcpy(variable, set, sizeof(set));
    assert_true(rt_settings_read(&s, value_of, &e));
    assert_int_equal(s.n_devices, 2);
    assert_string_equal(s.device[1], "k20x");
    assert_int_equal(s.check, SMW_CHECK_FULL);
    assert_int_equal(s.max_cycles, 1000);
    assert_int_equal(s.threads, 4);
    assert_true(s.quiet);
    s.set = "gpu.sms=1;";
    c = rt_settings_config(&s, 1, &e);
    assert_non_null(c);
    assert_true(smw_config_show(c, "gpu.sms", text, sizeof(text)));
    assert_string_equal(text, "1");
    smw_config_free(c);
}

/* Each is refused with a sentence that names it. */
static void wrong_values_are_named(void **state)
{
    static const char *const wrong[][2] = {
        {"SMWAVE_DEVICE", ""},       {"SMWAVE_DEVICE", "h100,"},
        {"SMWAVE_CHECK", "some"},    {"SMWAVE_LAUNCHES", ""},
        {"SMWAVE_LAUNCHES", "0"},    {"SMWAVE_LAUNCHES", "3,"},
        {"SMWAVE_LAUNCHES", "9-7"},  {"SMWAVE_LAUNCHES", "3;4"},
        {"SMWAVE_LAUNCHES", "-3"},   {"SMWAVE_MAX_CYCLES", "many"},
        {"SMWAVE_MAX_CYCLES", "-1"}, {"SMWAVE_THREADS", "65"},
        {"SMWAVE_QUIET", "yes"},     {"SMWAVE_MAX_CYCLES", "99999999999999999999"},
    };
    struct rt_settings s;

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct smw_err e = {0};

        variable[0] = wrong[i][0];
        variable[1] = wrong[i][1];
        variable[2] = NULL;
        assert_false(rt_settings_read(&s, value_of, &e));
        assert_int_equal(e.kind, SMW_ERR_CONFIG);
        assert_non_null(strstr(e.message, wrong[i][0]));
    }
}

static void wrong_devices_are_refused(void **state)
{
    struct rt_settings s = {.n_devices = 1, .device = {"h1000"}};
    struct smw_err e = {0};

    (void)state;
    assert_null(rt_settings_config(&s, 0, &e));
    assert_non_null(strstr(e.message, "h1000"));
    memset(&e, 0, sizeof(e));
    strcpy(s.device[0], "h100");
    s.set = "gpu.sms";
    assert_null(rt_settings_config(&s, 0, &e));
    assert_non_null(strstr(e.message, "gpu.sms"));
    memset(&e, 0, sizeof(e));
    s.set = "gpu.smss=3";
    assert_null(rt_settings_config(&s, 0, &e));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_set),
        cmocka_unit_test(observers_are_told),
        cmocka_unit_test(launches_are_ranges),
        cmocka_unit_test(all_are_read),
        cmocka_unit_test(wrong_values_are_named),
        cmocka_unit_test(wrong_devices_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
