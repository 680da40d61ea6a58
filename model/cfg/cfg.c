#include "cfg/cfg.h"

#include "cfg/cfg_value.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SIZE = 128 };

/* ---- fields in their structures ---- */

static void *field_at(void *config, const struct cfg_group *g,
                      const struct cfg_field *f)
{
    return (char *)config + g->offset + f->offset;
}

static void store(void *at, const struct cfg_field *f, uint64_t v)
{
    uint32_t v32 = (uint32_t)v;
    bool b = v != 0;

    switch (f->type) {
    case CFG_TYPE_U32:
    case CFG_TYPE_CHOICE: memcpy(at, &v32, sizeof(v32)); break;
    case CFG_TYPE_U64: memcpy(at, &v, sizeof(v)); break;
    case CFG_TYPE_BOOL: memcpy(at, &b, sizeof(b)); break;
    case CFG_TYPE_TEXT: break;
    }
}

static uint64_t load(const void *at, const struct cfg_field *f)
{
    uint64_t v = 0;
    uint32_t v32 = 0;
    bool b = false;

    switch (f->type) {
    case CFG_TYPE_U32:
    case CFG_TYPE_CHOICE: memcpy(&v32, at, sizeof(v32)); return v32;
    case CFG_TYPE_U64: memcpy(&v, at, sizeof(v)); return v;
    case CFG_TYPE_BOOL: memcpy(&b, at, sizeof(b)); return b;
    case CFG_TYPE_TEXT: break;
    }
    return 0;
}

static void store_text(void *at, const char *text)
{
    memset(at, 0, CFG_TEXT_SIZE);
    snprintf(at, CFG_TEXT_SIZE, "%s", text);
}

void cfg_defaults(const struct cfg_schema *s, void *config)
{
    for (uint32_t g = 0; g < s->n_groups; g++) {
        const struct cfg_group *group = &s->groups[g];

        for (uint32_t i = 0; i < group->table->n; i++) {
            const struct cfg_field *f = &group->table->fields[i];

            if (f->type == CFG_TYPE_TEXT) {
                store_text(field_at(config, group, f), f->text);
            } else {
                store(field_at(config, group, f), f, f->def);
            }
        }
    }
}

/* ---- finding ---- */

static bool key_is(const struct cfg_group *g, const struct cfg_field *f,
                   const char *key)
{
    size_t n = strlen(g->prefix);

    return strncmp(key, g->prefix, n) == 0 && key[n] == '.' &&
           strcmp(key + n + 1, f->name) == 0;
}

static const struct cfg_field *find(const struct cfg_schema *s, const char *key,
                                    const struct cfg_group **group)
{
    for (uint32_t g = 0; g < s->n_groups; g++) {
        for (uint32_t i = 0; i < s->groups[g].table->n; i++) {
            if (key_is(&s->groups[g], &s->groups[g].table->fields[i], key)) {
                *group = &s->groups[g];
                return &s->groups[g].table->fields[i];
            }
        }
    }
    return NULL;
}

struct key_list {
    char (*keys)[KEY_SIZE];
    const char **names;
    uint32_t n, capacity;
};

static void collect_key(void *ctx, const char *key, const struct cfg_field *f)
{
    struct key_list *l = ctx;

    (void)f;
    if (l->n < l->capacity) {
        snprintf(l->keys[l->n], KEY_SIZE, "%s", key);
        l->names[l->n] = l->keys[l->n];
        l->n++;
    }
}

/* A key whose last parts are the word: "banks" means "sm.smem.banks". */
static const char *key_ending_in(const struct key_list *l, const char *word)
{
    const char *found = NULL;

    for (uint32_t i = 0; i < l->n; i++) {
        size_t n = strlen(l->names[i]), w = strlen(word);

        if (n > w && l->names[i][n - w - 1] == '.' &&
            strcmp(l->names[i] + n - w, word) == 0) {
            if (found != NULL) {
                return NULL; /* several: none is meant more than the others */
            }
            found = l->names[i];
        }
    }
    return found;
}

static bool unknown_key(const struct cfg_schema *s, const char *key, struct smw_err *e)
{
    struct key_list l = {0};
    const char *nearest;

    for (uint32_t i = 0; i < s->n_retired; i++) {
        if (strcmp(key, s->retired[i].key) == 0) {
            (void)err_set(e, SMW_ERR_CONFIG, "there is no key '%s' any more", key);
            (void)err_code(e, SMW_CODE_NOT_FOUND);
            err_hint(e, "%s", s->retired[i].hint);
            return false;
        }
    }
    err_set(e, SMW_ERR_CONFIG, "unknown configuration key '%s'", key);
    err_code(e, SMW_CODE_NOT_FOUND);
    for (uint32_t g = 0; g < s->n_groups; g++) {
        l.capacity += s->groups[g].table->n;
    }
    l.keys = calloc(l.capacity + 1u, sizeof(*l.keys));
    l.names = calloc(l.capacity + 1u, sizeof(*l.names));
    if (l.keys != NULL && l.names != NULL) {
        cfg_each(s, collect_key, &l);
        nearest = key_ending_in(&l, key);
        if (nearest == NULL) {
            nearest = err_nearest(key, l.names, l.n);
        }
        if (nearest != NULL) {
            err_hint(e, "did you mean '%s'?", nearest);
        }
    }
    free(l.keys);
    free(l.names);
    return false;
}

/* ---- setting ---- */

static bool parse_bool(const char *key, const char *text, uint64_t *v,
                       struct smw_err *e)
{
    if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0) {
        return err_set(e, SMW_ERR_CONFIG, "%s: '%s' is neither true nor false", key,
                       text);
    }
    *v = text[0] == 't';
    return true;
}

static bool parse_choice(const struct cfg_field *f, const char *key, const char *text,
                         uint64_t *v, struct smw_err *e)
{
    char range[256];
    const char *nearest;

    for (uint32_t i = 0; i < f->n_choices; i++) {
        if (strcmp(text, f->choices[i]) == 0) {
            *v = i;
            return true;
        }
    }
    cfg_range(f, range, sizeof(range));
    err_set(e, SMW_ERR_CONFIG, "%s: '%s' is not one of %s", key, text, range);
    nearest = err_nearest(text, f->choices, f->n_choices);
    if (nearest != NULL) {
        err_hint(e, "did you mean '%s'?", nearest);
    }
    return false;
}

static bool parse_number(const struct cfg_field *f, const char *key, const char *text,
                         const void *at, uint64_t *v, struct smw_err *e)
{
    *v = load(at, f);
    return cfg_is_factor(text) ? cfg_parse_factor(f, key, text, v, e)
                               : cfg_parse_number(f, key, text, v, e);
}

static bool check_text(const char *key, const char *text, struct smw_err *e)
{
    size_t n = strlen(text);

    if (n >= CFG_TEXT_SIZE) {
        return err_set(e, SMW_ERR_CONFIG, "%s: the text is longer than %d characters",
                       key, CFG_TEXT_SIZE - 1);
    }
    for (size_t i = 0; i < n; i++) {
        if (text[i] < ' ' || text[i] > '~') {
            return err_set(e, SMW_ERR_CONFIG,
                           "%s: the text has a character that is not "
                           "printable ASCII",
                           key);
        }
    }
    return true;
}

bool cfg_set(const struct cfg_schema *s, void *config, const char *key,
             const char *value, struct smw_err *e)
{
    const struct cfg_group *g = NULL;
    const struct cfg_field *f = find(s, key, &g);
    uint64_t v = 0;
    bool ok = false;

    if (f == NULL) {
        return unknown_key(s, key, e);
    }
    switch (f->type) {
    case CFG_TYPE_U32:
    case CFG_TYPE_U64:
        ok = parse_number(f, key, value, field_at(config, g, f), &v, e);
        break;
    case CFG_TYPE_BOOL: ok = parse_bool(key, value, &v, e); break;
    case CFG_TYPE_CHOICE: ok = parse_choice(f, key, value, &v, e); break;
    case CFG_TYPE_TEXT:
        if (check_text(key, value, e)) {
            store_text(field_at(config, g, f), value);
            return true;
        }
        return false;
    }
    if (ok) {
        store(field_at(config, g, f), f, v);
    }
    return ok;
}

/* ---- showing ---- */

static void show(const struct cfg_field *f, const void *at, char *buf, size_t size)
{
    uint64_t v = load(at, f);

    switch (f->type) {
    case CFG_TYPE_U32:
    case CFG_TYPE_U64: cfg_print_number(f->unit, v, buf, size); break;
    case CFG_TYPE_BOOL: snprintf(buf, size, "%s", v != 0 ? "true" : "false"); break;
    case CFG_TYPE_CHOICE:
        snprintf(buf, size, "%s", v < f->n_choices ? f->choices[v] : "?");
        break;
    case CFG_TYPE_TEXT: snprintf(buf, size, "%s", (const char *)at); break;
    }
}

bool cfg_show(const struct cfg_schema *s, const void *config, const char *key,
              char *buf, size_t size)
{
    const struct cfg_group *g = NULL;
    const struct cfg_field *f = find(s, key, &g);

    if (f == NULL) {
        return false;
    }
    show(f, (const char *)config + g->offset + f->offset, buf, size);
    return true;
}

void cfg_each(const struct cfg_schema *s,
              void (*fn)(void *ctx, const char *key, const struct cfg_field *f),
              void *ctx)
{
    char key[KEY_SIZE];

    for (uint32_t g = 0; g < s->n_groups; g++) {
        for (uint32_t i = 0; i < s->groups[g].table->n; i++) {
            const struct cfg_field *f = &s->groups[g].table->fields[i];

            snprintf(key, sizeof(key), "%s.%s", s->groups[g].prefix, f->name);
            fn(ctx, key, f);
        }
    }
}

static uint64_t fnv1a(uint64_t hash, const char *text)
{
    for (; *text != '\0'; text++) {
        hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
    }
    return hash;
}

uint64_t cfg_digest(const struct cfg_schema *s, const void *config)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    char value[CFG_TEXT_SIZE];

    for (uint32_t g = 0; g < s->n_groups; g++) {
        const struct cfg_group *group = &s->groups[g];

        for (uint32_t i = 0; i < group->table->n; i++) {
            const struct cfg_field *f = &group->table->fields[i];

            show(f, (const char *)config + group->offset + f->offset, value,
                 sizeof(value));
            hash = fnv1a(hash, group->prefix);
            hash = fnv1a(hash, ".");
            hash = fnv1a(hash, f->name);
            hash = fnv1a(hash, "=");
            hash = fnv1a(hash, value);
            hash = fnv1a(hash, "\n");
        }
    }
    return hash;
}

/* ---- describing ---- */

static void range_number(const struct cfg_field *f, char *buf, size_t size)
{
    char lo[48], hi[48];
    const char *pow2 = (f->flags & CFG_POW2) != 0 ? ", power of two" : "";

    cfg_print_number(f->unit, f->min, lo, sizeof(lo));
    cfg_print_number(f->unit, f->max, hi, sizeof(hi));
    if (f->max == UINT64_MAX) {
        snprintf(buf, size, "%s or more%s", lo, pow2);
    } else if (f->min == f->max) {
        snprintf(buf, size, "%s", lo);
    } else {
        snprintf(buf, size, "%s to %s%s", lo, hi, pow2);
    }
}

void cfg_range(const struct cfg_field *f, char *buf, size_t size)
{
    size_t n = 0;

    switch (f->type) {
    case CFG_TYPE_U32:
    case CFG_TYPE_U64: range_number(f, buf, size); return;
    case CFG_TYPE_BOOL: snprintf(buf, size, "true, false"); return;
    case CFG_TYPE_TEXT:
        snprintf(buf, size, "text of up to %d characters", CFG_TEXT_SIZE - 1);
        return;
    case CFG_TYPE_CHOICE: break;
    }
    buf[0] = '\0';
    for (uint32_t i = 0; i < f->n_choices && n < size; i++) {
        n += (size_t)snprintf(buf + n, size - n, "%s%s", i == 0 ? "" : ", ",
                              f->choices[i]);
    }
}

const char *cfg_unit_name(enum cfg_unit u)
{
    switch (u) {
    case CFG_PLAIN: return "";
    case CFG_CYCLES: return "cycles";
    case CFG_BYTES: return "bytes";
    case CFG_HZ: return "Hz";
    case CFG_PERCENT: return "%";
    case CFG_PS: return "ps";
    case CFG_RATE: return "B/s";
    }
    return "";
}
