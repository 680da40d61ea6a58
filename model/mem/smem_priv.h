/*
 * smem_priv.h - the state of shared memory, for its two halves: smem.c, what it does, and
 * smem_show.c, what probes show of it.
 */
#ifndef MEM_SMEM_PRIV_H
#define MEM_SMEM_PRIV_H

#include "mem/smem.h"
#include "mem/smem_notes.h"

enum { SMEM_MAX_FEEDERS = 4 };

/* Who observes, or will. */
enum { XBAR = 1, BANKS = 2, LATER = 4 };

struct bank { /* one row of the bank array: a scope of probes */
    struct smem *smem;
    struct sim_module scope;
    struct sim_probe busy, op, row, warp;
};

struct smem { /* what every request needs comes first, in order of its way */
    struct sim_module scope, xbar, array;

    /* crossbar */
    sim_cycle_t slot_at;
    struct mem_req *split; /* being sent pass by pass; owned by the last pass */
    struct mem_req *aside,
        *aside_last; /* locked atomics between rounds, oldest first */
    uint32_t pass;
    uint32_t n_stores;      /* planned so far, for the random winner */
    uint8_t order;          /* of the lanes that store, see mem_wave */
    bool backwards;         /* passes of the store are sent last to first */
    struct smem_config cfg; /* immutable */
    struct smem_env env;
    struct sim_in req;
    struct sim_out wave;
    struct sim_event slot; /* the next wavefront may go */
    struct sim_pool waves;

    /* banks */
    struct sim_in served;
    struct sim_out rsp;
    sim_cycle_t rsp_at; /* no answer leaves the link before the last one */
    uint32_t *word;     /* the array, row after row: bank = index % banks */
    uint32_t n_words;
    bool looked;       /* observers are known: they are asked when they change */
    uint8_t observers; /* XBAR, BANKS, LATER */
    struct bank *bank;
    struct sim_event idle; /* the banks fall idle, for probes */

    struct sim_process step, serve;
    struct rules_waves plan;
    sim_cycle_t feed_at[SMEM_MAX_FEEDERS]; /* the link is free */
    uint32_t crowded; /* banks in which the split request is in conflict, if watched */
    uint64_t n_conflicts; /* sent while watched */
    struct sim_probe left, degree, lanes, warp, wavefront, conflict, conflicts;

    /* for observers that come later: see smem_notes.h */
    bool settled; /* crowded is right everywhere */
    uint32_t sent_left, sent_lanes, begun_warp;
    struct smem_notes notes;
};

/* Modules of crossbar, array and banks, and all probes; s->scope and s->cfg are there. */
void smem_show_init(struct smem *s);

/* Ask anew who observes. */
void smem_look(struct smem *s);

static inline uint32_t smem_observers(struct smem *s)
{
    if (!SIM_PROBES) {
        return 0;
    }
    if (UNLIKELY(!s->looked)) {
        smem_look(s);
    }
    return s->observers;
}

/* While there are observers: the pass w goes to the banks; it is served. */
void smem_show_wave(struct smem *s, struct mem_wave *w);
void smem_show_served(struct smem *s, const struct mem_req *r,
                      const struct mem_wave *w);
/* What the crossbar shows, of a struct smem; what all banks do. */
void smem_show_xbar(void *ctx);
void smem_show_banks(struct smem *s);

#endif /* MEM_SMEM_PRIV_H */
