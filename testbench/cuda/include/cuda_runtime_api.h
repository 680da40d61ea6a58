/*
 * cuda_runtime_api.h - the functions of the CUDA runtime that smwave offers, for C and
 * C++ and any compiler of the host. What each does is told by the CUDA Runtime API
 * documentation; all give an error's number, and cudaGetLastError() the last one of the
 * calling thread. C++ programs include cuda_runtime.h, which adds the typed forms.
 *
 * Names and order of parameters are those of CUDA 12. Where CUDA 11 or 13 has another
 * form of a name, cuda_runtime.h overloads it, and a function with the number of its
 * form (cudaMemAdvise_v2) is below.
 *
 * CUDA_API_PER_THREAD_DEFAULT_STREAM (set before, or nvcc's --default-stream
 * per-thread) makes stream 0 the calling thread's own: such programs ask for the same
 * functions under the names that end in _ptds (those that wait) and _ptsz (those that
 * do not).
 */
#ifndef SMWAVE_CUDA_RUNTIME_API_H
#define SMWAVE_CUDA_RUNTIME_API_H
#define __CUDA_RUNTIME_API_H__
#include "driver_types.h"
#include <stddef.h>

/* The release whose programs these headers aim at. */
#define CUDART_VERSION 12000
#define SMWAVE_CUDART  1

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define SMW_WAITS(name)  __asm__(#name "_ptds")
#define SMW_QUEUES(name) __asm__(#name "_ptsz")
#define SMW_PUSH         __asm__("smwavePushCallConfiguration_ptsz")
#else
#define SMW_WAITS(name)
#define SMW_QUEUES(name)
#define SMW_PUSH
#endif

#ifdef __cplusplus
#define SMW_DEFAULT(value) = value
extern "C" {
#else
#define SMW_DEFAULT(value)
#endif

/* ---- errors and versions ---- */

cudaError_t cudaGetLastError(void); /* and forgets it */
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);

/* ---- devices ---- */

cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags);
cudaError_t cudaSetValidDevices(int *devices, int count);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceFlags(unsigned int *flags);
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop);
/* Its structure differs by release, so this header's has a name of its own in the
 * library; the plain one there is another release's. */
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop,
                                    int device) __asm__("smwaveGetDeviceProperties");
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device);
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int src,
                                      int dst);
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *pciBusId);
cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int device);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t
cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget target,
                                   enum cudaFlushGPUDirectRDMAWritesScope scope);
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(
    size_t *elements, const struct cudaChannelFormatDesc *desc, int device);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

/* Of before CUDA 5, and dropped by CUDA 13. */
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config);

/* ---- memory ---- */

cudaError_t cudaMalloc(void **ptr, size_t size);
cudaError_t cudaFree(void *ptr);
cudaError_t cudaMallocHost(void **ptr, size_t size);
cudaError_t cudaFreeHost(void *ptr);
cudaError_t cudaHostAlloc(void **ptr, size_t size, unsigned int flags);
cudaError_t cudaHostRegister(void *ptr, size_t size, unsigned int flags);
cudaError_t cudaHostUnregister(void *ptr);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int *flags, void *host);
cudaError_t cudaMallocManaged(void **ptr, size_t size,
                              unsigned int flags SMW_DEFAULT(cudaMemAttachGlobal));
cudaError_t cudaMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *ptr, struct cudaExtent extent);
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                     const void *ptr);

cudaError_t cudaMallocArray(cudaArray_t *array,
                            const struct cudaChannelFormatDesc *desc, size_t width,
                            size_t height SMW_DEFAULT(0),
                            unsigned int flags SMW_DEFAULT(0));
cudaError_t cudaMalloc3DArray(cudaArray_t *array,
                              const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent,
                              unsigned int flags SMW_DEFAULT(0));
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array,
                                     const struct cudaChannelFormatDesc *desc,
                                     struct cudaExtent extent, unsigned int levels,
                                     unsigned int flags SMW_DEFAULT(0));
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *level,
                                       cudaMipmappedArray_const_t array,
                                       unsigned int which);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc,
                             struct cudaExtent *extent, unsigned int *flags,
                             cudaArray_t array);

cudaError_t cudaMallocAsync(void **ptr, size_t size, cudaStream_t stream)
    SMW_QUEUES(cudaMallocAsync);
cudaError_t cudaFreeAsync(void *ptr, cudaStream_t stream) SMW_QUEUES(cudaFreeAsync);
cudaError_t cudaMallocFromPoolAsync(void **ptr, size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream)
    SMW_QUEUES(cudaMallocFromPoolAsync);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool,
                              const struct cudaMemPoolProps *props);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr,
                                    void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr,
                                    void *value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool,
                                 const struct cudaMemAccessDesc *list, size_t count);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location);

/* device: cudaCpuDeviceId too */
cudaError_t cudaMemPrefetchAsync(const void *ptr, size_t count, int device,
                                 cudaStream_t stream SMW_DEFAULT(0))
    SMW_QUEUES(cudaMemPrefetchAsync);
cudaError_t cudaMemPrefetchAsync_v2(const void *ptr, size_t count,
                                    struct cudaMemLocation location, unsigned int flags,
                                    cudaStream_t stream SMW_DEFAULT(0))
    SMW_QUEUES(cudaMemPrefetchAsync_v2);
cudaError_t cudaMemAdvise(const void *ptr, size_t count, enum cudaMemoryAdvise advice,
                          int device);
cudaError_t cudaMemAdvise_v2(const void *ptr, size_t count,
                             enum cudaMemoryAdvise advice,
                             struct cudaMemLocation location);
cudaError_t cudaMemRangeGetAttribute(void *data, size_t size,
                                     enum cudaMemRangeAttribute attribute,
                                     const void *ptr, size_t count);
cudaError_t cudaMemRangeGetAttributes(void **data, size_t *sizes,
                                      enum cudaMemRangeAttribute *attributes, size_t n,
                                      const void *ptr, size_t count);

/* ---- copies ---- */

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count,
                       enum cudaMemcpyKind kind) SMW_WAITS(cudaMemcpy);
cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count,
                            enum cudaMemcpyKind kind,
                            cudaStream_t stream SMW_DEFAULT(0))
    SMW_QUEUES(cudaMemcpyAsync);
cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice,
                           size_t count);
cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src,
                                int srcDevice, size_t count,
                                cudaStream_t stream SMW_DEFAULT(0))
    SMW_QUEUES(cudaMemcpyPeerAsync);
cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind)
    SMW_WAITS(cudaMemcpy2D);
cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream SMW_DEFAULT(0))
    SMW_QUEUES(cudaMemcpy2DAsync);
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p) SMW_WAITS(cudaMemcpy3D);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p,
                              cudaStream_t stream SMW_DEFAULT(0))
    SMW_QUEUES(cudaMemcpy3DAsync);
cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
    SMW_WAITS(cudaMemcpy3DPeer);
cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p,
                                  cudaStream_t stream SMW_DEFAULT(0))
    SMW_QUEUES(cudaMemcpy3DPeerAsync);

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t x, size_t y, const void *src,
                              size_t count, enum cudaMemcpyKind kind)
    SMW_WAITS(cudaMemcpyToArray);
cudaError_t cudaMemcpyFromArray(void *dst, cudaArray_const_t src, size_t x, size_t y,
                                size_t count, enum cudaMemcpyKind kind)
    SMW_WAITS(cudaMemcpyFromArray);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t x, size_t y, const void *src,
                                   size_t count, enum cudaMemcpyKind kind,
                                   cudaStream_t stream SMW_DEFAULT(0))
    SMW_QUEUES(cudaMemcpyToArrayAsync);
cudaError_t cudaMemcpyFromArrayAsync(void *dst, cudaArray_const_t src, size_t x,
                                     size_t y, size_t count, enum cudaMemcpyKind kind,
                                     cudaStream_t stream SMW_DEFAULT(0))
    SMW_QUEUES(cudaMemcpyFromArrayAsync);
cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t x, size_t y, const void *src,
                                size_t spitch, size_t width, size_t height,
                                enum cudaMemcpyKind kind)
    SMW_WAITS(cudaMemcpy2DToArray);
cudaError_t cudaMemcpy2DFromArray(void *dst, size_t dpitch, cudaArray_const_t src,
                                  size_t x, size_t y, size_t width, size_t height,
                                  enum cudaMemcpyKind kind)
    SMW_WAITS(cudaMemcpy2DFromArray);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t x, size_t y,
                                     const void *src, size_t spitch, size_t width,
                                     size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream SMW_DEFAULT(0))
    SMW_QUEUES(cudaMemcpy2DToArrayAsync);
cudaError_t cudaMemcpy2DFromArrayAsync(void *dst, size_t dpitch, cudaArray_const_t src,
                                       size_t x, size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind,
                                       cudaStream_t stream SMW_DEFAULT(0))
    SMW_QUEUES(cudaMemcpy2DFromArrayAsync);
cudaError_t
cudaMemcpyArrayToArray(cudaArray_t dst, size_t dx, size_t dy, cudaArray_const_t src,
                       size_t sx, size_t sy, size_t count,
                       enum cudaMemcpyKind kind SMW_DEFAULT(cudaMemcpyDeviceToDevice))
    SMW_WAITS(cudaMemcpyArrayToArray);
cudaError_t
cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t dx, size_t dy, cudaArray_const_t src,
                         size_t sx, size_t sy, size_t width, size_t height,
                         enum cudaMemcpyKind kind SMW_DEFAULT(cudaMemcpyDeviceToDevice))
    SMW_WAITS(cudaMemcpy2DArrayToArray);

/* symbol: the host's twin of a __device__ or __constant__ variable */
cudaError_t
cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count,
                   size_t offset SMW_DEFAULT(0),
                   enum cudaMemcpyKind kind SMW_DEFAULT(cudaMemcpyHostToDevice))
    SMW_WAITS(cudaMemcpyToSymbol);
cudaError_t
cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count,
                     size_t offset SMW_DEFAULT(0),
                     enum cudaMemcpyKind kind SMW_DEFAULT(cudaMemcpyDeviceToHost))
    SMW_WAITS(cudaMemcpyFromSymbol);
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count,
                                    size_t offset, enum cudaMemcpyKind kind,
                                    cudaStream_t stream SMW_DEFAULT(0))
    SMW_QUEUES(cudaMemcpyToSymbolAsync);
cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count,
                                      size_t offset, enum cudaMemcpyKind kind,
                                      cudaStream_t stream SMW_DEFAULT(0))
    SMW_QUEUES(cudaMemcpyFromSymbolAsync);
cudaError_t cudaGetSymbolAddress(void **ptr, const void *symbol);
cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol);

cudaError_t cudaMemset(void *ptr, int value, size_t count) SMW_WAITS(cudaMemset);
cudaError_t cudaMemsetAsync(void *ptr, int value, size_t count,
                            cudaStream_t stream SMW_DEFAULT(0))
    SMW_QUEUES(cudaMemsetAsync);
cudaError_t cudaMemset2D(void *ptr, size_t pitch, int value, size_t width,
                         size_t height) SMW_WAITS(cudaMemset2D);
cudaError_t cudaMemset2DAsync(void *ptr, size_t pitch, int value, size_t width,
                              size_t height, cudaStream_t stream SMW_DEFAULT(0))
    SMW_QUEUES(cudaMemset2DAsync);
cudaError_t cudaMemset3D(struct cudaPitchedPtr ptr, int value, struct cudaExtent extent)
    SMW_WAITS(cudaMemset3D);
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr ptr, int value,
                              struct cudaExtent extent,
                              cudaStream_t stream SMW_DEFAULT(0))
    SMW_QUEUES(cudaMemset3DAsync);

/* ---- streams and events ---- */

cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags,
                                         int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
    SMW_QUEUES(cudaStreamGetPriority);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
    SMW_QUEUES(cudaStreamGetFlags);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
    SMW_QUEUES(cudaStreamGetId);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
    SMW_QUEUES(cudaStreamGetDevice);
cudaError_t cudaStreamSynchronize(cudaStream_t stream)
    SMW_QUEUES(cudaStreamSynchronize);
cudaError_t cudaStreamQuery(cudaStream_t stream) SMW_QUEUES(cudaStreamQuery);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned int flags SMW_DEFAULT(0))
    SMW_QUEUES(cudaStreamWaitEvent);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void *userData, unsigned int flags)
    SMW_QUEUES(cudaStreamAddCallback);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData)
    SMW_QUEUES(cudaLaunchHostFunc);
cudaError_t
cudaStreamAttachMemAsync(cudaStream_t stream, void *ptr, size_t length SMW_DEFAULT(0),
                         unsigned int flags SMW_DEFAULT(cudaMemAttachSingle))
    SMW_QUEUES(cudaStreamAttachMemAsync);
cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src)
    SMW_QUEUES(cudaStreamCopyAttributes);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                   cudaLaunchAttributeValue *value)
    SMW_QUEUES(cudaStreamGetAttribute);
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attr,
                                   const cudaLaunchAttributeValue *value)
    SMW_QUEUES(cudaStreamSetAttribute);

cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream SMW_DEFAULT(0))
    SMW_QUEUES(cudaEventRecord);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event,
                                     cudaStream_t stream SMW_DEFAULT(0),
                                     unsigned int flags SMW_DEFAULT(0))
    SMW_QUEUES(cudaEventRecordWithFlags);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);

/* ---- kernels ---- */

/* func: the host's twin of a __global__ function */
cudaError_t cudaLaunchKernel(const void *func, struct dim3 gridDim,
                             struct dim3 blockDim, void **args,
                             size_t sharedMem SMW_DEFAULT(0),
                             cudaStream_t stream SMW_DEFAULT(0))
    SMW_QUEUES(cudaLaunchKernel);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func,
                                void **args) SMW_QUEUES(cudaLaunchKernelExC);
cudaError_t cudaLaunchCooperativeKernel(const void *func, struct dim3 gridDim,
                                        struct dim3 blockDim, void **args,
                                        size_t sharedMem SMW_DEFAULT(0),
                                        cudaStream_t stream SMW_DEFAULT(0))
    SMW_QUEUES(cudaLaunchCooperativeKernel);
cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *list,
                                                   unsigned int devices,
                                                   unsigned int flags SMW_DEFAULT(0));
cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(const void *func,
                                       enum cudaSharedMemConfig config);
cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr,
                                 int value);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes,
                                  const void *func);
cudaError_t cudaFuncGetName(const char **name, const void *func);
cudaError_t cudaFuncGetParamInfo(const void *func, size_t index, size_t *offset,
                                 size_t *size);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol);
cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *func);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func,
                                                          int blockSize,
                                                          size_t dynamicShared);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                                   const void *func,
                                                                   int blockSize,
                                                                   size_t dynamicShared,
                                                                   unsigned int flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicShared,
                                                      const void *func, int blocks,
                                                      int blockSize);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *func,
                                                 const cudaLaunchConfig_t *config);
cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *func,
                                           const cudaLaunchConfig_t *config);

/* ---- textures and surfaces ---- */

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc,
                               cudaArray_const_t array);
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *texture,
                                    const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *texture,
                                            cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *view,
                                                 cudaTextureObject_t object);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object,
                                    const struct cudaResourceDesc *resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource,
                                             cudaSurfaceObject_t object);

/* ---- graphs ---- */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
    SMW_QUEUES(cudaStreamBeginCapture);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
    SMW_QUEUES(cudaStreamEndCapture);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                  enum cudaStreamCaptureStatus *status)
    SMW_QUEUES(cudaStreamIsCapturing);
/* What is asked for beyond status may be NULL. */
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream,
                                        enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id SMW_DEFAULT(0),
                                        cudaGraph_t *graph SMW_DEFAULT(0),
                                        const cudaGraphNode_t **deps SMW_DEFAULT(0),
                                        size_t *n SMW_DEFAULT(0))
    SMW_QUEUES(cudaStreamGetCaptureInfo_v2);
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original,
                                     cudaGraph_t clone);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *deps, size_t n,
                                   const struct cudaKernelNodeParams *params);
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node,
                                         struct cudaKernelNodeParams *params);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaKernelNodeParams *params);
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node,
                                            cudaLaunchAttributeID attr,
                                            cudaLaunchAttributeValue *value);
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node,
                                            cudaLaunchAttributeID attr,
                                            const cudaLaunchAttributeValue *value);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *deps, size_t n,
                                   const struct cudaMemcpy3DParms *params);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *deps, size_t n, void *dst,
                                     const void *src, size_t count,
                                     enum cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *deps, size_t n,
                                           const void *symbol, const void *src,
                                           size_t count, size_t offset,
                                           enum cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                             const cudaGraphNode_t *deps, size_t n,
                                             void *dst, const void *symbol,
                                             size_t count, size_t offset,
                                             enum cudaMemcpyKind kind);
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node,
                                         struct cudaMemcpy3DParms *params);
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaMemcpy3DParms *params);
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst,
                                           const void *src, size_t count,
                                           enum cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *deps, size_t n,
                                   const struct cudaMemsetParams *params);
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node,
                                         struct cudaMemsetParams *params);
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaMemsetParams *params);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *deps, size_t n,
                                 const struct cudaHostNodeParams *params);
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node,
                                       struct cudaHostNodeParams *params);
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                       const struct cudaHostNodeParams *params);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *deps, size_t n,
                                       cudaGraph_t child);
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *deps, size_t n);
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                        const cudaGraphNode_t *deps, size_t n,
                                        cudaEvent_t event);
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event);
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                      const cudaGraphNode_t *deps, size_t n,
                                      cudaEvent_t event);
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event);
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *deps, size_t n,
                                     struct cudaMemAllocNodeParams *params);
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           struct cudaMemAllocNodeParams *params);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *deps, size_t n, void *ptr);
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *ptr);
cudaError_t cudaDeviceGraphMemTrim(int device);
cudaError_t cudaDeviceGetGraphMemAttribute(int device,
                                           enum cudaGraphMemAttributeType attr,
                                           void *value);
cudaError_t cudaDeviceSetGraphMemAttribute(int device,
                                           enum cudaGraphMemAttributeType attr,
                                           void *value);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type);
/* Lists: NULL asks how many there are. */
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *n);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *n);
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                              cudaGraphNode_t *to, size_t *n);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *deps,
                                         size_t *n);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                           size_t *n);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t n);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t n);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path,
                                   unsigned int flags);

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags SMW_DEFAULT(0));
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags SMW_DEFAULT(0));
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *params)
    SMW_QUEUES(cudaGraphInstantiateWithParams);
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *params);
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *params);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec,
                                               cudaGraphNode_t node, void *dst,
                                               const void *src, size_t count,
                                               enum cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *params);
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *params);
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec,
                                                 cudaGraphNode_t node,
                                                 cudaGraph_t child);
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec,
                                                 cudaGraphNode_t node,
                                                 cudaEvent_t event);
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec,
                                               cudaGraphNode_t node, cudaEvent_t event);
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int enabled);
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int *enabled);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result);
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
    SMW_QUEUES(cudaGraphUpload);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
    SMW_QUEUES(cudaGraphLaunch);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *ptr,
                                 cudaHostFn_t destroy, unsigned int refcount,
                                 unsigned int flags);
cudaError_t cudaUserObjectRetain(cudaUserObject_t object,
                                 unsigned int count SMW_DEFAULT(1));
cudaError_t cudaUserObjectRelease(cudaUserObject_t object,
                                  unsigned int count SMW_DEFAULT(1));
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                      unsigned int count SMW_DEFAULT(1),
                                      unsigned int flags SMW_DEFAULT(0));
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                       unsigned int count SMW_DEFAULT(1));

/* ---- refused with cudaErrorNotSupported: other processes, OpenGL ---- */

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *ptr);
cudaError_t cudaIpcOpenMemHandle(void **ptr, cudaIpcMemHandle_t handle,
                                 unsigned int flags);
cudaError_t cudaIpcCloseMemHandle(void *ptr);
cudaError_t
cudaMemPoolExportToShareableHandle(void *handle, cudaMemPool_t pool,
                                   enum cudaMemAllocationHandleType handleType,
                                   unsigned int flags);
cudaError_t
cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *handle,
                                     enum cudaMemAllocationHandleType handleType,
                                     unsigned int flags);
cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *data, void *ptr);
cudaError_t cudaMemPoolImportPointer(void **ptr, cudaMemPool_t pool,
                                     struct cudaMemPoolPtrExportData *data);
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource);
cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource,
                                            unsigned int flags);
cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t *resources,
                                     cudaStream_t stream SMW_DEFAULT(0));
cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t *resources,
                                       cudaStream_t stream SMW_DEFAULT(0));
cudaError_t cudaGraphicsResourceGetMappedPointer(void **ptr, size_t *size,
                                                 cudaGraphicsResource_t resource);
cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t *array,
                                                  cudaGraphicsResource_t resource,
                                                  unsigned int index,
                                                  unsigned int level);

/* ---- the driver's functions by name ---- */

cudaError_t
cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                        enum cudaDriverEntryPointQueryResult *result SMW_DEFAULT(NULL))
    SMW_QUEUES(cudaGetDriverEntryPoint);
cudaError_t cudaGetDriverEntryPointByVersion(
    const char *symbol, void **function, unsigned int cudaVersion,
    unsigned long long flags,
    enum cudaDriverEntryPointQueryResult *result SMW_DEFAULT(NULL))
    SMW_QUEUES(cudaGetDriverEntryPointByVersion);

/* What compilers call for kernel<<<grid, block, shared, stream>>>(...): Push keeps what
 * stands between the brackets until the kernel's twin asks for it with Pop. */
unsigned __cudaPushCallConfiguration(struct dim3 gridDim, struct dim3 blockDim,
                                     size_t sharedMem SMW_DEFAULT(0),
                                     void *stream SMW_DEFAULT(0)) SMW_PUSH;

#ifdef __cplusplus
}
#endif

static __inline__ struct cudaExtent make_cudaExtent(size_t w, size_t h, size_t d)
{
    struct cudaExtent e;

    e.width = w;
    e.height = h;
    e.depth = d;
    return e;
}

static __inline__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    struct cudaPos p;

    p.x = x;
    p.y = y;
    p.z = z;
    return p;
}

static __inline__ struct cudaPitchedPtr make_cudaPitchedPtr(void *ptr, size_t pitch,
                                                            size_t xsize, size_t ysize)
{
    struct cudaPitchedPtr p;

    p.ptr = ptr;
    p.pitch = pitch;
    p.xsize = xsize;
    p.ysize = ysize;
    return p;
}

#endif /* SMWAVE_CUDA_RUNTIME_API_H */
