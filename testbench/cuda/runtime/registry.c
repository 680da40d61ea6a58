/*
 * What compilers put into a program for its start: constructors that hand over fat
 * binaries, the host's twins of kernels and variables, and the stubs behind
 * kernel<<<...>>>(). The functions are not documented; their parameters are what
 * clang's CGCUDANV.cpp writes and nvcc's "-keep" shows.
 */
#include "runtime/module.h"
#include <stdlib.h>
#include <string.h>

/* Prototypes that no header has. */
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
char __cudaInitModule(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device,
                            const char *name, int limit, void *tid, void *bid,
                            void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name,
                       int is_extern, size_t size, int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **host, char *device,
                              const char *name, int is_extern, size_t size,
                              int constant, int global);
void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t size);
void __cudaRegisterTexture(void **handle, const void *host, const void **device,
                           const char *name, int dim, int norm, int is_extern);
void __cudaRegisterSurface(void **handle, const void *host, const void **device,
                           const char *name, int dim, int is_extern);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host);
void smwaveRegisterManaged(void *start, void *stop);
void smwaveRegisterLinkedBinary(void (*register_globals)(void **handle),
                                const void *wrapper, const void *id,
                                void (*unused)(void *));

/* The handle of a binary that memory was lacking for; what is registered in it is
 * not. */
static void **no_binary(void)
{
    return (void **)(void *)&rt_process()->no_binary;
}

/* NULL: out of memory. */
static struct rt_binary *new_binary(void)
{
    struct rt *rt = rt_process();
    struct rt_binary *b = calloc(1, sizeof(*b));

    if (b == NULL || !rt_handle_add(&rt->handles, RT_BINARY, b, b)) {
        free(b);
        return NULL;
    }
    b->next = rt->binaries;
    rt->binaries = b;
    return b;
}

static bool add_image(struct rt_binary *b, const void *image)
{
    const void **more = realloc(b->image, (b->n_images + 1) * sizeof(*more));

    if (more == NULL) {
        return false;
    }
    b->image = more;
    b->image[b->n_images++] = image;
    return true;
}

RT_API void **__cudaRegisterFatBinary(void *wrapper)
{
    struct rt *rt = rt_process();
    struct rt_binary *b;

    pthread_mutex_lock(&rt->lock);
    b = new_binary();
    if (b != NULL && !add_image(b, wrapper)) {
        b = NULL;
    }
    pthread_mutex_unlock(&rt->lock);
    return b != NULL ? (void **)b : no_binary();
}

/* Of our own compiler, for each object of -rdc=true: all of them are one binary, which
 * is linked when a device needs it first. */
RT_API void smwaveRegisterLinkedBinary(void (*register_globals)(void **handle),
                                       const void *wrapper, const void *id,
                                       void (*unused)(void *))
{
    struct rt *rt = rt_process();
    struct rt_binary *b;

    (void)id, (void)unused;
    pthread_mutex_lock(&rt->lock);
    if (rt->linked == NULL) {
        rt->linked = new_binary();
    }
    b = rt->linked;
    if (b != NULL && !add_image(b, wrapper)) {
        b = NULL;
    }
    pthread_mutex_unlock(&rt->lock);
    register_globals(b != NULL ? (void **)b : no_binary());
}

/* The host may read a __managed__ variable before it calls anything; its first value is
 * in the device's code, which is loaded therefore. If that fails the first call says
 * so. */
static void load_managed(void)
{
    struct rt *rt = rt_process();
    struct smw_module *m;
    struct rt_device *d;

    for (struct rt_binary *b = rt->binaries; b != NULL; b = b->next) {
        for (const struct rt_variable *v = b->variables; v != NULL; v = v->next) {
            if (v->managed != NULL && v->managed == v->host && !v->managed_filled &&
                rt_current(&d) == cudaSuccess) {
                (void)rt_module(d, b, &m);
                break;
            }
        }
    }
}

RT_API void __cudaRegisterFatBinaryEnd(void **handle)
{
    struct rt *rt = rt_process();

    (void)handle;
    pthread_mutex_lock(&rt->lock);
    load_managed();
    pthread_mutex_unlock(&rt->lock);
}

/* A library that is unloaded while the program runs takes its kernels with it. At the
 * end of the program devices have been settled before, or are after this, by their own
 * kernels' copies. */
RT_API void __cudaUnregisterFatBinary(void **handle)
{
    struct rt *rt = rt_process();
    struct rt_binary *b;

    pthread_mutex_lock(&rt->lock);
    b = rt_handle_find(&rt->handles, RT_BINARY, handle);
    if (b != NULL) {
        for (struct rt_function *f = b->functions; f != NULL; f = f->next) {
            rt_handle_remove(&rt->handles, RT_FUNCTION, f->host);
        }
        for (struct rt_variable *v = b->variables; v != NULL; v = v->next) {
            rt_handle_remove(&rt->handles, RT_VARIABLE, v->host);
        }
    }
    pthread_mutex_unlock(&rt->lock);
}

RT_API void __cudaRegisterFunction(void **handle, const char *host, char *device,
                                   const char *name, int limit, void *tid, void *bid,
                                   void *block, void *grid, int *warp)
{
    struct rt *rt = rt_process();
    struct rt_function *f = calloc(1, sizeof(*f));

    (void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid,
        (void)warp;
    if (f == NULL || handle == no_binary()) {
        free(f);
        return;
    }
    pthread_mutex_lock(&rt->lock);
    f->host = host;
    f->name = name;
    f->in = (struct rt_binary *)handle;
    f->next = f->in->functions;
    f->in->functions = f;
    (void)rt_handle_add(&rt->handles, RT_FUNCTION, host, f);
    (void)rt_handle_add(&rt->handles, RT_FUNCTION, f, f);
    pthread_mutex_unlock(&rt->lock);
}

static bool is_managed(const void *host)
{
    const struct rt *rt = rt_process();

    for (uint32_t i = 0; i < rt->n_managed; i++) {
        if ((uintptr_t)host >= rt->managed[i].start &&
            (uintptr_t)host < rt->managed[i].stop) {
            return true;
        }
    }
    return false;
}

static void add_variable(void **handle, const void *host, const char *name, size_t size,
                         bool constant, void *managed)
{
    struct rt *rt = rt_process();
    struct rt_variable *v = calloc(1, sizeof(*v));

    if (v == NULL || handle == no_binary()) {
        free(v);
        return;
    }
    pthread_mutex_lock(&rt->lock);
    v->host = host;
    v->name = name;
    v->in = (struct rt_binary *)handle;
    v->size = size;
    v->constant = constant;
    v->managed = managed != NULL || !is_managed(host) ? managed : (void *)host;
    v->next = v->in->variables;
    v->in->variables = v;
    rt->any_managed = rt->any_managed || v->managed != NULL;
    (void)rt_handle_add(&rt->handles, RT_VARIABLE, host, v);
    pthread_mutex_unlock(&rt->lock);
}

RT_API void __cudaRegisterVar(void **handle, char *host, char *device, const char *name,
                              int is_extern, size_t size, int constant, int global)
{
    (void)device, (void)is_extern, (void)global;
    add_variable(handle, host, name, size, constant != 0, NULL);
}

/* The host's code follows *host at each use. */
RT_API void __cudaRegisterManagedVar(void **handle, void **host, char *device,
                                     const char *name, int is_extern, size_t size,
                                     int constant, int global)
{
    void *bytes = calloc(1, size > 0 ? size : 1);

    (void)device, (void)is_extern, (void)global;
    *host = bytes;
    add_variable(handle, host, name, size, constant != 0, bytes);
}

/* Of our own compiler: the host's bytes of the variables registered between start and
 * stop are those that the host uses. Their registration comes before or after. */
RT_API void smwaveRegisterManaged(void *start, void *stop)
{
    struct rt *rt = rt_process();

    pthread_mutex_lock(&rt->lock);
    if (rt->n_managed < sizeof(rt->managed) / sizeof(rt->managed[0])) {
        rt->managed[rt->n_managed].start = (uintptr_t)start;
        rt->managed[rt->n_managed++].stop = (uintptr_t)stop;
    }
    for (struct rt_binary *b = rt->binaries; b != NULL; b = b->next) {
        for (struct rt_variable *v = b->variables; v != NULL; v = v->next) {
            if (v->managed == NULL && is_managed(v->host)) {
                v->managed = (void *)v->host;
                rt->any_managed = true;
            }
        }
    }
    load_managed();
    pthread_mutex_unlock(&rt->lock);
}

RT_API void __cudaRegisterHostVar(void **handle, const char *name, char *host,
                                  size_t size)
{
    (void)handle, (void)name, (void)host, (void)size;
}

RT_API void __cudaRegisterTexture(void **handle, const void *host, const void **device,
                                  const char *name, int dim, int norm, int is_extern)
{
    (void)handle, (void)host, (void)device, (void)dim, (void)norm, (void)is_extern;
    rt_say("texture reference %s: not supported", name);
}

RT_API void __cudaRegisterSurface(void **handle, const void *host, const void **device,
                                  const char *name, int dim, int is_extern)
{
    (void)handle, (void)host, (void)device, (void)dim, (void)is_extern;
    rt_say("surface reference %s: not supported", name);
}

/* Before the host touches a __managed__ variable: its first value is in the device's
 * code. */
static cudaError_t init_module(void **handle)
{
    struct rt_binary *b = rt_handle_find(&rt_process()->handles, RT_BINARY, handle);
    struct smw_module *m;
    struct rt_device *d;
    cudaError_t rc;

    if (b == NULL) {
        return cudaErrorInvalidResourceHandle;
    }
    rc = rt_current(&d);
    return rc == cudaSuccess ? rt_module(d, b, &m) : rc;
}

RT_API char __cudaInitModule(void **handle)
{
    return RT_CALL(init_module(handle)) == cudaSuccess;
}

static cudaError_t get_kernel(const void **kernel, const void *host)
{
    const void *f = rt_handle_find(&rt_process()->handles, RT_FUNCTION, host);

    if (kernel == NULL) {
        return cudaErrorInvalidValue;
    }
    if (f == NULL) {
        return cudaErrorInvalidDeviceFunction;
    }
    *kernel = f;
    return cudaSuccess;
}

RT_API cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host)
{
    return RT_CALL(get_kernel((const void **)kernel, host));
}

RT_API cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *func)
{
    return RT_CALL(get_kernel((const void **)kernel, func));
}

RT_API cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol)
{
    return RT_CALL(get_kernel((const void **)function, symbol));
}
