/*
 * Random traffic on random channels, every command judged (dram_check_test.h). Every
 * burst's data moves once, in its own bank and row, and every read comes back.
 *
 *   test_mem_dram_fuzz [BURSTS [SEED [SEEDS]]]
 *
 * BURSTS from each of SEEDS seeds, of which SEED is the first: 20,000 from each of 8
 * unless said, one seed if only that one is named; a million take about 15 s. The judge
 * itself is tried first: each distance once kept and once missed by a cycle.
 */
#include "mem/dram_check_test.h"
#include "mem/port_test.h"

#include <stdlib.h>

enum { ROUND = 4000 };

static uint64_t wanted_bursts = 20000, first_seed = 1, n_seeds = 8;

struct rig {
    struct bench b;
    struct dram *dram;
    struct sender *in;
    struct receiver *out;
    struct smw_counters stats[1];
    struct dram_config cfg;
    struct sim_listener ear;
    struct check check;
    uint64_t addr[ROUND];
    bool write[ROUND];
    uint8_t moved[ROUND], answered[ROUND];
};

static void heard(void *ctx, sim_time_t now, const struct sim_module *from,
                  const void *record)
{
    const struct dram_command *d = record;
    struct rig *g = ctx;
    uint32_t column = 0;

    (void)now;
    (void)from;
    if (d->data) {
        struct check_spot s = check_spot_of(&g->cfg, g->addr[d->tag]);

        column = s.column;
        assert_int_equal(d->pch, s.pch);
        assert_int_equal(d->bank, s.bank);
        assert_int_equal(d->row, s.row);
        assert_int_equal(d->kind, g->write[d->tag] ? DRAM_WRITE : DRAM_READ);
        g->moved[d->tag]++;
    }
    check_command(&g->check, d, column);
}

static void rig_init(struct rig *g, const struct dram_config *cfg)
{
    const struct mem_parts parts = mem_parts_of(cfg->channels, MEM_UNIT);

    memset(g, 0, sizeof(*g));
    g->cfg = *cfg;
    g->check.c = &g->cfg;
    bench_init(&g->b);
    g->dram = dram_new(&g->b.root, NULL, &g->cfg, &parts, 0, g->stats);
    g->in = sender_new(&g->b, NULL, "in", &mem_burst_proto, dram_req(g->dram), 1);
    g->out =
        receiver_new(&g->b, NULL, "out", &mem_burst_proto, dram_rsp(g->dram), 1, 8);
    g->ear = (struct sim_listener){heard, g, NULL};
    sim_listen(dram_commands(g->dram), &g->ear);
}

static void add(struct rig *g, uint32_t i, sim_cycle_t at)
{
    struct mem_burst *t = sim_pool_take(&g->b.bursts);

    t->addr = g->addr[i];
    t->write = g->write[i];
    t->launch = 0;
    t->tag = i;
    sender_add(g->in, at, t);
}

/* ---- a channel and its traffic ---- */

static uint32_t from_to(uint64_t *seed, uint32_t least, uint32_t most)
{
    return least + rand_below(seed, most - least + 1);
}

static struct dram_config random_channel(uint64_t *s)
{
    struct dram_config c = {.channels = from_to(s, 1, 6), .size = 1 << 30};

    c.pseudo_channels = 1u << rand_below(s, 4);
    c.banks = 1u << rand_below(s, 6);
    c.groups = 1u << rand_below(s, 3);
    c.row = 256u << rand_below(s, 5);
    c.burst = 32u << rand_below(s, 3);
    c.burst_cycles = from_to(s, 1, 5);
    c.command_buses = from_to(s, 1, 2);
    c.queue = from_to(s, 4, 64);
    c.writes = from_to(s, 1, 64);
    c.write_high = from_to(s, 1, c.writes);
    c.write_low = rand_below(s, c.write_high);
    c.age = rand_below(s, 3) == 0 ? from_to(s, 1, 60) : 1000;
    c.latency = rand_below(s, 20);
    c.ecc = rand_below(s, 3) == 0 ? from_to(s, 1, 16) : 0;
    c.rcd = from_to(s, 1, 20);
    c.rp = from_to(s, 1, 20);
    c.ras = from_to(s, 1, 45);
    c.rc = from_to(s, 1, 60);
    c.rrd = from_to(s, 1, 9);
    c.rrd_l = from_to(s, 1, 12);
    c.faw = rand_below(s, 2) == 0 ? 0 : from_to(s, 1, 50);
    c.cl = from_to(s, 1, 20);
    c.wl = from_to(s, 1, 12);
    c.wr = from_to(s, 1, 20);
    c.rtp = from_to(s, 1, 8);
    c.ccd = from_to(s, 1, 5);
    c.ccd_l = from_to(s, 1, 8);
    c.wtr = from_to(s, 1, 10);
    c.wtr_l = from_to(s, 1, 14);
    c.turn = rand_below(s, 4);
    c.rfc = from_to(s, 1, 120);
    c.bank_refresh = rand_below(s, 2) == 0;
    if (rand_below(s, 4) != 0) {
        uint32_t least = dram_least_refi(&c);

        c.refi = from_to(s, least, least + 3000);
    }
    return c;
}

/* Every fourth one has as many pseudo-channels and banks as there can be, which want
 * one command bus. */
static void crowd(struct dram_config *c, uint64_t *s)
{
    if (rand_below(s, 4) != 0) {
        return;
    }
    c->pseudo_channels = DRAM_MAX_PCHS;
    c->banks = DRAM_MAX_BANKS;
    c->command_buses = 1;
    if (c->refi != 0) {
        c->refi = dram_least_refi(c) + rand_below(s, 300);
    }
}

/* Streams, few rows, or anything; more or less dense; reads, writes or both. */
static void random_traffic(struct rig *g, uint64_t *s, uint32_t n)
{
    uint32_t kind = rand_below(s, 3), dense = rand_below(s, 3);
    uint32_t writes = rand_below(s, 5), spread = 1u << rand_below(s, 20);
    sim_cycle_t at = 1 + rand_below(s, 5000);
    uint64_t next = rand_below(s, 1000), other = next + 100000;

    for (uint32_t i = 0; i < n; i++) {
        uint64_t *stream = rand_below(s, 2) == 0 ? &next : &other;
        uint64_t burst = kind == 0   ? ++*stream
                         : kind == 1 ? rand_below(s, 64) * 4096ull + rand_below(s, 16)
                                     : rand_below(s, spread);

        g->addr[i] = burst * g->cfg.burst;
        g->addr[i] |= rand_below(s, 50) == 0 ? MEM_LOCAL_BIT : 0;
        g->write[i] = rand_below(s, 4) < writes;
        add(g, i, at);
        at += dense == 0 ? 0 : dense == 1 ? rand_below(s, 8) : rand_below(s, 80);
        at += rand_below(s, 500) == 0 ? rand_below(s, 20000) : 0;
    }
}

static void one_round(struct rig *g, uint64_t seed, uint32_t n)
{
    uint64_t first = seed;
    struct dram_config c = random_channel(&seed);
    uint32_t reads = 0;

    crowd(&c, &seed);
    rig_init(g, &c);
    g->out->gap = rand_below(&seed, 3) == 0 ? rand_below(&seed, 6) : 0;
    random_traffic(g, &seed, n);
    bench_finish(&g->b);
    if (g->check.wrong[0] != '\0') {
        fail_msg("%s (of the round seeded %llu)", g->check.wrong,
                 (unsigned long long)first);
    }
    for (uint32_t i = 0; i < g->out->n; i++) {
        g->answered[((const struct mem_burst *)g->out->v[i].txn)->tag]++;
    }
    for (uint32_t i = 0; i < n; i++) {
        reads += !g->write[i];
        assert_int_equal(g->moved[i], 1);
        assert_int_equal(g->answered[i], !g->write[i]);
    }
    assert_int_equal(g->out->n, reads);
    assert_int_equal(g->stats[0].dram_rd_bytes, (uint64_t)reads * c.burst);
    assert_int_equal(g->stats[0].dram_wr_bytes, (uint64_t)(n - reads) * c.burst);
    assert_int_equal(g->stats[0].dram_row_hits + g->stats[0].dram_row_misses, n);
    assert_int_equal(g->check.n_data, n);
    receiver_drain(g->out);
    bench_free(&g->b);
}

struct sums {
    uint64_t kind[DRAM_REFRESH + 1], checks, idle;
};

/* All of a seed's bursts. */
static void fuzz_seed(uint64_t seed, struct sums *sum)
{
    static struct rig g;
    uint64_t left = wanted_bursts;

    while (left > 0) {
        uint32_t n = left < ROUND / 2 ? (uint32_t)left : from_to(&seed, 1, ROUND / 2);

        n = n > left ? (uint32_t)left : n;
        one_round(&g, seed, n);
        for (uint32_t k = 0; k < ARRAY_LEN(sum->kind); k++) {
            sum->kind[k] += g.check.n_kind[k];
        }
        sum->checks += g.check.n_checks;
        sum->idle += g.check.n_idle;
        left -= n;
    }
}

static void fuzz(void **state)
{
    struct sums sum = {{0}, 0, 0};

    (void)state;
    for (uint64_t i = 0; i < n_seeds; i++) {
        fuzz_seed(first_seed + i, &sum);
    }
    for (uint32_t k = 0; k < ARRAY_LEN(sum.kind); k++) {
        assert_true(sum.kind[k] > wanted_bursts * n_seeds / 1000); /* nothing is rare */
    }
    assert_true(sum.checks > 0 && sum.idle > 0);
}

/* ---- the judge ---- */

static const struct dram_config plain = {
    .channels = 1,
    .pseudo_channels = 2,
    .banks = 8,
    .groups = 4,
    .burst_cycles = 2,
    .command_buses = 2,
    .rcd = 11,
    .rp = 13,
    .ras = 29,
    .rc = 47,
    .rrd = 3,
    .rrd_l = 7,
    .faw = 31,
    .cl = 12,
    .wl = 5,
    .wr = 17,
    .rtp = 4,
    .ccd = 2,
    .ccd_l = 5,
    .wtr = 6,
    .wtr_l = 9,
    .turn = 2,
    .refi = 1000,
    .rfc = 71,
    .bank_refresh = true,
};

/* Up to six commands of bank and row 0 unless said; the last one is the one tried. */
struct trial {
    const char *what;
    struct {
        enum dram_kind kind;
        uint32_t bank, at;
    } v[6];
    uint32_t n;
};

#define ACT DRAM_ACTIVATE
#define PRE DRAM_PRECHARGE
#define RD  DRAM_READ
#define WR  DRAM_WRITE
#define REF DRAM_REFRESH
#define ALL DRAM_PRECHARGE_ALL

/* The last cycle is the earliest one that is allowed, from the figures above. */
static const struct trial trials[] = {
    {"rcd", {{ACT, 0, 100}, {RD, 0, 111}}, 2},
    {"ras", {{ACT, 0, 100}, {PRE, 0, 129}}, 2},
    {"rp", {{ACT, 0, 100}, {PRE, 0, 150}, {ACT, 0, 163}}, 3},
    {"rc", {{ACT, 0, 100}, {PRE, 0, 129}, {ACT, 0, 147}}, 3},
    {"rrd", {{ACT, 0, 100}, {ACT, 1, 103}}, 2},
    {"rrd_l", {{ACT, 0, 100}, {ACT, 4, 107}}, 2},
    {"faw",
     {{ACT, 0, 100}, {ACT, 1, 103}, {ACT, 2, 106}, {ACT, 3, 109}, {ACT, 4, 131}},
     5},
    {"rtp", {{ACT, 0, 100}, {RD, 0, 140}, {PRE, 0, 144}}, 3},
    {"wr", {{ACT, 0, 100}, {WR, 0, 111}, {PRE, 0, 135}}, 3}, /* 5 + 2 + 17 */
    {"ccd_l", {{ACT, 0, 100}, {RD, 0, 120}, {RD, 0, 125}}, 3},
    {"ccd", {{ACT, 0, 100}, {ACT, 1, 103}, {RD, 0, 120}, {RD, 1, 122}}, 4},
    {"wtr", {{ACT, 0, 100}, {ACT, 1, 103}, {WR, 0, 120}, {RD, 1, 133}}, 4},
    {"wtr_l", {{ACT, 0, 100}, {WR, 0, 120}, {RD, 0, 136}}, 3},
    /* data of the read until 134, of the write from 136, its command at 131 */
    {"turn", {{ACT, 0, 100}, {ACT, 1, 103}, {RD, 0, 120}, {WR, 1, 131}}, 4},
    {"rfc", {{REF, 0, 100}, {ACT, 0, 171}}, 2},
    {"rp to refresh", {{ACT, 0, 100}, {PRE, 0, 150}, {REF, 0, 163}}, 3},
    {"command bus", {{ACT, 0, 100}, {PRE, 0, 129}, {ACT, 1, 130}}, 3},
};

/* The same if all banks are refreshed at once. */
static const struct trial trials_of_all[] = {
    {"ras to all", {{ACT, 0, 100}, {ACT, 1, 103}, {ALL, 0, 132}}, 3},
    {"rtp to all", {{ACT, 0, 100}, {RD, 0, 140}, {ALL, 0, 144}}, 3},
    {"wr to all", {{ACT, 0, 100}, {WR, 0, 111}, {ALL, 0, 135}}, 3},
    {"rp of all", {{ACT, 0, 100}, {ALL, 0, 150}, {REF, 0, 163}}, 3},
    {"rfc of all", {{REF, 0, 100}, {ACT, 5, 171}}, 2},
};

static bool judged(const struct dram_config *c, const struct trial *t, uint32_t early)
{
    static struct check k;

    memset(&k, 0, sizeof(k));
    k.c = c;
    for (uint32_t i = 0; i < t->n; i++) {
        struct dram_command d = {.kind = t->v[i].kind,
                                 .bank = t->v[i].bank,
                                 .at = t->v[i].at,
                                 .data = true};

        d.at -= i + 1 == t->n ? early : 0;
        check_command(&k, &d, 0);
    }
    return k.wrong[0] == '\0';
}

static void judge_each(const struct dram_config *c, const struct trial *t, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!judged(c, &t[i], 0) || judged(c, &t[i], 1)) {
            fail_msg("%s", t[i].what);
        }
    }
}

static void judge(void **state)
{
    struct dram_config c = plain;

    (void)state;
    judge_each(&c, trials, ARRAY_LEN(trials));
    c.bank_refresh = false;
    judge_each(&c, trials_of_all, ARRAY_LEN(trials_of_all));
}

/* States, late refreshes, check bits. */
static void judge_states(void **state)
{
    static const struct trial wrong[] = {
        {"read of a closed bank", {{RD, 0, 100}}, 1},
        {"activate of an open bank", {{ACT, 0, 100}, {ACT, 0, 200}}, 2},
        {"precharge of a closed bank", {{PRE, 0, 100}}, 1},
        {"refresh of an open bank", {{ACT, 0, 100}, {REF, 0, 200}}, 2},
        {"precharge of closed banks", {{ALL, 0, 100}}, 1},
        {"refresh too late", {{REF, 0, 100}, {REF, 0, 1152}}, 2},
        {"use without refresh", {{REF, 0, 100}, {ACT, 0, 1152}}, 2},
    };
    /* refi; ras and rp or rc, whichever is longer; two turns of two pseudo-channels */
    static const struct trial latest = {"refresh",
                                        {{REF, 0, 100}, {REF, 0, 100 + 1000 + 47 + 4}},
                                        2};
    static const struct trial ecc[] = {
        {"no check bits", {{ACT, 0, 100}, {RD, 0, 200}}, 2},
    };
    struct dram_config c = plain;

    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(wrong); i++) {
        if (judged(&plain, &wrong[i], 0)) {
            fail_msg("%s", wrong[i].what);
        }
    }
    assert_true(judged(&plain, &latest, 0));
    assert_true(judged(&c, &ecc[0], 0));
    c.ecc = 7;
    assert_false(judged(&c, &ecc[0], 0));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judge),
        cmocka_unit_test(judge_states),
        cmocka_unit_test(fuzz),
    };

    if (argc > 1) {
        wanted_bursts = strtoull(argv[1], NULL, 10);
    }
    if (argc > 2) {
        first_seed = strtoull(argv[2], NULL, 10);
        n_seeds = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
