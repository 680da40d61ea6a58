/* Which probes a scope selects. */
#include "wave_testlib.h"

#include "wave_priv.h"
#include <string.h>

static void globs(void **state)
{
    static const struct {
        const char *pattern, *text;
        bool matches;
    } cases[] = {
        {"gpu.sm0.lsu", "gpu.sm0.lsu", true},
        {"gpu.sm0.lsu", "gpu.sm0.lsus", false},
        {"gpu.sm0.lsu", "gpu.sm0.ls", false},
        {"", "", true},
        {"", "a", false},
        {"*", "", true},
        {"*", "gpu.sm0", true},
        {"gpu.*", "gpu.sm0.smem.bank00.busy", true}, /* a star spans dots */
        {"gpu.*", "gpu", false},
        {"*.busy", "gpu.sm0.smem.bank00.busy", true},
        {"*.busy", "gpu.busy.op", false},
        {"gpu.*.busy", "gpu.busy.op.busy", true}, /* the star gives back */
        {"*a*b*c", "xaybzbc", true},
        {"*a*b*c", "xaybzcb", false},
        {"gpu.sm?.x", "gpu.sm0.x", true},
        {"gpu.sm?.x", "gpu.sm10.x", false},
        {"a**b", "ab", true},
        {"ab**", "ab", true},
        /* numbers, with or without leading zeros */
        {"gpu.sm0.*", "gpu.sm00.lsu", true},
        {"gpu.sm00.*", "gpu.sm0.lsu", true},
        {"bank7", "bank07", true},
        {"bank07", "bank7", true},
        {"bank7", "bank70", false},
        {"bank7", "bank17", false},
        {"bank10", "bank1", false},
        {"bank10", "bank010", true},
        {"*7", "bank07", true},
        {"*7", "bank17", true},
        {"bank0", "bank00", true},
        {"bank0", "bank07", false},
        /* digits before a wildcard are digits */
        {"bank0?", "bank07", true},
        {"bank0?", "bank17", false},
        {"bank0*", "bank07", true},
        {"bank1*", "bank01", false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        if (wave_glob(cases[i].pattern, cases[i].text) != cases[i].matches) {
            fail_msg("'%s' against '%s'", cases[i].pattern, cases[i].text);
        }
    }
}

/* The names of the dump's variables, one line each. */
static char *deep_names(const char *scope, uint32_t depth)
{
    static char text[4096];
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "select");
    struct wave *w;
    struct tiny t;

    c.gtkw_path = NULL;
    c.events_path = NULL;
    c.scope = scope;
    c.depth = depth;
    tiny_init(&t, 0);
    w = tiny_open(&t, &c);
    text[0] = '\0';
    for (dump_id i = 0; i < 100; i++) {
        char name[64];

        if (dump_loader_name(w->dump, i, name, sizeof(name)) > 0) {
            strcat(strcat(text, name), "\n");
        }
    }
    tiny_finish(&t, w);
    tiny_remove(&c);
    tiny_free(&t);
    return text;
}

static char *names(const char *scope)
{
    return deep_names(scope, 0);
}

static void scopes(void **state)
{
    (void)state;
    /* one probe; its clock is drawn at the outermost module of that clock */
    assert_string_equal(names("gpu.sm0.sched0.warp"),
                        "gpu.clk\ngpu.cycle\ngpu.sm0.sched0.warp[5:0]\n");
    /* a module's path selects what is below, as does a star */
    assert_string_equal(names("*.xbar"), "gpu.clk\ngpu.cycle\n"
                                         "gpu.sm0.smem.xbar.degree[5:0]\n"
                                         "gpu.sm0.smem.xbar.lane_mask[31:0]\n"
                                         "gpu.sm0.smem.xbar.conflict\n");
    assert_string_equal(names("*.xbar.*"), names("*.xbar"));
    /* leading zeros */
    assert_string_equal(names("gpu.sm00.smem.bank2"), "gpu.clk\ngpu.cycle\n"
                                                      "gpu.sm0.smem.bank02.busy\n"
                                                      "gpu.sm0.smem.bank02.op[2:0]\n");
    /* only the clocks that something selected follows */
    assert_string_equal(names("*.queue"), "gpu.part0.dram.clk\n"
                                          "gpu.part0.dram.cycle\n"
                                          "gpu.part0.dram.queue[8:0]\n");
    assert_string_equal(names("*.part0"), "gpu.part0.clk\ngpu.part0.cycle\n"
                                          "gpu.part0.l2.hit\n"
                                          "gpu.part0.dram.clk\n"
                                          "gpu.part0.dram.cycle\n"
                                          "gpu.part0.dram.queue[8:0]\n");
    assert_string_equal(names("gpu"), names(NULL));
    assert_string_equal(names("*"), names(NULL));
}

/* Names are in a static buffer: keep what is compared. */
static void same_names(const char *a, const char *b)
{
    char kept[4096];

    snprintf(kept, sizeof(kept), "%s", names(a));
    assert_string_equal(kept, names(b));
}

static void lists(void **state)
{
    (void)state;
    same_names("gpu.sm0.sched0.warp,*.hit", "*.hit,gpu.sm0.sched0.warp");
    assert_string_equal(names("*.hit,gpu.sm0.sched0.warp"),
                        "gpu.clk\ngpu.cycle\ngpu.sm0.sched0.warp[5:0]\n"
                        "gpu.part0.clk\ngpu.part0.cycle\ngpu.part0.l2.hit\n");
    same_names("gpu.sm0,gpu.sm0.smem", "gpu.sm0"); /* one has the other */
    same_names("/bank0[12]/", "*.bank1,*.bank2");
    same_names("/bank0[1-2]{1,1}\\.(op|busy)$/", "*.bank1,*.bank2"); /* a comma */
    same_names("/^gpu\\.sm0/,*.hit", "gpu.sm0,*.hit");
    same_names("/sched./", "gpu.sm0.sched0");
    same_names("/a/b|xbar/", "*.xbar"); /* a slash inside */
}

static void depths(void **state)
{
    (void)state;
    assert_string_equal(deep_names(NULL, 1), "gpu.clk\ngpu.cycle\n"
                                             "gpu.dispatcher.blocks_left[7:0]\n"
                                             "gpu.dispatcher.kernel_start\n"
                                             "gpu.dispatcher.kernel_end\n");
    assert_string_equal(deep_names("*.part0,*.dispatcher.kernel_end", 2),
                        "gpu.clk\ngpu.cycle\ngpu.dispatcher.kernel_end\n"
                        "gpu.part0.clk\ngpu.part0.cycle\n"
                        "gpu.part0.l2.hit\n"
                        "gpu.part0.dram.clk\ngpu.part0.dram.cycle\n"
                        "gpu.part0.dram.queue[8:0]\n");
}

struct refusal {
    const char *scope;
    uint32_t depth;
    const char *message, *hint;
};

static void refusals(void **state)
{
    static const struct refusal cases[] = {
        {"gpu.sm0,gpu.sm0.smen.*", 0, "trace scope 'gpu.sm0.smen.*' selects no signal",
         "did you mean 'gpu.sm0.smem.*'?"},
        {"gpu.sm0.sched0.isue", 0,
         "trace scope 'gpu.sm0.sched0.isue' selects no signal",
         "did you mean 'gpu.sm0.sched0.issue'?"},
        {"*.smen.*", 0, "trace scope '*.smen.*' selects no signal",
         "there are gpu.dispatcher, gpu.sm0, gpu.part0"},
        {"/smen/", 0, "trace scope '/smen/' selects no signal",
         "there are gpu.dispatcher, gpu.sm0, gpu.part0"},
        {"gpu.sm0.smem.bank00", 2,
         "trace scope 'gpu.sm0.smem.bank00' selects no signal at most 2 levels below "
         "gpu",
         "it lies deeper"},
        {"gpu,", 0, "the trace scope has an empty pattern", ""},
        {"", 0, "the trace scope has an empty pattern", ""},
        {"/sm0", 0, "trace scope '/sm0': an expression is /.../", ""},
        {"//", 0, "trace scope '//': an expression is /.../", ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct tiny_paths paths;
        struct wave_config c = tiny_config(&paths, "refused");
        struct smw_err e = {0};
        struct tiny t;

        c.scope = cases[i].scope;
        c.depth = cases[i].depth;
        tiny_init(&t, 0);
        assert_null(wave_open(t.sim, &t.gpu, NULL, &c, &e));
        assert_int_equal(e.kind, SMW_ERR_INPUT);
        assert_string_equal(e.message, cases[i].message);
        assert_string_equal(e.hint, cases[i].hint);
        tiny_free(&t);
    }
}

static void bad_regex(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "refused");
    struct smw_err e = {0};
    struct tiny t;

    (void)state;
    c.scope = "/sm0/,/(/";
    tiny_init(&t, 0);
    assert_false(wave_check(t.sim, &t.gpu, NULL, &c, &e));
    assert_int_equal(e.kind, SMW_ERR_INPUT);
    assert_int_equal(strncmp(e.message, "trace scope '/(/': ", 19), 0);
    tiny_free(&t);
}

static void selects_nothing(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "nothing");
    struct smw_err e = {0};
    struct tiny t;

    (void)state;
    c.scope = "gpu.sm1.*";
    tiny_init(&t, 0);
    assert_null(wave_open(t.sim, &t.gpu, NULL, &c, &e));
    assert_int_equal(e.kind, SMW_ERR_INPUT);
    assert_string_equal(e.message, "trace scope 'gpu.sm1.*' selects no signal");
    assert_string_equal(e.hint, "did you mean 'gpu.sm0.*'?");
    for (int i = 0; i < N_TINY_PROBES; i++) {
        assert_false(t.probe[i].watched);
    }
    assert_null(fopen(c.path, "rb")); /* nothing was created */
    tiny_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(globs),           cmocka_unit_test(scopes),
        cmocka_unit_test(selects_nothing), cmocka_unit_test(lists),
        cmocka_unit_test(depths),          cmocka_unit_test(refusals),
        cmocka_unit_test(bad_regex),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
