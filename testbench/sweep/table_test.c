/* Results as a table, as CSV, as SQLite and in words, from a folder written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "io/scratch_test.h"
#include "sweep/merge.h"
#include "sweep/status.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char sweep[] =
    "name: byhand\n"
    "base: {target: reverse, set: {sm.smem.latency: 20 cycles}}\n"
    "grid: {n: [1, 2, 3, 4], t: ['a, \"b\"', 0x10]}\n"
    "where: ['t != 5']\n"
    "collect:\n"
    "  - cycles\n"
    "  - {name: second, value: cycles@k2}\n"
    "  - {name: base, value: cycles@base_name}\n"
    "  - {name: ipc, value: warp_insts / cycles, unit: insts/cycle}\n"
    "  - {name: per_n, value: cycles / (n - 1)}\n"
    "  - occupancy.blocks_per_sm\n"
    "  - occupancy.limiter\n"
    "  - {name: where, value: sm.smem.latency}\n";

static const char stats[] =
    "{\"kernels\": ["
    "{\"name\": \"k1\", \"counters\": {\"cycles\": 100, \"warp_insts\": 10,"
    " \"occupancy.blocks_per_sm\": 8, \"occupancy.limiter\": \"warps\"}},"
    "{\"name\": \"k2\", \"counters\": {\"cycles\": 30, \"warp_insts\": 5,"
    " \"occupancy.blocks_per_sm\": 3, \"occupancy.limiter\": \"blocks\"}},"
    "{\"name\": \"_Z9base_namePi\", \"counters\": {\"cycles\": 7, \"warp_insts\": 0,"
    " \"occupancy.blocks_per_sm\": 1, \"occupancy.limiter\": \"blocks\"}},"
    "{\"name\": \"k2\", \"counters\": {\"cycles\": 23, \"warp_insts\": 1,"
    " \"occupancy.blocks_per_sm\": 3, \"occupancy.limiter\": \"blocks\"}}]}";

static const char *const texts[2] = {"a, \\\"b\\\"", "0x10"};

static void write_plan(const char *dir)
{
    struct text t = {0};
    struct smw_err e = {0};

    for (uint32_t i = 0; i < 8; i++) {
        text_add(&t,
                 "{\"index\":%u,\"digest\":\"%016x\",\"target\":\"reverse\","
                 "\"config\":null,\"set\":{\"sm.smem.latency\":\"20 "
                 "cycles\"},\"launch\":{},\"params\":{\"n\":%u,"
                 "\"t\":\"%s\"}}\n",
                 i, i + 100, i / 2 + 1, texts[i % 2]);
    }
    assert_true(store_write(dir, PLAN_FILE, t.s, t.n, &e));
    text_free(&t);
}

static void write_point(const char *dir, struct store_done d)
{
    struct smw_err e = {0};
    char *part = store_begin(dir, d.index, &e), *file;

    d.digest = d.index + 100;
    assert_non_null(part);
    file = file_join(part, "stats.json");
    assert_true(file_write(file, stats, sizeof(stats) - 1, &e));
    assert_true(store_commit(dir, part, &d, &e));
    free(file);
    free(part);
}

static int set_up(void **state)
{
    struct smw_err e = {0};
    char *dir;

    if (scratch_set_up_with(state, "points") != 0) {
        return 1;
    }
    dir = *state;
    assert_true(store_write(dir, STORE_SWEEP, sweep, sizeof(sweep) - 1, &e));
    write_plan(dir);
    write_point(dir, (struct store_done){.index = 0, .status = STORE_OK});
    write_point(dir, (struct store_done){.index = 3, .status = STORE_OK});
    write_point(dir, (struct store_done){.index = 4,
                                         .status = STORE_FAILED,
                                         .exit = 6,
                                         .cause = CAUSE_TIME,
                                         .error = "slow",
                                         .host = true});
    write_point(dir, (struct store_done){.index = 5,
                                         .status = STORE_FAILED,
                                         .exit = 5,
                                         .cause = CAUSE_DEADLOCK,
                                         .error = "stuck, here"});
    write_point(dir, (struct store_done){.index = 6,
                                         .status = STORE_FAILED,
                                         .exit = 6,
                                         .cause = CAUSE_TIME,
                                         .error = "slow"});
    return 0;
}

static void load(struct sweep_table *t, const char *dir)
{
    struct smw_err e = {0};

    if (!table_load(t, dir, &e)) {
        fail_msg("%s:%u: %s", e.file, e.line, e.message);
    }
}

static const struct table_cell *cell(const struct sweep_table *t, uint64_t row,
                                     const char *column)
{
    int32_t c = table_find(t, column);

    assert_true(c >= 0);
    return &t->rows[row].cells[c];
}

static void test_cells(void **state)
{
    struct sweep_table t;
    struct smw_err e = {0};
    uint32_t column = 0;

    load(&t, *state);
    assert_int_equal(t.n_rows, 8);
    assert_int_equal(t.n_ok, 2);
    assert_int_equal(t.n_failed, 3);
    assert_int_equal(t.n_columns, 5 + 2 + 8);
    assert_string_equal(cell(&t, 3, "cycles")->text, "160");
    assert_string_equal(cell(&t, 3, "second")->text, "53");
    assert_string_equal(cell(&t, 3, "base")->text, "7");
    assert_string_equal(cell(&t, 3, "ipc")->text, "0.1");
    assert_string_equal(cell(&t, 3, "per_n")->text, "160");
    assert_string_equal(cell(&t, 0, "per_n")->text, ""); /* by zero */
    assert_string_equal(cell(&t, 3, "occupancy.blocks_per_sm")->text, "8");
    assert_true(cell(&t, 3, "cycles")->is_number);
    assert_false(cell(&t, 3, "occupancy.limiter")->is_number);
    assert_false(cell(&t, 1, "cycles")->is_number); /* not run */
    assert_string_equal(cell(&t, 1, "status")->text, "missing");
    assert_string_equal(cell(&t, 5, "cycles")->text, ""); /* failed */
    assert_string_equal(t.columns[table_find(&t, "cycles")].unit, "cycles");
    assert_string_equal(t.columns[table_find(&t, "ipc")].unit, "insts/cycle");
    assert_int_equal(t.columns[table_find(&t, "n")].role, TABLE_PARAM);
    assert_true(table_need(&t, "x", "n", &column, &e));
    assert_int_equal(column, table_find(&t, "n"));
    assert_false(table_need(&t, "x", "cicles", &column, &e));
    assert_string_equal(e.hint, "did you mean 'cycles'?");
    table_free(&t);
}

static void test_csv(void **state)
{
    static const char want[] =
        "index,digest,status,exit,error,n,t,cycles,second,base,ipc,per_n,"
        "occupancy.blocks_per_sm,occupancy.limiter,where\n"
        "0,0000000000000064,ok,0,,1,\"a, \"\"b\"\"\",160,53,7,0.1,,8,blocks,20 cycles\n"
        "1,0000000000000065,missing,,,1,0x10,,,,,,,,\n"
        "2,0000000000000066,missing,,,2,\"a, \"\"b\"\"\",,,,,,,,\n"
        "3,0000000000000067,ok,0,,2,0x10,160,53,7,0.1,160,8,blocks,20 cycles\n"
        "4,0000000000000068,failed,6,slow,3,\"a, \"\"b\"\"\",,,,,,,,\n"
        "5,0000000000000069,failed,5,\"stuck, here\",3,0x10,,,,,,,,\n"
        "6,000000000000006a,failed,6,slow,4,\"a, \"\"b\"\"\",,,,,,,,\n"
        "7,000000000000006b,missing,,,4,0x10,,,,,,,,\n";
    struct sweep_table t;
    struct text csv = {0};

    load(&t, *state);
    table_csv(&t, &csv);
    assert_string_equal(csv.s, want);
    text_free(&csv);
    table_free(&t);
}

static void test_status(void **state)
{
    struct sweep_table t;
    struct text text = {0};

    load(&t, *state);
    status_print(&t, 0, &text);
    assert_string_equal(text.s, "8 points: 2 ok, 3 failed, 3 not run\n"
                                "failed for deadlock: 1\n"
                                "  point 5: stuck, here\n"
                                "failed for time: 2, to be run again\n"
                                "  point 4: slow (and 1 more)\n");
    text_free(&text);
    table_free(&t);
}

static char *read_all(const char *dir, const char *name, size_t *size)
{
    char *path = file_join(dir, name), *data;
    struct smw_err e = {0};

    data = file_read(path, 1 << 24, size, SMW_ERR_IO, &e);
    assert_non_null(data);
    free(path);
    return data;
}

static void test_merge(void **state)
{
    struct sweep_table t;
    struct smw_err e = {0};
    char *first, *second;
    size_t n = 0, m = 0;

    load(&t, *state);
    assert_true(merge_write(&t, *state, &e));
    first = read_all(*state, STORE_SQLITE, &n);
    assert_true(merge_write(&t, *state, &e)); /* over it */
    second = read_all(*state, STORE_SQLITE, &m);
    assert_int_equal(n, m);
    assert_memory_equal(first, second, n);
    assert_memory_equal(first, "SQLite format 3", 16);
    free(first);
    free(second);
    table_free(&t);
}

static void test_no_disk(void **state)
{
    struct sweep_table t;
    struct smw_err e = {0};

    load(&t, *state);
    assert_false(table_sqlite(&t, *state, "/dev/full", &e));
    assert_int_equal(e.kind, SMW_ERR_IO);
    table_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cells, set_up, scratch_tear_down),
        cmocka_unit_test_setup_teardown(test_csv, set_up, scratch_tear_down),
        cmocka_unit_test_setup_teardown(test_status, set_up, scratch_tear_down),
        cmocka_unit_test_setup_teardown(test_merge, set_up, scratch_tear_down),
        cmocka_unit_test_setup_teardown(test_no_disk, set_up, scratch_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
