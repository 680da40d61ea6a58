/*
 * launch.h - launch rules: what the device refuses, how many blocks fit on an SM, and
 * which split of the on-chip array a launch gets.
 */
#ifndef GPU_LAUNCH_H
#define GPU_LAUNCH_H

#include "gpu/config.h"
#include "smwave.h"

struct launch_need { /* of one block */
    uint32_t threads, warps;
    uint32_t regs;         /* per thread */
    uint32_t shared_bytes; /* static + dynamic */
};

struct launch_fit {
    uint32_t blocks; /* per SM; 0: the launch cannot run */
    const char *limiter;
    uint32_t shared_alloc; /* bytes per block, rounded up to the allocation unit */
    uint32_t reg_warps;    /* warps the register file holds */
};

/* SPEC LAUNCH-2: registers allocated to a warp of this many per thread. */
uint32_t launch_warp_regs(const struct rules_cc *r, uint32_t regs);

/* SPEC LAUNCH-2: blocks of this need that fit an SM with shared_kb of shared memory. */
struct launch_fit launch_occupancy(const struct rules_cc *r, uint32_t max_blocks,
                                   uint32_t max_warps, uint32_t shared_kb,
                                   const struct launch_need *need);

/* SPEC LAUNCH-1: limits on the launch itself. False and *e with the error the CUDA
 * runtime would give (number and name). */
bool launch_check(const struct rules_cc *r, const struct ptx_kernel *k,
                  const struct smw_launch *l, struct launch_need *need, struct err *e);

/* SPEC SPLIT-1: the split for a block that needs shared_bytes, from the kernel's
 * preference, the device's, and the split in use. */
struct rules_split launch_split(const struct rules_cc *r, enum smw_cache_config kernel,
                                enum smw_cache_config device, struct rules_split now,
                                uint32_t shared_bytes);

#endif /* GPU_LAUNCH_H */
