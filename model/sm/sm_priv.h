/*
 * sm_priv.h - the insides of an SM, shared by sm.c (the step, warps), issue.h (the
 * common instruction), issue.c (the others), access.c (memory), block.c (blocks,
 * barriers), ring.h (results under way), show.c (probes, reports), watch.c (checks),
 * wait.c (who waits), fault.c (faults in words) and build.c (configuration,
 * construction).
 */
#ifndef SM_SM_PRIV_H
#define SM_SM_PRIV_H

#include "sm/policy.h"
#include "sm/simt.h"
#include "sm/sm.h"

enum { MAX_SCHEDS = 4 };

/* In sm.issuing. */
enum { NOT_ISSUING = UINT8_MAX };

/* Cycles for which an SM remembers whom to look at: ring.h. */
enum { RING = 128, RING_WORDS = RING / 64 };

/* Pipes are kept in 1/240 cycle: 32, 48, 64, 128, 160 and 192 results per cycle are
 * exact. */
enum { PIPE_UNIT = 240 };

/* Why a warp may not issue, besides its operands. */
enum hold {
    HOLD_FREE = 1u << 0,    /* the slot is empty, or the warp has exited */
    HOLD_CONTROL = 1u << 1, /* a branch is being resolved */
    HOLD_BARRIER = 1u << 2,
    HOLD_FENCE = 1u << 3, /* waits for its own accesses */
    HOLD_FAULT = 1u << 4  /* for ever */
};

/* What the waveform calls it. */
enum warp_state {
    WARP_IDLE,
    WARP_READY,
    WARP_OPERAND,
    WARP_MEMORY,
    WARP_BARRIER,
    WARP_FENCE,
    WARP_CONTROL,
    WARP_FAULT,
    WARP_ISSUE, /* for the cycle of an issue, in place of what comes of it */
    WARP_N_STATES
};

struct printf_call { /* arguments are fetched 4 bytes at a time */
    uint32_t fetched, bytes;
    uint32_t n_args[ISA_LANES]; /* conversions of the lane's format */
    uint8_t args[ISA_LANES][SM_PRINTF_BYTES];
};

/* What is known of a result, or of a hold, that ends at a cycle. Of each register,
 * predicate and hold at most one at a time. */
struct due {
    sim_cycle_t at;
    uint64_t regs;
    uint32_t preds;
    uint32_t hold; /* enum hold */
};

struct warp {
    /* the first two cache lines: all that an instruction without memory needs */
    ATTR_ALIGNED(64) uint64_t pend; /* scoreboard: results under way, or due: ring.h */
    uint64_t need;                  /* ... what the next instruction needs */
    uint32_t pend_p, need_p;        /* the same for predicates */
    uint32_t hold;                  /* enum hold */
    uint8_t slot, launch;           /* block slot, resident launch */
    uint8_t n_active;               /* lanes in active */
    uint8_t n_due;                  /* the first in due, the others in sm.more_due */
    struct isa_lanes lanes;
    const struct isa_uop *head; /* the next micro-op */
    struct smw_counters *stats; /* of its launch */
    uint32_t pc, active;
    uint32_t reconv; /* where the top of the SIMT stack ends, ISA_NO_PC: nowhere */
    uint32_t replay; /* lanes of head still to be issued (generic spaces, printf) */
    struct due due;  /* at random if n_due is 0 */
    uint32_t outstanding; /* accesses under way */
    uint32_t live;        /* lanes that have not exited */
    /* the next ones: what memory instructions need as well */
    uint64_t pend_mem; /* the part of pend that memory will deliver */
    uint32_t pend_mem_p;
    uint32_t thread0;                /* linear index of lane 0 in the block */
    uint32_t frame_slot, frame_pred; /* where registers of lanes begin in reg, pred */
    struct simt simt;
    uint32_t
        parked; /* lanes that came to a barrier before the others (SPEC BAR-1) ... */
    uint32_t parked_at, parked_for;   /* ... to which, for how many warps */
    const struct isa_uop *parked_uop; /* ... by this instruction */
    uint64_t block;                   /* linear index of its block in the grid */
    uint64_t local_base;              /* line address of its local memory */
    uint32_t shared_base; /* of the kernel's variables in the array, bytes */
    uint8_t bank_mode;    /* of its launch */
    uint32_t *reg;        /* owned: register file, grown on demand */
    uint32_t *pred;
    uint32_t n_slots, n_preds; /* capacity */
    sim_cycle_t started_at;
    const struct isa_uop *barrier_uop; /* at which it waits, with these lanes */
    uint32_t barrier_mask;
    uint32_t n_printf;        /* calls so far */
    struct printf_call *call; /* printf under way, owned; NULL: none yet */
    struct isa_env env;
    struct sm *sm;
    struct sim_module scope;
    struct sim_probe p_issues, p_state, p_pc, p_active, p_inst;
};

_Static_assert(offsetof(struct warp, pend_mem) == 128, "two lines to issue from");

struct barrier {
    const struct isa_uop *uop; /* at which the first one arrived */
    uint32_t first;            /* its warp slot */
    uint32_t expected;         /* warps; 0: all live warps of the block */
    uint32_t arrived;          /* warps, arrive included */
    uint64_t waiting;          /* warp slots held */
    uint32_t count;            /* bar.red: lanes whose predicate is true */
    bool all, any;             /* bar.red */
};

struct block {
    struct sm_block *txn; /* owned while resident; NULL: free slot */
    uint64_t warps;       /* warp slots */
    uint32_t n_live;      /* warps that have not exited */
    uint32_t outstanding; /* accesses of its warps under way */
    uint32_t base;        /* of its shared memory, bytes */
    sim_cycle_t exited_at;
    struct barrier barrier[16];
};

struct pipe {
    uint64_t free;    /* when it can begin another one, in PIPE_UNIT */
    uint32_t cost;    /* of a warp instruction of weight 1, in PIPE_UNIT */
    uint32_t latency; /* cycles from issue to a usable result */
};

struct slot { /* of a scheduler: what every step looks at, a cache line */
    ATTR_ALIGNED(64) uint64_t own; /* its warps */
    sim_cycle_t next_at;           /* of any instruction */
    sim_cycle_t mem_at;            /* of a memory instruction: sm.mem_interval */
    struct sched s;
    const struct isa_uop *issued; /* last, by s.last; NULL: the probes know */
    struct slot *after;           /* of the next scheduler, round and round */
};

struct scheduler {
    struct sm *sm;
    struct sim_module scope;
    struct sim_probe p_warp, p_inst, p_line, p_issue, p_second;
};

struct sm {
    /* what every step looks at */
    struct sim_process step;
    sim_cycle_t now; /* the cycle of the step under way */
    uint64_t ready;  /* warps whose next instruction has its operands ... */
    struct sim_clock *clock;
    /* a cache line up to here */
    uint64_t parked;        /* ... but for those whose pipe takes none ... */
    sim_cycle_t unpark_at;  /* ... before this; SIM_CYCLE_NONE: there are none */
    sim_cycle_t arrives_at; /* nothing can be taken from a port before */
    sim_cycle_t wake_at;    /* of wake, while it is pending */
    uint64_t again;         /* warps to look at closely when their cycle has come */
    uint64_t horizon;       /* a pipe that is free earlier takes one; in PIPE_UNIT */
    uint8_t n_scheds;
    bool full;          /* the block at the port does not fit before one leaves */
    bool looked, shown; /* a probe of a warp or scheduler is watched; asked anew */
    bool asks_once;     /* the policy is asked with what can be issued, and once */
    bool exact;         /* somebody wants to know of every change: shown or asks_once */
    uint8_t issuing;  /* warp of the instruction under way that does not just compute */
    bool round_robin; /* the policy is */
    uint32_t special; /* bit c: an instruction of class c goes by issue_special() */
    /* another */
    struct warp *warp;
    uint64_t issued; /* warp instructions, ids of requests */
    uint64_t units;  /* now, in PIPE_UNIT */
    policy_fn *pick;
    struct scheduler *sched;
    uint32_t used; /* bit c: a warp has had an instruction of class c before it */
    uint32_t issue_interval, branch_latency; /* of cfg */
    struct slot *turn; /* of the scheduler after the one that issued last */
    /* another */
    ATTR_ALIGNED(64)
    uint8_t class_of[SM_MAX_WARPS]; /* of each warp's next instruction: known without
                                       looking at the warp, which is far away */
    struct slot slot[MAX_SCHEDS];
    struct pipe pipe[ISA_N_CLASSES];
    uint64_t ring_used[RING_WORDS]; /* bit: there is a step in that cycle */
    uint64_t ring[RING];            /* warps to look at in the cycles i modulo RING */
    struct sim_in from_smem, from_lsu, from_cbank, blocks; /* tell arrives_at */
    struct sim_out to_lsu, done;
    struct sim_event wake;
    struct sim_pool reqs;

    struct sim_module scope;
    struct sm_parts cfg; /* immutable */
    struct sm_shared *shared;
    struct smw_counters *stats; /* by launch */
    struct block *block;
    struct memory_range near; /* the allocation accessed last */
    uint32_t index, n_warps, n_slots;
    struct due *more_due; /* ring.c */
    uint64_t free_warps;
    uint64_t *age;
    uint64_t n_started;  /* warps, for age */
    uint8_t *shared_map; /* a byte per unit of shared memory: used */
    uint32_t n_units, split_shared_kb, split_l1_kb;
    sim_cycle_t active_since; /* a block is resident since, for active_cycles */
    uint32_t n_resident;

    struct lsu *lsu;
    struct smem *smem;
    struct cbank *cbank;
    struct l1 *l1;
    struct sim_module barriers, onchip;
    struct sim_probe p_arrived, p_release, p_shared_kb, p_l1_kb, p_resident, p_warps,
        p_insts;
    uint64_t n_shown;    /* instructions, for p_insts */
    struct check *check; /* owned; NULL: shared memory is not checked */
    struct sim_probe p_race;
};

_Static_assert(offsetof(struct sm, slot) == 256,
               "a step looks at four lines and slots");

/* ---- show.c ---- */

/* Declare the probes of the SM, of its array and barriers, of a scheduler, of a
 * warp. */
void show_sm(struct sm *s);
void show_onchip(struct sm *s);
void show_scheduler(struct sm *s, struct scheduler *d);
void show_warp(struct sm *s, struct warp *w);
/* Is a probe of a scheduler or of a warp watched? Of sm.looked. */
bool show_is_watched(const struct sm *s);
/* Blocks and warps came or went. */
void show_occupancy(struct sm *s);
/* Only if some is watched: warp i issues from d, its first of this cycle; it issues. */
void show_issue(struct sm *s, struct scheduler *d, uint32_t i);
void show_count(struct sm *s, uint32_t i);
enum warp_state warp_state(const struct warp *w);
const char *warp_state_name(enum warp_state state);
/* Warp i begins anew: what it issued last is put down before it is forgotten. */
void show_forget(struct sm *s, uint32_t i);
/* What observers see of the warp now. */
void warp_show(struct sm *s, uint32_t i);

/* ---- sm.c ---- */

/* The process: woken by answers, blocks, wake and to_lsu.space. */
void sm_step(void *self);

/* w goes on with micro-op u, at pc. */
static inline void warp_head(struct sm *s, struct warp *w, uint32_t i, uint32_t pc,
                             const struct isa_uop *u)
{
    w->pc = pc;
    w->head = u;
    w->need = u->needs;
    w->need_p = u->needs_p;
    s->class_of[i] = u->class;
    s->used |= 1u << u->class;
}

/* Registers and predicates of the warp's file, kept when it grows. */
void warp_reserve(struct sm *s, uint32_t i, uint32_t slots, uint32_t preds);

/* The top of the SIMT stack is where w goes on: set pc, active, head, frame. */
void warp_fetch(struct sm *s, uint32_t i);

/* ---- wait.c ---- */

enum { SM_PLACE_SIZE = 96 };

/* The micro-op at which the lane of the warp goes on. */
uint32_t wait_lane_pc(const struct sm *s, uint32_t i, uint32_t lane);

/* ---- fault.c ---- */

/* Raise it, by a lane of the warp at the warp's pc; the warp stops for ever. */
void sm_raise_fault(struct sm *s, uint32_t warp, uint32_t lane,
                    const struct sm_what *what, const char *fmt, ...) ATTR_PRINTF(5, 6);
/* The same for what is not about memory. */
#define SM_RULE(id) (&(const struct sm_what){.rule = (id)})
/* The lane's access is outside of what it may access; limit: bytes of its space, not
 * global. */
void fault_bounds(struct sm *s, uint32_t i, const struct mem_req *r, uint32_t lane,
                  uint64_t limit);
void fault_misaligned(struct sm *s, uint32_t i, const struct mem_req *r, uint32_t lane);
/* The space does not offer it. */
void fault_invalid(struct sm *s, uint32_t i, const struct mem_req *r, uint32_t lane,
                   const char *why);
/* Those of the lanes away from a barrier that go on to the end of the kernel without
 * meeting the lanes here before: as good as exited (SPEC BAR-4). */
uint32_t fault_leaving(const struct sm *s, uint32_t i, uint32_t away, uint32_t here);
/* Not all live lanes are at barrier id, those in mask are. */
void fault_divergent(struct sm *s, uint32_t i, uint32_t mask, uint32_t id);
/* Warp i comes to barrier id of all warps, to which others came by another
 * instruction. */
void fault_apart(struct sm *s, uint32_t i, uint32_t mask, uint32_t id);
/* It comes to it for another number of threads than others did. */
void fault_counts(struct sm *s, uint32_t i, uint32_t mask, uint32_t id,
                  uint32_t threads);

/* ---- issue.c ---- */

/* Issue the next instruction of warp i. */
void issue(struct sm *s, uint32_t i);

/* ---- access.c ---- */

/* A memory instruction of the lanes in mask (not empty); false: it must be issued again
 * for the lanes left in w->replay. */
bool access_issue(struct sm *s, uint32_t i, uint32_t mask);
bool access_printf(struct sm *s, uint32_t i, uint32_t mask);
/* A device-side assertion of the lanes in mask failed: a fault with its text. */
void access_assert(struct sm *s, uint32_t i, uint32_t mask);
/* An access came back. */
void access_done(struct sm *s, struct mem_req *r);

/* ---- watch.c: only if s->check ---- */

void watch_block(struct sm *s, uint32_t slot); /* begins */
void watch_access(struct sm *s, uint32_t i, const struct mem_req *r);
/* Warp i is about to issue an instruction of the lanes in mask, perhaps a .sync one. */
void watch_sync(struct sm *s, uint32_t i, uint32_t mask);
void watch_fence(struct sm *s, uint32_t i);
void watch_exit(struct sm *s, uint32_t i);
void watch_arrive(struct sm *s, uint32_t i, uint32_t barrier);
void watch_release(struct sm *s, uint32_t slot, uint32_t barrier);

/* ---- block.c ---- */

/* Place the block if there is room; false: wait. */
bool block_start(struct sm *s, struct sm_block *b);
/* Warp i has no live lanes and no accesses under way. */
void block_warp_done(struct sm *s, uint32_t i);
/* Send blocks that are complete; callable at any time. */
void block_finish(struct sm *s, uint32_t slot);
/* False: it has gone on elsewhere. */
bool barrier_arrive(struct sm *s, uint32_t i, uint32_t mask);
/* Nothing of the warp is left to run before lanes that came to a barrier alone. */
void barrier_arrive_late(struct sm *s, uint32_t i);
/* Warp i exited: barriers that waited for all live warps may be complete. */
void barrier_exit(struct sm *s, uint32_t slot);
/* Warps held at barriers. */
uint32_t barrier_n_waiting(const struct sm *s);

#endif /* SM_SM_PRIV_H */
