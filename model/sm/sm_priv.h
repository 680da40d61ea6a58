/*
 * sm_priv.h - the insides of an SM.
 *
 * Its files stand in layers: each includes, and so calls, those above it in this list
 * only. testbench/tools/check_layers.sh reads the list and holds every file to it.
 * Units, which know no SM and are tested alone:
 *
 *   policy     which of the warps that can issue does
 *   stall      why a warp does not issue
 *   simt       which lanes of a warp run, where, and where they meet again
 *   paths      lanes that have parted, in turns
 *   format     format strings of printf
 *   lsu_data   data between the lanes of a request and its lines
 *   untimed_data  the same straight to the bytes, for what takes no time
 *   lsu        the load/store unit, a module with ports
 *   lsu_priv   its parts
 *   lsu_plan   the lines of a request
 *   async      copies of a warp under way, and their groups
 *   bulk_job   a bulk copy as requests
 *   warp       what each warp is doing
 *   ring       when results and holds of warps end, and whom to look at then
 *   barrier    the named barriers of a block
 *   syscall    what printf, assertions and traps want
 *
 * What works on struct sm:
 *
 *   sm         what others see, in sm.h
 *   sm_priv    the structure
 *   show       probes
 *   watch      what the checks hear
 *   wait       who stands where, who waits for whom
 *   spin       loops that nothing can end
 *   fault      a kernel at fault, in words
 *   turn       which lanes of a warp have their turn
 *   rank       where a block is in its cluster
 *   meet       warps come to barriers and are released
 *   left       what keeps ready warps from issuing
 *   block      blocks are placed and leave
 *   access     memory instructions and their answers
 *   printf     calls of vprintf
 *   texture    textures and surfaces
 *   mbar       mbarriers
 *   copy       asynchronous copies
 *   bulk_ask   what a thread asks a bulk copy for
 *   bulk       the engine of bulk copies
 *   cluster    blocks of a cluster: each other's memory, and their barrier
 *   flow       where an instruction takes its warp
 *   gmma       products of four warps
 *   yield      where lanes of a warp wait for others or let them run
 *   issue      an instruction issues
 *   alone      how far an SM may go ahead of the engine
 *   step       the step, in sm.c: who issues
 *   untimed    blocks run without time
 *   build      configuration, construction
 */
#ifndef SM_SM_PRIV_H
#define SM_SM_PRIV_H

#include "sm/barrier.h"
#include "sm/policy.h"
#include "sm/ring.h"
#include "sm/sm.h"
#include "sm/syscall.h"

enum { MAX_SCHEDS = 4 };

/* Kernels whose code an SM keeps: SPEC TIME-4. */
enum { SM_KNOWN = 16 };

/* In sm.issuing. */
enum { NOT_ISSUING = UINT8_MAX };

/* Pipes are kept in 1/240 cycle: 32, 48, 64, 128, 160 and 192 results per cycle are
 * exact. */
enum { PIPE_UNIT = 240 };

struct block {
    struct sm_block *txn; /* owned while resident; NULL: free slot */
    uint64_t warps;       /* warp slots */
    uint32_t n_live;      /* warps that have not exited */
    uint32_t outstanding; /* accesses of its warps under way */
    uint32_t posted;      /* of these: stores whose answers its end does not wait for */
    uint32_t stores;      /* of these: no reductions */
    bool draining;        /* its end waits for its stores to leave the SM ... */
    sim_cycle_t ends_at;  /* ... and, once in sm.drained, for this cycle */
    bool ended;           /* it keeps its place until what it posted is answered */
    uint32_t base;        /* of its shared memory, bytes */
    struct barrier barrier[BARRIERS];
    bool
        in_cluster; /* of several blocks, or it has come to the cluster's barrier ... */
    bool cluster_sent; /* ... and all of its threads are there, as the others know */
};

struct pipe {
    uint64_t free;    /* when it can begin another one, in PIPE_UNIT */
    uint32_t cost;    /* of a warp instruction of weight 1, in PIPE_UNIT */
    uint32_t latency; /* cycles from issue to a usable result */
    uint32_t mark;    /* of its dues: DUE_SHORT or 0 */
};

struct slot { /* of a scheduler: what every step looks at, a cache line */
    ATTR_ALIGNED(64) uint64_t own; /* its warps */
    sim_cycle_t next_at;           /* of any instruction */
    sim_cycle_t mem_at;            /* of a memory instruction: sm.mem_interval */
    struct sched s;
    const struct isa_uop *issued; /* last, by s.last; NULL: the probes know */
    struct slot *after;           /* of the next scheduler, round and round */
    sim_cycle_t own_at, lent_to; /* its turn, and the one instead, if next_at is that */
    struct pipe *pipe[ISA_N_CLASSES]; /* that its warps take */
    uint32_t alone;                   /* bit c: and nobody else's do */
    uint32_t taken, busy;             /* as those of struct sm, of these pipes */
    uint64_t left;                    /* its warps that the last step left ready, ... */
    sim_cycle_t left_at;     /* ... which is counted up to before this cycle ... */
    uint64_t *stalls;        /* ... there, by enum stall, unless each by itself */
    sim_cycle_t products_at; /* wgmma: its tensor core takes the next one then */
};

struct scheduler {
    struct sm *sm;
    struct sim_module scope;
    struct sim_probe p_warp, p_inst, p_line, p_issue, p_second;
};

struct sm {
    struct warps warps; /* its first two lines and these are what every step looks at */
    ATTR_ALIGNED(64) struct sim_process step;
    struct sim_clock *clock;
    uint64_t parked;       /* ready warps put aside, whose pipe takes none ... */
    sim_cycle_t unpark_at; /* ... before this; SIM_CYCLE_NONE: there are none */
    /* another line */
    sim_cycle_t arrives_at; /* nothing can be taken from a port before */
    sim_cycle_t wake_at;    /* of wake, while it is pending */
    uint64_t horizon;       /* a pipe that is free earlier takes one; in PIPE_UNIT */
    uint64_t units;         /* now, in PIPE_UNIT */
    uint64_t issued;        /* warp instructions, ids of requests */
    struct slot *turn;      /* of the scheduler after the one that issued last */
    uint8_t n_scheds;
    bool full;          /* the block at the port does not fit before one leaves */
    bool looked, shown; /* a probe of a warp or scheduler is watched; asked anew */
    bool asks_once;     /* the policy is asked with what can be issued, and once */
    uint8_t issuing; /* warp of the instruction under way that does not just compute */
    uint8_t policy;  /* enum policy_way */
    bool ahead : 1;  /* the cycle under way is later than the engine's ... */
    bool stuck : 1;  /* ... and cannot be done so: the engine's step goes on with it */
    bool in_order : 1; /* fifo has its part in who issues */
    uint32_t special;  /* bit c: an instruction of class c goes by issue_special() */
    uint32_t issue_interval; /* of cfg */
    /* others */
    struct slot slot[MAX_SCHEDS];
    struct pipe pipe[MAX_SCHEDS][ISA_N_CLASSES]; /* the first for all, or one each */
    policy_fn *pick;
    struct policy_fifo *fifo; /* NULL: unless in_order */
    struct scheduler *sched;
    uint64_t chosen; /* warps issued in this cycle */
    uint32_t taken;  /* bit c: an instruction of class c was ... */
    uint32_t busy;   /* ... or in an earlier one, and its pipe may be full yet */
    void (*count_left)(struct sm *s, struct slot *d); /* left.h */
    void (*end_chosen)(struct sm *s);
    uint32_t branch_latency, issue_width;                  /* of cfg */
    uint32_t late[ISA_N_LATE];                             /* cycles more for whom */
    struct sim_in from_smem, from_lsu, from_cbank, blocks; /* tell arrives_at */
    struct sim_out to_lsu, done;
    struct sim_in from_away, from_net, released; /* of the network: cluster.h */
    struct sim_out to_serve, to_net, to_meet;
    struct mem_reqs to_give_back; /* they wait for a credit of to_net */
    struct sim_event wake;
    struct sim_pool reqs, textures;
    struct sim_pool word_reqs; /* those of MEM_REQ_WORD bytes */
    struct sim_pool copies;    /* mem_copy */
    uint32_t n_copies;         /* under way */
    uint64_t to_arrive; /* warps with arrivals that wait for a credit of the LSU */

    struct sim_module scope;
    struct sm_parts cfg; /* immutable */
    struct sm_shared *shared;
    struct smw_counters *stats; /* by launch */
    struct stalls *stalls;      /* by launch and scheduler */
    struct stalls **places;     /* by launch and pc; NULL: nobody asks for that */
    uint8_t only;               /* the launch of the blocks resident ... */
    bool mixed;                 /* ... unless there were several */
    struct block *block;
    struct memory_range near; /* the allocation accessed last */
    struct mem_req *prepared; /* of the instruction that is issued ahead (access.h) */
    uint32_t index, n_slots;
    uint64_t free_warps;
    uint64_t *older;     /* of each warp slot, for the policies */
    uint64_t n_started;  /* warps */
    uint8_t *shared_map; /* a byte per unit of shared memory: used */
    uint32_t n_units, split_shared_kb, split_l1_kb;
    sim_cycle_t active_since; /* a block is resident since, for active_cycles */
    uint32_t n_resident;
    const struct ptx_kernel *known[SM_KNOWN]; /* kernels whose code is here, a ring */
    uint32_t next_known;
    uint32_t
        begun[SM_MAX_LAUNCHES]; /* 1 + number of the launch whose parameters came */
    sim_cycle_t fetched_at;     /* code and parameters of the last block */
    sim_cycle_t block_at;       /* the next block is placed, at the earliest */
    uint32_t n_ended;           /* blocks that have, and are still here */
    uint32_t to_drain; /* block slots whose drain waits for a credit of the LSU ... */
    uint32_t drained;  /* ... and whose drain is back */

    struct lsu *lsu;
    struct smem *smem;
    struct cbank *cbank;
    struct l1 *l1;
    struct sim_module barriers, onchip;
    struct sim_module copying; /* from 8.0 on */
    struct sim_probe p_copies, p_groups, p_phase;
    struct sim_probe p_arrived, p_release, p_shared_kb, p_l1_kb, p_resident, p_warps,
        p_insts;
    uint64_t n_shown;    /* instructions, for p_insts */
    struct check *check; /* owned; NULL: shared memory is not checked */
    struct sim_probe p_race;
    struct bulk *bulk;       /* NULL: the device has no bulk copies */
    uint32_t n_bulk;         /* such copies under way */
    struct untimed *untimed; /* owned; while it runs blocks without time, else NULL */
    struct spin *spin; /* owned; while it is watched for endless loops, else NULL */
};

_Static_assert(offsetof(struct sm, warps) == 0 &&
                   offsetof(struct sm, slot) == offsetof(struct sm, step) + 128,
               "a step looks at four lines and slots");
_Static_assert(sizeof(((struct sm_printf *)0)->args) == SYSCALL_BYTES,
               "all of a lane's");
_Static_assert(WARP_MAX == SM_MAX_WARPS, "a warp of an SM is a bit of a word");
_Static_assert(SM_MAX_WARPS <= POLICY_MAX_WARPS, "policies know all warps");

/* Requests of the SM that have not come back. */
static inline uint64_t sm_live_reqs(const struct sm *s)
{
    return s->reqs.live + s->word_reqs.live;
}

/* Whoever listens is told: at the end of the instant, or at once if there is none. */
static inline void sm_raise(struct sm *s, struct sim_hook *h, const void *record,
                            size_t size)
{
    if (s->untimed != NULL) {
        sim_tell(h, &s->scope, record);
    } else if (sim_heard(h)) {
        sim_raise(h, &s->scope, record, size);
    }
}

/* Warps held at barriers. */
static inline uint32_t barrier_n_waiting(const struct sm *s)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < s->n_slots; k++) {
        for (uint32_t i = 0; i < BARRIERS; i++) {
            n += (uint32_t)__builtin_popcountll(s->block[k].barrier[i].waiting);
        }
    }
    return n;
}

#endif /* SM_SM_PRIV_H */
