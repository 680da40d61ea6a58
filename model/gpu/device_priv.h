/*
 * device_priv.h - the insides of struct smw_device, shared by the files behind
 * smwave.h: setup.c (configuration), device.c (opening, memory, code), device_memory.c
 * (freeing, the host's pages, peers), device_texture.c, device_code.c (what modules
 * hold), device_ptx.c, device_facts.c, device_run.c (launches, stepping),
 * device_queue.c (what else the host queues in streams), device_host.c (what its calls
 * cost), device_results.c (faults,
 * printf, results), hot_places.c (where warps spend their time), device_findings.c
 * (what checks found).
 */
#ifndef GPU_DEVICE_PRIV_H
#define GPU_DEVICE_PRIV_H

#include "gpu/gpu.h"
#include "gpu/host.h"
#include "gpu/launch_limits.h"
#include "gpu/link.h"
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
    uint8_t *const_image;       /* ptx's, in whole pages; NULL: it has none */
    uint64_t const_addr;        /* its address in device memory; 0: nobody asked */
    bool unloaded;              /* kept only for the results of its launches */
    struct smw_module *next;
};

enum launch_state { LAUNCH_QUEUED, LAUNCH_RESIDENT, LAUNCH_FINISHED };

/* Lines of a launch that are kept: far more than the 1 MiB that a device's buffer has,
 * and about 80 MiB of the host's memory. */
enum { DEVICE_MAX_PRINTED = 1 << 18 };

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
    uint32_t item;       /* of turns */
    uint32_t index;      /* while resident */
    sim_cycle_t reached; /* the dispatcher */
    uint64_t start_ps, end_ps;
    struct smw_counters counters; /* when finished */
    struct stalls *places; /* by micro-op, when finished, if asked for; else NULL */
    struct printed *printed;
    uint32_t n_printed, max_printed;
    uint64_t n_unprinted; /* lines beyond DEVICE_MAX_PRINTED */
    char *output;         /* output_bytes and a terminator */
    size_t output_bytes;
};

/* Which part serves an item of a stream. */
enum lane { LANE_KERNEL, LANE_UP, LANE_DOWN, LANE_DEVICE, LANE_HOST, N_LANES };
_Static_assert((int)N_LANES == (int)TURNS_LANES, "turns.h");

enum task_kind { TASK_LAUNCH, TASK_TRANSFER, TASK_CALL, TASK_MARK, TASK_WAIT };

struct task { /* an item of turns */
    enum task_kind kind;
    uint32_t of;       /* the launch, the transfer, the item of the mark waited for */
    uint64_t at_ps;    /* when a mark was reached */
    uint64_t ready_ps; /* not before: the host's call lay so far back; 0: at once */
    bool in_graph;
    void (*fn)(void *arg); /* of a call; NULL: it does nothing */
    void *arg;
};

struct transfer { /* a copy or a fill */
    struct smw_transfer t;
    uint32_t item;               /* of turns */
    uint32_t value, value_bytes; /* of a fill; value_bytes 0: it is a copy */
    bool started, finished;
    uint64_t start_ps, end_ps;
};

struct smw_device {
    struct gpu gpu;
    struct smw_options opt;
    char name[64]; /* of the configuration */
    struct smw_module *modules;
    uint64_t heap;         /* bytes, of modules that will be loaded */
    struct queued *launch; /* in the order of smw_launch() */
    uint32_t n_launches, max_launches;
    uint32_t n_forgotten;      /* of them: nobody is told of these */
    struct turns turns;        /* what may begin */
    struct task *task;         /* of each item of turns */
    struct transfer *transfer; /* in the order of queueing */
    uint32_t max_tasks, n_transfers, max_transfers;
    struct link *link;
    struct host host;
    struct sim_event begins;       /* when a launch that waits for a time can begin */
    uint32_t moving[LINK_WAYS];    /* the transfer under way */
    struct functional *functional; /* the launch that takes no time; NULL: none now */
    struct queued *resident[SM_MAX_LAUNCHES];
    uint32_t n_resident;
    enum smw_cache_config cache_config; /* device-wide */
    uint32_t bank_mode;                 /* device-wide, 4 or 8 */
    uint32_t resident_bank_mode;        /* of the launches that are resident */
    uint64_t n_started;                 /* for %gridid */
    uint64_t grid_sync; /* where cooperative grids meet; 0: not yet made */
    struct smw_fault fault;
    struct hot {                      /* where warps stood, before --max-cycles */
        uint64_t *n[SM_MAX_LAUNCHES]; /* by micro-op of the resident launch; owned */
        const struct smw_kernel *of[SM_MAX_LAUNCHES];
        uint64_t samples;
        sim_cycle_t until; /* the next sample, or the limit; 0: not set */
    } hot;
    struct endless {      /* who looks whether anything can change */
        sim_cycle_t next; /* the next look; 0: not set */
        uint32_t looks;   /* since the watch began */
        bool watching, settling;
    } endless;
    bool waits;      /* whoever steps does nothing else before it is over */
    atomic_int stop; /* set by any thread, and by handlers of signals */
    struct sim_listener on_fault, on_printf;
    struct smw_device *sees[MEMORY_MAX_PEERS], *seen_by[MEMORY_MAX_PEERS]; /* peers */
    uint32_t n_sees, n_seen_by;
    struct device_array *arrays;    /* newest first; owned */
    struct check_finding *findings; /* gathered by smw_findings() */
    uint32_t n_findings, max_findings;
};

/* ---- device.c ---- */

/* A .global or .const variable; NULL: there is none, *e says so. */
const struct ptx_symbol *device_symbol(const struct smw_module *m, const char *name,
                                       struct smw_err *e);
void device_free_module(struct smw_module *m);
/* The host gives memory a value. */
void device_give(struct smw_device *d, uint64_t addr, const void *src, uint64_t n);
/* For checks: the host has written it, or may at any time. False: no memory. */
bool device_written(struct smw_device *d, uint64_t addr, uint64_t n, struct smw_err *e);
/* The same from another or the same device's memory, as memmove(). */
void device_copy(struct smw_device *to, uint64_t dst, struct smw_device *from,
                 uint64_t src, uint64_t n);

/* ---- device_memory.c ---- */

/* Are n bytes at addr inside an allocation? what, the call, is for *e. */
bool device_has(const struct smw_device *d, const char *what, uint64_t addr, uint64_t n,
                struct smw_err *e);
/* Kernels of this device, and of those that can reach its memory, have come to rest, or
 * it is at fault. */
bool device_settle_all(struct smw_device *d, struct smw_err *e);
/* The allocation that holds addr is no more, if there is one. */
void device_release(struct smw_device *d, uint64_t addr);
/* Addresses begin where the options say. */
bool device_place(struct smw_device *d, struct smw_err *e);
/* No device sees it any more, nor it them. */
void device_part_all(struct smw_device *d);

/* ---- device_texture.c ---- */

void device_free_textures(struct smw_device *d);

/* ---- device_run.c ---- */

/* Up to when to run: all that is queued, one stream, or a mark. */
struct goal {
    enum { GOAL_ALL, GOAL_STREAM, GOAL_MARK } kind;
    uint32_t stream;
    uint64_t mark;
};

/* The goal has been reached, or *e says why not. */
bool device_reach(struct smw_device *d, const struct goal *goal, struct smw_err *e);
/* Everything queued so far has finished, or *e says why not. */
bool device_settle(struct smw_device *d, struct smw_err *e);

/* ---- device_queue.c ---- */

/* There was no fault, or *e says so. */
bool device_usable(const struct smw_device *d, struct smw_err *e);
/* Memory of the host ran out in a call: what it was changing can only be freed, and the
 * device refuses further work. Returns false. */
bool device_no_memory(struct smw_device *d, struct smw_err *e);
/* Queue an item; its number was d->turns.n. False: no memory. */
bool device_queue(struct smw_device *d, uint32_t stream, enum lane lane,
                  const struct task *what);
/* Between instants: calls, marks and waits whose turn it is. */
void device_host_turns(struct smw_device *d);
/* Between instants: transfers that may begin do. */
void device_begin_transfers(struct smw_device *d);
/* Between instants: those whose time is over end; their bytes move. */
void device_end_transfers(struct smw_device *d);
/* All that it moves. */
uint64_t device_bytes(const struct transfer *x);
bool device_is_moving(const struct smw_device *d);
/* No transfer under way, nor an earlier item, keeps this one from beginning. */
bool device_may_overlap(const struct smw_device *d, uint32_t item);

/* ---- device_host.c ---- */

/* When what is queued now may begin. */
uint64_t device_ready(const struct smw_device *d);
/* The item is first in its lane; may it begin, as far as the host goes? */
bool device_is_ready(const struct smw_device *d, uint32_t item);
/* Picoseconds that a transfer takes that no engine is needed for; 0: it is none. */
uint64_t device_fixed_time(const struct smw_device *d, const struct transfer *x);
/* Picoseconds longer, for what the host wrote and for staging memory that is new; once
 * it has ended, the one was seen and the other used. */
uint64_t device_host_time(const struct smw_device *d, const struct transfer *x);
void device_host_moved(struct smw_device *d, const struct transfer *x);
/* An item that has begun is over; its stream goes on when the front end has seen it. */
void device_over(struct smw_device *d, uint32_t item);
/* Between instants: streams go on whose item's end has been seen. */
void device_host_ends(struct smw_device *d);
/* When something of a stream may begin or go on that waits for a time; SIM_TIME_MAX:
 * nothing does. */
sim_time_t device_host_next(const struct smw_device *d);

/* ---- device_results.c ---- */

void device_listen(struct smw_device *d);
/* Counters of a resident launch up to cycle end, added to *out, which is zero. */
void device_counters(const struct smw_device *d, const struct queued *q,
                     sim_cycle_t end, struct smw_counters *out);
/* Of q, which has just finished: why its warps did not issue, by instruction. */
void device_places(const struct smw_device *d, struct queued *q);
/* Text of the kernel's printf, in block and thread order. */
void device_collect_output(struct smw_device *d, struct queued *q);
/* What the launches that have not ended printed so far is in their results. */
void device_show_output(struct smw_device *d);
void device_deadlock(struct smw_device *d);
void device_limit(struct smw_device *d, const char *what);
/* That of smw_options. */
void device_cycle_limit(struct smw_device *d);

struct device_place { /* a micro-op */
    const struct ptx_module *module;
    uint32_t pc;
};

/* Loops that nothing can end; at: one of them, NULL: not known. Lines follow. */
void device_endless(struct smw_device *d, const struct device_place *at);
void device_add_line(struct smw_device *d, const char *text);
/* Lines: who waits where for whom. */
void device_report_waiting(struct smw_device *d);

/* ---- cooperative.c ---- */

/* A cooperative launch: its blocks fit on the device at once, and there is a place
 * where they meet. Any other: true. */
bool cooperative_check(struct smw_device *d, const struct queued *q, struct smw_err *e);
/* What special registers say of the place where blocks meet and of the shared memory
 * that libraries may use; q->index is known. */
void cooperative_describe(const struct smw_device *d, const struct queued *q,
                          struct sm_launch *s);

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

/* ---- endless.c ---- */

/* Up to which cycle to run; then ask endless_reached(). SIM_CYCLE_NONE: to any. */
sim_cycle_t endless_until(struct smw_device *d);
/* That cycle was reached. True: nothing can change any more, the fault says so. */
bool endless_reached(struct smw_device *d);
void endless_free(struct smw_device *d);

/* ---- device_findings.c ---- */

/* Where a linear index is in dim. */
void device_coordinates(uint64_t linear, const uint32_t dim[3], uint32_t out[3]);
/* The array of the kernel's shared memory, or the buffer, that holds addr, and which
 * element of size bytes that is; "": none. */
void device_name_place(const struct smw_device *d, const struct ptx_kernel *k,
                       bool shared, uint64_t addr, uint8_t size, char *name, size_t n,
                       uint64_t *index);

#endif /* GPU_DEVICE_PRIV_H */
