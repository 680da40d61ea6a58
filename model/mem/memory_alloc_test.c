/* Freeing, pages of the host, other devices' pages, addresses that begin elsewhere. */
#include "mem/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MIB = 1 << 20 };

static void make(struct memory *m, uint64_t size, uint64_t base)
{
    struct smw_err e = {0};

    assert_true(memory_init(m, size, &e));
    if (base != 0) {
        memory_set_base(m, base);
    }
}

static uint64_t allocate(struct memory *m, uint64_t bytes)
{
    struct smw_err e = {0};
    uint64_t at = 0;

    assert_true(memory_alloc(m, bytes, &at, &e));
    return at;
}

static uint32_t get(const struct memory *m, uint64_t addr)
{
    uint32_t v = 0;

    memory_read(m, addr, &v, 4);
    return v;
}

static void put(struct memory *m, uint64_t addr, uint32_t v)
{
    memory_write(m, addr, &v, 4);
}

static void freed_room_is_used_again(void **state)
{
    struct memory m;
    struct smw_err e = {0};
    uint64_t a, b, c, at;

    (void)state;
    make(&m, MIB, 0);
    a = allocate(&m, 300000);
    b = allocate(&m, 1000);
    c = allocate(&m, 300000);
    memory_name(&m, b, "bee");
    put(&m, a + 4, 7);
    put(&m, b + 4, 8);
    put(&m, c + 4, 9);
    assert_false(memory_release(&m, b + 256)); /* not as it was given */
    assert_false(memory_release(&m, 0));
    assert_null(memory_freed(&m, b));
    assert_true(memory_release(&m, b));
    assert_false(memory_release(&m, b));
    assert_null(memory_find(&m, b));
    assert_string_equal(memory_freed(&m, b + 999)->name, "bee");
    assert_null(memory_freed(&m, b + 1000)); /* was never in it */
    assert_int_equal(memory_left(&m), MIB - 2 * 300032);
    assert_int_equal(allocate(&m, 512), b);
    assert_null(memory_freed(&m, b)); /* in one again */
    assert_int_equal(memory_freed(&m, b + 600)->addr, b);
    assert_int_equal(get(&m, b + 4), 0); /* as fresh */
    assert_int_equal(get(&m, a + 4), 7);
    assert_int_equal(get(&m, c + 4), 9);
    assert_true(memory_release(&m, a));
    at = 1;
    assert_false(memory_alloc(&m, 600000, &at, &e)); /* in pieces only */
    assert_int_equal(at, 1);
    assert_int_equal(e.code, SMW_CODE_OUT_OF_MEMORY);
    assert_non_null(strstr(e.hint, "pieces of at most"));
    assert_true(memory_release(&m, b));
    assert_true(memory_release(&m, c));
    assert_int_equal(memory_left(&m), MIB);
    assert_int_equal(allocate(&m, MIB), a);
    assert_int_equal(get(&m, a + 4), 0);
    memory_free(&m);
}

static void ranges_stay_sorted(void **state)
{
    uint64_t at[100];
    struct memory m;

    (void)state;
    make(&m, 100 * 256, 0);
    for (uint32_t round = 0; round < 20; round++) {
        for (uint32_t i = 0; i < 100; i++) {
            at[i] = allocate(&m, 1 + i);
        }
        for (uint32_t i = 1; i < m.n_ranges; i++) {
            assert_true(m.range[i - 1].addr + m.range[i - 1].bytes <= m.range[i].addr);
        }
        for (uint32_t i = 0; i < 100; i++) { /* 37 and 100 have no common factor */
            assert_true(memory_release(&m, at[(i * 37 + round) % 100]));
        }
        assert_int_equal(m.n_ranges, 0);
    }
    memory_free(&m);
}

/* With gaps a freed address is not used again, the bytes are. */
static void gaps(void **state)
{
    struct memory m;
    uint64_t a, b, c, was;

    (void)state;
    make(&m, MIB, 0);
    m.gaps = true;
    a = allocate(&m, 256);
    b = allocate(&m, MIB - 512);
    c = allocate(&m, 256);
    was = memory_back(&m, b);
    for (uint32_t i = 0; i < 5000; i++) { /* more than there are gaps */
        uint64_t old = b;

        assert_true(memory_release(&m, b));
        b = allocate(&m, MIB - 512);
        assert_int_equal(memory_back(&m, b), was);
        if (i < 2000) { /* below 4 GiB they come to an end */
            assert_true(old < b);
            assert_null(memory_find(&m, a + 256));
            assert_int_equal(memory_freed(&m, old)->addr, old);
        }
        assert_non_null(memory_find(&m, a));
        assert_non_null(memory_find(&m, c));
        assert_true(b < 1ull << 32);
    }
    memory_free(&m);
}

static void base(void **state)
{
    const uint64_t at = 1ull << 44;
    struct memory m, plain;
    uint64_t a, b;

    (void)state;
    make(&m, MIB, at);
    make(&plain, MIB, 0);
    assert_int_equal(allocate(&m, 1000), at);
    b = allocate(&m, 4);
    assert_int_equal(b, at + 1024);
    (void)allocate(&plain, 1000);
    a = allocate(&plain, 4);
    put(&m, b, 55);
    assert_int_equal(memory_back(&m, b), a); /* where it lies does not depend on it */
    assert_int_equal(memory_line(&m, a)[0], 55);
    assert_int_equal(get(&m, b), 55);
    memory_free(&m);
    memory_free(&plain);
}

static void host_pages(void **state)
{
    struct memory m;
    struct smw_err e = {0};
    uint64_t a, b, own, bytes = 3 * MEMORY_PAGE;
    uint8_t *host = calloc(1, bytes), *other = calloc(1, MEMORY_PAGE);

    (void)state;
    assert_true(host != NULL && other != NULL);
    make(&m, MIB, 0);
    own = allocate(&m, MIB); /* the host's take no room of the device */
    assert_true(memory_alloc_host(&m, bytes - 5, &a, &e));
    assert_true(memory_alloc_host(&m, 10, &b, &e));
    memory_lend(&m, a, host, false);
    memory_lend(&m, b, other, false);
    assert_int_equal(a % MEMORY_PAGE, 0);
    assert_int_equal(b, a + bytes);
    assert_true(a > own + MIB);
    put(&m, a + MEMORY_PAGE + 8, 77);
    assert_int_equal(host[MEMORY_PAGE + 8], 77);
    host[2 * MEMORY_PAGE + 4] = 5;
    assert_int_equal(get(&m, a + 2 * MEMORY_PAGE + 4), 5);
    assert_int_equal(*memory_line(&m, memory_back(&m, a + 2 * MEMORY_PAGE)), 0);
    memory_line_rw(&m, memory_back(&m, a))[3] = 9;
    assert_int_equal(host[3], 9);
    assert_null(memory_find(&m, a + bytes - 5));
    assert_ptr_equal(memory_find(&m, a + 100)->host, host);
    assert_true(memory_release(&m, a));
    assert_int_equal(*memory_line(&m, MEM_HOST_BIT), 0); /* nothing is there */
    assert_int_equal(host[3], 9);                        /* still the host's */
    assert_non_null(memory_freed(&m, a));
    assert_true(memory_alloc_host(&m, 1, &a, &e));
    assert_int_equal(a, b - bytes);
    assert_false(memory_alloc_host(&m, 0, &a, &e));
    err_clear(&e);
    assert_false(memory_alloc_host(&m, UINT64_MAX, &a, &e));
    assert_int_equal(e.code, SMW_CODE_OUT_OF_MEMORY);
    memory_free(&m);
    free(host);
    free(other);
}

static void peers(void **state)
{
    struct memory m, n;
    struct memory_range r;
    struct smw_err e = {0};
    uint64_t a, b, h;
    uint8_t *host = calloc(1, MEMORY_PAGE);

    (void)state;
    assert_non_null(host);
    make(&m, MIB, 1ull << 41);
    make(&n, 2 * MIB, 1ull << 42);
    a = allocate(&m, 1024);
    b = allocate(&n, 1024);
    assert_true(memory_alloc_host(&n, 64, &h, &e));
    memory_lend(&n, h, host, false);
    put(&n, b + 8, 6);
    put(&n, h, 12);
    assert_null(memory_find(&m, b));
    assert_true(memory_join(&m, &n, false));
    assert_true(memory_join(&m, &n, false));
    assert_true(memory_locate(&m, b + 8, &r));
    assert_int_equal(b + 8 - r.shift, memory_back(&m, b + 8));
    assert_int_equal(get(&m, b + 8), 6);
    assert_int_equal(get(&m, h), 12);
    put(&m, b + 512, 44);
    assert_int_equal(get(&n, b + 512), 44);
    memory_line_rw(&m, memory_back(&m, b))[0] = 1;
    assert_int_equal(get(&n, b), 1);
    assert_int_equal(memory_line(&m, memory_back(&m, h))[0], 12);
    assert_int_equal(get(&m, a), 0);
    assert_true(memory_join(&m, &n, true));
    assert_null(memory_find(&m, b));
    assert_non_null(memory_find(&m, h));
    memory_part(&m, &n);
    assert_null(memory_find(&m, h));
    assert_null(memory_find_own(&m, b));
    memory_free(&m);
    memory_free(&n);
    free(host);
}

static void many_peers(void **state)
{
    static struct memory m, peer[MEMORY_MAX_PEERS + 1];

    (void)state;
    make(&m, MIB, 0);
    for (uint32_t i = 0; i <= MEMORY_MAX_PEERS; i++) {
        make(&peer[i], MIB, (i + 1ull) << 41);
        assert_int_equal(memory_join(&m, &peer[i], false), i < MEMORY_MAX_PEERS);
    }
    for (uint32_t i = 0; i < MEMORY_MAX_PEERS; i++) {
        uint64_t a = allocate(&peer[i], 4);

        put(&m, a, i + 100);
        assert_int_equal(get(&peer[i], a), i + 100);
        assert_int_equal(get(&m, a), i + 100);
    }
    for (uint32_t i = 0; i <= MEMORY_MAX_PEERS; i++) {
        memory_free(&peer[i]);
    }
    memory_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(freed_room_is_used_again),
        cmocka_unit_test(ranges_stay_sorted),
        cmocka_unit_test(gaps),
        cmocka_unit_test(base),
        cmocka_unit_test(host_pages),
        cmocka_unit_test(peers),
        cmocka_unit_test(many_peers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
