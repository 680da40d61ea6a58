/*
 * The second names of the calls that do not wait (per_thread.h): where they are given
 * stream 0, they mean the calling thread's own. Those that wait, and the launches,
 * stand beside the plain ones.
 */
#include "runtime/per_thread.h"
#include "runtime/rt.h"

RT_API cudaError_t cudaEventRecord_ptsz(cudaEvent_t event, cudaStream_t stream)
{
    return cudaEventRecord(event, rt_per_thread(stream));
}

RT_API cudaError_t cudaEventRecordWithFlags_ptsz(cudaEvent_t event, cudaStream_t stream,
                                                 unsigned int flags)
{
    return cudaEventRecordWithFlags(event, rt_per_thread(stream), flags);
}

RT_API cudaError_t cudaFreeAsync_ptsz(void *ptr, cudaStream_t stream)
{
    return cudaFreeAsync(ptr, rt_per_thread(stream));
}

RT_API cudaError_t cudaGetDriverEntryPoint_ptsz(
    const char *symbol, void **function, unsigned long long flags,
    enum cudaDriverEntryPointQueryResult *result)
{
    return cudaGetDriverEntryPoint(symbol, function, flags, result);
}

RT_API cudaError_t cudaGetDriverEntryPointByVersion_ptsz(
    const char *symbol, void **function, unsigned int cudaVersion,
    unsigned long long flags, enum cudaDriverEntryPointQueryResult *result)
{
    return cudaGetDriverEntryPointByVersion(symbol, function, cudaVersion, flags,
                                            result);
}

RT_API cudaError_t cudaGraphInstantiateWithParams_ptsz(
    cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphInstantiateParams *params)
{
    return cudaGraphInstantiateWithParams(exec, graph, params);
}

RT_API cudaError_t cudaGraphLaunch_ptsz(cudaGraphExec_t exec, cudaStream_t stream)
{
    return cudaGraphLaunch(exec, rt_per_thread(stream));
}

RT_API cudaError_t cudaGraphUpload_ptsz(cudaGraphExec_t exec, cudaStream_t stream)
{
    return cudaGraphUpload(exec, rt_per_thread(stream));
}

RT_API cudaError_t cudaLaunchCooperativeKernel_ptsz(const void *func,
                                                    struct dim3 gridDim,
                                                    struct dim3 blockDim, void **args,
                                                    size_t sharedMem,
                                                    cudaStream_t stream)
{
    return cudaLaunchCooperativeKernel(func, gridDim, blockDim, args, sharedMem,
                                       rt_per_thread(stream));
}

RT_API cudaError_t cudaLaunchHostFunc_ptsz(cudaStream_t stream, cudaHostFn_t fn,
                                           void *userData)
{
    return cudaLaunchHostFunc(rt_per_thread(stream), fn, userData);
}

RT_API cudaError_t cudaLaunchKernel_ptsz(const void *func, struct dim3 gridDim,
                                         struct dim3 blockDim, void **args,
                                         size_t sharedMem, cudaStream_t stream)
{
    return cudaLaunchKernel(func, gridDim, blockDim, args, sharedMem,
                            rt_per_thread(stream));
}

RT_API cudaError_t cudaMallocAsync_ptsz(void **ptr, size_t size, cudaStream_t stream)
{
    return cudaMallocAsync(ptr, size, rt_per_thread(stream));
}

RT_API cudaError_t cudaMallocFromPoolAsync_ptsz(void **ptr, size_t size,
                                                cudaMemPool_t pool, cudaStream_t stream)
{
    return cudaMallocFromPoolAsync(ptr, size, pool, rt_per_thread(stream));
}

RT_API cudaError_t cudaMemPrefetchAsync_ptsz(const void *ptr, size_t count, int device,
                                             cudaStream_t stream)
{
    return cudaMemPrefetchAsync(ptr, count, device, rt_per_thread(stream));
}

RT_API cudaError_t cudaMemPrefetchAsync_v2_ptsz(const void *ptr, size_t count,
                                                struct cudaMemLocation location,
                                                unsigned int flags, cudaStream_t stream)
{
    return cudaMemPrefetchAsync_v2(ptr, count, location, flags, rt_per_thread(stream));
}

RT_API cudaError_t cudaMemcpy2DAsync_ptsz(void *dst, size_t dpitch, const void *src,
                                          size_t spitch, size_t width, size_t height,
                                          enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return cudaMemcpy2DAsync(dst, dpitch, src, spitch, width, height, kind,
                             rt_per_thread(stream));
}

RT_API cudaError_t cudaMemcpy2DFromArrayAsync_ptsz(
    void *dst, size_t dpitch, cudaArray_const_t src, size_t x, size_t y, size_t width,
    size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return cudaMemcpy2DFromArrayAsync(dst, dpitch, src, x, y, width, height, kind,
                                      rt_per_thread(stream));
}

RT_API cudaError_t cudaMemcpy2DToArrayAsync_ptsz(cudaArray_t dst, size_t x, size_t y,
                                                 const void *src, size_t spitch,
                                                 size_t width, size_t height,
                                                 enum cudaMemcpyKind kind,
                                                 cudaStream_t stream)
{
    return cudaMemcpy2DToArrayAsync(dst, x, y, src, spitch, width, height, kind,
                                    rt_per_thread(stream));
}

RT_API cudaError_t cudaMemcpy3DAsync_ptsz(const struct cudaMemcpy3DParms *p,
                                          cudaStream_t stream)
{
    return cudaMemcpy3DAsync(p, rt_per_thread(stream));
}

RT_API cudaError_t cudaMemcpy3DPeerAsync_ptsz(const struct cudaMemcpy3DPeerParms *p,
                                              cudaStream_t stream)
{
    return cudaMemcpy3DPeerAsync(p, rt_per_thread(stream));
}

RT_API cudaError_t cudaMemcpyAsync_ptsz(void *dst, const void *src, size_t count,
                                        enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return cudaMemcpyAsync(dst, src, count, kind, rt_per_thread(stream));
}

RT_API cudaError_t cudaMemcpyFromArrayAsync_ptsz(void *dst, cudaArray_const_t src,
                                                 size_t x, size_t y, size_t count,
                                                 enum cudaMemcpyKind kind,
                                                 cudaStream_t stream)
{
    return cudaMemcpyFromArrayAsync(dst, src, x, y, count, kind, rt_per_thread(stream));
}

RT_API cudaError_t cudaMemcpyFromSymbolAsync_ptsz(void *dst, const void *symbol,
                                                  size_t count, size_t offset,
                                                  enum cudaMemcpyKind kind,
                                                  cudaStream_t stream)
{
    return cudaMemcpyFromSymbolAsync(dst, symbol, count, offset, kind,
                                     rt_per_thread(stream));
}

RT_API cudaError_t cudaMemcpyPeerAsync_ptsz(void *dst, int dstDevice, const void *src,
                                            int srcDevice, size_t count,
                                            cudaStream_t stream)
{
    return cudaMemcpyPeerAsync(dst, dstDevice, src, srcDevice, count,
                               rt_per_thread(stream));
}

RT_API cudaError_t cudaMemcpyToArrayAsync_ptsz(cudaArray_t dst, size_t x, size_t y,
                                               const void *src, size_t count,
                                               enum cudaMemcpyKind kind,
                                               cudaStream_t stream)
{
    return cudaMemcpyToArrayAsync(dst, x, y, src, count, kind, rt_per_thread(stream));
}

RT_API cudaError_t cudaMemcpyToSymbolAsync_ptsz(const void *symbol, const void *src,
                                                size_t count, size_t offset,
                                                enum cudaMemcpyKind kind,
                                                cudaStream_t stream)
{
    return cudaMemcpyToSymbolAsync(symbol, src, count, offset, kind,
                                   rt_per_thread(stream));
}

RT_API cudaError_t cudaMemset2DAsync_ptsz(void *ptr, size_t pitch, int value,
                                          size_t width, size_t height,
                                          cudaStream_t stream)
{
    return cudaMemset2DAsync(ptr, pitch, value, width, height, rt_per_thread(stream));
}

RT_API cudaError_t cudaMemset3DAsync_ptsz(struct cudaPitchedPtr ptr, int value,
                                          struct cudaExtent extent, cudaStream_t stream)
{
    return cudaMemset3DAsync(ptr, value, extent, rt_per_thread(stream));
}

RT_API cudaError_t cudaMemsetAsync_ptsz(void *ptr, int value, size_t count,
                                        cudaStream_t stream)
{
    return cudaMemsetAsync(ptr, value, count, rt_per_thread(stream));
}

RT_API cudaError_t cudaStreamAddCallback_ptsz(cudaStream_t stream,
                                              cudaStreamCallback_t callback,
                                              void *userData, unsigned int flags)
{
    return cudaStreamAddCallback(rt_per_thread(stream), callback, userData, flags);
}

RT_API cudaError_t cudaStreamAttachMemAsync_ptsz(cudaStream_t stream, void *ptr,
                                                 size_t length, unsigned int flags)
{
    return cudaStreamAttachMemAsync(rt_per_thread(stream), ptr, length, flags);
}

RT_API cudaError_t cudaStreamBeginCapture_ptsz(cudaStream_t stream,
                                               enum cudaStreamCaptureMode mode)
{
    return cudaStreamBeginCapture(rt_per_thread(stream), mode);
}

RT_API cudaError_t cudaStreamCopyAttributes_ptsz(cudaStream_t dst, cudaStream_t src)
{
    return cudaStreamCopyAttributes(rt_per_thread(dst), rt_per_thread(src));
}

RT_API cudaError_t cudaStreamEndCapture_ptsz(cudaStream_t stream, cudaGraph_t *graph)
{
    return cudaStreamEndCapture(rt_per_thread(stream), graph);
}

RT_API cudaError_t cudaStreamGetAttribute_ptsz(cudaStream_t stream,
                                               cudaLaunchAttributeID attr,
                                               cudaLaunchAttributeValue *value)
{
    return cudaStreamGetAttribute(rt_per_thread(stream), attr, value);
}

RT_API cudaError_t cudaStreamGetCaptureInfo_v2_ptsz(
    cudaStream_t stream, enum cudaStreamCaptureStatus *status, unsigned long long *id,
    cudaGraph_t *graph, const cudaGraphNode_t **deps, size_t *n)
{
    return cudaStreamGetCaptureInfo_v2(rt_per_thread(stream), status, id, graph, deps,
                                       n);
}

RT_API cudaError_t cudaStreamGetDevice_ptsz(cudaStream_t stream, int *device)
{
    return cudaStreamGetDevice(rt_per_thread(stream), device);
}

RT_API cudaError_t cudaStreamGetFlags_ptsz(cudaStream_t stream, unsigned int *flags)
{
    return cudaStreamGetFlags(rt_per_thread(stream), flags);
}

RT_API cudaError_t cudaStreamGetId_ptsz(cudaStream_t stream, unsigned long long *id)
{
    return cudaStreamGetId(rt_per_thread(stream), id);
}

RT_API cudaError_t cudaStreamGetPriority_ptsz(cudaStream_t stream, int *priority)
{
    return cudaStreamGetPriority(rt_per_thread(stream), priority);
}

RT_API cudaError_t cudaStreamIsCapturing_ptsz(cudaStream_t stream,
                                              enum cudaStreamCaptureStatus *status)
{
    return cudaStreamIsCapturing(rt_per_thread(stream), status);
}

RT_API cudaError_t cudaStreamQuery_ptsz(cudaStream_t stream)
{
    return cudaStreamQuery(rt_per_thread(stream));
}

RT_API cudaError_t cudaStreamSetAttribute_ptsz(cudaStream_t stream,
                                               cudaLaunchAttributeID attr,
                                               const cudaLaunchAttributeValue *value)
{
    return cudaStreamSetAttribute(rt_per_thread(stream), attr, value);
}

RT_API cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t stream)
{
    return cudaStreamSynchronize(rt_per_thread(stream));
}

RT_API cudaError_t cudaStreamWaitEvent_ptsz(cudaStream_t stream, cudaEvent_t event,
                                            unsigned int flags)
{
    return cudaStreamWaitEvent(rt_per_thread(stream), event, flags);
}
