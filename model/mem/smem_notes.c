#include "mem/smem_notes.h"

#include "mem/smem.h"

#include <string.h>

void smem_note(struct smem_notes *n, const struct rules_cc *rules,
               const struct mem_req *r, const struct mem_wave *w, bool conflict,
               sim_cycle_t idle_at)
{
    struct bank_set busy = {{0}};

    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t m = w->lanes[i]; m != 0; m &= m - 1) {
            uint32_t word = (uint32_t)(r->base + r->addr[__builtin_ctz(m)]) / 4 + i;
            uint32_t bank = rules_bank(rules, r->bank_mode, word);

            bank_set_add(&busy, bank);
            n->word[bank] = word;
            n->mode[bank] = r->bank_mode;
            n->warp[bank] = r->warp;
        }
    }
    bank_set_add_all(&n->banks, &busy);
    n->busy = busy;
    n->op = r->op;
    n->idle_at = idle_at;
    n->conflict = conflict;
    if (conflict) {
        n->size = (uint8_t)(r->size * r->vec);
        n->bank_mode = r->bank_mode;
        n->counts = smem_access_of(r).counts;
        n->mask = r->mask;
        n->base = (uint32_t)r->base;
        memcpy(n->addr, r->addr, sizeof(n->addr));
    }
}

struct bank_set smem_conflict(const struct rules_cc *rules,
                              const struct rules_access *a, uint32_t base)
{
    struct rules_waves plan;

    rules_shared(rules, a, &plan);
    return rules_crowded(rules, a, base, &plan);
}

bool smem_conflicts(const struct rules_cc *rules, const struct mem_req *r)
{
    struct rules_access a = smem_access_of(r);

    struct bank_set banks = smem_conflict(rules, &a, (uint32_t)r->base);

    return !bank_set_is_empty(&banks);
}

struct bank_set smem_noted_conflict(const struct smem_notes *n,
                                    const struct rules_cc *rules)
{
    struct rules_access a = {.op = n->op,
                             .bytes = n->size,
                             .bank_mode = n->bank_mode,
                             .counts = n->counts,
                             .mask = n->mask,
                             .addr = n->addr};

    return n->conflict ? smem_conflict(rules, &a, n->base) : (struct bank_set){{0}};
}
