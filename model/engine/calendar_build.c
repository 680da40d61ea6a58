/*
 * Building the calendar anew: everything is collected, in order of insertion where
 * times are equal, and inserted again into days of another length or number.
 */
#include "engine/calendar_in.h"

struct all {
    struct sim *sim;
    sim_chain list;
    uint64_t ahead; /* the sum of how far ahead they are, saturated */
    uint64_t now;
    uint32_t n;
};

static void collect(struct all *a, struct sim_event *e)
{
    a->ahead = saturated(a->ahead, e->when - a->now);
    a->n++;
    chain_append(a->sim, &a->list, e);
}

static void collect_list(struct all *a, sim_chain l)
{
    if (l == 0 || chain_is_single(l)) {
        if (l != 0) {
            collect(a, chain_single(l));
        }
        return;
    }
    for (struct sim_chunk *k = chain_chunk(l), *next; k != NULL; k = next) {
        next = k->next;
        for (uint32_t i = 0; i < k->n; i++) {
            if (k->event[i] != NULL) {
                collect(a, k->event[i]);
            }
        }
        chain_give(a->sim, k);
    }
}

static void collect_radix(struct all *a, struct sim_radix *r)
{
    for (uint32_t i = r->head; i < r->tail; i++) {
        collect(a, r->event[i]);
    }
    r->head = SIM_RADIX_START;
    r->tail = SIM_RADIX_START;
    for (; r->levels != 0; r->levels &= r->levels - 1) {
        unsigned level = attr_lowest_bit(r->levels);

        for (; r->map[level] != 0; r->map[level] &= r->map[level] - 1) {
            sim_chain *l =
                r->list + level * SIM_RADIX_SLOTS + attr_lowest_bit(r->map[level]);

            collect_list(a, *l);
            *l = 0;
        }
    }
    r->n_lists = 0;
}

/* Equal times are in one place, and stay in order. */
static void collect_all(struct sim_calendar *c, struct all *a)
{
    collect_radix(a, c->near);
    for (uint32_t w = 0; is_open(c) && w <= c->mask / 64; w++) {
        for (; c->map[w] != 0; c->map[w] &= c->map[w] - 1) {
            uint32_t day = w * 64 + attr_lowest_bit(c->map[w]);

            for (uint32_t i = 0; i < c->count[day]; i++) {
                if (c->event[(day << c->bits) + i] != NULL) {
                    collect(a, c->event[(day << c->bits) + i]);
                }
            }
            c->count[day] = 0;
            c->listed[day] = 0;
            collect_list(a, c->more[day]);
            c->more[day] = 0;
        }
    }
    c->n = 0;
    collect_radix(a, &c->beyond);
}

/* Room for the days of the new size; all are empty. */
static void make_days(struct sim_calendar *c)
{
    struct sim *s = c->near->sim;
    uint32_t days = c->mask + 1;

    if (days > c->room_days) {
        c->room_days = days;
        c->count = sim_alloc(s, days * sizeof(c->count[0]));
        c->map = sim_alloc(s, days / 8);
        c->more = sim_alloc(s, days * sizeof(c->more[0]));
        c->listed = sim_alloc(s, days * sizeof(c->listed[0]));
    }
    if (days << c->bits > c->room) {
        c->room = days << c->bits;
        c->event = sim_alloc(s, c->room * sizeof(c->event[0]));
    }
}

/* How long and how large a day must be for n events in so much time. */
static void measure_days(struct sim_calendar *c, uint64_t ps, uint64_t n, uint32_t most)
{
    uint64_t four = 4 * (ps / n) + 4 * (ps % n) / n; /* the time they take */
    uint64_t each = n / (ps | 1);                    /* in a picosecond */

    c->shift = attr_highest_bit(four | 1);
    c->shift = c->shift > MOST_SHIFT ? MOST_SHIFT : c->shift;
    c->bits = LEAST_BITS;
    c->most = PLACES;
    if (c->shift == 0) {
        while (c->bits < MOST_BITS && each >= 1u << (c->bits - 1)) {
            c->bits++;
        }
        c->most = 1u << c->bits;
        if (each > 1u << (MOST_BITS - 1)) {
            c->most = 0;
            c->bits = 0;
        }
    }
    c->mask = LEAST_DAYS - 1;
    while (c->mask < most && c->mask < MOST_DAYS - 1) {
        c->mask = 2 * c->mask + 1;
    }
}

void sim_calendar_rebuild(struct sim_calendar *c, uint64_t now, uint64_t ps, uint64_t n)
{
    struct all a = {.sim = c->near->sim, .now = now};
    uint64_t start;

    collect_all(c, &a);
    shut(c);
    if (a.n > FEW) {
        measure_days(c, n > 0 ? ps : a.ahead / a.n, n > 0 ? n : a.n, a.n << c->reach);
        start = saturated(now, (uint64_t)1 << c->shift) >> c->shift << c->shift;
        make_days(c);
        set_start(c, start);
        set_limit(c);
    }
    c->mark = c->start;
    c->pulled = 0;
    c->inserted = 0;
    for (struct sim_chunk *k = NULL; a.list != 0;) {
        sim_chain l = a.list;

        if (chain_is_single(l)) {
            a.list = 0;
            sim_calendar_place(c, chain_single(l), now);
            break;
        }
        k = chain_chunk(l);
        a.list = k->next != NULL ? (sim_chain)k->next + 1 : 0;
        for (uint32_t i = 0; i < k->n; i++) {
            sim_calendar_place(c, k->event[i], now);
        }
        chain_give(a.sim, k);
    }
    c->far = 0;
    sim_calendar_fill(c, now);
}
