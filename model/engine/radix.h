/*
 * radix.h - a queue of events far ahead, ordered by when, then by insertion.
 *
 * The next few events lie in a sorted array: those earlier than horizon. The others, if
 * there are any, are spread over levels of 64 lists by the highest group of six bits in
 * which their time differs from base: level 0 has one list per time, level 1 one per
 * 64, and so on. When the array has run empty, the first lists of the lowest level are
 * sorted into it as long as they are short. A long one is spread over the levels below
 * when its turn comes, in order, so that equal times stay in order of insertion, and
 * one of level 0 is taken as a whole. Array overfull: its later half goes to the lists.
 *
 * base never passes the present: what is inserted lies after base. That is why a long
 * list is spread only by sim_radix_refine(), which may be called only when the bound is
 * the next thing to happen anywhere; before, the first time is known only roughly.
 */
#ifndef ENGINE_RADIX_H
#define ENGINE_RADIX_H

#include "engine/sim.h"

void sim_radix_init(struct sim_radix *r, struct sim *s);

static inline bool sim_radix_is_empty(const struct sim_radix *r)
{
    return r->head == r->tail && r->n_lists == 0;
}

/* Something may be due at when, the present. */
static inline bool sim_radix_may_be_due(const struct sim_radix *r, uint64_t when)
{
    return r->head == r->tail ? r->n_lists > 0 : r->when[r->head] <= when;
}

/* when belongs into the array, which has a place at its end. */
static inline bool sim_radix_has_room(const struct sim_radix *r, uint64_t when)
{
    return when < r->horizon && r->tail < SIM_RADIX_ROOM;
}

/*
 * Insert e, whose when is given, where there is room. How many entries are later is
 * hard to predict, so it is not asked entry by entry: four at a time are moved up while
 * all are later, and of the last four each is stored where it belongs, one place up or
 * where it was. Entries before head are in the past, those before START zero.
 */
static inline void sim_radix_insert_few(struct sim_radix *r, struct sim_event *e,
                                        uint64_t when)
{
    uint64_t *w = r->when + r->tail;
    struct sim_event **v = r->event + r->tail;
    size_t later = 0;

    if (r->head == r->tail) {
        r->tail++;
        w[0] = when;
        v[0] = e;
        return;
    }
    r->tail++;
    for (; w[-4] > when; w -= 4, v -= 4) {
        for (int i = 0; i > -4; i--) {
            w[i] = w[i - 1];
            v[i] = v[i - 1];
        }
    }
    for (int i = -1; i > -4; i--) {
        size_t up = w[i] > when;
        uint64_t t = w[i];
        struct sim_event *x = v[i];

        w[i + (int)up] = t;
        v[i + (int)up] = x;
        later += up;
    }
    w[-(int)later] = when;
    v[-(int)later] = e;
}

/* Insert e by e->when, which is later than now. */
void sim_radix_insert(struct sim_radix *r, struct sim_event *e, uint64_t now);

/* Take e, which is held, out. */
void sim_radix_remove(struct sim_radix *r, struct sim_event *e);

/* A time no event is earlier than, UINT64_MAX if there is none; *vague is set if no
 * event may be that early, cleared if there is one. */
uint64_t sim_radix_bound(const struct sim_radix *r, bool *vague);

/* Make a vague bound better. Time has come to the bound, or nothing is before it. */
void sim_radix_refine(struct sim_radix *r);

/* The array has run empty: fill it from the lists. */
void sim_radix_refill(struct sim_radix *r);

/* Take all events at when, the present, which is at or before every event; they are
 * written to out in order of insertion. Returns how many. */
uint32_t sim_radix_take(struct sim_radix *r, uint64_t when, struct sim_event **out);

#endif /* ENGINE_RADIX_H */
