/*
 * occupancy.h - what the parts of "smwave occupancy" share: the device, what is asked
 * of it and its answer (SPEC LAUNCH-4).
 */
#ifndef ASK_OCCUPANCY_H
#define ASK_OCCUPANCY_H

#include "gpu/launch_limits.h"
#include "gpu/split.h"
#include <stdio.h>

struct occupancy_device {
    const struct rules_cc *rules;
    uint32_t max_blocks,
        max_warps;            /* per SM: the capability's, or the configuration's */
    struct rules_split start; /* of the on-chip array, if nobody says more ... */
    bool automatic;           /* ... or the driver chooses */
};

/* The largest number of anything in a question: sums of two fit 32 bits. */
enum { OCCUPANCY_MAX = 1 << 30 };

struct occupancy_ask { /* one block */
    uint32_t threads, regs;
    uint32_t shared; /* bytes: static, dynamic and, on 1.x, arguments */
    enum smw_cache_config cache;
    int32_t percent; /* of the largest shared part, -1: not said */
    uint32_t kb;     /* of shared memory wanted, UINT32_MAX: not said */
};

struct occupancy_answer {
    uint32_t blocks, warps; /* resident on an SM */
    const char *limiter;    /* what allows no more; "threads": none at all */
    bool too_many; /* threads for a block: resources alone are judged below 7.0 */
    struct launch_fit fit; /* if the block is within the limits of a launch */
    bool within;
    struct rules_split split;
    uint64_t block_regs; /* registers allocated to a block */
    const char *error;   /* of the runtime if a launch fails, else NULL */
    uint32_t error_number;
};

struct occupancy_answer occupancy_answer(const struct occupancy_device *d,
                                         const struct occupancy_ask *a);

/* "64", "64KB": at least so much shared memory; "50%": of the largest; "" and "-1":
 * nothing said. False, with *why: not that, or not on this device. */
bool occupancy_carveout(const struct rules_cc *r, const char *text,
                        struct occupancy_ask *a, const char **why);

/* "none", "shared", "l1", "equal"; "" is none. */
bool occupancy_cache(const char *text, struct occupancy_ask *a);

/* ---- occupancy_batch.c ---- */

void occupancy_heading(FILE *out);
void occupancy_row(FILE *out, const struct occupancy_answer *w);

/* Rows of the CSV file f, to out; ask: what the columns do not say. */
bool occupancy_batch(const struct occupancy_device *d, const struct occupancy_ask *ask,
                     FILE *f, const char *name, FILE *out, struct smw_err *e);

/* ---- occupancy_table.c ---- */

/* For people: the limits of this block, then all block sizes. */
void occupancy_table(const struct occupancy_device *d, const struct occupancy_ask *a,
                     bool color, FILE *out);

#endif /* ASK_OCCUPANCY_H */
