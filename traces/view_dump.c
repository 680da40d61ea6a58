/*
 * The tree of a dump that lies on the disk. VCD has vectors and no more; what they mean
 * stands in comments of its header: describe.h.
 */
#include "view.h"

#include "describe.h"
#include "reader.h"
#include "view_priv.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 512 };

/* What is watched of a signal while the dump is read. */
struct seen {
    struct view_var *var; /* the first of its names; NULL: of no scope */
    uint64_t value;
    bool known;
};

struct read {
    struct view_tree *t;
    struct reader *r;
    struct describe_list signals;
    struct view_scope **scope;                    /* by number */
    struct seen *seen;                            /* by signal */
    uint32_t *signal_of_degree, *signal_of_cycle; /* by scope; READER_NONE: none */
    uint32_t *fired;                              /* scopes of conflicts at this time */
    uint32_t n_fired;
    uint32_t start; /* scope of the first kernel_start, at this time; READER_NONE */
    char kernel[VIEW_LABEL]; /* that began last */
    bool kernel_fired;       /* at this time */
    bool begun, off;
};

/* ---- what a variable is ---- */

/* How a signal is drawn of which only its type is known. */
static enum view_kind kind_of_type(const struct reader_var *v)
{
    switch (v->kind) {
    case READER_WIRE: return VIEW_BITS;
    case READER_INTEGER:
    case READER_REAL: return VIEW_NUMBER;
    case READER_STRING: return VIEW_TEXT;
    case READER_EVENT: return VIEW_EVENT;
    }
    return VIEW_BITS;
}

/* What the dump says of v; NULL: nothing that its type allows. */
static const struct sim_probe_desc *
desc_of(const struct read *d, const struct view_scope *s, const struct reader_var *v)
{
    char path[READER_MAX_PATH];
    const struct sim_probe_desc *desc = NULL;

    if (d->signals.n > 0) {
        (void)snprintf(path, sizeof(path), "%s.%s", s->path, v->name);
        desc = describe_find(&d->signals, path);
    }
    if (desc == NULL) {
        return NULL;
    }
    switch (view_kind_of(desc->kind)) {
    case VIEW_BITS:
    case VIEW_NUMBER:
    case VIEW_CURVE:
    case VIEW_STATE: return v->kind == READER_WIRE ? desc : NULL;
    case VIEW_TEXT: return v->kind == READER_STRING ? desc : NULL;
    case VIEW_EVENT: return v->kind == READER_EVENT ? desc : NULL;
    }
    return NULL;
}

static bool is_clock(const struct reader_var *v)
{
    return (strcmp(v->name, "clk") == 0 && v->kind == READER_WIRE && v->width == 1) ||
           (strcmp(v->name, "cycle") == 0 && v->kind == READER_INTEGER);
}

static void add_var(struct read *d, const struct reader_var *v,
                    bool (*has_states)(void *ctx, const char *file), void *ctx)
{
    struct view_scope *s = d->scope[v->scope];
    const struct sim_probe_desc *desc = desc_of(d, s, v);
    enum view_kind kind = desc != NULL ? view_kind_of(desc->kind) : kind_of_type(v);
    struct view_var *out =
        view_add_var(d->t, s, v->name, kind, v->width, v->kind == READER_WIRE, desc);

    out->clock = desc == NULL && is_clock(v);
    if (d->seen[v->signal].var == NULL) {
        d->seen[v->signal].var = out;
    }
    if (out->kind == VIEW_STATE && has_states != NULL) {
        out->states = arena_printf(d->t->arena, "state_%.*s.txt",
                                   (int)view_stem(s->name), s->name);
        out->stages =
            arena_printf(d->t->arena, "stage_%s", strchr(out->states, '_') + 1);
        if (!has_states(ctx, out->stages)) {
            out->stages = NULL;
        }
        if (!has_states(ctx, out->states)) {
            out->states = NULL;
            d->t->missing_states++;
        }
    }
    if (view_is_pc(out)) {
        out->states = d->t->code;
    }
    if (strcmp(v->name, "degree") == 0) {
        d->signal_of_degree[v->scope] = v->signal;
    }
    if (out->clock && v->kind == READER_INTEGER) {
        d->signal_of_cycle[v->scope] = v->signal;
    }
}

static void declare(struct read *d, bool (*has_states)(void *ctx, const char *file),
                    void *ctx)
{
    for (uint32_t i = 0; i < reader_scopes(d->r); i++) {
        const struct reader_scope *s = reader_scope(d->r, i);

        d->scope[i] =
            view_add_scope(d->t, s->parent != READER_NONE ? d->scope[s->parent] : NULL,
                           s->name);
        d->signal_of_degree[i] = READER_NONE;
        d->signal_of_cycle[i] = READER_NONE;
    }
    for (uint32_t i = 0; i < reader_vars(d->r); i++) {
        const struct reader_var *v = reader_var(d->r, i);

        if (v->scope != READER_NONE) {
            add_var(d, v, has_states, ctx);
        }
    }
}

/* "config gtx480, digest ..." and what stands before it. */
static void describe(struct view_tree *t, struct describe_list *signals,
                     const struct reader *r)
{
    static const char config[] = "config ";
    const char *text;

    for (uint32_t i = 0; (text = reader_comment(r, i)) != NULL; i++) {
        if (strncmp(text, config, strlen(config)) == 0) {
            const char *name = text + strlen(config), *comma = strrchr(name, ',');
            size_t n = comma != NULL ? (size_t)(comma - name) : strlen(name);

            t->config_name = arena_printf(t->arena, "%.*s", (int)n, name);
        } else if (strcmp(text, VIEW_TIME_IN_CYCLES) == 0) {
            t->cycles = true;
        } else if (strncmp(text, "scope ", 6) == 0 || strncmp(text, "depth ", 6) == 0) {
            t->scoped = true;
        } else if (!describe_read(signals, t->arena, text) && i == 0) {
            t->heading = arena_strdup(t->arena, text);
        }
    }
    t->described = signals->n > 0;
}

/* ---- changes ---- */

static void mark_first(struct view_marks *m, enum view_mark which, uint64_t t)
{
    if (!m->set[which]) {
        m->set[which] = true;
        m->at[which] = t;
    }
}

static void mark_event(struct view_marks *m, const char *name, uint64_t t)
{
    if (strcmp(name, "kernel_end") == 0) {
        m->set[VIEW_MARK_KERNEL_END] = true;
        m->at[VIEW_MARK_KERNEL_END] = t;
    } else if (strcmp(name, "fault") == 0) {
        mark_first(m, VIEW_MARK_FAULT, t);
    } else if (strcmp(name, "trigger") == 0) {
        mark_first(m, VIEW_MARK_TRIGGER, t);
    }
}

static uint64_t value_of(const struct read *d, uint32_t signal)
{
    return signal != READER_NONE && d->seen[signal].known ? d->seen[signal].value : 0;
}

/* In the nearest scope that has a clock. */
static uint64_t cycle_in(const struct read *d, uint32_t scope)
{
    uint32_t cycle = READER_NONE;

    for (; scope != READER_NONE && cycle == READER_NONE;
         scope = reader_scope(d->r, scope)->parent) {
        cycle = d->signal_of_cycle[scope];
    }
    return value_of(d, cycle);
}

/* The events of a time that need the values at its end. */
static void finish_time(struct read *d, uint64_t t)
{
    struct view_marks *m = &d->t->marks;

    for (uint32_t i = 0; i < d->n_fired; i++) {
        uint32_t scope = d->fired[i];

        view_mark_conflict(m, t, value_of(d, d->signal_of_degree[scope]),
                           cycle_in(d, scope));
    }
    d->n_fired = 0;
    if (d->start != READER_NONE) {
        m->start_cycle = cycle_in(d, d->start);
        d->start = READER_NONE;
    }
    if (d->kernel_fired) {
        view_mark_kernel(m, t, d->kernel);
    }
    d->kernel_fired = false;
}

static void change(struct read *d, const struct reader_change *c,
                   const uint32_t *scope_of)
{
    struct seen *s = &d->seen[c->signal];

    if (s->var == NULL || d->off) {
        return;
    }
    s->value = c->value;
    s->known = c->known;
    if (d->begun) {
        s->var->active = true;
    } else {
        s->var->zero = c->known && c->value == 0;
    }
    if (s->var->active) {
        s->var->zero = false;
    }
    if (s->var->kind == VIEW_TEXT && strcmp(s->var->name, "kernel") == 0) {
        snprintf(d->kernel, sizeof(d->kernel), "%s", c->text);
    }
    if (s->var->kind != VIEW_EVENT || !d->begun) {
        return;
    }
    if (strcmp(s->var->name, "kernel_start") == 0 &&
        !d->t->marks.set[VIEW_MARK_KERNEL_START]) {
        d->start = scope_of[c->signal];
    }
    mark_event(&d->t->marks, s->var->name, c->time);
    d->kernel_fired |= strcmp(s->var->name, "kernel_start") == 0;
    if (strcmp(s->var->name, "release") == 0) {
        view_mark_release(&d->t->marks, c->time);
    }
    if (strcmp(s->var->name, "conflict") == 0 && d->n_fired < reader_scopes(d->r)) {
        d->fired[d->n_fired++] = scope_of[c->signal];
    }
}

static bool replay(struct read *d, const uint32_t *scope_of, struct smw_err *e)
{
    struct view_tree *t = d->t;
    struct reader_change c;
    bool timed = false;
    uint64_t end = 0, last = 0;

    for (;;) {
        switch (reader_next(d->r, &c, e)) {
        case READER_CHANGE: change(d, &c, scope_of); break;
        case READER_TIME:
            finish_time(d, last);
            if (!timed) {
                t->start = c.time;
            }
            timed = true;
            last = c.time;
            break;
        case READER_BEGUN: d->begun = true; break;
        case READER_OFF:
            finish_time(d, last);
            d->off = true;
            end = last;
            break;
        case READER_ON: d->off = false; break;
        case READER_END:
            finish_time(d, last);
            t->end = last;
            t->complete = d->begun;
            t->marks.set[VIEW_MARK_END] = true;
            t->marks.at[VIEW_MARK_END] = d->off ? end : last;
            return true;
        case READER_FAILED: return false;
        }
    }
}

/* What is declared. has_states NULL: whether there are translate files is not asked. */
static bool read_head(struct read *d, bool (*has_states)(void *ctx, const char *file),
                      void *ctx, struct smw_err *e)
{
    static const char ours[] = "smwave";
    size_t scopes = reader_scopes(d->r) + (size_t)1;
    size_t signals = reader_signals(d->r) + (size_t)1;
    struct arena *a = d->t->arena;

    d->scope = arena_alloc(a, scopes * sizeof(struct view_scope *));
    d->seen = arena_alloc(a, signals * sizeof(struct seen));
    d->signal_of_degree = arena_alloc(a, scopes * sizeof(uint32_t));
    d->signal_of_cycle = arena_alloc(a, scopes * sizeof(uint32_t));
    d->fired = arena_alloc(a, scopes * sizeof(uint32_t));
    d->start = READER_NONE;
    if (strncmp(reader_version(d->r), ours, strlen(ours)) != 0) {
        err_set(e, SMW_ERR_INPUT, "this dump was not written by smwave");
        err_hint(e, "views know the signals of smwave's model only");
        return false;
    }
    if (reader_version(d->r)[strlen(ours)] == ' ') {
        d->t->version = arena_strdup(a, reader_version(d->r) + strlen(ours) + 1);
    }
    describe(d->t, &d->signals, d->r);
    declare(d, has_states, ctx);
    return true;
}

bool view_read_names(struct view_tree *t, struct reader *r, struct smw_err *e)
{
    struct read d = {.t = t, .r = r};

    return read_head(&d, NULL, NULL, e);
}

bool view_read(struct view_tree *t, struct reader *r,
               bool (*has_states)(void *ctx, const char *file), void *ctx,
               struct smw_err *e)
{
    uint32_t *scope_of =
        arena_alloc(t->arena, (reader_signals(r) + (size_t)1) * sizeof(*scope_of));
    struct read d = {.t = t, .r = r};

    for (uint32_t i = 0; i < reader_vars(r); i++) {
        scope_of[reader_var(r, i)->signal] = reader_var(r, i)->scope;
    }
    return read_head(&d, has_states, ctx, e) && replay(&d, scope_of, e);
}

/* ---- events.log ---- */

/* ... kernel="reverse" */
static void mark_logged_kernel(struct view_tree *t, uint64_t at, const char *line)
{
    static const char key[] = "kernel=\"";
    const char *found = strstr(line, key);
    char name[VIEW_LABEL] = "";

    if (found != NULL) {
        found += strlen(key);
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(found, "\""), found);
    }
    view_mark_kernel(&t->marks, at, name);
}

/* "214285 cycle 300 gpu.dispatcher.kernel_start ..." */
void view_read_log(struct view_tree *t, FILE *log)
{
    bool starts = t->marks.set[VIEW_MARK_KERNEL_START];
    bool ends = t->marks.set[VIEW_MARK_KERNEL_END];
    bool faults = t->marks.set[VIEW_MARK_FAULT];
    char line[LINE];

    while (fgets(line, sizeof(line), log) != NULL) {
        char *rest, *path, *name, *values;
        uint64_t at = strtoull(line, &rest, 10), cycle = 0;

        path = rest != line ? strchr(line, '.') : NULL;
        if (path == NULL) {
            continue;
        }
        if (strncmp(rest, " cycle ", 7) == 0) {
            cycle = strtoull(rest + 7, NULL, 10);
        }
        values = strchr(path, ' ');
        path[strcspn(path, " \n")] = '\0';
        name = strrchr(path, '.') + 1;
        if (strcmp(name, "kernel_start") == 0 && !starts) {
            mark_logged_kernel(t, at, values != NULL ? values + 1 : "");
            if (t->marks.start_cycle == 0) {
                t->marks.start_cycle = cycle;
            }
        } else if ((strcmp(name, "kernel_end") == 0 && !ends) ||
                   (strcmp(name, "fault") == 0 && !faults) ||
                   strcmp(name, "trigger") == 0) {
            mark_event(&t->marks, name, at);
        }
    }
}
