/* smem_test.h - what the tests of shared memory share: a crossbar and its banks between
 * a sender and a receiver. */
#ifndef MEM_SMEM_TEST_H
#define MEM_SMEM_TEST_H

#include "mem/smem.h"

#include "mem/port_test.h"

/* Link to the crossbar, crossbar to banks, banks to receiver: one cycle each. */
enum { HOPS = 3, BYTES = 16384, LATENCY = 20, INTERVAL = 2, QUEUE = 4 };

struct rig {
    struct bench b;
    struct rules_cc rules;
    struct smem *smem;
    struct sender *sm;
    struct receiver *back;
    struct smw_counters stats[2];
};

static inline struct smem_config rig_config(uint32_t queue, uint32_t interval)
{
    return (struct smem_config){.banks = 32,
                                .bank_mode = 4,
                                .latency = LATENCY,
                                .interval = interval,
                                .queue = queue};
}

/* A crossbar and banks of a capability; capacity: answers the receiver holds. */
static inline void rig_open(struct rig *g, uint32_t cc, const struct smem_config *cfg,
                            uint32_t capacity)
{
    memset(g, 0, sizeof(*g));
    bench_init(&g->b);
    g->rules = *rules_find(cc);
    smem_adapt_rules(cfg, &g->rules);
    g->smem = smem_new(&g->b.root, cfg,
                       &(struct smem_env){.rules = &g->rules,
                                          .bytes = BYTES,
                                          .hops = HOPS,
                                          .stats = g->stats,
                                          .feeders = 2});
    g->sm = sender_new(&g->b, NULL, "sm", &mem_req_proto, smem_req(g->smem), 1);
    g->back = receiver_new(&g->b, NULL, "back", &mem_req_proto, smem_rsp(g->smem), 1,
                           capacity);
}

static inline void rig_free(struct rig *g)
{
    bench_finish(&g->b);
    receiver_drain(g->back);
    bench_free(&g->b);
}

static inline struct mem_req *req(struct rig *g, enum mem_op op, uint32_t size,
                                  uint32_t vec)
{
    struct mem_req *r = sim_pool_take(&g->b.reqs);

    *r = (struct mem_req){.txn = r->txn,
                          .op = (uint8_t)op,
                          .size = (uint8_t)size,
                          .vec = (uint8_t)vec,
                          .mask = UINT32_MAX,
                          .space = ISA_SP_SHARED,
                          .bank_mode = 4,
                          .words = (uint8_t)(vec * (size < 4 ? 1 : size / 4))};
    return r;
}

/* Word index = stride * lane. */
static inline struct mem_req *strided(struct rig *g, enum mem_op op, uint32_t stride)
{
    struct mem_req *r = req(g, op, 4, 1);

    for (uint32_t i = 0; i < ISA_LANES; i++) {
        r->addr[i] = (uint64_t)stride * i * 4;
        r->d[0][i] = 1000 + i;
    }
    return r;
}

#endif /* MEM_SMEM_TEST_H */
