#include "sm/meet.h"

#include "sm/fault.h"
#include "sm/show.h"
#include "sm/turn.h"
#include "sm/watch.h"

static void release(struct sm *s, struct barrier *b)
{
    const struct barrier was = barrier_release(b);

    for (uint64_t m = was.waiting; m != 0; m &= m - 1) {
        uint32_t i = attr_lowest_bit(m);
        struct warp *w = &s->warps.warp[i];

        barrier_result(&was, w->barrier_uop, &w->lanes, w->barrier_mask);
        if (s->untimed != NULL) { /* they go on at once */
            w->hold &= ~(uint32_t)HOLD_BARRIER;
            continue;
        }
        ring_add(&s->warps, s->cfg.sm.barrier_latency, i, w->barrier_uop->sets,
                 w->barrier_uop->sets_p, HOLD_BARRIER);
        if (i != s->issuing) { /* whose next instruction is not known yet */
            warp_look(s, w, i);
        }
    }
    if (s->untimed == NULL) {
        sim_probe_fire(&s->p_release);
    }
}

static void release_if_complete(struct sm *s, struct block *k, struct barrier *b)
{
    if (barrier_is_complete(b, k->n_live)) {
        if (UNLIKELY(s->check != NULL)) {
            watch_release(s, (uint32_t)(k - s->block), (uint32_t)(b - k->barrier));
        }
        release(s, b);
    }
}

/* The lanes in mask of warp i have come to barrier id by u. */
static void come(struct sm *s, uint32_t i, uint32_t mask, uint32_t id, uint32_t threads,
                 const struct isa_uop *u)
{
    struct warp *w = &s->warps.warp[i];
    struct block *k = &s->block[w->slot];
    struct barrier *b = &k->barrier[id];

    if (UNLIKELY(s->check != NULL)) {
        watch_arrive(s, i, id);
    }
    if (barrier_come(b, i, threads, u, &w->lanes, mask)) {
        w->hold |= HOLD_BARRIER;
        w->barrier_uop = u;
        w->barrier_mask = mask;
        if (s->untimed == NULL) {
            w->pend |= u->sets; /* the result of bar.red */
            w->pend_p |= u->sets_p;
        }
    }
    release_if_complete(s, k, b);
    show_barriers(s);
}

void meet_fetch(struct sm *s, uint32_t i)
{
    struct warp *w = &s->warps.warp[i];

    warp_fetch(&s->warps, i);
    if (LIKELY((w->parked & w->active) == 0)) {
        return;
    }
    if (turn_next(s, i)) {
        warp_fetch(&s->warps, i);
    } else {
        uint32_t mask = w->barring;

        w->parked &= ~mask;
        w->barring = 0;
        warp_fetch(&s->warps, i);
        come(s, i, mask, w->parked_at, w->parked_for, w->parked_uop);
    }
}

static bool has_result(const struct isa_uop *u)
{
    return u->form.sub != ISA_S_SYNC && u->form.sub != ISA_S_ARRIVE;
}

/* The lanes that wait at the barrier to which more of their warp come by u: those with
 * a result all by one instruction, since it says where the result goes. */
static uint32_t waiting_for(const struct warp *w, const struct isa_uop *u, uint32_t id)
{
    if (w->barring == 0 || w->parked_at != id) {
        return 0;
    }
    return w->parked_uop == u || (!has_result(u) && !has_result(w->parked_uop))
               ? w->barring
               : 0;
}

/* SPEC BAR-1: from 7.0 on a warp arrives when all its live lanes have come, and those
 * that have not go on until they do. False: it arrives now, with all lanes in *all. */
static bool waits_for_lanes(struct sm *s, uint32_t i, uint32_t mask,
                            struct barrier_call call, uint32_t *all)
{
    struct warp *w = &s->warps.warp[i];
    const uint32_t waiting = waiting_for(w, w->head, call.id);

    *all = mask | waiting;
    if (LIKELY(mask == w->live) || s->shared->rules->cc < 70 ||
        w->head->form.sub == ISA_S_ARRIVE ||
        (w->head->form.flags & ISA_F_ALIGNED) != 0 || (w->barring & ~waiting) != 0 ||
        (mask | waiting) == w->live ||
        !simt_yield(&w->simt, w->pc + 1, mask, waiting | warp_syncing(w))) {
        w->parked &= ~waiting;
        w->barring &= ~waiting;
        return false;
    }
    w->barring = mask | waiting;
    w->parked |= w->barring;
    w->parked_at = call.id;
    w->parked_for = call.threads;
    w->parked_uop = w->head;
    w->stats->barriers++;
    return true;
}

/* What SPEC BAR-4 refuses: a fault, and true. */
static bool is_refused(struct sm *s, uint32_t i, uint32_t mask,
                       struct barrier_call call)
{
    const struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;
    enum barrier_refusal why = barrier_exists(call);

    if (why == BARRIER_FINE && s->shared->checks) {
        uint32_t away = w->live & ~mask;

        if (UNLIKELY(away != 0) && (u->form.flags & ISA_F_ALIGNED) != 0 &&
            fault_leaving(s, i, away, mask) != away) {
            fault_divergent(s, i, mask, call.id);
            return true;
        }
        why = barrier_together(&s->block[w->slot].barrier[call.id], u, call.threads);
    }
    if (LIKELY(why == BARRIER_FINE)) {
        return false;
    }
    fault_barrier(s, i, mask, call, why);
    return true;
}

bool meet_is_sound(const struct sm *s, uint32_t i, uint32_t mask)
{
    const struct warp *w = &s->warps.warp[i];
    struct barrier_call call = barrier_operands(w->head, &w->lanes, mask);

    return mask == w->live && barrier_exists(call) == BARRIER_FINE &&
           (!s->shared->checks ||
            barrier_together(&s->block[w->slot].barrier[call.id], w->head,
                             call.threads) == BARRIER_FINE);
}

bool meet_arrive(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;
    struct barrier_call call = barrier_operands(u, &w->lanes, mask);
    uint32_t all;

    if (UNLIKELY(mask != w->live) && (u->form.flags & ISA_F_ALIGNED) != 0 &&
        w->simt.released && turn_wait(s, i, mask)) {
        meet_fetch(s, i);
        return false;
    }
    if (is_refused(s, i, mask, call)) {
        return true;
    }
    if (waits_for_lanes(s, i, mask, call, &all)) {
        meet_fetch(s, i);
        return false;
    }
    w->stats->barriers++;
    come(s, i, all, call.id, call.threads, u);
    return true;
}

void meet_exit(struct sm *s, uint32_t slot)
{
    struct block *k = &s->block[slot];

    for (uint32_t i = 0; i < BARRIERS && k->n_live != 0; i++) {
        release_if_complete(s, k, &k->barrier[i]);
    }
    show_barriers(s);
}
