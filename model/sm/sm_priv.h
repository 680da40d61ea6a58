/*
 * sm_priv.h - the insides of an SM, shared by sm.c (the step, warps), issue.h (the common
 * instruction), issue.c (the others), access.c (memory), block.c (blocks, barriers), ring.h
 * (results under way), show.c (probes, reports), watch.c (checks), wait.c (who waits), fault.c
 * (faults in words) and build.c (configuration, construction).
 */
#ifndef SM_SM_PRIV_H
#define SM_SM_PRIV_H

#include "sm/barrier.h"
#include "sm/policy.h"
#include "sm/ring.h"
#include "sm/sm.h"
#include "sm/syscall.h"

enum { MAX_SCHEDS = 4 };

/* In sm.issuing. */
enum { NOT_ISSUING = UINT8_MAX };

/* Pipes are kept in 1/240 cycle: 32, 48, 64, 128, 160 and 192 results per cycle are exact. */
enum { PIPE_UNIT = 240 };

struct block {
    struct sm_block *txn; /* owned while resident; NULL: free slot */
    uint64_t warps;       /* warp slots */
    uint32_t n_live;      /* warps that have not exited */
    uint32_t outstanding; /* accesses of its warps under way */
    uint32_t base;        /* of its shared memory, bytes */
    sim_cycle_t exited_at;
    struct barrier barrier[BARRIERS];
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
    uint8_t issuing;  /* warp of the instruction under way that does not just compute */
    bool round_robin; /* the policy is */
    uint32_t special; /* bit c: an instruction of class c goes by issue_special() */
    uint32_t issue_interval; /* of cfg */
    /* others */
    struct slot slot[MAX_SCHEDS];
    struct pipe pipe[ISA_N_CLASSES];
    policy_fn *pick;
    struct scheduler *sched;
    uint32_t branch_latency;                               /* of cfg */
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
    uint32_t index, n_slots;
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

_Static_assert(offsetof(struct sm, warps) == 0 &&
                   offsetof(struct sm, slot) == offsetof(struct sm, step) + 128,
               "a step looks at four lines and slots");
_Static_assert(sizeof(((struct sm_printf *)0)->args) == SYSCALL_BYTES,
               "all of a lane's");
_Static_assert(WARP_MAX == SM_MAX_WARPS, "a warp of an SM is a bit of a word");

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

/* ---- show.c ---- */

/* Declare the probes of the SM, of its array and barriers, of a scheduler, of a warp. */
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

/* ---- wait.c ---- */

enum { SM_PLACE_SIZE = 96 };

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
/* The block's barrier refuses that the lanes in mask come to it so. */
void fault_barrier(struct sm *s, uint32_t i, uint32_t mask, struct barrier_call call,
                   enum barrier_refusal why);

/* ---- issue.c ---- */

/* Issue the next instruction of warp i. */
void issue(struct sm *s, uint32_t i);

/* ---- access.c ---- */

/* A memory instruction of the lanes in mask (not empty); false: it must be issued again
 * for the lanes left in w->replay. */
bool access_issue(struct sm *s, uint32_t i, uint32_t mask);
bool access_printf(struct sm *s, uint32_t i, uint32_t mask);
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
/* Observers want to see the state of w, warp i, which is settled and changed. */
static inline void warp_changed(struct sm *s, struct warp *w, uint32_t i)
{
    warp_update(&s->warps, w, i);
    if (SIM_PROBES && UNLIKELY(s->shown)) {
        warp_show(s, i);
    }
}

/* The same of a warp that may have something due by now. */
static inline void warp_look(struct sm *s, struct warp *w, uint32_t i)
{
    warp_settle(&s->warps, w, i);
    warp_changed(s, w, i);
}

#endif /* SM_SM_PRIV_H */
