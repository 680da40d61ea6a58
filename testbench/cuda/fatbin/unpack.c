/* unpack.c - the data of an entry: as it is, LZ4 or zstd. */
#include "fatbin/fatbin_priv.h"

#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

static char *refuse(const char *name, const char *what, struct smw_err *e)
{
    err_set(e, SMW_ERR_INPUT, "%s: %s", name, what);
    return NULL;
}

/* size bytes at out, and why not. */
static const char *unpack(const struct fatbin_entry *x, char *out, size_t size)
{
    switch (x->packing) {
    case FATBIN_PLAIN: memcpy(out, x->data, size); return NULL;
    case FATBIN_LZ4:
        return x->stored <= INT32_MAX &&
                       LZ4_decompress_safe(x->data, out, (int)x->stored, (int)size) ==
                           (int)size
                   ? NULL
                   : "its LZ4 data are damaged";
    case FATBIN_ZSTD:
        return ZSTD_decompress(out, size, x->data, (size_t)x->stored) == size
                   ? NULL
                   : "its zstd data are damaged";
    }
    return "packed in an unknown way";
}

/* LZ4 makes at most 255 bytes of one; a frame of zstd says how many it makes. */
static bool may_be_so_large(const struct fatbin_entry *x)
{
    switch (x->packing) {
    case FATBIN_PLAIN: return true;
    case FATBIN_LZ4: return x->size / 255 <= x->stored;
    case FATBIN_ZSTD: {
        const unsigned long long n =
            ZSTD_getFrameContentSize(x->data, (size_t)x->stored);

        return n == ZSTD_CONTENTSIZE_UNKNOWN || n == x->size;
    }
    }
    return false;
}

char *fatbin_unpack(const struct fatbin_entry *x, const char *name, size_t *size,
                    struct smw_err *e)
{
    size_t n = (size_t)x->size;
    const char *wrong;
    char *out;

    if (x->size > FATBIN_MAX_UNPACKED) {
        err_set(e, SMW_ERR_INPUT, "%s: an entry of %llu bytes: at most %d are read",
                name, (unsigned long long)x->size, FATBIN_MAX_UNPACKED);
        return NULL;
    }
    if (!may_be_so_large(x)) {
        return refuse(name, "its packed data do not have the length it says", e);
    }
    out = malloc(n + 1);
    if (out == NULL) {
        (void)fatbin_no_memory(e);
        return NULL;
    }
    wrong = unpack(x, out, n);
    if (wrong != NULL) {
        free(out);
        return refuse(name, wrong, e);
    }
    while (x->kind == FATBIN_PTX && n > 0 && out[n - 1] == '\0') {
        n--;
    }
    out[n] = '\0';
    *size = n;
    return out;
}
