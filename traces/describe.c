#include "describe.h"

#include <stdio.h>
#include <string.h>

static const char begins[] = "signal ";

static const char *const kinds[] = {
    [SIM_PROBE_BITS] = "bits",   [SIM_PROBE_UINT] = "uint",
    [SIM_PROBE_LEVEL] = "level", [SIM_PROBE_RATE] = "rate",
    [SIM_PROBE_STATE] = "state", [SIM_PROBE_TEXT] = "text",
    [SIM_PROBE_EVENT] = "event",
};

static const char *const roles[SIM_N_ROLES] = {
    [SIM_ROLE_PLAIN] = "plain", [SIM_ROLE_BAD] = "bad",
    [SIM_ROLE_BUSY] = "busy",   [SIM_ROLE_LANES] = "lanes",
    [SIM_ROLE_PC] = "pc",       [SIM_ROLE_PER_CYCLE] = "per_cycle",
};

const char *describe_kind(enum sim_probe_kind kind)
{
    return kinds[kind];
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- writing ---- */

/* Length of the name without the number at its end. */
static size_t stem(const char *name)
{
    size_t n = strlen(name);

    while (n > 0 && is_digit(name[n - 1])) {
        n--;
    }
    return n;
}

/* Its name has a number, and so has that of a brother of the same stem. */
static bool is_one_of_many(const struct sim_module *m)
{
    size_t n = stem(m->name);
    const struct sim_module *c = m->parent != NULL ? m->parent->first : NULL;

    for (; c != NULL && m->name[n] != '\0'; c = c->next) {
        if (c != m && strncmp(c->name, m->name, n) == 0 && is_digit(c->name[n]) &&
            stem(c->name) == n) {
            return true;
        }
    }
    return false;
}

void describe_path(const struct sim_module *m, char *buf, size_t size)
{
    bool many = is_one_of_many(m);
    size_t n = 0;

    buf[0] = '\0';
    if (m->parent != NULL) {
        describe_path(m->parent, buf, size);
        n = strlen(buf);
    }
    (void)snprintf(buf + n, size - n, "%.*s%s.", (int)(many ? stem(m->name) : size),
                   m->name, many ? "*" : "");
}

static const char *word(struct arena *a, const char *key, const char *value)
{
    return value != NULL ? arena_printf(a, " %s=%s", key, value) : "";
}

static const char *quoted(struct arena *a, const char *key, const char *value)
{
    return value != NULL ? arena_printf(a, " %s=\"%s\"", key, value) : "";
}

const char *describe_text(struct arena *a, const char *path,
                          const struct sim_probe_desc *d)
{
    const char *role = d->role != SIM_ROLE_PLAIN ? roles[d->role] : NULL;

    return arena_printf(a, "%s%s%s kind=%s%s%s%s%s%s%s", begins, path, d->name,
                        kinds[d->kind], word(a, "role", role), word(a, "unit", d->unit),
                        word(a, "sizes", d->sizes), word(a, "views", d->views),
                        quoted(a, "label", d->label), quoted(a, "doc", d->doc));
}

/* ---- reading ---- */

struct describe_line {
    const char *path, *name; /* name: its last part */
    uint32_t stars;
    struct sim_probe_desc desc;
    struct describe_line *next;
};

static bool one_of(const char *const *list, size_t n, const char *text, uint32_t *i)
{
    for (*i = 0; *i < n; ++*i) {
        if (strcmp(text, list[*i]) == 0) {
            return true;
        }
    }
    return false;
}

/* The next key=value or key="value" of *s, which moves behind it; false: there is none. */
static bool next_pair(struct arena *a, const char **s, const char **key,
                      const char **value)
{
    size_t n;

    *s += strspn(*s, " ");
    n = strcspn(*s, "= ");
    if (n == 0 || (*s)[n] != '=') {
        return false;
    }
    *key = arena_printf(a, "%.*s", (int)n, *s);
    *s += n + 1;
    if (**s == '"') {
        ++*s;
        n = strcspn(*s, "\"");
        *value = arena_printf(a, "%.*s", (int)n, *s);
        *s += n + ((*s)[n] == '"');
    } else {
        n = strcspn(*s, " ");
        *value = arena_printf(a, "%.*s", (int)n, *s);
        *s += n;
    }
    return true;
}

/* False: the value is none of those there are. */
static bool take_pair(struct sim_probe_desc *d, const char *key, const char *value)
{
    uint32_t i;

    if (strcmp(key, "kind") == 0) {
        bool known = one_of(kinds, ARRAY_LEN(kinds), value, &i);

        d->kind = known ? (enum sim_probe_kind)i : SIM_PROBE_BITS;
        return known;
    }
    if (strcmp(key, "role") == 0) {
        d->role = one_of(roles, ARRAY_LEN(roles), value, &i) ? (enum sim_probe_role)i
                                                             : SIM_ROLE_PLAIN;
    } else if (strcmp(key, "unit") == 0) {
        d->unit = value;
    } else if (strcmp(key, "sizes") == 0) {
        d->sizes = value;
    } else if (strcmp(key, "views") == 0) {
        d->views = value;
    } else if (strcmp(key, "label") == 0) {
        d->label = value;
    } else if (strcmp(key, "doc") == 0) {
        d->doc = value;
    }
    return true;
}

static void append(struct describe_list *l, struct describe_line *line)
{
    if (l->last != NULL) {
        l->last->next = line;
    } else {
        l->first = line;
    }
    l->last = line;
    l->n++;
}

bool describe_read(struct describe_list *l, struct arena *a, const char *comment)
{
    const char *s = comment + strlen(begins), *key, *value, *dot;
    struct describe_line *line;
    bool has_kind = false;
    size_t n;

    if (strncmp(comment, begins, strlen(begins)) != 0 || l->n == DESCRIBE_MAX) {
        return false;
    }
    n = strcspn(s, " ");
    line = arena_alloc(a, sizeof(*line));
    line->path = arena_printf(a, "%.*s", (int)n, s);
    dot = strrchr(line->path, '.');
    line->name = dot != NULL ? dot + 1 : line->path;
    line->desc.name = line->name;
    for (const char *p = line->path; *p != '\0'; p++) {
        line->stars += *p == '*';
    }
    for (s += n; next_pair(a, &s, &key, &value);) {
        if (!take_pair(&line->desc, key, value)) {
            return false;
        }
        has_kind |= strcmp(key, "kind") == 0;
    }
    if (has_kind) {
        append(l, line);
    }
    return has_kind;
}

/* A star is at least one digit, and all of them. */
static bool matches(const char *pattern, const char *path)
{
    for (; *pattern != '\0'; pattern++) {
        if (*pattern != '*') {
            if (*pattern != *path++) {
                return false;
            }
            continue;
        }
        if (!is_digit(*path)) {
            return false;
        }
        path += strspn(path, "0123456789");
    }
    return *path == '\0';
}

const struct sim_probe_desc *describe_find(const struct describe_list *l,
                                           const char *path)
{
    const char *dot = strrchr(path, '.'), *name = dot != NULL ? dot + 1 : path;
    const struct describe_line *best = NULL;

    for (const struct describe_line *i = l->first; i != NULL; i = i->next) {
        if (strcmp(i->name, name) == 0 && (best == NULL || i->stars < best->stars) &&
            matches(i->path, path)) {
            best = i;
        }
    }
    return best != NULL ? &best->desc : NULL;
}
