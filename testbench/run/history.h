/*
 * history.h - launch files that run before a launch file on the same device: its key
 * after names one, whose own key may name another. What they leave in caches and DRAM
 * is there when the launch file itself begins; nothing is told of their launches.
 *
 * Each puts its data in place, runs to its end, and gives its buffers back. With the
 * check full, buffers do not lie where they should, so that none of this makes sense
 * and none is done.
 */
#ifndef RUN_HISTORY_H
#define RUN_HISTORY_H

#include "run/host.h"

/* h has a device and nothing else yet. A refusal shows the place in the file that it is
 * in, which may be one of those before. */
bool history_play(struct host *h, struct smw_err *e);

#endif /* RUN_HISTORY_H */
