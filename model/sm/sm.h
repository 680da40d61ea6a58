/*
 * sm.h - a streaming multiprocessor: warps, schedulers, pipes, barriers, and below it
 * the LSU, shared memory, constant cache and L1 over the on-chip array.
 *
 *   in  blocks  sm_block   thread blocks from the dispatcher
 *   out done    sm_block   the same, when their last warp has exited and every access
 *                          of the block has been accepted
 *   out down / in up       mem_line, the L1's, to the interconnect
 *
 * Every issue_interval cycles each scheduler issues one instruction of one of its
 * warps, or with issue_width 2 two that follow one another and do not depend on each
 * other: one whose operands and results are free (scoreboard), that waits for nothing,
 * and whose pipe is free. Lanes execute at issue; the result is marked usable after the
 * latency of its class. A memory instruction leaves as a transaction and comes back
 * with its data.
 *
 * Timing of a pipe: a warp instruction of a class occupies its pipe for
 * weight * 32 / throughput cycles (kept in 1/240 cycle).
 *
 * Faults of the kernel (bounds, alignment, trap ...) are raised on the hook and stop
 * the warp; who listens ends the run.
 */
#ifndef SM_SM_H
#define SM_SM_H

#include "cfg/cfg.h"
#include "check/instant.h"
#include "mem/cbank.h"
#include "mem/l1.h"
#include "mem/memory.h"
#include "mem/net.h"
#include "mem/smem.h"
#include "mem/tex.h"
#include "ptx/ptx.h"
#include "sm/lsu.h"
#include "sm/stall.h"

#define SM_MAX_WARPS    64u
#define SM_MAX_LAUNCHES 128u /* resident at once, at most; indexes of counters */

struct sm_config {
    uint32_t schedulers, policy; /* policy: index into policy_table */
    uint32_t two_level_size;
    bool memory_fifo;        /* global memory in the order of readiness: SPEC SCHED-2 */
    uint32_t issue_interval; /* cycles between two issues of a scheduler */
    uint32_t issue_width;    /* instructions of one warp in an issue, 1 or 2 */
    uint32_t mem_interval;   /* cycles between two memory instructions of a scheduler */
    uint32_t off_latency;    /* cycles that a load without lanes holds its results */
    bool fp64_blocks; /* a double-precision instruction takes a turn of the others */
    uint32_t predicate_latency; /* cycles more until a predicate can be a guard */
    uint32_t cross_latency;     /* ... until another pipe can read a result */
    bool partitioned;           /* a scheduler has pipes of its own: SPEC PIPE-2 */
    uint32_t max_warps, max_blocks;
    uint32_t branch_latency;  /* cycles from a control instruction to the next issue */
    uint32_t barrier_latency; /* cycles from the last arrival to the release */
    uint32_t block_start;     /* cycles from the block's arrival to its first issue */
    uint32_t block_interval;  /* cycles between two blocks placed, at least */
    uint32_t block_end_interval;  /* more for each that ends in between */
    uint32_t block_warp_interval; /* the same, for each warp of the first of them */
    uint32_t warp_interval;       /* cycles between two warps of a block that begin */
    uint32_t split_latency;       /* cycles more after a branch that divides a warp */
    uint32_t fence_latency;       /* cycles that a fence of the device takes at least */
    uint32_t fence_sys_latency;   /* the same of one of the system */
    uint32_t code_latency;        /* cycles more for a kernel that is new to the SM */
    uint32_t param_latency;  /* cycles more for the first block of a launch on the SM */
    uint32_t param_interval; /* the same, for each SM of its GPC that asks before it */
    uint32_t param_warp_interval; /* and for each further warp that asks there */
    bool exit_waits; /* a block ends when its stores are answered, else when they have
                        left the LSU ... */
    uint32_t drain_latency; /* ... and so many cycles have passed */
    uint32_t call_depth;    /* nested calls before a fault */
    uint32_t try_wait;      /* cycles that mbarrier.try_wait sleeps at most */
};

struct sm_pipes {                       /* by enum isa_class */
    uint32_t throughput[ISA_N_CLASSES]; /* results per SM cycle */
    uint32_t latency[ISA_N_CLASSES];    /* SM cycles from issue to a usable result */
};

struct onchip_config {
    uint32_t size;                 /* bytes of the array */
    char partition[CFG_TEXT_SIZE]; /* "48/16": shared/L1 in KB */
};

extern const struct cfg_table sm_keys, pipe_keys, onchip_keys;

/* A launch as SMs see it; constant while it is resident. */
struct sm_launch {
    const struct ptx_module *module;
    const struct ptx_kernel *kernel;
    uint32_t grid[3], block[3];
    uint32_t threads, warps; /* per block */
    uint32_t shared_bytes;   /* static + dynamic */
    uint32_t dynamic_bytes;
    uint32_t reserved_at;    /* offset of bytes that libraries may use, at the end of */
    uint32_t reserved_bytes; /* shared_bytes; 0: there are none */
    uint64_t grid_sync;      /* as in struct isa_env */
    uint32_t cluster[3];     /* blocks of a cluster; all 0: the device has none */
    bool explicit_cluster;   /* the launch or the kernel says so */
    uint32_t shared_base;    /* bytes before those: launch data and arguments (1.x) */
    uint32_t shared_alloc;   /* all, rounded up to the allocation unit */
    uint32_t bank_mode;      /* bytes of a bank word: 4 or 8 */
    uint32_t grid_id;
    uint32_t number; /* in the order of the launches */
    const uint8_t *params;
    uint32_t param_bytes;
    uint64_t local_bytes;              /* per thread, a multiple of 4 */
    uint32_t frame_slots, frame_preds; /* registers of a warp to begin with */
    uint32_t area_slots;               /* the widest outgoing parameters of any call */
};

struct sm_block {
    struct sim_txn txn;
    uint8_t launch;
    uint8_t sm;
    uint32_t ctaid[3];
    uint64_t index;                /* linear */
    uint8_t peer[ISA_MAX_CLUSTER]; /* SMs of its cluster, by rank */
    sim_cycle_t started_at;
    sim_cycle_t done_at; /* it comes back later if it left stores to be answered */
    bool posts;          /* it has stored, or added, without waiting for the answer */
};

extern const struct sim_proto sm_block_proto;

/* The kind of a fault, and what of memory it is about. */
struct sm_what {
    const char *rule;  /* "out-of-bounds", "divergent-barrier" ...: finding_rules */
    const char *space; /* "shared" ...; NULL: it is not about memory */
    uint64_t addr;     /* in the space, bytes */
    const char *array; /* the array or buffer it belongs to or is nearest to; NULL */
    int64_t offset;    /* of addr, bytes from the begin of array */
};

/* What is raised on the fault hook. */
struct sm_fault {
    struct sm_what what;
    const struct ptx_module *module;
    const struct ptx_kernel *kernel;
    uint32_t pc, lane, warp;
    uint32_t ctaid[3], tid[3];
    uint8_t launch;
    sim_cycle_t cycle;
    char text[320];
};

/* What is raised when a thread calls printf: the arguments as the thread left them. */
struct sm_printf {
    const struct ptx_module *module;
    uint8_t launch;
    uint64_t block;  /* linear block index */
    uint32_t thread; /* linear thread index in the block */
    uint64_t format; /* generic address of the format */
    uint32_t part;   /* which call of the thread, counted per warp */
    uint32_t n;      /* bytes that follow */
    uint8_t args[256];
};

/* What is raised when a launch or a block begins or ends: a launch with its first block
 * about to be placed, and with its last one back at the dispatcher; a block with its
 * warps in their slots, and with its last access done. */
enum sm_stage_kind { SM_KERNEL_BEGINS, SM_KERNEL_ENDS, SM_BLOCK_BEGINS, SM_BLOCK_ENDS };

struct sm_stage {
    enum sm_stage_kind kind;
    uint8_t launch; /* resident */
    uint64_t block; /* linear index in the grid; of kernels 0 */
    uint64_t warps; /* of a block: its slots of the SM; of kernels 0 */
};

/* What is raised when an instruction of a warp has issued, and when an access of one is
 * answered; only while somebody watches the warps. */
struct sm_executed {
    uint64_t block; /* linear index in the grid */
    sim_cycle_t cycle;
    sim_cycle_t result; /* of an issue: from then on it can be used, and the next one
                           can issue, as far as that is known; else the next cycle */
    sim_cycle_t at[MEM_N_AT];    /* of an answer: where the request has been ... */
    sim_time_t seen[MEM_N_SEEN]; /* ... and its last line, if the LSU is observed */
    const struct isa_uop *uop;   /* of an issue */
    uint32_t pc, lanes;          /* of an issue: lanes of the warp that run */
    uint32_t accesses;           /* of an issue: how many answers will come */
    uint32_t insts;              /* of an issue: as warp_insts counts (SPEC STAT-1) */
    uint8_t launch, warp;        /* resident; slot of the SM */
    bool answer;                 /* not an issue */
    bool again;                  /* it will issue once more, for other lanes */
};

/* Blocks of a cluster of a shape; 0 where the device has no clusters. */
static inline uint32_t sm_cluster_blocks(const uint32_t shape[3])
{
    return shape[0] * shape[1] * shape[2];
}

/* Where block k of a grid of clusters is, in the order in which blocks are placed:
 * those of a cluster one after the other (SPEC CLUSTER-1). Returns its linear index. */
uint64_t sm_cluster_place(const uint32_t grid[3], const uint32_t shape[3], uint64_t k,
                          uint32_t ctaid[3]);

/* The hook is `staged` of struct sm_shared. */
static inline void sm_tell_stage(struct sim_hook *h, const struct sim_module *from,
                                 enum sm_stage_kind kind, uint8_t launch,
                                 uint64_t block, uint64_t warps)
{
    if (sim_heard(h)) {
        const struct sm_stage s = {.kind = kind,
                                   .launch = launch,
                                   .block = block,
                                   .warps = warps};

        sim_raise(h, from, &s, sizeof(s));
    }
}

/* What all SMs of a GPU share. Read by modules, written between instants only. */
struct sm_shared {
    const struct rules_cc *rules;
    struct memory *memory;
    struct tex_table textures;
    struct sm_launch launch[SM_MAX_LAUNCHES];
    uint32_t n_sms;
    uint32_t n_gpcs;       /* mem_gpc() says which an SM is in */
    uint64_t local_stride; /* bytes of local memory per thread, all launches */
    uint32_t max_launches; /* resident at once, at most SM_MAX_LAUNCHES */
    bool stalls;           /* stall reasons are counted: set before the first block */
    bool places;           /* by instruction too; only with those */
    bool spares;           /* some access is spared a cost: SPEC IDEAL-1..3 */
    bool checks;           /* what SPEC BAR-4 and FAULT-3 ask for them is a fault */
    struct check_global *check; /* NULL: global memory is not checked */
    struct check_instant *told; /* through which SMs tell it of accesses; or NULL */
    struct sm **sms;            /* all; for what takes no time */
    bool has_net;               /* SMs are connected by the network of net.h */
    bool has_bulk;              /* each has an engine for bulk copies (bulk.h) */
    bool in_step;               /* no SM runs ahead of the engine (alone.h) */
    /* Nothing is sent to this SM before that cycle but answers of the interconnect,
     * which take lead cycles. 0, or NULL: at any time. */
    sim_cycle_t (*unreached_until)(const void *ctx, uint32_t sm);
    const void *reach_ctx;
    uint32_t lead;
    struct sim_hook fault, printed;
    struct sim_hook planned;  /* struct mem_planned, by LSU, crossbar, constant cache */
    struct sim_hook staged;   /* struct sm_stage, by the dispatcher and SMs */
    struct sim_hook executed; /* struct sm_executed, by SMs */
};

/* The engine of bulk copies (SPEC BULK-4); SM cycles. */
struct bulk_config {
    uint32_t start;          /* from the instruction to the first request */
    uint32_t map_latency;    /* more, of a tensor copy */
    uint32_t copy_interval;  /* between the first requests of two copies, at least */
    uint32_t interval;       /* between two requests of one ... */
    uint32_t store_interval; /* ... that writes global memory */
    uint32_t requests;       /* under way, at most */
};

extern const struct cfg_table bulk_keys;

struct sm_parts { /* configurations of what is below */
    struct sm_config sm;
    struct sm_pipes pipes;
    struct lsu_config lsu;
    struct smem_config smem;
    struct cbank_config cbank;
    struct l1_config l1;
    struct onchip_config onchip;
    struct net_config net; /* of the network between SMs */
    struct bulk_config bulk;
};

struct sm;

struct sm *sm_new(struct sim_module *parent, struct sim_clock *clock, uint32_t index,
                  const struct sm_parts *cfg, struct sm_shared *shared,
                  uint32_t array_shared_bytes, uint32_t array_l1_bytes);
void sm_free(struct sm *s); /* register files; the rest goes with the simulation */
struct sim_in *sm_blocks(struct sm *s);
struct sim_out *sm_done(struct sm *s);
struct sim_out *sm_down(struct sm *s);
struct sim_in *sm_up(struct sm *s);
/* From 9.0 on, with the network: net.h. */
struct sim_out *sm_away(struct sm *s);
struct sim_in *sm_serve(struct sm *s);
struct sim_out *sm_back(struct sm *s);
struct sim_in *sm_answer(struct sm *s);
struct sim_out *sm_arrive(struct sm *s);
struct sim_in *sm_release(struct sm *s);
struct sim_module *sm_scope(struct sm *s);
uint32_t sm_index(const struct sm *s);
/* Between instants: it has a block. */
bool sm_is_busy(const struct sm *s);
/* Between instants: it has asked nothing of what is behind its ports, nor been told
 * anything that it has not heard. */
bool sm_is_alone(const struct sm *s);

/* The cycle up to which it has gone, ahead of the engine or not. */
sim_cycle_t sm_reached(const struct sm *s);

/* Before the run: check what blocks do to memory, and declare the event `race`;
 * sm_shared has what all of them share. */
void sm_watch(struct sm *s);
/* For check_instant_new(): shows the event of the SM. */
void sm_found_race(void *sm);
/* What was found; NULL: not watched. */
const struct check *sm_check(const struct sm *s);

/* Between instants: counters of the index start at zero. */
void sm_begin(struct sm *s, uint32_t launch);
/* Between instants: a launch became resident; the L1 forgets what is clean. */
void sm_forget(struct sm *s);
/* Between instants, no launch resident: allocations have gone. */
void sm_memory_changed(struct sm *s);
/* Between instants, SM idle: a new split of the array. */
void sm_split(struct sm *s, uint32_t shared_kb, uint32_t l1_kb);
const struct smw_counters *sm_counters(struct sm *s, uint32_t launch);
/* Of those the stall reasons of one scheduler; all 0 unless sm_shared.stalls is set. */
const struct stalls *sm_stalls(const struct sm *s, uint32_t launch, uint32_t scheduler);
/* The same of all schedulers, by micro-op of the module, from the first on, while
 * sm_shared.places is set; NULL: no block of the launch has been here. */
const struct stalls *sm_places(const struct sm *s, uint32_t launch);

/* Counts the micro-ops at which live warps stand: hot[launch][pc], where not NULL. */
void sm_sample(struct sm *s, uint64_t *const hot[SM_MAX_LAUNCHES]);
enum { SM_PLACE_SIZE = 224 }; /* room for every place */

/* The source line of a micro-op, "reverse.cu:14", else that of the PTX; "reduce.cuh:12
 * (inlined at main.cu:40)", where the outer one of its calls is. */
void sm_place(const struct ptx_module *m, uint32_t pc, char *buf, size_t size);

/* The lanes of a mask: "0-7,12". */
void sm_lanes_text(uint32_t mask, char *buf, size_t size);

/* Where the first warp that has not exited stands; false: there is none. */
bool sm_first_waiting(struct sm *s, const struct ptx_module **m, uint32_t *pc);

/* Who waits where for whom: calls line(ctx, text) for warps of a block that do the
 * same. */
void sm_report_waiting(struct sm *s, void (*line)(void *ctx, const char *text),
                       void *ctx);

/* ---- loops that nothing can end (spin.h) ---- */

struct sm_spin_read {            /* what a warp reads in its loop */
    uint32_t sm, warp;           /* slot of the SM */
    uint32_t slot;               /* of its block */
    uint32_t first_pc, last_pc;  /* micro-ops where it was seen */
    uint32_t pc;                 /* of the access */
    uint64_t addr;               /* of its first lane, in the space */
    uint8_t launch, space, size; /* resident; enum isa_space; bytes of an element */
    bool cached;                 /* by way of the L1 */
    bool split;                  /* lanes of the warp are elsewhere */
};

/* Between instants: watch, and end that. Meanwhile: has anything changed that a kernel
 * could see; was, states now noted, each warp in one state twice? From sm_spin_settle()
 * on: are all requests over that were under way then? */
void sm_spin_begin(struct sm *s);
void sm_spin_end(struct sm *s);
bool sm_spin_changed(struct sm *s);
bool sm_spin_all(struct sm *s);
void sm_spin_settle(struct sm *s);
bool sm_spin_settled(const struct sm *s);
/* A barrier of a cluster is over, and its warps are about to go on. */
bool sm_spin_released(const struct sm *s);
/* What warps read that do not wait at barriers, the last instructions first. */
void sm_spin_each(const struct sm *s,
                  void (*fn)(void *ctx, const struct sm_spin_read *r), void *ctx);
/* The shared memory of a warp's block. */
const uint8_t *sm_shared_bytes(const struct sm *s, uint32_t warp);

#endif /* SM_SM_H */
