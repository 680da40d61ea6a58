/*
 * spin.h - do the warps of an SM go round in loops that nothing can end (SPEC HANG-1)?
 *
 * While an SM is watched, it is known of each warp what it has read last and whether it
 * was in one state twice; and whether anything happened that a kernel could see: memory
 * got another value, a thread exited, the clock was read. A warp that was in one state
 * twice, with all that it reads as it was, goes on like that.
 *
 * The owner begins between instants and asks now and then: did anything change; was by
 * now each warp in one state twice? Then, once all requests of before are over, that is
 * so for good: what they write is among what changed nothing.
 */
#ifndef SM_SPIN_H
#define SM_SPIN_H

#include "sm/sm_priv.h"

enum {
    SPIN_READS = 8,    /* accesses of a warp that are remembered */
    SPIN_STATES = 128, /* its states */
};

struct spin_read { /* an access of a warp; the first lane's address */
    uint64_t key;  /* of the instruction and the addresses of all lanes */
    uint64_t addr;
    uint32_t pc;
    uint8_t space; /* enum isa_space */
    uint8_t size;  /* bytes of an element */
    uint8_t lane;
    bool cached; /* by way of the L1 */
};

struct spin_warp {
    struct spin_read read[SPIN_READS]; /* a ring */
    uint64_t n_reads;
    uint32_t issues; /* instructions but those that only compute */
    struct spin_state {
        uint64_t hash;
        uint32_t issues;
    } state[SPIN_STATES];
    uint32_t n_states;
    uint32_t first_pc, last_pc; /* micro-ops it was seen at, or accessed from */
    bool again;                 /* it was in one state twice */
    bool waits; /* that is one of waiting at a barrier: true for as long as it does */
};

struct spin {
    sim_cycle_t began; /* sm_spin_settle() was called; 0: not yet */
    uint64_t older;    /* requests of before then that are under way */
    bool changed;      /* something that a kernel could see */
    struct spin_warp warp[WARP_MAX];
};

/* Warp i issues an instruction of the lanes in mask that does not just compute. */
void spin_issue(struct sm *s, uint32_t i, uint32_t mask);
/* It sends request r, whose addresses are the program's. */
void spin_access(struct sm *s, uint32_t i, const struct mem_req *r);

/* A warp reads the clock, a block begins. */
static inline void spin_change(struct sm *s)
{
    if (s->spin != NULL) {
        s->spin->changed = true;
    }
}

/* Request r has been answered. */
static inline void spin_answered(struct sm *s, const struct mem_req *r)
{
    s->spin->older -= s->spin->older != 0 && r->at[MEM_AT_ISSUE] < s->spin->began;
}

#endif /* SM_SPIN_H */
