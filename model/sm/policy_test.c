/* The scheduling policies on hand-made masks, slot 63 included. */
#include "sm/policy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static uint64_t older[64];

static policy_fn *policy_by_name(const char *name)
{
    for (uint32_t i = 0; i < policy_count; i++) {
        if (strcmp(policy_table[i].name, name) == 0) {
            return policy_table[i].pick;
        }
    }
    fail();
    return NULL;
}

/* Pick and remember it, as the SM does. */
static uint32_t pick(policy_fn *fn, struct sched *s, uint64_t ready, uint64_t waiting)
{
    uint32_t w = fn(s, ready, waiting);

    assert_true((ready >> w & 1u) != 0);
    s->last = w;
    return w;
}

static struct sched fresh(void)
{
    for (uint32_t i = 0; i < 64; i++) {
        policy_begin(older, 64, i);
    }
    return (struct sched){.older = older, .n_active = 2};
}

static void test_names(void **state)
{
    (void)state;
    assert_int_equal(policy_count, 4);
    for (uint32_t i = 0; i < policy_count; i++) {
        assert_string_equal(policy_names[i], policy_table[i].name);
        assert_true(strlen(policy_table[i].doc) > 5);
    }
}

static void test_lrr(void **state)
{
    policy_fn *lrr = policy_by_name("lrr");
    struct sched s = fresh();

    (void)state;
    s.last = 3;
    assert_int_equal(pick(lrr, &s, 0x1e, 0), 4);
    assert_int_equal(pick(lrr, &s, 0x1e, 0), 1); /* around */
    assert_int_equal(pick(lrr, &s, 0x1e, 0), 2);
    assert_int_equal(pick(lrr, &s, 1ull << 2, 0), 2); /* alone: again */
    assert_int_equal(pick(lrr, &s, 1ull << 63 | 1, 0), 63);
    assert_int_equal(pick(lrr, &s, 1ull << 63 | 1, 0), 0);
    assert_int_equal(pick(lrr, &s, UINT64_MAX, 0), 1);
    s.last = 62;
    assert_int_equal(pick(lrr, &s, UINT64_MAX, 0), 63);
    assert_int_equal(pick(lrr, &s, 1ull << 63, 0), 63);
    for (uint32_t i = 0; i < 64; i++) { /* each once per turn */
        assert_int_equal(pick(lrr, &s, UINT64_MAX, 0), i);
    }
}

static void test_gto(void **state)
{
    policy_fn *gto = policy_by_name("gto");
    struct sched s = fresh();

    (void)state;
    for (uint32_t i = 1; i < 63; i++) { /* 63, 1 to 62 but 5, 0, 5 */
        policy_begin(older, 64, i);
    }
    policy_begin(older, 64, 0);
    policy_begin(older, 64, 5);
    s.last = 5;
    assert_int_equal(pick(gto, &s, UINT64_MAX, 0), 5); /* greedy, though the youngest */
    assert_int_equal(pick(gto, &s, 1ull << 63 | 0x21, 0), 5);
    assert_int_equal(pick(gto, &s, 1ull << 63 | 1, 0), 63); /* then the oldest */
    assert_int_equal(pick(gto, &s, UINT64_MAX, 0), 63);
    assert_int_equal(pick(gto, &s, 0x21, 0), 0);
}

static void test_oldest(void **state)
{
    policy_fn *oldest = policy_by_name("oldest");
    struct sched s = fresh();

    (void)state;
    for (uint32_t i = 7; i < 63; i++) { /* 0 to 6, 63, 8 to 62, 7 */
        policy_begin(older, 64, i);
    }
    policy_begin(older, 64, 7);
    assert_int_equal(pick(oldest, &s, 1ull << 63 | 1ull << 7, 0), 63);
    assert_int_equal(pick(oldest, &s, 1ull << 63 | 1ull << 7 | 1ull << 8, 0), 63);
    assert_int_equal(pick(oldest, &s, 1ull << 7 | 1ull << 8, 0), 8);
    assert_int_equal(pick(oldest, &s, UINT64_MAX, 0), 0);
    assert_int_equal(pick(oldest, &s, UINT64_MAX, 0), 0); /* not greedy, not fair */
    assert_int_equal(pick(oldest, &s, 1ull << 63, 0), 63);
}

static void test_two_level(void **state)
{
    policy_fn *two = policy_by_name("two_level");
    struct sched s = fresh();

    (void)state;
    /* the two oldest form the inner level and take turns */
    assert_int_equal(pick(two, &s, 0xf0, 0), 4);
    assert_int_equal(s.active, 0x30);
    assert_int_equal(pick(two, &s, 0xf0, 0), 5);
    assert_int_equal(pick(two, &s, 0xf0, 0), 4);
    /* one of them is not ready for a moment: the other goes on, nobody joins */
    assert_int_equal(pick(two, &s, 0xe0, 0), 5);
    assert_int_equal(pick(two, &s, 0xe0, 0), 5);
    assert_int_equal(s.active, 0x30);
    /* it waits for memory: the oldest outside takes its place */
    assert_int_equal(pick(two, &s, 0xe0, 0x10), 6);
    assert_int_equal(s.active, 0x60);
    assert_int_equal(pick(two, &s, 0xf0, 0), 5);
    assert_int_equal(s.active, 0x60);
    /* the inner level is full of warps that are not ready: the oldest outside goes,
     * without joining */
    assert_int_equal(pick(two, &s, 1ull << 63 | 1ull << 62, 0), 62);
    assert_int_equal(s.active, 0x60);
    /* everybody waits but slot 63 */
    assert_int_equal(pick(two, &s, 1ull << 63, ~(1ull << 63)), 63);
    assert_int_equal(s.active, 1ull << 63);
    assert_int_equal(pick(two, &s, 1ull << 63 | 1, 0), 0);
    assert_int_equal(s.active, 1ull << 63 | 1);
}

/* Who came first is first, of those who come together the older; who leaves comes last
 * again, and nobody else does. */
static void test_fifo(void **state)
{
    struct policy_fifo f = {0};
    struct sched s = fresh();

    (void)state;
    policy_begin(older, 64, 2); /* the youngest of all */
    policy_fifo_come(&f, &s, 1ull << 62 | 1ull << 8);
    policy_fifo_come(&f, &s, 0x15);
    policy_fifo_come(&f, &s, 1ull << 63 | 0x2);
    assert_int_equal(f.in, 1ull << 63 | 1ull << 62 | 1ull << 8 | 0x17);
    assert_int_equal(policy_fifo_first(&f, f.in), 8);
    assert_int_equal(policy_fifo_first(&f, 1ull << 63 | 0x6), 2);
    assert_int_equal(policy_fifo_first(&f, 1ull << 63 | 0x2), 1);
    assert_int_equal(policy_fifo_first(&f, 0x15), 0); /* 2 is younger than 4 */
    assert_int_equal(policy_fifo_first(&f, 0x14), 4);
    assert_int_equal(policy_fifo_first(&f, 1ull << 62), 62);
    policy_fifo_leave(&f, 8);
    policy_fifo_come(&f, &s, 1ull << 8);
    assert_int_equal(policy_fifo_first(&f, f.in), 62);
    assert_int_equal(policy_fifo_first(&f, 1ull << 63 | 1ull << 8), 63);
    policy_fifo_leave(&f, 0);
    policy_fifo_leave(&f, 63);
    assert_int_equal(f.in, 1ull << 62 | 1ull << 8 | 0x16);
    policy_fifo_come(&f, &s, 1ull << 63);
    policy_fifo_come(&f, &s, 0x1);
    assert_int_equal(policy_fifo_first(&f, 1ull << 63 | 1ull << 8 | 0x1), 8);
    assert_int_equal(policy_fifo_first(&f, 1ull << 63 | 0x1), 63);
}

/* Every policy picks a ready warp whatever the masks, and the same one for the same
 * state. */
static void test_any_mask(void **state)
{
    uint64_t x = 12345;

    (void)state;
    for (uint32_t p = 0; p < policy_count; p++) {
        struct sched a = fresh(), b = fresh();

        for (uint32_t i = 0; i < 20000; i++) {
            uint64_t ready, waiting;

            x = x * 6364136223846793005ull + 1442695040888963407ull;
            ready = x >> 7 & x << 9;
            waiting = ~ready & (x * 77);
            ready = ready == 0 ? 1ull << (x >> 58) : ready;
            waiting &= ~ready;
            assert_int_equal(pick(policy_table[p].pick, &a, ready, waiting),
                             pick(policy_table[p].pick, &b, ready, waiting));
            assert_true(__builtin_popcountll(a.active) <= 2);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),     cmocka_unit_test(test_lrr),
        cmocka_unit_test(test_gto),       cmocka_unit_test(test_oldest),
        cmocka_unit_test(test_two_level), cmocka_unit_test(test_fifo),
        cmocka_unit_test(test_any_mask),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
