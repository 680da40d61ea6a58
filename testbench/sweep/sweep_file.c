#include "sweep/sweep_priv.h"

#include "io/file.h"
#include "run/config.h"
#include "run/target.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the file's name ---- */

/* "sweeps/partition.yml" -> "partition"; the caller frees. NULL: no sweep file. */
static char *shipped_name(const char *path)
{
    return strncmp(path, "sweeps/", 7) == 0 ? file_stem(path) : NULL;
}

static void unknown_sweep(const char *what, struct smw_err *e)
{
    struct sweep_names names = {0};
    const char *nearest;

    for (uint32_t i = 0; i < file_n_builtins; i++) {
        char *name = shipped_name(file_builtins[i].path);

        if (name != NULL) {
            sweep_names_add(&names, name);
        }
    }
    err_set(e, SMW_ERR_INPUT, "there is no sweep file '%s' and no shipped one", what);
    nearest = err_nearest(what, names.names, names.n);
    if (nearest != NULL) {
        err_hint(e, "did you mean '%s'?", nearest);
    } else {
        err_hint(e, "'smwave sweep --help' names the shipped ones");
    }
    for (uint32_t i = 0; i < names.n; i++) {
        free((char *)names.names[i]);
    }
    free(names.names);
}

char *sweep_find(const char *what, struct smw_err *e)
{
    char *shipped = tb_printf("sweeps/%s.yml", what);
    char *path = NULL;
    struct stat st;

    if (stat(what, &st) == 0 && !S_ISDIR(st.st_mode)) {
        path = tb_strdup(what);
    } else if (file_find_builtin(shipped) != NULL) {
        path = tb_printf(FILE_BUILTIN "%s", shipped);
    } else {
        unknown_sweep(what, e);
    }
    free(shipped);
    return path;
}

/* ---- reading ---- */

/* It is the name of a folder. */
static bool read_name(struct sweep_reader *r, const struct yaml_node *n)
{
    struct sweep *s = r->s;
    size_t size;

    if (n == NULL) {
        s->name = file_stem(s->path);
        return true;
    }
    if (!value_need(&s->yaml, n, YAML_SCALAR, "name", r->e)) {
        return false;
    }
    size = strlen(n->text);
    if (size == 0 || size > 64 || n->text[0] == '.' || n->text[0] == '-' ||
        strspn(n->text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                        "0123456789._-") != size) {
        yaml_refuse(&s->yaml, n, SMW_ERR_INPUT, r->e, "'%s' cannot name a sweep",
                    n->text);
        err_hint(r->e, "letters, digits, '.', '_' and '-', at most 64");
        return false;
    }
    s->name = tb_strdup(n->text);
    return true;
}

static bool read_setting(struct sweep_reader *r, const struct yaml_node *n,
                         struct sweep_base *out)
{
    if (!sweep_read_key(r, n->key, &out->key)) {
        return false;
    }
    if (out->key.role == SWEEP_TARGET || out->key.role == SWEEP_CONFIG) {
        return yaml_refuse(&r->s->yaml, n->key, SMW_ERR_INPUT, r->e,
                           "%s stands in base itself, not in its set", out->key.name);
    }
    if (!sweep_check_value(r, &out->key, n)) {
        return false;
    }
    if (out->key.role == SWEEP_SET && !sweep_is_factor(n->text) &&
        !smw_config_set(r->probe, out->key.path, n->text, r->e)) {
        yaml_point(&r->s->yaml, n, r->e);
        return false;
    }
    out->value = (struct sweep_value){.text = sweep_text(&out->key, n), .at = n};
    return true;
}

static bool read_word(struct sweep_reader *r, const struct yaml_node *n,
                      const char **out)
{
    if (n == NULL) {
        return true;
    }
    if (!value_need(&r->s->yaml, n, YAML_SCALAR, n->key->text, r->e)) {
        return false;
    }
    *out = n->text;
    return n->text[0] != '\0' || yaml_refuse(&r->s->yaml, n, SMW_ERR_INPUT, r->e,
                                             "%s has no value", n->key->text);
}

static bool read_base(struct sweep_reader *r, const struct yaml_node *n)
{
    static const char *const keys[] = {"target", "config", "set"};
    struct sweep *s = r->s;
    const struct yaml_node *set;

    if (n == NULL) {
        return true;
    }
    if (!value_check_keys(&s->yaml, n, "base", keys, ARRAY_LEN(keys), 0, r->e)) {
        return false;
    }
    s->target_at = yaml_get(n, "target");
    s->config_at = yaml_get(n, "config");
    set = yaml_get(n, "set");
    if (!read_word(r, s->target_at, &s->target) ||
        !read_word(r, s->config_at, &s->config) ||
        (set != NULL && !value_need(&s->yaml, set, YAML_MAP, "set", r->e))) {
        return false;
    }
    s->base = tb_alloc(((set == NULL ? 0 : set->n) + 1) * sizeof(*s->base));
    for (const struct yaml_node *v = set == NULL ? NULL : set->first; v != NULL;
         v = v->next) {
        if (!read_setting(r, v, &s->base[s->n_base])) {
            return false;
        }
        s->n_base++;
    }
    return true;
}

static bool read_derive(struct sweep_reader *r, const struct yaml_node *n)
{
    struct sweep *s = r->s;

    if (n == NULL) {
        return true;
    }
    if (!value_need(&s->yaml, n, YAML_MAP, "derive", r->e)) {
        return false;
    }
    s->derive = tb_alloc((n->n + 1) * sizeof(*s->derive));
    for (const struct yaml_node *v = n->first; v != NULL; v = v->next) {
        struct sweep_derive *d = &s->derive[s->n_derive];
        struct sweep_names names = {0};
        bool twice;

        if (!sweep_read_key(r, v->key, &d->key) ||
            !value_need(&s->yaml, v, YAML_SCALAR, v->key->text, r->e)) {
            return false;
        }
        for (uint32_t i = 0; i < s->n_dims; i++) {
            for (uint32_t j = 0; j < s->dims[i].n_axes; j++) {
                sweep_names_add(&names, s->dims[i].axes[j].key.name);
            }
        }
        twice = sweep_names_have(&names, d->key.name);
        free(names.names);
        if (twice) {
            return yaml_refuse(&s->yaml, v->key, SMW_ERR_INPUT, r->e,
                               "'%s' varies; it cannot be derived as well",
                               d->key.name);
        }
        d->expr = expr_parse(v->text, &s->yaml, v, SMW_ERR_INPUT, r->e);
        if (d->expr == NULL) {
            return false;
        }
        s->n_derive++;
    }
    return true;
}

static bool read_where(struct sweep_reader *r, const struct yaml_node *n)
{
    struct sweep *s = r->s;
    bool one;

    if (n == NULL) {
        return true;
    }
    one = n->kind == YAML_SCALAR;
    if (!one && !value_need(&s->yaml, n, YAML_LIST, "where", r->e)) {
        return false;
    }
    s->where = tb_alloc((n->n + 1) * sizeof(*s->where));
    for (const struct yaml_node *v = one ? n : n->first; v != NULL;
         v = one ? NULL : v->next) {
        if (!value_need(&s->yaml, v, YAML_SCALAR, "where", r->e)) {
            return false;
        }
        s->where[s->n_where] = expr_parse(v->text, &s->yaml, v, SMW_ERR_INPUT, r->e);
        if (s->where[s->n_where] == NULL) {
            return false;
        }
        s->n_where++;
    }
    return true;
}

static bool check_target(struct sweep_reader *r)
{
    struct sweep_names names = {0};
    bool known;

    sweep_names_of(r->s, r->s->n_derive, &names);
    known = sweep_names_have(&names, "target");
    free(names.names);
    if (known) {
        return true;
    }
    yaml_refuse(&r->s->yaml, r->s->yaml.root, SMW_ERR_INPUT, r->e,
                "nothing says what runs: there is no target");
    err_hint(r->e, "base: {target: reduction-small}, or target as a key that varies");
    return false;
}

static bool read_axes(struct sweep_reader *r, const struct yaml_node *root)
{
    const struct yaml_node *grid = yaml_get(root, "grid");
    const struct yaml_node *zip = yaml_get(root, "zip");
    const struct yaml_node *list = yaml_get(root, "list");

    return (grid == NULL || sweep_read_grid(r, grid)) &&
           (zip == NULL || sweep_read_zip(r, zip)) &&
           (list == NULL || sweep_read_list(r, list));
}

static bool read_root(struct sweep_reader *r)
{
    static const char *const keys[] = {"name",    "doc",      "base",   "grid",
                                       "zip",     "list",     "derive", "where",
                                       "collect", "baseline", "limits", "plots"};
    struct sweep *s = r->s;
    const struct yaml_node *root = s->yaml.root, *doc;

    s->doc = "";
    if (!value_check_keys(&s->yaml, root, "a sweep file", keys, ARRAY_LEN(keys), 0,
                          r->e)) {
        return false;
    }
    doc = yaml_get(root, "doc");
    return read_name(r, yaml_get(root, "name")) &&
           (doc == NULL || (value_need(&s->yaml, doc, YAML_SCALAR, "doc", r->e) &&
                            read_word(r, doc, &s->doc))) &&
           read_base(r, yaml_get(root, "base")) && read_axes(r, root) &&
           read_derive(r, yaml_get(root, "derive")) &&
           read_where(r, yaml_get(root, "where")) && check_target(r) &&
           sweep_read_collect(r, yaml_get(root, "collect")) &&
           sweep_read_baseline(r, yaml_get(root, "baseline")) &&
           sweep_read_limits(r, yaml_get(root, "limits")) &&
           sweep_read_plots(r, yaml_get(root, "plots")) && sweep_check_names(r);
}

bool sweep_read(struct sweep *s, const char *path, struct smw_err *e)
{
    struct sweep_reader r = {.s = s, .e = e};
    size_t size = 0;
    char *text = file_read(path, YAML_MAX_BYTES, &size, SMW_ERR_INPUT, e);
    bool ok;

    *s = (struct sweep){0};
    if (text == NULL) {
        return false;
    }
    ok = yaml_parse(&s->yaml, path, text, size, SMW_ERR_INPUT, e);
    free(text);
    if (!ok) {
        return false;
    }
    s->path = tb_strdup(path);
    r.probe = config_new();
    ok = read_root(&r);
    smw_config_free(r.probe);
    if (!ok) {
        sweep_free(s);
    }
    return ok;
}

/* ---- the end ---- */

static void free_dim(struct sweep_dim *d)
{
    for (uint32_t j = 0; j < d->n_axes; j++) {
        for (uint32_t k = 0; k < d->axes[j].n_parts; k++) {
            free(d->axes[j].parts[k].value.text);
        }
        free(d->axes[j].parts);
    }
    free(d->axes);
}

void sweep_free(struct sweep *s)
{
    for (uint32_t i = 0; i < s->n_dims; i++) {
        free_dim(&s->dims[i]);
    }
    for (uint32_t i = 0; i < s->n_base; i++) {
        free(s->base[i].value.text);
    }
    for (uint32_t i = 0; i < s->n_derive; i++) {
        expr_free(s->derive[i].expr);
    }
    for (uint32_t i = 0; i < s->n_where; i++) {
        expr_free(s->where[i]);
    }
    for (uint32_t i = 0; i < s->n_collect; i++) {
        expr_free(s->collect[i].expr);
        free(s->collect[i].ratio);
    }
    for (uint32_t i = 0; i < s->baseline.n; i++) {
        free(s->baseline.named[i].value);
    }
    free(s->baseline.named);
    free(s->dims);
    free(s->base);
    free(s->derive);
    free(s->where);
    free(s->collect);
    free(s->plots);
    free(s->path);
    free(s->name);
    yaml_free(&s->yaml);
    *s = (struct sweep){0};
}
