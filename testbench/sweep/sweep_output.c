#include "sweep/sweep_priv.h"

#include "io/file.h"
#include "io/num.h"
#include <stdlib.h>
#include <string.h>

/* ---- collect ---- */

static struct sweep_column *add_column(struct sweep_reader *r,
                                       const struct yaml_node *at)
{
    struct sweep *s = r->s;

    s->collect = tb_realloc(s->collect, (s->n_collect + 1) * sizeof(*s->collect));
    s->collect[s->n_collect] = (struct sweep_column){.at = at};
    return &s->collect[s->n_collect++];
}

static bool read_column(struct sweep_reader *r, const struct yaml_node *n,
                        struct sweep_column *out)
{
    static const char *const keys[] = {"name", "value", "unit"};
    const struct yaml *y = &r->s->yaml;
    const struct yaml_node *name = n, *value = n, *unit = NULL;

    if (n->kind != YAML_SCALAR) {
        if (!value_check_keys(y, n, "a column of collect", keys, ARRAY_LEN(keys), 2,
                              r->e)) {
            return false;
        }
        name = yaml_get(n, "name");
        value = yaml_get(n, "value");
        unit = yaml_get(n, "unit");
    }
    if (!value_need(y, name, YAML_SCALAR, "name", r->e) ||
        !value_need(y, value, YAML_SCALAR, "value", r->e) ||
        (unit != NULL && !value_need(y, unit, YAML_SCALAR, "unit", r->e))) {
        return false;
    }
    out->name = name->text;
    out->unit = unit == NULL ? NULL : unit->text;
    out->expr = expr_parse(value->text, y, value, SMW_ERR_INPUT, r->e);
    if (out->expr != NULL && n->kind == YAML_SCALAR && !expr_is_name(out->expr)) {
        yaml_refuse(y, n, SMW_ERR_INPUT, r->e,
                    "a column that is computed needs a name");
        err_hint(r->e, "write {name: ..., value: ...}");
    }
    return r->e->kind == SMW_ERR_NONE;
}

/* Names of columns are all different: results.csv has one head. */
static bool check_column(struct sweep_reader *r, uint32_t index)
{
    const struct sweep_column *c = &r->s->collect[index];
    struct sweep_names names = {0};
    bool twice;

    sweep_names_of(r->s, r->s->n_derive, &names);
    for (uint32_t i = 0; i < index; i++) {
        sweep_names_add(&names, r->s->collect[i].name);
    }
    twice = sweep_names_have(&names, c->name);
    free(names.names);
    if (c->name[0] == '\0') {
        return yaml_refuse(&r->s->yaml, c->at, SMW_ERR_INPUT, r->e,
                           "the column has no name");
    }
    return !twice || yaml_refuse(&r->s->yaml, c->at, SMW_ERR_INPUT, r->e,
                                 "'%s' is a column already", c->name);
}

static bool default_column(struct sweep_reader *r)
{
    struct sweep_column *c = add_column(r, r->s->yaml.root);

    c->name = "cycles";
    c->expr = expr_parse(c->name, NULL, NULL, SMW_ERR_INPUT, r->e);
    return true;
}

bool sweep_read_collect(struct sweep_reader *r, const struct yaml_node *n)
{
    if (n == NULL) {
        return default_column(r);
    }
    if (!value_need(&r->s->yaml, n, YAML_LIST, "collect", r->e)) {
        return false;
    }
    if (n->n == 0) {
        return yaml_refuse(&r->s->yaml, n, SMW_ERR_INPUT, r->e, "collect is empty");
    }
    for (const struct yaml_node *c = n->first; c != NULL; c = c->next) {
        if (!read_column(r, c, add_column(r, c)) ||
            !check_column(r, r->s->n_collect - 1)) {
            return false;
        }
    }
    return true;
}

/* ---- limits ---- */

bool sweep_bytes(const char *text, uint64_t *out)
{
    static const char *const units[] = {"KiB", "MiB", "GiB"};
    size_t digits = strspn(text, "0123456789");
    size_t blanks = strspn(text + digits, " ");
    const char *unit = text + digits + blanks;
    char *word = tb_printf("%.*s", (int)digits, text);
    uint64_t number = 0;
    uint32_t shift = *unit == '\0' && blanks == 0 ? 0 : 64;
    bool ok = num_u64(word, &number) == NUM_OK;

    free(word);
    for (uint32_t i = 0; i < ARRAY_LEN(units); i++) {
        if (strcmp(unit, units[i]) == 0) {
            shift = 10 * (i + 1);
        }
    }
    if (!ok || shift == 64 || number == 0 || number > UINT64_MAX >> shift) {
        return false;
    }
    *out = number << shift;
    return true;
}

static bool read_memory(struct sweep_reader *r, const struct yaml_node *n,
                        uint64_t *out)
{
    if (n->kind == YAML_SCALAR && sweep_bytes(n->text, out)) {
        return true;
    }
    yaml_refuse(&r->s->yaml, n, SMW_ERR_INPUT, r->e,
                "memory: '%s' is no number of bytes above 0", n->text);
    err_hint(r->e, "write 512 MiB, 1 GiB, 1073741824");
    return false;
}

static bool read_seconds(struct sweep_reader *r, const struct yaml_node *n, double *out)
{
    if (!value_read_f64(&r->s->yaml, n, "seconds", out, r->e)) {
        return false;
    }
    return (*out > 0 && *out < 1e9) ||
           yaml_refuse(&r->s->yaml, n, SMW_ERR_INPUT, r->e,
                       "seconds: %s is not a number above 0 and below 10^9", n->text);
}

bool sweep_read_limits(struct sweep_reader *r, const struct yaml_node *n)
{
    static const char *const keys[] = {"cycles", "seconds", "memory"};
    struct sweep_limits *l = &r->s->limits;
    const struct yaml *y = &r->s->yaml;
    const struct yaml_node *cycles, *seconds, *memory;

    if (n == NULL) {
        return true;
    }
    if (!value_check_keys(y, n, "limits", keys, ARRAY_LEN(keys), 0, r->e)) {
        return false;
    }
    cycles = yaml_get(n, "cycles");
    seconds = yaml_get(n, "seconds");
    memory = yaml_get(n, "memory");
    return (cycles == NULL ||
            value_read_u64(y, cycles, "cycles", 1, UINT64_MAX, &l->cycles, r->e)) &&
           (seconds == NULL || read_seconds(r, seconds, &l->seconds)) &&
           (memory == NULL || read_memory(r, memory, &l->memory));
}

/* ---- plots ---- */

/* The name of a parameter or a column, into *out. */
static bool read_name(struct sweep_reader *r, const struct yaml_node *n,
                      const char **out)
{
    struct sweep_names names = {0};
    const char *nearest;
    bool known;

    if (n == NULL) {
        return true;
    }
    if (!value_need(&r->s->yaml, n, YAML_SCALAR, n->key->text, r->e)) {
        return false;
    }
    sweep_names_of(r->s, r->s->n_derive, &names);
    for (uint32_t i = 0; i < r->s->n_collect; i++) {
        sweep_names_add(&names, r->s->collect[i].name);
        if (r->s->collect[i].ratio != NULL) {
            sweep_names_add(&names, r->s->collect[i].ratio);
        }
    }
    known = sweep_names_have(&names, n->text);
    if (!known) {
        yaml_refuse(&r->s->yaml, n, SMW_ERR_INPUT, r->e,
                    "%s: '%s' is neither a parameter nor a column of collect",
                    n->key->text, n->text);
        nearest = err_nearest(n->text, names.names, names.n);
        if (nearest != NULL) {
            err_hint(r->e, "did you mean '%s'?", nearest);
        }
    }
    free(names.names);
    *out = n->text;
    return known;
}

/* With a baseline, what is collected is drawn against it. */
static const char *against_baseline(const struct sweep *s, const char *name)
{
    for (uint32_t i = 0; name != NULL && i < s->n_collect; i++) {
        if (s->collect[i].ratio != NULL && strcmp(s->collect[i].name, name) == 0) {
            return s->collect[i].ratio;
        }
    }
    return name;
}

static bool read_log(struct sweep_reader *r, const struct yaml_node *n,
                     struct sweep_plot *p)
{
    static const char *const names[] = {"none", "x", "y", "xy"};
    uint32_t index = 0;

    if (n == NULL) {
        return true;
    }
    if (!value_read_choice(&r->s->yaml, n, "log", names, ARRAY_LEN(names), &index,
                           r->e)) {
        return false;
    }
    p->log_x = (index & 1u) != 0;
    p->log_y = (index & 2u) != 0;
    return true;
}

static bool read_plot(struct sweep_reader *r, const struct yaml_node *n,
                      struct sweep_plot *p)
{
    static const char *const keys[] = {"x",     "y",    "z",   "group",
                                       "facet", "kind", "log", "title"};
    static const char *const kinds[] = {"line", "bar", "heat", "pareto"};
    const struct yaml *y = &r->s->yaml;
    const struct yaml_node *kind, *title;
    uint32_t index = 0;

    p->at = n;
    if (!value_check_keys(y, n, "a plot", keys, ARRAY_LEN(keys), 2, r->e)) {
        return false;
    }
    kind = yaml_get(n, "kind");
    title = yaml_get(n, "title");
    if (kind != NULL &&
        !value_read_choice(y, kind, "kind", kinds, ARRAY_LEN(kinds), &index, r->e)) {
        return false;
    }
    p->kind = (enum sweep_plot_kind)index;
    p->title = title == NULL ? NULL : title->text;
    if ((title != NULL && !value_need(y, title, YAML_SCALAR, "title", r->e)) ||
        !read_name(r, yaml_get(n, "x"), &p->x) ||
        !read_name(r, yaml_get(n, "y"), &p->y) ||
        !read_name(r, yaml_get(n, "z"), &p->z) ||
        !read_name(r, yaml_get(n, "group"), &p->group) ||
        !read_name(r, yaml_get(n, "facet"), &p->facet) ||
        !read_log(r, yaml_get(n, "log"), p)) {
        return false;
    }
    p->y = against_baseline(r->s, p->y);
    p->z = against_baseline(r->s, p->z);
    if ((p->kind == PLOT_HEAT) == (p->z != NULL)) {
        return true;
    }
    return yaml_refuse(y, p->z == NULL ? n : yaml_get(n, "z")->key, SMW_ERR_INPUT, r->e,
                       p->z == NULL ? "a heat map needs z, which is its colour"
                                    : "only a heat map has z");
}

bool sweep_read_plots(struct sweep_reader *r, const struct yaml_node *n)
{
    struct sweep *s = r->s;

    if (n == NULL) {
        return true;
    }
    if (!value_need(&s->yaml, n, YAML_LIST, "plots", r->e)) {
        return false;
    }
    s->plots = tb_alloc((n->n + 1) * sizeof(*s->plots));
    for (const struct yaml_node *p = n->first; p != NULL; p = p->next) {
        if (!read_plot(r, p, &s->plots[s->n_plots])) {
            return false;
        }
        s->n_plots++;
    }
    return true;
}
