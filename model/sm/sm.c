#include "sm/core.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- warps ---- */

/* realloc() that keeps n bytes and zeroes the rest. */
static void *grow(void *p, size_t n, size_t want)
{
    char *grown = realloc(p, want);

    if (grown == NULL) {
        abort(); /* as the arena does when the host is out of memory */
    }
    memset(grown + n, 0, want - n);
    return grown;
}

void warp_reserve(struct sm *s, uint32_t i, uint32_t slots, uint32_t preds)
{
    struct warp *w = &s->warp[i];
    size_t row = PTX_LANES * sizeof(w->reg[0]);

    slots = slots == 0 ? 1 : slots; /* there is always a frame to point into */
    preds = preds == 0 ? 1 : preds;
    if (slots > w->n_slots) {
        w->reg = grow(w->reg, w->n_slots * row, slots * row);
        w->n_slots = slots;
    }
    if (preds > w->n_preds) {
        w->pred =
            grow(w->pred, w->n_preds * sizeof(w->pred[0]), preds * sizeof(w->pred[0]));
        w->n_preds = preds;
    }
}

void warp_fetch(struct sm *s, uint32_t i)
{
    struct warp *w = &s->warp[i];
    const struct simt_entry *top;

    if (w->simt.n == 0) {
        w->hold |= HOLD_FREE;
        w->active = 0;
        s->of_class[w->class] &= ~(1ull << i);
        return;
    }
    top = simt_top(&w->simt);
    w->active = top->mask;
    w->lanes.r = w->reg + (size_t)top->slot * PTX_LANES;
    w->lanes.p = w->pred + top->pred;
    warp_head(s, i, top->pc, &s->shared->launch[w->launch].module->uops[top->pc]);
}

void sm_raise_fault(struct sm *s, uint32_t warp, uint32_t lane, const char *fmt, ...)
{
    struct warp *w = &s->warp[warp];
    const struct sm_launch *l = &s->shared->launch[w->launch];
    struct sm_fault f;
    va_list ap;

    memset(&f, 0, sizeof(f));
    f.module = l->module;
    f.kernel = l->kernel;
    f.pc = w->pc;
    f.lane = lane;
    f.warp = warp;
    f.launch = w->launch;
    f.cycle = sim_here(&s->scope);
    memcpy(f.ctaid, w->env.ctaid, sizeof(f.ctaid));
    for (uint32_t d = 0; d < 3; d++) {
        f.tid[d] = w->env.tid[d][lane];
    }
    va_start(ap, fmt);
    (void)vsnprintf(f.text, sizeof(f.text), fmt, ap);
    va_end(ap);
    w->hold |= HOLD_FAULT;
    if (sim_heard(&s->shared->fault)) {
        sim_raise(&s->shared->fault, &s->scope, &f, sizeof(f));
    }
}

/* ---- the step ---- */

/* Warps whose pipe cannot take an instruction now; *free_at: the earliest cycle at which
 * one of those pipes can. */
static uint64_t pipes_blocked(struct sm *s, sim_cycle_t now, sim_cycle_t *free_at)
{
    uint64_t limit = (now + s->cfg.sm.issue_interval) * PIPE_UNIT;
    uint64_t blocked = 0;

    for (uint32_t m = s->busy; m != 0; m &= m - 1) {
        uint32_t c = (uint32_t)__builtin_ctz(m);

        if (s->pipe_free[c] < limit) {
            s->busy &= ~(1u << c);
        } else if ((s->of_class[c] & s->ready) != 0) {
            sim_cycle_t at = s->pipe_free[c] / PIPE_UNIT + 1 - s->cfg.sm.issue_interval;

            blocked |= s->of_class[c];
            *free_at = *free_at == 0 || at < *free_at ? at : *free_at;
        }
    }
    if ((s->of_class[PTX_CL_MEM] & s->ready & ~blocked) != 0 &&
        !sim_out_ready(&s->to_lsu)) {
        blocked |= s->of_class[PTX_CL_MEM];
        sim_out_wait(&s->to_lsu);
    }
    return blocked;
}

/* Warps that will not be ready soon, for the two-level policy. */
static uint64_t waiting_warps(const struct sm *s)
{
    uint64_t waiting = 0;

    for (uint32_t i = 0; i < s->n_warps; i++) {
        const struct warp *w = &s->warp[i];
        bool far = (w->hold & (HOLD_FREE | HOLD_BARRIER | HOLD_FENCE)) != 0 ||
                   (w->pend_mem & w->need) != 0;

        waiting |= (uint64_t)far << i;
    }
    return waiting;
}

/* SPEC ISSUE-2: what an instruction of the class keeps its scheduler and the others from. */
static void charge(struct sm *s, struct scheduler *d, uint32_t class)
{
    const struct sm_config *c = &s->cfg.sm;
    sim_cycle_t now = sim_here(&s->scope);

    if (class == PTX_CL_MEM && c->mem_interval > 1) {
        d->mem_at = now + c->mem_interval;
    }
    if (class != PTX_CL_FP64 || !c->fp64_blocks) {
        return;
    }
    for (uint32_t j = 0; j < s->n_scheds; j++) {
        struct scheduler *o = &s->sched[j];

        if (o != d) {
            o->next_at = (o->next_at > now ? o->next_at : now) + c->issue_interval;
        }
    }
}

/* May what follows an instruction of this kind go with it? */
static bool pairs(enum ptx_kind kind)
{
    switch (kind) {
    case PTX_K_ALU:
    case PTX_K_LOAD:
    case PTX_K_STORE:
    case PTX_K_ATOM:
    case PTX_K_RED:
    case PTX_K_NOP: return true;
    case PTX_K_FENCE:
    case PTX_K_BAR:
    case PTX_K_BRANCH:
    case PTX_K_BRX:
    case PTX_K_CALL:
    case PTX_K_RET:
    case PTX_K_EXIT:
    case PTX_K_TRAP:
    case PTX_K_PRINTF: break;
    }
    return false;
}

/* SPEC ISSUE-1: may the instruction behind first go with it, if its pipe is free? The
 * scoreboard knows by now what first will write. */
static bool has_second(const struct sm *s, uint32_t i, const struct ptx_uop *first)
{
    return pairs((enum ptx_kind)first->kind) && s->warp[i].head == first + 1 &&
           (s->ready >> i & 1u) != 0;
}

static bool pipe_takes(struct sm *s, const struct scheduler *d, uint32_t class)
{
    sim_cycle_t now = sim_here(&s->scope);

    return s->pipe_free[class] < (now + s->cfg.sm.issue_interval) * PIPE_UNIT &&
           (class != PTX_CL_MEM || (now >= d->mem_at && sim_out_ready(&s->to_lsu)));
}

/* Issue of an instruction that may have a second one with it, or that keeps schedulers
 * from more than this slot. False: a second instruction was ready, but its pipe was taken. */
static bool issue_special(struct sm *s, struct scheduler *d, uint32_t i)
{
    const struct warp *w = &s->warp[i];
    const struct ptx_uop *first = w->head;
    uint64_t second = UINT64_MAX;
    bool all = true;

    issue(s, i);
    charge(s, d, first->class);
    if (s->cfg.sm.issue_width == 1) {
        return true;
    }
    if (has_second(s, i, first)) {
        uint32_t class = w->class;

        all = pipe_takes(s, d, class);
        if (all) {
            second = (uint64_t)w->launch << 32 | w->pc;
            s->stats[w->launch].pairs++;
            s->stats[w->launch].issue_cycles--; /* issue() counts it anew */
            issue(s, i);
            charge(s, d, class);
        }
    }
    sim_probe_set(&d->p_second, second);
    return all;
}

/* Of the ready warps those whose next instruction would follow the scheduler's last
 * memory instruction too soon. */
static uint64_t too_soon(const struct sm *s, const struct scheduler *d, uint64_t ready,
                         sim_cycle_t *free_at)
{
    uint64_t held = ready & s->of_class[PTX_CL_MEM];

    if (held != 0 && (*free_at == 0 || d->mem_at < *free_at)) {
        *free_at = d->mem_at;
    }
    return held;
}

/* False: it would have issued more, had a shared pipe been free. */
static bool issue_from(struct sm *s, struct scheduler *d, uint64_t ready)
{
    uint64_t waiting = 0;
    uint32_t i;

    if (UNLIKELY(s->cfg.sm.policy == 3)) {
        waiting = waiting_warps(s);
    }
    i = s->pick(&d->s, ready, waiting);
    d->s.last = i;
    sim_probe_set(&d->p_warp, i);
    sim_probe_set(&d->p_inst, (uint64_t)s->warp[i].launch << 32 | s->warp[i].pc);
    sim_probe_fire(&d->p_issue);
    d->next_at = sim_here(&s->scope) + s->cfg.sm.issue_interval;
    if (UNLIKELY((s->special >> s->warp[i].class & 1u) != 0)) {
        return issue_special(s, d, i);
    }
    issue(s, i);
    return true;
}

static void take_answers(struct sm *s)
{
    struct mem_req *r;

    while ((r = sim_take(&s->from_smem)) != NULL) {
        access_done(s, r);
    }
    while ((r = sim_take(&s->from_lsu)) != NULL) {
        access_done(s, r);
    }
    while ((r = sim_take(&s->from_cbank)) != NULL) {
        access_done(s, r);
    }
}

static void take_blocks(struct sm *s)
{
    struct sm_block *b = sim_peek(&s->blocks);

    if (b == NULL || s->full) {
        return;
    }
    s->full = !block_start(s, b);
    if (!s->full) {
        (void)sim_take(&s->blocks);
    }
}

/* Let every scheduler that may issue do so; returns when the next one may. */
static sim_cycle_t issue_all(struct sm *s, sim_cycle_t now)
{
    /* who did not get a shared pipe or the LSU's credit comes first next time */
    uint32_t first = s->turn, denied = s->n_scheds;
    sim_cycle_t next = 0;

    for (uint32_t k = 0; k < s->n_scheds && s->ready != 0; k++) {
        uint32_t j = first + k < s->n_scheds ? first + k : first + k - s->n_scheds;
        struct scheduler *d = &s->sched[j];
        sim_cycle_t free_at = 0;
        sim_cycle_t at = d->next_at;
        uint64_t ready;

        if ((s->ready & d->s.own) == 0) {
            continue;
        }
        if (d->next_at <= now) {
            ready = s->ready & d->s.own & ~pipes_blocked(s, now, &free_at);
            if (UNLIKELY(now < d->mem_at)) {
                ready &= ~too_soon(s, d, ready, &free_at);
            }
            if (ready != 0) {
                s->turn = issue_from(s, d, ready) ? j + 1 : j;
                s->turn = s->turn == s->n_scheds ? 0 : s->turn;
                at = d->next_at;
            } else if (free_at > now) {
                at = free_at;
            } else {
                denied = denied == s->n_scheds ? j : denied;
                continue; /* only a credit is missing: to_lsu.space wakes us */
            }
        }
        if ((s->ready & d->s.own) != 0) {
            next = next == 0 || at < next ? at : next;
        }
    }
    s->turn = denied == s->n_scheds ? s->turn : denied;
    return next;
}

void sm_step(void *self)
{
    struct sm *s = self;
    sim_cycle_t now = sim_here(&s->scope);
    sim_cycle_t next, drain;

    ring_drain(s, now);
    take_answers(s);
    take_blocks(s);
    next = issue_all(s, now);
    drain = ring_next(s, now);
    if (drain != 0 && (next == 0 || drain < next)) {
        next = drain;
    }
    if (!s->full && s->blocks.head != NULL && s->blocks.head->ready <= now &&
        (next == 0 || now + 1 < next)) {
        next = now + 1; /* one block per cycle */
    }
    if (next != 0) {
        sim_notify_at(&s->wake, next);
    }
}
