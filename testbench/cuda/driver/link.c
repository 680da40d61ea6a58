/*
 * Linking: PTX texts are collected, and what comes out is an image of our own that
 * cuModuleLoadData() knows: the model links when it loads. Before, the texts are tried
 * on the current device, so that errors come where a program looks for them.
 */
#include "driver/driver.h"
#include "fatbin/fatbin.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[8] = "SMWLINK";

struct image { /* then texts, each ended by a zero, one after the other */
    char magic[8];
    uint32_t n, unused;
};

struct CUlinkState_st {
    struct cu_log log;
    struct smw_text *text; /* text and name owned */
    uint32_t n;
    struct image *image; /* NULL: not completed */
};

uint32_t cu_linked_texts(const void *image, const void ***out)
{
    const char *at = (const char *)image + sizeof(struct image);
    struct image head;
    const void **list;

    if (strncmp(image, magic, sizeof(magic)) != 0) { /* may be a short text */
        return 0;
    }
    memcpy(&head, image, sizeof(head));
    list = head.n > 0 ? calloc(head.n, sizeof(*list)) : NULL;
    if (list == NULL) {
        return 0;
    }
    for (uint32_t i = 0; i < head.n; i++) {
        list[i] = at;
        at += strlen(at) + 1;
    }
    *out = list;
    return head.n;
}

static struct CUlinkState_st *state_of(CUlinkState s)
{
    return rt_handle_find(&rt_process()->handles, RT_LINK, s);
}

static CUresult create(unsigned n, const CUjit_option *option, void **value,
                       CUlinkState *out)
{
    struct CUlinkState_st *s;
    struct cu_log log;
    CUresult rc = cu_log_of(n, option, value, &log);

    if (rc != CUDA_SUCCESS || out == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    s = calloc(1, sizeof(*s));
    if (s == NULL || !rt_handle_add(&rt_process()->handles, RT_LINK, s, s)) {
        free(s);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    s->log = log;
    *out = s;
    return CUDA_SUCCESS;
}

RT_API CUresult cuLinkCreate_v2(unsigned n, CUjit_option *option, void **value,
                                CUlinkState *out)
{
    return CU_LOCKED(true, create(n, option, value, out));
}

/* Takes text over, whatever comes out. */
static CUresult add_text(struct CUlinkState_st *s, char *text, const char *name)
{
    struct smw_text *more = realloc(s->text, (s->n + 1) * sizeof(*more));
    char *copy = strdup(name != NULL ? name : "<unnamed>");

    if (more != NULL) {
        s->text = more;
    }
    if (text == NULL || more == NULL || copy == NULL) {
        free(text);
        free(copy);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    s->text[s->n++] =
        (struct smw_text){.text = text, .size = strlen(text), .name = copy};
    return CUDA_SUCCESS;
}

/* The PTX for the current device of every fat binary in a file's bytes. */
static CUresult add_fat(struct CUlinkState_st *s, const void *data, size_t size,
                        const char *name, struct smw_err *e)
{
    struct rt_device *d;
    struct fatbin fat = {0};
    uint32_t entry, before = s->n;
    size_t unpacked;
    CUresult rc = cu_of(rt_current(&d));

    if (rc != CUDA_SUCCESS) {
        return rc;
    }
    if (!fatbin_read_file(data, size, name != NULL ? name : "<unnamed>", &fat, e)) {
        return CUDA_ERROR_INVALID_IMAGE;
    }
    for (uint32_t i = 0; i < fat.n_images && rc == CUDA_SUCCESS; i++) {
        uint32_t cc = d->facts.cc_major * 10 + d->facts.cc_minor;

        if (fatbin_choose(&fat, i, cc, &entry, e) != FATBIN_FOUND) {
            continue;
        }
        rc =
            add_text(s, fatbin_unpack(&fat.entry[entry], "cuLink", &unpacked, e), name);
    }
    fatbin_free(&fat);
    return rc == CUDA_SUCCESS && s->n == before ? CUDA_ERROR_NO_BINARY_FOR_GPU : rc;
}

static CUresult add(CUlinkState handle, CUjitInputType type, const void *data,
                    size_t size, const char *name)
{
    struct CUlinkState_st *s = state_of(handle);
    struct smw_err e = {0};
    CUresult rc;
    char *text;

    if (s == NULL) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    if (data == NULL || size == 0 || s->image != NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    switch (type) {
    case CU_JIT_INPUT_PTX: /* size may count the zero, or not */
        text = strndup(data, size);
        if (text != NULL && strstr(text, ".version") == NULL) {
            free(text);
            return CUDA_ERROR_INVALID_PTX;
        }
        return add_text(s, text, name);
    case CU_JIT_INPUT_FATBINARY:
    case CU_JIT_INPUT_OBJECT:
    case CU_JIT_INPUT_LIBRARY:
        rc = add_fat(s, data, size, name, &e);
        if (rc != CUDA_SUCCESS) {
            rt_say_error("cuLinkAddData", &e);
            cu_log_write(&s->log, &e);
        }
        return rc;
    case CU_JIT_INPUT_CUBIN:
        rt_say("cuLinkAddData: %s is machine code; smwave links PTX",
               name != NULL ? name : "what is given");
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

static CUresult add_data(CUlinkState s, CUjitInputType type, const void *data,
                         size_t size, const char *name, unsigned n,
                         const CUjit_option *option, void **value)
{
    struct cu_log log;
    CUresult rc = cu_log_of(n, option, value, &log);

    return rc == CUDA_SUCCESS ? add(s, type, data, size, name) : rc;
}

RT_API CUresult cuLinkAddData_v2(CUlinkState s, CUjitInputType type, void *data,
                                 size_t size, const char *name, unsigned n,
                                 CUjit_option *option, void **value)
{
    return CU_LOCKED(true, add_data(s, type, data, size, name, n, option, value));
}

static CUresult add_file(CUlinkState s, CUjitInputType type, const char *path,
                         unsigned n, const CUjit_option *option, void **value)
{
    CUresult rc = CUDA_ERROR_FILE_NOT_FOUND;
    char *bytes = NULL;
    long size = -1;
    FILE *f;

    if (path == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    f = fopen(path, "rb");
    if (f == NULL) {
        return rc;
    }
    if (fseek(f, 0, SEEK_END) == 0 && (size = ftell(f)) >= 0) {
        rewind(f);
        bytes = malloc((size_t)size + 1);
    }
    if (bytes != NULL && fread(bytes, 1, (size_t)size, f) == (size_t)size) {
        rc = add_data(s, type, bytes, (size_t)size, path, n, option, value);
    }
    free(bytes);
    fclose(f);
    return rc;
}

RT_API CUresult cuLinkAddFile_v2(CUlinkState s, CUjitInputType type, const char *path,
                                 unsigned n, CUjit_option *option, void **value)
{
    return CU_LOCKED(true, add_file(s, type, path, n, option, value));
}

static size_t image_bytes(const struct CUlinkState_st *s)
{
    size_t bytes = sizeof(struct image);

    for (uint32_t i = 0; i < s->n; i++) {
        bytes += s->text[i].size + 1;
    }
    return bytes;
}

static bool make_image(struct CUlinkState_st *s)
{
    char *at;

    s->image = calloc(1, image_bytes(s));
    if (s->image == NULL) {
        return false;
    }
    memcpy(s->image->magic, magic, sizeof(magic));
    s->image->n = s->n;
    at = (char *)(s->image + 1);
    for (uint32_t i = 0; i < s->n; i++) {
        memcpy(at, s->text[i].text, s->text[i].size + 1);
        at += s->text[i].size + 1;
    }
    return true;
}

/* Kernels that want a function which is in no text are what a linker refuses; those
 * with instructions that the model lacks may stand beside others. */
static bool whole(struct smw_module *m, struct smw_err *e)
{
    for (uint32_t i = 0; i < smw_kernels(m); i++) {
        if (!smw_can_run(smw_kernel_at(m, i), e) &&
            e->code != SMW_CODE_UNSUPPORTED_PTX) {
            return false;
        }
    }
    return true;
}

static CUresult try(struct rt_device *d, const struct CUlinkState_st *s)
{
    struct smw_err e = {0};
    struct smw_module *m = smw_load_linked(d->dev, s->text, s->n, &e);
    bool ok = m != NULL && whole(m, &e);

    if (m != NULL) {
        smw_unload(m); /* nothing was launched: it leaves nothing behind */
    }
    cu_log_write(&s->log, ok ? NULL : &e);
    if (ok) {
        return CUDA_SUCCESS;
    }
    rt_say_error("cuLinkComplete", &e);
    return e.code == SMW_CODE_NONE || e.code == SMW_CODE_INVALID_VALUE
               ? CUDA_ERROR_INVALID_PTX
               : cu_of(rt_error_of(e.code));
}

static CUresult complete(CUlinkState handle, void **out, size_t *size)
{
    struct CUlinkState_st *s = state_of(handle);
    struct rt_device *d;
    CUresult rc = cu_of(rt_current(&d));

    if (rc != CUDA_SUCCESS) {
        return rc;
    }
    if (s == NULL) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    if (out == NULL || s->n == 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    rc = try(d, s);
    if (rc != CUDA_SUCCESS) {
        return rc;
    }
    if (s->image == NULL && !make_image(s)) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *out = s->image;
    if (size != NULL) {
        *size = image_bytes(s);
    }
    return CUDA_SUCCESS;
}

RT_API CUresult cuLinkComplete(CUlinkState s, void **image, size_t *size)
{
    return CU_LOCKED(true, complete(s, image, size));
}

static CUresult destroy(CUlinkState handle)
{
    struct CUlinkState_st *s = state_of(handle);

    if (s == NULL) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    rt_handle_remove(&rt_process()->handles, RT_LINK, s);
    for (uint32_t i = 0; i < s->n; i++) {
        free((char *)(uintptr_t)s->text[i].text);
        free((char *)(uintptr_t)s->text[i].name);
    }
    free(s->text);
    free(s->image);
    free(s);
    return CUDA_SUCCESS;
}

RT_API CUresult cuLinkDestroy(CUlinkState s)
{
    return CU_LOCKED(true, destroy(s));
}
