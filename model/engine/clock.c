/*
 * Edge arithmetic. Edge k of a clock of period num/den lies at floor(k * num / den).
 * A clock remembers its current edge exactly (time and remainder) and goes on from
 * there, so that the products stay small; one that does not fit 64 bits is redone in
 * 128. Divisions by num and den are multiplications by their stored inverses; for
 * x * den < 2^64 the inverse of den that is rounded up gives the exact quotient.
 */
#include "engine/clock.h"
#include "engine/queue.h"

#include <string.h>

/* x / d and x % d, inv = UINT64_MAX / d: the quotient is at most 2 too small. */
static uint64_t divide(uint64_t x, uint64_t d, uint64_t inv, uint64_t *rem)
{
    uint64_t q = attr_mulhi64(x, inv);
    uint64_t r = x - q * d;

    while (r >= d) {
        r -= d;
        q++;
    }
    *rem = r;
    return q;
}

/* The same wherever it is. */
static ATTR_NOINLINE sim_time_t far_ahead(const struct sim_clock *c, uint64_t n,
                                          uint64_t *rem)
{
    uint64_t x;

    if (UNLIKELY(attr_mul_overflows(n, c->num, &x) ||
                 attr_add_overflows(x, c->rem, &x))) {
        attr_u128 wide = (attr_u128)n * c->num + c->rem;

        *rem = (uint64_t)(wide % c->den);
        return c->edge_time + (uint64_t)(wide / c->den);
    }
    return c->edge_time + divide(x, c->den, c->den_inv, rem);
}

/* Time of the edge n cycles after the current one, which is at most c->last. */
static inline sim_time_t ahead(const struct sim_clock *c, uint64_t n, uint64_t *rem)
{
    uint64_t x, q;

    if (UNLIKELY(n > c->near)) {
        return far_ahead(c, n, rem);
    }
    x = n * c->num + c->rem;
    q = c->den == 1 ? x : attr_mulhi64(x, c->den_up);
    *rem = x - q * c->den;
    return c->edge_time + q;
}

sim_time_t sim_clock_ahead(const struct sim_clock *c, uint64_t n, uint64_t *rem)
{
    return ahead(c, n, rem);
}

/* The same as pass_many() where products do not fit 64 bits. */
static ATTR_NOINLINE uint64_t pass_far(struct sim_clock *c, sim_time_t now)
{
    attr_u128 wide = ((attr_u128)(now - c->edge_time) + 1) * c->den - 1 - c->rem;
    uint64_t n = (uint64_t)(wide / c->num);

    c->edge_time = ahead(c, n, &c->rem);
    return n;
}

/* Several edges have passed by now: n is the largest with rem + n * num below
 * (now - edge_time + 1) * den. What that leaves is how far now is behind the last. */
static ATTR_NOINLINE sim_cycle_t pass_many(struct sim_clock *c, sim_time_t now)
{
    uint64_t x, n, left, q;

    if (UNLIKELY(c->near == 0 ||
                 attr_mul_overflows(now - c->edge_time + 1, c->den, &x))) {
        n = pass_far(c, now);
    } else {
        n = divide(x - 1 - c->rem, c->num, c->num_inv, &left);
        q = c->den == 1 ? left : attr_mulhi64(left, c->den_up);
        c->edge_time = now - q;
        c->rem = c->den - 1 - (left - q * c->den);
    }
    c->cycle += n;
    sim_clock_look_ahead(c);
    c->now = now;
    return c->cycle;
}

/* The usual ways need no frame of the stack. */
sim_cycle_t sim_cycle_slow(struct sim_clock *c)
{
    sim_time_t now = c->sim->now;

    SIM_REQUIRE(c->sim, c->num > 0, "cycles of an event or module without a clock");
    if (now >= c->next_time && c->cycle < c->last) {
        if (UNLIKELY(now - c->next_time >= c->whole)) {
            return pass_many(c, now);
        }
        c->edge_time = c->next_time;
        c->rem = c->next_rem;
        c->cycle++;
        sim_clock_look_ahead(c);
    }
    c->now = now;
    return c->cycle;
}

sim_time_t sim_clock_find_due(struct sim_clock *c)
{
    if (c->due == c->cycle + 1) {
        c->due_rem = c->next_rem;
        return c->next_time;
    }
    if (c->due <= c->cycle) {
        return c->edge_time; /* a vague bound that time has passed */
    }
    return ahead(c, c->due - c->cycle, &c->due_rem);
}

sim_time_t sim_edge(const struct sim_clock *c, sim_cycle_t k)
{
    uint64_t x;
    attr_u128 wide;

    if (!attr_mul_overflows(k, c->num, &x)) {
        return x / c->den;
    }
    wide = (attr_u128)k * c->num / c->den;
    return wide < SIM_TIME_MAX ? (sim_time_t)wide : SIM_TIME_MAX;
}

static sim_cycle_t last_by(const struct sim_clock *c, sim_time_t t)
{
    return t == SIM_TIME_MAX ? c->last : sim_cycle_of(c, t);
}

sim_cycle_t sim_run_end_slow(struct sim_clock *c)
{
    c->end_time = c->sim->whole->goal;
    c->end = last_by(c, c->end_time);
    return c->end;
}

sim_cycle_t sim_turn_end(const struct sim_clock *c)
{
    return last_by(c, c->sim->until);
}

bool sim_comes_to(const struct sim_clock *c, sim_cycle_t k)
{
    const sim_time_t goal = c->sim->whole->goal;

    return goal == SIM_TIME_MAX || sim_edge(c, k) <= goal;
}

sim_cycle_t sim_cycle_of(const struct sim_clock *c, sim_time_t t)
{
    return (sim_cycle_t)((((attr_u128)t + 1) * c->den - 1) / c->num);
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t r = a % b;

        a = b;
        b = r;
    }
    return a;
}

void sim_clock_init(struct sim_clock *c, struct sim *s, const char *name, uint64_t num,
                    uint64_t den)
{
    uint64_t d = common_divisor(num, den);

    SIM_REQUIRE(s, !s->running && num >= den && den >= 1 && num <= INT64_MAX, name);
    memset(c, 0, sizeof(*c));
    num /= d; /* in lowest terms products stay within 64 bits for longer */
    den /= d;
    c->sim = s;
    c->name = arena_strdup(&s->arena, name);
    c->num = num;
    c->den = den;
    c->whole = num / den;
    c->frac = num % den;
    c->num_inv = UINT64_MAX / num;
    c->den_inv = UINT64_MAX / den;
    c->den_up = den == 1 ? 0 : UINT64_MAX / den + 1;
    c->near = UINT64_MAX / den > den ? (UINT64_MAX / den - den) / num : 0;
    c->last = sim_cycle_of(c, SIM_TIME_MAX - 1);
    sim_clock_look_ahead(c);
    sim_queue_add_clock(s, c);
}
