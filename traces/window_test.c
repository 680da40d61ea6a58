/* Where a dump begins and ends, and rings: by what would have come of cycles. */
#include "wave_testlib.h"

#include "wave_priv.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct files { /* of a run; owned */
    char *dump, *log, *gtkw;
};

static void drop(struct files *f)
{
    free(f->dump);
    free(f->log);
    free(f->gtkw);
}

static struct wave_config config(struct tiny_paths *p)
{
    struct wave_config c = tiny_config(p, "window");

    c.log_wait = 1;
    return c;
}

static struct files collect(const struct wave_config *c)
{
    struct files f = {tiny_slurp(c->path), tiny_slurp(c->events_path),
                      tiny_slurp(c->gtkw_path)};

    tiny_remove(c);
    return f;
}

/* What the run of the usual script leaves. */
static struct files run(const struct wave_config *c, uint64_t shuffle)
{
    struct tiny t;

    tiny_init(&t, shuffle);
    tiny_script(&t);
    tiny_finish(&t, tiny_open(&t, c));
    tiny_free(&t);
    return collect(c);
}

static struct files window(const char *scope, uint64_t start, uint64_t stop)
{
    struct tiny_paths p;
    struct wave_config c = config(&p);

    c.scope = scope;
    tiny_window(&c, start, stop);
    return run(&c, 0);
}

/* The same changes, and the same log but for the line of the trigger, and a save file
 * that differs from the other's by the trigger's marker. */
static void same(struct files got, struct files want, const char *trigger)
{
    char *line = trigger != NULL ? strstr(got.log, trigger) : NULL;

    assert_string_equal(tiny_body(got.dump), tiny_body(want.dump));
    if (trigger != NULL) {
        assert_non_null(line);
        memmove(line, line + strlen(trigger), strlen(line + strlen(trigger)) + 1);
        assert_non_null(strstr(got.gtkw, "trigger"));
    }
    assert_string_equal(got.log, want.log);
    drop(&got);
    drop(&want);
}

static const struct wave_point conflict = {.at = WAVE_AT_EVENT,
                                           .event = "conflict",
                                           .n = 4,
                                           .text = "conflict>=4"};
static const struct wave_point release = {.at = WAVE_AT_EVENT,
                                          .event = "release",
                                          .text = "barrier"};

static bool is_bar(void *ctx, uint64_t inst)
{
    ++*(int *)ctx;
    return inst == 2; /* issued at cycle 6 */
}

/* ---- windows ---- */

static void begins(void **state)
{
    struct tiny_paths p;
    struct wave_config c = config(&p);

    (void)state;
    c.point[WAVE_START] = conflict;
    same(run(&c, 0), window(NULL, 5, 0), NULL);
    c.point[WAVE_START].n = 5; /* none is of that degree: the last instant */
    same(run(&c, 0), window(NULL, 1000, 0), NULL);
    c.point[WAVE_START] = release;
    same(run(&c, 0), window(NULL, 8, 0), NULL);
    c.scope = "*.queue"; /* what it waits for is not traced */
    same(run(&c, 0), window("*.queue", 8, 0), NULL);
}

static void begins_with_issue(void **state)
{
    struct tiny_paths p;
    struct wave_config c = config(&p);
    int asked = 0;

    (void)state;
    c.point[WAVE_START] = (struct wave_point){.at = WAVE_AT_ISSUE,
                                              .is = is_bar,
                                              .ctx = &asked,
                                              .text = "x"};
    same(run(&c, 0), window(NULL, 6, 0), NULL);
    assert_int_equal(asked, 2); /* and not behind it */
}

static void ends(void **state)
{
    struct tiny_paths p;
    struct wave_config c = config(&p);

    (void)state;
    c.point[WAVE_STOP] = conflict; /* its cycle is the last one */
    same(run(&c, 0), window(NULL, 0, 6), NULL);
    c.point[WAVE_START] = wave_cycle(2);
    c.point[WAVE_STOP] = release;
    same(run(&c, 0), window(NULL, 2, 9), NULL);
    c.point[WAVE_START] = release; /* what ends it counts from its beginning on */
    c.point[WAVE_STOP] = conflict;
    same(run(&c, 0), window(NULL, 8, 0), NULL);
    c.point[WAVE_STOP] = wave_cycle(7); /* is over when it begins: the last instant */
    same(run(&c, 0), window(NULL, 1000, 0), NULL);
}

static void told(void **state)
{
    struct tiny_paths p;
    struct wave_config c = config(&p);
    struct wave *w;
    struct tiny t;

    (void)state;
    c.point[WAVE_START] = (struct wave_point){.at = WAVE_AT_TELL, .text = "now"};
    c.point[WAVE_STOP] = c.point[WAVE_START];
    tiny_init(&t, 0);
    tiny_script(&t);
    w = tiny_open(&t, &c);
    assert_int_equal(sim_run(t.sim, 1430, 0), SIM_REACHED);
    wave_tell(w, WAVE_STOP, 1430); /* nothing to end yet */
    assert_int_equal(sim_run(t.sim, 2142, 0), SIM_REACHED);
    wave_tell(w, WAVE_START, 2142);
    wave_tell(w, WAVE_START, 2143); /* once only */
    assert_int_equal(sim_run(t.sim, 4300, 0), SIM_REACHED);
    wave_tell(w, WAVE_STOP, 4300);
    tiny_finish(&t, w);
    tiny_free(&t);
    {
        struct files got = collect(&c);

        assert_int_equal(strncmp(tiny_body(got.dump), "#2142\n", 6), 0);
        assert_non_null(strstr(got.dump, "\n#5000\n$dumpoff")); /* cycle 7 */
        drop(&got);
    }
}

static void unknown_event(void **state)
{
    struct tiny_paths p;
    struct wave_config c = config(&p);
    struct smw_err e = {0};
    struct tiny t;

    (void)state;
    c.point[WAVE_ON] = (struct wave_point){.at = WAVE_AT_EVENT, .event = "race"};
    c.ring = 2;
    tiny_init(&t, 0);
    assert_null(wave_open(t.sim, &t.gpu, NULL, &c, &e));
    assert_int_equal(e.kind, SMW_ERR_INPUT);
    assert_string_equal(e.message, "nothing in the model has the event 'race'");
    for (int i = 0; i < N_TINY_PROBES; i++) {
        assert_false(t.probe[i].watched);
    }
    tiny_free(&t);
}

static void comments(void **state)
{
    struct tiny_paths p;
    struct wave_config c = config(&p);
    struct files f;

    (void)state;
    c.point[WAVE_START] = wave_cycle(1);
    c.point[WAVE_STOP] = release;
    c.point[WAVE_ON] = conflict;
    c.ring = 2;
    c.after = 1;
    c.depth = 3;
    f = run(&c, 0);
    assert_non_null(strstr(f.dump,
                           "$comment depth 3 $end\n"
                           "$comment from cycle 1 to barrier $end\n"
                           "$comment 2 cycles before conflict>=4, 1 behind it $end\n"));
    assert_non_null(strstr(f.dump, "$comment written at cycle 5 $end\n"));
    drop(&f);
}

/* ---- rings ---- */

static void writes_ring(void **state)
{
    struct tiny_paths p;
    struct wave_config c = config(&p);

    (void)state;
    c.point[WAVE_ON] = conflict;
    c.ring = 2;
    c.after = 3;
    same(run(&c, 0), window(NULL, 3, 9), "3571 cycle 5 gpu.trigger conflict>=4\n");
    c.scope = "*.smem";
    same(run(&c, 0), window("*.smem", 3, 9), "3571 cycle 5 gpu.trigger conflict>=4\n");
    c.scope = NULL;
    c.ring = 100; /* from the beginning */
    c.after = UINT64_MAX;
    same(run(&c, 0), window(NULL, 0, 0), "3571 cycle 5 gpu.trigger conflict>=4\n");
    c.ring = 1;
    c.after = 0; /* its own cycle */
    c.point[WAVE_ON] = release;
    same(run(&c, 0), window(NULL, 7, 9), "5714 cycle 8 gpu.trigger barrier\n");
}

/* What writes it comes between two instants: at a cycle, or is told. */
static void written_between(void **state)
{
    struct tiny_paths p;
    struct wave_config c = config(&p);

    (void)state;
    c.point[WAVE_ON] = wave_cycle(7);
    c.point[WAVE_ON].text = "cycle=7";
    c.ring = 4;
    c.after = 1;
    same(run(&c, 0), window(NULL, 3, 9), "5000 cycle 7 gpu.trigger cycle=7\n");
}

static void ring_in_window(void **state)
{
    struct tiny_paths p;
    struct wave_config c = config(&p);

    (void)state;
    c.point[WAVE_START] = wave_cycle(4);
    c.point[WAVE_STOP] = wave_cycle(9);
    c.point[WAVE_ON] = conflict;
    c.ring = 3;
    c.after = 100;
    same(run(&c, 0), window(NULL, 4, 9), "3571 cycle 5 gpu.trigger conflict>=4\n");
    c.point[WAVE_START] = wave_cycle(6); /* the conflict is before */
    same(run(&c, 0), window(NULL, 1000, 0), NULL);
    c.point[WAVE_START] = wave_cycle(0);
    c.point[WAVE_STOP] = wave_cycle(5); /* behind */
    same(run(&c, 0), window(NULL, 1000, 0), NULL);
}

/* How the run ends; at the end now is 7142. */
static struct files end_with(enum wave_at at, enum smw_err_kind fault)
{
    struct tiny_paths p;
    struct wave_config c = config(&p);
    struct smw_err e = {0};
    struct wave *w;
    struct tiny t;

    c.point[WAVE_ON] = (struct wave_point){.at = at, .text = "it"};
    c.ring = 3;
    tiny_init(&t, 0);
    tiny_script(&t);
    w = tiny_open(&t, &c);
    assert_int_equal(sim_run(t.sim, SIM_TIME_MAX, 0), SIM_IDLE);
    if (fault != SMW_ERR_NONE) {
        wave_fault(w, fault, "broken");
    }
    assert_true(wave_close(w, "complete", &e));
    tiny_free(&t);
    return collect(&c);
}

static void ring_at_end(void **state)
{
    static const struct {
        enum wave_at at;
        enum smw_err_kind fault;
        bool written;
    } cases[] = {
        {WAVE_AT_FAULT, SMW_ERR_NONE, false},
        {WAVE_AT_FAULT, SMW_ERR_KERNEL, true},
        {WAVE_AT_FAULT, SMW_ERR_DEADLOCK, true},
        {WAVE_AT_DEADLOCK, SMW_ERR_KERNEL, false},
        {WAVE_AT_DEADLOCK, SMW_ERR_DEADLOCK, true},
        {WAVE_AT_END, SMW_ERR_NONE, true},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct files got = end_with(cases[i].at, cases[i].fault);
        struct files want = window(NULL, cases[i].written ? 7 : 10, 0);
        bool logged = strstr(got.log, " gpu.trigger it\n") != NULL;

        if (cases[i].written) {
            assert_string_equal(tiny_body(got.dump), tiny_body(want.dump));
        } else {
            assert_non_null(strstr(got.dump, "#7142\n$dumpvars"));
        }
        assert_int_equal(logged, cases[i].written);
        if (cases[i].fault != SMW_ERR_NONE && cases[i].written) {
            assert_non_null(strstr(got.log, " gpu.fault broken\n"));
            assert_non_null(strstr(got.gtkw, "first fault, trigger"));
        }
        drop(&got);
        drop(&want);
    }
}

/* A queue that changes in each of 12000 cycles; at the last one but 10, a conflict. */
static struct wave_extent long_run(struct wave_config *c, bool *begun)
{
    enum { CYCLES = 12000 };
    static struct tiny_step steps[CYCLES],
        event[] = {{CYCLES - 10, TINY_DEGREE, 4}, {CYCLES - 10, TINY_CONFLICT, 0}};
    struct wave_extent x = {0};
    struct smw_err e = {0};
    struct wave *w;
    struct tiny t;

    for (uint32_t i = 0; i < CYCLES; i++) {
        steps[i] = (struct tiny_step){i + 1, TINY_WARP, i % 61 + 1};
    }
    tiny_init(&t, 0);
    tiny_play(&t, &t.sm, steps, CYCLES);
    tiny_play(&t, &t.sm, event, 2);
    w = tiny_open(&t, c);
    assert_int_equal(sim_run(t.sim, SIM_TIME_MAX, 0), SIM_IDLE);
    assert_false(wave_extent(w, &x));
    assert_true(wave_close(w, NULL, &e));
    *begun = wave_extent(w, &x);
    tiny_free(&t);
    return x;
}

/* The oldest changes are dropped, by cycles and by memory. */
static void forgets(void **state)
{
    static const uint64_t rings[] = {1, 1000, 4000, 11000};
    struct tiny_paths p;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rings); i++) {
        struct wave_config c = config(&p);
        struct wave_extent x;
        struct files got, want;
        bool begun;

        c.point[WAVE_ON] = conflict;
        c.ring = rings[i];
        c.ring_bytes = 1; /* two chunks, of 2048 instants each */
        c.after = 5;
        x = long_run(&c, &begun);
        assert_true(begun);
        assert_int_equal(x.wanted, 11990 - rings[i]);
        assert_int_equal(x.last, 11995);
        if (rings[i] <= 1000) {
            assert_int_equal(x.first, x.wanted);
        } else { /* the second chunk may have just begun */
            assert_in_range(x.first, 11990 - 4096, 11990 - 2047);
            assert_true(rings[i] != 11000 || x.first > x.wanted);
        }
        got = collect(&c);
        c = config(&p);
        tiny_window(&c, x.first, 11996);
        (void)long_run(&c, &begun);
        want = collect(&c);
        assert_string_equal(tiny_body(got.dump), tiny_body(want.dump));
        drop(&got);
        drop(&want);
    }
}

/* A wave that waits has no say in what another one gets. */
static void two_waves(void **state)
{
    struct tiny_paths p, q;
    struct wave_config c = config(&p), d = tiny_config(&q, "other");
    struct wave *w, *v;
    struct smw_err e = {0};
    struct tiny t;
    struct files f;

    (void)state;
    c.point[WAVE_ON] = conflict;
    c.ring = 2;
    c.after = 20;
    d.events_path = NULL;
    d.gtkw_path = NULL;
    tiny_init(&t, 0);
    tiny_script(&t);
    w = tiny_open(&t, &c);
    v = tiny_open(&t, &d);
    tiny_finish(&t, v);
    assert_true(wave_close(w, "complete", &e));
    tiny_free(&t);
    f = collect(&c); /* before the next run writes the same files */
    same(f, window(NULL, 3, 0), "3571 cycle 5 gpu.trigger conflict>=4\n");
    f = window(NULL, 0, 0);
    {
        char *other = tiny_slurp(d.path);

        assert_string_equal(tiny_body(other), tiny_body(f.dump));
        free(other);
    }
    drop(&f);
    (void)remove(d.path);
}

static void shuffles(void **state)
{
    struct tiny_paths p;
    struct wave_config c = config(&p);
    struct files first;

    (void)state;
    c.point[WAVE_START] = release;
    c.point[WAVE_START].event = "issue";
    c.point[WAVE_ON] = conflict;
    c.ring = 2;
    first = run(&c, 0);
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct files f = run(&c, seed);

        assert_string_equal(f.dump, first.dump);
        assert_string_equal(f.log, first.log);
        assert_string_equal(f.gtkw, first.gtkw);
        drop(&f);
    }
    drop(&first);
}

/* A broken contract is a fault, too. */
static void aborts(void **state)
{
    struct tiny_paths p;
    struct wave_config c = config(&p);
    struct files f;
    struct wave *w;
    struct tiny t;

    (void)state;
    c.point[WAVE_ON] = (struct wave_point){.at = WAVE_AT_FAULT, .text = "fault"};
    c.ring = 3;
    tiny_init(&t, 0);
    tiny_script(&t);
    w = tiny_open(&t, &c);
    assert_int_equal(sim_run(t.sim, 4300, 0), SIM_REACHED);
    wave_abort(w);
    tiny_free(&t);
    f = collect(&c);
    assert_int_equal(strncmp(tiny_body(f.dump), "#2142\n", 6), 0);
    drop(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begins),         cmocka_unit_test(begins_with_issue),
        cmocka_unit_test(ends),           cmocka_unit_test(told),
        cmocka_unit_test(unknown_event),  cmocka_unit_test(comments),
        cmocka_unit_test(writes_ring),    cmocka_unit_test(written_between),
        cmocka_unit_test(ring_in_window), cmocka_unit_test(ring_at_end),
        cmocka_unit_test(forgets),        cmocka_unit_test(two_waves),
        cmocka_unit_test(shuffles),       cmocka_unit_test(aborts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
