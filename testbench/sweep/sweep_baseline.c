#include "sweep/sweep_priv.h"

#include "io/file.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 1 << 20 /* of an axis that are looked through */ };

static const struct sweep_axis *find_axis(const struct sweep *s, const char *name,
                                          uint32_t *dim)
{
    for (*dim = 0; *dim < s->n_dims; (*dim)++) {
        for (uint32_t j = 0; j < s->dims[*dim].n_axes; j++) {
            if (strcmp(s->dims[*dim].axes[j].key.name, name) == 0) {
                return &s->dims[*dim].axes[j];
            }
        }
    }
    return NULL;
}

static bool unknown_axis(struct sweep_reader *r, const struct yaml_node *key)
{
    struct sweep_names names = {0};
    const char *nearest;

    for (uint32_t i = 0; i < r->s->n_dims; i++) {
        for (uint32_t j = 0; j < r->s->dims[i].n_axes; j++) {
            sweep_names_add(&names, r->s->dims[i].axes[j].key.name);
        }
    }
    yaml_refuse(&r->s->yaml, key, SMW_ERR_INPUT, r->e,
                "baseline: '%s' does not vary in this sweep", key->text);
    nearest = err_nearest(key->text, names.names, names.n);
    if (nearest != NULL) {
        err_hint(r->e, "did you mean '%s'?", nearest);
    }
    free(names.names);
    return false;
}

/* 0x10 is 16. */
static bool is_same(const char *a, const char *b)
{
    struct expr_value x = expr_value_of(a), y = expr_value_of(b);

    return x.kind == EXPR_NUMBER && y.kind == EXPR_NUMBER ? x.number == y.number
                                                          : strcmp(a, b) == 0;
}

/* The axis' own text of the value; NULL: it has none such. */
static char *find_step(const struct sweep_axis *a, uint64_t n, const char *text)
{
    for (uint64_t i = 0; i < n && i < MAX_STEPS; i++) {
        char *step = sweep_step_text(a, i);

        if (step != NULL && is_same(step, text)) {
            return step;
        }
        free(step);
    }
    return NULL;
}

static bool unknown_step(struct sweep_reader *r, const struct sweep_axis *a, uint64_t n,
                         const struct yaml_node *at)
{
    enum { TOLD = 8 };
    struct text all = {0};

    for (uint64_t i = 0; i < n && i < TOLD; i++) {
        char *step = sweep_step_text(a, i);

        text_add(&all, "%s%s", i == 0 ? "" : ", ", step == NULL ? "(none)" : step);
        free(step);
    }
    yaml_refuse(&r->s->yaml, at, SMW_ERR_INPUT, r->e,
                "baseline: '%s' is no value of %s in this sweep", at->text,
                a->key.name);
    err_hint(r->e, "it has %s%s", all.s, n > TOLD ? " ..." : "");
    text_free(&all);
    return false;
}

static bool read_named(struct sweep_reader *r, const struct yaml_node *v)
{
    struct sweep_baseline *b = &r->s->baseline;
    struct sweep_named *out = &b->named[b->n];
    const struct sweep_axis *a = find_axis(r->s, v->key->text, &out->dim);
    char *text;

    if (a == NULL) {
        return unknown_axis(r, v->key);
    }
    if (!sweep_check_value(r, &a->key, v)) {
        return false;
    }
    text = sweep_text(&a->key, v);
    out->key = a->key.name;
    out->value = find_step(a, r->s->dims[out->dim].n, text);
    free(text);
    if (out->value == NULL) {
        return unknown_step(r, a, r->s->dims[out->dim].n, v);
    }
    b->n++;
    return true;
}

static bool read_number(struct sweep_reader *r, const struct yaml_node *n)
{
    struct sweep_baseline *b = &r->s->baseline;

    b->is_number = true;
    return value_read_u64(&r->s->yaml, n, "baseline", 0, sweep_combinations(r->s) - 1,
                          &b->index, r->e);
}

static bool read_names(struct sweep_reader *r, const struct yaml_node *n)
{
    if (!value_need(&r->s->yaml, n, YAML_MAP, "baseline", r->e)) {
        err_hint(r->e, "the number of a point, or {KEY: VALUE} of keys that vary");
        return false;
    }
    if (n->n == 0) {
        return yaml_refuse(&r->s->yaml, n, SMW_ERR_INPUT, r->e, "baseline is empty");
    }
    r->s->baseline.named = tb_alloc((n->n + 1) * sizeof(*r->s->baseline.named));
    for (const struct yaml_node *v = n->first; v != NULL; v = v->next) {
        if (!read_named(r, v)) {
            return false;
        }
    }
    return true;
}

bool sweep_read_baseline(struct sweep_reader *r, const struct yaml_node *n)
{
    struct sweep *s = r->s;

    if (n == NULL) {
        return true;
    }
    s->baseline.at = n;
    if (n->kind == YAML_SCALAR ? !read_number(r, n) : !read_names(r, n)) {
        return false;
    }
    for (uint32_t i = 0; i < s->n_collect; i++) {
        s->collect[i].ratio = tb_printf("%s/baseline", s->collect[i].name);
    }
    return true;
}
