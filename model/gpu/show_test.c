/* What modules show is the same whoever asks: their steps, which set probes while somebody
 * watches, and the framework, when somebody begins to. On whole devices, with a kernel that
 * uses every part of them. */
#include "gpu/device_priv.h"
#include "gpu/device_test.h"

#define LOOP "mov.u32 %r9, 0;\nL:\n"
#define NEXT "add.u32 %r9, %r9, 1;\nsetp.lt.u32 %p1, %r9, 5;\n@%p1 bra L;\n"

/* Conflicts, atomics on shared and global memory, constants, misses and hits, barriers,
 * warps that end early. */
static const char mixed[] = PTX_HEAD
    ".const .align 4 .u32 c[3] = {5, 6, 7};\n.shared .align 4 .u32 s[512];\n" BODY(
        "mixed", "shl.b32 %r5, %r1, 4;\nmov.u32 %r6, s;\nadd.u32 %r5, %r5, %r6;\n" LOOP
                 "ld.const.u32 %r7, [c + 4];\nadd.u32 %r7, %r7, %r0;\n"
                 "st.shared.u32 [%r5], %r7;\nbar.sync 0;\nld.shared.u32 %r8, [%r5];\n"
                 "atom.shared.add.u32 %r10, [s], %r8;\n"
                 "mul.wide.u32 %rd3, %r7, 32;\nand.b64 %rd3, %rd3, 32736;\n"
                 "add.u64 %rd3, %rd3, %rd2;\nld.global.u32 %r11, [%rd3];\n"
                 "add.u32 %r8, %r8, %r11;\nst.global.u32 [%rd1], %r8;\n"
                 "red.global.add.u32 [%rd0], 1;\nmembar.gl;\n" NEXT
                 "setp.lt.u32 %p2, %r1, 32;\n@%p2 exit;\n"
                 "ld.global.u32 %r12, [%rd1];\nadd.u32 %r12, %r12, %r10;\n"
                 "st.global.u32 [%rd1], %r12;\n");

static void on_all(struct sim_module *m, void (*fn)(struct sim_probe *p))
{
    for (struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        fn(p);
    }
    for (struct sim_module *c = m->first; c != NULL; c = c->next) {
        on_all(c, fn);
    }
}

static struct dt *open_device(const char *preset)
{
    struct smw_options opt = {.check = SMW_CHECK_NONE};

    return dt_open_with(preset, "gpu.sms=2", &opt, mixed);
}

static void run(struct dt *t)
{
    struct smw_err e;

    err_clear(&e);
    dt_start(t, "mixed", 6, 96);
    dt_ok(smw_synchronize(t->d, &e), &e);
}

/* ---- every instant ---- */

struct checked {
    struct sim *sim;
    uint32_t instants, strays;
};

static void look(void *ctx, sim_time_t now, struct sim_probe *const *p, size_t n)
{
    struct checked *c = ctx;
    const struct sim_probe *stray = sim_find_stray(c->sim);
    char path[128];

    (void)p;
    (void)n;
    c->instants++;
    if (stray != NULL && c->strays++ < 10) {
        print_error("%llu: %s.%s is shown as %llu\n", (unsigned long long)now,
                    sim_path(stray->module, path, sizeof(path)), stray->desc->name,
                    (unsigned long long)stray->value);
    }
}

static void steps_agree(void **state)
{
    static const char *const presets[] = {"tiny", "gtx280", "gtx480", "k20x", "h100"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(presets); i++) {
        struct dt *t = open_device(presets[i]);
        struct checked c = {.sim = t->d->gpu.sim};
        struct sim_watcher w = {.changed = look, .ctx = &c};

        sim_watch(c.sim, &w);
        on_all(&t->d->gpu.root, sim_probe_watch);
        run(t);
        assert_true(c.instants > 1000);
        assert_int_equal(c.strays, 0);
        dt_close(t);
    }
}

/* ---- beginning in the middle ---- */

enum { ROOM = 4096 };

struct snapshot {
    struct sim_module *root;
    struct sim_alarm alarm;
    bool late; /* nobody has watched so far */
    uint64_t value[ROOM];
    const char *name[ROOM]; /* without its module */
    uint32_t n;
};

/* Of a text, which may stand for an address, what it says. */
static uint64_t value_of(const struct sim_probe *p)
{
    char text[256] = "";
    uint64_t h = 0xcbf29ce484222325ull;

    if (p->desc->kind != SIM_PROBE_TEXT) {
        return p->value;
    }
    p->desc->text(p->ctx, p->value, text, sizeof(text));
    for (const char *s = text; *s != '\0'; s++) {
        h = (h ^ (uint8_t)*s) * 0x100000001b3ull;
    }
    return h;
}

static void keep(struct snapshot *s, struct sim_module *m)
{
    for (struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        /* counts are compared by how much they grow */
        if (p->desc->kind != SIM_PROBE_EVENT && p->desc->kind != SIM_PROBE_RATE) {
            assert_true(s->n < ROOM);
            s->name[s->n] = p->desc->name;
            s->value[s->n++] = value_of(p);
        }
    }
    for (struct sim_module *c = m->first; c != NULL; c = c->next) {
        keep(s, c);
    }
}

static void take(void *ctx)
{
    struct snapshot *s = ctx;

    if (s->late) {
        on_all(s->root, sim_probe_watch);
    }
    s->n = 0;
    keep(s, s->root);
}

static void hear_nothing(void *ctx, sim_time_t now, struct sim_probe *const *p,
                         size_t n)
{
    (void)ctx;
    (void)now;
    (void)p;
    (void)n;
}

/* All values at the first edge of a cycle of the SM clock. */
static void snap(struct snapshot *s, const char *preset, uint64_t cycle, bool late)
{
    struct sim_watcher w = {.changed = hear_nothing};
    struct dt *t = open_device(preset);
    struct gpu *g = &t->d->gpu;

    s->root = &g->root;
    s->late = late;
    s->alarm =
        (struct sim_alarm){.at = sim_edge(&g->sm_clock, cycle), .ring = take, .ctx = s};
    sim_watch(g->sim, &w);
    on_all(&g->root, late ? sim_probe_await : sim_probe_watch);
    sim_set_alarm(g->sim, &s->alarm);
    run(t);
    dt_close(t);
}

static void beginnings_agree(void **state)
{
    static const char *const presets[] = {"tiny", "gtx280", "gtx480", "h100"};
    struct snapshot *a = calloc(1, sizeof(*a)), *b = calloc(1, sizeof(*b));
    uint32_t other = 0, busy = 0;

    (void)state;
    for (uint32_t k = 0; k < ARRAY_LEN(presets) * 24; k++) {
        uint64_t cycle = 150 + 61 * (k / ARRAY_LEN(presets));
        const char *preset = presets[k % ARRAY_LEN(presets)];

        snap(a, preset, cycle, false);
        snap(b, preset, cycle, true);
        assert_int_equal(a->n, b->n);
        for (uint32_t i = 0; i < a->n; i++) {
            busy += a->value[i] != 0;
            if (a->value[i] != b->value[i] && other++ < 10) {
                print_error("%s, cycle %llu: probe %u, %s: %llu, %llu\n", preset,
                            (unsigned long long)cycle, (unsigned)i, a->name[i],
                            (unsigned long long)a->value[i],
                            (unsigned long long)b->value[i]);
            }
        }
    }
    assert_int_equal(other, 0);
    assert_true(busy > 10000);
    free(a);
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_agree),
        cmocka_unit_test(beginnings_agree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
