#include "sm/policy.h"

#include "base/attr.h"

const char *const policy_names[4] = {"lrr", "gto", "oldest", "two_level"};

static uint32_t oldest_of(const struct sched *s, uint64_t m)
{
    uint32_t best = (uint32_t)__builtin_ctzll(m);

    for (m &= m - 1; m != 0; m &= m - 1) {
        uint32_t w = (uint32_t)__builtin_ctzll(m);

        if (s->age[w] < s->age[best]) {
            best = w;
        }
    }
    return best;
}

static uint32_t pick_lrr(struct sched *s, uint64_t ready, uint64_t waiting)
{
    (void)waiting;
    return policy_round_robin(s, ready);
}

static uint32_t pick_gto(struct sched *s, uint64_t ready, uint64_t waiting)
{
    (void)waiting;
    if ((ready >> s->last & 1u) != 0) {
        return s->last;
    }
    return oldest_of(s, ready);
}

static uint32_t pick_oldest(struct sched *s, uint64_t ready, uint64_t waiting)
{
    (void)waiting;
    return oldest_of(s, ready);
}

/* Round robin inside a small set; a warp that waits for long leaves it, the oldest
 * ready one outside takes its place. */
static uint32_t pick_two_level(struct sched *s, uint64_t ready, uint64_t waiting)
{
    s->active &= ~waiting;
    while ((uint32_t)__builtin_popcountll(s->active) < s->n_active &&
           (ready & ~s->active) != 0) {
        s->active |= 1ull << oldest_of(s, ready & ~s->active);
    }
    if ((ready & s->active) != 0) {
        return policy_round_robin(s, ready & s->active);
    }
    return oldest_of(s, ready);
}

const struct policy policy_table[] = {
    {"lrr", pick_lrr, "loose round-robin", true, false},
    {"gto", pick_gto, "greedy, then oldest", false, false},
    {"oldest", pick_oldest, "oldest first", false, false},
    {"two_level", pick_two_level, "round-robin in a small active set", false, true},
};
const uint32_t policy_count = ARRAY_LEN(policy_table);

_Static_assert(ARRAY_LEN(policy_table) == ARRAY_LEN(policy_names), "one name each");
