/*
 * Moments of states: events after which a state probe is shown as another word, up to
 * the next cycle. Nothing in the simulation tells of that cycle: as with clocks, the
 * end of a moment is drawn when what follows is.
 */
#include "wave_priv.h"

bool wave_is_moment(const struct sim_probe *p)
{
    return p->desc->kind == SIM_PROBE_EVENT && p->ctx != NULL;
}

static void find(struct wave *w, struct sim_module *m)
{
    for (struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        struct wave_var *state, *event = &w->var[w->n_vars];

        if (!wave_is_moment(p) || !wave_traces(w, p->ctx)) {
            continue;
        }
        w->var_of[p->id] = w->n_vars++;
        state = wave_var_of(w, p->ctx);
        state->moment = w->n_moments;
        *event = (struct wave_var){.probe = p,
                                   .desc = p->desc,
                                   .id = DUMP_NONE,
                                   .mark = MARK_NONE,
                                   .moment = w->n_moments};
        w->moment[w->n_moments++] =
            (struct wave_moment){.state = state, .clock = m->clock, .word = p->value};
        if (p->module->show == NULL || !wave_is_later(w)) {
            sim_probe_watch(p);
        }
    }
    for (struct sim_module *c = m->first; c != NULL; c = c->next) {
        find(w, c);
    }
}

void wave_moments_select(struct wave *w)
{
    for (uint32_t i = 0; i < w->n_vars; i++) {
        w->var[i].moment = UINT32_MAX;
    }
    w->moment = sim_alloc(w->sim, (w->n_traced + 1) * sizeof(w->moment[0]));
    w->open = sim_alloc(w->sim, (w->n_traced + 1) * sizeof(w->open[0]));
    find(w, w->root);
}

void wave_moment(struct wave *w, const struct wave_var *v, sim_time_t now)
{
    struct wave_moment *m = &w->moment[v->moment];

    if (m->clock == NULL) {
        return;
    }
    if (m->until == 0) {
        w->open[w->n_open++] = v->moment;
    }
    m->until = sim_edge(m->clock, sim_cycle_of(m->clock, now) + 1);
    dump_set(w->dump, m->state->id, m->word);
}

bool wave_moment_hides(struct wave *w, const struct wave_var *v, uint64_t value)
{
    if (v->moment == UINT32_MAX) {
        return false;
    }
    w->moment[v->moment].lasting = value;
    return w->moment[v->moment].until != 0;
}

sim_time_t wave_moments_due(const struct wave *w)
{
    sim_time_t due = SIM_TIME_MAX;

    for (uint32_t i = 0; i < w->n_open; i++) {
        sim_time_t until = w->moment[w->open[i]].until;

        due = until < due ? until : due;
    }
    return due;
}

void wave_moments_end(struct wave *w, sim_time_t now)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < w->n_open; i++) {
        struct wave_moment *m = &w->moment[w->open[i]];

        if (m->until > now) {
            w->open[n++] = w->open[i];
            continue;
        }
        m->until = 0;
        dump_set(w->dump, m->state->id, m->lasting);
    }
    w->n_open = n;
}
