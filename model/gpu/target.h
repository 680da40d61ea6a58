/*
 * target.h - what an assembler knows of a device, from its configuration: SPEC PTX-1.
 */
#ifndef GPU_TARGET_H
#define GPU_TARGET_H

#include "gpu/gpu_config.h"

enum gpu_schedule { /* ptx.schedule */
                    GPU_SCHEDULE_ASSEMBLER,
                    GPU_SCHEDULE_AS_WRITTEN
};

/* Fills *t for a checked configuration. NULL: instructions run as they are written,
 * else t. */
const struct ptx_target *gpu_target(const struct gpu_config *c,
                                    const struct rules_cc *rules, struct ptx_target *t);

#endif /* GPU_TARGET_H */
