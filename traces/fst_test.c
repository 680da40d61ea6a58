/* The FST dump, read back. */
#include "fst_testlib.h"

#include "wave_priv.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *dump(const char *scope, uint64_t start, uint64_t stop)
{
    struct tiny_paths paths;
    struct wave_config c = fst_config(&paths, "fst");
    char *text;

    c.scope = scope;
    tiny_window(&c, start, stop);
    c.gtkw_path = NULL;
    c.events_path = NULL;
    tiny_run(&c, 0);
    text = read_fst(c.path);
    tiny_remove(&c);
    return text;
}

static void expect(char *got, const char *want)
{
    assert_string_equal(got, want);
    free(got);
}

/* Text, number, event, clocks; the window's two ends. */
static void golden(void **state)
{
    (void)state;
    expect(
        dump("gpu.sm0.sched0", 2, 7),
        "version smwave 1.2.3\n"
        "date ''\n"
        "scale -12\n"
        "comment tiny: one kernel\n"
        "comment config test, digest "
        "123456789abcdef0\n"
        "comment scope gpu.sm0.sched0\n"
        "comment cycles 2 to 6\n"
        "comment signal gpu.sm0.sched0.warp kind=uint views=scheduler,warp doc=\"that "
        "issued\"\n"
        "comment signal gpu.sm0.sched0.inst kind=text "
        "views=banks,scheduler,pipeline,coalescer,warp,bank doc=\"issued\"\n"
        "comment signal gpu.sm0.sched0.issue kind=event views=scheduler doc=\"issue\"\n"
        "scope gpu\n"
        "1 wire 1 clk\n"
        "2 integer 64 cycle\n"
        "scope sm0\n"
        "scope sched0\n"
        "3 wire 6 warp [5:0]\n"
        "4 string 0 inst\n"
        "5 event 1 issue\n"
        "up\n"
        "up\n"
        "up\n"
        "comment status complete\n"
        "#1428 4 ''\n"
        "#1428 3 0\n"
        "#1428 2 10\n"
        "#1428 1 1\n"
        "#1785 1 0\n"
        "#2142 1 1\n"
        "#2142 2 11\n"
        "#2142 3 1\n"
        "#2142 4 'ld.shared.u32 %r1, [%r2+4]'\n"
        "#2142 5 1\n"
        "#2499 1 0\n"
        "#2857 1 1\n"
        "#2857 2 100\n"
        "#3214 1 0\n"
        "#3571 1 1\n"
        "#3571 2 101\n"
        "#3928 1 0\n"
        "#4285 1 1\n"
        "#4285 2 110\n"
        "#4285 5 1\n"
        "#4285 4 'bar.sync 0'\n"
        "#4642 1 0\n"
        "#5000 1 x\n"
        "#5000 2 x\n"
        "#5000 3 x\n"
        "#5000 off\n"
        "from 1428 to 5055\n");
}

/* The names of states: a table for each set of names, once, and all who use it. */
static void tables(void **state)
{
    char *text = dump("gpu.sm0.*", 0, 0);
    const char *at = text;
    uint32_t n_warps = 0, n_banks = 0, n_tables = 0;

    (void)state;
    assert_non_null(strstr(text, "\ntable 1 state 8 idle ready operand global barrier "
                                 "fence control fault 000 001 010 011 100 101 110 111\n"
                                 "by table 1\n"));
    assert_non_null(strstr(text, "\ntable 2 op 5 load store atom red idle "
                                 "000 001 010 011 100\n"
                                 "by table 2\n"));
    for (at = text; (at = strstr(at, "\ntable ")) != NULL; at++) {
        n_tables++;
    }
    for (at = text; (at = strstr(at, "\nby table 1\n")) != NULL; at++) {
        n_warps++;
    }
    for (at = text; (at = strstr(at, "\nby table 2\n")) != NULL; at++) {
        n_banks++;
    }
    assert_int_equal(n_tables, 2);
    assert_int_equal(n_warps, TINY_WARPS);
    assert_int_equal(n_banks, TINY_BANKS);
    free(text);
}

/* A second head of a clock is another name of the same variable; a window beyond the
 * run is one instant. */
static void clocks_and_late_window(void **state)
{
    (void)state;
    expect(dump("*.queue", 1000, 0), "version smwave 1.2.3\n"
                                     "date ''\n"
                                     "scale -12\n"
                                     "comment tiny: one kernel\n"
                                     "comment config test, digest 123456789abcdef0\n"
                                     "comment scope *.queue\n"
                                     "comment cycles 1000 to the end\n"
                                     "comment signal gpu.part0.dram.queue kind=level "
                                     "unit=bursts views=memory doc=\"bursts\"\n"
                                     "scope gpu\n"
                                     "scope part0\n"
                                     "scope dram\n"
                                     "1 wire 1 clk\n"
                                     "2 integer 64 cycle\n"
                                     "3 wire 9 queue [8:0]\n"
                                     "up\n"
                                     "up\n"
                                     "up\n"
                                     "comment status complete\n"
                                     "#7142 3 0\n"
                                     "#7142 2 110\n"
                                     "#7142 1 0\n"
                                     "from 7142 to 7142\n");
}

/* ---- files ---- */

static void same_bytes(const char *a, const char *b)
{
    FILE *f = fopen(a, "rb"), *g = fopen(b, "rb");
    long n = 0;
    int c, d;

    assert_non_null(f);
    assert_non_null(g);
    do {
        c = getc(f);
        d = getc(g);
        if (c != d) {
            fail_msg("%s and %s differ at byte %ld", a, b, n);
        }
        n++;
    } while (c != EOF);
    assert_true(n > 1000);
    (void)fclose(f);
    (void)fclose(g);
}

static void equal_runs_equal_bytes(void **state)
{
    struct tiny_paths p, q;
    struct wave_config c = fst_config(&p, "bytes"), d = fst_config(&q, "again");

    (void)state;
    tiny_run(&c, 0);
    for (uint64_t seed = 0; seed < 4; seed++) {
        tiny_run(&d, seed);
        same_bytes(c.path, d.path);
        tiny_remove(&d);
    }
    tiny_remove(&c);
}

/* A VCD and an FST of one simulation: the VCD is what it is alone, and viewers know all
 * variables of both by the same names, in the same order. */
static void beside_vcd(void **state)
{
    struct tiny_paths p, q;
    struct wave_config c = tiny_config(&p, "beside"), d = fst_config(&q, "other");
    struct wave *w, *x;
    struct tiny t;
    char *alone, *text;
    dump_id id;

    (void)state;
    c.gtkw_path = NULL;
    d.gtkw_path = NULL;
    tiny_run(&c, 0);
    alone = tiny_slurp(c.path);
    tiny_init(&t, 0);
    tiny_script(&t);
    w = tiny_open(&t, &c);
    x = tiny_open(&t, &d);
    for (id = 0;; id++) {
        char name[WAVE_PATH_MAX], other[WAVE_PATH_MAX];
        size_t n = dump_loader_name(w->dump, id, name, sizeof(name));

        assert_int_equal(dump_loader_name(x->dump, id, other, sizeof(other)), n);
        if (n == 0) {
            break;
        }
        assert_string_equal(name, other);
    }
    assert_int_equal(id, TINY_ISSUES + 6); /* moments are no variables */
    assert_int_equal(wave_bytes(x), 0);    /* nobody knows yet */
    tiny_finish(&t, w);
    tiny_finish(&t, x);
    tiny_free(&t);
    text = tiny_slurp(c.path);
    assert_string_equal(text, alone);
    free(text);
    free(alone);
    tiny_remove(&c);
    tiny_remove(&d);
}

static void save_file(void **state)
{
    struct tiny_paths p;
    struct wave_config c = fst_config(&p, "view");
    char *text;

    (void)state;
    tiny_run(&c, 0);
    text = tiny_slurp(c.gtkw_path);
    assert_non_null(strstr(text, "\n[dumpfile] \"view.fst\"\n"));
    assert_non_null(strstr(text, "gpu.sm0.warp01.state[2:0]\n"));
    free(text);
    tiny_remove(&c);
}
/* ---- the dump alone ---- */

/* Repeats, all widths, second names, more variables than the first table holds. */
static void values(void **state)
{
    static const uint32_t widths[] = {1, 2, 31, 32, 33, 63, 64};
    enum { MANY = 600 };
    struct arena a;
    struct dump_options o = {.arena = &a};
    struct dump_var v = {.kind = DUMP_WIRE, .width = 8, .of = DUMP_NONE};
    struct text want = {0};
    struct dump *d;
    dump_id again, text;
    uint64_t bytes;
    char name[80];
    char *got;

    (void)state;
    arena_init(&a);
    d = dump_open_fst("values.fst", &o);
    assert_non_null(d);
    dump_scope(d, "top");
    for (uint32_t i = 0; i < MANY; i++) {
        v.name = arena_printf(&a, "v%u", (unsigned)i);
        v.width = i < ARRAY_LEN(widths) ? widths[i] : 8;
        assert_int_equal(dump_add(d, &v), i);
    }
    v = (struct dump_var){.kind = DUMP_WIRE, .name = "also", .width = 33, .of = 4};
    again = dump_add(d, &v);
    v = (struct dump_var){.kind = DUMP_STRING, .name = "text", .of = DUMP_NONE};
    text = dump_add(d, &v);
    dump_upscope(d);
    assert_int_equal(dump_loader_name(d, again, name, sizeof(name)), 14);
    assert_string_equal(name, "top.also[32:0]");
    assert_int_equal(dump_loader_name(d, text + 1, name, sizeof(name)), 0);
    dump_begin(d);
    for (uint32_t i = 0; i < ARRAY_LEN(widths); i++) {
        dump_time(d, 10 + i);
        dump_set(d, i, UINT64_MAX);
        dump_set(d, i, UINT64_MAX >> (64 - widths[i])); /* the same, as it fits */
        say(&want, "#%u %u ", 10 + i, i + 1);
        for (uint32_t b = 0; b < widths[i]; b++) {
            say(&want, "1");
        }
        say(&want, "\n");
    }
    dump_time(d, 20);
    dump_set(d, again, UINT64_C(0x1ffffffff)); /* has it under its first name */
    dump_time(d, 21);
    dump_set_z(d, again);
    dump_set_z(d, 4);
    dump_time(d, 22);
    dump_set_x(d, 4);
    dump_time(d, 23);
    dump_set(d, MANY - 1, 5);
    say(&want, "#21 5 z\n#22 5 x\n#23 %d 101\n", (int)MANY);
    for (size_t n = 1; n < 200; n += 66) {
        char line[201];

        memset(line, 'a', n);
        line[n] = '\0';
        dump_time(d, 30 + n);
        dump_set_text(d, text, line);
        dump_time(d, 31 + n);
        dump_set_text(d, text, line);
        say(&want, "#%zu %d '%s'\n", 30 + n, (int)MANY + 1, line);
    }
    dump_time(d, 300);
    dump_set_text(d, text, "");
    dump_time(d, 310);
    say(&want, "#300 %d ''\nfrom 10 to 310\n", (int)MANY + 1);
    assert_int_equal(dump_close(d, &bytes), 0);
    got = read_fst("values.fst");
    assert_string_equal(strstr(got, "\n#10") + 1, want.s);
    assert_non_null(strstr(got, "\n5 wire 33 v4 [32:0]\n"));
    assert_non_null(strstr(got, "\n5 wire 33 also [32:0] again\n"));
    free(got);
    free(want.s);
    arena_free(&a);
    (void)remove("values.fst");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden),     cmocka_unit_test(tables),
        cmocka_unit_test(save_file),  cmocka_unit_test(clocks_and_late_window),
        cmocka_unit_test(beside_vcd), cmocka_unit_test(equal_runs_equal_bytes),
        cmocka_unit_test(values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
