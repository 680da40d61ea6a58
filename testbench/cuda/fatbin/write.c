/* write.c - fat binaries of our own. */
#include "fatbin/fatbin_priv.h"

#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { ENTRY_VERSION = 0x101, ZSTD_LEVEL = 3 };

struct out {
    uint8_t *data; /* NULL: no memory */
    size_t n, cap;
};

static void put(struct out *o, const void *data, size_t n)
{
    if (o->data == NULL) {
        return;
    }
    if (o->cap - o->n < n) {
        uint8_t *bigger;

        o->cap = 2 * (o->n + n);
        bigger = realloc(o->data, o->cap);
        if (bigger == NULL) {
            free(o->data);
        }
        o->data = bigger;
    }
    if (o->data != NULL && n > 0) {
        memcpy(o->data + o->n, data, n);
        o->n += n;
    }
}

static void pad(struct out *o)
{
    static const uint8_t zeros[FATBIN_ALIGN];

    put(o, zeros, (FATBIN_ALIGN - o->n % FATBIN_ALIGN) % FATBIN_ALIGN);
}

static void set(uint8_t *at, uint32_t bytes, uint64_t v)
{
    for (uint32_t i = 0; i < bytes; i++) {
        at[i] = (uint8_t)(v >> 8 * i);
    }
}

/* The data packed, in *n bytes; NULL without memory. */
static void *pack(const struct fatbin_source *s, size_t *n)
{
    const size_t room = s->packing == FATBIN_LZ4
                            ? (size_t)LZ4_compressBound((int)s->size)
                            : ZSTD_compressBound(s->size);
    void *const to = malloc(room);

    if (to == NULL) {
        return NULL;
    }
    if (s->packing == FATBIN_LZ4) {
        *n = (size_t)LZ4_compress_default(s->data, to, (int)s->size, (int)room);
    } else {
        *n = ZSTD_compress(to, room, s->data, s->size, ZSTD_LEVEL);
    }
    if (*n == 0 || (s->packing == FATBIN_ZSTD && ZSTD_isError(*n))) {
        free(to);
        return NULL;
    }
    return to;
}

static uint64_t flags_of(const struct fatbin_source *s)
{
    uint64_t flags = FATBIN_FLAG_64BIT | FATBIN_FLAG_LINUX;

    switch (s->packing) {
    case FATBIN_PLAIN: break;
    case FATBIN_LZ4: flags |= FATBIN_FLAG_LZ4; break;
    case FATBIN_ZSTD: flags |= FATBIN_FLAG_ZSTD; break;
    }
    flags |= s->suffix == 'a' ? FATBIN_FLAG_SPECIFIC : 0;
    return flags | (s->suffix == 'f' ? FATBIN_FLAG_FAMILY : 0);
}

static bool put_entry(struct out *o, const struct fatbin_source *s)
{
    const size_t n_name = s->source != NULL ? strlen(s->source) : 0;
    const size_t header =
        (FATBIN_ENTRY + n_name + FATBIN_ALIGN - 1) / FATBIN_ALIGN * FATBIN_ALIGN;
    const size_t is_text = s->kind == FATBIN_PTX && s->packing == FATBIN_PLAIN;
    uint8_t h[FATBIN_ENTRY] = {0};
    size_t n = s->size;
    void *packed = NULL;

    if (s->packing != FATBIN_PLAIN) {
        packed = pack(s, &n);
        if (packed == NULL) {
            return false;
        }
        set(h + FATBIN_ENTRY_PACKED, 4, n);
        set(h + FATBIN_ENTRY_UNPACKED, 8, s->size);
    }
    set(h + FATBIN_ENTRY_KIND, 2, s->kind == FATBIN_PTX ? 1 : 2);
    set(h + FATBIN_ENTRY_VERSION, 2, ENTRY_VERSION);
    set(h + FATBIN_ENTRY_HEADER, 4, header);
    /* A text has at least one zero behind it, so that it can be read where it is. */
    set(h + FATBIN_ENTRY_ROOM, 8,
        (n + is_text + FATBIN_ALIGN - 1) / FATBIN_ALIGN * FATBIN_ALIGN);
    set(h + FATBIN_ENTRY_MINOR, 2, s->ptx % 10);
    set(h + FATBIN_ENTRY_MAJOR, 2, s->ptx / 10);
    set(h + FATBIN_ENTRY_TARGET, 4, s->target);
    if (n_name > 0) {
        set(h + FATBIN_ENTRY_NAME, 4, FATBIN_ENTRY);
        set(h + FATBIN_ENTRY_NAME_LEN, 4, n_name);
    }
    set(h + FATBIN_ENTRY_FLAGS, 8, flags_of(s));
    put(o, h, sizeof(h));
    put(o, s->source, n_name);
    pad(o);
    put(o, packed != NULL ? packed : s->data, n);
    put(o, "", is_text);
    pad(o);
    free(packed);
    return true;
}

bool fatbin_write(const struct fatbin_source *s, uint32_t n, void **bytes, size_t *size,
                  struct smw_err *e)
{
    uint8_t head[FATBIN_HEADER] = {0};
    struct out o = {.data = malloc(4096), .cap = 4096};
    bool ok = true;

    put(&o, head, sizeof(head));
    for (uint32_t i = 0; i < n && ok; i++) {
        if (s[i].size > FATBIN_MAX_UNPACKED) {
            err_set(e, SMW_ERR_INPUT, "code of more than %d bytes for a fat binary",
                    FATBIN_MAX_UNPACKED);
            free(o.data);
            return false;
        }
        ok = put_entry(&o, &s[i]);
    }
    if (!ok || o.data == NULL) {
        free(o.data);
        return fatbin_no_memory(e);
    }
    set(o.data, 4, FATBIN_MAGIC);
    set(o.data + 4, 2, 1);
    set(o.data + 6, 2, FATBIN_HEADER);
    set(o.data + 8, 8, o.n - FATBIN_HEADER);
    *bytes = o.data;
    *size = o.n;
    return true;
}
