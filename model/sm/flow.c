#include "sm/flow.h"

#include "sm/fault.h"
#include "sm/turn.h"

bool flow_brx(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;
    const struct ptx_module *m = s->shared->launch[w->launch].module;
    const uint32_t *index;
    uint32_t lane, group = 0;

    w->stats->branches++;
    if (mask == 0) {
        flow_next(s, w, i, u);
        return true;
    }
    index = u->src[0] >= 0 ? w->lanes.r + (size_t)u->src[0] * ISA_LANES
                           : w->lanes.k + (size_t)(-1 - u->src[0]) * ISA_LANES;
    lane = (uint32_t)__builtin_ctz(mask);
    if (index[lane] >= u->n_targets) {
        sm_raise_fault(s, i, lane, SM_RULE("kernel-fault"),
                       "brx.idx: index %u, the list has %u targets", index[lane],
                       u->n_targets);
        return false;
    }
    for (uint32_t l = 0; l < ISA_LANES; l++) {
        group |= (uint32_t)(index[l] == index[lane]) << l;
    }
    group &= mask;
    w->stats->thread_insts -= (uint32_t)__builtin_popcount(mask & ~group);
    w->stats->divergent += group != w->active;
    simt_top(&w->simt)->pc = w->pc;
    simt_branch_some(&w->simt, m->targets[u->target + index[lane]], u->reconv, group);
    meet_fetch(s, i);
    return true;
}

/* Registers of the frame that begins at slot and pred must exist. */
static bool grow_frames(struct sm *s, uint32_t i, uint32_t slots, uint32_t preds)
{
    struct warp *w = &s->warps.warp[i];

    if (simt_top(&w->simt)->depth >= s->cfg.sm.call_depth) {
        sm_raise_fault(s, i, (uint32_t)__builtin_ctz(w->active),
                       SM_RULE("kernel-fault"),
                       "call stack overflow: %u nested calls; '-s sm.call_depth=N' "
                       "allows more",
                       simt_top(&w->simt)->depth);
        return false;
    }
    warp_reserve(w, slots, preds);
    return true;
}

bool flow_call(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;
    const struct simt_entry *top = simt_top(&w->simt);
    const struct ptx_module *m = s->shared->launch[w->launch].module;
    uint32_t slots = top->slot + (uint32_t)u->frame;
    uint32_t preds = top->pred + (uint32_t)u->imm;
    uint32_t more_slots = 0, more_preds = 0;

    if (mask == 0) {
        flow_next(s, w, i, u);
        return true;
    }
    for (uint32_t f = 0; f < m->n_funcs; f++) {
        if (m->funcs[f].entry == u->target) {
            more_slots = m->funcs[f].n_slots + s->shared->launch[w->launch].area_slots;
            more_preds = m->funcs[f].n_preds;
        }
    }
    if (!grow_frames(s, i, slots + more_slots, preds + more_preds)) {
        return false;
    }
    simt_call(&w->simt, u->target, w->pc, mask, (uint32_t)u->frame, (uint32_t)u->imm);
    meet_fetch(s, i);
    return true;
}

void flow_leave(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];

    if (w->head->kind == ISA_K_RET) {
        simt_ret(&w->simt, w->pc, mask);
    } else {
        simt_exit(&w->simt, w->pc, mask);
        w->live &= ~mask;
        turn_left(w);
    }
    meet_fetch(s, i);
}

void flow_stop(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;
    char text[256];

    if (mask == 0) {
        flow_next(s, w, i, u);
    } else {
        uint32_t lane = attr_lowest_bit(mask);
        const char *rule =
            syscall_stop(u, &w->lanes, s->shared->memory, lane, text, sizeof(text));

        sm_raise_fault(s, i, lane, SM_RULE(rule), "%s", text);
    }
}
