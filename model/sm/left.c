#include "sm/left.h"

#include "base/bits.h"

static ATTR_NOINLINE void count_each(struct sm *s, uint64_t warps, enum stall why,
                                     uint64_t cycles)
{
    for (uint64_t m = warps; m != 0; m &= m - 1) {
        warp_count_ready(&s->warps.warp[attr_lowest_bit(m)], why, cycles);
    }
}

/* Count cycles for each of the warps, at n for all of them; NULL: each where it
 * belongs. */
static BITS_INLINE void count(struct sm *s, uint64_t *n, uint64_t warps, enum stall why,
                              uint64_t cycles)
{
    if (n == NULL) {
        count_each(s, warps, why, cycles);
    } else {
        n[why] += (uint64_t)__builtin_popcountll(warps) * cycles;
    }
}

/* The same; their pipes, and for memory the queue behind, take nothing. */
static BITS_INLINE void count_throttled(struct sm *s, uint64_t *n, uint64_t warps,
                                        uint64_t cycles)
{
    uint64_t far = warps & s->warps.far, near = warps & s->warps.near;

    count(s, n, warps & ~far & ~near, STALL_MATH_PIPE, cycles);
    if ((far | near) != 0) {
        count(s, n, far, STALL_LG, cycles);
        count(s, n, near, STALL_MIO, cycles);
    }
}

/* The same from cycle a to before b, all before the next turn of their scheduler d: it
 * waits for the interval between two issues, then for a turn that it lent (SPEC
 * ISSUE-2). */
static BITS_INLINE void count_turn(struct sm *s, const struct slot *d, uint64_t *n,
                                   uint64_t warps, sim_cycle_t a, sim_cycle_t b)
{
    sim_cycle_t own = b;

    if (UNLIKELY(d->next_at == d->lent_to)) {
        own = d->own_at < a ? a : d->own_at > b ? b : d->own_at;
        if (own != b) {
            count(s, n, warps, STALL_DISPATCH, b - own);
        }
    }
    if (own != a) {
        count(s, n, warps, STALL_WAIT, own - a);
    }
}

/* Count the cycles from d->left_at to before now for the warps that d left. */
static BITS_INLINE void count_left(struct sm *s, struct slot *d, uint64_t *n)
{
    const sim_cycle_t now = s->warps.now, from = d->left_at;
    sim_cycle_t turn = d->next_at < now ? d->next_at : now;

    turn = turn < from ? from : turn;
    if (turn != from) {
        count_turn(s, d, n, d->left, from, turn);
    }
    if (turn != now) {
        count_throttled(s, n, d->left, now - turn);
    }
}

/* ---- a step in which somebody issued ---- */

/* Warps whose pipe is one of d's classes in m, and full; those not full leave *busy. */
static uint64_t full(const struct sm *s, const struct slot *d, uint32_t m,
                     uint32_t *busy)
{
    uint64_t warps = 0;

    for (; m != 0; m &= m - 1) {
        uint32_t class = attr_lowest_bit(m);

        if (d->pipe[class]->free >= s->horizon) {
            warps |= bits_where(s->warps.class_of, (uint8_t) class);
        } else {
            *busy &= ~(1u << class);
        }
    }
    return warps;
}

/* A memory instruction of d was so short ago that there could be none in this cycle. */
static inline bool is_early(const struct sm *s, const struct slot *d)
{
    const sim_cycle_t now = s->warps.now;

    return d->mem_at > now && d->mem_at != now + s->cfg.sm.mem_interval;
}

/* Of d's warps, of which these were left, those that could not have issued, whoever
 * came first: their pipes were full before. (What was full before has not been issued
 * to since; what is full now and was issued to was not.) */
static BITS_INLINE uint64_t kept(struct sm *s, struct slot *d, uint64_t left)
{
    const struct warps *ws = &s->warps;
    const uint32_t common = s->busy & ~s->taken & ~d->alone;
    const uint32_t own = d->busy & ~d->taken & d->alone;
    uint64_t warps = 0;

    if ((common | own) != 0) {
        warps = full(s, d, common, &s->busy) | full(s, d, own, &d->busy);
    }
    if ((left & (ws->far | ws->near)) != 0 &&
        (is_early(s, d) || ((s->taken >> ISA_CL_MEM & 1u) == 0 &&
                            !sim_out_ready_at(&s->to_lsu, ws->now)))) {
        warps |= bits_where(ws->class_of, ISA_CL_MEM);
    }
    return left & warps;
}

/* d has issued: count this cycle for the others that were ready. */
static BITS_INLINE void count_others(struct sm *s, struct slot *d, uint64_t *n,
                                     uint64_t others)
{
    const uint64_t of = kept(s, d, others);

    count(s, n, others & ~of, STALL_NOT_SELECTED, 1);
    if (UNLIKELY(of != 0)) {
        count_throttled(s, n, of, 1);
    }
}

static BITS_INLINE void end_all(struct sm *s, bool each)
{
    const uint64_t ready = s->warps.ready | s->parked;

    for (uint32_t j = 0; j < s->n_scheds; j++) {
        struct slot *d = &s->slot[j];
        const uint64_t left = ready & d->own;

        if ((s->chosen & d->own) != 0) {
            if ((left & ~s->chosen) != 0) {
                count_others(s, d, each ? NULL : d->stalls, left & ~s->chosen);
            }
            d->left = left;
            d->left_at = s->warps.now + 1;
            d->busy |= d->taken;
            d->taken = 0;
        } else {
            left_change(s, d, left);
        }
    }
    s->busy |= s->taken;
    s->taken = 0;
    s->chosen = 0;
}

void left_settle_all(struct sm *s)
{
    for (uint32_t j = 0; j < s->n_scheds; j++) {
        left_settle(s, &s->slot[j]);
    }
}

/* ---- each by itself; with and without an instruction that counts bits ---- */

static void count_each_alone(struct sm *s, struct slot *d)
{
    count_left(s, d, NULL);
}

static void end_each_alone(struct sm *s)
{
    end_all(s, true);
}

static void count_plain(struct sm *s, struct slot *d)
{
    count_left(s, d, d->stalls);
}

static void end_plain(struct sm *s)
{
    end_all(s, false);
}

static BITS_POPCNT void count_popcnt(struct sm *s, struct slot *d)
{
    count_left(s, d, d->stalls);
}

static BITS_POPCNT void end_popcnt(struct sm *s)
{
    end_all(s, false);
}

void left_place(struct sm *s, bool alone)
{
    const bool counts = bits_have_popcnt();

    left_settle_all(s);
    for (uint32_t j = 0; j < s->n_scheds; j++) {
        s->slot[j].stalls = s->stalls[s->only * s->n_scheds + j].n;
    }
    s->count_left = alone ? count_each_alone : counts ? count_popcnt : count_plain;
    s->end_chosen = alone ? end_each_alone : counts ? end_popcnt : end_plain;
}
