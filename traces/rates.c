/*
 * RATE probes: by how much a count grew in a window of SIM_RATE_CYCLES cycles of its
 * clock, shown at the window's end and until the end of the next. Windows begin at
 * multiples of their length; the last one may be shorter. A rate that has been shown as
 * 0 costs nothing until its count grows.
 */
#include "wave_priv.h"

static bool is_rate(const struct wave_var *v)
{
    return v->id != DUMP_NONE && v->probe->desc->kind == SIM_PROBE_RATE;
}

void wave_rates_begin(struct wave *w)
{
    w->rates_at = SIM_TIME_MAX;
    w->rate = sim_alloc(w->sim, w->n_vars * sizeof(w->rate[0]));
    w->n_rates = 0;
    for (uint32_t i = 0; i < w->n_vars; i++) {
        struct wave_var *v = &w->var[i];

        if (is_rate(v)) {
            v->count = v->value;
            v->counted = v->value;
            v->rate_at = SIM_TIME_MAX;
            dump_set(w->dump, v->id, 0);
            w->rate[w->n_rates++] = v;
        }
    }
}

static sim_time_t window_begin(const struct wave_var *v, sim_time_t t)
{
    const struct sim_clock *c = v->probe->module->clock;

    return sim_edge(c, sim_cycle_of(c, t) / SIM_RATE_CYCLES * SIM_RATE_CYCLES);
}

/* The end of the window in which t lies. */
static sim_time_t window_end(const struct wave_var *v, sim_time_t t)
{
    const struct sim_clock *c = v->probe->module->clock;

    return sim_edge(c, (sim_cycle_of(c, t) / SIM_RATE_CYCLES + 1) * SIM_RATE_CYCLES);
}

void wave_rate_change(struct wave *w, struct wave_var *v, uint64_t count,
                      sim_time_t now)
{
    v->count = count;
    if (v->rate_at == SIM_TIME_MAX) {
        v->rate_at = window_end(v, now);
        w->rates_at = v->rate_at < w->rates_at ? v->rate_at : w->rates_at;
    }
}

void wave_rates_show(struct wave *w, sim_time_t t)
{
    w->rates_at = SIM_TIME_MAX;
    for (uint32_t i = 0; i < w->n_rates; i++) {
        struct wave_var *v = w->rate[i];

        if (v->rate_at <= t) {
            uint64_t growth = v->count - v->counted;

            dump_set(w->dump, v->id, growth);
            v->counted = v->count;
            v->rate_at = growth != 0 ? window_end(v, t) : SIM_TIME_MAX;
        }
        w->rates_at = v->rate_at < w->rates_at ? v->rate_at : w->rates_at;
    }
}

void wave_rates_end(struct wave *w, sim_time_t t)
{
    for (uint32_t i = 0; i < w->n_rates; i++) {
        const struct wave_var *v = w->rate[i];

        if (v->rate_at != SIM_TIME_MAX && window_begin(v, t) != t) {
            dump_set(w->dump, v->id, v->count - v->counted);
        }
    }
}
