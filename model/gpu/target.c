#include "gpu/target.h"

#include <string.h>

static uint32_t at_least_one(uint64_t cycles)
{
    return cycles == 0 ? 1 : (uint32_t)cycles;
}

/* SM cycles that so many cycles of another clock take. */
static uint64_t in_sm_cycles(const struct gpu_config *c, uint64_t cycles, uint64_t hz)
{
    return cycles * c->gpu.sm_clock / hz;
}

/* Of a load that the L2 answers, on an SM that is alone: an assembler does not know
 * where data will be, and whatever is farther only makes loads more urgent. */
static uint64_t global_latency(const struct gpu_config *c)
{
    return c->sm.l1.latency + 2 * in_sm_cycles(c, c->icnt.latency, c->icnt.clock) +
           in_sm_cycles(c, c->l2.latency, c->l2.clock);
}

/* Registers per thread at which the warps an SM can hold take all it has; a multiple of
 * what a warp is given at a time would be exact, this is at most one unit more. */
static uint32_t free_registers(const struct gpu_config *c, const struct rules_cc *rules)
{
    const uint32_t warps = c->sm.sm.max_warps;

    return at_least_one(rules->regs / (warps * ISA_LANES));
}

const struct ptx_target *gpu_target(const struct gpu_config *c,
                                    const struct rules_cc *rules, struct ptx_target *t)
{
    memset(t, 0, sizeof(*t));
    t->cc = rules->cc;
    for (uint32_t i = 0; i < ISA_N_CLASSES; i++) {
        t->latency[i] = at_least_one(c->sm.pipes.latency[i]);
    }
    t->predicate = c->sm.sm.predicate_latency;
    t->shared = c->sm.smem.latency;
    t->constant = c->sm.cbank.latency;
    t->local = c->sm.l1.latency;
    t->global = at_least_one(global_latency(c));
    t->issue = c->sm.sm.issue_interval;
    t->regs = free_registers(c, rules);
    t->fmad = c->ptx.fmad;
    return c->ptx.schedule == GPU_SCHEDULE_AS_WRITTEN ? NULL : t;
}
