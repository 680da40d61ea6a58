#include "engine/radix.h"
#include "engine/chain.h"

#define BITS 6u

/* ---- a few events: an array, the earliest last ---- */

static void few_insert(struct sim_radix *r, struct sim_event *e)
{
    uint64_t when = e->when;
    uint32_t i = r->n++;

    for (; i > 0 && r->few[i - 1].when <= when; i--) {
        r->few[i] = r->few[i - 1];
    }
    r->few[i].when = when;
    r->few[i].event = e;
}

static void few_remove(struct sim_radix *r, const struct sim_event *e)
{
    uint32_t i = r->n - 1;

    while (r->few[i].event != e) {
        i--;
    }
    r->n--;
    for (; i < r->n; i++) {
        r->few[i] = r->few[i + 1];
    }
}

static uint32_t few_take(struct sim_radix *r, uint64_t when, struct sim_event **out)
{
    uint32_t n = 0;

    while (r->n > 0 && r->few[r->n - 1].when == when) {
        out[n++] = r->few[--r->n].event;
    }
    return n;
}

/* ---- many: levels of lists ---- */

static void spread_insert(struct sim_radix *r, struct sim_event *e)
{
    uint64_t differ = e->when ^ r->base;
    unsigned level = differ == 0 ? 0 : attr_highest_bit(differ) / BITS;
    unsigned slot = (unsigned)(e->when >> (level * BITS)) % SIM_RADIX_SLOTS;

    e->at = level * SIM_RADIX_SLOTS + slot;
    if (chain_append(&r->list[e->at], e)) {
        r->map[level] |= (uint64_t)1 << slot;
        r->levels |= 1u << level;
    }
}

/* The list at has become empty. */
static void emptied(struct sim_radix *r, uint32_t at)
{
    unsigned level = at / SIM_RADIX_SLOTS;

    r->map[level] &= ~((uint64_t)1 << (at % SIM_RADIX_SLOTS));
    if (r->map[level] == 0) {
        r->levels &= ~(1u << level);
    }
}

/* Index of the first list of the lowest level; there is one. */
static uint32_t first_list(const struct sim_radix *r)
{
    unsigned level = attr_lowest_bit(r->levels);

    return level * SIM_RADIX_SLOTS + attr_lowest_bit(r->map[level]);
}

/* The first time that belongs to list at; any of its events tells. */
static uint64_t list_start(const struct sim_radix *r, uint32_t at)
{
    unsigned shift = at / SIM_RADIX_SLOTS * BITS;

    return r->list[at]->when >> shift << shift;
}

/* ---- both ---- */

void sim_radix_insert(struct sim_radix *r, struct sim_event *e, uint64_t now)
{
    if (!r->spread) {
        if (r->n < SIM_RADIX_FEW) {
            few_insert(r, e);
            return;
        }
        r->spread = true;
        r->base = now;
        for (uint32_t i = r->n; i-- > 0;) { /* earliest first: keeps equal times */
            spread_insert(r, r->few[i].event);
        }
    }
    r->n++;
    spread_insert(r, e);
}

void sim_radix_remove(struct sim_radix *r, struct sim_event *e)
{
    if (!r->spread) {
        few_remove(r, e);
        return;
    }
    if (chain_remove(&r->list[e->at], e)) {
        emptied(r, e->at);
    }
    r->spread = --r->n > 0;
}

uint64_t sim_radix_bound(const struct sim_radix *r, bool *vague)
{
    uint32_t at;

    *vague = false;
    if (r->n == 0) {
        return UINT64_MAX;
    }
    if (!r->spread) {
        return r->few[r->n - 1].when;
    }
    at = first_list(r);
    if (at < SIM_RADIX_SLOTS || r->list[at]->next == NULL) {
        return r->list[at]->when; /* one time, or one event */
    }
    *vague = true;
    return list_start(r, at);
}

void sim_radix_refine(struct sim_radix *r)
{
    uint32_t at = first_list(r);
    struct sim_event *e = r->list[at];

    r->base = list_start(r, at);
    r->list[at] = NULL;
    emptied(r, at);
    while (e != NULL) {
        struct sim_event *next = e->next;

        spread_insert(r, e);
        e = next;
    }
}

uint32_t sim_radix_take(struct sim_radix *r, uint64_t when, struct sim_event **out)
{
    uint32_t n = 0;
    bool vague;
    uint32_t at;

    if (!r->spread) {
        return few_take(r, when, out);
    }
    while (sim_radix_bound(r, &vague) <= when && vague) {
        sim_radix_refine(r);
    }
    at = first_list(r);
    if (r->list[at]->when != when) {
        return 0;
    }
    for (struct sim_event *e = r->list[at]; e != NULL; e = e->next) {
        out[n++] = e;
    }
    r->list[at] = NULL;
    emptied(r, at);
    r->base = when;
    r->n -= n;
    r->spread = r->n > 0;
    return n;
}
