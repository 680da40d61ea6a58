/* What can be asked of the current context, and set there. */
#include "driver/driver.h"

enum { API_VERSION = 3020 }; /* of contexts that cuCtxCreate_v2() makes */

static CUresult get_device(CUdevice *device)
{
    if (device == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *device = (CUdevice)cu_current()->device;
    return CUDA_SUCCESS;
}

RT_API CUresult cuCtxGetDevice(CUdevice *device)
{
    return CU_LOCKED(true, get_device(device));
}

static CUresult get_flags(unsigned *flags)
{
    const struct CUctx_st *c = cu_current();

    if (flags == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *flags = c->primary ? rt_process()->flags[c->device] : c->flags;
    return CUDA_SUCCESS;
}

RT_API CUresult cuCtxGetFlags(unsigned *flags)
{
    return CU_LOCKED(true, get_flags(flags));
}

/* c: NULL means the current one. */
static CUresult choose(CUcontext *c)
{
    if (*c == NULL) {
        *c = cu_current();
    }
    return *c != NULL && cu_context_lives(*c) ? CUDA_SUCCESS
                                              : CUDA_ERROR_INVALID_CONTEXT;
}

static CUresult api_version(CUcontext c, unsigned *version)
{
    CUresult rc = choose(&c);

    if (rc == CUDA_SUCCESS && version == NULL) {
        rc = CUDA_ERROR_INVALID_VALUE;
    }
    if (rc == CUDA_SUCCESS) {
        *version = API_VERSION;
    }
    return rc;
}

RT_API CUresult cuCtxGetApiVersion(CUcontext c, unsigned *version)
{
    return CU_LOCKED(false, api_version(c, version));
}

static CUresult get_id(CUcontext c, unsigned long long *id)
{
    CUresult rc = choose(&c);

    if (rc == CUDA_SUCCESS && id == NULL) {
        rc = CUDA_ERROR_INVALID_VALUE;
    }
    if (rc == CUDA_SUCCESS) { /* below those of created ones, which begin at 1 */
        *id = c->primary ? UINT64_MAX - c->device : c->id;
    }
    return rc;
}

RT_API CUresult cuCtxGetId(CUcontext c, unsigned long long *id)
{
    return CU_LOCKED(false, get_id(c, id));
}

RT_API CUresult cuCtxSynchronize(void)
{
    return CU_CONTEXT(cudaDeviceSynchronize());
}

RT_API CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    return CU_CONTEXT(cudaDeviceSetLimit((enum cudaLimit)limit, value));
}

RT_API CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
    return CU_CONTEXT(cudaDeviceGetLimit(value, (enum cudaLimit)limit));
}

RT_API CUresult cuCtxGetCacheConfig(CUfunc_cache *config)
{
    enum cudaFuncCache c;
    CUresult rc = CU_CONTEXT(cudaDeviceGetCacheConfig(config != NULL ? &c : NULL));

    if (rc == CUDA_SUCCESS) {
        *config = (CUfunc_cache)c;
    }
    return rc;
}

RT_API CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
    return CU_CONTEXT(cudaDeviceSetCacheConfig((enum cudaFuncCache)config));
}

RT_API CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config)
{
    enum cudaSharedMemConfig c;
    CUresult rc = CU_CONTEXT(cudaDeviceGetSharedMemConfig(config != NULL ? &c : NULL));

    if (rc == CUDA_SUCCESS) {
        *config = (CUsharedconfig)c;
    }
    return rc;
}

RT_API CUresult cuCtxSetSharedMemConfig(CUsharedconfig config)
{
    return CU_CONTEXT(cudaDeviceSetSharedMemConfig((enum cudaSharedMemConfig)config));
}

RT_API CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    return CU_CONTEXT(cudaDeviceGetStreamPriorityRange(least, greatest));
}

/* ---- the memory of another device's context ---- */

static CUresult device_of(CUcontext c, int *device)
{
    if (c == NULL || !cu_context_lives(c)) {
        return CUDA_ERROR_INVALID_CONTEXT;
    }
    *device = (int)c->device;
    return CUDA_SUCCESS;
}

RT_API CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags)
{
    int device = 0;
    CUresult rc = CU_LOCKED(true, device_of(peer, &device));

    return rc != CUDA_SUCCESS ? rc
                              : CU_CONTEXT(cudaDeviceEnablePeerAccess(device, flags));
}

RT_API CUresult cuCtxDisablePeerAccess(CUcontext peer)
{
    int device = 0;
    CUresult rc = CU_LOCKED(true, device_of(peer, &device));

    return rc != CUDA_SUCCESS ? rc : CU_CONTEXT(cudaDeviceDisablePeerAccess(device));
}

RT_API CUresult cuProfilerStart(void)
{
    return CU_CONTEXT(cudaProfilerStart());
}

RT_API CUresult cuProfilerStop(void)
{
    return CU_CONTEXT(cudaProfilerStop());
}
