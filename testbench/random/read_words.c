/* Words, symbols and registers of a text. */
#include "read_priv.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

bool read_fail(struct reader *r, const char *what)
{
    if (!r->failed) {
        (void)snprintf(r->c->error, sizeof(r->c->error), "line %u: %s: %.60s", r->line,
                       what, r->p);
        for (char *s = r->c->error; *s != '\0'; s++) {
            if (*s == '\n') {
                *s = '\0';
                break;
            }
        }
    }
    r->failed = true;
    return false;
}

/* ---- words ---- */

void read_skip(struct reader *r)
{
    while (*r->p == ' ' || *r->p == '\t') {
        r->p++;
    }
}

bool read_take(struct reader *r, const char *s)
{
    size_t n = strlen(s);

    read_skip(r);
    if (strncmp(r->p, s, n) != 0) {
        return false;
    }
    r->p += n;
    return true;
}

bool read_expect(struct reader *r, const char *s)
{
    return read_take(r, s) || read_fail(r, "not as expected");
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '%' || c == '$';
}

/* Its length; 0: there is none. */
size_t read_word(struct reader *r, const char **s)
{
    read_skip(r);
    *s = r->p;
    while (is_word(*r->p)) {
        r->p++;
    }
    return (size_t)(r->p - *s);
}

bool read_name(struct reader *r, char *buf)
{
    const char *s;
    size_t n = read_word(r, &s);

    if (n == 0 || n >= NAME) {
        return read_fail(r, "a name is missing");
    }
    memcpy(buf, s, n);
    buf[n] = '\0';
    return true;
}

uint64_t read_number(struct reader *r)
{
    char *end;
    uint64_t v;

    read_skip(r);
    if (r->p[0] == '0' && (r->p[1] == 'f' || r->p[1] == 'd')) {
        v = strtoull(r->p + 2, &end, 16);
    } else if (*r->p == '-') {
        v = (uint64_t)strtoll(r->p, &end, 0);
    } else {
        v = strtoull(r->p, &end, 0);
    }
    if (end == r->p) {
        (void)read_fail(r, "a number is missing");
    }
    r->p = end;
    return v;
}

enum ty read_type(struct reader *r)
{
    const char *s;
    size_t n;
    enum ty t;

    if (!read_expect(r, ".")) {
        return TY_NONE;
    }
    n = read_word(r, &s);
    t = name_type(s, n);
    if (t == TY_NONE) {
        (void)read_fail(r, "a type is missing");
    }
    return t;
}

/* ---- symbols, registers, labels ---- */

struct symbol *read_add_symbol(struct reader *r)
{
    if (r->n_symbols == MAX_SYMBOLS) {
        (void)read_fail(r, "too many variables");
        return &r->symbol[0];
    }
    memset(&r->symbol[r->n_symbols], 0, sizeof(r->symbol[0]));
    return &r->symbol[r->n_symbols++];
}

const struct symbol *read_find_symbol(const struct reader *r, const char *s, size_t n)
{
    for (uint32_t i = r->n_symbols; i > 0; i--) {
        const struct symbol *y = &r->symbol[i - 1];

        if (strncmp(y->name, s, n) == 0 && y->name[n] == '\0') {
            return y;
        }
    }
    return NULL;
}

uint16_t read_find_reg(const struct reader *r, const char *s, size_t n)
{
    for (uint32_t i = 0; i < r->n_classes; i++) {
        const struct reg_class *k = &r->reg_class[i];
        size_t len = strlen(k->prefix);

        if (n < len || memcmp(s, k->prefix, len) != 0) {
            continue;
        }
        if (k->single) {
            if (n == len) {
                return k->base;
            }
        } else if (n > len && isdigit((unsigned char)s[len])) {
            uint32_t v = (uint32_t)strtoul(s + len, NULL, 10);

            return v < k->n ? (uint16_t)(k->base + v) : NO_REG;
        }
    }
    return NO_REG;
}

uint16_t read_add_regs(struct reader *r, enum ty t, const char *prefix, uint32_t n)
{
    struct reg_class *k = &r->reg_class[r->n_classes];
    uint32_t count = n == 0 ? 1 : n;

    if (r->n_classes == MAX_CLASSES || r->f->n_regs + count > MAX_REGS) {
        (void)read_fail(r, "too many registers");
        return 0;
    }
    r->n_classes++;
    (void)snprintf(k->prefix, sizeof(k->prefix), "%s", prefix);
    k->base = (uint16_t)r->f->n_regs;
    k->n = (uint16_t)count;
    k->single = n == 0;
    for (uint32_t i = 0; i < count; i++) {
        r->f->reg_ty[r->f->n_regs++] = (uint8_t)t;
    }
    return k->base;
}

/* L12: or T3: to 12 or 3. */
uint32_t read_label_number(struct reader *r, const char *s, size_t n)
{
    uint32_t v = n > 1 ? (uint32_t)strtoul(s + 1, NULL, 10) : MAX_LABELS;

    if (v >= MAX_LABELS) {
        (void)read_fail(r, "not a label");
        return 0;
    }
    return v;
}
