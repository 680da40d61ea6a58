/*
 * run_gains.h - what advice would gain: the run once more, with a cost spared.
 */
#ifndef CMD_RUN_GAINS_H
#define CMD_RUN_GAINS_H

#include "cmd/run_options.h"
#include "report/advice.h"

/* Fill in the cycles of a's items by at most o->gains further runs. They write nothing;
 * a signal ends them. */
void run_gains(struct advice *a, const struct run_options *o, uint32_t n_launches);

#endif /* CMD_RUN_GAINS_H */
