/*
 * global.h - global memory under check: which bytes anybody has written (CHECK-4), and,
 * if asked for, races between the blocks of a launch (CHECK-5).
 *
 * Two accesses of different blocks to one byte, one of them a write, are a hazard
 * unless a flag orders them. A flag is a word: after its access the first block
 * executes a fence and then writes the word, by an atomic or a volatile store; the
 * second block has read that value, by an atomic or a volatile load, before its own
 * access. Further blocks may hand it on in the same way. Two atomics, two volatile
 * accesses (.relaxed and the like count as volatile), and a write of the value that is
 * there already are never hazards. A block is taken as one; which of its warps did what
 * is the matter of check.h. Launches are taken to be in order.
 *
 * Of a word the last write, and reads of two blocks, are kept. If a launch has more
 * than CHECK_MAX_FLAGS flags or more than CHECK_MAX_BLOCKS blocks, no races are looked
 * for in it from there on.
 */
#ifndef CHECK_GLOBAL_H
#define CHECK_GLOBAL_H

#include "check/check.h"

enum { CHECK_MAX_FLAGS = 256, CHECK_MAX_BLOCKS = 65536 };

struct check_global;

struct check_global *check_global_new(bool races);
void check_global_free(struct check_global *g); /* NULL: nothing */

/* The host gave n bytes a value. */
void check_global_host(struct check_global *g, uint64_t addr, uint64_t n);
/* The host gave back n bytes: whoever gets them next finds nothing written. */
void check_global_freed(struct check_global *g, uint64_t addr, uint64_t n);
/* True: there is a hazard, or a read of what nobody has written. */
bool check_global_access(struct check_global *g, const struct check_block *b,
                         const struct check_access *a);
void check_global_fence(struct check_global *g, const struct check_block *b,
                        uint32_t warp);

/* What was found: check_n_findings(), check_finding(). */
const struct check *check_global_findings(const struct check_global *g);

#endif /* CHECK_GLOBAL_H */
