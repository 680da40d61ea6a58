#include "mem/memory.h"

#include "mem/rand_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PAGE = 65536, MIB = 1 << 20 };

static void make(struct memory *m, uint64_t size)
{
    struct smw_err e = {0};

    assert_true(memory_init(m, size, &e));
}

static uint64_t allocate(struct memory *m, uint64_t bytes)
{
    struct smw_err e = {0};
    uint64_t at = 0;

    assert_true(memory_alloc(m, bytes, &at, &e));
    return at;
}

static void refused(struct memory *m, uint64_t bytes)
{
    struct smw_err e = {0};
    uint64_t at = 12345;

    assert_false(memory_alloc(m, bytes, &at, &e));
    assert_int_equal(at, 12345); /* written on success only */
}

static void alignment(void **state)
{
    static const uint64_t sizes[] = {1, 255, 256, 257, 4, 1000, 512};
    struct memory m;
    uint64_t end = ISA_GLOBAL_BASE;

    (void)state;
    make(&m, MIB);
    for (uint32_t i = 0; i < ARRAY_LEN(sizes); i++) {
        uint64_t at = allocate(&m, sizes[i]);

        assert_int_equal(at, (end + 255) / 256 * 256); /* no gap but the alignment */
        end = at + sizes[i];
    }
    memory_free(&m);
}

static void exhaustion(void **state)
{
    struct memory m;
    uint64_t at;

    (void)state;
    make(&m, MIB);
    refused(&m, 0);
    refused(&m, MIB + 1);
    refused(&m, UINT64_MAX);
    refused(&m, UINT64_MAX - 100);
    at = allocate(&m, MIB - 256);
    assert_int_equal(at, ISA_GLOBAL_BASE);
    refused(&m, 257);
    refused(&m, UINT64_MAX); /* no sum wraps */
    assert_int_equal(allocate(&m, 256),
                     ISA_GLOBAL_BASE + MIB - 256); /* the last byte */
    refused(&m, 1);
    memory_free(&m);
}

/* With gaps, what is past the end of one allocation is in none, and bytes lie where
 * they do without. */
static void gaps(void **state)
{
    static const uint64_t sizes[] = {256, 1000, 4};
    struct memory m, plain;
    uint64_t at[3], back[3];
    uint8_t byte = 0;

    (void)state;
    make(&m, MIB);
    make(&plain, MIB);
    m.gaps = true;
    for (uint32_t i = 0; i < 3; i++) {
        uint8_t value = (uint8_t)(10 + i);

        at[i] = allocate(&m, sizes[i]);
        back[i] = allocate(&plain, sizes[i]);
        assert_int_equal(memory_back(&m, at[i] + 3), back[i] + 3);
        assert_null(memory_find(&m, at[i] + sizes[i]));
        assert_null(memory_find(&m, at[i] + sizes[i] + MIB - 1100));
        memory_write(&m, at[i] + 3, &value, 1);
        assert_int_equal(memory_line(&m, back[i] / 128 * 128)[back[i] % 128 + 3],
                         value);
    }
    for (uint32_t i = 0; i < 3; i++) {
        memory_read(&m, at[i] + 3, &byte, 1);
        assert_int_equal(byte, 10 + i);
    }
    refused(&m, MIB - 256 - 1024 - 256 + 1); /* gaps take no room */
    (void)allocate(&m, MIB - 256 - 1024 - 256);
    memory_free(&m);
    memory_free(&plain);
}

/* A size that is no multiple of the alignment: the tail can be had, nothing beyond. */
static void odd_size(void **state)
{
    struct memory m;

    (void)state;
    make(&m, MIB + 100);
    (void)allocate(&m, MIB);
    refused(&m, 101);
    assert_int_equal(allocate(&m, 100), ISA_GLOBAL_BASE + MIB);
    refused(&m, 1);
    memory_free(&m);
    make(&m, 1000);
    (void)allocate(&m, 900);
    refused(&m, 1);
    memory_free(&m);
}

static void find(void **state)
{
    struct memory m;
    uint64_t a, b, c;

    (void)state;
    make(&m, MIB);
    assert_null(memory_find(&m, ISA_GLOBAL_BASE));
    assert_null(memory_nearest(&m, ISA_GLOBAL_BASE));
    a = allocate(&m, 100); /* then a gap of 156 bytes */
    b = allocate(&m, 256); /* then none */
    c = allocate(&m, 10);
    assert_null(memory_find(&m, a - 1));
    assert_int_equal(memory_find(&m, a)->addr, a);
    assert_int_equal(memory_find(&m, a + 99)->bytes, 100);
    assert_null(memory_find(&m, a + 100));
    assert_null(memory_find(&m, b - 1));
    assert_int_equal(memory_find(&m, b)->addr, b);
    assert_int_equal(memory_find(&m, b + 255)->addr, b);
    assert_int_equal(memory_find(&m, c)->addr, c);
    assert_null(memory_find(&m, c + 10));
    assert_null(memory_find(&m, 0));
    assert_null(memory_find(&m, UINT64_MAX));

    assert_int_equal(memory_nearest(&m, 0)->addr, a);
    assert_int_equal(memory_nearest(&m, a - 1)->addr, a);
    assert_int_equal(memory_nearest(&m, a + 100)->addr, a);
    assert_int_equal(memory_nearest(&m, b - 1)->addr, b);
    /* a ends at a + 99, b begins at a + 256: the middle is a + 177 */
    assert_int_equal(memory_nearest(&m, a + 177)->addr, a);
    assert_int_equal(memory_nearest(&m, a + 178)->addr, b);
    assert_int_equal(memory_nearest(&m, c + 10)->addr, c);
    assert_int_equal(memory_nearest(&m, UINT64_MAX)->addr, c);
    memory_free(&m);
}

/* What lies inside an allocation has that one nearest: an access may begin inside and
 * end outside. */
static void nearest_inside(void **state)
{
    struct memory m;
    uint64_t a, b;

    (void)state;
    make(&m, MIB);
    a = allocate(&m, 100);
    b = allocate(&m, 100);
    assert_int_equal(memory_nearest(&m, a)->addr, a);
    assert_int_equal(memory_nearest(&m, a + 50)->addr, a);
    assert_int_equal(memory_nearest(&m, a + 99)->addr, a);
    assert_int_equal(memory_nearest(&m, b)->addr, b);
    assert_int_equal(memory_nearest(&m, b + 98)->addr, b);
    memory_free(&m);
}

/* Many ranges, against a scan of all. */
static void many_ranges(void **state)
{
    enum { N = 1000 };
    struct memory m;
    uint64_t seed = 3, at[N], bytes[N];

    (void)state;
    make(&m, 4 * MIB);
    for (uint32_t i = 0; i < N; i++) {
        bytes[i] = 1 + rand_below(&seed, 2000);
        at[i] = allocate(&m, bytes[i]);
    }
    for (uint32_t k = 0; k < 20000; k++) {
        uint64_t addr = ISA_GLOBAL_BASE + rand_below(&seed, 2 * MIB);
        const struct memory_range *r = memory_find(&m, addr);
        uint32_t i = 0;

        while (i < N && (addr < at[i] || addr >= at[i] + bytes[i])) {
            i++;
        }
        if (i == N) {
            assert_null(r);
        } else {
            assert_int_equal(r->addr, at[i]);
            assert_int_equal(r->bytes, bytes[i]);
            assert_ptr_equal(memory_nearest(&m, addr), r);
        }
    }
    memory_free(&m);
}

static void zeros(void **state)
{
    static const uint8_t zero[MEM_LINE];
    struct memory m;
    uint8_t buf[300];

    (void)state;
    make(&m, MIB);
    assert_memory_equal(memory_line(&m, ISA_GLOBAL_BASE), zero, MEM_LINE);
    assert_memory_equal(memory_line(&m, ISA_GLOBAL_BASE + MIB - MEM_LINE), zero,
                        MEM_LINE);
    memset(buf, 1, sizeof(buf));
    memory_read(&m, ISA_GLOBAL_BASE + PAGE - 100, buf, 200); /* over two pages */
    for (uint32_t i = 0; i < sizeof(buf); i++) {
        assert_int_equal(buf[i], i < 200 ? 0 : 1);
    }
    memory_line_rw(&m, ISA_GLOBAL_BASE + PAGE)[5] = 9;
    assert_memory_equal(memory_line(&m, ISA_GLOBAL_BASE), zero, MEM_LINE);
    assert_memory_equal(memory_line(&m, ISA_GLOBAL_BASE + PAGE + 128), zero, MEM_LINE);
    assert_int_equal(memory_line(&m, ISA_GLOBAL_BASE + PAGE)[5], 9);
    memory_read(&m, ISA_GLOBAL_BASE + PAGE + 5, buf, 1);
    assert_int_equal(buf[0], 9);
    memory_free(&m);
}

/* Copies of any length and place against a plain array; lines see the same bytes. */
static void copies(void **state)
{
    enum { SIZE = 5 * PAGE + 1000 };
    static uint8_t model[SIZE], buf[SIZE];
    struct memory m;
    uint64_t seed = 11;

    (void)state;
    memset(model, 0, sizeof(model));
    make(&m, SIZE);
    for (uint32_t k = 0; k < 400; k++) {
        uint32_t n = rand_below(&seed, k % 8 == 0 ? 3 * PAGE : 300);
        uint32_t at =
            k % 3 == 0 ? rand_below(&seed, 5) * PAGE : rand_below(&seed, SIZE);

        n = n > SIZE - at ? SIZE - at : n;
        for (uint32_t i = 0; i < n; i++) {
            buf[i] = (uint8_t)rand_next(&seed);
        }
        memory_write(&m, ISA_GLOBAL_BASE + at, buf, n);
        memcpy(model + at, buf, n);
        at = rand_below(&seed, SIZE);
        n = rand_below(&seed, SIZE - at);
        memory_read(&m, ISA_GLOBAL_BASE + at, buf, n);
        assert_memory_equal(buf, model + at, n);
    }
    for (uint32_t at = 0; at + MEM_LINE <= SIZE; at += MEM_LINE) {
        assert_memory_equal(memory_line(&m, ISA_GLOBAL_BASE + at), model + at,
                            MEM_LINE);
    }
    memory_free(&m);
}

static void local_range(void **state)
{
    static const uint8_t zero[MEM_LINE];
    struct memory m;
    struct smw_err e = {0};
    uint64_t last = MEM_LOCAL_BIT + 3 * PAGE - MEM_LINE;

    (void)state;
    make(&m, MIB);
    memory_line_rw(&m, ISA_GLOBAL_BASE)[0] = 7;
    assert_true(memory_reserve_local(&m, 3 * PAGE - 5, &e)); /* rounded up to lines */
    assert_memory_equal(memory_line(&m, MEM_LOCAL_BIT), zero, MEM_LINE);
    memory_line_rw(&m, MEM_LOCAL_BIT)[0] = 1;
    memory_line_rw(&m, last)[127] = 2;
    assert_int_equal(memory_line(&m, MEM_LOCAL_BIT)[0], 1);
    assert_int_equal(memory_line(&m, last)[127], 2);
    assert_int_equal(memory_line(&m, ISA_GLOBAL_BASE)[0], 7); /* two ranges */

    assert_true(
        memory_reserve_local(&m, PAGE, &e)); /* less: contents go all the same */
    assert_memory_equal(memory_line(&m, MEM_LOCAL_BIT), zero, MEM_LINE);
    memory_line_rw(&m, MEM_LOCAL_BIT)[0] = 3;
    assert_true(memory_reserve_local(&m, 7 * PAGE, &e)); /* more */
    assert_memory_equal(memory_line(&m, MEM_LOCAL_BIT), zero, MEM_LINE);
    assert_memory_equal(memory_line(&m, last), zero, MEM_LINE);
    memory_line_rw(&m, MEM_LOCAL_BIT + 7 * PAGE - MEM_LINE)[0] = 4;
    assert_int_equal(memory_line(&m, ISA_GLOBAL_BASE)[0], 7);
    memory_free(&m);
    assert_int_equal(m.n_ranges, 0);
}

/* A segment that serves no lane (SPEC COAL-5) may begin before memory or behind it. */
static void outside(void **state)
{
    static const uint8_t zero[MEM_LINE];
    static const uint64_t places[] = {ISA_GLOBAL_BASE - MEM_LINE, ISA_GLOBAL_BASE + MIB,
                                      0, MEM_LOCAL_BIT - MEM_LINE,
                                      MEM_LOCAL_BIT + PAGE};
    struct memory m;
    struct smw_err e = {0};

    (void)state;
    make(&m, MIB);
    assert_true(memory_reserve_local(&m, PAGE, &e));
    for (uint32_t i = 0; i < ARRAY_LEN(places); i++) {
        struct mem_line t = {.addr = places[i], .op = MEM_STORE};

        memory_serve(&m, &t);
        memset(t.data, 1, sizeof(t.data));
        t.op = MEM_LOAD;
        memory_serve(&m, &t);
        assert_memory_equal(t.data, zero, MEM_LINE);
    }
    memory_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alignment),      cmocka_unit_test(exhaustion),
        cmocka_unit_test(odd_size),       cmocka_unit_test(find),
        cmocka_unit_test(nearest_inside), cmocka_unit_test(many_ranges),
        cmocka_unit_test(zeros),          cmocka_unit_test(copies),
        cmocka_unit_test(local_range),    cmocka_unit_test(outside),
        cmocka_unit_test(gaps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
