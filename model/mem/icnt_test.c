#include "mem/icnt.h"

#include "mem/port_test.h"

/* One link into the crossbar, one out: a packet sent at t is there at t + 2. */
enum { MAX = 4, FLIT = 32, QUEUE = 4 };

struct rig {
    struct bench b;
    struct icnt *icnt;
    struct sender *sm[MAX], *part[MAX];
    struct receiver *to_sm[MAX], *to_part[MAX];
    uint32_t n_sms, n_parts;
    const struct rules_cc *rules;
};

static void rig_sorts(struct rig *g, uint32_t n_sms, uint32_t n_parts,
                      uint32_t capacity, uint32_t sorted)
{
    static const char *const names[] = {"a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3",
                                        "c0", "c1", "c2", "c3", "d0", "d1", "d2", "d3"};
    struct icnt_config cfg = {.latency = 1,
                              .flit_bytes = FLIT,
                              .queue = QUEUE,
                              .sorted = sorted};

    const struct mem_parts parts = mem_parts_of(n_parts, MEM_UNIT);

    memset(g, 0, sizeof(*g));
    g->n_sms = n_sms;
    g->n_parts = n_parts;
    g->rules = rules_find(n_sms % 2 == 0 ? 13 : 20); /* in turn, or folded */
    bench_init(&g->b);
    g->icnt = icnt_new(&g->b.root, NULL, &cfg, g->rules, n_sms, &parts);
    for (uint32_t i = 0; i < n_sms; i++) {
        g->sm[i] = sender_new(&g->b, NULL, names[i], &mem_line_proto,
                              icnt_from_sm(g->icnt, i), 1);
        g->to_sm[i] = receiver_new(&g->b, NULL, names[4 + i], &mem_line_proto,
                                   icnt_to_sm(g->icnt, i), 1, capacity);
    }
    for (uint32_t i = 0; i < n_parts; i++) {
        g->part[i] = sender_new(&g->b, NULL, names[8 + i], &mem_line_proto,
                                icnt_from_part(g->icnt, i), 1);
        g->to_part[i] = receiver_new(&g->b, NULL, names[12 + i], &mem_line_proto,
                                     icnt_to_part(g->icnt, i), 1, capacity);
    }
}

static void rig_init(struct rig *g, uint32_t n_sms, uint32_t n_parts, uint32_t capacity)
{
    rig_sorts(g, n_sms, n_parts, capacity, 0);
}

static void rig_free(struct rig *g)
{
    bench_finish(&g->b);
    for (uint32_t i = 0; i < g->n_sms; i++) {
        receiver_drain(g->to_sm[i]);
    }
    for (uint32_t i = 0; i < g->n_parts; i++) {
        receiver_drain(g->to_part[i]);
    }
    bench_free(&g->b);
}

static uint32_t part_of_unit(uint64_t addr, const struct mem_parts *parts, bool folds)
{
    const struct icnt_map map = icnt_map_of(parts, folds);

    return icnt_partition(addr, &map);
}

static uint32_t part_of(uint64_t addr, uint32_t n_parts, bool folds)
{
    const struct mem_parts parts = mem_parts_of(n_parts, MEM_UNIT);

    return part_of_unit(addr, &parts, folds);
}

/* A line of this partition. */
static uint64_t line_of(const struct rig *g, uint32_t part)
{
    uint64_t addr = ISA_GLOBAL_BASE;

    while (part_of(addr, g->n_parts, g->rules->folds_partition) != part) {
        addr += 256;
    }
    return addr;
}

/* A request of an SM for a partition; sectors of data or wanted. */
static struct mem_line *ask(struct rig *g, sim_cycle_t at, uint32_t sm, uint32_t part,
                            enum mem_op op, uint32_t sectors)
{
    struct mem_line *t = line_new(&g->b, op, line_of(g, part), 0, sectors * MEM_SECTOR);

    t->sm = (uint8_t)sm;
    sender_add(g->sm[sm], at, t);
    return t;
}

static struct mem_line *reply(struct rig *g, sim_cycle_t at, uint32_t part, uint32_t sm,
                              enum mem_op op, uint32_t sectors)
{
    struct mem_line *t = line_new(&g->b, op, line_of(g, part), 0, sectors * MEM_SECTOR);

    t->sm = (uint8_t)sm;
    sender_add(g->part[part], at, t);
    return t;
}

/* Data takes places at the receiver besides its packet's: of four, two sectors and
 * their packet take three, so that the next such waits for all of them. A load needs
 * one. */
static void places_of_data(void **state)
{
    struct rig g;

    (void)state;
    rig_init(&g, 1, 1, 4);
    icnt_set_places(g.icnt, 1, 4);
    g.to_part[0]->hold = 100;
    (void)ask(&g, 10, 0, 0, MEM_STORE, 2);
    (void)ask(&g, 11, 0, 0, MEM_LOAD, 4);
    (void)ask(&g, 12, 0, 0, MEM_LOAD, 4);
    (void)bench_run(&g.b, 30);
    assert_int_equal(sim_in_level(&g.to_part[0]->in), 2);
    (void)bench_run(&g.b, 100);
    assert_int_equal(g.to_part[0]->n, 2); /* their credits are back at 101 */
    (void)bench_run(&g.b, 101);
    assert_int_equal(sim_in_level(&g.to_part[0]->in), 0);
    (void)bench_run(&g.b, 102);
    assert_int_equal(g.to_part[0]->n, 3);
    rig_free(&g);
}

/* ---- partitions ---- */

static void partition_units(void **state)
{
    uint64_t seed = 1;

    (void)state;
    for (uint32_t k = 0; k < 20000; k++) {
        uint64_t addr = (uint64_t)rand_next(&seed) << 8;
        uint32_t n = 1 + rand_below(&seed, 64);
        bool folds = k % 2 == 0;
        uint32_t p = part_of(addr, n, folds);

        assert_true(p < n);
        assert_int_equal(part_of(addr + 255, n, folds), p);
        assert_int_equal(part_of(addr + 128, n, folds), p);
        assert_int_equal(part_of(addr | MEM_LOCAL_BIT, n, folds), p);
    }
}

/* No two addresses share a partition and an address in it: of every group of n units
 * each partition gets one, at the group's own place, which no other group has. */
static void check_group(const struct mem_parts *parts, uint64_t group, uint64_t space,
                        uint64_t *seed)
{
    const uint32_t n = (uint32_t)parts->n.d, unit = 1u << parts->unit_bits;
    uint64_t got[2] = {0, 0};

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t off = rand_below(seed, unit);
        const uint64_t at = (group * n + i) * unit + off;
        /* of two pieces, the second one lies behind that of the next unit */
        const uint64_t addr =
            space | (unit == MEM_UNIT
                         ? at
                         : (at & ~(uint64_t)768) | (at & 512) / 2 | (at & 256) * 2);

        for (uint32_t folds = 0; folds < 2; folds++) {
            const uint32_t p = part_of_unit(addr, parts, folds != 0);

            assert_false((got[folds] >> p & 1u) != 0);
            got[folds] |= 1ull << p;
        }
        assert_true(mem_part_addr(addr, parts) == (space | (group * unit + off)));
    }
}

static void partition_bijection(void **state)
{
    uint64_t seed = 2;

    (void)state;
    for (uint32_t n = 1; n <= 64; n++) {
        for (uint32_t k = 0; k < 800; k++) {
            const uint64_t group = k < 200 ? k : rand_next(&seed);
            const struct mem_parts parts = mem_parts_of(n, MEM_UNIT << k % 2);

            check_group(&parts, group, k % 3 == 0 ? MEM_LOCAL_BIT : 0, &seed);
        }
    }
}

/* Units of 512 bytes: pieces 0 and 2 of a KB, and 1 and 3, lie together, and no others
 * of 4 KB do. */
static void partition_pairs(void **state)
{
    const struct mem_parts parts = mem_parts_of(40, 2 * MEM_UNIT);

    (void)state;
    for (uint32_t i = 0; i < 16; i++) {
        for (uint32_t k = 0; k < 16; k++) {
            assert_int_equal(part_of_unit(i * 256, &parts, true) ==
                                 part_of_unit(k * 256, &parts, true),
                             i == k || (i ^ k) == 2);
        }
    }
}

/* The most that one partition gets of count accesses, in percent of its share. */
static uint32_t worst_share(uint64_t base, uint64_t stride, uint32_t count, uint32_t n,
                            bool folds)
{
    uint32_t hits[64] = {0}, most = 0;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t p = part_of(base + i * stride, n, folds);

        most = ++hits[p] > most ? hits[p] : most;
    }
    return most * n * 100 / count;
}

/* SPEC PART-1: columns of matrices whose rows are 2^k bytes, from every column on. */
static void fold_spreads(void **state)
{
    static const uint32_t parts[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,
                                     10, 11, 12, 16, 24, 32, 40, 48, 64};
    uint32_t worst = 0;

    (void)state;
    for (uint32_t k = 0; k < ARRAY_LEN(parts); k++) {
        for (uint64_t stride = 256; stride <= 1u << 20; stride *= 2) {
            for (uint32_t count = 256; count <= 4096; count *= 2) {
                for (uint32_t column = 0; column < 4; column++) {
                    uint64_t base = ISA_GLOBAL_BASE + column * (stride / 4);
                    uint32_t share = worst_share(base, stride, count, parts[k], true);

                    worst = share > worst ? share : worst;
                }
            }
        }
    }
    print_message("a partition gets at most %u %% of its share\n", worst);
    assert_in_range(worst, 100, 160);
}

/* Consecutive units go to every partition in turn, folded or not. */
static void rows_spread(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 64; n++) {
        for (uint32_t folds = 0; folds < 2; folds++) {
            uint32_t share = worst_share(0, MEM_UNIT, 32 * n, n, folds != 0);

            assert_int_equal(share, 100);
        }
    }
}

/* Before Fermi a stride of all partitions' units stays in one: camping. */
static void round_robin_camps(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 12; n++) {
        for (uint32_t k = 1; k <= 8; k++) {
            uint64_t stride = (uint64_t)k * n * MEM_UNIT;

            assert_int_equal(worst_share(ISA_GLOBAL_BASE, stride, 512, n, false),
                             100 * n);
            assert_in_range(worst_share(ISA_GLOBAL_BASE, stride, 4096, n, true), 100,
                            210);
        }
    }
    /* a column of 2048 floats per row: 8 partitions, all of it in one */
    assert_int_equal(worst_share(ISA_GLOBAL_BASE, 8192, 1024, 8, false), 800);
    assert_int_equal(worst_share(ISA_GLOBAL_BASE, 8192, 1024, 8, true), 100);
}

static void adapt(void **state)
{
    struct icnt_config cfg = {.interleave = ICNT_AS_CAPABILITY};
    struct rules_cc tesla = *rules_find(13), fermi = *rules_find(20);

    (void)state;
    icnt_adapt_rules(&cfg, &tesla);
    icnt_adapt_rules(&cfg, &fermi);
    assert_false(tesla.folds_partition);
    assert_true(fermi.folds_partition);
    cfg.interleave = ICNT_FOLD;
    icnt_adapt_rules(&cfg, &tesla);
    assert_true(tesla.folds_partition);
    cfg.interleave = ICNT_ROUND_ROBIN;
    icnt_adapt_rules(&cfg, &fermi);
    assert_false(fermi.folds_partition);
}

/* ---- routes and order ---- */

static void routes(void **state)
{
    struct rig g;

    (void)state;
    rig_init(&g, 4, 3, 8);
    for (uint32_t s = 0; s < 4; s++) {
        for (uint32_t p = 0; p < 3; p++) {
            sim_cycle_t at = bench_now(&g.b) + 10;
            struct mem_line *t = ask(&g, at, s, p, MEM_LOAD, 1);

            (void)bench_run(&g.b, at + 1);
            assert_int_equal(g.to_part[p]->n, 0);
            (void)bench_run(&g.b, at + 2);
            assert_int_equal(g.to_part[p]->n, 1);
            assert_ptr_equal(g.to_part[p]->v[0].txn, t);
            receiver_drain(g.to_part[p]);
            t = reply(&g, at + 10, p, s, MEM_LOAD, 1);
            (void)bench_run(&g.b, at + 12);
            assert_int_equal(g.to_sm[s]->n, 1);
            assert_ptr_equal(g.to_sm[s]->v[0].txn, t);
            receiver_drain(g.to_sm[s]);
            bench_finish(&g.b);
        }
    }
    rig_free(&g);
}

static void parallel(void **state)
{
    struct rig g;

    (void)state;
    rig_init(&g, 4, 4, 8);
    for (uint32_t i = 0; i < 4; i++) {
        (void)ask(&g, 10, i, 3 - i, MEM_STORE, 4);
        (void)reply(&g, 10, i, (i + 1) % 4, MEM_LOAD, 4);
    }
    bench_finish(&g.b);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(g.to_part[i]->v[0].at, 12);
        assert_int_equal(g.to_sm[i]->v[0].at, 12);
    }
    rig_free(&g);
}

/* ---- occupancy ---- */

/* The packet behind one of so many flits follows so many cycles later. */
static void flits(void **state)
{
    static const struct {
        enum mem_op op;
        uint32_t sectors, there, back; /* flits as request and as answer */
    } v[] = {{MEM_LOAD, 4, 1, 5},  {MEM_LOAD, 1, 1, 2}, {MEM_STORE, 4, 5, 1},
             {MEM_STORE, 2, 3, 1}, {MEM_ATOM, 1, 2, 2}, {MEM_RED, 3, 4, 1}};

    (void)state;
    for (uint32_t k = 0; k < ARRAY_LEN(v); k++) {
        struct rig g;

        rig_init(&g, 2, 2, 8);
        (void)ask(&g, 10, 0, 1, v[k].op, v[k].sectors);
        (void)ask(&g, 10, 1, 1, MEM_LOAD, 1);
        (void)reply(&g, 10, 0, 1, v[k].op, v[k].sectors);
        (void)reply(&g, 10, 1, 1, MEM_STORE, 1);
        bench_finish(&g.b);
        assert_int_equal(g.to_part[1]->v[0].at, 12);
        assert_int_equal(g.to_part[1]->v[1].at, 12 + v[k].there);
        assert_int_equal(g.to_sm[1]->v[0].at, 12);
        assert_int_equal(g.to_sm[1]->v[1].at, 12 + v[k].back);
        rig_free(&g);
    }
}

/* Everybody wants one output: they take turns, whole packets, none starves. */
static void fairness(void **state)
{
    enum { N = 40 };
    struct rig g;

    (void)state;
    rig_init(&g, 4, 2, 8);
    for (uint32_t k = 0; k < N; k++) {
        for (uint32_t s = 0; s < 4; s++) {
            (void)ask(&g, 10, s, 1, MEM_STORE, 1);
        }
    }
    bench_finish(&g.b);
    assert_int_equal(g.to_part[1]->n, 4 * N);
    for (uint32_t k = 0; k < 4 * N; k++) {
        const struct mem_line *t = g.to_part[1]->v[k].txn;

        assert_int_equal(t->sm, k % 4);
        assert_int_equal(g.to_part[1]->v[k].at, 12 + 2 * k);
    }
    rig_free(&g);
}

/* An input that falls silent loses its turn, not the others theirs. */
static void turns(void **state)
{
    static const uint8_t want[] = {1, 3, 1, 3, 0, 1, 3, 0};
    struct rig g;

    (void)state;
    rig_init(&g, 4, 1, 8);
    for (uint32_t k = 0; k < 3; k++) {
        (void)ask(&g, 10, 1, 0, MEM_LOAD, 1);
        (void)ask(&g, 10, 3, 0, MEM_LOAD, 1);
    }
    (void)ask(&g, 13, 0, 0, MEM_LOAD, 1); /* at 14, after 1 3 1 at 11 12 13 */
    (void)ask(&g, 13, 0, 0, MEM_LOAD, 1);
    bench_finish(&g.b);
    assert_int_equal(g.to_part[0]->n, ARRAY_LEN(want));
    for (uint32_t k = 0; k < ARRAY_LEN(want); k++) {
        assert_int_equal(((const struct mem_line *)g.to_part[0]->v[k].txn)->sm,
                         want[k]);
        assert_int_equal(g.to_part[0]->v[k].at, 12 + k);
    }
    rig_free(&g);
}

/* ---- pressure ---- */

/* A partition that takes nothing holds up who wants it, and what is behind it; not the
 * others. */
static void back_pressure(void **state)
{
    enum { N = 10, CAPACITY = 2 };
    struct rig g;

    (void)state;
    rig_init(&g, 2, 2, CAPACITY);
    g.to_part[0]->hold = 500;
    for (uint32_t k = 0; k < N; k++) {
        (void)ask(&g, 10, 0, 0, MEM_LOAD, 1);
        (void)ask(&g, 10, 1, 1, MEM_LOAD, 1);
    }
    (void)ask(&g, 10, 0, 1, MEM_LOAD, 1); /* behind the others */
    (void)bench_run(&g.b, 499);
    assert_int_equal(g.to_part[0]->n, 0);
    assert_int_equal(g.to_part[1]->n, N);
    assert_int_equal(g.sm[0]->next, CAPACITY + QUEUE);
    bench_finish(&g.b);
    assert_int_equal(g.to_part[0]->n, N);
    assert_int_equal(g.to_part[1]->n, N + 1);
    rig_free(&g);
}

/* Random traffic: everything arrives once, where it should, in order per pair. */
/* Partition 0 takes nothing until 100. The packet to partition 1 waits behind three to
 * partition 0, of which one is under way there; if the input sorts three packets, it
 * goes at once, if two, it does not. */
static void sorted_inputs(void **state)
{
    (void)state;
    for (uint32_t sorted = 0; sorted <= 3; sorted++) {
        struct rig g;

        rig_sorts(&g, 1, 2, 1, sorted);
        g.to_part[0]->hold = 100;
        for (uint32_t k = 0; k < 3; k++) {
            (void)ask(&g, 10, 0, 0, MEM_LOAD, 1); /* at the input at 11, 12, 13 */
        }
        (void)ask(&g, 10, 0, 1, MEM_LOAD, 1); /* at 14 */
        (void)bench_run(&g.b, 14);
        assert_int_equal(g.to_part[1]->n, 0);
        (void)bench_run(&g.b, 15);
        assert_int_equal(g.to_part[1]->n, sorted == 3);
        (void)bench_run(&g.b, 100);
        assert_int_equal(g.to_part[1]->n, sorted == 3);
        assert_int_equal(g.to_part[0]->n, 1);
        bench_finish(&g.b);
        assert_int_equal(g.to_part[0]->n, 3);
        assert_int_equal(g.to_part[1]->n, 1);
        rig_free(&g);
    }
}

static void random_traffic(void **state)
{
    enum { N = 3000 };

    (void)state;
    for (uint32_t k = 0; k < 8; k++) {
        uint64_t seed = 100 + k;
        uint32_t n_sms = 1 + rand_below(&seed, 4), n_parts = 1 + rand_below(&seed, 4);
        sim_cycle_t at = 1;
        uint32_t arrived = 0;
        struct rig g;

        rig_sorts(&g, n_sms, n_parts, 1 + rand_below(&seed, 4), k / 2);
        sim_shuffle(g.b.sim, k);
        for (uint32_t i = 0; i < n_parts; i++) {
            g.to_part[i]->gap = rand_below(&seed, 6);
        }
        for (uint32_t i = 0; i < N; i++) {
            enum mem_op op = (enum mem_op)rand_below(&seed, 4);
            uint32_t s = rand_below(&seed, n_sms), p = rand_below(&seed, n_parts);
            struct mem_line *t = ask(&g, at, s, p, op, 1 + rand_below(&seed, 4));

            t->lanes = i;
            t = reply(&g, at, p, s, op, 1 + rand_below(&seed, 4));
            t->lanes = i;
            t->entry = (uint16_t)p;
            at += rand_below(&seed, 4);
        }
        bench_finish(&g.b);
        for (uint32_t p = 0; p < n_parts; p++) {
            uint32_t last[MAX] = {0};

            for (uint32_t i = 0; i < g.to_part[p]->n; i++) {
                const struct mem_line *t = g.to_part[p]->v[i].txn;

                assert_int_equal(part_of(t->addr, n_parts, g.rules->folds_partition),
                                 p);
                assert_true(t->lanes + 1 > last[t->sm]);
                last[t->sm] = t->lanes + 1;
                arrived++;
            }
        }
        assert_int_equal(arrived, N);
        for (uint32_t s = 0; s < n_sms; s++) {
            uint32_t last[MAX] = {0};

            for (uint32_t i = 0; i < g.to_sm[s]->n; i++) {
                const struct mem_line *t = g.to_sm[s]->v[i].txn;

                assert_int_equal(t->sm, s);
                assert_true(t->lanes + 1 > last[t->entry]);
                last[t->entry] = t->lanes + 1;
                arrived++;
            }
        }
        assert_int_equal(arrived, 2 * N);
        rig_free(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_of_data),
        cmocka_unit_test(partition_units),
        cmocka_unit_test(partition_bijection),
        cmocka_unit_test(partition_pairs),
        cmocka_unit_test(fold_spreads),
        cmocka_unit_test(rows_spread),
        cmocka_unit_test(round_robin_camps),
        cmocka_unit_test(adapt),
        cmocka_unit_test(routes),
        cmocka_unit_test(parallel),
        cmocka_unit_test(flits),
        cmocka_unit_test(fairness),
        cmocka_unit_test(turns),
        cmocka_unit_test(back_pressure),
        cmocka_unit_test(sorted_inputs),
        cmocka_unit_test(random_traffic),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
