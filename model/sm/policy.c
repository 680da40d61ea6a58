#include "sm/policy.h"

#include "base/attr.h"

const char *const policy_names[4] = {"lrr", "gto", "oldest", "two_level"};

static uint32_t pick_lrr(struct sched *s, uint64_t ready, uint64_t waiting)
{
    (void)waiting;
    return policy_round_robin(s, ready);
}

static uint32_t pick_gto(struct sched *s, uint64_t ready, uint64_t waiting)
{
    (void)waiting;
    return policy_greedy(s, ready);
}

static uint32_t pick_oldest(struct sched *s, uint64_t ready, uint64_t waiting)
{
    (void)waiting;
    return policy_oldest(s, ready);
}

/* Round robin inside a small set; a warp that waits for long leaves it, the oldest
 * ready one outside takes its place. */
static uint32_t pick_two_level(struct sched *s, uint64_t ready, uint64_t waiting)
{
    s->active &= ~waiting;
    while ((uint32_t)__builtin_popcountll(s->active) < s->n_active &&
           (ready & ~s->active) != 0) {
        s->active |= 1ull << policy_oldest(s, ready & ~s->active);
    }
    if ((ready & s->active) != 0) {
        return policy_round_robin(s, ready & s->active);
    }
    return policy_oldest(s, ready);
}

ATTR_NOINLINE void policy_fifo_come(struct policy_fifo *f, const struct sched *s,
                                    uint64_t come)
{
    f->in |= come;
    while (come != 0) {
        const uint32_t i = policy_oldest(s, come);

        f->turn[i] = f->n++;
        come &= ~(1ull << i);
    }
}

ATTR_NOINLINE uint32_t policy_fifo_first(const struct policy_fifo *f, uint64_t set)
{
    uint32_t best = attr_lowest_bit(set);

    for (uint64_t m = set & (set - 1); m != 0; m &= m - 1) {
        const uint32_t i = attr_lowest_bit(m);

        best = f->turn[i] < f->turn[best] ? i : best;
    }
    return best;
}

const struct policy policy_table[] = {
    {"lrr", pick_lrr, "loose round-robin", POLICY_ROUND_ROBIN, false},
    {"gto", pick_gto, "greedy, then oldest", POLICY_GREEDY, false},
    {"oldest", pick_oldest, "oldest first", POLICY_PICKS, false},
    {"two_level", pick_two_level, "round-robin in a small active set", POLICY_PICKS,
     true},
};
const uint32_t policy_count = ARRAY_LEN(policy_table);

_Static_assert(ARRAY_LEN(policy_table) == ARRAY_LEN(policy_names), "one name each");
