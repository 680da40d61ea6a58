/* Taking memory, giving it back, and asking what an address is. */
#include "runtime/memory.h"
#include "driver/driver.h"

static void *pointer(CUdeviceptr p)
{
    return (void *)(uintptr_t)p;
}

/* Where the runtime's functions put a pointer; a call that failed changes nothing. */
static CUresult took(CUresult rc, void *const *p, CUdeviceptr *out)
{
    if (rc == CUDA_SUCCESS) {
        *out = (CUdeviceptr)(uintptr_t)*p;
    }
    return rc;
}

/* Of nothing the runtime gives NULL, and the driver an error. */
static cudaError_t some(const void *out, size_t bytes)
{
    return out == NULL || bytes == 0 ? cudaErrorInvalidValue : cudaSuccess;
}

static cudaError_t take(CUdeviceptr *out, size_t bytes, void **p)
{
    cudaError_t rc = some(out, bytes);

    return rc == cudaSuccess ? cudaMalloc(p, bytes) : rc;
}

RT_API CUresult cuMemAlloc_v2(CUdeviceptr *out, size_t bytes)
{
    void *p = NULL;

    return took(CU_CONTEXT(take(out, bytes, &p)), &p, out);
}

/* element: the widest that kernels read rows in, bytes. */
static cudaError_t take_pitch(CUdeviceptr *out, size_t *pitch, size_t width,
                              size_t height, unsigned element, void **p)
{
    if (out == NULL || pitch == NULL || width == 0 || height == 0 ||
        (element != 4 && element != 8 && element != 16)) {
        return cudaErrorInvalidValue;
    }
    return cudaMallocPitch(p, pitch, width, height);
}

RT_API CUresult cuMemAllocPitch_v2(CUdeviceptr *out, size_t *pitch, size_t width,
                                   size_t height, unsigned element)
{
    void *p = NULL;

    return took(CU_CONTEXT(take_pitch(out, pitch, width, height, element, &p)), &p,
                out);
}

static cudaError_t take_managed(CUdeviceptr *out, size_t bytes, unsigned flags,
                                void **p)
{
    cudaError_t rc = some(out, bytes);

    return rc == cudaSuccess ? cudaMallocManaged(p, bytes, flags) : rc;
}

RT_API CUresult cuMemAllocManaged(CUdeviceptr *out, size_t bytes, unsigned flags)
{
    void *p = NULL;

    return took(CU_CONTEXT(take_managed(out, bytes, flags, &p)), &p, out);
}

static cudaError_t take_async(CUdeviceptr *out, size_t bytes, CUstream s, void **p)
{
    cudaError_t rc = some(out, bytes);

    return rc == cudaSuccess ? cudaMallocAsync(p, bytes, s) : rc;
}

RT_API CUresult cuMemAllocAsync(CUdeviceptr *out, size_t bytes, CUstream s)
{
    void *p = NULL;

    return took(CU_CONTEXT(take_async(out, bytes, s, &p)), &p, out);
}

static cudaError_t give(CUdeviceptr p)
{
    return p == 0 ? cudaErrorInvalidValue : cudaFree(pointer(p));
}

RT_API CUresult cuMemFree_v2(CUdeviceptr p)
{
    return CU_CONTEXT(give(p));
}

RT_API CUresult cuMemFreeAsync(CUdeviceptr p, CUstream s)
{
    return CU_CONTEXT(p == 0 ? cudaErrorInvalidValue : cudaFreeAsync(pointer(p), s));
}

/* ---- of the host ---- */

static cudaError_t take_host(void **p, size_t bytes, unsigned flags)
{
    cudaError_t rc = some(p, bytes);

    return rc == cudaSuccess ? cudaHostAlloc(p, bytes, flags) : rc;
}

RT_API CUresult cuMemHostAlloc(void **p, size_t bytes, unsigned flags)
{
    return CU_CONTEXT(take_host(p, bytes, flags));
}

RT_API CUresult cuMemAllocHost_v2(void **p, size_t bytes)
{
    return CU_CONTEXT(take_host(p, bytes, 0));
}

RT_API CUresult cuMemFreeHost(void *p)
{
    return CU_CONTEXT(p == NULL ? cudaErrorInvalidValue : cudaFreeHost(p));
}

RT_API CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *out, void *host,
                                             unsigned flags)
{
    void *p = NULL;

    return took(CU_CONTEXT(
                    cudaHostGetDevicePointer(out != NULL ? &p : NULL, host, flags)),
                &p, out);
}

RT_API CUresult cuMemHostGetFlags(unsigned *flags, void *host)
{
    return CU_CONTEXT(cudaHostGetFlags(flags, host));
}

RT_API CUresult cuMemHostRegister_v2(void *p, size_t bytes, unsigned flags)
{
    return CU_CONTEXT(cudaHostRegister(p, bytes, flags));
}

RT_API CUresult cuMemHostUnregister(void *p)
{
    return CU_CONTEXT(cudaHostUnregister(p));
}

/* ---- asking ---- */

RT_API CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total)
{
    return CU_CONTEXT(free_bytes == NULL || total == NULL
                          ? cudaErrorInvalidValue
                          : cudaMemGetInfo(free_bytes, total));
}

/* Of the device: what is the host's alone has no such range. */
static CUresult address_range(CUdeviceptr *base, size_t *bytes, CUdeviceptr p)
{
    struct rt_place at;

    if (!rt_place(p, &at)) {
        return p == 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_FOUND;
    }
    if (base != NULL) {
        *base = at.begin;
    }
    if (bytes != NULL) {
        *bytes = p - at.begin + at.left;
    }
    return CUDA_SUCCESS;
}

RT_API CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr p)
{
    return CU_LOCKED(true, address_range(base, bytes, p));
}

/* The context that memory of a device belongs to: contexts share it. */
static CUcontext owner(uint32_t device)
{
    CUcontext c = cu_current();

    return c != NULL && c->device == device ? c : cu_primary(device);
}

static uint64_t on_device(const struct rt_range *r, CUdeviceptr p)
{
    return r != NULL ? r->on_device + (p - r->addr) : p;
}

static CUresult pointer_attribute(void *out, CUpointer_attribute attr, CUdeviceptr p)
{
    const struct rt_range *r = rt_range_find(&rt_process()->ranges, p);
    struct rt_place at;

    if (out == NULL || !rt_place(p, &at)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    switch ((int)attr) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: *(CUcontext *)out = owner(at.of); break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(CUmemorytype *)out = at.device || r->kind == RT_MANAGED ? CU_MEMORYTYPE_DEVICE
                                                                  : CU_MEMORYTYPE_HOST;
        break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *(CUdeviceptr *)out = on_device(r, p);
        break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        if (at.device) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        *(void **)out = pointer(p);
        break;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: *(int *)out = 0; break;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: /* no two begin at one place */
        *(unsigned long long *)out = at.begin;
        break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *(int *)out = r != NULL && r->kind == RT_MANAGED;
        break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)out = (int)at.of; break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: *(CUdeviceptr *)out = at.begin; break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        *(size_t *)out = p - at.begin + at.left;
        break;
    case CU_POINTER_ATTRIBUTE_MAPPED: *(int *)out = on_device(r, p) != 0; break;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

RT_API CUresult cuPointerGetAttribute(void *out, CUpointer_attribute attr,
                                      CUdeviceptr p)
{
    return CU_LOCKED(true, pointer_attribute(out, attr, p));
}

/* Of memory that is not known each attribute is 0: no error, says its documentation.
 * What is wrong with the attribute itself is one. */
static CUresult pointer_attributes(unsigned n, const CUpointer_attribute *attr,
                                   void **out, CUdeviceptr p)
{
    struct rt_place at;

    if (n == 0 || attr == NULL || out == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (unsigned i = 0; i < n; i++) {
        CUresult rc;

        if (out[i] == NULL || (int)attr[i] < CU_POINTER_ATTRIBUTE_CONTEXT ||
            (int)attr[i] > CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        rc = pointer_attribute(out[i], attr[i], p);
        if (rc == CUDA_SUCCESS) {
            continue;
        }
        if (rt_place(p, &at) && attr[i] != CU_POINTER_ATTRIBUTE_HOST_POINTER) {
            return rc;
        }
        switch (attr[i]) { /* by the width of what each gives */
        case CU_POINTER_ATTRIBUTE_CONTEXT:
        case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        case CU_POINTER_ATTRIBUTE_BUFFER_ID:
        case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        case CU_POINTER_ATTRIBUTE_RANGE_SIZE: *(uint64_t *)out[i] = 0; break;
        case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)out[i] = -2; break;
        default: *(int *)out[i] = 0; break;
        }
    }
    return CUDA_SUCCESS;
}

RT_API CUresult cuPointerGetAttributes(unsigned n, CUpointer_attribute *attr,
                                       void **out, CUdeviceptr p)
{
    return CU_LOCKED(true, pointer_attributes(n, attr, out, p));
}
