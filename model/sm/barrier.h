/*
 * barrier.h - the named barriers of a block (SPEC BAR-1..4): who has come, with what,
 * and who goes on.
 *
 * A barrier collects arrivals of warps. It is complete when as many have come as its
 * instruction says, or all live ones if it says nothing; then it is released and begins
 * anew. bar.red combines a predicate of every lane that comes; each warp that waited
 * gets the result. Nothing here knows time or an SM: which warps there are, when those
 * that are released go on, and what follows from a refusal is the caller's.
 */
#ifndef SM_BARRIER_H
#define SM_BARRIER_H

#include "isa/uop.h"

enum { BARRIERS = 16 }; /* of a block */

struct barrier {
    const struct isa_uop *uop; /* at which the first one arrived */
    uint32_t first;            /* its warp slot */
    uint32_t expected;         /* warps; 0: all live warps of the block */
    uint32_t arrived;          /* warps, arrive included; 0: nothing else is valid */
    uint64_t waiting;          /* warp slots held */
    uint32_t count;            /* bar.red: lanes whose predicate is true */
    bool all, any;             /* bar.red */
};

/* What a warp comes to, as its first lane says. */
struct barrier_call {
    uint32_t id;
    uint32_t threads; /* 0: all of the block */
};

enum barrier_refusal {
    BARRIER_FINE,
    BARRIER_NONE,  /* there is no such barrier */
    BARRIER_ODD,   /* for a part of a warp */
    BARRIER_COUNT, /* others came for another number of threads */
    BARRIER_APART  /* others came by another instruction */
};

/* The operands of u, for the lanes in mask, which is not empty. */
struct barrier_call barrier_operands(const struct isa_uop *u,
                                     const struct isa_lanes *lanes, uint32_t mask);

/* Is there such a barrier? */
enum barrier_refusal barrier_exists(struct barrier_call call);

/* May a warp come to b by u, where others are (SPEC BAR-4)? */
enum barrier_refusal barrier_together(const struct barrier *b, const struct isa_uop *u,
                                      uint32_t threads);

/* Warp slot i comes by u, for threads; the lanes in mask say what bar.red asks of them.
 * It is held unless u is bar.arrive: true. */
bool barrier_come(struct barrier *b, uint32_t i, uint32_t threads,
                  const struct isa_uop *u, const struct isa_lanes *lanes,
                  uint32_t mask);

/* How many warps it is for, of a block with n_live that have not exited. */
static inline uint32_t barrier_expected(const struct barrier *b, uint32_t n_live)
{
    return b->expected != 0 ? b->expected : n_live;
}

/* How many of them have not come; of a barrier to which somebody came, not complete. */
static inline uint32_t barrier_missing(const struct barrier *b, uint32_t n_live)
{
    return barrier_expected(b, n_live) - b->arrived;
}

/* Somebody came, and as many as it is for: it is to be released. */
static inline bool barrier_is_complete(const struct barrier *b, uint32_t n_live)
{
    return b->arrived != 0 && b->arrived >= barrier_expected(b, n_live);
}

/* It begins anew. What it was is returned: those in waiting go on, with its result. */
struct barrier barrier_release(struct barrier *b);

/* What the lanes in mask of a warp that waited by u get of bar.red. */
void barrier_result(const struct barrier *b, const struct isa_uop *u,
                    const struct isa_lanes *lanes, uint32_t mask);

#endif /* SM_BARRIER_H */
