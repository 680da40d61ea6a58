#include "sm/block.h"

#include "base/nomem.h"
#include "sm/left.h"
#include "sm/meet.h"
#include "sm/rank.h"
#include "sm/show.h"
#include "sm/spin.h"
#include "sm/turn.h"
#include "sm/watch.h"

#include <stdlib.h>
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

/* Of the warp whose first thread is t, in a block of that size. */
static void fill_tid(struct isa_env *env, const uint32_t block[3], uint32_t t)
{
    uint32_t x = t % block[0], y = t / block[0] % block[1];
    uint32_t z = t / (block[0] * block[1]);

    if (block[1] == 1 && block[2] == 1) {
        for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
            env->tid[0][lane] = (uint16_t)(t + lane); /* beyond the block unread */
        }
        memset(env->tid[1], 0, sizeof(env->tid[1]));
        memset(env->tid[2], 0, sizeof(env->tid[2]));
        return;
    }
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        env->tid[0][lane] = (uint16_t)x;
        env->tid[1][lane] = (uint16_t)y;
        env->tid[2][lane] = (uint16_t)z;
        if (++x == block[0]) {
            x = 0;
            y = y + 1 == block[1] ? 0 : y + 1;
            z += y == 0;
        }
    }
}

static void fill_env(struct warp *w, const struct sm *s, const struct sm_launch *l,
                     const struct sm_block *b, uint32_t warp_slot)
{
    fill_tid(&w->env, l->block, w->thread0);
    memcpy(w->env.ntid, l->block, sizeof(w->env.ntid));
    memcpy(w->env.ctaid, b->ctaid, sizeof(w->env.ctaid));
    memcpy(w->env.nctaid, l->grid, sizeof(w->env.nctaid));
    w->env.cc = s->shared->rules->cc;
    w->env.warpid = warp_slot;
    w->env.nwarpid = s->warps.n;
    w->env.smid = s->index;
    w->env.nsmid = s->shared->n_sms;
    w->env.gridid = l->grid_id;
    w->env.dynamic_smem = l->dynamic_bytes;
    w->env.total_smem = l->shared_bytes;
    if (UNLIKELY(l->reserved_bytes != 0)) {
        w->env.total_smem = l->reserved_at;
        w->env.reserved_begin = l->reserved_at;
        w->env.reserved_end = l->reserved_at + l->reserved_bytes;
    }
    if (l->cluster[0] != 0) {
        rank_describe(l, b, &w->env.cluster);
    }
    w->env.grid_sync = l->grid_sync;
    w->env.param = l->params;
    w->env.param_bytes = l->param_bytes;
}

/* Warp k of a block, in warp slot i, stands at the kernel's begin. */
static void start_warp(struct sm *s, const struct sm_block *b, uint32_t slot,
                       uint32_t i, uint32_t k)
{
    struct warp *w = &s->warps.warp[i];
    const struct sm_launch *l = &s->shared->launch[b->launch];
    uint32_t lanes = l->threads - k * ISA_LANES;

    show_forget(s, i);
    w->slot = (uint8_t)slot;
    w->launch = b->launch;
    w->uops = l->module->uops;
    w->stats = &s->stats[b->launch];
    w->block = b->index;
    w->bank_mode = (uint8_t)l->bank_mode;
    w->shared_base = s->block[slot].base + l->shared_base;
    w->local_base = MEM_LOCAL_BIT | ((uint64_t)s->index * s->warps.n + i) *
                                        s->shared->local_stride * ISA_LANES;
    w->thread0 = k * ISA_LANES;
    w->pend = w->pend_mem = 0;
    w->pend_p = w->pend_mem_p = 0;
    w->pend_near = w->pend_const = w->pend_local = 0;
    w->near = NULL;
    w->pend_near_p = 0;
    w->stalls = s->stalls[b->launch * s->n_scheds + i % s->n_scheds].n;
    w->places = s->places == NULL ? NULL : s->places[b->launch];
    w->since = s->warps.now + 1;
    w->why = STALL_NONE;
    w->replay = 0;
    w->n_printf = 0;
    w->parked = w->barring = 0;
    turn_begin(w);
    w->outstanding = 0;
    w->cluster_come = 0;
    w->cluster_fenced = false;
    if (UNLIKELY(w->async != NULL)) {
        async_begin(w->async);
    }
    w->started_at = s->warps.now;
    w->live = lanes >= ISA_LANES ? UINT32_MAX : (1u << lanes) - 1;
    warp_reserve(w, l->frame_slots, l->frame_preds);
    if (l->kernel->zero_first) {
        memset(w->reg, 0, (size_t)l->frame_slots * ISA_LANES * sizeof(w->reg[0]));
        if (l->frame_preds != 0) { /* else there may be no file yet */
            memset(w->pred, 0, l->frame_preds * sizeof(w->pred[0]));
        }
    }
    fill_env(w, s, l, b, i);
    w->lanes.k = l->module->k;
    w->lanes.env = &w->env;
    simt_start(&w->simt, l->kernel->entry, w->live);
    w->hold = 0;
    warp_fetch(&s->warps, i);
    ring_forget(&s->warps, i);
}

/* It issues first after so many cycles, or later. */
static void delay_warp(struct sm *s, uint32_t i, uint32_t cycles)
{
    if (s->policy != POLICY_ROUND_ROBIN) { /* which does not ask who is older */
        policy_begin(s->older, s->warps.n, i);
    }
    s->n_started++;
    s->warps.warp[i].hold = HOLD_FETCH;
    ring_add(&s->warps, cycles, i, 0, 0, HOLD_FETCH);
    warp_changed(s, &s->warps.warp[i], i);
}

static bool has_code(const struct sm *s, const struct ptx_kernel *kernel)
{
    for (uint32_t i = 0; i < SM_KNOWN; i++) {
        if (s->known[i] == kernel) {
            return true;
        }
    }
    return false;
}

/* Warps of a block that ask before the answer is there, at most. */
enum { PARAM_WARPS = 4 };

/* SPEC TIME-4: the SMs of a GPC ask its constant cache together, when a launch begins,
 * each for blocks of so many warps. */
static uint32_t param_delay(const struct sm *s, uint32_t warps)
{
    const struct sm_config *c = &s->cfg.sm;
    const uint32_t before = mem_place_in_gpc(s->index, s->shared->n_gpcs);
    const uint32_t more = (warps < PARAM_WARPS ? warps : PARAM_WARPS) - 1;

    return c->param_latency +
           before * (c->param_interval + more * c->param_warp_interval);
}

/* SPEC TIME-4: cycles until a block that is placed now can have code and parameters. */
static uint32_t fetch_delay(struct sm *s, uint8_t launch)
{
    const struct sm_launch *l = &s->shared->launch[launch];
    const sim_cycle_t now = s->warps.now;
    uint32_t delay = 0;

    if (!has_code(s, l->kernel)) {
        s->known[s->next_known] = l->kernel;
        s->next_known = (s->next_known + 1) % SM_KNOWN;
        delay = s->cfg.sm.code_latency;
    }
    if (s->begun[launch] != l->number + 1) {
        s->begun[launch] = l->number + 1;
        delay += l->kernel->reads_params ? param_delay(s, l->warps) : 0;
    }
    if (now + delay > s->fetched_at) {
        s->fetched_at = now + delay;
    }
    return (uint32_t)(s->fetched_at - now);
}

/* SPEC TIME-3: cycles from placing a block of so many warps to placing the next. */
static uint32_t between_blocks(const struct sm *s, uint32_t warps)
{
    const uint32_t all = warps * s->cfg.sm.block_warp_interval;

    return all > s->cfg.sm.block_interval ? all : s->cfg.sm.block_interval;
}

/* Room for stall reasons by instruction of a launch that has its first block here. */
static void count_places(struct sm *s, uint32_t launch)
{
    if (s->places == NULL) {
        s->places = nomem_calloc(s->shared->max_launches, sizeof(s->places[0]));
    }
    if (s->places[launch] == NULL) {
        s->places[launch] = nomem_calloc(s->shared->launch[launch].module->n_uops,
                                         sizeof(s->places[launch][0]));
    }
}

void block_fill(struct sm *s, struct sm_block *b, uint32_t slot, uint32_t base)
{
    const struct sm_launch *l = &s->shared->launch[b->launch];
    struct block *k = &s->block[slot];

    memset(k, 0, sizeof(*k));
    k->txn = b;
    k->base = base;
    k->n_live = l->warps;
    k->in_cluster = sm_cluster_blocks(l->cluster) > 1;
    smem_clear(s->smem, base, (l->shared_base + l->shared_bytes + 3) & ~3u);
    if (l->shared_base != 0) { /* SPEC PARAM-1 */
        smem_write(s->smem, base + s->shared->rules->param_shared_base, l->params,
                   l->param_bytes);
    }
    for (uint32_t w = 0; w < l->warps; w++) {
        uint32_t i = (uint32_t)__builtin_ctzll(s->free_warps);

        s->free_warps &= ~(1ull << i);
        k->warps |= 1ull << i;
        start_warp(s, b, slot, i, w);
    }
}

bool block_start(struct sm *s, struct sm_block *b)
{
    const struct sm_launch *l = &s->shared->launch[b->launch];
    uint32_t units = l->shared_alloc / s->shared->rules->shared_unit;
    uint32_t at = find_units(s, units);
    uint32_t slot = 0, delay, w = 0;

    while (slot < s->n_slots && s->block[slot].txn != NULL) {
        slot++;
    }
    if (slot == s->n_slots || at == s->n_units ||
        (uint32_t)__builtin_popcountll(s->free_warps) < l->warps) {
        return false; /* a block that finishes wakes the SM */
    }
    memset(s->shared_map + at, 1, units);
    if (UNLIKELY(s->shared->places)) {
        count_places(s, b->launch);
    }
    cbank_image(s->cbank, b->launch, l->module->const_image);
    b->started_at = s->warps.now;
    if (s->n_resident++ == 0) {
        s->active_since = b->started_at;
        s->mixed = false;
    } else if (b->launch != s->only) {
        s->mixed = true;
    }
    s->only = b->launch;
    left_place(s, s->mixed || s->places != NULL);
    s->stats[b->launch].blocks++;
    s->stats[b->launch].warps += l->warps;
    spin_change(s);
    delay = s->cfg.sm.block_start + fetch_delay(s, b->launch);
    block_fill(s, b, slot, at * s->shared->rules->shared_unit);
    for (uint64_t m = s->block[slot].warps; m != 0; m &= m - 1) {
        delay_warp(s, attr_lowest_bit(m), delay + w++ * s->cfg.sm.warp_interval);
    }
    show_occupancy(s);
    if (UNLIKELY(s->check != NULL)) {
        watch_block(s, slot);
    }
    sm_tell_stage(&s->shared->staged, &s->scope, SM_BLOCK_BEGINS, b->launch, b->index,
                  s->block[slot].warps);
    s->block_at = s->warps.now + between_blocks(s, l->warps);
    return true;
}

/* ---- leaving ---- */

void block_warp_done(struct sm *s, uint32_t i)
{
    struct warp *w = &s->warps.warp[i];
    struct block *k = &s->block[w->slot];

    w->stats->warp_cycles += s->warps.now - w->started_at;
    k->n_live--;
    if (UNLIKELY(s->check != NULL)) {
        watch_exit(s, i);
    }
    show_occupancy(s);
    meet_exit(s, w->slot);
    block_finish(s, w->slot);
}

struct mem_req *block_drain(struct sm *s, uint32_t slot, enum isa_space space)
{
    struct mem_req *r = sim_pool_take(&s->reqs);

    mem_req_clear(r);
    r->op = MEM_DRAIN;
    r->space = (uint8_t)space;
    r->launch = s->block[slot].txn->launch;
    r->slot = (uint8_t)slot;
    return r;
}

/* A block whose warps have exited waits until its stores have left the SM: a drain
 * follows them. False: it has to wait for a credit. */
static bool send_drain(struct sm *s, uint32_t slot)
{
    if (!sim_out_ready(&s->to_lsu)) {
        return false;
    }
    sim_send(&s->to_lsu, block_drain(s, slot, ISA_SP_GLOBAL));
    return true;
}

static void begin_drain(struct sm *s, uint32_t slot)
{
    s->block[slot].draining = true;
    if (!send_drain(s, slot)) {
        s->to_drain |= 1u << slot;
        s->arrives_at = s->warps.now + 1; /* look again */
    }
}

void block_send_drains(struct sm *s)
{
    for (uint32_t m = s->to_drain; m != 0; m &= m - 1) {
        const uint32_t slot = attr_lowest_bit(m);

        if (!send_drain(s, slot)) {
            s->arrives_at = s->warps.now + 1;
            return;
        }
        s->to_drain &= ~(1u << slot);
    }
}

/* The place of a block that has ended is free, as far as the SM knows. */
static void give_back(struct sm *s, uint32_t slot)
{
    struct block *k = &s->block[slot];
    struct sm_block *b = k->txn;

    s->free_warps |= k->warps;
    memset(s->shared_map + k->base / s->shared->rules->shared_unit, 0,
           s->shared->launch[b->launch].shared_alloc / s->shared->rules->shared_unit);
    k->txn = NULL;
    s->n_ended--;
    s->full = false;
    if (s->blocks.head != NULL) {
        s->arrives_at = s->warps.now + 1; /* the one that waits may fit now */
    }
    sim_send(&s->done, b);
}

static void end_block(struct sm *s, uint32_t slot)
{
    struct block *k = &s->block[slot];
    struct sm_block *b = k->txn;

    b->done_at = s->warps.now;
    k->ended = true;
    s->n_ended++;
    s->block_at = (b->done_at > s->block_at ? b->done_at : s->block_at) +
                  s->cfg.sm.block_end_interval;
    if (--s->n_resident == 0) {
        s->stats[b->launch].active_cycles += b->done_at - s->active_since;
    }
    show_occupancy(s);
    sm_tell_stage(&s->shared->staged, &s->scope, SM_BLOCK_ENDS, b->launch, b->index,
                  k->warps);
    if (k->posted == 0) {
        give_back(s, slot);
    }
}

void block_drained(struct sm *s, uint32_t slot)
{
    s->drained |= 1u << slot;
    s->block[slot].ends_at = s->warps.now + s->cfg.sm.drain_latency;
}

void block_end_drained(struct sm *s)
{
    for (uint32_t m = s->drained; m != 0; m &= m - 1) {
        const uint32_t slot = attr_lowest_bit(m);
        const sim_cycle_t at = s->block[slot].ends_at;

        if (at <= s->warps.now) {
            s->drained &= ~(1u << slot);
            end_block(s, slot);
        } else if (at < s->arrives_at) {
            s->arrives_at = at;
        }
    }
}

void block_finish(struct sm *s, uint32_t slot)
{
    const struct block *k = &s->block[slot];

    if (k->txn == NULL || k->n_live != 0 || k->outstanding != k->posted) {
        return;
    }
    if (k->ended) {
        if (k->posted == 0) {
            give_back(s, slot);
        }
    } else if (!k->draining && k->stores != 0) {
        begin_drain(s, slot);
    } else if (!k->draining) {
        end_block(s, slot);
    }
}
