/* Attributes of streams, which change nothing in the model, and the driver's functions
 * by name. */
#include "runtime/per_thread.h"
#include "runtime/rt.h"
#include <string.h>

static cudaError_t attribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                             cudaLaunchAttributeValue *out,
                             const cudaLaunchAttributeValue *in)
{
    struct CUstream_st *s;
    cudaError_t rc = rt_stream(stream, &s);

    if (rc != cudaSuccess) {
        return rc;
    }
    if (attr != cudaLaunchAttributeAccessPolicyWindow &&
        attr != cudaLaunchAttributeSynchronizationPolicy &&
        attr != cudaLaunchAttributePriority) {
        return cudaErrorInvalidValue;
    }
    if (in != NULL) {
        s->priority = attr == cudaLaunchAttributePriority ? in->priority : s->priority;
        return cudaSuccess;
    }
    if (out == NULL) {
        return cudaErrorInvalidValue;
    }
    memset(out, 0, sizeof(*out));
    if (attr == cudaLaunchAttributePriority) {
        out->priority = s->priority;
    } else if (attr == cudaLaunchAttributeSynchronizationPolicy) {
        out->syncPolicy = cudaSyncPolicyAuto;
    }
    return cudaSuccess;
}

RT_API cudaError_t cudaStreamGetAttribute(cudaStream_t s, cudaLaunchAttributeID attr,
                                          cudaLaunchAttributeValue *value)
{
    return RT_CALL(attribute(s, attr, value, NULL));
}

RT_API cudaError_t cudaStreamSetAttribute(cudaStream_t s, cudaLaunchAttributeID attr,
                                          const cudaLaunchAttributeValue *value)
{
    return RT_CALL(attribute(s, attr, NULL, value));
}

static cudaError_t copy_attributes(cudaStream_t to, cudaStream_t from)
{
    struct CUstream_st *a, *b;
    cudaError_t rc = rt_stream(to, &a);

    if (rc == cudaSuccess) {
        rc = rt_stream(from, &b);
    }
    if (rc == cudaSuccess) {
        a->priority = b->priority;
    }
    return rc;
}

RT_API cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src)
{
    return RT_CALL(copy_attributes(dst, src));
}

RT_API cudaError_t cudaDeviceGraphMemTrim(int device)
{
    struct rt_device *d;

    return RT_CALL(rt_device_known(device, &d)); /* graphs keep no memory */
}

/* Of the driver interface, which lies in the same object: driver/entry.c. Absent where
 * the runtime is linked alone. */
extern int cuGetProcAddress_v2(const char *symbol, void **out, int version,
                               uint64_t flags, int *result) __attribute__((weak));

static cudaError_t entry_point(const char *symbol, void **function,
                               enum cudaDriverEntryPointQueryResult *result)
{
    if (symbol == NULL || function == NULL) {
        return cudaErrorInvalidValue;
    }
    *function = NULL;
    if (cuGetProcAddress_v2 != NULL) {
        (void)cuGetProcAddress_v2(symbol, function, CUDART_VERSION, 0, NULL);
    }
    if (result != NULL) {
        *result = *function != NULL ? cudaDriverEntryPointSuccess
                                    : cudaDriverEntryPointSymbolNotFound;
        return cudaSuccess;
    }
    return *function != NULL ? cudaSuccess : cudaErrorSymbolNotFound;
}

RT_API cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function,
                                           unsigned long long flags,
                                           enum cudaDriverEntryPointQueryResult *result)
{
    (void)flags;
    return RT_CALL(entry_point(symbol, function, result));
}

RT_API cudaError_t cudaGetDriverEntryPointByVersion(
    const char *symbol, void **function, unsigned cudaVersion, unsigned long long flags,
    enum cudaDriverEntryPointQueryResult *result)
{
    (void)cudaVersion, (void)flags;
    return RT_CALL(entry_point(symbol, function, result));
}
