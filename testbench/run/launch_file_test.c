#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "run/launch_file.h"
#include <stdio.h>
#include <string.h>

static const char good[] =
    "module: reverse.ptx\n"
    "config: gtx480\n"
    "buffers:\n"
    "  d: {type: s32, count: 64, init: {iota: [0, 1]}}\n"
    "  out: {type: f32, count: 0x10}\n"
    "symbols:\n"
    "  coef: {type: f32, fill: 0.5}\n"
    "  other: {fill: 1}\n"
    "  last: {iota: [0, 1], type: u8}\n"
    "launches:\n"
    "  - {kernel: staticReverse, grid: [1], block: [64], shared: 0, args: [d, 64],\n"
    "     cache_config: none}\n"
    "  - {kernel: k2, grid: [2, 3, 4], block: [8, 4], shared: 4096, args: [],\n"
    "     opt_in_shared: true, carveout: 50, bank_mode: 8, regs: 32, stream: 3,\n"
    "     cache_config: l1}\n"
    "expect:\n"
    "  - {buffer: d, count: 64, equals: {iota: [63, -1]}}\n"
    "  - {buffer: out, equals: {sum: 2.5}, tolerance: 1e-3}\n"
    "  - {symbol: coef, type: f32, count: 3, fnv1a: 00000000deadBEEF}\n"
    "trace: {format: vcd, scope: 'gpu.sm0.*', start: 0, stop: 20000}\n"
    "cache_config: shared\n"
    "bank_mode: 4\n";

static void check_runs(const struct launch_file *l)
{
    const struct launch_run *r = l->runs;

    assert_int_equal(l->n_runs, 2);
    assert_string_equal(r[0].kernel->text, "staticReverse");
    assert_int_equal(r[0].launch.grid[0], 1);
    assert_int_equal(r[0].launch.grid[2], 1);
    assert_int_equal(r[0].launch.block[0], 64);
    assert_false(r[0].launch.has_carveout);
    assert_int_equal(r[0].launch.bank_mode, 0);
    assert_int_equal(r[0].args->n, 2);
    assert_int_equal(r[1].launch.grid[2], 4);
    assert_int_equal(r[1].launch.block[1], 4);
    assert_int_equal(r[1].launch.block[2], 1);
    assert_int_equal(r[1].launch.shared, 4096);
    assert_true(r[1].launch.opt_in_shared);
    assert_true(r[1].launch.has_carveout);
    assert_int_equal(r[1].launch.carveout, 50);
    assert_int_equal(r[1].launch.bank_mode, 8);
    assert_int_equal(r[1].launch.regs, 32);
    assert_int_equal(r[1].launch.stream, 3);
    assert_int_equal(r[1].launch.cache_config, SMW_CACHE_L1);
}

static void check_expects(const struct launch_file *l)
{
    const struct launch_expect *x = l->expects;

    assert_int_equal(l->n_expects, 3);
    assert_int_equal(x[0].check, CHECK_EQUALS);
    assert_int_equal(x[0].buffer, 0);
    assert_int_equal(x[0].count, 64);
    assert_true(x[0].tolerance == 0);
    assert_int_equal(x[1].check, CHECK_SUM);
    assert_true(x[1].sum == 2.5);
    assert_true(x[1].tolerance == 1e-3);
    assert_int_equal(x[1].count, 0);
    assert_int_equal(x[2].check, CHECK_FNV1A);
    assert_int_equal(x[2].buffer, -1);
    assert_true(x[2].fnv1a == 0xdeadbeef);
    assert_int_equal(x[2].type, VALUE_F32);
}

static void test_good(void **state)
{
    struct launch_file l;
    struct smw_err e = {0};

    (void)state;
    if (!launch_parse(&l, "t.yml", good, strlen(good), &e)) {
        fail_msg("%u:%u: %s", e.line, e.column, e.message);
    }
    assert_string_equal(l.module->text, "reverse.ptx");
    assert_string_equal(l.config->text, "gtx480");
    assert_int_equal(l.n_buffers, 2);
    assert_int_equal(l.buffers[0].type, VALUE_S32);
    assert_int_equal(l.buffers[0].init.form, FORM_IOTA);
    assert_int_equal(l.buffers[1].count, 16);
    assert_int_equal(l.buffers[1].init.form, FORM_ZERO);
    assert_int_equal(launch_find_buffer(&l, "out"), 1);
    assert_int_equal(launch_find_buffer(&l, "o"), -1);
    assert_int_equal(l.n_symbols, 3);
    assert_true(l.symbols[0].has_type);
    assert_false(l.symbols[1].has_type);
    assert_int_equal(l.symbols[2].type, VALUE_U8);
    check_runs(&l);
    check_expects(&l);
    assert_string_equal(l.trace.select.scope, "gpu.sm0.*");
    assert_int_equal(l.trace.select.point[WAVE_STOP].n, 20000);
    assert_int_equal(l.cache_config, SMW_CACHE_SHARED);
    assert_int_equal(l.bank_mode, 4);
    launch_free(&l);
}

/* ---- mistakes: what is replaced in the good file, and what must be said ---- */

struct mistake {
    const char *old, *new;
    uint32_t line, column;
    const char *message, *hint;
};

static const struct mistake mistakes[] = {
    /* keys */
    {"module: reverse.ptx", "modul: reverse.ptx", 1, 1,
     "unknown key 'modul' in a launch file", "did you mean 'module'?"},
    {"module: reverse.ptx\n", "", 1, 1, "a launch file has no 'module'", ""},
    {"cache_config: shared\n", "zebra: 1\n", 21, 1,
     "unknown key 'zebra' in a launch file", ""},
    {"bank_mode: 4\n", "bank_mode: 4\nconfig: x\n", 23, 1,
     "the key 'config' is given twice, first in line 2", ""},
    {"type: s32, count", "typ: s32, count", 4, 7, "unknown key 'typ' in a buffer",
     "did you mean 'type'?"},
    {", count: 64, init", ", init", 4, 6, "a buffer has no 'count'", ""},
    {"kernel: staticReverse", "kernal: staticReverse", 11, 6,
     "unknown key 'kernal' in a launch", "did you mean 'kernel'?"},
    {"kernel: staticReverse, ", "", 11, 5, "a launch has no 'kernel'", ""},
    {"grid: [1], ", "", 11, 5, "a launch has no 'grid'", ""},
    {"block: [64], ", "", 11, 5, "a launch has no 'block'", ""},
    {"scope: 'gpu", "skope: 'gpu", 20, 22, "unknown key 'skope' in trace",
     "did you mean 'scope'?"},
    {"{buffer: d,", "{bufer: d,", 17, 6, "unknown key 'bufer' in an expectation",
     "did you mean 'buffer'?"},
    /* shapes */
    {"module: reverse.ptx", "module: {a: b}", 1, 9,
     "module must be a single value, not a map", ""},
    {"module: reverse.ptx", "module: []", 1, 9, "module is an empty list", ""},
    {"module: reverse.ptx", "module: [a, {b: c}]", 1, 13,
     "module must be a single value, not a map", ""},
    {"module: reverse.ptx", "module: a\nmodules: b", 2, 10,
     "modules must be a list, not a single value", ""},
    {"module: reverse.ptx", "module: a\nafter: [b]", 2, 8,
     "after must be a single value, not a list", ""},
    {"config: gtx480", "config: {a: b}", 2, 9,
     "config must be a single value, not a map", ""},
    {"  d: {type: s32, count: 64, init: {iota: [0, 1]}}", "  d: 64", 4, 6,
     "a buffer must be a map, not a single value", ""},
    {"args: [d, 64]", "args: d", 11, 70, "args must be a list, not a single value", ""},
    {"shared: 0", "shared: [0]", 11, 61, "shared must be a single value, not a list",
     ""},
    {"trace: {format: vcd, scope: 'gpu.sm0.*', start: 0, stop: 20000}", "trace: vcd",
     20, 8, "trace must be a map, not a single value", ""},
    /* numbers and ranges */
    {"count: 64, init", "count: many, init", 4, 25,
     "count: 'many' is not a whole number", ""},
    {"count: 64, init", "count: -1, init", 4, 25,
     "count: -1 is out of range, it may be 1 to 2^64 - 1", ""},
    {"count: 64, init", "count: 0, init", 4, 25,
     "count: 0 is out of range, it may be 1 to 2^64 - 1", ""},
    {"count: 64, init", "count: 64.5, init", 4, 25,
     "count: '64.5' is not a whole number", ""},
    {"count: 64, init", "count: 99999999999999999999, init", 4, 25,
     "count: 99999999999999999999 is out of range, it may be 1 to 2^64 - 1", ""},
    {"count: 64, init", "count: 4294967296, init", 4, 25,
     "buffer 'd' is larger than 4 GiB", ""},
    {"grid: [1],", "grid: [1, 2, 3, 4],", 11, 35, "grid takes 1 to 3 numbers, not 4",
     ""},
    {"grid: [1],", "grid: [],", 11, 35, "grid takes 1 to 3 numbers, not 0", ""},
    {"grid: [1],", "grid: [-1],", 11, 36,
     "grid: -1 is out of range, it may be 0 to 4294967295", ""},
    {"block: [64],", "block: [64, -2],", 11, 52,
     "block: -2 is out of range, it may be 0 to 4294967295", ""},
    {"block: [64],", "block: [sixty],", 11, 48, "block: 'sixty' is not a whole number",
     ""},
    {"block: [8, 4]", "block: [8, 4294967296]", 13, 46,
     "block: 4294967296 is out of range, it may be 0 to 4294967295", ""},
    {"carveout: 50", "carveout: -2", 14, 37,
     "carveout: -2 is out of range, it may be 0 to 2147483647", ""},
    {"bank_mode: 8", "bank_mode: 5", 14, 52, "bank_mode: 5 is neither 4 nor 8", ""},
    {"bank_mode: 8", "bank_mode: 16", 14, 52,
     "bank_mode: 16 is out of range, it may be 4 to 8", ""},
    {"regs: 32", "regs: 0", 14, 61,
     "regs: 0 is out of range, it may be 1 to 4294967295", ""},
    {"stream: 3", "stream: x", 14, 73, "stream: 'x' is not a whole number", ""},
    {"opt_in_shared: true", "opt_in_shared: yes", 14, 21,
     "opt_in_shared: 'yes' is neither true nor false", ""},
    {"stop: 20000", "stop: 1e4", 20, 58, "stop: '1e4' is no point of a run",
     "write a cycle, block=3, block=(1,0,0), kernel=NAME, kernel=2, pc=FILE:LINE, "
     "pc=KERNEL+0x18, conflict>=8, barrier, race"},
    {"stop: 20000", "stop: 'blok=3'", 20, 58, "stop: 'blok=3' is no point of a run",
     "did you mean 'block'?"},
    {"stop: 20000", "stop: end", 20, 58,
     "stop: 'end' is how a run ends; it can write a ring (--trace-on)", ""},
    {"stop: 20000", "depth: -1", 20, 59, "depth: '-1' is no number of levels", ""},
    {"stop: 20000", "ring: 0", 20, 58, "ring: a ring of no cycles", ""},
    {"stop: 20000", "ring: 5 seconds", 20, 58,
     "ring: '5 seconds' is no number of cycles", ""},
    {"stop: 20000", "timescale: ns", 20, 63, "timescale is ps or cycle, not 'ns'", ""},
    {"stop: 20000", "on: [1]", 20, 56, "on must be a single value, not a list", ""},
    {"stop: 20000", "on: 'conflict>=40'", 20, 56,
     "on: 'conflict>=40': a conflict's degree is 2 to 32", ""},
    {"scope: 'gpu.sm0.*'", "scope: []", 20, 29, "scope is empty", ""},
    {"start: 0, stop: 20000", "start: 9, stop: 8", 20, 58,
     "stop: cycle 8 is not after the start (9)", ""},
    /* types and choices */
    {"type: s32,", "type: s33,", 4, 13,
     "type: 's33' is not one of u8, s8, u16, s16, u32, s32, u64, s64, f32, f64, "
     "f16, bf16, e4m3, e5m2",
     "did you mean 's32'?"},
    {"type: f32, count: 0x10", "type: half, count: 0x10", 5, 15,
     "type: 'half' is not one of u8, s8, u16, s16, u32, s32, u64, s64, f32, f64, "
     "f16, bf16, e4m3, e5m2",
     ""},
    {"cache_config: none", "cache_config: nome", 12, 20,
     "cache_config: 'nome' is not one of none, shared, l1, equal",
     "did you mean 'none'?"},
    /* names */
    {"  d: {type", "  9d: {type", 4, 3, "'9d' cannot name a buffer",
     "letters, digits and underscores, no digit first"},
    {"  d: {type", "  inf: {type", 4, 3, "'inf' cannot name a buffer",
     "letters, digits and underscores, no digit first"},
    {"args: [d, 64]", "args: [dd, 64]", 11, 71, "there is no buffer 'dd'",
     "did you mean 'd'?"},
    {"args: [d, 64]", "args: [oot, 64]", 11, 71, "there is no buffer 'oot'",
     "did you mean 'out'?"},
    {"{buffer: d,", "{buffer: x9,", 17, 14, "there is no buffer 'x9'", ""},
    /* arguments */
    {"args: [d, 64]", "args: [d, {s8: 200}]", 11, 79, "200 does not fit s8", ""},
    {"args: [d, 64]", "args: [d, {b9: 2}]", 11, 75,
     "type: 'b9' is not one of u8, s8, u16, s16, u32, s32, u64, s64, f32, f64, "
     "f16, bf16, e4m3, e5m2",
     ""},
    {"args: [d, 64]", "args: [d, {u8: 1, u16: 2}]", 11, 74,
     "an argument is a buffer, a number or {type: value}", ""},
    {"args: [d, 64]", "args: [[d, 64]]", 11, 75,
     "a number inside a structure needs its type, {type: 64}", ""},
    {"args: [d, 64]", "args: [[[d]]]", 11, 72,
     "an argument must be a single value, not a list", ""},
    /* contents and expectations */
    {"type: f32, fill: 0.5", "type: f32, fill: half", 7, 27, "'half' is not a number",
     ""},
    {"type: f32, fill: 0.5", "type: f32, fill: 1, iota: [0, 1]", 7, 9,
     "symbol 'coef' takes a type and one of fill, iota, file, random", ""},
    {"  other: {fill: 1}", "  other: ones", 8, 10, "'ones' is no way to fill a buffer",
     "zero, {fill: V}, {iota: [START, STEP]}, {file: NAME} or {random: {seed: S, mask: "
     "M}}"},
    {"count: 64, equals", "count: 65, equals", 17, 24,
     "count: buffer 'd' has only 64 elements", ""},
    {"equals: {iota: [63, -1]}", "tolerance: 1", 17, 5,
     "an expectation needs one of equals, fnv1a, sum", ""},
    {"equals: {sum: 2.5}", "equals: {sum: 2.5}, sum: 3", 18, 5,
     "an expectation needs one of equals, fnv1a, sum", ""},
    {"equals: {sum: 2.5}", "equals: {sum: 2.5, fill: 3}", 18, 27,
     "equals takes one of fill, iota, file, random, fnv1a, sum", ""},
    {"equals: {sum: 2.5}", "equals: {sun: 2.5}", 18, 28, "unknown key 'sun' in equals",
     "did you mean 'sum'?"},
    {"tolerance: 1e-3", "tolerance: -1", 18, 50,
     "tolerance: -1 is not a number of 0 or more", ""},
    {"tolerance: 1e-3", "tolerance: nan", 18, 50,
     "tolerance: nan is not a number of 0 or more", ""},
    {"fnv1a: 00000000deadBEEF", "fnv1a: deadbeef", 19, 48,
     "fnv1a: 'deadbeef' is not 16 hexadecimal digits", ""},
    {"fnv1a: 00000000deadBEEF", "fnv1a: 00000000deadBEEG", 19, 48,
     "fnv1a: '00000000deadBEEG' is not 16 hexadecimal digits", ""},
    {"fnv1a: 00000000deadBEEF}", "fnv1a: 00000000deadBEEF, tolerance: 1}", 19, 66,
     "a hash has no tolerance: it matches or not", ""},
    {"{buffer: d, count: 64,", "{count: 64,", 17, 5,
     "an expectation names either a buffer or a symbol", ""},
    {"{buffer: d, count: 64,", "{buffer: d, symbol: coef,", 17, 5,
     "an expectation names either a buffer or a symbol", ""},
    {"{buffer: d, count: 64,", "{buffer: d, type: u32,", 17, 17,
     "the type of a buffer is given where the buffer is", ""},
};

/* The good file with the first occurrence of old replaced; false if there is none. */
static bool replaced(const struct mistake *m, char *out, size_t size)
{
    const char *at = strstr(good, m->old);

    if (at == NULL) {
        return false;
    }
    snprintf(out, size, "%.*s%s%s", (int)(at - good), good, m->new,
             at + strlen(m->old));
    return true;
}

static void test_mistakes(void **state)
{
    char text[4096];
    uint32_t wrong = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
        const struct mistake *m = &mistakes[i];
        struct launch_file l;
        struct smw_err e = {0};

        assert_true(replaced(m, text, sizeof(text)));
        if (launch_parse(&l, "t.yml", text, strlen(text), &e)) {
            print_message("%s: accepted\n", m->new);
            launch_free(&l);
            wrong++;
        } else if (strcmp(e.message, m->message) != 0 || e.line != m->line ||
                   e.column != m->column || strcmp(e.hint, m->hint) != 0 ||
                   e.kind != SMW_ERR_INPUT || strcmp(e.file, "t.yml") != 0) {
            print_message("%s:\n  got  %u:%u: %s (%s)\n  want %u:%u: %s (%s)\n", m->new,
                          e.line, e.column, e.message, e.hint, m->line, m->column,
                          m->message, m->hint);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

static void test_no_launches(void **state)
{
    static const struct {
        const char *text, *message;
        uint32_t line, column;
    } cases[] = {
        {"module: a\nlaunches: []\n", "launches is empty", 2, 11},
        {"module: a\nlaunches:\n", "launches must be a list, not nothing", 2, 1},
        {"module: a\n", "a launch file has no 'launches'", 1, 1},
        {"- a\n", "a launch file must be a map, not a list", 1, 1},
        {"hello\n", "a launch file must be a map, not a single value", 1, 1},
        {"module: a\nlaunches: [x]\n", "a launch must be a map, not a single value", 2,
         12},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct launch_file l;
        struct smw_err e = {0};

        assert_false(
            launch_parse(&l, "t.yml", cases[i].text, strlen(cases[i].text), &e));
        assert_string_equal(e.message, cases[i].message);
        assert_int_equal(e.line, cases[i].line);
        assert_int_equal(e.column, cases[i].column);
    }
}

static void test_files(void **state)
{
    struct launch_file l;
    struct smw_err e = {0};

    (void)state;
    assert_false(launch_read(&l, "missing/file.yml", &e));
    assert_string_equal(e.message, "missing/file.yml: No such file or directory");
    assert_int_equal(e.kind, SMW_ERR_INPUT);
    err_clear(&e);
    assert_false(launch_read(&l, "/", &e));
    assert_string_equal(e.message, "/ is a directory, not a file");
    err_clear(&e);
    assert_false(launch_read(&l, "builtin:launches/nothing.yml", &e));
    assert_string_equal(e.message,
                        "builtin:launches/nothing.yml: no such built-in file");
}

static const char pictures[] =
    "module: m.ptx\n"
    "buffers:\n"
    "  a: {type: f32, count: 512}\n"
    "  b: {type: u8, count: 6144}\n"
    "textures:\n"
    "  rows: {buffer: a, size: [20, 10], pitch: 160, filter: linear, normalised: "
    "true,\n"
    "    address: [wrap, mirror]}\n"
    "  line: {buffer: b, dims: 1d, channels: 4, symbol: ref}\n"
    "  sides: {buffer: b, kind: surface, dims: cube, size: [32, 32, 6]}\n"
    "  strips: {buffer: b, dims: 1d_layered, size: [32, 7], border: [1, 0.5]}\n"
    "launches:\n"
    "  - {kernel: k, grid: [1], block: [1], args: [rows, a, [sides, b]]}\n";

static void test_textures(void **state)
{
    struct launch_file l;
    struct smw_err e = {0};
    const struct launch_texture *t;

    (void)state;
    assert_true(launch_parse(&l, "t.yml", pictures, strlen(pictures), &e));
    assert_int_equal(l.n_textures, 4);
    t = l.textures;
    assert_int_equal(t[0].t.shape, SMW_2D);
    assert_int_equal(t[0].t.layout, SMW_PITCH);
    assert_int_equal(t[0].t.pitch, 160);
    assert_int_equal(t[0].t.kind, SMW_FLOAT);
    assert_int_equal(t[0].t.bits, 32);
    assert_true(t[0].t.linear && t[0].t.normalised);
    assert_int_equal(t[0].t.beyond[0], SMW_WRAP);
    assert_int_equal(t[0].t.beyond[1], SMW_MIRROR);
    assert_int_equal(t[0].t.beyond[2], SMW_MIRROR);
    assert_int_equal(t[1].t.layout, SMW_LINEAR);
    assert_int_equal(t[1].t.width, 1536);
    assert_string_equal(t[1].symbol->text, "ref");
    assert_true(t[2].t.surface);
    assert_int_equal(t[2].t.layout, SMW_ARRAY);
    assert_int_equal(t[2].t.depth, 6);
    assert_int_equal(t[3].t.height, 1);
    assert_int_equal(t[3].t.depth, 7);
    assert_int_equal(t[3].row, 32);
    assert_true(t[3].t.border[1] == 0.5f);
    /* arguments: behind the buffers */
    assert_int_equal(launch_find_named(&l, "a"), 0);
    assert_int_equal(launch_find_named(&l, "rows"), 2);
    assert_int_equal(launch_find_named(&l, "sides"), 4);
    assert_int_equal(launch_find_named(&l, "b2"), -1);
    launch_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_textures), cmocka_unit_test(test_good),
        cmocka_unit_test(test_mistakes), cmocka_unit_test(test_no_launches),
        cmocka_unit_test(test_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
