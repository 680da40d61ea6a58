/*
 * device_priv.h - the insides of struct smw_device, shared by the files behind
 * smwave.h: setup.c (configuration), device.c (opening, memory, code), device_run.c
 * (launches, stepping), device_results.c (faults, printf, results), hot_places.c (where
 * warps spend their time), device_findings.c (what checks found).
 */
#ifndef GPU_DEVICE_PRIV_H
#define GPU_DEVICE_PRIV_H

#include "gpu/gpu.h"
#include "gpu/launch_limits.h"
#include "gpu/split.h"
#include "gpu/turns.h"
#include "smwave.h"

struct smw_config {
    struct gpu_config gpu;
    char name[64];
};

struct smw_kernel {
    struct smw_module *module;
    const struct ptx_kernel *ptx;
};

struct smw_module {
    struct smw_device *device;
    struct ptx_module *ptx;
    char *name;
    struct smw_kernel *kernels; /* one per kernel of ptx */
    struct smw_module *next;
};

enum launch_state { LAUNCH_QUEUED, LAUNCH_RESIDENT, LAUNCH_FINISHED };

struct printed { /* one printf of one thread, until the kernel's end */
    struct sm_printf p;
    uint64_t seq;
};

struct queued { /* a launch, from smw_launch() on */
    const struct smw_kernel *kernel;
    struct smw_launch args; /* params is owned */
    struct launch_need need;
    struct rules_split split;
    uint32_t bank_mode;
    struct launch_fit fit; /* at that split */
    enum launch_state state;
    uint32_t index;      /* while resident */
    sim_cycle_t reached; /* the dispatcher */
    uint64_t start_ps, end_ps;
    struct smw_counters counters; /* when finished */
    struct stalls *places; /* by micro-op, when finished, if asked for; else NULL */
    struct printed *printed;
    uint32_t n_printed, max_printed;
    char *output; /* output_bytes and a terminator */
    size_t output_bytes;
};

struct smw_device {
    struct gpu gpu;
    struct smw_options opt;
    struct smw_module *modules;
    struct queued *launch; /* in the order of smw_launch() */
    uint32_t n_launches, max_launches;
    struct turns turns;            /* which of them may begin */
    struct functional *functional; /* the one that takes no time; NULL: none now */
    struct queued *resident[SM_MAX_LAUNCHES];
    uint32_t n_resident;
    enum smw_cache_config cache_config; /* device-wide */
    uint32_t bank_mode;                 /* device-wide, 4 or 8 */
    uint32_t resident_bank_mode;        /* of the launches that are resident */
    uint64_t n_started;                 /* for %gridid */
    struct smw_fault fault;
    struct hot {                      /* where warps stood, before --max-cycles */
        uint64_t *n[SM_MAX_LAUNCHES]; /* by micro-op of the resident launch; owned */
        const struct smw_kernel *of[SM_MAX_LAUNCHES];
        uint64_t samples;
        sim_cycle_t until; /* the next sample, or the limit; 0: not set */
    } hot;
    volatile int stop;
    struct sim_listener on_fault, on_printf;
    struct check_finding *findings; /* gathered by smw_findings() */
    uint32_t n_findings, max_findings;
};

/* ---- device_run.c ---- */

/* Every launch queued so far has finished, or *e says why not. */
bool device_settle(struct smw_device *d, struct smw_err *e);

/* ---- device_results.c ---- */

void device_listen(struct smw_device *d);
/* Counters of a resident launch up to cycle end, added to *out, which is zero. */
void device_counters(const struct smw_device *d, const struct queued *q,
                     sim_cycle_t end, struct smw_counters *out);
/* Of q, which has just finished: why its warps did not issue, by instruction. */
void device_places(const struct smw_device *d, struct queued *q);
/* Text of the kernel's printf, in block and thread order. */
void device_collect_output(struct smw_device *d, struct queued *q);
void device_deadlock(struct smw_device *d);
void device_limit(struct smw_device *d, const char *what);

struct device_place { /* a micro-op */
    const struct ptx_module *module;
    uint32_t pc;
};

/* ---- hot_places.c ---- */

/* With max_cycles: up to which cycle to run; then ask hot_reached(). */
sim_cycle_t hot_until(struct smw_device *d);
/* That cycle was reached. True: it is the limit; false: go on. */
bool hot_reached(struct smw_device *d);
/* Lines: the hottest micro-ops with their share of what was seen, or sees now. False:
 * there is none; else *hottest is the first. */
bool hot_report(struct smw_device *d, void (*line)(void *ctx, const char *text),
                void *ctx, struct device_place *hottest);
void hot_free(struct smw_device *d);

#endif /* GPU_DEVICE_PRIV_H */
