/*
 * lines.h - text on its way into a file, in many short pieces: one call of the library
 * for all that fits, and no printf() for what is written thousands of times. An error
 * stays with the file (ferror()).
 */
#ifndef LINES_H
#define LINES_H

#include "base/attr.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LINES_ROOM = 1 << 14 }; /* bytes */

struct lines {
    FILE *f;
    size_t n;
    char s[LINES_ROOM];
};

static inline void lines_begin(struct lines *l, FILE *f)
{
    l->f = f;
    l->n = 0;
}

/* Write what there is. */
static inline void lines_write(struct lines *l)
{
    (void)fwrite(l->s, 1, l->n, l->f);
    l->n = 0;
}

static inline void lines_bytes(struct lines *l, const char *s, size_t n)
{
    if (UNLIKELY(n > sizeof(l->s) - l->n)) {
        lines_write(l);
    }
    if (UNLIKELY(n > sizeof(l->s))) {
        (void)fwrite(s, 1, n, l->f);
    } else {
        memcpy(l->s + l->n, s, n);
        l->n += n;
    }
}

static inline void lines_text(struct lines *l, const char *s)
{
    lines_bytes(l, s, strlen(s));
}

static inline void lines_char(struct lines *l, char c)
{
    lines_bytes(l, &c, 1);
}

/* base: at most 16. */
static inline void lines_number(struct lines *l, uint64_t value, unsigned base)
{
    char digits[64];
    size_t n = sizeof(digits);

    do {
        digits[--n] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);
    lines_bytes(l, digits + n, sizeof(digits) - n);
}

#endif /* LINES_H */
