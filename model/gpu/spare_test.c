/* Accesses that are spared a cost: cycles are those without it, answers the same. */
#include "gpu/spare.h"

#include "gpu/device_test.h"

/* PTX lines are counted from 1 and the bodies begin on one line each: two accesses in
 * shared memory, and two in global, of which the first is strided. */
static const char kernels[] =
    PTX_HEAD BODY("shared",
                  ".shared .align 4 .b8 s[8192];\nmov.u32 %r4, s;\n"
                  "mad.lo.u32 %r5, %r1, 128, %r4;\nmad.lo.u32 %r6, %r1, 4, %r4;\n"
                  "st.shared.u32 [%r5], %r1;\n"
                  "atom.shared.add.u32 %r7, [%r5], 3;\n"
                  "ld.shared.u32 %r8, [%r5];\nadd.u32 %r8, %r8, %r7;\n"
                  "st.global.u32 [%rd1], %r8;")
        BODY("global", "mul.wide.u32 %rd5, %r1, 128;\nadd.u64 %rd6, %rd2, %rd5;\n"
                       "add.u64 %rd7, %rd0, %rd5;\n"
                       "ld.global.u32 %r4, [%rd6];\nadd.u32 %r4, %r4, 1;\n"
                       "st.global.u32 [%rd7], %r4;\n"
                       "ld.global.u32 %r5, [%rd7];\nadd.u32 %r5, %r5, 1;\n"
                       "st.global.u32 [%rd7+4], %r5;");

struct seen {
    uint64_t cycles, conflicts, sectors;
    uint32_t words[DT_OUT_WORDS];
};

static void run(const char *preset, const char *settings, const char *kernel,
                struct seen *out)
{
    struct dt *t = dt_open_with(preset, settings, NULL, kernels);
    struct smw_result r;

    dt_run(t, kernel, 1, 32);
    assert_true(smw_result(t->d, 0, &r));
    out->cycles = r.counters.cycles;
    out->conflicts = r.counters.sh_ld_conflicts + r.counters.sh_st_conflicts +
                     r.counters.sh_at_conflicts;
    out->sectors = r.counters.gl_ld_sectors + r.counters.gl_st_sectors;
    memcpy(out->words, t->words, sizeof(out->words));
    dt_close(t);
}

static const char *const presets[] = {"8800gtx", "gtx280", "gtx480", "k80",
                                      "gtx980",  "v100",   "h100"};

/* On all kinds of devices: no conflicts, fewer cycles, and the same answers. Before
 * 1.2 there are no atomics in shared memory. */
static void test_conflicts(void **state)
{
    static struct seen with, without;

    (void)state;
    for (uint32_t i = 2; i < ARRAY_LEN(presets); i++) {
        run(presets[i], "gpu.sms=1", "shared", &with);
        run(presets[i], "gpu.sms=1 ideal.conflicts=all", "shared", &without);
        assert_true(with.conflicts > 0);
        assert_int_equal(without.conflicts, 0);
        assert_true(without.cycles < with.cycles);
        assert_memory_equal(with.words, without.words, sizeof(with.words));
        assert_int_equal(with.words[5], 5 + 3 + 5);
    }
}

static void test_sectors(void **state)
{
    static struct seen with, without, hits;

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(presets); i++) {
        run(presets[i], "gpu.sms=1", "global", &with);
        run(presets[i], "gpu.sms=1 ideal.sectors=all", "global", &without);
        run(presets[i], "gpu.sms=1 ideal.latency=all", "global", &hits);
        assert_int_equal(with.sectors, 4 * 32);
        assert_int_equal(without.sectors, 4 * 4);
        assert_true(without.cycles < with.cycles);
        assert_true(hits.cycles < with.cycles);
        assert_memory_equal(with.words, without.words, sizeof(with.words));
        assert_memory_equal(with.words, hits.words, sizeof(with.words));
        assert_int_equal(with.words[32 * 7 + 1], 32 * 7 + 2);
    }
}

/* Unset, a device is what it was; a place spares what is there alone. */
static void test_places(void **state)
{
    static struct seen with, one;
    uint32_t line = 1, at = 0;
    char settings[128];

    (void)state;
    for (const char *p = kernels; *p != '\0' && at == 0; p++) {
        line += *p == '\n';
        at = strncmp(p, "ld.shared", 9) == 0 ? line : 0;
    }
    assert_true(at != 0);
    run("gtx480", "gpu.sms=1", "shared", &with);
    snprintf(settings, sizeof(settings), "gpu.sms=1 ideal.conflicts=%u", at);
    run("gtx480", settings, "shared", &one);
    assert_int_equal(with.conflicts - one.conflicts, 31);
}

static void expect_refused(const char *key, const char *value, const char *message)
{
    struct smw_config *c = smw_config_new();
    struct smw_device *d = NULL;
    struct smw_err e;

    err_clear(&e);
    dt_ok(smw_config_preset(c, "tiny", &e), &e);
    dt_ok(smw_config_set(c, key, value, &e), &e);
    d = smw_open(c, NULL, &e);
    if (d != NULL) {
        assert_null(smw_load(d, kernels, strlen(kernels), "test.ptx", &e));
    }
    assert_non_null(strstr(e.message, message));
    assert_true(e.hint[0] != '\0');
    smw_close(d);
    smw_config_free(c);
}

static void test_refused(void **state)
{
    (void)state;
    expect_refused("ideal.conflicts", "tile.cu", "is no list of places");
    expect_refused("ideal.conflicts", "tile.cu:", "is no list of places");
    expect_refused("ideal.sectors", "12,", "is no list of places");
    expect_refused("ideal.sectors", "", "is no list of places");
    expect_refused("ideal.latency", "tile.cu:0", "is no list of places");
    expect_refused("ideal.latency", "1x", "is no list of places");
    expect_refused("ideal.conflicts", "tile.cu:12",
                   "there is no shared access at tile.cu:12");
    expect_refused("ideal.sectors", "1",
                   "there is no global load or store at PTX line 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conflicts),
        cmocka_unit_test(test_sectors),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
