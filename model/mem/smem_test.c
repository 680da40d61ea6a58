#include "mem/smem_test.h"

/* Capability 2.0. */
static void rig_init(struct rig *g, uint32_t queue, uint32_t interval,
                     uint32_t capacity)
{
    struct smem_config cfg = rig_config(queue, interval);

    rig_open(g, 20, &cfg, capacity);
}

/* ---- data ---- */

/* Element v of a lane: one word of d, two if it is 8 bytes wide. */
static uint64_t element(const struct mem_req *r, uint32_t v, uint32_t lane)
{
    if (r->size == 8) {
        return r->d[2 * v][lane] | (uint64_t)r->d[2 * v + 1][lane] << 32;
    }
    return r->d[v][lane];
}

static void draw(struct mem_req *r, uint64_t *seed)
{
    uint32_t bytes = (uint32_t)r->size * r->vec;
    uint32_t area = rand_below(seed, 2) == 0 ? 256 : 3072;

    r->mask = rand_mask(seed);
    r->base = 128u * rand_below(seed, 8);
    for (uint32_t i = 0; i < ISA_LANES; i++) {
        r->addr[i] = rand_below(seed, area / bytes) * bytes;
        for (uint32_t k = 0; k < 4; k++) {
            r->d[k][i] = rand_next(seed);
        }
    }
}

/* The same on plain bytes; of lanes that store to one place the highest wins. */
static void on_model(const struct mem_req *r, uint8_t *model,
                     uint64_t want[4][ISA_LANES])
{
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        for (uint32_t v = 0; v < r->vec && (r->mask >> lane & 1u) != 0; v++) {
            uint8_t *at = model + r->base + r->addr[lane] + (uint64_t)v * r->size;
            uint64_t x = element(r, v, lane);

            if (r->op == MEM_STORE) {
                memcpy(at, &x, r->size);
            } else {
                want[v][lane] = 0;
                memcpy(&want[v][lane], at, r->size);
            }
        }
    }
}

static void loads_and_stores(void **state)
{
    static const uint8_t shape[][2] = {{1, 1}, {2, 1}, {4, 1}, {8, 1}, {1, 2}, {1, 4},
                                       {2, 2}, {2, 4}, {4, 2}, {4, 4}, {8, 2}};
    static uint8_t model[BYTES];
    struct rig g;
    uint64_t seed = 21;

    (void)state;
    memset(model, 0, sizeof(model));
    rig_init(&g, QUEUE, INTERVAL, 64);
    for (uint32_t k = 0; k < 4000; k++) {
        uint32_t s = rand_below(&seed, ARRAY_LEN(shape));
        enum mem_op op = rand_below(&seed, 2) == 0 ? MEM_LOAD : MEM_STORE;
        struct mem_req *r = req(&g, op, shape[s][0], shape[s][1]);
        uint64_t want[4][ISA_LANES] = {{0}};

        draw(r, &seed);
        on_model(r, model, want);
        sender_add(g.sm, 1, r);
        bench_finish(&g.b);
        assert_int_equal(g.back->n, 1);
        assert_ptr_equal(g.back->v[0].txn, r);
        for (uint32_t i = 0; i < ISA_LANES && op == MEM_LOAD; i++) {
            for (uint32_t v = 0; v < r->vec && (r->mask >> i & 1u) != 0; v++) {
                if (element(r, v, i) != want[v][i]) {
                    fail_msg("round %u, lane %u, element %u: %llx, not %llx", k, i, v,
                             (unsigned long long)element(r, v, i),
                             (unsigned long long)want[v][i]);
                }
            }
        }
        receiver_drain(g.back);
    }
    rig_free(&g);
}

/* Atomics of one request on one address act in lane order; each gets the value before.
 */
static void atomics(void **state)
{
    static const struct {
        enum isa_sub sub;
        enum isa_type type;
        uint32_t size;
    } kind[] = {
        {ISA_S_ADD, ISA_T_U32, 4},  {ISA_S_ADD, ISA_T_U64, 8},
        {ISA_S_EXCH, ISA_T_B32, 4}, {ISA_S_CAS, ISA_T_B32, 4},
        {ISA_S_CAS, ISA_T_B64, 8},  {ISA_S_MIN, ISA_T_S32, 4},
        {ISA_S_MAX, ISA_T_U32, 4},  {ISA_S_INC, ISA_T_U32, 4},
        {ISA_S_XOR, ISA_T_B32, 4},  {ISA_S_EXCH, ISA_T_B64, 8},
    };
    static uint8_t model[BYTES];
    struct isa_uop u[ARRAY_LEN(kind)];
    struct rig g;
    uint64_t seed = 5;

    (void)state;
    memset(model, 0, sizeof(model));
    memset(u, 0, sizeof(u));
    rig_init(&g, QUEUE, INTERVAL, 64);
    for (uint32_t k = 0; k < 3000; k++) {
        uint32_t s = rand_below(&seed, ARRAY_LEN(kind));
        struct mem_req *r =
            req(&g, rand_below(&seed, 4) == 0 ? MEM_RED : MEM_ATOM, kind[s].size, 1);
        uint64_t want[ISA_LANES] = {0};

        u[s].form.sub = (uint8_t)kind[s].sub;
        u[s].form.type = (uint8_t)kind[s].type;
        draw(r, &seed);
        r->uop = &u[s];
        for (uint32_t i = 0; i < ISA_LANES; i++) {
            uint8_t *at = model + r->base + r->addr[i];
            uint64_t now;

            if ((r->mask >> i & 1u) == 0) {
                continue;
            }
            if (kind[s].sub == ISA_S_CAS && (i & 1u) != 0) {
                memcpy(&r->d[0][i], at, 4); /* sometimes equal */
            }
            memcpy(&want[i], at, r->size);
            now = isa_atom(kind[s].sub, kind[s].type, want[i],
                           mem_atom_operand(r, 0, i), mem_atom_operand(r, 1, i));
            memcpy(at, &now, r->size);
        }
        sender_add(g.sm, 1, r);
        bench_finish(&g.b);
        assert_int_equal(g.back->n, 1);
        for (uint32_t i = 0; i < ISA_LANES; i++) {
            if ((r->mask >> i & 1u) != 0 && element(r, 0, i) != want[i]) {
                fail_msg("round %u, lane %u", k, i);
            }
        }
        receiver_drain(g.back);
    }
    for (uint32_t at = 0; at < 4096;
         at += 128) { /* and the array holds the last values */
        struct mem_req *r = strided(&g, MEM_LOAD, 1);

        r->base = at;
        sender_add(g.sm, 1, r);
        bench_finish(&g.b);
        assert_memory_equal(r->d[0], model + at, 128);
        receiver_drain(g.back);
    }
    rig_free(&g);
}

static void clear(void **state)
{
    struct rig g;
    struct mem_req *r;

    (void)state;
    rig_init(&g, QUEUE, INTERVAL, 64);
    r = strided(&g, MEM_STORE, 1);
    sender_add(g.sm, 1, r);
    bench_finish(&g.b);
    receiver_drain(g.back);
    smem_clear(g.smem, 16, 32);
    r = strided(&g, MEM_LOAD, 1);
    sender_add(g.sm, 1, r);
    bench_finish(&g.b);
    for (uint32_t i = 0; i < ISA_LANES; i++) {
        assert_int_equal(r->d[0][i], i >= 4 && i < 12 ? 0 : 1000 + i);
    }
    rig_free(&g);
}

/* ---- counters and time ---- */

/* n-way conflicts: the answer is there latency + interval * (n - 1) cycles after the
 * request was sent, not one cycle before. */
static void conflict_timing(void **state)
{
    static const uint32_t ways[][2] = {{1, 1}, {2, 2},   {3, 1},
                                       {4, 4}, {16, 16}, {32, 32}};

    (void)state;
    for (uint32_t interval = 1; interval <= 3; interval++) {
        for (uint32_t k = 0; k < ARRAY_LEN(ways); k++) {
            sim_cycle_t due = 7 + LATENCY + interval * (ways[k][1] - 1);
            struct rig g;
            struct mem_req *r;

            rig_init(&g, QUEUE, interval, 64);
            r = strided(&g, MEM_LOAD, ways[k][0]);
            r->launch = 1;
            sender_add(g.sm, 7, r);
            (void)bench_run(&g.b, due - 1);
            assert_int_equal(g.back->n, 0);
            (void)bench_run(&g.b, due);
            assert_int_equal(g.back->n, 1);
            assert_int_equal(g.stats[1].sh_ld_wavefronts, ways[k][1]);
            assert_int_equal(g.stats[1].sh_ld_ideal, 1);
            assert_int_equal(g.stats[1].sh_ld_conflicts, ways[k][1] - 1);
            assert_int_equal(g.stats[0].sh_ld_wavefronts, 0);
            rig_free(&g);
        }
    }
}

/* 128-bit accesses: two passes per quarter-warp. */
static void wide_timing(void **state)
{
    struct rig g;
    struct mem_req *r;

    (void)state;
    rig_init(&g, QUEUE, INTERVAL, 64);
    r = req(&g, MEM_STORE, 4, 4);
    for (uint32_t i = 0; i < ISA_LANES; i++) {
        r->addr[i] = 16ull * i;
    }
    sender_add(g.sm, 200, r);
    bench_finish(&g.b);
    assert_int_equal(g.back->v[0].at, 200 + LATENCY + 7 * INTERVAL);
    assert_int_equal(g.stats[0].sh_st_wavefronts, 8);
    assert_int_equal(g.stats[0].sh_st_ideal, 4);
    assert_int_equal(g.stats[0].sh_st_conflicts, 4);
    rig_free(&g);
}

/* Requests sent every cycle: one answer per interval, in order; behind an n-way
 * conflict the next waits n intervals. */
static void throughput(void **state)
{
    static const uint32_t ways[] = {1, 1, 4, 1, 2, 1, 1, 8, 1, 1};
    sim_cycle_t due = 1 + LATENCY - INTERVAL;
    struct rig g;
    struct mem_req *r[ARRAY_LEN(ways)];

    (void)state;
    rig_init(&g, QUEUE, INTERVAL, 64);
    for (uint32_t k = 0; k < ARRAY_LEN(ways); k++) {
        r[k] = strided(&g, MEM_LOAD, ways[k]);
        sender_add(g.sm, 1, r[k]);
    }
    bench_finish(&g.b);
    assert_int_equal(g.back->n, ARRAY_LEN(ways));
    for (uint32_t k = 0; k < ARRAY_LEN(ways); k++) {
        due += (sim_cycle_t)INTERVAL * ways[k];
        assert_ptr_equal(g.back->v[k].txn, r[k]);
        assert_int_equal(g.back->v[k].at, due);
        /* served when the pass reached the banks: one link and the extra before the end
         */
        assert_int_equal(r[k]->at[MEM_AT_SERVED], due - (LATENCY - HOPS) - 1);
    }
    rig_free(&g);
}

/* An idle gap, then a request: the interval is long over. One that comes too early
 * waits for the rest of it. */
static void gaps(void **state)
{
    struct rig g;

    (void)state;
    rig_init(&g, QUEUE, 5, 64);
    sender_add(g.sm, 10, strided(&g, MEM_LOAD, 1));
    sender_add(g.sm, 13, strided(&g, MEM_LOAD, 1)); /* 2 cycles early */
    sender_add(g.sm, 40, strided(&g, MEM_LOAD, 1));
    bench_finish(&g.b);
    assert_int_equal(g.back->v[0].at, 10 + LATENCY);
    assert_int_equal(g.back->v[1].at, 15 + LATENCY);
    assert_int_equal(g.back->v[2].at, 40 + LATENCY);
    rig_free(&g);
}

/* Nobody takes the answers: the sender is held up, nothing is lost or overtaken. */
static void back_pressure(void **state)
{
    enum { N = 12, CAPACITY = 2 };
    struct rig g;
    struct mem_req *r[N];

    (void)state;
    rig_init(&g, QUEUE, INTERVAL, CAPACITY);
    g.back->hold = 300;
    for (uint32_t k = 0; k < N; k++) {
        r[k] = strided(&g, MEM_LOAD, 1);
        sender_add(g.sm, 1, r[k]);
    }
    (void)bench_run(&g.b, 299);
    assert_int_equal(g.back->n, 0);
    /* answers under way, two wavefronts at the banks, the queue, nothing in between */
    assert_int_equal(g.sm->next, CAPACITY + 2 + 1 + QUEUE);
    bench_finish(&g.b);
    assert_int_equal(g.back->n, N);
    for (uint32_t k = 0; k < N; k++) {
        assert_ptr_equal(g.back->v[k].txn, r[k]);
    }
    assert_int_equal(g.back->v[CAPACITY - 1].at, 300);
    rig_free(&g);
}

/* ---- probes ---- */

static void probes(void **state)
{
    struct rig g;
    struct mem_req *r;
    struct sim_probe *busy[32], *row1, *op1, *warp1, *left, *degree, *lanes, *conflicts;

    (void)state;
    rig_init(&g, QUEUE, INTERVAL, 64);
    for (uint32_t i = 0; i < 32; i++) {
        char path[32];

        snprintf(path, sizeof(path), "smem.bank%02u", i);
        busy[i] = probe_at(&g.b, path, "busy");
    }
    row1 = probe_at(&g.b, "smem.bank02", "row");
    op1 = probe_at(&g.b, "smem.bank02", "op");
    warp1 = probe_at(&g.b, "smem.bank02", "warp");
    left = probe_at(&g.b, "smem.xbar", "wavefronts");
    degree = probe_at(&g.b, "smem.xbar", "degree");
    lanes = probe_at(&g.b, "smem.xbar", "lane_mask");
    conflicts = probe_at(&g.b, "smem.xbar", "conflicts_per_64");
    r = strided(&g, MEM_STORE, 2); /* words 0 2 .. 62: two passes over the even banks */
    r->warp = 9;
    r->base = 3 * 128;
    sender_add(g.sm, 1, r);

    (void)bench_run(&g.b, 2); /* the crossbar sends the first pass */
    assert_int_equal(left->value, 1);
    assert_int_equal(degree->value, 2);
    assert_int_equal(lanes->value, 0x0000ffff);
    assert_int_equal(conflicts->value, 0);
    assert_int_equal(busy[2]->value, 0);
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t c = 0; c < INTERVAL; c++) {
            (void)bench_run(&g.b, 3 + pass * INTERVAL + c);
            for (uint32_t i = 0; i < 32; i++) {
                assert_int_equal(busy[i]->value, i % 2 == 0);
            }
            assert_int_equal(row1->value, 3 + pass);
            assert_int_equal(op1->value, 6); /* store_conflict */
            assert_int_equal(warp1->value, 9);
        }
    }
    assert_int_equal(conflicts->value, 1);
    assert_int_equal(left->value, 0);
    (void)bench_run(&g.b, 3 + 2 * INTERVAL);
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(busy[i]->value, 0);
    }
    assert_int_equal(op1->value, 4);
    assert_int_equal(lanes->value, 0);
    rig_free(&g);
}

/* SPEC BANK-13: 128 banks serve in one pass what 64 serve in two and 32 in four, and
 * each shows what it does. */
static void many_banks(void **state)
{
    (void)state;
    for (uint32_t banks = 32; banks <= BANKS_MAX; banks *= 2) {
        struct smem_config cfg = rig_config(QUEUE, 1);
        const char *last = banks > 100 ? "smem.bank124" : "smem.bank28";
        struct sim_probe *busy, *op, *left, *row;
        struct rig g;

        cfg.banks = banks;
        rig_open(&g, 20, &cfg, 64);
        busy = probe_at(&g.b, last, "busy");
        op = probe_at(&g.b, last, "op");
        row = probe_at(&g.b, last, "row");
        left = probe_at(&g.b, "smem.xbar", "wavefronts");
        sender_add(g.sm, 1, strided(&g, MEM_LOAD, 4)); /* words 0 4 .. 124 */
        (void)bench_run(&g.b, 2);
        assert_int_equal(left->value, BANKS_MAX / banks - 1);
        assert_int_equal(busy->value, 0);
        (void)bench_run(&g.b, 3);
        assert_int_equal(busy->value, 1);
        assert_int_equal(op->value,
                         banks == BANKS_MAX ? 0 : 5); /* load, load_conflict */
        assert_int_equal(row->value, 0);
        (void)bench_run(&g.b, 3 + BANKS_MAX / banks);
        assert_int_equal(busy->value, 0);
        bench_finish(&g.b);
        assert_int_equal(g.stats[0].sh_ld_wavefronts, BANKS_MAX / banks);
        rig_free(&g);
    }
}

/* Watching changes no time. */
static void watched_is_the_same(void **state)
{
    sim_cycle_t at[2][50];

    (void)state;
    for (uint32_t watched = 0; watched < 2; watched++) {
        struct rig g;
        uint64_t seed = 99;
        sim_cycle_t when = 1;

        rig_init(&g, 2, 3, 2);
        if (watched != 0) {
            (void)probe_at(&g.b, "smem.bank07", "busy");
            (void)probe_at(&g.b, "smem.xbar", "lane_mask");
        }
        g.back->gap = 4;
        for (uint32_t k = 0; k < 50; k++) {
            when += rand_below(&seed, 12);
            sender_add(g.sm, when, strided(&g, MEM_LOAD, rand_below(&seed, 9)));
        }
        bench_finish(&g.b);
        assert_int_equal(g.back->n, 50);
        for (uint32_t k = 0; k < 50; k++) {
            at[watched][k] = g.back->v[k].at;
        }
        rig_free(&g);
    }
    assert_memory_equal(at[0], at[1], sizeof(at[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_and_stores),
        cmocka_unit_test(atomics),
        cmocka_unit_test(clear),
        cmocka_unit_test(conflict_timing),
        cmocka_unit_test(wide_timing),
        cmocka_unit_test(throughput),
        cmocka_unit_test(gaps),
        cmocka_unit_test(back_pressure),
        cmocka_unit_test(probes),
        cmocka_unit_test(many_banks),
        cmocka_unit_test(watched_is_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
