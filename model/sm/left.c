#include "sm/left.h"

#include "base/bits.h"

/* Count cycles for each of the warps, which are of scheduler j. */
static void count(struct sm *s, uint32_t j, uint64_t warps, enum stall why,
                  uint64_t cycles)
{
    if (warps == 0 || cycles == 0) {
        return;
    }
    if (UNLIKELY(s->mixed || s->places != NULL)) { /* each where it belongs */
        for (uint64_t m = warps; m != 0; m &= m - 1) {
            warp_count(&s->warps.warp[attr_lowest_bit(m)], why, cycles);
        }
        return;
    }
    s->stalls[s->only * s->n_scheds + j].n[why] +=
        (uint64_t)__builtin_popcountll(warps) * cycles;
}

/* The same; their pipes, and for memory the queue behind, take nothing. */
static void count_throttled(struct sm *s, uint32_t j, uint64_t warps, uint64_t cycles)
{
    uint64_t memory = warps & bits_where(s->warps.class_of, ISA_CL_MEM);
    uint64_t far = memory & s->warps.far;
    uint64_t near =
        (memory & ~far) | (warps & bits_where(s->warps.class_of, ISA_CL_BAR));

    count(s, j, warps & ~far & ~near, STALL_MATH_PIPE, cycles);
    count(s, j, far, STALL_LG, cycles);
    count(s, j, near, STALL_MIO, cycles);
}

/* The same from cycle a to before b, all before the scheduler's next turn: it waits for
 * the interval between two issues, then for a turn that it lent (SPEC ISSUE-2). */
static void count_turn(struct sm *s, uint32_t j, uint64_t warps, sim_cycle_t a,
                       sim_cycle_t b)
{
    const struct slot *d = &s->slot[j];
    sim_cycle_t own = d->next_at == d->lent_to ? d->own_at : b;

    own = own < a ? a : own > b ? b : own;
    count(s, j, warps, STALL_WAIT, own - a);
    count(s, j, warps, STALL_DISPATCH, b - own);
}

/* Of the warps those that could not have issued in this cycle, whoever came first. What
 * was full before has not been issued to since; what is full now and was issued to was
 * not. */
static uint64_t throttled(struct sm *s, const struct slot *d, uint64_t warps)
{
    sim_cycle_t now = s->warps.now;
    uint64_t kept = 0;

    for (uint32_t m = s->warps.used & ~s->taken; m != 0; m &= m - 1) {
        uint32_t class = attr_lowest_bit(m);

        if (s->pipe[class].free >= s->horizon ||
            (class == ISA_CL_MEM && !sim_out_ready(&s->to_lsu))) {
            kept |= bits_where(s->warps.class_of, (uint8_t) class);
        }
    }
    if (d->mem_at > now && d->mem_at != now + s->cfg.sm.mem_interval) {
        kept |= bits_where(s->warps.class_of, ISA_CL_MEM);
    }
    return kept & warps;
}

void left_count(struct sm *s, uint64_t left)
{
    sim_cycle_t now = s->warps.now;

    for (uint32_t j = 0; j < s->n_scheds; j++) {
        const struct slot *d = &s->slot[j];
        uint64_t warps = left & d->own;

        if (warps == 0) {
            continue;
        }
        if ((s->chosen & d->own) != 0) {
            uint64_t kept = throttled(s, d, warps);

            count_throttled(s, j, kept, 1);
            count(s, j, warps & ~kept, STALL_NOT_SELECTED, 1);
        } else if (d->next_at > now) {
            count_turn(s, j, warps, now, now + 1);
        } else {
            count_throttled(s, j, warps, 1);
        }
    }
}

void left_count_gap(struct sm *s, sim_cycle_t now)
{
    sim_cycle_t from = s->left_from;

    for (uint32_t j = 0; j < s->n_scheds; j++) {
        const struct slot *d = &s->slot[j];
        uint64_t warps = s->left & d->own;
        sim_cycle_t turn = d->next_at < from  ? from
                           : d->next_at < now ? d->next_at
                                              : now;

        count_turn(s, j, warps, from, turn);
        count_throttled(s, j, warps, now - turn);
    }
}
