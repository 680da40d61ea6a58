/*
 * check_priv.h - the insides of struct check, shared by order.c (what comes before
 * what), cells.c (what is known of each byte), shadow.c (shared memory), copies.c,
 * local.c, global.c and finding.c (what was found).
 */
#ifndef CHECK_CHECK_PRIV_H
#define CHECK_CHECK_PRIV_H

#include "base/attr.h"
#include "check/check.h"

enum seen_flag { /* besides enum check_flag */
                 SEEN_VALID = 1u << 3,
                 SEEN_UNWRITTEN = 1u << 4 /* a read of what nobody had written */
};

/* An access by lanes of one warp. */
struct seen {
    sim_cycle_t cycle;
    uint32_t lanes, pc;
    uint32_t clock; /* of its warp, between warps */
    uint32_t sync;  /* of its warp, between lanes */
    uint32_t epoch; /* of its block, between blocks: global memory */
    uint32_t block, launch;
    uint8_t warp, flags;
};

enum { MORE_READS = 6 }; /* of a cell, besides its own two */

struct more_reads {
    struct seen read[MORE_READS];
    uint32_t next_free; /* 1 + index; 0: none */
};

struct read_pool {
    struct more_reads *of;
    uint32_t n, max, free; /* free: 1 + index */
};

struct cell {
    struct seen write, read[2];
    uint32_t value; /* last written */
    uint32_t more;  /* 1 + index of more reads; 0: none */
    /* Of a launch, plus 1: a read was dropped that a write might race with; 0: none.
     * Its block and the phase of its warp; several blocks: phase_lost is UINT32_MAX. */
    uint32_t launch_lost, block_lost, phase_lost;
    /* Of a word: 1 + index of the flag that it is; 0: none. In global memory it is one
     * of flag_launch. */
    uint32_t flag, flag_launch;
    bool split; /* a word: its bytes have records of their own */
};

struct warp_order {
    uint32_t sync;    /* warp-level synchronisations so far */
    uint32_t full_at; /* the last one of all lanes */
    /* by lane: the last one of another lane before which it knows all that one did,
     * by way of others too */
    uint32_t met[CHECK_LANES][CHECK_LANES];
};

struct clocks { /* by warp */
    uint32_t at[CHECK_MAX_WARPS];
};

struct copying { /* a cp.async that is not waited for, by lanes of a warp */
    uint32_t lanes, pc;
    sim_cycle_t cycle;
    uint8_t warp, bytes; /* of each lane */
    uint32_t group[CHECK_LANES];
    uint32_t addr[CHECK_LANES];
};

struct shadow { /* of a resident block */
    struct check_block b;
    struct cell *word; /* (bytes + 3) / 4 */
    struct cell *byte; /* 4 times as many; NULL: no word was ever split */
    uint8_t *local; /* a bit for each byte of local memory, thread by thread: written */
    uint64_t n_local, max_local; /* bytes of that; 0: not checked */
    uint32_t n_words, max_words;
    struct warp_order *warp;
    struct clocks know[CHECK_MAX_WARPS];       /* what each warp knows of the others */
    struct clocks told[CHECK_MAX_WARPS];       /* what it knew at its last fence */
    struct clocks read[CHECK_MAX_WARPS];       /* what it will know at its next one */
    struct clocks barrier[CHECK_BARRIERS + 1]; /* of those that arrived */
    struct clocks cluster;                     /* at the last phase of CHECK_CLUSTER */
    struct clocks exited;
    struct clocks *flag; /* of words that atomics publish through */
    uint32_t n_flags, max_flags;
    uint32_t fenced; /* warps that executed a fence */
    /* by warp: the first instruction that writes behind its last fence, which publishes
     * if it is volatile */
    uint32_t flag_pc[CHECK_MAX_WARPS];
    uint32_t global_flag_pc[CHECK_MAX_WARPS]; /* the same for global memory */
    struct copying *copy;                     /* oldest first */
    uint32_t n_copies, max_copies;
    uint32_t commits[CHECK_MAX_WARPS][CHECK_LANES]; /* groups of each thread so far */
    struct read_pool reads;
    uint32_t phase[CHECK_MAX_WARPS]; /* barriers of all warps that it has left */
};

struct check {
    bool lock_step;
    uint32_t n_slots;
    struct shadow *slot;
    struct check_finding *found;
    uint32_t n_found, max_found;
    struct read_pool reads; /* of global memory */
    uint64_t n_doubtful;    /* writes that a dropped read may race with */
    struct check_await *awaited;
    uint32_t n_awaited, max_awaited;
};

/* ---- order.c ---- */

void order_begin(struct shadow *s);
/* Did *p come before what a lane of the warp does now? If not, *other is a lane of
 * it. */
bool order_is_before(const struct shadow *s, const struct seen *p, uint32_t warp,
                     uint32_t lane, uint32_t *other);
/* An atomic or volatile access of the warp to the word of c. */
void order_flag(struct shadow *s, struct cell *c, const struct check_access *a);
/* A write that is no atomic is going to be checked; pc: of s, flag_pc of its memory. */
void order_write(uint32_t *pc, const struct check_access *a);
/* Does the atomic or volatile access of the warp publish what came before its last
 * fence? */
bool order_publishes(const struct shadow *s, const uint32_t *pc,
                     const struct check_access *a);
bool order_reads(const struct check_access *a);
/* The warp has read what is published through the word of c. */
void order_read(struct shadow *s, const struct cell *c, uint32_t warp);
/* *a: what both knew. */
void order_join(struct clocks *a, const struct clocks *b, uint32_t n);
/* What the warp has read is behind its next fence, which is now. */
void order_acquire(struct shadow *s, uint32_t warp);

/* ---- copies.c ---- */

void copies_begin(struct shadow *s);

/* ---- local.c ---- */

void local_begin(struct shadow *s);

/* ---- finding.c ---- */

/* *f: the lane reads, at its address, what nobody has written; of shared memory. */
void finding_unwritten(struct check_finding *f, const struct check_block *b,
                       const struct check_access *a, uint32_t lane);

/* The finding to which *key belongs. If there is none yet it is made, with *key as its
 * example. Valid until the next call. */
struct check_finding *finding_of(struct check *c, const struct check_finding *key);
/* The reads of pc that found bytes unwritten were too early. */
void finding_raced(struct check *c, const void *kernel, uint32_t pc);

#endif /* CHECK_CHECK_PRIV_H */
