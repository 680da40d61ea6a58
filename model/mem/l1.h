/*
 * l1.h - the L1 data cache of an SM, over its part of the on-chip array.
 *
 *   in  req    mem_line  from the LSU, in order; the link's latency is the tag pipeline
 *   out rsp    mem_line  to the LSU: loads with data, stores and atomics acknowledged
 *   out down   mem_line  to the interconnect
 *   in  up     mem_line  from the interconnect
 *
 * One line is handled per interval. A global load that finds its bytes is answered at
 * once; one whose line is on its way joins the fill, unless a store to that line (or its
 * write-back) was sent after the fill's request: then it sends its own, and the older
 * fill serves its waiters without being kept. Nor is a fill kept whose place is a dirty
 * line's when there is no credit to write it back: answers from below never wait for the
 * way down. Any other load takes an MSHR; without one (or without a credit) it waits at
 * the head of the queue, nothing overtakes it (SPEC L1-4).
 * Global stores write through and do not allocate; a present line is dropped or updated,
 * as the capability says. Atomics and loads that bypass drop the line (SPEC L1-5). Local
 * memory is written back: a local store allocates without a fetch and is acknowledged at
 * once. Replacement is least recently used.
 *
 * bytes 0: no L1; every request passes through.
 */
#ifndef MEM_L1_H
#define MEM_L1_H

#include "cfg/cfg.h"
#include "mem/rules.h"
#include "stat/counters.h"

struct l1_config {
    uint32_t line; /* bytes; 128 */
    uint32_t ways;
    uint32_t latency;  /* SM cycles from issue to a usable result on a hit */
    uint32_t interval; /* SM cycles between two lines handled */
    uint32_t mshrs;    /* fills under way */
    uint32_t merges;   /* loads that may wait for one fill */
    uint32_t queue;    /* lines under way from the LSU */
    uint32_t answers;  /* lines under way from the interconnect */
    bool global;       /* global loads are cached (-dlcm=ca), if the rules say so too */
};

enum {
    L1_SENDS = 2 /* down, in one cycle at most: a write-back and a request */
};

extern const struct cfg_table l1_keys;

struct l1;

/* max_bytes: the largest share of the array any split gives it. */
struct l1 *l1_new(struct sim_module *parent, const struct l1_config *cfg,
                  const struct rules_cc *rules, uint32_t max_bytes, uint32_t sm,
                  struct smw_counters *stats);
struct sim_in *l1_req(struct l1 *c);
struct sim_out *l1_rsp(struct l1 *c);
struct sim_out *l1_down(struct l1 *c);
struct sim_in *l1_up(struct l1 *c);

/* Between instants, when a kernel starts: forget every line that is not dirty and let no
 * load join a fill under way. */
void l1_invalidate(struct l1 *c);

/* Between instants, with nothing under way: a new share of the array; all lines go. */
void l1_resize(struct l1 *c, uint32_t bytes);

#endif /* MEM_L1_H */
