/*
 * dispatcher.h - the block dispatcher: hands thread blocks of resident launches to SMs.
 *
 *   out to_sm[i]    sm_block
 *   in  from_sm[i]  sm_block   finished blocks
 *
 * Once per interval one block is sent. It goes to the next SM, in turn, that has room
 * for it: enough blocks, warps, registers and shared memory are left, as the occupancy
 * rule says (SPEC LAUNCH-4). Launches are served in the order in which they became
 * resident, their blocks in the order x, then y, then z. The place of a block that has
 * ended is free again some time later, if blocks wait for one (SPEC TIME-3). On an
 * idle device the first block goes to SM 0. A launch is finished when its last block
 * has come back. The run stops after that instant, so that the host can act.
 */
#ifndef GPU_DISPATCHER_H
#define GPU_DISPATCHER_H

#include "sm/sm.h"

struct dispatcher_limits { /* of an SM */
    uint32_t blocks, warps, regs, shared_bytes;
};

struct dispatcher_pace {      /* SM cycles; SPEC TIME-3 */
    uint32_t interval, width; /* between two turns; blocks of a turn, at most */
    uint32_t flush_latency;  /* from the end of one that has stored to its being away */
    uint32_t refill_latency; /* from then, or a block's end, to its place being free */
    uint32_t refill_interval; /* between two places that become free, of all SMs */
};

enum { SM_SET_MAX = 256 }; /* the number of an SM is a byte */

/* A set of SMs: bit i % 64 of word i / 64. */
struct sm_set {
    uint64_t word[SM_SET_MAX / 64];
};

/* The first member from i on, SM_SET_MAX if there is none. */
static inline uint32_t sm_set_next(const struct sm_set *s, uint32_t i)
{
    for (; i < SM_SET_MAX; i = (i | 63) + 1) {
        uint64_t m = s->word[i / 64] >> i % 64;

        if (m != 0) {
            return i + attr_lowest_bit(m);
        }
    }
    return SM_SET_MAX;
}

struct dispatch {     /* a resident launch */
    const char *name; /* of its kernel; lives as long as the simulation */
    uint64_t n_blocks, next, done;
    uint32_t grid[3];
    uint32_t warps;        /* per block */
    uint32_t regs;         /* registers allocated per block */
    uint32_t shared_bytes; /* allocated per block */
    uint32_t max_per_sm;   /* blocks of this launch on one SM */
    uint32_t cluster[3];   /* shape of its clusters; all 0: the device has none */
    uint32_t n_cluster;    /* blocks of one, 0 or 1: they go one by one */
    uint8_t peer[ISA_MAX_CLUSTER]; /* where those of the cluster at next go ... */
    uint32_t n_placed;             /* ... so many of which have a place */
    sim_cycle_t start, end;
    bool resident, finished;
    struct sm_set sms; /* the SMs that got a block of it */
};

static inline bool dispatch_has_clusters(const struct dispatch *l)
{
    return l->n_cluster > 1;
}

struct dispatcher;

struct dispatcher *dispatcher_new(struct sim_module *parent, uint32_t n_sms,
                                  const struct dispatcher_pace *pace,
                                  const struct dispatcher_limits *limits);
/* Raise struct sm_stage when launches begin and end. */
void dispatcher_tell(struct dispatcher *d, struct sim_hook *staged);
struct sim_out *dispatcher_to_sm(struct dispatcher *d, uint32_t sm);
struct sim_in *dispatcher_from_sm(struct dispatcher *d, uint32_t sm);

/* Between instants: launch i becomes resident; its first block is sent latency cycles
 * from now. *what is copied, and its start is set. */
void dispatcher_add(struct dispatcher *d, uint32_t i, const struct dispatch *what,
                    uint32_t latency);
/* Before the run: SMs are in so many GPCs, as mem_gpc() says. A cluster is placed in
 * one of them, all of its blocks before any of another (SPEC CLUSTER-1). */
void dispatcher_gpcs(struct dispatcher *d, uint32_t n);
/* Is one with clusters resident? */
bool dispatcher_has_clusters(const struct dispatcher *d);
/* Between instants, with all SMs idle: from now on an SM has so much shared memory. */
void dispatcher_shared(struct dispatcher *d, uint32_t bytes);
/* The SMs that got a block since dispatcher_rested(). The state of all others has not
 * changed since. */
const struct sm_set *dispatcher_touched(const struct dispatcher *d);
/* Between instants, with all SMs idle: forget which SMs got a block. */
void dispatcher_rested(struct dispatcher *d);
/* How many launches are resident. */
uint32_t dispatcher_resident(const struct dispatcher *d);
/* Between instants: no block is sent to the SM before this cycle. 0, at any time: as
 * far as the dispatcher knows, it has room for one that is still to be sent, or a
 * finished block is on its way back. */
sim_cycle_t dispatcher_quiet_until(const struct dispatcher *d, uint32_t sm);
/* The state of launch i. It stays readable after the launch is removed, until its index
 * is used again. */
const struct dispatch *dispatcher_launch(const struct dispatcher *d, uint32_t i);
/* Between instants: the index may be used again. */
void dispatcher_remove(struct dispatcher *d, uint32_t i);

#endif /* GPU_DISPATCHER_H */
