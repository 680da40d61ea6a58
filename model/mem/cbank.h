/*
 * cbank.h - constant memory: the constant cache of an SM.
 *
 *   in  req    mem_req   from the LSU, in order
 *   out rsp    mem_req   loads with data, in order
 *
 * A request takes one pass for each distinct address of its lanes (SPEC CONST-1), and
 * each pass takes interval cycles; a single address is broadcast to all lanes. A pass
 * looks its line up in level 1, then in level 1.5; what neither has, the L2 has (SPEC
 * CONST-2). The answer leaves with the last pass. If nothing was in its way it takes
 * the latency of the farthest level that was needed, and interval cycles for each
 * further address. Answers never overtake each other, so that a hit waits behind a
 * miss. A miss takes time, but sends nothing through the interconnect. The bytes are
 * the module's constant bank; the caches keep tags, per module.
 */
#ifndef MEM_CBANK_H
#define MEM_CBANK_H

#include "cfg/cfg.h"
#include "mem/rules.h"
#include "stat/counters.h"

struct cbank_config {
    uint32_t latency;      /* SM cycles from issue to a usable result, one address */
    uint32_t interval;     /* SM cycles per distinct address */
    uint32_t queue;        /* requests held */
    uint32_t size;         /* bytes of level 1; 0: every access hits */
    uint32_t line, ways;   /* of both levels; bytes; lines of a set */
    uint32_t l15_size;     /* bytes of level 1.5; 0: there is none */
    uint32_t l15_latency;  /* as latency, of what level 1.5 has */
    uint32_t miss_latency; /* as latency, of what only the L2 has */
};

extern const struct cfg_table cbank_keys;

struct cbank;

struct cbank_env {
    const struct rules_cc *rules;
    uint32_t
        hops; /* cycles on ports between issue and the SM's take of the answer, part of
                      every latency */
    uint32_t sm;
    struct smw_counters *stats; /* one per resident launch */
    struct sim_hook *planned;   /* raised with struct mem_planned; NULL: nobody */
};

struct cbank *cbank_new(struct sim_module *parent, const struct cbank_config *cfg,
                        const struct cbank_env *env);
/* It has nothing left to do, and sends nothing more by itself. */
bool cbank_is_idle(const struct cbank *b);
struct sim_in *cbank_req(struct cbank *b);
struct sim_out *cbank_rsp(struct cbank *b);

/* The longest time an answer is under way, in SM cycles from its last pass. */
uint32_t cbank_longest(const struct cbank_config *cfg);

/* The constant bank that requests of a resident launch read, before the first of
 * them. */
void cbank_image(struct cbank *b, uint32_t launch, const uint8_t *image);

/* Between instants, with nothing under way: forget every line; the host may have
 * written constants since. */
void cbank_forget(struct cbank *b);

#endif /* MEM_CBANK_H */
