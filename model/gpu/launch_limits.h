/*
 * launch_limits.h - launch rules: what the device refuses, with the error the CUDA
 * runtime would report, and how many blocks fit on an SM (SPEC LAUNCH-1 to LAUNCH-5).
 */
#ifndef GPU_LAUNCH_LIMITS_H
#define GPU_LAUNCH_LIMITS_H

#include "gpu/gpu_config.h"
#include "smwave.h"

struct launch_need { /* of one block */
    uint32_t threads, warps;
    uint32_t regs;         /* per thread, 1 or more */
    uint32_t shared_bytes; /* static + dynamic (1.x: + launch data and arguments) */
};

struct launch_fit {
    uint32_t blocks;     /* per SM; 0: the launch cannot run */
    const char *limiter; /* "blocks", "warps", "registers" or "shared memory"; of equal
                             limits the first */
    uint32_t shared_alloc; /* bytes per block, rounded up to the allocation unit */
    /* blocks that each resource alone allows; UINT32_MAX: none is used */
    uint32_t by_blocks, by_warps, by_regs, by_shared;
};

/* SPEC LAUNCH-4: registers allocated to a block. */
uint64_t launch_block_regs(const struct rules_cc *r, const struct launch_need *need);

/* SPEC LAUNCH-4: blocks of this need that fit an SM with shared_kb of shared memory. */
struct launch_fit launch_occupancy(const struct rules_cc *r, uint32_t max_blocks,
                                   uint32_t max_warps, uint32_t shared_kb,
                                   const struct launch_need *need);

/* SPEC SPLIT-3: bytes of shared memory, reserved ones among them, of as many blocks as
 * an SM can have with the largest shared part. */
uint32_t launch_room(const struct rules_cc *r, uint32_t max_blocks, uint32_t max_warps,
                     const struct launch_need *need);

/* SPEC LAUNCH-2: bytes of a block's shared memory before the kernel's own: launch data
 * and arguments on 1.x, 0 elsewhere. */
uint32_t launch_shared_base(const struct rules_cc *r, const struct ptx_kernel *k);

/* Threads that the kernel was compiled for (.maxntid, .reqntid), 0: not said. */
uint64_t launch_bound(const uint32_t n[3]);

/* Registers per thread, if the launch does not say: what the assembler would make of
 * the estimate. It spills what exceeds the limit, and more if the kernel says how many
 * threads its blocks have. If it does not, blocks of `threads` (0: not known) fit, if
 * the estimate need not be lowered by more than it may be too high. */
uint32_t launch_regs(const struct rules_cc *r, const struct ptx_kernel *k,
                     uint32_t threads);

/* SPEC LAUNCH-1, -2: limits on the launch itself. On success *need; else *e with the
 * error the CUDA runtime would give (number and name) as the hint. */
bool launch_check(const struct rules_cc *r, const struct ptx_kernel *k,
                  const struct smw_launch *l, struct launch_need *need,
                  struct smw_err *e);

/* SPEC LAUNCH-3: the capability has every instruction of the kernel. */
bool launch_check_code(const struct rules_cc *r, const struct ptx_module *m,
                       const struct ptx_kernel *k, struct smw_err *e);

enum launch_error {
    LAUNCH_INVALID_VALUE,
    LAUNCH_INVALID_CONFIGURATION, /* what the device can never satisfy */
    LAUNCH_OUT_OF_RESOURCES,
    LAUNCH_NO_IMAGE /* no machine code for this device */
};

/* As the CUDA version of the capability's time names and numbers it: 5.5 below 5.0
 * (RTAPI5.5), 13 from 5.0 on (as an H200 under CUDA 13.0 answered). */
const char *launch_error_name(const struct rules_cc *r, enum launch_error what,
                              uint32_t *number);

/* Hint with that error, and its code; false. */
bool launch_refuse(const struct rules_cc *r, enum launch_error what, struct smw_err *e);

#endif /* GPU_LAUNCH_LIMITS_H */
