/*
 * dram_sched.h - a pseudo-channel: its queues, its refresh, and which command is next.
 *
 * Bursts wait bank by bank, reads and writes apart. The pseudo-channel either reads or
 * writes (SPEC DRAM-5). Of what it may do at a cycle it does the oldest column command
 * first; only if there is none, or if a burst has waited too long, an activate or a
 * precharge. A refresh that is due closes its banks (SPEC DRAM-7).
 */
#ifndef MEM_DRAM_SCHED_H
#define MEM_DRAM_SCHED_H

#include "mem/dram_bank.h"

struct dram_list { /* bursts of one bank and direction, oldest first */
    struct mem_burst *first, *last;
    struct mem_burst *hit; /* the oldest one in the open row, NULL: none */
};

struct dram_pch {
    const struct dram_config *cfg;
    struct sim_hook *commands; /* of dram_commands() */
    const struct sim_module *scope;
    uint8_t *column_used, *row_used; /* the cycle's slot of the command buses; the
                                        same one if there is one bus */
    struct dram_banks banks;
    struct dram_list *list[2]; /* reads, writes: one per bank */
    uint64_t waiting[2];       /* banks whose list is not empty */
    uint32_t n[2];             /* bursts waiting */
    uint64_t fresh;            /* banks whose row was opened and not used yet */
    uint32_t index;            /* of the pseudo-channel */
    uint32_t batch;            /* bursts that are left to a drain that others wait for,
                                  or to the reads after it */
    bool writing, full;        /* drains; because of the upper watermark */
    uint64_t due;              /* banks to be refreshed, closing */
    sim_cycle_t refresh_at;    /* the next refresh is due */
    uint32_t interval;         /* cycles between two; 0: never */
    uint32_t unit, unit_banks; /* first bank of the next one; how many it takes */
    sim_cycle_t turned_at, refreshed_at; /* the last time, for observers */
};

struct dram_issued {         /* what a decision did */
    struct mem_burst *burst; /* its data moves; NULL: another command */
    sim_cycle_t end;         /* of its data */
    uint32_t bank;
    int64_t row;
    bool column, opened; /* burst: its row had to be opened */
};

void dram_pch_init(struct dram_pch *p, struct sim *s, const struct dram_config *cfg,
                   uint32_t channel, uint32_t index);

/* The burst, placed, at its arrival. */
void dram_pch_add(struct dram_pch *p, struct mem_burst *t, sim_cycle_t now);

/* Give the command that is to be given now: true. Or none: false, and *next is lowered
 * to the cycle at which to ask again if no burst arrives. */
bool dram_pch_step(struct dram_pch *p, sim_cycle_t now, struct dram_issued *did,
                   sim_cycle_t *next);

#endif /* MEM_DRAM_SCHED_H */
