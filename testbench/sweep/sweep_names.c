#include "sweep/sweep_priv.h"

#include "io/file.h"
#include "stat/counters.h"
#include <stdlib.h>
#include <string.h>

static const char *const counters[] = {
#define NAME(field, name, unit, meaning, rule) name,
    SMW_COUNTERS(NAME)
#undef NAME
        "occupancy.limiter", /* a text */
};

void sweep_names_add(struct sweep_names *s, const char *name)
{
    s->names = tb_realloc(s->names, (s->n + 1) * sizeof(*s->names));
    s->names[s->n++] = name;
}

bool sweep_names_have(const struct sweep_names *s, const char *name)
{
    for (uint32_t i = 0; i < s->n; i++) {
        if (strcmp(s->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static void add_new(struct sweep_names *s, const char *name)
{
    if (!sweep_names_have(s, name)) {
        sweep_names_add(s, name);
    }
}

void sweep_names_of(const struct sweep *s, uint32_t n_derive, struct sweep_names *out)
{
    for (uint32_t i = 0; i < s->n_dims; i++) {
        for (uint32_t j = 0; j < s->dims[i].n_axes; j++) {
            add_new(out, s->dims[i].axes[j].key.name);
        }
    }
    if (s->target != NULL) {
        add_new(out, "target");
    }
    if (s->config != NULL) {
        add_new(out, "config");
    }
    for (uint32_t i = 0; i < s->n_base; i++) {
        add_new(out, s->base[i].key.name);
    }
    for (uint32_t i = 0; i < n_derive; i++) {
        add_new(out, s->derive[i].key.name);
    }
}

/* ---- names in expressions ---- */

struct lookup {
    struct sweep_names names;
    bool counters; /* those too, and NAME@KERNEL; else keys of the configuration */
    struct smw_config *probe; /* knows which there are */
    struct smw_err *e;
};

static bool is_counter(const char *name, size_t n)
{
    for (size_t i = 0; i < ARRAY_LEN(counters); i++) {
        if (strlen(counters[i]) == n && strncmp(counters[i], name, n) == 0) {
            return true;
        }
    }
    return false;
}

static bool check_name(void *ctx, const struct expr *x, const char *name,
                       uint32_t offset)
{
    struct lookup *l = ctx;
    uint32_t n = (uint32_t)strcspn(name, "@");
    const char *nearest;
    char *word, shown[128];
    struct smw_err why = {0};

    if (!l->counters && smw_config_show(l->probe, name, shown, sizeof(shown))) {
        return true;
    }
    if (sweep_names_have(&l->names, name) || (l->counters && is_counter(name, n))) {
        return true;
    }
    for (size_t i = 0; l->counters && i < ARRAY_LEN(counters); i++) {
        sweep_names_add(&l->names, counters[i]);
    }
    word = tb_printf("%.*s", (int)n, name);
    expr_refuse(x, offset, n, l->e,
                l->counters ? "there is no counter or parameter '%s'"
                            : "'%s' is no key or variable that is known here",
                word);
    nearest = err_nearest(word, l->names.names, l->names.n);
    if (nearest != NULL) {
        err_hint(l->e, "did you mean '%s'?", nearest);
    } else if (l->counters) {
        err_hint(l->e, "'smwave stats list' names the counters");
    } else {
        smw_config_set(l->probe, word, "", &why);
        err_hint(l->e, "%s", why.hint);
    }
    free(word);
    return false;
}

/* Every name of x is among those before derive number n_derive. */
static bool check_expr(struct sweep_reader *r, const struct expr *x, uint32_t n_derive,
                       bool with_counters)
{
    struct lookup l = {.counters = with_counters, .probe = r->probe, .e = r->e};
    bool ok;

    sweep_names_of(r->s, n_derive, &l.names);
    ok = expr_names(x, check_name, &l);
    free(l.names.names);
    return ok;
}

static bool is_other(void *ctx, const struct expr *x, const char *name, uint32_t offset)
{
    (void)ctx;
    (void)x;
    (void)offset;
    return !stat_is_stall(name);
}

bool sweep_has_stalls(const struct sweep *s)
{
    for (uint32_t i = 0; i < s->n_collect; i++) {
        if (!expr_names(s->collect[i].expr, is_other, NULL)) {
            return true;
        }
    }
    return false;
}

/* ---- variables that nobody uses ---- */

struct use {
    const char *name;
    bool found;
};

static bool note_use(void *ctx, const struct expr *x, const char *name, uint32_t offset)
{
    struct use *u = ctx;

    (void)x;
    (void)offset;
    u->found = u->found || strcmp(u->name, name) == 0;
    return true;
}

static bool is_used(const struct sweep *s, const char *name)
{
    struct use u = {.name = name};

    for (uint32_t i = 0; i < s->n_derive; i++) {
        expr_names(s->derive[i].expr, note_use, &u);
    }
    for (uint32_t i = 0; i < s->n_where; i++) {
        expr_names(s->where[i], note_use, &u);
    }
    for (uint32_t i = 0; i < s->n_collect; i++) {
        expr_names(s->collect[i].expr, note_use, &u);
    }
    for (uint32_t i = 0; i < s->n_plots; i++) {
        const struct sweep_plot *p = &s->plots[i];
        const char *const words[] = {p->x, p->y, p->z, p->group, p->facet};

        for (size_t j = 0; j < ARRAY_LEN(words); j++) {
            u.found = u.found || (words[j] != NULL && strcmp(words[j], name) == 0);
        }
    }
    return u.found;
}

/* A variable that changes nothing is most likely a key with a slip. */
static bool check_use(struct sweep_reader *r, const struct sweep_key *key)
{
    static const char *const near[] = {"target", "config", "kernel"};
    const char *nearest;

    if (key->role != SWEEP_VARIABLE || is_used(r->s, key->name)) {
        return true;
    }
    yaml_refuse(&r->s->yaml, key->at, SMW_ERR_INPUT, r->e,
                "the variable '%s' is used by no expression and no plot", key->name);
    nearest = err_nearest(key->name, near, ARRAY_LEN(near));
    if (nearest != NULL) {
        err_hint(r->e, "did you mean '%s'?", nearest);
    }
    return false;
}

bool sweep_check_names(struct sweep_reader *r)
{
    const struct sweep *s = r->s;

    for (uint32_t i = 0; i < s->n_derive; i++) {
        if (!check_expr(r, s->derive[i].expr, i, false)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < s->n_where; i++) {
        if (!check_expr(r, s->where[i], s->n_derive, false)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < s->n_collect; i++) {
        if (!check_expr(r, s->collect[i].expr, s->n_derive, true)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < s->n_dims; i++) {
        for (uint32_t j = 0; j < s->dims[i].n_axes; j++) {
            if (!check_use(r, &s->dims[i].axes[j].key)) {
                return false;
            }
        }
    }
    for (uint32_t i = 0; i < s->n_derive; i++) {
        if (!check_use(r, &s->derive[i].key)) {
            return false;
        }
    }
    return true;
}
