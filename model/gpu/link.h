/*
 * link.h - the ways that bytes take when the host asks for it: up to the device, down
 * to the host, and inside the device. SPEC LINK-1 to LINK-3.
 *
 * A way moves one transfer at a time. With one copy engine, up and down are one; with
 * none, the caller sees to it that neither overlaps with a kernel. How long a transfer
 * takes is known when it begins: a latency, then bytes at the rate of the way, up to an
 * edge of the SM clock. It begins and ends between instants: whoever runs the engine
 * must not run it beyond link_next() and asks link_done() there.
 *
 * If it is shown, a waveform has the scope host with a scope for each way: whether it
 * is busy, stream and bytes of the transfer that is, or was last, under way, and events
 * when one starts and ends.
 */
#ifndef GPU_LINK_H
#define GPU_LINK_H

#include "cfg/cfg.h"
#include "comp/comp.h"

struct link_config {
    uint64_t latency;          /* ps from a transfer's begin to its first byte */
    uint64_t down_latency;     /* the same to the host; 0: as latency */
    uint64_t unpinned_latency; /* of other memory to the device; 0: as latency */
    uint64_t
        unpinned_down_latency; /* of other memory to the host; 0: as down_latency */
    uint64_t up, down;         /* bytes/s of pinned memory */
    uint64_t unpinned_up; /* bytes/s of other memory, which the driver copies through */
    uint64_t unpinned_down;     /* pinned buffers; 0: as pinned */
    uint32_t engines;           /* 2: up and down at once; 1: one of them; 0: no kernel
                               meanwhile either */
    uint64_t device_latency;    /* the same inside the device */
    uint64_t device_cached;     /* bytes/s of what the L2 holds; 0: as the DRAM */
    uint32_t device_efficiency; /* percent of what the DRAM's data buses can move */
};

extern const struct cfg_table link_keys;

enum link_way { LINK_UP, LINK_DOWN, LINK_DEVICE, LINK_WAYS };

struct link_job {
    enum link_way way;
    bool pinned;     /* of LINK_UP and LINK_DOWN */
    bool cached;     /* of LINK_DEVICE: the L2 holds all bytes */
    uint64_t more;   /* ps longer than its bytes say */
    uint64_t fixed;  /* ps that it takes, whatever its bytes; 0: as they say */
    uint64_t bytes;  /* LINK_DEVICE: that the DRAM reads and writes together */
    uint32_t stream; /* to be shown */
};

struct link;

/* dram_peak: bytes/s. clock: of the SMs. shown: the scope host is below parent. */
struct link *link_new(struct sim_module *parent, struct sim_clock *clock,
                      const struct link_config *cfg, uint64_t dram_peak, bool shown);
/* A job of that way can begin. */
bool link_ready(const struct link *l, enum link_way way);
/* Between instants, if it is ready: the job begins. */
void link_begin(struct link *l, const struct link_job *job);
/* When the next job under way ends; SIM_TIME_MAX: none is under way. */
sim_time_t link_next(const struct link *l);
/* Between instants: the job of that way has ended; forget it. False: there is none, or
 * it is still under way. */
bool link_done(struct link *l, enum link_way way);
/* Picoseconds of bytes at a rate in bytes/s, rounded up. */
sim_time_t link_time(uint64_t bytes, uint64_t rate);
/* Picoseconds that it takes, before the edge is waited for. */
sim_time_t link_duration(const struct link *l, const struct link_job *job);

#endif /* GPU_LINK_H */
