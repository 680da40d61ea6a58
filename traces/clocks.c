/*
 * clk and cycle. Nothing in the simulation toggles them: they are drawn when an instant
 * is written, from the last one on, from the exact edges of the clock. A clock is high
 * in the first half of its cycle.
 */
#include "wave_priv.h"

static sim_time_t falling(const struct sim_clock *c, sim_cycle_t k)
{
    sim_time_t rise = sim_edge(c, k);

    return rise + (sim_edge(c, k + 1) - rise) / 2;
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
    sim_time_t fall;

    d->at = sim_cycle_of(d->clock, t);
    fall = falling(d->clock, d->at);
    d->high = t < fall;
    d->resting = false;
    d->next = d->high ? fall : sim_edge(d->clock, d->at + 1);
    set(w, d);
}

static void toggle(struct wave *w, struct wave_domain *d)
{
    d->high = !d->high;
    if (d->high) {
        d->at++;
        d->next = falling(d->clock, d->at);
    } else {
        d->next = sim_edge(d->clock, d->at + 1);
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
