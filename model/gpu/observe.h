/*
 * observe.h - what traces, reports and checks attach to inside a device of smwave.h,
 * before its first step. For the program and the tests, which know the model's own
 * types; not installed and not in the shared library.
 */
#ifndef GPU_OBSERVE_H
#define GPU_OBSERVE_H

#include <stdint.h>

struct sim;
struct sim_module;
struct sim_hook;
struct rules_cc;
struct stalls;
struct smw_device;

/* The simulation and the root of its modules. */
struct sim *smw_sim(struct smw_device *d);
struct sim_module *smw_root(struct smw_device *d);

/* Raised with a struct mem_planned (mem/mem.h) for every memory request: what the rules
 * made of it. Its launch is an index of what is resident: smw_resident(). */
struct sim_hook *smw_planned(struct smw_device *d);
/* Raised with a struct sm_stage (sm/sm.h) when launches and blocks begin and end. */
struct sim_hook *smw_staged(struct smw_device *d);
/* Raised with a struct sm_executed (sm/sm.h), while the warps of the SM are watched,
 * when an instruction issues and when an access is answered. */
struct sim_hook *smw_executed(struct smw_device *d);
/* The launch, in the order of smw_launch(), that is resident at that index. */
uint32_t smw_resident(const struct smw_device *d, uint32_t index);
/* Count why warps do not issue, smw_options.stalls or not, by instruction too. */
void smw_watch_stalls(struct smw_device *d);
/* What was counted for a launch that has finished (sm/stall.h), for each pc below *n;
 * NULL: nothing. */
const struct stalls *smw_stalls(const struct smw_device *d, uint32_t launch,
                                uint32_t *n);
/* The rules the device follows (mem/rules.h). */
const struct rules_cc *smw_rules(const struct smw_device *d);

#endif /* GPU_OBSERVE_H */
