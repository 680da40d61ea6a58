/* The table of compute capabilities. Data only; how the fields are read is rules.h.
 *
 * Sources, by field, unless a line says otherwise:
 *   launch limits            PG4.2 F-2 (1.x, 2.x), PG5.5 t12 (3.0, 3.5), PG10.1 t14
 *                            (3.7 to 7.0), PG12.6 t21 (7.5 and later)
 *   allocation units         PG4.2 4.2, OCC (1.0 to 6.2), XMART (7.0 to 8.9)
 *   splits of the array      PG4.2 F.4.1, F.5.1; PG5.5; PG10.1; PG12.6
 *   banks                    PG4.2 F.3.3, F.4.3, F.5.3; PG10.1 H.4.3; from 5.0 on as
 *                            counted on an H100
 *   coalescing               PG4.2 F.3.2, F.4.2; PG5.5 G.5.2; PG10.1 H.4.2
 *   global atomics           from 7.0 on as counted on an H100
 *   stores and the L1        PTX3.2, cache operators; from 5.0 on as counted on an H100
 *   partitions               TRANSPOSE, ENVY
 *   textures                 the cache: PG4.2 F-2 (6 to 8 KB on 1.x, 12 KB on 2.x),
 *                            PG5.5 t12 (12 to 48 KB on 3.x); from 5.0 on it is the L1.
 *                            Lanes in a cycle of the SM clock: texture units of an SM,
 *                            by the white papers of the chips; halved up to 2.x, whose
 *                            units run at half that clock. Latency: Wong and others,
 * Demystifying GPU Microarchitecture through Microbenchmarking (1.x), as measured on an
 * H100 (9.0), others assumed L1 of 5.x and 6.x: 24 KB (JIA table 3.1, measured
 * on 5.2, 6.0 and 6.1). */
#include "mem/rules.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */
/* The splits that there are, and how many that is. */
#define SPLITS(...)                                                                    \
    .n_splits = ARRAY_LEN(((const struct rules_split[]){__VA_ARGS__})),                \
    .split = {__VA_ARGS__}

#define GRID_2D   .max_grid = {65535, 65535, 1}
#define GRID_3D   .max_grid = {65535, 65535, 65535}
#define GRID_LONG .max_grid = {2147483647, 65535, 65535}

/* 1.x: 16 banks, half-warps, no caches for data; arguments in shared memory. 124
 * registers per thread: OCC (PG5.5 says 128). */
#define TESLA                                                                          \
    GRID_2D, .max_block = {512, 512, 64}, .max_threads = 512, .max_param_bytes = 256,  \
    .max_shared_static = 16384, .max_shared_opt_in = 16384,                            \
    .max_regs_per_thread = 124, .max_local_bytes = 16384, .max_const_bytes = 65536,    \
    .max_grids = 1,                                                                    \
    .max_blocks = 8, .regs_per_block = true, .warp_granularity = 2,                    \
    .shared_unit = 512, .param_shared_base = 16,                                       \
    .onchip_kb = 16, SPLITS({16, 0}),                                                  \
    .banks = 16, .bank_bytes = 4, .split_words = true, .one_broadcast = true,          \
    .group_lanes = 16, .group_lanes_64 = 16, .group_lanes_128 = 16,                    \
    .coalesce_lanes = 16, .coalesce_lanes_64 = 16, .coalesce_lanes_128 = 16,           \
    .l1_global = RULES_L1_NEVER, .const_lanes = 16,                                    \
    .tex_kb = 8, .tex_lanes = 1, .tex_latency = 261

#define BLOCK_1024                                                                     \
    .max_block = {1024, 1024, 64}, .max_threads = 1024, .max_local_bytes = 524288,     \
    .max_const_bytes = 65536, .max_shared_static = 49152, .const_lanes = 32

/* 2.x: 32 banks, multicast; 64 bits by half-warp, 128 by quarter-warp and one more. */
#define FERMI                                                                          \
    GRID_3D, BLOCK_1024, .max_param_bytes = 4096, .max_shared_opt_in = 49152,          \
    .max_regs_per_thread = 63, .max_regs_per_block = 32768, .max_grids = 16,           \
    .max_blocks = 8, .max_warps = 48, .regs = 32768, .reg_unit = 64,                   \
    .doubled_reg_unit = 1ull << 21 | 1ull << 22 | 1ull << 29 | 1ull << 30 |            \
                        1ull << 37 | 1ull << 38 | 1ull << 45 | 1ull << 46, /* OCC */   \
    .warp_granularity = 2, .shared_unit = 128,                                         \
    .onchip_kb = 64, SPLITS({48, 16}, {16, 48}),                                       \
    .banks = 32, .bank_bytes = 4,                                                      \
    .group_lanes = 32, .group_lanes_64 = 16, .group_lanes_128 = 8,                     \
    .extra_way_128 = true, .atomics = RULES_ATOMICS_LOCKED, LINES_BY_WIDTH,            \
    .l1_global = RULES_L1_DEFAULT, .l1_fills_lines = true, .store_drops_line = true,   \
    .tex_kb = 12, .tex_latency = 220

#define LINES_BY_WIDTH                                                                 \
    .coalescing = RULES_LINES, .coalesce_lanes = 32, .coalesce_lanes_64 = 16,          \
    .coalesce_lanes_128 = 8, .l2_caches = true, .folds_partition = true

/* 3.x: banks of 64 bits with two address maps; 128 bits: assumed two half-warps. Global
 * loads in L1: PG5.5, KTG (PG4.2 has them cached on 3.0 as on 2.x: opt in). */
#define KEPLER                                                                         \
    GRID_LONG, BLOCK_1024, .max_param_bytes = 4096, .max_shared_opt_in = 49152,        \
    .max_regs_per_block = 65536,                                                       \
    .max_blocks = 16, .max_warps = 64, .reg_unit = 256, .warp_granularity = 4,         \
    .shared_unit = 256, .banks = 32, .bank_bytes = 8,                                  \
    .group_lanes = 32, .group_lanes_64 = 32, .group_lanes_128 = 16,                    \
    .atomics = RULES_ATOMICS_LOCKED, LINES_BY_WIDTH,                                   \
    .l1_global = RULES_L1_OPT_IN, .l1_fills_lines = true, .store_drops_line = true,    \
    .tex_kb = 48, .tex_lanes = 16, .tex_latency = 110

#define KEPLER_SPLITS                                                                  \
    .onchip_kb = 64, .equal_kb = 32, SPLITS({48, 16}, {32, 32}, {16, 48})

/* 5.0 and later: as counted on an H100. */
#define SECTORS                                                                        \
    .cuda13_errors = true, .max_regs_per_thread = 255, .reg_unit = 256, .regs = 65536, \
    .banks = 32, .bank_bytes = 4, .merges_pairs = true,                                \
    .group_lanes = 32, .group_lanes_64 = 16, .group_lanes_128 = 8,                     \
    .atomics = RULES_ATOMICS_NATIVE,                                                   \
    .coalescing = RULES_LINES, .coalesce_lanes = 32, .coalesce_lanes_64 = 32,          \
    .coalesce_lanes_128 = 32, .l2_caches = true, .folds_partition = true,              \
    .l1_read_only = true

#define MAXWELL                                                                        \
    GRID_LONG, BLOCK_1024, SECTORS, .max_param_bytes = 4096,                           \
    .max_shared_opt_in = 49152, .max_blocks = 32, .max_warps = 64,                     \
    .shared_unit = 256, .l1_separate = true, .tex_latency = 110

#define DEDICATED_64 .onchip_kb = 64, SPLITS({64, 24})
#define DEDICATED_96 .onchip_kb = 96, SPLITS({96, 24})

/* 7.0 and later: one array, a carveout in percent. 32764 bytes of arguments: PG12.2. */
#define VOLTA                                                                          \
    GRID_LONG, BLOCK_1024, SECTORS, .max_param_bytes = 32764, .max_grids = 128,        \
    .max_regs_per_block = 65536, .warp_granularity = 4, .carveout = true,              \
    .l1_global = RULES_L1_DEFAULT, .store_allocates = true, .local_through = true,  \
    .atoms_by_turns = true,                                                            \
    .tex_lanes = 4, .tex_latency = 88, .tex_more = 26

#define AMPERE VOLTA, .shared_unit = 128, .shared_reserved = 1024

#define SPLITS_164                                                                     \
    .onchip_kb = 192, .max_shared_opt_in = 166912,                                     \
    SPLITS({164, 28}, {132, 60}, {100, 92}, {64, 128}, {32, 160}, {16, 176},           \
           {8, 184}, {0, 192})
#define SPLITS_100                                                                     \
    .onchip_kb = 128, .max_shared_opt_in = 101376,                                     \
    SPLITS({100, 28}, {64, 64}, {32, 96}, {16, 112}, {8, 120}, {0, 128})

static const struct rules_cc table[] = {
    {.cc = 10, TESLA, .max_regs_per_block = 8192, .max_warps = 24, .regs = 8192,
     .reg_unit = 256, .atomics = RULES_ATOMICS_NONE, .coalescing = RULES_STRICT},
    {.cc = 11, TESLA, .max_regs_per_block = 8192, .max_warps = 24, .regs = 8192,
     .reg_unit = 256, .atomics = RULES_ATOMICS_NONE, .coalescing = RULES_STRICT},
    {.cc = 12, TESLA, .max_regs_per_block = 16384, .max_warps = 32, .regs = 16384,
     .reg_unit = 512, .atomics = RULES_ATOMICS_LOCKED, .coalescing = RULES_SEGMENTS},
    {.cc = 13, TESLA, .max_regs_per_block = 16384, .max_warps = 32, .regs = 16384,
     .reg_unit = 512, .atomics = RULES_ATOMICS_LOCKED, .coalescing = RULES_SEGMENTS},

    {.cc = 20, FERMI, .tex_lanes = 2},
    {.cc = 21, FERMI, .tex_lanes = 4},

    {.cc = 30, KEPLER, KEPLER_SPLITS, .max_regs_per_thread = 63, .regs = 65536,
     .max_grids = 16},
    {.cc = 35, KEPLER, KEPLER_SPLITS, .max_regs_per_thread = 255, .regs = 65536,
     .max_grids = 32},
    {.cc = 37, KEPLER, .max_regs_per_thread = 255, .regs = 131072, .max_grids = 32,
     .onchip_kb = 128, .equal_kb = 96,
     SPLITS({112, 16}, {96, 32}, {80, 48})}, /* PG10.1, OCC */

    {.cc = 50, MAXWELL, DEDICATED_64, .tex_lanes = 8, .max_regs_per_block = 65536,
     .max_grids = 32, .warp_granularity = 4, .l1_global = RULES_L1_NEVER},
    {.cc = 52, MAXWELL, DEDICATED_96, .tex_lanes = 8, .max_regs_per_block = 65536,
     .max_grids = 32, .warp_granularity = 4, .l1_global = RULES_L1_OPT_IN},
    {.cc = 53, MAXWELL, DEDICATED_64, .tex_lanes = 8, .max_regs_per_block = 32768,
     .max_grids = 16, .warp_granularity = 4, .l1_global = RULES_L1_OPT_IN},
    {.cc = 60, MAXWELL, DEDICATED_64, .tex_lanes = 4, .max_regs_per_block = 65536,
     .max_grids = 128, .warp_granularity = 2, .l1_global = RULES_L1_OPT_IN},
    {.cc = 61, MAXWELL, DEDICATED_96, .tex_lanes = 8, .max_regs_per_block = 65536,
     .max_grids = 32, .warp_granularity = 4, .l1_global = RULES_L1_OPT_IN},
    {.cc = 62, MAXWELL, DEDICATED_64, .tex_lanes = 8, .max_regs_per_block = 32768,
     .max_grids = 16, .warp_granularity = 4, .l1_global = RULES_L1_OPT_IN},

    {.cc = 70, VOLTA, .max_blocks = 32, .max_warps = 64, .shared_unit = 256,
     .onchip_kb = 128, .max_shared_opt_in = 98304,
     SPLITS({96, 32}, {64, 64}, {32, 96}, {16, 112}, {8, 120}, {0, 128})},
    {.cc = 75, VOLTA, .max_blocks = 16, .max_warps = 32, .shared_unit = 256,
     .onchip_kb = 96, .max_shared_opt_in = 65536,
     SPLITS({64, 32}, {32, 64})},
    {.cc = 80, AMPERE, .max_blocks = 32, .max_warps = 64, SPLITS_164},
    {.cc = 86, AMPERE, .max_blocks = 16, .max_warps = 48, SPLITS_100},
    {.cc = 87, AMPERE, .max_blocks = 16, .max_warps = 48, SPLITS_164}, /* units as
                                                                          8.6 */
    {.cc = 89, AMPERE, .max_blocks = 24, .max_warps = 48, SPLITS_100}, /* units as
                                                                          8.6 */
    /* units as 8.x: they reproduce the occupancies an H100 reported */
    {.cc = 90, AMPERE, .max_blocks = 32, .max_warps = 64, .max_cluster = 16,
     .onchip_kb = 256, .max_shared_opt_in = 232448,
     SPLITS({228, 28}, {196, 60}, {164, 92}, {132, 124}, {100, 156}, {64, 192},
            {32, 224}, {16, 240}, {8, 248}, {0, 256})},
};
/* clang-format on */

const struct rules_cc *rules_entry(uint32_t i)
{
    return i < ARRAY_LEN(table) ? &table[i] : NULL;
}

const struct rules_cc *rules_find(uint32_t cc)
{
    for (uint32_t i = 0; i < ARRAY_LEN(table); i++) {
        if (table[i].cc == cc) {
            return &table[i];
        }
    }
    return NULL;
}

const struct rules_cc *rules_named(const char *text, char known[RULES_NAMES_SIZE])
{
    size_t n = 0;

    for (uint32_t i = 0; i < ARRAY_LEN(table); i++) {
        char name[16];

        (void)snprintf(name, sizeof(name), "%u.%u", table[i].cc / 10, table[i].cc % 10);
        if (strcmp(name, text) == 0) {
            return &table[i];
        }
        n += (size_t)snprintf(known + n, RULES_NAMES_SIZE - n, "%s%s",
                              i == 0 ? "" : ", ", name);
    }
    return NULL;
}
