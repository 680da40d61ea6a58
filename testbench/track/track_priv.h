/* track_priv.h - what track.c collects and the writers of the three files read. */
#ifndef TRACK_TRACK_PRIV_H
#define TRACK_TRACK_PRIV_H

#include "comp/comp.h"
#include "mem/mem.h"
#include "sm/sm.h"
#include "sm/warp.h"
#include "track/track.h"

enum { TRACK_STATES = 16, TRACK_STATE_BITS = 4 };
#define TRACK_NONE  UINT32_MAX
#define TRACK_NEVER UINT64_MAX

struct track_inst {        /* a warp instruction */
    uint64_t begin;        /* its warp comes to it ... */
    uint64_t issue;        /* ... it issues, at last; NEVER: it has not */
    uint64_t at[MEM_N_AT]; /* of an access that was answered; 0: it was not there */
    uint64_t done;         /* its result can be used, or its last access is answered */
    uint32_t pc, lanes, block;
    uint32_t wavefronts, ideal, sectors; /* of an access */
    uint32_t waiting;                    /* answers still to come */
    uint32_t sm;
    uint8_t warp, space;
    bool planned; /* the rules have made these of it */
    /* for the chain of waits: */
    const struct isa_uop *uop;
    uint64_t
        seen[MEM_N_SEEN]; /* cycles of the line that came back last; 0: it was not */
    uint64_t free;        /* its warp was blocked until then; 0: it was not */
    uint32_t prev; /* the instruction before it of its warp; NONE: there is none ... */
    uint32_t from; /* ... the one whose result it had last; NONE: it needed none */
    uint8_t state; /* in which its warp was blocked last */
};

struct track_wait { /* a warp is in a state */
    uint64_t from, to;
    uint32_t inst;
    uint8_t state;
};

struct track_access { /* a unit of an SM serves a request */
    uint64_t from, to;
    uint32_t pc, block, sm;
    uint32_t wavefronts, ideal, sectors, requests;
    uint8_t op, space, warp;
};

struct track_sample { /* a counter has a value, an event happens */
    uint64_t cycle, value;
    const struct sim_probe *probe;
};

struct track_block {
    uint32_t launch, sm;
    uint64_t index, begin, end; /* NEVER: it has not ended */
    uint64_t slots;             /* of its warps */
    uint32_t first_warp;        /* warps of the blocks before */
    uint64_t insts, issues; /* cycles of its warps that issue, and in other states: */
    uint64_t state[TRACK_STATES];
    uint64_t wavefronts, ideal, requests, sectors;
};

struct track_warp {
    uint64_t since; /* it is in the state from then on */
    uint32_t block; /* NONE: there is none */
    uint32_t inst;  /* at which it stands; NONE: not recorded */
    uint32_t *open; /* of accesses under way, oldest first */
    uint32_t n_open, max_open;
    uint32_t pc; /* its next instruction */
    uint8_t state;
    uint32_t prev;                     /* of its instructions the last; NONE: none */
    uint32_t writer[64], writer_p[32]; /* of a bit of the scoreboard the last; NONE */
};

struct track_sm {
    struct sim_module *module;
    struct track_warp warp[SM_MAX_WARPS];
    uint32_t last[2]; /* accesses of shared memory and of the LSU; NONE: none */
};

enum track_kind {
    TRACK_OTHER,
    TRACK_WARP_STATE,
    TRACK_WARP_PC,
    TRACK_COUNTER,
    TRACK_EVENT
};

struct track_probe { /* what a probe is to the record; found by the probe's id */
    uint8_t kind;    /* enum track_kind */
    uint8_t warp;
    uint32_t sm;     /* 0: it is in none, else one more than the number */
    uint64_t window; /* of a RATE: that of the sample */
    uint64_t value;  /* grown in it */
};

/* A list that grows: n items of the type at `at`. */
#define TRACK_LIST(type)                                                               \
    struct {                                                                           \
        type *at;                                                                      \
        uint32_t n, max;                                                               \
    }

struct track {
    struct smw_device *device;
    struct track_plan plan;
    struct sim_clock *clock; /* of the SMs */
    uint32_t wave_cycles;    /* of shared memory per wavefront */
    uint32_t schedulers, issue_interval, barrier_latency; /* of an SM */
    const struct sim_probe_desc *state_desc;
    uint8_t idle; /* the state of a warp that does not live */
    struct track_sm *sm;
    uint32_t n_sms;
    struct track_probe *probe;
    uint32_t n_probes;
    uint64_t end; /* of the run, once it is known */
    uint64_t cut; /* nothing is recorded from then on; NEVER: all was */
    TRACK_LIST(struct track_inst) inst;
    TRACK_LIST(struct track_wait) wait;
    TRACK_LIST(struct track_access) access;
    TRACK_LIST(struct track_sample) sample;
    TRACK_LIST(struct track_block) block;
    struct sim_watcher watcher;
    struct sim_listener staged, planned, executed;
};

/* The state's name. */
static inline const char *track_state(const struct track *r, uint32_t state)
{
    return r->state_desc->names[state];
}

/* The cycle, but no later than the end of the run. */
static inline uint64_t track_until(const struct track *r, uint64_t cycle)
{
    return cycle > r->end ? r->end : cycle;
}

/* The number of the warp in its block. */
static inline uint32_t track_rank(const struct track_block *b, uint8_t warp)
{
    return (uint32_t)__builtin_popcountll(b->slots & ((1ull << warp) - 1));
}

static inline uint32_t track_warps(const struct track_block *b)
{
    return (uint32_t)__builtin_popcountll(b->slots);
}

/* Hear the device from now on. */
void track_listen(struct track *r);
/* After the run: nothing more will be heard. */
void track_finish(struct track *r);

/* The warp was in its state up to now. */
void track_settle(struct track *r, struct track_warp *w, uint64_t now);

/* Its text and source line, "ld.global.u32 %r5, [%rd4]" and "reverse.cu:9". */
struct track_text {
    struct smw_inst inst;
    char line[96];
};
void track_text(const struct track *r, uint32_t block, uint32_t pc,
                struct track_text *out);
/* In the banks of shared memory: the block's own, or that of another of its cluster. */
static inline bool track_is_shared(uint8_t space)
{
    return space == ISA_SP_SHARED || space == ISA_SP_CLUSTER;
}

/* "load", "shared" ... of an enum mem_op, of an enum isa_space. */
const char *track_op(uint8_t op);
const char *track_space(uint8_t space);

void track_pipeline(const struct track *r, struct text *out); /* konata.c */
void track_timeline(struct track *r, struct text *out);       /* timeline.c */
void track_blocks(const struct track *r, struct text *out);   /* blocks.c */

#endif /* TRACK_TRACK_PRIV_H */
