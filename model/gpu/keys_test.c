/*
 * Every configuration key changes something: cycles, a counter, an answer or what a
 * device takes. The keys are those of the schema, so a new one is tested without being
 * listed.
 *
 * A key is set to other values of its range on small devices, the scenes below, until
 * what comes of one is not what comes of its default. A key that its table marks as for
 * display (CFG_DISPLAY) must change nothing on any of them.
 */
#include "gpu/keys_kernels_test.h"

#include "gpu/gpu_config.h"

struct scene {
    const char *preset, *settings, *kernel; /* NULL: transfers instead */
    uint32_t grid, block; /* grid 0: one block, and a host whose calls take time */
    bool twice;           /* two launches, one after the other */
};

/* What a capability lacks is allowed, so that a key can take all of its values. */
#define WHAT_IF "gpu.what_if=true "

static const struct scene scenes[] = {
    {"h100", WHAT_IF "gpu.sms=1", "alu", 2, 128, false},
    {"gtx480", WHAT_IF "gpu.sms=2 l2.size=48KiB", "global", 6, 64, false},
    {"gtx480", WHAT_IF "gpu.sms=2", "shared", 20, 96, false},
    {"gtx480", WHAT_IF "gpu.sms=1", "control", 12, 96, false},
    {"gtx480", WHAT_IF "gpu.sms=1 sm.cbank.size=1KiB sm.cbank.l15_size=4KiB",
     "constants", 2, 64, false},
    {"gtx480",
     WHAT_IF "gpu.sms=1 ptx.schedule=as_written sm.cbank.size=1KiB "
             "sm.cbank.l15_size=4KiB",
     "constants", 2, 64, false},
    {"8800gtx", WHAT_IF "gpu.sms=2", "stream", 8, 64, false},
    {"gtx480", WHAT_IF "gpu.sms=2", "stream", 16, 128, false},
    {"gtx480", WHAT_IF "gpu.sms=2 l2.size=48KiB", "stream", 16, 128, true},
    {"8800gtx", WHAT_IF "gpu.sms=2 dram.channels=1 dram.banks=1 dram.row=256B",
     "stream", 8, 64, false},
    {"8800gtx",
     WHAT_IF "gpu.sms=2 dram.channels=1 dram.groups=2 dram.writes=4 dram.write_high=2 "
             "dram.write_low=1",
     "stream", 8, 64, false},
    {"8800gtx", WHAT_IF "gpu.sms=1", "shared", 1, 64, false},
    {"h100", WHAT_IF "gpu.sms=1", "shared", 2, 128, false},
    {"gtx480", WHAT_IF "gpu.sms=1 sm.smem.store_winner=random", "shared", 1, 64, false},
    {"h100", WHAT_IF "gpu.sms=1 sm.max_blocks=1 sm.scheduler.policy=two_level",
     "global", 2, 256, false},
    {"h100", WHAT_IF "gpu.sms=4", "global", 4, 256, true},
    {"h100", WHAT_IF "gpu.sms=8 dram.channels=1 l2.size=1MiB", "sums", 8, 128, false},
    {"h100", WHAT_IF "gpu.sms=1", "tensor", 2, 128, false},
    {"gtx480", WHAT_IF "gpu.sms=1", "alu", 2, 64, false},
    {"h100", WHAT_IF "gpu.sms=1", "asleep", 1, 64, false},
    {"h100", WHAT_IF "gpu.sms=2", "together", 2, 64, false},
    {"h100", WHAT_IF "gpu.sms=1", "bulk", 1, 32, false},
    {"gtx480", WHAT_IF "gpu.sms=1", NULL, 0, 0, false},
    {"gtx480",
     WHAT_IF "gpu.sms=1 host.small=1KiB host.small_fill=1us host.stream.copy=1us "
             "host.link.written=1GB/s host.link.written_most=1KiB "
             "host.link.fresh=1GB/s host.link.fresh_most=1KiB",
     "alu", 0, 32, true},
    /* refused: no such split, and one for which the array is too small */
    {"gtx480", "gpu.sms=1 sm.onchip.partition=32/32", "alu", 1, 32, false},
    {"gtx480", WHAT_IF "gpu.sms=1 sm.onchip.partition=96/32", "alu", 1, 32, false},
};

enum { IN_BYTES = 1 << 20, OUT_BYTES = 1 << 16, VALUE_SIZE = CFG_TEXT_SIZE + 16 };

/* ---- what comes of a configuration ---- */

struct outcome {
    bool opened;   /* else the configuration is refused */
    bool ran;      /* to its end */
    uint64_t hash; /* of messages, counters and all memory */
};

static void mix(struct outcome *o, const void *data, size_t n)
{
    const uint8_t *p = data;

    for (size_t i = 0; i < n; i++) {
        o->hash = (o->hash ^ p[i]) * UINT64_C(0x100000001b3);
    }
}

static void mix_error(struct outcome *o, const struct smw_err *e)
{
    mix(o, e->message, strlen(e->message));
}

/* One of each kind, in streams of their own. */
static void transfer(struct smw_device *d, struct outcome *o)
{
    static uint8_t host[OUT_BYTES];
    uint64_t addr = 0;
    struct smw_transferred r;
    struct smw_err e;

    err_clear(&e);
    dt_ok(smw_alloc(d, OUT_BYTES, &addr, &e), &e);
    for (uint32_t i = 0; i < 4; i++) {
        bool up = i % 2 == 0;
        uint64_t mem = (uintptr_t)host;
        struct smw_transfer t = {.stream = i,
                                 .direction = up ? SMW_UP : SMW_DOWN,
                                 .dst = up ? addr : mem,
                                 .src = up ? mem : addr,
                                 .width = OUT_BYTES,
                                 .height = 1,
                                 .pinned = i < 2};

        dt_ok(smw_queue_copy(d, &t, &e), &e);
    }
    dt_ok(smw_queue_fill(d, 4, addr, 0, 1, OUT_BYTES, 1, 0, &e), &e);
    if (!smw_synchronize(d, &e)) { /* it takes longer than a run may */
        mix_error(o, &e);
        return;
    }
    for (uint32_t i = 0; smw_transferred(d, i, &r); i++) {
        mix(o, &r.end_ps, sizeof(r.end_ps));
    }
    o->ran = true;
}

/* Marks around two launches, a graph's and another, one of each call between; a copy
 * and a small fill before a launch. False: a call takes longer than a run may. */
static bool call_host(struct smw_device *d, const struct smw_kernel *k,
                      struct smw_launch l, uint64_t buffer, struct outcome *o)
{
    static uint8_t host[2048];
    const struct smw_transfer up = {.direction = SMW_UP,
                                    .dst = buffer,
                                    .src = (uintptr_t)host,
                                    .width = sizeof(host),
                                    .height = 1,
                                    .pinned = true};
    struct smw_transfer staged = up;
    static const enum smw_host_call calls[] = {
        SMW_HOST_COPY, SMW_HOST_FILL,   SMW_HOST_RECORD, SMW_HOST_WAIT,
        SMW_HOST_SYNC, SMW_HOST_MODULE, SMW_HOST_FIRST,  SMW_HOST_GRAPH,
        SMW_HOST_NODE, SMW_HOST_INSIDE, SMW_HOST_LAUNCH,
    };
    uint64_t mark[ARRAY_LEN(calls) + 2], ps;
    struct smw_err e;

    err_clear(&e);
    memset(host, 1, sizeof(host)); /* written by the host */
    for (uint32_t i = 0; i < ARRAY_LEN(calls); i++) {
        smw_host_call(d, calls[i]);
        mark[i] = smw_queue_mark(d, i, &e);
        if (calls[i] == SMW_HOST_LAUNCH) {
            dt_ok(smw_queue_fill(d, 0, buffer, 0, 1, 1024, 1, 0, &e), &e);
            dt_ok(smw_queue_copy(d, &up, &e), &e);
            staged.pinned = false;
            dt_ok(smw_queue_copy(d, &staged, &e), &e);
        }
        if (calls[i] == SMW_HOST_NODE || calls[i] == SMW_HOST_LAUNCH) {
            dt_ok(smw_launch(d, k, &l, &e), &e);
        }
        if (calls[i] == SMW_HOST_NODE) {
            mark[ARRAY_LEN(calls)] = smw_queue_mark(d, l.stream, &e);
        }
    }
    if (!smw_synchronize(d, &e)) {
        mix_error(o, &e);
        return false;
    }
    smw_host_call(d, SMW_HOST_SYNC);
    mark[ARRAY_LEN(calls) + 1] = smw_queue_mark(d, l.stream, &e);
    if (!smw_synchronize(d, &e)) {
        mix_error(o, &e);
        return false;
    }
    for (uint32_t i = 0; i < ARRAY_LEN(mark); i++) {
        assert_true(smw_mark_reached(d, mark[i], &ps));
        mix(o, &ps, sizeof(ps));
    }
    return true;
}

/* The tensor of kernel "bulk": words of the in buffer. */
static void write_map(struct smw_module *m, uint64_t in)
{
    const struct smw_tensor t = {
        .type = 2, .rank = 1, .address = in, .dim = {2048}, .box = {256}, .step = {1}};
    uint8_t map[128];
    struct smw_err e = {0};

    dt_ok(smw_tensor_map(&t, map, &e), &e);
    dt_ok(smw_write_symbol(m, "map", 0, map, sizeof(map), &e), &e);
}

static void launch(struct smw_device *d, const struct scene *s, struct outcome *o)
{
    static uint32_t words[IN_BYTES / 4];
    uint64_t buffer[2]; /* out, in */
    struct smw_launch l = dt_shape(s->grid == 0 ? 1 : s->grid, s->block);
    const struct smw_kernel *k = NULL;
    struct smw_module *m;
    struct smw_result r;
    struct smw_err e;

    err_clear(&e);
    for (uint32_t i = 0; i < ARRAY_LEN(words); i++) {
        words[i] = i;
    }
    m = smw_load(d, KEYS_PTX, strlen(KEYS_PTX), "keys.ptx", &e);
    dt_ok(m != NULL, &e);
    k = smw_kernel(m, s->kernel, &e);
    dt_ok(k != NULL, &e);
    l.params = buffer;
    l.param_bytes = sizeof(buffer);
    if (!smw_alloc(d, OUT_BYTES, &buffer[0], &e) ||
        !smw_alloc(d, IN_BYTES, &buffer[1], &e)) {
        mix_error(o, &e);
        return;
    }
    dt_ok(smw_write(d, buffer[1], words, IN_BYTES, &e), &e);
    write_map(m, buffer[1]);
    if (s->grid == 0 && !call_host(d, k, l, buffer[0], o)) {
        return;
    }
    if (!smw_launch(d, k, &l, &e) || (s->twice && !smw_launch(d, k, &l, &e)) ||
        !smw_synchronize(d, &e)) {
        mix_error(o, &e);
    }
    for (uint32_t i = 0; i < smw_results(d) && smw_result(d, i, &r); i++) {
        mix(o, &r.counters, sizeof(r.counters));
    }
    o->ran = e.kind == SMW_ERR_NONE;
    if (o->ran) {
        dt_ok(smw_read(d, buffer[0], words, OUT_BYTES, &e), &e);
        mix(o, words, OUT_BYTES);
    }
}

static struct outcome outcome_of(const struct scene *s, const struct smw_config *c)
{
    struct smw_options opt = {.max_cycles = 1000000};
    struct outcome o = {.hash = UINT64_C(0xcbf29ce484222325)};
    struct smw_err e;
    struct smw_device *d;

    err_clear(&e);
    d = smw_open(c, &opt, &e);
    if (d != NULL) {
        o.opened = true;
        if (s->kernel == NULL) {
            transfer(d, &o);
        } else {
            launch(d, s, &o);
        }
        smw_close(d);
    }
    return o;
}

static struct smw_config *config_of(const struct scene *s)
{
    struct smw_config *c = smw_config_new();
    char text[256];
    struct smw_err e;

    err_clear(&e);
    dt_ok(smw_config_preset(c, s->preset, &e), &e);
    (void)snprintf(text, sizeof(text), "%s", s->settings);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
        char *equals = strchr(word, '=');

        *equals = '\0';
        dt_ok(smw_config_set(c, word, equals + 1, &e), &e);
    }
    return c;
}

/* ---- other values of a key ---- */

enum { MAX_VALUES = 16 };

struct values {
    char text[MAX_VALUES][VALUE_SIZE];
    uint32_t n;
};

static void add_number(struct values *v, const struct cfg_field *f, uint64_t x)
{
    bool pow2 = (x & (x - 1)) == 0;

    if (x >= f->min && x <= f->max && (pow2 || (f->flags & CFG_POW2) == 0)) {
        (void)snprintf(v->text[v->n++], VALUE_SIZE, "%llu", (unsigned long long)x);
    }
}

/* Both sides of the default, near and far, and the ends. */
static void numbers(struct values *v, const struct cfg_field *f)
{
    const uint64_t x[] = {2 * f->def, f->def / 2, f->min,      f->max, f->def + 1,
                          f->def - 1, 4 * f->def, 16 * f->def, 1,      f->min + 1};

    for (uint32_t i = 0; i < ARRAY_LEN(x); i++) {
        add_number(v, f, x[i]);
    }
}

/* Of a text no range is known. */
static void texts(struct values *v, const char *key)
{
    static const struct {
        const char *key, *value;
    } known[] = {
        {"gpu.compute_capability", "1.3"}, {"gpu.compute_capability", "3.5"},
        {"gpu.compute_capability", "9.0"}, {"sm.onchip.partition", "16/48"},
        {"sm.onchip.partition", "32/32"},  {"ideal.conflicts", "all"},
        {"ideal.sectors", "all"},          {"ideal.latency", "all"},
    };

    for (uint32_t i = 0; i < ARRAY_LEN(known); i++) {
        if (strcmp(known[i].key, key) == 0) {
            (void)snprintf(v->text[v->n++], VALUE_SIZE, "%s", known[i].value);
        }
    }
    if (v->n == 0) {
        fail_msg("%s is a text: add values to texts() in model/gpu/keys_test.c", key);
    }
}

static struct values values_of(const char *key, const struct cfg_field *f)
{
    struct values v = {.n = 0};

    switch (f->type) {
    case CFG_TYPE_U32:
    case CFG_TYPE_U64: numbers(&v, f); break;
    case CFG_TYPE_BOOL:
        (void)snprintf(v.text[v.n++], VALUE_SIZE, "true");
        (void)snprintf(v.text[v.n++], VALUE_SIZE, "false");
        break;
    case CFG_TYPE_CHOICE:
        for (uint32_t i = 0; i < f->n_choices && i < MAX_VALUES; i++) {
            (void)snprintf(v.text[v.n++], VALUE_SIZE, "%s", f->choices[i]);
        }
        break;
    case CFG_TYPE_TEXT: texts(&v, key); break;
    }
    return v;
}

/* ---- the test ---- */

struct tried {
    struct outcome base[ARRAY_LEN(scenes)];
    struct smw_config *config[ARRAY_LEN(scenes)];
    uint32_t n_keys, n_wrong, n_runs;
};

/* Does the value make a difference in the scene? A value that is refused makes none. */
static bool differs(struct tried *t, uint32_t scene, const char *key, const char *value)
{
    struct smw_config *c = smw_config_copy(t->config[scene]);
    const struct outcome *base = &t->base[scene];
    struct smw_err e;
    struct outcome o;

    err_clear(&e);
    dt_ok(smw_config_set(c, key, value, &e), &e);
    o = outcome_of(&scenes[scene], c);
    smw_config_free(c);
    t->n_runs++;
    return o.opened && (!base->opened || o.hash != base->hash);
}

static void complain(struct tried *t, const char *key, const char *what)
{
    print_error("%s %s\n", key, what);
    t->n_wrong++;
}

static void try_key(void *ctx, const char *key, const struct cfg_field *f)
{
    struct tried *t = ctx;
    struct values v = values_of(key, f);
    bool shown = (f->flags & CFG_DISPLAY) != 0, changed = false;

    t->n_keys++;
    if (f->type != CFG_TYPE_BOOL && f->type != CFG_TYPE_CHOICE &&
        f->type != CFG_TYPE_TEXT && f->min == f->max) {
        return; /* cfg_test: a value out of range is refused */
    }
    for (uint32_t i = 0; i < v.n && !changed; i++) {
        for (uint32_t s = 0; s < ARRAY_LEN(scenes) && !changed; s++) {
            changed = differs(t, s, key, v.text[i]);
        }
    }
    if (shown && changed) {
        complain(t, key, "is marked CFG_DISPLAY in its table and changes results");
    }
    if (!shown && !changed) {
        complain(t, key,
                 "changes nothing: add a scene to model/gpu/keys_test.c in which it "
                 "does, or mark it CFG_DISPLAY in its table if it shall not");
    }
}

static void every_key_counts(void **state)
{
    static struct tried t;

    (void)state;
    for (uint32_t s = 0; s < ARRAY_LEN(scenes); s++) {
        t.config[s] = config_of(&scenes[s]);
        t.base[s] = outcome_of(&scenes[s], t.config[s]);
        assert_int_equal(t.base[s].opened, t.base[s].ran);
    }
    cfg_each(&gpu_schema, try_key, &t);
    for (uint32_t s = 0; s < ARRAY_LEN(scenes); s++) {
        smw_config_free(t.config[s]);
    }
    print_message("%u keys, %u runs, %u wrong\n", t.n_keys, t.n_runs, t.n_wrong);
    assert_int_equal(t.n_wrong, 0);
    assert_true(t.n_keys > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
