#include "mem/l2_atom.h"

#include "base/bits.h"
#include "mem/l2_halves.h"

enum { QUARTERS = 4, BACKLOG = 16 /* cycles a unit may be behind */, NO_LINE = 1 };

void l2_atoms_init(struct l2_atoms *a, const struct l2_atom_config *cfg)
{
    a->cfg = cfg;
    for (uint32_t i = 0; i < L2_ATOM_UNITS; i++) {
        a->unit[i] = (struct l2_atom_unit){.line = NO_LINE};
    }
}

/* The bits of the number of its piece, folded to those of a unit's number: two units
 * are one of each half. */
static uint32_t unit_of(const struct l2_atoms *a, uint64_t addr)
{
    uint64_t n = addr / L2_HALVES_PIECE;

    n ^= n >> 32;
    n ^= n >> 16;
    n ^= n >> 8;
    n ^= n >> 4;
    n ^= n >> 2;
    n ^= a->cfg->units == 2 ? n >> 1 : 0;
    return (uint32_t)(n % a->cfg->units);
}

static bool is_float(const struct mem_atom *m)
{
    return m->type >= ISA_T_F16 && m->type <= ISA_T_F64;
}

/* Quarters of a cycle that t takes its unit. Operands of two words a lane, as of a
 * compare-and-swap, and doubles take twice. */
static uint64_t quarters(const struct l2_atoms *a, const struct mem_line *t)
{
    const bool twice = (t->atom->sub == ISA_S_CAS && bits_count(t->atom->mask) > 1) ||
                       t->atom->type == ISA_T_F64;

    return (uint64_t)a->cfg->line * mem_sector_count(t->sectors) * (twice ? 2 : 1);
}

/* When unit u begins with t if it takes it now, quarters of a cycle. */
static uint64_t begins(const struct l2_atoms *a, const struct l2_atom_unit *u,
                       const struct mem_line *t, sim_cycle_t now)
{
    uint64_t at = (uint64_t)now * QUARTERS;

    at = u->free_at > at ? u->free_at : at;
    if (is_float(t->atom) && u->line == t->addr) {
        const uint64_t next = u->began_at + (uint64_t)a->cfg->floats * QUARTERS;

        at = next > at ? next : at;
    }
    return at;
}

sim_cycle_t l2_atoms_ready(const struct l2_atoms *a, const struct mem_line *t,
                           sim_cycle_t now, struct l2_atom_turn *turn)
{
    uint64_t began_at;
    sim_cycle_t at;

    if (a->cfg->line == 0) {
        *turn = (struct l2_atom_turn){.unit = a->unit[0]};
        return now;
    }
    turn->index = unit_of(a, t->addr);
    began_at = begins(a, &a->unit[turn->index], t, now);
    turn->unit = (struct l2_atom_unit){.began_at = began_at,
                                       .free_at = began_at + quarters(a, t),
                                       .line = is_float(t->atom) ? t->addr : NO_LINE};
    at = (sim_cycle_t)(began_at / QUARTERS);
    return at > now + BACKLOG ? at - BACKLOG : now;
}

void l2_atoms_take(struct l2_atoms *a, const struct l2_atom_turn *turn)
{
    a->unit[turn->index] = turn->unit;
}
