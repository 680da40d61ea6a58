/* why_priv.h - the chain between its walk and its text. */
#ifndef TRACK_WHY_PRIV_H
#define TRACK_WHY_PRIV_H

#include "track/track_priv.h"
#include "track/why.h"

/* name, what the time went to */
#define WHY_CAUSES(X)                                                                  \
    X(LAUNCH, "launch", "before the first block of the chain, and after the last")     \
    X(BLOCK, "block", "a block is placed, its warps begin, it ends")                   \
    X(ISSUE, "issue", "the warp's own instructions, one after the other")              \
    X(SCHEDULER, "scheduler", "its scheduler issued other warps")                      \
    X(PIPE, "pipe", "ready, but its pipe was taken")                                   \
    X(QUEUE, "queue", "ready, but the load/store unit takes no more")                  \
    X(OPERAND, "operand", "a result of a fixed latency")                               \
    X(CONTROL, "control", "a branch is resolved")                                      \
    X(BARRIER, "barrier", "from the last arrival on")                                  \
    X(FENCE, "fence", "a fence")                                                       \
    X(ASYNC, "async", "copies under way, products of matrices, mbarriers")             \
    X(LSU, "lsu", "an access in the load/store unit, and back from it")                \
    X(SHARED, "shared", "in the crossbar and banks of shared memory, and back")        \
    X(CONFLICT, "conflict", "wavefronts there beyond the ideal")                       \
    X(CONSTANT, "constant", "in the constant cache")                                   \
    X(L1, "l1", "in the L1, and back through it")                                      \
    X(ICNT, "interconnect", "to the slice, and back")                                  \
    X(L2, "l2", "in the L2, its queue included")                                       \
    X(DRAM, "dram", "while DRAM is asked for the line")

enum why_cause {
#define X(name, word, doc) WHY_##name,
    WHY_CAUSES(X)
#undef X
        WHY_N
};

extern const char *const why_words[WHY_N];

struct why_part {
    uint64_t from, to;
    uint32_t inst; /* that took the time, or waited; NONE: none */
    uint32_t block;
    uint8_t cause; /* enum why_cause */
};

struct why {
    uint32_t launch;
    uint64_t begin, end;              /* of the chain */
    TRACK_LIST(struct why_part) part; /* the last one first */
};

/* Walk it: y has launch, begin and end; cycle NEVER: from the end of the launch. */
void why_walk(const struct track *r, struct why *y, uint64_t cycle);

#endif /* TRACK_WHY_PRIV_H */
