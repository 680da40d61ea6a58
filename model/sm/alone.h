/*
 * alone.h - an SM runs ahead of the engine while nothing can reach it.
 *
 * The step of an SM goes on from cycle to cycle by itself, and the engine, which stays
 * behind, hears of it again at the first of these cycles: one at which something that
 * is under way may arrive, the end of the run, one with an instruction in
 * which somebody else has a part, and MOST_AHEAD cycles from where the engine is. So
 * nothing is ever rolled back, and everything happens in its order, cycle and count.
 *
 * Who else has a part: whoever is behind the LSU, but for shared memory, which knows
 * when it takes a request and serves it at once (sim_open()); the dispatcher, when a
 * block ends; who hears of a fault, of printf, or observes the SM.
 *
 * Only with a block, which keeps its launch from ending: what the host does then comes
 * to an SM that is where the engine is.
 *
 * Other SMs may be ahead when one is at fault, and have done some cycles more by then.
 * With sm_shared.in_step no SM runs ahead.
 */
#ifndef SM_ALONE_H
#define SM_ALONE_H

#include "sm/sm_priv.h"

/* The last cycle that the SM may do by itself, after its step in cycle here, which is
 * that of the engine; here: none. */
sim_cycle_t alone_until(struct sm *s, sim_cycle_t here);

/* Ahead of the engine: have none but this SM a part in what arrives in cycle now? And
 * in what warp i issues now? */
bool alone_takes(const struct sm *s, sim_cycle_t now);
bool alone_issues_other(struct sm *s, uint32_t i);

/* It computes, or leads elsewhere in its warp. */
static inline bool alone_is_plain(const struct isa_uop *u)
{
    return u->aside == 0 && (u->kind == ISA_K_ALU || u->kind == ISA_K_SEQ ||
                             u->kind == ISA_K_BRANCH || u->kind == ISA_K_NOP);
}

/* No other goes with u, or one that is plain. */
static inline bool alone_is_single(const struct sm *s, const struct isa_uop *u)
{
    return s->issue_width == 1 || u->kind == ISA_K_BRANCH || alone_is_plain(u + 1);
}

static inline bool alone_issues(struct sm *s, uint32_t i)
{
    const struct isa_uop *u = s->warps.warp[i].head;

    return LIKELY(alone_is_plain(u)) ? alone_is_single(s, u) : alone_issues_other(s, i);
}

#endif /* SM_ALONE_H */
