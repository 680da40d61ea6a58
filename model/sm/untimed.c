#include "sm/untimed.h"

#include "base/nomem.h"
#include "isa/tile.h"
#include "mem/smem_words.h"
#include "sm/access.h"
#include "sm/block.h"
#include "sm/bulk.h"
#include "sm/cluster.h"
#include "sm/copy.h"
#include "sm/fault.h"
#include "sm/flow.h"
#include "sm/gmma.h"
#include "sm/lsu_data.h"
#include "sm/mbar.h"
#include "sm/printf.h"
#include "sm/rank.h"
#include "sm/texture.h"
#include "sm/untimed_data.h"
#include "sm/yield.h"

#include <stdlib.h>
#include <string.h>

/* Micro-ops of a warp in a row, while others of its block could run. Short, so that one
 * that waits for another's store in a loop does not do so for long; long enough to use
 * what it has in the caches of the host. */
enum { TURN = 1024 };

/* Of a block, before it lets other blocks and the host have their turn. */
enum { BLOCK_TURN = 64 * TURN };

/* A warp that reads the same in the same place so many times in a row, of what others
 * may change, waits for them: its turn is over. */
enum { POLLS = 4 };

struct untimed {
    struct smw_counters *count;
    uint64_t insts;    /* micro-ops run */
    sim_cycle_t begun; /* the cycle in which it began */
    uint32_t launch, max_blocks;
    struct sm_block *block;   /* by slot */
    uint8_t *local[WARP_MAX]; /* of each warp, made with its first block */
    struct poll {             /* of each warp: the last one */
        uint32_t pc, n, sum;
    } poll[WARP_MAX];
    bool waits; /* the warp that runs waits for others */
    struct untimed_pages pages;
    struct mem_req req; /* the one under way */
    struct tex_work texels;
};

void untimed_begin(struct sm *s, uint32_t launch, uint32_t max_blocks,
                   struct smw_counters *count)
{
    struct untimed *u = nomem_calloc(1, sizeof(*u));

    SIM_REQUIRE(s->scope.sim, !sm_is_busy(s), "untimed_begin");
    s->untimed = u;
    u->count = count;
    u->begun = sim_cycle(s->clock);
    u->launch = launch;
    u->max_blocks = max_blocks < s->n_slots ? max_blocks : s->n_slots;
    u->block = nomem_calloc(u->max_blocks, sizeof(u->block[0]));
    u->pages.memory = s->shared->memory;
    s->near = (struct memory_range){0}; /* the host may have changed what there is */
}

void untimed_end(struct sm *s)
{
    struct untimed *u = s->untimed;

    if (u == NULL) {
        return;
    }
    for (uint32_t k = 0; k < u->max_blocks; k++) {
        for (uint64_t m = s->block[k].txn == NULL ? 0 : s->block[k].warps; m != 0;
             m &= m - 1) {
            s->warps.warp[attr_lowest_bit(m)].hold = HOLD_FREE;
            s->free_warps |= m & -m;
        }
        s->block[k].txn = NULL;
    }
    for (uint32_t i = 0; i < WARP_MAX; i++) {
        free(u->local[i]);
    }
    free(u->block);
    free(u);
    s->untimed = NULL;
}

uint64_t untimed_insts(const struct sm *s)
{
    return s->untimed->insts;
}

uint32_t untimed_place(struct sm *s, const uint32_t ctaid[3], uint64_t index)
{
    struct untimed *u = s->untimed;
    const struct sm_launch *l = &s->shared->launch[u->launch];
    struct sm_block *b;
    uint32_t slot = 0;

    while (slot < u->max_blocks && s->block[slot].txn != NULL) {
        slot++;
    }
    if (slot == u->max_blocks) {
        return UNTIMED_NO_SLOT;
    }
    b = &u->block[slot];
    b->launch = (uint8_t)u->launch;
    b->sm = (uint8_t)s->index;
    b->index = index;
    memcpy(b->ctaid, ctaid, sizeof(b->ctaid));
    block_fill(s, b, slot, slot * l->shared_alloc);
    for (uint64_t m = s->block[slot].warps; m != 0; m &= m - 1) {
        uint32_t i = attr_lowest_bit(m);

        s->warps.warp[i].stats = u->count;
        if (l->local_bytes != 0 && u->local[i] == NULL) {
            u->local[i] = nomem_calloc(ISA_LANES, l->local_bytes);
        }
    }
    u->count->blocks++;
    u->count->warps += l->warps;
    return slot;
}

void untimed_peers(struct sm *s, uint32_t slot, const uint8_t peer[ISA_MAX_CLUSTER])
{
    memcpy(s->untimed->block[slot].peer, peer, ISA_MAX_CLUSTER);
}

/* ---- memory ---- */

/* Bytes that a thread has written have a value for whoever checks that. */
static ATTR_NOINLINE void tell_writes(struct sm *s, const struct mem_req *r)
{
    for (uint32_t m = r->op == MEM_LOAD ? 0 : r->mask; m != 0; m &= m - 1) {
        check_global_host(s->shared->check, r->addr[attr_lowest_bit(m)],
                          (uint64_t)r->size * r->vec);
    }
}

static void serve_shared(struct sm *s, uint32_t at, struct mem_req *r)
{
    uint32_t *base = smem_words(s->smem) + at / 4;
    struct mem_wave all;

    for (uint32_t i = 0; i < ARRAY_LEN(all.lanes); i++) {
        all.lanes[i] = r->mask;
    }
    all.order = r->op == MEM_STORE ? smem_store_order(s->smem) : 0;
    if (r->op >= MEM_ATOM) {
        smem_atom(base, r, &all);
    } else {
        smem_move(base, r, &all);
    }
}

/* Shared memory of another block of the cluster. */
static void serve_away(struct sm *s, uint32_t i, struct mem_req *r)
{
    struct sm *there = s->shared->sms[r->away.to];
    const struct block *k = rank_find(there, r);

    if (k == NULL) {
        fault_away(s, i, r);
        return;
    }
    serve_shared(there, k->base + s->shared->launch[r->launch].shared_base, r);
}

static void serve(struct sm *s, uint32_t i, struct mem_req *r)
{
    struct untimed *u = s->untimed;
    const struct warp *w = &s->warps.warp[i];

    switch ((enum isa_space)r->space) {
    case ISA_SP_SHARED: serve_shared(s, w->shared_base, r); break;
    case ISA_SP_CLUSTER: serve_away(s, i, r); break;
    case ISA_SP_GLOBAL:
        if (UNLIKELY(s->shared->check != NULL)) {
            tell_writes(s, r);
        }
        access_close_gaps(s, r);
        untimed_global(&u->pages, r);
        break;
    case ISA_SP_LOCAL: untimed_local(u->local[i], r); break;
    case ISA_SP_CONST:
        untimed_const(s->shared->launch[w->launch].module->const_image, r);
        break;
    case ISA_SP_GENERIC:
    case ISA_SP_PARAM:
    case ISA_SP_REG:
    case ISA_SP_TEXTURE: break;
    }
}

/* The warp has read what others may change: a volatile load, or an atomic. */
static void note_poll(struct untimed *u, uint32_t i, uint32_t pc,
                      const struct mem_req *r)
{
    struct poll *p = &u->poll[i];
    uint32_t sum = r->mask;

    for (uint32_t m = r->mask; m != 0; m &= m - 1) {
        sum = sum * 31 + r->d[0][attr_lowest_bit(m)];
    }
    if (p->pc != pc || p->sum != sum) {
        *p = (struct poll){.pc = pc, .sum = sum};
    } else if (++p->n >= POLLS) {
        p->n = 0;
        u->waits = true;
    }
}

/* False: the kernel is at fault. */
static bool run_access(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    struct mem_req *r = &s->untimed->req;

    while (mask != 0) { /* space after space, of generic addresses */
        enum access_way way = access_prepare(s, i, mask, r, &mask);

        if (way == ACCESS_FAULT) {
            return false;
        }
        if (way == ACCESS_MEMORY) {
            serve(s, i, r);
            if (r->op == MEM_LOAD || r->op == MEM_ATOM) {
                isa_load_data(w->head, &w->lanes, r->mask,
                              (const uint32_t(*)[ISA_LANES])r->d);
            }
            if (r->op == MEM_ATOM || (r->op == MEM_LOAD && r->bypass_l1)) {
                note_poll(s->untimed, i, w->pc, r);
            }
        }
    }
    return true;
}

static bool run_texture(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    struct untimed *un = s->untimed;

    while (mask != 0) { /* object after object */
        struct mem_req *r = &un->req;

        r->texture = &un->texels;
        switch (texture_prepare(s, i, mask, r, &mask)) {
        case ACCESS_FAULT: return false;
        case ACCESS_SERVED: continue;
        case ACCESS_MEMORY: break;
        }
        if (r->space == ISA_SP_TEXTURE) {
            untimed_texels(&un->pages, r->texture);
            tex_finish(r->texture, r->d);
        } else {
            serve(s, i, r);
        }
        if (r->op == MEM_LOAD) {
            isa_load_data(w->head, &w->lanes, r->mask,
                          (const uint32_t(*)[ISA_LANES])r->d);
        }
    }
    return true;
}

static bool run_printf(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    const struct syscall_args a = printf_call(s, i);
    struct mem_req *r = &s->untimed->req;

    if (mask == 0) {
        return true;
    }
    if (!printf_begin(s, i, mask, &a)) {
        return false;
    }
    while (!syscall_has_all(w->call)) {
        if (!printf_args(s, i, mask, &a, r)) {
            return false;
        }
        serve(s, i, r);
        syscall_take(w->call, mask, r->d[0]);
    }
    printf_print(s, i, mask, &a);
    return true;
}

/* ---- instructions ---- */

static void read_clock(struct sm *s, struct warp *w, uint64_t insts)
{
    w->env.clock = s->untimed->begun + insts;
    w->env.globaltimer = sim_edge(s->clock, w->env.clock) / 1000;
}

/* ---- copies and mbarriers: at once ---- */

/* False: the kernel is at fault. */
static bool run_copy(struct sm *s, uint32_t i, uint32_t mask)
{
    struct mem_req *r = &s->untimed->req;
    struct mem_copy c;

    if (mask == 0) {
        return true;
    }
    if (!copy_prepare(s, i, mask, r, &c)) {
        return false;
    }
    if (r->mask != 0) {
        serve(s, i, r);
    }
    lsu_land(r);
    serve(s, i, r);
    return true;
}

static bool run_mbarrier(struct sm *s, uint32_t i, uint32_t mask)
{
    const struct isa_uop *u = s->warps.warp[i].head;
    const enum isa_sub sub = (enum isa_sub)u->form.sub;
    struct mem_req *r = &s->untimed->req;

    if (mask == 0) {
        return true;
    }
    if (!mbar_prepare(s, i, mask, r)) {
        return false;
    }
    if (u->kind == ISA_K_LATE && (u->form.flags & ISA_F_NOINC) == 0) {
        return true; /* one more, and one less */
    }
    serve(s, i, r);
    if (sub == ISA_S_TEST || sub == ISA_S_TRY) {
        s->untimed->waits = mbar_answer(s, r) != 0;
    } else {
        isa_load_data(u, &s->warps.warp[i].lanes, r->mask,
                      (const uint32_t(*)[ISA_LANES])r->d);
    }
    return true;
}

/* Instructions that only compute, one after the other: up to n of them, as far as the
 * warp goes straight on. Returns how many. */
static uint32_t run_straight(struct sm *s, struct warp *w, uint32_t i, uint32_t n)
{
    const struct isa_uop *u = w->head, *from = u;
    const struct isa_uop *end = w->reconv == ISA_NO_PC ? NULL : w->uops + w->reconv;
    const uint32_t active = w->active, n_active = w->n_active;
    uint64_t insts = 0, threads = 0;
    bool held = false;

    for (; n != 0 && u->kind == ISA_K_ALU && u != end; n--, u++) {
        const uint32_t mask = isa_guarded(u, &w->lanes, active);

        if (UNLIKELY(u->aside != 0)) {
            held = (u->aside != ISA_ASIDE_ALL || mask != w->live) &&
                   yield_may_hold(s, w, u, mask);
            if (held) {
                break;
            }
            if ((u->aside & ISA_ASIDE_CLOCK) != 0) {
                read_clock(s, w, s->untimed->insts + (uint64_t)(u - from));
            }
        }
        if (LIKELY(!u->part)) {
            insts++;
            threads += mask == active ? n_active : bits_count(mask);
        }
        if (LIKELY(mask != 0)) {
            u->exec(u, &w->lanes, mask);
        }
    }
    if (u != from) {
        w->stats->warp_insts += insts;
        w->stats->thread_insts += threads;
        w->pc += (uint32_t)(u - from) - 1;
        w->head = u - 1;
        flow_next(s, w, i, w->head);
    }
    if (UNLIKELY(held) && w->head == u) {
        flow_count(w, u, isa_guarded(u, &w->lanes, active));
        (void)yield_sync(s, i, isa_guarded(u, &w->lanes, active));
    }
    return (uint32_t)(u - from) + held;
}

static void run_leave(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];

    flow_leave(s, i, mask);
    if (w->live == 0) {
        s->block[w->slot].n_live--;
        meet_exit(s, w->slot);
    }
}

static void run_seq(struct sm *s, struct warp *w, uint32_t i, uint32_t mask)
{
    const struct isa_uop *u = w->head;

    if (UNLIKELY(u->aside != 0) && mask != 0 && yield_holds(s, i, u, mask)) {
        return;
    }
    if (mask != 0) {
        (void)flow_seq(w, u, mask);
    }
    flow_next(s, w, i, u);
}

/* The next instruction of warp i. */
static void run_one(struct sm *s, uint32_t i)
{
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;
    const uint32_t mask = isa_guarded(u, &w->lanes, w->active);

    flow_count(w, u, mask);
    if (UNLIKELY(u->aside != 0) &&
        (yield_polls(s, i, u, mask) || yield_holds_whole(s, i, u, mask))) {
        return;
    }
    switch ((enum isa_kind)u->kind) {
    case ISA_K_ALU: break;
    case ISA_K_SEQ: run_seq(s, w, i, mask); break;
    case ISA_K_LOAD:
    case ISA_K_STORE:
    case ISA_K_ATOM:
    case ISA_K_RED:
        if (run_access(s, i, mask)) {
            flow_next(s, w, i, u);
        }
        break;
    case ISA_K_LOAD_ROWS:
    case ISA_K_STORE_ROWS:
        if (run_access(s, i, mask & isa_row_lanes(u->n_tiles))) {
            flow_next(s, w, i, u);
        }
        break;
    case ISA_K_TEXTURE:
        if (run_texture(s, i, mask)) {
            flow_next(s, w, i, u);
        }
        break;
    case ISA_K_COPY:
        if (run_copy(s, i, mask)) {
            flow_next(s, w, i, u);
        }
        break;
    case ISA_K_BULK:
        if (mask == 0 || bulk_run(s, i, mask, serve)) {
            flow_next(s, w, i, u);
        }
        break;
    case ISA_K_TX: break;
    case ISA_K_LATE:
    case ISA_K_MBAR:
        if (run_mbarrier(s, i, mask)) {
            flow_next(s, w, i, u);
        }
        break;
    case ISA_K_GROUP: flow_next(s, w, i, u); break;
    case ISA_K_GMMA:
        if (gmma_compute(s, i, mask)) {
            flow_next(s, w, i, u);
        }
        break;
    case ISA_K_PRINTF:
        if (run_printf(s, i, mask)) {
            flow_next(s, w, i, u);
        }
        break;
    case ISA_K_BAR:
        if (mask == 0 || meet_arrive(s, i, mask)) {
            flow_next(s, w, i, u);
        }
        break;
    case ISA_K_BRANCH: (void)flow_branch(s, i, mask); break;
    case ISA_K_BRX: (void)flow_brx(s, i, mask); break;
    case ISA_K_CALL: (void)flow_call(s, i, mask); break;
    case ISA_K_RET:
    case ISA_K_EXIT: run_leave(s, i, mask); break;
    case ISA_K_TRAP: flow_stop(s, i, mask); break;
    case ISA_K_NOP:
        if (UNLIKELY(u->aside != 0) && yield_holds(s, i, u, mask)) {
            break;
        }
        s->untimed->waits = u->form.op == ISA_OP_NANOSLEEP;
        yield_next(s, i, u);
        break;
    case ISA_K_CLUSTER:
        if (mask == 0 || cluster_meet(s, i, mask)) {
            flow_next(s, w, i, u);
        }
        break;
    case ISA_K_FENCE: flow_next(s, w, i, u); break;
    }
}

/* Up to n micro-ops of warp i. True: it could go on. */
static bool run_warp(struct sm *s, uint32_t i, uint32_t n)
{
    struct warp *w = &s->warps.warp[i];

    s->untimed->waits = false;
    while (w->hold == 0 && n != 0 && !s->untimed->waits) {
        uint32_t ran = run_straight(s, w, i, n);

        s->untimed->insts += ran;
        n -= ran;
        if (n != 0 && w->hold == 0 && w->head->kind != ISA_K_ALU) {
            run_one(s, i);
            s->untimed->insts++;
            n--;
        }
    }
    return w->hold == 0;
}

/* Its warps in turn, once each. *ran: one could; *tired: one could go on. False: the
 * kernel is at fault. */
static bool run_round(struct sm *s, const struct block *k, bool *ran, bool *tired)
{
    *ran = *tired = false;
    for (uint64_t m = k->warps; m != 0; m &= m - 1) {
        uint32_t i = attr_lowest_bit(m);
        const struct warp *w = &s->warps.warp[i];

        if (w->hold == 0) {
            *ran = true;
            *tired = run_warp(s, i, TURN) || *tired;
            if ((w->hold & HOLD_FAULT) != 0) {
                return false;
            }
        }
    }
    return true;
}

enum untimed_state untimed_run(struct sm *s, uint32_t slot)
{
    struct block *k = &s->block[slot];
    struct check *check = s->check;
    const uint64_t end = s->untimed->insts + BLOCK_TURN;
    bool fine, ran, tired;

    s->check = NULL; /* it hears of nothing */
    do {
        fine = run_round(s, k, &ran, &tired);
    } while (fine && ran && !tired && s->untimed->insts < end);
    s->check = check;
    if (!fine) {
        return UNTIMED_FAULT;
    }
    if (k->n_live != 0 && k->in_cluster && cluster_has_come(s, k)) {
        return UNTIMED_MEETS;
    }
    if (k->n_live != 0) {
        return ran ? UNTIMED_GOES_ON : UNTIMED_WAITS;
    }
    s->free_warps |= k->warps;
    k->txn = NULL;
    return UNTIMED_ENDED;
}

void untimed_go_on(struct sm *s, uint32_t slot)
{
    cluster_go_on(s, &s->block[slot]);
}
