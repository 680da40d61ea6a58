#include "run/config.h"

#include "io/yaml.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_EXTENDS = 8, KEY_SIZE = 128, VALUE_SIZE = 128 };

struct smw_config *config_new(void)
{
    struct smw_config *c = smw_config_new();

    if (c == NULL) {
        tb_no_memory();
    }
    return c;
}

/* ---- reading ---- */

static bool is_file(const char *what)
{
    const char *dot = strrchr(what, '.');

    return strchr(what, '/') != NULL || strncmp(what, FILE_BUILTIN, 8) == 0 ||
           (dot != NULL && (strcmp(dot, ".yml") == 0 || strcmp(dot, ".yaml") == 0));
}

void config_hint_preset(const char *name, struct smw_err *e)
{
    const char *names[64], *nearest;
    struct text list = {0};
    uint32_t n = 0;

    while (n < ARRAY_LEN(names) && smw_preset_name(n) != NULL) {
        names[n] = smw_preset_name(n);
        text_add(&list, "%s%s", n == 0 ? "" : ", ", names[n]);
        n++;
    }
    nearest = err_nearest(name, names, n);
    if (nearest != NULL) {
        err_hint(e, "did you mean '%s'?", nearest);
    } else if (n > 0) {
        err_hint(e, "presets are %s; a file's name ends in .yml", list.s);
    }
    text_free(&list);
}

static bool load_preset(struct smw_config *c, const char *name, struct smw_err *e)
{
    for (uint32_t i = 0; smw_preset_name(i) != NULL; i++) {
        if (strcmp(smw_preset_name(i), name) == 0) {
            return smw_config_preset(c, name, e);
        }
    }
    err_set(e, SMW_ERR_CONFIG, "there is no preset '%s'", name);
    config_hint_preset(name, e);
    return false;
}

/* The message is the model's, the place ours: the key if it does not exist, else its
 * value. */
static bool set(struct smw_config *c, const struct yaml *y, const struct yaml_node *n,
                const char *key, struct smw_err *e)
{
    char buf[VALUE_SIZE];
    const struct yaml_node *at = n;

    if (smw_config_set(c, key, n->text, e)) {
        return true;
    }
    if (!smw_config_show(c, key, buf, sizeof(buf))) {
        at = n->key;
    }
    err_at(e, y->name, y->text, at->line, at->column, at->width);
    return false;
}

static bool apply_map(struct smw_config *c, const struct yaml *y,
                      const struct yaml_node *map, const char *prefix,
                      struct smw_err *e)
{
    char key[KEY_SIZE];

    for (const struct yaml_node *n = map->first; n != NULL; n = n->next) {
        const char *word = n->key->text;

        if (prefix[0] == '\0' &&
            (strcmp(word, "name") == 0 || strcmp(word, "doc") == 0 ||
             strcmp(word, "extends") == 0)) {
            continue;
        }
        if ((size_t)snprintf(key, sizeof(key), "%s%s%s", prefix,
                             prefix[0] == '\0' ? "" : ".", word) >= sizeof(key)) {
            return yaml_refuse(y, n->key, SMW_ERR_CONFIG, e, "the key is too long");
        }
        if (n->kind == YAML_LIST) {
            return yaml_refuse(y, n, SMW_ERR_CONFIG, e,
                               "%s takes one value, not a list", key);
        }
        if (n->kind == YAML_MAP ? !apply_map(c, y, n, key, e) : !set(c, y, n, key, e)) {
            return false;
        }
    }
    return true;
}

static bool load(struct smw_config *c, const char *what, const char *from,
                 uint32_t depth, struct smw_err *e);

static bool apply_extends(struct smw_config *c, const struct yaml *y,
                          const struct yaml_node *n, uint32_t depth, struct smw_err *e)
{
    if (n->kind != YAML_SCALAR) {
        return yaml_refuse(y, n, SMW_ERR_CONFIG, e,
                           "extends must be the name of a preset or of a file");
    }
    if (depth >= MAX_EXTENDS) {
        return yaml_refuse(y, n, SMW_ERR_CONFIG, e,
                           "extends goes deeper than %d files, perhaps in a circle",
                           MAX_EXTENDS);
    }
    if (load(c, n->text, y->name, depth + 1, e)) {
        return true;
    }
    if (e->file[0] == '\0') { /* the name itself is wrong */
        err_at(e, y->name, y->text, n->line, n->column, n->width);
    }
    return false;
}

/* It stands in reports and in the waveform. */
static bool is_printable(const char *name)
{
    const char *s = name;

    while ((unsigned char)*s >= 0x20 && *s != 0x7f) {
        s++;
    }
    return s != name && *s == '\0';
}

static bool apply_file(struct smw_config *c, const struct yaml *y, uint32_t depth,
                       struct smw_err *e)
{
    const struct yaml_node *extends, *name;
    char *stem;

    if (y->root->kind != YAML_MAP) {
        return yaml_refuse(y, y->root, SMW_ERR_CONFIG, e,
                           "a configuration must be a map, not %s",
                           yaml_kind_name(y->root));
    }
    extends = yaml_get(y->root, "extends");
    name = yaml_get(y->root, "name");
    if (extends != NULL && !apply_extends(c, y, extends, depth, e)) {
        return false;
    }
    if (name != NULL && (name->kind != YAML_SCALAR || !is_printable(name->text))) {
        return yaml_refuse(y, name, SMW_ERR_CONFIG, e, "name must be a word");
    }
    stem = file_stem(y->name);
    smw_config_rename(c, name != NULL ? name->text : stem);
    free(stem);
    return apply_map(c, y, y->root, "", e);
}

static bool load_file(struct smw_config *c, const char *path, uint32_t depth,
                      struct smw_err *e)
{
    size_t size = 0;
    char *text = file_read(path, YAML_MAX_BYTES, &size, SMW_ERR_CONFIG, e);
    struct yaml y;
    bool ok = text != NULL && yaml_parse(&y, path, text, size, SMW_ERR_CONFIG, e);

    free(text);
    if (!ok) {
        return false;
    }
    ok = apply_file(c, &y, depth, e);
    yaml_free(&y);
    return ok;
}

static bool load(struct smw_config *c, const char *what, const char *from,
                 uint32_t depth, struct smw_err *e)
{
    char *path;
    bool ok;

    if (!is_file(what)) {
        return load_preset(c, what, e);
    }
    path = from == NULL ? tb_strdup(what) : file_relative(from, what);
    ok = load_file(c, path, depth, e);
    free(path);
    return ok;
}

bool config_load(struct smw_config *c, const char *what, const char *from,
                 struct smw_err *e)
{
    return load(c, what, from, 0, e);
}

/* "-s KEY=VALUE" as the source line, the caret below the key or the value. */
static void at_option(const char *option, bool value, struct smw_err *e)
{
    uint32_t key = (uint32_t)strcspn(option, "=");
    uint32_t all = (uint32_t)strlen(option);

    err_at(e, "command line", NULL, 0, 4 + (value ? key + 1 : 0),
           value ? all - key - 1 : key);
    snprintf(e->source, sizeof(e->source), "-s %s", option);
}

bool config_override(struct smw_config *c, const char *option, struct smw_err *e)
{
    const char *equals = strchr(option, '=');
    char buf[VALUE_SIZE];
    char *key;
    bool ok;

    if (equals == NULL || equals == option) {
        return err_set(e, SMW_ERR_USAGE, "-s takes key=value, not '%s'", option);
    }
    key = tb_printf("%.*s", (int)(equals - option), option);
    ok = smw_config_set(c, key, equals + 1, e);
    if (!ok) {
        at_option(option, smw_config_show(c, key, buf, sizeof(buf)), e);
    }
    free(key);
    return ok;
}

bool config_blame_override(const char *option, struct smw_err *e)
{
    size_t n = strcspn(option, "=");

    if (e->file[0] != '\0' || strcspn(e->message, ":") != n ||
        strncmp(option, e->message, n) != 0) {
        return false;
    }
    at_option(option, true, e);
    return true;
}

/* ---- printing ---- */

struct printer {
    const struct smw_config *c;
    struct text *out;
    char open[KEY_SIZE]; /* the map being written, "" at the top */
};

static uint32_t depth_of(const char *key)
{
    uint32_t n = 0;

    for (; *key != '\0'; key++) {
        n += *key == '.';
    }
    return n;
}

/* Length of the longest common prefix that ends before a dot in both. */
static size_t shared_prefix(const char *a, const char *b)
{
    size_t last = 0;

    for (size_t i = 0; a[i] == b[i] && a[i] != '\0'; i++) {
        if (a[i] == '.') {
            last = i + 1;
        }
    }
    return last;
}

/* A plain YAML scalar must not start with, or hold, what YAML gives a meaning. */
static bool is_plain(const char *value)
{
    size_t n = strlen(value);

    return n > 0 && value[0] != ' ' && value[n - 1] != ' ' && value[0] != '-' &&
           strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                         "0123456789._+-/% ") == n &&
           value[0] != '%';
}

static void print_value(struct text *out, const char *value)
{
    if (is_plain(value)) {
        text_add(out, "%s\n", value);
        return;
    }
    text_add(out, "\"");
    for (; *value != '\0'; value++) {
        text_add(out,
                 *value == '"' || *value == '\\' ? "\\%c"
                 : (unsigned char)*value < 0x20  ? "\\x%02x"
                                                 : "%c",
                 *value);
    }
    text_add(out, "\"\n");
}

static void print_key(void *ctx, const struct smw_key *k)
{
    struct printer *p = ctx;
    size_t start = shared_prefix(p->open, k->key);
    const char *last = strrchr(k->key, '.');
    char value[VALUE_SIZE] = "";

    smw_config_show(p->c, k->key, value, sizeof(value));
    /* Open the maps that are not open yet. */
    for (const char *at = k->key + start;;) {
        const char *dot = strchr(at, '.');
        uint32_t depth = 0;

        if (dot == NULL) {
            break;
        }
        for (const char *q = k->key; q < at; q++) {
            depth += *q == '.';
        }
        text_add(p->out, "%*s%.*s:\n", (int)(2 * depth), "", (int)(dot - at), at);
        at = dot + 1;
    }
    text_add(p->out, "%*s%s: ", (int)(2 * depth_of(k->key)), "",
             last == NULL ? k->key : last + 1);
    print_value(p->out, value);
    snprintf(p->open, sizeof(p->open), "%s", k->key);
}

struct key_set {
    char **keys;
    uint32_t n;
};

static void collect(void *ctx, const struct smw_key *k)
{
    struct key_set *s = ctx;

    s->keys = tb_realloc(s->keys, (s->n + 1) * sizeof(*s->keys));
    s->keys[s->n++] = tb_strdup(k->key);
}

/* Maps may be opened only once, so keys are grouped by walking the set part by part:
 * first the key itself, then later keys that share its map. */
static int order_keys(const struct key_set *s, uint32_t *order)
{
    uint32_t n = 0;
    bool *done = tb_alloc(s->n * sizeof(*done));

    while (n < s->n) {
        uint32_t best = 0;
        size_t best_shared = 0;
        bool found = false;

        for (uint32_t i = 0; i < s->n; i++) {
            size_t shared;

            if (done[i]) {
                continue;
            }
            shared = n == 0 ? 0 : shared_prefix(s->keys[order[n - 1]], s->keys[i]);
            if (!found || shared > best_shared) {
                found = true;
                best = i;
                best_shared = shared;
            }
        }
        done[best] = true;
        order[n++] = best;
    }
    free(done);
    return (int)n;
}

void config_print(const struct smw_config *c, struct text *out)
{
    struct printer p = {.c = c, .out = out};
    struct key_set s = {0};
    uint32_t *order;

    text_add(out, "name: ");
    print_value(out, smw_config_name(c));
    smw_config_each(collect, &s);
    order = tb_alloc((s.n + 1) * sizeof(*order));
    order_keys(&s, order);
    for (uint32_t i = 0; i < s.n; i++) {
        struct smw_key k = {.key = s.keys[order[i]]};

        print_key(&p, &k);
    }
    for (uint32_t i = 0; i < s.n; i++) {
        free(s.keys[i]);
    }
    free(s.keys);
    free(order);
}

const struct rules_cc *config_rules(const char *cc, struct smw_err *e)
{
    char known[RULES_NAMES_SIZE];
    const struct rules_cc *r = rules_named(cc, known);

    if (r == NULL) {
        err_set(e, SMW_ERR_USAGE, "there are no rules for compute capability '%s'", cc);
        err_hint(e, "known: %s", known);
    }
    return r;
}
