/*
 * clk and cycle. Nothing in the simulation toggles them: they are drawn when an instant
 * is written, from the last one on, from the exact edges of the clock. A clock is high
 * in the first half of its cycle.
 */
#include "wave_priv.h"

/* Cycle d->at begins at that time; the clock is high. */
static void begin_cycle(struct wave_domain *d, sim_time_t rise)
{
    d->rise = sim_edge(d->clock, d->at + 1);
    d->next = rise + (d->rise - rise) / 2;
    d->high = true;
}

/* The clock falls. */
static void fall(struct wave_domain *d)
{
    d->next = d->rise;
    d->high = false;
}

static void set(struct wave *w, const struct wave_domain *d)
{
    if (d->clk != DUMP_NONE) {
        dump_set(w->dump, d->clk, d->high);
    }
    if (d->cycle != DUMP_NONE) {
        dump_set(w->dump, d->cycle, d->at);
    }
}

/* Where the clock stands at t. */
static void place(struct wave *w, struct wave_domain *d, sim_time_t t)
{
    d->at = sim_cycle_of(d->clock, t);
    begin_cycle(d, sim_edge(d->clock, d->at));
    if (t >= d->next) {
        fall(d);
    }
    d->resting = false;
    set(w, d);
}

static void toggle(struct wave *w, struct wave_domain *d)
{
    if (d->high) {
        fall(d);
    } else {
        d->at++;
        begin_cycle(d, d->next);
    }
    set(w, d);
}

static void rest(struct wave *w, struct wave_domain *d)
{
    d->resting = true;
    if (d->clk != DUMP_NONE) {
        dump_set_z(w->dump, d->clk);
    }
    if (d->cycle != DUMP_NONE) {
        dump_set_x(w->dump, d->cycle);
    }
}

void wave_clocks_begin(struct wave *w, sim_time_t t)
{
    w->rest = SIM_TIME_MAX;
    for (uint32_t i = 0; i < w->n_domains; i++) {
        sim_time_t n = sim_edge(w->domain[i].clock, WAVE_REST_CYCLES) + 1;

        w->rest = n < w->rest ? n : w->rest;
        place(w, &w->domain[i], t);
    }
    w->drawn = t;
}

/* The clock with the earliest thing to draw at or before t, NULL if there is none. */
static struct wave_domain *earliest(struct wave *w, sim_time_t t)
{
    struct wave_domain *first = NULL;

    for (uint32_t i = 0; i < w->n_domains; i++) {
        struct wave_domain *d = &w->domain[i];

        if (!d->resting && d->next <= t && (first == NULL || d->next < first->next)) {
            first = d;
        }
    }
    return first;
}

static void draw(struct wave *w, sim_time_t t)
{
    bool resting = t - w->drawn > w->rest;
    struct wave_domain *d;

    while ((d = earliest(w, t)) != NULL || w->rates_at <= t) {
        if (d == NULL || w->rates_at <= d->next) {
            dump_time(w->dump, w->rates_at);
            wave_rates_show(w, w->rates_at);
            continue;
        }
        dump_time(w->dump, d->next);
        if (resting) {
            rest(w, d);
        } else {
            toggle(w, d);
        }
    }
    dump_time(w->dump, t);
    for (uint32_t i = 0; resting && i < w->n_domains; i++) {
        if (w->domain[i].resting) {
            place(w, &w->domain[i], t);
        }
    }
    w->drawn = t;
}

void wave_clocks_draw(struct wave *w, sim_time_t t)
{
    sim_time_t due;

    while ((due = wave_moments_due(w)) < t) {
        draw(w, due);
        wave_moments_end(w, due);
    }
    draw(w, t);
}
