/*
 * The tree of a run's dump, for its save files.
 */
#include "wave_priv.h"

#include "view.h"
#include <errno.h>
#include <string.h>

static void add_clocks(const struct wave *w, struct view_tree *t, struct view_scope *s,
                       const struct sim_module *m)
{
    const struct wave_head *h = wave_head_of(w, m);

    if (h != NULL && h->clk != DUMP_NONE) {
        view_add_var(t, s, "clk", VIEW_BITS, 1, false, NULL)->clock = true;
    }
    if (h != NULL && h->cycle != DUMP_NONE) {
        view_add_var(t, s, "cycle", VIEW_NUMBER, 64, false, NULL)->clock = true;
    }
}

static void add_probe(const struct wave *w, struct view_tree *t, struct view_scope *s,
                      const struct sim_probe *p)
{
    const struct wave_var *v = wave_var_of(w, p);
    enum view_kind kind = view_kind_of(p->desc->kind);
    bool ranged = kind != VIEW_TEXT && kind != VIEW_EVENT;
    struct view_var *out =
        view_add_var(t, s, p->desc->name, kind, p->desc->width, ranged, p->desc);

    out->active = v->active;
    out->zero = !v->active && p->value == 0;
    if (kind == VIEW_STATE) {
        out->states = w->table[v->table].file;
        out->stages = w->table[v->table].stages;
    } else if (view_is_pc(out)) {
        out->states = t->code;
    }
}

static void add_module(const struct wave *w, struct view_tree *t,
                       struct view_scope *parent, const struct sim_module *m)
{
    struct view_scope *s;

    if (!wave_has_below(w, m)) {
        return;
    }
    s = view_add_scope(t, parent, m->name);
    add_clocks(w, t, s, m);
    for (const struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        if (wave_traces(w, p)) {
            add_probe(w, t, s, p);
        }
    }
    for (const struct sim_module *c = m->first; c != NULL; c = c->next) {
        add_module(w, t, s, c);
    }
}

static void set_marks(const struct wave *w, struct view_tree *t)
{
    static const enum wave_mark from[N_VIEW_MARKS] = {
        [VIEW_MARK_KERNEL_START] = MARK_NONE, /* counted where they happen */
        [VIEW_MARK_CONFLICT] = MARK_NONE,     [VIEW_MARK_WORST_CONFLICT] = MARK_NONE,
        [VIEW_MARK_FAULT] = MARK_FAULT,       [VIEW_MARK_KERNEL_END] = MARK_KERNEL_END,
        [VIEW_MARK_TRIGGER] = MARK_TRIGGER,   [VIEW_MARK_END] = MARK_END,
    };

    t->marks = w->marks;
    for (int i = 0; i < N_VIEW_MARKS; i++) {
        if (from[i] != MARK_NONE && w->marked[from[i]]) {
            t->marks.set[i] = true;
            t->marks.at[i] = w->mark_at[from[i]];
        }
    }
}

/* The end of what is to be seen, as far as it is known. */
static uint64_t visible_end(const struct wave *w)
{
    if (w->end > w->start) {
        return wave_unit(w, w->end);
    }
    return w->stop != SIM_TIME_MAX ? wave_unit(w, w->stop) : 0;
}

static void make_tree(const struct wave *w, struct view_tree *t, struct arena *a)
{
    view_tree_init(t, a);
    t->described = true;
    if (w->cfg.n_code > 0) {
        t->code = wave_code_file(w);
    }
    add_module(w, t, NULL, w->root);
    set_marks(w, t);
    t->start = wave_unit(w, w->start);
    t->cycles = w->cfg.cycles;
    t->scoped = w->cfg.scope != NULL || w->cfg.depth > 0;
    t->end = visible_end(w);
    t->complete = w->phase == WAVE_CLOSED;
    t->version = w->cfg.version;
    t->heading = w->cfg.heading;
    t->config_name = w->cfg.config_name;
    t->totals = w->totals;
}

void wave_totals(struct wave *w, const char *text)
{
    w->totals = text != NULL ? arena_strdup(sim_arena(w->sim), text) : NULL;
}

bool wave_check_views(const struct wave *w, struct smw_err *e)
{
    struct view_tree t;
    struct arena a;
    bool ok = true;

    if (w->cfg.n_views == 0) {
        return true;
    }
    arena_init(&a);
    make_tree(w, &t, &a);
    for (uint32_t i = 0; ok && i < w->cfg.n_views; i++) {
        ok = view_check(&t, &w->cfg.views[i], e);
    }
    arena_free(&a);
    return ok;
}

/* Beside the overview. */
static int write_more(const struct wave *w, struct view_tree *t)
{
    int error = 0;

    for (uint32_t i = 0; i < w->cfg.n_views && error == 0; i++) {
        const struct view *v = &w->cfg.views[i];
        char path[WAVE_FILE_MAX];

        if (v->name == VIEW_OVERVIEW) {
            continue;
        }
        if (view_path(w->cfg.gtkw_path, v, path, sizeof(path)) >= sizeof(path)) {
            return ENAMETOOLONG;
        }
        error = view_write(t, v, w->cfg.path, path);
    }
    return error;
}

int wave_gtkw_write(const struct wave *w)
{
    static const struct view overview = {.name = VIEW_OVERVIEW};
    struct view_tree t;
    struct arena a;
    int error;

    arena_init(&a);
    make_tree(w, &t, &a);
    error = view_write(&t, &overview, w->cfg.path, w->cfg.gtkw_path);
    if (error == 0) {
        error = write_more(w, &t);
    }
    arena_free(&a);
    return error;
}
