/*
 * kernel.h - a small kernel whose accesses race or do not: a list of steps, each for
 * some of the threads. family.c makes them, text.c writes them as PTX, oracle.c says
 * which of their accesses nothing orders.
 */
#ifndef VERDICTS_KERNEL_H
#define VERDICTS_KERNEL_H

#include "random/rng.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    LANES = 32,
    MAX_WARPS = 8,
    MAX_BLOCKS = 3,
    MAX_THREADS = MAX_BLOCKS * MAX_WARPS * LANES,
    MAX_STEPS = 48,
    /* bytes of shared memory, and of the buffer in global memory */
    DATA = 1024, /* what threads share */
    OWN = DATA,  /* from here 8 bytes for each thread */
    FLAGS = OWN + 8 * MAX_THREADS,
    N_FLAGS = 16,
    MEMORY = FLAGS + 4 * N_FLAGS,
    MAX_TEXT = 1 << 15
};

enum space { SHARED, GLOBAL };

enum step_kind {
    LOAD,
    STORE,
    ATOMIC,  /* adds 1 */
    FENCE,   /* of the scope */
    BARRIER, /* n: its number; of threads that take part: count */
    ARRIVE,
    MEET,    /* bar.warp.sync; n: members */
    SHUFFLE, /* shfl.sync; n: members */
    SIGNAL,  /* flag n: a strong store of count, or an atomic that adds 1 */
    WAIT,    /* until flag n has reached count */
    LOCK,    /* flag n */
    UNLOCK,
    LAST, /* adds 1 to flag n; who finds count has won */
    LOOP, /* all up to AGAIN, count times */
    AGAIN
};

enum strength { WEAK, VOLATILE, RELAXED, ORDERED /* .release or .acquire */ };
enum scope { SCOPE_CTA, SCOPE_GPU };
enum form { BRANCH, PREDICATE, OTHERWISE /* the else of the step before */ };

struct who { /* bits */
    uint32_t blocks, warps, lanes;
};

struct step {
    enum step_kind kind;
    enum space space;
    enum strength strength;
    enum scope scope;
    enum form form;
    struct who who;
    bool winners; /* of LAST alone */
    bool atomic;  /* SIGNAL, WAIT: by an atomic */
    bool same;    /* STORE: of the same value by all */
    uint32_t n, count;
    /* The element: ((thread * mul + add) & and ^ xor), of size bytes from base on; in
     * the thread's own bytes if own. */
    uint32_t size, base, mul, add, and_, xor_;
    bool own;
};

struct kernel {
    uint32_t family;
    const char *how; /* what orders, or what is missing */
    bool racy;       /* by construction */
    bool unknown;    /* by construction nothing is known */
    /* A rule of SPEC is more lenient than the memory model, and says so. */
    bool lenient;
    uint32_t n_blocks, n_warps; /* n_warps: of a block */
    struct step step[MAX_STEPS];
    uint32_t n;
    uint32_t line[MAX_STEPS]; /* of its access in the text */
};

/* ---- family.c ---- */

/* The twins of a seed: racy or mended. */
void kernel_make(struct kernel *k, uint64_t seed, bool racy);
uint32_t kernel_families(void);
const char *kernel_family(uint32_t i);

/* ---- text.c ---- */

/* PTX of a kernel k(buffer); sets k->line. */
void kernel_write(struct kernel *k, char text[MAX_TEXT]);

#endif /* VERDICTS_KERNEL_H */
