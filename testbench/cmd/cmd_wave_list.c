/* cmd_wave_list.c - "smwave wave list": what a dump has, from what it says itself. */
#include "cmd/cmd_wave.h"

#include "describe.h"
#include "io/diag.h"
#include "trace/dumpfile.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* A signal in words. */
struct row {
    const char *path, *kind, *unit, *doc; /* unit, doc: "" if the dump does not say */
    const char *views;                    /* the same */
    uint32_t width;                       /* bits; 0: of texts and events */
};

struct rows {
    struct arena *arena;
    const char *pattern; /* NULL: all */
    struct row *row;
    size_t n, capacity;
};

static const char *known(const char *text)
{
    return text != NULL ? text : "";
}

/* Of a signal of which only the type is known. */
static const char *word_of(const struct view_var *v)
{
    switch (v->kind) {
    case VIEW_BITS: return "bits";
    case VIEW_NUMBER: return "number";
    case VIEW_TEXT: return "text";
    case VIEW_EVENT: return "event";
    case VIEW_CURVE:
    case VIEW_STATE: break; /* types say less */
    }
    return "";
}

static struct row row_of(struct arena *a, const struct view_scope *s,
                         const struct view_var *v)
{
    const struct sim_probe_desc *d = v->desc;
    bool wide = v->kind != VIEW_TEXT && v->kind != VIEW_EVENT;
    struct row r = {.path = arena_printf(a, "%s.%s", s->path, v->name),
                    .unit = known(d->unit),
                    .doc = known(d->doc),
                    .views = known(d->views),
                    .width = wide ? v->width : 0};

    if (v->clock) {
        r.kind = "clock";
        r.doc = v->width == 1 ? "clock of this scope, high for half a cycle"
                              : "number of its cycle";
    } else {
        r.kind = d->name[0] != '\0' ? describe_kind(d->kind) : word_of(v);
    }
    return r;
}

static void add_rows(struct rows *r, const struct view_scope *s)
{
    for (; s != NULL; s = s->next) {
        for (const struct view_var *v = s->vars; v != NULL; v = v->next) {
            if (r->pattern != NULL && !view_is_in(s, v, r->pattern)) {
                continue;
            }
            if (r->n == r->capacity) {
                struct row *old = r->row;

                r->capacity = r->capacity == 0 ? 256 : 2 * r->capacity;
                r->row = arena_alloc(r->arena, r->capacity * sizeof(r->row[0]));
                if (r->n > 0) {
                    memcpy(r->row, old, r->n * sizeof(r->row[0]));
                }
            }
            r->row[r->n++] = row_of(r->arena, s, v);
        }
        add_rows(r, s->first);
    }
}

/* ---- printing ---- */

static int wider(int width, const char *text)
{
    int n = (int)strlen(text);

    return n > width ? n : width;
}

static void print_table(const struct rows *r)
{
    int path = (int)strlen("signal"), unit = (int)strlen("unit");

    for (size_t i = 0; i < r->n; i++) {
        path = wider(path, r->row[i].path);
        unit = wider(unit, r->row[i].unit);
    }
    diag_print("%-*s  kind   bits  %-*s  what it is\n", path, "signal", unit, "unit");
    for (size_t i = 0; i < r->n; i++) {
        const struct row *row = &r->row[i];
        char bits[16] = "-";

        if (row->width > 0) {
            (void)snprintf(bits, sizeof(bits), "%u", (unsigned)row->width);
        }
        diag_print("%-*s  %-5s  %4s  %-*s  %s\n", path, row->path, row->kind, bits,
                   unit, row->unit[0] != '\0' ? row->unit : "-",
                   row->doc[0] != '\0' ? row->doc : "-");
    }
}

/* {"path": ..., "kind": ..., ...}; what is not known is null. */
static json_t *object_of(const struct row *row)
{
    const char *const text[] = {row->unit, row->doc};
    const char *const key[] = {"unit", "doc"};
    json_t *o = json_object(), *views = json_array();

    (void)json_object_set_new(o, "path", json_string(row->path));
    (void)json_object_set_new(o, "kind", json_string(row->kind));
    (void)json_object_set_new(o, "width",
                              row->width > 0 ? json_integer(row->width) : json_null());
    for (size_t i = 0; i < ARRAY_LEN(text); i++) {
        (void)json_object_set_new(o, key[i],
                                  text[i][0] != '\0' ? json_string(text[i])
                                                     : json_null());
    }
    for (const char *s = row->views; *s != '\0';) {
        size_t n = strcspn(s, ",");

        (void)json_array_append_new(views, json_stringn(s, n));
        s += n + (s[n] == ',');
    }
    (void)json_object_set_new(o, "views", views);
    return o;
}

static bool print_json(const struct rows *r)
{
    json_t *list = json_array();
    bool ok;

    for (size_t i = 0; i < r->n; i++) {
        (void)json_array_append_new(list, object_of(&r->row[i]));
    }
    ok = json_dumpf(list, stdout, JSON_INDENT(2)) == 0;
    (void)putchar('\n');
    json_decref(list);
    return ok;
}

/* ---- the command ---- */

static bool find_rows(struct dumpfile *d, struct rows *r, struct smw_err *e)
{
    if (!dumpfile_read_names(d, e)) {
        return false;
    }
    r->arena = &d->arena;
    add_rows(r, d->tree.root);
    if (r->n > 0 || r->pattern == NULL) {
        return true;
    }
    err_set(e, SMW_ERR_USAGE, "%s has no signal '%s'", d->path, r->pattern);
    err_hint(e, "a pattern is of the whole path, or of a scope: '*.l1', '*mshr*'");
    return false;
}

int cmd_wave_list(const char *dump, const char *pattern, bool json)
{
    struct rows r = {.pattern = pattern};
    struct smw_err e = {0};
    struct dumpfile d;
    bool ok = dumpfile_open(&d, dump, &e) && find_rows(&d, &r, &e);
    int code = TB_OK;

    if (!ok) {
        code = (int)diag_error(&e);
    } else if (!json) {
        print_table(&r);
    } else if (!print_json(&r)) {
        code = TB_IO;
    }
    dumpfile_close(&d);
    return code;
}
