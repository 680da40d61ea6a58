/*
 * stall.h - why a warp does not issue, in the words of the vendor's profiler (Nsight
 * Compute, "Warp Stall Reasons"), and the counts of it.
 *
 * In each cycle from the one after its block was placed up to that of its exit, a warp
 * has exactly one reason (SPEC STALL-1). What a warp waits for changes only where
 * something happens to it, so cycles are counted then, many at once:
 *
 *   blocked   by its scoreboard or a hold: when it becomes blocked, if the cycle is
 *             known in which that ends, else when it ends (ring.h)
 *   ready     but not issued: by the step of the SM, all such warps of a scheduler at
 *             once (left.h)
 */
#ifndef SM_STALL_H
#define SM_STALL_H

#include <stdint.h>

/* X(in enum stall, field of struct smw_counters behind stall_). What each one means
 * stands in smwave/counters.h. */
#define STALL_REASONS(X)                                                               \
    X(SELECTED, selected)                                                              \
    X(NOT_SELECTED, not_selected)                                                      \
    X(WAIT, wait)                                                                      \
    X(SHORT, short_scoreboard)                                                         \
    X(LONG, long_scoreboard)                                                           \
    X(IMC_MISS, imc_miss)                                                              \
    X(BARRIER, barrier)                                                                \
    X(MEMBAR, membar)                                                                  \
    X(BRANCH, branch_resolve)                                                          \
    X(NO_INSTRUCTION, no_instruction)                                                  \
    X(MATH_PIPE, math_pipe_throttle)                                                   \
    X(MIO, mio_throttle)                                                               \
    X(LG, lg_throttle)                                                                 \
    X(DISPATCH, dispatch_stall)

enum stall {
#define X(name, field) STALL_##name,
    STALL_REASONS(X)
#undef X
        STALL_N,
    STALL_NONE = STALL_N /* of a warp that is ready, or whose wait is counted already */
};

struct stalls {
    uint64_t n[STALL_N]; /* warp-cycles */
};

#endif /* SM_STALL_H */
