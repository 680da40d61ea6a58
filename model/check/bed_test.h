/*
 * bed_test.h - what the tests of races in global memory do with both of a block's
 * checkers, its own and the device's.
 */
#ifndef CHECK_BED_TEST_H
#define CHECK_BED_TEST_H

#include "check/global.h"

struct checkers {
    struct check *c;
    struct check_global *g;
};

static inline void check_both_fence(const struct checkers *b, uint32_t block,
                                    uint32_t warp, bool beyond)
{
    check_fence(b->c, block, warp);
    check_global_fence(b->g, b->c, block, warp, beyond);
}

/* A barrier of all warps. */
static inline void check_both_barrier(const struct checkers *b, uint32_t block,
                                      uint32_t warps)
{
    for (uint32_t w = 0; w < warps; w++) {
        check_arrive(b->c, block, 0, w);
        check_global_arrive(b->g, b->c, block, w);
    }
    for (uint32_t w = 0; w < warps; w++) {
        check_leave(b->c, block, 0, w, true);
    }
    check_complete(b->c, block, 0);
}

#endif /* CHECK_BED_TEST_H */
