#include "engine/calendar_in.h"

void sim_calendar_init(struct sim_calendar *c, struct sim_radix *near)
{
    c->near = near;
    c->start = UINT64_MAX;
    sim_radix_init(&c->beyond, near->sim);
    c->beyond.horizon = 0;
    c->beyond.end = 0;
}

/* ---- the days ---- */

void sim_calendar_list(struct sim_calendar *c, struct sim_event *e, uint32_t day)
{
    c->n++;
    c->listed[day]++;
    if (chain_append(c->near->sim, &c->more[day], e)) {
        c->map[day / 64] |= (uint64_t)1 << (day % 64);
    }
}

/* Put e into its day. */
static void put(struct sim_calendar *c, struct sim_event *e)
{
    uint32_t day = sim_calendar_day(c, e->when);

    if (c->most == 0) {
        sim_calendar_list(c, e, day);
        return;
    }
    c->n++;
    c->map[day / 64] |= (uint64_t)1 << (day % 64);
    if (c->count[day] < c->most) {
        c->event[(day << c->bits) + c->count[day]++] = e;
    } else {
        chain_append(c->near->sim, &c->more[day], e);
    }
}

void sim_calendar_place(struct sim_calendar *c, struct sim_event *e, uint64_t now)
{
    if (e->when < c->start) {
        sim_radix_insert(c->near, e, now);
    } else if (e->when < c->limit) {
        put(c, e);
    } else {
        c->far++;
        sim_radix_insert_list(&c->beyond, e, c->limit - 1);
    }
}

/* Put what has come near enough from beyond into its day. */
static ATTR_NOINLINE void drain(struct sim_calendar *c)
{
    sim_chain l;

    while ((l = sim_radix_take_list(&c->beyond, c->limit)) != 0) {
        if (chain_is_single(l)) {
            put(c, chain_single(l));
            c->beyond.n_lists--;
            continue;
        }
        for (struct sim_chunk *k = chain_chunk(l), *next; k != NULL; k = next) {
            next = k->next;
            chain_prefetch(next);
            c->beyond.n_lists -= k->live;
            for (uint32_t i = 0; i < k->n; i++) {
                if (k->event[i] != NULL) {
                    put(c, k->event[i]);
                }
            }
            chain_give(c->near->sim, k);
        }
    }
}

/* ---- inserting and removing ---- */

void sim_calendar_insert(struct sim_calendar *c, struct sim_event *e, uint64_t now)
{
    const struct sim_radix *near = c->near;
    bool crowded =
        near->tail == SIM_RADIX_ROOM && e->when < c->start &&
        near->tail - near->head > (is_open(c) ? SIM_RADIX_ROOM / 2 : FEW + 4);

    if (is_open(c)) {
        uint32_t n = total(c);

        c->inserted++;
        if ((crowded && c->inserted > n) ||
            (n / 2 > c->mask && c->mask < MOST_DAYS - 1)) {
            sim_calendar_rebuild(c, now, 0, 0);
        }
    } else if (crowded) {
        sim_calendar_rebuild(c, now, 0, 0);
    }
    sim_calendar_place(c, e, now);
}

/* The last event of the list of a day has gone: close the gaps in its array. */
static void close_gaps(struct sim_calendar *c, uint32_t day)
{
    struct sim_event **v = c->event + (day << c->bits);
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->count[day]; i++) {
        if (v[i] != NULL) {
            v[n++] = v[i];
        }
    }
    c->count[day] = (uint8_t)n;
}

static void remove_from_day(struct sim_calendar *c, struct sim_event *e)
{
    uint32_t day = sim_calendar_day(c, e->when);
    struct sim_event **v = c->event + (day << c->bits);
    uint32_t i = 0;

    while (i < c->count[day] && v[i] != e) {
        i++;
    }
    c->n--;
    c->listed[day] -= c->most == 0;
    if (i == c->count[day]) {
        if (chain_remove(c->near->sim, &c->more[day], e)) {
            close_gaps(c, day);
        }
    } else {
        v[i] = NULL;
        if (c->more[day] == 0) { /* else what is inserted must go there */
            close_gaps(c, day);
        }
    }
    if (c->count[day] == 0 && c->more[day] == 0) {
        c->map[day / 64] &= ~((uint64_t)1 << (day % 64));
    }
}

void sim_calendar_remove(struct sim_calendar *c, struct sim_event *e, uint64_t now)
{
    if (e->when < c->start) {
        sim_radix_remove(c->near, e);
        sim_calendar_fill(c, now);
    } else if (e->when < c->limit) {
        remove_from_day(c, e);
    } else {
        sim_radix_remove(&c->beyond, e);
    }
}

/* ---- the next day ---- */

/* Nothing is left in the days: go on to what comes first beyond them. */
static void jump(struct sim_calendar *c)
{
    uint64_t first = sim_radix_first(&c->beyond);

    set_start(c, first >> c->shift << c->shift);
    set_limit(c);
    drain(c);
}

/* The days are too long, too short or have the wrong number of places. */
static bool is_out_of_tune(const struct sim_calendar *c)
{
    uint64_t ps = c->start - c->mark;
    uint64_t four = 4 * (ps / c->pulled) + 4 * (ps % c->pulled) / c->pulled;
    uint64_t day = (uint64_t)1 << c->shift;
    uint64_t each = c->pulled / (ps | 1);

    if (four / 8 >= day / 3 + 1) {
        return c->shift < MOST_SHIFT;
    }
    if (c->shift > 0) {
        return four < day * 2 / 3;
    }
    return c->most == 0 ? each < 3u << (MOST_BITS - 3)
                        : each > 3 * (c->most / 4) || each < c->most / 16;
}

/* Half of the days are over. Returns whether everything has been built anew. */
static ATTR_NOINLINE bool turn(struct sim_calendar *c, uint64_t now)
{
    uint32_t n = total(c);
    uint32_t days = c->mask + 1;

    if (n <= FEW / 2 || (n > 2 * days && days < MOST_DAYS) ||
        (n << c->reach < days / 8 && days > LEAST_DAYS)) {
        sim_calendar_rebuild(c, now, 0, 0);
        return true;
    }
    if (c->pulled >= SAMPLE) {
        bool far = c->far > c->pulled / 8 && c->reach < 2 && days < MOST_DAYS;

        if (far || is_out_of_tune(c)) {
            c->reach += far;
            sim_calendar_rebuild(c, now, c->start - c->mark, c->pulled);
            return true;
        }
        c->mark = c->start;
        c->pulled = 0;
        c->far = 0;
    }
    c->limit = saturated(c->limit, (uint64_t)(days / 2) << c->shift);
    drain(c);
    return false;
}

static inline void order(uint32_t *a, uint32_t *b)
{
    uint32_t x = *a, y = *b;

    *a = x < y ? x : y;
    *b = x < y ? y : x;
}

/* Networks that sort, without a branch. */
static inline void order_4(uint32_t *k)
{
    order(k + 0, k + 2), order(k + 1, k + 3);
    order(k + 0, k + 1), order(k + 2, k + 3);
    order(k + 1, k + 2);
}

static inline void order_8(uint32_t *k)
{
    order(k + 0, k + 2), order(k + 1, k + 3), order(k + 4, k + 6), order(k + 5, k + 7);
    order(k + 0, k + 4), order(k + 1, k + 5), order(k + 2, k + 6), order(k + 3, k + 7);
    order(k + 0, k + 1), order(k + 2, k + 3), order(k + 4, k + 5), order(k + 6, k + 7);
    order(k + 2, k + 4), order(k + 3, k + 5);
    order(k + 1, k + 4), order(k + 3, k + 6);
    order(k + 1, k + 2), order(k + 3, k + 4), order(k + 5, k + 6);
}

/* Sort the n events of a day that begins at start into near, which is empty. places: 4
 * or 8, at least n. A key is the time within the day and the place in the array. */
static inline void sort_day(struct sim_radix *near, struct sim_event *const *v,
                            uint32_t n, uint64_t start, uint32_t places)
{
    uint32_t key[PLACES];

    for (uint32_t i = 0; i < places; i++) {
        const struct sim_event *e = v[i < n ? i : 0];
        uint32_t t = (uint32_t)(e->when - start);

        ATTR_PREFETCH(e->process);
        key[i] = i < n ? t << LEAST_BITS | i : UINT32_MAX;
    }
    if (places == 4) {
        order_4(key);
    } else {
        order_8(key);
    }
    for (uint32_t i = 0; i < places; i++) { /* those from n on are not looked at */
        near->when[SIM_RADIX_START + i] = start + (key[i] >> LEAST_BITS);
        near->event[SIM_RADIX_START + i] = v[key[i] % PLACES];
    }
    near->tail = SIM_RADIX_START + n;
}

/* The first day that holds something; there is one. */
static inline uint32_t first_day(const struct sim_calendar *c)
{
    uint32_t day = sim_calendar_day(c, c->start);
    uint32_t w = day / 64;
    uint64_t bits = c->map[w] & (UINT64_MAX << (day % 64));

    while (bits == 0) {
        w = (w + 1) & (c->mask / 64);
        bits = c->map[w];
    }
    return w * 64 + attr_lowest_bit(bits);
}

/* Move a day to near that has a list. */
static ATTR_NOINLINE void move_list(struct sim_calendar *c, uint32_t day,
                                    uint64_t start, uint64_t now)
{
    sim_chain l = c->more[day];
    uint32_t n = 0;

    c->more[day] = 0;
    for (uint32_t i = 0; i < c->count[day]; i++) {
        struct sim_event *e = c->event[(day << c->bits) + i];

        if (e != NULL) {
            sim_radix_insert(c->near, e, now);
            n++;
        }
    }
    if (chain_is_single(l)) {
        sim_radix_insert(c->near, chain_single(l), now);
        n++;
    } else if (c->most == 0) {
        n = c->listed[day];
        sim_radix_put_list(c->near, l, n, start, now);
    } else {
        struct sim_chunk *next;

        for (struct sim_chunk *k = chain_chunk(l); k != NULL; k = next) {
            next = k->next;
            for (uint32_t i = 0; i < k->n; i++) {
                if (k->event[i] != NULL) {
                    sim_radix_insert(c->near, k->event[i], now);
                    n++;
                }
            }
            chain_give(c->near->sim, k);
        }
    }
    c->listed[day] = 0;
    c->n -= n;
    c->pulled += n;
}

/* Fetch what the days after this one hold: the events, and a day later the
 * processes. */
static inline void fetch_ahead(const struct sim_calendar *c, uint32_t day)
{
    uint32_t soon = (day + 1) & c->mask;
    uint32_t later = (day + 2) & c->mask;

    for (uint32_t i = 0; i < c->count[later]; i++) {
        ATTR_PREFETCH(c->event[(later << c->bits) + i]);
    }
    for (uint32_t i = 0; i < c->count[soon]; i++) {
        const struct sim_event *e = c->event[(soon << c->bits) + i];

        if (LIKELY(e != NULL)) {
            ATTR_PREFETCH(e->process);
        }
    }
}

void sim_calendar_pull(struct sim_calendar *c, uint64_t now)
{
    struct sim_radix *near = c->near;
    uint32_t day, n;
    uint64_t start;

    near->head = SIM_RADIX_START;
    near->tail = SIM_RADIX_START;
    if (UNLIKELY(c->n == 0)) {
        if (c->beyond.n_lists == 0) {
            shut(c);
            return;
        }
        jump(c);
    }
    if (UNLIKELY(c->limit - c->start < (uint64_t)(c->mask / 2 + 1) << c->shift) &&
        c->limit != UINT64_MAX && turn(c, now)) {
        return;
    }
    day = first_day(c);
    n = c->count[day];
    start = ((c->start >> c->shift) + ((day - sim_calendar_day(c, c->start)) & c->mask))
            << c->shift;
    set_start(c, saturated(start, (uint64_t)1 << c->shift));
    c->map[day / 64] &= ~((uint64_t)1 << (day % 64));
    if (UNLIKELY(c->more[day] != 0)) {
        move_list(c, day, start, now);
        c->count[day] = 0;
        return;
    }
    if (c->n > MANY) {
        fetch_ahead(c, day);
    }
    c->count[day] = 0;
    c->n -= n;
    c->pulled += n;
    if (c->shift > 0) {
        if (n <= PLACES / 2) {
            sort_day(near, c->event + (day << c->bits), n, start, PLACES / 2);
        } else {
            sort_day(near, c->event + (day << c->bits), n, start, PLACES);
        }
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        near->when[SIM_RADIX_START + i] = start;
        near->event[SIM_RADIX_START + i] = c->event[day << c->bits | i];
    }
    near->tail = SIM_RADIX_START + n;
}
