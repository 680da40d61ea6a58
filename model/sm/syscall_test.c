/* printf, assertions and traps, without an SM: which bytes are fetched, what comes of
 * them. */
#include "sm/syscall.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FRAME = 2, N_SLOTS = 12 }; /* the outgoing parameters begin at slot 2 */

struct bench {
    struct memory m;
    struct isa_uop u;
    uint32_t r[N_SLOTS * ISA_LANES];
    struct isa_lanes lanes;
    struct syscall *c;
    uint64_t text; /* an allocation of 512 bytes, the last one */
};

static struct bench *set_up(void)
{
    struct bench *b = calloc(1, sizeof(*b));
    struct smw_err e;

    assert_non_null(b);
    err_clear(&e);
    assert_true(memory_init(&b->m, 1 << 20, &e));
    assert_true(memory_alloc(&b->m, 512, &b->text, &e));
    b->u.frame = FRAME;
    b->lanes.r = b->r;
    b->c = syscall_new();
    return b;
}

static void tear_down(struct bench *b)
{
    memory_free(&b->m);
    free(b->c);
    free(b);
}

static void put(struct bench *b, uint32_t offset, const char *text)
{
    memory_write(&b->m, b->text + offset, text, strlen(text) + 1);
}

/* Word w of the call, of a lane. */
static void set_word(struct bench *b, uint32_t w, uint32_t lane, uint32_t value)
{
    b->r[(FRAME + w) * ISA_LANES + lane] = value;
}

static void set_wide(struct bench *b, uint32_t k, uint32_t lane, uint64_t addr)
{
    set_word(b, 2 + 2 * k, lane, (uint32_t)addr);
    set_word(b, 3 + 2 * k, lane, (uint32_t)(addr >> 32));
}

/* Behind the 32-bit result come addresses: of 64 bits, at multiples of 8, or of 32. */
static void test_parameters(void **state)
{
    struct bench *b = set_up();
    const struct syscall_args wide = syscall_args(&b->u, &b->lanes, true);
    const struct syscall_args narrow = syscall_args(&b->u, &b->lanes, false);

    (void)state;
    for (uint32_t w = 0; w < 6; w++) {
        for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
            set_word(b, w, lane, 1000 * w + lane);
        }
    }
    assert_int_equal(syscall_param(&wide, 0, 5), 2005 | 3005ull << 32);
    assert_int_equal(syscall_param(&wide, 1, 31), 4031 | 5031ull << 32);
    assert_int_equal(syscall_param(&narrow, 0, 5), 1005);
    assert_int_equal(syscall_param(&narrow, 1, 31), 2031);
    tear_down(b);
}

/* Lanes of two formats: all fetch what the longer one asks for, each returns its own
 * number of arguments. */
static void test_two_formats(void **state)
{
    struct bench *b = set_up();
    const struct syscall_args a = syscall_args(&b->u, &b->lanes, true);
    const uint32_t mask = 1u << 3 | 1u << 4 | 1u << 9;
    uint64_t addr[ISA_LANES];
    uint32_t lane = 99, n = 0;

    (void)state;
    put(b, 0, "%d\n");
    put(b, 64, "%d %lld %s\n"); /* 4, 4 of padding, 8, 8 */
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        set_wide(b, 0, l, b->text + (l == 4 ? 64 : 0));
        set_wide(b, 1, l, ISA_LOCAL_WINDOW + 40 + 100 * l);
    }
    assert_false(syscall_has_begun(b->c));
    assert_true(syscall_measure(b->c, &b->m, &a, mask, &lane));
    assert_true(syscall_has_begun(b->c));
    assert_int_equal(lane, 99);
    assert_int_equal(b->c->bytes, 24);
    while (!syscall_has_all(b->c)) { /* 4 bytes at a time, not one too many */
        uint32_t word[ISA_LANES];

        assert_int_equal(b->c->fetched, 4 * n);
        syscall_next(b->c, &a, addr);
        for (uint32_t l = 0; l < ISA_LANES; l++) {
            assert_int_equal(addr[l], 40 + 100 * l + 4 * n);
            word[l] = 0x01010101 * (n + 1) + l;
        }
        syscall_take(b->c, mask, word);
        n++;
    }
    assert_int_equal(n, 24 / 4);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t got;

        memcpy(&got, b->c->args[9] + 4 * (size_t)k, 4);
        assert_int_equal(got, 0x01010101 * (k + 1) + 9);
        memcpy(&got, b->c->args[5] + 4 * (size_t)k, 4);
        assert_int_equal(got, 0); /* did not call */
    }
    set_word(b, 0, 5, 77);
    syscall_return(b->c, &a, mask);
    assert_int_equal(b->r[FRAME * ISA_LANES + 3], 1);
    assert_int_equal(b->r[FRAME * ISA_LANES + 4], 3);
    assert_int_equal(b->r[FRAME * ISA_LANES + 9], 1);
    assert_int_equal(b->r[FRAME * ISA_LANES + 5], 77);
    assert_false(syscall_has_begun(b->c)); /* the next call begins */
    tear_down(b);
}

/* Nothing to fetch: done at once. */
static void test_no_arguments(void **state)
{
    struct bench *b = set_up();
    const struct syscall_args a = syscall_args(&b->u, &b->lanes, true);
    uint32_t lane;

    (void)state;
    put(b, 0, "100 %%\n");
    set_wide(b, 0, 0, b->text);
    assert_true(syscall_measure(b->c, &b->m, &a, 1, &lane));
    assert_true(syscall_has_all(b->c));
    syscall_return(b->c, &a, 1);
    assert_int_equal(b->r[FRAME * ISA_LANES], 0);
    tear_down(b);
}

/* More than a lane can hold is not fetched. */
static void test_too_many_arguments(void **state)
{
    struct bench *b = set_up();
    const struct syscall_args a = syscall_args(&b->u, &b->lanes, false);
    uint32_t lane;
    char format[200] = "";

    (void)state;
    for (uint32_t i = 0; i < 33; i++) {
        strcat(format, "%lld ");
    }
    put(b, 0, format);
    set_word(b, 1, 0, (uint32_t)b->text);
    assert_true(syscall_measure(b->c, &b->m, &a, 1, &lane));
    assert_int_equal(b->c->bytes, SYSCALL_BYTES);
    assert_int_equal(b->c->n_args[0], 33);
    tear_down(b);
}

/* A format that is nowhere, or runs out of its allocation before it ends. */
static void test_formats_that_are_not_there(void **state)
{
    struct bench *b = set_up();
    const struct syscall_args a = syscall_args(&b->u, &b->lanes, true);
    uint8_t full[512];
    uint32_t lane = 99;

    (void)state;
    memset(full, 'x', sizeof(full));
    memory_write(&b->m, b->text, full, sizeof(full));
    put(b, 0, "good");
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        set_wide(b, 0, l, b->text);
    }
    set_wide(b, 0, 6, 16);
    set_wide(b, 0, 8, b->text + 500);
    assert_false(syscall_measure(b->c, &b->m, &a, UINT32_MAX, &lane));
    assert_int_equal(lane, 6);
    assert_false(syscall_measure(b->c, &b->m, &a, UINT32_MAX & ~(1u << 6), &lane));
    assert_int_equal(lane, 8);
    assert_true(syscall_measure(b->c, &b->m, &a, 0xff & ~(1u << 6), &lane));
    tear_down(b);
}

static void test_assertion(void **state)
{
    struct bench *b = set_up();
    char text[256], longest[400];

    (void)state;
    b->u.form.op = ISA_OP_CALL;
    put(b, 0, "n > 0");
    put(b, 64, "kernel.cu");
    set_word(b, 0, 7, (uint32_t)b->text);
    set_word(b, 2, 7, (uint32_t)b->text + 64);
    set_word(b, 4, 7, 123);
    assert_string_equal(syscall_stop(&b->u, &b->lanes, &b->m, 7, text, sizeof(text)),
                        "assertion");
    assert_string_equal(text, "assertion failed: n > 0 (kernel.cu:123)");
    set_word(b, 2, 7, 8); /* a name that is nowhere */
    (void)syscall_stop(&b->u, &b->lanes, &b->m, 7, text, sizeof(text));
    assert_string_equal(text, "assertion failed: n > 0 (?:123)");
    memset(longest, 'y', sizeof(longest));
    longest[399] = '\0';
    put(b, 0, longest); /* is cut */
    (void)syscall_stop(&b->u, &b->lanes, &b->m, 7, text, sizeof(text));
    assert_int_equal(strspn(text + strlen("assertion failed: "), "y"), 95);
    assert_non_null(strstr(text, "y (?:123)"));
    tear_down(b);
}

static void test_trap(void **state)
{
    struct bench *b = set_up();
    char text[256];

    (void)state;
    b->u.form.op = ISA_OP_TRAP;
    assert_string_equal(syscall_stop(&b->u, &b->lanes, &b->m, 0, text, sizeof(text)),
                        "trap");
    assert_string_equal(text, "the kernel executed trap");
    b->u.form.op = ISA_OP_BRKPT;
    (void)syscall_stop(&b->u, &b->lanes, &b->m, 0, text, sizeof(text));
    assert_string_equal(text, "the kernel executed brkpt");
    tear_down(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_two_formats),
        cmocka_unit_test(test_no_arguments),
        cmocka_unit_test(test_too_many_arguments),
        cmocka_unit_test(test_formats_that_are_not_there),
        cmocka_unit_test(test_assertion),
        cmocka_unit_test(test_trap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
