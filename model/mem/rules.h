/*
 * rules.h - what differs between compute capabilities, as data, and the two rules every
 * part asks: how a shared access splits into wavefronts and how a global access splits
 * into line requests. One implementation serves the timing model, commands and reports.
 *
 * Sources are named in rules.c, in the short form of DESIGN.md (PG4.2: CUDA C
 * Programming Guide 4.2, and so on).
 */
#ifndef MEM_RULES_H
#define MEM_RULES_H

#include "mem/mem.h"

#define RULES_MAX_SPLITS 4
#define RULES_MAX_WAVES  128 /* passes of one request at most: 32 lanes x 4 words */

struct rules_split { /* KB of the on-chip array */
    uint32_t shared, l1;
};

struct rules_cc {
    uint32_t cc; /* 10 * major + minor */

    /* launch limits (PG4.2 table F-2) */
    uint32_t max_grid[3], max_block[3], max_threads; /* threads per block */
    uint32_t max_param_bytes;
    uint32_t max_shared_per_block; /* bytes */
    uint32_t max_regs_per_thread;
    uint32_t max_local_bytes;                             /* per thread */
    uint32_t max_grids;                                   /* resident at once */
    uint32_t launch_error_config, launch_error_resources; /* CUDA error numbers */

    /* an SM (PG4.2 table F-2, section 4.2) */
    uint32_t max_blocks, max_warps, regs;
    uint32_t reg_unit;         /* registers are allocated per warp in this unit */
    uint64_t doubled_reg_unit; /* bit n: twice that for n registers per thread */
    uint32_t warp_granularity;
    uint32_t shared_unit; /* bytes */

    /* the on-chip array */
    uint32_t onchip_kb;
    struct rules_split
        split[RULES_MAX_SPLITS]; /* start-up value first; shared 0: end */

    /* shared memory: SPEC BANK-1..5 */
    uint32_t banks;
    uint32_t group_lanes_64, group_lanes_128; /* lanes judged together, wide accesses */
    bool wide128_extra_way; /* 128-bit accesses: one more pass per quarter-warp (2.x) */

    /* global memory: SPEC COAL-1..4 */
    uint32_t coalesce_lanes_64, coalesce_lanes_128; /* lanes of one request */
    bool l1_caches_global;
    bool store_drops_line; /* else a present line is updated */
};

/* NULL if the capability is not in the table. */
const struct rules_cc *rules_find(uint32_t cc);
/* The i-th entry, NULL past the last. */
const struct rules_cc *rules_entry(uint32_t i);

/* ---- shared memory ---- */

struct rules_waves {
    uint32_t n;      /* wavefronts */
    uint32_t ideal;  /* the same access without any conflict */
    uint32_t degree; /* largest number of distinct words (atomics: of lanes) in one bank
                        in one group */
    /* lanes whose i-th 32-bit word pass p serves */
    uint32_t lanes[RULES_MAX_WAVES][4];
};

/* SPEC BANK-1..5. op: enum mem_op. addr: byte offsets of the lanes in mask, naturally
 * aligned; bytes: of the whole access per lane (1 to 16). mask 0: all zero. */
void rules_shared(const struct rules_cc *r, uint32_t op, uint32_t bytes, uint32_t mask,
                  const uint64_t addr[PTX_LANES], struct rules_waves *out);

/* ---- global memory ---- */

struct rules_line {
    uint64_t addr;    /* of the 128-byte line */
    uint32_t lanes;   /* that touch it */
    uint32_t sectors; /* touched */
    uint64_t bytes[2];
};

struct rules_lines {
    uint32_t n;
    uint32_t requests; /* groups with an active lane */
    uint32_t sectors;  /* distinct sectors per request, summed */
    struct rules_line line[2 * PTX_LANES];
};

/* SPEC COAL-1..4. Accesses are naturally aligned, so that none crosses a line. */
void rules_global(const struct rules_cc *r, uint32_t bytes, uint32_t mask,
                  const uint64_t addr[PTX_LANES], struct rules_lines *out);

#endif /* MEM_RULES_H */
