/* Code that a program loads by name: PTX text, fat binaries, and what was linked. */
#include "driver/driver.h"
#include "fatbin/fatbin.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct CUmod_st *modules; /* all that are loaded */

/* ---- loading and unloading ---- */

static void free_binary(struct rt_binary *b)
{
    for (struct rt_function *f = b->functions, *next; f != NULL; f = next) {
        next = f->next;
        free((char *)(uintptr_t)f->name);
        free(f);
    }
    free(b);
}

/* The model keeps the code until the device closes, since results and observers tell of
 * it; the handles are gone. */
static void unload(struct CUmod_st *m)
{
    struct rt *rt = rt_process();
    struct CUmod_st **at = &modules;
    struct rt_binary **b = &rt->binaries;

    while (*at != m) {
        at = &(*at)->next;
    }
    *at = m->next;
    while (*b != m->binary) {
        b = &(*b)->next;
    }
    *b = m->binary->next;
    for (struct rt_function *f = m->binary->functions; f != NULL; f = f->next) {
        rt_handle_remove(&rt->handles, RT_FUNCTION, f);
    }
    rt_handle_remove(&rt->handles, RT_MODULE, m);
    free_binary(m->binary);
    free(m);
}

void cu_modules_forget(uint32_t device, CUcontext c)
{
    for (struct CUmod_st *m = modules, *next; m != NULL; m = next) {
        next = m->next;
        if (c != NULL ? m->context == c : m->context->device == device) {
            unload(m);
        }
    }
}

/* Of text that is for a later device a driver's compiler says that it is wrong. */
static CUresult number_of(cudaError_t rc, const void *image)
{
    /* of ELF, a fat binary, and the wrapper of one; a text may be shorter */
    static const char *const binary[] = {"\177ELF", "\x50\xed\x55\xba",
                                         "\xb1\x43\x62\x46"};
    bool text = rc == cudaErrorNoKernelImageForDevice;

    for (size_t i = 0; i < sizeof(binary) / sizeof(binary[0]); i++) {
        text = text && strncmp(image, binary[i], 4) != 0;
    }
    if (text) {
        return CUDA_ERROR_INVALID_PTX;
    }
    return cu_of(rc);
}

static CUresult add_module(CUmodule *out, struct rt_binary *b)
{
    struct rt *rt = rt_process();
    struct CUmod_st *m = calloc(1, sizeof(*m));

    if (m == NULL || !rt_handle_add(&rt->handles, RT_MODULE, m, m)) {
        free(m);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    m->binary = b;
    m->context = cu_current();
    m->next = modules;
    modules = m;
    b->next = rt->binaries;
    rt->binaries = b;
    *out = m;
    return CUDA_SUCCESS;
}

/* Loaded on the current device now, and on no other later: the image may go. */
static CUresult load(CUmodule *out, const void *image, const struct cu_log *log)
{
    struct smw_err e = {0};
    const void **texts = NULL;
    struct rt_binary *b;
    struct rt_device *d;
    uint32_t n;
    CUresult rc;

    if (out == NULL || image == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    rc = cu_of(rt_current(&d));
    if (rc != CUDA_SUCCESS) {
        return rc;
    }
    b = calloc(1, sizeof(*b));
    if (b == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    n = cu_linked_texts(image, &texts);
    b->image = n > 0 ? texts : &image;
    b->n_images = n > 0 ? n : 1;
    rc = number_of(rt_load(d, b, &b->on[rt_device_index(d)].module, &e), b->image[0]);
    free(texts);
    b->image = NULL;
    b->n_images = 0;
    for (uint32_t i = 0; i < RT_DEVICES; i++) {
        if (b->on[i].module == NULL) {
            b->on[i].why = cudaErrorInvalidResourceHandle;
        }
    }
    if (rc == CUDA_SUCCESS) {
        rc = add_module(out, b);
    } else {
        rt_say_error("loading a module", &e);
    }
    cu_log_write(log, rc != CUDA_SUCCESS ? &e : NULL);
    if (rc != CUDA_SUCCESS) {
        free(b);
    }
    return rc;
}

RT_API CUresult cuModuleLoadData(CUmodule *m, const void *image)
{
    const struct cu_log none = {0};

    return CU_LOCKED(true, load(m, image, &none));
}

RT_API CUresult cuModuleLoadFatBinary(CUmodule *m, const void *image)
{
    return cuModuleLoadData(m, image);
}

static CUresult load_ex(CUmodule *m, const void *image, unsigned n,
                        const CUjit_option *option, void **value)
{
    struct cu_log log;
    CUresult rc = cu_log_of(n, option, value, &log);

    return rc == CUDA_SUCCESS ? load(m, image, &log) : rc;
}

RT_API CUresult cuModuleLoadDataEx(CUmodule *m, const void *image, unsigned n,
                                   CUjit_option *option, void **value)
{
    return CU_LOCKED(true, load_ex(m, image, n, option, value));
}

/* A fat binary in a file says how long it is; that must be true. */
static bool whole(const char *bytes, size_t size)
{
    uint32_t magic;
    uint16_t header;
    uint64_t body;

    if (size < 16) {
        return true;
    }
    memcpy(&magic, bytes, sizeof(magic));
    memcpy(&header, bytes + 6, sizeof(header));
    memcpy(&body, bytes + 8, sizeof(body));
    return magic != 0xba55ed50u || (header <= size && body <= size - header);
}

static char *read_file(FILE *f, size_t *size)
{
    char *bytes = NULL;
    long n;

    if (fseek(f, 0, SEEK_END) == 0 && (n = ftell(f)) >= 0) {
        rewind(f);
        bytes = calloc(1, (size_t)n + 1);
        *size = (size_t)n;
    }
    if (bytes != NULL && fread(bytes, 1, *size, f) != *size) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

/* Machine code alone is found out by its first bytes: it is no use to read it. */
static CUresult load_bytes(CUmodule *m, const char *bytes, size_t size)
{
    const struct cu_log none = {0};

    if (size >= 4 && memcmp(bytes, "\177ELF", 4) == 0) {
        rt_say("cuModuleLoad: the file is machine code; smwave runs PTX: compile with "
               "\"nvcc -ptx\" or \"-fatbin\"");
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    return whole(bytes, size) ? load(m, bytes, &none) : CUDA_ERROR_INVALID_IMAGE;
}

static CUresult load_file(CUmodule *m, const char *path)
{
    CUresult rc;
    size_t size;
    char *bytes;
    FILE *f;

    if (m == NULL || path == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    f = fopen(path, "rb");
    if (f == NULL) {
        return CUDA_ERROR_FILE_NOT_FOUND;
    }
    bytes = read_file(f, &size);
    fclose(f);
    if (bytes == NULL) {
        return CUDA_ERROR_FILE_NOT_FOUND; /* a folder */
    }
    rc = load_bytes(m, bytes, size);
    free(bytes);
    return rc;
}

RT_API CUresult cuModuleLoad(CUmodule *m, const char *path)
{
    return CU_LOCKED(true, load_file(m, path));
}

/* NULL: no module that is loaded. */
static struct CUmod_st *module_of(CUmodule m)
{
    return rt_handle_find(&rt_process()->handles, RT_MODULE, m);
}

static CUresult unload_settled(CUmodule handle)
{
    struct CUmod_st *m = module_of(handle);
    struct rt_device *d;
    CUresult rc;

    if (m == NULL) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    rc = cu_of(rt_device_open((int)m->context->device, &d));
    if (rc == CUDA_SUCCESS) {
        rc = cu_of(rt_settle(d));
    }
    unload(m); /* after a fault too */
    return rc;
}

RT_API CUresult cuModuleUnload(CUmodule m)
{
    return CU_LOCKED(true, unload_settled(m));
}

/* ---- what is in it ---- */

static struct rt_function *known_function(const struct rt_binary *b, const char *name)
{
    struct rt_function *f = b->functions;

    while (f != NULL && strcmp(f->name, name) != 0) {
        f = f->next;
    }
    return f;
}

static struct rt_function *new_function(struct rt_binary *b, const char *name)
{
    struct rt_function *f = calloc(1, sizeof(*f));
    char *copy = strdup(name);

    if (f == NULL || copy == NULL ||
        !rt_handle_add(&rt_process()->handles, RT_FUNCTION, f, f)) {
        free(f);
        free(copy);
        return NULL;
    }
    f->name = copy;
    f->in = b;
    f->next = b->functions;
    b->functions = f;
    return f;
}

/* The name in the code, whole: the model would find a base name too. */
static CUresult get_function(CUfunction *out, CUmodule handle, const char *name)
{
    struct CUmod_st *m = module_of(handle);
    const struct smw_kernel *k;
    struct smw_err e = {0};
    struct rt_function *f;

    if (out == NULL || name == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (m == NULL) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    f = known_function(m->binary, name);
    if (f == NULL) {
        k = smw_kernel(m->binary->on[m->context->device].module, name, &e);
        if (k == NULL || strcmp(smw_kernel_name(k), name) != 0) {
            return CUDA_ERROR_NOT_FOUND;
        }
        f = new_function(m->binary, name);
    }
    if (f == NULL) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *out = (CUfunction)f;
    return CUDA_SUCCESS;
}

RT_API CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name)
{
    return CU_LOCKED(true, get_function(f, m, name));
}

static CUresult get_global(CUdeviceptr *at, size_t *bytes, CUmodule handle,
                           const char *name)
{
    struct CUmod_st *m = module_of(handle);
    struct smw_err e = {0};
    uint64_t addr, size;

    if (name == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (m == NULL) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    if (!smw_symbol_address(m->binary->on[m->context->device].module, name, &addr,
                            &size, &e)) {
        return CUDA_ERROR_NOT_FOUND;
    }
    if (at != NULL) {
        *at = addr;
    }
    if (bytes != NULL) {
        *bytes = size;
    }
    return CUDA_SUCCESS;
}

RT_API CUresult cuModuleGetGlobal_v2(CUdeviceptr *at, size_t *bytes, CUmodule m,
                                     const char *name)
{
    return CU_LOCKED(true, get_global(at, bytes, m, name));
}

CUresult cu_kernel(CUfunction f, struct rt_kernel **k)
{
    struct rt_device *d;
    CUresult rc = cu_of(rt_current(&d));

    if (rc != CUDA_SUCCESS) {
        return rc;
    }
    return f == NULL ? CUDA_ERROR_INVALID_HANDLE : cu_of(rt_kernel(d, f, NULL, k));
}

static CUresult module_of_function(CUmodule *out, CUfunction handle)
{
    const struct rt_function *f =
        rt_handle_find(&rt_process()->handles, RT_FUNCTION, handle);

    if (out == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (struct CUmod_st *m = modules; f != NULL && m != NULL; m = m->next) {
        if (m->binary == f->in) {
            *out = m;
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_INVALID_HANDLE;
}

RT_API CUresult cuFuncGetModule(CUmodule *m, CUfunction f)
{
    return CU_LOCKED(true, module_of_function(m, f));
}
