#include "wave_priv.h"

#include <string.h>

enum { HINT = 200 };

/* Name below the path of n bytes in buf; n then. No name is so long that it would be
 * cut off. */
static size_t append(char *buf, size_t size, size_t n, const char *name)
{
    const size_t m = strlen(name);

    if (n + 1 + m >= size) {
        buf[n] = '\0';
        return n;
    }
    buf[n] = '.';
    memcpy(buf + n + 1, name, m + 1);
    return n + 1 + m;
}

char *wave_probe_path(const struct sim_probe *p, char *buf, size_t size)
{
    (void)append(buf, size, strlen(sim_path(p->module, buf, size)), p->desc->name);
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

static void take(struct wave *w, struct sim_probe *p, bool traced, bool heard)
{
    char path[WAVE_PATH_MAX];
    struct wave_var *v = &w->var[w->n_vars];

    w->var_of[p->id] = w->n_vars++;
    w->n_traced += traced;
    v->probe = p;
    v->desc = p->desc;
    v->id = traced ? 0 : DUMP_NONE; /* until it is declared */
    v->mark = p->desc->kind == SIM_PROBE_EVENT ? wave_mark_of(p->desc) : MARK_NONE;
    v->heard = heard;
    v->feeds = wave_feeds(w, p);
    if (v->heard) {
        v->path =
            arena_strdup(sim_arena(w->sim), wave_probe_path(p, path, sizeof(path)));
    }
    if (p->module->show == NULL || !wave_is_later(w)) {
        sim_probe_watch(p);
    } else {
        sim_probe_await(p);
    }
}

/* What a wave traces of a module. */
struct place {
    struct wave_scope *scope; /* NULL: everything */
    uint32_t level;           /* of the module, below the root */
    bool all;                 /* it is selected, or one above it */
    char *path;    /* WAVE_PATH_MAX bytes: the module's, and more behind it */
    size_t length; /* of the module's */
};

static bool is_deep(const struct wave *w, const struct place *at)
{
    return w->cfg.depth > 0 && at->level > w->cfg.depth;
}

static bool is_traced(const struct wave *w, const struct place *at,
                      const struct sim_probe *p)
{
    if (is_deep(w, at) || at->scope == NULL) {
        return !is_deep(w, at);
    }
    (void)append(at->path, WAVE_PATH_MAX, at->length, p->desc->name);
    return wave_scope_has(at->scope, at->path) || at->all;
}

static bool is_heard(const struct wave *w, const struct sim_probe *p, bool traced)
{
    bool event = p->desc->kind == SIM_PROBE_EVENT;

    return traced ? event || wave_log_wants(w, p)
                  : event && wave_mark_always(wave_mark_of(p->desc));
}

/* Where the log is written later, it needs the values beside an event as they were
 * then. */
static bool is_beside_heard(const struct wave *w, const struct place *at,
                            const struct sim_module *m)
{
    const bool later = w->cfg.ring > 0 || w->cfg.second_thread;

    for (const struct sim_probe *p = m->probes; later && p != NULL; p = p->next) {
        if (p->desc->kind == SIM_PROBE_EVENT && !wave_is_moment(p) &&
            is_heard(w, p, is_traced(w, at, p))) {
            return true;
        }
    }
    return false;
}

/* at: of the module above m, but for its level. */
static void walk(struct wave *w, struct place at, struct sim_module *m)
{
    bool beside;

    at.length = m == w->root ? strlen(sim_path(m, at.path, WAVE_PATH_MAX))
                             : append(at.path, WAVE_PATH_MAX, at.length, m->name);
    if (at.scope != NULL && !is_deep(w, &at)) {
        at.all = wave_scope_has(at.scope, at.path) || at.all;
    }
    beside = is_beside_heard(w, &at, m);
    for (struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        bool traced = is_traced(w, &at, p), heard = is_heard(w, p, traced);

        if (!wave_is_moment(p) && (traced || heard || beside || wave_mark_names(p) ||
                                   wave_feeds(w, p) != 0)) {
            take(w, p, traced, heard);
        }
    }
    at.level++;
    for (struct sim_module *c = m->first; c != NULL; c = c->next) {
        walk(w, at, c);
    }
}

/* ---- refusing ---- */

static void hint_scopes(const struct wave *w, struct smw_err *e)
{
    char text[HINT];
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

struct names {
    struct arena *arena;
    const char **name;
    uint32_t n;
};

/* Paths of all modules and probes. */
static void collect(struct names *a, const struct sim_module *m)
{
    char path[WAVE_PATH_MAX];

    a->name[a->n++] = arena_strdup(a->arena, sim_path(m, path, sizeof(path)));
    for (const struct sim_probe *p = m->probes; p != NULL; p = p->next) {
        a->name[a->n++] =
            arena_strdup(a->arena, wave_probe_path(p, path, sizeof(path)));
    }
    for (const struct sim_module *c = m->first; c != NULL; c = c->next) {
        collect(a, c);
    }
}

/* The scope that was meant; wildcards at the end stay where they were. */
static void hint_nearest(const struct wave *w, const char *pattern, struct smw_err *e)
{
    size_t n = strcspn(pattern, "*?");
    struct arena arena;
    struct names all = {.arena = &arena};
    const char *word = NULL, *nearest = NULL;

    n -= n > 0 && pattern[n] != '\0' && pattern[n - 1] == '.';
    arena_init(&arena);
    if (pattern[0] != '/' && strspn(pattern + n, ".*?") == strlen(pattern + n)) {
        all.name =
            arena_alloc(&arena, (wave_count_modules(w->root) + sim_number(w->sim)) *
                                    sizeof(all.name[0]));
        word = arena_printf(&arena, "%.*s", (int)n, pattern);
        collect(&all, w->root);
        nearest = err_nearest(word, all.name, all.n);
    }
    if (nearest != NULL && strcmp(nearest, word) == 0) {
        err_hint(e, "it lies deeper");
    } else if (nearest != NULL) {
        err_hint(e, "did you mean '%s%s'?", nearest, pattern + n);
    } else {
        hint_scopes(w, e);
    }
    arena_free(&arena);
}

static void refuse(const struct wave *w, const char *pattern, struct smw_err *e)
{
    if (w->cfg.depth > 0) {
        err_set(e, SMW_ERR_INPUT,
                "trace scope '%s' selects no signal at most %u levels below %s",
                pattern, (unsigned)w->cfg.depth, w->root->name);
    } else {
        err_set(e, SMW_ERR_INPUT, "trace scope '%s' selects no signal", pattern);
    }
    hint_nearest(w, pattern, e);
}

bool wave_select(struct wave *w, struct smw_err *e)
{
    struct wave_scope *scope = wave_scope_open(w, e);
    uint32_t n = sim_number(w->sim);
    char path[WAVE_PATH_MAX];
    const char *unused;

    if (scope == NULL && w->cfg.scope != NULL) {
        return false;
    }
    w->var = sim_alloc(w->sim, n * sizeof(w->var[0]));
    w->var_of = sim_alloc(w->sim, n * sizeof(w->var_of[0]));
    for (uint32_t i = 0; i < n; i++) {
        w->var_of[i] = UINT32_MAX;
    }
    walk(w, (struct place){.scope = scope, .path = path}, w->root);
    unused = wave_scope_unused(scope);
    if (unused == NULL && w->n_traced == 0 && scope != NULL) {
        unused = w->cfg.scope; /* modules without probes of their own */
    }
    if (unused != NULL) {
        refuse(w, unused, e);
    }
    wave_scope_close(scope);
    if (unused != NULL || !wave_check_points(w, e)) {
        wave_silence(w);
        return false;
    }
    return true;
}
