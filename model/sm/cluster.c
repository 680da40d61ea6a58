#include "sm/cluster.h"

#include "sm/access.h"
#include "sm/block.h"
#include "sm/fault.h"
#include "sm/mbar.h"
#include "sm/meet.h"
#include "sm/rank.h"
#include "sm/show.h"
#include "sm/turn.h"
#include "sm/watch.h"

#include <string.h>

/* ---- requests and answers ---- */

static void give_back(struct sm *s, struct mem_req *r)
{
    if (sim_out_ready(&s->to_net)) {
        sim_send(&s->to_net, r);
        return;
    }
    mem_reqs_append(&s->to_give_back, r);
    s->arrives_at = s->warps.now + 1;
}

static void give_back_more(struct sm *s)
{
    while (s->to_give_back.first != NULL && sim_out_ready(&s->to_net)) {
        sim_send(&s->to_net, mem_reqs_take(&s->to_give_back));
    }
    if (s->to_give_back.first != NULL) {
        s->arrives_at = s->warps.now + 1;
    }
}

/* Requests of other SMs go to the shared memory here. */
static void take_requests(struct sm *s)
{
    while (mem_has_arrived(&s->from_away, s->warps.now)) {
        struct mem_req *r = sim_peek(&s->from_away);
        const struct block *k = rank_find(s, r);

        if (k != NULL && !sim_out_ready(&s->to_serve)) {
            s->arrives_at = s->warps.now + 1;
            return;
        }
        (void)sim_take_head(&s->from_away, s->warps.now);
        if (k == NULL) {
            r->away.lost = true;
            give_back(s, r);
            continue;
        }
        r->base = k->base + s->shared->launch[r->launch].shared_base;
        sim_send(&s->to_serve, r);
    }
}

void cluster_served(struct sm *s, struct mem_req *r)
{
    struct block *k = rank_find(s, r);

    if (k != NULL && (r->uop->kind == ISA_K_MBAR || r->uop->kind == ISA_K_LATE)) {
        mbar_changed(s, k, r);
    }
    give_back(s, r);
}

static void answered(struct sm *s, struct mem_req *r)
{
    if (!r->away.lost) {
        access_done(s, r);
        return;
    }
    fault_away(s, r->warp, r);
    access_done(s, r);
}

void cluster_take(struct sm *s)
{
    give_back_more(s);
    take_requests(s);
    while (mem_has_arrived(&s->from_net, s->warps.now)) {
        answered(s, sim_take_head(&s->from_net, s->warps.now));
    }
    while (mem_has_arrived(&s->released, s->warps.now)) {
        struct mem_req *r = sim_take_head(&s->released, s->warps.now);
        struct block *k = &s->block[r->slot];

        sim_pool_give(r);
        k->outstanding--;
        k->cluster_sent = false;
        cluster_go_on(s, k);
    }
    for (uint32_t i = 0; i < 3; i++) {
        const struct sim_in *in = i == 0   ? &s->from_away
                                  : i == 1 ? &s->from_net
                                           : &s->released;

        if (in->head != NULL && in->head->ready > s->warps.now &&
            in->head->ready < s->arrives_at) {
            s->arrives_at = in->head->ready;
        }
    }
}

/* ---- the barrier ---- */

bool cluster_has_come(const struct sm *s, const struct block *k)
{
    uint32_t live = 0, away = 0;

    for (uint64_t m = k->warps; m != 0; m &= m - 1) {
        const struct warp *w = &s->warps.warp[attr_lowest_bit(m)];

        live |= w->live;
        away |= w->live & ~w->cluster_come;
    }
    return live != 0 && away == 0;
}

/* SPEC CLUSTER-4: those that wait go on, and the next phase begins. */
void cluster_go_on(struct sm *s, struct block *k)
{
    if (UNLIKELY(s->check != NULL)) {
        watch_cluster_over(s, (uint32_t)(k - s->block));
    }
    for (uint64_t m = k->warps; m != 0; m &= m - 1) {
        const uint32_t i = attr_lowest_bit(m);
        struct warp *w = &s->warps.warp[i];

        w->cluster_come = 0;
        if ((w->hold & HOLD_CLUSTER) != 0) {
            w->hold &= ~(uint32_t)HOLD_CLUSTER;
            if (UNLIKELY(s->check != NULL)) {
                watch_cluster_leave(s, i);
            }
            if (s->untimed == NULL) {
                warp_look(s, w, i);
            }
        }
    }
    if (s->untimed == NULL) {
        l1_invalidate(s->l1);
        sim_probe_fire(&s->p_release);
    }
}

/* The block tells the others: its threads have come, or none is left. */
static void tell(struct sm *s, uint32_t slot, bool gone)
{
    const struct block *k = &s->block[slot];
    const struct sm_launch *l = &s->shared->launch[k->txn->launch];
    struct isa_cluster c;
    struct mem_req *r = block_drain(s, slot, ISA_SP_CLUSTER);

    rank_describe(l, k->txn, &c);
    r->mask = c.size;
    r->vec = gone;
    r->block = isa_cluster_number(&c);
    r->away.from = (uint8_t)s->index;
    sim_send(&s->to_meet, r);
}

static void tell_if_come(struct sm *s, uint32_t slot)
{
    struct block *k = &s->block[slot];

    if (s->untimed != NULL || k->cluster_sent || !cluster_has_come(s, k)) {
        return;
    }
    if (s->shared->launch[k->txn->launch].cluster[0] == 0) { /* the device has none */
        cluster_go_on(s, k);
        return;
    }
    k->cluster_sent = true;
    k->outstanding++;
    tell(s, slot, false);
}

/* What comes before an arrival that is a release: the answers to the accesses of the
 * warp, then the time that a fence takes. Else it is held. */
static bool has_released(struct sm *s, uint32_t i)
{
    struct warp *w = &s->warps.warp[i];

    if (w->outstanding != 0) {
        w->hold |= HOLD_FENCE;
        return false;
    }
    if (!w->cluster_fenced && s->cfg.net.release != 0) {
        w->cluster_fenced = true;
        w->hold |= HOLD_CONTROL;
        ring_add(&s->warps, s->cfg.net.release, i, 0, 0, HOLD_CONTROL);
        return false;
    }
    w->cluster_fenced = false;
    return true;
}

bool cluster_meet(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;
    struct block *k = &s->block[w->slot];

    if (u->form.sub == ISA_S_WAIT) {
        /* The phase cannot end before all lanes have arrived: they wait together. */
        if (UNLIKELY(mask != w->live) && turn_is_free(s) && turn_wait(s, i, mask)) {
            meet_fetch(s, i);
            return false;
        }
        if ((w->cluster_come & mask) != 0) {
            w->hold |= HOLD_CLUSTER;
            w->barrier_uop = u;
            return true;
        }
        if (UNLIKELY(s->check != NULL)) {
            watch_cluster_leave(s, i);
        }
        if (s->untimed == NULL) {
            l1_invalidate(s->l1); /* as a fence: SPEC L1-5 */
        }
        return true;
    }
    if (u->imm != 0 && s->untimed == NULL && !has_released(s, i)) {
        w->replay = mask;
        return false;
    }
    if (UNLIKELY(s->check != NULL)) {
        watch_cluster_come(s, i);
    }
    k->in_cluster = true;
    w->cluster_come |= mask;
    w->stats->barriers++;
    tell_if_come(s, w->slot);
    return true;
}

void cluster_exit(struct sm *s, uint32_t slot)
{
    const struct block *k = &s->block[slot];
    const struct sm_launch *l = &s->shared->launch[k->txn->launch];
    uint32_t live = 0;

    for (uint64_t m = k->warps; m != 0; m &= m - 1) {
        live |= s->warps.warp[attr_lowest_bit(m)].live;
    }
    if (live != 0) {
        tell_if_come(s, slot);
    } else if (s->untimed == NULL &&
               l->cluster[0] * l->cluster[1] * l->cluster[2] > 1) {
        tell(s, slot, true);
    }
}
