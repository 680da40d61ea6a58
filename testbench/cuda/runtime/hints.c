/* Where managed memory shall be: told and kept nowhere, since host and device use the
 * same bytes. Wrong ranges and places are refused. */
#include "runtime/memory.h"
#include "runtime/per_thread.h"
#include <string.h>

/* A device's number, or the host. */
static cudaError_t check_place(int device)
{
    return device == cudaCpuDeviceId ||
                   (device >= 0 && (uint32_t)device < rt_process()->settings.n_devices)
               ? cudaSuccess
               : cudaErrorInvalidDevice;
}

static cudaError_t check_managed(const void *p, size_t count)
{
    const struct rt_range *r =
        rt_range_find(&rt_process()->ranges, (uint64_t)(uintptr_t)p);
    struct rt_device *d;
    cudaError_t rc = rt_current(&d);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (count == 0 || r == NULL || r->kind != RT_MANAGED ||
        (uint64_t)(uintptr_t)p + count > r->addr + r->reserved) {
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

static cudaError_t prefetch(const void *p, size_t count, int device,
                            cudaStream_t stream)
{
    struct CUstream_st *s;
    cudaError_t rc = rt_stream(stream, &s);

    if (rc == cudaSuccess) {
        rc = check_place(device);
    }
    return rc == cudaSuccess ? check_managed(p, count) : rc;
}

static int place_of(struct cudaMemLocation l)
{
    return l.type == cudaMemLocationTypeDevice ? l.id : cudaCpuDeviceId;
}

RT_API cudaError_t cudaMemPrefetchAsync(const void *p, size_t count, int device,
                                        cudaStream_t s)
{
    return RT_CALL(prefetch(p, count, device, s));
}

RT_API cudaError_t cudaMemPrefetchAsync_v2(const void *p, size_t count,
                                           struct cudaMemLocation location,
                                           unsigned flags, cudaStream_t s)
{
    return RT_CALL(flags != 0 ? cudaErrorInvalidValue
                              : prefetch(p, count, place_of(location), s));
}

static cudaError_t advise(const void *p, size_t count, enum cudaMemoryAdvise advice,
                          int device)
{
    cudaError_t rc = check_managed(p, count);

    if (rc != cudaSuccess) {
        return rc;
    }
    switch (advice) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
        return cudaSuccess; /* the device is not looked at */
    case cudaMemAdviseSetPreferredLocation:
    case cudaMemAdviseUnsetPreferredLocation:
    case cudaMemAdviseSetAccessedBy:
    case cudaMemAdviseUnsetAccessedBy: return check_place(device);
    }
    return cudaErrorInvalidValue;
}

RT_API cudaError_t cudaMemAdvise(const void *p, size_t count,
                                 enum cudaMemoryAdvise advice, int device)
{
    return RT_CALL(advise(p, count, advice, device));
}

RT_API cudaError_t cudaMemAdvise_v2(const void *p, size_t count,
                                    enum cudaMemoryAdvise advice,
                                    struct cudaMemLocation location)
{
    return RT_CALL(advise(p, count, advice, place_of(location)));
}

/* No advice is kept: what a range has is what it had at first. */
static cudaError_t range_attribute(void *data, size_t size,
                                   enum cudaMemRangeAttribute attribute, const void *p,
                                   size_t count)
{
    cudaError_t rc = check_managed(p, count);
    int32_t value = cudaInvalidDeviceId;

    if (rc != cudaSuccess) {
        return rc;
    }
    if (data == NULL || size < sizeof(value) || size % sizeof(value) != 0) {
        return cudaErrorInvalidValue;
    }
    switch (attribute) {
    case cudaMemRangeAttributeReadMostly: value = 0; break;
    case cudaMemRangeAttributePreferredLocation:
    case cudaMemRangeAttributeAccessedBy:
    case cudaMemRangeAttributeLastPrefetchLocation: break;
    default: /* a number of the program's */ return cudaErrorInvalidValue;
    }
    for (size_t i = 0; i < size; i += sizeof(value)) {
        memcpy((char *)data + i, &value, sizeof(value));
    }
    return cudaSuccess;
}

RT_API cudaError_t cudaMemRangeGetAttribute(void *data, size_t size,
                                            enum cudaMemRangeAttribute attribute,
                                            const void *p, size_t count)
{
    return RT_CALL(range_attribute(data, size, attribute, p, count));
}

static cudaError_t range_attributes(void **data, const size_t *sizes,
                                    const enum cudaMemRangeAttribute *attributes,
                                    size_t n, const void *p, size_t count)
{
    cudaError_t rc = cudaSuccess;

    if (data == NULL || sizes == NULL || attributes == NULL || n == 0) {
        return cudaErrorInvalidValue;
    }
    for (size_t i = 0; i < n && rc == cudaSuccess; i++) {
        rc = range_attribute(data[i], sizes[i], attributes[i], p, count);
    }
    return rc;
}

RT_API cudaError_t cudaMemRangeGetAttributes(void **data, size_t *sizes,
                                             enum cudaMemRangeAttribute *attributes,
                                             size_t n, const void *p, size_t count)
{
    return RT_CALL(range_attributes(data, sizes, attributes, n, p, count));
}

static cudaError_t attach(cudaStream_t stream, const void *p, unsigned flags)
{
    const struct rt_range *r =
        rt_range_find(&rt_process()->ranges, (uint64_t)(uintptr_t)p);
    struct CUstream_st *s;
    cudaError_t rc = rt_stream(stream, &s);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (r == NULL || r->kind != RT_MANAGED ||
        (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost &&
         flags != cudaMemAttachSingle)) {
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

RT_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t s, void *p, size_t length,
                                            unsigned flags)
{
    (void)length;
    return RT_CALL(attach(s, p, flags));
}
