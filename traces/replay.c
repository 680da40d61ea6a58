/*
 * What was kept is shown later: as it would have been shown in its instant, so that the
 * files have the same bytes.
 */
#include "wave_priv.h"

#include <string.h>

/* What stands behind r. */
static const struct wave_record *behind(const struct wave_record *r)
{
    return r + 1 + r->text;
}

/* Values first: the log tells of an event with those beside it. */
static void replay_instant(struct wave *w, sim_time_t t, const struct wave_record *at,
                           const struct wave_record *end)
{
    wave_clocks_draw(w, t);
    for (const struct wave_record *r = at; r < end; r = behind(r)) {
        struct wave_var *v = &w->var[r->var];

        v->replayed = r->value;
        if (r->text != 0) {
            memcpy(v->text, r + 1, r->text * sizeof(*r));
        }
    }
    for (const struct wave_record *r = at; r < end; r = behind(r)) {
        wave_change(w, &w->var[r->var], r->value, t);
    }
    wave_moments_end(w, t);
}

void wave_replay(struct wave *w, const struct wave_record *record, uint32_t from,
                 uint32_t n)
{
    const struct wave_record *at = record + from, *last = record + n;

    while (at < last) {
        const struct wave_record *end = at + 1;

        while (end < last && end->var != WAVE_TIME) {
            end = behind(end);
        }
        replay_instant(w, at->value, at + 1, end);
        at = end;
    }
}

const char *wave_text(const struct wave *w, const struct wave_var *v,
                      const struct sim_probe *p, uint64_t value,
                      char buf[WAVE_TEXT_MAX])
{
    if (w->replaying && v != NULL && v->text != NULL) {
        return v->text;
    }
    buf[0] = '\0';
    p->desc->text(p->ctx, value, buf, WAVE_TEXT_MAX);
    return buf;
}
