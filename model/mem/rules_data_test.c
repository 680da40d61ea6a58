/* The rules and the table of capabilities against what is published and what an H100
 * counted: every row of the tables in testbench/golden/data, and the guide's figure of
 * transactions.
 *
 *   test_mem_rules_data DIRECTORY */
#include "mem/rules.h"

#include "mem/rules_csv_test.h"

enum { BASE = 1 << 20 }; /* of global patterns, aligned to every segment */

static const char *data_dir(void **state)
{
    return *(const char **)*state;
}

/* ---- shared memory: the guide's cases ---- */

struct ways { /* "2+2 ; 2+2": passes of each group */
    uint32_t n, sum, worst;
};

static struct ways read_ways(const char *cell)
{
    struct ways v = {0, 0, 0};

    while (*cell != '\0') {
        char *end;
        uint32_t passes = (uint32_t)strtoul(cell, &end, 10);

        assert_ptr_not_equal(end, cell);
        v.n++;
        v.sum += passes;
        v.worst = passes > v.worst ? passes : v.worst;
        cell = end + strspn(end, "+; ");
    }
    assert_true(v.n != 0);
    return v;
}

static const char *ways_column(const struct rules_cc *r, uint32_t mode)
{
    if (r->cc < 20) {
        return "cc1x_steps_half0+half1";
    }
    if (r->cc < 30) {
        return "cc2x_ways";
    }
    if (r->cc < 50) {
        return mode == 4 ? "cc3x_ways_4byte_mode" : "cc3x_ways_8byte_mode";
    }
    return "cc5x_9x_ways";
}

/* One case on one capability. False if no source says what it costs: then it is
 * assumed, and printed. */
static bool check_case(const struct csv *c, uint32_t row, const struct rules_cc *r,
                       struct rules_access *a)
{
    const char *cell = csv_cell(c, row, ways_column(r, a->bank_mode));
    struct rules_waves w;
    struct ways v;

    rules_shared(r, a, &w);
    if (strcmp(cell, "UNSOURCED") == 0) {
        print_message("%s on %u.%u, mode %u: no source; assumed %u passes, %u groups\n",
                      csv_cell(c, row, "case"), r->cc / 10, r->cc % 10, a->bank_mode,
                      w.n, w.ideal);
        return false;
    }
    v = read_ways(cell);
    if (w.n != v.sum || w.ideal != v.n || w.degree != v.worst) {
        fail_msg("%s on %u.%u, mode %u: %u passes, ideal %u, degree %u, not %s",
                 csv_cell(c, row, "case"), r->cc / 10, r->cc % 10, a->bank_mode, w.n,
                 w.ideal, w.degree, cell);
    }
    return true;
}

static void shared_cases(void **state)
{
    struct csv c = csv_open(data_dir(state), "shared-memory-cases.csv");
    uint32_t assumed = 0, checked = 0;

    for (uint32_t row = 0; row < c.rows; row++) {
        uint64_t addr[ISA_LANES];
        uint32_t bytes = (uint32_t)csv_number(&c, row, "access_bytes", 10);
        struct rules_access a = {.bytes = (uint8_t)bytes,
                                 .mask = UINT32_MAX,
                                 .addr = addr};

        for (uint32_t i = 0; i < ISA_LANES; i++) {
            addr[i] = csv_address(csv_cell(&c, row, "pattern"), i, bytes);
        }
        for (uint32_t k = 0; rules_entry(k) != NULL; k++) {
            const struct rules_cc *r = rules_entry(k);
            uint32_t modes = r->cc >= 30 && r->cc < 50 ? 8 : 4;

            for (a.bank_mode = 4; a.bank_mode <= modes; a.bank_mode += 4) {
                bool known;

                a.op = MEM_LOAD;
                known = check_case(&c, row, r, &a);
                assumed += !known;
                checked += known;
                a.op = MEM_STORE;
                if (known && r->cc >= 20) { /* from 2.0 on the same */
                    check_case(&c, row, r, &a);
                }
            }
        }
    }
    assert_int_equal(c.rows, 39);
    assert_int_equal(assumed, 6); /* 128 bits on 3.0, 3.5 and 3.7 in two modes */
    assert_int_equal(checked, 39 * (4 + 2 + 6 + 13) - 6);
    csv_close(&c);
}

/* ---- global memory: the guide's cases ---- */

/* "1x128+1x64+1x32": transactions of 32, 64 and 128 bytes. */
static void read_transactions(const char *cell, uint32_t n[3])
{
    n[0] = n[1] = n[2] = 0;
    while (*cell != '\0') {
        char *end;
        uint32_t count = (uint32_t)strtoul(cell, &end, 10);
        uint32_t bytes;

        assert_int_equal(*end, 'x');
        bytes = (uint32_t)strtoul(end + 1, &end, 10);
        assert_true(bytes == 32 || bytes == 64 || bytes == 128);
        n[bytes / 64] += count;
        cell = end + strspn(end, "+");
    }
}

static void check_coalescing(const struct csv *c, uint32_t row,
                             const struct rules_cc *r, const struct rules_access *a)
{
    const char *names[2] = {"L2_only_32B_sectors", "L2_only_bytes"};
    struct rules_lines l;
    uint32_t n[3];

    if (r->cc < 12) {
        names[0] = "cc10_11_transactions";
        names[1] = "cc10_11_bytes";
    } else if (r->cc < 20) {
        names[0] = "cc12_13_transactions";
        names[1] = "cc12_13_bytes";
    } else if (r->cc < 50 && a->in_l1) { /* 3.x: where it is opted in */
        names[0] = "cc2x_L1_cached_transactions";
        names[1] = "cc2x_L1_cached_bytes";
    }
    rules_global(r, a, &l);
    read_transactions(csv_cell(c, row, names[0]), n);
    if (memcmp(n, l.transactions, sizeof(n)) != 0 ||
        l.moved != csv_number(c, row, names[1], 10)) {
        fail_msg(
            "%s on %u.%u, in_l1 %d: %u of 32, %u of 64, %u of 128, %u bytes, not %s",
            csv_cell(c, row, "case"), r->cc / 10, r->cc % 10, a->in_l1,
            l.transactions[0], l.transactions[1], l.transactions[2], l.moved,
            csv_cell(c, row, names[0]));
    }
    if (r->cc >= 20) {
        read_transactions(csv_cell(c, row, "L2_only_32B_sectors"), n);
        assert_int_equal(l.sectors, n[0]);
    }
}

static void global_cases(void **state)
{
    struct csv c = csv_open(data_dir(state), "coalescing-cases.csv");

    for (uint32_t row = 0; row < c.rows; row++) {
        uint64_t addr[ISA_LANES];
        uint32_t bytes = (uint32_t)csv_number(&c, row, "access_bytes", 10);
        struct rules_access a = {.bytes = (uint8_t)bytes,
                                 .mask = UINT32_MAX,
                                 .addr = addr};

        for (uint32_t i = 0; i < ISA_LANES; i++) {
            addr[i] = BASE + csv_address(csv_cell(&c, row, "pattern"), i, bytes);
        }
        assert_int_equal(csv_number(&c, row, "requested_bytes", 10), bytes * ISA_LANES);
        for (uint32_t k = 0; rules_entry(k) != NULL; k++) {
            const struct rules_cc *r = rules_entry(k);

            a.in_l1 = false;
            a.op = MEM_STORE;
            check_coalescing(&c, row, r, &a);
            a.op = MEM_LOAD;
            check_coalescing(&c, row, r, &a);
            a.in_l1 = r->cc >= 20;
            check_coalescing(&c, row, r, &a);
        }
    }
    assert_int_equal(c.rows, 39);
    csv_close(&c);
}

/* PG4.2 Figure F-1: a warp of 4-byte accesses, and where each transaction lies. */
static const struct {
    uint32_t first, flip; /* address of lane 0; lanes that are swapped */
    uint32_t low, high;   /* capabilities */
    struct {
        uint32_t n, bytes, at;
    } is[6];
} figure[] = {
    {128, 0, 10, 13, {{1, 64, 128}, {1, 64, 192}}},
    {128, 0, 20, 21, {{1, 128, 128}}},
    {128, 1, 10, 11, {{8, 32, 128}, {8, 32, 160}, {8, 32, 192}, {8, 32, 224}}},
    {128, 1, 12, 13, {{1, 64, 128}, {1, 64, 192}}},
    {128, 1, 20, 21, {{1, 128, 128}}},
    {132,
     0,
     10,
     11,
     {{7, 32, 128}, {8, 32, 160}, {8, 32, 192}, {8, 32, 224}, {1, 32, 256}}},
    {132, 0, 12, 13, {{1, 128, 128}, {1, 64, 192}, {1, 32, 256}}},
    {132, 0, 20, 21, {{1, 128, 128}, {1, 128, 256}}},
};

/* Transactions of this size at this address. */
static uint32_t count_at(const struct rules_lines *l, bool whole, uint32_t bytes,
                         uint32_t at)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < l->n; k++) {
        uint32_t s = whole ? 0xf : l->line[k].sectors;

        n += l->line[k].addr + (uint32_t)__builtin_ctz(s) * 32 == at &&
             (uint32_t)__builtin_popcount(s) * 32 == bytes;
    }
    return n;
}

static void figure_f1(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < ARRAY_LEN(figure); k++) {
        for (uint32_t e = 0; rules_entry(e) != NULL; e++) {
            const struct rules_cc *r = rules_entry(e);
            uint64_t addr[ISA_LANES];
            struct rules_access a = {.op = MEM_LOAD,
                                     .bytes = 4,
                                     .mask = UINT32_MAX,
                                     .in_l1 = r->cc >= 20,
                                     .addr = addr};
            struct rules_lines l;
            uint32_t all = 0;

            if (r->cc < figure[k].low || r->cc > figure[k].high) {
                continue;
            }
            for (uint32_t i = 0; i < ISA_LANES; i++) { /* one swap in each half-warp */
                uint32_t lane = i % 16 / 2 == 3 ? i ^ figure[k].flip : i;

                addr[i] = figure[k].first + lane * 4;
            }
            rules_global(r, &a, &l);
            for (uint32_t i = 0; i < ARRAY_LEN(figure[k].is); i++) {
                uint32_t n = figure[k].is[i].n;

                all += n;
                if (n != 0) {
                    assert_int_equal(count_at(&l, a.in_l1, figure[k].is[i].bytes,
                                              figure[k].is[i].at),
                                     n);
                }
            }
            assert_int_equal(l.n, all);
        }
    }
}

/* ---- what an H100 counted ---- */

static void read_pattern(const struct csv *c, uint32_t row, struct rules_access *a,
                         uint64_t addr[ISA_LANES], uint64_t base)
{
    a->bytes = (uint8_t)csv_number(c, row, "width_bytes", 10);
    a->mask = (uint32_t)csv_number(c, row, "active_mask", 16);
    a->addr = addr;
    for (uint32_t i = 0; i < ISA_LANES; i++) {
        char name[8];

        assert_true(snprintf(name, sizeof(name), "lane%u", i) < (int)sizeof(name));
        addr[i] = base;
        if ((a->mask >> i & 1u) != 0) {
            addr[i] += csv_number(c, row, name, 10);
        }
    }
}

/* Empty where it was not measured. Returns 1 if it was. */
static uint32_t measured(const struct csv *c, uint32_t row, const char *column,
                         uint64_t modelled)
{
    if (csv_cell(c, row, column)[0] == '\0') {
        return 0;
    }
    if (csv_number(c, row, column, 10) != modelled) {
        fail_msg("row %s, %s of %s bytes: %s is %s, not %llu", csv_cell(c, row, "id"),
                 csv_cell(c, row, "name"), csv_cell(c, row, "width_bytes"), column,
                 csv_cell(c, row, column), (unsigned long long)modelled);
    }
    return 1;
}

/* 64 dependent loads take 23.375 cycles each and 2 more for each further row of the
 * worst bank; 16 dependent atomics 24.5 cycles and 2 more for each further lane. */
static void h100_shared(void **state)
{
    struct csv c = csv_open(data_dir(state), "h100/shared_patterns.csv");
    const struct rules_cc *r = rules_find(90);
    uint32_t counts = 0, loads = 0, atomics = 0;

    for (uint32_t row = 0; row < c.rows; row++) {
        uint64_t addr[ISA_LANES];
        struct rules_access a = {.bank_mode = 4};
        struct rules_waves w;

        read_pattern(&c, row, &a, addr, 0);
        a.op = MEM_LOAD;
        rules_shared(r, &a, &w);
        counts += measured(&c, row, "ld_wavefronts", w.n);
        counts += measured(&c, row, "ld_conflicts", w.n - w.ideal);
        loads += measured(&c, row, "ld_latency_cycles_x64", 1496 + 128 * (w.depth - 1));
        a.op = MEM_STORE;
        rules_shared(r, &a, &w);
        counts += measured(&c, row, "st_wavefronts", w.n);
        counts += measured(&c, row, "st_conflicts", w.n - w.ideal);
        if (a.bytes != 4) {
            continue;
        }
        a.op = MEM_ATOM; /* with and without result: the same */
        rules_shared(r, &a, &w);
        counts += measured(&c, row, "atom_wavefronts", w.n);
        atomics +=
            measured(&c, row, "atom_latency_cycles_x16", 392 + 32 * (w.depth - 1));
        a.op = MEM_RED;
        rules_shared(r, &a, &w);
        measured(&c, row, "atom_wavefronts", w.n);
        measured(&c, row, "atom_latency_cycles_x16", 392 + 32 * (w.depth - 1));
    }
    print_message("%u rows, %u counts, %u latencies of loads, %u of atomics\n", c.rows,
                  counts, loads, atomics);
    assert_true(c.rows > 200 && counts > 4 * c.rows && loads > 100 && atomics > 50);
    csv_close(&c);
}

static void h100_global(void **state)
{
    struct csv c = csv_open(data_dir(state), "h100/global_patterns.csv");
    const struct rules_cc *r = rules_find(90);
    uint32_t counts = 0;

    for (uint32_t row = 0; row < c.rows; row++) {
        uint64_t addr[ISA_LANES];
        struct rules_access a = {.in_l1 = true};
        struct rules_lines l;

        read_pattern(&c, row, &a, addr, BASE);
        a.op = MEM_LOAD;
        rules_global(r, &a, &l);
        counts += measured(&c, row, "ld_requests", l.requests);
        counts += measured(&c, row, "ld_sectors", l.sectors);
        counts += measured(&c, row, "ld_l2_requests", l.lines);
        counts += measured(&c, row, "ld_l2_sectors", l.sectors);
        assert_int_equal(l.moved, l.sectors * 32);
        a.op = MEM_STORE;
        a.in_l1 = false;
        rules_global(r, &a, &l);
        counts += measured(&c, row, "st_requests", l.requests);
        counts += measured(&c, row, "st_sectors", l.sectors);
        counts += measured(&c, row, "st_l2_requests", l.lines);
        counts += measured(&c, row, "st_l2_sectors", l.sectors);
    }
    assert_int_equal(counts, 8 * c.rows);
    assert_true(c.rows > 150);
    csv_close(&c);
}

/* ---- splits of the on-chip array ---- */

/* "2.0" as 20. */
static uint32_t read_cc(const char *cell)
{
    char *end;
    uint32_t major = (uint32_t)strtoul(cell, &end, 10);

    assert_int_equal(*end, '.');
    return major * 10 + (uint32_t)strtoul(end + 1, NULL, 10);
}

/* The k-th number of "48;16", or UINT32_MAX past the last. */
static uint32_t nth(const char *list, uint32_t k)
{
    for (; k != 0; k--) {
        list = strchr(list, ';');
        if (list == NULL) {
            return UINT32_MAX;
        }
        list++;
    }
    return (uint32_t)strtoul(list, NULL, 10);
}

static const struct rules_split *find_split(const struct rules_cc *r, uint32_t shared)
{
    for (uint32_t k = 0; k < r->n_splits; k++) {
        if (r->split[k].shared == shared) {
            return &r->split[k];
        }
    }
    fail_msg("%u.%u has no split with %u KB of shared memory", r->cc / 10, r->cc % 10,
             shared);
    return NULL;
}

/* The choices are all there, and no others, each with its L1: listed, none, what is
 * left of the array, or separate (then of its own size, which this table does not
 * give). */
static void check_choices(const struct csv *c, uint32_t row, const struct rules_cc *r)
{
    const char *choices = csv_cell(c, row, "shared_choices_kb");
    const char *l1 = csv_cell(c, row, "l1_for_each_choice_kb");
    uint32_t n = 0;

    for (; nth(choices, n) != UINT32_MAX; n++) {
        const struct rules_split *s = find_split(r, nth(choices, n));

        if (strcmp(l1, "none") == 0) {
            assert_int_equal(s->l1, 0);
        } else if (strcmp(l1, "rest") == 0) {
            assert_int_equal(s->l1, r->onchip_kb - s->shared);
        } else if (strcmp(l1, "separate") != 0) {
            assert_int_equal(s->l1, nth(l1, n));
        }
        assert_int_equal(r->l1_separate, strcmp(l1, "separate") == 0);
    }
    assert_int_equal(r->n_splits, n);
}

/* Which choice the start-up value and the preferences are. "driver chooses": for a
 * kernel that asks for nothing an H100's driver reported the occupancy of the largest
 * shared memory, so that one is the start-up value from 7.0 on. "carveout": preferences
 * name a share of the array in percent, no fixed choice. */
static void check_preferences(const struct csv *c, uint32_t row,
                              const struct rules_cc *r)
{
    const char *start = csv_cell(c, row, "startup_shared_kb");
    const char *shared = csv_cell(c, row, "prefer_shared_kb");
    const char *l1 = csv_cell(c, row, "prefer_l1_kb");
    const char *equal = csv_cell(c, row, "prefer_equal_kb");
    uint32_t most = 0, least = UINT32_MAX;

    for (uint32_t k = 0; k < r->n_splits; k++) {
        most = r->split[k].shared > most ? r->split[k].shared : most;
        least = r->split[k].shared < least ? r->split[k].shared : least;
    }
    if (strcmp(start, "driver chooses") == 0) {
        assert_int_equal(r->split[0].shared, most);
    } else {
        assert_int_equal(r->split[0].shared,
                         csv_number(c, row, "startup_shared_kb", 10));
    }
    assert_int_equal(r->carveout, strcmp(shared, "carveout") == 0);
    if (strcmp(shared, "fixed") == 0) {
        assert_int_equal(r->n_splits, 1);
        assert_string_equal(l1, "fixed");
        assert_string_equal(equal, "fixed");
        assert_int_equal(r->equal_kb, 0);
    } else if (!r->carveout) { /* "shared" is the largest, "L1" the smallest */
        assert_int_equal(most, csv_number(c, row, "prefer_shared_kb", 10));
        assert_int_equal(least, csv_number(c, row, "prefer_l1_kb", 10));
        if (strcmp(equal, "not available") == 0) {
            assert_int_equal(r->equal_kb, 0);
        } else {
            assert_int_equal(r->equal_kb, csv_number(c, row, "prefer_equal_kb", 10));
            assert_non_null(find_split(r, r->equal_kb));
        }
    }
}

static void partition(void **state)
{
    struct csv c = csv_open(data_dir(state), "partition.csv");

    for (uint32_t row = 0; row < c.rows; row++) {
        const struct rules_cc *r = rules_find(read_cc(csv_cell(&c, row, "cc")));
        uint64_t most = csv_number(&c, row, "max_shared_per_block_bytes", 10);

        assert_non_null(r);
        assert_int_equal(r->onchip_kb, csv_number(&c, row, "array_kb", 10));
        assert_int_equal(r->max_shared_opt_in, most);
        /* more than 48 KB is asked for: PG10.1 */
        assert_int_equal(r->max_shared_static, most > 49152 ? 49152 : most);
        assert_int_equal(r->shared_reserved,
                         csv_number(&c, row, "reserved_per_block_bytes", 10));
        check_choices(&c, row, r);
        check_preferences(&c, row, r);
    }
    for (uint32_t k = 0; rules_entry(k) != NULL; k++) { /* each is in the file */
        assert_true(k < c.rows);
    }
    csv_close(&c);
}

/* ---- the table as a whole ---- */

static void table(void **state)
{
    (void)state;
    assert_null(rules_find(0));
    assert_null(rules_find(19));
    for (uint32_t i = 0; rules_entry(i) != NULL; i++) {
        const struct rules_cc *r = rules_entry(i);

        assert_ptr_equal(rules_find(r->cc), r);
        assert_true(i == 0 || rules_entry(i - 1)->cc < r->cc);
        assert_true(r->n_splits >= 1 && r->n_splits <= RULES_MAX_SPLITS);
        for (uint32_t k = 0; k < r->n_splits; k++) {
            uint32_t l1 = r->l1_separate ? 0 : r->split[k].l1;

            assert_true(r->split[k].shared + l1 <= r->onchip_kb);
        }
        assert_true(r->max_shared_static <= r->max_shared_opt_in);
        assert_true(r->max_shared_opt_in + r->shared_reserved <= r->onchip_kb * 1024);
        assert_int_equal(r->max_shared_static % r->shared_unit, 0);
        assert_true(r->banks == 16 || r->banks == 32);
        assert_int_equal(r->bank_bytes, r->cc >= 30 && r->cc < 50 ? 8 : 4);
        assert_true(r->group_lanes_128 <= r->group_lanes_64);
        assert_true(r->group_lanes_64 <= r->group_lanes);
    }
}

int main(int argc, char **argv)
{
    const char *dir = argc == 2 ? argv[1] : NULL;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(shared_cases, &dir),
        cmocka_unit_test_prestate(global_cases, &dir),
        cmocka_unit_test(figure_f1),
        cmocka_unit_test_prestate(h100_shared, &dir),
        cmocka_unit_test_prestate(h100_global, &dir),
        cmocka_unit_test_prestate(partition, &dir),
        cmocka_unit_test(table),
    };

    return dir == NULL ? 2 : cmocka_run_group_tests(tests, NULL, NULL);
}
