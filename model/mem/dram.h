/*
 * dram.h - one DRAM channel: banks, rows, the data bus, first-ready first-come.
 *
 *   in  req   mem_burst   reads and writes, any order of addresses
 *   out rsp   mem_burst   reads, when their last byte is on the bus; writes end here
 *
 * At most one burst is scheduled per command slot: the oldest one whose row is open and
 * whose bank can take a column command (SPEC DRAM-2), else the oldest. Its activate,
 * precharge and column times follow the JEDEC parameters below; the data bus serves one
 * burst at a time. Times and state only: the bytes are the L2 slice's.
 * All parameters are cycles of the command clock. No refresh (DEVIATIONS).
 */
#ifndef MEM_DRAM_H
#define MEM_DRAM_H

#include "cfg/cfg.h"
#include "mem/mem.h"
#include "stat/counters.h"

struct dram_config {
    uint64_t clock;        /* Hz, command clock */
    uint32_t channels;     /* one per memory partition */
    uint64_t size;         /* bytes of device memory, all channels */
    uint32_t banks, row;   /* per channel; bytes of a row */
    uint32_t burst;        /* bytes of one burst */
    uint32_t burst_cycles; /* command cycles a burst occupies the bus */
    uint32_t data_rate; /* transfers per pin and command cycle; tells the bus width */
    uint32_t queue;     /* bursts waiting to be scheduled */
    uint32_t latency;   /* cycles added to a read: controller and pads */
    uint32_t rcd, rp, ras, rc, rrd, cl, wl, wr, ccd, wtr;
};

extern const struct cfg_table dram_keys;

struct dram;

struct dram *dram_new(struct sim_module *parent, struct sim_clock *clock,
                      const struct dram_config *cfg, struct smw_counters *stats);
struct sim_in *dram_req(struct dram *d);
struct sim_out *dram_rsp(struct dram *d);

#endif /* MEM_DRAM_H */
