/* Executable graphs: made of a graph, launched, brought up to date. */
#include "runtime/graph.h"
#include "runtime/per_thread.h"
#include <stdlib.h>

/* Nodes one after the other: each is an operation of the stream. */
static cudaError_t run(struct CUstream_st *s, const struct CUgraph_st *g)
{
    cudaGraphNode_t *order = calloc(g->n + 1, sizeof(*order));
    cudaError_t rc = cudaSuccess;

    if (order == NULL || !rt_graph_order(g, order)) {
        free(order);
        return order == NULL ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
    }
    for (uint32_t i = 0; i < g->n && rc == cudaSuccess; i++) {
        if (!order[i]->disabled) {
            smw_host_call(rt_stream_device(s)->dev, SMW_HOST_NODE);
            rc = rt_issue(s, &order[i]->op);
        }
    }
    free(order);
    return rc;
}

cudaError_t rt_child_issue(struct CUstream_st *s, cudaGraph_t child)
{
    return run(s, child);
}

static cudaError_t instantiate(cudaGraphExec_t *out, cudaGraph_t handle,
                               unsigned long long flags)
{
    const unsigned long long known =
        cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
        cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;
    const struct CUgraph_st *g = rt_graph(handle);
    struct CUgraphExec_st *e;
    cudaGraphNode_t *order;
    cudaError_t rc;

    if (out == NULL || g == NULL || (flags & ~known) != 0) {
        return cudaErrorInvalidValue;
    }
    if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) {
        rt_say("cudaGraphInstantiate: launches of graphs by kernels are not supported");
        return cudaErrorNotSupported;
    }
    order = calloc(g->n + 1, sizeof(*order));
    e = calloc(1, sizeof(*e));
    rc = order == NULL || e == NULL  ? cudaErrorMemoryAllocation
         : !rt_graph_order(g, order) ? cudaErrorInvalidValue
                                     : rt_graph_clone(g, true, &e->graph);
    free(order);
    if (rc == cudaSuccess && !rt_handle_add(&rt_process()->handles, RT_EXEC, e, e)) {
        rt_graph_free(e->graph);
        rc = cudaErrorMemoryAllocation;
    }
    if (rc != cudaSuccess) {
        free(e);
        return rc;
    }
    e->flags = flags;
    *out = e;
    return cudaSuccess;
}

RT_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                        unsigned long long flags)
{
    return RT_CALL(instantiate(exec, graph, flags));
}

RT_API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec,
                                                 cudaGraph_t graph,
                                                 unsigned long long flags)
{
    return RT_CALL(instantiate(exec, graph, flags));
}

static cudaError_t instantiate_with(cudaGraphExec_t *exec, cudaGraph_t graph,
                                    cudaGraphInstantiateParams *p)
{
    cudaError_t rc;

    if (p == NULL) {
        return cudaErrorInvalidValue;
    }
    rc = instantiate(exec, graph, p->flags);
    p->errNode_out = NULL;
    p->result_out =
        rc == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
    return rc;
}

RT_API cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec,
                                                  cudaGraph_t graph,
                                                  cudaGraphInstantiateParams *params)
{
    return RT_CALL(instantiate_with(exec, graph, params));
}

static cudaError_t destroy(cudaGraphExec_t handle)
{
    struct CUgraphExec_st *e = rt_exec(handle);

    if (e == NULL) {
        return cudaErrorInvalidValue;
    }
    rt_handle_remove(&rt_process()->handles, RT_EXEC, e);
    rt_graph_free(e->graph);
    free(e);
    return cudaSuccess;
}

RT_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    return RT_CALL(destroy(exec));
}

static cudaError_t get_flags(cudaGraphExec_t exec, unsigned long long *flags)
{
    const struct CUgraphExec_st *e = rt_exec(exec);

    if (e == NULL || flags == NULL) {
        return cudaErrorInvalidValue;
    }
    *flags = e->flags;
    return cudaSuccess;
}

RT_API cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec,
                                         unsigned long long *flags)
{
    return RT_CALL(get_flags(exec, flags));
}

/* The device takes the graph up when all before it in the stream is over. */
static cudaError_t run_timed(struct CUstream_st *s, const struct CUgraph_st *g)
{
    struct rt_device *d = rt_stream_device(s);
    struct smw_err e = {0};
    cudaError_t rc;

    smw_host_call(d->dev, SMW_HOST_GRAPH);
    rc = rt_order(s);
    if (rc == cudaSuccess) {
        rc = rt_ran(d, smw_queue_mark(d->dev, s->id, &e) != 0, &e, "cudaGraphLaunch");
    }
    return rc == cudaSuccess ? run(s, g) : rc;
}

/* In a stream that is being recorded it becomes a part of the other graph. */
static cudaError_t launch(cudaGraphExec_t handle, cudaStream_t stream)
{
    const struct CUgraphExec_st *e = rt_exec(handle);
    struct rt_op op = {.kind = RT_OP_CHILD};
    struct CUstream_st *s;
    cudaError_t rc;

    if (e == NULL) {
        return cudaErrorInvalidValue;
    }
    rc = rt_stream(stream, &s);
    if (rc != cudaSuccess) {
        return rc;
    }
    if (s->capture == NULL) {
        return run_timed(s, e->graph);
    }
    rc = rt_graph_clone(e->graph, true, &op.u.child);
    if (rc == cudaSuccess) {
        rc = rt_submit(s, &op);
        if (rc != cudaSuccess) {
            rt_graph_free(op.u.child);
        }
    }
    return rc;
}

RT_API cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t s)
{
    return RT_CALL(launch(exec, s));
}

static cudaError_t upload(cudaGraphExec_t exec, cudaStream_t stream)
{
    struct CUstream_st *s;

    return rt_exec(exec) == NULL ? cudaErrorInvalidValue : rt_stream(stream, &s);
}

RT_API cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t s)
{
    return RT_CALL(upload(exec, s));
}

/* The same nodes in the same order with the same dependencies, or why not. */
static enum cudaGraphExecUpdateResult same_shape(const struct CUgraph_st *a,
                                                 const struct CUgraph_st *b,
                                                 struct CUgraphNode_st **where)
{
    *where = NULL;
    if (a->n != b->n) {
        return cudaGraphExecUpdateErrorTopologyChanged;
    }
    for (uint32_t i = 0; i < a->n; i++) {
        const struct CUgraphNode_st *x = a->node[i];

        *where = b->node[i];
        if (x->op.kind != (*where)->op.kind) {
            return cudaGraphExecUpdateErrorNodeTypeChanged;
        }
        if (x->n_deps != (*where)->n_deps) {
            return cudaGraphExecUpdateErrorTopologyChanged;
        }
        for (uint32_t k = 0; k < x->n_deps; k++) {
            if (x->dep[k]->index != (*where)->dep[k]->index) {
                return cudaGraphExecUpdateErrorTopologyChanged;
            }
        }
    }
    *where = NULL;
    return cudaGraphExecUpdateSuccess;
}

static cudaError_t update(cudaGraphExec_t exec, cudaGraph_t graph,
                          cudaGraphExecUpdateResultInfo *info)
{
    struct CUgraphExec_st *e = rt_exec(exec);
    const struct CUgraph_st *g = rt_graph(graph);
    struct CUgraph_st *copy;
    cudaError_t rc;

    if (e == NULL || g == NULL || info == NULL) {
        return cudaErrorInvalidValue;
    }
    *info = (cudaGraphExecUpdateResultInfo){0};
    info->result = same_shape(e->graph, g, &info->errorNode);
    if (info->result != cudaGraphExecUpdateSuccess) {
        return cudaErrorGraphExecUpdateFailure;
    }
    rc = rt_graph_clone(g, true, &copy);
    if (rc != cudaSuccess) {
        return rc;
    }
    /* The program goes on naming the nodes it was made from first. */
    for (uint32_t i = 0; i < copy->n; i++) {
        copy->node[i]->original = e->graph->node[i]->original;
        copy->node[i]->disabled = e->graph->node[i]->disabled;
    }
    rt_graph_free(e->graph);
    e->graph = copy;
    return cudaSuccess;
}

RT_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                       cudaGraphExecUpdateResultInfo *info)
{
    return RT_CALL(update(exec, graph, info));
}
