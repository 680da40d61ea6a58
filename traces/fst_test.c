/* The FST dump, read back by the reader that belongs to the writer. Nothing in its
 * interface is shared with how dump_fst.c calls the writer. */
#include "wave_testlib.h"

#include "wave_priv.h"
#include <fstapi.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* ---- reading ---- */

struct text {
    char *s;
    size_t n, room;
};

static void say(struct text *t, const char *format, ...)
{
    va_list ap;
    int n;

    if (t->room - t->n < 1024) {
        t->room = 2 * t->room + 4096;
        t->s = realloc(t->s, t->room);
        assert_non_null(t->s);
    }
    va_start(ap, format);
    n = vsnprintf(t->s + t->n, t->room - t->n, format, ap);
    va_end(ap);
    assert_in_range(n, 0, 1023);
    t->n += (size_t)n;
}

static void read_attribute(struct text *t, const struct fstHier *h)
{
    if (h->u.attr.subtype == FST_MT_COMMENT) {
        say(t, "comment %s\n", h->u.attr.name);
    } else if (h->u.attr.subtype == FST_MT_ENUMTABLE && h->u.attr.name_length > 0) {
        say(t, "table %" PRIu64 " %s\n", h->u.attr.arg, h->u.attr.name);
    } else if (h->u.attr.subtype == FST_MT_ENUMTABLE) {
        say(t, "by table %" PRIu64 "\n", h->u.attr.arg);
    } else {
        say(t, "attribute %d\n", h->u.attr.subtype);
    }
}

static void read_header(struct text *t, void *fst)
{
    static const char *const types[] = {[FST_VT_VCD_EVENT] = "event",
                                        [FST_VT_VCD_INTEGER] = "integer",
                                        [FST_VT_VCD_WIRE] = "wire",
                                        [FST_VT_GEN_STRING] = "string"};
    const struct fstHier *h;

    say(t, "version %s\ndate '%s'\nscale %d\n", fstReaderGetVersionString(fst),
        fstReaderGetDateString(fst), fstReaderGetTimescale(fst));
    while ((h = fstReaderIterateHier(fst)) != NULL) {
        switch (h->htyp) {
        case FST_HT_SCOPE: say(t, "scope %s\n", h->u.scope.name); break;
        case FST_HT_UPSCOPE: say(t, "up\n"); break;
        case FST_HT_ATTRBEGIN: read_attribute(t, h); break;
        case FST_HT_VAR:
            say(t, "%u %s %u %s%s\n", h->u.var.handle, types[h->u.var.typ],
                h->u.var.length, h->u.var.name, h->u.var.is_alias ? " again" : "");
            break;
        default: say(t, "kind %u\n", h->htyp);
        }
    }
}

static void on_value(void *ctx, uint64_t time, fstHandle handle, const unsigned char *v)
{
    const char *s = (const char *)v;

    while (s[1] != '\0' && (s[0] == '0' || (s[0] == s[1] && s[0] != '1'))) {
        s++; /* zeros in front; one letter for all */
    }
    say(ctx, "#%" PRIu64 " %u %s\n", time, handle, s);
}

static void on_text(void *ctx, uint64_t time, fstHandle handle, const unsigned char *v,
                    uint32_t n)
{
    say(ctx, "#%" PRIu64 " %u '%.*s'\n", time, handle, (int)n, (const char *)v);
}

/* The whole file in words, to be freed: header, changes, the stretch it covers. */
static char *read_fst(const char *path)
{
    void *fst = fstReaderOpen(path);
    struct text t = {0};

    if (fst == NULL) {
        fail_msg("%s does not open", path);
    }
    read_header(&t, fst);
    fstReaderSetFacProcessMaskAll(fst);
    assert_int_equal(fstReaderIterBlocks2(fst, on_value, on_text, &t, NULL), 1);
    for (uint32_t i = 0; i < fstReaderGetNumberDumpActivityChanges(fst); i++) {
        say(&t, "#%" PRIu64 " %s\n", fstReaderGetDumpActivityChangeTime(fst, i),
            fstReaderGetDumpActivityChangeValue(fst, i) ? "on" : "off");
    }
    say(&t, "from %" PRIu64 " to %" PRIu64 "\n", fstReaderGetStartTime(fst),
        fstReaderGetEndTime(fst));
    fstReaderClose(fst);
    return t.s;
}

/* ---- waves ---- */

static struct wave_config fst_config(struct tiny_paths *p, const char *name)
{
    struct wave_config c = tiny_config(p, name);

    snprintf(p->vcd, sizeof(p->vcd), "%s.fst", name);
    c.format = WAVE_FST;
    return c;
}

/* Run the usual script with a scope and a window. */
static void write_wave(const struct wave_config *c, uint64_t shuffle)
{
    struct tiny t;

    tiny_init(&t, shuffle);
    tiny_script(&t);
    tiny_finish(&t, tiny_open(&t, c));
    tiny_free(&t);
}

static char *dump(const char *scope, uint64_t start, uint64_t stop)
{
    struct tiny_paths paths;
    struct wave_config c = fst_config(&paths, "fst");
    char *text;

    c.scope = scope;
    tiny_window(&c, start, stop);
    c.gtkw_path = NULL;
    c.events_path = NULL;
    write_wave(&c, 0);
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
    expect(dump("gpu.sm0.sched0", 2, 7), "version smwave 1.2.3\n"
                                         "date ''\n"
                                         "scale -12\n"
                                         "comment tiny: one kernel\n"
                                         "comment config test, digest "
                                         "123456789abcdef0\n"
                                         "comment scope gpu.sm0.sched0\n"
                                         "comment cycles 2 to 6\n"
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
    assert_non_null(strstr(text, "\ntable 1 state 8 idle ready operand memory barrier "
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
    write_wave(&c, 0);
    for (uint64_t seed = 0; seed < 4; seed++) {
        write_wave(&d, seed);
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
    write_wave(&c, 0);
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
    write_wave(&c, 0);
    text = tiny_slurp(c.gtkw_path);
    assert_non_null(strstr(text, "\n[dumpfile] \"view.fst\"\n"));
    assert_non_null(strstr(text, "gpu.sm0.warp01.state[2:0]\n"));
    free(text);
    tiny_remove(&c);
}

/* ---- ends ---- */

static void closed_early(void **state)
{
    struct tiny_paths p;
    struct wave_config c = fst_config(&p, "early");
    struct err e = {0};
    struct wave *w;
    struct tiny t;
    char *text;
    FILE *f;

    (void)state;
    c.scope = "*.degree";
    tiny_init(&t, 0);
    tiny_script(&t);
    w = tiny_open(&t, &c);
    assert_int_equal(sim_run(t.sim, 4000, 0), SIM_REACHED);
    wave_abort(w);
    assert_true(wave_close(w, "complete", &e)); /* it was closed */
    text = read_fst(c.path);
    assert_non_null(strstr(text, "\ncomment status aborted\n"));
    assert_non_null(strstr(text, "\n#3928 1 0\nfrom 0 to 4000\n"));
    free(text);
    f = fopen(c.path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    assert_int_equal(wave_bytes(w), ftell(f));
    (void)fclose(f);
    f = fopen("early.fst.hier", "rb"); /* the writer's own */
    assert_null(f);
    tiny_remove(&c);
    tiny_free(&t);
}

static void refused(const char *path, const char *message)
{
    struct tiny_paths p;
    struct wave_config c = fst_config(&p, "refused");
    struct err e = {0};
    struct tiny t;

    c.path = path;
    c.gtkw_path = NULL;
    c.events_path = NULL;
    tiny_init(&t, 0);
    assert_null(wave_open(t.sim, &t.gpu, NULL, &c, &e));
    assert_int_equal(e.kind, ERR_IO);
    assert_string_equal(e.message, message);
    tiny_free(&t);
}

static void cannot_create(void **state)
{
    (void)state;
    refused("nowhere/x.fst", "nowhere/x.fst: No such file or directory");
    refused(".", ".: Is a directory");
}

/* A small disk, from here on. */
static struct rlimit shrink(rlim_t bytes)
{
    struct rlimit old, small;

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = bytes;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    return old;
}

/* Too small for the writer's temporary files: refused, not killed. */
static void no_room(void **state)
{
    struct rlimit old = shrink(1000);

    (void)state;
    refused("room.fst", "room.fst: File too large");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    (void)remove("room.fst");
}

static void disk_fills(void **state)
{
    enum { LIMIT = 150000 };
    static struct tiny_step steps[60000];
    struct tiny_paths p;
    struct wave_config c = fst_config(&p, "fills");
    struct rlimit old;
    struct err e = {0};
    struct wave *w;
    struct tiny t;
    bool ok;

    (void)state;
    c.gtkw_path = NULL;
    c.events_path = NULL;
    for (uint32_t i = 0; i < ARRAY_LEN(steps); i++) {
        steps[i] = (struct tiny_step){1 + i, TINY_LANES, i * 2654435769u};
    }
    tiny_init(&t, 0);
    tiny_play(&t, &t.sm, steps, ARRAY_LEN(steps));
    old = shrink(LIMIT);
    w = tiny_open(&t, &c);
    assert_int_equal(sim_run(t.sim, SIM_TIME_MAX, 0), SIM_IDLE);
    ok = wave_close(w, "complete", &e);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_false(ok);
    assert_int_equal(e.kind, ERR_IO);
    assert_string_equal(e.message, "fills.fst: it is not whole: the disk may be full");
    tiny_remove(&c);
    tiny_free(&t);
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
        cmocka_unit_test(no_room),    cmocka_unit_test(closed_early),
        cmocka_unit_test(disk_fills), cmocka_unit_test(cannot_create),
        cmocka_unit_test(values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
