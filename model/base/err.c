#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LONGEST_NAME 63u /* characters; longer words are never close to a name */

void err_clear(struct smw_err *e)
{
    if (e != NULL) {
        memset(e, 0, sizeof(*e));
    }
}

struct smw_err *err_or(struct smw_err *e, struct smw_err *own)
{
    err_clear(own);
    return e != NULL ? e : own;
}

static enum smw_code code_of(enum smw_err_kind kind)
{
    switch (kind) {
    case SMW_ERR_NONE: return SMW_CODE_NONE;
    case SMW_ERR_USAGE:
    case SMW_ERR_CONFIG:
    case SMW_ERR_INPUT:
    case SMW_ERR_IO: return SMW_CODE_INVALID_VALUE;
    case SMW_ERR_NOMEM: return SMW_CODE_OUT_OF_MEMORY;
    case SMW_ERR_DEADLOCK: return SMW_CODE_DEADLOCK;
    case SMW_ERR_LIMIT: return SMW_CODE_TIMEOUT;
    case SMW_ERR_KERNEL:
    case SMW_ERR_INTERNAL: break;
    }
    return SMW_CODE_LAUNCH_FAILURE;
}

bool err_set(struct smw_err *e, enum smw_err_kind kind, const char *fmt, ...)
{
    va_list ap;

    if (e == NULL || e->kind != SMW_ERR_NONE) {
        return false;
    }
    err_clear(e);
    e->kind = kind;
    e->code = code_of(kind);
    va_start(ap, fmt);
    vsnprintf(e->message, sizeof(e->message), fmt, ap);
    va_end(ap);
    return false;
}

bool err_given(const void *p, const char *what, struct smw_err *e)
{
    return p != NULL || err_set(e, SMW_ERR_INPUT, "%s: NULL", what);
}

bool err_code(struct smw_err *e, enum smw_code code)
{
    if (e != NULL) {
        e->code = code;
    }
    return false;
}

/* The start of line number line (1-based) of text, NULL if there are fewer lines. */
static const char *line_start(const char *text, uint32_t line)
{
    for (; line > 1; line--) {
        text = strchr(text, '\n');
        if (text == NULL) {
            return NULL;
        }
        text++;
    }
    return text;
}

/* Of the line that starts there, at most `most` bytes. */
static size_t line_length(const char *start, size_t most)
{
    size_t n = 0;

    while (n < most && start[n] != '\0' && start[n] != '\r' && start[n] != '\n') {
        n++;
    }
    return n;
}

/* Bytes at the front of a line that are left out so that the caret has something to
 * point at; no character is cut in two. */
static size_t front_to_cut(const struct smw_err *e, const char *start)
{
    size_t cut;

    if (e->column > line_length(start, e->column) + 1 ||
        e->column <= sizeof(e->source) / 2 ||
        e->column + e->width < sizeof(e->source)) {
        return 0;
    }
    cut = e->column - 1 - sizeof(e->source) / 4;
    while (((unsigned char)start[cut] & 0xc0u) == 0x80u && cut + 1 < e->column) {
        cut++;
    }
    return cut;
}

void err_at(struct smw_err *e, const char *file, const char *text, uint32_t line,
            uint32_t column, uint32_t width)
{
    const char *start = NULL;
    size_t cut;

    if (e == NULL) {
        return;
    }
    if (file != NULL) {
        snprintf(e->file, sizeof(e->file), "%s", file);
    }
    e->line = line;
    e->column = column;
    e->width = width;
    if (text == NULL || line == 0) {
        return;
    }
    start = line_start(text, line);
    if (start != NULL) {
        cut = front_to_cut(e, start);
        e->caret = cut == 0 ? 0 : column - (uint32_t)cut + 3;
        start += cut;
        snprintf(e->source, sizeof(e->source), "%s%.*s", cut == 0 ? "" : "...",
                 (int)line_length(start, sizeof(e->source)), start);
        for (char *c = e->source; *c != '\0'; c++) { /* what a terminal would obey */
            *c = ((unsigned char)*c < ' ' && *c != '\t') || *c == 0x7f ? '?' : *c;
        }
    }
}

void err_hint(struct smw_err *e, const char *fmt, ...)
{
    va_list ap;

    if (e == NULL) {
        return;
    }
    va_start(ap, fmt);
    vsnprintf(e->hint, sizeof(e->hint), fmt, ap);
    va_end(ap);
}

static uint32_t least(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t m = a < b ? a : b;

    return m < c ? m : c;
}

/* Edits (insert, delete, replace, swap neighbours) that make b of a; both strings are
 * at most LONGEST_NAME long. */
static uint32_t distance(const char *a, uint32_t na, const char *b, uint32_t nb)
{
    uint32_t rows[3][LONGEST_NAME + 1];
    uint32_t *before = rows[0], *above = rows[1], *row = rows[2];

    for (uint32_t j = 0; j <= nb; j++) {
        above[j] = j;
    }
    for (uint32_t i = 1; i <= na; i++) {
        uint32_t *old = before;

        row[0] = i;
        for (uint32_t j = 1; j <= nb; j++) {
            uint32_t cost = a[i - 1] != b[j - 1];

            row[j] = least(above[j] + 1, row[j - 1] + 1, above[j - 1] + cost);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < row[j]) {
                row[j] = before[j - 2] + 1;
            }
        }
        before = above;
        above = row;
        row = old;
    }
    return above[nb];
}

const char *err_nearest(const char *word, const char *const *names, uint32_t n)
{
    size_t len = strlen(word);
    uint32_t best = len < 6 ? 2 : (uint32_t)(len / 3) + 1; /* first distance refused */
    const char *found = NULL;

    if (len > LONGEST_NAME) {
        return NULL;
    }
    for (uint32_t i = 0; i < n; i++) {
        size_t other = strlen(names[i]);
        uint32_t d;

        if (other > LONGEST_NAME) {
            continue;
        }
        d = distance(word, (uint32_t)len, names[i], (uint32_t)other);
        if (d < best && d < len) { /* something must be shared */
            best = d;
            found = names[i];
        }
    }
    return found;
}
