#include "sm/ring.h"

#include "base/bits.h"
#include <string.h>

/* ---- placing ---- */

/* First fit of units in the shared memory map; n_units if there is none. */
static uint32_t find_units(const struct sm *s, uint32_t units)
{
    uint32_t limit = s->split_shared_kb * 1024 / s->shared->rules->shared_unit;
    uint32_t run = 0;

    for (uint32_t i = 0; i < limit && units != 0; i++) {
        run = s->shared_map[i] != 0 ? 0 : run + 1;
        if (run == units) {
            return i + 1 - units;
        }
    }
    return units == 0 ? 0 : s->n_units;
}

static void fill_env(struct warp *w, const struct sm *s, const struct sm_launch *l,
                     const struct sm_block *b, uint32_t warp_slot)
{
    uint32_t t = w->thread0;
    uint32_t x = t % l->block[0], y = t / l->block[0] % l->block[1];
    uint32_t z = t / (l->block[0] * l->block[1]);

    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        w->env.tid[0][lane] = x;
        w->env.tid[1][lane] = y;
        w->env.tid[2][lane] = z;
        if (++x == l->block[0]) {
            x = 0;
            y = y + 1 == l->block[1] ? 0 : y + 1;
            z += y == 0;
        }
    }
    memcpy(w->env.ntid, l->block, sizeof(w->env.ntid));
    memcpy(w->env.ctaid, b->ctaid, sizeof(w->env.ctaid));
    memcpy(w->env.nctaid, l->grid, sizeof(w->env.nctaid));
    w->env.warpid = warp_slot;
    w->env.nwarpid = s->n_warps;
    w->env.smid = s->index;
    w->env.nsmid = s->shared->n_sms;
    w->env.gridid = l->grid_id;
    w->env.dynamic_smem = l->dynamic_bytes;
    w->env.total_smem = l->shared_bytes;
    w->env.param = l->params;
    w->env.param_bytes = l->param_bytes;
}

static void start_warp(struct sm *s, const struct sm_block *b, uint32_t slot,
                       uint32_t i, uint32_t k)
{
    struct warp *w = &s->warp[i];
    const struct sm_launch *l = &s->shared->launch[b->launch];
    uint32_t lanes = l->threads - k * ISA_LANES;

    show_forget(s, i);
    w->slot = (uint8_t)slot;
    w->launch = b->launch;
    w->stats = &s->stats[b->launch];
    w->block = b->index;
    w->bank_mode = (uint8_t)l->bank_mode;
    w->shared_base = s->block[slot].base + l->shared_base;
    w->local_base = MEM_LOCAL_BIT | ((uint64_t)s->index * s->n_warps + i) *
                                        s->shared->local_stride * ISA_LANES;
    w->thread0 = k * ISA_LANES;
    w->pend = w->pend_mem = 0;
    w->pend_p = w->pend_mem_p = 0;
    w->replay = 0;
    w->n_printf = 0;
    w->parked = 0;
    w->outstanding = 0;
    w->started_at = s->now;
    w->live = lanes >= ISA_LANES ? UINT32_MAX : (1u << lanes) - 1;
    warp_reserve(s, i, l->frame_slots, l->frame_preds);
    if (l->kernel->zero_first) {
        memset(w->reg, 0, (size_t)l->frame_slots * ISA_LANES * sizeof(w->reg[0]));
        if (l->frame_preds != 0) { /* else there may be no file yet */
            memset(w->pred, 0, l->frame_preds * sizeof(w->pred[0]));
        }
    }
    fill_env(w, s, l, b, i);
    w->lanes.k = l->module->k;
    w->lanes.env = &w->env;
    s->age[i] = s->n_started++;
    simt_start(&w->simt, l->kernel->entry, w->live);
    w->hold = HOLD_CONTROL;
    warp_fetch(s, i);
    ring_forget(s, i);
    ring_add(s, s->cfg.sm.block_start, i, 0, 0, HOLD_CONTROL);
    warp_changed(s, w, i);
}

bool block_start(struct sm *s, struct sm_block *b)
{
    const struct sm_launch *l = &s->shared->launch[b->launch];
    uint32_t units = l->shared_alloc / s->shared->rules->shared_unit;
    uint32_t at = find_units(s, units);
    uint32_t slot = 0;
    struct block *k;

    while (slot < s->n_slots && s->block[slot].txn != NULL) {
        slot++;
    }
    if (slot == s->n_slots || at == s->n_units ||
        (uint32_t)__builtin_popcountll(s->free_warps) < l->warps) {
        return false; /* a block that finishes wakes the SM */
    }
    k = &s->block[slot];
    memset(k, 0, sizeof(*k));
    k->txn = b;
    k->base = at * s->shared->rules->shared_unit;
    k->n_live = l->warps;
    memset(s->shared_map + at, 1, units);
    smem_clear(s->smem, k->base, (l->shared_base + l->shared_bytes + 3) & ~3u);
    if (l->shared_base != 0) { /* SPEC PARAM-1 */
        smem_write(s->smem, k->base + s->shared->rules->param_shared_base, l->params,
                   l->param_bytes);
    }
    cbank_image(s->cbank, b->launch, l->module->const_image);
    b->started_at = s->now;
    if (s->n_resident++ == 0) {
        s->active_since = b->started_at;
    }
    s->stats[b->launch].blocks++;
    s->stats[b->launch].warps += l->warps;
    for (uint32_t w = 0; w < l->warps; w++) {
        uint32_t i = (uint32_t)__builtin_ctzll(s->free_warps);

        s->free_warps &= ~(1ull << i);
        k->warps |= 1ull << i;
        start_warp(s, b, slot, i, w);
    }
    show_occupancy(s);
    if (UNLIKELY(s->check != NULL)) {
        watch_block(s, slot);
    }
    sm_tell_stage(&s->shared->staged, &s->scope, SM_BLOCK_BEGINS, b->launch, b->index);
    return true;
}

/* ---- leaving ---- */

void block_warp_done(struct sm *s, uint32_t i)
{
    struct warp *w = &s->warp[i];
    struct block *k = &s->block[w->slot];

    w->stats->warp_cycles += s->now - w->started_at;
    k->n_live--;
    if (UNLIKELY(s->check != NULL)) {
        watch_exit(s, i);
    }
    show_occupancy(s);
    barrier_exit(s, w->slot);
    block_finish(s, w->slot);
}

void block_finish(struct sm *s, uint32_t slot)
{
    struct block *k = &s->block[slot];
    struct sm_block *b = k->txn;
    const struct sm_launch *l;

    if (b == NULL || k->n_live != 0 || k->outstanding != 0) {
        return;
    }
    l = &s->shared->launch[b->launch];
    b->done_at = s->now;
    s->free_warps |= k->warps;
    memset(s->shared_map + k->base / s->shared->rules->shared_unit, 0,
           l->shared_alloc / s->shared->rules->shared_unit);
    k->txn = NULL;
    s->full = false;
    if (s->blocks.head != NULL) {
        s->arrives_at = s->now + 1; /* the one that waits may fit now */
    }
    if (--s->n_resident == 0) {
        s->stats[b->launch].active_cycles += b->done_at - s->active_since;
    }
    show_occupancy(s);
    sm_tell_stage(&s->shared->staged, &s->scope, SM_BLOCK_ENDS, b->launch, b->index);
    sim_send(&s->done, b);
}

/* ---- barriers (SPEC BAR-1..4) ---- */

static uint32_t operand(const struct warp *w, isa_ref ref, uint32_t lane)
{
    if (ref >= 0) {
        return w->lanes.r[(size_t)ref * ISA_LANES + lane];
    }
    return w->lanes.k[(size_t)(-1 - ref) * ISA_LANES + lane];
}

/* bar.red: what every warp that waited gets. */
static void write_result(struct warp *w, const struct isa_uop *u, uint32_t mask,
                         const struct barrier *b)
{
    bool value = u->form.sub == ISA_S_RED_AND ? b->all : b->any;

    if (u->form.sub == ISA_S_RED_POPC) {
        for (uint32_t m = mask; m != 0 && u->dst[0] != ISA_NO_REF; m &= m - 1) {
            w->lanes.r[(size_t)u->dst[0] * ISA_LANES + (uint32_t)__builtin_ctz(m)] =
                b->count;
        }
    } else if (u->form.sub == ISA_S_RED_AND || u->form.sub == ISA_S_RED_OR) {
        if (u->dst[0] != ISA_NO_REF) {
            uint32_t *p = &w->lanes.p[u->dst[0]];

            *p = value ? *p | mask : *p & ~mask;
        }
    }
}

static void release(struct sm *s, struct barrier *b)
{
    for (uint64_t m = b->waiting; m != 0; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(m);
        struct warp *w = &s->warp[i];

        write_result(w, w->barrier_uop, w->barrier_mask, b);
        ring_add(s, s->cfg.sm.barrier_latency, i, w->barrier_uop->sets,
                 w->barrier_uop->sets_p, HOLD_BARRIER);
        if (i != s->issuing) { /* whose next instruction is not known yet */
            warp_look(s, w, i);
        }
    }
    memset(b, 0, sizeof(*b));
    sim_probe_fire(&s->p_release);
}

static void complete_if_all(struct sm *s, struct block *k, struct barrier *b)
{
    uint32_t expected = b->expected != 0 ? b->expected : k->n_live;

    if (b->arrived != 0 && b->arrived >= expected) {
        if (UNLIKELY(s->check != NULL)) {
            watch_release(s, (uint32_t)(k - s->block), (uint32_t)(b - k->barrier));
        }
        release(s, b);
    }
}

uint32_t barrier_n_waiting(const struct sm *s)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < s->n_slots; k++) {
        for (uint32_t i = 0; i < ARRAY_LEN(s->block[k].barrier); i++) {
            n += (uint32_t)__builtin_popcountll(s->block[k].barrier[i].waiting);
        }
    }
    return n;
}

static void show_arrived(struct sm *s)
{
    if (SIM_WATCHED(s->p_arrived)) {
        sim_probe_set(&s->p_arrived, barrier_n_waiting(s));
    }
}

/* What the lanes say for bar.red. */
static void gather(const struct warp *w, const struct isa_uop *u, uint32_t mask,
                   struct barrier *b)
{
    uint32_t p;

    if (u->form.sub != ISA_S_RED_POPC && u->form.sub != ISA_S_RED_AND &&
        u->form.sub != ISA_S_RED_OR) {
        return;
    }
    p = u->src[2] == ISA_P_TRUE    ? UINT32_MAX
        : u->src[2] == ISA_P_FALSE ? 0
                                   : w->lanes.p[u->src[2]];
    p = ((u->neg_src >> 2 & 1u) != 0 ? ~p : p) & mask;
    if (b->arrived == 0) {
        b->all = true;
    }
    b->count += bits_count(p);
    b->all = b->all && p == mask;
    b->any = b->any || p != 0;
}

/* SPEC BAR-4: all warps come to a barrier with the same count and, if there is none, by
 * one instruction. */
static bool is_together(struct sm *s, uint32_t i, uint32_t mask, uint32_t id,
                        uint32_t threads)
{
    const struct warp *w = &s->warp[i];
    const struct isa_uop *u = w->head;
    const struct barrier *b = &s->block[w->slot].barrier[id];
    bool aligned = (u->form.flags & ISA_F_ALIGNED) != 0;

    if (b->arrived == 0 || !s->shared->checks) {
        return true;
    }
    if (b->expected != threads / ISA_LANES) {
        fault_counts(s, i, mask, id, threads);
        return false;
    }
    if (threads == 0 && aligned && b->uop != u) {
        fault_apart(s, i, mask, id);
        return false;
    }
    return true;
}

/* SPEC BAR-1: from 7.0 on a warp arrives when all its live lanes have come, and those
 * that have not go on until they do. */
static bool waits_for_lanes(struct sm *s, uint32_t i, uint32_t mask, uint32_t id,
                            uint32_t threads)
{
    struct warp *w = &s->warp[i];
    uint32_t waiting = w->parked_at == id ? w->parked : 0;

    if (LIKELY(mask == w->live) || s->shared->rules->cc < 70 ||
        w->head->form.sub != ISA_S_SYNC || (w->head->form.flags & ISA_F_ALIGNED) != 0 ||
        (w->parked & ~waiting) != 0 || (mask | waiting) == w->live ||
        !simt_yield(&w->simt, w->pc + 1, mask, waiting)) {
        w->parked &= ~waiting;
        return false;
    }
    w->parked = mask | waiting;
    w->parked_at = id;
    w->parked_for = threads / ISA_LANES;
    w->parked_uop = w->head;
    w->stats->barriers++;
    return true;
}

/* The warp has come to the barrier. */
static void come(struct sm *s, uint32_t i, uint32_t id, uint32_t expected,
                 const struct isa_uop *u)
{
    struct warp *w = &s->warp[i];
    struct barrier *b = &s->block[w->slot].barrier[id];

    if (b->arrived == 0) {
        b->uop = u;
        b->first = i;
    }
    if (UNLIKELY(s->check != NULL)) {
        watch_arrive(s, i, id);
    }
    b->expected = expected;
    if (u->form.sub != ISA_S_ARRIVE) {
        w->hold |= HOLD_BARRIER;
        w->barrier_uop = u;
        b->waiting |= 1ull << i;
    }
}

void barrier_arrive_late(struct sm *s, uint32_t i)
{
    struct warp *w = &s->warp[i];
    struct block *k = &s->block[w->slot];
    struct barrier *b = &k->barrier[w->parked_at];

    come(s, i, w->parked_at, w->parked_for, w->parked_uop);
    w->barrier_mask = w->parked;
    w->parked = 0;
    b->arrived++;
    complete_if_all(s, k, b);
    show_arrived(s);
}

bool barrier_arrive(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warp[i];
    const struct isa_uop *u = w->head;
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    struct block *k = &s->block[w->slot];
    uint32_t id = operand(w, u->src[0], lane);
    uint32_t threads = u->src[1] == ISA_NO_REF ? 0 : operand(w, u->src[1], lane);
    struct barrier *b;

    if (id >= ARRAY_LEN(k->barrier)) {
        sm_raise_fault(s, i, lane, SM_RULE("invalid-barrier"),
                       "barrier %u: a block has %u", id,
                       (uint32_t)ARRAY_LEN(k->barrier));
        return true;
    }
    if (threads % ISA_LANES != 0) {
        sm_raise_fault(s, i, lane, SM_RULE("invalid-barrier"),
                       "barrier %u for %u threads: not a multiple of %u", id, threads,
                       ISA_LANES);
        return true;
    }
    if (UNLIKELY(mask != w->live) && (u->form.flags & ISA_F_ALIGNED) != 0 &&
        s->shared->checks &&
        fault_leaving(s, i, w->live & ~mask, mask) != (w->live & ~mask)) {
        fault_divergent(s, i, mask, id);
        return true;
    }
    b = &k->barrier[id];
    if (!is_together(s, i, mask, id, threads)) {
        return true;
    }
    if (waits_for_lanes(s, i, mask, id, threads)) {
        warp_fetch(s, i);
        return false;
    }
    w->stats->barriers++;
    gather(w, u, mask, b);
    come(s, i, id, threads / ISA_LANES, u);
    b->arrived++;
    if (u->form.sub != ISA_S_ARRIVE) {
        w->barrier_mask = mask;
        w->pend |= u->sets;
        w->pend_p |= u->sets_p;
    }
    complete_if_all(s, k, b);
    show_arrived(s);
    return true;
}

void barrier_exit(struct sm *s, uint32_t slot)
{
    struct block *k = &s->block[slot];

    for (uint32_t i = 0; i < ARRAY_LEN(k->barrier) && k->n_live != 0; i++) {
        complete_if_all(s, k, &k->barrier[i]);
    }
    show_arrived(s);
}
