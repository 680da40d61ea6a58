/*
 * wheel.h - a clock's notifications 2 to SIM_WHEEL - 1 cycles ahead: a list per cycle,
 * found by bitmap.
 *
 * A bucket holds the events of one cycle at a time, because all events of the wheel lie
 * after c->cycle and fewer than SIM_WHEEL cycles ahead of it. This is true also while
 * c->cycle lags behind the present: adding an event brings c->cycle up to date, and it
 * only grows.
 */
#ifndef ENGINE_WHEEL_H
#define ENGINE_WHEEL_H

#include "engine/chain.h"
#include "engine/sim.h"

#define WHEEL_WORDS (SIM_WHEEL / 64)

static inline uint32_t wheel_bucket(sim_cycle_t k)
{
    return (uint32_t)k & (SIM_WHEEL - 1);
}

static inline void wheel_mark_empty(struct sim_clock *c, uint32_t b)
{
    c->map[b / 64] &= ~((uint64_t)1 << (b % 64));
    c->n_wheel--;
}

static inline void wheel_insert(struct sim_clock *c, struct sim_event *e)
{
    uint32_t b = wheel_bucket(e->when);

    if (chain_append(c->sim, &c->bucket[b], e)) {
        c->map[b / 64] |= (uint64_t)1 << (b % 64);
        c->n_wheel++;
    }
}

static inline void wheel_remove(struct sim_clock *c, struct sim_event *e)
{
    uint32_t b = wheel_bucket(e->when);

    if (chain_remove(c->sim, &c->bucket[b], e)) {
        wheel_mark_empty(c, b);
    }
}

/* The earliest cycle of which the wheel holds an event; the wheel is not empty. */
static inline sim_cycle_t wheel_first(const struct sim_clock *c)
{
    sim_cycle_t from = c->cycle + 1;
    uint32_t b = wheel_bucket(from);
    uint32_t w = b / 64;
    uint64_t bits = c->map[w] & (UINT64_MAX << (b % 64));

    while (bits == 0) { /* at most once around, back to the bits masked away */
        w = (w + 1) % WHEEL_WORDS;
        bits = c->map[w];
    }
    return from + wheel_bucket(w * 64 + attr_lowest_bit(bits) - b);
}

/* Take the list of cycle k, which may be empty. */
static inline sim_chain wheel_take(struct sim_clock *c, sim_cycle_t k)
{
    uint32_t b = wheel_bucket(k);
    sim_chain l = c->bucket[b];

    if (l != 0) {
        c->bucket[b] = 0;
        wheel_mark_empty(c, b);
    }
    return l;
}

#endif /* ENGINE_WHEEL_H */
