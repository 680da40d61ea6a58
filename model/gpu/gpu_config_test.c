/* The configuration of a GPU: presets, rules across keys. */
#include "gpu/gpu_config.h"
#include "gpu/presets.h"
#include "smwave.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void defaults(struct gpu_config *c)
{
    cfg_defaults(&gpu_schema, c);
}

static void set(struct gpu_config *c, const char *key, const char *value)
{
    struct smw_err e;

    err_clear(&e);
    if (!cfg_set(&gpu_schema, c, key, value, &e)) {
        print_error("%s=%s: %s\n", key, value, e.message);
        fail();
    }
}

static void accept(const struct gpu_config *c, uint32_t shared, uint32_t l1)
{
    const struct rules_cc *r = NULL;
    struct rules_split s;
    struct smw_err e;

    err_clear(&e);
    if (!gpu_config_check(c, &r, &s, &e)) {
        print_error("%s\n", e.message);
        fail();
    }
    assert_int_equal(r->cc, 10u * (uint32_t)(c->gpu.compute_capability[0] - '0') +
                                (uint32_t)(c->gpu.compute_capability[2] - '0'));
    assert_int_equal(s.shared, shared);
    assert_int_equal(s.l1, l1);
}

static void refuse(const struct gpu_config *c, const char *message, const char *hint)
{
    const struct rules_cc *r = NULL;
    struct rules_split s = {1, 2};
    struct smw_err e;

    err_clear(&e);
    assert_false(gpu_config_check(c, &r, &s, &e));
    assert_int_equal(e.kind, SMW_ERR_CONFIG);
    if (strstr(e.message, message) == NULL || strstr(e.hint, hint) == NULL) {
        print_error("\"%s\" (%s), not \"%s\" (%s)\n", e.message, e.hint, message, hint);
        fail();
    }
    assert_null(r); /* nothing is written unless all is well */
    assert_int_equal(s.shared, 1);
}

struct change {
    const char *key, *value, *message, *hint;
};

static const struct change changes[] = {
    {"gpu.compute_capability", "2.7",
     "gpu.compute_capability: there are no rules for "
     "\"2.7\"",
     "known: 1.0, 1.1, 1.2, 1.3, 2.0, 2.1"},
    {"sm.onchip.partition", "32/32", "compute capability 2.0 has no 32/32 split",
     "it has 48/16, 16/48; gpu.what_if=true"},
    {"sm.onchip.partition", "48", "\"48\" is not shared/L1 in KB", ""},
    {"sm.onchip.partition", "auto", "not for compute capability 2.0",
     "name the split that a device starts with, such as 48/16"},
    {"sm.onchip.partition", "48/", "is not shared/L1 in KB", ""},
    {"sm.onchip.partition", "/16", "is not shared/L1 in KB", ""},
    {"sm.onchip.partition", "-48/16", "is not shared/L1 in KB", ""},
    {"sm.onchip.partition", "48/-16", "is not shared/L1 in KB", ""},
    {"sm.onchip.partition", "48/16 KB", "is not shared/L1 in KB", ""},
    {"sm.onchip.partition", "2048/16", "is not shared/L1 in KB", ""},
    {"sm.max_warps", "49",
     "sm.max_warps: 49 is more than compute capability 2.0 has (48)",
     "gpu.what_if=true"},
    {"sm.max_blocks", "9",
     "sm.max_blocks: 9 is more than compute capability 2.0 has (8)",
     "gpu.what_if=true"},
    {"sm.onchip.size", "128 KiB", "sm.onchip.size: 131072 is more than",
     "gpu.what_if=true"},
    {"sm.smem.banks", "16",
     "sm.smem.banks: compute capability 2.0 has 32 banks, not 16", ""},
    {"sm.smem.bank_mode", "8 B",
     "sm.smem.bank_mode: compute capability 2.0 has 4-byte banks "
     "only",
     ""},
    {"l2.size", "4 KiB", "l2.size: 4096 bytes over", ""},
    {"sm.cbank.size", "255 B", "sm.cbank.size: 255 bytes are less than one set of 4",
     ""},
    {"sm.cbank.l15_size", "64 B", "sm.cbank.l15_size: 64 bytes are less", ""},
    {"l2.size", "0", "l2.size: compute capability 2.0 has an L2", "gpu.what_if=true"},
};

static void test_defaults(void **state)
{
    struct gpu_config c;

    (void)state;
    defaults(&c);
    accept(&c, 48, 16);
    set(&c, "sm.onchip.partition", "16/48");
    accept(&c, 16, 48);
}

static void test_rules_across_keys(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(changes); i++) {
        struct gpu_config c;

        defaults(&c);
        set(&c, changes[i].key, changes[i].value);
        refuse(&c, changes[i].message, changes[i].hint);
    }
}

static void test_what_if(void **state)
{
    struct gpu_config c;

    (void)state;
    defaults(&c);
    set(&c, "gpu.what_if", "true");
    set(&c, "sm.onchip.partition", "32/32");
    accept(&c, 32, 32);
    set(&c, "sm.max_warps", "64");
    set(&c, "sm.max_blocks", "32");
    accept(&c, 32, 32);
    set(&c, "sm.onchip.partition", "64/0");
    accept(&c, 64, 0);
    set(&c, "sm.onchip.partition", "64/1");
    refuse(&c, "64/1 does not fit an array of 65536 bytes", "");
    set(&c, "sm.onchip.partition", "0/64");
    accept(&c, 0, 64);
    set(&c, "sm.onchip.partition", "32/1");
    set(&c, "sm.l1.ways", "8");
    accept(&c, 32, 1);
    set(&c, "sm.l1.ways", "9");
    refuse(&c, "sm.l1.ways: 9 lines do not fit 1 KB of L1", "");
}

/* 1.x has no L2 for data, and no L1. */
static void test_no_l2(void **state)
{
    struct gpu_config c;

    (void)state;
    defaults(&c);
    set(&c, "gpu.what_if", "true");
    set(&c, "l2.size", "0");
    accept(&c, 48, 16);
    set(&c, "gpu.what_if", "false");
    set(&c, "gpu.compute_capability", "1.3");
    set(&c, "sm.max_warps", "32");
    set(&c, "sm.onchip.size", "16 KiB");
    set(&c, "sm.onchip.partition", "16/0");
    set(&c, "sm.smem.banks", "16");
    set(&c, "sm.l1.global", "false");
    accept(&c, 16, 0);
    set(&c, "l2.size", "256 KiB");
    refuse(&c, "l2.size: compute capability 1.3 has no L2 for data", "l2.size=0");
    set(&c, "gpu.what_if", "true");
    accept(&c, 16, 0);
}

/* A smaller array must hold the split too. */
static void test_small_array(void **state)
{
    struct gpu_config c;

    (void)state;
    defaults(&c);
    set(&c, "sm.onchip.size", "32 KiB");
    refuse(&c, "sm.onchip.partition: 48/16 does not fit an array of 32768 bytes", "");
    set(&c, "gpu.what_if", "true");
    set(&c, "sm.onchip.partition", "16/16");
    accept(&c, 16, 16);
}

/* ---- presets ---- */

static void shown(const struct smw_config *c, const char *key, const char *want)
{
    char buf[96];

    assert_true(smw_config_show(c, key, buf, sizeof(buf)));
    assert_string_equal(buf, want);
}

static void test_presets(void **state)
{
    uint32_t n = 0;

    (void)state;
    for (; smw_preset_name(n) != NULL; n++) {
        struct smw_config *c = smw_config_new();
        struct smw_err e;

        err_clear(&e);
        assert_non_null(c);
        assert_true(smw_config_preset(c, smw_preset_name(n), &e));
        assert_true(smw_config_check(c, &e));
        assert_string_equal(smw_config_name(c), smw_preset_name(n));
        assert_true(strlen(smw_preset_doc(n)) > 10);
        smw_config_free(c);
    }
    assert_int_equal(n, smw_n_presets);
    assert_true(n >= 3);
    assert_null(smw_preset_doc(n));
}

static void test_extends(void **state)
{
    struct smw_config *c = smw_config_new(), *tiny;
    struct smw_err e;

    (void)state;
    err_clear(&e);
    assert_string_equal(smw_config_name(c), "default");
    assert_true(smw_config_set(c, "gpu.sms", "7", &e));
    tiny = smw_config_copy(c);
    shown(tiny, "gpu.sms", "7");
    assert_int_equal(smw_config_digest(c), smw_config_digest(tiny));
    assert_true(smw_config_preset(tiny, "tiny", &e)); /* forgets what was set */
    shown(tiny, "gpu.sms", "1");
    shown(tiny, "dram.clock", "924 MHz"); /* of gtx480, which it extends */
    shown(tiny, "sm.pipe.iadd.latency", "4 cycles");
    shown(c, "gpu.sms", "7");
    assert_true(smw_config_digest(c) != smw_config_digest(tiny));
    smw_config_free(tiny);
    smw_config_free(c);
}

static void test_unknown_preset(void **state)
{
    struct smw_config *c = smw_config_new();
    struct smw_err e;

    (void)state;
    err_clear(&e);
    assert_true(smw_config_set(c, "gpu.sms", "7", &e));
    assert_false(smw_config_preset(c, "gtx48", &e));
    assert_int_equal(e.kind, SMW_ERR_CONFIG);
    assert_string_equal(e.message, "there is no preset \"gtx48\"");
    assert_string_equal(e.hint, "did you mean \"gtx480\"?");
    shown(c, "gpu.sms", "7"); /* as it was */
    err_clear(&e);
    assert_false(smw_config_preset(c, "something else", &e));
    assert_non_null(strstr(e.hint, "config list"));
    smw_config_free(c);
}

static void test_unknown_key(void **state)
{
    struct smw_config *c = smw_config_new();
    struct smw_err e;
    char buf[8];

    (void)state;
    err_clear(&e);
    assert_false(smw_config_set(c, "gpu.sm", "7", &e));
    assert_non_null(strstr(e.hint, "gpu.sms"));
    err_clear(&e);
    assert_false(smw_config_set(c, "gpu.sms", "145", &e));
    err_clear(&e);
    assert_false(smw_config_set(c, "gpu.sms", "0", &e));
    assert_false(smw_config_show(c, "gpu.sm", buf, sizeof(buf)));
    smw_config_free(c);
}

static void count_key(void *ctx, const struct smw_key *k)
{
    uint32_t *n = ctx;
    struct smw_config *c = smw_config_new();
    struct smw_err e;

    err_clear(&e);
    assert_true(strlen(k->doc) > 3);
    assert_true(strlen(k->key) > 3);
    if (!smw_config_set(c, k->key, k->def, &e)) { /* every default is a legal value */
        print_error("%s=%s: %s\n", k->key, k->def, e.message);
        fail();
    }
    smw_config_free(c);
    ++*n;
}

static void test_every_key(void **state)
{
    uint32_t n = 0;

    (void)state;
    smw_config_each(count_key, &n);
    assert_true(n > 90);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),    cmocka_unit_test(test_rules_across_keys),
        cmocka_unit_test(test_what_if),     cmocka_unit_test(test_no_l2),
        cmocka_unit_test(test_small_array), cmocka_unit_test(test_presets),
        cmocka_unit_test(test_extends),     cmocka_unit_test(test_unknown_preset),
        cmocka_unit_test(test_unknown_key), cmocka_unit_test(test_every_key),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
