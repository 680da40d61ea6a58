/*
 * smem_priv.h - the state of shared memory. Two files share it: smem.c has what shared
 * memory does, smem_show.c what its probes show of that.
 */
#ifndef MEM_SMEM_PRIV_H
#define MEM_SMEM_PRIV_H

#include "mem/smem.h"
#include "mem/smem_notes.h"

enum { SMEM_MAX_FEEDERS = 4 };

/* Who observes: the probes of xbar are watched, those of banks are, some will be later
 * in the run. */
enum { XBAR = 1, BANKS = 2, LATER = 4 };

struct bank { /* one row of the bank array: a scope of probes */
    struct smem *smem;
    struct sim_module scope;
    struct sim_probe busy, op, row, warp;
};

struct smem { /* first what every request needs, in the order in which it needs it */
    struct sim_module scope, xbar, array;

    /* crossbar */
    sim_cycle_t slot_at;   /* the next wavefront may go from this cycle on */
    struct mem_req *split; /* being sent, pass by pass; its last pass takes it along */
    struct mem_req *aside,
        *aside_last;        /* locked atomics between rounds, oldest first */
    uint32_t pass;          /* of split, to be sent next */
    uint32_t n_stores;      /* so far; the random winner is drawn with it */
    uint8_t order;          /* in which lanes of a store write: see mem_wave */
    bool backwards;         /* the passes of this store are sent last to first */
    struct smem_config cfg; /* immutable */
    struct smem_env env;
    struct sim_in req;
    struct sim_out wave;
    struct sim_event slot; /* at slot_at */
    struct sim_pool waves;

    /* banks */
    struct sim_in served;
    struct sim_out rsp;
    sim_cycle_t
        rsp_at;     /* when the latest answer arrives: no later one may come before */
    uint32_t *word; /* the array, row after row: bank = index % banks */
    uint32_t n_words;
    bool watched, changed; /* smem_watch() */
    bool looked;           /* observers holds; false: ask anew */
    uint8_t observers;     /* XBAR, BANKS, LATER */
    struct bank *bank;
    struct sim_event idle; /* for probes: the banks have nothing more to do */

    struct sim_process step, serve;
    struct rules_waves plan;
    sim_cycle_t feed_at[SMEM_MAX_FEEDERS]; /* from when each scheduler's link is free */
    struct bank_set crowded; /* banks in which split is in conflict; only if watched */
    uint64_t n_conflicts;    /* wavefronts in conflict, sent while watched */
    struct sim_probe left, degree, lanes, warp, wavefront, conflict, conflicts;

    /* for observers that come later in the run: see smem_notes.h */
    bool settled; /* crowded holds for what is under way, in the banks too */
    uint32_t sent_left, sent_lanes, begun_warp;
    struct smem_notes notes;
};

/* Modules of crossbar, array and banks, and all probes; s->scope and s->cfg are
 * there. */
void smem_show_init(struct smem *s);

/* Ask anew who observes, and set s->observers. */
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

/* Called while there are observers: the pass w goes to the banks; w is served. */
void smem_show_wave(struct smem *s, struct mem_wave *w);
void smem_show_served(struct smem *s, const struct mem_req *r,
                      const struct mem_wave *w);
/* What the crossbar shows, of a struct smem; what all banks do. */
void smem_show_xbar(void *ctx);
void smem_show_banks(struct smem *s);

#endif /* MEM_SMEM_PRIV_H */
