#include "sm/paths.h"

#include <string.h>

/* Entry k becomes the top, those above it keep their order. */
static void to_top(struct simt *s, uint32_t k)
{
    const struct simt_entry e = s->e[k];

    memmove(&s->e[k], &s->e[k + 1], (s->n - k - 1) * sizeof(e));
    s->e[s->n - 1] = e;
}

static void forget_empty(struct simt *s)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < s->n; k++) {
        if (s->e[k].mask != 0) {
            s->e[n++] = s->e[k];
        }
    }
    s->n = n;
}

/* Lanes that wait at the end of their entry, behind a call, wait in one below as well:
 * there alone from now on. */
static void settle(struct simt *s)
{
    uint32_t seen = 0;
    bool empty = false;

    for (uint32_t k = s->n; k > 0; k--) {
        struct simt_entry *e = &s->e[k - 1];

        if (e->pc == e->reconv && e->pc != ISA_NO_PC) {
            e->mask &= seen;
        }
        empty |= e->mask == 0;
        seen |= e->mask;
    }
    if (empty) {
        forget_empty(s);
    }
}

/* The lowest path without barred lanes: those above it have run since it did. The
 * number of entries: there is none. */
static uint32_t find(const struct simt *s, uint32_t barred, bool yielded)
{
    uint32_t seen = 0, found = s->n;

    for (uint32_t k = s->n; k > 0; k--) {
        const struct simt_entry *e = &s->e[k - 1];

        if (e->mask != 0 && (e->mask & (seen | barred)) == 0 && e->yielded == yielded) {
            found = k - 1;
        }
        seen |= e->mask;
    }
    return found;
}

/* The first lanes that wait for none but sleepers go on as a path of their own. */
static bool release(struct simt *s, uint32_t barred, uint32_t asleep)
{
    uint32_t seen = 0;

    for (uint32_t k = s->n; k > 0; k--) {
        struct simt_entry *e = &s->e[k - 1];
        const uint32_t missing = e->mask & seen, there = e->mask & ~(seen | barred);

        if (missing == 0) {
            asleep |= e->yielded ? e->mask : 0;
        } else if (there != 0 && (missing & ~asleep) == 0) {
            struct simt_entry path = *e;

            e->mask &= ~there;
            path.mask = there;
            path.yielded = false;
            *simt_push(s) = path;
            s->released = true;
            return true;
        }
        seen |= e->mask;
    }
    return false;
}

bool paths_ready(struct simt *s, uint32_t barred)
{
    uint32_t k;

    settle(s);
    k = find(s, barred, false);
    if (k == s->n) {
        return false;
    }
    to_top(s, k);
    return true;
}

bool paths_turn(struct simt *s, uint32_t barred, uint32_t asleep)
{
    uint32_t k;

    if (paths_ready(s, barred) || release(s, barred, asleep)) {
        return true;
    }
    k = find(s, barred, true);
    if (k == s->n) {
        return false;
    }
    to_top(s, k);
    return true;
}

void paths_part(struct simt *s, uint32_t pc, uint32_t lanes, uint32_t rest)
{
    struct simt_entry path = *simt_top(s);

    path.pc = pc;
    if (path.mask == lanes) {
        *simt_top(s) = path;
        return;
    }
    path.mask = lanes;
    simt_top(s)->mask &= ~lanes;
    simt_top(s)->pc = rest;
    *simt_push(s) = path;
}

bool paths_lift(struct simt *s, uint32_t lanes)
{
    uint32_t seen = 0;

    settle(s);
    for (uint32_t k = s->n; k > 0; k--) {
        const struct simt_entry e = s->e[k - 1];

        if ((e.mask & seen) == 0 && (e.mask & lanes) != 0) {
            to_top(s, k - 1);
            paths_part(s, e.pc, e.mask & lanes, e.pc);
            return true;
        }
        seen |= e.mask;
    }
    return false;
}

/* Do both stand at the same place, in functions called from the same place? */
static bool together(const struct simt_entry *a, const struct simt_entry *b)
{
    return a->pc == b->pc && a->slot == b->slot && a->pred == b->pred &&
           a->depth == b->depth;
}

/* The entry below `from` in which all these lanes wait, at another place than pc; 0:
 * there is none, k + 1: entry k. */
static uint32_t common(const struct simt *s, uint32_t from, uint32_t lanes, uint32_t pc)
{
    while (from > 0 &&
           ((s->e[from - 1].mask & lanes) != lanes || s->e[from - 1].pc == pc)) {
        from--;
    }
    return from;
}

/* Is one of the lanes in a call that an entry from there up made or waits for? */
static bool called_above(const struct simt *s, uint32_t from, uint32_t lanes,
                         uint32_t depth)
{
    for (uint32_t k = from; k < s->n; k++) {
        if ((s->e[k].mask & lanes) != 0 && s->e[k].depth != depth) {
            return true;
        }
    }
    return false;
}

/* Entry k, a path, becomes part of the top one. False: they are in different calls. */
static bool join(struct simt *s, uint32_t k)
{
    struct simt_entry path = *simt_top(s);
    const uint32_t lanes = path.mask | s->e[k].mask;
    const uint32_t below = common(s, k, lanes, path.pc);

    path.mask = lanes;
    path.call = false;
    path.reconv = ISA_NO_PC;
    if (called_above(s, below, lanes, path.depth) || (below == 0 && path.depth != 0)) {
        return false;
    }
    if (below != 0) {
        const struct simt_entry *e = &s->e[below - 1];

        path.call = e->depth != path.depth; /* they return to it */
        path.reconv = path.call ? ISA_NO_PC : e->pc;
        if (e->depth + path.call != path.depth) {
            return false;
        }
    }
    for (uint32_t i = below; i < s->n; i++) {
        s->e[i].mask &= ~lanes;
    }
    *simt_top(s) = path;
    forget_empty(s);
    return true;
}

void paths_join(struct simt *s, uint32_t lanes)
{
    uint32_t seen = simt_top(s)->mask;
    bool joined = true;

    while (joined) {
        joined = false;
        for (uint32_t k = s->n - 1; k > 0 && !joined; k--) {
            const struct simt_entry *e = &s->e[k - 1];

            joined = e->mask != 0 && (e->mask & (seen | ~lanes)) == 0 &&
                     together(e, simt_top(s)) && join(s, k - 1);
            seen |= e->mask;
        }
        seen = simt_top(s)->mask;
    }
}
