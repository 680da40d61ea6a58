#include "sm/gmma.h"

#include "isa/wgmma.h"
#include "sm/fault.h"
#include "sm/flow.h"
#include "sm/show.h"

/* Its operands lie in the block's shared memory. */
static bool is_inside(struct sm *s, uint32_t i)
{
    const struct warp *w = &s->warps.warp[i];
    const uint32_t bytes = s->shared->launch[w->launch].shared_bytes;
    const uint32_t reach = isa_wgmma_reach(w->head, &w->lanes);

    if (reach <= bytes) {
        return true;
    }
    sm_raise_fault(s, i, attr_lowest_bit(w->active), SM_RULE("WGMMA-1"),
                   "wgmma reads shared memory up to byte %u, of a block that has %u: "
                   "its descriptors say so",
                   reach - 1, bytes);
    return false;
}

bool gmma_compute(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;

    if (mask == 0 || u->form.sub != ISA_S_MMA) {
        return true;
    }
    if (!is_inside(s, i)) {
        return false;
    }
    w->env.shared = (const uint8_t *)(smem_words(s->smem) + w->shared_base / 4);
    u->exec(u, &w->lanes, mask);
    return true;
}

/* ---- time ---- */

/* The product is in its tensor core until then. */
static sim_cycle_t begin_product(struct sm *s, uint32_t i)
{
    struct warp *w = &s->warps.warp[i];
    struct slot *d = &s->slot[i % s->n_scheds];
    const sim_cycle_t now = s->warps.now;
    const sim_cycle_t from = d->products_at > now ? d->products_at : now;
    struct isa_wgmma_time t;

    isa_wgmma_time_of(w->head, &t);
    d->products_at = from + t.cycles;
    return d->products_at + t.latency + (from > now ? t.behind : 0);
}

/* Groups of the warp that are under way and not among the n latest end in that cycle;
 * 0: there are none. */
static sim_cycle_t end_of_groups(const struct async *a, uint32_t n)
{
    return n >= a->n_products ? 0
                              : a->products[(a->n_products - 1 - n) % ASYNC_PRODUCTS];
}

void gmma_issue(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;
    struct async *a = async_of(&w->async);
    const sim_cycle_t now = s->warps.now;

    if (!gmma_compute(s, i, mask)) {
        return;
    }
    if (mask != 0 && u->form.sub == ISA_S_MMA) {
        a->product_at = begin_product(s, i);
    } else if (mask != 0 && u->form.sub == ISA_S_COMMIT) {
        a->products[a->n_products++ % ASYNC_PRODUCTS] = a->product_at;
    } else if (mask != 0 && u->form.sub == ISA_S_WAIT) {
        const uint32_t most = ASYNC_PRODUCTS - 1;
        const uint32_t n = u->imm > (int64_t)most ? most : (uint32_t)u->imm;
        const sim_cycle_t end = end_of_groups(a, n);

        if (end > now) {
            w->hold |= HOLD_PRODUCT;
            ring_add(&s->warps, (uint32_t)(end - now), i, 0, 0, HOLD_PRODUCT);
        }
    }
    flow_next(s, w, i, u);
}
