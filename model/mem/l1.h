/*
 * l1.h - the L1 data cache of an SM, over its part of the on-chip array.
 *
 *   in  req    mem_line  from the LSU, in order; the link's latency is the tag pipeline
 *   out rsp    mem_line  to the LSU: loads with data, stores and atomics acknowledged
 *   out down   mem_line  to the interconnect
 *   in  up     mem_line  from the interconnect
 *
 * One line is handled per interval, or up to so many as there are tags if they are of
 * one load and find their bytes, or join fills.
 *
 * A global load that finds its bytes is answered at once. If its line is on its way,
 * the load joins that fill. It must not join if a store to the line, or the line's
 * write-back, was sent after the request for the fill: then the load sends a request of
 * its own, and the older fill serves those who wait for it without being kept. Any
 * other load takes an MSHR and sends a request. Without a free MSHR, or without a
 * credit, it waits at the head of the queue, and nothing overtakes it (SPEC L1-4).
 *
 * A fill is not kept either if it would have to take the place of a dirty line and
 * there is no credit to write that back. So an answer from below never waits for the
 * way down.
 *
 * Global stores are written through and allocate nothing. If the line is there, it is
 * dropped or updated, as the capability says. Atomics, and loads that bypass the L1,
 * drop the line (SPEC L1-5). A local store allocates a line without a fetch; it is
 * written back and acknowledged at once or, from 7.0 on, written through. The line that
 * has not been used for longest is replaced.
 *
 * With 0 bytes there is no L1, and every request passes through.
 */
#ifndef MEM_L1_H
#define MEM_L1_H

#include "cfg/cfg.h"
#include "mem/rules.h"
#include "stat/counters.h"

struct l1_config {
    uint32_t line; /* bytes; 128 */
    uint32_t ways;
    uint32_t latency;       /* SM cycles from issue to a usable result on a hit */
    uint32_t interval;      /* SM cycles between two lines handled */
    uint32_t tags;          /* lines of one load handled at once */
    uint32_t down_interval; /* SM cycles per sector of data that goes down */
    bool apart;             /* requests without data pass beside an answer */
    uint32_t mshrs;         /* fills under way */
    uint32_t merges;        /* loads that may wait for one fill */
    uint32_t queue;         /* lines under way from the LSU */
    uint32_t answers;       /* lines under way from the interconnect */
    bool global; /* global loads are cached (-dlcm=ca), if the rules say so too */
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
/* Up to which cycle it does nothing for the SM; the interconnect's messages take lead
 * cycles. now or earlier: it may be doing something. */
sim_cycle_t l1_quiet_until(const struct l1 *c, sim_cycle_t now, uint32_t lead);
struct sim_in *l1_req(struct l1 *c);
struct sim_out *l1_rsp(struct l1 *c);
struct sim_out *l1_down(struct l1 *c);
struct sim_in *l1_up(struct l1 *c);

/* Between instants, when a kernel starts: forget every line that is not dirty and let
 * no load join a fill under way. */
void l1_invalidate(struct l1 *c);

/* Between instants, with nothing under way: a new share of the array; all lines go. */
void l1_resize(struct l1 *c, uint32_t bytes);

#endif /* MEM_L1_H */
