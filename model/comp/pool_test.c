#include "comp/comp.h"
#include "engine/panic_test.h"

struct packet {
    struct sim_txn txn;
    uint64_t payload[20];
};

static void last_in_first_out(void **state)
{
    struct sim *s = sim_new();
    struct sim_pool p;
    struct packet *a, *b;

    (void)state;
    sim_pool_init(&p, s, "packets", sizeof(struct packet));
    a = sim_pool_take(&p);
    b = sim_pool_take(&p);
    assert_ptr_not_equal(a, b);
    assert_ptr_equal(a->txn.pool, &p);
    assert_int_equal(p.live, 2);
    sim_pool_give(a);
    sim_pool_give(b);
    assert_int_equal(p.live, 0);
    assert_ptr_equal(sim_pool_take(&p), b);
    assert_ptr_equal(sim_pool_take(&p), a);
    sim_pool_give(b);
    sim_pool_give(a);
    sim_free(s);
}

/* Many chunks: no two transactions overlap, whole lines, all counted. */
static void growth(void **state)
{
    enum { MANY = 5000 };
    static struct packet *v[MANY];
    struct sim *s = sim_new();
    struct sim_pool p;

    (void)state;
    sim_pool_init(&p, s, "packets", sizeof(struct packet));
    assert_int_equal(p.made, 0);
    for (uint64_t i = 0; i < MANY; i++) {
        v[i] = sim_pool_take(&p);
        assert_int_equal((uintptr_t)v[i] % 64, 0);
        memset(v[i]->payload, (int)(i & 0xff), sizeof(v[i]->payload));
    }
    assert_int_equal(p.live, MANY);
    assert_int_equal(p.made, MANY);
    for (uint64_t i = 0; i < MANY; i++) {
        const unsigned char *b = (const unsigned char *)v[i]->payload;

        for (size_t j = 0; j < sizeof(v[i]->payload); j++) {
            assert_int_equal(b[j], i & 0xff);
        }
        sim_pool_give(v[i]);
    }
    for (uint64_t i = 0; i < MANY; i++) {
        v[i] = sim_pool_take(&p);
    }
    assert_int_equal(p.made, MANY); /* reused */
    sim_free(s);                    /* live ones do not leak */
}

static void sizes(void **state)
{
    struct sim *s = sim_new();
    struct sim_pool small, large;
    char *a, *b;

    (void)state;
    sim_pool_init(&small, s, "small", sizeof(struct sim_txn));
    a = sim_pool_take(&small);
    b = sim_pool_take(&small);
    assert_int_equal(b - a, 32); /* rounded to 16, not to a line */
    sim_pool_init(&large, s, "large", 100000);
    a = sim_pool_take(&large);
    memset(a + sizeof(struct sim_txn), 1, 100000 - sizeof(struct sim_txn));
    assert_int_equal(large.made, 1);
    expect_panic(s, "tiny",
                 sim_pool_init(&small, s, "tiny", sizeof(struct sim_txn) - 1));
    sim_free(s);
}

static void live_over_all_pools(void **state)
{
    struct sim *s = sim_new();
    struct sim_pool p, q;
    void *a, *b;

    (void)state;
    assert_int_equal(sim_live_transactions(s), 0); /* before any pool */
    sim_pool_init(&p, s, "p", sizeof(struct packet));
    sim_pool_init(&q, s, "q", sizeof(struct packet));
    a = sim_pool_take(&p);
    b = sim_pool_take(&q);
    sim_pool_take(&q);
    assert_int_equal(sim_live_transactions(s), 3);
    sim_pool_give(a);
    sim_pool_give(b);
    assert_int_equal(sim_live_transactions(s), 1);
    sim_free(s);
}

static void more_given_than_taken(void **state)
{
    struct sim *s = sim_new();
    struct sim_pool p;
    struct packet stray = {.txn = {.pool = &p}};

    (void)state;
    sim_pool_init(&p, s, "packets", sizeof(struct packet));
    expect_panic(s, "in packets: p->live > 0", sim_pool_give(&stray));
    sim_free(s);
}

#ifdef ATTR_ASAN
static void given_back_is_poisoned(void **state)
{
    struct sim *s = sim_new();
    struct sim_pool p;
    struct packet *a;

    (void)state;
    sim_pool_init(&p, s, "packets", sizeof(struct packet));
    a = sim_pool_take(&p);
    assert_null(__asan_region_is_poisoned(a, sizeof(*a)));
    sim_pool_give(a);
    assert_ptr_equal(__asan_region_is_poisoned(a, sizeof(*a)), a);
    sim_pool_take(&p);
    assert_null(__asan_region_is_poisoned(a, sizeof(*a)));
    sim_free(s);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(last_in_first_out),
        cmocka_unit_test(growth),
        cmocka_unit_test(sizes),
        cmocka_unit_test(live_over_all_pools),
        cmocka_unit_test(more_given_than_taken),
#ifdef ATTR_ASAN
        cmocka_unit_test(given_back_is_poisoned),
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
