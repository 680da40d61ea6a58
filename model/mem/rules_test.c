/* The rules of compute capability 2.0 against a brute-force oracle written from the
 * programming guide (appendix F.4.2, F.4.3), not from rules.c. */
#include "mem/rules.h"

#include "mem/rand_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { BANKS = 32, ROUNDS = 100000 };

struct access {
    uint32_t op, bytes, mask;
    uint64_t addr[PTX_LANES];
};

static uint32_t group_lanes(uint32_t bytes)
{
    return bytes == 16 ? 8 : bytes == 8 ? 16 : 32;
}

static uint32_t words_of(uint32_t bytes)
{
    return bytes < 4 ? 1 : bytes / 4;
}

static bool is_active(const struct access *a, uint32_t lane)
{
    return (a->mask >> lane & 1u) != 0;
}

/* ---- random accesses ---- */

static void draw_addresses(struct access *a, uint64_t *seed)
{
    uint32_t kind = rand_below(seed, 7);
    uint64_t base = rand_below(seed, 49152 / 16) * 16u;
    uint32_t stride = rand_below(seed, 80);
    uint32_t few = 1 + rand_below(seed, 4);

    for (uint32_t i = 0; i < PTX_LANES; i++) {
        uint64_t at = 0;

        switch (kind) {
        case 0: at = rand_below(seed, 49152); break;                   /* anywhere */
        case 1: at = base + rand_below(seed, 256); break;              /* clustered */
        case 2: at = base + (uint64_t)i * stride * a->bytes; break;    /* strided */
        case 3: at = base + (i % few) * 128u; break;                   /* broadcast */
        case 4: at = rand_below(seed, 64) * 128u + (base & 64); break; /* one bank */
        case 5: at = base + (i ^ (stride & 31)) * a->bytes; break;     /* permuted */
        default: at = base + i / few * 4u + rand_below(seed, 4); break;
        }
        a->addr[i] = at / a->bytes * a->bytes;
    }
}

/* ---- the oracle of shared memory ---- */

struct verdict {
    uint32_t passes, groups, worst;
};

/* The passes one group of lanes needs: for each bank, the distinct words that lie in it
 * (loads, stores), or the lanes that touch it (atomics); the worst bank counts. */
static uint32_t worst_bank(const struct access *a, uint32_t first, uint32_t lanes)
{
    static uint64_t seen[BANKS][PTX_LANES * 4];
    uint32_t n[BANKS] = {0}, worst = 0;

    for (uint32_t lane = first; lane < first + lanes; lane++) {
        for (uint32_t i = 0; i < words_of(a->bytes) && is_active(a, lane); i++) {
            uint64_t word = a->addr[lane] / 4 + i;
            uint32_t bank = (uint32_t)(word % BANKS);
            uint32_t k = 0;

            while (k < n[bank] && (a->op >= MEM_ATOM || seen[bank][k] != word)) {
                k++;
            }
            if (k == n[bank]) {
                seen[bank][n[bank]++] = word;
            }
            worst = n[bank] > worst ? n[bank] : worst;
        }
    }
    return worst;
}

static struct verdict judge(const struct access *a)
{
    struct verdict v = {0, 0, 0};
    uint32_t lanes = group_lanes(a->bytes);

    for (uint32_t first = 0; first < PTX_LANES; first += lanes) {
        uint32_t worst = worst_bank(a, first, lanes);

        if (worst == 0) {
            continue;
        }
        v.groups++;
        v.passes += worst + (a->bytes == 16 ? 1 : 0);
        v.worst = worst > v.worst ? worst : v.worst;
    }
    return v;
}

/* No pass mixes groups, or asks one bank for two words (for two lanes, if atomic). */
static void check_pass(const struct access *a, const uint32_t lanes[4])
{
    bool used[BANKS] = {false};
    uint64_t word_of[BANKS] = {0};
    uint32_t group = UINT32_MAX;

    for (uint32_t lane = 0; lane < PTX_LANES; lane++) {
        for (uint32_t i = 0; i < 4; i++) {
            uint64_t word = a->addr[lane] / 4 + i;
            uint32_t bank = (uint32_t)(word % BANKS);

            if ((lanes[i] >> lane & 1u) == 0) {
                continue;
            }
            if (group != UINT32_MAX && group != lane / group_lanes(a->bytes)) {
                fail_msg("a pass mixes groups");
            }
            group = lane / group_lanes(a->bytes);
            if (used[bank] && (a->op >= MEM_ATOM || word_of[bank] != word)) {
                fail_msg("bank %u is asked twice", bank);
            }
            used[bank] = true;
            word_of[bank] = word;
        }
    }
}

static void check_shared(const struct rules_cc *r, const struct access *a)
{
    static struct rules_waves w;
    struct verdict v = judge(a);
    uint32_t served[4] = {0}, empty = 0;

    memset(&w, 0xa5, sizeof(w)); /* nothing may depend on what was there */
    rules_shared(r, a->op, a->bytes, a->mask, a->addr, &w);
    assert_int_equal(w.n, v.passes);
    assert_int_equal(w.ideal, v.groups);
    assert_int_equal(w.degree, v.worst);
    for (uint32_t p = 0; p < w.n; p++) {
        uint32_t any = 0, again = 0;

        for (uint32_t i = 0; i < 4; i++) {
            again |= served[i] & w.lanes[p][i];
            served[i] |= w.lanes[p][i];
            any |= w.lanes[p][i];
        }
        assert_int_equal(again, 0); /* once only */
        empty += any == 0;
        check_pass(a, w.lanes[p]);
    }
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(served[i], i < words_of(a->bytes) ? a->mask : 0);
    }
    assert_int_equal(empty, a->bytes == 16 ? v.groups : 0);
}

static void shared_random(uint32_t op, uint32_t bytes)
{
    const struct rules_cc *r = rules_find(20);
    uint64_t seed = 1 + op * 100 + bytes;
    struct access a = {.op = op, .bytes = bytes};

    for (uint32_t i = 0; i < ROUNDS; i++) {
        a.mask = rand_mask(&seed);
        draw_addresses(&a, &seed);
        check_shared(r, &a);
    }
}

static void shared_loads(void **state)
{
    (void)state;
    for (uint32_t bytes = 1; bytes <= 16; bytes *= 2) {
        shared_random(MEM_LOAD, bytes);
    }
}

static void shared_stores(void **state)
{
    (void)state;
    for (uint32_t bytes = 1; bytes <= 16; bytes *= 2) {
        shared_random(MEM_STORE, bytes);
    }
}

static void shared_atomics(void **state)
{
    (void)state;
    shared_random(MEM_ATOM, 2);
    shared_random(MEM_ATOM, 4);
    shared_random(MEM_ATOM, 8);
    shared_random(MEM_RED, 4);
    shared_random(MEM_RED, 8);
}

static void shared_nobody(void **state)
{
    struct rules_waves w;
    uint64_t addr[PTX_LANES] = {0};

    (void)state;
    for (uint32_t bytes = 1; bytes <= 16; bytes *= 2) {
        rules_shared(rules_find(20), MEM_LOAD, bytes, 0, addr, &w);
        assert_int_equal(w.n, 0);
        assert_int_equal(w.ideal, 0);
        assert_int_equal(w.degree, 0);
    }
}

/* Element index = tid / div % mod * mul. Passes and groups as the guide states them, or
 * as its rule gives them. */
static const struct {
    const char *name;
    uint32_t bytes, mul, div, mod, passes, groups;
} shared_cases[] = {
    {"stride1", 4, 1, 1, 32, 1, 1},        {"stride2", 4, 2, 1, 32, 2, 1},
    {"stride3", 4, 3, 1, 32, 1, 1},        {"stride4", 4, 4, 1, 32, 4, 1},
    {"stride5", 4, 5, 1, 32, 1, 1},        {"stride6", 4, 6, 1, 32, 2, 1},
    {"stride7", 4, 7, 1, 32, 1, 1},        {"stride8", 4, 8, 1, 32, 8, 1},
    {"stride9", 4, 9, 1, 32, 1, 1},        {"stride10", 4, 10, 1, 32, 2, 1},
    {"stride11", 4, 11, 1, 32, 1, 1},      {"stride12", 4, 12, 1, 32, 4, 1},
    {"stride13", 4, 13, 1, 32, 1, 1},      {"stride14", 4, 14, 1, 32, 2, 1},
    {"stride15", 4, 15, 1, 32, 1, 1},      {"stride16", 4, 16, 1, 32, 16, 1},
    {"stride17", 4, 17, 1, 32, 1, 1},      {"stride31", 4, 31, 1, 32, 1, 1},
    {"stride32", 4, 32, 1, 32, 32, 1},     {"stride33", 4, 33, 1, 32, 1, 1},
    {"stride34", 4, 34, 1, 32, 2, 1},      {"stride48", 4, 48, 1, 32, 16, 1},
    {"stride64", 4, 64, 1, 32, 32, 1},     {"char tid", 1, 1, 1, 32, 1, 1},
    {"char 4 tid", 1, 4, 1, 32, 1, 1},     {"short tid", 2, 1, 1, 32, 1, 1},
    {"same word", 4, 0, 1, 32, 1, 1},      {"one word per half", 4, 1, 16, 32, 1, 1},
    {"pairs", 4, 1, 2, 32, 1, 1},          {"quads", 4, 1, 4, 32, 1, 1},
    {"words 0 and 1", 4, 1, 1, 2, 1, 1},   {"words 0 and 16", 4, 16, 1, 2, 1, 1},
    {"words 0 and 32", 4, 32, 1, 2, 2, 1}, {"words 0 and 64", 4, 64, 1, 2, 2, 1},
    {"double tid", 8, 1, 1, 32, 2, 2},     {"double 2 tid", 8, 2, 1, 32, 4, 2},
    {"double 3 tid", 8, 3, 1, 32, 2, 2},   {"double 16 tid", 8, 16, 1, 32, 32, 2},
    {"float4 tid", 16, 1, 1, 32, 8, 4},
};

static void shared_known(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < ARRAY_LEN(shared_cases); k++) {
        struct access a = {.bytes = shared_cases[k].bytes, .mask = UINT32_MAX};
        struct rules_waves w;

        for (uint32_t i = 0; i < PTX_LANES; i++) {
            a.addr[i] = (uint64_t)(i / shared_cases[k].div % shared_cases[k].mod) *
                        shared_cases[k].mul * a.bytes;
        }
        for (a.op = MEM_LOAD; a.op <= MEM_STORE; a.op++) {
            rules_shared(rules_find(20), a.op, a.bytes, a.mask, a.addr, &w);
            if (w.n != shared_cases[k].passes || w.ideal != shared_cases[k].groups) {
                fail_msg("%s: %u passes, %u groups", shared_cases[k].name, w.n,
                         w.ideal);
            }
            check_shared(rules_find(20), &a);
        }
    }
}

/* ---- the oracle of global memory ---- */

struct wanted_line { /* what a group's lanes want of one line */
    uint32_t lanes;
    bool byte[MEM_LINE];
};

static void collect(const struct access *a, uint32_t first, uint64_t line,
                    struct wanted_line *w)
{
    memset(w, 0, sizeof(*w));
    for (uint32_t lane = first; lane < first + group_lanes(a->bytes); lane++) {
        if (!is_active(a, lane) || a->addr[lane] / MEM_LINE != line / MEM_LINE) {
            continue; /* an aligned access lies in one line */
        }
        w->lanes |= 1u << lane;
        for (uint32_t b = 0; b < a->bytes; b++) {
            w->byte[a->addr[lane] % MEM_LINE + b] = true;
        }
    }
}

/* Line l serves what its group wants of it; returns its sectors. */
static uint32_t check_line(const struct access *a, uint32_t first,
                           const struct rules_line *l)
{
    struct wanted_line w;
    uint32_t sectors = 0, wrong = 0;

    assert_int_equal(l->addr % MEM_LINE, 0);
    collect(a, first, l->addr, &w);
    assert_int_not_equal(w.lanes, 0);
    assert_int_equal(l->lanes, w.lanes);
    for (uint32_t b = 0; b < MEM_LINE; b++) {
        wrong += mem_byte_is_set(l->bytes, b) != w.byte[b];
        sectors |= w.byte[b] ? 1u << b / MEM_SECTOR : 0;
    }
    assert_int_equal(wrong, 0);
    assert_int_equal(l->sectors, sectors);
    return (uint32_t)__builtin_popcount(sectors);
}

static void check_global(const struct rules_cc *r, const struct access *a)
{
    static struct rules_lines out;
    uint32_t lanes = group_lanes(a->bytes);
    uint32_t at = 0, requests = 0, sectors = 0;

    memset(&out, 0xa5, sizeof(out));
    rules_global(r, a->bytes, a->mask, a->addr, &out);
    for (uint32_t first = 0; first < PTX_LANES; first += lanes) {
        uint32_t group = (lanes == 32 ? UINT32_MAX : (1u << lanes) - 1) << first;
        uint32_t left = a->mask & group; /* lanes partition: none crosses a line */
        uint32_t begin = at;

        requests += left != 0;
        for (; at < out.n && left != 0; at++) {
            uint32_t again = 0;

            for (uint32_t k = begin; k < at; k++) {
                again += out.line[k].addr == out.line[at].addr;
            }
            assert_int_equal(again, 0);
            assert_int_equal(out.line[at].lanes & ~left, 0);
            left &= ~out.line[at].lanes;
            sectors += check_line(a, first, &out.line[at]);
        }
        assert_int_equal(left, 0);
    }
    assert_int_equal(at, out.n);
    assert_int_equal(out.requests, requests);
    assert_int_equal(out.sectors, sectors);
}

static void global_random(void **state)
{
    const struct rules_cc *r = rules_find(20);
    uint64_t seed = 77;

    (void)state;
    for (uint32_t bytes = 1; bytes <= 16; bytes *= 2) {
        struct access a = {.bytes = bytes};

        for (uint32_t i = 0; i < ROUNDS; i++) {
            uint64_t base = i % 3 == 0 ? MEM_LOCAL_BIT : 0x10000000ull;

            a.mask = i % 1000 == 0 ? 0 : rand_mask(&seed);
            draw_addresses(&a, &seed);
            for (uint32_t k = 0; k < PTX_LANES; k++) {
                a.addr[k] += base;
            }
            check_global(r, &a);
        }
    }
}

/* Element index = (tid ^ flip) * mul + add; lines and sectors of the guide's rule. */
static const struct {
    const char *name;
    uint32_t bytes, mul, add, flip, lines, sectors;
} global_cases[] = {
    {"offset0", 4, 1, 0, 0, 1, 4},       {"offset1", 4, 1, 1, 0, 2, 5},
    {"offset2", 4, 1, 2, 0, 2, 5},       {"offset3", 4, 1, 3, 0, 2, 5},
    {"offset4", 4, 1, 4, 0, 2, 5},       {"offset5", 4, 1, 5, 0, 2, 5},
    {"offset6", 4, 1, 6, 0, 2, 5},       {"offset7", 4, 1, 7, 0, 2, 5},
    {"offset8", 4, 1, 8, 0, 2, 4},       {"offset9", 4, 1, 9, 0, 2, 5},
    {"offset10", 4, 1, 10, 0, 2, 5},     {"offset11", 4, 1, 11, 0, 2, 5},
    {"offset12", 4, 1, 12, 0, 2, 5},     {"offset13", 4, 1, 13, 0, 2, 5},
    {"offset14", 4, 1, 14, 0, 2, 5},     {"offset15", 4, 1, 15, 0, 2, 5},
    {"offset16", 4, 1, 16, 0, 2, 4},     {"offset24", 4, 1, 24, 0, 2, 4},
    {"offset32", 4, 1, 32, 0, 1, 4},     {"stride2", 4, 2, 0, 0, 2, 8},
    {"stride3", 4, 3, 0, 0, 3, 12},      {"stride4", 4, 4, 0, 0, 4, 16},
    {"stride5", 4, 5, 0, 0, 5, 20},      {"stride6", 4, 6, 0, 0, 6, 24},
    {"stride7", 4, 7, 0, 0, 7, 28},      {"stride8", 4, 8, 0, 0, 8, 32},
    {"stride12", 4, 12, 0, 0, 12, 32},   {"stride16", 4, 16, 0, 0, 16, 32},
    {"stride24", 4, 24, 0, 0, 24, 32},   {"stride32", 4, 32, 0, 0, 32, 32},
    {"swapped pairs", 4, 1, 0, 1, 1, 4}, {"reverse", 4, 1, 0, 31, 1, 4},
    {"same", 4, 0, 0, 0, 1, 1},          {"char", 1, 1, 0, 0, 1, 1},
    {"short", 2, 1, 0, 0, 1, 2},         {"double", 8, 1, 0, 0, 2, 8},
    {"float4", 16, 1, 0, 0, 4, 16},      {"first address 132", 4, 1, 33, 0, 2, 5},
};

static void global_known(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < ARRAY_LEN(global_cases); k++) {
        struct access a = {.bytes = global_cases[k].bytes, .mask = UINT32_MAX};
        struct rules_lines out;

        for (uint32_t i = 0; i < PTX_LANES; i++) {
            a.addr[i] =
                4096 + (uint64_t)((i ^ global_cases[k].flip) * global_cases[k].mul +
                                  global_cases[k].add) *
                           a.bytes;
        }
        rules_global(rules_find(20), a.bytes, a.mask, a.addr, &out);
        if (out.n != global_cases[k].lines || out.sectors != global_cases[k].sectors) {
            fail_msg("%s: %u lines, %u sectors", global_cases[k].name, out.n,
                     out.sectors);
        }
        check_global(rules_find(20), &a);
    }
}

/* ---- the table ---- */

static void table(void **state)
{
    (void)state;
    assert_null(rules_find(0));
    assert_null(rules_find(19));
    for (uint32_t i = 0; rules_entry(i) != NULL; i++) {
        const struct rules_cc *r = rules_entry(i);

        assert_ptr_equal(rules_find(r->cc), r);
        assert_true(i == 0 || rules_entry(i - 1)->cc < r->cc);
        assert_true(r->banks == 16 || r->banks == 32);
        for (uint32_t k = 0; k < RULES_MAX_SPLITS && r->split[k].shared != 0; k++) {
            assert_true(r->split[k].shared + r->split[k].l1 <= r->onchip_kb);
        }
        assert_true(r->max_shared_per_block <= r->onchip_kb * 1024);
        assert_int_equal(r->max_shared_per_block % r->shared_unit, 0);
    }
    assert_int_equal(rules_find(20)->max_regs_per_thread, 63);
    assert_int_equal(rules_find(20)->max_warps, 48);
}

/* ---- byte masks of a line ---- */

static void byte_masks(void **state)
{
    uint8_t from[MEM_LINE], to[MEM_LINE];
    uint64_t seed = 5;

    (void)state;
    for (uint32_t at = 0; at < MEM_LINE; at++) {
        for (uint32_t n = 1; n <= 64 && at + n <= MEM_LINE; n++) {
            uint64_t bytes[2] = {0, 0};
            uint32_t full = 0;

            mem_byte_set(bytes, at, n);
            for (uint32_t i = 0; i < MEM_LINE; i++) {
                assert_int_equal(mem_byte_is_set(bytes, i), i >= at && i < at + n);
                from[i] = (uint8_t)(i + 1);
                to[i] = 0;
            }
            for (uint32_t s = 0; s < MEM_SECTORS; s++) {
                full |= (at <= s * 32 && at + n >= s * 32 + 32 ? 1u : 0u) << s;
            }
            assert_int_equal(mem_full_sectors(bytes), full);
            mem_copy_bytes(to, from, bytes);
            for (uint32_t i = 0; i < MEM_LINE; i++) {
                assert_int_equal(to[i], i >= at && i < at + n ? i + 1 : 0);
            }
        }
    }
    for (uint32_t k = 0; k < 1000; k++) { /* any mask */
        uint64_t bytes[2] = {(uint64_t)rand_next(&seed) << 32 | rand_next(&seed),
                             (uint64_t)rand_next(&seed) << 32 | rand_next(&seed)};

        memset(to, 0, sizeof(to));
        mem_copy_bytes(to, from, bytes);
        for (uint32_t i = 0; i < MEM_LINE; i++) {
            assert_int_equal(to[i], mem_byte_is_set(bytes, i) ? from[i] : 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_loads),   cmocka_unit_test(shared_stores),
        cmocka_unit_test(shared_atomics), cmocka_unit_test(shared_nobody),
        cmocka_unit_test(shared_known),   cmocka_unit_test(global_random),
        cmocka_unit_test(global_known),   cmocka_unit_test(table),
        cmocka_unit_test(byte_masks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
