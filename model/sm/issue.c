#include "sm/issue.h"

#include "isa/tile.h"
#include "sm/access.h"
#include "sm/block.h"
#include "sm/bulk.h"
#include "sm/cluster.h"
#include "sm/copy.h"
#include "sm/gmma.h"
#include "sm/mbar.h"
#include "sm/printf.h"
#include "sm/spin.h"
#include "sm/texture.h"
#include "sm/watch.h"

/* SPEC SLEEP-1, measured: a shorter nanosleep does not wait, a longer one is cut. */
enum { SLEEP_LEAST_NS = 64, SLEEP_MOST_NS = 1 << 20 };

enum { PS_PER_NS = 1000 };

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

/* SPEC SLEEP-1: cycles from now on that the executing lanes sleep for; 0: none. */
static uint32_t sleep_cycles(const struct sm *s, const struct warp *w, uint32_t mask)
{
    const uint32_t *ns = warp_operand(&w->lanes, w->head->src[0]);
    const sim_time_t now = sim_edge(s->clock, s->warps.now) / PS_PER_NS;
    uint32_t longest = 0;
    sim_time_t step, end;

    for (uint32_t m = mask; m != 0; m &= m - 1) {
        const uint32_t l = attr_lowest_bit(m);

        longest = ns[l] > longest ? ns[l] : longest;
    }
    if (longest < SLEEP_LEAST_NS) {
        return 0;
    }
    longest = longest < SLEEP_MOST_NS ? longest : SLEEP_MOST_NS;
    step = 2ull << attr_highest_bit(longest);
    end = (now / step + 1) * step * PS_PER_NS;
    return (uint32_t)(sim_cycle_of(s->clock, end - 1) + 1 - s->warps.now);
}

static void issue_sleep(struct sm *s, uint32_t i, uint32_t mask)
{
    const uint32_t cycles = sleep_cycles(s, &s->warps.warp[i], mask);

    if (cycles != 0) {
        hold_for(s, i, cycles);
    }
}

static void issue_branch(struct sm *s, uint32_t i, uint32_t mask)
{
    bool split = flow_branch(s, i, mask);

    hold_for(s, i, s->branch_latency + (split ? s->cfg.sm.split_latency : 0));
}

static void issue_leave(struct sm *s, uint32_t i, uint32_t mask)
{
    flow_leave(s, i, mask);
    hold_control(s, i);
    if (UNLIKELY(s->block[s->warps.warp[i].slot].in_cluster)) {
        cluster_exit(s, s->warps.warp[i].slot);
    }
    if (s->warps.warp[i].live == 0) {
        block_warp_done(s, i);
    }
}

/* SPEC FENCE-1, L1-5: beyond the block, what follows must not find what is older in
 * the L1. Predicated off, it is nothing. Behind an access, as a part of it, it takes no
 * time of its own. */
static void issue_fence(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    const enum isa_level level = (enum isa_level)w->head->imm;
    const bool forgets = s->shared->rules->cc >= 70 && level != ISA_LEVEL_CTA;
    const uint32_t cycles = level == ISA_LEVEL_CTA || w->head->part ? 0
                            : level == ISA_LEVEL_GPU ? s->cfg.sm.fence_latency
                                                     : s->cfg.sm.fence_sys_latency;

    if (mask == 0) {
        flow_next(s, w, i, w->head);
        return;
    }
    if (UNLIKELY(s->check != NULL)) {
        watch_fence(s, i);
    }
    if (w->outstanding != 0) { /* the last access to come back releases it */
        w->hold |= HOLD_FENCE | (forgets ? HOLD_FORGET : 0u);
    } else if (forgets) {
        l1_invalidate(s->l1);
    }
    if (cycles != 0) {
        w->hold |= HOLD_FENCE_TIME;
        ring_add(&s->warps, cycles, i, 0, 0, HOLD_FENCE_TIME);
    }
    flow_next(s, w, i, w->head);
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
        flow_next(s, w, i, u);
        return;
    }
    if (UNLIKELY(u->aside != 0) && yield_holds(s, i, u, mask)) {
        return;
    }
    if (flow_seq(w, u, mask)) {
        more += seq->odd_insts;
        latency += seq->odd_wait;
    }
    w->stats->issue_cycles += more;
    d->next_at += (sim_cycle_t)more * s->issue_interval;
    for (uint32_t k = 0; k < ARRAY_LEN(seq->part) && seq->part[k].n != 0; k++) {
        struct pipe *p = d->pipe[seq->part[k].class];

        take_pipe(s, p, seq->part[k].n);
        latency += seq->part[k].chain * p->latency;
    }
    latency += s->late[u->late];
    w->pend |= u->sets;
    w->pend_p |= u->sets_p;
    ring_add(&s->warps, latency, i, u->sets, u->sets_p, d->pipe[u->class]->mark);
    flow_next(s, w, i, u);
    if (seq->holds) {
        w->hold |= HOLD_CONTROL;
        ring_add(&s->warps, latency, i, 0, 0, HOLD_CONTROL);
    }
}

/* SPEC ISSUE-2: without a lane, an access goes the way of the others up to the memory:
 * what it would have loaded is busy until it is back. */
static void hold_results(struct sm *s, uint32_t i, const struct isa_uop *u)
{
    const bool waits = u->form.space == ISA_SP_SHARED ||
                       u->form.space == ISA_SP_GLOBAL ||
                       u->form.space == ISA_SP_LOCAL || u->form.space == ISA_SP_GENERIC;
    struct warp *w = &s->warps.warp[i];

    if (s->cfg.sm.off_latency != 0 && waits && (u->sets | u->sets_p) != 0) {
        w->pend |= u->sets;
        w->pend_p |= u->sets_p;
        ring_add(&s->warps, s->cfg.sm.off_latency, i, u->sets, u->sets_p, DUE_SHORT);
    }
}

static ATTR_INLINE void issue_access(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];

    if (mask == 0) {
        hold_results(s, i, w->head);
    }
    if (mask == 0 || (w->head->kind == ISA_K_PRINTF ? printf_issue(s, i, mask)
                                                    : access_issue(s, i, mask))) {
        w->replay = 0;
        flow_next(s, w, i, w->head);
    }
}

/* Copies, their groups, and mbarriers. */
static void issue_async(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;
    bool goes_on = true;

    if (mask != 0 && u->kind == ISA_K_COPY) {
        goes_on = copy_issue(s, i, mask);
    } else if (mask != 0 && u->kind == ISA_K_GROUP) {
        copy_group(s, i, mask);
    } else if (mask != 0 && u->kind == ISA_K_BULK) {
        goes_on = bulk_issue(s, i, mask);
    } else if (mask != 0) {
        goes_on = mbar_issue(s, i, mask);
    }
    if (goes_on) {
        w->replay = 0;
        flow_next(s, w, i, u);
    }
}

void issue_other(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;

    s->issuing = (uint8_t)i;
    if (UNLIKELY(s->spin != NULL)) {
        spin_issue(s, i, mask);
    }
    if (w->replay != 0) {
        mask = w->replay;
    } else {
        count_issue(w, u, mask);
        if (UNLIKELY(u->aside != 0) &&
            (yield_polls(s, i, u, mask) || yield_holds_whole(s, i, u, mask))) {
            s->issuing = NOT_ISSUING;
            return;
        }
    }
    switch ((enum isa_kind)u->kind) {
    case ISA_K_ALU: break;
    case ISA_K_SEQ: issue_seq(s, i, mask); break;
    case ISA_K_LOAD_ROWS:
    case ISA_K_STORE_ROWS: mask &= isa_row_lanes(u->n_tiles); ATTR_FALLTHROUGH;
    case ISA_K_LOAD:
    case ISA_K_STORE:
    case ISA_K_ATOM:
    case ISA_K_RED:
    case ISA_K_PRINTF: issue_access(s, i, mask); break;
    case ISA_K_TEXTURE:
        if (mask == 0 || texture_issue(s, i, mask)) {
            w->replay = 0;
            flow_next(s, w, i, u);
        }
        break;
    case ISA_K_COPY:
    case ISA_K_BULK:
    case ISA_K_GROUP:
    case ISA_K_LATE:
    case ISA_K_MBAR: issue_async(s, i, mask); break;
    case ISA_K_TX: break;
    case ISA_K_CLUSTER:
        if (mask == 0 || cluster_meet(s, i, mask)) {
            w->replay = 0;
            flow_next(s, w, i, u);
        }
        break;
    case ISA_K_GMMA: gmma_issue(s, i, mask); break;
    case ISA_K_FENCE: issue_fence(s, i, mask); break;
    case ISA_K_BAR:
        if (mask == 0 || meet_arrive(s, i, mask)) {
            flow_next(s, w, i, u);
        }
        break;
    case ISA_K_BRANCH: issue_branch(s, i, mask); break;
    case ISA_K_BRX:
        if (flow_brx(s, i, mask)) {
            hold_control(s, i);
        }
        break;
    case ISA_K_CALL:
        if (flow_call(s, i, mask)) {
            hold_control(s, i);
        }
        break;
    case ISA_K_RET:
    case ISA_K_EXIT: issue_leave(s, i, mask); break;
    case ISA_K_TRAP: flow_stop(s, i, mask); break;
    case ISA_K_NOP:
        if (UNLIKELY(u->aside != 0) && yield_holds(s, i, u, mask)) {
            break;
        }
        if (UNLIKELY(s->check != NULL)) {
            watch_sync(s, i, mask);
        }
        if (u->form.op == ISA_OP_NANOSLEEP) {
            issue_sleep(s, i, mask);
        }
        yield_next(s, i, u);
        break;
    }
    s->issuing = NOT_ISSUING;
}

void issue(struct sm *s, uint32_t i)
{
    struct warp *w = &s->warps.warp[i];

    issue_now(s, &s->slot[i % s->n_scheds], w, i, w->head);
}

void issue_and_tell(struct sm *s, uint32_t i)
{
    const struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;
    const struct due its = {.regs = u->sets,
                            .preds = u->sets_p,
                            .hold = HOLD_CONTROL | HOLD_FENCE_TIME};
    const uint32_t outstanding = w->outstanding;
    struct sm_executed x = {.block = w->block,
                            .cycle = s->warps.now,
                            .result = s->warps.now + 1,
                            .uop = u,
                            .pc = w->pc,
                            .lanes = w->active,
                            .launch = w->launch,
                            .warp = (uint8_t)i,
                            .insts = w->replay == 0 ? show_insts(u) : 0};
    sim_cycle_t last;

    issue(s, i);
    if (sim_heard(&s->shared->executed)) {
        last = ring_last(&s->warps, i, &its);
        x.result = last > x.result ? last : x.result;
        x.accesses = w->outstanding - outstanding;
        x.again = w->replay != 0;
        sim_raise(&s->shared->executed, &s->scope, &x, sizeof(x));
    }
}
