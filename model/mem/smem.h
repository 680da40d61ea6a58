/*
 * smem.h - shared memory: the crossbar and its banks over the on-chip array.
 *
 *   in  req    mem_req   from the LSU, in order
 *   out rsp    mem_req   loads and atomics with data, stores as acknowledgements, in order
 *
 * The crossbar splits a request into wavefronts by the rule of the compute capability
 * (SPEC BANK-1..5) and sends one every interval cycles; each is a transaction that takes
 * the banks it touches. The banks hold the words: a store writes and a load reads when
 * its wavefront is served. The request leaves with its last wavefront, latency cycles
 * after the SM issued it if nothing was in its way.
 *
 * Probes: xbar: wavefronts left, degree, lane mask, warp, conflict (event);
 * bankNN: busy, op, row, warp.
 */
#ifndef MEM_SMEM_H
#define MEM_SMEM_H

#include "cfg/cfg.h"
#include "mem/rules.h"
#include "stat/counters.h"

struct smem_config {
    uint32_t banks;     /* 16 or 32; must be what the capability has */
    uint32_t bank_mode; /* bytes of a bank word: 4, or 8 where the capability has it */
    uint32_t latency;   /* SM cycles from issue to a usable result, no conflict */
    uint32_t interval;  /* SM cycles a wavefront occupies its banks */
    uint32_t queue;     /* requests the crossbar can hold */
};

enum { SMEM_N_FIELDS = 5 };

extern const struct cfg_field smem_fields[SMEM_N_FIELDS];

struct smem;

/* bytes: of the on-chip array that shared memory may use. hops: cycles the request
 * spends on ports between issue and the SM's take of the answer, part of latency.
 * stats: one per resident launch. */
struct smem *smem_new(struct sim_module *parent, const struct smem_config *cfg,
                      const struct rules_cc *rules, uint32_t bytes, uint32_t hops,
                      struct stat_counters *stats);
struct sim_in *smem_req(struct smem *s);
struct sim_out *smem_rsp(struct smem *s);

/* Zero a block's memory before it starts; offset and bytes are multiples of 4. */
void smem_clear(struct smem *s, uint32_t offset, uint32_t bytes);

#endif /* MEM_SMEM_H */
