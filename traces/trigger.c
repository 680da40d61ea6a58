/*
 * Points: what begins a window, ends it, and writes a ring.
 */
#include "wave_priv.h"

#include <string.h>

/* How the model calls what points look at. */
static const char issue_event[] = "issue", degree_name[] = "degree";
static const char *const inst_names[] = {"inst", "second"};

static const struct sim_probe *beside(const struct sim_module *m, const char *name)
{
    const struct sim_probe *p = m->probes;

    while (p != NULL && strcmp(p->desc->name, name) != 0) {
        p = p->next;
    }
    return p;
}

static bool feeds(const struct wave_point *at, const struct sim_probe *p)
{
    const struct sim_probe_desc *d = p->desc;

    if (d->kind != SIM_PROBE_EVENT) {
        return false;
    }
    if (at->at == WAVE_AT_EVENT) {
        return strcmp(d->name, at->event) == 0 &&
               (at->n == 0 || beside(p->module, degree_name) != NULL);
    }
    return at->at == WAVE_AT_ISSUE && strcmp(d->name, issue_event) == 0 &&
           beside(p->module, inst_names[0]) != NULL;
}

uint8_t wave_feeds(const struct wave *w, const struct sim_probe *p)
{
    unsigned bits = 0;

    for (unsigned r = 0; r < N_WAVE_ROLES; r++) {
        bits |= (unsigned)feeds(&w->cfg.point[r], p) << r;
    }
    return (uint8_t)bits;
}

bool wave_check_points(struct wave *w, struct smw_err *e)
{
    unsigned fed = 0;

    for (uint32_t i = 0; i < w->n_vars; i++) {
        fed |= w->var[i].feeds;
    }
    w->looks = (uint8_t)fed;
    for (unsigned r = 0; r < N_WAVE_ROLES; r++) {
        const struct wave_point *at = &w->cfg.point[r];
        bool by_probe = at->at == WAVE_AT_EVENT || at->at == WAVE_AT_ISSUE;

        if (by_probe && (fed >> r & 1u) == 0) {
            return err_set(e, SMW_ERR_INPUT, "nothing in the model has the event '%s'",
                           at->at == WAVE_AT_EVENT ? at->event : issue_event);
        }
    }
    return true;
}

/* ---- what has come ---- */

static void come(struct wave *w, enum wave_role role, sim_time_t now)
{
    switch (role) {
    case WAVE_START: w->start = now; break;
    case WAVE_STOP:
        w->stop = sim_edge(w->clock, sim_cycle_of(w->clock, now) + 1);
        break;
    case WAVE_ON: w->fired = now; break;
    case N_WAVE_ROLES: break;
    }
    w->awaits &= (uint8_t) ~(1u << role);
    w->looks &= w->awaits;
}

void wave_tell(struct wave *w, enum wave_role role, sim_time_t now)
{
    if ((w->awaits >> role & 1u) != 0 && (role == WAVE_START || now >= w->start)) {
        come(w, role, now);
    }
}

/* The event p has happened; is it the point? */
static bool is_point(const struct wave_point *at, const struct sim_probe *p)
{
    if (at->at == WAVE_AT_EVENT) {
        return at->n == 0 || beside(p->module, degree_name)->value >= at->n;
    }
    for (size_t i = 0; i < ARRAY_LEN(inst_names); i++) {
        const struct sim_probe *inst = beside(p->module, inst_names[i]);

        if (inst != NULL && inst->value != UINT64_MAX && at->is(at->ctx, inst->value)) {
            return true;
        }
    }
    return false;
}

void wave_look(struct wave *w, sim_time_t now, struct sim_probe *const *p, size_t n)
{
    for (unsigned r = 0; r < N_WAVE_ROLES; r++) {
        for (size_t i = 0; i < n && (w->looks >> r & 1u) != 0; i++) {
            const struct wave_var *v = wave_var_of(w, p[i]);

            if (v != NULL && (v->feeds >> r & 1u) != 0 &&
                is_point(&w->cfg.point[r], p[i])) {
                wave_tell(w, (enum wave_role)r, now);
            }
        }
    }
}
