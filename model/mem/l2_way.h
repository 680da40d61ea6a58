/*
 * l2_way.h - the way of a slice's answers to SMs that are not equally far (SPEC L2-7).
 * A part of an L2 slice: no ports of its own.
 *
 * GPCs (SMs 2 i and 2 i + 1 belong to GPC i mod 8) and slices lie around a ring of 16
 * places, both in the order of their numbers. An answer takes `spread` cycles to the
 * other side of the ring, in proportion less to what is nearer, and one cycle to its
 * own place. So answers to one SM stay in order, those to several overtake each other.
 */
#ifndef MEM_L2_WAY_H
#define MEM_L2_WAY_H

#include "mem/mem.h"

enum {
    L2_WAY_GPCS = 8,
    L2_WAY_PLACES = 16, /* of the ring */
    L2_WAY_FIRST = 9,   /* of GPC 0: few accesses to low addresses see the mean */
    L2_WAY_STEPS = L2_WAY_PLACES / 2,
    L2_WAY_ROOM = 256, /* answers on their way: a spread of so many cycles, one each */
};

struct l2_way {
    const struct sim_module *scope;
    uint32_t spread; /* cycles; 0: all SMs are equally far */
    uint32_t place;  /* of the slice on the ring */
    uint32_t held;   /* answers on their way, at most L2_WAY_ROOM */
    struct mem_lines lines[L2_WAY_STEPS + 1]; /* by distance; each is in order */
    struct sim_event arrived;
};

/* index of n slices; scope: the slice's module, in whose cycles all is. */
void l2_way_init(struct l2_way *w, const struct sim_module *scope, uint32_t index,
                 uint32_t n, uint32_t spread);

/* How far SM sm is, in steps of spread / L2_WAY_STEPS. */
uint32_t l2_way_steps(const struct l2_way *w, uint32_t sm);

/* t begins its way; there is room. */
void l2_way_send(struct l2_way *w, struct mem_line *t);

/* An answer that has come to the end of its way by now; NULL: none, and `arrived` is
 * notified for the next. It stays until l2_way_take(). */
struct mem_line *l2_way_peek(struct l2_way *w, sim_cycle_t now);

/* What l2_way_peek() returned just now leaves. */
void l2_way_take(struct l2_way *w, const struct mem_line *t);

#endif /* MEM_L2_WAY_H */
