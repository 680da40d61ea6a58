/*
 * l2_test.h - for tests: one L2 slice between a scripted interconnect and a DRAM
 * channel.
 */
#ifndef MEM_L2_TEST_H
#define MEM_L2_TEST_H

#include "mem/l2.h"

#include "mem/port_test.h"

/* One slice of four sets and two ways. Lines 0, 5, 10 and 15 share set 0: the set is
 * (i ^ i / 4) % 4. */
enum { SETS = 4, WAYS = 2, INTERVAL = 2, ATOM = 3, N_MEM = 32 };

static const uint32_t set0[] = {0, 5, 10, 15};

#define LINE(i) (ISA_GLOBAL_BASE + (i) * (uint64_t)MEM_LINE)

struct rig {
    struct bench b;
    struct memory memory;
    struct l2 *l2;
    struct sender *in, *fill;
    struct receiver *out, *dram;
    struct smw_counters stats[2];
    uint32_t delay; /* of DRAM reads; 0: the test answers them */
    uint32_t n_reads, n_writes;
    uint64_t written; /* address of the last burst written */
};

static inline void dram_by_itself(void *ctx, void *txn, sim_cycle_t now)
{
    struct rig *g = ctx;
    struct mem_burst *t = txn;

    if (t->write) {
        g->n_writes++;
        g->written = t->addr;
        sim_pool_give(t);
        return;
    }
    g->n_reads++;
    if (g->delay != 0) {
        sender_add(g->fill, now + g->delay, t);
    }
}

static inline struct l2_config small(void)
{
    struct l2_config cfg = {.size = (uint64_t)SETS * WAYS * MEM_LINE,
                            .ways = WAYS,
                            .latency = 1,
                            .interval = INTERVAL,
                            .sectors = MEM_SECTORS,
                            .atom_interval = ATOM,
                            .mshrs = 2,
                            .queue = 8};

    return cfg;
}

static inline void rig_init_as(struct rig *g, struct l2_config cfg, uint32_t burst,
                               uint32_t capacity)
{
    const struct mem_parts one = mem_parts_of(1, MEM_UNIT);
    struct smw_err e = {0};

    memset(g, 0, sizeof(*g));
    assert_true(memory_init(&g->memory, 1 << 20, &e));
    for (uint32_t i = 0; i < N_MEM; i++) {
        memset(memory_line_rw(&g->memory, LINE(i)), (int)(100 + i), MEM_LINE);
    }
    bench_init(&g->b);
    g->l2 = l2_new(&g->b.root, NULL, &cfg, &one, 0, burst, &g->memory, g->stats);
    g->in = sender_new(&g->b, NULL, "in", &mem_line_proto, l2_req(g->l2), 1);
    g->fill = sender_new(&g->b, NULL, "fill", &mem_burst_proto, l2_fill(g->l2), 1);
    g->out = receiver_new(&g->b, NULL, "out", &mem_line_proto, l2_rsp(g->l2), 1, 8);
    g->dram =
        receiver_new(&g->b, NULL, "ram", &mem_burst_proto, l2_dram(g->l2), 1, capacity);
    g->dram->got = dram_by_itself;
    g->dram->ctx = g;
}

static inline void rig_init(struct rig *g)
{
    rig_init_as(g, small(), 64, 8);
}

static inline void drain(struct rig *g)
{
    for (uint32_t i = 0; i < g->out->n; i++) {
        struct mem_line *t = g->out->v[i].txn;

        if (t->atom != NULL) {
            sim_pool_give(t->atom);
        }
    }
    receiver_drain(g->out);
}

static inline void rig_free(struct rig *g)
{
    bench_finish(&g->b);
    drain(g);
    bench_free(&g->b);
    memory_free(&g->memory);
}

static inline struct mem_line *load(struct rig *g, sim_cycle_t at, uint32_t line,
                                    uint32_t first, uint32_t n)
{
    struct mem_line *t = line_new(&g->b, MEM_LOAD, LINE(line), first, n);

    sender_add(g->in, at, t);
    return t;
}

static inline struct mem_line *store(struct rig *g, sim_cycle_t at, uint32_t line,
                                     uint32_t first, uint32_t n, uint8_t v)
{
    struct mem_line *t = line_fill(line_new(&g->b, MEM_STORE, LINE(line), first, n), v);

    sender_add(g->in, at, t);
    return t;
}

/* An atomic add of 1 by every lane of mask; lane i at offset 4 * (i % words). */
static inline struct mem_line *atom(struct rig *g, sim_cycle_t at, uint32_t line,
                                    uint32_t mask, uint32_t words)
{
    struct mem_line *t = line_new(&g->b, MEM_ATOM, LINE(line), 0, 4 * words);
    struct mem_atom *a = sim_pool_take(&g->b.atoms);

    *a = (struct mem_atom){
        .txn = a->txn, .mask = mask, .sub = ISA_S_ADD, .type = ISA_T_U32, .size = 4};
    for (uint32_t i = 0; i < ISA_LANES; i++) {
        a->offset[i] = (uint8_t)(4 * (i % words));
        a->b[i] = 1;
    }
    t->atom = a;
    sender_add(g->in, at, t);
    return t;
}

/* Load and wait; true if the DRAM was not asked. */
static inline bool hits(struct rig *g, uint32_t line, uint32_t first, uint32_t n)
{
    uint32_t reads = g->n_reads;

    (void)load(g, bench_now(&g->b) + 1, line, first, n);
    bench_finish(&g->b);
    drain(g);
    return g->n_reads == reads;
}

static inline struct mem_burst *burst(struct rig *g, uint32_t i)
{
    assert_true(i < g->dram->n);
    return g->dram->v[i].txn;
}

#endif /* MEM_L2_TEST_H */
