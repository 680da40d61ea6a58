/* cmd_config.c - "smwave config": presets, keys, values and their schema. */
#include "cmd/answer.h"
#include "cmd/commands.h"
#include "io/cli.h"

#include "run/config.h"
#include "run/findings.h"
#include "run/launch_schema.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OVERRIDES = 256 };

struct options {
    const char *word[3];
    uint32_t n;
    const char *config, *overrides[MAX_OVERRIDES];
    uint32_t n_overrides;
    bool quiet, json;
};

static const struct argp_option option_table[] = {
    {"config", 'c', "PRESET|FILE.yml", 0, "the configuration to show or check", 0},
    {"set", 's', "KEY=VALUE", 0, "change one key first; may be repeated", 0},
    {"json", 'j', NULL, 0, "list, show, check, explain: print JSON", 0},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;

    switch (key) {
    case 'c': o->config = arg; return 0;
    case 'j': o->json = true; return 0;
    case 's':
        if (o->n_overrides == MAX_OVERRIDES) {
            argp_error(state, "-s is given more than %d times", MAX_OVERRIDES);
        }
        o->overrides[o->n_overrides++] = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (o->n == ARRAY_LEN(o->word)) {
            argp_error(state, "'%s' is one word too many", arg);
        }
        o->word[o->n++] = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "list, show, check, explain or schema?");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

const struct argp config_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "list\nshow [PRESET|FILE.yml] [KEY]\ncheck [PRESET|FILE.yml]\n"
                "explain [KEY]\nschema [launch]",
    .doc =
        "list: the presets, and every key with its default, meaning, range and "
        "rule.\n"
        "show: a configuration with every key, as a file that loads again; or one "
        "value.\n"
        "check: is it a device that can be built?\n"
        "explain: what a key, a group of keys or all of them mean, and the rule that "
        "says what each does (model/SPEC.md).\n"
        "schema: a JSON schema of configuration files, for editors; schema launch: "
        "that of launch files.",
};

/* ---- list ---- */

static void print_key(void *ctx, const struct smw_key *k)
{
    (void)ctx;
    printf("  %-26s %-14s %s\n      %s; %s\n", k->key, k->def, k->doc, k->range,
           k->rule);
}

static void add_facts(void *ctx, const struct smw_key *k)
{
    json_array_append_new(ctx, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:b}",
                                         "key", k->key, "type", k->type, "unit",
                                         k->unit == NULL ? "" : k->unit, "range",
                                         k->range, "default", k->def, "meaning", k->doc,
                                         "rule", k->rule, "display", (int)k->display));
}

static int list_json(void)
{
    json_t *presets = json_array(), *keys = json_array();

    for (uint32_t i = 0; smw_preset_name(i) != NULL; i++) {
        json_array_append_new(presets,
                              json_pack("{s:s, s:s}", "name", smw_preset_name(i),
                                        "device", smw_preset_doc(i)));
    }
    smw_config_each(add_facts, keys);
    answer_print(json_pack("{s:o, s:o}", "presets", presets, "keys", keys));
    return TB_OK;
}

static int list(void)
{
    puts("presets (-c NAME):");
    for (uint32_t i = 0; smw_preset_name(i) != NULL; i++) {
        printf("  %-26s %s\n", smw_preset_name(i), smw_preset_doc(i));
    }
    puts("\nkeys (-s KEY=VALUE), their defaults and what they may be:");
    smw_config_each(print_key, NULL);
    return TB_OK;
}

/* ---- show, check ---- */

static bool load(struct smw_config *c, const struct options *o, const char *name,
                 struct smw_err *e)
{
    if (name != NULL && !config_load(c, name, NULL, e)) {
        return false;
    }
    for (uint32_t i = 0; i < o->n_overrides; i++) {
        if (!config_override(c, o->overrides[i], e)) {
            return false;
        }
    }
    return true;
}

struct key_names {
    const char *wanted;
    bool found;
    char **names;
    uint32_t n;
};

static void collect_key(void *ctx, const struct smw_key *k)
{
    struct key_names *s = ctx;

    s->found = s->found || strcmp(k->key, s->wanted) == 0;
    s->names = tb_realloc(s->names, (s->n + 1) * sizeof(*s->names));
    s->names[s->n++] = tb_strdup(k->key);
}

static int unknown_key(const char *key)
{
    struct key_names s = {.wanted = key};
    struct smw_err e = {0};
    const char *nearest;

    smw_config_each(collect_key, &s);
    err_set(&e, SMW_ERR_CONFIG, "unknown configuration key '%s'", key);
    nearest = err_nearest(key, (const char *const *)s.names, s.n);
    if (nearest != NULL) {
        err_hint(&e, "did you mean '%s'?", nearest);
    }
    for (uint32_t i = 0; i < s.n; i++) {
        free(s.names[i]);
    }
    free(s.names);
    return (int)diag_error(&e);
}

struct values {
    const struct smw_config *config;
    json_t *object;
};

static void add_value(void *ctx, const struct smw_key *k)
{
    struct values *v = ctx;
    char value[128] = "";

    smw_config_show(v->config, k->key, value, sizeof(value));
    json_object_set_new(v->object, k->key, json_string(value));
}

static int show(const struct smw_config *c, const char *key, bool json)
{
    struct text t = {0};
    char value[128];

    if (key == NULL && json) {
        struct values v = {c, json_object()};

        smw_config_each(add_value, &v);
        answer_print(
            json_pack("{s:s, s:o}", "name", smw_config_name(c), "values", v.object));
        return TB_OK;
    }
    if (key == NULL) {
        config_print(c, &t);
        fputs(t.s, stdout);
        text_free(&t);
        return TB_OK;
    }
    if (!smw_config_show(c, key, value, sizeof(value))) {
        return unknown_key(key);
    }
    if (json) {
        answer_print(json_pack("{s:s, s:{s:s}}", "name", smw_config_name(c), "values",
                               key, value));
    } else {
        puts(value);
    }
    return TB_OK;
}

/* As "ptx check" answers of a file. */
static void answer_check(const char *file, bool ok, const struct smw_err *e)
{
    json_t *errors = json_array();

    if (!ok) {
        json_array_append_new(errors, answer_error(e));
    }
    answer_print(json_pack("{s:o, s:b, s:o}", "file", findings_string(file), "ok",
                           (int)ok, "errors", errors));
}

static int check(const struct options *o, const char *name)
{
    struct smw_config *c = config_new();
    struct smw_err e = {0};
    bool ok = load(c, o, name, &e) && smw_config_check(c, &e);

    name = name == NULL ? smw_config_name(c) : name;
    if (o->json && (ok || e.kind == SMW_ERR_CONFIG)) {
        answer_check(name, ok, &e);
    } else if (!ok) {
        (void)diag_error(&e);
    } else if (!o->quiet) {
        printf("%s: ok\n", name);
    }
    smw_config_free(c);
    return ok ? TB_OK : (int)diag_exit(e.kind);
}

static int show_named(const struct options *o, const char *name)
{
    struct smw_config *c = config_new();
    struct smw_err e = {0};
    int code = TB_OK;

    if (!load(c, o, name, &e)) {
        code = (int)diag_error(&e);
    } else {
        code = show(c, o->n > 2 ? o->word[2] : NULL, o->json);
    }
    smw_config_free(c);
    return code;
}

/* ---- explain ---- */

struct explainer {
    const char *name; /* of a key or a group; NULL: all */
    bool found;
    json_t *list; /* NULL: for people */
};

static void explain_key(void *ctx, const struct smw_key *k)
{
    struct explainer *x = ctx;
    size_t n = x->name == NULL ? 0 : strlen(x->name);

    if (x->name != NULL &&
        (strncmp(k->key, x->name, n) != 0 || (k->key[n] != '\0' && k->key[n] != '.'))) {
        return;
    }
    x->found = true;
    if (x->list != NULL) {
        add_facts(x->list, k);
        return;
    }
    printf("%s (default %s)\n    %s\n    %s\n    rule %s of model/SPEC.md\n", k->key,
           k->def, k->doc, k->range, k->rule);
    if (k->display) {
        puts("    changes no result, only what \"smwave devices\" prints");
    }
}

static int explain(const char *name, bool json)
{
    struct explainer x = {name, false, json ? json_array() : NULL};

    smw_config_each(explain_key, &x);
    if (x.found && json) {
        answer_print(x.list);
        return TB_OK;
    }
    json_decref(x.list);
    return x.found ? TB_OK : unknown_key(name);
}

/* ---- schema ---- */

static json_t *choices(const char *range)
{
    json_t *a = json_array();

    while (*range != '\0') {
        size_t n = strcspn(range, ",");

        json_array_append_new(a, json_stringn(range, n));
        range += n;
        range += strspn(range, ", ");
    }
    return a;
}

static json_t *value_schema(const struct smw_key *k)
{
    json_t *o = json_object();
    char doc[512], rule[64];

    snprintf(rule, sizeof(rule), "rule %s of model/SPEC.md", k->rule);
    snprintf(doc, sizeof(doc), "%s (%s; default %s)", k->doc, k->range, k->def);
    json_object_set_new(o, "description", json_string(doc));
    json_object_set_new(o, "$comment", json_string(rule));
    if (strcmp(k->type, "bool") == 0) {
        json_object_set_new(o, "type", json_string("boolean"));
    } else if (strcmp(k->type, "choice") == 0) {
        json_object_set_new(o, "enum", choices(k->range));
    } else if (strcmp(k->type, "text") == 0) {
        json_object_set_new(o, "type", json_string("string"));
    } else {
        json_object_set_new(o, "type", json_pack("[s,s]", "integer", "string"));
    }
    return o;
}

static json_t *map_schema(void)
{
    json_t *o = json_object();

    json_object_set_new(o, "type", json_string("object"));
    json_object_set_new(o, "additionalProperties", json_false());
    json_object_set_new(o, "properties", json_object());
    return o;
}

static void add_key(void *ctx, const struct smw_key *k)
{
    json_t *properties = json_object_get(ctx, "properties");
    const char *part = k->key;

    for (const char *dot = strchr(part, '.'); dot != NULL; dot = strchr(part, '.')) {
        char *word = tb_printf("%.*s", (int)(dot - part), part);
        json_t *map = json_object_get(properties, word);

        if (map == NULL) {
            map = map_schema();
            json_object_set_new(properties, word, map);
        }
        properties = json_object_get(map, "properties");
        free(word);
        part = dot + 1;
    }
    json_object_set_new(properties, part, value_schema(k));
}

static int schema(void)
{
    static const char *const words[] = {"name", "doc", "extends"};
    json_t *root = map_schema();
    char *s;

    json_object_set_new(root, "$schema",
                        json_string("https://json-schema.org/draft/2020-12/schema"));
    json_object_set_new(root, "title", json_string("smwave configuration"));
    for (uint32_t i = 0; i < ARRAY_LEN(words); i++) {
        json_object_set_new(json_object_get(root, "properties"), words[i],
                            json_pack("{s:s}", "type", "string"));
    }
    smw_config_each(add_key, root);
    s = json_dumps(root, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
    puts(s == NULL ? "" : s);
    free(s);
    json_decref(root);
    return TB_OK;
}

/* what: of which files; NULL: of configurations. */
static int schema_of(const char *what)
{
    static const char *const names[] = {"launch"};
    char *text;

    if (what == NULL) {
        return schema();
    }
    if (cli_choose("config schema", "kind of file", what, names, ARRAY_LEN(names)) <
        0) {
        return TB_USAGE;
    }
    text = launch_schema();
    puts(text);
    free(text);
    return TB_OK;
}

int cmd_config(int argc, char **argv)
{
    static const char *const commands[] = {"list", "show", "check", "explain",
                                           "schema"};
    static const uint32_t most[] = {1, 3, 2, 2, 2};
    struct options o = {.n = 0};
    const char *name;
    int i;

    o.quiet = cli_parse(&config_argp, argc, argv, &o).quiet;
    i = cli_choose("config", "command", o.word[0], commands, ARRAY_LEN(commands));
    if (i < 0) {
        return TB_USAGE;
    }
    if (o.n > most[i]) {
        return diag_usage("config", "'%s' is one word too many for %s", o.word[most[i]],
                          commands[i]);
    }
    if (i == 0) {
        return o.json ? list_json() : list();
    }
    if (i == 3) {
        return explain(o.n > 1 ? o.word[1] : NULL, o.json);
    }
    if (i == 4) {
        return schema_of(o.n > 1 ? o.word[1] : NULL);
    }
    name = o.n > 1 ? o.word[1] : o.config;
    return i == 2 ? check(&o, name) : show_named(&o, name);
}
