/*
 * versions.c - calls whose form differs between releases of CUDA, under the names and
 * versions of symbols that programs of each release ask for. The plain names, which
 * versions.map gives a version of our own, have the form of our headers: CUDA 12's,
 * except that properties have the members of CUDA 12 under the plain name too.
 */
#include "runtime/per_thread.h"
#include "runtime/properties.h"

/* name@version is function. */
#define VERSION(function, name, version)                                               \
    __asm__(".symver " #function ", " #name "@" version)
#define CUDA_12 "libcudart.so.12"
#define CUDA_13 "libcudart.so.13"

/* ---- properties: properties.c ---- */

RT_API cudaError_t rt12_properties(void *p, int device);
RT_API cudaError_t rt13_properties(void *p, int device);
RT_API cudaError_t rtsw_properties(struct cudaDeviceProp *p, int device);

RT_API cudaError_t rt12_properties(void *p, int device)
{
    return rt_properties_11(p, device);
}

RT_API cudaError_t rt13_properties(void *p, int device)
{
    return rt_properties_to_13(p, device);
}

RT_API cudaError_t rtsw_properties(struct cudaDeviceProp *p, int device)
{
    return cudaGetDeviceProperties(p, device);
}

VERSION(rt12_properties, cudaGetDeviceProperties, CUDA_12);
VERSION(rt13_properties, cudaGetDeviceProperties, CUDA_13);
__asm__(".symver rtsw_properties, cudaGetDeviceProperties@@libsmwave_cudart");

/* ---- a place is a number, or a structure: hints.c ---- */

RT_API cudaError_t rt12_prefetch(const void *p, size_t n, int device, cudaStream_t s);
RT_API cudaError_t rt12_prefetch_ptsz(const void *p, size_t n, int device,
                                      cudaStream_t s);
RT_API cudaError_t rt12_advise(const void *p, size_t n, enum cudaMemoryAdvise advice,
                               int device);
RT_API cudaError_t rt13_prefetch(const void *p, size_t n, struct cudaMemLocation place,
                                 unsigned flags, cudaStream_t s);
RT_API cudaError_t rt13_prefetch_ptsz(const void *p, size_t n,
                                      struct cudaMemLocation place, unsigned flags,
                                      cudaStream_t s);
RT_API cudaError_t rt13_advise(const void *p, size_t n, enum cudaMemoryAdvise advice,
                               struct cudaMemLocation place);

RT_API cudaError_t rt12_prefetch(const void *p, size_t n, int device, cudaStream_t s)
{
    return cudaMemPrefetchAsync(p, n, device, s);
}

RT_API cudaError_t rt12_prefetch_ptsz(const void *p, size_t n, int device,
                                      cudaStream_t s)
{
    return cudaMemPrefetchAsync_ptsz(p, n, device, s);
}

RT_API cudaError_t rt12_advise(const void *p, size_t n, enum cudaMemoryAdvise advice,
                               int device)
{
    return cudaMemAdvise(p, n, advice, device);
}

RT_API cudaError_t rt13_prefetch(const void *p, size_t n, struct cudaMemLocation place,
                                 unsigned flags, cudaStream_t s)
{
    return cudaMemPrefetchAsync_v2(p, n, place, flags, s);
}

RT_API cudaError_t rt13_prefetch_ptsz(const void *p, size_t n,
                                      struct cudaMemLocation place, unsigned flags,
                                      cudaStream_t s)
{
    return cudaMemPrefetchAsync_v2_ptsz(p, n, place, flags, s);
}

RT_API cudaError_t rt13_advise(const void *p, size_t n, enum cudaMemoryAdvise advice,
                               struct cudaMemLocation place)
{
    return cudaMemAdvise_v2(p, n, advice, place);
}

VERSION(rt12_prefetch, cudaMemPrefetchAsync, CUDA_12);
VERSION(rt12_prefetch_ptsz, cudaMemPrefetchAsync_ptsz, CUDA_12);
VERSION(rt12_advise, cudaMemAdvise, CUDA_12);
VERSION(rt13_prefetch, cudaMemPrefetchAsync, CUDA_13);
VERSION(rt13_prefetch_ptsz, cudaMemPrefetchAsync_ptsz, CUDA_13);
VERSION(rt13_advise, cudaMemAdvise, CUDA_13);

/* ---- edges of graphs may have data: all here are plain ones, whose data is zero ----
 */

static void plain_edges(cudaGraphEdgeData *data, cudaError_t rc, const size_t *n)
{
    for (size_t i = 0; data != NULL && rc == cudaSuccess && i < *n; i++) {
        data[i] = (cudaGraphEdgeData){0};
    }
}

RT_API cudaError_t rt12_edges(cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              size_t *n);
RT_API cudaError_t rt13_edges(cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              cudaGraphEdgeData *data, size_t *n);
RT_API cudaError_t rt12_deps(cudaGraphNode_t node, cudaGraphNode_t *deps, size_t *n);
RT_API cudaError_t rt13_deps(cudaGraphNode_t node, cudaGraphNode_t *deps,
                             cudaGraphEdgeData *data, size_t *n);
RT_API cudaError_t rt12_dependents(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                   size_t *n);
RT_API cudaError_t rt13_dependents(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                   cudaGraphEdgeData *data, size_t *n);
RT_API cudaError_t rt12_add(cudaGraph_t g, const cudaGraphNode_t *from,
                            const cudaGraphNode_t *to, size_t n);
RT_API cudaError_t rt13_add(cudaGraph_t g, const cudaGraphNode_t *from,
                            const cudaGraphNode_t *to, const cudaGraphEdgeData *data,
                            size_t n);
RT_API cudaError_t rt12_remove(cudaGraph_t g, const cudaGraphNode_t *from,
                               const cudaGraphNode_t *to, size_t n);
RT_API cudaError_t rt13_remove(cudaGraph_t g, const cudaGraphNode_t *from,
                               const cudaGraphNode_t *to, const cudaGraphEdgeData *data,
                               size_t n);

RT_API cudaError_t rt12_edges(cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              size_t *n)
{
    return cudaGraphGetEdges(g, from, to, n);
}

RT_API cudaError_t rt13_edges(cudaGraph_t g, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              cudaGraphEdgeData *data, size_t *n)
{
    cudaError_t rc = cudaGraphGetEdges(g, from, to, n);

    plain_edges(data, rc, n);
    return rc;
}

RT_API cudaError_t rt12_deps(cudaGraphNode_t node, cudaGraphNode_t *deps, size_t *n)
{
    return cudaGraphNodeGetDependencies(node, deps, n);
}

RT_API cudaError_t rt13_deps(cudaGraphNode_t node, cudaGraphNode_t *deps,
                             cudaGraphEdgeData *data, size_t *n)
{
    cudaError_t rc = cudaGraphNodeGetDependencies(node, deps, n);

    plain_edges(data, rc, n);
    return rc;
}

RT_API cudaError_t rt12_dependents(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                   size_t *n)
{
    return cudaGraphNodeGetDependentNodes(node, nodes, n);
}

RT_API cudaError_t rt13_dependents(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                   cudaGraphEdgeData *data, size_t *n)
{
    cudaError_t rc = cudaGraphNodeGetDependentNodes(node, nodes, n);

    plain_edges(data, rc, n);
    return rc;
}

RT_API cudaError_t rt12_add(cudaGraph_t g, const cudaGraphNode_t *from,
                            const cudaGraphNode_t *to, size_t n)
{
    return cudaGraphAddDependencies(g, from, to, n);
}

RT_API cudaError_t rt13_add(cudaGraph_t g, const cudaGraphNode_t *from,
                            const cudaGraphNode_t *to, const cudaGraphEdgeData *data,
                            size_t n)
{
    (void)data;
    return cudaGraphAddDependencies(g, from, to, n);
}

RT_API cudaError_t rt12_remove(cudaGraph_t g, const cudaGraphNode_t *from,
                               const cudaGraphNode_t *to, size_t n)
{
    return cudaGraphRemoveDependencies(g, from, to, n);
}

RT_API cudaError_t rt13_remove(cudaGraph_t g, const cudaGraphNode_t *from,
                               const cudaGraphNode_t *to, const cudaGraphEdgeData *data,
                               size_t n)
{
    (void)data;
    return cudaGraphRemoveDependencies(g, from, to, n);
}

VERSION(rt12_edges, cudaGraphGetEdges, CUDA_12);
VERSION(rt13_edges, cudaGraphGetEdges, CUDA_13);
VERSION(rt12_deps, cudaGraphNodeGetDependencies, CUDA_12);
VERSION(rt13_deps, cudaGraphNodeGetDependencies, CUDA_13);
VERSION(rt12_dependents, cudaGraphNodeGetDependentNodes, CUDA_12);
VERSION(rt13_dependents, cudaGraphNodeGetDependentNodes, CUDA_13);
VERSION(rt12_add, cudaGraphAddDependencies, CUDA_12);
VERSION(rt13_add, cudaGraphAddDependencies, CUDA_13);
VERSION(rt12_remove, cudaGraphRemoveDependencies, CUDA_12);
VERSION(rt13_remove, cudaGraphRemoveDependencies, CUDA_13);

/* ---- what a stream is recorded into: capture.c ---- */

RT_API cudaError_t rt12_info(cudaStream_t s, enum cudaStreamCaptureStatus *status,
                             unsigned long long *id);
RT_API cudaError_t rt13_info(cudaStream_t s, enum cudaStreamCaptureStatus *status,
                             unsigned long long *id, cudaGraph_t *graph,
                             const cudaGraphNode_t **deps,
                             const cudaGraphEdgeData **data, size_t *n);
RT_API cudaError_t rt13_info_ptsz(cudaStream_t s, enum cudaStreamCaptureStatus *status,
                                  unsigned long long *id, cudaGraph_t *graph,
                                  const cudaGraphNode_t **deps,
                                  const cudaGraphEdgeData **data, size_t *n);

RT_API cudaError_t rt12_info(cudaStream_t s, enum cudaStreamCaptureStatus *status,
                             unsigned long long *id)
{
    return cudaStreamGetCaptureInfo_v2(s, status, id, NULL, NULL, NULL);
}

RT_API cudaError_t rt13_info(cudaStream_t s, enum cudaStreamCaptureStatus *status,
                             unsigned long long *id, cudaGraph_t *graph,
                             const cudaGraphNode_t **deps,
                             const cudaGraphEdgeData **data, size_t *n)
{
    if (data != NULL) {
        *data = NULL; /* plain edges */
    }
    return cudaStreamGetCaptureInfo_v2(s, status, id, graph, deps, n);
}

RT_API cudaError_t rt13_info_ptsz(cudaStream_t s, enum cudaStreamCaptureStatus *status,
                                  unsigned long long *id, cudaGraph_t *graph,
                                  const cudaGraphNode_t **deps,
                                  const cudaGraphEdgeData **data, size_t *n)
{
    return rt13_info(rt_per_thread(s), status, id, graph, deps, data, n);
}

VERSION(rt12_info, cudaStreamGetCaptureInfo, CUDA_12);
VERSION(rt13_info, cudaStreamGetCaptureInfo, CUDA_13);
VERSION(rt13_info_ptsz, cudaStreamGetCaptureInfo_ptsz, CUDA_13);
