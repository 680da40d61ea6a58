#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cfg/cfg.h"
#include <stdio.h>
#include <string.h>

struct part {
    uint32_t banks, latency, policy;
    uint64_t size, clock, tick;
    bool on;
    uint32_t fill;
    uint64_t speed;
    char split[CFG_TEXT_SIZE];
};

struct whole {
    int before;
    struct part a;
    struct part b;
};

static const char *const policies[] = {"lrr", "gto", "two-level"};

static const struct cfg_field fields[] = {
    CFG_U32(struct part, banks, 1, 32, 64, CFG_PLAIN, CFG_POW2, "banks", "RULE-1"),
    CFG_U32(struct part, latency, 1, 20, 1000, CFG_CYCLES, 0, "cycles", "RULE-1"),
    CFG_CHOICE(struct part, policy, policies, 1, "which warp goes first", "RULE-1"),
    CFG_U64(struct part, size, 0, 65536, UINT64_C(1) << 40, CFG_BYTES, 0, "bytes",
            "RULE-1"),
    CFG_U64(struct part, clock, 1, 1401000000, 10000000000u, CFG_HZ, 0, "clock",
            "RULE-1"),
    CFG_U64(struct part, tick, 0, 0, UINT64_MAX, CFG_PS, 0, "time", "RULE-1"),
    CFG_BOOL(struct part, on, true, "switch", "RULE-1"),
    CFG_U64(struct part, speed, 0, 5700000000, UINT64_MAX, CFG_RATE, 0, "speed",
            "RULE-1"),
    CFG_U32(struct part, fill, 0, 50, 100, CFG_PERCENT, 0, "share", "RULE-1"),
    CFG_TEXT(struct part, split, "48/16", "shared/L1 in KB", "RULE-1"),
};

static const struct cfg_table table = CFG_TABLE(fields);

static const struct cfg_group groups[] = {
    {"sm.smem", &table, offsetof(struct whole, a)},
    {"l2", &table, offsetof(struct whole, b)},
};

static const struct cfg_retired retired[] = {{"l2.assoc", "say l2.banks"}};

static const struct cfg_schema schema = {groups, 2, retired, 1};

static void set(struct whole *w, const char *key, const char *value)
{
    struct smw_err e;

    err_clear(&e);
    if (!cfg_set(&schema, w, key, value, &e)) {
        fail_msg("%s = %s refused: %s", key, value, e.message);
    }
}

static void refused(const char *key, const char *value, const char *message,
                    const char *hint)
{
    struct whole w, before;
    struct smw_err e;

    memset(&w, 0, sizeof(w));
    cfg_defaults(&schema, &w);
    before = w;
    err_clear(&e);
    assert_false(cfg_set(&schema, &w, key, value, &e));
    assert_int_equal(e.kind, SMW_ERR_CONFIG);
    assert_string_equal(e.message, message);
    assert_string_equal(e.hint, hint);
    assert_memory_equal(&w, &before, sizeof(w));
}

static void test_defaults(void **state)
{
    struct whole w = {.before = 7};

    (void)state;
    cfg_defaults(&schema, &w);
    assert_int_equal(w.before, 7);
    assert_int_equal(w.a.banks, 32);
    assert_int_equal(w.b.policy, 1);
    assert_int_equal(w.b.clock, 1401000000);
    assert_true(w.a.on);
    assert_string_equal(w.b.split, "48/16");
}

static void test_numbers(void **state)
{
    static const struct {
        const char *key, *text;
        uint64_t value;
    } cases[] = {
        {"sm.smem.size", "16 KiB", 16384},
        {"sm.smem.size", "16KiB", 16384},
        {"sm.smem.size", "1.5 KiB", 1536},
        {"sm.smem.size", "0.125 MiB", 131072},
        {"sm.smem.size", "768 B", 768},
        {"sm.smem.size", "768", 768},
        {"sm.smem.size", "0x300", 768},
        {"sm.smem.size", "1 GiB", UINT64_C(1) << 30},
        {"sm.smem.size", "0", 0},
        {"sm.smem.clock", "1.4 GHz", 1400000000},
        {"sm.smem.clock", "700 MHz", 700000000},
        {"sm.smem.clock", "700.50 MHz", 700500000},
        {"sm.smem.clock", "32.768kHz", 32768},
        {"sm.smem.clock", "1.000000001 GHz", 1000000001},
        {"sm.smem.tick", "1.5 ns", 1500},
        {"sm.smem.tick", "18446744073709551615", UINT64_MAX},
        {"sm.smem.tick", "0xffffffffffffffff", UINT64_MAX},
        {"sm.smem.tick", "18446744073709.551615 us", UINT64_MAX},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct whole w;
        uint64_t got;

        cfg_defaults(&schema, &w);
        set(&w, cases[i].key, cases[i].text);
        got = strcmp(cases[i].key, "sm.smem.size") == 0    ? w.a.size
              : strcmp(cases[i].key, "sm.smem.clock") == 0 ? w.a.clock
                                                           : w.a.tick;
        if (got != cases[i].value) {
            fail_msg("%s reads as %llu", cases[i].text, (unsigned long long)got);
        }
        assert_int_equal(w.b.size, 65536); /* the other group is left alone */
    }
}

static void test_other_types(void **state)
{
    struct whole w;

    (void)state;
    cfg_defaults(&schema, &w);
    set(&w, "l2.on", "false");
    set(&w, "l2.policy", "two-level");
    set(&w, "l2.split", "16/48");
    set(&w, "l2.latency", "1 cycle");
    set(&w, "l2.fill", "100%");
    assert_false(w.b.on);
    assert_int_equal(w.b.policy, 2);
    assert_string_equal(w.b.split, "16/48");
    assert_int_equal(w.b.latency, 1);
    assert_int_equal(w.b.fill, 100);
    assert_true(w.a.on);
}

static void test_factors(void **state)
{
    static const char *const texts[] = {"x1", "x2", "x0.5", "x1.5", "x0001.50"};
    static const uint32_t want[] = {20, 40, 10, 30, 30};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct whole w;

        cfg_defaults(&schema, &w);
        set(&w, "sm.smem.latency", texts[i]);
        assert_int_equal(w.a.latency, want[i]);
        assert_int_equal(w.b.latency, 20);
    }
    refused("sm.smem.latency", "x1.01",
            "sm.smem.latency: x1.01 of 20 cycles is not a whole number of cycles", "");
    refused("sm.smem.latency", "x51",
            "sm.smem.latency: x51 of 20 cycles is out of range, it may be 1 cycle to "
            "1000 cycles",
            "");
    refused("sm.smem.latency", "x2 cycles", "sm.smem.latency: 'x2 cycles' is no factor",
            "factors are x2, x0.5");
    refused("sm.smem.latency", "x99999999999999999999",
            "sm.smem.latency: x99999999999999999999 of 20 cycles is out of range, it "
            "may be 1 cycle to 1000 cycles",
            "");
    refused("sm.smem.banks", "x1.5", "sm.smem.banks: x1.5 of 32 is not a power of two",
            "");
    refused("sm.smem.latency", "xx", "sm.smem.latency: 'xx' is not a number",
            "it may be 1 cycle to 1000 cycles");
    refused("sm.smem.policy", "x2",
            "sm.smem.policy: 'x2' is not one of lrr, gto, two-level", "");
}

static void test_number(void **state)
{
    static const struct {
        const char *text;
        uint64_t want;
    } good[] = {{"0", 0},
                {"32", 32},
                {"20 cycles", 20},
                {"16 KiB", 16384},
                {"1401 MHz", 1401000000},
                {"50 %", 50},
                {"2 ns", 2000}};
    static const char *const bad[] = {"", "true", "48/16", "gto", "5 apples"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        uint64_t v = 1;

        assert_true(cfg_number(good[i].text, &v));
        assert_int_equal(v, good[i].want);
    }
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        uint64_t v = 1;

        assert_false(cfg_number(bad[i], &v));
    }
}

static void test_refused(void **state)
{
    (void)state;
    refused("sm.smem.banks", "33", "sm.smem.banks: 33 is not a power of two", "");
    refused("sm.smem.banks", "128",
            "sm.smem.banks: 128 is out of range, it may be 1 to 64, power of two", "");
    refused("sm.smem.banks", "0",
            "sm.smem.banks: 0 is out of range, it may be 1 to 64, power of two", "");
    refused("sm.smem.banks", "-1",
            "sm.smem.banks: -1 is out of range, it may be 1 to 64, power of two", "");
    refused("sm.smem.banks", "32 cycles",
            "sm.smem.banks is a plain number, it takes no unit 'cycles'", "");
    refused("sm.smem.latency", "20 ns", "unknown unit 'ns' of sm.smem.latency",
            "it may be cycles, cycle");
    refused("sm.smem.latency", "2.5 cycles",
            "sm.smem.latency: 2.5 cycles is not a whole number of cycles", "");
    refused("sm.smem.latency", "1001",
            "sm.smem.latency: 1001 is out of range, it may be 1 cycle to 1000 cycles",
            "");
    refused("sm.smem.latency", "many", "sm.smem.latency: 'many' is not a number",
            "it may be 1 cycle to 1000 cycles");
    refused("sm.smem.latency", "", "sm.smem.latency: '' is not a number",
            "it may be 1 cycle to 1000 cycles");
    refused("sm.smem.size", "16 KB", "unknown unit 'KB' of sm.smem.size",
            "1024 bytes are written KiB");
    refused("sm.smem.size", "16 KiB 2", "unknown unit 'KiB 2' of sm.smem.size",
            "it may be GiB, MiB, KiB, B, bytes");
    refused("sm.smem.size", "0.3 KiB",
            "sm.smem.size: 0.3 KiB is not a whole number of bytes", "");
    refused("sm.smem.size", "0x", "sm.smem.size: '0x' is not a number",
            "it may be 0 B to 1024 GiB");
    refused("sm.smem.size", ".", "sm.smem.size: '.' is not a number",
            "it may be 0 B to 1024 GiB");
    refused(
        "sm.smem.tick", "18446744073709551616",
        "sm.smem.tick: 18446744073709551616 is out of range, it may be 0 ps or more",
        "");
    refused("sm.smem.tick", "0x10000000000000000",
            "sm.smem.tick: 0x10000000000000000 is out of range, it may be 0 ps or more",
            "");
    refused(
        "sm.smem.tick", "18446744073709552 us",
        "sm.smem.tick: 18446744073709552 us is out of range, it may be 0 ps or more",
        "");
    refused("sm.smem.on", "yes", "sm.smem.on: 'yes' is neither true nor false", "");
    refused("sm.smem.policy", "gta",
            "sm.smem.policy: 'gta' is not one of lrr, gto, "
            "two-level",
            "did you mean 'gto'?");
    refused("sm.smem.policy", "",
            "sm.smem.policy: '' is not one of lrr, gto, two-level", "");
    refused("sm.smem.split", "a\nb",
            "sm.smem.split: the text has a character that is not printable ASCII", "");
    refused("sm.smem.split",
            "1234567890123456789012345678901234567890123456789012345678901234",
            "sm.smem.split: the text is longer than 63 characters", "");
    refused("sm.smem.bancs", "1", "unknown configuration key 'sm.smem.bancs'",
            "did you mean 'sm.smem.banks'?");
    refused("smem.banks", "1", "unknown configuration key 'smem.banks'",
            "did you mean 'sm.smem.banks'?");
    refused("l2.assoc", "1", "there is no key 'l2.assoc' any more", "say l2.banks");
    refused("sm.smem", "1", "unknown configuration key 'sm.smem'", "");
    refused("", "1", "unknown configuration key ''", "");
    refused("sm.smemxbanks", "1", "unknown configuration key 'sm.smemxbanks'",
            "did you mean 'sm.smem.banks'?");
}

static void shows(const char *key, const char *value, const char *text)
{
    struct whole w, again;
    char buf[CFG_TEXT_SIZE];

    cfg_defaults(&schema, &w);
    set(&w, key, value);
    assert_true(cfg_show(&schema, &w, key, buf, sizeof(buf)));
    assert_string_equal(buf, text);
    cfg_defaults(&schema, &again);
    set(&again, key, buf);
    assert_int_equal(cfg_digest(&schema, &w), cfg_digest(&schema, &again));
}

static void test_show(void **state)
{
    char buf[8];
    struct whole w;

    (void)state;
    shows("l2.size", "16384", "16 KiB");
    shows("l2.size", "1.5 MiB", "1536 KiB");
    shows("l2.size", "1000", "1000 B");
    shows("l2.size", "0", "0 B");
    shows("l2.clock", "1.4 GHz", "1400 MHz");
    shows("l2.clock", "2000 MHz", "2 GHz");
    shows("l2.clock", "1", "1 Hz");
    shows("l2.tick", "714", "714 ps");
    shows("l2.speed", "5.7 GB/s", "5700 MB/s");
    shows("l2.speed", "12 GB/s", "12 GB/s");
    shows("l2.speed", "1", "1 B/s");
    shows("l2.latency", "1", "1 cycle");
    shows("l2.latency", "20", "20 cycles");
    shows("l2.fill", "7 %", "7%");
    shows("l2.banks", "0x10", "16");
    shows("l2.on", "false", "false");
    shows("l2.policy", "lrr", "lrr");
    shows("l2.split", "32/32", "32/32");
    cfg_defaults(&schema, &w);
    assert_false(cfg_show(&schema, &w, "l2.nothing", buf, sizeof(buf)));
}

static void test_digest(void **state)
{
    struct whole a, b;

    (void)state;
    memset(&a, 0, sizeof(a));
    memset(&b, 0xff, sizeof(b)); /* padding must not matter */
    cfg_defaults(&schema, &a);
    cfg_defaults(&schema, &b);
    assert_int_equal(cfg_digest(&schema, &a), cfg_digest(&schema, &b));
    set(&b, "l2.banks", "16");
    assert_int_not_equal(cfg_digest(&schema, &a), cfg_digest(&schema, &b));
    set(&a, "sm.smem.banks", "16"); /* the same value under another key */
    assert_int_not_equal(cfg_digest(&schema, &a), cfg_digest(&schema, &b));
}

static void count_key(void *ctx, const char *key, const struct cfg_field *f)
{
    uint32_t *n = ctx;
    char buf[128];

    cfg_range(f, buf, sizeof(buf));
    assert_true(buf[0] != '\0');
    if (*n == 0) {
        assert_string_equal(key, "sm.smem.banks");
        assert_string_equal(buf, "1 to 64, power of two");
    }
    if (*n == 19) {
        assert_string_equal(key, "l2.split");
        assert_string_equal(buf, "text of up to 63 characters");
    }
    (*n)++;
}

static void test_each(void **state)
{
    uint32_t n = 0;

    (void)state;
    cfg_each(&schema, count_key, &n);
    assert_int_equal(n, 20);
    assert_string_equal(cfg_unit_name(CFG_CYCLES), "cycles");
    assert_string_equal(cfg_unit_name(CFG_PLAIN), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),    cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_other_types), cmocka_unit_test(test_factors),
        cmocka_unit_test(test_number),      cmocka_unit_test(test_refused),
        cmocka_unit_test(test_show),        cmocka_unit_test(test_digest),
        cmocka_unit_test(test_each),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
