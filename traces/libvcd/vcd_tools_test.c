/*
 * Other people's readers on a dump with everything in it: vcd2fst and fst2vcd must give
 * every value back, gtkwave must load it. A missing tool is a failure.
 */
#define _POSIX_C_SOURCE 200809L /* strdup() */

#include "libvcd/vcd_testlib.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { STEPS = 200, WIDE = 4096, N_VARS = 9 };

/* names: receives the loader names, a line each; may be NULL. */
static void write_dump(const char *path, FILE *names)
{
    char name[64];
    const struct vcd_options options = {.version = "libvcd test", .timezero = 0};
    struct vcd *w = vcd_open_path(path, &options);
    uint64_t seed = 9, v[WIDE / 64], u[WIDE / 64];
    vcd_id bit, bus, reg, wide, cycle, ipc, inst, done;

    assert_non_null(w);
    vcd_comment(w, "config tiny, seed 9");
    vcd_scope(w, "gpu");
    vcd_scope(w, "sm0");
    bit = vcd_add(w, VCD_WIRE, "bit", 1);
    bus = vcd_add(w, VCD_WIRE, "bus", 12);
    reg = vcd_add(w, VCD_REG, "reg", 64);
    wide = vcd_add(w, VCD_WIRE, "wide", WIDE);
    vcd_upscope(w);
    cycle = vcd_add(w, VCD_INTEGER, "cycle", 32);
    ipc = vcd_add(w, VCD_REAL, "ipc", 0);
    inst = vcd_add(w, VCD_STRING, "inst", 0);
    done = vcd_add(w, VCD_EVENT, "done", 0);
    vcd_alias(w, VCD_WIRE, "bus_again", 12, bus);
    for (vcd_id i = 0; names != NULL && i < N_VARS; i++) {
        assert_true(vcd_loader_name(w, i, name, sizeof(name)) < sizeof(name));
        assert_true(fprintf(names, "%s\n", name) > 0);
    }
    vcd_begin(w);
    for (unsigned i = 0; i < STEPS; i++) {
        char text[64];

        vcd_time(w, i * 3u);
        for (unsigned k = 0; k < WIDE / 64; k++) {
            v[k] = rnd(&seed);
            u[k] = i % 5 == 0 ? rnd_sparse(&seed) : 0;
        }
        vcd_set_u64(w, bit, i & 1);
        vcd_set_xz(w, bus, v, u);
        vcd_set_bits(w, reg, v + 1);
        vcd_set_xz(w, wide, v, u);
        vcd_set_u64(w, cycle, i);
        vcd_set_real(w, ipc, i / 8.0);
        snprintf(text, sizeof(text), "ld.shared r%u, [a\\b] \t!", i);
        vcd_set_string(w, inst, text);
        if (i % 7 == 3) {
            vcd_fire(w, done);
        }
        if (i % 50 == 20) {
            vcd_set_z(w, bit);
            vcd_comment(w, "a comment between changes");
            vcd_dumpall(w);
        }
    }
    vcd_time(w, 1000);
    assert_int_equal(vcd_close(w), 0);
}

static char *slurp(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *data;
    long size;

    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    size = ftell(f);
    rewind(f);
    data = malloc((size_t)size + 1);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, (size_t)size, f), size);
    data[size] = '\0';
    assert_int_equal(fclose(f), 0);
    return data;
}

static int exit_code(const char *command)
{
    int rc = system(command);

    return WIFEXITED(rc) ? WEXITSTATUS(rc) : -1;
}

/* The values of one variable, without repeats (tools drop those of a $dumpall). */
static size_t history(const struct rd *r, const char *name, struct rd_change *out)
{
    unsigned var = rd_find(r, name);
    bool event = strcmp(r->vars[var].kind, "event") == 0;
    size_t n = 0;

    for (size_t i = 0; i < r->n_changes; i++) {
        const struct rd_change *c = &r->changes[i];

        if (strcmp(r->vars[c->var].id, r->vars[var].id) != 0) {
            continue;
        }
        if (event && strcmp(c->value, "1") != 0) {
            continue; /* a tool may write that an event is not happening */
        }
        if (n > 0 && out[n - 1].time == c->time) {
            out[n - 1] = *c; /* the last one of an instant is the one seen */
        } else if (event || n == 0 || strcmp(out[n - 1].value, c->value) != 0) {
            out[n++] = *c;
        }
    }
    return n;
}

static void values_survive_fst(void **state)
{
    static const char *const names[] = {"gpu.sm0.bit",  "gpu.sm0.bus", "gpu.sm0.reg",
                                        "gpu.sm0.wide", "gpu.cycle",   "gpu.ipc",
                                        "gpu.inst",     "gpu.done",    "gpu.bus_again"};
    static struct rd_change a[4 * STEPS], b[4 * STEPS];
    struct rd ours, theirs;
    char *text, *back;

    (void)state;
    write_dump("vcd_tools.vcd", NULL);
    assert_int_equal(exit_code("vcd2fst -v vcd_tools.vcd -f vcd_tools.fst"), 0);
    assert_int_equal(exit_code("fst2vcd -f vcd_tools.fst -o vcd_tools_back.vcd"), 0);
    text = slurp("vcd_tools.vcd");
    back = slurp("vcd_tools_back.vcd");
    rd_parse(&ours, text);
    rd_parse(&theirs, back);
    assert_int_equal(theirs.end, 1000);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct rd_var *v = &ours.vars[rd_find(&ours, names[i])];
        const struct rd_var *t = &theirs.vars[rd_find(&theirs, names[i])];
        size_t n = history(&ours, names[i], a);

        assert_string_equal(t->kind, v->kind);
        assert_true(n > 10);
        assert_int_equal(history(&theirs, names[i], b), n);
        for (size_t k = 0; k < n; k++) {
            assert_int_equal(b[k].time, a[k].time);
            assert_string_equal(b[k].value, a[k].value);
        }
    }
    rd_free(&ours);
    rd_free(&theirs);
    free(text);
    free(back);
    assert_int_equal(remove("vcd_tools_back.vcd"), 0);
    assert_int_equal(remove("vcd_tools.fst"), 0);
}

static void gtkwave_loads_it(void **state)
{
    const char *load = "xvfb-run -a gtkwave -x %s >/dev/null 2>&1";
    char command[128];
    FILE *f = fopen("vcd_tools_empty.vcd", "wb");

    (void)state;
    assert_non_null(f);
    assert_int_equal(fclose(f), 0);
    write_dump("vcd_tools.vcd", NULL);
    snprintf(command, sizeof(command), load, "vcd_tools.vcd");
    assert_int_equal(exit_code(command), 0);
    /* The same check does see what does not load. */
    snprintf(command, sizeof(command), load, "vcd_tools_empty.vcd");
    assert_int_not_equal(exit_code(command), 0);
    assert_int_equal(remove("vcd_tools.vcd"), 0);
    assert_int_equal(remove("vcd_tools_empty.vcd"), 0);
}

/* The save file has every name, and one without the range it needs: that one is dropped
 * by gtkwave without a word, which is why the library gives the names. */
static void gtkwave_finds_every_name(void **state)
{
    static const char *const want[] = {
        "T gpu.sm0.bit 0",
        "T gpu.sm0.bus[11:0] ",
        "T gpu.sm0.reg[63:0] ",
        "T gpu.sm0.wide[4095:0] ",
        "T gpu.cycle 00000000000000000000000000110010",
        "T gpu.ipc 6.25",
        "T gpu.inst ld.shared r50, [a\\b] ",
        "T gpu.done ",
        "T gpu.bus_again[11:0] ",
        "END 1000",
    };
    FILE *save = fopen("vcd_tools.gtkw", "wb"), *script = fopen("vcd_tools.tcl", "wb");
    char *said, *at;

    (void)state;
    assert_true(save != NULL && script != NULL);
    fputs("@28\n", save);
    write_dump("vcd_tools.vcd", save);
    fputs("gpu.sm0.bus\n", save);
    fputs("gtkwave::setMarker 150\n"
          "gtkwave::/Edit/Set_Trace_Max_Hier 0\n"
          "for {set i 0} {$i < [gtkwave::getTotalNumTraces]} {incr i} {\n"
          "    set name [gtkwave::getTraceNameFromIndex $i]\n"
          "    puts \"T $name [gtkwave::getTraceValueAtMarkerFromIndex $i]\"\n"
          "}\n"
          "puts \"END [gtkwave::getMaxTime]\"\n"
          "exit\n",
          script);
    assert_int_equal(fclose(save), 0);
    assert_int_equal(fclose(script), 0);
    assert_int_equal(exit_code("xvfb-run -a gtkwave -S vcd_tools.tcl vcd_tools.vcd "
                               "vcd_tools.gtkw >vcd_tools.out 2>/dev/null"),
                     0);
    said = slurp("vcd_tools.out");
    at = strstr(said, "T gpu");
    for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
        assert_non_null(at);
        assert_memory_equal(at, want[i], strlen(want[i]));
        at = strchr(at, '\n');
        assert_non_null(at);
        at++;
    }
    free(said);
    assert_int_equal(remove("vcd_tools.vcd"), 0);
    assert_int_equal(remove("vcd_tools.gtkw"), 0);
    assert_int_equal(remove("vcd_tools.tcl"), 0);
    assert_int_equal(remove("vcd_tools.out"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_survive_fst),
        cmocka_unit_test(gtkwave_loads_it),
        cmocka_unit_test(gtkwave_finds_every_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
