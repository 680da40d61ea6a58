/*
 * Edges are exact: compared with plain 128-bit arithmetic from cycle 0.
 */
#include "engine/panic_test.h"

struct period {
    uint64_t num, den;
};

static const struct period periods[] = {
    {1, 1},                              /* 1 THz */
    {1000, 1},                           /* 1 GHz */
    {5000, 7},                           /* 1400 MHz */
    {10000, 7},                          /* 700 MHz */
    {1000000, 1401},                     /* 1401 MHz */
    {250000, 231},                       /* 924 MHz */
    {3, 2},                              /* edges 0 1 3 4 6 ... */
    {UINT64_C(1) << 40, 3},              /* slow */
    {INT64_MAX, 1},                      /* two edges in all of time */
    {INT64_MAX, INT64_MAX - 1},          /* products beyond 64 bits everywhere */
    {1000000000000007, 999999999999989}, /* the same with room to move */
};

static uint64_t rand_state = 42;

static uint64_t draw(void)
{
    rand_state = rand_state * 6364136223846793005u + 1442695040888963407u;
    return rand_state ^ rand_state >> 29;
}

/* Every magnitude is equally likely. */
static uint64_t draw_scaled(void)
{
    return draw() >> (draw() >> 20) % 64;
}

static attr_u128 exact_edge(const struct period *p, uint64_t k)
{
    return (attr_u128)k * p->num / p->den;
}

static void edges_from_zero(void **state)
{
    struct sim *s = sim_new();

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(periods); i++) {
        struct sim_clock *c = sim_alloc(s, sizeof(*c));

        sim_clock_init(c, s, "clock", periods[i].num, periods[i].den);
        assert_int_equal(sim_edge(c, 0), 0);
        for (int n = 0; n < 20000; n++) {
            uint64_t k = draw_scaled();
            attr_u128 want = exact_edge(&periods[i], k);

            if (want >= SIM_TIME_MAX) {
                assert_true(sim_edge(c, k) == SIM_TIME_MAX);
                continue;
            }
            assert_true(sim_edge(c, k) == (uint64_t)want);
            assert_true(sim_cycle_of(c, (uint64_t)want) == k);
            if (want > 0 && k > 0) {
                assert_true(sim_cycle_of(c, (uint64_t)want - 1) == k - 1);
            }
        }
        assert_true(exact_edge(&periods[i], sim_cycle_of(c, SIM_TIME_MAX)) <=
                    SIM_TIME_MAX);
    }
    sim_free(s);
}

static void shared_edges(void **state)
{
    struct sim *s = sim_new();
    struct sim_clock fast, slow;

    (void)state;
    sim_clock_init(&fast, s, "1400 MHz", 5000, 7);
    sim_clock_init(&slow, s, "700 MHz", 10000, 7);
    for (uint64_t k = 0; k < 100000; k++) {
        assert_int_equal(sim_edge(&fast, 2 * k), sim_edge(&slow, k));
    }
    sim_free(s);
}

/* sim_cycle() after jumps of every size, each clock looked at now and then only. */
static void nothing(void *self)
{
    (void)self;
}

static void cycle_after_jumps(void **state)
{
    struct sim_clock clock[ARRAY_LEN(periods)];
    struct sim_event e;
    struct sim_process p;

    (void)state;
    for (unsigned bits = 4; bits < 64; bits += 3) {
        struct sim *s = sim_new();

        for (size_t i = 0; i < ARRAY_LEN(periods); i++) {
            sim_clock_init(&clock[i], s, "clock", periods[i].num, periods[i].den);
        }
        sim_event_init(&e, s, NULL, "jump");
        sim_process_init(&p, s, "p", nothing, NULL);
        sim_wake_on(&p, &e);
        for (int n = 0; n < 2000; n++) {
            struct sim_clock *c = &clock[draw() % ARRAY_LEN(periods)];
            uint64_t step = 1 + (draw() >> (64 - bits));
            sim_time_t edge;

            if (step >= SIM_TIME_MAX - sim_now(s) - 1) {
                break;
            }
            /* often just before, at or just after an edge */
            edge = sim_edge(c, sim_cycle_of(c, sim_now(s) + step)) + draw() % 3 - 1;
            if (draw() % 4 != 0 && edge > sim_now(s) && edge < SIM_TIME_MAX) {
                step = edge - sim_now(s);
            }
            sim_notify_ps(&e, step);
            assert_int_equal(sim_run(s, SIM_TIME_MAX, 1), SIM_SLICE);
            for (size_t i = 0; i < ARRAY_LEN(periods); i++) {
                if (draw() % 3 == 0) {
                    attr_u128 t = (attr_u128)sim_now(s) + 1;
                    attr_u128 want = (t * periods[i].den - 1) / periods[i].num;

                    assert_true(sim_cycle(&clock[i]) == (uint64_t)want);
                }
            }
        }
        sim_free(s);
    }
}

/* One picosecond before a whole edge, half of all time later: 128-bit division. */
static void just_before_a_far_edge(void **state)
{
    for (int before = 0; before < 2; before++) {
        struct sim *s = sim_new();
        uint64_t m = (UINT64_C(1) << 23) + 12345;
        struct sim_clock c;
        struct sim_event e;

        (void)state;
        sim_clock_init(&c, s, "slow", UINT64_C(1) << 40, 3);
        sim_event_init(&e, s, NULL, "e");
        sim_notify_ps(&e, m * (UINT64_C(1) << 40) - (uint64_t)before);
        assert_int_equal(sim_run(s, SIM_TIME_MAX, 0), SIM_IDLE);
        assert_true(sim_cycle(&c) == 3 * m - (uint64_t)before);
        sim_free(s);
    }
}

/* Waiting n cycles ends at edge(cycle + n) for every n, from on and off the edges. */
struct waiter {
    struct sim_clock clock;
    struct sim_event cycles, ps;
    struct sim_process by_cycles, by_ps;
    const struct period *period;
    sim_cycle_t want;
    uint64_t woken;
};

static void check_edge(void *self)
{
    struct waiter *w = self;

    assert_true(sim_now(w->clock.sim) == (uint64_t)exact_edge(w->period, w->want));
    assert_true(sim_cycle(&w->clock) == w->want);
    w->woken++;
}

static void waits_end_on_edges(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(periods); i++) {
        struct sim *s = sim_new();
        struct waiter w = {.period = &periods[i]};
        uint64_t waits = 0;

        sim_clock_init(&w.clock, s, "clock", periods[i].num, periods[i].den);
        sim_event_init(&w.cycles, s, &w.clock, "cycles");
        sim_event_init(&w.ps, s, NULL, "ps");
        sim_process_init(&w.by_cycles, s, "by_cycles", check_edge, &w);
        sim_process_init(&w.by_ps, s, "by_ps", nothing, &w);
        sim_wake_on(&w.by_cycles, &w.cycles);
        sim_wake_on(&w.by_ps, &w.ps);
        for (int n = 0; n < 3000; n++) {
            uint64_t cycles =
                1 + draw_scaled() % (n % 50 == 0 ? UINT64_MAX / 1024 : 600);

            w.want = sim_cycle(&w.clock) + cycles;
            if (exact_edge(&periods[i], w.want) >= SIM_TIME_MAX - (UINT64_C(1) << 20)) {
                continue; /* another test's business */
            }
            sim_notify_cycles(&w.cycles, cycles);
            assert_int_equal(sim_run(s, SIM_TIME_MAX, 0), SIM_IDLE);
            waits++;
            sim_notify_ps(&w.ps, 1 + draw() % 1000); /* off the edge */
            assert_int_equal(sim_run(s, SIM_TIME_MAX, 0), SIM_IDLE);
        }
        assert_true(w.woken == waits);
        sim_free(s);
    }
}

static void last_edge(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(periods); i++) {
        struct sim *s = sim_new();
        struct waiter w = {.period = &periods[i]};

        sim_clock_init(&w.clock, s, "clock", periods[i].num, periods[i].den);
        sim_event_init(&w.cycles, s, &w.clock, "cycles");
        sim_process_init(&w.by_cycles, s, "p", check_edge, &w);
        sim_wake_on(&w.by_cycles, &w.cycles);
        w.want = sim_cycle_of(&w.clock, SIM_TIME_MAX - 1);
        sim_notify_at(&w.cycles, w.want);
        assert_int_equal(sim_run(s, SIM_TIME_MAX, 0), SIM_IDLE);
        assert_int_equal(w.woken, 1);
        assert_true(sim_cycle(&w.clock) == w.want);
        sim_notify_cycles(&w.cycles, 1); /* there is no edge after it */
        assert_int_equal(sim_run(s, SIM_TIME_MAX, 0), SIM_OVERFLOW);
        sim_free(s);
    }
}

static void refused_periods(void **state)
{
    struct sim *s = sim_new();
    struct sim_clock c;

    (void)state;
    expect_panic(s, "too_fast", sim_clock_init(&c, s, "too_fast", 2, 3));
    expect_panic(s, "none", sim_clock_init(&c, s, "none", 1, 0));
    expect_panic(s, "slow", sim_clock_init(&c, s, "slow", (uint64_t)INT64_MAX + 1, 1));
    sim_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_from_zero),    cmocka_unit_test(shared_edges),
        cmocka_unit_test(cycle_after_jumps),  cmocka_unit_test(just_before_a_far_edge),
        cmocka_unit_test(waits_end_on_edges), cmocka_unit_test(last_edge),
        cmocka_unit_test(refused_periods),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
