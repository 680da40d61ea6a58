/*
 * profile.h - "smwave run --profile": where the cycles of the SMs went over time, and
 * what each bank of shared memory did.
 *
 * It listens to the model: to the probes of schedulers and warps, and to what the rules
 * made of every shared access (struct mem_planned). A run without --profile does not
 * pay for it.
 *
 * Time is cut into at most PROFILE_WINDOWS windows of a power of two cycles of the SM
 * clock, chosen as the run grows. Every cycle of every SM is exactly one of
 *
 *   issue      a scheduler is issuing
 *   pipe       a warp could issue, but its pipe or its scheduler's turn is not there
 *   latency    no warp could: one waits for an operand or a branch
 *   memory     none of those either: one waits for memory
 *   barrier    all warps that live are at a barrier
 *   idle       no warp lives
 *
 * so that they add up to cycles times SMs. Instructions add up to warp_insts,
 * wavefronts and conflicts to those of the shared counters.
 */
#ifndef REPORT_PROFILE_H
#define REPORT_PROFILE_H

#include "io/file.h"
#include "smwave.h"

enum { PROFILE_WINDOWS = 256 };

enum profile_series {
    PROFILE_ISSUE, /* cycles of an SM ... */
    PROFILE_PIPE,
    PROFILE_LATENCY,
    PROFILE_MEMORY,
    PROFILE_BARRIER,
    PROFILE_IDLE,
    PROFILE_WARP_READY, /* cycles of a warp: issuing or able to ... */
    PROFILE_WARP_LATENCY,
    PROFILE_WARP_MEMORY,
    PROFILE_WARP_BARRIER,
    PROFILE_INSTS,      /* issued by warps */
    PROFILE_WAVEFRONTS, /* of shared memory, at the cycle they are planned */
    PROFILE_CONFLICTS,  /* of those */
    PROFILE_SERIES
};

/* The key of a series in profile.json. */
const char *profile_name(enum profile_series s);

struct profile;

/* Listen to the device, before its first step. NULL and *e: it is not as expected. */
struct profile *profile_open(struct smw_device *d, const struct smw_config *c,
                             struct smw_err *e);
void profile_close(struct profile *p); /* NULL: nothing */

/* profile.json, after the run. module_path: where the PTX came from, beside which the
 * sources that it names are looked for. */
void profile_json(struct profile *p, const char *module_path, struct text *out);

#endif /* REPORT_PROFILE_H */
