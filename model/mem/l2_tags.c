#include "mem/l2_tags.h"

static uint32_t first_of_set(const struct l2_tags *t, uint64_t addr)
{
    uint64_t line = (mem_part_addr(addr, t->n_slices) & ~MEM_LOCAL_BIT) / MEM_LINE;

    return (uint32_t)((line ^ line / t->n_sets) % t->n_sets) * t->ways;
}

void l2_tags_init(struct l2_tags *t, struct sim *sim, uint64_t bytes, uint32_t ways,
                  uint32_t n_slices)
{
    uint64_t sets = bytes / MEM_LINE / ways;

    t->n_sets = sets == 0 ? 1 : (uint32_t)sets;
    t->ways = ways;
    t->n_slices = n_slices;
    t->tag = sim_alloc(sim, (size_t)t->n_sets * ways * sizeof(t->tag[0]));
}

uint32_t l2_tags_find(const struct l2_tags *t, uint64_t addr)
{
    uint32_t first = first_of_set(t, addr);

    for (uint32_t i = first; i < first + t->ways; i++) {
        if (t->tag[i].taken && t->tag[i].addr == addr) {
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
        if (t->tag[i].fetching != 0) {
            continue;
        }
        if (!t->tag[i].taken) {
            return i;
        }
        if (best == L2_NO_LINE || t->tag[i].used < t->tag[best].used) {
            best = i;
        }
    }
    return best;
}
