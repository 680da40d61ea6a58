/*
 * dram_bank.h - what the banks of a pseudo-channel may do, and from when on.
 *
 * A controller asks for the earliest cycle of a command, and says when it has given
 * one. Each answer obeys every distance of the standard (SPEC DRAM-4): between commands
 * of a bank, of a bank group, of all banks, and on the data bus. All times are cycles
 * of the command clock. Nothing here chooses, queues or waits.
 */
#ifndef MEM_DRAM_BANK_H
#define MEM_DRAM_BANK_H

#include "mem/dram.h"

enum { DRAM_NO_ROW = -1, DRAM_WINDOW = 4 };

struct dram_bank {
    int64_t row;        /* open row, DRAM_NO_ROW: none */
    sim_cycle_t act_at; /* an activate or a refresh is allowed from, if it is closed */
    sim_cycle_t pre_at; /* a precharge, if a row is open */
    sim_cycle_t col_at; /* a column command, if a row is open */
    uint32_t group;     /* its bank group */
    int64_t
        checked_row[2];  /* reads, writes: the row last read or written, and its ... */
    uint64_t checked[2]; /* ... groups whose check burst is at hand (SPEC DRAM-6) */
};

struct dram_group {
    sim_cycle_t act_at;
    sim_cycle_t col_at[2]; /* read, write */
};

struct dram_banks {
    const struct dram_config *cfg;
    struct dram_bank *bank;   /* cfg->banks of them */
    struct dram_group *group; /* cfg->groups of them */
    sim_cycle_t act_at;       /* an activate of any bank */
    sim_cycle_t
        closed_at; /* the last of bank[].act_at, and of act_at after a refresh */
    uint64_t open; /* banks with an open row */
    uint32_t n_open;
    sim_cycle_t col_at[2]; /* a read, a write of any bank */
    sim_cycle_t acts[DRAM_WINDOW];
    uint64_t n_acts;
    sim_cycle_t *data; /* when the data of the last bursts begins, a ring of ... */
    uint32_t n_data;   /* as many as can be on their way, a power of 2 */
    uint64_t n_bursts; /* that ever had a column command */
    bool wrote;        /* the last column command was a write */
};

/* cfg outlives b. All banks closed, everything allowed. */
void dram_banks_init(struct dram_banks *b, struct sim *s,
                     const struct dram_config *cfg);

static inline sim_cycle_t dram_later(sim_cycle_t a, sim_cycle_t b)
{
    return a > b ? a : b;
}

/* Earliest cycle of an activate of the closed bank k. */
static inline sim_cycle_t dram_act_at(const struct dram_banks *b,
                                      const struct dram_bank *k)
{
    sim_cycle_t at = dram_later(k->act_at, b->act_at);

    at = dram_later(at, b->group[k->group].act_at);
    if (b->n_acts >= DRAM_WINDOW) {
        at = dram_later(at, b->acts[b->n_acts % DRAM_WINDOW] + b->cfg->faw);
    }
    return at;
}

/* Earliest cycle of a column command in the open row of bank k. */
static inline sim_cycle_t dram_col_at(const struct dram_banks *b,
                                      const struct dram_bank *k, bool write)
{
    sim_cycle_t at = dram_later(k->col_at, b->col_at[write]);

    return dram_later(at, b->group[k->group].col_at[write]);
}

/* The command is given at cycle now, which is not before the earliest one. */
void dram_activate(struct dram_banks *b, struct dram_bank *k, int64_t row,
                   sim_cycle_t now);
void dram_precharge(struct dram_banks *b, struct dram_bank *k, sim_cycle_t now);
/* Returns the cycle at which its last data has been on the bus. */
sim_cycle_t dram_column(struct dram_banks *b, struct dram_bank *k, bool write,
                        sim_cycle_t now);
/* Does data move on the bus in cycle now? From *change on it is otherwise;
 * SIM_CYCLE_NONE: not as far as is known. */
bool dram_bus_moves(const struct dram_banks *b, sim_cycle_t now, sim_cycle_t *change);
/* A refresh of banks first to first + n - 1, all closed, which are one or all: earliest
 * cycle; and given. */
sim_cycle_t dram_refresh_at(const struct dram_banks *b, uint32_t first, uint32_t n);
void dram_refresh(struct dram_banks *b, uint32_t first, uint32_t n, sim_cycle_t now);

#endif /* MEM_DRAM_BANK_H */
