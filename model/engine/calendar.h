/*
 * calendar.h - a queue of many events in picoseconds: days in front of a radix queue.
 *
 * Time from start to limit is divided into days, 2^shift long, a power of two of them,
 * used in turn. A day is an array of a few places, in order of insertion; adding is a
 * store, without asking what is there. What finds no place goes to a list of the day.
 * Before start everything is in near, a radix queue whose first events lie sorted; when
 * it is empty, the next day that holds something is sorted into it, and start is the
 * end of that day. From limit on everything is in lists by time (beyond). When half of
 * the days are over, limit goes on by as many, and what lies before it then is moved
 * into the days at once: before anything later is put there, so that equal times stay
 * in order of insertion everywhere.
 *
 * With few events the calendar is closed: all are in near. It is opened when they do
 * not fit into its array, built anew with as many days as events when these have
 * doubled, and with longer or shorter days when there were fewer or more events in one
 * than two to four. Many events at each picosecond: a day is a list only, and moved as
 * a whole.
 *
 * While anything is pending, near is not empty; when nothing is, the calendar is
 * closed. So what the days may hold is later than what near holds.
 */
#ifndef ENGINE_CALENDAR_H
#define ENGINE_CALENDAR_H

#include "engine/radix.h"

/* Zeroed before, c and near, which sim_radix_init() has been called for. */
void sim_calendar_init(struct sim_calendar *c, struct sim_radix *near);

static inline uint32_t sim_calendar_day(const struct sim_calendar *c, uint64_t when)
{
    return (uint32_t)(when >> c->shift) & c->mask;
}

/* when is in the days. */
static inline bool sim_calendar_has(const struct sim_calendar *c, uint64_t when)
{
    return when >= c->start && when < c->limit;
}

/* Insert e, whose when is given, if it has a place in the days; near is not empty. */
static inline bool sim_calendar_add(struct sim_calendar *c, struct sim_event *e,
                                    uint64_t when)
{
    uint32_t day = sim_calendar_day(c, when);
    uint32_t n;

    if (!sim_calendar_has(c, when)) {
        return false;
    }
    n = c->count[day];
    if (n >= c->most) {
        return false;
    }
    c->event[(day << c->bits) + n] = e;
    c->count[day] = (uint8_t)(n + 1);
    c->map[day / 64] |= (uint64_t)1 << (day % 64);
    c->n++;
    return true;
}

/* Append e to the list of its day, which has no array. */
void sim_calendar_list(struct sim_calendar *c, struct sim_event *e, uint32_t day);

/* Insert e by e->when, which is later than now; every case. */
void sim_calendar_insert(struct sim_calendar *c, struct sim_event *e, uint64_t now);

/* Take e, which is held, out. */
void sim_calendar_remove(struct sim_calendar *c, struct sim_event *e, uint64_t now);

/* near may have run empty: go on to the next day. */
void sim_calendar_pull(struct sim_calendar *c, uint64_t now);

static inline void sim_calendar_fill(struct sim_calendar *c, uint64_t now)
{
    if (c->limit != 0 && sim_radix_is_empty(c->near)) {
        sim_calendar_pull(c, now);
    }
}

#endif /* ENGINE_CALENDAR_H */
