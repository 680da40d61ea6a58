#define _GNU_SOURCE /* program_invocation_short_name */
#include "runtime/module.h"
#include "fatbin/fatbin.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXTS = 4096 }; /* of one binary: objects linked with -rdc=true */

/* The PTX of each image for d, unpacked. What has machine code alone counts only if
 * nothing else is there. */
static cudaError_t collect(struct rt_device *d, const struct fatbin *fat,
                           struct smw_text *text, uint32_t *n, struct smw_err *e)
{
    uint32_t cc = d->facts.cc_major * 10 + d->facts.cc_minor, entry, before = *n;
    struct smw_err other = {0};

    for (uint32_t i = 0; i < fat->n_images; i++) {
        switch (fatbin_choose(fat, i, cc, &entry, &other)) {
        case FATBIN_FOUND: break;
        case FATBIN_TOO_NEW: *e = other; return cudaErrorNoKernelImageForDevice;
        case FATBIN_NO_PTX: continue;
        }
        if (*n == MOST_TEXTS) {
            e->kind = SMW_ERR_INPUT;
            snprintf(e->message, sizeof(e->message),
                     "more than %d objects are linked into the program", MOST_TEXTS);
            return cudaErrorInvalidKernelImage;
        }
        text[*n].name = program_invocation_short_name;
        text[*n].text = fatbin_unpack(&fat->entry[entry], program_invocation_short_name,
                                      &text[*n].size, e);
        if (text[*n].text == NULL) {
            return cudaErrorInvalidKernelImage;
        }
        ++*n;
    }
    if (*n == before) {
        *e = other;
        return cudaErrorNoKernelImageForDevice;
    }
    return cudaSuccess;
}

static void tell_loaded(struct rt_device *d, const struct smw_module *m,
                        const struct smw_text *t, uint32_t n)
{
    struct rt *rt = rt_process();

    for (uint32_t o = 0; o < rt->n_observers; o++) {
        const struct rt_observer *x = &rt->observer[o];

        if (x->module_loaded != NULL) {
            x->module_loaded(x->ctx, rt_device_index(d), m, t, n);
        }
    }
}

static cudaError_t load_texts(struct rt_device *d, const struct smw_text *text,
                              uint32_t n, struct smw_module **m, struct smw_err *e)
{
    *m = n == 1 ? smw_load(d->dev, text[0].text, text[0].size, text[0].name, e)
                : smw_load_linked(d->dev, text, n, e);
    if (*m == NULL) {
        /* what is wrong with a text as a whole has no number of its own */
        return e->code == SMW_CODE_NONE || e->code == SMW_CODE_INVALID_VALUE
                   ? cudaErrorInvalidPtx
                   : rt_error_of(e->code);
    }
    tell_loaded(d, *m, text, n);
    return cudaSuccess;
}

/* The PTX of all images of b, into text. */
static cudaError_t read_images(struct rt_device *d, const struct rt_binary *b,
                               struct smw_text *text, uint32_t *n, struct smw_err *e)
{
    cudaError_t rc = b->n_images > 0 ? cudaSuccess : cudaErrorInvalidKernelImage;

    for (uint32_t i = 0; i < b->n_images && rc == cudaSuccess; i++) {
        struct fatbin fat = {0};

        rc = cudaErrorInvalidKernelImage;
        if (fatbin_read_memory(b->image[i], program_invocation_short_name, &fat, e)) {
            rc = collect(d, &fat, text, n, e);
        }
        fatbin_free(&fat);
    }
    return rc;
}

cudaError_t rt_load(struct rt_device *d, const struct rt_binary *b,
                    struct smw_module **m, struct smw_err *e)
{
    struct smw_text *text = calloc(MOST_TEXTS, sizeof(*text));
    uint32_t n = 0;
    cudaError_t rc;

    if (text == NULL) {
        return cudaErrorMemoryAllocation;
    }
    rc = read_images(d, b, text, &n, e);
    if (rc == cudaSuccess) {
        rc = load_texts(d, text, n, m, e);
    }
    for (uint32_t i = 0; i < n; i++) {
        free((char *)(uintptr_t)text[i].text);
    }
    free(text);
    return rc;
}

static bool all_zero(const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return true;
}

/* The first values are in the device's code, unless the host has written others before
 * the device was needed. */
static void fill_managed(struct rt_binary *b, struct smw_module *m)
{
    struct smw_err e = {0};

    for (struct rt_variable *v = b->variables; v != NULL; v = v->next) {
        if (v->managed != NULL && !v->managed_filled) {
            v->managed_filled = true;
            if (!all_zero(v->managed, v->size)) {
                continue;
            }
            (void)smw_read_symbol(m, v->name, 0, v->managed, v->size, &e);
        }
    }
}

cudaError_t rt_module(struct rt_device *d, struct rt_binary *b, struct smw_module **m)
{
    struct rt_loaded *l = &b->on[rt_device_index(d)];
    struct smw_err e = {0};

    if (l->module == NULL && l->why == cudaSuccess) {
        l->why = rt_load(d, b, &l->module, &e);
        if (l->why == cudaSuccess) {
            fill_managed(b, l->module);
        } else {
            rt_say_error("loading the program's device code", &e);
        }
    }
    if (l->module != NULL) {
        *m = l->module;
    }
    return l->why;
}

void rt_modules_load(struct rt_device *d)
{
    struct smw_module *m;

    for (struct rt_binary *b = rt_process()->binaries; b != NULL; b = b->next) {
        (void)rt_module(d, b, &m);
    }
}

void rt_modules_forget(uint32_t device)
{
    for (struct rt_binary *b = rt_process()->binaries; b != NULL; b = b->next) {
        b->on[device] = (struct rt_loaded){
            .why = b->n_images > 0 ? cudaSuccess : cudaErrorInvalidResourceHandle,
        };
        for (struct rt_function *f = b->functions; f != NULL; f = f->next) {
            f->on[device] = (struct rt_kernel){0};
        }
    }
}

cudaError_t rt_kernel(struct rt_device *d, const void *func, struct rt_function **out,
                      struct rt_kernel **k)
{
    struct rt_function *f = rt_handle_find(&rt_process()->handles, RT_FUNCTION, func);
    struct smw_err e = {0};
    struct smw_module *m;
    struct rt_kernel *on;
    cudaError_t rc;

    if (f == NULL) { /* what is no kernel may be a handle that is none */
        return func == NULL ? cudaErrorInvalidDeviceFunction
                            : cudaErrorInvalidResourceHandle;
    }
    on = &f->on[rt_device_index(d)];
    if (!on->known) {
        rc = rt_module(d, f->in, &m);
        if (rc != cudaSuccess) {
            return rc;
        }
        *on = (struct rt_kernel){.known = true, .carveout = -1, .max_dynamic = -1};
        on->kernel = smw_kernel(m, f->name, &e);
        if (on->kernel == NULL) {
            rt_say_error(f->name, &e);
        }
    }
    if (on->kernel == NULL) {
        return cudaErrorInvalidDeviceFunction;
    }
    if (out != NULL) {
        *out = f;
    }
    *k = on;
    return cudaSuccess;
}

cudaError_t rt_symbol(struct rt_device *d, const void *symbol, struct rt_variable **out,
                      uint64_t *addr)
{
    struct rt_variable *v = rt_handle_find(&rt_process()->handles, RT_VARIABLE, symbol);
    struct smw_err e = {0};
    struct smw_module *m = NULL;
    uint64_t bytes;
    cudaError_t rc;

    if (v == NULL) {
        return cudaErrorInvalidSymbol;
    }
    rc = rt_module(d, v->in, &m);
    if (rc != cudaSuccess) {
        return rc;
    }
    *out = v;
    return smw_symbol_address(m, v->name, addr, &bytes, &e) ? cudaSuccess
                                                            : cudaErrorInvalidSymbol;
}

/* Calls with each __managed__ variable that is on d. */
static cudaError_t move_managed(struct rt_device *d, bool to)
{
    uint32_t i = rt_device_index(d);
    struct smw_err e = {0};
    bool ok = true;

    for (struct rt_binary *b = rt_process()->binaries; b != NULL; b = b->next) {
        for (struct rt_variable *v = b->variables; v != NULL; v = v->next) {
            struct smw_module *m = b->on[i].module;

            if (v->managed == NULL || m == NULL) {
                continue;
            }
            ok = ok && (to ? smw_write_symbol(m, v->name, 0, v->managed, v->size, &e)
                           : smw_read_symbol(m, v->name, 0, v->managed, v->size, &e));
        }
    }
    return ok ? cudaSuccess : rt_ran(d, ok, &e, "a __managed__ variable");
}

cudaError_t rt_managed_to(struct rt_device *d)
{
    return rt_process()->any_managed ? move_managed(d, true) : cudaSuccess;
}

void rt_managed_from(struct rt_device *d)
{
    if (rt_process()->any_managed) {
        (void)move_managed(d, false);
    }
}
