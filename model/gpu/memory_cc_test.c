/* Global and constant memory of the capabilities, through whole devices: what DRAM
 * moves where there is no cache, which loads an L1 keeps, camping, the constant
 * cache. */
#include "gpu/device_test.h"

#define HEAD_13 ".version 1.4\n.target sm_13\n"

static struct smw_counters run_k(const char *preset, const char *settings,
                                 const char *ptx, uint32_t grid, uint32_t block)
{
    struct dt *t = dt_open_with(preset, settings, NULL, ptx);
    struct smw_counters c;

    dt_run(t, "k", grid, block);
    c = dt_result(t, 0).counters;
    dt_close(t);
    return c;
}

/* ---- without an L2 ---- */

/* Every transaction is DRAM's, each time: two loads of two half-warps of 64 bytes, a
 * store of the same, an atomic that reads and writes one burst per half-warp. */
static void test_no_cache(void **state)
{
    static const char ptx[] =
        HEAD_13 BODY("k",
                     "ld.global.u32 %r3, [%rd2]; membar.gl; cvt.u64.u32 %rd3, %r1;\n"
                     "shl.b64 %rd3, %rd3, 2; add.u64 %rd4, %rd2, %rd3;\n"
                     "ld.global.u32 %r3, [%rd4]; membar.gl;\n"
                     "ld.global.u32 %r4, [%rd4]; membar.gl;\n"
                     "add.u32 %r3, %r3, %r4; st.global.u32 [%rd1], %r3;\n"
                     "atom.global.add.u32 %r5, [%rd0 + 4096], 1;");
    static const uint32_t bursts[] = {32, 64};

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        char settings[64];
        struct smw_counters c;
        uint32_t b = bursts[i];
        struct dt *t;

        (void)snprintf(settings, sizeof(settings), "dram.burst=%u", b);
        t = dt_open_with("gtx280", settings, NULL, ptx);
        dt_run(t, "k", 1, 32);
        c = dt_result(t, 0).counters;
        for (uint32_t k = 0; k < 32; k++) {
            assert_int_equal(t->words[k], 2 * k);
        }
        assert_int_equal(t->words[1024], 32);
        /* first load: one word for each half-warp, 32 bytes; atomics too */
        assert_int_equal(c.dram_rd_bytes, 2 * b + 2 * 128 + 2 * b);
        assert_int_equal(c.dram_wr_bytes, 128 + 2 * b);
        assert_int_equal(c.l2_rd_requests, 6);
        assert_int_equal(c.l2_wr_requests, 2);
        assert_int_equal(c.l2_atoms, 2);
        assert_int_equal(c.l2_rd_hits, 0);
        assert_int_equal(c.l1_lookups, 0);
        dt_close(t);
    }
}

/* Columns of rows of 2048 bytes: all in one of eight partitions, unless folded. */
static void test_camping(void **state)
{
    static const char ptx[] =
        HEAD_13 BODY("k", "mul.wide.u32 %rd3, %r2, 2048; add.u64 %rd3, %rd2, %rd3;\n"
                          "mul.wide.u32 %rd4, %r1, 4; add.u64 %rd3, %rd3, %rd4;\n"
                          "ld.global.u32 %r3, [%rd3]; st.global.u32 [%rd1], %r3;");
    static const char *const key[] = {"", "icnt.interleave=round_robin",
                                      "icnt.interleave=fold"};
    uint64_t cycles[3];

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        struct dt *t = dt_open_with("gtx280", key[i], NULL, ptx);
        struct smw_err e;

        err_clear(&e);
        dt_ok(smw_alloc(t->d, 256 * 2048, &t->in, &e), &e);
        for (uint32_t row = 0; row < 256; row++) {
            uint32_t w[64];

            for (uint32_t k = 0; k < 64; k++) {
                w[k] = row * 64 + k;
            }
            dt_ok(smw_write(t->d, t->in + row * 2048, w, sizeof(w), &e), &e);
        }
        dt_run(t, "k", 256, 64);
        for (uint32_t k = 0; k < DT_OUT_WORDS; k++) {
            assert_int_equal(t->words[k], k);
        }
        cycles[i] = dt_result(t, 0).counters.cycles;
        dt_close(t);
    }
    assert_int_equal(cycles[0], cycles[1]); /* 1.3: in turn */
    assert_true(cycles[1] * 10 > cycles[2] * 13);
}

/* ---- which loads the L1 keeps ---- */

static void test_read_only(void **state)
{
    static const char ptx[] = ".version 3.1\n.target sm_35\n.address_size 64\n" BODY(
        "k", "mul.wide.u32 %rd3, %r1, 4; add.u64 %rd3, %rd2, %rd3;\n"
             "ld.global.nc.u32 %r3, [%rd3]; add.u32 %r3, %r3, 1;\n"
             "st.global.u32 [%rd1], %r3; membar.cta;\n"
             "ld.global.u32 %r4, [%rd3]; add.u32 %r3, %r3, %r4;\n"
             "st.global.u32 [%rd1], %r3; membar.cta;\n"
             "ld.global.nc.u32 %r4, [%rd3]; add.u32 %r3, %r3, %r4;\n"
             "st.global.u32 [%rd1], %r3;");
    static const struct {
        const char *preset, *settings;
        uint32_t hits, misses, l2; /* sectors */
    } want[] = {{"k20x", "", 0, 0,
                 12}, /* L2 only; the read-only cache is not modelled */
                {"k20x", "sm.l1.global=true", 8, 4, 4},
                {"gtx980", "", 4, 4, 8}, /* .nc only */
                {"gtx980", "sm.l1.global=true", 8, 4, 4},
                {"v100", "", 8, 4, 4},
                {"v100", "sm.l1.global=false", 4, 4, 8}};

    (void)state;
    for (uint32_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
        struct smw_counters c = run_k(want[i].preset, want[i].settings, ptx, 1, 32);

        assert_int_equal(c.l1_ld_hit_sectors, want[i].hits);
        assert_int_equal(c.l1_ld_miss_sectors, want[i].misses);
        assert_int_equal(c.l2_rd_sectors, want[i].l2);
    }
}

/* ---- constants ---- */

static const char constants[] =
    PTX_HEAD ".const .align 4 .b32 c[64] = {0, 3, 6, 9};\n" BODY(
        "k", "mov.u64 %rd3, c; and.b32 %r3, %r1, 3; mul.wide.u32 %rd4, %r3, 4;\n"
             "add.u64 %rd3, %rd3, %rd4; ld.const.u32 %r4, [%rd3];\n"
             "st.global.u32 [%rd1], %r4;");

/* Cold with every kernel, warm within one. */
static void test_constant_cache(void **state)
{
    struct dt *t = dt_open_with("v100", "gpu.sms=1", NULL, constants);

    (void)state;
    for (uint32_t k = 0; k < 2; k++) {
        struct smw_counters c;

        dt_run(t, "k", 1, 128);
        for (uint32_t i = 0; i < 128; i++) {
            assert_int_equal(t->words[i], 3 * (i % 4));
        }
        c = dt_result(t, k).counters;
        assert_int_equal(c.const_insts, 4);
        assert_int_equal(c.const_requests, 16);
        assert_int_equal(c.const_misses, 1);
        assert_int_equal(c.const_hits, 15);
    }
    dt_close(t);
}

/* A miss and every further address show in time as the configuration says. */
static void test_constant_time(void **state)
{
    static const struct {
        const char *settings;
        uint32_t more; /* cycles than the first */
    } want[] = {{"sm.cbank.size=0", 0},
                {"sm.cbank.miss_latency=127", 100},
                {"sm.cbank.miss_latency=1027", 1000},
                {"sm.cbank.size=0 sm.cbank.interval=21", 30}};
    uint64_t first = 0;

    (void)state;
    for (uint32_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
        uint64_t cycles = run_k("v100", want[i].settings, constants, 1, 32).cycles;

        first = i == 0 ? cycles : first;
        assert_int_equal(cycles, first + want[i].more);
    }
}

/* ---- shared atomics ---- */

/* A barrier comes after the last round of a locked atomic (SPEC BANK-5), also on
 * what-if devices whose capability has none. */
static void test_atomics_before_barrier(void **state)
{
    static const char ptx[] = HEAD_13 ".shared .align 4 .b8 s[4];\n" BODY(
        "k", "mov.u32 %r5, 0; st.shared.u32 [s], %r5; bar.sync 0;\n"
             "atom.shared.add.u32 %r3, [s], 1; bar.sync 0;\n"
             "ld.shared.u32 %r4, [s]; st.global.u32 [%rd1], %r4;");
    static const char *const presets[] = {"8800gtx", "8800gt", "gtx280",
                                          "c2050",   "k20x",   "gtx980"};

    (void)state;
    for (uint32_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++) {
        struct dt *t = dt_open_with(presets[i], "gpu.what_if=true", NULL, ptx);

        dt_run(t, "k", 1, 40); /* the second warp has fewer rounds */
        for (uint32_t k = 0; k < 40; k++) {
            assert_int_equal(t->words[k], 40);
        }
        dt_close(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_cache),
        cmocka_unit_test(test_camping),
        cmocka_unit_test(test_read_only),
        cmocka_unit_test(test_constant_cache),
        cmocka_unit_test(test_constant_time),
        cmocka_unit_test(test_atomics_before_barrier),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
