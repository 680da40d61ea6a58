/* profile_priv.h - what profile.c collects and profile_json.c writes. */
#ifndef REPORT_PROFILE_PRIV_H
#define REPORT_PROFILE_PRIV_H

#include "ask/bankmap.h"
#include "report/profile.h"

enum { PROFILE_WARP_CLASSES = 4 };

struct profile_sm {
    struct sim_module *module;
    uint32_t warps[PROFILE_WARP_CLASSES]; /* how many are in each class now; the classes
                                             are in the order of the WARP series */
    sim_cycle_t since;                    /* cycles before this one are in row
                                             already */
    sim_cycle_t issuing_until;
    bool ever;                       /* a warp has lived on it */
    uint64_t (*row)[PROFILE_SERIES]; /* [window][series] */
};

struct profile_banks {             /* of a launch, or of a window */
    uint64_t accesses[BANKS_MAX];  /* passes in which the bank works */
    uint64_t conflicts[BANKS_MAX]; /* of those: beyond the first of their group */
};

struct profile_launch {
    struct profile_banks banks;
    uint8_t *needs; /* by pc: a memory instruction was executed there */
    uint32_t n_needs;
};

enum profile_kind { PROFILE_HEARS_ISSUE, PROFILE_HEARS_STATE, PROFILE_HEARS_INSTS };

struct profile_probe { /* what a probe is to the profile; found by the probe's id */
    uint8_t kind;      /* enum profile_kind */
    uint16_t sm;       /* its SM, from 1; 0: the profile does not want this probe */
};

struct profile {
    struct smw_device *device;
    struct sim_clock *clock;    /* of the SMs */
    struct bankmap_setup setup; /* the rules, for planned accesses */
    uint32_t issue_interval;    /* cycles that an issue takes */
    uint32_t schedulers;        /* of an SM */
    uint32_t shift;             /* a window is 1 << shift cycles */
    struct profile_sm *sm;
    uint32_t n_sms;
    struct profile_probe *probe;
    uint32_t n_probes;
    struct profile_banks *window; /* PROFILE_WINDOWS, over all launches and SMs */
    struct profile_launch *launch;
    uint32_t n_launches;
    sim_cycle_t end; /* of the run, once it is known */
    struct sim_watcher watcher;
    struct sim_listener listener;
};

/* The run is over: put its last cycles into the rows. */
void profile_finish(struct profile *p);

#endif /* REPORT_PROFILE_PRIV_H */
