/* why_order.h - the recorded instructions of a launch, found by block and scheduler. */
#ifndef TRACK_WHY_ORDER_H
#define TRACK_WHY_ORDER_H

#include "track/track_priv.h"

struct why_order {
    const struct track *r;
    uint32_t *in_block, *first; /* of block b: in_block[first[b]] .. [first[b + 1]] */
    uint64_t *issue;            /* of a scheduler, ascending */
    uint32_t *first_issue;      /* of scheduler s, likewise */
};

void why_order_open(struct why_order *o, const struct track *r);
void why_order_close(struct why_order *o);

/* Instructions that the scheduler of x issued after `from` and before `to`. */
uint32_t why_issues(const struct why_order *o, const struct track_inst *x,
                    uint64_t from, uint64_t to);

/* Of the instructions of the block those that issued before `before` and are what is
 * asked: the one that came last; NONE: there is none. */
enum why_want {
    WHY_ISSUED,  /* any, by its issue */
    WHY_COMES,   /* to a barrier, or leaves the kernel: by its issue */
    WHY_ANSWERED /* an access, by its answer */
};
uint32_t why_last(const struct why_order *o, uint32_t block, enum why_want want,
                  uint64_t before);

#endif /* TRACK_WHY_ORDER_H */
