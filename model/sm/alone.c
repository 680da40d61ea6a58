#include "sm/alone.h"

#include "mem/cbank.h"
#include "mem/l1.h"
#include "mem/smem.h"
#include "sm/access.h"
#include "sm/lsu.h"
#include "sm/meet.h"

/* The engine, and whoever wants to end a run, waits no longer for an SM. */
enum { MOST_AHEAD = 1000 };

/* ---- how far ---- */

/* Somebody hears of what the SM does, cycle by cycle. */
static bool is_observed(const struct sm *s)
{
    const struct sim *sim = s->scope.sim;

    return s->warps.exact || s->check != NULL || s->spin != NULL || *sim->telling ||
           s->scope.watched || s->scope.awaited || s->barriers.watched ||
           s->barriers.awaited || s->onchip.watched;
}

/* Nothing is in the SM's parts but answers of shared memory, and lines that the L1 has
 * asked for. */
static bool is_quiet(const struct sm *s)
{
    return lsu_is_idle(s->lsu) && smem_is_idle(s->smem) && s->from_lsu.held == 0 &&
           s->from_cbank.held == 0 && cbank_is_idle(s->cbank) && s->blocks.held == 0 &&
           (s->to_drain | s->drained) == 0 && s->to_arrive == 0 && s->n_bulk == 0;
}

bool sm_is_alone(const struct sm *s)
{
    return is_quiet(s) && sm_live_reqs(s) == s->from_smem.held;
}

sim_cycle_t alone_until(struct sm *s, sim_cycle_t here)
{
    const struct sm_shared *shared = s->shared;
    sim_cycle_t limit = here + MOST_AHEAD, end;
    sim_time_t border;

    if (shared->in_step || s->n_resident == 0 || !is_quiet(s) || is_observed(s) ||
        sim_pending(&s->wake) || shared->unreached_until == NULL) {
        return here;
    }
    end = shared->unreached_until(shared->reach_ctx, s->index);
    if (end <= here) {
        return here;
    }
    limit = end < limit ? end : limit;
    end = sim_run_end(s->clock);
    limit = end < limit ? end : limit;
    border = sim_border_next(s->scope.sim);
    if (border != SIM_TIME_MAX) {
        end = sim_cycle_of(s->clock, border) - 1;
        limit = end < limit ? end : limit;
    }
    if (sm_live_reqs(s) != s->from_smem.held) { /* answers may come, the turn's */
        end = l1_quiet_until(s->l1, here, shared->lead);
        limit = end < limit ? end : limit;
        end = sim_turn_end(s->clock);
        limit = end < limit ? end : limit;
    }
    return limit;
}

/* ---- what ---- */

bool alone_takes(const struct sm *s, sim_cycle_t now)
{
    const struct sim_txn *t = s->from_smem.head;

    for (; t != NULL && t->ready <= now; t = t->next) {
        const struct mem_req *r = (const struct mem_req *)(const void *)t;

        if (s->block[r->slot].n_live == 0 || /* it may end */
            r->uop->kind >= ISA_K_COPY ||    /* what waits for it is sent then */
            (s->warps.warp[r->warp].hold & HOLD_FORGET) != 0) {
            return false;
        }
    }
    return true;
}

bool alone_issues_other(struct sm *s, uint32_t i)
{
    const struct isa_uop *u = s->warps.warp[i].head;
    const struct warp *w = &s->warps.warp[i];
    const uint32_t mask = isa_guarded(u, &w->lanes, w->active);

    if (u->aside != 0 || w->replay != 0) {
        return false;
    }
    if (u->kind == ISA_K_BAR) {
        return mask == 0 || meet_is_sound(s, i, mask);
    }
    return (u->kind == ISA_K_LOAD || u->kind == ISA_K_STORE) &&
           u->form.space == ISA_SP_SHARED && alone_is_single(s, u) &&
           (mask == 0 || access_prepare_ahead(s, i, mask));
}
