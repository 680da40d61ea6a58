/*
 * lsu_priv.h - the parts of a load/store unit, for the files that implement it: lsu.c
 * moves requests and lines, lsu_plan.c finds the lines of a request.
 */
#ifndef SM_LSU_PRIV_H
#define SM_LSU_PRIV_H

#include "mem/rules_ideal.h"
#include "sm/lsu.h"
#include "sm/lsu_data.h"
#include "sm/untimed_data.h"

enum { MAX_PIECES = 4 * 2 }; /* of a local access: 32-bit words of a lane */

struct lsu { /* what every request needs comes first */
    struct sim_module scope;
    sim_cycle_t slot_at;
    sim_cycle_t stepped_at;  /* the last step, for observers */
    bool by_lines;           /* the request started last is one of lines */
    uint8_t warp;            /* of it */
    uint32_t mask;           /* its lanes */
    struct mem_req *sending; /* owned by its entry; lines are still to be sent */
    struct mem_reqs done;    /* complete, waiting for the way to the SM */
    struct mem_reqs texels;  /* they have all, and are being filtered */
    struct mem_reqs landed;  /* copies here, waiting for the crossbar */
    uint32_t n_copies;       /* under way, and landed */
    struct mem_req **entry;  /* requests under way; NULL: free */
    uint16_t *free_entry;    /* a stack of indices */
    uint32_t n_free;
    uint16_t sending_entry;
    uint8_t piece, n_pieces; /* to be sent next; of them all */
    uint32_t next_line;      /* of the piece */
    uint32_t together;       /* lines of it that go at once */
    sim_cycle_t data_until;  /* its data is read until then */
    uint32_t lanes_cy;       /* cycles for the addresses of a request */
    bool in_order;           /* all goes to the crossbar in the order of req: neither
                                copies nor other SMs come between */
    struct lsu_config cfg;   /* immutable */
    struct lsu_env env;
    struct sim_in req, line;
    struct sim_out l1, rsp, smem, cbank;
    struct sim_in bulk;  /* of bulk copies */
    struct sim_in *turn; /* whose request was started last: req or bulk */
    struct sim_in serve; /* of other SMs, and the way to them */
    struct sim_out away;
    struct sim_event slot, filtered;
    struct sim_pool lines, atoms;
    struct sim_process step;
    struct untimed_pages pages;          /* of env.early */
    struct rules_lines plan[MAX_PIECES]; /* global: one piece, the whole access */
    struct sim_probe p_level, p_entries, p_warp, p_lines, p_lanes;
};

/* SPEC IDEAL-2: a device that spares some access the cost moves bytes of global loads
 * and stores when they begin. */
static inline bool lsu_is_early(const struct lsu *l, const struct mem_req *r)
{
    return UNLIKELY(l->env.early != NULL) && r->space == ISA_SP_GLOBAL &&
           r->op <= MEM_STORE;
}

/* Is r a load or store that a configuration spares the cost? */
static inline bool lsu_is_spared(const struct lsu *l, const struct mem_req *r,
                                 enum ideal_cost cost)
{
    return l->env.early != NULL && r->uop != NULL && (r->uop->ideal & cost) != 0 &&
           (r->op == MEM_LOAD || r->op == MEM_STORE);
}

/* The lines of a request become l->plan and l->n_pieces, and are counted: of local
 * memory, of global memory, of a texture (then: cycles that the texture unit takes). */
void lsu_plan_local(struct lsu *l, const struct mem_req *r);
void lsu_plan_global(struct lsu *l, const struct mem_req *r);
uint32_t lsu_plan_texture(struct lsu *l, const struct mem_req *r);
/* Lines of all pieces. */
uint32_t lsu_planned_lines(const struct lsu *l);

#endif /* SM_LSU_PRIV_H */
