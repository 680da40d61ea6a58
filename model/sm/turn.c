#include "sm/turn.h"

#include "base/nomem.h"
#include "sm/fault.h"
#include "sm/paths.h"
#include "sm/watch.h"

#include <stdlib.h>

bool turn_is_free(const struct sm *s)
{
    return s->shared->rules->cc >= 70;
}

static struct turns *turns_of(struct warp *w)
{
    if (w->turns == NULL) {
        w->turns = nomem_calloc(1, sizeof(*w->turns));
    }
    return w->turns;
}

/* Lanes that wait for others, in the warp or at a barrier. */
static uint32_t barred(const struct warp *w)
{
    return w->barring | warp_syncing(w);
}

/* ---- lanes that poll ---- */

bool turn_give(struct sm *s, uint32_t i, uint32_t pc)
{
    struct warp *w = &s->warps.warp[i];
    struct simt *paths = &w->simt;
    const uint32_t mask = w->active;

    if (paths->n == 1 || !turn_is_free(s)) {
        return false;
    }
    if (simt_top(paths)->yielded) { /* others have had their turn */
        simt_top(paths)->yielded = false;
        return false;
    }
    simt_top(paths)->pc = pc;
    simt_top(paths)->yielded = true;
    if (!paths_turn(paths, barred(w), warp_syncing(w)) ||
        simt_top(paths)->mask == mask) {
        simt_top(paths)->yielded = false;
        return false; /* none but these */
    }
    w->parked |= mask;
    w->parked &= ~simt_top(paths)->mask;
    return true;
}

/* ---- lanes that wait for members ---- */

/* The live lanes that lane l waits for, itself included: at barriers of the block and
 * of the cluster all. */
static uint32_t members_of(const struct warp *w, const struct isa_uop *u, uint32_t l)
{
    const bool all = (u->aside & ISA_ASIDE_ALL) != 0 || u->kind == ISA_K_BAR ||
                     u->kind == ISA_K_CLUSTER;

    return w->live & (all ? UINT32_MAX : fault_member_mask(u, &w->lanes, l));
}

/* Of the lanes in mask, those some of whose members do not execute u with them. */
uint32_t turn_lacking(const struct warp *w, const struct isa_uop *u, uint32_t mask)
{
    const uint32_t met = w->turns == NULL ? 0 : w->turns->met;
    uint32_t lanes = 0;

    for (uint32_t m = mask & ~met; m != 0; m &= m - 1) {
        const uint32_t l = attr_lowest_bit(m);

        lanes |= (uint32_t)((members_of(w, u, l) & ~mask) != 0) << l;
    }
    return lanes;
}

/* Lanes that wait, and all of whose members wait as well. */
static uint32_t find_complete(const struct warp *w)
{
    const struct turns *t = w->turns;
    uint32_t complete = 0;

    for (uint32_t m = t->syncing; m != 0; m &= m - 1) {
        const uint32_t l = attr_lowest_bit(m);

        complete |= (uint32_t)((t->members[l] & w->live & ~t->syncing) == 0) << l;
    }
    return complete;
}

/* The path on top has met those it waited for. What only waits has been executed. */
static void pass(struct sm *s, uint32_t i)
{
    struct warp *w = &s->warps.warp[i];
    const struct simt_entry *top = simt_top(&w->simt);
    struct turns *t = w->turns;

    if (w->uops[top->pc].kind == ISA_K_NOP) {
        if (UNLIKELY(s->check != NULL)) {
            watch_met(s, i, &w->uops[top->pc], t->members[attr_lowest_bit(top->mask)]);
        }
        simt_next(&w->simt, top->pc + 1);
        return;
    }
    for (uint32_t m = top->mask; m != 0; m &= m - 1) {
        const uint32_t l = attr_lowest_bit(m);

        t->met |= (uint32_t)((t->members[l] & w->live & ~top->mask) != 0) << l;
    }
}

/* Lanes whose members have come, the last of them perhaps by leaving the kernel, can
 * go on: those at one place together. `last` come to the top if they are among them. */
static void free_complete(struct sm *s, uint32_t i, uint32_t last)
{
    struct warp *w = &s->warps.warp[i];
    struct turns *t = w->turns;
    const uint32_t complete = t == NULL ? 0 : find_complete(w);
    uint32_t left = complete & ~last;

    if (complete == 0) {
        return;
    }
    t->syncing &= ~complete;
    w->parked &= ~complete;
    for (uint32_t turn = 0; turn < 2; turn++) {
        while (left != 0 && paths_lift(&w->simt, left)) {
            paths_join(&w->simt, complete);
            left &= ~simt_top(&w->simt)->mask;
            if (turn == 0 && (simt_top(&w->simt)->mask & last) != 0) {
                last |= simt_top(&w->simt)->mask; /* one path now */
                continue;
            }
            pass(s, i);
        }
        left = complete & last;
    }
}

void turn_gone(struct warp *w)
{
    struct turns *t = w->turns;
    uint32_t seen = 0;

    t->met &= w->live;
    for (uint32_t k = w->simt.n; k > 0 && t->met != 0; k--) {
        const struct simt_entry *e = &w->simt.e[k - 1];

        for (uint32_t m = t->met & e->mask & ~seen; m != 0; m &= m - 1) {
            const uint32_t l = attr_lowest_bit(m);

            if ((t->members[l] & w->live & ~e->mask) == 0) {
                t->met &= ~(1u << l); /* all members are with it */
            }
        }
        seen |= e->mask;
    }
}

bool turn_wait(struct sm *s, uint32_t i, uint32_t mask)
{
    struct warp *w = &s->warps.warp[i];
    const struct isa_uop *u = w->head;
    const uint32_t waiting = turn_lacking(w, u, mask);
    struct turns *t;

    if (waiting == 0) {
        if (w->turns != NULL) {
            w->turns->met &= ~mask;
        }
        return false;
    }
    t = turns_of(w);
    for (uint32_t m = waiting; m != 0; m &= m - 1) {
        const uint32_t l = attr_lowest_bit(m);

        t->members[l] = members_of(w, u, l);
    }
    t->syncing |= waiting;
    w->parked |= waiting;
    paths_part(&w->simt, w->pc, waiting, w->pc);
    free_complete(s, i, waiting);
    return true;
}

/* ---- who is next ---- */

bool turn_next(struct sm *s, uint32_t i)
{
    struct warp *w = &s->warps.warp[i];

    free_complete(s, i, w->active);
    if (w->simt.n == 0 || paths_turn(&w->simt, barred(w), warp_syncing(w))) {
        w->parked &= w->simt.n == 0 ? 0 : ~simt_top(&w->simt)->mask;
        return true;
    }
    /* were all at member masks, they would all have come */
    SIM_REQUIRE(s->scope.sim, w->barring != 0, "turn_next");
    (void)paths_lift(&w->simt, w->barring);
    return false;
}
