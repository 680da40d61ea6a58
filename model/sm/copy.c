#include "sm/copy.h"

#include "sm/access.h"
#include "sm/block.h"
#include "sm/fault.h"
#include "sm/lsu_data.h"
#include "sm/mbar.h"
#include "sm/show.h"
#include "sm/watch.h"

#include <string.h>

/* ---- what is copied, and where ---- */

/* Addresses in global memory. */
static void sources(const struct isa_uop *u, const struct isa_lanes *w,
                    uint64_t addr[ISA_LANES])
{
    const uint32_t *base = warp_operand(w, u->src[0]);
    const uint32_t *k = warp_operand(w, u->src[1]);
    const uint64_t offset = k[0] | (uint64_t)k[1] << 32;

    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        if (u->dst_bits == 64) {
            addr[lane] = (base[2 * lane] | (uint64_t)base[2 * lane + 1] << 32) + offset;
        } else {
            addr[lane] = base[lane] + (uint32_t)offset;
        }
    }
}

/* SPEC ASYNC-1: bytes that each lane reads. Returns the lanes that read any. */
static uint32_t sizes(const struct isa_uop *u, const struct isa_lanes *w, uint32_t mask,
                      uint8_t bytes[ISA_LANES])
{
    const uint32_t most = 4u * u->form.vec;
    const uint32_t *size = u->src[2] == ISA_NO_REF ? NULL : warp_operand(w, u->src[2]);
    uint32_t none = u->dst2 == ISA_NO_REF ? 0 : w->p[u->dst2];
    uint32_t some = 0;

    none = (u->neg_src & 1u) != 0 ? ~none : none;
    for (uint32_t m = mask; m != 0; m &= m - 1) {
        uint32_t lane = attr_lowest_bit(m);
        uint32_t n = size == NULL || size[lane] > most ? most : size[lane];

        bytes[lane] = (uint8_t)((none >> lane & 1u) != 0 ? 0 : n);
        some |= (uint32_t)(bytes[lane] != 0) << lane;
    }
    return some;
}

static bool reads_all(const struct mem_copy *c, uint32_t mask, uint32_t bytes)
{
    for (uint32_t m = mask; m != 0; m &= m - 1) {
        if (c->bytes[attr_lowest_bit(m)] != bytes) {
            return false;
        }
    }
    return true;
}

/* Lanes that read less than the whole are inside with what they read; aligned they are
 * as all. */
static bool source_is_inside(struct sm *s, uint32_t i, struct mem_req *r,
                             const struct mem_copy *c)
{
    const uint32_t most = 4u * r->vec, all = r->mask;
    const uint8_t vec = r->vec;
    uint32_t part = 0;
    bool inside = true;

    for (uint32_t m = all; m != 0; m &= m - 1) {
        uint32_t lane = attr_lowest_bit(m);

        part |= (uint32_t)(c->bytes[lane] < most) << lane;
    }
    r->mask = all & ~part;
    inside = r->mask == 0 || access_is_inside(s, i, r);
    for (; part != 0 && inside; part &= part - 1) {
        uint32_t lane = attr_lowest_bit(part);
        const uint64_t first = r->addr[lane];

        r->mask = 1u << lane;
        if ((first & (most - 1)) != 0) {
            inside = access_is_inside(s, i, r);
            break;
        }
        r->size = r->vec = 1;
        for (uint32_t b = 0; b < c->bytes[lane] && inside; b++) {
            r->addr[lane] = first + b;
            inside = access_is_inside(s, i, r);
        }
        r->addr[lane] = first;
        r->size = 4;
        r->vec = vec;
    }
    r->mask = all;
    return inside;
}

bool copy_prepare(struct sm *s, uint32_t i, uint32_t mask, struct mem_req *r,
                  struct mem_copy *c)
{
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;

    access_describe(s, i, r);
    r->mask = mask;
    r->op = MEM_STORE;
    r->space = ISA_SP_SHARED;
    isa_addresses(u, &w->lanes, mask, r->addr);
    if (!access_is_inside(s, i, r)) {
        return false;
    }
    for (uint32_t lane = 0; lane < ISA_LANES; lane++) {
        c->to[lane] = (uint32_t)r->addr[lane];
    }
    if (UNLIKELY(s->check != NULL)) {
        watch_copy(s, i, r);
    }
    c->mask = mask;
    c->base = w->shared_base;
    r->copy = c;
    r->op = MEM_LOAD;
    r->space = ISA_SP_GLOBAL;
    r->mask = sizes(u, &w->lanes, mask, c->bytes);
    sources(u, &w->lanes, r->addr);
    memcpy(c->from, r->addr, sizeof(c->from));
    c->some = r->mask;
    c->past_l1 = r->bypass_l1 && reads_all(c, mask, 4u * r->vec);
    if (r->mask != 0 && !source_is_inside(s, i, r, c)) {
        return false;
    }
    if (UNLIKELY(s->check != NULL)) {
        watch_source(s, i, r);
    }
    w->stats->cp_insts++;
    return true;
}

/* ---- time ---- */

bool copy_issue(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    struct mem_req *r = sim_pool_take(&s->reqs);
    struct mem_copy *c = sim_pool_take(&s->copies);

    if (!copy_prepare(s, i, mask, r, c)) {
        sim_pool_give(c);
        sim_pool_give(r);
        return false;
    }
    async_add(async_of(&w->async), c);
    if (r->mask == 0) {
        lsu_land(r); /* nothing is read: zeros are stored */
    } else {
        access_close_gaps(s, r);
    }
    s->n_copies++;
    s->block[w->slot].outstanding++;
    sim_send(&s->to_lsu, r);
    show_async(s);
    return true;
}

void copy_group(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;
    struct async *a = async_of(&w->async);

    if (UNLIKELY(s->check != NULL)) {
        watch_group(s, i, mask);
    }
    if (u->form.sub != ISA_S_WAIT) { /* wait_all is commit_group and wait_group 0 */
        async_commit(a, mask);
    }
    if (u->form.sub == ISA_S_COMMIT) {
        show_async(s);
        return;
    }
    if (async_must_wait(a, mask, (uint32_t)u->imm)) {
        a->wait_lanes = mask;
        a->wait_groups = (uint32_t)u->imm;
        w->hold |= HOLD_ASYNC;
    }
}

static void copy_done(struct sm *s, struct mem_req *r)
{
    const uint32_t i = r->warp, slot = r->slot;
    struct warp *w = &s->warps.warp[i];
    struct block *k = &s->block[slot];
    struct async *a = w->async;

    async_remove(a, r->copy);
    sim_pool_give(r->copy);
    sim_pool_give(r);
    s->n_copies--;
    k->outstanding--;
    if ((w->hold & HOLD_ASYNC) != 0 &&
        !async_must_wait(a, a->wait_lanes, a->wait_groups)) {
        w->hold &= ~(uint32_t)HOLD_ASYNC;
        warp_look(s, w, i);
    }
    if (UNLIKELY(a->late.first != NULL)) {
        mbar_copy_done(s, i);
    }
    show_async(s);
    if (k->outstanding == k->posted) {
        block_finish(s, slot);
    }
}

void async_done(struct sm *s, struct mem_req *r)
{
    if (r->uop->kind == ISA_K_COPY) {
        copy_done(s, r);
    } else {
        mbar_done(s, r);
    }
}
