/*
 * check.h - hazards in shared memory. It keeps who accessed each byte last, and asks at
 * the next access whether something has ordered the two.
 *
 * An SM tells of every access at its issue, of barriers, warp-level synchronisation,
 * fences and exits. Two accesses of different threads to one byte, at least one of them
 * a write, are a hazard unless something orders them:
 *
 *   between warps    a barrier that both have passed (named ones and bar.arrive too;
 *                    each warp has a clock, and keeps what it knows of the clocks of
 *                    others); an atomic behind a fence, whose value an atomic or a
 *                    volatile load of the other warp has read; in place of that atomic
 *                    a volatile store, if it is the first store behind the fence
 *   inside a warp    the same, and *.sync instructions whose member masks hold both
 *                    lanes; where warps run in lock step, volatile accesses of
 *                    successive instructions
 *   never a hazard   two atomics; an atomic and a volatile access; two volatile
 *                    ones of a word that publishes in that way; a write of the value
 *                    that the byte was given before
 *
 * What an asynchronous copy writes is ordered before nothing, the thread that began it
 * included, until that thread has waited for it.
 *
 * Between warps a hazard is an error, and so is one with such a copy, inside one warp a
 * warning. Reads of bytes that were never written are found too, also in local memory.
 * All hazards between the same two instructions are one finding, which counts their
 * bytes. All reads of unwritten bytes by one instruction are one finding as well.
 *
 * What is kept of a byte: its last write, and eight reads that nothing has ordered
 * since, of different warps if they are of so many. Writes that a read which was
 * dropped may race with are counted. A word has one record until its bytes are accessed
 * one by one.
 */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "engine/sim.h"

enum {
    CHECK_LANES = 32,
    CHECK_MAX_WARPS = 32, /* of a block */
    CHECK_BARRIERS = 16,
    CHECK_CLUSTER = CHECK_BARRIERS /* the barrier of the block's cluster */
};

enum check_flag {
    CHECK_WRITE = 1u << 0,
    CHECK_ATOMIC = 1u << 1, /* and a write */
    CHECK_VOLATILE = 1u << 2,
    CHECK_ASYNC = 1u << 5, /* a write by an asynchronous copy that was not waited for */
    CHECK_CTA = 1u << 6    /* an atomic or volatile access of scope .cta */
};

enum check_kind { CHECK_RACE, CHECK_UNINITIALISED };
enum check_space { CHECK_SHARED, CHECK_GLOBAL, CHECK_LOCAL };

struct check_access { /* of one warp instruction */
    uint32_t mask, pc;
    uint8_t warp; /* of the block */
    uint8_t flags;
    uint8_t size; /* bytes of an element: 1 2 4 8 */
    uint8_t vec;  /* elements per lane */
    sim_cycle_t cycle;
    const uint64_t *addr; /* by lane: bytes from the start of the block's memory */
    const uint32_t (*data)[CHECK_LANES]; /* of writes, as in mem_req */
};

struct check_side {  /* one of the two accesses */
    uint64_t block;  /* linear index */
    uint32_t thread; /* linear, in the block */
    uint32_t pc;
    uint8_t flags; /* enum check_flag */
    sim_cycle_t cycle;
};

struct check_finding {
    enum check_kind kind;
    bool error; /* between warps or blocks */
    bool raced; /* UNINITIALISED: the write came later, in a race that is told */
    const void *kernel; /* as the block was begun with */
    uint32_t launch;    /* likewise */
    uint64_t block;     /* linear index */
    enum check_space space;
    uint64_t addr;  /* byte of the block's shared memory, of the thread's
                                        local memory, or a global address */
    uint8_t size;   /* bytes of the later access */
    uint64_t count; /* hazards: bytes */
    uint64_t raw, war, waw, in_warp; /* of count; in_warp: inside one warp */
    struct check_side side[2];       /* the example: first the earlier one */
};

struct check_writer { /* who wrote a byte last */
    uint32_t launch;
    struct check_side by;
};

struct check_block { /* a block that begins */
    const void *kernel;
    uint32_t launch; /* whatever the owner wants to find in findings */
    uint64_t block;
    uint32_t warps;
    uint32_t bytes;  /* of shared memory */
    uint64_t local;  /* bytes of local memory of a thread */
    uint64_t blocks; /* of the launch */
    /* Other blocks write its shared memory too, which is not told: what nobody wrote is
     * not looked for in it. */
    bool others_write;
};

struct check;

struct check *check_new(uint32_t n_slots, bool lock_step);
void check_free(struct check *c); /* NULL: nothing */

void check_begin(struct check *c, uint32_t slot, const struct check_block *b);
/* True: there is a hazard that is an error or a warning. */
bool check_access(struct check *c, uint32_t slot, const struct check_access *a);
/* The same for the writes of a cp.async, in the groups of its threads; a group of the
 * lanes ends; the lanes have waited until n groups are left. */
bool check_copy(struct check *c, uint32_t slot, const struct check_access *a);
void check_commit(struct check *c, uint32_t slot, uint32_t warp, uint32_t lanes);
void check_copies_over(struct check *c, uint32_t slot, uint32_t warp, uint32_t lanes,
                       uint32_t n);
/* The same for local memory. Only such reads are found of which the thread has written
 * no byte at all. */
bool check_local(struct check *c, uint32_t slot, const struct check_access *a);
/* An atomic or volatile access that reads is under way, key is its name; it is here,
 * and *out what was said of it, but for its data (false: nothing was); then it has read
 * what is published through its words of shared memory. */
struct check_await {
    const void *key;
    enum check_space space;
    struct check_access a;
    uint64_t addr[CHECK_LANES]; /* of a */
};
void check_await(struct check *c, const void *key, enum check_space space,
                 const struct check_access *a);
bool check_answered(struct check *c, const void *key, struct check_await *out);
void check_reread(struct check *c, uint32_t slot, const struct check_access *a);
/* A *.sync instruction of the lanes in members. */
void check_sync(struct check *c, uint32_t slot, uint32_t warp, uint32_t members);
void check_fence(struct check *c, uint32_t slot, uint32_t warp);
/* The warp arrives at a barrier; it leaves the barrier; the last one has left it. all:
 * the barrier was one of all live warps, so that warps that have exited count as
 * arrived. */
void check_arrive(struct check *c, uint32_t slot, uint32_t barrier, uint32_t warp);
void check_leave(struct check *c, uint32_t slot, uint32_t barrier, uint32_t warp,
                 bool all);
void check_complete(struct check *c, uint32_t slot, uint32_t barrier);
/* A phase of CHECK_CLUSTER is over: who leaves it from then on knows of all that came.
 */
void check_cluster_over(struct check *c, uint32_t slot);
void check_exit(struct check *c, uint32_t slot, uint32_t warp);

/* Writes of cells of whose reads some were dropped, which could be races not told. */
uint64_t check_doubtful(const struct check *c);

uint32_t check_n_findings(const struct check *c);
const struct check_finding *check_finding(const struct check *c, uint32_t i);

/* Who wrote the byte of the block's shared memory last; false: nobody. */
bool check_last_write(const struct check *c, uint32_t slot, uint64_t addr,
                      struct check_writer *out);

/* Does a's example come before b's? For findings of several SMs. */
bool check_is_earlier(const struct check_finding *a, const struct check_finding *b);
/* Are a and b of the same pair of instructions (or of the same instruction)? */
bool check_is_same(const struct check_finding *a, const struct check_finding *b);
/* Add b, of another SM, to *a. */
void check_merge(struct check_finding *a, const struct check_finding *b);

#endif /* CHECK_CHECK_H */
