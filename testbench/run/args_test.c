#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "run/args.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t address[] = {0x123456789a, 0x200};

static struct smw_device *device;

/* The block of a launch of kernel with these args; NULL and *e if refused. */
static unsigned char *build(const char *kernel, const char *args, uint32_t *bytes,
                            struct smw_err *e)
{
    char text[512];
    struct launch_file l;
    struct smw_module *m;
    const struct smw_kernel *k;
    unsigned char *block;

    snprintf(
        text, sizeof(text),
        "module: kernels.ptx\nbuffers: {far: {type: u8, count: 1}, near: {type: u8, "
        "count: 1}}\nlaunches:\n- kernel: %s\n  grid: [1]\n  block: [1]\n  args: %s\n",
        kernel, args);
    if (!launch_parse(&l, "t.yml", text, strlen(text), e)) {
        fail_msg("%s", e->message);
    }
    m = smw_load(device, "kernels\n", 8, "kernels.ptx", e);
    k = smw_kernel(m, kernel, e);
    block = args_build(&l, &l.runs[0], k, address, bytes, e);
    launch_free(&l);
    return block;
}

static void good(const char *kernel, const char *args, const void *expected,
                 uint32_t size)
{
    struct smw_err e = {0};
    uint32_t bytes = 0;
    unsigned char *block = build(kernel, args, &bytes, &e);

    if (block == NULL) {
        fail_msg("%s: %s", args, e.message);
    }
    assert_int_equal(bytes, size);
    assert_memory_equal(block, expected, size);
    free(block);
}

static void refused(const char *kernel, const char *args, uint32_t column,
                    const char *message)
{
    struct smw_err e = {0};
    uint32_t bytes = 0;

    assert_null(build(kernel, args, &bytes, &e));
    assert_string_equal(e.message, message);
    assert_int_equal(e.kind, SMW_ERR_INPUT);
    assert_int_equal(e.line, 7);
    assert_int_equal(e.column, column);
}

static void test_simple(void **state)
{
    (void)state;
    good("reverse", "[far, 64]", "\x9a\x78\x56\x34\x12\0\0\0\x40\0\0\0", 12);
    good("reverse", "[0, -1]", "\0\0\0\0\0\0\0\0\xff\xff\xff\xff", 12);
    good("reverse", "[0xffffffffffffffff, 4294967295]",
         "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 12);
    good("reverse", "[near, {f32: 1.0}]", "\0\2\0\0\0\0\0\0\0\0\x80\x3f", 12);
    good("hello", "[]", "", 0);
}

static void test_structure(void **state)
{
    (void)state;
    /* u16 at 0, f32 at 4, 16 bytes at 8 */
    good("params", "[-2, 0.5, [{u8: 7}, {s32: -1}, near]]",
         "\xfe\xff\0\0\0\0\0\x3f\x07\0\0\0\xff\xff\xff\xff\0\2\0\0\0\0\0\0", 24);
    good("params", "[1, {f32: 2}, zero]",
         "\x01\0\0\0\0\0\0\x40\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24);
    good("params",
         "[{f16: -2}, {raw: 0000A0c1}, {raw: 000102030405060708090a0b0c0d0e0F}]",
         "\x00\xc0\0\0\0\0\xa0\xc1\0\1\2\3\4\5\6\7\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f",
         24);
    refused("params", "[1, 0.5, {raw: 0011}]", 18,
            "parameter 's' is .b8 of 16 bytes: the bytes given are not as many");
    refused("params", "[1, 0.5, [{u8: 7}, far, near]]", 33,
            "parameter 's' is .b8 of 16 bytes: the members do not fit");
    refused("params", "[1, 0.5, [{u8: 7}]]", 18,
            "parameter 's' is .b8 of 16 bytes: the members do not fill it");
    refused("params", "[1, 0.5, 3]", 18,
            "parameter 's' is .b8 of 16 bytes: a structure takes a list of members, "
            "[{type: value}, ...]");
}

static void test_refused(void **state)
{
    (void)state;
    refused("reverse", "[far]", 9,
            "kernel 'reverse' takes 2 arguments (.u64 d, .u32 n), 1 is given");
    refused("reverse", "[far, 1, 2]", 9,
            "kernel 'reverse' takes 2 arguments (.u64 d, .u32 n), 3 are given");
    refused("hello", "[far]", 9, "kernel 'hello' takes 0 arguments, 1 is given");
    refused("reverse", "[far, 4294967296]", 15,
            "parameter 'n' is .u32 of 4 bytes: the number does not fit");
    refused("reverse", "[far, -2147483649]", 15,
            "parameter 'n' is .u32 of 4 bytes: the number does not fit");
    refused("reverse", "[far, 99999999999999999999]", 15,
            "parameter 'n' is .u32 of 4 bytes: the number does not fit");
    refused(
        "reverse", "[far, 0.5]", 15,
        "parameter 'n' is .u32 of 4 bytes: it takes a whole number; write {f32: ...} "
        "for bits");
    refused("reverse", "[far, far]", 15,
            "parameter 'n' is .u32 of 4 bytes: the address of a buffer has 64 bits");
    refused("reverse", "[far, {u64: 1}]", 15,
            "parameter 'n' is .u32 of 4 bytes: the value has another size");
    refused("params", "[near, 1, [near, near]]", 10,
            "parameter 'h' is .u16 of 2 bytes: it cannot hold the address of a buffer");
    refused("params", "[1, near, [near, near]]", 13,
            "parameter 'f' is .f32 of 4 bytes: it cannot hold the address of a buffer");
    refused("params", "[1, 1e39, [near, near]]", 13, "1e39 is too large for f32");
    refused("params", "[65536, 1, [near, near]]", 10,
            "parameter 'h' is .u16 of 2 bytes: the number does not fit");
}

static int open_device(void **state)
{
    struct smw_config *c = smw_config_new();
    struct smw_err e = {0};

    (void)state;
    device = smw_open(c, NULL, &e);
    smw_config_free(c);
    return device == NULL;
}

static int close_device(void **state)
{
    (void)state;
    smw_close(device);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_simple),
        cmocka_unit_test(test_structure),
        cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, open_device, close_device);
}
