/*
 * warp.h - the warps of an SM: what each one is doing, and what of that its schedulers
 * have to know.
 *
 * A warp goes on at the top of its SIMT stack (simt.h). It issues the micro-op `head`
 * when the scoreboard has nothing under way of what that needs, and no hold is set.
 * Each result or hold that ends at a known cycle is a due of the warp; ring.h releases
 * them in time.
 *
 * Nothing here knows an SM: it runs warps, whose lanes compute at issue and whose
 * instructions it finds in the micro-ops of their module.
 */
#ifndef SM_WARP_H
#define SM_WARP_H

#include "comp/comp.h"
#include "sm/async.h"
#include "sm/simt.h"
#include "sm/stall.h"
#include "stat/counters.h"

enum { WARP_MAX = 64 }; /* of an SM: a set of them is a word, bit i is warp i */

/* Cycles that the ring of ring.h reaches, and words of a set with a bit for each. */
enum { RING = 128, RING_WORDS = RING / 64 };

/* Why a warp may not issue, besides its operands. */
enum hold {
    HOLD_FREE = 1u << 0,    /* the slot is empty, or the warp has exited */
    HOLD_CONTROL = 1u << 1, /* a branch is being resolved */
    HOLD_BARRIER = 1u << 2,
    HOLD_FENCE = 1u << 3,    /* waits for its own accesses */
    HOLD_FAULT = 1u << 4,    /* it has faulted, and stays so */
    HOLD_FETCH = 1u << 5,    /* its block has just come: no instruction yet */
    HOLD_ATOMIC = 1u << 6,   /* the loop of a locked atomic (SPEC BANK-5) */
    HOLD_SYSCALL = 1u << 7,  /* printf waits for its own accesses, or for arguments */
    HOLD_FORGET = 1u << 8,   /* beside HOLD_FENCE: the L1 is emptied at its end */
    HOLD_ASYNC = 1u << 9,    /* cp.async.wait_group: groups of copies are under way */
    HOLD_PRODUCT = 1u << 10, /* wgmma.wait_group: groups of products are under way */
    HOLD_FENCE_TIME = 1u << 11, /* a fence takes as long, whatever is under way */
    HOLD_CLUSTER = 1u << 12,    /* barrier.cluster.wait */
    HOLD_BULK = 1u << 13,       /* cp.async.bulk.wait_group: copies are under way */
    HOLD_CHECKED = 1u << 14,    /* beside HOLD_FENCE: checks hear of it at its end */
    HOLD_BEYOND = 1u << 15,     /* beside HOLD_CHECKED: it reaches beyond the block */
    /* these end with accesses */
    HOLD_OWN = HOLD_FENCE | HOLD_ATOMIC | HOLD_SYSCALL | HOLD_FORGET | HOLD_CHECKED |
               HOLD_BEYOND,
    /* of a due alone, and no hold: its registers come from a unit behind the queue of
     * the memory instructions (STALL_SHORT) */
    DUE_SHORT = 1u << 31
};

/* What the waveform calls it. */
enum warp_state {
    WARP_IDLE,
    WARP_READY,
    WARP_OPERAND,         /* a result of its own, of a fixed latency */
    WARP_SHARED,          /* data of shared memory ... */
    WARP_SHARED_CONFLICT, /* ... whose last access under way has a bank conflict */
    WARP_GLOBAL,
    WARP_LOCAL,
    WARP_CONSTANT,
    WARP_BARRIER,
    WARP_FENCE,
    WARP_CONTROL,
    WARP_FAULT,
    WARP_ASYNC, /* groups of its copies are under way, for which it waits */
    WARP_ISSUE, /* in the cycle in which it issues; then comes its new state */
    WARP_N_STATES
};

struct mem_req;
struct turns;

/* A result, or a hold, that ends at a known cycle. A register, a predicate or a hold is
 * in one due at most. */
struct due {
    sim_cycle_t at;
    uint64_t regs;
    uint32_t preds;
    uint32_t hold; /* enum hold */
};

struct warp {
    /* the first two cache lines: all that an instruction without memory needs */
    ATTR_ALIGNED(64) uint64_t pend; /* scoreboard: registers still to be written */
    uint64_t need;                  /* ... what the next instruction needs */
    uint32_t pend_p, need_p;        /* the same for predicates */
    uint32_t hold;                  /* enum hold */
    uint8_t slot, launch;           /* block slot, resident launch */
    uint8_t n_active;               /* lanes in active */
    uint8_t n_due;                  /* the first in due, the others in warps.more_due */
    struct isa_lanes lanes;
    const struct isa_uop *head; /* the next micro-op */
    struct smw_counters *stats; /* of its launch */
    uint32_t pc, active;
    uint32_t reconv; /* where the top of the SIMT stack ends, ISA_NO_PC: nowhere */
    uint32_t replay; /* lanes of head still to be issued (generic spaces, printf) */
    struct due due;  /* the first; without meaning if n_due is 0 */
    uint32_t outstanding; /* accesses under way */
    uint32_t live;        /* lanes that have not exited */
    /* the next ones: what memory instructions need as well */
    uint64_t pend_mem; /* the part of pend that memory will deliver */
    uint32_t pend_mem_p;
    uint32_t
        pend_near_p; /* the parts of pend_mem and pend_mem_p that shared memory ... */
    uint64_t pend_near;
    uint64_t pend_const;        /* ... and the constant cache will deliver */
    uint64_t *stalls;           /* by enum stall: of its launch and scheduler */
    sim_cycle_t since;          /* the cycles before are counted there */
    struct stalls *places;      /* by pc, of its launch; NULL: nobody asks for that */
    uint64_t pend_local;        /* the part of pend_mem that is in local memory */
    const struct mem_req *near; /* the last access of shared memory under way that has
                                   a result; NULL: none */
    uint8_t why;                /* enum stall: what to count when it ends; STALL_NONE */
    uint32_t thread0;           /* linear index of lane 0 in the block */
    uint32_t frame_slot, frame_pred; /* where registers of lanes begin in reg, pred */
    const struct isa_uop *uops;      /* of its module, by pc */
    struct simt simt;
    uint32_t parked; /* lanes that do not run before turn.h has looked at them: those at
                         a barrier, those that wait for members, or have yielded */
    uint32_t barring; /* of these those at a barrier, before the others (BAR-1) ... */
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
    uint32_t cluster_come; /* lanes that have come to the barrier of the cluster */
    bool cluster_fenced;   /* the fence before it is over */
    uint32_t n_printf;     /* calls so far */
    struct syscall *call;  /* printf under way, owned; NULL: none yet */
    struct async *async;   /* copies and waits for mbarriers, owned; NULL: none yet */
    struct turns *turns; /* of lanes that wait for each other, owned; NULL: none yet */
    struct isa_env env;
    struct sm *sm; /* of the probes */
    struct sim_module scope;
    struct sim_probe p_issues, p_state, p_pc, p_active, p_inst;
};

/* What a warp needs once its lanes wait for each other (turn.h); from then on. */
struct turns {
    uint32_t syncing; /* lanes that wait for members, part of warp.parked */
    uint32_t met;     /* lanes whose members have come: they do not wait again */
    uint32_t members[ISA_LANES]; /* of each lane in syncing */
};

/* Lanes of w that wait for members. */
static inline uint32_t warp_syncing(const struct warp *w)
{
    return w->turns == NULL ? 0 : w->turns->syncing;
}

_Static_assert(offsetof(struct warp, pend_mem) == 128, "two lines to issue from");

/* All of an SM. */
struct warps {
    /* what every step looks at: a cache line */
    ATTR_ALIGNED(64) sim_cycle_t now; /* the cycle of the step under way */
    uint64_t ready; /* warps whose next instruction has its operands; the scheduler may
                       put some aside */
    uint64_t again; /* warps to be looked at one by one when their cycle comes */
    struct warp *warp;
    uint64_t ring_used[RING_WORDS]; /* bit: there is a step in that cycle */
    uint32_t used; /* bit c: some warp has had a next instruction of class c */
    uint8_t n;     /* warps */
    bool exact;    /* somebody watches: every due is looked at in its cycle */
    bool stalls;   /* it is counted why warps do not issue; from before the first */
    bool sorts;    /* far and near are kept; likewise */
    /* another cache line */
    ATTR_ALIGNED(64)
    uint8_t
        class_of[WARP_MAX]; /* of each warp's next instruction: known without looking
                                   at the warp, which is far away */
    /* while sorts is set: warps whose next instruction goes through the queue of
     * memory instructions, to global or local memory, or for something else */
    uint64_t far, near;
    uint64_t ring[RING];  /* [i]: the set of the next cycle that is i modulo RING */
    struct due *more_due; /* ring.c */
    struct sim *sim;
};

_Static_assert(offsetof(struct warps, class_of) == 64, "a line");

/* n warps, all HOLD_FREE, from the arena of the simulation. */
void warps_init(struct warps *ws, struct sim *sim, uint32_t n);
/* Register files and stacks; the rest goes with the simulation. */
void warps_free(struct warps *ws);

/* Registers and predicates of the warp's file, kept when it grows. */
void warp_reserve(struct warp *w, uint32_t slots, uint32_t preds);

/* The next instruction of the warp, u, goes through the queue of memory instructions:
 * note for what. */
static inline void warp_head_throttle(struct warps *ws, uint64_t bit,
                                      const struct isa_uop *u)
{
    bool far = u->class == ISA_CL_MEM &&
               (u->form.space == ISA_SP_GLOBAL || u->form.space == ISA_SP_LOCAL ||
                u->form.space == ISA_SP_GENERIC);

    ws->far |= far ? bit : 0;
    ws->near |= far ? 0 : bit;
}

/* w, warp i, goes on with micro-op u, at pc. */
static inline void warp_head(struct warps *ws, struct warp *w, uint32_t i, uint32_t pc,
                             const struct isa_uop *u)
{
    w->pc = pc;
    w->head = u;
    w->need = u->needs;
    w->need_p = u->needs_p;
    ws->class_of[i] = u->class;
    ws->used |= 1u << u->class;
    if (UNLIKELY(ws->sorts)) {
        uint64_t bit = 1ull << i;

        ws->far &= ~bit;
        ws->near &= ~bit;
        if ((1u << u->class & (1u << ISA_CL_MEM | 1u << ISA_CL_BAR)) != 0) {
            warp_head_throttle(ws, bit, u);
        }
    }
}

/* The top of the SIMT stack is where warp i goes on: set pc, active, head, frame.
 * Without a top every lane has exited, and the slot is HOLD_FREE. */
void warp_fetch(struct warps *ws, uint32_t i);

/* The micro-op at which the lane goes on. */
uint32_t warp_lane_pc(const struct warp *w, uint32_t lane);

/* The words of the lanes of an operand, a register or a constant. */
static inline const uint32_t *warp_operand(const struct isa_lanes *w, isa_ref ref)
{
    return ref >= 0 ? w->r + (size_t)ref * ISA_LANES
                    : w->k + (size_t)(-1 - ref) * ISA_LANES;
}

/* What keeps a settled warp from issuing, its pipe apart; 0: nothing does. */
static inline uint64_t warp_blocked(const struct warp *w)
{
    return (w->pend & w->need) | (w->pend_p & w->need_p) | w->hold;
}

/* What memory owes to the next instruction; STALL_NONE: nothing. */
static inline enum stall warp_memory_stall(const struct warp *w)
{
    uint64_t regs = w->pend_mem & w->need;
    uint32_t preds = w->pend_mem_p & w->need_p;

    if (((regs & ~w->pend_near & ~w->pend_const) | (preds & ~w->pend_near_p)) != 0) {
        return STALL_LONG;
    }
    if (((regs & w->pend_near) | preds) != 0) {
        return STALL_SHORT;
    }
    return regs != 0 ? STALL_IMC_MISS : STALL_NONE;
}

/* The instruction that waits: at a barrier that is not complete, the barrier. */
uint32_t warp_waits_at(const struct warp *w);

static inline void warp_count(struct warp *w, enum stall why, uint64_t cycles)
{
    w->stalls[why] += cycles;
    if (UNLIKELY(w->places != NULL)) {
        w->places[warp_waits_at(w)].n[why] += cycles;
    }
}

/* The same of a warp that is ready, settled or not: it waits at no barrier any more. */
static inline void warp_count_ready(struct warp *w, enum stall why, uint64_t cycles)
{
    w->stalls[why] += cycles;
    if (UNLIKELY(w->places != NULL)) {
        w->places[w->pc].n[why] += cycles;
    }
}

/* It waits for that until cycle `at`: count what has not been counted of it. */
static inline void warp_count_until(struct warp *w, enum stall why, sim_cycle_t at)
{
    if (at > w->since) {
        warp_count(w, why, at - w->since);
        w->since = at;
    }
}

/* Something has happened to w, which was blocked: count for what, up to now. The caller
 * updates the warp (ring.h). */
static inline void warp_count_wait(const struct warps *ws, struct warp *w)
{
    if (UNLIKELY(ws->stalls) && w->why != STALL_NONE) {
        warp_count_until(w, (enum stall)w->why, ws->now);
        w->why = STALL_NONE;
    }
}

static inline void warp_release(struct warp *w, const struct due *d)
{
    w->pend &= ~d->regs;
    w->pend_p &= ~d->preds;
    w->hold &= ~d->hold;
}

/* Is d all that keeps w from issuing? */
static inline bool warp_waits_for(const struct warp *w, const struct due *d)
{
    return ((w->pend & w->need & ~d->regs) | (w->pend_p & w->need_p & ~d->preds) |
            (w->hold & ~d->hold)) == 0;
}

#endif /* SM_WARP_H */
