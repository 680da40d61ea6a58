/*
 * l2.h - one slice of the L2 cache: the point of coherence of its addresses.
 *
 *   in  req    mem_line   from the interconnect; the link's latency is that of the
 *                         slice's pipeline
 *   out rsp    mem_line   to the interconnect: loads with data, acknowledged stores,
 *                         atomics
 *   out dram   mem_burst  to the channel
 *   in  fill   mem_burst  from the channel
 *
 * The slice serves one line request per interval, in order of arrival. What a request
 * does to the bytes happens when it is served: a load takes its bytes, a store writes
 * them, an atomic does both, lane after lane (SPEC L2-3). A miss delays the answer and
 * nothing else. The cache is written back and allocates on a miss. A store that covers
 * a part of a sector makes the sector dirty, but it cannot be read without a fetch
 * (SPEC L2-2). The line that has not been used for longest is replaced, among those
 * without a fill under way; if it is dirty, the other dirty lines of its row may be
 * written back with it (SPEC L2-9). The slice keeps tags and state; the bytes are in
 * the backing store.
 *
 * With size 0 there is no cache, as before 2.0. The slice is still the point of
 * coherence and order. Every load reads its sectors from DRAM, every store writes them,
 * every atomic does both; nothing is merged (SPEC L2-4).
 */
#ifndef MEM_L2_H
#define MEM_L2_H

#include "cfg/cfg.h"
#include "mem/dram.h"
#include "mem/l2_atom.h"
#include "mem/memory.h"
#include "stat/counters.h"

struct l2_config {
    uint64_t clock; /* Hz */
    uint64_t size;  /* bytes of all slices; 0: no cache */
    uint32_t ways;
    uint32_t latency;      /* cycles of its clock from arrival to being served */
    uint32_t spread;       /* cycles more to the farthest SM; 0: all are equally far */
    uint32_t far_latency;  /* cycles more from the other half; 0: there are no halves */
    uint32_t far_interval; /* cycles per line from or to there */
    uint32_t far_read_interval; /* the same if it is read; 0: alike */
    bool keeps_copies;          /* else a launch begins without any in the other half */
    uint32_t clean_block; /* bytes of the slice that are written back together, a power
                              of 2; 0: a line by itself */
    uint32_t interval;    /* cycles between two line requests */
    uint32_t sectors;     /* read or written per cycle: a line may take longer */
    uint32_t line_interval; /* cycles of a request for a whole line, if more; 0: none */
    uint32_t atom_interval; /* cycles per lane of an atomic on one address */
    struct l2_atom_config atom;
    uint32_t mshrs;      /* lines being fetched, per slice */
    uint32_t queue;      /* requests under way to the slice */
    uint32_t queue_data; /* places there that a sector of data takes besides */
};

extern const struct cfg_table l2_keys;

/* Bytes per second that all slices can serve, by requests of the best size; 0: there is
 * no cache. */
uint64_t l2_peak(const struct l2_config *c, uint32_t n_slices);

struct l2;

/* index: which slice; even ones and SMs of even number are one half (SPEC L2-6). */
struct l2 *l2_new(struct sim_module *parent, struct sim_clock *clock,
                  const struct l2_config *cfg, const struct mem_parts *slices,
                  uint32_t index, uint32_t burst, struct memory *memory,
                  struct smw_counters *stats);
/* Between instants: a launch begins. */
void l2_launch_begins(struct l2 *c);
struct sim_in *l2_req(struct l2 *c);
struct sim_out *l2_rsp(struct l2 *c);
struct sim_out *l2_dram(struct l2 *c);
struct sim_in *l2_fill(struct l2 *c);

#endif /* MEM_L2_H */
