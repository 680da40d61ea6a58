/* Kernel printf: conversions, alignment of arguments, too few and too many of them. */
#include "sm/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct args { /* packed as the compiler does it: aligned to their size */
    uint8_t bytes[256];
    uint32_t n, count;
};

static void put(struct args *a, const void *v, uint32_t n)
{
    a->n = (a->n + n - 1) / n * n;
    memcpy(a->bytes + a->n, v, n);
    a->n += n;
    a->count++;
}

static void put_i(struct args *a, int32_t v)
{
    put(a, &v, 4);
}

static void put_l(struct args *a, int64_t v)
{
    put(a, &v, 8);
}

static void put_f(struct args *a, double v)
{
    put(a, &v, 8);
}

static void device_text(void *ctx, uint64_t addr, char *buf, size_t size)
{
    (void)ctx;
    (void)snprintf(buf, size, "<%llx>", (unsigned long long)addr);
}

static const struct format_source source = {device_text, NULL};

static void expect_n(const char *format, const struct args *a, uint32_t n,
                     const char *want)
{
    char buf[512];
    size_t len = format_text(format, a->bytes, n, &source, buf, sizeof(buf));

    assert_string_equal(buf, want);
    assert_int_equal(len, strlen(want));
}

/* All arguments used, and the format asks for exactly those. */
static void expect(const char *format, const struct args *a, const char *want)
{
    uint32_t n_args;

    assert_int_equal(format_bytes(format, &n_args), a->n);
    assert_int_equal(n_args, a->count);
    expect_n(format, a, a->n, want);
}

static void test_plain(void **state)
{
    struct args a = {.n = 0, .count = 0};

    (void)state;
    expect("", &a, "");
    expect("no conversion\n", &a, "no conversion\n");
    expect("100%% sure%%", &a, "100% sure%");
    expect("ends in %", &a, "ends in ");
    expect("ends in %-08.3", &a, "ends in ");
    expect("ends in %ll", &a, "ends in ");
}

static void test_integers(void **state)
{
    struct args a = {.n = 0, .count = 0};

    (void)state;
    put_i(&a, -5);
    put_i(&a, -1);
    put_i(&a, 255);
    put_i(&a, 255);
    put_i(&a, 8);
    put_i(&a, 'q');
    expect("%d %u %x %X %o %c", &a, "-5 4294967295 ff FF 10 q");
    a.n = a.count = 0;
    put_i(&a, 42);
    put_i(&a, 42);
    put_i(&a, 42);
    put_i(&a, 42);
    put_i(&a, 42);
    put_i(&a, -7);
    put_i(&a, 255);
    expect("%5d|%-5d|%05d|%+d|% d|%i|%#x", &a, "   42|42   |00042|+42| 42|-7|0xff");
}

static void test_wide_integers(void **state)
{
    struct args a = {.n = 0, .count = 0};

    (void)state;
    put_l(&a, -(1ll << 40));
    put_l(&a, 0xfedcba9876543210ll);
    put_l(&a, -1);
    put_l(&a, -1);
    put_l(&a, 77);
    expect("%lld %llx %llu %ld %zu", &a,
           "-1099511627776 fedcba9876543210 18446744073709551615 -1 77");
}

/* As C says: the value is converted to the short type. */
static void test_narrow_integers(void **state)
{
    struct args a = {.n = 0, .count = 0};

    (void)state;
    put_i(&a, 70000);
    put_i(&a, -1);
    put_i(&a, -1);
    put_i(&a, 200);
    put_i(&a, 0x12345);
    expect("%hd %hu %hhx %hhd %hx", &a, "4464 65535 ff -56 2345");
}

static void test_floats(void **state)
{
    struct args a = {.n = 0, .count = 0};

    (void)state;
    put_f(&a, 3.14159);
    put_f(&a, 2.5);
    put_f(&a, 1.0 / 3);
    put_f(&a, 1e-10);
    put_f(&a, 1.0);
    expect("%f|%5.2f|%08.3e|%g|%a", &a, "3.141590| 2.50|3.333e-01|1e-10|0x1p+0");
    a.n = a.count = 0;
    put_f(&a, -0.0);
    put_f(&a, 1e300 * 1e300);
    put_f(&a, -1.5);
    expect("%f %f %8.1F", &a, "-0.000000 inf     -1.5");
}

static void test_strings_and_pointers(void **state)
{
    struct args a = {.n = 0, .count = 0};

    (void)state;
    put_l(&a, 0x10000040);
    put_l(&a, 0x1);
    put_l(&a, 0x2);
    put_l(&a, 0x3);
    expect("%p %s|%-8s|%8s|", &a, "0x10000040 <1>|<2>     |     <3>|");
    a.n = a.count = 0;
    put_l(&a, 0xabc);
    expect("%.3s", &a, "<ab");
}

/* 8-byte arguments start at multiples of 8, 4-byte ones do not. */
static void test_alignment(void **state)
{
    struct args a = {.n = 0, .count = 0};

    (void)state;
    put_i(&a, 1);
    put_f(&a, 0.5);
    put_i(&a, 2);
    put_i(&a, 3);
    put_l(&a, 4);
    put_i(&a, 5);
    put_l(&a, 6);
    assert_int_equal(a.n, 48);
    expect("%d %.1f %d %d %lld %d %s", &a, "1 0.5 2 3 4 5 <6>");
}

static void test_stars(void **state)
{
    struct args a = {.n = 0, .count = 0};

    (void)state;
    put_i(&a, 6);
    put_i(&a, 42);
    put_i(&a, -6);
    put_i(&a, 42);
    expect("%*d|%*d|", &a, "    42|42    |");
    a.n = a.count = 0;
    put_i(&a, 8);
    put_i(&a, 2);
    put_f(&a, 3.14159);
    expect("%*.*f", &a, "    3.14");
    a.n = a.count = 0;
    put_i(&a, -1); /* a negative precision is as if there were none */
    put_f(&a, 1.5);
    expect("%.*f", &a, "1.500000");
    a.n = a.count = 0;
    put_i(&a, INT32_MAX);
    put_i(&a, 1);
    {
        char buf[32];

        assert_int_equal(format_text("%*d", a.bytes, a.n, &source, buf, sizeof(buf)),
                         31);
        assert_int_equal(strlen(buf), 31);
    }
}

static void test_too_few(void **state)
{
    struct args a = {.n = 0, .count = 0};

    (void)state;
    put_i(&a, 9);
    expect_n("%d %d %lld %s %f", &a, a.n, "9 0 0 <0> 0.000000");
    expect_n("%lld", &a, a.n, "0"); /* half of it is not enough */
    expect_n("%d", &a, 0, "0");
}

static void test_too_many(void **state)
{
    struct args a = {.n = 0, .count = 0};

    (void)state;
    put_i(&a, 9);
    put_i(&a, 10);
    put_l(&a, 11);
    expect_n("%d", &a, a.n, "9");
    expect_n("none", &a, a.n, "none");
}

/* Whatever the format, the buffer's end is kept. */
static void test_short_buffer(void **state)
{
    struct args a = {.n = 0, .count = 0};
    char buf[16];

    (void)state;
    put_i(&a, 1234567);
    for (size_t size = 1; size <= sizeof(buf); size++) {
        static const char whole[] = "ab1234567cd";
        size_t n;

        memset(buf, 'x', sizeof(buf));
        n = format_text("ab%dcd", a.bytes, a.n, &source, buf, size);
        assert_int_equal(n, size - 1 < 11 ? size - 1 : 11);
        assert_int_equal(strlen(buf), n);
        assert_memory_equal(buf, whole, n);
        assert_true(size == sizeof(buf) || buf[size] == 'x');
    }
}

static void test_nonsense(void **state)
{
    struct args a = {.n = 0, .count = 0};
    char buf[64];
    uint32_t x = 1;

    (void)state;
    put_i(&a, 5);
    (void)format_text("%y %n %-+ #0000000000000000000000000000000000d", a.bytes, a.n,
                      &source, buf, sizeof(buf));
    (void)format_text("%99999999999999999d", a.bytes, a.n, &source, buf, sizeof(buf));
    for (uint32_t i = 0; i < 20000; i++) { /* any text is a format */
        static const char set[] = "%%%%dsulxf*.-+#0123456789hqjz cpeg";
        char format[24];
        uint32_t n_args;
        size_t n;

        for (uint32_t k = 0; k + 1 < sizeof(format); k++) {
            x = x * 1664525u + 1013904223u;
            format[k] = set[(x >> 16) % (sizeof(set) - 1)];
        }
        format[sizeof(format) - 1] = '\0';
        n = format_text(format, a.bytes, sizeof(a.bytes), &source, buf, sizeof(buf));
        assert_true(n < sizeof(buf) && buf[n] == '\0');
        assert_true(format_bytes(format, &n_args) < 1000 && n_args < 40);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_wide_integers),
        cmocka_unit_test(test_narrow_integers),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_strings_and_pointers),
        cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_stars),
        cmocka_unit_test(test_too_few),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_short_buffer),
        cmocka_unit_test(test_nonsense),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
