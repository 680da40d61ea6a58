/*
 * fatbin_fuzz.c - libFuzzer: any bytes as a file with code for devices. They are
 * refused with a reason, or every entry lies inside the file and can be unpacked,
 * listed and chosen, or is refused with a reason.
 */
#include "fatbin/fatbin.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool ok)
{
    if (!ok) {
        abort();
    }
}

static void has_reason(const struct smw_err *e)
{
    expect(e->kind != SMW_ERR_NONE && e->message[0] != '\0');
}

static void read_name(void *ctx, const char *name, size_t n)
{
    size_t *sum = ctx;

    for (size_t i = 0; i < n; i++) {
        *sum += (unsigned char)name[i];
    }
}

static void look_at(const struct fatbin_entry *x, const uint8_t *data, size_t size)
{
    const uint8_t *const at = x->data;
    struct smw_err e = {0};
    size_t n = 0, sum = 0;
    char *text, target[24];

    expect(at >= data && x->stored <= size && (size_t)(at - data) <= size - x->stored);
    expect(strlen(fatbin_target_name(x, target, sizeof(target))) > 3);
    text = fatbin_unpack(x, "fuzz", &n, &e);
    if (text == NULL) {
        has_reason(&e);
        return;
    }
    expect(n <= x->size && text[n] == '\0');
    fatbin_kernels(x->kind, text, n, read_name, &sum);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct smw_err e = {0};
    struct fatbin f;

    if (!fatbin_read_file(data, size, "fuzz", &f, &e)) {
        has_reason(&e);
        expect(f.n_entries == 0);
        return 0;
    }
    for (uint32_t i = 0; i < f.n_images; i++) {
        uint32_t entry = UINT32_MAX;

        e = (struct smw_err){0};
        expect(f.image[i].first + f.image[i].n <= f.n_entries);
        if (fatbin_choose(&f, i, 90, &entry, &e) == FATBIN_FOUND) {
            expect(entry >= f.image[i].first &&
                   entry < f.image[i].first + f.image[i].n &&
                   f.entry[entry].kind == FATBIN_PTX);
        } else {
            has_reason(&e);
        }
    }
    /* A file of 1 MB may claim many entries of 256 MB each. */
    for (uint32_t i = 0; i < f.n_entries && i < 8; i++) {
        look_at(&f.entry[i], data, size);
    }
    fatbin_free(&f);
    return 0;
}
