/* memory.c - fat binaries that a program has in memory. */
#include "fatbin/fatbin_priv.h"

#include <string.h>

struct wrapper { /* what compilers put into .nvFatBinSegment */
    uint32_t magic, version;
    const void *data;
    const void *more; /* version 2: the images to link, NULL behind the last */
};

/* Longer than any PTX; a text in memory ends before, or it is none. */
#define MAX_TEXT ((uint64_t)FATBIN_MAX_UNPACKED)

static bool read_one(struct fatbin *f, const void *image, const char *name,
                     bool to_link, struct smw_err *e)
{
    struct fatbin_bytes b = {.data = image, .where = name, .to_link = to_link};
    uint64_t used;

    /* No byte is looked at before those in front of it said that it is there. */
    if (b.data[0] == (FATBIN_MAGIC & 0xff) && fatbin_get(b.data, 4) == FATBIN_MAGIC) {
        const uint64_t size = fatbin_get(b.data + 8, 8);

        b.size = fatbin_get(b.data + 6, 2);
        if (size > SIZE_MAX - b.size) {
            return err_set(e, SMW_ERR_INPUT, "%s: damaged fat binary", name);
        }
        b.size += size;
        return fatbin_read_image(f, &b, &used, e);
    }
    if (b.data[0] == 0x7f && fatbin_is_elf(b.data, 4)) {
        b.size = 64; /* its header is enough: no device here runs it */
        return fatbin_read_single(f, &b, FATBIN_ELF, e);
    }
    b.size = strnlen(image, MAX_TEXT);
    if (!fatbin_is_ptx(b.data, b.size)) {
        return err_set(e, SMW_ERR_INPUT,
                       "%s is no fat binary, no PTX text and no machine code", name);
    }
    return fatbin_read_single(f, &b, FATBIN_PTX, e);
}

static bool read_wrapper(struct fatbin *f, const struct wrapper *w, const char *name,
                         struct smw_err *e)
{
    const void *const *list = w->version == 2 ? w->more : NULL;

    if (w->version != 1 && w->version != 2) {
        return err_set(e, SMW_ERR_INPUT,
                       "%s: the wrapper of a fat binary has version %u: 1 and 2 are "
                       "known",
                       name, (unsigned)w->version);
    }
    if (w->data == NULL && (list == NULL || *list == NULL)) {
        return err_set(e, SMW_ERR_INPUT, "%s: the wrapper of a fat binary is empty",
                       name);
    }
    if (w->data != NULL && !read_one(f, w->data, name, false, e)) {
        return false;
    }
    for (; list != NULL && *list != NULL; list++) {
        if (!read_one(f, *list, name, true, e)) {
            return false;
        }
    }
    return true;
}

bool fatbin_read_memory(const void *image, const char *name, struct fatbin *out,
                        struct smw_err *e)
{
    struct fatbin f = {0};
    const uint8_t *const at = image;
    bool ok;

    memset(out, 0, sizeof(*out));
    if (image == NULL) {
        return err_set(e, SMW_ERR_INPUT, "%s: no image at address 0", name);
    }
    if (at[0] == (FATBIN_WRAPPER_MAGIC & 0xff) &&
        fatbin_get(at, 4) == FATBIN_WRAPPER_MAGIC) {
        struct wrapper w;

        memcpy(&w, image, sizeof(w));
        ok = read_wrapper(&f, &w, name, e);
    } else {
        ok = read_one(&f, image, name, false, e);
    }
    if (!ok) {
        fatbin_free(&f);
        return false;
    }
    *out = f;
    return true;
}
