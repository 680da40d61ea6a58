/* The save file beside a dump. */
#include "wave_testlib.h"

#include "wave_priv.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void save_file_head(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "head");
    char *text;

    (void)state;
    c.heading = "one kernel, whose heading is longer than a row should be, in "
                "three rows";
    tiny_run(&c, 0);
    text = tiny_slurp(c.gtkw_path);
    /* 7142 ps and a fiftieth in 930 pixels: -log2(200 * 7284 / 930) */
    assert_true(strstr(text,
                       "[*] smwave 1.2.3\n"
                       "[dumpfile] \"head.vcd\"\n"
                       "[savefile] \"head.gtkw\"\n"
                       "[timestart] 0\n"
                       "[size] 1600 900\n"
                       "[pos] -1 -1\n"
                       "*-10.613284 3571 1428 3571 5714 7142 -1 -1 -1 -1 -1 -1 -1 -1 "
                       "-1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n"
                       "[markername] Akernel start\n"
                       "[markername] Bfirst conflict, worst conflict\n"
                       "[markername] Cbarrier 1\n"
                       "[markername] Dkernel end, end           \n"
                       "[treeopen] gpu.\n"
                       "[treeopen] gpu.sm0.\n") == text);
    /* One row, which opens into all of it. */
    assert_non_null(strstr(text, "\n@c00200\n-one kernel, whose heading is\n"
                                 "@200\n-one kernel, whose heading is\n"
                                 "-longer than a row should be,\n-in three rows\n"
                                 "@200\n-test\n@1401200\n"));
    free(text);
    tiny_remove(&c);
}

static void save_file_rows(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "rows");
    char *text;

    (void)state;
    c.scope = "gpu.sm0.*";
    c.heading = NULL;
    c.config_name = NULL;
    tiny_run(&c, 0);
    text = tiny_slurp(c.gtkw_path);
    assert_string_equal(
        strstr(text, "@200\n-not"),
        "@200\n-not traced: lsu, l2, dram\n"
        "@800200\n-conflicts\n" /* the band; it stands below as well */
        "@28\n[color] 1\n+{conflict} gpu.sm0.smem.xbar.conflict\n"
        "@24\n[color] 2\n+{degree} gpu.sm0.smem.xbar.degree[5:0]\n"
        "@20000024\n[color] 2\n+{lanes served} gpu.sm0.smem.xbar.lane_mask[31:0]\n"
        "@1000200\n-conflicts\n"
        "@800200\n-sm0\n"
        "@800200\n-warps\n"
        "@c02028\n^1 state_warp.txt\n+{warp00} gpu.sm0.warp00.state[2:0]\n"
        "@22\n[color] 3\n+{pc} gpu.sm0.warp00.pc[31:0]\n@1401200\n-warp00\n"
        "@c02028\n^1 state_warp.txt\n+{warp01} gpu.sm0.warp01.state[2:0]\n"
        "@22\n[color] 3\n+{pc} gpu.sm0.warp01.pc[31:0]\n@1401200\n-warp01\n"
        "@c02028\n^1 state_warp.txt\n+{warp02} gpu.sm0.warp02.state[2:0]\n"
        "@22\n[color] 3\n+{pc} gpu.sm0.warp02.pc[31:0]\n@1401200\n-warp02\n"
        "@c00200\n-idle warps\n" /* it never left its first state */
        "@c02028\n^1 state_warp.txt\n+{warp03} gpu.sm0.warp03.state[2:0]\n"
        "@22\n[color] 3\n+{pc} gpu.sm0.warp03.pc[31:0]\n@1401200\n-warp03\n"
        "@1401200\n-idle warps\n"
        "@1000200\n-warps\n"
        "@800200\n-sched0\n"
        "@24\n[color] 5\n+{warp} gpu.sm0.sched0.warp[5:0]\n"
        "@820\n[color] 5\n+{inst} gpu.sm0.sched0.inst\n"
        "@28\n[color] 5\n+{issue} gpu.sm0.sched0.issue\n"
        "@1000200\n-sched0\n"
        "@800200\n-smem\n"
        "@800200\n-xbar\n"
        "@24\n[color] 7\n+{degree} gpu.sm0.smem.xbar.degree[5:0]\n"
        "@22\n[color] 7\n+{lane_mask} gpu.sm0.smem.xbar.lane_mask[31:0]\n"
        "@28\n[color] 1\n+{conflict} gpu.sm0.smem.xbar.conflict\n"
        "@1000200\n-xbar\n"
        "@20088024\n[color] 3\n#{busy banks[3:0]} gpu.sm0.smem.bank03.busy "
        "gpu.sm0.smem.bank02.busy gpu.sm0.smem.bank01.busy gpu.sm0.smem.bank00.busy\n"
        "@20000\n-\n-\n"
        "@c00022\n[color] 3\n#{banks busy[3:0]} gpu.sm0.smem.bank03.busy "
        "gpu.sm0.smem.bank02.busy gpu.sm0.smem.bank01.busy gpu.sm0.smem.bank00.busy\n"
        "@c02028\n^1 state_bank.txt\n+{bank00} gpu.sm0.smem.bank00.op[2:0]\n"
        "@28\n[color] 6\n+{busy} gpu.sm0.smem.bank00.busy\n@1401200\n-bank00\n"
        "@c02028\n^1 state_bank.txt\n+{bank01} gpu.sm0.smem.bank01.op[2:0]\n"
        "@28\n[color] 6\n+{busy} gpu.sm0.smem.bank01.busy\n@1401200\n-bank01\n"
        "@c02028\n^1 state_bank.txt\n+{bank02} gpu.sm0.smem.bank02.op[2:0]\n"
        "@28\n[color] 6\n+{busy} gpu.sm0.smem.bank02.busy\n@1401200\n-bank02\n"
        "@c02028\n^1 state_bank.txt\n+{bank03} gpu.sm0.smem.bank03.op[2:0]\n"
        "@28\n[color] 6\n+{busy} gpu.sm0.smem.bank03.busy\n@1401200\n-bank03\n"
        "@1401200\n-banks\n"
        "@1000200\n-smem\n"
        "@800200\n-barrier\n"
        "@28\n[color] 4\n+{release} gpu.sm0.barrier.release\n"
        "@1000200\n-barrier\n"
        "@1000200\n-sm0\n"
        "@28\n+{clk} gpu.clk\n@24\n+{cycle} gpu.cycle\n"
        "[pattern_trace] 1\n[pattern_trace] 0\n");
    free(text);
    tiny_remove(&c);
}

/* A curve is higher than a row. */
static void save_file_curve(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "curve");
    char *text;

    (void)state;
    c.scope = "*.queue";
    tiny_run(&c, 0);
    text = tiny_slurp(c.gtkw_path);
    assert_non_null(strstr(text,
                           "\n@88024\n[color] 3\n+{queue} gpu.part0.dram.queue[8:0]\n"
                           "@20000\n-\n-\n@28\n+{clk} gpu.part0.dram.clk\n"));
    free(text);
    tiny_remove(&c);
}

/* There is a save file from the beginning, with a zoom for the window, so that a run
 * that is killed has one. */
static void save_file_early(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "killed");
    struct wave *w;
    struct tiny t;
    char *text;

    (void)state;
    tiny_window(&c, 0, 7); /* 5000 ps: -log2(200 * 5100 / 930) */
    tiny_init(&t, 0);
    tiny_script(&t);
    w = tiny_open(&t, &c);
    text = tiny_slurp(c.gtkw_path);
    assert_non_null(strstr(text, "\n*-10.099051 0 -1 -1"));
    assert_non_null(strstr(text, "+{conflict} gpu.sm0.smem.xbar.conflict\n"));
    free(text);
    tiny_finish(&t, w);
    tiny_remove(&c);
    tiny_free(&t);
}

/* Many alike: some in view, the rest folded away. */
static void save_file_many(void **state)
{
    enum { N = 12 };
    static const char *const names[] = {"idle", "ready"};
    static const struct sim_probe_desc d = {
        .name = "state",
        .kind = SIM_PROBE_STATE,
        .width = 1,
        .names = names,
        .n_names = 2,
    };
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "fold");
    struct sim_module m[N];
    struct sim_probe p[N];
    struct wave *w;
    struct tiny t;
    char *text, *more, *idle;

    (void)state;
    c.scope = "*.w??";
    tiny_init(&t, 0);
    tiny_script(&t);
    for (int i = 0; i < N; i++) {
        char name[16];

        snprintf(name, sizeof(name), "w%02d", i);
        sim_module_init(&m[i], t.sim, &t.gpu, NULL, name);
        sim_probe_init(&p[i], &m[i], &d, NULL, 0);
    }
    w = tiny_open(&t, &c);
    assert_int_equal(sim_run(t.sim, 3000, 0), SIM_REACHED);
    for (int i = 0; i < N; i++) {
        sim_probe_set(&p[i], i != 3); /* 03 stays idle */
    }
    tiny_finish(&t, w);
    text = tiny_slurp(c.gtkw_path);
    more = strstr(text, "@c00200\n-more ws\n");
    idle = strstr(text, "@c00200\n-idle ws\n");
    assert_true(more != NULL && idle > more);
    assert_true(strstr(text, "+{w00}") < more);
    assert_true(strstr(text, "+{w08}") < more); /* the eighth that does something */
    assert_true(strstr(text, "+{w09}") > more && strstr(text, "+{w11}") < idle);
    assert_true(strstr(text, "+{w03}") > idle);
    free(text);
    tiny_remove(&c);
    (void)remove("state_w.txt");
    (void)remove("stage_w.txt");
    tiny_free(&t);
}

/* In a view that shows what was asked for, a state, whatever it did, the scopes beside
 * the one that did something are folded away; where none did, all stand. */
static void save_file_beside(void **state)
{
    enum { N = 6 };
    static const struct sim_probe_desc d[] = {
        {.name = "a", .kind = SIM_PROBE_BITS, .width = 4, .views = "banks"},
        {.name = "b", .kind = SIM_PROBE_STATE, .width = 4, .views = "banks"},
    };
    static const struct view banks = {VIEW_BANKS, 0};

    (void)state;
    for (int active = 0; active < 2; active++) {
        struct tiny_paths paths;
        struct wave_config c = tiny_config(&paths, "beside");
        struct sim_module m[N], below[N];
        struct sim_probe p[N][2];
        struct wave *w;
        struct tiny t;
        char *text, *idle;

        c.views = &banks;
        c.n_views = 1;
        tiny_init(&t, 0);
        tiny_script(&t);
        for (int i = 0; i < N; i++) {
            char name[] = {'u', (char)('0' + i), '\0'};

            sim_module_init(&m[i], t.sim, &t.gpu, NULL, name);
            sim_module_init(&below[i], t.sim, &m[i], NULL, "v");
            sim_probe_init(&p[i][0], &m[i], &d[0], NULL, 0);
            sim_probe_init(&p[i][1], &below[i], &d[1], NULL, 0);
        }
        w = tiny_open(&t, &c);
        assert_int_equal(sim_run(t.sim, 3000, 0), SIM_REACHED);
        sim_probe_set(&p[2][1], (uint64_t)active);
        tiny_finish(&t, w);
        text = tiny_slurp("beside.banks.gtkw");
        idle = strstr(text, "@c00200\n-idle us\n");
        if (active) {
            assert_non_null(idle);
            assert_true(strstr(text, "@800200\n-u2\n") < idle);
            assert_true(strstr(text, "@c00200\n-u0\n") > idle);
            assert_true(strstr(text, "@c00200\n-u5\n") > idle);
        } else {
            assert_null(idle);
            assert_non_null(strstr(text, "@800200\n-u0\n"));
            assert_non_null(strstr(text, "@c00200\n-u5\n"));
        }
        free(text);
        tiny_remove(&c);
        (void)remove("beside.banks.gtkw");
        (void)remove("beside.banks.sucl");
        tiny_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(save_file_head),  cmocka_unit_test(save_file_rows),
        cmocka_unit_test(save_file_curve), cmocka_unit_test(save_file_early),
        cmocka_unit_test(save_file_many),  cmocka_unit_test(save_file_beside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
