/*
 * yield.h - instructions at which lanes of a warp wait for others or let them run, from
 * compute capability 7.0 on (SPEC SIMT-3, SIMT-4).
 */
#ifndef SM_YIELD_H
#define SM_YIELD_H

#include "sm/turn.h"

/* Warp i executes its next instruction, which reads what ends the loop around it, for
 * the lanes in mask. True: other lanes run before. */
bool yield_poll(struct sm *s, uint32_t i, uint32_t mask);

/* u, which computes nothing, has been executed: the warp goes on behind it, other lanes
 * first if u is nanosleep. */
void yield_next(struct sm *s, uint32_t i, const struct isa_uop *u);

/* May lanes in mask not execute u now? The common cases are told apart in line. */
bool yield_may_hold(const struct sm *s, const struct warp *w, const struct isa_uop *u,
                    uint32_t mask);

/* The next instruction of warp i has members. True: it is not executed now; the warp
 * has gone on elsewhere, or is at fault. */
bool yield_sync(struct sm *s, uint32_t i, uint32_t mask);

static inline bool yield_holds(struct sm *s, uint32_t i, const struct isa_uop *u,
                               uint32_t mask)
{
    const uint32_t members = u->aside & (ISA_ASIDE_ALL | ISA_ASIDE_MEMBERS);

    return members != 0 &&
           (members != ISA_ASIDE_ALL || mask != s->warps.warp[i].live) &&
           yield_sync(s, i, mask);
}

/* u reads what ends the loop around it, and other lanes run before. */
static inline bool yield_polls(struct sm *s, uint32_t i, const struct isa_uop *u,
                               uint32_t mask)
{
    return (u->aside & ISA_ASIDE_POLLS) != 0 && u->kind != ISA_K_NOP &&
           yield_poll(s, i, mask);
}

/* yield_holds() of the kinds of micro-ops that issue besides those that compute. */
static inline bool yield_holds_whole(struct sm *s, uint32_t i, const struct isa_uop *u,
                                     uint32_t mask)
{
    return (u->kind == ISA_K_LOAD_ROWS || u->kind == ISA_K_STORE_ROWS ||
            u->kind == ISA_K_GMMA) &&
           mask != 0 && yield_holds(s, i, u, mask);
}

#endif /* SM_YIELD_H */
