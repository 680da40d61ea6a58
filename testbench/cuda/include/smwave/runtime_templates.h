/*
 * runtime_templates.h - the runtime's functions for C++: pointers of any type, kernels
 * and variables by their names, and the forms that CUDA 11 and 13 give some functions.
 */
#ifndef SMWAVE_RUNTIME_TEMPLATES_H
#define SMWAVE_RUNTIME_TEMPLATES_H
#include "../cuda_runtime_api.h"

#define SMW_T template <class T> static inline cudaError_t

/* ---- pointers ---- */

SMW_T cudaMalloc(T **p, size_t size)
{
    return ::cudaMalloc((void **)(void *)p, size);
}

SMW_T cudaMallocHost(T **p, size_t size, unsigned int flags = 0)
{
    return ::cudaHostAlloc((void **)(void *)p, size, flags);
}

SMW_T cudaHostAlloc(T **p, size_t size, unsigned int flags)
{
    return ::cudaHostAlloc((void **)(void *)p, size, flags);
}

SMW_T cudaHostGetDevicePointer(T **p, void *host, unsigned int flags)
{
    return ::cudaHostGetDevicePointer((void **)(void *)p, host, flags);
}

SMW_T cudaMallocManaged(T **p, size_t size, unsigned int flags = cudaMemAttachGlobal)
{
    return ::cudaMallocManaged((void **)(void *)p, size, flags);
}

SMW_T cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height)
{
    return ::cudaMallocPitch((void **)(void *)p, pitch, width, height);
}

SMW_T cudaMallocAsync(T **p, size_t size, cudaStream_t stream)
{
    return ::cudaMallocAsync((void **)(void *)p, size, stream);
}

SMW_T cudaMallocAsync(T **p, size_t size, cudaMemPool_t pool, cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)(void *)p, size, pool, stream);
}

static inline cudaError_t cudaMallocAsync(void **p, size_t size, cudaMemPool_t pool,
                                          cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync(p, size, pool, stream);
}

SMW_T cudaMallocFromPoolAsync(T **p, size_t size, cudaMemPool_t pool,
                              cudaStream_t stream)
{
    return ::cudaMallocFromPoolAsync((void **)(void *)p, size, pool, stream);
}

static inline cudaError_t cudaMallocHost(void **p, size_t size, unsigned int flags)
{
    return ::cudaHostAlloc(p, size, flags);
}

SMW_T cudaStreamAttachMemAsync(cudaStream_t stream, T *p, size_t length = 0,
                               unsigned int flags = cudaMemAttachSingle)
{
    return ::cudaStreamAttachMemAsync(stream, (void *)p, length, flags);
}

/* ---- variables of the device ---- */

SMW_T cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count,
                         size_t offset = 0,
                         cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return ::cudaMemcpyToSymbol((const void *)&symbol, src, count, offset, kind);
}

SMW_T cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count, size_t offset = 0,
                           cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return ::cudaMemcpyFromSymbol(dst, (const void *)&symbol, count, offset, kind);
}

SMW_T cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count,
                              size_t offset = 0,
                              cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                              cudaStream_t stream = 0)
{
    return ::cudaMemcpyToSymbolAsync((const void *)&symbol, src, count, offset, kind,
                                     stream);
}

SMW_T cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count,
                                size_t offset = 0,
                                cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                cudaStream_t stream = 0)
{
    return ::cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, count, offset, kind,
                                       stream);
}

SMW_T cudaGetSymbolAddress(void **p, const T &symbol)
{
    return ::cudaGetSymbolAddress(p, (const void *)&symbol);
}

SMW_T cudaGetSymbolSize(size_t *size, const T &symbol)
{
    return ::cudaGetSymbolSize(size, (const void *)&symbol);
}

SMW_T cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *deps, size_t n,
                                     const T &symbol, const void *src, size_t count,
                                     size_t offset, cudaMemcpyKind kind)
{
    return ::cudaGraphAddMemcpyNodeToSymbol(node, graph, deps, n, (const void *)&symbol,
                                            src, count, offset, kind);
}

SMW_T cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *deps, size_t n, void *dst,
                                       const T &symbol, size_t count, size_t offset,
                                       cudaMemcpyKind kind)
{
    return ::cudaGraphAddMemcpyNodeFromSymbol(node, graph, deps, n, dst,
                                              (const void *)&symbol, count, offset,
                                              kind);
}

/* ---- kernels ---- */

SMW_T cudaLaunchKernel(T *func, dim3 gridDim, dim3 blockDim, void **args,
                       size_t sharedMem = 0, cudaStream_t stream = 0)
{
    return ::cudaLaunchKernel((const void *)func, gridDim, blockDim, args, sharedMem,
                              stream);
}

SMW_T cudaLaunchCooperativeKernel(T *func, dim3 gridDim, dim3 blockDim, void **args,
                                  size_t sharedMem = 0, cudaStream_t stream = 0)
{
    return ::cudaLaunchCooperativeKernel((const void *)func, gridDim, blockDim, args,
                                         sharedMem, stream);
}

SMW_T cudaLaunchKernelExC(const cudaLaunchConfig_t *config, T *func, void **args)
{
    return ::cudaLaunchKernelExC(config, (const void *)func, args);
}

#if __cplusplus >= 201103L
/* Arguments are converted to what the kernel takes, as in a call. */
template <class... Taken, class... Given>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                             void (*kernel)(Taken...), Given &&...given)
{
    return [&](Taken... taken) {
        void *args[sizeof...(Taken) + 1] = {(void *)&taken...};

        return ::cudaLaunchKernelExC(config, (const void *)kernel, args);
    }(static_cast<Given &&>(given)...);
}
#endif

SMW_T cudaFuncSetCacheConfig(T *func, cudaFuncCache config)
{
    return ::cudaFuncSetCacheConfig((const void *)func, config);
}

SMW_T cudaFuncSetSharedMemConfig(T *func, cudaSharedMemConfig config)
{
    return ::cudaFuncSetSharedMemConfig((const void *)func, config);
}

SMW_T cudaFuncSetAttribute(T *func, cudaFuncAttribute attr, int value)
{
    return ::cudaFuncSetAttribute((const void *)func, attr, value);
}

SMW_T cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *func)
{
    return ::cudaFuncGetAttributes(attributes, (const void *)func);
}

SMW_T cudaFuncGetName(const char **name, T *func)
{
    return ::cudaFuncGetName(name, (const void *)func);
}

SMW_T cudaGetKernel(cudaKernel_t *kernel, T *func)
{
    return ::cudaGetKernel(kernel, (const void *)func);
}

SMW_T cudaGetFuncBySymbol(cudaFunction_t *function, T *func)
{
    return ::cudaGetFuncBySymbol(function, (const void *)func);
}

/* ---- occupancy ---- */

SMW_T cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T func, int blockSize,
                                                    size_t dynamicShared)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)func,
                                                           blockSize, dynamicShared);
}

SMW_T cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T func,
                                                             int blockSize,
                                                             size_t dynamicShared,
                                                             unsigned int flags)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks, (const void *)func, blockSize, dynamicShared, flags);
}

SMW_T cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicShared, T func,
                                                int blocks, int blockSize)
{
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(dynamicShared,
                                                       (const void *)func, blocks,
                                                       blockSize);
}

SMW_T cudaOccupancyMaxActiveClusters(int *clusters, T *func,
                                     const cudaLaunchConfig_t *config)
{
    return ::cudaOccupancyMaxActiveClusters(clusters, (const void *)func, config);
}

/* The block of whole warps with which most threads of func are on an SM at once, the
 * largest such, and the grid that fills the device. shared_of(block): bytes of dynamic
 * shared memory. limit: the largest block allowed, 0: none. */
template <class F, class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *grid, int *block, T func, F shared_of, int limit = 0, unsigned int flags = 0)
{
    struct cudaFuncAttributes attributes;
    int device, sms, warp, per_sm, best = 0;
    cudaError_t e;

    if (grid == 0 || block == 0 || func == 0) {
        return cudaErrorInvalidValue;
    }
    if ((e = ::cudaGetDevice(&device)) != cudaSuccess ||
        (e = ::cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device)) !=
            cudaSuccess ||
        (e = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device)) !=
            cudaSuccess ||
        (e = ::cudaFuncGetAttributes(&attributes, (const void *)func)) != cudaSuccess) {
        return e;
    }
    if (limit <= 0 || limit > attributes.maxThreadsPerBlock) {
        limit = attributes.maxThreadsPerBlock;
    }
    for (int size = (limit + warp - 1) / warp * warp; size > 0; size -= warp) {
        int threads = size < limit ? size : limit;

        e = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            &per_sm, (const void *)func, threads, shared_of(threads), flags);
        if (e != cudaSuccess) {
            return e;
        }
        if (per_sm * threads > best) {
            best = per_sm * threads;
            *block = threads;
            *grid = per_sm * sms;
        }
    }
    return cudaSuccess;
}

template <class F, class T>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, T func,
                                               F shared_of, int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid, block, func,
                                                                   shared_of, limit);
}

struct smw_same_shared {
    size_t bytes;
    __host__ __device__ size_t operator()(int) const
    {
        return bytes;
    }
};

SMW_T cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, T func,
                                                  size_t dynamicShared = 0,
                                                  int limit = 0, unsigned int flags = 0)
{
    smw_same_shared same = {dynamicShared};

    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid, block, func,
                                                                   same, limit, flags);
}

SMW_T cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T func,
                                         size_t dynamicShared = 0, int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeWithFlags(grid, block, func, dynamicShared,
                                                       limit);
}

/* ---- the same name in other releases ---- */

static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
    return ::cudaEventCreateWithFlags(event, flags);
}

static inline cudaError_t cudaMemPrefetchAsync(const void *p, size_t count,
                                               struct cudaMemLocation location,
                                               unsigned int flags,
                                               cudaStream_t stream = 0)
{
    return ::cudaMemPrefetchAsync_v2(p, count, location, flags, stream);
}

static inline cudaError_t cudaMemAdvise(const void *p, size_t count,
                                        cudaMemoryAdvise advice,
                                        struct cudaMemLocation location)
{
    return ::cudaMemAdvise_v2(p, count, advice, location);
}

static inline cudaError_t
cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status,
                         unsigned long long *id = 0, cudaGraph_t *graph = 0,
                         const cudaGraphNode_t **deps = 0, size_t *n = 0)
{
    return ::cudaStreamGetCaptureInfo_v2(stream, status, id, graph, deps, n);
}

/* CUDA 11: where the error was, and its text */
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                               cudaGraphNode_t *node, char *log,
                                               size_t size)
{
    if (node != 0) {
        *node = 0;
    }
    if (log != 0 && size > 0) {
        log[0] = '\0';
    }
    return ::cudaGraphInstantiate(exec, graph, 0);
}

static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                              cudaGraphNode_t *node,
                                              enum cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info;
    cudaError_t e = ::cudaGraphExecUpdate(exec, graph, &info);

    if (node != 0) {
        *node = info.errorNode;
    }
    if (result != 0) {
        *result = info.result;
    }
    return e;
}

/* CUDA 13: data of the edges too */
static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph,
                                                   const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to,
                                                   const cudaGraphEdgeData *, size_t n)
{
    return ::cudaGraphAddDependencies(graph, from, to, n);
}

#undef SMW_T

#endif /* SMWAVE_RUNTIME_TEMPLATES_H */
