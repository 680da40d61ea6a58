#include "sweep/plan_priv.h"
#include "sweep/sweep_priv.h"

#include "cfg/cfg.h"
#include "io/file.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- values of a combination ---- */

/* The part of the axis that step i of its dimension falls into. */
static const struct sweep_part *part_at(const struct sweep_axis *a, uint64_t i)
{
    uint32_t low = 0, high = a->n_parts - 1;

    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;

        if (a->parts[middle].start <= i) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return &a->parts[low];
}

char *sweep_step_text(const struct sweep_axis *a, uint64_t i)
{
    const struct sweep_part *p = part_at(a, i);
    char buf[EXPR_NUMBER_SIZE];
    double v;

    if (p->value.at == NULL) {
        return NULL;
    }
    if (p->value.text != NULL) {
        return tb_strdup(p->value.text);
    }
    v = p->first + (double)(i - p->start) * p->step;
    if (p->base == 0) { /* 0.1 + 2 * 0.1 is 0.3 to people */
        v = round(v * 1e12) == v * 1e12 || fabs(v) > 1e3 ? v : round(v * 1e12) / 1e12;
    }
    expr_print(p->base == 0 ? v : pow(p->base, v), buf);
    return tb_strdup(buf);
}

/* Step of dimension d in the combination; the last dimension varies fastest. */
static uint64_t step_of(const struct sweep *s, uint64_t combination, uint32_t d)
{
    for (uint32_t i = s->n_dims; i-- > d + 1;) {
        combination /= s->dims[i].n;
    }
    return combination % s->dims[d].n;
}

/* ---- a point as it grows ---- */

enum { SETTING_SIZE = 128 };

struct growing {
    const struct sweep *s;
    struct sweep_point *p;
    char setting[SETTING_SIZE]; /* the text of one that was asked for */
    struct smw_err why;         /* there is no configuration */
    struct scope {              /* what names of expressions stand for */
        const char **names;
        char **texts;
        uint32_t n;
    } scope;
};

static const char *scope_find(const struct growing *g, const char *name)
{
    for (uint32_t i = g->scope.n; i-- > 0;) {
        if (strcmp(g->scope.names[i], name) == 0) {
            return g->scope.texts[i];
        }
    }
    return NULL;
}

/* What the configuration has: a number of base units where it is one. */
static void ask_configuration(struct growing *g, const char *key,
                              struct expr_value *out)
{
    uint64_t v;

    if (strchr(key, '.') == NULL || g->why.kind != SMW_ERR_NONE ||
        !digest_setting(g->s, g->p, key, g->setting, sizeof(g->setting), &g->why)) {
        return;
    }
    *out = cfg_number(g->setting, &v)
               ? (struct expr_value){.kind = EXPR_NUMBER, .number = (double)v}
               : (struct expr_value){.kind = EXPR_TEXT, .text = g->setting};
}

static void resolve(void *ctx, const char *name, struct expr_value *out)
{
    struct growing *g = ctx;
    const char *text = scope_find(g, name);

    if (text == NULL || sweep_is_factor(text)) {
        ask_configuration(g, name, out);
    }
    if (text != NULL && out->kind == EXPR_NONE && g->why.kind == SMW_ERR_NONE) {
        *out = expr_value_of(text);
    }
}

/* What is said again counts where it is said last. */
static void put_pair(struct sweep_pair **list, uint32_t *n, const char *key,
                     const char *value)
{
    uint32_t kept = 0;

    *list = tb_realloc(*list, (*n + 1) * sizeof(**list));
    for (uint32_t i = 0; i < *n; i++) {
        if (strcmp((*list)[i].key, key) == 0) {
            free((*list)[i].key);
            free((*list)[i].value);
        } else {
            (*list)[kept++] = (*list)[i];
        }
    }
    (*list)[kept] = (struct sweep_pair){tb_strdup(key), tb_strdup(value)};
    *n = kept + 1;
}

/* The key has this value, which the scope takes over. */
static void assign(struct growing *g, const struct sweep_key *key, char *text)
{
    struct sweep_point *p = g->p;
    char **word = key->role == SWEEP_TARGET ? &p->target : &p->config;

    g->scope.names =
        tb_realloc(g->scope.names, (g->scope.n + 1) * sizeof(*g->scope.names));
    g->scope.texts =
        tb_realloc(g->scope.texts, (g->scope.n + 1) * sizeof(*g->scope.texts));
    g->scope.names[g->scope.n] = key->name;
    g->scope.texts[g->scope.n++] = text;
    switch (key->role) {
    case SWEEP_TARGET:
    case SWEEP_CONFIG:
        free(*word);
        *word = tb_strdup(text);
        break;
    case SWEEP_SET: put_pair(&p->set, &p->n_set, key->path, text); break;
    case SWEEP_LAUNCH: put_pair(&p->launch, &p->n_launch, key->path, text); break;
    case SWEEP_VARIABLE: break;
    }
}

static void add_param(struct growing *g, const char *name)
{
    const char *text = scope_find(g, name);
    struct sweep_point *p = g->p;
    struct expr_value v;

    if (text == NULL) {
        return;
    }
    v = expr_value_of(text);
    p->params = tb_realloc(p->params, (p->n_params + 1) * sizeof(*p->params));
    p->params[p->n_params++] = (struct sweep_param){
        .name = tb_strdup(name),
        .text = tb_strdup(text),
        .is_number = v.kind == EXPR_NUMBER,
        .number = v.number,
    };
}

static void assign_base(struct growing *g, const struct sweep *s)
{
    static const struct sweep_key target = {SWEEP_TARGET, "target", "target", NULL};
    static const struct sweep_key config = {SWEEP_CONFIG, "config", "config", NULL};

    if (s->target != NULL) {
        assign(g, &target, tb_strdup(s->target));
    }
    if (s->config != NULL) {
        assign(g, &config, tb_strdup(s->config));
    }
    for (uint32_t i = 0; i < s->n_base; i++) {
        assign(g, &s->base[i].key, tb_strdup(s->base[i].value.text));
    }
}

static void assign_axes(struct growing *g, const struct sweep *s, uint64_t combination)
{
    for (uint32_t d = 0; d < s->n_dims; d++) {
        uint64_t step = step_of(s, combination, d);

        for (uint32_t j = 0; j < s->dims[d].n_axes; j++) {
            const struct sweep_axis *a = &s->dims[d].axes[j];
            char *text = sweep_step_text(a, step);

            if (text != NULL) {
                assign(g, &a->key, text);
            }
        }
    }
}

/* "n = 0, config = gtx480": what varies, in the combination. */
static void tell_axes(const struct growing *g, const struct sweep *s, struct text *out)
{
    for (uint32_t d = 0; d < s->n_dims; d++) {
        for (uint32_t j = 0; j < s->dims[d].n_axes; j++) {
            const char *name = s->dims[d].axes[j].key.name;
            const char *text = scope_find(g, name);

            text_add(out, "%s%s %s %s", out->n == 0 ? "" : ", ", name,
                     text == NULL ? "is" : "=", text == NULL ? "not said" : text);
        }
    }
}

static bool no_value(const struct expr *x, const struct growing *g,
                     const struct sweep *s, struct smw_err *e)
{
    struct text t = {0};

    if (g->why.kind != SMW_ERR_NONE) {
        return expr_refuse(x, 0, 1, e, "%s", g->why.message);
    }
    tell_axes(g, s, &t);
    expr_refuse(x, 0, 1, e, "the expression has no value where %s",
                t.n == 0 ? "nothing varies" : t.s);
    err_hint(e, "it divides by zero, or asks for what is not said there");
    text_free(&t);
    return false;
}

static bool assign_derived(struct growing *g, const struct sweep *s, struct smw_err *e)
{
    for (uint32_t i = 0; i < s->n_derive; i++) {
        char buf[EXPR_NUMBER_SIZE];
        struct expr_value v;

        if (!expr_eval(s->derive[i].expr, resolve, g, &v, e)) {
            return false;
        }
        if (v.kind == EXPR_NONE) {
            return no_value(s->derive[i].expr, g, s, e);
        }
        if (v.kind == EXPR_NUMBER) {
            expr_print(v.number, buf);
        }
        assign(g, &s->derive[i].key, tb_strdup(v.kind == EXPR_NUMBER ? buf : v.text));
    }
    return true;
}

/* *wanted: where is true for it. */
static bool ask_where(struct growing *g, const struct sweep *s, bool *wanted,
                      struct smw_err *e)
{
    *wanted = true;
    for (uint32_t i = 0; *wanted && i < s->n_where; i++) {
        struct expr_value v;

        if (!expr_eval(s->where[i], resolve, g, &v, e)) {
            return false;
        }
        if (v.kind == EXPR_NONE) {
            return no_value(s->where[i], g, s, e);
        }
        if (v.kind == EXPR_TEXT) {
            return expr_refuse(s->where[i], 0, 1, e,
                               "where takes what is true or not, not the text '%s'",
                               v.text);
        }
        *wanted = v.number != 0;
    }
    return true;
}

static void add_params(struct growing *g, const struct sweep *s)
{
    for (uint32_t d = 0; d < s->n_dims; d++) {
        for (uint32_t j = 0; j < s->dims[d].n_axes; j++) {
            add_param(g, s->dims[d].axes[j].key.name);
        }
    }
    for (uint32_t i = 0; i < s->n_derive; i++) {
        if (s->derive[i].key.role == SWEEP_VARIABLE) {
            add_param(g, s->derive[i].key.name);
        }
    }
}

/* ---- the points in their order ---- */

void plan_start(struct plan *p, const struct sweep *s)
{
    *p = (struct plan){.sweep = s};
}

static bool make_point(const struct sweep *s, uint64_t combination,
                       struct sweep_point *point, bool *wanted, struct smw_err *e)
{
    struct growing g = {.s = s, .p = point};
    bool ok;

    *point = (struct sweep_point){0};
    assign_base(&g, s);
    assign_axes(&g, s, combination);
    ok = assign_derived(&g, s, e) && ask_where(&g, s, wanted, e);
    if (ok && *wanted) {
        add_params(&g, s);
    }
    for (uint32_t i = 0; i < g.scope.n; i++) {
        free(g.scope.texts[i]);
    }
    free(g.scope.names);
    free(g.scope.texts);
    if (!ok || !*wanted) {
        sweep_point_free(point);
    }
    return ok;
}

bool plan_next(struct plan *p, struct sweep_point *point, struct smw_err *e)
{
    uint64_t n = sweep_combinations(p->sweep);

    while (p->combination < n) {
        bool wanted = false;

        if (!make_point(p->sweep, p->combination++, point, &wanted, e)) {
            return false;
        }
        if (wanted) {
            point->index = p->index++;
            return true;
        }
    }
    return false;
}

/* ---- where a setting stands ---- */

const struct yaml_node *plan_origin(const struct sweep *s, uint64_t combination,
                                    enum sweep_role role, const char *path, bool key)
{
    const struct yaml_node *at = NULL;

    if (role == SWEEP_TARGET || role == SWEEP_CONFIG) {
        at = role == SWEEP_TARGET ? s->target_at : s->config_at;
        path = role == SWEEP_TARGET ? "target" : "config";
    }
    for (uint32_t i = 0; i < s->n_base; i++) {
        const struct sweep_base *b = &s->base[i];

        if (b->key.role == role && strcmp(b->key.path, path) == 0) {
            at = key ? b->key.at : b->value.at;
        }
    }
    for (uint32_t d = 0; d < s->n_dims; d++) {
        uint64_t step = step_of(s, combination, d);

        for (uint32_t j = 0; j < s->dims[d].n_axes; j++) {
            const struct sweep_axis *a = &s->dims[d].axes[j];
            const struct sweep_part *part = part_at(a, step);

            if (a->key.role == role && strcmp(a->key.path, path) == 0 &&
                part->value.at != NULL) {
                at = key ? part->value.at->key : part->value.at;
                at = at == NULL ? a->key.at : at;
            }
        }
    }
    for (uint32_t i = 0; i < s->n_derive; i++) {
        const struct sweep_key *k = &s->derive[i].key;

        if (k->role == role && strcmp(k->path, path) == 0) {
            at = k->at;
        }
    }
    return at;
}
