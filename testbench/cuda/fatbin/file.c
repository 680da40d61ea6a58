/* file.c - what kind of file it is, and the members of an archive (ar.h's layout). */
#include "fatbin/fatbin_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AR_MAGIC = 8, AR_HEADER = 60, AR_NAME = 16, AR_SIZE = 48, AR_END = 58 };

static bool starts(const struct fatbin_bytes *b, const char *with)
{
    const size_t n = strlen(with);

    return b->size >= n && memcmp(b->data, with, n) == 0;
}

/* ---- archives ---- */

struct archive {
    const struct fatbin_bytes *b;
    const uint8_t *names; /* longer than a header has room for; NULL: none yet */
    uint64_t n_names;
};

/* A decimal number in a field of n characters, blanks behind it. */
static bool decimal(const uint8_t *at, uint32_t n, uint64_t *v)
{
    uint32_t i = 0;

    *v = 0;
    for (; i < n && at[i] >= '0' && at[i] <= '9'; i++) {
        *v = *v * 10 + (uint64_t)(at[i] - '0');
    }
    return i > 0 && (i == n || at[i] == ' ');
}

/* The name of the member whose header is at h, control characters left out. */
static void member_name(const struct archive *a, const uint8_t *h, char *name,
                        size_t size)
{
    const uint8_t *from = h;
    uint64_t n = AR_NAME, at;
    size_t k = 0;

    if (h[0] == '/' && decimal(h + 1, AR_NAME - 1, &at) && at < a->n_names) {
        from = a->names + at;
        n = a->n_names - at;
    }
    for (uint64_t i = 0;
         i < n && k + 1 < size && from[i] != '/' && from[i] != '\n' && from[i] != 0;
         i++) {
        if (from[i] >= 0x20 && from[i] != 0x7f) {
            name[k++] = (char)from[i];
        }
    }
    while (k > 0 && name[k - 1] == ' ') {
        k--;
    }
    name[k] = '\0';
}

static bool read_member(struct fatbin *f, const struct archive *a, const uint8_t *h,
                        uint64_t size, struct smw_err *e)
{
    struct fatbin_bytes part = *a->b;
    char name[200];
    char *where;
    size_t n;
    bool ok;

    if (!fatbin_is_elf(h + AR_HEADER, size)) {
        return true; /* a list of names, or none of our business */
    }
    member_name(a, h, name, sizeof(name));
    n = strlen(a->b->where) + strlen(name) + 3;
    where = malloc(n);
    if (where == NULL) {
        return fatbin_no_memory(e);
    }
    snprintf(where, n, "%s(%s)", a->b->where, name);
    part.where = where;
    part.data = h + AR_HEADER;
    part.size = size;
    part.offset = 0;
    ok = fatbin_read_elf(f, &part, e);
    free(where);
    return ok;
}

bool fatbin_read_archive(struct fatbin *f, const struct fatbin_bytes *b,
                         struct smw_err *e)
{
    struct archive a = {.b = b};
    uint64_t at = AR_MAGIC;

    while (at < b->size) {
        const uint8_t *const h = b->data + at;
        uint64_t size;

        if (b->size - at < AR_HEADER || h[AR_END] != '`' || h[AR_END + 1] != '\n' ||
            !decimal(h + AR_SIZE, 10, &size) || size > b->size - at - AR_HEADER) {
            return err_set(e, SMW_ERR_INPUT,
                           "%s: damaged archive: no member at byte %llu", b->where,
                           (unsigned long long)at);
        }
        if (h[0] == '/' && h[1] == '/') {
            a.names = h + AR_HEADER;
            a.n_names = size;
        }
        if (!read_member(f, &a, h, size, e)) {
            return false;
        }
        at += AR_HEADER + size;
        at += at & 1; /* members begin at even bytes */
    }
    return true;
}

/* ---- files ---- */

static bool read_any(struct fatbin *f, const struct fatbin_bytes *b, struct smw_err *e)
{
    uint64_t used;

    if (b->size >= 4 && fatbin_get(b->data, 4) == FATBIN_MAGIC) {
        return fatbin_read_image(f, b, &used, e);
    }
    if (fatbin_is_cubin(b->data, b->size)) {
        return fatbin_read_single(f, b, FATBIN_ELF, e);
    }
    if (fatbin_is_elf(b->data, b->size)) {
        return fatbin_read_elf(f, b, e);
    }
    if (starts(b, "!<arch>\n")) {
        return fatbin_read_archive(f, b, e);
    }
    if (starts(b, "!<thin>\n")) {
        err_set(e, SMW_ERR_INPUT, "%s is a thin archive: it has names only", b->where);
        err_hint(e, "name the objects it was made of");
        return false;
    }
    if (fatbin_is_ptx(b->data, b->size)) {
        return fatbin_read_single(f, b, FATBIN_PTX, e);
    }
    err_set(e, SMW_ERR_INPUT, "%s holds no code for devices", b->where);
    err_hint(e, "a program, an object, a library, an archive, a .fatbin file, a .cubin "
                "file or PTX is needed");
    return false;
}

bool fatbin_read_file(const void *file, size_t size, const char *name,
                      struct fatbin *out, struct smw_err *e)
{
    const struct fatbin_bytes b = {.data = file, .size = size, .where = name};
    struct fatbin f = {0};
    bool ok = read_any(&f, &b, e);

    memset(out, 0, sizeof(*out));
    if (ok && f.n_entries == 0) {
        ok = err_set(e, SMW_ERR_INPUT, "%s holds no code for devices", name);
        err_hint(e, "it was not compiled from CUDA, or has no kernel");
    }
    if (!ok) {
        fatbin_free(&f);
        return false;
    }
    *out = f;
    return true;
}
