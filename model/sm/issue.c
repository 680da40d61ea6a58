#include "sm/issue.h"

#include "sm/access.h"
#include "sm/block.h"
#include "sm/fault.h"
#include "sm/watch.h"

/* Control instructions: the warp issues nothing until they are resolved. */
static void hold_for(struct sm *s, uint32_t i, uint32_t cycles)
{
    s->warps.warp[i].hold |= HOLD_CONTROL;
    ring_add(&s->warps, cycles, i, 0, 0, HOLD_CONTROL);
}

static void hold_control(struct sm *s, uint32_t i)
{
    hold_for(s, i, s->branch_latency);
}

static void issue_branch(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;
    uint32_t to = mask == 0 ? w->pc + 1 : u->target;
    uint32_t split = 0;

    w->stats->branches++;
    if ((mask == 0 || mask == w->active) && to != w->reconv) {
        warp_head(&s->warps, w, i, to, u - w->pc + to); /* all lanes go on together */
    } else {
        if (simt_branch(&w->simt, u, w->pc, mask)) {
            w->stats->divergent++;
            split = s->cfg.sm.split_latency;
        }
        meet_fetch(s, i);
    }
    hold_for(s, i, s->branch_latency + split);
}

/* brx.idx: the lanes that go where the first one goes; the others issue it again. */
static void issue_brx(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;
    const struct ptx_module *m = s->shared->launch[w->launch].module;
    const uint32_t *index;
    uint32_t lane, group = 0;

    w->stats->branches++;
    if (mask == 0) {
        advance(s, w, i, u);
        hold_control(s, i);
        return;
    }
    index = u->src[0] >= 0 ? w->lanes.r + (size_t)u->src[0] * ISA_LANES
                           : w->lanes.k + (size_t)(-1 - u->src[0]) * ISA_LANES;
    lane = (uint32_t)__builtin_ctz(mask);
    if (index[lane] >= u->n_targets) {
        sm_raise_fault(s, i, lane, SM_RULE("kernel-fault"),
                       "brx.idx: index %u, the list has %u targets", index[lane],
                       u->n_targets);
        return;
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
    hold_control(s, i);
}

/* Registers of the frame that begins at slot and pred must exist. */
static bool grow_frames(struct sm *s, uint32_t i, uint32_t slots, uint32_t preds)
{
    struct warp *w = &s->warps.warp[i];

    if (w->simt.depth >= s->cfg.sm.call_depth) {
        sm_raise_fault(s, i, (uint32_t)__builtin_ctz(w->active),
                       SM_RULE("kernel-fault"),
                       "call stack overflow: %u nested calls; '-s sm.call_depth=N' "
                       "allows more",
                       w->simt.depth);
        return false;
    }
    warp_reserve(w, slots, preds);
    return true;
}

static void issue_call(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;
    const struct simt_entry *top = simt_top(&w->simt);
    const struct ptx_module *m = s->shared->launch[w->launch].module;
    uint32_t slots = top->slot + (uint32_t)u->frame;
    uint32_t preds = top->pred + (uint32_t)u->imm;
    uint32_t more_slots = 0, more_preds = 0;

    if (mask == 0) {
        advance(s, w, i, u);
        hold_control(s, i);
        return;
    }
    for (uint32_t f = 0; f < m->n_funcs; f++) {
        if (m->funcs[f].entry == u->target) {
            more_slots = m->funcs[f].n_slots + s->shared->launch[w->launch].area_slots;
            more_preds = m->funcs[f].n_preds;
        }
    }
    if (!grow_frames(s, i, slots + more_slots, preds + more_preds)) {
        return;
    }
    simt_call(&w->simt, u->target, w->pc, mask, (uint32_t)u->frame, (uint32_t)u->imm);
    meet_fetch(s, i);
    hold_control(s, i);
}

static void issue_leave(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];

    if (w->head->kind == ISA_K_RET) {
        simt_ret(&w->simt, w->pc, mask);
    } else {
        simt_exit(&w->simt, w->pc, mask);
        w->live &= ~mask;
    }
    meet_fetch(s, i);
    hold_control(s, i);
    if (w->live == 0) {
        block_warp_done(s, i);
    }
}

static void issue_fence(struct sm *s, uint32_t i)
{
    struct warp *w = &s->warps.warp[i];

    if (UNLIKELY(s->check != NULL)) {
        watch_fence(s, i);
    }
    if (w->outstanding != 0) {
        w->hold |= HOLD_FENCE; /* the last access to come back releases it */
    }
    advance(s, w, i, w->head);
}

/* SPEC PTX-4: several machine instructions. What follows in its scheduler, of any warp,
 * waits for their turns. Predicated off, they are branched around. */
static void issue_seq(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    struct slot *d = &s->slot[i % s->n_scheds];
    const struct isa_uop *u = w->head;
    const struct isa_seq *seq = u->seq;
    uint32_t more = seq->insts - 1u, latency = seq->wait;

    if (mask == 0) {
        advance(s, w, i, u);
        return;
    }
    u->exec(u, &w->lanes, mask);
    w->stats->issue_cycles += more;
    w->stats->warp_insts += more;
    w->stats->thread_insts += (uint64_t)more * bits_count(mask);
    d->next_at += (sim_cycle_t)more * s->issue_interval;
    for (uint32_t k = 0; k < ARRAY_LEN(seq->part) && seq->part[k].n != 0; k++) {
        struct pipe *p = d->pipe[seq->part[k].class];

        take_pipe(s, p, seq->part[k].n);
        latency += seq->part[k].chain * p->latency;
    }
    latency += u->sets_p != 0 ? s->predicate_latency : 0;
    w->pend |= u->sets;
    w->pend_p |= u->sets_p;
    ring_add(&s->warps, latency, i, u->sets, u->sets_p, d->pipe[u->class]->mark);
    advance(s, w, i, u);
    if (seq->holds) {
        w->hold |= HOLD_CONTROL;
        ring_add(&s->warps, latency, i, 0, 0, HOLD_CONTROL);
    }
}

static void issue_access(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    bool printf_call = w->head->kind == ISA_K_PRINTF;

    if (mask == 0 ||
        (printf_call ? access_printf(s, i, mask) : access_issue(s, i, mask))) {
        w->replay = 0;
        advance(s, w, i, w->head);
    }
}

static void issue_stop(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;
    char text[256];

    if (mask == 0) {
        advance(s, w, i, u);
    } else {
        uint32_t lane = attr_lowest_bit(mask);
        const char *rule =
            syscall_stop(u, &w->lanes, s->shared->memory, lane, text, sizeof(text));

        sm_raise_fault(s, i, lane, SM_RULE(rule), "%s", text);
    }
}

void issue_other(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;

    s->issuing = (uint8_t)i;
    if (w->replay != 0) {
        mask = w->replay;
    } else {
        count_issue(w, u, mask);
    }
    switch ((enum isa_kind)u->kind) {
    case ISA_K_ALU: break;
    case ISA_K_SEQ: issue_seq(s, i, mask); break;
    case ISA_K_LOAD:
    case ISA_K_STORE:
    case ISA_K_ATOM:
    case ISA_K_RED:
    case ISA_K_PRINTF: issue_access(s, i, mask); break;
    case ISA_K_FENCE: issue_fence(s, i); break;
    case ISA_K_BAR:
        if (mask == 0 || meet_arrive(s, i, mask)) {
            advance(s, w, i, u);
        }
        break;
    case ISA_K_BRANCH: issue_branch(s, i, mask); break;
    case ISA_K_BRX: issue_brx(s, i, mask); break;
    case ISA_K_CALL: issue_call(s, i, mask); break;
    case ISA_K_RET:
    case ISA_K_EXIT: issue_leave(s, i, mask); break;
    case ISA_K_TRAP: issue_stop(s, i, mask); break;
    case ISA_K_NOP:
        if (UNLIKELY(s->check != NULL)) {
            watch_sync(s, i, mask);
        }
        advance(s, w, i, u);
        break;
    }
    s->issuing = NOT_ISSUING;
}

void issue(struct sm *s, uint32_t i)
{
    struct warp *w = &s->warps.warp[i];

    issue_now(s, &s->slot[i % s->n_scheds], w, i, w->head);
}
