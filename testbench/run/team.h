/*
 * team.h - threads that help whoever steps a device (struct smw_team).
 *
 * Calls follow each other closely. So after a call helpers look for the next one for
 * some microseconds, then yield the processor for a while, and only then sleep. What no
 * helper has begun when the caller has done its own part, the caller does: where other
 * programs have the processors, helpers cost little.
 */
#ifndef RUN_TEAM_H
#define RUN_TEAM_H

#include "smwave.h"

struct team;

/* The caller and n - 1 threads. NULL and *e: they cannot be started. */
struct team *team_open(uint32_t n, struct smw_err *e);
/* What goes into smw_options; NULL of NULL. Lives until team_close(). */
const struct smw_team *team_of(const struct team *t);
/* t may be NULL. */
void team_close(struct team *t);

#endif /* RUN_TEAM_H */
