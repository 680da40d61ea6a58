/*
 * simt.h - the SIMT stack of a warp: which lanes run, where, and where they meet again.
 *
 * Reconvergence at immediate post-dominators. The top entry runs; an entry below waits
 * at its pc for the lanes above it. A branch that splits makes the running entry wait
 * at the reconvergence point and pushes both sides; an entry whose pc reaches its own
 * reconvergence point is popped, its lanes being part of the entry below. Loops do not
 * grow the stack: a side that would wait where the entry below waits is not kept (SPEC
 * SIMT-1). A call pushes an entry with a register frame of its own; returning or
 * exiting lanes leave every entry they are in (SPEC SIMT-2).
 *
 * An entry whose lanes are in none above it can run: it is a path. From compute
 * capability 7.0 on another path than the top one may be chosen (paths.h): its entry
 * becomes the top. Entries stand above those that wait for them then as before, and
 * only what lies between may belong to other lanes.
 */
#ifndef SM_SIMT_H
#define SM_SIMT_H

#include "isa/uop.h"

struct simt_entry {
    uint32_t pc, reconv; /* micro-op indices; reconv ISA_NO_PC: none */
    uint32_t mask;       /* lanes */
    uint32_t slot, pred; /* start of the register frame */
    uint16_t depth;      /* calls under way, sm.call_depth at most */
    bool call;           /* first entry of a called function */
    bool yielded;        /* its lanes let others run and have not run since (paths.h) */
};

struct simt {
    struct simt_entry *e; /* e[n - 1] is the top; n == 0: every lane has exited */
    uint32_t n, max;
    bool released; /* lanes have gone on without others that should have met them */
};

/* One entry at pc. Keeps memory from earlier use; zeroed memory is a fresh stack. */
void simt_start(struct simt *s, uint32_t pc, uint32_t mask);
void simt_free(struct simt *s);

/* A new entry on top, whose contents are not set. */
struct simt_entry *simt_push(struct simt *s);

static inline struct simt_entry *simt_top(const struct simt *s)
{
    return &s->e[s->n - 1];
}

/* The running lanes go on at pc. */
void simt_next(struct simt *s, uint32_t pc);

/* bra at pc of the running lanes; taken is a subset of them. True if the warp split. */
bool simt_branch(struct simt *s, const struct isa_uop *u, uint32_t pc, uint32_t taken);

/* brx.idx: the lanes in mask go to target, the others of the top entry stay at pc and
 * run it again. */
void simt_branch_some(struct simt *s, uint32_t target, uint32_t reconv, uint32_t mask);

/* call at pc by the lanes in mask; the frame of the callee begins u->frame slots and
 * preds further. */
void simt_call(struct simt *s, uint32_t target, uint32_t pc, uint32_t mask,
               uint32_t slots, uint32_t preds);

/* ret of lanes in mask at pc; lanes of the same entry that did not return go on. */
void simt_ret(struct simt *s, uint32_t pc, uint32_t mask);

/* The lanes in mask, of the running ones, wait before pc; others that can run do so
 * first, but for those in waiting. False: there are none, and nothing has changed. */
bool simt_yield(struct simt *s, uint32_t pc, uint32_t mask, uint32_t waiting);

/* exit of lanes in mask at pc. */
void simt_exit(struct simt *s, uint32_t pc, uint32_t mask);

#endif /* SM_SIMT_H */
