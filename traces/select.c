#include "wave_priv.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A number begins at s. One that runs into a wildcard ("bank0?") is just digits. */
static bool is_number(const char *begin, const char *s)
{
    if (s != begin && is_digit(s[-1])) {
        return false;
    }
    while (is_digit(*s)) {
        s++;
    }
    return *s != '*' && *s != '?';
}

/* The first digit that counts of the number at s. */
static const char *significant(const char *s)
{
    while (s[0] == '0' && is_digit(s[1])) {
        s++;
    }
    return s;
}

bool wave_glob(const char *pattern, const char *text)
{
    const char *p = pattern, *t = text;
    const char *star = NULL, *back = NULL; /* behind the last star, and its match */

    while (*t != '\0') {
        if (*p == '*') {
            star = ++p;
            back = t;
            continue;
        }
        if (is_digit(*p) && is_digit(*t)) {
            bool numbers = is_number(pattern, p) && is_number(text, t);
            const char *pn = numbers ? significant(p) : p;
            const char *tn = numbers ? significant(t) : t;

            if (*pn == *tn) {
                p = pn + 1;
                t = tn + 1;
                continue;
            }
        } else if (*p == '?' || *p == *t) {
            p++;
            t++;
            continue;
        }
        if (star == NULL) {
            return false;
        }
        p = star;
        t = ++back;
    }
    while (*p == '*') {
        p++;
    }
    return *p == '\0';
}

char *wave_probe_path(const struct sim_probe *p, char *buf, size_t size)
{
    size_t n = strlen(sim_path(p->module, buf, size));

    snprintf(buf + n, size - n, ".%s", p->desc->name);
    return buf;
}

bool wave_has_below(const struct wave *w, const struct sim_module *m)
{
    for (const struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        if (wave_traces(w, p)) {
            return true;
        }
    }
    for (const struct sim_module *c = m->first; c != NULL; c = c->next) {
        if (wave_has_below(w, c)) {
            return true;
        }
    }
    return false;
}

/* ---- the walk ---- */

static void add(struct wave *w, struct sim_probe *p, bool traced)
{
    enum wave_mark mark =
        p->desc->kind == SIM_PROBE_EVENT ? wave_mark_of(p->desc) : MARK_NONE;
    char path[WAVE_PATH_MAX];
    struct wave_var *v;

    if (!traced && !wave_mark_always(mark)) {
        return;
    }
    v = &w->var[w->n_vars];
    w->var_of[p->id] = w->n_vars++;
    w->n_traced += traced;
    v->probe = p;
    v->id = traced ? 0 : DUMP_NONE; /* until it is declared */
    v->mark = mark;
    v->heard = p->desc->kind == SIM_PROBE_EVENT || wave_log_wants(w, p);
    if (v->heard) {
        v->path =
            arena_strdup(sim_arena(w->sim), wave_probe_path(p, path, sizeof(path)));
    }
    sim_probe_watch(p);
}

static void walk(struct wave *w, struct sim_module *m, bool all)
{
    char path[WAVE_PATH_MAX];

    all = all || w->cfg.scope == NULL ||
          wave_glob(w->cfg.scope, sim_path(m, path, sizeof(path)));
    for (struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        add(w, p,
            all || wave_glob(w->cfg.scope, wave_probe_path(p, path, sizeof(path))));
    }
    for (struct sim_module *c = m->first; c != NULL; c = c->next) {
        walk(w, c, all);
    }
}

static void hint_scopes(const struct wave *w, struct err *e)
{
    char text[200];
    size_t n = 0;

    for (const struct sim_module *c = w->root->first; c != NULL; c = c->next) {
        size_t need = strlen(w->root->name) + strlen(c->name) + 3;

        if (n + need + 5 > sizeof(text)) {
            snprintf(text + n, sizeof(text) - n, " ...");
            break;
        }
        n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s.%s", n > 0 ? ", " : "",
                              w->root->name, c->name);
    }
    if (n > 0) {
        err_hint(e, "there are %s", text);
    }
}

bool wave_select(struct wave *w, struct err *e)
{
    uint32_t n = sim_number(w->sim);

    w->var = sim_alloc(w->sim, n * sizeof(w->var[0]));
    w->var_of = sim_alloc(w->sim, n * sizeof(w->var_of[0]));
    for (uint32_t i = 0; i < n; i++) {
        w->var_of[i] = UINT32_MAX;
    }
    walk(w, w->root, false);
    if (w->n_traced > 0 || w->cfg.scope == NULL) {
        return true;
    }
    for (uint32_t i = 0; i < w->n_vars; i++) {
        w->var[i].probe->watched = false;
    }
    err_set(e, ERR_INPUT, "trace scope '%s' selects no signal", w->cfg.scope);
    hint_scopes(w, e);
    return false;
}
