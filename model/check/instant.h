/*
 * instant.h - what SMs tell of global memory at one instant, in an order of its own:
 * the order in which processes run at an instant must not show in what is found
 * (SPEC CHECK-7).
 *
 * What was told in one delta is handed on to check/global.h in the next one, which
 * belongs to the same instant: block by block, in the order of launches and of blocks
 * in them; of each block as it was told. Then all that read flags in that delta have
 * read what was published in it: which of two atomics of one instant comes first is
 * the memory's business.
 *
 * What a block knows of its own warps is read when its access is handed on. Nothing of
 * that changes in between for a warp that executes one instruction at a time.
 */
#ifndef CHECK_INSTANT_H
#define CHECK_INSTANT_H

#include "check/global.h"

struct check_instant;

struct check_teller { /* a warp of a block of an SM */
    struct check *c;
    uint32_t slot, warp;
    void *sm; /* whatever found() wants */
};

/* found(sm): an access of the SM is a hazard, or read what nobody has written. */
struct check_instant *check_instant_new(struct sim *s, struct check_global *g,
                                        void (*found)(void *sm));
void check_instant_free(struct check_instant *t); /* NULL: nothing */

/* As the functions of check/global.h of these names. a is copied. */
void check_tell_access(struct check_instant *t, const struct check_teller *by,
                       const struct check_access *a);
/* a, of which this was told, has its answer: it has read what is published then. */
void check_tell_answer(struct check_instant *t, const struct check_teller *by,
                       const struct check_access *a);
void check_tell_fence(struct check_instant *t, const struct check_teller *by,
                      bool beyond);
void check_tell_arrive(struct check_instant *t, const struct check_teller *by);
void check_tell_meet(struct check_instant *t, const struct check_teller *by,
                     uint64_t key);

#endif /* CHECK_INSTANT_H */
