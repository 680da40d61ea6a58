/* SMs that run ahead of the engine (sm/alone.h) leave what they leave in step with it:
 * answers, counters, times and faults, wherever a run is cut, and whoever looks. */
#include "gpu/device_priv.h"
#include "gpu/device_test.h"

/* Three rounds of shared memory, in conflict from round to round, arithmetic, a
 * barrier, and in every fourth something from global memory; then an early end of half
 * the warps. */
static const char kernels[] = PTX_HEAD ".shared .align 4 .u32 s[1024];\n" BODY(
    "rounds",
    "mov.u32 %r3, s; mov.u32 %r4, 0; mov.u32 %r9, 0; and.b32 %r11, %r1, 31;\n"
    "L:\nand.b32 %r10, %r4, 7; shl.b32 %r5, %r11, %r10; xor.b32 %r5, %r5, %r1;\n"
    "and.b32 %r5, %r5, 1023; mad.lo.u32 %r6, %r5, 4, %r3;\n"
    "st.shared.u32 [%r6], %r1; bar.sync 0; ld.shared.u32 %r7, [%r6];\n"
    "mad.lo.u32 %r9, %r9, 3, %r4; mad.lo.u32 %r9, %r9, 5, %r7; bar.sync 0;\n"
    "and.b32 %r8, %r4, 3; setp.ne.u32 %p1, %r8, 3; @%p1 bra M;\n"
    "and.b32 %r8, %r9, 4095; mul.wide.u32 %rd3, %r8, 4; add.u64 %rd3, %rd3, %rd2;\n"
    "ld.global.u32 %r8, [%rd3]; add.u32 %r9, %r9, 1; xor.b32 %r9, %r9, %r7;\n"
    "st.global.u32 [%rd1], %r9;\n"
    "M:\nadd.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 24; @%p2 bra L;\n"
    "setp.lt.u32 %p1, %r1, 64; @%p1 exit;\n"
    "atom.shared.add.u32 %r7, [s], 1; st.global.u32 [%rd1], %r9;")
    /* arithmetic and shared memory until address %r6 leaves the array in round 20 */
    BODY(
        "outside",
        "mov.u32 %r3, s; mov.u32 %r4, 0;\n"
        "L:\nmul.lo.u32 %r5, %r4, 210; mad.lo.u32 %r6, %r5, 1, %r3;\n"
        "and.b32 %r6, %r6, -4; st.shared.u32 [%r6], %r4; mad.lo.u32 %r7, %r4, 7, %r4;\n"
        "add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 100; @%p2 bra L;\n")
    /* the barrier of one warp alone, after a while */
    BODY("apart",
         "mov.u32 %r4, 0;\nL:\nadd.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 50;\n"
         "@%p2 bra L;\nsetp.lt.u32 %p1, %r1, 32; @!%p1 bra M;\n"
         "bar.sync 1;\nM:\nbar.sync 2;\n");

static const char *const presets[] = {"tiny", "gtx280", "gtx480", "k20x", "h100"};

/* All that a run leaves. */
struct left {
    enum smw_status status;
    struct smw_counters counters;
    uint64_t start_ps, end_ps, now_ps;
    char message[512], detail[4096];
    uint32_t words[DT_OUT_WORDS];
};

static struct dt *open_device(const char *preset, bool in_step, uint64_t max_cycles)
{
    const struct smw_options opt = {.in_step = in_step, .max_cycles = max_cycles};

    return dt_open_with(preset, "gpu.sms=2", &opt, kernels);
}

static void leave(struct dt *t, enum smw_status status, struct left *l)
{
    const struct smw_fault *f = smw_fault(t->d);
    struct smw_result r = dt_result(t, 0);

    memset(l, 0, sizeof(*l));
    l->status = status;
    l->counters = r.counters;
    l->start_ps = r.start_ps;
    l->end_ps = r.end_ps;
    l->now_ps = smw_now_ps(t->d);
    if (status == SMW_DONE) {
        dt_fetch(t);
        memcpy(l->words, t->words, sizeof(l->words));
    } else {
        snprintf(l->message, sizeof(l->message), "%s", f->message);
        snprintf(l->detail, sizeof(l->detail), "%s", f->detail);
    }
    dt_close(t);
}

static void run(const char *preset, const char *kernel, uint32_t block, bool in_step,
                uint64_t max_cycles, struct left *l)
{
    struct dt *t = open_device(preset, in_step, max_cycles);
    enum smw_status status;

    dt_start(t, kernel, strcmp(kernel, "rounds") == 0 ? 7 : 1, block);
    status = smw_step(t->d, 0);
    leave(t, status, l);
}

static void assert_same(const struct left *a, const struct left *b, const char *preset)
{
    if (a->status != b->status || a->now_ps != b->now_ps ||
        a->counters.warp_insts != b->counters.warp_insts) {
        print_error("%s: %d %llu ps %llu insts \"%s\"; %d %llu ps %llu insts \"%s\"\n",
                    preset, (int)a->status, (unsigned long long)a->now_ps,
                    (unsigned long long)a->counters.warp_insts, a->message,
                    (int)b->status, (unsigned long long)b->now_ps,
                    (unsigned long long)b->counters.warp_insts, b->message);
    }
    assert_int_equal(a->status, b->status);
    assert_string_equal(a->message, b->message);
    assert_string_equal(a->detail, b->detail);
    assert_memory_equal(&a->counters, &b->counters, sizeof(a->counters));
    assert_int_equal(a->start_ps, b->start_ps);
    assert_int_equal(a->end_ps, b->end_ps);
    assert_int_equal(a->now_ps, b->now_ps);
    assert_memory_equal(a->words, b->words, sizeof(a->words));
}

/* The activations of the engine: fewer, or nothing runs ahead. */
static uint64_t activations(bool in_step)
{
    struct dt *t = open_device("gtx480", in_step, 0);
    struct smw_progress p;

    dt_run(t, "rounds", 7, 96);
    smw_progress(t->d, &p);
    dt_close(t);
    return p.activations;
}

static void test_ahead(void **state)
{
    struct left *a = calloc(2, sizeof(*a)), *b = a + 1;

    (void)state;
    assert_non_null(a);
    for (size_t i = 0; i < ARRAY_LEN(presets); i++) {
        run(presets[i], "rounds", 96, true, 0, a);
        run(presets[i], "rounds", 96, false, 0, b);
        assert_int_equal(a->status, SMW_DONE);
        assert_same(a, b, presets[i]);
    }
    free(a);
    assert_true(activations(false) < activations(true) * 9 / 10);
}

/* The end of a run comes at its cycle, and what has been counted by then is the
 * same. */
static void test_limit(void **state)
{
    struct left *a = calloc(2, sizeof(*a)), *b = a + 1;

    (void)state;
    assert_non_null(a);
    for (uint64_t cycles = 700; cycles < 2300; cycles += 97) {
        const char *preset = presets[cycles % ARRAY_LEN(presets)];

        run(preset, "rounds", 96, true, cycles, a);
        run(preset, "rounds", 96, false, cycles, b);
        assert_int_equal(a->status, SMW_LIMIT);
        assert_same(a, b, preset);
    }
    free(a);
}

static void test_faults(void **state)
{
    static const char *const kernel[] = {"outside", "apart"};
    struct left *a = calloc(2, sizeof(*a)), *b = a + 1;

    (void)state;
    assert_non_null(a);
    for (size_t i = 0; i < ARRAY_LEN(presets) * ARRAY_LEN(kernel); i++) {
        const char *preset = presets[i / ARRAY_LEN(kernel)];

        run(preset, kernel[i % ARRAY_LEN(kernel)], 64, true, 0, a);
        run(preset, kernel[i % ARRAY_LEN(kernel)], 64, false, 0, b);
        assert_true(a->status == SMW_FAULT || a->status == SMW_DEADLOCK);
        assert_same(a, b, preset);
    }
    free(a);
}

/* ---- somebody looks, and looks away ---- */

static uint32_t draw(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

static void hear_nothing(void *ctx, sim_time_t now, struct sim_probe *const *p,
                         size_t n)
{
    (void)ctx;
    (void)now;
    (void)p;
    (void)n;
}

/* Some of the probes below m are watched, some are not any more. */
static void flip(struct sim_module *m, uint32_t *seed, uint32_t most)
{
    for (struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        if (draw(seed) % most == 0) {
            sim_probe_watch(p);
        } else {
            sim_probe_unwatch(p);
        }
    }
    for (struct sim_module *c = m->first; c != NULL; c = c->next) {
        flip(c, seed, most);
    }
}

static void run_flipping(const char *preset, uint32_t seed, struct left *l)
{
    static const uint32_t most[] = {1, 3, 40, 1000, UINT32_MAX, UINT32_MAX};
    struct sim_watcher w = {.changed = hear_nothing};
    struct dt *t = open_device(preset, false, 0);
    enum smw_status status;

    sim_watch(t->d->gpu.sim, &w);
    dt_start(t, "rounds", 7, 96);
    do {
        flip(&t->d->gpu.root, &seed, most[draw(&seed) % ARRAY_LEN(most)]);
        status = smw_step(t->d, 1 + draw(&seed) % 200);
    } while (status == SMW_RUNNING);
    leave(t, status, l);
}

static void test_observers(void **state)
{
    struct left *a = calloc(2, sizeof(*a)), *b = a + 1;

    (void)state;
    assert_non_null(a);
    for (size_t i = 0; i < ARRAY_LEN(presets); i++) {
        run(presets[i], "rounds", 96, true, 0, a);
        for (uint32_t seed = 1; seed <= 12; seed++) {
            run_flipping(presets[i], seed, b);
            assert_same(a, b, presets[i]);
        }
    }
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ahead),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_observers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
