/*
 * rules_banks.h - a set of the banks of shared memory, of which a device has 16 or 32,
 * and a what-if device up to BANKS_MAX.
 */
#ifndef MEM_RULES_BANKS_H
#define MEM_RULES_BANKS_H

#include <stdbool.h>
#include <stdint.h>

enum { BANKS_MAX = 128 };

struct bank_set {
    uint64_t part[BANKS_MAX / 64]; /* bit b % 64 of part b / 64: bank b is in it */
};

static inline bool bank_set_has(const struct bank_set *s, uint32_t bank)
{
    return (s->part[bank / 64] >> bank % 64 & 1u) != 0;
}

static inline void bank_set_add(struct bank_set *s, uint32_t bank)
{
    s->part[bank / 64] |= 1ull << bank % 64;
}

static inline void bank_set_add_all(struct bank_set *s, const struct bank_set *more)
{
    s->part[0] |= more->part[0];
    s->part[1] |= more->part[1];
}

static inline struct bank_set bank_set_both(const struct bank_set *a,
                                            const struct bank_set *b)
{
    return (struct bank_set){{a->part[0] & b->part[0], a->part[1] & b->part[1]}};
}

static inline bool bank_set_is_empty(const struct bank_set *s)
{
    return (s->part[0] | s->part[1]) == 0;
}

/* The first one in it from the given one on; BANKS_MAX: none. */
static inline uint32_t bank_set_from(const struct bank_set *s, uint32_t bank)
{
    while (bank < BANKS_MAX && !bank_set_has(s, bank)) {
        bank++;
    }
    return bank;
}

static inline uint32_t bank_set_count(const struct bank_set *s)
{
    return (uint32_t)(__builtin_popcountll(s->part[0]) +
                      __builtin_popcountll(s->part[1]));
}

#endif /* MEM_RULES_BANKS_H */
