/*
 * l2_atom.h - when the atomic units of an L2 slice are free: SPEC L2-8.
 *
 * A slice has a few units; what lies together in one half belongs to one of them. A
 * request takes its unit for a time that grows with its sectors. Requests wait for
 * their unit at the head of the slice's queue once it is a few cycles behind.
 * Times only: what an atomic does to the bytes happens when the slice serves it.
 */
#ifndef MEM_L2_ATOM_H
#define MEM_L2_ATOM_H

#include "mem/mem.h"

enum { L2_ATOM_UNITS = 8 };

struct l2_atom_config { /* cycles of the slice's clock */
    uint32_t units;     /* 1 to L2_ATOM_UNITS */
    uint32_t line;      /* of an atomic that touches a line's four sectors; fewer take
                           less in proportion; 0: units are never busy */
    uint32_t floats;    /* between two of floats on one line, at least */
};

struct l2_atoms {
    const struct l2_atom_config *cfg;
    struct l2_atom_unit {
        uint64_t free_at;  /* quarters of a cycle: what a sector takes is no integer */
        uint64_t began_at; /* the last one, quarters of a cycle */
        uint64_t line;     /* of the last one, if it was of floats; else 1 */
    } unit[L2_ATOM_UNITS];
};

struct l2_atom_turn { /* what an atomic that takes its unit makes of it */
    uint32_t index;
    struct l2_atom_unit unit;
};

void l2_atoms_init(struct l2_atoms *a, const struct l2_atom_config *cfg);
/* The first cycle, not before now, in which the unit of atomic t takes it, and if it
 * takes it now, what then holds: for l2_atoms_take(). */
sim_cycle_t l2_atoms_ready(const struct l2_atoms *a, const struct mem_line *t,
                           sim_cycle_t now, struct l2_atom_turn *turn);
/* It takes it. */
void l2_atoms_take(struct l2_atoms *a, const struct l2_atom_turn *turn);

#endif /* MEM_L2_ATOM_H */
