/*
 * Phases, processes, signals, observers, and the ways a run ends.
 */
#include "engine/panic_test.h"

#include <signal.h>

/* A process that appends its letter to a text and does what the test wants. */
struct story {
    struct sim *s;
    struct sim_clock clock;
    char text[512];
    uint64_t ends; /* instants whose end was observed */
};

struct actor {
    struct story *story;
    char letter;
    struct sim_event event;
    struct sim_process process;
    void (*act)(struct actor *a);
    struct actor *other;
    struct sim_signal *signal;
    uint64_t value;
};

static void say(struct story *t, char letter)
{
    size_t n = strlen(t->text);

    assert_true(n + 1 < sizeof(t->text));
    t->text[n] = letter;
    t->text[n + 1] = '\0';
}

static void act(void *self)
{
    struct actor *a = self;

    say(a->story, a->letter);
    if (a->act != NULL) {
        a->act(a);
    }
}

static void story_init(struct story *t)
{
    memset(t, 0, sizeof(*t));
    t->s = sim_new();
    sim_clock_init(&t->clock, t->s, "clock", 1000, 1);
}

static void actor_init(struct actor *a, struct story *t, char letter,
                       void (*does)(struct actor *a))
{
    char name[2] = {letter, '\0'};

    memset(a, 0, sizeof(*a));
    a->story = t;
    a->letter = letter;
    a->act = does;
    sim_event_init(&a->event, t->s, &t->clock, name);
    sim_process_init(&a->process, t->s, name, act, a);
    sim_wake_on(&a->process, &a->event);
}

static void expect_story(struct story *t, const char *text)
{
    assert_string_equal(t->text, text);
    t->text[0] = '\0';
}

static void nothing_to_do(void **state)
{
    struct sim *s = sim_new();

    (void)state;
    assert_int_equal(sim_run(s, SIM_TIME_MAX, 0), SIM_IDLE);
    assert_int_equal(sim_run(s, 1000, 0), SIM_IDLE);
    assert_int_equal(sim_now(s), 0);
    assert_string_equal(sim_culprits(s), "");
    assert_int_equal(sim_counters(s)->instants, 0);
    sim_free(s);
    sim_free(NULL);
}

static void memory_lives_with_the_simulation(void **state)
{
    struct sim *s = sim_new();
    char *p = sim_alloc(s, 100);

    (void)state;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(p[i], 0);
    }
    assert_true(sim_arena(s)->bytes >= 100);
    sim_free(s);
}

/* ---- phases ---- */

static void writes(struct actor *a)
{
    sim_write(a->signal, a->value);
    if (sim_read(a->signal) == a->value) {
        say(a->story, '!'); /* a write must not be seen in its own phase */
    }
}

static void reads(struct actor *a)
{
    say(a->story, (char)('0' + sim_read(a->signal) % 10));
}

static void signals_change_in_update(void **state)
{
    struct story t;
    struct actor w, before, after;
    struct sim_signal g;

    (void)state;
    story_init(&t);
    sim_signal_init(&g, t.s, "g", 8);
    actor_init(&before, &t, 'a', reads);
    actor_init(&w, &t, 'w', writes);
    actor_init(&after, &t, 'b', reads);
    before.signal = w.signal = after.signal = &g;
    sim_wake_on(&before.process, sim_changed(&g));
    w.value = 7;
    sim_notify_cycles(&before.event, 1);
    sim_notify_cycles(&w.event, 1);
    sim_notify_cycles(&after.event, 1);
    assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 0), SIM_IDLE);
    expect_story(&t, "a0wb0a7");
    assert_int_equal(sim_counters(t.s)->deltas, 2);
    assert_int_equal(sim_counters(t.s)->activations, 4);
    assert_int_equal(sim_counters(t.s)->instants, 1);

    sim_notify_cycles(&w.event, 1); /* the same value again: no change */
    assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 0), SIM_IDLE);
    expect_story(&t, "w!");
    sim_free(t.s);
}

static void last_write_counts_and_is_masked(void **state)
{
    struct sim *s = sim_new();
    struct sim_signal narrow, wide;

    (void)state;
    sim_signal_init(&narrow, s, "narrow", 3);
    sim_signal_init(&wide, s, "wide", 64);
    sim_write(&narrow, 1);
    sim_write(&narrow, 0xff);
    sim_write(&wide, UINT64_MAX);
    sim_write(&wide, UINT64_MAX - 1);
    assert_int_equal(sim_read(&narrow), 0);
    assert_int_equal(sim_run(s, SIM_TIME_MAX, 0), SIM_IDLE);
    assert_int_equal(sim_read(&narrow), 7);
    assert_true(sim_read(&wide) == UINT64_MAX - 1);
    expect_panic(s, "zero", sim_signal_init(&narrow, s, "zero", 0));
    expect_panic(s, "wider", sim_signal_init(&narrow, s, "wider", 65));
    sim_free(s);
}

static void notifies_other(struct actor *a)
{
    sim_notify_delta(&a->other->event);
    sim_notify_cycles(&a->event, 1);
    sim_cancel(&a->event);
}

/* A delta wakes after all that was runnable, at the same time. */
static void deltas_follow(void **state)
{
    struct story t;
    struct actor a, b, c;

    (void)state;
    story_init(&t);
    actor_init(&a, &t, 'a', notifies_other);
    actor_init(&b, &t, 'b', NULL);
    actor_init(&c, &t, 'c', NULL);
    a.other = &b;
    sim_notify_cycles(&a.event, 3);
    sim_notify_cycles(&b.event, 3); /* is pending no more when a notifies it */
    sim_notify_cycles(&c.event, 3);
    assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 0), SIM_IDLE);
    expect_story(&t, "abcb");
    assert_int_equal(sim_now(t.s), 3000);
    sim_free(t.s);
}

/* Many events to one process: once; one event to many processes: all, in order. */
static void waking(void **state)
{
    struct story t;
    struct actor a[4];
    struct sim_event lonely;

    (void)state;
    story_init(&t);
    for (int i = 0; i < 4; i++) {
        actor_init(&a[i], &t, (char)('a' + i), NULL);
    }
    for (int i = 3; i >= 0; i--) {
        sim_wake_on(&a[i].process, &a[2].event);
    }
    sim_event_init(&lonely, t.s, &t.clock, "nobody waits");
    sim_notify_cycles(&lonely, 1);
    sim_notify_cycles(&a[2].event, 2);
    sim_notify_cycles(&a[0].event, 2);
    assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 1), SIM_SLICE);
    expect_story(&t, "");
    assert_int_equal(sim_now(t.s), 1000);
    assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 0), SIM_IDLE);
    expect_story(&t, "cdba");
    sim_free(t.s);
}

static void clears_once(struct actor *a)
{
    if (sim_now(a->story->s) < 5000) {
        sim_notify_cycles(&a->event, 1);
    }
}

static void many_processes(void **state)
{
    enum { MANY = 1000 };
    struct story t;
    struct sim_event e;
    struct actor *a;

    (void)state;
    story_init(&t);
    a = sim_alloc(t.s, MANY * sizeof(*a));
    sim_event_init(&e, t.s, &t.clock, "all");
    for (int i = 0; i < MANY; i++) {
        actor_init(&a[i], &t, 'x', NULL);
        sim_wake_on(&a[i].process, &e);
        if (i > 300) { /* no room for more text */
            a[i].process.run = (void (*)(void *))sim_stop;
            a[i].process.self = t.s;
        }
    }
    sim_notify_delta(&e);
    assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 0), SIM_STOPPED);
    assert_int_equal(strlen(t.text), 301);
    assert_int_equal(sim_counters(t.s)->activations, MANY);
    sim_free(t.s);
}

/* ---- the ways a run ends ---- */

static void until_is_included(void **state)
{
    struct story t;
    struct actor a;

    (void)state;
    story_init(&t);
    actor_init(&a, &t, 'a', clears_once);
    sim_notify_cycles(&a.event, 1);
    assert_int_equal(sim_run(t.s, 999, 0), SIM_REACHED);
    expect_story(&t, "");
    assert_int_equal(sim_now(t.s), 999);
    assert_int_equal(sim_run(t.s, 2000, 0), SIM_REACHED);
    expect_story(&t, "aa");
    assert_int_equal(sim_now(t.s), 2000);
    assert_int_equal(sim_run(t.s, 1500, 0), SIM_REACHED); /* passed already */
    assert_int_equal(sim_now(t.s), 2000);
    assert_int_equal(sim_run(t.s, 4500, 0), SIM_REACHED);
    expect_story(&t, "aa");
    assert_int_equal(sim_now(t.s), 4500);
    sim_cancel(&a.event);
    sim_notify_cycles(&a.event, 1); /* from 4500: edge 5 */
    assert_int_equal(sim_run(t.s, 5000, 0), SIM_IDLE);
    expect_story(&t, "a");
    assert_int_equal(sim_now(t.s), 5000);
    sim_free(t.s);
}

static void slices(void **state)
{
    struct story t;
    struct actor a;

    (void)state;
    story_init(&t);
    actor_init(&a, &t, 'a', clears_once);
    sim_notify_delta(&a.event);
    assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 1), SIM_SLICE);
    expect_story(&t, "a");
    assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 3), SIM_SLICE);
    expect_story(&t, "aaa");
    assert_int_equal(sim_now(t.s), 3000);
    assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 2), SIM_SLICE);
    assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 2), SIM_IDLE);
    expect_story(&t, "aa");
    sim_free(t.s);
}

static void stops(struct actor *a)
{
    sim_stop(a->story->s);
    sim_notify_delta(&a->other->event);
}

static void stop_completes_the_instant(void **state)
{
    struct story t;
    struct actor a, b, c;

    (void)state;
    story_init(&t);
    actor_init(&a, &t, 'a', stops);
    actor_init(&b, &t, 'b', NULL);
    actor_init(&c, &t, 'c', NULL);
    a.other = &b;
    sim_notify_cycles(&a.event, 1);
    sim_notify_cycles(&c.event, 1);
    sim_notify_cycles(&b.event, 2);
    assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 0), SIM_STOPPED);
    expect_story(&t, "acb"); /* the earlier delta took b's notification */
    assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 0), SIM_IDLE);
    sim_stop(t.s); /* between runs: the next one does not start */
    sim_notify_cycles(&c.event, 1);
    assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 0), SIM_STOPPED);
    expect_story(&t, "");
    assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 0), SIM_IDLE);
    expect_story(&t, "c");
    sim_free(t.s);
}

static void spins(struct actor *a)
{
    sim_notify_delta(&a->event);
}

static void delta_loop_names_culprits(void **state)
{
    struct story t;
    struct actor a, b, c;

    (void)state;
    story_init(&t);
    actor_init(&a, &t, 'a', spins);
    actor_init(&b, &t, 'b', NULL);
    actor_init(&c, &t, 'c', spins);
    sim_delta_limit(t.s, 5);
    sim_notify_cycles(&a.event, 1);
    sim_notify_cycles(&b.event, 1);
    sim_notify_cycles(&c.event, 1);
    assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 0), SIM_DELTA_LOOP);
    assert_string_equal(sim_culprits(t.s), "a, c");
    expect_story(&t, "abcacacacac");
    assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 0), SIM_DELTA_LOOP); /* for good */
    expect_story(&t, "");
    expect_panic(t.s, "sim_delta_limit", sim_delta_limit(t.s, 0));
    sim_free(t.s);
}

static void counts_down(struct actor *a)
{
    if (a->value-- > 0) {
        sim_notify_delta(&a->event);
    }
}

/* Exactly as many deltas as allowed are fine; one more is not. */
static void delta_limit_is_exact(void **state)
{
    (void)state;
    for (uint32_t limit = 1; limit < 5; limit++) {
        for (uint32_t over = 0; over < 2; over++) {
            for (int between = 0; between < 2; between++) {
                struct story t;
                struct actor a;

                story_init(&t);
                actor_init(&a, &t, 'a', counts_down);
                a.value = limit - 1 + over;
                sim_delta_limit(t.s, limit);
                if (between) {
                    sim_notify_delta(&a.event);
                } else {
                    sim_notify_cycles(&a.event, 1);
                }
                assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 0),
                                 over ? SIM_DELTA_LOOP : SIM_IDLE);
                assert_int_equal(strlen(t.text), limit);
                sim_free(t.s);
            }
        }
    }
}

static void default_delta_limit(void **state)
{
    struct story t;
    struct actor a;

    (void)state;
    story_init(&t);
    actor_init(&a, &t, 'a', spins);
    a.process.run = (void (*)(void *))sim_notify_delta;
    a.process.self = &a.event;
    sim_notify_delta(&a.event);
    assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 0), SIM_DELTA_LOOP);
    assert_int_equal(sim_counters(t.s)->deltas, 10000);
    sim_free(t.s);
}

/* More names than there is room for: cut, but whole text. */
static void many_culprits(void **state)
{
    enum { MANY = 100 };
    struct sim *s = sim_new();
    struct sim_event e;
    struct sim_process *p = sim_alloc(s, MANY * sizeof(*p));

    (void)state;
    sim_event_init(&e, s, NULL, "e");
    for (int i = 0; i < MANY; i++) {
        sim_process_init(&p[i], s, "a_rather_long_name",
                         (void (*)(void *))sim_notify_delta, &e);
        sim_wake_on(&p[i], &e);
    }
    sim_notify_delta(&e);
    assert_int_equal(sim_run(s, SIM_TIME_MAX, 0), SIM_DELTA_LOOP);
    assert_int_equal(strlen(sim_culprits(s)), SIM_CULPRITS - 1);
    sim_free(s);
}

/* ---- observers ---- */

static void end_of_instant(void *ctx, sim_time_t now)
{
    struct story *t = ctx;

    assert_true(now == sim_now(t->s));
    t->ends++;
    say(t, '.');
}

static void second_end(void *ctx, sim_time_t now)
{
    (void)now;
    say(ctx, ';');
}

static void observers_see_instants_with_activity(void **state)
{
    struct story t;
    struct actor a, b;
    struct sim_event lonely;
    struct sim_observer first = {.end_of_instant = end_of_instant, .ctx = &t};
    struct sim_observer second = {.end_of_instant = second_end, .ctx = &t};

    (void)state;
    story_init(&t);
    actor_init(&a, &t, 'a', notifies_other);
    actor_init(&b, &t, 'b', NULL);
    a.other = &b;
    sim_event_init(&lonely, t.s, NULL, "lonely");
    sim_observe(t.s, &first);
    sim_observe(t.s, &second);
    sim_notify_cycles(&a.event, 1);
    sim_notify_ps(&lonely, 1500);
    sim_notify_cycles(&b.event, 2);
    sim_cancel(&b.event);
    sim_notify_delta(&b.event);
    assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 0), SIM_IDLE);
    expect_story(&t, "b.;ab.;");
    assert_int_equal(t.ends, 2);
    assert_int_equal(sim_counters(t.s)->instants, 3);
    sim_free(t.s);
}

/* One that has nothing pending is left alone. */
static void observers_with_nothing_pending_are_not_told(void **state)
{
    struct story t;
    struct actor a;
    bool pending = false;
    struct sim_observer first = {.end_of_instant = end_of_instant,
                                 .ctx = &t,
                                 .pending = &pending};
    struct sim_observer second = {.end_of_instant = second_end, .ctx = &t};

    (void)state;
    story_init(&t);
    actor_init(&a, &t, 'a', NULL);
    sim_observe(t.s, &first);
    sim_observe(t.s, &second);
    sim_notify_cycles(&a.event, 1);
    assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 0), SIM_IDLE);
    pending = true;
    sim_notify_cycles(&a.event, 1);
    assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 0), SIM_IDLE);
    expect_story(&t, "a;a.;");
    sim_free(t.s);
}

static void notifying_observer(void *ctx, sim_time_t now)
{
    (void)now;
    sim_notify_cycles(ctx, 1);
}

static void stopping_observer(void *ctx, sim_time_t now)
{
    (void)now;
    sim_stop(ctx);
}

static void observers_may_stop_but_not_notify(void **state)
{
    struct story t;
    struct actor a;
    struct sim_observer stop = {.end_of_instant = stopping_observer};
    struct sim_observer bad = {.end_of_instant = notifying_observer};

    (void)state;
    story_init(&t);
    actor_init(&a, &t, 'a', clears_once);
    stop.ctx = t.s;
    bad.ctx = &a.event;
    sim_observe(t.s, &stop);
    sim_notify_cycles(&a.event, 1);
    assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 0), SIM_STOPPED);
    expect_story(&t, "a");
    a.act = NULL;
    sim_observe(t.s, &bad);
    expect_panic(t.s, "observer", sim_run(t.s, SIM_TIME_MAX, 0));
    sim_free(t.s);
}

/* ---- shuffle ---- */

static void shuffled_order(uint64_t seed, char *text)
{
    struct story t;
    struct actor a[8];
    struct sim_event e;

    story_init(&t);
    sim_event_init(&e, t.s, &t.clock, "all");
    for (int i = 0; i < 8; i++) {
        actor_init(&a[i], &t, (char)('a' + i), NULL);
        sim_wake_on(&a[i].process, &e);
    }
    sim_shuffle(t.s, seed);
    for (int n = 0; n < 40; n++) {
        sim_notify_cycles(&e, 1);
        assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 0), SIM_IDLE);
        for (int i = 0; i < 8; i++) { /* each once */
            assert_non_null(memchr(t.text + 8 * n, 'a' + i, 8));
        }
    }
    strcpy(text, t.text);
    sim_free(t.s);
}

static void shuffle(void **state)
{
    char order[3][512], again[512];
    uint32_t first[8] = {0};

    (void)state;
    shuffled_order(0, order[0]);
    for (int n = 0; n < 40; n++) {
        assert_memory_equal(order[0] + 8 * n, "abcdefgh", 8);
    }
    shuffled_order(1, order[1]);
    shuffled_order(2, order[2]);
    shuffled_order(1, again);
    assert_string_not_equal(order[1], order[0]);
    assert_string_not_equal(order[1], order[2]);
    assert_string_equal(order[1], again);
    for (int n = 0; n < 40; n++) {
        first[order[1][8 * n] - 'a']++;
    }
    for (int i = 0; i < 8; i++) { /* everybody comes first now and then */
        assert_true(first[i] > 0 && first[i] < 20);
    }
}

/* ---- broken contracts ---- */

static void runs_again(struct actor *a)
{
    sim_run(a->story->s, SIM_TIME_MAX, 0);
}

static void builds(struct actor *a)
{
    struct sim *s = a->story->s;
    struct sim_clock c;
    struct sim_event e;
    struct sim_process p;

    switch (a->value) {
    case 0: sim_clock_init(&c, s, "late", 1, 1); break;
    case 1: sim_event_init(&e, s, NULL, "late"); break;
    case 2: sim_process_init(&p, s, "late", act, a); break;
    case 3: sim_wake_on(&a->process, &a->event); break;
    }
}

static void rings(void *ctx)
{
    struct sim_event *e = ctx;

    assert_int_equal(sim_now(e->clock->sim), 29);
    sim_notify_ps(e, 1);
}

static void count(void *self)
{
    ++*(int *)self;
}

static void alarms_ring_before_their_instant(void **state)
{
    struct sim *s = sim_new();
    struct sim_event e, far;
    struct sim_process p;
    struct sim_alarm a = {.at = 30, .ring = rings, .ctx = &e};
    int n = 0;

    (void)state;
    sim_event_init(&e, s, NULL, "e");
    sim_event_init(&far, s, NULL, "far");
    sim_process_init(&p, s, "p", count, &n);
    sim_wake_on(&p, &e);
    sim_set_alarm(s, &a);
    sim_notify_ps(&far, 100);
    assert_int_equal(sim_run(s, 29, 0), SIM_REACHED);
    assert_int_equal(n, 0);
    assert_int_equal(sim_run(s, 30, 0), SIM_REACHED);
    assert_int_equal(n, 1);
    assert_int_equal(sim_run(s, SIM_TIME_MAX, 0), SIM_IDLE);
    assert_int_equal(sim_now(s), 100);
    assert_int_equal(n, 1); /* once */
    sim_free(s);
}

static void not_while_running(void **state)
{
    struct story t;
    struct actor a;

    (void)state;
    for (volatile uint64_t i = 0; i < 4; i++) {
        story_init(&t);
        actor_init(&a, &t, 'a', builds);
        a.value = i;
        sim_notify_delta(&a.event);
        expect_panic(t.s, i < 3 ? "late" : "in a:", sim_run(t.s, SIM_TIME_MAX, 0));
        sim_free(t.s);
    }
    story_init(&t);
    actor_init(&a, &t, 'a', runs_again);
    sim_notify_cycles(&a.event, 2);
    expect_panic(t.s, "at 2000 ps in sim_run inside sim_run",
                 sim_run(t.s, SIM_TIME_MAX, 0));
    sim_free(t.s);
}

static void other_simulation(void **state)
{
    struct story t, u;
    struct actor a, b;

    (void)state;
    story_init(&t);
    story_init(&u);
    actor_init(&a, &t, 'a', NULL);
    actor_init(&b, &u, 'b', NULL);
    expect_panic(t.s, "in a:", sim_wake_on(&a.process, &b.event));
    sim_notify_cycles(&a.event, 1); /* each has its own time */
    sim_notify_cycles(&b.event, 2);
    assert_int_equal(sim_run(t.s, SIM_TIME_MAX, 0), SIM_IDLE);
    assert_int_equal(sim_now(t.s), 1000);
    assert_int_equal(sim_now(u.s), 0);
    assert_int_equal(sim_run(u.s, SIM_TIME_MAX, 0), SIM_IDLE);
    assert_int_equal(sim_now(u.s), 2000);
    sim_free(t.s);
    sim_free(u.s);
}

static jmp_buf out;

static void aborted(int signal_number)
{
    (void)signal_number;
    longjmp(out, 1);
}

static void default_panic_aborts(void **state)
{
    struct sim *s = sim_new();
    void (*before)(int) = signal(SIGABRT, aborted);

    (void)state;
    if (setjmp(out) == 0) {
        SIM_REQUIRE(s, 1 + 1 == 3, "arithmetic");
        fail();
    }
    signal(SIGABRT, before);
    sim_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_to_do),
        cmocka_unit_test(memory_lives_with_the_simulation),
        cmocka_unit_test(signals_change_in_update),
        cmocka_unit_test(last_write_counts_and_is_masked),
        cmocka_unit_test(deltas_follow),
        cmocka_unit_test(waking),
        cmocka_unit_test(many_processes),
        cmocka_unit_test(until_is_included),
        cmocka_unit_test(slices),
        cmocka_unit_test(stop_completes_the_instant),
        cmocka_unit_test(delta_loop_names_culprits),
        cmocka_unit_test(delta_limit_is_exact),
        cmocka_unit_test(default_delta_limit),
        cmocka_unit_test(many_culprits),
        cmocka_unit_test(observers_see_instants_with_activity),
        cmocka_unit_test(observers_with_nothing_pending_are_not_told),
        cmocka_unit_test(observers_may_stop_but_not_notify),
        cmocka_unit_test(shuffle),
        cmocka_unit_test(alarms_ring_before_their_instant),
        cmocka_unit_test(not_while_running),
        cmocka_unit_test(other_simulation),
        cmocka_unit_test(default_panic_aborts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
