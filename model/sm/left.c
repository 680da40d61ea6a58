#include "sm/left.h"

#include "base/bits.h"

static ATTR_NOINLINE void count_each(struct sm *s, uint64_t warps, enum stall why,
                                     uint64_t cycles)
{
    for (uint64_t m = warps; m != 0; m &= m - 1) {
        warp_count(&s->warps.warp[attr_lowest_bit(m)], why, cycles);
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

uint64_t left_kept(struct sm *s, uint64_t left)
{
    uint32_t common = ~s->slot[0].alone;
    uint64_t kept = full(s, &s->slot[0], s->busy & ~s->taken & common, &s->busy);

    for (uint32_t j = 0; j < s->n_scheds && ~common != 0; j++) {
        struct slot *d = &s->slot[j];

        kept |= full(s, d, d->busy & ~d->taken & ~common, &d->busy) & d->own;
    }
    if ((left & (s->warps.far | s->warps.near)) != 0 &&
        (s->taken >> ISA_CL_MEM & 1u) == 0 && !sim_out_ready(&s->to_lsu)) {
        kept |= bits_where(s->warps.class_of, ISA_CL_MEM);
    }
    return kept;
}

/* The same of warps of d, for the interval between its memory instructions. */
static inline uint64_t kept_here(const struct sm *s, const struct slot *d)
{
    sim_cycle_t then = s->left_at;

    return d->mem_at > then && d->mem_at != then + s->cfg.sm.mem_interval
               ? bits_where(s->warps.class_of, ISA_CL_MEM)
               : 0;
}

/* Count the cycles from that of the last step to before now for warps of d, at n. */
static BITS_INLINE void count_of(struct sm *s, const struct slot *d, uint64_t *n,
                                 uint64_t warps, sim_cycle_t now)
{
    sim_cycle_t from = s->left_at, turn;

    if ((s->chosen & d->own) != 0) { /* d issued another one */
        uint64_t others = warps & ~s->chosen, kept = (s->kept | kept_here(s, d));

        count(s, n, others & ~kept, STALL_NOT_SELECTED, 1);
        if (UNLIKELY((others & kept) != 0)) {
            count_throttled(s, n, others & kept, 1);
        }
        from++;
    }
    turn = d->next_at < now ? d->next_at : now;
    turn = turn < from ? from : turn;
    if (turn != from) {
        count_turn(s, d, n, warps, from, turn);
    }
    if (turn != now) {
        count_throttled(s, n, warps, now - turn);
    }
}

static BITS_INLINE void count_all(struct sm *s, struct stalls *at, sim_cycle_t now)
{
    for (uint32_t j = 0; j < s->n_scheds; j++) {
        uint64_t warps = s->left & s->slot[j].own;

        if (warps != 0) {
            count_of(s, &s->slot[j], at == NULL ? NULL : at[j].n, warps, now);
        }
    }
}

static void count_each_alone(struct sm *s, sim_cycle_t now)
{
    count_all(s, NULL, now);
}

/* ---- with and without an instruction that counts bits ---- */

static void count_plain(struct sm *s, sim_cycle_t now)
{
    count_all(s, s->common, now);
}

static BITS_POPCNT void count_popcnt(struct sm *s, sim_cycle_t now)
{
    count_all(s, s->common, now);
}

void left_init(struct sm *s)
{
    s->together = bits_have_popcnt() ? count_popcnt : count_plain;
}

void left_place(struct sm *s, bool alone)
{
    s->common = alone ? NULL : &s->stalls[s->only * s->n_scheds];
    s->count_left = alone ? count_each_alone : s->together;
}
