/* Shared memory of other capabilities, in time and with data: half-warps and one
 * broadcast (1.x), two address maps (3.x), locked and native atomics, latency per way,
 * who wins a store, what listeners are told. */
#include "mem/smem_test.h"

static struct isa_uop add_u32(void)
{
    struct isa_uop u;

    memset(&u, 0, sizeof(u));
    u.form.sub = ISA_S_ADD;
    u.form.type = ISA_T_U32;
    return u;
}

/* The cycle in which the answer to a request sent in cycle 1 is there. */
static sim_cycle_t answer_of(struct rig *g, struct mem_req *r)
{
    receiver_drain(g->back); /* earlier answers; this one stays to be looked at */
    sender_add(g->sm, 1, r);
    bench_finish(&g->b);
    assert_int_equal(g->back->n, 1);
    return g->back->v[0].at;
}

/* ---- wavefronts in time ---- */

/* 1.x: each half-warp takes its own passes of two cycles. */
static void half_warps(void **state)
{
    static const uint32_t stride_steps[][2] = {
        {1, 2}, {2, 4}, {3, 2}, {16, 32}, {0, 2}};

    (void)state;
    for (uint32_t k = 0; k < ARRAY_LEN(stride_steps); k++) {
        struct smem_config cfg = rig_config(QUEUE, INTERVAL);
        uint32_t steps = stride_steps[k][1];
        struct rig g;

        cfg.banks = 16;
        rig_open(&g, 10, &cfg, 64);
        assert_int_equal(answer_of(&g, strided(&g, MEM_LOAD, stride_steps[k][0])),
                         1 + LATENCY + (steps - 1) * INTERVAL);
        assert_int_equal(g.stats[0].sh_ld_wavefronts, steps);
        assert_int_equal(g.stats[0].sh_ld_ideal, 2);
        rig_free(&g);
    }
}

/* A conflict adds conflict_latency once and way_latency per further word, whatever the
 * banks are occupied for: 26, 26, 60, 88, 144, 256 cycles on a K80. */
static void latency_per_way(void **state)
{
    static const uint32_t want[][2] = {{1, 26}, {2, 26},   {4, 60},
                                       {8, 88}, {16, 144}, {32, 256}};

    (void)state;
    for (uint32_t k = 0; k < ARRAY_LEN(want); k++) {
        struct smem_config cfg = rig_config(QUEUE, 1);
        struct rig g;

        cfg.latency = 26;
        cfg.conflict_latency = 20;
        cfg.way_latency = 14;
        rig_open(&g, 37, &cfg, 64);
        assert_int_equal(answer_of(&g, strided(&g, MEM_LOAD, want[k][0])),
                         1 + want[k][1]);
        rig_free(&g);
    }
}

/* A later request without a conflict does not overtake one that has its latency. */
static void answers_stay_in_order(void **state)
{
    struct smem_config cfg = rig_config(QUEUE, 1);
    struct rig g;
    struct mem_req *slow, *fast;

    (void)state;
    cfg.way_latency = 14;
    rig_open(&g, 37, &cfg, 64);
    slow = strided(&g, MEM_LOAD, 8);
    fast = strided(&g, MEM_LOAD, 1);
    sender_add(g.sm, 1, slow);
    sender_add(g.sm, 1, fast);
    bench_finish(&g.b);
    assert_ptr_equal(g.back->v[0].txn, slow);
    assert_int_equal(g.back->v[0].at, 1 + LATENCY + 3 * 14);
    assert_ptr_equal(g.back->v[1].txn, fast);
    assert_int_equal(g.back->v[1].at, 1 + LATENCY + 3 * 14);
    rig_free(&g);
}

/* 64-bit words, stride 3: two ways with 4-byte banks, one with 8-byte banks. */
static void bank_modes(void **state)
{
    for (uint32_t mode = 4; mode <= 8; mode += 4) {
        struct smem_config cfg = rig_config(QUEUE, 1);
        struct rig g;
        struct mem_req *r;

        (void)state;
        rig_open(&g, 35, &cfg, 64);
        r = req(&g, MEM_LOAD, 8, 1);
        r->bank_mode = (uint8_t)mode;
        for (uint32_t i = 0; i < ISA_LANES; i++) {
            r->addr[i] = 24ull * i;
        }
        (void)answer_of(&g, r);
        assert_int_equal(g.stats[0].sh_ld_wavefronts, mode == 4 ? 2 : 1);
        rig_free(&g);
    }
}

/* ---- atomics ---- */

/* Native: a pass per lane. Latency of its own, and two cycles per further lane. */
static void native_atomics(void **state)
{
    struct smem_config cfg = rig_config(QUEUE, 1);
    struct isa_uop u = add_u32();
    struct rig g;
    struct mem_req *r;

    (void)state;
    cfg.atom_latency = 24;
    cfg.way_latency = 2;
    rig_open(&g, 90, &cfg, 64);
    r = strided(&g, MEM_ATOM, 0);
    r->uop = &u;
    assert_int_equal(answer_of(&g, r), 1 + 24 + 31 * 2);
    assert_int_equal(g.stats[0].sh_at_wavefronts, 32);
    assert_int_equal(g.stats[0].sh_at_ideal, 1);
    assert_int_equal(g.stats[0].sh_at_conflicts, 31);
    for (uint32_t i = 0; i < ISA_LANES; i++) { /* 1000 + (1001 + ...) before lane i */
        assert_int_equal(r->d[0][i], i * 1000 + i * (i - 1) / 2);
    }
    rig_free(&g);
}

/* Atomics that only count serve all lanes of a word at once: 4 words of one bank. */
static void counting_atomics(void **state)
{
    struct smem_config cfg = rig_config(QUEUE, 1);
    struct isa_uop u = add_u32();
    struct rig g;
    struct mem_req *r;

    (void)state;
    cfg.atom_latency = 24;
    cfg.way_latency = 2;
    for (uint32_t counts = 0; counts < 2; counts++) {
        rig_open(&g, 90, &cfg, 64);
        r = strided(&g, MEM_RED, 0);
        for (uint32_t l = 0; l < ISA_LANES; l++) {
            r->addr[l] = 128 * (l % 4);
        }
        r->uop = &u;
        u.counts = counts != 0;
        assert_int_equal(answer_of(&g, r), 1 + 24 + (counts ? 3 : 31) * 2);
        assert_int_equal(g.stats[0].sh_at_wavefronts, counts ? 4 : 32);
        assert_int_equal(g.stats[0].sh_at_ideal, 1);
        rig_free(&g);
    }
}

/* Locked: a load and a store per round, one lane of the word succeeds in each. */
static void locked_atomics(void **state)
{
    enum { RETRY = 100 };
    struct smem_config cfg = rig_config(QUEUE, 1);
    struct isa_uop u = add_u32();
    struct rig g;
    struct mem_req *r;

    (void)state;
    cfg.atom_retry = RETRY;
    rig_open(&g, 35, &cfg, 64);
    r = strided(&g, MEM_ATOM, 1);
    r->uop = &u;
    assert_int_equal(answer_of(&g, r), 1 + LATENCY + 1);
    assert_int_equal(g.stats[0].sh_at_wavefronts, 2);
    receiver_drain(g.back);
    r = strided(&g, MEM_ATOM, 0);
    r->uop = &u;
    r->mask = 0xf;
    sender_add(g.sm, 200, r);
    bench_finish(&g.b);
    assert_int_equal(g.back->v[0].at, 200 + LATENCY + 1 + 3 * (RETRY + 2));
    assert_int_equal(g.stats[0].sh_at_wavefronts, 2 + 8);
    assert_int_equal(g.stats[0].sh_at_ideal, 4);
    for (uint32_t i = 0; i < 4; i++) { /* word 0 held lane 0's 1000 */
        assert_int_equal(r->d[0][i], 1000 + i * 1000 + i * (i - 1) / 2);
    }
    rig_free(&g);
}

/* Between two rounds another request is served, and sees what the rounds have done. */
static void others_pass_between_rounds(void **state)
{
    struct smem_config cfg = rig_config(QUEUE, 1);
    struct isa_uop u = add_u32();
    struct rig g;
    struct mem_req *atom, *load;

    (void)state;
    cfg.atom_retry = 50;
    rig_open(&g, 20, &cfg, 64);
    atom = strided(&g, MEM_RED, 0);
    atom->uop = &u;
    atom->mask = 3;
    load = strided(&g, MEM_LOAD, 0);
    sender_add(g.sm, 1, atom);
    sender_add(g.sm, 10, load);
    bench_finish(&g.b);
    assert_ptr_equal(g.back->v[0].txn, load);
    assert_int_equal(load->d[0][0], 1000);
    assert_int_equal(g.back->v[0].at, 10 + LATENCY);
    assert_ptr_equal(g.back->v[1].txn, atom);
    rig_free(&g);
}

/* A store between two rounds, by whatever winner, leaves the rounds as they are. */
static void stores_pass_between_rounds(void **state)
{
    (void)state;
    for (uint32_t policy = SMEM_HIGHEST; policy <= SMEM_RANDOM; policy++) {
        struct smem_config cfg = rig_config(QUEUE, 1);
        struct isa_uop u = add_u32();
        struct rig g;
        struct mem_req *atom, *store;

        cfg.atom_retry = 50;
        cfg.store_winner = policy;
        rig_open(&g, 20, &cfg, 64);
        atom = strided(&g, MEM_ATOM, 0);
        atom->uop = &u;
        atom->mask = 7;
        store = strided(&g, MEM_STORE, 2);
        store->mask = 0xfffffff0;
        sender_add(g.sm, 1, atom);
        sender_add(g.sm, 10, store);
        bench_finish(&g.b);
        assert_ptr_equal(g.back->v[0].txn, store);
        for (uint32_t i = 0; i < 3; i++) {
            assert_int_equal(atom->d[0][i], i * 1000 + i * (i - 1) / 2);
        }
        rig_free(&g);
    }
}

/* Many locked atomics at once on few words: nothing is lost. */
static void contended_sum(void **state)
{
    static const uint32_t ccs[] = {12, 20, 35, 50};
    struct isa_uop u = add_u32();
    uint64_t seed = 77;

    (void)state;
    for (uint32_t k = 0; k < ARRAY_LEN(ccs); k++) {
        struct smem_config cfg = rig_config(QUEUE, 1);
        uint32_t want[8] = {0};
        struct rig g;
        struct mem_req *r;

        cfg.banks = ccs[k] == 12 ? 16 : 32;
        cfg.atom_retry = 7;
        rig_open(&g, ccs[k], &cfg, 64);
        for (uint32_t n = 0; n < 200; n++) {
            r = req(&g, MEM_RED, 4, 1);
            r->uop = &u;
            r->mask = (uint32_t)rand_next(&seed);
            for (uint32_t i = 0; i < ISA_LANES; i++) {
                uint32_t w = rand_below(&seed, 8);

                r->addr[i] = 4ull * w * 33;
                r->d[0][i] = rand_below(&seed, 1000);
                want[w] += (r->mask >> i & 1u) != 0 ? r->d[0][i] : 0;
            }
            if (r->mask == 0) {
                r->mask = 1;
                want[r->addr[0] / 132] += r->d[0][0];
            }
            sender_add(g.sm, 1 + n / 4, r);
        }
        bench_finish(&g.b);
        assert_int_equal(g.back->n, 200);
        receiver_drain(g.back);
        r = strided(&g, MEM_LOAD, 33);
        r->mask = 0xff;
        sender_add(g.sm, 1, r);
        bench_finish(&g.b);
        for (uint32_t w = 0; w < 8; w++) {
            assert_int_equal(r->d[0][w], want[w]);
        }
        rig_free(&g);
    }
}

/* ---- links ---- */

/* SPEC BANK-11: a scheduler's second load waits for its link, until a load of another
 * scheduler arrives behind it. */
static void links(void **state)
{
    enum { LINK = 8 };

    (void)state;
    for (uint32_t other = 0; other < 2; other++) {
        struct smem_config cfg = rig_config(QUEUE, 1);
        struct rig g;
        struct mem_req *r;

        cfg.feed_interval = LINK;
        rig_open(&g, 90, &cfg, 64);
        for (uint32_t k = 0; k < 3; k++) {
            r = strided(&g, MEM_LOAD, 1);
            r->warp = k == 2 ? (uint8_t)other : 0;
            sender_add(g.sm, k == 2 ? 4 : 1 + k, r);
        }
        bench_finish(&g.b);
        assert_int_equal(g.back->v[0].at, 1 + LATENCY);
        assert_int_equal(g.back->v[1].at, LATENCY + (other == 0 ? 1 + LINK : 4));
        assert_int_equal(g.back->v[2].at, LATENCY + (other == 0 ? 1 + 2 * LINK : 5));
        rig_free(&g);
    }
}

/* ---- who wins a store ---- */

/* All 32 lanes store to word 0; whose value is there? */
static uint32_t winner_of(uint32_t cc, enum smem_winner policy, uint32_t seed,
                          uint32_t size)
{
    struct smem_config cfg = rig_config(QUEUE, 1);
    struct rig g;
    struct mem_req *r;
    uint32_t lane;

    cfg.banks = cc < 20 ? 16 : 32;
    cfg.store_winner = policy;
    cfg.seed = seed;
    rig_open(&g, cc, &cfg, 64);
    r = req(&g, MEM_STORE, size, 1);
    for (uint32_t i = 0; i < ISA_LANES; i++) {
        r->d[0][i] = i;
        r->d[1][i] = i;
    }
    sender_add(g.sm, 1, r);
    r = req(&g, MEM_LOAD, 4, 1);
    r->mask = 1;
    sender_add(g.sm, 2, r);
    bench_finish(&g.b);
    lane = r->d[0][0];
    rig_free(&g);
    return lane;
}

static void store_winner(void **state)
{
    static const uint32_t ccs[] = {10, 20, 35, 90};

    (void)state;
    for (uint32_t k = 0; k < ARRAY_LEN(ccs); k++) {
        for (uint32_t size = 4; size <= 8; size += 4) {
            uint32_t seen = 0;

            assert_int_equal(winner_of(ccs[k], SMEM_HIGHEST, 0, size), 31);
            assert_int_equal(winner_of(ccs[k], SMEM_LOWEST, 0, size), 0);
            for (uint32_t seed = 1; seed <= 60; seed++) {
                uint32_t lane = winner_of(ccs[k], SMEM_RANDOM, seed, size);

                assert_true(lane < ISA_LANES);
                assert_int_equal(winner_of(ccs[k], SMEM_RANDOM, seed, size), lane);
                seen |= 1u << lane;
            }
            assert_true(__builtin_popcount(seen) > 8); /* not always the same few */
        }
    }
}

/* ---- data on every capability ---- */

/* Random stores and loads of all widths: the array behaves as bytes. One request at a
 * time, each active lane on places of its own. */
static void data_everywhere(void **state)
{
    static uint8_t model[BYTES];
    uint64_t seed = 4711;

    (void)state;
    for (uint32_t n = 0; rules_entry(n) != NULL; n++) {
        struct smem_config cfg = rig_config(QUEUE, 1);
        struct rig g;

        cfg.banks = rules_entry(n)->banks;
        rig_open(&g, rules_entry(n)->cc, &cfg, 64);
        memset(model, 0, sizeof(model));
        for (uint32_t k = 0; k < 400; k++) {
            static const uint8_t shape[][2] = {{1, 1}, {2, 1}, {4, 1}, {8, 1}, {4, 2},
                                               {4, 4}, {8, 2}, {1, 4}, {2, 2}, {2, 4}};
            const uint8_t *s = shape[rand_below(&seed, ARRAY_LEN(shape))];
            uint32_t bytes = s[0] * s[1], first = rand_below(&seed, 997);
            struct mem_req *r =
                req(&g, (k & 1u) != 0 ? MEM_STORE : MEM_LOAD, s[0], s[1]);

            r->mask = (uint32_t)rand_next(&seed) | 1u;
            r->bank_mode =
                rules_entry(n)->bank_bytes == 8 && rand_below(&seed, 2) == 0 ? 8 : 4;
            for (uint32_t i = 0; i < ISA_LANES; i++) {
                uint64_t place = (first + i * 31ull) % 997;

                r->addr[i] = place * 16;
                for (uint32_t v = 0; v < r->words; v++) {
                    r->d[v][i] = (uint32_t)rand_next(&seed);
                }
            }
            if (r->op == MEM_STORE) {
                for (uint32_t i = 0; i < ISA_LANES; i++) {
                    for (uint32_t v = 0; v < bytes && (r->mask >> i & 1u) != 0; v++) {
                        uint32_t word = s[0] < 4 ? v / s[0] : v / 4;
                        uint32_t byte = s[0] < 4 ? v % s[0] : v % 4;

                        model[r->addr[i] + v] = (uint8_t)(r->d[word][i] >> 8 * byte);
                    }
                }
            }
            (void)answer_of(&g, r);
            for (uint32_t i = 0; i < ISA_LANES && r->op == MEM_LOAD; i++) {
                for (uint32_t v = 0; v < bytes && (r->mask >> i & 1u) != 0; v++) {
                    uint32_t word = s[0] < 4 ? v / s[0] : v / 4;
                    uint32_t byte = s[0] < 4 ? v % s[0] : v % 4;

                    assert_int_equal((uint8_t)(r->d[word][i] >> 8 * byte),
                                     model[r->addr[i] + v]);
                }
            }
            receiver_drain(g.back);
        }
        rig_free(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_warps),
        cmocka_unit_test(latency_per_way),
        cmocka_unit_test(answers_stay_in_order),
        cmocka_unit_test(bank_modes),
        cmocka_unit_test(native_atomics),
        cmocka_unit_test(counting_atomics),
        cmocka_unit_test(locked_atomics),
        cmocka_unit_test(others_pass_between_rounds),
        cmocka_unit_test(stores_pass_between_rounds),
        cmocka_unit_test(contended_sum),
        cmocka_unit_test(links),
        cmocka_unit_test(store_winner),
        cmocka_unit_test(data_everywhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
