/*
 * host.h - the host's clock: what the host's calls cost, and what the device's front
 * end does between two things of a stream. SPEC HOST-1, HOST-2.
 *
 * The clock stands at 0 until the host says that it calls something; a host that never
 * does takes no time, and nothing here changes anything. From then on what is queued
 * may begin host.submit after the time of the clock, and the end of a kernel or of a
 * mark is known to its stream some time later.
 *
 * Those ends wait here. Whoever runs the engine must not run it beyond host_next() and
 * asks host_ended() there.
 */
#ifndef GPU_HOST_H
#define GPU_HOST_H

#include "cfg/cfg.h"
#include "engine/sim.h"
#include "gpu/written.h"

struct host_config { /* ps, unless they say so */
    struct {
        uint64_t module, first, launch, graph, graph_node, copy, inside, fill, record,
            wait;
        uint64_t first_record; /* more for the first record, behind what it queues */
        uint64_t sync;         /* of a synchronisation that has nothing to wait for */
    } call;                    /* until the call is back */
    uint64_t submit;           /* from then until the device begins, at the earliest */
    uint64_t wake;             /* from what is waited for until the host goes on */
    uint64_t kernel;           /* from a kernel's end until its stream goes on */
    uint64_t node;             /* the same of a kernel of a graph */
    uint64_t graph;            /* from a graph's begin until its first node's */
    uint64_t copy;   /* from a copy's end until a kernel of its stream, unless small */
    uint64_t record; /* from a mark until its stream goes on */
    uint64_t small;  /* bytes of a copy or a fill that no engine is needed for */
    uint64_t small_fill;   /* ps that such a fill takes */
    uint64_t written;      /* bytes/s, longer for what the host wrote; 0: no longer */
    uint64_t written_most; /* bytes of it that its caches hold */
    uint64_t fresh; /* bytes/s, longer for staging memory's first use; 0: no longer */
    uint64_t fresh_most; /* bytes of staging memory */
};

extern const struct cfg_table host_keys;

struct host_end {
    sim_time_t at;
    uint32_t item;
};

/* Zeroed memory is a clock that stands. */
struct host {
    bool runs;              /* the host has said that it calls something */
    bool in_graph;          /* what is queued now belongs to a graph */
    bool recorded;          /* an event */
    sim_time_t at;          /* the clock */
    sim_time_t owed;        /* to be added to it by the next call */
    struct written written; /* pinned memory, by copies */
    uint64_t staged;        /* bytes that went through the staging memory */
    struct host_end *end;
    uint32_t n_ends, max_ends;
};

/* The item ends at that time. False: there is no memory. */
bool host_end_later(struct host *h, uint32_t item, sim_time_t at);
/* When the next such end is; SIM_TIME_MAX: there is none. */
sim_time_t host_next(const struct host *h);
/* An item whose end is over is in *item and no longer here, earliest first; of two at
 * the same time the one that was queued first. */
bool host_ended(struct host *h, sim_time_t now, uint32_t *item);
void host_free(struct host *h);

#endif /* GPU_HOST_H */
