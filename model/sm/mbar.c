#include "sm/mbar.h"

#include "sm/access.h"
#include "sm/fault.h"
#include "sm/show.h"
#include "sm/watch.h"

#include <string.h>

/* cp.async.mbarrier.arrive without .noinc, before the arrival itself. */
static const struct isa_uop one_more = {
    .kind = ISA_K_LATE,
    .class = ISA_CL_MEM,
    .size = 8,
    .dst_bits = 64,
    .guard = ISA_P_TRUE,
    .dst = {ISA_NO_REF, ISA_NO_REF, ISA_NO_REF, ISA_NO_REF},
    .dst2 = ISA_NO_REF,
    .form = {.op = ISA_OP_MBARRIER, .sub = ISA_S_COUNT, .type = ISA_T_B64, .vec = 1},
};

/* SPEC CLUSTER-3: of other blocks an mbarrier is arrived at, and told of bytes. */
static bool may_be_away(const struct isa_uop *u, const struct mem_req *r)
{
    return r->space == ISA_SP_CLUSTER && u->dst[0] == ISA_NO_REF &&
           (u->form.sub == ISA_S_ARRIVE || u->form.sub == ISA_S_DROP ||
            u->form.sub == ISA_S_EXPECT_TX || u->form.sub == ISA_S_COMPLETE_TX);
}

bool mbar_prepare(struct sm *s, uint32_t i, uint32_t mask, struct mem_req *r)
{
    struct warp *w = &s->warps.warp[i];
    uint32_t rest;
    enum access_way way = access_prepare(s, i, mask, r, &rest);

    if (way == ACCESS_FAULT) {
        return false;
    }
    if (way == ACCESS_SERVED ||
        (r->space != ISA_SP_SHARED && !may_be_away(w->head, r)) || rest != 0) {
        uint32_t lane = attr_lowest_bit(rest == 0 ? r->mask : rest);

        fault_invalid(s, i, r, lane, "an mbarrier lies in shared memory");
        return false;
    }
    memcpy(r->d[2], warp_operand(&w->lanes, w->head->src[1]), sizeof(r->d[2]));
    return true;
}

/* ---- sleep ---- */

static void write_predicate(struct warp *w, uint32_t frame, const struct isa_uop *u,
                            uint32_t mask, uint32_t value)
{
    if (u->dst2 != ISA_NO_REF) {
        uint32_t *p = &w->pred[frame + (uint32_t)u->dst2];

        *p = (*p & ~mask) | (value & mask);
    }
}

uint32_t mbar_answer(struct sm *s, const struct mem_req *r)
{
    uint32_t over = 0;

    for (uint32_t m = r->mask; m != 0; m &= m - 1) {
        uint32_t lane = attr_lowest_bit(m);

        over |= (r->d[3][lane] & 1u) << lane;
    }
    write_predicate(&s->warps.warp[r->warp], r->frame_pred, r->uop, r->mask, over);
    return r->mask & ~over;
}

/* The lanes sleep until an arrival ends their phases, or the limit is over: then the
 * predicate, which is false now, may be read. */
static void fall_asleep(struct sm *s, uint32_t i, uint32_t lanes,
                        const struct mem_req *r)
{
    struct warp *w = &s->warps.warp[i];
    struct async *a = w->async;

    a->asleep = lanes;
    a->asleep_uop = r->uop;
    a->asleep_pred = r->frame_pred;
    for (uint32_t m = lanes; m != 0; m &= m - 1) {
        uint32_t lane = attr_lowest_bit(m);

        a->asleep_at[lane] = (uint32_t)(r->base + r->addr[lane]) / 4;
        a->asleep_parity[lane] = r->d[2][lane];
        a->asleep_state[lane] = r->d[0][lane] | (uint64_t)r->d[1][lane] << 32;
    }
    w->pend_p |= r->uop->sets_p;
    a->asleep_until = s->warps.now + s->cfg.sm.try_wait; /* SPEC ASYNC-5 */
    ring_add(&s->warps, s->cfg.sm.try_wait, i, 0, r->uop->sets_p, DUE_SHORT);
    warp_look(s, w, i);
}

/* Lanes asleep whose phase is over now. */
static uint32_t awake_lanes(struct sm *s, const struct async *a)
{
    const uint32_t *word = smem_words(s->smem);
    uint32_t awake = 0;

    for (uint32_t m = a->asleep; m != 0; m &= m - 1) {
        uint32_t lane = attr_lowest_bit(m);
        const uint32_t *p = word + a->asleep_at[lane];
        uint64_t result;
        bool over;

        (void)isa_mbarrier(&a->asleep_uop->form, p[0] | (uint64_t)p[1] << 32,
                           a->asleep_state[lane], a->asleep_parity[lane], &result,
                           &over);
        awake |= (uint32_t)(result & 1u) << lane;
    }
    return awake;
}

/* Lanes of the warp sleep no more; if none does, the predicate may be read. */
static void rise(struct sm *s, uint32_t i, uint32_t lanes)
{
    struct warp *w = &s->warps.warp[i];
    struct async *a = w->async;

    a->asleep &= ~lanes;
    if (a->asleep == 0) {
        ring_cancel(&s->warps, i, a->asleep_uop->sets_p);
        w->pend_p &= ~a->asleep_uop->sets_p;
        warp_look(s, w, i);
    }
}

/* Lanes that go on to another mbarrier instruction had their answer, no, from any on
 * its way: what they do comes later and must not be what they waited for. */
static void leave_wait(struct sm *s, const struct mem_req *r)
{
    struct async *a = s->warps.warp[r->warp].async;

    if (a == NULL) {
        return;
    }
    for (uint32_t m = r->mask; m != 0; m &= m - 1) {
        a->latest[attr_lowest_bit(m)] = r->id;
    }
    if ((a->asleep & r->mask) != 0 && a->asleep_until > s->warps.now) {
        rise(s, r->warp, r->mask);
    }
}

/* Those of the lanes that have issued no other mbarrier instruction since r. */
static uint32_t still_waiting(const struct async *a, const struct mem_req *r,
                              uint32_t lanes)
{
    uint32_t still = 0;

    for (uint32_t m = lanes; m != 0; m &= m - 1) {
        const uint32_t lane = attr_lowest_bit(m);

        still |= (uint32_t)(a->latest[lane] == r->id) << lane;
    }
    return still;
}

/* A phase of an mbarrier of the block has ended: who sleeps until then goes on. */
static void wake(struct sm *s, const struct block *k)
{
    for (uint64_t left = k->warps; left != 0; left &= left - 1) {
        uint32_t i = attr_lowest_bit(left), awake;
        struct warp *w = &s->warps.warp[i];
        struct async *a = w->async;

        if (a == NULL || a->asleep == 0 || a->asleep_until <= s->warps.now) {
            continue;
        }
        awake = awake_lanes(s, a);
        write_predicate(w, a->asleep_pred, a->asleep_uop, awake, awake);
        rise(s, i, awake);
    }
}

/* ---- instructions ---- */

/* SPEC ASYNC-4: it reaches a place in the order of shared memory as an atomic does. */
static void send(struct sm *s, uint32_t i, struct mem_req *r)
{
    access_expect(&s->warps.warp[i], r);
    access_send(s, i, r);
}

/* cp.async.mbarrier.arrive: the arrival r goes when the copies before it are over. */
static void issue_late(struct sm *s, uint32_t i, struct mem_req *r)
{
    struct warp *w = &s->warps.warp[i];
    struct async *a = async_of(&w->async);
    const bool counts = (r->uop->form.flags & ISA_F_NOINC) == 0;
    struct mem_req *more;

    if (!async_has_older(a, r->mask, a->begun)) {
        if (counts) {
            sim_pool_give(r); /* one more, and one less */
        } else {
            send(s, i, r);
        }
        return;
    }
    if (counts) {
        more = sim_pool_take(&s->reqs);
        access_describe(s, i, more);
        more->uop = &one_more;
        more->op = MEM_ATOM;
        more->space = ISA_SP_SHARED;
        more->mask = r->mask;
        memcpy(more->addr, r->addr, sizeof(more->addr));
        send(s, i, more);
    }
    r->pending = a->begun;
    r->base = w->shared_base;
    mem_reqs_append(&a->late, r);
    s->block[w->slot].outstanding++; /* until it goes */
}

bool mbar_issue(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    struct mem_req *r = sim_pool_take(&s->reqs);

    if (!mbar_prepare(s, i, mask, r)) {
        sim_pool_give(r);
        return false;
    }
    if (UNLIKELY(s->check != NULL)) {
        watch_mbarrier(s, i, r);
    }
    if (w->head->form.sub == ISA_S_TRY) {
        (void)async_of(&w->async); /* it may have to sleep */
    }
    leave_wait(s, r);
    if (w->head->kind == ISA_K_LATE) {
        issue_late(s, i, r);
        return true;
    }
    send(s, i, r);
    return true;
}

void mbar_changed(struct sm *s, const struct block *k, const struct mem_req *r)
{
    bool ended = false;

    for (uint32_t m = r->mask; m != 0; m &= m - 1) {
        ended |= r->d[3][attr_lowest_bit(m)] != 0;
    }
    if (ended) {
        wake(s, k);
        show_phase(s);
    }
}

void mbar_done(struct sm *s, struct mem_req *r)
{
    const uint32_t i = r->warp;
    const enum isa_sub sub = (enum isa_sub)r->uop->form.sub;
    struct warp *w = &s->warps.warp[i];
    struct mem_req was;
    uint32_t open;

    if (sub == ISA_S_TEST || sub == ISA_S_TRY) {
        open = mbar_answer(s, r);
        open = sub == ISA_S_TRY ? still_waiting(w->async, r, open) : 0;
        if (open == 0 || w->async->asleep_until > s->warps.now) {
            access_done(s, r);
            return;
        }
        was = *r;
        access_done(s, r);
        fall_asleep(s, i, open, &was);
        return;
    }
    mbar_changed(s, &s->block[r->slot], r);
    access_done(s, r);
}

/* ---- arrivals that waited for copies ---- */

static void send_late(struct sm *s, uint32_t i)
{
    struct warp *w = &s->warps.warp[i];
    struct async *a = w->async;

    s->to_arrive &= ~(1ull << i);
    while (a->late.first != NULL &&
           !async_has_older(a, a->late.first->mask, a->late.first->pending)) {
        if (!sim_out_ready(&s->to_lsu)) {
            s->to_arrive |= 1ull << i;
            s->arrives_at = s->warps.now + 1; /* look again */
            return;
        }
        s->block[w->slot].outstanding--;
        send(s, i, mem_reqs_take(&a->late));
    }
}

void mbar_copy_done(struct sm *s, uint32_t i)
{
    send_late(s, i);
}

void mbar_send_late(struct sm *s)
{
    for (uint64_t m = s->to_arrive; m != 0; m &= m - 1) {
        send_late(s, attr_lowest_bit(m));
    }
}
