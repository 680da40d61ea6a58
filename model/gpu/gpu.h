/*
 * gpu.h - elaboration: from a checked configuration to the tree of modules.
 *
 *   gpu
 *    |- dispatcher
 *    |- sm0 .. smN      shader clock; domains of their own if they may run ahead
 *    |- icnt            its clock
 *    '- part0 .. partP  l2 in its clock, dram in the command clock
 */
#ifndef GPU_GPU_H
#define GPU_GPU_H

#include "gpu/dispatcher.h"
#include "gpu/gpu_config.h"

struct ahead;
struct smw_team;

struct gpu {
    struct sim *sim;
    struct gpu_config cfg; /* immutable */
    struct rules_cc rules; /* the capability's entry, as what_if and other keys change
                              it */
    struct rules_split split; /* of the on-chip array, in use */
    struct rules_split start; /* the one that sm.onchip.partition names */
    struct sim_module root;
    struct sim_clock sm_clock, icnt_clock, l2_clock, dram_clock;
    struct sim_clock *own_clock; /* of each SM that is a domain */
    struct ahead *ahead;         /* NULL: SMs are no domains */
    struct memory memory;
    struct sm_shared shared;
    struct dispatcher *dispatcher;
    struct sm **sm;
    struct icnt *icnt;
    struct net *net;         /* between SMs; NULL: before 9.0 */
    struct sim_module *part; /* scopes */
    struct l2 **l2;
    struct dram **dram;
    struct smw_counters *part_stats; /* by launch: of all partitions together */
    uint32_t n_sms, n_parts;
};

/* team: SMs are domains and run ahead of the rest (ahead.h), if there are several. */
bool gpu_init(struct gpu *g, const struct gpu_config *cfg, const struct smw_team *team,
              struct smw_err *e);
void gpu_free(struct gpu *g);

/* As sim_run(), for the whole GPU, SMs that are domains among it. */
enum sim_status gpu_run(struct gpu *g, sim_time_t until, uint64_t max_instants);
/* What SMs have reached that are ahead of the rest (sm/alone.h); else, and in domains,
 * now. Whoever ends a run in between runs on to there before anything else. */
sim_time_t gpu_reached(const struct gpu *g);
/* Nothing but answers of the interconnect is sent to an SM before this cycle; 0: at any
 * time. gpu: a struct gpu. */
sim_cycle_t gpu_unreached_until(const void *gpu, uint32_t sm);
/* How often processes ran, those of SMs among them. */
uint64_t gpu_activations(const struct gpu *g);

/* Between instants, everything idle. */
void gpu_split(struct gpu *g, struct rules_split split);

/* Sum of all counters of resident launch i. */
void gpu_counters(const struct gpu *g, uint32_t i, struct smw_counters *out);
/* The same for stall reasons by micro-op, of which its module has n. */
void gpu_places(const struct gpu *g, uint32_t i, struct stalls *out, uint32_t n);

/* Between instants: counters of index i start at zero, L1s forget what they held. */
void gpu_begin(struct gpu *g, uint32_t i);

#endif /* GPU_GPU_H */
