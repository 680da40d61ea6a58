/*
 * The passes of asynchronous copies against what an H100 counted (SPEC ASYNC-2), and
 * their plans against the words that must move.
 *
 *   test_mem_rules_copy DIRECTORY
 */
#include "mem/rules.h"

#include "mem/rules_csv_test.h"

/* Scattered lanes take more there than by the rule. */
enum { PATTERNS = 292, MOST_OFF = 6, LEAST_EXACT = 255 };

struct pattern {
    struct rules_copy c;
    uint64_t from[ISA_LANES];
    uint32_t to[ISA_LANES];
    bool counted; /* not past the L1 */
};

static void read_pattern(const struct csv *f, uint32_t row, struct pattern *p)
{
    const uint32_t read = (uint32_t)strtoul(csv_cell(f, row, "src_bytes"), NULL, 10);
    const bool cg = strcmp(csv_cell(f, row, "cache"), "cg") == 0;
    char name[16];

    memset(p, 0, sizeof(*p));
    p->c.to_banks = 32;
    p->c.bytes = (uint32_t)strtoul(csv_cell(f, row, "width_bytes"), NULL, 10);
    p->c.mask = (uint32_t)strtoul(csv_cell(f, row, "active_mask"), NULL, 16);
    p->c.some = read != 0 ? p->c.mask : 0;
    p->c.from = p->from;
    p->c.to = p->to;
    p->counted = !cg || read != p->c.bytes;
    for (uint32_t i = 0; i < ISA_LANES; i++) {
        snprintf(name, sizeof(name), "from%u", i);
        p->from[i] = strtoul(csv_cell(f, row, name), NULL, 10);
        snprintf(name, sizeof(name), "to%u", i);
        p->to[i] = (uint32_t)strtoul(csv_cell(f, row, name), NULL, 10);
    }
}

/* Every word of every lane moves once. */
static void check_plan(const struct rules_copy *c, const struct rules_waves *w)
{
    uint32_t all[4] = {0};

    for (uint32_t p = 0; p < w->n; p++) {
        assert_int_equal(w->kind[p], RULES_PASS_MOVE);
        for (uint32_t i = 0; i < 4; i++) {
            assert_int_equal(all[i] & w->lanes[p][i], 0);
            all[i] |= w->lanes[p][i];
        }
    }
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(all[i], i < c->bytes / 4 ? c->mask : 0);
    }
}

static void test_h100(void **state)
{
    struct csv f = csv_open(*(const char **)*state, "h100/copy_patterns.csv");
    uint32_t exact = 0, sectors = 0;

    for (uint32_t row = 0; row < f.rows; row++) {
        const char *name = csv_cell(&f, row, "name");
        const bool scattered = strncmp(name, "random", 6) == 0;
        const uint32_t want =
            (uint32_t)strtoul(csv_cell(&f, row, "wavefronts"), NULL, 10);
        const uint32_t conflicts =
            (uint32_t)strtoul(csv_cell(&f, row, "conflicts"), NULL, 10);
        const bool past = strcmp(csv_cell(&f, row, "cache"), "cg") == 0;
        struct rules_waves w;
        struct pattern p;
        uint32_t n;

        read_pattern(&f, row, &p);
        rules_copy(&p.c, &w);
        check_plan(&p.c, &w);
        n = p.counted ? w.n : 0;
        if (n != want || (!past && w.n - w.ideal != conflicts)) {
            if (!scattered) {
                fail_msg("%u, %s: %u and %u, not %u and %u", row, name, n,
                         w.n - w.ideal, want, conflicts);
            }
            assert_true(n + MOST_OFF >= want && want + MOST_OFF >= n);
        } else {
            exact++;
        }
        if (!p.counted && *csv_cell(&f, row, "sectors") != '\0' &&
            strcmp(name, "dst_same") != 0) { /* of equal places one is written there */
            assert_int_equal(rules_copy_sectors(&p.c),
                             strtoul(csv_cell(&f, row, "sectors"), NULL, 10));
            sectors++;
        }
    }
    assert_int_equal(f.rows, PATTERNS);
    assert_true(exact >= LEAST_EXACT);
    assert_true(sectors > 20);
    print_message("%u of %u exact, sectors of %u\n", exact, f.rows, sectors);
    csv_close(&f);
}

static void test_nothing(void **state)
{
    static const uint64_t from[ISA_LANES];
    static const uint32_t to[ISA_LANES];
    struct rules_waves w;

    (void)state;
    rules_copy(&(struct rules_copy){16, 0, 0, from, to, 32}, &w);
    assert_int_equal(w.n, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_h100, &argv[1]),
        cmocka_unit_test(test_nothing),
    };

    if (argc != 2) {
        print_error("usage: %s DIRECTORY\n", argv[0]);
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
