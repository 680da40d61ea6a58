#include "io/yaml.h"

#include <errno.h>
#include <libfyaml.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory: blocks freed together ---- */

struct yaml_block {
    struct yaml_block *next;
    size_t used, size;
    _Alignas(16) char data[];
};

enum { BLOCK_SIZE = 16384 };

void *yaml_alloc(struct yaml *y, size_t n)
{
    struct yaml_block *b = y->blocks;
    void *p;

    n = (n + 15u) & ~(size_t)15u;
    if (b == NULL || b->size - b->used < n) {
        size_t size = n > BLOCK_SIZE ? n : BLOCK_SIZE;

        b = calloc(1, sizeof(*b) + size);
        if (b == NULL) {
            return NULL;
        }
        b->size = size;
        b->next = y->blocks;
        y->blocks = b;
    }
    p = b->data + b->used;
    b->used += n;
    return p;
}

void yaml_free(struct yaml *y)
{
    while (y->blocks != NULL) {
        struct yaml_block *next = y->blocks->next;

        free(y->blocks);
        y->blocks = next;
    }
    free(y->text);
    free(y->name);
    *y = (struct yaml){0};
}

/* ---- the parse ---- */

struct reader {
    struct yaml *y;
    struct fy_parser *parser;
    struct fy_diag *diag;
    enum smw_err_kind kind;
    struct smw_err *e;
};

static bool refuse_at(struct reader *r, uint32_t line, uint32_t column, uint32_t width,
                      const char *message, const char *hint)
{
    if (r->e->kind != SMW_ERR_NONE) {
        return false;
    }
    err_set(r->e, r->kind, "%s", message);
    err_at(r->e, r->y->name, r->y->text, line, column, width);
    if (hint != NULL) {
        err_hint(r->e, "%s", hint);
    }
    return false;
}

/* libfyaml counts from 0. */
static void place(struct yaml_node *n, const struct fy_mark *from,
                  const struct fy_mark *to)
{
    n->line = from == NULL ? 0 : (uint32_t)from->line + 1;
    n->column = from == NULL ? 0 : (uint32_t)from->column + 1;
    n->width = 1;
    if (from != NULL && to != NULL && from->line == to->line &&
        to->column > from->column) {
        n->width = (uint32_t)(to->column - from->column);
    }
}

/* The library's first complaint, in its words; it underlines the token it names. */
static bool refuse_syntax(struct reader *r)
{
    void *iter = NULL;
    struct fy_diag_error *first = fy_diag_errors_iterate(r->diag, &iter);
    const char *hint = NULL;
    uint32_t line, column;

    if (first == NULL || first->msg == NULL) {
        return refuse_at(r, 1, 1, 1, "this is not YAML", NULL);
    }
    line = first->line < 0 ? 1 : (uint32_t)first->line;
    column = first->column < 0 ? 1 : (uint32_t)first->column;
    if (strstr(r->y->text, "\t") != NULL) {
        struct smw_err probe = {0};
        size_t blank;

        err_at(&probe, NULL, r->y->text, line, 0, 0);
        blank = strspn(probe.source, " ");
        if (probe.source[blank] == '\t') {
            column = (uint32_t)blank + 1;
            hint = "indent with spaces, YAML allows no tabs";
        }
    }
    return refuse_at(r, line, column, 1, first->msg, hint);
}

static struct fy_event *next_event(struct reader *r)
{
    struct fy_event *ev = fy_parser_parse(r->parser);

    if (ev == NULL) {
        refuse_syntax(r);
    }
    return ev;
}

static struct yaml_node *new_node(struct reader *r, enum yaml_kind kind,
                                  struct fy_event *ev)
{
    struct yaml_node *n = yaml_alloc(r->y, sizeof(*n));
    const struct fy_mark *from = fy_event_start_mark(ev);

    if (n == NULL) {
        err_set(r->e, SMW_ERR_NOMEM, "out of memory");
        return NULL;
    }
    n->kind = kind;
    n->text = "";
    place(n, from, kind == YAML_SCALAR ? fy_event_end_mark(ev) : NULL);
    if (++r->y->n_nodes > YAML_MAX_NODES) {
        refuse_at(r, n->line, n->column, 1, "the file has more than 200000 values",
                  NULL);
        return NULL;
    }
    return n;
}

/* At token, or where the event starts if there is none. */
static bool refuse_event(struct reader *r, struct fy_event *ev, struct fy_token *token,
                         const char *message, const char *hint)
{
    struct yaml_node at = {0};

    place(&at, token != NULL ? fy_token_start_mark(token) : fy_event_start_mark(ev),
          NULL);
    return refuse_at(r, at.line, at.column, 1, message, hint);
}

/* The library's marks leave the quotes out. */
static void include_quotes(struct yaml_node *n, enum fy_scalar_style style)
{
    if ((style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED) && n->column > 1) {
        n->column--;
        n->width += n->text[0] == '\0' ? 1 : 2;
    }
}

static struct yaml_node *read_scalar(struct reader *r, struct fy_event *ev)
{
    struct yaml_node *n = new_node(r, YAML_SCALAR, ev);
    struct fy_token *token = fy_event_get_token(ev);
    size_t size = 0;
    const char *text;
    char *copy;

    if (n == NULL || token == NULL) {
        return n;
    }
    text = fy_token_get_text(token, &size);
    copy = yaml_alloc(r->y, size + 1);
    if (text == NULL || copy == NULL) {
        err_set(r->e, SMW_ERR_NOMEM, "out of memory");
        return NULL;
    }
    if (memchr(text, '\0', size) != NULL) {
        refuse_at(r, n->line, n->column, n->width, "the text contains a zero byte",
                  NULL);
        return NULL;
    }
    memcpy(copy, text, size);
    copy[size] = '\0';
    n->text = copy;
    n->quoted = fy_token_scalar_style(token) != FYSS_PLAIN;
    include_quotes(n, fy_token_scalar_style(token));
    return n;
}

static struct yaml_node *read_value(struct reader *r, struct fy_event *ev,
                                    uint32_t depth);

static void append(struct yaml_node *parent, struct yaml_node **last,
                   struct yaml_node *child)
{
    if (*last == NULL) {
        parent->first = child;
    } else {
        (*last)->next = child;
    }
    *last = child;
    parent->n++;
}

/* A value that is not there has no place: take its key's or its list's. */
static void stand_at(struct yaml_node *n, const struct yaml_node *other)
{
    if (n->line == 0) {
        n->line = other->line;
        n->column = other->column;
        n->width = other->width;
    }
}

static bool read_list(struct reader *r, struct yaml_node *list, uint32_t depth)
{
    struct yaml_node *last = NULL;

    for (;;) {
        struct fy_event *ev = next_event(r);
        struct yaml_node *item;

        if (ev == NULL) {
            return false;
        }
        if (ev->type == FYET_SEQUENCE_END) {
            fy_parser_event_free(r->parser, ev);
            return true;
        }
        item = read_value(r, ev, depth + 1);
        if (item == NULL) {
            return false;
        }
        stand_at(item, list);
        append(list, &last, item);
    }
}

static bool check_key(struct reader *r, const struct yaml_node *map,
                      const struct yaml_node *key)
{
    const struct yaml_node *other;
    char message[128];

    if (key->kind != YAML_SCALAR) {
        return refuse_at(r, key->line, key->column, 1, "a key must be a plain word",
                         NULL);
    }
    if (strcmp(key->text, "<<") == 0) {
        return refuse_at(r, key->line, key->column, key->width,
                         "merge keys are not supported", "write the values out");
    }
    other = yaml_get(map, key->text);
    if (other != NULL) {
        snprintf(message, sizeof(message),
                 "the key '%.60s' is given twice, first in "
                 "line %u",
                 key->text, other->key->line);
        return refuse_at(r, key->line, key->column, key->width, message, NULL);
    }
    return true;
}

static bool read_map(struct reader *r, struct yaml_node *map, uint32_t depth)
{
    struct yaml_node *last = NULL;

    for (;;) {
        struct fy_event *ev = next_event(r);
        struct yaml_node *key, *value;

        if (ev == NULL) {
            return false;
        }
        if (ev->type == FYET_MAPPING_END) {
            fy_parser_event_free(r->parser, ev);
            return true;
        }
        key = read_value(r, ev, depth + 1);
        if (key != NULL && map->n >= YAML_MAX_KEYS) {
            return refuse_at(r, key->line, key->column, 1,
                             "the map has more than 10000 keys", NULL);
        }
        if (key == NULL || !check_key(r, map, key)) {
            return false;
        }
        ev = next_event(r);
        value = ev == NULL ? NULL : read_value(r, ev, depth + 1);
        if (value == NULL) {
            return false;
        }
        value->key = key;
        stand_at(value, key);
        append(map, &last, value);
    }
}

/* Takes ev over. */
static struct yaml_node *read_value(struct reader *r, struct fy_event *ev,
                                    uint32_t depth)
{
    struct yaml_node *n = NULL;
    bool ok = true;

    if (ev->type == FYET_ALIAS || fy_event_get_anchor_token(ev) != NULL) {
        refuse_event(r, ev, fy_event_get_anchor_token(ev),
                     "anchors and aliases are not supported", "write the value out");
        r->e->column -= r->e->column > 1; /* the mark leaves '&' and '*' out */
    } else if (fy_event_get_tag_token(ev) != NULL) {
        refuse_event(r, ev, fy_event_get_tag_token(ev), "tags are not supported", NULL);
    } else if (depth > YAML_MAX_DEPTH) {
        refuse_event(r, ev, NULL, "the file nests more than 32 levels", NULL);
    } else if (ev->type == FYET_SCALAR) {
        n = read_scalar(r, ev);
    } else if (ev->type == FYET_MAPPING_START) {
        n = new_node(r, YAML_MAP, ev);
        ok = n != NULL && read_map(r, n, depth);
    } else if (ev->type == FYET_SEQUENCE_START) {
        n = new_node(r, YAML_LIST, ev);
        ok = n != NULL && read_list(r, n, depth);
    } else {
        refuse_event(r, ev, NULL, "unexpected end of the document", NULL);
    }
    fy_parser_event_free(r->parser, ev);
    return ok ? n : NULL;
}

static bool read_document(struct reader *r)
{
    for (;;) {
        struct fy_event *ev = next_event(r);
        enum fy_event_type type;

        if (ev == NULL) {
            return false;
        }
        type = ev->type;
        if (type == FYET_STREAM_START || type == FYET_DOCUMENT_END ||
            (type == FYET_DOCUMENT_START && r->y->root == NULL)) {
            fy_parser_event_free(r->parser, ev);
            continue;
        }
        if (type == FYET_STREAM_END) {
            fy_parser_event_free(r->parser, ev);
            break;
        }
        if (type == FYET_DOCUMENT_START) {
            refuse_event(r, ev, NULL, "the file holds more than one document", NULL);
            fy_parser_event_free(r->parser, ev);
            return false;
        }
        r->y->root = read_value(r, ev, 0);
        if (r->y->root == NULL) {
            return false;
        }
    }
    if (r->y->root == NULL) {
        return refuse_at(r, 1, 1, 1, "the file is empty", NULL);
    }
    return true;
}

/* Bytes of the UTF-8 character at p, 0 if it is none. p is terminated by a zero. */
static size_t utf8_length(const unsigned char *p)
{
    size_t n = p[0] < 0x80   ? 1
               : p[0] < 0xc2 ? 0
               : p[0] < 0xe0 ? 2
               : p[0] < 0xf0 ? 3
                             : 4;

    if (p[0] > 0xf4) {
        return 0;
    }
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return n;
}

/* What libfyaml 0.7 does not survive or we do not need: bytes that are no UTF-8, and
 * lines of directives (it does not return from some). */
static bool check_lines(struct reader *r)
{
    const unsigned char *p = (const unsigned char *)r->y->text;
    uint32_t line = 1, column = 1;

    while (*p != '\0') {
        size_t n = utf8_length(p);

        if (n == 0) {
            return refuse_at(r, line, column, 1, "a byte that is no UTF-8", NULL);
        }
        if (*p == '%' && column == 1) {
            return refuse_at(
                r, line, 1, 1, "a line that begins with '%'",
                "YAML directives are not used here; put the text in quotes");
        }
        column++;
        if (*p == '\n') {
            line++;
            column = 1;
        }
        p += n;
    }
    return true;
}

static bool check_bytes(struct reader *r, size_t size)
{
    const char *zero = memchr(r->y->text, '\0', size);

    if (size > YAML_MAX_BYTES) {
        return refuse_at(r, 0, 0, 0, "the file is larger than 4 MiB", NULL);
    }
    if (zero != NULL) {
        return refuse_at(r, 0, 0, 0, "the file contains a zero byte, it is not text",
                         NULL);
    }
    return check_lines(r);
}

/* The library takes some of its memory as given, and of none makes an empty text: it
 * must not get that far where there is none. Whether it lacked some nevertheless, errno
 * tells. */
static bool has_room(size_t size)
{
    enum { ROOM = 1 << 18, ROOM_PER_BYTE = 8 };
    void *volatile p = malloc(ROOM + ROOM_PER_BYTE * size); /* else it is left out */

    free(p);
    return p != NULL;
}

bool yaml_parse(struct yaml *y, const char *name, const char *text, size_t size,
                enum smw_err_kind kind, struct smw_err *e)
{
    struct fy_diag_cfg diag_cfg;
    struct fy_parse_cfg cfg = {.flags = FYPCF_QUIET | FYPCF_DEFAULT_VERSION_1_2};
    struct reader r = {.y = y, .kind = kind, .e = e};
    bool ok = false, enough;

    *y = (struct yaml){0};
    y->name = calloc(1, strlen(name) + 1);
    y->text = calloc(1, size + 1);
    if (y->name == NULL || y->text == NULL) {
        yaml_free(y);
        return err_set(e, SMW_ERR_NOMEM, "out of memory");
    }
    strcpy(y->name, name);
    memcpy(y->text, text, size);
    if (!check_bytes(&r, size)) {
        yaml_free(y);
        return false;
    }
    if (!has_room(size)) {
        yaml_free(y);
        return err_set(e, SMW_ERR_NOMEM, "%s: out of memory", name);
    }
    errno = 0;
    fy_diag_cfg_default(&diag_cfg);
    diag_cfg.fp = NULL;
    r.diag = fy_diag_create(&diag_cfg);
    if (r.diag != NULL) {
        fy_diag_set_collect_errors(r.diag, true);
        cfg.diag = r.diag;
        r.parser = fy_parser_create(&cfg);
    }
    if (r.parser != NULL && fy_parser_set_string(r.parser, y->text, size) == 0) {
        ok = read_document(&r);
    } else {
        err_set(e, SMW_ERR_NOMEM, "out of memory");
    }
    enough = errno != ENOMEM;
    fy_parser_destroy(r.parser);
    fy_diag_destroy(r.diag);
    if (!enough) { /* what the library made of that cannot be trusted */
        ok = false;
        err_clear(e);
        err_set(e, SMW_ERR_NOMEM, "%s: out of memory", name);
    }
    if (!ok) {
        yaml_free(y);
    }
    return ok;
}

/* ---- using the tree ---- */

const struct yaml_node *yaml_get(const struct yaml_node *map, const char *key)
{
    for (const struct yaml_node *n = map->first; n != NULL; n = n->next) {
        if (n->key != NULL && strcmp(n->key->text, key) == 0) {
            return n;
        }
    }
    return NULL;
}

void yaml_point(const struct yaml *y, const struct yaml_node *n, struct smw_err *e)
{
    const struct yaml_source *s = n->source;

    if (s == NULL) {
        err_at(e, y->name, y->text, n->line, n->column, n->width);
        return;
    }
    err_at(e, s->name, s->text, 1, s->column - 1 + n->column, n->width);
    e->line = 0; /* a command line has none */
}

bool yaml_refuse(const struct yaml *y, const struct yaml_node *n,
                 enum smw_err_kind kind, struct smw_err *e, const char *fmt, ...)
{
    char message[sizeof(e->message)];
    va_list ap;

    if (e->kind != SMW_ERR_NONE) {
        return false;
    }
    va_start(ap, fmt);
    vsnprintf(message, sizeof(message), fmt, ap);
    va_end(ap);
    err_set(e, kind, "%s", message);
    yaml_point(y, n, e);
    return false;
}

const char *yaml_kind_name(const struct yaml_node *n)
{
    switch (n->kind) {
    case YAML_SCALAR: return n->text[0] == '\0' ? "nothing" : "a single value";
    case YAML_MAP: return "a map";
    case YAML_LIST: return "a list";
    }
    return "";
}
