/*
 * The window: the part of a run that a dump shows, and how it begins and ends. A wave
 * is in one of these phases:
 *
 *   WAITING   the window has not begun
 *   KEEPING   the window has begun, and changes go into the ring in memory
 *   OPEN      changes go into the dump
 *   STOPPED   the window is over, and the dump has all of it
 *   MISSED    the window is over, and the dump has nothing of it: the window was empty,
 *             or the point that writes the ring has not come
 *   CLOSED    the files are closed
 */
#include "wave_priv.h"

#include <inttypes.h>

static bool order_cycles(const struct wave *w, struct smw_err *e)
{
    const struct wave_point *start = &w->cfg.point[WAVE_START];
    const struct wave_point *stop = &w->cfg.point[WAVE_STOP];
    const struct wave_point *on = &w->cfg.point[WAVE_ON];
    uint64_t from = start->at == WAVE_AT_CYCLE ? start->n : 0;

    if (stop->at == WAVE_AT_CYCLE && stop->n <= from) {
        return err_set(e, SMW_ERR_INPUT,
                       "the trace stops at cycle %" PRIu64
                       ", not after its start at cycle %" PRIu64,
                       stop->n, from);
    }
    if (on->at == WAVE_AT_CYCLE &&
        (on->n < from || (stop->at == WAVE_AT_CYCLE && on->n >= stop->n))) {
        return err_set(e, SMW_ERR_INPUT,
                       "the trace is to be written at cycle %" PRIu64
                       ", outside its window",
                       on->n);
    }
    return true;
}

/* The time of the point of a role: never if there is no such point, SIM_TIME_MAX if it
 * is not known before it comes. */
static sim_time_t known(struct wave *w, enum wave_role role, sim_time_t never)
{
    const struct wave_point *at = &w->cfg.point[role];

    if (at->at == WAVE_NEVER) {
        return never;
    }
    if (at->at == WAVE_AT_CYCLE) {
        return sim_edge(w->clock, at->n);
    }
    w->awaits |= (uint8_t)(1u << role);
    return SIM_TIME_MAX;
}

bool wave_set_window(struct wave *w, struct sim_clock *clock, struct smw_err *e)
{
    bool asked = w->cfg.ring > 0 || w->cfg.cycles;

    for (unsigned r = 0; r < N_WAVE_ROLES; r++) {
        asked = asked || w->cfg.point[r].at != WAVE_NEVER;
    }
    if (asked && clock == NULL) {
        return err_set(e, SMW_ERR_INTERNAL, "a trace window without a clock");
    }
    w->clock = clock;
    w->start = known(w, WAVE_START, 0);
    w->stop = known(w, WAVE_STOP, SIM_TIME_MAX);
    w->fired = known(w, WAVE_ON, SIM_TIME_MAX);
    return order_cycles(w, e);
}

/* ---- values ---- */

void wave_show(struct wave *w, const struct wave_var *v, uint64_t value)
{
    char text[WAVE_TEXT_MAX];

    switch (v->desc->kind) {
    case SIM_PROBE_BITS:
    case SIM_PROBE_UINT:
    case SIM_PROBE_LEVEL: dump_set(w->dump, v->id, value); break;
    case SIM_PROBE_STATE:
        if (!wave_moment_hides(w, v, value)) {
            dump_set(w->dump, v->id, value);
        }
        break;
    case SIM_PROBE_TEXT:
        dump_set_text(w->dump, v->id, wave_text(w, v, v->probe, value, text));
        break;
    case SIM_PROBE_EVENT: dump_fire(w->dump, v->id); break;
    case SIM_PROBE_RATE: break; /* rates.c */
    }
}

/* The window begins with the values from before this instant, in which the n probes p
 * have changed: put them into w->var[].value. */
static void remember(struct wave *w, struct sim_probe *const *p, size_t n)
{
    for (uint32_t i = 0; i < w->n_vars; i++) {
        w->var[i].value = w->var[i].probe->value;
    }
    for (size_t i = 0; i < n; i++) {
        struct wave_var *v = wave_var_of(w, p[i]);

        if (v != NULL) {
            v->value = p[i]->shown;
        }
    }
}

void wave_begin(struct wave *w)
{
    dump_time(w->dump, w->start);
    for (uint32_t i = 0; i < w->n_vars; i++) {
        struct wave_var *v = &w->var[i];

        v->replayed = v->value;
        if (v->id != DUMP_NONE && v->desc->kind != SIM_PROBE_EVENT) {
            wave_show(w, v, v->value);
        }
    }
    wave_rates_begin(w);
    wave_clocks_begin(w, w->start);
    dump_begin(w->dump);
    w->phase = WAVE_OPEN;
}

void wave_watch(struct wave *w)
{
    for (uint32_t i = 0; i < w->n_vars; i++) {
        sim_probe_watch(w->var[i].probe);
    }
}

void wave_silence(struct wave *w)
{
    for (uint32_t i = 0; i < w->n_vars; i++) {
        sim_probe_unwatch(w->var[i].probe);
    }
}

/* ---- going on ---- */

static void miss(struct wave *w)
{
    w->phase = WAVE_MISSED;
    wave_silence(w);
}

/* The window is over: at its end the dump's values become unknown. */
static void end_window(struct wave *w)
{
    wave_writer_settle(w);
    wave_clocks_draw(w, w->stop - 1);
    dump_time(w->dump, w->stop);
    dump_off(w->dump);
    w->phase = WAVE_STOPPED;
    wave_silence(w);
}

bool wave_reach(struct wave *w, sim_time_t now, struct sim_probe *const *p, size_t n)
{
    if (w->phase == WAVE_WAITING && now >= w->start) {
        remember(w, p, n);
        if (w->stop <= w->start) {
            miss(w);
        } else if (w->cfg.ring > 0) {
            wave_ring_begin(w);
        } else {
            wave_begin(w);
        }
    }
    if (w->phase == WAVE_KEEPING && now >= w->fired && w->fired < w->stop) {
        wave_ring_write(w);
    } else if (w->phase == WAVE_KEEPING && now >= w->stop) {
        miss(w);
    }
    if (w->phase == WAVE_OPEN && now >= w->stop) {
        end_window(w);
    }
    return w->phase == WAVE_OPEN || w->phase == WAVE_KEEPING;
}

void wave_finish(struct wave *w, sim_time_t now)
{
    sim_time_t shade; /* of unknown values, drawn behind the window to show its end */

    if (w->cfg.point[WAVE_ON].at == WAVE_AT_END) {
        wave_tell(w, WAVE_ON, now);
    }
    (void)wave_reach(w, now, NULL, 0);
    w->blank = w->phase != WAVE_OPEN && w->phase != WAVE_STOPPED;
    if (w->blank) {
        if (!w->sim->running) {
            wave_watch(w);
        }
        remember(w, NULL, 0);
        w->start = now;
        w->stop = SIM_TIME_MAX;
        wave_begin(w);
    }
    w->end = now;
    shade = (w->stop - w->start) / 64;
    if (w->phase == WAVE_OPEN) {
        wave_clocks_draw(w, now);
        wave_rates_end(w, now);
    } else if (now - w->stop > shade) {
        w->end = w->stop + shade;
    }
    dump_time(w->dump, w->end);
}

bool wave_extent(const struct wave *w, struct wave_extent *out)
{
    sim_time_t last = w->stop <= w->end ? w->stop - 1 : w->end;

    if (w->phase != WAVE_CLOSED || w->blank || w->clock == NULL) {
        return false;
    }
    out->first = sim_cycle_of(w->clock, w->start);
    out->last = sim_cycle_of(w->clock, last);
    out->wanted = w->wanted != 0 ? sim_cycle_of(w->clock, w->wanted) : out->first;
    return true;
}
