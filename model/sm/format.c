#include "sm/format.h"
#include "base/bits.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* One conversion: "%-08.3lld" and where it ends. */
struct conversion {
    char spec[40]; /* flags, width, precision; no length, no conversion letter */
    uint32_t n_spec;
    uint32_t n_stars; /* ints taken before the value */
    bool wide;        /* l, ll, z, t, j: 8 bytes */
    uint8_t narrow;   /* h: 16 bits of the int count; hh: 8; else 0 */
    char letter;      /* 0: the format ended inside */
    const char *end;
};

static struct conversion parse(const char *p) /* after the '%' */
{
    struct conversion c = {.n_spec = 1};

    c.spec[0] = '%';
    for (; *p != '\0' && strchr("-+ #0123456789.*", *p) != NULL; p++) {
        c.n_stars += *p == '*';
        if (c.n_spec < 24) {
            c.spec[c.n_spec++] = *p;
        }
    }
    for (; *p != '\0' && strchr("hlLqjzt", *p) != NULL; p++) {
        c.wide = *p != 'h';
        c.narrow = c.wide ? 0 : c.narrow == 0 ? 16 : 8;
    }
    c.letter = *p;
    c.end = *p == '\0' ? p : p + 1;
    return c;
}

static uint32_t value_bytes(const struct conversion *c)
{
    if (c->letter == '%' || c->letter == '\0') {
        return 0;
    }
    if (strchr("eEfFgGaAps", c->letter) != NULL) {
        return 8;
    }
    return c->wide ? 8 : 4;
}

static uint32_t align_to(uint32_t at, uint32_t bytes)
{
    return bytes == 8 ? (at + 7u) & ~7u : at;
}

uint32_t format_bytes(const char *format, uint32_t *n_args)
{
    uint32_t at = 0;

    *n_args = 0;
    while ((format = strchr(format, '%')) != NULL) {
        struct conversion c = parse(format + 1);
        uint32_t n = value_bytes(&c);

        at += 4 * c.n_stars;
        *n_args += c.n_stars + (n != 0);
        at = align_to(at, n) + n;
        format = c.end;
    }
    return at;
}

struct cursor { /* through the arguments */
    const uint8_t *args;
    uint32_t at, n;
};

static uint64_t next_value(struct cursor *a, uint32_t bytes)
{
    uint64_t v = 0;

    a->at = align_to(a->at, bytes);
    if (a->at + bytes <= a->n) {
        memcpy(&v, a->args + a->at, bytes);
    }
    a->at += bytes;
    return v;
}

/* Replace each '*' of the specification by its argument. */
static void expand_stars(struct conversion *c, struct cursor *a)
{
    char out[sizeof(c->spec)];
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->n_spec && n + 12 < sizeof(out); i++) {
        if (c->spec[i] == '*') {
            int32_t v = (int32_t)next_value(a, 4);

            if (v < 0 && n > 0 && out[n - 1] == '.') {
                n--; /* a negative precision is none */
                continue;
            }
            n += (uint32_t)snprintf(out + n, sizeof(out) - n, "%d",
                                    v > 999    ? 999
                                    : v < -999 ? -999
                                               : v);
        } else {
            out[n++] = c->spec[i];
        }
    }
    memcpy(c->spec, out, n);
    c->spec[n] = '\0';
    c->n_spec = n;
}

/* The value of an integer conversion as C would convert it. */
static long long integer_of(const struct conversion *c, uint64_t v)
{
    bool is_signed = c->letter == 'd' || c->letter == 'i';

    if (c->wide) {
        return (long long)v;
    }
    switch (c->narrow) {
    case 8: return is_signed ? (int8_t)v : (uint8_t)v;
    case 16: return is_signed ? (int16_t)v : (uint16_t)v;
    default: return is_signed ? (long long)(int32_t)v : (long long)(uint32_t)v;
    }
}

static int convert(struct conversion *c, struct cursor *a,
                   const struct format_source *source, char *buf, size_t size)
{
    char spec[sizeof(c->spec) + 4];
    uint64_t v;

    expand_stars(c, a);
    memcpy(spec, c->spec, c->n_spec);
    v = next_value(a, value_bytes(c));
    switch (c->letter) {
    case 'd':
    case 'i':
        memcpy(spec + c->n_spec, "lld", 4);
        return snprintf(buf, size, spec, integer_of(c, v));
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        memcpy(spec + c->n_spec, "ll", 2);
        spec[c->n_spec + 2] = c->letter;
        spec[c->n_spec + 3] = '\0';
        return snprintf(buf, size, spec, (unsigned long long)integer_of(c, v));
    case 'c':
        memcpy(spec + c->n_spec, "c", 2);
        return snprintf(buf, size, spec, (int)v);
    case 'p': return snprintf(buf, size, "0x%llx", (unsigned long long)v);
    case 's': {
        char text[256];

        source->string(source->ctx, v, text, sizeof(text));
        memcpy(spec + c->n_spec, "s", 2);
        return snprintf(buf, size, spec, text);
    }
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        spec[c->n_spec] = c->letter;
        spec[c->n_spec + 1] = '\0';
        return snprintf(buf, size, spec, bits_f64(v));
    default: return snprintf(buf, size, "%s%c", c->spec, c->letter);
    }
}

size_t format_text(const char *format, const uint8_t *args, uint32_t n,
                   const struct format_source *source, char *buf, size_t size)
{
    struct cursor a = {args, 0, n};
    size_t at = 0;

    while (*format != '\0' && at + 1 < size) {
        struct conversion c;
        int wrote;

        if (*format != '%') {
            buf[at++] = *format++;
            continue;
        }
        c = parse(format + 1);
        format = c.end;
        if (c.letter == '%') {
            buf[at++] = '%';
            continue;
        }
        if (c.letter == '\0') {
            break;
        }
        wrote = convert(&c, &a, source, buf + at, size - at);
        at += wrote < 0 ? 0 : (size_t)wrote < size - at ? (size_t)wrote : size - at - 1;
    }
    buf[at] = '\0';
    return at;
}
