#include "io/csv.h"

#include "io/file.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 18, MAX_RECORD = 1 << 20 };

struct csv {
    FILE *f;
    const char *name;
    char *data; /* what was read and not passed over */
    size_t start, end, capacity;
    bool ended;      /* nothing more comes from f */
    bool had_record; /* comments are over */
    uint32_t line;   /* of data[start], from 1 */
    bool has_quotes; /* the record at data[start] */

    /* the record last returned */
    size_t record, record_end; /* in data */
    uint32_t record_line;
    char *text; /* its fields, unquoted and terminated */
    size_t text_capacity;
    struct csv_field *field;
    uint32_t field_capacity;
};

struct csv *csv_open(FILE *f, const char *name)
{
    struct csv *c = tb_alloc(sizeof(*c));

    c->f = f;
    c->name = name;
    c->line = 1;
    c->capacity = CHUNK;
    c->data = tb_alloc(c->capacity);
    return c;
}

void csv_close(struct csv *c)
{
    free(c->data);
    free(c->text);
    free(c->field);
    free(c);
}

/* More of the file behind what there is. False: nothing came. */
static bool read_more(struct csv *c, struct smw_err *e)
{
    size_t n;

    if (c->ended) {
        return false;
    }
    if (c->start > 0) {
        memmove(c->data, c->data + c->start, c->end - c->start);
        c->end -= c->start;
        c->start = 0;
    }
    if (c->end + CHUNK > c->capacity) {
        c->capacity = c->end + 2 * (size_t)CHUNK;
        c->data = tb_realloc(c->data, c->capacity);
    }
    errno = 0;
    n = fread(c->data + c->end, 1, CHUNK, c->f);
    if (ferror(c->f) != 0) {
        err_set(e, SMW_ERR_IO, "%s: %s", c->name, strerror(errno));
        n = 0;
    }
    c->ended = n == 0;
    c->end += n;
    return n > 0;
}

/* Bytes of the record at data[start], its line end included. 0 at the end of the file
 * or on failure. A record ends at the first line end outside quotes. */
static size_t record_size(struct csv *c, struct smw_err *e)
{
    size_t i = 0;
    bool quoted = false;

    c->has_quotes = false;
    for (;;) {
        if (!quoted) { /* the common case, as fast as the C library */
            size_t left = c->end - c->start - i;
            const char *at = c->data + c->start + i;
            const char *eol = left == 0 ? NULL : memchr(at, '\n', left);
            size_t n = eol == NULL ? left : (size_t)(eol - at) + 1;
            const char *quote = n == 0 ? NULL : memchr(at, '"', n);

            if (quote == NULL && eol != NULL) {
                return i + n;
            }
            quoted = quote != NULL;
            c->has_quotes = c->has_quotes || quoted;
            i += quote != NULL ? (size_t)(quote - at) + 1 : n;
        } else {
            const char *at = c->data + c->start + i;
            size_t left = c->end - c->start - i;
            const char *quote = left == 0 ? NULL : memchr(at, '"', left);

            quoted = quote == NULL;
            i += quote != NULL ? (size_t)(quote - at) + 1 : left;
        }
        if (i > MAX_RECORD) {
            err_set(e, SMW_ERR_INPUT,
                    quoted ? "a quote is never closed"
                           : "the line is longer than a pattern can be");
            err_at(e, c->name, NULL, c->line, 0, 0);
            return 0;
        }
        if (c->start + i == c->end && !read_more(c, e)) {
            return e->kind == SMW_ERR_NONE ? i : 0;
        }
    }
}

static uint32_t lines_in(const char *s, size_t n)
{
    uint32_t lines = 0;

    for (size_t i = 0; i < n; i++) {
        lines += s[i] == '\n';
    }
    return lines;
}

static void add_field(struct csv *c, uint32_t i, char *s, size_t n, size_t at)
{
    if (i == c->field_capacity) {
        c->field_capacity = c->field_capacity == 0 ? 64 : 2 * c->field_capacity;
        c->field = tb_realloc(c->field, c->field_capacity * sizeof(*c->field));
    }
    s[n] = '\0';
    c->field[i] = (struct csv_field){s, n, (uint32_t)at};
}

/* One field of the text s[*i..n), *i left behind its comma; unquoted to out. */
static size_t take_field(const char *s, size_t n, size_t *i, char *out,
                         const char **fault)
{
    size_t k = 0;

    if (*i < n && s[*i] == '"') {
        for ((*i)++;; (*i)++) {
            if (*i == n) {
                *fault = "a quote is never closed";
                return k;
            }
            if (s[*i] == '"' && !(*i + 1 < n && s[*i + 1] == '"')) {
                break;
            }
            *i += s[*i] == '"';
            out[k++] = s[*i];
        }
        (*i)++;
        if (*i < n && s[*i] != ',') {
            *fault = "a closing quote ends its field: a comma must follow";
        }
    } else {
        const char *comma = memchr(s + *i, ',', n - *i);

        k = comma == NULL ? n - *i : (size_t)(comma - s) - *i;
        memcpy(out, s + *i, k);
        *i += k;
        if (memchr(out, '"', k) != NULL) {
            *fault = "a quote inside a field that is not quoted";
        }
    }
    return k;
}

/* No quotes: a copy of the text, cut at its commas. */
static void split_plain(struct csv *c, uint32_t *n_fields)
{
    size_t n = c->record_end - c->record;
    char *at = c->text, *comma;

    memcpy(at, c->data + c->record, n);
    at[n] = '\0';
    for (*n_fields = 0;; at = comma + 1) {
        comma = memchr(at, ',', n - (size_t)(at - c->text));
        add_field(c, (*n_fields)++, at,
                  comma == NULL ? n - (size_t)(at - c->text) : (size_t)(comma - at),
                  (size_t)(at - c->text));
        if (comma == NULL) {
            return;
        }
    }
}

static bool split(struct csv *c, uint32_t *n_fields, struct smw_err *e)
{
    const char *s = c->data + c->record;
    size_t n = c->record_end - c->record, i = 0;
    char *out;

    if (c->text_capacity < 2 * n + 2) {
        c->text_capacity = 2 * n + 2;
        free(c->text);
        c->text = tb_alloc(c->text_capacity);
    }
    if (!c->has_quotes) {
        split_plain(c, n_fields);
        return true;
    }
    out = c->text;
    for (*n_fields = 0;; i++) {
        const char *fault = NULL;
        size_t at = i;
        size_t k = take_field(s, n, &i, out, &fault);

        add_field(c, *n_fields, out, k, at);
        if (fault != NULL) {
            err_set(e, SMW_ERR_INPUT, "%s", fault);
            csv_blame(c, &c->field[*n_fields], e);
            return false;
        }
        (*n_fields)++;
        out += k + 1;
        if (i >= n) {
            return true;
        }
    }
}

const struct csv_field *csv_next(struct csv *c, uint32_t *n, struct smw_err *e)
{
    for (;;) {
        size_t size = record_size(c, e), length;

        if (size == 0) {
            return NULL;
        }
        if (c->line == 1 && !c->had_record && size >= 3 &&
            memcmp(c->data + c->start, "\xef\xbb\xbf", 3) == 0) {
            c->start += 3;
            size -= 3;
        }
        length = size;
        length -= length > 0 && c->data[c->start + length - 1] == '\n';
        length -= length > 0 && c->data[c->start + length - 1] == '\r';
        c->record = c->start;
        c->record_end = c->start + length;
        c->record_line = c->line;
        c->start += size;
        c->line += c->has_quotes ? lines_in(c->data + c->record, size) : 1;
        if (length > 0 && (c->had_record || c->data[c->record] != '#')) {
            c->had_record = true;
            return split(c, n, e) ? c->field : NULL;
        }
    }
}

void csv_blame(const struct csv *c, const struct csv_field *field, struct smw_err *e)
{
    size_t size = c->record_end - c->record;
    char *text = tb_alloc(size + 1);
    size_t at = field == NULL ? size : field->at, begin = at;
    uint32_t line = 1 + lines_in(c->data + c->record, at);
    size_t width = field == NULL ? 1 : field->n == 0 ? 1 : field->n;

    memcpy(text, c->data + c->record, size);
    text[size] = '\0';
    while (begin > 0 && text[begin - 1] != '\n') {
        begin--;
    }
    err_at(e, c->name, text, line, (uint32_t)(at - begin) + 1, (uint32_t)width);
    e->line = c->record_line + line - 1;
    free(text);
}
