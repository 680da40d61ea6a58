/* Random plans of streams, each run in several ways: what comes of it, times among it,
 * is the same in steps, with a shuffle, and with SMs that run ahead of the rest. */
#include "gpu/keys_kernels_test.h"
#include "gpu/queue_test.h"

enum { SEEDS = 12, ITEMS = 60, STREAMS = 6, MOST = 60000 };

struct plan {
    uint32_t seed; /* of what is drawn next */
    struct dt *t;
    uint8_t host[STREAMS][1 << 16];
    uint64_t mark[ITEMS];
    uint32_t n_marks;
};

static uint32_t draw(struct plan *p, uint32_t n)
{
    p->seed = p->seed * 1664525u + 1013904223u;
    return (p->seed >> 8) % n;
}

static void open_plan(struct plan *p, const struct smw_options *opt)
{
    static const char *const presets[] = {"gtx480", "8800gtx", "h100", "gtx280"};
    const char *preset = presets[draw(p, 4)];
    char settings[256];

    (void)snprintf(settings, sizeof(settings),
                   "gpu.what_if=true gpu.sms=%u host.link.latency=%uns "
                   "host.link.up=%uMB/s host.link.engines=%u host.device.latency=%uns",
                   2 + draw(p, 5), draw(p, 5000), 500 + draw(p, 50000), draw(p, 3),
                   draw(p, 3000));
    p->t = dt_open_with(preset, settings, opt, KEYS_PTX);
    /* the kernels read a MiB */
    dt_ok(smw_alloc(p->t->d, 1 << 20, &p->t->in, &err), &err);
}

/* What the capability has no instructions for is another kernel. */
static void queue_kernel(struct plan *p, uint32_t stream)
{
    static const char *const kernels[] = {"alu",    "stream",  "global",
                                          "shared", "control", "sums"};
    struct smw_launch l = dt_shape(1 + draw(p, 6), 32 + 32 * draw(p, 4));

    l.stream = stream;
    if (!dt_queue(p->t, kernels[draw(p, 6)], l, &err)) {
        err_clear(&err);
        dt_ok(dt_queue(p->t, "shared", l, &err), &err);
    }
}

static void queue_one(struct plan *p)
{
    uint32_t stream = draw(p, STREAMS), what = draw(p, 7);
    uint64_t at = draw(p, 1000), n = 1 + draw(p, MOST);

    if (what < 2) {
        queue_kernel(p, stream);
    } else if (what == 2) {
        copy(p->t, up(p->t, stream, p->host[stream], at, n));
    } else if (what == 3) {
        copy(p->t, down(p->t, stream, p->host[stream], at, n));
    } else if (what == 4) {
        dt_ok(smw_queue_fill(p->t->d, stream, p->t->out, draw(p, 256), 1, n, 1, 0,
                             &err),
              &err);
    } else if (what == 5) {
        p->mark[p->n_marks++] = mark(p->t, stream);
    } else if (p->n_marks != 0) {
        wait(p->t, stream, p->mark[draw(p, p->n_marks)]);
    }
}

static void mix(uint64_t *hash, const void *data, size_t n)
{
    const uint8_t *b = data;

    for (size_t i = 0; i < n; i++) {
        *hash = (*hash ^ b[i]) * UINT64_C(0x100000001b3);
    }
}

static uint64_t outcome(struct plan *p)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325), now = smw_now_ps(p->t->d);

    mix(&hash, &now, sizeof(now));
    for (uint32_t i = 0; i < p->n_marks; i++) {
        uint64_t ps = reached(p->t, p->mark[i]);

        mix(&hash, &ps, sizeof(ps));
    }
    for (uint32_t i = 0; i < smw_results(p->t->d); i++) {
        struct smw_result r = dt_result(p->t, i);

        mix(&hash, &r.start_ps, sizeof(r.start_ps));
        mix(&hash, &r.end_ps, sizeof(r.end_ps));
        mix(&hash, &r.counters, sizeof(r.counters));
    }
    for (uint32_t i = 0; i < smw_transfers(p->t->d); i++) {
        struct smw_transferred r = transferred(p->t, i);

        mix(&hash, &r.start_ps, sizeof(r.start_ps));
        mix(&hash, &r.end_ps, sizeof(r.end_ps));
    }
    dt_fetch(p->t);
    mix(&hash, p->t->words, sizeof(p->t->words));
    mix(&hash, p->host, sizeof(p->host));
    return hash;
}

static uint64_t play(uint32_t seed, const struct smw_options *opt, uint64_t step)
{
    struct plan *p = calloc(1, sizeof(*p));
    uint64_t hash;

    err_clear(&err);
    assert_non_null(p);
    p->seed = seed;
    open_plan(p, opt);
    for (uint32_t i = 0; i < ITEMS; i++) {
        queue_one(p);
    }
    while (smw_step(p->t->d, step) == SMW_RUNNING) {
    }
    all(p->t);
    assert_int_equal(smw_live_transactions(p->t->d), 0);
    hash = outcome(p);
    dt_close(p->t);
    free(p);
    return hash;
}

static void run_team(void *ctx, void (*job)(void *arg, uint32_t i), void *arg)
{
    (void)ctx;
    for (uint32_t i = 0; i < 3; i++) {
        job(arg, i);
    }
}

static void test_plans(void **state)
{
    struct smw_team team = {.run = run_team, .n = 3};
    const struct smw_options ahead = {.team = &team};

    (void)state;
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        uint64_t ref = play(seed, NULL, 0);

        assert_int_equal(play(seed, &(struct smw_options){.shuffle = 7}, 13), ref);
        assert_int_equal(play(seed, &ahead, 0), ref);
        assert_int_equal(play(seed, &ahead, 50), ref);
        assert_int_not_equal(play(seed + SEEDS, NULL, 0), ref);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_plans, make_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
