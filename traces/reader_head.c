#include "reader_priv.h"

#include <stdlib.h>
#include <string.h>

/* ---- declarations ---- */

static bool declare_scope(struct reader *r, struct smw_err *e)
{
    if (!reader_need_word(r, e) || !reader_need_word(r, e)) {
        return false;
    }
    if (r->length > READER_MAX_NAME || reader_is(r, "$end")) {
        return reader_refuse(r, e, "a scope without a name of at most %s bytes", "255");
    }
    if (++r->depth > READER_MAX_DEPTH) {
        return reader_refuse(r, e, "scopes within more than %s others", "64");
    }
    r->scope =
        reader_grow(r->scope, &r->scopes_capacity, r->n_scopes, sizeof(*r->scope));
    r->scope[r->n_scopes] =
        (struct reader_scope){.name = arena_strdup(&r->arena, r->word),
                              .parent = r->open};
    r->open = r->n_scopes++;
    return reader_skip(r, e);
}

static bool end_scope(struct reader *r, struct smw_err *e)
{
    if (r->open == READER_NONE) {
        return reader_refuse(r, e, "%s without a scope", "$upscope");
    }
    r->open = r->scope[r->open].parent;
    r->depth--;
    return reader_skip(r, e);
}

static bool kind_of(const char *word, enum reader_kind *kind)
{
    static const struct {
        const char *word;
        enum reader_kind kind;
    } kinds[] = {
        {"wire", READER_WIRE},         {"reg", READER_WIRE},
        {"integer", READER_INTEGER},   {"event", READER_EVENT},
        {"string", READER_STRING},     {"real", READER_REAL},
        {"parameter", READER_INTEGER}, {"real_parameter", READER_REAL},
        {"realtime", READER_REAL},     {"shortreal", READER_REAL},
        {"time", READER_WIRE},         {"bit", READER_WIRE},
        {"logic", READER_WIRE},        {"int", READER_WIRE},
        {"shortint", READER_WIRE},     {"longint", READER_WIRE},
        {"byte", READER_WIRE},         {"enum", READER_WIRE},
        {"port", READER_WIRE},         {"in", READER_WIRE},
        {"out", READER_WIRE},          {"inout", READER_WIRE},
        {"supply0", READER_WIRE},      {"supply1", READER_WIRE},
        {"tri", READER_WIRE},          {"triand", READER_WIRE},
        {"trior", READER_WIRE},        {"trireg", READER_WIRE},
        {"tri0", READER_WIRE},         {"tri1", READER_WIRE},
        {"wand", READER_WIRE},         {"wor", READER_WIRE},
    };

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (strcmp(word, kinds[i].word) == 0) {
            *kind = kinds[i].kind;
            return true;
        }
    }
    return false;
}

/* Two variables may be names of one signal. */
static bool is_same(const struct signal *s, enum reader_kind kind, uint32_t width)
{
    return s->width == width &&
           (s->kind == kind || (s->kind <= READER_INTEGER && kind <= READER_INTEGER));
}

/* The signal of the code in r->word, a new one if need be. */
static bool signal_of(struct reader *r, enum reader_kind kind, uint32_t width,
                      uint32_t *signal, struct smw_err *e)
{
    struct code *c;

    if (r->length > MAX_CODE) {
        return reader_refuse(r, e, "an identifier code of more than %s bytes", "16");
    }
    if (r->n_signals >= r->table_size / 2) {
        reader_make_table(r, r->table_size * 2);
    }
    c = reader_find(r, r->word);
    if (c->signal != READER_NONE) {
        *signal = c->signal;
        return is_same(&r->signal[c->signal], kind, width) ||
               reader_refuse(r, e, "'%s' names signals of different kinds", r->word);
    }
    r->signal =
        reader_grow(r->signal, &r->signals_capacity, r->n_signals, sizeof(*r->signal));
    r->signal[r->n_signals] = (struct signal){.kind = kind, .width = width};
    memcpy(c->text, r->word, r->length + 1);
    c->signal = r->n_signals++;
    *signal = c->signal;
    return true;
}

/* $var KIND WIDTH CODE NAME [RANGE] $end */
static bool declare_var(struct reader *r, struct smw_err *e)
{
    struct reader_var v = {.scope = r->open};
    uint64_t width;

    if (!reader_need_word(r, e)) {
        return false;
    }
    if (!kind_of(r->word, &v.kind)) {
        return reader_refuse(r, e, "there is no kind of variable '%s'", r->word);
    }
    if (!reader_need_word(r, e)) {
        return false;
    }
    if (!reader_number(r->word, &width) || width > READER_MAX_WORD - 2 ||
        (width == 0 && v.kind != READER_STRING && v.kind != READER_REAL)) {
        return reader_refuse(r, e, "a variable cannot have %s bits", r->word);
    }
    v.width = (uint32_t)width;
    if (!reader_need_word(r, e) || !signal_of(r, v.kind, v.width, &v.signal, e) ||
        !reader_need_word(r, e)) {
        return false;
    }
    if (r->length > READER_MAX_NAME || reader_is(r, "$end")) {
        return reader_refuse(r, e, "a variable without a name of at most %s bytes",
                             "255");
    }
    if (r->n_vars == READER_MAX_VARS) {
        return reader_refuse(r, e, "more than %s variables", "16777216");
    }
    v.name = arena_strdup(&r->arena, r->word);
    r->var = reader_grow(r->var, &r->vars_capacity, r->n_vars, sizeof(*r->var));
    r->var[r->n_vars++] = v;
    return reader_skip(r, e);
}

static bool add_comment(struct reader *r, struct smw_err *e)
{
    struct comment *c = arena_alloc(&r->arena, sizeof(*c));

    c->text = reader_text(r, e);
    if (c->text == NULL) {
        return false;
    }
    if (r->last_comment != NULL) {
        r->last_comment->next = c;
    } else {
        r->first_comment = c;
    }
    r->last_comment = c;
    return true;
}

/* One declaration, whose keyword is in r->word. */
static bool declaration(struct reader *r, struct smw_err *e)
{
    if (reader_is(r, "$scope")) {
        return declare_scope(r, e);
    }
    if (reader_is(r, "$upscope")) {
        return end_scope(r, e);
    }
    if (reader_is(r, "$var")) {
        return declare_var(r, e);
    }
    if (reader_is(r, "$comment")) {
        return add_comment(r, e);
    }
    if (reader_is(r, "$timescale")) {
        return (r->timescale = reader_text(r, e)) != NULL;
    }
    if (reader_is(r, "$version")) {
        return (r->version = reader_text(r, e)) != NULL;
    }
    if (r->word[0] != '$') {
        return reader_refuse(r, e, "this is no VCD: '%s' is no declaration", r->word);
    }
    return reader_skip(r, e);
}

struct reader *reader_open(FILE *f, const char *name, struct smw_err *e)
{
    struct reader *r = calloc(1, sizeof(*r));

    if (r == NULL) {
        err_set(e, SMW_ERR_NOMEM, "%s: out of memory", name);
        return NULL;
    }
    r->f = f;
    r->line = 1;
    r->open = READER_NONE;
    r->timescale = "";
    r->version = "";
    arena_init(&r->arena);
    r->name = arena_strdup(&r->arena, name);
    reader_make_table(r, 256);
    while (reader_need_word(r, e)) {
        if (reader_is(r, "$enddefinitions")) {
            if (reader_skip(r, e)) {
                return r;
            }
            break;
        }
        if (!declaration(r, e)) {
            break;
        }
    }
    reader_close(r);
    return NULL;
}

void reader_close(struct reader *r)
{
    if (r == NULL) {
        return;
    }
    free(r->word);
    free(r->value);
    free(r->scope);
    free(r->var);
    free(r->signal);
    free(r->table);
    arena_free(&r->arena);
    free(r);
}

/* ---- what was declared ---- */

uint32_t reader_scopes(const struct reader *r)
{
    return r->n_scopes;
}

const struct reader_scope *reader_scope(const struct reader *r, uint32_t i)
{
    return &r->scope[i];
}

uint32_t reader_vars(const struct reader *r)
{
    return r->n_vars;
}

const struct reader_var *reader_var(const struct reader *r, uint32_t i)
{
    return &r->var[i];
}

uint32_t reader_signals(const struct reader *r)
{
    return r->n_signals;
}

const char *reader_timescale(const struct reader *r)
{
    return r->timescale;
}

const char *reader_version(const struct reader *r)
{
    return r->version;
}

const char *reader_comment(const struct reader *r, uint32_t i)
{
    const struct comment *c = r->first_comment;

    while (c != NULL && i-- > 0) {
        c = c->next;
    }
    return c != NULL ? c->text : NULL;
}

size_t reader_path(const struct reader *r, const struct reader_var *v, char *buf,
                   size_t size)
{
    uint32_t scope[READER_MAX_DEPTH], n = 0;
    size_t length = 0;

    for (uint32_t s = v->scope; s != READER_NONE; s = r->scope[s].parent) {
        scope[n++] = s;
    }
    while (n-- > 0) {
        length += (size_t)snprintf(length < size ? buf + length : NULL,
                                   length < size ? size - length : 0, "%s.",
                                   r->scope[scope[n]].name);
    }
    return length + (size_t)snprintf(length < size ? buf + length : NULL,
                                     length < size ? size - length : 0, "%s", v->name);
}
