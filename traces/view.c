#include "view.h"

#include "view_priv.h"
#include "wave_priv.h"
#include <string.h>

/* ---- names of views ---- */

static const struct {
    const char *name;
    bool numbered;
} views[N_VIEWS] = {
    [VIEW_OVERVIEW] = {"overview", false},
    [VIEW_BANKS] = {"banks", false},
    [VIEW_SCHEDULER] = {"scheduler", false},
    [VIEW_PIPELINE] = {"pipeline", false},
    [VIEW_COALESCER] = {"coalescer", false},
    [VIEW_MEMORY] = {"memory", false},
    [VIEW_WARP] = {"warp", true},
    [VIEW_BANK] = {"bank", true},
};

const char *view_name_of(enum view_name name)
{
    return views[name].name;
}

bool view_is_numbered(enum view_name name)
{
    return views[name].numbered;
}

/* At most four digits and nothing else. */
static bool parse_number(const char *s, size_t n, uint32_t *value)
{
    *value = 0;
    if (n == 0 || n > 4) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (s[i] < '0' || s[i] > '9') {
            return false;
        }
        *value = *value * 10 + (uint32_t)(s[i] - '0');
    }
    return true;
}

static bool unknown(const char *word, size_t n, struct smw_err *e)
{
    const char *names[N_VIEWS], *nearest;
    char copy[64];

    for (int i = 0; i < N_VIEWS; i++) {
        names[i] = views[i].name;
    }
    snprintf(copy, sizeof(copy), "%.*s", (int)n, word);
    err_set(e, SMW_ERR_USAGE, "there is no view '%s'", copy);
    copy[strcspn(copy, "=")] = '\0';
    nearest = err_nearest(copy, names, N_VIEWS);
    if (nearest != NULL && strcmp(nearest, copy) == 0) {
        err_hint(e, "write %s", nearest[0] == 'w' ? "warp=3" : "bank=3");
        for (int i = 0; i < N_VIEWS; i++) {
            if (views[i].name == nearest && !views[i].numbered) {
                err_hint(e, "'%s' takes no number", nearest);
            }
        }
    } else if (nearest != NULL) {
        err_hint(e, "did you mean '%s'?", nearest);
    } else {
        err_hint(e, "views: overview, banks, scheduler, pipeline, coalescer, "
                    "memory, warp=N, bank=N");
    }
    return false;
}

static bool parse_one(struct view *v, const char *word, size_t n, struct smw_err *e)
{
    for (int i = 0; i < N_VIEWS; i++) {
        size_t length = strlen(views[i].name);

        if (n < length || strncmp(word, views[i].name, length) != 0) {
            continue;
        }
        *v = (struct view){.name = (enum view_name)i};
        if (views[i].numbered
                ? word[length] == '=' &&
                      parse_number(word + length + 1, n - length - 1, &v->number)
                : n == length) {
            return true;
        }
    }
    return unknown(word, n, e);
}

bool view_parse(struct view list[VIEW_MAX], uint32_t *n, const char *words,
                struct smw_err *e)
{
    for (;;) {
        size_t length = strcspn(words, ",");
        struct view v;
        uint32_t i = 0;

        if (!parse_one(&v, words, length, e)) {
            return false;
        }
        while (i < *n && (list[i].name != v.name || list[i].number != v.number)) {
            i++;
        }
        if (i == VIEW_MAX) {
            return err_set(e, SMW_ERR_USAGE, "at most %d views at a time",
                           (int)VIEW_MAX);
        }
        if (i == *n) {
            list[(*n)++] = v;
        }
        if (words[length] == '\0') {
            return true;
        }
        words += length + 1;
    }
}

static bool ends_in(const char *s, size_t n, const char *end)
{
    size_t m = strlen(end);

    return n > m && strncmp(s + n - m, end, m) == 0;
}

/* The length of the name without what says its format. */
static size_t stem_of(const char *dump)
{
    size_t n = strlen(dump);

    if (ends_in(dump, n, ".gz")) {
        n -= 3;
    }
    if (ends_in(dump, n, ".vcd") || ends_in(dump, n, ".fst")) {
        n -= 4;
    } else if (ends_in(dump, n, ".gtkw")) {
        n -= 5;
    }
    return n;
}

size_t view_code_path(const char *dump, char *buf, size_t size)
{
    return (size_t)snprintf(buf, size, "%.*s.pcs.txt", (int)stem_of(dump), dump);
}

size_t view_path(const char *dump, const struct view *v, char *buf, size_t size)
{
    size_t n = stem_of(dump);

    if (v->name == VIEW_OVERVIEW) {
        return (size_t)snprintf(buf, size, "%.*s.gtkw", (int)n, dump);
    }
    if (views[v->name].numbered) {
        return (size_t)snprintf(buf, size, "%.*s.%s%u.gtkw", (int)n, dump,
                                views[v->name].name, (unsigned)v->number);
    }
    return (size_t)snprintf(buf, size, "%.*s.%s.gtkw", (int)n, dump,
                            views[v->name].name);
}

/* ---- trees ---- */

void view_tree_init(struct view_tree *t, struct arena *a)
{
    *t = (struct view_tree){.arena = a};
}

/* path.name, with a range behind it; without printf(), for there are thousands. */
static const char *var_path(struct arena *a, const char *path, const char *name,
                            uint32_t width)
{
    size_t n = strlen(path), m = strlen(name);
    char *s = arena_alloc(a, n + 1 + m + sizeof("[4294967295:0]"));
    char *end = s + n + 1 + m;

    memcpy(s, path, n);
    s[n] = '.';
    memcpy(s + n + 1, name, m);
    if (width > 1) {
        char digits[10];
        size_t k = 0;

        for (uint32_t top = width - 1; top != 0 || k == 0; top /= 10) {
            digits[k++] = (char)('0' + top % 10);
        }
        *end++ = '[';
        while (k > 0) {
            *end++ = digits[--k];
        }
        memcpy(end, ":0]", 3);
        end += 3;
    }
    *end = '\0';
    return s;
}

struct view_scope *view_add_scope(struct view_tree *t, struct view_scope *parent,
                                  const char *name)
{
    struct view_scope *s = arena_alloc(t->arena, sizeof(*s));

    s->parent = parent;
    s->name = arena_strdup(t->arena, name);
    if (parent != NULL) {
        s->path = var_path(t->arena, parent->path, name, 1);
        if (parent->last != NULL) {
            parent->last->next = s;
        } else {
            parent->first = s;
        }
        parent->last = s;
        return s;
    }
    s->path = s->name;
    if (t->root == NULL) {
        t->root = s;
    } else {
        struct view_scope *last = t->root;

        while (last->next != NULL) {
            last = last->next;
        }
        last->next = s;
    }
    return s;
}

struct view_var *view_add_var(struct view_tree *t, struct view_scope *s,
                              const char *name, enum view_kind kind, uint32_t width,
                              bool ranged, const struct sim_probe_desc *desc)
{
    static const struct sim_probe_desc nothing = {.name = ""};
    struct view_var *v = arena_alloc(t->arena, sizeof(*v));

    v->name = arena_strdup(t->arena, name);
    v->desc = desc != NULL ? desc : &nothing;
    v->kind = kind;
    v->width = width;
    v->path = var_path(t->arena, s->path, name, ranged ? width : 1);
    if (s->last_var != NULL) {
        s->last_var->next = v;
    } else {
        s->vars = v;
    }
    s->last_var = v;
    return v;
}

enum view_kind view_kind_of(enum sim_probe_kind kind)
{
    switch (kind) {
    case SIM_PROBE_BITS: return VIEW_BITS;
    case SIM_PROBE_UINT: return VIEW_NUMBER;
    case SIM_PROBE_LEVEL:
    case SIM_PROBE_RATE: return VIEW_CURVE;
    case SIM_PROBE_STATE: return VIEW_STATE;
    case SIM_PROBE_TEXT: return VIEW_TEXT;
    case SIM_PROBE_EVENT: return VIEW_EVENT;
    }
    return VIEW_BITS;
}

bool view_is_pc(const struct view_var *v)
{
    return v->kind == VIEW_BITS && v->width == 32 && v->desc->role == SIM_ROLE_PC;
}

bool view_is_in(const struct view_scope *s, const struct view_var *v, const char *glob)
{
    char path[WAVE_PATH_MAX];

    (void)snprintf(path, sizeof(path), "%s.%s", s->path, v->name);
    if (wave_glob(glob, path)) {
        return true;
    }
    while (s != NULL && !wave_glob(glob, s->path)) {
        s = s->parent;
    }
    return s != NULL;
}

/* ---- marks ---- */

void view_mark_kernel(struct view_marks *m, uint64_t t, const char *name)
{
    if (!m->set[VIEW_MARK_KERNEL_START]) {
        m->set[VIEW_MARK_KERNEL_START] = true;
        m->at[VIEW_MARK_KERNEL_START] = t;
    }
    if (m->n_kernels < VIEW_KEPT) {
        m->kernel[m->n_kernels].at = t;
        snprintf(m->kernel[m->n_kernels].name, VIEW_LABEL, "%s",
                 name != NULL ? name : "");
        m->n_kernels++;
    }
}

void view_mark_release(struct view_marks *m, uint64_t t)
{
    if (m->n_releases < VIEW_KEPT &&
        (m->n_releases == 0 || m->release[m->n_releases - 1] != t)) {
        m->release[m->n_releases++] = t;
    }
}

void view_mark_conflict(struct view_marks *m, uint64_t t, uint64_t degree,
                        uint64_t cycle)
{
    if (!m->set[VIEW_MARK_CONFLICT]) {
        m->set[VIEW_MARK_CONFLICT] = true;
        m->at[VIEW_MARK_CONFLICT] = t;
    }
    if (degree > m->degree) {
        m->degree = degree;
        m->worst_cycle = cycle;
        m->set[VIEW_MARK_WORST_CONFLICT] = true;
        m->at[VIEW_MARK_WORST_CONFLICT] = t;
    }
}

/* ---- is there anything to see ---- */

/* The range of the numbers at the end of scopes of that stem, whatever they lie in. */
static void find_numbers(const struct view_scope *s, const char *stem, uint32_t *n,
                         uint32_t *low, uint32_t *high)
{
    for (; s != NULL; s = s->next) {
        size_t length = view_stem(s->name);
        uint32_t number;

        if (length == strlen(stem) && strncmp(s->name, stem, length) == 0 &&
            parse_number(s->name + length, strlen(s->name + length), &number)) {
            *low = *n == 0 || number < *low ? number : *low;
            *high = *n == 0 || number > *high ? number : *high;
            (*n)++;
        }
        find_numbers(s->first, stem, n, low, high);
    }
}

bool view_check(struct view_tree *t, const struct view *v, struct smw_err *e)
{
    const char *name = views[v->name].name;
    uint32_t n = 0, low = 0, high = 0;

    if (views[v->name].numbered) {
        find_numbers(t->root, name, &n, &low, &high);
        if (n > 0 && (v->number < low || v->number > high)) {
            return err_set(e, SMW_ERR_USAGE,
                           "view %s=%u: there is no such %s in the dump, %u to %u are",
                           name, (unsigned)v->number, name, (unsigned)low,
                           (unsigned)high);
        }
        if (n == 0) {
            return err_set(e, SMW_ERR_USAGE, "view %s=%u: the dump has no %s at all",
                           name, (unsigned)v->number, name);
        }
    }
    if (view_select(t, v) > 0) {
        return true;
    }
    err_set(e, SMW_ERR_USAGE, "view %s: the dump has nothing of it", name);
    err_hint(e, t->described
                    ? "the scope of the trace may leave it out"
                    : "the dump does not say which signals belong to it: there "
                      "is the overview");
    return false;
}
