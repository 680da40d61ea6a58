#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ask/bankmap.h"
#include <string.h>

static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* Random, yet with words in common and banks that meet. */
static struct bankmap_access random_access(uint64_t *seed)
{
    struct bankmap_access a;
    uint64_t r = splitmix(seed);
    uint32_t range = 4u << r % 8;

    a.bytes = 1u << (r >> 8) % 5;
    a.mask = (r >> 16 & 1) != 0 ? UINT32_MAX : (uint32_t)(r >> 32);
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        a.addr[lane] = splitmix(seed) % range * a.bytes;
    }
    return a;
}

static struct bankmap_setup setup(uint32_t cc, uint8_t op)
{
    struct bankmap_setup s = {.rules = *rules_find(cc), .op = op, .bank_mode = 4};

    return s;
}

static void compare(uint32_t cc, uint32_t other, uint32_t bank_mode, bool in_l1)
{
    uint64_t seed = cc * 100 + other;

    for (uint32_t i = 0; i < 2000; i++) {
        struct bankmap_access a = random_access(&seed);
        struct bankmap_setup s = setup(cc, (uint8_t)(i % 3)), t = setup(other, s.op);
        struct rules_waves w, x;
        struct rules_lines l, m;

        s.bank_mode = t.bank_mode = bank_mode;
        s.in_l1 = t.in_l1 = in_l1;
        bankmap_global(&s, &a, &l);
        bankmap_global(&t, &a, &m);
        assert_int_equal(l.requests, m.requests);
        assert_int_equal(l.sectors, m.sectors);
        assert_int_equal(l.lines, m.lines);
        if (s.op < MEM_ATOM || s.rules.atoms_by_turns == t.rules.atoms_by_turns) {
            assert_int_equal(l.moved, m.moved);
            assert_memory_equal(l.transactions, m.transactions, sizeof(l.transactions));
        }
        bankmap_shared(&s, &a, &w);
        bankmap_shared(&t, &a, &x);
        assert_int_equal(w.n, x.n);
        assert_int_equal(w.ideal, x.ideal);
        assert_int_equal(w.degree, x.degree);
    }
}

/* The rows of the table over all capabilities speak for these. */
static void families_agree(void **state)
{
    static const uint32_t members[][2] = {{10, 11}, {12, 13}, {20, 21}, {30, 35},
                                          {30, 37}, {90, 50}, {90, 52}, {90, 53},
                                          {90, 60}, {90, 61}, {90, 62}, {90, 70},
                                          {90, 75}, {90, 80}, {90, 86}, {90, 87},
                                          {90, 89}, {60, 50}, {60, 52}, {60, 53},
                                          {60, 61}, {60, 62}};
    uint32_t others = 0;

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(members); i++) {
        compare(members[i][0], members[i][1], 4, false);
        compare(members[i][0], members[i][1], 4, true);
    }
    compare(30, 35, 8, true);
    compare(30, 37, 8, true);
    for (uint32_t i = 0; rules_entry(i) != NULL; i++) {
        bool found = false;

        for (uint32_t k = 0; k < ARRAY_LEN(members); k++) {
            found = found || rules_entry(i)->cc == members[k][0] ||
                    rules_entry(i)->cc == members[k][1];
        }
        others += !found;
    }
    assert_int_equal(others, 0); /* a new capability needs a row */
}

/* The picture shows what the rules answered: every word of an active lane is served, by
 * passes of its group; no bank is busier than the passes of a group. */
static void pictures_are_complete(void **state)
{
    uint64_t seed = 7;

    (void)state;
    for (uint32_t i = 0; rules_entry(i) != NULL; i++) {
        for (uint32_t k = 0; k < 500; k++) {
            struct bankmap_access a = random_access(&seed);
            struct bankmap_setup s = setup(rules_entry(i)->cc, (uint8_t)(k % 2));
            struct bankmap_plan p;
            uint32_t groups = 0;

            bankmap_plan(&s, &a, &p);
            for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
                for (uint32_t w = 0; w < p.words; w++) {
                    assert_int_equal(p.pass[lane][w] != 0, a.mask >> lane & 1u);
                    assert_true(p.pass[lane][w] <= p.w.n);
                }
            }
            for (uint32_t n = 0; n < p.w.n; n++) {
                assert_true(p.first[n] <= n);
                groups += p.first[n] == n;
                assert_true(n - p.first[n] < p.w.degree);
            }
            assert_int_equal(groups, p.w.ideal);
            for (uint32_t b = 0; b < 32; b++) {
                assert_true(p.ways[b] <= p.w.degree);
            }
            assert_int_equal(bankmap_requests(&s, &a, &p.w),
                             s.rules.split_words ? p.w.ideal : a.mask != 0);
        }
    }
}

static void merged_groups(void **state)
{
    struct bankmap_setup s = setup(90, MEM_LOAD);
    struct bankmap_access a = {.bytes = 16, .mask = UINT32_MAX};
    struct bankmap_plan p;

    (void)state;
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        a.addr[lane] = lane / 2 * 16;
    }
    bankmap_plan(&s, &a, &p);
    assert_true(p.merged);
    assert_int_equal(p.group_lanes, 16);
    s.op = MEM_STORE;
    bankmap_plan(&s, &a, &p);
    assert_false(p.merged);
    assert_int_equal(p.group_lanes, 8);
}

static void says(uint32_t mask, const char *words)
{
    char buf[BANKMAP_LIST];

    bankmap_lanes(mask, buf);
    assert_string_equal(buf, words);
}

static void lanes_in_words(void **state)
{
    (void)state;
    says(0, "");
    says(1, "0");
    says(3, "0, 1");
    says(7, "0-2");
    says(0xffffffff, "0-31");
    says(0x80000000, "31");
    says(0xc0000001, "0, 30, 31");
    says(0x55555555, "0, 2, 4 ... 30");
    says(0x01010101, "0, 8, 16 ... 24");
    says(0x00ff00ff, "0-7, 16-23");
    says(0xa5a5a5a5, "0, 2, 5, 7, 8, 10, 13 and 9 more");
    says(0xdb6db6db, "0, 1, 3, 4, 6, 7, 9, 10, 12, 13, 15, 16 and 10 more");
}

static void transactions_in_words(void **state)
{
    struct rules_lines l = {.transactions = {3, 0, 12}};
    char buf[48];

    (void)state;
    bankmap_transactions(&l, buf);
    assert_string_equal(buf, "12x128+3x32");
    l = (struct rules_lines){.transactions = {0, 1, 0}};
    bankmap_transactions(&l, buf);
    assert_string_equal(buf, "1x64");
    l = (struct rules_lines){0};
    bankmap_transactions(&l, buf);
    assert_string_equal(buf, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families_agree),
        cmocka_unit_test(pictures_are_complete),
        cmocka_unit_test(merged_groups),
        cmocka_unit_test(lanes_in_words),
        cmocka_unit_test(transactions_in_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
