/*
 * The radix queue by itself, at random against an array in order of insertion.
 */
#include "engine/panic_test.h"
#include "engine/radix.h"

enum { MOST = 600 };

struct rig {
    struct sim *s;
    struct sim_radix r;
    struct sim_event e[MOST];
    struct sim_event *out[MOST];
    uint32_t held[MOST]; /* in order of insertion */
    uint32_t n_held;
    uint64_t now, rand;
    uint64_t spreads; /* times a queue of many was seen */
};

static uint64_t draw(struct rig *t)
{
    t->rand = t->rand * 6364136223846793005u + 1442695040888963407u;
    return t->rand >> 20 ^ t->rand >> 50;
}

static bool is_held(const struct rig *t, uint32_t i)
{
    for (uint32_t j = 0; j < t->n_held; j++) {
        if (t->held[j] == i) {
            return true;
        }
    }
    return false;
}

static void forget(struct rig *t, uint32_t i)
{
    uint32_t j = 0;

    while (t->held[j] != i) {
        j++;
    }
    t->n_held--;
    memmove(&t->held[j], &t->held[j + 1], (t->n_held - j) * sizeof(t->held[0]));
}

static uint64_t earliest(const struct rig *t)
{
    uint64_t first = UINT64_MAX;

    for (uint32_t j = 0; j < t->n_held; j++) {
        uint64_t when = t->e[t->held[j]].when;

        first = when < first ? when : first;
    }
    return first;
}

static void check_bound(struct rig *t)
{
    bool vague;
    uint64_t bound = sim_radix_bound(&t->r, &vague);

    assert_int_equal(t->r.tail - t->r.head + t->r.n_lists, t->n_held);
    assert_true(vague ? bound <= earliest(t) : bound == earliest(t));
    t->spreads += t->r.n_lists > 0;
}

/* Go on to the earliest, or to any time before it, and take what is there. */
static void advance(struct rig *t)
{
    uint64_t first = earliest(t);
    uint32_t n, want = 0;
    bool vague;

    if (first != UINT64_MAX && draw(t) % 4 == 0) {
        t->now += draw(t) % (first - t->now); /* something else happens in between */
        assert_int_equal(sim_radix_take(&t->r, t->now, t->out), 0);
        return;
    }
    if (first == UINT64_MAX) {
        t->now += draw(t) % 100;
        return;
    }
    if (draw(t) % 2) { /* as the run does it */
        while (sim_radix_bound(&t->r, &vague), vague) {
            sim_radix_refine(&t->r);
        }
    }
    t->now = first;
    n = sim_radix_take(&t->r, t->now, t->out);
    for (uint32_t j = 0; j < t->n_held; j++) {
        if (t->e[t->held[j]].when == t->now) {
            assert_true(want < n);
            assert_ptr_equal(t->out[want], &t->e[t->held[j]]);
            want++;
        }
    }
    assert_int_equal(want, n);
    for (uint32_t j = 0; j < n; j++) {
        forget(t, (uint32_t)(t->out[j] - t->e));
    }
}

static void at_random(uint64_t seed, uint32_t most, uint64_t range, uint64_t start)
{
    struct rig *t = calloc(1, sizeof(*t));

    t->s = sim_new();
    t->rand = seed;
    t->now = start;
    sim_radix_init(&t->r, t->s);
    for (int n = 0; n < 20000; n++) {
        uint32_t i = (uint32_t)(draw(t) % most);
        uint64_t what = draw(t) % 32;

        if (what < 24 && !is_held(t, i)) {
            uint64_t ahead = 1 + draw(t) % range;

            t->e[i].when =
                UINT64_MAX - t->now > ahead ? t->now + ahead : UINT64_MAX - 1;
            sim_radix_insert(&t->r, &t->e[i], t->now);
            t->held[t->n_held++] = i;
        } else if (what == 24 && is_held(t, i)) {
            sim_radix_remove(&t->r, &t->e[i]);
            forget(t, i);
        } else if (what == 31 && t->now < UINT64_MAX - 1000) {
            advance(t);
        }
        check_bound(t);
    }
    while (t->n_held > 0) {
        advance(t);
        check_bound(t);
    }
    assert_true(most < 80 || t->spreads > 100);
    sim_free(t->s);
    free(t);
}

static void random_against_an_array(void **state)
{
    static const uint64_t ranges[] = {4, 60, 3000, 70000, UINT64_C(1) << 50};
    static const uint32_t mosts[] = {5, 32, 64, 65, 120, MOST};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(ranges); i++) {
        for (size_t j = 0; j < ARRAY_LEN(mosts); j++) {
            at_random(1 + i * 10 + j, mosts[j], ranges[i], 1);
        }
    }
    at_random(99, MOST, 5000, UINT64_MAX - 4000000); /* the last level */
}

static void empty(void **state)
{
    struct sim_radix r = {0};
    struct sim *s = sim_new();
    struct sim_event *out[1];
    bool vague = true;

    (void)state;
    sim_radix_init(&r, s);
    assert_true(sim_radix_is_empty(&r));
    assert_true(sim_radix_bound(&r, &vague) == UINT64_MAX);
    assert_false(vague);
    assert_int_equal(sim_radix_take(&r, 5, out), 0);
    sim_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty),
        cmocka_unit_test(random_against_an_array),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
