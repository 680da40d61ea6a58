/* Streams: the order of copies, kernels, calls, marks and waits. */
#include "gpu/queue_test.h"

/* ---- order ---- */

/* In one stream: copy, kernel, copy, each sees what the one before left. */
static void test_order_in_a_stream(void **state)
{
    struct dt *t = open("host.link.engines=2");
    uint32_t in[64], out[64], again[64];
    uint64_t m[4];

    (void)state;
    for (uint32_t i = 0; i < 64; i++) {
        in[i] = 1000 + i;
    }
    m[0] = mark(t, 0);
    copy(t, up(t, 0, in, 0, sizeof(in)));
    m[1] = mark(t, 0);
    dt_start(t, "add", 1, 64);
    m[2] = mark(t, 0);
    copy(t, down(t, 0, out, 0, sizeof(out)));
    m[3] = mark(t, 0);
    dt_start(t, "twice", 1, 64);
    copy(t, down(t, 0, again, 0, sizeof(again)));
    all(t);
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(out[i], 1001 + i);
        assert_int_equal(again[i], 2 * (1001 + i));
    }
    assert_int_equal(reached(t, m[1]), transferred(t, 0).end_ps);
    assert_int_equal(reached(t, m[1]), dt_result(t, 0).start_ps);
    assert_true(reached(t, m[2]) >= dt_result(t, 0).end_ps);
    assert_int_equal(reached(t, m[2]), transferred(t, 1).start_ps);
    assert_int_equal(reached(t, m[3]), transferred(t, 1).end_ps);
    dt_close(t);
}

static void start_at(struct dt *t, uint64_t begin_ps, uint32_t stream)
{
    struct smw_launch l = dt_shape(1, 64);

    l.begin_ps = begin_ps;
    l.stream = stream;
    dt_ok(dt_queue(t, "add", l, &err), &err);
}

/* A launch waits for its time, on an idle device and beside another one; what is queued
 * behind it waits too; a time that is over holds nobody up. */
static void test_begin_at(void **state)
{
    struct dt *t = open("host.link.engines=2");
    uint64_t late = smw_now_ps(t->d) + 3 * US, later = late + 20 * US;

    (void)state;
    start_at(t, late, 0);
    start_at(t, 0, 1);
    all(t);
    assert_int_equal(dt_result(t, 0).start_ps, late);
    assert_true(dt_result(t, 1).start_ps >= late);
    start_at(t, 1, 0); /* long ago */
    start_at(t, later, 1);
    all(t);
    assert_true(dt_result(t, 2).start_ps < later && dt_result(t, 2).end_ps < later);
    assert_int_equal(dt_result(t, 3).start_ps, later);
    dt_close(t);
}

/* Streams wait for a mark, and only those; also for one that was reached long ago. */
static void test_wait(void **state)
{
    struct dt *t = open("host.link.engines=2");
    uint64_t begin = smw_now_ps(t->d), m, after[3], late;

    (void)state;
    copy(t, up(t, 1, bytes, 0, 1000)); /* 2 us */
    m = mark(t, 1);
    wait(t, 2, m);
    wait(t, 3, m);
    after[0] = mark(t, 2);
    after[1] = mark(t, 3);
    after[2] = mark(t, 4); /* waits for nothing */
    copy(t, down(t, 2, back, 0, 1000));
    dt_ok(smw_synchronize_stream(t->d, 4, &err), &err);
    assert_int_equal(smw_now_ps(t->d), begin);
    assert_int_equal(reached(t, after[2]), begin);
    assert_false(smw_mark_reached(t->d, after[0], NULL));
    all(t);
    assert_int_equal(reached(t, m), begin + 2 * US);
    assert_int_equal(reached(t, after[0]), begin + 2 * US);
    assert_int_equal(reached(t, after[1]), begin + 2 * US);
    assert_int_equal(transferred(t, 1).start_ps, begin + 2 * US);
    assert_memory_equal(back, bytes, 1000);
    wait(t, 9, m);
    late = mark(t, 9);
    all(t);
    assert_int_equal(reached(t, late), smw_now_ps(t->d));
    /* a stream may wait for itself: nothing happens */
    m = mark(t, 9);
    wait(t, 9, m);
    all(t);
    assert_true(smw_stream_idle(t->d, 9));
    dt_close(t);
}

struct diary {
    uint32_t n, of[64];
};

struct line {
    struct diary *diary;
    uint32_t what;
};

static void write_line(void *arg)
{
    struct line *l = arg;

    l->diary->of[l->diary->n++] = l->what;
}

static void test_calls(void **state)
{
    struct dt *t = open("");
    struct diary diary = {0};
    struct line line[3] = {{&diary, 10}, {&diary, 20}, {&diary, 30}};
    uint32_t word = 0;

    (void)state;
    dt_start(t, "add", 1, 32);
    copy(t, down(t, 0, &word, 0, 4));
    dt_ok(smw_queue_call(t->d, 0, write_line, &line[0], &err), &err);
    dt_ok(smw_queue_call(t->d, 0, write_line, &line[1], &err), &err);
    dt_ok(smw_queue_call(t->d, 1, write_line, &line[2], &err), &err);
    assert_int_equal(diary.n, 0);
    all(t);
    assert_int_equal(diary.n, 3);
    assert_int_equal(diary.of[0], 30); /* of a stream that has nothing else to do */
    assert_int_equal(diary.of[1], 10);
    assert_int_equal(diary.of[2], 20);
    assert_int_equal(word, 1);
    dt_close(t);
}

/* Only what is needed runs; smw_write() settles all that is queued, in whatever
 * stream. */
static void test_synchronize_one_stream(void **state)
{
    struct dt *t = open("host.link.engines=2");
    struct smw_launch l = dt_shape(4, 64);
    uint32_t word = 5;

    (void)state;
    l.stream = 1;
    dt_ok(dt_queue(t, "slow", l, &err), &err);
    copy(t, up(t, 2, bytes, 32768, 100));
    dt_ok(smw_synchronize_stream(t->d, 2, &err), &err);
    assert_true(transferred(t, 0).finished);
    assert_false(dt_result(t, 0).finished);
    assert_false(smw_stream_idle(t->d, 1));
    dt_ok(smw_write(t->d, t->out, &word, 4, &err), &err);
    assert_true(dt_result(t, 0).finished);
    assert_true(smw_stream_idle(t->d, 1));
    assert_int_equal(smw_live_transactions(t->d), 0);
    dt_close(t);
}

/* ---- faults ---- */

/* What is queued behind a kernel at fault never happens, and nothing more is taken. */
static void test_after_a_fault(void **state)
{
    struct dt *t = open("");
    struct smw_transfer x;
    uint64_t m;

    (void)state;
    t->out = 4096; /* nobody's */
    dt_start(t, "add", 1, 32);
    t->out = t->in;
    x = up(t, 0, bytes, 0, 4);
    copy(t, x);
    m = mark(t, 0);
    assert_false(smw_synchronize_stream(t->d, 0, &err));
    assert_int_equal(err.kind, SMW_ERR_KERNEL);
    err_clear(&err);
    assert_false(smw_synchronize_mark(t->d, m, &err));
    assert_false(smw_mark_reached(t->d, m, NULL));
    assert_false(transferred(t, 0).started);
    err_clear(&err);
    assert_false(smw_queue_copy(t->d, &x, &err));
    assert_non_null(strstr(err.message, "unusable after a fault"));
    err_clear(&err);
    assert_false(smw_queue_fill(t->d, 0, t->in, 0, 1, 1, 1, 0, &err));
    err_clear(&err);
    assert_false(smw_queue_call(t->d, 0, NULL, NULL, &err));
    err_clear(&err);
    assert_int_equal(smw_queue_mark(t->d, 0, &err), 0);
    err_clear(&err);
    assert_false(smw_queue_wait(t->d, 0, m, &err));
    dt_close(t);
}

/* ---- ends of a run ---- */

/* A kernel that waits for ever is found once nothing else is left: copies go on. */
static void test_deadlock_beside_a_copy(void **state)
{
    static const char stuck[] = PTX_HEAD BODY("k", "bar.sync 1, 64;");
    struct dt *t = dt_open_with("tiny", LINK, NULL, stuck);
    struct smw_launch l = dt_shape(1, 32);

    (void)state;
    err_clear(&err);
    l.stream = 1;
    dt_ok(dt_queue(t, "k", l, &err), &err);
    copy(t, up(t, 2, bytes, 0, 1000));
    assert_int_equal(smw_step(t->d, 0), SMW_DEADLOCK);
    assert_true(transferred(t, 0).finished);
    assert_false(smw_synchronize_stream(t->d, 1, &err));
    assert_int_equal(err.kind, SMW_ERR_DEADLOCK);
    dt_close(t);
}

/* Both sides of the limit: a copy of 2,000 cycles. */
static void test_limit(void **state)
{
    (void)state;
    for (uint64_t limit = 1999; limit <= 2001; limit += 2) {
        struct dt *t = dt_open_with("tiny", LINK,
                                    &(struct smw_options){.max_cycles = limit}, small);

        err_clear(&err);
        copy(t, up(t, 0, bytes, 0, 1000));
        assert_int_equal(smw_step(t->d, 0), limit < 2000 ? SMW_LIMIT : SMW_DONE);
        assert_int_equal(transferred(t, 0).finished, limit > 2000);
        dt_close(t);
    }
}

static void test_stop_in_a_copy(void **state)
{
    struct dt *t = open("");

    (void)state;
    copy(t, up(t, 0, bytes, 0, 1000));
    smw_stop(t->d);
    assert_int_equal(smw_step(t->d, 0), SMW_STOPPED);
    assert_true(transferred(t, 0).started && !transferred(t, 0).finished);
    assert_int_equal(smw_step(t->d, 0), SMW_DONE); /* it goes on where it was */
    assert_true(transferred(t, 0).finished);
    dt_close(t);
}

/* A device that is closed with things queued gives everything back (LeakSanitizer). */
static void test_close_with_things_queued(void **state)
{
    struct dt *t = open("");

    (void)state;
    copy(t, up(t, 0, bytes, 0, 1000));
    wait(t, 1, mark(t, 0));
    copy(t, down(t, 1, back, 0, 1000));
    assert_int_equal(smw_step(t->d, 1), SMW_RUNNING);
    dt_close(t);
}

/* ---- the same results ---- */

struct outcome {
    uint64_t hash;
};

static void mix(struct outcome *o, uint64_t v)
{
    o->hash = (o->hash ^ v) * UINT64_C(0x100000001b3);
}

/* Streams that copy up, compute and copy down, with waits across; all times count. */
static struct outcome play(const struct smw_options *opt, uint64_t step)
{
    enum { STREAMS = 5, TURNS = 4, WORDS = 256 };
    static uint32_t out[STREAMS][WORDS];
    struct dt *t =
        dt_open_with("gtx480",
                     LINK "gpu.sms=4 host.link.engines=2 host.device.latency=1us", opt,
                     small);
    struct outcome o = {UINT64_C(0xcbf29ce484222325)};
    uint64_t last = 0, m[STREAMS * TURNS];

    err_clear(&err);
    for (uint32_t i = 0; i < STREAMS * TURNS; i++) {
        uint32_t s = i % STREAMS;
        struct smw_launch l = dt_shape(2 + s, 128);
        uint64_t at = s * sizeof(out[0]), begin = t->out;

        if (last != 0 && i % 3 == 0) {
            wait(t, s, last);
        }
        copy(t, up(t, s, bytes, at, 100 * (s + 1)));
        l.stream = s;
        t->out += at;
        dt_ok(dt_queue(t, i % 2 == 0 ? "add" : "slow", l, &err), &err);
        t->out = begin;
        dt_ok(smw_queue_fill(t->d, s, t->out + at, i, 4, 64, 1, 0, &err), &err);
        copy(t, down(t, s, out[s], at, sizeof(out[0])));
        last = m[i] = mark(t, s);
    }
    while (smw_step(t->d, step) == SMW_RUNNING) {
    }
    dt_fetch(t);
    for (uint32_t i = 0; i < STREAMS * TURNS; i++) {
        mix(&o, reached(t, m[i]));
        mix(&o, dt_result(t, i).start_ps);
        mix(&o, dt_result(t, i).counters.cycles);
    }
    for (uint32_t i = 0; i < smw_transfers(t->d); i++) {
        mix(&o, transferred(t, i).start_ps);
        mix(&o, transferred(t, i).end_ps);
    }
    for (uint32_t i = 0; i < DT_OUT_WORDS; i++) {
        mix(&o, t->words[i]);
    }
    for (uint32_t i = 0; i < STREAMS * WORDS; i++) {
        mix(&o, out[i / WORDS][i % WORDS]);
    }
    assert_int_equal(smw_transfers(t->d), 3 * STREAMS * TURNS);
    assert_int_equal(smw_live_transactions(t->d), 0);
    dt_close(t);
    return o;
}

static void run_team(void *ctx, void (*job)(void *arg, uint32_t i), void *arg)
{
    (void)ctx;
    for (uint32_t i = 0; i < 3; i++) {
        job(arg, i);
    }
}

static void test_results_are_the_same(void **state)
{
    struct smw_team team = {.run = run_team, .n = 3};
    uint64_t ref = play(NULL, 0).hash;

    (void)state;
    assert_int_equal(play(NULL, 0).hash, ref);
    assert_int_equal(play(NULL, 1).hash, ref);
    assert_int_equal(play(NULL, 100).hash, ref);
    assert_int_equal(play(&(struct smw_options){.shuffle = 5}, 0).hash, ref);
    assert_int_equal(play(&(struct smw_options){.host = true}, 0).hash, ref);
    assert_int_equal(play(&(struct smw_options){.team = &team}, 0).hash, ref);
    assert_int_equal(play(&(struct smw_options){.team = &team}, 77).hash, ref);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_order_in_a_stream, make_bytes),
        cmocka_unit_test_setup(test_begin_at, make_bytes),
        cmocka_unit_test_setup(test_wait, make_bytes),
        cmocka_unit_test_setup(test_calls, make_bytes),
        cmocka_unit_test_setup(test_synchronize_one_stream, make_bytes),
        cmocka_unit_test_setup(test_after_a_fault, make_bytes),
        cmocka_unit_test_setup(test_deadlock_beside_a_copy, make_bytes),
        cmocka_unit_test_setup(test_limit, make_bytes),
        cmocka_unit_test_setup(test_stop_in_a_copy, make_bytes),
        cmocka_unit_test_setup(test_close_with_things_queued, make_bytes),
        cmocka_unit_test_setup(test_results_are_the_same, make_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
