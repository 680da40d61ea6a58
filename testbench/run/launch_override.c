#include "run/launch_override.h"

#include "io/file.h"
#include <stdlib.h>
#include <string.h>

#define OPTION "--launch "

struct change {
    struct yaml *y;
    const char *line; /* OPTION and the option; lives as long as the tree */
    const char *path; /* in line */
    size_t path_n;
    const struct yaml *value;
    const struct yaml_source *source; /* of the value's nodes */
    struct smw_err *e;
};

/* A node of the option's text: width characters of the line from at. */
static struct yaml_node part_node(const struct change *c, const char *at, size_t width)
{
    return (struct yaml_node){.kind = YAML_SCALAR,
                              .line = 1,
                              .column = (uint32_t)(at - c->path) + 1,
                              .width = width == 0 ? 1 : (uint32_t)width};
}

static bool no_memory(struct smw_err *e)
{
    return err_set(e, SMW_ERR_NOMEM, "out of memory");
}

/* Fill the error so that it points at the part of the path. */
static bool refuse_part(const struct change *c, const char *part, size_t n,
                        const char *message)
{
    struct yaml_source source = {"command line", c->line, sizeof(OPTION)};
    struct yaml_node at = part_node(c, part, n);

    at.source = &source;
    return yaml_refuse(c->y, &at, SMW_ERR_INPUT, c->e, "%s", message);
}

/* ---- values into the tree ---- */

static struct yaml_node *copy(const struct change *c, const struct yaml_node *n)
{
    struct yaml_node *out = yaml_alloc(c->y, sizeof(*out)), **end;
    char *text = out == NULL ? NULL : yaml_alloc(c->y, strlen(n->text) + 1);

    if (text == NULL) {
        no_memory(c->e);
        return NULL;
    }
    *out = *n;
    out->text = strcpy(text, n->text);
    out->source = c->source;
    out->first = out->next = NULL;
    end = &out->first;
    for (const struct yaml_node *child = n->first; child != NULL; child = child->next) {
        *end = copy(c, child);
        if (*end == NULL ||
            (child->key != NULL && ((*end)->key = copy(c, child->key)) == NULL)) {
            return NULL;
        }
        end = &(*end)->next;
    }
    return out;
}

/* Put the value where *link points to; what stood there lends its place in the tree. */
static bool put(const struct change *c, struct yaml_node **link,
                const struct yaml_node *old)
{
    struct yaml_node *n = copy(c, c->value->root);

    if (n == NULL) {
        return false;
    }
    if (old != NULL) {
        n->key = old->key;
        n->next = old->next;
    }
    *link = n;
    return true;
}

static bool append_key(const struct change *c, struct yaml_node *map, const char *part,
                       size_t n)
{
    struct yaml_source *source = yaml_alloc(c->y, sizeof(*source));
    struct yaml_node *key = yaml_alloc(c->y, sizeof(*key));
    char *name = yaml_alloc(c->y, n + 1);
    struct yaml_node **link = &map->first;

    if (source == NULL || key == NULL || name == NULL) {
        return no_memory(c->e);
    }
    memcpy(name, part, n);
    *source = (struct yaml_source){"command line", c->line, sizeof(OPTION)};
    *key = part_node(c, part, n);
    key->text = name;
    key->source = source;
    while (*link != NULL) {
        link = &(*link)->next;
    }
    if (!put(c, link, NULL)) {
        return false;
    }
    (*link)->key = key;
    map->n++;
    return true;
}

/* ---- along the path ---- */

static bool step(const struct change *c, struct yaml_node **link, const char *part);

static bool unknown_name(const struct change *c, const struct yaml_node *map,
                         const char *part, size_t n)
{
    const char **names = tb_alloc((map->n + 1) * sizeof(*names));
    char *word = tb_printf("%.*s", (int)n, part);
    char *message = tb_printf("there is no '%s' in the launch file%s%.*s", word,
                              part == c->path ? "" : "'s ",
                              part == c->path ? 0 : (int)(part - c->path - 1), c->path);
    const char *nearest;
    uint32_t i = 0;

    for (const struct yaml_node *v = map->first; v != NULL; v = v->next) {
        names[i++] = v->key->text;
    }
    refuse_part(c, part, n, message);
    nearest = err_nearest(word, names, i);
    if (nearest != NULL) {
        err_hint(c->e, "did you mean '%s'?", nearest);
    }
    free(names);
    free(word);
    free(message);
    return false;
}

static bool step_map(const struct change *c, struct yaml_node *map, const char *part,
                     size_t n)
{
    bool last = part + n == c->path + c->path_n;

    for (struct yaml_node **v = &map->first; *v != NULL; v = &(*v)->next) {
        if (strlen((*v)->key->text) == n && memcmp((*v)->key->text, part, n) == 0) {
            return last ? put(c, v, *v) : step(c, v, part + n + 1);
        }
    }
    return last ? append_key(c, map, part, n) : unknown_name(c, map, part, n);
}

/* Position of the part in the list; -1: every one, -2: it is none. */
static long position(const char *part, size_t n)
{
    char *end = NULL;
    long i;

    if (n == 1 && *part == '*') {
        return -1;
    }
    if (n == 0 || n > 6 || *part < '0' || *part > '9') {
        return -2;
    }
    i = strtol(part, &end, 10);
    return end == part + n ? i : -2;
}

static bool step_list(const struct change *c, struct yaml_node *list, const char *part,
                      size_t n)
{
    bool last = part + n == c->path + c->path_n;
    long want = position(part, n), i = 0;
    char message[96];

    if (want == -2 || want >= (long)list->n) {
        snprintf(message, sizeof(message),
                 want == -2 ? "a position of a list is a number from 0, or *"
                            : "the list has %u item%s, counted from 0",
                 list->n, list->n == 1 ? "" : "s");
        return refuse_part(c, part, n, message);
    }
    for (struct yaml_node **v = &list->first; *v != NULL; v = &(*v)->next, i++) {
        if ((want == -1 || want == i) &&
            !(last ? put(c, v, *v) : step(c, v, part + n + 1))) {
            return false;
        }
    }
    return true;
}

/* The rest of the path, from part, below *link. */
static bool step(const struct change *c, struct yaml_node **link, const char *part)
{
    size_t n = 0;

    while (part + n < c->path + c->path_n && part[n] != '.') {
        n++;
    }
    if (n == 0) {
        return refuse_part(c, part, 1, "a part of the path is empty");
    }
    switch ((*link)->kind) {
    case YAML_MAP: return step_map(c, *link, part, n);
    case YAML_LIST: return step_list(c, *link, part, n);
    case YAML_SCALAR: break;
    }
    return refuse_part(c, part, n, "the path goes on below a single value");
}

/* kernel and kernel.N: of the launches, which step() is to find there. */
static bool step_kernel(const struct change *c)
{
    const struct yaml_node *list = yaml_get(c->y->root, "launches");
    bool all = c->path_n == 6;
    const char *at = c->path + (all ? 0 : 7);
    size_t n = all ? 6 : c->path_n - 7;
    long want = all ? -1 : position(at, n), i = 0;
    char message[96];

    if (list == NULL || list->kind != YAML_LIST) {
        return true; /* who reads the file refuses it */
    }
    if (want == -2 || want >= (long)list->n) {
        snprintf(message, sizeof(message),
                 "there is no such launch; there %s %u, counted from 0",
                 list->n == 1 ? "is" : "are", list->n);
        return refuse_part(c, at, n, message);
    }
    for (struct yaml_node *v = list->first; v != NULL; v = v->next, i++) {
        for (struct yaml_node **k = &v->first;
             v->kind == YAML_MAP && (want == -1 || want == i) && *k != NULL;
             k = &(*k)->next) {
            if (strcmp((*k)->key->text, "kernel") == 0 && !put(c, k, *k)) {
                return false;
            }
        }
    }
    return true;
}

static bool is_kernel(const struct change *c)
{
    return (c->path_n == 6 && memcmp(c->path, "kernel", 6) == 0) ||
           (c->path_n > 7 && memcmp(c->path, "kernel.", 7) == 0);
}

/* Parse the value; what is wrong with it points into the line. */
static bool parse_value(struct change *c, struct yaml *value, const char *text)
{
    struct yaml_source *source = yaml_alloc(c->y, sizeof(*source));
    struct yaml_node at;

    if (source == NULL) {
        return no_memory(c->e);
    }
    *source =
        (struct yaml_source){"command line", c->line, (uint32_t)(text - c->line) + 1};
    c->source = source;
    c->value = value;
    if (yaml_parse(value, "value", text, strlen(text), SMW_ERR_INPUT, c->e)) {
        return true;
    }
    at = (struct yaml_node){.source = source,
                            .column =
                                c->e->line > 1 || c->e->column == 0 ? 1 : c->e->column,
                            .width = 1};
    yaml_point(c->y, &at, c->e);
    return false;
}

bool launch_override(struct yaml *y, const char *option, struct smw_err *e)
{
    const char *equals = strchr(option, '=');
    size_t size = sizeof(OPTION) + strlen(option);
    char *line = yaml_alloc(y, size);
    struct change c = {.y = y, .line = line, .e = e};
    struct yaml value = {0};
    bool ok;

    if (line == NULL) {
        return no_memory(e);
    }
    if (equals == NULL || equals == option) {
        return err_set(e, SMW_ERR_USAGE, "--launch takes PATH=VALUE, not '%s'", option);
    }
    snprintf(line, size, OPTION "%s", option);
    c.path = line + sizeof(OPTION) - 1;
    c.path_n = (size_t)(equals - option);
    if (equals[1] == '\0') {
        return refuse_part(&c, c.path + c.path_n + 1, 1, "the value is empty");
    }
    if (!parse_value(&c, &value, c.path + c.path_n + 1)) {
        return false;
    }
    ok = is_kernel(&c) ? step_kernel(&c) : step(&c, &y->root, c.path);
    yaml_free(&value);
    return ok;
}
