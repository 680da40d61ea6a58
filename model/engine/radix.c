#include "engine/radix.h"
#include "engine/chain.h"

#include <string.h>

enum {
    ENOUGH = 8, /* events in the array: no more lists are put there */
    SHORT = 3,  /* chunks in a list that is put there; more are spread */
    MOST = SHORT * CHAIN_CHUNK, /* events in it */
    /* A key of 31 bits is a time in a list of the lower levels and a place among MOST. */
    PLACE_BITS = 6,
    KEY_LEVELS = (31 - PLACE_BITS) / SIM_RADIX_BITS + 1
};

_Static_assert(SIM_RADIX_START + ENOUGH - 1 + MOST <= SIM_RADIX_ROOM,
               "the array has room for a list more when it has not enough");
_Static_assert(MOST <= 1 << PLACE_BITS, "a key holds each place");

/* Zeroed before. */
void sim_radix_init(struct sim_radix *r, struct sim *s)
{
    r->sim = s;
    r->head = SIM_RADIX_START;
    r->tail = SIM_RADIX_START;
    r->horizon = UINT64_MAX;
}

/* ---- the lists ---- */

/* Where a list of when is. */
static inline uint32_t list_at(const struct sim_radix *r, uint64_t when)
{
    uint64_t differ = when ^ r->base;
    unsigned level = attr_highest_bit(differ | 1) / SIM_RADIX_BITS;
    unsigned slot = (unsigned)(when >> (level * SIM_RADIX_BITS)) % SIM_RADIX_SLOTS;

    return level * SIM_RADIX_SLOTS + slot;
}

/* The list at holds something now. */
static inline void filled(struct sim_radix *r, uint32_t at)
{
    r->map[at / SIM_RADIX_SLOTS] |= (uint64_t)1 << (at % SIM_RADIX_SLOTS);
    r->levels |= 1u << at / SIM_RADIX_SLOTS;
}

static inline void list_insert(struct sim_radix *r, struct sim_event *e)
{
    uint32_t at = list_at(r, e->when);

    if (chain_append(r->sim, &r->list[at], e)) {
        filled(r, at);
    }
}

/* The list at has become empty. */
static inline void emptied(struct sim_radix *r, uint32_t at)
{
    unsigned level = at / SIM_RADIX_SLOTS;

    r->map[level] &= ~((uint64_t)1 << (at % SIM_RADIX_SLOTS));
    if (r->map[level] == 0) {
        r->levels &= ~(1u << level);
    }
}

/* Index of the first list of the lowest level; there is one. */
static inline uint32_t first_list(const struct sim_radix *r)
{
    unsigned level = attr_lowest_bit(r->levels);

    return level * SIM_RADIX_SLOTS + attr_lowest_bit(r->map[level]);
}

/* The first time that belongs to list at: base in the levels above. */
static inline uint64_t list_start(const struct sim_radix *r, uint32_t at)
{
    unsigned shift = at / SIM_RADIX_SLOTS * SIM_RADIX_BITS;
    uint64_t above = UINT64_MAX << shift << (SIM_RADIX_BITS - 1) << 1;

    return (r->base & above) | (uint64_t)(at % SIM_RADIX_SLOTS) << shift;
}

/* The first time after all that belong to it, UINT64_MAX if there is none. */
static inline uint64_t list_end(const struct sim_radix *r, uint32_t at)
{
    uint64_t end =
        list_start(r, at) + (UINT64_C(1) << at / SIM_RADIX_SLOTS * SIM_RADIX_BITS);

    return end != 0 ? end : UINT64_MAX;
}

/* Too long to be put into the array. */
static inline bool is_long(sim_chain l)
{
    const struct sim_chunk *c = chain_is_single(l) ? NULL : chain_chunk(l);

    for (int i = 0; c != NULL && i < SHORT; i++) {
        c = c->next;
    }
    return c != NULL;
}

/* Insert the events of list l, which has chunks, anew. Each is looked at before it is
 * touched; when the next stop is level 0, the processes will run soon. */
static void spread(struct sim_radix *r, sim_chain l, bool soon)
{
    for (struct sim_chunk *c = chain_chunk(l), *next; c != NULL; c = next) {
        next = c->next;
        chain_prefetch(next);
        for (uint32_t i = 0; i < c->n; i++) {
            if (LIKELY(c->event[i] != NULL)) {
                if (soon) {
                    ATTR_PREFETCH(c->event[i]->process);
                }
                list_insert(r, c->event[i]);
            }
        }
        chain_give(r->sim, c);
    }
}

/* Spread the list at, which has chunks, over the levels below. */
static void spread_at(struct sim_radix *r, uint32_t at)
{
    sim_chain l = r->list[at];

    r->base = list_start(r, at);
    r->list[at] = 0;
    emptied(r, at);
    spread(r, l, at < 2 * SIM_RADIX_SLOTS);
}

/* ---- between the two ---- */

/* Put the n events of one list behind all others in the array, in order; the list is of
 * a level less than KEY_LEVELS, start is its first time. For each it is counted how many
 * are earlier: to look for its place would be branches that cannot be predicted. */
static void append_sorted(struct sim_radix *r, struct sim_event *const *e, uint32_t n,
                          uint64_t start)
{
    int32_t key[MOST + 3]; /* a multiple of four, which are compared at once */
    uint32_t padded = (n + 3) & ~3u;

    for (uint32_t i = 0; i < n; i++) {
        key[i] = (int32_t)((e[i]->when - start) << PLACE_BITS | i);
    }
    for (uint32_t i = n; i < padded; i++) {
        key[i] = INT32_MAX;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t earlier = 0;

        for (uint32_t j = 0; j < padded; j++) {
            earlier += key[j] < key[i];
        }
        r->when[r->tail + earlier] = e[i]->when;
        r->event[r->tail + earlier] = e[i];
    }
    r->tail += n;
}

void sim_radix_refill(struct sim_radix *r)
{
    r->head = SIM_RADIX_START;
    r->tail = SIM_RADIX_START;
    while (r->n_lists > 0 && r->tail < SIM_RADIX_START + ENOUGH) {
        struct sim_event *e[MOST];
        uint32_t at = first_list(r);
        uint64_t start = list_start(r, at);
        uint32_t n;

        if (is_long(r->list[at]) ||
            (at < SIM_RADIX_SLOTS && r->tail == SIM_RADIX_START &&
             !chain_is_single(r->list[at]))) {
            return;
        }
        n = chain_take(r->sim, r->list[at], e);
        r->horizon = list_end(r, at);
        r->list[at] = 0;
        emptied(r, at);
        r->n_lists -= n;
        if (n > 1 && at < KEY_LEVELS * SIM_RADIX_SLOTS) {
            append_sorted(r, e, n, start);
            continue;
        }
        for (uint32_t i = 0; i < n; i++) {
            sim_radix_insert_few(r, e[i], e[i]->when);
        }
    }
    if (r->n_lists == 0) {
        r->horizon = UINT64_MAX;
    }
}

/* The first event is about to be put into a list: none is for now or before. */
static void open_lists(struct sim_radix *r, uint64_t now)
{
    if (r->list == NULL) {
        r->list =
            sim_alloc(r->sim, SIM_RADIX_LEVELS * SIM_RADIX_SLOTS * sizeof(r->list[0]));
    }
    if (r->n_lists == 0) {
        r->base = now;
    }
}

/* The array has no place at its end. */
static ATTR_NOINLINE void make_room(struct sim_radix *r, uint64_t now)
{
    uint32_t n = r->tail - r->head;
    uint32_t keep = n;

    if (n > SIM_RADIX_ROOM / 2) {
        uint64_t when = r->when[r->head + n / 2];

        open_lists(r, now);
        keep = n / 2;
        while (keep > 0 && r->when[r->head + keep - 1] == when) {
            keep--;
        }
        for (uint32_t i = r->head + keep; i < r->tail; i++) {
            list_insert(r, r->event[i]);
        }
        r->n_lists += n - keep;
        r->horizon = when;
    }
    memmove(r->when + SIM_RADIX_START, r->when + r->head, keep * sizeof(r->when[0]));
    memmove(r->event + SIM_RADIX_START, r->event + r->head, keep * sizeof(r->event[0]));
    r->head = SIM_RADIX_START;
    r->tail = SIM_RADIX_START + keep;
}

/* ---- both ---- */

void sim_radix_insert(struct sim_radix *r, struct sim_event *e, uint64_t now)
{
    if (e->when < r->horizon) {
        if (r->tail == SIM_RADIX_ROOM) {
            make_room(r, now);
        }
        if (e->when < r->horizon) {
            sim_radix_insert_few(r, e, e->when);
            return;
        }
    }
    r->n_lists++;
    list_insert(r, e);
}

void sim_radix_remove(struct sim_radix *r, struct sim_event *e)
{
    uint32_t at;

    if (e->when < r->horizon) {
        uint32_t i = r->head;

        while (r->event[i] != e) {
            i++;
        }
        r->tail--;
        memmove(r->when + i, r->when + i + 1, (r->tail - i) * sizeof(r->when[0]));
        memmove(r->event + i, r->event + i + 1, (r->tail - i) * sizeof(r->event[0]));
        if (r->head == r->tail) {
            sim_radix_refill(r);
        }
        return;
    }
    at = list_at(r, e->when);
    if (chain_remove(r->sim, &r->list[at], e)) {
        emptied(r, at);
    }
    if (--r->n_lists == 0) {
        r->horizon = UINT64_MAX;
    }
}

uint64_t sim_radix_bound(const struct sim_radix *r, bool *vague)
{
    uint32_t at;
    uint64_t start;

    *vague = false;
    if (LIKELY(r->head < r->tail)) {
        return r->when[r->head];
    }
    if (r->n_lists == 0) {
        return UINT64_MAX;
    }
    at = first_list(r);
    *vague = at >= SIM_RADIX_SLOTS; /* else one time */
    start = list_start(r, at);
    return start > r->horizon ? start : r->horizon;
}

void sim_radix_refine(struct sim_radix *r)
{
    uint32_t at = first_list(r);

    if (is_long(r->list[at])) {
        spread_at(r, at);
    }
    sim_radix_refill(r);
}

uint32_t sim_radix_take(struct sim_radix *r, uint64_t when, struct sim_event **out)
{
    uint32_t n = 0;
    bool vague;

    while (sim_radix_bound(r, &vague) <= when && vague) {
        sim_radix_refine(r);
    }
    if (r->head < r->tail) {
        while (r->head < r->tail && r->when[r->head] == when) {
            out[n++] = r->event[r->head++];
        }
    } else if (r->n_lists > 0) {
        uint32_t at = first_list(r);

        if (list_start(r, at) > when || at >= SIM_RADIX_SLOTS) {
            return 0;
        }
        n = chain_take(r->sim, r->list[at], out);
        r->list[at] = 0;
        emptied(r, at);
        r->base = when;
        r->n_lists -= n;
    }
    if (r->head == r->tail) {
        sim_radix_refill(r);
    }
    return n;
}
