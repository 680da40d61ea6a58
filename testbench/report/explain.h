/*
 * explain.h - "smwave run --explain N": what each memory instruction cost, by PTX line
 * and source line, and the N worst accesses with their lanes.
 *
 * It listens to the model: of every request, the crossbar, the LSU and the constant
 * cache raise what the rules made of it (struct mem_planned). Sums do not depend on the
 * order in which that is heard, and the worst accesses are in a total order, so that
 * the report is the same whatever the order of the model's processes.
 *
 * Sums over the instructions of a launch equal its counters: executions the insts,
 * wavefronts the wavefronts, sectors the sectors, distinct addresses const.ld.requests.
 */
#ifndef REPORT_EXPLAIN_H
#define REPORT_EXPLAIN_H

#include "io/file.h"
#include "mem/rules.h"
#include "sm/stall.h"
#include "smwave.h"

enum {
    EXPLAIN_MAX_DEGREE = RULES_MAX_WAVES, /* of the histogram; higher ones count
                                             there */
    EXPLAIN_MAX_WORST = 10000
};

enum explain_space {
    EXPLAIN_SHARED,
    EXPLAIN_GLOBAL,
    EXPLAIN_LOCAL,
    EXPLAIN_CONST,
    EXPLAIN_SPACES
};

struct explain_case { /* one execution */
    uint32_t excess;  /* shared: wavefronts beyond the ideal; global: sectors */
    struct mem_planned p;
};

struct explain_row { /* an instruction in one space */
    uint32_t pc;
    uint8_t space; /* enum explain_space */
    uint8_t op;    /* enum mem_op */
    uint8_t bytes; /* per lane */
    uint64_t executions, requests;
    uint64_t wavefronts, ideal;              /* shared */
    uint64_t sectors, ideal_sectors, lines;  /* global, local */
    uint64_t degree[EXPLAIN_MAX_DEGREE + 1]; /* shared: executions by degree */
    uint32_t worst;                          /* shared: the largest degree */
    struct explain_case *sample;             /* the worst execution; NULL: none is more
                                                than the least */
    struct explain_row *next;                /* the same instruction in another space */
};

struct explain_worst {
    struct explain_case *at; /* worst first */
    uint32_t n;
};

struct explain_launch {
    struct explain_row **row; /* by pc; NULL: not executed */
    uint32_t *order;          /* pcs, as the text has their instructions */
    uint32_t n_rows;
    struct explain_worst worst[EXPLAIN_SPACES]; /* SHARED and GLOBAL only */
};

struct explain {
    struct smw_device *device;
    uint32_t max_worst;            /* per launch and space */
    struct explain_launch *launch; /* in the order of the launches */
    uint32_t n_launches;
    struct sim_listener listener;
};

/* Listen to the device, before its first step. */
struct explain *explain_open(struct smw_device *d, uint32_t max_worst);
void explain_close(struct explain *x); /* NULL: nothing */

/* What launch i did; empty if it accessed no memory. */
const struct explain_launch *explain_of(const struct explain *x, uint32_t i);

/* Walk the rows of a launch in the order of the text, whatever the order in which
 * instructions run; *at starts at 0. NULL: no more. */
const struct explain_row *explain_next(const struct explain_launch *l, uint32_t space,
                                       uint32_t *at);

/* One lane of a shared access: the banks that it wants, and the wavefronts that serve
 * it. */
struct explain_lane {
    uint32_t first_bank, last_bank; /* of its words, in order */
    uint32_t first_pass, last_pass; /* from 1 on */
};
void explain_lanes(const struct explain *x, const struct mem_planned *p,
                   struct explain_lane lane[ISA_LANES]);

/* A micro-op, and what warps waited for before it could issue, in warp-cycles. */
struct explain_place {
    uint32_t pc;
    uint64_t waited;        /* in all */
    const struct stalls *s; /* by reason */
};
/* The places of a launch that has finished, up to max of them, where warps waited
 * longest, most first; how many. */
uint32_t explain_most_waited(const struct explain *x, uint32_t launch,
                             struct explain_place *best, uint32_t max);
/* All but the cycles in which it issued. */
uint64_t explain_waited(const struct stalls *s);
/* "long_scoreboard": as in the counter stall.long_scoreboard. */
const char *explain_stall_name(uint32_t why);

/* The report as text for a terminal of 100 columns. module_path: where the PTX came
 * from; sources named in it are looked for beside it. */
struct advice;
void explain_text(const struct explain *x, const struct advice *a,
                  const char *module_path, bool color, struct text *out);

/* The rules of advice as JSON: of explain.json, and what "stats rules" prints. */
struct json_t *explain_rules(void);

/* explain.json. */
void explain_json(const struct explain *x, const struct advice *a, struct text *out);

/* "load", "store", "atomic"; "shared", "global" ... */
const char *explain_op(uint32_t op);
const char *explain_space_name(uint32_t space);

#endif /* REPORT_EXPLAIN_H */
