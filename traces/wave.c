#include "wave.h"

#include "wave_priv.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

const char *wave_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* ---- changes ---- */

static void show(struct wave *w, const struct wave_var *v, uint64_t value)
{
    char text[WAVE_TEXT_MAX];
    const struct sim_probe *p = v->probe;

    switch (p->desc->kind) {
    case SIM_PROBE_BITS:
    case SIM_PROBE_UINT:
    case SIM_PROBE_LEVEL:
    case SIM_PROBE_STATE: dump_set(w->dump, v->id, value); break;
    case SIM_PROBE_TEXT:
        text[0] = '\0';
        p->desc->text(p->ctx, value, text, sizeof(text));
        dump_set_text(w->dump, v->id, text);
        break;
    case SIM_PROBE_EVENT: dump_fire(w->dump, v->id); break;
    }
}

/* The window begins at time t: all values as they were before the instant that brought
 * us here, in which the n probes p changed. */
static void begin(struct wave *w, sim_time_t t, struct sim_probe *const *p, size_t n)
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
    dump_time(w->dump, t);
    for (uint32_t i = 0; i < w->n_vars; i++) {
        const struct wave_var *v = &w->var[i];

        if (v->id != DUMP_NONE && v->probe->desc->kind != SIM_PROBE_EVENT) {
            show(w, v, v->value);
        }
    }
    wave_clocks_begin(w, t);
    dump_begin(w->dump);
    w->phase = WAVE_OPEN;
}

static void silence(struct wave *w)
{
    for (uint32_t i = 0; i < w->n_vars; i++) {
        w->var[i].probe->watched = false;
    }
}

/* The window ended: a dump_off() there. */
static void end_window(struct wave *w)
{
    wave_clocks_draw(w, w->stop - 1);
    dump_time(w->dump, w->stop);
    dump_off(w->dump);
    w->phase = WAVE_STOPPED;
    silence(w);
}

/* Go to time now, when p changed, as far as the window is concerned; false: it is not
 * open there. */
static bool reach(struct wave *w, sim_time_t now, struct sim_probe *const *p, size_t n)
{
    if (w->phase == WAVE_WAITING && now >= w->start) {
        begin(w, w->start, p, n);
    }
    if (w->phase == WAVE_OPEN && now >= w->stop) {
        end_window(w);
    }
    return w->phase == WAVE_OPEN;
}

static void changed(void *ctx, sim_time_t now, struct sim_probe *const *p, size_t n)
{
    struct wave *w = ctx;

    if (!reach(w, now, p, n)) {
        return;
    }
    wave_clocks_draw(w, now);
    for (size_t i = 0; i < n; i++) {
        struct wave_var *v = wave_var_of(w, p[i]);

        if (v == NULL) {
            continue; /* another wave's */
        }
        v->active = true;
        if (v->id != DUMP_NONE) {
            show(w, v, p[i]->value);
        }
        if (v->heard) {
            wave_log_change(w, v, now);
        }
    }
}

/* ---- opening ---- */

static const char *copy(struct wave *w, const char *text)
{
    return text != NULL ? arena_strdup(sim_arena(w->sim), text) : NULL;
}

/* A copy that fits on a line of any of our files: no control characters, and no "$end",
 * which would end a $comment. */
static const char *copy_line(struct wave *w, const char *text)
{
    char *line = text != NULL ? arena_strdup(sim_arena(w->sim), text) : NULL;

    for (char *s = line; s != NULL && *s != '\0'; s++) {
        if ((unsigned char)*s < ' ' || *s == 0x7f) {
            *s = ' ';
        } else if (strncmp(s, "$end", 4) == 0) {
            *s = '_';
        }
    }
    return line;
}

static struct wave *new_wave(struct sim *sim, struct sim_module *root,
                             const struct wave_config *cfg)
{
    struct wave *w = sim_alloc(sim, sizeof(*w));

    w->sim = sim;
    w->root = root;
    w->cfg = *cfg;
    w->cfg.path = copy(w, cfg->path);
    w->cfg.gtkw_path = copy(w, cfg->gtkw_path);
    w->cfg.events_path = copy(w, cfg->events_path);
    w->cfg.scope = copy(w, cfg->scope);
    w->cfg.heading = copy_line(w, cfg->heading);
    w->cfg.version = copy_line(w, cfg->version);
    w->cfg.config_name = copy_line(w, cfg->config_name);
    w->watcher.changed = changed;
    w->watcher.ctx = w;
    return w;
}

static bool set_window(struct wave *w, const struct sim_clock *clock, struct err *e)
{
    w->stop = SIM_TIME_MAX;
    if (w->cfg.start == 0 && w->cfg.stop == 0) {
        return true;
    }
    if (clock == NULL) {
        return err_set(e, ERR_INTERNAL, "a trace window without a clock");
    }
    if (w->cfg.stop != 0 && w->cfg.stop <= w->cfg.start) {
        return err_set(e, ERR_INPUT,
                       "the trace stops at cycle %" PRIu64
                       ", not after its start at cycle %" PRIu64,
                       w->cfg.stop, w->cfg.start);
    }
    w->start = sim_edge(clock, w->cfg.start);
    if (w->cfg.stop != 0) {
        w->stop = sim_edge(clock, w->cfg.stop);
    }
    return true;
}

static void describe(struct wave *w)
{
    struct arena *a = sim_arena(w->sim);

    if (w->cfg.heading != NULL) {
        dump_comment(w->dump, w->cfg.heading);
    }
    if (w->cfg.config_name != NULL) {
        dump_comment(w->dump, arena_printf(a, "config %s, digest %016" PRIx64,
                                           w->cfg.config_name, w->cfg.digest));
    }
    if (w->cfg.scope != NULL) {
        dump_comment(w->dump, copy_line(w, arena_printf(a, "scope %s", w->cfg.scope)));
    }
    if (w->cfg.stop != 0) {
        dump_comment(w->dump, arena_printf(a, "cycles %" PRIu64 " to %" PRIu64,
                                           w->cfg.start, w->cfg.stop - 1));
    } else if (w->cfg.start != 0) {
        dump_comment(w->dump,
                     arena_printf(a, "cycles %" PRIu64 " to the end", w->cfg.start));
    }
}

/* Each module may head a clock. */
static uint32_t max_vars(const struct wave *w)
{
    return w->n_traced + 2 * wave_count_modules(w->root);
}

static bool open_dump(struct wave *w, struct err *e)
{
    struct dump_options options = {.arena = sim_arena(w->sim), .n_vars = max_vars(w)};

    if (w->cfg.version != NULL) {
        options.version = arena_printf(sim_arena(w->sim), "smwave %s", w->cfg.version);
    }

    switch (w->cfg.format) {
    case WAVE_VCD: w->dump = dump_open_vcd(w->cfg.path, &options); break;
    case WAVE_FST: w->dump = dump_open_fst(w->cfg.path, &options); break;
    }
    if (w->dump == NULL) {
        return err_set(e, errno == ENOMEM ? ERR_NOMEM : ERR_IO, "%s: %s", w->cfg.path,
                       strerror(errno));
    }
    describe(w);
    wave_declare(w);
    return true;
}

/* The save file is written now, so that a run that is killed has one, and again with
 * the markers at the end. */
static bool open_view(struct wave *w, struct err *e)
{
    int error;

    if (w->cfg.gtkw_path == NULL) {
        return true;
    }
    error = wave_tables_write(w);
    if (error == 0) {
        error = wave_gtkw_write(w);
    }
    return error == 0 ||
           err_set(e, ERR_IO, "%s: %s", w->cfg.gtkw_path, strerror(error));
}

struct wave *wave_open(struct sim *sim, struct sim_module *root,
                       struct sim_clock *sm_clock, const struct wave_config *cfg,
                       struct err *e)
{
    struct wave *w = new_wave(sim, root, cfg);

    if (!set_window(w, sm_clock != NULL ? sm_clock : root->clock, e) ||
        !wave_select(w, e)) {
        return NULL;
    }
    if (!open_dump(w, e) || !open_view(w, e) || !wave_log_open(w, e)) {
        silence(w);
        if (w->dump != NULL) {
            (void)dump_close(w->dump, &w->bytes);
        }
        return NULL;
    }
    sim_watch(sim, &w->watcher);
    return w;
}

/* ---- closing ---- */

/* Bring the dump to the present. */
static void finish(struct wave *w, const char *status)
{
    sim_time_t now = sim_now(w->sim);
    sim_time_t shade = (w->stop - w->start) / 64; /* behind the window, to be seen */

    if (w->phase == WAVE_WAITING && now < w->start) {
        w->start = now; /* the run never reached the window: a dump of one instant */
    }
    w->end = now;
    if (reach(w, now, NULL, 0)) {
        wave_clocks_draw(w, now);
    } else if (now - w->stop > shade) {
        w->end = w->stop + shade;
    }
    dump_time(w->dump, w->end);
    w->marked[MARK_END] = true;
    w->mark_at[MARK_END] = now < w->stop ? now : w->stop;
    if (status != NULL) {
        dump_comment(w->dump, arena_printf(sim_arena(w->sim), "status %s", status));
    }
}

static bool refuse(struct err *e, const char *path, int error, const char *words)
{
    enum err_kind kind = error == ENOMEM ? ERR_NOMEM
                         : error > 0     ? ERR_IO
                                         : ERR_INTERNAL;

    return err_set(e, kind, "%s: %s", path, words);
}

bool wave_close(struct wave *w, const char *status, struct err *e)
{
    const struct dump_format *format;
    bool ok = true;
    int error;

    if (w == NULL || w->phase == WAVE_CLOSED) {
        return true;
    }
    finish(w, status);
    w->phase = WAVE_CLOSED;
    silence(w);
    if (w->cfg.gtkw_path != NULL) {
        error = wave_gtkw_write(w); /* which asks the dump for names */
        ok = error == 0 || refuse(e, w->cfg.gtkw_path, error, strerror(error));
    }
    format = w->dump->format;
    error = dump_close(w->dump, &w->bytes);
    w->dump = NULL;
    ok = (error == 0 || refuse(e, w->cfg.path, error, format->words(error))) && ok;
    error = wave_log_close(w);
    return (error == 0 || refuse(e, w->cfg.events_path, error, strerror(error))) && ok;
}

void wave_abort(struct wave *w)
{
    struct err ignored = {0};

    (void)wave_close(w, "aborted", &ignored);
}

uint64_t wave_bytes(const struct wave *w)
{
    return w->dump != NULL ? dump_bytes(w->dump) : w->bytes;
}
