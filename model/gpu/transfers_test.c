/* Copies and fills in streams: their modelled time, their bytes, what is refused, the
 * waveform. */
#include "gpu/queue_test.h"

#include "comp/comp.h"
#include "gpu/observe.h"

/* ---- time ---- */

/* LINK-1: latency and bytes over the rate, up to an edge; nothing before, all then. */
static void test_time_of_a_copy(void **state)
{
    struct dt *t = open("");
    struct smw_transfer slow = up(t, 0, bytes, 4000, 1000);
    uint64_t start = smw_now_ps(t->d), a, b, c, m;
    uint8_t now[2];

    (void)state;
    a = mark(t, 0);
    copy(t, up(t, 0, bytes, 0, 1000));
    b = mark(t, 0);
    assert_false(smw_mark_reached(t->d, b, NULL));
    assert_false(smw_stream_idle(t->d, 0));
    assert_int_equal(smw_now_ps(t->d), start); /* queueing takes no time */
    dt_ok(smw_synchronize_mark(t->d, b, &err), &err);
    assert_int_equal(reached(t, a), start);
    assert_int_equal(reached(t, b), start + 2 * US);
    assert_int_equal(smw_now_ps(t->d), start + 2 * US);
    assert_true(smw_stream_idle(t->d, 0));
    /* 1 us and 999.5 ns end at the next edge */
    copy(t, down(t, 0, back, 0, 1999));
    c = mark(t, 0);
    dt_ok(smw_synchronize_stream(t->d, 0, &err), &err);
    assert_int_equal(reached(t, c), start + 4 * US);
    assert_memory_equal(back, bytes, 1000);
    slow.pinned = false;
    copy(t, slow);
    m = mark(t, 0);
    all(t);
    assert_int_equal(reached(t, m) - reached(t, c), 3 * US);
    dt_ok(smw_read(t->d, t->out + 4998, now, 2, &err), &err);
    assert_memory_equal(now, bytes + 998, 2);
    assert_int_equal(smw_transfers(t->d), 3);
    assert_int_equal(transferred(t, 1).start_ps, start + 2 * US);
    assert_int_equal(transferred(t, 1).end_ps, start + 4 * US);
    assert_int_equal(transferred(t, 1).bytes, 1999);
    assert_int_equal(transferred(t, 1).direction, SMW_DOWN);
    assert_int_equal(transferred(t, 1).src, t->out);
    assert_true(transferred(t, 1).finished && !transferred(t, 1).fill);
    assert_false(transferred(t, 2).pinned);
    dt_close(t);
}

/* Both sides of the end: what a copy down that ends a cycle earlier sees is the old
 * byte, what one that ends with it sees is not asked, a cycle later it is the new. */
static void test_bytes_come_at_the_end(void **state)
{
    static const uint32_t length[] = {1998, 2002}; /* 1 ns each way of 2 us */

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct dt *t = open("host.link.engines=2");

        make_bytes(NULL);
        copy(t, up(t, 1, bytes, 0, 1000));
        copy(t, down(t, 2, back, 0, length[i]));
        all(t);
        assert_int_equal(transferred(t, 0).end_ps - transferred(t, 0).start_ps, 2 * US);
        assert_int_equal(transferred(t, 1).end_ps - transferred(t, 1).start_ps,
                         2 * US + (i == 0 ? -1000 : 1000));
        assert_int_equal(back[0], i == 0 ? 0 : bytes[0]);
        assert_int_equal(back[999], i == 0 ? 0 : bytes[999]);
        dt_close(t);
    }
}

/* LINK-3: a copy inside the device moves each byte twice over the DRAM's buses, a fill
 * once. */
static void test_time_inside_the_device(void **state)
{
    struct dt *t = open("host.device.latency=1us host.device.efficiency=50");
    uint64_t rate = smw_dram_peak(t->d) / 100 * 50, n = sizeof(t->words);
    struct smw_transfer x = {.direction = SMW_ON_DEVICE,
                             .dst = t->out,
                             .src = t->in,
                             .width = n,
                             .height = 1};
    uint64_t ps = US + (uint64_t)(2e12 * (double)n / (double)rate);

    (void)state;
    copy(t, x);
    dt_ok(smw_queue_fill(t->d, 0, t->in, 0x01020304, 4, n, 1, 0, &err), &err);
    dt_fetch(t);
    for (uint32_t i = 0; i < DT_OUT_WORDS; i++) {
        assert_int_equal(t->words[i], i);
    }
    assert_in_range(transferred(t, 0).end_ps - transferred(t, 0).start_ps, ps,
                    ps + 1001);
    ps = US + (ps - US) / 2;
    assert_in_range(transferred(t, 1).end_ps - transferred(t, 1).start_ps, ps,
                    ps + 1001);
    assert_true(transferred(t, 1).fill);
    dt_ok(smw_read(t->d, t->in, t->words, n, &err), &err);
    assert_int_equal(t->words[DT_OUT_WORDS - 1], 0x01020304);
    dt_close(t);
}

/* ---- engines ---- */

/* LINK-2: when copies of several streams begin, in us of engines 0, 1, 2. */
static void test_engines(void **state)
{
    static const char *const engines[] = {"host.link.engines=0", "host.link.engines=1",
                                          "host.link.engines=2"};
    static const uint32_t starts[3][3] = {{0, 2, 4}, {0, 2, 4}, {0, 2, 0}};

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        struct dt *t = open(engines[i]);
        uint64_t begin = smw_now_ps(t->d);

        copy(t, up(t, 1, bytes, 0, 1000));
        copy(t, up(t, 2, bytes, 1000, 1000));
        copy(t, down(t, 3, back, 4000, 1000));
        all(t);
        for (uint32_t k = 0; k < 3; k++) {
            assert_int_equal(transferred(t, k).start_ps - begin, starts[i][k] * US);
        }
        dt_close(t);
    }
}

/* A kernel and a copy of different streams overlap, unless there is no engine. */
static void test_overlap_with_a_kernel(void **state)
{
    static const char *const engines[] = {"host.link.engines=0", "host.link.engines=1"};
    uint64_t kernel = 0;

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct dt *t = open(engines[i]);
        struct smw_launch l = dt_shape(1, 64);
        struct smw_result r;

        l.stream = 7;
        dt_ok(dt_queue(t, "slow", l, &err), &err);
        copy(t, up(t, 1, bytes, 4096, 1000));
        all(t);
        r = dt_result(t, 0);
        kernel = r.counters.cycles;
        assert_true(r.end_ps - r.start_ps > 2 * US);
        if (i == 0) {
            assert_true(transferred(t, 0).start_ps >= r.end_ps);
        } else {
            assert_int_equal(transferred(t, 0).start_ps, r.start_ps);
            assert_int_equal(transferred(t, 0).end_ps, r.start_ps + 2 * US);
        }
        dt_fetch(t);
        assert_int_equal(t->words[63], 300);
        assert_int_equal(((uint8_t *)t->words)[4096 + 999], bytes[999]);
        dt_close(t);
    }
    { /* the other way round; the copy costs the kernel nothing */
        struct dt *t = open(engines[0]);
        struct smw_launch l = dt_shape(1, 64);

        copy(t, up(t, 1, bytes, 4096, 1000));
        dt_ok(dt_queue(t, "slow", l, &err), &err);
        all(t);
        assert_true(dt_result(t, 0).start_ps >= transferred(t, 0).end_ps);
        assert_int_equal(dt_result(t, 0).counters.cycles, kernel);
        dt_close(t);
    }
}

/* ---- shapes ---- */

static void test_pitched(void **state)
{
    struct dt *t = open("");
    struct smw_transfer x = up(t, 0, bytes, 1000, 30);
    struct smw_transferred r;
    uint8_t *got = (uint8_t *)t->words;

    (void)state;
    x.height = 5;
    x.src_pitch = 50;
    x.dst_pitch = 128;
    copy(t, x);
    dt_fetch(t);
    for (uint32_t y = 0; y < 5; y++) {
        for (uint32_t k = 0; k < 30; k++) {
            assert_int_equal(got[1000 + 128 * y + k], bytes[50 * y + k]);
        }
        assert_int_equal(got[1000 + 128 * y + 30], 0);
    }
    r = transferred(t, 0);
    assert_int_equal(r.bytes, 150);
    assert_int_equal(r.end_ps - r.start_ps, US + 150000);
    dt_ok(smw_queue_fill(t->d, 0, t->out + 1002, 0xa1b2, 2, 4, 3, 128, &err), &err);
    x = down(t, 0, back, 1000, 8);
    x.height = 4;
    x.src_pitch = 128;
    x.dst_pitch = 8;
    copy(t, x);
    all(t);
    for (uint32_t y = 0; y < 4; y++) {
        static const uint8_t pattern[] = {0xb2, 0xa1, 0xb2, 0xa1};

        assert_int_equal(back[8 * y + 1], bytes[50 * y + 1]);
        assert_memory_equal(back + 8 * y + 2, y < 3 ? pattern : bytes + 50 * y + 2, 4);
        assert_int_equal(back[8 * y + 6], bytes[50 * y + 6]);
    }
    dt_close(t);
}

/* Layers of rows, in one go. */
static void test_layers(void **state)
{
    struct dt *t = open("");
    struct smw_transfer x = up(t, 0, bytes, 0, 10);
    struct smw_transferred r;
    const uint8_t *got = (const uint8_t *)t->words;

    (void)state;
    x.height = 3;
    x.src_pitch = 16;
    x.dst_pitch = 32;
    x.depth = 4;
    x.src_layer = 100;
    x.dst_layer = 200;
    copy(t, x);
    dt_fetch(t);
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t z = i / 200, y = i % 200 / 32, k = i % 200 % 32;
        bool moved = z < 4 && y < 3 && k < 10;

        assert_int_equal(got[i], moved ? bytes[100 * z + 16 * y + k] : 0);
    }
    r = transferred(t, 0);
    assert_int_equal(r.bytes, 120);
    assert_int_equal(r.end_ps - r.start_ps, US + 120000);
    dt_close(t);
}

/* Longer than the part that is written at once. */
static void test_long_fill(void **state)
{
    struct dt *t = open("");

    (void)state;
    dt_ok(smw_queue_fill(t->d, 0, t->out + 1, 0x1ab, 1, 40000, 1, 0, &err), &err);
    dt_fetch(t);
    for (uint32_t i = 0; i < 40002; i++) {
        assert_int_equal(((uint8_t *)t->words)[i], i > 0 && i <= 40000 ? 0xab : 0);
    }
    dt_close(t);
}

static void test_nothing_to_move(void **state)
{
    struct dt *t = open("");
    uint64_t begin = smw_now_ps(t->d);

    (void)state;
    copy(t, up(t, 0, NULL, 0, 0));
    dt_ok(smw_queue_fill(t->d, 0, 0, 0, 1, 10, 0, 0, &err), &err);
    assert_false(smw_stream_idle(t->d, 0));
    all(t);
    assert_int_equal(smw_now_ps(t->d), begin);
    assert_int_equal(smw_transfers(t->d), 0);
    dt_close(t);
}

static void test_peers(void **state)
{
    struct dt *a = open(""), *b = open("");
    struct smw_transfer x = {.direction = SMW_TO_PEER,
                             .dst = b->out,
                             .src = a->in,
                             .width = 4000,
                             .height = 1,
                             .pinned = true,
                             .peer = b->d};

    (void)state;
    copy(a, x);
    all(a);
    dt_fetch(b);
    assert_int_equal(b->words[999], 999);
    assert_int_equal(b->words[1000], 0);
    assert_int_equal(transferred(a, 0).end_ps - transferred(a, 0).start_ps, 3 * US);
    x.direction = SMW_FROM_PEER;
    x.dst = a->out;
    x.src = b->out;
    copy(a, x);
    dt_fetch(a);
    assert_int_equal(a->words[999], 999);
    assert_int_equal(transferred(a, 1).end_ps - transferred(a, 1).start_ps, 5 * US);
    dt_close(a);
    dt_close(b);
}

/* ---- refused ---- */

static void refuse_copy(struct dt *t, struct smw_transfer x, const char *message)
{
    err_clear(&err);
    if (smw_queue_copy(t->d, &x, &err)) {
        fail_msg("taken: %s", message);
    }
    assert_int_equal(err.kind, SMW_ERR_INPUT);
    if (strstr(err.message, message) == NULL) {
        fail_msg("\"%s\", not \"%s\"", err.message, message);
    }
}

static void refuse_fill(struct dt *t, uint64_t addr, uint32_t value_bytes,
                        uint64_t width, uint64_t pitch, const char *message)
{
    err_clear(&err);
    assert_false(smw_queue_fill(t->d, 0, addr, 1, value_bytes, width, 2, pitch, &err));
    if (strstr(err.message, message) == NULL) {
        fail_msg("\"%s\", not \"%s\"", err.message, message);
    }
}

static void test_refused(void **state)
{
    struct dt *t = open("");
    struct smw_transfer x = up(t, 0, bytes, 0, 100);
    struct smw_transferred r;

    (void)state;
    assert_false(smw_queue_copy(t->d, NULL, &err));
    assert_non_null(strstr(err.message, "the transfer: NULL"));
    x.src = 0;
    refuse_copy(t, x, "copy from: a null pointer");
    refuse_copy(t, up(t, 0, bytes, 2 * sizeof(t->words), 1), "copy to: 1 bytes at 0x");
    refuse_copy(t, up(t, 0, bytes, sizeof(t->words) - 99, 100), "not inside a buffer");
    refuse_copy(t, down(t, 0, back, 0, UINT64_MAX), "copy from");
    x = up(t, 0, bytes, 0, 100);
    x.height = 2;
    x.src_pitch = 100;
    x.dst_pitch = 99;
    refuse_copy(t, x, "copy to: 99 bytes from row to row are less than one has, 100");
    x.dst_pitch = 100;
    x.height = UINT64_MAX;
    refuse_copy(t, x,
                "18446744073709551615 rows, 100 bytes apart, are more than an "
                "address can name");
    x.height = 1 + sizeof(t->words) / 100;
    refuse_copy(t, x, "not inside a buffer");
    x.height = 3;
    x.depth = 2;
    x.src_layer = 300;
    x.dst_layer = 299;
    refuse_copy(t, x, "copy to: 299 bytes from layer to layer are less than one has");
    x.dst_layer = 300;
    x.depth = 1 + sizeof(t->words) / 300;
    refuse_copy(t, x, "not inside a buffer");
    x = up(t, 0, bytes, 0, 100);
    x.direction = (enum smw_direction)77;
    refuse_copy(t, x, "there is no direction 77");
    x.direction = SMW_TO_PEER;
    refuse_copy(t, x, "the peer is not named");
    x.peer = t->d;
    refuse_copy(t, x, "the peer is the device itself");
    refuse_fill(t, t->out, 3, 6, 6, "a value of 3 bytes");
    refuse_fill(t, t->out + 1, 2, 6, 6, "multiples of the value's 2 bytes");
    refuse_fill(t, t->out, 4, 6, 8, "multiples of the value's 4 bytes");
    refuse_fill(t, t->out, 4, 8, 10, "multiples of the value's 4 bytes");
    refuse_fill(t, t->out, 4, sizeof(t->words), sizeof(t->words), "fill: ");
    err_clear(&err);
    assert_false(smw_queue_wait(t->d, 0, 0, &err));
    assert_non_null(strstr(err.message, "there is no mark 0"));
    err_clear(&err);
    assert_false(smw_queue_wait(t->d, 0, 1, &err)); /* not yet */
    dt_ok(smw_queue_call(t->d, 0, NULL, NULL, &err) || true, &err);
    err_clear(&err);
    assert_false(smw_queue_wait(t->d, 0, 1, &err)); /* is no mark */
    err_clear(&err);
    assert_false(smw_synchronize_mark(t->d, UINT64_MAX, &err));
    assert_false(smw_mark_reached(t->d, 0, NULL));
    assert_false(smw_mark_reached(t->d, UINT64_MAX, NULL));
    assert_true(smw_stream_idle(t->d, 12345));
    assert_false(smw_transferred(t->d, 0, &r));
    assert_int_equal(smw_transfers(t->d), 0);
    err_clear(&err);
    all(t);
    dt_close(t);
}

/* ---- the waveform ---- */

struct seen {
    struct dt *t;
    uint32_t n;
    struct {
        sim_time_t at;
        char path[64];
        uint64_t value;
    } change[64];
};

static void see(void *ctx, sim_time_t now, struct sim_probe *const *p, size_t n)
{
    struct seen *s = ctx;

    for (size_t i = 0; i < n; i++) {
        char path[64];

        (void)sim_path(p[i]->module, path, sizeof(path));
        s->change[s->n].at = now;
        (void)snprintf(s->change[s->n].path, sizeof(s->change[s->n].path),
                       "%.40s.%.20s", path, p[i]->desc->name);
        s->change[s->n++].value = p[i]->value;
    }
}

static struct sim_module *find(struct sim_module *m, const char *name)
{
    struct sim_module *c = m->first;

    while (c != NULL && strcmp(c->name, name) != 0) {
        c = c->next;
    }
    return c;
}

static void assert_change(const struct seen *s, uint32_t i, sim_time_t at,
                          const char *path, uint64_t value)
{
    assert_true(i < s->n);
    assert_string_equal(s->change[i].path, path);
    assert_int_equal(s->change[i].at, at);
    assert_int_equal(s->change[i].value, value);
}

static void test_waveform(void **state)
{
    struct dt *t = dt_open_with("tiny", LINK "host.link.engines=2",
                                &(struct smw_options){.host = true}, small);
    struct dt *without = open("");
    struct seen s = {.t = t};
    struct sim_watcher w = {.changed = see, .ctx = &s};
    struct sim_module *host = find(smw_root(t->d), "host");
    uint64_t begin = smw_now_ps(t->d);

    (void)state;
    assert_null(find(smw_root(without->d), "host"));
    assert_non_null(host);
    sim_watch(smw_sim(t->d), &w);
    for (struct sim_module *m = host->first; m != NULL; m = m->next) {
        for (struct sim_probe *p = m->probes; p != NULL; p = p->next) {
            sim_probe_watch(p);
        }
    }
    copy(t, up(t, 3, bytes, 0, 1000));
    copy(t, up(t, 3, bytes, 0, 1000));
    copy(t, down(t, 5, back, 4000, 1000));
    all(t);
    assert_change(&s, 0, begin, "gpu.host.up.busy", 1);
    assert_change(&s, 1, begin, "gpu.host.up.stream", 3);
    assert_change(&s, 2, begin, "gpu.host.up.bytes", 1000);
    assert_change(&s, 3, begin, "gpu.host.up.start", 0);
    assert_change(&s, 4, begin, "gpu.host.down.busy", 1);
    assert_change(&s, 5, begin, "gpu.host.down.stream", 5);
    assert_change(&s, 6, begin, "gpu.host.down.bytes", 1000);
    assert_change(&s, 7, begin, "gpu.host.down.start", 0);
    assert_change(&s, 8, begin + 1500000, "gpu.host.down.end", 0);
    assert_change(&s, 9, begin + 1500000, "gpu.host.down.busy", 0);
    assert_change(&s, 10, begin + 2 * US, "gpu.host.up.end", 0);
    assert_change(&s, 11, begin + 2 * US, "gpu.host.up.start", 0); /* like the last */
    assert_change(&s, 12, begin + 4 * US, "gpu.host.up.end", 0);
    assert_change(&s, 13, begin + 4 * US, "gpu.host.up.busy", 0);
    assert_int_equal(s.n, 14);
    assert_null(sim_find_stray(smw_sim(t->d)));
    dt_close(without);
    dt_close(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_time_of_a_copy, make_bytes),
        cmocka_unit_test_setup(test_bytes_come_at_the_end, make_bytes),
        cmocka_unit_test_setup(test_time_inside_the_device, make_bytes),
        cmocka_unit_test_setup(test_engines, make_bytes),
        cmocka_unit_test_setup(test_overlap_with_a_kernel, make_bytes),
        cmocka_unit_test_setup(test_pitched, make_bytes),
        cmocka_unit_test_setup(test_layers, make_bytes),
        cmocka_unit_test_setup(test_long_fill, make_bytes),
        cmocka_unit_test_setup(test_nothing_to_move, make_bytes),
        cmocka_unit_test_setup(test_peers, make_bytes),
        cmocka_unit_test_setup(test_refused, make_bytes),
        cmocka_unit_test_setup(test_waveform, make_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
