/*
 * Pending notifications: which wins, when it triggers and in what order; first case by
 * case, then at random against a list that is searched from end to end.
 */
#include "engine/panic_test.h"
#include "engine/queue.h"

/* A simulation of N events with a process each, which writes down that it ran. */
enum { N = 120, LOG = 256 };

struct rig {
    struct sim *s;
    struct sim_clock fast, slow, odd; /* 1400, 700, 924 MHz */
    struct sim_event e[N];
    struct sim_process p[N];
    struct {
        uint32_t id;
        sim_time_t at;
    } log[LOG];
    uint32_t n_log;
};

struct watcher {
    struct rig *rig;
    uint32_t id;
};

static void note(void *self)
{
    struct watcher *w = self;
    struct rig *r = w->rig;

    assert_true(r->n_log < LOG);
    r->log[r->n_log].id = w->id;
    r->log[r->n_log].at = sim_now(r->s);
    r->n_log++;
}

/* Event i belongs to clock i % 4: fast, slow, odd, none. */
static void rig_init(struct rig *r)
{
    memset(r, 0, sizeof(*r));
    r->s = sim_new();
    sim_clock_init(&r->fast, r->s, "fast", 5000, 7);
    sim_clock_init(&r->slow, r->s, "slow", 10000, 7);
    sim_clock_init(&r->odd, r->s, "odd", 250000, 231);
    for (uint32_t i = 0; i < N; i++) {
        struct sim_clock *const clocks[] = {&r->fast, &r->slow, &r->odd, NULL};
        struct watcher *w = sim_alloc(r->s, sizeof(*w));

        w->rig = r;
        w->id = i;
        sim_event_init(&r->e[i], r->s, clocks[i % 4], "e");
        sim_process_init(&r->p[i], r->s, "p", note, w);
        sim_wake_on(&r->p[i], &r->e[i]);
    }
}

static void run_out(struct rig *r)
{
    r->n_log = 0;
    sim_queue_verify(r->s);
    assert_int_equal(sim_run(r->s, SIM_TIME_MAX, 0), SIM_IDLE);
    sim_queue_verify(r->s);
}

static void expect_log(const struct rig *r, uint32_t at, uint32_t id, sim_time_t t)
{
    assert_true(at < r->n_log);
    assert_int_equal(r->log[at].id, id);
    assert_int_equal(r->log[at].at, t);
}

static void earliest_wins(void **state)
{
    struct rig r;
    struct sim_event *e;

    (void)state;
    rig_init(&r);
    e = &r.e[0];
    sim_notify_cycles(e, 5);
    sim_notify_cycles(e, 9); /* later: ignored */
    run_out(&r);
    assert_int_equal(r.n_log, 1);
    expect_log(&r, 0, 0, sim_edge(&r.fast, 5));

    sim_notify_cycles(e, 500);
    sim_notify_cycles(e, 5); /* earlier: replaces */
    sim_notify_cycles(e, 1);
    sim_notify_cycles(e, 1);
    run_out(&r);
    assert_int_equal(r.n_log, 1);
    expect_log(&r, 0, 0, sim_edge(&r.fast, 6));
    sim_free(r.s);
}

/* The two units of one event compete in time. */
static void earliest_wins_across_units(void **state)
{
    struct rig r;
    struct sim_event *e;

    (void)state;
    rig_init(&r);
    e = &r.e[0];
    sim_notify_cycles(e, 2); /* 1428 ps */
    sim_notify_ps(e, 1428);
    sim_notify_ps(e, 1429);
    assert_int_equal(e->queue, SIM_Q_WHEEL);
    sim_notify_ps(e, 1427);
    assert_int_equal(e->queue, SIM_Q_TIMED);
    sim_notify_ps(e, 1426);
    sim_notify_ps(e, 1427);
    sim_notify_cycles(e, 2);
    run_out(&r);
    assert_int_equal(r.n_log, 1);
    expect_log(&r, 0, 0, 1426);

    sim_notify_ps(e, 5000);
    sim_notify_cycles(e, 1);
    run_out(&r);
    assert_int_equal(r.n_log, 1);
    expect_log(&r, 0, 0, sim_edge(&r.fast, 2));
    sim_free(r.s);
}

static void delta_beats_timed(void **state)
{
    struct rig r;

    (void)state;
    rig_init(&r);
    sim_notify_cycles(&r.e[0], 1);
    sim_notify_cycles(&r.e[4], 300);
    sim_notify_ps(&r.e[3], 1);
    sim_notify_delta(&r.e[0]);
    sim_notify_delta(&r.e[3]);
    sim_notify_delta(&r.e[4]);
    sim_notify_delta(&r.e[4]);
    sim_notify_cycles(&r.e[0], 1); /* too late: the delta stands */
    sim_notify_ps(&r.e[0], 1);
    run_out(&r);
    assert_int_equal(r.n_log, 3);
    expect_log(&r, 0, 0, 0);
    expect_log(&r, 1, 3, 0);
    expect_log(&r, 2, 4, 0);
    sim_free(r.s);
}

static void cancel_everywhere(void **state)
{
    struct rig r;

    (void)state;
    rig_init(&r);
    sim_cancel(&r.e[0]); /* nothing pending: harmless */
    sim_notify_cycles(&r.e[0], 1);
    sim_notify_cycles(&r.e[4], 7);
    sim_notify_cycles(&r.e[8], 7000);
    sim_notify_ps(&r.e[3], 123);
    sim_notify_delta(&r.e[7]);
    for (uint32_t i = 0; i < N; i++) {
        assert_int_equal(sim_pending(&r.e[i]),
                         i == 0 || i == 4 || i == 8 || i == 3 || i == 7);
        sim_cancel(&r.e[i]);
        assert_false(sim_pending(&r.e[i]));
        sim_queue_verify(r.s);
    }
    run_out(&r);
    assert_int_equal(r.n_log, 0);
    assert_int_equal(sim_now(r.s), 0); /* no empty instants */
    assert_int_equal(sim_counters(r.s)->instants, 0);
    sim_free(r.s);
}

/* What is left of a cycle keeps its order and its time when others are cancelled. */
static void cancel_some(void **state)
{
    static const uint64_t ahead[] = {1, 3, 300};
    struct rig r;

    (void)state;
    rig_init(&r);
    for (size_t a = 0; a < ARRAY_LEN(ahead); a++) {
        for (uint32_t gone = 0; gone < 8; gone++) { /* bit i: cancel event 4 * i */
            sim_cycle_t k = sim_cycle(&r.fast) + ahead[a];
            uint32_t at = 0;

            for (uint32_t i = 0; i < 3; i++) {
                sim_notify_cycles(&r.e[4 * i], ahead[a]);
            }
            for (uint32_t i = 0; i < 3; i++) {
                if (gone >> i & 1) {
                    sim_cancel(&r.e[4 * i]);
                }
            }
            sim_notify_at(&r.e[12], k + 1);
            run_out(&r);
            for (uint32_t i = 0; i < 3; i++) {
                if (!(gone >> i & 1)) {
                    expect_log(&r, at++, 4 * i, sim_edge(&r.fast, k));
                }
            }
            expect_log(&r, at++, 12, sim_edge(&r.fast, k + 1));
            assert_int_equal(r.n_log, at);
        }
    }
    sim_free(r.s);
}

/* Cancelling and notifying again leaves holes in the arrays; they are closed. */
static void holes_are_closed(void **state)
{
    struct rig r;
    uint32_t at = 0;

    (void)state;
    rig_init(&r);
    for (int n = 0; n < 100; n++) {
        sim_notify_cycles(&r.e[0], 1);
        sim_notify_cycles(&r.e[4], 1);
        sim_notify_delta(&r.e[1]);
        sim_notify_delta(&r.e[5]);
        sim_cancel(&r.e[0]);
        sim_cancel(&r.e[1]);
        if (n % 2 == 0) {
            sim_notify_cycles(&r.e[0], 1);
        } else {
            sim_notify_at(&r.e[0], 1);
        }
        sim_notify_delta(&r.e[1]);
        sim_queue_verify(r.s);
        sim_cancel(&r.e[4]);
        sim_cancel(&r.e[5]);
    }
    sim_notify_cycles(&r.e[4], 1);
    sim_notify_delta(&r.e[5]);
    run_out(&r);
    expect_log(&r, at++, 1, 0);
    expect_log(&r, at++, 5, 0);
    expect_log(&r, at++, 0, 714);
    expect_log(&r, at++, 4, 714);
    assert_int_equal(r.n_log, at);
    sim_free(r.s);
}

/* Edges of 700 and 1400 MHz and a time in picoseconds coincide: source by source, the
 * picoseconds first, each by sequence, however far ahead each notification was made. */
static void ties_by_source_and_sequence(void **state)
{
    static const uint32_t perms[6][3] = {{0, 1, 3}, {0, 3, 1}, {1, 0, 3},
                                         {1, 3, 0}, {3, 0, 1}, {3, 1, 0}};
    static const uint64_t far[] = {1, 2, 100, 1000};
    struct rig r;

    (void)state;
    for (size_t f = 0; f < ARRAY_LEN(far); f++) {
        for (size_t i = 0; i < ARRAY_LEN(perms); i++) {
            sim_time_t t;

            rig_init(&r);
            t = sim_edge(&r.slow, far[f]);
            for (uint32_t round = 0; round < 3; round++) {
                for (uint32_t j = 0; j < 3; j++) {
                    uint32_t id = perms[i][j];
                    struct sim_event *e = &r.e[id + 4 * round];

                    if (id == 0) {
                        sim_notify_cycles(e, 2 * far[f]);
                    } else if (id == 1) {
                        sim_notify_cycles(e, far[f]);
                    } else {
                        sim_notify_ps(e, t);
                    }
                }
            }
            run_out(&r);
            assert_int_equal(r.n_log, 9);
            for (uint32_t j = 0; j < 9; j++) {
                static const uint32_t source[] = {3, 0, 1};

                expect_log(&r, j, source[j / 3] + 4 * (j % 3), t);
            }
            assert_int_equal(sim_counters(r.s)->instants, 1);
            sim_free(r.s);
        }
    }
}

/* One cycle's notifications made from far, from within the wheel, from the cycle
 * before: by sequence, and exactly then. */
static void horizons(void **state)
{
    static const uint64_t steps[] = {1,
                                     2,
                                     3,
                                     63,
                                     64,
                                     65,
                                     SIM_WHEEL - 1,
                                     SIM_WHEEL,
                                     SIM_WHEEL + 1,
                                     2 * SIM_WHEEL,
                                     4095,
                                     4096,
                                     4097,
                                     1000003,
                                     UINT64_C(1) << 40};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
        struct rig r;
        uint64_t want;

        rig_init(&r);
        sim_notify_cycles(&r.e[4], 37); /* so that buckets do not start at 0 */
        run_out(&r);
        want = sim_cycle(&r.fast) + steps[i];
        sim_notify_cycles(&r.e[0], steps[i]);
        if (steps[i] > 2) {
            sim_notify_at(&r.e[8], want - 2);
            sim_notify_at(&r.e[12], want - 1);
        }
        assert_int_equal(sim_run(r.s, sim_edge(&r.fast, want) - 1, 0), SIM_REACHED);
        assert_true(sim_pending(&r.e[0])); /* not yet */
        sim_notify_at(&r.e[16], want);     /* from the cycle before */
        run_out(&r);
        assert_int_equal(r.n_log, 2);
        expect_log(&r, 0, 0, sim_edge(&r.fast, want));
        expect_log(&r, 1, 16, sim_edge(&r.fast, want));
        sim_free(r.s);
    }
}

/* What was notified beyond the wheel, inside it and for the next cycle is one instant,
 * in this order. */
static void one_instant_of_all_places(void **state)
{
    static const uint32_t order[] = {4, 0, 12, 8, 16};
    struct rig r;
    uint64_t instants;
    sim_cycle_t k = 4 * SIM_WHEEL;
    sim_time_t t;

    (void)state;
    rig_init(&r);
    t = sim_edge(&r.fast, k);
    sim_notify_at(&r.e[4], k);
    sim_notify_at(&r.e[0], k);
    sim_notify_at(&r.e[12], k);
    assert_int_equal(sim_run(r.s, sim_edge(&r.fast, k - 9), 0), SIM_REACHED);
    sim_notify_at(&r.e[8], k);
    assert_int_equal(sim_run(r.s, sim_edge(&r.fast, k - 1), 0), SIM_REACHED);
    sim_notify_at(&r.e[16], k);
    instants = sim_counters(r.s)->instants;
    run_out(&r);
    assert_int_equal(sim_counters(r.s)->instants, instants + 1);
    assert_int_equal(r.n_log, ARRAY_LEN(order));
    for (uint32_t i = 0; i < r.n_log; i++) {
        expect_log(&r, i, order[i], t);
    }
    sim_free(r.s);
}

/* Silent events of fast at cycle k: more than are taken from a list one by one. */
static void crowd(struct rig *r, sim_cycle_t k)
{
    enum { CROWD = 60 };
    struct sim_event *e = sim_alloc(r->s, CROWD * sizeof(*e));

    for (uint32_t i = 0; i < CROWD; i++) {
        sim_event_init(&e[i], r->s, &r->fast, "silent");
        sim_notify_at(&e[i], k);
    }
}

/* Go on to cycle 260 of fast, with a long list very far ahead. */
static void spread_fast(struct rig *r)
{
    crowd(r, 260);
    crowd(r, (UINT64_C(1) << 30) + 1000);
    assert_int_equal(sim_run(r->s, sim_edge(&r->fast, 260), 0), SIM_REACHED);
    assert_int_equal(r->fast.far.n_lists, 60);
    assert_int_equal(r->fast.far.base, 260);
}

static void notify_then(struct rig *r, uint32_t i, sim_cycle_t fast)
{
    sim_notify_ps(&r->e[i], sim_edge(&r->fast, fast) - sim_now(r->s));
}

/* A bound that only says "not before" lies behind, before and at other notifications;
 * events 64 to 79 are those of interest. */
static void vague_bound_behind_the_present(void **state)
{
    struct rig r;

    (void)state;
    rig_init(&r);
    spread_fast(&r);
    notify_then(&r, 67, 4100);
    assert_int_equal(sim_run(r.s, sim_edge(&r.fast, 4100), 0), SIM_REACHED);
    sim_notify_at(&r.e[64], 4400); /* in one list from 4096 on */
    sim_notify_at(&r.e[68], 4410);
    crowd(&r, 4410);
    sim_notify_at(&r.e[72], 4101);
    sim_notify_at(&r.e[76], 4101);
    sim_cancel(&r.e[72]); /* makes the bound be looked up */
    sim_cancel(&r.e[76]);
    assert_true(r.fast.vague);
    assert_int_equal(r.fast.due, 4096);
    r.n_log = 0;
    assert_int_equal(sim_run(r.s, sim_edge(&r.fast, 5000), 0), SIM_REACHED);
    sim_queue_verify(r.s);
    assert_int_equal(r.n_log, 2);
    expect_log(&r, 0, 64, sim_edge(&r.fast, 4400));
    expect_log(&r, 1, 68, sim_edge(&r.fast, 4410));
    sim_free(r.s);
}

static void vague_bound_before_the_wheel(void **state)
{
    struct rig r;

    (void)state;
    rig_init(&r);
    spread_fast(&r);
    sim_notify_at(&r.e[64], 4400); /* in one list from 4096 on */
    sim_notify_at(&r.e[68], 4410);
    crowd(&r, 4410);
    notify_then(&r, 67, 3900);
    assert_int_equal(sim_run(r.s, sim_edge(&r.fast, 3900), 0), SIM_REACHED);
    sim_notify_at(&r.e[72], 4130);
    sim_notify_at(&r.e[76], 3901);
    r.n_log = 0;
    assert_int_equal(sim_run(r.s, sim_edge(&r.fast, 3901), 0), SIM_REACHED);
    assert_true(r.fast.vague);
    assert_int_equal(r.fast.due, 4096);
    sim_queue_verify(r.s);
    assert_int_equal(sim_run(r.s, sim_edge(&r.fast, 5000), 0), SIM_REACHED);
    assert_int_equal(r.n_log, 4);
    expect_log(&r, 0, 76, sim_edge(&r.fast, 3901));
    expect_log(&r, 1, 72, sim_edge(&r.fast, 4130));
    expect_log(&r, 2, 64, sim_edge(&r.fast, 4400));
    expect_log(&r, 3, 68, sim_edge(&r.fast, 4410));
    sim_free(r.s);
}

static void vague_bound_ties_with_others(void **state)
{
    struct rig r;
    sim_time_t t;
    uint64_t instants;

    (void)state;
    rig_init(&r);
    t = sim_edge(&r.fast, 4096);
    assert_int_equal(t, sim_edge(&r.slow, 2048));
    spread_fast(&r);
    instants = sim_counters(r.s)->instants;
    sim_notify_at(&r.e[64], 4400); /* in one list from 4096 on */
    sim_notify_at(&r.e[68], 4410);
    crowd(&r, 4410);
    sim_notify_at(&r.e[72], 270); /* makes the bound be looked up */
    sim_notify_at(&r.e[65], 2048);
    notify_then(&r, 67, 4096);
    assert_int_equal(sim_run(r.s, sim_edge(&r.fast, 5000), 0), SIM_REACHED);
    sim_queue_verify(r.s);
    assert_int_equal(r.n_log, 5);
    expect_log(&r, 1, 67, t);
    expect_log(&r, 2, 65, t);
    expect_log(&r, 3, 64, sim_edge(&r.fast, 4400));
    assert_int_equal(sim_counters(r.s)->instants - instants, 4);
    sim_free(r.s);
}

/* An event that comes before a long list, when the array is empty: it has a short list
 * of its own, or lies in the array, or at the start of the long one. */
static void before_a_long_list(void **state)
{
    static const sim_cycle_t at[] = {517, 4095, 4096, 4400};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(at); i++) {
        struct rig r;

        rig_init(&r);
        spread_fast(&r);
        crowd(&r, 4400);
        sim_notify_at(&r.e[64], at[i]);
        sim_queue_verify(r.s);
        notify_then(&r, 67, at[i]);
        assert_int_equal(sim_run(r.s, sim_edge(&r.fast, 4399), 0), SIM_REACHED);
        sim_queue_verify(r.s);
        assert_int_equal(r.n_log, at[i] < 4400 ? 2 : 0);
        assert_int_equal(sim_run(r.s, sim_edge(&r.fast, 4400), 0), SIM_REACHED);
        assert_int_equal(r.n_log, 2);
        expect_log(&r, 0, 67, sim_edge(&r.fast, at[i]));
        expect_log(&r, 1, 64, sim_edge(&r.fast, at[i]));
        sim_free(r.s);
    }
}

/* Events may be added between runs, whatever is pending. */
static void more_events_while_some_are_pending(void **state)
{
    enum { MORE = 300 };
    struct rig r;
    struct sim_event *more;

    (void)state;
    rig_init(&r);
    more = sim_alloc(r.s, MORE * sizeof(*more));
    for (int i = 0; i < MORE; i++) {
        sim_event_init(&more[i], r.s, &r.fast, "more");
        sim_wake_on(&r.p[i % N], &more[i]);
        if (i % 2) {
            sim_notify_cycles(&more[i], 1);
        } else {
            sim_notify_delta(&more[i]);
        }
        if (i % 50 == 0) {
            struct sim_clock *c = sim_alloc(r.s, sizeof(*c));

            for (int n = 0; n < 5; n++) {
                sim_clock_init(c, r.s, "another", 1000, 1);
                c = sim_alloc(r.s, sizeof(*c));
            }
        }
        sim_queue_verify(r.s);
    }
    run_out(&r);
    assert_int_equal(r.n_log, N);
    sim_free(r.s);
}

static void refused_notifications(void **state)
{
    struct rig r;

    (void)state;
    rig_init(&r);
    sim_notify_cycles(&r.e[4], 37);
    run_out(&r);
    expect_panic(r.s, "n >= 1", sim_notify_cycles(&r.e[0], 0));
    expect_panic(r.s, "k > cycle", sim_notify_at(&r.e[0], 37));
    expect_panic(r.s, "k > cycle", sim_notify_at(&r.e[0], 3));
    expect_panic(r.s, "ps >= 1", sim_notify_ps(&r.e[0], 0));
    expect_panic(r.s, "without a clock", sim_notify_cycles(&r.e[3], 1));
    expect_panic(r.s, "without a clock", sim_notify_at(&r.e[3], 100));
    sim_free(r.s);
}

static void overflow_of_time(void **state)
{
    static const int ways = 5;

    (void)state;
    for (int way = 0; way < ways; way++) {
        struct rig r;

        rig_init(&r);
        sim_notify_cycles(&r.e[4], 1);
        assert_int_equal(sim_run(r.s, SIM_TIME_MAX, 0), SIM_IDLE);
        switch (way) {
        case 0: sim_notify_cycles(&r.e[0], UINT64_MAX); break; /* wraps */
        case 1: sim_notify_cycles(&r.e[0], r.fast.last); break;
        case 2: sim_notify_at(&r.e[0], r.fast.last + 1); break;
        case 3: sim_notify_ps(&r.e[0], SIM_TIME_MAX); break; /* wraps */
        case 4: sim_notify_ps(&r.e[0], SIM_TIME_MAX - sim_now(r.s)); break;
        }
        assert_int_equal(sim_run(r.s, SIM_TIME_MAX, 0), SIM_OVERFLOW);
        assert_int_equal(sim_run(r.s, SIM_TIME_MAX, 0), SIM_OVERFLOW); /* for good */
        sim_free(r.s);
    }
}

static void last_picosecond(void **state)
{
    struct rig r;

    (void)state;
    rig_init(&r);
    sim_notify_ps(&r.e[3], SIM_TIME_MAX - 1);
    sim_notify_at(&r.e[0], r.fast.last);
    run_out(&r);
    assert_int_equal(r.n_log, 2);
    expect_log(&r, 1, 3, SIM_TIME_MAX - 1);
    sim_notify_at(&r.e[0], r.fast.last + 1); /* the next cycle, but there is none */
    assert_int_equal(sim_run(r.s, SIM_TIME_MAX, 0), SIM_OVERFLOW);
    sim_free(r.s);
}

/* ---- at random, against a list ---- */

struct model_event {
    enum { NOT, DELTA, TIMED } pending;
    sim_time_t at;
    uint32_t source; /* 0: picoseconds; 1 + kind: that clock */
    uint64_t seq;
};

struct stress {
    struct sim *s;
    struct sim_clock clock[3];
    struct sim_event e[N];
    struct sim_process p[N];
    struct model_event m[N];
    uint64_t seq;
    uint64_t rand;
    uint32_t expected[N]; /* events that must trigger now, in order */
    uint32_t n_expected, at_expected;
    sim_time_t expected_at;
    uint64_t triggers;
    uint32_t busy;  /* operations per wake, of 32 */
    uint32_t kinds; /* event i: of clock i % kinds, the fourth is none */
    uint64_t first; /* kind of event 0 */
};

static uint32_t kind_of(const struct stress *t, uint32_t i)
{
    return (uint32_t)((t->first + i % t->kinds) % 4);
}

static uint64_t draw(struct stress *t)
{
    t->rand = t->rand * 6364136223846793005u + 1442695040888963407u;
    return t->rand >> 33;
}

static const uint64_t stress_num[] = {5000, 10000, 250000};
static const uint64_t stress_den[] = {7, 7, 231};

static void model_notify(struct stress *t, uint32_t i, int pending, sim_time_t at,
                         uint32_t source)
{
    struct model_event *m = &t->m[i];

    if (m->pending == DELTA ||
        (m->pending == TIMED && pending == TIMED && m->at <= at)) {
        return;
    }
    m->pending = pending;
    m->at = at;
    m->source = source;
    m->seq = ++t->seq;
}

static uint64_t draw_ahead(struct stress *t)
{
    static const uint64_t most[] = {1, 3, 20, 270, 5000, 100000, 100000, 100000};

    if (t->kinds == 1 && draw(t) % 8 != 0) { /* sparse in time, many pending */
        return 300 + draw(t) % 100000;
    }
    return 1 + draw(t) % most[draw(t) % ARRAY_LEN(most)];
}

static void operate(struct stress *t)
{
    uint32_t i = (uint32_t)(draw(t) % N);
    uint32_t c = kind_of(t, i);
    uint64_t n = draw_ahead(t);
    uint64_t what = draw(t) % 16;

    if (what == 0) {
        sim_notify_delta(&t->e[i]);
        model_notify(t, i, DELTA, 0, 0);
    } else if (what < 4) {
        sim_cancel(&t->e[i]);
        t->m[i].pending = NOT;
    } else if (what < 7 || c == 3) {
        sim_notify_ps(&t->e[i], n);
        model_notify(t, i, TIMED, sim_now(t->s) + n, 0);
    } else {
        uint64_t now = (sim_now(t->s) + 1) * stress_den[c] - 1; /* small enough here */
        uint64_t k = now / stress_num[c] + n;

        if (what < 12) {
            sim_notify_cycles(&t->e[i], n);
        } else {
            sim_notify_at(&t->e[i], k);
        }
        model_notify(t, i, TIMED, k * stress_num[c] / stress_den[c], 1 + c);
    }
}

/* Of two at one time: picoseconds first, then the clocks, each by sequence. */
static bool is_later(const struct model_event *a, const struct model_event *b)
{
    return a->source != b->source ? a->source > b->source : a->seq > b->seq;
}

/* Find out what has to trigger next. */
static void foresee(struct stress *t)
{
    bool delta = false;
    sim_time_t at = SIM_TIME_MAX;

    for (uint32_t i = 0; i < N; i++) {
        delta = delta || t->m[i].pending == DELTA;
        if (t->m[i].pending == TIMED && t->m[i].at < at) {
            at = t->m[i].at;
        }
    }
    t->n_expected = 0;
    t->at_expected = 0;
    t->expected_at = delta ? sim_now(t->s) : at;
    for (uint32_t i = 0; i < N; i++) {
        struct model_event *m = &t->m[i];
        uint32_t j = t->n_expected;

        if (delta ? m->pending != DELTA : m->pending != TIMED || m->at != at) {
            continue;
        }
        for (; j > 0 && is_later(&t->m[t->expected[j - 1]], m); j--) {
            t->expected[j] = t->expected[j - 1];
        }
        t->expected[j] = i;
        t->n_expected++;
    }
    for (uint32_t j = 0; j < t->n_expected; j++) {
        t->m[t->expected[j]].pending = NOT;
    }
}

struct stress_process {
    struct stress *t;
    uint32_t id;
};

static void stress_run(void *self)
{
    struct stress_process *p = self;
    struct stress *t = p->t;

    if (t->at_expected == t->n_expected) {
        foresee(t);
    }
    assert_true(t->at_expected < t->n_expected);
    assert_int_equal(t->expected[t->at_expected], p->id);
    assert_true(sim_now(t->s) == t->expected_at);
    t->at_expected++;
    t->triggers++;
    for (uint32_t n = (uint32_t)(draw(t) % 32); n < t->busy; n += 8) {
        operate(t);
    }
}

static void stress_with(uint64_t seed, uint32_t busy, uint32_t first, uint32_t kinds)
{
    struct stress *t = calloc(1, sizeof(*t));

    t->s = sim_new();
    t->rand = seed;
    t->busy = busy;
    t->first = first;
    t->kinds = kinds;
    for (int i = 0; i < 3; i++) {
        sim_clock_init(&t->clock[i], t->s, "clock", stress_num[i], stress_den[i]);
    }
    for (uint32_t i = 0; i < N; i++) {
        struct stress_process *p = sim_alloc(t->s, sizeof(*p));

        p->t = t;
        p->id = i;
        sim_event_init(&t->e[i], t->s,
                       kind_of(t, i) < 3 ? &t->clock[kind_of(t, i)] : NULL, "e");
        sim_process_init(&t->p[i], t->s, "p", stress_run, p);
        sim_wake_on(&t->p[i], &t->e[i]);
    }
    for (int round = 0; round < 3000; round++) {
        enum sim_status status;
        sim_time_t until = sim_now(t->s) + draw(t) % 3000;

        for (uint64_t n = draw(t) % t->busy / 2; n > 0; n--) {
            operate(t);
        }
        status = sim_run(t->s, draw(t) % 2 ? until : SIM_TIME_MAX, 1 + draw(t) % 8);
        assert_true(status == SIM_SLICE || status == SIM_IDLE || status == SIM_REACHED);
        assert_int_equal(t->at_expected, t->n_expected);
        for (uint32_t i = 0; i < N; i++) {
            assert_int_equal(sim_pending(&t->e[i]), t->m[i].pending != NOT);
            if (status == SIM_REACHED && t->m[i].pending == TIMED) {
                assert_true(t->m[i].at > sim_now(t->s));
            }
        }
        assert_true(sim_counters(t->s)->notifications == t->seq);
        sim_queue_verify(t->s);
    }
    assert_true(t->triggers > 1000);
    sim_free(t->s);
    free(t);
}

static void random_against_a_list(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        stress_with(seed, 12, 0, 4);
        stress_with(seed, 30, 0, 4);
    }
    for (uint32_t first = 0; first < 4; first++) { /* crowded sources */
        stress_with(first + 20, 50, first, 1);
        stress_with(first + 30, 60, first, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(earliest_wins),
        cmocka_unit_test(earliest_wins_across_units),
        cmocka_unit_test(delta_beats_timed),
        cmocka_unit_test(cancel_everywhere),
        cmocka_unit_test(cancel_some),
        cmocka_unit_test(holes_are_closed),
        cmocka_unit_test(ties_by_source_and_sequence),
        cmocka_unit_test(horizons),
        cmocka_unit_test(one_instant_of_all_places),
        cmocka_unit_test(vague_bound_behind_the_present),
        cmocka_unit_test(vague_bound_before_the_wheel),
        cmocka_unit_test(vague_bound_ties_with_others),
        cmocka_unit_test(before_a_long_list),
        cmocka_unit_test(more_events_while_some_are_pending),
        cmocka_unit_test(refused_notifications),
        cmocka_unit_test(overflow_of_time),
        cmocka_unit_test(last_picosecond),
        cmocka_unit_test(random_against_a_list),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
