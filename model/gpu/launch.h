/*
 * launch.h - launch rules: what the device refuses and how many blocks fit on an SM.
 */
#ifndef GPU_LAUNCH_H
#define GPU_LAUNCH_H

#include "gpu/config.h"
#include "smwave.h"

struct launch_need { /* of one block */
    uint32_t threads, warps;
    uint32_t regs;         /* per thread */
    uint32_t shared_bytes; /* static + dynamic (1.x: + launch data and arguments) */
};

struct launch_fit {
    uint32_t blocks; /* per SM; 0: the launch cannot run */
    const char *limiter;
    uint32_t shared_alloc; /* bytes per block, rounded up to the allocation unit */
};

/* SPEC LAUNCH-2: registers allocated to a block. */
uint32_t launch_block_regs(const struct rules_cc *r, const struct launch_need *need);

/* SPEC LAUNCH-2: blocks of this need that fit an SM with shared_kb of shared memory. */
struct launch_fit launch_occupancy(const struct rules_cc *r, uint32_t max_blocks,
                                   uint32_t max_warps, uint32_t shared_kb,
                                   const struct launch_need *need);

/* SPEC LAUNCH-1: limits on the launch itself. False and *e with the error the CUDA
 * runtime would give (number and name). */
bool launch_check(const struct rules_cc *r, const struct ptx_kernel *k,
                  const struct smw_launch *l, struct launch_need *need, struct err *e);

enum launch_error {
    LAUNCH_INVALID_VALUE,
    LAUNCH_INVALID_CONFIGURATION,
    LAUNCH_OUT_OF_RESOURCES,
    LAUNCH_INVALID_FUNCTION
};

/* As the CUDA version of the capability's time names and numbers it: 5.5 below 5.0, 13
 * from 5.0 on (RTAPI5.5; driver_types.h of CUDA 13). */
const char *launch_error_name(const struct rules_cc *r, enum launch_error what,
                              uint32_t *number);

/* Hint with that error; false. */
bool launch_refuse(const struct rules_cc *r, enum launch_error what, struct err *e);

#endif /* GPU_LAUNCH_H */
