/* Initialisation, contexts, and which of them is current. */
#include "driver/driver.h"
#include <stdatomic.h>
#include <stdlib.h>

enum { STACK = 64 }; /* contexts that a thread has pushed */

static atomic_bool initialised;
static struct CUctx_st primaries[RT_DEVICES];
static uint32_t created[RT_DEVICES]; /* contexts of cuCtxCreate() that live */
static uint64_t n_contexts;

static _Thread_local struct {
    CUcontext on[STACK]; /* the last is current */
    uint32_t n;
    CUresult refused;
} mine;

CUresult cu_of(cudaError_t e)
{
    switch ((int)e) { /* numbers that the runtime alone has; others are common */
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidHostPointer:
    case cudaErrorInvalidDevicePointer:
    case cudaErrorInvalidMemcpyDirection: return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidSymbol: return CUDA_ERROR_NOT_FOUND;
    case cudaErrorInvalidDeviceFunction: return CUDA_ERROR_INVALID_HANDLE;
    default: return (CUresult)e;
    }
}

/* A call of the runtime makes the primary context of its device current, unless the
 * context that is current is of the same device. */
static void follow_runtime(void)
{
    struct rt_thread *t = rt_thread();
    bool other = mine.n == 0 || mine.on[mine.n - 1]->device != (uint32_t)t->device;

    if (t->bound && other) {
        mine.n += mine.n == 0;
        mine.on[mine.n - 1] = cu_primary((uint32_t)t->device);
    }
    t->bound = false;
}

CUcontext cu_current(void)
{
    follow_runtime();
    return mine.n > 0 ? mine.on[mine.n - 1] : NULL;
}

static bool primary_active(uint32_t device)
{
    return primaries[device].retained > 0 || rt_process()->device[device].primary;
}

bool cu_context_lives(CUcontext c)
{
    for (uint32_t i = 0; i < RT_DEVICES; i++) {
        if (c == &primaries[i]) {
            return primary_active(i);
        }
    }
    return rt_handle_find(&rt_process()->handles, RT_CONTEXT, c) != NULL;
}

CUcontext cu_primary(uint32_t device)
{
    primaries[device].device = device;
    primaries[device].primary = true;
    return &primaries[device];
}

static bool destroyed(CUcontext c)
{
    return c->primary ? !primary_active(c->device) : c->destroyed;
}

/* The runtime has called cuInit() by the time that a device of it is in use. */
static bool is_initialised(void)
{
    for (uint32_t i = 0; i < RT_DEVICES && !atomic_load(&initialised); i++) {
        if (rt_process()->device[i].primary) {
            atomic_store(&initialised, true);
        }
    }
    return atomic_load(&initialised);
}

bool cu_begin(bool needs_context)
{
    struct rt_thread *t = rt_thread();
    CUcontext c = NULL;

    mine.refused = CUDA_SUCCESS;
    if (t->in_callback) {
        mine.refused = CUDA_ERROR_NOT_PERMITTED;
    } else if (!is_initialised()) {
        mine.refused = CUDA_ERROR_NOT_INITIALIZED;
    } else if (needs_context) {
        c = cu_current();
        if (c == NULL) {
            mine.refused = CUDA_ERROR_INVALID_CONTEXT;
        } else if (destroyed(c)) {
            mine.refused = CUDA_ERROR_CONTEXT_IS_DESTROYED;
        }
    }
    if (mine.refused == CUDA_SUCCESS) {
        t->in_driver = true;
    }
    return mine.refused == CUDA_SUCCESS;
}

CUresult cu_refused(void)
{
    return mine.refused;
}

CUresult cu_end(CUresult rc)
{
    rt_thread()->in_driver = false;
    return rc;
}

CUresult cu_unlock(CUresult rc)
{
    (void)rt_leave(cudaSuccess);
    return rc;
}

/* ---- the start ---- */

RT_API CUresult cuInit(unsigned flags)
{
    int n;

    if (flags != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    rt_thread()->in_driver = true;
    if (cu_end(cu_of(cudaGetDeviceCount(&n))) != CUDA_SUCCESS) {
        return CUDA_ERROR_NO_DEVICE;
    }
    atomic_store(&initialised, true);
    return CUDA_SUCCESS;
}

RT_API CUresult cuDriverGetVersion(int *version)
{
    CUresult rc;

    rt_thread()->in_driver = true;
    rc = cu_of(cudaDriverGetVersion(version));
    return cu_end(rc);
}

/* ---- the stack of a thread ---- */

static void run_on(uint32_t device)
{
    rt_thread()->device = (int)device;
    rt_thread()->bound = false;
}

static CUresult push(CUcontext c)
{
    (void)cu_current();
    if (!cu_context_lives(c)) {
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    if (mine.n == STACK) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    mine.on[mine.n++] = c;
    run_on(c->device);
    return CUDA_SUCCESS;
}

static void pop(void)
{
    mine.n--;
    run_on(mine.n > 0 ? mine.on[mine.n - 1]->device : (uint32_t)rt_thread()->device);
}

RT_API CUresult cuCtxPushCurrent_v2(CUcontext c)
{
    return CU_LOCKED(false, push(c));
}

static CUresult pop_to(CUcontext *out)
{
    CUcontext c = cu_current();

    if (c == NULL) {
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    if (out != NULL) {
        *out = c;
    }
    pop();
    return CUDA_SUCCESS;
}

RT_API CUresult cuCtxPopCurrent_v2(CUcontext *out)
{
    return CU_LOCKED(false, pop_to(out));
}

/* Of an empty stack and no context nothing is left to take away. */
static CUresult set_current(CUcontext c)
{
    if (c != NULL && !cu_context_lives(c)) {
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    if (cu_current() != NULL) {
        pop();
    }
    return c != NULL ? push(c) : CUDA_SUCCESS;
}

RT_API CUresult cuCtxSetCurrent(CUcontext c)
{
    return CU_LOCKED(false, set_current(c));
}

static CUresult get_current(CUcontext *out)
{
    if (out == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = cu_current();
    return CUDA_SUCCESS;
}

RT_API CUresult cuCtxGetCurrent(CUcontext *out)
{
    return CU_LOCKED(false, get_current(out));
}

/* ---- making and ending ---- */

/* As CUctx_flags has them; how a host waits means nothing here. */
static bool flags_known(unsigned flags)
{
    const unsigned schedule = flags & CU_CTX_SCHED_MASK;

    return (flags & ~(unsigned)CU_CTX_FLAGS_MASK) == 0 &&
           (schedule == CU_CTX_SCHED_AUTO || schedule == CU_CTX_SCHED_SPIN ||
            schedule == CU_CTX_SCHED_YIELD || schedule == CU_CTX_SCHED_BLOCKING_SYNC);
}

static CUresult create(CUcontext *out, unsigned flags, CUdevice device)
{
    struct rt_device *d;
    CUcontext c;
    CUresult rc;

    if (out == NULL || !flags_known(flags)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    rc = cu_of(rt_device_known(device, &d));
    if (rc != CUDA_SUCCESS) {
        return rc;
    }
    c = calloc(1, sizeof(*c));
    if (c == NULL || !rt_handle_add(&rt_process()->handles, RT_CONTEXT, c, c)) {
        free(c);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    c->device = (uint32_t)device;
    c->flags = flags;
    c->id = ++n_contexts;
    rc = push(c);
    if (rc != CUDA_SUCCESS) {
        rt_handle_remove(&rt_process()->handles, RT_CONTEXT, c);
        free(c);
        return rc;
    }
    created[c->device]++;
    *out = c;
    return CUDA_SUCCESS;
}

RT_API CUresult cuCtxCreate_v2(CUcontext *c, unsigned flags, CUdevice device)
{
    return CU_LOCKED(false, create(c, flags, device));
}

RT_API CUresult cuCtxCreate_v3(CUcontext *c, const void *affinity, int n,
                               unsigned flags, CUdevice device)
{
    (void)affinity;
    return n > 0 ? CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY
                 : cuCtxCreate_v2(c, flags, device);
}

RT_API CUresult cuCtxCreate_v4(CUcontext *c, const struct cu_create_params *params,
                               unsigned flags, CUdevice device)
{
    if (params != NULL && params->graphics != NULL) {
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    return cuCtxCreate_v3(c, NULL, params != NULL ? params->n_affinity : 0, flags,
                          device);
}

/* The last context takes with it all that the device holds. */
static void close_unused(uint32_t device)
{
    struct rt_device *d = &rt_process()->device[device];

    if (created[device] > 0 || primary_active(device) || d->dev == NULL) {
        return;
    }
    (void)rt_settle(d);
    cu_modules_forget(device, NULL);
    rt_device_close(d);
}

/* What is queued in it still runs. */
static CUresult destroy(CUcontext c)
{
    struct rt_device *d;

    if (c == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (!cu_context_lives(c) || c->primary) {
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    d = &rt_process()->device[c->device];
    if (d->dev != NULL) {
        (void)rt_settle(d);
    }
    if (cu_current() == c) {
        pop();
    }
    cu_modules_forget(c->device, c);
    c->destroyed = true;
    rt_handle_remove(&rt_process()->handles, RT_CONTEXT, c);
    created[c->device]--;
    close_unused(c->device);
    return CUDA_SUCCESS;
}

RT_API CUresult cuCtxDestroy_v2(CUcontext c)
{
    return CU_LOCKED(false, destroy(c));
}

/* ---- primary contexts ---- */

static CUresult retain(CUcontext *out, CUdevice device)
{
    struct rt_device *d;
    CUresult rc = cu_of(rt_device_known(device, &d));

    if (rc != CUDA_SUCCESS) {
        return rc;
    }
    if (out == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *out = cu_primary((uint32_t)device);
    (*out)->retained++;
    return CUDA_SUCCESS;
}

RT_API CUresult cuDevicePrimaryCtxRetain(CUcontext *c, CUdevice device)
{
    return CU_LOCKED(false, retain(c, device));
}

static bool is_device(CUdevice device)
{
    return device >= 0 && (uint32_t)device < rt_process()->settings.n_devices;
}

static CUresult release(CUdevice device)
{
    if (!is_device(device)) {
        return CUDA_ERROR_INVALID_DEVICE;
    }
    if (primaries[device].retained == 0) {
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    if (--primaries[device].retained == 0) {
        close_unused((uint32_t)device);
    }
    return CUDA_SUCCESS;
}

RT_API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    return CU_LOCKED(false, release(device));
}

/* As cudaDeviceReset(), for any device. */
static CUresult reset(CUdevice device)
{
    struct rt_device *d;
    CUresult rc = cu_of(rt_device_known(device, &d));

    if (rc != CUDA_SUCCESS) {
        return rc;
    }
    (void)rt_settle(d);
    cu_modules_forget((uint32_t)device, NULL);
    rt_device_close(d);
    return CUDA_SUCCESS;
}

RT_API CUresult cuDevicePrimaryCtxReset_v2(CUdevice device)
{
    return CU_LOCKED(false, reset(device));
}

static CUresult get_state(CUdevice device, unsigned *flags, int *active)
{
    if (!is_device(device)) {
        return CUDA_ERROR_INVALID_DEVICE;
    }
    if (flags == NULL || active == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *flags = rt_process()->flags[device];
    *active = primary_active((uint32_t)device);
    return CUDA_SUCCESS;
}

RT_API CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags,
                                           int *active)
{
    return CU_LOCKED(false, get_state(device, flags, active));
}

static CUresult set_flags(CUdevice device, unsigned flags)
{
    if (!is_device(device)) {
        return CUDA_ERROR_INVALID_DEVICE;
    }
    if (!flags_known(flags)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    rt_process()->flags[device] = flags;
    return CUDA_SUCCESS;
}

RT_API CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags)
{
    return CU_LOCKED(false, set_flags(device, flags));
}
