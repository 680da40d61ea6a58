/*
 * lsu.h - the load/store unit of an SM: where requests of warps become requests of the
 * memory system.
 *
 *   in  req     mem_req    from the SM, in order
 *   out smem    mem_req    shared accesses, passed on
 *   out cbank   mem_req    constant accesses, passed on
 *   out l1      mem_line   the lines of global and local accesses
 *   in  line    mem_line   their answers
 *   out away    mem_req    accesses to shared memory of other SMs, passed on
 *   in  serve   mem_req    those of others to this one: on to smem, first of all
 *   in  bulk    mem_req    those of bulk copies, of global and of shared memory
 *   out rsp     mem_req    global and local requests, when all their lines are back
 *
 * A request occupies the unit for 32 / lanes cycles (address generation), one that
 * needs several lines for as long as it takes to send them, interval cycles each; the
 * lines of a load that the L1 caches go tags at a time, if its data is read as fast.
 * Requests of warps are started in order; nothing overtakes. Those of bulk copies take
 * turns with them. A texture instruction occupies it
 * for as long as its quads take (SPEC TEX-6), and comes back texture_latency cycles
 * after its last line. An asynchronous copy is a load of global memory first; when all
 * its lines are back it goes to smem as a store (SPEC ASYNC-2), and from there to the
 * SM.
 */
#ifndef SM_LSU_H
#define SM_LSU_H

#include "cfg/cfg.h"
#include "mem/memory.h"
#include "mem/rules.h"
#include "stat/counters.h"

struct lsu_config {
    uint32_t lanes;    /* addresses generated per SM cycle */
    uint32_t interval; /* SM cycles between two lines of a request */
    uint32_t queue;    /* requests held before the unit */
    uint32_t entries;  /* global and local requests under way */
};

extern const struct cfg_table lsu_keys;

struct lsu;

struct lsu_env {
    const struct rules_cc *rules;
    uint32_t sm;
    struct smw_counters *stats; /* one per resident launch */
    struct sim_hook *planned;   /* raised with struct mem_planned; NULL: nobody */
    bool has_bulk;              /* the SM makes bulk copies: bulk is bound */
    bool has_net;               /* there are other SMs: serve and away are bound */
    const bool *in_step;        /* shared memory is sent what else it is handed */
    uint32_t tags;        /* lines of a load that the L1 looks up at once, at least 1 */
    struct memory *early; /* global loads and stores move their bytes there when they
                             begin, and lines only take time; NULL: lines do it */
    uint32_t hit_latency; /* cycles until a load that meets no miss has its result */
    uint32_t texture_latency; /* cycles more than a load takes until texels are a
                                    result */
};

struct lsu *lsu_new(struct sim_module *parent, const struct lsu_config *cfg,
                    const struct lsu_env *env);
/* It has nothing to send, and nothing comes to it but answers of the L1. */
bool lsu_is_idle(const struct lsu *l);
struct sim_in *lsu_req(struct lsu *l);
struct sim_out *lsu_smem(struct lsu *l);
struct sim_out *lsu_cbank(struct lsu *l);
struct sim_out *lsu_away(struct lsu *l);
struct sim_in *lsu_serve(struct lsu *l);
struct sim_in *lsu_bulk(struct lsu *l);
struct sim_out *lsu_l1(struct lsu *l);
struct sim_in *lsu_line(struct lsu *l);
struct sim_out *lsu_rsp(struct lsu *l);

#endif /* SM_LSU_H */
