/*
 * Nodes that take and give back memory. It is taken when the node is made, since its
 * address goes into other nodes, and stays while the device does.
 */
#include "runtime/graph.h"
#include "runtime/memory.h"

static cudaError_t add_alloc(cudaGraphNode_t *out, cudaGraph_t graph,
                             const cudaGraphNode_t *deps, size_t n,
                             struct cudaMemAllocNodeParams *p)
{
    struct CUgraph_st *g = rt_graph(graph);
    struct rt_op op = {.kind = RT_OP_ALLOC};
    struct rt_device *d;
    cudaError_t rc;

    if (out == NULL || g == NULL || p == NULL || p->bytesize == 0 ||
        p->poolProps.allocType != cudaMemAllocationTypePinned ||
        p->poolProps.location.type != cudaMemLocationTypeDevice) {
        return cudaErrorInvalidValue;
    }
    rc = rt_device_open(p->poolProps.location.id, &d);
    if (rc == cudaSuccess) {
        rc = rt_malloc(d, p->bytesize, NULL, &op.u.memory.at);
    }
    if (rc != cudaSuccess) {
        return rc;
    }
    op.u.memory.bytes = p->bytesize;
    rc = rt_graph_add(g, deps, n, &op, out);
    if (rc != cudaSuccess) {
        (void)rt_free(op.u.memory.at);
        return rc;
    }
    rt_keep(op.u.memory.at);
    p->dptr = op.u.memory.at;
    (*out)->alloc = *p;
    return cudaSuccess;
}

RT_API cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                            const cudaGraphNode_t *deps, size_t n,
                                            struct cudaMemAllocNodeParams *params)
{
    return RT_CALL(add_alloc(node, graph, deps, n, params));
}

static cudaError_t get_alloc(cudaGraphNode_t node, struct cudaMemAllocNodeParams *p)
{
    const struct CUgraphNode_st *x = rt_node(node);

    if (x == NULL || x->op.kind != RT_OP_ALLOC || p == NULL) {
        return cudaErrorInvalidValue;
    }
    *p = x->alloc;
    p->bytesize = x->op.u.memory.bytes;
    p->dptr = x->op.u.memory.at;
    return cudaSuccess;
}

RT_API cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                                  struct cudaMemAllocNodeParams *params)
{
    return RT_CALL(get_alloc(node, params));
}

static cudaError_t add_free(cudaGraphNode_t *out, cudaGraph_t graph,
                            const cudaGraphNode_t *deps, size_t n, void *p)
{
    struct CUgraph_st *g = rt_graph(graph);
    struct rt_op op = {.kind = RT_OP_RELEASE};
    struct rt_place place;

    if (out == NULL || g == NULL || !rt_place((uint64_t)(uintptr_t)p, &place) ||
        !place.device) {
        return cudaErrorInvalidValue;
    }
    op.u.memory.at = p;
    return rt_graph_add(g, deps, n, &op, out);
}

RT_API cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *deps, size_t n,
                                           void *p)
{
    return RT_CALL(add_free(node, graph, deps, n, p));
}

static cudaError_t get_free(cudaGraphNode_t node, void **out)
{
    const struct CUgraphNode_st *x = rt_node(node);

    if (x == NULL || x->op.kind != RT_OP_RELEASE || out == NULL) {
        return cudaErrorInvalidValue;
    }
    *out = x->op.u.memory.at;
    return cudaSuccess;
}

RT_API cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *p)
{
    return RT_CALL(get_free(node, p));
}
