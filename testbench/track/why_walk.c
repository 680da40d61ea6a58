/* why_walk.c - the chain of why.h, from its end to its begin. */
#include "track/why_order.h"
#include "track/why_priv.h"

#include <stdlib.h>

struct walk {
    const struct track *r;
    struct why *y;
    struct why_order order;
    uint64_t at; /* what is behind it is explained */
    uint32_t block;
};

static const struct track_inst *inst(const struct walk *w, uint32_t i)
{
    return &w->r->inst.at[i];
}

/* From `from` up to where the chain has come, that was the cause. */
static void part(struct walk *w, enum why_cause cause, uint64_t from, uint32_t i)
{
    struct why *y = w->y;

    from = from < y->begin ? y->begin : from;
    if (from >= w->at) {
        return;
    }
    if (y->part.n == y->part.max) {
        y->part.max = y->part.max == 0 ? 256 : 2 * y->part.max;
        y->part.at = tb_realloc(y->part.at, y->part.max * sizeof(y->part.at[0]));
    }
    y->part.at[y->part.n++] =
        (struct why_part){from, w->at, i, w->block, (uint8_t)cause};
    w->at = from;
}

/* ---- an access ---- */

/* It was there from then on, if it was there at all, and the way before it. */
static void way(struct walk *w, enum why_cause cause, uint64_t since, uint32_t i)
{
    if (since != 0) {
        part(w, cause, since > inst(w, i)->issue ? since : inst(w, i)->issue, i);
    }
}

static void way_of_line(struct walk *w, uint32_t i)
{
    const struct track_inst *x = inst(w, i);
    const uint64_t *seen = x->seen;

    way(w, WHY_L1, seen[MEM_SEEN_UP], i);
    way(w, WHY_ICNT, seen[MEM_SEEN_ANSWER], i);
    way(w, WHY_L2, seen[MEM_SEEN_FILLED], i);
    way(w, WHY_DRAM, seen[MEM_SEEN_FETCH], i);
    way(w, WHY_L2, seen[MEM_SEEN_L2], i);
    way(w, seen[MEM_SEEN_L2] != 0 ? WHY_ICNT : WHY_L1, seen[MEM_SEEN_L1], i);
    way(w, WHY_L1, seen[MEM_SEEN_SENT], i);
}

static void way_of_waves(struct walk *w, uint32_t i)
{
    const struct track_inst *x = inst(w, i);
    uint64_t more = x->wavefronts > x->ideal
                        ? (uint64_t)(x->wavefronts - x->ideal) * w->r->wave_cycles
                        : 0;
    uint64_t served = x->at[MEM_AT_SERVED], banks = x->at[MEM_AT_BANKS];

    way(w, WHY_SHARED, served, i);
    way(w, WHY_CONFLICT, served > banks + more ? served - more : banks, i);
    way(w, WHY_SHARED, x->at[MEM_AT_LSU], i);
}

/* The chain goes through the result of i: back to its issue. */
static void through(struct walk *w, uint32_t i)
{
    const struct track_inst *x = inst(w, i);

    if (x->at[MEM_AT_ISSUE] == 0) {
        part(w, x->uop->class == ISA_CL_MEM ? WHY_CONSTANT : WHY_OPERAND, x->issue, i);
    } else if (x->at[MEM_AT_BANKS] != 0) {
        way_of_waves(w, i);
    } else if (x->seen[MEM_SEEN_SENT] != 0) {
        way(w, WHY_LSU, x->at[MEM_AT_SERVED], i);
        way_of_line(w, i);
    } else {
        way(w, x->space == ISA_SP_CONST ? WHY_CONSTANT : WHY_LSU, x->at[MEM_AT_LSU], i);
    }
    part(w, WHY_LSU, x->issue, i);
}

/* ---- an instruction ---- */

/* It could have issued in `since`, and what kept it: other warps, its pipe. */
static void way_to_issue(struct walk *w, uint32_t i, uint64_t since)
{
    const struct track_inst *x = inst(w, i);
    uint64_t interval = w->r->issue_interval, all = w->at > since ? w->at - since : 0;
    uint64_t others = why_issues(&w->order, x, since, w->at) * interval;

    if (others > all) {
        others = all;
    }
    if (all - others > interval) {
        part(w, x->uop->class == ISA_CL_MEM ? WHY_QUEUE : WHY_PIPE,
             since + others + interval, i);
    }
    part(w, WHY_SCHEDULER, w->at > others ? w->at - others : 0, i);
    part(w, WHY_ISSUE, since, i);
}

/* What kept its warp from issuing it, without another instruction to blame. */
static enum why_cause alone(uint8_t state)
{
    switch ((enum warp_state)state) {
    case WARP_SHARED:
    case WARP_SHARED_CONFLICT: return WHY_SHARED;
    case WARP_GLOBAL:
    case WARP_LOCAL: return WHY_LSU;
    case WARP_CONSTANT: return WHY_CONSTANT;
    case WARP_BARRIER: return WHY_BARRIER;
    case WARP_FENCE: return WHY_FENCE;
    case WARP_CONTROL: return WHY_CONTROL;
    case WARP_ASYNC: return WHY_ASYNC;
    case WARP_OPERAND: return WHY_OPERAND;
    case WARP_IDLE:
    case WARP_READY:
    case WARP_FAULT:
    case WARP_ISSUE:
    case WARP_N_STATES: break;
    }
    return WHY_ISSUE;
}

/* Its warp's access that was answered last before the fence let it go; NONE: it waited
 * for none. */
static uint32_t fenced(const struct walk *w, uint32_t i)
{
    const struct track_inst *x = inst(w, i);
    uint32_t last = TRACK_NONE;

    for (uint32_t k = x->prev; k != TRACK_NONE; k = inst(w, k)->prev) {
        const struct track_inst *p = inst(w, k);

        if (p->at[MEM_AT_ISSUE] != 0 && p->done <= x->free &&
            (last == TRACK_NONE || p->done > inst(w, last)->done)) {
            last = k;
        }
    }
    return last;
}

/* For which instruction i waited before it was free to issue; NONE: for none that is
 * known. */
static uint32_t awaited(const struct walk *w, uint32_t i)
{
    const struct track_inst *x = inst(w, i);

    switch ((enum warp_state)x->state) {
    case WARP_BARRIER:
        return x->free < w->r->barrier_latency
                   ? TRACK_NONE
                   : why_last(&w->order, x->block, WHY_COMES,
                              x->free - w->r->barrier_latency + 1);
    case WARP_FENCE: return fenced(w, i);
    case WARP_OPERAND:
    case WARP_SHARED:
    case WARP_SHARED_CONFLICT:
    case WARP_GLOBAL:
    case WARP_LOCAL:
    case WARP_CONSTANT: return x->from;
    case WARP_IDLE:
    case WARP_READY:
    case WARP_CONTROL:
    case WARP_FAULT:
    case WARP_ASYNC:
    case WARP_ISSUE:
    case WARP_N_STATES: break;
    }
    return TRACK_NONE;
}

/* The chain has come to the issue of i; returns where it goes on, NONE: at the begin of
 * the block. */
static uint32_t before(struct walk *w, uint32_t i)
{
    const struct track_inst *x = inst(w, i), *p;
    uint64_t base = x->prev != TRACK_NONE ? inst(w, x->prev)->issue
                                          : w->r->block.at[x->block].begin;
    uint32_t for_what;

    w->block = x->block;
    if (x->free <= base) { /* nothing blocked it */
        way_to_issue(w, i, base);
        return x->prev;
    }
    way_to_issue(w, i, x->free);
    for_what = awaited(w, i);
    p = for_what == TRACK_NONE ? NULL : inst(w, for_what);
    if (p == NULL || p->issue >= x->issue) {
        part(w, x->prev == TRACK_NONE ? WHY_BLOCK : alone(x->state), base, i);
        return x->prev;
    }
    if (x->state == WARP_BARRIER) {
        part(w, WHY_BARRIER, p->issue, for_what);
    } else {
        part(w, x->state == WARP_FENCE ? WHY_FENCE : alone(x->state), p->done, i);
        through(w, for_what);
    }
    return for_what;
}

/* ---- blocks ---- */

/* The block of the launch on the same SM that ended last before this one began; NONE:
 * none did. */
static uint32_t block_before(const struct walk *w, uint32_t b)
{
    const struct track_block *x = &w->r->block.at[b];
    uint32_t last = TRACK_NONE;

    for (uint32_t k = 0; k < w->r->block.n; k++) {
        const struct track_block *q = &w->r->block.at[k];

        if (k != b && q->launch == x->launch && q->sm == x->sm && q->end <= x->begin &&
            (last == TRACK_NONE || q->end > w->r->block.at[last].end)) {
            last = k;
        }
    }
    return last;
}

/* The block of the launch that ended last; NONE: none did. */
static uint32_t last_block(const struct walk *w)
{
    uint32_t last = TRACK_NONE;

    for (uint32_t k = 0; k < w->r->block.n; k++) {
        const struct track_block *q = &w->r->block.at[k];

        if (q->launch == w->y->launch && q->end != TRACK_NEVER &&
            (last == TRACK_NONE || q->end > w->r->block.at[last].end)) {
            last = k;
        }
    }
    return last;
}

/* The chain has come to the end of block b; the instruction at which it goes on, to
 * whose issue it has come then. */
static uint32_t end_of(struct walk *w, uint32_t b)
{
    uint64_t end = w->r->block.at[b].end;
    uint32_t exit = why_last(&w->order, b, WHY_ISSUED, end + 1);
    uint32_t access = why_last(&w->order, b, WHY_ANSWERED, end + 1);

    w->block = b;
    if (exit == TRACK_NONE) {
        return TRACK_NONE;
    }
    if (access != TRACK_NONE && inst(w, access)->done > inst(w, exit)->issue) {
        part(w, WHY_BLOCK, inst(w, access)->done, access);
        through(w, access);
        return access;
    }
    part(w, WHY_BLOCK, inst(w, exit)->issue, exit);
    return exit;
}

/* The chain has come to the issue of i, or with NONE to the begin of its block. */
static void walk_back(struct walk *w, uint32_t i)
{
    for (;;) {
        uint32_t b;

        while (i != TRACK_NONE) {
            i = before(w, i);
        }
        b = block_before(w, w->block);
        if (b == TRACK_NONE || w->at <= w->y->begin) {
            break;
        }
        part(w, WHY_BLOCK, w->r->block.at[b].end, TRACK_NONE);
        i = end_of(w, b);
    }
    part(w, WHY_LAUNCH, w->y->begin, TRACK_NONE);
}

/* The answer to the launch's stores that came last, behind all blocks; NONE: there is
 * none. */
static uint32_t left_behind(const struct walk *w, uint64_t behind)
{
    uint32_t last = TRACK_NONE;

    for (uint32_t i = 0; i < w->r->inst.n; i++) {
        const struct track_inst *x = inst(w, i);

        if (w->r->block.at[x->block].launch == w->y->launch &&
            x->at[MEM_AT_ISSUE] != 0 && x->done > behind && x->done <= w->y->end &&
            (last == TRACK_NONE || x->done > inst(w, last)->done)) {
            last = i;
        }
    }
    return last;
}

/* The instruction of the launch that issued last up to the cycle. */
static uint32_t issued_at(const struct walk *w, uint64_t cycle)
{
    uint32_t last = TRACK_NONE;

    for (uint32_t i = 0; i < w->r->inst.n; i++) {
        const struct track_inst *x = inst(w, i);

        if (w->r->block.at[x->block].launch == w->y->launch && x->issue <= cycle &&
            (last == TRACK_NONE || x->issue >= inst(w, last)->issue)) {
            last = i;
        }
    }
    return last;
}

static void from_the_end(struct walk *w)
{
    uint32_t b = last_block(w), i;

    if (b == TRACK_NONE) {
        part(w, WHY_LAUNCH, w->y->begin, TRACK_NONE);
        return;
    }
    i = left_behind(w, w->r->block.at[b].end);
    if (i != TRACK_NONE) {
        w->block = inst(w, i)->block;
        part(w, WHY_LAUNCH, inst(w, i)->done, i);
        through(w, i);
    } else {
        w->block = b;
        part(w, WHY_LAUNCH, w->r->block.at[b].end, TRACK_NONE);
        i = end_of(w, b);
    }
    walk_back(w, i);
}

void why_walk(const struct track *r, struct why *y, uint64_t cycle)
{
    struct walk w = {.r = r, .y = y, .at = y->end, .block = TRACK_NONE};
    uint32_t i;

    why_order_open(&w.order, r);
    if (cycle == WHY_NEVER) {
        from_the_end(&w);
    } else {
        i = issued_at(&w, cycle);
        if (i != TRACK_NONE) {
            w.block = inst(&w, i)->block;
            w.at = y->end = inst(&w, i)->issue;
            walk_back(&w, i);
        } else {
            y->end = cycle;
            w.at = cycle;
            part(&w, WHY_LAUNCH, y->begin, TRACK_NONE);
        }
    }
    why_order_close(&w.order);
}
