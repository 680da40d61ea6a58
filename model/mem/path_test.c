/* The way of global and local memory as a whole: two scripted SMs, L1s or none, the
 * interconnect, L2 slices and DRAM channels, each in its own clock, with the smallest
 * queues. What a load brings is compared with a sequential model. */
#include "mem/dram.h"
#include "mem/icnt.h"
#include "mem/l1.h"
#include "mem/l2.h"

#include "mem/port_test.h"

enum {
    SMS = 2,
    MAX_PARTS = 3,
    N = 1200,
    OWN = 12,    /* lines of global memory of each SM */
    LOCALS = 6,  /* of local memory */
    COUNTERS = 3 /* lines that both SMs count in */
};

struct shape { /* one draw of the configuration */
    bool with_l1;
    uint32_t parts, burst, sm_gap;
    struct rules_cc rules;
    struct l1_config l1;
    struct icnt_config icnt;
    struct l2_config l2;
    struct dram_config dram;
};

struct shot {
    uint32_t op;
    uint64_t bytes[2];
    uint8_t want[MEM_LINE]; /* what the line holds once the access was made */
};

struct rig {
    struct bench b;
    struct sim_clock icnt_clock, l2_clock, dram_clock;
    struct sim_module sm_scope[SMS], part_scope[MAX_PARTS];
    struct memory memory;
    struct sender *lsu[SMS];
    struct receiver *back[SMS];
    struct l1 *l1[SMS];
    struct smw_counters stats[1];
    struct shot shot[SMS][N];
    uint8_t own[SMS][OWN][MEM_LINE], local[SMS][LOCALS][MEM_LINE];
    uint32_t counted[COUNTERS][32]; /* atomics made on each word */
    bool *seen[COUNTERS][32];       /* old values that came back */
};

static uint32_t pick(uint64_t *seed, uint32_t most)
{
    return rand_below(seed, 3) == 0 ? 1 : 1 + rand_below(seed, most);
}

static struct shape draw_shape(uint64_t *seed)
{
    static const uint32_t cc[] = {13, 20, 35, 50, 90};
    struct shape s;

    memset(&s, 0, sizeof(s));
    s.with_l1 = rand_below(seed, 3) != 0;
    s.parts = 1 + rand_below(seed, MAX_PARTS);
    s.burst = 32u << rand_below(seed, 3);
    s.sm_gap = rand_below(seed, 4);
    s.rules = *rules_find(cc[rand_below(seed, ARRAY_LEN(cc))]);
    s.rules.l1_global = RULES_L1_DEFAULT;
    s.l1 = (struct l1_config){.line = MEM_LINE,
                              .ways = pick(seed, 2),
                              .interval = pick(seed, 3),
                              .mshrs = pick(seed, 4),
                              .merges = pick(seed, 3),
                              .queue = pick(seed, 4),
                              .answers = pick(seed, 4),
                              .global = true};
    s.icnt = (struct icnt_config){.latency = pick(seed, 20),
                                  .flit_bytes = 8u << rand_below(seed, 4),
                                  .queue = pick(seed, 4),
                                  .unit = MEM_UNIT << rand_below(seed, 2)};
    s.l2 = (struct l2_config){.size = 4096ull * s.parts,
                              .ways = pick(seed, 4),
                              .latency = pick(seed, 20),
                              .interval = pick(seed, 3),
                              .sectors = pick(seed, MEM_SECTORS),
                              .queue_data = pick(seed, 3) - 1,
                              .spread = pick(seed, 2) == 1 ? 0 : pick(seed, 90),
                              .atom_interval = pick(seed, 3),
                              .atom = {.units = pick(seed, L2_ATOM_UNITS),
                                       .line = rand_below(seed, 20),
                                       .floats = rand_below(seed, 9)},
                              .mshrs = pick(seed, 4),
                              .queue = pick(seed, 4)};
    s.l2.size = (uint64_t)s.l2.ways * MEM_LINE * pick(seed, 4) * s.parts;
    s.l2.size = rand_below(seed, 4) == 0 ? 0 : s.l2.size;
    s.dram = (struct dram_config){.channels = s.parts,
                                  .pseudo_channels = 1u << rand_below(seed, 2),
                                  .banks = 1u << rand_below(seed, 3),
                                  .groups = 1u << rand_below(seed, 2),
                                  .command_buses = pick(seed, 2),
                                  .writes = pick(seed, 8),
                                  .write_high = 1,
                                  .age = pick(seed, 500),
                                  .ecc = rand_below(seed, 4),
                                  .row = 256,
                                  .burst = s.burst,
                                  .burst_cycles = pick(seed, 3),
                                  .queue = 4 + rand_below(seed, 5),
                                  .latency = rand_below(seed, 9),
                                  .rcd = 12,
                                  .rp = 11,
                                  .ras = 28,
                                  .rc = 41,
                                  .rrd = 5,
                                  .cl = 12,
                                  .wl = 4,
                                  .wr = 12,
                                  .rtp = 2,
                                  .ccd = 2,
                                  .ccd_l = 3,
                                  .rrd_l = 6,
                                  .wtr = 5,
                                  .wtr_l = 6,
                                  .turn = 1,
                                  .rfc = 60,
                                  .refi = rand_below(seed, 2) == 0 ? 0 : 1500};
    return s;
}

/* ---- construction ---- */

static void new_sm(struct rig *g, const struct shape *s, struct icnt *n, uint32_t i)
{
    static const char *const sm[] = {"sm0", "sm1"};
    static const char *const lsu[] = {"lsu0", "lsu1"};
    static const char *const back[] = {"back0", "back1"};

    sim_module_init(&g->sm_scope[i], g->b.sim, &g->b.root, NULL, sm[i]);
    if (s->with_l1) {
        g->l1[i] =
            l1_new(&g->sm_scope[i], &s->l1, &s->rules, 8 * MEM_LINE, i, g->stats);
        l1_resize(g->l1[i], 8 * MEM_LINE);
        sim_bind(l1_down(g->l1[i]), icnt_from_sm(n, i), s->icnt.latency);
        sim_bind(icnt_to_sm(n, i), l1_up(g->l1[i]), 1);
    }
    g->lsu[i] = sender_new(&g->b, NULL, lsu[i], &mem_line_proto,
                           s->with_l1 ? l1_req(g->l1[i]) : icnt_from_sm(n, i), 2);
    g->back[i] = receiver_new(&g->b, NULL, back[i], &mem_line_proto,
                              s->with_l1 ? l1_rsp(g->l1[i]) : icnt_to_sm(n, i), 1, 2);
    g->back[i]->gap = s->sm_gap;
}

static void new_part(struct rig *g, const struct shape *s, struct icnt *n,
                     const struct mem_parts *parts, uint32_t p)
{
    static const char *const name[] = {"part0", "part1", "part2"};
    struct l2 *l2;
    struct dram *dram;

    sim_module_init(&g->part_scope[p], g->b.sim, &g->b.root, &g->l2_clock, name[p]);
    l2 = l2_new(&g->part_scope[p], &g->l2_clock, &s->l2, parts, p, s->burst, &g->memory,
                g->stats);
    dram = dram_new(&g->part_scope[p], &g->dram_clock, &s->dram, parts, p, g->stats);
    sim_bind(icnt_to_part(n, p), l2_req(l2), s->l2.latency);
    sim_bind(l2_rsp(l2), icnt_from_part(n, p), s->icnt.latency);
    sim_bind(l2_dram(l2), dram_req(dram), 1);
    sim_bind(dram_rsp(dram), l2_fill(l2), 1);
}

static void rig_init(struct rig *g, const struct shape *s, uint64_t shuffle)
{
    const struct mem_parts parts = mem_parts_of(s->parts, s->icnt.unit);
    struct smw_err e = {0};
    struct icnt *n;
    char path[64];

    memset(g, 0, sizeof(*g));
    assert_true(memory_init(&g->memory, 1 << 20, &e));
    assert_true(memory_reserve_local(&g->memory, 65536, &e));
    bench_init(&g->b);
    sim_clock_init(&g->icnt_clock, g->b.sim, "icnt", 1000000, 701);
    sim_clock_init(&g->l2_clock, g->b.sim, "l2", 1000000, 397);
    sim_clock_init(&g->dram_clock, g->b.sim, "dram", 1000000, 911);
    sim_shuffle(g->b.sim, shuffle);
    n = icnt_new(&g->b.root, &g->icnt_clock, &s->icnt, &s->rules, SMS, &parts);
    icnt_set_places(n, s->l2.queue_data, s->l2.queue);
    for (uint32_t i = 0; i < SMS; i++) {
        new_sm(g, s, n, i);
    }
    for (uint32_t p = 0; p < s->parts; p++) {
        new_part(g, s, n, &parts, p);
    }
    if (!sim_check_bound(&g->b.root, path, sizeof(path))) {
        fail_msg("%s is not bound", path);
    }
}

/* ---- the program ---- */

static uint64_t own_line(uint32_t sm, uint32_t i)
{
    return ISA_GLOBAL_BASE + ((uint64_t)i * SMS + sm) * MEM_LINE;
}

static uint64_t local_line(uint32_t sm, uint32_t i)
{
    return MEM_LOCAL_BIT + ((uint64_t)sm * LOCALS + i) * MEM_LINE;
}

static uint64_t counter_line(uint32_t i)
{
    return ISA_GLOBAL_BASE + 65536 + i * (uint64_t)MEM_LINE;
}

/* Lanes of mask add 1 to a word each. */
static struct mem_line *count_atom(struct rig *g, uint64_t *seed)
{
    uint32_t i = rand_below(seed, COUNTERS), words = 1 + rand_below(seed, 32);
    struct mem_line *t = line_new(&g->b, rand_below(seed, 4) == 0 ? MEM_RED : MEM_ATOM,
                                  counter_line(i), 0, 4 * words);
    struct mem_atom *a = sim_pool_take(&g->b.atoms);

    *a = (struct mem_atom){.txn = a->txn,
                           .mask = rand_mask(seed),
                           .sub = ISA_S_ADD,
                           .type = ISA_T_U32,
                           .size = 4};
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        a->offset[l] = (uint8_t)(4 * (l % words));
        a->b[l] = 1;
        g->counted[i][l % words] += a->mask >> l & 1u;
    }
    t->atom = a;
    return t;
}

static struct mem_line *load_or_store(struct rig *g, const struct shape *s, uint32_t sm,
                                      struct shot *shot, uint64_t *seed)
{
    bool local = rand_below(seed, 3) == 0;
    uint32_t i = rand_below(seed, local ? LOCALS : OWN);
    uint32_t first = rand_below(seed, 124), n = 1 + rand_below(seed, 128 - first);
    uint8_t *model = local ? g->local[sm][i] : g->own[sm][i];
    struct mem_line *t =
        line_new(&g->b, rand_below(seed, 8) < 5 ? MEM_LOAD : MEM_STORE,
                 local ? local_line(sm, i) : own_line(sm, i), first, n);

    (void)line_fill(t, (uint8_t)rand_next(seed));
    t->bypass_l1 = s->with_l1 && !local && rand_below(seed, 6) == 0;
    if (t->op == MEM_STORE) {
        mem_copy_bytes(model, t->data, t->bytes);
    }
    memcpy(shot->want, model, MEM_LINE);
    return t;
}

static void write_program(struct rig *g, const struct shape *s, uint64_t seed)
{
    for (uint32_t sm = 0; sm < SMS; sm++) {
        sim_cycle_t at = 1;

        for (uint32_t k = 0; k < N; k++) {
            struct shot *shot = &g->shot[sm][k];
            struct mem_line *t = rand_below(&seed, 8) == 0
                                     ? count_atom(g, &seed)
                                     : load_or_store(g, s, sm, shot, &seed);

            t->sm = (uint8_t)sm;
            t->lanes = k;
            shot->op = t->op;
            memcpy(shot->bytes, t->bytes, sizeof(t->bytes));
            at += rand_below(&seed, 30) == 0 ? rand_below(&seed, 400) : 0;
            sender_add(g->lsu[sm], at, t);
        }
    }
}

/* ---- what came of it ---- */

static void check_atom(struct rig *g, const struct mem_line *t)
{
    uint32_t i = (uint32_t)((t->addr - counter_line(0)) / MEM_LINE);

    for (uint32_t m = t->atom->mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        uint32_t word = t->atom->offset[lane] / 4u;
        uint64_t old = t->atom->old[lane];

        assert_true(old < g->counted[i][word]); /* each count once, none lost */
        assert_false(g->seen[i][word][old]);
        g->seen[i][word][old] = true;
    }
}

static void mix(uint64_t *digest, const void *data, size_t n)
{
    const uint8_t *p = data;

    for (size_t i = 0; i < n; i++) {
        *digest = (*digest ^ p[i]) * 0x100000001b3ull;
    }
}

static void check_answer(struct rig *g, uint32_t sm, const struct mem_line *t)
{
    const struct shot *s = &g->shot[sm][t->lanes];

    assert_int_equal(t->sm, sm);
    assert_int_equal(t->op, s->op);
    if (t->atom != NULL) {
        check_atom(g, t);
        return;
    }
    for (uint32_t i = 0; i < MEM_LINE && t->op == MEM_LOAD; i++) {
        if (mem_byte_is_set(s->bytes, i) && t->data[i] != s->want[i]) {
            fail_msg("SM %u, access %u, line %llx, byte %u: %u, not %u", sm, t->lanes,
                     (unsigned long long)t->addr, i, t->data[i], s->want[i]);
        }
    }
}

static void check_memory(const struct rig *g)
{
    for (uint32_t sm = 0; sm < SMS; sm++) {
        for (uint32_t i = 0; i < OWN; i++) {
            assert_memory_equal(memory_line(&g->memory, own_line(sm, i)), g->own[sm][i],
                                MEM_LINE);
        }
    }
    for (uint32_t i = 0; i < COUNTERS; i++) {
        assert_memory_equal(memory_line(&g->memory, counter_line(i)), g->counted[i],
                            MEM_LINE);
    }
}

/* One run; returns a digest of who was answered when with what, and of the counters. */
static uint64_t run(const struct shape *s, uint64_t program, uint64_t shuffle)
{
    static struct rig g;
    uint64_t digest = 0xcbf29ce484222325ull;

    rig_init(&g, s, shuffle);
    write_program(&g, s, program);
    for (uint32_t i = 0; i < COUNTERS * 32; i++) {
        g.seen[i / 32][i % 32] = sim_alloc(g.b.sim, g.counted[i / 32][i % 32] + 1);
    }
    bench_finish(&g.b);
    for (uint32_t sm = 0; sm < SMS; sm++) {
        assert_int_equal(g.back[sm]->n, N);
        for (uint32_t k = 0; k < N; k++) {
            const struct mem_line *t = g.back[sm]->v[k].txn;

            check_answer(&g, sm, t);
            mix(&digest, &g.back[sm]->v[k].at, sizeof(g.back[sm]->v[k].at));
            mix(&digest, &t->lanes, sizeof(t->lanes));
            if (t->atom != NULL) {
                mix(&digest, t->atom->old, sizeof(t->atom->old));
                sim_pool_give(t->atom);
            }
        }
        receiver_drain(g.back[sm]);
    }
    check_memory(&g);
    mix(&digest, g.stats, sizeof(g.stats));
    bench_free(&g.b);
    memory_free(&g.memory);
    return digest;
}

static void configurations(void **state)
{
    uint64_t seed = 2024;

    (void)state;
    for (uint32_t k = 0; k < 60; k++) {
        struct shape s = draw_shape(&seed);

        (void)run(&s, 1 + k, 0);
    }
}

/* The order in which processes run at one instant changes nothing. */
static void shuffled(void **state)
{
    uint64_t seed = 77;

    (void)state;
    for (uint32_t k = 0; k < 4; k++) {
        struct shape s = draw_shape(&seed);
        uint64_t plain;

        s.with_l1 = k % 2 == 0;
        plain = run(&s, 1000 + k, 0);
        for (uint64_t shuffle = 1; shuffle <= 20; shuffle++) {
            assert_true(run(&s, 1000 + k, shuffle) == plain);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(configurations),
        cmocka_unit_test(shuffled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
