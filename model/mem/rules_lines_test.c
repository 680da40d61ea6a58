/* Turns of the L1 for the lines of one load, against what an H100 took:
 * testbench/fidelity/l1_lines.csv, of loads that hit. */
#include "mem/rules_csv_test.h"

#include "mem/rules.h"

enum { TAGS = 4 };

static const char *dir;

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Turns by the rule: lines that are looked up, words that are read. */
static uint32_t turns_of(const struct csv *c, uint32_t row)
{
    struct rules_access a = {.op = MEM_LOAD, .in_l1 = true, .mask = UINT32_MAX};
    const char *at = csv_cell(c, row, "offsets");
    struct rules_lines lines;
    uint64_t addr[32];
    char *end;

    for (uint32_t lane = 0; lane < 32; lane++) {
        addr[lane] = 0x10000000 + strtoull(at, &end, 16);
        assert_true(end != at);
        at = end;
    }
    assert_int_equal(*at, '\0');
    a.bytes = (uint8_t)csv_number(c, row, "bytes", 10);
    a.addr = addr;
    rules_global(rules_find(90), &a, &lines);
    assert_int_equal(lines.n, csv_number(c, row, "lines", 10));
    assert_int_equal(lines.sectors, csv_number(c, row, "sectors", 10));
    return larger(rules_wavefronts(&lines), (lines.n + TAGS - 1) / TAGS);
}

static void test_table(void **state)
{
    struct csv c = csv_open(dir, "l1_lines.csv");
    uint32_t exact = 0, more = 0;

    (void)state;
    for (uint32_t row = 0; row < c.rows; row++) {
        const uint32_t turns = turns_of(&c, row);
        const double cycles = strtod(csv_cell(&c, row, "cycles_32"), NULL);

        /* one turn is less than the loop around the load takes; lines at random meet in
         * the same quarter of the tags */
        if (turns > 1 && strcmp(csv_cell(&c, row, "pattern"), "random_word") == 0 &&
            cycles > turns + 0.1) {
            assert_true(turns >= 7 && cycles < turns + 3.1);
            more++;
        } else {
            assert_true(turns == 1 ? cycles < 1.3
                                   : cycles > turns - 0.1 && cycles < turns + 0.1);
            exact++;
        }
    }
    assert_true(exact > 120);
    assert_int_equal(exact + more, c.rows);
    csv_close(&c);
}

/* Words counted one by one. */
static void test_random_lines(void **state)
{
    uint32_t seed = 1;

    (void)state;
    for (uint32_t round = 0; round < 20000; round++) {
        struct rules_lines lines = {.n = 1 + round % 64};
        uint32_t count[32] = {0}, most = 1;

        for (uint32_t i = 0; i < lines.n; i++) {
            for (uint32_t byte = 0; byte < 128; byte++) {
                seed = seed * 1664525u + 1013904223u;
                if (seed >> 8 & (round % 7 == 0 ? 0x30 : 0xf)) {
                    continue;
                }
                count[byte / 4] +=
                    (lines.line[i].bytes[byte / 64] == 0 ||
                     (lines.line[i].bytes[byte / 64] >> (byte % 64 & ~3u) & 0xf) == 0);
                lines.line[i].bytes[byte / 64] |= UINT64_C(1) << byte % 64;
            }
        }
        for (uint32_t w = 0; w < 32; w++) {
            most = larger(most, count[w]);
        }
        assert_int_equal(rules_wavefronts(&lines), most);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_random_lines),
    };

    if (argc < 2) {
        fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
        return 2;
    }
    dir = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
