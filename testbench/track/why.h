/*
 * why.h - the chain of waits that made a launch as long as it is (SPEC WHY-1..4).
 *
 * It is walked from the end of the launch backwards: of each instruction on it the
 * record says what it waited for last, and there the chain goes on. So its parts follow
 * one another without a gap, and add up to the cycles of the launch.
 */
#ifndef TRACK_WHY_H
#define TRACK_WHY_H

#include "track/track.h"
#include <jansson.h>

#define WHY_MAX_INSTS UINT64_C(4000000) /* that a record may hold */
#define WHY_NEVER     UINT64_MAX
#define WHY_LONGEST   UINT32_MAX

struct why_ask {
    uint32_t launch; /* WHY_LONGEST: the one of most cycles, or that runs in `cycle` */
    uint64_t cycle;  /* the chain that led to it, of the SM clock; NEVER: to the end */
    uint32_t parts;  /* of the chain, that are listed */
};

/* The chain as JSON; NULL and *e: there is no such launch, or cycle of it, or its
 * instructions were not all recorded. The run has ended. */
json_t *why_chain(struct track *r, const struct why_ask *ask, struct smw_err *e);

#endif /* TRACK_WHY_H */
