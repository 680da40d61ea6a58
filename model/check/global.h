/*
 * global.h - global memory under check: which bytes anybody has written (CHECK-4), and,
 * if asked for, races between the blocks of a launch (CHECK-5).
 *
 * Two accesses of different threads to one byte, one of them a write, are a hazard
 * unless something orders them. Inside a block that is what orders shared memory
 * (check.h), and flags in global memory. Between blocks only flags order. A flag is a
 * word: after its access the first block executes a fence and then writes the word, by
 * an atomic or a volatile store; the second block has read that value, by an atomic or
 * a volatile load, and then executed a fence (a barrier is one too) before its own
 * access. Further blocks may hand it on in the same way. Fences and flags of scope .cta
 * are none between blocks. Two accesses that are each an atomic or volatile (.relaxed
 * and the like count as volatile) are no hazard, unless one has scope .cta and they are
 * of different blocks; nor is a write of the value that is there already. Between
 * blocks fences and flags are taken to be of all warps of a block. Launches are taken
 * to be in order.
 *
 * Of a byte the last write, and eight reads, are kept (check.h). If a launch has more
 * than CHECK_MAX_FLAGS flags or 2^32 blocks, no races are looked for in it from there
 * on.
 */
#ifndef CHECK_GLOBAL_H
#define CHECK_GLOBAL_H

#include "check/check.h"

enum { CHECK_MAX_FLAGS = 4096 };

struct check_global;

struct check_global *check_global_new(bool races);
void check_global_free(struct check_global *g); /* NULL: nothing */

/* The host gave n bytes a value. */
void check_global_host(struct check_global *g, uint64_t addr, uint64_t n);
/* The host gave back n bytes: whoever gets them next finds nothing written. */
void check_global_freed(struct check_global *g, uint64_t addr, uint64_t n);
/* An access of the block in the slot of c, which knows what comes before what inside
 * the block. True: there is a hazard, or a read of what nobody has written. */
bool check_global_access(struct check_global *g, struct check *c, uint32_t slot,
                         const struct check_access *a);
/* After accesses of one instant: a has read, of flags, what all of them published. */
void check_global_reread(struct check_global *g, struct check *c, uint32_t slot,
                         const struct check_access *a);
/* A fence of the warp, after check_fence(); beyond: also between blocks. */
void check_global_fence(struct check_global *g, const struct check *c, uint32_t slot,
                        uint32_t warp, bool beyond);
/* The warp arrives at a barrier. */
void check_global_arrive(struct check_global *g, const struct check *c, uint32_t slot,
                         uint32_t warp);
/* The warp arrives at, or leaves, a barrier of the blocks that share key, a number
 * below 2^56; arriving comes after check_global_fence(), leaving before it. */
void check_global_meet(struct check_global *g, struct check *c, uint32_t slot,
                       uint32_t warp, uint64_t key);
/* Launches in which races were not looked for to the end. */
uint64_t check_global_lost(const struct check_global *g);

/* What was found: check_n_findings(), check_finding(). */
const struct check *check_global_findings(const struct check_global *g);

/* The thread that wrote the byte last, if races are looked for; false: none, or the
 * host since. */
bool check_global_last_write(struct check_global *g, uint64_t addr,
                             struct check_writer *out);

#endif /* CHECK_GLOBAL_H */
