#include "reader_priv.h"

#include "base/nomem.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors ---- */

bool reader_refuse(struct reader *r, struct smw_err *e, const char *fmt,
                   const char *arg)
{
    enum { MOST = 40 };
    char shown[MOST + 4];

    snprintf(shown, sizeof(shown), "%.*s%s", (int)MOST, arg,
             strlen(arg) > MOST ? "..." : "");
    for (char *c = shown; *c != '\0'; c++) {
        *c = (char)((unsigned char)*c < ' ' || (unsigned char)*c > '~' ? '?' : *c);
    }
    r->failed = true;
    err_set(e, SMW_ERR_INPUT, fmt, shown);
    err_at(e, r->name, NULL, r->line, 0, 0);
    return false;
}

/* ---- words ---- */

static int next_byte(struct reader *r)
{
    if (r->at == r->n) {
        r->n = r->eof ? 0 : fread(r->block, 1, sizeof(r->block), r->f);
        r->at = 0;
        if (r->n == 0) {
            r->eof = true;
            return EOF;
        }
    }
    return r->block[r->at++];
}

static bool is_space(int c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

void *reader_grow(void *p, uint32_t *capacity, uint32_t n, size_t size)
{
    if (n < *capacity) {
        return p;
    }
    n = *capacity == 0 ? 64 : *capacity * 2;
    p = nomem_realloc(p, n * size);
    *capacity = n;
    return p;
}

static void push(struct reader *r, char c)
{
    if (r->length + 1 >= r->capacity) {
        uint32_t capacity = (uint32_t)r->capacity;

        r->word = reader_grow(r->word, &capacity, capacity, 1);
        r->capacity = capacity;
    }
    r->word[r->length++] = c;
    r->word[r->length] = '\0';
}

bool reader_word(struct reader *r, struct smw_err *e)
{
    int c;

    do {
        c = next_byte(r);
        r->line += c == '\n';
    } while (is_space(c));
    r->length = 0;
    while (c != EOF && !is_space(c)) {
        if (r->length == READER_MAX_WORD) {
            return reader_refuse(r, e, "a word of more than %s bytes", "1048576");
        }
        push(r, c == '\0' ? '?' : (char)c);
        c = next_byte(r);
    }
    if (c == EOF) {
        if (ferror(r->f)) {
            r->failed = true;
            return err_set(e, SMW_ERR_IO, "%s: %s", r->name, strerror(errno));
        }
        r->cut = r->cut || r->length > 0;
        return false;
    }
    r->at--; /* the newline counts when it is passed */
    return true;
}

bool reader_is(const struct reader *r, const char *text)
{
    return strcmp(r->word, text) == 0;
}

bool reader_need_word(struct reader *r, struct smw_err *e)
{
    if (reader_word(r, e)) {
        return true;
    }
    return r->failed ? false : reader_refuse(r, e, "the file ends %s", "in its header");
}

const char *reader_text(struct reader *r, struct smw_err *e)
{
    enum { MOST = 4096 };
    char text[MOST];
    size_t n = 0;

    text[0] = '\0';
    for (;;) {
        if (!reader_need_word(r, e)) {
            return NULL;
        }
        if (reader_is(r, "$end")) {
            return arena_strdup(&r->arena, text);
        }
        if (n + r->length + 2 < sizeof(text)) {
            n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", n > 0 ? " " : "",
                                  r->word);
        }
    }
}

bool reader_skip(struct reader *r, struct smw_err *e)
{
    do {
        if (!reader_need_word(r, e)) {
            return false;
        }
    } while (!reader_is(r, "$end"));
    return true;
}

bool reader_number(const char *s, uint64_t *v)
{
    *v = 0;
    if (*s == '\0') {
        return false;
    }
    for (; *s != '\0'; s++) {
        uint64_t digit = (uint64_t)(*s - '0');

        if (*s < '0' || *s > '9' || *v > (UINT64_MAX - digit) / 10) {
            return false;
        }
        *v = *v * 10 + digit;
    }
    return true;
}

/* ---- identifier codes ---- */

static uint32_t hash(const char *s)
{
    uint32_t h = 2166136261u;

    for (; *s != '\0'; s++) {
        h = (h ^ (unsigned char)*s) * 16777619u;
    }
    return h;
}

struct code *reader_find(const struct reader *r, const char *text)
{
    uint32_t i = hash(text) & (r->table_size - 1);

    while (r->table[i].signal != READER_NONE && strcmp(r->table[i].text, text) != 0) {
        i = (i + 1) & (r->table_size - 1);
    }
    return &r->table[i];
}

void reader_make_table(struct reader *r, uint32_t size)
{
    struct code *old = r->table;
    uint32_t n = r->table_size;

    r->table = nomem_calloc(size, sizeof(*r->table));
    r->table_size = size;
    for (uint32_t i = 0; i < size; i++) {
        r->table[i].signal = READER_NONE;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (old[i].signal != READER_NONE) {
            *reader_find(r, old[i].text) = old[i];
        }
    }
    free(old);
}
