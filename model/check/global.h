/*
 * global.h - global memory under check: which bytes anybody has written (CHECK-4), and,
 * if asked for, races between the blocks of a launch (CHECK-5).
 *
 * Two accesses of different blocks to one byte, one of them a write, are a hazard
 * unless a flag orders them: a fence of the first block, then an atomic or a volatile
 * store of it to a word, which the second block has read by an atomic or a volatile
 * load; also by way of further blocks. Never hazards: two atomics or volatile accesses
 * (.relaxed and the like are), a write of the value that the first write left. A block
 * is one: what its barriers order, and which of its warps did what, is the matter of
 * check.h. Launches are taken to be in order.
 *
 * Of a word the last write and reads of two blocks are kept. With more than
 * CHECK_MAX_FLAGS words that publish in one launch, or more than CHECK_MAX_BLOCKS
 * blocks, no races are looked for any more in it.
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
/* True: there is a hazard, or a read of what nobody has written. */
bool check_global_access(struct check_global *g, const struct check_block *b,
                         const struct check_access *a);
void check_global_fence(struct check_global *g, const struct check_block *b,
                        uint32_t warp);

/* What was found: check_n_findings(), check_finding(). */
const struct check *check_global_findings(const struct check_global *g);

#endif /* CHECK_GLOBAL_H */
