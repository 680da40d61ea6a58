#include "wave.h"

#include "describe.h"
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

void wave_change(struct wave *w, struct wave_var *v, uint64_t value, sim_time_t now)
{
    v->active = true;
    if (v->desc->kind == SIM_PROBE_EVENT && v->moment != UINT32_MAX) {
        wave_moment(w, v, now);
    }
    if (v->id != DUMP_NONE && v->desc->kind == SIM_PROBE_RATE) {
        wave_rate_change(w, v, value, now);
    } else if (v->id != DUMP_NONE) {
        wave_show(w, v, value);
    }
    if (v->heard) {
        wave_log_change(w, v, now);
    }
}

static void changed(void *ctx, sim_time_t now, struct sim_probe *const *p, size_t n)
{
    struct wave *w = ctx;

    if (w->looks != 0) {
        wave_look(w, now, p, n);
    }
    if (!wave_reach(w, now, p, n)) {
        return;
    }
    if (w->phase == WAVE_KEEPING) {
        wave_ring_keep(w, now, p, n);
        return;
    }
    if (w->cfg.second_thread) {
        wave_writer_keep(w, now, p, n);
        return;
    }
    wave_clocks_draw(w, now);
    for (size_t i = 0; i < n; i++) {
        struct wave_var *v = wave_var_of(w, p[i]);

        if (v != NULL) { /* else another wave's */
            wave_change(w, v, p[i]->value, now);
        }
    }
    wave_moments_end(w, now);
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
    w->cfg.log_heading = copy_line(w, cfg->log_heading);
    w->cfg.version = copy_line(w, cfg->version);
    w->cfg.config_name = copy_line(w, cfg->config_name);
    for (unsigned r = 0; r < N_WAVE_ROLES; r++) {
        w->cfg.point[r].event = copy(w, cfg->point[r].event);
        w->cfg.point[r].text = copy_line(w, cfg->point[r].text);
    }
    w->watcher.changed = changed;
    w->watcher.ctx = w;
    return w;
}

/* Described in the header: probes of that desc in that place. */
struct said {
    const char *path;
    const struct sim_probe_desc *desc;
    struct said *next;
};

/* What a point is called in the dump. */
static const char *words(struct wave *w, enum wave_role role)
{
    const struct wave_point *at = &w->cfg.point[role];

    return at->at == WAVE_AT_CYCLE || at->text == NULL
               ? arena_printf(sim_arena(w->sim), "cycle %" PRIu64, at->n)
               : at->text;
}

/* Of cycles, the first and the last one are said. */
static void describe_window(struct wave *w)
{
    struct arena *a = sim_arena(w->sim);
    const struct wave_point *start = &w->cfg.point[WAVE_START];
    const struct wave_point *stop = &w->cfg.point[WAVE_STOP];
    bool from_cycle = start->at == WAVE_NEVER || start->at == WAVE_AT_CYCLE;

    if (from_cycle && stop->at == WAVE_AT_CYCLE) {
        dump_comment(w->dump, arena_printf(a, "cycles %" PRIu64 " to %" PRIu64,
                                           start->n, stop->n - 1));
    } else if (start->at == WAVE_AT_CYCLE && start->n != 0 && stop->at == WAVE_NEVER) {
        dump_comment(w->dump,
                     arena_printf(a, "cycles %" PRIu64 " to the end", start->n));
    } else if (!from_cycle || stop->at != WAVE_NEVER) {
        dump_comment(w->dump,
                     arena_printf(a, "from %s to %s", words(w, WAVE_START),
                                  stop->at == WAVE_NEVER ? "the end"
                                                         : words(w, WAVE_STOP)));
    }
    if (w->cfg.ring > 0) {
        dump_comment(w->dump,
                     arena_printf(a,
                                  "%" PRIu64 " cycles before %s, %" PRIu64 " behind it",
                                  w->cfg.ring, words(w, WAVE_ON), w->cfg.after));
    }
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
    if (w->cfg.depth > 0) {
        dump_comment(w->dump, arena_printf(a, "depth %u", (unsigned)w->cfg.depth));
    }
    if (w->cfg.cycles) {
        dump_comment(w->dump, VIEW_TIME_IN_CYCLES);
    }
    describe_window(w);
}

/* A line per kind of signal: what it is. The path of a second kind of the same name in
 * one array of scopes has its numbers. */
static void describe_signals(struct wave *w)
{
    struct arena *a = sim_arena(w->sim);
    const struct sim_module *in = NULL;
    char path[WAVE_PATH_MAX], exact[WAVE_PATH_MAX];
    struct said *all = NULL;

    for (uint32_t i = 0; i < w->n_vars; i++) {
        const struct sim_probe *p = w->var[i].probe;
        struct said *s = all;
        const char *at;

        if (w->var[i].id == DUMP_NONE) {
            continue;
        }
        if (p->module != in) {
            in = p->module;
            describe_path(in, path, sizeof(path));
        }
        while (s != NULL && (strcmp(s->desc->name, p->desc->name) != 0 ||
                             strcmp(s->path, path) != 0)) {
            s = s->next;
        }
        if (s != NULL && s->desc == p->desc) {
            continue;
        }
        at = path;
        if (s != NULL) {
            size_t n = strlen(sim_path(in, exact, sizeof(exact)));

            (void)snprintf(exact + n, sizeof(exact) - n, ".");
            at = exact;
        } else {
            s = arena_alloc(a, sizeof(*s));
            *s = (struct said){arena_strdup(a, path), p->desc, all};
            all = s;
        }
        dump_comment(w->dump, copy_line(w, describe_text(a, at, p->desc)));
    }
}

/* Each module may head a clock. */
static uint32_t max_vars(const struct wave *w)
{
    return w->n_traced + 2 * wave_count_modules(w->root);
}

/* In words to the user. */
static const char *dump_name(const struct wave *w)
{
    return w->cfg.stream != 0 ? "the waveform on standard output" : w->cfg.path;
}

static uint64_t unit_of(void *ctx, uint64_t t)
{
    return wave_unit(ctx, t);
}

static bool open_dump(struct wave *w, struct smw_err *e)
{
    struct dump_options options = {.arena = sim_arena(w->sim),
                                   .n_vars = max_vars(w),
                                   .cycles = w->cfg.cycles,
                                   .stream = w->cfg.stream};

    if (w->cfg.version != NULL) {
        options.version = arena_printf(sim_arena(w->sim), "smwave %s", w->cfg.version);
    }

    switch (w->cfg.format) {
    case WAVE_VCD: w->dump = dump_open_vcd(w->cfg.path, &options); break;
    case WAVE_FST: w->dump = dump_open_fst(w->cfg.path, &options); break;
    }
    if (w->dump == NULL) {
        return err_set(e, errno == ENOMEM ? SMW_ERR_NOMEM : SMW_ERR_IO, "%s: %s",
                       dump_name(w), strerror(errno));
    }
    if (w->cfg.cycles) {
        w->dump = dump_in_units(w->dump, sim_arena(w->sim), unit_of, w);
    }
    describe(w);
    describe_signals(w);
    wave_declare(w);
    return true;
}

/* The save file is written now, so that a run that is killed has one, and again with
 * the markers at the end. */
static bool open_view(struct wave *w, struct smw_err *e)
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
           err_set(e, SMW_ERR_IO, "%s: %s", w->cfg.gtkw_path, strerror(error));
}

bool wave_check(struct sim *sim, struct sim_module *root, struct sim_clock *sm_clock,
                const struct wave_config *cfg, struct smw_err *e)
{
    struct wave *w = new_wave(sim, root, cfg);
    bool ok = wave_set_window(w, sm_clock != NULL ? sm_clock : root->clock, e) &&
              wave_select(w, e);

    if (ok) {
        wave_silence(w);
    }
    return ok;
}

static void window_begins(void *ctx)
{
    struct wave *w = ctx;

    if (w->phase == WAVE_WAITING) {
        wave_watch(w);
    }
}

struct wave *wave_open(struct sim *sim, struct sim_module *root,
                       struct sim_clock *sm_clock, const struct wave_config *cfg,
                       struct smw_err *e)
{
    struct wave *w = new_wave(sim, root, cfg);

    if (!SIM_PROBES) {
        (void)err_set(e, SMW_ERR_USAGE,
                      "waveforms: this program was built without probes");
        return NULL;
    }
    if (!wave_set_window(w, sm_clock != NULL ? sm_clock : root->clock, e) ||
        !wave_select(w, e)) {
        return NULL;
    }
    wave_moments_select(w);
    if (!open_dump(w, e) || !open_view(w, e) || !wave_log_open(w, e)) {
        wave_silence(w);
        if (w->dump != NULL) {
            (void)dump_close(w->dump, &w->bytes);
        }
        return NULL;
    }
    sim_watch(sim, &w->watcher);
    if (wave_is_later(w)) {
        w->alarm = (struct sim_alarm){.at = w->start, .ring = window_begins, .ctx = w};
        sim_set_alarm(sim, &w->alarm);
    }
    return w;
}

/* ---- closing ---- */

static void finish(struct wave *w, const char *status)
{
    sim_time_t now = sim_now(w->sim);

    wave_finish(w, now);
    w->marked[MARK_END] = true;
    w->mark_at[MARK_END] = wave_unit(w, now < w->stop ? now : w->stop);
    if (status != NULL) {
        dump_comment(w->dump, arena_printf(sim_arena(w->sim), "status %s", status));
    }
}

static bool refuse(struct smw_err *e, const char *path, int error, const char *words)
{
    enum smw_err_kind kind = error == ENOMEM ? SMW_ERR_NOMEM
                             : error > 0     ? SMW_ERR_IO
                                             : SMW_ERR_INTERNAL;

    return err_set(e, kind, "%s: %s", path, words);
}

bool wave_flush(struct wave *w)
{
    if (w->writer != NULL) {
        return wave_writer_flush(w);
    }
    wave_log_flush(w);
    return w->dump == NULL || dump_flush(w->dump) != EPIPE;
}

bool wave_close(struct wave *w, const char *status, struct smw_err *e)
{
    const struct dump_format *format;
    bool ok = true;
    int error;

    if (w == NULL || w->phase == WAVE_CLOSED) {
        return true;
    }
    error = wave_writer_end(w);
    ok = error == 0 || refuse(e, dump_name(w), error, strerror(error));
    finish(w, status);
    w->phase = WAVE_CLOSED;
    wave_silence(w);
    if (w->cfg.gtkw_path != NULL) {
        error = wave_gtkw_write(w);
        ok = (error == 0 || refuse(e, w->cfg.gtkw_path, error, strerror(error))) && ok;
    }
    format = w->dump->format;
    error = dump_close(w->dump, &w->bytes);
    w->dump = NULL;
    ok = (error == 0 || refuse(e, dump_name(w), error, format->words(error))) && ok;
    error = wave_log_close(w);
    return (error == 0 || refuse(e, w->cfg.events_path, error, strerror(error))) && ok;
}

void wave_stop_thread(struct wave *w)
{
    wave_writer_stop(w);
}

void wave_abort(struct wave *w)
{
    struct smw_err ignored = {0};

    if (w->cfg.point[WAVE_ON].at == WAVE_AT_FAULT) {
        wave_tell(w, WAVE_ON, sim_now(w->sim));
    }
    (void)wave_close(w, "aborted", &ignored);
}

uint64_t wave_bytes(struct wave *w)
{
    wave_writer_settle(w);
    return w->dump != NULL ? dump_bytes(w->dump) : w->bytes;
}
