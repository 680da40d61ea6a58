/*
 * calendar_in.h - inside the calendar: what calendar.c and calendar_build.c share.
 */
#ifndef ENGINE_CALENDAR_IN_H
#define ENGINE_CALENDAR_IN_H

#include "engine/calendar.h"
#include "engine/chain.h"

enum {
    FEW = 8,         /* events: the calendar is closed */
    LEAST_DAYS = 64, /* a power of two, at least 64 */
    MOST_DAYS = 1 << 12,
    MOST_SHIFT = 27, /* so that 32 bits hold a time in a day and a place */
    LEAST_BITS = 3,
    MOST_BITS = 5,
    PLACES = 1 << LEAST_BITS, /* in a day that is sorted at once */
    SAMPLE = 64,              /* events before the length of a day is judged */
    MANY = 8192 /* events are fetched ahead: they are beyond the second cache */
};

static inline bool is_open(const struct sim_calendar *c)
{
    return c->limit != 0;
}

/* Everything pending, roughly if near has lists. */
static inline uint32_t total(const struct sim_calendar *c)
{
    return c->near->tail - c->near->head + c->near->n_lists + c->n + c->beyond.n_lists;
}

static inline uint64_t saturated(uint64_t a, uint64_t b)
{
    uint64_t sum;

    return attr_add_overflows(a, b, &sum) ? UINT64_MAX : sum;
}

/* Time goes on to start; near is to hold what is earlier. */
static inline void set_start(struct sim_calendar *c, uint64_t start)
{
    c->start = start;
    c->near->end = start;
    if (c->near->n_lists == 0) {
        c->near->horizon = start;
    }
}

/* As many days from start on as there are, or up to half as many. */
static inline void set_limit(struct sim_calendar *c)
{
    unsigned half = attr_highest_bit(c->mask) + c->shift;

    c->limit = saturated(c->start, (uint64_t)2 << half);
    if (c->limit != UINT64_MAX) {
        c->limit = c->limit >> half << half;
    }
}

/* All is near. Nothing else is held. */
static inline void shut(struct sim_calendar *c)
{
    set_start(c, UINT64_MAX);
    c->limit = 0;
}

/* Put e where it belongs. */
void sim_calendar_place(struct sim_calendar *c, struct sim_event *e, uint64_t now);

/* Build it anew for what is pending, of which n events were seen in ps; n is 0: by how
 * far ahead they are. */
void sim_calendar_rebuild(struct sim_calendar *c, uint64_t now, uint64_t ps,
                          uint64_t n);

#endif /* ENGINE_CALENDAR_IN_H */
