/*
 * rules.h - what differs between compute capabilities, as data, and the two rules every
 * part asks: how a shared access splits into wavefronts and how a global access splits
 * into line requests. One implementation serves the timing model, commands, reports and
 * checks.
 *
 * rules_table.c holds one entry per capability, each figure with its source in the
 * short form of DESIGN.md (PG4.2: CUDA C Programming Guide 4.2, and so on). A device
 * copies its entry and lets configuration keys change the copy (gpu/gpu_config.c).
 */
#ifndef MEM_RULES_H
#define MEM_RULES_H

#include "mem/mem.h"
#include "mem/rules_banks.h"

#define RULES_MAX_SPLITS 10
#define RULES_MAX_WAVES  256 /* of a request: 32 lanes, 4 words, lock and move each */
#define RULES_NAMES_SIZE 256

struct rules_split { /* KB of the on-chip array */
    uint32_t shared, l1;
};

/* Which word one pass broadcasts where only one can be (1.x); the guide leaves it
 * open. */
enum rules_broadcast {
    RULES_FIRST_LANE, /* the word of the lowest lane still waiting */
    RULES_MOST_LANES, /* the word most lanes wait for; ties: lowest lane */
    RULES_ADVERSARIAL /* the word fewest lanes wait for; ties: lowest lane */
};

enum rules_atomics {                       /* shared memory */
                     RULES_ATOMICS_NONE,   /* 1.0, 1.1; what-if devices lock */
                     RULES_ATOMICS_LOCKED, /* load and lock, operate, store and unlock,
                                              try again */
                     RULES_ATOMICS_NATIVE  /* a lane takes its bank for a pass */
};

enum rules_coalescing {
    RULES_STRICT,   /* 1.0, 1.1: one segment in lane order, or every lane alone */
    RULES_SEGMENTS, /* 1.2, 1.3: segments of 128 bytes, shrunk to what is touched */
    RULES_LINES     /* 2.0 and later: lines of 128 bytes, sectors of 32 */
};

enum rules_l1_global { /* are global loads cached in L1? */
                       RULES_L1_NEVER,
                       RULES_L1_OPT_IN, /* -dlcm=ca: sm.l1.global=true */
                       RULES_L1_DEFAULT /* unless -dlcm=cg: sm.l1.global=false */
};

struct rules_cc {
    uint32_t cc; /* 10 * major + minor */

    /* limits of a launch */
    uint32_t max_grid[3], max_block[3], max_threads; /* threads per block */
    uint32_t max_param_bytes;
    uint32_t max_shared_static; /* bytes per block without opt-in, static and dynamic */
    uint32_t max_shared_opt_in; /* with cudaFuncAttributeMaxDynamicSharedMemorySize;
                                   equal to max_shared_static where there is none */
    uint32_t max_regs_per_thread, max_regs_per_block;
    uint32_t max_local_bytes; /* per thread */
    uint32_t max_const_bytes; /* of a module */
    uint32_t max_grids;       /* resident at once */
    bool cuda13_errors;       /* names and numbers of CUDA 13, else of CUDA 5.5 */

    /* an SM */
    uint32_t max_blocks, max_warps, regs;
    uint32_t reg_unit;         /* registers are allocated in this unit ... */
    bool regs_per_block;       /* ... per block (1.x), else per warp */
    uint64_t doubled_reg_unit; /* bit n: twice the unit for n registers per thread */
    uint32_t warp_granularity;
    uint32_t shared_unit;       /* bytes: allocation step */
    uint32_t max_cluster;       /* blocks of a cluster; 0: none (before 9.0) */
    uint32_t shared_reserved;   /* bytes per block for the system (8.0 and later) */
    uint32_t param_shared_base; /* 1.x: bytes of launch data before the arguments, which
                                   both lie in the block's shared memory; 0:
                                   elsewhere */

    /* the on-chip array: SPEC SPLIT-1..3 */
    uint32_t onchip_kb; /* of the array the splits divide */
    bool l1_separate;   /* L1 is no part of it (5.x, 6.x) */
    bool carveout;      /* the split is a hint in percent (7.0 and later) */
    uint32_t n_splits;  /* 1: fixed, preferences have no effect */
    uint32_t equal_kb;  /* shared KB of cudaFuncCachePreferEqual, 0: not available */
    struct rules_split split[RULES_MAX_SPLITS]; /* start-up value first */

    /* shared memory: SPEC BANK-1..9 */
    uint32_t banks;
    uint32_t
        bank_bytes;     /* of a bank's row: 4, or 8, where bank_mode picks the map; more
                            if bank_mode is more */
    bool split_words;   /* a wide access is several 32-bit requests (1.x) */
    bool one_broadcast; /* a load's pass broadcasts one word, serves one lane of each
                            other bank (1.x) */
    enum rules_broadcast broadcast;
    /* lanes judged together, by bytes per lane: up to 4, 8, 16 */
    uint32_t group_lanes, group_lanes_64, group_lanes_128;
    bool extra_way_128; /* 128-bit accesses: one more pass per group (2.x) */
    bool merges_pairs;  /* wide loads of equal neighbours merge (5.0 and later) */
    enum rules_atomics atomics;

    /* global memory: SPEC COAL-1..6 */
    enum rules_coalescing coalescing;
    uint32_t coalesce_lanes, coalesce_lanes_64, coalesce_lanes_128; /* of a request */
    enum rules_l1_global l1_global;
    bool l1_read_only;     /* .nc loads are cached in L1 where others are not */
    bool l1_fills_lines;   /* a miss fetches the line, else the sectors wanted */
    bool store_drops_line; /* from L1; else a present line is updated */
    bool store_allocates;  /* in L1, a line that is not present */
    bool local_through;    /* local stores are written through the L1, else back */
    bool atoms_by_turns;   /* no request has two lanes of one word: SPEC COAL-7 */
    bool l2_caches;        /* there is an L2 for data (2.0 and later) */
    bool folds_partition;  /* XOR fold of the address, else round robin of 256 bytes */

    /* textures: SPEC TEX-5, TEX-6 */
    uint32_t tex_kb;      /* a cache of their own; 0: they share the L1 */
    uint32_t tex_lanes;   /* that the texture units of an SM serve in a cycle */
    uint32_t tex_latency; /* SM cycles from issue to a result that the cache has, of
                             linear memory; of others so many more: */
    uint32_t tex_more;

    /* constant memory: SPEC CONST-1 */
    uint32_t const_lanes; /* of a request */
};

/* NULL if the capability is not in the table. */
const struct rules_cc *rules_find(uint32_t cc);
/* The same by name, such as "2.0". NULL: known gets the names there are. */
const struct rules_cc *rules_named(const char *text, char known[RULES_NAMES_SIZE]);
/* The i-th entry, in ascending order, NULL past the last. */
const struct rules_cc *rules_entry(uint32_t i);

struct rules_access {  /* of one warp instruction */
    uint8_t op;        /* enum mem_op */
    uint8_t bytes;     /* per lane, all elements: 1 2 4 8 16 */
    uint8_t bank_mode; /* shared: bytes of a bank word in the address map: 4, 8, 16 */
    bool in_l1;        /* global: a load that the L1 caches */
    bool rows;         /* shared: of matrices (SPEC BANK-12): they never merge */
    bool counts;       /* atomic whose lanes on one word are one to the memory */
    uint32_t mask;     /* lanes that take part */
    const uint64_t *addr; /* ISA_LANES byte addresses, aligned to bytes where in mask */
};

/* The n lanes from first on; n 32: all. */
static inline uint32_t rules_lanes(uint32_t first, uint32_t n)
{
    return n >= ISA_LANES ? UINT32_MAX : ((1u << n) - 1) << first;
}

/* ---- shared memory ---- */

enum rules_pass {
    RULES_PASS_MOVE,  /* words move (atomics: take effect) */
    RULES_PASS_EMPTY, /* takes its time, moves nothing: BANK-3 */
    RULES_PASS_LOCK,  /* atomics: the lanes still waiting read and lock */
    RULES_PASS_RETRY  /* a LOCK pass that begins a further round */
};

struct rules_waves {
    uint32_t n;      /* wavefronts */
    uint32_t ideal;  /* the same access without any conflict */
    uint32_t degree; /* passes of the worst group: n-way conflict, 1 without any */
    uint32_t depth; /* distinct words (native atomics: lanes) in the worst bank over all
                        lanes: what latency follows */
    uint32_t rounds;               /* of locked atomics, else 1 */
    uint8_t kind[RULES_MAX_WAVES]; /* enum rules_pass */
    /* lanes whose i-th 32-bit word pass p serves */
    uint32_t lanes[RULES_MAX_WAVES][4];
};

/* SPEC BANK-1..9. mask 0: all zero, one round. */
void rules_shared(const struct rules_cc *r, const struct rules_access *a,
                  struct rules_waves *out);

/* A copy from global to shared memory. */
struct rules_copy {
    uint32_t bytes;       /* of each lane: 4, 8 or 16 */
    uint32_t mask;        /* lanes that write ... */
    uint32_t some;        /* ... and of them those that read anything */
    const uint64_t *from; /* by lane; global addresses */
    const uint32_t *to;   /* bytes from the start of the array's rows */
    uint32_t to_banks;    /* of 4 bytes, that hold them */
};

/* SPEC ASYNC-2: its passes; ideal is that of one for each turn of the tags. */
void rules_copy(const struct rules_copy *c, struct rules_waves *out);
/* Sectors that a copy past the L1 asks for. */
uint32_t rules_copy_sectors(const struct rules_copy *c);

/* Banks that some group of lanes needs in more than one pass; what
 * rules_shared() made of an access whose addresses count from byte base of the
 * array. */
struct bank_set rules_crowded(const struct rules_cc *r, const struct rules_access *a,
                              uint32_t base, const struct rules_waves *w);

/* Of a bank word of the address map: 2 to this power 32-bit words, SPEC BANK-6. */
static inline uint32_t rules_word_bits(uint32_t bank_mode)
{
    return (uint32_t)(bank_mode >= 8) + (bank_mode >= 16);
}

/* The bank of 32-bit word number w of the array, and its row there. */
static inline uint32_t rules_bank(const struct rules_cc *r, uint32_t bank_mode,
                                  uint32_t w)
{
    return w >> rules_word_bits(bank_mode) & (r->banks - 1); /* a power of two */
}
uint32_t rules_row(const struct rules_cc *r, uint32_t bank_mode, uint32_t w);

/* ---- global memory ---- */

/* What travels as one request: a transaction (1.x), or one line's sectors. */
struct rules_line {
    uint64_t addr;  /* of the 128-byte line */
    uint32_t lanes; /* that it serves */
    /* that it moves, bit i: bytes 32 i to 32 i + 31; of a load that the L1 caches those
     * that lanes want, the L1 fetches the rest */
    uint32_t sectors;
    uint64_t bytes[2]; /* that lanes touch */
};

struct rules_lines {
    uint32_t n;
    uint32_t requests;        /* groups with an active lane */
    uint32_t sectors;         /* distinct sectors touched per request, summed */
    uint32_t lines;           /* distinct lines touched per request, summed */
    uint32_t transactions[3]; /* of 32, 64 and 128 bytes */
    uint32_t moved;           /* bytes of the transactions */
    bool straight; /* all is one line, of which each lane of the warp wants its word, in
                      order; false does not mean that it is not so */
    struct rules_line line[2 * ISA_LANES];
};

/* SPEC COAL-1..7. An access is naturally aligned, so that no lane crosses a line. */
void rules_global(const struct rules_cc *r, const struct rules_access *a,
                  struct rules_lines *out);

/* SPEC L1-7: turns in which the L1 reads the words that lanes want of these lines, one
 * of each of its 32 banks of 4 bytes in a turn. At least 1. */
uint32_t rules_wavefronts(const struct rules_lines *lines);

/* Local memory, whose lanes lie side by side: whole-warp lines on every capability. */
void rules_local(const struct rules_access *a, struct rules_lines *out);

/* Does the L1 cache a global load? wanted: sm.l1.global. */
static inline bool rules_l1_caches(const struct rules_cc *r, bool wanted)
{
    return wanted && r->l1_global != RULES_L1_NEVER;
}

/* The same on a device, whose l1_global says what is. read_only: an .nc load. */
static inline bool rules_in_l1(const struct rules_cc *r, bool read_only)
{
    return r->l1_global == RULES_L1_DEFAULT || (read_only && r->l1_read_only);
}

/* SPEC TEX-6: cycles in which the texture units serve the lanes of mask, with texels of
 * so many bytes, of which a result takes `taps`; linear: of linear memory. */
uint32_t rules_texture_cycles(const struct rules_cc *r, uint32_t texel, uint32_t taps,
                              bool linear, uint32_t mask);

/* ---- constant memory ---- */

/* SPEC CONST-1: distinct addresses per request, summed; they are written to addr in the
 * order in which they are served. A request of half-warps lists an address once for
 * each half. */
uint32_t rules_const_addrs(const struct rules_cc *r, const struct rules_access *a,
                           uint64_t addr[ISA_LANES]);

#endif /* MEM_RULES_H */
