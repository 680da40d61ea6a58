/*
 * gpu_config.h - the configuration of a whole GPU and the schema that fills it.
 */
#ifndef GPU_GPU_CONFIG_H
#define GPU_GPU_CONFIG_H

#include "gpu/host.h"
#include "gpu/link.h"
#include "gpu/spare.h"
#include "mem/icnt.h"
#include "mem/l2.h"
#include "sm/sm.h"

struct gpu_top_config {
    uint32_t sms;
    char compute_capability[CFG_TEXT_SIZE]; /* "2.0" */
    uint64_t sm_clock;                      /* Hz, shader clock */
    bool what_if; /* allows what the capability lacks, such as a 32/32 split on 2.x */
    uint32_t launch_latency;    /* SM cycles from the launch to its first block */
    uint32_t dispatch_interval; /* SM cycles between two turns of the dispatcher */
    uint32_t dispatch_width;    /* blocks it sends in a turn, at most */
    uint32_t flush_latency;     /* SM cycles from a block's end to its stores' */
    uint32_t refill_latency;    /* SM cycles from then to its place being free */
    uint32_t refill_interval;   /* SM cycles between two places that become free */
    uint32_t gpcs;              /* clusters of SMs */
};

struct ptx_config {
    uint32_t schedule; /* enum gpu_schedule of gpu/target.h */
    bool fmad;         /* what an assembler runs has products rounded with their sums */
};

struct gpu_config {
    struct gpu_top_config gpu;
    struct sm_parts sm;
    struct icnt_config icnt;
    struct l2_config l2;
    struct dram_config dram;
    struct ptx_config ptx;
    struct link_config link;
    struct host_config host;
    struct ideal_config ideal;
};

extern const struct cfg_schema gpu_schema;

/* SPEC SPLIT-3: sm.onchip.partition is auto. */
bool gpu_config_chooses_split(const struct gpu_config *c);

/* What cfg_set() cannot judge: rules across keys. On success *rules is the table entry
 * of the capability and *split the start-up split of the on-chip array (auto: the
 * largest shared part). */
bool gpu_config_check(const struct gpu_config *c, const struct rules_cc **rules,
                      struct rules_split *split, struct smw_err *e);

#endif /* GPU_GPU_CONFIG_H */
