/*
 * events.log: a line per event, the time first. With "gtkwave -l events.log", selecting
 * a number moves the marker there.
 *
 *   1428570 cycle 2000 gpu.sm0.smem.xbar.conflict degree=4 warp=3
 *
 * What follows the name are the values of the other probes of its module.
 */
#include "wave_priv.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static const struct {
    const char *event;
    bool last;   /* the latest firing counts, not the first */
    bool always; /* wanted even outside the scope */
} marks[N_MARKS] = {
    [MARK_KERNEL_START] = {"kernel_start", false, true},
    [MARK_CONFLICT] = {"conflict", false, false},
    [MARK_RELEASE] = {"release", false, false},
    [MARK_FAULT] = {"fault", false, true},
    [MARK_KERNEL_END] = {"kernel_end", true, true},
    [MARK_END] = {NULL, false, false},
};

enum wave_mark wave_mark_of(const struct sim_probe_desc *d)
{
    for (int i = 0; i < N_MARKS; i++) {
        if (marks[i].event != NULL && strcmp(d->name, marks[i].event) == 0) {
            return (enum wave_mark)i;
        }
    }
    return MARK_NONE;
}

bool wave_mark_always(enum wave_mark m)
{
    return m != MARK_NONE && marks[m].always;
}

/* ---- markers ---- */

static void mark(struct wave *w, enum wave_mark m, sim_time_t now)
{
    w->marked[m] = true;
    w->mark_at[m] = now;
}

/* The degree is that of the event's module. */
static void mark_conflict(struct wave *w, const struct sim_module *m, sim_time_t now)
{
    uint64_t degree = 0;

    for (const struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        if (strcmp(p->desc->name, "degree") == 0) {
            degree = p->value;
        }
    }
    view_mark_conflict(&w->marks, now, degree,
                       m->clock != NULL ? sim_cycle_of(m->clock, now) : 0);
}

static void mark_event(struct wave *w, const struct wave_var *v, sim_time_t now)
{
    if (v->mark == MARK_NONE) {
        return;
    }
    if (!w->marked[v->mark] || marks[v->mark].last) {
        mark(w, v->mark, now);
    }
    if (v->mark == MARK_CONFLICT) {
        mark_conflict(w, v->probe->module, now);
    } else if (v->mark == MARK_RELEASE) {
        view_mark_release(&w->marks, now);
    }
}

/* ---- the log ---- */

static void write_value(FILE *f, const struct sim_probe *p)
{
    char text[WAVE_TEXT_MAX];

    switch (p->desc->kind) {
    case SIM_PROBE_BITS:
        fprintf(f, p->desc->width == 1 ? " %s=%" PRIx64 : " %s=0x%" PRIx64,
                p->desc->name, p->value);
        break;
    case SIM_PROBE_UINT:
    case SIM_PROBE_LEVEL: fprintf(f, " %s=%" PRIu64, p->desc->name, p->value); break;
    case SIM_PROBE_STATE:
        if (p->value < p->desc->n_names) {
            fprintf(f, " %s=%s", p->desc->name, p->desc->names[p->value]);
        }
        break;
    case SIM_PROBE_TEXT:
        text[0] = '\0';
        p->desc->text(p->ctx, p->value, text, sizeof(text));
        fprintf(f, " %s=\"%s\"", p->desc->name, text);
        break;
    case SIM_PROBE_EVENT: break;
    }
}

static void keep_error(struct wave *w)
{
    if (w->log_error == 0 && ferror(w->log)) {
        w->log_error = errno != 0 ? errno : EIO;
    }
}

void wave_log_event(struct wave *w, struct wave_var *v, sim_time_t now)
{
    const struct sim_module *m = v->probe->module;

    v->n_fired++;
    mark_event(w, v, now);
    if (w->log == NULL || w->log_error != 0 || v->n_fired > WAVE_LINES_PER_EVENT) {
        return;
    }
    fprintf(w->log, "%" PRIu64, now);
    if (m->clock != NULL) {
        fprintf(w->log, " cycle %" PRIu64, sim_cycle_of(m->clock, now));
    }
    fprintf(w->log, " %s", v->path);
    for (const struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        write_value(w->log, p);
    }
    putc('\n', w->log);
    keep_error(w);
}

bool wave_log_open(struct wave *w, struct err *e)
{
    if (w->cfg.events_path == NULL) {
        return true;
    }
    w->log = fopen(w->cfg.events_path, "wb");
    if (w->log == NULL) {
        return err_set(e, ERR_IO, "%s: %s", w->cfg.events_path, strerror(errno));
    }
    return true;
}

int wave_log_close(struct wave *w)
{
    FILE *f = w->log;

    if (f == NULL) {
        return 0;
    }
    for (uint32_t i = 0; i < w->n_vars && w->log_error == 0; i++) {
        const struct wave_var *v = &w->var[i];

        if (v->n_fired > WAVE_LINES_PER_EVENT) {
            fprintf(f, "# %s: the first %d of %" PRIu64 " are listed\n", v->path,
                    (int)WAVE_LINES_PER_EVENT, v->n_fired);
            keep_error(w);
        }
    }
    if (fclose(f) != 0 && w->log_error == 0) {
        w->log_error = errno;
    }
    w->log = NULL;
    return w->log_error;
}
