/* The dump, byte for byte: values, windows, clocks, shuffles, ends of every kind. */
#include "wave_testlib.h"

#include "libvcd/vcd_testlib.h"
#include "wave_priv.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Run the usual script with a scope and a window; the dump, to be freed. */
static char *dump(const char *scope, uint64_t start, uint64_t stop)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "wave");
    struct tiny t;
    char *text;

    c.scope = scope;
    tiny_window(&c, start, stop);
    c.gtkw_path = NULL;
    c.events_path = NULL;
    tiny_init(&t, 0);
    tiny_script(&t);
    tiny_finish(&t, tiny_open(&t, &c));
    tiny_free(&t);
    text = tiny_slurp(c.path);
    tiny_remove(&c);
    return text;
}

static void expect(char *got, const char *want)
{
    assert_string_equal(got, want);
    free(got);
}

static void expect_body(char *got, const char *want)
{
    assert_string_equal(tiny_body(got), want);
    free(got);
}

/* Text, number, event; edge k of 1400 MHz is at floor(k * 5000 / 7) ps. */
static void golden(void **state)
{
    (void)state;
    expect(dump("gpu.sm0.sched0", 0, 0),
           "$version smwave 1.2.3 $end\n"
           "$timescale 1 ps $end\n"
           "$comment tiny: one kernel $end\n"
           "$comment config test, digest "
           "123456789abcdef0 $end\n"
           "$comment scope gpu.sm0.sched0 $end\n"
           "$comment signal gpu.sm0.sched0.warp kind=uint views=scheduler,warp "
           "doc=\"that issued\" $end\n"
           "$comment signal gpu.sm0.sched0.inst kind=text "
           "views=banks,scheduler,pipeline,coalescer,warp,bank doc=\"issued\" $end\n"
           "$comment signal gpu.sm0.sched0.issue kind=event views=scheduler "
           "doc=\"issue\" $end\n"
           "$scope module gpu $end\n"
           "$var wire 1 ! clk $end\n"
           "$var integer 64 \" cycle $end\n"
           "$scope module sm0 $end\n"
           "$scope module sched0 $end\n"
           "$var wire 6 # warp [5:0] $end\n"
           "$var string 0 $ inst $end\n"
           "$var event 1 % issue $end\n"
           "$upscope $end\n"
           "$upscope $end\n"
           "$upscope $end\n"
           "$enddefinitions $end\n"
           "#0\n"
           "$dumpvars\n"
           "1!\n"
           "b0 \"\n"
           "b0 #\n"
           "s $\n"
           "$end\n"
           "#357\n0!\n"
           "#714\n1!\nb1 \"\n"
           "#1071\n0!\n"
           "#1428\n1!\nb10 \"\n"
           "#1785\n0!\n"
           "#2142\n1!\nb11 \"\n"
           "b1 #\n"
           "sld.shared.u32\\040%r1,\\040[%r2+4] $\n"
           "1%\n"
           "#2499\n0!\n"
           "#2857\n1!\nb100 \"\n"
           "#3214\n0!\n"
           "#3571\n1!\nb101 \"\n"
           "#3928\n0!\n"
           "#4285\n1!\nb110 \"\n"
           "sbar.sync\\0400 $\n"
           "1%\n"
           "#4642\n0!\n"
           "#5000\n1!\nb111 \"\n"
           "#5357\n0!\n"
           "#5714\n1!\nb1000 \"\n"
           "#6071\n0!\n"
           "#6428\n1!\nb1001 \"\n"
           "sret $\n"
           "1%\n"
           "#6785\n0!\n"
           "#7142\n1!\nb1010 \"\n"
           "$comment status complete $end\n");
}

/* States, bits; several probes of one instant, in declaration order. */
static void states_and_bits(void **state)
{
    char *text = dump("*.bank0?", 5, 8);

    (void)state;
    assert_non_null(strstr(text, "$comment cycles 5 to 7 $end\n"));
    expect_body(text, "#3571\n"
                      "$dumpvars\n"
                      "1!\nb101 \"\n"
                      "0#\nb100 $\n0%\nb100 &\n0'\nb100 (\n0)\nb100 *\n"
                      "$end\n"
                      "1#\nb0 $\n1)\nb0 *\n"
                      "#3928\n0!\n"
                      "#4285\n1!\nb110 \"\n0)\nb100 *\n"
                      "#4642\n0!\n"
                      "#5000\n1!\nb111 \"\n0#\nb100 $\n"
                      "#5357\n0!\n"
                      "#5714\n"
                      "$dumpoff\nx!\nbx \"\nx#\nbx $\nx%\nbx &\nx'\nbx (\nx)\nbx *\n"
                      "$end\n"
                      "$comment status complete $end\n"
                      "#5747\n"); /* 1/64 of the window further */
}

/* A window opens with the values of before, also between two changes. */
static void window_start(void **state)
{
    (void)state;
    expect_body(dump("*.queue", 7, 0), /* 5000: dram's cycle 4 began at 4329 */
                "#5000\n$dumpvars\n0!\nb100 \"\nb11 #\n$end\n"
                "#5411\n1!\nb101 \"\n"
                "#5952\n0!\n"
                "#6493\n1!\nb110 \"\nb0 #\n"
                "#7034\n0!\n"
                "$comment status complete $end\n"
                "#7142\n");
    /* the change is at the very start */
    expect_body(dump("*.xbar.degree", 5, 6),
                "#3571\n$dumpvars\n1!\nb101 \"\nb0 #\n$end\nb100 #\n"
                "#3928\n0!\n"
                "#4285\n$dumpoff\nx!\nbx \"\nbx #\n$end\n"
                "$comment status complete $end\n#4296\n");
}

/* A change at the stop is outside, one a cycle before it inside. */
static void window_stop(void **state)
{
    (void)state;
    expect_body(dump("*.degree", 4, 5), "#2857\n$dumpvars\n1!\nb100 \"\nb0 #\n$end\n"
                                        "#3214\n0!\n"
                                        "#3571\n$dumpoff\nx!\nbx \"\nbx #\n$end\n"
                                        "$comment status complete $end\n#3582\n");
    expect_body(dump("*.degree", 9, 10), /* the run ends at the stop */
                "#6428\n$dumpvars\n1!\nb1001 \"\nb100 #\n$end\n"
                "#6785\n0!\n"
                "#7142\n$dumpoff\nx!\nbx \"\nbx #\n$end\n"
                "$comment status complete $end\n");
    expect_body(dump("*.degree", 9, 11), /* and before it */
                "#6428\n$dumpvars\n1!\nb1001 \"\nb100 #\n$end\n"
                "#6785\n0!\n"
                "#7142\n1!\nb1010 \"\n"
                "$comment status complete $end\n");
}

/* The run ends before the window begins: the values at the end. */
static void window_beyond(void **state)
{
    (void)state;
    expect_body(dump("*.degree", 100, 200),
                "#7142\n$dumpvars\n1!\nb1010 \"\nb100 #\n$end\n"
                "$comment status complete $end\n");
}

static void window_refused(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "refused");
    struct smw_err e = {0};
    struct tiny t;

    (void)state;
    tiny_window(&c, 20, 20);
    tiny_init(&t, 0);
    assert_null(wave_open(t.sim, &t.gpu, &t.sm, &c, &e));
    assert_int_equal(e.kind, SMW_ERR_INPUT);
    assert_string_equal(e.message,
                        "the trace stops at cycle 20, not after its start at cycle 20");
    tiny_free(&t);
}

/* Cycles of the window are those of the clock given. */
static void window_clock(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "clock");
    struct smw_err e = {0};
    struct tiny t;
    char *text;

    (void)state;
    c.scope = "*.queue";
    tiny_window(&c, 6, 0); /* of dram: 6493 */
    tiny_init(&t, 0);
    tiny_script(&t);
    tiny_finish(&t, wave_open(t.sim, &t.gpu, &t.dram, &c, &e));
    text = tiny_slurp(c.path);
    assert_int_equal(strncmp(tiny_body(text), "#6493\n$dumpvars\n1!\nb110 \"\nb11 #",
                             30),
                     0);
    free(text);
    tiny_remove(&c);
    tiny_free(&t);
}

static void silent_behind(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "silent");
    struct wave *w;
    struct tiny t;

    (void)state;
    tiny_window(&c, 0, 5);
    tiny_init(&t, 0);
    tiny_script(&t);
    w = tiny_open(&t, &c);
    assert_int_equal(sim_run(t.sim, 2999, 0), SIM_REACHED);
    for (int i = 0; i < N_TINY_PROBES; i++) {
        assert_true(t.probe[i].watched);
    }
    assert_int_equal(sim_run(t.sim, 3600, 0), SIM_REACHED);
    for (int i = 0; i < N_TINY_PROBES; i++) {
        assert_false(t.probe[i].watched);
    }
    tiny_finish(&t, w);
    tiny_remove(&c);
    tiny_free(&t);
}

/* ---- clocks ---- */

/* All edges of one clock in the dump, against the definition: edge k at
 * floor(k * 10^6 / mhz) ps, low from the middle of the cycle on. */
static void check_edges(const struct rd *r, const char *scope, uint64_t mhz)
{
    char name[64];
    unsigned clk, cycle;
    uint64_t k = 0, n_cycles = 0;
    bool high = true;

    snprintf(name, sizeof(name), "%s.clk", scope);
    clk = rd_find(r, name);
    snprintf(name, sizeof(name), "%s.cycle", scope);
    cycle = rd_find(r, name);
    for (size_t i = 0; i < r->n_changes; i++) {
        const struct rd_change *c = &r->changes[i];
        uint64_t rise = k * 1000000 / mhz, next = (k + 1) * 1000000 / mhz;

        if (c->var == cycle) {
            assert_int_equal(c->time, n_cycles * 1000000 / mhz);
            assert_int_equal(strtoull(c->value, NULL, 2), n_cycles);
            n_cycles++;
        } else if (c->var == clk) {
            assert_int_equal(c->time, high ? rise : rise + (next - rise) / 2);
            assert_string_equal(c->value, high ? "1" : "0");
            k += !high;
            high = !high;
        }
    }
    assert_int_equal(n_cycles, k + !high);
    assert_true((k + 1) * 1000000 / mhz + 1000000 / mhz > r->end);
}

static void exact_edges(void **state)
{
    static struct tiny_step steps[64]; /* at odd distances */
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "edges");
    struct tiny t;
    struct rd r;
    char *text;

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(steps); i++) {
        steps[i] = (struct tiny_step){1 + 11 * i + i % 3, TINY_QUEUE, i + 1};
    }
    tiny_init(&t, 0);
    tiny_play(&t, &t.dram, steps, ARRAY_LEN(steps));
    tiny_finish(&t, tiny_open(&t, &c));
    tiny_free(&t);
    text = tiny_slurp(c.path);
    rd_parse(&r, text);
    assert_int_equal(r.end, UINT64_C(694) * 1000000 / 924);
    check_edges(&r, "gpu", 1400);
    check_edges(&r, "gpu.part0", 700);
    check_edges(&r, "gpu.part0.dram", 924);
    rd_free(&r);
    free(text);
    tiny_remove(&c);
}

/* Two changes gap cycles apart: the number of edges drawn, 0 if the clock rested. */
static size_t edges_in_gap(uint32_t gap, char **body)
{
    struct tiny_step steps[] = {{1, TINY_DEGREE, 1}, {1 + gap, TINY_DEGREE, 2}};
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "gap");
    struct tiny t;
    size_t n = 0;
    char *text;

    c.scope = "*.degree";
    tiny_init(&t, 0);
    tiny_play(&t, &t.sm, steps, ARRAY_LEN(steps));
    tiny_finish(&t, tiny_open(&t, &c));
    tiny_free(&t);
    text = tiny_slurp(c.path);
    tiny_remove(&c);
    for (const char *s = text; (s = strstr(s, "\n1!\n")) != NULL; s++) {
        n++;
    }
    *body = text;
    return n;
}

static void long_gaps_rest(void **state)
{
    char *text;

    (void)state;
    assert_int_equal(edges_in_gap(WAVE_REST_CYCLES, &text), WAVE_REST_CYCLES + 2);
    assert_null(strstr(text, "\nz!"));
    free(text);
    assert_int_equal(edges_in_gap(WAVE_REST_CYCLES + 1, &text), 3);
    expect_body(text, "#0\n$dumpvars\n1!\nb0 \"\nb0 #\n$end\n"
                      "#357\n0!\n"
                      "#714\n1!\nb1 \"\nb1 #\n"
                      "#1071\nz!\nbx \"\n"
                      "#715714\n1!\nb1111101010 \"\nb10 #\n"
                      "$comment status complete $end\n");
}

/* The same clock in two scopes that have nothing above them in common: one variable,
 * two names. A module with a probe of its own called clk keeps it. */
static void shared_clocks(void **state)
{
    static const struct sim_probe_desc d = {
        .name = "x",
        .kind = SIM_PROBE_BITS,
        .width = 1,
    };
    static const struct sim_probe_desc own = {
        .name = "clk",
        .kind = SIM_PROBE_UINT,
        .width = 4,
    };
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "shared");
    struct sim_module root, child[3];
    struct sim_probe probe[4];
    struct smw_err e = {0};
    struct tiny t;
    char *text;

    (void)state;
    c.gtkw_path = NULL;
    c.events_path = NULL;
    c.heading = NULL;
    c.version = NULL;
    c.config_name = NULL;
    tiny_init(&t, 0);
    sim_module_init(&root, t.sim, NULL, NULL, "top"); /* without a clock */
    for (int i = 0; i < 3; i++) {
        static const char *const name[] = {"a", "b", "c"};

        sim_module_init(&child[i], t.sim, &root, &t.l2, name[i]);
        sim_probe_init(&probe[i], &child[i], &d, NULL, 0);
    }
    sim_probe_init(&probe[3], &child[0], &own, NULL, 5);
    tiny_finish(&t, wave_open(t.sim, &root, NULL, &c, &e));
    text = tiny_slurp(c.path);
    expect(text, "$timescale 1 ps $end\n"
                 "$comment signal top.a.x kind=bits $end\n"
                 "$comment signal top.a.clk kind=uint $end\n"
                 "$comment signal top.b.x kind=bits $end\n"
                 "$comment signal top.c.x kind=bits $end\n"
                 "$scope module top $end\n"
                 "$scope module a $end\n"
                 "$var integer 64 ! cycle $end\n"
                 "$var wire 1 \" x $end\n"
                 "$var wire 4 # clk [3:0] $end\n"
                 "$upscope $end\n"
                 "$scope module b $end\n"
                 "$var wire 1 $ clk $end\n"
                 "$var integer 64 ! cycle $end\n"
                 "$var wire 1 % x $end\n"
                 "$upscope $end\n"
                 "$scope module c $end\n"
                 "$var wire 1 $ clk $end\n"
                 "$var integer 64 ! cycle $end\n"
                 "$var wire 1 & x $end\n"
                 "$upscope $end\n"
                 "$upscope $end\n"
                 "$enddefinitions $end\n"
                 "#0\n$dumpvars\nb0 !\n0\"\nb101 #\n1$\n0%\n0&\n$end\n"
                 "$comment status complete $end\n");
    tiny_remove(&c);
    tiny_free(&t);
}

/* ---- shuffles, several waves, ends ---- */

static void shuffles_change_nothing(void **state)
{
    static const char *const file[] = {"shuffle.vcd", "shuffle.gtkw", "shuffle.log"};
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "shuffle");
    char *first[3] = {NULL, NULL, NULL};

    (void)state;
    for (uint64_t seed = 0; seed <= 20; seed++) {
        struct tiny t;

        tiny_init(&t, seed);
        tiny_script(&t);
        tiny_finish(&t, tiny_open(&t, &c));
        tiny_free(&t);
        for (int i = 0; i < 3; i++) {
            char *text = tiny_slurp(file[i]);

            if (seed == 0) {
                first[i] = text;
                continue;
            }
            expect(text, first[i]);
        }
        tiny_remove(&c);
    }
    for (int i = 0; i < 3; i++) {
        free(first[i]);
    }
}

/* Two waves of one simulation are each as if alone. */
static void two_waves(void **state)
{
    struct tiny_paths p1, p2;
    struct wave_config c1 = tiny_config(&p1, "one"), c2 = tiny_config(&p2, "two");
    struct wave *w1, *w2;
    struct tiny t;
    struct smw_err e = {0};
    char *alone;

    (void)state;
    c1.scope = "gpu.sm0.sched0";
    c2.scope = "*.bank0?";
    tiny_init(&t, 0);
    tiny_script(&t);
    w1 = tiny_open(&t, &c1);
    w2 = tiny_open(&t, &c2);
    tiny_finish(&t, w1);
    assert_true(wave_close(w2, "complete", &e));
    alone = dump(c1.scope, 0, 0);
    expect(tiny_slurp("one.vcd"), alone);
    free(alone);
    alone = dump(c2.scope, 0, 0);
    expect(tiny_slurp("two.vcd"), alone);
    free(alone);
    tiny_remove(&c1);
    tiny_remove(&c2);
    tiny_free(&t);
}

static void closed_early(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "early");
    struct smw_err e = {0};
    struct wave *w;
    struct tiny t;
    char *text;

    (void)state;
    c.scope = "*.degree";
    tiny_init(&t, 0);
    tiny_script(&t);
    w = tiny_open(&t, &c);
    assert_int_equal(sim_run(t.sim, 4000, 0), SIM_REACHED);
    assert_true(wave_bytes(w) > 0);
    assert_true(wave_close(w, "interrupted", &e));
    /* the simulation may go on; closing again is harmless */
    tiny_finish(&t, w);
    wave_abort(w);
    assert_true(wave_close(NULL, NULL, &e));
    text = tiny_slurp(c.path);
    assert_non_null(strstr(text, "\n#3928\n0!\n$comment status interrupted $end\n"
                                 "#4000\n"));
    assert_int_equal(wave_bytes(w), strlen(text) - strlen("#4000\n"));
    free(text);
    tiny_remove(&c);
    tiny_free(&t);
}

static void abort_now(void *ctx, const char *text)
{
    assert_non_null(strstr(text, "broken"));
    wave_abort(((void **)ctx)[0]);
    longjmp(*(jmp_buf *)((void **)ctx)[1], 1);
}

static void panic(void *self)
{
    struct tiny *t = self;

    sim_probe_set(&t->probe[TINY_DEGREE], 9); /* in an instant that never ends */
    sim_panic(t->sim, "broken", "here");
}

static void aborted(void **state)
{
    struct tiny_paths paths;
    struct wave_config c = tiny_config(&paths, "abort");
    struct sim_event wake;
    struct sim_process process;
    struct smw_err e = {0};
    struct tiny t;
    jmp_buf back;
    void *ctx[2] = {NULL, &back};
    char *text;

    (void)state;
    c.scope = "*.degree";
    tiny_init(&t, 0);
    tiny_script(&t);
    sim_event_init(&wake, t.sim, &t.sm, "wake");
    sim_process_init(&process, t.sim, "panic", panic, &t);
    sim_wake_on(&process, &wake);
    sim_notify_at(&wake, 6);
    ctx[0] = tiny_open(&t, &c);
    sim_on_panic(t.sim, abort_now, ctx);
    if (setjmp(back) == 0) {
        (void)sim_run(t.sim, SIM_TIME_MAX, 0);
        fail_msg("the panic did not come");
    }
    assert_true(wave_close(ctx[0], "complete", &e)); /* it was closed */
    text = tiny_slurp(c.path);
    assert_non_null(strstr(text, "\n#4285\n1!\nb110 \"\n"
                                 "$comment status aborted $end\n"));
    free(text);
    text = tiny_slurp(c.gtkw_path);
    assert_non_null(strstr(text, "[markername] Akernel start\n[markername] Bend\n"));
    free(text);
    tiny_remove(&c);
    tiny_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden),        cmocka_unit_test(states_and_bits),
        cmocka_unit_test(window_start),  cmocka_unit_test(window_stop),
        cmocka_unit_test(window_beyond), cmocka_unit_test(window_refused),
        cmocka_unit_test(window_clock),  cmocka_unit_test(silent_behind),
        cmocka_unit_test(exact_edges),   cmocka_unit_test(long_gaps_rest),
        cmocka_unit_test(shared_clocks), cmocka_unit_test(shuffles_change_nothing),
        cmocka_unit_test(two_waves),     cmocka_unit_test(closed_early),
        cmocka_unit_test(aborted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
