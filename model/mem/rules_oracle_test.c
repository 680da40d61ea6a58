/* The rules of every capability against brute force (rules_oracle.h) on random
 * accesses.
 *
 *   test_mem_rules_oracle [PART [ROUNDS [CC]]]   PART: one of parts[] below, or all;
 *                                                ROUNDS: accesses per case, 100,000;
 *                                                CC: 10 * major + minor, 0: every one
 *
 * A case is an operation, a width, a bank mode, a choice of broadcast words and a
 * 128-bit rule. Capabilities whose shared memory is the same by the guides are asked
 * about the same accesses: the first is judged, the others must agree (where
 * configuration changes the rule, they are asked in turn). */
#include "mem/rules_oracle.h"

#include "mem/rules_draw_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 100000, MAX_FAMILY = 24 };

struct job {
    uint64_t rounds;
    uint32_t cc; /* 0: every one */
};

static struct job job_of(void **state)
{
    return *(const struct job *)*state;
}

/* ---- what went wrong ---- */

static void print_access(const struct rules_access *a)
{
    print_error("op %u, %u bytes, mode %u, in_l1 %d, mask %08x:", a->op, a->bytes,
                a->bank_mode, a->in_l1, a->mask);
    for (uint32_t i = 0; i < ISA_LANES; i++) {
        print_error(" %llu", (unsigned long long)a->addr[i]);
    }
    print_error("\n");
}

static void fail_shared(const struct oracle_device *d, const struct rules_access *a,
                        const struct rules_waves *w, const char *why)
{
    print_error("%u.%u (broadcast %u, 128 bits: %u lanes + %d) is wrong in: %s\n",
                d->cc / 10, d->cc % 10, d->broadcast, d->lanes_128, d->extra_128, why);
    print_access(a);
    print_error("n %u ideal %u degree %u depth %u rounds %u\n", w->n, w->ideal,
                w->degree, w->depth, w->rounds);
    for (uint32_t p = 0; p < w->n && p < RULES_MAX_WAVES; p++) {
        print_error("  %u: %08x %08x %08x %08x\n", w->kind[p], w->lanes[p][0],
                    w->lanes[p][1], w->lanes[p][2], w->lanes[p][3]);
    }
    fail();
}

static void fail_lines(uint32_t cc, const struct rules_access *a,
                       const struct rules_lines *l, const char *why)
{
    print_error("%u.%u is wrong in: %s\n", cc / 10, cc % 10, why);
    print_access(a);
    print_error("n %u requests %u sectors %u lines %u transactions %u %u %u moved %u\n",
                l->n, l->requests, l->sectors, l->lines, l->transactions[0],
                l->transactions[1], l->transactions[2], l->moved);
    for (uint32_t i = 0; i < l->n && i < 2 * ISA_LANES; i++) {
        print_error("  %llx: lanes %08x sectors %x bytes %016llx%016llx\n",
                    (unsigned long long)l->line[i].addr, l->line[i].lanes,
                    l->line[i].sectors, (unsigned long long)l->line[i].bytes[1],
                    (unsigned long long)l->line[i].bytes[0]);
    }
    fail();
}

/* ---- shared memory ---- */

struct family { /* capabilities with one rule */
    struct oracle_device d;
    struct rules_cc cc[MAX_FAMILY];
    uint32_t n;
    bool in_turn; /* the relatives are asked by turns, not all each time */
};

/* The capabilities from low to high that the job asks for, as the table has them. */
static void make_family(struct family *f, uint32_t low, uint32_t high, struct job job)
{
    f->n = 0;
    f->in_turn = false;
    for (uint32_t i = 0; rules_entry(i) != NULL; i++) {
        const struct rules_cc *r = rules_entry(i);

        if (r->cc >= low && r->cc <= high && (job.cc == 0 || job.cc == r->cc)) {
            assert_true(f->n < MAX_FAMILY);
            f->cc[f->n++] = *r;
        }
    }
    f->d = oracle_device(f->n == 0 ? low : f->cc[0].cc);
}

static bool same_waves(const struct rules_waves *x, const struct rules_waves *y)
{
    return x->n == y->n && x->ideal == y->ideal && x->degree == y->degree &&
           x->depth == y->depth && x->rounds == y->rounds &&
           memcmp(x->kind, y->kind, x->n * sizeof(x->kind[0])) == 0 &&
           memcmp(x->lanes, y->lanes, x->n * sizeof(x->lanes[0])) == 0;
}

/* Of loads and stores of up to 32 bits, except for loads of 1.x: banks with more than
 * one row of some group. Of all others: there are some if there is a conflict. */
static void check_crowded(const struct rules_cc *r, const struct rules_access *a,
                          const struct rules_waves *w)
{
    struct bank_set crowded = rules_crowded(r, a, 0, w), many = {{0}}, seen = {{0}};
    uint32_t group = 0, row[BANKS_MAX];

    if (a->bytes > 4 || a->op >= MEM_ATOM || (r->one_broadcast && a->op == MEM_LOAD)) {
        if (bank_set_is_empty(&crowded) == (w->n > w->ideal) && !r->extra_way_128) {
            fail_msg("%u.%u: %u banks are in conflict, %u passes for %u", r->cc / 10,
                     r->cc % 10, bank_set_count(&crowded), w->n, w->ideal);
        }
        return;
    }
    for (uint32_t m = a->mask; m != 0; m &= m - 1) {
        uint32_t word = (uint32_t)(a->addr[__builtin_ctz(m)] / 4);
        uint32_t bank = rules_bank(r, a->bank_mode, word);
        uint32_t g = (uint32_t)__builtin_ctz(m) / r->group_lanes;
        uint32_t at = rules_row(r, a->bank_mode, word);

        if (g != group) {
            seen = (struct bank_set){{0}};
        }
        group = g;
        if (bank_set_has(&seen, bank) && row[bank] != at) {
            bank_set_add(&many, bank);
        }
        bank_set_add(&seen, bank);
        row[bank] = at;
    }
    assert_memory_equal(&crowded, &many, sizeof(many));
}

/* turn: of the relative that is asked, if only one is. */
static void check_family(const struct family *f, const struct rules_access *a,
                         uint64_t turn)
{
    struct rules_waves w, other;
    const char *why;

    w.n = UINT32_MAX;
    rules_shared(&f->cc[0], a, &w);
    why = oracle_shared(&f->d, a, &w);
    if (why != NULL) {
        fail_shared(&f->d, a, &w, why);
    }
    check_crowded(&f->cc[0], a, &w);
    for (uint32_t i = 1; i < f->n; i++) {
        if (f->in_turn && i != 1 + turn % (f->n - 1)) {
            continue;
        }
        rules_shared(&f->cc[i], a, &other);
        if (!same_waves(&w, &other)) {
            struct oracle_device d = f->d;

            d.cc = f->cc[i].cc;
            fail_shared(&d, a, &other, "not as its relatives");
        }
    }
}

static void check_random(const struct family *f, uint32_t op, uint32_t bytes,
                         uint32_t mode, uint64_t rounds)
{
    uint64_t addr[ISA_LANES];
    uint64_t seed = 1 + f->d.cc + op * 100 + bytes * 1000 + mode * 100000;
    struct rules_access a = {.op = (uint8_t)op,
                             .bytes = (uint8_t)bytes,
                             .bank_mode = (uint8_t)mode,
                             .addr = addr};

    for (uint64_t i = 0; i < rounds && f->n != 0; i++) {
        rules_draw_addr(addr, bytes, &seed);
        a.mask = rules_draw_mask(&seed);
        a.counts = op == MEM_RED && i % 2 == 1;
        check_family(f, &a, i);
    }
}

static void check_widths(const struct family *f, uint32_t op, uint32_t mode,
                         uint64_t rounds)
{
    for (uint32_t bytes = 1; bytes <= 16; bytes *= 2) {
        check_random(f, op, bytes, mode, rounds);
    }
}

/* The other rules for 128 bits that configuration offers. */
static void check_128(struct family *f, uint32_t mode, uint64_t rounds)
{
    static const struct {
        uint32_t lanes;
        bool extra;
    } rules[] = {{8, false}, {8, true}, {16, false}};

    for (uint32_t k = 0; k < ARRAY_LEN(rules); k++) {
        if (rules[k].lanes == f->d.lanes_128 && rules[k].extra == f->d.extra_128) {
            continue;
        }
        struct family g = *f;

        g.in_turn = true;
        g.d.lanes_128 = rules[k].lanes;
        g.d.extra_128 = rules[k].extra;
        for (uint32_t i = 0; i < g.n; i++) {
            g.cc[i].group_lanes_128 = rules[k].lanes;
            g.cc[i].extra_way_128 = rules[k].extra;
        }
        check_random(&g, MEM_LOAD, 16, mode, rounds);
        check_random(&g, MEM_STORE, 16, mode, rounds);
    }
}

static void set_broadcast(struct family *f, enum rules_broadcast b)
{
    f->d.broadcast = b;
    f->in_turn = b != RULES_FIRST_LANE;
    for (uint32_t i = 0; i < f->n; i++) {
        f->cc[i].broadcast = b;
    }
}

static void shared_1x(void **state)
{
    struct job job = job_of(state);
    struct family f, atomics;

    make_family(&f, 10, 19, job);
    make_family(&atomics, 12, 19, job); /* 32 bits: wider ones came with 2.0 */
    check_widths(&f, MEM_STORE, 4, job.rounds);
    for (uint32_t b = RULES_FIRST_LANE; b <= RULES_ADVERSARIAL; b++) {
        set_broadcast(&f, (enum rules_broadcast)b);
        set_broadcast(&atomics, (enum rules_broadcast)b);
        check_widths(&f, MEM_LOAD, 4, job.rounds);
        check_random(&atomics, MEM_ATOM, 4, 4, job.rounds);
    }
    check_random(&atomics, MEM_RED, 4, 4, job.rounds / 10);
}

static void shared_2x(void **state)
{
    struct job job = job_of(state);
    struct family f;

    make_family(&f, 20, 29, job);
    check_widths(&f, MEM_LOAD, 4, job.rounds);
    check_widths(&f, MEM_STORE, 4, job.rounds);
    check_random(&f, MEM_ATOM, 4, 4, job.rounds);
    check_random(&f, MEM_ATOM, 8, 4, job.rounds);
    check_random(&f, MEM_RED, 4, 4, job.rounds / 10);
    check_128(&f, 4, job.rounds);
}

static void shared_3x(void **state)
{
    struct job job = job_of(state);
    struct family f;

    make_family(&f, 30, 49, job);
    for (uint32_t mode = 4; mode <= 8; mode += 4) {
        check_widths(&f, MEM_LOAD, mode, job.rounds);
        check_widths(&f, MEM_STORE, mode, job.rounds);
        check_random(&f, MEM_ATOM, 4, mode, job.rounds);
        check_random(&f, MEM_ATOM, 8, mode, job.rounds);
        check_random(&f, MEM_RED, 4, mode, job.rounds / 10);
        check_128(&f, mode, job.rounds);
    }
}

static void shared_5x(void **state)
{
    struct job job = job_of(state);
    struct family f;

    make_family(&f, 50, UINT32_MAX, job);
    check_widths(&f, MEM_LOAD, 4, job.rounds);
    check_widths(&f, MEM_STORE, 4, job.rounds);
    check_random(&f, MEM_ATOM, 4, 4, job.rounds);
    check_random(&f, MEM_ATOM, 8, 4, job.rounds);
    check_random(&f, MEM_ATOM, 2, 4, job.rounds / 10); /* cas.b16 */
    check_random(&f, MEM_RED, 4, 4, job.rounds / 10);
    check_128(&f, 4, job.rounds);
}

/* Every operation and width of a device that has so many banks with such words. */
static void check_banks(const struct family *f, uint32_t mode, uint64_t rounds)
{
    check_widths(f, MEM_LOAD, mode, rounds);
    check_widths(f, MEM_STORE, mode, rounds);
    if (f->d.cc >= 12) {
        check_random(f, MEM_ATOM, 4, mode, rounds);
        check_random(f, MEM_RED, 4, mode, rounds);
    }
    if (f->d.cc >= 20) {
        check_random(f, MEM_ATOM, 8, mode, rounds);
    }
}

/* Banks that no capability has: SPEC BANK-13. */
static void shared_what_if(void **state)
{
    static const uint32_t from[] = {12, 20, 30, 50}, to[] = {19, 29, 49, UINT32_MAX};
    struct job job = job_of(state);

    for (uint32_t k = 0; k < ARRAY_LEN(from); k++) {
        struct family f;

        make_family(&f, from[k], to[k], job);
        f.in_turn = true;
        for (f.d.banks = 16; f.d.banks <= BANKS_MAX; f.d.banks *= 2) {
            for (uint32_t i = 0; i < f.n; i++) {
                f.cc[i].banks = f.d.banks;
            }
            for (uint32_t mode = 4; mode <= 16; mode *= 2) {
                check_banks(&f, mode, job.rounds / 20);
            }
        }
    }
}

/* Banks and rows, of every word that an array can have. */
static void places(void **state)
{
    struct job job = job_of(state);
    struct family f;

    make_family(&f, 0, UINT32_MAX, job);
    for (uint32_t i = 0; i < f.n; i++) {
        const struct oracle_device d = oracle_device(f.cc[i].cc);

        for (uint32_t mode = 4; mode <= f.cc[i].bank_bytes; mode += 4) {
            for (uint32_t w = 0; w < 256 * 1024 / 4; w++) {
                uint32_t bank, row;

                oracle_place(&d, mode, w, &bank, &row);
                assert_int_equal(rules_bank(&f.cc[i], mode, w), bank);
                assert_int_equal(rules_row(&f.cc[i], mode, w), row);
            }
        }
    }
}

/* A choice of broadcast words is one of all: no fewer passes than the best, no more
 * than the worst. The adversarial one is a greedy choice and not always the worst. */
static void broadcast_worst(void **state)
{
    struct job job = job_of(state);
    uint64_t addr[ISA_LANES] = {0}, seed = 99, less = 0, short_of = 0, best = 0;
    struct rules_access a = {.op = MEM_LOAD, .bytes = 4, .bank_mode = 4, .addr = addr};
    struct family f;

    make_family(&f, 10, 19, job);
    for (uint64_t i = 0; i < job.rounds && f.n != 0; i++) {
        uint32_t words = 1 + rand_below(&seed, 8), banks = 1 + rand_below(&seed, 6);
        uint32_t fewest, most, n[3];

        a.mask = rand_next(&seed) & 0xffff;
        while (__builtin_popcount(a.mask) > 8) {
            a.mask &= a.mask - 1;
        }
        for (uint32_t k = 0; k < 16; k++) {
            uint32_t w = rand_below(&seed, words);

            addr[k] = 4 * (w % banks + 16 * (w / banks));
        }
        oracle_broadcast_range(&a, &fewest, &most);
        for (uint32_t b = RULES_FIRST_LANE; b <= RULES_ADVERSARIAL; b++) {
            struct rules_waves w;

            set_broadcast(&f, (enum rules_broadcast)b);
            rules_shared(&f.cc[0], &a, &w);
            n[b] = w.n;
            if (w.n < fewest || w.n > most) {
                fail_shared(&f.d, &a, &w, "not a choice of broadcast words");
            }
        }
        less += n[RULES_ADVERSARIAL] < most;
        if (most - n[RULES_ADVERSARIAL] > short_of) {
            short_of = most - n[RULES_ADVERSARIAL];
        }
        best += n[RULES_MOST_LANES] == fewest;
    }
    print_message(
        "of %llu half-warps: adversarial is below the worst in %llu, by %llu at "
        "most; most lanes is the best in %llu\n",
        (unsigned long long)job.rounds, (unsigned long long)less,
        (unsigned long long)short_of, (unsigned long long)best);
}

/* ---- global, local and constant memory ---- */

static bool same_lines(const struct rules_lines *x, const struct rules_lines *y)
{
    return x->n == y->n && x->requests == y->requests && x->sectors == y->sectors &&
           x->lines == y->lines && x->moved == y->moved &&
           memcmp(x->transactions, y->transactions, sizeof(x->transactions)) == 0 &&
           memcmp(x->line, y->line, x->n * sizeof(x->line[0])) == 0;
}

static void check_lines(const struct family *f, const struct rules_access *a)
{
    struct rules_lines l, other;
    const char *why;

    l.n = UINT32_MAX;
    rules_global(&f->cc[0], a, &l);
    why = oracle_global(f->cc[0].cc, a, &l);
    if (why != NULL) {
        fail_lines(f->cc[0].cc, a, &l, why);
    }
    for (uint32_t i = 1; i < f->n; i++) {
        rules_global(&f->cc[i], a, &other);
        if (!same_lines(&l, &other)) {
            fail_lines(f->cc[i].cc, a, &other, "not as its relatives");
        }
    }
}

/* One operation and width on capabilities of one rule. */
static void global_random(const struct family *f, uint32_t op, uint32_t bytes,
                          bool in_l1, uint64_t rounds)
{
    uint64_t addr[ISA_LANES];
    uint64_t seed = 7 + f->d.cc + op * 100 + bytes * 1000 + in_l1;
    struct rules_access a = {.op = (uint8_t)op,
                             .bytes = (uint8_t)bytes,
                             .in_l1 = in_l1,
                             .addr = addr};

    for (uint64_t i = 0; i < rounds && f->n != 0; i++) {
        uint64_t base = (uint64_t)(0x10000 + rand_below(&seed, 64)) << 8;

        rules_draw_addr(addr, bytes, &seed);
        a.mask = rules_draw_mask(&seed);
        a.counts = op == MEM_RED && i % 2 == 1;
        for (uint32_t k = 0; k < ISA_LANES; k++) {
            addr[k] += base;
        }
        check_lines(f, &a);
    }
}

static void global_family(struct job job, uint32_t low, uint32_t high)
{
    struct family f;

    make_family(&f, low, high, job);
    for (uint32_t bytes = 1; bytes <= 16; bytes *= 2) {
        global_random(&f, MEM_LOAD, bytes, false, job.rounds);
        global_random(&f, MEM_STORE, bytes, false, job.rounds);
        if (low >= 20) {
            global_random(&f, MEM_LOAD, bytes, true, job.rounds);
        }
    }
    for (uint32_t bytes = 4; bytes <= 8; bytes *= 2) {
        global_random(&f, MEM_ATOM, bytes, false, job.rounds);
        global_random(&f, MEM_RED, bytes, false, job.rounds / 10);
    }
}

static void global_1x(void **state)
{
    global_family(job_of(state), 10, 11);
    global_family(job_of(state), 12, 19);
}

static void global_2x(void **state)
{
    global_family(job_of(state), 20, 29);
    global_family(job_of(state), 30, 49);
}

static void global_5x(void **state)
{
    global_family(job_of(state), 50, 69);
    global_family(job_of(state), 70, UINT32_MAX); /* atomics by turns */
}

static void local_random(void **state)
{
    struct job job = job_of(state);
    uint64_t addr[ISA_LANES], seed = 5;
    struct rules_access a = {.addr = addr};

    for (uint32_t bytes = 1; bytes <= 16; bytes *= 2) {
        a.bytes = (uint8_t)bytes;
        for (uint64_t i = 0; i < job.rounds; i++) {
            struct rules_lines l;
            const char *why;

            rules_draw_addr(addr, bytes, &seed);
            a.op = i % 2 == 0 ? MEM_LOAD : MEM_STORE;
            a.mask = rules_draw_mask(&seed);
            for (uint32_t k = 0; k < ISA_LANES; k++) {
                addr[k] |= MEM_LOCAL_BIT;
            }
            l.n = UINT32_MAX;
            rules_local(&a, &l);
            why = oracle_local(&a, &l);
            if (why != NULL) {
                fail_lines(0, &a, &l, why);
            }
        }
    }
}

static void const_random(void **state)
{
    struct job job = job_of(state);
    uint64_t addr[ISA_LANES], order[ISA_LANES], seed = 6;
    struct rules_access a = {.op = MEM_LOAD, .addr = addr};
    struct family f;
    uint32_t served;

    make_family(&f, 0, UINT32_MAX, job);
    for (uint32_t bytes = 1; bytes <= 16; bytes *= 2) {
        a.bytes = (uint8_t)bytes;
        for (uint64_t i = 0; i < job.rounds; i++) {
            const struct rules_cc *r = &f.cc[i % f.n];

            rules_draw_addr(addr, bytes, &seed);
            a.mask = rules_draw_mask(&seed);
            served = rules_const_addrs(r, &a, order);
            if (oracle_const(r->cc, &a, served) != NULL) {
                print_access(&a);
                fail_msg("%u requests on %u", served, r->cc);
            }
        }
    }
}

int main(int argc, char **argv)
{
    struct job job = {ROUNDS, 0};
    struct CMUnitTest parts[] = {
        cmocka_unit_test_prestate(shared_1x, &job),
        cmocka_unit_test_prestate(shared_2x, &job),
        cmocka_unit_test_prestate(shared_3x, &job),
        cmocka_unit_test_prestate(shared_5x, &job),
        cmocka_unit_test_prestate(shared_what_if, &job),
        cmocka_unit_test_prestate(places, &job),
        cmocka_unit_test_prestate(broadcast_worst, &job),
        cmocka_unit_test_prestate(global_1x, &job),
        cmocka_unit_test_prestate(global_2x, &job),
        cmocka_unit_test_prestate(global_5x, &job),
        cmocka_unit_test_prestate(local_random, &job),
        cmocka_unit_test_prestate(const_random, &job),
    };

    if (argc > 1 && strcmp(argv[1], "all") != 0) {
        bool known = false;

        for (uint32_t i = 0; i < ARRAY_LEN(parts); i++) {
            known |= strcmp(parts[i].name, argv[1]) == 0;
        }
        if (!known) {
            return 2;
        }
        cmocka_set_test_filter(argv[1]);
    }
    if (argc > 2) {
        job.rounds = strtoull(argv[2], NULL, 10);
    }
    if (argc > 3) {
        job.cc = (uint32_t)strtoul(argv[3], NULL, 10);
    }
    return cmocka_run_group_tests(parts, NULL, NULL);
}
