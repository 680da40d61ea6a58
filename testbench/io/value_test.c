#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "io/file.h"
#include "io/value.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fill count elements of the type as the form says; out holds them. */
static void fill(const char *form, enum value_type type, uint64_t bytes, void *out)
{
    char text[256];
    struct yaml y;
    struct smw_err e = {0};
    struct value_init init;

    snprintf(text, sizeof(text), "v: %s\n", form);
    assert_true(yaml_parse(&y, "t.yml", text, strlen(text), SMW_ERR_INPUT, &e));
    if (!value_read_init(&y, yaml_get(y.root, "v"), type, &init, &e) ||
        !value_fill(&init, type, out, bytes, &e)) {
        fail_msg("%s: %s", form, e.message);
    }
    yaml_free(&y);
}

static void refused(const char *form, enum value_type type, uint32_t column,
                    const char *message)
{
    char text[256];
    unsigned char out[64];
    struct yaml y;
    struct smw_err e = {0};
    struct value_init init;

    snprintf(text, sizeof(text), "v: %s\n", form);
    assert_true(yaml_parse(&y, "t.yml", text, strlen(text), SMW_ERR_INPUT, &e));
    assert_false(value_read_init(&y, yaml_get(y.root, "v"), type, &init, &e) &&
                 value_fill(&init, type, out, sizeof(out), &e));
    assert_string_equal(e.message, message);
    assert_int_equal(e.line, 1);
    assert_int_equal(e.column, column);
    assert_int_equal(e.kind, SMW_ERR_INPUT);
    yaml_free(&y);
}

static void test_splitmix64(void **state)
{
    uint64_t s = 0;

    (void)state;
    assert_true(value_splitmix64(&s) == UINT64_C(0xe220a8397b1dcdaf));
    assert_true(value_splitmix64(&s) == UINT64_C(0x6e789e6aa1b965f4));
    assert_true(value_splitmix64(&s) == UINT64_C(0x06c45d188009454f));
}

static void test_fnv1a(void **state)
{
    (void)state;
    assert_true(value_fnv1a("", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(value_fnv1a("a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(value_fnv1a("foobar", 6) == UINT64_C(0x85944171f73967e8));
}

static void test_simple_forms(void **state)
{
    uint8_t u8[4] = {9, 9, 9, 9};
    int16_t s16[4];
    uint32_t u32[4];
    int64_t s64[3];
    float f32[3];
    double f64[3];

    (void)state;
    fill("zero", VALUE_U8, 4, u8);
    assert_int_equal(u8[0] | u8[1] | u8[2] | u8[3], 0);
    fill("{fill: -2}", VALUE_S16, 8, s16);
    assert_int_equal(s16[0], -2);
    assert_int_equal(s16[3], -2);
    fill("{fill: 0xff}", VALUE_U8, 4, u8);
    assert_int_equal(u8[3], 255);
    fill("{iota: [63, -1]}", VALUE_U32, 16, u32);
    assert_int_equal(u32[0], 63);
    assert_int_equal(u32[3], 60);
    fill("{iota: [254, 1]}", VALUE_U8, 4, u8); /* integers wrap */
    assert_int_equal(u8[1], 255);
    assert_int_equal(u8[2], 0);
    fill("{iota: [-1, -9223372036854775808]}", VALUE_S64, 24, s64);
    assert_true(s64[0] == -1);
    assert_true(s64[1] == INT64_MAX);
    fill("{iota: [0.5, 0.25]}", VALUE_F32, 12, f32);
    assert_true(f32[0] == 0.5f && f32[1] == 0.75f && f32[2] == 1.0f);
    fill("{fill: 0.1}", VALUE_F32, 12, f32);
    assert_true(f32[2] == 0.1f);
    fill("{fill: 0.1}", VALUE_F64, 24, f64);
    assert_true(f64[2] == 0.1);
}

static void test_random(void **state)
{
    uint32_t u32[4];
    unsigned char bytes[6];
    float f32[6];
    int16_t s16[6];
    static const int expected[6] = {2, -4, -6, 4, -6, -8};

    (void)state;
    fill("{random: {seed: 393, mask: 0xffff}}", VALUE_S32, 16, u32);
    assert_int_equal(u32[0], 0xafbe);
    assert_int_equal(u32[1], 0xa44c);
    assert_int_equal(u32[3], 0xc22d);
    /* The bytes are words whatever the type, the last one cut off. */
    fill("{random: {seed: 393, mask: 0xffff}}", VALUE_U8, 6, bytes);
    assert_memory_equal(bytes, u32, 6);
    fill("{random: {seed: 262, modulo: 17, offset: -8}}", VALUE_F32, 24, f32);
    fill("{random: {seed: 262, modulo: 17, offset: -8}}", VALUE_S16, 12, s16);
    for (int i = 0; i < 6; i++) {
        assert_true(f32[i] == (float)expected[i]);
        assert_int_equal(s16[i], expected[i]);
    }
}

static void test_refused(void **state)
{
    (void)state;
    refused("{fill: 256}", VALUE_U8, 11, "256 does not fit u8");
    refused("{fill: -1}", VALUE_U32, 11, "-1 does not fit u32");
    refused("{fill: -129}", VALUE_S8, 11, "-129 does not fit s8");
    refused("{fill: 9223372036854775808}", VALUE_S64, 11,
            "9223372036854775808 does not fit s64");
    refused("{fill: 99999999999999999999}", VALUE_U64, 11,
            "99999999999999999999 does not fit u64");
    refused("{fill: 0.5}", VALUE_S32, 11, "0.5 is not a whole number, s32 needs one");
    refused("{fill: nan}", VALUE_S32, 11, "nan is not a whole number, s32 needs one");
    refused("{fill: x}", VALUE_S32, 11, "'x' is not a number");
    refused("{fill: 1e39}", VALUE_F32, 11, "1e39 is too large for f32");
    refused("{fill: }", VALUE_F32, 5, "'' is not a number");
    refused("{fill: [1]}", VALUE_F32, 11,
            "a number must be a single value, not a list");
    refused("{iota: 3}", VALUE_S32, 11, "iota must be a list, not a single value");
    refused("{iota: [1]}", VALUE_S32, 11,
            "iota takes two numbers, [start, step], not 1");
    refused("{iota: [1, 0.5]}", VALUE_S32, 15, "'0.5' is not a whole number");
    refused("{iota: [300, 1]}", VALUE_U8, 12, "300 does not fit u8");
    refused("{random: {mask: 1}}", VALUE_U8, 13, "random has no 'seed'");
    refused("{random: {seed: -1, mask: 1}}", VALUE_U8, 20,
            "seed: -1 is out of range, it may be 0 to 2^64 - 1");
    refused("{random: {seed: 1, mask: 0x100000000}}", VALUE_U8, 29,
            "mask: 0x100000000 is out of range, it may be 0 to 4294967295");
    refused("{random: {seed: 1, modulo: 0}}", VALUE_U8, 31,
            "modulo: 0 is out of range, it may be 1 to 2^64 - 1");
    refused("{random: {seed: 1, mask: 3, modulo: 5}}", VALUE_U8, 32,
            "random takes either a mask or a modulo, not both");
    refused("{random: {seed: 1, uniform: [0, 1]}}", VALUE_U8, 23,
            "uniform makes floats, the elements are u8");
    refused("{random: {seed: 1, normal: [0]}}", VALUE_F16, 31,
            "normal takes two numbers, not 1");
    refused("{random: {seed: 1, normal: [0, 1], uniform: [0, 1]}}", VALUE_F16, 13,
            "random takes one of mask, modulo, uniform, normal");
    refused("{fill: 70000}", VALUE_F16, 11, "70000 is too large for f16");
    refused("{fill: 500}", VALUE_E4M3, 11, "500 is too large for e4m3");
    refused("{random: {seed: 1, offset: 5}}", VALUE_U8, 23,
            "random takes an offset only with a modulo");
    refused("{fill: 1, iota: [0, 1]}", VALUE_U8, 4,
            "the contents are given in several ways: one of fill, iota, file, random");
    refused("{}", VALUE_U8, 4,
            "the contents are given in no way: one of fill, iota, file, random");
    refused("zeroes", VALUE_U8, 4, "'zeroes' is no way to fill a buffer");
    refused("{fil: 1}", VALUE_U8, 5, "unknown key 'fil' in the contents");
    refused("{file: ''}", VALUE_U8, 11, "file: the name is empty");
    refused("{file: missing.bin}", VALUE_U8, 11,
            "missing.bin: No such file or directory");
    refused("{file: /}", VALUE_U8, 11, "/ is a directory, not a file");
}

static void prints(const char *form, enum value_type type, const char *text)
{
    unsigned char out[8];
    char buf[64];

    fill(form, type, value_type_size(type), out);
    value_print(type, out, 0, buf, sizeof(buf));
    assert_string_equal(buf, text);
}

static void test_print(void **state)
{
    (void)state;
    prints("{fill: -5}", VALUE_S8, "-5");
    prints("{fill: 18446744073709551615}", VALUE_U64, "18446744073709551615");
    prints("{fill: -9223372036854775808}", VALUE_S64, "-9223372036854775808");
    prints("{fill: 256}", VALUE_F32, "256");
    prints("{fill: 0.1}", VALUE_F32, "0.1");
    prints("{fill: 0.1}", VALUE_F64, "0.1");
    prints("{fill: 0.3333333432674408}", VALUE_F32, "0.33333334");
    prints("{fill: nan}", VALUE_F64, "nan");
    prints("{fill: 0.1}", VALUE_F16, "0.1");
    prints("{fill: 65504}", VALUE_F16, "65504");
    prints("{fill: -inf}", VALUE_BF16, "-inf");
    prints("{fill: 3.14159}", VALUE_BF16, "3.14");
    prints("{fill: 448}", VALUE_E4M3, "448");
    prints("{fill: 0.3}", VALUE_E5M2, "0.3");
    prints("{fill: nan}", VALUE_E4M3, "nan");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_splitmix64),   cmocka_unit_test(test_fnv1a),
        cmocka_unit_test(test_simple_forms), cmocka_unit_test(test_random),
        cmocka_unit_test(test_refused),      cmocka_unit_test(test_print),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
