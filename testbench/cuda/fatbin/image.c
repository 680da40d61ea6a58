/* image.c - the header of a fat binary, its entries, and PTX or ELF files instead. */
#include "fatbin/fatbin_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fatbin_no_memory(struct smw_err *e)
{
    return err_set(e, SMW_ERR_NOMEM, "no memory for a fat binary");
}

void fatbin_free(struct fatbin *f)
{
    for (uint32_t i = 0; i < f->n_entries; i++) {
        free(f->entry[i].source);
    }
    for (uint32_t i = 0; i < f->n_images; i++) {
        free(f->image[i].where);
    }
    free(f->entry);
    free(f->image);
    memset(f, 0, sizeof(*f));
}

/* Room for element n of v. */
static bool grow(void **v, uint32_t n, uint32_t *cap, size_t size)
{
    const uint32_t more = *cap == 0 ? 4 : *cap * 2;
    void *bigger;

    if (n < *cap) {
        return true;
    }
    bigger = realloc(*v, more * size);
    if (bigger == NULL) {
        return false;
    }
    *v = bigger;
    *cap = more;
    return true;
}

static bool add_image(struct fatbin *f, const struct fatbin_bytes *b, struct smw_err *e)
{
    struct fatbin_image *image;

    if (f->n_images >= FATBIN_MAX_ENTRIES) {
        return err_set(e, SMW_ERR_INPUT, "%s has more than %d fat binaries", b->where,
                       FATBIN_MAX_ENTRIES);
    }
    if (!grow((void **)&f->image, f->n_images, &f->cap_images, sizeof(*f->image))) {
        return fatbin_no_memory(e);
    }
    image = &f->image[f->n_images];
    memset(image, 0, sizeof(*image));
    image->where = strdup(b->where);
    if (image->where == NULL) {
        return fatbin_no_memory(e);
    }
    if (b->section != NULL) {
        snprintf(image->section, sizeof(image->section), "%s", b->section);
    }
    image->offset = b->offset;
    image->to_link = b->to_link;
    image->first = f->n_entries;
    f->n_images++;
    return true;
}

static struct fatbin_entry *add_entry(struct fatbin *f, struct smw_err *e)
{
    struct fatbin_entry *x;

    if (f->n_entries >= FATBIN_MAX_ENTRIES) {
        err_set(e, SMW_ERR_INPUT, "more than %d entries in fat binaries",
                FATBIN_MAX_ENTRIES);
        return NULL;
    }
    if (!grow((void **)&f->entry, f->n_entries, &f->cap_entries, sizeof(*f->entry))) {
        (void)fatbin_no_memory(e);
        return NULL;
    }
    x = &f->entry[f->n_entries++];
    memset(x, 0, sizeof(*x));
    f->image[f->n_images - 1].n++;
    return x;
}

/* ---- entries ---- */

static bool damaged(const struct fatbin_bytes *b, uint64_t at, struct smw_err *e,
                    const char *what)
{
    err_set(e, SMW_ERR_INPUT, "%s: damaged fat binary%s%s, byte %llu: %s", b->where,
            b->section != NULL ? " in section " : "",
            b->section != NULL ? b->section : "", (unsigned long long)b->offset + at,
            what);
    return false;
}

static enum fatbin_kind kind_of(uint32_t raw)
{
    return raw == 1   ? FATBIN_PTX
           : raw == 2 ? FATBIN_ELF
           : raw == 8 ? FATBIN_IR
                      : FATBIN_OTHER;
}

/* The name of the source file is for people: what no terminal should get is left
 * out. */
static bool copy_source(struct fatbin_entry *x, const uint8_t *name, uint32_t n)
{
    uint32_t k = 0;

    x->source = malloc((size_t)n + 1);
    if (x->source == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < n && name[i] != 0; i++) {
        if (name[i] >= 0x20 && name[i] != 0x7f) {
            x->source[k++] = (char)name[i];
        }
    }
    x->source[k] = '\0';
    return true;
}

/* The fields of an entry whose header of so many bytes, and data of room bytes behind
 * it, are there. NULL, or what is wrong. */
static const char *fill(struct fatbin_entry *x, const uint8_t *at, uint32_t header,
                        uint64_t room)
{
    const uint64_t flags = fatbin_get(at + FATBIN_ENTRY_FLAGS, 8);
    const uint32_t packed = (uint32_t)fatbin_get(at + FATBIN_ENTRY_PACKED, 4);
    const uint32_t name = (uint32_t)fatbin_get(at + FATBIN_ENTRY_NAME, 4);
    const uint32_t n_name = (uint32_t)fatbin_get(at + FATBIN_ENTRY_NAME_LEN, 4);

    x->raw_kind = (uint32_t)fatbin_get(at + FATBIN_ENTRY_KIND, 2);
    x->kind = kind_of(x->raw_kind);
    x->target = (uint32_t)fatbin_get(at + FATBIN_ENTRY_TARGET, 4);
    x->suffix = '\0';
    if ((flags & FATBIN_FLAG_SPECIFIC) != 0) {
        x->suffix = 'a';
    } else if ((flags & FATBIN_FLAG_FAMILY) != 0) {
        x->suffix = 'f';
    }
    x->debug = (flags & FATBIN_FLAG_DEBUG) != 0;
    if (x->kind == FATBIN_PTX) {
        x->ptx = 10 * (uint32_t)fatbin_get(at + FATBIN_ENTRY_MAJOR, 2) +
                 (uint32_t)fatbin_get(at + FATBIN_ENTRY_MINOR, 2);
    }
    x->data = at + header;
    x->stored = room;
    x->size = room;
    if (name != 0) {
        if (name > header || n_name > header - name) {
            return "the name of the source is outside of the entry";
        }
        if (!copy_source(x, at + name, n_name)) {
            return "no memory";
        }
    }
    if ((flags & (FATBIN_FLAG_LZ4 | FATBIN_FLAG_ZSTD)) == 0) {
        return NULL;
    }
    x->packing = (flags & FATBIN_FLAG_ZSTD) != 0 ? FATBIN_ZSTD : FATBIN_LZ4;
    x->stored = packed;
    x->size = fatbin_get(at + FATBIN_ENTRY_UNPACKED, 8);
    if (packed > room) {
        return "packed data longer than their room";
    }
    return NULL;
}

static bool read_entry(struct fatbin *f, const struct fatbin_bytes *b, uint64_t at,
                       uint64_t end, uint64_t *used, struct smw_err *e)
{
    const uint8_t *const from = b->data + at;
    struct fatbin_entry *x;
    const char *wrong;
    uint64_t header, room;

    if (end - at < FATBIN_ENTRY) {
        return damaged(b, at, e, "no room for the header of an entry");
    }
    header = fatbin_get(from + FATBIN_ENTRY_HEADER, 4);
    room = fatbin_get(from + FATBIN_ENTRY_ROOM, 8);
    if (header < FATBIN_ENTRY || header > end - at) {
        return damaged(b, at, e, "an entry whose header has an impossible length");
    }
    if (room > end - at - header) {
        return damaged(b, at, e, "an entry is longer than the fat binary");
    }
    x = add_entry(f, e);
    if (x == NULL) {
        return false;
    }
    wrong = fill(x, from, (uint32_t)header, room);
    *used = header + room;
    return wrong == NULL || damaged(b, at, e, wrong);
}

bool fatbin_read_image(struct fatbin *f, const struct fatbin_bytes *b, uint64_t *used,
                       struct smw_err *e)
{
    uint64_t header, size, at;

    if (b->size < FATBIN_HEADER) {
        return damaged(b, 0, e, "no room for its header");
    }
    header = fatbin_get(b->data + 6, 2);
    size = fatbin_get(b->data + 8, 8);
    if (header < FATBIN_HEADER || header > b->size) {
        return damaged(b, 0, e, "its header has an impossible length");
    }
    if (size > b->size - header) {
        return damaged(b, 0, e, "it is longer than what it lies in");
    }
    if (!add_image(f, b, e)) {
        return false;
    }
    *used = header + size;
    at = header;
    while (at < header + size) {
        uint64_t n = 0;

        if (!read_entry(f, b, at, header + size, &n, e)) {
            return false;
        }
        at += n;
    }
    return true;
}

/* ---- what stands in place of one ---- */

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Past blanks and comments; n if there is nothing else. */
static uint64_t skip_blanks(const uint8_t *at, uint64_t n)
{
    uint64_t i = 0;

    while (i < n) {
        if (is_blank(at[i])) {
            i++;
        } else if (n - i >= 2 && at[i] == '/' && at[i + 1] == '/') {
            while (i < n && at[i] != '\n') {
                i++;
            }
        } else if (n - i >= 2 && at[i] == '/' && at[i + 1] == '*') {
            i += 2;
            while (i + 1 < n && (at[i] != '*' || at[i + 1] != '/')) {
                i++;
            }
            i = i + 1 < n ? i + 2 : n;
        } else {
            break;
        }
    }
    return i;
}

bool fatbin_is_ptx(const uint8_t *at, uint64_t n)
{
    static const char head[] = ".version";
    const uint64_t i = skip_blanks(at, n);

    return n - i >= sizeof(head) - 1 && memcmp(at + i, head, sizeof(head) - 1) == 0;
}

/* The number behind a word of the text's first lines: "sm_90a" is 90, "9.0" of .version
 * is 90 too. *suffix: the letter behind it. */
static uint32_t number_behind(const uint8_t *at, uint64_t n, const char *word,
                              char *suffix)
{
    const uint64_t w = strlen(word);

    *suffix = '\0';
    for (uint64_t i = 0; i + w < n && i < 65536; i++) {
        uint64_t k = i + w;
        uint32_t v = 0;

        if (at[i] != (uint8_t)word[0] || memcmp(at + i, word, w) != 0) {
            continue;
        }
        while (k < n && is_blank(at[k])) {
            k++;
        }
        k += n - k > 3 && memcmp(at + k, "sm_", 3) == 0 ? 3 : 0;
        for (; k < n && ((at[k] >= '0' && at[k] <= '9') || at[k] == '.'); k++) {
            v = at[k] == '.' ? v : v % 100000 * 10 + (uint32_t)(at[k] - '0');
        }
        if (k < n && (at[k] == 'a' || at[k] == 'f')) {
            *suffix = (char)at[k];
        }
        return v;
    }
    return 0;
}

bool fatbin_read_single(struct fatbin *f, const struct fatbin_bytes *b,
                        enum fatbin_kind kind, struct smw_err *e)
{
    struct fatbin_entry *x;
    uint64_t n = b->size;
    char ignored;

    if (!add_image(f, b, e)) {
        return false;
    }
    x = add_entry(f, e);
    if (x == NULL) {
        return false;
    }
    x->kind = kind;
    x->raw_kind = kind == FATBIN_PTX ? 1 : 2;
    if (kind == FATBIN_PTX) {
        x->target = number_behind(b->data, n, ".target", &x->suffix);
        x->ptx = number_behind(b->data, n, ".version", &ignored);
    } else {
        x->target = fatbin_cubin_target(b->data, n);
    }
    x->data = b->data;
    x->stored = n;
    x->size = n;
    return true;
}

bool fatbin_read_section(struct fatbin *f, const struct fatbin_bytes *b,
                         struct smw_err *e)
{
    uint64_t at = 0;

    while (at < b->size) {
        struct fatbin_bytes part = *b;

        if (b->data[at] == 0) { /* between the parts of several objects */
            at++;
            continue;
        }
        part.data = b->data + at;
        part.size = b->size - at;
        part.offset = b->offset + at;
        if (part.size >= 4 && fatbin_get(part.data, 4) == FATBIN_MAGIC) {
            if (!fatbin_read_image(f, &part, &part.size, e)) {
                return false;
            }
        } else if (fatbin_is_ptx(part.data, part.size)) {
            const uint8_t *const end = memchr(part.data, 0, part.size);

            part.size = end != NULL ? (uint64_t)(end - part.data) : part.size;
            if (!fatbin_read_single(f, &part, FATBIN_PTX, e)) {
                return false;
            }
        } else if (fatbin_is_cubin(part.data, part.size)) {
            return fatbin_read_single(f, &part, FATBIN_ELF, e);
        } else {
            return damaged(b, at, e, "neither a fat binary nor PTX text");
        }
        at += part.size;
    }
    return true;
}
