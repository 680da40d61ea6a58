#include "sm/warp.h"

#include "base/bits.h"
#include "base/nomem.h"

#include <stdlib.h>
#include <string.h>

/* Registers begin a cache line. */
static uint32_t *grow_regs(uint32_t *reg, uint32_t n, uint32_t want)
{
    const size_t row = ISA_LANES * sizeof(*reg);
    uint32_t *grown = nomem_check(aligned_alloc(64, want * row));

    if (n > 0) {
        memcpy(grown, reg, n * row);
    }
    memset(grown + (size_t)n * ISA_LANES, 0, (want - n) * row);
    free(reg);
    return grown;
}

void warp_reserve(struct warp *w, uint32_t slots, uint32_t preds)
{
    slots = slots == 0 ? 1 : slots; /* there is always a frame to point into */
    preds = preds == 0 ? 1 : preds;
    if (slots > w->n_slots) {
        w->reg = grow_regs(w->reg, w->n_slots, slots);
        w->n_slots = slots;
    }
    if (preds > w->n_preds) {
        w->pred = nomem_realloc(w->pred, preds * sizeof(w->pred[0]));
        memset(w->pred + w->n_preds, 0, (preds - w->n_preds) * sizeof(w->pred[0]));
        w->n_preds = preds;
    }
}

void warp_fetch(struct warps *ws, uint32_t i)
{
    struct warp *w = &ws->warp[i];
    const struct simt_entry *top;

    if (w->simt.n == 0) {
        w->hold |= HOLD_FREE;
        w->active = 0;
        w->n_active = 0;
        return;
    }
    top = simt_top(&w->simt);
    if (w->active != top->mask) {
        w->active = top->mask;
        w->n_active = (uint8_t)bits_count(top->mask);
    }
    w->reconv = top->reconv;
    w->frame_slot = top->slot;
    w->frame_pred = top->pred;
    w->lanes.r = w->reg + (size_t)top->slot * ISA_LANES;
    w->lanes.p = w->pred + top->pred;
    warp_head(ws, w, i, top->pc, &w->uops[top->pc]);
}

uint32_t warp_waits_at(const struct warp *w)
{
    return (w->hold & (HOLD_BARRIER | HOLD_CLUSTER)) != 0
               ? (uint32_t)(w->barrier_uop - w->uops)
               : w->pc;
}

uint32_t warp_lane_pc(const struct warp *w, uint32_t lane)
{
    if ((w->active >> lane & 1u) != 0) {
        return w->pc; /* the top entry's own pc is behind */
    }
    for (uint32_t k = w->simt.n; k > 0; k--) {
        if ((w->simt.e[k - 1].mask >> lane & 1u) != 0) {
            return w->simt.e[k - 1].pc;
        }
    }
    return w->pc;
}

void warps_free(struct warps *ws)
{
    for (uint32_t i = 0; i < ws->n; i++) {
        free(ws->warp[i].reg);
        free(ws->warp[i].pred);
        free(ws->warp[i].call);
        free(ws->warp[i].async);
        free(ws->warp[i].turns);
        simt_free(&ws->warp[i].simt);
    }
}
