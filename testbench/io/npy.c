#include "io/npy.h"

#include <stdio.h>
#include <string.h>

/* The header is the text of a Python dict: {'descr': '<f4', 'fortran_order': False,
 * 'shape': (3, 4), }. The keys come in any order. */
struct cursor {
    const char *p, *end;
};

static void skip_blank(struct cursor *c)
{
    while (c->p < c->end && (*c->p == ' ' || *c->p == '\n' || *c->p == '\t')) {
        c->p++;
    }
}

static bool take(struct cursor *c, const char *word)
{
    size_t n = strlen(word);

    skip_blank(c);
    if ((size_t)(c->end - c->p) < n || memcmp(c->p, word, n) != 0) {
        return false;
    }
    c->p += n;
    return true;
}

/* A quoted word into buf. */
static bool take_string(struct cursor *c, char *buf, size_t size)
{
    size_t n = 0;
    char quote;

    skip_blank(c);
    if (c->p == c->end || (*c->p != '\'' && *c->p != '"')) {
        return false;
    }
    quote = *c->p++;
    while (c->p < c->end && *c->p != quote && n + 1 < size) {
        buf[n++] = *c->p++;
    }
    buf[n] = '\0';
    return c->p < c->end && *c->p++ == quote;
}

static bool take_shape(struct cursor *c, uint64_t *count)
{
    *count = 1;
    if (!take(c, "(")) {
        return false;
    }
    while (!take(c, ")")) {
        uint64_t v = 0;

        skip_blank(c);
        if (c->p == c->end || *c->p < '0' || *c->p > '9') {
            return false;
        }
        for (; c->p < c->end && *c->p >= '0' && *c->p <= '9'; c->p++) {
            if (v > UINT32_MAX) {
                return false;
            }
            v = v * 10 + (uint64_t)(*c->p - '0');
        }
        take(c, "L");
        if (v != 0 && *count > UINT64_MAX / v) {
            return false;
        }
        *count *= v;
        if (!take(c, ",")) {
            return take(c, ")");
        }
    }
    return true;
}

struct header {
    char descr[16];
    bool fortran, has_descr, has_order, has_shape;
    uint64_t count;
};

static bool take_entry(struct cursor *c, struct header *h)
{
    char key[32];

    if (!take_string(c, key, sizeof(key)) || !take(c, ":")) {
        return false;
    }
    if (strcmp(key, "descr") == 0) {
        h->has_descr = true;
        return take_string(c, h->descr, sizeof(h->descr));
    }
    if (strcmp(key, "fortran_order") == 0) {
        h->has_order = true;
        h->fortran = take(c, "True");
        return h->fortran || take(c, "False");
    }
    if (strcmp(key, "shape") == 0) {
        h->has_shape = true;
        return take_shape(c, &h->count);
    }
    return false;
}

static bool parse_header(struct cursor c, struct header *h)
{
    *h = (struct header){0};
    if (!take(&c, "{")) {
        return false;
    }
    while (!take(&c, "}")) {
        if (!take_entry(&c, h)) {
            return false;
        }
        if (!take(&c, ",")) {
            if (!take(&c, "}")) {
                return false;
            }
            break;
        }
    }
    return h->has_descr && h->has_order && h->has_shape;
}

/* Of each type of which NumPy has arrays. */
static const char *const descrs[VALUE_TYPES] = {"|u1", "|i1", "<u2", "<i2",
                                                "<u4", "<i4", "<u8", "<i8",
                                                "<f4", "<f8", "<f2"};

static bool find_type(const char *descr, enum value_type *type)
{
    for (uint32_t i = 0; i < VALUE_TYPES && descrs[i] != NULL; i++) {
        if (strcmp(descr, descrs[i]) == 0) {
            *type = (enum value_type)i;
            return true;
        }
    }
    return false;
}

enum value_type npy_type(enum value_type type)
{
    if (descrs[type] != NULL) {
        return type;
    }
    return value_type_size(type) == 1 ? VALUE_U8 : VALUE_U16;
}

size_t npy_header(enum value_type type, uint64_t count, char out[static NPY_HEADER])
{
    int n;

    memset(out, ' ', NPY_HEADER);
    memcpy(out, "\x93NUMPY\x01", 7);
    out[7] = 0;
    out[8] = (char)(NPY_HEADER - 10);
    out[9] = 0;
    n = snprintf(out + 10, NPY_HEADER - 10,
                 "{'descr': '%s', 'fortran_order': False, 'shape': (%llu,), }",
                 descrs[npy_type(type)], (unsigned long long)count);
    out[10 + n] = ' '; /* where snprintf() put the terminator */
    out[NPY_HEADER - 1] = '\n';
    return NPY_HEADER;
}

bool npy_parse(const void *file, size_t size, const char *name, struct npy *out,
               struct smw_err *e)
{
    const unsigned char *b = file;
    struct cursor c;
    struct header h;
    size_t at, length;
    struct npy npy;

    if (size < 12 || memcmp(b, "\x93NUMPY", 6) != 0 || b[6] < 1 || b[6] > 3) {
        return err_set(e, SMW_ERR_INPUT, "%s is not a .npy file", name);
    }
    length = b[8] | (size_t)b[9] << 8;
    at = 10;
    if (b[6] > 1) {
        length |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
        at = 12;
    }
    if (length > size - at) {
        return err_set(e, SMW_ERR_INPUT, "%s ends inside its header", name);
    }
    c = (struct cursor){(const char *)b + at, (const char *)b + at + length};
    if (!parse_header(c, &h)) {
        return err_set(e, SMW_ERR_INPUT, "%s has a header that cannot be read", name);
    }
    if (!find_type(h.descr, &npy.type)) {
        return err_set(e, SMW_ERR_INPUT,
                       "%s holds elements of type '%s', which no buffer has", name,
                       h.descr);
    }
    if (h.fortran) {
        return err_set(e, SMW_ERR_INPUT, "%s is in Fortran order, C order is needed",
                       name);
    }
    at += length;
    npy.count = h.count;
    npy.data = b + at;
    if (npy.count != (size - at) / value_type_size(npy.type) ||
        (size - at) % value_type_size(npy.type) != 0) {
        return err_set(e, SMW_ERR_INPUT,
                       "%s says %llu elements but holds %zu bytes of data", name,
                       (unsigned long long)npy.count, size - at);
    }
    *out = npy;
    return true;
}
