#include "sm/access.h"

#include "mem/tex.h"
#include "sm/block.h"
#include "sm/fault.h"
#include "sm/rank.h"
#include "sm/show.h"
#include "sm/spin.h"
#include "sm/watch.h"

#include <string.h>

/* ---- where an access goes ---- */

struct window {
    uint64_t base;
    enum isa_space space;
};

static const struct window windows[] = {
    {ISA_SHARED_WINDOW, ISA_SP_SHARED},
    {ISA_LOCAL_WINDOW, ISA_SP_LOCAL},
    {ISA_CONST_WINDOW, ISA_SP_CONST},
    {ISA_PARAM_WINDOW, ISA_SP_PARAM},
};

/* The window a generic address lies in; base 0 is global memory. */
static struct window window_of(uint64_t addr)
{
    for (uint32_t i = 0; i < ARRAY_LEN(windows); i++) {
        if (addr - windows[i].base < ISA_WINDOW_SIZE) {
            return windows[i];
        }
    }
    return (struct window){0, ISA_SP_GLOBAL};
}

/* SPEC GENERIC-1: lanes of mask in the space of the first one; their addresses become
 * addresses of that space. */
static uint32_t resolve_generic(uint64_t addr[ISA_LANES], uint32_t mask,
                                enum isa_space *space)
{
    struct window first = window_of(addr[__builtin_ctz(mask)]);
    uint32_t same = 0;

    for (uint32_t m = mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);

        if (window_of(addr[lane]).space == first.space) {
            same |= 1u << lane;
            addr[lane] -= first.base;
        }
    }
    *space = first.space;
    return same;
}

/* ---- bounds and alignment (SPEC FAULT-1..3) ---- */

/* Addresses a thread may access in a space: from *lo up to the one returned. */
static uint64_t space_limit(const struct sm *s, const struct mem_req *r, uint64_t *lo)
{
    const struct sm_launch *l = &s->shared->launch[r->launch];
    const struct ptx_shared_var *v;

    switch ((enum isa_space)r->space) {
    case ISA_SP_CLUSTER: return l->shared_bytes;
    case ISA_SP_SHARED:
        if (r->uop->target == 0 || !s->shared->checks) {
            return l->shared_bytes;
        }
        v = &l->kernel->shared[r->uop->target - 1];
        *lo = v->offset;
        return v->size != 0 ? v->offset + v->size : l->shared_bytes;
    case ISA_SP_LOCAL: return l->local_bytes;
    case ISA_SP_CONST: return l->module->const_bytes;
    case ISA_SP_GLOBAL:
    case ISA_SP_GENERIC:
    case ISA_SP_PARAM:
    case ISA_SP_REG:
    case ISA_SP_TEXTURE: break;
    }
    return 0;
}

static bool lane_is_global(struct sm *s, uint64_t addr, uint32_t bytes)
{
    struct memory_range n;

    if (!memory_locate(s->shared->memory, addr, &n) ||
        n.bytes - (addr - n.addr) < bytes) {
        return false;
    }
    s->near = n;
    return true;
}

/* All bits that an offset from lo has in any lane: no offset is larger. */
static inline uint64_t offset_bits(const struct mem_req *r, uint64_t lo)
{
    uint64_t bits = 0;

    if (LIKELY(r->mask == UINT32_MAX)) {
        for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
            bits |= r->addr[lane] - lo;
        }
    } else {
        for (uint32_t m = r->mask; m != 0; m &= m - 1) {
            bits |= r->addr[attr_lowest_bit(m)] - lo;
        }
    }
    return bits;
}

/* Does every lane access aligned bytes between lo and hi? Addresses and bounds are far
 * from the ends of the 64 bits, so that a difference below 0 shows in its sign. */
static ATTR_NOINLINE bool each_inside(const struct mem_req *r, uint64_t lo, uint64_t hi,
                                      uint32_t bytes)
{
    uint64_t last = hi - bytes; /* the last address that may be accessed */
    uint64_t wrong = 0, odd = 0;

    if (r->mask == UINT32_MAX) {
        for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
            uint64_t a = r->addr[lane];

            wrong |= (a - lo) | (last - a) | a;
            odd |= a;
        }
    } else {
        for (uint32_t m = r->mask; m != 0; m &= m - 1) {
            uint64_t a = r->addr[__builtin_ctz(m)];

            wrong |= (a - lo) | (last - a) | a;
            odd |= a;
        }
    }
    return wrong >> 63 == 0 && (odd & (bytes - 1)) == 0;
}

/* The same. Mostly the bits of all offsets together are an offset inside. */
static inline bool lanes_inside(const struct mem_req *r, uint64_t lo, uint64_t hi,
                                uint32_t bytes)
{
    const uint64_t bits = offset_bits(r, lo), size = hi - lo;

    return LIKELY(bits < size && size - bits >= bytes &&
                  ((bits | lo) & (bytes - 1)) == 0) ||
           each_inside(r, lo, hi, bytes);
}

/* In the allocation that was accessed last? */
static inline bool inside_near(const struct sm *s, const struct mem_req *r,
                               uint32_t bytes)
{
    return lanes_inside(r, s->near.addr, s->near.addr + s->near.bytes, bytes);
}

/* Fault on the first lane that is not inside what it may access; true if none. */
static ATTR_NOINLINE bool check_lanes(struct sm *s, uint32_t i, const struct mem_req *r,
                                      uint64_t lo, uint64_t limit)
{
    uint32_t bytes = (uint32_t)r->size * r->vec;

    for (uint32_t m = r->mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        uint64_t a = r->addr[lane];

        if ((a & (bytes - 1)) != 0) {
            fault_misaligned(s, i, r, lane);
            return false;
        }
        if (r->space == ISA_SP_GLOBAL ? !lane_is_global(s, a, bytes)
                                      : a < lo || a >= limit || limit - a < bytes) {
            fault_bounds(s, i, r, lane, limit);
            return false;
        }
    }
    return true;
}

/* The same of a load that several were joined to: one after the other, and what faults
 * is the one that does. */
static ATTR_NOINLINE bool check_parts(struct sm *s, uint32_t i, const struct mem_req *r,
                                      uint64_t lo, uint64_t limit)
{
    struct warp *const w = &s->warps.warp[i];
    const uint32_t pc = w->pc;
    struct mem_req part = *r;
    bool inside = true;

    part.vec = 1;
    for (uint32_t k = 0; k < r->vec && inside; k++) {
        w->pc = r->uop->parts[k];
        inside = check_lanes(s, i, &part, lo, limit);
        for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
            part.addr[lane] += r->size;
        }
    }
    w->pc = pc;
    return inside;
}

/* Is every lane inside what it may access? Faults on the first that is not. */
bool access_is_inside(struct sm *s, uint32_t i, const struct mem_req *r)
{
    uint32_t bytes = (uint32_t)r->size * r->vec;
    uint64_t lo = 0, limit = 0;

    if (r->space == ISA_SP_GLOBAL) {
        if (LIKELY(inside_near(s, r, bytes)) ||
            (lane_is_global(s, r->addr[attr_lowest_bit(r->mask)], bytes) &&
             inside_near(s, r, bytes))) {
            return true;
        }
    } else {
        limit = space_limit(s, r, &lo);
        if (LIKELY(lanes_inside(r, lo, limit, bytes))) {
            return true;
        }
    }
    return r->uop->parts != NULL ? check_parts(s, i, r, lo, limit)
                                 : check_lanes(s, i, r, lo, limit);
}

void access_close_all(const struct sm *s, struct mem_req *r)
{
    if (LIKELY(lanes_inside(r, s->near.addr, s->near.addr + s->near.bytes, 1))) {
        for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
            r->addr[lane] -= s->near.shift; /* of the others nobody asks */
        }
        return;
    }
    for (uint32_t m = r->mask; m != 0; m &= m - 1) {
        uint64_t *a = &r->addr[attr_lowest_bit(m)];
        bool near = *a - s->near.addr < s->near.bytes;

        *a = near ? *a - s->near.shift : memory_back(s->shared->memory, *a);
    }
}

/* What a generic address may lead to: constants are not written, and atomics are of
 * global and shared memory. */
static bool space_offers(struct sm *s, uint32_t i, const struct mem_req *r)
{
    uint32_t lane = (uint32_t)__builtin_ctz(r->mask);

    if (LIKELY(r->op == MEM_LOAD) ||
        (r->space != ISA_SP_CONST &&
         (r->space != ISA_SP_LOCAL || r->op == MEM_STORE))) {
        return true;
    }
    fault_invalid(s, i, r, lane,
                  r->space == ISA_SP_CONST ? "constant memory is read only"
                                           : "local memory has no atomics");
    return false;
}

/* ---- issue ---- */

void access_count(struct sm *s, const struct mem_req *r)
{
    struct smw_counters *c = s->warps.warp[r->warp].stats;
    bool load = r->op == MEM_LOAD, store = r->op == MEM_STORE;

    switch ((enum isa_space)r->space) {
    case ISA_SP_CLUSTER:
    case ISA_SP_SHARED:
        c->sh_ld_insts += load;
        c->sh_st_insts += store;
        c->sh_at_insts += !load && !store;
        break;
    case ISA_SP_GLOBAL:
        c->gl_ld_insts += load;
        c->gl_st_insts += store;
        c->gl_at_insts += !load && !store;
        break;
    case ISA_SP_LOCAL:
        c->lo_ld_insts += load;
        c->lo_st_insts += store;
        break;
    case ISA_SP_CONST: c->const_insts += load; break;
    case ISA_SP_GENERIC:
    case ISA_SP_PARAM:
    case ISA_SP_REG:
    case ISA_SP_TEXTURE: break;
    }
}

static enum mem_op op_of(const struct isa_uop *u)
{
    static const uint8_t op[ISA_K_NOP + 1] = {
        [ISA_K_STORE] = MEM_STORE, [ISA_K_STORE_ROWS] = MEM_STORE,
        [ISA_K_ATOM] = MEM_ATOM,   [ISA_K_RED] = MEM_RED,
        [ISA_K_LATE] = MEM_ATOM,   [ISA_K_MBAR] = MEM_ATOM};

    return (enum mem_op)op[u->kind]; /* the others read */
}

static bool bypasses(const struct isa_uop *u)
{
    return u->form.cache == ISA_CACHE_CG || u->form.cache == ISA_CACHE_CV ||
           (u->form.flags & ISA_F_VOLATILE) != 0;
}

/* Everything of a request but its mask, space and addresses. */
void access_describe(struct sm *s, uint32_t i, struct mem_req *r)
{
    const struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;

    r->uop = u;
    r->op = (uint8_t)op_of(u);
    r->size = u->size;
    r->vec = u->form.vec == 0 ? 1 : u->form.vec;
    r->words = (uint8_t)(r->vec << (u->size == 8));
    r->launch = w->launch;
    r->warp = (uint8_t)i;
    r->slot = w->slot;
    r->bypass_l1 = bypasses(u);
    r->read_only = u->form.cache == ISA_CACHE_NC;
    r->id = (uint32_t)s->issued;
    r->block = w->block;
    r->block_warp = (uint8_t)(w->thread0 / ISA_LANES);
    r->bank_mode = w->bank_mode;
    r->pc = w->pc;
    r->frame_slot = w->frame_slot;
    r->frame_pred = w->frame_pred;
    r->pending = 0;
    r->at[MEM_AT_ISSUE] = s->warps.now;
}

/* A locked atomic is a loop of the warp's own: nothing else is issued until it is done,
 * so that its last rounds come before whatever follows (SPEC BANK-5). */
static bool is_locked_loop(const struct sm *s, const struct mem_req *r)
{
    return r->space == ISA_SP_SHARED && r->op >= MEM_ATOM &&
           s->shared->rules->atomics != RULES_ATOMICS_NATIVE;
}

/* SPEC TIME-1: the end of a block may come before the answers of its stores. */
static inline bool is_posted(const struct sm *s, const struct mem_req *r)
{
    return !s->cfg.sm.exit_waits && (r->op == MEM_STORE || r->op == MEM_RED) &&
           (r->space == ISA_SP_GLOBAL || r->space == ISA_SP_LOCAL);
}

void access_send(struct sm *s, uint32_t i, struct mem_req *r)
{
    struct warp *w = &s->warps.warp[i];

    r->base = r->space == ISA_SP_SHARED ? w->shared_base : w->local_base;
    if (is_locked_loop(s, r)) {
        w->hold |= HOLD_ATOMIC;
    }
    w->outstanding++;
    s->block[w->slot].outstanding++;
    if (is_posted(s, r)) {
        s->block[w->slot].posted++;
        s->block[w->slot].txn->posts = true;
        s->block[w->slot].stores += r->op == MEM_STORE;
    }
    if (r->space == ISA_SP_SHARED &&
        (s->ahead || (s->n_bulk == 0 && !s->shared->in_step &&
                      sim_open(&s->to_lsu, r, s->warps.now) != SIM_CYCLE_NONE))) {
        r->polled = true;
        sim_hand(&s->to_lsu, r);
    } else {
        sim_send(&s->to_lsu, r);
    }
}

/* Generic loads of kernel parameters: the constant path already has them. */
static void load_params(struct sm *s, uint32_t i, struct mem_req *r)
{
    struct warp *w = &s->warps.warp[i];
    uint32_t bytes = (uint32_t)r->size * r->vec;

    for (uint32_t m = r->mask; m != 0; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        uint64_t a = r->addr[lane];

        if (r->op != MEM_LOAD || a >= w->env.param_bytes ||
            w->env.param_bytes - a < bytes) {
            fault_bounds(s, i, r, lane, w->env.param_bytes);
            return;
        }
        for (uint32_t k = 0; k < r->words; k++) {
            uint32_t n = r->size < 4 ? r->size : 4;

            r->d[k][lane] = 0;
            memcpy(&r->d[k][lane], w->env.param + a + (size_t)k * n, n);
        }
    }
    isa_load_data(r->uop, &w->lanes, r->mask, (const uint32_t(*)[ISA_LANES])r->d);
}

/* A request of memory whose lanes are known: in the counters, with the data it
 * brings. */
static inline void count_and_fill(struct sm *s, struct mem_req *r)
{
    access_count(s, r);
    if (r->op != MEM_LOAD) {
        isa_store_data(r->uop, &s->warps.warp[r->warp].lanes, r->mask, r->d);
    }
}

/* What the lanes in mask ask for becomes request r, as far as it has one space; *rest:
 * the lanes of others. */
enum access_way access_prepare(struct sm *s, uint32_t i, uint32_t mask,
                               struct mem_req *r, uint32_t *rest)
{
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;
    enum isa_space space = (enum isa_space)u->form.space;

    *rest = 0;
    isa_addresses(u, &w->lanes, mask, r->addr);
    if (space == ISA_SP_GENERIC) {
        uint32_t same = resolve_generic(r->addr, mask, &space);

        if (space == ISA_SP_SHARED && w->env.cluster.size != 0) {
            same = rank_resolve(s, i, same, r, &space);
        }
        *rest = mask & ~same;
        mask = same;
    }
    access_describe(s, i, r);
    r->mask = mask;
    r->space = (uint8_t)space;
    if (space == ISA_SP_PARAM) {
        load_params(s, i, r);
        return (w->hold & HOLD_FAULT) == 0 ? ACCESS_SERVED : ACCESS_FAULT;
    }
    if (!space_offers(s, i, r) || !access_is_inside(s, i, r)) {
        return ACCESS_FAULT;
    }
    count_and_fill(s, r); /* without lanes in another space, which are a later access */
    return ACCESS_MEMORY;
}

/* Checks see the request; then its addresses are those of the bytes. */
static inline void look(struct sm *s, uint32_t i, struct mem_req *r)
{
    if (UNLIKELY(s->spin != NULL)) {
        spin_access(s, i, r);
    }
    if (UNLIKELY(s->check != NULL)) {
        watch_access(s, i, r);
    }
    access_close_gaps(s, r);
}

void access_expect(struct warp *w, struct mem_req *r)
{
    const struct isa_uop *u = r->uop;

    w->pend |= u->sets;
    w->pend_p |= u->sets_p;
    w->pend_mem |= u->sets;
    w->pend_mem_p |= u->sets_p;
    if (r->space == ISA_SP_SHARED) {
        w->pend_near |= u->sets;
        w->pend_near_p |= u->sets_p;
        w->near = (u->sets | u->sets_p) != 0 ? r : w->near;
    } else if (r->space == ISA_SP_CONST) {
        w->pend_const |= u->sets;
    } else if (r->space == ISA_SP_LOCAL) {
        w->pend_local |= u->sets;
    }
}

/* A request for the next instruction of w. */
static struct mem_req *take_req(struct sm *s, const struct warp *w)
{
    const struct isa_uop *u = w->head;
    const bool word = (u->kind == ISA_K_LOAD || u->kind == ISA_K_STORE) &&
                      u->size != 8 && u->form.vec <= 1;

    return sim_pool_take(word ? &s->word_reqs : &s->reqs);
}

bool access_prepare_ahead(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    struct mem_req *r = take_req(s, w);
    uint64_t lo = 0, limit;

    access_describe(s, i, r);
    r->mask = mask;
    r->space = ISA_SP_SHARED;
    isa_addresses(r->uop, &w->lanes, mask, r->addr);
    limit = space_limit(s, r, &lo);
    if (!lanes_inside(r, lo, limit, (uint32_t)r->size * r->vec) ||
        sim_open(&s->to_lsu, r, s->warps.now) == SIM_CYCLE_NONE) {
        sim_pool_give(r);
        return false;
    }
    s->prepared = r;
    return true;
}

static void issue_prepared(struct sm *s, uint32_t i)
{
    struct warp *w = &s->warps.warp[i];
    struct mem_req *r = s->prepared;

    r->id = (uint32_t)s->issued;
    count_and_fill(s, r);
    access_expect(w, r);
    access_send(s, i, r);
    w->replay = 0;
}

bool access_issue(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    struct mem_req *r;
    uint32_t rest;
    enum access_way way;

    if (s->ahead) {
        issue_prepared(s, i);
        return true;
    }
    r = take_req(s, w);
    way = access_prepare(s, i, mask, r, &rest);
    if (way != ACCESS_MEMORY) {
        sim_pool_give(r);
        w->replay = way == ACCESS_SERVED ? rest : w->replay;
        return way == ACCESS_SERVED && rest == 0;
    }
    access_send_expected(s, i, r);
    w->replay = rest;
    return rest == 0;
}

bool access_is_global(struct sm *s, uint64_t addr, uint64_t bytes)
{
    return lane_is_global(s, addr, 1) && bytes <= s->near.bytes - (addr - s->near.addr);
}

void access_send_expected(struct sm *s, uint32_t i, struct mem_req *r)
{
    look(s, i, r);
    access_expect(&s->warps.warp[i], r);
    access_send(s, i, r);
}

/* ---- answers ---- */

/* What access_expect() said is here. */
static inline void arrived(struct warp *w, const struct mem_req *r)
{
    const struct isa_uop *u = r->uop;

    w->pend &= ~u->sets;
    w->pend_p &= ~u->sets_p;
    w->pend_mem &= ~u->sets;
    w->pend_mem_p &= ~u->sets_p;
    w->pend_near &= ~u->sets;
    w->pend_near_p &= ~u->sets_p;
    w->pend_const &= ~u->sets;
    w->pend_local &= ~u->sets;
    w->near = w->near == r ? NULL : w->near;
}

void access_done(struct sm *s, struct mem_req *r)
{
    uint32_t i = r->warp;
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = r->uop;
    struct block *k = &s->block[r->slot];
    const bool posted = is_posted(s, r);

    if (UNLIKELY(s->spin != NULL)) {
        spin_answered(s, r);
    }
    if (r->op == MEM_DRAIN) {
        block_drained(s, r->slot);
        sim_pool_give(r);
        return;
    }
    if (u->kind == ISA_K_PRINTF) {
        syscall_take(w->call, r->mask, r->d[0]);
    } else if (r->op == MEM_LOAD || r->op == MEM_ATOM) {
        struct isa_lanes lanes = w->lanes;

        lanes.r = w->reg + (size_t)r->frame_slot * ISA_LANES;
        lanes.p = w->pred + r->frame_pred;
        if (UNLIKELY(r->space == ISA_SP_TEXTURE)) {
            tex_finish(r->texture, r->d);
            sim_pool_give(r->texture);
        }
        isa_load_data(u, &lanes, r->mask, (const uint32_t(*)[ISA_LANES])r->d);
        arrived(w, r);
        if (UNLIKELY(s->check != NULL)) {
            watch_answer(s, r);
        }
    }
    w->outstanding--;
    k->outstanding--;
    k->posted -= posted;
    k->stores -= posted && r->op == MEM_STORE;
    if (w->outstanding == 0 || is_locked_loop(s, r)) {
        if (UNLIKELY((w->hold & HOLD_FORGET) != 0)) {
            l1_invalidate(s->l1);
        }
        if (UNLIKELY(s->check != NULL)) {
            watch_own_over(s, i);
        }
        w->hold &= ~(uint32_t)HOLD_OWN;
    }
    sim_pool_give(r);
    warp_look(s, w, i);
    if (k->outstanding == k->posted) {
        block_finish(s, w->slot);
    }
}
