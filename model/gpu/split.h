/*
 * split.h - which split of the on-chip array a launch gets (SPEC SPLIT-1..3).
 */
#ifndef GPU_SPLIT_H
#define GPU_SPLIT_H

#include "mem/rules.h"
#include "smwave.h"

struct split_wish {
    enum smw_cache_config kernel,
        device;       /* preferences, of the kernel and device-wide */
    int32_t carveout; /* percent of the largest shared part, -1: not
                                             said; from 7.0 on, beats the preferences */
    struct rules_split
        start;             /* what the driver takes from 7.0 on if nobody said more */
    bool automatic;        /* but for this: from 7.0 on it goes by room_bytes */
    bool what_if;          /* "equal" halves the array where there is no such split */
    uint32_t shared_bytes; /* one block needs, reserved bytes included */
    uint32_t room_bytes;   /* all blocks of an SM need (launch_room()) */
};

/* Choose the split for a launch. now: the split in use. A split that is not in the
 * table (gpu.what_if) stays in use unless a preference or the block's need changes
 * it. */
struct rules_split split_choose(const struct rules_cc *r, const struct split_wish *w,
                                struct rules_split now);

/* The split of the least shared memory that has at least kb KB, else the largest. */
struct rules_split split_at_least(const struct rules_cc *r, uint32_t kb);
/* The one of the most shared memory. */
struct rules_split split_largest(const struct rules_cc *r);

/* The smallest shared part, in KB, of at least percent % of the largest. */
uint32_t split_carveout_kb(const struct rules_cc *r, uint32_t percent);

/* May the launch run with the split in use although it would choose another? Carveouts
 * are hints; preferences of earlier capabilities are kept. */
bool split_is_hint(const struct rules_cc *r);

#endif /* GPU_SPLIT_H */
