#include "sm/simt.h"

#include "base/nomem.h"

#include <stdlib.h>

struct simt_entry *simt_push(struct simt *s)
{
    if (s->n == s->max) {
        uint32_t max = s->max == 0 ? 4 : 2 * s->max; /* most warps need no more */

        s->e = nomem_realloc(s->e, max * sizeof(s->e[0]));
        s->max = max;
    }
    return &s->e[s->n++];
}

void simt_start(struct simt *s, uint32_t pc, uint32_t mask)
{
    s->n = 0;
    s->released = false;
    *simt_push(s) = (struct simt_entry){.pc = pc, .reconv = ISA_NO_PC, .mask = mask};
}

void simt_free(struct simt *s)
{
    free(s->e);
    *s = (struct simt){0};
}

/* Drop what is empty or has arrived at its reconvergence point. */
static void settle(struct simt *s)
{
    while (s->n != 0 &&
           (simt_top(s)->mask == 0 ||
            (simt_top(s)->pc == simt_top(s)->reconv && simt_top(s)->pc != ISA_NO_PC))) {
        s->n--;
    }
}

void simt_next(struct simt *s, uint32_t pc)
{
    simt_top(s)->pc = pc;
    if (pc == simt_top(s)->reconv) {
        settle(s);
    }
}

static void push_side(struct simt *s, const struct simt_entry *from, uint32_t pc,
                      uint32_t reconv, uint32_t mask)
{
    if (pc == reconv) {
        return; /* these lanes wait in the entry below already */
    }
    *simt_push(s) = (struct simt_entry){.pc = pc,
                                        .reconv = reconv,
                                        .mask = mask,
                                        .slot = from->slot,
                                        .pred = from->pred,
                                        .depth = from->depth};
}

/* The running entry has split and waits at reconv; it goes where nothing would be
 * lost. */
static void wait_at(struct simt *s, uint32_t reconv)
{
    struct simt_entry *top = simt_top(s);

    if (!top->call && (reconv == ISA_NO_PC || reconv == top->reconv)) {
        s->n--;
        return;
    }
    top->pc = reconv;
}

/* Does the function begin with this entry that the lanes, of the top one, are in? */
static bool begins(const struct simt_entry *e, uint32_t lanes)
{
    return e->call && (e->mask & lanes) != 0;
}

/* The entry of this call in which lanes wait at pc, else the number of entries. */
static uint32_t find_waiting(const struct simt *s, uint32_t pc, uint32_t lanes)
{
    for (uint32_t k = s->n - 1; k > 0 && !begins(&s->e[k], lanes); k--) {
        if (s->e[k - 1].pc == pc && (s->e[k - 1].mask & lanes) == lanes) {
            return k - 1;
        }
    }
    return s->n;
}

/* The running entry waits at u->reconv. Lanes may leave for u->last before that: they
 * wait there, in an entry below, unless one waits there already. */
static void wait_at_both(struct simt *s, const struct isa_uop *u)
{
    struct simt_entry *top = simt_top(s), entry = *top;

    if (!top->call && (u->last == ISA_NO_PC || u->last == top->reconv ||
                       find_waiting(s, u->last, top->mask) != s->n)) {
        wait_at(s, u->reconv);
        return;
    }
    top->pc = u->last;
    entry.pc = u->reconv;
    entry.reconv = u->last;
    entry.call = false;
    *simt_push(s) = entry;
}

/* The first entry that lanes are in which leave for pc, where they are waited for at
 * last: none waits for them from there up. The number of entries: all may. */
static uint32_t find_left(const struct simt *s, uint32_t pc, uint32_t lanes)
{
    uint32_t k = s->n - 1;

    if (simt_top(s)->reconv == pc) {
        return s->n;
    }
    if (pc != ISA_NO_PC) {
        k = find_waiting(s, pc, lanes);
        return k == s->n ? k : k + 1;
    }
    while (k > 0 && !begins(&s->e[k], lanes)) {
        k--;
    }
    return begins(&s->e[k], lanes) ? k + 1
                                   : k; /* who called waits until all have returned */
}

/* The lanes in gone, of the running ones, leave for to, and the others go on. False:
 * nobody waits for them on the way, and nothing has changed. */
static bool leave_for(struct simt *s, const struct isa_uop *u, uint32_t gone,
                      uint32_t to, uint32_t others_to)
{
    const struct simt_entry top = *simt_top(s);
    const uint32_t first = find_left(s, u->last, gone);

    if (first == s->n) {
        return false;
    }
    simt_top(s)->pc = others_to;
    for (uint32_t k = first; k < s->n; k++) {
        s->e[k].mask &= ~gone;
    }
    settle(s);
    push_side(s, &top, to, u->last, gone);
    return true;
}

bool simt_branch(struct simt *s, const struct isa_uop *u, uint32_t pc, uint32_t taken)
{
    struct simt_entry top = *simt_top(s);
    uint32_t stay = top.mask & ~taken;

    if (u->leaves != 0) {
        const bool by_taking = (u->leaves & 1u) != 0;
        const uint32_t gone = by_taking ? taken : stay;

        if (gone != 0 && leave_for(s, u, gone, by_taking ? u->target : pc + 1,
                                   by_taking ? pc + 1 : u->target)) {
            return gone != top.mask;
        }
    }
    if (taken == 0 || stay == 0) {
        simt_next(s, taken == 0 ? pc + 1 : u->target);
        return false;
    }
    if (u->reconv == u->last) {
        wait_at(s, u->reconv);
    } else {
        wait_at_both(s, u);
    }
    push_side(s, &top, pc + 1, u->reconv, stay);
    push_side(s, &top, u->target, u->reconv, taken);
    return true;
}

void simt_branch_some(struct simt *s, uint32_t target, uint32_t reconv, uint32_t mask)
{
    struct simt_entry top = *simt_top(s);
    uint32_t stay = top.mask & ~mask;

    if (stay == 0) {
        simt_next(s, target);
        return;
    }
    wait_at(s, reconv);
    push_side(s, &top, top.pc, reconv, stay);
    push_side(s, &top, target, reconv, mask);
    settle(s);
}

void simt_call(struct simt *s, uint32_t target, uint32_t pc, uint32_t mask,
               uint32_t slots, uint32_t preds)
{
    struct simt_entry *top = simt_top(s);
    uint32_t slot = top->slot + slots;
    uint32_t pred = top->pred + preds;
    uint16_t depth = (uint16_t)(top->depth + 1);

    top->pc = pc + 1; /* waits there; settles when the call returns */
    *simt_push(s) = (struct simt_entry){.pc = target,
                                        .reconv = ISA_NO_PC,
                                        .mask = mask,
                                        .slot = slot,
                                        .pred = pred,
                                        .depth = depth,
                                        .call = true};
}

/* The entry that runs if the top one waits: of other lanes, of the same call. Index,
 * else the number of entries. */
static uint32_t find_other(const struct simt *s, uint32_t busy)
{
    for (uint32_t k = s->n - 1; k > 0 && !s->e[k].call; k--) {
        if ((s->e[k - 1].mask & busy) == 0 && s->e[k - 1].mask != 0) {
            return k - 1;
        }
    }
    return s->n;
}

bool simt_yield(struct simt *s, uint32_t pc, uint32_t mask, uint32_t waiting)
{
    struct simt_entry top = *simt_top(s), other = top;
    uint32_t k;

    if (top.mask != mask) { /* those that do not wait run apart from now on */
        if (top.call || pc == top.reconv) {
            return false;
        }
        simt_top(s)->mask = mask;
        simt_top(s)->pc = pc;
        other.mask &= ~mask;
        other.pc = pc;
        *simt_push(s) = other;
        return true;
    }
    k = find_other(s, mask | waiting);
    if (k == s->n) {
        return false;
    }
    other = s->e[k];
    simt_top(s)->pc = pc;
    for (; k + 1 < s->n; k++) {
        s->e[k] = s->e[k + 1];
    }
    if (pc == top.reconv) { /* they wait in the entry below as well */
        s->n--;
    }
    *simt_top(s) = other;
    return true;
}

/* Take lanes out of the entries from first on; the rest of the top goes on after pc. */
static void leave(struct simt *s, uint32_t first, uint32_t pc, uint32_t mask)
{
    simt_top(s)->pc = pc + 1;
    for (uint32_t i = first; i < s->n; i++) {
        s->e[i].mask &= ~mask;
    }
    settle(s);
}

void simt_ret(struct simt *s, uint32_t pc, uint32_t mask)
{
    uint32_t first = s->n - 1;

    while (first > 0 && !begins(&s->e[first], mask)) {
        first--;
    }
    leave(s, first, pc, mask);
}

void simt_exit(struct simt *s, uint32_t pc, uint32_t mask)
{
    leave(s, 0, pc, mask);
}
