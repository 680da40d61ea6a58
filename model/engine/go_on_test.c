/*
 * sim_go_on(): a process that goes on in place does at the same times, in the same
 * order and by the same counts what it would have done coming back.
 */
#include "engine/panic_test.h"

#include <string.h>

enum { WALKERS = 4, STEPS = 3000, NOTES = WALKERS * STEPS };

struct note {
    sim_time_t at;
    sim_cycle_t cycle;
    char who;
};

struct walk;

struct walker {
    struct walk *walk;
    struct sim_clock *clock;
    struct sim_event wake, poke;
    struct sim_process process;
    uint64_t random;
    uint32_t steps; /* left */
};

struct walk {
    struct sim *s;
    bool in_place; /* or by notification */
    uint64_t went; /* steps taken in place */
    struct sim_clock clock[3];
    struct walker walker[WALKERS];
    uint32_t n_walkers;
    struct sim_signal signal;
    struct note note[NOTES];
    uint32_t n_notes;
    uint32_t stops_after; /* notes; 0: never */
};

static uint32_t draw(uint64_t *state, uint32_t n)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % n;
}

static void take_note(struct walk *w, struct sim_clock *c, char who)
{
    struct note *n = &w->note[w->n_notes++];

    assert_true(w->n_notes <= NOTES);
    n->at = sim_now(w->s);
    n->cycle = sim_cycle(c);
    n->who = who;
    if (w->n_notes == w->stops_after) {
        sim_stop(w->s);
    }
}

/* What a walker does besides: sometimes it wakes another, or writes a signal. */
static void meddle(struct walker *p)
{
    struct walk *w = p->walk;
    struct walker *other = &w->walker[draw(&p->random, w->n_walkers)];

    switch (draw(&p->random, 16)) {
    case 0: sim_notify_cycles(&other->poke, 1 + draw(&p->random, 3)); break;
    case 1: sim_notify_ps(&other->poke, 1 + draw(&p->random, 5000)); break;
    case 2: sim_notify_delta(&other->poke); break;
    case 3: sim_write(&w->signal, draw(&p->random, 4)); break;
    default: break;
    }
}

static bool go_on(struct walker *p, sim_cycle_t k)
{
    if (p->walk->in_place) {
        bool went = sim_go_on(&p->wake, k);

        p->walk->went += went;
        return went;
    }
    sim_notify_at(&p->wake, k);
    return false;
}

static void walk_step(void *self)
{
    static const uint32_t far[] = {1, 1, 1, 2, 2, 3, 9, 400};
    struct walker *p = self;
    sim_cycle_t next;

    do {
        take_note(p->walk, p->clock, (char)('a' + (p - p->walk->walker)));
        if (p->steps == 0) {
            return;
        }
        p->steps--;
        meddle(p);
        next = sim_cycle(p->clock) + far[draw(&p->random, ARRAY_LEN(far))];
    } while (!sim_pending(&p->wake) && go_on(p, next));
}

static struct walk *walk_new(uint64_t seed, uint32_t n_walkers, bool in_place)
{
    static const uint64_t num[] = {1000000, 714, 2500}, den[] = {1401, 1, 3};
    struct walk *w = test_calloc(1, sizeof(*w));

    w->s = sim_new();
    w->in_place = in_place;
    w->n_walkers = n_walkers;
    for (uint32_t i = 0; i < ARRAY_LEN(w->clock); i++) {
        sim_clock_init(&w->clock[i], w->s, "clock", num[i], den[i]);
    }
    sim_signal_init(&w->signal, w->s, "signal", 2);
    for (uint32_t i = 0; i < n_walkers; i++) {
        struct walker *p = &w->walker[i];

        p->walk = w;
        p->clock = &w->clock[(seed + i) % ARRAY_LEN(w->clock)];
        p->random = seed * 31 + i;
        p->steps = STEPS / 2;
        sim_event_init(&p->wake, w->s, p->clock, "wake");
        sim_event_init(&p->poke, w->s, p->clock, "poke");
        sim_process_init(&p->process, w->s, "walker", walk_step, p);
        sim_wake_on(&p->process, &p->wake);
        sim_wake_on(&p->process, &p->poke);
        sim_wake_on(&p->process, sim_changed(&w->signal));
        sim_notify_cycles(&p->wake, 1 + i);
    }
    return w;
}

static void walk_free(struct walk *w)
{
    sim_free(w->s);
    test_free(w);
}

/* How far a run goes at a time. */
struct portion {
    sim_time_t time;    /* 0: to the end */
    uint64_t instants;  /* 0: any number */
    uint32_t stop_each; /* notes; 0: never */
};

static void one_portion(struct walk *w, const struct portion *p)
{
    sim_time_t until = p->time == 0 ? SIM_TIME_MAX : sim_now(w->s) + p->time;

    w->stops_after = p->stop_each == 0 ? 0 : w->n_notes + p->stop_each;
    (void)sim_run(w->s, until, p->instants);
}

/* From note number from on. */
static void expect_equal(const struct walk *a, const struct walk *b, uint32_t from)
{
    const struct sim_counters *p = sim_counters(a->s), *q = sim_counters(b->s);

    assert_int_equal(a->n_notes, b->n_notes);
    assert_int_equal(sim_now(a->s), sim_now(b->s));
    for (uint32_t i = from; i < a->n_notes; i++) {
        assert_int_equal(a->note[i].at, b->note[i].at);
        assert_int_equal(a->note[i].cycle, b->note[i].cycle);
        assert_int_equal(a->note[i].who, b->note[i].who);
    }
    assert_int_equal(p->instants, q->instants);
    assert_int_equal(p->deltas, q->deltas);
    assert_int_equal(p->activations, q->activations);
    assert_int_equal(p->notifications, q->notifications);
}

/* Steps that were taken in place. */
static uint64_t compare(uint32_t n_walkers, const struct portion *p)
{
    uint64_t went = 0;

    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct walk *a = walk_new(seed, n_walkers, true);
        struct walk *b = walk_new(seed, n_walkers, false);

        for (uint32_t i = 0; i < 400 && a->n_notes < NOTES - 64; i++) {
            uint32_t from = a->n_notes;

            one_portion(a, p);
            one_portion(b, p);
            expect_equal(a, b, from);
        }
        went += a->went;
        walk_free(a);
        walk_free(b);
    }
    return went;
}

static void runs_of_every_kind(void **state)
{
    static const struct portion portions[] = {{0, 0, 0}, {50000, 0, 0}, {0, 7, 0},
                                              {0, 1, 0}, {0, 0, 5},     {9000, 3, 2}};

    (void)state;
    for (uint32_t n = 1; n <= WALKERS; n++) {
        assert_true(compare(n, &portions[0]) > 1000);
        for (uint32_t i = 1; i < ARRAY_LEN(portions); i++) {
            (void)compare(n, &portions[i]);
        }
    }
}

struct watcher {
    struct sim_observer observer;
    bool pending;
    uint64_t heard;
};

static void hear(void *ctx, sim_time_t now)
{
    struct watcher *w = ctx;

    (void)now;
    w->heard++;
}

/* An observer that wants to hear hears of each instant; one that does not costs
 * none. */
static uint64_t heard_of(bool pending, uint64_t *went, uint64_t *instants)
{
    struct walk *w = walk_new(5, 1, true);
    struct watcher o = {.pending = pending};

    o.observer.end_of_instant = hear;
    o.observer.ctx = &o;
    o.observer.pending = &o.pending;
    sim_observe(w->s, &o.observer);
    (void)sim_run(w->s, SIM_TIME_MAX, 0);
    *went = w->went;
    *instants = sim_counters(w->s)->instants;
    walk_free(w);
    return o.heard;
}

static void observers_are_told(void **state)
{
    uint64_t heard, went, instants;

    (void)state;
    heard = heard_of(true, &went, &instants);
    assert_int_equal(heard, instants);
    assert_int_equal(went, 0);
    heard = heard_of(false, &went, &instants);
    assert_int_equal(heard, 0);
    assert_true(went > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_of_every_kind),
        cmocka_unit_test(observers_are_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
