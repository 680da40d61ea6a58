#include "mem/l2_tags.h"

static uint32_t first_of_set(const struct l2_tags *t, uint64_t addr)
{
    uint64_t line = (mem_part_addr(addr, &t->slices) & ~MEM_LOCAL_BIT) / MEM_LINE;

    line ^= quotient(&t->n_sets, line);
    return (uint32_t)remainder_of(&t->n_sets, line) * t->ways;
}

void l2_tags_init(struct l2_tags *t, struct sim *sim, uint64_t bytes, uint32_t ways,
                  const struct mem_parts *slices)
{
    uint64_t sets = bytes / MEM_LINE / ways;

    _Static_assert(L2_EMPTY == 0 && ISA_GLOBAL_BASE > 0, "zeroed tags are empty");
    sets = sets == 0 ? 1 : sets;
    t->n_sets = divisor_of(sets);
    t->ways = ways;
    t->slices = *slices;
    t->addr = sim_alloc(sim, sets * ways * sizeof(t->addr[0]));
    t->tag_of = sim_alloc(sim, sets * ways * sizeof(t->tag_of[0]));
    t->tag = sim_alloc(sim, (sets * ways + 1) * sizeof(t->tag[0]));
}

void l2_tags_take(struct l2_tags *t, uint32_t i, uint64_t addr)
{
    t->addr[i] = addr;
    if (t->tag_of[i] == 0) {
        t->tag_of[i] = ++t->n_tags;
    }
    t->tag[t->tag_of[i]] = (struct l2_tag){0};
}

uint32_t l2_tags_find(const struct l2_tags *t, uint64_t addr)
{
    uint32_t first = first_of_set(t, addr);

    for (uint32_t i = first; i < first + t->ways; i++) {
        if (t->addr[i] == addr) {
            return i;
        }
    }
    return L2_NO_LINE;
}

uint32_t l2_tags_find_inside(const struct l2_tags *t, uint64_t inside)
{
    uint64_t a = inside & ~MEM_LOCAL_BIT, line = a / MEM_LINE;
    /* the units of all slices that lie at this place inside their slice */
    const uint64_t unit = 1u << t->slices.unit_bits, units = t->slices.n.d * unit;
    const uint64_t low = a / unit * units;
    uint32_t first;

    line ^= quotient(&t->n_sets, line);
    first = (uint32_t)remainder_of(&t->n_sets, line) * t->ways;
    for (uint32_t i = first; i < first + t->ways; i++) {
        const uint64_t at = mem_part_order(t->addr[i] & ~MEM_LOCAL_BIT, &t->slices);

        if (((t->addr[i] ^ inside) & MEM_LOCAL_BIT) == 0 && at - low < units &&
            (at - a) % unit == 0) {
            return i;
        }
    }
    return L2_NO_LINE;
}

uint32_t l2_tags_victim(const struct l2_tags *t, uint64_t addr)
{
    uint32_t first = first_of_set(t, addr);
    uint32_t best = L2_NO_LINE;

    for (uint32_t i = first; i < first + t->ways; i++) {
        if (l2_tags_at(t, i)->fetching != 0) {
            continue;
        }
        if (t->addr[i] == L2_EMPTY) {
            return i;
        }
        if (best == L2_NO_LINE || l2_tags_at(t, i)->used < l2_tags_at(t, best)->used) {
            best = i;
        }
    }
    return best;
}
