/*
 * smem.h - shared memory: the crossbar and its banks over the on-chip array.
 *
 *   in  req    mem_req   from the LSU, in order
 *   out rsp    mem_req   in order: loads and atomics with data, stores acknowledged
 *
 * The crossbar splits a request into passes through the banks, called wavefronts, by
 * the rule of the compute capability (SPEC BANK-1..9). It sends one wavefront every
 * interval cycles. Each wavefront is a transaction that occupies the banks it touches;
 * while nobody looks, all of a request are one event, and a request that finds shared
 * memory idle is served where it is sent (sim_in_serves()).
 * The banks hold the words: a store writes and a load reads when its wavefront is
 * served. The answer leaves with the last wavefront, latency cycles after the SM issued
 * the request if nothing was in its way. Answers never overtake each other. A locked
 * atomic steps aside between its rounds, so that other requests may use the banks
 * meanwhile.
 *
 * Probes of xbar: wavefronts left, degree, lane mask, warp; wavefront and conflict are
 * events. Probes of each bank: busy, op, row, warp.
 */
#ifndef MEM_SMEM_H
#define MEM_SMEM_H

#include "cfg/cfg.h"
#include "mem/rules.h"
#include "stat/counters.h"

/* Which lane's value stays when several store to one word; undefined on hardware. */
enum smem_winner { SMEM_HIGHEST, SMEM_LOWEST, SMEM_RANDOM };

/* Which lanes of a 128-bit access are judged together for conflicts. */
enum smem_rule128 {
    SMEM_AS_CAPABILITY,  /* as the table of capabilities says */
    SMEM_QUARTERS,       /* quarter-warps */
    SMEM_QUARTERS_EXTRA, /* with one more pass each, as the guide says of 2.x */
    SMEM_HALVES          /* half-warps */
};

struct smem_config {
    uint32_t banks;     /* 16 or 32; must be what the capability has */
    uint32_t bank_mode; /* bytes of a bank word in the address map: 4, or 8 where the
                           capability has it; of the device, kernels may say
                           otherwise */
    uint32_t latency;   /* SM cycles from issue to a usable result, no conflict */
    uint32_t interval;  /* SM cycles a wavefront occupies its banks */
    uint32_t queue;     /* requests the crossbar can hold */
    uint32_t
        feed_interval; /* SM cycles a scheduler's link is taken by each wavefront of
                               its requests; 0: the links are as fast as the banks */
    /* SM cycles of latency that a conflict adds at least; occupation may add more */
    uint32_t conflict_latency; /* once, if there is a conflict at all */
    uint32_t way_latency;      /* for every word of the worst bank after its first */
    uint32_t atom_latency;     /* of atomics in place of latency, 0: the same */
    uint32_t atom_retry;       /* locked atomics: cycles before the next round */
    uint32_t broadcast;        /* enum rules_broadcast, for 1.x */
    uint32_t rule128;          /* enum smem_rule128 */
    uint32_t store_winner;     /* enum smem_winner */
    uint32_t seed;             /* of the random winner */
};

extern const struct cfg_table smem_keys;

/* Some keys question a rule: they change rules, the device's copy of its table
 * entry. */
void smem_adapt_rules(const struct smem_config *cfg, struct rules_cc *rules);

struct smem;

struct smem_env {
    const struct rules_cc *rules;
    uint32_t bytes; /* of the on-chip array that shared memory may use */
    uint32_t
        hops; /* cycles a request spends on ports between issue and the SM's take of
                       the answer, part of latency */
    uint32_t sm;
    struct smw_counters *stats; /* one per resident launch */
    struct sim_hook *planned;   /* raised with struct mem_planned; NULL: nobody */
    uint32_t
        feeders; /* schedulers, each with a link: warp slot % feeders; 0: no limit */
};

struct smem *smem_new(struct sim_module *parent, const struct smem_config *cfg,
                      const struct smem_env *env);
struct sim_in *smem_req(struct smem *s);
struct sim_out *smem_rsp(struct smem *s);
/* It has nothing left to do, and sends nothing more by itself. */
bool smem_is_idle(const struct smem *s);

/* Does a group of lanes of a shared access need some bank in more than one pass? */
bool smem_conflicts(const struct rules_cc *rules, const struct mem_req *r);

/* From now on, or no longer, it is noted whether a request changes a word. */
void smem_watch(struct smem *s, bool on);
bool smem_changed(const struct smem *s);

/* Zero a block's memory before it starts; offset and bytes are multiples of 4. */
void smem_clear(struct smem *s, uint32_t offset, uint32_t bytes);
/* Put bytes there: arguments of a launch (1.x); offset is a multiple of 4. */
void smem_write(struct smem *s, uint32_t offset, const void *src, uint32_t bytes);

/* For accesses that take no time, while no request is under way: the words of the
 * array, and the order in which lanes of the next store write (SPEC BANK-9), as in
 * mem_wave. */
uint32_t *smem_words(struct smem *s);
uint8_t smem_store_order(struct smem *s);

#endif /* MEM_SMEM_H */
