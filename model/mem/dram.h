/*
 * dram.h - the DRAM channel of a partition and its controller.
 *
 *   in  req   mem_burst   reads and writes, any order of addresses
 *   out rsp   mem_burst   reads, when their last byte is on the bus; writes end here
 *
 * A channel has one or more pseudo-channels, each with banks and a data bus of its own;
 * they share the command buses. Reads and writes wait apart. The controller opens rows
 * of some banks while the data of others moves, takes the oldest burst that is ready
 * (FR-FCFS) unless another has waited too long, writes in batches, and refreshes (SPEC
 * DRAM-1 to DRAM-7). Times and state only: the bytes are the L2 slice's.
 *
 * One command per bus and cycle; it sleeps while none can be given. All parameters are
 * cycles of the command clock, and those of JEDEC's standards unless said. What is said
 * of a channel's banks, rows and bursts is meant of each pseudo-channel.
 */
#ifndef MEM_DRAM_H
#define MEM_DRAM_H

#include "cfg/cfg.h"
#include "mem/mem.h"
#include "stat/counters.h"

enum { DRAM_MAX_PCHS = 8, DRAM_MAX_BANKS = 64 };

struct dram_config {
    uint64_t clock;              /* Hz, command clock */
    uint32_t channels;           /* one per memory partition */
    uint64_t size;               /* bytes of device memory, all channels */
    uint32_t pseudo_channels;    /* per channel, a power of 2 */
    uint32_t banks, groups, row; /* banks, groups that they are in; bytes of a row */
    uint32_t burst;              /* bytes of one burst */
    uint32_t burst_cycles;       /* cycles it occupies the data bus */
    uint32_t data_rate; /* transfers per pin and command cycle; tells the bus width */
    uint32_t command_buses; /* 1, or 2: rows and columns have one each, as in HBM */
    uint32_t queue;         /* reads waiting, of a channel */
    uint32_t writes;        /* writes waiting, of a pseudo-channel */
    uint32_t write_high, write_low; /* watermarks of a drain: low < high <= writes */
    uint32_t age;     /* cycles after which a burst is not passed any more */
    uint32_t latency; /* cycles added to a read: controller and pads */
    uint32_t ecc;     /* data bursts of a row per burst of check bits; 0: no ECC */
    uint32_t rcd, rp, ras, rc;
    uint32_t rrd, rrd_l; /* _l: inside a bank group; unused if there is one group */
    uint32_t faw;        /* four activates; 0: no such window */
    uint32_t cl, wl, wr, rtp, ccd, ccd_l, wtr, wtr_l;
    uint32_t turn;      /* data bus between a read and a write, either order */
    uint32_t refi, rfc; /* refi 0: no refresh */
    bool bank_refresh;  /* bank after bank, each banks times as often; else all */
};

extern const struct cfg_table dram_keys;

/* Bytes per second that the data buses of all channels can move. */
uint64_t dram_peak(const struct dram_config *cfg);

/* The least refi, other than 0, for which all banks are refreshed in time and in use
 * half of the time. */
uint32_t dram_least_refi(const struct dram_config *cfg);

struct dram;

/* channel: which of the cfg->channels, over which memory is dealt as parts says. */
struct dram *dram_new(struct sim_module *parent, struct sim_clock *clock,
                      const struct dram_config *cfg, const struct mem_parts *parts,
                      uint32_t channel, struct smw_counters *stats);
struct sim_in *dram_req(struct dram *d);
struct sim_out *dram_rsp(struct dram *d);

/* ---- for tests: every command, raised with its record ---- */

enum dram_kind {
    DRAM_ACTIVATE,
    DRAM_PRECHARGE,
    DRAM_PRECHARGE_ALL, /* of the banks from bank on that are refreshed at once */
    DRAM_READ,
    DRAM_WRITE,
    DRAM_REFRESH /* of the same banks */
};

struct dram_command {
    enum dram_kind kind;
    uint32_t pch, bank;
    int64_t row;    /* of activates and column commands */
    sim_cycle_t at; /* may lie in the past if idle */
    bool idle;      /* while the pseudo-channel slept: its slot on the command bus is
                       not looked at, for it does not matter when */
    bool data;      /* column commands: a burst's data; else check bits */
    uint32_t tag;   /* of the burst */
};

struct sim_hook *dram_commands(struct dram *d);

#endif /* MEM_DRAM_H */
